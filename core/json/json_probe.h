// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace core {

/// Looks into JSON text without parsing it as a whole: for sniffing, where a file may be cut off or of any shape, and
/// for messages whose members come in any order. Nothing is copied; all results are views of the text given. Text that
/// is cut off gives what stands before the cut. Costs one pass over the text that is looked at.

/// Offset behind the JSON value that starts at `begin`; nothing if it does not end in `text`.
[[nodiscard]] std::optional<size_t> skipJson(std::string_view text, size_t begin);

[[nodiscard]] inline bool isJsonObject(std::string_view raw) { return raw.starts_with('{'); }
[[nodiscard]] inline bool isJsonArray(std::string_view raw) { return raw.starts_with('['); }
[[nodiscard]] inline bool isJsonString(std::string_view raw) { return raw.starts_with('"'); }
/// What lies between the quotes, still escaped; empty for anything but a string.
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
    /// `text` begins with the object; more may follow it. Text that begins otherwise has no members. At most `budget`
    /// bytes are looked at. Of a value that is cut off, an array or object is kept as far as it goes, a string is not.
    explicit JsonMembers(std::string_view text, size_t budget = std::string_view::npos);

    void add(std::string_view key, std::string_view value) { m_members.push_back({ key, value }); }

    [[nodiscard]] bool has(std::string_view key) const;
    /// The value as written; empty if there is none. Of a repeated key the last counts.
    [[nodiscard]] std::string_view raw(std::string_view key) const;
    [[nodiscard]] std::string_view string(std::string_view key) const { return jsonString(raw(key)); }
    [[nodiscard]] std::optional<uint64_t> number(std::string_view key) const { return jsonUnsigned(raw(key)); }
    [[nodiscard]] bool isTrue(std::string_view key) const { return raw(key) == "true"; }
    [[nodiscard]] JsonMembers object(std::string_view key) const { return JsonMembers(raw(key)); }
    [[nodiscard]] const std::vector<Member> &all() const { return m_members; }

    /// False if the object does not end, or is not written as JSON wants it.
    [[nodiscard]] bool isWhole() const { return m_isWhole; }

private:
    std::vector<Member> m_members;
    bool m_isWhole = false;
};

struct JsonElements {
    std::vector<std::string_view> items; ///< as written; the last one may be cut off
    bool isWhole = false;                ///< the array ends, and nothing but elements stands in it
};

/// The first `limit` elements of the array that `text` begins with. A missing comma between elements does no harm.
[[nodiscard]] JsonElements jsonElements(std::string_view text, size_t limit = std::string_view::npos);

} // namespace core
