// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/diff/diff_view.h"
#include "ui/hub/job.h"
#include "ui/hub/panel.h"
#include "ui/hub/view_state.h"
#include "ui/rewrites/rewrite_facts.h"
#include "ui/rewrites/shown_compaction.h"
#include "ui/widgets/facts_line.h"

#include <optional>

class QSplitter;
class QToolButton;

namespace ui {

class RewriteTables;
class WordTabs;

/// The rewrites of the shown compaction: stage, diff, the harness's artifact, and where the harness can get the text
/// back from. A click selects the block in all views; Alt+Down goes from difference to difference through all rewrites.
class RewritesPanel final : public Panel {
    Q_OBJECT

public:
    explicit RewritesPanel(ViewState &state, QWidget *parent = nullptr);
    ~RewritesPanel() override;

    /// Goes to the next difference of the current rewrite, or to the first one of the next rewrite; -1 goes backwards.
    void step(int direction);
    /// The next or previous rewrite.
    void stepRewrite(int direction, DiffStart start = DiffStart::First);
    /// Pins the block of the current rewrite, or takes back what the user wrote, as one undo step. Only for a simulated
    /// compaction.
    void restoreCurrent();

    enum class Text { Original, After, Artifact };
    /// Writes a text of the current row in a job. The panel shows errors.
    void saveTo(Text which, const QString &path);

    /// The context menu of rewrites, and the action that edits the chosen text.
    void setBlockActions(const QList<QAction *> &actions, QAction *edit);

    [[nodiscard]] QString whyEmpty() const override;

    [[nodiscard]] DiffView *diffView() const { return m_diff; }
    void waitForContent() override;

    [[nodiscard]] QSize sizeHint() const override { return { 900, 240 }; }

Q_SIGNALS:
    void saved(const QString &path);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void comeIntoSight() override;

private:
    void makeButtons();
    void layOut();
    void connectParts();
    /// Passes the compaction to the tables if the panel is visible.
    void updateTables();
    void follow();
    /// Shows the rewrite of the current slot, or the first one, so that the panel never opens empty.
    void begin();
    /// The row that rewrites a block of the current slot; -1 if none does.
    [[nodiscard]] int rowOfCurrent() const;
    void chooseRow(int row, DiffStart start = DiffStart::First);
    void showRow(DiffStart start = DiffStart::First);
    void showRewrite(const core::Rewrite &rewrite, DiffStart start);
    /// Makes the rewritten block current in all views.
    void chooseBlockOf(const core::Rewrite &rewrite);
    /// The same for the current row. Its block need not be current: the row may show another block of the current slot,
    /// or be the first row because no row belongs to the slot.
    void chooseCurrent();
    void showInArray();
    void refreshFacts();
    void refreshSummary();
    [[nodiscard]] QString whose() const;
    void chooseSavePlace(Text which);
    /// Whether the current row has this text to save.
    [[nodiscard]] bool offers(Text which) const;
    void applyTheme();
    void sizeColumns();

    ViewState &m_state;
    ShownCompaction m_shown;
    WordTabs *m_which;
    FactsLine *m_summary;
    FactsLine *m_facts;
    QToolButton *m_edit;
    QToolButton *m_restore;
    QToolButton *m_show;
    QToolButton *m_save;
    QSplitter *m_splitter;
    RewriteTables *m_tables;
    DiffView *m_diff;

    QString m_error; ///< of the last save
    /// The compared texts; the comparison is kept while they are equal.
    struct Key {
        core::BlockId block;
        core::BlockId made;
        std::string pointer;
        core::TextLengths after;
        const void *session = nullptr;
        friend bool operator==(const Key &, const Key &) = default;
    };
    std::optional<Key> m_compared;
    RewriteFactsFinder m_finder;
    Job<core::Result<void>> m_saveJob;
    bool m_hasOnlyBegun = false; ///< the user has not chosen a row yet
    bool m_isFollowing = false;  ///< the row is changing to follow the current block
    bool m_isActing = false;     ///< the current block is changing to follow the row
};

} // namespace ui
