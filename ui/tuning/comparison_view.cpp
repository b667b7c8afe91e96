// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/comparison_view.h"

#include "ui/base/comparisons.h"
#include "ui/base/run_figures.h"
#include "ui/base/thread_facts.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QScrollBar>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kRowHeight = 20;

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
    refresh();
}

void ComparisonModel::refresh()
{
    const Workspace &workspace = m_state.workspace();
    const core::RecordedFiguresPtr &recorded = workspace.figures().recorded();
    std::vector<core::ComparedRun> runs;
    if (recorded) {
        const TraceGroundPtr &traces = workspace.facts().traceGround();
        runs.push_back(core::comparedRecording(*recorded,
            traces ? std::optional(core::inContextAt(traces->userMessages, traces->spans.callCount)) : std::nullopt));
        // Figures of another reading of the session are on their way out.
        const auto add = [&](const core::PolicyFiguresPtr &figures) {
            if (figures && figures->replay->ground->log.session == recorded->ground->log.session)
                runs.push_back(core::comparedPolicy(*figures, *recorded));
        };
        add(workspace.figures().policy());
        for (size_t i = 0; i < workspace.comparisons().count(); ++i)
            add(workspace.comparisons().at(i).figures);
    }
    beginResetModel();
    m_table = core::comparisonTable(runs);
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
    if (index.column() == 0)
        return role == Qt::DisplayRole ? QVariant(displayText(row.name)) : QVariant();
    const core::ComparisonTable::Cell &cell = row.cells[static_cast<size_t>(index.column()) - 1];
    switch (role) {
    case Qt::DisplayRole:
        return (cell.isBest ? u"• "_s : QString()) + displayText(cell.shown);
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
    return section == 0 ? tr("run") : displayText(m_table.columns[static_cast<size_t>(section) - 1]);
}

ComparisonView::ComparisonView(ViewState &state, QWidget *parent)
    : QTableView(parent)
    , m_state(state)
    , m_model(state)
{
    setObjectName(u"comparison"_s);
    setAccessibleName(tr("Recorded and simulated runs compared"));
    setModel(&m_model);
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(kRowHeight);
    verticalHeader()->setMinimumSectionSize(kRowHeight);
    horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setFixedHeight(kRowHeight);
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
    Q_EMIT runsChanged();
}

void ComparisonView::copy() const
{
    QGuiApplication::clipboard()->setText(QString::fromStdString(core::comparisonTsv(m_model.table())));
}

void ComparisonView::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy))
        return copy();
    QTableView::keyPressEvent(event);
}

void ComparisonView::applyTheme()
{
    const Theme &theme = m_state.theme();
    setPalette(theme.palette());
    setFont(Theme::textFont(12));
    horizontalHeader()->setFont(Theme::textFont(12));
    setStyleSheet(u"QTableView { background: %1; color: %2; selection-background-color: %3; selection-color: %2; }"
                  "QHeaderView::section { background: %1; color: %4; border: none; padding: 0 6px; }"_s.arg(
                      theme.base.name(), theme.text.name(), theme.accentGround.name(), theme.secondary.name()));
}

} // namespace ui
