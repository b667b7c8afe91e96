// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/command_line.h"
#include "ui/mainwindow/main_window.h"

#include <QApplication>

#include <filesystem>

using namespace Qt::StringLiterals;

int main(int argc, char *argv[])
{
    const std::span words(argv, static_cast<size_t>(argc));
    const auto behindName = words.empty() ? words : words.subspan(1);
    if (const auto code = app::runCommandLine(behindName))
        return *code;
    const auto request = app::parseWindowWords(behindName).value();

    QApplication application(argc, argv);
    QApplication::setApplicationName(u"palimpsest"_s);
    QApplication::setApplicationVersion(QStringLiteral(PALIMPSEST_VERSION));

    // One window per file, one for all folders; without either, one empty window.
    std::vector<std::filesystem::path> folders;
    for (const std::string &file : request.files) {
        std::error_code error;
        if (std::filesystem::is_directory(file, error))
            folders.emplace_back(file);
        else
            ui::MainWindow::showNew()->open(file, request.after);
    }
    if (!folders.empty())
        ui::MainWindow::showNew()->tune(folders);
    else if (request.files.empty())
        ui::MainWindow::showNew();
    return QApplication::exec();
}
