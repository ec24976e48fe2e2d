// The forms that a selection of refusals is printed in. Internal to report.
#pragma once

#include <string>

#include "report/report.h"
#include "report/select.h"

namespace report {

std::string render_text(const Selection& selection, const Context& context,
                        const CommandLine& line);
std::string render_line(const Selection& selection, const Context& context,
                        const CommandLine& line);
std::string render_json(const Selection& selection, const Context& context,
                        const CommandLine& line);

/// "blocked: write to /etc/hosts", sanitised, without a newline.
std::string headline(const Denial& denial);

/// "sh": what a person calls the process; "a process" when nothing is known of it. Sanitised.
std::string process_name(const Process& process);

/// "second time with unchanged permissions: …"; empty for the first time.
std::string repetition_note(unsigned count);

}  // namespace report
