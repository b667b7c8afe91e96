// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/session_text.h"
#include "tests/test_program.h"
#include "ui/text/cells.h"
#include "ui/text/json_text.h"
#include "ui/text/text_surface.h"
#include "ui/text/utf16.h"

#include <QAbstractEventDispatcher>
#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QHelpEvent>
#include <QMenu>
#include <QMimeData>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

#include <algorithm>
#include <random>

using namespace Qt::StringLiterals;
using ui::TextContent;
using ui::TextLayout;
using ui::TextPiece;
using ui::TextSpan;

namespace {

constexpr auto kLoneSurrogate = "\xED\xA0\x80";

ui::TextContentPtr contentOf(std::string text, TextContent content = {})
{
    content.document = std::make_shared<const ui::TextDocument>(std::move(text));
    return std::make_shared<const TextContent>(std::move(content));
}

ui::TextContentPtr ansiContent(const std::string &text)
{
    TextContent content;
    ui::AnsiText ansi = ui::parseAnsi(text);
    content.hidden = std::move(ansi.hidden);
    content.styles = std::move(ansi.styles);
    return contentOf(text, std::move(content));
}

/// The shared generator with what the cases need of it.
class Random final {
public:
    [[nodiscard]] size_t below(size_t bound) { return m_engine() % bound; }

private:
    std::mt19937_64 m_engine = core::seededRandom();
};

/// Text of everything that can go wrong in a grid.
std::string randomText(Random &random, int parts)
{
    static const std::vector<std::string> kParts { "word ", "a", " ", "   ", "\n", "\n\n", "\t", "naïve ", "中文",
        "한국어 ", "e\xCC\x81", "👩‍👩‍👧", "🇩🇪", "❤️", "\x1b[31m", "\x1b[0m", "\r\n", std::string(1, '\0'),
        "\x7f", "\xE2\x80\xAE", "\xE2\x80\x8B", "العربية ", "हिन्दी", kLoneSurrogate, "\xFF", "\xE4\xB8", "x{y}/z,",
        "aVeryLongWordThatNeedsManyCells", "- item ", "    indented ", "€\xCC\x81\xCC\x81", std::string(40, 'z') };
    std::string text;
    for (int i = 0; i < parts; ++i)
        text += kParts[random.below(kParts.size())];
    return text;
}

/// The same with hidden ranges, folds and rows of ours.
ui::TextContentPtr randomContent(Random &random)
{
    const std::string text = randomText(random, static_cast<int>(random.below(120)));
    TextContent content;
    content.tabWidth = 1 + static_cast<uint32_t>(random.below(8));
    content.hidden = ui::parseAnsi(text).hidden;
    const ui::TextDocument document(text);
    size_t at = 0;
    while (at + 2 < text.size() && random.below(3) > 0) {
        const size_t begin = ui::characterStart(text, at + random.below(text.size() - at));
        const size_t end = ui::characterStart(text, begin + 1 + random.below(text.size() - begin));
        const bool cutsHidden = std::ranges::any_of(content.hidden, [&](TextSpan each) {
            return (each.begin < begin && begin < each.end) || (each.begin < end && end < each.end);
        });
        if (end > begin && !cutsHidden)
            content.folds.push_back({ begin, end, "… 12 lines", false });
        at = std::max(end, at + 1);
    }
    for (size_t line = 0; line < document.lineCount(); ++line) {
        if (random.below(6) == 0)
            content.insertions.push_back({ line, ui::TextInsertion::Kind::Filler, {} });
    }
    return contentOf(text, std::move(content));
}

/// A surface on the screen.
struct Shown {
    ui::TextSurface surface;

    explicit Shown(ui::TextContentPtr content, QSize size = { 500, 240 }, bool isWrapping = true)
    {
        surface.resize(size);
        surface.show();
        QVERIFY(QTest::qWaitForWindowExposed(&surface));
        surface.activateWindow();
        surface.setFocus();
        QVERIFY(QTest::qWaitForWindowActive(&surface));
        surface.setContent(std::move(content), isWrapping, 0);
        surface.finish();
        QCoreApplication::processEvents(); // the scroll bars come and go
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QTest::keyClick(&surface, key, modifiers);
    }
    [[nodiscard]] QPoint pointOf(size_t offset) const
    {
        const QRectF rect = surface.rectOf(offset);
        return QPointF(rect.left() + 1, rect.center().y()).toPoint();
    }
    [[nodiscard]] QString selected() const { return ui::toUtf16(surface.selectedBytes()); }
    [[nodiscard]] QImage picture() { return surface.viewport()->grab().toImage(); }
};

} // namespace

class TestTextSurface final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void linesAreFound_data();
    void linesAreFound();
    void charactersAreRead_data();
    void charactersAreRead();
    void clustersAreOneCharacterToAReader_data();
    void clustersAreOneCharacterToAReader();

    void everyByteIsOnOneRow();
    void everyPieceIsHitWhereItIsDrawn();
    void theCaretVisitsEveryCharacterOnce();
    void rowsBreakAtBlanks_data();
    void rowsBreakAtBlanks();
    void aPartIsLaidOutLikeTheWhole();
    void foldsJoinLines();

    void coloursOfATerminal_data();
    void coloursOfATerminal();
    void coloursAreLegible();

    void prettyJsonKeepsEveryByte();
    void prettyJsonIsIndented();
    void jsonIsRecognised_data();
    void jsonIsRecognised();
    void foldsOfJsonAreNested();
    void longRunsFold();

    void matchesAreCounted_data();
    void matchesAreCounted();
    void matchesAreMarked();
    void aLargeTextIsSearchedInAJob();

    void paintingCostsWhatIsVisible_data();
    void paintingCostsWhatIsVisible();
    void aMillionLinesScrollToTheirEnd();

    void copyingGivesTheExactBytes();
    void copyingAsShownLeavesOutWhatIsHidden();
    void keysMoveAndSelect();
    void keysPageThroughTheText();
    void theMouseSelects();
    void draggingBeyondTheEdgeScrolls();
    void foldsOpenAndCloseByClick();
    void numbersStandInTheGutter();
    void theTopStaysWhenTheWidthChanges();
    void revealingUnfolds();
    void marksAreDrawn();

    void linesAreColoured();
    void colouringIsDoneInSlices();
    void longLinesStayPlain();
    void languagesStartAnew();
    void syntaxIsLegible_data();
    void syntaxIsLegible();

    void assistiveTechnologyReadsIt();
    void theContextMenuSaysWhatCanBeDone();
    void tooltipsNameMarks();
};

void TestTextSurface::linesAreFound_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QStringList>("lines");
    QTest::newRow("an empty text has one line") << QByteArray("") << QStringList { u""_s };
    QTest::newRow("no line feed, one line") << QByteArray("a") << QStringList { u"a"_s };
    QTest::newRow("a last line feed makes an empty line") << QByteArray("a\n") << QStringList { u"a"_s, u""_s };
    QTest::newRow("line feeds alone") << QByteArray("\n\n") << QStringList { u""_s, u""_s, u""_s };
    QTest::newRow("a carriage return belongs to its line") << QByteArray("a\r\nb") << QStringList { u"a\r"_s, u"b"_s };
    QTest::newRow("other separators end no line") << QByteArray("a\xE2\x80\xA8"
                                                                "b\x0B"
                                                                "c")
                                                  << QStringList { u"a\u2028b\x0B"
                                                                   "c"_s };
}

void TestTextSurface::linesAreFound()
{
    QFETCH(QByteArray, text);
    QFETCH(QStringList, lines);
    const ui::TextDocument document(text.toStdString());
    QStringList found;
    size_t bytes = 0;
    for (size_t line = 0; line < document.lineCount(); ++line) {
        found << ui::toUtf16(document.line(line));
        const size_t end = line + 1 < document.lineCount() ? document.lineStart(line + 1) : document.size() + 1;
        for (size_t at = document.lineStart(line); at < end; ++at, ++bytes)
            QCOMPARE(document.lineOf(at), line);
    }
    QCOMPARE(found, lines);
    QCOMPARE(bytes, document.size() + 1);
}

void TestTextSurface::charactersAreRead_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<uint>("codePoint");
    QTest::addColumn<uint>("size");
    QTest::addColumn<bool>("isValid");
    QTest::newRow("ASCII") << QByteArray("a") << 0x61U << 1U << true;
    QTest::newRow("two bytes") << QByteArray("é") << 0xE9U << 2U << true;
    QTest::newRow("three bytes") << QByteArray("中") << 0x4E2DU << 3U << true;
    QTest::newRow("four bytes") << QByteArray("😀") << 0x1F600U << 4U << true;
    QTest::newRow("a lone surrogate is one character") << QByteArray(kLoneSurrogate) << 0xD800U << 3U << false;
    QTest::newRow("a stray byte") << QByteArray("\xFF") << 0xFFFDU << 1U << false;
    QTest::newRow("a continuation alone") << QByteArray("\x80") << 0xFFFDU << 1U << false;
    QTest::newRow("a sequence cut off") << QByteArray("\xE4\xB8") << 0xFFFDU << 1U << false;
    QTest::newRow("a sequence broken by ASCII") << QByteArray("\xE4\xB8"
                                                              "a")
                                                << 0xFFFDU << 1U << false;
    QTest::newRow("an overlong form") << QByteArray("\xC0\x80") << 0xFFFDU << 1U << false;
    QTest::newRow("an overlong form of three bytes") << QByteArray("\xE0\x80\x80") << 0xFFFDU << 1U << false;
    QTest::newRow("beyond Unicode") << QByteArray("\xF4\x90\x80\x80") << 0xFFFDU << 1U << false;
}

void TestTextSurface::charactersAreRead()
{
    QFETCH(QByteArray, text);
    QFETCH(uint, codePoint);
    QFETCH(uint, size);
    QFETCH(bool, isValid);
    const std::string bytes = "x" + text.toStdString() + "y";
    const ui::Character character = ui::characterAt(bytes, 1);
    QCOMPARE(static_cast<uint>(character.codePoint), codePoint);
    QCOMPARE(character.size, size);
    QCOMPARE(character.isValid, isValid);
    for (size_t i = 0; i < size; ++i)
        QCOMPARE(ui::characterStart(bytes, 1 + i), 1U);
}

void TestTextSurface::clustersAreOneCharacterToAReader_data()
{
    using Kind = ui::Cluster::Kind;
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("kind");
    QTest::addColumn<uint>("cells");
    const auto row = [](const char *name, const char *text, Kind kind, uint cells) {
        QTest::newRow(name) << QByteArray(text) << static_cast<int>(kind) << cells;
    };
    row("a letter", "a", Kind::Letter, 1);
    row("a letter beyond ASCII", "ß", Kind::Letter, 1);
    row("a blank", " ", Kind::Blank, 1);
    row("a tab", "\t", Kind::Tab, 1);
    row("a control character", "\x1b", Kind::Mark, 1);
    row("a letter with a combining mark", "e\xCC\x81", Kind::Joined, 1);
    row("a mark without a letter stands alone", "\xCC\x81", Kind::Letter, 1);
    row("a wide letter", "中", Kind::Joined, 2);
    row("an emoji", "😀", Kind::Joined, 2);
    row("a family is one", "👩‍👩‍👧", Kind::Joined, 2);
    row("a flag is one", "🇩🇪", Kind::Joined, 2);
    row("a skin tone belongs to its hand", "👍🏽", Kind::Joined, 2);
    row("a symbol in emoji style", "❤️", Kind::Joined, 2);
    row("a symbol in text style", "❤", Kind::Letter, 1);
    row("Arabic", "ع", Kind::Shaped, 1);
    row("Devanagari with its vowel sign", "\xE0\xA4\xA8\xE0\xA5\x8D", Kind::Shaped, 1);
    row("a bidirectional override", "\xE2\x80\xAE", Kind::Mark, 1);
    row("an isolate", "\xE2\x81\xA6", Kind::Mark, 1);
    row("a zero-width space", "\xE2\x80\x8B", Kind::Mark, 1);
    row("a joiner between letters that do not join", "\xE2\x80\x8D", Kind::Mark, 1);
    row("a byte order mark", "\xEF\xBB\xBF", Kind::Mark, 1);
    row("a soft hyphen", "\xC2\xAD", Kind::Mark, 1);
    row("a line separator", "\xE2\x80\xA8", Kind::Mark, 1);
    row("an invisible tag letter", "\xF3\xA0\x81\x81", Kind::Mark, 1);
    row("a lone surrogate", kLoneSurrogate, Kind::Mark, 1);
    row("a C1 control", "\xC2\x9B", Kind::Mark, 1);
}

void TestTextSurface::clustersAreOneCharacterToAReader()
{
    QFETCH(QByteArray, text);
    QFETCH(int, kind);
    QFETCH(uint, cells);
    const std::string bytes = text.toStdString() + "abc";
    const ui::Cluster cluster = ui::clusterAt(bytes, 0, bytes.size());
    QCOMPARE(static_cast<int>(cluster.kind), kind);
    QCOMPARE(cluster.size, static_cast<uint32_t>(text.size()));
    QCOMPARE(cluster.cells, cells);
    // A tower of marks is cut: it costs no more than others.
    std::string tower = "a";
    for (int i = 0; i < 1000; ++i)
        tower += "\xCC\x81";
    QVERIFY(ui::clusterAt(tower, 0, tower.size()).size < 100);
}

void TestTextSurface::everyByteIsOnOneRow()
{
    Random random;
    for (int i = 0; i < core::caseCount(150); ++i) {
        const ui::TextContentPtr content = randomContent(random);
        std::vector<bool> folded(content->folds.size());
        for (size_t fold = 0; fold < folded.size(); ++fold)
            folded[fold] = random.below(2) == 1;
        const size_t wrap = i % 3 == 0 ? 0 : 16 + random.below(40);
        const TextLayout layout(content, folded, { wrap });
        size_t next = 0;
        size_t shownInsertions = 0;
        size_t widest = 0;
        for (size_t index = 0; index < layout.rowCount(); ++index) {
            const ui::TextRow row = layout.row(index);
            QCOMPARE(row.begin, next); // no byte is left out, none is there twice
            next = row.next;
            if (row.insertion) {
                ++shownInsertions;
                QCOMPARE(row.next, row.begin);
                continue;
            }
            QVERIFY(row.next > row.begin || row.begin == content->document->size() || row.startsLine);
            QCOMPARE(row.endsLine, row.next == content->document->size() || row.end < row.next);
            std::vector<TextPiece> pieces;
            layout.pieces(index, 0, TextLayout::kAll, pieces);
            size_t at = row.begin;
            size_t column = row.indent;
            size_t largest = 0;
            for (const TextPiece &piece : pieces) {
                QCOMPARE(piece.begin, at);
                QCOMPARE(piece.column, column);
                QVERIFY(piece.end > piece.begin);
                at = piece.end;
                column += piece.cells;
                if (piece.kind != TextPiece::Kind::Run && piece.kind != TextPiece::Kind::Shaped)
                    largest = std::max(largest, piece.cells);
            }
            QCOMPARE(at, row.end);
            QCOMPARE(layout.rowOf(row.begin), index);
            widest = std::max(widest, column);
            if (wrap > 0) // one blank, a tab too, may hang over; what is wider than the row stands alone in it
                QVERIFY2(column <= std::max(wrap + 1, largest + row.indent) + content->tabWidth,
                    qPrintable(QString::number(column)));
        }
        QCOMPARE(next, content->document->size());
        if (wrap == 0)
            QCOMPARE(layout.columnCount(), widest);
        const bool hasFolded = std::ranges::find(folded, true) != folded.end();
        QVERIFY(shownInsertions == content->insertions.size()
            || (hasFolded && shownInsertions < content->insertions.size()));
    }
}

void TestTextSurface::everyPieceIsHitWhereItIsDrawn()
{
    Random random;
    for (int i = 0; i < core::caseCount(150); ++i) {
        const ui::TextContentPtr content = randomContent(random);
        const std::vector<bool> folded(content->folds.size(), i % 2 == 0);
        const TextLayout layout(content, folded, { i % 3 == 0 ? 0 : 16 + random.below(40) });
        for (size_t index = 0; index < layout.rowCount(); ++index) {
            const ui::TextRow row = layout.row(index);
            if (row.insertion)
                continue;
            for (size_t at = row.begin; at < row.end;) {
                const size_t after = layout.boundaryAfter(at);
                const size_t column = layout.columnOf(index, at);
                const auto piece = layout.pieceAt(index, static_cast<double>(column));
                if (piece) {
                    // At the start of a character it is hit, beyond its middle the next one.
                    QCOMPARE(layout.columnOf(index, layout.offsetAt(index, static_cast<double>(column))), column);
                    QCOMPARE(layout.columnOf(index, layout.offsetAt(index, static_cast<double>(column) + 0.3)), column);
                    QVERIFY(layout.rowOf(after) > index || layout.columnOf(index, after) > column);
                } else {
                    QVERIFY(after >= row.end); // what is hidden at the end
                }
                at = after;
            }
            QVERIFY(!layout.pieceAt(index, 100'000).has_value());
            QCOMPARE(layout.rowOf(layout.offsetAt(index, 100'000)), index);
        }
    }
}

void TestTextSurface::theCaretVisitsEveryCharacterOnce()
{
    Random random;
    for (int i = 0; i < core::caseCount(150); ++i) {
        const ui::TextContentPtr content = randomContent(random);
        const TextLayout layout(
            content, std::vector<bool>(content->folds.size(), i % 2 == 0), { i % 3 == 0 ? 0U : 20U });
        const auto placeOf = [&](size_t offset) {
            const size_t row = layout.rowOf(offset);
            return std::pair(row, layout.columnOf(row, offset));
        };
        std::vector<std::pair<size_t, size_t>> forward;
        size_t at = 0;
        while (true) {
            if (forward.empty() || forward.back() != placeOf(at))
                forward.push_back(placeOf(at));
            const size_t next = layout.boundaryAfter(at);
            if (next == at)
                break;
            QVERIFY(next > at);
            at = next;
        }
        QCOMPARE(at, content->document->size());
        std::vector<std::pair<size_t, size_t>> backward;
        while (true) {
            if (backward.empty() || backward.back() != placeOf(at))
                backward.push_back(placeOf(at));
            const size_t previous = layout.boundaryBefore(at);
            if (previous == at)
                break;
            QVERIFY(previous < at);
            at = previous;
        }
        QCOMPARE(at, 0U);
        std::ranges::reverse(backward);
        QVERIFY(std::ranges::is_sorted(forward));
        QCOMPARE(backward, forward);
    }
}

void TestTextSurface::rowsBreakAtBlanks_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QStringList>("rows");
    QTest::newRow("behind a blank") << QByteArray("one two three four five")
                                    << QStringList { u"one two three "_s, u"four five"_s };
    QTest::newRow("a blank hangs over the edge")
        << QByteArray("1234567890123456 next") << QStringList { u"1234567890123456 "_s, u"next"_s };
    QTest::newRow("a long word is cut") << QByteArray("12345678901234567890")
                                        << QStringList { u"1234567890123456"_s, u"7890"_s };
    QTest::newRow("a path goes on behind a slash")
        << QByteArray("a /path/to/some/file") << QStringList { u"a /path/to/some/"_s, u"file"_s };
    QTest::newRow("the indent goes on") << QByteArray("  - one two three four")
                                        << QStringList { u"  - one two "_s, u"three four"_s };
    QTest::newRow("wide letters break anywhere")
        << QByteArray("中文中文中文中文中文") << QStringList { u"中文中文中文中文"_s, u"中文"_s };
    QTest::newRow("accents count one cell")
        << QByteArray("é́é́é́ ééé ééé ééé é") << QStringList { u"é́é́é́ ééé ééé ééé "_s, u"é"_s };
    QTest::newRow("what fits is not cut")
        << QByteArray("1234567890123456\nx") << QStringList { u"1234567890123456\n"_s, u"x"_s };
}

void TestTextSurface::rowsBreakAtBlanks()
{
    QFETCH(QByteArray, text);
    QFETCH(QStringList, rows);
    const TextLayout layout(contentOf(text.toStdString()), {}, { 16 });
    QStringList found;
    for (size_t index = 0; index < layout.rowCount(); ++index) {
        const ui::TextRow row = layout.row(index);
        found << QString::fromUtf8(
            text.mid(static_cast<qsizetype>(row.begin), static_cast<qsizetype>(row.next - row.begin)));
        if (text.startsWith("  - ") && index > 0)
            QCOMPARE(row.indent, 4U);
    }
    QCOMPARE(found, rows);
}

void TestTextSurface::aPartIsLaidOutLikeTheWhole()
{
    Random random;
    for (int i = 0; i < core::caseCount(150); ++i) {
        const ui::TextContentPtr content = randomContent(random);
        TextLayout::Options options { i % 2 == 0 ? 0U : 24U };
        const TextLayout whole(content, {}, options);
        options.byteLimit = random.below(content->document->size() + 10);
        const TextLayout part(content, {}, options);
        QVERIFY(part.rowCount() <= whole.rowCount());
        QCOMPARE(part.isComplete(), part.rowCount() == whole.rowCount());
        for (size_t index = 0; index < part.rowCount(); ++index) {
            QCOMPARE(part.row(index).begin, whole.row(index).begin);
            QCOMPARE(part.row(index).end, whole.row(index).end);
        }
        if (!part.isComplete())
            QVERIFY(whole.row(part.rowCount()).begin >= options.byteLimit);
    }
}

void TestTextSurface::foldsJoinLines()
{
    TextContent folds;
    const std::string text = "before {\n  one\n  two\n} after\nlast";
    folds.folds.push_back({ text.find('{') + 1, text.find('}'), "… 4 lines", false });
    const ui::TextContentPtr content = contentOf(text, folds);
    const TextLayout open(content, { false }, { 0 });
    QCOMPARE(open.rowCount(), 5U);
    const TextLayout folded(content, { true }, { 0 });
    QCOMPARE(folded.rowCount(), 2U);
    const ui::TextRow row = folded.row(0);
    QCOMPARE(row.next, text.find("last"));
    std::vector<TextPiece> pieces;
    folded.pieces(0, 0, TextLayout::kAll, pieces);
    QCOMPARE(pieces.size(), 3U);
    QCOMPARE(pieces[1].kind, TextPiece::Kind::Fold);
    QCOMPARE(pieces[1].cells, 11U); // the label and its frame
    QCOMPARE(folded.row(1).line, 4U);
    QVERIFY(folded.row(1).startsLine);
}

void TestTextSurface::coloursOfATerminal_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("shown"); // what is not hidden
    QTest::addColumn<QString>("styles");
    const auto row = [](const char *name, const char *text, const QString &shown, const QString &styles) {
        QTest::newRow(name) << QByteArray(text) << shown << styles;
    };
    row("no escape", "plain", u"plain"_s, u""_s);
    row("a named colour", "\x1b[31mred\x1b[0m plain", u"red plain"_s, u"red:fg1"_s);
    row("a bright colour", "\x1b[92mgreen\x1b[39m x", u"green x"_s, u"green:fg10"_s);
    row("a ground", "\x1b[44mblue\x1b[49m x", u"blue x"_s, u"blue:bg4"_s);
    row("a bright ground", "\x1b[101mx", u"x"_s, u"x:bg9"_s);
    row("several at once", "\x1b[1;4;33mx\x1b[m", u"x"_s, u"x:fg3 bold underlined"_s);
    row("bold ends, colour stays", "\x1b[1;31ma\x1b[22mb", u"ab"_s, u"a:fg1 bold|b:fg1"_s);
    row("256 colours", "\x1b[38;5;208mx", u"x"_s, u"x:fg208"_s);
    row("256 colours with colons", "\x1b[38:5:208mx", u"x"_s, u"x:fg208"_s);
    row("true colour", "\x1b[48;2;1;2;3mx", u"x"_s, u"x:bg#010203"_s);
    row("true colour with colons and a colour space", "\x1b[38:2::255:128:0mx", u"x"_s, u"x:fg#ff8000"_s);
    row("true colour with colons alone", "\x1b[38:2:255:128:0mx", u"x"_s, u"x:fg#ff8000"_s);
    row("a colour behind a true one", "\x1b[38;2;9;9;9;1mx", u"x"_s, u"x:fg#090909 bold"_s);
    row("a curly underline", "\x1b[4:3mx\x1b[4:0my", u"xy"_s, u"x:underlined"_s);
    row("inverse, faint, italic, struck", "\x1b[7;2;3;9mx\x1b[27;22;23;29my", u"xy"_s,
        u"x:inverse faint italic struck"_s);
    row("an unknown number changes nothing", "\x1b[77mx", u"x"_s, u""_s);
    row("an empty parameter resets", "\x1b[31m\x1b[;mx", u"x"_s, u""_s);
    row("a cursor movement stays", "\x1b[2Kx", u"\x1b[2Kx"_s, u""_s);
    row("a hyperlink stays", "\x1b]8;;http://e\x1b\\x", u"\x1b]8;;http://e\x1b\\x"_s, u""_s);
    row("an escape at the end stays", "x\x1b[3", u"x\x1b[3"_s, u""_s);
    row("a private sequence stays", "\x1b[?25lx", u"\x1b[?25lx"_s, u""_s);
    row("a style goes on over lines", "\x1b[31ma\nb", u"a\nb"_s, u"a\nb:fg1"_s);
    row("too many parameters are no colour",
        "\x1b[1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1mx",
        u"\x1b[1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1mx"_s, u""_s);
}

void TestTextSurface::coloursOfATerminal()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, shown);
    QFETCH(QString, styles);
    const std::string bytes = text.toStdString();
    const ui::AnsiText ansi = ui::parseAnsi(bytes);
    std::string visible;
    size_t at = 0;
    for (const TextSpan &hidden : ansi.hidden) {
        QVERIFY(hidden.begin >= at);
        visible += bytes.substr(at, hidden.begin - at);
        at = hidden.end;
    }
    visible += bytes.substr(at);
    QCOMPARE(QString::fromStdString(visible), shown);
    QCOMPARE(ui::hasAnsiColours(bytes), !ansi.hidden.empty());

    QStringList found;
    const auto colour = [](const QString &what, const ui::AnsiColour &each) -> QString {
        if (each.kind == ui::AnsiColour::Kind::Default)
            return {};
        return each.kind == ui::AnsiColour::Kind::Indexed
            ? u" %1%2"_s.arg(what).arg(each.index)
            : u" %1%2"_s.arg(what, QColor(each.red, each.green, each.blue).name());
    };
    for (const ui::TextStyleSpan &span : ansi.styles) {
        QString words = colour(u"fg"_s, span.style.foreground) + colour(u"bg"_s, span.style.background);
        for (const auto &[isOn, word] :
            { std::pair(span.style.isBold, u" bold"_s), std::pair(span.style.isUnderlined, u" underlined"_s),
                std::pair(span.style.isInverse, u" inverse"_s), std::pair(span.style.isFaint, u" faint"_s),
                std::pair(span.style.isItalic, u" italic"_s), std::pair(span.style.isStruck, u" struck"_s) }) {
            if (isOn)
                words += word;
        }
        found << QString::fromStdString(bytes.substr(span.begin, span.end - span.begin)) + u':' + words.trimmed();
    }
    QCOMPARE(found.join(u'|'), styles);
}

void TestTextSurface::coloursAreLegible()
{
    for (const auto appearance : { ui::Appearance::Light, ui::Appearance::Dark }) {
        const ui::Theme theme = ui::Theme::make(appearance);
        for (int ground = -1; ground < 256; ground += 17) {
            for (int index = 0; index < 256; ++index) {
                ui::TextStyle style;
                style.foreground = { ui::AnsiColour::Kind::Indexed, static_cast<uint8_t>(index), 0, 0, 0 };
                if (ground >= 0)
                    style.background = { ui::AnsiColour::Kind::Indexed, static_cast<uint8_t>(ground), 0, 0, 0 };
                const ui::TextLook look = ui::lookOf(style, theme);
                const QColor on = look.background.isValid() ? look.background : theme.base;
                QVERIFY2(ui::contrast(look.foreground, on) >= 4.45,
                    qPrintable(u"%1 on %2"_s.arg(look.foreground.name(), on.name())));
            }
        }
        for (const auto role :
            { ui::MarkRole::Match, ui::MarkRole::CurrentMatch, ui::MarkRole::Trace, ui::MarkRole::Added,
                ui::MarkRole::AddedPart, ui::MarkRole::Removed, ui::MarkRole::RemovedPart, ui::MarkRole::Note })
            QVERIFY(ui::contrast(theme.text, ui::groundOf(role, theme)) >= 4.5);
    }
}

namespace {

/// JSON without the blanks between its tokens.
std::string withoutBlanks(const std::string &json)
{
    std::string out;
    bool inString = false;
    for (size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (inString && c == '\\' && i + 1 < json.size()) {
            out += c;
            out += json[++i];
            continue;
        }
        if (c == '"')
            inString = !inString;
        if (inString || (c != ' ' && c != '\n' && c != '\t' && c != '\r'))
            out += c;
    }
    return out;
}

} // namespace

void TestTextSurface::prettyJsonKeepsEveryByte()
{
    static const std::vector<std::string> kParts { "{", "}", "[", "]", ",", ":", "\"a b\"", "\"\\\"\\\\ x\"",
        "\"{[,:\"", "12.50e3", "true", "null", " ", "\n", "\"\\ud800\"", "\"unclosed" };
    Random random;
    for (int i = 0; i < core::caseCount(600); ++i) {
        std::string json;
        for (size_t part = random.below(60); part > 0; --part) {
            const auto which = random.below(kParts.size());
            json += kParts[which == kParts.size() - 1 && part > 1 ? 0 : which];
        }
        const std::string pretty = ui::prettyJson(json);
        QCOMPARE(withoutBlanks(pretty), withoutBlanks(json));
        QCOMPARE(ui::prettyJson(pretty), pretty);
    }
    const std::string deep(100'000, '[');
    QVERIFY(ui::prettyJson(deep).size() < 20'000'000);
}

void TestTextSurface::prettyJsonIsIndented()
{
    QCOMPARE(QString::fromStdString(ui::prettyJson(R"({"a":[1,{"b":"x, y"}],"c":{},"d":[ ]})")),
        u"{\n  \"a\": [\n    1,\n    {\n      \"b\": \"x, y\"\n    }\n  ],\n  \"c\": {},\n  \"d\": []\n}"_s);
}

void TestTextSurface::jsonIsRecognised_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("isJson");
    QTest::newRow("an object") << QByteArray(R"( {"a": [1, -2.5e3, true, null, "x\"}"]} )") << true;
    QTest::newRow("an array") << QByteArray("[[], {}]") << true;
    QTest::newRow("a log line") << QByteArray("[INFO] started") << false;
    QTest::newRow("a log line that begins with a time") << QByteArray("[12:00] started") << false;
    QTest::newRow("a shell test") << QByteArray("{ echo a; }") << false;
    QTest::newRow("words behind it") << QByteArray("{} done") << false;
    QTest::newRow("cut off") << QByteArray(R"({"a": [1, 2)") << false;
    QTest::newRow("crossed brackets") << QByteArray(R"({"a": [1 } ])") << false;
    QTest::newRow("a string alone") << QByteArray(R"("text")") << false;
    QTest::newRow("nothing") << QByteArray("") << false;
}

void TestTextSurface::jsonIsRecognised()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, isJson);
    QCOMPARE(ui::isJson(text.toStdString()), isJson);
}

void TestTextSurface::foldsOfJsonAreNested()
{
    const std::string json = ui::prettyJson(R"({"a":[1,2,{"b":{"c":1}}],"d":"{[","e":[]})");
    const std::vector<ui::TextFold> folds = ui::jsonFolds(json);
    QStringList labels;
    for (size_t i = 0; i < folds.size(); ++i) {
        QVERIFY(json[folds[i].begin - 1] == '{' || json[folds[i].begin - 1] == '[');
        QVERIFY(json[folds[i].end] == '}' || json[folds[i].end] == ']');
        QVERIFY(i == 0 || folds[i - 1].begin < folds[i].begin);
        for (size_t outer = 0; outer < i; ++outer)
            QVERIFY(folds[outer].end > folds[i].end || folds[outer].end <= folds[i].begin);
        labels << QString::fromStdString(folds[i].label);
    }
    QCOMPARE(labels, (QStringList { u"… 13 lines"_s, u"… 9 lines"_s, u"… 5 lines"_s, u"… 3 lines"_s }));
}

void TestTextSurface::longRunsFold()
{
    const std::string run(5000, 'Q');
    const std::string text = "data: " + run + " and " + std::string(999, 'x') + " " + std::string(1000, 'y');
    const std::vector<ui::TextFold> folds = ui::runFolds(text);
    QCOMPARE(folds.size(), 2U);
    QCOMPARE(folds[0].begin, 6U);
    QCOMPARE(folds[0].end, 5006U);
    QVERIFY(folds[0].startsFolded);
    QCOMPARE(QString::fromStdString(folds[0].label), u"… 5,000 characters"_s);
    QCOMPARE(folds[1].end, text.size());
    QVERIFY(!ui::runFolds(run).front().startsFolded); // nothing would be left to see

    Shown shown(contentOf(text, [&] {
        TextContent content;
        content.folds = folds;
        return content;
    }()));
    QVERIFY(shown.surface.isFolded(0));
    const size_t rows = shown.surface.layoutOfRows()->rowCount();
    shown.surface.foldAll(false);
    QVERIFY(shown.surface.layoutOfRows()->rowCount() > rows + 50);
}

void TestTextSurface::matchesAreCounted_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("wanted");
    QTest::addColumn<bool>("isCaseSensitive");
    QTest::addColumn<bool>("isWholeWord");
    QTest::addColumn<int>("count");
    const auto row = [](const char *name, const char *text, const char *wanted, bool isCase, bool isWord, int count) {
        QTest::newRow(name) << QByteArray(text) << QByteArray(wanted) << isCase << isWord << count;
    };
    row("all of them", "ab ab ab", "ab", false, false, 3);
    row("without regard to case", "Ab aB AB", "ab", false, false, 3);
    row("with regard to case", "Ab aB AB ab", "ab", true, false, 1);
    row("none overlaps", "aaaa", "aa", false, false, 2);
    row("whole words", "cat category cat_ cat", "cat", false, true, 2);
    row("a whole word in brackets", "(cat)", "cat", false, true, 1);
    row("umlauts without regard to case", "Äpfel äpfel ÄPFEL", "äpfel", false, false, 3);
    row("umlauts with regard to case", "Äpfel äpfel", "äpfel", true, false, 1);
    row("control characters", "a\x1b[31mb", "\x1b[31m", false, false, 1);
    row("over a line feed", "a\nb a\nb", "a\nb", false, false, 2);
    row("nothing wanted", "abc", "", false, false, 0);
    row("longer than the text", "ab", "abc", false, false, 0);
    row("at both ends", "x y x", "x", false, true, 2);
}

void TestTextSurface::matchesAreCounted()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, wanted);
    QFETCH(bool, isCaseSensitive);
    QFETCH(bool, isWholeWord);
    QFETCH(int, count);
    const std::vector<TextSpan> found
        = ui::findAll(text.toStdString(), wanted.toStdString(), { isCaseSensitive, isWholeWord });
    QCOMPARE(static_cast<int>(found.size()), count);
    // The same in a text so large that it is searched in slices, with places across their edges.
    std::string large;
    while (large.size() < (5U << 18U))
        large += text.toStdString() + ". ";
    const std::vector<TextSpan> many = ui::findAll(large, wanted.toStdString(), { isCaseSensitive, isWholeWord });
    QCOMPARE(many.size(), static_cast<size_t>(count) * (large.size() / static_cast<size_t>(text.size() + 2)));
}

void TestTextSurface::matchesAreMarked()
{
    std::string text;
    for (int line = 0; line < 200; ++line)
        text += line % 50 == 0 ? "a needle here\n" : "nothing\n";
    Shown shown(contentOf(text));
    QSignalSpy spy(&shown.surface, &ui::TextSurface::matchesChanged);
    shown.surface.setFind({ "NEEDLE" });
    QCOMPARE(shown.surface.matchCount(), 4U);
    QCOMPARE(shown.surface.currentMatch(), std::optional<size_t>(0));
    QCOMPARE(spy.count(), 1);
    const ui::Theme theme = ui::Theme::make(ui::Appearance::Light);
    const auto groundAt = [&](size_t offset) {
        const QRectF rect = shown.surface.rectOf(offset);
        return shown.picture().pixelColor(QPointF(rect.left() + 1, rect.top() + 1).toPoint());
    };
    QCOMPARE(groundAt(text.find("needle")), ui::groundOf(ui::MarkRole::CurrentMatch, theme));
    QCOMPARE(groundAt(text.find("here")), theme.base);

    shown.key(Qt::Key_F3);
    QCOMPARE(shown.surface.currentMatch(), std::optional<size_t>(1));
    const size_t second = text.find("needle", 20);
    QVERIFY(QRectF(shown.surface.viewport()->rect()).contains(shown.surface.rectOf(second)));
    QCOMPARE(groundAt(second), ui::groundOf(ui::MarkRole::CurrentMatch, theme));
    shown.key(Qt::Key_F3, Qt::ShiftModifier);
    shown.key(Qt::Key_F3, Qt::ShiftModifier);
    QCOMPARE(shown.surface.currentMatch(), std::optional<size_t>(3)); // it goes round
    shown.surface.findNext();
    QCOMPARE(shown.surface.currentMatch(), std::optional<size_t>(0));
    shown.surface.setFind({ "here", "needle", "eedle h" }); // of texts that overlap, the first counts
    QCOMPARE(shown.surface.matchCount(), 8U);
    QCOMPARE(groundAt(text.find("needle")), ui::groundOf(ui::MarkRole::CurrentMatch, theme));
    QCOMPARE(groundAt(text.find("here")), ui::groundOf(ui::MarkRole::Match, theme));
    shown.surface.setFind({});
    QCOMPARE(shown.surface.matchCount(), 0U);
    QCOMPARE(groundAt(text.find("needle")), theme.base);
}

void TestTextSurface::aLargeTextIsSearchedInAJob()
{
    std::string text(3'000'000, '.');
    for (size_t at = 0; at < 1000; ++at)
        text.replace(at * 3000, 6, "needle");
    Shown shown(contentOf(text));
    shown.surface.setFind({ "nothing" }); // the latest start wins
    shown.surface.setFind({ "needle" });
    QVERIFY(shown.surface.isBusy());
    QCOMPARE(shown.surface.matchCount(), 0U);
    QVERIFY(QTest::qWaitFor([&] { return shown.surface.matchCount() == 1000; }));
    shown.surface.findPrevious();
    shown.surface.finish();
    QVERIFY(QRectF(shown.surface.viewport()->rect()).contains(shown.surface.rectOf(999 * 3000)));
}

void TestTextSurface::paintingCostsWhatIsVisible_data()
{
    QTest::addColumn<bool>("isWrapping");
    QTest::addColumn<QByteArray>("unit");
    QTest::addColumn<int>("characters");
    for (const bool isWrapping : { true, false }) {
        const char *wraps = isWrapping ? "wrapped" : "not wrapped";
        QTest::addRow("one line of 12.8 million letters, %s", wraps)
            << isWrapping << QByteArray("lorem ipsum dolor ") << 12'800'000;
        QTest::addRow("one line without a blank, %s", wraps)
            << isWrapping << QByteArray("0123456789abcdef") << 12'800'000;
        QTest::addRow("one line of wide letters and accents, %s", wraps)
            << isWrapping << QByteArray("中文e\xCC\x81 ") << 600'000;
    }
}

void TestTextSurface::paintingCostsWhatIsVisible()
{
    QFETCH(bool, isWrapping);
    QFETCH(QByteArray, unit);
    QFETCH(int, characters);
    std::string text;
    const size_t units = static_cast<size_t>(characters) / static_cast<size_t>(QString::fromUtf8(unit).size());
    text.reserve(units * static_cast<size_t>(unit.size()));
    for (size_t i = 0; i < units; ++i)
        text.append(unit.constData(), static_cast<size_t>(unit.size()));
    ui::TextSurface surface;
    surface.resize(800, 400);
    surface.setContent(contentOf(text), isWrapping, 0);
    QImage image(surface.size(), QImage::Format_RGB32);
    const auto paint = [&] {
        QPainter painter(&image);
        surface.paint(painter, QRect(QPoint(), surface.size()));
        return surface.paintedCharacters();
    };
    // A screen holds some 110 × 24 cells; a row that is not wrapped has a checkpoint every 4,096 bytes.
    const size_t bound = isWrapping ? 6000 : 6000 + TextLayout::kCheckpointStride;
    QVERIFY(surface.isBusy());
    const size_t atOnce = paint();
    QVERIFY2(atOnce > 50 && atOnce < bound, qPrintable(QString::number(atOnce)));
    surface.finish();
    QVERIFY(surface.layoutOfRows()->isComplete());
    QVERIFY(paint() < bound);
    for (const size_t offset : { text.size() / 2, text.size() - 1 }) {
        const size_t place = ui::characterStart(text, offset);
        surface.reveal(place);
        const size_t painted = paint();
        QVERIFY2(painted > 20 && painted < bound, qPrintable(QString::number(painted)));
        QVERIFY(QRectF(0, 0, 800, 400).contains(surface.rectOf(place).center()));
        const size_t hit = surface.offsetAt(surface.rectOf(place).topLeft() + QPointF(1, 1));
        QCOMPARE(surface.rectOf(hit), surface.rectOf(place));
    }
}

void TestTextSurface::aMillionLinesScrollToTheirEnd()
{
    std::string text;
    for (int line = 0; line < 1'000'000; ++line)
        text += "line " + std::to_string(line) + "\n";
    text += "the end";
    TextContent numbered;
    numbered.numbering = ui::Numbering::Lines;
    Shown shown(contentOf(std::move(text), numbered));
    QCOMPARE(shown.surface.layoutOfRows()->rowCount(), 1'000'001U);
    shown.key(Qt::Key_End, Qt::ControlModifier);
    QCOMPARE(shown.surface.verticalScrollBar()->value(), shown.surface.verticalScrollBar()->maximum());
    QVERIFY(QRectF(shown.surface.viewport()->rect()).contains(shown.surface.rectOf(shown.surface.caret()).center()));
    shown.key(Qt::Key_Home, Qt::ShiftModifier);
    QCOMPARE(shown.selected(), u"the end"_s);
    (void)shown.picture();
    QVERIFY(shown.surface.paintedCharacters() < 1000);
}

void TestTextSurface::copyingGivesTheExactBytes()
{
    const std::string text
        = std::string("a\0b\x1b[31m", 8) + "c\r\n\tä中😀" + kLoneSurrogate + "\xE2\x80\xAE" + "d\x7f";
    Shown shown(ansiContent(text));
    shown.key(Qt::Key_A, Qt::ControlModifier);
    shown.key(Qt::Key_C, Qt::ControlModifier);
    const QMimeData *data = QApplication::clipboard()->mimeData();
    QCOMPARE(data->data(u"text/plain;charset=utf-8"_s), QByteArray(text.data(), static_cast<qsizetype>(text.size())));
    const QString expected
        = QString::fromUtf16(u"a\0b\x1b[31m", 8) + u"c\r\n\tä中😀"_s + QChar(0xD800) + QChar(0x202E) + u"d\x7f"_s;
    QCOMPARE(data->text(), expected);
    QCOMPARE(QApplication::clipboard()->text(), expected);
    // Nothing selected, nothing copied.
    shown.key(Qt::Key_Home, Qt::ControlModifier);
    shown.key(Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text(), expected);
}

void TestTextSurface::copyingAsShownLeavesOutWhatIsHidden()
{
    Shown shown(ansiContent("a \x1b[31mred\x1b[0m word\n\x1b[1mend"));
    shown.surface.selectAll();
    QCOMPARE(QString::fromStdString(shown.surface.selectedAsShown()), u"a red word\nend"_s);
    shown.surface.select(4, 9); // from within an escape sequence
    QCOMPARE(QString::fromStdString(shown.surface.selectedAsShown()), u"re"_s);
    shown.surface.selectAll();
    shown.surface.copyAsShown();
    QCOMPARE(QApplication::clipboard()->text(), u"a red word\nend"_s);
}

void TestTextSurface::keysMoveAndSelect()
{
    Shown shown(contentOf("first line\nsecond wörd 中文\n\nlast"));
    shown.key(Qt::Key_Right);
    shown.key(Qt::Key_Right, Qt::ShiftModifier);
    shown.key(Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(shown.selected(), u"ir"_s);
    shown.key(Qt::Key_Right); // goes to the end of the selection
    QCOMPARE(shown.surface.caret(), 3U);
    QCOMPARE(shown.selected(), u""_s);
    shown.key(Qt::Key_End, Qt::ShiftModifier);
    QCOMPARE(shown.selected(), u"st line"_s);
    shown.key(Qt::Key_Home);
    shown.key(Qt::Key_Down, Qt::ShiftModifier);
    QCOMPARE(shown.selected(), u"first line\n"_s);
    shown.key(Qt::Key_End);
    shown.key(Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(shown.selected(), u"文"_s); // two cells, three bytes, one step
    shown.key(Qt::Key_Left, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(shown.selected(), u"中文"_s);
    shown.key(Qt::Key_Left, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(shown.selected(), u"wörd 中文"_s);
    shown.key(Qt::Key_Escape);
    QCOMPARE(shown.selected(), u""_s);
    // Up and down keep the column over an empty line.
    shown.key(Qt::Key_Home);
    for (int i = 0; i < 3; ++i)
        shown.key(Qt::Key_Right);
    shown.key(Qt::Key_Down);
    QCOMPARE(shown.surface.rectOf(shown.surface.caret()).left(), shown.surface.rectOf(0).left());
    shown.key(Qt::Key_Down);
    shown.key(Qt::Key_End, Qt::ShiftModifier);
    QCOMPARE(shown.selected(), u"t"_s);
    shown.key(Qt::Key_Home, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(shown.selected().startsWith(u"first line\n"_s));
    QVERIFY(shown.selected().endsWith(u"las"_s));
    shown.key(Qt::Key_A, Qt::ControlModifier);
    QCOMPARE(shown.surface.selectedBytes(), shown.surface.content()->document->bytes());
}

void TestTextSurface::keysPageThroughTheText()
{
    std::string text;
    for (int line = 0; line < 300; ++line)
        text += "line " + std::to_string(line) + "\n";
    Shown shown(contentOf(text));
    const size_t before = shown.surface.topRow();
    shown.key(Qt::Key_PageDown);
    shown.key(Qt::Key_PageDown);
    QVERIFY(shown.surface.topRow() > before + 5);
    QVERIFY(QRectF(shown.surface.viewport()->rect()).contains(shown.surface.rectOf(shown.surface.caret()).center()));
    shown.key(Qt::Key_PageUp, Qt::ShiftModifier);
    QVERIFY(shown.selected().count(u'\n') > 5);
    for (int i = 0; i < 50; ++i)
        shown.key(Qt::Key_PageDown);
    QCOMPARE(shown.surface.caret(), text.size());
    for (int i = 0; i < 50; ++i)
        shown.key(Qt::Key_PageUp);
    QCOMPARE(shown.surface.caret(), 0U);
}

void TestTextSurface::theMouseSelects()
{
    const std::string text = "one two_three, four\nsecond line";
    Shown shown(contentOf(text));
    QWidget *view = shown.surface.viewport();
    QTest::mousePress(view, Qt::LeftButton, Qt::NoModifier, shown.pointOf(4));
    QTest::mouseMove(view, shown.pointOf(9));
    QTest::mouseRelease(view, Qt::LeftButton, Qt::NoModifier, shown.pointOf(9));
    QCOMPARE(shown.selected(), u"two_t"_s);
    QTest::mouseClick(view, Qt::LeftButton, Qt::ShiftModifier, shown.pointOf(13));
    QCOMPARE(shown.selected(), u"two_three"_s);
    QTest::mouseClick(view, Qt::LeftButton, Qt::NoModifier, shown.pointOf(1));
    QCOMPARE(shown.selected(), u""_s);
    QCOMPARE(shown.surface.caret(), 1U);

    QTest::mouseDClick(view, Qt::LeftButton, Qt::NoModifier, shown.pointOf(6));
    QCOMPARE(shown.selected(), u"two_three"_s);
    QTest::mouseClick(view, Qt::LeftButton, Qt::NoModifier, shown.pointOf(6)); // the third
    QCOMPARE(shown.selected(), u"one two_three, four\n"_s);
    // Words go on being whole while a double click is dragged.
    const int interval = QApplication::doubleClickInterval();
    QApplication::setDoubleClickInterval(0); // the click before is long ago
    QTest::mouseDClick(view, Qt::LeftButton, Qt::NoModifier, shown.pointOf(6));
    QApplication::setDoubleClickInterval(interval);
    QTest::mousePress(view, Qt::LeftButton, Qt::ShiftModifier, shown.pointOf(17));
    QCOMPARE(shown.selected(), u"two_three, fo"_s);
    QTest::mouseRelease(view, Qt::LeftButton, Qt::NoModifier, shown.pointOf(17));
    // Below the text is its end.
    QTest::mouseClick(view, Qt::LeftButton, Qt::NoModifier, QPoint(40, view->height() - 4));
    QCOMPARE(shown.surface.caret(), text.size());
}

void TestTextSurface::draggingBeyondTheEdgeScrolls()
{
    std::string text;
    for (int line = 0; line < 200; ++line)
        text += "line " + std::to_string(line) + "\n";
    Shown shown(contentOf(text));
    QWidget *view = shown.surface.viewport();
    QTest::mousePress(view, Qt::LeftButton, Qt::NoModifier, shown.pointOf(0));
    QMouseEvent move(QEvent::MouseMove, QPointF(60, view->height() + 30),
        view->mapToGlobal(QPointF(60, view->height() + 30)), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(view, &move);
    QVERIFY(QTest::qWaitFor([&] { return shown.surface.topRow() > 5; }));
    QVERIFY(shown.selected().count(u'\n') > 10);
    const auto timers = [&] { return QAbstractEventDispatcher::instance()->registeredTimers(&shown.surface).size(); };
    QCOMPARE(timers(), 1);
    QTest::mouseRelease(view, Qt::LeftButton, Qt::NoModifier, QPoint(60, view->height() + 30));
    QCOMPARE(timers(), 0);
}

void TestTextSurface::foldsOpenAndCloseByClick()
{
    const std::string json = ui::prettyJson(R"({"a":[1,2,3],"b":{"c":1,"d":2}})");
    TextContent content;
    content.folds = ui::jsonFolds(json);
    Shown shown(contentOf(json, content));
    ui::TextSurface &surface = shown.surface;
    QWidget *view = surface.viewport();
    const size_t rows = surface.layoutOfRows()->rowCount();
    const auto marker = [&](size_t offset) {
        return QPointF(surface.rectOf(0).left() - 8, surface.rectOf(offset).center().y()).toPoint();
    };
    QTest::mouseClick(view, Qt::LeftButton, Qt::NoModifier, marker(json.find("\"a\"")));
    QVERIFY(surface.isFolded(1));
    QCOMPARE(surface.layoutOfRows()->rowCount(), rows - 4);
    // A click on the frame opens it again.
    QTest::mouseClick(view, Qt::LeftButton, Qt::NoModifier, shown.pointOf(json.find('[') + 1) + QPoint(10, 0));
    QCOMPARE(surface.layoutOfRows()->rowCount(), rows);
    QTest::mouseClick(view, Qt::LeftButton, Qt::NoModifier, marker(0));
    QCOMPARE(surface.layoutOfRows()->rowCount(), 1U);
    surface.foldAll(false);
    surface.select(json.find("\"b\""), json.find("\"b\""));
    shown.key(Qt::Key_BraceLeft, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(surface.isFolded(2));
    shown.key(Qt::Key_BraceRight, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(!surface.isFolded(2));
    // What is folded is copied.
    surface.foldAll(true);
    surface.selectAll();
    QCOMPARE(surface.selectedBytes(), std::string_view(json));
}

void TestTextSurface::numbersStandInTheGutter()
{
    TextContent own;
    own.numbering = ui::Numbering::Own;
    own.numbers = { 0, 118, 0 };
    Shown shown(contentOf("a\nb\nc", own));
    const double left = shown.surface.rectOf(0).left();
    QVERIFY(left > 40);
    const QImage picture = shown.picture();
    const auto hasInk = [&](size_t offset) {
        const QRectF rect = shown.surface.rectOf(offset);
        for (int x = 0; x < static_cast<int>(left) - 2; ++x) {
            for (int y = static_cast<int>(rect.top()); y < static_cast<int>(rect.bottom()); ++y) {
                if (picture.pixelColor(x, y) != ui::Theme::make(ui::Appearance::Light).base)
                    return true;
            }
        }
        return false;
    };
    QVERIFY(!hasInk(0));
    QVERIFY(hasInk(2));
    QVERIFY(!hasInk(4));
    // A click on a number selects its line.
    QTest::mouseClick(shown.surface.viewport(), Qt::LeftButton, Qt::NoModifier, QPoint(20, shown.pointOf(2).y()));
    QCOMPARE(shown.selected(), u"b\n"_s);
}

void TestTextSurface::theTopStaysWhenTheWidthChanges()
{
    std::string text;
    for (int line = 0; line < 400; ++line)
        text += "line " + std::to_string(line)
            + " with more words than fit into a narrow surface, so that it is wrapped\n";
    Shown shown(contentOf(text));
    shown.surface.verticalScrollBar()->setValue(3000);
    const auto topByte = [&] { return shown.surface.layoutOfRows()->row(shown.surface.topRow()).begin; };
    const size_t before = topByte();
    QVERIFY(before > 1000);
    const size_t rows = shown.surface.layoutOfRows()->rowCount();
    shown.surface.resize(260, 240);
    QVERIFY(shown.surface.layoutOfRows()->rowCount() > rows);
    const ui::TextRow top = shown.surface.layoutOfRows()->row(shown.surface.topRow());
    QVERIFY(top.begin <= before && before < top.next);
    shown.surface.setWrapping(false);
    QCOMPARE(shown.surface.layoutOfRows()->rowCount(), 401U);
    const ui::TextRow line = shown.surface.layoutOfRows()->row(shown.surface.topRow());
    QVERIFY(line.begin <= before && before < line.next);
    QVERIFY(shown.surface.horizontalScrollBar()->maximum() > 0);
}

void TestTextSurface::revealingUnfolds()
{
    std::string inner;
    for (int i = 0; i < 300; ++i)
        inner += (i == 0 ? "" : ",") + std::to_string(i);
    const std::string json = ui::prettyJson("{\"a\":{\"b\":[" + inner + "]}}");
    TextContent content;
    content.folds = ui::jsonFolds(json);
    Shown shown(contentOf(json, content));
    shown.surface.foldAll(true);
    QCOMPARE(shown.surface.layoutOfRows()->rowCount(), 1U);
    shown.surface.setFind({ "250" });
    QCOMPARE(shown.surface.matchCount(), 1U);
    for (size_t fold = 0; fold < 3; ++fold)
        QVERIFY(!shown.surface.isFolded(fold));
    QVERIFY(QRectF(shown.surface.viewport()->rect()).contains(shown.surface.rectOf(json.find("250"))));
}

void TestTextSurface::marksAreDrawn()
{
    const std::string text = "one\ntwo three\nfour";
    Shown shown(contentOf(text));
    shown.surface.setMarks({ { { 4, 13 }, ui::MarkRole::Added, true }, { { 8, 13 }, ui::MarkRole::AddedPart, false } });
    const ui::Theme theme = ui::Theme::make(ui::Appearance::Light);
    const QImage picture = shown.picture();
    const auto at = [&](size_t offset) {
        return picture.pixelColor(shown.surface.rectOf(offset).topLeft().toPoint() + QPoint(1, 1));
    };
    QCOMPARE(at(0), theme.base);
    QCOMPARE(at(4), ui::groundOf(ui::MarkRole::Added, theme));
    QCOMPARE(at(8), ui::groundOf(ui::MarkRole::AddedPart, theme));
    QCOMPARE(at(14), theme.base);
    const int y = static_cast<int>(shown.surface.rectOf(4).center().y());
    QCOMPARE(picture.pixelColor(picture.width() - 3, y), ui::groundOf(ui::MarkRole::Added, theme)); // the whole row
}

namespace {

ui::TextContentPtr code(std::string text, std::string_view fileName)
{
    TextContent content;
    content.languages.push_back({ 0, {}, std::string(fileName) });
    return contentOf(std::move(text), std::move(content));
}

} // namespace

void TestTextSurface::linesAreColoured()
{
    ui::TextHighlighter highlighter(ui::sharedSyntax());
    highlighter.setPalette(ui::Theme::make(ui::Appearance::Light).palette());
    const std::string text = "/* a comment\nstill */ int ä = \"text\";\n";
    highlighter.setContent(code(text, "x.cpp"));
    QCOMPARE(highlighter.languageOf(0), u"C++"_s);
    QVERIFY(!highlighter.isReady(1));
    QVERIFY(highlighter.looks(1).empty());
    QVERIFY(highlighter.advance(1, QDeadlineTimer(QDeadlineTimer::Forever)));
    const auto lookAt = [&](size_t offset) {
        for (const ui::TextLookSpan &span : highlighter.looks(offset < 13 ? 0 : 1)) {
            if (span.begin <= offset && offset < span.end)
                return span.look;
        }
        return ui::TextLook {};
    };
    const ui::TextLook comment = lookAt(3);
    QVERIFY(comment.foreground.isValid());
    QCOMPARE(lookAt(text.find("still")), comment); // the state of the line before
    QVERIFY(lookAt(text.find("int")) != comment);
    QVERIFY(lookAt(text.find("int")) != ui::TextLook {});
    QCOMPARE(lookAt(text.find("ä")), ui::TextLook {});
    const size_t quote = text.find('"'); // behind a letter of two bytes
    QVERIFY(lookAt(quote).foreground.isValid());
    QCOMPARE(lookAt(quote + 1), lookAt(quote));
    QVERIFY(lookAt(quote - 2) != lookAt(quote));
}

void TestTextSurface::colouringIsDoneInSlices()
{
    std::string text = "/*\n";
    for (int line = 0; line < 20'000; ++line)
        text += "int value" + std::to_string(line) + " = 1; // words\n";
    ui::TextHighlighter highlighter(ui::sharedSyntax());
    highlighter.setContent(code(text, "x.cpp"));
    QVERIFY(!highlighter.advance(15'000, QDeadlineTimer(0)));
    QVERIFY(!highlighter.isReady(15'000));
    QVERIFY(highlighter.looks(15'000).empty());
    QVERIFY(highlighter.advance(15'000, QDeadlineTimer(QDeadlineTimer::Forever)));
    QVERIFY(highlighter.isReady(15'000));

    Shown shown(code(text, "x.cpp"));
    QVERIFY(!shown.surface.isBusy());
    shown.key(Qt::Key_End, Qt::ControlModifier);
    (void)shown.picture();
    QVERIFY(shown.surface.isBusy()); // plain at first, then coloured
    QVERIFY(QTest::qWaitFor([&] { return !shown.surface.isBusy(); }, 60'000));
}

void TestTextSurface::longLinesStayPlain()
{
    ui::TextHighlighter highlighter(ui::sharedSyntax());
    highlighter.setPalette(ui::Theme::make(ui::Appearance::Light).palette());
    highlighter.setContent(
        code("int a;" + std::string(20'000, ' ') + "\nint b;\n" + std::string(19'000, ' ') + "int c;", "x.cpp"));
    QVERIFY(highlighter.advance(2, QDeadlineTimer(QDeadlineTimer::Forever)));
    QVERIFY(highlighter.looks(0).empty());
    QVERIFY(!highlighter.looks(1).empty());
    QVERIFY(!highlighter.looks(2).empty());
}

void TestTextSurface::languagesStartAnew()
{
    TextContent content;
    content.languages = { { 0, "Bash", {} }, { 1, {}, {} }, { 2, {}, "a.py" }, { 3, "No Such Language", {} } };
    ui::TextHighlighter highlighter(ui::sharedSyntax());
    highlighter.setContent(contentOf("echo 'open\nplain\nimport os\nx", content));
    QCOMPARE(highlighter.languageOf(0), u"Bash"_s);
    QCOMPARE(highlighter.languageOf(1), QString());
    QCOMPARE(highlighter.languageOf(2), u"Python"_s);
    QCOMPARE(highlighter.languageOf(3), QString());
    QVERIFY(highlighter.isReady(1));
    QVERIFY(highlighter.isReady(3));
    QVERIFY(highlighter.advance(2, QDeadlineTimer(QDeadlineTimer::Forever)));
    QVERIFY(!highlighter.isReady(0)); // only what stands before it in its own language is read
    QVERIFY(highlighter.looks(2).front().look.isBold || highlighter.looks(2).front().look.foreground.isValid());
}

void TestTextSurface::syntaxIsLegible_data()
{
    QTest::addColumn<bool>("isDark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void TestTextSurface::syntaxIsLegible()
{
    QFETCH(bool, isDark);
    const ui::Theme theme = ui::Theme::make(isDark ? ui::Appearance::Dark : ui::Appearance::Light);
    ui::TextHighlighter highlighter(ui::sharedSyntax());
    highlighter.setPalette(theme.palette());
    const std::vector<std::pair<std::string, std::string>> samples {
        { "a.md", "# Heading\n**bold** `code` [link](http://x)\n```bash\necho \"$HOME\" # note\n```\n- item" },
        { "a.py",
            "import os\n@wrap\ndef f(x: int) -> str:\n    \"\"\"doc\"\"\"\n    return f'{x!r}' + str(0x1F)  # TODO" },
        { "a.json", "{\"a\": [1, true, null, \"x\\n\"]}" },
        { "a.diff", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new" },
        { "a.sh", "for i in *.c; do if [ -f \"$i\" ]; then cat < $i | grep -v 'x' 2>&1; fi; done" },
        { "a.rs", "#[derive(Clone)]\npub struct A<'a> { b: &'a str } // c\nfn main() { println!(\"{}\", 1u8); }" },
        { "a.go", "package main\nfunc f(a []int) (err error) { defer x(); return nil }" },
    };
    size_t looks = 0;
    for (const auto &[file, text] : samples) {
        highlighter.setContent(code(text, file));
        const size_t lines = static_cast<size_t>(std::ranges::count(text, '\n')) + 1;
        QVERIFY(highlighter.advance(lines - 1, QDeadlineTimer(QDeadlineTimer::Forever)));
        for (size_t line = 0; line < lines; ++line) {
            for (const ui::TextLookSpan &span : highlighter.looks(line)) {
                ++looks;
                if (span.look.foreground.isValid())
                    QVERIFY(ui::contrast(span.look.foreground, theme.base) >= 4.45);
            }
        }
    }
    QVERIFY(looks > 60);
}

void TestTextSurface::assistiveTechnologyReadsIt()
{
    Shown shown(contentOf("first wörd\nsecond"));
    QAccessibleInterface *interface = QAccessible::queryAccessibleInterface(&shown.surface);
    QVERIFY(interface != nullptr);
    QAccessibleTextInterface *text = interface->textInterface();
    QVERIFY(text != nullptr);
    QCOMPARE(interface->text(QAccessible::Value), u"first wörd\nsecond"_s);
    QVERIFY(interface->state().readOnly);
    QCOMPARE(text->characterCount(), 17);
    QCOMPARE(text->text(6, 10), u"wörd"_s);
    text->addSelection(6, 10);
    QCOMPARE(shown.selected(), u"wörd"_s);
    int start = 0;
    int end = 0;
    text->selection(0, &start, &end);
    QCOMPARE(start, 6);
    QCOMPARE(end, 10);
    QCOMPARE(text->cursorPosition(), 10);
    QCOMPARE(text->offsetAtPoint(text->characterRect(12).center() - QPoint(2, 0)), 12);
}

void TestTextSurface::theContextMenuSaysWhatCanBeDone()
{
    Shown shown(ansiContent("a \x1b[31mred\x1b[0m"));
    QStringList words;
    connect(&shown.surface, &ui::TextSurface::contextMenuAboutToShow, this, [&](QMenu *menu) {
        for (const QAction *action : menu->actions())
            words << action->text() + (action->isEnabled() ? u""_s : u" -"_s);
    });
    const auto ask = [&] {
        words.clear();
        QContextMenuEvent event(QContextMenuEvent::Mouse, QPoint(20, 10), shown.surface.mapToGlobal(QPoint(20, 10)));
        QApplication::sendEvent(shown.surface.viewport(), &event);
        for (QMenu *menu : shown.surface.findChildren<QMenu *>())
            menu->close();
        return words;
    };
    QCOMPARE(ask(), (QStringList { u"Copy -"_s, u"Copy Without Escape Sequences -"_s, u"Select All"_s }));
    shown.surface.selectAll();
    QCOMPARE(ask(), (QStringList { u"Copy"_s, u"Copy Without Escape Sequences"_s, u"Select All"_s }));
}

void TestTextSurface::tooltipsNameMarks()
{
    const std::string text = std::string("ab\xE2\x80\xAE") + "\xFF" + kLoneSurrogate + "\x1b";
    Shown shown(contentOf(text));
    const auto tipAt = [&](size_t offset) {
        QToolTip::hideText();
        const QPoint at = shown.pointOf(offset) + QPoint(2, 0);
        QHelpEvent event(QEvent::ToolTip, at, shown.surface.viewport()->mapToGlobal(at));
        QApplication::sendEvent(shown.surface.viewport(), &event);
        return QToolTip::text();
    };
    QCOMPARE(tipAt(2), u"Character U+202E"_s);
    QCOMPARE(tipAt(5), u"Byte ff, not UTF-8"_s);
    QCOMPARE(tipAt(6), u"Lone surrogate U+D800"_s);
    QCOMPARE(tipAt(9), u"Character U+001B"_s);
    (void)tipAt(0);
    QVERIFY(QTest::qWaitFor([] { return !QToolTip::isVisible(); }));
}

PALIMPSEST_TEST(TestTextSurface)
#include "tst_text_surface.moc"
