// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/gemini/gemini_chat.h"

#include "core/base/time_text.h"
#include "core/formats/gemini/gemini_parts.h"
#include "core/formats/reading/block_places.h"

#include <algorithm>
#include <functional>
#include <map>

namespace core {

namespace {

/// `input` counts the cached tokens, too. `thoughts` are beside `output`.
std::optional<Usage> usageOf(const JsonMembers &tokens)
{
    const uint64_t input = tokens.number("input").value_or(0);
    if (input == 0)
        return std::nullopt;
    const uint64_t cached = std::min(input, tokens.number("cached").value_or(0));
    const uint64_t thoughts = tokens.number("thoughts").value_or(0);
    return Usage { input - cached, cached, 0, tokens.number("output").value_or(0) + thoughts, thoughts };
}

} // namespace

// --- reading records -----------------------------------------------------------------------------------------------

void GeminiChat::accept(SessionBuilder &builder, std::string_view record, SourceId holder, LineCursor &lines)
{
    const JsonMembers members(record);
    Session &session = builder.session();
    ++session.recordCount;
    if (members.has("$rewindTo")) {
        rewindTo(decodeJsonString(members.string("$rewindTo")), lines.lineOf(record));
    } else if (members.has("$set")) {
        const JsonMembers changes = members.object("$set");
        const std::string_view array = changes.raw("messages");
        const bool isBeginning = m_isResumed && jsonElements(array, 2).items.size() < 2;
        if (isJsonArray(array)) {
            m_isResumed = false;
            if (!isBeginning)
                setMessages(builder, array, holder, lines);
        }
    } else if (members.has("sessionId") && members.has("projectHash")) {
        m_isResumed = !m_entries.empty();
        if (builder.thread(ThreadIndex(0U)).id.empty())
            builder.thread(ThreadIndex(0U)).id = decodeJsonString(members.string("sessionId"));
        const JsonElements messages = jsonElements(members.raw("messages"));
        m_isDocument = m_isDocument || !messages.items.empty();
        for (const std::string_view raw : messages.items)
            addMessage(builder, read(builder, JsonMembers(raw), raw, holder, lines));
    } else if (members.has("id")) {
        addMessage(builder, read(builder, members, record, holder, lines));
    } else {
        session.sideBytes += record.size();
    }
}

GeminiChat::Entry GeminiChat::read(
    SessionBuilder &builder, const JsonMembers &record, std::string_view raw, SourceId holder, LineCursor &lines) const
{
    Entry entry;
    entry.id = decodeJsonString(record.string("id"));
    entry.own.line = lines.lineOf(raw);
    entry.own.externalId = builder.intern(entry.id);
    entry.own.time = parseTime(record.string("timestamp"));
    const std::string_view type = record.string("type");
    // A notice is a string. Parts under its type are the data of a file that a tool read; they are sent as a message.
    const std::string_view content = record.raw("content");
    const bool isData = type == "info" && isJsonArray(content) && content.contains("\"inlineData\"");
    entry.isContext = type == "user" || type == "gemini" || isData;
    if (!entry.isContext) {
        builder.session().sideBytes += raw.size();
        return entry;
    }
    entry.isResponse = type == "gemini";
    entry.own.role = entry.isResponse ? Role::Assistant : Role::User;
    if (entry.isResponse)
        readModel(builder, record, holder, entry);
    else
        GeminiParts(builder, holder).add(content, entry.own.blocks);
    for (std::vector<Block> &blocks : { std::ref(entry.own.blocks), std::ref(entry.results) }) {
        for (Block &block : blocks)
            setRecord(builder, block, holder, raw, entry.own.line);
    }
    if (entry.own.role == Role::User)
        markGeminiUser(builder, entry.own);
    for (const Block &block : entry.own.blocks) {
        if (block.kind != BlockKind::Thinking) // not sent, and written anew when a chat is resumed
            entry.content = combine(entry.content, builder.contentHash(block));
    }
    for (const Block &block : entry.results)
        entry.resultContent = combine(entry.resultContent, builder.contentHash(block));
    return entry;
}

/// The response in the order in which the model wrote it: thoughts, text, calls. Newer versions may record the parts
/// themselves as content.
void GeminiChat::readModel(SessionBuilder &builder, const JsonMembers &record, SourceId holder, Entry &entry) const
{
    const GeminiParts parts(builder, holder);
    std::vector<Block> content;
    parts.add(record.raw("content"), content);
    const auto holds = [&](BlockKind kind) { return std::ranges::contains(content, kind, &Block::kind); };
    const bool hasThoughts = holds(BlockKind::Thinking);
    const bool hasCalls = holds(BlockKind::ToolCall);
    std::vector<Block> &blocks = entry.own.blocks;
    for (const std::string_view raw : jsonElements(record.raw("thoughts")).items) {
        const JsonMembers thought(raw);
        if (!hasThoughts)
            blocks.push_back(parts.stringBlock(
                BlockKind::Thinking, thought.string("description"), decodeJsonString(thought.string("subject"))));
    }
    const bool hasText = !blocks.empty() || !content.empty();
    blocks.insert(blocks.end(), content.begin(), content.end());
    for (const std::string_view raw : jsonElements(record.raw("toolCalls")).items) {
        const JsonMembers call(raw);
        if (!hasCalls)
            blocks.push_back(parts.callBlock(call.string("name"), call.string("id"), call.raw("args")));
        const std::string_view result = call.raw("result");
        const StringId id = builder.intern(decodeJsonString(call.string("id")));
        const size_t first = entry.results.size();
        if (isJsonString(result))
            entry.results.push_back(parts.stringBlock(BlockKind::ToolResult, jsonString(result)));
        else
            parts.add(result, entry.results);
        for (size_t i = first; i < entry.results.size(); ++i) {
            Block &block = entry.results[i];
            if (!block.callId.isValid())
                block.callId = id;
            if (block.kind == BlockKind::ToolResult && call.string("status") == "error")
                block.set(BlockFlag::Error);
            if (i == first)
                block.sideBytes += call.raw("resultDisplay").size();
            builder.session().sideBytes += block.sideBytes;
        }
    }
    entry.usage = usageOf(record.object("tokens"));
    entry.own.model = builder.intern(decodeJsonString(record.string("model")));
    entry.isBare = !hasText && !entry.usage && !blocks.empty();
    if (!m_isDocument && !entry.usage && !entry.own.model.isValid())
        entry.isResponse = false;
}

void GeminiChat::addMessage(SessionBuilder &builder, Entry entry)
{
    if (entry.id.empty()) {
        builder.warn(entry.own.line, "A message has no id; it was skipped.");
        return;
    }
    entry.isCall = entry.isResponse;
    if (const auto place = m_places.find(entry.id); place != m_places.end()) {
        entry.isCall = entry.isCall && m_entries[place->second].isCall;
        m_entries[place->second] = std::move(entry);
        return;
    }
    const auto index = static_cast<uint32_t>(m_entries.size());
    m_places[entry.id] = index;
    m_epochs.back().array.push_back(index);
    m_entries.push_back(std::move(entry));
}

// --- changes of the array ------------------------------------------------------------------------------------------

void GeminiChat::setMessages(SessionBuilder &builder, std::string_view array, SourceId holder, LineCursor &lines)
{
    const uint64_t line = lines.lineOf(array);
    std::vector<Entry> read;
    std::set<StringId> answered; // calls whose results are messages of their own
    for (const std::string_view raw : jsonElements(array).items) {
        Entry &entry = read.emplace_back(this->read(builder, JsonMembers(raw), raw, holder, lines));
        for (const Block &block : entry.own.blocks) {
            if (block.kind == BlockKind::ToolResult)
                answered.insert(block.callId);
        }
    }
    const size_t known = m_entries.size();
    std::vector<uint32_t> after;
    std::set<uint32_t> taken;
    for (Entry &entry : read) {
        if (entry.id.empty()) {
            builder.warn(entry.own.line, "A message has no id; it was skipped.");
            continue;
        }
        const auto place = m_places.find(entry.id);
        uint32_t index = static_cast<uint32_t>(m_entries.size());
        if (place != m_places.end() && isSame(m_entries[place->second], entry, answered))
            index = place->second;
        else
            m_entries.push_back(std::move(entry));
        if (taken.insert(index).second)
            after.push_back(index);
    }
    const size_t begin = dropAppended(after);
    reuseKept(after, known, begin, answered);
    const CompactionKind kind = kindOf(inContext(m_epochs.back().array), inContext(after));
    this->begin(std::move(after), kind, line);
}

/// Whether a message of a new array is the recorded one. What a response records of its results does not count where
/// messages hold them: the harness writes it anew.
bool GeminiChat::isSame(const Entry &recorded, const Entry &set, const std::set<StringId> &answered)
{
    const bool isAnswered
        = std::ranges::any_of(set.results, [&](const Block &block) { return answered.contains(block.callId); });
    return recorded.isContext == set.isContext && recorded.content == set.content
        && (isAnswered || recorded.resultContent == set.resultContent);
}

/// A compression appends the messages of its array before it sets them: they were not in the array before it. Returns
/// the number of the first message that may be such a copy.
size_t GeminiChat::dropAppended(const std::vector<uint32_t> &after)
{
    Epoch &last = m_epochs.back();
    const bool isAppended = after.size() < last.array.size()
        && std::equal(after.rbegin(), after.rend(), last.array.rbegin())
        && std::ranges::none_of(
            after, [&](uint32_t index) { return index < last.firstEntry || m_entries[index].isResponse; });
    if (isAppended)
        last.array.resize(last.array.size() - after.size());
    return isAppended ? after.empty() ? m_entries.size() : after.front() : m_entries.size();
}

/// Messages that the new array keeps have new ids, but are the same messages. Before the first copy, also their results
/// must be the same, or be messages of their own.
void GeminiChat::reuseKept(
    std::vector<uint32_t> &after, size_t known, size_t firstCopy, const std::set<StringId> &answered)
{
    std::multimap<Hash, uint32_t> old;
    for (const uint32_t index : inContext(m_epochs.back().array)) {
        if (!std::ranges::contains(after, index))
            old.emplace(m_entries[index].content, index);
    }
    for (uint32_t &index : after) {
        const Entry &entry = m_entries[index];
        if (index < std::min(known, firstCopy))
            continue;
        const auto isKept = [&](const auto &each) {
            const Entry &kept = m_entries[each.second];
            const bool isAnswered = std::ranges::any_of(
                kept.results, [&](const Block &block) { return answered.contains(block.callId); });
            return kept.own.role == entry.own.role
                && (index >= firstCopy || isAnswered || kept.resultContent == entry.resultContent);
        };
        const auto [first, end] = old.equal_range(entry.content);
        const auto same = std::find_if(first, end, isKept);
        if (same == end || entry.own.blocks.empty())
            continue;
        m_entries[same->second].id = m_entries[index].id;
        index = same->second;
        old.erase(same);
    }
}

void GeminiChat::rewindTo(std::string_view id, uint64_t line)
{
    std::vector<uint32_t> after = m_epochs.back().array;
    const auto found = std::ranges::find_if(after, [&](uint32_t index) { return m_entries[index].id == id; });
    after.erase(found == after.end() ? after.begin() : found, after.end());
    begin(std::move(after), CompactionKind::Rollback, line);
}

/// Starts a new array, unless the messages in context stay the same.
void GeminiChat::begin(std::vector<uint32_t> array, CompactionKind kind, uint64_t line)
{
    Epoch &last = m_epochs.back();
    const std::vector<uint32_t> before = inContext(last.array);
    m_places.clear();
    for (const uint32_t index : array)
        m_places[m_entries[index].id] = index;
    if (before.empty() || inContext(array) == before)
        last.array = std::move(array);
    else
        m_epochs.push_back({ std::move(array), m_entries.size(), kind, line });
}

CompactionKind GeminiChat::kindOf(const std::vector<uint32_t> &before, const std::vector<uint32_t> &after) const
{
    const bool hasNewSummary = std::ranges::any_of(after, [&](uint32_t index) {
        const std::vector<Block> &blocks = m_entries[index].own.blocks;
        return !blocks.empty() && blocks.front().is(BlockFlag::Summary) && !std::ranges::contains(before, index);
    });
    if (hasNewSummary)
        return CompactionKind::Summary;
    if (after.size() <= before.size() && std::equal(after.begin(), after.end(), before.begin()))
        return CompactionKind::Rollback;
    const auto roleOf = [&](uint32_t index) { return m_entries[index].own.role; };
    return std::ranges::equal(before, after, {}, roleOf, roleOf) ? CompactionKind::Clearing
                                                                 : CompactionKind::Replacement;
}

std::vector<uint32_t> GeminiChat::inContext(const std::vector<uint32_t> &array) const
{
    std::vector<uint32_t> result;
    std::ranges::copy_if(array, std::back_inserter(result), [&](uint32_t index) { return m_entries[index].isContext; });
    return result;
}

// --- writing the session -------------------------------------------------------------------------------------------

/// Adds the arrays to the pool, one after the other; each entry once.
class GeminiChat::Writer final {
public:
    Writer(const GeminiChat &chat, SessionBuilder &builder)
        : m_chat(chat)
        , m_builder(builder)
        , m_placed(chat.m_entries.size())
    {
    }

    void write(const Epoch &epoch, bool isFirst);

private:
    /// What of an entry is in the pool.
    struct Placed {
        bool isIn = false;
        BlockRange own;
        std::vector<BlockRange> sent; ///< what later calls are sent of it
        BlockRange results;
    };

    [[nodiscard]] Thread &thread() { return m_builder.thread(ThreadIndex(0U)); }
    void beginCompaction(const Epoch &epoch);
    void endCompaction(size_t firstCall);
    void addCall(const Entry &entry, BlockRange output);
    bool place(const Entry &entry, Placed &placed, const std::set<StringId> &answered);
    [[nodiscard]] std::vector<std::pair<uint32_t, Entry>> joined(const Epoch &epoch) const;
    [[nodiscard]] static std::set<StringId> answeredBy(const std::vector<std::pair<uint32_t, Entry>> &entries);

    const GeminiChat &m_chat;
    SessionBuilder &m_builder;
    std::vector<Placed> m_placed;
    BlockRanges m_array;
};

void GeminiChat::Writer::write(const Epoch &epoch, bool isFirst)
{
    if (!isFirst)
        beginCompaction(epoch);
    m_array = {};
    const std::vector<std::pair<uint32_t, Entry>> entries = joined(epoch);
    const std::set<StringId> answered = answeredBy(entries);
    const size_t firstCall = thread().calls.size();
    for (const auto &[index, entry] : entries) {
        Placed &placed = m_placed[index];
        const bool isCall = entry.isCall && !placed.isIn;
        const bool isAnswered = place(entry, placed, answered);
        if (isCall)
            addCall(entry, placed.own);
        for (const BlockRange range : placed.sent)
            m_array.append(range);
        if (!isAnswered)
            m_array.append(placed.results);
    }
    thread().end = m_array;
    if (!isFirst)
        endCompaction(firstCall);
}

/// The entries in context. Calls that stand in a record of their own, because a notice came between, join the rest of
/// their response.
std::vector<std::pair<uint32_t, GeminiChat::Entry>> GeminiChat::Writer::joined(const Epoch &epoch) const
{
    std::vector<std::pair<uint32_t, Entry>> entries;
    for (const uint32_t index : m_chat.inContext(epoch.array)) {
        const Entry &entry = m_chat.m_entries[index];
        const bool joins = entry.isBare && !entries.empty() && entries.back().second.isResponse
            && !std::ranges::contains(entries.back().second.own.blocks, BlockKind::ToolCall, &Block::kind);
        if (!joins) {
            entries.emplace_back(index, entry);
            continue;
        }
        std::vector<Block> &own = entries.back().second.own.blocks;
        own.insert(own.end(), entry.own.blocks.begin(), entry.own.blocks.end());
        entries.back().second.results = entry.results;
    }
    return entries;
}

/// The calls whose results are in messages of their own.
std::set<StringId> GeminiChat::Writer::answeredBy(const std::vector<std::pair<uint32_t, Entry>> &entries)
{
    std::set<StringId> answered;
    for (const auto &[index, entry] : entries) {
        for (const Block &block : entry.own.blocks) {
            if (block.kind == BlockKind::ToolResult)
                answered.insert(block.callId);
        }
    }
    return answered;
}

/// Returns whether the results of the entry are in messages of their own.
bool GeminiChat::Writer::place(const Entry &entry, Placed &placed, const std::set<StringId> &answered)
{
    if (!std::exchange(placed.isIn, true) && !entry.own.blocks.empty()) { // damaged records can be empty
        placed.own = m_builder.rangeOf(m_builder.addMessage(ThreadIndex(0U), entry.own));
        for (uint32_t i = placed.own.begin; i < placed.own.end; ++i) {
            if (m_builder.session().blocks[i].kind != BlockKind::Thinking)
                placed.sent.push_back({ i, i + 1 });
        }
    }
    const bool isAnswered
        = std::ranges::any_of(entry.results, [&](const Block &block) { return answered.contains(block.callId); });
    if (entry.results.empty() || isAnswered || placed.results.size() > 0)
        return isAnswered;
    MessageDraft draft;
    draft.line = entry.own.line;
    draft.time = entry.own.time;
    draft.blocks = entry.results;
    placed.results = m_builder.rangeOf(m_builder.addMessage(ThreadIndex(0U), draft));
    return false;
}

/// `m_array` is the array before the response.
void GeminiChat::Writer::addCall(const Entry &entry, BlockRange output)
{
    Call call;
    call.input = m_array;
    call.output = output;
    call.usage = entry.usage;
    call.time = entry.own.time;
    call.model = entry.own.model;
    call.responseId = entry.own.externalId;
    call.line = entry.own.line;
    thread().calls.push_back(std::move(call));
}

void GeminiChat::Writer::beginCompaction(const Epoch &epoch)
{
    RecordedCompaction compaction;
    compaction.kind = epoch.kind;
    compaction.before = m_array;
    compaction.line = epoch.line;
    if (!thread().calls.empty()) {
        compaction.call = CallIndex(thread().calls.size() - 1);
        if (const std::optional<Usage> &usage = thread().calls.back().usage)
            compaction.beforeTokens = usage->prompt();
    }
    thread().compactions.push_back(std::move(compaction));
}

/// The array after it is that of the first call behind it, or the array at the end.
void GeminiChat::Writer::endCompaction(size_t firstCall)
{
    RecordedCompaction &compaction = thread().compactions.back();
    const bool hasCall = firstCall < thread().calls.size();
    compaction.after = hasCall ? thread().calls[firstCall].input : m_array;
    if (hasCall && thread().calls[firstCall].usage)
        compaction.afterTokens = thread().calls[firstCall].usage->prompt();
}

void GeminiChat::finish(SessionBuilder &builder) const
{
    Writer writer(*this, builder);
    for (size_t i = 0; i < m_epochs.size(); ++i)
        writer.write(m_epochs[i], i == 0);
    linkGeminiCalls(builder);
}

} // namespace core
