// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// The words above the list and above the diff.

#include "ui/edits/edit_details.h"
#include "ui/edits/edit_words.h"
#include "ui/edits/edits_model.h"
#include "ui/edits/edits_page.h"
#include "ui/widgets/facts_line.h"
#include "ui/widgets/wrapped_label.h"

#include <QToolButton>

namespace ui {

using namespace Qt::StringLiterals;

QString EditsPage::scopeReason()
{
    return tr("The diff shows more than one edit. Choose Edit above it, or use R or B in the list.");
}

void EditsPage::refreshMarks()
{
    const FoundEditsPtr &found = m_review.found();
    const bool isOwn = found && m_current && !found->isOutside(*m_current);
    const bool isSeen = m_scope == EditScope::Edit;
    for (QToolButton *button : { m_reviewed, m_sentBack }) {
        button->setVisible(isOwn);
        button->setEnabled(isSeen);
    }
    m_reviewed->setChecked(isOwn && isSeen && m_review.isReviewed(*m_current));
    m_sentBack->setChecked(isOwn && isSeen && m_review.isSentBack(*m_current));
    m_reviewed->setToolTip(isSeen ? tr("Ticks the edit as reviewed, and goes to the next (R)") : scopeReason());
    m_sentBack->setToolTip(isSeen
            ? toolTipText(tr("Marks the edit as sent back to the agent, and asks for a comment (B). Copy Comments and "
                             "the patch say so. Click again, or click Reviewed, to take the mark away."))
            : scopeReason());
}

void EditsPage::refreshHead()
{
    const FoundEditsPtr &found = m_review.found();
    m_summary->setText(summaryWords(m_review));
    m_summary->reserveText(longestSummaryWords(m_review));
    refreshMarks();
    if (!found || !m_current)
        return m_facts->setParts({});
    using Voice = FactsLine::Voice;
    const core::Edit &edit = found->edit(*m_current);
    if (m_scope == EditScope::Session) {
        std::vector<FactsLine::Part> parts { { tr("All files"), Voice::Strong },
            { counted(found->lives.size(), tr("edited file"), tr("edited files")), Voice::Secondary } };
        if (found->restored > 0)
            parts.push_back({ found->restored == 1 ? tr("1 ends as it began")
                                                   : tr("%1 end as they began").arg(groupedText(found->restored)),
                Voice::Secondary });
        return m_facts->setParts(std::move(parts));
    }
    // Parts without room are elided from the end, the folder first.
    const qsizetype slash = displayText(edit.path).lastIndexOf(u'/');
    const QString folder = displayText(edit.path).first(slash + 1);
    const EditFate fate = fateOf(m_review, *m_current);
    const bool isQuiet = isGone(fate) && m_scope == EditScope::Edit;
    std::vector<FactsLine::Part> parts { { displayText(edit.path).mid(slash + 1),
        isQuiet ? Voice::Secondary : Voice::Strong } };
    if (m_scope == EditScope::File) {
        parts.push_back({ tr("over the session"), Voice::Secondary });
        parts.push_back({ folder, Voice::Secondary });
        return m_facts->setParts(std::move(parts));
    }
    if (const QString number = numberOf(*found->edits.session, found->blockOf(*m_current)); !number.isEmpty())
        parts.push_back({ number, Voice::Figure });
    parts.push_back({ fateWords(m_review, *m_current), fate <= EditFate::Interrupted ? Voice::Hot : Voice::Secondary });
    if (!edit.movedTo.empty())
        parts.push_back({ tr("moved to %1").arg(displayText(edit.movedTo)), Voice::Plain });
    const EditRow row = m_list->model().rowOf(*m_current);
    if (!row.added.isEmpty())
        parts.push_back({ row.added + u' ' + row.removed, Voice::Figure });
    if (m_details->isHidden() && row.words != deedWords(edit)) // the tool's name comes next
        parts.push_back({ row.words, row.isAlarm ? Voice::Hot : Voice::Secondary });
    if (!found->isOutside(*m_current)) {
        const core::Block &call = found->edits.session->block(edit.use);
        parts.push_back(
            { displayText(found->edits.session->string(call.name)) + u" · "_s + deedWords(edit), Voice::Secondary });
    }
    parts.push_back({ folder, Voice::Secondary });
    m_facts->setParts(std::move(parts));
}

} // namespace ui
