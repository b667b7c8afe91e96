// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/index/session_index.h"

#include "core/base/hash.h"
#include "core/base/parallel.h"
#include "core/formats/reading/format.h"
#include "core/index/indexed_texts.h"
#include "core/tokens/counted_tokens.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <map>
#include <mutex>
#include <unordered_map>

namespace core {

namespace {

constexpr size_t kTailBytes = 4096;
constexpr auto kBatchTime = std::chrono::milliseconds(250);

std::string_view bytesOf(const std::vector<float> &values)
{
    return { reinterpret_cast<const char *>(values.data()), values.size() * sizeof(float) };
}

std::vector<float> floatsOf(std::string_view bytes)
{
    std::vector<float> values(bytes.size() / sizeof(float));
    if (!values.empty())
        std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
    return values;
}

std::string tailOf(std::string_view bytes)
{
    const Hash hash = hashOf(bytes.substr(bytes.size() - std::min(bytes.size(), kTailBytes)));
    std::string tail(sizeof hash, '\0');
    std::memcpy(tail.data(), &hash, sizeof hash);
    return tail;
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

struct KnownFile {
    int64_t id = 0;
    uint64_t size = 0;
    int64_t changed = 0;
    std::string tail;
    bool isSeen = false;
};

Error writeFailure(const IndexDatabase &database)
{
    return { ErrorKind::NotWritable, "The index of sessions cannot be written: " + database.lastError() + ".", {} };
}

/// Writes what threads have computed, in batches of a quarter of a second, so that lists grow while files are read,
/// few transactions are needed, and none is open while a file is read.
class Batches final {
public:
    Batches(const IndexDatabase &database, const UpdateOptions &options)
        : m_database(database)
        , m_options(options)
    {
    }

    /// `write` runs later inside a transaction, never two at once.
    void add(std::function<void()> write)
    {
        const std::scoped_lock lock(m_mutex);
        m_waiting.push_back(std::move(write));
        if (std::chrono::steady_clock::now() - m_last > kBatchTime)
            flush();
    }

    [[nodiscard]] std::optional<Error> finish()
    {
        const std::scoped_lock lock(m_mutex);
        flush();
        return m_error;
    }

private:
    void flush()
    {
        if (!m_waiting.empty() && !m_error) {
            Transaction transaction(m_database);
            if (transaction.isOpen()) {
                for (const auto &write : m_waiting)
                    write();
            }
            if (!transaction.commit())
                m_error = writeFailure(m_database);
            if (m_options.changed)
                m_options.changed();
        }
        m_waiting.clear();
        m_last = std::chrono::steady_clock::now();
    }

    const IndexDatabase &m_database;
    const UpdateOptions &m_options;
    std::mutex m_mutex;
    std::vector<std::function<void()>> m_waiting;
    std::chrono::steady_clock::time_point m_last = std::chrono::steady_clock::now();
    std::optional<Error> m_error;
};

/// The statements that replace what is known of a file.
class FileWriter final {
public:
    explicit FileWriter(const IndexDatabase &database)
        : m_database(database)
    {
    }

    /// Forgets everything of a file but its own row.
    void clear(int64_t file)
    {
        m_clearTexts.bind(file * SessionIndex::kBlocksOfFile).bind((file + 1) * SessionIndex::kBlocksOfFile).run();
        m_clearKept.bind(file * SessionIndex::kBlocksOfFile).bind((file + 1) * SessionIndex::kBlocksOfFile).run();
        m_clearBlocks.bind(file * SessionIndex::kBlocksOfFile).bind((file + 1) * SessionIndex::kBlocksOfFile).run();
        m_clearEntries.bind(file).run();
        m_clearCosts.bind(file).run();
        m_clearFindings.bind(file).run();
    }
    void forget(int64_t file)
    {
        clear(file);
        m_forget.bind(file).run();
    }
    /// Replaces the row of a file; returns its number. Another program may have made one meanwhile.
    int64_t put(const SessionFile &file, const std::string &tail, const std::string &problem)
    {
        if (const auto before = numberOf(file.path))
            forget(*before);
        m_putFile.bind(file.path)
            .bind(static_cast<int64_t>(file.size))
            .bind(file.changed)
            .bindBytes(tail)
            .bind(problem);
        m_putFile.run();
        return numberOf(file.path).value_or(0);
    }
    void touch(int64_t file, int64_t changed) { m_touch.bind(changed).bind(file).run(); }

    void put(int64_t file, const SessionEntry &entry)
    {
        m_putEntry.bind(file)
            .bind(static_cast<int64_t>(entry.thread))
            .bind(entry.id)
            .bind(entry.format)
            .bind(entry.harness)
            .bind(entry.model)
            .bind(entry.title)
            .bind(entry.folder)
            .bind(entry.begin)
            .bind(entry.end)
            .bind(static_cast<int64_t>(entry.calls))
            .bind(static_cast<int64_t>(entry.subagents))
            .bind(static_cast<int64_t>(entry.typed))
            .bind(entry.peak)
            .bind(int64_t { entry.isPeakRecorded })
            .bind(entry.window)
            .bind(entry.cost)
            .bind(entry.subagentCost)
            .bind(int64_t { entry.isCostPartial })
            .bind(entry.lastTyped)
            .bindBytes(bytesOf(entry.curve))
            .bindBytes(bytesOf(entry.compactions))
            .bind(entry.branch)
            .bind(static_cast<int64_t>(entry.originKind))
            .bind(entry.originId);
        m_putEntry.run();
        for (const DayCost &day : entry.days) {
            m_putCost.bind(file)
                .bind(int64_t { entry.thread })
                .bind(int64_t { day.day })
                .bind(day.model)
                .bind(static_cast<int64_t>(day.calls))
                .bind(static_cast<int64_t>(day.tokens))
                .bind(day.cost);
            m_putCost.run();
        }
    }

private:
    std::optional<int64_t> numberOf(const std::string &path)
    {
        m_findFile.bind(path);
        const auto number = m_findFile.step() ? std::optional(m_findFile.integer(0)) : std::nullopt;
        m_findFile.reset();
        return number;
    }

    const IndexDatabase &m_database;
    Statement m_clearTexts
        = m_database.prepare("DELETE FROM texts WHERE rowid IN (SELECT id FROM blocks WHERE id >= ? AND id < ?)");
    Statement m_clearKept = m_database.prepare("DELETE FROM kept WHERE id >= ? AND id < ?");
    Statement m_clearBlocks = m_database.prepare("DELETE FROM blocks WHERE id >= ? AND id < ?");
    Statement m_clearEntries = m_database.prepare("DELETE FROM entries WHERE file = ?");
    Statement m_clearCosts = m_database.prepare("DELETE FROM costs WHERE file = ?");
    Statement m_clearFindings = m_database.prepare("DELETE FROM findings WHERE file = ?");
    Statement m_forget = m_database.prepare("DELETE FROM files WHERE id = ?");
    Statement m_putFile
        = m_database.prepare("INSERT INTO files(path, size, changed, tail, problem) VALUES(?, ?, ?, ?, nullif(?, ''))");
    Statement m_findFile = m_database.prepare("SELECT id FROM files WHERE path = ?");
    Statement m_touch = m_database.prepare("UPDATE files SET changed = ? WHERE id = ?");
    Statement m_putCost = m_database.prepare("INSERT OR REPLACE INTO costs VALUES(?, ?, ?, ?, ?, ?, ?)");
    Statement m_putEntry = m_database.prepare("INSERT OR REPLACE INTO entries VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                                              "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
};

std::unordered_map<std::string, KnownFile> knownFiles(const IndexDatabase &database)
{
    std::unordered_map<std::string, KnownFile> known;
    Statement rows = database.prepare("SELECT id, path, size, changed, tail FROM files");
    while (rows.step()) {
        known.emplace(rows.string(1),
            KnownFile { rows.integer(0), static_cast<uint64_t>(rows.integer(2)), rows.integer(3), rows.string(4) });
    }
    return known;
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
    Statement rows = database.prepare("SELECT id, path, size FROM files WHERE problem IS NULL AND "
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
    entry.curve = floatsOf(row.text(20));
    entry.compactions = floatsOf(row.text(21));
    entry.branch = row.string(22);
    entry.originKind = static_cast<Origin::Kind>(std::clamp<int64_t>(row.integer(23), 0, 2));
    entry.originId = row.string(24);
    return entry;
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
    std::vector<const SessionFile *> changed;
    for (const SessionFile &file : files) {
        const auto found = known.find(file.path);
        if (found != known.end())
            found->second.isSeen = true;
        if (!isPricedAlike || found == known.end() || found->second.size != file.size
            || found->second.changed != file.changed)
            changed.push_back(&file);
    }
    FileWriter writer(m_database);
    Batches batches(m_database, options);
    std::atomic<size_t> ready { 0 };
    std::atomic<uint64_t> bytes { 0 };
    parallelFor(changed.size(), options.threads, [&](unsigned, size_t i) {
        if (isCancelled(options.progress))
            return;
        const SessionFile &file = *changed[i];
        const auto found = known.find(file.path);
        const KnownFile *before = found == known.end() ? nullptr : &found->second;
        // Of a touched file only the tail is read.
        const auto source = before == nullptr ? Source::open(file.path) : Source::openMapped(file.path);
        const std::string tail = source ? tailOf((*source)->bytes()) : std::string();
        // The log beside a database can change in the middle.
        const bool isAppended = !file.path.ends_with(".db");
        if (isPricedAlike && isAppended && before != nullptr && before->size == file.size && before->tail == tail) {
            batches.add([&writer, &file, id = before->id] { writer.touch(id, file.changed); });
        } else {
            const auto session
                = source ? loadSession(*source, options.progress) : Result<SessionPtr>(std::unexpected(source.error()));
            if (!session && session.error().kind == ErrorKind::Cancelled)
                return;
            std::vector<SessionEntry> entries;
            if (session)
                entries = entriesOf(*session, file.path, prices);
            const std::string problem = !session ? session.error().message
                : entries.empty()                ? std::string("The file has no call and no message.")
                                                 : std::string();
            batches.add([&writer, &file, tail, problem, entries] {
                const int64_t id = writer.put(file, tail, problem);
                for (const SessionEntry &entry : entries)
                    writer.put(id, entry);
            });
            bytes += file.size;
        }
        if (options.progress != nullptr)
            options.progress->setFraction(static_cast<double>(++ready) / static_cast<double>(changed.size()));
    });
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
    done.read = changed.size();
    done.bytesRead = bytes;
    return done;
}

Result<IndexUpdate> SessionIndex::addTexts(const UpdateOptions &options)
{
    TextWriter writer(m_database);
    Batches batches(m_database, options);
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
    Statement mark = m_database.prepare("UPDATE files SET has_findings = 1 WHERE id = ?");
    Batches batches(m_database, options);
    const auto take = [&](const Waiting &file, const SessionPtr &session) {
        const auto findings
            = findFindings(session, countedTokens(*session, 1, options.progress), prices, nullptr, options.progress);
        if (!findings)
            return;
        batches.add([&, file, findings = *findings] {
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
        "total(problem IS NULL AND has_findings = 0) FROM files");
    if (counts.step()) {
        known.files = static_cast<size_t>(counts.integer(0));
        known.bytes = static_cast<uint64_t>(counts.number(1));
        known.otherFiles = static_cast<size_t>(counts.number(2));
        known.withoutTexts = static_cast<size_t>(counts.number(3));
        known.withoutFindings = static_cast<size_t>(counts.number(4));
    }
    using Owner = std::pair<int64_t, int64_t>; // file and thread
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
    Statement rows = m_database.prepare(
        "SELECT f.path, e.thread, e.id, e.format, e.harness, e.model, e.title, e.folder, e.begin, e.end, e.calls, "
        "e.subagents, e.typed, e.peak, e.is_peak_recorded, e.window, e.cost, e.subagent_cost, e.is_cost_partial, "
        "e.last_typed, e.curve, e.compactions, e.branch, e.origin_kind, e.origin_id, f.has_findings, f.id "
        "FROM entries e JOIN files f ON f.id = e.file ORDER BY coalesce(e.end, f.changed / 1000000) DESC, f.path, "
        "e.thread");
    while (rows.step()) {
        SessionEntry entry = entryOf(rows);
        const Owner owner { rows.integer(26), rows.integer(1) };
        if (rows.integer(25) != 0)
            entry.findings = std::move(findings[owner]);
        entry.days = std::move(costs[owner]);
        known.entries.push_back(std::move(entry));
    }
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
        if (found != known.end() && found->second.size == file.size && found->second.changed == file.changed) {
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
