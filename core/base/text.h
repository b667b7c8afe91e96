// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/json/blank.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace core {

/// The three lengths of one text. Harnesses count different ones: Python systems code points, JavaScript systems UTF-16
/// units, byte-oriented systems UTF-8 bytes. A lone surrogate counts one code point, one unit and three bytes.
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

/// Lengths of UTF-8 text. One pass, no allocation.
[[nodiscard]] TextLengths textLengths(std::string_view utf8);

/// Lengths of a decoded JSON string; `raw` is the text between the quotes. Decodes nothing: one pass, 64 bytes at a
/// time.
[[nodiscard]] TextLengths jsonStringLengths(std::string_view raw);

/// Lengths of a JSON value in canonical form: `, ` and `: ` as separators, no other blanks, non-ASCII characters
/// unescaped, numbers as written. Python's `json.dumps(value, ensure_ascii=False)` writes this form.
[[nodiscard]] TextLengths jsonValueLengths(std::string_view raw);

/// Lengths of what `joinedTextParts` gives.
[[nodiscard]] TextLengths textPartsLengths(std::string_view raw);

/// The texts of a JSON array of parts, joined by line feeds. Other parts are skipped.
[[nodiscard]] std::string joinedTextParts(std::string_view raw);

/// Decodes a JSON string; `raw` is the text between the quotes. Lone surrogates become three bytes each (generalised
/// UTF-8), so that they can be written back unchanged. Malformed escapes are kept as written.
[[nodiscard]] std::string decodeJsonString(std::string_view raw);

/// The JSON value in the canonical form that `jsonValueLengths` counts.
[[nodiscard]] std::string canonicalJson(std::string_view raw);

/// Decodes a part at a time, for bodies too large for memory. Appends text to `out` until it has grown by about
/// `wanted` bytes or `raw` ends. Returns the number of raw bytes read. Never splits an escape, but may split a
/// character.
[[nodiscard]] size_t appendJsonString(std::string &out, std::string_view raw, size_t wanted);
/// `isInString` is false at the start of a value; pass it on unchanged from part to part.
[[nodiscard]] size_t appendCanonicalJson(std::string &out, std::string_view raw, size_t wanted, bool &isInString);

/// `text` as a JSON string with quotes; escapes only what JSON requires.
[[nodiscard]] std::string quoteJson(std::string_view text);

/// `text` as the content of a JSON string, without the quotes. Escapes lone surrogates; bytes that are not UTF-8 become
/// U+FFFD.
[[nodiscard]] std::string escapedJson(std::string_view text);

/// One character of a text and its size in bytes. Invalid UTF-8 reads as U+FFFD, one byte at a time; a surrogate (three
/// bytes of generalised UTF-8) reads as itself.
struct CodePoint {
    uint32_t value = 0;
    size_t size = 1;
};
/// `at` must be inside the text.
[[nodiscard]] CodePoint codePointAt(std::string_view utf8, size_t at);
/// Surrogates are written as three bytes.
void appendUtf8(std::string &out, uint32_t codePoint);

/// Size of the line number that tools print in front of a file's lines: ` 12→`, or `12` and a tab. 0 if there is none.
[[nodiscard]] size_t lineNumberSize(std::string_view line);

/// Surrogates are not valid.
[[nodiscard]] bool isValidUtf8(std::string_view text);

/// Repairs a damaged JSON record: drops NUL bytes, escapes raw control characters inside strings, and replaces invalid
/// UTF-8 by U+FFFD. The structure is not changed.
[[nodiscard]] std::string repairJsonText(std::string_view text);

/// Result of one quick look at a line of JSONL.
struct LineLook {
    size_t end = 0;         ///< offset of the line feed, or the end of the text
    bool hasBraces = false; ///< the line contains `}{`. Can be true by mistake if only a later line contains it
};
/// `begin` must be inside the text.
[[nodiscard]] LineLook lookAtLine(std::string_view text, size_t begin);

/// Offset of the first place where `second` directly follows `first`; npos without one. Reads 16 bytes at a time.
[[nodiscard]] size_t findPair(std::string_view text, char first, char second);

/// The first `count` code points; never splits a character.
[[nodiscard]] std::string_view firstCodePoints(std::string_view utf8, size_t count);

/// The first line with blanks collapsed, at most `maxCodePoints`; the last is `…` if anything was cut. Control,
/// bidirectional and invisible characters become visible marks (visible.h). For labels.
[[nodiscard]] std::string snippet(std::string_view utf8, size_t maxCodePoints);

/// Of ASCII, in any locale.
[[nodiscard]] inline bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Lower-cases ASCII letters in any locale; other bytes stay.
[[nodiscard]] std::string lowered(std::string_view text);

/// With thousands separators: `117,980`.
[[nodiscard]] std::string groupedNumber(uint64_t value);

/// Three significant digits and a unit: `14.5k`, `1.31M`, `840`.
[[nodiscard]] std::string shortNumber(double value);

/// 1-based line of `offset` in `text`.
[[nodiscard]] uint64_t lineOfOffset(std::string_view text, uint64_t offset);

} // namespace core
