// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/commit.h"

#include "core/base/counted.h"
#include "core/compaction/texts.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <unordered_map>

namespace core {

namespace {

/// Whether a commit was an earlier round of the same session: it exported this session, or it was made at an earlier
/// call of this session (or of the file with this name, which has grown since).
bool isEarlierRound(const Ledger &earlier, const Ledger &now)
{
    if (earlier.exported && earlier.exported->hash == now.session.hash)
        return true;
    const bool isSameFile = earlier.session.hash == now.session.hash;
    const bool hasGrown = earlier.session.file == now.session.file && earlier.session.format == now.session.format
        && earlier.session.bytes < now.session.bytes;
    if (!isSameFile && !hasGrown)
        return false;
    const bool isAtEnd = !now.call.isValid();
    return earlier.thread == now.thread
        && (isAtEnd ? hasGrown || earlier.call.isValid() : earlier.call.isValid() && earlier.call < now.call);
}

/// The text of the newest earlier round for each artifact that this commit appends to.
Result<std::map<std::string, std::string>> earlierTexts(
    const Compaction &compaction, const Store &store, const Ledger &now)
{
    std::map<std::string, std::string> texts;
    std::set<std::string> wanted;
    for (const Artifact &artifact : compaction.artifacts) {
        if (artifact.isAppended)
            wanted.insert(artifact.name);
    }
    if (wanted.empty())
        return texts;
    const auto commits = store.commits();
    if (!commits)
        return std::unexpected(commits.error());
    for (const CommitInfo &info : std::views::reverse(*commits)) {
        const auto earlier = store.ledger(info);
        if (!earlier)
            return std::unexpected(earlier.error());
        if (!isEarlierRound(*earlier, now))
            continue;
        for (const LedgerArtifact &each : earlier->artifacts) {
            if (!wanted.contains(each.name))
                continue;
            auto text = store.readPath(info, each.path);
            if (!text)
                return std::unexpected(text.error());
            texts[each.name] = std::move(*text);
            wanted.erase(each.name);
        }
        if (wanted.empty())
            break;
    }
    return texts;
}

} // namespace

std::string originalName(const Session &session, BlockId block)
{
    const MessageId message = session.block(block).message;
    const auto first = session.message(message).first;
    return "#" + std::to_string(message.value()) + "-" + std::to_string(block.value() - first.value());
}

std::vector<BlockId> rewrittenBlocks(const Compaction &compaction)
{
    std::set<BlockId> blocks;
    for (const Rewrite &rewrite : compaction.rewrites) {
        if (rewrite.block.isValid())
            blocks.insert(rewrite.block);
    }
    return { blocks.begin(), blocks.end() };
}

std::string differenceOf(const Compaction &compaction, const Artifact &artifact, std::string_view text)
{
    if (compaction.isSameAsOriginal(artifact, text))
        return {};
    const Session &session = *compaction.before.session();
    size_t missing = 0;
    OrderedFinder finder(text);
    for (const BlockId id : artifact.blocks)
        missing += finder.holds(session.text(session.block(id).body)) ? 0 : 1;
    if (artifact.blocks.empty())
        return "It contains a summary, but no text of the messages.";
    if (missing == 0)
        return "It contains every text word for word, in the harness's own format.";
    return "The text of " + groupedNumber(missing) + " of " + counted(artifact.blocks.size(), "block")
        + " is missing or clipped.";
}

Result<CommitInfo> commit(const Compaction &compaction, Store &store, const CommitOptions &options)
{
    const Session &session = *compaction.before.session();
    StoredCompaction stored;
    stored.seconds = options.seconds;
    stored.policy = compaction.policy ? compaction.policy->document : "{}";
    Ledger &ledger = stored.ledger;
    const SourcePtr &source = session.sources.front();
    const std::string_view name = source->name();
    ledger.session.file = std::string(name.substr(name.find_last_of('/') + 1));
    ledger.session.format = session.format;
    ledger.session.bytes = source->bytes().size();
    ledger.session.hash = contentHash(source->bytes());
    ledger.exported = options.exported;
    ledger.splices = options.splices;
    ledger.thread = options.position.thread;
    ledger.call = options.position.call;
    ledger.policy = compaction.policy ? compaction.policy->id : "observed";

    const Recoveries recoveries = recoveriesOf(
        compaction, { options.position.thread, options.position.call, folderOf(session, options.folder) });
    std::set<std::string> names;
    for (const BlockId id : rewrittenBlocks(compaction)) {
        const std::string original = originalName(session, id);
        const Block &block = session.block(id);
        const bool isSealed = block.body.coding == Coding::Base64 && block.is(BlockFlag::Encrypted);
        if (names.insert(original).second)
            stored.originals.push_back(
                { original, session.rawBody(block.body), isSealed ? Coding::JsonString : block.body.coding });
    }
    for (const auto &[original, bytes] : options.moreOriginals) {
        if (names.insert(original).second)
            stored.originals.push_back({ original, bytes });
    }
    auto earlier = earlierTexts(compaction, store, ledger);
    if (!earlier)
        return std::unexpected(earlier.error());
    std::vector<std::string> texts;
    texts.reserve(compaction.artifacts.size()); // keeps views into the texts valid
    for (const Artifact &artifact : compaction.artifacts) {
        const std::string before = artifact.isAppended ? (*earlier)[artifact.name] : std::string();
        const std::string own = compaction.textOf(artifact);
        texts.push_back(before + own);
        if (artifact.isAppended)
            (*earlier)[artifact.name] = texts.back(); // a stage may append twice
        LedgerArtifact entry;
        entry.name = artifact.name;
        entry.difference = differenceOf(compaction, artifact, own);
        if (!before.empty())
            entry.difference += (entry.difference.empty() ? "" : " ") + std::string("It was appended to earlier text.");
        entry.isSameAsOriginal = entry.difference.empty();
        const Recovery &recovery = recoveries.artifacts[stored.artifacts.size()];
        entry.recoverableFrom = recovery.from;
        entry.fetchedBackAt = recovery.fetchedBackAt;
        stored.artifacts.push_back({ std::move(entry), texts.back() });
    }
    for (const Rewrite &rewrite : compaction.rewrites) {
        LedgerRewrite entry;
        entry.pointer = rewrite.pointer;
        entry.stage = compaction.stageName(rewrite.stage);
        entry.why = rewrite.why;
        entry.beforeCharacters = rewrite.before.codePoints;
        entry.afterCharacters = rewrite.after.codePoints;
        if (rewrite.block.isValid()) {
            entry.block = rewrite.block;
            entry.message = session.block(rewrite.block).message;
            entry.slot = compaction.before.slotOf(rewrite.block);
            entry.original = originalName(session, rewrite.block);
            entry.recoverableFrom = recoveries.rewrites[ledger.rewrites.size()].from;
            entry.fetchedBackAt = recoveries.rewrites[ledger.rewrites.size()].fetchedBackAt;
        }
        if (rewrite.artifact)
            entry.artifact = compaction.artifacts[*rewrite.artifact].name;
        ledger.rewrites.push_back(std::move(entry));
    }
    if (const auto torn = session.torn())
        return std::unexpected(*torn);
    return store.commit(stored);
}

} // namespace core
