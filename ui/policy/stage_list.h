// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/view_state.h"
#include "ui/policy/stage_figures.h"

#include <QWidget>

#include <optional>
#include <string>
#include <vector>

class QVBoxLayout;

namespace ui {

class StageRow;

/// The stages of the plan's policy, in order. A row can be checked, dragged, expanded or removed; each is one undo
/// step.
class StageList final : public QWidget {
    Q_OBJECT

public:
    explicit StageList(ViewState &state, QWidget *parent = nullptr);

    /// Reads the plan's policy; there must be one.
    void refresh();
    /// Shows the savings of each stage of `made`, which must have as many stages as the list. `wouldBe` has figures of
    /// disabled stages; empty until known.
    /// Those of another policy are no longer shown.
    void clearFigures();
    void showFigures(const core::Compaction &made, const StageFigures &figures,
        const std::vector<std::optional<StageFigure>> &wouldBe);
    [[nodiscard]] size_t count() const { return m_rows.size(); }
    [[nodiscard]] bool isEmpty() const { return m_rows.empty(); }
    /// Moves the stage that was last used up or down by one.
    void moveCurrent(int delta);
    void unfold(size_t stage);
    void setTheme(const Theme &theme);

Q_SIGNALS:
    /// A stage refused the value of a parameter.
    void refused(const core::Error &error);

private:
    void rebuild(const core::Policy &shown);
    void connectRow(StageRow *row, size_t stage);
    void commit(core::Policy policy, const QString &words);
    void setParameter(size_t stage, const QString &name, const QString &value);
    [[nodiscard]] QString titleOf(size_t stage) const;
    /// The row index at which a stage dropped at `global` is inserted.
    [[nodiscard]] size_t placeAt(QPoint global) const;
    void showPlace(std::optional<size_t> place);
    void move(size_t from, size_t place);
    [[nodiscard]] const core::PolicyPtr &policy() const { return m_state.workspace().plan().policy; }

    ViewState &m_state;
    QVBoxLayout *m_column;
    QWidget *m_place; ///< marks the drop position
    std::vector<StageRow *> m_rows;
    std::vector<std::string> m_kinds; ///< by row
    size_t m_current = 0;
};

} // namespace ui
