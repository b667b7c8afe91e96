// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/rewrites/artifacts_model.h"

#include "core/session/slot_label.h"
#include "ui/base/theme.h"

#include <QFont>

namespace ui {

void ArtifactsModel::setCompaction(core::CompactionPtr compaction)
{
    beginResetModel();
    m_compaction = std::move(compaction);
    m_texts.assign(m_compaction ? m_compaction->artifacts.size() : 0, std::nullopt);
    endResetModel();
}

const std::string &ArtifactsModel::textOf(int row) const
{
    auto &text = m_texts[static_cast<size_t>(row)];
    if (!text)
        text = m_compaction->textOf(artifact(row));
    return *text;
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
    if (role == Qt::FontRole)
        return index.column() == Name ? Theme::textFont(12) : Theme::figureFont(12);
    if (role == Qt::TextAlignmentRole)
        return index.column() == Name ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
                                      : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case Name:
        return displayText(artifact(index.row()).name);
    case Size:
        return displayText(core::groupedNumber(textOf(index.row()).size()));
    case Blocks:
        return displayText(core::groupedNumber(artifact(index.row()).blocks.size()));
    default:
        return {};
    }
}

QVariant ArtifactsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return section == Name ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
                               : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    return section == Name ? tr("name in the harness") : section == Size ? tr("bytes") : tr("blocks");
}

} // namespace ui
