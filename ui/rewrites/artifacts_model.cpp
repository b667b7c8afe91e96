// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/rewrites/artifacts_model.h"

#include "core/session/slot_label.h"
#include "ui/look/theme.h"

#include <QFont>

namespace ui {

void ArtifactsModel::setCompaction(core::CompactionPtr compaction)
{
    beginResetModel();
    m_compaction = std::move(compaction);
    m_facts.clear();
    endResetModel();
}

void ArtifactsModel::setFacts(std::vector<ArtifactFacts> facts)
{
    m_facts = std::move(facts);
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int ArtifactsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() || !m_compaction ? 0 : static_cast<int>(m_compaction->artifacts.size());
}

int ArtifactsModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant ArtifactsModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || !m_compaction)
        return {};
    const bool isWords = isWordColumn(index.column());
    if (role == Qt::FontRole)
        return isWords ? Theme::textFont(12) : Theme::figureFont(12);
    if (role == Qt::TextAlignmentRole)
        return isWords ? QVariant(Qt::AlignLeft | Qt::AlignVCenter) : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const auto row = static_cast<size_t>(index.row());
    switch (index.column()) {
    case Name:
        return displayText(artifact(index.row()).name);
    case Size:
        return row < m_facts.size() ? displayText(core::groupedNumber(m_facts[row].bytes)) : QString();
    case Blocks:
        return displayText(core::groupedNumber(artifact(index.row()).blocks.size()));
    case Difference:
        if (row >= m_facts.size())
            return {};
        return m_facts[row].difference.empty() ? tr("holds the original byte for byte")
                                               : displayText(m_facts[row].difference);
    default:
        return {};
    }
}

QVariant ArtifactsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return isWordColumn(section) ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
                                     : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("name in the harness");
    case Size:
        return tr("bytes");
    case Blocks:
        return tr("blocks");
    case Difference:
        return tr("difference from the original");
    default:
        return {};
    }
}

} // namespace ui
