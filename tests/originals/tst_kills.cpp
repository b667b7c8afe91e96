// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/originals/writing_trial.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <cerrno>
#include <cstring>

using namespace Qt::StringLiterals;
using testing::Disturbance;
using testing::TracedProgram;
using testing::TracedRun;
using testing::WritingTrial;

namespace {

bool isLong() { return qEnvironmentVariableIsSet("PALIMPSEST_ALL_CASES"); }

std::string placeOf(const Disturbance &disturbance, size_t changes)
{
    return " (at change " + std::to_string(disturbance.from) + " of " + std::to_string(changes) + ", kind "
        + std::to_string(static_cast<int>(disturbance.kind)) + ")";
}

/// What is wrong with how a program ended that could not write.
std::string problemOfEnd(const TracedRun &run)
{
    if (run.exitCode == 0)
        return {}; // it needed nothing of what was refused, or went on without it
    if (run.exitCode != 1)
        return "It ends with " + std::to_string(run.exitCode) + ": " + run.error;
    for (const QString &line : QString::fromStdString(run.error).split(u'\n', Qt::SkipEmptyParts)) {
        if (!line.startsWith(u"palimpsest: "_s) || !line.endsWith(u'.'))
            return "It says no sentence: " + line.toStdString();
    }
    return run.error.empty() ? "It says nothing." : std::string();
}

} // namespace

/// The real program, disturbed at the system calls that change files: killed, and told that it cannot write.
class KillsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void killedWhileItWrites_data() { addJobs(); }
    void killedWhileItWrites();
    void refusedWhileItWrites_data() { addJobs(); }
    void refusedWhileItWrites();

private:
    static void addJobs()
    {
        QTest::addColumn<size_t>("number");
        for (size_t i = 0; i < testing::writingJobs().size(); ++i)
            QTest::newRow(testing::writingJobs()[i].name) << i;
    }
};

void KillsTest::initTestCase()
{
    qInfo() << "PALIMPSEST_SEED" << qEnvironmentVariable("PALIMPSEST_SEED", u"(the fixed one)"_s);
    if (!TracedProgram::isPossible())
        QSKIP("This system does not allow ptrace, so no system call of the program can be disturbed.");
}

/// The session file is as it was, no half-written file has the final name, stores are whole, and the next run works.
void KillsTest::killedWhileItWrites()
{
    QFETCH(size_t, number);
    const QTemporaryDir folder;
    WritingTrial trial(testing::writingJobs()[number], folder.path().toStdString());
    QVERIFY2(trial.mistake().empty(), trial.mistake().c_str());
    std::mt19937_64 random = core::seededRandom();
    size_t killed = 0;
    size_t withFile = 0;
    constexpr std::array kKinds { Disturbance::Kind::KillBefore, Disturbance::Kind::KillWithin,
        Disturbance::Kind::KillAfter };
    for (size_t i = 0; i < (isLong() ? 100U : 2U); ++i) {
        Disturbance kill;
        kill.kind = kKinds[random() % kKinds.size()];
        kill.from = random() % trial.changes();
        kill.share = static_cast<double>(random() % 100) / 100;
        const TracedRun run = trial.run(kill);
        killed += run.isKilled ? 1 : 0;
        const std::string place = placeOf(kill, trial.changes());
        QVERIFY2(run.isKilled || run.exitCode == 0, (run.error + place).c_str());
        std::string problem = trial.problem();
        withFile += trial.hasNewFile() ? 1 : 0;
        if (problem.empty())
            problem = trial.problemOfNextRun();
        QVERIFY2(problem.empty(), (problem + place).c_str());
    }
    qInfo("%zu kills at %zu calls that change files; after %zu of them the new file was there, %zu temporary files",
        killed, trial.changes(), withFile, trial.temporaryFiles());
}

/// A full disk from some call on, and a disk that takes nothing at all: a sentence, nothing lost, nothing left behind.
void KillsTest::refusedWhileItWrites()
{
#ifndef __x86_64__
    QSKIP("The test knows the registers of x86-64 only.");
#endif
    QFETCH(size_t, number);
    const QTemporaryDir folder;
    WritingTrial trial(testing::writingJobs()[number], folder.path().toStdString());
    QVERIFY2(trial.mistake().empty(), trial.mistake().c_str());
    std::vector<Disturbance> disturbances { { Disturbance::Kind::RefuseAll, 0, EROFS },
        { Disturbance::Kind::RefuseAll, 0, EACCES }, { Disturbance::Kind::RefuseSpace, 0, ENOSPC } };
    std::mt19937_64 random = core::seededRandom();
    for (size_t i = 0; i < (isLong() ? trial.changes() : 2); ++i)
        disturbances.push_back({ Disturbance::Kind::RefuseSpace, isLong() ? i : random() % trial.changes(), ENOSPC });
    size_t refused = 0;
    for (const Disturbance &disturbance : disturbances) {
        const TracedRun run = trial.run(disturbance);
        refused += run.exitCode == 0 ? 0 : 1;
        std::string problem = problemOfEnd(run);
        if (problem.empty())
            problem = trial.problem();
        if (problem.empty() && trial.temporaryFiles() > 0)
            problem = "A temporary file is left.";
        if (problem.empty() && run.exitCode != 0)
            problem = trial.problemOfNextRun();
        QVERIFY2(problem.empty(),
            (problem + placeOf(disturbance, trial.changes()) + " " + std::strerror(disturbance.error)).c_str());
    }
    qInfo("%zu of %zu runs ended with a sentence", refused, disturbances.size());
}

PALIMPSEST_TEST(KillsTest)

#include "tst_kills.moc"
