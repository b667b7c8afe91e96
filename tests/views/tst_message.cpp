// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/base64.h"
#include "core/base/text.h"
#include "core/formats/reading/format.h"
#include "tests/claude_log.h"
#include "tests/session_testing.h"
#include "tests/session_text.h"
#include "tests/test_program.h"
#include "ui/message/body_file.h"
#include "ui/message/fields.h"
#include "ui/message/message_panel.h"
#include "ui/text/json_text.h"
#include "ui/text/text_guess.h"
#include "ui/text/utf16.h"

#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QMimeData>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>
#include <QWheelEvent>

#include <random>

using namespace Qt::StringLiterals;
using core::BlockId;
using ui::FormKind;
using ui::Indent;

namespace {

constexpr auto kLoneSurrogate = "\xED\xA0\x80";

/// A record of a Claude Code file; each follows the one before.
std::string record(std::string_view role, std::string_view content, size_t number)
{
    const std::string n = std::to_string(number);
    const std::string parent = number == 0 ? "null" : "\"u" + std::to_string(number - 1) + "\"";
    const std::string model
        = role == "assistant" ? R"("id":"m)" + n + R"(","type":"message","model":"claude-opus-4-5",)" : "";
    return R"({"type":")" + std::string(role) + R"(","uuid":"u)" + n + R"(","parentUuid":)" + parent
        + R"(,"isSidechain":false,"userType":"external","sessionId":"s","version":"2.1.0","timestamp":"2026-01-31T12:00:0)"
        + n.back() + R"(.000Z","message":{)" + model + R"("role":")" + std::string(role) + R"(","content":)"
        + std::string(content) + "}}\n";
}

/// A JSON string; a lone surrogate can only be written as an escape.
std::string jsonOf(std::string_view words)
{
    std::string json = core::quoteJson(words);
    for (size_t at = json.find(kLoneSurrogate); at != std::string::npos; at = json.find(kLoneSurrogate))
        json.replace(at, 3, "\\ud800");
    return json;
}

std::string text(std::string_view words) { return R"([{"type":"text","text":)" + jsonOf(words) + "}]"; }

std::string call(std::string_view tool, std::string_view input)
{
    return R"([{"type":"tool_use","id":"t1","name":")" + std::string(tool) + R"(","input":)" + std::string(input)
        + "}]";
}

std::string result(std::string_view words)
{
    return R"([{"type":"tool_result","tool_use_id":"t1","content":)" + jsonOf(words) + "}]";
}

std::string image(std::string_view base64, std::string_view type = "image/png")
{
    return R"([{"type":"image","source":{"type":"base64","media_type":")" + std::string(type) + R"(","data":")"
        + std::string(base64) + R"("}}])";
}

core::SessionPtr load(const std::string &records)
{
    auto session = testing::load(records);
    if (!session)
        qFatal("%s", session.error().sentence().c_str());
    return *session;
}

/// A session of one call and its result.
core::SessionPtr pair(std::string_view tool, std::string_view input, std::string_view output)
{
    return load(record("user", text("Do it."), 0) + record("assistant", call(tool, input), 1)
        + record("user", result(output), 2));
}

/// The only block of a kind.
BlockId blockOf(const core::Session &session, core::BlockKind kind, std::string_view beginning = {})
{
    for (size_t i = 0; i < session.blocks.size(); ++i) {
        const core::Block &block = session.blocks[i];
        if (block.kind == kind && session.text(block.body).starts_with(beginning))
            return BlockId(i);
    }
    qFatal("There is no such block.");
    return {};
}

std::string png(int width, int height, QColor colour = Qt::red)
{
    QImage picture(width, height, QImage::Format_RGB32);
    picture.fill(colour);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    picture.save(&buffer, "PNG");
    return bytes.toBase64().toStdString();
}

/// The bytes of one field, without the line feed that sets it apart from the next.
std::string_view fieldText(const ui::TextContent &content, std::string_view label)
{
    for (size_t i = 0; i < content.labels.size(); ++i) {
        if (content.labels[i].text != label)
            continue;
        const size_t begin = content.document->lineStart(content.labels[i].line);
        const size_t end = i + 1 < content.labels.size() ? content.document->lineStart(content.labels[i + 1].line) - 1
                                                         : content.document->size();
        return content.document->bytes().substr(begin, end - begin);
    }
    return "<no such field>";
}

QString languageOf(const ui::TextContent &content, std::string_view label)
{
    for (const ui::TextLabel &each : content.labels) {
        if (each.text != label)
            continue;
        for (const ui::TextLanguage &language : content.languages) {
            if (language.line == each.line)
                return QString::fromStdString(language.definition.empty() ? language.fileName : language.definition);
        }
    }
    return u"<none>"_s;
}

/// A panel on the screen.
struct Shown {
    ui::Workspace workspace;
    ui::ViewState state { workspace };
    ui::MessagePanel panel { state };

    explicit Shown(const core::SessionPtr &session = {}, QSize size = { 800, 360 })
    {
        if (session)
            workspace.show(session);
        panel.resize(size);
        panel.show();
        panel.activateWindow();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        panel.waitForContent();
    }
    void choose(BlockId id)
    {
        state.setCurrentBlock(id);
        panel.waitForContent();
    }
    [[nodiscard]] std::string_view shownText() const { return panel.surface()->content()->document->bytes(); }
    template <typename Widget>
    [[nodiscard]] Widget *part(const QString &name) const
    {
        return panel.findChild<Widget *>(name);
    }
    [[nodiscard]] QString title() const { return part<ui::FactsLine>(u"messageTitle"_s)->text(); }
    [[nodiscard]] QString facts() const { return part<ui::FactsLine>(u"messageFacts"_s)->text(); }
};

constexpr auto kNumbered = "     1→package main\n     2→\n     3→func main() {\n     4→}\n";

} // namespace

class TestMessage final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFormSuitsTheBody_data();
    void theFormSuitsTheBody();
    void argumentsAreFields();
    void nestedArgumentsAreTakenApart();
    void everyFieldKeepsItsBytes();
    void damagedArgumentsAreShown_data();
    void damagedArgumentsAreShown();
    void numbersOfAToolStandInTheGutter_data();
    void numbersOfAToolStandInTheGutter();
    void aWrappedFileIsColouredByItsPath();
    void resultPartsAreDecoded();
    void rawIsTheRecord();
    void prettyRawChangesNoString();
    void base64IsDecoded_data();
    void base64IsDecoded();
    void picturesAreDecodedWithCare();
    void bodiesOfTheCorpusAreAllShown();

    void theHeadSaysWhatItIs();
    void theChosenUnitComesFirst();
    void hotBlocksSayWhy();
    void tabsChooseTheBlock();
    void blocksOutsideTheArrayAreShown();
    void bodyAndRawSwitch();
    void theWholeOutputIsShownOnRequest();
    void wrapAndPrettyAreToggles();
    void copyingGivesTheExactText();
    void savingWritesTheExactBytes();
    void theSessionFileIsNeverWritten();
    void whatCannotBeWrittenIsSaid();
    void matchesOfTheSessionAreMarked();
    void aPictureIsFittedAndZoomed();
    void aBrokenPictureSaysSo();
    void encryptedAndEmptyBlocksSaySo();
    void withoutASessionThereIsASentence();
    void largeBodiesComeInAJob();
    void theLatestChoiceWins();
    void aGrowingSessionKeepsThePlace();
    void theThemeIsFollowed();
};

void TestMessage::theFormSuitsTheBody_data()
{
    QTest::addColumn<QByteArray>("tool");
    QTest::addColumn<QByteArray>("input");
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<FormKind>("form");
    QTest::addColumn<QString>("language"); // of its first line, as a definition or a file name
    const auto row = [](const char *name, const char *tool, const char *input, const QByteArray &output, FormKind form,
                         const QString &language = {}) {
        QTest::newRow(name) << QByteArray(tool) << QByteArray(input) << output << form << language;
    };
    const char *path = R"({"file_path":"/src/main.go"})";
    const char *command = R"({"command":"make"})";
    row("a file with line numbers", "Read", path, kNumbered, FormKind::Numbered, u"/src/main.go"_s);
    row("a file without line numbers", "read_file", path, "package main\n\nfunc main() {}\n", FormKind::Code,
        u"/src/main.go"_s);
    row("an acknowledgement", "Write", path, "File created.", FormKind::Plain);
    row("one line about a file", "read_file", path, "File read successfully.", FormKind::Plain);
    row("output with colours", "Bash", command, "\x1b[32mok\x1b[0m\nFAIL", FormKind::Terminal);
    row("output without colours", "Bash", command, "make: nothing to be done\n", FormKind::Plain);
    row("JSON", "Bash", command, R"({"a":1,"b":[true]})", FormKind::Json, u"JSON"_s);
    row("JSON that holds texts", "shell", command, R"({"output":"one\ntwo","metadata":{"exit_code":0}})",
        FormKind::Fields);
    row("a log that begins like JSON", "Bash", command, "[INFO] started\n[INFO] done", FormKind::Plain);
    row("a git diff", "Bash", command, "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", FormKind::Diff,
        u"Diff"_s);
    row("a diff behind a commit's head", "Bash", command,
        "commit 1234\nAuthor: x\n\n    words\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n", FormKind::Diff, u"Diff"_s);
    row("a patch", "apply_patch", R"({"input":"x"})", "*** Begin Patch\n*** Update File: x\n-a\n+b\n*** End Patch",
        FormKind::Diff, u"Diff"_s);
    row("a script", "Bash", R"({"command":"cat run"})", "#!/usr/bin/env python3\nimport os\n", FormKind::Code,
        u"Python"_s);
    row("XML", "Bash", command, "<?xml version=\"1.0\"?>\n<a/>", FormKind::Code, u"XML"_s);
    row("prose of a subagent", "Task", R"({"prompt":"x"})", "All is done.", FormKind::Markdown, u"Markdown"_s);
    row("Markdown of any tool", "mcp__x__y", "{}", "# Title\n\n- one\n- two\n- **three** and more\n\n```sh\nls\n```\n",
        FormKind::Markdown, u"Markdown"_s);
    row("matches with line numbers are not a file", "Grep", R"({"pattern":"x"})", "a.go:12:func x()\nb.go:3:x()",
        FormKind::Plain);
    row("nothing", "Bash", command, "", FormKind::Empty);
}

void TestMessage::theFormSuitsTheBody()
{
    QFETCH(QByteArray, tool);
    QFETCH(QByteArray, input);
    QFETCH(QByteArray, output);
    QFETCH(FormKind, form);
    QFETCH(QString, language);
    const core::SessionPtr session = pair(tool.toStdString(), input.toStdString(), output.toStdString());
    const BlockId id = blockOf(*session, core::BlockKind::ToolResult);
    const ui::BodyForm made = ui::bodyForm(*session, id, Indent::AsItStands);
    QCOMPARE(made.kind, form);
    if (form == FormKind::Empty) {
        QVERIFY(made.content == nullptr);
        return;
    }
    QVERIFY(made.content != nullptr);
    if (form != FormKind::Fields) {
        const QByteArray shown = ui::toUtf16(made.content->document->bytes()).toUtf8();
        QCOMPARE(shown, output);
        const bool isCode = form == FormKind::Numbered || form == FormKind::Code || form == FormKind::Diff
            || form == FormKind::Terminal;
        QCOMPARE(made.isProse, !isCode);
    }
    QString found;
    if (!made.content->languages.empty() && form != FormKind::Fields) {
        const ui::TextLanguage &first = made.content->languages.front();
        found = QString::fromStdString(first.definition.empty() ? first.fileName : first.definition);
    }
    QCOMPARE(found, language);
    // What people and models write is prose, whatever it looks like.
    const core::SessionPtr said = load(record("user", text(output.toStdString()), 0));
    const FormKind saidForm = ui::bodyForm(*said, BlockId(0U), Indent::AsItStands).kind;
    QVERIFY(saidForm == FormKind::Markdown || saidForm == FormKind::Json || saidForm == FormKind::Diff
        || saidForm == FormKind::Terminal || saidForm == FormKind::Fields);
    QCOMPARE(ui::bodyForm(*session, blockOf(*session, core::BlockKind::ToolCall), Indent::AsItStands).kind,
        FormKind::Fields);
}

void TestMessage::argumentsAreFields()
{
    const std::string json = R"({"file_path":"/src/a.py","old_string":"x = 1\n","new_string":"x = 2\ny = \"q\"\n",)"
                             R"("replace_all":false,"count":3,"nothing":null,"command":"ls | wc",)"
                             R"("todos":[{"content":"one","done":true}],"caf\u00e9":"\ud800"})";
    const ui::TextContentPtr content = ui::fieldsOf(json);
    QStringList labels;
    for (const ui::TextLabel &label : content->labels)
        labels << QString::fromStdString(label.text);
    QCOMPARE(labels,
        (QStringList { u"file_path"_s, u"old_string"_s, u"new_string"_s, u"replace_all"_s, u"count"_s, u"nothing"_s,
            u"command"_s, u"todos"_s, u"café"_s }));
    QCOMPARE(fieldText(*content, "old_string"), "x = 1\n");
    QCOMPARE(fieldText(*content, "new_string"), "x = 2\ny = \"q\"\n");
    QCOMPARE(fieldText(*content, "replace_all"), "false");
    QCOMPARE(fieldText(*content, "count"), "3");
    QCOMPARE(fieldText(*content, "nothing"), "null");
    QCOMPARE(fieldText(*content, "todos"), R"([{"content": "one", "done": true}])");
    QCOMPARE(fieldText(*content, "café"), "\xED\xA0\x80"); // a lone surrogate stays what it is
    QCOMPARE(languageOf(*content, "old_string"), u"/src/a.py"_s);
    QCOMPARE(languageOf(*content, "new_string"), u"/src/a.py"_s);
    QCOMPARE(languageOf(*content, "command"), u"Bash"_s);
    QCOMPARE(languageOf(*content, "file_path"), u""_s);
    QCOMPARE(languageOf(*content, "todos"), u"JSON"_s);
    // A field of several lines stands apart.
    std::vector<size_t> rules;
    for (const ui::TextInsertion &insertion : content->insertions)
        rules.push_back(insertion.line);
    QCOMPARE(rules, (std::vector<size_t> { 1, 3, 6 }));
    QCOMPARE(languageOf(*ui::fieldsOf(R"({"content":"x"})", "a.rs"), "content"), u"a.rs"_s);
    QCOMPARE(languageOf(*ui::fieldsOf(R"({"input":"*** Begin Patch\n+x"})"), "input"), u"Diff"_s);
    QCOMPARE(languageOf(*ui::fieldsOf(R"({"prompt":"Do it."})"), "prompt"), u"Markdown"_s);
}

void TestMessage::nestedArgumentsAreTakenApart()
{
    const std::string json
        = R"({"file_path":"a.ts","edits":[{"old_string":"a\nb","new_string":"c"},{"old_string":"d","new_string":"e\n"}],)"
          R"("command":["bash","-lc","ls\npwd"],"small":{"x":1,"y":[2,3]}})";
    const ui::TextContentPtr content = ui::fieldsOf(json);
    QCOMPARE(fieldText(*content, "edits[0].old_string"), "a\nb");
    QCOMPARE(fieldText(*content, "edits[1].new_string"), "e\n");
    QCOMPARE(languageOf(*content, "edits[0].old_string"), u"a.ts"_s);
    QCOMPARE(fieldText(*content, "command[2]"), "ls\npwd");
    QCOMPARE(languageOf(*content, "command[2]"), u"Bash"_s);
    QCOMPARE(fieldText(*content, "small"), R"({"x": 1, "y": [2, 3]})");
}

void TestMessage::everyFieldKeepsItsBytes()
{
    // Random objects of strings: what is shown of a field is the decoded string, byte by byte.
    static const std::vector<std::string> kParts { "a", "\n", "\t", "\"", "\\", "/", "\x1b[1m", "é", "中", "😀", "\r",
        std::string(1, '\0'), "\xED\xA0\x80", "{", "]", ",", ":", std::string(150, 'x') };
    std::mt19937_64 random = core::seededRandom();
    for (int i = 0; i < core::caseCount(100); ++i) {
        std::vector<std::string> values(1 + random() % 6);
        std::string json = "{";
        for (size_t field = 0; field < values.size(); ++field) {
            for (size_t part = random() % 8; part > 0; --part)
                values[field] += kParts[random() % kParts.size()];
            json += (field == 0 ? "\"k" : " , \"k") + std::to_string(field) + "\": " + core::quoteJson(values[field]);
        }
        const ui::TextContentPtr content = ui::fieldsOf(json + "}");
        QCOMPARE(content->labels.size(), values.size());
        size_t total = values.size() - 1;
        for (size_t field = 0; field < values.size(); ++field) {
            QCOMPARE(content->labels[field].text, "k" + std::to_string(field));
            QCOMPARE(fieldText(*content, content->labels[field].text), std::string_view(values[field]));
            total += values[field].size();
        }
        QCOMPARE(content->document->size(), total);
    }
}

void TestMessage::damagedArgumentsAreShown_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("cut off in a string") << QByteArray(R"({"a":"text)");
    QTest::newRow("cut off behind a key") << QByteArray(R"({"a":)");
    QTest::newRow("no colon") << QByteArray(R"({"a" 1, "b":2})");
    QTest::newRow("no key") << QByteArray(R"({1:2})");
    QTest::newRow("nothing") << QByteArray("");
    QTest::newRow("a bracket alone") << QByteArray("{");
    QTest::newRow("a closing bracket alone") << QByteArray("]");
    QTest::newRow("very deep") << QByteArray("[").repeated(100'000) + "\"a\\nb\"";
}

void TestMessage::damagedArgumentsAreShown()
{
    QFETCH(QByteArray, json);
    const ui::TextContentPtr content
        = ui::fieldsOf(json.toStdString()); // it ends, and touches nothing beyond its bytes
    QVERIFY(content->document != nullptr);
    QVERIFY(content->labels.size() <= 3);
    (void)ui::prettyJson(json.toStdString());
    (void)ui::jsonFolds(json.toStdString());
}

void TestMessage::numbersOfAToolStandInTheGutter_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("numbers"); // by line; empty: it is not a numbered text
    QTest::newRow("Claude Code") << QByteArray("    98→a\n    99→\n   100→b\n") << u"98 99 100 0"_s;
    QTest::newRow("cat -n") << QByteArray("     1\ta\n     2\tb") << u"1 2"_s;
    QTest::newRow("five digits and a bar") << QByteArray("00001| a\n00002| b\n") << u"1 2 0"_s;
    QTest::newRow("a reminder behind it")
        << QByteArray("     1→a\n     2→b\n     3→c\n\n<system-reminder>\nwords\n</system-reminder>\n")
        << u"1 2 3 0 0 0 0 0"_s;
    QTest::newRow("a line before it") << QByteArray("The file has been updated:\n   7→a\n   8→b") << u"0 7 8"_s;
    QTest::newRow("one line") << QByteArray("     1→a") << u"1"_s;
    QTest::newRow("a gap") << QByteArray("1→a\n2→b\n3→c\n4→d\n5→e\n9→f\n10→g\n11→h\n12→i\n13→j\n14→k")
                           << u"1 2 3 4 5 9 10 11 12 13 14"_s;
    QTest::newRow("numbers that do not count") << QByteArray("12\ta\n3\tb\n77\tc\n5\td\n") << u""_s;
    QTest::newRow("a table of words") << QByteArray("a\t1\nb\t2\n") << u""_s;
    QTest::newRow("a numbered list") << QByteArray("1. one\n2. two\n") << u""_s;
    QTest::newRow("nothing") << QByteArray("") << u""_s;
}

void TestMessage::numbersOfAToolStandInTheGutter()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, numbers);
    const ui::TextDocument document(text.toStdString());
    const auto lines = ui::numberedLines(document);
    QStringList found;
    if (lines) {
        for (const uint32_t number : lines->numbers)
            found << QString::number(number);
        for (const ui::TextSpan &prefix : lines->prefixes)
            QCOMPARE(document.lineStart(document.lineOf(prefix.begin)), prefix.begin);
    }
    QCOMPARE(found.join(u' '), numbers);
}

void TestMessage::aWrappedFileIsColouredByItsPath()
{
    const std::string body = "<read_file path=\"src/a.py\" totalLines=\"2\">\nimport os\nx = 1\n</read_file>\n";
    const core::SessionPtr session = load(record("user", text(body), 0));
    const ui::BodyForm form = ui::bodyForm(*session, BlockId(0U), Indent::AsItStands);
    QCOMPARE(form.kind, FormKind::Code);
    QCOMPARE(form.content->document->bytes(), std::string_view(body));
    QCOMPARE(form.content->numbers, (std::vector<uint32_t> { 0, 1, 2, 0, 0 }));
    QCOMPARE(form.content->languages.size(), 2U);
    QCOMPARE(form.content->languages[0].line, 1U);
    QCOMPARE(form.content->languages[0].fileName, "src/a.py");
    QCOMPARE(form.content->languages[1].line, 3U);
    QCOMPARE(ui::wrappedPath("<a>path=\"x\""), "");
    QCOMPARE(ui::wrappedPath("words"), "");
}

void TestMessage::resultPartsAreDecoded()
{
    const std::string parts = R"([{"type":"text","text":"one\ntwo"},{"type":"text","text":"three"}])";
    const core::SessionPtr session = load(record("user", text("x"), 0) + record("assistant", call("Task", "{}"), 1)
        + record("user", R"([{"type":"tool_result","tool_use_id":"t1","content":)" + parts + "}]", 2));
    const ui::BodyForm form
        = ui::bodyForm(*session, blockOf(*session, core::BlockKind::ToolResult), Indent::AsItStands);
    QCOMPARE(form.kind, FormKind::Markdown);
    QCOMPARE(form.content->document->bytes(), std::string_view("one\ntwo\nthree"));
}

void TestMessage::rawIsTheRecord()
{
    const std::string first = record("user", text("x"), 0);
    const std::string second = record("assistant", call("Bash", "{\"command\" :\t\"ls\\u0020-l\"}"), 1);
    const core::SessionPtr session = load(first + second);
    const BlockId id = blockOf(*session, core::BlockKind::ToolCall);
    const ui::BodyForm form = ui::rawForm(*session, id, Indent::AsItStands);
    QCOMPARE(form.kind, FormKind::Raw);
    QCOMPARE(form.content->document->bytes(), std::string_view(second).substr(0, second.size() - 1));
    QVERIFY(form.canIndent);
    QCOMPARE(QString::fromStdString(form.content->languages.front().definition), u"JSON"_s);
}

void TestMessage::prettyRawChangesNoString()
{
    const std::string body = "a {\"b\": [1, 2]}\n\\u0041 \t \"quoted\" , : end";
    const core::SessionPtr session = load(record("user", text(body), 0));
    const ui::BodyForm form = ui::rawForm(*session, BlockId(0U), Indent::Pretty);
    const std::string pretty(form.content->document->bytes());
    QVERIFY(std::ranges::count(pretty, '\n') > 10);
    QVERIFY(pretty.find(core::quoteJson(body)) != std::string::npos);
    QVERIFY(!form.content->folds.empty());
    QCOMPARE(form.content->numbering, ui::Numbering::Lines);
}

void TestMessage::base64IsDecoded_data()
{
    QTest::addColumn<QByteArray>("raw");
    QTest::addColumn<QString>("bytes"); // null: damaged
    QTest::newRow("plain") << QByteArray("aGVsbG8=") << u"hello"_s;
    QTest::newRow("without padding") << QByteArray("aGVsbG8") << u"hello"_s;
    QTest::newRow("with escaped slashes") << QByteArray("Pz8\\/") << u"???"_s;
    QTest::newRow("with line feeds") << QByteArray("aGVs\\nbG8=") << u"hello"_s;
    QTest::newRow("a data URL") << QByteArray("data:image/png;base64,aGVsbG8=") << u"hello"_s;
    QTest::newRow("damaged") << QByteArray("aGV*sbG8=") << QString();
}

void TestMessage::base64IsDecoded()
{
    QFETCH(QByteArray, raw);
    QFETCH(QString, bytes);
    const auto decoded = core::decodeQuotedBase64(raw.toStdString());
    QCOMPARE(decoded.has_value(), !bytes.isNull());
    if (decoded)
        QCOMPARE(QString::fromStdString(*decoded), bytes);
}

void TestMessage::picturesAreDecodedWithCare()
{
    const auto good = ui::decodePicture(png(1600, 900));
    QVERIFY(good.has_value());
    QCOMPARE(good->levels.front().size(), QSize(1600, 900));
    QCOMPARE(good->levels.front().pixelColor(800, 450), QColor(Qt::red));
    QCOMPARE(good->levels.back().size(), QSize(400, 225));
    QCOMPARE(good->format, u"png"_s);

    const auto sentenceOf = [](const std::string &base64) {
        const auto picture = ui::decodePicture(base64);
        return picture ? u"<decoded>"_s : QString::fromStdString(picture.error().message);
    };
    QCOMPARE(sentenceOf("****"), u"The image cannot be shown: its base64 is damaged."_s);
    QCOMPARE(
        sentenceOf("aGVsbG8gd29ybGQ="), u"The image cannot be shown: it is not a PNG, JPEG, GIF, WebP or BMP file."_s);
    // A picture that refers to files of the machine.
    const QByteArray svg
        = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"><image href=\"/etc/passwd\"/></svg>";
    QCOMPARE(sentenceOf(svg.toBase64().toStdString()),
        u"The image cannot be shown: it is not a PNG, JPEG, GIF, WebP or BMP file."_s);
    const std::string whole = png(300, 300);
    QCOMPARE(sentenceOf(whole.substr(0, 80)), u"The image cannot be shown: its data is damaged or cut off."_s);
    // The head of a PNG that claims 60,000 × 60,000 pixels (its checksum is right).
    QByteArray bomb = QByteArray::fromBase64(QByteArray::fromStdString(png(1, 1)));
    const auto put = [&](qsizetype at, quint32 value) {
        for (int i = 0; i < 4; ++i)
            bomb[at + i] = static_cast<char>(value >> (24 - 8 * i));
    };
    put(16, 60'000);
    put(20, 60'000);
    quint32 crc = 0xFFFFFFFFU;
    for (qsizetype i = 12; i < 29; ++i) {
        crc ^= static_cast<unsigned char>(bomb[i]);
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
    }
    put(29, ~crc);
    QCOMPARE(sentenceOf(bomb.toBase64().toStdString()),
        u"The image is not shown: 60,000 × 60,000 pixels are too many to decode safely."_s);
}

void TestMessage::bodiesOfTheCorpusAreAllShown()
{
    const std::filesystem::path corpus = testing::corpus();
    if (corpus.empty())
        QSKIP("There is no corpus here.");
    std::map<FormKind, int> forms;
    size_t sessions = 0;
    for (const std::string &file :
        testing::corpusFiles({ "claude-code", "anthropic-api", "genkit", "codex", "openai-chat" })) {
        if (std::filesystem::file_size(corpus / file) > 3'000'000 || sessions >= 25)
            continue;
        const auto loaded = core::loadSession(corpus / file);
        if (!loaded)
            continue;
        ++sessions;
        const core::Session &session = **loaded;
        for (size_t i = 0; i < session.blocks.size(); ++i) {
            const BlockId id(i);
            const ui::BodyForm form = ui::bodyForm(session, id, Indent::AsItStands);
            ++forms[form.kind];
            const std::string exact = session.text(session.blocks[i].body);
            if (form.content && form.kind != FormKind::Fields)
                QVERIFY2(form.content->document->bytes() == exact, file.c_str());
            if (!form.content) // nothing that is text is withheld
                QVERIFY2(form.kind == FormKind::Image || form.kind == FormKind::Encrypted
                        || form.kind == FormKind::Binary || exact.empty(),
                    file.c_str());
            if (form.kind == FormKind::Fields)
                QVERIFY2(!form.content->labels.empty() || exact.size() < 4,
                    qPrintable(QString::fromStdString(file + exact)));
            const ui::BodyForm raw = ui::rawForm(session, id, Indent::AsItStands);
            if (raw.content)
                QCOMPARE(raw.content->document->bytes(), session.record(session.blocks[i]));
        }
    }
    QVERIFY(sessions > 5);
    for (const FormKind kind :
        { FormKind::Fields, FormKind::Numbered, FormKind::Markdown, FormKind::Plain, FormKind::Json })
        QVERIFY(forms[kind] > 3);
}

void TestMessage::theHeadSaysWhatItIs()
{
    const core::SessionPtr session = pair("Write", R"({"file_path":"src/a.py","content":"x = 1\n"})", "ok");
    Shown shown(session);
    shown.choose(blockOf(*session, core::BlockKind::ToolCall));
    QVERIFY2(shown.title().startsWith(u"[1] #1 model · tool_call Write src/a.py"_s), qPrintable(shown.title()));
    QVERIFY2(shown.title().endsWith(u"tokens"_s), qPrintable(shown.title()));
    QVERIFY2(shown.facts().contains(u"characters · "_s), qPrintable(shown.facts()));
    QVERIFY2(shown.facts().contains(u"bytes · line 2 · 2026-01-31 "_s), qPrintable(shown.facts()));
    shown.choose(BlockId(0U));
    QVERIFY2(shown.title().startsWith(u"[0] #0 user · "_s), qPrintable(shown.title()));
    QVERIFY2(shown.facts().endsWith(u"sent with 1 call"_s), qPrintable(shown.facts()));
    // Control characters of a session are marks in the head, too.
    const core::SessionPtr evil = pair("Read", R"({"file_path":"a\u202e\u001bb"})", "ok");
    Shown other(evil);
    other.choose(blockOf(*evil, core::BlockKind::ToolCall));
    QVERIFY(!other.title().contains(QChar(0x202E)));
    QVERIFY(!other.title().contains(QChar(0x1B)));
}

void TestMessage::theChosenUnitComesFirst()
{
    const core::SessionPtr session = load(record("user", text("naïve"), 0));
    Shown shown(session);
    shown.choose(BlockId(0U));
    shown.state.setUnit(core::WeightUnit::Characters);
    QVERIFY2(shown.title().endsWith(u"5 characters"_s), qPrintable(shown.title()));
    QVERIFY2(shown.facts().contains(u"6 bytes"_s), qPrintable(shown.facts()));
    shown.state.setUnit(core::WeightUnit::Bytes);
    QVERIFY2(shown.title().endsWith(u"6 bytes"_s), qPrintable(shown.title()));
    QVERIFY2(shown.facts().contains(u"5 characters"_s), qPrintable(shown.facts()));
    QVERIFY2(shown.facts().contains(u"tokens"_s), qPrintable(shown.facts()));
}

void TestMessage::hotBlocksSayWhy()
{
    Shown shown(core::session("u:81 c:59 t:78 u:14521* c:49 t:79 c:63 t:34 a:92 u:60 c:49 t:79 a:70 u:20 a:20"));
    QVERIFY(!shown.state.picture().hot->blocks.empty());
    const core::HotBlock &hot = shown.state.picture().hot->blocks.front();
    shown.choose(hot.block);
    QVERIFY2(shown.facts().startsWith(u"HOT · "_s + ui::displayText(hot.reason)), qPrintable(shown.facts()));
    shown.choose(BlockId(0U));
    QVERIFY(!shown.facts().contains(u"HOT"_s));
}

void TestMessage::tabsChooseTheBlock()
{
    const std::string content
        = R"([{"type":"thinking","thinking":"Hm.","signature":"x"},{"type":"text","text":"I read."},)"
          R"({"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"a.py"}}])";
    const core::SessionPtr session
        = load(record("user", text("Do it."), 0) + record("assistant", content, 1) + record("user", result("ok"), 2));
    Shown shown(session);
    auto *tabs = shown.part<ui::BlockTabs>(u"blockTabs"_s);
    shown.choose(BlockId(0U));
    QVERIFY(!tabs->isVisible());
    shown.choose(blockOf(*session, core::BlockKind::ToolCall));
    QVERIFY(tabs->isVisible());
    QCOMPARE(tabs->count(), 3);
    QCOMPARE(tabs->tabText(0), u"thinking"_s);
    QCOMPARE(tabs->tabText(1), u"text"_s);
    QCOMPARE(tabs->tabText(2), u"tool_call Read"_s);
    QCOMPARE(tabs->currentIndex(), 2);
    QTest::mouseClick(tabs, Qt::LeftButton, Qt::NoModifier, tabs->tabRect(0).center());
    QCOMPARE(shown.state.currentBlock(), blockOf(*session, core::BlockKind::Thinking));
    QCOMPARE(shown.shownText(), "Hm.");
    tabs->setFocus();
    QTest::keyClick(tabs, Qt::Key_Right);
    QCOMPARE(shown.shownText(), "I read.");
    QCOMPARE(shown.state.currentSlot(), core::SlotIndex(1U));
}

void TestMessage::blocksOutsideTheArrayAreShown()
{
    const core::SessionPtr session = pair("Bash", R"({"command":"ls"})", "the answer");
    Shown shown(session);
    core::Position first;
    first.call = core::CallIndex(0U);
    shown.state.setPosition(first); // its array holds only the task
    shown.choose(blockOf(*session, core::BlockKind::ToolResult));
    QCOMPARE(shown.shownText(), "the answer");
    QVERIFY2(shown.title().startsWith(u"#2 tool · result Bash"_s), qPrintable(shown.title()));
    QVERIFY(!shown.part<ui::BlockTabs>(u"blockTabs"_s)->isVisible());
}

void TestMessage::bodyAndRawSwitch()
{
    const core::SessionPtr session = pair("Bash", R"({"command":"ls"})", "the answer");
    Shown shown(session);
    shown.choose(blockOf(*session, core::BlockKind::ToolResult));
    auto *control = shown.part<ui::SegmentedControl>(u"bodyOrRaw"_s);
    control->setFocus();
    QTest::keyClick(control, Qt::Key_Right);
    QVERIFY(shown.panel.isRaw());
    QCOMPARE(shown.panel.form(), FormKind::Raw);
    QCOMPARE(shown.shownText(), session->record(session->block(shown.state.currentBlock())));
    shown.choose(BlockId(0U)); // raw stays chosen
    QCOMPARE(shown.panel.form(), FormKind::Raw);
    QTest::mouseClick(control, Qt::LeftButton, Qt::NoModifier, QPoint(10, 10));
    QVERIFY(!shown.panel.isRaw());
    QCOMPARE(shown.shownText(), "Do it.");
}

void TestMessage::theWholeOutputIsShownOnRequest()
{
    const QTemporaryDir folder;
    testing::ClaudeLog log;
    log.typed("go");
    log.call("Bash", { { "command", "make" } });
    log.result("Output too large (9KB). Full output saved to: /none/session/tool-results/b7.txt\n\nPreview:\nfirst");
    QVERIFY(QDir(folder.path()).mkpath(u"session/tool-results"_s));
    const QString whole = folder.filePath(u"session/tool-results/b7.txt"_s);
    for (const auto &[name, bytes] :
        { std::pair(folder.filePath(u"session.jsonl"_s), log.text()), std::pair(whole, std::string("first\nlast")) }) {
        QFile file(name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes.data(), static_cast<qint64>(bytes.size()));
    }
    const auto loaded = core::loadSession(folder.filePath(u"session.jsonl"_s).toStdString());
    QVERIFY(loaded);
    Shown shown(*loaded);
    auto *button = shown.part<QAbstractButton>(u"wholeOutput"_s);
    shown.choose(blockOf(**loaded, core::BlockKind::ToolCall));
    QVERIFY(!button->isVisible());
    const BlockId result = blockOf(**loaded, core::BlockKind::ToolResult);
    shown.choose(result);
    QVERIFY(button->isVisible() && button->isEnabled() && !button->isChecked());
    QVERIFY(shown.shownText().starts_with("Output too large"));
    button->click();
    QCOMPARE(shown.shownText(), "first\nlast");
    QSignalSpy saved(&shown.panel, &ui::MessagePanel::saved);
    const QString copy = folder.filePath(u"copy.txt"_s);
    shown.panel.saveTo(copy);
    QVERIFY(saved.wait());
    QFile written(copy);
    QVERIFY(written.open(QIODevice::ReadOnly));
    QCOMPARE(written.readAll(), QByteArray("first\nlast"));
    // The next block is shown as it was sent, and so is this one afterwards.
    shown.choose(BlockId(0U));
    QVERIFY(!button->isVisible());
    shown.choose(result);
    QVERIFY(!button->isChecked());
    QVERIFY(shown.shownText().starts_with("Output too large"));
    // A file that went away is said to be away.
    QVERIFY(QFile::remove(whole));
    button->click();
    QVERIFY(shown.panel.sentence().contains(u"cannot be read"_s));
}

void TestMessage::wrapAndPrettyAreToggles()
{
    const core::SessionPtr session = pair("Bash", R"({"command":"x"})",
        R"({"a":[1,2,3],"b":"words that are long enough to be wrapped somewhere, surely"})");
    Shown shown(session, { 420, 360 });
    auto *wrap = shown.part<QAbstractButton>(u"wrapToggle"_s);
    auto *pretty = shown.part<QAbstractButton>(u"prettyToggle"_s);
    shown.choose(blockOf(*session, core::BlockKind::ToolResult));
    QVERIFY(pretty->isVisible());
    QVERIFY(pretty->isChecked()); // a body is for reading
    const std::string exact = session->text(session->block(shown.state.currentBlock()).body);
    QCOMPARE(shown.shownText(), std::string_view(ui::prettyJson(exact)));
    pretty->click();
    QCOMPARE(shown.shownText(), std::string_view(exact));
    QVERIFY(wrap->isChecked());
    QVERIFY(shown.panel.surface()->layoutOfRows()->rowCount() > 1);
    wrap->click();
    QCOMPARE(shown.panel.surface()->layoutOfRows()->rowCount(), 1U);
    shown.panel.setRaw(true); // as it is in the file until asked
    QVERIFY(!pretty->isChecked());
    shown.panel.setRaw(false);
    // Code keeps its lines, and the choice is remembered apart from that of prose.
    const core::SessionPtr code = pair("Read", R"({"file_path":"a.go"})", kNumbered);
    shown.workspace.show(code);
    shown.choose(blockOf(*code, core::BlockKind::ToolResult));
    QVERIFY(!wrap->isChecked());
    QVERIFY(!pretty->isVisible());
    wrap->click();
    QVERIFY(shown.panel.surface()->isWrapping());
    shown.choose(BlockId(0U));
    QVERIFY(!shown.panel.surface()->isWrapping()); // prose was switched off above
}

void TestMessage::copyingGivesTheExactText()
{
    const std::string body = "one \x1b[31mred\x1b[0m\n\ttwo \xED\xA0\x80 end\n";
    const core::SessionPtr session = pair("Bash", R"({"command":"x"})", body);
    Shown shown(session);
    shown.choose(blockOf(*session, core::BlockKind::ToolResult));
    QCOMPARE(shown.panel.form(), FormKind::Terminal);
    shown.panel.setFocus(); // goes to the text
    QVERIFY(shown.panel.surface()->hasFocus());
    QTest::keyClick(shown.panel.surface(), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(shown.panel.surface(), Qt::Key_C, Qt::ControlModifier);
    const QByteArray exact(body.data(), static_cast<qsizetype>(body.size()));
    QCOMPARE(QApplication::clipboard()->mimeData()->data(u"text/plain;charset=utf-8"_s), exact);
    QCOMPARE(QApplication::clipboard()->text(), ui::toUtf16(body));
    QVERIFY(QApplication::clipboard()->text().contains(QChar(0xD800)));
    // All of a call is its arguments as they count, not the fields.
    shown.choose(blockOf(*session, core::BlockKind::ToolCall));
    shown.panel.copyAll();
    QCOMPARE(QApplication::clipboard()->text(), uR"({"command": "x"})"_s);
}

void TestMessage::savingWritesTheExactBytes()
{
    QTemporaryDir folder;
    const std::string body = std::string("a\0b\r\n", 5) + "\xED\xA0\x80 ü";
    const std::string picture = png(3, 2);
    const core::SessionPtr session = load(record("user", text(body), 0) + record("user", image(picture), 1));
    Shown shown(session);
    const auto saved = [&](const QString &name) {
        const QString path = folder.filePath(name);
        QSignalSpy spy(&shown.panel, &ui::MessagePanel::saved);
        shown.panel.saveTo(path);
        shown.panel.waitForContent();
        QFile file(path);
        return spy.count() == 1 && file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("<not saved>");
    };
    shown.choose(blockOf(*session, core::BlockKind::Text));
    QCOMPARE(saved(u"body.txt"_s), QByteArray(body.data(), static_cast<qsizetype>(body.size())));
    shown.panel.setRaw(true);
    const std::string_view raw = session->record(session->block(shown.state.currentBlock()));
    QCOMPARE(saved(u"record.json"_s), QByteArray(raw.data(), static_cast<qsizetype>(raw.size())));
    shown.panel.setRaw(false);
    shown.choose(blockOf(*session, core::BlockKind::Image));
    QCOMPARE(saved(u"picture.png"_s), QByteArray::fromBase64(QByteArray::fromStdString(picture)));
}

void TestMessage::theSessionFileIsNeverWritten()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"session.jsonl"_s);
    const std::string records = record("user", text("words"), 0);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(records.data(), static_cast<qint64>(records.size()));
    file.close();
    QVERIFY(QFile::link(path, folder.filePath(u"link.jsonl"_s)));
    Shown shown;
    QVERIFY(shown.workspace.openNow(path.toStdString()).has_value());
    shown.choose(BlockId(0U));
    for (const QString &target : { path, folder.filePath(u"link.jsonl"_s),
             folder.filePath(u"./../"_s) + folder.path().section(u'/', -1) + u"/session.jsonl"_s }) {
        shown.panel.saveTo(target);
        shown.panel.waitForContent();
        auto *notice = shown.part<QLabel>(u"messageNotice"_s);
        QVERIFY(notice->isVisible());
        QVERIFY2(notice->text().endsWith(u"This is a file of the session. Palimpsest never writes to it."_s),
            qPrintable(notice->text()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll().toStdString(), records);
        file.close();
    }
}

void TestMessage::whatCannotBeWrittenIsSaid()
{
    const core::SessionPtr session = load(record("user", text("words"), 0));
    Shown shown(session);
    shown.choose(BlockId(0U));
    shown.panel.saveTo(u"/nonexistent/folder/body.txt"_s);
    shown.panel.waitForContent();
    auto *notice = shown.part<QLabel>(u"messageNotice"_s);
    QVERIFY(notice->isVisible());
    QVERIFY(notice->text().startsWith(u"/nonexistent/folder/body.txt: The file could not be written"_s));
    shown.state.setUnit(core::WeightUnit::Bytes); // anything new puts it away
    QVERIFY(!notice->isVisible());
}

void TestMessage::matchesOfTheSessionAreMarked()
{
    const core::SessionPtr session = pair("Bash", R"({"command":"x"})", "a needle, a Needle and NEEDLES");
    Shown shown(session);
    shown.choose(blockOf(*session, core::BlockKind::ToolResult));
    auto *count = shown.part<QLabel>(u"matchCount"_s);
    QVERIFY(!count->isVisible());
    shown.state.search().setLine(u"needle"_s);
    QVERIFY(QTest::qWaitFor([&] { return shown.panel.surface()->matchCount() == 3; }));
    QVERIFY(count->isVisible());
    QCOMPARE(count->text(), u"1 of 3"_s);
    QTest::mouseClick(shown.part<QAbstractButton>(u"nextMatch"_s), Qt::LeftButton);
    QCOMPARE(count->text(), u"2 of 3"_s);
    QTest::mouseClick(shown.part<QAbstractButton>(u"previousMatch"_s), Qt::LeftButton);
    QCOMPARE(count->text(), u"1 of 3"_s);
    shown.state.search().setLine(u"\"needle,\" and -role:user"_s); // all texts of the line
    QVERIFY(QTest::qWaitFor([&] { return shown.panel.surface()->matchCount() == 2; }));
    shown.state.search().setLine(u"Needle and"_s); // one of three has both words beside each other: it is one match
    QVERIFY(QTest::qWaitFor([&] { return shown.panel.surface()->matchCount() == 3; }));
    shown.state.search().setLine(u"and -role:user"_s);
    QVERIFY(QTest::qWaitFor([&] { return shown.panel.surface()->matchCount() == 1; }));
    shown.state.search().setLine(u"needle"_s);
    QVERIFY(QTest::qWaitFor([&] { return shown.panel.surface()->matchCount() == 3; }));
    shown.choose(BlockId(0U));
    QCOMPARE(count->text(), u"no match"_s);
    QVERIFY(!shown.part<QAbstractButton>(u"nextMatch"_s)->isVisible());
    shown.state.search().setLine({});
    QVERIFY(!count->isVisible());

    shown.state.search().setLine(u"needle"_s);
    shown.choose(blockOf(*session, core::BlockKind::ToolResult)); // marks are there before the session is searched
    QVERIFY(count->isVisible());
    shown.state.search().setLine({});
    QVERIFY(!count->isVisible());
}

void TestMessage::aPictureIsFittedAndZoomed()
{
    const core::SessionPtr session = load(record("user", image(png(1600, 1200)), 0));
    Shown shown(session);
    shown.choose(BlockId(0U));
    QCOMPARE(shown.panel.form(), FormKind::Image);
    auto *view = shown.part<ui::ImageView>(u"messageImage"_s);
    QVERIFY(view->isVisible());
    const QRectF fitted = view->pictureRect();
    QVERIFY(QRectF(view->rect()).contains(fitted));
    QVERIFY(fitted.height() > view->height() * 0.7);
    QCOMPARE(view->accessibleName().section(u" · "_s, 0, 1), u"1,600 × 1,200 pixels · PNG"_s);
    QCOMPARE(view->grab().toImage().pixelColor(fitted.center().toPoint()), QColor(Qt::red));

    const QPointF at = fitted.center() + QPointF(20, -10);
    const QPointF pixel = (at - fitted.topLeft()) / view->zoom();
    QWheelEvent wheel(
        at, view->mapToGlobal(at), {}, { 0, 480 }, Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(view, &wheel);
    QVERIFY(view->pictureRect().width() > fitted.width() * 1.5);
    const QPointF now = (at - view->pictureRect().topLeft()) / view->zoom();
    QVERIFY((now - pixel).manhattanLength() < 6);
    QTest::keyClick(view, Qt::Key_0);
    QCOMPARE(view->pictureRect(), fitted);
    QWheelEvent plain(
        at, view->mapToGlobal(at), {}, { 0, 480 }, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(view, &plain);
    QCOMPARE(view->pictureRect(), fitted);
    // A small one is not blown up.
    const core::SessionPtr small = load(record("user", image(png(16, 16)), 0));
    shown.workspace.show(small);
    shown.choose(BlockId(0U));
    QCOMPARE(view->zoom(), 1.0);
}

void TestMessage::aBrokenPictureSaysSo()
{
    const core::SessionPtr session = load(record("user", image("aGVsbG8gd29ybGQ="), 0));
    Shown shown(session);
    shown.choose(BlockId(0U));
    QCOMPARE(shown.panel.sentence(), u"The image cannot be shown: it is not a PNG, JPEG, GIF, WebP or BMP file."_s);
    shown.panel.setRaw(true);
    QCOMPARE(shown.panel.sentence(), u""_s);
    QVERIFY(shown.shownText().find("aGVsbG8gd29ybGQ=") != std::string_view::npos);
}

void TestMessage::encryptedAndEmptyBlocksSaySo()
{
    const core::SessionPtr session = load(record("user", text("x"), 0)
        + record("assistant", R"([{"type":"redacted_thinking","data":"c2VjcmV0"}])", 1)
        + record("user",
            R"([{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"c2VjcmV0"}}])", 2)
        + record("user", text(""), 3));
    Shown shown(session);
    shown.choose(blockOf(*session, core::BlockKind::Thinking));
    QCOMPARE(shown.panel.sentence(),
        u"Only the provider can read this block: it is recorded encrypted, 8 bytes of base64."_s);
    shown.choose(blockOf(*session, core::BlockKind::Document));
    QCOMPARE(shown.panel.sentence(),
        u"A document of type application/pdf, 8 bytes of base64. It is not shown here; Save Body As writes it to a file."_s);
    shown.choose(BlockId(session->blocks.size() - 1));
    QCOMPARE(shown.panel.sentence(), u"This block is empty."_s);
    QVERIFY(!shown.part<QAbstractButton>(u"wrapToggle"_s)->isVisible());
}

void TestMessage::withoutASessionThereIsASentence()
{
    Shown shown;
    QCOMPARE(shown.panel.sentence(), u"Open a session to read its messages here."_s);
    QVERIFY(!shown.part<QWidget>(u"bodyOrRaw"_s)->isVisible());
    QCOMPARE(shown.title(), u""_s);
    shown.panel.copyAll();
    shown.panel.saveTo(u"/nonexistent"_s);
    shown.panel.setRaw(true);
    QVERIFY(!shown.panel.grab().isNull());
    shown.workspace.show(load(record("user", text("words"), 0)));
    shown.panel.setRaw(false);
    shown.choose(BlockId(0U));
    QCOMPARE(shown.shownText(), "words");
    shown.choose({});
    QCOMPARE(shown.panel.sentence(), u"Select a slot to read it here."_s);
}

void TestMessage::largeBodiesComeInAJob()
{
    std::string words;
    while (words.size() < 3'000'000)
        words += "Ein größerer Text, der in einem Stück steht. ";
    const core::SessionPtr session = load(record("user", text(words), 0) + record("user", text("small"), 1));
    Shown shown(session);
    shown.choose(blockOf(*session, core::BlockKind::Text, "small"));
    shown.state.setCurrentBlock(blockOf(*session, core::BlockKind::Text, "Ein"));
    QVERIFY(shown.shownText().empty()); // not the text of another block
    QCOMPARE(shown.panel.form(), FormKind::Empty);
    QVERIFY(shown.title().contains(u"Ein größerer Text"_s)); // but the head is there
    shown.panel.waitForContent();
    QCOMPARE(shown.shownText(), std::string_view(words));
    QCOMPARE(shown.panel.form(), FormKind::Markdown);
    (void)shown.panel.grab();
    QVERIFY(shown.panel.surface()->paintedCharacters() < 8000);
}

void TestMessage::theLatestChoiceWins()
{
    std::string records;
    for (size_t i = 0; i < 8; ++i)
        records += record("user", text(std::to_string(i) + std::string(1'500'000, 'x')), i);
    const core::SessionPtr session = load(records);
    Shown shown(session);
    for (size_t i = 0; i < 8; ++i)
        shown.state.setCurrentBlock(BlockId(i));
    for (size_t i = 0; i < 4; ++i)
        shown.state.setCurrentBlock(BlockId(i));
    shown.panel.waitForContent();
    QCOMPARE(shown.shownText().substr(0, 2), "3x");
    QThreadPool::globalInstance()->waitForDone(); // what was given up
    QCoreApplication::processEvents();
    QCOMPARE(shown.shownText().substr(0, 2), "3x");
}

void TestMessage::aGrowingSessionKeepsThePlace()
{
    std::string words;
    for (int i = 0; i < 300; ++i)
        words += "line " + std::to_string(i) + "\n";
    const core::SessionPtr session = load(record("user", text(words), 0));
    Shown shown(session);
    shown.choose(BlockId(0U));
    shown.panel.surface()->verticalScrollBar()->setValue(900);
    shown.panel.surface()->select(10, 20);
    Q_EMIT shown.workspace.sessionChanged(false); // the same bytes again, as while loading
    QCOMPARE(shown.panel.surface()->verticalScrollBar()->value(), 900);
    QCOMPARE(shown.panel.surface()->selection(), (ui::TextSpan { 10, 20 }));
}

void TestMessage::theThemeIsFollowed()
{
    const core::SessionPtr session = load(record("user", text("words"), 0));
    Shown shown(session);
    shown.choose(BlockId(0U));
    const auto corner = [&] {
        const QImage picture = shown.panel.grab().toImage();
        return picture.pixelColor(picture.width() - 30, picture.height() - 10);
    };
    QCOMPARE(corner(), ui::Theme::make(ui::Appearance::Light).base);
    shown.state.setTheme(ui::Theme::make(ui::Appearance::Dark));
    QCOMPARE(corner(), ui::Theme::make(ui::Appearance::Dark).base);
}

PALIMPSEST_TEST(TestMessage)
#include "tst_message.moc"
