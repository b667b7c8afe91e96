// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/sweep_picture.h"

#include "app/offscreen.h"
#include "app/session_options.h"
#include "ui/files/save_bytes.h"
#include "ui/tuning/map_picture.h"

#include <filesystem>
#include <functional>

namespace app {

namespace {

int write(const core::PolicyPtr &policy, core::SweepMetric metric, const Arguments &arguments,
    const std::function<QImage(const ui::MapPictureRequest &)> &picture)
{
    const std::string path = *arguments.value("png");
    const std::string theme = arguments.value("theme").value_or("light");
    if (theme != "light" && theme != "dark")
        return report({ core::ErrorKind::Usage, "--theme is light or dark, not “" + theme + "”.", {} });
    const Offscreen offscreen;
    ui::MapPictureRequest request;
    request.policy = policy;
    request.metric = metric;
    request.isDark = theme == "dark";
    if (const auto saved = ui::savePicture(picture(request), QString::fromStdString(path)); !saved)
        return report(saved.error());
    return print(path + "\n");
}

} // namespace

int writeSweepPicture(const core::SweepReport &made, const Arguments &arguments)
{
    const auto policy = parsePolicyOptions(arguments);
    if (!policy)
        return report(policy.error());
    const QString file = QString::fromStdString(std::filesystem::path(made.file).filename().string());
    return write(*policy, made.metric, arguments,
        [&](const ui::MapPictureRequest &request) { return ui::mapPicture(request, *made.ground, made.sweep, file); });
}

int writeSweepPicture(core::SweepSetReport made, const Arguments &arguments)
{
    if (made.set.runs.empty())
        return Done;
    const core::PolicyPtr policy = made.set.plan.policy;
    return write(policy, made.metric, arguments,
        [&](const ui::MapPictureRequest &request) { return ui::mapPicture(request, std::move(made.set)); });
}

} // namespace app
