// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/index/file_reading.h"

#include "core/base/hash.h"
#include "core/base/parallel.h"
#include "core/formats/reading/format.h"
#include "core/index/session_head.h"

#include <algorithm>
#include <cstring>

namespace core {

namespace {

constexpr size_t kTailBytes = 4096;

std::string tailOf(std::string_view bytes)
{
    const Hash hash = hashOf(bytes.substr(bytes.size() - std::min(bytes.size(), kTailBytes)));
    std::string tail(sizeof hash, '\0');
    std::memcpy(tail.data(), &hash, sizeof hash);
    return tail;
}

} // namespace

std::unordered_map<std::string, KnownFile> knownFiles(const IndexDatabase &database)
{
    std::unordered_map<std::string, KnownFile> known;
    Statement rows = database.prepare("SELECT id, path, size, changed, tail, is_head FROM files");
    while (rows.step()) {
        known.emplace(rows.string(1),
            KnownFile { rows.integer(0), static_cast<uint64_t>(rows.integer(2)), rows.integer(3), rows.string(4),
                rows.integer(5) != 0 });
    }
    return known;
}

template <typename Read>
void FileReading::forEach(const std::vector<ChangedFile> &files, const Read &read)
{
    parallelFor(files.size(), m_options.threads, [&](unsigned, size_t i) {
        if (!isCancelled(m_options.progress))
            read(files[i]);
    });
}

void FileReading::run(const std::vector<ChangedFile> &changed, IndexUpdate &done)
{
    m_count = changed.size();
    const auto isLarge = [](const ChangedFile &each) { return each.file->size > SessionHead::kBytes; };
    std::vector<ChangedFile> soon; // new files: the small ones whole, of the large ones both ends
    std::vector<ChangedFile> rest;
    for (const ChangedFile &each : changed) {
        if (each.before == nullptr)
            soon.push_back(each);
        if (each.before != nullptr || isLarge(each))
            rest.push_back(each);
    }
    forEach(soon, [&](const ChangedFile &each) {
        if (isLarge(each))
            readHead(*each.file);
        else
            readWhole(each);
    });
    forEach(rest, [&](const ChangedFile &each) { readWhole(each); });
    done.read = changed.size();
    done.bytesRead = m_bytes;
    done.heads = m_heads;
    done.headBytesRead = m_headBytes;
}

void FileReading::readHead(const SessionFile &file)
{
    SessionHead head = headOf(file);
    m_headBytes += head.bytesRead;
    if (head.entries.empty())
        return;
    ++m_heads;
    m_batches.add([&writer = m_writer, &file, entries = std::move(head.entries)] { writer.putHead(file, entries); });
}

void FileReading::readWhole(const ChangedFile &changed)
{
    const SessionFile &file = *changed.file;
    const KnownFile *before = changed.before;
    // Of a touched file only the tail is read.
    const auto source = before == nullptr ? Source::open(file.path) : Source::openMapped(file.path);
    const std::string tail = source ? tailOf((*source)->bytes()) : std::string();
    // The log beside a database can change in the middle.
    const bool isAppended = !file.path.ends_with(".db");
    if (m_isPricedAlike && isAppended && before != nullptr && !before->isHead && before->size == file.size
        && before->tail == tail) {
        m_batches.add([&writer = m_writer, &file, id = before->id] { writer.touch(id, file.changed); });
    } else {
        const auto session
            = source ? loadSession(*source, m_options.progress) : Result<SessionPtr>(std::unexpected(source.error()));
        if (!session && session.error().kind == ErrorKind::Cancelled)
            return;
        std::vector<SessionEntry> entries;
        if (session)
            entries = entriesOf(*session, file.path, m_prices);
        const std::string problem = !session ? session.error().message
            : entries.empty()                ? std::string("The file has no call and no message.")
                                             : std::string();
        m_batches.add([&writer = m_writer, &file, tail, problem, entries] {
            const int64_t id = writer.put(file, tail, problem);
            for (const SessionEntry &entry : entries)
                writer.put(id, entry);
        });
        m_bytes += file.size;
    }
    if (m_options.progress != nullptr)
        m_options.progress->setFraction(static_cast<double>(++m_ready) / static_cast<double>(m_count));
}

} // namespace core
