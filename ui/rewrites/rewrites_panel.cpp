// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/rewrites/rewrites_panel.h"

#include "ui/base/word_tabs.h"
#include "ui/rewrites/artifacts_model.h"
#include "ui/rewrites/rewrites_model.h"
#include "ui/rewrites/text_pair.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QSaveFile>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

RewritesPanel::RewritesPanel(ViewState &state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
    , m_rewrites(new RewritesModel(this))
    , m_artifacts(new ArtifactsModel(this))
    , m_which(new WordTabs({ tr("Rewrites"), tr("Artifacts") }, this))
    , m_summary(new QLabel(this))
    , m_save(new QToolButton(this))
    , m_splitter(new QSplitter(Qt::Horizontal, this))
    , m_table(new QTreeView(this))
    , m_artifactTable(new QTreeView(this))
    , m_texts(new TextPair(this))
{
    setObjectName(u"rewrites"_s);
    m_table->setObjectName(u"rewritesTable"_s);
    m_table->setAccessibleName(tr("Rewrites"));
    m_artifactTable->setObjectName(u"artifactsTable"_s);
    m_artifactTable->setAccessibleName(tr("Artifacts"));
    m_summary->setObjectName(u"rewritesSummary"_s);
    m_summary->setTextFormat(Qt::PlainText);
    m_save->setText(tr("Save As…"));
    m_save->setObjectName(u"saveArtifact"_s);
    m_save->setAutoRaise(true);
    m_table->setModel(m_rewrites);
    m_artifactTable->setModel(m_artifacts);
    for (QTreeView *table : { m_table, m_artifactTable }) {
        table->setRootIsDecorated(false);
        table->setItemsExpandable(false);
        table->setUniformRowHeights(true);
        table->setFrameShape(QFrame::NoFrame);
        table->setAllColumnsShowFocus(true);
        table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        table->header()->setMinimumSectionSize(30);
        table->header()->setStretchLastSection(true);
        connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &RewritesPanel::showRow);
    }
    auto *tables = new QWidget(this);
    auto *stack = new QVBoxLayout(tables);
    stack->setContentsMargins(0, 0, 0, 0);
    stack->addWidget(m_table);
    stack->addWidget(m_artifactTable);
    m_artifactTable->hide();
    m_splitter->addWidget(tables);
    m_splitter->addWidget(m_texts);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);
    auto *row = new QHBoxLayout;
    row->setContentsMargins(4, 0, 8, 0);
    row->setSpacing(12);
    row->addWidget(m_which);
    row->addWidget(m_summary, 1);
    row->addWidget(m_save);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(m_splitter, 1);
    connect(m_which, &QTabBar::currentChanged, this, [this] {
        m_table->setVisible(!showsArtifacts());
        m_artifactTable->setVisible(showsArtifacts());
        sizeColumns();
        showRow();
    });
    connect(m_save, &QToolButton::clicked, this, &RewritesPanel::saveCurrent);
    connect(&state, &ViewState::pictureChanged, this, &RewritesPanel::refresh);
    connect(&state, &ViewState::currentChanged, this, &RewritesPanel::follow);
    connect(&state, &ViewState::themeChanged, this, &RewritesPanel::applyTheme);
    applyTheme();
    refresh();
}

RewritesPanel::~RewritesPanel() = default;

bool RewritesPanel::showsArtifacts() const { return m_which->currentIndex() == 1; }

void RewritesPanel::refresh()
{
    const core::CompactionPtr &made = m_state.picture().simulated;
    if (made == m_rewrites->compaction())
        return;
    const QScopedValueRollback following(m_isFollowing, true);
    m_rewrites->setCompaction(made);
    m_artifacts->setCompaction(made);
    const size_t rewrites = made ? made->rewrites.size() : 0;
    const size_t artifacts = made ? made->artifacts.size() : 0;
    m_which->setTabText(0, rewrites > 0 ? tr("Rewrites %1").arg(rewrites) : tr("Rewrites"));
    m_which->setTabText(1, artifacts > 0 ? tr("Artifacts %1").arg(artifacts) : tr("Artifacts"));
    m_summary->setText(!made ? tr("Choose a policy: what it rewrites is listed here.")
            : rewrites == 0  ? tr("The policy changes nothing here.")
                             : tr("simulated; nothing has been written"));
    Q_EMIT countChanged(rewrites);
    follow();
    showRow();
}

void RewritesPanel::follow()
{
    if (m_isActing)
        return;
    const QScopedValueRollback following(m_isFollowing, true);
    int row = m_rewrites->rowOf(m_state.currentBlock());
    if (row < 0 && m_state.currentSlot().isValid()) {
        // Another block of the slot may have been rewritten.
        const core::Transcript &before = m_state.picture().before;
        for (const core::BlockId block : before.blocksOf(before.slot(m_state.currentSlot()))) {
            if (row < 0)
                row = m_rewrites->rowOf(block);
        }
    }
    if (row < 0) {
        m_table->setCurrentIndex({});
        m_table->clearSelection();
    } else {
        m_table->setCurrentIndex(m_rewrites->index(row, 0));
    }
    showRow();
}

void RewritesPanel::showRow()
{
    const core::CompactionPtr &made = m_rewrites->compaction();
    m_save->setVisible(showsArtifacts() && m_artifactTable->currentIndex().isValid());
    if (showsArtifacts()) {
        const QModelIndex index = m_artifactTable->currentIndex();
        if (index.isValid())
            m_texts->setText(displayText(m_artifacts->artifact(index.row()).name), m_artifacts->textOf(index.row()));
        else
            m_texts->setTexts({}, {});
        return;
    }
    const QModelIndex index = m_table->currentIndex();
    if (!made || !index.isValid()) {
        m_texts->setTexts({}, {});
        return;
    }
    const core::Rewrite &rewrite = m_rewrites->rewrite(index.row());
    const core::Session &session = *made->after.session();
    const auto textOf = [&](core::BlockId id) {
        return id.isValid() ? std::string(session.text(session.block(id).body)) : std::string();
    };
    m_texts->setTexts(textOf(rewrite.block), textOf(rewrite.made));
    if (m_isFollowing || !rewrite.block.isValid())
        return;
    const QScopedValueRollback acting(m_isActing, true);
    m_state.setCurrentSlot(made->before.slotOf(rewrite.block));
    m_state.setCurrentBlock(rewrite.block);
}

void RewritesPanel::step(int direction)
{
    const int count = m_rewrites->rowCount();
    if (count == 0)
        return;
    m_which->setCurrentIndex(0);
    const QModelIndex current = m_table->currentIndex();
    const int from = current.isValid() ? current.row() : (direction > 0 ? -1 : 0);
    m_table->setCurrentIndex(m_rewrites->index((from + direction + count) % count, 0));
}

QString RewritesPanel::saveArtifact(int row, const QString &path) const
{
    QSaveFile file(path);
    const std::string &text = m_artifacts->textOf(row);
    if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), static_cast<qint64>(text.size())) < 0
        || !file.commit())
        return tr("The artifact cannot be written: %1").arg(file.errorString());
    return {};
}

void RewritesPanel::saveCurrent()
{
    const QModelIndex index = m_artifactTable->currentIndex();
    if (!index.isValid())
        return;
    // Only the last part of the harness's name: names in sessions are never paths unasked.
    const QString name = QFileInfo(displayText(m_artifacts->artifact(index.row()).name)).fileName();
    const QString path = QFileDialog::getSaveFileName(this, tr("Save Artifact"), name);
    if (path.isEmpty())
        return;
    if (const QString sentence = saveArtifact(index.row(), path); !sentence.isEmpty())
        m_summary->setText(sentence);
}

void RewritesPanel::applyTheme()
{
    const Theme &theme = m_state.theme();
    setPalette(theme.palette());
    m_which->setTheme(theme);
    m_texts->setTheme(theme);
    QPalette quiet = theme.palette();
    quiet.setColor(QPalette::WindowText, theme.secondary);
    m_summary->setFont(Theme::textFont(12));
    m_summary->setPalette(quiet);
    m_save->setPalette(theme.palette());
    m_splitter->setStyleSheet(u"QSplitter::handle { background: %1; }"_s.arg(theme.hairline.name()));
    for (QTreeView *table : { m_table, m_artifactTable }) {
        table->setPalette(theme.palette());
        table->header()->setFont(Theme::textFont(12));
        table->header()->setStyleSheet(
            u"QHeaderView { background: %1; border: none; }"
            "QHeaderView::section { background: %1; color: %2; border: none; border-bottom: 1px solid %3;"
            " padding: 3px 8px; } QHeaderView::section:first { padding-left: 14px; }"_s.arg(
                theme.base.name(), theme.secondary.name(), theme.hairline.name()));
        table->setStyleSheet(u"QTreeView { background: %1; color: %2; border: none; }"
                             "QTreeView::item { padding: 3px 6px; color: %2; border: none; }"
                             "QTreeView::item:selected { background: %3; color: %2; }"_s.arg(
                                 theme.base.name(), theme.text.name(), theme.accentGround.name()));
    }
    update();
}

void RewritesPanel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_state.theme().base);
}

void RewritesPanel::resizeEvent(QResizeEvent *) { sizeColumns(); }

void RewritesPanel::sizeColumns()
{
    const int width = std::max(300, m_splitter->width() / 2);
    QHeaderView *header = m_table->header();
    header->resizeSection(RewritesModel::Place, 92);
    header->resizeSection(RewritesModel::Stage, 128);
    header->resizeSection(RewritesModel::Fate, 78);
    header->resizeSection(RewritesModel::What, std::max(90, width - 92 - 128 - 78 - 130 - 64 - 120));
    header->resizeSection(RewritesModel::Before, 130);
    header->resizeSection(RewritesModel::After, 64);
    header->resizeSection(RewritesModel::Why, 160);
    header->resizeSection(RewritesModel::Artifact, 100);
    m_artifactTable->header()->resizeSection(ArtifactsModel::Name, std::max(120, width - 190));
    m_artifactTable->header()->resizeSection(ArtifactsModel::Size, 90);
}

} // namespace ui
