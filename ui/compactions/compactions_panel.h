// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/report/loss_report.h"
#include "ui/hub/background_pool.h"
#include "ui/hub/job.h"
#include "ui/hub/panel.h"
#include "ui/hub/view_state.h"
#include "ui/widgets/facts_line.h"

#include <array>
#include <memory>

class QLabel;
class QSplitter;
class QToolButton;
class QTreeView;

namespace ui {

class LossModel;
class SegmentedControl;

/// The bottom panel with what a compaction kept and lost: the recorded one at or before the selected call, or the
/// simulated one of this call. Clearings are a list of their own.
class CompactionsPanel final : public Panel {
    Q_OBJECT

public:
    explicit CompactionsPanel(ViewState &state, QWidget *parent = nullptr);
    ~CompactionsPanel() override;

    [[nodiscard]] QString whyEmpty() const override;
    void waitForContent() override;
    /// Small, because the tallest tab sets the least height of the area.
    [[nodiscard]] QSize minimumSizeHint() const override { return { 300, 80 }; }
    [[nodiscard]] QSize sizeHint() const override { return { 900, 240 }; }
    /// What is shown; nullptr without a compaction, and while it is computed.
    [[nodiscard]] const core::CompactionLoss *loss() const { return m_made ? &m_made->loss : nullptr; }

protected:
    void comeIntoSight() override;
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    static constexpr size_t kLists = 3;
    /// The compaction to show.
    struct Wanted {
        core::SessionPtr session;
        core::ThreadIndex thread { 0U };
        std::optional<size_t> number;  ///< of a recorded one, from 0
        core::CompactionPtr simulated; ///< before `call`
        core::CallIndex call;
        const void *facts = nullptr;
        friend bool operator==(const Wanted &, const Wanted &) = default;
        [[nodiscard]] bool isAny() const { return number || simulated; }
    };
    struct Made {
        core::CompactionLoss loss;
        std::array<core::LossList, kLists> lists;
    };
    using MadePtr = std::shared_ptr<const Made>;

    void layOut();
    void connectParts();
    void refresh();
    [[nodiscard]] Wanted wanted() const;
    /// The numbers of the recorded compactions of the chosen kind.
    [[nodiscard]] std::vector<size_t> numbers() const;
    void compute(const Wanted &wanted);
    void setMade(MadePtr made);
    void refreshSteps();
    void step(int direction);
    /// Shows the array before a recorded compaction, and beside it the one after.
    void goTo(size_t number);
    /// Shows the array after the recorded compaction as the next call was sent it.
    void goToArrayAfter();
    void onClicked(const QModelIndex &index);
    /// Whether the array before the shown compaction has the block of a row, or its words.
    [[nodiscard]] bool wasBefore(const core::LossRow &row) const;
    /// Selects and unfolds the sum that a finding is about, once the compaction of the finding is shown.
    void showFollowed();
    void sizeColumns();
    void placeSteps();
    void applyTheme();

    ViewState &m_state;
    QWidget *m_steps; ///< placed over the right end of the titles
    QLabel *m_place;
    SegmentedControl *m_kinds;
    QToolButton *m_previous;
    QToolButton *m_next;
    QLabel *m_nothing;
    QSplitter *m_splitter;
    QWidget *m_arrays; ///< the two links below the first list
    QToolButton *m_arrayBefore;
    QToolButton *m_arrayAfter;
    std::array<FactsLine *, kLists> m_titles {};
    std::array<QTreeView *, kLists> m_tables {};
    std::array<LossModel *, kLists> m_models {};
    bool m_wantsClearings = false;
    Wanted m_asked;
    MadePtr m_made;
    /// The finding that was followed to a compaction.
    struct Followed {
        core::ThreadIndex thread;
        size_t compaction = 0; ///< from 1
        std::string_view finding;
    };
    std::optional<Followed> m_followed;
    BackgroundPool m_pool;
    Job<MadePtr> m_find { &m_pool };
};

} // namespace ui
