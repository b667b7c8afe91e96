// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/command_line.h"
#include "app/index_options.h"
#include "ui/files/text_scale.h"
#include "ui/mainwindow/main_window.h"

#include <QApplication>
#include <QIcon>

#include <filesystem>
#include <memory>

using namespace Qt::StringLiterals;

namespace {

ui::MainWindow::Place placeOf(const app::WindowRequest &request)
{
    const auto numberOf = [&](std::string_view name) -> std::optional<uint32_t> {
        const auto found = request.places.find(name);
        return found == request.places.end() ? std::nullopt : std::optional(found->second);
    };
    return { numberOf("thread"), numberOf("call"), numberOf("message"), numberOf("edit") };
}

} // namespace

int main(int argc, char *argv[])
{
    const std::span words(argv, static_cast<size_t>(argc));
    const auto behindName = words.empty() ? words : words.subspan(1);
    if (const auto code = app::runCommandLine(behindName))
        return *code;
    const auto request = app::parseWindowWords(behindName).value();

    auto application = std::make_unique<QApplication>(argc, argv);
    if (const int scale = ui::wantedTextScale(); scale != 100) {
        const QByteArray before = qgetenv("QT_SCALE_FACTOR"); // programs that this one starts have their own
        application.reset();
        ui::prepareTextScale(scale);
        application = std::make_unique<QApplication>(argc, argv);
        before.isNull() ? qunsetenv("QT_SCALE_FACTOR") : qputenv("QT_SCALE_FACTOR", before);
    }
    QApplication::setApplicationName(u"palimpsest"_s);
    QApplication::setApplicationVersion(QStringLiteral(PALIMPSEST_VERSION));
    QApplication::setDesktopFileName(u"palimpsest"_s);
    QApplication::setWindowIcon(QIcon(u":/icon/palimpsest.svg"_s));

    std::vector<std::string> files = request.files;
    if (request.latest) {
        const auto found = app::latestSession(*request.latest);
        if (!found)
            return app::report(found.error());
        files = { *found };
    }
    // One window per file, one for all folders; without either, one with the sessions of this computer.
    std::vector<std::filesystem::path> folders;
    for (const std::string &file : files) {
        std::error_code error;
        if (std::filesystem::is_directory(file, error))
            folders.emplace_back(file);
        else if (!request.places.empty())
            ui::MainWindow::showNew()->openAt(file, placeOf(request));
        else
            ui::MainWindow::showNew()->open(file, request.after);
    }
    if (!folders.empty())
        ui::MainWindow::showNew()->listSessions(folders);
    else if (files.empty())
        ui::MainWindow::showNew();
    return QApplication::exec();
}
