// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/index/session_entry.h"

#include "core/base/format.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/cache/recorded_cache.h"
#include "core/context/context_curve.h"
#include "core/json/json_probe.h"
#include "core/money/cost.h"
#include "core/session/format_traits.h"
#include "core/session/thread_tree.h"
#include "core/session/user_message.h"
#include "core/tokens/weights.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <span>

namespace core {

namespace {

constexpr size_t kWordsCodePoints = 300;

/// The harness's own id of a session whose reader leaves it in the records.
std::string idInRecords(const Session &session)
{
    const ResumeShape &shape = session.traits->resume;
    if (shape.id.empty() || !shape.idType.empty() || !shape.idObject.empty() || session.blocks.empty())
        return {};
    return decodeJsonString(JsonMembers(session.record(session.blocks.front())).string(shape.id));
}

void addMessages(const Session &session, const std::vector<ThreadIndex> &roots, std::vector<SessionEntry> &entries)
{
    std::vector<BlockId> first(entries.size());
    std::vector<BlockId> last(entries.size());
    for (uint32_t i = 0; i < session.messages.size(); ++i) {
        const Message &message = session.messages[i];
        const ThreadIndex thread = message.thread.isValid() ? message.thread : ThreadIndex(0U);
        const size_t root = roots[thread.index()].index();
        SessionEntry &entry = entries[root];
        if (message.time) {
            entry.begin = std::min(entry.begin.value_or(*message.time), *message.time);
            entry.end = std::max(entry.end.value_or(*message.time), *message.time);
        }
        if (thread.index() != root)
            continue;
        for (uint32_t b = 0; b < message.count; ++b) {
            const BlockId id(message.first.value() + b);
            if (!isUserMessage(session.block(id)))
                continue;
            ++entry.typed;
            if (!first[root].isValid())
                first[root] = id;
            last[root] = id;
        }
    }
    const auto words = [&](BlockId id) {
        const Block &block = session.block(id);
        const std::string text = session.text(block.body);
        return snippet(typedText(block, text), kWordsCodePoints);
    };
    for (size_t t = 0; t < entries.size(); ++t) {
        if (last[t].isValid())
            entries[t].lastTyped = words(last[t]);
        if (entries[t].title.empty() && first[t].isValid())
            entries[t].title = words(first[t]);
    }
}

void addCurve(const Session &session, ThreadIndex index, const BlockTokens &tokens, SessionEntry &entry)
{
    const Thread &thread = session.thread(index);
    const ArraySumsPtr sums = arraySums(session, index, tokens);
    const ContextCurve curve = contextCurve(*sums, tokens);
    const size_t count = curve.calls.size();
    const size_t points = std::min(count, SessionEntry::kCurvePoints);
    entry.curve.assign(points, 0);
    for (size_t i = 0; i < count; ++i) {
        float &point = entry.curve[i * points / count];
        point = std::max(point, static_cast<float>(curve.calls[i].tokens));
    }
    for (const ArraySum &sum : sums->calls) {
        if (sum.isRecorded() && sum.recorded > entry.peak) {
            entry.peak = sum.recorded;
            entry.isPeakRecorded = true;
        }
    }
    if (!entry.isPeakRecorded)
        entry.peak = curve.peak;
    for (const RecordedCompaction &compaction : thread.compactions) {
        const bool isCompaction
            = compaction.kind == CompactionKind::Summary || compaction.kind == CompactionKind::Replacement;
        if (isCompaction && compaction.call.isValid() && count > 0)
            entry.compactions.push_back(static_cast<float>(compaction.call.value() + 1) / static_cast<float>(count));
    }
}

} // namespace

std::string_view SessionEntry::project() const
{
    std::string_view path = folder;
    while (path.size() > 1 && path.ends_with('/'))
        path.remove_suffix(1);
    const size_t slash = path.rfind('/');
    return slash == std::string_view::npos || path.size() == 1 ? path : path.substr(slash + 1);
}

std::string_view SessionEntry::harnessName() const
{
    // A version is the last word and begins with a digit.
    const std::string_view name = harness.empty() ? std::string_view(format) : std::string_view(harness);
    const size_t blank = name.rfind(' ');
    const bool hasVersion = blank != std::string_view::npos && blank + 1 < name.size() && name[blank + 1] >= '0'
        && name[blank + 1] <= '9';
    return hasVersion ? name.substr(0, blank) : name;
}

namespace {

/// What the session says of each root thread, by thread; without figures of tokens and money.
std::vector<SessionEntry> describedEntries(
    const Session &session, const std::string &file, const std::vector<ThreadIndex> &roots)
{
    std::vector<SessionEntry> all(session.threads.size());
    for (uint32_t t = 0; t < all.size(); ++t) {
        if (roots[t].value() != t)
            continue;
        const Thread &thread = session.threads[t];
        SessionEntry &entry = all[t];
        entry.file = file;
        entry.thread = t;
        entry.id = thread.id.empty() && t == 0 ? idInRecords(session) : thread.id;
        entry.format = session.format;
        entry.harness = session.harness;
        entry.model = session.model;
        entry.title = thread.kind == ThreadKind::Main && !session.title.empty() ? session.title : thread.title;
        entry.folder = session.workingFolder;
        entry.branch = session.branch;
        if (t == 0) {
            entry.originKind = session.origin.kind;
            entry.originId = session.origin.id;
        }
        entry.window = session.windowTokens;
        entry.calls = thread.calls.size();
        if (entry.model.empty() && !thread.calls.empty())
            entry.model = session.modelOf(thread.calls.back());
    }
    addMessages(session, roots, all);
    return all;
}

/// Leaves root threads with a call or a message.
void removeEmpty(const Session &session, std::vector<SessionEntry> &entries)
{
    std::erase_if(entries, [&](const SessionEntry &entry) {
        const bool isRoot = !entry.file.empty();
        return !isRoot || (entry.calls == 0 && session.threads[entry.thread].end.isEmpty());
    });
}

void addDays(const Session &session, std::span<const CallCost> costs, SessionEntry &entry)
{
    const auto callOf = [&](const CallCost &cost) -> const Call & {
        return session.thread(cost.position.thread).calls[cost.position.call.index()];
    };
    const auto dayOf
        = [](Timestamp time) { return static_cast<int32_t>((time - (time < 0 ? kDayLength - 1 : 0)) / kDayLength); };
    const auto isDated = [&](const CallCost &cost) { return callOf(cost).time && callOf(cost).usage; };
    std::map<std::pair<int32_t, std::string_view>, DayCost> rows;
    for (const CallCost &cost : costs) {
        if (!isDated(cost))
            continue;
        const Call &call = callOf(cost);
        DayCost &row = rows[{ dayOf(*call.time), session.modelOf(call) }];
        ++row.calls;
        row.tokens += call.usage->prompt() + call.usage->output;
        if (cost.recorded)
            row.cost = row.cost.value_or(0) + *cost.recorded;
    }
    for (const CallCost &cost : costs) {
        if (!isDated(cost) || !callOf(cost).responseId.isValid())
            continue;
        const Call &call = callOf(cost);
        const auto row = rows.find({ dayOf(*call.time), session.modelOf(call) });
        const uint64_t tokens = call.usage->prompt() + call.usage->output;
        const std::string copied
            = formatted("{} {} {}", session.string(call.responseId), static_cast<int64_t>(*call.time), tokens);
        entry.billed.push_back({ hashOf(copied).low, tokens, cost.recorded.value_or(0),
            static_cast<uint64_t>(std::distance(rows.begin(), row)) });
    }
    for (auto &[key, row] : rows) {
        row.day = key.first;
        row.model = key.second;
        entry.days.push_back(std::move(row));
    }
}

} // namespace

std::vector<SessionEntry> titlesOf(const Session &session, const std::string &file)
{
    const std::vector<ThreadIndex> roots = rootsOf(session);
    std::vector<SessionEntry> all = describedEntries(session, file, roots);
    removeEmpty(session, all);
    for (SessionEntry &entry : all) {
        entry.isHead = true;
        entry.calls = 0;
        entry.typed = 0;
        entry.lastTyped.clear();
    }
    return all;
}

std::vector<SessionEntry> entriesOf(const SessionPtr &session, const std::string &file, const Prices &prices)
{
    const std::vector<ThreadIndex> roots = rootsOf(*session);
    const BlockTokensPtr tokens = roughTokens(*session);
    const SessionCost cost = recordedCost(*session, recordedCache(*session, *tokens), prices);
    std::vector<SessionEntry> all = describedEntries(*session, file, roots);
    for (uint32_t t = 0; t < all.size(); ++t) {
        if (roots[t].value() == t)
            addCurve(*session, ThreadIndex(t), *tokens, all[t]);
    }
    std::vector<std::vector<CallCost>> byRoot(all.size());
    for (const CallCost &call : cost.calls) {
        const size_t root = roots[call.position.thread.index()].index();
        SessionEntry &entry = all[root];
        byRoot[root].push_back(call);
        if (!call.recorded) {
            entry.isCostPartial = true;
            continue;
        }
        entry.cost = entry.cost.value_or(0) + *call.recorded;
        if (call.position.thread.value() != entry.thread)
            entry.subagentCost += *call.recorded;
    }
    for (uint32_t t = 0; t < all.size(); ++t) {
        if (roots[t].value() != t)
            ++all[roots[t].index()].subagents;
        addDays(*session, byRoot[t], all[t]);
    }
    removeEmpty(*session, all);
    return all;
}

std::vector<EntryFinding> entryFindings(const Findings &findings, ThreadIndex thread)
{
    const std::vector<ThreadIndex> roots = rootsOf(*findings.session);
    std::vector<EntryFinding> made;
    for (const Finding &finding : findings.findings) {
        if (!finding.thread.isValid() || roots[finding.thread.index()] != thread)
            continue;
        const bool isListed = made.size() < SessionEntry::kMostFindings;
        const auto rest = std::ranges::find_if(
            made, [&](const EntryFinding &each) { return each.what.empty() && each.kind == finding.kind; });
        if (isListed || rest == made.end()) {
            made.push_back({ std::string(finding.kind), finding.rank, finding.count, finding.money,
                isListed ? finding.what : std::string() });
            continue;
        }
        rest->count += finding.count;
        if (finding.money)
            rest->money = rest->money.value_or(0) + *finding.money;
    }
    return made;
}

std::string ownerOf(const SessionEntry &entry)
{
    const std::filesystem::path path(entry.file);
    if (!path.filename().string().starts_with("agent-"))
        return {};
    if (path.parent_path().filename() == "subagents")
        return path.parent_path().parent_path().string() + ".jsonl";
    return entry.id.empty() ? std::string() : (path.parent_path() / (entry.id + ".jsonl")).string();
}

} // namespace core
