// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/recovery.h"
#include "ui/diff/diff_view.h"
#include "ui/hub/job.h"
#include "ui/hub/view_state.h"
#include "ui/rewrites/rewrite_texts.h"
#include "ui/widgets/facts_line.h"

#include <QTimer>
#include <QWidget>

#include <optional>

class QAbstractItemModel;
class QSplitter;
class QToolButton;
class QTreeView;

namespace ui {

class ArtifactsModel;
class RewritesModel;
class WordTabs;

/// What a compaction changed, change by change: which stage, the difference, what the harness keeps of it, from where
/// it can be had back. Of what stands beside the array: simulated, recorded or observed. A click selects the block in
/// all views; Alt+Down goes from difference to difference through all rewrites.
class RewritesPanel final : public QWidget {
    Q_OBJECT

public:
    explicit RewritesPanel(ViewState &state, QWidget *parent = nullptr);
    ~RewritesPanel() override;

    /// The next difference of the current rewrite, or the first one of the next rewrite; -1: backwards.
    void step(int direction);
    /// The next or previous rewrite.
    void stepRewrite(int direction, DiffStart start = DiffStart::First);
    /// Leaves the current rewrite's block as it was: an override, undoable. Only of a simulation.
    void restoreCurrent();

    enum class Text { Original, After, Artifact };
    /// Writes a text of the current row in a job; what goes wrong is said in the panel.
    void saveTo(Text which, const QString &path);

    /// What a right click on a rewrite offers.
    void setBlockActions(const QList<QAction *> &actions);

    /// Whether it is seen: a dock behind another one's tab is not hidden, only out of sight.
    void setInSight(bool isInSight);

    [[nodiscard]] DiffView *diffView() const { return m_diff; }
    /// For pictures and tests: returns when everything is there.
    void waitForContent();

    [[nodiscard]] QSize sizeHint() const override { return { 900, 240 }; }

Q_SIGNALS:
    void countChanged(size_t count);
    void saved(const QString &path);
    /// The array should have the focus: the slot of the current rewrite was asked for.
    void showInArrayRequested();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void makeTable(QTreeView *table, QAbstractItemModel *model, const QString &name, const QString &words);
    void makeButtons();
    void refresh();
    void take(const core::CompactionPtr &made);
    void follow();
    /// The rewrite of the current slot, else the first one: the panel never opens on nothing.
    void begin();
    [[nodiscard]] int rowOfCurrent() const;
    void chooseRow(int row, DiffStart start = DiffStart::First);
    void showRow(DiffStart start = DiffStart::First);
    void showRewrite(const core::Rewrite &rewrite, DiffStart start);
    void showArtifact(const core::Artifact &artifact);
    /// Looks, a little later, from where else the texts of the models' compaction can be had.
    void lookForOthers(const core::CompactionPtr &made);
    void startLooking();
    [[nodiscard]] QString recoveryOf(size_t row) const;
    void readFacts(const core::Rewrite &rewrite);
    void refreshFacts();
    void refreshSummary();
    void chooseSavePlace(Text which);
    void applyTheme();
    void sizeColumns();
    /// Pixels for all that a column of stages or fates says.
    [[nodiscard]] int widestOf(int column, int least, int most) const;
    [[nodiscard]] bool showsArtifacts() const;
    [[nodiscard]] const core::Rewrite *currentRewrite() const;
    [[nodiscard]] const core::Artifact *currentArtifact() const;
    [[nodiscard]] QString placeOf(const core::Rewrite &rewrite) const;

    ViewState &m_state;
    RewritesModel *m_rewrites;
    ArtifactsModel *m_artifacts;
    WordTabs *m_which;
    FactsLine *m_summary;
    FactsLine *m_facts;
    QToolButton *m_restore;
    QToolButton *m_show;
    QToolButton *m_save;
    QSplitter *m_splitter;
    QTreeView *m_table;
    QTreeView *m_artifactTable;
    DiffView *m_diff;

    core::CompactionPtr m_made; ///< what the picture shows; the models have it once the panel is seen
    const core::RecordedCompaction *m_recorded = nullptr; ///< what `m_made` was observed for, or is being
    std::weak_ptr<const core::Session> m_recordedIn;
    std::optional<RewriteFacts> m_factsOfRow;
    QString m_error; ///< of the last save
    /// The texts that are compared now: while they are the same, the comparison stays.
    struct Key {
        core::BlockId block;
        core::BlockId made;
        std::string pointer;
        core::TextLengths after;
        const void *session = nullptr;
        friend bool operator==(const Key &, const Key &) = default;
    };
    std::optional<Key> m_shown;
    std::optional<core::Recoveries> m_recoveries; ///< of the models' compaction
    QTimer m_lookTimer;
    Job<core::Recoveries> m_recoveryJob;
    Job<core::CompactionPtr> m_observing;
    Job<RewriteFacts> m_factsJob;
    Job<std::vector<ArtifactFacts>> m_artifactsJob;
    Job<core::Result<void>> m_saveJob;
    bool m_isInSight = false;
    bool m_hasOnlyBegun = false; ///< the row was chosen by nobody
    bool m_isFollowing = false;  ///< the row changes because the current block did
    bool m_isActing = false;     ///< the current block changes because the row did
};

} // namespace ui
