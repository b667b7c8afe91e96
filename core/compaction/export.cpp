// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/export.h"

#include "core/base/new_file.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace core {

namespace {

std::string fileName(const std::string &path) { return path.substr(path.find_last_of('/') + 1); }

/// Something new stands behind the last message, and that message stays.
bool endsBehindWhatStays(const Compaction &compaction)
{
    if (compaction.origins.empty() || compaction.origins.back().isValid())
        return false;
    const Session &session = *compaction.before.session();
    const MessageId last = session.block(compaction.before.blocks().back()).message;
    return std::ranges::any_of(
        compaction.origins, [&](BlockId origin) { return origin.isValid() && session.block(origin).message == last; });
}

/// The bytes of the new file, and how the old one comes back out of it.
Result<std::string> writeSession(
    const Compaction &compaction, const ExportOptions &options, CommitOptions &commitOptions, Exported &result)
{
    const Session &session = *compaction.before.session();
    const std::string where = options.file.string();
    if (endsBehindWhatStays(compaction))
        return failure(ErrorKind::Usage,
            "The array after ends with a message that was not there before; the file has no place for it.", where);
    auto spliced = spliceSession(session, editsOf(compaction, options.position));
    if (!spliced)
        return std::unexpected(spliced.error());
    const std::string_view source = session.sources.front()->bytes();
    std::vector<std::string_view> removed;
    for (size_t i = 0; i < spliced->inverse.size(); ++i) {
        const InverseSplice &splice = spliced->inverse[i];
        const std::string name = "splice-" + std::to_string(i);
        removed.push_back(source.substr(splice.originalOffset, splice.originalSize));
        const bool isEmpty = removed.back().empty();
        commitOptions.splices.push_back(
            { {}, splice.at, splice.length, splice.originalOffset, isEmpty ? std::string() : name });
        if (!isEmpty)
            commitOptions.moreOriginals.emplace_back(name, std::string(removed.back()));
    }
    const auto back = unsplice(spliced->bytes, spliced->inverse, removed);
    if (!back || *back != source)
        return failure(
            ErrorKind::Internal, "The new file would not lead back to the old one; nothing was written.", where);
    result.leftOut = spliced->problems.size();
    for (const SpliceProblem &problem : spliced->problems)
        result.notes.push_back(problem.sentence);
    result.notes.insert(result.notes.end(), spliced->notes.begin(), spliced->notes.end());
    return std::move(spliced->bytes);
}

/// The same of the array in another shape. All of the file stands for all of the session.
Result<std::string> writeShape(
    const Compaction &compaction, const ExportOptions &options, CommitOptions &commitOptions, Exported &result)
{
    const Session &session = *compaction.before.session();
    WrittenMessages written = writeMessages(compaction.after, *options.shape, preludeAt(session, options.position));
    result.notes = std::move(written.notes);
    const std::string_view source = session.sources.front()->bytes();
    commitOptions.splices.push_back({ {}, 0, written.json.size(), 0, source.empty() ? "" : "splice-0" });
    if (!source.empty())
        commitOptions.moreOriginals.emplace_back("splice-0", std::string(source));
    return std::move(written.json);
}

} // namespace

SpliceEdits editsOf(const Compaction &compaction, Position position)
{
    SpliceEdits edits;
    edits.at = position;
    const Session &session = *compaction.before.session();
    const Session &after = *compaction.after.session();
    std::unordered_map<BlockId, BlockId> standing; // by origin
    std::vector<std::pair<BlockId, MessageId>> added;
    std::vector<BlockId> pending;
    for (size_t i = 0; i < compaction.origins.size(); ++i) {
        const BlockId origin = compaction.origins[i];
        const BlockId now = compaction.after.blocks()[i];
        if (!origin.isValid()) {
            pending.push_back(now);
            continue;
        }
        standing[origin] = now;
        for (const BlockId id : pending)
            added.emplace_back(id, session.block(origin).message);
        pending.clear();
    }
    std::unordered_map<MessageId, size_t> gone;
    std::unordered_map<MessageId, size_t> present;
    for (const BlockId id : compaction.before.blocks()) {
        ++present[session.block(id).message];
        const auto found = standing.find(id);
        if (found == standing.end())
            ++gone[session.block(id).message];
        else if (found->second != id)
            edits.replacements.push_back({ id, after.text(after.block(found->second).body) });
    }
    std::set<MessageId> dropped;
    for (const BlockId id : compaction.before.blocks()) {
        const MessageId message = session.block(id).message;
        if (standing.contains(id))
            continue;
        if (gone[message] == present[message] && present[message] == session.message(message).count)
            dropped.insert(message);
        else
            edits.droppedBlocks.push_back(id);
    }
    edits.droppedMessages.assign(dropped.begin(), dropped.end());
    // A summary of everything takes the place of the last message.
    for (const BlockId id : pending)
        added.emplace_back(id, session.block(compaction.before.blocks().back()).message);
    for (const auto &[id, before] : added) {
        const Block &block = after.block(id);
        edits.insertions.push_back(
            { before, after.message(block.message).role, after.text(block.body), block.is(BlockFlag::Summary) });
    }
    return edits;
}

Result<Exported> exportCompaction(const Compaction &compaction, const ExportOptions &options)
{
    const Session &session = *compaction.before.session();
    Exported result;
    CommitOptions commitOptions;
    commitOptions.position = options.position;
    commitOptions.seconds = options.seconds;
    commitOptions.folder = options.folder;
    std::string bytes;
    result.store
        = options.store.empty() ? std::filesystem::path(options.file.string() + ".originals.git") : options.store;
    if (!options.file.empty()) {
        if (std::filesystem::exists(options.file))
            return failure(
                ErrorKind::Usage, "The file is there already and is not overwritten.", options.file.string());
        const auto made = options.shape ? writeShape(compaction, options, commitOptions, result)
                                        : writeSession(compaction, options, commitOptions, result);
        if (!made)
            return std::unexpected(made.error());
        bytes = *made;
        FileIdentity identity;
        identity.file = fileName(options.file.string());
        identity.format = options.shape ? std::string(formatOf(*options.shape)) : session.format;
        identity.bytes = bytes.size();
        identity.hash = contentHash(bytes);
        commitOptions.exported = identity;
        result.file = std::move(identity);
    }
    auto store = Store::openOrCreate(result.store);
    if (!store)
        return std::unexpected(store.error());
    auto info = commit(compaction, *store, commitOptions);
    if (!info)
        return std::unexpected(info.error());
    result.commit = std::move(*info);
    if (!options.file.empty()) {
        if (auto written = writeNewFile(options.file, bytes); !written)
            return std::unexpected(written.error());
    }
    return result;
}

} // namespace core
