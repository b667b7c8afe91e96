// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/export.h"
#include "core/compaction/overrides.h"
#include "core/compaction/text_edits.h"
#include "core/compaction/validity.h"
#include "core/originals/restore.h"
#include "tests/file_bytes.h"
#include "tests/session_testing.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <map>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

const std::string kText = "Edited 𝄞 by “hand”:\n\ta \\ \"b\" </x>\u2028end";

using Texts = std::vector<std::pair<Role, std::string>>;

/// Role and text of each block; empty texts are left out, as some formats leave them out.
Texts textsOf(const Transcript &transcript)
{
    Texts texts;
    for (const Slot &slot : transcript.slots()) {
        for (const BlockId id : transcript.blocksOf(slot)) {
            std::string text = transcript.session()->text(transcript.block(id).body);
            if (!text.empty())
                texts.emplace_back(slot.role, std::move(text));
        }
    }
    return texts;
}

/// The array with its overrides, written without the code under test.
Texts expectedOf(const Transcript &before, const Overrides &overrides)
{
    Texts texts;
    const auto blocks = before.blocks();
    for (const TextInsertion &each : overrides.insert) {
        if (!each.after.isValid())
            texts.emplace_back(each.role, each.text);
    }
    for (size_t i = 0; i < blocks.size(); ++i) {
        const Block &block = before.block(blocks[i]);
        const Role role = before.slot(before.slotOf(blocks[i])).role;
        std::string text = before.session()->text(block.body);
        for (const TextEdit &each : overrides.replace) {
            if (each.block == blocks[i])
                text = each.text;
        }
        if (!text.empty())
            texts.emplace_back(role, text);
        if (i + 1 < blocks.size() && before.block(blocks[i + 1]).message == block.message)
            continue;
        for (const TextInsertion &each : overrides.insert) {
            if (each.after.isValid() && before.block(each.after).message == block.message)
                texts.emplace_back(each.role, each.text);
        }
    }
    return texts;
}

/// Some edits and insertions that the array allows.
Overrides drawn(const Transcript &array, std::mt19937_64 &random)
{
    Overrides overrides;
    const Session &session = *array.session();
    const auto blocks = array.blocks();
    for (size_t tries = 0; tries < 12 && !blocks.empty(); ++tries) {
        const BlockId id = blocks[random() % blocks.size()];
        const Block &block = session.block(id);
        const bool isJson = block.kind == BlockKind::ToolCall && block.body.coding == Coding::JsonValue;
        const std::string text = isJson ? R"({"edited": "ä", "n": [1, 2]})" : kText + std::to_string(tries);
        const bool isKnown = std::ranges::contains(overrides.replace, id, &TextEdit::block);
        if (!isKnown && block.lengths.bytes > 0 && !whyNotText(session, id, text))
            overrides.replace.push_back({ id, text });
        const BlockId after = blocks[random() % blocks.size()];
        if (overrides.insert.size() < 3 && !whyNotBehind(array, after))
            overrides.insert.push_back({ after, Role::User, "Inserted " + kText + std::to_string(tries) });
    }
    if (!blocks.empty() && !whyNotBehind(array, blocks.back()))
        overrides.insert.push_back({ blocks.back(), Role::User, "The last word" });
    if (!blocks.empty() && random() % 2 == 0)
        overrides.insert.push_back({ {}, Role::User, "The first word" });
    std::ranges::sort(overrides.replace, {}, &TextEdit::block);
    return overrides;
}

Compaction edited(const Transcript &array, const Overrides &overrides, Position position = {})
{
    CompactOptions options;
    options.position = position;
    options.overrides = overrides;
    return compact(array, preset("none"), *roughTokens(*array.session()), options);
}

} // namespace

/// Texts that the user wrote: they stand in the array and in the exported file, nothing else changes there, and the
/// originals come back.
class HandEditsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void samples_data();
    void samples();
    void corpus_data() { testing::addCorpusRows(6); }
    void corpus();
    void theyStayWhateverThePolicySays();
    void tokensAreCounted();
    void fatesAreTold();
    void whatAProviderRefuses();
    void whatCannotBeEdited();
    void documents();
    void documentsAreRefused_data();
    void documentsAreRefused();
    void theyAreCarriedOver();

private:
    void check(const std::filesystem::path &file, Position position);
    size_t m_written = 0;
    size_t m_refused = 0;
};

void HandEditsTest::check(const std::filesystem::path &file, Position position)
{
    const auto loaded = loadSession(file);
    if (!loaded)
        return;
    const SessionPtr &session = *loaded;
    const Transcript array(session, rangesAt(*session, position));
    auto random = seededRandom();
    const Overrides overrides = drawn(array, random);
    if (overrides.isEmpty())
        return;
    const Compaction compaction = edited(array, overrides, position);
    QCOMPARE(textsOf(compaction.after), expectedOf(array, overrides));
    QCOMPARE(rewrittenBlocks(compaction).size(), overrides.replace.size());
    const QTemporaryDir folder;
    ExportOptions target;
    target.file = (folder.path() + u"/out"_s).toStdString();
    target.position = position;
    const auto exported = exportCompaction(compaction, target);
    if (!exported) {
        QVERIFY(!exported.error().message.empty());
        QVERIFY(!std::filesystem::exists(target.file));
        ++m_refused;
        qInfo("%s: %s", file.filename().c_str(), exported.error().sentence().c_str());
        return;
    }
    ++m_written;
    const auto again = loadSession(target.file);
    QVERIFY2(again.has_value(), again ? "" : again.error().sentence().c_str());
    const size_t thread = position.thread.index() < (*again)->threads.size() ? position.thread.index() : 0;
    QCOMPARE(textsOf(Transcript(*again, (*again)->threads[thread].end)), expectedOf(array, overrides));
    const auto store = Store::open(exported->store);
    QVERIFY(store.has_value());
    const auto ledger = store->ledger(exported->commit);
    QVERIFY(ledger.has_value());
    std::map<std::string, std::string> paths;
    for (const LedgerOriginal &original : ledger->originals)
        paths[original.name] = original.path;
    for (const TextEdit &each : overrides.replace) {
        const auto original = store->readPath(exported->commit, paths[originalName(*session, each.block)]);
        QVERIFY2(original.has_value(), original ? "" : original.error().sentence().c_str());
        QCOMPARE(std::string_view(*original), session->rawBody(session->block(each.block).body));
    }
    const auto restored = restoreSession(*store, exported->commit, testing::bytesOf(target.file), target.file);
    QVERIFY(restored.has_value());
    QVERIFY(std::string_view(*restored) == session->sources.front()->bytes());
}

void HandEditsTest::samples_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<bool>("isAtCall");
    for (const char *file : { "genkit.json", "claude-code.jsonl", "codex.jsonl" }) {
        QTest::addRow("%s", file) << u"messages-21."_s + QString::fromLatin1(file) << false;
        QTest::addRow("%s at a call", file) << u"messages-21."_s + QString::fromLatin1(file) << true;
    }
}

void HandEditsTest::samples()
{
    QFETCH(const QString, file);
    QFETCH(const bool, isAtCall);
    m_refused = m_written = 0;
    check(testing::samplePath(file).toStdString(), isAtCall ? Position { ThreadIndex(0U), CallIndex(3U) } : Position());
    QCOMPARE(m_refused, size_t(0));
    QCOMPARE(m_written, size_t(1));
}

void HandEditsTest::corpus()
{
    QFETCH(const QString, file);
    if (file.isEmpty())
        QSKIP("There is no corpus beside the repository.");
    check(testing::corpus() / file.toStdString(), {});
}

void HandEditsTest::theyStayWhateverThePolicySays()
{
    auto random = seededRandom();
    for (int i = 0; i < caseCount(20); ++i) {
        const SessionPtr session = core::session(randomLine(random, 30));
        const Transcript array(session, session->threads.front().end);
        const Overrides overrides = drawn(array, random);
        for (const PolicyPtr &policy : presets()) {
            CompactOptions options;
            options.ignoresTriggers = true;
            options.overrides = overrides;
            const Compaction made = compact(array, policy, *roughTokens(*session), options);
            const Texts texts = textsOf(made.after);
            for (const TextEdit &each : overrides.replace)
                QVERIFY2(std::ranges::contains(texts, each.text, &Texts::value_type::second), policy->id.c_str());
            for (const TextInsertion &each : overrides.insert)
                QVERIFY2(std::ranges::contains(texts, each.text, &Texts::value_type::second), policy->id.c_str());
        }
    }
}

void HandEditsTest::tokensAreCounted()
{
    const SessionPtr session = core::session("u:400 a:4000 u:300 a:900");
    const Transcript array(session, session->threads.front().end);
    const BlockTokensPtr tokens = roughTokens(*session);
    const Compaction shorter = edited(array, { {}, {}, { { BlockId(1U), "short" } }, {} });
    QVERIFY(shorter.afterTokens->of(shorter.after.blocks()[1]) < 5);
    const Compaction more = edited(array, { {}, {}, {}, { { BlockId(1U), Role::User, "one two three" } } });
    QCOMPARE(more.after.blocks().size(), size_t(5));
    const double added = more.afterTokens->of(more.after.blocks()[2]);
    QVERIFY(added > 1 && added < 8);
}

void HandEditsTest::fatesAreTold()
{
    const SessionPtr session = core::session("u:400 a:4000 u:300 a:900");
    const Transcript array(session, session->threads.front().end);
    const Compaction made
        = edited(array, { {}, {}, { { BlockId(1U), kText } }, { { BlockId(1U), Role::User, "one two" } } });
    QCOMPARE(made.fates, (std::vector { Fate::Kept, Fate::Edited, Fate::Kept, Fate::Kept }));
    QVERIFY(std::ranges::contains(made.fatesAfter, Fate::Edited));
    QVERIFY(std::ranges::contains(made.fatesAfter, Fate::Inserted));
    QVERIFY(!std::ranges::contains(made.fatesAfter, Fate::Added));
    for (const Rewrite &rewrite : made.rewrites)
        QCOMPARE(made.stageName(rewrite.stage), std::string("override"));
    // A longer text by hand is no fault of a stage.
    const Compaction longer = edited(array, { {}, {}, { { BlockId(0U), std::string(2000, 'x') } }, {} });
    QVERIFY(longer.validity.empty());
}

void HandEditsTest::whatAProviderRefuses()
{
    const SessionPtr session = core::session("u:400 a:50+c:60 t:5000 a:900");
    const Transcript array(session, session->threads.front().end);
    BlockId call;
    for (const BlockId id : array.blocks()) {
        if (array.block(id).kind == BlockKind::ToolCall)
            call = id;
    }
    QVERIFY(whyNotBehind(array, call).has_value());
    QVERIFY(!whyNotBehind(array, array.blocks().back()).has_value());
    const Compaction parted = edited(array, { {}, {}, {}, { { call, Role::User, "between" } } });
    QCOMPARE(refusalsOf(parted).size(), size_t(1));
    QCOMPARE(refusalsOf(parted).front().rule, std::string("parted-call"));
    const Compaction behind = edited(array, { {}, {}, {}, { { array.blocks()[3], Role::User, "behind" } } });
    QVERIFY(refusalsOf(behind).empty());
}

void HandEditsTest::whatCannotBeEdited()
{
    const auto loaded
        = testing::load(R"({"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"Hi"},)"
                        R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}]},)"
                        R"({"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"abc"},)"
                        R"({"type":"text","text":"Yes"},{"type":"tool_use","id":"t1","name":"ls","input":{}}]},)"
                        R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"a"}]}]})");
    QVERIFY2(loaded.has_value(), loaded ? "" : loaded.error().sentence().c_str());
    const Session &session = **loaded;
    std::map<BlockKind, BlockId> of;
    for (size_t i = 0; i < session.blocks.size(); ++i)
        of[session.blocks[i].kind] = BlockId(i);
    QVERIFY(whyNotEditable(session, of[BlockKind::Image]).value_or("").contains("image"));
    QVERIFY(whyNotEditable(session, of[BlockKind::Thinking]).value_or("").contains("signed"));
    QVERIFY(!whyNotEditable(session, of[BlockKind::Text]));
    QVERIFY(!whyNotEditable(session, of[BlockKind::ToolResult]));
    QVERIFY(whyNotText(session, of[BlockKind::ToolCall], "no JSON").value_or("").contains("JSON object"));
    QVERIFY(!whyNotText(session, of[BlockKind::ToolCall], R"({"a":1})"));
    QVERIFY(whyNotText(session, of[BlockKind::Text], " \n").has_value());
    QVERIFY(whyNotInserted(session, Role::Tool, "x").has_value());
    QVERIFY(whyNotInserted(session, Role::System, "x").has_value());
    QVERIFY(!whyNotInserted(session, Role::Assistant, "x"));
}

void HandEditsTest::documents()
{
    const SessionPtr session = core::session("u:10=1 a:200=2 u:30=3 a:40=4");
    const BlockKeys keys(*session);
    const Overrides overrides { { BlockId(0U) }, { BlockId(3U) }, { { BlockId(1U), kText } },
        { { BlockId(0U), Role::User, kText }, { BlockId(0U), Role::Assistant, "b" }, { {}, Role::User, "first" } } };
    const std::string document = overridesDocument(overrides, keys);
    QVERIFY(document.contains("\"after\": null"));
    const auto read = parseOverrides(*session, document);
    QVERIFY2(read.has_value(), read ? "" : read.error().sentence().c_str());
    QVERIFY(read->overrides == overrides);
    QVERIFY(read->missing.isEmpty());
    const auto first
        = parseOverrides(*session, R"({"schema":"palimpsest.overrides/1","keep":[")" + keys.of(BlockId(2U)) + R"("]})");
    QVERIFY(first.has_value());
    QCOMPARE(first->overrides.keep, std::vector { BlockId(2U) });
    const auto unknown = parseOverrides(*session,
        R"({"schema":"palimpsest.overrides/2","replace":[{"block":"x/0","text":"a"}],)"
        R"("insert":[{"after":"y/0","role":"user","text":"a"}]})");
    QVERIFY(unknown.has_value());
    QCOMPARE(unknown->missing.keys(), (std::vector<std::string> { "x/0", "y/0" }));
}

void HandEditsTest::documentsAreRefused_data()
{
    QTest::addColumn<QString>("members");
    QTest::addColumn<QString>("message");
    QTest::newRow("an edit without a text")
        << uR"("replace":[{"block":"KEY"}])"_s << u"“replace[0]” of the overrides should have two members"_s;
    QTest::newRow("an edit with more") << uR"("replace":[{"block":"KEY","text":"a","x":1}])"_s
                                       << u"“replace[0]” of the overrides should have two members"_s;
    QTest::newRow("a list that is none") << uR"("insert":{})"_s << u"“insert” of the overrides should be an array."_s;
    QTest::newRow("a role that is none") << uR"("insert":[{"after":"KEY","role":"tool","text":"a"}])"_s
                                         << u"“insert[0]” of the overrides has the role “tool”; a role is"_s;
    QTest::newRow("a blank text") << uR"("replace":[{"block":"KEY","text":" "}])"_s
                                  << u"“replace[0]” of the overrides is refused: A provider refuses a blank text"_s;
    QTest::newRow("replaced twice") << uR"("replace":[{"block":"KEY","text":"a"},{"block":"KEY","text":"b"}])"_s
                                    << u"The block KEY is replaced twice."_s;
    QTest::newRow("replaced and dropped") << uR"("drop":["KEY"],"replace":[{"block":"KEY","text":"a"}])"_s
                                          << u"The block KEY is both replaced and dropped."_s;
}

void HandEditsTest::documentsAreRefused()
{
    QFETCH(QString, members);
    QFETCH(QString, message);
    const SessionPtr session = core::session("u:10=1 a:200=2");
    const QString key = QString::fromStdString(BlockKeys(*session).of(BlockId(1U)));
    const std::string document
        = (uR"({"schema":"palimpsest.overrides/2",)"_s + members.replace(u"KEY"_s, key) + u'}').toStdString();
    const auto read = parseOverrides(*session, document, "o.json");
    QVERIFY(!read.has_value());
    QVERIFY2(
        read.error().message.starts_with(message.replace(u"KEY"_s, key).toStdString()), read.error().message.c_str());
    QCOMPARE(read.error().where, std::string("o.json"));
    const auto old = parseOverrides(*session, R"({"schema":"palimpsest.overrides/1","replace":[]})");
    QVERIFY(!old.has_value());
}

void HandEditsTest::theyAreCarriedOver()
{
    const SessionPtr before = core::session("u:10=1 a:200=2 u:30=3 a:40=4");
    const SessionPtr after = core::session("u:99=9 u:10=1 u:30=3 a:40=4");
    const BlockKeys from(*before);
    const BlockKeys to(*after);
    const Overrides overrides { {}, {}, { { BlockId(1U), "a" }, { BlockId(3U), "b" } },
        { { BlockId(1U), Role::User, "c" }, { BlockId(0U), Role::User, "d" } } };
    const CarriedOverrides carried = carryOver(overrides, {}, from, to);
    QCOMPARE(carried.overrides.replace, (std::vector<TextEdit> { { BlockId(3U), "b" } }));
    QCOMPARE(carried.overrides.insert, (std::vector<TextInsertion> { { BlockId(1U), Role::User, "d" } }));
    QCOMPARE(carried.missing.keys(), (std::vector { from.of(BlockId(1U)), from.of(BlockId(1U)) }));
    const CarriedOverrides back = carryOver(carried.overrides, carried.missing, to, from);
    QCOMPARE(back.overrides.replace, overrides.replace);
    QVERIFY(std::ranges::is_permutation(back.overrides.insert, overrides.insert));
    QVERIFY(back.missing.isEmpty());
}

PALIMPSEST_TEST(HandEditsTest)

#include "tst_hand_edits.moc"
