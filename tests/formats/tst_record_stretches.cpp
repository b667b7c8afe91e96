// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/text.h"
#include "core/formats/reading/format.h"
#include "core/formats/reading/record_stretches.h"
#include "tests/session_testing.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <fstream>
#include <random>
#include <thread>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

/// What a visitor saw of one record.
struct Seen {
    uint64_t line = 0;
    uint64_t offset = 0;
    std::string bytes;
    std::string members;
    friend bool operator==(const Seen &, const Seen &) = default;
};

Seen seenOf(simdjson::ondemand::object &object, const Record &record)
{
    Seen seen { record.line, record.offset, std::string(record.bytes), {} };
    for (auto field : object) {
        seen.members += std::string_view(field.escaped_key());
        simdjson::ondemand::value value = field.value();
        seen.members += rawJson(value);
    }
    return seen;
}

class SeenStretch final : public StretchReader {
public:
    void read(simdjson::ondemand::object &object, const Record &record) override { m_last = seenOf(object, record); }
    void keep() override { m_seen.push_back(m_last); }
    [[nodiscard]] const std::vector<Seen> &seen() const { return m_seen; }

private:
    std::vector<Seen> m_seen;
    Seen m_last;
};

struct Outcome {
    std::vector<Seen> seen;
    std::vector<std::string> diagnostics;
    friend bool operator==(const Outcome &, const Outcome &) = default;
};

std::vector<std::string> diagnosticsOf(const Session &session)
{
    std::vector<std::string> lines;
    for (const Diagnostic &each : session.diagnostics)
        lines.push_back(std::to_string(each.line) + ": " + each.reason);
    return lines;
}

Outcome oneByOne(const SourcePtr &source)
{
    Outcome outcome;
    SessionBuilder builder;
    const SourceId id = builder.addSource(source);
    forEachRecord(builder, id, { source, nullptr, {} }, [&](simdjson::ondemand::object &object, const Record &record) {
        outcome.seen.push_back(seenOf(object, record));
    });
    outcome.diagnostics = diagnosticsOf(builder.session());
    return outcome;
}

/// Reads what a source holds at these ends, one after the other, and then all of it.
template <typename Feed>
void readGrowing(SessionBuilder &builder, SourceId id, Feed &feed, const SourcePtr &source,
    std::span<const size_t> ends, unsigned threads)
{
    for (const size_t end : ends) {
        builder.replaceSource(id, Source::own(std::string(source->bytes().substr(0, end)), "lines"));
        feed.read({ source, nullptr, {}, threads }, Upto::LineFeed);
    }
    builder.replaceSource(id, source);
    feed.read({ source, nullptr, {}, threads }, Upto::LineFeed);
    feed.read({ source, nullptr, {}, threads }, Upto::End);
}

Outcome oneByOneGrowing(const SourcePtr &source, std::span<const size_t> ends)
{
    Outcome outcome;
    SessionBuilder builder;
    const SourceId id = builder.addSource(source);
    RecordFeed feed(builder, id, [&](simdjson::ondemand::object &object, const Record &record) {
        outcome.seen.push_back(seenOf(object, record));
    });
    readGrowing(builder, id, feed, source, ends, 1);
    outcome.diagnostics = diagnosticsOf(builder.session());
    return outcome;
}

Outcome inStretches(const SourcePtr &source, unsigned threads, std::span<const size_t> ends = {})
{
    Outcome outcome;
    SessionBuilder builder;
    const SourceId id = builder.addSource(source);
    const StretchWork work {
        .make = [](const SourcePtr &) { return std::make_unique<SeenStretch>(); },
        .take =
            [&](StretchReader &stretch, size_t from, size_t to, const StretchPlace &place) {
                for (size_t i = from; i < to; ++i) {
                    outcome.seen.push_back(static_cast<SeenStretch &>(stretch).seen()[i]);
                    outcome.seen.back().line += place.lines + 1;
                    outcome.seen.back().offset += place.bytes;
                }
            },
        .visit = [&](simdjson::ondemand::object &object,
                     const Record &record) { outcome.seen.push_back(seenOf(object, record)); },
        .afterSome = {},
    };
    StretchFeed feed(builder, id, work);
    readGrowing(builder, id, feed, source, ends, threads);
    outcome.diagnostics = diagnosticsOf(builder.session());
    return outcome;
}

/// Lines as real files hold them: most are one record, some are damaged in one of many ways.
class Lines final {
public:
    explicit Lines(uint64_t seed)
        : m_random(seed)
    {
    }

    std::string some(size_t bytes, size_t damagedOfHundred)
    {
        std::string text = below(3) == 0 ? "\xEF\xBB\xBF" : "";
        while (text.size() < bytes)
            text += (below(100) < damagedOfHundred ? damaged() : record()) + (below(9) == 0 ? "\r\n" : "\n");
        if (below(2) == 0)
            text.resize(text.size() - std::min(text.size(), below(300))); // the last line is cut, or its line feed
        return text;
    }

private:
    size_t below(size_t count) { return std::uniform_int_distribution<size_t>(0, count - 1)(m_random); }

    std::string words(size_t most)
    {
        static constexpr std::string_view kParts[] { "if (a) { b(); }", "}{", "\\n", "\\\"", "{\\\"type\\\":", "é", "x",
            "\\u00e9", " } {", "        " };
        std::string text;
        for (size_t k = below(most); k > 0; --k)
            text += kParts[below(std::size(kParts))];
        return text;
    }

    std::string record()
    {
        static constexpr std::string_view kHeads[] { R"({"type":"user")", R"({"parentUuid":null)", R"({"uuid":"u")",
            R"({"a":1)", R"({"timestamp":"t")", R"({ "type":"b")" };
        std::string text(kHeads[below(below(20) == 0 ? std::size(kHeads) : 2)]);
        text += R"(,"n":)" + std::to_string(m_count++) + R"(,"text":")" + words(60) + '"';
        if (below(3) == 0)
            text += R"(,"inner":{"type":"x","list":[1,2,{"b":")" + words(20) + R"("}]})";
        return text + "}";
    }

    std::string damaged()
    {
        std::string text = record();
        switch (below(45) / 4) {
        case 0:
            return text + record();
        case 1:
            return text + "  " + record() + record();
        case 2:
            return text.substr(0, below(text.size())) + record();
        case 3:
            return text.substr(0, below(text.size()));
        case 4:
            return text.substr(below(text.size()));
        case 5:
            text[below(text.size())] = '\0';
            return text;
        case 6:
            text.insert(below(text.size()), "\xFF");
            return text;
        case 7:
            text.insert(below(text.size()), "\t");
            return text;
        case 8:
            return std::string(below(2000), '\0') + text;
        case 9:
            return std::array<const char *, 5> { "", "{}", "[1,2]", "null", "   " }.at(below(5));
        case 10:
            return std::string(2000, '[');
        default:
            return R"({"type":"big","text":")" + std::string(400'000 + below(1'200'000), 'x') + R"("})";
        }
    }

    std::mt19937_64 m_random;
    uint64_t m_count = 0;
};

/// A session in Claude Code's form, of `records` records; one in fifty damaged, some threads of subagents.
std::string claudeSession(size_t records)
{
    std::string text;
    std::string parent = "null";
    for (size_t i = 0; i < records; ++i) {
        const std::string number = std::to_string(i);
        const bool isUser = i % 2 == 0;
        const std::string content = isUser ? R"([{"type":"tool_result","tool_use_id":"t)" + std::to_string(i - 1)
                + R"(","content":")" + std::string(300 + i % 700, 'r') + R"("}])"
                                           : R"([{"type":"tool_use","id":"t)" + number + R"(","name":"Tool)"
                + std::to_string(i % 7) + R"(","input":{"file_path":"/f)" + std::to_string(i / 10) + R"("}}])";
        std::string line = R"({"parentUuid":)" + parent + R"(,"isSidechain":)" + (i % 40 > 35 ? "true" : "false")
            + R"(,"agentId":"a)" + std::to_string(i / 40) + R"(","version":"2.1.)" + std::to_string(i / 1000)
            + R"(","type":")" + (isUser ? "user" : "assistant") + R"(","message":{"role":"x","id":"m)"
            + std::to_string(i / 4) + R"(","model":"model-)" + std::to_string(i % 3) + R"(","content":)" + content
            + R"(},"uuid":"u)" + number + R"("})";
        if (i % 50 == 17)
            line.resize(line.size() / 2);
        if (i % 50 == 31)
            line[line.size() / 2] = '\xFF';
        text += line + (i % 50 == 44 ? "" : "\n");
        parent = "\"u" + number + '"';
    }
    return text;
}

std::string everythingOf(const Session &session)
{
    std::string all;
    for (size_t i = 0; i < session.threads.size(); ++i)
        all += testing::describe(session, i) + "\n";
    for (const Block &block : session.blocks) {
        for (const uint64_t each :
            { uint64_t(block.name.value()), uint64_t(block.callId.value()), uint64_t(block.subject.value()),
                uint64_t(block.message.value()), block.body.offset, uint64_t(block.body.source.value()),
                block.lengths.codePoints, block.recordLine, block.recordOffset, block.recordSize, block.sideBytes })
            all += std::to_string(each) + ' ';
    }
    return all + session.harness + session.model + testing::diagnosticsOf(session);
}

} // namespace

/// Records read in stretches, on several threads, are those that are read one by one.
class RecordStretchesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void stretchesAreReadAsTheWholeIs_data();
    void stretchesAreReadAsTheWholeIs();
    void aSourceThatGrowsIsReadAsTheWholeIs();
    void aMappedFileIsReadAsItsBytesAre();
    void sessionsAreTheSameOnAnyNumberOfThreads();
    void snapshotsArePublishedMeanwhile();
    void cancellingStopsInTheMiddle();
    void whatAThreadThrowsReachesTheCaller();
};

void RecordStretchesTest::stretchesAreReadAsTheWholeIs_data()
{
    QTest::addColumn<size_t>("bytes");
    QTest::addColumn<size_t>("damagedOfHundred");
    QTest::newRow("nothing") << size_t(0) << size_t(0);
    QTest::newRow("one short file") << size_t(3000) << size_t(20);
    QTest::newRow("whole records") << size_t(3'000'000) << size_t(0);
    QTest::newRow("a few damaged ones") << size_t(3'000'000) << size_t(1);
    QTest::newRow("many damaged ones") << size_t(2'000'000) << size_t(20);
}

void RecordStretchesTest::stretchesAreReadAsTheWholeIs()
{
    QFETCH(size_t, bytes);
    QFETCH(size_t, damagedOfHundred);
    std::mt19937_64 random = seededRandom();
    for (int round = 0; round < caseCount(3); ++round) {
        const SourcePtr source = Source::own(Lines(random()).some(bytes, damagedOfHundred), "lines");
        const Outcome expected = oneByOne(source);
        QVERIFY(expected.seen.size() >= bytes / 200000);
        for (const unsigned threads : { 1U, 2U, 5U }) {
            const Outcome found = inStretches(source, threads);
            QCOMPARE(found.seen.size(), expected.seen.size());
            for (size_t i = 0; i < found.seen.size(); ++i) {
                QCOMPARE(found.seen[i].line, expected.seen[i].line);
                QVERIFY(found.seen[i] == expected.seen[i]);
            }
            QCOMPARE(found.diagnostics, expected.diagnostics);
        }
    }
}

void RecordStretchesTest::aSourceThatGrowsIsReadAsTheWholeIs()
{
    std::mt19937_64 random = seededRandom();
    for (int round = 0; round < caseCount(24); ++round) {
        const SourcePtr source = Source::own(Lines(random()).some(round % 6 == 0 ? 900'000 : 9000, 15), "lines");
        const size_t size = source->bytes().size();
        std::vector<size_t> ends;
        for (size_t k = random() % 12; k > 0; --k)
            ends.push_back(random() % (size + 1));
        if (const size_t feed = source->bytes().find('\n', random() % (size + 1)); feed != std::string_view::npos)
            ends.insert(ends.end(), { feed, feed + 1 });
        std::ranges::sort(ends);
        const Outcome expected = oneByOne(source);
        const Outcome alone = oneByOneGrowing(source, ends);
        QCOMPARE(alone.diagnostics, expected.diagnostics);
        QVERIFY(alone == expected);
        const Outcome inParts = inStretches(source, 2, ends);
        QCOMPARE(inParts.diagnostics, expected.diagnostics);
        QVERIFY(inParts == expected);
    }
}

void RecordStretchesTest::sessionsAreTheSameOnAnyNumberOfThreads()
{
    const SourcePtr source = Source::own(claudeSession(8000), "claude.jsonl");
    QVERIFY(source->bytes().size() > 4'000'000);
    const auto alone = loadSession(source, nullptr, {}, 1);
    QVERIFY(alone);
    QVERIFY((*alone)->threads.size() > 10);
    QVERIFY((*alone)->diagnostics.size() > 100);
    const std::string expected = everythingOf(**alone);
    for (const unsigned threads : { 2U, 3U, 8U }) {
        for (int round = 0; round < 3; ++round) {
            const auto session = loadSession(source, nullptr, {}, threads);
            QVERIFY(session);
            QVERIFY(everythingOf(**session) == expected);
        }
    }
}

void RecordStretchesTest::snapshotsArePublishedMeanwhile()
{
    std::string text;
    while (text.size() < 60'000'000)
        text += claudeSession(8000);
    std::vector<SessionPtr> published;
    Progress progress;
    const auto session = loadSession(
        Source::own(std::move(text), "claude.jsonl"), &progress,
        [&](const SessionPtr &each) { published.push_back(each); }, 2);
    QVERIFY(session);
    QVERIFY((*session)->isComplete);
    QCOMPARE(progress.fraction(), 1.0);
    uint64_t last = 0;
    for (const SessionPtr &each : published) {
        QVERIFY(!each->isComplete);
        QVERIFY(each->recordCount > last);
        last = each->recordCount;
        // Names that were added to a snapshot stay apart from those that were read meanwhile.
        QVERIFY(std::ranges::all_of(
            each->blocks, [&](const Block &block) { return each->string(block.callId).starts_with('t'); }));
    }
}

void RecordStretchesTest::aMappedFileIsReadAsItsBytesAre()
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath(u"lines.jsonl"_s).toStdString();
    std::mt19937_64 random = seededRandom();
    const std::string bytes = Lines(random()).some(Source::kMapThreshold + 300'000, 0);
    std::ofstream(path, std::ios::binary) << bytes;
    const auto mapped = Source::open(path);
    QVERIFY(mapped && (*mapped)->isMapped());
    const Outcome found = inStretches(*mapped, 3);
    QVERIFY(!found.seen.empty());
    for (const Seen &each : found.seen)
        QVERIFY(std::string_view(bytes).substr(each.offset).starts_with(each.bytes));
    QVERIFY(found == inStretches(Source::own(bytes, "lines"), 1));
}

void RecordStretchesTest::cancellingStopsInTheMiddle()
{
    const SourcePtr source = Source::own(Lines(1).some(8'000'000, 1), "lines");
    for (const unsigned threads : { 1U, 4U }) {
        SessionBuilder builder;
        const SourceId id = builder.addSource(source);
        Progress progress;
        size_t stretches = 0;
        const StretchWork work {
            .make = [](const SourcePtr &) { return std::make_unique<SeenStretch>(); },
            .take = [](StretchReader &, size_t, size_t, const StretchPlace &) {},
            .visit = [](simdjson::ondemand::object &, const Record &) {},
            .afterSome =
                [&](double share) {
                    QVERIFY(share > 0 && share < 1);
                    if (++stretches == 5)
                        progress.cancel();
                },
        };
        QVERIFY(!StretchFeed(builder, id, work).read({ source, &progress, {}, threads }, Upto::End));
        QCOMPARE(stretches, 5U);
        QVERIFY(progress.fraction() < 0.9);
    }
}

void RecordStretchesTest::whatAThreadThrowsReachesTheCaller()
{
    const SourcePtr source = Source::own(Lines(7).some(4U << 20U, 0), "lines");
    SessionBuilder builder;
    const SourceId id = builder.addSource(source);
    std::atomic_flag hasThrown;
    const StretchWork work {
        .make = [&, caller = std::this_thread::get_id()](const SourcePtr &) -> std::unique_ptr<StretchReader> {
            if (std::this_thread::get_id() == caller) {
                hasThrown.wait(false);
                return std::make_unique<SeenStretch>();
            }
            hasThrown.test_and_set();
            hasThrown.notify_all();
            throw std::runtime_error("no room");
        },
        .take = [](StretchReader &, size_t, size_t, const StretchPlace &) {},
        .visit = [](simdjson::ondemand::object &, const Record &) {},
        .afterSome = {},
    };
    StretchFeed feed(builder, id, work);
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, feed.read({ source, nullptr, {}, 3 }, Upto::End));
}

PALIMPSEST_TEST(RecordStretchesTest)
#include "tst_record_stretches.moc"
