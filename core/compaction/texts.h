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

/// What a harness counts when it counts characters: Python code points, JavaScript UTF-16 units, Rust and Go UTF-8
/// bytes.
enum class LengthUnit : uint8_t { CodePoints, Utf16Units, Bytes };

[[nodiscard]] std::string_view nameOf(LengthUnit unit);
[[nodiscard]] std::optional<LengthUnit> lengthUnitOf(std::string_view name);
[[nodiscard]] uint64_t lengthIn(const TextLengths &lengths, LengthUnit unit);

/// The first `count` units. Bytes stop before a character that does not fit; of a character of two UTF-16 units half
/// may be taken, as JavaScript's `slice` does, and stays a lone surrogate.
[[nodiscard]] std::string headOf(std::string_view utf8, uint64_t count, LengthUnit unit);
/// The last `count` units; bytes begin behind a character that does not fit.
[[nodiscard]] std::string tailOf(std::string_view utf8, uint64_t count, LengthUnit unit);

/// Without the blanks at its end: those of Python's `str.rstrip`.
[[nodiscard]] std::string_view rightStripped(std::string_view utf8);
/// Without the blanks at both ends.
[[nodiscard]] std::string_view stripped(std::string_view utf8);

/// Finds texts in a long one, which mostly stand there in the order in which they are asked for: then it is read once.
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

/// How a harness finds lines. Python's `splitlines` breaks at eleven kinds of line end and gives no empty last line;
/// JavaScript's `split("\n")` keeps `\r` and gives an empty item behind a last line end.
enum class LineRule : uint8_t { Python, JavaScript };
[[nodiscard]] std::vector<std::string_view> splitLines(std::string_view utf8, LineRule rule);

/// `{name}` in the pattern replaced by its value; names that are not given stay as they are.
[[nodiscard]] std::string filled(
    std::string_view pattern, std::initializer_list<std::pair<std::string_view, std::string_view>> values);

/// How a harness shortens a text that is longer than a cap: the head, then a suffix in which `{n}` is the length of the
/// whole, with commas.
struct ClipRule {
    uint64_t cap = 0;
    uint64_t preview = 0;
    std::string suffix;
    LengthUnit unit = LengthUnit::CodePoints;
    bool stripsHead = false; ///< blanks at the end of the head are left out

    [[nodiscard]] bool clips(const TextLengths &whole) const { return lengthIn(whole, unit) > cap; }
    /// `head` holds at least `preview` units of the text, or all of it.
    [[nodiscard]] std::string clipped(std::string_view head, const TextLengths &whole) const;
    /// How many bytes of text the preview can take.
    [[nodiscard]] size_t headBytes() const { return static_cast<size_t>(preview) * 4 + 8; }
};

/// Lines from the head and the tail of a text, as a harness shows them in place of the whole.
struct SampleRule {
    size_t headLines = 5;
    size_t tailLines = 5;
    uint64_t lineCap = 1000;     ///< units a line is cut at
    std::string omitted;         ///< `<<< {n} lines omitted >>>`
    bool hasLineNumbers = false; ///< a right-aligned number and two blanks before each line
    LineRule lines = LineRule::Python;
    LengthUnit unit = LengthUnit::CodePoints;

    [[nodiscard]] std::string of(std::string_view text) const;
};

/// Length of Python's `repr` of a JSON value, in code points: what an approximate counter of LangChain counts of tool
/// calls. O(text), nothing is built.
[[nodiscard]] uint64_t pythonReprLength(std::string_view json);

} // namespace core
