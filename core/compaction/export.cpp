// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/export.h"

#include "core/base/new_file.h"
#include "core/writing/opencode_writer.h"
#include "core/writing/session_ids.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace core {

namespace {

std::string fileName(const std::string &path) { return path.substr(path.find_last_of('/') + 1); }

/// The normalised path. Does not follow links.
std::filesystem::path placeOf(const std::filesystem::path &path)
{
    std::error_code error;
    const std::filesystem::path place = std::filesystem::absolute(path, error).lexically_normal();
    return place.has_filename() ? place : place.parent_path();
}

/// Why the file cannot hold the change; reports the first problem. A file with some of the changes would be neither the
/// `before` array nor the `after` array.
std::string whyNotWhole(const Compaction &compaction, const std::vector<SpliceProblem> &problems)
{
    const Transcript &before = compaction.before;
    const auto slotOf = [&](const SpliceProblem &each) {
        return each.block.isValid() ? before.slotOf(each.block) : before.slotOf(each.message);
    };
    const SpliceProblem *first = &problems.front();
    for (const SpliceProblem &each : problems) {
        if (slotOf(each).isValid() && (!slotOf(*first).isValid() || slotOf(each) < slotOf(*first)))
            first = &each;
    }
    const SlotIndex slot = slotOf(*first);
    const std::string count = groupedNumber(problems.size());
    return "The file cannot hold " + (problems.size() == 1 ? "a change" : count + " of the changes")
        + ", so nothing was written"
        + (slot.isValid()
                ? (problems.size() == 1 ? ": at [" : "; the first is at [") + std::to_string(slot.value()) + "]"
                : std::string())
        + ": " + first->sentence;
}

double addedTokens(const Compaction &compaction)
{
    double added = 0;
    for (const BlockId id : compaction.after.blocks())
        added += compaction.afterTokens->of(id);
    for (const BlockId id : compaction.before.blocks())
        added -= compaction.afterTokens->of(id);
    return added;
}

/// The bytes of the new file, and the splices to rebuild the old one.
Result<std::string> writeSession(
    const Compaction &compaction, const ExportOptions &options, CommitOptions &commitOptions, Exported &result)
{
    const Session &session = *compaction.before.session();
    const std::string where = options.file.string();
    auto spliced = spliceSession(session, editsOf(compaction, options.position));
    if (!spliced)
        return std::unexpected(spliced.error());
    if (!spliced->problems.empty())
        return failure(
            ErrorKind::Internal, whyNotWhole(compaction, spliced->problems), session.sources.front()->name());
    if (!options.sessionId.empty() || options.position.isEnd()) {
        spliced = asNewSession(session, *spliced, { options.sessionId, addedTokens(compaction) });
        if (!spliced)
            return std::unexpected(spliced.error());
    }
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
            ErrorKind::Internal, "The old file cannot be rebuilt from the new one; nothing was written.", where);
    result.notes = std::move(spliced->notes);
    return std::move(spliced->bytes);
}

/// The same in the shape of another API, or as a file that a harness takes in. The whole session file becomes one
/// original.
Result<std::string> writeShape(
    const Compaction &compaction, const ExportOptions &options, CommitOptions &commitOptions, Exported &result)
{
    const Session &session = *compaction.before.session();
    WrittenMessages written = options.takenIn
        ? writeOpencodeExport(compaction.after, session.thread(options.position.thread), *options.takenIn)
        : writeMessages(compaction.after, *options.shape, preludeAt(session, options.position));
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
    const auto insert = [&](BlockId id, MessageId message, bool isBehind) {
        const Block &block = after.block(id);
        edits.insertions.push_back({ message, after.message(block.message).role, after.text(block.body),
            block.is(BlockFlag::Summary), isBehind });
    };
    for (const auto &[id, before] : added)
        insert(id, before, false);
    // A summary of everything replaces the last message; what the user wrote stands behind it, if it stays.
    const MessageId last
        = compaction.before.isEmpty() ? MessageId() : session.block(compaction.before.blocks().back()).message;
    for (const BlockId id : pending)
        insert(id, last, !dropped.contains(last));
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
    std::optional<NewFile> file; // complete in its temporary place while the originals are stored
    result.store
        = options.store.empty() ? std::filesystem::path(options.file.string() + ".originals.git") : options.store;
    if (!options.file.empty()) {
        if (placeOf(result.store) == placeOf(options.file))
            return failure(
                ErrorKind::NotWritable, "The new file and its store cannot have the same path.", options.file.string());
        if (const auto free = NewFile::check(options.file); !free)
            return std::unexpected(free.error());
        const auto made = options.shape || options.takenIn ? writeShape(compaction, options, commitOptions, result)
                                                           : writeSession(compaction, options, commitOptions, result);
        if (!made)
            return std::unexpected(made.error());
        FileIdentity identity;
        identity.file = fileName(options.file.string());
        identity.format = options.takenIn ? std::string(kOpencodeExportFormat)
            : options.shape               ? std::string(formatOf(*options.shape))
                                          : session.format;
        identity.bytes = made->size();
        identity.hash = contentHash(*made);
        commitOptions.exported = identity;
        result.file = std::move(identity);
        auto written = NewFile::write(options.file, *made, options.permissions);
        if (!written)
            return std::unexpected(written.error());
        file.emplace(std::move(*written));
    }
    auto store = Store::openOrCreate(result.store);
    if (!store)
        return std::unexpected(store.error());
    auto info = commit(compaction, *store, commitOptions);
    if (!info)
        return std::unexpected(info.error());
    result.commit = std::move(*info);
    if (file) {
        if (const auto placed = file->putInPlace(); !placed)
            return std::unexpected(placed.error());
    }
    return result;
}

} // namespace core
