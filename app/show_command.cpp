// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/commands.h"
#include "app/session_options.h"
#include "core/base/text.h"
#include "core/json/json.h"
#include "core/report/compaction_report.h"
#include "core/report/show_drawing.h"

#include <array>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

namespace app {

namespace {

constexpr auto kOptions = std::to_array<Option>({
    kCallOption,
    kThreadOption,
    { "weight", "UNIT", "what the size of a slot shows: tokens (the default), chars or bytes" },
    { "keep", "MEASURE",
        "draws the keep boundary: a policy would leave everything from this line to the end unchanged. MEASURE is 0.1w "
        "or 10% (of the context window), 20000tok or 6msg" },
    { "policy", "P", "also draws the array after a policy: the name of a preset or a policy file" },
    kSetOption,
    { "json", "", "prints JSON of schema palimpsest.show/3" },
    { "texts", "", "with --json: adds the text of every block" },
    { "all", "", "draws every slot on its own line. Otherwise neighbouring light slots share one line" },
    { "color", "WHEN",
        "always, never or auto (the default: colours on a terminal, unless the variable NO_COLOR is set)" },
    { "width", "COLUMNS", "how wide to draw, 40 to 1000 columns. Default: as wide as the terminal, or 100" },
});

core::Result<core::WeightUnit> parseUnit(const std::string &text)
{
    if (text == "tokens")
        return core::WeightUnit::Tokens;
    if (text == "chars" || text == "characters")
        return core::WeightUnit::Characters;
    if (text == "bytes")
        return core::WeightUnit::Bytes;
    return core::failure(core::ErrorKind::Usage, "--weight takes tokens, chars or bytes, not \"" + text + "\".");
}

/// An array, and the token table of its session.
struct LoadedArray {
    core::Shown shown;
    core::BlockTokensPtr counted;
};

core::Result<LoadedArray> load(const Arguments &arguments)
{
    // Reports wrong options before it reads the file.
    core::WeightUnit unit = core::WeightUnit::Tokens;
    if (const auto text = arguments.value("weight")) {
        const auto parsed = parseUnit(*text);
        if (!parsed)
            return std::unexpected(parsed.error());
        unit = *parsed;
    }
    std::optional<core::Measure> keep;
    if (const auto text = arguments.value("keep")) {
        const auto parsed = core::parseMeasure(*text);
        if (!parsed)
            return core::failure(core::ErrorKind::Usage, "--keep: " + parsed.error().message);
        keep = *parsed;
    }
    const auto opened = openSession(arguments);
    if (!opened)
        return std::unexpected(opened.error());
    const core::SessionPtr &session = opened->session;
    return LoadedArray { core::shownAt(session, opened->position, core::Weights(opened->tokens, unit),
                             keep.value_or(core::openingKeep(*session))),
        opened->tokens };
}

/// The ground of the terminal where it says so (`15;0`: white on black), else dark.
core::ShowDrawingOptions::Colours coloursOfTerminal()
{
    const char *named = std::getenv("COLORFGBG");
    const std::string_view colours = named == nullptr ? std::string_view() : named;
    const std::string_view ground = colours.substr(std::min(colours.rfind(';') + 1, colours.size()));
    return ground == "7" || ground == "15" ? core::ShowDrawingOptions::Colours::OnLight
                                           : core::ShowDrawingOptions::Colours::OnDark;
}

core::Result<core::ShowDrawingOptions> drawingOptions(const Arguments &arguments)
{
    core::ShowDrawingOptions options;
    options.showsAll = arguments.has("all");
    const bool isTerminal = ::isatty(STDOUT_FILENO) == 1;
    winsize size {};
    if (isTerminal && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        // The lines above and below the slots: about 20.
        options.columns = size.ws_col;
        options.rows = std::max<size_t>(12, size.ws_row > 20 ? size.ws_row - 20U : 0U);
    }
    if (const auto text = arguments.value("width")) {
        const auto number = parseNumber("width", *text);
        if (!number)
            return std::unexpected(number.error());
        if (*number < 40 || *number > 1000)
            return core::failure(core::ErrorKind::Usage, "--width takes 40 to 1000 columns, not " + *text + ".");
        options.columns = *number;
    }
    const std::string when = arguments.value("color").value_or("auto");
    if (when != "always" && when != "never" && when != "auto")
        return core::failure(core::ErrorKind::Usage, "--color takes always, never or auto, not \"" + when + "\".");
    const char *noColor = std::getenv("NO_COLOR");
    const bool isPlain = noColor != nullptr && *noColor != '\0';
    if (when == "always" || (when == "auto" && isTerminal && !isPlain))
        options.colours = coloursOfTerminal();
    return options;
}

/// The policy's result on the shown array; nothing without `--policy`.
std::optional<core::Compaction> compacted(const core::Shown &shown, const core::PolicyPtr &policy)
{
    if (!policy)
        return std::nullopt;
    core::CompactOptions options;
    options.position = shown.position;
    options.sums = shown.threadSums;
    return core::compact(shown.transcript, policy, *shown.weights.tokens(), options);
}

core::Result<core::PolicyPtr> policyOf(const Arguments &arguments)
{
    if (arguments.has("policy"))
        return parsePolicyOptions(arguments);
    if (arguments.has("set"))
        return core::failure(core::ErrorKind::Usage, "--set changes a policy; name one with --policy.");
    return core::PolicyPtr();
}

int runShow(const Arguments &arguments)
{
    const auto policy = policyOf(arguments);
    if (!policy)
        return report(policy.error());
    if (arguments.has("texts") && !arguments.has("json"))
        return report({ core::ErrorKind::Usage, "--texts needs --json.", {} });
    const auto options = drawingOptions(arguments);
    if (!options)
        return report(options.error());
    const auto loaded = load(arguments);
    if (!loaded)
        return report(loaded.error());
    const core::Shown *shown = &loaded->shown;
    const auto compaction = compacted(*shown, *policy);
    core::CompactionSums sums { shown->sum(), {} };
    if (compaction)
        sums.after = core::sumAfter(*compaction, sums.before, *loaded->counted);
    // Files may have changed while they were read.
    if (const auto torn = shown->session->torn())
        return report(*torn);
    if (!arguments.has("json")) {
        std::string text = core::drawShow(*shown, *options);
        if (compaction)
            text += "\n" + core::drawCompaction(*compaction, *shown->weights.tokens(), nullptr, &sums);
        return print(text);
    }
    auto document
        = core::showJson(*shown, arguments.has("texts") ? core::BlockTexts::Included : core::BlockTexts::LeftOut);
    if (compaction) {
        document["policy"] = (*policy)->id;
        document["compaction"] = core::compactionJson(*compaction, *shown->weights.tokens(), nullptr, nullptr, &sums);
    }
    return printJson(document);
}

} // namespace

const Command kShow { "show", "FILE", 1, 1, "draws the messages of one call as bars, by weight", kOptions, runShow };

} // namespace app
