// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/visible.h"
#include "core/formats/reading/format.h"
#include "core/report/show_drawing.h"
#include "core/session/slot_label.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <cmath>
#include <format>
#include <nlohmann/json.hpp>
#include <set>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

using Json = nlohmann::ordered_json;

/// One token for every four characters, so that figures can be checked by hand.
Weights weightsOf(const Session &session, WeightUnit unit = WeightUnit::Characters)
{
    auto table = std::make_shared<BlockTokens>();
    for (const Block &block : session.blocks)
        table->tokens.push_back(static_cast<float>(block.lengths.codePoints) / 4.0F);
    table->isCounted = true;
    return { table, unit };
}

Shown shownOf(const SessionPtr &session, Position position = {}, Measure keep = { 2, Measure::Unit::Messages },
    WeightUnit unit = WeightUnit::Characters)
{
    return shownAt(session, position, weightsOf(*session, unit), keep);
}

/// A recorded life in a few lines: two calls, a compaction, a call, a subagent, a damaged line.
SessionPtr recorded()
{
    QFile file(QString::fromUtf8(PALIMPSEST_SOURCE_DIR) + u"/tests/golden/show-session.jsonl"_s);
    if (!file.open(QIODevice::ReadOnly))
        return nullptr;
    const QByteArray document = file.readAll().replace("BODY", QByteArray(4000, 'x'));
    const auto session = loadSession(Source::own(document.toStdString(), "session.jsonl"));
    return session ? *session : nullptr;
}

std::vector<std::string> keysOf(const Json &object)
{
    std::vector<std::string> keys;
    for (const auto &[key, value] : object.items())
        keys.push_back(key);
    return keys;
}

/// Every token figure in the document is one: `{value, basis}`. Returns the pointer of the first that is not.
std::string badFigure(const Json &value, const std::string &pointer = {})
{
    static const std::set<std::string> kBases { "exact", "calibrated", "estimated" };
    if (value.is_object()) {
        const bool isFigure = value.contains("value") || value.contains("basis");
        if (isFigure
            && (keysOf(value) != std::vector<std::string> { "value", "basis" } || !value["value"].is_number_integer()
                || !kBases.contains(value["basis"].get<std::string>())))
            return pointer;
        for (const auto &[key, inner] : value.items()) {
            const bool isTokens = key.ends_with("tokens") || key.ends_with("resent") || key == "window";
            std::string at = std::format("{}/{}", pointer, key);
            if (isTokens && !inner.is_null() && !inner.is_object())
                return at;
            if (const std::string bad = badFigure(inner, at); !bad.empty())
                return bad;
        }
    }
    if (value.is_array()) {
        for (size_t i = 0; i < value.size(); ++i) {
            if (const std::string bad = badFigure(value[i], pointer + "/" + std::to_string(i)); !bad.empty())
                return bad;
        }
    }
    return {};
}

/// A session whose texts hold everything that must not reach a terminal as it is.
SessionPtr hostile()
{
    const std::string evil = R"(\u001b]0;owned\u0007\u001b[2J\u202eabc\u202c\u0000\u007f\u009b31m\u200b\ud800 end)";
    const std::string document = R"({"parentUuid":null,"isSidechain":false,"version":")" + evil
        + R"(","type":"user","uuid":"u1","message":{"role":"user","content":")" + evil
        + R"("}})"
          "\n"
          R"({"parentUuid":"u1","isSidechain":false,"type":"assistant","uuid":"a1","message":{"id":"m1","role":"assistant","model":")"
        + evil + R"(","content":[{"type":"tool_use","id":"t1","name":")" + evil + R"(","input":{"command":")" + evil
        + R"("}}]}})"
          "\n"
          R"({"parentUuid":"a1","isSidechain":false,"type":"user","uuid":"u2","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":")"
        + evil + std::string(900, 'x')
        + R"("}]}})"
          "\n"
          R"({"parentUuid":"u2","isSidechain":false,"type":"assistant","uuid":"a2","message":{"id":"m2","role":"assistant","content":[{"type":")"
        + evil
        + R"(","x":1}]}})"
          "\n";
    const auto session = loadSession(Source::own(document, "session.jsonl"));
    return session ? *session : nullptr;
}

/// The first character that would act on a terminal, line ends aside.
QString actingCharacter(const std::string &text)
{
    for (const char32_t c : QString::fromUtf8(text).toStdU32String()) {
        if (c != '\n' && !visibleMark(c).empty())
            return QString::number(c, 16);
    }
    return {};
}

std::string draw(const Shown &shown, size_t columns, size_t rows = 40, bool showsAll = false)
{
    ShowDrawingOptions options;
    options.columns = columns;
    options.rows = rows;
    options.showsAll = showsAll;
    return drawShow(shown, options);
}

QStringList linesOf(const std::string &drawing) { return QString::fromUtf8(drawing).split(u'\n'); }

/// The lines of slots and folded runs: what stands between the first and the second empty line.
QStringList slotLines(const std::string &drawing)
{
    const QStringList lines = linesOf(drawing);
    const qsizetype from = lines.indexOf(QString()) + 1;
    return lines.mid(from, lines.indexOf(QString(), from) - from);
}

/// The slots that a line stands for: its index and 1, or -1 and how many are folded.
std::pair<int, int> slotsOfLine(const QString &line)
{
    static const QRegularExpression kSlot(u"^[▌ ] +\\[(\\d+)\\] "_s);
    static const QRegularExpression kFold(u"^ +… ([\\d,]+) slots?:"_s);
    if (const auto match = kSlot.match(line); match.hasMatch())
        return { match.captured(1).toInt(), 1 };
    if (const auto match = kFold.match(line); match.hasMatch())
        return { -1, match.captured(1).remove(u',').toInt() };
    return { -1, 0 };
}

/// Eighths of a column that a bar is long.
int eighthsOf(const QString &line)
{
    static const QString kSigns = u"▏▎▍▌▋▊▉█"_s;
    int eighths = 0;
    for (const QChar c : line.mid(1)) // the first sign marks a hot slot
        eighths += static_cast<int>(kSigns.indexOf(c)) + 1;
    return eighths;
}

} // namespace

/// What `show` says, as a document and as a drawing.
class ShowTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void theDocumentHasItsMembers();
    void theDocumentOfACall();
    void theDocumentHoldsTexts();
    void theDocumentOfAnotherThread();
    void theDocumentOfARecordedPrelude();
    void figuresAddUp();
    void anythingCanBeWritten();
    void aLifeIsCountedAsByLookingAtEveryArray();
    void theLifeHoldsWhatOnlyTheCompactionSaw();
    void theDrawing_data();
    void theDrawing();
    void linesAreNeverWider();
    void everySlotIsDrawnOnce();
    void theHeaviestSlotsKeepTheirLines();
    void barsAreTrueToScale();
    void nothingActsOnTheTerminal();
    void coloursAreOnlyColours();
};

void ShowTest::initTestCase()
{
    qInfo() << "PALIMPSEST_SEED" << qEnvironmentVariable("PALIMPSEST_SEED", u"(the fixed one)"_s);
}

void ShowTest::theDocumentHasItsMembers()
{
    const SessionPtr session = recorded();
    QVERIFY(session);
    const Json document = showJson(shownOf(session));
    const std::vector<std::string> expected { "schema", "file", "format", "harness", "model", "title", "working_folder",
        "branch", "window", "records", "side_bytes", "threads", "saved_texts", "thread", "calls", "compactions", "life",
        "user_messages", "call", "prelude", "unlogged", "sum", "sums", "departures", "keep", "totals", "token_band",
        "slots", "hot_zones", "diagnostics" };
    QCOMPARE(keysOf(document), expected);
    QCOMPARE(document["schema"], "palimpsest.show/3");
    QCOMPARE(document["file"], "session.jsonl");
    QCOMPARE(document["format"], "claude-code");
    QCOMPARE(document["harness"], "Claude Code 2.1.14");
    QCOMPARE(document["model"], "claude-opus-4-5");
    QCOMPARE(document["window"]["value"], 200'000);
    QCOMPARE(document["records"], 9);
    QCOMPARE(document["side_bytes"], 7);
    QCOMPARE(badFigure(document), "");

    const Json threads = Json::parse(R"([
        {"index":0,"kind":"main","id":"","title":"Find the fault.","calls":3,"compactions":1,"started_by":null,
            "parent":null,"started_at":null,"returned":null},
        {"index":1,"kind":"subagent","id":"x1","title":"look","calls":1,"compactions":0,"started_by":null,
            "parent":0,"started_at":null,"returned":null}])");
    QCOMPARE(document["threads"], threads);
    QCOMPARE(document["thread"], 0);
    QCOMPARE(document["calls"], 3);
    const Json compactions = Json::parse(R"([
        {"call":1,"trigger":"manual","kind":"summary","before_tokens":{"value":2409,"basis":"exact"},
         "after_tokens":{"value":1500,"basis":"exact"},"before_slots":4,"after_slots":1,"line":8,"figures":{"preTokens":2409}}])");
    QCOMPARE(document["compactions"], compactions);
    QCOMPARE(document["life"], Json::parse(R"({"slots":6,"blocks":6})"));
    QCOMPARE(document["user_messages"], Json::parse(R"({"count":1,"in_context":0})"));
    QVERIFY(document["call"].is_null()); // the end: no call was sent this array
    QVERIFY(document["prelude"].is_null());
    QCOMPARE(document["keep"], Json::parse(R"({"measure":"2msg","cutoff":0})"));

    QCOMPARE(document["slots"].size(), 2U);
    const Json &summary = document["slots"][0];
    QCOMPARE(keysOf(summary),
        (std::vector<std::string> { "index", "id", "role", "kind", "label", "subject", "material", "chars", "bytes",
            "tokens", "hot", "reason", "line", "blocks" }));
    QCOMPARE(summary["index"], 0);
    QCOMPARE(summary["role"], "user");
    QCOMPARE(summary["kind"], "text");
    QCOMPARE(summary["label"], "user · summary");
    QCOMPARE(summary["material"], "summary");
    QCOMPARE(summary["chars"], 16);
    QCOMPARE(summary["line"], 9);
    QCOMPARE(summary["blocks"][0]["flags"], Json::parse(R"(["summary"])"));
    QCOMPARE(document["slots"][1]["role"], "model");

    QCOMPARE(document["diagnostics"].size(), 1U);
    QCOMPARE(document["diagnostics"][0]["line"], 7);
    QCOMPARE(document["diagnostics"][0]["severity"], "warning");
    QVERIFY(document["diagnostics"][0]["reason"].get<std::string>().ends_with("."));
}

void ShowTest::theDocumentOfACall()
{
    const SessionPtr session = recorded();
    const Shown shown = shownOf(session, { ThreadIndex(0U), CallIndex(1U) }, { 0, Measure::Unit::Messages });
    const Json document = showJson(shown);
    QCOMPARE(document["slots"].size(), 3U);
    const Json usage = Json::parse(
        R"({"input":{"value":2400,"basis":"exact"},"cache_read":{"value":0,"basis":"exact"},
            "cache_write":{"value":0,"basis":"exact"},"output":{"value":9,"basis":"exact"},"prompt":{"value":2400,"basis":"exact"}})");
    QCOMPARE(document["call"]["index"], 1);
    QCOMPARE(document["call"]["usage"], usage);
    QCOMPARE(document["call"]["derived"], false);
    QCOMPARE(document["call"]["response_id"], "m2");
    // A call's characters are those of its name and its arguments.
    const std::string arguments = R"({"file_path": "/src/a.py"})";
    QCOMPARE(document["slots"][1]["chars"], 4 + arguments.size());
    QCOMPARE(document["slots"][1]["kind"], "tool_call");
    QCOMPARE(document["slots"][1]["blocks"][0]["name"], "Read");
    QCOMPARE(document["slots"][2]["blocks"][0]["side_bytes"], 7);
    QVERIFY(!document["slots"][1]["blocks"][0].contains("text"));
    // The one that holds nearly everything is hot, and says why.
    QCOMPARE(document["slots"][2]["hot"], true);
    QVERIFY(!document["slots"][2]["reason"].get<std::string>().empty());
    QCOMPARE(document["slots"][0]["hot"], false);
    QCOMPARE(document["slots"][0]["reason"], "");
    QCOMPARE(document["hot_zones"].size(), 1U);
    QCOMPARE(document["hot_zones"][0]["slot"], 2);
    // The call looked at is its first: nothing was resent yet.
    QCOMPARE(document["hot_zones"][0]["resent_unused"]["value"], 0);
    // Resent counts every call that contained the block, this one too.
    const BlockId hot = shown.hot.blocks.front().block;
    size_t containing = 0;
    for (const Call &call : session->thread(ThreadIndex(0U)).calls)
        call.input.forEach([&](BlockId id) { containing += id == hot ? 1 : 0; });
    QVERIFY(containing > document["hot_zones"][0]["later_calls"].get<size_t>());
    QCOMPARE(document["hot_zones"][0]["resent"]["value"].get<double>(),
        std::round(shown.weights.tokens()->of(hot) * static_cast<double>(containing)));
    QCOMPARE(document["hot_zones"][0]["stale"], false);
    QVERIFY(document["hot_zones"][0]["last_used_by"].is_null());
    QCOMPARE(document["unlogged"]["recorded"], Json::parse(R"({"value":2400,"basis":"exact"})"));
    QCOMPARE(document["unlogged"]["prelude"]["basis"], "estimated");
    QCOMPARE(document["unlogged"]["framing"]["basis"], "estimated");
    // The parts add up to the prompt.
    const Json &sum = document["sum"];
    QCOMPARE(sum["total"], Json::parse(R"({"value":2400,"basis":"exact"})"));
    const auto part = [&](const char *name) { return sum[name]["value"].get<double>(); };
    const double parts = part("prelude") + part("slots") + part("unlogged") + part("framing") - part("logged_not_sent")
        + part("remainder");
    QVERIFY(std::abs(parts - 2400) < 3); // each is rounded
    QCOMPARE(document["sums"].size(), document["calls"].get<size_t>() + 1);
    QCOMPARE(badFigure(document), "");
}

void ShowTest::theDocumentHoldsTexts()
{
    const Position secondCall { ThreadIndex(0U), CallIndex(1U) };
    const Json document = showJson(shownOf(recorded(), secondCall), BlockTexts::Included);
    const Json &arraySlots = document["slots"];
    QCOMPARE(arraySlots[0]["blocks"][0]["text"], "Find the fault.");
    QCOMPARE(arraySlots[1]["blocks"][0]["text"], R"({"file_path": "/src/a.py"})");
    QCOMPARE(arraySlots[2]["blocks"][0]["text"], std::string(4000, 'x'));
}

void ShowTest::theDocumentOfAnotherThread()
{
    const Json document = showJson(shownOf(recorded(), { ThreadIndex(1U), {} }));
    QCOMPARE(document["thread"], 1);
    QCOMPARE(document["calls"], 1);
    QCOMPARE(document["compactions"], Json::array());
    QCOMPARE(document["slots"].size(), 2U);
    QCOMPARE(document["slots"][0]["subject"], "look");
}

void ShowTest::theDocumentOfARecordedPrelude()
{
    const auto session = loadSession(Source::own(
        R"({"model":"claude-opus-4-5","max_tokens":9,"system":"You help.","tools":[{"name":"Bash","input_schema":{}}],"messages":[{"role":"user","content":"go"}]})",
        "request.json"));
    QVERIFY2(session, session ? "" : session.error().sentence().c_str());
    const Json document = showJson(shownOf(*session));
    QVERIFY(document["prelude"].is_object());
    QCOMPARE(document["prelude"]["blocks"].size(), 2U);
    QVERIFY(document["prelude"]["chars"].get<uint64_t>() > 9);
    QCOMPARE(document["slots"].size(), 1U); // the prelude is never an index
    QCOMPARE(document["totals"]["chars"], 2);
    const QStringList lines = slotLines(draw(shownOf(*session), 100));
    QVERIFY2(lines.first().contains(u"prelude · recorded"), qPrintable(lines.first()));
    QVERIFY(lines.first().contains(u'░'));
}

void ShowTest::figuresAddUp()
{
    std::mt19937_64 random = seededRandom();
    for (int i = 0; i < caseCount(10); ++i) {
        const std::string line = randomLine(random, 60);
        const SessionPtr made = session(line);
        const size_t calls = made->threads.front().calls.size();
        for (const Position position : { Position {}, Position { ThreadIndex(0U), CallIndex(calls / 2) } }) {
            if (calls == 0 && !position.isEnd())
                continue;
            const Json document = showJson(shownOf(made, position));
            uint64_t chars = 0;
            uint64_t bytes = 0;
            for (size_t k = 0; k < document["slots"].size(); ++k) {
                const Json &slot = document["slots"][k];
                QCOMPARE(slot["index"], k);
                uint64_t ofBlocks = 0;
                for (const Json &block : slot["blocks"])
                    ofBlocks += block["chars"].get<uint64_t>();
                QCOMPARE(slot["chars"], ofBlocks);
                chars += slot["chars"].get<uint64_t>();
                bytes += slot["bytes"].get<uint64_t>();
            }
            QVERIFY2(document["totals"]["chars"] == chars, line.c_str());
            QCOMPARE(document["totals"]["bytes"], bytes);
            QCOMPARE(document["totals"]["tokens"]["value"], std::llround(static_cast<double>(chars) / 4));
            QCOMPARE(badFigure(document), "");
        }
    }
}

void ShowTest::anythingCanBeWritten()
{
    const SessionPtr session = hostile();
    QVERIFY(session);
    const std::string text = showJson(shownOf(session)).dump(2, ' ', false, Json::error_handler_t::replace);
    QVERIFY(QString::fromUtf8(text).toUtf8() == QByteArray::fromStdString(text));
    QVERIFY(Json::accept(text));
    QCOMPARE(actingCharacter(Json::parse(text)["slots"][0]["subject"].get<std::string>()), QString());
}

void ShowTest::aLifeIsCountedAsByLookingAtEveryArray()
{
    static constexpr FormatTraits kMergesUsers { .shape = MessageShape::Anthropic };
    std::mt19937_64 random = seededRandom();
    const auto below = [&](size_t count) { return std::uniform_int_distribution<size_t>(0, count - 1)(random); };
    for (int i = 0; i < caseCount(100); ++i) {
        auto made = std::make_shared<Session>(*session(randomLine(random, 1 + below(20))));
        made->traits = below(2) == 0 ? &kMergesUsers : &kDefaultTraits;
        // Arrays as rewinding, clearing and replacing make them: any parts of the pool, in any order.
        const auto part = [&] {
            const size_t begin = below(made->blocks.size());
            return BlockRange { static_cast<uint32_t>(begin),
                static_cast<uint32_t>(begin + 1 + below(made->blocks.size() - begin)) };
        };
        Thread &thread = made->threads.front();
        for (Call &call : thread.calls) {
            std::vector<BlockRange> parts;
            for (size_t k = 0; k < below(4); ++k)
                parts.push_back(part());
            call.input = BlockRanges::of(parts);
        }
        if (below(2) == 0)
            thread.end = BlockRanges::of({ part(), part() });
        RecordedCompaction compaction;
        compaction.before = BlockRanges::of({ part() });
        thread.compactions.push_back(compaction);

        std::set<uint32_t> slotIds;
        std::set<uint32_t> blocks;
        const auto look = [&](const BlockRanges &array) {
            const Transcript transcript(made, array);
            for (const Slot &slot : transcript.slots())
                slotIds.insert(slot.id.value());
            for (const BlockId id : transcript.blocks())
                blocks.insert(id.value());
        };
        for (const Call &call : thread.calls) {
            look(call.input);
            look(BlockRanges::of({ call.output }));
        }
        look(thread.end);
        look(compaction.before);
        const LifeCount life = lifeCount(*made, ThreadIndex(0U));
        QCOMPARE(life.slots, slotIds.size());
        QCOMPARE(life.blocks, blocks.size());
    }
}

void ShowTest::theLifeHoldsWhatOnlyTheCompactionSaw()
{
    const SessionPtr session = recorded();
    // The answer with the Task call was sent to nobody but the compacting call.
    QCOMPARE(lifeCount(*session, ThreadIndex(0U)).slots, 6U);
    QCOMPARE(lifeCount(*session, ThreadIndex(1U)).slots, 2U);
}

void ShowTest::theDrawing_data()
{
    QTest::addColumn<QString>("golden");
    QTest::addColumn<int>("columns");
    QTest::addColumn<int>("rows");
    QTest::newRow("every slot on its line") << u"plain"_s << 72 << 40;
    QTest::newRow("small slots folded, run by run") << u"folded"_s << 72 << 6;
    QTest::newRow("at a call before a compaction, with what is not in the log") << u"call"_s << 100 << 40;
    QTest::newRow("behind a compaction, at the end, with a damaged line") << u"end"_s << 100 << 40;
    QTest::newRow("another thread") << u"subagent"_s << 60 << 40;
    QTest::newRow("texts that would act on the terminal") << u"hostile"_s << 110 << 40;
    QTest::newRow("an empty array") << u"empty"_s << 72 << 40;
}

/// Golden files: `PALIMPSEST_UPDATE=1 tst_show theDrawing` writes them anew, to be looked at.
void ShowTest::theDrawing()
{
    QFETCH(QString, golden);
    QFETCH(int, columns);
    QFETCH(int, rows);
    const Measure nothing { 0, Measure::Unit::Messages };
    const Shown shown = golden == u"plain" ? shownOf(session("u:81 c:59 t:800* a:92 u:60 a:70"))
        : golden == u"folded"   ? shownOf(session("u:81 c:59 t:20 c:59 t:3000* c:59 t:20 a:92 u:60 a:70 u:60 a:70"))
        : golden == u"call"     ? shownOf(recorded(), { ThreadIndex(0U), CallIndex(1U) }, nothing, WeightUnit::Tokens)
        : golden == u"end"      ? shownOf(recorded(), {}, { 1, Measure::Unit::Messages }, WeightUnit::Tokens)
        : golden == u"subagent" ? shownOf(recorded(), { ThreadIndex(1U), {} })
        : golden == u"hostile"  ? shownOf(hostile(), {}, nothing)
                                : shownOf(session(""));
    const QByteArray drawing
        = QByteArray::fromStdString(draw(shown, static_cast<size_t>(columns), static_cast<size_t>(rows)));
    QFile file(QString::fromUtf8(PALIMPSEST_SOURCE_DIR) + u"/tests/golden/show-%1.txt"_s.arg(golden));
    if (qEnvironmentVariableIsSet("PALIMPSEST_UPDATE")) {
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(drawing);
        return;
    }
    QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
    const QStringList expected = QString::fromUtf8(file.readAll()).split(u'\n');
    const QStringList lines = QString::fromUtf8(drawing).split(u'\n');
    for (qsizetype i = 0; i < std::min(expected.size(), lines.size()); ++i)
        QCOMPARE(lines.at(i), expected.at(i));
    QCOMPARE(lines.size(), expected.size());
}

void ShowTest::linesAreNeverWider()
{
    std::mt19937_64 random = seededRandom();
    for (int i = 0; i < caseCount(4); ++i) {
        const Shown shown = shownOf(session(randomLine(random, 120)));
        for (const size_t columns : { size_t(1), size_t(40), size_t(57), size_t(100), size_t(300) }) {
            const size_t allowed = std::max<size_t>(columns, 40);
            for (const QString &line : linesOf(draw(shown, columns, 30)))
                QVERIFY2(columnsOf(line.toStdString()) <= allowed, qPrintable(line));
        }
    }
    const Shown wide = shownOf(hostile());
    for (const QString &line : linesOf(draw(wide, 60)))
        QVERIFY2(columnsOf(line.toStdString()) <= 60, qPrintable(line));
}

void ShowTest::everySlotIsDrawnOnce()
{
    std::mt19937_64 random = seededRandom();
    for (const size_t messages : { size_t(1), size_t(2), size_t(30), size_t(400), size_t(3000) }) {
        const SessionPtr made = session(randomLine(random, messages));
        const size_t count = Transcript(made, made->threads.front().end).slotCount();
        for (const double kept : { 0.0, 1.0, 6.0, 1e6 }) {
            const Shown shown = shownOf(made, {}, { kept, Measure::Unit::Messages });
            for (const size_t rows : { size_t(12), size_t(40) }) {
                const std::string drawing = draw(shown, 100, rows);
                size_t drawn = 0;
                size_t lines = 0;
                size_t next = 0;
                for (const QString &line : slotLines(drawing)) {
                    const auto [index, number] = slotsOfLine(line);
                    if (number == 0)
                        continue; // keep boundary, prelude
                    if (index >= 0)
                        QCOMPARE(size_t(index), next);
                    next += static_cast<size_t>(number);
                    drawn += static_cast<size_t>(number);
                    ++lines;
                }
                QCOMPARE(drawn, count);
                QVERIFY2(lines <= rows, drawing.c_str());
            }
            size_t single = 0;
            for (const QString &line : slotLines(draw(shown, 100, 12, true)))
                single += slotsOfLine(line).first >= 0 ? 1 : 0;
            QCOMPARE(single, count);
        }
    }
}

void ShowTest::theHeaviestSlotsKeepTheirLines()
{
    std::string line;
    for (int i = 0; i < 100; ++i)
        line += i % 10 == 3 ? "u:10 a:5000 " : "u:10 a:30 ";
    const Shown shown = shownOf(session(line));
    const QStringList lines = slotLines(draw(shown, 100, 25));
    std::set<int> alone;
    std::set<int> hot;
    for (const QString &each : lines) {
        const int index = slotsOfLine(each).first;
        alone.insert(index);
        if (each.startsWith(u'▌'))
            hot.insert(index);
    }
    for (int i = 3; i < 100; i += 10) {
        const int index = 2 * i + 1;
        QVERIFY2(alone.contains(index), qPrintable(QString::number(index)));
        QCOMPARE(hot.contains(index), shown.hot.of(SlotIndex(index)) != nullptr);
    }
    QVERIFY(!hot.empty());
}

void ShowTest::barsAreTrueToScale()
{
    // 30 columns of 8 eighths: a slot's bar is its share of the heaviest, rounded, and never nothing.
    const Shown shown
        = shownOf(session("u:4000 a:2000 u:1000 a:501 u:100 a:1 u:8000"), {}, { 0, Measure::Unit::Messages });
    const QStringList lines = slotLines(draw(shown, 100));
    const std::vector<int> expected { 112, 56, 28, 14, 3, 1, 224 };
    QCOMPARE(size_t(lines.size()), expected.size() + 1); // and the keep line
    for (size_t i = 0; i < expected.size(); ++i)
        QCOMPARE(eighthsOf(lines.at(static_cast<qsizetype>(i))), expected[i]);
}

void ShowTest::nothingActsOnTheTerminal()
{
    const SessionPtr session = hostile();
    QVERIFY(session);
    for (const bool showsAll : { false, true }) {
        const std::string drawing = draw(shownOf(session), 200, 40, showsAll);
        QCOMPARE(actingCharacter(drawing), QString());
        QVERIFY(drawing.contains("␛"));
        QVERIFY(drawing.contains("⟨RLO⟩"));
        QVERIFY(drawing.contains("⟨U+009B⟩"));
    }
}

void ShowTest::coloursAreOnlyColours()
{
    ShowDrawingOptions options;
    options.columns = 200;
    const Shown shown = shownOf(hostile(), {}, { 0, Measure::Unit::Messages });
    const QString plain = QString::fromStdString(drawShow(shown, options));
    std::set<QString> inks;
    for (const auto colours : { ShowDrawingOptions::Colours::OnDark, ShowDrawingOptions::Colours::OnLight }) {
        options.colours = colours;
        QString drawing = QString::fromStdString(drawShow(shown, options));
        static const QRegularExpression kColour(u"\x1b\\[(38;2;\\d+;\\d+;\\d+|0)m"_s);
        QVERIFY(drawing.contains(kColour));
        // Hot is red, the bars have the colours of what they are made of.
        inks.insert(kColour.match(drawing).captured(1));
        QVERIFY(drawing.contains(colours == ShowDrawingOptions::Colours::OnDark ? u"\x1b[38;2;255;138;128m▌"_s
                                                                                : u"\x1b[38;2;179;38;30m▌"_s));
        drawing.remove(kColour);
        // Without its colours it is the same picture, blanks at line ends aside.
        static const QRegularExpression kBlanks(u" +(?=\n)"_s);
        drawing.remove(kBlanks);
        QCOMPARE(drawing, plain);
    }
    QCOMPARE(inks.size(), 2U);
}

PALIMPSEST_TEST(ShowTest)
#include "tst_show.moc"
