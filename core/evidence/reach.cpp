// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/evidence/reach.h"

#include <algorithm>
#include <cmath>

namespace core {

namespace {

/// Identity of a block, independent of its file.
Hash identityOf(const Session &session, BlockId id)
{
    const Block &block = session.block(id);
    StringId name = block.callId;
    // User messages are identified by their text, as copies of a session may have other ids.
    if (!name.isValid() && block.message.isValid() && session.message(block.message).role == Role::Assistant)
        name = session.message(block.message).externalId;
    const Hash kind { static_cast<uint64_t>(block.kind), 1 };
    return combine(combine(kind, hashOf(session.string(name))), hashOf(session.rawBody(block.body)));
}

} // namespace

Reach::Reach(std::vector<double> distances)
    : m_distances(std::move(distances))
{
    std::ranges::sort(m_distances);
}

double Reach::shareWithin(double tokens) const
{
    if (m_distances.empty())
        return 0;
    const auto within = std::ranges::upper_bound(m_distances, tokens) - m_distances.begin();
    return static_cast<double>(within) / static_cast<double>(m_distances.size());
}

double Reach::keepFor(double share) const
{
    if (m_distances.empty())
        return 0;
    const auto count = static_cast<size_t>(std::ceil(share * static_cast<double>(m_distances.size())));
    return m_distances[std::clamp<size_t>(count, 1, m_distances.size()) - 1];
}

std::array<double, kReachSteps> reachSteps()
{
    constexpr double kFirst = 625;
    constexpr int kPerDoubling = 4;
    std::array<double, kReachSteps> steps {};
    for (int i = 0; i < static_cast<int>(kReachSteps); ++i) {
        const double exact = std::ldexp(kFirst, i / kPerDoubling);
        steps[static_cast<size_t>(i)] = std::round(exact * std::exp2(i % kPerDoubling / double { kPerDoubling }));
    }
    return steps;
}

double quantile(const std::vector<double> &values, double share)
{
    if (values.empty())
        return 0;
    return values[static_cast<size_t>(std::lround(share * static_cast<double>(values.size() - 1)))];
}

ReachSummary::Spread ReachSummary::spread() const
{
    Spread spread;
    const std::array<double, kReachSteps> steps = reachSteps();
    for (size_t i = 0; i < kReachSteps; ++i) {
        std::vector<double> shares;
        for (const SessionReach &each : sessions) {
            if (each.reach.useCount() >= kFewestUses)
                shares.push_back(each.reach.shareWithin(steps[i]));
        }
        std::ranges::sort(shares);
        spread.low[i] = quantile(shares, 0.1);
        spread.median[i] = quantile(shares, 0.5);
        spread.high[i] = quantile(shares, 0.9);
    }
    return spread;
}

std::vector<double> ReachSummary::keepsFor(double share) const
{
    std::vector<double> keeps;
    for (const SessionReach &each : sessions) {
        if (each.reach.useCount() >= kFewestUses)
            keeps.push_back(each.reach.keepFor(share));
    }
    std::ranges::sort(keeps);
    return keeps;
}

Reach ReachSummary::all() const
{
    std::vector<double> distances;
    for (const SessionReach &each : sessions)
        distances.insert(distances.end(), each.reach.distances().begin(), each.reach.distances().end());
    return Reach(std::move(distances));
}

size_t ReachSummary::sessionCount() const
{
    return static_cast<size_t>(
        std::ranges::count_if(sessions, [](const SessionReach &each) { return each.reach.useCount() >= kFewestUses; }));
}

std::optional<SessionUses> sessionUses(std::string file, const Session &session, const BlockTokens &tokens,
    const ReachOptions &options, Progress *progress)
{
    SessionUses made { std::move(file), {}, 0 };
    for (size_t thread = 0; thread < session.threads.size(); ++thread) {
        if (session.threads[thread].kind == ThreadKind::Subagent)
            continue;
        const auto uses
            = findUses(session, ThreadIndex(thread), { options.kind == UseKind::Name, options.commonNames }, progress);
        if (!uses)
            return std::nullopt;
        const ArraySumsPtr sums = arraySums(session, ThreadIndex(thread), tokens);
        const std::vector<double> distances = useDistances(session, *uses, tokens, options.binding);
        for (size_t i = 0; i < uses->uses.size(); ++i) {
            const Use &use = uses->uses[i];
            if (use.kind != options.kind)
                continue;
            if (uses->isUnsure(use, *sums))
                ++made.unsure;
            else
                made.uses.push_back({ identityOf(session, use.by), distances[i] });
        }
    }
    return made;
}

ReachCollector::ReachCollector(ReachOptions options)
    : m_options(options)
{
    m_summary.kind = options.kind;
}

bool ReachCollector::add(std::string file, const Session &session, const BlockTokens &tokens, Progress *progress)
{
    const auto uses = sessionUses(std::move(file), session, tokens, m_options, progress);
    if (uses)
        add(*uses);
    return uses.has_value();
}

void ReachCollector::add(const SessionUses &uses)
{
    SessionReach added { uses.file, {}, 0, uses.unsure };
    std::vector<double> distances;
    for (const SessionUses::Use &use : uses.uses) {
        if (m_known.contains(use.needer))
            ++added.copies;
        else
            distances.push_back(use.distance);
    }
    // A text used twice in this session counts twice.
    for (const SessionUses::Use &use : uses.uses)
        m_known.insert(use.needer);
    added.reach = Reach(std::move(distances));
    m_summary.sessions.push_back(std::move(added));
}

} // namespace core
