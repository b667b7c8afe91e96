// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/commands.h"
#include "app/index_options.h"
#include "app/session_options.h"
#include "core/base/text.h"
#include "core/json/json.h"
#include "core/report/list_report.h"

#include <algorithm>
#include <array>

namespace app {

namespace {

constexpr size_t kRows = 50;

constexpr auto kOptions = std::to_array<Option>({
    { "harness", "NAME", "lists only sessions of this harness, for example codex" },
    { "project", "NAME", "lists only sessions whose working folder contains NAME" },
    { "since", "DATE",
        "lists only sessions that ended on this day (UTC) or later (2026-01-31), or at most this long ago (7d, 12h, "
        "2w)" },
    { "limit", "N", "lists at most N sessions. Default: 50; as JSON or CSV, all" },
    { "findings", "", "also looks for findings in sessions that were never searched for them; reads all their texts" },
    { "costs", "", "prints CSV: what each day (UTC), project and model cost" },
    { "json", "", "prints JSON of schema palimpsest.list/1" },
    kPricesOption,
});

int runList(const Arguments &arguments)
{
    size_t limit = arguments.has("json") || arguments.has("costs") ? SIZE_MAX : kRows;
    if (const auto given = arguments.value("limit")) {
        const auto number = parseNumber("limit", *given);
        if (!number)
            return report(number.error());
        limit = *number;
    }
    std::optional<core::Timestamp> since;
    if (const auto given = arguments.value("since")) {
        since = core::parseSince(*given, core::timeNow());
        if (!since) {
            return report({ core::ErrorKind::Usage,
                "--since takes a day like 2026-01-31 or an age like 7d, not \"" + *given + "\".", {} });
        }
    }
    const auto prices = parsePrices(arguments);
    if (!prices)
        return report(prices.error());
    auto index = updatedIndex(arguments.files, *prices, !arguments.has("prices"));
    if (!index)
        return report(index.error());
    if (arguments.has("findings")) {
        if (const auto added = index->addFindings(*prices, { threadCount(), nullptr, {} }); !added)
            return report(added.error());
    }
    const core::IndexedSessions known = index->sessions();
    noteDamage(*index);
    std::vector<core::ListedSession> listed = core::listedSessions(known.entries);
    const std::string harness = core::lowered(arguments.value("harness").value_or(""));
    const std::string project = core::lowered(arguments.value("project").value_or(""));
    std::erase_if(listed, [&](const core::ListedSession &session) {
        const core::SessionEntry &entry = *session.entry;
        const bool isOfHarness = core::lowered(entry.harnessName()).contains(harness) || entry.format.contains(harness);
        const bool isOfProject = core::lowered(entry.folder).contains(project);
        const bool isRecent = !since || entry.end.value_or(0) >= *since;
        return !isOfHarness || !isOfProject || !isRecent;
    });
    listed.resize(std::min(listed.size(), limit));
    if (arguments.has("costs"))
        return print(core::costsCsv(listed));
    return arguments.has("json") ? printJson(core::listJson(listed, known))
                                 : printVisibly(core::drawList(listed, known));
}

} // namespace

const Command kList { "list", "[DIR…]", 0, static_cast<size_t>(-1),
    "lists the sessions of the known harnesses, or of folders, newest first", kOptions, runList };

} // namespace app
