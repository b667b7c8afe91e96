// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/commands.h"
#include "app/hook_input.h"
#include "core/base/new_file.h"
#include "core/base/source.h"
#include "core/base/time_text.h"
#include "core/findings/typed_recall.h"
#include "core/json/json.h"
#include "core/report/agent_status.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

namespace app {

namespace {

namespace fs = std::filesystem;

constexpr auto kOptions = std::to_array<Option>({
    { "folder", "DIR",
        "where to keep transcripts. Default: $XDG_DATA_HOME/palimpsest/guard, usually "
        "~/.local/share/palimpsest/guard" },
});

fs::path defaultFolder()
{
    const char *data = std::getenv("XDG_DATA_HOME");
    const char *home = std::getenv("HOME");
    if (data != nullptr && *data != '\0')
        return fs::path(data) / "palimpsest" / "guard";
    return home != nullptr ? fs::path(home) / ".local/share/palimpsest/guard" : fs::path();
}

/// The letters of an id that are safe in a file name.
std::string safeName(std::string name)
{
    std::erase_if(name, [](char c) {
        return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_');
    });
    return name.empty() ? "session" : name;
}

/// A new folder of this moment.
core::Result<fs::path> makeFolder(const fs::path &root, const std::string &session, core::Timestamp now)
{
    std::string time = core::isoTime(now);
    std::ranges::replace_if(time, [](char c) { return c == ':' || c == '.'; }, '-');
    std::error_code error;
    const fs::path parent = root / safeName(session);
    fs::create_directories(parent, error);
    for (size_t number = 1; !error && number < 100; ++number) {
        fs::path folder = parent / (time + (number > 1 ? "-" + std::to_string(number) : std::string()));
        if (fs::create_directory(folder, error)) {
            fs::permissions(folder, fs::perms::owner_all, error);
            return folder;
        }
    }
    return core::failure(
        core::ErrorKind::NotWritable, "The folder could not be made: " + error.message() + ".", parent.string());
}

/// Whole or not at all, even if the program is killed.
core::Result<void> copyTranscript(const std::string &transcript, const fs::path &copy)
{
    const auto source = core::Source::open(transcript);
    return source ? core::writeNewFile(copy, (*source)->bytes()) : std::unexpected(source.error());
}

core::Json reportOf(const HookInput &input, const core::SessionPtr &session, core::Timestamp now)
{
    const core::AgentStatus status = core::agentStatus(session);
    const core::TypedRecall typed = core::messagesToRecall(session);
    core::Json document;
    document["schema"] = "palimpsest.guard/1";
    document["session_id"] = input.sessionId;
    document["transcript"] = input.transcript;
    document["trigger"] = input.trigger;
    document["time"] = core::isoTime(now);
    document["calls"] = session->threads.front().calls.size();
    document["compactions"] = session->threads.front().compactions.size();
    if (status.context)
        document["context_tokens"] = static_cast<uint64_t>(*status.context);
    document["typed"] = core::Json::array();
    for (const core::RecallMessage &each : typed.messages)
        document["typed"].push_back({ { "text", each.text }, { "first", each.comesFirst } });
    return document;
}

int runGuard(const Arguments &arguments)
{
    const auto input = readHookInput(arguments);
    if (!input)
        return report(input.error());
    const fs::path root = arguments.has("folder") ? fs::path(*arguments.value("folder")) : defaultFolder();
    if (root.empty())
        return report({ core::ErrorKind::NotWritable, "There is no home folder: HOME is not set.", {} });
    const auto session = readTranscript(*input);
    if (!session)
        return report(session.error());
    if (*session == nullptr)
        return Done;
    const core::Timestamp now = core::timeNow();
    const auto folder = makeFolder(root, input->sessionId, now);
    if (!folder)
        return report(folder.error());
    const std::string document = core::jsonText(reportOf(*input, *session, now)) + "\n";
    auto kept = copyTranscript(input->transcript, *folder / "transcript.jsonl");
    if (kept)
        kept = core::writeNewFile(*folder / "report.json", document);
    if (!kept) {
        std::error_code ignored;
        fs::remove(*folder, ignored); // unless the transcript is in it
        return report(kept.error());
    }
    return print("Palimpsest keeps the transcript in " + folder->string() + "\n");
}

} // namespace

const Command kGuard { "guard", "[FILE]", 0, 1,
    "a hook: keeps a copy of the transcript and a list of the typed messages before a compaction", kOptions, runGuard,
    true };

} // namespace app
