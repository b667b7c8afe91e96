// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/json/blank.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace core {

/// The three lengths of one text. Harnesses differ in which of them they count: Python systems code points,
/// JavaScript systems UTF-16 units, byte-oriented ones UTF-8 bytes. A lone surrogate counts one code point, one
/// unit and three bytes.
struct TextLengths {
    uint64_t codePoints = 0;
    uint64_t utf16Units = 0;
    uint64_t bytes = 0;

    TextLengths &operator+=(const TextLengths &other)
    {
        codePoints += other.codePoints;
        utf16Units += other.utf16Units;
        bytes += other.bytes;
        return *this;
    }
    friend TextLengths operator+(TextLengths a, const TextLengths &b) { return a += b; }
    friend bool operator==(const TextLengths &, const TextLengths &) = default;
};

/// Lengths of UTF-8 text as it stands. One pass, no allocation.
[[nodiscard]] TextLengths textLengths(std::string_view utf8);

/// Lengths of the text that a JSON string stands for; `raw` is what lies between the quotes. Nothing is decoded:
/// one pass of 64 bytes at a time.
[[nodiscard]] TextLengths jsonStringLengths(std::string_view raw);

/// Lengths of a JSON value written with `, ` and `: ` and without other blanks, non-ASCII characters as themselves
/// (what Python's `json.dumps(value, ensure_ascii=False)` writes; numbers stay as they were written).
[[nodiscard]] TextLengths jsonValueLengths(std::string_view raw);

/// The text of a JSON string; `raw` is what lies between the quotes. Lone surrogates come out as three bytes each
/// (generalised UTF-8), so that they can be written back as found. Malformed escapes are kept as they stand.
[[nodiscard]] std::string decodeJsonString(std::string_view raw);

/// The JSON value as text in the form whose lengths `jsonValueLengths` counts.
[[nodiscard]] std::string canonicalJson(std::string_view raw);

/// The same a part at a time, for bodies that are not to stand in memory whole: appends text to `out` until it has
/// grown by about `wanted` bytes or `raw` ends, and returns how many raw bytes that took: never a part of an escape,
/// though it may be a part of a character.
[[nodiscard]] size_t appendJsonString(std::string &out, std::string_view raw, size_t wanted);
/// `isInString` is false at the beginning of a value and must be handed on from part to part.
[[nodiscard]] size_t appendCanonicalJson(std::string &out, std::string_view raw, size_t wanted, bool &isInString);

/// `text` as a JSON string with its quotes, escaping only what JSON requires.
[[nodiscard]] std::string quoteJson(std::string_view text);

/// One character of a text and how many bytes it takes. What is no UTF-8 reads as U+FFFD, one byte at a time; a
/// surrogate (three bytes of generalised UTF-8) as itself.
struct CodePoint {
    uint32_t value = 0;
    size_t size = 1;
};
/// `at` lies inside the text.
[[nodiscard]] CodePoint codePointAt(std::string_view utf8, size_t at);
/// Surrogates are written as three bytes.
void appendUtf8(std::string &out, uint32_t codePoint);

/// How many bytes of a line are the number that tools put before each line of a file: `  12→`, `12` and a tab; 0 if
/// there is none.
[[nodiscard]] size_t lineNumberSize(std::string_view line);

/// True where `text` is well-formed UTF-8 (surrogates excluded).
[[nodiscard]] bool isValidUtf8(std::string_view text);

/// Makes a damaged JSON record readable: drops NUL bytes, escapes raw control characters inside strings and turns
/// bytes that are not UTF-8 into U+FFFD. Structure is not touched.
[[nodiscard]] std::string repairJsonText(std::string_view text);

/// One line of a JSONL text, as far as one look tells.
struct LineLook {
    size_t end = 0;         ///< of its line feed, or of the text
    bool hasBraces = false; ///< `}{` stands in it; also true now and then where it stands a little behind
};
/// Looks at the line that begins at `begin`, which lies inside the text.
[[nodiscard]] LineLook lookAtLine(std::string_view text, size_t begin);

/// Offset of the first place where `second` follows `first` directly, or npos. 16 bytes at a time.
[[nodiscard]] size_t findPair(std::string_view text, char first, char second);

/// The first `count` code points of `utf8`, as a view; never splits a character.
[[nodiscard]] std::string_view firstCodePoints(std::string_view utf8, size_t count);

/// First line, blanks collapsed, at most `maxCodePoints`; the last of them is `…` where it is cut. Characters that must
/// not act on a screen become their visible marks (visible.h). For labels.
[[nodiscard]] std::string snippet(std::string_view utf8, size_t maxCodePoints);

/// ASCII letters in lower case, all other bytes as they are, whatever the locale.
[[nodiscard]] std::string lowered(std::string_view text);

/// Integers with thousands separators: `117,980`.
[[nodiscard]] std::string groupedNumber(uint64_t value);

/// Three significant digits and a unit: `14.5k`, `1.31M`, `840`.
[[nodiscard]] std::string shortNumber(double value);

/// 1-based line of `offset` in `text`.
[[nodiscard]] uint64_t lineOfOffset(std::string_view text, uint64_t offset);

} // namespace core
