// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/diff/diff_view.h"

#include "ui/diff/diff_head.h"
#include "ui/widgets/forward_focus.h"

#include <QAccessible>
#include <QEventLoop>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ranges>
#include <utility>

namespace ui {

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

constexpr auto kBusyAfter = 200ms;
constexpr int kMapWidth = 18;
constexpr size_t kFarAway = 400; ///< characters from the left edge: a difference beyond would be hard to find

} // namespace

DiffView::DiffView(QWidget *parent)
    : QWidget(parent)
    , m_head(new DiffHead(this))
{
    setObjectName(u"diffView"_s);
    setAccessibleName(tr("Differences"));
    connect(m_head, &DiffHead::stepRequested, this, &DiffView::step);
    connect(m_head, &DiffHead::modeChosen, this, &DiffView::setMode);
    for (TextSurface *&surface : m_surfaces) {
        surface = new TextSurface(this);
        surface->setWrapping(false);
        surface->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        connectSurface(surface);
    }
    m_surfaces[0]->setObjectName(u"diffBefore"_s);
    m_surfaces[1]->setObjectName(u"diffAfter"_s);
    m_map = new ChangeMap(this);
    connect(m_map, &ChangeMap::scrolled, this, [this](double y) { afterSurface()->setScrollY(y); });
    connect(m_map, &ChangeMap::chosen, this, &DiffView::goTo);
    m_sentence = new QLabel(this);
    m_sentence->setObjectName(u"diffSentence"_s);
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setAlignment(Qt::AlignCenter);
    m_sentence->setWordWrap(true);
    m_busyTimer.setSingleShot(true);
    m_busyTimer.setInterval(kBusyAfter);
    connect(&m_busyTimer, &QTimer::timeout, this, [this] { say(tr("Comparing the two texts…")); });
    new ForwardFocus(this, m_surfaces[1]);
    setTheme(m_theme);
    clear();
}

DiffView::~DiffView() = default;

void DiffView::connectSurface(TextSurface *surface)
{
    const auto follow = [this, surface] { followScroll(surface); };
    connect(surface->verticalScrollBar(), &QScrollBar::valueChanged, this, follow);
    connect(surface->horizontalScrollBar(), &QScrollBar::valueChanged, this, follow);
    connect(surface, &TextSurface::laidOut, this, &DiffView::followLayout);
    connect(surface, &TextSurface::foldsChanged, this, [this, surface] {
        if (m_isFollowing || paneCount() < 2)
            return;
        m_isFollowing = true;
        TextSurface *other = m_surfaces[1 - paneOf(surface)];
        other->setFolded(surface->folded());
        m_isFollowing = false;
        followLayout();
        followScroll(surface);
    });
    connect(surface, &TextSurface::selectionChanged, this, [this, surface] { followCaret(surface); });
    connect(surface, &TextSurface::contextMenuAboutToShow, this, [this](QMenu *menu) {
        menu->addSeparator();
        QAction *blanks = menu->addAction(tr("Ignore Whitespace"), this, [this](bool isChecked) {
            setWhitespace(isChecked ? core::Whitespace::IgnoreAmount : core::Whitespace::Exact);
        });
        blanks->setCheckable(true);
        blanks->setChecked(m_whitespace != core::Whitespace::Exact);
    });
}

TextSurface *DiffView::beforeSurface() const { return m_surfaces[paneCount() == 1 ? 1 : 0]; }

TextSurface *DiffView::afterSurface() const { return m_surfaces[1]; }

// --- input ----------------------------------------------------------------------------------------------------------

void DiffView::setInput(DiffInput input, DiffStart start)
{
    m_input = std::move(input);
    forgetMatches();
    m_shown.diff.reset();
    m_shown.before.reset();
    m_shown.after.reset();
    m_shown.sections.clear();
    m_current.reset();
    m_head->setTitles(titles());
    compare(start);
}

void DiffView::clear()
{
    m_job.cancel();
    forgetMatches();
    m_busyTimer.stop();
    m_input = {};
    m_shown = {};
    m_current.reset();
    m_head->setTitles(titles());
    m_map->setBars({}, 0, {});
    for (TextSurface *surface : m_surfaces)
        surface->setContent(std::make_shared<const TextContent>());
    say(QString());
}

void DiffView::setMode(DiffMode mode)
{
    if (mode == m_mode)
        return;
    m_mode = mode;
    m_head->setChosenMode(mode);
    if (m_shown.diff || m_job.isRunning())
        compare(DiffStart::First);
    Q_EMIT modeChanged();
}

void DiffView::setWhitespace(core::Whitespace whitespace)
{
    if (whitespace == m_whitespace)
        return;
    m_whitespace = whitespace;
    if (!m_shown.diff && !m_job.isRunning())
        return;
    m_shown.diff.reset();
    m_current.reset();
    compare(DiffStart::First);
}

void DiffView::compare(DiffStart start)
{
    m_job.cancel();
    if (!m_shown.diff)
        m_map->setBars({}, 0, {});
    DiffOrder order { m_input, m_mode, m_whitespace, {} };
    order.known.before = m_shown.before;
    order.known.after = m_shown.after;
    order.known.sections = m_shown.sections;
    order.known.diff = m_shown.diff;
    // Keeps the position if only the way of showing the texts changes.
    const std::optional<size_t> difference = m_shown.diff ? m_current : std::nullopt;
    const auto sizeOf = [this](const TextDocumentPtr &known, const DiffSide &side) {
        const TextDocumentPtr &document = known ? known : side.document;
        return document ? document->size() : side.read || m_input.readSections ? kAtOnce + 1 : 0;
    };
    const auto placeOf = [difference, start](const ComparedTexts &shown) -> std::optional<size_t> {
        const size_t count = shown.differenceCount();
        if (difference || count == 0)
            return difference;
        return start == DiffStart::First ? 0 : count - 1;
    };
    const Arrival arrival = difference ? Arrival::Asked : Arrival::Opened;
    if (sizeOf(order.known.before, m_input.before) + sizeOf(order.known.after, m_input.after) <= kAtOnce) {
        ComparedTexts shown = compareTexts(order, nullptr);
        const auto place = placeOf(shown);
        apply(std::move(shown), place, arrival, start);
        return;
    }
    if (!m_busyTimer.isActive())
        m_busyTimer.start();
    m_job.start(
        this, [order = std::move(order)](core::Progress &progress) { return compareTexts(order, &progress); },
        [this, placeOf, arrival, start](ComparedTexts shown) {
            const auto place = placeOf(shown);
            apply(std::move(shown), place, arrival, start);
        });
}

void DiffView::apply(ComparedTexts shown, std::optional<size_t> difference, Arrival arrival, DiffStart start)
{
    m_busyTimer.stop();
    m_shown = std::move(shown);
    if (!m_shown.error.empty()) {
        say(displayText(m_shown.error));
        Q_EMIT compared();
        return;
    }
    m_isFollowing = true;
    const bool isUnified = paneCount() == 1;
    for (size_t pane = 0; pane < 2; ++pane) {
        TextSurface *surface = m_surfaces[pane];
        surface->setFewestColumns(0);
        const size_t source = isUnified ? 0 : pane;
        if (isUnified && pane == 0) {
            surface->setContent(std::make_shared<const TextContent>());
            continue;
        }
        const DiffPane &content = m_shown.contents.panes[source];
        surface->setContent(content.content, isUnified && m_input.isProse, 0);
        surface->setMarks(content.marks);
    }
    m_isFollowing = false;
    const std::array<QString, 2> words = titles();
    m_surfaces[0]->setAccessibleName(words[0]);
    m_surfaces[1]->setAccessibleName(isUnified ? tr("%1, then %2").arg(words[0], words[1]) : words[1]);
    m_sentence->hide();
    if (isUnified && m_surfaces[0]->hasFocus())
        m_surfaces[1]->setFocus();
    m_surfaces[0]->setVisible(!isUnified);
    m_map->show();
    layOut();
    followLayout();
    m_current.reset();
    if (difference && *difference < differenceCount())
        arriveAt(*difference, arrival);
    findMatches(arrival == Arrival::Opened ? std::optional(start) : std::nullopt);
    refreshStatus();
    update();
    Q_EMIT compared();
}

void DiffView::say(const QString &sentence)
{
    m_sentence->setText(sentence);
    m_sentence->show();
    m_sentence->raise(); // it covers the surfaces, which keep the focus
    m_map->hide();
    layOut();
    refreshStatus();
    update();
}

bool DiffView::isBusy() const
{
    return m_job.isRunning() || m_find.job.isRunning()
        || std::ranges::any_of(m_surfaces, [](const TextSurface *surface) { return surface->isBusy(); });
}

void DiffView::finish()
{
    if (m_job.isRunning()) {
        QEventLoop loop;
        QTimer poll;
        connect(&poll, &QTimer::timeout, &loop, [&] {
            if (!m_job.isRunning())
                loop.quit();
        });
        poll.start(1ms);
        loop.exec(QEventLoop::ExcludeUserInputEvents);
    }
    m_find.job.wait();
    for (TextSurface *surface : m_surfaces)
        surface->finish();
}

// --- differences ----------------------------------------------------------------------------------------------------

size_t DiffView::paneWith(size_t difference) const
{
    if (paneCount() == 1)
        return 0;
    const TextSpan span = m_shown.contents.panes[1].differences[difference];
    return span.begin < span.end ? 1 : 0;
}

void DiffView::arriveAt(size_t difference, Arrival arrival)
{
    if (difference >= differenceCount())
        return;
    m_isFollowing = true;
    for (size_t pane = 0; pane < paneCount(); ++pane) {
        TextSurface *surface = paneCount() == 1 ? m_surfaces[1] : m_surfaces[pane];
        const size_t at = m_shown.contents.panes[pane].differences[difference].begin;
        surface->select(at, at);
    }
    m_isFollowing = false;
    setCurrent(difference);
    scrollTo(difference, arrival);
}

void DiffView::goToFile(const std::string &fileName)
{
    const auto section = std::ranges::find(m_shown.sections, fileName, &DiffSection::fileName);
    if (section == m_shown.sections.end() || !m_shown.diff)
        return;
    const auto &all = m_shown.diff->differences;
    goTo(static_cast<size_t>(
        std::ranges::lower_bound(all, section->firstRun, {}, &core::Difference::firstRun) - all.begin()));
}

void DiffView::scrollTo(size_t difference, Arrival arrival)
{
    const size_t pane = paneWith(difference);
    const DiffPane &content = m_shown.contents.panes[pane];
    TextSurface *surface = paneCount() == 1 ? m_surfaces[1] : m_surfaces[pane];
    const TextDocument &document = *surface->content()->document;
    const size_t begin = content.differences[difference].begin;
    const size_t start = content.starts[difference];
    const bool isReadFromLeft = arrival == Arrival::Opened && start - std::min(start, begin) < kFarAway;
    const size_t toSee = document.lineOf(start) == document.lineOf(begin) && !isReadFromLeft ? start : begin;
    if (!surface->layoutOfRows()->isComplete()) {
        surface->reveal(toSee); // now or when its row is known
        return;
    }
    // The whole difference with its context, or at least its beginning.
    const ChangeMap::Place place = m_map->placeOf(difference);
    const double view = surface->viewport()->height();
    const double margin = 2 * surface->rowHeight();
    const bool isInSight
        = place.top - margin >= surface->scrollY() && place.bottom + margin <= surface->scrollY() + view;
    if (!isInSight)
        surface->setScrollY(
            place.top - std::clamp((view - (place.bottom - place.top)) / 3, margin, std::max(margin, view / 3)));
    surface->reveal(toSee);
    if (isReadFromLeft)
        surface->horizontalScrollBar()->setValue(0); // in a view that is still without its width, too
    followScroll(surface);
}

bool DiffView::step(int direction)
{
    if (m_job.isRunning())
        return false;
    const size_t count = differenceCount();
    std::optional<size_t> to;
    if (m_current) {
        const auto next = static_cast<std::ptrdiff_t>(*m_current) + direction;
        if (next >= 0 && next < static_cast<std::ptrdiff_t>(count))
            to = static_cast<size_t>(next);
    } else if (count > 0) {
        // Starts at the caret.
        const TextSurface *surface = beforeSurface()->hasFocus() ? beforeSurface() : afterSurface();
        const size_t pane = paneCount() == 1 ? 0 : paneOf(surface);
        const auto &spans = m_shown.contents.panes[pane].differences;
        const auto next = std::ranges::upper_bound(spans, surface->caret(), {}, &TextSpan::begin);
        const auto index = next - spans.begin();
        if (direction > 0 && next != spans.end())
            to = static_cast<size_t>(index);
        else if (direction < 0 && index > 0)
            to = static_cast<size_t>(index - 1);
    }
    if (!to) {
        Q_EMIT ended(direction);
        return false;
    }
    goTo(*to);
    return true;
}

void DiffView::setCurrent(std::optional<size_t> difference)
{
    m_current = difference;
    for (size_t pane = 0; pane < paneCount(); ++pane) {
        TextSurface *surface = paneCount() == 1 ? m_surfaces[1] : m_surfaces[pane];
        surface->setCurrentSpan(
            difference ? std::optional(m_shown.contents.panes[pane].differences[*difference]) : std::nullopt);
    }
    m_map->setCurrent(difference);
    refreshStatus();
    Q_EMIT currentDifferenceChanged();
}

void DiffView::followCaret(const TextSurface *surface)
{
    if (m_isFollowing || paneCount() == 0 || !m_shown.diff)
        return;
    const size_t pane = paneCount() == 1 ? 0 : paneOf(surface);
    const auto &spans = m_shown.contents.panes[pane].differences;
    const auto next = std::ranges::upper_bound(spans, surface->caret(), {}, &TextSpan::begin);
    std::optional<size_t> at;
    if (next != spans.begin() && surface->caret() < std::prev(next)->end)
        at = static_cast<size_t>(std::prev(next) - spans.begin());
    if (at != m_current)
        setCurrent(at);
}

void DiffView::followScroll(TextSurface *leader)
{
    if (m_isFollowing)
        return;
    m_isFollowing = true;
    if (paneCount() == 2) {
        TextSurface *other = m_surfaces[1 - paneOf(leader)];
        other->verticalScrollBar()->setValue(leader->verticalScrollBar()->value());
        other->horizontalScrollBar()->setValue(leader->horizontalScrollBar()->value());
    }
    m_isFollowing = false;
    const TextSurface *surface = afterSurface();
    m_map->setView(surface->contentHeight(), surface->scrollY(), surface->viewport()->height());
    m_head->setFile(fileInSight());
}

QString DiffView::shownFile() const { return m_head->file(); }

QString DiffView::fileInSight() const
{
    const int count = m_map->itemCount();
    if (!isShown() || m_shown.sections.size() < 2 || count == 0 || std::cmp_not_equal(count, differenceCount()))
        return {};
    const auto numbers = std::views::iota(size_t(0), differenceCount());
    const double top = afterSurface()->scrollY();
    const auto first = std::ranges::partition_point(numbers, [&](size_t i) { return m_map->placeOf(i).bottom <= top; });
    const size_t run = m_shown.diff->differences[std::min<size_t>(*first, differenceCount() - 1)].firstRun;
    const auto next = std::ranges::upper_bound(m_shown.sections, run, {}, &DiffSection::firstRun);
    return next == m_shown.sections.begin() ? QString() : displayText(std::prev(next)->title);
}

void DiffView::followLayout()
{
    if (m_isFollowing || paneCount() == 0)
        return;
    if (paneCount() == 2) {
        const size_t columns
            = std::max(m_surfaces[0]->layoutOfRows()->columnCount(), m_surfaces[1]->layoutOfRows()->columnCount());
        for (TextSurface *surface : m_surfaces)
            surface->setFewestColumns(columns);
    }
    refreshMap();
}

void DiffView::refreshMap()
{
    if (!m_shown.diff)
        return;
    std::vector<ChangeMap::Bar> bars;
    bars.reserve(m_shown.contents.bars.size());
    for (const DiffBar &bar : m_shown.contents.bars) {
        const TextSurface *surface = paneCount() == 1 ? m_surfaces[1] : m_surfaces[bar.pane];
        const TextLayout &layout = *surface->layoutOfRows();
        const TextDocument &document = *surface->content()->document;
        const size_t first = layout.rowOf(document.lineStart(bar.firstLine));
        const size_t last = layout.rowOf(document.lineEnd(bar.endLine - 1));
        bars.push_back(
            { surface->placeOf(first), surface->placeOf(last + 1), bar.isRemoved, bar.isAdded, bar.difference });
    }
    m_map->setBars(
        std::move(bars), differenceCount(), [this](size_t difference) { return m_shown.nameOf(difference); });
    const TextSurface *surface = afterSurface();
    m_map->setView(surface->contentHeight(), surface->scrollY(), surface->viewport()->height());
    m_head->setFile(fileInSight());
}

void DiffView::refreshStatus()
{
    const QString description = m_current && isShown() ? m_shown.nameOf(*m_current) : status();
    if (description != accessibleDescription()) {
        setAccessibleDescription(description);
        QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
        QAccessible::updateAccessibility(&changed);
    }
    layOut();
}

// --- layout and painting --------------------------------------------------------------------------------------------

void DiffView::layOut()
{
    const QRect body(0, DiffHead::kHeight, width(), std::max(0, height() - DiffHead::kHeight));
    m_sentence->setGeometry(body);
    m_map->setGeometry(body.right() + 1 - kMapWidth, body.top(), kMapWidth, body.height());
    const int room = body.width() - kMapWidth;
    if (m_shown.contents.mode == DiffMode::Unified) {
        m_surfaces[1]->setGeometry(0, body.top(), room, body.height());
    } else {
        const int half = (room - 1) / 2;
        m_surfaces[0]->setGeometry(0, body.top(), half, body.height());
        m_surfaces[1]->setGeometry(half + 1, body.top(), room - half - 1, body.height());
    }
    m_head->setGeometry(0, 0, width(), DiffHead::kHeight);
    const bool hasDifferences = isShown() && !m_shown.diff->isSame();
    m_head->setState({ m_shown.contents.mode, m_surfaces[1]->x(), isShown() ? status() : QString(),
        isShown() ? m_shown.shortStatus(m_current) : QString(), hasDifferences, !(isShown() && m_shown.hasOneText()) });
    if (paneCount() > 0)
        followScroll(m_surfaces[1]);
}

bool DiffView::isShown() const { return m_sentence->isHidden() && m_shown.diff; }

QString DiffView::status() const { return m_sentence->isHidden() ? m_shown.status(m_current) : m_sentence->text(); }

void DiffView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.base);
    if (m_sentence->isHidden() && m_shown.contents.mode == DiffMode::SideBySide)
        painter.fillRect(
            QRect(m_surfaces[1]->x() - 1, DiffHead::kHeight, 1, height() - DiffHead::kHeight), m_theme.hairline);
}

void DiffView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    layOut();
}

void DiffView::setTheme(const Theme &theme)
{
    m_theme = theme;
    setPalette(theme.palette());
    for (TextSurface *surface : m_surfaces)
        surface->setTheme(theme);
    m_map->setTheme(theme);
    m_head->setTheme(theme);
    m_sentence->setStyleSheet(
        u"QLabel { background: %1; color: %2; }"_s.arg(theme.base.name(), theme.secondary.name()));
    update();
}

// --- keys and wheel -------------------------------------------------------------------------------------------------

void DiffView::keyPressEvent(QKeyEvent *event)
{
    const bool isAlt = (event->modifiers() & ~Qt::KeypadModifier) == Qt::AltModifier;
    if (isAlt && (event->key() == Qt::Key_Down || event->key() == Qt::Key_Up)) {
        step(event->key() == Qt::Key_Down ? 1 : -1);
        event->accept();
        return;
    }
    QWidget::keyPressEvent(event);
}

void DiffView::wheelEvent(QWheelEvent *event)
{
    if (paneCount() > 0)
        QCoreApplication::sendEvent(afterSurface()->verticalScrollBar(), event);
}

} // namespace ui
