// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/test_program.h"

#include <QDirIterator>
#include <QFile>
#include <QHash>
#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;

namespace {

/// Path below the repository, to text.
using Files = QMap<QString, QString>;

/// The folders of core, bottom first: each includes only itself and those before it.
const QStringList kCoreFolders = { u"json"_s, u"base"_s, u"session"_s, u"formats/reading"_s, u"formats/anthropic"_s,
    u"formats/openai"_s, u"formats/pi"_s, u"formats/genkit"_s, u"formats/gemini"_s, u"formats/agents"_s,
    u"formats/logs"_s, u"formats/databases"_s, u"formats"_s, u"tokens"_s, u"git"_s, u"diff"_s, u"writing"_s,
    u"originals"_s, u"compaction"_s, u"compaction/stages"_s, u"context"_s, u"evidence"_s, u"weight"_s, u"search"_s,
    u"cache"_s, u"money"_s, u"summary"_s, u"replay"_s, u"cuts"_s, u"sweep"_s, u"edits"_s, u"findings"_s, u"index"_s,
    u"report"_s };

/// The shared folders of ui, bottom first. Behind them come the views, which do not include each other, and the main
/// window, which includes them all.
const QStringList kSharedUiFolders = { u"look"_s, u"widgets"_s, u"files"_s, u"hub"_s, u"text"_s, u"diff"_s };

/// The parts of the Tuning view, bottom first; the two kinds of pages do not include each other.
const QStringList kTuningFolders
    = { u"tuning/settings"_s, u"tuning/map"_s, u"tuning/session"_s, u"tuning/folder"_s, u"tuning"_s };

/// The only folders that may see libgit2.
const QStringList kGitFolders = { u"core/git"_s, u"core/diff"_s, u"core/originals"_s, u"core/edits"_s };

/// The only folder that may see the network, or start a process: the key command. See SECURITY.md.
const QString kOutwardFolder = u"ui/summary"_s;

/// `core/formats/pi` for `core/formats/pi/pi.cpp` and `core` for `core/precompiled.h`.
QString folderOf(const QString &path) { return path.section(u'/', 0, -2); }

/// Why a view or the main window may not include another folder of ui, or nothing.
QString uiObjection(const QString &from, const QString &to)
{
    if (to == from || from == u"mainwindow")
        return {};
    const qsizetype above = kSharedUiFolders.indexOf(to);
    const qsizetype self = kSharedUiFolders.indexOf(from);
    if (self >= 0)
        return above >= 0 && above < self ? QString() : u"ui/%1 is not below ui/%2"_s.arg(to, from);
    if (above >= 0)
        return {};
    const bool areSideBySide = from == u"tuning/folder" && to == u"tuning/session";
    const qsizetype part = kTuningFolders.indexOf(to);
    if (part >= 0 && part < kTuningFolders.indexOf(from) && !areSideBySide)
        return {};
    return u"views do not include each other"_s;
}

/// The reason why `file` may not include `header`, or nothing.
QString objection(const QString &file, const QString &header)
{
    const QString from = folderOf(file);
    const QString module = from.section(u'/', 0, 0);
    const QString to = folderOf(header);
    const QString toModule = to.section(u'/', 0, 0);

    static const QRegularExpression qtHeader(u"^(Q[A-Z]|q[a-z]+\\.h$|Qt[A-Z][A-Za-z]*/|KSyntaxHighlighting|KF6)"_s);
    if (module == u"core" && qtHeader.match(header).hasMatch())
        return u"core holds no Qt"_s;
    static const QRegularExpression outward(u"^(QtNetwork|QNetwork|QTcp|QUdp|QSsl|QLocalS|QProcess$|QtCore/"
                                            u"QProcess|QDesktopServices|QtGui/QDesktopServices|"
                                            "sys/socket|netinet/|spawn\\.h|curl/)"_s);
    if (outward.match(header).hasMatch() && from != kOutwardFolder)
        return u"only %1 reaches beyond this program"_s.arg(kOutwardFolder);
    if ((header == u"git2.h" || header.startsWith(u"git2/")) && !kGitFolders.contains(from))
        return u"only %1 use libgit2"_s.arg(kGitFolders.join(u", "));

    // The precompiled headers belong to no folder.
    if (toModule != u"core" && toModule != u"ui" && toModule != u"app")
        return {};
    if (header.endsWith(u"/precompiled.h"))
        return from == module ? QString() : u"a source includes what it uses, not the precompiled header"_s;
    if (toModule == u"app" && module != u"app")
        return u"nothing includes app"_s;
    if (module == u"core") {
        if (toModule != u"core")
            return u"core does not know ui"_s;
        const qsizetype above = kCoreFolders.indexOf(to.section(u'/', 1));
        if (above < 0)
            return u"%1 is not a folder of core"_s.arg(to);
        if (above > kCoreFolders.indexOf(from.section(u'/', 1)))
            return u"%1 lies above %2"_s.arg(to, from);
    }
    if (module == u"ui" && toModule == u"ui")
        return uiObjection(from.section(u'/', 1), to.section(u'/', 1));
    return {};
}

/// One sentence for each include that breaks a rule, with file and line.
QStringList violations(const Files &files)
{
    static const QRegularExpression include(u"^\\s*#\\s*include\\s*[<\"]([^>\"]+)[>\"]"_s);
    QStringList found;
    for (const auto &[path, text] : files.asKeyValueRange()) {
        const QString folder = folderOf(path);
        if (folder.startsWith(u"core/") && !kCoreFolders.contains(folder.section(u'/', 1)))
            found << u"%1: %2 is not a folder of core"_s.arg(path, folder);
        int line = 0;
        for (const auto lineText : QStringTokenizer(text, u'\n')) {
            ++line;
            const auto match = include.matchView(lineText);
            if (!match.hasMatch())
                continue;
            if (const QString reason = objection(path, match.captured(1)); !reason.isEmpty())
                found << u"%1:%2: includes %3, but %4"_s.arg(path).arg(line).arg(match.captured(1), reason);
        }
    }
    return found;
}

Files sources(const QString &root)
{
    Files files;
    for (const auto &module : { u"core"_s, u"ui"_s, u"app"_s }) {
        QDirIterator it(root + u'/' + module, { u"*.h"_s, u"*.cpp"_s }, QDir::Files, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            QFile file(it.next());
            if (file.open(QIODevice::ReadOnly))
                files.insert(file.fileName().mid(root.size() + 1), QString::fromUtf8(file.readAll()));
        }
    }
    return files;
}

} // namespace

/// The layers of core/README.md as include lines: what a folder may see.
class IncludesTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyIncludeGoesDown();
    void everyRuleCanFail_data();
    void everyRuleCanFail();
    void whatIsAllowedPasses();
};

void IncludesTest::everyIncludeGoesDown()
{
    const Files files = sources(QString::fromUtf8(PALIMPSEST_SOURCE_DIR));
    QVERIFY2(files.contains(u"app/main.cpp"_s), "the sources are not where the test looks for them");
    const QStringList found = violations(files);
    QVERIFY2(found.isEmpty(), qPrintable(u'\n' + found.join(u'\n')));
}

void IncludesTest::everyRuleCanFail_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("line");

    QTest::newRow("core includes a folder above") << u"core/session/x.h"_s << u"#include \"core/formats/y.h\""_s;
    QTest::newRow("core includes ui") << u"core/report/x.cpp"_s << u"#include \"ui/look/theme.h\""_s;
    QTest::newRow("core includes Qt by class") << u"core/base/x.cpp"_s << u"#include <QString>"_s;
    QTest::newRow("core includes Qt by module") << u"core/base/x.cpp"_s << u"#  include <QtCore/qglobal.h>"_s;
    QTest::newRow("core includes Qt by file") << u"core/base/x.cpp"_s << u" #include <qstring.h>"_s;
    QTest::newRow("core includes a folder that has no place")
        << u"core/base/x.cpp"_s << u"#include \"core/misc/y.h\""_s;
    QTest::newRow("core has a folder without a place") << u"core/misc/x.cpp"_s << u""_s;
    QTest::newRow("a reader includes libgit2") << u"core/formats/x.cpp"_s << u"#include <git2.h>"_s;
    QTest::newRow("a view includes libgit2") << u"ui/edits/x.cpp"_s << u"#include <git2/blob.h>"_s;
    QTest::newRow("a view includes the network") << u"ui/edits/x.cpp"_s << u"#include <QtNetwork/QTcpSocket>"_s;
    QTest::newRow("a command starts a process") << u"app/x.cpp"_s << u"#include <QProcess>"_s;
    QTest::newRow("core opens a socket") << u"core/base/x.cpp"_s << u"#include <sys/socket.h>"_s;
    QTest::newRow("a view includes another") << u"ui/array/x.cpp"_s << u"#include \"ui/timeline/y.h\""_s;
    QTest::newRow("text includes diff") << u"ui/text/x.cpp"_s << u"#include \"ui/diff/y.h\""_s;
    QTest::newRow("a hub includes a view") << u"ui/hub/x.cpp"_s << u"#include \"ui/array/y.h\""_s;
    QTest::newRow("a widget includes a hub") << u"ui/widgets/x.cpp"_s << u"#include \"ui/hub/y.h\""_s;
    QTest::newRow("the map includes a page") << u"ui/tuning/map/x.cpp"_s << u"#include \"ui/tuning/session/y.h\""_s;
    QTest::newRow("a page includes its twin") << u"ui/tuning/folder/x.cpp"_s << u"#include \"ui/tuning/session/y.h\""_s;
    QTest::newRow("a reader includes another family above it")
        << u"core/formats/anthropic/x.cpp"_s << u"#include \"core/formats/openai/y.h\""_s;
    QTest::newRow("a view includes the window") << u"ui/array/x.cpp"_s << u"#include \"ui/mainwindow/y.h\""_s;
    QTest::newRow("ui includes app") << u"ui/mainwindow/x.cpp"_s << u"#include \"app/y.h\""_s;
    QTest::newRow("a source includes the precompiled header")
        << u"core/base/x.h"_s << u"#include \"core/precompiled.h\""_s;
}

void IncludesTest::everyRuleCanFail()
{
    QFETCH(QString, path);
    QFETCH(QString, line);
    QCOMPARE(violations({ { path, u"#pragma once\n\n"_s + line + u'\n' } }).size(), 1);
}

void IncludesTest::whatIsAllowedPasses()
{
    const Files files = {
        { u"core/precompiled.h"_s, u"#include <vector>\n"_s },
        { u"core/originals/store.cpp"_s,
            u"#include \"core/originals/store.h\"\n#include \"core/base/result.h\"\n#include <git2.h>\n#include <queue>\n"_s },
        { u"ui/precompiled.h"_s, u"#include \"core/precompiled.h\"\n#include <QtWidgets>\n"_s },
        { u"ui/array/widget.cpp"_s,
            u"#include \"ui/array/widget.h\"\n#include \"ui/look/theme.h\"\n#include \"ui/text/surface.h\"\n"
            "#include \"ui/diff/diff_view.h\"\n"
            "#include \"core/report/report.h\"\n#include <QWidget>\n// #include \"ui/timeline/x.h\"\n"_s },
        { u"ui/mainwindow/mainwindow.cpp"_s, u"#include \"ui/array/widget.h\"\n"_s },
        { u"app/main.cpp"_s, u"#include \"ui/mainwindow/mainwindow.h\"\n#include \"core/base/result.h\"\n"_s },
    };
    QCOMPARE(violations(files), QStringList());
}

PALIMPSEST_TEST(IncludesTest)
#include "tst_includes.moc"
