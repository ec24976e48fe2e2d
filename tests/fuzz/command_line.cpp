// Command lines: the parser ends, and all that it names lies within the text.
#include "command/outline.h"
#include "command/parser.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text(data, size);
    const auto within = [&](core::Span span) {
        return span.begin <= span.end && span.end <= text.size();
    };
    const command::Outline outline = command::outline(text);
    for (const command::SimpleCommand& simple : outline.commands) {
        fuzz::require(within(simple.span), "a command lies within the text");
        fuzz::require(simple.end <= text.size(), "a here-document ends within the text");
        for (const command::Argument& word : simple.words)
            fuzz::require(within(word.span), "a word lies within the text");
    }
    for (const command::RedirectionSite& site : outline.redirections)
        fuzz::require(within(site.span) && within(site.target.span),
                      "a redirection lies within the text");
    return 0;
}
