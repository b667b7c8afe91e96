// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/policy_run.h"

#include "core/compaction/text_edits.h"

#include <algorithm>
#include <ranges>
#include <unordered_map>
#include <unordered_set>

namespace core {

std::string sessionIdOf(const Session &session, ThreadIndex thread, const std::string &given)
{
    if (!given.empty())
        return given;
    const std::string &id = session.thread(thread).id;
    return id.empty() ? "session" : id;
}

namespace {

void insertTexts(Draft &draft, const std::vector<TextInsertion> &insertions, size_t first)
{
    const Session &session = *draft.pool().session();
    std::unordered_map<MessageId, std::vector<const TextInsertion *>> byMessage;
    std::vector<const TextInsertion *> atStart;
    for (const TextInsertion &each : insertions)
        (each.after.isValid() ? byMessage[session.block(each.after).message] : atStart).push_back(&each);
    // From the end, so that the places of the elements before stay.
    MessageId behind;
    for (size_t i = draft.elements().size(); i > first && !byMessage.empty(); --i) {
        const BlockId origin = draft.elements()[i - 1].origin;
        if (!origin.isValid() || session.block(origin).message == behind)
            continue;
        behind = session.block(origin).message;
        const auto found = byMessage.find(behind);
        if (found == byMessage.end())
            continue;
        for (const TextInsertion *each : std::views::reverse(found->second))
            draft.insertAt(i, each->role, each->text);
        byMessage.erase(found);
    }
    for (size_t i = 0; first == 0 && i < atStart.size(); ++i)
        draft.insertAt(i, atStart[i]->role, atStart[i]->text);
}

} // namespace

void applyOverrides(Draft &draft, const Overrides &overrides, size_t first)
{
    if (overrides.isEmpty())
        return;
    std::unordered_map<BlockId, const std::string *> texts;
    for (const TextEdit &each : overrides.replace)
        texts.emplace(each.block, &each.text);
    const std::unordered_set<BlockId> keep(overrides.keep.begin(), overrides.keep.end());
    const std::unordered_set<BlockId> dropped(overrides.drop.begin(), overrides.drop.end());
    for (size_t i = first; i < draft.elements().size(); ++i) {
        if (dropped.contains(draft.elements()[i].origin)) {
            Rewrite rewrite;
            rewrite.stage = SIZE_MAX;
            rewrite.fate = Fate::Dropped;
            rewrite.why = "you dropped it";
            draft.drop(i, std::move(rewrite));
            continue;
        }
        if (const auto text = texts.find(draft.elements()[i].origin); text != texts.end()) {
            draft.change(i, editOf(draft.pool(), draft.elements()[i].block, *text->second), SIZE_MAX);
            draft.pin(i);
        } else if (keep.contains(draft.elements()[i].origin)) {
            draft.pin(i);
        }
    }
    if (!overrides.insert.empty())
        insertTexts(draft, overrides.insert, first);
}

double unsentTokens(const Draft &draft, const UnsentText &unsent)
{
    double standing = 0;
    for (const Draft::Element &element : draft.elements()) {
        if (!element.isGone && element.block == element.origin && unsent.holds(element.block))
            standing += draft.tokens(element.block);
    }
    return unsent.of(standing);
}

bool hasStageOn(const Policy &policy) { return std::ranges::any_of(policy.stages, &StageSpec::isEnabled); }

bool waitsForTrigger(const Policy &policy)
{
    return std::ranges::any_of(policy.stages,
        [](const StageSpec &spec) { return spec.isEnabled && (spec.usesTrigger || spec.trigger.has_value()); });
}

bool readsKeep(const Policy &policy)
{
    const Session session;
    const StageContext context { policy, {}, {} };
    return std::ranges::any_of(policy.stages, [&](const StageSpec &spec) {
        const StageKind *kind = stageKind(spec.stage);
        if (!spec.isEnabled || spec.keep || kind == nullptr)
            return false;
        const StageParameters parameters(session, spec, *kind, context);
        if (kind->rule != nullptr)
            return kind->rule(parameters).reach == BlockRule::Reach::BeforeCutoff;
        return kind->readsKeep == nullptr || kind->readsKeep(parameters);
    });
}

std::string countingWords(const Policy &policy)
{
    const auto isInTokens = [](const Measure &measure) {
        return measure.unit == Measure::Unit::Tokens || measure.unit == Measure::Unit::WindowFraction;
    };
    const bool isCounted = std::ranges::any_of(policy.stages, [&](const StageSpec &spec) {
        const bool waits = spec.isEnabled && (spec.usesTrigger || spec.trigger.has_value());
        return waits && std::ranges::any_of((spec.trigger ? *spec.trigger : policy.trigger).measures, isInTokens);
    });
    return isCounted ? policy.counter.words() : std::string();
}

std::shared_ptr<MemoryFolders> memoriesOf(const std::shared_ptr<ChangeMemo> &memo)
{
    return std::make_shared<MemoryFolders>(memo ? memo->memories() : nullptr);
}

std::vector<std::string> stageNotes(const Session &session, const StageContext &context)
{
    std::vector<std::string> notes;
    for (const StageSpec &spec : context.policy.stages) {
        const StageKind *kind = stageKind(spec.stage);
        if (!spec.isEnabled || kind == nullptr || kind->note == nullptr)
            continue;
        if (std::string note = kind->note(StageParameters(session, spec, *kind, context)); !note.empty())
            notes.push_back(std::move(note));
    }
    return notes;
}

PolicyRun runPolicy(Draft &draft, const StageContext &told, double recordedTokens, bool ignoresTriggers)
{
    StageContext context = told;
    context.recordedTokens = recordedTokens;
    const Policy &policy = context.policy;
    const double window = context.windowTokens;
    PolicyRun result;
    const auto verdict = [&](const Trigger &trigger) {
        DraftArray array(draft, policy);
        array.setUnsentTokens(context.unsentTokens);
        return verdictOf(trigger, array, policy, window, recordedTokens);
    };
    result.verdict = verdict(policy.trigger);
    result.decision = result.verdict;
    result.firedStages.assign(policy.stages.size(), false);
    for (size_t i = 0; i < policy.stages.size(); ++i) {
        const StageSpec &spec = policy.stages[i];
        StageReport report;
        const StageKind *kind = stageKind(spec.stage);
        if (!spec.isEnabled || kind == nullptr) {
            report.verdict = kind == nullptr ? "unknown stage" : "off";
            result.stages.push_back(std::move(report));
            continue;
        }
        StageRun run(draft, spec, *kind, i, context);
        bool isReached = true;
        report.verdict = "no trigger: looks at every call";
        if (run.waits()) {
            // Evaluated again: an earlier stage may have made enough room.
            result.decision = verdict(run.trigger());
            isReached = result.decision.isReached;
            report.verdict = result.decision.sentence();
        }
        if (isReached || ignoresTriggers) {
            const Draft::Size before = draft.size();
            const size_t rewrites = draft.rewrites().size();
            report.cutoff = run.cutoff();
            run.run();
            report.hasRun = true;
            report.note = kind->note != nullptr ? kind->note(run) : std::string();
            report.rewrites = draft.rewrites().size() - rewrites;
            report.savedTokens = before.tokens - draft.size().tokens;
            report.savedCharacters = before.characters - draft.size().characters;
            const bool mayHaveActed = !kind->keepsLog || report.rewrites > 0;
            result.firedStages[i] = (run.waits() && isReached && mayHaveActed) || run.hasFired();
            result.hasFired = result.hasFired || result.firedStages[i];
        }
        result.stages.push_back(std::move(report));
    }
    return result;
}

} // namespace core
