// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/commands.h"
#include "app/offscreen.h"
#include "app/session_options.h"
#include "ui/look/pseudo_locale.h"
#include "ui/mainwindow/main_window.h"
#include "ui/mainwindow/shoot.h"

#include <array>

namespace app {

using namespace Qt::StringLiterals;

namespace {

/// The views of a session, and those of a folder.
std::string viewNames()
{
    return ui::MainWindow::viewNames().join(u", "_s).toStdString()
        + "; for a folder: " + ui::MainWindow::folderViewNames().join(u", "_s).toStdString();
}

constexpr auto kOptions = std::to_array<Option>({
    { "view", "VIEW", "the views to draw, with commas between them (default: all)", '\0', viewNames },
    { "output", "DIR", "the folder for the pictures; it is created if it does not exist", 'o' },
    { "call", "N", "the call whose array is shown, counted from 0. Default: the heaviest" },
    kThreadOption,
    { "slot", "N", "the slot to select, counted from 0" },
    kPolicyOption,
    kSetOption,
    kAsIfFiredOption,
    { "overrides", "FILE", "a file of your own changes to blocks, as for compact" },
    { "compare", "P",
        "a policy to compare with. It adds a curve to the timeline or, for a folder, a row to the suggestion. May be "
        "repeated" },
    { "trace", "TEXT", "a text to trace: a lane shows which calls contained it" },
    { "find", "QUERY", "a filter line for the Search panel; the array marks what it finds" },
    { "after", "FILE", "another session file; its array is shown beside the first, as the array after a compaction" },
    kThemeOption,
    { "size", "WxH", "the size of the window, from 800x520 to 8000x8000. Default: 1600x1000" },
    { "pseudo", "", "draws every text that can be translated in brackets, with accents and a third longer" },
    { "scale", "N", "the scale of the picture: 1 to 4 pixels for each pixel of the window. Default: 1" },
});

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
            core::ErrorKind::Usage, "--size takes WIDTHxHEIGHT, from 800x520 to 8000x8000, not “" + text + "”.");
    return size;
}

core::Result<ui::ShootRequest> requestOf(const Arguments &arguments)
{
    ui::ShootRequest request;
    request.file = arguments.files.front();
    const auto output = arguments.value("output");
    if (!output)
        return core::failure(core::ErrorKind::Usage, "-o DIR is missing. It names the folder for the pictures.");
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
        return core::failure(core::ErrorKind::Usage, "--set and --as-if-fired need a --policy.");
    }
    for (const std::string &name : arguments.values("compare")) {
        const auto policy = core::policyNamed(name);
        if (!policy)
            return std::unexpected(policy.error());
        request.compared.push_back(std::make_shared<const core::Policy>(*policy));
    }
    request.found = arguments.value("find").value_or("");
    request.overrides = arguments.value("overrides").value_or("");
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
    ui::PseudoLocale pseudo;
    if (arguments.has("pseudo"))
        QCoreApplication::installTranslator(&pseudo);
    const auto written = ui::shoot(*request);
    if (!written)
        return report(written.error());
    return print(written->join(u'\n').toStdString() + "\n");
}

} // namespace

const Command kShoot { "shoot", "FILE|DIR", 1, 1, "writes pictures of the window's views, without a display", kOptions,
    runShoot };

} // namespace app
