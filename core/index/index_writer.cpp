// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/index/index_writer.h"

#include "core/base/freed_memory.h"

namespace core {

namespace {

constexpr auto kBatchTime = std::chrono::milliseconds(250);
constexpr size_t kMostWaiting = 32; ///< files, whose sessions stay in memory
constexpr auto kReturnTime = std::chrono::seconds(1);

template <typename T>
std::string_view bytesOf(const std::vector<T> &values)
{
    return { reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T) };
}

Error writeFailure(const IndexDatabase &database)
{
    if (database.isDamaged())
        return { ErrorKind::Malformed, "The index of sessions is damaged. The next run makes it anew.", {} };
    return { ErrorKind::NotWritable, "The index of sessions cannot be written: " + database.lastError() + ".", {} };
}

} // namespace

void IndexBatches::add(std::function<void()> write)
{
    const std::scoped_lock lock(m_mutex);
    m_waiting.push_back(std::move(write));
    if (m_waiting.size() >= kMostWaiting || std::chrono::steady_clock::now() - m_last > kBatchTime)
        flush();
}

std::optional<Error> IndexBatches::finish()
{
    const std::scoped_lock lock(m_mutex);
    flush();
    returnFreedMemory();
    return m_error;
}

void IndexBatches::flush()
{
    if (!m_waiting.empty() && !m_error) {
        // All or nothing: after an error SQLite may have undone the transaction, and would keep what comes behind.
        m_database.forgetFailure();
        Transaction transaction(m_database);
        for (size_t i = 0; transaction.isOpen() && i < m_waiting.size() && !m_database.hasFailed(); ++i)
            m_waiting[i]();
        if (m_database.hasFailed() || !transaction.commit())
            m_error = writeFailure(m_database);
        if (m_options.changed)
            m_options.changed();
    }
    m_waiting.clear();
    m_last = std::chrono::steady_clock::now();
    if (m_last - m_returned > kReturnTime) {
        returnFreedMemory();
        m_returned = m_last;
    }
}

void FileWriter::clear(int64_t file)
{
    m_clearTexts.bind(file * SessionIndex::kBlocksOfFile).bind((file + 1) * SessionIndex::kBlocksOfFile).run();
    m_clearKept.bind(file * SessionIndex::kBlocksOfFile).bind((file + 1) * SessionIndex::kBlocksOfFile).run();
    m_clearBlocks.bind(file * SessionIndex::kBlocksOfFile).bind((file + 1) * SessionIndex::kBlocksOfFile).run();
    m_clearUnsure.bind(file * SessionIndex::kBlocksOfFile).bind((file + 1) * SessionIndex::kBlocksOfFile).run();
    m_clearEntries.bind(file).run();
    m_clearCosts.bind(file).run();
    m_clearBilled.bind(file).run();
    m_clearFindings.bind(file).run();
}

void FileWriter::forget(int64_t file)
{
    clear(file);
    m_forget.bind(file).run();
}

void FileWriter::insert(const SessionFile &file, const std::string &tail, const std::string &problem, bool isHead)
{
    m_putFile.bind(file.path)
        .bind(static_cast<int64_t>(file.size))
        .bind(file.changed)
        .bindBytes(tail)
        .bind(problem)
        .bind(int64_t { isHead });
    m_putFile.run();
}

std::optional<int64_t> FileWriter::numberOf(const std::string &path)
{
    m_findFile.bind(path);
    const auto number = m_findFile.step() ? std::optional(m_findFile.integer(0)) : std::nullopt;
    m_findFile.reset();
    return number;
}

int64_t FileWriter::put(const SessionFile &file, const std::string &tail, const std::string &problem)
{
    if (const auto before = numberOf(file.path))
        forget(*before);
    insert(file, tail, problem, false);
    return numberOf(file.path).value_or(0);
}

void FileWriter::putHead(const SessionFile &file, const std::vector<SessionEntry> &entries)
{
    if (numberOf(file.path))
        return;
    insert(file, {}, {}, true);
    const int64_t id = numberOf(file.path).value_or(0);
    for (const SessionEntry &entry : entries)
        put(id, entry);
}

void FileWriter::put(int64_t file, const SessionEntry &entry)
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
    if (!entry.billed.empty()) {
        m_putBilled.bind(file)
            .bind(int64_t { entry.thread })
            .bind(static_cast<int64_t>(entry.billed.front().key))
            .bindBytes(bytesOf(entry.billed));
        m_putBilled.run();
    }
}

} // namespace core
