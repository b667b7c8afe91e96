// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/test_program.h"

#ifdef QT_WIDGETS_LIB
#include <QApplication>
#else
#include <QCoreApplication>
#endif
#include <QFileInfo>
#include <QProcess>

#include <map>

namespace testing {

namespace {

std::map<QString, const TestClass *> &testClasses()
{
    static std::map<QString, const TestClass *> classes;
    return classes;
}

/// Runs every class in a process of its own, as ctest does: a class may leave signal handlers or settings behind.
int runAll(const QStringList &arguments)
{
    int failed = 0;
    for (const auto &[name, test] : testClasses()) {
        const QStringList words = QStringList { name } + arguments.mid(1);
        failed += QProcess::execute(QCoreApplication::applicationFilePath(), words) != 0 ? 1 : 0;
    }
    return failed;
}

int run(QStringList arguments)
{
    if (arguments.size() < 2 || arguments[1].startsWith(u'-'))
        return runAll(arguments);
    const auto found = testClasses().find(arguments.takeAt(1));
    if (found != testClasses().end())
        return QTest::qExec(found->second->make().get(), arguments);
    qWarning("This program has no such test. It has:");
    for (const auto &[name, test] : testClasses())
        qWarning("  %s", qPrintable(name));
    return 2;
}

} // namespace

TestClass::TestClass(const char *file, Maker maker)
    : m_make(maker)
{
    testClasses().emplace(QFileInfo(QString::fromUtf8(file)).completeBaseName(), this);
}

} // namespace testing

int main(int argc, char *argv[])
{
#ifdef QT_WIDGETS_LIB
    const QApplication application(argc, argv);
#else
    const QCoreApplication application(argc, argv);
#endif
    return testing::run(QCoreApplication::arguments());
}
