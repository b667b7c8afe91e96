// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/diff/diff_matches.h"

#include "core/edits/known_text.h"

#include <algorithm>
#include <tuple>

namespace ui {

namespace {

/// Whether a line stands for lines that are not known: `[… 12 lines not known]`.
bool isGapLine(std::string_view line)
{
    static const std::string gap = core::KnownText::gap().readable();
    static const size_t word = gap.find("line");
    static const size_t behind = gap.find(' ', word);
    return line.starts_with(std::string_view(gap).substr(0, word))
        && line.ends_with(std::string_view(gap).substr(behind, gap.size() - 1 - behind));
}

/// The span among `spans` (ascending, apart) that contains the offset; their number if none does.
template <typename Span>
size_t spanAt(const std::vector<Span> &spans, size_t offset)
{
    const auto next = std::ranges::upper_bound(spans, offset, {}, &Span::begin);
    if (next == spans.begin() || offset >= std::prev(next)->end)
        return spans.size();
    return static_cast<size_t>(std::prev(next) - spans.begin());
}

/// The first places of a text. Of the old side only those in differences.
std::vector<TextSpan> placesIn(const DiffPane &pane, bool isOld, const core::Needle &needle)
{
    std::vector<TextSpan> places;
    const TextDocument &document = *pane.content->document;
    for (size_t from = 0; places.size() < kMostMatches;) {
        const auto place = needle.find(document.bytes(), from);
        if (!place)
            break;
        from = std::max(place->end, place->begin + 1);
        const bool isFolded = spanAt(pane.content->folds, place->begin) < pane.content->folds.size();
        const bool isOnce = !isOld || spanAt(pane.differences, place->begin) < pane.differences.size();
        if (!isFolded && isOnce && !isGapLine(document.line(document.lineOf(place->begin))))
            places.push_back({ place->begin, place->end });
    }
    return places;
}

} // namespace

std::vector<DiffMatch> diffMatches(
    const DiffContents &contents, const std::vector<core::Needle> &needles, const core::Progress *progress)
{
    struct Place {
        size_t after = 0; ///< where a reader of the last pane comes by
        DiffMatch match;
    };
    std::vector<Place> places;
    for (size_t i = 0; i < contents.panes.size(); ++i) {
        const bool isOld = i + 1 < contents.panes.size();
        for (const core::Needle &needle : needles) {
            if (progress != nullptr && progress->isCancelled())
                return {};
            for (const TextSpan span : placesIn(contents.panes[i], isOld, needle)) {
                const size_t difference = isOld ? spanAt(contents.panes[i].differences, span.begin) : 0;
                const size_t after = isOld ? contents.panes.back().differences[difference].begin : span.begin;
                places.push_back({ after, { i, span } });
            }
        }
    }
    std::ranges::sort(places, {}, [](const Place &each) {
        return std::tuple(each.after, each.match.pane, each.match.span.begin, each.match.span.end);
    });
    std::vector<DiffMatch> matches;
    for (const Place &each : places) {
        if (matches.size() == kMostMatches)
            break;
        const bool overlaps = !matches.empty() && matches.back().pane == each.match.pane
            && each.match.span.begin < matches.back().span.end && each.match.span.begin >= matches.back().span.begin;
        if (!overlaps)
            matches.push_back(each.match);
    }
    return matches;
}

} // namespace ui
