// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace core {

/// The kinds of failure that code distinguishes.
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

/// A failure that a user can cause. Code switches on `kind`; people read `message`.
struct Error {
    ErrorKind kind = ErrorKind::Internal;
    std::string message; ///< one English sentence, without the place
    std::string where;   ///< file:line, path or object id; may be empty

    /// The message with its place in front, for bars and the terminal.
    [[nodiscard]] std::string sentence() const { return where.empty() ? message : where + ": " + message; }
};

template <typename T>
using Result = std::expected<T, Error>;

[[nodiscard]] inline std::unexpected<Error> failure(ErrorKind kind, std::string message, std::string where = {})
{
    return std::unexpected(Error { kind, std::move(message), std::move(where) });
}

} // namespace core
