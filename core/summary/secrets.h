// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// A part of a text that looks like a secret: bytes `[begin, end)`.
struct SecretSpan {
    std::string_view kind; ///< `private key`, `GitHub token`, `password`
    size_t begin = 0;
    size_t end = 0;
    friend bool operator==(const SecretSpan &, const SecretSpan &) = default;
};

/// The secrets in a text by the rules that resources/manual/summaries.md lists; ascending, none overlaps another. The
/// rules know shapes only: they miss secrets of other shapes, and can take other text for one. O(text).
[[nodiscard]] std::vector<SecretSpan> secretsIn(std::string_view text);
/// How many there are of each kind.
[[nodiscard]] std::map<std::string_view, size_t> secretCounts(std::span<const SecretSpan> secrets);

/// The text with each secret replaced by `[masked: KIND]`.
[[nodiscard]] std::string maskedText(std::string_view text, std::span<const SecretSpan> secrets);

} // namespace core
