// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/compaction_report.h"

#include "core/base/format.h"
#include "core/base/visible.h"
#include "core/compaction/commit.h"
#include "core/compaction/policy_run.h"
#include "core/compaction/policy_words.h"
#include "core/compaction/stage.h"
#include "core/compaction/validity.h"
#include "core/report/document_parts.h"
#include "core/session/block_key.h"
#include "core/session/slot_label.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace core {

namespace {

/// The origins of the characters of the `after` array: by slot before, or added.
struct Shares {
    std::vector<uint64_t> ofBefore;            ///< by slot before: characters left of it
    std::vector<uint64_t> addedCharacters;     ///< by slot after
    std::vector<std::optional<BlockId>> added; ///< by slot after: the first added block
};

struct OverrideReport {
    size_t rewrites = 0;
    std::string words;           ///< `2 blocks dropped, 1 edited`
    int64_t savedCharacters = 0; ///< not saved by any stage
};

OverrideReport overridesIn(const Compaction &compaction)
{
    OverrideReport report;
    if (!compaction.policy)
        return report;
    std::map<Fate, size_t> counts;
    for (const Rewrite &rewrite : compaction.rewrites) {
        if (rewrite.stage >= compaction.policy->stages.size())
            ++counts[rewrite.fate];
    }
    for (const auto &[fate, count] : counts) {
        report.words += report.rewrites == 0 ? counted(count, "block") : ", " + groupedNumber(count);
        report.words += " " + std::string(nameOf(fate));
        report.rewrites += count;
    }
    report.savedCharacters = static_cast<int64_t>(lengthsOf(compaction.before).codePoints)
        - static_cast<int64_t>(lengthsOf(compaction.after).codePoints);
    for (const StageReport &stage : compaction.stages)
        report.savedCharacters -= stage.savedCharacters;
    return report;
}

std::string savingText(int64_t characters)
{
    return std::string(characters < 0 ? "adds " : "saves ")
        + counted(static_cast<uint64_t>(std::abs(characters)), "character");
}

Shares sharesOf(const Compaction &compaction)
{
    const Transcript &after = compaction.after;
    Shares shares { std::vector<uint64_t>(compaction.before.slotCount()), std::vector<uint64_t>(after.slotCount()),
        std::vector<std::optional<BlockId>>(after.slotCount()) };
    for (size_t i = 0; i < after.slotCount(); ++i) {
        const Slot &slot = after.slots()[i];
        size_t place = slot.firstBlock;
        for (const BlockId id : after.blocksOf(slot)) {
            const BlockId origin = compaction.origins[place++];
            const uint64_t characters = after.block(id).lengths.codePoints;
            if (origin.isValid()) {
                shares.ofBefore[compaction.before.slotOf(origin).index()] += characters;
                continue;
            }
            shares.addedCharacters[i] += characters;
            if (!shares.added[i])
                shares.added[i] = id;
        }
    }
    return shares;
}

Json sizeJson(const Transcript &transcript, const BlockTokens &tokens)
{
    const TextLengths lengths = lengthsOf(transcript);
    return { { "slots", transcript.slotCount() }, { "chars", lengths.codePoints }, { "bytes", lengths.bytes },
        { "tokens", figureJson(tokensOf(transcript, tokens)) } };
}

void addRecovery(Json &entry, const Recovery &recovery)
{
    entry["recoverable_from"] = recovery.from;
    entry["fetched_back_at"] = orNull(recovery.fetchedBackAt);
}

double notLoggedPrelude(const ArraySum &sum) { return sum.isPreludeRecorded ? 0 : sum.prelude; }

/// A prelude without a record, and the unlogged text.
double notLogged(const ArraySum &sum) { return notLoggedPrelude(sum) + sum.unloggedWithFraming(); }

/// `prelude ~17.9k, unlogged ~2.3k`
std::string notLoggedText(const std::optional<ArraySum> &sum)
{
    if (!sum)
        return "not known";
    const std::string unlogged = "unlogged " + shown({ sum->unloggedWithFraming(), Basis::Estimated });
    const double prelude = notLoggedPrelude(*sum);
    return prelude > 0 ? "prelude " + shown({ prelude, Basis::Estimated }) + ", " + unlogged : unlogged;
}

/// The prompt of the previous call, by usage. The record's own figure may say something else.
Json promptBefore(const RecordedSizes &sizes)
{
    const bool isKnown = sizes.sumBefore && sizes.sumBefore->isRecorded();
    return isKnown ? figureJson(sizes.sumBefore->recorded, Basis::Exact) : Json(nullptr);
}

void addRecorded(Json &json, const RecordedSizes &sizes)
{
    const RecordedCompaction &compaction = *sizes.compaction;
    json["recorded"] = { { "kind", nameOf(compaction.kind) }, { "trigger", compaction.trigger },
        { "call", orNull(compaction.call) }, { "line", compaction.line }, { "prompt_before", promptBefore(sizes) },
        { "before_tokens", exactJson(compaction.beforeTokens) }, { "after_tokens", exactJson(compaction.afterTokens) },
        { "figures", figuresJson(compaction) } };
    const auto figure = [](const std::optional<ArraySum> &sum) {
        return sum ? figureJson(notLogged(*sum), Basis::Estimated) : Json(nullptr);
    };
    json["unlogged"] = { { "before", figure(sizes.sumBefore) }, { "after", figure(sizes.sumAfter) } };
}

/// Two lines with the log's facts about a recorded compaction.
std::string drawRecorded(const RecordedSizes &sizes)
{
    const RecordedCompaction &compaction = *sizes.compaction;
    std::string text = "Recorded: " + std::string(nameOf(compaction.kind));
    if (!compaction.trigger.empty())
        text += " (" + visibleText(compaction.trigger) + ")";
    text += compaction.call.isValid() ? " after call " + std::to_string(compaction.call.value()) : " before any call";
    const auto figure = [](const std::optional<uint64_t> &tokens) {
        return tokens ? groupedNumber(*tokens) + " tokens" : std::string("not recorded");
    };
    const bool hasPrompt = sizes.sumBefore && sizes.sumBefore->isRecorded();
    const std::optional<uint64_t> prompt
        = hasPrompt ? std::optional(static_cast<uint64_t>(sizes.sumBefore->recorded)) : compaction.beforeTokens;
    text += ": " + figure(prompt) + " → " + figure(compaction.afterTokens);
    for (const RecordedFigure &each : compaction.figures)
        text += (&each == compaction.figures.data() ? "; its record says " : ", ") + visibleText(each.name) + " "
            + groupedNumber(each.value);
    text += "\nNot in the log: " + notLoggedText(sizes.sumBefore) + " → " + notLoggedText(sizes.sumAfter) + " tokens\n";
    const bool isUnseen = compaction.kind == CompactionKind::Clearing && compaction.before == compaction.after;
    if (isUnseen)
        text += "The record does not name the cleared tool results, so the log does not show what was cleared.\n";
    return text;
}

std::string parameterText(const ParameterValue &value)
{
    if (const auto *flag = std::get_if<bool>(&value))
        return *flag ? "on" : "off";
    if (const auto *number = std::get_if<double>(&value))
        return std::floor(*number) == *number ? groupedNumber(static_cast<uint64_t>(*number))
                                              : formatted("{}", *number);
    if (const auto *text = std::get_if<std::string>(&value))
        return "“" + visibleText(snippet(*text, 60)) + "”";
    std::string list;
    for (const std::string &each : std::get<std::vector<std::string>>(value))
        list += (list.empty() ? "" : ", ") + each;
    return list.empty() ? "(empty)" : list;
}

std::string_view apiOf(MessageShape shape)
{
    switch (shape) {
    case MessageShape::Anthropic:
        return "the Anthropic API";
    case MessageShape::LangChain:
        return "LangChain";
    case MessageShape::Genkit:
        return "Genkit";
    case MessageShape::Gemini:
        return "the Gemini API";
    case MessageShape::Responses:
        return "the OpenAI Responses API";
    }
    return {};
}

std::string_view wordsOf(LengthUnit unit)
{
    switch (unit) {
    case LengthUnit::CodePoints:
        return "code points";
    case LengthUnit::Utf16Units:
        return "UTF-16 units";
    case LengthUnit::Bytes:
        return "bytes";
    }
    return {};
}

/// A parameter's name, its value, and behind them its sentence, on as many lines as needed.
std::string drawParameter(const ParameterSpec &parameter, const ParameterValue &value)
{
    constexpr size_t kValueColumn = 28;
    constexpr size_t kSentenceColumn = 48;
    constexpr size_t kWidth = 100;
    const std::string indent(kSentenceColumn, ' ');
    std::string line = padded("      " + std::string(parameter.name), kValueColumn) + parameterText(value)
        + (parameter.unit.empty() ? "" : " " + std::string(parameter.unit));
    if (parameter.sentence.empty())
        return line + "\n";
    std::string text;
    if (columnsOf(line) + 2 > kSentenceColumn) {
        text = line + "\n";
        line.clear();
    }
    line = padded(line, kSentenceColumn);
    for (std::string_view rest = parameter.sentence; !rest.empty();) {
        const std::string word(rest.substr(0, rest.find(' ')));
        rest.remove_prefix(std::min(word.size() + 1, rest.size()));
        const bool isFirst = columnsOf(line) == kSentenceColumn;
        if (!isFirst && columnsOf(line) + 1 + columnsOf(word) > kWidth) {
            text += line + "\n";
            line = indent + word;
        } else {
            line += (isFirst ? "" : " ") + word;
        }
    }
    return text + line + "\n";
}

/// The blocks of a slot with their keys for overrides.
Json blocksJson(const Transcript &transcript, const Slot &slot, const BlockKeys &keys)
{
    Json list = Json::array();
    for (const BlockId id : transcript.blocksOf(slot)) {
        const Block &block = transcript.block(id);
        list.push_back({ { "block", id.value() }, { "key", keys.of(id) }, { "kind", nameOf(block.kind) },
            { "chars", block.lengths.codePoints } });
    }
    return list;
}

/// The originals that a commit would store.
Json originalsJson(const Compaction &compaction)
{
    const Session &session = *compaction.before.session();
    Json list = Json::array();
    for (const BlockId id : rewrittenBlocks(compaction)) {
        const std::string_view bytes = session.rawBody(session.block(id).body);
        list.push_back({ { "name", originalName(session, id) }, { "oid", objectIdOf(bytes) }, { "bytes", bytes.size() },
            { "stored", false } });
    }
    return list;
}

/// As in `Replay::compactsAt`: a trigger fired or, without triggered stages, a stage changed something.
bool hasActed(const Compaction &compaction)
{
    const bool hasTrigger = !compaction.policy || waitsForTrigger(*compaction.policy);
    return compaction.hasFired || (!hasTrigger && std::ranges::any_of(compaction.stages, &StageReport::rewrites));
}

} // namespace

TokenFigure tokensOf(const Transcript &transcript, const BlockTokens &tokens)
{
    TokenFigure figure { 0, tokens.basisOf(transcript.blocks()), tokens.error };
    for (const BlockId id : transcript.blocks())
        figure.value += tokens.of(id);
    return figure;
}

TextLengths lengthsOf(const Transcript &transcript)
{
    TextLengths lengths;
    for (const BlockId id : transcript.blocks())
        lengths += transcript.block(id).lengths;
    return lengths;
}

Json compactionJson(const Compaction &compaction, const BlockTokens &tokensBefore, const Recoveries *recoveries,
    const RecordedSizes *recorded, const CompactionSums *sums)
{
    const Transcript &before = compaction.before;
    const Transcript &after = compaction.after;
    Json json { { "schema", "palimpsest.compaction/1" } };
    json["policy"] = compaction.policy ? Json(compaction.policy->id) : Json(nullptr);
    json["cutoff"] = orNull(compaction.cutoff);
    json["fired"] = hasActed(compaction);
    json["verdict"] = compaction.verdict;
    json["before"] = sizeJson(before, tokensBefore);
    json["after"] = sizeJson(after, *compaction.afterTokens);
    if (sums != nullptr) {
        json["before"]["prompt"] = figureJson(sums->before.total());
        json["after"]["prompt"] = figureJson(sums->after.total());
    }
    if (compaction.assumedSummary)
        json["assumed_summary"] = assumedSummaryJson(*compaction.assumedSummary);
    if (recorded != nullptr)
        addRecorded(json, *recorded);
    json["stages"] = Json::array();
    for (size_t i = 0; i < compaction.stages.size(); ++i) {
        const StageReport &report = compaction.stages[i];
        json["stages"].push_back(
            { { "stage", compaction.stageName(i) }, { "ran", report.hasRun }, { "verdict", report.verdict },
                { "note", report.note }, { "rewrites", report.rewrites }, { "saved_chars", report.savedCharacters },
                { "saved_tokens", figureJson(report.savedTokens, Basis::Estimated) } });
    }
    if (const OverrideReport overrides = overridesIn(compaction); overrides.rewrites > 0)
        json["overrides"] = { { "blocks", overrides.rewrites }, { "saved_chars", overrides.savedCharacters } };
    json["slots"] = Json::array();
    const Shares shares = sharesOf(compaction);
    for (size_t i = 0; i < after.slotCount(); ++i) {
        const Slot &slot = after.slots()[i];
        json["slots"].push_back(
            { { "index", i }, { "id", slot.id.value() }, { "chars", after.lengthsOf(slot).codePoints },
                { "added_chars", shares.addedCharacters[i] }, { "fate", nameOf(compaction.fatesAfter[i]) } });
    }
    json["before_slots"] = Json::array();
    const BlockKeys keys(*before.session());
    for (size_t i = 0; i < before.slotCount(); ++i) {
        const Slot &slot = before.slots()[i];
        json["before_slots"].push_back({ { "index", i }, { "id", slot.id.value() },
            { "chars", before.lengthsOf(slot).codePoints }, { "fate", nameOf(compaction.fates[i]) },
            { "after", orNull(compaction.afterOf[i]) }, { "blocks", blocksJson(before, slot, keys) } });
    }
    json["rewrites"] = Json::array();
    for (size_t i = 0; i < compaction.rewrites.size(); ++i) {
        const Rewrite &rewrite = compaction.rewrites[i];
        const SlotIndex slot = rewrite.block.isValid() ? before.slotOf(rewrite.block) : SlotIndex();
        json["rewrites"].push_back({ { "slot", orNull(slot) }, { "block", orNull(rewrite.block) },
            { "pointer", rewrite.pointer }, { "stage", compaction.stageName(rewrite.stage) },
            { "fate", nameOf(rewrite.fate) }, { "before_chars", rewrite.before.codePoints },
            { "after_chars", rewrite.after.codePoints }, { "why", rewrite.why },
            { "original",
                rewrite.block.isValid() ? Json(originalName(*before.session(), rewrite.block)) : Json(nullptr) },
            { "artifact", rewrite.artifact ? Json(compaction.artifacts[*rewrite.artifact].name) : Json(nullptr) } });
        if (recoveries != nullptr && rewrite.block.isValid())
            addRecovery(json["rewrites"].back(), recoveries->rewrites[i]);
    }
    json["originals"] = originalsJson(compaction);
    json["artifacts"] = Json::array();
    for (size_t i = 0; i < compaction.artifacts.size(); ++i) {
        const Artifact &artifact = compaction.artifacts[i];
        const std::string text = compaction.textOf(artifact);
        json["artifacts"].push_back({ { "name", artifact.name }, { "bytes", text.size() },
            { "same_as_original", compaction.isSameAsOriginal(artifact, text) },
            { "recoverable_from", Json::array({ "artifact" }) } });
        if (recoveries != nullptr)
            addRecovery(json["artifacts"].back(), recoveries->artifacts[i]);
    }
    json["validity"] = Json::array();
    for (const Violation &violation : compaction.validity)
        json["validity"].push_back(
            { { "slot", orNull(violation.slot) }, { "rule", violation.rule }, { "sentence", violation.sentence } });
    return json;
}

namespace {

std::string drawAdded(const Compaction &compaction, const Shares &shares)
{
    std::string text;
    for (size_t i = 0; i < shares.added.size(); ++i) {
        if (!shares.added[i])
            continue;
        const Block &block = compaction.after.block(*shares.added[i]);
        text += "  " + padded("after [" + std::to_string(i) + "]", 14)
            + padded(std::string(nameOf(compaction.fatesAfter[i])), 12) + paddedLeft("–", 11) + " → "
            + paddedLeft(groupedNumber(shares.addedCharacters[i]), 9) + "   "
            + visibleText(snippet(labelOf(*compaction.after.session(), block).text(), 60)) + "\n";
    }
    return text;
}

} // namespace

std::string drawCompaction(const Compaction &compaction, const BlockTokens &tokensBefore, const RecordedSizes *recorded,
    const CompactionSums *sums)
{
    const TextLengths before = lengthsOf(compaction.before);
    const TextLengths after = lengthsOf(compaction.after);
    std::string text = compaction.policy ? compaction.policy->name : "Observed";
    text += ": " + counted(compaction.before.slotCount(), "slot") + ", " + counted(before.codePoints, "character")
        + ", " + shown(tokensOf(compaction.before, tokensBefore)) + " tokens → "
        + counted(compaction.after.slotCount(), "slot") + ", " + counted(after.codePoints, "character") + ", "
        + shown(tokensOf(compaction.after, *compaction.afterTokens)) + " tokens\n";
    if (sums != nullptr)
        text += "  the whole prompt: " + shown(sums->before.total()) + " → " + shown(sums->after.total()) + " tokens\n";
    if (compaction.assumedSummary)
        text += "  " + compaction.assumedSummary->sentence() + "\n";
    if (recorded != nullptr)
        text += drawRecorded(*recorded);
    if (compaction.policy && !compaction.policy->trigger.isAlways())
        text += "trigger " + compaction.policy->trigger.words() + ": " + compaction.verdict
            + (compaction.isTriggerReached ? ", reached\n" : "\n");
    if (const std::string counting = compaction.policy ? countingWords(*compaction.policy) : ""; !counting.empty())
        text += "  " + counting + "\n";
    for (size_t i = 0; i < compaction.stages.size(); ++i) {
        const StageReport &report = compaction.stages[i];
        const std::string saved = !report.hasRun ? "did not act"
            : report.rewrites == 0               ? "nothing to do"
                                                 : savingText(report.savedCharacters);
        text += "  " + padded(compaction.stageName(i), 24) + paddedLeft(saved, 28) + "   " + report.verdict + "\n";
        if (!report.note.empty())
            text += "    " + report.note + "\n";
    }
    if (const OverrideReport overrides = overridesIn(compaction); overrides.rewrites > 0)
        text += "  " + padded("overrides", 24) + paddedLeft(savingText(overrides.savedCharacters), 28) + "   "
            + overrides.words + "\n";
    text += "\n";
    // Kept slots, and those that a summary replaced, are one line per run.
    const auto folds
        = [](Fate fate) { return fate == Fate::Kept || fate == Fate::Summarised || fate == Fate::Dropped; };
    const Shares shares = sharesOf(compaction);
    for (size_t i = 0; i < compaction.before.slotCount();) {
        const Fate fate = compaction.fates[i];
        size_t end = i;
        uint64_t was = 0;
        uint64_t stands = 0;
        do {
            was += compaction.before.lengthsOf(compaction.before.slots()[end]).codePoints;
            stands += shares.ofBefore[end++];
        } while (folds(fate) && end < compaction.before.slotCount() && compaction.fates[end] == fate);
        const Slot &slot = compaction.before.slots()[i];
        const bool isRun = end - i > 1;
        const std::string place = isRun ? "[" + std::to_string(i) + "–" + std::to_string(end - 1) + "]"
                                        : "[" + std::to_string(i) + "] #" + std::to_string(slot.id.value());
        const bool isGone
            = (fate == Fate::Summarised || fate == Fate::Dropped || !compaction.afterOf[i].isValid()) && stands == 0;
        const std::string is = isGone ? "–" : groupedNumber(stands);
        const std::string what
            = isRun ? counted(end - i, "slot") : visibleText(snippet(labelOf(compaction.before, slot).text(), 60));
        text += "  " + padded(place, 14) + padded(std::string(nameOf(fate)), 12) + paddedLeft(groupedNumber(was), 11)
            + " → " + paddedLeft(is, 9) + "   " + what + "\n";
        i = end;
    }
    text += drawAdded(compaction, shares);
    for (const Artifact &artifact : compaction.artifacts)
        text += "  artifact  " + visibleText(artifact.name) + "\n";
    for (const AlikeViolations &each : alikeIn(compaction.validity)) {
        const SlotIndex slot = each.first->slot;
        text += (isRefusal(*each.first) ? "  not valid" : "  check the stage")
            + (slot.isValid() ? "  [" + std::to_string(slot.value()) + "]" : std::string()) + "  " + each.sentence()
            + "\n";
    }
    return text;
}

void addExportedJson(Json &document, const Exported &exported)
{
    const auto store = Store::open(exported.store);
    const auto ledger = store ? store->ledger(exported.commit) : Result<Ledger>(std::unexpected(store.error()));
    if (!ledger)
        return;
    document["store"] = { { "path", exported.store.string() }, { "commit", exported.commit.oid } };
    document["originals"] = Json::array();
    for (const LedgerOriginal &original : ledger->originals)
        document["originals"].push_back(
            { { "name", original.name }, { "oid", original.oid }, { "bytes", original.bytes }, { "stored", true } });
}

std::string drawExported(const Exported &exported, const std::string &file)
{
    return (exported.file ? "  written   " + file + "\n" : "") + "  originals " + exported.store.string() + ", commit "
        + exported.commit.oid.substr(0, 10) + "\n";
}

Json settingsJson(const Policy &policy, const HarnessSettings &settings)
{
    return { { "schema", "palimpsest.settings/1" }, { "policy", policy.id }, { "harness", settings.harness },
        { "language", settings.language }, { "text", settings.text }, { "notes", settings.notes } };
}

Json policiesJson(const std::vector<PolicyPtr> &policies)
{
    Json json { { "schema", "palimpsest.policies/1" }, { "policies", Json::array() } };
    for (const PolicyPtr &policy : policies)
        json["policies"].push_back(parseJson(policy->document));
    return json;
}

std::string drawPolicies(const std::vector<PolicyPtr> &policies)
{
    const auto orDash = [](std::string_view text) { return std::string(text.empty() ? "—" : text); };
    std::vector<std::vector<std::string>> rows;
    for (const PolicyPtr &policy : policies) {
        const Provenance &from = policy->provenance;
        rows.push_back({ policy->id, orDash(from.evidenceWords()), policy->name, orDash(from.date), from.source });
    }
    return alignedRows(rows);
}

std::string drawPolicy(const Policy &policy)
{
    std::string text = policy.name + "\n" + policy.description + "\n\n";
    if (!policy.provenance.source.empty())
        text += padded("source", 14) + policy.provenance.source
            + (policy.provenance.date.empty() ? "" : ", " + policy.provenance.date)
            + (policy.provenance.evidence.empty() ? "" : " (" + std::string(policy.provenance.evidenceWords()) + ")")
            + "\n";
    const std::string window = policy.window == Policy::Window::None ? "none"
        : policy.window == Policy::Window::OfModel
        ? "the model's"
        : groupedNumber(static_cast<uint64_t>(policy.windowTokens)) + " tokens";
    text += padded("window", 14) + window + "\n" + padded("trigger", 14)
        + (hasStageOn(policy) ? policy.trigger.words() : "–") + "\n";
    if (const std::string counting = countingWords(policy); !counting.empty())
        text += padded("", 14) + counting + "\n";
    text += padded("keep", 14) + (readsKeep(policy) ? policy.keep.measure.words() : "–") + "\n" + padded("counts", 14)
        + "messages as in " + std::string(apiOf(policy.view)) + ", lengths in " + std::string(wordsOf(policy.unit))
        + "\n" + padded("persistence", 14)
        + (policy.persistence == Persistence::View ? "a view, computed again for each call\n" : "persistent\n");
    if (const std::string worker = workerSentence(policy); !worker.empty())
        text += padded("worker", 14) + worker + "\n";
    for (const StageSpec &spec : policy.stages) {
        const StageKind *kind = stageKind(spec.stage);
        text += "\n" + std::string(spec.isEnabled ? "[x] " : "[ ] ") + spec.stage + ": " + std::string(kind->sentence)
            + "\n";
        if (spec.usesTrigger || spec.trigger)
            text += "      " + padded("trigger", 22) + (spec.trigger ? spec.trigger->words() : "the policy's") + "\n";
        if (spec.keep)
            text += "      " + padded("keep", 22) + spec.keep->measure.words() + "\n";
        for (const ParameterSpec &parameter : kind->parameters) {
            const auto value = spec.values.find(parameter.name);
            text += drawParameter(parameter, value == spec.values.end() ? parameter.initial : value->second);
        }
    }
    return text;
}

} // namespace core
