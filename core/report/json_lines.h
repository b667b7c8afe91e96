// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"
#include "core/json/json.h"

#include <concepts>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace core {

/// A whole number in the bounds of `T`; throws what `eachJsonLine` expects if there is none. The library would convert
/// what is out of bounds.
template <std::integral T>
T wholeNumber(const Json &json)
{
    if (json.is_number_unsigned() && std::in_range<T>(json.get<uint64_t>()))
        return static_cast<T>(json.get<uint64_t>());
    if (json.is_number_integer() && !json.is_number_unsigned() && std::in_range<T>(json.get<int64_t>()))
        return static_cast<T>(json.get<int64_t>());
    throw std::out_of_range("no whole number");
}

/// Calls `take` with the document of each line that is not empty and with its place, `file:line`. Stops at the first
/// error. Where members are missing or have a wrong type, `take` may let the library throw: the error names the line,
/// and the member if the library does.
[[nodiscard]] Result<void> eachJsonLine(std::string_view lines, const std::string &file,
    const std::function<Result<void>(const Json &line, const std::string &where)> &take);

/// Fails unless `line` is a document of this schema.
[[nodiscard]] Result<void> checkSchema(const Json &line, std::string_view schema, const std::string &where);

/// The error of a line that differs from an earlier line about the same session file.
[[nodiscard]] std::unexpected<Error> differentFigures(const std::string &file, const std::string &where);

} // namespace core
