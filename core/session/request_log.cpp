// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/request_log.h"

#include "core/session/alignment.h"

#include <algorithm>
#include <unordered_map>

namespace core {

namespace {

constexpr uint32_t kNone = Alignment::kNone;
/// Among how many of the latest branches with the same beginning one that a request goes on from is looked for.
constexpr size_t kBranchesTried = 16;

/// A block as it will stand in the pool.
struct PoolBlock {
    Block block;
    Hash key; ///< role and content
    uint32_t message = 0;
    BlockId placed;
};

struct PoolMessage {
    MessageDraft head; ///< without its blocks
    std::vector<uint32_t> blocks;
    uint32_t claimedBy = kNone; ///< the latest request that has it
    bool isOutput = false;
    bool isPlaced = false;
};

/// A distinct system prompt with tools.
struct Prelude {
    std::vector<Block> blocks;
    Hash system; ///< of the system prompt without what the harness injected into it
    Hash tools;  ///< null if there are none
    uint64_t line = 0;
    std::optional<BlockRange> range;
};

/// A call, as the change from the array of the call before it in its branch.
struct CallNote {
    size_t kept = 0;            ///< how many blocks of the array before it begins with
    std::vector<uint32_t> tail; ///< what follows
    std::vector<uint32_t> output;
    uint32_t prelude = kNone;
    Call facts; ///< usage, time, model, id, line
};

/// Calls of which each extends the array of the one before.
struct Branch {
    std::vector<CallNote> calls;
    std::vector<uint32_t> input;  ///< the latest array
    std::vector<uint32_t> latest; ///< the same with the recorded response
    uint32_t prelude = kNone;
    uint64_t firstRequest = 0;
    uint64_t lastRequest = 0;

    uint32_t origin = kNone;                           ///< the branch that it left by losing something
    size_t originCalls = 0;                            ///< how many calls that one had then
    CompactionKind kind = CompactionKind::Replacement; ///< what happened there
    uint32_t successor = kNone;                        ///< the branch that goes on with the same thread
};

Hash keyOf(Role role, const Block &block) { return combine(block.content, { static_cast<uint64_t>(role), 0 }); }

bool isModelOutput(const Block &block, Role role)
{
    return role == Role::Assistant || block.kind == BlockKind::ToolCall || block.kind == BlockKind::ToolResult;
}

} // namespace

class RequestLog::Private final {
public:
    explicit Private(SessionBuilder &builder)
        : m_builder(builder)
    {
    }

    void add(RequestDraft request);
    void finish();

private:
    /// A request laid out as one sequence of blocks.
    struct Items {
        std::vector<Hash> keys;
        std::vector<const Block *> blocks;
        std::vector<uint32_t> messages; ///< into the request's messages
        std::vector<size_t> begins;     ///< of each message, and the end
    };
    struct Origin {
        uint32_t branch = kNone;
        Alignment alignment;
        bool isLossless = false;
    };

    void prepare(RequestDraft &request) const;
    void complete(MessageDraft &draft) const;
    [[nodiscard]] Items itemsOf(const RequestDraft &request) const;
    [[nodiscard]] uint32_t preludeOf(RequestDraft &request);
    [[nodiscard]] bool areAlike(uint32_t a, uint32_t b) const;
    [[nodiscard]] static Hash likeness(const Prelude &prelude);
    [[nodiscard]] bool mayGoOn(const Branch &branch, size_t prefix, uint32_t prelude) const;
    [[nodiscard]] static size_t firstOwnBlock(const Items &items);

    [[nodiscard]] Origin originOf(const RequestDraft &request, const Items &items, uint32_t prelude) const;
    [[nodiscard]] uint32_t branchHeldWhole(const Items &items, uint32_t prelude) const;
    [[nodiscard]] uint32_t branchByBeginning(const Items &items, uint32_t prelude) const;
    [[nodiscard]] uint32_t branchByContent(const RequestDraft &request, const Items &items, uint32_t prelude) const;
    [[nodiscard]] std::vector<Hash> keysOf(std::span<const uint32_t> blocks) const;
    [[nodiscard]] std::vector<uint32_t> missing(const Branch &branch, const Alignment &alignment) const;
    [[nodiscard]] CompactionKind kindOf(
        const Branch &branch, const Items &items, const RequestDraft &request, const Alignment &alignment) const;

    [[nodiscard]] bool beginsAnew(const Items &items, const Origin &origin) const;
    [[nodiscard]] std::vector<uint32_t> arrayOf(const RequestDraft &request, const Items &items, const Origin &origin);
    void resolveOwners(
        const RequestDraft &request, const Items &items, size_t message, std::vector<uint32_t> &found) const;
    uint32_t addPoolMessage(const MessageDraft &draft);
    uint32_t addPoolBlock(const Block &block, Hash key, uint32_t message, uint32_t behind, uint32_t before);
    void inferOutput(Branch &branch, const std::vector<uint32_t> &array, size_t knownBlocks);
    void record(
        uint32_t index, const RequestDraft &request, const Items &items, std::vector<uint32_t> array, uint32_t prelude);

    struct Line {
        std::vector<uint32_t> branches;
        size_t calls = 0;
    };
    [[nodiscard]] std::vector<Line> joinBranches();
    void place(const Line &line, ThreadIndex index);
    [[nodiscard]] BlockRange placePrelude(uint32_t index, ThreadIndex thread);
    void placeMessages(std::span<const uint32_t> blocks, ThreadIndex thread);
    [[nodiscard]] BlockRanges rangesOf(std::span<const uint32_t> blocks) const;
    void appendRanges(BlockRanges &ranges, std::span<const uint32_t> blocks) const;
    [[nodiscard]] BlockRange contiguous(std::span<const uint32_t> blocks) const;
    [[nodiscard]] std::string titleOf(const Line &line) const;

    SessionBuilder &m_builder;
    std::vector<PoolBlock> m_blocks;
    std::vector<PoolMessage> m_messages;
    std::vector<Prelude> m_preludes;
    std::vector<Branch> m_branches;
    uint64_t m_requestCount = 0;

    std::unordered_map<Hash, uint32_t> m_preludeIds;
    std::unordered_map<Hash, uint32_t> m_branchByArray;                ///< by hash of the whole latest input
    std::unordered_map<Hash, std::vector<uint32_t>> m_branchesByStart; ///< by hash up to the first block of its own
    std::unordered_map<Hash, uint32_t> m_branchByBlock;                ///< by key of model output
    std::unordered_map<Hash, uint32_t> m_branchByPrelude; ///< the latest under this system prompt, or tools
};

// --- what a request is ----------------------------------------------------------------------------------------------

/// Merges user messages that follow each other where the session's slots do so, and gives every message a block.
void RequestLog::Private::prepare(RequestDraft &request) const
{
    const bool mergesUsers = m_builder.session().merging == SlotMerging::ConsecutiveUsers;
    std::vector<MessageDraft> messages;
    messages.reserve(request.messages.size());
    for (MessageDraft &draft : request.messages) {
        complete(draft);
        const bool joins
            = mergesUsers && draft.role == Role::User && !messages.empty() && messages.back().role == Role::User;
        if (joins)
            std::ranges::move(draft.blocks, std::back_inserter(messages.back().blocks));
        else
            messages.push_back(std::move(draft));
    }
    request.messages = std::move(messages);
    for (MessageDraft &draft : request.response) {
        if (draft.line == 0)
            draft.line = request.line;
        complete(draft);
    }
    Block nothing = m_builder.makeBlock(BlockKind::Opaque, {});
    nothing.content = m_builder.contentHash(nothing);
    for (std::vector<MessageDraft> *drafts : { &request.messages, &request.response }) {
        for (MessageDraft &draft : *drafts) {
            if (draft.blocks.empty())
                draft.blocks.push_back(nothing);
        }
    }
}

void RequestLog::Private::complete(MessageDraft &draft) const
{
    for (Block &block : draft.blocks) {
        block.content = m_builder.contentHash(block);
        if (block.recordLine == 0)
            block.recordLine = draft.line;
    }
}

RequestLog::Private::Items RequestLog::Private::itemsOf(const RequestDraft &request) const
{
    Items items;
    for (size_t i = 0; i < request.messages.size(); ++i) {
        items.begins.push_back(items.keys.size());
        for (const Block &block : request.messages[i].blocks) {
            items.keys.push_back(keyOf(request.messages[i].role, block));
            items.blocks.push_back(&block);
            items.messages.push_back(static_cast<uint32_t>(i));
        }
    }
    items.begins.push_back(items.keys.size());
    return items;
}

uint32_t RequestLog::Private::preludeOf(RequestDraft &request)
{
    if (request.prelude.empty())
        return kNone;
    Prelude prelude;
    Hash content;
    for (Block &block : request.prelude) {
        block.content = m_builder.contentHash(block);
        if (block.is(BlockFlag::Injected))
            continue; // a header that differs from request to request
        content = combine(content, block.content);
        Hash &part = block.is(BlockFlag::Tools) ? prelude.tools : prelude.system;
        part = combine(part, block.content);
    }
    const auto [entry, isNew] = m_preludeIds.try_emplace(content, static_cast<uint32_t>(m_preludes.size()));
    if (isNew) {
        prelude.blocks = std::move(request.prelude);
        prelude.line = request.line;
        m_preludes.push_back(std::move(prelude));
    }
    return entry->second;
}

/// Equal for requests of the same system prompt, of which both or none have tools.
Hash RequestLog::Private::likeness(const Prelude &prelude)
{
    return combine(prelude.system, Hash { prelude.tools.isNull() ? 0U : 1U, 0 });
}

bool RequestLog::Private::areAlike(uint32_t a, uint32_t b) const
{
    if (a == b)
        return true;
    if (a == kNone || b == kNone)
        return false;
    const Prelude &first = m_preludes[a];
    const Prelude &second = m_preludes[b];
    return likeness(first) == likeness(second) || (!first.tools.isNull() && first.tools == second.tools);
}

/// The first block that the harness did not inject, or the number of blocks.
size_t RequestLog::Private::firstOwnBlock(const Items &items)
{
    const auto own
        = std::ranges::find_if(items.blocks, [](const Block *each) { return !each->is(BlockFlag::Injected); });
    return static_cast<size_t>(own - items.blocks.begin());
}

// --- where it goes on from -------------------------------------------------------------------------------------------

/// Whether a beginning of `prefix` blocks in common is enough to belong to `branch`.
bool RequestLog::Private::mayGoOn(const Branch &branch, size_t prefix, uint32_t prelude) const
{
    const bool isAlike = areAlike(branch.prelude, prelude);
    return std::ranges::any_of(std::span(branch.latest).first(prefix), [&](uint32_t id) {
        const PoolBlock &each = m_blocks[id];
        return isAlike ? !each.block.is(BlockFlag::Injected) : m_messages[each.message].head.role == Role::Assistant;
    });
}

std::vector<Hash> RequestLog::Private::keysOf(std::span<const uint32_t> blocks) const
{
    std::vector<Hash> keys;
    keys.reserve(blocks.size());
    for (const uint32_t id : blocks)
        keys.push_back(m_blocks[id].key);
    return keys;
}

uint32_t RequestLog::Private::branchHeldWhole(const Items &items, uint32_t prelude) const
{
    uint32_t longest = kNone;
    Hash hash;
    for (size_t i = 0; i < items.keys.size(); ++i) {
        hash = combine(hash, items.keys[i]);
        const auto found = m_branchByArray.find(hash);
        if (found == m_branchByArray.end())
            continue;
        const Branch &branch = m_branches[found->second];
        if (branch.input.size() == i + 1 && mayGoOn(branch, i + 1, prelude))
            longest = found->second;
    }
    return longest;
}

uint32_t RequestLog::Private::branchByBeginning(const Items &items, uint32_t prelude) const
{
    const size_t own = firstOwnBlock(items);
    if (own == items.keys.size())
        return kNone;
    Hash hash;
    for (size_t i = 0; i <= own; ++i)
        hash = combine(hash, items.keys[i]);
    const auto found = m_branchesByStart.find(hash);
    if (found == m_branchesByStart.end())
        return kNone;
    uint32_t best = kNone;
    size_t longest = 0;
    const std::vector<uint32_t> &branches = found->second;
    for (size_t i = branches.size(); i > 0 && branches.size() - i < kBranchesTried; --i) {
        const Branch &branch = m_branches[branches[i - 1]];
        const size_t limit = std::min(branch.latest.size(), items.keys.size());
        size_t prefix = 0;
        while (prefix < limit && m_blocks[branch.latest[prefix]].key == items.keys[prefix])
            ++prefix;
        if (prefix > longest && mayGoOn(branch, prefix, prelude)) {
            longest = prefix;
            best = branches[i - 1];
        }
    }
    return best;
}

uint32_t RequestLog::Private::branchByContent(const RequestDraft &request, const Items &items, uint32_t prelude) const
{
    std::unordered_map<uint32_t, size_t> votes;
    uint32_t best = kNone;
    bool hasSummary = false;
    for (size_t i = 0; i < items.keys.size(); ++i) {
        hasSummary = hasSummary || items.blocks[i]->is(BlockFlag::Summary);
        if (!isModelOutput(*items.blocks[i], request.messages[items.messages[i]].role))
            continue;
        const auto found = m_branchByBlock.find(items.keys[i]);
        if (found == m_branchByBlock.end() || !areAlike(m_branches[found->second].prelude, prelude))
            continue;
        const size_t count = ++votes[found->second];
        if (best == kNone || count > votes[best])
            best = found->second;
    }
    if (best != kNone || !hasSummary || prelude == kNone)
        return best;
    const Prelude &facts = m_preludes[prelude];
    for (const Hash &hash : { likeness(facts), facts.tools }) {
        const auto found = m_branchByPrelude.find(hash);
        if (!hash.isNull() && found != m_branchByPrelude.end())
            return found->second;
    }
    return kNone;
}

/// What of the last request's array is not in the new one and would be missed.
std::vector<uint32_t> RequestLog::Private::missing(const Branch &branch, const Alignment &alignment) const
{
    std::vector<bool> kept(branch.latest.size(), false);
    for (const uint32_t place : alignment.places) {
        if (place != kNone)
            kept[place] = true;
    }
    std::vector<uint32_t> lost;
    const uint32_t lastMessage = branch.input.empty() ? kNone : m_blocks[branch.input.back()].message;
    for (size_t i = 0; i < branch.input.size(); ++i) {
        if (kept[i])
            continue;
        const PoolBlock &each = m_blocks[branch.input[i]];
        const Role role = m_messages[each.message].head.role;
        const bool wasForOneCall = each.message == lastMessage && each.block.kind == BlockKind::Text
            && (role == Role::User || role == Role::System);
        if (!wasForOneCall && !each.block.is(BlockFlag::Injected) && each.block.kind != BlockKind::Thinking)
            lost.push_back(static_cast<uint32_t>(i));
    }
    return lost;
}

RequestLog::Private::Origin RequestLog::Private::originOf(
    const RequestDraft &request, const Items &items, uint32_t prelude) const
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
    origin.alignment = align(keysOf(branch.latest), items.keys);
    origin.isLossless = missing(branch, origin.alignment).empty();
    return origin;
}

CompactionKind RequestLog::Private::kindOf(
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
        const Block &block = m_blocks[branch.input[place]].block;
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

// --- its blocks and messages ---------------------------------------------------------------------------------------

uint32_t RequestLog::Private::addPoolMessage(const MessageDraft &draft)
{
    PoolMessage message;
    message.head = draft;
    message.head.blocks.clear();
    m_messages.push_back(std::move(message));
    return static_cast<uint32_t>(m_messages.size() - 1);
}

/// Adds a block to a message, behind one of its blocks or before one, else at its end.
uint32_t RequestLog::Private::addPoolBlock(
    const Block &block, Hash key, uint32_t message, uint32_t behind, uint32_t before)
{
    const auto id = static_cast<uint32_t>(m_blocks.size());
    PoolBlock &added = m_blocks.emplace_back();
    added.block = block;
    added.key = key;
    added.message = message;
    PoolMessage &owner = m_messages[message];
    auto place = owner.blocks.end();
    // The blocks of an output stay together.
    if (!owner.isOutput) {
        place = std::ranges::find(owner.blocks, behind);
        if (place != owner.blocks.end())
            ++place;
        else
            place = std::ranges::find(owner.blocks, before);
    }
    owner.blocks.insert(place, id);
    return id;
}

/// `found` holds the known block of each item of `message`, or none. Takes back those that would tear a message apart:
/// all come from one message that no other message of this request has. Only merged user messages may have several.
/// A message of which nothing but injected blocks is known is another one under the same reminders.
void RequestLog::Private::resolveOwners(
    const RequestDraft &request, const Items &items, size_t message, std::vector<uint32_t> &found) const
{
    const size_t begin = items.begins[message];
    const size_t end = items.begins[message + 1];
    std::unordered_map<uint32_t, size_t> counts;
    uint32_t owner = kNone;
    bool hasOwn = false;
    bool hasKnownOwn = false;
    for (size_t i = begin; i < end; ++i) {
        hasOwn = hasOwn || !items.blocks[i]->is(BlockFlag::Injected);
        if (found[i] == kNone)
            continue;
        const uint32_t candidate = m_blocks[found[i]].message;
        if (m_messages[candidate].claimedBy == m_requestCount) {
            found[i] = kNone;
            continue;
        }
        hasKnownOwn = hasKnownOwn || !items.blocks[i]->is(BlockFlag::Injected);
        const size_t count = ++counts[candidate];
        if (owner == kNone || count > counts[owner])
            owner = candidate;
    }
    if (hasOwn && !hasKnownOwn) {
        std::fill(found.begin() + static_cast<ptrdiff_t>(begin), found.begin() + static_cast<ptrdiff_t>(end), kNone);
        return;
    }
    const bool mergesUsers = m_builder.session().merging == SlotMerging::ConsecutiveUsers;
    if (counts.size() <= 1 || (mergesUsers && request.messages[message].role == Role::User))
        return;
    for (size_t i = begin; i < end; ++i) {
        if (found[i] != kNone && m_blocks[found[i]].message != owner)
            found[i] = kNone;
    }
}

/// The request's array as blocks of the pool: known ones where they are aligned, new ones for the rest.
std::vector<uint32_t> RequestLog::Private::arrayOf(
    const RequestDraft &request, const Items &items, const Origin &origin)
{
    std::vector<uint32_t> array(items.keys.size(), kNone);
    for (size_t i = 0; i < array.size(); ++i) {
        const uint32_t place = origin.alignment.places[i];
        if (place != kNone)
            array[i] = m_branches[origin.branch].latest[place];
    }
    for (size_t message = 0; message < request.messages.size(); ++message) {
        resolveOwners(request, items, message, array);
        const size_t begin = items.begins[message];
        const size_t end = items.begins[message + 1];
        size_t firstKnown = begin;
        while (firstKnown < end && array[firstKnown] == kNone)
            ++firstKnown;
        uint32_t owner
            = firstKnown < end ? m_blocks[array[firstKnown]].message : addPoolMessage(request.messages[message]);
        const uint32_t before = firstKnown < end ? array[firstKnown] : kNone;
        uint32_t behind = kNone;
        for (size_t i = begin; i < end; ++i) {
            if (array[i] == kNone)
                array[i] = addPoolBlock(*items.blocks[i], items.keys[i], owner, behind, before);
            else if (items.blocks[i]->is(BlockFlag::CacheMark))
                m_blocks[array[i]].block.set(BlockFlag::CacheMark);
            behind = array[i];
            owner = m_blocks[behind].message;
            m_messages[owner].claimedBy = static_cast<uint32_t>(m_requestCount);
        }
    }
    return array;
}

/// The assistant messages that are new where the known part of `array` ends are what the last call of `branch` brought.
/// Blocks from `knownBlocks` on are new.
void RequestLog::Private::inferOutput(Branch &branch, const std::vector<uint32_t> &array, size_t knownBlocks)
{
    if (branch.calls.empty() || !branch.calls.back().output.empty())
        return;
    std::vector<uint32_t> &output = branch.calls.back().output;
    for (const uint32_t id : array) {
        PoolMessage &message = m_messages[m_blocks[id].message];
        const bool isKnown = std::ranges::any_of(message.blocks, [&](uint32_t each) { return each < knownBlocks; });
        if (isKnown && output.empty())
            continue;
        if (isKnown || message.head.role != Role::Assistant)
            break;
        message.isOutput = true;
        output.push_back(id);
    }
}

void RequestLog::Private::record(
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
        const uint32_t message = addPoolMessage(draft);
        m_messages[message].isOutput = true;
        for (const Block &block : draft.blocks) {
            const Hash key = keyOf(draft.role, block);
            call.output.push_back(addPoolBlock(block, key, message, kNone, kNone));
            m_branchByBlock[key] = index;
        }
    }
    branch.latest.insert(branch.latest.end(), call.output.begin(), call.output.end());

    Hash hash;
    for (const Hash &key : items.keys)
        hash = combine(hash, key);
    m_branchByArray[hash] = index;
    for (const uint32_t id : call.tail) {
        if (isModelOutput(m_blocks[id].block, m_messages[m_blocks[id].message].head.role))
            m_branchByBlock[m_blocks[id].key] = index;
    }
    if (prelude != kNone) {
        m_branchByPrelude[likeness(m_preludes[prelude])] = index;
        if (!m_preludes[prelude].tools.isNull())
            m_branchByPrelude[m_preludes[prelude].tools] = index;
    }
    if (branch.calls.empty()) {
        branch.firstRequest = m_requestCount;
        const size_t own = firstOwnBlock(items);
        Hash start;
        for (size_t i = 0; i < items.keys.size() && i <= own; ++i)
            start = combine(start, items.keys[i]);
        m_branchesByStart[start].push_back(index);
    }
    branch.calls.push_back(std::move(call));
}

/// True for the very array with which the branch began: the same task once more.
bool RequestLog::Private::beginsAnew(const Items &items, const Origin &origin) const
{
    return origin.alignment.prefix == items.keys.size()
        && m_branches[origin.branch].calls.front().tail.size() == items.keys.size();
}

void RequestLog::Private::add(RequestDraft request)
{
    prepare(request);
    const Items items = itemsOf(request);
    const uint32_t prelude = preludeOf(request);
    const Origin origin = originOf(request, items, prelude);
    const size_t knownBlocks = m_blocks.size();
    std::vector<uint32_t> array = arrayOf(request, items, origin);
    uint32_t index = origin.branch;
    if (origin.isLossless) {
        inferOutput(m_branches[index], array, knownBlocks);
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

// --- into the pool -------------------------------------------------------------------------------------------------

std::vector<RequestLog::Private::Line> RequestLog::Private::joinBranches()
{
    std::vector<Line> lines;
    std::vector<uint32_t> lineOf(m_branches.size(), kNone);
    for (uint32_t i = 0; i < m_branches.size(); ++i) {
        const uint32_t origin = m_branches[i].origin;
        const bool goesOn = origin != kNone && m_branches[origin].successor == kNone
            && m_branches[origin].calls.size() == m_branches[i].originCalls;
        if (goesOn)
            m_branches[origin].successor = i;
        lineOf[i] = goesOn ? lineOf[origin] : static_cast<uint32_t>(lines.size());
        if (!goesOn)
            lines.emplace_back();
        lines[lineOf[i]].branches.push_back(i);
        lines[lineOf[i]].calls += m_branches[i].calls.size();
    }
    const auto main = std::ranges::max_element(lines, {}, &Line::calls); // the first of equals
    if (main != lines.end())
        std::rotate(lines.begin(), main, main + 1);
    return lines;
}

void RequestLog::Private::finish()
{
    const std::vector<Line> lines = joinBranches();
    for (const Line &line : lines) {
        const Branch &first = m_branches[line.branches.front()];
        ThreadKind kind = ThreadKind::Main;
        if (&line != &lines.front()) {
            const Branch &mainEnd = m_branches[lines.front().branches.back()];
            const bool isRun = first.firstRequest > mainEnd.lastRequest && areAlike(first.prelude, mainEnd.prelude);
            kind = isRun ? ThreadKind::Run : ThreadKind::Subagent;
        }
        place(line, m_builder.addThread(kind, {}, titleOf(line)));
    }
}

std::string RequestLog::Private::titleOf(const Line &line) const
{
    const std::vector<uint32_t> &array = m_branches[line.branches.front()].calls.front().tail;
    const auto isTask = [&](uint32_t id) {
        const Block &block = m_blocks[id].block;
        return block.kind == BlockKind::Text && !block.is(BlockFlag::Injected)
            && m_messages[m_blocks[id].message].head.role == Role::User;
    };
    const auto task = std::ranges::find_if(array, isTask);
    if (task == array.end())
        return {};
    return snippet(m_builder.session().textHead(m_blocks[*task].block.body, 4 * kTitleCodePoints), kTitleCodePoints);
}

BlockRange RequestLog::Private::placePrelude(uint32_t index, ThreadIndex thread)
{
    Prelude &prelude = m_preludes[index];
    if (!prelude.range) {
        MessageDraft draft;
        draft.role = Role::System;
        draft.blocks = std::move(prelude.blocks);
        draft.line = prelude.line;
        prelude.range = m_builder.rangeOf(m_builder.addMessage(thread, draft));
    }
    return *prelude.range;
}

void RequestLog::Private::placeMessages(std::span<const uint32_t> blocks, ThreadIndex thread)
{
    for (const uint32_t id : blocks) {
        PoolMessage &message = m_messages[m_blocks[id].message];
        if (message.isPlaced)
            continue;
        message.isPlaced = true;
        for (const uint32_t each : message.blocks)
            message.head.blocks.push_back(m_blocks[each].block);
        BlockRange range = m_builder.rangeOf(m_builder.addMessage(thread, message.head));
        for (const uint32_t each : message.blocks)
            m_blocks[each].placed = BlockId(range.begin++);
        message.head.blocks.clear();
    }
}

void RequestLog::Private::appendRanges(BlockRanges &ranges, std::span<const uint32_t> blocks) const
{
    BlockRange range;
    for (const uint32_t id : blocks) {
        const uint32_t place = m_blocks[id].placed.value();
        if (range.size() > 0 && range.end == place) {
            ++range.end;
            continue;
        }
        ranges.append(range);
        range = { place, place + 1 };
    }
    ranges.append(range);
}

BlockRanges RequestLog::Private::rangesOf(std::span<const uint32_t> blocks) const
{
    std::vector<BlockRange> ranges;
    for (const uint32_t id : blocks) {
        const uint32_t place = m_blocks[id].placed.value();
        if (!ranges.empty() && ranges.back().end == place)
            ++ranges.back().end;
        else
            ranges.push_back({ place, place + 1 });
    }
    return BlockRanges::of(ranges);
}

/// The blocks of an output as one range; they stand together unless another thread shares only some of them.
BlockRange RequestLog::Private::contiguous(std::span<const uint32_t> blocks) const
{
    BlockRange range;
    for (const uint32_t id : blocks) {
        const uint32_t place = m_blocks[id].placed.value();
        if (range.size() == 0)
            range = { place, place + 1 };
        else if (range.end == place)
            ++range.end;
        else
            break;
    }
    return range;
}

void RequestLog::Private::place(const Line &line, ThreadIndex index)
{
    std::vector<Call> calls;
    std::vector<RecordedCompaction> compactions;
    std::vector<uint32_t> array;
    std::vector<uint32_t> preludes;
    BlockRanges ranges;
    BlockRanges end;
    for (const uint32_t branchIndex : line.branches) {
        const Branch &branch = m_branches[branchIndex];
        if (!calls.empty()) {
            RecordedCompaction compaction;
            compaction.kind = branch.kind;
            compaction.call = CallIndex(calls.size() - 1);
            compaction.before = end;
            compaction.line = branch.calls.front().facts.line;
            if (calls.back().usage)
                compaction.beforeTokens = calls.back().usage->prompt();
            if (branch.calls.front().facts.usage)
                compaction.afterTokens = branch.calls.front().facts.usage->prompt();
            compactions.push_back(std::move(compaction));
        }
        bool isFirst = true;
        for (const CallNote &note : branch.calls) {
            const bool extends = !isFirst && note.kept == array.size();
            array.resize(isFirst ? 0 : note.kept);
            array.insert(array.end(), note.tail.begin(), note.tail.end());
            placeMessages(note.tail, index);
            if (extends)
                appendRanges(ranges, note.tail);
            else
                ranges = rangesOf(array);
            placeMessages(note.output, index);
            end = ranges;
            appendRanges(end, note.output);

            Call call = note.facts;
            call.input = ranges;
            call.output = contiguous(note.output);
            calls.push_back(std::move(call));
            preludes.push_back(note.prelude);
            if (isFirst && !compactions.empty())
                compactions.back().after = ranges;
            isFirst = false;
        }
    }
    // Behind the messages, so that an array that grows is one range.
    for (size_t i = 0; i < calls.size(); ++i) {
        if (preludes[i] != kNone)
            calls[i].prelude = placePrelude(preludes[i], index);
    }
    Thread &thread = m_builder.thread(index);
    thread.prelude = calls.back().prelude;
    thread.calls = std::move(calls);
    thread.compactions = std::move(compactions);
    thread.end = std::move(end);
}

RequestLog::RequestLog(SessionBuilder &builder)
    : m_private(std::make_unique<Private>(builder))
{
}

RequestLog::~RequestLog() = default;

void RequestLog::add(RequestDraft request) { m_private->add(std::move(request)); }

void RequestLog::finish() { m_private->finish(); }

} // namespace core
