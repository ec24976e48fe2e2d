// Result<T>: a value or an Error, with the interface of C++23's std::expected.
#pragma once

#include <tl/expected.hpp>
#include <utility>

#include "core/error.h"

namespace core {

/// A value or an Error; discarding one unread is a compiler warning. `Result<void>` for operations
/// without a value.
template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
  public:
    using tl::expected<T, Error>::expected;
};

/// The failing side of a Result: `return core::fail(Error{…});`
inline tl::unexpected<Error> fail(Error error) {
    return tl::unexpected<Error>(std::move(error));
}

}  // namespace core
