// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/outline/outline_model.h"

#include "core/base/text.h"
#include "ui/look/fate_word.h"
#include "ui/look/theme.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace ui {

using namespace Qt::StringLiterals;
using core::OutlineEntry;

namespace {

constexpr uint32_t kNoRow = 0xffffffffU;
constexpr size_t kTypedCharacters = 80;

/// The last part of a path; anything else as it is.
std::string_view shortSubject(std::string_view subject)
{
    if (subject.find_first_of(" \t") != std::string_view::npos || subject.find("://") != std::string_view::npos)
        return subject;
    const size_t slash = subject.find_last_of('/');
    return slash == std::string_view::npos || slash + 1 == subject.size() ? subject : subject.substr(slash + 1);
}

/// Arrays run through the messages in order, nearly always.
void sortMessages(std::vector<core::MessageId> &messages)
{
    if (!std::ranges::is_sorted(messages))
        std::ranges::sort(messages);
}

core::Material slotMaterial(const core::Session &session, core::MessageId id)
{
    const core::SessionPtr borrowed(std::shared_ptr<void>(), &session);
    const core::Message &message = session.message(id);
    const core::Transcript one(
        borrowed, core::BlockRanges::of({ { message.first.value(), message.first.value() + message.count } }));
    return core::materialOf(one, one.slots().front());
}

} // namespace

OutlineModel::OutlineModel(QObject *parent)
    : QAbstractItemModel(parent)
    , m_outline(std::make_shared<core::Outline>())
{
}

void OutlineModel::setContents(core::SessionPtr session, core::ThreadIndex thread)
{
    beginResetModel();
    m_session = std::move(session);
    m_thread = thread;
    auto outline = std::make_shared<core::Outline>();
    if (m_session && thread.index() < m_session->threads.size())
        *outline = core::outlineOf(*m_session, thread);
    m_outline = std::move(outline);
    m_inArray.clear();
    m_hot.clear();
    m_compactionHere = 0;
    m_matches.reset();
    m_weights = {};
    sumWeights();
    findRows();
    endResetModel();
}

void OutlineModel::setWeights(const core::Weights &weights)
{
    if (weights.tokens() == m_weights.tokens() && weights.unit() == m_weights.unit())
        return;
    m_weights = weights;
    sumWeights();
    announce();
}

void OutlineModel::sumWeights()
{
    m_sums.assign(1, 0.0);
    m_sums.reserve(m_outline->messages.size() + 1);
    for (const core::MessageId id : m_outline->messages) {
        const core::Message &message = m_session->message(id);
        double sum = m_sums.back();
        for (uint32_t i = 0; i < message.count; ++i)
            sum += m_weights.of(*m_session, core::BlockId(message.first.value() + i));
        m_sums.push_back(sum);
    }
}

void OutlineModel::setArray(const core::Transcript &array, size_t compaction)
{
    m_inArray.clear();
    m_inArray.reserve(array.blocks().size());
    for (const core::BlockId id : array.blocks()) {
        if (const core::MessageId message = array.block(id).message; m_inArray.empty() || m_inArray.back() != message)
            m_inArray.push_back(message);
    }
    sortMessages(m_inArray);
    m_compactionHere = compaction;
    announce();
}

bool OutlineModel::hasInArray(size_t firstPlace, size_t lastPlace) const
{
    const auto from = m_outline->messages.begin() + static_cast<ptrdiff_t>(firstPlace);
    const auto to = m_outline->messages.begin() + static_cast<ptrdiff_t>(lastPlace);
    if (from == to)
        return false;
    // The first is one of these messages, nearly always; others are of other threads.
    for (auto each = std::ranges::lower_bound(m_inArray, *from); each != m_inArray.end() && *each <= *std::prev(to);
        ++each) {
        if (std::binary_search(from, to, *each))
            return true;
    }
    return false;
}

void OutlineModel::setHot(std::vector<core::MessageId> hot)
{
    sortMessages(hot);
    if (hot == m_hot)
        return;
    m_hot = std::move(hot);
    announce();
}

void OutlineModel::announce()
{
    // Views repaint all they show of a changed parent; rows below have no more to do.
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(static_cast<int>(m_rows.size()) - 1, 0));
}

void OutlineModel::setFilter(std::optional<std::vector<bool>> matches)
{
    if (!matches && !m_matches)
        return;
    if (matches && matches->size() != m_outline->messages.size())
        return; // of an older snapshot
    beginResetModel();
    m_matches = std::move(matches);
    findRows();
    endResetModel();
}

void OutlineModel::findRows()
{
    m_rows.clear();
    m_counts.clear();
    if (m_matches) {
        m_counts.assign(1, 0);
        for (size_t i = 0; i < m_matches->size(); ++i)
            m_counts.push_back(m_counts.back() + ((*m_matches)[i] ? 1U : 0U));
    }
    m_rowOf.assign(m_outline->entries.size(), kNoRow);
    for (size_t i = 0; i < m_outline->entries.size(); ++i) {
        const OutlineEntry &entry = m_outline->entries[i];
        const bool isShown = m_matches ? m_counts[entry.lastMessage] > m_counts[entry.firstMessage]
                                       : entry.messageCount() > 0 || entry.kind == OutlineEntry::Kind::Compaction;
        if (!isShown)
            continue;
        m_rowOf[i] = static_cast<uint32_t>(m_rows.size());
        m_rows.push_back(static_cast<uint32_t>(i));
    }
}

void OutlineModel::setBookmarks(std::vector<core::MessageId> messages)
{
    m_bookmarks = std::move(messages);
    announce();
}

// --- places ---------------------------------------------------------------------------------------------------------

bool OutlineModel::showsTyped(size_t index) const
{
    const OutlineEntry &entry = m_outline->entries[index];
    return entry.beginsTyped() && isShown(entry.firstMessage);
}

bool OutlineModel::isGrouped(size_t index) const { return m_outline->entries[index].kind == OutlineEntry::Kind::Turn; }

size_t OutlineModel::firstSlotPlace(size_t index) const
{
    const OutlineEntry &entry = m_outline->entries[index];
    return entry.firstMessage + (entry.beginsTyped() ? 1 : 0);
}

size_t OutlineModel::slotCount(size_t index) const
{
    const size_t last = m_outline->entries[index].lastMessage;
    return m_matches ? m_counts[last] - m_counts[firstSlotPlace(index)] : last - firstSlotPlace(index);
}

size_t OutlineModel::slotPlace(size_t index, size_t row) const
{
    const size_t first = firstSlotPlace(index);
    if (!m_matches)
        return first + row;
    // The position after which the count of matches has grown by row + 1.
    const auto wanted = m_counts[first] + static_cast<uint32_t>(row) + 1;
    const auto found = std::lower_bound(m_counts.begin() + static_cast<ptrdiff_t>(first), m_counts.end(), wanted);
    return static_cast<size_t>(found - m_counts.begin()) - 1;
}

OutlineModel::Kind OutlineModel::kindOf(const QModelIndex &index) const
{
    const size_t entry = entryIndexOf(index);
    switch (levelOf(index)) {
    case Top:
        switch (m_outline->entries[entry].kind) {
        case OutlineEntry::Kind::Opening:
            return Kind::Opening;
        case OutlineEntry::Kind::Turn:
            return Kind::Turn;
        case OutlineEntry::Kind::Compaction:
            return Kind::Compaction;
        }
        break;
    case Child:
        if (!isGrouped(entry))
            return Kind::Slot;
        return index.row() == 0 && showsTyped(entry) ? Kind::Typed : Kind::Group;
    case Leaf:
        break;
    }
    return Kind::Slot;
}

const OutlineEntry &OutlineModel::entryOf(const QModelIndex &index) const
{
    return m_outline->entries[entryIndexOf(index)];
}

core::MessageId OutlineModel::messageOf(const QModelIndex &index) const
{
    const size_t entryIndex = entryIndexOf(index);
    const OutlineEntry &entry = m_outline->entries[entryIndex];
    const auto at
        = [&](size_t place) { return place < entry.lastMessage ? m_outline->messages[place] : core::MessageId(); };
    switch (kindOf(index)) {
    case Kind::Opening:
    case Kind::Turn:
    case Kind::Compaction:
    case Kind::Typed:
        return at(entry.firstMessage);
    case Kind::Group:
        return at(slotPlace(entryIndex, 0));
    case Kind::Slot:
        return at(slotPlace(entryIndex, static_cast<size_t>(index.row())));
    }
    return {};
}

QModelIndex OutlineModel::indexOf(core::MessageId message) const
{
    const auto found = std::ranges::lower_bound(m_outline->messages, message);
    const auto entry = m_outline->entryOf(message);
    if (!entry || m_rowOf[*entry] == kNoRow)
        return {};
    const auto place = static_cast<size_t>(found - m_outline->messages.begin());
    if (!isShown(place))
        return {};
    const QModelIndex top = index(static_cast<int>(m_rowOf[*entry]), 0);
    const size_t first = firstSlotPlace(*entry);
    if (place < first)
        return index(0, 0, top);
    const size_t row = m_matches ? m_counts[place] - m_counts[first] : place - first;
    const QModelIndex parent = isGrouped(*entry) ? index(showsTyped(*entry) ? 1 : 0, 0, top) : top;
    return index(static_cast<int>(row), 0, parent);
}

quint64 OutlineModel::keyOf(const QModelIndex &index) const
{
    const OutlineEntry &entry = entryOf(index);
    const auto kind = static_cast<quint64>(kindOf(index));
    if (kind == static_cast<quint64>(Kind::Slot))
        return (static_cast<quint64>(messageOf(index).value()) << 8U) | kind;
    return (static_cast<quint64>(entry.number) << 32U) | (static_cast<quint64>(entry.firstMessage) << 8U) | kind;
}

// --- the model ------------------------------------------------------------------------------------------------------

QModelIndex OutlineModel::index(int row, int column, const QModelIndex &parent) const
{
    if (row < 0 || column != 0 || row >= rowCount(parent))
        return {};
    if (!parent.isValid())
        return createIndex(row, 0, idOf(m_rows[static_cast<size_t>(row)], Top));
    return createIndex(row, 0, idOf(entryIndexOf(parent), levelOf(parent) == Top ? Child : Leaf));
}

QModelIndex OutlineModel::parent(const QModelIndex &child) const
{
    if (!child.isValid() || levelOf(child) == Top)
        return {};
    const size_t entry = entryIndexOf(child);
    if (levelOf(child) == Child)
        return createIndex(static_cast<int>(m_rowOf[entry]), 0, idOf(entry, Top));
    return createIndex(showsTyped(entry) ? 1 : 0, 0, idOf(entry, Child));
}

int OutlineModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid())
        return static_cast<int>(m_rows.size());
    if (parent.column() != 0 || levelOf(parent) == Leaf)
        return 0;
    const size_t entry = entryIndexOf(parent);
    const auto slotRows = static_cast<int>(slotCount(entry));
    if (levelOf(parent) == Child)
        return kindOf(parent) == Kind::Group ? slotRows : 0;
    if (!isGrouped(entry))
        return slotRows;
    return (showsTyped(entry) ? 1 : 0) + (slotRows > 0 ? 1 : 0);
}

int OutlineModel::columnCount(const QModelIndex &) const { return 1; }

double OutlineModel::weightOf(size_t firstPlace, size_t lastPlace) const
{
    return m_sums[lastPlace] - m_sums[firstPlace];
}

const core::RecordedCompaction &OutlineModel::compactionOf(const OutlineEntry &entry) const
{
    return m_session->thread(m_thread).compactions[entry.number - 1];
}

QString OutlineModel::entryText(const OutlineEntry &entry) const
{
    const auto number = static_cast<qulonglong>(entry.number);
    switch (entry.kind) {
    case OutlineEntry::Kind::Opening:
        return m_outline->turnCount > 0 ? tr("Before turn 1") : tr("Messages");
    case OutlineEntry::Kind::Turn:
        return entry.isContinued ? tr("Turn %1, continued").arg(number) : tr("Turn %1").arg(number);
    case OutlineEntry::Kind::Compaction:
        break;
    }
    const core::CompactionKind kind = compactionOf(entry).kind;
    QString name = tr("Compaction %1").arg(number);
    if (kind != core::CompactionKind::Summary) // most are
        name += u", "_s + compactionWord(kind);
    return entry.firstCall.isValid() ? name + u" · "_s + QString::number(entry.firstCall.value()) : name;
}

QString OutlineModel::compactionFigure(const OutlineEntry &entry) const
{
    const core::RecordedCompaction &compaction = compactionOf(entry);
    std::optional<uint64_t> before = compaction.beforeTokens;
    const auto &calls = m_session->thread(m_thread).calls;
    if (compaction.call.isValid() && compaction.call.index() < calls.size()) {
        const auto &usage = calls[compaction.call.index()].usage;
        if (usage && usage->prompt() > 0)
            before = usage->prompt();
    }
    const auto figure = [](std::optional<uint64_t> tokens) {
        if (!tokens)
            return u"?"_s;
        // Whole thousands: there is room for two figures and no more.
        const double thousands = std::round(static_cast<double>(*tokens) / 1000);
        return displayText(
                   core::shortNumber(thousands < 1 || thousands >= 1000 ? static_cast<double>(*tokens) : thousands))
            + (thousands < 1 || thousands >= 1000 ? QString() : u"k"_s);
    };
    if (!before && !compaction.afterTokens)
        return {};
    return figure(before) + u" → "_s + figure(compaction.afterTokens);
}

QString OutlineModel::typedText(const core::Session &session, core::MessageId id)
{
    const core::Message &message = session.message(id);
    const core::Block *typed = nullptr;
    for (uint32_t i = 0; i < message.count; ++i) {
        const core::Block &block = session.blocks[message.first.index() + i];
        const bool isText = block.kind == core::BlockKind::Text;
        if (block.is(core::BlockFlag::Typed) && isText) {
            typed = &block;
            break;
        }
        if (typed == nullptr && (isText || block.is(core::BlockFlag::Typed)))
            typed = &block;
    }
    if (typed == nullptr)
        return {};
    if (typed->kind != core::BlockKind::Text)
        return displayText(core::labelOf(session, *typed).what);
    return u'“' + displayText(core::snippet(session.textHead(typed->body, 4 * kTypedCharacters), kTypedCharacters))
        + u'”';
}

QString OutlineModel::slotText(const core::Session &session, core::MessageId message)
{
    const core::SlotLabel label = core::labelOf(session, message);
    std::string_view what = label.what;
    QString lead;
    if (what.starts_with("tool_call "))
        what.remove_prefix(10);
    else if (what.starts_with("result ") || what == "result")
        what.remove_prefix(std::min<size_t>(7, what.size())), lead = u"↳ "_s;
    else if (what.starts_with("error") || what.starts_with("cleared"))
        lead = u"↳ "_s;
    const std::string_view subject = shortSubject(label.subject);
    if (what == "text" && !subject.empty())
        return displayText(subject);
    return lead + displayText(what)
        + (subject.empty() ? QString() : (what.empty() ? u""_s : u" "_s) + displayText(subject));
}

QString OutlineModel::accessibleText(const QModelIndex &index) const
{
    const QString figure = data(index, FigureRole).toString();
    QString name = data(index, Qt::DisplayRole).toString();
    const Kind kind = kindOf(index);
    if (kind == Kind::Compaction)
        return name + u", "_s + figure + tr(" tokens");
    if (kind == Kind::Slot)
        name = tr("message %1, ").arg(messageOf(index).value())
            + displayText(core::labelOf(*m_session, messageOf(index)).text()) + u", "_s + name;
    name += u", "_s + figure + u' ' + displayText(m_weights.unitName());
    if (data(index, HotRole).toBool())
        name += tr(", hot");
    if (data(index, BookmarkRole).toBool())
        name += tr(", bookmarked");
    if (!data(index, InArrayRole).toBool())
        name += tr(", not in the array of the chosen call");
    return name;
}

QVariant OutlineModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || !m_session)
        return {};
    const OutlineEntry &entry = entryOf(index);
    const Kind kind = kindOf(index);
    const size_t entryIndex = entryIndexOf(index);
    // The messages that the row represents.
    size_t first = entry.firstMessage;
    size_t last = entry.lastMessage;
    if (kind == Kind::Typed) {
        last = first + 1;
    } else if (kind == Kind::Group) {
        first = firstSlotPlace(entryIndex);
    } else if (kind == Kind::Slot) {
        first = slotPlace(entryIndex, static_cast<size_t>(index.row()));
        last = first + 1;
    }
    switch (role) {
    case Qt::DisplayRole:
        switch (kind) {
        case Kind::Opening:
        case Kind::Turn:
        case Kind::Compaction:
            return entryText(entry);
        case Kind::Typed:
            return tr("user %1").arg(typedText(*m_session, m_outline->messages[first]));
        case Kind::Group:
            return entry.callCount > 0 ? tr("model · %1").arg(counted(entry.callCount, tr("call"), tr("calls")))
                                       : counted(static_cast<size_t>(last - first), tr("message"), tr("messages"));
        case Kind::Slot:
            return slotText(*m_session, m_outline->messages[first]);
        }
        return {};
    case KindRole:
        return static_cast<int>(kind);
    case FigureRole:
        if (kind == Kind::Compaction)
            return compactionFigure(entry);
        return displayText(m_weights.shown(weightOf(first, last)));
    case MaterialRole:
        if (kind == Kind::Slot || kind == Kind::Typed)
            return static_cast<int>(slotMaterial(*m_session, m_outline->messages[first]));
        return {};
    case InArrayRole:
        if (kind == Kind::Compaction)
            return true;
        return hasInArray(first, last);
    case HotRole:
        return (kind == Kind::Slot || kind == Kind::Typed)
            && std::ranges::binary_search(m_hot, m_outline->messages[first]);
    case BookmarkRole: {
        if (first >= last || kind == Kind::Compaction)
            return false;
        const auto messages = std::span(m_outline->messages).subspan(first, last - first);
        // A subagent may have written between these messages.
        return std::any_of(std::ranges::lower_bound(m_bookmarks, messages.front()),
            std::ranges::upper_bound(m_bookmarks, messages.back()),
            [&](core::MessageId each) { return std::ranges::binary_search(messages, each); });
    }
    case HereRole:
        return kind == Kind::Compaction && entry.number == m_compactionHere;
    case Qt::ToolTipRole:
        if (kind == Kind::Slot) {
            const core::SlotLabel label = core::labelOf(*m_session, m_outline->messages[first]);
            const QString tip = u"#%1 "_s.arg(m_outline->messages[first].value()) + displayText(label.text())
                + (label.subject.empty() ? QString() : u'\n' + displayText(label.subject));
            return toolTipText(tip);
        }
        return {};
    case Qt::AccessibleTextRole:
        return accessibleText(index);
    default:
        return {};
    }
}

} // namespace ui
