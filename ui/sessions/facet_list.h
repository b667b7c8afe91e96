// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/sessions/sessions_model.h"

#include <QListView>

class QStandardItemModel;

namespace ui {

/// Harnesses, projects and findings with the number of their sessions. A click shows only what has this value; another
/// click shows all again; Ctrl with a click adds a value.
class FacetList final : public QListView {
    Q_OBJECT

public:
    explicit FacetList(QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    /// Lists the values of all sessions. The count of a value is the number of rows that its choice would give beside
    /// the search and the filters of the other groups.
    void setContents(const SessionsModel &model);

Q_SIGNALS:
    void filterChosen(const SessionFilter &filter);

private:
    enum Role { KindRole = Qt::UserRole, KeyRole, CountRole, ChosenRole };
    enum class Kind : int { Heading, All, Harness, Folder, Finding, More };

    void add(Kind kind, const QString &name, const std::string &key, std::optional<size_t> count, bool isChosen);
    void addProjects(const std::vector<std::pair<std::string, size_t>> &projects, std::map<std::string, size_t> counts);
    void toggle(const QModelIndex &index, bool isAdding);
    void refill();
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

    class Delegate;

    QStandardItemModel *m_model;
    Delegate *m_delegate;
    LibraryListPtr m_list; ///< owns the sessions
    std::vector<const core::ListedSession *> m_found;
    SessionFilter m_filter;
    bool m_showsAllProjects = false;
};

} // namespace ui
