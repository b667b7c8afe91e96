// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/edits/edits_model.h"

#include <array>

namespace ui {

using namespace Qt::StringLiterals;

EditsModel::EditsModel(const EditReview &review, QObject *parent)
    : QAbstractItemModel(parent)
    , m_review(review)
{
    refresh();
}

void EditsModel::setGrouping(EditGrouping grouping)
{
    m_grouping = grouping;
    refresh();
}

void EditsModel::setFilter(EditFilter filter)
{
    m_filter = std::move(filter);
    refresh();
}

void EditsModel::refresh()
{
    beginResetModel();
    m_groups = editGroups(m_review, m_grouping, m_filter);
    m_order.clear();
    m_places.assign(m_review.found() ? m_review.found()->count() : 0, {});
    for (size_t group = 0; group < m_groups.size(); ++group) {
        for (size_t row = 0; row < m_groups[group].edits.size(); ++row) {
            const size_t edit = m_groups[group].edits[row];
            m_places[edit] = { static_cast<int>(group), static_cast<int>(row), m_order.size() };
            m_order.push_back(edit);
        }
    }
    endResetModel();
}

void EditsModel::refreshWords()
{
    for (int group = 0; group < rowCount(); ++group) {
        const QModelIndex parent = index(group, 0);
        Q_EMIT dataChanged(index(0, 0, parent), index(rowCount(parent) - 1, 0, parent));
        Q_EMIT dataChanged(parent, parent);
    }
}

const EditGroup &EditsModel::groupOf(const QModelIndex &index) const
{
    return m_groups[isGroup(index) ? static_cast<size_t>(index.row()) : index.internalId() - 1];
}

std::optional<size_t> EditsModel::editOf(const QModelIndex &index) const
{
    if (!index.isValid() || isGroup(index))
        return std::nullopt;
    return groupOf(index).edits[static_cast<size_t>(index.row())];
}

QModelIndex EditsModel::indexOf(size_t edit) const
{
    if (edit >= m_places.size() || m_places[edit].group < 0)
        return {};
    return createIndex(m_places[edit].row, 0, static_cast<quintptr>(m_places[edit].group) + 1);
}

std::optional<size_t> EditsModel::neighbourOf(size_t edit, int delta) const
{
    if (edit >= m_places.size() || m_places[edit].group < 0)
        return std::nullopt;
    const auto rank = static_cast<std::ptrdiff_t>(m_places[edit].rank) + delta;
    const bool isThere = rank >= 0 && rank < static_cast<std::ptrdiff_t>(m_order.size());
    return isThere ? std::optional(m_order[static_cast<size_t>(rank)]) : std::nullopt;
}

std::optional<size_t> EditsModel::nextToReview(size_t edit) const
{
    auto next = neighbourOf(edit, 1);
    while (next && (m_review.verdict(*next) != Verdict::Open || m_review.found()->isOutside(*next)))
        next = neighbourOf(*next, 1);
    return next;
}

std::vector<EditFate> EditsModel::fates() const
{
    std::array<bool, kEditFateCount> areThere {};
    for (const size_t edit : m_order)
        areThere[static_cast<size_t>(fateOf(m_review, edit))] = true;
    std::vector<EditFate> fates;
    for (size_t i = 0; i < areThere.size(); ++i) {
        if (areThere[i] && static_cast<EditFate>(i) != EditFate::Outside)
            fates.push_back(static_cast<EditFate>(i));
    }
    return fates;
}

std::set<QString> EditsModel::fileNames() const
{
    std::set<QString> names;
    for (const size_t edit : m_grouping == EditGrouping::File ? std::vector<size_t>() : m_order)
        names.insert(displayText(m_review.found()->edit(edit).path).section(u'/', -1));
    return names;
}

QString EditsModel::widestNumber() const
{
    const size_t messages = m_review.found() ? m_review.found()->edits.session->messages.size() : 0;
    return u"#%1"_s.arg(messages > 0 ? messages - 1 : 0);
}

EditRow EditsModel::rowOf(size_t edit) const
{
    const FoundEdits &found = *m_review.found();
    const core::Edit &each = found.edit(edit);
    EditRow row;
    row.isOutside = found.isOutside(edit);
    row.fate = fateOf(m_review, edit);
    if (m_grouping != EditGrouping::File)
        row.path = displayText(each.path);
    if (each.outcome == core::EditOutcome::Landed || each.outcome == core::EditOutcome::Untold) {
        row.added = countWords(u'+', each.added, each.isCountKnown);
        row.removed = countWords(u'\u2212', each.removed, each.isCountKnown);
    }
    if (row.isOutside) {
        row.words = outsideWords(found, edit);
        return row;
    }
    row.isReviewed = m_review.isReviewed(edit);
    row.isCommented = !m_review.comment(edit).empty();
    row.isSentBack = m_review.isSentBack(edit);
    row.number = numberOf(*found.edits.session, each.use);
    row.words = basisWords(m_review, edit);
    const core::EditBasis *basis = m_review.basis(edit);
    row.isAlarm = basis != nullptr && core::isWithoutCarrier(*basis);
    if (row.words.isEmpty())
        row.words = deedWords(each);
    if (found.edits.session->thread(each.thread).kind == core::ThreadKind::Subagent)
        row.words = tr("subagent") + u" · "_s + row.words;
    if (m_review.isLostUnderPlan(edit))
        row.lost = tr("lost under %1").arg(m_review.planName());
    return row;
}

QString EditsModel::sentenceOf(size_t edit) const
{
    const EditRow row = rowOf(edit);
    QStringList words { displayText(m_review.found()->edit(edit).path) };
    if (!row.number.isEmpty())
        words.prepend(row.number);
    words << row.words;
    if (!row.lost.isEmpty())
        words << row.lost;
    if (!row.added.isEmpty())
        words << row.added + u' ' + row.removed;
    words << fateWords(m_review, edit);
    if (row.isReviewed)
        words << tr("reviewed");
    if (row.isSentBack)
        words << tr("sent back");
    if (row.isCommented)
        words << tr("commented");
    return words.join(u" · "_s);
}

QModelIndex EditsModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : 0);
}

QModelIndex EditsModel::parent(const QModelIndex &index) const
{
    return !index.isValid() || isGroup(index) ? QModelIndex()
                                              : createIndex(static_cast<int>(index.internalId()) - 1, 0, quintptr(0));
}

int EditsModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid())
        return static_cast<int>(m_groups.size());
    return isGroup(parent) ? static_cast<int>(groupOf(parent).edits.size()) : 0;
}

QVariant EditsModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const auto edit = editOf(index);
    if (role == Qt::DisplayRole)
        return edit ? sentenceOf(*edit) : groupOf(index).title;
    if (role == Qt::ToolTipRole) {
        const bool isExact = edit ? m_review.found()->edit(*edit).isCountKnown : groupOf(index).isCountKnown;
        QString text = edit ? sentenceOf(*edit) : groupOf(index).title;
        if (edit)
            text += u'\n' + fateSentence(m_review, *edit);
        if (!isExact)
            text += u'\n'
                + tr("The log does not show the whole file. \u2265 means \"at least\"; ? means \"not known\".");
        return toolTipText(text);
    }
    if (role == Qt::CheckStateRole && !edit)
        return tickOf(groupOf(index));
    if (role == Qt::CheckStateRole && !m_review.found()->isOutside(*edit))
        return static_cast<int>(m_review.isReviewed(*edit) ? Qt::Checked : Qt::Unchecked);
    return {};
}

bool EditsModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (role != Qt::CheckStateRole || !index.isValid() || !data(index, role).isValid())
        return false;
    const auto edit = editOf(index);
    Q_EMIT ticked(edit ? std::vector { *edit } : groupOf(index).edits, value.toInt() == Qt::Checked);
    return true;
}

QVariant EditsModel::tickOf(const EditGroup &group) const
{
    size_t own = 0;
    size_t ticked = 0;
    for (const size_t edit : group.edits) {
        const bool isOwn = !m_review.found()->isOutside(edit);
        own += isOwn ? 1 : 0;
        ticked += isOwn && m_review.isReviewed(edit) ? 1 : 0;
    }
    if (own == 0)
        return {};
    return static_cast<int>(ticked == own ? Qt::Checked : ticked == 0 ? Qt::Unchecked : Qt::PartiallyChecked);
}

bool EditsModel::isFolded(const QModelIndex &group) const
{
    return m_folded.contains({ m_grouping, groupOf(group).title });
}

void EditsModel::setFolded(const QModelIndex &group, bool isFolded)
{
    const std::pair key(m_grouping, groupOf(group).title);
    if (isFolded)
        m_folded.insert(key);
    else
        m_folded.erase(key);
    Q_EMIT dataChanged(group, group);
}

Qt::ItemFlags EditsModel::flags(const QModelIndex &index) const
{
    const auto edit = editOf(index);
    if (!edit) // a title can be current only if it represents its edits
        return index.isValid() && isFolded(index) ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::NoItemFlags;
    Qt::ItemFlags flags = QAbstractItemModel::flags(index);
    if (!m_review.found()->isOutside(*edit))
        flags |= Qt::ItemIsUserCheckable;
    return flags;
}

} // namespace ui
