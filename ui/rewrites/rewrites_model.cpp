// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/rewrites/rewrites_model.h"

#include "core/base/text.h"
#include "core/compaction/stage.h"
#include "core/session/slot_label.h"
#include "ui/look/fate_word.h"
#include "ui/look/theme.h"

#include <QFont>

#include <algorithm>
#include <map>
#include <span>

namespace ui {

using namespace Qt::StringLiterals;

void RewritesModel::setCompaction(core::CompactionPtr compaction)
{
    beginResetModel();
    m_compaction = std::move(compaction);
    findRuns();
    endResetModel();
}

void RewritesModel::findRuns()
{
    m_runs.clear();
    m_runOfRow.clear();
    const int rows = rowCount();
    const auto isLike = [](const core::Rewrite &a, const core::Rewrite &b) {
        return a.stage == b.stage && a.fate == b.fate && a.why == b.why;
    };
    for (int first = 0; first < rows;) {
        int end = first + 1;
        while (end < rows && isLike(rewrite(first), rewrite(end)))
            ++end;
        const bool isRun = end - first >= kLeastRun;
        for (const int step = isRun ? end - first : 1; first < end; first += step) {
            m_runOfRow.insert(m_runOfRow.end(), static_cast<size_t>(step), m_runs.size());
            m_runs.push_back({ first, step, isRun });
        }
    }
}

void RewritesModel::setFolded(int row, bool isFolded)
{
    Run &run = m_runs[m_runOfRow[static_cast<size_t>(row)]];
    run.isFolded = isFolded && run.count > 1;
    Q_EMIT dataChanged(index(run.first, 0), index(run.first, ColumnCount - 1));
}

int RewritesModel::rowOf(core::BlockId block) const
{
    if (!m_compaction || !block.isValid())
        return -1;
    const auto &all = m_compaction->rewrites;
    const auto found = std::ranges::find(all, block, &core::Rewrite::block);
    return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

int RewritesModel::rowOfMade(core::BlockId made) const
{
    if (!m_compaction || !made.isValid())
        return -1;
    const auto &all = m_compaction->rewrites;
    const auto isIt = [&](const core::Rewrite &each, bool wantsAdded) {
        return each.made == made && (!wantsAdded || !each.block.isValid());
    };
    for (const bool wantsAdded : { true, false }) {
        for (size_t i = 0; i < all.size(); ++i) {
            if (isIt(all[i], wantsAdded))
                return static_cast<int>(i);
        }
    }
    return -1;
}

QStringList RewritesModel::wordsOf(int column) const
{
    std::map<size_t, const core::Rewrite *> kinds;
    std::span<const core::Rewrite> all;
    if (m_compaction)
        all = m_compaction->rewrites;
    for (const core::Rewrite &rewrite : all)
        kinds.try_emplace(column == Stage ? rewrite.stage : static_cast<size_t>(rewrite.fate), &rewrite);
    QStringList words;
    for (const auto &[kind, rewrite] : kinds)
        words << display(*rewrite, column);
    return words;
}

int RewritesModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() || !m_compaction ? 0 : static_cast<int>(m_compaction->rewrites.size());
}

int RewritesModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString RewritesModel::stageOf(const core::Rewrite &rewrite) const
{
    if (!m_compaction->policy)
        return tr("observed");
    if (rewrite.stage >= m_compaction->policy->stages.size())
        return tr("yours");
    const core::StageKind *kind = core::stageKind(m_compaction->policy->stages[rewrite.stage].stage);
    return kind != nullptr ? displayText(kind->title) : QString();
}

QString RewritesModel::display(const core::Rewrite &rewrite, int column) const
{
    // Two files have blocks of their own each.
    const bool wasThere = rewrite.block.isValid();
    const core::Session &session = *(wasThere ? m_compaction->before : m_compaction->after).session();
    const core::BlockId named = wasThere ? rewrite.block : rewrite.made;
    switch (column) {
    case Place: {
        const core::SlotIndex slot = wasThere ? m_compaction->before.slotOf(rewrite.block) : core::SlotIndex();
        if (!slot.isValid())
            return tr("new");
        return u"[%1] #%2"_s.arg(slot.value()).arg(session.block(rewrite.block).message.value());
    }
    case Stage:
        return stageOf(rewrite);
    case Fate:
        return fateWord(rewrite.fate);
    case What: {
        QString words = named.isValid() ? displayText(core::labelOf(session, session.block(named)).what) : QString();
        // Only the arguments of a tool call have members.
        if (!rewrite.pointer.empty())
            words = words.mid(words.indexOf(u' ') + 1) + u' ' + displayText(rewrite.pointer);
        return words;
    }
    case Before:
        return displayText(core::groupedNumber(rewrite.before.codePoints));
    case After:
        return displayText(core::groupedNumber(rewrite.after.codePoints));
    case Why:
        return displayText(rewrite.why);
    case Artifact:
        return rewrite.artifact && *rewrite.artifact < m_compaction->artifacts.size()
            ? displayText(m_compaction->artifacts[*rewrite.artifact].name)
            : tr("none");
    default:
        return {};
    }
}

QString RewritesModel::displayOfRun(const Run &run, int column) const
{
    const core::Rewrite &first = rewrite(run.first);
    core::TextLengths before;
    core::TextLengths after;
    for (int row = run.first; row < run.first + run.count; ++row) {
        before += rewrite(row).before;
        after += rewrite(row).after;
    }
    const auto sum = [](uint64_t characters) {
        return displayText(characters < 1'000'000 ? core::groupedNumber(characters)
                                                  : core::shortNumber(static_cast<double>(characters)));
    };
    switch (column) {
    case What:
        return tr("▸ %n changes", nullptr, run.count);
    case Before:
        return sum(before.codePoints);
    case After:
        return sum(after.codePoints);
    case Artifact:
        return {};
    default:
        return display(first, column);
    }
}

QString RewritesModel::textOf(int row, int column) const
{
    const Run &run = runOf(row);
    if (run.isFolded && run.first == row)
        return displayOfRun(run, column);
    const bool beginsRun = run.count > 1 && run.first == row && column == What;
    return (beginsRun ? u"▾ "_s : QString()) + display(rewrite(row), column);
}

QVariant RewritesModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || !m_compaction)
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return textOf(index.row(), index.column());
    case Qt::ToolTipRole: {
        const core::Rewrite &told = rewrite(index.row());
        const Run &run = runOf(index.row());
        if (index.column() == What && run.count > 1 && run.first == index.row())
            return run.isFolded ? tr("Lists each of these changes") : tr("Folds these changes into one row");
        const QString words = textOf(index.row(), index.column());
        // The tool tip gives the reason where the column is too narrow.
        return toolTipText(index.column() == What && !told.why.empty() ? words + u'\n' + displayText(told.why) : words);
    }
    case Qt::TextAlignmentRole:
        return index.column() == Before || index.column() == After ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                                                   : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::FontRole:
        return index.column() == Before || index.column() == After || index.column() == Place ? Theme::figureFont(12)
                                                                                              : Theme::textFont(12);
    default:
        return {};
    }
}

QVariant RewritesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return section == Before || section == After ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                                     : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Place:
        return tr("slot");
    case Stage:
        return tr("stage");
    case Fate:
        return tr("fate");
    case What:
        return tr("what");
    case Before:
        return tr("before");
    case After:
        return tr("after");
    case Why:
        return tr("why");
    case Artifact:
        return tr("artifact");
    default:
        return {};
    }
}

} // namespace ui
