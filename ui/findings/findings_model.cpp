// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/findings/findings_model.h"

#include "core/money/cost.h"

namespace ui {

using namespace Qt::StringLiterals;

namespace {

/// The amber of the theme.
constexpr core::Material kCosts = core::Material::Summary;

} // namespace

void FindingsModel::setFindings(FindingsPtr findings)
{
    beginResetModel();
    m_findings = std::move(findings);
    endResetModel();
}

void FindingsModel::setShowsSmaller(bool showsSmaller)
{
    beginResetModel();
    m_showsSmaller = showsSmaller;
    endResetModel();
}

const core::Finding &FindingsModel::finding(int row) const { return list()[static_cast<size_t>(row)]; }

int FindingsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() || !m_findings ? 0 : static_cast<int>(list().size());
}

int FindingsModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

std::vector<core::WhereSegment> FindingsModel::segments(int row) const
{
    return core::whereSegments(*m_findings->session, finding(row));
}

QColor FindingsModel::rankColour(int row) const
{
    switch (finding(row).rank) {
    case core::FindingRank::Lost:
        return m_theme.hot;
    case core::FindingRank::Costs:
        return m_theme.of(kCosts);
    case core::FindingRank::Note:
        return m_theme.secondary;
    }
    return m_theme.secondary;
}

QString FindingsModel::text(int row, int column) const
{
    const core::Finding &each = finding(row);
    switch (column) {
    case What:
        return displayText(each.what)
            + (each.thread.index() > 0 ? tr(" (subagent %1)").arg(each.thread.value()) : QString());
    case Where:
        return displayText(core::whereText(*m_findings->session, each));
    case Tokens:
        return each.tokens ? displayText(core::shownShort(*each.tokens)) : u"–"_s;
    case Money:
        return each.money ? displayText(core::dollars(*each.money)) : u"–"_s;
    case Help:
        return displayText(each.help);
    default:
        return {};
    }
}

QString FindingsModel::tip(int row, int column) const
{
    const core::Finding &each = finding(row);
    if (column == Tokens && each.tokens)
        return displayText(core::shown(*each.tokens));
    if (const core::PolicyPtr policy = column == Help ? core::helpingPolicy(each) : nullptr)
        return text(row, column) + u'\n'
            + (each.setting.empty() ? tr("A click applies %1 to this session.").arg(displayText(policy->name))
                                    : tr("A click applies %1 to this session, with the setting %2.")
                                          .arg(displayText(policy->name), displayText(each.setting)));
    if (column != What)
        return text(row, column);
    switch (each.sureness) {
    case core::Sureness::Recorded:
        return text(row, column) + u'\n' + tr("The file records this.");
    case core::Sureness::Computed:
        return text(row, column) + u'\n' + tr("This follows from the log. Text that was not logged may change it.");
    case core::Sureness::Estimated:
        return text(row, column) + u'\n' + tr("This depends on estimated tokens.");
    }
    return text(row, column);
}

QVariant FindingsModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return text(index.row(), column);
    case Qt::ToolTipRole:
        return tip(index.row(), column);
    case Qt::FontRole:
        return isFigure(column) ? Theme::figureFont(12) : Theme::textFont(13);
    case Qt::ForegroundRole:
        return column == What || isFigure(column)                    ? m_theme.text
            : column == Help && !finding(index.row()).policy.empty() ? m_theme.accent
                                                                     : m_theme.secondary;
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((isFigure(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant FindingsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((isFigure(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case What:
        return tr("what");
    case Where:
        return tr("where");
    case Tokens:
        return tr("tokens");
    case Money:
        return tr("cost");
    case Help:
        return tr("what would have helped");
    default:
        return {};
    }
}

} // namespace ui
