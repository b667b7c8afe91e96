// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/index/session_index.h"

#include "core/base/hash.h"
#include "core/base/parallel.h"
#include "core/formats/reading/format.h"
#include "core/index/file_reading.h"
#include "core/index/indexed_texts.h"
#include "core/tokens/counted_tokens.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace core {

namespace {

template <typename T>
std::vector<T> valuesOf(std::string_view bytes)
{
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!values.empty())
        bytes.copy(reinterpret_cast<char *>(values.data()), values.size() * sizeof(T));
    return values;
}

/// What the stored costs depend on.
std::string keyOf(const Prices &prices)
{
    std::string text = prices.date();
    const auto add = [&](double number) { text.append(reinterpret_cast<const char *>(&number), sizeof number); };
    for (const PricedModel &model : prices.models()) {
        text += "\n" + model.id;
        for (const std::string &name : model.names)
            text += " " + name;
        for (const PriceRow &row : model.rows) {
            add(static_cast<double>(row.from.value_or(0)));
            for (const PriceTier &tier : row.tiers) {
                for (const double number : { tier.above, tier.price.input, tier.price.output, tier.price.cacheRead,
                         tier.price.cacheWrite5m, tier.price.cacheWrite1h })
                    add(number);
            }
        }
    }
    return std::to_string(hashOf(text).low) + std::to_string(hashOf(text).high);
}

/// Sessions that lack a later tier, newest first.
struct Waiting {
    int64_t id = 0;
    std::string path;
    uint64_t size = 0;
};
std::vector<Waiting> waitingFiles(const IndexDatabase &database, std::string_view column)
{
    std::vector<Waiting> waiting;
    Statement rows = database.prepare("SELECT id, path, size FROM files WHERE problem IS NULL AND is_head = 0 AND "
        + std::string(column) + " = 0 ORDER BY changed DESC, path");
    while (rows.step())
        waiting.push_back({ rows.integer(0), rows.string(1), static_cast<uint64_t>(rows.integer(2)) });
    return waiting;
}

/// Reads the sessions of these files on several threads and hands each to `take`. A file that cannot be read is
/// skipped: the next update finds out why.
template <typename Take>
IndexUpdate eachWaiting(const std::vector<Waiting> &waiting, const UpdateOptions &options, const Take &take)
{
    IndexUpdate done;
    done.files = waiting.size();
    std::atomic<size_t> read { 0 };
    std::atomic<uint64_t> bytes { 0 };
    parallelFor(waiting.size(), options.threads, [&](unsigned, size_t i) {
        if (isCancelled(options.progress))
            return;
        const auto session = loadSession(waiting[i].path, options.progress);
        if (!session)
            return;
        take(waiting[i], *session);
        bytes += waiting[i].size;
        const size_t ready = ++read;
        if (options.progress != nullptr)
            options.progress->setFraction(static_cast<double>(ready) / static_cast<double>(waiting.size()));
    });
    done.read = read;
    done.bytesRead = bytes;
    return done;
}

SessionEntry entryOf(const Statement &row)
{
    const auto optionalInteger
        = [&](int column) { return row.isNull(column) ? std::nullopt : std::optional(row.integer(column)); };
    SessionEntry entry;
    entry.file = row.string(0);
    entry.thread = static_cast<uint32_t>(row.integer(1));
    entry.id = row.string(2);
    entry.format = row.string(3);
    entry.harness = row.string(4);
    entry.model = row.string(5);
    entry.title = row.string(6);
    entry.folder = row.string(7);
    entry.begin = optionalInteger(8);
    entry.end = optionalInteger(9);
    entry.calls = static_cast<uint64_t>(row.integer(10));
    entry.subagents = static_cast<uint64_t>(row.integer(11));
    entry.typed = static_cast<uint64_t>(row.integer(12));
    entry.peak = row.number(13);
    entry.isPeakRecorded = row.integer(14) != 0;
    if (const auto window = optionalInteger(15))
        entry.window = static_cast<uint64_t>(*window);
    if (!row.isNull(16))
        entry.cost = row.number(16);
    entry.subagentCost = row.number(17);
    entry.isCostPartial = row.integer(18) != 0;
    entry.lastTyped = row.string(19);
    entry.curve = valuesOf<float>(row.text(20));
    entry.compactions = valuesOf<float>(row.text(21));
    entry.branch = row.string(22);
    entry.originKind = static_cast<Origin::Kind>(std::clamp<int64_t>(row.integer(23), 0, 2));
    entry.originId = row.string(24);
    return entry;
}

using Owner = std::pair<int64_t, int64_t>; ///< file and thread of an entry

/// Takes calls that an earlier session has too out of `costs`, and returns them. Only sessions that begin with the same
/// call can share calls.
std::map<Owner, std::vector<DayCost>> payOnce(
    const IndexDatabase &database, std::map<Owner, std::vector<DayCost>> &costs)
{
    std::map<Owner, std::vector<DayCost>> copies;
    Statement rows
        = database.prepare("SELECT b.file, b.thread, b.first, b.calls FROM billed b JOIN entries e USING(file, thread) "
                           "JOIN files f ON f.id "
                           "= b.file WHERE b.first IN (SELECT first FROM billed GROUP BY first HAVING count(*) > 1) "
                           "ORDER BY b.first, e.end, f.path, b.thread");
    int64_t first = 0;
    std::unordered_set<uint64_t> paid;
    while (rows.step()) {
        if (paid.empty() || rows.integer(2) != first)
            paid.clear();
        first = rows.integer(2);
        const Owner owner { rows.integer(0), rows.integer(1) };
        std::vector<DayCost> &days = costs[owner];
        std::vector<DayCost> copied;
        for (const DayCost &day : days)
            copied.push_back({ day.day, day.model, 0, 0, day.cost ? std::optional(0.0) : std::nullopt });
        for (const BilledCall &call : valuesOf<BilledCall>(rows.text(3))) {
            if (paid.insert(call.key).second || call.row >= days.size())
                continue;
            DayCost &day = days[call.row];
            --day.calls;
            day.tokens -= call.tokens;
            DayCost &copy = copied[call.row];
            ++copy.calls;
            copy.tokens += call.tokens;
            if (day.cost) {
                *day.cost = std::max(0.0, *day.cost - call.cost);
                *copy.cost += call.cost;
            }
        }
        const auto isEmpty = [](const DayCost &day) { return day.calls == 0; };
        std::erase_if(days, isEmpty);
        std::erase_if(copied, isEmpty);
        if (!copied.empty())
            copies[owner] = std::move(copied);
    }
    return copies;
}

} // namespace

Result<SessionIndex> SessionIndex::open(const std::filesystem::path &folder)
{
    auto database = IndexDatabase::open(folder);
    if (!database)
        return std::unexpected(database.error());
    return SessionIndex(std::move(*database));
}

Result<SessionIndex> SessionIndex::inMemory()
{
    auto database = IndexDatabase::inMemory();
    if (!database)
        return std::unexpected(database.error());
    return SessionIndex(std::move(*database));
}

Result<IndexUpdate> SessionIndex::update(
    const SessionPlaces &places, const Prices &prices, const UpdateOptions &options)
{
    std::unordered_map<std::string, KnownFile> known = knownFiles(m_database);
    // With other prices, all costs are computed again.
    const std::string key = keyOf(prices);
    Statement keyRow = m_database.prepare("SELECT value FROM facts WHERE name = 'prices'");
    const bool isPricedAlike = keyRow.step() && keyRow.text(0) == key;
    keyRow.reset();
    const std::vector<SessionFile> files = sessionFiles(places);
    IndexUpdate done;
    done.files = files.size();
    std::vector<ChangedFile> changed;
    for (const SessionFile &file : files) {
        const auto found = known.find(file.path);
        if (found != known.end())
            found->second.isSeen = true;
        const KnownFile *before = found == known.end() ? nullptr : &found->second;
        if (!isPricedAlike || before == nullptr || before->isHead || before->size != file.size
            || before->changed != file.changed)
            changed.push_back({ &file, before });
    }
    FileWriter writer(m_database);
    IndexBatches batches(m_database, options);
    FileReading(writer, batches, prices, isPricedAlike, options).run(changed, done);
    if (!isCancelled(options.progress)) {
        for (const auto &[path, file] : known) {
            if (file.isSeen)
                continue;
            ++done.gone;
            batches.add([&writer, id = file.id] { writer.forget(id); });
        }
        if (!isPricedAlike) {
            batches.add(
                [&] { m_database.prepare("INSERT OR REPLACE INTO facts VALUES('prices', ?)").bind(key).run(); });
        }
    }
    if (auto error = batches.finish())
        return std::unexpected(std::move(*error));
    return done;
}

Result<IndexUpdate> SessionIndex::addTexts(const UpdateOptions &options)
{
    TextWriter writer(m_database);
    IndexBatches batches(m_database, options);
    IndexUpdate done = eachWaiting(
        waitingFiles(m_database, "has_texts"), options, [&](const Waiting &file, const SessionPtr &session) {
            const BlockLivesPtr lives = blockLives(session, nullptr, 1, options.progress);
            if (!lives)
                return;
            batches.add([&writer, file, session, lives, blocks = indexedBlocks(*session)] {
                writer.put(file.id, file.path, *session, *lives, blocks);
            });
        });
    if (auto error = batches.finish())
        return std::unexpected(std::move(*error));
    return done;
}

Result<IndexUpdate> SessionIndex::addFindings(const Prices &prices, const UpdateOptions &options)
{
    Statement threads = m_database.prepare("SELECT thread FROM entries WHERE file = ?");
    Statement put = m_database.prepare("INSERT OR REPLACE INTO findings VALUES(?, ?, ?, ?, ?, ?, ?, ?)");
    Statement doubt = m_database.prepare("INSERT OR REPLACE INTO unsure VALUES(?, ?)");
    Statement mark = m_database.prepare("UPDATE files SET has_findings = 1 WHERE id = ?");
    IndexBatches batches(m_database, options);
    const auto take = [&](const Waiting &file, const SessionPtr &session) {
        const BlockTokensPtr tokens = countedTokens(*session, 1, options.progress);
        const auto findings = findFindings(session, tokens, prices, nullptr, options.progress);
        const BlockLivesPtr lives = blockLives(session, tokens, 1, options.progress);
        if (!findings || !lives)
            return;
        batches.add([&, file, lives, findings = *findings] {
            std::vector<int64_t> entries;
            threads.bind(file.id);
            while (threads.step())
                entries.push_back(threads.integer(0));
            threads.reset();
            for (const int64_t thread : entries) {
                int64_t place = 0;
                for (const EntryFinding &each : entryFindings(findings, ThreadIndex(static_cast<uint32_t>(thread)))) {
                    put.bind(file.id)
                        .bind(thread)
                        .bind(place++)
                        .bind(each.kind)
                        .bind(static_cast<int64_t>(each.rank))
                        .bind(static_cast<int64_t>(each.count))
                        .bind(each.money)
                        .bind(each.what);
                    put.run();
                }
            }
            for (size_t i = 0; i < std::min<size_t>(lives->lives.size(), kBlocksOfFile); ++i) {
                if (const uint32_t since = lives->lives[i].unknownFrom; since != BlockLife::kNever)
                    doubt.bind(file.id * kBlocksOfFile + static_cast<int64_t>(i)).bind(int64_t { since }).run();
            }
            mark.bind(file.id).run();
        });
    };
    IndexUpdate done = eachWaiting(waitingFiles(m_database, "has_findings"), options, take);
    if (auto error = batches.finish())
        return std::unexpected(std::move(*error));
    return done;
}

IndexedSessions SessionIndex::sessions() const
{
    IndexedSessions known;
    Statement counts = m_database.prepare(
        "SELECT count(*), total(size), total(problem IS NOT NULL), total(problem IS NULL AND has_texts = 0), "
        "total(problem IS NULL AND has_findings = 0), total(is_head) FROM files");
    if (counts.step()) {
        known.files = static_cast<size_t>(counts.integer(0));
        known.bytes = static_cast<uint64_t>(counts.number(1));
        known.otherFiles = static_cast<size_t>(counts.number(2));
        known.withoutTexts = static_cast<size_t>(counts.number(3));
        known.withoutFindings = static_cast<size_t>(counts.number(4));
        known.heads = static_cast<size_t>(counts.number(5));
    }
    std::map<Owner, std::vector<EntryFinding>> findings;
    Statement found = m_database.prepare(
        "SELECT file, thread, kind, rank, count, money, what FROM findings ORDER BY file, thread, place");
    while (found.step()) {
        findings[{ found.integer(0), found.integer(1) }].push_back(
            { found.string(2), static_cast<FindingRank>(std::clamp<int64_t>(found.integer(3), 0, 2)),
                static_cast<uint64_t>(found.integer(4)),
                found.isNull(5) ? std::nullopt : std::optional(found.number(5)), found.string(6) });
    }
    std::map<Owner, std::vector<DayCost>> costs;
    Statement paid = m_database.prepare(
        "SELECT file, thread, day, model, calls, tokens, cost FROM costs ORDER BY file, thread, day, model");
    while (paid.step()) {
        costs[{ paid.integer(0), paid.integer(1) }].push_back({ static_cast<int32_t>(paid.integer(2)), paid.string(3),
            static_cast<uint64_t>(paid.integer(4)), static_cast<uint64_t>(paid.integer(5)),
            paid.isNull(6) ? std::nullopt : std::optional(paid.number(6)) });
    }
    std::map<Owner, std::vector<DayCost>> copies = payOnce(m_database, costs);
    Statement rows = m_database.prepare(
        "SELECT f.path, e.thread, e.id, e.format, e.harness, e.model, e.title, e.folder, e.begin, e.end, e.calls, "
        "e.subagents, e.typed, e.peak, e.is_peak_recorded, e.window, e.cost, e.subagent_cost, e.is_cost_partial, "
        "e.last_typed, e.curve, e.compactions, e.branch, e.origin_kind, e.origin_id, f.has_findings, f.id, "
        "f.is_head, f.size, coalesce(e.end, f.changed / 1000000) "
        "FROM entries e JOIN files f ON f.id = e.file ORDER BY coalesce(e.end, f.changed / 1000000) DESC, f.path, "
        "e.thread");
    std::map<int64_t, IndexedFile> files;
    while (rows.step()) {
        SessionEntry entry = entryOf(rows);
        entry.isHead = rows.integer(27) != 0;
        const Owner owner { rows.integer(26), rows.integer(1) };
        const auto [file, isFirst] = files.try_emplace(owner.first);
        if (isFirst)
            file->second = { owner.first, static_cast<uint64_t>(rows.integer(28)), rows.integer(29), {} };
        file->second.entries.push_back(static_cast<uint32_t>(known.entries.size()));
        if (rows.integer(25) != 0)
            entry.findings = std::move(findings[owner]);
        entry.days = std::move(costs[owner]);
        if (const auto copied = copies.find(owner); copied != copies.end())
            entry.copied = std::move(copied->second);
        known.entries.push_back(std::move(entry));
    }
    for (auto &[id, file] : files)
        known.byNumber.push_back(std::move(file));
    return known;
}

Result<std::string> SessionIndex::latest(const SessionPlaces &places, const std::filesystem::path &project) const
{
    std::error_code error;
    const std::filesystem::path wanted = std::filesystem::weakly_canonical(project, error);
    const auto contains = [](const std::filesystem::path &outer, const std::filesystem::path &inner) {
        return std::ranges::mismatch(outer, inner).in1 == outer.end();
    };
    const std::unordered_map<std::string, KnownFile> known = knownFiles(m_database);
    Statement folders = m_database.prepare("SELECT folder, thread FROM entries WHERE file = ?");
    for (const SessionFile &file : sessionFiles(places)) {
        std::vector<std::string> recorded;
        const auto found = known.find(file.path);
        const bool isKnown = found != known.end() && !found->second.isHead && found->second.size == file.size
            && found->second.changed == file.changed;
        if (isKnown) {
            folders.bind(found->second.id);
            while (folders.step())
                recorded.push_back(folders.string(0));
            folders.reset();
        } else if (const auto session = loadSession(file.path)) {
            recorded.push_back((*session)->workingFolder);
        }
        const bool isSubagent = std::filesystem::path(file.path).filename().string().starts_with("agent-");
        for (const std::string &folder : recorded) {
            const std::filesystem::path path = std::filesystem::path(folder).lexically_normal();
            if (!folder.empty() && !isSubagent && (contains(wanted, path) || contains(path, wanted)))
                return file.path;
        }
    }
    return failure(ErrorKind::NotFound, "No session of this project was found in the folders of the known harnesses.",
        wanted.string());
}

} // namespace core
