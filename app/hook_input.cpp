// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/hook_input.h"

#include "app/session_options.h"
#include "core/formats/reading/format.h"
#include "core/json/json.h"

#include <cstdio>
#include <filesystem>
#include <unistd.h>

namespace app {

namespace {

std::string readStandardInput()
{
    std::string text;
    char buffer[4096];
    for (size_t count = 0; (count = std::fread(buffer, 1, sizeof buffer, stdin)) > 0;)
        text.append(buffer, count);
    return text;
}

std::string textOf(const nlohmann::json &object, const char *name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<double> positiveOf(const nlohmann::json &object, const char *name)
{
    const auto found = object.find(name);
    const bool isThere = found != object.end() && found->is_number() && found->get<double>() > 0;
    return isThere ? std::optional(found->get<double>()) : std::nullopt;
}

} // namespace

core::Result<HookInput> parseHookInput(std::string_view json)
{
    const auto document = core::parseJson(json);
    HookInput input;
    if (document.is_object()) {
        input.transcript = textOf(document, "transcript_path");
        input.sessionId = textOf(document, "session_id");
        input.trigger = textOf(document, "trigger");
        input.promptId = textOf(document, "prompt_id");
        const auto context = document.find("context_window");
        if (context != document.end() && context->is_object()) {
            input.contextTokens = positiveOf(*context, "total_input_tokens");
            input.windowTokens = positiveOf(*context, "context_window_size");
        }
    }
    if (input.transcript.empty())
        return core::failure(
            core::ErrorKind::Usage, "Standard input is not the JSON of a hook: it has no transcript_path.");
    return input;
}

core::Result<HookInput> readHookInput(const Arguments &arguments)
{
    if (!arguments.files.empty()) {
        HookInput input;
        input.transcript = arguments.files.front();
        input.sessionId = std::filesystem::path(input.transcript).stem().string();
        return input;
    }
    if (::isatty(STDIN_FILENO) == 1)
        return core::failure(core::ErrorKind::Usage,
            "There is no input: this command reads the JSON of a hook from standard input. To try it, name a session "
            "FILE.");
    return parseHookInput(readStandardInput());
}

core::Result<core::SessionPtr> readTranscript(const HookInput &input)
{
    std::error_code error;
    if (!std::filesystem::exists(input.transcript, error))
        return core::SessionPtr();
    return core::loadSession(input.transcript, nullptr, {}, threadCount());
}

} // namespace app
