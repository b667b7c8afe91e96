// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/rewrites/rewrite_tables.h"

#include "ui/rewrites/artifacts_model.h"
#include "ui/rewrites/rewrites_model.h"

#include <QHeaderView>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

// Pixels of columns of words.
constexpr int kLeastOfWhat = 90;
constexpr int kMostOfWhat = 260;
constexpr int kLeastOfWhy = 120;
constexpr int kLeastOfArtifact = 160;

} // namespace

RewriteTables::RewriteTables(QWidget *parent)
    : QWidget(parent)
    , m_rewrites(new RewritesModel(this))
    , m_artifacts(new ArtifactsModel(this))
    , m_table(new QTreeView(this))
    , m_artifactTable(new QTreeView(this))
{
    make(m_table, m_rewrites, u"rewritesTable"_s, tr("Rewrites"));
    make(m_artifactTable, m_artifacts, u"artifactsTable"_s, tr("Artifacts"));
    const auto toggle = [this](const QModelIndex &index) {
        const RewritesModel::Run &run = m_rewrites->runOf(index.row());
        if (run.count > 1 && run.first == index.row())
            fold(index.row(), !run.isFolded);
    };
    connect(m_table, &QTreeView::clicked, this, [toggle](const QModelIndex &index) {
        if (index.column() == RewritesModel::What)
            toggle(index);
    });
    connect(m_table, &QTreeView::activated, this, [this, toggle](const QModelIndex &index) {
        if (m_table->hasFocus() && index.column() != RewritesModel::What)
            toggle(index);
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this](const QModelIndex &current) { openRunOf(current.row()); });
    m_table->installEventFilter(this); // the menu key
    m_table->viewport()->installEventFilter(this);
    m_artifactTable->hide();
    auto *stack = new QVBoxLayout(this);
    stack->setContentsMargins(0, 0, 0, 0);
    stack->addWidget(m_table);
    stack->addWidget(m_artifactTable);
}

RewriteTables::~RewriteTables() = default;

void RewriteTables::make(QTreeView *table, QAbstractItemModel *model, const QString &name, const QString &words)
{
    table->setObjectName(name);
    table->setAccessibleName(words);
    table->setModel(model);
    table->setRootIsDecorated(false);
    table->setItemsExpandable(false);
    table->setUniformRowHeights(true);
    table->setFrameShape(QFrame::NoFrame);
    table->setAllColumnsShowFocus(true);
    table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table->header()->setMinimumSectionSize(30);
    table->header()->setStretchLastSection(true);
    connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &RewriteTables::currentChanged);
    connect(table, &QTreeView::clicked, this, &RewriteTables::clicked);
}

void RewriteTables::setBlockActions(const QList<QAction *> &actions)
{
    m_table->addActions(actions);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
}

bool RewriteTables::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::ContextMenu)
        Q_EMIT menuAsked();
    return QWidget::eventFilter(watched, event);
}

const core::CompactionPtr &RewriteTables::compaction() const { return m_rewrites->compaction(); }

void RewriteTables::setCompaction(const core::CompactionPtr &compaction)
{
    m_rewrites->setCompaction(compaction);
    for (const RewritesModel::Run &run : m_rewrites->runs()) {
        if (run.isFolded)
            fold(run.first, true);
    }
    m_artifacts->setCompaction(compaction);
    m_reading.cancel();
    if (compaction && !compaction->artifacts.empty())
        m_reading.start(
            this, [compaction](core::Progress &progress) { return artifactFacts(*compaction, progress); },
            [this](std::vector<ArtifactFacts> facts) { m_artifacts->setFacts(std::move(facts)); });
}

void RewriteTables::setShowsArtifacts(bool shows)
{
    m_showsArtifacts = shows;
    m_table->setVisible(!shows);
    m_artifactTable->setVisible(shows);
    if (shows && !m_artifactTable->currentIndex().isValid() && m_artifacts->rowCount() > 0)
        m_artifactTable->setCurrentIndex(m_artifacts->index(0, 0));
}

// --- rows -----------------------------------------------------------------------------------------------------------

int RewriteTables::rewriteCount() const { return m_rewrites->rowCount(); }

int RewriteTables::currentRow() const { return m_table->currentIndex().row(); }

int RewriteTables::rowOf(core::BlockId block) const { return m_rewrites->rowOf(block); }

int RewriteTables::rowOfMade(core::BlockId made) const { return m_rewrites->rowOfMade(made); }

const core::Rewrite *RewriteTables::currentRewrite() const
{
    const bool hasOne = !m_showsArtifacts && currentRow() >= 0 && compaction();
    return hasOne ? &m_rewrites->rewrite(currentRow()) : nullptr;
}

const core::Artifact *RewriteTables::currentArtifact() const
{
    if (m_showsArtifacts) {
        const QModelIndex index = m_artifactTable->currentIndex();
        return index.isValid() ? &m_artifacts->artifact(index.row()) : nullptr;
    }
    const core::Rewrite *rewrite = currentRewrite();
    const bool hasOne = rewrite != nullptr && rewrite->artifact && *rewrite->artifact < compaction()->artifacts.size();
    return hasOne ? &compaction()->artifacts[*rewrite->artifact] : nullptr;
}

void RewriteTables::fold(int row, bool isFolded)
{
    m_rewrites->setFolded(row, isFolded);
    const RewritesModel::Run run = m_rewrites->runOf(row);
    for (int each = run.first + 1; each < run.first + run.count; ++each)
        m_table->setRowHidden(each, {}, run.isFolded);
    if (run.isFolded && currentRow() > run.first && currentRow() < run.first + run.count)
        setCurrentRow(run.first);
}

void RewriteTables::openRunOf(int row)
{
    if (row >= 0 && m_table->isRowHidden(row, {}))
        fold(row, false);
}

void RewriteTables::setCurrentRow(int row)
{
    openRunOf(row);
    {
        const QSignalBlocker blocker(m_table->selectionModel());
        if (row < 0) {
            m_table->setCurrentIndex({});
            m_table->clearSelection();
        } else {
            const QModelIndex index = m_rewrites->index(row, 0);
            m_table->setCurrentIndex(index);
            m_table->selectionModel()->select(index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
            m_table->scrollTo(index);
        }
    }
    m_table->viewport()->update();
}

// --- look -----------------------------------------------------------------------------------------------------------

int RewriteTables::widestOf(int column, int least, int most) const
{
    constexpr int kPadding = 26; // of the cell and of its frame
    const QFontMetrics metrics(Theme::textFont(12));
    int width = metrics.horizontalAdvance(m_rewrites->headerData(column, Qt::Horizontal).toString());
    for (const QString &words : m_rewrites->wordsOf(column))
        width = std::max(width, metrics.horizontalAdvance(words));
    return std::clamp(width + kPadding, least, most);
}

void RewriteTables::sizeColumns(const QString &widestPlace)
{
    const int all = std::max(300, width());
    const QFontMetrics figures(Theme::figureFont(12));
    const int place = std::max(72, figures.horizontalAdvance(widestPlace) + 26);
    int stage = m_rewrites->tellsStages() ? widestOf(RewritesModel::Stage, 60, 150) : 0;
    const int fate = widestOf(RewritesModel::Fate, 60, 110);
    constexpr int kFigure = 76;
    constexpr int kScrollBar = 20;
    int rest = all - place - stage - fate - 2 * kFigure - kScrollBar;
    if (rest < kLeastOfWhat) // the rewritten text matters more than the stage
        rest += std::exchange(stage, 0);
    // Reason and artifact are shown if there is room for some words of them.
    const int what = std::clamp(rest, kLeastOfWhat, kMostOfWhat);
    const bool hasWhy = rest - what >= kLeastOfWhy;
    const bool hasArtifact = rest - what >= kLeastOfWhy + kLeastOfArtifact;
    m_table->setColumnHidden(RewritesModel::Stage, stage == 0);
    m_table->setColumnHidden(RewritesModel::Why, !hasWhy);
    m_table->setColumnHidden(RewritesModel::Artifact, !hasArtifact);
    QHeaderView *header = m_table->header();
    header->resizeSection(RewritesModel::Place, place);
    if (stage > 0)
        header->resizeSection(RewritesModel::Stage, stage);
    header->resizeSection(RewritesModel::Fate, fate);
    header->resizeSection(RewritesModel::What, hasWhy ? what : std::max(kLeastOfWhat, rest));
    header->resizeSection(RewritesModel::Before, kFigure);
    header->resizeSection(RewritesModel::After, kFigure);
    if (hasWhy)
        header->resizeSection(RewritesModel::Why, std::min(rest - what - (hasArtifact ? kLeastOfArtifact : 0), 240));
    // Figures do not move to the far edge of the panel.
    header->setStretchLastSection(hasWhy);
    m_artifactTable->header()->resizeSection(ArtifactsModel::Name, std::max(120, all - 320));
    m_artifactTable->header()->resizeSection(ArtifactsModel::Size, 70);
    m_artifactTable->header()->resizeSection(ArtifactsModel::Blocks, 56);
}

void RewriteTables::setTheme(const Theme &theme)
{
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
}

} // namespace ui
