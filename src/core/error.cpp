// Error texts.
#include "core/error.h"

#include <cerrno>
#include <cstring>
#include <utility>

namespace core {

std::string Error::message() const {
    std::string text = object.empty() ? std::string() : object + ": ";
    text += "cannot " + operation;
    const std::string why = !detail.empty() ? detail : code != 0 ? std::strerror(code) : "";
    if (!why.empty()) text += ": " + why;
    return text;
}

Error system_error(std::string operation, std::string object) {
    return Error{std::move(operation), std::move(object), errno, {}, {}};
}

}  // namespace core
