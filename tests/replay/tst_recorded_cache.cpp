// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/cache/recorded_cache.h"
#include "core/formats/reading/format.h"
#include "core/tokens/weights.h"
#include "tests/recorded_session.h"
#include "tests/replay/cache_report.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"

#include <QTest>

#include <filesystem>
#include <format>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

/// A Claude session whose calls are given their usage one by one.
class ClaudeRecording final {
public:
    ClaudeRecording() { recording.builder().session().model = "claude-opus-4-5-20251101"; }

    void call(Usage usage)
    {
        recording.reply("an answer", usage.prompt());
        m_usages.push_back(usage);
    }
    RecordedCache finish()
    {
        std::vector<Call> &calls = recording.builder().thread(ThreadIndex(0)).calls;
        for (size_t i = 0; i < calls.size(); ++i) {
            calls[i].usage = m_usages[i];
            calls[i].responseId = recording.builder().intern("response " + std::to_string(i));
        }
        session = recording.finish();
        return recordedCache(*session, *oneTokenACharacter(*session));
    }

    RecordedSession recording;
    SessionPtr session;

private:
    std::vector<Usage> m_usages;
};

QString causesOf(const RecordedCache &cache)
{
    QStringList causes;
    for (const RecordedCacheCall &call : cache.calls)
        causes.push_back(u"%1/%2%3"_s.arg(QString::fromUtf8(nameOf(call.predicted.cause)),
            QString::fromUtf8(nameOf(call.found)), call.isRight() ? QString() : u" wrong"_s));
    return causes.join(u", ");
}

/// What an answer of Claude read, wrote, and sent behind its last mark.
struct ClaudeFigures {
    uint64_t read = 0;
    uint64_t written = 0;
    bool isForAnHour = false;
    uint64_t uncached = 0;
};

/// A Claude Code file, record by record; its shape is that of version 2.1.
class ClaudeLog final {
public:
    ClaudeLog &wait(Timestamp milliseconds)
    {
        m_time += milliseconds;
        return *this;
    }
    void typed(const std::string &text) { record("user", R"({"role":"user","content":")" + text + R"("})"); }
    void injected(const std::string &text)
    {
        record("user", R"({"role":"user","content":[{"type":"text","text":")" + text + R"("}]})", R"("isMeta":true,)");
    }
    /// An answer with so many blocks in its one record.
    void answer(ClaudeFigures figures, int blocks = 1)
    {
        std::string content;
        for (int i = 0; i < blocks; ++i)
            content += std::format(R"({}{{"type":"text","text":"answer {}.{}"}})", i > 0 ? "," : "", m_count, i);
        response(m_count, content, figures);
    }
    /// An answer in two records, of which the first is a thought.
    void thoughtfulAnswer(ClaudeFigures figures)
    {
        const int id = m_count;
        response(id, std::format(R"({{"type":"thinking","thinking":"thought {}","signature":"Zm9v"}})", id), figures);
        response(id, std::format(R"({{"type":"text","text":"answer {}"}})", id), figures);
    }
    RecordedCache finish()
    {
        const Result<SessionPtr> session = testing::load(m_text);
        if (!session || (*session)->format != "claude-code")
            qFatal("This is no Claude Code file.");
        return recordedCache(**session, *roughTokens(**session));
    }

private:
    /// One record of the response `id`.
    void response(int id, const std::string &content, ClaudeFigures figures)
    {
        const uint64_t hour = figures.isForAnHour ? figures.written : 0;
        const std::string lifetimes = std::format(
            R"({{"ephemeral_5m_input_tokens":{},"ephemeral_1h_input_tokens":{}}})", figures.written - hour, hour);
        const std::string usage = std::format(
            R"({{"input_tokens":{},"cache_read_input_tokens":{},"cache_creation_input_tokens":{},"cache_creation":{},"output_tokens":5}})",
            figures.uncached, figures.read, figures.written, lifetimes);
        record("assistant",
            std::format(
                R"({{"model":"claude-opus-4-5-20251101","id":"msg_{}","type":"message","role":"assistant","content":[{}],"usage":{}}})",
                id, content, usage));
    }
    void record(const std::string &type, const std::string &message, const std::string &more = {})
    {
        const std::string parent = m_count == 0 ? "null" : std::format("\"u{}\"", m_count);
        ++m_count;
        m_text += std::format(
            R"({{"parentUuid":{},"isSidechain":false,{}"sessionId":"s","version":"2.1.20","type":"{}","message":{},"uuid":"u{}","timestamp":"{}"}})",
            parent, more, type, message, m_count, isoTime(m_time += 1000));
        m_text += "\n";
    }

    std::string m_text;
    Timestamp m_time = 1'770'000'000'000;
    int m_count = 0;
};

/// A file of pi that begins with thinking off.
class PiLog final {
public:
    PiLog() { line("session", R"("id":"s","cwd":"/home/user","thinkingLevel":"off")"); }

    void level(const std::string &name) { line("thinking_level_change", R"("thinkingLevel":")" + name + '"'); }
    void typed(const std::string &words)
    {
        line("message", R"("message":{"role":"user","content":[{"type":"text","text":")" + words + R"("}]})");
    }
    void answer(uint64_t read, uint64_t written)
    {
        const std::string usage
            = std::format(R"({{"input":0,"output":5,"cacheRead":{},"cacheWrite":{}}})", read, written);
        line("message",
            R"("message":{"role":"assistant","content":[{"type":"text","text":"done"}],"model":"claude-opus-4-5","provider":"anthropic","stopReason":"stop","usage":)"
                + usage + '}');
    }

    std::string text;

private:
    void line(const std::string &type, const std::string &members)
    {
        text += std::format(R"({{"type":"{}","timestamp":"{}",{}}})", type, isoTime(m_time += 1000), members) + "\n";
    }

    Timestamp m_time = 1'770'000'000'000;
};

/// A Codex file that does not name its model.
class CodexLog final {
public:
    CodexLog()
    {
        line("session_meta", R"({"id":"s","cwd":"/home/user","originator":"codex_cli_rs","cli_version":"0.50.0"})");
    }

    void user(const std::string &words)
    {
        item(R"({"type":"message","role":"user","content":[{"type":"input_text","text":")" + words + R"("}]})");
    }
    void result()
    {
        item(std::format(R"({{"type":"function_call_output","call_id":"c{}","output":"done"}})", m_count));
    }
    /// Thinks and calls a tool.
    void answer(uint64_t input, uint64_t cached)
    {
        ++m_count;
        item(R"({"type":"reasoning","summary":[],"content":null,"encrypted_content":"Zm9v"})");
        item(std::format(R"({{"type":"function_call","name":"shell","arguments":"{{}}","call_id":"c{}"}})", m_count));
        const std::string last
            = std::format(R"({{"input_tokens":{},"cached_input_tokens":{},"output_tokens":7,"total_tokens":{}}})",
                input, cached, input + 7);
        line("event_msg",
            std::format(
                R"({{"type":"token_count","info":{{"total_token_usage":{{"input_tokens":{}}},"last_token_usage":{}}}}})",
                m_count, last));
    }

    std::string text;

private:
    void item(const std::string &payload) { line("response_item", payload); }
    void line(const std::string &type, const std::string &payload)
    {
        text += std::format(R"({{"timestamp":"{}","type":"{}","payload":{}}})", isoTime(m_time += 1000), type, payload)
            + "\n";
    }

    Timestamp m_time = 1'770'000'000'000;
    int m_count = 0;
};

} // namespace

/// Recorded calls beside what the cache model says of them: on small logs, and on the corpus.
class RecordedCacheTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRecordedThreadIsFollowed();
    void whatTheLogDoesNotHoldIsNamed();
    void anEntryThatRanOutIsIdle();
    void aReportCountsResponsesOnce();
    void writesAreKeptAsLongAsTheirRecordsSay();
    void aLifetimeEndsWhenTheNextRequestIsSent();
    void whatIsKeptAllTheSameHasACause();
    void aSkillRunsUnderOtherOptions();
    void aSkillUnderWhichTheModelThinksHasTheUsualOptions();
    void thoughtsAreNotSentWhereThinkingIsOff();
    void anotherSystemPromptHidesOlderEntries();
    void aResponseFetchedWholeHasOtherOptions();
    void whatStandsBehindTheMarkIsNotRead();
    void aTurnOfPiHasALevelOfThinking();
    void aTurnOfCodexLeavesThoughtsOut();
    void aFigureInDoubtHasNoCauseAndIsNone();
    void theCorpusIsPredicted();
    void whatRanOutIsIdleInTheCorpus();
    void piMissesWhereAPersonTyped();
};

void RecordedCacheTest::aRecordedThreadIsFollowed()
{
    ClaudeRecording claude;
    claude.recording.typed("a task");
    claude.call({ 0, 0, 30'000, 5 });
    claude.recording.typed("more");
    claude.call({ 0, 30'000, 2'000, 5 });
    claude.recording.summarise(100);
    claude.call({ 0, 12'000, 3'000, 5 });
    claude.recording.typed("and more");
    claude.call({ 0, 15'000, 400, 5 });
    const RecordedCache cache = claude.finish();
    QVERIFY(cache.hasFigures);
    QCOMPARE(causesOf(cache), u"first call/first call, none/none, compaction/compaction, none/none"_s);
    QCOMPARE(cache.calls[2].predicted.read, 12'000.0); // the length of system prompt and tools, from that very read …
    const RecordedCache before
        = recordedCache(*claude.session, *oneTokenACharacter(*claude.session), PreludeSource::CallsBefore);
    QCOMPARE(before.calls[2].predicted.read, 0.0); // … which nothing before it tells
    QVERIFY(!before.calls[2].isRight());
}

void RecordedCacheTest::whatTheLogDoesNotHoldIsNamed()
{
    ClaudeRecording claude;
    claude.recording.typed("a task");
    claude.call({ 0, 10'000, 20'000, 5 }); // another session left system prompt and tools
    claude.recording.typed("more");
    claude.call({ 0, 10'000, 31'000, 5 }); // the messages were changed, the log does not say how
    claude.recording.typed("more");
    claude.call({ 0, 10'000, 21'000, 5 }); // shorter, although the array grew
    claude.recording.typed("more");
    claude.call({ 0, 0, 32'000, 5 }); // nothing was there
    claude.recording.typed("more");
    claude.call({ 0, 5'000, 28'000, 5 }); // less than system prompt and tools
    claude.recording.typed("more");
    claude.call({ 0, 36'000, 500, 5 }); // more than the log's own requests left
    QCOMPARE(causesOf(claude.finish()),
        u"first call/others wrong, none/unlogged wrong, unlogged/unlogged, none/unknown wrong, none/system or tools "
        u"wrong, "
        "none/others wrong"_s);
}

/// The prompt is shorter, too, which the log does not explain; but nothing was left to be read anyway.
void RecordedCacheTest::anEntryThatRanOutIsIdle()
{
    ClaudeLog log;
    log.typed("a task");
    log.answer({ 0, 60'000 });
    log.wait(kMinute).typed("more");
    log.answer({ 0, 50'000 });
    log.wait(6 * kMinute).typed("more");
    log.answer({ 0, 40'000 });
    QCOMPARE(causesOf(log.finish()), u"first call/first call, unlogged/unlogged, idle/idle"_s);
}

void RecordedCacheTest::aReportCountsResponsesOnce()
{
    ClaudeRecording claude;
    claude.recording.typed("a task");
    claude.call({ 0, 0, 30'000, 5 });
    claude.call({ 0, 30'000, 2'000, 5 });
    claude.call({ 0, 0, 33'000, 5 });
    const RecordedCache cache = claude.finish();
    CacheReport report;
    report.add("first.jsonl", *claude.session, cache, Prices::bundled());
    report.add("resumed.jsonl", *claude.session, cache, Prices::bundled());
    QCOMPARE(report.files()[0].calls, size_t(3));
    QCOMPARE(report.files()[0].right, size_t(2));
    QCOMPARE(report.files()[1].calls, size_t(0));
    QCOMPARE(report.files()[1].copies, size_t(3));
    QCOMPARE(report.totals().calls, size_t(3));
    QCOMPARE(report.table().size(), size_t(3));
    QCOMPARE(report.totals().right, size_t(2));
    const QString text = QString::fromStdString(drawCache(report));
    QVERIFY2(
        text.contains(u"2 of 3 calls (66.7 %) are predicted within 5 % of their prompt; of those with a call before "
                      "them in the log 50.0 %."_s),
        qPrintable(text));
}

void RecordedCacheTest::writesAreKeptAsLongAsTheirRecordsSay()
{
    ClaudeLog log;
    log.typed("a task");
    log.answer({ 0, 30'000, true });
    log.wait(50 * kMinute).typed("more");
    log.answer({ 30'000, 1'000, true });
    log.wait(61 * kMinute).typed("more");
    log.answer({ 0, 32'000, false });
    log.wait(6 * kMinute).typed("more");
    log.answer({ 0, 33'000, false });
    const RecordedCache cache = log.finish();
    QCOMPARE(causesOf(cache), u"first call/first call, none/none, idle/idle, idle/idle"_s);
    QCOMPARE(cache.calls[0].writes.oneHour, uint64_t(30'000));
    QCOMPARE(cache.calls[2].writes.fiveMinutes, uint64_t(32'000));
    QCOMPARE(cache.calls[1].lifetime, kOneHour);
    QCOMPARE(cache.calls[2].lifetime, kFiveMinutes);
}

void RecordedCacheTest::aSkillRunsUnderOtherOptions()
{
    ClaudeLog log;
    log.typed("a task");
    log.answer({ 10'000, 20'000, true });
    log.injected("Base directory for this skill: /skills/planning");
    log.answer({ 10'000, 21'000, true }); // what the skill is told changes the options
    log.typed("go on");
    log.answer({ 30'000, 2'000, true });                       // back to the entry from before the skill
    log.injected("<command-message>review</command-message>"); // a command of the program itself
    log.answer({ 32'000, 1'000, true });
    log.injected("<command-message>superpowers:write-plan</command-message>");
    log.answer({ 31'000, 12'000, true }); // to that of the skill
    QCOMPARE(
        causesOf(log.finish()), u"first call/others wrong, options/options, options/none, none/none, options/none"_s);
}

void RecordedCacheTest::aLifetimeEndsWhenTheNextRequestIsSent()
{
    ClaudeLog slow;
    slow.typed("a task");
    slow.answer({ 0, 30'000 });
    slow.wait(kFiveMinutes - kMinute / 3).typed("more");
    slow.wait(kMinute - kMinute / 6).answer({ 30'000, 1'000 }); // it began late
    slow.wait(kMinute).typed("more");
    slow.wait(6 * kMinute).answer({ 0, 32'000 }); // sent again after an error, surely later than it was typed
    QCOMPARE(causesOf(slow.finish()), u"first call/first call, none/none, idle/idle"_s);

    ClaudeLog fast; // typed while the answer before was on its way
    fast.typed("a task");
    fast.wait(kMinute).answer({ 0, 30'000 });
    fast.wait(-kMinute / 2).typed("more");
    fast.wait(kMinute).answer({ 30'000, 1'000 });
    QCOMPARE(causesOf(fast.finish()), u"first call/first call, none/none"_s);
}

void RecordedCacheTest::whatIsKeptAllTheSameHasACause()
{
    ClaudeLog log;
    log.typed("a task");
    log.answer({ 0, 30'000 });
    log.wait(6 * kMinute).typed("more");
    log.answer({ 30'000, 1'000 });
    const RecordedCache cache = log.finish();
    QCOMPARE(causesOf(cache), u"first call/first call, idle/kept wrong"_s);
    QVERIFY(cache.calls[1].isRecordedHit());
}

void RecordedCacheTest::aSkillUnderWhichTheModelThinksHasTheUsualOptions()
{
    ClaudeLog log;
    log.typed("a task");
    log.thoughtfulAnswer({ 10'000, 20'000, true });
    log.injected("Base directory for this skill: /skills/planning");
    log.thoughtfulAnswer({ 30'000, 1'000, true });
    log.typed("go on");
    log.thoughtfulAnswer({ 31'000, 1'000, true });
    QCOMPARE(causesOf(log.finish()), u"first call/others wrong, none/none, none/none"_s);
}

void RecordedCacheTest::thoughtsAreNotSentWhereThinkingIsOff()
{
    ClaudeLog log;
    log.typed("a task");
    log.thoughtfulAnswer({ 10'000, 20'000, true });
    log.injected("Base directory for this skill: /skills/planning");
    log.answer({ 10'000, 22'000, true });
    log.typed("go on");
    log.thoughtfulAnswer({ 30'000, 3'000, true });
    uint64_t prompt = 33'000;
    for (int i = 0; i < 8; ++i, prompt += 1'000) { // 17 blocks, and 9 thoughts
        log.typed("go on");
        log.thoughtfulAnswer({ prompt, 1'000, true });
    }
    log.injected("Base directory for this skill: /skills/reviewing");
    log.answer({ 32'000, 10'000, true });
    const RecordedCache cache = log.finish();
    QCOMPARE(cache.calls.back().predicted.cause, CacheCause::Options);
    QCOMPARE(cache.calls.back().predicted.read, 32'000.0);
}

/// What an entry before the change left is not read, although it has the same options.
void RecordedCacheTest::anotherSystemPromptHidesOlderEntries()
{
    ClaudeLog log;
    log.typed("a task");
    log.thoughtfulAnswer({ 0, 40'000, true });
    log.injected("Base directory for this skill: /skills/planning");
    log.answer({ 20'000, 22'000, true });
    log.injected("a reminder");
    log.answer({ 8'000, 35'000, true });
    log.typed("go on");
    log.thoughtfulAnswer({ 20'000, 24'000, true });
    QCOMPARE(causesOf(log.finish()),
        u"first call/first call, options/options, none/system or tools wrong, options/options"_s);
}

void RecordedCacheTest::aResponseFetchedWholeHasOtherOptions()
{
    ClaudeLog log;
    log.typed("a task");
    log.answer({ 10'000, 40'000, true });
    log.typed("more");
    log.answer({ 10'000, 41'000, true }, 2); // two blocks in one record
    log.typed("more");
    log.answer({ 50'000, 2'000, true });
    QCOMPARE(causesOf(log.finish()), u"first call/others wrong, options/options, options/none"_s);
}

void RecordedCacheTest::whatStandsBehindTheMarkIsNotRead()
{
    ClaudeLog log;
    log.typed("a task");
    log.answer({ 0, 30'000, true, 9'000 });
    log.typed("more");
    log.answer({ 30'000, 10'000, true });
    QCOMPARE(causesOf(log.finish()), u"first call/first call, none/none"_s);
}

void RecordedCacheTest::aTurnOfPiHasALevelOfThinking()
{
    PiLog log;
    log.typed("a task");
    log.answer(0, 30'000);
    log.level("high");
    log.level("off");
    log.typed(R"(more \"thinkingLevel\":\"low\")");
    log.answer(30'000, 1'000);
    log.level("high");
    log.typed("more");
    log.answer(0, 32'000);
    log.typed("more");
    log.answer(32'000, 1'000);
    const Result<SessionPtr> session = testing::load(log.text);
    QVERIFY(session.has_value());
    QCOMPARE((*session)->format, std::string("pi"));
    QCOMPARE(causesOf(recordedCache(**session, *roughTokens(**session))),
        u"first call/first call, none/none, options/options, none/none"_s);
}

void RecordedCacheTest::aTurnOfCodexLeavesThoughtsOut()
{
    CodexLog log;
    log.user("a task");
    log.answer(10'000, 0);
    log.result();
    log.answer(14'000, 9'984);
    log.user("another task"); // the thoughts of the first turn are gone: nothing behind its beginning is the same
    log.answer(13'500, 9'984);
    log.result();
    log.answer(15'000, 9'984); // a machine that did not hold the newest entry
    const Result<SessionPtr> session = testing::load(log.text);
    QVERIFY(session.has_value());
    QCOMPARE((*session)->format, std::string("codex"));
    const RecordedCache cache = recordedCache(**session, *roughTokens(**session));
    QCOMPARE(causesOf(cache), u"first call/first call, none/none, new turn/new turn, none/older entry wrong"_s);
}

/// The prompt of one call falls and returns at the next one. Neither that call nor the one behind it is compared with
/// that figure.
void RecordedCacheTest::aFigureInDoubtHasNoCauseAndIsNone()
{
    CodexLog log;
    log.user("go");
    log.answer(20'000, 0);
    log.result();
    log.answer(27'000, 20'000);
    log.result();
    log.answer(10'000, 0);
    log.result();
    log.answer(27'300, 27'000);
    log.result();
    log.answer(27'500, 27'200);
    const Result<SessionPtr> session = testing::load(log.text);
    QVERIFY(session);
    QVERIFY((*session)->threads[0].calls[2].isDoubtful);
    const RecordedCache cache = recordedCache(**session, *roughTokens(**session));
    QCOMPARE(causesOf(cache), u"first call/first call, none/none, none/none, none/none"_s);
    QCOMPARE(cache.calls[2].position.call, CallIndex(3));
}

void RecordedCacheTest::theCorpusIsPredicted()
{
    if (testing::corpus().empty())
        QSKIP("There is no corpus: PALIMPSEST_CORPUS names no folder.");
    CacheReport claude;
    CacheReport claudeBefore; // what is known only from calls before
    CacheReport codex;
    const Prices prices = Prices::bundled();
    for (const std::string &file : testing::corpusFiles({ "claude-code", "claude-sdk-stream", "codex" })) {
        const auto session = loadSession(testing::corpus() / file);
        if (!session)
            continue;
        const BlockTokensPtr tokens = roughTokens(**session);
        const bool isCodex = (*session)->format == "codex";
        const RecordedCache cache = recordedCache(**session, *tokens);
        for (const RecordedCacheCall &call : cache.calls)
            QVERIFY(call.isRight() || call.found != CacheCause::None);
        (isCodex ? codex : claude).add(file, **session, cache, prices);
        if (!isCodex)
            claudeBefore.add(file, **session, recordedCache(**session, *tokens, PreludeSource::CallsBefore), prices);
    }
    qInfo().noquote() << u"\n"_s + QString::fromStdString(drawCache(claude)) + u"\n"_s
            + QString::fromStdString(drawCache(codex));
    QCOMPARE(claude.totals().calls, size_t(2932));
    QCOMPARE(claude.totals().right, size_t(2899));       // 98.9 %
    QCOMPARE(claudeBefore.totals().right, size_t(2882)); // 98.3 %
    QCOMPARE(codex.totals().calls, size_t(647));         // without four whose prompt is in doubt
    QCOMPARE(codex.totals().right, size_t(589));         // 91.0 %
}

/// The calls that tests/independent/idle_breaks.py lists.
void RecordedCacheTest::whatRanOutIsIdleInTheCorpus()
{
    if (testing::corpus().empty())
        QSKIP("There is no corpus: PALIMPSEST_CORPUS names no folder.");
    std::ifstream table(std::filesystem::path(PALIMPSEST_SOURCE_DIR) / "tests/independent/expected_idle.tsv");
    std::map<std::string, std::set<std::string>> responses;
    std::string line;
    std::getline(table, line);
    while (std::getline(table, line)) {
        std::istringstream cells(line);
        std::string file;
        std::string response;
        std::getline(cells, file, '\t');
        std::getline(cells, response, '\t');
        responses[file].insert(response);
    }
    size_t found = 0;
    for (const auto &[file, wanted] : responses) {
        const auto session = loadSession(testing::corpus() / file);
        QVERIFY2(session.has_value(), file.c_str());
        for (const RecordedCacheCall &each : recordedCache(**session, *roughTokens(**session)).calls) {
            const Call &call = (*session)->thread(each.position.thread).calls[each.position.call.index()];
            if (!wanted.contains(std::string((*session)->string(call.responseId))))
                continue;
            ++found;
            QCOMPARE(std::string(nameOf(each.found)), "idle");
        }
    }
    QCOMPARE(found, size_t(5));
}

/// What pi's sessions miss, they miss whole, within the lifetime, and always where the person typed something:
/// half of those turns of one session, none of its tool results. So the prompt changed from its beginning on, which a
/// program that was started again does (its system prompt tells the time), and which the log does not hold.
void RecordedCacheTest::piMissesWhereAPersonTyped()
{
    if (testing::corpus().empty())
        QSKIP("There is no corpus: PALIMPSEST_CORPUS names no folder.");
    size_t calls = 0;
    size_t right = 0;
    size_t unknown = 0;
    size_t typed = 0;
    for (const char *name : { "before-compaction", "compact.v1", "large-session" }) {
        const auto session = loadSession(testing::corpus() / "pi/badlogic+pi-mono" / (std::string(name) + ".jsonl"));
        QVERIFY2(session.has_value(), name);
        for (const RecordedCacheCall &each : recordedCache(**session, *roughTokens(**session)).calls) {
            ++calls;
            right += each.isRight() ? 1 : 0;
            if (each.found != CacheCause::Unknown)
                continue;
            QVERIFY(!each.isRight());
            QCOMPARE(each.usage.cacheRead, uint64_t(0));
            ++unknown;
            const BlockRanges &input = (*session)->thread(each.position.thread).calls[each.position.call.index()].input;
            BlockId last;
            input.forEach([&](BlockId id) { last = id; });
            typed += (*session)->block(last).is(BlockFlag::Typed) ? 1 : 0;
        }
    }
    QCOMPARE(calls, size_t(1408));
    QCOMPARE(right, size_t(1368)); // 97.2 %
    QCOMPARE(unknown, size_t(40));
    QCOMPARE(typed, size_t(40));
}

PALIMPSEST_TEST(RecordedCacheTest)
#include "tst_recorded_cache.moc"
