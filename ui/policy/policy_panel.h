// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/panel.h"
#include "ui/hub/view_state.h"
#include "ui/policy/off_stages.h"

class QAction;
class QLabel;
class QScrollArea;
class QToolButton;

namespace ui {

class MeasureRow;
class PolicyChooser;
class StageList;
class HandChanges;
class StripBar;
class TickBox;
class WrappedLabel;

/// The policy of the plan: its trigger and keep, its stages in order with the savings of each, its losses and faults.
/// Every change is one undo step.
class PolicyPanel final : public Panel {
    Q_OBJECT

public:
    explicit PolicyPanel(ViewState &state, QWidget *parent = nullptr);
    ~PolicyPanel() override;

    void choose(const core::PolicyPtr &chosen);
    void loadFrom(const QString &path);
    void saveTo(const QString &path);
    /// Opens a file dialog.
    void chooseFile();
    void chooseSavePlace();
    /// Moves the stage that was last used up or down by one.
    void moveCurrentStage(int delta);
    /// Unfolds the parameters of a stage.
    void unfold(size_t stage);
    void setHonoursTriggers(bool honours);
    /// Whether to name the session of the figures, because the page beside them shows other sessions.
    void setNamesSession(bool names);
    /// The action of the button below the stages; it copies the policy as settings of its harness.
    void setCopyAction(QAction *action);

    [[nodiscard]] QSize sizeHint() const override { return { 300, 500 }; }
    /// The width of the contents, so that nothing is cut off.
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void nameParts();
    void makeButtons();
    void layOutSettings();
    void layOut();
    void connectParts();
    void refresh();
    void refreshChooser();
    /// The description of a policy, and how well it is known.
    [[nodiscard]] static QString aboutWords(const core::Policy &policy);
    void refreshMeasures();
    void refreshFigures();
    void showFigures(const OffStages::Figures &wouldBe);
    void refreshVerdicts();
    void applyTheme();
    void enterSetting(const char *key, const QString &text);
    void commit(core::Policy policy, const QString &words);
    [[nodiscard]] const core::PolicyPtr &policy() const { return m_state.workspace().plan().policy; }

    ViewState &m_state;
    QScrollArea *m_scroll;
    QWidget *m_body;
    QLabel *m_title;
    PolicyChooser *m_chooser;
    QLabel *m_aboutTitle;
    WrappedLabel *m_about;
    HandChanges *m_changes;
    QWidget *m_settings; ///< hidden without a policy
    MeasureRow *m_trigger;
    MeasureRow *m_keep;
    TickBox *m_honours;
    QLabel *m_raw;
    StripBar *m_rawStrip;
    StageList *m_stages;
    QToolButton *m_add;
    QToolButton *m_copy;
    WrappedLabel *m_counting; ///< how the harness counts, beside the trigger
    QLabel *m_hereTitle;      ///< above what the policy would do to this array
    WrappedLabel *m_total;
    WrappedLabel *m_invalid; ///< faults that a provider would refuse
    WrappedLabel *m_verdicts;
    QLabel *m_runTitle; ///< above what its own run over all calls came to
    WrappedLabel *m_run;
    QToolButton *m_costs;  ///< shows how the costs are counted
    QStringList m_unknown; ///< members of the policy document that have no effect
    QString m_error;       ///< about a refused file or value
    OffStages m_offStages;
    bool m_isRefreshing = false;
};

} // namespace ui
