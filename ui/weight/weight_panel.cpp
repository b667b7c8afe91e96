// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/weight/weight_panel.h"

#include "core/base/text.h"
#include "ui/hub/thread_facts.h"
#include "ui/weight/weight_delegate.h"
#include "ui/weight/weight_model.h"
#include "ui/widgets/sorted_table.h"
#include "ui/widgets/word_tabs.h"

#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QTimer>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace ui {

using namespace Qt::StringLiterals;
using core::GroupBy;

namespace {

/// Arrays with up to this many blocks are grouped at once; larger ones in a job.
constexpr size_t kAtOnce = 8'000;
constexpr size_t kCallsAtOnce = 1'000; ///< the same for calls, over which tokens resent unused are counted

constexpr std::array kOrder { GroupBy::Block, GroupBy::File, GroupBy::Tool, GroupBy::Kind };

/// Pixels of the columns that hold figures; the rest is shared by name, detail, bar and reason.
constexpr int kShare = 66;
constexpr int kCalls = 66;
constexpr int kLastUse = 72;
constexpr int kSlot = 110;
constexpr int kFigurePadding = 18; ///< left and right of a figure

int figureWidth() { return QFontMetrics(Theme::figureFont(12)).horizontalAdvance(u"88.88M ±8 %"_s) + kFigurePadding; }

} // namespace

WeightPanel::WeightPanel(ViewState &state, QWidget *parent)
    : Panel(parent)
    , m_state(state)
    , m_model(new WeightModel(this))
    , m_delegate(new WeightDelegate(this))
    , m_summary(new QLabel(this))
    , m_byLabel(new QLabel(tr("group by"), this))
    , m_chooser(new WordTabs({ tr("Block"), tr("File"), tr("Tool"), tr("Kind") }, this))
    , m_table(new QTreeView(this))
{
    setObjectName(u"weight"_s);
    m_chooser->setObjectName(u"weightGroupBy"_s);
    m_chooser->setAccessibleName(tr("Group by"));
    m_chooser->setCurrentIndex(1);
    m_summary->setObjectName(u"weightSummary"_s);
    m_summary->setTextFormat(Qt::PlainText);
    m_table->setObjectName(u"weightTable"_s);
    m_table->setAccessibleName(tr("Weight of the array"));
    m_table->setModel(m_model);
    m_table->setItemDelegate(m_delegate);
    m_table->setRootIsDecorated(false);
    m_table->setItemsExpandable(false);
    m_table->setUniformRowHeights(true);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setAllColumnsShowFocus(true);
    m_table->setMouseTracking(true);
    m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->viewport()->installEventFilter(this);
    QHeaderView *header = m_table->header();
    header->setSectionsClickable(true);
    header->setSortIndicatorShown(true);
    header->setSortIndicatorClearable(true); // a third click: hot ones first
    header->setStretchLastSection(true);
    header->setMinimumSectionSize(40);
    header->setSortIndicator(WeightModel::Weight, Qt::DescendingOrder);
    makeSortable(*m_table);

    auto *row = new QHBoxLayout;
    row->setContentsMargins(14, 0, 4, 0);
    row->setSpacing(12);
    row->addWidget(m_summary, 1);
    row->addWidget(m_byLabel);
    row->addWidget(m_chooser);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(m_table);

    connect(m_chooser, &QTabBar::currentChanged, this,
        [this](int index) { setGroupBy(kOrder[static_cast<size_t>(std::clamp(index, 0, 3))]); });
    connect(m_table, &QTreeView::clicked, this, &WeightPanel::act);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &index) {
        // By keys; the mouse acts when it is clicked.
        const bool isByMouse = QGuiApplication::mouseButtons() != Qt::NoButton;
        if (!m_isFollowing && index.isValid() && m_table->hasFocus() && !isByMouse)
            act(index.siblingAtColumn(WeightModel::Name));
    });
    connect(m_table, &QTreeView::entered, this,
        [this](const QModelIndex &index) { m_state.setHoveredBlock(m_model->group(index.row()).heaviest); });
    connect(&state, &ViewState::pictureSettled, this, &WeightPanel::refresh);
    connect(&state.workspace().facts(), &ThreadFacts::usesChanged, this, &WeightPanel::takeUses);
    connect(&state, &ViewState::hotChanged, this, &WeightPanel::refresh);
    connect(&state, &ViewState::currentChanged, this, &WeightPanel::takeChoice);
    connect(&state, &ViewState::hoverChanged, this, &WeightPanel::showHovered);
    connect(&state, &ViewState::themeChanged, this, &WeightPanel::applyTheme);
    applyTheme();
    takeUses(); // they may be known already
}

WeightPanel::~WeightPanel() = default;

void WeightPanel::setGroupBy(GroupBy by)
{
    if (by == m_by)
        return;
    m_by = by;
    m_chooser->setCurrentIndex(static_cast<int>(std::ranges::find(kOrder, by) - kOrder.begin()));
    sizeColumns();
    refresh();
}

void WeightPanel::refresh()
{
    const ArrayPicture &picture = m_state.picture();
    if (!m_state.session()) {
        m_job.cancel();
        fill({}, {}, {}, m_by);
        return;
    }
    if (m_state.isFindingHot())
        return; // the rows before stay until then
    if (!isInSight() && m_filled == m_state.session())
        return;
    const core::Transcript &array = picture.before;
    const auto work = [array, position = picture.position, cutoff = picture.cutoff, by = m_by,
                          weights = picture.weights, hot = picture.hot, tokens = m_state.workspace().tokens(),
                          uses = m_uses, sums = m_state.workspace().sums(picture.position.thread),
                          sum = picture.sum](core::Progress &) {
        Contents contents { core::weightGroups(array, position.thread, by, weights, *hot), {} };
        if (weights.unit() == core::WeightUnit::Tokens)
            core::addBesides(contents.groups, sum);
        if (uses.uses())
            contents.unused = { core::resentUnused(array, position, cutoff, by, tokens, *uses.uses(), *sums), uses };
        return contents;
    };
    const size_t calls = m_state.session()->thread(picture.position.thread).calls.size();
    if (array.blocks().size() <= kAtOnce && calls <= kCallsAtOnce) {
        m_job.cancel();
        core::Progress progress;
        return fill(work(progress), array, picture.weights, m_by);
    }
    m_job.start(this, work, [this, array, by = m_by, weights = picture.weights](Contents contents) {
        fill(std::move(contents), array, weights, by);
    });
}

void WeightPanel::takeUses()
{
    const UsesPtr &uses = m_state.workspace().facts().uses();
    m_uses = uses && m_state.session() ? UseIndex(*m_state.session(), uses) : UseIndex();
    if (m_state.picture().before.session() == m_state.session())
        refresh();
}

QString WeightPanel::summaryWords(const core::Transcript &array, const core::Weights &weights) const
{
    if (!m_state.session())
        return {};
    QString words = displayText(weights.shown(m_model->total())) + u' ' + displayText(weights.unitName())
        + tr(" in %1").arg(counted(array.slotCount(), tr("slot"), tr("slots"))) + u" · "_s
        + counted(static_cast<size_t>(m_model->rowCount()), tr("row"), tr("rows"));
    const core::ArraySum &sum = m_state.picture().sum;
    const bool isWhole = std::abs(sum.besides()) < 1; // the slots are the whole prompt
    if (weights.unit() == core::WeightUnit::Tokens && !isWhole)
        words += u" · "_s
            + (sum.notSent > 0
                    ? tr("%1 with prelude and unlogged text, less %2 that was logged and not sent")
                          .arg(displayText(core::shown(sum.total())), displayText(weights.shown(sum.notSent)))
                    : tr("%1 with prelude and unlogged text").arg(displayText(core::shown(sum.total()))));
    if (m_model->hotCount() > 0)
        words += u" · "_s + counted(m_model->hotCount(), tr("hot row"), tr("hot rows"));
    if (m_model->knowsResentUnused() && m_model->moreCount() > 0)
        words += u" · "_s
            + counted(
                m_model->moreCount(), tr("other row sent again without use"), tr("other rows sent again without use"));
    return words;
}

void WeightPanel::fill(Contents contents, const core::Transcript &array, const core::Weights &weights, GroupBy by)
{
    const QScopedValueRollback following(m_isFollowing, true);
    const int scroll = m_table->verticalScrollBar()->value();
    const bool isSameSort = by == m_model->groupBy();
    m_model->setContents(array, std::move(contents.groups), by, weights, std::move(contents.unused));
    m_summary->setText(summaryWords(array, weights));
    if (std::exchange(m_filled, array.session()) != array.session()) {
        m_table->scrollToTop(); // where the heaviest rows are
        m_awaitsOpening = !m_state.currentBlock().isValid();
    } else if (isSameSort) {
        m_table->verticalScrollBar()->setValue(scroll);
    }
    follow();
}

void WeightPanel::applyTheme()
{
    const Theme &theme = m_state.theme();
    m_delegate->setTheme(theme);
    m_chooser->setTheme(theme);
    setPalette(theme.palette());
    for (QLabel *label : { m_summary, m_byLabel }) {
        label->setFont(Theme::textFont(12));
        QPalette palette = theme.palette();
        palette.setColor(QPalette::WindowText, theme.secondary);
        label->setPalette(palette);
    }
    m_table->header()->setFont(Theme::textFont(12));
    m_table->header()->setStyleSheet(u"QHeaderView { background: %1; border: none; }"
                                     "QHeaderView::section { background: %1; color: %2; border: none; border-bottom: "
                                     "1px solid %3; padding: 3px 8px; }"
                                     "QHeaderView::section:first { padding-left: 14px; }"_s.arg(
                                         theme.base.name(), theme.secondary.name(), theme.hairline.name()));
    update();
    m_table->viewport()->update();
}

void WeightPanel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_state.theme().base);
}

void WeightPanel::resizeEvent(QResizeEvent *) { sizeColumns(); }

void WeightPanel::comeIntoSight()
{
    refresh();
    // While hidden, its height was 0 and every row seemed out of sight.
    if (m_wasShown)
        return;
    m_wasShown = true;
    QTimer::singleShot(0, this, [this] { m_table->scrollToTop(); });
}

void WeightPanel::sizeColumns()
{
    const int figure = figureWidth();
    const int figures = 3 * figure + kShare + kCalls + kLastUse;
    const int rest = std::max(240, width() - figures - 20);
    QHeaderView *header = m_table->header();
    // A block's place is short, so its name gets more room.
    const int detail = m_by == GroupBy::Block ? kSlot : rest * 20 / 100;
    header->resizeSection(WeightModel::Name, m_by == GroupBy::Block ? rest * 47 / 100 - kSlot : rest * 25 / 100);
    header->resizeSection(WeightModel::Detail, detail);
    header->resizeSection(WeightModel::Bar, rest * 12 / 100);
    header->resizeSection(WeightModel::Weight, figure);
    header->resizeSection(WeightModel::Share, kShare);
    header->resizeSection(WeightModel::Calls, kCalls);
    header->resizeSection(WeightModel::Resent, figure);
    header->resizeSection(WeightModel::ResentUnused, figure);
    header->resizeSection(WeightModel::LastUse, kLastUse);
}

// --- following and acting -------------------------------------------------------------------------------------------

void WeightPanel::takeChoice()
{
    if (std::exchange(m_awaitsOpening, false) || m_filled != m_state.session())
        m_opening = m_state.currentBlock();
    else if (m_opening != m_state.currentBlock())
        m_opening = {};
    follow();
}

void WeightPanel::follow()
{
    if (m_isActing)
        return;
    const QScopedValueRollback following(m_isFollowing, true);
    const int row = m_model->rowOf(m_state.currentBlock());
    if (row < 0) {
        m_table->setCurrentIndex({});
        m_table->clearSelection();
        return;
    }
    // It follows choices that are made while somebody looks at it.
    m_table->setAutoScroll(isVisible() && !m_opening.isValid());
    m_table->setCurrentIndex(m_model->index(row, 0));
    m_table->setAutoScroll(true);
}

void WeightPanel::showHovered()
{
    m_delegate->setHoveredRow(m_model->rowOf(m_state.hoveredBlock()));
    m_table->viewport()->update();
}

void WeightPanel::act(const QModelIndex &index)
{
    if (!index.isValid())
        return;
    if (index.column() == WeightModel::LastUse && m_model->lastUse(index.row()).isUsed())
        return goToUse(index.row());
    const core::BlockId block = m_model->group(index.row()).heaviest;
    if (!block.isValid())
        return; // not a part of the slots
    const QScopedValueRollback acting(m_isActing, true);
    // First the heaviest one, so that the views bring it into sight, then all of the group.
    m_state.setCurrentSlot(m_state.picture().before.slotOf(block));
    m_state.setCurrentBlock(block);
    if (m_model->group(index.row()).blockCount > 1)
        m_state.setSelection(m_model->slotsOf(index.row()));
}

void WeightPanel::goToUse(int row)
{
    const core::LastUse use = m_model->lastUse(row);
    core::Position position = m_state.position();
    if (!m_state.picture().before.slotOf(use.by).isValid()) {
        // The next call is the first one that contains the user of the text.
        const size_t next = use.call.isValid() ? use.call.index() + 1 : 0;
        const size_t calls = m_state.session()->thread(position.thread).calls.size();
        position.call = next < calls ? core::CallIndex(next) : core::CallIndex();
        m_state.setPosition(position);
    }
    m_state.setCurrentBlock(use.by);
    if (m_state.currentSlot().isValid())
        Q_EMIT m_state.revealRequested(m_state.currentSlot());
}

void WeightPanel::setContextActions(QList<QAction *> onBlock, QList<QAction *> onSlots, QList<QAction *> onEither)
{
    m_onBlock = std::move(onBlock);
    m_onSlots = std::move(onSlots);
    m_onEither = std::move(onEither);
}

void WeightPanel::contextMenuEvent(QContextMenuEvent *event)
{
    const QWidget *rows = m_table->viewport();
    const bool isByMouse = event->reason() == QContextMenuEvent::Mouse;
    const QModelIndex index
        = isByMouse ? m_table->indexAt(rows->mapFromGlobal(event->globalPos())) : m_table->currentIndex();
    if (!index.isValid() || m_model->group(index.row()).blockCount == 0)
        return;
    {
        const QScopedValueRollback following(m_isFollowing, true);
        m_table->setCurrentIndex(index);
    }
    act(index); // the menu acts on the selection
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addActions(m_model->group(index.row()).blockCount > 1 ? m_onSlots : m_onBlock);
    menu->addSeparator();
    menu->addActions(m_onEither);
    menu->popup(isByMouse ? event->globalPos() : rows->mapToGlobal(m_table->visualRect(index).center()));
}

bool WeightPanel::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_table->viewport() && event->type() == QEvent::Leave)
        m_state.setHoveredBlock({});
    return QWidget::eventFilter(watched, event);
}

PanelKind weightPanel()
{
    return { u"weight"_s, WeightPanel::tr("Weight"), Qt::BottomDockWidgetArea, Qt::Key_3, makePanel<WeightPanel> };
}

} // namespace ui
