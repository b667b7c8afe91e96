// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/compaction.h"
#include "ui/hub/job.h"
#include "ui/look/theme.h"
#include "ui/rewrites/rewrite_texts.h"

#include <QWidget>

#include <vector>

class QAbstractItemModel;
class QTreeView;

namespace ui {

class ArtifactsModel;
class RewritesModel;

/// The tables of a compaction's rewrites and artifacts. One of them is shown at a time.
class RewriteTables final : public QWidget {
    Q_OBJECT

public:
    explicit RewriteTables(QWidget *parent = nullptr);
    ~RewriteTables() override;

    void setCompaction(const core::CompactionPtr &compaction);
    [[nodiscard]] const core::CompactionPtr &compaction() const;
    void setShowsArtifacts(bool shows);
    [[nodiscard]] bool showsArtifacts() const { return m_showsArtifacts; }

    [[nodiscard]] int rewriteCount() const;
    /// The row of the current rewrite; -1 without one.
    [[nodiscard]] int currentRow() const;
    /// nullptr without a current row, and while artifacts are shown. Valid until the next compaction.
    [[nodiscard]] const core::Rewrite *currentRewrite() const;
    /// The chosen artifact, or the artifact of the current rewrite; nullptr if there is none.
    [[nodiscard]] const core::Artifact *currentArtifact() const;
    /// The first row that rewrites a block; -1 if none does.
    [[nodiscard]] int rowOf(core::BlockId block) const;
    /// The row that made a block of the `after` array; -1 if none did.
    [[nodiscard]] int rowOfMade(core::BlockId made) const;
    /// Makes a row of the rewrites current, without a signal; -1 for none.
    void setCurrentRow(int row);

    /// `widestPlace` is the longest text in the place column.
    void sizeColumns(const QString &widestPlace);
    void setTheme(const Theme &theme);
    /// The context menu of rewrites.
    void setBlockActions(const QList<QAction *> &actions);
    /// True while differences of artifacts from their originals are computed.
    [[nodiscard]] bool isReading() const { return m_reading.isRunning(); }

Q_SIGNALS:
    void currentChanged();
    /// A row was clicked, possibly the current one.
    void clicked();
    /// The menu of the current row is about to open.
    void menuAsked();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    /// Lists the rows of a run, or folds them into its first row.
    void fold(int row, bool isFolded);
    /// Opens the run of a hidden row.
    void openRunOf(int row);
    void make(QTreeView *table, QAbstractItemModel *model, const QString &name, const QString &words);
    /// Pixels for the longest text in a column.
    [[nodiscard]] int widestOf(int column, int least, int most) const;

    RewritesModel *m_rewrites;
    ArtifactsModel *m_artifacts;
    QTreeView *m_table;
    QTreeView *m_artifactTable;
    bool m_showsArtifacts = false;
    Job<std::vector<ArtifactFacts>> m_reading;
};

} // namespace ui
