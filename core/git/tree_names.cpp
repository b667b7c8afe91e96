// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/git/tree_names.h"

#include "core/base/format.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/base/visible.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

constexpr size_t kMaxSegment = 200;
constexpr size_t kKept = 150; ///< bytes kept of a longer segment
constexpr size_t kMaxDepth = 16;

/// `con`, `nul.txt`, `com1`: Windows treats these as devices whatever their extension.
bool isDevice(std::string_view segment)
{
    static constexpr auto kDevices
        = std::to_array<std::string_view>({ "con", "prn", "aux", "nul", "conin$", "conout$" });
    std::string stem = lowered(segment.substr(0, segment.find('.')));
    while (stem.ends_with(' '))
        stem.pop_back();
    const bool isPort = (stem.starts_with("com") || stem.starts_with("lpt")) && stem.size() > 3 && stem.size() <= 5;
    return isPort || std::ranges::find(kDevices, stem) != kDevices.end();
}

bool isUnsafe(const CodePoint &each, std::string_view bytes)
{
    static constexpr std::string_view kReserved = "\\/:*?\"<>|~%";
    if (each.size == 1)
        return static_cast<unsigned char>(bytes.front()) >= 0x80 || each.value < 0x20 || each.value == 0x7F
            || kReserved.contains(bytes.front());
    // Joiners have no visible mark, but HFS+ ignores them in names.
    return !visibleMark(each.value).empty() || (each.value >= 0x200C && each.value <= 0x200F);
}

void appendEscaped(std::string &out, std::string_view bytes)
{
    for (const char c : bytes)
        out += formatted("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
}

/// The path as a case-insensitive file system may compare it. Cased letters beyond ASCII, and accents, all count as
/// equal, as an unnecessary `%+2` does no harm.
std::string folded(std::string_view path)
{
    std::string key;
    for (size_t i = 0; i < path.size();) {
        const CodePoint each = codePointAt(path, i);
        const uint32_t value = each.value;
        const bool hasCase = (value >= 0x80 && value < 0x590) || (value >= 0x10A0 && value < 0x1100)
            || (value >= 0x13A0 && value < 0x1400) || (value >= 0x1C80 && value < 0x2000)
            || (value >= 0x2100 && value < 0x2190) || (value >= 0x24B0 && value < 0x24F0)
            || (value >= 0x2C00 && value < 0x2E00) || (value >= 0xA640 && value < 0xAC00)
            || (value >= 0xFB00 && value < 0xFB50) || (value >= 0xFF00 && value < 0xFFF0)
            || (value >= 0x10400 && value < 0x1F000);
        if (hasCase)
            key += '\x01';
        else
            key += lowered(path.substr(i, each.size));
        i += each.size;
    }
    return key;
}

/// An escaped segment of any length, and the length to keep if it has to be cut.
struct EscapedText {
    std::string text;
    size_t kept = 0;
};

EscapedText escapedText(std::string_view segment)
{
    const bool isHidden = segment == "." || segment == ".." || lowered(segment.substr(0, 4)) == ".git";
    EscapedText made;
    for (size_t i = 0; i < segment.size();) {
        const CodePoint each = codePointAt(segment, i);
        const std::string_view bytes = segment.substr(i, each.size);
        const bool isFirst = i == 0;
        const bool isLast = i + each.size == segment.size();
        const bool isAtEdge = (isFirst && (isHidden || isDevice(segment))) || (isLast && (bytes == "." || bytes == " "))
            || (segment == ".." && bytes == ".");
        if (isAtEdge || isUnsafe(each, bytes))
            appendEscaped(made.text, bytes);
        else
            made.text += bytes;
        i += each.size;
        if (made.text.size() <= kKept)
            made.kept = made.text.size();
    }
    return made;
}

} // namespace

std::string escapedSegment(std::string_view segment)
{
    if (segment.empty())
        return "%";
    EscapedText escaped = escapedText(segment);
    if (escaped.text.size() <= kMaxSegment)
        return std::move(escaped.text);
    const Hash hash = hashOf(segment);
    return formatted("{}%-{:016x}{:016x}", std::string_view(escaped.text).substr(0, escaped.kept), hash.high, hash.low);
}

bool isTreePath(std::string_view path)
{
    while (true) {
        const size_t slash = path.find('/');
        std::string segment(path.substr(0, slash));
        std::ranges::replace(segment, '%', '_'); // the escapes already in it
        if (segment.empty() || escapedText(segment).text != segment)
            return false;
        if (slash == std::string_view::npos)
            return true;
        path.remove_prefix(slash + 1);
    }
}

TreeNames::TreeNames()
    : m_files { std::string(kOriginals), std::string(kPolicy), std::string(kLedger) }
{
}

std::string TreeNames::add(std::string path, std::string_view name)
{
    if (name.starts_with('/'))
        name.remove_prefix(1);
    for (size_t depth = 1;; ++depth) {
        const size_t slash = depth < kMaxDepth ? name.find('/') : std::string_view::npos;
        const bool isLast = slash == std::string_view::npos;
        path = freeName(path, escapedSegment(name.substr(0, slash)), isLast);
        if (isLast)
            return path;
        name.remove_prefix(slash + 1);
    }
}

std::string TreeNames::freeName(const std::string &path, std::string_view segment, bool isLast)
{
    const std::string whole = path + (path.empty() ? "" : "/") + std::string(segment);
    unsigned &number = m_next.try_emplace(folded(whole) + (isLast ? "" : "/"), 1).first->second;
    for (;; ++number) {
        std::string candidate = number == 1 ? whole : whole + "%+" + std::to_string(number);
        const std::string key = folded(candidate);
        if (m_files.contains(key) || (isLast && m_folders.contains(key)))
            continue;
        if (isLast)
            m_files.insert(key);
        else
            m_folders.insert(key);
        return candidate;
    }
}

} // namespace core
