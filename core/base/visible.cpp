// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/visible.h"

#include "core/base/format.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <span>

namespace core {

namespace {

struct Range {
    uint32_t first;
    uint32_t last;
};

/// Characters that are invisible or act on the text around them. Source: Unicode 15 categories Cf, Zl, Zp and property
/// Bidi_Control, without the joiners U+200C and U+200D and the marks that Arabic and other scripts draw.
constexpr auto kUnseen = std::to_array<Range>({ { 0x00AD, 0x00AD }, { 0x061C, 0x061C }, { 0x180E, 0x180E },
    { 0x200B, 0x200B }, { 0x200E, 0x200F }, { 0x2028, 0x202E }, { 0x2060, 0x206F }, { 0xFEFF, 0xFEFF },
    { 0xFFF9, 0xFFFB }, { 0x1D173, 0x1D17A }, { 0xE0000, 0xE007F } });

constexpr auto kBidirectional = std::to_array<std::pair<uint32_t, std::string_view>>({ { 0x061C, "ALM" },
    { 0x200E, "LRM" }, { 0x200F, "RLM" }, { 0x202A, "LRE" }, { 0x202B, "RLE" }, { 0x202C, "PDF" }, { 0x202D, "LRO" },
    { 0x202E, "RLO" }, { 0x2066, "LRI" }, { 0x2067, "RLI" }, { 0x2068, "FSI" }, { 0x2069, "PDI" } });

/// East Asian wide and emoji blocks, which terminals draw two columns wide.
constexpr auto kWide = std::to_array<Range>({ { 0x1100, 0x115F }, { 0x231A, 0x231B }, { 0x2329, 0x232A },
    { 0x23E9, 0x23EC }, { 0x23F0, 0x23F0 }, { 0x23F3, 0x23F3 }, { 0x25FD, 0x25FE }, { 0x2614, 0x2615 },
    { 0x2648, 0x2653 }, { 0x267F, 0x267F }, { 0x2693, 0x2693 }, { 0x26A1, 0x26A1 }, { 0x26AA, 0x26AB },
    { 0x26BD, 0x26BE }, { 0x26C4, 0x26C5 }, { 0x26CE, 0x26CE }, { 0x26D4, 0x26D4 }, { 0x26EA, 0x26EA },
    { 0x26F2, 0x26F3 }, { 0x26F5, 0x26F5 }, { 0x26FA, 0x26FD }, { 0x2705, 0x2705 }, { 0x270A, 0x270B },
    { 0x2728, 0x2728 }, { 0x274C, 0x274E }, { 0x2753, 0x2757 }, { 0x2795, 0x2797 }, { 0x27B0, 0x27BF },
    { 0x2B1B, 0x2B1C }, { 0x2B50, 0x2B55 }, { 0x2E80, 0xA4CF }, { 0xA960, 0xA97F }, { 0xAC00, 0xD7A3 },
    { 0xF900, 0xFAFF }, { 0xFE30, 0xFE6F }, { 0xFF00, 0xFF60 }, { 0xFFE0, 0xFFE6 } });

constexpr auto kWideAbove = std::to_array<Range>({ { 0x16FE0, 0x18DFF }, { 0x1AFF0, 0x1B2FF }, { 0x1F18E, 0x1F19A },
    { 0x1F200, 0x1F64F }, { 0x1F680, 0x1F6FF }, { 0x1F7E0, 0x1F7F0 }, { 0x1F900, 0x1F9FF }, { 0x1FA70, 0x1FAFF } });

/// Combining marks of common scripts, joiners, variation selectors.
constexpr auto kZeroWidth = std::to_array<Range>(
    { { 0x0300, 0x036F }, { 0x0483, 0x0489 }, { 0x0591, 0x05BD }, { 0x05BF, 0x05BF }, { 0x05C1, 0x05C2 },
        { 0x05C4, 0x05C5 }, { 0x05C7, 0x05C7 }, { 0x0610, 0x061A }, { 0x064B, 0x065F }, { 0x0670, 0x0670 },
        { 0x06D6, 0x06DC }, { 0x06DF, 0x06E4 }, { 0x06E7, 0x06E8 }, { 0x06EA, 0x06ED }, { 0x0711, 0x0711 },
        { 0x0730, 0x074A }, { 0x0900, 0x0902 }, { 0x093A, 0x093A }, { 0x093C, 0x093C }, { 0x0941, 0x0948 },
        { 0x094D, 0x094D }, { 0x0981, 0x0981 }, { 0x09BC, 0x09BC }, { 0x09CD, 0x09CD }, { 0x0A3C, 0x0A3C },
        { 0x0ACD, 0x0ACD }, { 0x0BCD, 0x0BCD }, { 0x0C4D, 0x0C4D }, { 0x0CCD, 0x0CCD }, { 0x0D4D, 0x0D4D },
        { 0x0E31, 0x0E31 }, { 0x0E34, 0x0E3A }, { 0x0E47, 0x0E4E }, { 0x135D, 0x135F }, { 0x1AB0, 0x1ACE },
        { 0x1DC0, 0x1DFF }, { 0x200C, 0x200D }, { 0x20D0, 0x20F0 }, { 0xFE00, 0xFE0F }, { 0xFE20, 0xFE2F } });

bool isIn(std::span<const Range> ranges, uint32_t codePoint)
{
    const auto after = std::ranges::upper_bound(ranges, codePoint, {}, &Range::first);
    return after != ranges.begin() && codePoint <= std::prev(after)->last;
}

std::string utf8Of(uint32_t codePoint)
{
    std::string out;
    appendUtf8(out, codePoint);
    return out;
}

} // namespace

std::string visibleMark(uint32_t codePoint)
{
    if (codePoint < 0x20)
        return utf8Of(0x2400 + codePoint);
    if (codePoint == 0x7F)
        return utf8Of(0x2421);
    if (codePoint < 0x80)
        return {};
    if (codePoint >= 0xD800 && codePoint <= 0xDFFF)
        return utf8Of(0xFFFD);
    if (codePoint >= 0xA0 && !isIn(kUnseen, codePoint))
        return {};
    const auto *named = std::ranges::find(kBidirectional, codePoint, [](const auto &each) { return each.first; });
    if (named != kBidirectional.end())
        return formatted("⟨{}⟩", named->second);
    return formatted("⟨U+{:04X}⟩", codePoint);
}

std::string visibleText(std::string_view utf8)
{
    std::string out;
    out.reserve(utf8.size());
    for (size_t i = 0; i < utf8.size();) {
        const auto byte = static_cast<unsigned char>(utf8[i]);
        if (byte >= 0x20 && byte < 0x7F) {
            out += utf8[i++];
            continue;
        }
        const CodePoint at = codePointAt(utf8, i);
        const std::string mark = visibleMark(at.value);
        if (mark.empty())
            appendUtf8(out, at.value);
        else
            out += mark;
        i += at.size;
    }
    return out;
}

size_t columnsOf(uint32_t codePoint)
{
    if (codePoint < 0x300)
        return 1;
    if (isIn(kZeroWidth, codePoint) || (codePoint >= 0xE0100 && codePoint <= 0xE01EF))
        return 0;
    if (isIn(kWide, codePoint) || isIn(kWideAbove, codePoint) || (codePoint >= 0x20000 && codePoint <= 0x3FFFD))
        return 2;
    return 1;
}

size_t columnsOf(std::string_view utf8)
{
    size_t columns = 0;
    for (size_t i = 0; i < utf8.size();) {
        const CodePoint at = codePointAt(utf8, i);
        columns += columnsOf(at.value);
        i += at.size;
    }
    return columns;
}

std::string fitted(std::string_view utf8, size_t columns)
{
    size_t used = 0;
    size_t cut = 0; // where the text still leaves a column for the ellipsis
    for (size_t i = 0; i < utf8.size();) {
        const CodePoint at = codePointAt(utf8, i);
        used += columnsOf(at.value);
        if (used > columns)
            return columns == 0 ? std::string() : std::string(utf8.substr(0, cut)) + "…";
        i += at.size;
        if (used < columns)
            cut = i;
    }
    return std::string(utf8);
}

} // namespace core
