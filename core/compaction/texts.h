// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/text.h"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace core {

/// The unit in which a harness counts characters: Python code points, JavaScript UTF-16 units, Rust and Go UTF-8 bytes.
enum class LengthUnit : uint8_t { CodePoints, Utf16Units, Bytes };

[[nodiscard]] std::string_view nameOf(LengthUnit unit);
[[nodiscard]] std::optional<LengthUnit> lengthUnitOf(std::string_view name);
[[nodiscard]] uint64_t lengthIn(const TextLengths &lengths, LengthUnit unit);

/// The first `count` units. Bytes stop before a character that does not fit. UTF-16 may split a character of two units,
/// as JavaScript's `slice` does; the half is a lone surrogate.
[[nodiscard]] std::string headOf(std::string_view utf8, uint64_t count, LengthUnit unit);
/// The last `count` units; bytes start after a character that does not fit.
[[nodiscard]] std::string tailOf(std::string_view utf8, uint64_t count, LengthUnit unit);

/// Strips trailing blanks, those of Python's `str.rstrip`.
[[nodiscard]] std::string_view rightStripped(std::string_view utf8);
/// Strips blanks at both ends.
[[nodiscard]] std::string_view stripped(std::string_view utf8);

/// Finds texts in a long text. If they occur in the order of the queries, the long text is read once.
class OrderedFinder final {
public:
    explicit OrderedFinder(std::string_view text)
        : m_text(text)
    {
    }
    bool holds(std::string_view part);

private:
    std::string_view m_text;
    size_t m_next = 0;
};

/// How a harness splits lines. Python's `splitlines` knows eleven line ends and yields no empty last line; JavaScript's
/// `split("\n")` keeps `\r` and yields an empty item after a final line end.
enum class LineRule : uint8_t { Python, JavaScript };
[[nodiscard]] std::vector<std::string_view> splitLines(std::string_view utf8, LineRule rule);

/// Replaces each `{name}` in the pattern by its value; unknown names stay.
[[nodiscard]] std::string filled(
    std::string_view pattern, std::initializer_list<std::pair<std::string_view, std::string_view>> values);

/// How a harness shortens a text longer than a cap: the head, then a suffix, in which `{n}` is the length of the whole
/// text with thousands separators.
struct ClipRule {
    uint64_t cap = 0;
    uint64_t preview = 0;
    std::string suffix;
    LengthUnit unit = LengthUnit::CodePoints;
    bool stripsHead = false; ///< strips trailing blanks of the head

    [[nodiscard]] bool clips(const TextLengths &whole) const { return lengthIn(whole, unit) > cap; }
    /// `head` must hold at least `preview` units of the text, or all of it.
    [[nodiscard]] std::string clipped(std::string_view head, const TextLengths &whole) const;
    /// Upper bound on the preview's size in bytes.
    [[nodiscard]] size_t headBytes() const { return static_cast<size_t>(preview) * 4 + 8; }
};

/// Lines from the head and the tail of a text, which a harness shows instead of the whole.
struct SampleRule {
    size_t headLines = 5;
    size_t tailLines = 5;
    uint64_t lineCap = 1000;     ///< units after which a line is cut
    std::string omitted;         ///< `<<< {n} lines omitted >>>`
    bool hasLineNumbers = false; ///< a right-aligned number and two blanks precede each line
    LineRule lines = LineRule::Python;
    LengthUnit unit = LengthUnit::CodePoints;

    [[nodiscard]] std::string of(std::string_view text) const;
};

/// Length of Python's `repr` of a JSON value in code points, which LangChain's approximate counter uses for tool calls.
/// O(text), builds nothing.
[[nodiscard]] uint64_t pythonReprLength(std::string_view json);

/// Length of JavaScript's `JSON.stringify` of a JSON value, in UTF-16 units.
[[nodiscard]] uint64_t jsonStringifyLength(std::string_view json);

} // namespace core
