// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/summary_report.h"

#include "core/base/counted.h"
#include "core/base/visible.h"
#include "core/money/cost.h"
#include "core/report/document_parts.h"
#include "core/report/loss_report.h"

namespace core {

namespace {

/// `paths`, `error lines`.
std::string namesOf(size_t kind) { return plural(2, nameOf(static_cast<FactKind>(kind))); }

Json usageJson(const Usage &usage)
{
    return { { "input", usage.input }, { "cache_read", usage.cacheRead }, { "cache_write", usage.cacheWrite },
        { "output", usage.output } };
}

/// For the terminal: control characters become marks, except line ends and tabs.
std::string visibleLines(std::string_view text)
{
    std::string result;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find_first_of("\n\t", at), text.size());
        result += visibleText(text.substr(at, end - at));
        if (end < text.size())
            result += text[end];
        at = end + 1;
    }
    return result;
}

} // namespace

std::string destinationOf(const SummaryPlan &plan, std::string_view key)
{
    std::string text = "POST " + plan.request.url;
    if (plan.request.isLoopback)
        text += " (stays on this computer)";
    return text + (key.empty() ? ", without a key" : ", with " + std::string(key));
}

std::vector<std::string> factsOf(const SummaryPlan &plan)
{
    const SummaryInput &input = plan.input;
    std::vector<std::string> facts;
    facts.push_back(counted(input.messages, "message") + ", " + counted(input.blocks, "block")
        + (input.leftOut > 0 ? "; " + groupedNumber(input.leftOut) + " without a text that can be sent" : "")
        + (input.cut > 0 ? "; " + counted(input.cut, "tool result") + " cut to "
                    + groupedNumber(plan.choice.form.resultCap) + " characters"
                         : ""));
    facts.push_back(
        plan.estimate.sentence() + " (the answer has at most " + groupedNumber(plan.estimate.outputLimit) + " tokens)");
    if (std::string secrets = secretsSentence(input, plan.choice.secrets); !secrets.empty())
        facts.push_back(std::move(secrets));
    return facts;
}

std::string settingsOf(const SummaryPlan &plan)
{
    Json body = parseJson(plan.request.body);
    for (const char *name : { "system", "messages", "instructions", "input", "contents", "systemInstruction" })
        body.erase(name);
    return jsonText(body, -1);
}

std::string drawSummaryPlan(const SummaryPlan &plan, std::string_view key)
{
    std::string text = destinationOf(plan, key) + "\n";
    for (const auto &[name, value] : plan.request.headers)
        text.append("  ").append(name).append(": ").append(value).append("\n");
    text += "  " + settingsOf(plan) + "\n";
    for (const std::string &fact : factsOf(plan))
        text += "  " + fact + "\n";
    return text + "\n--- system ---\n" + visibleLines(plan.prompt.system) + "\n--- user ---\n"
        + visibleLines(plan.prompt.user) + "\n--- end ---\n";
}

Json summaryJson(const SummaryPlan &plan)
{
    Json headers = Json::array();
    for (const auto &[name, value] : plan.request.headers)
        headers.push_back({ { "name", name }, { "value", value } });
    Json secrets = Json::array();
    for (const auto &[kind, count] : secretCounts(plan.input.secrets))
        secrets.push_back({ { "kind", kind }, { "count", count } });
    const SummaryEstimate &estimate = plan.estimate;
    return { { "schema", "palimpsest.summary/1" }, { "policy", plan.policy ? plan.policy->id : std::string() },
        { "template", plan.choice.form.id }, { "api", nameOf(plan.choice.target.api) },
        { "model", plan.choice.target.model },
        { "request",
            { { "url", plan.request.url }, { "stays_on_computer", plan.request.isLoopback }, { "headers", headers },
                { "key_header", plan.request.keyHeader }, { "body", plan.request.body } } },
        { "messages", plan.input.messages }, { "blocks", plan.input.blocks }, { "left_out", plan.input.leftOut },
        { "cut_results", plan.input.cut }, { "secrets", secrets },
        { "secrets_masked", plan.choice.secrets == Secrets::Masked },
        { "estimate",
            { { "prompt_tokens", figureJson(estimate.prompt) }, { "output_limit", estimate.outputLimit },
                { "least_cost", orNull(estimate.least) }, { "most_cost", orNull(estimate.most) } } },
        { "sent", false } };
}

void addNoteJson(Json &document, const WrittenNote &note, const Session &session, const CompactionLoss &loss)
{
    document["sent"] = true;
    document["note"] = note.text;
    document["usage"] = note.usage ? usageJson(*note.usage) : Json(nullptr);
    document["cost"] = orNull(note.cost);
    document["loss"] = lossJson(session, loss);
}

std::string usageSentence(const WrittenNote &note)
{
    if (!note.usage)
        return "The server reported no usage.";
    return "Used: input " + groupedNumber(note.usage->prompt()) + " tokens, output " + groupedNumber(note.usage->output)
        + " tokens" + (note.cost ? ", " + dollars(*note.cost) : ", price not known") + ".";
}

std::vector<std::vector<std::string>> coverageRows(std::span<const NoteCoverage> notes)
{
    std::vector<std::vector<std::string>> rows { { "still in context with" } };
    std::vector<FactCounts> counts;
    for (const NoteCoverage &each : notes) {
        rows.front().push_back(each.name);
        counts.push_back(countsOf(each.loss.replaced));
    }
    const auto share = [](size_t held, size_t all) { return groupedNumber(held) + " of " + groupedNumber(all); };
    for (size_t kind = 0; kind < kFactKindCount; ++kind) {
        if (counts.empty() || counts.front().all[kind] == 0)
            continue;
        std::vector<std::string> &row = rows.emplace_back();
        row.push_back(namesOf(kind));
        for (const FactCounts &each : counts)
            row.push_back(share(each.held[kind], each.all[kind]));
    }
    std::vector<std::string> &typed = rows.emplace_back();
    typed.emplace_back("typed messages, word for word");
    for (const NoteCoverage &each : notes)
        typed.push_back(share(each.loss.typedCount(TraceState::Verbatim), each.loss.typed.size()));
    std::vector<std::string> &added = rows.emplace_back();
    added.emplace_back("facts of the note that no logged text has");
    for (const NoteCoverage &each : notes) {
        const FactCounts own = countsOf(each.loss.added);
        added.push_back(share(own.allOf() - own.heldOf(), own.allOf()));
    }
    return rows;
}

Json coverageJson(std::span<const NoteCoverage> notes)
{
    Json document { { "schema", "palimpsest.note-coverage/1" }, { "notes", Json::array() } };
    for (const NoteCoverage &each : notes) {
        const FactCounts counts = countsOf(each.loss.replaced);
        Json kinds = Json::array();
        for (size_t kind = 0; kind < kFactKindCount; ++kind)
            kinds.push_back({ { "kind", namesOf(kind) }, { "all", counts.all[kind] }, { "held", counts.held[kind] } });
        document["notes"].push_back(
            { { "note", each.name }, { "facts", kinds }, { "typed_messages", each.loss.typed.size() },
                { "typed_verbatim", each.loss.typedCount(TraceState::Verbatim) } });
    }
    return document;
}

std::string drawCoverage(std::span<const NoteCoverage> notes) { return alignedRows(coverageRows(notes)); }

} // namespace core
