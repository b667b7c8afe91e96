// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/calls/calls_panel.h"

#include "core/base/text.h"
#include "core/session/slot_label.h"
#include "ui/calls/calls_delegate.h"
#include "ui/calls/calls_model.h"
#include "ui/hub/replays.h"
#include "ui/hub/run_figures.h"
#include "ui/widgets/plain_table.h"

#include <QAction>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QPainter>
#include <QScopedValueRollback>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

/// Pixels of the columns that hold words.
constexpr int kCause = 130;
constexpr int kDecision = 380;
constexpr int kLeastDecision = 150;
constexpr int kScrollBar = 14;

} // namespace

CallsPanel::CallsPanel(ViewState &state, QWidget *parent)
    : Panel(parent)
    , m_state(state)
    , m_model(new CallsModel(this))
    , m_delegate(new CallsDelegate(this))
    , m_summary(new QLabel(this))
    , m_table(new QTreeView(this))
    , m_copy(new QAction(tr("Copy Rows"), this))
{
    setObjectName(u"calls"_s);
    makeTableSummary(*m_summary, u"callsSummary"_s);
    makePlainTable(*m_table, u"callsTable"_s, tr("Calls"));
    m_table->setModel(m_model);
    m_table->setItemDelegate(m_delegate);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_copy->setShortcut(QKeySequence::Copy);
    m_copy->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addAction(m_copy);

    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_summary);
    column->addWidget(m_table);

    connect(m_copy, &QAction::triggered, this, &CallsPanel::copy);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &CallsPanel::choose);
    connect(&state, &ViewState::pictureChanged, this, &CallsPanel::refresh);
    connect(&state, &ViewState::themeChanged, this, &CallsPanel::applyTheme);
    connect(&state.workspace().replays(), &Replays::changed, this, &CallsPanel::takeReplay);
    connect(&state.workspace().figures(), &RunFigures::recordedChanged, this, &CallsPanel::takeFigures);
    connect(&state.workspace().figures(), &RunFigures::policyChanged, this, &CallsPanel::takeFigures);
    applyTheme();
    sizeColumns();
}

CallsPanel::~CallsPanel() = default;

void CallsPanel::refresh()
{
    if (!isInSight())
        return; // when it is shown
    const Ground ground { m_state.session(), m_state.workspace().tokens(), m_state.position().thread };
    if (!(ground == m_ground)) {
        m_ground = ground;
        const QScopedValueRollback following(m_isFollowing, true);
        core::ContextCurve curve;
        if (const core::ArraySumsPtr sums = m_state.workspace().sums(ground.thread))
            curve = core::contextCurve(*sums, *ground.tokens);
        m_model->setContents(ground.session, ground.thread, std::move(curve), nullptr);
        takeReplay();
    }
    follow();
}

void CallsPanel::takeReplay()
{
    if (!isInSight())
        return;
    const core::ReplayPtr &replay = m_state.workspace().replays().current();
    const bool isOfThis
        = replay && replay->ground->log.session == m_ground.session && replay->ground->log.thread == m_ground.thread;
    const auto shownOf = [this] { return std::pair(m_model->hasReplay(), m_model->hasReadings()); };
    const auto shown = shownOf();
    m_model->setReplay(isOfThis ? replay : nullptr);
    if (shownOf() != shown)
        sizeColumns();
    takeFigures();
}

void CallsPanel::takeFigures()
{
    if (!isInSight())
        return;
    const RunFigures &figures = m_state.workspace().figures();
    const core::RecordedFiguresPtr &recorded = figures.recorded();
    const bool isOfThis = recorded && recorded->ground->log.session == m_ground.session
        && recorded->ground->log.thread == m_ground.thread
        && (recorded->cache.hasFigures || recorded->run.isPriced() || recorded->none.isPriced());
    const bool hadFigures = m_model->hasFigures();
    m_model->setFigures(isOfThis ? recorded : nullptr, isOfThis ? figures.policy() : nullptr);
    if (m_model->hasFigures() != hadFigures)
        sizeColumns();
    refreshSummary();
}

void CallsPanel::refreshSummary()
{
    QStringList words;
    if (m_model->rowCount() > 0)
        words << counted(static_cast<size_t>(m_model->callCount()), tr("call"), tr("calls"));
    if (const core::ReplayPtr &replay = m_model->replay()) {
        const auto figure = [](double tokens) { return u'~' + displayText(core::shortNumber(tokens)); };
        words << displayText(replay->policy->name);
        words << displayText(core::compactionWords(*replay));
        words << tr("%1 tokens sent").arg(figure(replay->totalTokens()));
        if (replay->counterfactual.calls > 0)
            words.last() += tr(", %1 of them in %2 after the first recorded compaction")
                                .arg(figure(replay->counterfactual.tokens),
                                    counted(replay->counterfactual.calls, tr("call"), tr("calls")));
        if (replay->isSummaryAssumed)
            words << tr("summaries assumed to have ~%1 tokens").arg(figure(replay->ground->summary.tokens).mid(1));
    }
    words << moneyWords();
    m_summary->setText(words.join(u" · "_s));
    const core::RecordedFiguresPtr &recorded = m_state.workspace().figures().recorded();
    QStringList costs;
    for (const std::string &line :
        recorded ? recorded->byThread.lines(*recorded->ground->log.session) : std::vector<std::string>())
        costs << displayText(line);
    m_summary->setToolTip(toolTipText(costs.join(u'\n')));
}

QStringList CallsPanel::moneyWords() const
{
    const RunFigures &figures = m_state.workspace().figures();
    QStringList words;
    const core::PolicyFiguresPtr policy = m_model->hasReplay() ? figures.policy() : nullptr;
    if (policy && policy->cost.isPriced())
        words << displayText(core::dollars(policy->cost.parts.total()));
    if (const core::RecordedFiguresPtr &recorded = figures.recorded(); recorded && recorded->bill.isKnown())
        words << displayText(core::recordedMoney(*recorded));
    if (const core::RecordedFiguresPtr &recorded = figures.recorded(); recorded && !recorded->byThread.words().empty())
        words << displayText(recorded->byThread.words());
    if (!figures.priceProblem().isEmpty())
        words << figures.priceProblem();
    return words;
}

void CallsPanel::comeIntoSight()
{
    refresh();
    takeReplay();
}

void CallsPanel::follow()
{
    const QScopedValueRollback following(m_isFollowing, true);
    const core::Position position = m_state.position();
    const int row = position.isEnd() ? m_model->callCount() : static_cast<int>(position.call.value());
    const QModelIndex index = m_model->index(std::min(row, m_model->rowCount() - 1), 0);
    if (index.isValid() && index.row() != m_table->currentIndex().row())
        m_table->setCurrentIndex(index);
}

void CallsPanel::choose(const QModelIndex &index)
{
    if (m_isFollowing || !index.isValid())
        return;
    core::Position position = m_state.position();
    position.call
        = index.row() < m_model->callCount() ? core::CallIndex(static_cast<uint32_t>(index.row())) : core::CallIndex();
    m_state.setPosition(position);
}

core::BlockId CallsPanel::answerOf(int row) const
{
    const core::Session &session = *m_state.session();
    const auto &calls = session.thread(m_state.position().thread).calls;
    core::BlockId best;
    const auto rank = [&](core::BlockId id) {
        return std::pair(session.block(id).kind == core::BlockKind::ToolCall, m_state.workspace().tokens()->of(id));
    };
    if (static_cast<size_t>(row) >= calls.size())
        return best;
    const core::BlockRange output = calls[static_cast<size_t>(row)].output;
    for (uint32_t i = output.begin; i < output.end; ++i) {
        const core::BlockId id(i);
        if (!best.isValid() || rank(id) > rank(best))
            best = id;
    }
    return best;
}

void CallsPanel::copy()
{
    QList<int> rows;
    const QModelIndexList selected = m_table->selectionModel()->selectedRows();
    for (const QModelIndex &index : selected)
        rows << index.row();
    std::ranges::sort(rows);
    if (!rows.isEmpty())
        QGuiApplication::clipboard()->setText(m_model->tabSeparated(rows));
}

void CallsPanel::contextMenuEvent(QContextMenuEvent *event)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(m_copy);
    menu->addAction(tr("Select All Rows"), m_table, &QTreeView::selectAll);
    const QWidget *rows = m_table->viewport();
    const bool isByMouse = event->reason() == QContextMenuEvent::Mouse;
    const QModelIndex index
        = isByMouse ? m_table->indexAt(rows->mapFromGlobal(event->globalPos())) : m_table->currentIndex();
    const bool isOne = index.isValid() && m_state.session() && m_table->selectionModel()->selectedRows().size() <= 1;
    if (const core::BlockId answer = isOne ? answerOf(index.row()) : core::BlockId(); answer.isValid()) {
        choose(index);
        m_state.setCurrentBlock(answer); // the menu acts on it
        const core::Session &session = *m_state.session();
        menu->addSection(tr("Answer: %1").arg(displayText(core::labelOf(session, session.block(answer)).text())));
        menu->addActions(rowActions());
    }
    menu->popup(isByMouse ? event->globalPos() : rows->mapToGlobal(m_table->visualRect(index).center()));
}

void CallsPanel::resizeEvent(QResizeEvent *) { sizeColumns(); }

void CallsPanel::sizeColumns()
{
    const QFontMetrics figures(Theme::figureFont(12));
    const QFontMetrics titles(Theme::textFont(12));
    QHeaderView *header = m_table->header();
    int taken = 0;
    for (int column = 0; column < CallsModel::ColumnCount; ++column) {
        // A model reset gives hidden columns a width. Hides them again.
        m_table->setColumnHidden(column, false);
        m_table->setColumnHidden(column, !m_model->isShown(column));
        if (!CallsModel::isFigure(column) || !m_model->isShown(column))
            continue;
        const QString head = m_model->headerData(column, Qt::Horizontal).toString();
        const int width = std::max(figures.horizontalAdvance(m_model->widest(column)), titles.horizontalAdvance(head))
            + 2 * CallsDelegate::kPadding + 2;
        header->resizeSection(column, width);
        taken += width;
    }
    if (m_model->hasFigures()) {
        header->resizeSection(CallsModel::CacheCause, kCause);
        taken += kCause;
    }
    if (m_model->hasReplay()) {
        // Adds the scroll bar.
        const int world = titles.horizontalAdvance(tr("counterfactual")) + 2 * CallsDelegate::kPadding + kScrollBar;
        header->resizeSection(CallsModel::Decision, std::clamp(width() - taken - world, kLeastDecision, kDecision));
        header->resizeSection(CallsModel::World, world);
    }
    // Without a replay the figures stay at the left and do not stretch to the far edge.
    header->setStretchLastSection(m_model->hasReplay());
}

void CallsPanel::applyTheme()
{
    const Theme &theme = m_state.theme();
    m_model->setTheme(theme);
    m_delegate->setTheme(theme);
    setTableTheme(*this, *m_summary, *m_table, theme);
}

void CallsPanel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_state.theme().base);
}

PanelKind callsPanel()
{
    return { u"calls"_s, CallsPanel::tr("Calls"), Qt::BottomDockWidgetArea, Qt::Key_6, makePanel<CallsPanel> };
}

} // namespace ui
