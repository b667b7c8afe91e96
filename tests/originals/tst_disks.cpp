// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/index/session_index.h"
#include "core/money/prices.h"
#include "core/originals/restore.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace core;
using namespace Qt::StringLiterals;

namespace fs = std::filesystem;

namespace {

constexpr int kNotPossible = 77;

QByteArray bytesOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

struct Run {
    int exitCode = -1;
    QByteArray output;
    QByteArray error;
};

/// A folder with a session in the home of its user, which every user may enter.
class Place final {
public:
    Place()
    {
        QDir(m_folder.path()).mkpath(u"home/.claude/projects/-w"_s);
        QDir(m_folder.path()).mkpath(u"disk"_s);
        QFile::copy(testing::samplePath(u"messages-21.claude-code.jsonl"_s), session());
        m_bytes = bytesOf(session());
        ::chmod(m_folder.path().toLocal8Bit().constData(), 0755);
    }

    [[nodiscard]] QString operator/(const QString &name) const { return m_folder.filePath(name); }
    [[nodiscard]] QString path() const { return m_folder.path(); }
    [[nodiscard]] QString session() const { return *this / u"home/.claude/projects/-w/one.jsonl"_s; }
    [[nodiscard]] bool isSessionIntact() const { return bytesOf(session()) == m_bytes; }

    /// Of this process, and so of the programs that it starts.
    void setEnvironment() const
    {
        qputenv("HOME", (*this / u"home"_s).toUtf8());
        for (const char *name : { "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME" })
            qputenv(name, (*this / u"disk"_s).toUtf8());
        for (const char *name : { "CLAUDE_CONFIG_DIR", "CODEX_HOME" })
            qunsetenv(name);
    }
    [[nodiscard]] std::unique_ptr<QProcess> started(const QString &program, const QStringList &words) const
    {
        setEnvironment();
        auto process = std::make_unique<QProcess>();
        process->start(program, words);
        return process;
    }
    [[nodiscard]] static Run finished(QProcess &process)
    {
        process.waitForFinished(120'000);
        return { process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2,
            process.readAllStandardOutput(), process.readAllStandardError() };
    }
    [[nodiscard]] Run run(const QString &program, const QStringList &words) const
    {
        return finished(*started(program, words));
    }

private:
    QTemporaryDir m_folder;
    QByteArray m_bytes;
};

QString palimpsest() { return QCoreApplication::applicationDirPath() + u"/palimpsest"_s; }

QStringList exportTo(const Place &place, const QString &file)
{
    return { u"compact"_s, place.session(), u"--policy"_s, u"langchain-clear-tool-uses"_s, u"--as-if-fired"_s, u"-o"_s,
        file };
}

/// Every line is a sentence of the program.
bool areSentences(const QByteArray &error)
{
    const QStringList lines = QString::fromUtf8(error).split(u'\n', Qt::SkipEmptyParts);
    return !lines.isEmpty() && std::ranges::all_of(lines, [](const QString &line) {
        return line.startsWith(u"palimpsest: "_s) && line.endsWith(u'.');
    });
}

} // namespace

/// Disks that are full or read-only, folders of other users, clocks that go back, several programs at once.
class DisksTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aDiskThatTakesNothing_data();
    void aDiskThatTakesNothing();
    void theFolderOfAnotherUser();
    void aClockThatGoesBack();
    void severalProgramsAtOnce();
};

void DisksTest::aDiskThatTakesNothing_data()
{
    QTest::addColumn<QString>("options");
    QTest::addColumn<bool>("isIndex");
    for (const char *size : { "4k", "48k", "80k", "120k", "160k" }) {
        QTest::addRow("an export, %s", size) << u"size=%1"_s.arg(QLatin1String(size)) << false;
        QTest::addRow("an index, %s", size) << u"size=%1"_s.arg(QLatin1String(size)) << true;
    }
    QTest::addRow("an export, few files") << u"nr_inodes=12"_s << false;
    QTest::addRow("an export, read-only") << u"ro"_s << false;
    QTest::addRow("an index, read-only") << u"ro"_s << true;
}

/// A small disk of its own in a mount namespace. When it grows, the same command works.
void DisksTest::aDiskThatTakesNothing()
{
    QFETCH(QString, options);
    QFETCH(bool, isIndex);
    const Place place;
    const QString newFile = place / u"disk/new.jsonl"_s;
    const QStringList command = isIndex ? QStringList { u"list"_s, u"--json"_s } : exportTo(place, newFile);
    const QByteArray run = (QStringList { palimpsest() } + command).join(u"' '"_s).toUtf8();
    const QByteArray folder = place.path().toUtf8();
    const QByteArray first = "cd " + folder + "; '" + run + "' >first 2>error; echo $? >code; ls -A disk >left";
    const QByteArray second = "cd " + folder + "; '" + run + "' >second 2>&1";
    const QByteArray disk = folder + "/disk";
    const QByteArray mounted = options == u"ro"_s ? QByteArray() : options.toUtf8();
    const pid_t child = ::fork();
    if (child == 0) {
        place.setEnvironment();
        const bool isMade = ::unshare(CLONE_NEWNS) == 0
            && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0
            && ::mount("none", disk.constData(), "tmpfs", mounted.isEmpty() ? MS_RDONLY : 0, mounted.constData()) == 0;
        if (!isMade)
            ::_exit(kNotPossible);
        bool isDone = std::system(first.constData()) == 0; // NOLINT: no other thread
        isDone = isDone && ::mount("none", disk.constData(), "tmpfs", MS_REMOUNT, "size=100m,nr_inodes=100k") == 0;
        ::_exit(isDone && std::system(second.constData()) == 0 ? 0 : 1); // NOLINT
    }
    int status = -1;
    QCOMPARE(::waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == kNotPossible)
        QSKIP("This system gives the test no disk of its own.");
    const QByteArray code = bytesOf(place / u"code"_s).trimmed();
    const QByteArray error = bytesOf(place / u"error"_s);
    qInfo("code %s: %s", code.constData(), error.trimmed().constData());
    QVERIFY2(code == "0" || (code == "1" && areSentences(error)), error.constData());
    QVERIFY(!isIndex || code == "0"); // a list does not need its index
    for (const QString &left : QString::fromUtf8(bytesOf(place / u"left"_s)).split(u'\n', Qt::SkipEmptyParts)) {
        const bool isWhole
            = left == u"palimpsest"_s || left.endsWith(u".git"_s) || (code == "0" && left == u"new.jsonl"_s);
        QVERIFY2(isWhole, qPrintable(left));
    }
    QVERIFY(place.isSessionIntact());
    QVERIFY2(status == 0 || code == "0", bytesOf(place / u"second"_s).constData());
    if (isIndex)
        QCOMPARE(bytesOf(place / u"first"_s), bytesOf(place / u"second"_s));
}

void DisksTest::theFolderOfAnotherUser()
{
    const Place place;
    QString program = palimpsest();
    QStringList before;
    if (::getuid() == 0) {
        before = { u"--reuid"_s, u"65534"_s, u"--regid"_s, u"65534"_s, u"--clear-groups"_s, program };
        program = u"setpriv"_s;
    } else {
        QFile::setPermissions(place / u"disk"_s, QFile::ReadOwner | QFile::ExeOwner);
    }
    if (place.run(program, before + QStringList { u"--version"_s }).exitCode != 0)
        QSKIP("This system does not let another user run the program.");
    const Run exported = place.run(program, before + exportTo(place, place / u"disk/new.jsonl"_s));
    QCOMPARE(exported.exitCode, 1);
    QVERIFY2(areSentences(exported.error), exported.error.constData());
    QVERIFY2(exported.error.contains("Permission denied"), exported.error.constData());
    const Run listed = place.run(program, before + QStringList { u"list"_s, u"--json"_s });
    QVERIFY2(listed.exitCode == 0 && areSentences(listed.error), listed.error.constData());
    const Run known = place.run(palimpsest(), { u"list"_s, u"--json"_s, place / u"home/.claude"_s });
    QCOMPARE(listed.output, known.output);
    const Run continued
        = place.run(program, before + QStringList { u"continue"_s, place.session(), u"--policy"_s, u"none"_s });
    QVERIFY2(continued.exitCode == 1 && areSentences(continued.error), continued.error.constData());
    QVERIFY(place.isSessionIntact());
    QFile::setPermissions(place / u"disk"_s, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    QCOMPARE(QDir(place / u"disk"_s).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList());
}

/// Times decide nothing but the order of a list.
void DisksTest::aClockThatGoesBack()
{
    const Place place;
    const fs::path session(place.session().toStdString());
    auto index = SessionIndex::open((place / u"disk"_s).toStdString());
    QVERIFY(index);
    const SessionPlaces places { { (place / u"home/.claude"_s).toStdString() }, {} };
    const std::string whole = bytesOf(place.session()).toStdString();
    const auto now = fs::last_write_time(session);
    const std::array times { now + std::chrono::years(80), now - std::chrono::years(60), now };
    std::string text = whole;
    for (const auto time : times) {
        // The session grows, at a time that its clock claims.
        text += whole.substr(whole.rfind('\n', whole.size() - 2) + 1);
        QFile file(place.session());
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.data(), static_cast<qint64>(text.size()));
        file.close();
        fs::last_write_time(session, time);
        const auto updated = index->update(places, Prices::bundled(), {});
        QVERIFY(updated);
        QCOMPARE(updated->read, size_t(1));
        QCOMPARE(index->sessions().entries.size(), size_t(1));
    }
    auto store = Store::openOrCreate((place / u"store.git"_s).toStdString());
    QVERIFY(store);
    const std::array<int64_t, 3> clock { 2'000'000'000, 1'000, 1'000 };
    for (const int64_t seconds : clock) {
        StoredCompaction compaction;
        compaction.policy = "{}";
        compaction.seconds = seconds;
        compaction.originals.push_back({ "one", text });
        QVERIFY(store->commit(compaction));
    }
    const auto commits = store->commits();
    QVERIFY(commits);
    QCOMPARE(commits->size(), clock.size());
    for (size_t i = 0; i < clock.size(); ++i) {
        QCOMPARE((*commits)[i].number, i + 1);
        QCOMPARE((*commits)[i].seconds, clock[i]);
        QCOMPARE(*store->read((*commits)[i], "one"), text);
    }
}

void DisksTest::severalProgramsAtOnce()
{
    constexpr int kPrograms = 4;
    const Place place;
    QCOMPARE(place.run(palimpsest(), { u"search"_s, u"the"_s, u"--json"_s }).exitCode, 0); // makes the index
    std::vector<std::unique_ptr<QProcess>> programs;
    for (int i = 0; i < kPrograms; ++i) {
        programs.push_back(place.started(palimpsest(), { u"search"_s, u"the"_s, u"--json"_s }));
        programs.push_back(place.started(palimpsest(),
            exportTo(place, place / u"new%1.jsonl"_s.arg(i)) + QStringList { u"--store"_s, place / u"all.git"_s }));
    }
    QByteArray found;
    for (size_t i = 0; i < programs.size(); ++i) {
        const Run run = Place::finished(*programs[i]);
        QVERIFY2(run.exitCode == 0, run.error.constData());
        if (i % 2 == 0 && !found.isEmpty())
            QCOMPARE(run.output, found);
        found = i % 2 == 0 ? run.output : found;
    }
    QVERIFY(!found.isEmpty());
    for (int i = 0; i < kPrograms; ++i) {
        const Run back = place.run(
            palimpsest(), { u"restore"_s, place / u"all.git"_s, u"--session"_s, place / u"new%1.jsonl"_s.arg(i) });
        QCOMPARE(back.output, bytesOf(place.session()));
    }
    QVERIFY(place.isSessionIntact());
}

PALIMPSEST_TEST(DisksTest)

#include "tst_disks.moc"
