// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/formats.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"

#include <QTest>

using namespace core;

/// Real files of agents that write JSON. `tst_corpus` holds them against the figures of a script.
class AgentFilesTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cutFiles_data();
    void cutFiles();
};

void AgentFilesTest::cutFiles_data()
{
    QTest::addColumn<std::string>("file");
    for (const std::string &file :
        testing::corpusFiles({ "swe-agent", "mini-swe-agent", "openhands", "cline-roo", "inspect", "atif" }))
        QTest::newRow(file.c_str()) << file;
    if (testing::corpus().empty())
        QTest::newRow("no corpus") << std::string();
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
