// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/request_branches.h"

#include <algorithm>

namespace core::requests {

namespace {

/// Among how many of the latest branches with the same beginning one that a request goes on from is looked for.
constexpr size_t kBranchesTried = 16;

} // namespace

/// Whether a beginning of `prefix` blocks in common is enough to belong to `branch`.
bool Branches::mayGoOn(const Branch &branch, size_t prefix, uint32_t prelude) const
{
    const bool isAlike = m_preludes.areAlike(branch.prelude, prelude);
    return std::ranges::any_of(std::span(branch.latest).first(prefix), [&](uint32_t id) {
        return isAlike ? !m_pool.block(id).is(BlockFlag::Injected) : m_pool.roleOf(id) == Role::Assistant;
    });
}

uint32_t Branches::branchHeldWhole(const Items &items, uint32_t prelude) const
{
    uint32_t longest = kNone;
    Hash hash;
    for (size_t i = 0; i < items.keys.size(); ++i) {
        hash = combine(hash, items.keys[i]);
        const auto found = m_byArray.find(hash);
        if (found == m_byArray.end())
            continue;
        const Branch &branch = m_branches[found->second];
        if (branch.input.size() == i + 1 && mayGoOn(branch, i + 1, prelude))
            longest = found->second;
    }
    return longest;
}

uint32_t Branches::branchByBeginning(const Items &items, uint32_t prelude) const
{
    if (items.firstOwn() == items.keys.size())
        return kNone;
    const auto found = m_byStart.find(items.start());
    if (found == m_byStart.end())
        return kNone;
    uint32_t best = kNone;
    size_t longest = 0;
    const std::vector<uint32_t> &branches = found->second;
    for (size_t i = branches.size(); i > 0 && branches.size() - i < kBranchesTried; --i) {
        const Branch &branch = m_branches[branches[i - 1]];
        const size_t limit = std::min(branch.latest.size(), items.keys.size());
        size_t prefix = 0;
        while (prefix < limit && m_pool.key(branch.latest[prefix]) == items.keys[prefix])
            ++prefix;
        if (prefix > longest && mayGoOn(branch, prefix, prelude)) {
            longest = prefix;
            best = branches[i - 1];
        }
    }
    return best;
}

uint32_t Branches::branchByContent(const RequestDraft &request, const Items &items, uint32_t prelude) const
{
    std::unordered_map<uint32_t, size_t> votes;
    uint32_t best = kNone;
    bool hasSummary = false;
    for (size_t i = 0; i < items.keys.size(); ++i) {
        hasSummary = hasSummary || items.blocks[i]->is(BlockFlag::Summary);
        if (!isModelOutput(*items.blocks[i], request.messages[items.messages[i]].role))
            continue;
        const auto found = m_byBlock.find(items.keys[i]);
        if (found == m_byBlock.end() || !m_preludes.areAlike(m_branches[found->second].prelude, prelude))
            continue;
        const size_t count = ++votes[found->second];
        if (best == kNone || count > votes[best])
            best = found->second;
    }
    if (best != kNone || !hasSummary || prelude == kNone)
        return best;
    for (const Hash &hash : { m_preludes.likeness(prelude), m_preludes.tools(prelude) }) {
        const auto found = m_byPrelude.find(hash);
        if (!hash.isNull() && found != m_byPrelude.end())
            return found->second;
    }
    return kNone;
}

/// What of the last request's array is not in the new one and would be missed.
std::vector<uint32_t> Branches::missing(const Branch &branch, const Alignment &alignment) const
{
    std::vector<bool> kept(branch.latest.size(), false);
    for (const uint32_t place : alignment.places) {
        if (place != kNone)
            kept[place] = true;
    }
    std::vector<uint32_t> lost;
    const uint32_t lastMessage = branch.input.empty() ? kNone : m_pool.messageOf(branch.input.back());
    for (size_t i = 0; i < branch.input.size(); ++i) {
        if (kept[i])
            continue;
        const uint32_t id = branch.input[i];
        const Block &block = m_pool.block(id);
        const Role role = m_pool.roleOf(id);
        const bool wasForOneCall = m_pool.messageOf(id) == lastMessage && block.kind == BlockKind::Text
            && (role == Role::User || role == Role::System);
        if (!wasForOneCall && !block.is(BlockFlag::Injected) && block.kind != BlockKind::Thinking)
            lost.push_back(static_cast<uint32_t>(i));
    }
    return lost;
}

Branches::Origin Branches::originOf(const RequestDraft &request, const Items &items, uint32_t prelude) const
{
    Origin origin;
    origin.branch = branchHeldWhole(items, prelude);
    if (origin.branch == kNone)
        origin.branch = branchByBeginning(items, prelude);
    if (origin.branch == kNone)
        origin.branch = branchByContent(request, items, prelude);
    if (origin.branch == kNone) {
        origin.alignment.places.assign(items.keys.size(), kNone);
        return origin;
    }
    const Branch &branch = m_branches[origin.branch];
    origin.alignment = align(m_pool.keysOf(branch.latest), items.keys);
    origin.isLossless = missing(branch, origin.alignment).empty();
    return origin;
}

CompactionKind Branches::kindOf(
    const Branch &branch, const Items &items, const RequestDraft &request, const Alignment &alignment) const
{
    size_t firstNew = items.keys.size();
    std::vector<StringId> rewritten;
    for (size_t i = items.keys.size(); i > 0; --i) {
        if (alignment.places[i - 1] != kNone)
            continue;
        firstNew = i - 1;
        const Block &block = *items.blocks[firstNew];
        if (block.is(BlockFlag::Summary))
            return CompactionKind::Summary;
        if (block.kind == BlockKind::ToolResult && block.callId.isValid())
            rewritten.push_back(block.callId);
    }
    std::ranges::sort(rewritten);
    const std::vector<uint32_t> lost = missing(branch, alignment);
    const bool onlyResults = std::ranges::all_of(lost, [&](uint32_t place) {
        const Block &block = m_pool.block(branch.input[place]);
        return block.kind == BlockKind::ToolResult && std::ranges::binary_search(rewritten, block.callId);
    });
    if (onlyResults)
        return CompactionKind::Clearing;
    const bool onlyEnd = std::ranges::none_of(
        alignment.places, [&](uint32_t place) { return place != kNone && place > lost.front(); });
    const bool userGoesOn
        = firstNew == items.keys.size() || request.messages[items.messages[firstNew]].role == Role::User;
    return onlyEnd && userGoesOn ? CompactionKind::Rollback : CompactionKind::Replacement;
}

/// True for the very array with which the branch began: the same task once more.
bool Branches::beginsAnew(const Items &items, const Origin &origin) const
{
    return origin.alignment.prefix == items.keys.size()
        && m_branches[origin.branch].calls.front().tail.size() == items.keys.size();
}

void Branches::record(
    uint32_t index, const RequestDraft &request, const Items &items, std::vector<uint32_t> array, uint32_t prelude)
{
    Branch &branch = m_branches[index];
    CallNote call;
    call.kept = static_cast<size_t>(std::ranges::mismatch(branch.input, array).in2 - array.begin());
    call.tail.assign(array.begin() + static_cast<ptrdiff_t>(call.kept), array.end());
    call.prelude = prelude;
    call.facts.usage = request.usage;
    call.facts.time = request.time;
    call.facts.model = request.model;
    call.facts.responseId = request.responseId;
    call.facts.line = request.line;

    branch.input = std::move(array);
    branch.latest = branch.input;
    branch.prelude = prelude;
    branch.lastRequest = m_requestCount;
    for (const MessageDraft &draft : request.response) {
        const std::vector<uint32_t> added = m_pool.addOutput(draft);
        call.output.insert(call.output.end(), added.begin(), added.end());
    }
    for (const uint32_t id : call.output)
        m_byBlock[m_pool.key(id)] = index;
    branch.latest.insert(branch.latest.end(), call.output.begin(), call.output.end());

    Hash hash;
    for (const Hash &key : items.keys)
        hash = combine(hash, key);
    m_byArray[hash] = index;
    for (const uint32_t id : call.tail) {
        if (m_pool.isModelOutput(id))
            m_byBlock[m_pool.key(id)] = index;
    }
    if (prelude != kNone) {
        m_byPrelude[m_preludes.likeness(prelude)] = index;
        if (!m_preludes.tools(prelude).isNull())
            m_byPrelude[m_preludes.tools(prelude)] = index;
    }
    if (branch.calls.empty()) {
        branch.firstRequest = m_requestCount;
        m_byStart[items.start()].push_back(index);
    }
    branch.calls.push_back(std::move(call));
}

void Branches::add(const RequestDraft &request, uint32_t prelude, bool mergesUsers)
{
    const Items items(request);
    const Origin origin = originOf(request, items, prelude);
    std::vector<uint32_t> known(items.keys.size(), kNone);
    for (size_t i = 0; i < known.size(); ++i) {
        const uint32_t place = origin.alignment.places[i];
        if (place != kNone)
            known[i] = m_branches[origin.branch].latest[place];
    }
    const size_t knownBlocks = m_pool.size();
    std::vector<uint32_t> array = m_pool.arrayOf(request, items, std::move(known), mergesUsers);
    uint32_t index = origin.branch;
    if (origin.isLossless) {
        std::vector<CallNote> &calls = m_branches[index].calls;
        if (!calls.empty() && calls.back().output.empty())
            calls.back().output = m_pool.inferredOutput(array, knownBlocks);
    } else {
        Branch branch;
        if (origin.branch != kNone && !beginsAnew(items, origin)) {
            branch.origin = origin.branch;
            branch.originCalls = m_branches[origin.branch].calls.size();
            branch.kind = kindOf(m_branches[origin.branch], items, request, origin.alignment);
        }
        index = static_cast<uint32_t>(m_branches.size());
        m_branches.push_back(std::move(branch));
    }
    record(index, request, items, std::move(array), prelude);
    ++m_requestCount;
}

} // namespace core::requests
