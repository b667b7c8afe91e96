// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/text/text_find.h"

#include "ui/text/cells.h"

#include <QChar>

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <string>

namespace ui {

namespace {

/// Bytes searched between two checks for cancellation.
constexpr size_t kSlice = size_t(1) << 20U;

char lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool isAscii(std::string_view text)
{
    return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool standsAlone(std::string_view text, TextSpan span)
{
    const bool beginsWord = span.begin == 0 || !isWordByte(text[span.begin - 1]) || !isWordByte(text[span.begin]);
    const bool endsWord = span.end == text.size() || !isWordByte(text[span.end]) || !isWordByte(text[span.end - 1]);
    return beginsWord && endsWord;
}

/// Collects the matches of a searcher for a fixed number of bytes.
template <typename Searcher>
std::vector<TextSpan> collect(
    std::string_view text, size_t size, const Searcher &searcher, FindOptions options, const core::Progress *progress)
{
    std::vector<TextSpan> found;
    size_t from = 0;
    while (from + size <= text.size()) {
        if (progress != nullptr && progress->isCancelled())
            return {};
        const size_t sliceEnd = std::min(text.size(), from + kSlice + size - 1);
        const auto begin = text.begin() + static_cast<std::ptrdiff_t>(from);
        const auto end = text.begin() + static_cast<std::ptrdiff_t>(sliceEnd);
        const auto hit = std::search(begin, end, searcher);
        if (hit == end) {
            from = sliceEnd - size + 1;
            continue;
        }
        const TextSpan span { static_cast<size_t>(hit - text.begin()), static_cast<size_t>(hit - text.begin()) + size };
        const bool counts = !options.isWholeWord || standsAlone(text, span);
        if (counts)
            found.push_back(span);
        from = counts ? span.end : span.begin + 1;
    }
    return found;
}

char32_t folded(char32_t codePoint) { return QChar::toCaseFolded(codePoint); }

/// The end of `wanted` (folded) if `text` contains it at `at`.
std::optional<size_t> foldedMatch(std::string_view text, size_t at, const std::u32string &wanted)
{
    for (const char32_t codePoint : wanted) {
        if (at >= text.size())
            return std::nullopt;
        const Character character = characterAt(text, at);
        if (folded(character.codePoint) != codePoint)
            return std::nullopt;
        at += character.size;
    }
    return at;
}

std::vector<TextSpan> findFolded(
    std::string_view text, std::string_view wanted, FindOptions options, const core::Progress *progress)
{
    std::u32string foldedWanted;
    for (size_t i = 0; i < wanted.size();) {
        const Character character = characterAt(wanted, i);
        foldedWanted += folded(character.codePoint);
        i += character.size;
    }
    std::vector<TextSpan> found;
    size_t nextLook = 0;
    for (size_t at = 0; at < text.size();) {
        if (progress != nullptr && at >= nextLook) {
            if (progress->isCancelled())
                return {};
            nextLook = at + kSlice;
        }
        const std::optional<size_t> end = foldedMatch(text, at, foldedWanted);
        if (end && (!options.isWholeWord || standsAlone(text, { at, *end }))) {
            found.push_back({ at, *end });
            at = *end;
        } else {
            at += characterAt(text, at).size;
        }
    }
    return found;
}

} // namespace

bool isWordByte(char byte)
{
    const auto c = static_cast<unsigned char>(byte);
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
}

std::vector<TextSpan> findAll(
    std::string_view text, std::string_view wanted, FindOptions options, const core::Progress *progress)
{
    if (wanted.empty())
        return {};
    if (options.isCaseSensitive) {
        const std::boyer_moore_horspool_searcher searcher(wanted.begin(), wanted.end());
        return collect(text, wanted.size(), searcher, options, progress);
    }
    if (!isAscii(wanted))
        return findFolded(text, wanted, options, progress);
    const auto hash = [](char c) { return static_cast<size_t>(static_cast<unsigned char>(lowered(c))); };
    const auto equal = [](char a, char b) { return lowered(a) == lowered(b); };
    const std::boyer_moore_horspool_searcher searcher(wanted.begin(), wanted.end(), hash, equal);
    return collect(text, wanted.size(), searcher, options, progress);
}

std::vector<TextSpan> findEach(
    std::string_view text, const std::vector<std::string> &wanted, FindOptions options, const core::Progress *progress)
{
    std::vector<TextSpan> all;
    for (const std::string &each : wanted)
        std::ranges::copy(findAll(text, each, options, progress), std::back_inserter(all));
    if (wanted.size() < 2)
        return all;
    std::ranges::sort(all,
        [](const TextSpan &a, const TextSpan &b) { return a.begin != b.begin ? a.begin < b.begin : a.end > b.end; });
    std::vector<TextSpan> apart;
    for (const TextSpan &span : all) {
        if (apart.empty() || span.begin >= apart.back().end)
            apart.push_back(span);
    }
    return apart;
}

} // namespace ui
