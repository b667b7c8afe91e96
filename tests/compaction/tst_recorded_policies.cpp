// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/block_pool.h"
#include "core/compaction/compaction.h"
#include "core/compaction/message_array.h"
#include "core/session/format_traits.h"
#include "core/tokens/answer_tokens.h"
#include "core/tokens/estimate.h"
#include "tests/policy_with.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"

#include <QTest>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <format>
#include <set>

using namespace core;

namespace {

/// What the policy's harness compares with its trigger before call `next`: the usage of the call before, and what
/// entered the array since. `array` is the array that the harness has then. 0 if the call before has no usage.
double comparedBefore(const SessionPtr &session, const Policy &policy, const BlockTokens &tokens, const Call &before,
    const BlockRanges &array)
{
    if (!before.prompt())
        return 0;
    const double prompt = *before.prompt();
    if (policy.counter.usage == Counter::Usage::Prompt)
        return prompt;
    const double answered = prompt + answerTokens(*session, before, tokens);
    if (policy.counter.usage != Counter::Usage::WithLater)
        return answered;
    std::vector<BlockId> later;
    array.forEach([&](BlockId id) {
        if (id.index() >= before.output.end)
            later.push_back(id);
    });
    return answered + tokensOf(BlockPool(session, tokens), policy, later);
}

double thresholdOf(const Policy &policy, double window)
{
    std::vector<double> all;
    for (const Measure &measure : policy.trigger.measures)
        all.push_back(measure.thresholdIn(window));
    return policy.trigger.joining == Trigger::Joining::All ? std::ranges::max(all) : std::ranges::min(all);
}

/// A recorded compaction beside what the preset says.
struct Row {
    size_t number = 0; ///< of the compaction in its thread
    std::string trigger;
    size_t recordedCall = 0;          ///< it came before this call
    std::optional<size_t> presetCall; ///< the first call of its stretch before which the preset's trigger is reached
    uint64_t recordedTokens = 0;      ///< as the harness counted
    double presetTokens = 0;          ///< as the preset counts, at the recorded call
    double reachedTokens = 0;         ///< at the preset's call
    double threshold = 0;
    size_t recordedKept = 0; ///< blocks of the array that stay, word for word
    size_t presetKept = 0;
    size_t onlyRecorded = 0; ///< of these blocks
    size_t onlyPreset = 0;
    size_t blocks = 0;
};

std::set<uint32_t> blocksOf(const BlockRanges &ranges)
{
    std::set<uint32_t> blocks;
    ranges.forEach([&](BlockId id) { blocks.insert(id.value()); });
    return blocks;
}

std::set<uint32_t> keptIn(const Session &session, const RecordedCompaction &recorded)
{
    const std::set<uint32_t> after = blocksOf(recorded.after);
    std::set<uint32_t> kept = blocksOf(recorded.before);
    std::erase_if(
        kept, [&](uint32_t id) { return !after.contains(id) || session.block(BlockId(id)).is(BlockFlag::Summary); });
    return kept;
}

std::set<uint32_t> keptByPreset(
    const SessionPtr &session, const RecordedCompaction &recorded, const PolicyPtr &policy, const BlockTokens &tokens)
{
    CompactOptions options;
    options.ignoresTriggers = true;
    const Compaction made = compact(Transcript(session, recorded.before), policy, tokens, options);
    std::set<uint32_t> kept;
    for (const BlockId id : made.origins) {
        if (id.isValid() && !std::ranges::contains(made.rewrites, id, &Rewrite::block))
            kept.insert(id.value());
    }
    return kept;
}

size_t countMissing(const std::set<uint32_t> &ids, const std::set<uint32_t> &from)
{
    return static_cast<size_t>(std::ranges::count_if(ids, [&](uint32_t id) { return !from.contains(id); }));
}

std::vector<Row> rowsOf(const SessionPtr &session, const PolicyPtr &policy)
{
    const BlockTokensPtr tokens = roughTokens(*session);
    std::vector<Row> rows;
    const Thread &thread = session->threads.front();
    const double threshold = thresholdOf(*policy, policy->windowOf(*session));
    size_t first = 0; // call of the stretch
    for (size_t i = 0; i < thread.compactions.size(); ++i) {
        const RecordedCompaction &each = thread.compactions[i];
        if (each.kind != CompactionKind::Summary || !each.call.isValid())
            continue;
        Row row;
        row.number = rows.size() + 1;
        row.trigger = each.trigger;
        row.recordedCall = each.call.index() + 1;
        row.recordedTokens = each.beforeTokens.value_or(0);
        row.threshold = threshold;
        for (size_t call = first; call < row.recordedCall; ++call) {
            const bool isLast = call + 1 == row.recordedCall;
            const BlockRanges &array = isLast ? each.before : thread.calls[call + 1].input;
            const double value = comparedBefore(session, *policy, *tokens, thread.calls[call], array);
            if (value >= threshold && !row.presetCall) {
                row.presetCall = call + 1;
                row.reachedTokens = value;
            }
            if (isLast)
                row.presetTokens = value;
        }
        const std::set<uint32_t> recorded = keptIn(*session, each);
        const std::set<uint32_t> preset = keptByPreset(session, each, policy, *tokens);
        row.blocks = blocksOf(each.before).size();
        row.recordedKept = recorded.size();
        row.presetKept = preset.size();
        row.onlyRecorded = countMissing(recorded, preset);
        row.onlyPreset = countMissing(preset, recorded);
        rows.push_back(row);
        first = row.recordedCall;
    }
    return rows;
}

std::string words(const std::string &file, const Row &row)
{
    return std::format("{}\t{}\t{}\t{}\t{}\t{}\t{:.0f}\t{:.0f}\t{:.0f}\t{}\t{}\t{}", file, row.number, row.trigger,
        row.recordedCall, row.presetCall ? std::to_string(*row.presetCall) : "-", row.recordedTokens, row.presetTokens,
        row.reachedTokens, row.threshold, row.recordedKept, row.presetKept, row.blocks);
}

/// The preset for the version that wrote the session. The output of `stream-json` does not name its version.
PolicyPtr presetOf(const Session &session)
{
    return session.format == "claude-sdk-stream" ? preset("claude-code-2.1.20") : ownPresets(session).front();
}

} // namespace

/// The presets of harnesses against the compactions that these harnesses recorded.
class RecordedPoliciesTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void compactionsOfTheCorpus();
    void clearingsOfClaudeCode();
    void playedCompactions_data();
    void playedCompactions();
};

/// Prints the rows that the manual sums up.
void RecordedPoliciesTest::compactionsOfTheCorpus()
{
    const auto files = testing::corpusFiles({ "claude-code", "claude-sdk-stream", "codex", "pi" });
    if (files.empty())
        QSKIP("There is no corpus beside the repository.");
    std::printf("file\tn\ttrigger\trecorded call\tpreset call\trecorded tokens\tpreset tokens\tat its "
                "call\tthreshold\trecorded "
                "kept\tpreset kept\tblocks\n");
    size_t automatic = 0;
    size_t equal = 0;
    for (const std::string &file : files) {
        const auto session = loadSession(testing::corpus() / file);
        if (!session || (*session)->threads.empty() || (*session)->traits->preset.empty())
            continue;
        for (const Row &row : rowsOf(*session, presetOf(**session))) {
            std::printf("%s\n", words(file, row).c_str());
            if (row.trigger != "auto")
                continue;
            ++automatic;
            equal += row.presetCall == row.recordedCall ? 1 : 0;
            const std::string told = words(file, row);
            QVERIFY2(row.recordedKept == row.presetKept, told.c_str());
            if (row.presetCall)
                QVERIFY2(*row.presetCall + 1 >= row.recordedCall, told.c_str());
            else // usage was recorded before the response was complete
                QVERIFY2(row.presetTokens > row.threshold - 2000, told.c_str());
        }
    }
    std::printf("%zu of %zu automatic compactions at the call of the preset\n", equal, automatic);
    std::fflush(stdout);
    QVERIFY(automatic >= 19);
    QVERIFY(equal >= 13);
}

/// Which results a recorded clearing removed, and which the preset clears in the same array.
void RecordedPoliciesTest::clearingsOfClaudeCode()
{
    const auto files = testing::corpusFiles({ "claude-code" });
    if (files.empty())
        QSKIP("There is no corpus beside the repository.");
    const PolicyPtr clearing
        = std::make_shared<const Policy>(*withSetting(*preset("claude-code-2.1.20"), "summarise", "off"));
    size_t clearings = 0;
    for (const std::string &file : files) {
        const auto session = loadSession(testing::corpus() / file);
        if (!session)
            continue;
        for (const RecordedCompaction &each : (*session)->threads.front().compactions) {
            if (each.kind != CompactionKind::Clearing)
                continue;
            ++clearings;
            const Transcript before(*session, each.before);
            CompactOptions options;
            options.ignoresTriggers = true;
            const Compaction made = compact(before, clearing, *roughTokens(**session), options);
            std::set<std::string> cleared;
            for (const Rewrite &rewrite : made.rewrites) {
                if (rewrite.fate == Fate::Cleared)
                    cleared.insert(std::string((*session)->string((*session)->block(rewrite.block).callId)));
            }
            std::set<std::string> recorded;
            const std::set<uint32_t> after = blocksOf(each.after);
            for (const BlockId id : before.blocks()) {
                const Block &block = (*session)->block(id);
                if (block.kind == BlockKind::ToolResult && !after.contains(id.value()))
                    recorded.insert(std::string((*session)->string(block.callId)));
            }
            std::printf("%s line %llu: %zu recorded, %zu by the preset\n", file.c_str(),
                static_cast<unsigned long long>(each.line), recorded.size(), cleared.size());
            QCOMPARE(cleared, recorded);
        }
    }
    QVERIFY(clearings >= 3);
}

void RecordedPoliciesTest::playedCompactions_data()
{
    QTest::addColumn<std::string>("preset");
    QTest::addColumn<testing::Settings>("settings"); // those of the run
    QTest::addColumn<size_t>("onlyPreset");          // blocks that only the preset keeps
    const auto row = [](const char *file, const char *preset, const testing::Settings &settings, size_t onlyPreset) {
        QTest::newRow(file) << std::string(preset) << settings << onlyPreset;
    };
    row("claude-code.jsonl", "claude-code", { { "trigger", "67000tok" } }, 0);
    row("codex.jsonl", "codex", { { "trigger", "50000tok" } }, 0);
    row("pi.jsonl", "pi", { { "keep", "200tok" } }, 0);
    // 30 % of this array. The program keeps the last call and its result, too, but writes them into the log anew.
    row("gemini-cli-log.jsonl", "gemini-cli", { { "keep", "1500tok" } }, 2);
    // The whole array is smaller than what opencode may keep: then it keeps nothing.
    row("opencode.jsonl", "opencode", { { "trigger", "92000tok" } }, 19);
    // Qwen Code puts a note in place of the result from which the summary was written.
    row("qwen-code.jsonl", "qwen-code", { { "trigger", "67000tok" } }, 1);
    // In this window, system prompt and tools leave nothing of what Cline may keep.
    row("cline.messages.json", "cline-sdk", { { "trigger", "18000tok" }, { "keep", "1tok" } }, 0);
}

/// What a program did in the run that a scripted model played, beside what its preset does.
void RecordedPoliciesTest::playedCompactions()
{
    QFETCH(const std::string, preset);
    QFETCH(const testing::Settings, settings);
    QFETCH(const size_t, onlyPreset);
    const std::string file = QTest::currentDataTag();
    const auto session = loadSession(std::filesystem::path(PALIMPSEST_SOURCE_DIR) / "tests/samples/played" / file);
    QVERIFY(session);
    const std::vector<Row> rows = rowsOf(*session, testing::policyWith(preset.c_str(), settings));
    QCOMPARE(rows.size(), 1U);
    const std::string told = words(file, rows.front());
    std::printf("%s\n", told.c_str());
    std::fflush(stdout);
    QVERIFY2(rows.front().presetCall == rows.front().recordedCall, told.c_str());
    QCOMPARE(rows.front().onlyRecorded, size_t(0));
    QCOMPARE(rows.front().onlyPreset, onlyPreset);
    QVERIFY2(rows.front().recordedKept > 0, told.c_str());
}

PALIMPSEST_TEST(RecordedPoliciesTest)
#include "tst_recorded_policies.moc"
