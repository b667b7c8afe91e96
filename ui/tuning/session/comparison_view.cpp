// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/session/comparison_view.h"

#include "ui/hub/comparisons.h"
#include "ui/hub/run_figures.h"
#include "ui/hub/thread_facts.h"
#include "ui/look/compared_pen.h"
#include "ui/widgets/word_button.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QPixmap>
#include <QScrollBar>
#include <QToolButton>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kRowHeight = 20;
constexpr QSize kLine(30, 12); ///< a piece of a run's curve

QPixmap lineOf(const QPen &pen)
{
    const double scale = qGuiApp->devicePixelRatio();
    QPixmap picture(kLine * scale);
    picture.setDevicePixelRatio(scale);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setPen(pen);
    const double y = kLine.height() / 2.0 + 0.5;
    painter.drawLine(QPointF(0, y), QPointF(kLine.width(), y));
    return picture;
}

} // namespace

ComparisonModel::ComparisonModel(ViewState &state, QObject *parent)
    : QAbstractTableModel(parent)
    , m_state(state)
{
    Workspace &workspace = state.workspace();
    connect(&workspace.figures(), &RunFigures::recordedChanged, this, &ComparisonModel::refresh);
    connect(&workspace.figures(), &RunFigures::policyChanged, this, &ComparisonModel::refresh);
    connect(&workspace.facts(), &ThreadFacts::traceGroundChanged, this, &ComparisonModel::refresh);
    connect(&workspace.comparisons(), &Comparisons::changed, this, &ComparisonModel::refresh);
    connect(&state, &ViewState::themeChanged, this, &ComparisonModel::refresh);
    refresh();
}

void ComparisonModel::refresh()
{
    const Workspace &workspace = m_state.workspace();
    const core::RecordedFiguresPtr &recorded = workspace.figures().recorded();
    std::vector<core::ComparedRun> runs;
    std::vector<ComparedArray> arrays;
    std::vector<QPen> pens;
    if (recorded) {
        const TraceGroundPtr &traces = workspace.facts().traceGround();
        runs.push_back(core::comparedRecording(*recorded,
            traces ? std::optional(core::inContextAt(traces->userMessages, traces->spans.callCount)) : std::nullopt));
        // These figures belong to an earlier load of the session and will be replaced.
        arrays.push_back({ displayText(runs.back().name), nullptr });
        const Theme &theme = m_state.theme();
        pens.emplace_back(theme.curve, 1.2);
        const auto add = [&](const core::PolicyFiguresPtr &figures, const core::PolicyPtr &policy, const QPen &pen) {
            if (!figures || figures->replay->ground->log.session != recorded->ground->log.session)
                return;
            runs.push_back(core::comparedPolicy(*figures, *recorded));
            arrays.push_back({ displayText(runs.back().name), policy ? policy : core::preset("none") });
            pens.push_back(pen);
        };
        add(workspace.figures().policy(), workspace.plan().policy, QPen(theme.accent, 2));
        for (size_t i = 0; i < workspace.comparisons().count(); ++i)
            add(workspace.comparisons().at(i).figures, workspace.comparisons().at(i).policy, comparedPen(theme, i));
    }
    beginResetModel();
    m_table = core::comparisonTable(runs);
    m_runs = std::move(arrays);
    m_pens = std::move(pens);
    endResetModel();
}

int ComparisonModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int ComparisonModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.columns.size()) + 1;
}

QVariant ComparisonModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const core::ComparisonTable::Row &row = m_table.rows[static_cast<size_t>(index.row())];
    if (index.column() == 0) {
        if (role == Qt::DecorationRole)
            return lineOf(m_pens[static_cast<size_t>(index.row())]);
        return role == Qt::DisplayRole ? QVariant(displayText(row.name)) : QVariant();
    }
    const core::ComparisonTable::Cell &cell = row.cells[static_cast<size_t>(index.column()) - 1];
    switch (role) {
    case Qt::DisplayRole:
        return (cell.isBest ? u"• "_s : QString()) + displayText(cell.shown).section(u" (by usage"_s, 0, 0);
    case Qt::ToolTipRole:
        return toolTipText(displayText(cell.shown));
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::FontRole:
        return cell.isBest ? Theme::strongFont(12) : Theme::figureFont(12);
    default:
        return {};
    }
}

QVariant ComparisonModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((section == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    return section == 0 ? tr("run   (• best)") : displayText(m_table.columns[static_cast<size_t>(section) - 1]);
}

ComparisonView::ComparisonView(ViewState &state, QWidget *parent)
    : QTableView(parent)
    , m_state(state)
    , m_model(state)
    , m_difference(new QToolButton(this))
{
    setObjectName(u"comparison"_s);
    setAccessibleName(tr("Recorded and simulated runs compared"));
    setModel(&m_model);
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setToolTip(
        tr("Select two runs with Ctrl, then press Enter to compare their arrays at the chosen call, slot by slot"));
    makeWordButton(*m_difference, u"showDifference"_s, tr("Show Difference"),
        tr("Compares their arrays at the chosen call, slot by slot (Enter)"));
    m_difference->hide();
    connect(m_difference, &QToolButton::clicked, this, &ComparisonView::showDifference);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(kRowHeight);
    verticalHeader()->setMinimumSectionSize(kRowHeight);
    horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setFixedHeight(kRowHeight);
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &ComparisonView::offerDifference);
    connect(&m_model, &QAbstractItemModel::modelReset, this, &ComparisonView::refresh);
    connect(&state, &ViewState::themeChanged, this, &ComparisonView::applyTheme);
    applyTheme();
}

QSize ComparisonView::sizeHint() const
{
    const int scrollBar = horizontalScrollBar()->sizeHint().height(); // where the columns do not fit
    return { 600, kRowHeight * (m_model.rowCount() + 1) + scrollBar + 4 };
}

void ComparisonView::refresh()
{
    updateGeometry();
    offerDifference();
    Q_EMIT runsChanged();
}

std::optional<std::pair<ComparedArray, ComparedArray>> ComparisonView::selectedRuns() const
{
    QModelIndexList rows = selectionModel()->selectedRows();
    if (rows.size() != 2)
        return std::nullopt;
    std::ranges::sort(rows);
    return std::pair(m_model.run(rows[0].row()), m_model.run(rows[1].row()));
}

void ComparisonView::showDifference()
{
    if (const auto runs = selectedRuns())
        Q_EMIT differenceRequested(runs->first, runs->second);
}

void ComparisonView::offerDifference() { m_difference->setVisible(!isHidden() && selectedRuns().has_value()); }

void ComparisonView::showEvent(QShowEvent *event)
{
    QTableView::showEvent(event);
    offerDifference();
}

void ComparisonView::hideEvent(QHideEvent *event)
{
    QTableView::hideEvent(event);
    offerDifference();
}

void ComparisonView::contextMenuEvent(QContextMenuEvent *event)
{
    QMenu menu(this);
    QAction *difference = menu.addAction(tr("Show Difference of Two Runs"), this, &ComparisonView::showDifference);
    difference->setEnabled(selectedRuns().has_value());
    menu.addAction(tr("Copy Table"), this, &ComparisonView::copy);
    menu.exec(event->globalPos());
}

void ComparisonView::copy() const
{
    QGuiApplication::clipboard()->setText(QString::fromStdString(core::comparisonTsv(m_model.table())));
}

/// Ctrl+Up and Ctrl+Down go to another row and keep the selection, for Ctrl+Space; elsewhere they go to other calls.
bool ComparisonView::event(QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool isUpright = key->key() == Qt::Key_Up || key->key() == Qt::Key_Down;
        if (isUpright && (key->modifiers() & ~Qt::KeypadModifier) == Qt::ControlModifier) {
            event->accept();
            return true;
        }
    }
    return QTableView::event(event);
}

void ComparisonView::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy))
        return copy();
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && selectedRuns())
        return showDifference();
    QTableView::keyPressEvent(event);
}

void ComparisonView::applyTheme()
{
    const Theme &theme = m_state.theme();
    setPalette(theme.palette());
    setFont(Theme::textFont(12));
    horizontalHeader()->setFont(Theme::textFont(12));
    setStyleSheet(
        u"QTableView { background: %1; color: %2; selection-background-color: %3; selection-color: %2; }"
        "QTableView::item { padding: 0 4px; color: %2; }"
        "QHeaderView { background: %1; } QHeaderView::section { background: %1; color: %4; border: none; padding: 0 4px; }"_s
            .arg(theme.base.name(), theme.text.name(), theme.accentGround.name(), theme.secondary.name()));
}

} // namespace ui
