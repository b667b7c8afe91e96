// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/replay/regret.h"

#include "core/evidence/message_carriers.h"
#include "core/evidence/shown_text.h"

#include <algorithm>
#include <unordered_map>

namespace core {

namespace {

/// Looks up which blocks are in context at a call.
class Presence final {
public:
    explicit Presence(const ContextSpans &spans)
        : m_spans(spans)
    {
    }

    /// Whether the block itself is in context.
    [[nodiscard]] bool holds(BlockId block, uint32_t call) const
    {
        const auto [first, last] = std::ranges::equal_range(m_spans.spans, block, {}, &ContextSpan::block);
        return std::any_of(first, last, [&](const ContextSpan &span) { return span.from <= call && call < span.to; });
    }
    [[nodiscard]] bool everHolds(BlockId block) const
    {
        return std::ranges::binary_search(m_spans.spans, block, {}, &ContextSpan::block);
    }

private:
    const ContextSpans &m_spans;
};

/// Compares uses with the context at the time of the use.
class RegretFinder final {
public:
    RegretFinder(const Session &session, const Uses &uses, const ContextSpans &spans, const ArraySums &sums)
        : m_session(session)
        , m_uses(uses)
        , m_spans(spans)
        , m_sums(sums)
        , m_presence(spans)
    {
        // Blocks that a policy made are behind the recorded ones; calls and messages identify them.
        for (const ContextSpan &span : spans.spans) {
            if (span.block.index() >= session.blocks.size())
                m_made.push_back(span);
        }
    }

    [[nodiscard]] UseFate fateOf(const Use &use) const
    {
        const uint32_t call = use.call.isValid() ? use.call.value() : 0;
        const auto carriers = m_uses.carriersOf(use);
        const auto mayBeIn = [&](BlockId carrier) { return m_presence.holds(carrier, call); };
        const auto isIn = [&](BlockId carrier) { return mayBeIn(carrier) && !m_spans.mayBeMissing(carrier, call); };
        if (use.isTogether ? std::ranges::all_of(carriers, isIn) : isIn(carriers.front()))
            return UseFate::Kept;
        if (!use.isTogether && std::ranges::any_of(carriers, isIn))
            return UseFate::Covered;
        if (use.isTogether ? std::ranges::all_of(carriers, mayBeIn) : std::ranges::any_of(carriers, mayBeIn))
            return UseFate::Unknown;
        const bool isUnsure = m_uses.isUnsure(use, m_sums);
        if (use.kind == UseKind::Quote && isQuoteLeft(use, call))
            return isUnsure ? UseFate::Unknown : UseFate::Covered;
        // A result that repeats the text is itself the fetch.
        if (use.kind == UseKind::Repeat || use.kind == UseKind::SameCall)
            return UseFate::Fetched;
        if (isUnsure)
            return UseFate::Unknown;
        const bool isPutBack = m_session.block(carriers.front()).is(BlockFlag::Injected);
        return isPutBack && !m_presence.everHolds(carriers.front()) ? UseFate::Unknown : UseFate::Lost;
    }

private:
    /// Whether the shortened carrier still contains a whole old text.
    [[nodiscard]] bool isQuoteLeft(const Use &use, uint32_t call) const
    {
        std::vector<std::string> texts;
        for (const ContextSpan &span : m_made) {
            if (call < span.from || call >= span.to)
                continue;
            const Block &made = m_spans.session->block(span.block);
            const bool isOfCarrier = std::ranges::any_of(m_uses.carriersOf(use), [&](BlockId carrier) {
                const Block &block = m_session.block(carrier);
                return made.message == block.message && made.callId == block.callId;
            });
            if (!isOfCarrier)
                continue;
            if (texts.empty())
                texts = oldTexts(m_session, m_session.block(use.by));
            const std::string shown = shownText(*m_spans.session, made).text;
            if (std::ranges::any_of(texts, [&](const std::string &text) { return shown.contains(text); }))
                return true;
        }
        return false;
    }

    const Session &m_session;
    const Uses &m_uses;
    const ContextSpans &m_spans;
    const ArraySums &m_sums;
    Presence m_presence;
    std::vector<ContextSpan> m_made;
};

/// Counts user messages, and finds those that no block of the final array holds.
void findLostMessages(Regret &regret, const Uses &uses, const ContextSpans &spans)
{
    const Presence presence(spans);
    std::vector<BlockId> left;
    for (const BlockId id : uses.messages) {
        ++regret.typedMessages;
        if (!presence.holds(id, spans.callCount))
            left.push_back(id);
    }
    if (left.empty())
        return;
    std::vector<BlockId> standing;
    for (const ContextSpan &span : spans.spans) {
        if (span.from <= spans.callCount && spans.callCount < span.to)
            standing.push_back(span.block);
    }
    const auto carriers = messageCarriers(*spans.session, left, standing);
    for (size_t i = 0; i < left.size(); ++i) {
        if (carriers[i].empty())
            regret.lostMessages.push_back(left[i]);
    }
}

} // namespace

std::string_view nameOf(UseFate fate)
{
    switch (fate) {
    case UseFate::Kept:
        return "kept";
    case UseFate::Covered:
        return "covered";
    case UseFate::Fetched:
        return "fetched";
    case UseFate::Lost:
        return "lost";
    case UseFate::Unknown:
        return "unknown";
    }
    return {};
}

size_t FateCounts::all() const
{
    size_t sum = 0;
    for (const size_t each : counts)
        sum += each;
    return sum;
}

FateCounts Regret::of(UseKinds kinds) const
{
    FateCounts sum;
    for (size_t kind = 0; kind < byKind.size(); ++kind) {
        if ((kinds & only(static_cast<UseKind>(kind))) == 0)
            continue;
        for (size_t fate = 0; fate < sum.counts.size(); ++fate)
            sum.counts[fate] += byKind[kind].counts[fate];
    }
    return sum;
}

double Regret::fetchTokens() const
{
    double sum = 0;
    for (const Fetch &fetch : fetches)
        sum += fetch.tokens;
    return sum;
}

Regret regretOf(const Session &session, const Uses &uses, const ContextSpans &spans, const BlockTokens &tokens,
    const ArraySums &sums, RegretWorld world)
{
    const RegretFinder finder(session, uses, spans, sums);
    Regret regret;
    std::unordered_map<BlockId, size_t> fetched; // index of the fetch
    for (const Use &use : uses.uses) {
        UseFate fate = finder.fateOf(use);
        if (fate == UseFate::Lost && world == RegretWorld::Recorded)
            fate = UseFate::Unknown;
        regret.fates.push_back(fate);
        ++regret.byKind[static_cast<size_t>(use.kind)].counts[static_cast<size_t>(fate)];
        const bool isCounted = (kHeadlineUses & only(use.kind)) != 0;
        if (fate != UseFate::Lost || !isCounted)
            continue;
        const BlockId block = uses.carrier(use);
        const auto [known, isNew] = fetched.try_emplace(block, regret.fetches.size());
        if (isNew)
            regret.fetches.push_back({ block, use.call, tokens.of(block) });
        else if (!regret.fetches[known->second].call.isValid())
            regret.fetches[known->second].call = use.call;
    }
    findLostMessages(regret, uses, spans);
    return regret;
}

} // namespace core
