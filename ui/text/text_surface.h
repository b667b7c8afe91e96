// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/job.h"
#include "ui/look/theme.h"
#include "ui/text/text_content.h"
#include "ui/text/text_find.h"
#include "ui/text/text_highlighter.h"
#include "ui/text/text_layout.h"
#include "ui/text/text_look.h"
#include "ui/text/text_painter.h"

#include <QAbstractScrollArea>
#include <QBasicTimer>
#include <QElapsedTimer>

#include <optional>
#include <vector>

class QMenu;
class QMimeData;

namespace ui {

/// The surface that shows all bodies: read-only text of any size in a grid of cells, with selection, exact copy, find,
/// marks, folding, colours and line numbers. Its cost depends on the visible part: the beginning of texts beyond
/// `kAtOnce` bytes is shown at once, the rest is laid out and searched in jobs.
///
/// Nothing in the text acts: control characters are drawn as marks, links as text.
class TextSurface final : public QAbstractScrollArea {
    Q_OBJECT

public:
    /// Texts up to this size are laid out at once.
    static constexpr size_t kAtOnce = 1U << 20U;
    /// Of larger texts this many bytes are laid out at once, the rest in a job.
    static constexpr size_t kFirstPart = 256U << 10U;
    /// Pixels left of the gutter; owners align with it.
    static constexpr double kLeftPadding = 14;

    explicit TextSurface(QWidget *parent = nullptr);
    ~TextSurface() override;

    [[nodiscard]] const TextContentPtr &content() const { return m_content; }
    /// Shows a content from its beginning. Resets selection, marks and folds; a find continues.
    void setContent(TextContentPtr content);
    /// The same combined with `setWrapping` and `setWrapLimit`, with one layout.
    void setContent(TextContentPtr content, bool isWrapping, size_t wrapLimit);
    void setTheme(const Theme &theme);

    /// Whether long lines are wrapped.
    [[nodiscard]] bool isWrapping() const { return m_isWrapping; }
    void setWrapping(bool isWrapping);
    /// Limits the width of wrapped rows, which makes prose easier to read. 0: the surface's width.
    void setWrapLimit(size_t columns);

    [[nodiscard]] TextSpan selection() const;
    [[nodiscard]] size_t caret() const { return m_caret; }
    void select(size_t anchor, size_t caret);
    void selectAll();
    /// The bytes of the selection as they are in the document.
    [[nodiscard]] std::string_view selectedBytes() const;
    /// The selection without hidden ranges (escape sequences, line numbers of a tool).
    [[nodiscard]] std::string selectedAsShown() const;
    void copy() const;
    void copyAsShown() const;
    /// Copies bytes to the clipboard like a selection.
    static void copyBytes(const std::shared_ptr<const std::string> &bytes);

    /// Marks every occurrence of `text`; an empty text ends the search. The first one at or after the top row becomes
    /// current and is scrolled into view.
    void setFind(std::vector<std::string> texts, FindOptions options = {});
    [[nodiscard]] bool isFinding() const { return !m_find.texts.empty(); }
    [[nodiscard]] size_t matchCount() const { return m_find.matches.size(); }
    /// Index of the current match, 0-based.
    [[nodiscard]] std::optional<size_t> currentMatch() const { return m_find.current; }
    void findNext() { stepMatch(1); }
    void findPrevious() { stepMatch(-1); }

    /// `marks` must be sorted by their start. If marks of whole rows overlap, the first is drawn.
    void setMarks(const std::vector<TextMark> &marks);
    /// Draws an accent bar beside the rows of `span`, the current place.
    void setCurrentSpan(std::optional<TextSpan> span);

    [[nodiscard]] bool isFolded(size_t fold) const { return fold < m_folded.size() && m_folded[fold]; }
    void setFolded(size_t fold, bool isFolded);
    /// By fold; missing entries are not folded.
    [[nodiscard]] const std::vector<bool> &folded() const { return m_folded; }
    void setFolded(std::vector<bool> folded);
    void foldAll(bool isFolded);

    /// Scrolls to `offset` and opens the folds that hide it.
    void reveal(size_t offset);
    /// Scrolls horizontally as if the widest row had at least `columns` cells, for two surfaces that scroll together.
    void setFewestColumns(size_t columns);

    /// The first visible row and the layout, for views that follow this one and for tests.
    [[nodiscard]] const TextLayoutPtr &layoutOfRows() const { return m_layout; }
    [[nodiscard]] size_t topRow() const;
    /// Geometry in pixels from the top of the content: start of a row, scroll position, height.
    [[nodiscard]] double placeOf(size_t row) const;
    [[nodiscard]] double rowHeight() const { return m_painter.rowHeight(); }
    [[nodiscard]] double scrollY() const;
    void setScrollY(double y);
    [[nodiscard]] double contentHeight() const;
    /// Rectangle of the character at `offset` in viewport coordinates; empty if its row is not laid out yet.
    [[nodiscard]] QRectF rectOf(size_t offset) const;
    /// The character boundary nearest to a point of the viewport.
    [[nodiscard]] size_t offsetAt(QPointF position) const;
    /// Characters read by the last painting; independent of the text's size.
    [[nodiscard]] size_t paintedCharacters() const { return m_paintedCharacters; }
    /// True while a job lays out or searches, or visible lines wait for highlighting.
    [[nodiscard]] bool isBusy() const;
    /// For pictures and tests: waits until nothing is busy.
    void finish();

    /// Draws a viewport of `rect`'s size, for the screen and for pictures.
    void paint(QPainter &painter, const QRect &rect);

    [[nodiscard]] QSize sizeHint() const override { return { 640, 240 }; }
    [[nodiscard]] QSize minimumSizeHint() const override { return { 160, 60 }; }

Q_SIGNALS:
    void selectionChanged();
    void matchesChanged(); ///< number of matches, or the current one
    void laidOut();        ///< the rows have changed
    void foldsChanged();   ///< a fold was opened or closed
    /// Emitted before a context menu is shown, so that owners can add actions.
    void contextMenuAboutToShow(QMenu *menu);

protected:
    bool event(QEvent *event) override;
    bool viewportEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void timerEvent(QTimerEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    enum class Unit : uint8_t { Character, Word, Line };
    enum class Reach : uint8_t { Move, Select };

    // Layout:
    void layOut();
    void takeLayout(TextLayoutPtr layout);
    void updateScrollBars();
    [[nodiscard]] size_t wrapColumns() const;
    [[nodiscard]] double foldWidth() const;
    [[nodiscard]] double numberWidth() const;
    [[nodiscard]] double otherNumberWidth() const;
    [[nodiscard]] double labelWidth() const;
    [[nodiscard]] double textLeft() const;
    [[nodiscard]] double scrollX() const;
    [[nodiscard]] size_t rowAtY(double y) const;
    [[nodiscard]] double topOf(size_t row) const;
    void followSize();

    // Painting:
    void paintRow(QPainter &painter, size_t index, double top);
    /// Whether a filler row represents lines that the other side has in the current span.
    [[nodiscard]] bool isInCurrentSpan(const TextInsertion &filler) const;
    void paintInsertion(QPainter &painter, const TextInsertion &insertion, double top);
    void paintBand(QPainter &painter, const TextRow &row, const TextFold &fold, double top);
    /// The fold that a row shows as a band; nullopt if it does not.
    [[nodiscard]] std::optional<size_t> bandOf(size_t row) const;
    /// Collects the marks of a row in m_row.marks and returns its background.
    [[nodiscard]] QColor collectMarks(const TextRow &row);
    void paintGrounds(QPainter &painter, const TextRow &row, double top);
    void paintSpan(QPainter &painter, const TextRow &row, TextSpan span, const QColor &colour, double top);
    void paintPieces(QPainter &painter, const QColor &rowGround, double top);
    void paintGutter(QPainter &painter, const TextRow &row, const QColor &rowGround, double top);
    void paintNumber(QPainter &painter, uint32_t number, double right, const QColor &ground, double top);
    void paintLabels(QPainter &painter, size_t firstRow, size_t lastRow);
    void paintCaret(QPainter &painter);
    [[nodiscard]] double xOf(double column) const;
    /// Column of `offset` among the pieces being painted.
    [[nodiscard]] double columnIn(const TextRow &row, size_t offset) const;
    void collectLooks(const TextPiece &piece, const QColor &rowGround);
    [[nodiscard]] QColor legibleOn(const QColor &ground, const QColor &colour);
    /// Reads on until the visible rows can be highlighted or the deadline has passed; returns whether they can.
    bool colourVisible(QDeadlineTimer deadline);

    // Input:
    void moveCaret(size_t offset, Reach reach);
    void moveRows(std::ptrdiff_t rows, Reach reach);
    [[nodiscard]] TextSpan unitAt(size_t offset, Unit unit) const;
    /// Extends the selection from the unit where the drag began to the unit at `offset`.
    void selectUnits(size_t offset);
    [[nodiscard]] std::optional<size_t> foldAt(QPointF position) const;
    [[nodiscard]] std::optional<size_t> foldOfLine(size_t line) const;
    [[nodiscard]] bool moveByKey(QKeyEvent *event);
    void dragOn();
    /// The tool tip of the mark at a position; empty without a mark.
    [[nodiscard]] QString markAt(QPointF position) const;
    void updateCursor(QPointF position);

    /// Scrolls until the row and the character of `offset` are visible.
    void bringIntoSight(size_t offset);

    // Find:
    void search();
    void takeMatches(std::vector<TextSpan> matches);
    void stepMatch(int direction);
    void setCurrentMatch(size_t match);

    Theme m_theme;
    TextPainter m_painter;
    TextHighlighter m_highlighter;
    TextContentPtr m_content;
    std::vector<bool> m_folded;
    TextLayoutPtr m_layout;
    Job<TextLayoutPtr> m_layoutJob;
    bool m_isWrapping = true;
    size_t m_wrapLimit = 0;
    std::optional<QSize> m_pictureSize; ///< set while painting without being shown
    double m_scrollUnit = 1;            ///< pixels per step of the vertical scroll bar
    std::optional<size_t> m_toReveal;   ///< offset to scroll to once the job has laid it out

    size_t m_caret = 0;
    size_t m_anchor = 0;
    std::optional<size_t> m_wantedColumn; ///< column to keep during a run of Up and Down
    /// A selection with the mouse. The number of clicks determines its unit.
    struct Drag {
        Unit unit = Unit::Character;
        TextSpan origin; ///< the unit where the drag began
        bool isOn = false;
        QPointF position;
        QBasicTimer timer; ///< scrolls while the pointer is outside
        QElapsedTimer sinceDoubleClick;
        QPointF doubleClick;
    };
    Drag m_drag;

    struct Find {
        std::vector<std::string> texts;
        FindOptions options;
        std::vector<TextSpan> matches;
        std::optional<size_t> current; ///< index of the current match
        Job<std::vector<TextSpan>> job;
    };
    Find m_find;

    /// Marks in order, each with the furthest end of it and all before it.
    struct ReachingMark {
        TextMark mark;
        size_t reach = 0;
    };
    [[nodiscard]] static std::vector<ReachingMark>::const_iterator firstReaching(
        const std::vector<ReachingMark> &marks, size_t offset);

    std::vector<ReachingMark> m_marks;
    std::vector<ReachingMark> m_rowMarks;
    std::optional<TextSpan> m_currentSpan;
    size_t m_fewestColumns = 0;
    size_t m_numberDigits = 0;
    size_t m_otherDigits = 0;
    double m_labelWidth = 0;
    QBasicTimer m_colourTimer;
    size_t m_paintedCharacters = 0;
    /// The row being painted; reused from row to row to avoid allocations.
    struct Row {
        std::vector<TextPiece> pieces;
        std::vector<TextLookSpan> looks;
        std::vector<TextLookSpan> fittedLooks;
        std::vector<TextMark> marks;
    };
    Row m_row;
    QHash<quint64, QColor> m_legible;
};

} // namespace ui
