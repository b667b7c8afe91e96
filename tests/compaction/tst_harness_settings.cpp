// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/harness_settings.h"
#include "core/compaction/harness_table.h"
#include "core/compaction/policy_settings.h"
#include "core/json/json.h"
#include "tests/test_program.h"

#include <QProcess>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace core;

namespace {

constexpr double kWindow = 200'000;

Policy presetWith(std::string_view id, std::initializer_list<std::pair<const char *, const char *>> settings = {})
{
    Policy policy = *preset(id);
    for (const auto &[key, value] : settings) {
        auto changed = withSetting(policy, key, value);
        Q_ASSERT(changed);
        policy = *changed;
    }
    return policy;
}

QString textOf(const HarnessSettings &settings) { return QString::fromStdString(settings.text); }
QString notesOf(const HarnessSettings &settings)
{
    QStringList notes;
    for (const std::string &note : settings.notes)
        notes << QString::fromStdString(note);
    return notes.join(u'\n');
}

/// What stands behind the n-th argument of that name, up to the end of its line.
QString argument(const QString &text, const QString &name, int n = 0)
{
    const QRegularExpression line(
        QStringLiteral("^\\s*\"?%1\"?\\s*[=:] *(.*?),?$").arg(name), QRegularExpression::MultilineOption);
    auto found = line.globalMatch(text);
    for (; n > 0 && found.hasNext(); --n)
        (void)found.next();
    return found.hasNext() ? found.next().captured(1) : QString();
}

/// The measure of `("fraction", 0.85)` or `{ type: "tokens", value: 170000 }`.
std::optional<Measure> sizeOf(const QString &text)
{
    static const QRegularExpression pattern(QStringLiteral("\"(fraction|tokens|messages)\"(?:, value:|,) ([0-9.]+)"));
    const auto match = pattern.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    const QString kind = match.captured(1);
    return Measure { match.captured(2).toDouble(),
        kind == QStringLiteral("fraction")     ? Measure::Unit::WindowFraction
            : kind == QStringLiteral("tokens") ? Measure::Unit::Tokens
                                               : Measure::Unit::Messages };
}

QString quotedText(const PolicyValues &values, std::string_view path)
{
    return QString::fromStdString(jsonText(Json(values.text(path)), -1));
}

} // namespace

/// A policy as its harness's settings, and what those cannot say.
class HarnessSettingsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPresetSaysWhatItsHarnessIsSetTo_data();
    void everyPresetSaysWhatItsHarnessIsSetTo();
    void theRecipesNumbersAreReadBack();
    void theRecipeWithoutAWindowKeepsMessages();
    void deepAgentsNumbersAreReadBack_data();
    void deepAgentsNumbersAreReadBack();
    void langchainsNumbersAreReadBack();
    void langchainsNumbersAreReadBackInJavaScript();
    void iiisEnvironmentIsReadBack();
    void pisSettingsAreADocument();
    void anthropicsEditsAreMembersOfARequest();
    void whatIsOffIsLeftOutOfARequest();
    void documentsAreReadBack_data();
    void documentsAreReadBack();
    void claudeCodesPercentageIsThatOfItsBase_data();
    void claudeCodesPercentageIsThatOfItsBase();
    void gooseAndSweAgentAreReadBack();
    void openHandsCountsMessagesOrTokens();
    void trimmingIsReadBack();
    void everyTextParses_data();
    void everyTextParses();
    void tokensBecomeAShareThatGivesThemAgain();
    void whatAHarnessCannotExpressIsSaid_data();
    void whatAHarnessCannotExpressIsSaid();
    void whatIsWrittenIsAPolicy();
    void aPolicyOfOnesOwnKeepsItsHarness();
    void anotherHarnessSaysWhatItLacks();
};

void HarnessSettingsTest::everyPresetSaysWhatItsHarnessIsSetTo_data()
{
    QTest::addColumn<QString>("id");
    for (const PolicyPtr &policy : presets())
        QTest::newRow(policy->id.c_str()) << QString::fromStdString(policy->id);
}

void HarnessSettingsTest::everyPresetSaysWhatItsHarnessIsSetTo()
{
    QFETCH(QString, id);
    const PolicyPtr policy = preset(id.toStdString());
    const HarnessSettings settings = harnessSettings(*policy, { .modelWindow = kWindow });
    const Harness *harness = harnessOf(*policy);
    const bool isWithout = harness == nullptr || harness->parts.empty();
    QCOMPARE(settings.text.empty(), isWithout);
    if (isWithout) {
        QCOMPARE(settings.notes.size(), size_t(1));
        return;
    }
    // Its own harness does what the preset says: nothing is missing, save what "as intended" mends.
    // A share that is written in tokens is no loss.
    QStringList lines = notesOf(settings).split(u'\n');
    lines.removeIf([](const QString &line) { return line.contains(QLatin1String("this model's window has")); });
    const QString notes = lines.join(u'\n');
    if (id.startsWith(QStringLiteral("claude-code-"))) { // older versions kept nothing; the oldest cleared results
        const bool isOldest = id == QStringLiteral("claude-code-2.1.20");
        QCOMPARE(notes.count(QLatin1String(" here; ")), isOldest ? 2 : 1);
        QVERIFY2(notes.contains(QLatin1String("keep is 0 msg here")), qPrintable(notes));
        QCOMPARE(notes.contains(QLatin1String("clear-tool-uses is on here; Claude Code has no switch")), isOldest);
    } else if (id != QStringLiteral("iii-pr140-intended")) {
        for (const char *note : { " here; ", " without it.", " has one setting, " })
            QVERIFY2(!notes.contains(QLatin1String(note)), qPrintable(notes));
    } else {
        QVERIFY2(notes.contains(QStringLiteral("truncate-results.exempts-fetch is on here")), qPrintable(notes));
    }
    QCOMPARE(textOf(settings).count(u'('), textOf(settings).count(u')'));
    QCOMPARE(textOf(settings).count(u'{'), textOf(settings).count(u'}'));
}

void HarnessSettingsTest::theRecipesNumbersAreReadBack()
{
    const Policy policy = presetWith("genkit-recipe",
        { { "clip-arguments.cap", "300" }, { "clip-results.cap", "1200" }, { "clip-texts.cap", "1200" },
            { "keep", "0.2" }, { "offload-results.cap", "50000" } });
    const PolicyValues values(policy);
    const HarnessSettings settings = harnessSettings(policy);
    const QString text = textOf(settings);
    QCOMPARE(argument(text, QStringLiteral("max_context_tokens")).toDouble(), policy.windowTokens);
    QCOMPARE(argument(text, QStringLiteral("trigger_fraction")).toDouble(), policy.trigger.measures.front().value);
    QCOMPARE(argument(text, QStringLiteral("keep_fraction")).toDouble(), policy.keep.measure.value);
    const std::pair<const char *, const char *> numbers[] { { "max_tool_input_chars", "clip-arguments.cap" },
        { "max_tool_output_chars", "clip-results.cap" }, { "max_tool_output_chars", "clip-texts.cap" },
        { "preview_chars", "clip-results.preview" }, { "preview_head_lines", "offload-results.head-lines" },
        { "preview_tail_lines", "offload-results.tail-lines" },
        { "offload_tool_threshold_chars", "offload-results.cap" },
        { "trim_summary_input_tokens", "summarise.summary.trim" } };
    for (const auto &[name, path] : numbers) {
        bool isNumber = false;
        QCOMPARE(argument(text, QString::fromLatin1(name)).toDouble(&isNumber), values.number(path));
        QVERIFY2(isNumber, name);
    }
    QCOMPARE(argument(text, QStringLiteral("max_tool_input_chars")), QStringLiteral("300"));
    QCOMPARE(argument(text, QStringLiteral("offload_tool_threshold_chars")), QStringLiteral("50000"));
    QCOMPARE(argument(text, QStringLiteral("enable_summarization")), QStringLiteral("True"));
    QCOMPARE(argument(text, QStringLiteral("truncation_suffix")), QStringLiteral("\"…[truncated]\""));
    QCOMPARE(argument(text, QStringLiteral("conversation_log_prefix")), QStringLiteral("\"conversation-history\""));
    QVERIFY(argument(text, QStringLiteral("bulk_input_keys")).startsWith(QStringLiteral("[\"code\",")));
}

void HarnessSettingsTest::theRecipeWithoutAWindowKeepsMessages()
{
    const QString text = textOf(harnessSettings(presetWith("genkit-recipe-figure")));
    QCOMPARE(argument(text, QStringLiteral("max_context_tokens")), QStringLiteral("None"));
    QCOMPARE(argument(text, QStringLiteral("keep_recent_messages")), QStringLiteral("6"));
    QCOMPARE(argument(text, QStringLiteral("keep_fraction")), QString());
    QCOMPARE(argument(text, QStringLiteral("enable_summarization")), QStringLiteral("False"));
}

void HarnessSettingsTest::deepAgentsNumbersAreReadBack_data()
{
    QTest::addColumn<QString>("id");
    for (const char *id : { "deep-agents", "deep-agents-no-profile", "deep-agents-js" })
        QTest::newRow(id) << QString::fromLatin1(id);
}

void HarnessSettingsTest::deepAgentsNumbersAreReadBack()
{
    QFETCH(QString, id);
    const Policy policy = presetWith(id.toStdString(), { { "clip-arguments.cap", "1500" } });
    const PolicyValues values(policy);
    const QString text = textOf(harnessSettings(policy));
    const bool isPort = id == QStringLiteral("deep-agents-js");
    const auto name = [&](const char *python, const char *port) { return QString::fromLatin1(isPort ? port : python); };
    QCOMPARE(argument(text, name("tool_token_limit_before_evict", "toolTokenLimitBeforeEvict")).toDouble() * 4,
        values.number("offload-results.cap"));
    QCOMPARE(
        argument(text, name("human_message_token_limit_before_evict", "humanMessageTokenLimitBeforeEvict")).toDouble()
            * 4,
        values.number("offload-user-messages.cap"));
    QCOMPARE(sizeOf(argument(text, QStringLiteral("trigger"))), policy.trigger.measures.front());
    QCOMPARE(sizeOf(argument(text, QStringLiteral("keep"))), policy.keep.measure);
    const auto clip = std::ranges::find(policy.stages, "clip-arguments", &StageSpec::stage);
    QCOMPARE(sizeOf(argument(text, QStringLiteral("trigger"), 1)), clip->trigger->measures.front());
    QCOMPARE(sizeOf(argument(text, QStringLiteral("keep"), 1)), clip->keep->measure);
    QCOMPARE(argument(text, name("max_length", "maxLength")).toDouble(), 1500.0);
    QCOMPARE(argument(text, name("truncation_text", "truncationText")), quotedText(values, "clip-arguments.suffix"));
    QCOMPARE(text.contains(QStringLiteral("SummarizationToolMiddleware(summarization)")), !isPort);
}

void HarnessSettingsTest::langchainsNumbersAreReadBack()
{
    const Policy summarising
        = presetWith("langchain-summarization", { { "trigger", "120000tok" }, { "keep", "12msg" } });
    const QString text = textOf(harnessSettings(summarising));
    QCOMPARE(sizeOf(argument(text, QStringLiteral("trigger"))), summarising.trigger.measures.front());
    QCOMPARE(sizeOf(argument(text, QStringLiteral("keep"))), summarising.keep.measure);

    const Policy clearing = presetWith("langchain-clear-tool-uses",
        { { "trigger", "90000tok" }, { "keep", "5results" }, { "at-least", "2000" }, { "exclude", "read_file" } });
    const QString cleared = textOf(harnessSettings(clearing));
    QCOMPARE(argument(cleared, QStringLiteral("trigger")), QStringLiteral("90000"));
    QCOMPARE(argument(cleared, QStringLiteral("keep")), QStringLiteral("5"));
    QCOMPARE(argument(cleared, QStringLiteral("clear_at_least")), QStringLiteral("2000"));
    QCOMPARE(argument(cleared, QStringLiteral("clear_tool_inputs")), QStringLiteral("False"));
    QCOMPARE(argument(cleared, QStringLiteral("exclude_tools")), QStringLiteral("[\"read_file\"]"));
    QCOMPARE(argument(cleared, QStringLiteral("placeholder")), QStringLiteral("\"[cleared]\""));
}

void HarnessSettingsTest::langchainsNumbersAreReadBackInJavaScript()
{
    const QString text = textOf(
        harnessSettings(presetWith("langchain-summarization-js", { { "trigger", "120000tok" }, { "keep", "12msg" } })));
    QCOMPARE(argument(text, QStringLiteral("trigger")), QStringLiteral("{ tokens: 120000 }"));
    QCOMPARE(argument(text, QStringLiteral("keep")), QStringLiteral("{ messages: 12 }"));
    const Policy both = presetWith("langchain-summarization-js", { { "trigger", "120000tok and 50msg" } });
    QCOMPARE(argument(textOf(harnessSettings(both)), QStringLiteral("trigger")),
        QStringLiteral("{ tokens: 120000, messages: 50 }"));

    const QString cleared = textOf(harnessSettings(
        presetWith("langchain-clear-tool-uses-js", { { "trigger", "90000tok" }, { "keep", "5results" } })));
    QCOMPARE(argument(cleared, QStringLiteral("trigger")), QStringLiteral("{ tokens: 90000 }"));
    QCOMPARE(argument(cleared, QStringLiteral("keep")), QStringLiteral("{ messages: 5 }"));
    QCOMPARE(argument(cleared, QStringLiteral("clearToolInputs")), QStringLiteral("false"));
    // The port of Deep Agents cannot join them.
    QVERIFY(notesOf(harnessSettings(presetWith("deep-agents-js", { { "trigger", "120000tok and 50msg" } })))
            .contains(QStringLiteral("cannot combine them")));
}

void HarnessSettingsTest::iiisEnvironmentIsReadBack()
{
    const QString text = textOf(harnessSettings(
        presetWith("iii-pr140-as-coded", { { "truncate-results.cap", "4096" }, { "trigger", "50000tok" } })));
    QCOMPARE(text,
        QStringLiteral("HARNESS_RESULT_TRUNCATE_BYTES=4096\nCOMPACT_TRIGGER_TOKENS=50000\n"
                       "COMPACT_KEEP_RECENT_TURNS=3\n"));
}

void HarnessSettingsTest::pisSettingsAreADocument()
{
    const HarnessSettings usual = harnessSettings(presetWith("pi"));
    Json settings = parseJson(usual.text);
    QVERIFY2(settings.is_object(), usual.text.c_str());
    QCOMPARE(settings["compaction"]["reserveTokens"].get<int>(), 16'384);
    QCOMPARE(settings["compaction"]["keepRecentTokens"].get<int>(), 20'000);
    QCOMPARE(settings["compaction"]["enabled"].get<bool>(), true);
    // What is reserved does not depend on the window; of a share it does.
    settings = parseJson(harnessSettings(presetWith("pi"), { .modelWindow = 1e6 }).text);
    QCOMPARE(settings["compaction"]["reserveTokens"].get<int>(), 16'384);
    settings = parseJson(harnessSettings(presetWith("pi", { { "trigger", "0.9w" } }), { .modelWindow = 1e6 }).text);
    QCOMPARE(settings["compaction"]["reserveTokens"].get<int>(), 100'000);
    QVERIFY(!withSetting(*preset("pi"), "keep", "0.5w-10tok").has_value());
}

void HarnessSettingsTest::anthropicsEditsAreMembersOfARequest()
{
    const Policy policy = presetWith("anthropic-context-editing",
        { { "trigger", "90000tok" }, { "keep", "5results" }, { "at-least", "2000" }, { "exclude", "Skill, Task" },
            { "drop-thinking.turns", "2" } });
    const Json edits = parseJson(harnessSettings(policy).text)["context_management"]["edits"];
    // The API wants the thinking first.
    QCOMPARE(edits, parseJson(R"([
        { "type": "clear_thinking_20251015", "keep": { "type": "thinking_turns", "value": 2 } },
        { "type": "clear_tool_uses_20250919", "trigger": { "type": "input_tokens", "value": 90000 },
          "keep": { "type": "tool_uses", "value": 5 }, "clear_at_least": { "type": "input_tokens", "value": 2000 },
          "exclude_tools": ["Skill", "Task"], "clear_tool_inputs": false }
    ])"));
    const Policy counted = presetWith("anthropic-context-editing", { { "trigger", "40results" } });
    QCOMPARE(parseJson(harnessSettings(counted).text)["context_management"]["edits"][1]["trigger"],
        parseJson(R"({ "type": "tool_uses", "value": 40 })"));

    const Policy summary = presetWith("anthropic-compaction", { { "trigger", "0.6w" } });
    QCOMPARE(parseJson(harnessSettings(summary, { .modelWindow = kWindow }).text)["context_management"]["edits"],
        parseJson(R"([{ "type": "compact_20260112", "trigger": { "type": "input_tokens", "value": 120000 } }])"));
}

void HarnessSettingsTest::whatIsOffIsLeftOutOfARequest()
{
    const Policy bare
        = presetWith("anthropic-context-editing", { { "drop-thinking", "off" }, { "clear-tool-uses", "off" } });
    QCOMPARE(parseJson(harnessSettings(bare).text)["context_management"]["edits"],
        parseJson(R"([{ "type": "clear_thinking_20251015", "keep": "all" }])"));
    const Policy none = presetWith("anthropic-compaction", { { "summarise", "off" } });
    QCOMPARE(parseJson(harnessSettings(none).text)["context_management"]["edits"], Json::array());
    QCOMPARE(textOf(harnessSettings(presetWith("goose", { { "summarise", "off" } }))),
        QStringLiteral("GOOSE_AUTO_COMPACT_THRESHOLD=0\n"));
    QCOMPARE(textOf(harnessSettings(presetWith("swe-agent", { { "clear-tool-uses", "off" } }))),
        QStringLiteral("agent:\n  history_processors: []\n"));
    const Policy unmasked = presetWith("gemini-cli", { { "clear-tool-uses", "off" } });
    const HarnessSettings settings = harnessSettings(unmasked);
    QCOMPARE(parseJson(settings.text)["contextManagement"]["tools"]["outputMasking"]["minPrunableThresholdTokens"],
        Json(1'000'000'000));
    QVERIFY(notesOf(settings).contains(QStringLiteral("its limit is set so high that it never acts")));
}

void HarnessSettingsTest::documentsAreReadBack_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("settings");
    QTest::addColumn<QString>("document");
    const auto row = [](const char *title, const char *id, const char *settings, const char *document) {
        QTest::newRow(title) << QString::fromLatin1(id) << QString::fromLatin1(settings)
                             << QString::fromLatin1(document);
    };
    row("Gemini CLI", "gemini-cli",
        "trigger=0.3w; clear-tool-uses.protect=40000; clear-tool-uses.worth=10000; clear-tool-uses.keep=0msg",
        R"({ "model": { "compressionThreshold": 0.3 }, "contextManagement": { "tools": { "outputMasking": {
             "protectionThresholdTokens": 40000, "minPrunableThresholdTokens": 10000, "protectLatestTurn": false } } } })");
    row("Gemini CLI takes the model's window", "gemini-cli", "window=100000; trigger=0.5w",
        R"({ "model": { "compressionThreshold": 0.25 }, "contextManagement": { "tools": { "outputMasking": {
             "protectionThresholdTokens": 50000, "minPrunableThresholdTokens": 30000, "protectLatestTurn": true } } } })");
    row("opencode", "opencode", "trigger=0.9w; keep=8000tok; clear-tool-uses=on",
        R"({ "compaction": { "auto": true, "prune": true, "reserved": 20000, "preserve_recent_tokens": 8000 } })");
    row("opencode takes the model's window", "opencode", "window=100000; trigger=0.5w",
        R"({ "compaction": { "auto": true, "prune": false, "reserved": 150000, "preserve_recent_tokens": 15000 } })");
    row("Qwen Code as it is", "qwen-code", "",
        R"({ "context": { "autoCompactThreshold": 0.85 },
             "model": { "chatCompression": { "maxRecentFilesToRetain": 5 } } })");
    row("Qwen Code at a share alone", "qwen-code", "trigger=0.7w; summarise.files=0",
        R"({ "context": { "autoCompactThreshold": 0.7 },
             "model": { "chatCompression": { "maxRecentFilesToRetain": 0 } } })");
    row("Qwen Code at its own limit alone", "qwen-code", "trigger=1w-33000tok",
        R"({ "context": { "autoCompactThreshold": 1 },
             "model": { "chatCompression": { "maxRecentFilesToRetain": 5 } } })");
    row("Roo Code as it is", "roo", "",
        R"({ "globalSettings": { "autoCondenseContext": true, "autoCondenseContextPercent": 100 } })");
    row("Roo Code at a share", "roo", "trigger=0.7w or 0.9w-8192tok",
        R"({ "globalSettings": { "autoCondenseContext": true, "autoCondenseContextPercent": 70 } })");
    row("Roo Code at tokens", "roo", "trigger=58000tok",
        R"({ "globalSettings": { "autoCondenseContext": true, "autoCondenseContextPercent": 29 } })");
    row("Crush", "crush", "summarise=off", R"({ "options": { "disable_auto_summarize": true } })");
}

void HarnessSettingsTest::documentsAreReadBack()
{
    QFETCH(QString, id);
    QFETCH(QString, settings);
    QFETCH(QString, document);
    Policy policy = *preset(id.toStdString());
    for (const QString &setting : settings.split(QStringLiteral("; "), Qt::SkipEmptyParts)) {
        const auto changed
            = withSetting(policy, setting.section(u'=', 0, 0).toStdString(), setting.section(u'=', 1).toStdString());
        QVERIFY2(changed.has_value(), qPrintable(setting));
        policy = *changed;
    }
    const HarnessSettings written = harnessSettings(policy, { .modelWindow = kWindow });
    QCOMPARE(parseJson(written.text), parseJson(document.toStdString()));
    QVERIFY2(!notesOf(written).contains(QStringLiteral(" here; ")), qPrintable(notesOf(written)));
}

void HarnessSettingsTest::claudeCodesPercentageIsThatOfItsBase_data()
{
    QTest::addColumn<QString>("trigger");
    QTest::addColumn<double>("window");
    QTest::addColumn<QString>("text");
    const auto row = [](const char *title, const char *trigger, double window, const char *text) {
        QTest::newRow(title) << QString::fromLatin1(trigger) << window << QString::fromLatin1(text);
    };
    row("its own", "1w-33000tok", kWindow, "CLAUDE_CODE_AUTO_COMPACT_WINDOW=200000\n");
    row("tokens", "126000tok", kWindow, "CLAUDE_CODE_AUTO_COMPACT_WINDOW=200000\nCLAUDE_AUTOCOMPACT_PCT_OVERRIDE=70\n");
    row("a share of the window", "0.45w", kWindow,
        "CLAUDE_CODE_AUTO_COMPACT_WINDOW=200000\nCLAUDE_AUTOCOMPACT_PCT_OVERRIDE=50\n");
    row("a share that is no whole percentage", "0.7w", kWindow,
        "CLAUDE_CODE_AUTO_COMPACT_WINDOW=200000\nCLAUDE_AUTOCOMPACT_PCT_OVERRIDE=77.7778\n");
    row("a large window", "490000tok", 1e6,
        "CLAUDE_CODE_AUTO_COMPACT_WINDOW=1000000\nCLAUDE_AUTOCOMPACT_PCT_OVERRIDE=50\n");
    row("without a window", "126000tok", 0,
        "CLAUDE_CODE_AUTO_COMPACT_WINDOW=200000\nCLAUDE_AUTOCOMPACT_PCT_OVERRIDE=70\n");
}

void HarnessSettingsTest::claudeCodesPercentageIsThatOfItsBase()
{
    QFETCH(QString, trigger);
    QFETCH(double, window);
    QFETCH(QString, text);
    const HarnessSettings settings = harnessSettings(
        presetWith("claude-code", { { "trigger", trigger.toUtf8().constData() } }), { .modelWindow = window });
    QCOMPARE(textOf(settings), text);
    QCOMPARE(settings.notes.size(), size_t(window == 0 ? 3 : 2));
    const Harness *harness = harnessNamed("claude-code");
    QVERIFY(canSet(*harness, "trigger"));
    QVERIFY(!canSet(*harness, "keep"));
    // Nothing is written for these: a sentence says why.
    QVERIFY(!canSet(*harnessNamed("crush"), "trigger"));
    QVERIFY(!canSet(*harnessNamed("langgraph-trim"), "trigger"));
    QVERIFY(!canSet(*harnessNamed("openhands"), "keep"));
    QCOMPARE(textOf(harnessSettings(presetWith("claude-code", { { "summarise", "off" } }))),
        QStringLiteral("DISABLE_AUTO_COMPACT=1\n"));
}

void HarnessSettingsTest::gooseAndSweAgentAreReadBack()
{
    const Policy goose = presetWith("goose", { { "trigger", "120000tok" } });
    QCOMPARE(textOf(harnessSettings(goose, { .modelWindow = kWindow })),
        QStringLiteral("GOOSE_AUTO_COMPACT_THRESHOLD=0.6\n"));
    QCOMPARE(textOf(harnessSettings(presetWith("goose", { { "window", "24000" } }), { .modelWindow = kWindow })),
        QStringLiteral("GOOSE_AUTO_COMPACT_THRESHOLD=0.8\nGOOSE_CONTEXT_LIMIT=24000\n"));
    QCOMPARE(textOf(harnessSettings(presetWith("swe-agent", { { "keep", "9results" } }))),
        QStringLiteral("agent:\n  history_processors:\n    - type: last_n_observations\n      n: 9\n"));
}

void HarnessSettingsTest::openHandsCountsMessagesOrTokens()
{
    const Policy usual = presetWith("openhands", { { "trigger", "100msg" }, { "keep", "47msg" } });
    QString text = textOf(harnessSettings(usual));
    QCOMPARE(argument(text, QStringLiteral("max_size")), QStringLiteral("100"));
    QCOMPARE(argument(text, QStringLiteral("keep_first")), QStringLiteral("2"));
    QCOMPARE(argument(text, QStringLiteral("max_tokens")), QString());
    QCOMPARE(notesOf(harnessSettings(usual)), QString());
    const Policy both = presetWith("openhands", { { "trigger", "100msg or 60000tok" }, { "keep", "47msg" } });
    text = textOf(harnessSettings(both));
    QCOMPARE(argument(text, QStringLiteral("max_size")), QStringLiteral("100"));
    QCOMPARE(argument(text, QStringLiteral("max_tokens")), QStringLiteral("60000"));
    const HarnessSettings tokens = harnessSettings(presetWith("openhands", { { "trigger", "60000tok" } }));
    QCOMPARE(argument(textOf(tokens), QStringLiteral("max_size")), QStringLiteral("1000000000"));
    QVERIFY(notesOf(tokens).contains(QStringLiteral("half of max_tokens")));
    const HarnessSettings small
        = harnessSettings(presetWith("openhands", { { "trigger", "6msg" }, { "keep", "1msg" } }));
    QVERIFY2(notesOf(small).contains(QStringLiteral("larger than keep_first + 1")), qPrintable(notesOf(small)));
}

void HarnessSettingsTest::trimmingIsReadBack()
{
    const HarnessSettings trimmed
        = harnessSettings(presetWith("langgraph-trim", { { "trigger", "9000tok" }, { "keep", "9000tok" } }));
    QCOMPARE(argument(textOf(trimmed), QStringLiteral("max_tokens")), QStringLiteral("9000"));
    QVERIFY(!notesOf(trimmed).contains(QStringLiteral(" here; ")));
    const QString sdk = textOf(harnessSettings(presetWith("cline-sdk", { { "keep", "9000tok" } })));
    QCOMPARE(argument(sdk, QStringLiteral("preserveRecentTokens")), QStringLiteral("9000"));
    QCOMPARE(argument(sdk, QStringLiteral("enabled")), QStringLiteral("true"));
}

void HarnessSettingsTest::everyTextParses_data() { everyPresetSaysWhatItsHarnessIsSetTo_data(); }

/// JSON by this program; Python and TOML by Python, which no code of this program reads.
void HarnessSettingsTest::everyTextParses()
{
    QFETCH(QString, id);
    const HarnessSettings settings = harnessSettings(*preset(id.toStdString()), { .modelWindow = kWindow });
    if (settings.language == "json") {
        QVERIFY2(parseJson(settings.text).is_object(), settings.text.c_str());
        return;
    }
    const bool isToml = settings.language == "toml";
    if (!isToml && settings.language != "python")
        return;
    QProcess python;
    python.start(QStringLiteral("python3"),
        { QStringLiteral("-c"),
            isToml ? QStringLiteral("import sys, tomllib; tomllib.loads(sys.stdin.read())")
                   : QStringLiteral("import ast, sys; ast.parse(sys.stdin.read())") });
    if (!python.waitForStarted())
        QSKIP("needs python3");
    python.write(settings.text.c_str());
    python.closeWriteChannel();
    QVERIFY(python.waitForFinished());
    QVERIFY2(python.exitCode() == 0, python.readAllStandardError().constData());
}

void HarnessSettingsTest::tokensBecomeAShareThatGivesThemAgain()
{
    // The recipe rounds down, and 150,001 / 200,000 is no binary number.
    for (const int tokens : { 150'001, 33'333, 199'999, 1, 123'457 }) {
        const std::string measure = std::to_string(tokens) + "tok";
        const QString text = textOf(harnessSettings(presetWith("genkit-recipe", { { "trigger", measure.c_str() } })));
        const double share = argument(text, QStringLiteral("trigger_fraction")).toDouble();
        QCOMPARE(static_cast<int>(kWindow * share), tokens);
    }
}

void HarnessSettingsTest::whatAHarnessCannotExpressIsSaid_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("note");
    const auto row = [](const char *title, const char *id, const char *key, const char *value, const char *note) {
        QTest::newRow(title) << QString::fromLatin1(id) << QString::fromLatin1(key) << QString::fromLatin1(value)
                             << QString::fromUtf8(note);
    };
    row("a keep in a unit that is not counted", "langchain-summarization", "keep", "2turns", "keep is 2 turns here");
    row("a keep in messages beside a window", "genkit-recipe", "keep", "6msg", "keep is 6 msg here");
    row("a trigger in messages where tokens are wanted", "langchain-clear-tool-uses", "trigger", "40msg",
        "trigger is 40 msg here");
    row("a share of a window that is not known", "iii-pr140-as-coded", "trigger", "0.5w", "the window is not known");
    row("a stage that has no switch", "deep-agents", "offload-tail", "on", "offload-tail is on here");
    row("a stage without a switch whose limit can be raised", "genkit-recipe", "clip-arguments", "off",
        "clip-arguments is off here");
    row("one of two stages that share a setting", "genkit-recipe", "clip-texts", "off", "clip-texts is off here");
    row("two values of one setting", "genkit-recipe", "clip-texts.cap", "900", "clip-texts.cap is 900 here");
    row("a parameter without a setting", "deep-agents", "clip-arguments.preview", "40",
        "clip-arguments.preview is 40 here; Deep Agents has no setting for it and uses 20.");
    row("a limit that is no whole number of tokens", "deep-agents", "offload-results.cap", "80001",
        "80,001 characters");
    row("a counter of its own", "langchain-summarization", "counter", "tokens", "counter is tokens");
    row("a trigger below the least of an API", "anthropic-compaction", "trigger", "20000tok",
        "Anthropic server-side compaction does not take 20000 as trigger: it takes 50,000 tokens or more");
    row("a percentage below the least", "roo", "trigger", "0.02w", "does not take 2 as autoCondenseContextPercent");
    row("nothing kept where one is the least", "swe-agent", "keep", "0results", "does not take 0 as n");
    row("a share that switches a harness off", "goose", "trigger", "1w",
        "does not take 1 as GOOSE_AUTO_COMPACT_THRESHOLD");
    row("a trigger above the harness's own", "claude-code", "trigger", "170000tok",
        "trigger is 170,000 tok here, but Claude Code compacts at 167,000 tokens of this window at the latest");
    row("a percentage below one", "claude-code", "trigger", "1000tok", "as CLAUDE_AUTOCOMPACT_PCT_OVERRIDE");
    row("a window below the least", "claude-code", "window", "50000", "as CLAUDE_CODE_AUTO_COMPACT_WINDOW");
    row("a trigger of such a window", "claude-code", "window", "50000",
        "counts with a window of at least 100,000 tokens");
    row("a keep without a setting", "claude-code", "keep", "4msg", "keep is 4 msg here; Claude Code has no setting");
    row("a trigger that the harness chooses", "crush", "trigger", "0.7w", "trigger is 70 % here; Crush has no setting");
    row("two shares beside a limit", "qwen-code", "trigger", "0.5w or 20000tok",
        "takes only one measure beside its own limit");
    row("a keep that follows from another setting", "openhands", "keep", "50msg",
        "keep is 50 msg here; OpenHands LLMSummarizingCondenser has no setting for it, and keeps the last 117 events");
    row("a keep that is no last message", "gemini-cli", "clear-tool-uses.keep", "4msg",
        "protects the last message there, or none");
    row("a keep that no setting says", "gemini-cli", "keep", "0.2w", "keep is 20 % here; Gemini CLI has no setting");
    row("a trigger apart from the keep", "langgraph-trim", "trigger", "200000tok",
        "trigger is 200,000 tok here; LangGraph trim_messages acts when");
    row("a placeholder of one's own", "anthropic-context-editing", "placeholder", "gone",
        "clear-tool-uses.placeholder is gone here; Anthropic context editing has no setting");
    row("tools that are not cleared", "swe-agent", "exclude", "bash", "clear-tool-uses.exclude is bash here");
    row("what is kept of a policy that is a view", "langchain-summarization", "persistence", "view",
        "persistence is view here");
}

void HarnessSettingsTest::whatAHarnessCannotExpressIsSaid()
{
    QFETCH(QString, id);
    QFETCH(QString, key);
    QFETCH(QString, value);
    QFETCH(QString, note);
    const auto policy = withSetting(*preset(id.toStdString()), key.toStdString(), value.toStdString());
    QVERIFY2(policy.has_value(), policy ? "" : policy.error().message.c_str());
    const QString notes = notesOf(harnessSettings(*policy));
    QVERIFY2(notes.contains(note), qPrintable(notes));
    QVERIFY(!notesOf(harnessSettings(*preset(id.toStdString()))).contains(note));
}

/// Claude Code has a setting for the trigger, and none for keep: its own keep holds.
void HarnessSettingsTest::whatIsWrittenIsAPolicy()
{
    const Policy wanted = presetWith("claude-code", { { "trigger", "0.5w" }, { "keep", "7msg" } });
    const PolicyPtr written = writtenPolicy(wanted, *harnessOf(wanted));
    QVERIFY(written);
    QCOMPARE(written->trigger.text(), std::string("0.5w"));
    QCOMPARE(written->keep.measure.text(), preset("claude-code")->keep.measure.text());
    QCOMPARE(harnessSettings(wanted, { .modelWindow = kWindow }).text,
        harnessSettings(*written, { .modelWindow = kWindow }).text);
    QCOMPARE(harnessSettings(wanted).place,
        std::string("the environment of Claude Code, or the member env of ~/.claude/settings.json"));
    // An older version's preset: its trigger is a setting of the newer one.
    const PolicyPtr older = preset("claude-code-2.1.20");
    const PolicyPtr newer = writtenPolicy(*older, *harnessOf(*older));
    QCOMPARE(newer->trigger.text(), older->trigger.text());
    QCOMPARE(newer->id, std::string("claude-code"));
}

void HarnessSettingsTest::aPolicyOfOnesOwnKeepsItsHarness()
{
    const Policy mine = withStageAdded(withName(*preset("langchain-summarization"), "mine", "Mine"), "drop-thinking");
    const HarnessSettings settings = harnessSettings(mine, { .overrides = 2 });
    QCOMPARE(settings.harness, std::string("LangChain SummarizationMiddleware"));
    QVERIFY(notesOf(settings).contains(
        QStringLiteral("drop-thinking is a stage that LangChain SummarizationMiddleware does not have.")));
    QVERIFY(notesOf(settings).contains(QStringLiteral("by hand")));
    // Moved stages are said, unmoved ones are not.
    const auto order = QStringLiteral("another order");
    QVERIFY(notesOf(harnessSettings(withStageMoved(*preset("deep-agents"), 5, 0))).contains(order));
    QVERIFY(!notesOf(settings).contains(order));
}

void HarnessSettingsTest::anotherHarnessSaysWhatItLacks()
{
    const HarnessSettings settings = harnessSettings(*preset("deep-agents"), *harnessNamed("langchain-summarization"));
    QVERIFY(textOf(settings).contains(QStringLiteral("trigger=(\"fraction\", 0.85)")));
    for (const char *stage : { "offload-results", "clip-arguments", "summarise-when-asked" })
        QVERIFY2(notesOf(settings).contains(QString::fromLatin1(stage) + QStringLiteral(" is a stage that")), stage);
    QCOMPARE(harnessNamed("nobody"), nullptr);
    QVERIFY(!harnesses().empty());
}

PALIMPSEST_TEST(HarnessSettingsTest)
#include "tst_harness_settings.moc"
