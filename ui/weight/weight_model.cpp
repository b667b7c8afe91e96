// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/weight/weight_model.h"

#include "core/base/text.h"
#include "ui/look/theme.h"

#include <algorithm>
#include <numeric>

namespace ui {

using namespace Qt::StringLiterals;
using core::GroupBy;
using core::WeightGroup;

namespace {

constexpr uint32_t kNone = 0xffffffffU;

QString text(std::string_view utf8) { return displayText(utf8); }

/// The sort key of a single block: its subject, without reading its text.
std::string_view sortName(const core::Transcript &array, const WeightGroup &group)
{
    if (group.blockCount == 0)
        return group.name;
    const core::Session &session = *array.session();
    const core::Block &block = array.block(group.heaviest);
    const std::string_view subject = session.string(block.subject);
    return subject.empty() ? session.string(block.name) : subject;
}

} // namespace

void WeightModel::setContents(
    const core::Transcript &array, core::WeightGroups groups, GroupBy by, const core::Weights &weights, Unused unused)
{
    beginResetModel();
    m_array = array;
    m_groups = std::move(groups);
    m_by = by;
    m_weights = weights;
    m_unused = std::move(unused);
    m_heaviest = 0;
    m_groupOf.assign(array.session() ? array.session()->blocks.size() : 0, kNone);
    for (size_t i = 0; i < m_groups.groups.size(); ++i) {
        m_heaviest = std::max(m_heaviest, m_groups.groups[i].weight);
        for (const core::BlockId id : m_groups.blocksOf(m_groups.groups[i]))
            m_groupOf[id.index()] = static_cast<uint32_t>(i);
    }
    m_unusedOf.assign(m_groups.groups.size(), kNone);
    for (size_t i = 0; i < m_unused.resent.groups.size(); ++i) {
        const core::BlockId first = m_unused.resent.blocksOf(m_unused.resent.groups[i]).front();
        if (m_groupOf[first.index()] != kNone)
            m_unusedOf[m_groupOf[first.index()]] = static_cast<uint32_t>(i);
    }
    applySort();
    endResetModel();
}

const core::UnusedGroup *WeightModel::unusedOf(const WeightGroup &group) const
{
    const uint32_t unused = m_unusedOf[static_cast<size_t>(&group - m_groups.groups.data())];
    return unused == kNone ? nullptr : &m_unused.resent.groups[unused];
}

size_t WeightModel::hotCount() const
{
    return static_cast<size_t>(std::ranges::count_if(m_groups.groups, &WeightGroup::isHot));
}

size_t WeightModel::moreCount() const
{
    return static_cast<size_t>(std::ranges::count_if(
        m_groups.groups, [this](const WeightGroup &each) { return !each.isHot() && unusedOf(each) != nullptr; }));
}

double WeightModel::resentUnused(int row) const
{
    const core::UnusedGroup *unused = unusedOf(group(row));
    return unused != nullptr ? unused->resent : 0.0;
}

core::LastUse WeightModel::lastUse(int row) const
{
    const core::UnusedGroup *unused = unusedOf(group(row));
    return unused != nullptr ? unused->last : core::LastUse();
}

QString WeightModel::lastUseText(const WeightGroup &group) const
{
    const core::UnusedGroup *unused = unusedOf(group);
    if (unused == nullptr)
        return {};
    if (!unused->last.isUsed())
        return tr("none");
    return u"#%1"_s.arg(m_array.session()->block(unused->last.by).message.value());
}

std::vector<core::SlotIndex> WeightModel::slotsOf(int row) const
{
    std::vector<core::SlotIndex> found;
    for (const core::BlockId id : blocksOf(row)) {
        const core::SlotIndex slot = m_array.slotOf(id);
        if (slot.isValid() && (found.empty() || found.back() != slot))
            found.push_back(slot);
    }
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

int WeightModel::rowOf(core::BlockId block) const
{
    if (!block.isValid() || block.index() >= m_groupOf.size() || m_groupOf[block.index()] == kNone)
        return -1;
    return static_cast<int>(m_rowOf[m_groupOf[block.index()]]);
}

int WeightModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}

int WeightModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString WeightModel::name(const WeightGroup &group) const
{
    if (m_by != GroupBy::Block || group.blockCount == 0)
        return text(group.name);
    const core::SlotLabel label = core::labelOf(*m_array.session(), m_array.block(group.heaviest));
    QString name = text(label.text());
    if (!label.subject.empty())
        name += u" · "_s + text(label.subject);
    return name;
}

QString WeightModel::detail(const WeightGroup &group) const
{
    if (m_by != GroupBy::Block || group.blockCount == 0)
        return text(group.detail);
    const core::SlotIndex slot = m_array.slotOf(group.heaviest);
    const core::MessageId message = m_array.block(group.heaviest).message;
    QString detail = slot.isValid() ? u"[%1]"_s.arg(slot.value()) : QString();
    if (message.isValid())
        detail += u" #%1"_s.arg(message.value());
    return detail;
}

QString WeightModel::reason(const WeightGroup &group) const
{
    QString reason = text(group.reason);
    if (group.hotCount > 1)
        reason += u"; "_s + counted(group.hotCount - 1, tr("more hot block"), tr("more hot blocks"));
    const core::UnusedGroup *unused = unusedOf(group);
    if (unused == nullptr || !group.isHot())
        return reason;
    const QString words = text(useWords(*m_array.session(), m_unused.index, m_unused.resent, *unused));
    return reason.isEmpty() || words.isEmpty() ? words + reason : words + u" · "_s + reason;
}

QString WeightModel::display(const WeightGroup &group, int column) const
{
    switch (column) {
    case Name:
        return name(group);
    case Detail:
        return detail(group);
    case Weight:
        return text(group.weight < 0.5 ? m_weights.shown(group.weight, m_groups.blocksOf(group))
                                       : m_weights.shown(group.weight));
    case Share:
        return group.share > 0 && group.share < 0.0005 ? tr("<0.1 %") : tr("%1 %").arg(group.share * 100, 0, 'f', 1);
    case Calls:
        return group.blockCount > 0 ? text(core::groupedNumber(group.callCount)) : QString();
    case Resent:
        if (group.blockCount == 0)
            return {};
        // Always tokens, with their own basis.
        return text(core::Weights(m_weights.tokens(), core::WeightUnit::Tokens).shown(group.resent));
    case ResentUnused: {
        const core::UnusedGroup *unused = unusedOf(group);
        return unused != nullptr
            ? text(core::Weights(m_weights.tokens(), core::WeightUnit::Tokens).shown(unused->resent))
            : QString();
    }
    case LastUse:
        return lastUseText(group);
    case Reason:
        return reason(group);
    default:
        return {};
    }
}

QString WeightModel::accessibleText(const WeightGroup &group) const
{
    return name(group) + u", "_s + detail(group) + u", "_s
        + tr("%1 %2").arg(text(m_weights.shown(group.weight)), text(m_weights.unitName()))
        + (group.isHot() ? tr(", hot: %1").arg(reason(group)) : QString());
}

QVariant WeightModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const WeightGroup &shown = group(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return display(shown, index.column());
    case Qt::TextAlignmentRole: {
        return QVariant(
            static_cast<Qt::Alignment>((isFigure(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    }
    case Qt::ToolTipRole:
        if (index.column() == Name || index.column() == Detail || index.column() == Reason)
            return toolTipText(display(shown, index.column()));
        if (index.column() == LastUse && lastUse(index.row()).isUsed())
            return toolTipText(tr("The last time its text was needed. Click to go there."));
        return {};
    case Qt::AccessibleTextRole:
        return index.column() == Name ? accessibleText(shown) : display(shown, index.column());
    case FractionRole:
        return m_heaviest > 0 ? shown.weight / m_heaviest : 0.0;
    case MaterialRole:
        return shown.blockCount > 0 ? static_cast<int>(shown.material) : -1;
    case HotRole:
        return shown.isHot();
    default:
        return {};
    }
}

QVariant WeightModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole) {
        return QVariant(
            static_cast<Qt::Alignment>((isFigure(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    }
    if (role == Qt::InitialSortOrderRole)
        return section == Name || section == Detail || section == Reason ? Qt::AscendingOrder : Qt::DescendingOrder;
    if (role == Qt::ToolTipRole) {
        switch (section) {
        case Share:
            return tr("Share of the whole prompt. In characters and bytes: share of the slots");
        case Calls:
            return tr("Calls of the thread whose array contains any part of this text");
        case Resent:
            return tr("Tokens × number of calls that contained them");
        case ResentUnused:
            return tr("Tokens × number of calls that still contained them after the last use. Counts calls before the "
                      "chosen one");
        case LastUse:
            return tr("The last message that needed the text: an edit quotes it, or a result repeats it");
        case Reason:
            return tr("Why the block is hot: it is one of the few heavy blocks that a policy could remove");
        default:
            return {};
        }
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return m_by == GroupBy::Block ? tr("block")
            : m_by == GroupBy::File   ? tr("file or command")
            : m_by == GroupBy::Tool   ? tr("tool")
                                      : tr("kind");
    case Detail:
        return m_by == GroupBy::Block ? tr("slot") : tr("made of");
    case Weight:
        return text(m_weights.unitName());
    case Share:
        return tr("share");
    case Calls:
        return tr("calls");
    case Resent:
        return tr("resent");
    case ResentUnused:
        return tr("resent unused");
    case LastUse:
        return tr("last use");
    case Reason:
        return tr("why it is hot");
    default:
        return {};
    }
}

void WeightModel::sort(int column, Qt::SortOrder order)
{
    m_sortColumn = column;
    m_sortOrder = order;
    Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<uint32_t> groups;
    for (const QModelIndex &index : before)
        groups.push_back(m_order[static_cast<size_t>(index.row())]);
    applySort();
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i)
        after << createIndex(static_cast<int>(m_rowOf[groups[static_cast<size_t>(i)]]), before[i].column());
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

void WeightModel::applySort()
{
    const auto &groups = m_groups.groups;
    m_order.resize(groups.size());
    std::iota(m_order.begin(), m_order.end(), 0U);
    const auto by = [&](auto keyOf) {
        std::vector<decltype(keyOf(groups.front()))> keys;
        keys.reserve(groups.size());
        for (const WeightGroup &group : groups)
            keys.push_back(keyOf(group));
        // Equal groups keep their order in both sort directions.
        std::ranges::sort(m_order, [&](uint32_t a, uint32_t b) {
            if (keys[a] == keys[b])
                return a < b;
            return m_sortOrder == Qt::AscendingOrder ? keys[a] < keys[b] : keys[b] < keys[a];
        });
    };
    switch (m_sortColumn) {
    case Name:
        if (m_by == GroupBy::Block)
            by([&](const WeightGroup &group) { return sortName(m_array, group); });
        else
            by([](const WeightGroup &group) { return std::string_view(group.name); });
        break;
    case Detail:
        if (m_by == GroupBy::Block)
            by([&](const WeightGroup &group) { return m_array.slotOf(group.heaviest); });
        else
            by([](const WeightGroup &group) { return group.blockCount; });
        break;
    case Bar:
    case Weight:
    case Share:
        by([](const WeightGroup &group) { return group.weight; });
        break;
    case Calls:
        by([](const WeightGroup &group) { return group.callCount; });
        break;
    case Resent:
        by([](const WeightGroup &group) { return group.resent; });
        break;
    case ResentUnused:
        by([&](const WeightGroup &group) { return unusedOf(group) != nullptr ? unusedOf(group)->resent : 0.0; });
        break;
    case LastUse:
        by([&](const WeightGroup &group) {
            const core::UnusedGroup *unused = unusedOf(group);
            return unused != nullptr && unused->last.isUsed() ? unused->last.by.index() + 1 : 0;
        });
        break;
    case Reason:
        by([](const WeightGroup &group) { return group.hotCount; });
        break;
    default:
        // Hot groups first; in each part those resent unused by their rank, before the others.
        std::ranges::stable_sort(
            m_order, {}, [&](uint32_t each) { return std::pair(!m_groups.groups[each].isHot(), m_unusedOf[each]); });
        break;
    }
    m_rowOf.resize(m_order.size());
    for (size_t row = 0; row < m_order.size(); ++row)
        m_rowOf[m_order[row]] = static_cast<uint32_t>(row);
}

} // namespace ui
