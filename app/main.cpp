// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/command_line.h"
#include "ui/mainwindow/main_window.h"

#include <QApplication>
#include <QFile>

using namespace Qt::StringLiterals;

int main(int argc, char *argv[])
{
    const std::span words(argv, static_cast<size_t>(argc));
    if (const auto code = app::runCommandLine(words.empty() ? words : words.subspan(1)))
        return *code;

    QApplication application(argc, argv);
    QApplication::setApplicationName(u"palimpsest"_s);
    QApplication::setApplicationVersion(QStringLiteral(PALIMPSEST_VERSION));

    // One window a file; none without a file, where it says how to get one.
    const QStringList files = QApplication::arguments().mid(1);
    for (qsizetype i = 0; i < std::max<qsizetype>(1, files.size()); ++i) {
        ui::MainWindow *window = ui::MainWindow::showNew();
        if (i < files.size())
            window->open(QFile::encodeName(files[i]).toStdString());
    }
    return QApplication::exec();
}
