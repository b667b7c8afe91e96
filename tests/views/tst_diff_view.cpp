// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/session_text.h"
#include "tests/sourcedir.h"
#include "tests/test_program.h"
#include "ui/diff/diff_view.h"
#include "ui/text/utf16.h"
#include "ui/widgets/segmented_control.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QThreadPool>
#include <QToolButton>

#include <algorithm>
#include <random>

using namespace Qt::StringLiterals;
using ui::DiffMode;
using ui::DiffView;
using ui::TextSpan;
using ui::TextSurface;

namespace {

std::string numbered(size_t first, size_t last)
{
    std::string text;
    for (size_t i = first; i <= last; ++i)
        text += "line " + std::to_string(i) + "\n";
    return text;
}

/// Three differences: an edited line, two new lines, a removed one, with unchanged parts between them.
const std::string kBefore = numbered(1, 9) + "int count = 1;\n" + numbered(11, 50) + "old line\n" + numbered(52, 90);
const std::string kAfter = numbered(1, 9) + "int count = 2;\n" + numbered(11, 30) + "first new line\nsecond new line\n"
    + numbered(31, 50) + numbered(52, 90);

ui::DiffInput inputOf(const std::string &before, const std::string &after, const std::string &fileName = {})
{
    ui::DiffInput input;
    input.before = ui::DiffSide::of(u"before \u00B7 #341"_s, before);
    input.after = ui::DiffSide::of(u"after \u00B7 #352"_s, after);
    input.language.fileName = fileName;
    return input;
}

ui::DiffContents contentsOf(const std::string &before, const std::string &after, DiffMode mode)
{
    const auto document
        = [](const std::string &text) { return std::make_shared<const ui::TextDocument>(std::string(text)); };
    return ui::diffContents(document(before), document(after), core::diffLines(before, after), mode, {});
}

/// The rows of a pane as a reader sees them: number, sign and text; `…` for a fold, `~` for a filler, `!` for a note.
QStringList rowsOf(const ui::DiffPane &pane, bool areFolded = true)
{
    const ui::TextContent &content = *pane.content;
    const ui::TextLayout layout(pane.content, std::vector<bool>(content.folds.size(), areFolded), {});
    QStringList rows;
    for (size_t i = 0; i < layout.rowCount(); ++i) {
        const ui::TextRow row = layout.row(i);
        if (row.insertion) {
            rows << (content.insertions[*row.insertion].kind == ui::TextInsertion::Kind::Filler ? u"~"_s : u"!"_s);
            continue;
        }
        const auto piece = layout.pieceAt(i, 0);
        if (piece && piece->kind == ui::TextPiece::Kind::Fold) {
            rows << u"\u2026 "_s + QString::fromStdString(content.folds[piece->index].label);
            continue;
        }
        QString words;
        if (!content.otherNumbers.empty())
            words += QString::number(content.otherNumbers[row.line]) + u' ';
        words += QString::number(content.numbers[row.line]);
        const ui::LineSign sign = content.signs[row.line];
        words += sign == ui::LineSign::Removed ? u" -"_s : sign == ui::LineSign::Added ? u" +"_s : u"  "_s;
        rows << words + ui::toUtf16(content.document->bytes().substr(row.begin, row.end - row.begin));
    }
    return rows;
}

/// A view on the screen.
struct Shown {
    DiffView view;

    explicit Shown(const ui::DiffInput &input, QSize size = { 900, 400 }, DiffMode mode = DiffMode::SideBySide)
    {
        view.setMode(mode);
        view.resize(size);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        view.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&view));
        view.setInput(input);
        view.finish();
        view.setFocus();
        QCoreApplication::processEvents();
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QTest::keyClick(QApplication::focusWidget(), key, modifiers);
    }
    [[nodiscard]] TextSurface &left() { return *view.beforeSurface(); }
    [[nodiscard]] TextSurface &right() { return *view.afterSurface(); }
    [[nodiscard]] QImage picture() { return view.grab().toImage(); }
    /// The middle of the row in which `text` stands.
    [[nodiscard]] static QPoint pointOf(const TextSurface &surface, std::string_view text)
    {
        const size_t at = surface.content()->document->bytes().find(text);
        return surface.rectOf(at).center().toPoint();
    }
};

std::string fileText(const QString &path)
{
    QFile file(QString::fromUtf8(PALIMPSEST_SOURCE_DIR) + u'/' + path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

std::string randomText(std::mt19937_64 &random)
{
    static const std::array<std::string, 9> kLines { "a", "b", "    return x;", "    return y;", "", "}", "\r", "中文",
        "\xFF" };
    const auto below = [&](size_t count) { return random() % count; };
    std::string text;
    for (size_t i = below(40); i > 0; --i)
        text += kLines[below(kLines.size())] + "\n";
    return below(2) == 0 ? text + kLines[below(4)] : text;
}

std::string editedText(std::mt19937_64 &random, std::string text)
{
    for (size_t i = random() % 4; i > 0; --i) {
        const size_t at = random() % (text.size() + 1);
        text.replace(at, std::min<size_t>(random() % 10, text.size() - at), random() % 2 == 0 ? "x\ny" : "z");
    }
    return text;
}

} // namespace

class TestDiffView final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void panesHaveTheSameRows_data();
    void panesHaveTheSameRows();
    void unifiedSetsNewBelowOld_data();
    void unifiedSetsNewBelowOld();
    void randomPanesAreAligned();

    void differencesAreVisitedByKey();
    void differencesAreVisitedByButton();
    void theEndIsToldToTheOwner();
    void theLastDifferenceCanBeShownFirst();
    void theCaretChoosesTheDifference();
    void panesScrollTogether();
    void aTextIsReadFromItsLeftEdge();
    void foldsOpenOnBothSidesByClick();
    void foldsOpenByKey();
    void copyingGivesTheExactBytes();
    void copyingUnifiedAddsNoByte();
    void theMapScrollsAndChooses();
    void modesKeepTheDifference();
    void blanksCanBeIgnored();
    void grounds_data();
    void grounds();
    void wordsAreLegibleOnTheirGrounds();

    void textsAreReadLazily();
    void anErrorIsASentence();
    void equalTextsSaySo();
    void theLatestInputWins();
    void aLongLineStaysResponsive();
    void manyLinesStayResponsive();
    void assistiveTechnologyReadsIt();
    void pictures_data();
    void pictures();
};

void TestDiffView::panesHaveTheSameRows_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<QStringList>("left");
    QTest::addColumn<QStringList>("right");
    const auto row = [](const char *name, const std::string &before, const std::string &after, const QStringList &left,
                         const QStringList &right) {
        QTest::newRow(name) << QByteArray::fromStdString(before) << QByteArray::fromStdString(after) << left << right;
    };
    row("an edited line", "a\nint x = 1;\nb\n", "a\nint x = 2;\nb\n",
        { u"1  a"_s, u"2 -int x = 1;"_s, u"3  b"_s, u"0  "_s }, { u"1  a"_s, u"2 +int x = 2;"_s, u"3  b"_s, u"0  "_s });
    row("added lines have fillers beside them", "a\nb\n", "a\nx\ny\nb\n",
        { u"1  a"_s, u"~"_s, u"~"_s, u"2  b"_s, u"0  "_s }, { u"1  a"_s, u"2 +x"_s, u"3 +y"_s, u"4  b"_s, u"0  "_s });
    row("other lines stand beside each other", "a\nold\nb\n", "a\nxyz\nuvw\nb\n",
        { u"1  a"_s, u"2 -old"_s, u"~"_s, u"3  b"_s, u"0  "_s },
        { u"1  a"_s, u"2 +xyz"_s, u"3 +uvw"_s, u"4  b"_s, u"0  "_s });
    row("nothing became something", "", "x\ny\n", { u"~"_s, u"~"_s, u"0  "_s }, { u"1 +x"_s, u"2 +y"_s, u"0  "_s });
    row("something became nothing", "x\n", "", { u"1 -x"_s, u"0  "_s }, { u"~"_s, u"0  "_s });
    row("a missing line feed at the end is told", "a\nb\n", "a\nb", { u"1  a"_s, u"2 -b"_s, u"0  "_s },
        { u"1  a"_s, u"2 +b"_s, u"!"_s });
    row("the note stands below its line", "a", "a\nb\nc\n", { u"1 -a"_s, u"!"_s, u"~"_s, u"~"_s },
        { u"1 +a"_s, u"2 +b"_s, u"3 +c"_s, u"0  "_s });
    row("no line feed on either side needs no note", "a\nb", "a\nc", { u"1  a"_s, u"2 -b"_s },
        { u"1  a"_s, u"2 +c"_s });
    row("unchanged lines are folded, three stay", numbered(1, 12) + "x\n", numbered(1, 12) + "y\n",
        { u"\u2026 9 unchanged lines"_s, u"10  line 10"_s, u"11  line 11"_s, u"12  line 12"_s, u"13 -x"_s, u"0  "_s },
        { u"\u2026 9 unchanged lines"_s, u"10  line 10"_s, u"11  line 11"_s, u"12  line 12"_s, u"13 +y"_s, u"0  "_s });
    row("few unchanged lines are not worth a fold", numbered(1, 6) + "x\n", numbered(1, 6) + "y\n",
        { u"1  line 1"_s, u"2  line 2"_s, u"3  line 3"_s, u"4  line 4"_s, u"5  line 5"_s, u"6  line 6"_s, u"7 -x"_s,
            u"0  "_s },
        { u"1  line 1"_s, u"2  line 2"_s, u"3  line 3"_s, u"4  line 4"_s, u"5  line 5"_s, u"6  line 6"_s, u"7 +y"_s,
            u"0  "_s });
    row("the last fold takes the empty last line", "x\n" + numbered(2, 10), "y\n" + numbered(2, 10),
        { u"1 -x"_s, u"2  line 2"_s, u"3  line 3"_s, u"4  line 4"_s, u"\u2026 6 unchanged lines"_s },
        { u"1 +y"_s, u"2  line 2"_s, u"3  line 3"_s, u"4  line 4"_s, u"\u2026 6 unchanged lines"_s });
    row("equal texts are not folded", "a\nb\n", "a\nb\n", { u"1  a"_s, u"2  b"_s, u"0  "_s },
        { u"1  a"_s, u"2  b"_s, u"0  "_s });
}

void TestDiffView::panesHaveTheSameRows()
{
    QFETCH(const QByteArray, before);
    QFETCH(const QByteArray, after);
    QFETCH(const QStringList, left);
    QFETCH(const QStringList, right);
    const ui::DiffContents contents = contentsOf(before.toStdString(), after.toStdString(), DiffMode::SideBySide);
    QCOMPARE(rowsOf(contents.panes[0]), left);
    QCOMPARE(rowsOf(contents.panes[1]), right);
}

void TestDiffView::unifiedSetsNewBelowOld_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<QStringList>("rows");
    const auto row
        = [](const char *name, const std::string &before, const std::string &after, const QStringList &rows) {
              QTest::newRow(name) << QByteArray::fromStdString(before) << QByteArray::fromStdString(after) << rows;
          };
    row("an edited line", "a\nint x = 1;\nb\n", "a\nint x = 2;\nb\n",
        { u"1 1  a"_s, u"2 0 -int x = 1;"_s, u"0 2 +int x = 2;"_s, u"3 3  b"_s, u"0 0  "_s });
    row("removed before added", "a\nint x = 1;\nb\n", "a\n// why\nint x = 2;\nb\n",
        { u"1 1  a"_s, u"2 0 -int x = 1;"_s, u"0 2 +// why"_s, u"0 3 +int x = 2;"_s, u"3 4  b"_s, u"0 0  "_s });
    row("a missing line feed is told", "a\nb", "a\nb\n", { u"1 1  a"_s, u"2 0 -b"_s, u"!"_s, u"0 2 +b"_s, u"0 0  "_s });
    row("no line feed on either side", "a\nb", "a\nc", { u"1 1  a"_s, u"2 0 -b"_s, u"0 2 +c"_s });
    row("nothing became something", "", "x\n", { u"0 1 +x"_s, u"0 0  "_s });
    row("folds", numbered(1, 12) + "x\n", numbered(1, 12) + "y\n",
        { u"\u2026 9 unchanged lines"_s, u"10 10  line 10"_s, u"11 11  line 11"_s, u"12 12  line 12"_s, u"13 0 -x"_s,
            u"0 13 +y"_s, u"0 0  "_s });
}

void TestDiffView::unifiedSetsNewBelowOld()
{
    QFETCH(const QByteArray, before);
    QFETCH(const QByteArray, after);
    QFETCH(const QStringList, rows);
    const ui::DiffContents contents = contentsOf(before.toStdString(), after.toStdString(), DiffMode::Unified);
    QCOMPARE(rowsOf(contents.panes[0]), rows);
}

void TestDiffView::randomPanesAreAligned()
{
    std::mt19937_64 random = core::seededRandom();
    for (int i = 0; i < core::caseCount(300); ++i) {
        const std::string before = randomText(random);
        const std::string after = i % 3 == 0 ? randomText(random) : editedText(random, before);
        const ui::DiffContents sides = contentsOf(before, after, DiffMode::SideBySide);
        for (const bool areFolded : { true, false }) {
            const QStringList left = rowsOf(sides.panes[0], areFolded);
            const QStringList right = rowsOf(sides.panes[1], areFolded);
            QCOMPARE(left.size(), right.size());
            for (qsizetype row = 0; row < left.size(); ++row) {
                // Folds stand beside folds, and no row is empty on both sides.
                QCOMPARE(left[row].startsWith(u'\u2026'), right[row].startsWith(u'\u2026'));
                QVERIFY(left[row] != u"~"_s || right[row] != u"~"_s);
                // Unchanged lines stand beside themselves.
                if (left[row].contains(u"  "_s) && right[row].contains(u"  "_s) && !left[row].startsWith(u'0')
                    && left[row].section(u' ', 1).startsWith(u' '))
                    QCOMPARE(left[row].section(u' ', 1), right[row].section(u' ', 1));
            }
        }
        // The rows of each side that are not of the other are the side; together with the separators, nothing else.
        const ui::DiffContents unified = contentsOf(before, after, DiffMode::Unified);
        const ui::TextContent &content = *unified.panes[0].content;
        std::string beforeAgain;
        std::string afterAgain;
        for (size_t line = 0; line < content.document->lineCount(); ++line) {
            const size_t begin = content.document->lineStart(line);
            const size_t end = line + 1 < content.document->lineCount() ? content.document->lineStart(line + 1)
                                                                        : content.document->size();
            const bool isCut
                = std::ranges::any_of(content.separators, [&](const TextSpan &each) { return each.begin == end - 1; });
            const std::string_view text = content.document->bytes().substr(begin, end - begin - (isCut ? 1 : 0));
            if (content.signs[line] != ui::LineSign::Added)
                beforeAgain += text;
            if (content.signs[line] != ui::LineSign::Removed)
                afterAgain += text;
        }
        QCOMPARE(beforeAgain, before);
        QCOMPARE(afterAgain, after);
        for (const ui::DiffContents *contents : { &sides, &unified }) {
            for (const ui::DiffPane &pane : contents->panes) {
                QCOMPARE(pane.starts.size(), pane.differences.size());
                QVERIFY(
                    std::ranges::is_sorted(pane.marks, {}, [](const ui::TextMark &mark) { return mark.span.begin; }));
            }
        }
    }
}

void TestDiffView::differencesAreVisitedByKey()
{
    Shown shown(inputOf(kBefore, kAfter));
    QCOMPARE(shown.view.differenceCount(), size_t(3));
    QCOMPARE(shown.view.currentDifference(), std::optional<size_t>(0));
    QVERIFY(shown.right().hasFocus());
    shown.key(Qt::Key_Down, Qt::AltModifier);
    QCOMPARE(shown.view.currentDifference(), std::optional<size_t>(1));
    // It is in sight on both sides, and the caret stands there.
    QVERIFY(shown.right().viewport()->rect().contains(Shown::pointOf(shown.right(), "first new line")));
    QCOMPARE(shown.right().caret(), kAfter.find("first new line"));
    shown.key(Qt::Key_Down, Qt::AltModifier);
    QCOMPARE(shown.view.currentDifference(), std::optional<size_t>(2));
    QVERIFY(shown.left().viewport()->rect().contains(Shown::pointOf(shown.left(), "old line")));
    shown.key(Qt::Key_Up, Qt::AltModifier);
    QCOMPARE(shown.view.currentDifference(), std::optional<size_t>(1));
    // From the other pane, too.
    shown.left().setFocus();
    shown.key(Qt::Key_Up, Qt::AltModifier);
    QCOMPARE(shown.view.currentDifference(), std::optional<size_t>(0));
    QCOMPARE(shown.view.status(), u"difference 1 of 3 \u00B7 +3 \u22122"_s);
}

void TestDiffView::differencesAreVisitedByButton()
{
    Shown shown(inputOf(kBefore, kAfter));
    QTest::mouseClick(shown.view.findChild<QToolButton *>(u"nextDifference"_s), Qt::LeftButton);
    QCOMPARE(shown.view.currentDifference(), std::optional<size_t>(1));
    QTest::mouseClick(shown.view.findChild<QToolButton *>(u"previousDifference"_s), Qt::LeftButton);
    QCOMPARE(shown.view.currentDifference(), std::optional<size_t>(0));
    QVERIFY(shown.right().hasFocus());
}

void TestDiffView::theEndIsToldToTheOwner()
{
    Shown shown(inputOf(kBefore, kAfter));
    QSignalSpy ended(&shown.view, &DiffView::ended);
    QVERIFY(!shown.view.previousDifference());
    QCOMPARE(ended.size(), 1);
    QCOMPARE(ended[0][0].toInt(), -1);
    QVERIFY(shown.view.nextDifference());
    QVERIFY(shown.view.nextDifference());
    QCOMPARE(ended.size(), 1);
    shown.key(Qt::Key_Down, Qt::AltModifier);
    QCOMPARE(ended.size(), 2);
    QCOMPARE(ended[1][0].toInt(), 1);
    QCOMPARE(shown.view.currentDifference(), std::optional<size_t>(2));
}

void TestDiffView::theLastDifferenceCanBeShownFirst()
{
    Shown shown(inputOf(kBefore, kAfter));
    shown.view.setInput(inputOf(kBefore, kAfter), ui::DiffStart::Last);
    QCOMPARE(shown.view.currentDifference(), std::optional<size_t>(2));
}

void TestDiffView::theCaretChoosesTheDifference()
{
    Shown shown(inputOf(kBefore, kAfter));
    shown.view.goTo(1);
    QTest::mouseClick(shown.right().viewport(), Qt::LeftButton, {}, Shown::pointOf(shown.right(), "line 30\n"));
    QCOMPARE(shown.view.currentDifference(), std::optional<size_t>());
    QCOMPARE(shown.view.status(), u"3 differences \u00B7 +3 \u22122"_s);
    shown.key(Qt::Key_Down);
    QCOMPARE(shown.view.currentDifference(), std::optional<size_t>(1));
    shown.key(Qt::Key_Up);
    shown.key(Qt::Key_Up, Qt::AltModifier);
    QCOMPARE(shown.view.currentDifference(), std::optional<size_t>(0));
}

void TestDiffView::panesScrollTogether()
{
    Shown shown(inputOf(kBefore, kAfter + std::string(400, 'x') + "\n"));
    shown.left().foldAll(false);
    QVERIFY(!shown.right().isFolded(0));
    const auto value = [](TextSurface &surface) { return surface.verticalScrollBar()->value(); };
    QCOMPARE(shown.left().verticalScrollBar()->maximum(), shown.right().verticalScrollBar()->maximum());
    QVERIFY(shown.left().verticalScrollBar()->maximum() > 100);
    shown.left().setFocus();
    shown.key(Qt::Key_PageDown);
    shown.key(Qt::Key_PageDown);
    QVERIFY(value(shown.left()) > 0);
    QCOMPARE(value(shown.left()), value(shown.right()));
    const QPoint middle = shown.right().viewport()->rect().center();
    QWheelEvent wheel(middle, shown.right().viewport()->mapToGlobal(middle), QPoint(), QPoint(0, 120), Qt::NoButton,
        Qt::NoModifier, Qt::NoScrollPhase, false);
    const int before = value(shown.left());
    QApplication::sendEvent(shown.right().viewport(), &wheel);
    QVERIFY(value(shown.right()) < before);
    QCOMPARE(value(shown.left()), value(shown.right()));
    // Sideways as far as the wider side reaches.
    shown.right().horizontalScrollBar()->setValue(shown.right().horizontalScrollBar()->maximum());
    QVERIFY(shown.right().horizontalScrollBar()->value() > 500);
    QCOMPARE(shown.left().horizontalScrollBar()->value(), shown.right().horizontalScrollBar()->value());
}

void TestDiffView::aTextIsReadFromItsLeftEdge()
{
    const std::string words(150, 'w');
    Shown shown(inputOf("first\n" + words + " before " + words + "\n", "first\n" + words + " after " + words + "\n"),
        { 500, 300 });
    QCOMPARE(shown.view.currentDifference(), std::optional<size_t>(0));
    QVERIFY(shown.right().horizontalScrollBar()->maximum() > 0);
    QCOMPARE(shown.right().horizontalScrollBar()->value(), 0);
    QCOMPARE(shown.left().horizontalScrollBar()->value(), 0);
    // Who asks for the difference is shown its first word.
    shown.view.goTo(0);
    QVERIFY(shown.right().horizontalScrollBar()->value() > 0);
}

void TestDiffView::foldsOpenOnBothSidesByClick()
{
    Shown shown(inputOf(kBefore, kAfter));
    QVERIFY(shown.left().isFolded(0) && shown.right().isFolded(0));
    const size_t rows = shown.right().layoutOfRows()->rowCount();
    // Anywhere on the band.
    const QPoint band = shown.left().rectOf(0).center().toPoint();
    QTest::mouseClick(shown.left().viewport(), Qt::LeftButton, {}, QPoint(shown.left().width() - 20, band.y()));
    QVERIFY(!shown.left().isFolded(0));
    QVERIFY(!shown.right().isFolded(0));
    QVERIFY(shown.right().layoutOfRows()->rowCount() > rows);
    QCOMPARE(shown.left().layoutOfRows()->rowCount(), shown.right().layoutOfRows()->rowCount());
    QVERIFY(shown.right().isFolded(1));
    // The marker in the gutter folds again.
    const QRectF first = shown.right().rectOf(0);
    QTest::mouseClick(
        shown.right().viewport(), Qt::LeftButton, {}, QPointF(first.left() - 8, first.center().y()).toPoint());
    QVERIFY(shown.left().isFolded(0));
    QCOMPARE(shown.right().layoutOfRows()->rowCount(), rows);
}

void TestDiffView::foldsOpenByKey()
{
    Shown shown(inputOf(kBefore, kAfter));
    shown.key(Qt::Key_Home, Qt::ControlModifier);
    QVERIFY(shown.right().isFolded(0));
    shown.key(Qt::Key_Return);
    QVERIFY(!shown.right().isFolded(0));
    QVERIFY(!shown.left().isFolded(0));
    shown.key(Qt::Key_BracketLeft, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(shown.left().isFolded(0));
}

void TestDiffView::copyingGivesTheExactBytes()
{
    const std::string before = "a\r\nold \xFF \xED\xA0\x80\n" + std::string("\0", 1) + "tail";
    const std::string after = "a\r\nnew\n";
    Shown shown(inputOf(before, after));
    shown.left().setFocus();
    shown.key(Qt::Key_A, Qt::ControlModifier);
    shown.key(Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->mimeData()->data(u"text/plain;charset=utf-8"_s).toStdString(), before);
    shown.right().setFocus();
    shown.key(Qt::Key_A, Qt::ControlModifier);
    shown.key(Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->mimeData()->data(u"text/plain;charset=utf-8"_s).toStdString(), after);
}

void TestDiffView::copyingUnifiedAddsNoByte()
{
    Shown shown(inputOf("a\nb", "a\nb\nc\n"), { 600, 300 }, DiffMode::Unified);
    shown.key(Qt::Key_A, Qt::ControlModifier);
    shown.key(Qt::Key_C, Qt::ControlModifier);
    // Without the line feed that keeps the two lines apart.
    QCOMPARE(QApplication::clipboard()->mimeData()->data(u"text/plain;charset=utf-8"_s), QByteArray("a\nbb\nc\n"));
}

void TestDiffView::theMapScrollsAndChooses()
{
    Shown shown(inputOf(kBefore, kAfter));
    shown.left().foldAll(false);
    ui::ChangeMap &map = *shown.view.map();
    QCOMPARE(map.itemCount(), 3);
    QTest::mouseClick(&map, Qt::LeftButton, {}, map.itemRect(2).center());
    QCOMPARE(shown.view.currentDifference(), std::optional<size_t>(2));
    const QRectF frame = map.frame();
    QVERIFY(frame.intersects(QRectF(map.itemRect(2))));
    // The frame is dragged to the top.
    QTest::mousePress(&map, Qt::LeftButton, {}, frame.center().toPoint());
    QTest::mouseMove(&map, QPoint(9, 0));
    QTest::mouseRelease(&map, Qt::LeftButton, {}, QPoint(9, 0));
    QCOMPARE(shown.right().scrollY(), 0.0);
    QCOMPARE(shown.left().scrollY(), 0.0);
    // A place without a difference comes to the pointer.
    QTest::mouseClick(&map, Qt::LeftButton, {}, QPoint(9, map.height() - 2));
    QVERIFY(shown.right().scrollY() > 100);
}

void TestDiffView::modesKeepTheDifference()
{
    Shown shown(inputOf(kBefore, kAfter));
    shown.view.goTo(1);
    QSignalSpy changed(&shown.view, &DiffView::modeChanged);
    auto *modes = shown.view.findChild<ui::SegmentedControl *>(u"diffMode"_s);
    QTest::mouseClick(modes, Qt::LeftButton, {}, QPoint(modes->width() - 12, modes->height() / 2));
    QCOMPARE(changed.size(), 1);
    QCOMPARE(shown.view.mode(), DiffMode::Unified);
    QCOMPARE(shown.view.currentDifference(), std::optional<size_t>(1));
    QCOMPARE(shown.view.beforeSurface(), shown.view.afterSurface());
    QVERIFY(shown.right().viewport()->rect().contains(Shown::pointOf(shown.right(), "first new line")));
    QVERIFY(shown.right().hasFocus());
    shown.key(Qt::Key_Down, Qt::AltModifier);
    QCOMPARE(shown.view.currentDifference(), std::optional<size_t>(2));
    shown.view.setMode(DiffMode::SideBySide);
    QCOMPARE(shown.view.currentDifference(), std::optional<size_t>(2));
    QVERIFY(shown.left().isVisible());
}

void TestDiffView::blanksCanBeIgnored()
{
    Shown shown(inputOf("a\n  b\nc\n", "a\n      b\nd\n"));
    QCOMPARE(shown.view.diff()->removedCount, size_t(2));
    connect(&shown.right(), &TextSurface::contextMenuAboutToShow, this, [](QMenu *menu) {
        for (QAction *action : menu->actions()) {
            if (action->text().contains(u"Whitespace"_s))
                action->trigger();
        }
    });
    QContextMenuEvent event(QContextMenuEvent::Mouse, QPoint(10, 10), shown.right().mapToGlobal(QPoint(10, 10)));
    QApplication::sendEvent(shown.right().viewport(), &event);
    QCOMPARE(shown.view.diff()->removedCount, size_t(1));
    QCOMPARE(shown.view.whitespace(), core::Whitespace::IgnoreAmount);
    for (QWidget *popup = QApplication::activePopupWidget(); popup != nullptr;
        popup = QApplication::activePopupWidget())
        popup->close();
}

void TestDiffView::grounds_data()
{
    QTest::addColumn<bool>("isDark");
    QTest::addColumn<int>("mode");
    QTest::newRow("light, side by side") << false << 0;
    QTest::newRow("dark, side by side") << true << 0;
    QTest::newRow("light, unified") << false << 1;
    QTest::newRow("dark, unified") << true << 1;
}

void TestDiffView::grounds()
{
    QFETCH(const bool, isDark);
    QFETCH(const int, mode);
    const ui::Theme theme = ui::Theme::make(isDark ? ui::Appearance::Dark : ui::Appearance::Light);
    Shown shown(inputOf("a\nint count = 1;\nb\ngone\n", "a\nint count = 22;\nb\nc\n"), { 900, 300 },
        static_cast<DiffMode>(mode));
    shown.view.setTheme(theme);
    const auto colourAt = [&](TextSurface &surface, std::string_view text, double cells) {
        const QImage image = surface.viewport()->grab().toImage();
        const QRectF rect = surface.rectOf(surface.content()->document->bytes().find(text));
        return image.pixelColor(static_cast<int>(rect.left() + cells * rect.width()), static_cast<int>(rect.top() + 1));
    };
    using ui::MarkRole;
    // The row beyond its text, the word that differs, and a row that is the same.
    QCOMPARE(colourAt(shown.left(), "int count = 1;", 20), groundOf(MarkRole::Removed, theme));
    QCOMPARE(colourAt(shown.left(), "1;", 0.5), groundOf(MarkRole::RemovedPart, theme));
    QCOMPARE(colourAt(shown.right(), "int count = 22;", 20), groundOf(MarkRole::Added, theme));
    QCOMPARE(colourAt(shown.right(), "22;", 0.5), groundOf(MarkRole::AddedPart, theme));
    QCOMPARE(colourAt(shown.right(), "b\n", 20), theme.base);
}

void TestDiffView::wordsAreLegibleOnTheirGrounds()
{
    using ui::MarkRole;
    for (const ui::Appearance appearance : { ui::Appearance::Light, ui::Appearance::Dark }) {
        const ui::Theme theme = ui::Theme::make(appearance);
        for (const MarkRole role : { MarkRole::Added, MarkRole::AddedPart, MarkRole::Removed, MarkRole::RemovedPart })
            QVERIFY(ui::contrast(theme.text, groundOf(role, theme)) >= 4.5);
        // A word is seen on its row, and a row on the ground.
        QVERIFY(ui::contrast(groundOf(MarkRole::AddedPart, theme), groundOf(MarkRole::Added, theme)) > 1.2);
        QVERIFY(ui::contrast(groundOf(MarkRole::RemovedPart, theme), groundOf(MarkRole::Removed, theme)) > 1.2);
    }
}

void TestDiffView::textsAreReadLazily()
{
    ui::DiffInput input;
    std::atomic<int> reads { 0 };
    const auto reader = [&](const std::string &text) {
        return [&reads, text]() -> core::Result<ui::TextDocumentPtr> {
            ++reads;
            return std::make_shared<const ui::TextDocument>(std::string(text));
        };
    };
    input.before = { u"before"_s, reader(kBefore), nullptr };
    input.after = { u"after"_s, reader(kAfter), nullptr };
    DiffView view;
    QSignalSpy compared(&view, &DiffView::compared);
    view.setInput(input);
    QVERIFY(view.isBusy());
    QCOMPARE(compared.size(), 0);
    view.finish();
    QCOMPARE(compared.size(), 1);
    QCOMPARE(view.differenceCount(), size_t(3));
    QCOMPARE(reads.load(), 2);
    view.setMode(DiffMode::Unified);
    view.finish();
    QCOMPARE(reads.load(), 2);
    QCOMPARE(view.differenceCount(), size_t(3));
    // One side is not there.
    view.setInput({ { u"nothing"_s, nullptr, nullptr }, ui::DiffSide::of(u"after"_s, "a\nb\n"), {}, false });
    QCOMPARE(view.diff()->addedCount, size_t(2));
    view.clear();
    QCOMPARE(view.differenceCount(), size_t(0));
    QCOMPARE(view.status(), QString());
    QVERIFY(!view.nextDifference());
}

void TestDiffView::anErrorIsASentence()
{
    ui::DiffInput input = inputOf("a\n", "b\n");
    input.after.document = nullptr;
    input.after.read = []() -> core::Result<ui::TextDocumentPtr> {
        return core::failure(core::ErrorKind::Changed, "The file has changed.", "a.jsonl");
    };
    Shown shown(input);
    QCOMPARE(shown.view.status(), u"a.jsonl: The file has changed."_s);
    QVERIFY(shown.view.findChild<QLabel *>(u"diffSentence"_s)->isVisible());
    shown.view.setInput(inputOf("a\n", "b\n"));
    QCOMPARE(shown.view.differenceCount(), size_t(1));
    QVERIFY(!shown.view.findChild<QLabel *>(u"diffSentence"_s)->isVisible());
}

void TestDiffView::equalTextsSaySo()
{
    Shown shown(inputOf("a\nb\n", "a\nb\n"));
    QCOMPARE(shown.view.status(), u"no differences"_s);
    QVERIFY(!shown.view.currentDifference());
    QCOMPARE(shown.left().layoutOfRows()->rowCount(), size_t(3));
    shown.view.setInput(inputOf("", ""));
    QCOMPARE(shown.view.status(), u"both are empty"_s);
}

void TestDiffView::theLatestInputWins()
{
    const std::string large = numbered(1, 30'000);
    Shown shown(inputOf("a\n", "b\n"));
    shown.view.setInput(inputOf(large, large + "more\n"));
    QVERIFY(shown.view.isBusy());
    // While nothing is compared, no key goes on to another text.
    QSignalSpy ended(&shown.view, &DiffView::ended);
    shown.key(Qt::Key_Down, Qt::AltModifier);
    QCOMPARE(ended.size(), 0);
    shown.view.setInput(inputOf("c\n", "d\n"));
    shown.view.finish();
    QThreadPool::globalInstance()->waitForDone(); // the comparison that was given up
    QCoreApplication::processEvents();
    QCOMPARE(shown.right().content()->document->bytes(), std::string_view("d\n"));
}

void TestDiffView::aLongLineStaysResponsive()
{
    std::string before;
    while (before.size() < 12'800'000)
        before += "some words in one line ";
    std::string after = before;
    after.replace(after.size() / 2, 4, "ALL!");
    Shown shown(inputOf(before, after), { 1000, 300 });
    QCOMPARE(shown.view.differenceCount(), size_t(1));
    // The word that differs is in sight, though it is six million characters away.
    const QRectF word = shown.right().rectOf(after.find("ALL!"));
    QVERIFY(QRectF(shown.right().viewport()->rect()).contains(word.center()));
    (void)shown.picture();
    for (int i = 0; i < 10; ++i) {
        shown.key(Qt::Key_Right);
        (void)shown.picture();
    }
    QVERIFY(shown.right().paintedCharacters() < 20'000);
}

void TestDiffView::manyLinesStayResponsive()
{
    std::string before;
    std::string after;
    for (size_t i = 0; i < 20'000; ++i) {
        before += "    value[" + std::to_string(i) + "] = compute(first, second);\n";
        after += "    value[" + std::to_string(i) + "] = " + (i % 2 == 0 ? "make" : "compute") + "(first, second);\n";
    }
    Shown shown(inputOf(before, after));
    QCOMPARE(shown.view.differenceCount(), size_t(10'000));
    for (int i = 0; i < 10; ++i) {
        shown.view.goTo(static_cast<size_t>(i) * 1000);
        (void)shown.picture();
    }
    shown.view.setMode(DiffMode::Unified);
    shown.view.finish();
    QCOMPARE(shown.view.currentDifference(), std::optional<size_t>(9000));
}

void TestDiffView::assistiveTechnologyReadsIt()
{
    Shown shown(inputOf(kBefore, kAfter));
    QAccessibleInterface *left = QAccessible::queryAccessibleInterface(&shown.left());
    QVERIFY(left != nullptr && left->textInterface() != nullptr);
    QCOMPARE(left->text(QAccessible::Name), u"before \u00B7 #341"_s);
    QAccessibleInterface *view = QAccessible::queryAccessibleInterface(&shown.view);
    QCOMPARE(view->text(QAccessible::Description), u"difference 1 of 3, line 10, 1 line removed, 1 line added"_s);
    QAccessibleInterface *map = QAccessible::queryAccessibleInterface(shown.view.map());
    QCOMPARE(map->childCount(), 3);
    QCOMPARE(map->child(1)->text(QAccessible::Name), u"difference 2 of 3, line 31, 2 lines added"_s);
    QVERIFY(map->child(0)->state().selected);
    map->child(1)->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    QCOMPARE(shown.view.currentDifference(), std::optional<size_t>(1));
    QCOMPARE(view->text(QAccessible::Description), u"difference 2 of 3, line 31, 2 lines added"_s);
    QVERIFY(shown.view.findChild<QToolButton *>(u"nextDifference"_s)->accessibleName() == u"Next difference"_s);
}

void TestDiffView::pictures_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<int>("mode");
    QTest::newRow("side by side") << u"side-by-side"_s << QSize(1100, 460) << 0;
    QTest::newRow("unified") << u"unified"_s << QSize(760, 560) << 1;
    QTest::newRow("narrow") << u"narrow"_s << QSize(620, 260) << 0;
    QTest::newRow("clipped") << u"clipped"_s << QSize(1100, 300) << 0;
    QTest::newRow("hostile") << u"hostile"_s << QSize(900, 320) << 0;
    QTest::newRow("new") << u"new"_s << QSize(900, 320) << 0;
}

void TestDiffView::pictures()
{
    QFETCH(const QString, name);
    QFETCH(const QSize, size);
    QFETCH(const int, mode);
    std::string before = fileText(u"tests/samples/run/lexer.py.txt"_s);
    QVERIFY(!before.empty());
    std::string after = before;
    std::string fileName = "lexer.py";
    const auto replace = [&](std::string_view what, std::string_view by) {
        const size_t at = after.find(what);
        if (at != std::string::npos)
            after.replace(at, what.size(), by);
    };
    if (name == u"clipped"_s) {
        after = after.substr(0, 900) + "\n[... 13,204 characters clipped ...]\n" + after.substr(after.size() - 300);
    } else if (name == u"hostile"_s) {
        fileName.clear();
        before = "one\r\ntwo\r\nthree \xE2\x80\xAE"
                 "evil\n\tindented\n"
            + std::string("nul \0 here\n", 11) + "\xFF\xFE\nlast";
        after = "one\ntwo\nthree evil\n        indented\n" + std::string("nul \0\0 here\n", 12) + "\xFF\xFD\nlast\n";
    } else if (name == u"new"_s) {
        before.clear();
        after = after.substr(0, 700);
    } else {
        // An edit, an insertion, a removal, far apart.
        size_t line = 0;
        std::string edited;
        for (size_t at = 0; at < after.size(); ++line) {
            const size_t end = std::min(after.find('\n', at), after.size() - 1) + 1;
            std::string text = after.substr(at, end - at);
            if (line == 24 || line == 25) {
                for (size_t i = text.find('='); i != std::string::npos && i < text.size(); i = std::string::npos)
                    text.insert(i + 1, " list(sorted(values)) or");
            }
            if (line == 28)
                edited += "    # The position must not show.\n    assert position is None\n";
            if (line != 31 && line != 150)
                edited += text;
            if (line == 200)
                edited += "\n\ndef checked(tokens):\n    return [token for token in tokens if token.kind]\n";
            at = end;
        }
        after = edited;
        replace("return ", "yield from ");
    }
    for (const bool isDark : { false, true }) {
        Shown shown(inputOf(before, after, fileName), size, static_cast<DiffMode>(mode));
        shown.view.setTheme(ui::Theme::make(isDark ? ui::Appearance::Dark : ui::Appearance::Light));
        shown.view.finish();
        const QImage image = shown.picture();
        QVERIFY(QDir().mkpath(u"pictures/diff"_s));
        QVERIFY(image.save(u"pictures/diff/%1-%2.png"_s.arg(name, isDark ? u"dark"_s : u"light"_s)));
        QSet<QRgb> colours;
        for (int y = 0; y < image.height(); y += 2) {
            for (int x = 0; x < image.width(); x += 2)
                colours.insert(image.pixel(x, y));
        }
        QVERIFY(colours.size() > 20);
    }
}

PALIMPSEST_TEST(TestDiffView)
#include "tst_diff_view.moc"
