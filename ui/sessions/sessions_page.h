// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/sessions/sessions_model.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QTreeView;

namespace ui {

class DayBars;
class FacetList;
class SearchLine;
class SessionPreview;
class SessionsDelegate;

/// The sessions on this computer: filters at the left, the list in the middle, the chosen session at the right, and a
/// search over all texts at the head.
class SessionsPage final : public QWidget {
    Q_OBJECT

public:
    explicit SessionsPage(QWidget *parent = nullptr);
    ~SessionsPage() override;

    void setTheme(const Theme &theme);
    [[nodiscard]] SessionLibrary &library() { return m_library; }
    [[nodiscard]] SessionsModel &model() { return *m_model; }
    [[nodiscard]] QTreeView &table() const { return *m_table; }
    [[nodiscard]] SearchLine &searchLine() const { return *m_search; }
    [[nodiscard]] bool hasSessions() const { return m_library.list() && !m_library.list()->sessions.empty(); }
    /// What each day, project and model cost, as CSV, of the shown sessions.
    [[nodiscard]] QByteArray costs() const;

Q_SIGNALS:
    void openRequested(const QString &file, uint thread);
    /// Opens the session with this block chosen, and with the filter line that finds it.
    void blockRequested(const QString &file, uint block, const QString &line);
    void tuneRequested(const QString &project, const QStringList &files);
    /// There are sessions now, or none any more.
    void hasSessionsChanged();

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void arrange();
    void follow();
    void refresh();
    void refreshWords();
    void refreshRows();
    void setFilter(const SessionFilter &filter);
    void choose(int row);
    void openRow(int row);
    void sizeColumns();
    /// The row that stays where it is when the list changes; -1 if none has to.
    [[nodiscard]] int steadyRow() const;
    [[nodiscard]] QString headText() const;
    [[nodiscard]] QString stageText() const;
    [[nodiscard]] QString emptyText() const; ///< why no row is shown

    Theme m_theme = Theme::make(Appearance::Light);
    SessionLibrary m_library;
    SessionsModel *m_model;
    SessionsDelegate *m_delegate;
    QLabel *m_title;
    QLabel *m_summary;
    QPushButton *m_heldBack; ///< shows further sessions that match
    SearchLine *m_search;
    QTimer m_searchLater;
    QWidget *m_left;
    FacetList *m_facets;
    QLabel *m_daysTitle;
    QLabel *m_daysNote; ///< what the sum leaves out
    DayBars *m_days;
    QTreeView *m_table;
    QLabel *m_empty; ///< in place of the table
    SessionPreview *m_preview;
    QLabel *m_folders;
    QLabel *m_stage;
    bool m_hadSessions = false;
    bool m_hasChosen = false;                  ///< the user chose a row
    std::pair<std::string, uint32_t> m_chosen; ///< file and thread
};

} // namespace ui
