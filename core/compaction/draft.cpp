// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/draft.h"

#include "core/compaction/texts.h"
#include "core/formats/json_probe.h"
#include "core/tokens/estimate.h"
#include "core/tokens/model_family.h"

#include <algorithm>
#include <cassert>

namespace core {

namespace {

/// The arguments with some of their members replaced, written with `, ` and `: `.
std::string withMembers(std::string_view json, const std::vector<ArgumentChange> &changes)
{
    std::string result = "{";
    const JsonMembers members(json);
    for (const JsonMembers::Member &member : members.all()) {
        if (result.size() > 1)
            result += ", ";
        result += '"';
        result += member.key;
        result += "\": ";
        const auto change = std::ranges::find_if(changes,
            [&](const ArgumentChange &each) { return std::string_view(each.part.pointer).substr(1) == member.key; });
        if (change != changes.end())
            result += quoteJson(change->text);
        else
            result += member.value;
    }
    return result + "}";
}

} // namespace

Draft::Draft(const Transcript &before, MessageShape shape, const BlockTokens &tokens, ChangeMemo *memo)
    : m_before(before)
    , m_tokens(tokens)
    , m_memo(memo)
    , m_baseCount(before.session()->blocks.size())
    , m_arenaId(before.session()->sources.size())
    , m_factor(tokenFactor(tokenizerFamily(before.session()->model)) / 1000)
{
    const auto blocks = before.blocks();
    m_elements.reserve(blocks.size());
    for (const BlockId id : blocks) {
        m_elements.push_back({ id, id });
        count(id, 1);
    }
    for (const ViewMessage &message : messagesOf(before, shape)) {
        const bool isSummary = std::ranges::any_of(blocks.subspan(message.first, message.count),
            [&](BlockId id) { return before.block(id).is(BlockFlag::Summary); });
        m_messages.push_back({ message.role, message.first, message.count, isSummary });
    }
}

const Block &Draft::block(BlockId id) const
{
    return id.index() < m_baseCount ? m_before.session()->block(id) : m_added[id.index() - m_baseCount];
}

std::string_view Draft::rawBody(BlockId id) const
{
    const Body &body = block(id).body;
    if (body.source == m_arenaId)
        return std::string_view(m_arena).substr(body.offset, body.size);
    return m_before.session()->rawBody(body);
}

std::string Draft::text(BlockId id) const
{
    const Body &body = block(id).body;
    if (body.source != m_arenaId)
        return m_before.session()->text(body);
    return body.coding == Coding::JsonValue ? canonicalJson(rawBody(id)) : std::string(rawBody(id));
}

std::string Draft::textHead(BlockId id, size_t wanted) const
{
    if (block(id).body.source != m_arenaId)
        return m_before.session()->textHead(block(id).body, wanted);
    std::string whole = text(id);
    whole.resize(std::min(whole.size(), wanted));
    return whole;
}

uint64_t Draft::pythonLength(BlockId call) const
{
    if (m_memo != nullptr && isRecorded(call))
        return m_memo->pythonLengthOf(call);
    const bool isValue = block(call).body.coding == Coding::JsonValue;
    return isValue ? pythonReprLength(rawBody(call)) : pythonReprLength(text(call));
}

double Draft::tokens(BlockId id) const
{
    return id.index() < m_baseCount ? m_tokens.of(id) : m_addedTokens[id.index() - m_baseCount];
}

bool Draft::isEmpty(const Message &message) const { return std::ranges::all_of(elementsOf(message), &Element::isGone); }

void Draft::count(BlockId block, int sign)
{
    m_size.tokens += sign * tokens(block);
    m_size.characters += sign * static_cast<int64_t>(this->block(block).lengths.codePoints);
}

BlockChange Draft::textChange(size_t element, std::string text, Fate fate, std::string why) const
{
    BlockChange made;
    made.fate = fate;
    made.lengths = textLengths(text);
    made.parts.push_back({ {}, blockOf(element).body.lengths, made.lengths, std::move(why) });
    made.thousandthTokens = milliTokens(text);
    made.body = std::move(text);
    return made;
}

BlockChange Draft::argumentsChange(size_t element, std::vector<ArgumentChange> changes) const
{
    const BlockId id = m_elements[element].block;
    BlockChange made;
    // Arguments that stand in the format as a string stay a string.
    if (block(id).body.coding == Coding::JsonValue)
        made.coding = Coding::JsonValue;
    made.body = withMembers(made.coding == Coding::JsonValue ? std::string(rawBody(id)) : text(id), changes);
    made.lengths = made.coding == Coding::JsonValue ? jsonValueLengths(made.body) : textLengths(made.body);
    made.thousandthTokens = milliTokens(made.body);
    for (ArgumentChange &each : changes)
        made.parts.push_back(std::move(each.part));
    return made;
}

BlockId Draft::addBlock(const Block &block, const BlockChange &body)
{
    Block &made = m_added.emplace_back(block);
    made.body = {};
    made.content = {};
    made.body.source = m_arenaId;
    made.body.coding = body.body.empty() ? Coding::Empty : body.coding;
    made.body.offset = m_arena.size();
    made.body.size = body.body.size();
    made.body.lengths = body.lengths;
    made.lengths = body.lengths;
    uint64_t thousandths = body.thousandthTokens;
    if (made.kind == BlockKind::ToolCall) {
        made.lengths += textLengths(string(made.name));
        thousandths += milliTokens(string(made.name));
    }
    m_arena.append(body.body);
    m_addedTokens.push_back(static_cast<float>(static_cast<double>(thousandths) * m_factor));
    return BlockId(m_baseCount + m_added.size() - 1);
}

void Draft::change(size_t element, const BlockChange &change, size_t stage, std::optional<size_t> artifact)
{
    Element &target = m_elements[element];
    assert(!target.isGone && !target.isPinned && !change.parts.empty());
    Block made = block(target.block);
    if (change.fate == Fate::Cleared || change.fate == Fate::Offloaded)
        made.set(BlockFlag::Stub);
    if (made.kind == BlockKind::Image || made.kind == BlockKind::Document) {
        made.kind = BlockKind::Text;
        made.name = {};
    }
    count(target.block, -1);
    target.block = addBlock(made, change);
    count(target.block, 1);
    for (const BlockChange::Part &part : change.parts) {
        m_rewrites.push_back({ .block = target.origin,
            .pointer = part.pointer,
            .stage = stage,
            .fate = change.fate,
            .made = target.block,
            .before = part.before,
            .after = part.after,
            .why = part.why,
            .artifact = artifact });
    }
}

void Draft::drop(size_t element, Rewrite rewrite)
{
    Element &target = m_elements[element];
    assert(!target.isGone && !target.isPinned);
    target.isGone = true;
    count(target.block, -1);
    rewrite.block = target.origin;
    rewrite.before = block(target.block).lengths;
    if (rewrite.fate == Fate::Kept)
        rewrite.fate = Fate::Dropped;
    m_rewrites.push_back(std::move(rewrite));
}

void Draft::evict(size_t end, const std::string &summary, std::span<const size_t> carried, const Rewrite &common,
    double summaryTokens)
{
    if (end == 0)
        return;
    const uint32_t firstKept
        = end < m_messages.size() ? m_messages[end].first : static_cast<uint32_t>(m_elements.size());
    std::vector<Element> elements;
    std::vector<Message> messages;
    BlockId summaryBlock;
    if (!summary.empty()) {
        core::Message entry;
        entry.role = Role::User;
        entry.first = BlockId(m_baseCount + m_added.size());
        entry.count = 1;
        entry.thread = m_before.session()->message(m_before.slots().front().id).thread;
        Block block;
        block.kind = BlockKind::Text;
        block.message = MessageId(m_before.session()->messages.size() + m_addedMessages.size());
        block.set(BlockFlag::Summary);
        m_addedMessages.push_back(entry);
        BlockChange body;
        body.body = summary;
        body.lengths = textLengths(summary);
        body.thousandthTokens = milliTokens(summary);
        summaryBlock = addBlock(block, body);
        if (summaryTokens > 0)
            m_addedTokens.back() = static_cast<float>(summaryTokens);
        count(summaryBlock, 1);
        elements.push_back({ summaryBlock, BlockId() });
        messages.push_back({ Role::User, 0, 1, true });
        Rewrite added = common;
        added.fate = Fate::Added;
        added.made = summaryBlock;
        added.artifact.reset();
        added.after = body.lengths;
        m_rewrites.push_back(std::move(added));
    }
    for (size_t i = 0; i < end; ++i) {
        const Message &message = m_messages[i];
        const auto first = static_cast<uint32_t>(elements.size());
        for (uint32_t k = message.first; k < message.first + message.count; ++k) {
            const Element &element = m_elements[k];
            if (element.isGone)
                continue;
            if (element.isPinned || std::ranges::find(carried, size_t { k }) != carried.end()) {
                elements.push_back(element);
                continue;
            }
            Rewrite rewrite = common;
            rewrite.fate = summary.empty() ? Fate::Dropped : Fate::Summarised;
            rewrite.block = element.origin;
            rewrite.made = summaryBlock;
            rewrite.before = block(element.block).lengths;
            m_rewrites.push_back(std::move(rewrite));
            count(element.block, -1);
        }
        if (elements.size() > first)
            messages.push_back(
                { message.role, first, static_cast<uint32_t>(elements.size()) - first, message.isSummary });
    }
    const auto shift = static_cast<uint32_t>(elements.size());
    for (size_t i = end; i < m_messages.size(); ++i) {
        messages.push_back(m_messages[i]);
        messages.back().first = m_messages[i].first - firstKept + shift;
    }
    elements.insert(elements.end(), m_elements.begin() + firstKept, m_elements.end());
    m_elements = std::move(elements);
    m_messages = std::move(messages);
}

void Draft::finish(Compaction &compaction)
{
    const Session &base = *m_before.session();
    auto session = std::make_shared<Session>();
    session->format = base.format;
    session->harness = base.harness;
    session->model = base.model;
    session->title = base.title;
    session->workingFolder = base.workingFolder;
    session->windowTokens = base.windowTokens;
    session->merging = base.merging;
    session->sources = base.sources;
    session->sources.push_back(Source::own(std::move(m_arena), "the compaction"));
    session->strings = base.strings;
    session->blocks.reserve(base.blocks.size() + m_added.size());
    session->blocks.insert(session->blocks.end(), base.blocks.begin(), base.blocks.end());
    session->blocks.insert(session->blocks.end(), m_added.begin(), m_added.end());
    session->messages = base.messages;
    session->messages.insert(session->messages.end(), m_addedMessages.begin(), m_addedMessages.end());
    for (const Thread &thread : base.threads) {
        Thread copy;
        copy.kind = thread.kind;
        copy.id = thread.id;
        copy.title = thread.title;
        session->threads.push_back(std::move(copy));
    }
    session->recordCount = base.recordCount;

    std::vector<BlockRange> ranges;
    compaction.origins.clear();
    for (const Element &element : m_elements) {
        if (element.isGone)
            continue;
        compaction.origins.push_back(element.origin);
        const uint32_t place = element.block.value();
        if (!ranges.empty() && ranges.back().end == place)
            ++ranges.back().end;
        else
            ranges.push_back({ place, place + 1 });
    }
    const ThreadIndex thread = m_before.isEmpty() ? ThreadIndex(0U) : base.message(m_before.slots().front().id).thread;
    session->threads[thread.index()].end = BlockRanges::of(ranges);
    auto tokens = std::make_shared<BlockTokens>(m_tokens);
    tokens->tokens.resize(m_baseCount, 0.0F);
    tokens->tokens.insert(tokens->tokens.end(), m_addedTokens.begin(), m_addedTokens.end());
    if (!m_added.empty())
        tokens->basis = Basis::Estimated;
    compaction.afterTokens = std::move(tokens);
    const BlockRanges after = session->threads[thread.index()].end;
    compaction.after = Transcript(std::move(session), after);
    compaction.rewrites = std::move(m_rewrites);
    compaction.artifacts = std::move(m_artifacts);
}

} // namespace core
