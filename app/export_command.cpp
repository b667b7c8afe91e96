// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/offscreen.h"
#include "app/session_options.h"
#include "core/compaction/change_memo.h"
#include "core/formats/format.h"
#include "core/report/card.h"
#include "core/tokens/counted_tokens.h"
#include "ui/card/card_file.h"

#include <array>
#include <thread>

namespace app {

namespace {

constexpr std::array<Option, 9> kOptions { {
    { "as", "card", "one page for a team: what a policy would have sent, cost and lost in this session" },
    { "output", "OUT", "the new file; its ending says how it is written: .png, .svg or .pdf", 'o' },
    { "policy", "P", "the policy: a preset or a policy file" },
    { "set", "KEY=VALUE", "change a setting of the policy, as for compact; may be repeated" },
    { "call", "N", "the call of before and after, counted from 0; the heaviest recorded one without it" },
    { "thread", "N", "another thread of the session, a subagent or run, counted from 0" },
    { "prices", "FILE",
        "prices of your own, laid over those of the program; else prices.json in the configuration folder" },
    { "theme", "NAME", "light (the default) or dark" },
    { "scale", "N", "pixels of a .png for each of its 1600x1000: 1 to 4, 1 without it" },
} };

struct CardRequest {
    core::ReplayReport report;
    core::CardOptions options;
    ui::Appearance appearance = ui::Appearance::Light;
    double scale = 1;
    std::string output;
};

core::Result<void> readLook(CardRequest &request, const Arguments &arguments)
{
    const std::string theme = arguments.value("theme").value_or("light");
    if (theme != "light" && theme != "dark")
        return core::failure(core::ErrorKind::Usage, "--theme is light or dark, not “" + theme + "”.");
    request.appearance = theme == "dark" ? ui::Appearance::Dark : ui::Appearance::Light;
    const auto scale = parseNumber("scale", arguments.value("scale").value_or("1"));
    if (!scale || *scale < 1 || *scale > 4)
        return core::failure(core::ErrorKind::Usage, "--scale is a number from 1 to 4.");
    request.scale = static_cast<double>(*scale);
    const auto output = arguments.value("output");
    if (!output)
        return core::failure(core::ErrorKind::Usage, "-o OUT is missing: where does the card go?");
    request.output = *output;
    return {};
}

core::Result<void> replayInto(CardRequest &request, const Arguments &arguments)
{
    const auto policy = parsePolicyOptions(arguments);
    if (!policy)
        return std::unexpected(policy.error());
    const auto prices = parsePrices(arguments);
    if (!prices)
        return std::unexpected(prices.error());
    const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
    const std::string &file = arguments.files.front();
    const auto session = core::loadSession(file, nullptr, {}, threads);
    if (!session)
        return std::unexpected(session.error());
    const auto position = parsePosition(**session, arguments);
    if (!position)
        return core::failure(position.error().kind, position.error().message, file);
    if ((*session)->thread(position->thread).calls.empty())
        return core::failure(core::ErrorKind::Usage, "This thread has no calls: there is nothing to replay.", file);
    if (position->call.isValid())
        request.options.call = position->call;
    core::ReplayOptions options;
    options.memo = std::make_shared<core::ChangeMemo>(*session);
    auto report = core::replayReport(file, *session, position->thread, core::countedTokens(**session, threads, nullptr),
        { *policy }, *prices, options);
    if (const auto torn = (*session)->torn())
        return std::unexpected(*torn);
    request.report = std::move(*report);
    return {};
}

int runExport(const Arguments &arguments)
{
    const std::string as = arguments.value("as").value_or("");
    if (as != "card")
        return report({ core::ErrorKind::Usage,
            "export writes --as card, and nothing else yet; pictures of the views are written by shoot, arrays by "
            "compact -o, maps by sweep --png.",
            {} });
    if (!arguments.has("policy"))
        return report({ core::ErrorKind::Usage, "A card wants a --policy; \"policies\" lists them.", {} });
    CardRequest request;
    request.options.version = PALIMPSEST_VERSION;
    if (const auto read = readLook(request, arguments); !read)
        return report(read.error());
    if (const auto replayed = replayInto(request, arguments); !replayed)
        return report(replayed.error());
    const Offscreen offscreen;
    const auto written = ui::writeCard(core::card(request.report, request.options), request.appearance,
        QString::fromStdString(request.output), request.scale);
    return written ? print(request.output + "\n") : report(written.error());
}

} // namespace

const Command kExport { "export", "FILE", 1, 1, "one page to show to others: a card of a policy on this session",
    kOptions, runExport };

} // namespace app
