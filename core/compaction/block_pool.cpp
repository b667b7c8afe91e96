// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/block_pool.h"

#include "core/compaction/texts.h"
#include "core/json/json_probe.h"
#include "core/tokens/estimate.h"
#include "core/tokens/model_family.h"

#include <algorithm>
#include <cassert>

namespace core {

namespace {

/// The arguments with some members replaced, written with `, ` and `: `.
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

BlockPool::BlockPool(SessionPtr session, const BlockTokens &tokens, ChangeMemo *memo)
    : m_session(std::move(session))
    , m_tokens(tokens)
    , m_memo(memo)
    , m_baseCount(m_session->blocks.size())
    , m_arenaId(m_session->sources.size())
    , m_factor(tokenFactor(tokenizerFamily(m_session->model)) / 1000)
{
}

std::string_view BlockPool::rawBody(BlockId id) const
{
    const Body &body = block(id).body;
    if (body.source == m_arenaId)
        return std::string_view(m_arena).substr(body.offset, body.size);
    return m_session->rawBody(body);
}

std::string BlockPool::text(BlockId id) const
{
    const Body &body = block(id).body;
    if (body.source != m_arenaId)
        return m_session->text(body);
    return body.coding == Coding::JsonValue ? canonicalJson(rawBody(id)) : std::string(rawBody(id));
}

std::string BlockPool::textHead(BlockId id, size_t wanted) const
{
    if (block(id).body.source != m_arenaId)
        return m_session->textHead(block(id).body, wanted);
    std::string whole = text(id);
    whole.resize(std::min(whole.size(), wanted));
    return whole;
}

uint64_t BlockPool::pythonLength(BlockId call) const
{
    if (m_memo != nullptr && isRecorded(call))
        return m_memo->pythonLengthOf(call);
    const bool isValue = block(call).body.coding == Coding::JsonValue;
    return isValue ? pythonReprLength(rawBody(call)) : pythonReprLength(text(call));
}

BlockChange BlockPool::textChange(BlockId id, std::string text, Fate fate, std::string why) const
{
    BlockChange made;
    made.fate = fate;
    made.lengths = textLengths(text);
    made.parts.push_back({ {}, block(id).body.lengths, made.lengths, std::move(why) });
    made.thousandthTokens = milliTokens(text);
    made.body = std::move(text);
    return made;
}

BlockChange BlockPool::argumentsChange(BlockId id, std::vector<ArgumentChange> changes) const
{
    BlockChange made;
    // Arguments recorded as a string stay a string.
    if (block(id).body.coding == Coding::JsonValue)
        made.coding = Coding::JsonValue;
    made.body = withMembers(made.coding == Coding::JsonValue ? std::string(rawBody(id)) : text(id), changes);
    made.lengths = made.coding == Coding::JsonValue ? jsonValueLengths(made.body) : textLengths(made.body);
    made.thousandthTokens = milliTokens(made.body);
    for (ArgumentChange &each : changes)
        made.parts.push_back(std::move(each.part));
    return made;
}

double BlockPool::weightOf(const Block &block, const BlockChange &change) const
{
    const uint64_t ofName = block.kind == BlockKind::ToolCall ? milliTokens(string(block.name)) : 0;
    return static_cast<double>(change.thousandthTokens + ofName) * m_factor;
}

BlockId BlockPool::add(const Block &block, const BlockChange &body)
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
    if (made.kind == BlockKind::ToolCall)
        made.lengths += textLengths(string(made.name));
    m_arena.append(body.body);
    m_addedTokens.push_back(static_cast<float>(weightOf(made, body)));
    return BlockId(m_baseCount + m_added.size() - 1);
}

BlockId BlockPool::addChanged(BlockId id, const BlockChange &change)
{
    Block made = block(id);
    if (change.fate == Fate::Cleared || change.fate == Fate::Offloaded)
        made.set(BlockFlag::Stub);
    if (made.kind == BlockKind::Image || made.kind == BlockKind::Document) {
        made.kind = BlockKind::Text;
        made.name = {};
    }
    return add(made, change);
}

BlockId BlockPool::addMessage(Block block, const std::string &text, Role role, ThreadIndex thread)
{
    Message entry;
    entry.role = role;
    entry.first = BlockId(m_baseCount + m_added.size());
    entry.count = 1;
    entry.thread = thread;
    block.kind = BlockKind::Text;
    block.message = MessageId(m_session->messages.size() + m_addedMessages.size());
    m_addedMessages.push_back(entry);
    BlockChange body;
    body.body = text;
    body.lengths = textLengths(text);
    body.thousandthTokens = milliTokens(text);
    return add(block, body);
}

BlockId BlockPool::addMessage(const std::string &text, Role role, ThreadIndex thread)
{
    return addMessage(Block(), text, role, thread);
}

BlockId BlockPool::addSummary(const std::string &text, ThreadIndex thread, double tokens)
{
    Block block;
    block.set(BlockFlag::Summary);
    const BlockId id = addMessage(block, text, Role::User, thread);
    if (tokens > 0)
        m_addedTokens.back() = static_cast<float>(tokens);
    return id;
}

BlockId BlockPool::addInjected(const std::string &text, ThreadIndex thread)
{
    Block block;
    block.set(BlockFlag::Injected);
    return addMessage(block, text, Role::User, thread);
}

SessionPtr BlockPool::finish(ThreadIndex thread, const BlockRanges &end, BlockTokensPtr &tokens)
{
    const Session &base = *m_session;
    auto session = std::make_shared<Session>();
    session->format = base.format;
    session->traits = base.traits;
    session->harness = base.harness;
    session->model = base.model;
    session->title = base.title;
    session->workingFolder = base.workingFolder;
    session->branch = base.branch;
    session->windowTokens = base.windowTokens;
    session->savedTexts = base.savedTexts;
    session->sources = base.sources;
    session->sources.push_back(Source::own(std::move(m_arena), "the compaction"));
    session->strings = base.strings;
    session->blocks.reserve(base.blocks.size() + m_added.size());
    session->blocks.insert(session->blocks.end(), base.blocks.begin(), base.blocks.end());
    session->blocks.insert(session->blocks.end(), m_added.begin(), m_added.end());
    session->messages = base.messages;
    session->messages.insert(session->messages.end(), m_addedMessages.begin(), m_addedMessages.end());
    for (const Thread &each : base.threads) {
        Thread copy;
        copy.kind = each.kind;
        copy.id = each.id;
        copy.title = each.title;
        session->threads.push_back(std::move(copy));
    }
    session->recordCount = base.recordCount;

    session->threads[thread.index()].end = end;
    auto table = std::make_shared<BlockTokens>(m_tokens);
    table->tokens.resize(m_baseCount, 0.0F);
    table->tokens.insert(table->tokens.end(), m_addedTokens.begin(), m_addedTokens.end());
    if (!m_added.empty())
        table->basis = Basis::Estimated;
    tokens = std::move(table);
    return session;
}

uint64_t bytesLess(const Block &block, const BlockChange &change)
{
    const auto less = [](const TextLengths &before, const TextLengths &after) {
        return before.bytes - std::min(before.bytes, after.bytes);
    };
    if (change.parts.empty())
        return less(block.body.lengths, change.lengths);
    uint64_t sum = 0;
    for (const BlockChange::Part &part : change.parts)
        sum += less(part.before, part.after);
    return sum;
}

} // namespace core
