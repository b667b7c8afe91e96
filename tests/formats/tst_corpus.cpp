// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/format.h"
#include "core/formats/reading/json_records.h"
#include "core/report/show.h"
#include "tests/test_program.h"

#include <QCoreApplication>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>

#include <set>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

/// One line of what tests/independent/count_slots.py prints: a session, its file, and its counts by column.
struct Row {
    QString file; ///< below the corpus
    int run = -1; ///< place among the sessions of a file that holds several
    QString format;
    QMap<QString, int> counts;
};

const QStringList kColumns { u"slots_end"_s, u"slots_life"_s, u"calls"_s, u"compactions"_s, u"threads"_s,
    u"damaged"_s };

/// Where our figure differs from the script's on purpose.
struct Exception {
    const char *file;
    const char *column;
    int ours;
    const char *why;
};
constexpr std::array<Exception, 6> kExceptions { {
    { "anthropic-api/liaohch3+claude-tap/trace_compact_claude.all-request-bodies.jsonl", "slots_life", 16,
        "Lines 8, 11 and 14, the compacting requests, append a text to the last user message of the request before. "
        "The "
        "script compares whole messages and counts three new ones; here the unit of identity is the block, and the "
        "message "
        "has grown by one." },
    { "codex/jazzyalex+agent-sessions/small.jsonl", "calls", 8,
        "A fixture with one redacted record of each kind. Line 87 reports usage of nothing, which is no call; seven "
        "responses without a report are derived ones." },
    { "codex/jazzyalex+agent-sessions/small.jsonl", "slots_life", 109,
        "Lines 47 to 89: texts were redacted to the same words throughout, ids are no part of a content, so items of "
        "the "
        "replacement histories equal earlier ones more often than they were; the script compares ids too." },
    { "malformed-derived/langchain-ai+open-swe/langchain-state.truncated.json", "damaged", 2,
        "One damage, two lines: the document ends in the middle of a message that begins on another line." },
    { "openai-responses/liaohch3+claude-tap/trace_compact_codex.all-request-bodies.jsonl", "slots_life", 17,
        "Each of the three requests to compact ends with a compaction_trigger item; they are equal, and the script "
        "counts "
        "one. Each was sent at its own time, behind another array: three slots." },
    { "openai-responses/liaohch3+claude-tap/trace_image_codex.largest-request-body.json", "calls", 4,
        "The note that Codex puts before a generated image does not end the response; the script counts a run of model "
        "items on either side of it." },
} };

/// The ids of our formats for the script's.
const QMap<QString, QString> kFormatIds { { u"anthropic-recording"_s, u"anthropic-messages"_s },
    { u"anthropic-request"_s, u"anthropic-messages"_s }, { u"responses-recording"_s, u"openai-responses"_s } };

QString sourceFolder() { return QString::fromUtf8(PALIMPSEST_SOURCE_DIR); }

QString corpusFolder()
{
    const QString chosen = qEnvironmentVariable("PALIMPSEST_CORPUS");
    return QDir::cleanPath(chosen.isEmpty() ? sourceFolder() + u"/../shared/corpus"_s : chosen);
}

QString pathOf(const QString &file) { return corpusFolder() + u'/' + file; }

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QList<QMap<QString, QString>> tableOf(const QByteArray &text)
{
    QList<QMap<QString, QString>> table;
    QStringList head;
    for (const QByteArray &line : text.split('\n')) {
        const QStringList cells = QString::fromUtf8(line).split(u'\t');
        if (head.isEmpty()) {
            head = cells;
            continue;
        }
        if (cells.size() != head.size())
            continue;
        QMap<QString, QString> row;
        for (qsizetype i = 0; i < head.size(); ++i)
            row.insert(head.at(i), cells.at(i));
        table << row;
    }
    return table;
}

QList<Row> rowsOf(const QByteArray &text)
{
    QList<Row> rows;
    for (const auto &cells : tableOf(text)) {
        Row row;
        row.file = cells.value(u"file"_s).section(u'#', 0, 0);
        const QString run = cells.value(u"file"_s).section(u'#', 1);
        row.run = run.isEmpty() ? -1 : run.toInt();
        row.format = cells.value(u"format"_s);
        for (const QString &column : kColumns)
            row.counts.insert(column, cells.value(column).toInt());
        rows << row;
    }
    return rows;
}

QList<Row> pinnedRows() { return rowsOf(contentOf(sourceFolder() + u"/tests/independent/expected.tsv"_s)); }

bool isRegistered(const QString &format)
{
    const std::string id = kFormatIds.value(format, format).toStdString();
    return std::ranges::any_of(formats(), [&](const Format *each) { return each->id == id; });
}

struct Run {
    int exitCode = -1;
    QByteArray output;
    QByteArray error;
};

Run runProgram(const QStringList &arguments)
{
    QProcess process;
    process.start(QCoreApplication::applicationDirPath() + u"/palimpsest"_s, arguments);
    Run run;
    if (!process.waitForFinished(120'000)) {
        process.kill();
        process.waitForFinished();
        return run;
    }
    run.exitCode = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2;
    run.output = process.readAllStandardOutput();
    run.error = process.readAllStandardError();
    return run;
}

/// The lines from which something could not be had.
QSet<int> damagedLines(const QJsonObject &document)
{
    QSet<int> lines;
    for (const QJsonValue &each : document.value(u"diagnostics"_s).toArray()) {
        if (each[u"severity"_s] == u"warning"_s)
            lines << each[u"line"_s].toInt();
    }
    return lines;
}

/// The script's columns, from our document.
QMap<QString, int> countsOf(const QJsonObject &document)
{
    int threads = 0;
    for (const QJsonValue &each : document.value(u"threads"_s).toArray())
        threads += each[u"kind"_s] == u"subagent"_s ? 1 : 0;
    int compactions = 0; // the script does not count cleared results as a compaction
    for (const QJsonValue &each : document.value(u"compactions"_s).toArray())
        compactions += each[u"kind"_s] == u"clearing"_s ? 0 : 1;
    return { { u"slots_end"_s, static_cast<int>(document.value(u"slots"_s).toArray().size()) },
        { u"slots_life"_s, document.value(u"life"_s)[u"slots"_s].toInt() },
        { u"calls"_s, document.value(u"calls"_s).toInt() }, { u"compactions"_s, compactions },
        { u"threads"_s, threads }, { u"damaged"_s, static_cast<int>(damagedLines(document).size()) } };
}

QMap<QString, int> expectedOf(const Row &row)
{
    QMap<QString, int> expected = row.counts;
    for (const Exception &each : kExceptions) {
        if (row.file == QLatin1StringView(each.file))
            expected.insert(QString::fromUtf8(each.column), each.ours);
    }
    return expected;
}

/// One sentence on one line that names the file.
bool isSentence(const QByteArray &error, const QString &path)
{
    const QString line = QString::fromUtf8(error);
    return line.startsWith(u"palimpsest: %1: "_s.arg(path)) && line.endsWith(u".\n"_s) && line.count(u'\n') == 1;
}

QStringList filesBelow(const QString &folder)
{
    QStringList files;
    QDirIterator it(folder, QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext())
        files << it.next();
    files.sort();
    return files;
}

QStringList claudeFiles()
{
    QStringList files;
    for (const QString &file : filesBelow(pathOf(u"claude-code"_s)))
        files << QDir(corpusFolder()).relativeFilePath(file);
    return files;
}

QStringList responsesOf(const Session &session)
{
    QStringList ids;
    for (const Message &message : session.messages) {
        if (message.role == Role::Assistant && message.thread == ThreadIndex(0U))
            ids << QString::fromUtf8(session.string(message.externalId));
    }
    return ids;
}

/// As Python's json.dumps writes it: `, ` and `: `, and everything beyond ASCII as `\uXXXX`.
uint64_t asciiJsonSize(std::string_view raw)
{
    const std::string text = canonicalJson(raw);
    uint64_t size = 0;
    for (const char c : text)
        size += static_cast<unsigned char>(c) < 0x80 ? 1 : 0;
    const TextLengths lengths = textLengths(text);
    return size + 6 * (lengths.utf16Units - size);
}

} // namespace

/// The recorded sessions of the corpus, held against an independent count.
class CorpusTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theScriptCountsWhatIsPinned();
    void everyFileAgreesWithTheScript_data();
    void everyFileAgreesWithTheScript();
    void everyRunOfAFileAgreesWithTheScript();
    void everyExceptionIsNeeded();
    void everyOtherFileIsASentence();
    void malformedFilesNameTheirLines_data();
    void malformedFilesNameTheirLines();
    void weightsAddUp_data();
    void weightsAddUp();
    void resumedSessionsShareTheirResponses();
    void recordsAgainstSlots();
    void compactionsOfALongSession();
};

void CorpusTest::theScriptCountsWhatIsPinned()
{
    if (!QDir(corpusFolder()).exists())
        QSKIP("There is no corpus here; PALIMPSEST_CORPUS names another place.");
    const QString python = QStandardPaths::findExecutable(u"python3"_s);
    if (python.isEmpty())
        QSKIP("There is no python3 here; the pinned counts stand for the script.");
    QProcess script;
    script.start(python, { sourceFolder() + u"/tests/independent/count_slots.py"_s, u"--corpus"_s, corpusFolder() });
    QVERIFY(script.waitForFinished(280'000));
    QCOMPARE(script.exitCode(), 0);
    const QList<Row> live = rowsOf(script.readAllStandardOutput());
    const QList<Row> pinned = pinnedRows();
    QVERIFY(pinned.size() > 200);
    QCOMPARE(live.size(), pinned.size());
    for (qsizetype i = 0; i < live.size(); ++i) {
        QCOMPARE(live.at(i).file, pinned.at(i).file);
        QCOMPARE(live.at(i).run, pinned.at(i).run);
        QCOMPARE(live.at(i).format, pinned.at(i).format);
        QVERIFY2(live.at(i).counts == pinned.at(i).counts, qPrintable(live.at(i).file));
    }
}

void CorpusTest::everyFileAgreesWithTheScript_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("row");
    const QList<Row> rows = pinnedRows();
    for (int i = 0; i < rows.size(); ++i) {
        if (rows.at(i).run <= 0)
            QTest::newRow(qPrintable(rows.at(i).file)) << rows.at(i).file << i;
    }
}

void CorpusTest::everyFileAgreesWithTheScript()
{
    QFETCH(QString, file);
    QFETCH(int, row);
    if (!QDir(corpusFolder()).exists())
        QSKIP("There is no corpus here; PALIMPSEST_CORPUS names another place.");
    const Row pinned = pinnedRows().at(row);
    if (!isRegistered(pinned.format))
        QSKIP(qPrintable(u"%1 is not read yet."_s.arg(pinned.format)));
    const Run run = runProgram({ u"show"_s, pathOf(file), u"--json"_s });
    QVERIFY2(run.exitCode == 0, run.error.constData());
    QCOMPARE(run.error, QByteArray());
    QJsonParseError error;
    const QJsonObject document = QJsonDocument::fromJson(run.output, &error).object();
    QVERIFY2(error.error == QJsonParseError::NoError, qPrintable(error.errorString()));
    QCOMPARE(document.value(u"schema"_s).toString(), u"palimpsest.show/3"_s);
    QCOMPARE(document.value(u"format"_s).toString(), kFormatIds.value(pinned.format, pinned.format));
    QCOMPARE(countsOf(document), expectedOf(pinned));
}

void CorpusTest::everyRunOfAFileAgreesWithTheScript()
{
    if (!QDir(corpusFolder()).exists())
        QSKIP("There is no corpus here; PALIMPSEST_CORPUS names another place.");
    QMap<QString, SessionPtr> sessions;
    int compared = 0;
    for (const Row &row : pinnedRows()) {
        if (row.run < 0 || !isRegistered(row.format))
            continue;
        if (!sessions.contains(row.file)) {
            const auto session = loadSession(pathOf(row.file).toStdString());
            QVERIFY2(session, session ? "" : session.error().sentence().c_str());
            sessions.insert(row.file, *session);
        }
        const SessionPtr session = sessions.value(row.file);
        const auto index = static_cast<size_t>(row.run);
        QVERIFY(index < session->threads.size());
        const Thread &thread = session->threads[index];
        QCOMPARE(int(thread.kind), int(ThreadKind::Run));
        QCOMPARE(static_cast<int>(Transcript(session, thread.end).slotCount()), row.counts.value(u"slots_end"_s));
        QCOMPARE(static_cast<int>(lifeCount(*session, ThreadIndex(index)).slots), row.counts.value(u"slots_life"_s));
        QCOMPARE(static_cast<int>(thread.calls.size()), row.counts.value(u"calls"_s));
        ++compared;
    }
    if (compared == 0)
        QSKIP("No format with several sessions in a file is read yet.");
}

void CorpusTest::everyExceptionIsNeeded()
{
    const QList<Row> rows = pinnedRows();
    for (const Exception &each : kExceptions) {
        const auto row = std::ranges::find(rows, QLatin1StringView(each.file), &Row::file);
        QVERIFY2(row != rows.end(), each.file);
        QVERIFY2(row->counts.value(QString::fromUtf8(each.column)) != each.ours, each.why);
    }
}

void CorpusTest::everyOtherFileIsASentence()
{
    if (!QDir(corpusFolder()).exists())
        QSKIP("There is no corpus here; PALIMPSEST_CORPUS names another place.");
    QSet<QString> known;
    for (const Row &row : pinnedRows())
        known << row.file;
    int sentences = 0;
    for (const QString &path : filesBelow(corpusFolder())) {
        if (known.contains(QDir(corpusFolder()).relativeFilePath(path)))
            continue;
        const auto session = loadSession(path.toStdString());
        if (session) {
            // A file of another program in a shape that is read: then something must be there.
            QVERIFY2(!(*session)->blocks.empty(), qPrintable(path));
            continue;
        }
        ++sentences;
        QVERIFY2(isSentence("palimpsest: " + QByteArray::fromStdString(session.error().sentence()) + '\n', path),
            session.error().sentence().c_str());
    }
    QVERIFY(sentences > 0);
}

void CorpusTest::malformedFilesNameTheirLines_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("format");
    QTest::addColumn<int>("slotCount");
    QTest::addColumn<QString>("lines");
    const QString folder = sourceFolder() + u"/tests/samples/malformed/"_s;
    const auto table = tableOf(contentOf(folder + u"EXPECTED.tsv"_s));
    QVERIFY(table.size() > 40);
    for (const auto &row : table) {
        QTest::newRow(qPrintable(row.value(u"file"_s) + u": "_s + row.value(u"what"_s)))
            << folder + row.value(u"file"_s) << row.value(u"format"_s) << row.value(u"slots_end"_s).toInt()
            << row.value(u"damaged_lines"_s);
    }
}

void CorpusTest::malformedFilesNameTheirLines()
{
    QFETCH(QString, file);
    QFETCH(QString, format);
    QFETCH(int, slotCount);
    QFETCH(QString, lines);
    const Run run = runProgram({ u"show"_s, file, u"--json"_s });
    if (format == u"-") {
        QCOMPARE(run.exitCode, 1);
        QVERIFY2(isSentence(run.error, file), run.error.constData());
        QCOMPARE(run.output, QByteArray());
        return;
    }
    if (!isRegistered(format))
        QSKIP(qPrintable(u"%1 is not read yet."_s.arg(format)));
    QVERIFY2(run.exitCode == 0, run.error.constData());
    const QJsonObject document = QJsonDocument::fromJson(run.output).object();
    QCOMPARE(document.value(u"format"_s).toString(), kFormatIds.value(format, format));
    QCOMPARE(static_cast<int>(document.value(u"slots"_s).toArray().size()), slotCount);
    QSet<int> expected;
    for (const QString &line : lines.split(u',')) {
        if (line != u"-")
            expected << line.toInt();
    }
    QCOMPARE(damagedLines(document), expected);
}

void CorpusTest::weightsAddUp_data()
{
    QTest::addColumn<QString>("file");
    for (const Row &row : pinnedRows()) {
        if (row.run <= 0)
            QTest::newRow(qPrintable(row.file)) << row.file;
    }
}

void CorpusTest::weightsAddUp()
{
    QFETCH(QString, file);
    if (!QDir(corpusFolder()).exists())
        QSKIP("There is no corpus here; PALIMPSEST_CORPUS names another place.");
    const auto loaded = loadSession(pathOf(file).toStdString());
    if (!loaded)
        QSKIP(loaded.error().message.c_str());
    const SessionPtr session = *loaded;
    // The lengths that were counted while loading are those of the decoded texts.
    for (const Block &block : session->blocks) {
        const std::string text = session->text(block.body);
        const TextLengths counted = textLengths(text);
        if (block.body.coding == Coding::Base64)
            QCOMPARE(block.body.lengths.bytes, text.size());
        else
            QVERIFY(block.body.lengths == counted);
        const bool isCall = block.kind == BlockKind::ToolCall;
        const TextLengths name = isCall ? textLengths(session->string(block.name)) : TextLengths();
        QVERIFY(block.lengths == block.body.lengths + name);
        // And it stands where the block says.
        if (block.body.coding != Coding::Empty && block.recordSize > 0)
            QVERIFY(session->record(block).contains(session->rawBody(block.body)));
    }
    // At every call the slots hold every block of the array once, and their sums are the array's.
    for (size_t t = 0; t < session->threads.size(); ++t) {
        const Thread &thread = session->threads[t];
        std::vector<const BlockRanges *> arrays { &thread.end };
        const size_t step = std::max<size_t>(1, thread.calls.size() / 20);
        for (size_t i = 0; i < thread.calls.size(); i += step)
            arrays.push_back(&thread.calls[i].input);
        for (const BlockRanges *ranges : arrays) {
            const Transcript array(session, *ranges);
            TextLengths ofSlots;
            size_t next = 0;
            for (const Slot &slot : array.slots()) {
                QCOMPARE(size_t(slot.firstBlock), next);
                QVERIFY(slot.blockCount > 0);
                next += slot.blockCount;
                ofSlots += array.lengthsOf(slot);
            }
            QCOMPARE(next, array.blocks().size());
            TextLengths ofBlocks;
            std::set<uint32_t> once;
            for (const BlockId id : array.blocks()) {
                ofBlocks += session->block(id).lengths;
                once.insert(id.value());
            }
            QVERIFY(ofSlots == ofBlocks);
            QCOMPARE(once.size(), array.blocks().size());
        }
    }
}

void CorpusTest::resumedSessionsShareTheirResponses()
{
    // D14 of evidence.md: three files of one session that was resumed twice.
    if (!QDir(corpusFolder()).exists())
        QSKIP("There is no corpus here; PALIMPSEST_CORPUS names another place.");
    QList<QSet<QString>> responses;
    for (const char *name : { "04-6bdcb08e27-0", "be-9f77982406-0", "6d-9f76bd01e9-0" }) {
        const auto session = loadSession(
            pathOf(u"claude-code/entireio+cli/%1.full.jsonl"_s.arg(QLatin1StringView(name))).toStdString());
        QVERIFY(session);
        const QStringList ids = responsesOf(**session);
        responses << QSet<QString>(ids.begin(), ids.end());
        QCOMPARE(responses.back().size(), ids.size());
    }
    QCOMPARE(responses[0].size(), 120);
    QCOMPARE(responses[1].size(), 146);
    QCOMPARE((responses[0] & responses[1]).size(), 120);
    QCOMPARE((responses[1] & responses[2]).size(), 146);
}

void CorpusTest::recordsAgainstSlots()
{
    // D18 of evidence.md, with the definitions of tests/independent/evidence.py: every file on its own, user and
    // assistant records whose message is an object, errors of the API and copies included.
    if (!QDir(corpusFolder()).exists())
        QSKIP("There is no corpus here; PALIMPSEST_CORPUS names another place.");
    size_t records = 0;
    size_t runs = 0;
    size_t responses = 0;
    size_t torn = 0;
    uint64_t results = 0;
    uint64_t messagesOfResults = 0;
    size_t sent = 0; // of the records, attachments, and queued messages that were sent in a turn: not errors of the
                     // API, copies, messages without content
    size_t inSessions = 0;
    uint64_t sideBytes = 0;
    uint64_t sideBytesOfSent = 0;
    size_t slotsOfSessions = 0;
    const QStringList files = claudeFiles();
    QCOMPARE(files.size(), 26);
    for (const QString &file : files) {
        const auto source = Source::open(pathOf(file).toStdString());
        QVERIFY(source);
        const auto session = loadSession(*source);
        QVERIFY(session);

        // What the file holds, record by record.
        SessionBuilder builder;
        const SourceId id = builder.addSource(*source);
        std::map<std::string, size_t> runsOfKey;
        std::set<std::string> uuids;
        std::string last;
        const bool isWhole = forEachRecord(
            builder, id, { *source, nullptr, {} }, [&](simdjson::ondemand::object &object, const Record &) {
                std::string type;
                std::string uuid;
                std::string key;
                std::string_view message;
                std::string_view result;
                bool isError = false;
                bool hasContent = false;
                for (auto field : object) {
                    const std::string_view name = field.escaped_key();
                    simdjson::ondemand::value value = field.value();
                    if (name == "type")
                        type = stringOf(value).value_or("");
                    else if (name == "uuid")
                        uuid = stringOf(value).value_or("");
                    else if (name == "isApiErrorMessage")
                        isError = isTrue(value);
                    else if (name == "operation")
                        sent += stringOf(value).value_or("") == "remove" ? 1 : 0;
                    else if (name == "toolUseResult")
                        result = rawJson(value);
                    else if (name == "message" && value.type() == simdjson::ondemand::json_type::object) {
                        auto inner = value.get_object();
                        simdjson::ondemand::value answer;
                        if (inner.find_field_unordered("id").get(answer) == simdjson::SUCCESS)
                            key = stringOf(answer).value_or("");
                        inner.reset();
                        hasContent = inner.find_field_unordered("content").get(answer) == simdjson::SUCCESS;
                        inner.reset();
                        message = inner.raw_json();
                    }
                }
                const bool isTalk = !message.empty() && (type == "user" || type == "assistant");
                // A record without content does not hold its uuid: the next one with it is the message.
                const bool holds = (isTalk && hasContent) || type == "attachment";
                if (holds && uuids.insert(uuid).second && !isError) {
                    ++sent;
                    sideBytesOfSent += result.size();
                }
                if (!isTalk)
                    return;
                ++records;
                key = type == "user" ? "user" : "answer " + key;
                size_t &count = runsOfKey[key];
                count += key != last ? 1 : 0;
                runs += key != last ? 1 : 0;
                last = key;
                if (!result.empty()) {
                    results += asciiJsonSize(result);
                    messagesOfResults += asciiJsonSize(message);
                }
            });
        QVERIFY(isWhole);
        for (const auto &[key, count] : runsOfKey) {
            responses += key == "user" ? 0 : 1;
            torn += key != "user" && count > 1 ? 1 : 0;
        }

        // What the Session says of the same records.
        std::set<uint64_t> places;
        for (const Block &block : (*session)->blocks) {
            if ((*session)->message(block.message).thread != ThreadIndex(0U) || block.is(BlockFlag::Stub))
                continue;
            places.insert(block.recordOffset);
            sideBytes += block.sideBytes;
        }
        inSessions += places.size();
        slotsOfSessions += lifeCount(**session, ThreadIndex(0U)).slots;
    }
    QCOMPARE(records, 8515U);
    QCOMPARE(runs, 5269U);
    QCOMPARE(responses, 2492U);
    QCOMPARE(torn, 78U);
    QCOMPARE(results, 17'735'773U);
    QCOMPARE(messagesOfResults, 6'688'691U);
    // Every record that was ever sent is in a Session, and what was never in context is counted to the byte.
    QCOMPARE(inSessions, sent);
    QCOMPARE(sideBytes, sideBytesOfSent);
    // Slots as the API receives them, over the whole life: the script's slots_life of the same files.
    size_t pinned = 0;
    for (const Row &row : pinnedRows()) {
        if (row.file.startsWith(u"claude-code/"))
            pinned += static_cast<size_t>(row.counts.value(u"slots_life"_s));
    }
    QCOMPARE(slotsOfSessions, pinned);
}

void CorpusTest::compactionsOfALongSession()
{
    // D19 of evidence.md and the head line of window.md.
    if (!QDir(corpusFolder()).exists())
        QSKIP("There is no corpus here; PALIMPSEST_CORPUS names another place.");
    const auto loaded = loadSession(pathOf(u"claude-code/entireio+cli/cd-95adddad32-0.full.jsonl"_s).toStdString());
    QVERIFY(loaded);
    const Thread &thread = (*loaded)->threads.front();
    QCOMPARE(thread.calls.size(), 225U);
    const std::array<std::array<uint64_t, 4>, 3> expected { { { 49, 156'699, 154'445, 66'549 },
        { 126, 155'241, 155'023, 60'458 }, { 219, 155'413, 154'666, 59'943 } } };
    QCOMPARE(thread.compactions.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
        const RecordedCompaction &compaction = thread.compactions[i];
        QCOMPARE(uint64_t(compaction.call.value()), expected.at(i)[0]);
        QCOMPARE(compaction.beforeTokens.value_or(0), expected.at(i)[1]);
        QCOMPARE(thread.calls[compaction.call.index()].usage->prompt(), expected.at(i)[2]);
        QCOMPARE(compaction.afterTokens.value_or(0), expected.at(i)[3]);
    }
    uint64_t peak = 0;
    for (const Call &call : thread.calls)
        peak = std::max(peak, call.usage ? call.usage->prompt() : 0);
    QCOMPARE(peak, 155'023U);
}

PALIMPSEST_TEST(CorpusTest)
#include "tst_corpus.moc"
