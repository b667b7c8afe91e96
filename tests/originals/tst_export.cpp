// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/export.h"
#include "core/originals/restore.h"
#include "tests/file_bytes.h"
#include "tests/session_testing.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>
#include <map>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

/// The array as texts by slot.
std::vector<std::string> slotsOf(const Transcript &transcript)
{
    std::vector<std::string> texts;
    for (const Slot &slot : transcript.slots()) {
        std::string text(1, static_cast<char>('0' + static_cast<int>(slot.role)));
        for (const BlockId id : transcript.blocksOf(slot))
            text += "|" + transcript.session()->text(transcript.block(id).body);
        texts.push_back(text);
    }
    return texts;
}

} // namespace

/// What leaves by export comes back, and says what the plan said.
class ExportTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void samples_data();
    void samples();
    void corpus_data();
    void corpus();
    void anExistingFileStays();
    void storeBeforeCut();
    void samplesAtCalls_data() { samples_data(); }
    void samplesAtCalls();
    void corpusAtCalls_data();
    void corpusAtCalls();
    void everythingSummarised();
    void aHarnessTakesTheNextCompaction();
    void halfIsNotWritten();
    void theStoreHasAPlaceOfItsOwn_data();
    void theStoreHasAPlaceOfItsOwn();
    void markersAreKnownAgain_data();
    void markersAreKnownAgain();
    void artifactsGrowByRounds();

private:
    void check(const std::filesystem::path &file, const PolicyPtr &policy, Position position = {});
    size_t m_written = 0;
    size_t m_refused = 0;
};

/// Exports, reads the export again, and restores the input out of export and store.
void ExportTest::check(const std::filesystem::path &file, const PolicyPtr &policy, Position position)
{
    const auto loaded = loadSession(file);
    if (!loaded)
        return;
    const SessionPtr &session = *loaded;
    const Transcript array(session, rangesAt(*session, position));
    CompactOptions options;
    options.position = position;
    options.ignoresTriggers = true;
    const Compaction compaction = compact(array, policy, *roughTokens(*session), options);
    const QTemporaryDir folder;
    ExportOptions target;
    target.file = (folder.path() + u"/out"_s).toStdString();
    target.position = position;
    const auto exported = exportCompaction(compaction, target);
    if (!exported) {
        // A sentence, and nothing written.
        QVERIFY(!exported.error().message.empty());
        QVERIFY(!std::filesystem::exists(target.file));
        ++m_refused;
        qInfo("%s, %s: %s", file.filename().c_str(), policy->id.c_str(), exported.error().sentence().c_str());
        return;
    }
    ++m_written;
    const auto again = loadSession(target.file);
    QVERIFY2(again.has_value() || compaction.after.isEmpty(), again ? "" : again.error().sentence().c_str());
    if (again) {
        const size_t thread = position.thread.index() < (*again)->threads.size() ? position.thread.index() : 0;
        const Transcript back(*again, (*again)->threads[thread].end);
        QCOMPARE(slotsOf(back), slotsOf(compaction.after));
    }
    const auto store = Store::open(exported->store);
    QVERIFY(store.has_value());
    const auto ledger = store->ledger(exported->commit);
    QVERIFY(ledger.has_value());
    std::map<std::string, std::string> paths; // by its name each original would have the ledger read anew
    for (const LedgerOriginal &original : ledger->originals)
        paths[original.name] = original.path;
    // Every block that lost something has its original, byte for byte.
    for (const BlockId id : rewrittenBlocks(compaction)) {
        const auto original = store->readPath(exported->commit, paths[originalName(*session, id)]);
        QVERIFY2(original.has_value(), original ? "" : original.error().sentence().c_str());
        QCOMPARE(std::string_view(*original), session->rawBody(session->block(id).body));
    }
    const auto restored = restoreSession(*store, exported->commit, testing::bytesOf(target.file), target.file);
    QVERIFY(restored.has_value());
    QVERIFY(std::string_view(*restored) == session->sources.front()->bytes());
    if (compaction.changesNothing() && position.isEnd())
        QVERIFY(testing::bytesOf(target.file) == session->sources.front()->bytes());
}

void ExportTest::samples_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("policy");
    for (const char *file : { "genkit.json", "claude-code.jsonl", "codex.jsonl" }) {
        for (const PolicyPtr &policy : presets())
            QTest::addRow("%s, %s", file, policy->id.c_str())
                << u"messages-21."_s + QString::fromLatin1(file) << QString::fromStdString(policy->id);
    }
}

void ExportTest::samples()
{
    QFETCH(const QString, file);
    QFETCH(const QString, policy);
    check(std::filesystem::path(PALIMPSEST_SOURCE_DIR) / "resources/samples" / file.toStdString(),
        preset(policy.toStdString()));
    QCOMPARE(m_refused, size_t(0));
}

void ExportTest::corpus_data() { testing::addCorpusRows(12); }

void ExportTest::corpus()
{
    QFETCH(const QString, file);
    if (file.isEmpty())
        QSKIP("There is no corpus beside the repository.");
    m_refused = 0;
    std::mt19937_64 random = seededRandom();
    const bool all = qEnvironmentVariableIsSet("PALIMPSEST_ALL_CASES");
    for (const PolicyPtr &policy : presets()) {
        if (!all && random() % 4 != 0)
            continue;
        check(testing::corpus() / file.toStdString(), policy);
        if (QTest::currentTestFailed()) {
            qWarning("under %s", policy->id.c_str());
            return;
        }
    }
}

namespace {

Compaction ofSample()
{
    const auto session
        = loadSession(std::filesystem::path(PALIMPSEST_SOURCE_DIR) / "resources/samples/messages-21.genkit.json");
    return compact(
        Transcript(*session, (*session)->threads.front().end), preset("genkit-recipe-figure"), *roughTokens(**session));
}

} // namespace

void ExportTest::anExistingFileStays()
{
    const QTemporaryDir folder;
    ExportOptions target;
    target.file = (folder.path() + u"/out"_s).toStdString();
    std::ofstream(target.file) << "mine";
    QVERIFY(!exportCompaction(ofSample(), target));
    QCOMPARE(testing::bytesOf(target.file), "mine");
    QVERIFY(!std::filesystem::exists(target.file.string() + ".originals.git"));
}

/// Where the originals cannot be stored nothing is cut.
void ExportTest::storeBeforeCut()
{
    const QTemporaryDir folder;
    ExportOptions target;
    target.file = (folder.path() + u"/out"_s).toStdString();
    target.store = (folder.path() + u"/file"_s).toStdString();
    std::ofstream(target.store) << "not a folder";
    QVERIFY(!exportCompaction(ofSample(), target));
    QVERIFY(!std::filesystem::exists(target.file));
}

/// The session as it stood at a call, another one for each policy.
void ExportTest::samplesAtCalls()
{
    QFETCH(const QString, file);
    QFETCH(const QString, policy);
    const std::filesystem::path path
        = std::filesystem::path(PALIMPSEST_SOURCE_DIR) / "resources/samples" / file.toStdString();
    const auto session = loadSession(path);
    QVERIFY(session.has_value());
    m_refused = 0;
    std::mt19937_64 random = seededRandom();
    const size_t calls = (*session)->threads.front().calls.size();
    const size_t drawn = (random() + std::hash<QString> {}(policy)) % calls;
    for (size_t call = 0; call < calls; ++call) {
        if (call != drawn && !qEnvironmentVariableIsSet("PALIMPSEST_ALL_CASES"))
            continue;
        check(path, preset(policy.toStdString()), { ThreadIndex(0U), CallIndex(call) });
        if (QTest::currentTestFailed())
            return;
    }
    QCOMPARE(m_refused, size_t(0));
}

void ExportTest::corpusAtCalls_data() { testing::addCorpusRows(6); }

/// Random calls under random presets, `none` among them: what comes out ends with the array after, or nothing does.
void ExportTest::corpusAtCalls()
{
    QFETCH(const QString, file);
    if (file.isEmpty())
        QSKIP("There is no corpus beside the repository.");
    const std::filesystem::path path = testing::corpus() / file.toStdString();
    const auto session = loadSession(path);
    if (!session)
        QSKIP("The file is of no format that is read.");
    m_refused = 0;
    m_written = 0;
    std::mt19937_64 random = seededRandom();
    const size_t rounds = qEnvironmentVariableIsSet("PALIMPSEST_ALL_CASES") ? 8 : 2;
    for (size_t round = 0; round < rounds; ++round) {
        const ThreadIndex thread(random() % 4 == 0 ? random() % (*session)->threads.size() : 0);
        const size_t calls = (*session)->thread(thread).calls.size();
        if (calls == 0)
            continue;
        const CallIndex call(random() % calls);
        const PolicyPtr policy = round == 0 ? preset("none") : presets()[random() % presets().size()];
        check(path, policy, { thread, call });
        if (QTest::currentTestFailed()) {
            qWarning("thread %u, call %u of %zu, %s", thread.value(), call.value(), calls, policy->id.c_str());
            return;
        }
    }
    qInfo("%zu written, %zu refused", m_written, m_refused);
}

/// Of an array that a policy summarises to its end nothing but the summary is left.
void ExportTest::everythingSummarised()
{
    const auto session = testing::load(
        R"({"messages":[{"role":"user","content":[{"text":"one"}]},{"role":"model","content":[{"text":"two"}]}]})");
    QVERIFY(session.has_value());
    Compaction compaction
        = compact(Transcript(*session, (*session)->threads.front().end), preset("none"), *roughTokens(**session));
    auto after = std::make_shared<Session>(**session);
    after->sources.push_back(Source::own("in short", "the compaction"));
    Block summary;
    summary.kind = BlockKind::Text;
    summary.set(BlockFlag::Summary);
    summary.message = MessageId(after->messages.size());
    summary.body = { SourceId(after->sources.size() - 1), Coding::Plain, 0, 8, textLengths("in short") };
    summary.lengths = summary.body.lengths;
    const auto place = static_cast<uint32_t>(after->blocks.size());
    Message message;
    message.first = BlockId(place);
    message.count = 1;
    after->messages.push_back(message);
    after->blocks.push_back(summary);
    for (const BlockId id : compaction.before.blocks()) {
        Rewrite rewrite;
        rewrite.block = id;
        rewrite.fate = Fate::Summarised;
        compaction.rewrites.push_back(rewrite);
    }
    compaction.origins = { BlockId() };
    compaction.after = Transcript(after, BlockRanges::of({ { place, place + 1 } }));
    const QTemporaryDir folder;
    ExportOptions target;
    target.file = (folder.path() + u"/out"_s).toStdString();
    const auto exported = exportCompaction(compaction, target);
    QVERIFY2(exported.has_value(), exported ? "" : exported.error().message.c_str());
    const auto again = loadSession(target.file);
    QVERIFY(again.has_value());
    QCOMPARE(testing::describe(**again), "user{text+typed \"in short\"}");
}

/// A session that was compacted before gets one more compaction of the harness's own, although of an answer that was
/// aborted not every block is in the array.
void ExportTest::aHarnessTakesTheNextCompaction()
{
    const auto entry = [](const char *id, const char *parent, const std::string &rest) {
        return std::string(R"({"type":")") + (rest.starts_with("\"summary\"") ? "compaction" : "message")
            + R"(","id":")" + id + R"(","parentId":)" + parent + R"(,"timestamp":"2026-01-01T00:00:00Z",)" + rest
            + "}\n";
    };
    const auto said = [](const char *role, const char *text, const char *more = "") {
        return std::string(R"("message":{"role":")") + role + R"(","content":[{"type":"text","text":")" + text + "\"}"
            + more + "}";
    };
    const std::string bytes = R"({"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00Z","cwd":"/"})"
                              "\n"
        + entry("e1", "null", said("user", "one", "]"))
        + entry("e2", R"("e1")", said("assistant", "two", R"(],"stopReason":"stop")"))
        + entry("e3", R"("e2")", R"("summary":"told","firstKeptEntryId":"e2","tokensBefore":9)")
        + entry("e4", R"("e3")", said("user", "three", "]"))
        + entry("e5", R"("e4")",
            said("assistant", "four",
                R"(,{"type":"toolCall","id":"c","name":"run","arguments":{}}],"stopReason":"aborted")"))
        + entry("e6", R"("e5")", said("user", "five", "]"))
        + entry("e7", R"("e6")", said("assistant", "six", R"(],"stopReason":"stop")"));
    const auto session = testing::load(bytes);
    QVERIFY(session.has_value());
    const Transcript array(*session, (*session)->threads.front().end);
    QVERIFY(std::ranges::any_of(slotsOf(array), [](const std::string &each) { return each.ends_with("|four"); }));
    const auto policy
        = std::make_shared<const Policy>(*withSetting(*preset("langchain-summarization"), "keep", "2msg"));
    CompactOptions options;
    options.ignoresTriggers = true;
    const Compaction compaction = compact(array, policy, *roughTokens(**session), options);
    QCOMPARE(compaction.after.slotCount(), 3U);
    const QTemporaryDir folder;
    ExportOptions target;
    target.file = (folder.path() + u"/out"_s).toStdString();
    const auto exported = exportCompaction(compaction, target);
    QVERIFY2(exported.has_value(), exported ? "" : exported.error().message.c_str());
    QVERIFY(testing::bytesOf(target.file).starts_with(bytes));
    const auto again = loadSession(target.file);
    QVERIFY(again.has_value());
    QCOMPARE(slotsOf(Transcript(*again, (*again)->threads.front().end)), slotsOf(compaction.after));
}

void ExportTest::theStoreHasAPlaceOfItsOwn_data()
{
    QTest::addColumn<bool>("isRelative");
    QTest::addColumn<QString>("store");
    QTest::newRow("written with a detour") << false << u"./out"_s;
    QTest::newRow("written as a folder") << false << u"out/"_s;
    QTest::newRow("the file is named from the working folder") << true << u"out"_s;
}

void ExportTest::theStoreHasAPlaceOfItsOwn()
{
    QFETCH(const bool, isRelative);
    QFETCH(const QString, store);
    const QTemporaryDir folder;
    ExportOptions target;
    target.file = (folder.path() + u"/out"_s).toStdString();
    if (isRelative)
        target.file = target.file.lexically_relative(std::filesystem::current_path());
    target.store = (folder.path() + u"/"_s + store).toStdString();
    const auto exported = exportCompaction(ofSample(), target);
    QVERIFY(!exported.has_value());
    QCOMPARE(exported.error().message, std::string("The new file and its store cannot have the same path."));
    QVERIFY(std::filesystem::is_empty(folder.path().toStdString()));
}

/// A file that was repaired to be read has no place for the changes: nothing is written, not even a store, and one
/// sentence says so. In another shape the array can leave.
void ExportTest::halfIsNotWritten()
{
    const auto session = testing::load(R"([{"type":"human","content":")" + std::string(3000, 'x') + "\xFF"
        + R"("},{"type":"ai","content":")" + std::string(3000, 'y') + R"("},{"type":"human","content":"go on"}])");
    QVERIFY(session.has_value());
    const auto policy = std::make_shared<const Policy>(*withSetting(*preset("genkit-recipe-figure"), "keep", "1msg"));
    const Compaction compaction
        = compact(Transcript(*session, (*session)->threads.front().end), policy, *roughTokens(**session));
    QCOMPARE(compaction.rewrites.size(), 2U);
    const QTemporaryDir folder;
    ExportOptions target;
    target.file = (folder.path() + u"/out"_s).toStdString();
    const auto exported = exportCompaction(compaction, target);
    QVERIFY(!exported.has_value());
    QVERIFY2(exported.error().message.starts_with("The file cannot hold 2 of the changes, so nothing was written; the "
                                                  "first is at [0]: This text is in a part of the file"),
        exported.error().message.c_str());
    QVERIFY(std::filesystem::is_empty(folder.path().toStdString()));
    target.shape = MessagesShape::LangChain;
    QVERIFY(exportCompaction(compaction, target).has_value());
}

void ExportTest::markersAreKnownAgain_data()
{
    QTest::addColumn<QString>("policy");
    QTest::addColumn<QString>("setting");
    QTest::newRow("truncated results") << u"iii-pr140-as-coded"_s << QString();
    QTest::newRow("truncated results, as intended") << u"iii-pr140-intended"_s << QString();
    QTest::newRow("offloaded results, with a sample above the cap")
        << u"genkit-recipe"_s << u"offload-results.cap=400"_s;
    QTest::newRow("offloaded results by Deep Agents") << u"deep-agents"_s << u"offload-results.cap=400"_s;
}

/// What a harness shortened when it came about is not shortened again in the session that was exported.
void ExportTest::markersAreKnownAgain()
{
    QFETCH(const QString, policy);
    QFETCH(const QString, setting);
    Policy wanted = *preset(policy.toStdString());
    if (const auto [key, value] = std::pair(setting.section(u'=', 0, 0), setting.section(u'=', 1)); !key.isEmpty())
        wanted = *withSetting(wanted, key.toStdString(), value.toStdString());
    const auto policyUsed = std::make_shared<const Policy>(std::move(wanted));
    std::string lines;
    for (int i = 0; i < 2000; ++i)
        lines += "line " + std::to_string(i) + std::string(90, 'x') + "\\n";
    const auto message = [](const char *role, const std::string &content) {
        return std::string(R"({"role":")") + role + R"(","content":[)" + content + "]}";
    };
    const auto session
        = testing::load(R"({"max_tokens":9,"messages":[)" + message("user", R"({"type":"text","text":"a"})") + ","
            + message("assistant", R"({"type":"tool_use","id":"t1","name":"run","input":{"command":"b"}})") + ","
            + message("user", R"({"type":"tool_result","tool_use_id":"t1","content":")" + lines + R"("})") + ","
            + message("assistant", R"({"type":"text","text":"c"})") + "]}");
    QVERIFY(session.has_value());
    const auto changesOf = [&](const Session &from, const SessionPtr &owner) {
        return compact(Transcript(owner, from.threads.front().end), policyUsed, *roughTokens(from));
    };
    const Compaction first = changesOf(**session, *session);
    QCOMPARE(first.rewrites.size(), 1U);
    const QTemporaryDir folder;
    ExportOptions target;
    target.file = (folder.path() + u"/out"_s).toStdString();
    QVERIFY(exportCompaction(first, target).has_value());
    const auto again = loadSession(target.file);
    QVERIFY(again.has_value());
    QCOMPARE(changesOf(**again, *again).rewrites.size(), 0U);
}

/// Under a persistent policy the harness writes each round's section behind those of before: in the recorded run at a
/// later call, or in the session that the first round exported.
void ExportTest::artifactsGrowByRounds()
{
    const std::filesystem::path file
        = std::filesystem::path(PALIMPSEST_SOURCE_DIR) / "resources/samples/messages-21.claude-code.jsonl";
    const QTemporaryDir folder;
    const std::filesystem::path top = folder.path().toStdString();
    auto policy = withSetting(*preset("deep-agents"), "keep", "4msg");
    QVERIFY2(policy.has_value(), policy ? "" : policy.error().message.c_str());
    const auto persistent = std::make_shared<const Policy>(std::move(*policy));
    const auto round = [&](const std::filesystem::path &from, CallIndex call, const char *name) {
        const auto session = loadSession(from);
        const Position position { ThreadIndex(0U), call };
        CompactOptions options;
        options.position = position;
        options.ignoresTriggers = true;
        options.sessionId = "s";
        const Compaction compaction = compact(
            Transcript(*session, rangesAt(**session, position)), persistent, *roughTokens(**session), options);
        ExportOptions target;
        target.position = position;
        target.file = top / name;
        target.store = top / "store";
        const auto exported = exportCompaction(compaction, target);
        std::string own;
        std::string kept;
        for (const Artifact &artifact : compaction.artifacts) {
            if (!artifact.isAppended || !exported)
                continue;
            own = compaction.textOf(artifact);
            kept = Store::open(target.store)->read(exported->commit, artifact.name).value();
        }
        return std::pair(own, kept);
    };
    const auto first = round(file, CallIndex(5U), "1");
    QVERIFY(!first.first.empty());
    QCOMPARE(first.second, first.first);
    const auto second = round(file, CallIndex(8U), "2");
    QVERIFY(!second.first.empty());
    QCOMPARE(second.second, first.first + second.first);
    // The same round once more is no further one.
    QCOMPARE(round(file, CallIndex(5U), "3").second, first.first);
    QCOMPARE(round(file, CallIndex(8U), "4").second, first.first + second.first);
    const auto goesOn = round(top / "4", CallIndex(), "5");
    QCOMPARE(goesOn.second, goesOn.first.empty() ? std::string() : first.first + second.first + goesOn.first);
}

PALIMPSEST_TEST(ExportTest)
#include "tst_export.moc"
