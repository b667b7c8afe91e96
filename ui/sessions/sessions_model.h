// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"
#include "ui/sessions/session_library.h"

#include <QAbstractTableModel>

#include <optional>
#include <set>

namespace ui {

/// What the facets at the left choose. Empty parts choose everything.
struct SessionFilter {
    std::set<std::string> harnesses;
    std::set<std::string> folders;
    std::set<std::string> findings; ///< kinds
    /// Days since 1970 (UTC) of the last call: first and last.
    std::optional<std::pair<int, int>> days;

    [[nodiscard]] bool accepts(const core::SessionEntry &entry) const;
    [[nodiscard]] bool isEmpty() const
    {
        return harnesses.empty() && folders.empty() && findings.empty() && !days.has_value();
    }
    friend bool operator==(const SessionFilter &, const SessionFilter &) = default;
};

/// The day of a session's end; nullopt without a time.
[[nodiscard]] std::optional<int> dayOf(const core::SessionEntry &entry);

/// `now`, `14:02`, `yesterday`, `Fri`, `24 Oct`, `24 Oct 2025`: when a session ended, in local time.
[[nodiscard]] QString whenText(const core::SessionEntry &entry);

/// A session whose last message is less than two minutes old.
[[nodiscard]] bool isInUse(const core::SessionEntry &entry);

/// The sessions that the filter and the search choose, a row each.
class SessionsModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Session, Context, Calls, Peak, Cost, Found, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setContents(LibraryListPtr list, LibrarySearchPtr search);
    void setFilter(const SessionFilter &filter);
    [[nodiscard]] const SessionFilter &filter() const { return m_filter; }
    [[nodiscard]] const LibraryListPtr &list() const { return m_list; }
    [[nodiscard]] const LibrarySearchPtr &search() const { return m_search; }

    [[nodiscard]] const core::ListedSession &session(int row) const
    {
        return *m_rows[static_cast<size_t>(row)].session;
    }
    /// The hits of the search in a row's session; nullptr without a search.
    [[nodiscard]] const core::SessionHits *hits(int row) const { return m_rows[static_cast<size_t>(row)].hits; }
    /// The row of this session file and thread; -1 if it is not shown.
    [[nodiscard]] int rowOf(const std::string &file, uint32_t thread) const;
    [[nodiscard]] std::vector<const core::ListedSession *> shown() const;
    /// The sessions that the search chooses, whatever the filter does. They refer to `list`.
    [[nodiscard]] const std::vector<const core::ListedSession *> &found() const { return m_found; }

    /// `Claude Code · opus-4-5 · cli · 14:02 · 38 min`
    [[nodiscard]] QString subtitle(int row) const;
    [[nodiscard]] QString title(int row) const;
    /// What tells the row from others with its title, or the name by which the search found it; empty if the row needs
    /// none.
    [[nodiscard]] QString name(int row) const;
    /// How many calls an earlier session has too, and what they cost; empty if there are none.
    [[nodiscard]] QString copiesTip(int row) const;

    // QAbstractTableModel
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    struct Row {
        const core::ListedSession *session = nullptr;
        const core::SessionHits *hits = nullptr; ///< of the search: an element of its sessions
    };

    void rebuild();
    void sortRows();

    LibraryListPtr m_list;
    LibrarySearchPtr m_search;
    SessionFilter m_filter;
    std::vector<Row> m_rows;
    std::vector<const core::ListedSession *> m_found;
    int m_sortColumn = Session;
    Qt::SortOrder m_order = Qt::DescendingOrder;
};

} // namespace ui
