// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/database.h"
#include "core/formats/reading/format.h"
#include "core/writing/splice.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <sqlite3.h>

#include <fstream>
#include <random>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

/// A database in a file of its own, as a harness writes it.
class Database final {
public:
    explicit Database(const QString &path)
        : m_path(path.toStdString())
    {
        if (sqlite3_open(m_path.c_str(), &m_database) != SQLITE_OK)
            qFatal("The database cannot be made.");
        run("PRAGMA synchronous = OFF");
    }
    Database(const Database &) = delete;
    Database &operator=(const Database &) = delete;
    ~Database() { sqlite3_close_v2(m_database); }

    void run(const std::string &statements)
    {
        char *message = nullptr;
        if (sqlite3_exec(m_database, statements.c_str(), nullptr, nullptr, &message) != SQLITE_OK)
            qFatal("%s", message);
    }
    /// Changes stay in the write-ahead log.
    void useLog() { run("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0"); }
    [[nodiscard]] const std::string &path() const { return m_path; }

private:
    std::string m_path;
    sqlite3 *m_database = nullptr;
};

std::string bytesOf(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    return { std::istreambuf_iterator<char>(file), {} };
}

void write(const std::string &path, const std::string &bytes)
{
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

constexpr const char *kCrushTables
    = "CREATE TABLE sessions(id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT, summary_message_id TEXT, "
      "updated_at INTEGER, created_at INTEGER);"
      "CREATE TABLE messages(id TEXT PRIMARY KEY, session_id TEXT, role TEXT, parts TEXT, model TEXT, created_at "
      "INTEGER, provider TEXT, is_summary_message INTEGER DEFAULT 0);"
      "CREATE TABLE account(secret TEXT); INSERT INTO account VALUES('token')";

std::string session(const std::string &id, const std::string &title, int updated, const std::string &parent = "")
{
    return ";INSERT INTO sessions VALUES('" + id + "'," + (parent.empty() ? "NULL" : "'" + parent + "'") + ",'" + title
        + "',NULL," + std::to_string(updated) + ",1)";
}
std::string message(const std::string &id, const std::string &session, const std::string &role,
    const std::string &parts, int summary = 0)
{
    return ";INSERT INTO messages VALUES('" + id + "','" + session + "','" + role + "','[" + parts + "]','"
        + (role == "assistant" ? "m1" : "") + "',1754898402,'p'," + std::to_string(summary) + ")";
}
std::string text(const std::string &words) { return R"({"type":"text","data":{"text":")" + words + R"("}})"; }
std::string call(const std::string &id)
{
    const std::string input = "\"{\\\"file_path\\\":\\\"a.go\\\"}\"";
    return R"({"type":"tool_call","data":{"id":")" + id + R"(","name":"view","finished":true,"input":)" + input + "}}";
}
std::string result(const std::string &id, const std::string &more = "")
{
    return R"({"type":"tool_result","data":{"tool_call_id":")" + id + R"(","name":"","content":"r\n","metadata":"{}")"
        + more + "}}";
}

SessionPtr loaded(const std::string &path)
{
    const auto session = loadSession(path);
    if (!session)
        qFatal("%s", session.error().sentence().c_str());
    const std::string broken = testing::brokenRule(**session);
    if (!broken.empty())
        qFatal("%s", broken.c_str());
    return *session;
}

QString atEnd(const SessionPtr &session, size_t thread = 0)
{
    return QString::fromStdString(testing::describe(*session, thread));
}

} // namespace

/// Sessions in SQLite databases: Crush, opencode in Go.
class DatabasesTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder.emplace(); }
    void readsCrush();
    void conversationsAreRuns();
    void aStartedConversationFollowsItsCall();
    void aSummaryIsACompaction();
    void otherPartsAreRead();
    void theLogIsRead();
    void anUnfinishedTransactionIsLeftOut();
    void theFilesStayAsTheyAre();
    void otherTablesAreNotRead();
    void damagedDatabasesAreASentence();
    void itCannotBeWritten();

private:
    QString file(const QString &name = u"crush.db"_s) const { return m_folder->filePath(name); }

    std::optional<QTemporaryDir> m_folder;
};

void DatabasesTest::readsCrush()
{
    Database base(file());
    base.run(kCrushTables + session("s1", "Greeting", 5) + message("1", "s1", "user", text("hi"))
        + message("2", "s1", "assistant",
            R"({"type":"reasoning","data":{"thinking":"t","signature":"x"}},)" + text("look") + "," + call("c1")
                + R"(,{"type":"finish","data":{"reason":"tool_use"}})")
        + message("3", "s1", "tool", result("c1", R"(,"is_error":true)"))
        + message("4", "s1", "assistant", text("done"))
        + message("5", "s1", "assistant", R"({"type":"finish","data":{"reason":"canceled"}})"));
    const SessionPtr session = loaded(base.path());
    QCOMPARE(QString::fromStdString(session->format), u"crush"_s);
    QCOMPARE(QString::fromStdString(session->harness), u"Crush"_s);
    QCOMPARE(QString::fromStdString(session->title), u"Greeting"_s);
    QCOMPARE(QString::fromStdString(session->model), u"m1"_s);
    QCOMPARE(atEnd(session),
        uR"(user{text+typed "hi"} assistant{thinking "t", text "look", call view#c1 "{"file_path":"a.go"}"} tool{result+error view#c1 "r
"} assistant{text "done"})"_s);
    QCOMPARE(session->threads.size(), 1U);
    const Thread &thread = session->threads.front();
    QCOMPARE(thread.kind, ThreadKind::Main);
    QCOMPARE(thread.calls.size(), 2U);
    QCOMPARE(thread.calls[1].input.blockCount(), 5U);
    QCOMPARE(thread.calls[1].time.value(), 1754898402000);
    QVERIFY(!thread.calls[1].usage);
    QCOMPARE(QString::fromUtf8(session->string(session->blocks[3].subject)), u"a.go"_s);
}

void DatabasesTest::conversationsAreRuns()
{
    Database base(file());
    base.run(kCrushTables + session("s1", "Old", 5) + session("s2", "New", 6) + session("s3", "Empty", 7)
        + message("1", "s1", "user", text("old")) + message("2", "s2", "user", text("new")));
    const SessionPtr session = loaded(base.path());
    QCOMPARE(session->threads.size(), 2U);
    QCOMPARE(atEnd(session), uR"(user{text+typed "new"})"_s);
    QCOMPARE(atEnd(session, 1), uR"(user{text+typed "old"})"_s);
    QCOMPARE(session->threads[1].kind, ThreadKind::Run);
    QCOMPARE(QString::fromStdString(session->threads[1].title), u"Old"_s);
}

void DatabasesTest::aStartedConversationFollowsItsCall()
{
    Database base(file());
    base.run(kCrushTables + session("s1", "Main", 5) + session("2$$c1", "Agent", 6, "s1")
        + message("1", "s1", "user", text("hi")) + message("2", "s1", "assistant", call("c1"))
        + message("3", "2$$c1", "user", text("task")) + message("4", "2$$c1", "assistant", text("found"))
        + message("5", "s1", "tool", result("c1")));
    const SessionPtr session = loaded(base.path());
    QCOMPARE(session->threads.size(), 2U);
    QCOMPARE(session->threads[1].kind, ThreadKind::Subagent);
    QCOMPARE(session->threads[1].parentCall, BlockId(1U));
    QCOMPARE(atEnd(session, 1), uR"(user{text+injected "task"} assistant{text "found"})"_s);
}

void DatabasesTest::aSummaryIsACompaction()
{
    Database base(file());
    base.run(kCrushTables + session("s1", "Main", 5) + message("1", "s1", "user", text("u1"))
        + message("2", "s1", "assistant", text("a1")) + message("3", "s1", "assistant", text("sum"), 1)
        + message("4", "s1", "user", text("u2")) + message("5", "s1", "assistant", text("a2")));
    const SessionPtr session = loaded(base.path());
    QCOMPARE(atEnd(session), uR"(user{text+summary "sum"} user{text+typed "u2"} assistant{text "a2"})"_s);
    const Thread &thread = session->threads.front();
    QCOMPARE(thread.calls.size(), 2U);
    QCOMPARE(thread.compactions.size(), 1U);
    QCOMPARE(thread.compactions[0].before.blockCount(), 2U);
    QCOMPARE(thread.compactions[0].after.blockCount(), 2U);
}

void DatabasesTest::otherPartsAreRead()
{
    Database base(file());
    base.run(kCrushTables + session("s1", "Main", 5)
        + message("1", "s1", "user",
            text("see") + R"(,{"type":"binary","data":{"Path":"p.png","MIMEType":"image/png","Data":"QUJD"}})"
                + R"(,{"type":"shell_command","data":{"command":"ls","output":"a","exit_code":0}},{"type":"new","data":{}})"));
    const SessionPtr session = loaded(base.path());
    QCOMPARE(session->blocks.size(), 5U);
    QCOMPARE(session->blocks[1].kind, BlockKind::Image);
    QCOMPARE(session->text(session->blocks[1].body), "QUJD");
    QVERIFY(session->blocks[2].is(BlockFlag::Injected));
    QCOMPARE(session->text(session->blocks[3].body), "a");
    QCOMPARE(session->blocks[4].kind, BlockKind::Opaque);
}

/// What a harness has written since the last checkpoint is in the log alone.
void DatabasesTest::theLogIsRead()
{
    Database base(file());
    base.useLog();
    base.run(kCrushTables + session("s1", "Main", 5) + message("1", "s1", "user", text("u1")));
    base.run("PRAGMA wal_checkpoint(TRUNCATE)");
    base.run("UPDATE sessions SET title = 'Renamed'" + message("2", "s1", "assistant", text("a1")));
    base.run("UPDATE sessions SET updated_at = 9" + message("3", "s1", "user", text(std::string(9000, 'x'))));
    const SessionPtr session = loaded(base.path());
    QCOMPARE(session->blocks.size(), 3U);
    QCOMPARE(session->blocks[2].body.lengths.bytes, 9000U);
    QCOMPARE(QString::fromStdString(session->title), u"Renamed"_s);
    QCOMPARE(session->sources.size(), 3U); // the text, the log, the database: changes of both files are seen
    // Without the log, it is the database of the last checkpoint.
    const auto copy = file(u"copy.db"_s).toStdString();
    write(copy, bytesOf(base.path()));
    QCOMPARE(loaded(copy)->blocks.size(), 1U);
}

void DatabasesTest::anUnfinishedTransactionIsLeftOut()
{
    Database base(file());
    base.useLog();
    base.run(kCrushTables + session("s1", "Main", 5) + message("1", "s1", "user", text("u1")));
    const std::string log = bytesOf(base.path() + "-wal");
    base.run(message("2", "s1", "assistant", text("a1")).substr(1));
    const std::string grown = bytesOf(base.path() + "-wal");
    QVERIFY(grown.size() > log.size());
    const std::string database = bytesOf(base.path());
    const auto blocksWith = [&](const std::string &wal) {
        const auto rows = databaseText(database, wal, "x");
        return rows ? std::ranges::count(rows->text, '\n') - 3 : -1; // tables, session, message
    };
    QCOMPARE(blocksWith(grown), 1);
    QCOMPARE(blocksWith(grown.substr(0, grown.size() - 1)), 0); // cut
    std::string changed = grown;
    changed[grown.size() - 10] = static_cast<char>(changed[grown.size() - 10] ^ 1);
    QCOMPARE(blocksWith(changed), 0); // a wrong checksum
}

void DatabasesTest::theFilesStayAsTheyAre()
{
    Database base(file());
    base.useLog();
    base.run(kCrushTables + session("s1", "Main", 5) + message("1", "s1", "user", text("u1")));
    const std::string database = bytesOf(base.path());
    const std::string log = bytesOf(base.path() + "-wal");
    const QStringList before = QDir(m_folder->path()).entryList();
    QCOMPARE(loaded(base.path())->blocks.size(), 1U);
    QCOMPARE(bytesOf(base.path()), database);
    QCOMPARE(bytesOf(base.path() + "-wal"), log);
    QCOMPARE(QDir(m_folder->path()).entryList(), before);
}

void DatabasesTest::otherTablesAreNotRead()
{
    Database base(file());
    base.run(kCrushTables + session("s1", "Main", 5) + message("1", "s1", "user", text("u1")));
    QVERIFY(!loaded(base.path())->sources.front()->bytes().contains("token"));
    const auto other = file(u"other.db"_s);
    Database(other).run("CREATE TABLE account(secret TEXT); INSERT INTO account VALUES('token')");
    const auto failed = loadSession(other.toStdString());
    QVERIFY(!failed);
    QVERIFY(failed.error().message.contains("It is an SQLite database without sessions."));
}

/// Cut or changed anywhere, a database is read or refused with a sentence.
void DatabasesTest::damagedDatabasesAreASentence()
{
    Database base(file());
    std::string rows = kCrushTables + session("s1", "Main", 5);
    for (int i = 0; i < 200; ++i)
        rows += message(std::to_string(i), "s1", i % 2 == 0 ? "user" : "assistant", text(std::string(300, 'a')));
    base.run(rows);
    const std::string whole = bytesOf(base.path());
    std::mt19937_64 random(7);
    size_t read = 0;
    size_t refused = 0;
    for (int i = 0; i < 150; ++i) {
        std::string bytes = whole;
        if (i % 3 == 0)
            bytes.resize(16 + random() % (bytes.size() - 16));
        for (int k = 0; k < i % 7; ++k)
            bytes[16 + random() % (bytes.size() - 16)] = static_cast<char>(random());
        const auto session = testing::load(bytes);
        (session ? read : refused) += 1;
        if (session)
            QCOMPARE(testing::brokenRule(**session), "");
        else
            QVERIFY(session.error().message.ends_with("."));
    }
    QVERIFY(read > 0);
    QVERIFY(refused > 0);
    const auto half = testing::load(whole.substr(0, whole.size() / 2));
    if (half)
        QVERIFY(testing::diagnosticsOf(**half).contains("The database is damaged"));
    else
        QVERIFY(half.error().message.starts_with("The database cannot be read: "));
}

void DatabasesTest::itCannotBeWritten()
{
    Database base(file());
    base.run(kCrushTables + session("s1", "Main", 5) + message("1", "s1", "user", text("u1")));
    const auto spliced = spliceSession(*loaded(base.path()), {});
    QVERIFY(!spliced);
    QCOMPARE(QString::fromStdString(spliced.error().message),
        u"Palimpsest can read files of the format crush, but not write them."_s);
}

PALIMPSEST_TEST(DatabasesTest)
#include "tst_databases.moc"
