// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/commands.h"
#include "app/offscreen.h"
#include "app/session_options.h"
#include "app/sweep_options.h"
#include "app/sweep_sessions.h"
#include "core/base/text.h"
#include "core/compaction/change_memo.h"
#include "core/report/card.h"
#include "core/report/set_card.h"
#include "ui/card/card_file.h"

#include <algorithm>
#include <array>

namespace app {

namespace {

constexpr auto kOptions = std::to_array<Option>({
    { "as", "card",
        "what to export. There is one kind so far: card, one page on what a policy sends, costs and loses" },
    { "output", "OUT", "the new file. Its ending chooses the kind of file: .png, .svg or .pdf", 'o' },
    kPolicyOption,
    kSetOption,
    { "trace", "TEXT",
        "adds a lane that shows at which calls this text was in the context. The card then has no curve of the reach "
        "(how many tokens back a text is when a later step needs it). At most three" },
    { "with-text", "",
        "labels each lane with the beginning of its text. Otherwise the card has no text of the session" },
    { "call", "N", "the call whose array is shown before and after, counted from 0. Default: the heaviest call" },
    kThreadOption,
    kPricesOption,
    { "keep", "FIRST:LAST:COUNT",
        "for many sessions: the values of keep to try, for example 0.02w:0.5w:12 (12 values from 2 to 50 % of the "
        "context window)" },
    { "trigger", "FIRST:LAST:COUNT", "for many sessions: the values of the trigger to try" },
    { "grid", "N", "for many sessions: how many values of each setting to try. Default: 16" },
    kSinceOption,
    kSubagentsOption,
    kLimitOption,
    kSeedOption,
    kThemeOption,
    { "scale", "N", "the size of a .png: 1 to 4 times 1600x1000 pixels. Default: 1" },
});

/// The output file and the look of a card.
struct CardLook {
    ui::Appearance appearance = ui::Appearance::Light;
    double scale = 1;
    std::string output;
};

core::Result<CardLook> readLook(const Arguments &arguments)
{
    CardLook look;
    const std::string theme = arguments.value("theme").value_or("light");
    if (theme != "light" && theme != "dark")
        return core::failure(core::ErrorKind::Usage, "--theme is light or dark, not “" + theme + "”.");
    look.appearance = theme == "dark" ? ui::Appearance::Dark : ui::Appearance::Light;
    const auto scale = parseNumber("scale", arguments.value("scale").value_or("1"));
    if (!scale || *scale < 1 || *scale > 4)
        return core::failure(core::ErrorKind::Usage, "--scale is a number from 1 to 4.");
    look.scale = static_cast<double>(*scale);
    const auto output = arguments.value("output");
    if (!output)
        return core::failure(core::ErrorKind::Usage, "-o OUT is missing. It names the file of the card.");
    look.output = *output;
    return look;
}

core::Result<core::Card> cardOfSession(const Arguments &arguments)
{
    core::CardOptions made;
    made.version = PALIMPSEST_VERSION;
    made.traced = arguments.values("trace");
    made.texts = arguments.has("with-text") ? core::CardTexts::Shown : core::CardTexts::Hidden;
    const auto policy = parsePolicyOptions(arguments);
    if (!policy)
        return std::unexpected(policy.error());
    const auto prices = parsePrices(arguments);
    if (!prices)
        return std::unexpected(prices.error());
    const auto opened = openSession(arguments);
    if (!opened)
        return std::unexpected(opened.error());
    const auto &[session, position, tokens] = *opened;
    const std::string &file = arguments.files.front();
    if (session->thread(position.thread).calls.empty())
        return core::failure(core::ErrorKind::Usage, "This thread has no calls: there is nothing to replay.", file);
    if (position.call.isValid())
        made.call = position.call;
    core::ReplayOptions options;
    options.memo = std::make_shared<core::ChangeMemo>(session);
    const auto report = core::replayReport(file, session, position.thread, tokens, { *policy }, *prices, options);
    return unlessTorn(*session, core::card(*report, made));
}

int writeCardOfMany(const Arguments &arguments, const CardLook &look)
{
    constexpr std::array kOfOne { "trace", "with-text", "call", "thread" };
    for (const char *option : kOfOne) {
        if (arguments.has(option))
            return report(
                { core::ErrorKind::Usage, std::string("--") + option + " is for the card of one session.", {} });
    }
    const auto suggestion = parseSuggestionOptions(arguments);
    if (!suggestion)
        return report(suggestion.error());
    const auto swept = sweptSessions(arguments);
    if (!swept)
        return report(swept.error());
    if (swept->set.runs.empty())
        return report({ core::ErrorKind::Empty, "No session with calls was found.", {} });
    const core::SetCard card = core::setCard(swept->set, { *suggestion, PALIMPSEST_VERSION });
    const Offscreen offscreen;
    const auto written = ui::writeCard(card, look.appearance, QString::fromStdString(look.output), look.scale);
    return written ? std::max(swept->exitCode, print(look.output + "\n")) : report(written.error());
}

int writeCardOfOne(const Arguments &arguments, const CardLook &look)
{
    for (const char *option : { "keep", "trigger", "grid", "limit", "seed" }) {
        if (arguments.has(option))
            return report({ core::ErrorKind::Usage,
                std::string("--") + option + " is for the card of many sessions; --set changes the policy.", {} });
    }
    const auto card = cardOfSession(arguments);
    if (!card)
        return report(card.error());
    const Offscreen offscreen;
    const auto written = ui::writeCard(*card, look.appearance, QString::fromStdString(look.output), look.scale);
    return written ? print(look.output + "\n") : report(written.error());
}

int runExport(const Arguments &arguments)
{
    const std::string as = arguments.value("as").value_or("");
    if (as != "card")
        return report({ core::ErrorKind::Usage,
            "export needs --as card, the only kind so far. Other commands write the other files: `shoot` pictures of "
            "the views, `compact -o` arrays, `sweep --png` maps.",
            {} });
    const std::vector<std::string> traced = arguments.values("trace");
    if (traced.size() > core::kMostCardLanes)
        return report({ core::ErrorKind::Usage, "A card has room for three --trace.", {} });
    if (std::ranges::any_of(traced, [](const std::string &text) { return core::stripped(text).empty(); }))
        return report({ core::ErrorKind::Usage, "The text of --trace is blank.", {} });
    if (!arguments.has("policy"))
        return report(
            { core::ErrorKind::Usage, "A card needs a --policy; `palimpsest policies` lists the presets.", {} });
    const auto look = readLook(arguments);
    if (!look)
        return report(look.error());
    return isSweepOfMany(arguments) ? writeCardOfMany(arguments, *look) : writeCardOfOne(arguments, *look);
}

} // namespace

const Command kExport { "export", "FILE|DIR|-…", 1, static_cast<size_t>(-1),
    "writes a picture of one page: what a policy would have done in one session or in many", kOptions, runExport };

} // namespace app
