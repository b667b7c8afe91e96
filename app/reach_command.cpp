// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/commands.h"
#include "app/session_options.h"
#include "core/formats/reading/format.h"
#include "core/json/json.h"
#include "core/report/reach_report.h"

#include <algorithm>
#include <array>

namespace app {

namespace {

constexpr auto kOptions = std::to_array<Option>({
    { "uses", "KIND",
        "which uses of a text count: quote (an edit replaces it; the default), repeat (a later result shows it "
        "again), same-call (the same call is made again), name (an identifier in it is written again)" },
    kNdjsonOption,
    kMergeOption,
    { "json", "", "prints JSON of schema palimpsest.reach/1" },
    { "csv", "", "prints a table: a line for each session, a column for each number of tokens" },
    kVerboseOption,
});

core::Result<core::UseKind> parseKind(const Arguments &arguments)
{
    const std::string name = arguments.value("uses").value_or("quote");
    const auto kind = core::useKindNamed(name);
    if (!kind)
        return core::failure(
            core::ErrorKind::Usage, "--uses takes quote, repeat, same-call or name, not \"" + name + "\".");
    if (*kind == core::UseKind::Name && arguments.has("ndjson"))
        return core::failure(core::ErrorKind::Usage,
            "--ndjson cannot measure uses of names: only a process that reads all sessions knows which names are "
            "common.");
    return *kind;
}

/// Loads sessions one after the other and adds up their reach.
class ReachRun final {
public:
    explicit ReachRun(core::UseKind kind)
        : m_waits(kind == core::UseKind::Name)
        , m_collector({ .kind = kind, .commonNames = &m_common })
    {
    }

    std::optional<core::Error> load(const std::string &file)
    {
        const auto session = core::loadSession(file, nullptr, {}, m_threads);
        if (!session)
            return session.error();
        if (!m_waits)
            return collect(file, **session);
        m_waiting.emplace_back(file, *session);
        return std::nullopt;
    }

    [[nodiscard]] const core::ReachSummary &finish()
    {
        std::vector<core::SessionPtr> sessions;
        for (const auto &[file, session] : m_waiting)
            sessions.push_back(session);
        m_common = core::commonNames(sessions);
        for (const auto &[file, session] : m_waiting)
            if (const auto torn = collect(file, *session))
                m_exitCode = std::max(m_exitCode, report(*torn));
        return m_collector.summary();
    }

    [[nodiscard]] int exitCode() const { return m_exitCode; }

private:
    std::optional<core::Error> collect(const std::string &file, const core::Session &session)
    {
        const auto tokens = core::estimateTokens(session, m_threads, nullptr);
        m_collector.add(file, session, *tokens);
        // Files may have changed while they were read.
        return session.torn();
    }

    bool m_waits; ///< common names are known only after all sessions are read
    unsigned m_threads = threadCount();
    core::CommonNames m_common;
    core::ReachCollector m_collector;
    std::vector<std::pair<std::string, core::SessionPtr>> m_waiting;
    int m_exitCode = Done;
};

int printReach(const core::ReachSummary &summary, const Arguments &arguments)
{
    return arguments.has("json") ? printJson(core::reachJson(summary))
        : arguments.has("csv")   ? print(core::reachCsv(summary))
                                 : printVisibly(core::drawReach(summary));
}

/// Prints the line of each session as soon as it is ready.
int printLines(core::UseKind kind, const Arguments &arguments)
{
    int printed = Done;
    const int read = eachSessionFile(arguments, [&](const std::string &file) -> std::optional<core::Error> {
        const auto session = core::loadSession(file, nullptr, {}, threadCount());
        if (!session)
            return session.error();
        const auto tokens = core::estimateTokens(**session, threadCount(), nullptr);
        const auto uses = core::sessionUses(file, **session, *tokens, { .kind = kind });
        if (auto torn = (*session)->torn())
            return torn;
        printed = std::max(printed, print(core::reachLine(kind, *uses)));
        return std::nullopt;
    });
    return std::max(read, printed);
}

int merge(const Arguments &arguments)
{
    if (arguments.has("uses") || arguments.has("ndjson"))
        return report({ core::ErrorKind::Usage,
            "Do not give --uses or --ndjson with --merge: the lines name the kind of use.", {} });
    core::ReachLines lines;
    const auto read = eachMergedLine(
        arguments, [&](const core::Json &line, const std::string &where) { return lines.add(line, where); });
    return read ? printReach(lines.summary(), arguments) : report(read.error());
}

int runReach(const Arguments &arguments)
{
    if (arguments.has("json") + arguments.has("csv") + arguments.has("ndjson") > 1)
        return report({ core::ErrorKind::Usage, "Give one of --json, --csv and --ndjson.", {} });
    if (arguments.has("merge"))
        return merge(arguments);
    const auto kind = parseKind(arguments);
    if (!kind)
        return report(kind.error());
    if (arguments.has("ndjson"))
        return printLines(*kind, arguments);
    ReachRun run(*kind);
    const int read = eachSessionFile(arguments, [&](const std::string &file) { return run.load(file); });
    const core::ReachSummary &summary = run.finish();
    if (summary.sessions.empty())
        return std::max(read, run.exitCode());
    return std::max({ read, run.exitCode(), printReach(summary, arguments) });
}

} // namespace

const Command kReach { "reach", "FILE|DIR…", 1, static_cast<size_t>(-1),
    "measures how far back, in tokens, later steps find the texts that they use", kOptions, runReach };

} // namespace app
