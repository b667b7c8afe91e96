// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/commit.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace core {

namespace {

std::string stageName(const Compaction &compaction, size_t stage)
{
    if (!compaction.policy)
        return "observed";
    return stage < compaction.policy->stages.size() ? compaction.policy->stages[stage].stage : "override";
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

std::string differenceOf(const Compaction &compaction, const Artifact &artifact)
{
    const std::string text = compaction.textOf(artifact);
    const Session &session = *compaction.before.session();
    if (artifact.blocks.size() == 1 && session.text(session.block(artifact.blocks.front()).body) == text)
        return {};
    size_t missing = 0;
    size_t next = 0; // the texts stand there in the order of the blocks, mostly
    for (const BlockId id : artifact.blocks) {
        const std::string each = session.text(session.block(id).body);
        size_t at = text.find(each, next);
        if (at == std::string::npos)
            at = text.find(each);
        if (at == std::string::npos)
            ++missing;
        else
            next = at + each.size();
    }
    if (artifact.blocks.empty())
        return "It holds a summary, nothing of the messages themselves.";
    if (missing == 0)
        return "It holds every text word for word, in the harness's own form.";
    return "Of " + groupedNumber(artifact.blocks.size()) + " blocks it lacks the text of " + groupedNumber(missing)
        + ", or holds it clipped.";
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
        if (names.insert(original).second)
            stored.originals.push_back({ original, session.rawBody(session.block(id).body) });
    }
    for (const auto &[original, bytes] : options.moreOriginals) {
        if (names.insert(original).second)
            stored.originals.push_back({ original, bytes });
    }
    std::vector<std::string> texts;
    texts.reserve(compaction.artifacts.size()); // the views into them stay
    for (const Artifact &artifact : compaction.artifacts) {
        texts.push_back(compaction.textOf(artifact));
        LedgerArtifact entry;
        entry.name = artifact.name;
        entry.difference = differenceOf(compaction, artifact);
        entry.isSameAsOriginal = entry.difference.empty();
        const Recovery &recovery = recoveries.artifacts[stored.artifacts.size()];
        entry.recoverableFrom = recovery.from;
        entry.fetchedBackAt = recovery.fetchedBackAt;
        stored.artifacts.push_back({ std::move(entry), texts.back() });
    }
    for (const Rewrite &rewrite : compaction.rewrites) {
        LedgerRewrite entry;
        entry.pointer = rewrite.pointer;
        entry.stage = stageName(compaction, rewrite.stage);
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
