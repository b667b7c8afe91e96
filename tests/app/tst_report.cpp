// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/text.h"
#include "core/base/visible.h"
#include "core/report/markup.h"
#include "core/report/redaction.h"
#include "core/report/session_report.h"
#include "core/session/heaviest_call.h"
#include "core/tokens/counted_tokens.h"
#include "tests/claude_log.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"

#include <QCoreApplication>
#include <QDir>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <nlohmann/json.hpp>

using namespace Qt::StringLiterals;

namespace {

using Json = nlohmann::ordered_json;

struct Run {
    int code = -1;
    QString out;
    QString err;
};

Run run(const QStringList &words)
{
    QProcess process;
    process.start(QCoreApplication::applicationDirPath() + u"/palimpsest"_s, words);
    if (!process.waitForFinished(240'000))
        return {};
    return { process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
        QString::fromUtf8(process.readAllStandardError()) };
}

QByteArray bytesOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString &path, const std::string &text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(text.data(), static_cast<qint64>(text.size())), static_cast<qint64>(text.size()));
}

/// The elements and anchors of a page.
struct ParsedPage {
    QString problem; ///< why it is no well-formed XML; empty if it is
    QSet<QString> elements;
    QStringList anchors;
    QStringList links;
    QStringList outside; ///< attributes that would fetch or run something
    QString text;
};

ParsedPage parsed(const QByteArray &html)
{
    ParsedPage page;
    QXmlStreamReader reader(html);
    while (!reader.atEnd()) {
        reader.readNext();
        if (reader.isCharacters())
            page.text += reader.text();
        if (!reader.isStartElement())
            continue;
        page.elements.insert(reader.name().toString());
        for (const QXmlStreamAttribute &attribute : reader.attributes()) {
            const QString name = attribute.name().toString();
            const QString value = attribute.value().toString();
            if (name == u"id")
                page.anchors << value;
            else if (name == u"href")
                page.links << value;
            if (name.startsWith(u"on") || name == u"src" || (name == u"href" && !value.startsWith(u'#')))
                page.outside << name + u'=' + value;
        }
    }
    if (reader.hasError())
        page.problem = reader.errorString() + u" at line "_s + QString::number(reader.lineNumber());
    return page;
}

/// The elements that reports are made of.
const QSet<QString> kElements { u"html"_s, u"head"_s, u"meta"_s, u"title"_s, u"style"_s, u"body"_s, u"h1"_s, u"h2"_s,
    u"h3"_s, u"p"_s, u"ul"_s, u"li"_s, u"a"_s, u"b"_s, u"strong"_s, u"span"_s, u"code"_s, u"div"_s, u"table"_s,
    u"thead"_s, u"tbody"_s, u"tr"_s, u"th"_s, u"td"_s, u"details"_s, u"summary"_s, u"pre"_s, u"figure"_s, u"svg"_s,
    u"line"_s, u"text"_s, u"rect"_s, u"path"_s, u"circle"_s };

QString problemOf(const ParsedPage &page)
{
    if (!page.problem.isEmpty())
        return page.problem;
    if (const QSet<QString> others = page.elements - kElements; !others.isEmpty())
        return u"element "_s + *others.begin();
    if (!page.outside.isEmpty())
        return page.outside.front();
    const QSet<QString> anchors(page.anchors.begin(), page.anchors.end());
    if (anchors.size() != page.anchors.size())
        return u"an anchor stands twice"_s;
    for (const QString &link : page.links) {
        if (!anchors.contains(link.sliced(1)))
            return u"no anchor "_s + link;
    }
    for (const QChar c : page.text) {
        if (c != u'\n' && c != u'\t' && !c.isSurrogate() && !core::visibleMark(c.unicode()).empty())
            return u"character "_s + QString::number(c.unicode(), 16);
    }
    return {};
}

constexpr std::string_view kHostile = "<script>alert(1)</script> \"onmouseover=x' ]]> <!-- &amp; <img src=x onerror=y> "
                                      "\u202Eabc\u202C \u200B [x](javascript:alert(1)) `code` | https://example.org "
                                      "www.example.org ${a}$ ~~x~~ <http://a.b> \x1b[31mred\x1b[0m";

/// A session with every part that a report has, and these words wherever words can stand.
std::string sessionWith(const std::string &words)
{
    testing::ClaudeLog log;
    log.setUsage(0, 900, 100);
    log.typed("Please fix this: " + words);
    log.call("Read", { { "file_path", "/work/" + words + ".txt" } });
    log.result("1\t" + words + "\n2\tsecond line\n");
    log.setUsage(900, 400, 100);
    log.call("Write", { { "file_path", "/work/new.txt" }, { "content", words + "\nold line\n" } });
    log.result("File created successfully");
    log.call("Edit", { { "file_path", "/work/new.txt" }, { "old_string", "old line" }, { "new_string", words } });
    log.result("The file /work/new.txt has been updated.");
    log.answered("Done: " + words);
    log.typed("Thanks. " + words);
    log.answered("You are welcome.");
    return log.text();
}

constexpr std::string_view kKey = "sk-live-Zq83hfKd02Lmw91PxvB7yTn4";

} // namespace

/// What `palimpsest report` writes.
class TestReport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hostileTextIsNeverMarkup();
    void hostileTextIsNeverMarkdown();
    void secretsAreMasked_data();
    void secretsAreMasked();
    void aValueIsMaskedWhereverItStands();
    void secretsBehindEscapesAreMasked();
    void nothingIsWrittenWhileARuleMatches();
    void theReviewWritesNothingAndListsThePlaces();
    void figuresAreThoseOfTheCommands();
    void withoutTextsNoTextIsLeft();
    void longDiffsAreCutWithASentence();
    void aFolderHasItsSessionsAndTheirSum();
    void equalInputGivesEqualBytes();
    void wrongWordsAreRefused();
    void corpus_data();
    void corpus();

private:
    QString pathOf(const QString &name) { return m_folder.filePath(name); }
    /// Writes a session, and a report of it; returns the report.
    QByteArray reported(const std::string &session, const QString &ending, const QStringList &options = {})
    {
        const QString file = pathOf(u"session-%1.jsonl"_s.arg(++m_count));
        write(file, session);
        const QString out = pathOf(u"report-%1.%2"_s.arg(m_count).arg(ending));
        const Run made = run(QStringList { u"report"_s, file, u"-o"_s, out } + options);
        if (made.code != 0)
            qWarning().noquote() << made.err;
        return bytesOf(out);
    }

    QTemporaryDir m_folder;
    int m_count = 0;
};

void TestReport::hostileTextIsNeverMarkup()
{
    const QByteArray html = reported(sessionWith(std::string(kHostile)), u"html"_s);
    QVERIFY(html.contains(
        "Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:"));
    const ParsedPage page = parsed(html);
    QCOMPARE(problemOf(page), QString());
    QVERIFY(page.text.contains(u"<script>alert(1)</script>"));
    QVERIFY(page.text.contains(u"⟨RLO⟩"));
    QVERIFY(page.text.contains(u"␛[31m"));
    QVERIFY(!html.contains("<script"));
    QVERIFY(!html.contains("<img"));
    // NUL and what is no character of XML.
    QCOMPARE(core::escapedMarkup(std::string_view("a\0b", 3)), "a␀b");
    QCOMPARE(core::escapedMarkup("\uFFFE"), "\uFFFD");
    const QByteArray svg = reported(sessionWith(std::string(kHostile)), u"svg"_s);
    QVERIFY(!svg.isEmpty());
    QCOMPARE(problemOf(parsed(svg)), QString());
    QVERIFY(!svg.contains("alert"));
}

void TestReport::hostileTextIsNeverMarkdown()
{
    QCOMPARE(core::escapedMarkdown("[x](javascript:alert(1))"), "\\[x\\](javascript\\:alert(1))");
    QCOMPARE(core::escapedMarkdown("https://a.b www.a.b"), "https\\://a.b www\\.a.b");
    QCOMPARE(core::escapedMarkdown("<b>&amp;|`*_"), "\\<b\\>\\&amp;\\|\\`\\*\\_");
    QCOMPARE(core::escapedMarkdown("- a"), "\\- a");
    QCOMPARE(core::escapedMarkdown("12. a"), "12\\. a");
    QCOMPARE(core::escapedMarkdown("# a"), "\\# a");
    const QByteArray text = reported(sessionWith(std::string(kHostile) + " ```` x"), u"md"_s);
    QVERIFY(!text.isEmpty());
    bool isCode = false;
    for (const QByteArray &line : text.split('\n')) {
        if (line.startsWith("```"))
            isCode = !isCode;
        if (isCode)
            continue;
        static const QRegularExpression tag(u"(?<!\\\\)<(?!a id=\"[a-z0-9-]+\">|/a>)"_s);
        QVERIFY2(!tag.match(QString::fromUtf8(line)).hasMatch(), line.constData());
        static const QRegularExpression link(u"(?<!\\\\)\\]\\((?!#)"_s);
        QVERIFY2(!link.match(QString::fromUtf8(line)).hasMatch(), line.constData());
        QVERIFY2(!line.contains("https://"), line.constData());
    }
    QVERIFY(!isCode);
}

void TestReport::secretsAreMasked_data()
{
    QTest::addColumn<QString>("ending");
    for (const char *ending : { "html", "md", "json" })
        QTest::newRow(ending) << QString::fromLatin1(ending);
}

void TestReport::secretsAreMasked()
{
    QFETCH(const QString, ending);
    const std::string words = "key " + std::string(kKey) + " and password=hunter2!x and ghp_"
        + std::string("0123456789abcdefghij0123456789ABCDEF");
    const QByteArray text = reported(sessionWith(words), ending, { u"--redact"_s, u"Ada Example"_s });
    QVERIFY(!text.isEmpty());
    QVERIFY(!text.contains(QByteArray(kKey.data(), kKey.size())));
    QVERIFY(!text.contains("hunter2"));
    QVERIFY(!text.contains("ghp_0123"));
    QVERIFY(text.contains("masked: API key"));
    const QByteArray own = reported(sessionWith("by Ada Example"), ending, { u"--redact"_s, u"Ada Example"_s });
    QVERIFY(!own.isEmpty());
    QVERIFY(!own.contains("Ada Example"));
    QVERIFY(own.contains("masked: yours"));
    QVERIFY(reported(sessionWith("by Ada Example"), ending).contains("Ada Example"));
}

void TestReport::aValueIsMaskedWhereverItStands()
{
    core::Redaction redaction;
    redaction.learn("password: correct-horse-9 and token=short7");
    QCOMPARE(redaction.masked("echo correct-horse-9 | login"), "echo [masked: password] | login");
    // A label that is cut inside the value.
    QCOMPARE(redaction.masked("echo correct-ho…"), "echo [masked: password]…");
    QCOMPARE(redaction.masked("echo correct-ho"), "echo [masked: password]");
    QCOMPARE(redaction.masked("a correct-house"), "a correct-house");
    // Each line of a key.
    redaction.learn("-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\n-----END PRIVATE KEY-----");
    QCOMPARE(redaction.masked("+MIIEvQIBADANBgkqhkiG9w0BAQ"), "+[masked: private key]");
}

void TestReport::secretsBehindEscapesAreMasked()
{
    const core::Redaction redaction;
    const std::string key(kKey);
    const std::string coloured = key.substr(0, 9) + "\x1b[31m" + key.substr(9);
    QCOMPARE(redaction.masked(coloured), "[masked: API key]");
    const std::string marked = key.substr(0, 9) + "⟨U+200B⟩" + key.substr(9);
    QCOMPARE(redaction.masked(marked), "[masked: API key]");
}

void TestReport::nothingIsWrittenWhileARuleMatches()
{
    core::Redaction redaction({ "Ada" });
    const std::string key(kKey);
    QVERIFY(!redaction.leakIn("<p id=\"a\">[masked: API key]</p>"));
    const auto whole = redaction.leakIn("<p id=\"place-1\">x</p>\n<p>" + key + "</p>");
    QVERIFY(whole);
    QVERIFY2(whole->contains("API key") && whole->contains("line 2") && whole->contains("#place-1"), whole->c_str());
    // Split by markup, by entities, by escapes of JSON and of Markdown, by characters that nobody sees.
    for (const std::string &split : { key.substr(0, 9) + "<span class=\"x\">" + key.substr(9) + "</span>",
             key.substr(0, 9) + "&#" + std::to_string(static_cast<int>(key[9])) + ";" + key.substr(10),
             std::string("&quot;password&quot;: &quot;hunter2!x&quot;"), key.substr(0, 9) + "\\u005a" + key.substr(10),
             key.substr(0, 2) + "\\" + key.substr(2), key.substr(0, 9) + "\u200B" + key.substr(9),
             key.substr(0, 9) + "␀" + key.substr(9), std::string("<b>A</b>da") })
        QVERIFY2(redaction.leakIn(split), split.c_str());
    // The own strings of the user count as text, not as markup.
    QVERIFY(!redaction.leakIn("<p id=\"Ada\">x</p>"));
    // Two cells are two texts.
    QVERIFY(!redaction.leakIn("<td>password:</td><td>hunter2!x</td>"));
    // And the program: these words stand in two pieces of a line, which are masked each by itself.
    const QString file = pathOf(u"leak.jsonl"_s);
    write(file, sessionWith("words"));
    const Run leaking
        = run({ u"report"_s, file, u"-o"_s, pathOf(u"leak2.html"_s), u"--redact"_s, u"Opens with palimpsest"_s });
    QCOMPARE(leaking.code, 1);
    QVERIFY2(leaking.err.contains(u"still finds a secret"), qPrintable(leaking.err));
    QVERIFY(!QFile::exists(pathOf(u"leak2.html"_s)));
}

void TestReport::theReviewWritesNothingAndListsThePlaces()
{
    const QString file = pathOf(u"review.jsonl"_s);
    write(file, sessionWith("mail ada@example.org in /home/ada, key " + std::string(kKey)));
    const QString out = pathOf(u"review.html"_s);
    const Run made = run({ u"report"_s, file, u"-o"_s, out, u"--review"_s });
    QCOMPARE(made.code, 3);
    QVERIFY(!QFile::exists(out));
    QVERIFY(!made.out.contains(QString::fromLatin1(kKey.data(), kKey.size())));
    static const QRegularExpression masked(u"masked +#0 +API key .*\\[masked: API key\\]"_s);
    QVERIFY2(masked.match(made.out).hasMatch(), qPrintable(made.out));
    QVERIFY2(made.out.contains(u"e-mail address"), qPrintable(made.out));
    QVERIFY2(made.out.contains(u"home folder"), qPrintable(made.out));
    static const QRegularExpression edit(u"masked +edit 1 \\(#\\d+\\) +API key"_s);
    QVERIFY2(edit.match(made.out).hasMatch(), qPrintable(made.out));
    // A typed message that a compaction lost is named by its number, too.
    testing::ClaudeLog log;
    log.typed("Use the key " + std::string(kKey) + " for the upload");
    log.answered("I see.");
    log.compact("The summary");
    log.answered("Done.");
    write(pathOf(u"lost.jsonl"_s), log.text());
    const Run lost = run({ u"report"_s, pathOf(u"lost.jsonl"_s), u"--call"_s, u"1"_s, u"--review"_s });
    static const QRegularExpression typed(u"masked +#0 +API key +Use the key \\[masked: API key\\] for the upload"_s);
    QVERIFY2(typed.match(lost.out).hasMatch(), qPrintable(lost.out));
    write(pathOf(u"plain.jsonl"_s), sessionWith("nothing"));
    const Run plain = run({ u"report"_s, pathOf(u"plain.jsonl"_s), u"--review"_s });
    QCOMPARE(plain.code, 0);
}

void TestReport::figuresAreThoseOfTheCommands()
{
    const QString file = QString::fromUtf8(PALIMPSEST_SOURCE_DIR) + u"/resources/manual/session.jsonl"_s;
    const auto jsonOf = [&](const QStringList &words) { return Json::parse(run(words).out.toStdString()); };
    const QString out = pathOf(u"figures.json"_s);
    QCOMPARE(run({ u"report"_s, file, u"-o"_s, out }).code, 0);
    const Json report = Json::parse(bytesOf(out).toStdString());
    QCOMPARE(report["schema"].get<std::string>(), "palimpsest.report/1");
    const Json show = jsonOf(
        { u"show"_s, file, u"--call"_s, QString::number(report["array"]["call"]["index"].get<int>()), u"--json"_s });
    QCOMPARE(report["array"]["sum"], show["sum"]);
    QCOMPARE(report["array"]["slots"].size(), show["slots"].size());
    const Json findings = jsonOf({ u"findings"_s, file, u"--json"_s });
    QCOMPARE(report["findings"]["sessions"][0]["findings"], findings["sessions"][0]["findings"]);
    QCOMPARE(report["losses"], jsonOf({ u"observe"_s, file, u"--json"_s }));
    const Json edits = jsonOf({ u"edits"_s, file, u"--json"_s });
    QCOMPARE(report["edits"]["edits"].size(), edits["edits"].size());

    const QString html = pathOf(u"figures.html"_s);
    QCOMPARE(run({ u"report"_s, file, u"-o"_s, html }).code, 0);
    const ParsedPage page = parsed(bytesOf(html));
    QCOMPARE(problemOf(page), QString());
    const auto grouped
        = [](const Json &number) { return QString::fromStdString(core::groupedNumber(number.get<uint64_t>())); };
    // One figure of each section.
    uint64_t peak = 0;
    for (const Json &sum : show["sums"])
        peak = std::max(peak, static_cast<uint64_t>(sum["recorded"].get<double>()));
    QVERIFY(page.text.contains(u"Largest prompt"_s + grouped(peak) + u" tokens"_s));
    QVERIFY(
        page.text.contains(QString::fromStdString(findings["sessions"][0]["findings"][0]["what"].get<std::string>())));
    QVERIFY(page.text.contains(u"All "_s + grouped(show["calls"]) + u" calls"_s));
    QVERIFY(page.text.contains(u"The array at call "_s + grouped(show["call"]["index"])));
    QVERIFY(page.text.contains(
        QString::number(show["slots"].size()) + u" messages (slots), "_s + grouped(show["sum"]["total"]["value"])));
    const Json &loss = report["losses"]["compactions"][0];
    QVERIFY(page.text.contains(grouped(loss["prompt_before"]) + u" → "_s + grouped(loss["prompt_after"])));
    QVERIFY(page.text.contains(QString::number(loss["typed"].size()) + u" before the compaction"_s));
    for (size_t i = 0; i < edits["edits"].size(); ++i) {
        QVERIFY(page.anchors.contains(u"edit-%1"_s.arg(i)));
        QVERIFY(page.text.contains(
            u"+%1 −%2"_s.arg(edits["edits"][i]["added"].get<int>()).arg(edits["edits"][i]["removed"].get<int>())));
    }
    QVERIFY(page.anchors.contains(u"call-0"_s));
    QVERIFY(page.anchors.contains(u"compaction-1"_s));
    QVERIFY(page.text.contains(u"palimpsest session.jsonl --call "_s));
}

void TestReport::withoutTextsNoTextIsLeft()
{
    const std::string words = "Zanzibar";
    for (const QString &ending : { u"html"_s, u"md"_s, u"json"_s }) {
        const QByteArray text = reported(sessionWith(words), ending, { u"--without-texts"_s });
        QVERIFY(!text.isEmpty());
        QVERIFY2(!text.contains("Zanzibar"), qPrintable(ending));
        QVERIFY2(!text.contains("new.txt"), qPrintable(ending));
        QVERIFY(reported(sessionWith(words), ending).contains("Zanzibar"));
    }
    QVERIFY(QDir(m_folder.path()).mkpath(u"secretive"_s));
    write(pathOf(u"secretive/Zanzibar.jsonl"_s), sessionWith(words));
    for (const QString &ending : { u"html"_s, u"json"_s }) {
        const QString out = pathOf(u"folder-without."_s + ending);
        QCOMPARE(run({ u"report"_s, pathOf(u"secretive"_s), u"-o"_s, out, u"--without-texts"_s }).code, 0);
        QVERIFY(bytesOf(out).size() > 200);
        QVERIFY2(!bytesOf(out).contains("Zanzibar"), qPrintable(ending));
        QVERIFY2(!bytesOf(out).contains("secretive"), qPrintable(ending));
    }
}

void TestReport::longDiffsAreCutWithASentence()
{
    testing::ClaudeLog log;
    log.typed("Write it");
    std::string content;
    for (int i = 0; i < 9000; ++i)
        content += "line " + std::to_string(i) + "\n";
    log.call("Write", { { "file_path", "/work/long.txt" }, { "content", content } });
    log.result("File created successfully");
    log.answered("Done.");
    const QByteArray html = reported(log.text(), u"html"_s);
    const ParsedPage page = parsed(html);
    QCOMPARE(problemOf(page), QString());
    QVERIFY(html.size() < 200'000);
    static const QRegularExpression cut(u"The diff is cut here: ([\\d,]+) bytes are left out"_s);
    const auto match = cut.match(page.text);
    QVERIFY(match.hasMatch());
    QVERIFY(match.captured(1).remove(u',').toInt() > 30'000);
}

void TestReport::aFolderHasItsSessionsAndTheirSum()
{
    QVERIFY(QDir(m_folder.path()).mkpath(u"folder/inner"_s));
    write(pathOf(u"folder/one.jsonl"_s), sessionWith("first"));
    write(pathOf(u"folder/inner/two.jsonl"_s), sessionWith("second " + std::string(kKey)));
    write(pathOf(u"folder/notes.txt"_s), "no session");
    const QString out = pathOf(u"folder.json"_s);
    QCOMPARE(run({ u"report"_s, pathOf(u"folder"_s), u"-o"_s, out }).code, 0);
    const Json report = Json::parse(bytesOf(out).toStdString());
    QCOMPARE(report["schema"].get<std::string>(), "palimpsest.report/1");
    QCOMPARE(report["sessions"].size(), size_t(2));
    QCOMPARE(report["total"]["sessions"].get<int>(), 2);
    const Json list
        = Json::parse(run({ u"list"_s, pathOf(u"folder"_s), u"--findings"_s, u"--json"_s }).out.toStdString());
    uint64_t calls = 0;
    for (const Json &session : list["sessions"])
        calls += session["calls"].get<uint64_t>();
    QCOMPARE(report["total"]["calls"].get<uint64_t>(), calls);
    for (const Json &session : report["sessions"]) {
        const std::string name = session["file"].get<std::string>();
        for (const Json &other : list["sessions"]) {
            if (!other["file"].get<std::string>().ends_with("/" + name))
                continue;
            for (const char *member : { "calls", "peak", "cost", "findings", "model" })
                QCOMPARE(session[member], other[member]);
        }
    }
    const QString html = pathOf(u"folder.html"_s);
    QCOMPARE(run({ u"report"_s, pathOf(u"folder"_s), u"-o"_s, html }).code, 0);
    const QByteArray text = bytesOf(html);
    const ParsedPage page = parsed(text);
    QCOMPARE(problemOf(page), QString());
    QVERIFY(page.text.contains(u"total: 2 sessions"));
    QVERIFY(!text.contains(QByteArray(kKey.data(), kKey.size())));
}

void TestReport::equalInputGivesEqualBytes()
{
    const QString file = QString::fromUtf8(PALIMPSEST_SOURCE_DIR) + u"/resources/manual/session.jsonl"_s;
    for (const QString &ending : { u"html"_s, u"md"_s, u"json"_s, u"svg"_s }) {
        QCOMPARE(run({ u"report"_s, file, u"-o"_s, pathOf(u"a."_s + ending) }).code, 0);
        QCOMPARE(run({ u"report"_s, file, u"-o"_s, pathOf(u"b."_s + ending) }).code, 0);
        QVERIFY(bytesOf(pathOf(u"a."_s + ending)).size() > 1000);
        QCOMPARE(bytesOf(pathOf(u"a."_s + ending)), bytesOf(pathOf(u"b."_s + ending)));
    }
}

void TestReport::wrongWordsAreRefused()
{
    const QString file = QString::fromUtf8(PALIMPSEST_SOURCE_DIR) + u"/resources/manual/session.jsonl"_s;
    QCOMPARE(run({ u"report"_s, file }).code, 2);
    QCOMPARE(run({ u"report"_s, file, u"-o"_s, pathOf(u"x.png"_s) }).code, 2);
    QCOMPARE(run({ u"report"_s, file, u"-o"_s, pathOf(u"x.html"_s), u"--call"_s, u"9999"_s }).code, 2);
    QVERIFY(!QFile::exists(pathOf(u"x.html"_s)));
    // An existing file stays.
    write(pathOf(u"there.html"_s), "mine");
    QCOMPARE(run({ u"report"_s, file, u"-o"_s, pathOf(u"there.html"_s) }).code, 1);
    QCOMPARE(bytesOf(pathOf(u"there.html"_s)), QByteArray("mine"));
}

void TestReport::corpus_data() { testing::addCorpusRows(20); }

/// The page of any session is well-formed, whole and within its bounds.
void TestReport::corpus()
{
    QFETCH(const QString, file);
    if (file.isEmpty())
        QSKIP("There is no corpus.");
    const QString path = QString::fromStdString((testing::corpus() / file.toStdString()).string());
    const QString out = pathOf(u"corpus-%1.html"_s.arg(++m_count));
    const Run made = run({ u"report"_s, path, u"-o"_s, out });
    if (made.code != 0)
        QSKIP(qPrintable(made.err)); // no session, or a rule still matches
    const QByteArray html = bytesOf(out);
    QCOMPARE(problemOf(parsed(html)), QString());
    QVERIFY(html.size() < 5'000'000);
}

PALIMPSEST_TEST(TestReport)
#include "tst_report.moc"
