// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/offscreen.h"
#include "app/session_options.h"
#include "ui/mainwindow/main_window.h"
#include "ui/mainwindow/shoot.h"

#include <array>

namespace app {

namespace {

constexpr std::array<Option, 14> kOptions { {
    { "view", "VIEW",
        "window, timeline, array, bars, heaviest, edits, tuning, outline, message, raw, weight, calls, policy, "
        "rewrites, or all (the default); of a folder: window, tuning, suggestion, reach, front" },
    { "output", "DIR", "folder for the pictures, made if need be", 'o' },
    { "call", "N", "the call to stand at, counted from 0; the heaviest one without it" },
    { "thread", "N", "the thread, counted from 0" },
    { "slot", "N", "the slot to select" },
    { "policy", "P", "the policy to simulate: a preset or a policy file" },
    { "set", "KEY=VALUE", "change a setting of the policy, as for compact; may be repeated" },
    { "as-if-fired", "", "every stage acts, whether its trigger is reached or not" },
    { "compare", "P",
        "a preset or policy file to compare with in the timeline, of a folder in the suggestion; may be repeated" },
    { "trace", "TEXT", "a text to trace over the calls" },
    { "after", "FILE", "another file as the array after" },
    { "theme", "NAME", "light (the default) or dark" },
    { "size", "WxH", "size of the window, 1600x1000 without it" },
    { "scale", "N", "pixels of the picture for each of the window, 1 to 4" },
} };

/// `1600x1000`, from 800x520 (the smallest window) to 8000x8000.
core::Result<QSize> parseSize(const std::string &text)
{
    const QStringList parts = QString::fromStdString(text).split(u'x');
    bool isWide = false;
    bool isHigh = false;
    const QSize size(parts.value(0).toInt(&isWide), parts.value(1).toInt(&isHigh));
    const bool isFit = parts.size() == 2 && isWide && isHigh && size.width() >= 800 && size.height() >= 520
        && size.width() <= 8000 && size.height() <= 8000;
    if (!isFit)
        return core::failure(
            core::ErrorKind::Usage, "--size wants WIDTHxHEIGHT, from 800x520 to 8000x8000, not “" + text + "”.");
    return size;
}

core::Result<ui::ShootRequest> requestOf(const Arguments &arguments)
{
    ui::ShootRequest request;
    request.file = arguments.files.front();
    const auto output = arguments.value("output");
    if (!output)
        return core::failure(core::ErrorKind::Usage, "-o DIR is missing: where do the pictures go?");
    request.folder = *output;
    const std::string view = arguments.value("view").value_or("all");
    if (view != "all")
        request.views = QString::fromStdString(view).split(u',');
    for (const auto &[name, target] : { std::pair<const char *, std::optional<uint32_t> *> { "call", &request.call },
             { "thread", &request.thread }, { "slot", &request.slot } }) {
        const auto value = arguments.value(name);
        if (!value)
            continue;
        const auto number = parseNumber(name, *value);
        if (!number)
            return std::unexpected(number.error());
        *target = static_cast<uint32_t>(*number);
    }
    if (arguments.has("policy")) {
        const auto policy = parsePolicyOptions(arguments);
        if (!policy)
            return std::unexpected(policy.error());
        request.policy = *policy;
    } else if (arguments.has("set") || arguments.has("as-if-fired")) {
        return core::failure(core::ErrorKind::Usage, "--set and --as-if-fired want a --policy.");
    }
    for (const std::string &name : arguments.values("compare")) {
        const auto policy = core::policyNamed(name);
        if (!policy)
            return std::unexpected(policy.error());
        request.compared.push_back(std::make_shared<const core::Policy>(*policy));
    }
    request.traced = arguments.value("trace").value_or("");
    request.ignoresTriggers = arguments.has("as-if-fired");
    request.after = arguments.value("after").value_or("");
    const std::string theme = arguments.value("theme").value_or("light");
    if (theme != "light" && theme != "dark")
        return core::failure(core::ErrorKind::Usage, "--theme is light or dark, not “" + theme + "”.");
    request.isDark = theme == "dark";
    if (const auto size = arguments.value("size")) {
        const auto parsed = parseSize(*size);
        if (!parsed)
            return std::unexpected(parsed.error());
        request.size = *parsed;
    }
    if (const auto scale = arguments.value("scale")) {
        bool isNumber = false;
        request.scale = QString::fromStdString(*scale).toDouble(&isNumber);
        if (!isNumber || request.scale < 1 || request.scale > 4)
            return core::failure(core::ErrorKind::Usage, "--scale is a number from 1 to 4, not “" + *scale + "”.");
    }
    return request;
}

int runShoot(const Arguments &arguments)
{
    const auto request = requestOf(arguments);
    if (!request)
        return report(request.error());
    const Offscreen offscreen;
    const auto written = ui::shoot(*request);
    if (!written)
        return report(written.error());
    return print(written->join(u'\n').toStdString() + "\n");
}

} // namespace

const Command kShoot { "shoot", "FILE|DIR", 1, 1, "write pictures of the views, without a display", kOptions,
    runShoot };

} // namespace app
