// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/index/index_search.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/formats/reading/archive.h"
#include "core/formats/reading/database.h"
#include "core/formats/reading/format.h"
#include "core/formats/reading/unpack.h"
#include "core/session/user_message.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace core {

namespace {

using Key = QueryTerm::Key;

constexpr double kBytesOfToken = 3.45; ///< as `search` counts without a table of tokens

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

/// The texts of one session file, on demand.
class FileTexts final {
public:
    FileTexts(std::string path, uint64_t size)
        : m_path(std::move(path))
        , m_size(size)
    {
    }

    /// False if the file has changed since it was indexed, so that nothing is known about its blocks.
    [[nodiscard]] bool open()
    {
        const auto source = Source::openMapped(m_path);
        if (!source)
            return false;
        const std::string_view bytes = (*source)->bytes();
        if (isZstd(bytes) || isArchive(bytes) || isDatabase(bytes))
            return load();
        if (bytes.size() != m_size)
            return false;
        auto session = std::make_shared<Session>();
        session->sources = { *source };
        m_session = std::move(session);
        return true;
    }
    [[nodiscard]] std::string text(const Body &body)
    {
        if (body.source.index() >= m_session->sources.size() && !load())
            return {};
        const bool isThere = body.source.index() < m_session->sources.size()
            && body.offset + body.size <= m_session->sources[body.source.index()]->bytes().size();
        return isThere ? m_session->text(body) : std::string();
    }

private:
    /// For texts that are not in the file as they are.
    bool load()
    {
        auto session = loadSession(m_path);
        if (session)
            m_session = std::move(*session);
        return session.has_value();
    }

    std::string m_path;
    uint64_t m_size;
    SessionPtr m_session;
};

/// A session file with blocks that may match.
struct Candidates {
    std::string path;
    uint64_t size = 0;                         ///< when it was indexed
    Timestamp newest = 0;                      ///< the end of its newest conversation
    std::vector<const SessionEntry *> entries; ///< newest first
    std::vector<int64_t> blocks;               ///< their numbers in the index, ascending
};

class IndexSearcher final {
public:
    IndexSearcher(
        const SessionIndex &index, const IndexedSessions &known, const Query &query, const IndexSearchLimits &limits)
        : m_database(index.database())
        , m_query(query)
        , m_limits(limits)
        , m_first(query.firstText())
        , m_row(m_database.prepare(
              "SELECT thread, message, role, kind, flags, tool, subject, first, last, at_end, bytes, "
              "source, coding, offset, size FROM blocks WHERE id = ?"))
    {
        for (const SessionEntry &entry : known.entries)
            m_entries[entry.file].push_back(&entry);
    }

    Result<IndexSearch> run(const Progress *progress)
    {
        auto candidates = findCandidates(progress);
        if (!candidates)
            return std::unexpected(candidates.error());
        IndexSearch found;
        for (const Candidates &each : *candidates) {
            if (isCancelled(progress))
                break;
            if (found.sessions.size() >= m_limits.sessions) {
                found.hasMore = true;
                break;
            }
            searchFile(each, found);
        }
        return found;
    }

private:
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
        std::map<int64_t, std::vector<int64_t>> byFile;
        while (!isCancelled(progress) && rows.step()) {
            const int64_t id = rows.integer(0);
            byFile[id / SessionIndex::kBlocksOfFile].push_back(id);
        }
        // One query for all files: most words stand in many of them.
        std::vector<Candidates> candidates;
        Statement files = m_database.prepare("SELECT id, path, size, changed FROM files ORDER BY id");
        while (files.step()) {
            const auto blocks = byFile.find(files.integer(0));
            const auto entries = m_entries.find(files.text(1));
            if (blocks == byFile.end() || entries == m_entries.end())
                continue;
            Candidates &each = candidates.emplace_back();
            each.path = files.string(1);
            each.size = static_cast<uint64_t>(files.integer(2));
            each.newest = entries->second.front()->end.value_or(files.integer(3) / 1'000'000);
            each.entries = entries->second;
            each.blocks = std::move(blocks->second);
            std::ranges::sort(each.blocks);
        }
        std::ranges::stable_sort(candidates, std::ranges::greater {}, &Candidates::newest);
        return candidates;
    }

    void searchFile(const Candidates &file, IndexSearch &found)
    {
        FileTexts texts(file.path, file.size);
        if (!texts.open()) {
            ++found.changedFiles;
            return;
        }
        std::map<uint32_t, SessionHits> byThread;
        for (const int64_t id : file.blocks) {
            auto hit = hitAt(id, texts);
            if (!hit)
                continue;
            // A subagent's hit belongs to the last conversation before it in the file.
            const uint32_t thread = hit->life.thread.value();
            const SessionEntry *before = nullptr;
            for (const SessionEntry *each : file.entries) {
                if (each->thread <= thread && (before == nullptr || each->thread > before->thread))
                    before = each;
            }
            const SessionEntry &owner = before == nullptr ? *file.entries.front() : *before;
            SessionHits &hits = byThread[owner.thread];
            hits.entry = owner;
            if (hits.hits.size() == m_limits.hitsOfSession) {
                hits.hasMore = true;
                if (byThread.size() == file.entries.size())
                    break;
                continue;
            }
            hits.hits.push_back(std::move(*hit));
        }
        for (auto &[thread, hits] : byThread)
            found.sessions.push_back(std::move(hits));
    }

    std::optional<IndexHit> hitAt(int64_t id, FileTexts &texts)
    {
        m_row.reset();
        m_row.bind(id);
        if (!m_row.step())
            return std::nullopt;
        IndexHit hit;
        hit.block = BlockId(static_cast<uint32_t>(id % SessionIndex::kBlocksOfFile));
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
        hit.shown.lengths.bytes = static_cast<uint64_t>(m_row.integer(10));
        Body &body = hit.shown.body;
        body.source = SourceId(static_cast<uint32_t>(m_row.integer(11)));
        body.coding = static_cast<Coding>(m_row.integer(12));
        body.offset = static_cast<uint64_t>(m_row.integer(13));
        body.size = static_cast<uint64_t>(m_row.integer(14));
        const std::string text = isSearchable(hit.shown) ? texts.text(body) : std::string();
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
        hit.snippet = snippetAround(text, match);
        return hit;
    }

    const IndexDatabase &m_database;
    const Query &m_query;
    IndexSearchLimits m_limits;
    const Needle *m_first;
    Statement m_row;
    std::unordered_map<std::string_view, std::vector<const SessionEntry *>> m_entries;
};

} // namespace

Result<IndexSearch> searchIndex(const SessionIndex &index, const IndexedSessions &known, const Query &query,
    const IndexSearchLimits &limits, const Progress *progress)
{
    return IndexSearcher(index, known, query, limits).run(progress);
}

} // namespace core
