// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace core {

/// What went wrong, as far as code has to tell the cases apart.
enum class ErrorKind {
    NotFound,
    NotReadable,
    NotAFile,
    NotWritable,
    Busy, ///< another process holds it
    Empty,
    UnknownFormat,
    Malformed,
    Changed,
    Cancelled,
    Usage,
    Internal,
};

/// A failure that a user can cause: code switches on `kind`, people read one English sentence.
struct Error {
    ErrorKind kind = ErrorKind::Internal;
    std::string message; ///< a whole sentence, without the place
    std::string where;   ///< file:line, path or object id; may be empty

    /// The message with its place in front, as it is shown in a bar or on the terminal.
    [[nodiscard]] std::string sentence() const { return where.empty() ? message : where + ": " + message; }
};

template <typename T>
using Result = std::expected<T, Error>;

[[nodiscard]] inline std::unexpected<Error> failure(ErrorKind kind, std::string message, std::string where = {})
{
    return std::unexpected(Error { kind, std::move(message), std::move(where) });
}

} // namespace core
