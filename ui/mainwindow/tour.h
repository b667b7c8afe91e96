// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/view_state.h"

#include <QWidget>

#include <array>
#include <optional>

class QPushButton;

namespace ui {

class WrappedLabel;

/// The tour: three steps over the sample in a bar above the picture, with a frame around the view that each is about.
/// A step is done when the person does what it asks; then the bar says what came of it. Next goes on in any case, Skip
/// ends the tour. It ends by itself when another session is opened. Nothing is modal.
class Tour final : public QWidget {
    Q_OBJECT

public:
    enum class Step : uint8_t { Compaction, Loss, Policy };
    static constexpr size_t kStepCount = 3;

    /// `views` are what the steps are about.
    Tour(ViewState &state, const std::array<QWidget *, kStepCount> &views, QWidget *parent);

    /// Starts with the first step over the session that is shown.
    void start();
    /// nullopt if the tour does not run.
    [[nodiscard]] std::optional<Step> step() const { return m_step; }
    /// The person has done what the step asks.
    [[nodiscard]] bool isDone() const { return m_isDone; }

Q_SIGNALS:
    void stepChanged(); ///< also at the end

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    class Frame;

    void go(std::optional<Step> step);
    void next();
    /// Ends the tour and does not offer it again.
    void finish();
    void watch();
    void refresh();
    void placeFrame();
    void applyTheme();
    [[nodiscard]] QWidget *view() const { return m_views[static_cast<size_t>(*m_step)]; }
    /// A place where the step has something to do.
    void goToBeginning(Step step);
    [[nodiscard]] QString wordsToDo() const;
    [[nodiscard]] QString wordsDone() const;

    ViewState &m_state;
    std::array<QWidget *, kStepCount> m_views;
    WrappedLabel *m_words;
    QPushButton *m_next;
    QPushButton *m_skip;
    Frame *m_frame;
    std::optional<Step> m_step;
    bool m_isDone = false;
    bool m_hasChosen = false; ///< a block, since the step began
    core::Position m_from;    ///< the call at the beginning of the step
};

} // namespace ui
