// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/compactions/loss_model.h"

#include <QFontMetrics>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

/// The internal id of a line that is no part; that of a part is the row of its sum.
constexpr quintptr kTop = static_cast<quintptr>(-1);

QString signOfMark(core::LossRow::Mark mark)
{
    switch (mark) {
    case core::LossRow::Mark::Kept:
        return u"✓"_s;
    case core::LossRow::Mark::Part:
        return u"◐"_s;
    case core::LossRow::Mark::Gone:
        return u"✕"_s;
    case core::LossRow::Mark::Unknown:
        return u"?"_s;
    case core::LossRow::Mark::None:
        return {};
    }
    return {};
}

/// The same in words, for tool tips and screen readers.
QString wordOfMark(core::LossRow::Mark mark)
{
    switch (mark) {
    case core::LossRow::Mark::Kept:
        return LossModel::tr("still in context");
    case core::LossRow::Mark::Part:
        return LossModel::tr("partly in context");
    case core::LossRow::Mark::Gone:
        return LossModel::tr("no longer in context");
    case core::LossRow::Mark::Unknown:
        return LossModel::tr("unknown");
    case core::LossRow::Mark::None:
        return {};
    }
    return {};
}

} // namespace

void LossModel::setRows(std::vector<core::LossRow> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

const core::LossRow &LossModel::row(const QModelIndex &index) const
{
    const auto at = static_cast<size_t>(index.row());
    return index.internalId() == kTop ? m_rows[at] : m_rows[index.internalId()].rows[at];
}

int LossModel::widthOf(Column column) const
{
    const QFontMetrics metrics(column == Figure ? Theme::figureFont(12) : Theme::textFont(12));
    int widest = 0;
    for (const core::LossRow &each : m_rows)
        widest = std::max(widest, metrics.horizontalAdvance(text(each, column)));
    return widest;
}

QModelIndex LossModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) : kTop);
}

QModelIndex LossModel::parent(const QModelIndex &index) const
{
    return index.isValid() && index.internalId() != kTop ? createIndex(static_cast<int>(index.internalId()), 0, kTop)
                                                         : QModelIndex();
}

int LossModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid())
        return static_cast<int>(m_rows.size());
    const bool isSum = parent.internalId() == kTop && parent.column() == 0;
    return isSum ? static_cast<int>(row(parent).rows.size()) : 0;
}

QString LossModel::text(const core::LossRow &row, int column) const
{
    switch (column) {
    case Figure:
        return row.mark == core::LossRow::Mark::None ? displayText(row.figure) : signOfMark(row.mark);
    case Text:
        return displayText(m_joinsNotes && !row.note.empty() ? row.text + " · " + row.note : row.text);
    case Note:
        return m_joinsNotes ? QString() : displayText(row.note);
    default:
        return {};
    }
}

QColor LossModel::colour(const core::LossRow &row, int column) const
{
    if (column == Note)
        return m_theme.secondary;
    if (column == Text)
        return m_theme.text;
    switch (row.mark) {
    case core::LossRow::Mark::Kept:
        return m_theme.of(core::Material::Bulk);
    case core::LossRow::Mark::Part:
        return m_theme.of(core::Material::Summary);
    case core::LossRow::Mark::Gone:
        return m_theme.hot;
    case core::LossRow::Mark::Unknown:
        return m_theme.secondary;
    case core::LossRow::Mark::None:
        return m_theme.text;
    }
    return m_theme.text;
}

QVariant LossModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const core::LossRow &told = row(index);
    switch (role) {
    case Qt::DisplayRole:
        return text(told, index.column());
    case Qt::ToolTipRole: {
        QStringList words { displayText(told.text), displayText(told.note), wordOfMark(told.mark) };
        words.removeAll(QString());
        return toolTipText(words.join(u'\n'));
    }
    case Qt::AccessibleTextRole: {
        const QString mark = index.column() == Figure ? wordOfMark(told.mark) : QString();
        return mark.isEmpty() ? text(told, index.column()) : mark;
    }
    case Qt::FontRole:
        return index.column() == Figure && told.mark == core::LossRow::Mark::None ? Theme::figureFont(12)
                                                                                  : Theme::textFont(12);
    case Qt::ForegroundRole:
        return colour(told, index.column());
    case Qt::TextAlignmentRole: {
        const bool isRight = index.column() == Note || index.column() == Figure;
        return QVariant::fromValue((isRight ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    default:
        return {};
    }
}

} // namespace ui
