// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/edits_report.h"

#include "core/base/format.h"
#include "core/base/visible.h"
#include "core/edits/session_bases.h"
#include "core/json/json.h"
#include "core/session/block_key.h"
#include "core/tokens/counted_tokens.h"

namespace core {

namespace {

std::string_view nameOf(EditOrigin origin)
{
    switch (origin) {
    case EditOrigin::Tool:
        return "tool";
    case EditOrigin::Shell:
        return "shell";
    case EditOrigin::ShellPatch:
        return "shell_patch";
    case EditOrigin::Outside:
        return "outside";
    }
    return "tool";
}

std::string_view nameOf(ChangeKind kind)
{
    switch (kind) {
    case ChangeKind::Replace:
        return "replace";
    case ChangeKind::Insert:
        return "insert";
    case ChangeKind::Write:
        return "write";
    case ChangeKind::Append:
        return "append";
    case ChangeKind::Patch:
        return "patch";
    case ChangeKind::Delete:
        return "delete";
    case ChangeKind::Rewrite:
        return "rewrite";
    case ChangeKind::Move:
        return "move";
    case ChangeKind::Copy:
        return "copy";
    }
    return "rewrite";
}

std::string_view nameOf(EditOutcome outcome)
{
    switch (outcome) {
    case EditOutcome::Landed:
        return "landed";
    case EditOutcome::Failed:
        return "failed";
    case EditOutcome::Interrupted:
        return "interrupted";
    case EditOutcome::Untold:
        return "unknown";
    }
    return "unknown";
}

/// `#41`; empty if there is none.
std::string numberOf(const Session &session, BlockId block)
{
    if (!block.isValid() || !session.block(block).message.isValid())
        return {};
    return "#" + std::to_string(session.block(block).message.value());
}

Json slotJson(const Session &session, BlockId block)
{
    return block.isValid() && session.block(block).message.isValid() ? Json(session.block(block).message.value())
                                                                     : Json(nullptr);
}

std::string_view nameOf(BasisKind kind)
{
    switch (kind) {
    case BasisKind::NotNeeded:
        return "none";
    case BasisKind::Shown:
        return "shown";
    case BasisKind::OwnEdit:
        return "own_edit";
    case BasisKind::Pieces:
        return "pieces";
    case BasisKind::SummaryOnly:
        return "summary_only";
    case BasisKind::NotLogged:
        return "not_logged";
    case BasisKind::Lost:
        return "lost";
    }
    return "none";
}

Json slotsJson(const Session &session, const std::vector<BlockId> &blocks)
{
    Json json = Json::array();
    for (const BlockId block : blocks)
        json.push_back(slotJson(session, block));
    return json;
}

Json basisJson(const Session &session, const EditBasis &basis)
{
    if (basis.kind == BasisKind::NotNeeded)
        return nullptr;
    const bool isInContext = !isWithoutCarrier(basis) || basis.kind == BasisKind::SummaryOnly;
    Json json { { "kind", nameOf(basis.kind) },
        { "slots", isInContext ? slotsJson(session, basis.carriers) : Json::array() } };
    json["calls_before"] = basis.callsBefore;
    json["may_be_cleared"] = basis.mayBeCleared;
    if (!isInContext)
        json["last_shown"] = basis.carriers.empty() ? Json(nullptr) : slotJson(session, basis.carriers.front());
    json["sentence"] = basisText(session, basis);
    return json;
}

/// Adds the state and its evidence.
void addStanding(Json &json, const EditsReport &report, size_t number)
{
    if (report.standings.empty()) {
        json["state"] = nullptr;
        json["state_reason"] = nullptr;
        return;
    }
    const EditStanding &standing = report.standings[number];
    json["state"] = nameOf(standing.state);
    const bool hasReason = standing.reason != StandingReason::None;
    json["state_reason"] = hasReason ? Json(nameOf(standing.reason)) : Json(nullptr);
    json["state_sentence"] = stateText(standing);
    json["in_working_tree"] = standing.isInWorkingTree;
    json["in_head"] = standing.isInHead;
    json["blob"] = standing.blob.empty() ? Json(nullptr) : Json(standing.blob);
    json["blob_stored"] = standing.isStored;
    json["commit"] = standing.commit.empty() ? Json(nullptr) : Json(standing.commit);
    json["commit_in_head_history"] = standing.commit.empty() ? Json(nullptr) : Json(standing.isCommitInHistory);
}

Json agreementJson(Agreement agreement)
{
    return agreement == Agreement::NotRecorded ? Json(nullptr) : Json(agreement == Agreement::Agrees);
}

std::string_view nameOf(RemainsKind kind)
{
    switch (kind) {
    case RemainsKind::None:
        return "none";
    case RemainsKind::Whole:
        return "whole";
    case RemainsKind::Part:
        return "part";
    case RemainsKind::Replaced:
        return "replaced";
    case RemainsKind::Deleted:
        return "deleted";
    case RemainsKind::Unknown:
        return "unknown";
    }
    return "none";
}

/// nullptr if nothing is asked.
Json remainsJson(const EditsReport &report, size_t number)
{
    const EditRemains &remains = report.remains[number];
    if (remains.kind == RemainsKind::None)
        return nullptr;
    Json json { { "kind", nameOf(remains.kind) }, { "replaced_by", remains.by } };
    json["deleted_by"] = remains.deletedBy ? Json(*remains.deletedBy) : Json(nullptr);
    json["perhaps_by"] = remains.perhapsBy ? Json(*remains.perhapsBy) : Json(nullptr);
    json["lines"] = remains.added;
    json["lines_left"] = remains.left;
    json["lines_unknown"] = remains.unknown;
    json["sentence"] = remainsText(report.edits, number, remains);
    return json;
}

Json editJson(const EditsReport &report, const BlockKeys &keys, size_t number)
{
    const Session &session = *report.edits.session;
    const Edit &edit = report.edits.edits[number];
    const bool isOutside = edit.origin == EditOrigin::Outside;
    Json json { { "id", number } };
    json["slot"] = slotJson(session, isOutside ? edit.result : edit.use);
    json["thread"] = edit.thread.value();
    json["call"] = edit.call.isValid() ? Json(edit.call.value()) : Json(nullptr);
    json["block"] = !isOutside && edit.use.isValid() ? Json(keys.of(edit.use)) : Json(nullptr);
    json["origin"] = nameOf(edit.origin);
    json["tool"] = isOutside ? Json(nullptr) : Json(session.string(session.block(edit.use).name));
    json["kind"] = nameOf(edit.kind);
    json["path"] = edit.path;
    if (!edit.movedTo.empty())
        json["moved_to"] = edit.movedTo;
    if (!edit.copiedFrom.empty())
        json["copied_from"] = edit.copiedFrom;
    if (!edit.command.empty())
        json["command"] = edit.command;
    if (edit.isAfterSeen)
        json["after_seen"] = true;
    if (isOutside)
        json["since"] = slotJson(session, edit.use);
    json["outcome"] = isOutside ? Json(nullptr) : Json(nameOf(edit.outcome));
    addStanding(json, report, number);
    json["basis"] = basisJson(session, report.bases[number]);
    json["policy_basis"] = report.policyBases.empty() ? Json(nullptr) : basisJson(session, report.policyBases[number]);
    json["remains"] = isOutside ? Json(nullptr) : remainsJson(report, number);
    json["quoted_by"] = slotsJson(session, report.bases[number].quotedBy);
    json["before_known"] = edit.before.isKnown();
    json["after_known"] = edit.after.isKnown();
    json["added"] = edit.added;
    json["removed"] = edit.removed;
    json["counts_exact"] = edit.isCountKnown;
    json["agrees_with_recorded"] = agreementJson(edit.agreement);
    return json;
}

std::string countsText(const Edit &edit)
{
    if (!edit.isCountKnown && edit.added + edit.removed == 0)
        return "how many lines is not known";
    return formatted("{}+{} -{}", edit.isCountKnown ? "" : "at least ", edit.added, edit.removed);
}

/// The shell program that made a change, if the counts alone do not show its effect.
std::string commandText(const Edit &edit)
{
    if (edit.kind == ChangeKind::Move)
        return " · moved to " + visibleText(edit.movedTo);
    if (edit.kind == ChangeKind::Copy)
        return " · copied from " + visibleText(edit.copiedFrom);
    if (edit.kind != ChangeKind::Rewrite || edit.command.empty())
        return {};
    return formatted(" · changed by {}{}", visibleText(edit.command),
        edit.isAfterSeen           ? "; the new text is from a later read"
            : edit.after.isKnown() ? ""
                                   : ", the log does not show how");
}

} // namespace

EditsReport editsReport(const SessionPtr &session, const EditsReportOptions &options)
{
    EditsReport report;
    report.edits = *findEdits(session);
    report.remains = editRemains(report.edits);
    const EditUses uses = *usesOfEdits(report.edits);
    const BlockTokensPtr tokens = countedTokens(*session, options.threads, nullptr);
    const SessionSumsPtr sums = sessionSums(*session, *tokens);
    report.bases = recordedBases(report.edits, uses, *sums);
    if (options.policy) {
        report.policy = options.policy->id;
        report.policyBases = *basesUnder(report.edits, uses, options.policy, tokens, *sums);
    }
    if (!options.folder.empty())
        report.standings = editStandings(report.edits, options.folder);
    report.ground = standingGround(options.folder);
    return report;
}

Json editsJson(const EditsReport &report)
{
    const Session &session = *report.edits.session;
    const BlockKeys keys(session);
    Json json { { "schema", "palimpsest.edits/1" }, { "format", session.format } };
    json["policy"] = report.policy.empty() ? Json(nullptr) : Json(report.policy);
    const auto pathJson
        = [](const std::filesystem::path &path) { return path.empty() ? Json(nullptr) : Json(path.string()); };
    const std::string limit = limitOf(report.ground);
    json["folder"] = pathJson(report.ground.folder);
    json["working_tree"] = pathJson(report.ground.root);
    json["repository"] = report.ground.folder.empty() ? Json(nullptr) : Json(report.ground.isRepository);
    json["not_looked_at"] = limit.empty() ? Json(nullptr) : Json(limit);
    json["edits"] = Json::array();
    for (size_t i = 0; i < report.edits.edits.size(); ++i)
        json["edits"].push_back(editJson(report, keys, i));
    return json;
}

std::string editSentence(const EditsReport &report, size_t number)
{
    const Session &session = *report.edits.session;
    const Edit &edit = report.edits.edits[number];
    std::string text;
    if (edit.origin == EditOrigin::Outside) {
        const std::string since = numberOf(session, edit.use);
        text += formatted("{}: changed outside the log {} {}: {}", visibleText(edit.path),
            since.empty() ? "before" : "between " + since + " and", numberOf(session, edit.result), countsText(edit));
    } else {
        const EditBasis &basis = report.bases[number];
        text += formatted("{} {} {} · {} · {}", numberOf(session, edit.use),
            session.string(session.block(edit.use).name), visibleText(edit.path),
            outcomeText(report.edits, number, report.remains[number],
                report.standings.empty() ? nullptr : &report.standings[number]),
            countsText(edit));
        text += commandText(edit);
        if (basis.kind != BasisKind::NotNeeded)
            text += " · " + basisText(session, basis);
        if (basis.kind != BasisKind::NotNeeded && !report.policyBases.empty())
            text += formatted(" · under {}: {}", report.policy, basisText(session, report.policyBases[number]));
    }
    if (!report.standings.empty())
        text += " · on disk: " + standingText(report.standings[number]);
    return text;
}

std::string drawEdits(const EditsReport &report)
{
    std::string text;
    for (size_t i = 0; i < report.edits.edits.size(); ++i)
        text += formatted("{:>5}  {}\n", i, editSentence(report, i));
    return text.empty() ? "The session has no changes to files.\n" : text;
}

} // namespace core
