// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/text/cells.h"

#include <QChar>

#include <algorithm>
#include <array>
#include <span>

namespace ui {

namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr char32_t kInvisible = 0x2426; // ␦
constexpr char32_t kJoiner = 0x200D;
constexpr char32_t kEmojiStyle = 0xFE0F;
constexpr size_t kMaxCodePoints = 32;

struct Range {
    char32_t first = 0;
    char32_t last = 0;
};

// East Asian Width W and F of Unicode 14 without combining marks; unassigned places inside a range are included.
constexpr auto kWide = std::to_array<Range>({ { 0x1100, 0x115F }, { 0x231A, 0x231B }, { 0x2329, 0x232A },
    { 0x23E9, 0x23EC }, { 0x23F0, 0x23F0 }, { 0x23F3, 0x23F3 }, { 0x25FD, 0x25FE }, { 0x2614, 0x2615 },
    { 0x2648, 0x2653 }, { 0x267F, 0x267F }, { 0x2693, 0x2693 }, { 0x26A1, 0x26A1 }, { 0x26AA, 0x26AB },
    { 0x26BD, 0x26BE }, { 0x26C4, 0x26C5 }, { 0x26CE, 0x26CE }, { 0x26D4, 0x26D4 }, { 0x26EA, 0x26EA },
    { 0x26F2, 0x26F3 }, { 0x26F5, 0x26F5 }, { 0x26FA, 0x26FA }, { 0x26FD, 0x26FD }, { 0x2705, 0x2705 },
    { 0x270A, 0x270B }, { 0x2728, 0x2728 }, { 0x274C, 0x274C }, { 0x274E, 0x274E }, { 0x2753, 0x2755 },
    { 0x2757, 0x2757 }, { 0x2795, 0x2797 }, { 0x27B0, 0x27B0 }, { 0x27BF, 0x27BF }, { 0x2B1B, 0x2B1C },
    { 0x2B50, 0x2B50 }, { 0x2B55, 0x2B55 }, { 0x2E80, 0x303E }, { 0x3041, 0x3247 }, { 0x3250, 0x4DBF },
    { 0x4E00, 0xA4C6 }, { 0xA960, 0xA97C }, { 0xAC00, 0xD7A3 }, { 0xF900, 0xFAD9 }, { 0xFE10, 0xFE19 },
    { 0xFE30, 0xFE6B }, { 0xFF01, 0xFF60 }, { 0xFFE0, 0xFFE6 }, { 0x16FE0, 0x1B2FB }, { 0x1F004, 0x1F004 },
    { 0x1F0CF, 0x1F0CF }, { 0x1F18E, 0x1F18E }, { 0x1F191, 0x1F19A }, { 0x1F200, 0x1F320 }, { 0x1F32D, 0x1F335 },
    { 0x1F337, 0x1F37C }, { 0x1F37E, 0x1F393 }, { 0x1F3A0, 0x1F3CA }, { 0x1F3CF, 0x1F3D3 }, { 0x1F3E0, 0x1F3F0 },
    { 0x1F3F4, 0x1F3F4 }, { 0x1F3F8, 0x1F43E }, { 0x1F440, 0x1F440 }, { 0x1F442, 0x1F4FC }, { 0x1F4FF, 0x1F53D },
    { 0x1F54B, 0x1F54E }, { 0x1F550, 0x1F567 }, { 0x1F57A, 0x1F57A }, { 0x1F595, 0x1F596 }, { 0x1F5A4, 0x1F5A4 },
    { 0x1F5FB, 0x1F64F }, { 0x1F680, 0x1F6C5 }, { 0x1F6CC, 0x1F6CC }, { 0x1F6D0, 0x1F6D2 }, { 0x1F6D5, 0x1F6DF },
    { 0x1F6EB, 0x1F6EC }, { 0x1F6F4, 0x1F6FC }, { 0x1F7E0, 0x1F7F0 }, { 0x1F90C, 0x1F93A }, { 0x1F93C, 0x1F945 },
    { 0x1F947, 0x1F9FF }, { 0x1FA70, 0x1FAF6 }, { 0x20000, 0x3FFFD } });

// Arabic, Hebrew and other scripts from right to left; Indic, Tibetan, South-East Asian scripts, whose marks move.
constexpr auto kShaped = std::to_array<Range>({ { 0x0590, 0x109F }, { 0x1700, 0x17FF }, { 0x1900, 0x1AAF },
    { 0x1B00, 0x1BFF }, { 0xA800, 0xAAFF }, { 0xFB1D, 0xFDFF }, { 0xFE70, 0xFEFC }, { 0x10800, 0x11FFF } });

bool holds(std::span<const Range> ranges, char32_t codePoint)
{
    const auto range = std::ranges::lower_bound(ranges, codePoint, {}, &Range::last);
    return range != ranges.end() && range->first <= codePoint;
}

bool isCombining(char32_t codePoint)
{
    if (codePoint < 0x300)
        return false;
    const QChar::Category category = QChar::category(codePoint);
    return category == QChar::Mark_NonSpacing || category == QChar::Mark_Enclosing;
}

bool isVariationSelector(char32_t codePoint)
{
    return (codePoint >= 0xFE00 && codePoint <= 0xFE0F) || (codePoint >= 0xE0100 && codePoint <= 0xE01EF);
}

bool isSkinTone(char32_t codePoint) { return codePoint >= 0x1F3FB && codePoint <= 0x1F3FF; }

bool isRegionalIndicator(char32_t codePoint) { return codePoint >= 0x1F1E6 && codePoint <= 0x1F1FF; }

/// Characters that an emoji sequence may begin with.
bool isPictograph(char32_t codePoint)
{
    return (codePoint >= 0x1F000 && codePoint <= 0x1FAFF) || (codePoint >= 0x2190 && codePoint <= 0x2BFF)
        || codePoint == 0x00A9 || codePoint == 0x00AE || codePoint == 0x203C || codePoint == 0x2049
        || codePoint == 0x2122 || codePoint == 0x3030 || codePoint == 0x303D;
}

/// Letters between which a joiner has a meaning.
bool joins(char32_t before) { return isPictograph(before) || isShaped(before); }

} // namespace

Character characterAt(std::string_view text, size_t offset)
{
    const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
    const auto isContinuation = [&](size_t i) { return i < text.size() && (byte(i) & 0xC0U) == 0x80U; };
    const auto bits = [&](size_t i) { return static_cast<char32_t>(byte(i) & 0x3FU); };
    const unsigned lead = byte(offset);
    const Character stray { kReplacement, 1, false };
    if (lead < 0x80)
        return { lead, 1, true };
    if (lead < 0xC2 || lead > 0xF4 || !isContinuation(offset + 1))
        return stray;
    if (lead < 0xE0)
        return { ((lead & 0x1FU) << 6U) | bits(offset + 1), 2, true };
    if (!isContinuation(offset + 2))
        return stray;
    if (lead < 0xF0) {
        const char32_t codePoint = ((lead & 0x0FU) << 12U) | (bits(offset + 1) << 6U) | bits(offset + 2);
        if (codePoint < 0x800)
            return stray;
        return { codePoint, 3, codePoint < 0xD800 || codePoint > 0xDFFF };
    }
    if (!isContinuation(offset + 3))
        return stray;
    const char32_t codePoint
        = ((lead & 0x07U) << 18U) | (bits(offset + 1) << 12U) | (bits(offset + 2) << 6U) | bits(offset + 3);
    if (codePoint < 0x10000 || codePoint > 0x10FFFF)
        return stray;
    return { codePoint, 4, true };
}

size_t characterStart(std::string_view text, size_t offset)
{
    if (offset >= text.size())
        return text.size();
    for (size_t back = 0; back < 4 && back <= offset; ++back) {
        if ((static_cast<unsigned char>(text[offset - back]) & 0xC0U) == 0x80U)
            continue;
        return characterAt(text, offset - back).size > back ? offset - back : offset;
    }
    return offset;
}

char32_t markOf(char32_t codePoint)
{
    if (codePoint < 0x20)
        return 0x2400 + codePoint;
    if (codePoint < 0x7F)
        return 0;
    if (codePoint == 0x7F)
        return 0x2421;
    if (codePoint < 0xA0 || codePoint == 0xAD)
        return kInvisible;
    if (codePoint < 0x61C)
        return 0;
    const bool isInvisible = codePoint == 0x061C || codePoint == 0x180E || (codePoint >= 0x200B && codePoint <= 0x200F)
        || (codePoint >= 0x2028 && codePoint <= 0x202E) || (codePoint >= 0x2060 && codePoint <= 0x206F)
        || codePoint == 0xFEFF || (codePoint >= 0xFFF9 && codePoint <= 0xFFFB)
        || (codePoint >= 0x1D173 && codePoint <= 0x1D17A) || (codePoint >= 0xE0000 && codePoint <= 0xE0FFF);
    return isInvisible ? kInvisible : 0;
}

bool isShaped(char32_t codePoint) { return codePoint >= 0x590 && holds(kShaped, codePoint); }

Cluster clusterAt(std::string_view text, size_t offset, size_t end)
{
    const auto lead = static_cast<unsigned char>(text[offset]);
    const bool standsAlone = offset + 1 >= end || static_cast<unsigned char>(text[offset + 1]) < 0x80;
    if (lead < 0x80 && standsAlone) {
        if (lead == ' ')
            return { 1, 1, Cluster::Kind::Blank, lead };
        if (lead == '\t')
            return { 1, 1, Cluster::Kind::Tab, lead };
        if (lead < 0x20 || lead == 0x7F)
            return { 1, 1, Cluster::Kind::Mark, markOf(lead) };
        return { 1, 1, Cluster::Kind::Letter, lead };
    }

    const std::string_view upToEnd = text.substr(0, end);
    const Character first = characterAt(upToEnd, offset);
    Cluster cluster { first.size, 1, Cluster::Kind::Letter, first.codePoint };
    if (!first.isValid) {
        cluster.kind = Cluster::Kind::Mark;
        cluster.shown = kReplacement;
        return cluster;
    }
    if (first.codePoint == '\t') {
        cluster.kind = Cluster::Kind::Tab;
        return cluster;
    }
    if (const char32_t mark = markOf(first.codePoint); mark != 0) {
        cluster.kind = Cluster::Kind::Mark;
        cluster.shown = mark;
        return cluster;
    }
    if (holds(kWide, first.codePoint))
        cluster.cells = 2;

    char32_t previous = first.codePoint;
    size_t count = 1;
    for (; offset + cluster.size < end && count < kMaxCodePoints; ++count) {
        const Character next = characterAt(upToEnd, offset + cluster.size);
        if (!next.isValid)
            break;
        const bool isFlag = count == 1 && isRegionalIndicator(previous) && isRegionalIndicator(next.codePoint);
        const bool isToned = isSkinTone(next.codePoint) && isPictograph(previous);
        const bool isJoined = previous == kJoiner && isPictograph(next.codePoint);
        const bool isJoiner = next.codePoint == kJoiner && (joins(previous) || isVariationSelector(previous));
        if (!isFlag && !isToned && !isJoined && !isJoiner && !isCombining(next.codePoint)
            && !isVariationSelector(next.codePoint))
            break;
        if (isFlag || isToned || (next.codePoint == kEmojiStyle && isPictograph(first.codePoint)))
            cluster.cells = 2;
        cluster.size += next.size;
        previous = next.codePoint;
    }
    if (isShaped(first.codePoint))
        cluster.kind = Cluster::Kind::Shaped;
    else if (count > 1 || cluster.cells > 1)
        cluster.kind = Cluster::Kind::Joined;
    else if (first.codePoint == ' ')
        cluster.kind = Cluster::Kind::Blank;
    return cluster;
}

} // namespace ui
