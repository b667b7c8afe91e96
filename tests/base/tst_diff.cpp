// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/text.h"
#include "core/diff/line_diff.h"
#include "core/diff/line_pairs.h"
#include "core/diff/unified_patch.h"
#include "core/diff/word_diff.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <random>

using namespace core;
using namespace Qt::StringLiterals;
using namespace std::string_literals;

namespace {

/// The runs in one line: `=2 -1 +1 ~1/1` for two same lines, a removed, an added and a changed one.
std::string shapeOf(const LineDiff &diff)
{
    std::string shape;
    for (const DiffRun &run : diff.runs) {
        shape += shape.empty() ? "" : " ";
        switch (run.kind) {
        case DiffKind::Same:
            shape += '=';
            break;
        case DiffKind::Removed:
            shape += '-';
            break;
        case DiffKind::Added:
            shape += '+';
            break;
        case DiffKind::Changed:
            shape += '~';
            break;
        }
        shape += std::to_string(run.kind == DiffKind::Added ? run.after.count() : run.before.count());
    }
    return shape;
}

/// A text with its spans in brackets.
std::string marked(std::string_view text, const std::vector<ByteSpan> &spans)
{
    std::string result;
    size_t at = 0;
    for (const ByteSpan &span : spans) {
        result.append(text.substr(at, span.begin - at)).append("[").append(span.of(text)).append("]");
        at = span.end;
    }
    return result.append(text.substr(at));
}

std::string without(std::string_view text, ByteSpan of, const std::vector<ByteSpan> &spans)
{
    std::string result;
    size_t at = of.begin;
    for (const ByteSpan &span : spans) {
        if (span.end <= of.begin || span.begin >= of.end)
            continue;
        result.append(text.substr(at, span.begin - at));
        at = span.end;
    }
    return result.append(text.substr(at, of.end - at));
}

std::string withoutBlanks(std::string_view text)
{
    std::string result;
    for (const char c : text) {
        if (c != ' ' && c != '\t' && c != '\r' && c != '\n')
            result += c;
    }
    return result;
}

/// The first rule that a diff breaks; empty if it keeps them all.
std::string brokenRule(
    std::string_view before, std::string_view after, const LineDiff &diff, Whitespace whitespace = Whitespace::Exact)
{
    std::string beforeAgain;
    std::string afterAgain;
    std::string applied; // before, with the differences put in
    size_t beforeLine = 0;
    size_t afterLine = 0;
    size_t removed = 0;
    size_t added = 0;
    const DiffRun *last = nullptr;
    for (const DiffRun &run : diff.runs) {
        if (run.before.first != beforeLine || run.after.first != afterLine)
            return "a run does not begin where the one before ended";
        beforeLine = run.before.end;
        afterLine = run.after.end;
        if (run.before.isEmpty() && run.after.isEmpty())
            return "a run is empty";
        if (last != nullptr && last->kind == run.kind)
            return "neighbours of one kind are two runs";
        last = &run;
        const std::string_view beforeBytes = diff.before.span(run.before).of(before);
        const std::string_view afterBytes = diff.after.span(run.after).of(after);
        beforeAgain += beforeBytes;
        afterAgain += afterBytes;
        applied += run.kind == DiffKind::Same && whitespace == Whitespace::Exact ? beforeBytes : afterBytes;
        switch (run.kind) {
        case DiffKind::Same:
            if (run.before.count() != run.after.count())
                return "same lines are not as many on both sides";
            if (whitespace == Whitespace::Exact && beforeBytes != afterBytes)
                return "same lines differ";
            if (withoutBlanks(beforeBytes) != withoutBlanks(afterBytes))
                return "same lines differ by more than blanks";
            break;
        case DiffKind::Removed:
            if (!run.after.isEmpty())
                return "a removed run has lines after";
            break;
        case DiffKind::Added:
            if (!run.before.isEmpty())
                return "an added run has lines before";
            break;
        case DiffKind::Changed:
            if (run.before.count() != run.after.count())
                return "changed lines are not as many on both sides";
            break;
        }
        if (run.kind != DiffKind::Same) {
            removed += run.before.count();
            added += run.after.count();
        }
    }
    if (beforeLine != diff.before.count() || afterLine != diff.after.count())
        return "lines are left over";
    if (beforeAgain != before || afterAgain != after || applied != after)
        return "the rows are not the texts";
    if (removed != diff.removedCount || added != diff.addedCount)
        return "the counts are wrong";

    for (const auto &[spans, text] : { std::pair(&diff.beforeWords, before), std::pair(&diff.afterWords, after) }) {
        const bool isUtf8 = isValidUtf8(text);
        for (size_t i = 0; i < spans->size(); ++i) {
            const ByteSpan span = (*spans)[i];
            if (span.begin >= span.end || span.end > text.size())
                return "a span is empty or outside";
            if (i > 0 && span.begin < (*spans)[i - 1].end)
                return "spans overlap";
            const auto splits = [&](size_t at) {
                return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
            };
            if (isUtf8 && (splits(span.begin) || splits(span.end)))
                return "a span splits a character";
        }
    }
    for (const DiffRun &run : diff.runs) {
        for (size_t i = 0; run.kind == DiffKind::Changed && i < run.before.count(); ++i) {
            const ByteSpan beforeSpan = diff.before.span(run.before.first + i);
            const ByteSpan afterSpan = diff.after.span(run.after.first + i);
            if (without(before, beforeSpan, diff.beforeWords) != without(after, afterSpan, diff.afterWords))
                return "what is not marked differs";
        }
    }
    size_t inRuns = 0;
    for (const Difference &difference : diff.differences) {
        if (difference.firstRun >= difference.endRun || difference.endRun > diff.runs.size())
            return "a difference has no runs";
        for (size_t i = difference.firstRun; i < difference.endRun; ++i, ++inRuns) {
            if (diff.runs[i].kind == DiffKind::Same)
                return "a difference holds same lines";
        }
        if (difference.before
            != LineRange { diff.runs[difference.firstRun].before.first, diff.runs[difference.endRun - 1].before.end })
            return "a difference has other lines than its runs";
        if (difference.endRun < diff.runs.size() && diff.runs[difference.endRun].kind != DiffKind::Same)
            return "two differences touch";
    }
    const auto isDifferent = [](const DiffRun &run) { return run.kind != DiffKind::Same; };
    if (inRuns != static_cast<size_t>(std::ranges::count_if(diff.runs, isDifferent)))
        return "a run is in no difference";
    return {};
}

std::string lines(size_t count, const std::function<std::string(size_t)> &line)
{
    std::string text;
    for (size_t i = 0; i < count; ++i)
        text += line(i) + "\n";
    return text;
}

class Texts final {
public:
    explicit Texts(std::mt19937_64 &random)
        : m_random(random)
    {
    }

    size_t below(size_t count) { return std::uniform_int_distribution<size_t>(0, count - 1)(m_random); }

    std::string word()
    {
        static const std::array<std::string, 20> kWords { "a", "b", "return", "x1", " ", "  ", "\t", "(", ")", "é", "è",
            "中", "文", "😀", "\xC3", "\xA9", "\xED\xA0\xBD", "\0"s, "\r", "" };
        return kWords[below(kWords.size())];
    }
    std::string line()
    {
        static const std::array<std::string, 3> kEnds { "\n", "\n", "\r\n" };
        std::string text;
        for (size_t i = below(8); i > 0; --i)
            text += word();
        return text + kEnds[below(kEnds.size())];
    }
    std::string text()
    {
        std::string text;
        for (size_t i = below(30); i > 0; --i)
            text += line();
        return below(2) == 0 ? text + word() : text;
    }
    /// Few changes, as an edit makes them, at any byte.
    std::string edited(std::string text)
    {
        for (size_t i = below(5); i > 0; --i) {
            const size_t at = below(text.size() + 1);
            const size_t size = std::min(below(12), text.size() - at);
            text.replace(at, size, below(3) == 0 ? line() : word());
        }
        return text;
    }

private:
    std::mt19937_64 &m_random;
};

/// Runs git in a folder; returns its exit code, and what it said in `words`.
int runGit(const QString &folder, const QStringList &arguments, QByteArray *words = nullptr)
{
    QProcess git;
    git.setWorkingDirectory(folder);
    git.setProcessChannelMode(QProcess::MergedChannels);
    git.start(u"git"_s, arguments);
    if (!git.waitForFinished())
        return -1;
    if (words != nullptr)
        *words = git.readAll();
    return git.exitCode();
}

bool write(const QString &path, std::string_view bytes)
{
    QDir().mkpath(path.section(u'/', 0, -2));
    QFile file(path);
    return file.open(QIODevice::WriteOnly)
        && file.write(bytes.data(), static_cast<qint64>(bytes.size())) == static_cast<qint64>(bytes.size());
}

} // namespace

class DiffTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void runsSayWhatHappened_data();
    void runsSayWhatHappened();
    void wordsAreMarked_data();
    void wordsAreMarked();
    void blanksCountAsAsked_data();
    void blanksCountAsAsked();
    void theSameLineIsTheOneThatIsAlike();
    void randomTextsKeepEveryRule();
    void randomTextsKeepEveryRuleWhateverBlanksCount();
    void adversarialTextsKeepEveryRuleInTime_data();
    void adversarialTextsKeepEveryRuleInTime();
    void twentyThousandLinesAreCompared();
    void cancelledIsOneDifference();
    void gitAppliesThePatch_data();
    void gitAppliesThePatch();
    void gitAppliesRandomPatches();
    void wrongPathsAreSentences();
};

void DiffTest::runsSayWhatHappened_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<QByteArray>("shape");
    const auto row = [](const char *name, const std::string &before, const std::string &after, const char *shape) {
        QTest::newRow(name) << QByteArray::fromStdString(before) << QByteArray::fromStdString(after)
                            << QByteArray(shape);
    };
    row("two empty texts have no rows", "", "", "");
    row("equal texts are one run", "a\nb\n", "a\nb\n", "=2");
    row("a text from nothing is added", "", "a\nb\n", "+2");
    row("a text to nothing is removed", "a\nb", "", "-2");
    row("an empty line from nothing", "", "\n", "+1");
    row("a line in the middle is added", "a\nb\n", "a\nnew\nb\n", "=1 +1 =1");
    row("a line in the middle is removed", "a\nold\nb\n", "a\nb\n", "=1 -1 =1");
    row("an edited line is changed", "a\nint count = 1;\nb\n", "a\nint count = 2;\nb\n", "=1 ~1 =1");
    row("another line is no edited line", "a\nint count = 1;\nb\n", "a\nxyzzy\nb\n", "=1 -1 +1 =1");
    row("edited lines find their partners", "a\nint count = 1;\nint sum = 0;\nb\n",
        "a\n// what is counted\nint count = 2;\nint sum = 7;\nb\n", "=1 +1 ~2 =1");
    row("a missing final line feed is a change", "a\nlast line\n", "a\nlast line", "=1 ~1");
    row("a new final line feed is a change", "a\nlast line", "a\nlast line\n", "=1 ~1");
    row("two texts without a final line feed", "a\nlast", "b\nlast", "-1 +1 =1");
    row("a line behind one that did not end", "one line", "one line\nmore\n", "~1 +1");
    row("CRLF instead of LF changes every line", "first\nsecond\n", "first\r\nsecond\r\n", "~2");
    row("a lone CR ends no line", "one\rtwo\rthree\n", "one\rtwo\rfour\n", "~1");
    row("NUL bytes are like any other", "a\n\0binary\0here\n"s, "a\n\0binary\0there\n"s, "=1 ~1");
    row("nothing but NUL bytes", "\0\0\0"s, "\0\0\0\0"s, "~1");
    row("invalid UTF-8 is like any other", "a\xFF\xFE\xC3(\n", "a\xFF\xFE\xC3)\n", "~1");
    row("line feeds only", "\n\n\n", "\n\n", "=2 -1");
}

void DiffTest::runsSayWhatHappened()
{
    QFETCH(const QByteArray, before);
    QFETCH(const QByteArray, after);
    QFETCH(const QByteArray, shape);
    const std::string first = before.toStdString();
    const std::string second = after.toStdString();
    const LineDiff diff = diffLines(first, second);
    QCOMPARE(QByteArray::fromStdString(shapeOf(diff)), shape);
    QCOMPARE(brokenRule(first, second, diff), std::string());
    QCOMPARE(diff.isSame(), first == second);
}

void DiffTest::wordsAreMarked_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    const auto row = [](const char *name, const char *before, const char *after) {
        QTest::newRow(name) << QByteArray(before) << QByteArray(after);
    };
    row("one word", "got := link(repo, [sha])", "got := link(repo, [head])");
    row("words with a sign between them are one", "if got != [stable(sha]) {", "if got != [short(head]) {");
    row("what was put in", "f(t, out, sha)", "f(t, out, sha[\x01:7\x02])");
    row("two places apart", "[alpha] beta gamma [delta]", "[one] beta gamma [two]");
    row("words with a common beginning are whole", "call [stable]()", "call [stab]()");
    row("an indent that became a tab", "[    ]x = 1", "[\t]x = 1");
    row("a carriage return", "text", "text[\r]");
    row("no character is split", "a([\xC3\xA9])", "a([\xC3\xA8])");
    row("a word with an accent is one", "[caf\xC3\xA9] au lait", "[caf\xC3\xA8] au lait");
    row("ideographs are words of their own", "中[文]字", "中[国]字");
    row("emoji are words of their own", "a😀[😀]b", "a😀[🎉]b");
    row("stray bytes", "a[\xC3]b", "a[\xC4]b");
    row("nothing in common", "[abc]", "[xyz]");
    row("only added", "", "[abc]");
    row("equal", "abc", "abc");
    row("a word moved from the end to the beginning", "b c[ a]", "[a ]b c");
}

void DiffTest::wordsAreMarked()
{
    QFETCH(const QByteArray, before);
    QFETCH(const QByteArray, after);
    // Brackets mark what differs; \x01 and \x02 stand for brackets of the text.
    const auto plain = [](const QByteArray &marked) {
        QByteArray text = marked;
        text.replace("[", "").replace("]", "").replace('\x01', '[').replace('\x02', ']');
        return text.toStdString();
    };
    const auto asMarked = [](const QByteArray &text) {
        QByteArray marked = text;
        return marked.replace('\x01', '[').replace('\x02', ']').toStdString();
    };
    const std::string first = plain(before);
    const std::string second = plain(after);
    WordDiffer differ;
    std::vector<ByteSpan> beforeSpans;
    std::vector<ByteSpan> afterSpans;
    differ.compare(first, 0, beforeSpans, second, 0, afterSpans);
    QCOMPARE(marked(first, beforeSpans), asMarked(before));
    QCOMPARE(marked(second, afterSpans), asMarked(after));
}

void DiffTest::blanksCountAsAsked_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<int>("whitespace");
    QTest::addColumn<bool>("isSame");
    const auto rows = [](const char *name, const char *before, const char *after, int sameFrom) {
        const std::array<const char *, 4> kNames { "exact", "at the end", "amount", "all" };
        for (int i = 0; i < 4; ++i)
            QTest::addRow("%s: %s", name, kNames[static_cast<size_t>(i)])
                << QByteArray(before) << QByteArray(after) << i << (i >= sameFrom);
    };
    rows("blanks at the end", "a b\nc\n", "a b  \nc\t\n", 1);
    rows("CRLF", "a b\nc\n", "a b\r\nc\r\n", 1);
    rows("a final line feed", "a b\nc", "a b\nc\n", 1);
    rows("another indent", "  a b\nc\n", "    a b\nc\n", 2);
    rows("blanks between signs", "f(a,b)\n", "f( a, b )\n", 3);
    rows("another word", "a b\n", "a c\n", 4);
}

void DiffTest::blanksCountAsAsked()
{
    QFETCH(const QByteArray, before);
    QFETCH(const QByteArray, after);
    QFETCH(const int, whitespace);
    QFETCH(const bool, isSame);
    const auto counted = static_cast<Whitespace>(whitespace);
    const LineDiff diff = diffLines(before.toStdString(), after.toStdString(), { counted, WordMarks::Found });
    QCOMPARE(diff.isSame(), isSame);
    QCOMPARE(brokenRule(before.toStdString(), after.toStdString(), diff, counted), std::string());
}

void DiffTest::theSameLineIsTheOneThatIsAlike()
{
    QCOMPARE(LinePairer::likeness("", ""), 1.0);
    QCOMPARE(LinePairer::likeness("  if (a)\n", "\tif (a)\r\n"), 1.0);
    QCOMPARE(LinePairer::likeness("abc", ""), 0.0);
    QVERIFY(LinePairer::likeness("timeout = 30", "timeout_seconds = 3000") > LinePairer::kAlike);
    QVERIFY(LinePairer::likeness("if got != stable(sha) {", "if got != short(head) {") > LinePairer::kAlike);
    QVERIFY(LinePairer::likeness("return count;", "#include <vector>") < LinePairer::kAlike);
    QCOMPARE(LinePairer::likeness("abcdef", "abcxyz"), LinePairer::likeness("abcxyz", "abcdef"));
}

void DiffTest::randomTextsKeepEveryRule()
{
    std::mt19937_64 random = seededRandom();
    Texts texts(random);
    for (int i = 0; i < caseCount(3000); ++i) {
        const std::string before = texts.text();
        const std::string after = texts.below(4) == 0 ? texts.text() : texts.edited(before);
        const LineDiff diff = diffLines(before, after);
        QCOMPARE(brokenRule(before, after, diff), std::string());
        QCOMPARE(diff.isSame(), before == after);
        // What was removed one way is added the other way.
        const LineDiff back = diffLines(after, before);
        QCOMPARE(brokenRule(after, before, back), std::string());
    }
}

void DiffTest::randomTextsKeepEveryRuleWhateverBlanksCount()
{
    std::mt19937_64 random = seededRandom();
    Texts texts(random);
    for (int i = 0; i < caseCount(2000); ++i) {
        const std::string before = texts.text();
        const std::string after = texts.edited(before);
        const auto whitespace = static_cast<Whitespace>(texts.below(4));
        const LineDiff diff = diffLines(before, after, { whitespace, WordMarks::Found });
        QCOMPARE(brokenRule(before, after, diff, whitespace), std::string());
        const LineDiff plain = diffLines(before, after, { whitespace, WordMarks::None });
        QVERIFY(plain.beforeWords.empty() && plain.afterWords.empty());
        QCOMPARE(plain.removedCount, diff.removedCount);
        QCOMPARE(plain.addedCount, diff.addedCount);
    }
}

void DiffTest::adversarialTextsKeepEveryRuleInTime_data()
{
    QTest::addColumn<int>("shape");
    const std::array<const char *, 10> kNames { "two lines of 12.8 million characters without blanks",
        "two lines of 12.8 million characters of words, one of them another", "twenty thousand lines, all others",
        "twenty thousand lines of three kinds, shuffled", "twenty thousand lines, every one edited",
        "twenty thousand lines, reversed", "two lines of forty thousand words, all others",
        "two lines of forty thousand words, every second another", "one line became twenty thousand",
        "two thousand pairs of lines of hundreds of words" };
    for (size_t i = 0; i < kNames.size(); ++i)
        QTest::newRow(kNames[i]) << static_cast<int>(i);
}

void DiffTest::adversarialTextsKeepEveryRuleInTime()
{
    QFETCH(const int, shape);
    std::mt19937_64 random = seededRandom();
    Texts texts(random);
    const auto of = [](size_t count, const std::function<std::string(size_t)> &line) { return lines(count, line); };
    std::string before;
    std::string after;
    constexpr size_t kLong = 12'800'000;
    switch (shape) {
    case 0:
        before = std::string(kLong, 'x');
        after = before;
        after[kLong / 2] = 'y';
        break;
    case 1:
        for (size_t i = 0; before.size() < kLong; ++i)
            before += "word" + std::to_string(i % 1000) + " ";
        after = before;
        after.replace(kLong / 2, 3, "new");
        break;
    case 2:
        before = of(20'000, [](size_t i) { return "line " + std::to_string(i) + " of the one"; });
        after = of(20'000, [](size_t i) { return "Zeile " + std::to_string(i * 7) + "!"; });
        break;
    case 3:
        before = of(20'000, [&](size_t) { return std::string(1 + texts.below(3), '}'); });
        after = of(20'000, [&](size_t) { return std::string(1 + texts.below(3), '}'); });
        break;
    case 4:
        before = of(20'000, [](size_t i) { return "    value[" + std::to_string(i) + "] = compute(first, second);"; });
        after = of(20'000, [](size_t i) { return "    value[" + std::to_string(i) + "] = compute(first, third, 2);"; });
        break;
    case 5:
        before = of(20'000, [](size_t i) { return "line " + std::to_string(i); });
        after = of(20'000, [](size_t i) { return "line " + std::to_string(19'999 - i); });
        break;
    case 6:
    case 7:
        for (size_t i = 0; i < 40'000; ++i) {
            before += "w" + std::to_string(i % 9973) + " ";
            after += (shape == 7 && i % 2 == 0 ? "w" : "v") + std::to_string(i % 9973) + " ";
        }
        break;
    case 8:
        before = "only line\n";
        after = of(20'000, [](size_t i) { return "line " + std::to_string(i); });
        break;
    case 9:
        before = of(2'000, [&](size_t i) {
            std::string line = std::to_string(i);
            for (int word = 0; word < 300; ++word)
                line += " a" + std::to_string(texts.below(10));
            return line;
        });
        after = of(2'000, [&](size_t i) {
            std::string line = std::to_string(i);
            for (int word = 0; word < 300; ++word)
                line += " a" + std::to_string(texts.below(10));
            return line;
        });
        break;
    default:
        break;
    }
    const LineDiff diff = diffLines(before, after); // in quadratic time it would take minutes
    QCOMPARE(brokenRule(before, after, diff), std::string());
    QVERIFY(!diff.isSame());
}

void DiffTest::twentyThousandLinesAreCompared()
{
    const std::string before = lines(20'000,
        [](size_t i) { return "    value[" + std::to_string(i * 7919 % 20'011) + "] = compute(first, second);"; });
    std::string after = lines(20'000, [](size_t i) {
        return "    value[" + std::to_string(i * 7919 % 20'011) + "] = " + (i % 20 == 0 ? "make" : "compute")
            + "(first, second);";
    });
    const LineDiff diff = diffLines(before, after);
    QCOMPARE(brokenRule(before, after, diff), std::string());
    QCOMPARE(diff.differences.size(), size_t(1000));
    QCOMPARE(diff.beforeWords.size(), size_t(1000));
}

void DiffTest::cancelledIsOneDifference()
{
    Progress progress;
    progress.cancel();
    const std::string before = "a\nb\nc\nd\n";
    const std::string after = "a\nx\nc\ny\nd\n";
    const LineDiff diff = diffLines(before, after, {}, &progress);
    QCOMPARE(shapeOf(diff), "=1 -2 +3 =1"s);
    QCOMPARE(brokenRule(before, after, diff), std::string());
}

void DiffTest::gitAppliesThePatch_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<bool>("isNew");
    QTest::addColumn<bool>("isGone");
    const auto row = [](const char *name, const std::string &before, const std::string &after,
                         const QString &path = u"src/a.txt"_s) {
        QTest::newRow(name) << path << QByteArray::fromStdString(before) << QByteArray::fromStdString(after) << false
                            << false;
    };
    row("one line", "a\nb\nc\n", "a\nB\nc\n");
    row("the final line feed goes", "a\nb\n", "a\nb");
    row("the final line feed comes", "a\nb", "a\nb\n");
    row("CRLF", "a\r\nb\r\n", "a\r\nc\r\n");
    row("lone CR", "a\rb\n", "a\rc\n");
    row("invalid UTF-8", "\xFF\xFE\n", "\xFF\xFD\n");
    row("from an empty file", "", "a\n");
    row("to an empty file", "a\n", "");
    row("two places", lines(40, [](size_t i) { return std::to_string(i); }),
        lines(40, [](size_t i) { return std::to_string(i == 3 || i == 30 ? 1000 + i : i); }));
    row("a path with blanks", "a\n", "b\n", u"a folder/a file.txt"_s);
    row("a path that must be quoted", "a\n", "b\n", u"a\tb\"c.txt"_s);
    row("a path that is not ASCII", "a\n", "b\n", u"Ordner/übung.txt"_s);
    row("an absolute path", "a\n", "b\n", u"/srv/a.txt"_s);
    QTest::newRow("a new file") << u"src/new.txt"_s << QByteArray() << QByteArray("a\nb\n") << true << false;
    QTest::newRow("a file that goes") << u"src/old.txt"_s << QByteArray("a\nb\n") << QByteArray() << false << true;
}

void DiffTest::gitAppliesThePatch()
{
    if (QStandardPaths::findExecutable(u"git"_s).isEmpty())
        QSKIP("git is not here.");
    QFETCH(const QString, path);
    QFETCH(const QByteArray, before);
    QFETCH(const QByteArray, after);
    QFETCH(const bool, isNew);
    QFETCH(const bool, isGone);
    const QTemporaryDir folder;
    QCOMPARE(runGit(folder.path(), { u"init"_s, u"-q"_s }), 0);
    const QString relative = path.startsWith(u'/') ? path.mid(1) : path;
    const QString file = folder.filePath(relative);
    if (!isNew)
        QVERIFY(write(file, before.toStdString()));
    const std::string first = before.toStdString();
    const std::string second = after.toStdString();
    const auto patch = unifiedPatch(path.toStdString(), isNew ? std::nullopt : std::optional<std::string_view>(first),
        isGone ? std::nullopt : std::optional<std::string_view>(second));
    QVERIFY2(patch.has_value(), patch ? "" : patch.error().sentence().c_str());
    QVERIFY(write(folder.filePath(u"change.patch"_s), *patch));
    QByteArray words;
    const int status = runGit(folder.path(), { u"apply"_s, u"--whitespace=nowarn"_s, u"change.patch"_s }, &words);
    QVERIFY2(status == 0, (words + "\n" + QByteArray::fromStdString(*patch)).constData());
    QFile result(file);
    QCOMPARE(result.exists(), !isGone);
    if (!isGone) {
        QVERIFY(result.open(QIODevice::ReadOnly));
        QCOMPARE(result.readAll(), after);
    }
}

void DiffTest::gitAppliesRandomPatches()
{
    if (QStandardPaths::findExecutable(u"git"_s).isEmpty())
        QSKIP("git is not here.");
    const QTemporaryDir folder;
    QCOMPARE(runGit(folder.path(), { u"init"_s, u"-q"_s }), 0);
    std::mt19937_64 random = seededRandom();
    Texts texts(random);
    for (int i = 0; i < caseCount(25); ++i) {
        const std::string before = texts.text();
        const std::string after = texts.edited(before);
        const auto patch = unifiedPatch("a.txt", before, after, static_cast<uint32_t>(texts.below(5)));
        QVERIFY(patch.has_value());
        QCOMPARE(patch->empty(), before == after);
        if (patch->empty())
            continue;
        QVERIFY(write(folder.filePath(u"a.txt"_s), before));
        QVERIFY(write(folder.filePath(u"change.patch"_s), *patch));
        QByteArray words;
        const int status = runGit(
            folder.path(), { u"apply"_s, u"--unidiff-zero"_s, u"--whitespace=nowarn"_s, u"change.patch"_s }, &words);
        QVERIFY2(status == 0, (words + "\n" + QByteArray::fromStdString(*patch)).constData());
        QFile result(folder.filePath(u"a.txt"_s));
        QVERIFY(result.open(QIODevice::ReadOnly));
        QCOMPARE(result.readAll().toStdString(), after);
    }
}

void DiffTest::wrongPathsAreSentences()
{
    for (const std::string &path : { ""s, "/"s, "a\0b"s }) {
        const auto patch = unifiedPatch(path, "a\n", "b\n");
        QVERIFY(!patch.has_value());
        QCOMPARE(patch.error().kind, ErrorKind::Usage);
    }
    QCOMPARE(unifiedPatch("a.txt", "same\n", "same\n").value(), std::string());
    QCOMPARE(unifiedPatch("a.txt", std::nullopt, std::nullopt).value(), std::string());
}

PALIMPSEST_TEST(DiffTest)
#include "tst_diff.moc"
