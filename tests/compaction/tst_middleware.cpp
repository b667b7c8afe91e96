// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/harness_settings.h"
#include "core/compaction/policy_settings.h"
#include "core/json/json.h"
#include "core/session/deed_words.h"
#include "core/session/tool_deed.h"
#include "tests/test_program.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace core;

namespace {

/// A policy whose stages the module has, counted as the module counts.
Policy policyOf(std::string_view stages, std::string_view more = R"("counter": { "kind": "langchain-js" })")
{
    const std::string text = R"({ "schema": "palimpsest.policy/1", "id": "mine", "name": "Mine",
        "description": "", "provenance": { "source": "here", "date": "2026", "evidence": "interpretation" },
        "view": "langchain", "length_unit": "utf16_units", "window": "model", "trigger": "40msg", "keep": "6msg",
        "persistence": "view", )"
        + std::string(more) + R"(, "stages": [)" + std::string(stages) + "] }";
    auto policy = parsePolicy(text);
    Q_ASSERT(policy);
    return *policy;
}

constexpr const char *kLangChainModule = "langchain-middleware-js";
constexpr const char *kGenkitModule = "genkit-middleware-js";
/// Counted as the module for Genkit counts.
constexpr std::string_view kAsGenkit = R"("counter": "genkit-text", "view": "genkit")";

HarnessSettings moduleOf(const Policy &policy, const SettingsPlace &place = { .modelWindow = 100'000 },
    const char *harness = kLangChainModule)
{
    return harnessSettings(policy, *harnessNamed(harness), place);
}

/// The constant of the module.
Json constantOf(const HarnessSettings &module)
{
    const std::string_view begin = "const policy = ";
    const size_t from = module.text.find(begin) + begin.size();
    return parseJson(std::string_view(module.text).substr(from, module.text.find(";\n", from) - from));
}

QString notesOf(const HarnessSettings &module)
{
    QStringList notes;
    for (const std::string &note : module.notes)
        notes << QString::fromStdString(note);
    return notes.join(u'\n');
}

} // namespace

/// The modules that apply a policy in LangChain and in Genkit. tests/independent/middleware.mjs runs them.
class MiddlewareTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theConstantHoldsTheWholePolicy();
    void sharesBecomeTokensOfTheWindow();
    void eachModuleCountsItsOwnWay();
    void theModulesShareTheEngine();
    void theModuleParses_data();
    void theModuleParses();
    void everyWordOfADeedIsThere();
    void whatTheModuleCannotDoIsLeftOut_data();
    void whatTheModuleCannotDoIsLeftOut();
    void whatItDoesOtherwiseIsSaid();
};

void MiddlewareTest::theConstantHoldsTheWholePolicy()
{
    const HarnessSettings module = moduleOf(policyOf(R"(
        { "stage": "clip-results", "cap": 900, "exclude": ["Read"] },
        { "stage": "clip-texts", "enabled": false },
        { "stage": "clear-tool-uses", "trigger": { "all": ["30msg", "9results"], "comparator": ">" },
          "keep": "4results", "inputs": true },
        { "stage": "inject", "text": "Be brief.", "place": "every-user" })"));
    QCOMPARE(notesOf(module), QString());
    QCOMPARE(module.language, std::string("javascript"));
    const Json constant = constantOf(module);
    QCOMPARE(constant["name"], Json("Mine"));
    QCOMPARE(constant["unit"], Json("utf16_units"));
    const Json stages = parseJson(R"json([
        { "stage": "clip-results", "trigger": null,
          "keep": { "value": 6, "unit": "messages", "rule": "within", "pairing": "none" },
          "cap": 900, "preview": 120, "suffix": "…[truncated] ({n} chars total)", "strip": true, "exclude": ["Read"] },
        { "stage": "clear-tool-uses",
          "trigger": { "isAbove": true, "isAll": true,
                       "measures": [{ "value": 30, "unit": "messages" }, { "value": 9, "unit": "results" }] },
          "keep": { "value": 4, "unit": "results", "rule": "within", "pairing": "none" },
          "protect": 0, "protect-from": "end", "worth": 0, "exclude": [], "inputs": true, "placeholder": "[cleared]",
          "preview": 250, "preview-cut": "\n…\n" },
        { "stage": "inject", "trigger": null, "text": "Be brief.", "place": "every-user", "n": 1 }
    ])json");
    QCOMPARE(constant["stages"], stages);
}

void MiddlewareTest::sharesBecomeTokensOfTheWindow()
{
    const Policy policy = policyOf(R"({ "stage": "clip-results", "trigger": "0.3w", "keep": "0.05w" })");
    const Json stage = constantOf(moduleOf(policy))["stages"][0];
    QCOMPARE(stage["trigger"]["measures"], parseJson(R"([{ "value": 30000, "unit": "tokens" }])"));
    QCOMPARE(stage["keep"]["value"], Json(5000));
    const HarnessSettings unknown = moduleOf(policy, {});
    QVERIFY(unknown.text.empty());
    QVERIFY2(notesOf(unknown).contains(QStringLiteral("the window is not known")), qPrintable(notesOf(unknown)));
}

void MiddlewareTest::eachModuleCountsItsOwnWay()
{
    const std::string_view stage = R"({ "stage": "clip-results", "trigger": "0.3w", "keep": "700tok" })";
    const Policy genkit = policyOf(stage, kAsGenkit);
    const HarnessSettings module = moduleOf(genkit, { .modelWindow = 100'000 }, kGenkitModule);
    QCOMPARE(notesOf(module), QString());
    QCOMPARE(module.harness, std::string("Genkit middleware, JavaScript"));
    const Json made = constantOf(module)["stages"][0];
    QCOMPARE(made["trigger"]["measures"], parseJson(R"([{ "value": 30000, "unit": "tokens" }])"));
    QCOMPARE(made["keep"]["value"], Json(700));
    // The one does not count as the other, and sees other messages.
    QVERIFY(notesOf(moduleOf(genkit)).contains(QStringLiteral("only as the counter langchain-js does")));
    const QString other = notesOf(moduleOf(policyOf(stage), { .modelWindow = 100'000 }, kGenkitModule));
    QVERIFY2(other.contains(QStringLiteral("only as the counter genkit-text does")), qPrintable(other));
    const Policy messages = policyOf(R"({ "stage": "clip-results" })");
    QVERIFY(notesOf(moduleOf(messages, {}, kGenkitModule)).contains(QStringLiteral("counts messages of another API")));
}

void MiddlewareTest::theModulesShareTheEngine()
{
    const std::string_view stage = R"({ "stage": "drop-thinking" })";
    const std::string_view heading = "// --- the policy ---";
    const std::string langChain = moduleOf(policyOf(stage)).text;
    const std::string genkit = moduleOf(policyOf(stage, kAsGenkit), {}, kGenkitModule).text;
    QVERIFY(langChain.contains("from \"langchain\""));
    QVERIFY(genkit.contains("use: [palimpsest]"));
    QVERIFY(!genkit.contains("LangChain"));
    QVERIFY(genkit.contains(heading));
    QCOMPARE(genkit.substr(genkit.find(heading)), langChain.substr(langChain.find(heading)));
}

void MiddlewareTest::theModuleParses_data()
{
    QTest::addColumn<QString>("harness");
    QTest::addColumn<QString>("more");
    QTest::newRow("LangChain") << QString::fromLatin1(kLangChainModule)
                               << QStringLiteral(R"("counter": "langchain-js")");
    QTest::newRow("Genkit") << QString::fromLatin1(kGenkitModule) << QString::fromUtf8(kAsGenkit);
}

void MiddlewareTest::theModuleParses()
{
    QFETCH(QString, harness);
    QFETCH(QString, more);
    const QString node = QStandardPaths::findExecutable(QStringLiteral("node"));
    if (node.isEmpty())
        QSKIP("Node.js is not installed.");
    const Policy policy = policyOf(R"({ "stage": "clip-results", "suffix": "\u2028`${\"'\n" })", more.toStdString());
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("module.mjs")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(moduleOf(policy, {}, harness.toLatin1().constData()).text));
    file.close();
    QProcess check;
    check.start(node, { QStringLiteral("--check"), file.fileName() });
    QVERIFY(check.waitForFinished());
    QVERIFY2(check.exitCode() == 0, check.readAllStandardError().constData());
}

void MiddlewareTest::everyWordOfADeedIsThere()
{
    const auto words = deedWords();
    const ToolDeed strongestFirst[] { ToolDeed::Edit, ToolDeed::Write, ToolDeed::Run, ToolDeed::Search,
        ToolDeed::Read };
    QCOMPARE(words.size(), std::size(strongestFirst));
    for (size_t i = 0; i < words.size(); ++i) {
        QVERIFY(!words[i].empty());
        for (const std::string_view word : words[i]) {
            QCOMPARE(toolDeed(word), strongestFirst[i]);
            // A name with words of two deeds has the deed of the first list.
            QCOMPARE(toolDeed(std::string(words.back().front()) + "_" + std::string(word)), strongestFirst[i]);
        }
    }
    QCOMPARE(constantOf(moduleOf(policyOf(R"({ "stage": "clip-results" })")))["deeds"], Json(words));
}

void MiddlewareTest::whatTheModuleCannotDoIsLeftOut_data()
{
    QTest::addColumn<QString>("stage");
    QTest::addColumn<QString>("more");
    QTest::addColumn<QString>("note");
    const auto row = [](const char *title, const char *stage, const char *note, const char *more = nullptr) {
        const char *usual = R"("counter": { "kind": "langchain-js" })";
        QTest::newRow(title) << QString::fromLatin1(stage) << QString::fromLatin1(more == nullptr ? usual : more)
                             << QString::fromLatin1(note);
    };
    row("a summary", R"({ "stage": "summarise", "trigger": "policy" })", "does not have this stage");
    row("a file", R"({ "stage": "offload-results" })", "does not have this stage");
    row("a file of a truncated result", R"({ "stage": "truncate-results", "artifact": "a/{call}" })", "keeps no file");
    row("a stale read", R"({ "stage": "elide", "selector": "stale-reads" })", "the selector stale-reads");
    row("a pointer", R"({ "stage": "elide", "rung": "pointer" })", "the rung pointer");
    row("facts in a reminder", R"({ "stage": "inject", "text": "It is {time}." })", "facts of the session");
    row("memory in a reminder", R"({ "stage": "inject", "text": "{memory}", "memory-folder": "notes" })",
        "facts of the session");
    row("at least so many tokens", R"({ "stage": "clear-tool-uses", "at-least": 10 })", "at-least");
    row("a keep in tokens of another counter", R"({ "stage": "clip-results", "keep": "100tok" })",
        "its keep counts tokens", R"("counter": { "kind": "tokens" })");
    row("a trigger with the recorded usage",
        R"({ "stage": "clear-tool-uses", "trigger": "100tok", "keep": "3results" })", "its trigger counts tokens",
        R"("counter": { "kind": "langchain-js", "uses_recorded": true })");
    row("sizes of another counter", R"({ "stage": "clear-tool-uses", "keep": "3results", "protect": 10 })",
        "protect and worth count tokens", R"("counter": { "kind": "tokens" })");
    row("messages of another API", R"({ "stage": "clip-results", "keep": "3results" })", "a message of another API",
        R"("counter": { "kind": "langchain-js" }, "view": "anthropic")");
}

void MiddlewareTest::whatTheModuleCannotDoIsLeftOut()
{
    QFETCH(QString, stage);
    QFETCH(QString, more);
    QFETCH(QString, note);
    const HarnessSettings alone = moduleOf(policyOf(stage.toStdString(), more.toStdString()));
    QVERIFY2(notesOf(alone).contains(note), qPrintable(notesOf(alone)));
    QVERIFY(alone.text.empty());
    // Beside it, another stage stays.
    const std::string both = stage.toStdString() + R"(, { "stage": "drop-thinking", "turns": 2 })";
    const HarnessSettings module = moduleOf(policyOf(both, more.toStdString()));
    QCOMPARE(constantOf(module)["stages"], parseJson(R"([{ "stage": "drop-thinking", "trigger": null, "turns": 2 }])"));
}

void MiddlewareTest::whatItDoesOtherwiseIsSaid()
{
    Policy policy = policyOf(R"({ "stage": "clip-results" })");
    policy.persistence = Persistence::Persistent;
    const QString notes = notesOf(moduleOf(policy, { .overrides = 1 }));
    QVERIFY(notes.contains(QStringLiteral("computes them again for each call")));
    QVERIFY(notes.contains(QStringLiteral("by hand")));
}

PALIMPSEST_TEST(MiddlewareTest)
#include "tst_middleware.moc"
