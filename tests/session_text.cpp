// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/session_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <deque>
#include <ranges>
#include <stdexcept>

namespace core {

namespace {

constexpr std::string_view kTool = "run";
constexpr size_t kSmallestCall = 20;

struct Part {
    char letter = 'u';
    size_t size = 0;
    bool isMarked = false;
    uint64_t sameAs = 0; ///< n of `=n`; 0 if the text is its own
};
using Item = std::vector<Part>;

[[noreturn]] void refuse(std::string_view line, std::string_view part)
{
    throw std::invalid_argument("session(\"" + std::string(line) + "\"): cannot read " + std::string(part));
}

uint64_t number(std::string_view &text, std::string_view line)
{
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc())
        refuse(line, text);
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    return value;
}

Part partOf(std::string_view text, std::string_view line)
{
    Part part;
    if (text.size() < 3 || text[1] != ':' || std::string_view("uatscki").find(text[0]) == std::string_view::npos)
        refuse(line, text);
    part.letter = text[0];
    text.remove_prefix(2);
    part.size = number(text, line);
    if (text.starts_with('=')) {
        text.remove_prefix(1);
        part.sameAs = number(text, line);
    }
    if (text.starts_with('*')) {
        text.remove_prefix(1);
        part.isMarked = true;
    }
    if (!text.empty())
        refuse(line, text);
    return part;
}

std::vector<Item> itemsOf(std::string_view line)
{
    std::vector<Item> items;
    for (const auto word : std::views::split(line, ' ')) {
        const std::string_view text(word);
        if (text.empty())
            continue;
        Item item;
        for (const auto part : std::views::split(text, '+'))
            item.push_back(partOf(std::string_view(part), line));
        items.push_back(std::move(item));
    }
    return items;
}

Role roleOf(const Item &item)
{
    switch (item.front().letter) {
    case 's':
        return Role::System;
    case 'a':
    case 'c':
    case 'k':
        return Role::Assistant;
    case 't':
        return Role::Tool;
    default:
        return Role::User;
    }
}

/// A result without a call makes one in the last message of the model before it.
void addMissingCalls(std::vector<Item> &items, std::string_view line)
{
    size_t open = 0;
    for (size_t i = 0; i < items.size(); ++i) {
        for (const Part &part : items[i]) {
            open += part.letter == 'c' ? 1 : 0;
            if (part.letter != 't')
                continue;
            if (open > 0) {
                --open;
                continue;
            }
            const auto before = std::find_if(items.rend() - static_cast<std::ptrdiff_t>(i), items.rend(),
                [](const Item &item) { return roleOf(item) == Role::Assistant; });
            if (before == items.rend())
                refuse(line, "a result before any message of the model");
            const auto text = std::ranges::find_if(
                *before, [](const Part &each) { return each.letter == 'a' && each.size >= kSmallestCall; });
            if (text != before->end())
                text->size -= kSmallestCall;
            before->push_back({ 'c', kSmallestCall, false, 0 });
        }
    }
    for (Item &item : items) {
        if (item.size() > 1)
            std::erase_if(item, [](const Part &part) { return part.letter == 'a' && part.size == 0; });
    }
}

/// Exactly `size` characters of words; `seed` decides which.
std::string words(size_t size, uint64_t seed)
{
    static constexpr std::array<std::string_view, 32> kWords { "read", "the", "file", "value", "count", "return", "for",
        "each", "call", "test", "fails", "with", "an", "empty", "list", "of", "slots", "index", "range", "block",
        "size", "tokens", "window", "is", "not", "kept", "before", "after", "assert", "error", "line", "path" };
    std::mt19937_64 random(seed);
    std::string text = std::to_string(seed); // no two seeds give the same text
    while (text.size() < size) {
        text += random() % 12 == 0 ? "\n" : " ";
        text += kWords[random() % kWords.size()];
    }
    text.resize(size);
    return text;
}

struct PlannedBody {
    size_t offset = 0;
    size_t size = 0;
};

/// All texts of a session, one behind the other, as one source holds them.
struct TextPool {
    std::string bytes;

    PlannedBody add(std::string_view text)
    {
        bytes += text;
        return { bytes.size() - text.size(), text.size() };
    }
};

std::string textOf(const Part &part, uint64_t seed)
{
    seed = part.sameAs > 0 ? part.sameAs * 1'000'003 : seed;
    if (part.letter != 'c')
        return words(part.size, seed);
    const std::string empty = R"({"q": ""})";
    const size_t arguments = std::max(part.size, kSmallestCall) - kTool.size();
    std::string value = words(arguments - empty.size(), seed);
    std::ranges::replace(value, '\n', ' '); // an escape would count twice
    return R"({"q": ")" + value + R"("})";
}

} // namespace

SessionPtr session(std::string_view line)
{
    std::vector<Item> items = itemsOf(line);
    addMissingCalls(items, line);
    TextPool pool;
    std::vector<PlannedBody> bodies;
    uint64_t seed = 10'000'000;
    for (const Item &item : items) {
        for (const Part &part : item)
            bodies.push_back(pool.add(textOf(part, ++seed)));
    }

    SessionBuilder builder;
    builder.session().format = "test";
    builder.session().harness = "Test";
    const SourceId source = builder.addSource(Source::own(std::move(pool.bytes), "session text"));
    const std::string_view bytes = builder.sourceBytes(source);
    const StringId tool = builder.intern(kTool);
    std::deque<StringId> openCalls;
    const ThreadIndex thread = builder.addThread(ThreadKind::Main);
    std::vector<MessageId> messages;
    size_t next = 0;
    for (const Item &item : items) {
        MessageDraft draft;
        draft.role = roleOf(item);
        draft.line = messages.size() + 1;
        for (const Part &part : item) {
            const std::string_view raw = bytes.substr(bodies[next].offset, bodies[next].size);
            ++next;
            Block block;
            switch (part.letter) {
            case 'c':
                block = builder.makeBlock(BlockKind::ToolCall, builder.jsonValueBody(source, raw), tool);
                block.callId = builder.intern("call-" + std::to_string(next));
                openCalls.push_back(block.callId);
                break;
            case 't':
                block = builder.makeBlock(BlockKind::ToolResult, builder.plainBody(source, raw), tool);
                block.callId = openCalls.front();
                openCalls.pop_front();
                break;
            case 'k':
                block = builder.makeBlock(BlockKind::Thinking, builder.plainBody(source, raw));
                break;
            case 'i':
                block
                    = builder.makeBlock(BlockKind::Image, builder.base64Body(source, raw), builder.intern("image/png"));
                break;
            default:
                block = builder.makeBlock(BlockKind::Text, builder.plainBody(source, raw));
                if (part.letter == 'u')
                    block.set(BlockFlag::Typed);
            }
            draft.blocks.push_back(block);
        }
        messages.push_back(builder.addMessage(thread, draft));
    }
    builder.deriveCalls(thread, messages);
    return builder.finish();
}

std::vector<SlotIndex> markedSlots(std::string_view line)
{
    std::vector<SlotIndex> marked;
    const std::vector<Item> items = itemsOf(line);
    for (size_t i = 0; i < items.size(); ++i) {
        if (std::ranges::any_of(items[i], &Part::isMarked))
            marked.emplace_back(i);
    }
    return marked;
}

std::string randomLine(std::mt19937_64 &random, size_t messages)
{
    const auto below = [&](uint64_t limit) { return static_cast<size_t>(random() % limit); };
    std::string line;
    const auto add = [&](std::string_view part) {
        const size_t kind = below(10);
        line += part;
        line += std::to_string(kind < 6 ? below(200) : kind < 9 ? below(3000) : below(20'000));
    };
    size_t results = 0; // still to come
    bool isUsersTurn = true;
    for (size_t i = 0; i < messages; ++i) {
        line += i == 0 ? "" : " ";
        if (results > 0) {
            add("t:");
            --results;
        } else if (isUsersTurn) {
            add("u:");
            if (below(12) == 0)
                add("+i:");
            isUsersTurn = false;
        } else {
            const bool isThinking = below(3) == 0;
            if (isThinking)
                add("k:");
            add(isThinking ? "+a:" : "a:");
            results = std::min(below(4), messages - i - 1);
            for (size_t k = 0; k < results; ++k)
                add("+c:");
            isUsersTurn = results == 0;
        }
    }
    return line;
}

std::mt19937_64 seededRandom()
{
    const char *seed = std::getenv("PALIMPSEST_SEED");
    return std::mt19937_64(seed != nullptr ? std::strtoull(seed, nullptr, 10) : 20'261'121);
}

int caseCount(int few) { return std::getenv("PALIMPSEST_ALL_CASES") != nullptr ? few * 10 : few; }

} // namespace core
