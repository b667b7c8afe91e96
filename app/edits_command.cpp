// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/session_options.h"
#include "core/base/json.h"
#include "core/edits/edits.h"
#include "core/formats/format.h"
#include "core/report/edits_report.h"

#include <array>
#include <thread>

namespace app {

namespace {

constexpr std::array<Option, 1> kOptions { { { "json", "", "as a document of schema palimpsest.edits/1" } } };

core::Result<core::EditsReport> reported(const Arguments &arguments)
{
    const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
    const auto session = core::loadSession(arguments.files.front(), nullptr, {}, threads);
    if (!session)
        return std::unexpected(session.error());
    core::EditsReport report;
    report.edits = *core::findEdits(*session);
    // Reading took a while: what changed in the meantime is not to be trusted.
    if (const auto torn = (*session)->torn())
        return std::unexpected(*torn);
    return report;
}

int runEdits(const Arguments &arguments)
{
    const auto made = reported(arguments);
    if (!made)
        return report(made.error());
    return arguments.has("json") ? printJson(core::editsJson(*made)) : print(core::drawEdits(*made));
}

} // namespace

const Command kEdits { "edits", "FILE", 1, 1, "what the agent changed in files, and what became of it", kOptions,
    runEdits };

} // namespace app
