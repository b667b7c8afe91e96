// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// Going on from one edit to the next in the Edits view, and the marks of the review.

#include "ui/edits/edits_page.h"

#include "ui/edits/edits_model.h"

#include <QTreeView>

#include <utility>

namespace ui {

void EditsPage::showNumber(size_t edit)
{
    m_number = edit;
    if (m_review.found())
        showWantedNumber();
}

void EditsPage::showWantedNumber()
{
    const auto number = std::exchange(m_number, std::nullopt);
    if (!number)
        return;
    const size_t count = m_review.found()->count();
    if (*number < count)
        choose(*number);
    else
        say(count == 0 ? tr("There is no edit %1: the session has none").arg(*number)
                       : tr("There is no edit %1; the last one is %2").arg(*number).arg(qsizetype(count) - 1),
            true);
}

/// The next edit in the list or, of whole files, the next edit of another file.
std::optional<size_t> EditsPage::nextEdit(int direction) const
{
    if (!m_current || m_scope == EditScope::Session)
        return std::nullopt;
    const FoundEdits &found = *m_review.found();
    auto next = m_list->model().neighbourOf(*m_current, direction);
    while (next && m_scope == EditScope::File && found.lifeOf(*next) == found.lifeOf(*m_current))
        next = m_list->model().neighbourOf(*next, direction);
    return next;
}

void EditsPage::stepEdit(int direction)
{
    if (!m_current)
        return;
    if (const auto next = m_list->model().neighbourOf(*m_current, direction))
        choose(*next);
}

void EditsPage::goOn(int direction)
{
    if (const auto next = nextEdit(direction))
        choose(*next, direction < 0 ? DiffStart::Last : DiffStart::First);
}

void EditsPage::stepMatch(int direction)
{
    if (!m_current || m_diff->stepMatch(direction))
        return;
    // On in the next edit, from the last one in the first.
    auto next = nextEdit(direction);
    const std::vector<size_t> &order = m_list->model().order();
    if (!next && m_scope != EditScope::Session && !order.empty())
        next = direction > 0 ? order.front() : order.back();
    if (next && next != m_current)
        choose(*next, direction < 0 ? DiffStart::Last : DiffStart::First);
    else if (!m_diff->matches().empty())
        m_diff->goToMatch(direction > 0 ? 0 : m_diff->matches().size() - 1);
}

bool EditsPage::isFinding() const { return !m_list->model().filter().words.isEmpty(); }

void EditsPage::sayMatches()
{
    const size_t count = m_diff->matches().size();
    const auto current = m_diff->currentMatch();
    const bool areAll = count < kMostMatches;
    const QString all = areAll ? groupedText(count) : groupedText(count) + u'+';
    m_list->setMatchWords(count == 0 ? QString()
            : current                ? tr("match %1 of %2").arg(groupedText(*current + 1), all)
            : areAll                 ? counted(count, tr("match"), tr("matches"))
                                     : tr("%1 matches").arg(all));
}

bool EditsPage::canMark()
{
    // Who acts in the list sees which row is current.
    const bool isInList = m_list->view()->hasFocus() && m_list->view()->currentIndex().isValid();
    const bool isSeen = m_scope == EditScope::Edit || isInList;
    if (m_current && !isSeen)
        say(scopeReason(), true);
    return m_current && isSeen;
}

void EditsPage::toggleReviewed()
{
    if (canMark())
        m_list->tickAndGoOn(*m_current);
    refreshMarks(); // a click has already changed how the button looks
}

void EditsPage::toggleSentBack()
{
    if (canMark())
        m_list->sendBackAndGoOn(*m_current);
    refreshMarks();
}

} // namespace ui
