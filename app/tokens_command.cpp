// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/calibration_trials.h"
#include "app/session_options.h"
#include "core/formats/reading/format.h"
#include "core/json/json.h"
#include "core/report/token_report.h"

#include <array>
#include <map>

namespace app {

namespace {

constexpr std::array<Option, 7> kOptions {
    { { "encoding", "NAME",
          "o200k_base, o200k_harmony or cl100k_base; without it that of a session's model, or o200k_base" },
        { "text", "", "count every file as the text that it is, sessions too" },
        { "call", "N", "of a session, the array that call N was sent; \"end\", as without it: after the last record" },
        { "thread", "N", "of a session, another thread, counted from 0" },
        { "slots", "", "of a session, a line for each slot instead of each kind" },
        { "calibration", "",
            "instead, how well rates fitted to the usage of a session's first calls predict its later prompts; of a "
            "folder, all sessions below it" },
        { "json", "", "as a document of schema palimpsest.tokens/1 or, with --calibration, palimpsest.calibration/1" } }
};

/// What is the same for all files, and what is made once.
struct Counting {
    const Arguments &arguments;
    std::optional<core::Encoding> asked;
    unsigned threads = threadCount();
    std::map<core::Encoding, core::RanksPtr> ranks;

    const core::RanksPtr &ranksOf(core::Encoding encoding)
    {
        core::RanksPtr &found = ranks[encoding];
        if (!found)
            found = core::ranksOf(encoding);
        return found;
    }
};

core::Result<std::optional<core::Encoding>> parseEncoding(const Arguments &arguments)
{
    const auto name = arguments.value("encoding");
    if (!name)
        return std::nullopt;
    const auto encoding = core::encodingNamed(*name);
    if (!encoding) {
        return core::failure(core::ErrorKind::Usage,
            "--encoding wants o200k_base, o200k_harmony or cl100k_base, not \"" + *name + "\".");
    }
    return encoding;
}

core::TokenReport countPlain(Counting &counting, const std::string &file, std::string_view text)
{
    core::TokenReport report;
    report.file = file;
    report.encoding = counting.asked.value_or(core::Encoding::O200kBase);
    report.bytes = text.size();
    report.tokens = core::countText(text, counting.ranksOf(report.encoding), counting.threads).value_or(0);
    return report;
}

core::Result<core::TokenReport> countFile(Counting &counting, const std::string &file)
{
    const auto source = core::Source::open(file);
    if (!source)
        return std::unexpected(source.error());
    const auto whole = [&](core::TokenReport report) -> core::Result<core::TokenReport> {
        // Reading took a while: what changed in the meantime is not to be trusted.
        if ((*source)->isTorn() || (*source)->hasChanged())
            return core::failure(core::ErrorKind::Changed, "The file changed while it was read.", file);
        return report;
    };
    if (counting.arguments.has("text"))
        return whole(countPlain(counting, file, (*source)->bytes()));
    const auto session = core::loadSession(*source, nullptr, {}, counting.threads);
    if (!session) {
        const core::ErrorKind kind = session.error().kind;
        if (kind != core::ErrorKind::UnknownFormat && kind != core::ErrorKind::Empty)
            return std::unexpected(session.error());
        return whole(countPlain(counting, file, (*source)->bytes()));
    }
    const auto position = parsePosition(**session, counting.arguments);
    if (!position)
        return core::failure(position.error().kind, position.error().message, file);
    const core::Encoding encoding
        = counting.asked.value_or(core::encodingOf((*session)->model).value_or(core::Encoding::O200kBase));
    auto counts = core::exactTokens(**session, counting.ranksOf(encoding), counting.threads);
    return whole(core::tokenReport(file, *session, *position, std::move(counts)));
}

int runTokens(const Arguments &arguments)
{
    if (arguments.has("calibration"))
        return runCalibrationTrials(arguments);
    const auto encoding = parseEncoding(arguments);
    if (!encoding)
        return report(encoding.error());
    Counting counting { arguments, *encoding, threadCount(), {} };
    std::vector<core::TokenReport> reports;
    int exitCode = Done;
    for (const std::string &file : arguments.files) {
        auto counted = countFile(counting, file);
        if (counted)
            reports.push_back(std::move(*counted));
        else
            exitCode = std::max(exitCode, report(counted.error()));
    }
    if (reports.empty())
        return exitCode;
    const auto detail = arguments.has("slots") ? core::TokenDetail::Slots : core::TokenDetail::Kinds;
    const int written
        = arguments.has("json") ? printJson(core::tokensJson(reports)) : print(core::drawTokens(reports, detail));
    return std::max(exitCode, written);
}

} // namespace

const Command kTokens { "tokens", "FILE…", 1, static_cast<size_t>(-1),
    "count tokens exactly: of plain text, or of a session's array", kOptions, runTokens };

} // namespace app
