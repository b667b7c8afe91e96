// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/policy_words.h"

#include "core/compaction/policy_settings.h"
#include "tests/policy_with.h"
#include "tests/test_program.h"

#include <QTest>

using namespace core;
using testing::policyWith;

/// A policy in words, with its present settings.
class PolicyWordsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itIsDescribedWithItsPresentSettings();
    void changesAreNamed();
    void everyPresetHasAnAnswer();
};

void PolicyWordsTest::itIsDescribedWithItsPresentSettings()
{
    const std::string before = deedSentence(*preset("deep-agents"));
    QVERIFY2(before.contains("At every call: Offload large results"), before.c_str());
    QVERIFY2(before.contains("From 85 % of window on: "), before.c_str());
    QVERIFY2(before.ends_with(" Keep: the last 10 % of window."), before.c_str());
    // A stage with a trigger of its own keeps it.
    const std::string now
        = deedSentence(*policyWith("deep-agents", { { "trigger", "120000tok" }, { "keep", "6msg" } }));
    QVERIFY2(
        now.contains("From 85 % of window on: Clip tool arguments. From 120,000 tokens on: Summarise."), now.c_str());
    QVERIFY2(now.ends_with(" Keep: the last 6 messages."), now.c_str());
    const std::string without = deedSentence(*policyWith("deep-agents", { { "summarise", "off" } }));
    QVERIFY2(without.contains(": Clip tool arguments. Keep"), without.c_str());
    QVERIFY(deedSentence(*preset("pi")).contains("the window less 16,384 tokens"));
    QVERIFY(deedSentence(*preset("langchain-clear-tool-uses")).contains("Above 100,000 tokens: "));
    QCOMPARE(deedSentence(*preset("none")), std::string("No stage is on: the policy changes nothing."));
}

void PolicyWordsTest::changesAreNamed()
{
    const Policy &before = *preset("deep-agents");
    QCOMPARE(changeSentence(before, before), std::string());
    QCOMPARE(changeSentence(*policyWith("deep-agents", { { "trigger", "0.62w" }, { "keep", "6msg" } }), before),
        std::string("Changed: trigger 62 % of window, was 85 % of window; keep 6 messages, was 10 % of window."));
    // Nothing is said of the settings of a stage that is off.
    QCOMPARE(changeSentence(*policyWith("deep-agents", { { "summarise", "off" } }), before),
        std::string("Changed: Summarise off."));
    QCOMPARE(
        changeSentence(withStageRemoved(before, 0), before), std::string("Changed: Offload large results removed."));
    QCOMPARE(changeSentence(withStageMoved(before, 0, 1), before), std::string("Changed: the order of the stages."));
    QCOMPARE(changeSentence(*policyWith("claw-memory", { { "memory-folder", "notes" } }), *preset("claw-memory")),
        std::string("Changed: inject.memory-folder notes, was empty."));
    const std::string added = changeSentence(withStageAdded(before, "drop-images"), before);
    QVERIFY2(added.ends_with(" added."), added.c_str());
    const PolicyPtr many = policyWith("deep-agents",
        { { "trigger", "0.5w" }, { "keep", "0.2w" }, { "summarise", "off" }, { "clip-arguments", "off" } });
    const std::string most = changeSentence(*many, before);
    QVERIFY2(most.ends_with("; and 1 more."), most.c_str());
}

void PolicyWordsTest::everyPresetHasAnAnswer()
{
    for (const PolicyPtr &policy : presets()) {
        QVERIFY2(deedSentence(*policy).ends_with('.'), policy->id.c_str());
        QCOMPARE(changeSentence(*policy, *policy), std::string());
    }
}

PALIMPSEST_TEST(PolicyWordsTest)
#include "tst_policy_words.moc"
