// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/harness_words.h"

#include "core/base/text.h"
#include "core/json/json_probe.h"
#include "core/session/builder.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

constexpr size_t kMaxSubject = 300;

/// Behind the JSON value that starts at `i`, which may be cut off.
size_t behindValue(std::string_view raw, size_t i) { return skipJson(raw, i).value_or(raw.size()); }

} // namespace

bool looksInjected(std::string_view text)
{
    static constexpr std::array<std::string_view, 33> kBeginnings { "<system-reminder>", "<environment_context>",
        "<user_instructions>", "# AGENTS.md", "<permissions instructions>", "<collaboration_mode>", "<turn_aborted>",
        "<command-name>", "<command-message>", "<local-command-stdout>", "<local-command-stderr>",
        "<local-command-caveat>", "<bash-stdout>", "<bash-stderr>", "Operation stopped by hook", "<ide_opened_file>",
        "<ide_selection>", "Caveat: The messages below were generated", "[Request interrupted by user",
        "<task-notification>", "Base directory for this skill:", "CRITICAL: Respond with TEXT ONLY",
        "Your task is to create a detailed summary of the conversation so far", "[SUGGESTION MODE",
        // OpenHands, mini-swe-agent
        "EXECUTION RESULT of [", "<returncode>",
        // Gemini CLI
        "<session_context>", "<hook_context>", "System: Please continue.", "System: Potential loop detected.",
        "Here is the user's editor context", "Here is a summary of changes in the user's editor context",
        "This is the Gemini CLI. We are setting up the context for our chat." };
    return std::ranges::any_of(kBeginnings, [&](std::string_view each) { return text.starts_with(each); });
}

void markUserText(const SessionBuilder &builder, Block &block)
{
    constexpr size_t kLooked = 400;
    const bool isInjected = looksInjected(builder.session().textHead(block.body, kLooked));
    block.set(isInjected ? BlockFlag::Injected : BlockFlag::Typed);
}

std::string subjectOfArguments(std::string_view raw)
{
    // Keys in order of how well they say what a call is about.
    static constexpr std::array<std::string_view, 16> kKeys { "file_path", "path", "notebook_path", "filePath",
        "filename", "file", "command", "cmd", "pattern", "query", "url", "description", "prompt", "skill", "name",
        "subject" };
    size_t best = kKeys.size();
    std::string_view value;
    size_t i = raw.find('{');
    if (i == std::string_view::npos)
        return {};
    ++i;
    const auto skipBlanks = [&] {
        while (i < raw.size() && (raw[i] == ' ' || raw[i] == '\n' || raw[i] == '\t' || raw[i] == '\r' || raw[i] == ','))
            ++i;
    };
    while (best > 0) {
        skipBlanks();
        if (i >= raw.size() || raw[i] != '"')
            break;
        const size_t keyEnd = behindValue(raw, i);
        const std::string_view key = raw.substr(i + 1, keyEnd - i - 2);
        i = keyEnd;
        while (i < raw.size() && (raw[i] == ':' || raw[i] == ' ' || raw[i] == '\n'))
            ++i;
        const size_t valueBegin = i;
        const auto *found = std::ranges::find(kKeys, key);
        const auto rank = static_cast<size_t>(found - kKeys.begin());
        const bool isString = i < raw.size() && raw[i] == '"';
        const bool isList = i < raw.size() && raw[i] == '[';
        i = behindValue(raw, i);
        if (rank < best && (isString || isList)) {
            best = rank;
            value = raw.substr(valueBegin, i - valueBegin);
        }
    }
    if (value.empty())
        return {};
    if (value.front() == '"') {
        value = value.substr(1, value.size() >= 2 ? value.size() - 2 : 0);
        size_t cut = std::min(value.size(), kMaxSubject);
        while (cut < value.size() && cut > 0
            && ((static_cast<unsigned char>(value[cut]) & 0xC0U) == 0x80U || value[cut - 1] == '\\'))
            --cut;
        return decodeJsonString(value.substr(0, cut));
    }
    // A list of words, as in a shell command: ["bash", "-lc", "ls"]
    std::string joined;
    for (size_t k = 1; k < value.size() && joined.size() < kMaxSubject;) {
        if (value[k] != '"') {
            ++k;
            continue;
        }
        const size_t end = behindValue(value, k);
        const std::string word = decodeJsonString(value.substr(k + 1, end - k >= 2 ? end - k - 2 : 0));
        if (word != "bash" && word != "-lc" && word != "-c") {
            joined += joined.empty() ? "" : " ";
            joined += word;
        }
        k = end;
    }
    if (joined.size() > kMaxSubject)
        joined = std::string(firstCodePoints(joined, kMaxSubject / 4));
    return joined;
}

} // namespace core
