// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/session_options.h"

#include "core/compaction/policy_settings.h"
#include "core/formats/reading/format.h"
#include "core/formats/session_files.h"
#include "core/json/json.h"
#include "core/report/json_lines.h"
#include "core/report/reach_report.h"
#include "core/tokens/counted_tokens.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <thread>

namespace app {

namespace {

/// `calls 0 to 224`, `only call 0`.
std::string rangeText(const std::string &what, size_t count)
{
    return count == 1 ? "only " + what + " 0" : what + "s 0 to " + std::to_string(count - 1);
}

} // namespace

core::Result<core::Position> parsePosition(const core::Session &session, const Arguments &arguments)
{
    core::Position position;
    if (const auto text = arguments.value("thread")) {
        const auto number = parseNumber("thread", *text);
        if (!number)
            return std::unexpected(number.error());
        if (*number >= session.threads.size()) {
            return core::failure(core::ErrorKind::Usage,
                "There is no thread " + *text + ": this session has " + rangeText("thread", session.threads.size())
                    + ".");
        }
        position.thread = core::ThreadIndex(*number);
    }
    const auto text = arguments.value("call");
    if (!text || *text == "end")
        return position;
    const auto number = parseNumber("call", *text);
    if (!number)
        return core::failure(core::ErrorKind::Usage, "--call takes a whole number or \"end\", not \"" + *text + "\".");
    const size_t count = session.thread(position.thread).calls.size();
    if (*number >= count) {
        return core::failure(core::ErrorKind::Usage,
            "There is no call " + *text + ": "
                + (count == 0 ? "this thread has no calls. Use --call end"
                              : "this thread has " + rangeText("call", count))
                + ".");
    }
    position.call = core::CallIndex(*number);
    return position;
}

unsigned threadCount() { return std::max(1U, std::thread::hardware_concurrency()); }

int eachSessionFile(
    const Arguments &arguments, const std::function<std::optional<core::Error>(const std::string &)> &load)
{
    int exitCode = Done;
    for (const std::string &name : arguments.files) {
        std::error_code error;
        if (!std::filesystem::is_directory(name, error)) {
            if (const auto problem = load(name))
                exitCode = std::max(exitCode, report(*problem));
            continue;
        }
        const std::vector<std::string> files = core::filesBelow(name);
        std::vector<std::string> leftOut;
        for (const std::string &file : files) {
            const auto problem = load(file);
            if (!problem)
                continue;
            leftOut.push_back(std::filesystem::path(file).lexically_relative(name).string());
            if (arguments.has("verbose"))
                (void)report(*problem);
        }
        if (leftOut.size() == files.size())
            exitCode = report({ core::ErrorKind::Empty, "There is no session in this folder.", name });
        else if (!leftOut.empty() && !arguments.has("verbose"))
            (void)report({ core::ErrorKind::UnknownFormat,
                core::skippedSentence(leftOut, files.size()) + " --verbose says why.", name });
    }
    return exitCode;
}

core::Result<void> eachMergedLine(const Arguments &arguments,
    const std::function<core::Result<void>(const core::Json &line, const std::string &where)> &take)
{
    bool isEmpty = true;
    for (const std::string &name : arguments.files) {
        std::ifstream file;
        if (name != "-")
            file.open(name, std::ios::binary);
        if (name != "-" && !file)
            return core::failure(core::ErrorKind::NotFound,
                std::string("The lines to merge cannot be read: ") + std::strerror(errno) + ".", name);
        std::istream &stream = name == "-" ? std::cin : file;
        const std::string lines(std::istreambuf_iterator<char>(stream), {});
        const auto taken = core::eachJsonLine(
            lines, name == "-" ? "standard input" : name, [&](const core::Json &line, const std::string &where) {
                isEmpty = false;
                return take(line, where);
            });
        if (!taken)
            return taken;
    }
    if (isEmpty)
        return core::failure(core::ErrorKind::Empty, "There are no lines to merge.");
    return {};
}

core::Result<OpenedSession> openSession(const Arguments &arguments)
{
    const std::string &file = arguments.files.front();
    const auto session = core::loadSession(file, nullptr, {}, threadCount());
    if (!session)
        return std::unexpected(session.error());
    const auto position = parsePosition(**session, arguments);
    if (!position)
        return core::failure(position.error().kind, position.error().message, file);
    return OpenedSession { *session, *position, core::countedTokens(**session, threadCount(), nullptr) };
}

core::Result<core::PolicyPtr> policyOf(const std::string &name, const Arguments &arguments)
{
    auto policy = core::policyNamed(name);
    if (!policy)
        return std::unexpected(policy.error());
    for (const std::string &member : core::unknownMembersOf(*policy))
        note(name + ": " + core::unknownMemberSentence(member));
    for (const std::string &setting : arguments.values("set")) {
        const size_t equals = setting.find('=');
        if (equals == std::string::npos)
            return core::failure(core::ErrorKind::Usage, "--set takes KEY=VALUE, not \"" + setting + "\".");
        policy = core::withSetting(*policy, setting.substr(0, equals), setting.substr(equals + 1));
        if (!policy)
            return std::unexpected(policy.error());
    }
    return std::make_shared<const core::Policy>(std::move(*policy));
}

core::Result<core::PolicyPtr> parsePolicyOptions(const Arguments &arguments)
{
    return policyOf(arguments.value("policy").value_or("none"), arguments);
}

core::Result<std::vector<core::PolicyPtr>> parsePolicies(const Arguments &arguments)
{
    std::vector<core::PolicyPtr> policies;
    for (const std::string &name : arguments.values("policy")) {
        auto policy = policyOf(name, arguments);
        if (!policy)
            return std::unexpected(policy.error());
        policies.push_back(std::move(*policy));
    }
    return policies;
}

core::Result<core::Prices> parsePrices(const Arguments &arguments)
{
    namespace fs = std::filesystem;
    if (const auto named = arguments.value("prices")) {
        std::error_code error;
        if (!fs::exists(*named, error))
            return core::failure(core::ErrorKind::NotFound, "There is no such prices file.", *named);
        return core::pricesWith(*named);
    }
    const char *configuration = std::getenv("XDG_CONFIG_HOME");
    const char *home = std::getenv("HOME");
    if (configuration != nullptr && *configuration != '\0')
        return core::pricesWith(fs::path(configuration) / "palimpsest" / "prices.json");
    return core::pricesWith(home != nullptr ? fs::path(home) / ".config" / "palimpsest" / "prices.json" : fs::path());
}

core::Result<std::filesystem::path> parseFolder(const Arguments &arguments)
{
    std::filesystem::path folder = arguments.value("repo").value_or("");
    std::error_code error;
    if (!folder.empty() && !std::filesystem::is_directory(folder, error))
        return core::failure(core::ErrorKind::Usage, "--repo takes a folder; this is not one.", folder.string());
    return folder;
}

} // namespace app
