// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/base/view_state.h"

#include <QWidget>

class QLabel;
class QSplitter;
class QToolButton;
class QTreeView;

namespace ui {

class ArtifactsModel;
class RewritesModel;
class TextPair;
class WordTabs;

/// What the simulated policy changed, change by change, with the text before and after; and what its harness would have
/// kept as artifacts. A click selects the block in all views.
class RewritesPanel final : public QWidget {
    Q_OBJECT

public:
    explicit RewritesPanel(ViewState &state, QWidget *parent = nullptr);
    ~RewritesPanel() override;

    /// Goes through the rewrites, beginning again behind the last.
    void step(int direction);
    /// Writes the chosen artifact; a sentence where that fails.
    [[nodiscard]] QString saveArtifact(int row, const QString &path) const;

    [[nodiscard]] QSize sizeHint() const override { return { 900, 240 }; }

Q_SIGNALS:
    void countChanged(size_t count);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void refresh();
    void follow();
    void showRow();
    void applyTheme();
    void sizeColumns();
    void saveCurrent();
    [[nodiscard]] bool showsArtifacts() const;

    ViewState &m_state;
    RewritesModel *m_rewrites;
    ArtifactsModel *m_artifacts;
    WordTabs *m_which;
    QLabel *m_summary;
    QToolButton *m_save;
    QSplitter *m_splitter;
    QTreeView *m_table;
    QTreeView *m_artifactTable;
    TextPair *m_texts;
    bool m_isFollowing = false;
    bool m_isActing = false;
};

} // namespace ui
