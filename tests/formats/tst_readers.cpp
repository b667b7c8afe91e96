// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/format.h"
#include "tests/session_testing.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>
#include <sys/mman.h>
#include <unistd.h>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

SourcePtr sourceOf(std::string_view bytes) { return Source::own(std::string(bytes), "document"); }

/// The session of a source, read in one append.
Result<SessionPtr> readWhole(const Format &format, const SourcePtr &source)
{
    const auto reader = format.open({});
    if (const auto appended = reader->append(source); !appended)
        return std::unexpected(appended.error());
    return reader->end();
}

/// How two results differ; empty if they do not.
std::string differenceOf(const Result<SessionPtr> &a, const Result<SessionPtr> &b)
{
    if (a && b)
        return testing::differenceOf(**a, **b);
    if (a || b)
        return "only one of them could be read: " + (a ? b : a).error().message;
    return a.error().message == b.error().message ? "" : a.error().message + " | " + b.error().message;
}

/// What a snapshot shows: the lines that are complete, or all there is. Before a document is known as one, nothing.
enum class Shows : uint8_t { Lines, All, Unknown };

/// Feeds a reader with what a file holds at these ends, one after the other, and compares every snapshot, and the end,
/// with the session of a file that holds just that. Returns the first difference.
std::string feed(const Format &format, std::string_view bytes, std::vector<size_t> ends, Shows shows = Shows::Lines)
{
    ends.push_back(bytes.size());
    std::ranges::sort(ends);
    const auto reader = format.open({});
    Result<SessionPtr> expected;
    size_t expectedSize = std::string_view::npos;
    for (const size_t end : ends) {
        const std::string_view now = bytes.substr(0, end);
        if (!reader->append(sourceOf(now)))
            return "an append failed";
        const auto snapshot = reader->snapshot();
        if (shows == Shows::Unknown)
            continue;
        const std::string_view complete = shows == Shows::Lines ? now.substr(0, now.rfind('\n') + 1) : now;
        if (complete.size() != expectedSize)
            expected = readWhole(format, sourceOf(complete));
        expectedSize = complete.size();
        if (snapshot && (*snapshot)->isComplete)
            return "a snapshot calls itself complete";
        const std::string difference = differenceOf(snapshot, expected);
        if (!difference.empty())
            return "the snapshot at byte " + std::to_string(end) + " is not the file cut there: " + difference;
    }
    return differenceOf(reader->end(), readWhole(format, sourceOf(bytes)));
}

/// Places to cut at: anywhere, and where it hurts.
std::vector<size_t> someEnds(std::mt19937_64 &random, std::string_view bytes, size_t count)
{
    std::vector<size_t> ends;
    const auto below = [&](size_t limit) { return static_cast<size_t>(random() % limit); };
    for (size_t i = 0; i < count; ++i) {
        const size_t at = below(bytes.size() + 1);
        switch (below(5)) {
        case 0: // around a line feed: before it, between CR and LF, behind it
            ends.push_back(std::min(bytes.find('\n', at), bytes.size() - 1) + below(2));
            break;
        case 1: { // inside of a character
            const auto *tail = std::ranges::find_if(
                bytes.substr(at), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; });
            ends.push_back(static_cast<size_t>(tail - bytes.begin()));
            break;
        }
        default:
            ends.push_back(at);
        }
    }
    return ends;
}

std::string withCarriageReturns(std::string_view text)
{
    std::string result;
    for (const char c : text)
        result += c == '\n' ? std::string("\r\n") : std::string(1, c);
    return result;
}

const Format *formatNamed(std::string_view id)
{
    const auto all = formats();
    return *std::ranges::find(all, id, [](const Format *each) { return each->id; });
}

Shows shownOf(const Format &format, const QString &file)
{
    static constexpr std::array<std::string_view, 14> kLineFormats { "claude-code", "claude-sdk-stream", "codex", "pi",
        "gemini-cli-log", "qwen-code", "copilot-cli", "kimi-cli", "kiro-cli", "cursor", "goose-log", "droid",
        "grok-cli", "antigravity" };
    if (format.id == "codex" && file.endsWith(u".json"_s))
        return Shows::Unknown;
    return std::ranges::find(kLineFormats, format.id) != kLineFormats.end() ? Shows::Lines : Shows::All;
}

/// Records of Claude Code that hang on each other in every way: on earlier and later ones, on none, on themselves; in
/// threads of many kinds, with copies, compactions and clearings, responses in parts and results of parallel calls.
class ClaudeLines final {
public:
    explicit ClaudeLines(uint64_t seed)
        : m_random(seed)
        , m_isTidy(below(3) == 0)
        , m_isSidechainOnly(below(6) == 0)
    {
    }

    std::string some(size_t count)
    {
        std::string text;
        m_count = count;
        for (size_t i = 0; i < count; ++i)
            text += record(i) + "\n";
        return text;
    }

private:
    size_t below(size_t limit) { return static_cast<size_t>(m_random() % limit); }
    bool once(size_t in) { return below(in) == 0; }

    static std::string quoted(const std::string &text) { return '"' + text + '"'; }

    std::string parentOf(size_t i)
    {
        if (i == 0 || once(20))
            return "null";
        if (m_isTidy || !once(8))
            return quoted("u" + std::to_string(i - 1));
        if (once(3))
            return quoted("gone" + std::to_string(below(4)));
        return quoted("u" + std::to_string(below(m_count)));
    }

    std::string thread()
    {
        std::string text = R"(,"isSidechain":)";
        const bool isSide = m_isSidechainOnly || (!m_isTidy && once(4));
        text += isSide ? "true" : "false";
        if (isSide && once(2))
            text += R"(,"agentId":"a)" + std::to_string(below(3)) + '"';
        if (isSide && once(3))
            text += R"(,"parentToolUseID":"t)" + std::to_string(below(9)) + '"';
        return text;
    }

    std::string content(bool isUser)
    {
        const std::string number = std::to_string(below(12));
        if (once(3))
            return quoted(once(4) ? "<system-reminder>" + number : "text " + number);
        if (isUser)
            return R"([{"type":"tool_result","tool_use_id":"t)" + number + R"(","content":"result"}])";
        return R"([{"type":"tool_use","id":"t)" + number + R"(","name":"Tool","input":{"file_path":"/f"}}])";
    }

    std::string record(size_t i)
    {
        const size_t self = !m_isTidy && once(25) ? below(i + 1) : i;
        std::string text = R"({"uuid":"u)" + std::to_string(self) + '"';
        if (m_isTidy || !once(12))
            text += R"(,"parentUuid":)" + parentOf(i);
        text += thread();
        switch (below(14)) {
        case 0:
            return text + R"(,"type":"system","subtype":"compact_boundary","logicalParentUuid":"u)"
                + std::to_string(below(m_count)) + R"(","compactMetadata":{"trigger":"auto","preTokens":9}})";
        case 1:
            return text
                + R"(,"type":"system","subtype":"microcompact_boundary","microcompactMetadata":{"trigger":"auto",)"
                + R"("compactedToolIds":["t)" + std::to_string(below(12)) + R"(","t)" + std::to_string(below(12))
                + "\"]}}";
        case 2:
            return text + R"(,"type":"progress","data":{"type":"hook"}})";
        default:
            break;
        }
        const bool isUser = once(2);
        text += R"(,"type":")" + std::string(isUser ? "user" : "assistant") + R"(","message":{"role":"x")";
        if (!isUser && !once(5))
            text += R"(,"id":"m)" + std::to_string(i / (1 + below(6))) + R"(","model":"claude-)"
                + std::to_string(below(2)) + R"(","usage":{"input_tokens":5,"output_tokens":)"
                + std::to_string(below(50)) + "}";
        return text + R"(,"content":)" + content(isUser) + "}}";
    }

    std::mt19937_64 m_random;
    bool m_isTidy;
    bool m_isSidechainOnly;
    size_t m_count = 0;
};

/// A session in this format with so many turns.
std::string turns(std::string_view format, size_t first, size_t count)
{
    std::string text;
    const std::string words(300, 'w');
    for (size_t i = first; i < first + count; ++i) {
        const std::string n = std::to_string(i);
        const std::string before = i == 0 ? "null" : "\"a" + std::to_string(i - 1) + '"';
        if (format == "claude-code") {
            text += R"({"type":"user","uuid":"u)" + n + R"(","parentUuid":)" + before
                + R"(,"isSidechain":false,"userType":"external","message":{"role":"user","content":"do )" + words
                + "\"}}\n";
            text += R"({"type":"assistant","uuid":"a)" + n + R"(","parentUuid":"u)" + n
                + R"(","isSidechain":false,"message":{"role":"assistant","id":"m)" + n
                + R"(","content":[{"type":"text","text":")" + words + "\"}]}}\n";
        } else if (format == "codex") {
            const auto item = [&](const std::string &payload) {
                text += R"({"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":)" + payload + "}\n";
            };
            if (i == 0)
                text += R"({"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"s"}})"
                        "\n";
            item(R"({"type":"message","role":"user","content":[{"type":"input_text","text":"do )" + words + "\"}]}");
            item(R"({"type":"message","role":"assistant","content":[{"type":"output_text","text":")" + words + "\"}]}");
        } else {
            if (i == 0)
                text += R"({"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00Z","cwd":"/w"})"
                        "\n";
            text += R"({"type":"message","id":"u)" + n + R"(","parentId":)" + before
                + R"(,"message":{"role":"user","content":"do )" + words + "\"}}\n";
            text += R"({"type":"message","id":"a)" + n + R"(","parentId":"u)" + n
                + R"(","message":{"role":"assistant","content":[{"type":"text","text":")" + words
                + R"("}],"stopReason":"stop"}})"
                  "\n";
        }
    }
    return text;
}

} // namespace

/// Sessions that are read piece by piece are those that are read whole.
class ReadersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void growingFilesAreReadAsWholeOnes_data();
    void growingFilesAreReadAsWholeOnes();
    void recordsThatChangeThePast();
    void everyByteIsAnEnd();
    void anIncompleteLineWaits();
    void anAppendTouchesOnlyWhatWasAppended_data();
    void anAppendTouchesOnlyWhatWasAppended();
};

void ReadersTest::growingFilesAreReadAsWholeOnes_data()
{
    QTest::addColumn<QString>("path");
    for (const std::string &file : testing::corpusFiles())
        QTest::newRow(file.c_str()) << QString::fromStdString((testing::corpus() / file).string());
    const QDir samples(QString::fromUtf8(PALIMPSEST_SOURCE_DIR) + u"/tests/samples/malformed"_s);
    for (const QFileInfo &file : samples.entryInfoList(QDir::Files))
        QTest::newRow(qPrintable(file.fileName())) << file.filePath();
}

void ReadersTest::growingFilesAreReadAsWholeOnes()
{
    QFETCH(QString, path);
    const auto source = Source::open(path.toStdString());
    QVERIFY(source);
    const auto format = recognise((*source)->bytes(), "document");
    if (!format)
        return;
    std::mt19937_64 random = seededRandom();
    random.discard(qHash(QFileInfo(path).fileName()) % 1000);
    std::string bytes((*source)->bytes());
    if (random() % 4 == 0)
        bytes = withCarriageReturns(bytes);
    const Shows shows = shownOf(**format, path);
    const int count = bytes.size() > 1'000'000 || shows != Shows::Lines ? 2 : bytes.size() > 20'000 ? 6 : 40;
    const std::vector<size_t> ends = someEnds(random, bytes, static_cast<size_t>(caseCount(count)));
    QCOMPARE(feed(**format, bytes, ends, shows), "");
}

/// Later records may change what the earlier ones mean.
void ReadersTest::recordsThatChangeThePast()
{
    std::mt19937_64 random = seededRandom();
    for (int round = 0; round < caseCount(400); ++round) {
        const std::string text = ClaudeLines(random()).some(5 + random() % 40);
        std::vector<size_t> ends;
        for (size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) {
            if (random() % 3 != 0)
                ends.push_back(at + 1);
        }
        const std::string difference = feed(*formatNamed("claude-code"), text, ends);
        QVERIFY2(difference.empty(), (difference + "\n" + text).c_str());
    }
}

void ReadersTest::everyByteIsAnEnd()
{
    for (const std::string_view id : { "claude-code", "codex", "pi" }) {
        const std::string text = "\xEF\xBB\xBF" + withCarriageReturns(turns(id, 0, 2)) + "\n";
        std::vector<size_t> ends;
        for (size_t end = 0; end < text.size(); ++end)
            ends.push_back(end);
        QCOMPARE(feed(*formatNamed(id), text, ends), "");
    }
}

/// Only the end reports what is incomplete; a writer may be at work until then.
void ReadersTest::anIncompleteLineWaits()
{
    for (const std::string_view id : { "claude-code", "codex", "pi" }) {
        const std::string text = turns(id, 0, 3);
        const auto reader = formatNamed(id)->open({});
        QVERIFY(reader->append(sourceOf(text.substr(0, text.size() - 20))));
        const auto snapshot = reader->snapshot();
        QVERIFY(snapshot);
        QCOMPARE((*snapshot)->messages.size(), 5U);
        QCOMPARE(testing::diagnosticsOf(**snapshot), "");
        const auto end = reader->end();
        QVERIFY(end);
        QCOMPARE((*end)->messages.size(), 5U);
        QVERIFY(testing::diagnosticsOf(**end).contains("The last record is cut off"));
        QVERIFY(!(*snapshot)->isComplete && (*end)->isComplete);
    }
}

void ReadersTest::anAppendTouchesOnlyWhatWasAppended_data()
{
    QTest::addColumn<QByteArray>("id");
    for (const char *id : { "claude-code", "codex", "pi" })
        QTest::newRow(id) << QByteArray(id);
}

/// The pages of what was read before are taken away while the reader reads on: one look at them would be a crash.
void ReadersTest::anAppendTouchesOnlyWhatWasAppended()
{
    QFETCH(QByteArray, id);
    const QTemporaryDir folder;
    const std::string path = folder.filePath(u"session.jsonl"_s).toStdString();
    const auto write = [&](const std::string &text) { std::ofstream(path, std::ios::binary | std::ios::app) << text; };
    const std::string before = turns(id.toStdString(), 0, 400);
    write(before);
    auto source = Source::open(path);
    QVERIFY(source);
    const Format &format = *formatNamed(id.toStdString());
    const auto reader = format.open({});
    QVERIFY(reader->append(*source));
    QVERIFY(reader->snapshot());

    SessionPtr last;
    size_t size = before.size();
    for (size_t turn = 400; turn < 410; ++turn) {
        write(turns(id.toStdString(), turn, 1));
        auto grown = (*source)->reopen();
        QVERIFY(grown && (*grown)->isMapped());
        const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
        void *pages = const_cast<char *>((*grown)->bytes().data());
        QCOMPARE(::mprotect(pages, size / page * page, PROT_NONE), 0);
        QVERIFY(reader->append(*grown));
        const auto snapshot = reader->snapshot();
        QCOMPARE(::mprotect(pages, size / page * page, PROT_READ), 0);
        QVERIFY(snapshot);
        QCOMPARE((*snapshot)->messages.size(), 2 * (turn + 1));
        last = *snapshot;
        size = (*grown)->bytes().size();
        source = grown;
    }
    const auto whole = readWhole(format, *source);
    QVERIFY(whole);
    QCOMPARE(testing::differenceOf(*last, **whole), "");
}

PALIMPSEST_TEST(ReadersTest)
#include "tst_readers.moc"
