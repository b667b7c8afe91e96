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

void EditsPage::refreshHead()
{
    const FoundEditsPtr &found = m_review.found();
    m_summary->setText(summaryWords(m_review));
    if (!found || !m_current)
        return m_facts->setParts({});
    using Voice = FactsLine::Voice;
    const core::Edit &edit = found->edit(*m_current);
    m_reviewed->setVisible(!found->isOutside(*m_current));
    m_reviewed->setChecked(!found->isOutside(*m_current) && m_review.isReviewed(*m_current));
    if (m_scope == EditScope::Session)
        return m_facts->setParts({ { tr("All files"), Voice::Strong },
            { counted(found->lives.size(), tr("changed file"), tr("changed files")), Voice::Secondary } });
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
