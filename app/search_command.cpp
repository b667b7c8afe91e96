// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/commands.h"
#include "app/index_options.h"
#include "app/session_options.h"
#include "core/formats/reading/format.h"
#include "core/index/index_search.h"
#include "core/json/json.h"
#include "core/report/list_report.h"
#include "core/report/search_report.h"
#include "core/tokens/counted_tokens.h"

#include <array>
#include <filesystem>

namespace app {

namespace {

constexpr size_t kRows = 100;
constexpr size_t kSessions = 20; ///< listed by a search over all sessions
constexpr size_t kHits = 3;      ///< of each of them

constexpr auto kOptions = std::to_array<Option>({
    { "call", "N",
        "for the term hot: finds the hot blocks of the array of call N, counted from 0. \"end\" (the default) is the "
        "array at the end of the file" },
    kThreadOption,
    { "limit", "N",
        "lists at most N blocks. Default: 100; as JSON, all. Without FILE: at most N sessions, default 20" },
    { "json", "",
        "prints JSON of schema palimpsest.search/1 or, without FILE, of schema palimpsest.search_sessions/2" },
});

core::Result<core::SearchReport> searched(const Arguments &arguments)
{
    const std::string &line = arguments.files.back();
    const auto query = core::parseQuery(line);
    if (!query)
        return std::unexpected(query.error());
    if (query->isEmpty())
        return core::failure(core::ErrorKind::Usage, "The query is empty.");
    const unsigned threads = threadCount();
    const auto session = core::loadSession(arguments.files.front(), nullptr, {}, threads);
    if (!session)
        return std::unexpected(session.error());
    const auto position = parsePosition(**session, arguments);
    if (!position)
        return std::unexpected(position.error());
    const bool readsHot = query->reads(core::QueryTerm::Key::Hot);
    core::SearchReport report;
    report.line = line;
    report.ground.session = *session;
    report.ground.tokens = core::countedTokens(**session, threads, nullptr);
    report.ground.lives = core::blockLives(*session, report.ground.tokens, threads, nullptr);
    if (readsHot) {
        report.hotAt = *position;
        report.ground.hot = core::hotBlocksAt(*session, *position, report.ground.tokens);
    }
    report.hits = core::searchAll(report.ground, *query, threads);
    return unlessTorn(**session, std::move(report));
}

/// Searches all sessions of the known harnesses.
int searchSessions(const Arguments &arguments, std::optional<size_t> limit)
{
    const std::string &line = arguments.files.back();
    if (std::error_code error; std::filesystem::exists(line, error))
        return report({ core::ErrorKind::Usage, "The query is missing: `palimpsest search FILE QUERY`.", line });
    const auto query = core::parseQuery(line);
    if (!query)
        return report(query.error());
    if (query->isEmpty())
        return report({ core::ErrorKind::Usage, "The query is empty.", {} });
    if (arguments.has("call") || arguments.has("thread"))
        return report({ core::ErrorKind::Usage, "--call and --thread are for the search in one file.", {} });
    const auto prices = parsePrices(arguments);
    if (!prices)
        return report(prices.error());
    auto index = updatedIndex({}, *prices, true);
    if (!index)
        return report(index.error());
    if (const auto added = index->addTexts({ threadCount(), nullptr, {} }); !added)
        return report(added.error());
    const auto found = core::searchIndex(*index, index->sessions(), *query, { limit.value_or(kSessions), kHits });
    if (!found)
        return report(found.error());
    noteDamage(*index);
    return arguments.has("json") ? printJson(core::searchSessionsJson(*found, line))
                                 : print(core::drawSessionSearch(*found));
}

int runSearch(const Arguments &arguments)
{
    std::optional<size_t> limit;
    if (const auto given = arguments.value("limit")) {
        const auto number = parseNumber("limit", *given);
        if (!number)
            return report(number.error());
        limit = *number;
    }
    if (arguments.files.size() == 1)
        return searchSessions(arguments, limit);
    const auto made = searched(arguments);
    if (!made)
        return report(made.error());
    return arguments.has("json") ? printJson(core::searchJson(*made, limit.value_or(SIZE_MAX)))
                                 : print(core::drawSearch(*made, limit.value_or(kRows)));
}

} // namespace

const Command kSearch { "search", "[FILE] QUERY", 1, 2,
    "finds the blocks that match a filter line, and shows which calls contained them; without FILE in all sessions of "
    "the known harnesses",
    kOptions, runSearch };

} // namespace app
