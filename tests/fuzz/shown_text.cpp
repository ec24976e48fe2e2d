// Text from inside as it is printed: nothing in it can do anything to a terminal, or pass for a
// report.
#include "report/sanitise.h"
#include "report/utf8.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string shown = report::sanitise(fuzz::text(data, size), 200);
    for (const unsigned char byte : shown)
        fuzz::require(byte >= 0x20 && byte != 0x7f, "no control character is shown");
    fuzz::require(shown.find("sbxsh:") == std::string::npos, "no report is imitated");
    fuzz::require(report::sanitise(shown, 2000) == shown, "what is shown once is shown so again");
    fuzz::require(report::width(report::cells(shown)) <= 200, "it keeps within its columns");
    return 0;
}
