// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/bookmarks/bookmarks_model.h"

#include "core/base/text.h"
#include "core/session/outline.h"
#include "ui/hub/bookmarks.h"

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr size_t kSubjectLength = 160; ///< code points

} // namespace

BookmarksModel::BookmarksModel(ViewState &state, QObject *parent)
    : QAbstractTableModel(parent)
    , m_state(state)
{
}

void BookmarksModel::refresh()
{
    const std::vector<core::BlockId> &places = m_state.workspace().bookmarks().places();
    if (places == m_places) { // a note was changed
        if (!places.empty())
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
        return;
    }
    beginResetModel();
    m_places = places;
    endResetModel();
}

int BookmarksModel::rowOf(core::BlockId block) const
{
    const core::SessionPtr &session = m_state.session();
    if (!session || !block.isValid() || block.index() >= session->blocks.size())
        return -1;
    const core::MessageId message = session->block(block).message;
    const auto found = std::ranges::find_if(m_places, [&](core::BlockId each) {
        return each == block || (message.isValid() && session->block(each).message == message);
    });
    return found == m_places.end() ? -1 : static_cast<int>(found - m_places.begin());
}

int BookmarksModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_places.size());
}

int BookmarksModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString BookmarksModel::text(core::BlockId id, int column) const
{
    const core::Session &session = *m_state.session();
    const core::Block &block = session.block(id);
    switch (column) {
    case Place:
        return block.message.isValid() ? u"#%1"_s.arg(block.message.value()) : QString();
    case What: {
        const core::SlotLabel label
            = block.message.isValid() ? core::labelOf(session, block.message) : core::labelOf(session, block);
        QString words = displayText(label.text());
        if (!label.subject.empty())
            words += u" · "_s + displayText(core::snippet(label.subject, kSubjectLength));
        return words;
    }
    default:
        return displayText(m_state.workspace().bookmarks().noteOf(id)).replace(u'\n', u' ');
    }
}

QVariant BookmarksModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || !m_state.session())
        return {};
    const core::BlockId id = block(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return text(id, index.column());
    case Qt::ToolTipRole:
        return index.column() == Note ? toolTipText(displayText(m_state.workspace().bookmarks().noteOf(id)))
                                      : toolTipText(text(id, index.column()));
    case Qt::FontRole:
        return index.column() == Place ? Theme::figureFont(12) : Theme::textFont(12);
    case Qt::ForegroundRole:
        return index.column() == What ? m_state.theme().secondary : m_state.theme().text;
    default:
        return {};
    }
}

QVariant BookmarksModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Place:
        return tr("message");
    case What:
        return tr("what it is");
    default:
        return tr("note");
    }
}

} // namespace ui
