// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/weight/weight_groups.h"
#include "tests/recorded_session.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTest>

#include <chrono>
#include <cmath>
#include <set>

using namespace core;

Q_DECLARE_METATYPE(core::GroupBy)

namespace {

constexpr std::array kAll { GroupBy::Block, GroupBy::File, GroupBy::Tool, GroupBy::Kind };

struct Grouped {
    SessionPtr made;
    Transcript array;
    Weights weights;
    WeightGroups groups;

    Grouped(const SessionPtr &session, GroupBy by, WeightUnit unit = WeightUnit::Characters, size_t cutoff = SIZE_MAX)
        : made(session)
        , array(session, session->threads.front().end)
        , weights(oneTokenACharacter(*session), unit)
        , groups(weightGroups(array, ThreadIndex(0), by, weights,
              hotZones(array, {}, std::min(cutoff, array.slotCount()), weights, ArraySums())))
    {
    }

    [[nodiscard]] const WeightGroup *named(std::string_view name) const
    {
        const auto found = std::ranges::find(groups.groups, name, &WeightGroup::name);
        return found == groups.groups.end() ? nullptr : &*found;
    }
};

/// Four reads of two files, an edit between, and a test run twice.
SessionPtr work()
{
    RecordedSession recording;
    recording.builder().session().workingFolder = "/home/me/project";
    recording.typed("please");
    recording.use("Read", "/home/me/project/src/a.cpp", 20, 1000);
    recording.result(3000);
    recording.use("Read", "src/a.cpp", 20, 4000);
    recording.result(2000);
    recording.use("Edit", "/home/me/project/src/a.cpp", 700, 6000);
    recording.result(50);
    recording.use("Read", "/home/me/project/src/a.cpp", 20, 7000);
    recording.result(2500);
    recording.use("Read", "/home/me/project/b.h", 20, 9000);
    recording.result(400);
    recording.use("Bash", "cd /x && go test ./...", 30, 9500);
    recording.result(5000);
    recording.use("Bash", "go test ./core", 30, 14000);
    recording.result(600);
    recording.reply("done", 15000);
    return recording.finish();
}

} // namespace

/// Blocks put together by file, tool and kind, and what each group costs.
class WeightGroupsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyBlockStandsInOneGroupAndTheWeightsAddUp();
    void filesAreKnownByTheirPathBelowTheWorkingFolder();
    void bodiesBecomeStaleByALaterEdit();
    void aFailedEditMakesNothingStale();
    void commandsComeInFamilies_data();
    void commandsComeInFamilies();
    void toolsAndKindsCountWhatTheyAreMadeOf();
    void callsOfAGroupAreCountedOnce();
    void callsAgreeWithTheAppendLog();
    void hotGroupsComeFirst();
    void anEmptyArrayHasNoGroups();
    void thirtyThousandBlocksAreGrouped();
};

void WeightGroupsTest::everyBlockStandsInOneGroupAndTheWeightsAddUp()
{
    std::mt19937_64 random = seededRandom();
    for (int i = 0; i < caseCount(20); ++i) {
        const SessionPtr made = session(randomLine(random, 1 + static_cast<size_t>(i) * 5));
        for (const GroupBy by : kAll) {
            for (const WeightUnit unit : { WeightUnit::Tokens, WeightUnit::Characters, WeightUnit::Bytes }) {
                const Grouped grouped(made, by, unit);
                std::set<BlockId> seen;
                double sum = 0;
                double share = 0;
                for (const WeightGroup &group : grouped.groups.groups) {
                    double weight = 0;
                    QVERIFY(group.blockCount > 0);
                    for (const BlockId id : grouped.groups.blocksOf(group)) {
                        QVERIFY(seen.insert(id).second);
                        weight += grouped.weights.of(*made, id);
                    }
                    QVERIFY(std::abs(weight - group.weight) <= 1e-6 * (1 + weight));
                    QVERIFY(std::ranges::find(grouped.groups.blocksOf(group), group.heaviest)
                        != grouped.groups.blocksOf(group).end());
                    QCOMPARE(group.name.empty(), by == GroupBy::Block);
                    sum += group.weight;
                    share += group.share;
                }
                QCOMPARE(seen.size(), grouped.array.blocks().size());
                QVERIFY(std::abs(sum - grouped.groups.total) <= 1e-6 * (1 + sum));
                QVERIFY(sum == 0 || std::abs(share - 1) < 1e-9);
            }
        }
    }
}

void WeightGroupsTest::filesAreKnownByTheirPathBelowTheWorkingFolder()
{
    const Grouped grouped(work(), GroupBy::File);
    const WeightGroup *file = grouped.named("src/a.cpp");
    QVERIFY(file != nullptr);
    // Three reads of 20 + "Read" and their bodies, one edit of 700 + "Edit" and its result.
    QCOMPARE(file->weight, 3 * 24 + 7500.0 + 704 + 50);
    QCOMPARE(file->material, Material::Bulk);
    QVERIFY(grouped.named("b.h") != nullptr);
    QVERIFY(grouped.named("/home/me/project/b.h") == nullptr);
    QVERIFY(grouped.named("user text") != nullptr);
    QVERIFY(grouped.named("model text") != nullptr);
    QCOMPARE(grouped.groups.groups.size(), size_t(5));
}

void WeightGroupsTest::bodiesBecomeStaleByALaterEdit()
{
    const Grouped grouped(work(), GroupBy::File);
    QCOMPARE(grouped.named("src/a.cpp")->detail, std::string("3 reads, 2 stale, 1 edit"));
    QCOMPARE(grouped.named("b.h")->detail, std::string("1 read"));
    QCOMPARE(grouped.named("go test …")->detail, std::string("2 runs"));
    QCOMPARE(grouped.named("user text")->detail, std::string("1 block"));
}

void WeightGroupsTest::aFailedEditMakesNothingStale()
{
    RecordedSession recording;
    recording.use("Read", "a.cpp");
    recording.result(900);
    recording.use("Edit", "a.cpp");
    recording.result(60, true);
    QCOMPARE(Grouped(recording.finish(), GroupBy::File).named("a.cpp")->detail, std::string("1 read, 1 edit"));
}

void WeightGroupsTest::commandsComeInFamilies_data()
{
    QTest::addColumn<QByteArray>("command");
    QTest::addColumn<QByteArray>("family");
    const auto row = [](const char *command, const char *family) {
        QTest::newRow(command) << QByteArray(command) << QByteArray(family);
    };
    row("go test ./... -run X", "go test");
    row("cd web && FOO=1 npm run test -- -v", "npm run test");
    row("/usr/bin/grep -rn x .", "grep");
    row("git -C x status", "git");
    row("git diff --stat", "git diff");
    row("timeout 60 cargo build", "cargo build");
    row("python3 -m pytest", "python3");
    row("cd /tmp", "cd");
    row("sudo systemctl restart x.service", "systemctl restart");
    row("ls", "ls");
    row("", "");
    row("make -j2\nrm x", "make");
    row("docker compose up -d", "docker compose up");
}

void WeightGroupsTest::commandsComeInFamilies()
{
    QFETCH(QByteArray, command);
    QFETCH(QByteArray, family);
    QCOMPARE(QByteArray::fromStdString(commandFamily(command.toStdString())), family);
}

void WeightGroupsTest::toolsAndKindsCountWhatTheyAreMadeOf()
{
    const Grouped tools(work(), GroupBy::Tool);
    QCOMPARE(tools.named("Read")->detail, std::string("4 reads"));
    QCOMPARE(tools.named("Bash")->detail, std::string("2 runs"));
    QCOMPARE(tools.named("Edit")->material, Material::ToolRequest);
    const Grouped kinds(work(), GroupBy::Kind);
    QCOMPARE(kinds.named("tool results")->detail, std::string("7 blocks"));
    QCOMPARE(kinds.named("tool calls")->detail, std::string("7 blocks"));
    QCOMPARE(kinds.groups.groups.front().name, std::string("tool results"));
}

void WeightGroupsTest::callsOfAGroupAreCountedOnce()
{
    // Nine calls: the first body of a.cpp is there from call 1 on, all of its blocks to the end.
    const Grouped grouped(work(), GroupBy::File);
    QCOMPARE(grouped.named("src/a.cpp")->callCount, 7U);
    QCOMPARE(grouped.named("user text")->callCount, 8U);
    QCOMPARE(grouped.named("model text")->callCount, 0U); // the last reply was sent to nobody
    QCOMPARE(grouped.named("user text")->resent, 6 * 8.0);

    // A text that went and came back, and one that stood in between: three calls held one or the other.
    RecordedSession recording;
    const BlockRange first = recording.builder().rangeOf(recording.typed("first"));
    recording.reply("a");
    const BlockRange second = recording.builder().rangeOf(recording.typed("second"));
    recording.reply("b");
    recording.reply("c");
    std::vector<Call> &calls = recording.builder().thread(ThreadIndex(0)).calls;
    calls[0].input = BlockRanges::of({ first });
    calls[1].input = BlockRanges::of({ second });
    calls[2].input = BlockRanges::of({ second, first });
    const SessionPtr made = recording.finish();
    QCOMPARE(Grouped(made, GroupBy::Kind).named("user text")->callCount, 3U);
    QCOMPARE(Grouped(made, GroupBy::Kind).named("user text")->resent, 5 * 2.0 + 6 * 2);
}

void WeightGroupsTest::callsAgreeWithTheAppendLog()
{
    std::mt19937_64 random = seededRandom();
    for (int i = 0; i < caseCount(20); ++i) {
        RecordedSession recording;
        recording.typed("begin");
        for (int k = 0; k < 30; ++k) {
            const uint64_t what = random() % 8;
            if (what == 0)
                recording.summarise(40);
            else if (what == 1)
                recording.clear();
            else if (what == 2)
                recording.typed("more");
            recording.use("Read", "a" + std::to_string(random() % 3), 30);
            recording.result(100 + random() % 400);
        }
        const SessionPtr made = recording.finish();
        const Grouped grouped(made, GroupBy::Block);
        const std::vector<uint32_t> calls = callsPerBlock(*made, ThreadIndex(0));
        for (const WeightGroup &group : grouped.groups.groups) {
            QCOMPARE(group.callCount, calls[group.heaviest.index()]);
            QCOMPARE(group.resent, grouped.weights.of(*made, group.heaviest) * calls[group.heaviest.index()]);
        }
    }
}

void WeightGroupsTest::hotGroupsComeFirst()
{
    const SessionPtr made = work();
    for (const GroupBy by : kAll) {
        const Grouped grouped(made, by);
        const auto firstCool = std::ranges::find_if_not(grouped.groups.groups, &WeightGroup::isHot);
        QVERIFY(firstCool != grouped.groups.groups.begin());
        QVERIFY(std::none_of(
            firstCool, grouped.groups.groups.end(), [](const WeightGroup &group) { return group.isHot(); }));
        QVERIFY(!grouped.groups.groups.front().reason.empty());
        QVERIFY(std::is_sorted(firstCool, grouped.groups.groups.end(),
            [](const WeightGroup &a, const WeightGroup &b) { return a.weight > b.weight; }));
    }
    // With everything kept nothing is hot.
    const Grouped kept(made, GroupBy::File, WeightUnit::Characters, 0);
    QVERIFY(std::ranges::none_of(kept.groups.groups, &WeightGroup::isHot));
    QCOMPARE(kept.groups.groups.front().name, std::string("src/a.cpp"));
}

void WeightGroupsTest::anEmptyArrayHasNoGroups()
{
    const SessionPtr made = session("");
    for (const GroupBy by : kAll)
        QVERIFY(Grouped(made, by).groups.groups.empty());
    QVERIFY(weightGroups({}, ThreadIndex(0), GroupBy::File, {}, {}).groups.empty());
}

void WeightGroupsTest::thirtyThousandBlocksAreGrouped()
{
    RecordedSession recording;
    recording.typed("begin");
    for (int i = 0; i < 10'000; ++i) {
        recording.use(i % 3 == 0 ? "Bash" : "Read",
            i % 3 == 0 ? "go test ./..." : "src/file" + std::to_string(i % 500) + ".cpp", 30);
        recording.result(300);
        if (i % 10 == 0)
            recording.injected("reminder");
    }
    const SessionPtr made = recording.finish();
    QVERIFY(made->blocks.size() > 20'000);
    const Transcript array(made, made->threads.front().end);
    const Weights weights(oneTokenACharacter(*made), WeightUnit::Tokens);
    for (const GroupBy by : kAll) {
        const WeightGroups groups = weightGroups(array, ThreadIndex(0), by, weights, {});
        QCOMPARE(groups.blocks.size(), made->blocks.size());
    }
}

PALIMPSEST_TEST(WeightGroupsTest)
#include "tst_weight_groups.moc"
