// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/text/text_surface.h"

#include "ui/text/text_accessible.h"

#include <QEventLoop>
#include <QFontMetricsF>
#include <QResizeEvent>
#include <QScrollBar>
#include <QStyle>
#include <QTimer>
#include <QTimerEvent>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace ui {

using namespace std::chrono_literals;

namespace {

constexpr double kPadding = 4; ///< above the first row and below the last one
constexpr double kRightPadding = 8;
constexpr size_t kFewestColumns = 16;
constexpr double kMostLabelCells = 24;
/// The scroll bars count with int.
constexpr double kMostSteps = 1e9;
constexpr auto kColourSlice = 4ms;

size_t digitsOf(size_t number)
{
    size_t digits = 1;
    for (; number >= 10; number /= 10)
        ++digits;
    return digits;
}

} // namespace

TextSurface::TextSurface(QWidget *parent)
    : QAbstractScrollArea(parent)
    , m_theme(Theme::make(Appearance::Light))
    , m_painter(Theme::figureFont())
    , m_highlighter(sharedSyntax())
{
    installTextAccessibility();
    setObjectName(u"textSurface");
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    viewport()->setCursor(Qt::IBeamCursor);
    viewport()->setMouseTracking(true);
    setTheme(m_theme);
    setContent(std::make_shared<const TextContent>());
}

TextSurface::~TextSurface() = default;

void TextSurface::setContent(TextContentPtr content)
{
    m_content = std::move(content);
    m_highlighter.setContent(m_content);
    m_folded.assign(m_content->folds.size(), false);
    for (size_t i = 0; i < m_folded.size(); ++i)
        m_folded[i] = m_content->folds[i].startsFolded;
    m_marks.clear();
    m_rowMarks.clear();
    m_currentSpan.reset();
    m_caret = m_anchor = 0;
    m_wantedColumn.reset();
    m_toReveal.reset();
    m_drag.isOn = false;
    m_find.matches.clear();
    m_find.current.reset();

    const auto digitsOfAll = [](const std::vector<uint32_t> &numbers) {
        return digitsOf(numbers.empty() ? 0 : *std::ranges::max_element(numbers));
    };
    m_numberDigits = m_content->numbering == Numbering::None ? 0
        : m_content->numbering == Numbering::Own             ? digitsOfAll(m_content->numbers)
                                                             : digitsOf(m_content->document->lineCount());
    m_otherDigits = m_content->otherNumbers.empty() ? 0 : digitsOfAll(m_content->otherNumbers);
    m_labelWidth = 0;
    const QFontMetricsF metrics(m_painter.font());
    for (const TextLabel &label : m_content->labels)
        m_labelWidth = std::max(m_labelWidth, std::ceil(metrics.horizontalAdvance(displayText(label.text))));
    m_labelWidth = std::min(m_labelWidth, kMostLabelCells * m_painter.cellWidth());

    layOut();
    verticalScrollBar()->setValue(0);
    horizontalScrollBar()->setValue(0);
    search();
    viewport()->update();
    Q_EMIT selectionChanged();
}

void TextSurface::setContent(TextContentPtr content, bool isWrapping, size_t wrapLimit)
{
    m_isWrapping = isWrapping;
    m_wrapLimit = wrapLimit;
    setContent(std::move(content));
}

void TextSurface::setTheme(const Theme &theme)
{
    m_theme = theme;
    const QPalette palette = theme.palette();
    setPalette(palette);
    m_highlighter.setPalette(palette);
    m_legible.clear();
    viewport()->update();
}

void TextSurface::setWrapping(bool isWrapping)
{
    if (isWrapping == m_isWrapping)
        return;
    m_isWrapping = isWrapping;
    layOut();
}

void TextSurface::setWrapLimit(size_t columns)
{
    if (columns == m_wrapLimit)
        return;
    m_wrapLimit = columns;
    layOut();
}

void TextSurface::setMarks(const std::vector<TextMark> &marks)
{
    m_marks.clear();
    m_rowMarks.clear();
    for (const TextMark &mark : marks) {
        std::vector<ReachingMark> &list = mark.isWholeRows ? m_rowMarks : m_marks;
        list.push_back({ mark, std::max(mark.span.end, list.empty() ? 0 : list.back().reach) });
    }
    viewport()->update();
}

void TextSurface::setCurrentSpan(std::optional<TextSpan> span)
{
    m_currentSpan = span;
    viewport()->update();
}

void TextSurface::setFewestColumns(size_t columns)
{
    if (columns == m_fewestColumns)
        return;
    m_fewestColumns = columns;
    updateScrollBars();
}

// Layout

size_t TextSurface::wrapColumns() const
{
    if (!m_isWrapping)
        return 0;
    // Always reserves room for the scroll bar, else it would flicker.
    double width = m_pictureSize ? m_pictureSize->width() : viewport()->width();
    const bool comesAndGoes = verticalScrollBarPolicy() == Qt::ScrollBarAsNeeded;
    if (!m_pictureSize && comesAndGoes && !verticalScrollBar()->isVisible())
        width -= style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, this);
    const double cells = (width - textLeft() - kRightPadding) / m_painter.cellWidth();
    const auto columns = std::max(kFewestColumns, static_cast<size_t>(std::max(0.0, cells)));
    return m_wrapLimit > 0 ? std::min(columns, m_wrapLimit) : columns;
}

void TextSurface::layOut()
{
    const TextLayout::Options options { wrapColumns(), TextLayout::kAll };
    const bool isNew = !m_layout || m_layout->content() != m_content;
    if (m_content->document->size() <= kAtOnce) {
        m_layoutJob.cancel();
        takeLayout(std::make_shared<const TextLayout>(m_content, m_folded, options));
        return;
    }
    if (isNew) {
        TextLayout::Options firstPart = options;
        firstPart.byteLimit = kFirstPart;
        takeLayout(std::make_shared<const TextLayout>(m_content, m_folded, firstPart));
    }
    m_layoutJob.start(
        this,
        [content = m_content, folded = m_folded, options](core::Progress &progress) -> TextLayoutPtr {
            if (progress.isCancelled())
                return nullptr; // superseded while it waited for a thread
            return std::make_shared<const TextLayout>(content, folded, options);
        },
        [this](TextLayoutPtr layout) { takeLayout(std::move(layout)); });
}

void TextSurface::takeLayout(TextLayoutPtr layout)
{
    const bool isSameText = m_layout && m_layout->content() == layout->content();
    // The byte at the top stays at the top.
    std::optional<std::pair<size_t, double>> top;
    if (isSameText && scrollY() > 0) {
        const size_t row = topRow();
        top = { m_layout->row(row).begin, scrollY() - static_cast<double>(row) * m_painter.rowHeight() };
    }
    m_layout = std::move(layout);
    updateScrollBars();
    if (top)
        setScrollY(static_cast<double>(m_layout->rowOf(top->first)) * m_painter.rowHeight() + top->second);
    if (m_toReveal && m_layout->isComplete())
        reveal(*std::exchange(m_toReveal, std::nullopt));
    viewport()->update();
    Q_EMIT laidOut();
}

void TextSurface::updateScrollBars()
{
    const QSize view = m_pictureSize.value_or(viewport()->size());
    const double height = contentHeight();
    m_scrollUnit = std::max(1.0, std::ceil(height / kMostSteps));
    const auto steps = [&](double pixels) { return static_cast<int>(std::ceil(std::max(0.0, pixels) / m_scrollUnit)); };
    verticalScrollBar()->setPageStep(std::max(1, steps(view.height())));
    verticalScrollBar()->setSingleStep(std::max(1, steps(m_painter.rowHeight())));
    verticalScrollBar()->setRange(0, steps(height - view.height()));

    const double room = view.width() - textLeft() - kRightPadding;
    const auto columns = static_cast<double>(std::max(m_layout->columnCount(), m_fewestColumns));
    const double width = m_isWrapping ? 0 : columns * m_painter.cellWidth();
    horizontalScrollBar()->setPageStep(std::max(1, static_cast<int>(room)));
    horizontalScrollBar()->setSingleStep(static_cast<int>(4 * m_painter.cellWidth()));
    horizontalScrollBar()->setRange(0, static_cast<int>(std::min(kMostSteps, std::max(0.0, width - room))));
}

double TextSurface::numberWidth() const
{
    return m_numberDigits == 0 ? 0
                               : static_cast<double>(std::max<size_t>(2, m_numberDigits)) * m_painter.cellWidth() + 10;
}

double TextSurface::otherNumberWidth() const
{
    return m_otherDigits == 0 ? 0
                              : static_cast<double>(std::max<size_t>(2, m_otherDigits)) * m_painter.cellWidth() + 10;
}

double TextSurface::foldWidth() const { return m_content->folds.empty() && m_content->signs.empty() ? 0 : 14; }

double TextSurface::labelWidth() const { return m_labelWidth > 0 ? m_labelWidth + 18 : 0; }

double TextSurface::textLeft() const
{
    return kLeftPadding + labelWidth() + otherNumberWidth() + numberWidth() + foldWidth();
}

double TextSurface::scrollX() const { return horizontalScrollBar()->value(); }

double TextSurface::scrollY() const { return verticalScrollBar()->value() * m_scrollUnit; }

void TextSurface::setScrollY(double y)
{
    verticalScrollBar()->setValue(static_cast<int>(std::round(y / m_scrollUnit)));
}

double TextSurface::contentHeight() const
{
    return static_cast<double>(m_layout->rowCount()) * m_painter.rowHeight() + 2 * kPadding;
}

size_t TextSurface::rowAtY(double y) const
{
    const double row = std::floor((y + scrollY() - kPadding) / m_painter.rowHeight());
    return static_cast<size_t>(std::clamp(row, 0.0, static_cast<double>(m_layout->rowCount() - 1)));
}

double TextSurface::placeOf(size_t row) const { return static_cast<double>(row) * m_painter.rowHeight() + kPadding; }

double TextSurface::topOf(size_t row) const { return placeOf(row) - scrollY(); }

size_t TextSurface::topRow() const { return rowAtY(kPadding); }

double TextSurface::xOf(double column) const { return textLeft() + column * m_painter.cellWidth() - scrollX(); }

QRectF TextSurface::rectOf(size_t offset) const
{
    if (!m_layout->isComplete() && offset >= m_layout->row(m_layout->rowCount() - 1).next)
        return {};
    const size_t row = m_layout->rowOf(offset);
    const auto column = static_cast<double>(m_layout->columnOf(row, offset));
    return { xOf(column), topOf(row), m_painter.cellWidth(), m_painter.rowHeight() };
}

size_t TextSurface::offsetAt(QPointF position) const
{
    const double y = position.y() + scrollY() - kPadding;
    const double height = static_cast<double>(m_layout->rowCount()) * m_painter.rowHeight();
    if (y >= height)
        return m_layout->row(m_layout->rowCount() - 1).next;
    if (y < 0)
        return 0;
    size_t row = rowAtY(position.y());
    if (m_layout->row(row).insertion)
        return m_layout->row(row).begin;
    return m_layout->offsetAt(row, (position.x() - xOf(0)) / m_painter.cellWidth());
}

void TextSurface::reveal(size_t offset)
{
    bool hasUnfolded = false;
    for (size_t i = 0; i < m_folded.size(); ++i) {
        const TextFold &fold = m_content->folds[i];
        if (m_folded[i] && fold.begin <= offset && offset < fold.end) {
            m_folded[i] = false;
            hasUnfolded = true;
        }
    }
    if (hasUnfolded) {
        layOut();
        Q_EMIT foldsChanged();
    }
    if (m_layoutJob.isRunning()) {
        m_toReveal = offset; // and again when all rows are known
        if (hasUnfolded || rectOf(offset).isEmpty())
            return;
    }
    bringIntoSight(offset);
}

void TextSurface::bringIntoSight(size_t offset)
{
    const QRectF rect = rectOf(offset);
    const QSize view = m_pictureSize.value_or(viewport()->size());
    if (rect.top() < 0 || rect.bottom() > view.height()) {
        // Near places come in by the edge, far ones to the upper third.
        const bool isNear = rect.top() > -2 * rect.height() && rect.bottom() < view.height() + 2 * rect.height();
        const double to = !isNear ? view.height() / 3.0
            : rect.top() < 0      ? kPadding
                                  : view.height() - rect.height() - kPadding;
        setScrollY(scrollY() + rect.top() - to);
    }
    if (rect.right() + scrollX() <= view.width() - kRightPadding)
        horizontalScrollBar()->setValue(0); // in sight with the beginnings of lines
    else if (rect.left() < textLeft())
        horizontalScrollBar()->setValue(static_cast<int>(scrollX() + rect.left() - textLeft() - 4 * rect.width()));
    else if (rect.right() > view.width() - kRightPadding)
        horizontalScrollBar()->setValue(
            static_cast<int>(scrollX() + rect.right() - view.width() + kRightPadding + 4 * rect.width()));
}

// Folds

void TextSurface::setFolded(size_t fold, bool isFolded)
{
    if (fold >= m_folded.size() || m_folded[fold] == isFolded)
        return;
    m_folded[fold] = isFolded;
    layOut();
    Q_EMIT foldsChanged();
}

void TextSurface::setFolded(std::vector<bool> folded)
{
    folded.resize(m_folded.size());
    if (folded == m_folded)
        return;
    m_folded = std::move(folded);
    layOut();
    Q_EMIT foldsChanged();
}

void TextSurface::foldAll(bool isFolded) { setFolded(std::vector<bool>(m_folded.size(), isFolded)); }

std::optional<size_t> TextSurface::foldOfLine(size_t line) const
{
    const TextDocument &document = *m_content->document;
    const size_t begin = document.lineStart(line);
    const size_t end = document.lineEnd(line);
    const auto first = std::ranges::lower_bound(m_content->folds, begin, {}, &TextFold::begin);
    if (first == m_content->folds.end() || first->begin > end)
        return std::nullopt;
    // Prefers a fold over several lines: the gutter marks those.
    for (auto fold = first; fold != m_content->folds.end() && fold->begin <= end; ++fold) {
        if (fold->end > end)
            return static_cast<size_t>(fold - m_content->folds.begin());
        if (fold - first > 1000)
            break;
    }
    return static_cast<size_t>(first - m_content->folds.begin());
}

// Find

void TextSurface::setFind(std::vector<std::string> texts, FindOptions options)
{
    if (texts == m_find.texts && options == m_find.options)
        return;
    m_find.texts = std::move(texts);
    m_find.options = options;
    search();
}

void TextSurface::search()
{
    m_find.job.cancel();
    if (m_find.texts.empty() || m_content->document->size() <= kAtOnce) {
        takeMatches(findEach(m_content->document->bytes(), m_find.texts, m_find.options));
        return;
    }
    m_find.job.start(
        this,
        [document = m_content->document, wanted = m_find.texts, options = m_find.options](
            core::Progress &progress) { return findEach(document->bytes(), wanted, options, &progress); },
        [this](std::vector<TextSpan> matches) { takeMatches(std::move(matches)); });
}

void TextSurface::takeMatches(std::vector<TextSpan> matches)
{
    if (matches.empty() && m_find.matches.empty() && !m_find.current)
        return;
    m_find.matches = std::move(matches);
    m_find.current.reset();
    if (!m_find.matches.empty()) {
        const auto next = std::ranges::lower_bound(m_find.matches, m_layout->row(topRow()).begin, {}, &TextSpan::begin);
        setCurrentMatch(next == m_find.matches.end() ? 0 : static_cast<size_t>(next - m_find.matches.begin()));
        return;
    }
    viewport()->update();
    Q_EMIT matchesChanged();
}

void TextSurface::setCurrentMatch(size_t match)
{
    m_find.current = match;
    reveal(m_find.matches[match].begin);
    viewport()->update();
    Q_EMIT matchesChanged();
}

void TextSurface::stepMatch(int direction)
{
    if (m_find.matches.empty())
        return;
    const size_t count = m_find.matches.size();
    const size_t from = m_find.current.value_or(direction > 0 ? count - 1 : 0);
    setCurrentMatch((from + (direction > 0 ? 1 : count - 1)) % count);
}

// Colours

void TextSurface::timerEvent(QTimerEvent *event)
{
    if (event->timerId() == m_drag.timer.timerId()) {
        dragOn();
        return;
    }
    if (event->timerId() != m_colourTimer.timerId()) {
        QAbstractScrollArea::timerEvent(event);
        return;
    }
    if (!colourVisible(QDeadlineTimer(kColourSlice)))
        return;
    m_colourTimer.stop();
    viewport()->update();
}

bool TextSurface::colourVisible(QDeadlineTimer deadline)
{
    const QSize view = m_pictureSize.value_or(viewport()->size());
    const size_t last = rowAtY(view.height());
    for (size_t row = topRow(); row <= last; ++row) {
        if (!m_highlighter.advance(m_layout->row(row).line, deadline))
            return false;
    }
    return true;
}

bool TextSurface::isBusy() const
{
    return m_layoutJob.isRunning() || m_find.job.isRunning() || m_colourTimer.isActive();
}

void TextSurface::finish()
{
    const auto hasJob = [this] { return m_layoutJob.isRunning() || m_find.job.isRunning(); };
    if (hasJob()) {
        QEventLoop loop;
        QTimer poll;
        connect(&poll, &QTimer::timeout, &loop, [&] {
            if (!hasJob())
                loop.quit();
        });
        poll.start(1ms);
        loop.exec(QEventLoop::ExcludeUserInputEvents);
    }
    QCoreApplication::sendPostedEvents(this, QEvent::MetaCall); // the scroll area shows and hides its bars this way
    colourVisible(QDeadlineTimer(QDeadlineTimer::Forever));
    m_colourTimer.stop();
    viewport()->update();
}

// Events about size and place

void TextSurface::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    m_pictureSize.reset();
    followSize();
}

void TextSurface::followSize()
{
    if (m_layout->options().wrapColumns != wrapColumns())
        layOut();
    else
        updateScrollBars();
}

void TextSurface::scrollContentsBy(int /*dx*/, int /*dy*/) { viewport()->update(); }

} // namespace ui
