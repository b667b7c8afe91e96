// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/array/array_view.h"

#include "ui/array/array_cache_painter.h"
#include "ui/array/array_column_painter.h"
#include "ui/array/array_header_painter.h"
#include "ui/array/ribbon_painter.h"
#include "ui/hub/bookmarks.h"
#include "ui/hub/run_figures.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace ui {

using namespace Qt::StringLiterals;
using core::SlotIndex;

namespace {

/// Between the base and the accent's ground.
QColor simulatedGround(const Theme &theme)
{
    const auto mix = [](int a, int b) { return a + (b - a) * 45 / 100; };
    const QColor &from = theme.base;
    const QColor &to = theme.accentGround;
    return { mix(from.red(), to.red()), mix(from.green(), to.green()), mix(from.blue(), to.blue()) };
}

} // namespace

ArrayView::ArrayView(ViewState &state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
    , m_content(state)
{
    setObjectName(u"array"_s);
    setAccessibleName(tr("Array"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    connect(&state, &ViewState::pictureChanged, this, &ArrayView::rebuild);
    connect(&state, &ViewState::hotChanged, this, [this] {
        m_content.countHot();
        m_overview.markHot();
        update();
    });
    const RunFigures &figures = state.workspace().figures();
    connect(&figures, &RunFigures::recordedChanged, this, &ArrayView::updateCache);
    connect(&figures, &RunFigures::policyChanged, this, &ArrayView::updateCache);
    connect(&state, &ViewState::addedBlockChosen, this, qOverload<>(&QWidget::update));
    connect(&state, &ViewState::currentChanged, this, [this] {
        update();
        tellCurrentItem(*this);
    });
    connect(&state, &ViewState::hoverChanged, this, [this] {
        if (!m_state.hoveredBlock().isValid())
            m_outlined = {};
        m_content.findPartners();
        update();
    });
    connect(&state, &ViewState::matchesChanged, this, [this] {
        m_overview.markMatches();
        update();
    });
    connect(&state.workspace().bookmarks(), &Bookmarks::changed, this, [this] {
        m_overview.markBookmarks();
        update();
    });
    connect(&state, &ViewState::themeChanged, this, [this] {
        m_overview.render();
        update();
    });
    connect(&state, &ViewState::revealRequested, this, &ArrayView::reveal);
    rebuild();
}

// --- content --------------------------------------------------------------------------------------------------------

void ArrayView::rebuild()
{
    // The block at the top of the view stays there, whatever is added above or below it.
    ArrayViewport::Anchor anchor = m_view.anchor();
    const bool staysAtBottom = m_state.workspace().isGrowing() && m_view.isAtBottom();
    if (const core::ThreadIndex thread = m_state.picture().position.thread; thread != m_thread) {
        m_thread = thread;
        anchor = {};
        m_view.scrollToTop();
    }
    m_content.readPicture();
    m_outlined = {};
    m_afterItem.reset();
    m_chosenPart.reset();
    setAccessibleDescription(tr("The array is made of: %1").arg(m_composition.words(ArraySide::Before)));
    if (m_state.session()) {
        m_view.layOut(anchor);
        if (staysAtBottom)
            m_view.scrollToBottom();
        m_overview.render();
    }
    updateCache();
    if (m_keep.exists())
        tellItemValue(*this, firstOf(ItemKind::Keep));
}

void ArrayView::updateCache()
{
    m_content.readCache();
    update();
}

void ArrayView::setMode(ArrayMode mode)
{
    if (mode == m_content.mode())
        return;
    m_content.setMode(mode);
    m_view.changeMode();
    rebuild();
    if (m_state.currentSlot().isValid())
        reveal(m_state.currentSlot());
    Q_EMIT modeChanged();
}

// --- scrolling and zooming ------------------------------------------------------------------------------------------

void ArrayView::scrollBy(ArraySide side, double pixels)
{
    m_view.scrollBy(side, pixels);
    update();
}

void ArrayView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    QMetaObject::invokeMethod(this, [this] { reveal(m_state.currentSlot()); }, Qt::QueuedConnection);
}

void ArrayView::reveal(SlotIndex slot)
{
    if (!slot.isValid() || slot.index() >= m_state.picture().before.slotCount())
        return;
    m_view.reveal(slot);
    update();
}

void ArrayView::zoomAt(double factor, double y)
{
    m_view.zoomAt(factor, y);
    update();
}

void ArrayView::fit()
{
    m_view.fit();
    update();
}

void ArrayView::centreCurrent()
{
    const SlotIndex slot = m_state.currentSlot();
    if (!slot.isValid() || !m_view.centre(slot))
        return fit();
    update();
}

// --- painting -------------------------------------------------------------------------------------------------------

void ArrayView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paint(painter, rect());
}

void ArrayView::resizeEvent(QResizeEvent *)
{
    m_view.resize(size());
    m_overview.render();
}

void ArrayView::paint(QPainter &painter, const QRect &rect)
{
    if (rect.size() != m_view.size()) {
        m_view.resize(rect.size());
        m_overview.render();
    }
    painter.fillRect(rect, m_state.theme().base);
    if (!m_state.session())
        return;
    painter.save();
    painter.translate(rect.topLeft());
    painter.setRenderHint(QPainter::TextAntialiasing);
    if (m_state.picture().isSimulated() && m_content.hasAfter()) {
        const double left = m_view.columnRect(ArraySide::After).left() - 16;
        painter.fillRect(
            QRectF(left, 0, m_view.size().width() - left, m_view.size().height()), simulatedGround(m_state.theme()));
    }
    const ArrayHeaderPainter header(painter, m_content, m_view);
    header.paint(ArraySide::Before);
    m_composition.paint(painter, ArraySide::Before);
    m_overview.paint(painter);
    if (m_content.hasAfter()) {
        header.paint(ArraySide::After);
        m_composition.paint(painter, ArraySide::After);
        if (mode() == ArrayMode::Slots)
            RibbonPainter(painter, m_content, m_view).paint(m_keep.rect());
    }
    const ArrayColumnPainter column(painter, m_content, m_view);
    for (const ArraySide side : { ArraySide::Before, ArraySide::After }) {
        if (side == ArraySide::After && !m_content.hasAfter())
            break;
        column.paintBrackets(side);
        column.paint(side);
        ArrayCachePainter(painter, m_content, m_view).paint(side);
    }
    m_keep.paint(painter);
    painter.restore();
}

// --- choosing -------------------------------------------------------------------------------------------------------

void ArrayView::chooseAfter(const ArrayItem &item)
{
    if (item.kind != ArrayItem::Kind::Slot)
        return;
    const core::BlockId block = m_content.blockOf(ArraySide::After, item);
    const ArrayPicture &picture = m_state.picture();
    if (!picture.made())
        return m_state.setCurrentBlock(block);
    const core::Transcript &after = picture.after;
    const auto blocks = after.blocksOf(after.slot(item.slot));
    // The files put back with a summary may be larger than the summary.
    const auto summary = std::ranges::find_if(blocks, [&](core::BlockId id) {
        return after.block(id).is(core::BlockFlag::Summary) && !picture.originOf(id).isValid();
    });
    if (summary != blocks.end())
        return m_state.chooseAddedBlock(*summary);
    core::BlockId changed; // the heaviest
    for (const core::BlockId id : blocks) {
        const core::BlockId origin = picture.originOf(id);
        const bool isHeavier = !changed.isValid()
            || picture.weightsAfter.of(*after.session(), id) > picture.weightsAfter.of(*after.session(), changed);
        if (picture.isSimulated() && origin.isValid() && origin != id && isHeavier)
            changed = id;
    }
    if (changed.isValid())
        return m_state.chooseChange(changed);
    const SlotIndex slot = m_content.originOf(item.slot);
    if (slot.isValid() && m_content.fates()[slot.index()].kind != core::Fate::Summarised)
        return m_state.setCurrentSlot(slot);
    m_state.chooseAddedBlock(block);
}

void ArrayView::contextMenuEvent(QContextMenuEvent *event)
{
    if (m_contextActions.isEmpty() || !m_state.session())
        return;
    // A click on a slot that is not selected selects it.
    if (event->reason() == QContextMenuEvent::Mouse) {
        const auto hit = m_view.hitAt(event->pos());
        if (!hit)
            return;
        const ArrayItem &item = itemOf(*hit);
        if (hit->side == ArraySide::After)
            chooseAfter(item);
        else if (item.kind == ArrayItem::Kind::Slot && !std::ranges::binary_search(m_state.selection(), item.slot))
            m_state.setCurrentSlot(item.slot);
    }
    QMenu menu(this);
    menu.addActions(m_contextActions);
    menu.exec(event->globalPos());
}

void ArrayView::selectTo(SlotIndex slot)
{
    std::vector<SlotIndex> selection;
    const auto [low, high] = std::minmax(m_anchor, slot);
    for (uint32_t i = low.value(); i <= high.value(); ++i)
        selection.emplace_back(i);
    if (selection != m_state.selection())
        m_state.setSelection(std::move(selection));
}

void ArrayView::toggleSelected(SlotIndex slot)
{
    auto selection = m_state.selection();
    const auto known = std::ranges::find(selection, slot);
    if (known == selection.end())
        selection.push_back(slot);
    else if (selection.size() > 1)
        selection.erase(known);
    m_state.setSelection(std::move(selection));
}

void ArrayView::brushTo(QPointF at)
{
    const QRectF rect = m_view.columnRect(ArraySide::Before);
    const ArrayColumn &before = m_content.before();
    if (before.layout().count() == 0 || !m_anchor.isValid() || mode() == ArrayMode::BarsHeaviest)
        return;
    // Beyond the edge the array moves along.
    if (at.y() < rect.top())
        scrollBy(ArraySide::Before, at.y() - rect.top());
    else if (at.y() > rect.bottom())
        scrollBy(ArraySide::Before, at.y() - rect.bottom());
    const double y = std::clamp(at.y(), rect.top(), rect.bottom()) - rect.top() + m_view.scrollOf(ArraySide::Before);
    const ArrayItem &item = before.items()[before.layout().itemAt(y, m_view.zoom())];
    if (item.kind == ArrayItem::Kind::Slot)
        selectTo(item.slot);
}

// --- mouse ----------------------------------------------------------------------------------------------------------

void ArrayView::mousePressEvent(QMouseEvent *event)
{
    const QPointF at = event->position();
    if (event->button() == Qt::MiddleButton) {
        m_panFrom = at.y();
        return;
    }
    if (event->button() != Qt::LeftButton)
        return;
    if (m_keep.contains(at)) {
        m_keep.startDrag();
        setCursor(Qt::SplitVCursor);
        return;
    }
    if (m_view.overviewRect().adjusted(-6, 0, 6, 0).contains(at)) {
        m_draggingOverview = true;
        mouseMoveEvent(event);
        return;
    }
    if (const auto part = m_composition.hitAt(at))
        return pressPart(*part);
    const auto hit = m_view.hitAt(at);
    if (!hit || itemOf(*hit).kind != ArrayItem::Kind::Slot)
        return;
    if (hit->side == ArraySide::After)
        chooseAfter(itemOf(*hit));
    else
        pressSlot(itemOf(*hit).slot, event->modifiers());
}

void ArrayView::pressSlot(SlotIndex slot, Qt::KeyboardModifiers modifiers)
{
    if (modifiers.testFlag(Qt::ControlModifier))
        return toggleSelected(slot);
    if (modifiers.testFlag(Qt::ShiftModifier) && m_anchor.isValid())
        return selectTo(slot);
    m_anchor = slot;
    m_isBrushing = true;
    m_state.setCurrentSlot(slot);
}

void ArrayView::pressPart(const CompositionBar::Hit &hit)
{
    if (hit.side == ArraySide::After || !hit.part.isMaterial())
        return;
    const std::vector<SlotIndex> found
        = slotsWith(m_content.before().transcript(), hit.part.material, m_state.colourBy());
    // First the heaviest, so that the views bring it into sight, then all.
    m_state.setCurrentSlot(*std::ranges::max_element(
        found, {}, [this](SlotIndex slot) { return m_content.before().weights()[m_content.before().itemOf(slot)]; }));
    reveal(m_state.currentSlot());
    m_state.setSelection(found);
}

void ArrayView::mouseMoveEvent(QMouseEvent *event)
{
    const QPointF at = event->position();
    if (m_keep.isDragged())
        return m_keep.dragTo(at.y());
    if (m_isBrushing)
        return brushTo(at);
    if (m_panFrom) {
        const double pixels = *m_panFrom - at.y();
        m_panFrom = at.y();
        return scrollBy(ArraySide::Before, pixels);
    }
    if (m_draggingOverview) {
        if (const SlotIndex slot = m_overview.slotAt(at.y()); slot.isValid())
            m_view.centreTop(slot);
        return update();
    }
    setCursor(m_keep.contains(at) ? Qt::SplitVCursor : Qt::ArrowCursor);
    const auto hit = m_view.hitAt(at);
    core::BlockId hovered = hit ? m_content.blockOf(hit->side, itemOf(*hit)) : core::BlockId();
    if (hit && hit->side == ArraySide::After && hovered.isValid())
        hovered = m_state.picture().originOf(hovered);
    m_state.setHoveredBlock(hovered);
}

void ArrayView::mouseReleaseEvent(QMouseEvent *)
{
    m_panFrom.reset();
    m_draggingOverview = false;
    m_isBrushing = false;
    if (!m_keep.isDragged())
        return;
    unsetCursor();
    m_keep.endDrag();
}

void ArrayView::leaveEvent(QEvent *) { m_state.setHoveredBlock({}); }

void ArrayView::wheelEvent(QWheelEvent *event)
{
    const double steps = event->angleDelta().y() / 120.0;
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        zoomAt(std::pow(1.2, steps), event->position().y());
    } else {
        const bool isAfter
            = m_content.hasAfter() && event->position().x() > m_view.columnRect(ArraySide::After).left() - 20;
        const double pixels = event->pixelDelta().isNull() ? steps * 3 * ArrayViewport::kLine : event->pixelDelta().y();
        scrollBy(isAfter ? ArraySide::After : ArraySide::Before, -pixels);
    }
    event->accept();
}

} // namespace ui
