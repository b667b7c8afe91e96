// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/commands.h"
#include "app/session_options.h"
#include "core/base/counted.h"
#include "core/base/readable_folder.h"
#include "core/findings/kinds.h"
#include "core/formats/reading/format.h"
#include "core/formats/session_files.h"
#include "core/json/json.h"
#include "core/report/findings_lines.h"
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
    { "all", "", "also lists the findings that are too small for the list" },
    { "total", "", "prints only how many sessions have each kind of finding, and what all findings cost" },
    kNdjsonOption,
    kMergeOption,
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

/// Says which limits a session exceeds.
bool exceeds(const core::Json &session, const std::vector<Limit> &limits)
{
    bool isExceeded = false;
    for (const Limit &limit : limits) {
        const size_t count = core::countOfKind(session, limit.kind->id);
        if (count <= limit.most)
            continue;
        isExceeded = true;
        note(session.at("file").get<std::string>() + ": " + std::string(limit.kind->id) + ": "
            + core::groupedNumber(count) + ", allowed " + core::groupedNumber(limit.most) + ".");
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
        if (const auto readable = core::readableFolder(*folder); !readable)
            return std::unexpected(readable.error());
        others = core::filesBelow(*folder);
    }
    core::RunSweepOptions options;
    options.threads = threadCount();
    return core::findBetterPolicy(file, session, others, prices, options);
}

/// Fails if options contradict each other.
core::Result<void> checkOptions(const Arguments &arguments)
{
    const auto fails = [](const char *sentence) { return core::failure(core::ErrorKind::Usage, sentence); };
    if (arguments.has("others") && !arguments.has("better-policy"))
        return fails("--others is for --better-policy.");
    std::error_code error;
    if (arguments.has("better-policy")
        && (arguments.files.size() > 1 || arguments.has("merge")
            || std::filesystem::is_directory(arguments.files.front(), error)))
        return fails("--better-policy is for one file.");
    if (arguments.has("json") + arguments.has("ndjson") + arguments.has("total") > 1)
        return fails("Give one of --json, --ndjson and --total.");
    if (arguments.has("all") && arguments.has("total"))
        return fails("--all is not for --total, which lists no findings.");
    return {};
}

/// The findings of many sessions, printed at the end, or each at once with `--ndjson`.
class FindingsRun final {
public:
    FindingsRun(const Arguments &arguments, std::vector<Limit> limits, core::Prices prices)
        : m_arguments(arguments)
        , m_limits(std::move(limits))
        , m_prices(std::move(prices))
    {
    }

    std::optional<core::Error> load(const std::string &file)
    {
        const auto session = core::loadSession(file, nullptr, {}, threadCount());
        if (!session)
            return session.error();
        const auto tokens = core::countedTokens(**session, threadCount(), nullptr);
        auto better = betterPolicyFor(file, *session, m_prices, m_arguments);
        if (!better)
            return better.error();
        const core::FileFindings found { file, *core::findFindings(*session, tokens, m_prices), std::move(*better),
            m_arguments.has("all") };
        // Files may have changed while they were read.
        if (auto torn = (*session)->torn())
            return torn;
        if (!m_arguments.has("ndjson") && !m_arguments.has("json") && !m_arguments.has("total"))
            m_texts.emplace_back(file, core::drawFindings(found));
        add(core::sessionFindingsJson(found));
        return std::nullopt;
    }

    int merge()
    {
        core::FindingsLines lines;
        const auto read = eachMergedLine(
            m_arguments, [&](const core::Json &line, const std::string &where) { return lines.add(line, where); });
        if (!read)
            return report(read.error());
        for (core::Json &session : lines.take())
            add(std::move(session));
        return Done;
    }

    /// Prints what was not printed yet. Returns the exit code.
    int finish()
    {
        if (m_arguments.has("json"))
            take(printJson(core::findingsJson(std::move(m_sessions))));
        else if (m_arguments.has("total") || (m_arguments.has("merge") && !m_arguments.has("ndjson")))
            take(printVisibly(core::drawFindingsTotal(m_sessions)));
        else
            take(printVisibly(texts()));
        return m_exitCode;
    }

private:
    void take(int exitCode) { m_exitCode = std::max(m_exitCode, exitCode); }
    void add(core::Json session)
    {
        if (exceeds(session, m_limits))
            take(FindingsFail);
        if (m_arguments.has("ndjson"))
            take(print(core::findingsLine(session)));
        else
            m_sessions.push_back(std::move(session));
    }
    [[nodiscard]] std::string texts() const
    {
        std::string text;
        for (const auto &[file, drawn] : m_texts) {
            if (m_texts.size() > 1)
                text += (text.empty() ? "" : "\n") + file + "\n";
            text += drawn;
        }
        return text;
    }

    const Arguments &m_arguments;
    std::vector<Limit> m_limits;
    core::Prices m_prices;
    std::vector<core::Json> m_sessions;
    std::vector<std::pair<std::string, std::string>> m_texts; ///< file and drawn findings
    int m_exitCode = Done;
};

int runFindings(const Arguments &arguments)
{
    if (const auto checked = checkOptions(arguments); !checked)
        return report(checked.error());
    auto limits = parseLimits(arguments);
    if (!limits)
        return report(limits.error());
    auto prices = parsePrices(arguments);
    if (!prices)
        return report(prices.error());
    FindingsRun run(arguments, std::move(*limits), std::move(*prices));
    const int read = arguments.has("merge")
        ? run.merge()
        : eachSessionFile(arguments, [&](const std::string &file) { return run.load(file); });
    return std::max(read, run.finish());
}

} // namespace

const Command kFindings { "findings", "FILE|DIR…", 1, static_cast<size_t>(-1),
    "lists what went wrong in a session, the most important finding first", kOptions, runFindings };

} // namespace app
