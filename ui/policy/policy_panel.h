// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/job.h"
#include "ui/hub/view_state.h"
#include "ui/policy/stage_figures.h"

#include <QTimer>
#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

class QAction;
class QComboBox;
class QLabel;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace ui {

class MeasureRow;
class StageRow;
class StripBar;
class TickBox;
class WrappedLabel;

/// What to do about the array: the policy, its trigger and keep, its stages in their order with what each saves, and
/// what there is to say against it. Every change is one undo step.
class PolicyPanel final : public QWidget {
    Q_OBJECT

public:
    explicit PolicyPanel(ViewState &state, QWidget *parent = nullptr);
    ~PolicyPanel() override;

    void choose(const core::PolicyPtr &chosen);
    void loadFrom(const QString &path);
    void saveTo(const QString &path);
    /// Asks for a file.
    void chooseFile();
    void chooseSavePlace();
    /// The stage that was touched last goes up or down by one.
    void moveCurrentStage(int delta);
    /// Unfolds the parameters of a stage, as for a picture.
    void unfold(size_t stage);
    void setHonoursTriggers(bool honours);
    /// Offered below the stages: copying the policy as its harness's settings.
    void setCopyAction(QAction *action);

    [[nodiscard]] QSize sizeHint() const override { return { 300, 500 }; }
    /// Never narrower than what it holds: nothing is cut off at its edge.
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void fillChooser();
    void refresh();
    void refreshChooser();
    void refreshMeasures();
    void refreshStages();
    void refreshFigures();
    void showFigures(const std::vector<std::optional<StageFigure>> &wouldBe);
    void refreshVerdicts();
    /// What the policy would have lost, cost and paid back over all calls.
    [[nodiscard]] QStringList runVerdicts() const;
    void rebuildRows(const core::Policy &shown);
    void applyTheme();
    void enterSetting(const char *key, const QString &text);
    void commit(core::Policy policy, const QString &words);
    [[nodiscard]] QString titleOf(size_t stage) const;
    [[nodiscard]] size_t placeAt(QPoint global) const;
    void showPlace(std::optional<size_t> place);
    void moveStage(size_t from, size_t place);
    [[nodiscard]] const core::PolicyPtr &policy() const { return m_state.workspace().plan().policy; }

    ViewState &m_state;
    QScrollArea *m_scroll;
    QWidget *m_body;
    QLabel *m_title;
    QComboBox *m_chooser;
    WrappedLabel *m_about;
    QWidget *m_settings; ///< all that there is only with a policy
    MeasureRow *m_trigger;
    MeasureRow *m_keep;
    TickBox *m_honours;
    QLabel *m_raw;
    StripBar *m_rawStrip;
    QWidget *m_rowsWidget;
    QVBoxLayout *m_rows;
    std::vector<StageRow *> m_stageRows;
    std::vector<std::string> m_rowKinds; ///< what the rows were made for
    QWidget *m_place;                    ///< where a dragged row would go
    QToolButton *m_add;
    QToolButton *m_copy;
    QLabel *m_total;
    WrappedLabel *m_invalid; ///< what a provider would refuse
    WrappedLabel *m_verdicts;
    QStringList m_unknown; ///< what the policy says in vain
    QString m_error;       ///< of a file or a value that could not be taken
    std::vector<core::PolicyPtr> m_choices;
    size_t m_currentStage = 0;
    QTimer m_reckonTimer;
    std::function<std::vector<std::optional<StageFigure>>(core::Progress &)> m_toReckon;
    Job<std::vector<std::optional<StageFigure>>> m_reckoning;
    bool m_isRefreshing = false;
};

} // namespace ui
