// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/findings/findings.h"

#include "core/findings/finding_ground.h"
#include "core/findings/kinds.h"
#include "core/session/outline.h"

#include <algorithm>
#include <array>
#include <memory>

namespace core {

namespace {

constexpr auto kKinds = std::to_array<const FindingKind *>({
#define PALIMPSEST_ADDRESS_OF(name) (&(name)),
    PALIMPSEST_FINDING_KINDS(PALIMPSEST_ADDRESS_OF)
#undef PALIMPSEST_ADDRESS_OF
});

/// What the findings of one thread cost together. A token of a call that several findings name is paid for once.
double moneyOfAll(const FindingGround &ground, const std::vector<Finding> &findings)
{
    double money = 0;
    std::vector<ContextSpan> spans;
    for (const Finding &finding : findings) {
        if (finding.thread != ground.threadIndex)
            continue;
        if (finding.spans.empty())
            money += finding.money.value_or(0);
        spans.insert(spans.end(), finding.spans.begin(), finding.spans.end());
    }
    std::ranges::sort(spans, {}, [](const ContextSpan &span) { return std::pair(span.block, span.from); });
    ContextSpan last;
    for (ContextSpan span : spans) {
        if (span.block == last.block)
            span.from = std::max(span.from, last.to);
        if (span.from >= span.to)
            continue;
        money += ground.moneyOf(span);
        last = span;
    }
    return money;
}

double tokensOf(const Finding &finding) { return finding.tokens ? finding.tokens->value : 0; }

/// Moves the findings beyond `FindingKind::most` to the smaller ones, and counts them.
void leaveLargest(Findings &made)
{
    std::ranges::stable_sort(made.findings, std::ranges::greater(), tokensOf);
    for (const FindingKind *kind : kKinds) {
        size_t count = 0;
        FindingsLeftOut out { kind };
        std::erase_if(made.findings, [&](Finding &each) {
            if (each.kind != kind->id || ++count <= kind->most)
                return false;
            ++out.findings;
            out.count += each.count;
            out.tokens += tokensOf(each);
            made.smaller.push_back(std::move(each));
            return true;
        });
        if (out.findings > 0)
            made.leftOut.push_back(out);
    }
}

bool isBefore(const Finding &a, const Finding &b)
{
    if (a.rank != b.rank)
        return a.rank < b.rank;
    if (a.money.value_or(0) != b.money.value_or(0))
        return a.money.value_or(0) > b.money.value_or(0);
    return tokensOf(a) > tokensOf(b);
}

/// The call that a link leads to.
uint32_t callOf(const Session &session, ThreadIndex thread, const FindingLink &link)
{
    const auto numberOf = [&](CallIndex call) {
        return call.isValid() ? call.value() : static_cast<uint32_t>(session.thread(thread).calls.size());
    };
    switch (link.target) {
    case FindingLink::Target::Call:
        return link.number;
    case FindingLink::Target::Compaction: {
        const CallIndex call = session.thread(thread).compactions[link.number - 1].call;
        return call.isValid() ? call.value() : 0; // before all calls
    }
    case FindingLink::Target::Edit:
    case FindingLink::Target::Block:
        break;
    }
    const BlockId block = link.target == FindingLink::Target::Edit ? link.block : BlockId(link.number);
    const auto first = nearestPositionWith(session, block, { thread, CallIndex(0U) });
    // A block that threads share can be found in the thread of its message; its place there is none here.
    return numberOf(first && first->thread == thread ? first->call : CallIndex());
}

std::vector<FindingPlace> placesOf(const Session &session, const std::vector<Finding> &findings)
{
    std::vector<FindingPlace> places;
    for (uint32_t i = 0; i < findings.size(); ++i) {
        if (findings[i].rank == FindingRank::Note)
            continue;
        for (const FindingLink &link : findings[i].links)
            places.push_back({ findings[i].thread, callOf(session, findings[i].thread, link), i });
    }
    std::ranges::sort(places);
    places.erase(std::ranges::unique(places).begin(), places.end());
    return places;
}

} // namespace

std::span<const FindingKind *const> findingKinds() { return kKinds; }

const FindingKind *findingKind(std::string_view id)
{
    const auto found = std::ranges::find(kKinds, id, [](const FindingKind *kind) { return kind->id; });
    return found == kKinds.end() ? nullptr : *found;
}

std::optional<Findings> findFindings(const SessionPtr &session, const BlockTokensPtr &tokens, const Prices &prices,
    SessionSumsPtr sums, Progress *progress)
{
    if (!tokens)
        return std::nullopt;
    SessionGround shared { session, tokens, prices, sums ? std::move(sums) : sessionSums(*session, *tokens),
        recordedCache(*session, *tokens), {}, 0, progress };
    auto edits = findEdits(session, progress);
    if (!edits)
        return std::nullopt;
    shared.edits = std::move(*edits);
    Findings made;
    made.session = session;
    const SessionCost cost = recordedCost(*session, shared.cache, prices);
    if (cost.calls.size() > cost.unpricedCalls) {
        made.recorded = cost.recorded;
        made.money = 0;
    }
    std::vector<std::unique_ptr<FindingGround>> grounds(session->threads.size());
    for (size_t t = 0; t < session->threads.size(); ++t) {
        if (session->threads[t].calls.empty())
            continue;
        auto uses = findUses(*session, ThreadIndex(t), {}, progress);
        if (!uses)
            return std::nullopt;
        grounds[t] = std::make_unique<FindingGround>(shared, ThreadIndex(t), std::move(*uses));
        for (const ArraySum &sum : grounds[t]->sums->calls)
            shared.sent += sum.value();
    }
    for (const auto &ground : grounds) {
        for (const FindingKind *kind : kKinds) {
            if (isCancelled(progress))
                return std::nullopt;
            const size_t before = made.findings.size();
            if (ground)
                kind->find(*ground, made.findings);
            for (size_t i = before; i < made.findings.size(); ++i) {
                made.findings[i].kind = kind->id;
                made.findings[i].thread = ground->threadIndex;
            }
        }
    }
    leaveLargest(made);
    for (const auto &ground : grounds) {
        if (ground && made.money)
            *made.money += moneyOfAll(*ground, made.findings);
    }
    for (auto *list : { &made.findings, &made.smaller })
        std::ranges::stable_sort(*list, isBefore);
    made.places = placesOf(*session, made.findings);
    return made;
}

PolicyPtr helpingPolicy(const Finding &finding, const PolicyPtr &chosen)
{
    PolicyPtr named = preset(finding.policy);
    if (!named || finding.setting.empty())
        return named;
    if (chosen && chosen->id == named->id)
        named = chosen;
    const size_t sign = finding.setting.find('=');
    auto changed = withSetting(*named, finding.setting.substr(0, sign), finding.setting.substr(sign + 1));
    return changed ? std::make_shared<const Policy>(std::move(*changed)) : nullptr;
}

} // namespace core
