// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/array/array_view.h"

#include "core/compaction/validity.h"
#include "ui/hub/run_figures.h"
#include "ui/look/fate_word.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace ui {

using namespace Qt::StringLiterals;
using core::SlotIndex;

namespace {

constexpr double kTallest = 140;
constexpr size_t kSmallArray = 40;
constexpr double kSmallestOpeningZoom = 0.6;
constexpr double kLineShare = 0.75; ///< of the height, for the lines of a small array; the rest is for what is heavy
constexpr int kRibbons = 104;
constexpr int kWidest = 1400;
constexpr int kHandleRoom = 92; ///< for the handle of keep beside an only column

/// Between the base and the accent's ground.
QColor simulatedGround(const Theme &theme)
{
    const auto mix = [](int a, int b) { return a + (b - a) * 45 / 100; };
    const QColor &from = theme.base;
    const QColor &to = theme.accentGround;
    return { mix(from.red(), to.red()), mix(from.green(), to.green()), mix(from.blue(), to.blue()) };
}

/// A small array opens whole, if its text stays readable so: the zoom at which its lines take `share` of the height.
double openingZoom(size_t count, double lineHeight, double height, double share)
{
    const double room = height - 4;
    const double lines = std::max(1.0, static_cast<double>(count) * lineHeight);
    const double zoom = std::clamp(room * share / lines, kSmallestOpeningZoom, 1.0);
    return count > kSmallArray || lines * zoom > room + 0.5 ? 1.0 : zoom;
}

} // namespace

ArrayView::ArrayView(ViewState &state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
{
    setObjectName(u"array"_s);
    setAccessibleName(tr("Array"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    connect(&state, &ViewState::pictureChanged, this, &ArrayView::rebuild);
    connect(&state, &ViewState::hotChanged, this, &ArrayView::takeHot);
    const RunFigures &figures = state.workspace().figures();
    connect(&figures, &RunFigures::recordedChanged, this, &ArrayView::takeCache);
    connect(&figures, &RunFigures::policyChanged, this, &ArrayView::takeCache);
    connect(&state, &ViewState::currentChanged, this, qOverload<>(&QWidget::update));
    connect(&state, &ViewState::hoverChanged, this, [this] {
        findPartners();
        update();
    });
    connect(&state, &ViewState::matchesChanged, this, [this] {
        markOverview();
        update();
    });
    connect(&state, &ViewState::themeChanged, this, [this] {
        renderOverview();
        update();
    });
    connect(&state, &ViewState::revealRequested, this, &ArrayView::reveal);
    rebuild();
}

void ArrayView::setMode(ArrayMode mode)
{
    if (mode == m_mode)
        return;
    m_mode = mode;
    if (!m_hasOwnZoom)
        m_zoom = mode == ArrayMode::Slots ? m_slotsZoom : m_barsZoom;
    m_scrollBefore = 0;
    m_scrollAfter = 0;
    rebuild();
    if (m_state.currentSlot().isValid())
        reveal(m_state.currentSlot());
    Q_EMIT modeChanged();
}

void ArrayView::rebuild()
{
    // What stands at the top of the view stays there, whatever is added above or below it.
    core::BlockId anchor;
    double offset = 0;
    if (m_before.layout().count() > 0 && m_scrollBefore > 0) {
        const size_t item = m_before.layout().itemAt(m_scrollBefore, m_zoom);
        offset = m_scrollBefore - m_before.layout().top(item, m_zoom);
        const ArrayItem &top = m_before.items()[item];
        if (top.kind == ArrayItem::Kind::Slot)
            anchor = m_before.firstBlockOf(top.slot); // the array of the picture is another one already
    }
    const ArrayPicture &picture = m_state.picture();
    if (picture.position.thread != m_thread) {
        m_thread = picture.position.thread;
        anchor = {};
        m_scrollBefore = 0;
    }
    if (!m_state.session()) {
        m_before = {};
        m_after.reset();
        return takeCache();
    }
    const core::Thread &thread = m_state.session()->thread(picture.position.thread);
    const auto prelude
        = picture.position.isEnd() ? thread.prelude : thread.calls[picture.position.call.index()].prelude;
    m_before = ArrayColumn(picture.before, picture.weights, picture.unlogged, prelude, m_mode);
    m_after.reset();
    m_fates.clear();
    m_beforeSums.assign(1, 0.0);
    m_slotsAfter = 0;
    if (picture.hasAfter()) {
        m_after.emplace(picture.after, picture.weightsAfter, picture.unloggedAfter, prelude, m_mode);
        m_fates = picture.made() ? fatesOf(*picture.made()) : fatesOf(picture.before, picture.after, picture.weights);
        m_beforeOf.assign(picture.after.slotCount(), UINT32_MAX);
        for (const core::Slot &slot : picture.after.slots())
            m_slotsAfter += picture.weightsAfter.of(picture.after, slot);
        for (size_t i = m_fates.size(); i > 0; --i) {
            if (m_fates[i - 1].target.isValid())
                m_beforeOf[m_fates[i - 1].target.index()] = static_cast<uint32_t>(i - 1);
        }
    }
    for (const core::Slot &slot : picture.before.slots())
        m_beforeSums.push_back(m_beforeSums.back() + picture.weights.of(picture.before, slot));
    indexHotSlots();
    findPartners();
    layOut();
    if (anchor.isValid()) {
        const SlotIndex slot = picture.before.slotOf(anchor);
        if (slot.isValid())
            m_scrollBefore = m_before.layout().top(m_before.itemOf(slot), m_zoom) + offset;
    }
    if (!hasAfter())
        m_scrollAfter = 0;
    clampScroll();
    followWithAfter();
    renderOverview();
    takeCache();
}

void ArrayView::takeHot()
{
    indexHotSlots();
    markOverview();
    update();
}

void ArrayView::findPartners()
{
    m_partners.clear();
    const core::BlockId hovered = m_state.hoveredBlock();
    if (!hovered.isValid() || !m_state.session() || hovered.index() >= m_state.session()->blocks.size())
        return;
    m_partners = core::callAndAnswers(m_before.transcript(), hovered);
    if (m_partners.empty() && hasAfter())
        m_partners = core::callAndAnswers(m_after->transcript(), hovered);
}

void ArrayView::indexHotSlots()
{
    const auto &hot = m_state.picture().hot.blocks;
    m_hotOfSlot.assign(m_state.picture().before.slotCount(), -1);
    for (size_t i = hot.size(); i > 0; --i) // a slot with several hot blocks tells of the first
        m_hotOfSlot[hot[i - 1].slot.index()] = static_cast<int32_t>(i - 1);
    m_hotSums.assign(1, 0);
    for (const ArrayItem &item : m_before.items()) {
        const bool isHot = item.kind == ArrayItem::Kind::Slot && m_hotOfSlot[item.slot.index()] >= 0;
        m_hotSums.push_back(m_hotSums.back() + (isHot ? 1 : 0));
    }
}

const core::HotBlock *ArrayView::hotOf(SlotIndex slot) const
{
    const int32_t index = slot.index() < m_hotOfSlot.size() ? m_hotOfSlot[slot.index()] : -1;
    return index < 0 ? nullptr : &m_state.picture().hot.blocks[static_cast<size_t>(index)];
}

bool ArrayView::hasHot(size_t firstItem, size_t lastItem) const { return m_hotSums[lastItem] > m_hotSums[firstItem]; }

void ArrayView::layOut()
{
    const double height = std::max(120.0, columnRect(Side::Before).height());
    // One scale for both columns and for all calls of a session: slots do not change size as one walks along.
    const std::pair<const void *, core::WeightUnit> key { m_state.session().get(), m_state.unit() };
    const bool isOther = key != m_scaleKey;
    if (isOther || m_scaleHeight != static_cast<int>(height)) {
        m_scaleKey = key;
        m_scaleHeight = static_cast<int>(height);
        m_slotsZoom = openingZoom(m_before.items().size(), kLine + kGap, height, kLineShare);
        m_barsZoom = openingZoom(m_before.items().size(), kLine + kGap, height, 1.0);
        m_scale = fittingScale(m_before.weights(), kLine, kGap, (height - 4) / m_slotsZoom, kTallest);
        if (isOther)
            m_hasOwnZoom = false;
        if (!m_hasOwnZoom)
            m_zoom = m_mode == ArrayMode::Slots ? m_slotsZoom : m_barsZoom;
    }
    m_before.lay(kLine, kGap, m_scale);
    if (m_after)
        m_after->lay(kLine, kGap, m_scale);
}

double ArrayView::textLine() const { return std::max(kTextFrom, kLine * std::min(1.0, m_zoom)); }

QRectF ArrayView::columnRect(Side side) const
{
    const double left = kMargin + kOverviewWidth + 18;
    const double right = m_size.width() - kMargin - 8;
    const double top = kHeader + 6;
    const double height = m_size.height() - top - 10;
    if (!hasAfter())
        return { left, top,
            std::min(right - left - std::min<double>(kHandleRoom, (right - left) / 6), static_cast<double>(kWidest)),
            height };
    const double ribbons = std::min<double>(kRibbons, (right - left) / 6);
    const double width = (right - left - ribbons) / 2;
    return side == Side::Before ? QRectF(left, top, width, height) : QRectF(left + width + ribbons, top, width, height);
}

void ArrayView::clampScroll()
{
    const auto clampOne = [&](Side side) {
        const double room = std::max(0.0, column(side).layout().totalHeight(m_zoom) - columnRect(side).height());
        scrollOf(side) = std::clamp(scrollOf(side), 0.0, room);
    };
    clampOne(Side::Before);
    if (hasAfter())
        clampOne(Side::After);
}

void ArrayView::scrollBy(Side side, double pixels)
{
    scrollOf(side) += pixels;
    clampScroll();
    if (side == Side::Before)
        followWithAfter();
    update();
}

void ArrayView::reveal(SlotIndex slot)
{
    if (!slot.isValid() || slot.index() >= m_state.picture().before.slotCount())
        return;
    const size_t item = m_before.itemOf(slot);
    const double top = m_before.layout().top(item, m_zoom);
    const double bottom = top + m_before.layout().height(item, m_zoom);
    const double height = columnRect(Side::Before).height();
    const double air = std::min(60.0, height / 5);
    if (top < m_scrollBefore)
        m_scrollBefore = top - air;
    else if (bottom > m_scrollBefore + height)
        m_scrollBefore = std::min(top, bottom - height + air);
    clampScroll();
    followWithAfter();
    update();
}

void ArrayView::followWithAfter()
{
    if (!hasAfter() || m_mode == ArrayMode::BarsHeaviest || m_before.layout().count() == 0)
        return;
    const double middle = columnRect(Side::Before).height() / 2;
    const double y = m_scrollBefore + middle;
    const size_t item = std::min(m_before.layout().itemAt(y, m_zoom), m_before.items().size() - 1);
    const double into = y - m_before.layout().top(item, m_zoom);
    double share = std::clamp(into / std::max(1.0, m_before.layout().height(item, m_zoom)), 0.0, 1.0);
    // What is gone has no place: the last one above it that has one stands for it.
    size_t slot = m_before.items()[item].kind == ArrayItem::Kind::Slot ? m_before.items()[item].slot.index() : 0;
    while (slot > 0 && !m_fates[slot].target.isValid()) {
        --slot;
        share = 1;
    }
    if (slot >= m_fates.size() || !m_fates[slot].target.isValid())
        return;
    const ColumnLayout &after = m_after->layout();
    const size_t place = m_after->itemOf(m_fates[slot].target);
    if (m_fates[slot].kind == core::Fate::Summarised)
        share = 0.5;
    m_scrollAfter = after.top(place, m_zoom) + share * after.height(place, m_zoom) - middle;
    clampScroll();
}

void ArrayView::zoomAt(double factor, double y)
{
    const double smallest
        = std::min(1.0, columnRect(Side::Before).height() / std::max(1.0, m_before.layout().totalHeight(1.0)));
    const double zoom = std::clamp(m_zoom * factor, smallest, 12.0);
    const double inColumn = y - columnRect(Side::Before).top();
    for (const Side side : { Side::Before, Side::After }) {
        if (side == Side::Before || hasAfter())
            scrollOf(side) = (scrollOf(side) + inColumn) * zoom / m_zoom - inColumn;
    }
    m_zoom = zoom;
    m_hasOwnZoom = true;
    clampScroll();
    update();
}

void ArrayView::fit()
{
    m_hasOwnZoom = true;
    const double total = m_before.layout().totalHeight(1.0);
    const double height = columnRect(Side::Before).height();
    m_zoom = total > height ? height / total : 1.0;
    m_scrollBefore = 0;
    m_scrollAfter = 0;
    clampScroll();
    update();
}

void ArrayView::centreCurrent()
{
    const SlotIndex slot = m_state.currentSlot();
    if (!slot.isValid())
        return fit();
    const size_t item = m_before.itemOf(slot);
    const double middle = m_before.layout().top(item, m_zoom) + m_before.layout().height(item, m_zoom) / 2;
    const double wanted = middle - columnRect(Side::Before).height() / 2;
    const double old = m_scrollBefore;
    m_scrollBefore = wanted;
    clampScroll();
    followWithAfter();
    if (std::abs(old - m_scrollBefore) < 1.0)
        return fit();
    update();
}

core::BlockId ArrayView::blockOf(Side side, const ArrayItem &item) const
{
    if (item.kind != ArrayItem::Kind::Slot)
        return {};
    const core::Transcript &transcript = column(side).transcript();
    const auto blocks = transcript.blocksOf(transcript.slot(item.slot));
    return *std::ranges::max_element(
        blocks, {}, [&](core::BlockId id) { return weightsOf(side).of(*transcript.session(), id); });
}

const core::Weights &ArrayView::weightsOf(Side side) const
{
    return side == Side::Before ? m_state.picture().weights : m_state.picture().weightsAfter;
}

QString ArrayView::changeOf(SlotIndex slotAfter) const
{
    const uint32_t slot = m_beforeOf[slotAfter.index()];
    if (slot == UINT32_MAX)
        return fateWord(core::Fate::Added);
    const core::Fate fate = m_fates[slot].kind;
    if (fate == core::Fate::Kept)
        return {};
    if (fate == core::Fate::Summarised)
        return tr("stands for what was summarised");
    const double was = m_beforeSums[slot + 1] - m_beforeSums[slot];
    return tr("%1 from %2").arg(fateWord(fate), displayText(m_state.weights().shown(was)));
}

SlotOverride ArrayView::overrideOf(SlotIndex slot) const
{
    SlotOverride what;
    const Workspace &workspace = m_state.workspace();
    if (workspace.plan().overrides.isEmpty())
        return what;
    for (const core::BlockId id : m_before.transcript().blocksOf(m_before.transcript().slot(slot))) {
        const auto each = workspace.overrideOf(id);
        ++what.blocks;
        what.pinned += each == Workspace::Override::Keep ? 1 : 0;
        what.dropped += each == Workspace::Override::Drop ? 1 : 0;
    }
    return what;
}

bool ArrayView::isViolated(SlotIndex slotAfter) const
{
    const core::CompactionPtr &made = m_state.picture().made();
    return made && std::ranges::find(made->validity, slotAfter, &core::Violation::slot) != made->validity.end();
}

QString ArrayView::violationsOf(SlotIndex slotAfter) const
{
    QStringList sentences;
    for (const core::AlikeViolations &each : core::alikeIn(m_state.picture().made()->validity)) {
        if (each.first->slot == slotAfter)
            sentences << tr("not valid: %1").arg(displayText(each.sentence()));
    }
    return sentences.join(u'\n');
}

std::optional<ArrayView::Hit> ArrayView::hitAt(QPointF position) const
{
    for (const Side side : { Side::Before, Side::After }) {
        if (side == Side::After && !hasAfter())
            break;
        const QRectF rect = columnRect(side);
        const ColumnLayout &layout = column(side).layout();
        if (!rect.contains(position) || layout.count() == 0)
            continue;
        const double y = position.y() - rect.top() + scrollOf(side);
        if (y > layout.totalHeight(m_zoom))
            return std::nullopt;
        return Hit { side, layout.itemAt(y, m_zoom) };
    }
    return std::nullopt;
}

// --- painting -------------------------------------------------------------------------------------------------------

void ArrayView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paint(painter, rect());
}

void ArrayView::paint(QPainter &painter, const QRect &rect)
{
    if (rect.size() != m_size) {
        m_size = rect.size();
        layOut();
        clampScroll();
        renderOverview();
    }
    painter.fillRect(rect, m_state.theme().base);
    if (!m_state.session())
        return;
    painter.save();
    painter.translate(rect.topLeft());
    painter.setRenderHint(QPainter::TextAntialiasing);
    if (m_state.picture().isSimulated() && hasAfter()) {
        // What did not happen stands on a ground of its own.
        const QRectF after = columnRect(Side::After);
        painter.fillRect(QRectF(after.left() - 16, 0, m_size.width() - after.left() + 16, m_size.height()),
            simulatedGround(m_state.theme()));
    }
    paintHeader(painter, Side::Before);
    paintOverview(painter);
    if (hasAfter()) {
        paintHeader(painter, Side::After);
        if (m_mode == ArrayMode::Slots)
            paintRibbons(painter);
    }
    for (const Side side : { Side::Before, Side::After }) {
        if (side == Side::After && !hasAfter())
            break;
        paintBrackets(painter, side);
        paintColumn(painter, side);
        paintCache(painter, side);
    }
    paintKeep(painter);
    painter.restore();
}

// --- mouse and keys -------------------------------------------------------------------------------------------------

void ArrayView::resizeEvent(QResizeEvent *)
{
    m_size = size();
    layOut();
    clampScroll();
    renderOverview();
}

void ArrayView::chooseAfter(const ArrayItem &item)
{
    if (item.kind != ArrayItem::Kind::Slot)
        return;
    if (!m_state.picture().made())
        return m_state.setCurrentBlock(blockOf(Side::After, item));
    const uint32_t slot = m_beforeOf[item.slot.index()];
    if (slot != UINT32_MAX && m_fates[slot].kind != core::Fate::Summarised)
        m_state.setCurrentSlot(SlotIndex(slot));
    else
        Q_EMIT m_state.addedBlockChosen(blockOf(Side::After, item));
}

void ArrayView::contextMenuEvent(QContextMenuEvent *event)
{
    if (m_contextActions.isEmpty() || !m_state.session())
        return;
    // A click on a slot that is not selected means that one.
    if (event->reason() == QContextMenuEvent::Mouse) {
        const auto hit = hitAt(event->pos());
        if (!hit)
            return;
        const ArrayItem &item = column(hit->side).items()[hit->item];
        if (hit->side == Side::After)
            chooseAfter(item);
        else if (item.kind == ArrayItem::Kind::Slot && !std::ranges::binary_search(m_state.selection(), item.slot))
            m_state.setCurrentSlot(item.slot);
    }
    QMenu menu(this);
    menu.addActions(m_contextActions);
    menu.exec(event->globalPos());
}

void ArrayView::brushTo(QPointF at)
{
    const QRectF rect = columnRect(Side::Before);
    if (m_before.layout().count() == 0 || !m_anchor.isValid() || m_mode == ArrayMode::BarsHeaviest)
        return;
    // Beyond the edge the array moves along.
    if (at.y() < rect.top())
        scrollBy(Side::Before, at.y() - rect.top());
    else if (at.y() > rect.bottom())
        scrollBy(Side::Before, at.y() - rect.bottom());
    const double y = std::clamp(at.y(), rect.top(), rect.bottom()) - rect.top() + m_scrollBefore;
    const ArrayItem &item = m_before.items()[m_before.layout().itemAt(y, m_zoom)];
    if (item.kind != ArrayItem::Kind::Slot)
        return;
    std::vector<SlotIndex> selection;
    const auto [low, high] = std::minmax(m_anchor, item.slot);
    for (uint32_t i = low.value(); i <= high.value(); ++i)
        selection.emplace_back(i);
    if (selection != m_state.selection())
        m_state.setSelection(std::move(selection));
}

void ArrayView::mousePressEvent(QMouseEvent *event)
{
    const QPointF at = event->position();
    if (event->button() == Qt::MiddleButton) {
        m_panFrom = at.y();
        return;
    }
    if (event->button() != Qt::LeftButton)
        return;
    if (keepHandle().adjusted(-4, -4, 4, 4).contains(at)) {
        m_state.workspace().beginGesture();
        m_draggingKeep = true;
        m_draggedTo.reset();
        setCursor(Qt::SplitVCursor);
        return;
    }
    if (overviewRect().adjusted(-6, 0, 6, 0).contains(at)) {
        m_draggingOverview = true;
        mouseMoveEvent(event);
        return;
    }
    const auto hit = hitAt(at);
    if (!hit)
        return;
    const ArrayItem &item = column(hit->side).items()[hit->item];
    if (item.kind != ArrayItem::Kind::Slot)
        return;
    if (hit->side == Side::After) {
        chooseAfter(item);
        return;
    }
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        auto selection = m_state.selection();
        const auto known = std::ranges::find(selection, item.slot);
        if (known == selection.end())
            selection.push_back(item.slot);
        else if (selection.size() > 1)
            selection.erase(known);
        m_state.setSelection(std::move(selection));
        return;
    }
    if (event->modifiers().testFlag(Qt::ShiftModifier) && m_anchor.isValid()) {
        std::vector<SlotIndex> selection;
        const auto [low, high] = std::minmax(m_anchor, item.slot);
        for (uint32_t i = low.value(); i <= high.value(); ++i)
            selection.emplace_back(i);
        m_state.setSelection(std::move(selection));
        return;
    }
    m_anchor = item.slot;
    m_isBrushing = true;
    m_state.setCurrentSlot(item.slot);
}

void ArrayView::mouseMoveEvent(QMouseEvent *event)
{
    const QPointF at = event->position();
    if (m_draggingKeep)
        return dragKeep(at.y());
    if (m_isBrushing)
        return brushTo(at);
    if (m_panFrom) {
        const double pixels = *m_panFrom - at.y();
        m_panFrom = at.y();
        scrollBy(Side::Before, pixels);
        return;
    }
    if (m_draggingOverview) {
        const QRectF rect = overviewRect();
        const double share = std::clamp((at.y() - rect.top()) / std::max(1.0, rect.height()), 0.0, 1.0);
        const auto next = std::ranges::upper_bound(m_beforeSums, share * m_beforeSums.back());
        const auto slot = static_cast<size_t>(
            std::clamp<ptrdiff_t>(next - m_beforeSums.begin() - 1, 0, static_cast<ptrdiff_t>(m_beforeSums.size()) - 2));
        const double top = m_before.layout().top(m_before.itemOf(SlotIndex(slot)), m_zoom);
        m_scrollBefore = top - columnRect(Side::Before).height() / 2;
        clampScroll();
        followWithAfter();
        update();
        return;
    }
    setCursor(keepHandle().adjusted(-4, -4, 4, 4).contains(at) ? Qt::SplitVCursor : Qt::ArrowCursor);
    const auto hit = hitAt(at);
    core::BlockId hovered = hit ? blockOf(hit->side, column(hit->side).items()[hit->item]) : core::BlockId();
    if (hit && hit->side == Side::After && hovered.isValid())
        hovered = m_state.picture().originOf(hovered);
    m_state.setHoveredBlock(hovered);
}

void ArrayView::mouseReleaseEvent(QMouseEvent *)
{
    m_panFrom.reset();
    m_draggingOverview = false;
    m_isBrushing = false;
    if (std::exchange(m_draggingKeep, false)) {
        unsetCursor();
        Workspace &workspace = m_state.workspace();
        workspace.endGesture(tr("Change Keep to %1").arg(QString::fromStdString(workspace.keep().words())));
    }
}

void ArrayView::leaveEvent(QEvent *) { m_state.setHoveredBlock({}); }

void ArrayView::wheelEvent(QWheelEvent *event)
{
    const double steps = event->angleDelta().y() / 120.0;
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        zoomAt(std::pow(1.2, steps), event->position().y());
    } else {
        const bool isAfter = hasAfter() && event->position().x() > columnRect(Side::After).left() - 20;
        const double pixels = event->pixelDelta().isNull() ? steps * 3 * kLine : event->pixelDelta().y();
        scrollBy(isAfter ? Side::After : Side::Before, -pixels);
    }
    event->accept();
}

void ArrayView::keyPressEvent(QKeyEvent *event)
{
    const double page = columnRect(Side::Before).height() * 0.9;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_K:
        return m_state.stepSlot(-1);
    case Qt::Key_Right:
    case Qt::Key_J:
        return m_state.stepSlot(1);
    case Qt::Key_Up:
        return m_state.stepCall(-1);
    case Qt::Key_Down:
        return m_state.stepCall(1);
    case Qt::Key_Home:
        return m_state.setCurrentSlot(SlotIndex(0U));
    case Qt::Key_End:
        return m_state.setCurrentSlot(SlotIndex(m_state.picture().before.slotCount() - 1));
    case Qt::Key_Period:
        return m_state.stepSameKind(1);
    case Qt::Key_Comma:
        return m_state.stepSameKind(-1);
    case Qt::Key_BracketRight:
        return m_state.stepHot(1);
    case Qt::Key_BracketLeft:
        return m_state.stepHot(-1);
    case Qt::Key_PageUp:
        return scrollBy(Side::Before, -page);
    case Qt::Key_PageDown:
        return scrollBy(Side::Before, page);
    case Qt::Key_F:
        return centreCurrent();
    case Qt::Key_Escape:
        if (std::exchange(m_draggingKeep, false)) {
            unsetCursor();
            return m_state.workspace().cancelGesture();
        }
        [[fallthrough]];
    default:
        QWidget::keyPressEvent(event);
    }
}

bool ArrayView::event(QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride && m_draggingKeep
        && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        event->accept(); // takes the drag back before anything else
        return true;
    }
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const auto hit = hitAt(help->pos());
    const bool isSlot = hit && column(hit->side).items()[hit->item].kind == ArrayItem::Kind::Slot;
    if (!isSlot) {
        QToolTip::hideText();
        event->ignore();
        return true;
    }
    const ArrayColumn &shown = column(hit->side);
    const ArrayItem &item = shown.items()[hit->item];
    const core::SlotLabel &label = shown.label(item.slot);
    QString tip = displayText(label.text()) + u" · "_s + displayText(slotWeight(shown, item)) + u' '
        + displayText(m_state.weights().unitName());
    if (!label.subject.empty())
        tip += u'\n' + displayText(label.subject);
    if (const SlotOverride what = hit->side == Side::Before ? overrideOf(item.slot) : SlotOverride(); what.isThere())
        tip += u'\n' + what.words();
    if (const QString cached = cacheWordsOf(hit->side, item.slot); !cached.isEmpty())
        tip += u'\n' + cached;
    if (hit->side == Side::After && isViolated(item.slot))
        tip += u'\n' + violationsOf(item.slot);
    QToolTip::showText(help->globalPos(), toolTipText(tip), this);
    return true;
}

// --- accessibility --------------------------------------------------------------------------------------------------

} // namespace ui
