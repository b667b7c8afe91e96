// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/calibration_trials.h"
#include "app/commands.h"
#include "app/session_options.h"
#include "core/formats/reading/format.h"
#include "core/json/json.h"
#include "core/report/token_report.h"

#include <array>
#include <map>

namespace app {

namespace {

std::string encodingNames()
{
    std::string names;
    for (const core::Encoding each : core::kEncodings)
        names += (names.empty() ? "" : ", ") + std::string(core::nameOf(each));
    return names;
}

constexpr auto kOptions = std::to_array<Option>({
    { "encoding", "NAME", "how to count. Default: the encoding of the session's model, or o200k_base. There are", '\0',
        encodingNames },
    { "text", "", "counts every file as plain text, even a session" },
    kCallOption,
    kThreadOption,
    { "slots", "", "for a session: prints a line for each slot instead of each kind of text" },
    { "calibration", "",
        "prints no counts: tests how well the recorded usage of a session's first calls predicts the size of its later "
        "prompts. For a folder it tests all sessions in it" },
    { "json", "", "prints JSON of schema palimpsest.tokens/1, with --calibration palimpsest.calibration/1" },
});

/// Options and shared objects for all files.
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
        return core::failure(
            core::ErrorKind::Usage, "--encoding takes one of " + encodingNames() + ", not \"" + *name + "\".");
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
        // Files may have changed while they were read.
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
    "counts tokens exactly: of plain text, or of the array of a call", kOptions, runTokens };

} // namespace app
