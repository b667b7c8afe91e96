// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/command_line.h"
#include "ui/mainwindow/main_window.h"

#include <QApplication>

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

    // One window a file; none without a file, where it says how to get one.
    for (size_t i = 0; i < std::max<size_t>(1, request.files.size()); ++i) {
        ui::MainWindow *window = ui::MainWindow::showNew();
        if (i < request.files.size())
            window->open(request.files[i], request.after);
    }
    return QApplication::exec();
}
