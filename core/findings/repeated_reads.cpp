// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/counted.h"
#include "core/edits/file_view.h"
#include "core/findings/finding_ground.h"
#include "core/findings/kinds.h"
#include "core/session/tool_deed.h"

#include <algorithm>
#include <map>

namespace core {

namespace {

constexpr double kLeastReread = 1'000; ///< tokens that were read again

/// The reads of one file.
struct Reads {
    std::vector<BlockId> results;
    std::vector<BlockId> repeats; ///< those that show what an earlier one showed, with no change between
    size_t afterLoss = 0;         ///< of `repeats`: the earlier text was no longer in context
};

/// The results that show a file, with its path: of read tools, and of commands that print one file and nothing else.
std::map<BlockId, std::string> readPathsOf(const FindingGround &ground)
{
    const Session &session = ground.session();
    std::map<StringId, BlockId> calls;
    std::map<BlockId, std::string> paths;
    for (const BlockId id : ground.uses.log) {
        const Block &block = session.block(id);
        if (block.kind == BlockKind::ToolCall)
            calls[block.callId] = id;
        const auto call = calls.find(block.callId);
        if (block.kind != BlockKind::ToolResult || block.is(BlockFlag::Error) || block.is(BlockFlag::Stub)
            || call == calls.end())
            continue;
        const Block &caller = session.block(call->second);
        switch (toolDeed(session, caller)) {
        case ToolDeed::Read:
            if (block.subject.isValid())
                paths[id] = session.pathInFolder(session.string(block.subject));
            break;
        case ToolDeed::Run:
            if (const auto view = fileViewOf(session, caller, block))
                paths[id] = session.pathInFolder(view->path);
            break;
        default:
            break;
        }
    }
    return paths;
}

/// Where edits of a file stand in the log.
std::map<std::string_view, std::vector<uint32_t>> changesOf(const FindingGround &ground)
{
    std::map<std::string_view, std::vector<uint32_t>> changes;
    for (const Edit &edit : ground.whole.edits.edits) {
        const bool isChange = edit.outcome == EditOutcome::Landed || edit.outcome == EditOutcome::Untold;
        const BlockId block = edit.origin == EditOrigin::Outside ? edit.result : edit.use;
        if (isChange && edit.thread == ground.threadIndex && block.isValid()
            && ground.places[block.index()] != FindingGround::kNone)
            changes[edit.path].push_back(ground.places[block.index()]);
    }
    return changes;
}

void findRepeatedReads(const FindingGround &ground, std::vector<Finding> &findings)
{
    const std::map<BlockId, std::string> paths = readPathsOf(ground);
    std::map<std::string_view, Reads> files;
    for (const BlockId id : ground.uses.log) {
        if (const auto path = paths.find(id); path != paths.end())
            files[path->second].results.push_back(id);
    }
    const auto changes = changesOf(ground);
    for (const Use &use : ground.uses.uses) {
        if (use.kind != UseKind::Repeat || !use.call.isValid())
            continue;
        const BlockId carrier = ground.uses.carrier(use);
        const auto path = paths.find(use.by);
        const auto before = paths.find(carrier);
        if (path == paths.end() || before == paths.end() || path->second != before->second)
            continue;
        const auto file = files.find(path->second);
        const uint32_t from = ground.places[carrier.index()];
        const uint32_t to = ground.places[use.by.index()];
        const auto changed = changes.find(file->first);
        const bool isChanged = changed != changes.end()
            && std::ranges::any_of(changed->second, [&](uint32_t place) { return from < place && place <= to; });
        if (isChanged)
            continue;
        file->second.repeats.push_back(use.by);
        file->second.afterLoss += ground.isSent(carrier, use.call.value()) ? 0 : 1;
    }
    for (const auto &[path, reads] : files) {
        if (reads.repeats.empty())
            continue;
        Finding made;
        double tokens = 0;
        for (const BlockId id : reads.repeats) {
            made.link(FindingLink::Target::Block, id.value());
            tokens += ground.whole.tokens->of(id);
            const std::vector<ContextSpan> sent = ground.sentSpans(id);
            made.spans.insert(made.spans.end(), sent.begin(), sent.end());
        }
        if (tokens < kLeastReread)
            continue;
        ground.weigh(made);
        made.count = reads.repeats.size();
        made.what = std::string(path.substr(path.rfind('/') + 1)) + " was read " + counted(reads.results.size(), "time")
            + ", " + counted(reads.repeats.size(), "time")
            + " although the log shows no change of the file since an earlier read";
        if (reads.afterLoss > 0)
            made.where = groupedNumber(reads.afterLoss)
                + (reads.afterLoss == reads.repeats.size() && reads.afterLoss > 1 ? ", each" : "")
                + " after the earlier text had left the context";
        made.help = reads.afterLoss > 0 ? "keep the newest read" : "";
        findings.push_back(std::move(made));
    }
}

} // namespace

const FindingKind kRepeatedReads { "repeated-reads", "files that were read again although the log shows no change",
    "file* read again", findRepeatedReads, 5 };

} // namespace core
