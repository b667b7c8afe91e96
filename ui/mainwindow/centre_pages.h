// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/view_state.h"

#include <QWidget>

#include <functional>
#include <vector>

class QStackedLayout;

namespace ui {

class ActionRegistry;
class ArrayPage;
class DifferencePage;
class EditsPage;
class SegmentedControl;
class TuningPages;
struct ComparedArray;

/// The pages of the centre, one visible at a time, and the switch between them. The settings store the choice. To add a
/// page, add a row in the constructor, and a value of `Page` if others need to name it.
class CentrePages final : public QWidget {
    Q_OBJECT

public:
    enum class Page { Array, Edits, Tuning }; ///< in the order of the rows

    explicit CentrePages(ViewState &state, QWidget *parent = nullptr);

    /// Adds an action for each page that shows and focuses it.
    void addActions(ActionRegistry &actions, const QString &menu);
    [[nodiscard]] ArrayPage *arrayPage() const { return m_array; }
    [[nodiscard]] EditsPage *editsPage() const { return m_edits; }
    [[nodiscard]] TuningPages *tuningPages() const { return m_tuning; }
    [[nodiscard]] Page page() const;
    /// Shows a page without changing the settings.
    void setPage(Page page);
    /// Shows and focuses a page, and stores it in the settings.
    void choose(Page page);
    /// Shows the difference between the arrays of two runs at the chosen call, in place of the Tuning view.
    void showDifference(const ComparedArray &before, const ComparedArray &after);
    /// Returns to the Tuning view; false if no difference is shown.
    bool closeDifference();
    /// nullptr if no difference is shown.
    [[nodiscard]] DifferencePage *differencePage() const { return m_difference; }

Q_SIGNALS:
    void pageChanged();

private:
    struct Row {
        QString name; ///< for its action `view.NAME` and for the settings
        QString title;
        Qt::Key key; ///< with Ctrl+Shift it shows the page
        QWidget *page;
        std::function<void(int)> setHeadRoom; ///< pixels at the left of its head to reserve for the switch
        std::function<void()> takeFocus;
    };

    void dropDifference();

    ViewState &m_state;
    ArrayPage *m_array;
    EditsPage *m_edits;
    TuningPages *m_tuning;
    DifferencePage *m_difference = nullptr;
    SegmentedControl *m_switch;
    QStackedLayout *m_pages;
    std::vector<Row> m_rows;
};

} // namespace ui
