// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/formats/hostile_documents.h"
#include "tests/formats/mutation.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTest>

using namespace core;
using testing::hostileKinds;

/// Policies, prices, ledgers and whatever else others may have written, damaged: no crash, no exception, no refusal
/// without a sentence, and what is read is what is written.
class HostileDocumentsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void examplesAreRead_data() { addKinds(); }
    void examplesAreRead();
    void damagedOnesAreRefused_data() { addKinds(); }
    void damagedOnesAreRefused();

private:
    static void addKinds()
    {
        QTest::addColumn<size_t>("number");
        for (size_t i = 0; i < hostileKinds().size(); ++i)
            QTest::newRow(hostileKinds()[i].name) << i;
    }
};

void HostileDocumentsTest::examplesAreRead()
{
    QFETCH(size_t, number);
    const testing::HostileKind &kind = hostileKinds()[number];
    for (const std::string &seed : kind.seeds) {
        const std::string fault = kind.fault(seed);
        QVERIFY2(fault.empty(), fault.c_str());
    }
}

void HostileDocumentsTest::damagedOnesAreRefused()
{
    QFETCH(size_t, number);
    const testing::HostileKind &kind = hostileKinds()[number];
    std::vector<testing::MutationSeed> seeds;
    for (const std::string &seed : kind.seeds)
        seeds.push_back({ kind.name, seed });
    const testing::Mutator mutator(seeds);
    const uint64_t start = seededRandom()();
    constexpr size_t kMost = 16'384;
    for (size_t i = 0; i < static_cast<size_t>(caseCount(300)); ++i) {
        const testing::Mutator::Input input = mutator.make(start, i, kMost);
        std::string fault;
        try {
            fault = kind.fault(input.text);
        } catch (const std::exception &error) {
            fault = std::string("It throws: ") + error.what();
        }
        QVERIFY2(fault.empty(), (fault + "\n" + input.name + "\n" + input.text).c_str());
    }
}

PALIMPSEST_TEST(HostileDocumentsTest)

#include "tst_hostile_documents.moc"
