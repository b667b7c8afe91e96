// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/folder/worst_runs_view.h"

#include "core/report/sweep_set_report.h"

#include <QDateTime>
#include <QFileInfo>
#include <QHeaderView>
#include <QKeyEvent>
#include <QTimeZone>

#include <cmath>
#include <functional>
#include <numeric>

namespace ui {

using namespace Qt::StringLiterals;
using core::SweepMetric;

namespace {

constexpr int kRowHeight = 22;
constexpr int kFileWidth = 190;
constexpr int kDateNeeds = 520; ///< a narrower list has no dates
constexpr int kFileNeeds = 720; ///< and no files

/// A column of figures, at the right of its place.
bool isFigure(WorstRunsModel::Column column) { return column > WorstRunsModel::Title && column < WorstRunsModel::Date; }

QString unknown() { return u"—"_s; }

QString shownPlain(SweepMetric metric, double value)
{
    return std::isnan(value) ? unknown() : QString::fromStdString(core::shownMetric(metric, value));
}

} // namespace

WorstRunsModel::WorstRunsModel(FolderModel &model, QObject *parent)
    : QAbstractTableModel(parent)
    , m_model(model)
{
    connect(&model, &FolderModel::worstChanged, this, &WorstRunsModel::refresh);
}

void WorstRunsModel::refresh()
{
    beginResetModel();
    m_runs = m_model.worstRuns();
    m_map = m_runs.empty() ? nullptr : m_model.sweeps().current();
    m_cell = m_model.markerCell();
    m_metric = m_model.metric();
    m_sum.reset();
    if (m_cell && m_runs.size() > 1) {
        const double sum = core::spreadOf(m_map->set, *m_cell, m_metric).sum;
        m_sum = std::isnan(sum) ? std::nullopt : std::optional(sum);
        m_recordedSum = core::recordedSpreadOf(m_map->set, m_metric).sum;
    }
    endResetModel();
}

const core::RunSweep *WorstRunsModel::run(int row) const
{
    const auto at = static_cast<size_t>(row);
    return row >= 0 && at < m_runs.size() ? &m_map->set.runs[m_runs[at]] : nullptr;
}

int WorstRunsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size()) + (m_sum ? 1 : 0);
}

int WorstRunsModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : kColumnCount; }

QString WorstRunsModel::text(const core::RunSweep &run, Column column) const
{
    switch (column) {
    case Share:
        return m_cell ? m_model.shown(m_metric, core::scaled(run, *m_cell, m_metric)) : unknown();
    case Simulated:
        return m_cell ? shownPlain(m_metric, run.cells[*m_cell][m_metric]) : unknown();
    case Recorded:
        return shownPlain(m_metric, run.recorded[m_metric]);
    case Calls:
        return displayText(std::to_string(run.calls));
    case Date:
        return run.begun ? QDateTime::fromMSecsSinceEpoch(*run.begun, QTimeZone::UTC).toString(u"yyyy-MM-dd"_s)
                         : unknown();
    case Title: {
        const QString title = displayText(run.title).simplified();
        return title.isEmpty() ? text(run, File) : title;
    }
    default: {
        const QString name = QFileInfo(displayText(run.file)).fileName();
        return run.thread == 0 ? name : tr("%1, thread %2").arg(name).arg(run.thread);
    }
    }
}

QString WorstRunsModel::sumText(Column column) const
{
    const std::vector<core::RunSweep> &runs = m_map->set.runs;
    switch (column) {
    case Title:
        return tr("all");
    case Calls:
        return displayText(core::groupedNumber(std::transform_reduce(
            runs.begin(), runs.end(), size_t(0), std::plus(), [](const core::RunSweep &run) { return run.calls; })));
    case Recorded:
        return shownPlain(m_metric, m_recordedSum);
    case Simulated:
        return shownPlain(m_metric, *m_sum);
    case Share: {
        if (core::scaleOf(m_metric) == core::SweepScale::Plain)
            return {};
        const double uses = std::transform_reduce(runs.begin(), runs.end(), 0.0, std::plus(),
            [](const core::RunSweep &run) { return static_cast<double>(run.uses); });
        const double whole = core::scaleOf(m_metric) == core::SweepScale::OfUses ? uses : m_recordedSum;
        return whole > 0 ? m_model.shown(m_metric, *m_sum / whole) : unknown();
    }
    default:
        return {};
    }
}

QVariant WorstRunsModel::data(const QModelIndex &index, int role) const
{
    const core::RunSweep *of = index.isValid() ? run(index.row()) : nullptr;
    const bool isSum = of == nullptr && m_sum && index.isValid();
    if (of == nullptr && !isSum)
        return {};
    const auto column = static_cast<Column>(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return isSum ? sumText(column) : text(*of, column);
    case Qt::ToolTipRole:
        return isSum ? QString() : toolTipText(displayText(core::runName(*of)));
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((isFigure(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::FontRole:
        return isSum && column == Title ? Theme::strongFont(12)
            : isFigure(column)          ? Theme::figureFont(12)
                                        : Theme::textFont(12);
    case Qt::ForegroundRole:
        // Always named: under a style sheet for items, cells without a colour take that of the light theme.
        return column == Title && !isSum ? m_model.state().theme().accent : m_model.state().theme().text;
    default:
        return {};
    }
}

QVariant WorstRunsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            (isFigure(static_cast<Column>(section)) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    const bool isMoney = m_metric == core::SweepMetric::Cost || m_metric == core::SweepMetric::HitShare;
    if (role == Qt::ToolTipRole && section == Recorded && isMoney)
        return toolTipText(tr(
            "The recorded run without its subagents, computed in the same way as the cells. Sessions shows the cost by "
            "usage, with subagents."));
    if (role != Qt::DisplayRole)
        return {};
    switch (static_cast<Column>(section)) {
    case Share:
        return tr("share");
    case Simulated:
        return tr("at the handle");
    case Recorded:
        return tr("recorded");
    case Calls:
        return tr("calls");
    case Date:
        return tr("date");
    case Title:
        return tr("session");
    default:
        return tr("file");
    }
}

WorstRunsView::WorstRunsView(FolderModel &model, QWidget *parent)
    : QTableView(parent)
    , m_model(model)
    , m_rows(model)
{
    setObjectName(u"worstRuns"_s);
    setAccessibleName(tr("Sessions, the worst first"));
    setModel(&m_rows);
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(kRowHeight);
    verticalHeader()->setMinimumSectionSize(kRowHeight);
    horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    horizontalHeader()->setSectionResizeMode(WorstRunsModel::Title, QHeaderView::Stretch);
    horizontalHeader()->setSectionResizeMode(WorstRunsModel::File, QHeaderView::Interactive);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setFixedHeight(kRowHeight);
    setColumnWidth(WorstRunsModel::File, kFileWidth);
    connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex &index) {
        if (index.column() != WorstRunsModel::Title) // whose first click did it
            request(index);
    });
    connect(this, &QTableView::clicked, this, [this](const QModelIndex &index) {
        if (index.column() == WorstRunsModel::Title)
            request(index);
    });
    connect(&model.state(), &ViewState::themeChanged, this, &WorstRunsView::applyTheme);
    applyTheme();
}

void WorstRunsView::request(const QModelIndex &index)
{
    if (const core::RunSweep *run = m_rows.run(index.row()))
        Q_EMIT runRequested(QString::fromStdString(run->file), run->thread);
}

void WorstRunsView::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        return request(currentIndex());
    QTableView::keyPressEvent(event);
}

void WorstRunsView::resizeEvent(QResizeEvent *event)
{
    setColumnHidden(WorstRunsModel::Date, width() < kDateNeeds);
    setColumnHidden(WorstRunsModel::File, width() < kFileNeeds);
    QTableView::resizeEvent(event);
}

void WorstRunsView::applyTheme()
{
    const Theme &theme = m_model.state().theme();
    setPalette(theme.palette());
    setFont(Theme::textFont(12));
    horizontalHeader()->setFont(Theme::textFont(12));
    setStyleSheet(u"QTableView { background: %1; color: %2; border: none; }"
                  "QTableView::item { padding: 0 6px; } QTableView::item:selected { background: %3; color: %2; }"
                  "QHeaderView::section { background: %1; color: %4; border: none; padding: 0 3px; }"_s.arg(
                      theme.base.name(), theme.text.name(), theme.accentGround.name(), theme.secondary.name()));
}

} // namespace ui
