// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/claude_log.h"
#include "tests/test_program.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using testing::ClaudeLog;

namespace {

struct Run {
    int exitCode = -1;
    QByteArray output;
    QByteArray error;
};

Run run(const QStringList &words)
{
    QProcess program;
    program.start(QCoreApplication::applicationDirPath() + u"/palimpsest"_s, words);
    if (!program.waitForFinished())
        return {};
    return { program.exitCode(), program.readAllStandardOutput(), program.readAllStandardError() };
}

} // namespace

/// `palimpsest edits`: the program as it is run.
class EditsCommandTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void theDocumentHoldsEveryEdit();
    void theListIsALineAnEdit();
    void thePatchIsNothingElse();
    void wrongWordsAreSentences_data();
    void wrongWordsAreSentences();

private:
    QTemporaryDir m_folder;
    QString m_file;
};

void EditsCommandTest::initTestCase()
{
    ClaudeLog log("/nowhere/project"); // a folder that no machine has
    log.typed("Go.");
    log.read("/nowhere/project/a.txt", "one\ntwo\n");
    log.edit("/nowhere/project/a.txt", "two", "2");
    log.edit("/nowhere/project/unseen.txt", "zebra", "okapi");
    m_file = m_folder.filePath(u"session.jsonl"_s);
    QFile file(m_file);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(log.text()));
    file.close();
    QFile now(m_folder.filePath(u"a.txt"_s));
    QVERIFY(now.open(QIODevice::WriteOnly));
    now.write("one\n2\n");
}

void EditsCommandTest::theDocumentHoldsEveryEdit()
{
    const Run made = run({ u"edits"_s, m_file, u"--repo"_s, m_folder.path(), u"--json"_s });
    QVERIFY2(made.exitCode == 0, made.error.constData());
    const QJsonObject document = QJsonDocument::fromJson(made.output).object();
    QCOMPARE(document[u"schema"].toString(), u"palimpsest.edits/1"_s);
    QCOMPARE(document[u"edits"].toArray().size(), 2);
    const QJsonObject edit = document[u"edits"][0].toObject();
    for (const QString &key : { u"id"_s, u"slot"_s, u"tool"_s, u"path"_s, u"state"_s, u"basis"_s, u"before_known"_s,
             u"after_known"_s, u"added"_s, u"removed"_s, u"agrees_with_recorded"_s })
        QVERIFY2(edit.contains(key), qPrintable(key));
    QCOMPARE(edit[u"slot"].toInt(), 3);
    QCOMPARE(edit[u"tool"].toString(), u"Edit"_s);
    QCOMPARE(edit[u"path"].toString(), u"a.txt"_s);
    QCOMPARE(edit[u"state"].toString(), u"landed"_s);
    QCOMPARE(edit[u"basis"][u"sentence"].toString(), u"read #2, 1 call before, in context"_s);
    QCOMPARE(edit[u"before_known"].toBool(), true);
    QCOMPARE(edit[u"added"].toInt(), 1);
    QVERIFY(edit[u"agrees_with_recorded"].isNull());
    QCOMPARE(document[u"edits"][1][u"before_known"].toBool(), false);
    QCOMPARE(edit[u"state_sentence"].toString(), u"landed"_s);
    QVERIFY(edit[u"in_working_tree"].toBool());
    QCOMPARE(edit[u"blob"].toString().size(), 40);
    QCOMPARE(document[u"edits"][1][u"state_reason"].toString(), u"no_file"_s);
    QCOMPARE(document[u"folder"].toString(), m_folder.path());
    QCOMPARE(document[u"repository"].toBool(true), false);
    QVERIFY(document[u"not_looked_at"].toString().contains(u"not in a git repository"_s));
}

void EditsCommandTest::theListIsALineAnEdit()
{
    const Run made = run({ u"edits"_s, m_file, u"--policy"_s, u"none"_s });
    QVERIFY2(made.exitCode == 0, made.error.constData());
    const QList<QByteArray> lines = made.output.trimmed().split('\n');
    QCOMPARE(lines.size(), 2);
    QCOMPARE(lines[0].trimmed(),
        "0  #3 Edit a.txt · landed · no later edit replaces it · +1 -1 · read #2, 1 call before, in context · "
        "under none: "
        "read "
        "#2, 1 call before, in context");
    QVERIFY(lines[1].contains("at least +1 -1"));
    QVERIFY(lines[1].contains("not in the logged context"));
    QVERIFY2(made.error.contains("No file was checked"), made.error.constData());
    const Run held = run({ u"edits"_s, m_file, u"--repo"_s, m_folder.path() });
    const QList<QByteArray> heldLines = held.output.trimmed().split('\n');
    QVERIFY2(heldLines[0].endsWith(" · on disk: landed · in the working tree"), heldLines[0].constData());
    // What the log calls landed and nothing holds.
    QVERIFY2(heldLines[1].contains("reported as landed · "), heldLines[1].constData());
    QVERIFY2(heldLines[1].contains("on disk: never landed: the file does not exist"), heldLines[1].constData());
}

/// But for notes of what is left out, which git skips.
void EditsCommandTest::thePatchIsNothingElse()
{
    const Run made = run({ u"edits"_s, m_file, u"--patch"_s });
    QCOMPARE(made.exitCode, 0);
    QVERIFY2(made.output.startsWith("# left out: unseen.txt (1 change): "), made.output.constData());
    QVERIFY(made.output.sliced(made.output.indexOf('\n') + 1).startsWith("diff --git a/a.txt b/a.txt\n"));
    QVERIFY(made.output.endsWith("-two\n+2\n"));
    QVERIFY(made.error.contains("unseen.txt is not in the patch"));
}

void EditsCommandTest::wrongWordsAreSentences_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QByteArray>("sentence");
    QTest::newRow("two forms") << QStringList { u"--json"_s, u"--patch"_s } << QByteArray("not both");
    QTest::newRow("a setting of no policy") << QStringList { u"--set"_s, u"keep=1msg"_s } << QByteArray("--policy");
    QTest::newRow("a policy that there is not") << QStringList { u"--policy"_s, u"no-such"_s } << QByteArray("no-such");
    QTest::newRow("a folder that is none") << QStringList { u"--repo"_s, u"no-such"_s } << QByteArray("takes a folder");
}

void EditsCommandTest::wrongWordsAreSentences()
{
    QFETCH(QStringList, words);
    QFETCH(QByteArray, sentence);
    const Run made = run(QStringList { u"edits"_s, m_file } + words);
    QVERIFY(made.exitCode != 0);
    QVERIFY(made.output.isEmpty());
    QVERIFY2(made.error.contains(sentence), made.error.constData());
}

PALIMPSEST_TEST(EditsCommandTest)
#include "tst_edits_command.moc"
