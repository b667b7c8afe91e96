// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/index/index_search.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/index/indexed_texts.h"

#include <algorithm>
#include <map>
#include <memory>
#include <span>

namespace core {

namespace {

using Key = QueryTerm::Key;

constexpr double kBytesOfToken = 3.45; ///< as `search` counts without a table of tokens
constexpr size_t kLeastOfName = 3;     ///< bytes of a text that may find the name of a file

bool isWordByte(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte >= 0x80;
}

/// The words of a text as a query of SQLite's full text search. Typographic signs separate words, as ASCII's do.
std::string matchOf(std::string_view text)
{
    std::string match;
    size_t at = 0;
    const auto isSign = [&](size_t place) { // U+2000 to U+206F
        return text.substr(place).starts_with("\xE2\x80") || text.substr(place).starts_with("\xE2\x81");
    };
    while (at < text.size()) {
        if (!isWordByte(text[at])) {
            ++at;
            continue;
        }
        if (isSign(at)) {
            at += 3;
            continue;
        }
        size_t end = at;
        while (end < text.size() && isWordByte(text[end]) && !isSign(end))
            ++end;
        match += (match.empty() ? "\"" : " AND \"") + std::string(text.substr(at, end - at)) + "\"";
        if (end == text.size())
            match += " *"; // the last word may go on
        at = end;
    }
    return match;
}

std::string_view comparison(QueryTerm::Compare compare)
{
    using enum QueryTerm::Compare;
    switch (compare) {
    case Less:
        return "<";
    case LessOrEqual:
        return "<=";
    case Equal:
        return "=";
    case GreaterOrEqual:
        return ">=";
    case Greater:
        return ">";
    }
    return "=";
}

std::string hasFlag(BlockFlag flag) { return formatted("(flags & {}) != 0", static_cast<unsigned>(flag)); }

/// A term as a condition on the columns of a block; texts and files are compared afterwards, with the term's needle.
std::string conditionOf(const QueryTerm &term)
{
    switch (term.key) {
    case Key::Role:
        return formatted("role = {}", unsigned { term.choice });
    case Key::Kind:
        if (term.choice < 6)
            return formatted("kind = {}", unsigned { term.choice });
        return hasFlag(term.choice == 6 ? BlockFlag::Summary : BlockFlag::Injected);
    case Key::Tool: {
        std::string name = lowered(term.value);
        const bool isBeginning = name.ends_with('*');
        if (isBeginning)
            name.pop_back();
        std::string quoted;
        for (const char c : name)
            quoted += c == '\'' ? std::string("''") : std::string(1, c);
        const std::string have
            = isBeginning ? formatted("substr(lower(tool), 1, {})", textLengths(name).codePoints) : "lower(tool)";
        return formatted("(kind != {} AND {} = '{}')", static_cast<unsigned>(BlockKind::Image), have, quoted);
    }
    case Key::Tokens:
        return formatted("bytes / {} {} {}", kBytesOfToken, comparison(term.compare), term.number);
    case Key::Call:
        return formatted("(first >= 0 AND first {} {})", comparison(term.compare), term.number);
    case Key::Number:
        return formatted("message = {}", static_cast<int64_t>(term.number));
    case Key::Error:
        return hasFlag(BlockFlag::Error);
    case Key::Typed:
        return formatted("(bytes > 0 AND ((kind = {} AND {}) OR {}))", static_cast<unsigned>(BlockKind::Text),
            hasFlag(BlockFlag::Typed), hasFlag(BlockFlag::TypedPart));
    case Key::Lost:
        return "at_end != 1";
    case Key::Text:
    case Key::File:
    case Key::Hot:
        break;
    }
    return "1";
}

/// What the texts of a query make when they stand beside each other in the order of the query. nullptr if there are not
/// several.
std::unique_ptr<const Needle> phraseOf(const Query &query)
{
    std::string phrase;
    size_t texts = 0;
    for (const QueryTerm &term : query.terms) {
        if (term.key != Key::Text || term.isNegated)
            continue;
        phrase += (phrase.empty() ? "" : " ") + term.value;
        ++texts;
    }
    return texts < 2 ? nullptr : std::make_unique<const Needle>(phrase);
}

/// The file's name or the session's id, if it contains all texts of a query that asks for nothing else. The ending of
/// the file's name alone tells nothing, and subagents' files repeat the id of their session.
std::string_view nameFound(const SessionEntry &entry, const Query &query)
{
    const std::string_view file = std::string_view(entry.file).substr(entry.file.rfind('/') + 1);
    const auto hasAll = [&](std::string_view name, size_t end) {
        return !query.isEmpty() && std::ranges::all_of(query.terms, [&](const QueryTerm &term) {
            if (term.key != Key::Text || term.isNegated || term.value.size() < kLeastOfName)
                return false;
            const auto place = term.needle->find(name);
            return place && place->begin < end;
        });
    };
    if (hasAll(file, file.rfind('.')))
        return file;
    return ownerOf(entry).empty() && hasAll(entry.id, entry.id.size()) ? std::string_view(entry.id)
                                                                       : std::string_view();
}

/// A session file with blocks that may match.
struct Candidates {
    const IndexedFile *file = nullptr;
    std::span<const int64_t> blocks;          ///< their numbers in the index, ascending
    std::map<uint32_t, SessionHits> byThread; ///< what was found, by thread of the conversation
};

class IndexSearcher final {
public:
    IndexSearcher(
        const SessionIndex &index, const IndexedSessions &known, const Query &query, const IndexSearchLimits &limits)
        : m_database(index.database())
        , m_known(known)
        , m_query(query)
        , m_limits(limits)
        , m_first(query.firstText())
        , m_phrase(phraseOf(query))
        , m_row(m_database.prepare(
              "SELECT thread, message, role, kind, flags, tool, subject, first, last, at_end, bytes, "
              "is_kept, coding, offset, size, (SELECT since FROM unsure WHERE unsure.id = blocks.id) FROM blocks "
              "WHERE id = ?"))
        , m_texts(m_database)
    {
    }

    Result<IndexSearch> run(const Progress *progress)
    {
        auto found = findCandidates(progress);
        if (!found)
            return std::unexpected(found.error());
        std::vector<Candidates> &candidates = *found;
        if (m_phrase) {
            for (Candidates &each : candidates) {
                if (isCancelled(progress) || m_search.blocksRead >= m_limits.phraseBlocks)
                    break;
                searchFile(each, true);
            }
            std::ranges::stable_partition(candidates, [](const Candidates &each) { return !each.byThread.empty(); });
        }
        for (Candidates &each : candidates) {
            if (isCancelled(progress))
                break;
            if (m_search.sessions.size() >= m_limits.sessions) {
                m_search.hasMore = true;
                break;
            }
            if (!searchFile(each, false))
                ++m_search.changedFiles;
            for (auto &[thread, hits] : each.byThread) {
                std::ranges::stable_partition(hits.hits, &IndexHit::isPhrase);
                m_search.sessions.push_back(std::move(hits));
            }
        }
        std::ranges::stable_partition(m_search.sessions, &SessionHits::hasPhrase);
        if (!isCancelled(progress))
            addNamed();
        return std::move(m_search);
    }

private:
    /// The files with blocks that may match, newest first.
    Result<std::vector<Candidates>> findCandidates(const Progress *progress)
    {
        std::string match;
        std::string where = "1";
        for (const QueryTerm &term : m_query.terms) {
            if (term.key == Key::Hot)
                return failure(ErrorKind::Usage, "\"hot\" depends on a call: open a session to search for it.");
            if (term.key == Key::Text && !term.isNegated) {
                const std::string words = matchOf(term.value);
                if (words.empty()) {
                    return failure(
                        ErrorKind::Usage, "A search over all sessions needs a word: \"" + term.value + "\" has none.");
                }
                match += (match.empty() ? "" : " AND ") + words;
            } else if (term.key != Key::Text && term.key != Key::File) {
                where += std::string(" AND ") + (term.isNegated ? "NOT " : "") + conditionOf(term);
            }
        }
        Statement rows = m_database.prepare(match.empty() ? "SELECT id FROM blocks WHERE " + where
                : where == "1"
                ? std::string("SELECT rowid FROM texts WHERE texts MATCH ?")
                : "SELECT id FROM blocks WHERE id IN (SELECT rowid FROM texts WHERE texts MATCH ?) AND " + where);
        if (!match.empty())
            rows.bind(match);
        while (!isCancelled(progress) && rows.step())
            m_blocks.push_back(rows.integer(0));
        if (!std::ranges::is_sorted(m_blocks))
            std::ranges::sort(m_blocks);
        std::vector<Candidates> candidates;
        auto file = m_known.byNumber.begin();
        for (auto block = m_blocks.begin(); block != m_blocks.end();) {
            const int64_t number = *block / SessionIndex::kBlocksOfFile;
            const auto end = std::lower_bound(block, m_blocks.end(), (number + 1) * SessionIndex::kBlocksOfFile);
            file = std::ranges::lower_bound(file, m_known.byNumber.end(), number, {}, &IndexedFile::id);
            if (file == m_known.byNumber.end())
                break;
            if (file->id == number)
                candidates.push_back({ &*file, { block, end }, {} });
            block = end;
        }
        std::ranges::stable_sort(
            candidates, std::ranges::greater {}, [](const Candidates &each) { return each.file->newest; });
        return candidates;
    }

    /// Adds the sessions that only their names find.
    void addNamed()
    {
        const size_t withHits = m_search.sessions.size();
        for (const SessionEntry &entry : m_known.entries) {
            const std::string_view name = nameFound(entry, m_query);
            if (name.empty())
                continue;
            const auto isListed = [&](const SessionHits &hits) {
                return hits.entry.thread == entry.thread && hits.entry.file == entry.file;
            };
            if (std::ranges::any_of(std::span(m_search.sessions).first(withHits), isListed))
                continue;
            if (m_search.sessions.size() >= m_limits.sessions) {
                m_search.hasMore = true;
                break;
            }
            m_search.sessions.push_back({ entry, {}, false, std::string(name) });
        }
    }

    /// The conversation that a block's thread belongs to: a subagent's hit belongs to the last one before it.
    [[nodiscard]] const SessionEntry &ownerOf(const IndexedFile &file, uint32_t thread) const
    {
        const SessionEntry *before = nullptr;
        for (const uint32_t place : file.entries) {
            const SessionEntry &each = m_known.entries[place];
            if (each.thread <= thread && (before == nullptr || each.thread > before->thread))
                before = &each;
        }
        return before == nullptr ? m_known.entries[file.entries.front()] : *before;
    }

    /// Adds the hits in a file: those with the phrase, or any. False if the file has changed since it was indexed.
    bool searchFile(Candidates &file, bool isForPhrase)
    {
        const SessionEntry &newest = m_known.entries[file.file->entries.front()];
        if (!m_texts.open(newest.file, file.file->size))
            return false;
        auto full = static_cast<size_t>(
            std::ranges::count_if(file.byThread, [](const auto &each) { return each.second.hasMore; }));
        for (const int64_t id : file.blocks) {
            if (full == file.file->entries.size() || (isForPhrase && m_search.blocksRead >= m_limits.phraseBlocks))
                break;
            m_row.reset();
            m_row.bind(id);
            ++m_search.blocksRead;
            if (!m_row.step())
                continue;
            const SessionEntry &owner = ownerOf(*file.file, static_cast<uint32_t>(m_row.integer(0)));
            const auto known = file.byThread.find(owner.thread);
            const bool isFull = known != file.byThread.end() && known->second.hits.size() == m_limits.hitsOfSession;
            const bool isListed = known != file.byThread.end()
                && std::ranges::contains(known->second.hits, blockOf(id), &IndexHit::block);
            if (isListed || (isFull && known->second.hasMore))
                continue;
            auto hit = hitAt(id, isForPhrase);
            if (!hit)
                continue;
            SessionHits &hits = file.byThread[owner.thread];
            if (isFull) {
                hits.hasMore = true;
                ++full;
                continue;
            }
            if (hits.hits.empty())
                hits.entry = owner;
            hits.hits.push_back(std::move(*hit));
        }
        return true;
    }

    static BlockId blockOf(int64_t id) { return BlockId(static_cast<uint32_t>(id % SessionIndex::kBlocksOfFile)); }

    /// The block of the row that was read last, if its text matches.
    std::optional<IndexHit> hitAt(int64_t id, bool isForPhrase)
    {
        IndexHit hit;
        hit.block = blockOf(id);
        hit.life.thread = ThreadIndex(static_cast<uint32_t>(m_row.integer(0)));
        if (m_row.integer(1) >= 0)
            hit.message = MessageId(static_cast<uint32_t>(m_row.integer(1)));
        hit.role = static_cast<Role>(m_row.integer(2));
        hit.shown.kind = static_cast<BlockKind>(m_row.integer(3));
        hit.shown.flags = static_cast<uint16_t>(m_row.integer(4));
        hit.tool = m_row.string(5);
        const std::string subject = m_row.string(6);
        hit.life.first = m_row.integer(7) >= 0 ? static_cast<uint32_t>(m_row.integer(7)) : BlockLife::kNever;
        hit.life.wasSent = m_row.integer(8) >= 0;
        hit.life.last = hit.life.wasSent ? static_cast<uint32_t>(m_row.integer(8)) : 0;
        hit.life.isAtEnd = m_row.integer(9) == 1;
        hit.life.isSummarised = m_row.integer(9) == 2;
        if (!m_row.isNull(15))
            hit.life.unknownFrom = static_cast<uint32_t>(m_row.integer(15));
        hit.shown.lengths.bytes = static_cast<uint64_t>(m_row.integer(10));
        const bool isKept = m_row.integer(11) != 0;
        Body &body = hit.shown.body;
        body.source = SourceId(0U);
        body.coding = static_cast<Coding>(m_row.integer(12));
        body.offset = static_cast<uint64_t>(m_row.integer(13));
        body.size = static_cast<uint64_t>(m_row.integer(14));
        const std::string text = isSearchable(hit.shown) ? m_texts.text(id, isKept, body) : std::string();
        const auto phrase = m_phrase ? m_phrase->find(text) : std::nullopt;
        hit.isPhrase = phrase.has_value();
        if (isForPhrase && !hit.isPhrase)
            return std::nullopt;
        const bool hasName = hit.shown.kind == BlockKind::ToolCall || hit.shown.kind == BlockKind::ToolResult;
        TextPlace match;
        for (const QueryTerm &term : m_query.terms) {
            if (term.key == Key::File && term.needle->find(subject).has_value() == term.isNegated)
                return std::nullopt;
            if (term.key != Key::Text)
                continue;
            const auto place = term.needle->find(text);
            const bool isNamed = hasName && (term.needle->find(hit.tool) || term.needle->find(subject));
            if ((place.has_value() || isNamed) == term.isNegated)
                return std::nullopt;
            if (term.needle.get() == m_first && place)
                match = *place;
        }
        hit.snippet = snippetAround(text, phrase.value_or(match));
        return hit;
    }

    const IndexDatabase &m_database;
    const IndexedSessions &m_known;
    const Query &m_query;
    IndexSearchLimits m_limits;
    const Needle *m_first;
    std::unique_ptr<const Needle> m_phrase;
    Statement m_row;
    TextReader m_texts;
    std::vector<int64_t> m_blocks; ///< that may match, ascending
    IndexSearch m_search;
};

} // namespace

Result<IndexSearch> searchIndex(const SessionIndex &index, const IndexedSessions &known, const Query &query,
    const IndexSearchLimits &limits, const Progress *progress)
{
    return IndexSearcher(index, known, query, limits).run(progress);
}

} // namespace core
