// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

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

constexpr std::array<Option, 18> kOptions { {
    { "as", "card", "one page for a team: what a policy would have sent, cost and lost in a session, or in many" },
    { "output", "OUT", "the new file; its ending says how it is written: .png, .svg or .pdf", 'o' },
    { "policy", "P", "the policy: a preset or a policy file" },
    { "set", "KEY=VALUE", "change a setting of the policy, as for compact; may be repeated" },
    { "trace", "TEXT", "a lane that shows what became of this text, in place of the reach; up to three times" },
    { "with-text", "", "lanes are named by how their text begins; without it no text of the session is on the card" },
    { "call", "N", "the call of before and after, counted from 0; the heaviest recorded one without it" },
    { "thread", "N", "another thread of the session, a subagent or run, counted from 0" },
    { "prices", "FILE",
        "prices of your own, laid over those of the program; else prices.json in the configuration folder" },
    { "keep", "FIRST:LAST:COUNT", "of many sessions, as for sweep: the values of keep among which one is suggested" },
    { "trigger", "FIRST:LAST:COUNT", "the same for the trigger" },
    { "grid", "N", "of many, values of each; 16 if none is named" },
    { "since", "7d|DATE", "of many, those whose last call is not older" },
    { "subagents", "", "of many, subagents too, each a run of its own" },
    { "limit", "METRIC=MOST", "of many, what the suggestion keeps: lost_uses=1% (as without it); may be repeated" },
    { "seed", "N", "of many, of the resampling that intervals rest on; 1 if none is named" },
    { "theme", "NAME", "light (the default) or dark" },
    { "scale", "N", "pixels of a .png for each of its 1600x1000: 1 to 4, 1 without it" },
} };

/// Where a card goes and what it looks like.
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
        return core::failure(core::ErrorKind::Usage, "-o OUT is missing: where does the card go?");
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
        return report({ core::ErrorKind::Empty, "There is no session with calls here.", {} });
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
            "export writes --as card, and nothing else yet; pictures of the views are written by shoot, arrays by "
            "compact -o, maps by sweep --png.",
            {} });
    const std::vector<std::string> traced = arguments.values("trace");
    if (traced.size() > core::kMostCardLanes)
        return report({ core::ErrorKind::Usage, "A card has room for three --trace.", {} });
    if (std::ranges::any_of(traced, [](const std::string &text) { return core::stripped(text).empty(); }))
        return report({ core::ErrorKind::Usage, "--trace wants a text that is not blank.", {} });
    if (!arguments.has("policy"))
        return report({ core::ErrorKind::Usage, "A card wants a --policy; \"policies\" lists them.", {} });
    const auto look = readLook(arguments);
    if (!look)
        return report(look.error());
    return isSweepOfMany(arguments) ? writeCardOfMany(arguments, *look) : writeCardOfOne(arguments, *look);
}

} // namespace

const Command kExport { "export", "FILE|DIR|-…", 1, static_cast<size_t>(-1),
    "one page to show to others: a card of a policy on a session, or on many", kOptions, runExport };

} // namespace app
