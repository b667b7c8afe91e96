// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/tuning/folder/folder_model.h"
#include "ui/widgets/segmented_control.h"

#include <QWidget>

class QBoxLayout;
class QLabel;
class QPushButton;
class QStackedLayout;
class QToolButton;

namespace ui {

class CellReadout;
class FolderReachView;
class FrontPanel;
class FrontView;
class MapView;
class RampLegend;
class RunsMenu;
class SettingChoosers;
class SuggestionView;
class WorstRunsView;
class WrappedLabel;

/// The Tuning view of many sessions: cost and losses of the policy in the runs of a folder over two of its settings,
/// the worst runs of a cell, and a suggestion.
class FolderPage final : public QWidget {
    Q_OBJECT

public:
    /// The view below the map; in a wide page, beside it.
    enum class Below { WorstRuns, Suggestion, Reach, Front };

    explicit FolderPage(ViewState &state, QWidget *parent = nullptr);
    ~FolderPage() override;

    [[nodiscard]] FolderModel &model() { return m_model; }
    [[nodiscard]] MapView &map() const { return *m_map; }
    [[nodiscard]] WorstRunsView &worstRuns() const { return *m_worst; }
    [[nodiscard]] FrontView &front() const;
    void setBelow(Below below);
    /// Reserves pixels at the left of the head for controls of the window.
    void setHeadRoom(int width);
    /// For pictures and tests: loads as if visible, and waits until all files are read and a policy is suggested.
    void waitForMap();

    [[nodiscard]] QSize minimumSizeHint() const override { return { 300, 250 }; }

Q_SIGNALS:
    void runRequested(const QString &file, uint thread);
    /// All projects in place of one.
    void widenRequested();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void makeHead();
    void makeBody();
    void connectChoosers();
    void refresh();
    [[nodiscard]] QString titleWords() const;
    [[nodiscard]] QString mapWords() const;
    [[nodiscard]] QString leftOutWords() const;
    [[nodiscard]] QString emptyWords() const;
    [[nodiscard]] Below below() const;
    [[nodiscard]] QString belowWords() const;
    [[nodiscard]] QString frontWords() const;
    /// Hides parts that do not fit.
    void fitParts();
    /// Whether the page is too low for both the map and the view below it.
    [[nodiscard]] bool isLow() const;
    /// Whether the page has room for the map and another view side by side.
    [[nodiscard]] bool isWide() const;
    void applyTheme();

    FolderModel m_model;
    QWidget *m_headRoom;
    QLabel *m_title;
    WrappedLabel *m_answer;       ///< of the suggestion: the verdict
    WrappedLabel *m_besideAnswer; ///< the other sentences
    QToolButton *m_widen;
    QPushButton *m_stop;
    RunsMenu *m_runs;
    SegmentedControl *m_metric;
    SegmentedControl *m_spread;
    SettingChoosers *m_settings;
    MapView *m_map;
    QBoxLayout *m_parts;      ///< the map above the other view or at its left
    QBoxLayout *m_mapPart;    ///< the map, and in a narrow page `m_side`
    QBoxLayout *m_otherPart;  ///< the other view, and in a wide page `m_side` below it
    QWidget *m_side;          ///< legend and read-out
    WrappedLabel *m_mapWords; ///< what the marks on the map mean
    RampLegend *m_legend;
    CellReadout *m_readout;
    SegmentedControl *m_belowSwitch;
    SegmentedControl *m_shown; ///< on a low page: shows the map or one of the views below it
    QLabel *m_belowTitle;
    QWidget *m_below;
    QStackedLayout *m_belowPages;
    WorstRunsView *m_worst;
    SuggestionView *m_suggestion;
    FolderReachView *m_reach;
    FrontPanel *m_front;
};

} // namespace ui
