// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/taken_bytes.h"
#include "core/formats/follower.h"
#include "core/session/growth.h"
#include "core/tokens/counted_tokens.h"
#include "tests/claude_log.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <random>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

void append(const std::string &path, std::string_view bytes)
{
    std::ofstream(path, std::ios::binary | std::ios::app)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

void write(const std::string &path, std::string_view bytes)
{
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// Questions, calls and results with characters of one to four bytes.
testing::ClaudeLog claudeLog(size_t turns)
{
    testing::ClaudeLog log;
    for (size_t i = 0; i < turns; ++i) {
        const std::string number = std::to_string(i);
        log.typed("Schau dir die Größe von 文件 " + number + " an 🙂");
        log.setUsage(900 * i, 400, 20);
        log.read("/work/" + number + ".txt", "Zeile é " + number + "\n漢字 " + std::string(40, 'x') + "\n");
        if (i % 5 == 4)
            log.compact("Zusammenfassung " + number);
    }
    return log;
}

std::string codexLog(size_t turns)
{
    std::string text
        = R"({"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"0199-live","cwd":"/work","cli_version":"0.50.0"}})"
          "\n";
    for (size_t i = 0; i < turns; ++i) {
        const std::string number = std::to_string(i);
        const auto item = [&](const std::string &role, const std::string &kind, const std::string &words) {
            text += R"({"timestamp":"2026-01-01T00:00:01Z","type":"response_item","payload":{"type":"message","role":")"
                + role + R"(","content":[{"type":")" + kind + R"(","text":")" + words + " " + number + R"("}]}})"
                + "\n";
        };
        item("user", "input_text", "Größe 文件");
        item("assistant", "output_text", "Gut 🙂");
    }
    return text;
}

std::string piLog(size_t turns)
{
    std::string text
        = R"({"type":"session","version":3,"id":"live-pi","timestamp":"2026-01-01T00:00:00Z","cwd":"/work"})"
          "\n";
    std::string parent = "null";
    for (size_t i = 0; i < 2 * turns; ++i) {
        const std::string id = "e" + std::to_string(i);
        const bool isUser = i % 2 == 0;
        text += R"({"type":"message","id":")" + id + R"(","parentId":)" + parent
            + R"(,"timestamp":"2026-01-01T00:00:01Z","message":{"role":")" + (isUser ? "user" : "assistant")
            + R"(","content":[{"type":"text","text":"Größe 文件 🙂 )" + id + "\"}]"
            + (isUser ? "" : R"(,"stopReason":"stop","model":"m")") + "}}\n";
        parent = '"' + id + '"';
    }
    return text;
}

std::string logOf(const QByteArray &format)
{
    return format == "claude-code" ? claudeLog(20).text() : format == "codex" ? codexLog(60) : piLog(60);
}

/// The session of the complete records of a text.
SessionPtr completeRecords(const std::string &text, const std::string &name)
{
    const auto session = loadSession(Source::own(text.substr(0, text.rfind('\n') + 1), name));
    return session ? *session : nullptr;
}

/// `{"id":"m1",…}` in a database of Crush, whose newest rows are in the log beside it.
class CrushDatabase final {
public:
    explicit CrushDatabase(const std::string &path)
    {
        if (sqlite3_open(path.c_str(), &m_database) != SQLITE_OK)
            qFatal("The database cannot be made.");
        run("PRAGMA synchronous = OFF; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;"
            "CREATE TABLE sessions(id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT, summary_message_id TEXT, "
            "updated_at INTEGER, created_at INTEGER);"
            "CREATE TABLE messages(id TEXT PRIMARY KEY, session_id TEXT, role TEXT, parts TEXT, model TEXT, created_at "
            "INTEGER, provider TEXT, is_summary_message INTEGER DEFAULT 0);"
            "INSERT INTO sessions VALUES('s1',NULL,'A title',NULL,1,1)");
    }
    CrushDatabase(const CrushDatabase &) = delete;
    CrushDatabase &operator=(const CrushDatabase &) = delete;
    ~CrushDatabase() { sqlite3_close_v2(m_database); }

    void add(const std::string &id, const std::string &role)
    {
        run("INSERT INTO messages VALUES('" + id + "','s1','" + role + R"(','[{"type":"text","data":{"text":")" + id
            + R"("}}]','',1754898402,'p',0))");
    }

private:
    void run(const std::string &statements)
    {
        char *message = nullptr;
        if (sqlite3_exec(m_database, statements.c_str(), nullptr, nullptr, &message) != SQLITE_OK)
            qFatal("%s", message);
    }

    sqlite3 *m_database = nullptr;
};

} // namespace

/// A file is followed while it grows, and whatever else becomes of it.
class FollowerTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void eachStepEqualsAWholeReading_data();
    void eachStepEqualsAWholeReading();
    void tokensOfNewBlocksAloneAreCounted();
    void aReadingThatBeginsInsideARecordGoesOn();
    void aSessionSaysHowItsFileChanged();
    void aTruncatedFileIsReadAgain();
    void aReplacedFileIsReadAgain();
    void aFileWrittenOverIsReadAgain();
    void aRemovedFileMayComeBack();
    void aDocumentIsReadAgain();
    void theLogBesideADatabaseIsFollowed();
    void idsStayUnlessTheirOrderChanges();
    void aFileThatGoesOnWithTheSessionIsFound();

private:
    std::string m_path;
    QTemporaryDir m_folder;
};

void FollowerTest::init()
{
    m_path = m_folder.filePath(QString::fromLatin1(QTest::currentTestFunction()) + u".jsonl"_s).toStdString();
    std::filesystem::remove(m_path);
}

void FollowerTest::eachStepEqualsAWholeReading_data()
{
    QTest::addColumn<QByteArray>("format");
    for (const char *format : { "claude-code", "codex", "pi" })
        QTest::newRow(format) << QByteArray(format);
}

/// Pieces of any size: halves of records, of characters and of line ends, and many records at once.
void FollowerTest::eachStepEqualsAWholeReading()
{
    QFETCH(QByteArray, format);
    const std::string text = logOf(format);
    std::mt19937_64 random(20260101);
    const size_t first = text.find('\n', text.size() / 4) + 1;
    write(m_path, text.substr(0, first));
    Follower follower(m_path);
    QVERIFY(follower.read());
    QVERIFY(follower.readsOnlyNew());
    QCOMPARE(QByteArray::fromStdString(follower.session()->format), format);
    size_t records = 0;
    for (size_t at = first; at < text.size();) {
        const size_t size = std::min<size_t>(1 + random() % (random() % 4 == 0 ? 2000 : 60), text.size() - at);
        append(m_path, text.substr(at, size));
        const bool hasRecord = text.substr(at, size).contains('\n');
        at += size;
        const uint64_t taken = takenBytes();
        const auto news = follower.follow();
        QVERIFY(news);
        QCOMPARE(*news == Follower::News::Records, hasRecord);
        if (!hasRecord) {
            QCOMPARE(takenBytes(), taken); // not even looked at
            continue;
        }
        ++records;
        const SessionPtr whole = completeRecords(text.substr(0, at), m_path);
        QVERIFY(whole);
        QCOMPARE(QString::fromStdString(testing::differenceOf(*follower.session(), *whole)), QString());
    }
    QVERIFY(records > 6);
}

/// What was read is what was appended, however often it was looked at.
void FollowerTest::tokensOfNewBlocksAloneAreCounted()
{
    const std::string text = claudeLog(40).text();
    const size_t first = text.find('\n', text.size() / 2) + 1;
    write(m_path, text.substr(0, first));
    Follower follower(m_path);
    QVERIFY(follower.read());
    TokenCount count = countTokens(*follower.session(), 1, nullptr);
    SessionPtr before = follower.session();
    const uint64_t taken = takenBytes();
    size_t lines = 0;
    for (size_t at = first; at < text.size(); ++lines) {
        const size_t end = text.find('\n', at) + 1;
        append(m_path, text.substr(at, end - at));
        at = end;
        QVERIFY(*follower.follow() == Follower::News::Records);
        const SessionPtr &now = follower.session();
        QVERIFY(continues(*before, *now));
        const size_t added = now->blocks.size() - before->blocks.size();
        count = countTokens(*now, 1, nullptr, count);
        QVERIFY(count.countedCount <= 2 * added); // for the exact count and for the estimate
        const BlockTokensPtr whole = countedTokens(*now, 1, nullptr);
        QVERIFY(count.table->tokens == whole->tokens);
        QCOMPARE(count.table->basis, whole->basis);
        before = now;
    }
    QCOMPARE(takenBytes() - taken, text.size() - first - lines); // all but the line feeds
}

void FollowerTest::aReadingThatBeginsInsideARecordGoesOn()
{
    const std::string text = claudeLog(3).text();
    const size_t cut = text.size() - 30;
    write(m_path, text.substr(0, cut));
    Follower follower(m_path);
    QVERIFY(follower.read());
    QVERIFY(QString::fromStdString(testing::diagnosticsOf(*follower.session())).contains(u"cut off"_s));
    append(m_path, text.substr(cut));
    QVERIFY(*follower.follow() == Follower::News::WholeFile);
    QVERIFY(follower.readsOnlyNew());
    QCOMPARE(testing::diagnosticsOf(*follower.session()), "");
    append(m_path, claudeLog(4).text().substr(text.size()));
    QVERIFY(*follower.follow() == Follower::News::Records);
    QVERIFY(*follower.follow() == Follower::News::None);
}

void FollowerTest::aSessionSaysHowItsFileChanged()
{
    const std::string log = claudeLog(3).text();
    write(m_path, log);
    const auto session = loadSession(m_path);
    QVERIFY(session && !(*session)->torn());
    append(m_path, claudeLog(1).text());
    const auto grown = (*session)->torn();
    QVERIFY(grown && grown->kind == ErrorKind::Changed);
    QCOMPARE(grown->message, std::string("The file has grown since it was opened; load it again."));
    const auto sentence = [&] { return (*session)->torn()->message; };
    const std::string changed = "The file has changed on disk since it was opened; load it again.";
    std::string other = log + claudeLog(1).text();
    std::replace(other.begin(), other.end(), 'e', 'E');
    write(m_path, other);
    QCOMPARE(sentence(), changed);
    write(m_path, log.substr(0, log.size() / 2));
    QCOMPARE(sentence(), changed);
    std::filesystem::remove(m_path);
    QCOMPARE(sentence(), changed);
}

void FollowerTest::aTruncatedFileIsReadAgain()
{
    const std::string text = claudeLog(6).text();
    write(m_path, text);
    Follower follower(m_path);
    QVERIFY(follower.read());
    const size_t shorter = text.find('\n', text.size() / 3) + 1;
    std::filesystem::resize_file(m_path, shorter);
    QVERIFY(*follower.follow() == Follower::News::WholeFile);
    const SessionPtr whole = completeRecords(text.substr(0, shorter), m_path);
    QCOMPARE(testing::differenceOf(*follower.session(), *whole), "");
    // It goes on from there.
    append(m_path, text.substr(shorter));
    QVERIFY(*follower.follow() == Follower::News::Records);
    QCOMPARE(testing::differenceOf(*follower.session(), *completeRecords(text, m_path)), "");
}

void FollowerTest::aReplacedFileIsReadAgain()
{
    write(m_path, claudeLog(3).text());
    Follower follower(m_path);
    const SessionPtr before = *follower.read();
    const std::string other = m_path + ".new";
    write(other, "\n" + codexLog(9));
    std::filesystem::rename(other, m_path);
    QVERIFY(*follower.follow() == Follower::News::WholeFile);
    QCOMPARE(follower.session()->format, "codex");
    QVERIFY(!beginsAlike(*before, *follower.session()));
    QVERIFY(!continues(*before, *follower.session()));
    append(m_path, codexLog(10).substr(codexLog(9).size()));
    QVERIFY(*follower.follow() == Follower::News::Records);
}

void FollowerTest::aFileWrittenOverIsReadAgain()
{
    const std::string text = claudeLog(3).text();
    write(m_path, text);
    Follower follower(m_path);
    QVERIFY(follower.read());
    write(m_path, codexLog(30)); // longer, in the same file
    QVERIFY(*follower.follow() == Follower::News::WholeFile);
    QCOMPARE(follower.session()->format, "codex");
}

void FollowerTest::aRemovedFileMayComeBack()
{
    const std::string text = claudeLog(3).text();
    write(m_path, text);
    Follower follower(m_path);
    const SessionPtr before = *follower.read();
    std::filesystem::remove(m_path);
    for (int i = 0; i < 2; ++i) {
        const auto gone = follower.follow();
        QVERIFY(!gone && gone.error().kind == ErrorKind::NotFound);
    }
    QCOMPARE(follower.session(), before);
    write(m_path, ""); // made anew, and still empty
    QVERIFY(!follower.follow());
    QCOMPARE(follower.session(), before);
    const std::string more = claudeLog(4).text();
    append(m_path, more);
    QVERIFY(follower.follow());
    QVERIFY(beginsAlike(*before, *follower.session()));
    QCOMPARE(testing::differenceOf(*follower.session(), *completeRecords(more, m_path)), "");
}

void FollowerTest::aDocumentIsReadAgain()
{
    const auto document = [](const std::string &more) {
        return R"([{"role":"user","content":"Hello"},{"role":"assistant","content":"Yes"})" + more + "]";
    };
    write(m_path, document(""));
    Follower follower(m_path);
    QVERIFY(follower.read());
    QVERIFY(!follower.readsOnlyNew());
    QVERIFY(*follower.follow() == Follower::News::None);
    write(m_path, document(R"(,{"role":"user","content":"Again"})"));
    QVERIFY(*follower.follow() == Follower::News::WholeFile);
    QCOMPARE(follower.session()->messages.size(), 3U);
    write(m_path, "[{\"role\":"); // half written
    QVERIFY(!follower.follow());
    QCOMPARE(follower.session()->messages.size(), 3U);
}

void FollowerTest::theLogBesideADatabaseIsFollowed()
{
    const std::string path = m_folder.filePath(u"crush.db"_s).toStdString();
    CrushDatabase database(path);
    database.add("m1", "user");
    database.add("m2", "assistant");
    Follower follower(path);
    const auto read = follower.read();
    QVERIFY2(read, read ? "" : read.error().sentence().c_str());
    QCOMPARE(follower.session()->messages.size(), 2U);
    QVERIFY(*follower.follow() == Follower::News::None);
    const auto time = std::filesystem::last_write_time(path);
    database.add("m3", "user");
    QVERIFY(std::filesystem::last_write_time(path) == time); // only the log has changed
    QVERIFY(*follower.follow() == Follower::News::WholeFile);
    QCOMPARE(follower.session()->messages.size(), 3U);
}

void FollowerTest::idsStayUnlessTheirOrderChanges()
{
    testing::ClaudeLog log = claudeLog(3);
    const SessionPtr before = log.load();
    log.typed("More");
    const SessionPtr grown = log.load();
    QVERIFY(continues(*before, *grown));
    QVERIFY(continues(*before, *before));
    QVERIFY(!continues(*grown, *before));
    // Blocks of a subagent's thread follow those of the main thread, which grows.
    const auto side = [](const std::string &id, const std::string &parent, bool isSide, const std::string &words) {
        return R"({"parentUuid":)" + parent + R"(,"isSidechain":)" + (isSide ? "true" : "false")
            + R"(,"sessionId":"s","version":"2.0.0","cwd":"/","type":"user","uuid":")" + id
            + R"(","message":{"role":"user","content":")" + words + "\"}}\n";
    };
    const std::string both = side("a", "null", false, "Main") + side("b", "null", true, "Aside");
    const auto two = testing::load(both);
    const auto more = testing::load(both + side("c", "\"a\"", false, "Main goes on"));
    QVERIFY(two && more);
    QCOMPARE((*two)->threads.size(), 2U);
    QVERIFY(!continues(**two, **more));
    QVERIFY(beginsAlike(**two, **more));
}

void FollowerTest::aFileThatGoesOnWithTheSessionIsFound()
{
    const SessionPtr session = *testing::load(codexLog(2));
    const std::string other = m_folder.filePath(u"other.jsonl"_s).toStdString();
    write(other,
        R"({"type":"session_meta","payload":{"id":"new-one","forked_from_id":"0199-live"}})"
        "\n");
    QVERIFY(isContinuedIn(*session, other));
    write(other,
        R"({"type":"session_meta","payload":{"id":"new-one"}})"
        "\n");
    QVERIFY(!isContinuedIn(*session, other));
    QVERIFY(!isContinuedIn(*session, other + ".missing"));
}

PALIMPSEST_TEST(FollowerTest)
#include "tst_follower.moc"
