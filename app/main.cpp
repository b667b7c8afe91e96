// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include <QApplication>
#include <QMainWindow>

using namespace Qt::StringLiterals;

int main(int argc, char *argv[])
{
    QApplication application(argc, argv);
    QApplication::setApplicationName(u"palimpsest"_s);
    QApplication::setApplicationVersion(QStringLiteral(PALIMPSEST_VERSION));

    QMainWindow window;
    window.setWindowTitle(u"Palimpsest"_s);
    window.show();
    return QApplication::exec();
}
