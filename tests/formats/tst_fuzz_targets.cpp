// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/database.h"
#include "core/formats/reading/format.h"
#include "tests/formats/fuzz_targets.h"
#include "tests/formats/mutation.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QDir>
#include <QTest>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

using namespace Qt::StringLiterals;

namespace fs = std::filesystem;

/// What `packaging/dev fuzz` runs, on its seeds, on damage that PALIMPSEST_SEED chooses, and on what it found. A file
/// `tests/fuzz/found/TARGET/NAME` is an input that once broke a target.
class FuzzTargetsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void seedsAreRead_data();
    void seedsAreRead();
    void damagedSeedsAreRead_data() { seedsAreRead_data(); }
    void damagedSeedsAreRead();
    void whatWasFoundIsMended_data();
    void whatWasFoundIsMended();
    void everyReaderHasSeeds();
    void deepNestingIsNoFault_data() { seedsAreRead_data(); }
    void deepNestingIsNoFault();

private:
    static fs::path folder() { return fs::path(PALIMPSEST_SOURCE_DIR) / "tests/fuzz/found"; }
    static const testing::FuzzTarget *named(const std::string &name)
    {
        const auto found = std::ranges::find(testing::fuzzTargets(), name, &testing::FuzzTarget::name);
        return found == testing::fuzzTargets().end() ? nullptr : &*found;
    }
};

void FuzzTargetsTest::seedsAreRead_data()
{
    QTest::addColumn<QString>("target");
    for (const testing::FuzzTarget &each : testing::fuzzTargets())
        QTest::newRow(each.name.c_str()) << QString::fromStdString(each.name);
}

void FuzzTargetsTest::seedsAreRead()
{
    QFETCH(QString, target);
    const testing::FuzzTarget *tested = named(target.toStdString());
    for (const std::string &seed : tested->seeds) {
        const std::string fault = tested->fault(seed);
        QVERIFY2(fault.empty(), fault.c_str());
    }
    const std::string nothing = tested->fault({});
    QVERIFY2(nothing.empty(), nothing.c_str());
}

/// Some damage each time, without libFuzzer. After a crash the input is in the folder for temporary files.
void FuzzTargetsTest::damagedSeedsAreRead()
{
    using namespace std::chrono_literals;
    QFETCH(QString, target);
    const testing::FuzzTarget *tested = named(target.toStdString());
    const testing::Mutator mutator = testing::mutatorOf(*tested);
    const uint64_t seed = core::seededRandom()();
    const std::string kept = QDir::temp().filePath(u"palimpsest-fuzz.input"_s).toStdString();
    const auto end
        = std::chrono::steady_clock::now() + (qEnvironmentVariableIsSet("PALIMPSEST_ALL_CASES") ? 10s : 400ms);
    size_t number = 0;
    for (; std::chrono::steady_clock::now() < end; ++number) {
        const auto input = mutator.make(seed, number, tested->most);
        std::ofstream(kept, std::ios::binary) << input.text;
        const std::string fault = tested->fault(input.text);
        QVERIFY2(fault.empty(), (fault + " (" + input.name + ")").c_str());
    }
    qInfo("%zu inputs", number);
}

void FuzzTargetsTest::whatWasFoundIsMended_data()
{
    QTest::addColumn<QString>("target");
    QTest::addColumn<QString>("file");
    QTest::newRow("nothing") << u"policy"_s << QString();
    std::error_code error;
    for (const auto &each : fs::recursive_directory_iterator(folder(), error)) {
        if (each.is_regular_file()) {
            const QString target = QString::fromStdString(each.path().parent_path().filename().string());
            const QString file = QString::fromStdString(each.path().string());
            QTest::newRow(qPrintable(target + u"/"_s + file.section(u'/', -1))) << target << file;
        }
    }
}

void FuzzTargetsTest::whatWasFoundIsMended()
{
    QFETCH(QString, target);
    QFETCH(QString, file);
    const testing::FuzzTarget *tested = named(target.toStdString());
    QVERIFY2(tested != nullptr, "no such target");
    std::ifstream input(file.toStdString(), std::ios::binary);
    std::ostringstream bytes;
    bytes << input.rdbuf();
    const std::string fault = tested->fault(bytes.str());
    QVERIFY2(fault.empty(), fault.c_str());
}

/// A reader without a fixture in the repository would be fuzzed from nothing.
void FuzzTargetsTest::everyReaderHasSeeds()
{
    std::set<const core::Format *> seeded;
    const auto add = [&](const std::string &text) {
        if (const auto format = core::recognise(text, "seed"))
            seeded.insert(*format);
    };
    for (const testing::MutationSeed &seed : testing::mutationSeeds(6'000, false))
        add(seed.text);
    for (const std::string &database : named("database")->seeds)
        add(core::databaseText(database, {}, "seed")->text);
    QStringList without;
    for (const core::Format *format : core::formats()) {
        if (!seeded.contains(format))
            without.append(QString::fromUtf8(format->id));
    }
    for (const testing::FuzzTarget &each : testing::fuzzTargets()) {
        if (each.seeds.empty())
            without.append(QString::fromStdString(each.name));
    }
    QCOMPARE(without.join(u' '), QString());
}

/// What calls itself for each level of a document would end the program.
void FuzzTargetsTest::deepNestingIsNoFault()
{
    QFETCH(QString, target);
    const testing::FuzzTarget *tested = named(target.toStdString());
    constexpr size_t kLevels = 100'000;
    const std::string list = std::string(kLevels, '[') + std::string(kLevels, ']');
    std::vector<std::string> inputs { list, std::string(kLevels, '['), std::string(kLevels, '{') };
    for (size_t i = 0; i < std::min<size_t>(3, tested->seeds.size()); ++i) {
        const std::string &seed = tested->seeds[i];
        for (const size_t brace :
            { seed.find('{'), seed.rfind('{'), seed.find("\"input\":{"), seed.find("args\":{") }) {
            const size_t begin = brace == std::string::npos ? brace : seed.find('{', brace) + 1;
            if (begin != std::string::npos)
                inputs.push_back(seed.substr(0, begin) + R"("zz":)" + list + "," + seed.substr(begin));
        }
    }
    for (const std::string &input : inputs) {
        const std::string fault = tested->fault(input);
        QVERIFY2(fault.empty(), fault.c_str());
    }
}

PALIMPSEST_TEST(FuzzTargetsTest)

#include "tst_fuzz_targets.moc"
