// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/files/read_session.h"

#include <QFile>

#include <algorithm>
#include <thread>

namespace ui {

namespace {

core::Result<core::SourcePtr> openSource(const std::filesystem::path &path)
{
    if (!isInProgram(path))
        return core::Source::open(path);
    QFile resource(QString::fromStdString(path.string()));
    if (!resource.open(QIODevice::ReadOnly))
        return core::failure(core::ErrorKind::NotFound, "The sample is missing from this build.", path.string());
    return core::Source::own(resource.readAll().toStdString(), path.filename().string());
}

} // namespace

bool isInProgram(const std::filesystem::path &path) { return path.string().starts_with(':'); }

unsigned workerCount() { return std::max(1U, std::thread::hardware_concurrency()); }

core::Result<core::SessionPtr> readSession(
    const std::filesystem::path &path, core::Progress *progress, const core::Publish &publish)
{
    const auto source = openSource(path);
    if (!source)
        return std::unexpected(source.error());
    return core::loadSession(*source, progress, publish, workerCount());
}

} // namespace ui
