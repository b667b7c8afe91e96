// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/view_state.h"

#include <QWidget>

class QStackedLayout;

namespace ui {

class ArrayPage;
class DifferencePage;
class EditsPage;
class SegmentedControl;
class TuningPages;
struct ComparedArray;

/// The views of the middle, one at a time, with the switch between them at their head. The choice is remembered.
class CentrePages final : public QWidget {
    Q_OBJECT

public:
    enum class Page { Array, Edits, Tuning };

    explicit CentrePages(ViewState &state, QWidget *parent = nullptr);

    [[nodiscard]] ArrayPage *arrayPage() const { return m_array; }
    [[nodiscard]] EditsPage *editsPage() const { return m_edits; }
    [[nodiscard]] TuningPages *tuningPages() const { return m_tuning; }
    [[nodiscard]] Page page() const;
    /// Shows it without a word in the settings.
    void setPage(Page page);
    /// Shows it, gives it the focus, and opens it the next time.
    void choose(Page page);
    /// What two runs make of the array at the chosen call, instead of the Tuning view.
    void showDifference(const ComparedArray &before, const ComparedArray &after);
    /// Back to the Tuning view; false if no difference is shown.
    bool closeDifference();
    /// nullptr while none is shown.
    [[nodiscard]] DifferencePage *differencePage() const { return m_difference; }

Q_SIGNALS:
    void pageChanged();

private:
    void dropDifference();

    ViewState &m_state;
    ArrayPage *m_array;
    EditsPage *m_edits;
    TuningPages *m_tuning;
    DifferencePage *m_difference = nullptr;
    SegmentedControl *m_switch;
    QStackedLayout *m_pages;
};

} // namespace ui
