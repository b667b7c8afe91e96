// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/sweep_picture.h"

#include "app/offscreen.h"
#include "app/session_options.h"
#include "ui/tuning/map_picture.h"

#include <filesystem>

namespace app {

int writeSweepPicture(const core::SweepReport &made, const Arguments &arguments)
{
    const std::string path = *arguments.value("png");
    const std::string theme = arguments.value("theme").value_or("light");
    if (theme != "light" && theme != "dark")
        return report({ core::ErrorKind::Usage, "--theme is light or dark, not “" + theme + "”.", {} });
    const auto policy = parsePolicyOptions(arguments);
    if (!policy)
        return report(policy.error());
    const Offscreen offscreen;
    ui::MapPictureRequest request;
    request.ground = made.ground;
    request.sweep = made.sweep;
    request.policy = *policy;
    request.metric = made.metric;
    request.file = QString::fromStdString(std::filesystem::path(made.file).filename().string());
    request.isDark = theme == "dark";
    if (!ui::mapPicture(request).save(QString::fromStdString(path), "PNG"))
        return report({ core::ErrorKind::NotReadable, "The picture cannot be written.", path });
    return print(path + "\n");
}

} // namespace app
