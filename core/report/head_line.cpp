// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/head_line.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/tokens/array_sums.h"

#include <algorithm>
#include <map>

namespace core {

namespace {

/// `2 compactions (66, 122)`: how many of some kinds, and the calls behind which they happened. All kinds are numbered
/// together; if the thread has others, too, with the numbers: `2 compactions (no. 2 at 66, no. 4 at 122)`. Empty if
/// there is none.
std::string compactionFact(const Thread &thread, std::initializer_list<CompactionKind> kinds, std::string_view name)
{
    constexpr size_t kListed = 6;
    const auto isMeant = [&](const RecordedCompaction &each) { return std::ranges::contains(kinds, each.kind); };
    const bool areNumbered = !std::ranges::all_of(thread.compactions, isMeant);
    std::string calls;
    size_t count = 0;
    size_t listed = 0;
    for (size_t i = 0; i < thread.compactions.size(); ++i) {
        const RecordedCompaction &compaction = thread.compactions[i];
        if (!isMeant(compaction))
            continue;
        ++count;
        if (compaction.call.isValid() && listed < kListed)
            calls += (listed++ == 0 ? "" : ", ") + (areNumbered ? "no. " + std::to_string(i + 1) + " at " : "")
                + std::to_string(compaction.call.value());
    }
    if (count == 0)
        return {};
    if (count > listed && listed > 0)
        calls += ", …";
    return counted(count, name) + (calls.empty() ? "" : " (" + calls + ")");
}

/// `2 silent clearings (63, 203)`: the first calls that were sent less than the log holds.
std::string silentFact(const ArraySums &sums)
{
    constexpr size_t kListed = 6;
    std::string calls;
    size_t count = 0;
    for (const SumEvent &event : sums.events) {
        if (event.kind == SumEvent::Kind::Cleared && ++count <= kListed)
            calls += (calls.empty() ? "" : ", ") + std::to_string(event.call.value());
    }
    return count == 0 ? std::string()
                      : counted(count, "silent clearing") + " (" + calls + (count > kListed ? ", …)" : ")");
}

/// The file or command with the largest share of the array.
std::string heaviestFact(const Session &session, Position position, const BlockTokens &tokens)
{
    std::map<StringId, double> sums;
    double whole = 0;
    rangesAt(session, position).forEach([&](BlockId id) {
        whole += tokens.of(id);
        const Block &block = session.block(id);
        if (block.subject.isValid())
            sums[block.subject] += tokens.of(id);
    });
    const auto most = std::ranges::max_element(sums, {}, [](const auto &entry) { return entry.second; });
    if (most == sums.end() || most->second < whole / 50)
        return {};
    std::string_view name = session.string(most->first);
    const bool isPath = name.find(' ') == std::string_view::npos && name.find('/') != std::string_view::npos;
    if (isPath)
        name = name.substr(name.rfind('/') + 1);
    return "heaviest here: " + snippet(name, 40) + " " + shown({ most->second, tokens.basis, tokens.error });
}

} // namespace

std::string shortModel(std::string_view model)
{
    if (model.starts_with("claude-"))
        model.remove_prefix(7);
    if (model.size() > 9) {
        const std::string_view date = model.substr(model.size() - 9);
        const bool isDate = date.front() == '-' && std::ranges::all_of(date.substr(1), isDigit);
        if (isDate)
            model.remove_suffix(9);
    }
    return std::string(model);
}

std::string userMessageFact(const InContext &userMessages, CallIndex call)
{
    if (userMessages.standing == userMessages.all)
        return {};
    return groupedNumber(userMessages.standing) + " of " + counted(userMessages.all, "user message") + " in context at "
        + (call.isValid() ? "call " + std::to_string(call.value()) : "the end");
}

HeadLine headLine(const Session &session, Position position, const BlockTokens &tokens, const ArraySums &sums,
    const InContext &userMessages)
{
    const Thread &thread = session.thread(position.thread);
    HeadLine line;
    line.harness = session.harness.empty() ? session.format : session.harness;
    std::string &facts = line.facts;
    const auto add = [&](const std::string &fact) {
        if (!fact.empty())
            facts += (facts.empty() ? "" : " · ") + fact;
    };
    if (thread.kind != ThreadKind::Main)
        add((thread.kind == ThreadKind::Subagent ? "subagent" : "run")
            + (thread.title.empty() ? "" : " “" + snippet(thread.title, 30) + "”"));
    add(shortModel(session.model));
    const bool isDerived = !thread.calls.empty() && thread.calls.front().isDerived;
    add(counted(thread.calls.size(), "call") + (isDerived ? ", derived" : ""));
    add(compactionFact(thread, { CompactionKind::Summary, CompactionKind::Replacement }, "compaction"));
    add(compactionFact(thread, { CompactionKind::Clearing }, "clearing"));
    add(compactionFact(thread, { CompactionKind::Rollback }, "rollback"));
    add(silentFact(sums));
    double peak = 0;
    for (const ArraySum &sum : sums.calls)
        peak = std::max(peak, sum.isRecorded() ? sum.recorded : 0);
    const std::string window
        = session.windowTokens ? shortNumber(static_cast<double>(*session.windowTokens)) : std::string();
    if (peak > 0) {
        add("peak " + groupedNumber(static_cast<uint64_t>(peak)) + (window.empty() ? "" : " of " + window));
    } else {
        add(shown(sums.end.total()) + " tokens at the end" + (window.empty() ? "" : ", window " + window));
    }
    add(userMessageFact(userMessages, position.call));
    add(heaviestFact(session, position, tokens));
    const size_t threads = session.threads.size();
    if (threads > 1 && thread.kind == ThreadKind::Main)
        add(counted(threads - 1, "subagent"));
    return line;
}

} // namespace core
