// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/commands.h"
#include "app/session_options.h"
#include "core/compaction/recovery.h"
#include "core/edits/cumulated_patch.h"
#include "core/formats/reading/format.h"
#include "core/json/json.h"
#include "core/report/edits_report.h"

#include <array>

namespace app {

namespace {

constexpr auto kOptions = std::to_array<Option>({
    { "repo", "DIR",
        "compares the edits with the files in this folder. Default: the working folder that the session records, if it "
        "is on this computer" },
    { "policy", "P",
        "shows where the model would have seen each edit's old text under this policy: the name of a preset or a "
        "policy file" },
    kSetOption,
    { "json", "", "prints JSON of schema palimpsest.edits/1" },
    { "patch", "", "prints all edits as one patch for git apply" },
});

/// The named policy, or nullptr.
core::Result<core::PolicyPtr> parsePolicy(const Arguments &arguments)
{
    if (arguments.has("policy"))
        return parsePolicyOptions(arguments);
    if (arguments.has("set"))
        return core::failure(core::ErrorKind::Usage, "--set changes a policy; name one with --policy.");
    return nullptr;
}

int printPatch(const core::SessionPtr &session, const std::filesystem::path &folder)
{
    const auto patch = core::cumulatedPatch(*core::findEdits(session), folder);
    if (const auto torn = session->torn())
        return report(*torn);
    if (!patch)
        return report(patch.error());
    for (const core::UnpatchedFile &file : patch->leftOut)
        note(file.path + " is not in the patch: " + std::string(core::sentenceOf(file.reason)) + ".");
    for (const std::string &path : patch->unchanged)
        note(path + " is not in the patch: " + std::string(core::kUnchangedReason) + ".");
    return print(patch->text);
}

int runEdits(const Arguments &arguments)
{
    if (arguments.has("patch") && arguments.has("json"))
        return report({ core::ErrorKind::Usage, "edits prints one thing: --json or --patch, not both.", {} });
    const auto folder = parseFolder(arguments);
    if (!folder)
        return report(folder.error());
    const auto policy = parsePolicy(arguments);
    if (!policy)
        return report(policy.error());
    const auto session = core::loadSession(arguments.files.front(), nullptr, {}, threadCount());
    if (!session)
        return report(session.error());
    if (arguments.has("patch"))
        return printPatch(*session, core::folderOf(**session, *folder));
    const auto made = core::editsReport(
        *session, { .folder = core::folderOf(**session, *folder), .policy = *policy, .threads = threadCount() });
    // Files may have changed while they were read.
    if (const auto torn = (*session)->torn())
        return report(*torn);
    if (const std::string limit = core::limitOf(made.ground); !limit.empty())
        note(limit + (made.ground.folder.empty() ? " --repo names a folder to look in." : ""));
    return arguments.has("json") ? printJson(core::editsJson(made)) : printVisibly(core::drawEdits(made));
}

} // namespace

const Command kEdits { "edits", "FILE", 1, 1, "lists the agent's changes to files, and the state of each change",
    kOptions, runEdits };

} // namespace app
