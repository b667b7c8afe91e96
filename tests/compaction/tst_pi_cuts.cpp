// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/compaction.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"

#include <QTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

using namespace core;

namespace {

/// A row of tests/independent/expected_pi_cuts.tsv: what pi's own package said.
struct Row {
    uint64_t before = 0; ///< line of the answer before which it was asked; 0: the end
    uint64_t keep = 0;
    uint64_t first = 0;  ///< line of the first entry that is kept
    uint64_t tokens = 0; ///< what is compared with the window; 0 if pi has no usage
};

/// By file.
std::map<std::string, std::vector<Row>> expectedRows()
{
    std::ifstream table = testing::independentTable("expected_pi_cuts.tsv");
    std::map<std::string, std::vector<Row>> rows;
    std::string line;
    while (std::getline(table, line)) {
        std::istringstream words(line);
        std::string file;
        std::getline(words, file, '\t');
        Row row;
        words >> row.before >> row.keep >> row.first >> row.tokens;
        rows[file].push_back(row);
    }
    return rows;
}

std::filesystem::path pathOf(const std::string &file)
{
    if (file.starts_with("samples/"))
        return std::filesystem::path(PALIMPSEST_SOURCE_DIR) / "tests" / file;
    return testing::corpus() / file;
}

Position positionBefore(const Session &session, uint64_t line)
{
    Position position;
    const auto &calls = session.threads.front().calls;
    const auto call = std::ranges::find(calls, line, &Call::line);
    if (line > 0 && call != calls.end())
        position.call = CallIndex(static_cast<size_t>(call - calls.begin()));
    return position;
}

PolicyPtr piKeeping(uint64_t tokens)
{
    Policy policy = *preset("pi");
    const std::vector<std::pair<std::string, std::string>> settings { { "keep", std::to_string(tokens) + "tok" },
        { "trigger", "1tok" }, { "summary.text", "S" } };
    for (const auto &[key, value] : settings)
        policy = *withSetting(policy, key, value);
    return std::make_shared<const Policy>(std::move(policy));
}

/// Line of the slot's message.
uint64_t lineOf(const Transcript &array, size_t slot)
{
    return slot < array.slotCount() ? array.session()->message(array.slots()[slot].id).line : 0;
}

/// Line of the first message of an array that entries from a line on make. A summary of before stands in front.
uint64_t firstFrom(const Transcript &array, uint64_t line)
{
    for (size_t i = 0; i < array.slotCount(); ++i) {
        const bool isSummary = array.block(array.blocksOf(array.slots()[i]).front()).is(BlockFlag::Summary);
        if (!isSummary && lineOf(array, i) >= line)
            return lineOf(array, i);
    }
    return 0;
}

/// Line of the first message that is left; a summary of before and the new one aside.
uint64_t firstLeft(const Compaction &made) { return firstFrom(made.after, 1); }

/// `168,018` at the beginning of a trigger's sentence.
uint64_t leadingNumber(std::string_view sentence)
{
    uint64_t number = 0;
    for (const char c : sentence.substr(0, sentence.find(' '))) {
        if (c != ',')
            number = number * 10 + static_cast<uint64_t>(c - '0');
    }
    return number;
}

} // namespace

/// Cuts and trigger of the preset pi against those of pi's published package.
class PiCutsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cutsAreThoseOfThePackage_data();
    void cutsAreThoseOfThePackage();
};

void PiCutsTest::cutsAreThoseOfThePackage_data()
{
    QTest::addColumn<QString>("file");
    for (const auto &[file, rows] : expectedRows())
        QTest::newRow(file.c_str()) << QString::fromStdString(file);
}

void PiCutsTest::cutsAreThoseOfThePackage()
{
    QFETCH(const QString, file);
    const std::string name = file.toStdString();
    if (!std::filesystem::exists(pathOf(name)))
        QSKIP("There is no corpus here.");
    const auto session = loadSession(pathOf(name));
    QVERIFY(session.has_value());
    const BlockTokensPtr tokens = roughTokens(**session);
    QStringList wrong;
    const std::vector<Row> rows = expectedRows().at(name);
    for (const Row &row : rows) {
        const Position position = positionBefore(**session, row.before);
        QCOMPARE(position.isEnd(), row.before == 0);
        const Transcript array(*session, rangesAt(**session, position));
        CompactOptions options;
        options.position = position;
        const Compaction made = compact(array, piKeeping(row.keep), *tokens, options);
        const uint64_t expected = firstFrom(array, row.first);
        const QString where = QStringLiteral("before line %1, keep %2: ").arg(row.before).arg(row.keep);
        if (firstLeft(made) != expected)
            wrong << where + QStringLiteral("from line %1, pi from %2").arg(firstLeft(made)).arg(expected);
        if (row.tokens > 0 && leadingNumber(made.verdict) != row.tokens)
            wrong << where + QStringLiteral("%1 tokens, pi %2").arg(leadingNumber(made.verdict)).arg(row.tokens);
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QChar::LineFeed)));
}

PALIMPSEST_TEST(PiCutsTest)
#include "tst_pi_cuts.moc"
