// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/edits/edit_outcome.h"

#include "core/edits/file_view.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

/// Phrases of harnesses for a change that the user refused or stopped.
constexpr auto kRefusals = std::to_array<std::string_view>(
    { "The user doesn't want to proceed", "The user doesn't want to take", "Request interrupted by user",
        "rejected by user", "aborted by user", "Operation aborted", "Permission for this tool use was denied" });

/// How edit tools begin a result without an error flag that reports that nothing was changed.
constexpr auto kFailures = std::to_array<std::string_view>(
    { "Error", "error:", "ERROR", "<tool_use_error>", "<error>", "No replacement was performed", "Failed", "failed",
        "Invalid ", "Could not", "Ran into ", "Cannot ", "apply_patch verification failed" });

bool says(std::string_view text, std::string_view words) { return text.find(words) != std::string_view::npos; }

std::string headOf(const Session &session, const Block &result)
{
    constexpr size_t kHead = 400;
    return session.textHead(result.body, kHead);
}

/// The text of a content list or object, or the result itself.
std::string_view firstWords(std::string_view head)
{
    for (const std::string_view before :
        { "[{\"type\": \"text\", \"text\": \"", "{\"output\":\"", "{\"output\": \"" }) {
        if (head.starts_with(before))
            head.remove_prefix(before.size());
    }
    return head;
}

EditOutcome outcomeOfShell(const AskedChange &change, const Block &result)
{
    if (change.certainty == RunCertainty::Perhaps)
        return EditOutcome::Untold;
    if (!result.is(BlockFlag::Error))
        return EditOutcome::Landed;
    // An error came later: the shell opens the file before anything runs.
    const bool opens = change.change.kind == ChangeKind::Write || change.change.kind == ChangeKind::Append;
    return opens && change.certainty == RunCertainty::Run ? EditOutcome::Landed : EditOutcome::Untold;
}

} // namespace

EditOutcome outcomeOf(const Session &session, const AskedChange &change, const Block *result)
{
    if (result == nullptr)
        return EditOutcome::Interrupted;
    const std::string head = headOf(session, *result);
    const std::string_view words = firstWords(head);
    if (std::ranges::any_of(kRefusals, [&](std::string_view each) { return says(words, each); }))
        return EditOutcome::Interrupted;
    if (change.maker == ChangeMaker::ShellPatch) // its report comes last, after any other output of the script
        return says(commandOutput(session, *result), "Success. Updated the following files:") ? EditOutcome::Landed
                                                                                              : EditOutcome::Failed;
    if (change.maker == ChangeMaker::Shell)
        return outcomeOfShell(change, *result);
    const bool saysFailure
        = std::ranges::any_of(kFailures, [&](std::string_view each) { return words.starts_with(each); });
    return result->is(BlockFlag::Error) || saysFailure ? EditOutcome::Failed : EditOutcome::Landed;
}

} // namespace core
