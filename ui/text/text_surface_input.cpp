// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// Keys, mouse and clipboard of a text surface.

#include "ui/text/text_surface.h"

#include "ui/text/cells.h"
#include "ui/text/utf16.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMimeData>
#include <QMouseEvent>
#include <QScrollBar>
#include <QStyleHints>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

namespace ui {

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

/// How far a double click searches for the ends of a word.
constexpr size_t kWordReach = 32U << 10U;

/// Bytes of a document on the clipboard, converted to a format only on request.
class BodyMimeData final : public QMimeData {
public:
    BodyMimeData(std::string_view bytes, std::shared_ptr<const void> owner)
        : m_bytes(bytes)
        , m_owner(std::move(owner))
    {
    }

    [[nodiscard]] bool hasFormat(const QString &type) const override { return formats().contains(type); }
    [[nodiscard]] QStringList formats() const override { return { u"text/plain"_s, u"text/plain;charset=utf-8"_s }; }

protected:
    [[nodiscard]] QVariant retrieveData(const QString &type, QMetaType preferred) const override
    {
        if (!formats().contains(type))
            return {};
        // Requests for bytes get the unchanged bytes; a string keeps lone surrogates.
        if (preferred.id() == QMetaType::QString)
            return toUtf16(m_bytes);
        return QByteArray(m_bytes.data(), static_cast<qsizetype>(m_bytes.size()));
    }

private:
    std::string_view m_bytes;
    std::shared_ptr<const void> m_owner;
};

enum class Move : uint8_t {
    Next,
    Previous,
    NextWord,
    PreviousWord,
    Up,
    Down,
    PageUp,
    PageDown,
    RowStart,
    RowEnd,
    Start,
    End
};

struct KeyStep {
    QKeySequence::StandardKey move;
    QKeySequence::StandardKey select;
    Move step;
};

constexpr auto kSteps = std::to_array<KeyStep>({
    { QKeySequence::MoveToNextChar, QKeySequence::SelectNextChar, Move::Next },
    { QKeySequence::MoveToPreviousChar, QKeySequence::SelectPreviousChar, Move::Previous },
    { QKeySequence::MoveToNextWord, QKeySequence::SelectNextWord, Move::NextWord },
    { QKeySequence::MoveToPreviousWord, QKeySequence::SelectPreviousWord, Move::PreviousWord },
    { QKeySequence::MoveToPreviousLine, QKeySequence::SelectPreviousLine, Move::Up },
    { QKeySequence::MoveToNextLine, QKeySequence::SelectNextLine, Move::Down },
    { QKeySequence::MoveToPreviousPage, QKeySequence::SelectPreviousPage, Move::PageUp },
    { QKeySequence::MoveToNextPage, QKeySequence::SelectNextPage, Move::PageDown },
    { QKeySequence::MoveToStartOfLine, QKeySequence::SelectStartOfLine, Move::RowStart },
    { QKeySequence::MoveToEndOfLine, QKeySequence::SelectEndOfLine, Move::RowEnd },
    { QKeySequence::MoveToStartOfDocument, QKeySequence::SelectStartOfDocument, Move::Start },
    { QKeySequence::MoveToEndOfDocument, QKeySequence::SelectEndOfDocument, Move::End },
});

const KeyStep *stepOf(const QKeyEvent *event)
{
    const auto *step = std::ranges::find_if(
        kSteps, [&](const KeyStep &each) { return event->matches(each.move) || event->matches(each.select); });
    return step == kSteps.end() ? nullptr : step;
}

} // namespace

// Selection and clipboard

TextSpan TextSurface::selection() const { return { std::min(m_caret, m_anchor), std::max(m_caret, m_anchor) }; }

void TextSurface::select(size_t anchor, size_t caret)
{
    const size_t size = m_content->document->size();
    m_anchor = std::min(anchor, size);
    m_caret = std::min(caret, size);
    viewport()->update();
    Q_EMIT selectionChanged();
}

void TextSurface::selectAll() { select(0, m_content->document->size()); }

std::string_view TextSurface::selectedBytes() const
{
    const TextSpan selected = selection();
    return m_content->document->bytes().substr(selected.begin, selected.end - selected.begin);
}

std::string TextSurface::selectedAsShown() const
{
    const TextSpan selected = selection();
    const std::string_view bytes = m_content->document->bytes();
    std::string shown;
    size_t at = selected.begin;
    auto hidden = std::ranges::upper_bound(m_content->hidden, at, {}, &TextSpan::end);
    for (; hidden != m_content->hidden.end() && hidden->begin < selected.end; ++hidden) {
        if (hidden->begin > at)
            shown += bytes.substr(at, hidden->begin - at);
        at = std::min(hidden->end, selected.end);
    }
    return shown.append(bytes.substr(at, selected.end - at));
}

void TextSurface::copy() const
{
    if (selectedBytes().empty())
        return;
    const TextSpan selected = selection();
    std::string own;
    size_t at = selected.begin;
    for (const TextSpan &separator : m_content->separators) {
        if (separator.begin < at || separator.end > selected.end)
            continue;
        own += m_content->document->bytes().substr(at, separator.begin - at);
        at = separator.end;
    }
    if (at > selected.begin) {
        own += m_content->document->bytes().substr(at, selected.end - at);
        copyBytes(std::make_shared<const std::string>(std::move(own)));
        return;
    }
    QApplication::clipboard()->setMimeData(new BodyMimeData(selectedBytes(), m_content));
}

void TextSurface::copyAsShown() const { copyBytes(std::make_shared<const std::string>(selectedAsShown())); }

void TextSurface::copyBytes(const std::shared_ptr<const std::string> &bytes)
{
    if (!bytes->empty())
        QApplication::clipboard()->setMimeData(new BodyMimeData(*bytes, bytes));
}

// Keys

bool TextSurface::event(QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        // Keys that the surface handles must not trigger the window's shortcuts.
        auto *key = static_cast<QKeyEvent *>(event);
        if (stepOf(key) != nullptr || key->matches(QKeySequence::Copy) || key->matches(QKeySequence::SelectAll)) {
            key->accept();
            return true;
        }
    }
    return QAbstractScrollArea::event(event);
}

bool TextSurface::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        QToolTip::showText(help->globalPos(), markAt(help->pos()), viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

QString TextSurface::markAt(QPointF position) const
{
    const size_t row = rowAtY(position.y());
    if (position.x() < textLeft() || m_layout->row(row).insertion)
        return {};
    const auto piece = m_layout->pieceAt(row, (position.x() - xOf(0)) / m_painter.cellWidth());
    if (!piece || piece->kind != TextPiece::Kind::Mark)
        return {};
    const Character character = characterAt(m_content->document->bytes(), piece->begin);
    if (!character.isValid && character.size == 1) {
        const unsigned byte = static_cast<unsigned char>(m_content->document->bytes()[piece->begin]);
        return tr("Byte %1, not UTF-8").arg(byte, 2, 16, QChar(u'0'));
    }
    const QString code = u"U+%1"_s.arg(QString::number(character.codePoint, 16).toUpper(), 4, QChar(u'0'));
    return character.isValid ? tr("Character %1").arg(code) : tr("Lone surrogate %1").arg(code);
}

void TextSurface::keyPressEvent(QKeyEvent *event)
{
    const auto modifiers = event->modifiers() & ~Qt::KeypadModifier;
    if (event->modifiers() & Qt::AltModifier) {
        event->ignore(); // for the view around it: the surface scrolls without Alt
        return;
    }
    if (event->matches(QKeySequence::Copy)) {
        copy();
    } else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && modifiers == Qt::NoModifier
        && bandOf(m_layout->rowOf(m_caret))) {
        setFolded(*bandOf(m_layout->rowOf(m_caret)), false);
    } else if (event->matches(QKeySequence::SelectAll)) {
        selectAll();
    } else if (event->matches(QKeySequence::FindNext) && !m_find.matches.empty()) {
        findNext();
    } else if (event->matches(QKeySequence::FindPrevious) && !m_find.matches.empty()) {
        findPrevious();
    } else if (event->key() == Qt::Key_Escape && m_caret != m_anchor) {
        select(m_caret, m_caret);
    } else if (modifiers == (Qt::ControlModifier | Qt::ShiftModifier)
        && (event->key() == Qt::Key_BracketLeft || event->key() == Qt::Key_BraceLeft
            || event->key() == Qt::Key_BracketRight || event->key() == Qt::Key_BraceRight)) {
        const bool folds = event->key() == Qt::Key_BracketLeft || event->key() == Qt::Key_BraceLeft;
        if (const auto fold = foldOfLine(m_content->document->lineOf(m_caret)))
            setFolded(*fold, folds);
    } else if (!moveByKey(event)) {
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    event->accept();
}

bool TextSurface::moveByKey(QKeyEvent *event)
{
    const KeyStep *step = stepOf(event);
    if (step == nullptr)
        return false;
    const Reach reach = event->matches(step->select) ? Reach::Select : Reach::Move;
    const TextSpan selected = selection();
    const bool leavesSelection = reach == Reach::Move && selected.begin < selected.end;
    const double height = viewport()->height();
    const auto page = std::max<std::ptrdiff_t>(1, static_cast<std::ptrdiff_t>(height / m_painter.rowHeight()) - 1);
    const TextRow row = m_layout->row(m_layout->rowOf(m_caret));
    switch (step->step) {
    case Move::Next:
        moveCaret(leavesSelection ? selected.end : m_layout->boundaryAfter(m_caret), reach);
        break;
    case Move::Previous:
        moveCaret(leavesSelection ? selected.begin : m_layout->boundaryBefore(m_caret), reach);
        break;
    case Move::NextWord: {
        size_t to = std::max(unitAt(m_caret, Unit::Word).end, m_layout->boundaryAfter(m_caret));
        const std::string_view bytes = m_content->document->bytes();
        while (to < row.end && bytes[to] == ' ')
            ++to;
        moveCaret(to, reach);
        break;
    }
    case Move::PreviousWord: {
        size_t to = m_layout->boundaryBefore(m_caret);
        const std::string_view bytes = m_content->document->bytes();
        while (to > row.begin && bytes[to] == ' ')
            --to;
        moveCaret(unitAt(to, Unit::Word).begin, reach);
        break;
    }
    case Move::Up:
        moveRows(-1, reach);
        break;
    case Move::Down:
        moveRows(1, reach);
        break;
    case Move::PageUp:
        moveRows(-page, reach);
        break;
    case Move::PageDown:
        moveRows(page, reach);
        break;
    case Move::RowStart:
        moveCaret(row.begin, reach);
        break;
    case Move::RowEnd:
        moveCaret(row.endsLine ? row.end : m_layout->boundaryBefore(row.end), reach);
        break;
    case Move::Start:
        moveCaret(0, reach);
        break;
    case Move::End:
        moveCaret(m_content->document->size(), reach);
        break;
    }
    return true;
}

void TextSurface::moveCaret(size_t offset, Reach reach)
{
    m_wantedColumn.reset();
    select(reach == Reach::Select ? m_anchor : offset, offset);
    // The caret may be on a band without opening it.
    const size_t row = m_layout->rowOf(m_caret);
    if (m_caret == m_layout->row(row).begin && bandOf(row))
        bringIntoSight(m_caret);
    else
        reveal(m_caret);
}

void TextSurface::moveRows(std::ptrdiff_t rows, Reach reach)
{
    const size_t from = m_layout->rowOf(m_caret);
    const size_t column = m_wantedColumn.value_or(m_layout->columnOf(from, m_caret));
    const auto last = static_cast<std::ptrdiff_t>(m_layout->rowCount()) - 1;
    const std::ptrdiff_t direction = rows < 0 ? -1 : 1;
    std::ptrdiff_t to = static_cast<std::ptrdiff_t>(from) + rows;
    to = std::clamp<std::ptrdiff_t>(to, 0, last);
    while (to > 0 && to < last && m_layout->row(static_cast<size_t>(to)).insertion)
        to += direction;
    const size_t row = static_cast<size_t>(to);
    if (m_layout->row(row).insertion)
        return;
    // In the first and the last row the caret goes to the end.
    size_t offset = m_layout->offsetAt(row, static_cast<double>(column));
    if (row == from)
        offset = direction < 0 ? m_layout->row(row).begin : m_layout->row(row).end;
    moveCaret(offset, reach);
    m_wantedColumn = column;
}

TextSpan TextSurface::unitAt(size_t offset, Unit unit) const
{
    const TextDocument &document = *m_content->document;
    const std::string_view bytes = document.bytes();
    const size_t line = document.lineOf(offset);
    const size_t lineBegin = document.lineStart(line);
    const size_t lineEnd = document.lineEnd(line);
    switch (unit) {
    case Unit::Character:
        return { offset, offset };
    case Unit::Line:
        return { lineBegin, std::min(lineEnd + 1, document.size()) };
    case Unit::Word:
        break;
    }
    if (offset >= lineEnd)
        return { offset, offset };
    const auto kindOf = [&](size_t at) {
        return isWordByte(bytes[at]) ? 1 : bytes[at] == ' ' || bytes[at] == '\t' ? 2 : 0;
    };
    const int kind = kindOf(offset);
    if (kind == 0)
        return { offset, m_layout->boundaryAfter(offset) };
    size_t begin = offset;
    size_t end = offset;
    const size_t lowest = std::max(lineBegin, offset > kWordReach ? offset - kWordReach : 0);
    const size_t highest = std::min(lineEnd, offset + kWordReach);
    while (begin > lowest && kindOf(begin - 1) == kind)
        --begin;
    while (end < highest && kindOf(end) == kind)
        ++end;
    return { characterStart(bytes, begin), end == lineEnd ? end : characterStart(bytes, end) };
}

// Mouse

std::optional<size_t> TextSurface::foldAt(QPointF position) const
{
    const size_t row = rowAtY(position.y());
    const TextRow at = m_layout->row(row);
    if (at.insertion || position.y() >= topOf(row) + m_painter.rowHeight())
        return std::nullopt;
    if (const auto band = bandOf(row))
        return band;
    if (position.x() >= textLeft()) {
        const auto piece = m_layout->pieceAt(row, (position.x() - xOf(0)) / m_painter.cellWidth());
        return piece && piece->kind == TextPiece::Kind::Fold ? std::optional(piece->index) : std::nullopt;
    }
    const bool isOnMarker = position.x() >= textLeft() - foldWidth() - 2;
    return isOnMarker && at.startsLine ? foldOfLine(at.line) : std::nullopt;
}

void TextSurface::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton) {
        QAbstractScrollArea::mousePressEvent(event);
        return;
    }
    const QPointF position = event->position();
    if (const auto fold = foldAt(position)) {
        setFolded(*fold, !isFolded(*fold));
        return;
    }
    const size_t offset = offsetAt(position);
    const bool isThird = m_drag.sinceDoubleClick.isValid()
        && m_drag.sinceDoubleClick.elapsed() < QGuiApplication::styleHints()->mouseDoubleClickInterval()
        && (position - m_drag.doubleClick).manhattanLength() < QGuiApplication::styleHints()->startDragDistance();
    m_drag.isOn = true;
    m_drag.position = position;
    m_wantedColumn.reset();
    if (event->modifiers() & Qt::ShiftModifier) {
        m_drag.unit = Unit::Character;
        m_drag.origin = { m_anchor, m_anchor };
        select(m_anchor, offset);
        return;
    }
    m_drag.unit = isThird || position.x() < textLeft() - foldWidth() ? Unit::Line : Unit::Character;
    m_drag.origin = unitAt(offset, m_drag.unit);
    select(m_drag.origin.begin, m_drag.origin.end);
}

void TextSurface::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || foldAt(event->position())) {
        mousePressEvent(event); // two quick clicks on a fold are two clicks
        return;
    }
    m_drag.sinceDoubleClick.start();
    m_drag.doubleClick = event->position();
    m_drag.isOn = true;
    m_drag.unit = Unit::Word;
    // The character under the pointer, not the boundary nearest to it.
    const size_t row = rowAtY(event->position().y());
    const auto piece = m_layout->pieceAt(row, (event->position().x() - xOf(0)) / m_painter.cellWidth());
    m_drag.origin = unitAt(piece ? piece->begin : offsetAt(event->position()), Unit::Word);
    select(m_drag.origin.begin, m_drag.origin.end);
}

void TextSurface::mouseMoveEvent(QMouseEvent *event)
{
    updateCursor(event->position());
    if (!m_drag.isOn || !(event->buttons() & Qt::LeftButton))
        return;
    m_drag.position = event->position();
    selectUnits(offsetAt(m_drag.position));
    const bool isOutside = !viewport()->rect().contains(m_drag.position.toPoint());
    if (isOutside && !m_drag.timer.isActive())
        m_drag.timer.start(30ms, this);
    else if (!isOutside)
        m_drag.timer.stop();
}

void TextSurface::dragOn()
{
    const QRect view = viewport()->rect();
    const auto beyond = [](double at, double low, double high) {
        return at < low ? at - low : at > high ? at - high : 0.0;
    };
    const double dx = beyond(m_drag.position.x(), textLeft(), view.right());
    const double dy = beyond(m_drag.position.y(), view.top(), view.bottom());
    setScrollY(scrollY() + dy);
    horizontalScrollBar()->setValue(static_cast<int>(scrollX() + dx));
    selectUnits(offsetAt(m_drag.position));
}

void TextSurface::selectUnits(size_t offset)
{
    const TextSpan unit = unitAt(offset, m_drag.unit);
    if (unit.begin < m_drag.origin.begin)
        select(m_drag.origin.end, unit.begin);
    else
        select(m_drag.origin.begin, std::max(unit.end, m_drag.origin.end));
}

void TextSurface::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_drag.isOn = false;
    m_drag.timer.stop();
    QClipboard *clipboard = QApplication::clipboard();
    if (clipboard->supportsSelection() && !selectedBytes().empty())
        clipboard->setMimeData(new BodyMimeData(selectedBytes(), m_content), QClipboard::Selection);
}

void TextSurface::wheelEvent(QWheelEvent *event)
{
    if (event->modifiers() & Qt::ControlModifier) {
        event->ignore();
        return;
    }
    QAbstractScrollArea::wheelEvent(event);
}

void TextSurface::updateCursor(QPointF position)
{
    const Qt::CursorShape shape = foldAt(position)      ? Qt::PointingHandCursor
        : !m_drag.isOn && position.x() < textLeft() - 2 ? Qt::ArrowCursor
                                                        : Qt::IBeamCursor;
    if (viewport()->cursor().shape() != shape)
        viewport()->setCursor(shape);
}

void TextSurface::contextMenuEvent(QContextMenuEvent *event)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const bool hasSelection = !selectedBytes().empty();
    QAction *copyAction = menu->addAction(tr("Copy"), QKeySequence::Copy, this, &TextSurface::copy);
    copyAction->setEnabled(hasSelection);
    if (!m_content->hidden.empty()) {
        const bool hasNumbers = m_content->numbering == Numbering::Own;
        QAction *shownAction
            = menu->addAction(hasNumbers ? tr("Copy Without Line Numbers") : tr("Copy Without Escape Sequences"), this,
                &TextSurface::copyAsShown);
        shownAction->setEnabled(hasSelection);
    }
    menu->addAction(tr("Select All"), QKeySequence::SelectAll, this, &TextSurface::selectAll);
    if (!m_content->folds.empty()) {
        menu->addSeparator();
        menu->addAction(tr("Fold All"), this, [this] { foldAll(true); });
        menu->addAction(tr("Unfold All"), this, [this] { foldAll(false); });
    }
    Q_EMIT contextMenuAboutToShow(menu);
    menu->popup(event->globalPos());
}

void TextSurface::focusInEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void TextSurface::focusOutEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

} // namespace ui
