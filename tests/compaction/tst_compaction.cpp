// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/change_memo.h"
#include "core/compaction/compaction.h"
#include "core/compaction/message_array.h"
#include "core/compaction/observe.h"
#include "core/compaction/overrides.h"
#include "core/compaction/policy_settings.h"
#include "core/compaction/stage.h"
#include "core/compaction/validity.h"
#include "core/session/block_key.h"
#include "tests/policy_with.h"
#include "tests/script.h"
#include "tests/session_testing.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTest>

#include <algorithm>
#include <filesystem>
#include <format>
#include <map>
#include <random>
#include <set>
#include <tuple>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

Policy changedAtRandom(Policy policy, std::mt19937_64 &random)
{
    const auto set = [&](const std::string &key, const std::string &value) {
        if (auto changed = withSetting(policy, key, value))
            policy = std::move(*changed);
    };
    if (random() % 2 == 0)
        set("keep",
            std::array { "0msg", "1msg", "6msg", "0.1w", "0.5w", "2000tok", "2turns", "3results" }[random() % 8]);
    if (random() % 2 == 0)
        set("window", std::array { "model", "none", "8000tok", "100000tok" }[random() % 4]);
    for (const StageSpec &spec : std::vector(policy.stages)) {
        for (const ParameterSpec &parameter : stageKind(spec.stage)->parameters) {
            if (random() % 3 != 0)
                continue;
            const std::string key = spec.stage + "." + std::string(parameter.name);
            if (parameter.type == ParameterSpec::Type::Count)
                set(key, std::to_string(random() % std::array<uint64_t, 4> { 3, 50, 3000, 100000 }[random() % 4]));
            else if (parameter.type == ParameterSpec::Type::Switch)
                set(key, random() % 2 == 0 ? "on" : "off");
            else if (parameter.type == ParameterSpec::Type::Choice)
                set(key, std::string(parameter.choices[random() % parameter.choices.size()]));
        }
        if (random() % 5 == 0)
            set(spec.stage, "off");
    }
    return policy;
}

/// The first thing about a compaction that does not add up, or nothing.
std::string broken(const Compaction &compaction)
{
    const Session &session = *compaction.after.session();
    const auto blocks = compaction.after.blocks();
    if (compaction.origins.size() != blocks.size())
        return "an origin for each block after";
    // Every block before is there once, in order, or a rewrite says where it went.
    std::map<BlockId, size_t> placeBefore;
    for (size_t i = 0; i < compaction.before.blocks().size(); ++i)
        placeBefore[compaction.before.blocks()[i]] = i;
    std::set<BlockId> standing;
    size_t previous = 0;
    bool isFirst = true;
    int64_t after = 0;
    for (size_t i = 0; i < blocks.size(); ++i) {
        after += static_cast<int64_t>(session.block(blocks[i]).lengths.codePoints);
        const BlockId origin = compaction.origins[i];
        if (!origin.isValid())
            continue;
        if (!placeBefore.contains(origin))
            return "origins stand in the array before";
        if (!standing.insert(origin).second)
            return "a block stands twice";
        if (!isFirst && placeBefore[origin] < previous)
            return "the order is kept";
        previous = placeBefore[origin];
        isFirst = false;
        const bool isSame = origin == blocks[i];
        const bool isTold = std::ranges::any_of(compaction.rewrites,
            [&](const Rewrite &rewrite) { return rewrite.block == origin && rewrite.made.isValid(); });
        if (!isSame && !isTold)
            return "a changed block has a rewrite";
        const std::string text = session.text(session.block(blocks[i]).body);
        if (textLengths(text) != session.block(blocks[i]).body.lengths
            && session.block(blocks[i]).body.coding != Coding::Base64)
            return "lengths are those of the text: " + text.substr(0, 60);
    }
    for (const auto &[id, place] : placeBefore) {
        if (standing.contains(id))
            continue;
        const bool isTold = std::ranges::any_of(compaction.rewrites, [&](const Rewrite &rewrite) {
            return rewrite.block == id && (rewrite.fate == Fate::Dropped || rewrite.fate == Fate::Summarised);
        });
        if (!isTold)
            return "what is gone has a rewrite that says so";
    }
    int64_t saved = 0;
    for (const StageReport &report : compaction.stages)
        saved += report.savedCharacters;
    int64_t before = 0;
    for (const BlockId id : compaction.before.blocks())
        before += static_cast<int64_t>(compaction.before.block(id).lengths.codePoints);
    if (compaction.policy && before - saved != after)
        return "what the stages saved is what is missing: " + std::to_string(before) + " - " + std::to_string(saved)
            + " != " + std::to_string(after);
    if (compaction.fates.size() != compaction.before.slotCount()
        || compaction.afterOf.size() != compaction.before.slotCount())
        return "a fate for each slot";
    for (size_t i = 0; i < compaction.fates.size(); ++i) {
        const SlotIndex place = compaction.afterOf[i];
        if (place.isValid() && place.index() >= compaction.after.slotCount())
            return "slots stand for others in the array after";
        if (compaction.fates[i] == Fate::Kept && !place.isValid())
            return "a slot that was kept is there";
    }
    for (const Artifact &artifact : compaction.artifacts)
        (void)compaction.textOf(artifact);
    return {};
}

/// All that a compaction says.
std::string said(const Compaction &compaction)
{
    std::string all;
    const auto add = [&all](auto... parts) { ((all += std::format("{} ", parts)), ...) += '\n'; };
    for (const Slot &slot : compaction.after.slots()) {
        for (const BlockId id : compaction.after.blocksOf(slot)) {
            const Block &block = compaction.after.block(id);
            add(slot.id.value(), static_cast<int>(slot.role), compaction.afterTokens->of(id), block.flags,
                block.lengths.bytes, compaction.after.session()->text(block.body));
        }
    }
    for (const Rewrite &each : compaction.rewrites)
        add(each.block.value(), each.pointer, each.stage, nameOf(each.fate), each.before.bytes, each.after.utf16Units,
            each.why, each.artifact ? compaction.artifacts[*each.artifact].name : "none");
    for (const Artifact &each : compaction.artifacts)
        add(each.name, each.blocks.size(), compaction.textOf(each));
    for (const StageReport &each : compaction.stages)
        add(each.hasRun, each.cutoff, each.rewrites, each.savedTokens, each.savedCharacters);
    return all;
}

/// Rewritten and gone blocks, whatever they became. Blocks that nothing tells apart are told by the first of them.
struct Changes {
    std::multiset<BlockId> changed;
    std::multiset<BlockId> gone;

    bool operator==(const Changes &) const = default;
};

/// By block of an array, the first of the same kind, call and text.
std::map<BlockId, BlockId> firstEqual(const Transcript &array)
{
    std::map<std::tuple<BlockKind, StringId, StringId, std::string>, BlockId> seen;
    std::map<BlockId, BlockId> first;
    for (const BlockId id : array.blocks()) {
        const Block &block = array.block(id);
        const std::tuple key(block.kind, block.name, block.callId, array.session()->text(block.body));
        first[id] = seen.try_emplace(key, id).first->second;
    }
    return first;
}

/// Where one summary was alone behind a new one, nobody can tell from the arrays whether it was changed or went: then
/// `plan` says which.
Changes changes(const Compaction &compaction, const Compaction &plan)
{
    std::set<BlockId> changed;
    std::set<BlockId> gone;
    std::set<BlockId> added;
    for (const Rewrite &rewrite : plan.rewrites) {
        if (rewrite.fate == Fate::Added)
            added.insert(rewrite.made);
    }
    for (const Rewrite &rewrite : compaction.rewrites) {
        if (!rewrite.block.isValid())
            continue;
        const bool isOldSummary = compaction.before.block(rewrite.block).is(BlockFlag::Summary);
        if (rewrite.fate == Fate::Dropped || rewrite.fate == Fate::Summarised
            || (isOldSummary && added.contains(rewrite.made)))
            gone.insert(rewrite.block);
        else
            changed.insert(rewrite.block);
    }
    for (const BlockId id : gone)
        changed.erase(id);
    const std::map<BlockId, BlockId> first = firstEqual(compaction.before);
    Changes all;
    for (const BlockId id : changed)
        all.changed.insert(first.at(id));
    for (const BlockId id : gone)
        all.gone.insert(first.at(id));
    return all;
}

/// What two sets of changes do not share, to be read.
std::string differences(const Changes &observed, const Changes &planned)
{
    std::string text;
    const auto add = [&](const char *what, const std::multiset<BlockId> &a, const std::multiset<BlockId> &b) {
        for (const BlockId id : std::set(a.begin(), a.end())) {
            if (a.count(id) > b.count(id))
                text += std::string(what) + std::to_string(id.value());
        }
    };
    add(" observed changed ", observed.changed, planned.changed);
    add(" planned changed ", planned.changed, observed.changed);
    add(" observed gone ", observed.gone, planned.gone);
    add(" planned gone ", planned.gone, observed.gone);
    return text;
}

std::vector<std::string> textsOf(const Transcript &transcript)
{
    std::vector<std::string> texts;
    for (const BlockId id : transcript.blocks())
        texts.push_back(transcript.session()->text(transcript.block(id).body));
    return texts;
}

bool isPairSafe(const std::string &id)
{
    return id == "none" || id == "deep-agents-no-profile" || id == "langchain-summarization"
        || id == "langchain-clear-tool-uses" || id == "genkit-recipe-figure" || id == "open-swe-artifacts"
        || id.starts_with("claw-");
}

} // namespace

/// What holds for every policy and every session.
class CompactionTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everythingAddsUp();
    void corpusAddsUp_data();
    void corpusAddsUp();
    void noStagesNoChange();
    void aThresholdThatIsNotPassedIsSaidSo();
    void whatIsIdempotentStays();
    void validStaysValid();
    void longerPlaceholdersAreToldWhenTheirSumGrows();
    void observingAPlanFindsIt();
    void overridesAreKept();
    void constraintsStayFirst();
    void roundsOfAPersistentPolicy();
    void settingsAreReadAndRefused_data();
    void settingsAreReadAndRefused();
    void settingsOfSeveralStagesNeedAStage();
    void triggersAreSetAsTheyAreWritten();
    void measuresAreRefusedWithTheirReason();
    void stagesAreMovedAndSwitched();
    void unknownMembersSurvive();
    void overridesAreRefused_data();
    void overridesAreRefused();
    void overridesAreCarriedOver();
    void keysNameBlocks();
    void keysAreTheRecordsOwn();
    void elisionRungs_data();
    void elisionRungs();
    void elisionSelectors_data();
    void elisionSelectors();
};

void CompactionTest::everythingAddsUp()
{
    std::mt19937_64 random = seededRandom();
    for (int i = 0; i < caseCount(60); ++i) {
        const SessionPtr session = core::session(randomLine(random, 2 + random() % 60));
        const BlockTokensPtr tokens = roughTokens(*session);
        const Transcript end(session, session->threads.front().end);
        // One that forgets at once, and one that does not.
        const auto memo = std::make_shared<ChangeMemo>(session, i % 4 == 0 ? 1 : ChangeMemo::kMostBytes);
        for (const PolicyPtr &preset : presets()) {
            const auto policy = std::make_shared<const Policy>(changedAtRandom(*preset, random));
            CompactOptions options;
            options.ignoresTriggers = random() % 2 == 0;
            const Compaction compaction = compact(end, policy, *tokens, options);
            const std::string wrong = broken(compaction);
            QVERIFY2(wrong.empty(), (wrong + "\n" + policy->document).c_str());
            // The same again is the same again, whatever is remembered.
            options.memo = memo;
            for (int again = 0; again < 2; ++again)
                QCOMPARE(said(compact(end, policy, *tokens, options)), said(compaction));
        }
    }
}

void CompactionTest::corpusAddsUp_data() { testing::addCorpusRows(6); }

void CompactionTest::corpusAddsUp()
{
    QFETCH(const QString, file);
    if (file.isEmpty())
        QSKIP("There is no corpus beside the repository.");
    const auto loaded = loadSession(testing::corpus() / file.toStdString());
    if (!loaded)
        QSKIP("Not a session of a format that is read.");
    const SessionPtr &session = *loaded;
    const BlockTokensPtr tokens = roughTokens(*session);
    std::mt19937_64 random = seededRandom();
    const Thread &thread = session->threads.front();
    CompactOptions options;
    if (!thread.calls.empty() && random() % 2 == 0)
        options.position.call = CallIndex(random() % thread.calls.size());
    const Transcript array(session, rangesAt(*session, options.position));
    const auto memo = std::make_shared<ChangeMemo>(session);
    for (const PolicyPtr &preset : presets()) {
        const auto policy
            = random() % 2 == 0 ? preset : std::make_shared<const Policy>(changedAtRandom(*preset, random));
        options.ignoresTriggers = random() % 3 != 0;
        options.memo = nullptr;
        const Compaction compaction = compact(array, policy, *tokens, options);
        const std::string wrong = broken(compaction);
        QVERIFY2(wrong.empty(), (wrong + "\n" + policy->document).c_str());
        if (random() % 4 == 0) {
            // Another policy first: what it made is used.
            options.memo = memo;
            (void)compact(array, std::make_shared<const Policy>(changedAtRandom(*policy, random)), *tokens, options);
            (void)compact(array, policy, *tokens, options);
            QCOMPARE(said(compact(array, policy, *tokens, options)), said(compaction));
        }
        // A file that is put back reads like the old message, changed: two arrays alone do not tell them apart.
        const bool putsBack
            = std::ranges::any_of(policy->stages, [](const StageSpec &spec) { return spec.values.contains("files"); });
        if (putsBack)
            continue;
        const Compaction observed = observe(compaction.before, compaction.after, compaction.afterTokens);
        const Changes seen = changes(observed, compaction);
        const Changes planned = changes(compaction, compaction);
        QVERIFY2(seen == planned, (differences(seen, planned) + "\n" + policy->document).c_str());
    }
}

void CompactionTest::noStagesNoChange()
{
    std::mt19937_64 random = seededRandom();
    for (int i = 0; i < caseCount(20); ++i) {
        const SessionPtr session = core::session(randomLine(random, 30));
        const Transcript end(session, session->threads.front().end);
        const Compaction compaction = compact(end, presets().front(), *roughTokens(*session));
        QVERIFY(compaction.changesNothing());
        QVERIFY(std::ranges::equal(compaction.after.blocks(), end.blocks()));
    }
}

void CompactionTest::whatIsIdempotentStays()
{
    std::mt19937_64 random = seededRandom();
    CompactOptions options;
    options.ignoresTriggers = true;
    for (int i = 0; i < caseCount(20); ++i) {
        const SessionPtr session = core::session(randomLine(random, 40));
        const Transcript end(session, session->threads.front().end);
        for (const char *id : { "genkit-recipe-figure", "langchain-clear-tool-uses", "claw-before-last-user",
                 "claw-every-n-turns", "claw-latest-read", "claw-hybrid", "iii-pr140-as-coded" }) {
            const Compaction once = compact(end, preset(id), *roughTokens(*session), options);
            const Compaction twice = compact(once.after, preset(id), *once.afterTokens, options);
            QVERIFY2(textsOf(twice.after) == textsOf(once.after), id);
        }
    }
}

void CompactionTest::validStaysValid()
{
    std::mt19937_64 random = seededRandom();
    CompactOptions options;
    options.ignoresTriggers = true;
    for (int i = 0; i < caseCount(30); ++i) {
        const SessionPtr session = core::session(randomLine(random, 40));
        const Transcript end(session, session->threads.front().end);
        for (const PolicyPtr &policy : presets()) {
            if (!isPairSafe(policy->id))
                continue;
            const Compaction compaction = compact(end, policy, *roughTokens(*session), options);
            for (const Violation &violation : compaction.validity)
                QVERIFY2(!violation.rule.starts_with("orphaned"), (policy->id + ": " + violation.sentence).c_str());
        }
    }
    // A harness that cuts blindly is shown to: the cut falls between call and result.
    const SessionPtr session = core::session("u:9000 a:20+c:30 t:6000 a:20");
    auto policy = withSetting(*preset("genkit-recipe"), "window", "1000tok");
    policy = withSetting(*policy, "keep", "2msg");
    const Compaction torn = compact(Transcript(session, session->threads.front().end),
        std::make_shared<const Policy>(std::move(*policy)), *roughTokens(*session), options);
    QVERIFY(std::ranges::any_of(torn.validity, [](const Violation &each) { return each.rule == "orphaned-result"; }));
}

/// A placeholder is often longer than a short result. That matters if the stage makes the array longer.
void CompactionTest::longerPlaceholdersAreToldWhenTheirSumGrows()
{
    const PolicyPtr clearing = testing::policyWith("langchain-clear-tool-uses",
        { { "trigger", "1tok" }, { "keep", "0results" }, { "placeholder", "[Old tool result content cleared]" } });
    const auto cleared = [&](std::string_view line) {
        const SessionPtr session = core::session(line);
        return compact(Transcript(session, session->threads.front().end), clearing, *roughTokens(*session));
    };
    const Compaction shorter = cleared("u:20 c:30 t:14 c:30 t:3000 c:30 t:14 a:20");
    QCOMPARE(shorter.rewrites.size(), size_t(3));
    QVERIFY2(shorter.validity.empty(), shorter.validity.empty() ? "" : shorter.validity.front().sentence.c_str());
    const Compaction longer = cleared("u:20 c:30 t:14 c:30 t:14 a:20");
    QCOMPARE(longer.validity.size(), size_t(1));
    QVERIFY2(longer.validity.front().sentence.ends_with(
                 " makes the array longer: 66 characters in place of 28, in 2 texts."),
        longer.validity.front().sentence.c_str());
    QVERIFY(!longer.validity.front().slot.isValid()); // no slot is at fault
    QVERIFY(refusalsOf(longer).empty());
}

void CompactionTest::observingAPlanFindsIt()
{
    std::mt19937_64 random = seededRandom();
    CompactOptions options;
    options.ignoresTriggers = true;
    for (int i = 0; i < caseCount(20); ++i) {
        const SessionPtr session = core::session(randomLine(random, 40));
        const Transcript end(session, session->threads.front().end);
        for (const PolicyPtr &policy : presets()) {
            const Compaction plan = compact(end, policy, *roughTokens(*session), options);
            const Compaction seen = observe(plan.before, plan.after, plan.afterTokens);
            QVERIFY2(changes(seen, plan) == changes(plan, plan), policy->id.c_str());
            const std::string wrong = broken(seen);
            QVERIFY2(wrong.empty(), wrong.c_str());
        }
    }
}

void CompactionTest::overridesAreKept()
{
    const SessionPtr session = core::session("u:3000 a:20+c:900 t:5000 a:2000 u:100 a:50 u:1 a:1 u:1 a:1 u:1");
    const Transcript end(session, session->threads.front().end);
    const auto blocks = end.blocks();
    CompactOptions options;
    options.ignoresTriggers = true;
    options.overrides.keep = { blocks[0], blocks[3] };
    options.overrides.drop = { blocks[4] };
    for (const PolicyPtr &policy : presets()) {
        const Compaction compaction = compact(end, policy, *roughTokens(*session), options);
        const auto after = compaction.after.blocks();
        QVERIFY2(std::ranges::find(after, blocks[0]) != after.end(), policy->id.c_str());
        QVERIFY2(std::ranges::find(after, blocks[3]) != after.end(), policy->id.c_str());
        QVERIFY2(std::ranges::find(compaction.origins, blocks[4]) == compaction.origins.end(), policy->id.c_str());
    }
}

/// Where not all typed texts fit, constraints stay; a text that is too large keeps no smaller one out.
void CompactionTest::constraintsStayFirst()
{
    Script script;
    const std::string constraint = "Never write to the folder of the archive.";
    const std::string large = "Look at this: " + std::string(4000, 'x');
    const std::string newest = "Go on with the parser of dates.";
    for (const std::string &typed : { std::string("Read the ledger, and tell me of it."), constraint, large, newest }) {
        script.text(Role::User, typed);
        script.text(Role::Assistant, "Done.");
    }
    script.text(Role::User, "Now.");
    const SessionPtr session = script.finish();
    const auto kept = [&](const char *first, const char *budget) {
        Policy policy = *preset("deep-agents-no-profile");
        policy = *withSetting(policy, "keep", "1msg");
        policy = *withSetting(policy, "summary.text", "S");
        policy = *withSetting(policy, "user-messages", budget);
        policy = *withSetting(policy, "user-messages-first", first);
        CompactOptions options;
        options.ignoresTriggers = true;
        const Compaction compaction = compact(Transcript(session, session->threads.front().end),
            std::make_shared<const Policy>(std::move(policy)), *roughTokens(*session), options);
        std::vector<std::string> texts = textsOf(compaction.after);
        return std::vector<std::string>(texts.begin() + 1, texts.end() - 1); // between the summary and what is kept
    };
    using Texts = std::vector<std::string>;
    QCOMPARE(kept("newest", "12"), Texts { newest });
    QCOMPARE(kept("constraints", "12"), Texts { constraint });
    QCOMPARE(kept("newest", "40"), Texts { newest }); // the large text is in the way
    QCOMPARE(kept("constraints", "22"), (Texts { constraint, newest }));
}

void CompactionTest::roundsOfAPersistentPolicy()
{
    // Two and five rounds: each on what the one before left. The first task is gone from the second summary on, unless
    // typed texts are kept.
    for (const bool keepsTyped : { false, true }) {
        Policy policy = *preset("deep-agents-no-profile");
        policy = *withSetting(policy, "keep", "2msg");
        policy = *withSetting(policy, "user-messages", keepsTyped ? "100000" : "0");
        policy = *withSetting(policy, "summary.text", "S");
        const auto shared = std::make_shared<const Policy>(std::move(policy));
        SessionPtr session = core::session("u:400 a:900 u:300 a:900 u:200 a:900");
        Transcript array(session, session->threads.front().end);
        const std::string task = session->text(array.block(array.blocks().front()).body);
        BlockTokensPtr tokens = roughTokens(*session);
        std::vector<size_t> slots;
        for (int round = 0; round < 5; ++round) {
            CompactOptions options;
            options.ignoresTriggers = true;
            const Compaction compaction = compact(array, shared, *tokens, options);
            slots.push_back(compaction.after.slotCount());
            const auto texts = textsOf(compaction.after);
            QCOMPARE(std::ranges::find(texts, task) != texts.end(), keepsTyped);
            array = compaction.after;
            tokens = compaction.afterTokens;
        }
        // A summary alone is nothing to summarise: from the second round on nothing changes.
        QCOMPARE(slots, keepsTyped ? std::vector<size_t>({ 5, 5, 5, 5, 5 }) : std::vector<size_t>({ 3, 3, 3, 3, 3 }));
    }
}

void CompactionTest::settingsAreReadAndRefused_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::addColumn<bool>("isRead");
    const auto row = [](const char *key, const char *value, bool isRead) {
        QTest::addRow("%s=%s", key, value) << QString::fromLatin1(key) << QString::fromLatin1(value) << isRead;
    };
    row("window", "200000", true);
    row("window", "none", true);
    row("window", "6msg", false);
    row("keep", "0.2", true);
    row("keep", "6msg", true);
    row("keep", "six", false);
    row("keep", "60", false);
    row("trigger", "60", false);
    row("trigger", "60 or 8msg", false);
    row("trigger", "0.5", true);
    row("trigger", "always", true);
    row("trigger", "policy", false);
    row("trigger", "50% or ", false);
    row("trigger", "50% or 6msg and 7msg", false);
    row("window", "200k", true);
    row("window", "a lot", false);
    row("clip-arguments.cap", "300", true);
    row("clip-arguments.cap", "many", false);
    row("clip-arguments.cap", "-1", false);
    row("clip-arguments", "off", true);
    row("clip-arguments", "perhaps", false);
    row("clip-arguments.strip", "no", true);
    row("clip-arguments.strip", "perhaps", false);
    row("summary.source", "neither", false);
    row("summary.text", "what was done", true);
    row("nonsense", "1", false);
}

void CompactionTest::settingsAreReadAndRefused()
{
    QFETCH(const QString, key);
    QFETCH(const QString, value);
    QFETCH(const bool, isRead);
    const auto changed = withSetting(*preset("genkit-recipe"), key.toStdString(), value.toStdString());
    QCOMPARE(changed.has_value(), isRead);
    if (!changed)
        QCOMPARE(changed.error().kind, ErrorKind::Usage);
}

/// Some harnesses act above the threshold, not at it.
void CompactionTest::aThresholdThatIsNotPassedIsSaidSo()
{
    TriggerReading turns { Measure::Unit::Turns, 2, 2 };
    QCOMPARE(
        (TriggerVerdict { .readings = { turns } }.sentence()), std::string("not above the threshold: 2 of 2 turns"));
    turns.isReached = true;
    QCOMPARE((TriggerVerdict { .readings = { turns } }.sentence()), std::string("2 of 2 turns"));
    turns.value = 3;
    QCOMPARE((TriggerVerdict { .readings = { turns } }.sentence()), std::string("3 of 2 turns"));
}

void CompactionTest::settingsOfSeveralStagesNeedAStage()
{
    const auto several = withSetting(*preset("deep-agents"), "cap", "300");
    QVERIFY(!several.has_value());
    QCOMPARE(several.error().message,
        std::string("Several stages have the parameter “cap”. Name the stage: offload-results.cap, "
                    "offload-user-messages.cap or clip-arguments.cap."));
}

void CompactionTest::triggersAreSetAsTheyAreWritten()
{
    const auto set = [](std::string_view preset, const char *key, std::string_view value) {
        return *withSetting(*core::preset(preset), key, value);
    };
    // Thousands are tokens, and a number with a point is a share; another bare number could be anything.
    QCOMPARE(set("langchain-summarization", "trigger", "200k").trigger.text(), std::string("200000tok"));
    QCOMPARE(set("deep-agents", "keep", "10 K").keep.measure.text(), std::string("10000tok"));
    const auto bare = withSetting(*core::preset("langchain-summarization"), "keep", " 10 ");
    QVERIFY(!bare);
    QCOMPARE(bare.error().sentence(),
        std::string("“keep” of the policy: “10” has no unit. Write a number with its unit, such as 10% (of the "
                    "window), 20000tok or 6msg."));
    for (const char *text : { "always", "0.5w", "0.5w or 100msg", "0.5w and 20000tok and 3turns" }) {
        for (const PolicyPtr &each : presets())
            QCOMPARE(withSetting(*each, "trigger", text)->trigger.text(), std::string(text));
    }
    // What is said beside it stays; and one measure comes after several.
    const Policy several = set("langchain-summarization", "trigger", "50% or 100msg");
    QCOMPARE(several.trigger.joining, Trigger::Joining::Any);
    QCOMPARE(several.trigger.measures.size(), size_t(2));
    QCOMPARE(several.trigger.words(), std::string("50 % of window or 100 messages"));
    QCOMPARE(withSetting(several, "trigger", several.trigger.fieldText())->trigger.text(), several.trigger.text());
    QVERIFY(several.document.contains("\"comparator\": \">=\""));
    const Policy one = *withSetting(several, "trigger", "0.7");
    QCOMPARE(one.trigger.text(), std::string("0.7w"));
    QVERIFY(!one.document.contains("\"any\""));
    // Blanks and capitals do not matter.
    QCOMPARE(withSetting(several, "trigger", "0.4 OR  80MSG")->trigger.text(), std::string("0.4w or 80msg"));
    QCOMPARE(withSetting(several, "trigger", " Always")->trigger.text(), std::string("always"));
    // A stage's own.
    const Policy own = set("langchain-summarization", "summarise.trigger", "50k and 10msg");
    QVERIFY(own.stages.front().trigger.has_value());
    QCOMPARE(own.stages.front().trigger->text(), std::string("50000tok and 10msg"));
    const Policy kept = *withSetting(own, "summarise.keep", "3msg");
    QCOMPARE(withStageSetting(kept, 0, "keep", "4msg")->stages.front().keep->measure.text(), std::string("4msg"));
    QVERIFY(withSetting(own, "summarise.trigger", "policy")->stages.front().usesTrigger);
    QCOMPARE(withStageSetting(own, 0, "trigger", "0.4w or 3msg")->stages.front().trigger->text(),
        std::string("0.4w or 3msg"));
}

/// A measure that cannot be meant says why.
void CompactionTest::measuresAreRefusedWithTheirReason()
{
    const auto refusal = [](std::string_view members) {
        return parsePolicy(R"({"schema":"palimpsest.policy/1",)" + std::string(members) + "}").error().message;
    };
    QCOMPARE(refusal(R"("trigger":"1.5w")"),
        std::string("“trigger” of the policy: “1.5w” is more than the whole window. "
                    "Write a number with its unit, such as 10% (of the window), 20000tok or 6msg."));
    QVERIFY(refusal(R"("keep":{"measure":"6"})").starts_with("“keep” of the policy: “6” has no unit"));
    QVERIFY(refusal(R"("keep":6)").starts_with("“keep” of the policy should be a measure"));
    QVERIFY(refusal(R"("stages":[{"stage":"summarise","trigger":"soon"}])")
            .starts_with("“summarise.trigger” of the policy: “soon” is not a measure"));
    QVERIFY(refusal(R"("trigger":{"any":[]})").starts_with("“trigger” of the policy should be \"always\""));
    QVERIFY(refusal(R"("window":"0tok")").contains("or a number of tokens"));
    QVERIFY(refusal(R"("window":200000)").contains("or a number of tokens such as \"200000tok\""));
    QCOMPARE(refusal(R"("counter":{"kind":"langchain","characters_per_token":"4"})"),
        std::string("“counter.characters_per_token” of the policy should be a number."));
    QCOMPARE(refusal(R"("counter":{"kind":"langchain","characters_per_token_of_claude":true})"),
        std::string("“counter.characters_per_token_of_claude” of the policy should be a number."));
    const std::string unknown = refusal(R"("stages":[{"stage":"summarize"}])");
    QVERIFY(unknown.starts_with("There is no stage “summarize”. The stages: "));
    QVERIFY(unknown.contains(", summarise"));
    QVERIFY(withSetting(*preset("pi"), "worker.speed", "1")
            .error()
            .message.ends_with("Its settings are view, length_unit, window, counter, trigger, keep, persistence, "
                               "cache_marks, worker, and the parameters of its stages."));
}

void CompactionTest::stagesAreMovedAndSwitched()
{
    Policy policy = *preset("genkit-recipe");
    policy = withStageMoved(policy, 0, 2);
    QCOMPARE(policy.stages[2].stage, "offload-results");
    QCOMPARE(policy.stages[0].stage, "clip-arguments");
    policy = withStageEnabled(policy, 0, false);
    QVERIFY(!policy.stages[0].isEnabled);
    policy = withStageAdded(policy, "drop-images");
    QCOMPARE(policy.stages.back().stage, "drop-images");
    policy = withStageRemoved(policy, policy.stages.size() - 1);
    QCOMPARE(policy.stages.size(), size_t(5));
    QCOMPARE(parsePolicy(policy.document)->stages.size(), size_t(5));
}

void CompactionTest::unknownMembersSurvive()
{
    const auto policy = parsePolicy(
        R"({"schema":"palimpsest.policy/1","id":"mine","note":{"by":"me"},"stages":[{"stage":"drop-images","colour":"red"}]})");
    QVERIFY(policy.has_value());
    const Policy changed = withStageEnabled(*withSetting(*policy, "keep", "3msg"), 0, false);
    QVERIFY(changed.document.find("\"by\": \"me\"") != std::string::npos);
    QVERIFY(changed.document.find("\"colour\": \"red\"") != std::string::npos);
    // Most are slips of the pen: they are named.
    const auto slips = parsePolicy(
        R"({"schema":"palimpsest.policy/1","colour":"red","keep":{"measure":"6msg","role":"within"},"trigger":"0.5w",)"
        R"("stages":[{"stage":"clip-results","cap":9,"previw":3,"keep":"2msg"}]})");
    QVERIFY(slips.has_value());
    QCOMPARE(unknownMembersOf(*slips), (std::vector<std::string> { "colour", "keep.role", "clip-results.previw" }));
    for (const PolicyPtr &each : presets())
        QVERIFY2(unknownMembersOf(*each).empty(), each->id.c_str());
    QCOMPARE(std::get<std::vector<std::string>>(
                 withSetting(*preset("genkit-recipe"), "clip-arguments.keys", "a, b")->stages[1].values["keys"]),
        (std::vector<std::string> { "a", "b" }));

    QVERIFY(!parsePolicy(R"({"schema":"palimpsest.policy/1","stages":[{"stage":"clip-texts","enabled":"no"}]})"));
    QVERIFY(!parsePolicy(R"({"schema":"palimpsest.policy/2"})"));
    QVERIFY(!parsePolicy(R"({"stages":[]})"));
    QVERIFY(!parsePolicy(R"({"schema":"palimpsest.policy/1","stages":[{"stage":"unheard-of"}]})"));
    QVERIFY(!parsePolicy("{"));

    // What is wrong is told with file, line and reason.
    const auto refusal = [](std::string_view text) { return parsePolicy(text, "p.json").error(); };
    const Error torn = refusal("{\n  \"schema\": \"palimpsest.policy/1\",\n  \"id\": }");
    QCOMPARE(torn.where, std::string("p.json:3"));
    QVERIFY(torn.message.contains("unexpected"));
    const std::string head = "{\n\"schema\": \"palimpsest.policy/1\",\n\"window\": \"none\",\n";
    QCOMPARE(refusal(head + "\"view\": \"square\"}").where, std::string("p.json:4"));
    QCOMPARE(refusal(head + "\"keep\": {\n\"measure\": \"6msg\",\n\"rule\": \"so\"}}").where, std::string("p.json:6"));
    const std::string stages = head + "\"stages\": [{\"stage\": \"clip-results\"},\n{\"stage\": \"clip-texts\",\n";
    QCOMPARE(refusal(stages + "\"cap\": \"much\"}]}").where, std::string("p.json:6"));
    QCOMPARE(refusal(head + "\"stages\": [\n{\n\"stage\": \"unheard-of\"}]}").where, std::string("p.json:6"));
    QCOMPARE(refusal("{\n\"schema\": \"other/1\"}").where, std::string("p.json:2"));
    QCOMPARE(refusal(head + "\"stages\": [{\"stage\": \"elide\", \"rung\": \"burn\"}]}").message,
        "“elide.rung” of the policy should be remove, stub, pointer, note or hybrid.");
}

/// What cannot be meant is refused: a block would be without the protection that a person thinks it has.
void CompactionTest::overridesAreRefused_data()
{
    QTest::addColumn<QString>("document");
    QTest::addColumn<QString>("message");
    const QString head = uR"({"schema":"palimpsest.overrides/1",)"_s;
    QTest::newRow("no JSON") << u"{\n\"schema\": \n}"_s << u"The overrides are not valid JSON"_s;
    QTest::newRow("another schema") << uR"({"schema":7})"_s << u"These are not overrides"_s;
    QTest::newRow("a newer version") << uR"({"schema":"palimpsest.overrides/3"})"_s
                                     << u"These overrides are of a newer version (palimpsest.overrides/3);"_s;
    QTest::newRow("a list that is none") << head + uR"("keep":"all"})"_s
                                         << u"“keep” of the overrides should be an array of block keys."_s;
    QTest::newRow("a key that is none") << head + uR"("drop":[3]})"_s
                                        << u"“drop” of the overrides should be an array of block keys."_s;
    QTest::newRow("kept and dropped") << head + uR"("keep":["x"],"drop":["y","x"]})"_s
                                      << u"The block x is both kept and dropped."_s;
}

void CompactionTest::overridesAreRefused()
{
    QFETCH(const QString, document);
    QFETCH(const QString, message);
    const auto read = parseOverrides(*core::session("u:10=1"), document.toStdString(), "o.json");
    QVERIFY(!read.has_value());
    QVERIFY2(read.error().message.starts_with(message.toStdString()), read.error().message.c_str());
    QVERIFY(read.error().where.starts_with("o.json"));
    const auto slip = parseOverrides(*core::session("u:10=1"), R"({"schema":"palimpsest.overrides/1","keeep":[]})");
    QCOMPARE(slip->unknownMembers, std::vector<std::string> { "keeep" });
}

void CompactionTest::overridesAreCarriedOver()
{
    // Read anew: something was put before, something was taken out, something was added.
    const SessionPtr before = core::session("u:10=1 a:200=2 u:30=3 a:40=4");
    const SessionPtr after = core::session("u:99=9 u:10=1 a:200=2 a:40=4 u:50=5");
    const BlockKeys from(*before);
    const BlockKeys to(*after);
    const Overrides overrides { { BlockId(1U), BlockId(2U) }, { BlockId(3U) }, {}, {} };
    const CarriedOverrides carried = carryOver(overrides, {}, from, to);
    QCOMPARE(carried.overrides.keep, std::vector { BlockId(2U) });
    QCOMPARE(carried.overrides.drop, std::vector { BlockId(3U) });
    QCOMPARE(carried.missing.keep, std::vector { from.of(BlockId(2U)) });
    QVERIFY(carried.missing.drop.empty());
    // It is back when the file is.
    const CarriedOverrides back = carryOver(carried.overrides, carried.missing, to, from);
    QCOMPARE(back.overrides.keep, overrides.keep);
    QCOMPARE(back.overrides.drop, overrides.drop);
    QVERIFY(back.missing.isEmpty());
}

void CompactionTest::keysNameBlocks()
{
    const SessionPtr session = core::session("u:10 a:200+c:30 t:50 u:10=1 u:10=1");
    const BlockKeys keys(*session);
    std::set<std::string> names;
    for (size_t i = 0; i < session->blocks.size(); ++i) {
        QVERIFY(names.insert(keys.of(BlockId(i))).second);
        QCOMPARE(keys.find(keys.of(BlockId(i))), BlockId(i));
    }
    QVERIFY(!keys.find("no such block").isValid());
}

/// A record's own id names its blocks, whoever speaks in it.
void CompactionTest::keysAreTheRecordsOwn()
{
    const auto session = testing::load(
        R"({"parentUuid":null,"isSidechain":false,"type":"user","uuid":"u1","message":{"role":"user","content":"a"}})"
        "\n"
        R"({"parentUuid":"u1","isSidechain":false,"type":"assistant","uuid":"r1","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"b"},{"type":"tool_use","id":"t1","name":"ls","input":{}}]}})"
        "\n"
        R"({"parentUuid":"r1","isSidechain":false,"type":"user","uuid":"u2","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"c"}]}})"
        "\n");
    QVERIFY(session.has_value());
    const BlockKeys keys(**session);
    std::vector<std::string> found;
    for (size_t i = 0; i < (*session)->blocks.size(); ++i)
        found.push_back(keys.of(BlockId(i)));
    QCOMPARE(found, (std::vector<std::string> { "u1/0", "m1/0", "m1/1", "u2/0" }));
}

namespace {

SessionPtr elidable()
{
    // Two turns; the first reads a file twice and runs a command, the second reads it once more.
    const std::string body(3000, 'x');
    const auto call = [](const char *name, const char *id, const char *input) {
        return std::string(R"({"role":"model","content":[{"toolRequest":{"name":")") + name + R"(","ref":")" + id
            + R"(","input":)" + input + "}}]}";
    };
    const auto result = [](const char *name, const char *id, const std::string &text) {
        return std::string(R"({"role":"tool","content":[{"toolResponse":{"name":")") + name + R"(","ref":")" + id
            + R"(","output":")" + text + "\"}}]}";
    };
    const std::string text = R"([{"role":"user","content":[{"text":"repair the parser of payees"}]},)"
        + call("read_file", "1", R"({"file_path":"a.py"})") + "," + result("read_file", "1", body + "1") + ","
        + call("execute", "2", R"({"command":"git commit -am x"})") + "," + result("execute", "2", body + "2") + ","
        + R"({"role":"model","content":[{"text":"The import path was right."}]},)"
        + R"({"role":"user","content":[{"text":"now draw holiday postcards please"}]},)"
        + call("read_file", "3", R"({"file_path":"a.py"})") + "," + result("read_file", "3", body + "3") + ","
        + R"({"role":"model","content":[{"text":"done"}]}])";
    return *testing::load(text);
}

Compaction elided(const std::vector<std::pair<std::string, std::string>> &settings)
{
    Policy policy = *preset("claw-before-last-user");
    for (const auto &[key, value] : settings)
        policy = *withSetting(policy, key, value);
    const SessionPtr session = elidable();
    return compact(Transcript(session, session->threads.front().end), std::make_shared<const Policy>(std::move(policy)),
        *roughTokens(*session));
}

} // namespace

void CompactionTest::elisionRungs_data()
{
    QTest::addColumn<QString>("rung");
    QTest::addColumn<QString>("text");
    QTest::newRow("remove") << "remove" << QString();
    QTest::newRow("stub") << "stub" << "elided";
    QTest::newRow("pointer") << "pointer" << "elided, read from elided/2.txt";
    QTest::newRow("note") << "note" << "elided; the agent then wrote: The import path was right.";
    QTest::newRow("hybrid: below the large ones a note")
        << "hybrid" << "elided; the agent then wrote: The import path was right.";
}

void CompactionTest::elisionRungs()
{
    QFETCH(const QString, rung);
    QFETCH(const QString, text);
    const Compaction compaction = elided({ { "rung", rung.toStdString() } });
    const auto texts = textsOf(compaction.after);
    if (text.isEmpty())
        QCOMPARE(compaction.after.slotCount(), size_t(6)); // both calls and their results are gone
    else
        QVERIFY(std::ranges::find(texts, text.toStdString()) != texts.end());
    for (const Violation &violation : compaction.validity)
        QFAIL(violation.sentence.c_str());
    if (rung == "pointer"_L1)
        QCOMPARE(compaction.textOf(compaction.artifacts.back()).size(), size_t(3001));
}

void CompactionTest::elisionSelectors_data()
{
    QTest::addColumn<QString>("selector");
    QTest::addColumn<QString>("n");
    QTest::addColumn<QList<int>>("slots");
    QTest::newRow("before the last user message") << "before-last-user" << "1" << QList { 2, 4 };
    QTest::newRow("every turn") << "every-n-turns" << "1" << QList { 2, 4 };
    QTest::newRow("every two turns: no pass yet") << "every-n-turns" << "2" << QList<int> {};
    QTest::newRow("all but the latest read") << "stale-reads" << "1" << QList { 2 };
    QTest::newRow("all but the last result") << "older-than-results" << "1" << QList { 2, 4 };
    QTest::newRow("all but the last two") << "older-than-results" << "2" << QList { 2 };
    QTest::newRow("before the commit") << "commit" << "1" << QList { 2 };
    QTest::newRow("before the topic changed") << "topic" << "1" << QList { 2, 4 };
    QTest::newRow("no pause, nothing idle") << "idle" << "1" << QList<int> {};
}

void CompactionTest::elisionSelectors()
{
    QFETCH(const QString, selector);
    QFETCH(const QString, n);
    QFETCH(const QList<int>, slots);
    const Compaction compaction = elided({ { "selector", selector.toStdString() }, { "n", n.toStdString() } });
    QList<int> changed;
    for (size_t i = 0; i < compaction.fates.size(); ++i) {
        if (compaction.fates[i] != Fate::Kept)
            changed.append(static_cast<int>(i));
    }
    QCOMPARE(changed, slots);
}

PALIMPSEST_TEST(CompactionTest)
#include "tst_compaction.moc"
