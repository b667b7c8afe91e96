// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/tuning/session/tuning_model.h"
#include "ui/widgets/segmented_control.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;

namespace ui {

class BetterPolicyBar;
class CellReadout;
class ComparisonView;
class ElidedLabel;
class FrontPanel;
class FrontView;
class MapView;
class RampLegend;
class ReachView;
class SettingChoosers;
class WrappedLabel;

/// The Tuning view: cost and losses of the policy in this session over two of its settings, how far back uses reach,
/// and the Pareto front of settings.
class TuningPage final : public QWidget {
    Q_OBJECT

public:
    explicit TuningPage(ViewState &state, QWidget *parent = nullptr);
    ~TuningPage() override;

    [[nodiscard]] TuningModel &model() { return m_model; }
    [[nodiscard]] MapView &map() const { return *m_map; }
    [[nodiscard]] ComparisonView &comparison() const { return *m_comparison; }
    [[nodiscard]] FrontView &front() const;
    /// Reserves pixels at the left of the head for controls of the window.
    void setHeadRoom(int width);
    /// For pictures and tests: loads as if visible, and waits until the map is complete.
    void waitForMap();

    [[nodiscard]] QSize minimumSizeHint() const override { return { 300, 250 }; }

Q_SIGNALS:
    /// Whether the page, visible, compares runs in a table of its own.
    void comparingChanged(bool isComparing);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void makeHead();
    void makeAnswer();
    void refreshAnswer();
    void makeBody();
    void makeStarters();
    void connectMetric();
    void refreshTitle();
    /// Hides parts that do not fit.
    void fitParts();
    void sayWhetherComparing();
    void applyTheme();
    [[nodiscard]] QString emptyWords() const;

    TuningModel m_model;
    QWidget *m_headRoom;
    QLabel *m_title;
    QWidget *m_answerRow;
    ElidedLabel *m_answer; ///< the cheapest setting within the limits
    QWidget *m_limits;     ///< what may be lost
    QLineEdit *m_lostShare;
    QLineEdit *m_lostMessages;
    QPushButton *m_take;
    WrappedLabel *m_besideOwn; ///< and what it changes beside the harness's own policy
    BetterPolicyBar *m_better;
    SegmentedControl *m_shown; ///< if there is room for only one: the map or the runs
    SegmentedControl *m_metric;
    RampLegend *m_legend;
    SettingChoosers *m_settings;
    ReachView *m_reach;
    MapView *m_map;
    QWidget *m_side; ///< front and read-out
    FrontPanel *m_front;
    CellReadout *m_readout;
    ComparisonView *m_comparison;
    bool m_isComparing = false;
    QTimer m_progress;    ///< updates the progress while cells are computed
    QString m_emptyWords; ///< shown instead of a map
};

} // namespace ui
