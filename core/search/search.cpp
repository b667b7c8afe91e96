// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/search/search.h"

#include "core/base/parallel.h"
#include "core/base/text.h"
#include "core/base/visible.h"
#include "core/compaction/keep_window.h"
#include "core/session/user_message.h"
#include "core/tokens/array_sums.h"
#include "core/tokens/array_weights.h"
#include "core/weight/hot_zones.h"

#include <algorithm>
#include <atomic>
#include <mutex>

namespace core {

namespace {

using Key = QueryTerm::Key;

constexpr size_t kBefore = 48;                        ///< bytes of a snippet before its match
constexpr size_t kBehind = 200;                       ///< and behind
constexpr uint64_t kFirstChunk = uint64_t(64) << 10U; ///< bytes; small, so that the first hits are there at once
constexpr uint64_t kChunk = uint64_t(1) << 20U;

bool compares(double value, QueryTerm::Compare compare, double number)
{
    using enum QueryTerm::Compare;
    switch (compare) {
    case Less:
        return value < number;
    case LessOrEqual:
        return value <= number;
    case Equal:
        return value == number;
    case GreaterOrEqual:
        return value >= number;
    case Greater:
        return value > number;
    }
    return false;
}

bool isOfKind(const Block &block, uint8_t kind)
{
    switch (kind) {
    case 0:
        return block.kind == BlockKind::Text;
    case 1:
        return block.kind == BlockKind::Thinking;
    case 2:
        return block.kind == BlockKind::ToolCall;
    case 3:
        return block.kind == BlockKind::ToolResult;
    case 4:
        return block.kind == BlockKind::Image;
    case 5:
        return block.kind == BlockKind::Document;
    case 6:
        return block.is(BlockFlag::Summary);
    default:
        return block.is(BlockFlag::Injected);
    }
}

/// `Read` or `Read*`, whatever the case.
bool isTool(std::string_view name, std::string_view wanted)
{
    const std::string have = lowered(name);
    const std::string want = lowered(wanted);
    return want.ends_with('*') ? have.starts_with(want.substr(0, want.size() - 1)) : have == want;
}

/// Tests the blocks of a session.
class Searcher final {
public:
    Searcher(const SearchGround &ground, const Query &query)
        : m_ground(ground)
        , m_session(*ground.session)
        , m_query(query)
        , m_first(query.firstText())
    {
    }

    [[nodiscard]] std::optional<SearchHit> hit(BlockId id)
    {
        const Block &block = m_session.block(id);
        for (const QueryTerm &term : m_query.terms) {
            if (term.key != Key::Text && passes(term, id, block) == term.isNegated)
                return std::nullopt;
        }
        SearchHit hit { id, {}, {} };
        for (const QueryTerm &term : m_query.terms) {
            if (term.key != Key::Text)
                continue;
            const auto place = find(*term.needle, block);
            if (place.has_value() == term.isNegated)
                return std::nullopt;
            if (term.needle.get() == m_first)
                takeSnippet(hit, *place);
        }
        if (m_first == nullptr && isSearchable(block)) {
            read(kBehind);
            hit.snippet = snippetAround(m_session.textHead(block.body, kBehind), {});
        }
        return hit;
    }

    [[nodiscard]] uint64_t bytesRead() const { return m_bytesRead; }

private:
    [[nodiscard]] bool passes(const QueryTerm &term, BlockId id, const Block &block) const
    {
        const bool hasMessage = block.message.isValid();
        switch (term.key) {
        case Key::Role:
            return roleOf(m_session, block) == static_cast<Role>(term.choice);
        case Key::Tool:
            return block.kind != BlockKind::Image && isTool(m_session.string(block.name), term.value);
        case Key::Kind:
            return isOfKind(block, term.choice);
        case Key::File:
            return term.needle->find(m_session.string(block.subject)).has_value();
        case Key::Tokens:
            return compares(m_ground.tokens ? m_ground.tokens->of(id) : static_cast<double>(block.lengths.bytes) / 3.45,
                term.compare, term.number);
        case Key::Call: {
            const BlockLife &life = m_ground.lives->of(id);
            return life.first != BlockLife::kNever && compares(life.first, term.compare, term.number);
        }
        case Key::Number:
            return hasMessage && block.message.value() == static_cast<uint32_t>(term.number);
        case Key::Error:
            return block.is(BlockFlag::Error);
        case Key::Typed:
            return isUserMessage(block);
        case Key::Lost:
            return !m_ground.lives->of(id).isAtEnd;
        case Key::Hot:
            return std::ranges::binary_search(m_ground.hot, id);
        case Key::Text:
            break;
        }
        return false;
    }

    /// The first place in the block's text, or an empty one if only the tool's name, or what the block is about,
    /// contains the needle. Leaves the text around the place in m_text.
    [[nodiscard]] std::optional<TextPlace> find(const Needle &needle, const Block &block)
    {
        if (isSearchable(block)) {
            if (const auto place = findInBody(needle, block.body))
                return place;
        }
        const bool hasName = block.kind == BlockKind::ToolCall || block.kind == BlockKind::ToolResult;
        const bool isNamed = needle.find(m_session.string(block.name)) || needle.find(m_session.string(block.subject));
        if (!hasName || !isNamed)
            return std::nullopt;
        m_text = isSearchable(block) ? m_session.textHead(block.body, kBehind) : std::string();
        return TextPlace();
    }

    [[nodiscard]] std::optional<TextPlace> findInBody(const Needle &needle, const Body &body)
    {
        const std::string_view raw = m_session.rawBody(body);
        read(raw.size());
        if (body.coding == Coding::Plain) {
            const auto place = needle.find(raw);
            if (place)
                m_text.assign(raw, 0, std::min(raw.size(), place->end + kBehind));
            return place;
        }
        const auto end = needle.mayEndAt(raw, body.coding);
        if (!end)
            return std::nullopt;
        if (*end < raw.size()) {
            read(*end);
            m_text = m_session.textHead(body, *end + kBehind);
            // What is cut off may continue the match.
            if (const auto place = needle.find(m_text); place && place->end <= *end)
                return place;
        }
        read(raw.size());
        m_text = m_session.text(body);
        return needle.find(m_text);
    }

    void takeSnippet(SearchHit &hit, TextPlace place) const
    {
        hit.match = place;
        hit.snippet = snippetAround(m_text, place);
    }

    void read(uint64_t bytes) { m_bytesRead += bytes; }

    const SearchGround &m_ground;
    const Session &m_session;
    const Query &m_query;
    const Needle *m_first;
    std::string m_text;
    uint64_t m_bytesRead = 0;
};

/// Ends of stretches of neighbouring blocks with about as many bytes.
std::vector<size_t> chunkEnds(const Session &session)
{
    std::vector<size_t> ends;
    uint64_t bytes = 0;
    for (size_t i = 0; i < session.blocks.size(); ++i) {
        bytes += session.blocks[i].body.size + 64;
        if (bytes >= (ends.size() < 4 ? kFirstChunk : kChunk) || i + 1 == session.blocks.size()) {
            ends.push_back(i + 1);
            bytes = 0;
        }
    }
    return ends;
}

/// Hands on the hits of chunks in their order, however they end.
class Delivery final {
public:
    Delivery(size_t count, const std::function<void(std::vector<SearchHit>)> &deliver)
        : m_done(count)
        , m_deliver(deliver)
    {
    }

    void take(size_t chunk, std::vector<SearchHit> hits)
    {
        const std::scoped_lock lock(m_mutex);
        m_done[chunk] = std::move(hits);
        std::vector<SearchHit> ready;
        for (; m_next < m_done.size() && m_done[m_next]; ++m_next) {
            std::ranges::move(*m_done[m_next], std::back_inserter(ready));
            m_done[m_next]->clear();
        }
        if (!ready.empty())
            m_deliver(std::move(ready));
    }

private:
    std::mutex m_mutex;
    std::vector<std::optional<std::vector<SearchHit>>> m_done;
    size_t m_next = 0;
    const std::function<void(std::vector<SearchHit>)> &m_deliver;
};

} // namespace

bool SearchGround::complete(unsigned threads, const Progress *progress)
{
    if (!lives || lives->tokens != tokens)
        lives = blockLives(session, tokens, threads, progress);
    return lives != nullptr;
}

std::vector<BlockId> blocksOf(const HotZones &zones)
{
    std::vector<BlockId> blocks;
    blocks.reserve(zones.blocks.size());
    for (const uint32_t place : zones.bySlot)
        blocks.push_back(zones.blocks[place].block);
    if (!std::ranges::is_sorted(blocks)) // arrays are in the order of the pool, nearly always
        std::ranges::sort(blocks);
    return blocks;
}

std::vector<BlockId> hotBlocksAt(const SessionPtr &session, Position position, const BlockTokensPtr &tokens)
{
    const BlockRanges ranges = rangesAt(*session, position);
    const Transcript array(session, ranges);
    const BlockTokensPtr there = tokensAt(*session, ranges, tokens);
    const ArraySumsPtr sums = arraySums(*session, position.thread, *there);
    const HotZoneFinder finder(array, position, Weights(there, WeightUnit::Tokens), *sums);
    return blocksOf(finder.before(keepCutoff(array, openingKeep(*session), *there)));
}

std::vector<std::string> filterTermsOf(const Session &session, const Block &block)
{
    std::vector<std::string> terms;
    // Quotes in a value cannot be written.
    const auto add = [&](std::string_view key, std::string_view value) {
        const bool isQuoted = value.find_first_of(" \t\r\n") != std::string_view::npos;
        if (!value.empty() && !value.contains('"'))
            terms.push_back(std::string(key) + (isQuoted ? "\"" : "") + std::string(value) + (isQuoted ? "\"" : ""));
    };
    const bool hasTool = block.kind == BlockKind::ToolCall || block.kind == BlockKind::ToolResult;
    if (hasTool)
        add("tool:", session.string(block.name));
    // Of a path its last part, of a command its first word.
    std::string_view subject = session.string(block.subject);
    if (const size_t blank = subject.find_first_of(" \t\r\n"); blank != std::string_view::npos)
        subject = subject.substr(0, blank);
    else if (const size_t slash = subject.rfind('/'); slash != std::string_view::npos)
        subject.remove_prefix(slash + 1);
    add("file:", subject);
    add("role:", queryValues("role:")[static_cast<size_t>(roleOf(session, block))]);
    const auto kinds = queryValues("kind:");
    for (size_t i = kinds.size(); i-- > 0;) { // a summary is text, too
        if (isOfKind(block, static_cast<uint8_t>(i))) {
            add("kind:", kinds[i]);
            break;
        }
    }
    return terms;
}

Role roleOf(const Session &session, const Block &block)
{
    if (block.kind == BlockKind::ToolResult)
        return Role::Tool;
    return block.message.isValid() ? session.message(block.message).role : Role::System;
}

bool isSearchable(const Block &block)
{
    const bool isText = block.body.coding != Coding::Base64 && block.body.coding != Coding::Empty;
    return isText && !block.is(BlockFlag::Encrypted);
}

HitSnippet snippetAround(std::string_view text, TextPlace match)
{
    match.begin = std::min(match.begin, text.size());
    match.end = std::clamp(match.end, match.begin, text.size());
    size_t begin = match.begin - std::min(match.begin, kBefore);
    size_t end = std::min(text.size(), std::min(match.end, match.begin + kBehind) + kBehind);
    while (begin < match.begin && (static_cast<unsigned char>(text[begin]) & 0xc0U) == 0x80)
        ++begin;
    while (end > match.end && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80)
        --end;
    HitSnippet snippet;
    snippet.text = begin > 0 ? "…" : "";
    const auto add = [&](size_t from, size_t to) {
        while (from < to) {
            const size_t blank = std::min(text.find_first_of(" \t\r\n", from), to);
            snippet.text += visibleText(text.substr(from, blank - from));
            from = blank;
            while (from < to && std::string_view(" \t\r\n").contains(text[from]))
                ++from;
            if (from > blank && !snippet.text.empty() && !snippet.text.ends_with(' '))
                snippet.text += ' ';
        }
    };
    add(begin, match.begin);
    snippet.match.begin = snippet.text.size();
    add(match.begin, std::min(match.end, end));
    snippet.match.end = snippet.text.size();
    add(std::min(match.end, end), end);
    if (end < text.size())
        snippet.text += "…";
    return snippet;
}

uint64_t search(const SearchGround &ground, const Query &query, unsigned threads, Progress *progress,
    const std::function<void(std::vector<SearchHit>)> &deliver)
{
    if (query.isEmpty())
        return 0;
    const std::vector<size_t> ends = chunkEnds(*ground.session);
    Delivery delivery(ends.size(), deliver);
    std::atomic<uint64_t> bytesRead { 0 };
    parallelFor(ends.size(), threads, [&](unsigned worker, size_t chunk) {
        Searcher searcher(ground, query);
        std::vector<SearchHit> hits;
        for (size_t i = chunk == 0 ? 0 : ends[chunk - 1]; i < ends[chunk]; ++i) {
            if (isCancelled(progress))
                return;
            if (auto hit = searcher.hit(BlockId(i)))
                hits.push_back(*std::move(hit));
        }
        bytesRead += searcher.bytesRead();
        delivery.take(chunk, std::move(hits));
        if (worker == 0 && progress != nullptr)
            progress->setFraction(static_cast<double>(chunk + 1) / static_cast<double>(ends.size()));
    });
    return bytesRead;
}

std::vector<SearchHit> searchAll(const SearchGround &ground, const Query &query, unsigned threads, Progress *progress)
{
    std::vector<SearchHit> all;
    search(ground, query, threads, progress,
        [&](std::vector<SearchHit> hits) { std::ranges::move(hits, std::back_inserter(all)); });
    return all;
}

} // namespace core
