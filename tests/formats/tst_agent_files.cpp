// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/formats.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"

#include <QTest>

using namespace core;

/// Real files of agents that write JSON, against the figures of a script that shares no code with the readers.
class AgentFilesTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void counts_data();
    void counts();
    void cutFiles_data() { counts_data(); }
    void cutFiles();
};

void AgentFilesTest::counts_data()
{
    QTest::addColumn<std::string>("file");
    for (const std::string &file :
        testing::corpusFiles({ "swe-agent", "mini-swe-agent", "openhands", "cline-roo", "inspect", "atif" })) {
        if (!testing::expectedOf(file).empty())
            QTest::newRow(file.c_str()) << file;
    }
    if (testing::corpus().empty())
        QTest::newRow("no corpus") << std::string();
}

void AgentFilesTest::counts()
{
    QFETCH(std::string, file);
    if (file.empty())
        QSKIP("There is no corpus here.");
    const auto session = loadSession(testing::corpus() / file);
    QVERIFY2(session, session ? "" : session.error().sentence().c_str());
    QCOMPARE(testing::brokenRule(**session), "");
    const std::vector<testing::Expected> expected = testing::expectedOf(file);
    std::vector<size_t> runs; // threads but those of scorers and subagents
    for (size_t i = 0; i < (*session)->threads.size(); ++i) {
        if ((*session)->threads[i].kind != ThreadKind::Subagent)
            runs.push_back(i);
    }
    QCOMPARE(runs.size(), expected.size());
    for (size_t i = 0; i < runs.size(); ++i) {
        auto numbers = expected[i].numbers;
        const Thread &thread = (*session)->threads[runs[i]];
        QCOMPARE((*session)->format, expected[i].format);
        QCOMPARE(testing::slotsAtEnd(*session, runs[i]), numbers["slots_end"]);
        QCOMPARE(testing::slotsInLife(*session, runs[i]), numbers["slots_life"]);
        QCOMPARE(thread.calls.size(), numbers["calls"]);
        QCOMPARE(thread.compactions.size(), numbers["compactions"]);
    }
}

/// A file that was not written to its end is read as far as it goes.
void AgentFilesTest::cutFiles()
{
    QFETCH(std::string, file);
    if (file.empty())
        QSKIP("There is no corpus here.");
    const auto source = Source::open(testing::corpus() / file);
    QVERIFY(source);
    const std::string_view all = (*source)->bytes();
    for (const size_t parts : { 2U, 3U, 7U, 20U }) {
        const auto session = testing::load(std::string(all.substr(0, all.size() * (parts - 1) / parts)));
        if (session)
            QCOMPARE(testing::brokenRule(**session), "");
    }
}

PALIMPSEST_TEST(AgentFilesTest)
#include "tst_agent_files.moc"
