// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/view_state.h"

#include <QWidget>

class QLabel;
class QStackedLayout;

namespace ui {

class ActionRegistry;
class ArrayPage;
class DifferencePage;
class EditsPage;
class EmptyPage;
class SessionsPage;
class TuningPages;
struct ComparedArray;

/// The pages of the centre, one visible at a time. A session opens on the page Array. `Layouts` arranges the rest of
/// the window for each page.
class CentrePages final : public QWidget {
    Q_OBJECT

public:
    enum class Page { Sessions, Array, Tuning, Edits };
    static constexpr size_t kPageCount = 4;

    explicit CentrePages(ViewState &state, QWidget *parent = nullptr);

    /// The names that users see, in the order of `Page`.
    [[nodiscard]] static QStringList titles();
    /// For settings, actions and pictures: `debug`.
    [[nodiscard]] static QString nameOf(Page page);
    /// Adds an action for each page that shows and focuses it.
    void addActions(ActionRegistry &actions, const QString &menu);
    [[nodiscard]] SessionsPage *sessionsPage() const { return m_sessions; }
    /// In place of the Sessions page while no sessions are known.
    [[nodiscard]] EmptyPage *emptyPage() const { return m_empty; }
    [[nodiscard]] ArrayPage *arrayPage() const { return m_array; }
    [[nodiscard]] EditsPage *editsPage() const { return m_edits; }
    [[nodiscard]] TuningPages *tuningPages() const { return m_tuning; }
    [[nodiscard]] Page page() const;
    /// Shows a page.
    void setPage(Page page);
    /// Shows and focuses a page. Does nothing if the page would be empty.
    void choose(Page page);
    /// Puts the cursor into the search line of the Sessions page; false if that page is not shown.
    bool focusSearch();
    /// Leaves the Sessions page for the page Array; other pages stay.
    void showSession();
    /// Shows the difference between the arrays of two runs at the chosen call, in place of the Tuning view.
    void showDifference(const ComparedArray &before, const ComparedArray &after);
    /// Returns to the Tuning view; false if no difference is shown.
    bool closeDifference();
    /// nullptr if no difference is shown.
    [[nodiscard]] DifferencePage *differencePage() const { return m_difference; }

Q_SIGNALS:
    void pageChanged();

private:
    void dropDifference();
    void takeFocus(Page page);
    /// While no session is there: the file that is being read, the sessions, or the empty page.
    void showFirstPage();

    ViewState &m_state;
    SessionsPage *m_sessions;
    EmptyPage *m_empty;
    QLabel *m_reading;
    QStackedLayout *m_firstPages; ///< these three
    ArrayPage *m_array;
    EditsPage *m_edits;
    TuningPages *m_tuning;
    DifferencePage *m_difference = nullptr;
    QStackedLayout *m_pages;
};

} // namespace ui
