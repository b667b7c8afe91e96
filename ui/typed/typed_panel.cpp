// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/typed/typed_panel.h"

#include "core/session/outline.h"
#include "ui/hub/thread_facts.h"
#include "ui/typed/typed_delegate.h"
#include "ui/typed/typed_model.h"
#include "ui/widgets/plain_table.h"
#include "ui/widgets/sorted_table.h"

#include <QPainter>
#include <QSortFilterProxyModel>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

/// Pixels of the columns with calls and states; the others share the rest.
constexpr int kCall = 118;
constexpr int kState = 230;
constexpr int kLeastState = 150;
constexpr int kScrollBarRoom = 14;
constexpr double kMessageShare = 0.6;

} // namespace

TypedPanel::TypedPanel(ViewState &state, QWidget *parent)
    : Panel(parent)
    , m_state(state)
    , m_model(new TypedModel(this))
    , m_sorted(new QSortFilterProxyModel(this))
    , m_delegate(new TypedDelegate(*m_model, this))
    , m_summary(new QLabel(this))
    , m_table(new QTreeView(this))
{
    setObjectName(u"typed"_s);
    makeTableSummary(*m_summary, u"typedSummary"_s);
    makePlainTable(*m_table, u"typedTable"_s, tr("Messages you typed"));
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(TypedModel::SortRole);
    m_sorted->setSortCaseSensitivity(Qt::CaseInsensitive);
    m_table->setModel(m_sorted);
    m_table->setItemDelegate(m_delegate);
    makeSortable(*m_table);
    m_table->sortByColumn(TypedModel::Typed, Qt::AscendingOrder);

    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_summary);
    column->addWidget(m_table, 1);
    column->addStretch(); // where there is no table

    connect(m_table, &QTreeView::clicked, this, &TypedPanel::choose);
    offerRowMenu(*m_table, [this](const QModelIndex &row) { choose(row); });
    connect(m_table, &QTreeView::activated, this, &TypedPanel::choose);
    connect(&state.workspace().facts(), &ThreadFacts::traceGroundChanged, this, &TypedPanel::refresh);
    connect(&state, &ViewState::pictureSettled, this, &TypedPanel::refreshCall);
    connect(&state, &ViewState::currentChanged, this, &TypedPanel::follow);
    connect(&state, &ViewState::themeChanged, this, &TypedPanel::applyTheme);
    applyTheme();
    refresh();
}

TypedPanel::~TypedPanel() = default;

uint32_t TypedPanel::chosenCall() const
{
    const core::Position position = m_state.position();
    const uint32_t end = m_model->ground() ? m_model->ground()->spans.callCount : 0;
    return position.isEnd() ? end : std::min(position.call.value(), end);
}

void TypedPanel::refresh()
{
    m_model->setContents(m_state.workspace().facts().lastTraceGround(), 0);
    m_atEnd = m_model->ground() ? m_model->inContext(m_model->ground()->spans.callCount) : core::InContext {};
    sizeColumns();
    refreshCall();
    follow();
}

QString TypedPanel::whyEmpty() const
{
    const bool isEmpty = m_state.session() && m_model->ground() && m_model->rowCount() == 0;
    return isEmpty ? tr("The log of this thread has no message that a user typed.") : QString();
}

void TypedPanel::comeIntoSight()
{
    refreshCall();
    follow();
}

void TypedPanel::refreshCall()
{
    Q_EMIT partChanged(m_atEnd.standing, m_atEnd.all);
    Q_EMIT emptinessChanged();
    if (!isInSight())
        return;
    m_model->setCall(chosenCall());
    const bool isEnd = m_state.position().isEnd();
    if (m_table->isColumnHidden(TypedModel::Now) != isEnd) {
        m_table->setColumnHidden(TypedModel::Now, isEnd);
        sizeColumns();
    }
    const core::InContext inContext = m_model->inContext(chosenCall());
    m_table->setVisible(m_model->rowCount() > 0);
    if (!m_state.session()) {
        m_summary->clear();
    } else if (!m_model->ground()) {
        m_summary->setText(tr("Tracing the messages…"));
    } else if (m_model->rowCount() == 0) {
        m_summary->setText(whyEmpty());
    } else {
        const QString here = isEnd ? QString()
                                   : tr("%1 of %2 word for word in context at call %3")
                                         .arg(inContext.standing)
                                         .arg(inContext.all)
                                         .arg(chosenCall())
                + u" · "_s;
        m_summary->setText(here + m_model->endSentence());
    }
}

void TypedPanel::follow()
{
    if (!isInSight())
        return;
    const QModelIndex row = m_sorted->mapFromSource(m_model->index(m_model->rowOf(m_state.currentBlock()), 0));
    if (row == m_table->currentIndex().siblingAtColumn(0) && row.isValid())
        return;
    m_table->setCurrentIndex(row);
    if (!row.isValid())
        m_table->clearSelection();
}

void TypedPanel::choose(const QModelIndex &index)
{
    const core::BlockId block = m_model->message(index.data(TypedModel::RowRole).toInt()).block;
    if (!m_state.picture().before.slotOf(block).isValid()) {
        // The nearest to the end is the last.
        const core::Position end { m_state.position().thread, core::CallIndex() };
        if (const auto position = core::nearestPositionWith(*m_state.session(), block, end))
            m_state.setPosition(*position);
    }
    m_state.setCurrentBlock(block);
    if (m_state.currentSlot().isValid())
        Q_EMIT m_state.revealRequested(m_state.currentSlot());
}

void TypedPanel::waitForContent() { m_state.workspace().facts().waitForFacts(); }

void TypedPanel::resizeEvent(QResizeEvent *) { sizeColumns(); }

void TypedPanel::sizeColumns()
{
    QHeaderView *header = m_table->header();
    const bool hasNow = !m_table->isColumnHidden(TypedModel::Now);
    const int state = std::clamp(width() / 7, kLeastState, kState);
    const int rest = width() - 2 * kCall - (hasNow ? 2 : 1) * state - kScrollBarRoom;
    const int message = static_cast<int>(kMessageShare * rest);
    header->resizeSection(TypedModel::Message, message);
    header->resizeSection(TypedModel::Typed, kCall);
    header->resizeSection(TypedModel::Life, rest - message);
    if (hasNow)
        header->resizeSection(TypedModel::Now, state);
    header->resizeSection(TypedModel::End, state);
}

void TypedPanel::applyTheme()
{
    const Theme &theme = m_state.theme();
    m_model->setTheme(theme);
    m_delegate->setTheme(theme);
    setTableTheme(*this, *m_summary, *m_table, theme, kPageMargin);
}

void TypedPanel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_state.theme().base);
}

PanelKind typedPanel()
{
    return { u"typed"_s, TypedPanel::tr("Messages You Typed"), Qt::BottomDockWidgetArea, Qt::Key_8,
        makePanel<TypedPanel> };
}

} // namespace ui
