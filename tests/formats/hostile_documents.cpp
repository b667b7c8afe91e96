// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/formats/hostile_documents.h"

#include "core/compaction/overrides.h"
#include "core/compaction/policy.h"
#include "core/edits/apply_patch.h"
#include "core/git/tree_names.h"
#include "core/json/json.h"
#include "core/money/prices.h"
#include "core/originals/ledger.h"
#include "core/report/findings_lines.h"
#include "core/report/json_lines.h"
#include "core/report/reach_report.h"
#include "core/report/run_sweep_lines.h"
#include "core/search/query.h"
#include "core/session/block_key.h"
#include "core/summary/note_stream.h"
#include "tests/claude_log.h"

using namespace core;

namespace testing {

namespace {

using Fault = std::string;

/// It may begin with the name of a member and end with a position.
bool isSentence(const std::string &text)
{
    return text.size() > 10 && (text.ends_with('.') || (text.ends_with(')') && text.contains(". (position ")));
}

template <typename T>
Fault refusal(const Result<T> &result)
{
    return isSentence(result.error().message) ? Fault()
                                              : "The refusal is no sentence: “" + result.error().message + "”";
}

const SessionPtr &session()
{
    static const SessionPtr made = [] {
        ClaudeLog log;
        log.typed("keep the stable link");
        log.call("Bash", { { "command", "make" } });
        log.result("done");
        return log.load();
    }();
    return made;
}

Fault faultOfPolicy(const std::string &document)
{
    const auto policy = parsePolicy(document, "policy");
    if (!policy)
        return refusal(policy);
    const auto again = parsePolicy(policy->document);
    return !again                             ? "The written policy is refused: " + again.error().message
        : again->document != policy->document ? "The written policy is read as another one"
                                              : Fault();
}

Fault faultOfPrices(const std::string &document)
{
    const auto prices = Prices::parse(document, "prices");
    if (!prices)
        return refusal(prices);
    (void)Prices::bundled().overlaidBy(*prices);
    return {};
}

Fault faultOfOverrides(const std::string &document)
{
    const auto read = parseOverrides(*session(), document, "overrides");
    if (!read)
        return refusal(read);
    const std::string written = overridesDocument(read->overrides, BlockKeys(*session()), read->missing);
    const auto again = parseOverrides(*session(), written);
    return again ? Fault() : "The written overrides are refused: " + again.error().message;
}

/// `restore` writes files to the paths of a ledger.
Fault faultOfLedger(const std::string &document)
{
    const auto ledger = parseLedger(document, "ledger");
    if (!ledger)
        return refusal(ledger);
    for (const LedgerOriginal &original : ledger->originals) {
        if (!isTreePath(original.path))
            return "A path leaves the folder: " + original.path;
    }
    for (const LedgerArtifact &artifact : ledger->artifacts) {
        if (!isTreePath(artifact.path))
            return "A path leaves the folder: " + artifact.path;
    }
    return writeLedger(*parseLedger(writeLedger(*ledger))) == writeLedger(*ledger) ? Fault()
                                                                                   : "The ledger is written otherwise";
}

Fault faultOfQuery(const std::string &document)
{
    const auto query = parseQuery(document);
    return query ? Fault() : refusal(query);
}

Fault faultOfPatch(const std::string &document)
{
    for (const FileChange &change : parsePatch(document))
        (void)change;
    (void)parseHunks(document);
    return {};
}

/// Each API reads each stream, in pieces.
Fault faultOfStream(const std::string &document)
{
    for (const SummaryApi api :
        { SummaryApi::Anthropic, SummaryApi::OpenAiChat, SummaryApi::OpenAiResponses, SummaryApi::Gemini }) {
        NoteStream whole(api);
        (void)whole.feed(document);
        NoteStream pieces(api);
        for (size_t at = 0; at < document.size(); at += 7)
            (void)pieces.feed(std::string_view(document).substr(at, 7));
        if (whole.text() != pieces.text() || whole.finished().has_value() != pieces.finished().has_value())
            return "The stream reads otherwise in pieces";
        const auto finished = whole.finished();
        if (const Fault fault = finished ? Fault() : refusal(finished); !fault.empty())
            return fault;
    }
    return {};
}

template <typename Reader>
Fault faultOfLines(const std::string &document)
{
    Reader reader;
    const auto read = eachJsonLine(
        document, "lines", [&](const Json &line, const std::string &where) { return reader.add(line, where); });
    return read ? Fault() : refusal(read);
}

Fault faultOfFindings(const std::string &document)
{
    FindingsLines reader;
    const auto read = eachJsonLine(
        document, "lines", [&](const Json &line, const std::string &where) { return reader.add(line, where); });
    return !read ? refusal(read) : drawFindingsTotal(reader.take()).ends_with('\n') ? Fault() : "Nothing is drawn";
}

std::vector<std::string> policySeeds()
{
    std::vector<std::string> seeds;
    for (const PolicyPtr &policy : presets())
        seeds.push_back(policy->document);
    return seeds;
}

std::string ledgerSeed()
{
    Ledger ledger;
    ledger.session = { {}, "a.jsonl", "claude-code", 100, "00ff" };
    ledger.policy = "deep-agents";
    LedgerOriginal original;
    original.name = "one";
    original.path = "originals/0001 one.txt";
    ledger.originals.push_back(original);
    LedgerArtifact artifact;
    artifact.name = "/large_tool_results/x";
    artifact.path = "artifacts/x";
    ledger.artifacts.push_back(artifact);
    LedgerSplice splice;
    splice.length = 5;
    splice.original = "one";
    ledger.splices.push_back(splice);
    return writeLedger(ledger);
}

std::string overridesSeed()
{
    Overrides overrides;
    overrides.keep = { BlockId(0U) };
    overrides.drop = { BlockId(2U) };
    return overridesDocument(overrides, BlockKeys(*session()));
}

std::string sweepSeed()
{
    const SweepPlan plan { preset("pi"), { "keep", Measure::Unit::Tokens, { 1000, 2000 } },
        { "trigger", Measure::Unit::WindowFraction, { 0.5 } }, "2026-01-01" };
    return runSweepLines(plan, { {}, { { "a.jsonl", 2, "it has no calls" } } });
}

} // namespace

const std::vector<HostileKind> &hostileKinds()
{
    static const std::vector<HostileKind> all {
        { "policy", policySeeds(), faultOfPolicy },
        { "prices",
            { R"({"schema":"palimpsest.prices/1","date":"2026-01-01","source":"a test","currency":"USD","per_tokens":1000000,)"
              R"("models":[{"id":"x","provider":"anthropic","names":["claude-x"],"prices":[{"from":"2025-01-01","tiers":[)"
              R"({"input":3,"output":15,"cache_read":0.3},{"above":200000,"input":6,"output":22}]}]}]})" },
            faultOfPrices },
        { "overrides",
            { overridesSeed(),
                R"({"schema":"palimpsest.overrides/2","keep":[],"drop":[],"replace":[{"block":"x","text":"a"}],)"
                R"("insert":[{"after":"x","role":"user","text":"b"}]})" },
            faultOfOverrides },
        { "ledger", { ledgerSeed() }, faultOfLedger },
        { "query",
            { R"(role:tool tool:Bash error tokens>2k text:"a \"b\" c" call>100 -lost #12 file:a.cpp kind:image)" },
            faultOfQuery, 1024 },
        { "patch",
            { "*** Begin Patch\n*** Update File: a.py\n@@ def f():\n-  a\n+  b\n*** Add File: b.py\n+x\n*** Delete "
              "File: "
              "c.py\n*** End Patch\n",
                "--- a/x\n+++ b/x\n@@ -1,3 +1,4 @@\n a\n-b\n+c\n+d\n e\n\\ No newline at end of file\n" },
            faultOfPatch },
        { "stream",
            { "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\","
              "\"text\":\"a\"}}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
                "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\r\n\r\ndata: "
                "[DONE]\n\n",
                "data: {\"type\":\"response.output_text.delta\",\"delta\":\"a\"}\n\ndata: {\"type\":"
                "\"response.completed\",\"response\":{\"usage\":{\"input_tokens\":1}}}\n\n",
                "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]},\"finishReason\":\"STOP\"}]}\n\n" },
            faultOfStream },
        { "lines of reach",
            { reachLine(UseKind::Quote, { "a", { { { 1, 2 }, 3.5 }, { { 4, 5 }, 6 } }, 1 })
                + reachLine(UseKind::Quote, { "b", {}, 0 }) },
            faultOfLines<ReachLines> },
        { "lines of findings",
            { findingsLine({ { "file", "a" }, { "named_dollars", 1.5 }, { "recorded_dollars", nullptr },
                { "findings", Json::array({ { { "kind", "lost-messages" }, { "count", 3 } } }) },
                { "left_out", Json::array() } }) },
            faultOfFindings },
        { "lines of sweeps", { sweepSeed() }, faultOfLines<RunSweepReader> },
    };
    return all;
}

} // namespace testing
