// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/tokens/exact_tokens.h"

#include "core/base/parallel.h"
#include "core/tokens/body_parts.h"
#include "core/tokens/exact_counter.h"
#include "core/tokens/weights.h"

#include <algorithm>
#include <atomic>

namespace core {

namespace {

/// Bytes of a long text that one thread takes at once.
constexpr size_t kPartBytes = 256U << 10U;

/// One counter for each thread with work.
std::vector<ExactCounter> countersFor(size_t items, unsigned threads, const RanksPtr &ranks)
{
    std::vector<ExactCounter> counters;
    const size_t count = std::clamp<size_t>(threads, 1, std::max<size_t>(items, 1));
    counters.reserve(count);
    for (size_t i = 0; i < count; ++i)
        counters.emplace_back(ranks);
    return counters;
}

/// A part of a text that can be counted separately.
struct Part {
    std::string_view text;
    size_t owner = 0;
};

/// Cuts a text into parts of about kPartBytes.
void addParts(std::vector<Part> &parts, std::string_view text, size_t owner)
{
    size_t begin = 0;
    for (size_t end = kPartBytes; end < text.size(); end += kPartBytes) {
        // Searches only new text, so that a text without a safe cut is searched once.
        const size_t from = std::max(begin, end - kPartBytes);
        const size_t cut = lastSafeCut(text.substr(from, end - from));
        if (cut == 0)
            continue;
        parts.push_back({ text.substr(begin, from + cut - begin), owner });
        begin = from + cut;
    }
    parts.push_back({ text.substr(begin), owner });
}

/// A key that equal texts share.
Hash keyOf(std::string_view raw, Coding coding)
{
    return combine(hashOf(raw), { static_cast<uint64_t>(coding), raw.size() });
}

bool isText(const Block &block) { return !assumedTokens(block, 1).has_value(); }

ExactCount countBody(ExactCounter &counter, BodyParts &parts, std::string_view raw, Coding coding, Progress *progress)
{
    ExactCount count;
    parts.read(
        raw, coding, progress, [&](std::string_view text) { count.tokens += counter.count(text, progress); },
        [&](std::string_view, bool) { count.isWhole = false; });
    return count;
}

} // namespace

std::optional<uint64_t> countText(std::string_view text, const RanksPtr &ranks, unsigned threads, Progress *progress)
{
    const auto counts = countTexts(std::span(&text, 1), ranks, threads, progress);
    return counts ? std::optional(counts->front()) : std::nullopt;
}

std::optional<std::vector<uint64_t>> countTexts(
    std::span<const std::string_view> texts, const RanksPtr &ranks, unsigned threads, Progress *progress)
{
    HashIndex index;
    std::vector<size_t> firstEqual(texts.size());
    std::vector<Part> parts;
    for (size_t i = 0; i < texts.size(); ++i) {
        const size_t found = index.tryEmplace(hashOf(texts[i]), static_cast<uint32_t>(i)).first;
        firstEqual[i] = texts[found] == texts[i] ? found : i;
        if (firstEqual[i] == i)
            addParts(parts, texts[i], i);
    }
    std::vector<std::atomic<uint64_t>> sums(texts.size());
    std::vector<ExactCounter> counters = countersFor(parts.size(), threads, ranks);
    parallelInBatches(
        parts.size(), threads, progress, [&](size_t i) { return parts[i].text.size(); },
        [&](unsigned worker, size_t i) { sums[parts[i].owner] += counters[worker].count(parts[i].text, progress); });
    if (isCancelled(progress))
        return std::nullopt;
    std::vector<uint64_t> counts(texts.size());
    std::ranges::transform(firstEqual, counts.begin(), [&](size_t first) { return sums[first].load(); });
    return counts;
}

ExactTokensPtr exactTokens(const Session &session, const RanksPtr &ranks, unsigned threads, Progress *progress,
    const ExactTokens *known, size_t same)
{
    auto result = std::make_shared<ExactTokens>();
    const bool hasKnown = known != nullptr && known->m_encoding == ranks->encoding();
    if (hasKnown && same > 0)
        *result = *known;
    result->m_encoding = ranks->encoding();
    const size_t first = hasKnown ? same : 0;
    result->m_counts.resize(first);
    result->m_counts.resize(session.blocks.size());

    // Each content once, and whether it has to be read.
    std::vector<uint32_t> bodyOf(session.blocks.size(), HashIndex::kNone);
    std::vector<size_t> unknown; // block indices
    for (size_t i = first; i < session.blocks.size(); ++i) {
        if (isCancelled(progress))
            return nullptr;
        const Block &block = session.blocks[i];
        if (!isText(block))
            continue;
        const Hash key = keyOf(session.rawBody(block.body), block.body.coding);
        const auto [body, isNew] = result->m_bodyOf.tryEmplace(key, static_cast<uint32_t>(result->m_bodies.size()));
        bodyOf[i] = body;
        if (!isNew)
            continue;
        const uint32_t before = hasKnown ? known->m_bodyOf.find(key) : HashIndex::kNone;
        result->m_bodies.push_back(before != HashIndex::kNone ? known->m_bodies[before] : ExactCount());
        if (before == HashIndex::kNone)
            unknown.push_back(i);
    }

    std::vector<ExactCounter> counters = countersFor(unknown.size(), threads, ranks);
    std::vector<BodyParts> parts(counters.size());
    parallelInBatches(
        unknown.size(), threads, progress, [&](size_t i) { return session.blocks[unknown[i]].body.size; },
        [&](unsigned worker, size_t i) {
            const Body &body = session.blocks[unknown[i]].body;
            result->m_bodies[bodyOf[unknown[i]]]
                = countBody(counters[worker], parts[worker], session.rawBody(body), body.coding, progress);
        });
    if (isCancelled(progress))
        return nullptr;
    result->m_countedBodies = unknown.size();

    for (size_t i = first; i < session.blocks.size(); ++i) {
        const Block &block = session.blocks[i];
        ExactCount &count = result->m_counts[i];
        if (bodyOf[i] == HashIndex::kNone)
            count.isWhole = false;
        else
            count = result->m_bodies[bodyOf[i]];
        if (block.kind == BlockKind::ToolCall)
            count.tokens += counters.front().count(session.string(block.name));
    }
    return result;
}

} // namespace core
