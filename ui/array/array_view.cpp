// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/array/array_view.h"

#include "ui/base/fate_word.h"
#include "ui/base/run_figures.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QLocale>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace ui {

using namespace Qt::StringLiterals;
using core::SlotIndex;

namespace {

constexpr double kLine = 23;
constexpr double kLeastWords = 190;   ///< room for what a slot is, below which its place in the session is left out
constexpr double kNarrowColumn = 240; ///< below it words that can be done without are left out
constexpr double kGap = 2;
constexpr double kTallest = 140;
constexpr size_t kSmallArray = 40;
constexpr double kSmallestOpeningZoom = 0.6;
constexpr double kLineShare = 0.75; ///< of the height, for the lines of a small array; the rest is for what is heavy
constexpr int kHeader = 50;
constexpr int kMargin = 14;
constexpr int kOverviewWidth = 14;
constexpr int kRibbons = 104;
constexpr int kWidest = 1400;
constexpr double kBarLabelShare = 0.46;
constexpr double kTextFrom = 13; ///< pixels of height from which an item carries text
constexpr double kSecondLineFrom = 34;

QString text(std::string_view utf8) { return displayText(utf8); }

QFont smallFont() { return Theme::textFont(11); }

/// Text follows the height of a line when the array is zoomed out a little.
int textPixels(double lineHeight, int standard) { return std::clamp(static_cast<int>(lineHeight * 0.7), 9, standard); }

/// Diagonal lines over a fill: text that is not in the log, or spans too thin to be told apart.
void hatch(QPainter &painter, const QRectF &rect, const QColor &colour)
{
    painter.save();
    painter.setBrushOrigin(rect.topLeft());
    painter.fillRect(rect, QBrush(colour, Qt::BDiagPattern));
    painter.restore();
}

/// Between the base and the accent's ground.
QColor simulatedGround(const Theme &theme)
{
    const auto mix = [](int a, int b) { return a + (b - a) * 45 / 100; };
    const QColor &from = theme.base;
    const QColor &to = theme.accentGround;
    return { mix(from.red(), to.red()), mix(from.green(), to.green()), mix(from.blue(), to.blue()) };
}

QString fileName(const std::optional<AfterFile> &file)
{
    return file ? QString::fromStdString(file->path.filename().string()) : QString();
}

/// The tool alone of what it was asked and answered; whose words they are shows in the colour, too.
QString narrowWords(const core::SlotLabel &label)
{
    const QString what = text(label.what);
    const bool isOfTool = what.startsWith(u"tool_call "_s) || label.role == "tool";
    return isOfTool ? what.section(u' ', -1) : what;
}

QString elided(const QPainter &painter, const QString &words, double width)
{
    return painter.fontMetrics().elidedText(words, Qt::ElideRight, static_cast<int>(width));
}

/// A small array opens whole, if its text stays readable so: the zoom at which its lines take `share` of the height.
double openingZoom(size_t count, double height, double share)
{
    const double room = height - 4;
    const double lines = std::max(1.0, static_cast<double>(count) * (kLine + kGap));
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
        m_slotsZoom = openingZoom(m_before.items().size(), height, kLineShare);
        m_barsZoom = openingZoom(m_before.items().size(), height, 1.0);
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

QRectF ArrayView::overviewRect() const
{
    return QRectF(kMargin, kHeader + 2, kOverviewWidth, m_size.height() - kHeader - 10);
}

QRectF ArrayView::columnRect(Side side) const
{
    const double left = kMargin + kOverviewWidth + 18;
    const double right = m_size.width() - kMargin - 8;
    const double top = kHeader + 6;
    const double height = m_size.height() - top - 10;
    if (!hasAfter())
        return { left, top, std::min(right - left, static_cast<double>(kWidest)), height };
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
    return tr("%1 from %2").arg(fateWord(fate), text(m_state.weights().shown(was)));
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
    for (const core::Violation &violation : m_state.picture().made()->validity) {
        if (violation.slot == slotAfter)
            sentences << tr("not valid: %1").arg(text(violation.sentence));
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

QColor ArrayView::colourOf(const ArrayColumn &of, const ArrayItem &item) const
{
    if (item.kind != ArrayItem::Kind::Slot)
        return m_state.theme().base;
    // What is left of a slot keeps its colour, so that it is known again.
    if (&of != &m_before && m_state.picture().made()) {
        const uint32_t was = m_beforeOf[item.slot.index()];
        const bool isSame = was != UINT32_MAX && m_fates[was].kind != core::Fate::Summarised;
        if (isSame)
            return colourOf(m_before, m_before.items()[m_before.itemOf(SlotIndex(was))]);
    }
    if (m_state.colourBy() == ColourBy::Material)
        return m_state.theme().of(of.material(item.slot));
    return m_state.colourOf(of.transcript(), of.transcript().slot(item.slot));
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

void ArrayView::paintHeader(QPainter &painter, Side side) const
{
    const Theme &theme = m_state.theme();
    const ArrayPicture &picture = m_state.picture();
    const QRectF rect = columnRect(side);
    const size_t slots = column(side).transcript().slotCount();
    const auto &unlogged = side == Side::Before ? picture.unlogged : picture.unloggedAfter;
    const core::Weights &weights = picture.weights;
    QString title;
    QString under;
    QString figure;
    const bool isExact = weights.unit() == core::WeightUnit::Tokens && unlogged.recorded > 0;
    figure = isExact ? tr("%1 tokens").arg(text(core::groupedNumber(static_cast<uint64_t>(unlogged.recorded))))
                     : tr("%1 %2").arg(text(weights.shown(column(side).wholeWeight())), text(weights.unitName()));
    const QString count = counted(slots, tr("slot"), tr("slots"));
    const double missing = weights.unit() == core::WeightUnit::Tokens ? unlogged.remainder + unlogged.prelude : 0;
    const QString notLogged = missing > 0
        ? tr(" · %1 of it not in the log").arg(text(core::shown({ missing, core::Basis::Estimated })))
        : QString();
    if (side == Side::Before) {
        const auto call = static_cast<qulonglong>(picture.position.call.value());
        const std::string &name = m_state.workspace().arrayName();
        title = !name.empty()          ? tr("before · %1").arg(text(name))
            : picture.position.isEnd() ? tr("messages at the end")
                                       : tr("messages at call %1").arg(call);
        under = isExact                                  ? tr("as sent, exact · %1").arg(count)
            : weights.unit() == core::WeightUnit::Tokens ? tr("estimated · %1").arg(count) + notLogged
                                                         : count;
        if (picture.compaction != nullptr)
            under += tr(" with its response");
    } else if (picture.simulated) {
        const auto &policy = m_state.workspace().plan().policy;
        title = policy ? tr("simulated · %1").arg(text(policy->name)) : tr("simulated · what you pinned and dropped");
        under = differenceWords(count);
        if (m_state.workspace().plan().honoursTriggers)
            under += tr(" · triggers honoured");
    } else if (picture.observed) {
        title = tr("after · %1").arg(fileName(m_state.workspace().afterFile()));
        under = tr("observed · %1").arg(differenceWords(count));
    } else {
        using Kind = core::CompactionKind;
        const Kind kind = picture.compaction->kind;
        const QString what = kind == Kind::Summary ? tr("compaction")
            : kind == Kind::Clearing               ? tr("clearing")
            : kind == Kind::Rollback               ? tr("rollback")
                                                   : tr("rewrite");
        title = tr("after %1 %2").arg(what).arg(static_cast<qulonglong>(picture.compactionNumber));
        under = tr("recorded · %1").arg(count) + notLogged;
    }
    if (cacheOf(side)) {
        const QFontMetricsF metrics(smallFont());
        const QString cached = u" · "_s + cacheOf(side)->words();
        const bool hasRoom = metrics.horizontalAdvance(under + cached) <= rect.width();
        // In a narrow column what a policy saves comes before its cache, and that before how figures are known.
        if (hasRoom)
            under += cached;
        else if (side == Side::Before || !picture.made())
            under = count + cached;
    }
    const bool isNarrow = rect.width() < kNarrowColumn;
    if (isNarrow) {
        // What it is comes before the unit, which the switch above names, too.
        figure = figure.section(u' ', 0, 0);
        if (side == Side::Before && !picture.position.isEnd())
            title = tr("call %1").arg(static_cast<qulonglong>(picture.position.call.value()));
    }
    painter.setFont(Theme::figureFont(13));
    painter.setPen(theme.text);
    const double figureWidth = painter.fontMetrics().horizontalAdvance(figure) + 12;
    painter.drawText(QRectF(rect.left(), 8, rect.width(), 20), Qt::AlignRight | Qt::AlignVCenter, figure);
    painter.setFont(Theme::strongFont(14));
    if (side == Side::After && picture.simulated
        && painter.fontMetrics().horizontalAdvance(title) > rect.width() - figureWidth)
        title = tr("simulated"); // the policy has its name in its panel
    painter.drawText(QRectF(rect.left(), 8, rect.width() - figureWidth, 20), Qt::AlignLeft | Qt::AlignVCenter,
        elided(painter, title, rect.width() - figureWidth));
    painter.setFont(smallFont());
    painter.setPen(theme.secondary);
    painter.drawText(QRectF(rect.left(), 28, rect.width(), 16), Qt::AlignLeft | Qt::AlignVCenter,
        elided(painter, under, rect.width()));
}

QString ArrayView::differenceWords(const QString &count) const
{
    const core::Weights &weights = m_state.weights();
    const double was = m_beforeSums.back();
    const double now = m_slotsAfter;
    const bool isAll = m_before.wholeWeight() - was < 1; // else there is a prelude or unlogged text beside the slots
    QString words = (isAll ? tr("%1 · %2 → %3") : tr("%1, alone %2 → %3"))
                        .arg(count, text(weights.shown(was)), text(weights.shown(now)));
    if (was > 0 && now != was)
        words += u" · "_s + tr("%1 %").arg(QLocale::c().toString((now - was) * 100 / was, 'f', 0));
    return words.replace(u'-', u'\u2212');
}

void ArrayView::paintBrackets(QPainter &painter, Side side) const
{
    const QRectF rect = columnRect(side);
    const double bottom
        = std::min(rect.bottom() + 4, rect.top() + column(side).layout().totalHeight(m_zoom) - scrollOf(side) + 3);
    const double top = rect.top() - 4;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(m_state.theme().secondary, 1));
    for (const bool isLeft : { true, false }) {
        const double x = isLeft ? rect.left() - 7 : rect.right() + 7;
        const double hook = isLeft ? 6 : -6;
        painter.drawLine(QPointF(x, top), QPointF(x, bottom));
        if (scrollOf(side) <= 0)
            painter.drawLine(QPointF(x, top), QPointF(x + hook, top));
        if (bottom < rect.bottom() + 4)
            painter.drawLine(QPointF(x, bottom), QPointF(x + hook, bottom));
    }
    painter.restore();
}

void ArrayView::paintColumn(QPainter &painter, Side side)
{
    const QRectF rect = columnRect(side);
    const ArrayColumn &shown = column(side);
    painter.save();
    painter.setClipRect(rect.adjusted(-6, -1, 6, 1));
    // Merged spans that follow each other are hatched together: a pattern costs more to begin than to fill.
    QRectF merged;
    const auto hatchMerged = [&] {
        if (!merged.isEmpty())
            hatch(painter, merged, m_state.theme().base);
        merged = {};
    };
    std::vector<QRectF> hot;
    for (const ColumnLayout::Span &span :
        shown.layout().spans(scrollOf(side), scrollOf(side) + rect.height(), m_zoom)) {
        const double top = std::round(rect.top() + span.top - scrollOf(side));
        const double bottom = std::round(rect.top() + span.top + span.height - scrollOf(side));
        const QRectF place(rect.left(), top, rect.width(), std::max(1.0, bottom - top));
        if (span.isMerged()) {
            const ArrayItem &heaviest = shown.items()[span.heaviest];
            painter.fillRect(place, colourOf(shown, heaviest));
            if (place.top() > merged.bottom())
                hatchMerged();
            merged |= place;
            if (side == Side::Before && hasHot(span.first, span.last))
                hot.emplace_back(place.left(), place.top(), 4, place.height());
            continue;
        }
        hatchMerged();
        paintItem(painter, side, shown.items()[span.first], place);
    }
    hatchMerged();
    for (const QRectF &mark : hot)
        painter.fillRect(mark, m_state.theme().hot);
    painter.restore();
}

void ArrayView::paintItem(QPainter &painter, Side side, const ArrayItem &item, const QRectF &rect)
{
    const Theme &theme = m_state.theme();
    const ArrayColumn &shown = column(side);
    if (m_mode != ArrayMode::Slots) {
        paintBar(painter, side, item, rect);
        paintMarks(painter, side, item, rect);
        return;
    }
    const QColor fill = colourOf(shown, item);
    if (item.kind != ArrayItem::Kind::Slot) {
        const core::Thread &thread = m_state.session()->thread(m_state.position().thread);
        const bool isRecorded = item.kind == ArrayItem::Kind::Prelude && thread.prelude.has_value();
        painter.fillRect(rect, isRecorded ? theme.of(core::Material::System) : theme.base);
        if (!isRecorded)
            hatch(painter, rect, theme.hairline);
        painter.setPen(theme.secondary);
        painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
        if (rect.height() >= kTextFrom)
            paintBesideText(painter, item, rect, isRecorded);
        return;
    }
    painter.fillRect(rect, fill);
    if (shown.material(item.slot) == core::Material::Arguments && rect.height() >= 6) {
        // Arguments are told from bulk without their hue, too: a folded corner.
        const double fold = std::min(8.0, rect.height() / 2);
        QPainterPath corner(rect.topRight());
        corner.lineTo(rect.topRight() + QPointF(-fold, 0));
        corner.lineTo(rect.topRight() + QPointF(0, fold));
        corner.closeSubpath();
        painter.fillPath(corner, theme.base);
    }
    paintMarks(painter, side, item, rect);
    if (rect.height() >= kTextFrom)
        paintSlotText(painter, shown, item, rect);
}

std::string ArrayView::slotWeight(const ArrayColumn &shown, const ArrayItem &item) const
{
    const core::Transcript &transcript = shown.transcript();
    return m_state.weights().shown(item.weight, transcript.blocksOf(transcript.slot(item.slot)));
}

void ArrayView::paintSlotText(QPainter &painter, const ArrayColumn &shown, const ArrayItem &item, const QRectF &rect)
{
    const Theme &theme = m_state.theme();
    const core::SlotLabel &label = shown.label(item.slot);
    const double lineHeight = textLine();
    const double line = std::min(rect.height(), lineHeight);
    const bool isNarrow = rect.width() < kNarrowColumn;
    const double gap = isNarrow ? 4 : 8;
    const QRectF first = QRectF(rect.left(), rect.top(), rect.width(), line).adjusted(gap + 4, 0, -gap - 2, 0);
    const QFont words13 = Theme::textFont(textPixels(lineHeight, 13));
    const QFont words12 = Theme::textFont(textPixels(lineHeight, 12));
    painter.setPen(theme.onFill);
    painter.setFont(Theme::figureFont(textPixels(lineHeight, 12)));
    const QString weight = text(slotWeight(shown, item));
    double weightWidth = painter.fontMetrics().horizontalAdvance(weight);
    painter.drawText(first, Qt::AlignRight | Qt::AlignVCenter, weight);
    if (&shown != &m_before && isViolated(item.slot)) {
        const double side = std::min(13.0, line - 4);
        paintViolation(painter, theme, { first.right() - weightWidth - 6 - side / 2, first.center().y() }, side);
        weightWidth += side + 8;
    }
    const auto digits = static_cast<int>(std::to_string(shown.transcript().slotCount()).size());
    const double indexWidth = painter.fontMetrics().horizontalAdvance(u'0') * (digits + 2) + gap;
    painter.drawText(first, Qt::AlignLeft | Qt::AlignVCenter, u"[%1]"_s.arg(item.slot.value()));
    painter.setFont(Theme::figureFont(textPixels(lineHeight, 11)));
    const auto idDigits = static_cast<int>(std::to_string(m_state.session()->messages.size()).size());
    const double idWidth = painter.fontMetrics().horizontalAdvance(u'0') * (idDigits + 1) + 10;
    painter.setPen(theme.onFillSecondary);
    // In a narrow column what a slot is comes before its place in the session.
    const bool hasId = first.width() - indexWidth - idWidth > kLeastWords * lineHeight / kLine;
    if (hasId)
        painter.drawText(first.adjusted(indexWidth, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
            u"#%1"_s.arg(shown.transcript().slot(item.slot).id.value()));
    double from = indexWidth + (hasId ? idWidth : 0);
    if (const SlotOverride what = &shown == &m_before ? overrideOf(item.slot) : SlotOverride(); what.isThere())
        from += paintOverride(painter, theme, what, first.adjusted(from, 0, 0, 0));
    double end = first.right() - weightWidth - gap - 6;
    if (&shown == &m_before && std::abs(keepLine().value_or(-kLine) - first.center().y()) < kLine) {
        // Beside the handle of keep, not below it.
        if (const QRectF handle = keepHandle(); handle.intersects(first))
            end = std::min(end, handle.left() - 8);
    }
    const double room = end - first.left() - from;
    if (room < 20)
        return;
    painter.setFont(words13);
    painter.setPen(theme.onFill);
    const QString words = isNarrow ? narrowWords(label) : text(label.text());
    const double wordsWidth = painter.fontMetrics().horizontalAdvance(words);
    painter.drawText(first.adjusted(from, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, elided(painter, words, room));
    const core::HotBlock *hot = m_state.picture().hasAfter() && &shown != &m_before ? nullptr : hotOf(item.slot);
    const bool hasSecondLine = rect.height() >= kSecondLineFrom;
    painter.setFont(words12);
    painter.setPen(theme.onFillSecondary);
    const QString subject = text(label.subject);
    double taken = wordsWidth;
    if (m_state.picture().made() && &shown != &m_before) {
        // What became of it, beside its weight.
        const QString change = changeOf(item.slot);
        painter.setFont(Theme::textFont(textPixels(lineHeight, 11)));
        const double width = painter.fontMetrics().horizontalAdvance(change);
        if (!change.isEmpty() && room - wordsWidth > width + 16) {
            painter.drawText(first.adjusted(0, 0, -weightWidth - 14, 0), Qt::AlignRight | Qt::AlignVCenter, change);
            taken += width + 16;
        }
        painter.setFont(words12);
    }
    if (!subject.isEmpty() && room - taken > 60)
        painter.drawText(first.adjusted(from + wordsWidth + 10, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
            elided(painter, subject, room - taken - 12));
    if (hasSecondLine && hot != nullptr && !hot->reason.empty()) {
        painter.setFont(Theme::textFont(textPixels(lineHeight, 11)));
        const QRectF second(first.left() + from, rect.top() + line - 4, room, 16);
        painter.drawText(second, Qt::AlignLeft | Qt::AlignVCenter,
            elided(painter, tr("HOT · %1").arg(text(hot->reason)), second.width()));
    }
}

void ArrayView::paintBesideText(QPainter &painter, const ArrayItem &item, const QRectF &rect, bool isRecorded) const
{
    const Theme &theme = m_state.theme();
    const bool isPrelude = item.kind == ArrayItem::Kind::Prelude;
    const QString title = isPrelude
        ? (isRecorded ? tr("prelude · system prompt and tools") : tr("prelude · not recorded"))
        : tr("unlogged · re-injected files, memory, skills");
    const QString under = isPrelude ? tr("system prompt and tools, sized from recorded usage")
                                    : tr("recorded usage proves it was sent; the log does not hold it");
    const double line = std::min(rect.height(), textLine());
    const QRectF first(rect.left() + 12, rect.top(), rect.width() - 22, line);
    const QString weight = text(m_state.weights().shown(item.weight));
    painter.setFont(Theme::figureFont(textPixels(line, 12)));
    const double weightWidth = painter.fontMetrics().horizontalAdvance(weight);
    const auto ground = [&](const QRectF &where) {
        if (!isRecorded)
            painter.fillRect(where.adjusted(-4, 2, 4, -2), theme.base);
    };
    ground(QRectF(first.right() - weightWidth, first.top(), weightWidth, line));
    painter.setPen(isRecorded ? theme.onFill : theme.text);
    painter.drawText(first, Qt::AlignRight | Qt::AlignVCenter, weight);
    painter.setFont(Theme::textFont(textPixels(line, 13)));
    const QString words = elided(painter, title, first.width() - weightWidth - 24);
    ground(QRectF(first.left(), first.top(), painter.fontMetrics().horizontalAdvance(words), line));
    painter.drawText(first, Qt::AlignLeft | Qt::AlignVCenter, words);
    if (rect.height() >= kSecondLineFrom && !isRecorded) {
        painter.setFont(smallFont());
        const QRectF second(first.left(), rect.top() + line - 3, first.width(), 16);
        const QString more = elided(painter, under, second.width());
        ground(QRectF(second.left(), second.top(), painter.fontMetrics().horizontalAdvance(more), 16));
        painter.setPen(theme.secondary);
        painter.drawText(second, Qt::AlignLeft | Qt::AlignVCenter, more);
    }
}

void ArrayView::paintBar(QPainter &painter, Side side, const ArrayItem &item, const QRectF &rect)
{
    const Theme &theme = m_state.theme();
    const ArrayColumn &shown = column(side);
    const double heaviest = std::max({ m_before.heaviest(), m_after ? m_after->heaviest() : 0.0, 1.0 });
    const double labelWidth = rect.width() * kBarLabelShare;
    const double figureWidth = 84;
    const double room = rect.width() - labelWidth - figureWidth - 12;
    const QRectF bar(rect.left() + labelWidth, rect.top() + rect.height() * 0.16,
        std::max(1.5, room * item.weight / heaviest), rect.height() * 0.68);
    if (item.kind == ArrayItem::Kind::Slot) {
        painter.fillRect(bar, colourOf(shown, item));
        if (hasAfter() && side == Side::Before) {
            // Before as an outline, what is left of it filled.
            const SlotFate &fate = m_fates[item.slot.index()];
            const bool isLeft = fate.kind != core::Fate::Summarised && fate.target.isValid();
            const double after = isLeft
                ? m_state.picture().weightsAfter.of(m_state.picture().after, m_state.picture().after.slot(fate.target))
                : 0.0;
            QRectF gone = bar;
            gone.setLeft(bar.left() + std::min(bar.width(), room * after / heaviest));
            painter.fillRect(gone, theme.base);
            QColor tint = colourOf(shown, item);
            tint.setAlpha(60);
            painter.fillRect(gone, tint);
            painter.setPen(colourOf(shown, item));
            painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
        }
    } else {
        hatch(painter, bar, theme.secondary);
        painter.setPen(theme.secondary);
        painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    if (rect.height() < kTextFrom)
        return;
    const auto pixels = [&](int standard) { return textPixels(rect.height(), standard); };
    painter.setFont(Theme::figureFont(pixels(12)));
    painter.setPen(theme.text);
    painter.drawText(QRectF(bar.right() + 6, rect.top(), figureWidth, rect.height()), Qt::AlignLeft | Qt::AlignVCenter,
        text(m_state.weights().shown(item.weight)));
    const QRectF words(rect.left() + 10, rect.top(), labelWidth - 20, rect.height());
    if (item.kind != ArrayItem::Kind::Slot) {
        painter.setFont(Theme::textFont(pixels(13)));
        painter.setPen(theme.secondary);
        painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter,
            elided(painter, item.kind == ArrayItem::Kind::Prelude ? tr("prelude") : tr("unlogged"), words.width()));
        return;
    }
    const QString index = u"[%1]"_s.arg(item.slot.value());
    const auto digits = static_cast<int>(std::to_string(shown.transcript().slotCount()).size());
    const double indexWidth = painter.fontMetrics().horizontalAdvance(u'0') * (digits + 2) + 8;
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, index);
    painter.setFont(Theme::textFont(pixels(13)));
    const core::SlotLabel &label = shown.label(item.slot);
    QString line = text(label.text());
    const double lineWidth = painter.fontMetrics().horizontalAdvance(line);
    QRectF rest = words.adjusted(indexWidth, 0, 0, 0);
    if (const SlotOverride what = side == Side::Before ? overrideOf(item.slot) : SlotOverride(); what.isThere())
        rest.setLeft(rest.left() + paintOverride(painter, theme, what, rest));
    if (side == Side::After && isViolated(item.slot)) {
        paintViolation(painter, theme, { rest.left() + 6, rest.center().y() }, 13);
        rest.setLeft(rest.left() + 18);
    }
    painter.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter, elided(painter, line, rest.width()));
    if (rest.width() - lineWidth > 60 && !label.subject.empty()) {
        painter.setFont(Theme::textFont(pixels(12)));
        painter.setPen(theme.secondary);
        painter.drawText(rest.adjusted(lineWidth + 10, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
            elided(painter, text(label.subject), rest.width() - lineWidth - 12));
    }
}

void ArrayView::paintMarks(QPainter &painter, Side side, const ArrayItem &item, const QRectF &rect) const
{
    if (item.kind != ArrayItem::Kind::Slot)
        return;
    const Theme &theme = m_state.theme();
    // Slots that a plan or an observation made follow those that they were.
    const bool isMapped = side == Side::After && m_state.picture().made() != nullptr;
    const core::Transcript &transcript = isMapped ? m_before.transcript() : column(side).transcript();
    SlotIndex slot = item.slot;
    if (isMapped) {
        const uint32_t was = m_beforeOf[item.slot.index()];
        slot = was == UINT32_MAX ? SlotIndex() : SlotIndex(was);
    }
    const std::span<const core::BlockId> blocks
        = slot.isValid() ? transcript.blocksOf(transcript.slot(slot)) : std::span<const core::BlockId>();
    const auto holdsBlock = [&](core::BlockId id) { return std::ranges::find(blocks, id) != blocks.end(); };
    if (side == Side::Before && std::ranges::binary_search(m_state.matches(), item.slot))
        painter.fillRect(QRectF(rect.right() - 4, rect.top(), 4, rect.height()), theme.accent);
    if (rect.height() < kTextFrom && m_mode == ArrayMode::Slots) {
        if (const SlotOverride what = side == Side::Before ? overrideOf(item.slot) : SlotOverride(); what.isThere())
            paintOverrideEdge(painter, theme, what, rect);
        if (side == Side::After && isViolated(item.slot))
            painter.fillRect(QRectF(rect.right() - 4, rect.top(), 4, rect.height()), theme.hot);
    }
    const bool isSelected = side == Side::Before || isMapped
        ? slot.isValid() && std::ranges::binary_search(m_state.selection(), slot)
        : m_state.currentBlock().isValid() && holdsBlock(m_state.currentBlock());
    bool isPartner = false;
    const core::BlockId hovered = m_state.hoveredBlock();
    if (hovered.isValid()) {
        const core::MessageId message = m_state.session()->block(hovered).message;
        isPartner = std::ranges::any_of(blocks, [&](core::BlockId id) {
            return id == hovered || transcript.block(id).message == message
                || std::ranges::find(m_partners, id) != m_partners.end();
        });
    }
    // Inside the outline of the selection, where the two do not mix.
    const double inset = isSelected ? 2 : 0;
    if (side == Side::Before && hotOf(item.slot) != nullptr)
        painter.fillRect(QRectF(rect.left() + inset, rect.top(), 4, rect.height()), theme.hot);
    if (!isSelected && !isPartner)
        return;
    painter.setBrush(Qt::NoBrush);
    if (isSelected) {
        painter.setPen(QPen(theme.accent, 2));
        painter.drawRect(rect.adjusted(1, 1, -1, -1));
    } else {
        painter.setPen(QPen(theme.accent, 1));
        painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void ArrayView::paintRibbons(QPainter &painter)
{
    const QRectF left = columnRect(Side::Before);
    const QRectF right = columnRect(Side::After);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(QRectF(left.right() + 8, left.top(), right.left() - left.right() - 16, left.height()));
    painter.setPen(Qt::NoPen);
    const double x0 = left.right() + 8;
    const double x1 = right.left() - 8;
    const double middle = (x0 + x1) / 2;
    const double total = std::max(1.0, m_beforeSums.back());
    std::array<size_t, 7> counts {};
    for (const SlotFate &fate : m_fates)
        ++counts[static_cast<size_t>(fate.kind)];
    const size_t summarised = counts[static_cast<size_t>(core::Fate::Summarised)];
    const size_t dropped = counts[static_cast<size_t>(core::Fate::Dropped)];
    const auto targetRange = [&](SlotIndex slot) {
        const size_t item = m_after->itemOf(slot);
        const double top = right.top() + m_after->layout().top(item, m_zoom) - m_scrollAfter;
        return std::pair(top, top + m_after->layout().height(item, m_zoom));
    };
    for (const ColumnLayout::Span &span :
        m_before.layout().spans(m_scrollBefore, m_scrollBefore + left.height(), m_zoom)) {
        const ArrayItem &item = m_before.items()[span.heaviest];
        if (item.kind != ArrayItem::Kind::Slot)
            continue;
        const SlotFate &fate = m_fates[item.slot.index()];
        const double y0 = left.top() + span.top - m_scrollBefore;
        const double y1 = y0 + span.height;
        QColor colour = colourOf(m_before, item);
        if (!fate.target.isValid()) {
            // Dropped: the ribbon runs out.
            QLinearGradient fade(x0, 0, middle, 0);
            colour.setAlpha(90);
            fade.setColorAt(0, colour);
            colour.setAlpha(0);
            fade.setColorAt(1, colour);
            painter.fillRect(QRectF(x0, y0, middle - x0, y1 - y0), fade);
            paintFateMark(painter, fate.kind, { x0 + 9, (y0 + y1) / 2 }, y1 - y0);
            continue;
        }
        auto [t0, t1] = targetRange(fate.target);
        if (fate.kind == core::Fate::Summarised) {
            const double height = t1 - t0;
            t1 = t0 + height * m_beforeSums[item.slot.index() + 1] / total;
            t0 = t0 + height * m_beforeSums[item.slot.index()] / total;
            t1 = std::max(t1, t0 + 0.6);
        }
        QPainterPath band(QPointF(x0, y0));
        band.cubicTo(middle, y0, middle, t0, x1, t0);
        band.lineTo(x1, t1);
        band.cubicTo(middle, t1, middle, y1, x0, y1);
        band.closeSubpath();
        const bool isKept = fate.kind == core::Fate::Kept;
        const bool isTold = m_state.picture().made() != nullptr;
        colour.setAlpha(fate.kind == core::Fate::Summarised ? 70 : isKept && isTold ? 60 : 120);
        painter.fillPath(band, colour);
        if (fate.kind == core::Fate::Cleared) {
            QColor lines = m_state.theme().secondary;
            lines.setAlpha(90);
            painter.fillPath(band, QBrush(lines, Qt::BDiagPattern));
        }
        if (!isKept && isTold && fate.kind != core::Fate::Summarised)
            paintFateMark(painter, fate.kind, { x1 - 8, (t0 + t1) / 2 }, t1 - t0);
    }
    painter.restore();
    // What became of them, in words.
    QStringList lines;
    if (m_state.picture().made()) {
        using core::Fate;
        for (const Fate fate : { Fate::Shortened, Fate::Offloaded, Fate::Cleared, Fate::Dropped, Fate::Summarised }) {
            if (const size_t count = counts[static_cast<size_t>(fate)]; count > 0)
                lines << tr("%1 %2").arg(count).arg(fateWord(fate));
        }
        if (lines.isEmpty())
            lines << tr("nothing changes");
    } else if (summarised > 0 || dropped > 0) {
        lines << counted(summarised > 0 ? summarised : dropped, tr("slot"), tr("slots"))
              << (summarised > 0 ? tr("→ 1 summary") : tr("dropped"));
    }
    if (lines.isEmpty())
        return;
    const QString verdict = lines.join(u'\n');
    const double height = 15.0 * static_cast<double>(lines.size()) + 6;
    const QRectF place(left.right() + 8, left.bottom() - height - 4, right.left() - left.right() - 16, height);
    painter.setFont(smallFont());
    const QRectF words = painter.fontMetrics().boundingRect(place.toRect(), Qt::AlignCenter, verdict);
    if (words.width() > place.width() + 4)
        return;
    painter.fillRect(words.adjusted(-5, -2, 5, 2), m_state.theme().base);
    painter.setPen(m_state.theme().secondary);
    painter.drawText(place, Qt::AlignCenter, verdict);
}

void ArrayView::paintFateMark(QPainter &painter, core::Fate fate, QPointF at, double room) const
{
    if (room < 7)
        return;
    painter.save();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(fate == core::Fate::Dropped ? m_state.theme().hot : m_state.theme().secondary, 1.4));
    switch (fate) {
    case core::Fate::Shortened: // the sides come together
        painter.drawPolyline(QPolygonF({ at + QPointF(-3, -4), at + QPointF(2, 0), at + QPointF(-3, 4) }));
        break;
    case core::Fate::Offloaded: // it goes elsewhere
        painter.drawLine(at + QPointF(-4, 4), at + QPointF(3, -3));
        painter.drawPolyline(QPolygonF({ at + QPointF(-2, -3), at + QPointF(3, -3), at + QPointF(3, 2) }));
        break;
    case core::Fate::Cleared: // an empty place
        painter.drawRect(QRectF(at.x() - 3.5, at.y() - 3.5, 7, 7));
        break;
    case core::Fate::Dropped:
        painter.drawLine(at + QPointF(-3, -3), at + QPointF(3, 3));
        painter.drawLine(at + QPointF(-3, 3), at + QPointF(3, -3));
        break;
    case core::Fate::Kept:
    case core::Fate::Summarised:
    case core::Fate::Added:
        break;
    }
    painter.restore();
}

std::optional<double> ArrayView::keepLine() const
{
    const size_t slots = m_state.picture().before.slotCount();
    if (slots == 0 || m_mode == ArrayMode::BarsHeaviest)
        return std::nullopt;
    const size_t cutoff = m_state.picture().cutoff;
    const ColumnLayout &layout = m_before.layout();
    const double top
        = cutoff < slots ? layout.top(m_before.itemOf(SlotIndex(cutoff)), m_zoom) : layout.totalHeight(m_zoom);
    return columnRect(Side::Before).top() + top - m_scrollBefore - kGap / 2;
}

QRectF ArrayView::keepHandle() const
{
    const auto line = keepLine();
    if (!line)
        return {};
    const QRectF rect = columnRect(Side::Before);
    if (*line < rect.top() - 10 || *line > rect.bottom() + 10)
        return {};
    const double width
        = QFontMetricsF(smallFont())
              .horizontalAdvance(tr("keep %1").arg(QString::fromStdString(m_state.workspace().keep().text())))
        + 18;
    return { rect.right() - width - 76, std::round(*line) - 9, width, 18 };
}

void ArrayView::paintKeep(QPainter &painter) const
{
    const auto line = keepLine();
    if (!line)
        return;
    const Theme &theme = m_state.theme();
    const QRectF rect = columnRect(Side::Before);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    // The keep window is bracketed along the right bracket of the column.
    const double end = std::min(rect.bottom(), rect.top() + m_before.layout().totalHeight(m_zoom) - m_scrollBefore);
    const double from = std::max(rect.top(), *line);
    if (from < end) {
        painter.setPen(QPen(theme.accent, 2));
        painter.drawLine(QPointF(rect.right() + 7, from), QPointF(rect.right() + 7, end));
    }
    const QRectF handle = keepHandle();
    if (!handle.isEmpty()) {
        const double y = std::round(*line) + 0.5;
        painter.setPen(QPen(theme.accent, 1, Qt::DashLine));
        painter.drawLine(QPointF(rect.left(), y), QPointF(handle.left(), y));
        painter.drawLine(QPointF(handle.right(), y), QPointF(rect.right() + 7, y));
        painter.setPen(QPen(theme.accent, 1));
        painter.setBrush(theme.base);
        painter.drawRoundedRect(handle.adjusted(0.5, 0.5, -0.5, -0.5), 9, 9);
        painter.setFont(smallFont());
        painter.drawText(
            handle, Qt::AlignCenter, tr("keep %1").arg(QString::fromStdString(m_state.workspace().keep().text())));
    }
    painter.restore();
}

void ArrayView::renderOverview()
{
    const QRectF rect = overviewRect();
    const int height = std::max(0, static_cast<int>(rect.height()));
    m_overview = QImage(1, std::max(1, height), QImage::Format_RGB32);
    m_overview.fill(m_state.theme().window);
    markOverview();
    if (height == 0 || m_beforeSums.size() < 2 || !m_state.session())
        return;
    const core::Transcript &transcript = m_state.picture().before;
    const double total = m_beforeSums.back();
    for (int row = 0; row < height && total > 0; ++row) {
        // The slot that holds the middle of the row; rows are what the eye can tell apart.
        const double at = total * (row + 0.5) / height;
        const auto next = std::ranges::upper_bound(m_beforeSums, at);
        const auto slot = static_cast<size_t>(std::max<ptrdiff_t>(1, next - m_beforeSums.begin())) - 1;
        if (slot >= transcript.slotCount())
            continue;
        m_overview.setPixelColor(0, row, colourOf(m_before, m_before.items()[m_before.itemOf(SlotIndex(slot))]));
    }
}

void ArrayView::markOverview()
{
    const auto rows = static_cast<size_t>(std::max(0.0, overviewRect().height()));
    m_hotRows.assign(rows, false);
    m_matchRows.assign(rows, false);
    if (rows == 0 || m_beforeSums.size() < 2 || m_beforeSums.back() <= 0)
        return;
    const auto rowOf = [&](size_t slot) {
        return std::min(
            rows, static_cast<size_t>(static_cast<double>(rows) * m_beforeSums[slot] / m_beforeSums.back()));
    };
    const auto mark = [&](std::vector<bool> &marks, size_t from, size_t to) {
        for (size_t row = from; row < std::min(to, rows); ++row)
            marks[row] = true;
    };
    for (const core::HotBlock &hot : m_state.picture().hot.blocks) {
        const size_t top = rowOf(hot.slot.index());
        mark(m_hotRows, top, std::max(top + 2, rowOf(hot.slot.index() + 1)));
    }
    for (const SlotIndex slot : m_state.matches()) {
        if (slot.index() + 1 >= m_beforeSums.size())
            break; // of an array that is not shown any more
        const size_t row = rowOf(slot.index());
        mark(m_matchRows, row - std::min<size_t>(row, 1), row + 1);
    }
}

void ArrayView::paintOverview(QPainter &painter)
{
    const Theme &theme = m_state.theme();
    const QRectF rect = overviewRect();
    if (m_beforeSums.size() < 2 || m_beforeSums.back() <= 0)
        return;
    painter.drawImage(rect, m_overview);
    const double total = m_beforeSums.back();
    const auto yOf = [&](size_t slot) { return rect.top() + rect.height() * m_beforeSums[slot] / total; };
    const auto paintRows = [&](const std::vector<bool> &marks, double left, double width, const QColor &colour) {
        for (auto from = std::ranges::find(marks, true); from != marks.end();) {
            const auto to = std::find(from, marks.end(), false);
            const auto row = static_cast<double>(from - marks.begin());
            painter.fillRect(QRectF(left, rect.top() + row, width, static_cast<double>(to - from)), colour);
            from = std::find(to, marks.end(), true);
        }
    };
    paintRows(m_hotRows, rect.left() - 7, 3, theme.hot);
    paintRows(m_matchRows, rect.right() + 1, 5, theme.accent);
    if (m_mode == ArrayMode::BarsHeaviest)
        return;
    // The visible part.
    const ColumnLayout &layout = m_before.layout();
    if (layout.count() == 0)
        return;
    const auto slotAt = [&](double y, bool isEnd) {
        const ArrayItem &item = m_before.items()[layout.itemAt(y, m_zoom)];
        return item.kind == ArrayItem::Kind::Slot ? item.slot.index() + (isEnd ? 1 : 0) : (isEnd ? 1 : 0);
    };
    const double top = yOf(slotAt(m_scrollBefore, false));
    const double bottom
        = yOf(std::min(slotAt(m_scrollBefore + columnRect(Side::Before).height() - 1, true), m_beforeSums.size() - 1));
    painter.setPen(QPen(theme.accent, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(rect.left() - 2, top, rect.width() + 4, std::max(4.0, bottom - top)));
}

// --- mouse and keys -------------------------------------------------------------------------------------------------

void ArrayView::resizeEvent(QResizeEvent *)
{
    m_size = size();
    layOut();
    clampScroll();
    renderOverview();
}

core::Measure ArrayView::keepAt(size_t cutoff) const
{
    const ArrayPicture &picture = m_state.picture();
    const size_t slots = picture.before.slotCount();
    const core::Measure now = m_state.workspace().keep();
    if (const auto &policy = m_state.workspace().plan().policy)
        return core::keepBeginningAt(
            picture.before, *policy, *m_state.workspace().tokens(), SlotIndex(cutoff), m_state.workspace().memo());
    if (now.unit == core::Measure::Unit::Messages)
        return { static_cast<double>(slots - cutoff), now.unit };
    double tokens = 0;
    for (size_t i = cutoff; i < slots; ++i) {
        for (const core::BlockId id : picture.before.blocksOf(picture.before.slots()[i]))
            tokens += m_state.workspace().tokens()->of(id);
    }
    if (now.unit == core::Measure::Unit::Tokens)
        return { std::ceil(tokens), now.unit };
    double whole = static_cast<double>(m_state.session()->windowTokens.value_or(0));
    if (whole <= 0) {
        for (const core::BlockId id : picture.before.blocks())
            whole += m_state.workspace().tokens()->of(id);
    }
    // Rounded up, so that the slot at the boundary stays inside.
    return { std::ceil(tokens / std::max(1.0, whole) * 10000) / 10000, now.unit };
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

void ArrayView::dragKeep(double y)
{
    const QRectF rect = columnRect(Side::Before);
    const ColumnLayout &layout = m_before.layout();
    const double inColumn = y - rect.top() + m_scrollBefore;
    const size_t item = layout.itemAt(inColumn, m_zoom);
    const bool isLowerHalf = inColumn > layout.top(item, m_zoom) + layout.height(item, m_zoom) / 2;
    const ArrayItem &under = m_before.items()[item];
    size_t cutoff = under.kind == ArrayItem::Kind::Slot ? under.slot.index() + (isLowerHalf ? 1 : 0) : 0;
    cutoff = std::min(cutoff, m_state.picture().before.slotCount() - 1); // the last slot is always kept
    if (cutoff == m_draggedTo.value_or(m_state.picture().cutoff))
        return;
    m_draggedTo = cutoff;
    m_state.workspace().previewKeep(keepAt(cutoff));
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
        workspace.endGesture(tr("Change Keep to %1").arg(QString::fromStdString(workspace.keep().text())));
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
    QString tip
        = text(label.text()) + u" · "_s + text(slotWeight(shown, item)) + u' ' + text(m_state.weights().unitName());
    if (!label.subject.empty())
        tip += u'\n' + text(label.subject);
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

int ArrayView::itemCount() const
{
    return static_cast<int>(m_before.items().size() + (hasAfter() ? m_after->items().size() : 0));
}

QString ArrayView::itemName(int item) const
{
    const bool isBefore = static_cast<size_t>(item) < m_before.items().size();
    const ArrayColumn &shown = isBefore ? m_before : *m_after;
    const ArrayItem &entry = shown.items()[static_cast<size_t>(item) - (isBefore ? 0 : m_before.items().size())];
    const QString weight
        = tr("about %1 %2")
              .arg(text(core::groupedNumber(static_cast<uint64_t>(entry.weight))), text(m_state.weights().unitName()));
    if (entry.kind != ArrayItem::Kind::Slot)
        return entry.kind == ArrayItem::Kind::Prelude ? tr("prelude, %1").arg(weight) : tr("unlogged, %1").arg(weight);
    const core::SlotLabel &label = shown.label(entry.slot);
    QString name = isBefore ? tr("slot %1").arg(entry.slot.value()) : tr("slot %1 after").arg(entry.slot.value());
    name += u", "_s + text(label.role) + u", "_s + text(label.what).replace(u'_', u' ') + u", "_s + weight;
    if (isBefore && hotOf(entry.slot) != nullptr)
        name += tr(", hot");
    if (const SlotOverride what = isBefore ? overrideOf(entry.slot) : SlotOverride(); what.isThere())
        name += u", "_s + what.words();
    if (!isBefore && m_state.picture().made()) {
        if (const QString change = changeOf(entry.slot); !change.isEmpty())
            name += u", "_s + change;
        if (isViolated(entry.slot))
            name += tr(", not valid");
    }
    const QString cached = cacheWordsOf(isBefore ? Side::Before : Side::After, entry.slot);
    return cached.isEmpty() ? name : name + u", "_s + cached;
}

QRect ArrayView::itemRect(int item) const
{
    const bool isBefore = static_cast<size_t>(item) < m_before.items().size();
    const Side side = isBefore ? Side::Before : Side::After;
    if (!isBefore && !hasAfter())
        return {};
    const size_t index = static_cast<size_t>(item) - (isBefore ? 0 : m_before.items().size());
    const QRectF rect = columnRect(side);
    const ColumnLayout &layout = column(side).layout();
    const QRectF place(rect.left(), rect.top() + layout.top(index, m_zoom) - scrollOf(side), rect.width(),
        layout.height(index, m_zoom));
    return place.intersected(rect).toAlignedRect();
}

int ArrayView::itemAt(QPoint position) const
{
    const auto hit = hitAt(position);
    if (!hit)
        return -1;
    return static_cast<int>(hit->item + (hit->side == Side::After ? m_before.items().size() : 0));
}

bool ArrayView::isItemSelected(int item) const
{
    if (static_cast<size_t>(item) >= m_before.items().size())
        return false;
    const ArrayItem &entry = m_before.items()[static_cast<size_t>(item)];
    return entry.kind == ArrayItem::Kind::Slot
        && std::ranges::find(m_state.selection(), entry.slot) != m_state.selection().end();
}

void ArrayView::activateItem(int item)
{
    const bool isBefore = static_cast<size_t>(item) < m_before.items().size();
    if (isBefore && m_before.items()[static_cast<size_t>(item)].kind == ArrayItem::Kind::Slot)
        m_state.setCurrentSlot(m_before.items()[static_cast<size_t>(item)].slot);
    else if (!isBefore)
        chooseAfter(m_after->items()[static_cast<size_t>(item) - m_before.items().size()]);
}

} // namespace ui
