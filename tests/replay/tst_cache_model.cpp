// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/cache/cache_marks.h"
#include "core/cache/wire_cache.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTest>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

/// A thread of requests, told step by step; sizes in tokens, a block for every 1,000 of them.
class Requests final {
public:
    explicit Requests(std::string_view model)
        : m_model(*cacheRules(model))
    {
    }

    Requests &wait(Timestamp milliseconds)
    {
        m_time += milliseconds;
        return *this;
    }

    /// The next request: the array has grown to `tokens` in all, with `blocks` blocks; marked at its end and at that of
    /// the request before. `change` may change it.
    template <typename Change>
    CacheReading send(double tokens, Change &&change)
    {
        CacheCall call;
        call.sent = m_time;
        call.end = { tokens, static_cast<uint32_t>(tokens / 1000) };
        call.prelude = kPrelude;
        if (m_count > 0) {
            call.base = m_count - 1;
            call.shared = m_last.tokens;
            call.marks.push_back(m_last);
        }
        call.marks.push_back(call.end);
        change(call);
        m_last = call.end;
        ++m_count;
        return m_model.add(call);
    }
    CacheReading send(double tokens)
    {
        return send(tokens, [](CacheCall &) { });
    }

    [[nodiscard]] CacheModel &model() { return m_model; }

    static constexpr double kPrelude = 20'000;

private:
    CacheModel m_model;
    Timestamp m_time = 1'700'000'000'000;
    CacheMark m_last;
    size_t m_count = 0;
};

constexpr std::string_view kOpus = "claude-opus-4-5-20251101";

QString shownCause(const CacheReading &reading) { return QString::fromUtf8(nameOf(reading.cause)); }

/// `#n.k`: message and block within it, of every marked block.
QString marked(std::string_view line, MarkPlacement placement)
{
    const SessionPtr made = session(line);
    const Transcript array(made, made->threads.front().end);
    QStringList names;
    for (const BlockId id : markedBlocks(array, placement)) {
        const Block &block = made->block(id);
        names.push_back(
            u"%1.%2"_s.arg(block.message.value()).arg(id.value() - made->message(block.message).first.value()));
    }
    return names.join(u' ');
}

} // namespace

/// What of a prompt is read from a provider's cache, and what it is broken by: rule by rule, on numbers.
class CacheModelTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rulesFollowTheModel_data();
    void rulesFollowTheModel();
    void elsewhereThereIsNoModel();
    void aGrowingArrayIsReadToItsLastMark();
    void idlingEndsAnEntry();
    void aLifetimeCountsFromTheResponse();
    void whatWasNotReadIsNotThereLater();
    void anHourLongEntryOutlivesTheUsualOnes();
    void aCompactionLeavesSystemPromptAndTools();
    void aRewindReadsTheOlderMark();
    void anotherModelHasACacheOfItsOwn();
    void otherOptionsCacheMessagesApart();
    void aShortPromptIsNotCached();
    void aMarkLooksBackTwentyBlocks();
    void aParallelRequestReadsNothing();
    void stepsAreWholeMultiples();
    void breakpointsAreExactAndWritesAreBilled();
    void thePartsAreThePrompt();
    void markersOfPullRequest140_data();
    void markersOfPullRequest140();
    void otherPlacements();
    void aReplayedThreadIsFollowed();
    void aMovingMarkReadsWhatItMarkedBefore();
};

void CacheModelTest::rulesFollowTheModel_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<double>("minimum");
    QTest::addColumn<int>("kind");
    const auto row = [](const char *model, double minimum, CacheKind kind) {
        QTest::newRow(model) << QString::fromUtf8(model) << minimum << static_cast<int>(kind);
    };
    row("claude-opus-5", 512, CacheKind::Marks);
    row("claude-fable-5-1", 512, CacheKind::Marks);
    row("claude-sonnet-4-5-20250929", 1024, CacheKind::Marks);
    row("claude-sonnet-4-20250514", 1024, CacheKind::Marks);
    row("anthropic/claude-opus-4.7", 2048, CacheKind::Marks);
    row("us.anthropic.claude-haiku-4-5-20251001-v1:0", 4096, CacheKind::Marks);
    row("claude-3-5-haiku-20241022", 2048, CacheKind::Marks);
    row("claude-opus-4-5-20251101", 4096, CacheKind::Marks);
    row("claude-opus-5-5", 4096, CacheKind::Marks); // not in the published table: the largest
    row("gpt-5-codex", 1024, CacheKind::Steps);
    row("gpt-4o-2024-08-06", 1024, CacheKind::Steps);
    row("o4-mini", 1024, CacheKind::Steps);
    row("gpt-5.5", 1024, CacheKind::Steps);
    row("gpt-5.6-sol", 1024, CacheKind::Breakpoints);
    row("gpt-6.1-sol", 1024, CacheKind::Breakpoints);
}

void CacheModelTest::rulesFollowTheModel()
{
    QFETCH(QString, model);
    QFETCH(double, minimum);
    QFETCH(int, kind);
    const auto rules = cacheRules(model.toStdString());
    QVERIFY(rules.has_value());
    QCOMPARE(rules->minimum, minimum);
    QCOMPARE(static_cast<int>(rules->kind), kind);
    QVERIFY(!rules->sentence.empty());
}

void CacheModelTest::elsewhereThereIsNoModel()
{
    for (const char *model : { "gemini-2.5-pro", "deepseek-v4-pro", "grok-4", "gpt-oss-120b", "mistral-large", "" })
        QVERIFY2(!cacheRules(model), model);
    QCOMPARE(cacheRules("gpt-5.5")->lifetime, 24 * kOneHour);
    QCOMPARE(cacheRules("gpt-5.6-sol")->lifetime, 30 * kMinute);
    QVERIFY(cacheRules("gpt-5.4")->lifetime < kOneHour);
}

void CacheModelTest::aGrowingArrayIsReadToItsLastMark()
{
    Requests requests(kOpus);
    const CacheReading first = requests.send(30'000);
    QCOMPARE(shownCause(first), u"first call"_s);
    QCOMPARE(first.written, 30'000.0);
    const CacheReading second = requests.wait(kMinute).send(32'000);
    QCOMPARE(shownCause(second), u"none"_s);
    QCOMPARE(second.read, 30'000.0);
    QCOMPARE(second.written, 2'000.0);
    QCOMPARE(second.left, 30'000.0);
    QCOMPARE(second.idle, std::optional<Timestamp>(kMinute));
    // What stands behind the last mark is billed as input, and not there for the next request.
    const CacheReading third = requests.send(36'000, [](CacheCall &call) { call.marks.back() = { 34'000, 34 }; });
    QCOMPARE(third.uncached, 2'000.0);
    QCOMPARE(requests.send(37'000).read, 34'000.0);
}

void CacheModelTest::idlingEndsAnEntry()
{
    Requests requests(kOpus);
    requests.send(30'000);
    constexpr Timestamp kLast = kFiveMinutes + 10'000;
    QCOMPARE(requests.wait(kLast).send(31'000).read, 30'000.0);
    const CacheReading late = requests.wait(kLast + 1).send(32'000);
    QCOMPARE(late.read, 0.0);
    QCOMPARE(shownCause(late), u"idle"_s);
    QCOMPARE(requests.send(33'000).read, 32'000.0); // it was written anew
}

void CacheModelTest::aLifetimeCountsFromTheResponse()
{
    Requests requests(kOpus);
    requests.send(30'000, [](CacheCall &call) { call.responding = *call.sent + kMinute; });
    const CacheReading reading = requests.wait(kFiveMinutes + kMinute).send(31'000);
    QCOMPARE(reading.read, 30'000.0);
    QCOMPARE(reading.idle, std::optional<Timestamp>(kFiveMinutes));
}

void CacheModelTest::whatWasNotReadIsNotThereLater()
{
    Requests requests(kOpus);
    requests.send(30'000);
    requests.send(32'000, [](CacheCall &call) { call.options = 1; });
    requests.send(33'000, [](CacheCall &call) { call.options = 1; });
    requests.model().learn(Requests::kPrelude / 2);           // another system prompt
    QCOMPARE(requests.send(34'000).read, Requests::kPrelude); // no longer the first request's 30,000
}

void CacheModelTest::anHourLongEntryOutlivesTheUsualOnes()
{
    const auto forAnHour = [](CacheCall &call) { call.lifetime = kOneHour; };
    Requests requests(kOpus);
    requests.send(30'000, forAnHour);
    QCOMPARE(requests.wait(59 * kMinute).send(31'000, forAnHour).read, 30'000.0);
    QCOMPARE(requests.wait(61 * kMinute).send(32'000, forAnHour).read, 0.0);
    Requests mixed(kOpus);
    mixed.send(30'000, [](CacheCall &call) { call.preludeLifetime = kOneHour; });
    const CacheReading reading = mixed.wait(20 * kMinute).send(31'000);
    QCOMPARE(reading.read, Requests::kPrelude);
    QCOMPARE(shownCause(reading), u"idle"_s);
}

void CacheModelTest::aCompactionLeavesSystemPromptAndTools()
{
    Requests requests(kOpus);
    requests.send(150'000);
    const CacheReading after = requests.send(40'000, [](CacheCall &call) {
        call.shared = Requests::kPrelude;
        call.change = CacheCause::Compaction;
        call.marks = { call.end };
    });
    QCOMPARE(after.read, Requests::kPrelude);
    QCOMPARE(after.written, 20'000.0);
    QCOMPARE(after.left, 150'000.0);
    QCOMPARE(shownCause(after), u"compaction"_s);
}

void CacheModelTest::aRewindReadsTheOlderMark()
{
    Requests requests(kOpus);
    requests.send(30'000);
    requests.send(35'000);
    requests.send(40'000);
    const CacheReading back = requests.send(37'000, [](CacheCall &call) {
        call.base = 1; // goes on from the second request
        call.shared = 35'000;
        call.marks.front() = { 35'000, 35 };
    });
    QCOMPARE(back.read, 35'000.0);
    QCOMPARE(shownCause(back), u"none"_s);
    // A change in the middle: what the first request had marked is still the same.
    const CacheReading cleared = requests.send(36'000, [](CacheCall &call) {
        call.shared = 33'000;
        call.change = CacheCause::Clearing;
        call.marks = { { 36'000, 36 } };
    });
    QCOMPARE(cleared.read, 30'000.0);
    QCOMPARE(shownCause(cleared), u"clearing"_s);
}

void CacheModelTest::anotherModelHasACacheOfItsOwn()
{
    const auto other = [](CacheCall &call) { call.model = 1; };
    Requests requests(kOpus);
    requests.send(30'000);
    const CacheReading changed = requests.send(31'000, other);
    QCOMPARE(changed.read, 0.0);
    QCOMPARE(shownCause(changed), u"model"_s);
    QCOMPARE(requests.send(32'000, other).read, 31'000.0);
    const CacheReading back = requests.send(33'000); // the first model again: its entry stands
    QCOMPARE(back.read, 30'000.0);
    QCOMPARE(shownCause(back), u"model"_s);
}

void CacheModelTest::otherOptionsCacheMessagesApart()
{
    Requests requests(kOpus);
    requests.send(30'000);
    const CacheReading changed = requests.send(31'000, [](CacheCall &call) { call.options = 1; });
    QCOMPARE(changed.read, Requests::kPrelude);
    QCOMPARE(shownCause(changed), u"options"_s);
    QCOMPARE(requests.send(32'000).read, 30'000.0);
    // Other options keep system prompt and tools alive, not the messages.
    for (int i = 0; i < 3; ++i)
        requests.wait(2 * kMinute).send(33'000 + 1'000 * i, [](CacheCall &call) { call.options = 1; });
    QCOMPARE(requests.send(36'000).read, Requests::kPrelude);
}

void CacheModelTest::aShortPromptIsNotCached()
{
    const auto withoutPrelude = [](CacheCall &call) { call.prelude = 0; };
    Requests requests(kOpus);
    const CacheReading first = requests.send(4'000, withoutPrelude);
    QCOMPARE(first.written, 0.0);
    QCOMPARE(first.uncached, 4'000.0);
    const CacheReading second = requests.send(5'000, withoutPrelude);
    QCOMPARE(second.read, 0.0);
    QCOMPARE(second.written, 5'000.0);
    QCOMPARE(shownCause(second), u"below minimum"_s);
    QCOMPARE(requests.send(6'000, withoutPrelude).read, 5'000.0);
}

void CacheModelTest::aMarkLooksBackTwentyBlocks()
{
    const auto onlyLast = [](CacheCall &call) { call.marks = { call.end }; };
    Requests near(kOpus);
    near.send(30'000, onlyLast);
    QCOMPARE(near.send(50'000, onlyLast).read, 30'000.0); // 20 blocks
    Requests far(kOpus);
    far.send(30'000, onlyLast);
    const CacheReading reading = far.send(51'000, onlyLast); // 21 blocks
    QCOMPARE(reading.read, Requests::kPrelude);              // which has a mark of its own
    QCOMPARE(shownCause(reading), u"lookback"_s);
    Requests marked(kOpus); // the older mark is set once more
    marked.send(30'000);
    QCOMPARE(marked.send(90'000).read, 30'000.0);
}

void CacheModelTest::aParallelRequestReadsNothing()
{
    Requests requests(kOpus);
    requests.send(30'000, [](CacheCall &call) { call.responding = *call.sent + 3'000; });
    const CacheReading parallel = requests.wait(2'999).send(31'000);
    QCOMPARE(parallel.read, 0.0);
    QCOMPARE(shownCause(parallel), u"parallel"_s);
    Requests later(kOpus);
    later.send(30'000, [](CacheCall &call) { call.responding = *call.sent + 3'000; });
    QCOMPARE(later.wait(3'000).send(31'000).read, 30'000.0);
}

void CacheModelTest::stepsAreWholeMultiples()
{
    Requests requests("gpt-5-codex");
    requests.send(10'000);
    const CacheReading second = requests.send(11'000);
    QCOMPARE(second.read, 9'984.0); // 78 × 128
    QCOMPARE(second.written, 0.0);
    QCOMPARE(second.uncached, 1'016.0);
    QCOMPARE(shownCause(second), u"none"_s);
    // Any common beginning is read, marks or not.
    const CacheReading turn = requests.send(10'500, [](CacheCall &call) {
        call.shared = 7'000;
        call.change = CacheCause::NewTurn;
    });
    QCOMPARE(turn.read, 6'912.0);
    QCOMPARE(shownCause(turn), u"new turn"_s);
    // What is sent beside the array may get shorter: no more is read than is sent.
    const CacheReading shorter = requests.send(10'200);
    QCOMPARE(shorter.read, 10'112.0); // 79 × 128
    QCOMPARE(shorter.uncached, 88.0);
    QCOMPARE(shownCause(requests.wait(kOneHour).send(12'000)), u"idle"_s);
    Requests small("gpt-5-codex");
    small.send(1'000);
    QCOMPARE(small.send(2'000).read, 0.0);
}

void CacheModelTest::breakpointsAreExactAndWritesAreBilled()
{
    Requests requests("gpt-5.6-sol");
    const auto plain = [](CacheCall &call) {
        call.prelude = 0;
        call.marks.clear();
    };
    QCOMPARE(requests.send(10'000, plain).written, 10'000.0);
    QCOMPARE(requests.send(40'000, plain).read, 10'000.0); // no lookback, no steps
    const CacheReading cut = requests.send(41'000, [&](CacheCall &call) {
        plain(call);
        call.shared = 39'999; // a token short of the breakpoint; the one before it stands
        call.shared -= 100;
        call.change = CacheCause::Clearing;
    });
    QCOMPARE(cut.read, 10'000.0);
    QCOMPARE(requests.wait(29 * kMinute).send(42'000, plain).read, 41'000.0);
    QCOMPARE(requests.wait(31 * kMinute).send(43'000, plain).read, 0.0);
}

void CacheModelTest::thePartsAreThePrompt()
{
    std::mt19937_64 random = seededRandom();
    for (const std::string_view model : { kOpus, std::string_view("gpt-5"), std::string_view("gpt-6-sol") }) {
        Requests requests(model);
        for (int i = 0; i < caseCount(300); ++i) {
            const double tokens = 100 + static_cast<double>(random() % 200'000);
            const CacheReading reading
                = requests.wait(static_cast<Timestamp>(random() % 400'000)).send(tokens, [&](CacheCall &call) {
                      call.prelude = std::min(call.prelude, tokens);
                      call.shared = std::min({ call.shared, tokens, static_cast<double>(random() % 200'000) });
                      call.model = random() % 10 == 0 ? 1 : 0;
                      call.options = random() % 10 == 0 ? 1 : 0;
                      call.marks.eraseIf([&](const CacheMark &mark) { return mark.tokens > tokens; });
                  });
            QCOMPARE(reading.read + reading.written + reading.uncached, tokens);
            QVERIFY(reading.read >= 0 && reading.written >= 0 && reading.uncached >= 0);
        }
    }
}

void CacheModelTest::markersOfPullRequest140_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("blocks");
    const auto row
        = [](const char *title, const QString &line, const QString &blocks) { QTest::newRow(title) << line << blocks; };
    row("four messages in turn: the last of them", u"u:10 a:20 u:30 a:40"_s, u"3.0"_s);
    row("a call without a result: none", u"u:10 a:20+c:30"_s, QString());
    row("a call with its result: the call", u"u:10 a:20+c:30 t:40"_s, u"1.1"_s);
    row("a result anywhere behind it", u"u:10 c:30 t:40 a:50 u:60"_s, u"3.0"_s);
    row("the newest stable one, not the one that waits", u"u:10 a:20 u:30 c:40"_s, u"1.0"_s);
    row("no message of the model", u"u:10"_s, QString());
}

void CacheModelTest::markersOfPullRequest140()
{
    QFETCH(QString, line);
    QFETCH(QString, blocks);
    QCOMPARE(marked(line.toStdString(), MarkPlacement::StableAssistant), blocks);
}

void CacheModelTest::otherPlacements()
{
    QCOMPARE(marked("u:10 a:20+c:30 t:40 a:50+c:30 t:60", MarkPlacement::LastUsers), u"2.0 4.0"_s);
    QCOMPARE(marked("u:10", MarkPlacement::LastUsers), u"0.0"_s);
    QCOMPARE(marked("u:10 a:20+c:30", MarkPlacement::LastBlock), u"1.1"_s);
    QCOMPARE(marked("", MarkPlacement::LastBlock), QString());
}

void CacheModelTest::aReplayedThreadIsFollowed()
{
    WireCache cache(*cacheRules(kOpus), { MarkPlacement::LastUsers });
    WireCall call;
    call.prelude = 20'000;
    call.tokens = 60'000;
    call.blocks = 40;
    call.sent = 0;
    QCOMPARE(cache.add(call).written, 60'000.0);
    call.unchanged = 60'000;
    call.tokens = 64'000;
    call.blocks = 80; // more than a mark looks back: the mark of the request before is set again
    QCOMPARE(cache.add(call).read, 60'000.0);
    call.unchanged = 45'000; // results in the middle were cleared
    call.tokens = 58'000;
    call.change = CacheCause::Clearing;
    const CacheReading cleared = cache.add(call);
    QCOMPARE(cleared.read, 20'000.0);
    QCOMPARE(cleared.written, 38'000.0);
    QCOMPARE(shownCause(cleared), u"clearing"_s);
    call.change = CacheCause::None;
    call.unchanged = 58'000;
    call.tokens = 59'000;
    call.sent = kFiveMinutes + cacheRules(kOpus)->grace + 1;
    QCOMPARE(shownCause(cache.add(call)), u"idle"_s);
}

void CacheModelTest::aMovingMarkReadsWhatItMarkedBefore()
{
    WireCache cache(*cacheRules(kOpus), { MarkPlacement::StableAssistant });
    WireCall call;
    call.prelude = 5'000;
    call.tokens = 30'000;
    call.blocks = 10;
    call.stableAnswer = CacheMark { 28'000, 9 };
    const CacheReading first = cache.add(call);
    QCOMPARE(first.written, 28'000.0);
    QCOMPARE(first.uncached, 2'000.0); // behind the mark
    call.unchanged = 30'000;
    call.tokens = 40'000;
    call.blocks = 14;
    call.stableAnswer = CacheMark { 36'000, 13 };
    const CacheReading second = cache.add(call);
    QCOMPARE(second.read, 28'000.0);
    QCOMPARE(second.written, 8'000.0);
    QCOMPARE(shownCause(second), u"none"_s);
    call.unchanged = 40'000;
    call.tokens = 41'000;
    call.stableAnswer.reset(); // no stable message: system prompt and tools are read
    QCOMPARE(cache.add(call).read, 5'000.0);
}

PALIMPSEST_TEST(CacheModelTest)
#include "tst_cache_model.moc"
