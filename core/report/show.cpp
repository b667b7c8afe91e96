// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/show.h"

#include "core/report/document_parts.h"
#include "core/session/block_key.h"
#include "core/session/format_traits.h"
#include "core/session/slot_label.h"
#include "core/session/spilled_output.h"
#include "core/session/thread_tree.h"
#include "core/tokens/array_weights.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace core {

namespace {

/// Adds the three sizes of a slot, block or sum.
void addSizes(Json &into, const Shown::Sums &sums, Basis basis)
{
    into["chars"] = sums.lengths.codePoints;
    into["bytes"] = sums.lengths.bytes;
    into["tokens"] = figureJson(sums.tokens, basis);
}

std::vector<BlockId> blocksOf(BlockRange range)
{
    std::vector<BlockId> blocks;
    for (uint32_t i = range.begin; i < range.end; ++i)
        blocks.emplace_back(i);
    return blocks;
}

class Document final {
public:
    Document(const Shown &shown, BlockTexts texts)
        : m_shown(shown)
        , m_texts(texts)
        , m_session(*shown.session)
        , m_keys(*shown.session)
        , m_basis(shown.weights.tokens() ? shown.weights.tokens()->basis : Basis::Estimated)
    {
        for (const HotBlock &hot : shown.hot.blocks)
            m_hotBlocks.emplace(hot.block, &hot);
        for (const UnusedGroup &group : shown.unused.groups) {
            for (const BlockId id : shown.unused.blocksOf(group))
                m_unused.emplace(id, &group);
        }
    }

    Json write() const
    {
        Json document;
        document["schema"] = "palimpsest.show/3";
        document["file"] = m_session.sources.empty() ? std::string() : m_session.sources.front()->name();
        document["format"] = m_session.format;
        document["harness"] = m_session.harness;
        document["model"] = m_session.model;
        document["title"] = m_session.title;
        document["working_folder"] = m_session.workingFolder;
        document["branch"] = m_session.branch;
        document["window"] = exactJson(m_session.windowTokens);
        document["records"] = m_session.recordCount;
        document["side_bytes"] = m_session.sideBytes;
        document["threads"] = threads();
        Json saved = Json::array();
        for (const SavedText &each : m_session.savedTexts)
            saved.push_back({ { "name", each.name }, { "bytes", each.body.lengths.bytes } });
        document["saved_texts"] = std::move(saved);
        document["thread"] = m_shown.position.thread.value();
        document["calls"] = m_shown.thread().calls.size();
        document["compactions"] = compactions();
        const LifeCount life = lifeCount(m_session, m_shown.position.thread);
        document["life"] = { { "slots", life.slots }, { "blocks", life.blocks } };
        document["user_messages"]
            = { { "count", m_shown.userMessages.all }, { "in_context", m_shown.userMessages.standing } };
        document["call"] = call();
        document["prelude"] = prelude();
        document["unlogged"] = unlogged();
        document["sum"] = sum();
        document["sums"] = sums();
        document["departures"] = sumEvents();
        document["keep"] = { { "measure", m_shown.keep.text() }, { "cutoff", m_shown.cutoff } };
        document["totals"] = totals();
        document["token_band"] = tokenBand();
        document["slots"] = slots();
        document["hot_zones"] = hotZones();
        document["diagnostics"] = diagnostics();
        return document;
    }

private:
    [[nodiscard]] Basis basisOf(std::span<const BlockId> ids) const
    {
        const BlockTokensPtr &tokens = m_shown.weights.tokens();
        return tokens ? tokens->basisOf(ids) : Basis::Estimated;
    }

    /// Half-width of the calibration band, relative; null without calibrated figures.
    Json tokenBand() const
    {
        const BlockTokensPtr &tokens = m_shown.weights.tokens();
        return tokens && tokens->basis == Basis::Calibrated ? Json(tokens->error) : Json(nullptr);
    }

    Json threads() const
    {
        Json list = Json::array();
        std::vector<ThreadNode> nodes = threadTree(m_session);
        std::ranges::sort(nodes, {}, &ThreadNode::thread);
        for (const ThreadNode &node : nodes) {
            const Thread &thread = m_session.thread(node.thread);
            const bool isStarted = node.depth > 0;
            list.push_back({ { "index", node.thread.value() }, { "kind", nameOf(thread.kind) }, { "id", thread.id },
                { "title", thread.title }, { "calls", thread.calls.size() },
                { "compactions", thread.compactions.size() }, { "started_by", startedBy(thread) },
                { "parent", isStarted ? Json(node.startedAt.thread.value()) : Json(nullptr) },
                { "started_at", orNull(node.startedAt.call) }, { "returned", returned(node.returned) } });
        }
        return list;
    }

    /// The tokens of a thread's results in the one that started it; null if they are not known.
    Json returned(const std::vector<BlockId> &results) const
    {
        const BlockTokensPtr &tokens = m_shown.weights.tokens();
        double sum = 0;
        for (const BlockId id : results)
            sum += tokens ? tokens->of(id) : 0;
        return tokens && !results.empty() ? figureJson(sum, Basis::Estimated) : Json(nullptr);
    }

    /// `#n` of the message with the tool call that started a thread.
    Json startedBy(const Thread &thread) const
    {
        return thread.parentCall.isValid() ? orNull(m_session.block(thread.parentCall).message) : Json(nullptr);
    }

    Json compactions() const
    {
        Json list = Json::array();
        for (const RecordedCompaction &each : m_shown.thread().compactions) {
            list.push_back({ { "call", orNull(each.call) }, { "trigger", each.trigger }, { "kind", nameOf(each.kind) },
                { "before_tokens", exactJson(each.beforeTokens) }, { "after_tokens", exactJson(each.afterTokens) },
                { "before_slots", Transcript(m_shown.session, each.before).slotCount() },
                { "after_slots", Transcript(m_shown.session, each.after).slotCount() }, { "line", each.line },
                { "figures", figuresJson(each) } });
        }
        return list;
    }

    /// The call of the array; null for the end, where the next call would be.
    Json call() const
    {
        const Call *call = m_shown.call();
        if (call == nullptr)
            return nullptr;
        Json entry;
        entry["index"] = m_shown.position.call.value();
        entry["derived"] = call->isDerived;
        entry["model"] = m_session.string(call->model);
        entry["time"] = call->time ? Json(isoTime(*call->time)) : Json(nullptr);
        entry["response_id"] = m_session.string(call->responseId);
        entry["line"] = call->line;
        entry["usage"] = nullptr;
        if (call->usage) {
            entry["usage"]
                = { { "input", exactJson(call->usage->input) }, { "cache_read", exactJson(call->usage->cacheRead) },
                      { "cache_write", exactJson(call->usage->cacheWrite) },
                      { "output", exactJson(call->usage->output) }, { "prompt", exactJson(call->usage->prompt()) } };
        }
        return entry;
    }

    Json prelude() const
    {
        const auto range = m_shown.prelude();
        if (!range)
            return nullptr; // not recorded
        const std::vector<BlockId> ids = blocksOf(*range);
        Json entry;
        addSizes(entry, m_shown.sumsOf(ids), basisOf(ids));
        entry["blocks"] = Json::array();
        for (const BlockId id : ids)
            entry["blocks"].push_back(block(id));
        return entry;
    }

    /// Tokens that recorded usage proves and the log does not contain.
    Json unlogged() const
    {
        const ArraySum &sum = m_shown.sum();
        if (!sum.isRecorded())
            return nullptr; // without usage nothing is known
        return { { "prelude", figureJson(sum.isPreludeRecorded ? 0 : sum.prelude, Basis::Estimated) },
            { "remainder", figureJson(sum.unlogged, Basis::Estimated) },
            { "framing", figureJson(sum.framing, Basis::Estimated) },
            { "recorded", figureJson(sum.recorded, Basis::Exact) } };
    }

    /// The parts of the array and its total, which they add up to.
    Json sum() const
    {
        const ArraySum &sum = m_shown.sum();
        const Basis basis = m_basis == Basis::Exact ? Basis::Estimated : m_basis;
        return { { "total", figureJson(sum.total()) },
            { "recorded", sum.recorded > 0 ? figureJson(sum.recorded, Basis::Exact) : Json(nullptr) },
            { "in_doubt", sum.isDoubtful },
            { "prelude", figureJson(sum.prelude, sum.isPreludeRecorded ? m_basis : Basis::Estimated) },
            { "slots", figureJson(sum.slots, basisOf(m_shown.transcript.blocks())) },
            { "unlogged", figureJson(sum.unlogged, Basis::Estimated) },
            { "framing", figureJson(sum.framing, Basis::Estimated) },
            { "logged_not_sent", figureJson(sum.notSent, Basis::Estimated) },
            { "remainder", figureJson(sum.remainder, basis) } };
    }

    /// The same of every call of the thread, as plain numbers, and of the array at the end.
    Json sums() const
    {
        Json list = Json::array();
        const auto add = [&](const ArraySum &sum) {
            list.push_back({ { "total", rounded(sum.value()) }, { "exact", sum.isRecorded() },
                { "recorded", rounded(sum.recorded) }, { "in_doubt", sum.isDoubtful },
                { "prelude", rounded(sum.prelude) }, { "slots", rounded(sum.slots) },
                { "unlogged", rounded(sum.unlogged) }, { "framing", rounded(sum.framing) },
                { "logged_not_sent", rounded(sum.notSent) }, { "remainder", rounded(sum.remainder) } });
        };
        for (const ArraySum &sum : m_shown.threadSums->calls)
            add(sum);
        add(m_shown.threadSums->end);
        return list;
    }

    /// To a tenth of a token.
    static double rounded(double tokens) { return std::round(tokens * 10) / 10; }

    /// The calls whose prompts depart from the log.
    Json sumEvents() const
    {
        Json list = Json::array();
        for (const SumEvent &event : m_shown.threadSums->events) {
            list.push_back({ { "call", event.call.value() }, { "kind", nameOf(event.kind) },
                { "tokens", figureJson(event.tokens, Basis::Estimated) },
                { "line", m_shown.thread().calls[event.call.index()].line } });
        }
        return list;
    }

    Json totals() const
    {
        Json entry;
        addSizes(entry, m_shown.totals(), basisOf(m_shown.transcript.blocks()));
        return entry;
    }

    Json slots() const
    {
        Json list = Json::array();
        const Transcript &transcript = m_shown.transcript;
        for (size_t i = 0; i < transcript.slotCount(); ++i) {
            const Slot &slot = transcript.slots()[i];
            const auto ids = transcript.blocksOf(slot);
            const SlotLabel label = labelOf(transcript, slot);
            const HotBlock *hot = m_shown.hot.of(SlotIndex(i));
            Json entry;
            entry["index"] = i;
            entry["id"] = slot.id.value();
            entry["role"] = nameOf(slot.role);
            entry["kind"] = nameOf(m_session.block(heaviestBlock(transcript, slot)).kind);
            entry["label"] = label.text();
            entry["subject"] = label.subject;
            entry["material"] = nameOf(materialOf(transcript, slot));
            addSizes(entry, m_shown.sumsOf(ids), basisOf(ids));
            entry["hot"] = hot != nullptr;
            entry["reason"] = hot != nullptr ? hot->reason : std::string();
            entry["line"] = m_session.message(slot.id).line;
            entry["blocks"] = Json::array();
            for (const BlockId id : ids)
                entry["blocks"].push_back(block(id));
            list.push_back(std::move(entry));
        }
        return list;
    }

    Json block(BlockId id) const
    {
        const Block &block = m_session.block(id);
        Json entry;
        entry["block"] = id.value();
        entry["key"] = m_keys.of(id);
        entry["kind"] = nameOf(block.kind);
        if (block.name.isValid())
            entry["name"] = m_session.string(block.name);
        if (block.subject.isValid())
            entry["subject"] = m_session.string(block.subject);
        if (const Json flags = flagsOf(block); !flags.empty())
            entry["flags"] = flags;
        addSizes(entry, m_shown.sumsOf(std::span(&id, 1)), basisOf(std::span(&id, 1)));
        if (block.sideBytes > 0)
            entry["side_bytes"] = block.sideBytes;
        entry["hot"] = m_hotBlocks.contains(id);
        entry["line"] = block.recordLine;
        if (m_texts == BlockTexts::Included) {
            entry["text"] = m_session.text(block.body);
            if (const auto spilled = spilledOutput(m_session, id))
                entry["whole_output"] = { { "path", spilled->path }, { "file", spilled->file },
                    { "bytes", spilled->bytes }, { "in_session", spilled->saved.has_value() } };
        }
        return entry;
    }

    static Json flagsOf(const Block &block)
    {
        static constexpr auto kNames
            = std::to_array<std::pair<BlockFlag, std::string_view>>({ { BlockFlag::Typed, "typed" },
                { BlockFlag::Injected, "injected" }, { BlockFlag::Summary, "summary" }, { BlockFlag::Error, "error" },
                { BlockFlag::Encrypted, "encrypted" }, { BlockFlag::CacheMark, "cache_mark" },
                { BlockFlag::Stub, "stub" }, { BlockFlag::Tools, "tools" }, { BlockFlag::TypedPart, "typed_part" } });
        Json list = Json::array();
        for (const auto &[flag, name] : kNames) {
            if (block.is(flag))
                list.push_back(name);
        }
        return list;
    }

    Json hotZones() const
    {
        Json list = Json::array();
        const std::vector<uint32_t> calls = callsPerBlock(m_session, m_shown.position.thread);
        for (const HotBlock &hot : m_shown.hot.blocks) {
            const auto found = m_unused.find(hot.block);
            const UnusedGroup *unused = found == m_unused.end() ? nullptr : found->second;
            const bool isUsed = unused != nullptr && unused->last.isUsed();
            const double resent = m_shown.weights.tokens()->of(hot.block) * calls[hot.block.index()];
            list.push_back({ { "slot", hot.slot.value() }, { "block", hot.block.value() }, { "share", hot.share },
                { "resent_unused", figureJson(unused == nullptr ? 0 : unused->resent, m_basis) },
                { "stale", unused != nullptr && unused->isStale() },
                { "last_used_by", isUsed ? Json(unused->last.by.value()) : Json(nullptr) },
                { "later_calls", hot.laterCalls }, { "resent", figureJson(resent, m_basis) },
                { "reason", hot.reason } });
        }
        return list;
    }

    Json diagnostics() const
    {
        Json list = Json::array();
        for (const Diagnostic &each : m_session.diagnostics) {
            list.push_back({ { "line", each.line },
                { "severity", each.severity == Severity::Warning ? "warning" : "note" }, { "reason", each.reason } });
        }
        return list;
    }

    const Shown &m_shown;
    BlockTexts m_texts;
    const Session &m_session;
    BlockKeys m_keys;
    Basis m_basis;
    std::unordered_map<BlockId, const HotBlock *> m_hotBlocks;
    std::unordered_map<BlockId, const UnusedGroup *> m_unused;
};

} // namespace

LifeCount lifeCount(const Session &session, ThreadIndex threadIndex)
{
    // Difference arrays over blocks: one counts the ranges that contain a block, the other those that contain a block
    // together with the one before it.
    std::vector<int32_t> holds(session.blocks.size() + 1);
    std::vector<int32_t> joins(session.blocks.size() + 1);
    std::vector<bool> begins(session.messages.size());
    const auto beginSlot = [&](const Message *before, MessageId message) {
        const bool mergesUsers = session.traits->mergesUsers() && before != nullptr && before->role == Role::User
            && session.message(message).role == Role::User;
        if (!mergesUsers)
            begins[message.index()] = true;
    };
    const auto addArray = [&](const BlockRanges &array) {
        const Message *before = nullptr;
        MessageId beforeId;
        array.forEachRange([&](BlockRange range) {
            ++holds[range.begin];
            --holds[range.end];
            ++joins[range.begin + 1];
            --joins[range.end];
            const MessageId message = session.block(BlockId(range.begin)).message;
            if (message != beforeId)
                beginSlot(before, message);
            beforeId = session.block(BlockId(range.end - 1)).message;
            before = &session.message(beforeId);
        });
    };
    const Thread &thread = session.thread(threadIndex);
    for (const Call &call : thread.calls) {
        addArray(call.input);
        if (call.output.size() > 0)
            addArray(BlockRanges::of({ call.output }));
    }
    // The array before a compaction may have been sent by the compaction's own call only, which is not recorded.
    for (const RecordedCompaction &compaction : thread.compactions) {
        addArray(compaction.before);
        addArray(compaction.after);
    }
    addArray(thread.end);

    LifeCount life;
    int32_t holding = 0;
    int32_t joining = 0;
    for (size_t i = 0; i < session.blocks.size(); ++i) {
        holding += holds[i];
        joining += joins[i];
        life.blocks += holding > 0 ? 1 : 0;
        if (joining <= 0)
            continue;
        const MessageId message = session.blocks[i].message;
        const MessageId previous = session.blocks[i - 1].message;
        if (message != previous)
            beginSlot(&session.message(previous), message);
    }
    life.slots = static_cast<size_t>(std::ranges::count(begins, true));
    return life;
}

Shown::Sums Shown::sumsOf(std::span<const BlockId> blocks) const
{
    Sums sums;
    for (const BlockId id : blocks) {
        sums.lengths += session->block(id).lengths;
        if (weights.tokens())
            sums.tokens += weights.tokens()->of(id);
    }
    return sums;
}

const Call *Shown::call() const { return position.isEnd() ? nullptr : &thread().calls[position.call.index()]; }

std::optional<BlockRange> Shown::prelude() const
{
    const Call *shownCall = call();
    return shownCall != nullptr ? shownCall->prelude : thread().prelude;
}

Shown shownAt(SessionPtr session, Position position, const Weights &weights, const Measure &keep)
{
    Shown shown;
    shown.position = position;
    shown.transcript = Transcript(session, rangesAt(*session, position));
    const BlockTokensPtr tokensThere = tokensAt(*session, rangesAt(*session, position), weights.tokens());
    shown.weights = Weights(tokensThere, weights.unit());
    shown.keep = keep;
    const BlockTokens &tokens = *tokensThere;
    shown.cutoff = keepCutoff(shown.transcript, keep, tokens);
    shown.threadSums = arraySums(*session, position.thread, tokens);
    shown.hot = hotZones(shown.transcript, position, shown.cutoff, shown.weights, *shown.threadSums);
    const auto uses = findUses(*session, position.thread);
    shown.unused
        = resentUnused(shown.transcript, position, shown.cutoff, GroupBy::Block, tokensThere, *uses, *shown.threadSums);
    rankHotZones(shown.hot, unusedRanks(*session, shown.unused));
    shown.userMessages = userMessagesAt(session, position);
    shown.session = std::move(session);
    return shown;
}

Json showJson(const Shown &shown, BlockTexts texts) { return Document(shown, texts).write(); }

} // namespace core
