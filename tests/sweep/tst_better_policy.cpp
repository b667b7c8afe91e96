// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/better_policy.h"

#include "core/formats/reading/format.h"
#include "tests/claude_log.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace core;
using testing::ClaudeLog;

namespace {

/// A session that drags a large result along. Its calls differ from those of other numbers.
ClaudeLog sessionOf(int number, int calls)
{
    ClaudeLog log;
    log.typed("Go on.");
    std::string text;
    for (int i = 0; i < 4000; ++i)
        text += "line " + std::to_string(i * 7919 + number) + " of a long file that nobody needs again\n";
    log.setUsage(0, 0, 1'000);
    log.read("/work/" + std::to_string(number) + ".cpp", text);
    log.setUsage(0, 0, 90'000);
    for (int i = 0; i < calls; ++i) {
        log.call("Bash", { { "command", "echo " + std::to_string(number) + " " + std::to_string(i) } });
        log.result("done");
    }
    return log;
}

struct Folder {
    QTemporaryDir folder;

    std::string write(int number, const ClaudeLog &log) const
    {
        std::string path = folder.filePath(QString::number(number) + QStringLiteral(".jsonl")).toStdString();
        std::ofstream(path, std::ios::binary) << log.text();
        return path;
    }
    std::optional<BetterPolicy> look(const std::string &file, Progress *progress = nullptr) const
    {
        RunSweepOptions options;
        options.progress = progress;
        return findBetterPolicy(file, *loadSession(file), filesBeside(file), Prices::bundled(), options);
    }
};

} // namespace

/// A policy that does better on the other sessions of a project.
class BetterPolicyTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itIsJudgedOnOtherSessions();
    void withoutEnoughOthersNothingIsSaid();
    void itCanBeCancelled();
};

void BetterPolicyTest::itIsJudgedOnOtherSessions()
{
    const Folder folder;
    const std::string file = folder.write(0, sessionOf(0, 8));
    folder.write(1, sessionOf(0, 12)); // a resumed copy of the session
    for (int i = 2; i < 14; ++i)
        folder.write(i, sessionOf(i, 10));
    const auto better = folder.look(file);
    QVERIFY(better.has_value());
    QCOMPARE(better->files, 13U);
    QCOMPARE(better->copies, 1U);
    QCOMPARE(better->runs, 12U);
    for (const SweepSetReport &report : better->choice.policies) {
        for (const RunSweep &run : report.set.runs)
            QVERIFY(run.file != file);
    }
    QVERIFY(better->found() != nullptr);
    QVERIFY(better->here.has_value());
    QCOMPARE(better->here->file, file);
    QCOMPARE(better->here->cells.size(), 1U);
    QVERIFY(better->here->cells.front()[SweepMetric::Cost] < better->here->recorded[SweepMetric::Cost]);
    const std::vector<std::string> sentences = betterPolicySentences(*better);
    QCOMPARE(sentences.size(), 4U);
    QVERIFY(sentences[0].starts_with("Not sure (no uses): "));
    const std::string judged = std::to_string(better->found()->later.size());
    QVERIFY2(sentences[2].contains("tested on " + judged
                 + " later runs. All these runs are of other sessions, in 13 files. 1 run that shares "
                   "calls with this session takes no part."),
        sentences[2].c_str());
    QVERIFY2(sentences[3].starts_with("In this session, which took no part in the choice, it would have cost "),
        sentences[3].c_str());
}

void BetterPolicyTest::withoutEnoughOthersNothingIsSaid()
{
    const Folder folder;
    const std::string file = folder.write(0, sessionOf(0, 4));
    QCOMPARE(betterPolicySentences(*folder.look(file)),
        (std::vector<std::string> { "There are no other sessions to judge a policy on." }));
    folder.write(1, sessionOf(1, 4));
    const auto better = folder.look(file);
    QVERIFY(better->found() == nullptr);
    const std::vector<std::string> sentences = betterPolicySentences(*better);
    QCOMPARE(sentences.size(), 1U);
    QCOMPARE(sentences[0],
        std::string("Nothing can be said from 1 run of other sessions: A suggestion needs at least 10 runs with dates; "
                    "there is 1."));
    // That is known without a sweep.
    for (int i = 2; i < 9; ++i)
        folder.write(i, sessionOf(i, 4));
    size_t swept = 0;
    const auto few = findBetterPolicy(
        file, *loadSession(file), filesBeside(file), Prices::bundled(), {}, [&](size_t done) { swept = done; });
    QCOMPARE(few->runs, 8U);
    QCOMPARE(swept, 0U);
    QCOMPARE(betterPolicyNeed(8),
        std::string("This needs at least 10 runs with dates in other files of this folder. It has 8 other files."));
    QVERIFY(betterPolicyNeed(0).ends_with("It has no other files."));
}

void BetterPolicyTest::itCanBeCancelled()
{
    const Folder folder;
    const std::string file = folder.write(0, sessionOf(0, 4));
    Progress progress;
    progress.cancel();
    QVERIFY(!folder.look(file, &progress).has_value());
}

PALIMPSEST_TEST(BetterPolicyTest)
#include "tst_better_policy.moc"
