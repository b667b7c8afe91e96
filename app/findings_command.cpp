// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/commands.h"
#include "app/session_options.h"
#include "core/base/counted.h"
#include "core/findings/kinds.h"
#include "core/formats/reading/format.h"
#include "core/formats/session_files.h"
#include "core/json/json.h"
#include "core/report/findings_report.h"
#include "core/tokens/counted_tokens.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>

namespace app {

namespace {

std::string kindNames()
{
    std::string names;
    for (const core::FindingKind *kind : core::findingKinds())
        names += (names.empty() ? "" : ", ") + std::string(kind->id);
    return names;
}

constexpr auto kOptions = std::to_array<Option>({
    kPricesOption,
    { "fail-on", "KIND[>N]",
        "exits with 3 if a session has more than N of this kind (without >N: any); may be repeated. The kinds", '\0',
        kindNames },
    { "better-policy", "",
        "also looks for a policy that does better on other sessions: on those in the folder of the file, or in "
        "the folder that --others names" },
    { "others", "DIR", "the folder with the other sessions, with all folders below it" },
    { "json", "", "prints JSON of schema palimpsest.findings/1" },
    kVerboseOption,
});

/// `lost-messages>3`
struct Limit {
    const core::FindingKind *kind = nullptr;
    size_t most = 0;
};

core::Result<std::vector<Limit>> parseLimits(const Arguments &arguments)
{
    std::vector<Limit> limits;
    for (const std::string &text : arguments.values("fail-on")) {
        const size_t sign = text.find('>');
        Limit &limit = limits.emplace_back();
        limit.kind = core::findingKind(std::string_view(text).substr(0, sign));
        if (limit.kind == nullptr) {
            return core::failure(core::ErrorKind::Usage,
                "There is no kind of finding \"" + text.substr(0, sign) + "\". The kinds: " + kindNames() + ".");
        }
        if (sign == std::string::npos)
            continue;
        const auto most = parseNumber("fail-on", std::string_view(text).substr(sign + 1));
        if (!most)
            return std::unexpected(most.error());
        limit.most = *most;
    }
    return limits;
}

/// Says which limits a file exceeds.
bool exceeds(const core::FileFindings &file, const std::vector<Limit> &limits)
{
    bool isExceeded = false;
    for (const Limit &limit : limits) {
        size_t count = 0;
        for (const core::Finding &finding : file.findings.findings)
            count += finding.kind == limit.kind->id ? finding.count : 0;
        for (const core::FindingsLeftOut &out : file.findings.leftOut)
            count += out.kind == limit.kind ? out.count : 0;
        if (count <= limit.most)
            continue;
        isExceeded = true;
        note(file.file + ": " + std::string(limit.kind->id) + ": " + core::groupedNumber(count) + ", allowed "
            + core::groupedNumber(limit.most) + ".");
    }
    return isExceeded;
}

/// Compares a session with others, if asked to.
core::Result<std::optional<core::BetterPolicy>> betterPolicyFor(
    const std::string &file, const core::SessionPtr &session, const core::Prices &prices, const Arguments &arguments)
{
    if (!arguments.has("better-policy"))
        return std::nullopt;
    std::vector<std::string> others = core::filesBeside(file);
    if (const auto folder = arguments.value("others")) {
        if (std::error_code error; !std::filesystem::is_directory(*folder, error))
            return core::failure(core::ErrorKind::NotFound, "This folder cannot be read.", *folder);
        others = core::filesBelow(*folder);
    }
    core::RunSweepOptions options;
    options.threads = threadCount();
    return core::findBetterPolicy(file, session, others, prices, options);
}

int runFindings(const Arguments &arguments)
{
    if (arguments.has("others") && !arguments.has("better-policy"))
        return report({ core::ErrorKind::Usage, "--others is for --better-policy.", {} });
    if (std::error_code error; arguments.has("better-policy")
        && (arguments.files.size() > 1 || std::filesystem::is_directory(arguments.files.front(), error)))
        return report({ core::ErrorKind::Usage, "--better-policy is for one file.", {} });
    const auto limits = parseLimits(arguments);
    if (!limits)
        return report(limits.error());
    const auto prices = parsePrices(arguments);
    if (!prices)
        return report(prices.error());
    std::vector<core::FileFindings> files;
    bool isExceeded = false;
    const int read = eachSessionFile(arguments, [&](const std::string &file) -> std::optional<core::Error> {
        const auto session = core::loadSession(file, nullptr, {}, threadCount());
        if (!session)
            return session.error();
        const auto tokens = core::countedTokens(**session, threadCount(), nullptr);
        auto better = betterPolicyFor(file, *session, *prices, arguments);
        if (!better)
            return better.error();
        files.push_back({ file, *core::findFindings(*session, tokens, *prices), std::move(*better) });
        // Files may have changed while they were read.
        if (auto torn = (*session)->torn()) {
            files.pop_back();
            return torn;
        }
        isExceeded = exceeds(files.back(), *limits) || isExceeded;
        return std::nullopt;
    });
    int written = Done;
    if (arguments.has("json")) {
        written = printJson(core::findingsJson(files));
    } else {
        std::string text;
        for (const core::FileFindings &file : files) {
            if (files.size() > 1)
                text += (text.empty() ? "" : "\n") + file.file + "\n";
            text += core::drawFindings(file);
        }
        written = print(text);
    }
    return std::max({ read, written, isExceeded ? static_cast<int>(FindingsFail) : static_cast<int>(Done) });
}

} // namespace

const Command kFindings { "findings", "FILE|DIR…", 1, static_cast<size_t>(-1),
    "lists what went wrong in a session, the most important finding first", kOptions, runFindings };

} // namespace app
