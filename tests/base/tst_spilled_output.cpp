// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/format.h"
#include "core/session/spilled_output.h"
#include "tests/claude_log.h"
#include "tests/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

/// A session file in a folder of its own, with one tool result.
class Recorded final {
public:
    explicit Recorded(const std::string &result)
    {
        testing::ClaudeLog log;
        log.typed("go");
        log.call("Bash", { { "command", "make" } });
        log.result(result);
        write(u"project/session.jsonl"_s, QByteArray::fromStdString(log.text()));
        const auto loaded = loadSession(path(u"project/session.jsonl"_s));
        session = loaded ? *loaded : nullptr;
    }
    void write(const QString &name, const QByteArray &bytes) const
    {
        QDir(folder.path()).mkpath(QFileInfo(name).path());
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }
    [[nodiscard]] std::string path(const QString &name) const { return folder.filePath(name).toStdString(); }
    [[nodiscard]] std::optional<SpilledOutput> spilled() const
    {
        const auto result = std::ranges::find(session->blocks, BlockKind::ToolResult, &Block::kind);
        return spilledOutput(*session, BlockId(static_cast<size_t>(result - session->blocks.begin())));
    }

    QTemporaryDir folder;
    SessionPtr session;
};

} // namespace

/// Outputs that harnesses saved to files.
class SpilledOutputTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theNamedFileIsRead_data();
    void theNamedFileIsRead();
    void theFileIsFoundBesideAMovedSession();
    void otherFilesAreNotLookedAt_data();
    void otherFilesAreNotLookedAt();
};

void SpilledOutputTest::theNamedFileIsRead_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("path");
    QTest::newRow("Claude Code")
        << u"<persisted-output>\nOutput too large (9KB). Full output saved to: /none/a b.txt\n\n"
           "Preview (first 2KB):\nx\n</persisted-output>"_s
        << u"/none/a b.txt"_s;
    QTest::newRow("Gemini CLI") << u"Output too large. Showing first 8 and last 32 characters. For full output see: "
                                   "/none/shell_1.txt\nx"_s
                                << u"/none/shell_1.txt"_s;
    QTest::newRow("Gemini CLI, masked") << u"<tool_output_masked>\nx\n\nOutput too large. Full output available at: "
                                           "/none/m.txt\n</tool_output_masked>"_s
                                        << u"/none/m.txt"_s;
    QTest::newRow("pi") << u"x\n\n[Showing lines 1-20 of 900. Full output: /none/pi-bash-1.log]"_s
                        << u"/none/pi-bash-1.log"_s;
    QTest::newRow("at the end of a long part")
        << QString(9000, u'x') + u"\n[Full output: /none/end.log]"_s << u"/none/end.log"_s;
    QTest::newRow("a sentence") << u"I wonder where the full output saved to disk is"_s << QString();
    QTest::newRow("no path") << u"Full output saved to: nowhere"_s << QString();
}

void SpilledOutputTest::theNamedFileIsRead()
{
    QFETCH(QString, text);
    QFETCH(QString, path);
    const Recorded recorded(text.toStdString());
    QVERIFY(recorded.session);
    const auto spilled = recorded.spilled();
    QCOMPARE(spilled.has_value(), !path.isEmpty());
    if (!spilled)
        return;
    QCOMPARE(QString::fromStdString(spilled->path), path);
    QVERIFY(spilled->file.empty());
    QVERIFY(pointsElsewhere(text.toStdString()));
}

void SpilledOutputTest::theFileIsFoundBesideAMovedSession()
{
    const Recorded recorded(
        "Output too large (9KB). Full output saved to: /home/other/session/tool-results/b7.txt\n\nx");
    QVERIFY(recorded.session && recorded.spilled() && recorded.spilled()->file.empty());
    recorded.write(u"project/session/tool-results/b7.txt"_s, "the whole of it");
    const auto spilled = recorded.spilled();
    QVERIFY(spilled);
    QCOMPARE(spilled->bytes, uint64_t(15));
    QVERIFY(spilled->file.ends_with("project/session/tool-results/b7.txt"));
}

void SpilledOutputTest::otherFilesAreNotLookedAt_data()
{
    QTest::addColumn<QString>("path");
    QTest::newRow("a file of the system") << u"/etc/passwd"_s;
    QTest::newRow("by way of the folder") << u"%1/../../../../../../../../etc/passwd"_s;
    QTest::newRow("a device") << u"/dev/zero"_s;
    QTest::newRow("a folder") << u"%1"_s;
    QTest::newRow("a link") << u"%1/link.txt"_s;
}

void SpilledOutputTest::otherFilesAreNotLookedAt()
{
    QFETCH(QString, path);
    // The name of the folder is known only when it is there.
    const QTemporaryDir folder;
    QVERIFY(QFile::link(u"/etc/passwd"_s, folder.filePath(u"link.txt"_s)));
    const QString named = path.contains(u"%1"_s) ? path.arg(folder.path()) : path;
    const Recorded recorded("Full output saved to: " + named.toStdString() + "\nx");
    QVERIFY(recorded.session);
    const auto spilled = recorded.spilled();
    QVERIFY(spilled);
    QCOMPARE(spilled->file, std::string());
    QCOMPARE(spilled->bytes, uint64_t(0));
}

PALIMPSEST_TEST(SpilledOutputTest)
#include "tst_spilled_output.moc"
