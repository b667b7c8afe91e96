// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace core {

/// Looks up values in JSON text without parsing all of it. Made for sniffing, where a file may be truncated or have any
/// shape, and for messages whose members come in any order. Nothing is copied: all results are views into the given
/// text. Truncated text yields what precedes the cut. Costs one pass over the text up to the values asked for.

/// Offset after the string whose opening quote is at `begin`; nothing if it does not end in `text`. Crosses the string
/// from quote to quote, by memchr: most of a transcript is strings.
[[nodiscard]] std::optional<size_t> skipJsonString(std::string_view text, size_t begin);

/// Offset behind the JSON value that starts at `begin`; nullopt if the value does not end in `text`.
[[nodiscard]] std::optional<size_t> skipJson(std::string_view text, size_t begin);

[[nodiscard]] inline bool isJsonObject(std::string_view raw) { return raw.starts_with('{'); }
[[nodiscard]] inline bool isJsonArray(std::string_view raw) { return raw.starts_with('['); }
[[nodiscard]] inline bool isJsonString(std::string_view raw) { return raw.starts_with('"'); }
/// The text between the quotes, still escaped; empty if `raw` is not a string.
[[nodiscard]] std::string_view jsonString(std::string_view raw);
[[nodiscard]] std::optional<uint64_t> jsonUnsigned(std::string_view raw);
[[nodiscard]] std::optional<double> jsonNumber(std::string_view raw);

/// The members of one JSON object.
class JsonMembers final {
public:
    struct Member {
        std::string_view key;   ///< as written, without quotes
        std::string_view value; ///< as written, without blanks around it
    };

    JsonMembers() = default;
    /// `text` starts with the object; more text may follow. Text that starts with anything else has no members. Reads
    /// at most `budget` bytes. If the last value is truncated, an array or object is kept as far as it goes, a string
    /// is dropped.
    explicit JsonMembers(std::string_view text, size_t budget = std::string_view::npos);

    void add(std::string_view key, std::string_view value) { m_members.push_back({ key, value }); }

    [[nodiscard]] bool has(std::string_view key) const;
    /// The value as written; empty if the key is missing. The last of repeated keys counts.
    [[nodiscard]] std::string_view raw(std::string_view key) const;
    [[nodiscard]] std::string_view string(std::string_view key) const { return jsonString(raw(key)); }
    [[nodiscard]] std::optional<uint64_t> number(std::string_view key) const { return jsonUnsigned(raw(key)); }
    [[nodiscard]] bool isTrue(std::string_view key) const { return raw(key) == "true"; }
    [[nodiscard]] JsonMembers object(std::string_view key) const { return JsonMembers(raw(key)); }
    [[nodiscard]] const std::vector<Member> &all() const { return m_members; }

    /// False if the object is truncated or malformed.
    [[nodiscard]] bool isWhole() const { return m_isWhole; }

private:
    std::vector<Member> m_members;
    bool m_isWhole = false;
};

struct JsonElements {
    std::vector<std::string_view> items; ///< as written; the last one may be cut off
    bool isWhole = false;                ///< true if the array is closed and contains only elements
};

/// The first `limit` elements of the array at the start of `text`. Missing commas are tolerated.
[[nodiscard]] JsonElements jsonElements(std::string_view text, size_t limit = std::string_view::npos);

} // namespace core
