// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/search/search_model.h"

#include "core/evidence/message_state.h"
#include "core/session/slot_label.h"
#include "ui/hub/searched_texts.h"
#include "ui/hub/thread_facts.h"
#include "ui/hub/workspace.h"

#include <QFontMetrics>

#include <algorithm>
#include <memory>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kMeasured = 100; ///< rows

} // namespace

SearchModel::SearchModel(const SessionSearch &search, const Workspace &workspace, QObject *parent)
    : QAbstractTableModel(parent)
    , m_search(search)
    , m_workspace(workspace)
{
    connect(&search, &SessionSearch::started, this, [this] {
        readTexts();
        beginResetModel();
        m_rows = 0;
        endResetModel();
    });
    connect(&search, &SessionSearch::grown, this, [this](size_t first) {
        const auto count = static_cast<int>(m_search.hits().size());
        beginInsertRows({}, static_cast<int>(first), count - 1);
        m_rows = count;
        endInsertRows();
    });
    connect(&workspace.facts(), &ThreadFacts::traceGroundChanged, this, [this] {
        if (m_rows > 0)
            Q_EMIT dataChanged(index(0, State), index(m_rows - 1, State));
    });
    m_rows = static_cast<int>(search.hits().size());
    readTexts();
}

void SearchModel::readTexts()
{
    if (auto texts = searchedTexts(m_search))
        m_texts = *std::move(texts);
}

int SearchModel::rowOf(core::BlockId block) const
{
    const auto &hits = m_search.hits();
    const auto found = std::ranges::lower_bound(hits, block, {}, &core::SearchHit::block);
    const auto row = static_cast<int>(found - hits.begin());
    return found != hits.end() && found->block == block && row < m_rows ? row : -1;
}

const core::Block &SearchModel::block(int row) const { return m_workspace.session()->block(hit(row).block); }

QColor SearchModel::materialColour(int row) const
{
    return m_theme.of(core::materialOf(*m_workspace.session(), block(row)));
}

int SearchModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : m_rows; }

int SearchModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

std::vector<core::TextPlace> SearchModel::marks(int row) const { return placesOf(m_texts, hit(row).snippet.text); }

const core::Trace *SearchModel::traceOf(core::BlockId block) const
{
    const TraceGroundPtr ground = m_workspace.facts().traceGround();
    if (!ground)
        return nullptr;
    const auto found = std::ranges::find(ground->userMessages, block, &core::Trace::block);
    return found == ground->userMessages.end() ? nullptr : std::to_address(found);
}

std::optional<SearchModel::TypedCount> SearchModel::typedCount() const
{
    const TraceGroundPtr ground = m_workspace.facts().traceGround();
    if (!ground)
        return std::nullopt;
    TypedCount count;
    for (const core::Trace &message : ground->userMessages) {
        if (!m_search.isHit(message.block))
            continue;
        ++count.all;
        const core::MessageState state = core::messageStateAt(ground->spans, message, ground->spans.callCount);
        count.gone += state == core::MessageState::Gone || state == core::MessageState::Replaced ? 1 : 0;
    }
    return count;
}

int SearchModel::widthOf(Column column) const
{
    int widest = 0;
    for (int row = 0; row < std::min(m_rows, kMeasured); ++row) {
        const QModelIndex cell = index(row, column);
        const QFontMetrics metrics(cell.data(Qt::FontRole).value<QFont>());
        widest = std::max(widest, metrics.horizontalAdvance(cell.data().toString()));
    }
    return widest;
}

QString SearchModel::text(int row, int column) const
{
    const core::BlockLife &life = m_search.lives()->of(hit(row).block);
    switch (column) {
    case Block: {
        const core::MessageId message = block(row).message;
        const QString label = displayText(core::labelOf(*m_workspace.session(), block(row)).text());
        return message.isValid() ? u"#%1 %2"_s.arg(message.value()).arg(label) : label;
    }
    case Text:
        return displayText(hit(row).snippet.text);
    case Calls:
        return displayText(core::callsText(life));
    case State:
        if (const core::Trace *message = traceOf(hit(row).block))
            return displayText(core::stateText(block(row), life, m_workspace.facts().traceGround()->spans, *message));
        return displayText(core::stateText(block(row), life));
    default:
        return {};
    }
}

QColor SearchModel::colour(int row, int column) const
{
    const core::BlockLife &life = m_search.lives()->of(hit(row).block);
    return column == Calls || (column == State && !life.isAtEnd) ? m_theme.secondary : m_theme.text;
}

QVariant SearchModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return text(index.row(), index.column());
    case Qt::ToolTipRole:
        return toolTipText(text(index.row(), index.column()));
    case Qt::FontRole:
        return index.column() == Text ? Theme::textFont(13) : Theme::textFont(12);
    case Qt::ForegroundRole:
        return colour(index.row(), index.column());
    default:
        return {};
    }
}

QVariant SearchModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && section == Calls)
        return toolTipText(tr("The calls that contained the block itself. A summary may quote it in later calls"));
    if (role == Qt::ToolTipRole && section == State)
        return toolTipText(tr("Whether the array at the end has the block. A summary may still quote it"));
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Block:
        return tr("block");
    case Text:
        return tr("text");
    case Calls:
        return tr("block in context at");
    case State:
        return tr("at the end");
    default:
        return {};
    }
}

} // namespace ui
