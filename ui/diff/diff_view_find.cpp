// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// Searched texts in a comparison.

#include "ui/diff/diff_view.h"

#include <QScrollBar>

#include <algorithm>
#include <utility>

namespace ui {

void DiffView::setFind(std::vector<core::Needle> needles)
{
    if (std::ranges::equal(needles, m_find.needles, {}, &core::Needle::text, &core::Needle::text))
        return;
    m_find.needles = std::move(needles);
    findMatches(DiffStart::First);
}

void DiffView::findMatches(std::optional<DiffStart> start)
{
    m_find.job.cancel();
    if (!isShown() || m_find.needles.empty()) {
        takeMatches({}, start);
        return;
    }
    size_t size = 0;
    for (const DiffPane &pane : m_shown.contents.panes)
        size += pane.content->document->size();
    if (size <= kAtOnce) {
        takeMatches(diffMatches(m_shown.contents, m_find.needles), start);
        return;
    }
    m_find.job.start(
        this,
        [contents = m_shown.contents, needles = m_find.needles](
            core::Progress &progress) { return diffMatches(contents, needles, &progress); },
        [this, start](std::vector<DiffMatch> matches) { takeMatches(std::move(matches), start); });
}

void DiffView::takeMatches(std::vector<DiffMatch> matches, std::optional<DiffStart> start)
{
    const bool isSame = matches.empty() && m_find.matches.empty();
    m_find.matches = std::move(matches);
    m_find.current.reset();
    if (isSame)
        return;
    markMatches();
    if (start && !m_find.matches.empty())
        goToMatch(*start == DiffStart::First ? 0 : m_find.matches.size() - 1);
    Q_EMIT matchesChanged();
}

void DiffView::markMatches()
{
    for (size_t pane = 0; pane < paneCount(); ++pane) {
        std::vector<TextMark> marks = m_shown.contents.panes[pane].marks;
        for (size_t i = 0; i < m_find.matches.size(); ++i) {
            if (m_find.matches[i].pane == pane)
                marks.push_back(
                    { m_find.matches[i].span, i == m_find.current ? MarkRole::CurrentMatch : MarkRole::Match, false });
        }
        std::ranges::stable_sort(marks, {}, [](const TextMark &mark) { return mark.span.begin; });
        surfaceOf(pane)->setMarks(marks);
    }
}

void DiffView::forgetMatches()
{
    m_find.job.cancel();
    const bool hadSome = !std::exchange(m_find.matches, {}).empty();
    m_find.current.reset();
    if (!hadSome)
        return;
    for (TextSurface *surface : m_surfaces)
        surface->horizontalScrollBar()->setValue(0); // a match may have moved the beginnings of lines out of sight
    Q_EMIT matchesChanged();
}

void DiffView::goToMatch(size_t match)
{
    m_find.current = match;
    markMatches();
    const DiffMatch &at = m_find.matches[match];
    TextSurface *surface = surfaceOf(at.pane);
    surface->select(at.span.begin, at.span.begin);
    surface->reveal(at.span.begin);
    followScroll(surface);
    Q_EMIT matchesChanged();
}

bool DiffView::stepMatch(int direction)
{
    if (m_job.isRunning() || m_find.job.isRunning())
        return true;
    const size_t count = m_find.matches.size();
    const auto to = m_find.current ? static_cast<std::ptrdiff_t>(*m_find.current) + direction
        : direction > 0            ? 0
                                   : static_cast<std::ptrdiff_t>(count) - 1;
    if (to < 0 || to >= static_cast<std::ptrdiff_t>(count))
        return false;
    goToMatch(static_cast<size_t>(to));
    return true;
}

} // namespace ui
