// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/outline/outline_panel.h"

#include "core/search/search.h"
#include "ui/hub/bookmarks.h"
#include "ui/hub/run_figures.h"
#include "ui/outline/outline_delegate.h"
#include "ui/outline/threads_model.h"
#include "ui/widgets/word_tabs.h"

#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QStackedWidget>
#include <QThread>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr size_t kMostUnfolded = 400; ///< rows that a filter shows at once; more stay folded
constexpr int kMostOpenTurns = 2000;  ///< up to this many turns start unfolded; with more, all stay folded

/// Snapshots of one file share its source.
bool areOfOneFile(const core::SessionPtr &a, const core::SessionPtr &b)
{
    return a && b && !a->sources.empty() && !b->sources.empty() && a->sources.front() == b->sources.front();
}

/// A tree with quiet marks for rows that can be unfolded.
class OutlineTree final : public QTreeView {
public:
    using QTreeView::QTreeView;

    void setTheme(const Theme &theme) { m_theme = theme; }

    /// Rows expanded from here on are laid out together, before the tree is shown again. One by one, each
    /// would move all rows below it.
    void layOutLater() { scheduleDelayedItemsLayout(); }

    /// The base class asks every row for its position; this paints only the visible rows.
    void dataChanged(const QModelIndex &first, const QModelIndex &last, const QList<int> &roles) override
    {
        if (first.row() == last.row())
            return QTreeView::dataChanged(first, last, roles);
        viewport()->update();
    }

protected:
    void drawBranches(QPainter *painter, const QRect &rect, const QModelIndex &index) const override
    {
        const bool isSelected = selectionModel()->isSelected(index);
        painter->fillRect(rect, isSelected ? m_theme.accentGround : m_theme.base);
        if (!model()->hasChildren(index))
            return;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(m_theme.secondary, 1.2));
        const QPointF middle(rect.right() - 6, rect.center().y() + 0.5);
        const QPolygonF mark = isExpanded(index)
            ? QPolygonF { middle + QPointF(-3, -1.5), middle + QPointF(0, 1.5), middle + QPointF(3, -1.5) }
            : QPolygonF { middle + QPointF(-1.5, -3), middle + QPointF(1.5, 0), middle + QPointF(-1.5, 3) };
        painter->drawPolyline(mark);
        painter->restore();
    }

private:
    Theme m_theme = Theme::make(Appearance::Light);
};

} // namespace

OutlinePanel::OutlinePanel(ViewState &state, QWidget *parent)
    : Panel(parent)
    , m_state(state)
    , m_model(new OutlineModel(this))
    , m_threads(new ThreadsModel(this))
    , m_delegate(new OutlineDelegate(this))
    , m_threadsDelegate(new ThreadsDelegate(this))
    , m_tabs(new WordTabs({ tr("Outline"), tr("Threads") }, this))
    , m_pages(new QStackedWidget(this))
    , m_filter(new QLineEdit(this))
    , m_tree(new OutlineTree(this))
    , m_list(new QListView(this))
{
    setObjectName(u"outline"_s);
    setUpParts();
    layOut();
    connectViews();
    connect(&state, &ViewState::pictureSettled, this, &OutlinePanel::refresh);
    connect(&state.search(), &SessionSearch::hotChanged, this, [this] {
        if (m_asksForHot)
            search();
    });
    connect(&state, &ViewState::hotChanged, this, &OutlinePanel::takeHot);
    connect(&state, &ViewState::currentChanged, this, &OutlinePanel::follow);
    connect(&state, &ViewState::hoverChanged, this, &OutlinePanel::showHovered);
    connect(&state, &ViewState::themeChanged, this, &OutlinePanel::applyTheme);
    applyTheme();
    refresh();
}

OutlinePanel::~OutlinePanel() = default;

void OutlinePanel::setUpParts()
{
    m_tabs->setObjectName(u"outlineTabs"_s);
    m_tabs->setAccessibleName(tr("Outline or threads"));
    m_filter->setObjectName(u"outlineFilter"_s);
    m_filter->setPlaceholderText(tr("⌕ find in the outline"));
    m_filter->setAccessibleName(tr("Find in the outline"));
    m_filter->setClearButtonEnabled(true);
    m_filter->installEventFilter(this);
    m_tree->setObjectName(u"outlineTree"_s);
    m_tree->setAccessibleName(tr("Outline"));
    m_tree->setModel(m_model);
    m_tree->setItemDelegate(m_delegate);
    m_tree->setHeaderHidden(true);
    m_tree->setUniformRowHeights(true);
    m_tree->setIndentation(14);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setMouseTracking(true);
    m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_tree->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_tree->setExpandsOnDoubleClick(true);
    m_tree->header()->setStretchLastSection(true);
    m_tree->viewport()->installEventFilter(this);
    m_list->setObjectName(u"threadList"_s);
    m_list->setAccessibleName(tr("Threads"));
    m_list->setModel(m_threads);
    m_list->setItemDelegate(m_threadsDelegate);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
}

void OutlinePanel::layOut()
{
    auto *outline = new QWidget(this);
    auto *outlineColumn = new QVBoxLayout(outline);
    outlineColumn->setContentsMargins(0, 0, 0, 0);
    outlineColumn->setSpacing(4);
    auto *filterRow = new QHBoxLayout;
    filterRow->setContentsMargins(12, 2, 12, 2);
    filterRow->addWidget(m_filter);
    outlineColumn->addLayout(filterRow);
    outlineColumn->addWidget(m_tree);
    m_pages->addWidget(outline);
    m_pages->addWidget(m_list);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(4);
    auto *tabRow = new QHBoxLayout;
    tabRow->setContentsMargins(14, 0, 12, 0);
    tabRow->addWidget(m_tabs);
    tabRow->addStretch();
    column->addLayout(tabRow);
    column->addWidget(m_pages);
}

void OutlinePanel::connectViews()
{
    connect(m_tabs, &QTabBar::currentChanged, m_pages, &QStackedWidget::setCurrentIndex);
    connect(&m_state.workspace().bookmarks(), &Bookmarks::changed, this, &OutlinePanel::takeBookmarks);
    connect(&m_state.workspace().figures(), &RunFigures::recordedChanged, this, &OutlinePanel::takeCost);
    connect(m_filter, &QLineEdit::textChanged, this, &OutlinePanel::search);
    connect(m_tree, &QTreeView::clicked, this, &OutlinePanel::act);
    offerRowMenu(*m_tree, [this](const QModelIndex &row) { act(row); });
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex &index) {
        // By keys; the mouse acts when it is clicked.
        const bool isByMouse = QGuiApplication::mouseButtons() != Qt::NoButton;
        if (!m_isFollowing && !m_isRestoring && index.isValid() && m_tree->hasFocus() && !isByMouse)
            act(index);
    });
    connect(m_tree, &QTreeView::entered, this, [this](const QModelIndex &index) {
        m_state.setHoveredBlock(
            blockOf(m_model->messageOf(index), m_model->kindOf(index) == OutlineModel::Kind::Typed));
    });
    connect(m_tree, &QTreeView::expanded, this, [this](const QModelIndex &index) {
        if (m_isRestoring)
            return;
        const quint64 key = m_model->keyOf(index);
        m_folded.remove(key);
        if (!opensByItself(index))
            m_unfolded.insert(key);
    });
    connect(m_tree, &QTreeView::collapsed, this, [this](const QModelIndex &index) {
        if (m_isRestoring)
            return;
        const quint64 key = m_model->keyOf(index);
        m_unfolded.remove(key);
        if (key == m_shownGroup)
            m_shownGroup = 0;
        if (opensByItself(index))
            m_folded.insert(key);
    });
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex &index) {
        if (m_isFollowing || !index.isValid())
            return;
        const core::ThreadIndex thread = m_threads->thread(index.row());
        if (thread != m_state.position().thread)
            m_state.setPosition(m_state.heaviestPosition(thread));
    });
}

void OutlinePanel::applyTheme()
{
    const Theme &theme = m_state.theme();
    m_delegate->setTheme(theme);
    m_threadsDelegate->setTheme(theme);
    m_tabs->setTheme(theme);
    static_cast<OutlineTree *>(m_tree)->setTheme(theme);
    setPalette(theme.palette());
    styleFilter(m_filter->toolTip().isEmpty());
    update();
    m_tree->viewport()->update();
    m_list->viewport()->update();
}

void OutlinePanel::styleFilter(bool isValid)
{
    const Theme &theme = m_state.theme();
    m_filter->setFont(Theme::textFont(12));
    m_filter->setStyleSheet(
        u"QLineEdit { background: %1; color: %2; border: 1px solid %3; border-radius: 4px; padding: 2px 6px; }"
        "QLineEdit:focus { border-color: %4; }"_s.arg(theme.base.name(), (isValid ? theme.text : theme.hot).name(),
            theme.hairline.name(), (isValid ? theme.accent : theme.hot).name()));
}

void OutlinePanel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_state.theme().base);
}

void OutlinePanel::showEvent(QShowEvent *event)
{
    Panel::showEvent(event);
    // Once the panel has its size.
    QMetaObject::invokeMethod(m_tree, [this] { m_tree->scrollTo(m_tree->currentIndex()); }, Qt::QueuedConnection);
}

void OutlinePanel::refresh()
{
    const ArrayPicture &picture = m_state.picture();
    if (m_state.session() != m_model->session() || picture.position.thread != m_model->thread()) {
        const bool isSameThread
            = areOfOneFile(m_model->session(), m_state.session()) && picture.position.thread == m_model->thread();
        const int scroll = m_tree->verticalScrollBar()->value();
        if (!isSameThread) {
            m_folded.clear();
            m_unfolded.clear();
            m_shownGroup = 0;
        }
        const QScopedValueRollback restoring(m_isRestoring, true);
        m_model->setContents(m_state.session(), picture.position.thread);
        restoreExpanded();
        if (isSameThread)
            m_tree->verticalScrollBar()->setValue(scroll);
        if (!m_filter->text().isEmpty())
            search();
    }
    takeArray();
    refreshThreads();
    m_tree->viewport()->update();
    follow();
}

void OutlinePanel::takeArray()
{
    const ArrayPicture &picture = m_state.picture();
    if (!m_state.session())
        return;
    m_model->setWeights(picture.weights);
    m_model->setArray(picture.before, picture.hasAfter() ? picture.compactionNumber : 0);
    takeHot();
    m_tree->viewport()->update();
}

void OutlinePanel::takeBookmarks()
{
    std::vector<core::MessageId> messages;
    for (const core::BlockId place : m_state.workspace().bookmarks().places())
        messages.push_back(m_state.session()->block(place).message);
    std::ranges::sort(messages);
    m_model->setBookmarks(std::move(messages));
}

void OutlinePanel::takeHot()
{
    const core::SessionPtr &session = m_state.session();
    if (!session || session != m_model->session())
        return;
    const core::HotZones &zones = *m_state.picture().hot;
    std::vector<core::MessageId> hot;
    hot.reserve(zones.bySlot.size());
    for (const uint32_t place : zones.bySlot)
        hot.push_back(session->block(zones.blocks[place].block).message);
    m_model->setHot(std::move(hot));
}

void OutlinePanel::refreshThreads()
{
    const core::SessionPtr &session = m_state.session();
    const bool areSeveral = session && session->threads.size() > 1;
    if (m_tabs->isTabVisible(1) != areSeveral) {
        m_tabs->setTabVisible(1, areSeveral);
        m_tabs->updateGeometry(); // the bar does not ask for more room by itself
        if (!areSeveral)
            m_tabs->setCurrentIndex(0);
    }
    const QScopedValueRollback following(m_isFollowing, true);
    if (session != m_threadsOf || m_state.workspace().tokens() != m_tokens) {
        m_threadsOf = session;
        m_tokens = m_state.workspace().tokens();
        m_threads->setContents(session, m_tokens, m_state.workspace().sessionSums());
        takeCost();
    }
    if (session)
        m_list->setCurrentIndex(m_threads->index(m_threads->rowOf(m_state.position().thread), 0));
}

void OutlinePanel::takeCost()
{
    const core::RecordedFiguresPtr &recorded = m_state.workspace().figures().recorded();
    if (recorded && recorded->ground->log.session == m_threadsOf)
        m_threads->setCost(recorded->sessionCost);
}

void OutlinePanel::restoreExpanded()
{
    const QScopedValueRollback restoring(m_isRestoring, true);
    static_cast<OutlineTree *>(m_tree)->layOutLater();
    const bool isFiltered = !m_filter->text().isEmpty();
    const bool areMany = m_model->rowCount() > kMostOpenTurns;
    if (areMany)
        m_shownGroup = 0; // it is unfolded again with its turn
    size_t shown = 0;
    for (int i = 0; i < m_model->rowCount(); ++i) {
        if (areMany && m_unfolded.isEmpty())
            break; // all are folded
        const QModelIndex top = m_model->index(i, 0);
        const quint64 topKey = m_model->keyOf(top);
        if (areMany ? !m_unfolded.contains(topKey) : !isFiltered && m_folded.contains(topKey))
            continue;
        m_tree->expand(top);
        for (int k = 0; k < m_model->rowCount(top); ++k) {
            const QModelIndex child = m_model->index(k, 0, top);
            if (m_model->kindOf(child) != OutlineModel::Kind::Group)
                continue;
            const quint64 key = m_model->keyOf(child);
            shown += static_cast<size_t>(m_model->rowCount(child));
            if (key == m_shownGroup)
                m_shownIndex = child;
            if (isFiltered ? shown <= kMostUnfolded : m_unfolded.contains(key) || key == m_shownGroup)
                m_tree->expand(child);
        }
    }
    m_tree->doItemsLayout();
}

bool OutlinePanel::opensByItself(const QModelIndex &index) const
{
    return m_model->kindOf(index) != OutlineModel::Kind::Group && m_model->rowCount() <= kMostOpenTurns;
}

// --- following ------------------------------------------------------------------------------------------------------

void OutlinePanel::follow()
{
    if (m_isActing || !m_state.session())
        return;
    const core::BlockId block = m_state.currentBlock();
    QModelIndex index;
    if (block.isValid() && block.index() < m_state.session()->blocks.size())
        index = m_model->indexOf(m_state.session()->block(block).message);
    if (index == m_tree->currentIndex())
        return; // also when its group was folded since
    const QScopedValueRollback following(m_isFollowing, true);
    if (index.isValid())
        showGroup(index.parent());
    m_tree->setCurrentIndex(index); // scrolls as little as needed
    if (!index.isValid())
        m_tree->clearSelection();
}

void OutlinePanel::showGroup(const QModelIndex &group)
{
    const quint64 key = m_model->kindOf(group) == OutlineModel::Kind::Group ? m_model->keyOf(group) : 0;
    if (key == m_shownGroup)
        return;
    const QScopedValueRollback restoring(m_isRestoring, true);
    const quint64 before = std::exchange(m_shownGroup, key);
    if (before != 0 && !m_unfolded.contains(before) && m_shownIndex.isValid()) {
        m_tree->collapse(m_shownIndex);
        const QModelIndex top = m_shownIndex.parent();
        if (!opensByItself(top) && !m_unfolded.contains(m_model->keyOf(top)))
            m_tree->collapse(top);
    }
    m_shownIndex = key != 0 ? group : QModelIndex();
    if (key != 0) {
        m_tree->expand(group.parent());
        m_tree->expand(group);
    }
}

void OutlinePanel::showHovered()
{
    const core::BlockId block = m_state.hoveredBlock();
    QModelIndex index;
    if (m_state.session() && block.isValid() && block.index() < m_state.session()->blocks.size())
        index = m_model->indexOf(m_state.session()->block(block).message);
    m_delegate->setHovered(index);
    m_tree->viewport()->update();
}

// --- acting ---------------------------------------------------------------------------------------------------------

core::BlockId OutlinePanel::blockOf(core::MessageId id, bool isTyped) const
{
    if (!id.isValid() || !m_state.session())
        return {};
    const core::Session &session = *m_state.session();
    const core::Message &message = session.message(id);
    core::BlockId best = message.first;
    double most = -1;
    for (uint32_t i = 0; i < message.count; ++i) {
        const core::BlockId block(message.first.value() + i);
        if (isTyped && session.block(block).is(core::BlockFlag::Typed))
            return block;
        const double weight = m_state.weights().of(session, block);
        if (weight > most) {
            most = weight;
            best = block;
        }
    }
    return best;
}

void OutlinePanel::actOnMessage(core::MessageId message, bool isTyped)
{
    const core::BlockId block = blockOf(message, isTyped);
    if (!block.isValid())
        return;
    if (!m_state.picture().before.slotOf(block).isValid()) {
        if (const auto position = core::nearestPositionWith(*m_state.session(), block, m_state.position()))
            m_state.setPosition(*position);
    }
    // The slot first, so that the views bring it into sight, then the block that was meant.
    m_state.setCurrentSlot(m_state.picture().before.slotOf(block));
    m_state.setCurrentBlock(block);
}

void OutlinePanel::act(const QModelIndex &index)
{
    if (!index.isValid() || !m_state.session())
        return;
    const QScopedValueRollback acting(m_isActing, true);
    const OutlineModel::Kind kind = m_model->kindOf(index);
    if (kind == OutlineModel::Kind::Compaction) {
        core::Position position = m_state.position();
        const core::CallIndex call = m_model->entryOf(index).firstCall;
        position.call = call.isValid() ? call : core::CallIndex(0U);
        if (!m_state.session()->thread(position.thread).calls.empty())
            m_state.setPosition(position, m_model->entryOf(index).number - 1);
        return;
    }
    const bool isTyped = kind == OutlineModel::Kind::Typed || kind == OutlineModel::Kind::Turn;
    actOnMessage(m_model->messageOf(index), isTyped);
}

void OutlinePanel::setFilter(const QString &line) { m_filter->setText(line); }

void OutlinePanel::search()
{
    const auto query = core::parseQuery(m_filter->text().toStdString());
    m_filter->setToolTip(query ? QString() : toolTipText(displayText(query.error().message)));
    styleFilter(query.has_value());
    if (!query)
        return; // the rows of the last good line stay
    m_asksForHot = query->reads(core::QueryTerm::Key::Hot);
    if (query->isEmpty() || !m_model->session() || m_model->session() != m_state.session()) {
        m_search.cancel();
        {
            const QScopedValueRollback restoring(m_isRestoring, true);
            m_model->setFilter(std::nullopt);
            restoreExpanded();
        }
        follow();
        return;
    }
    const auto outline = m_model->outline();
    m_search.start(
        this,
        [ground = m_state.search().ground(), outline, query = *query](core::Progress &progress) mutable {
            const auto threads = static_cast<unsigned>(std::max(2, QThread::idealThreadCount()));
            Found found { outline, std::vector<bool>(outline->messages.size()) };
            if (!ground.complete(threads, &progress))
                return found;
            for (const core::SearchHit &hit : core::searchAll(ground, query, threads, &progress)) {
                const core::MessageId message = ground.session->block(hit.block).message;
                const auto at = std::ranges::lower_bound(outline->messages, message);
                if (at != outline->messages.end() && *at == message)
                    found.matches[static_cast<size_t>(at - outline->messages.begin())] = true;
            }
            return found;
        },
        [this](Found found) {
            if (found.outline != m_model->outline())
                return;
            {
                const QScopedValueRollback restoring(m_isRestoring, true);
                m_model->setFilter(std::move(found.matches));
                restoreExpanded();
            }
            follow();
        });
}

bool OutlinePanel::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_tree->viewport() && event->type() == QEvent::Leave)
        m_state.setHoveredBlock({});
    if (watched == m_filter && event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_Down) {
            m_tree->setFocus();
            return true;
        }
    }
    if (watched == m_filter && event->type() == QEvent::ShortcutOverride && !m_filter->text().isEmpty()
        && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        m_filter->clear();
        event->accept();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

PanelKind outlinePanel()
{
    return { u"outline"_s, OutlinePanel::tr("Outline"), Qt::LeftDockWidgetArea, Qt::Key_1, makePanel<OutlinePanel> };
}

} // namespace ui
