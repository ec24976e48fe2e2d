// Refusals as they are kept and sent: what is read is written again and read the same.
#include "report/wire.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto denial = report::from_json(fuzz::text(data, size));
    if (!denial) return 0;
    const std::string text = report::to_json(*denial);
    const auto again = report::from_json(text);
    fuzz::require(again && report::to_json(*again) == text, "a refusal survives the wire");
    return 0;
}
