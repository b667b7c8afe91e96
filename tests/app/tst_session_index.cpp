// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/cache/recorded_cache.h"
#include "core/index/index_search.h"
#include "core/index/index_writer.h"
#include "core/index/session_head.h"
#include "core/money/cost.h"
#include "core/report/list_report.h"
#include "core/tokens/counted_tokens.h"
#include "tests/claude_log.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"

#include <nlohmann/json.hpp>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

#include <sqlite3.h>

#include <algorithm>
#include <set>
#include <thread>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

/// A home with sessions of two projects.
class Home final {
public:
    Home()
    {
        testing::ClaudeLog first("/work/alpha");
        first.typed("keep the stable link in the readme");
        first.setUsage(0, 4'000, 10);
        first.call("Bash", { { "command", "make test" } });
        first.result("error: the parser found no brace", true);
        first.call("Read", { { "file_path", "/work/alpha/parser.cpp" } });
        first.result("int main() {}");
        m_first = first.text();
        write(u"claude/projects/alpha/first.jsonl"_s, m_first);
        testing::ClaudeLog second("/work/beta");
        second.typed("explain the Überblick and the cache");
        second.call("Read", { { "file_path", "/work/beta/cache.cpp" } });
        second.result("struct Cache {};");
        write(u"claude/projects/beta/second.jsonl"_s, second.text());
        write(u"claude/projects/beta/notes.json"_s, "{\"no\": \"session\"}");
    }

    [[nodiscard]] std::string path(const QString &name) const { return m_folder.filePath(name).toStdString(); }
    [[nodiscard]] const std::string &first() const { return m_first; }
    void write(const QString &name, const std::string &text) const
    {
        const QString target = m_folder.filePath(name);
        QDir().mkpath(QFileInfo(target).path());
        QFile file(target);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.data(), static_cast<qint64>(text.size()));
    }
    [[nodiscard]] SessionPlaces places() const
    {
        return SessionPlaces::known([this](const char *name) -> std::string {
            const std::string_view asked = name;
            return asked == "HOME"             ? m_folder.path().toStdString()
                : asked == "CLAUDE_CONFIG_DIR" ? path(u"claude"_s)
                                               : std::string();
        });
    }
    [[nodiscard]] Result<SessionIndex> index() const { return SessionIndex::open(path(u"cache"_s)); }

private:
    QTemporaryDir m_folder;
    std::string m_first;
};

const Prices &prices()
{
    static const Prices bundled = Prices::bundled();
    return bundled;
}

std::vector<std::string> filesFound(const SessionIndex &index, const std::string &line)
{
    const auto query = parseQuery(line);
    const auto found = searchIndex(index, index.sessions(), *query, {});
    std::vector<std::string> files;
    if (!found)
        return { found.error().message };
    for (const SessionHits &hits : found->sessions)
        files.push_back(QFileInfo(QString::fromStdString(hits.entry.file)).baseName().toStdString());
    std::ranges::sort(files);
    return files;
}

using Names = std::vector<std::string>;

/// A session larger than what is read of its beginning.
std::string largeLog(const std::string &folder)
{
    testing::ClaudeLog log(folder);
    log.typed("mend the lexer");
    log.setUsage(0, 4'000, 10);
    for (int i = 0; i < 20; ++i) {
        log.call("Bash", { { "command", "make" } });
        log.result(std::string(20'000, 'x'));
        log.wait(1);
    }
    log.typed("thank you");
    return log.text();
}

std::vector<std::string> foldersOf(const IndexSearch &found)
{
    std::vector<std::string> folders;
    for (const SessionHits &hits : found.sessions)
        folders.push_back(hits.entry.folder);
    return folders;
}

} // namespace

class TestSessionIndex final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aListSaysWhatTheSessionsContain();
    void onlyChangedFilesAreReadAgain();
    void theIndexIsPrivateAndReplacedWhenDamaged();
    void indexesOfOtherVersionsAreLeftAlone();
    void damageInsideTheIndexIsNoticed();
    void excludedFoldersAreNotRead();
    void bothEndsOfALargeFileGiveItsRow();
    void aHeadIsReadInFullLater();
    void cutJsonBecomesComplete_data();
    void cutJsonBecomesComplete();
    void headsAgreeWithTheWhole_data();
    void headsAgreeWithTheWhole();
    void twoProgramsShareTheIndex();
    void everySessionIsSearched();
    void aChangedFileIsNotSearchedBlindly();
    void wordsBesideEachOtherComeFirst();
    void aSearchReadsFewBlocks();
    void theLogBesideADatabaseIsSearched();
    void findingsAreKept();
    void textsThatMayBeClearedAreUnknown();
    void subagentsStandBelowTheirSession();
    void originsLinkSessions();
    void theNewestSessionOfAProjectIsFound();
    void otherPricesGiveOtherCosts();
    void copiedCallsArePaidOnce();
    void filesAndIdsAreFoundByName();
    void sessionsWithTheSameTitleHaveNames();
    void entriesAgreeWithTheSessions_data();
    void entriesAgreeWithTheSessions();
    void searchesAgreeWithTheSearchOfAFile_data();
    void searchesAgreeWithTheSearchOfAFile();
};

void TestSessionIndex::aListSaysWhatTheSessionsContain()
{
    const Home home;
    auto index = home.index();
    QVERIFY(index);
    const auto update = index->update(home.places(), prices(), {});
    QVERIFY(update);
    QCOMPARE(update->files, size_t(3));
    const IndexedSessions known = index->sessions();
    QCOMPARE(known.entries.size(), size_t(2));
    QCOMPARE(known.otherFiles, size_t(1));
    const auto first = std::ranges::find(known.entries, std::string("/work/alpha"), &SessionEntry::folder);
    QVERIFY(first != known.entries.end());
    QCOMPARE(first->title, std::string("keep the stable link in the readme"));
    QCOMPARE(first->lastTyped, first->title);
    QCOMPARE(first->calls, uint64_t(2));
    QCOMPARE(first->typed, uint64_t(1));
    QCOMPARE(first->harnessName(), std::string_view("Claude Code"));
    QCOMPARE(first->project(), std::string_view("alpha"));
    QCOMPARE(first->peak, 4010.0);
    QVERIFY(first->isPeakRecorded);
    QVERIFY(first->cost.value_or(0) > 0);
    QCOMPARE(first->days.size(), size_t(1));
    QCOMPARE(first->days.front().calls, uint64_t(2));
    QVERIFY(!first->findings);
    const auto listed = listedSessions(known.entries);
    const nlohmann::ordered_json json = listJson(listed, known);
    QCOMPARE(json["schema"].get<std::string>(), std::string("palimpsest.list/1"));
    QCOMPARE(json["sessions"].size(), size_t(2));
    QVERIFY(drawList(listed, known).contains("keep the stable link"));
    QVERIFY(costsCsv(listed).contains("2026-01-01,/work/alpha,claude-opus-4-5,2,"));
}

void TestSessionIndex::onlyChangedFilesAreReadAgain()
{
    const Home home;
    auto index = home.index();
    QVERIFY(index && index->update(home.places(), prices(), {}));
    const auto again = index->update(home.places(), prices(), {});
    QVERIFY(again);
    QCOMPARE(again->read, size_t(0));
    // The same bytes with another time are not read as a session.
    home.write(u"claude/projects/alpha/first.jsonl"_s, home.first());
    const auto touched = index->update(home.places(), prices(), {});
    QVERIFY(touched);
    QCOMPARE(touched->read, size_t(1));
    QCOMPARE(touched->bytesRead, uint64_t(0));
    QCOMPARE(index->update(home.places(), prices(), {})->read, size_t(0));
    // A grown file is; a file that is gone is forgotten.
    std::string grown = home.first();
    const size_t firstLine = grown.find('\n') + 1;
    grown += grown.substr(0, firstLine);
    home.write(u"claude/projects/alpha/first.jsonl"_s, grown);
    QVERIFY(QFile::remove(QString::fromStdString(home.path(u"claude/projects/beta/second.jsonl"_s))));
    const auto changed = index->update(home.places(), prices(), {});
    QVERIFY(changed);
    QCOMPARE(changed->bytesRead, uint64_t(grown.size()));
    QCOMPARE(changed->gone, size_t(1));
    QCOMPARE(index->sessions().entries.size(), size_t(1));
    // What was kept is there in another run.
    auto other = home.index();
    QVERIFY(other);
    QCOMPARE(other->sessions().entries, index->sessions().entries);
}

void TestSessionIndex::theIndexIsPrivateAndReplacedWhenDamaged()
{
    const Home home;
    {
        auto index = home.index();
        QVERIFY(index && index->update(home.places(), prices(), {}));
    }
    const QStringList files = QDir(QString::fromStdString(home.path(u"cache"_s))).entryList(QDir::Files);
    QVERIFY(!files.isEmpty());
    for (const QString &file : files) {
        const auto modes = QFile::permissions(QString::fromStdString(home.path(u"cache/"_s + file)));
        QCOMPARE(modes & (QFile::ReadGroup | QFile::ReadOther | QFile::WriteGroup | QFile::WriteOther),
            QFile::Permissions());
    }
    home.write(u"cache/"_s + files.front(),
        "this is no database, and it is long enough to be taken for one " + std::string(4096, 'x'));
    auto index = home.index();
    QVERIFY(index);
    QCOMPARE(index->sessions().entries.size(), size_t(0));
    QVERIFY(index->update(home.places(), prices(), {}));
    QCOMPARE(index->sessions().entries.size(), size_t(2));
}

void TestSessionIndex::indexesOfOtherVersionsAreLeftAlone()
{
    const Home home;
    const std::string older = "the tables of an older version";
    const std::string newer = "the tables of a version to come";
    home.write(u"cache/index-1.sqlite"_s, older);
    home.write(u"cache/index-999.sqlite"_s, newer);
    {
        auto index = home.index();
        QVERIFY(index && index->update(home.places(), prices(), {}));
        QCOMPARE(index->sessions().entries.size(), size_t(2));
    }
    const auto again = home.index();
    QVERIFY(again);
    QCOMPARE(again->sessions().entries.size(), size_t(2));
    for (const auto &[name, text] :
        { std::pair(u"cache/index-1.sqlite"_s, older), { u"cache/index-999.sqlite"_s, newer } }) {
        QFile file(QString::fromStdString(home.path(name)));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll().toStdString(), text);
    }
}

/// The first page is whole, so that it opens. What is read or written then is not trusted, and the next run begins
/// anew.
void TestSessionIndex::damageInsideTheIndexIsNoticed()
{
    const Home home;
    {
        auto index = home.index();
        QVERIFY(index && index->update(home.places(), prices(), {}) && index->addTexts({}));
    }
    const QDir folder(QString::fromStdString(home.path(u"cache"_s)));
    QFile file(folder.filePath(folder.entryList({ u"*.sqlite"_s }, QDir::Files).front()));
    QVERIFY(file.open(QIODevice::ReadWrite));
    constexpr qint64 kPage = 4096;
    for (qint64 at = kPage; at < file.size(); at += kPage) {
        file.seek(at);
        file.write(QByteArray(200, '\xff'));
    }
    file.close();
    {
        auto index = home.index();
        QVERIFY(index);
        const auto update = index->update(home.places(), prices(), {});
        QVERIFY(!update);
        QCOMPARE(update.error().kind, ErrorKind::Malformed);
        QVERIFY(index->database().isDamaged());
    }
    auto index = home.index();
    QVERIFY(index && index->update(home.places(), prices(), {}));
    QCOMPARE(index->sessions().entries.size(), size_t(2));
    QVERIFY(!index->database().isDamaged());
}

void TestSessionIndex::excludedFoldersAreNotRead()
{
    const Home home;
    home.write(u".config/palimpsest/excluded-folders"_s, home.path(u"claude/projects/beta"_s) + "\n");
    auto index = home.index();
    QVERIFY(index && index->update(home.places(), prices(), {}));
    const IndexedSessions known = index->sessions();
    QCOMPARE(known.entries.size(), size_t(1));
    QCOMPARE(known.entries.front().folder, std::string("/work/alpha"));
    QCOMPARE(known.files, size_t(1));
}

void TestSessionIndex::bothEndsOfALargeFileGiveItsRow()
{
    const Home home;
    const std::string log = largeLog("/work/gamma");
    home.write(u"claude/projects/gamma/large.jsonl"_s, log);
    const std::string path = home.path(u"claude/projects/gamma/large.jsonl"_s);
    const SessionHead head = headOf(*sessionFileAt(path));
    QCOMPARE(head.bytesRead, 2 * SessionHead::kBytes);
    QCOMPARE(head.entries.size(), size_t(1));
    const SessionEntry &entry = head.entries.front();
    const SessionEntry whole = entriesOf(*loadSession(path), path, prices()).front();
    QVERIFY(entry.isHead && !whole.isHead);
    QCOMPARE(entry.title, std::string("mend the lexer"));
    QCOMPARE(entry.folder, whole.folder);
    QCOMPARE(entry.model, whole.model);
    QCOMPARE(entry.begin, whole.begin);
    QCOMPARE(entry.end, whole.end);
    QCOMPARE(entry.calls, uint64_t(0));
    QCOMPARE(entry.lastTyped, std::string());
    // The update reads every large new file at both ends, and every file once as a whole.
    auto index = home.index();
    const auto update = index->update(home.places(), prices(), {});
    QVERIFY(update);
    QCOMPARE(update->heads, size_t(1));
    QCOMPARE(update->headBytesRead, 2 * SessionHead::kBytes);
    const IndexedSessions known = index->sessions();
    QCOMPARE(update->bytesRead, known.bytes);
    QCOMPARE(known.heads, size_t(0));
    QVERIFY(std::ranges::none_of(known.entries, &SessionEntry::isHead));
    QCOMPARE(index->update(home.places(), prices(), {})->headBytesRead, uint64_t(0));
}

/// A program that ends in between leaves heads. Another program that has read the file already keeps its row.
void TestSessionIndex::aHeadIsReadInFullLater()
{
    const Home home;
    home.write(u"claude/projects/gamma/large.jsonl"_s, largeLog("/work/gamma"));
    const std::string path = home.path(u"claude/projects/gamma/large.jsonl"_s);
    const SessionFile file = *sessionFileAt(path);
    auto index = home.index();
    FileWriter writer(index->database());
    writer.putHead(file, headOf(file).entries);
    const IndexedSessions before = index->sessions();
    QCOMPARE(before.heads, size_t(1));
    QCOMPARE(before.entries.size(), size_t(1));
    QVERIFY(before.entries.front().isHead);
    QCOMPARE(before.entries.front().title, std::string("mend the lexer"));
    QVERIFY(index->addTexts({}));
    QCOMPARE(filesFound(*index, "lexer"), Names {}); // its texts come when it has been read
    QVERIFY(index->update(home.places(), prices(), {}) && index->addTexts({}));
    const IndexedSessions after = index->sessions();
    QCOMPARE(after.heads, size_t(0));
    writer.putHead(file, headOf(file).entries);
    QCOMPARE(index->sessions().entries, after.entries);
    QCOMPARE(filesFound(*index, "lexer"), Names { "large" });
}

void TestSessionIndex::cutJsonBecomesComplete_data()
{
    QTest::addColumn<QString>("cut");
    QTest::addColumn<QString>("complete");
    QTest::newRow("a list in an object") << R"({"id":1,"messages":[{"a":[1,2]},{"b":3},{"c":[1,)"
                                         << R"({"id":1,"messages":[{"a":[1,2]},{"b":3}]})";
    QTest::newRow("a list whose first element is cut") << R"({"samples":[{"id":"x","messages":[{"a":1},{"b":)"
                                                       << R"({"samples":[{"id":"x","messages":[{"a":1}]}]})";
    QTest::newRow("an object in an object") << R"({"a":{"b":"c","d":"e)" << R"({"a":{"b":"c"}})";
    QTest::newRow("values behind each other") << "{\"a\":1}\n{\"b\":2}\n{\"c\":[1" << "{\"a\":1}\n{\"b\":2}";
    QTest::newRow("brackets and quotes in strings")
        << R"([{"a":"]}\""},{"b":"[{\\"},{"c)" << R"([{"a":"]}\""},{"b":"[{\\"}])";
    QTest::newRow("a list of words") << "[true,null,1.5e3,12" << "[true,null,1.5e3]";
    QTest::newRow("a complete text") << R"({"a":[1]})" << R"({"a":[1]})";
    QTest::newRow("one long string") << R"({"a":"bcd)" << "";
    QTest::newRow("a name without a value") << R"({"a")" << "";
    QTest::newRow("nothing") << "" << "";
    QTest::newRow("damage") << "]" << "";
}

void TestSessionIndex::cutJsonBecomesComplete()
{
    QFETCH(const QString, cut);
    QFETCH(const QString, complete);
    QCOMPARE(QString::fromStdString(completeJson(cut.toStdString())), complete);
}

void TestSessionIndex::headsAgreeWithTheWhole_data() { testing::addCorpusRows(3); }

/// What a row of a head shows, the row of the whole file shows too.
void TestSessionIndex::headsAgreeWithTheWhole()
{
    QFETCH(const QString, file);
    if (file.isEmpty())
        QSKIP("The corpus is not beside the repository.");
    const std::string path = (testing::corpus() / file.toStdString()).string();
    const auto found = sessionFileAt(path);
    const auto session = loadSession(path);
    if (!found || found->size <= SessionHead::kBytes || !session)
        return;
    const SessionHead head = headOf(*found);
    QVERIFY(head.bytesRead <= 2 * (SessionHead::kMostBytes + SessionHead::kBytes));
    const std::vector<SessionEntry> whole = entriesOf(*session, path, prices());
    for (const SessionEntry &entry : head.entries) {
        const auto same = std::ranges::find(whole, entry.thread, &SessionEntry::thread);
        QVERIFY(same != whole.end());
        QCOMPARE(entry.harnessName(), same->harnessName());
        if (!entry.title.empty()) // the first typed message may come later
            QCOMPARE(entry.title, same->title);
        QCOMPARE(entry.folder, same->folder);
        QCOMPARE(entry.begin, same->begin);
        QCOMPARE(entry.model, same->model);
        if (!entry.id.empty())
            QCOMPARE(entry.id, same->id);
        // To the minute: that is what the list shows.
        const Timestamp end = same->end.value_or(found->changed / 1'000'000);
        if (entry.end != found->changed / 1'000'000)
            QVERIFY(std::abs(*entry.end - end) < 60'000);
    }
}

void TestSessionIndex::twoProgramsShareTheIndex()
{
    const Home home;
    for (int i = 0; i < 30; ++i)
        home.write(u"claude/projects/alpha/copy-%1.jsonl"_s.arg(i), home.first());
    auto a = home.index();
    auto b = home.index();
    QVERIFY(a && b);
    bool isDone = false;
    std::jthread other([&] { isDone = a->update(home.places(), prices(), {}) && a->addTexts({}); });
    QVERIFY(b->update(home.places(), prices(), {}));
    QVERIFY(b->addTexts({}));
    other.join();
    QVERIFY(isDone);
    const IndexedSessions known = b->sessions();
    QCOMPARE(known.entries.size(), size_t(32));
    QCOMPARE(known.withoutTexts, size_t(0));
    QCOMPARE(filesFound(*b, "\"stable link\"").size(), size_t(31));
}

void TestSessionIndex::everySessionIsSearched()
{
    const Home home;
    auto index = home.index();
    QVERIFY(index && index->update(home.places(), prices(), {}) && index->addTexts({}));
    QCOMPARE(filesFound(*index, "\"stable link\""), Names { "first" });
    QCOMPARE(filesFound(*index, "\"stable lin\""), Names { "first" });
    QCOMPARE(filesFound(*index, "stable readme"), Names { "first" });
    QCOMPARE(filesFound(*index, "\"link stable\""), Names {});
    QCOMPARE(filesFound(*index, "überblick"), Names { "second" });
    QCOMPARE(filesFound(*index, "the"), (Names { "first", "second" }));
    QCOMPARE(filesFound(*index, "tool:Bash error"), Names { "first" });
    QCOMPARE(filesFound(*index, "tool:re*"), (Names { "first", "second" }));
    QCOMPARE(filesFound(*index, "file:parser.cpp"), Names { "first" });
    QCOMPARE(filesFound(*index, "typed -link"), Names { "second" });
    QCOMPARE(filesFound(*index, "role:user cache"), Names { "second" });
    QCOMPARE(filesFound(*index, "lost"), Names {});
    QCOMPARE(filesFound(*index, "hot"), Names { "\"hot\" depends on a call: open a session to search for it." });
    QCOMPARE(filesFound(*index, "\"->\""), Names { "A search over all sessions needs a word: \"->\" has none." });
    const auto found = searchIndex(*index, index->sessions(), *parseQuery("\"stable link\""), {});
    const IndexHit &hit = found->sessions.front().hits.front();
    QVERIFY(hit.snippet.text.contains("stable link"));
    QCOMPARE(stateText(hit.shown, hit.life), std::string("typed, in context at the end"));
    QCOMPARE(hit.life.first, 0U);
}

void TestSessionIndex::aChangedFileIsNotSearchedBlindly()
{
    const Home home;
    auto index = home.index();
    QVERIFY(index && index->update(home.places(), prices(), {}) && index->addTexts({}));
    home.write(u"claude/projects/alpha/first.jsonl"_s, std::string(40, ' ') + home.first());
    const auto found = searchIndex(*index, index->sessions(), *parseQuery("\"stable link\""), {});
    QVERIFY(found);
    QCOMPARE(found->sessions.size(), size_t(0));
    QCOMPARE(found->changedFiles, size_t(1));
    QVERIFY(index->update(home.places(), prices(), {}) && index->addTexts({}));
    QCOMPARE(filesFound(*index, "\"stable link\""), Names { "first" });
}

void TestSessionIndex::wordsBesideEachOtherComeFirst()
{
    const Home home; // its first session has "the stable link in the readme"
    testing::ClaudeLog newer("/work/newer");
    newer.wait(20);
    newer.typed("link the stable and the unstable"); // both words
    newer.call("Bash", { { "command", "ls" } });
    newer.result("a");
    home.write(u"claude/projects/newer/newer.jsonl"_s, newer.text());
    testing::ClaudeLog both("/work/both");
    both.typed("a link to something stable");
    both.call("Bash", { { "command", "ls" } });
    both.result("see Stable Link below");
    home.write(u"claude/projects/both/both.jsonl"_s, both.text());
    auto index = home.index();
    QVERIFY(index && index->update(home.places(), prices(), {}) && index->addTexts({}));
    const IndexedSessions known = index->sessions();
    const auto search = [&](const char *line, const IndexSearchLimits &limits) {
        return *searchIndex(*index, known, *parseQuery(line), limits);
    };
    const IndexSearch found = search("stable link", {});
    QCOMPARE(found.sessions.size(), size_t(3));
    QCOMPARE(foldersOf(found).back(), std::string("/work/newer"));
    QVERIFY(found.sessions[0].hasPhrase() && found.sessions[1].hasPhrase() && !found.sessions[2].hasPhrase());
    const auto mixed = std::ranges::find(
        found.sessions, std::string("/work/both"), [](const SessionHits &hits) { return hits.entry.folder; });
    QCOMPARE(mixed->hits.size(), size_t(2));
    QVERIFY(mixed->hits[0].snippet.text.contains("Stable Link") && mixed->hits[0].isPhrase);
    QVERIFY(!mixed->hits[1].isPhrase);
    // The order of the words counts; without a phrase the newest comes first.
    QCOMPARE(foldersOf(search("link stable", {})).front(), std::string("/work/newer"));
    // Old sessions with the phrase push newer ones out of a short list.
    const IndexSearch two = search("stable link", { 2, 3 });
    QVERIFY(two.hasMore && two.sessions.size() == 2 && two.sessions[1].hasPhrase());
    // The phrase is looked for in a limited number of blocks.
    const IndexSearch none = search("stable link", { 100, 3, 0 });
    QCOMPARE(foldersOf(none).size(), size_t(3));
    const nlohmann::ordered_json json = searchSessionsJson(found, "stable link");
    QCOMPARE(json["schema"], "palimpsest.search_sessions/2");
    QCOMPARE(json["sessions"][0]["has_phrase"], true);
    QCOMPARE(json["sessions"][2]["has_phrase"], false);
}

void TestSessionIndex::aSearchReadsFewBlocks()
{
    const Home home;
    testing::ClaudeLog log("/work/many");
    log.typed("begin");
    for (int i = 0; i < 40; ++i) {
        log.call("Bash", { { "command", "cat fruit" } });
        log.result("apple pie");
    }
    for (int i = 0; i < 20; ++i)
        home.write(u"claude/projects/many/copy-%1.jsonl"_s.arg(i), log.text());
    auto index = home.index();
    QVERIFY(index && index->update(home.places(), prices(), {}) && index->addTexts({}));
    const IndexedSessions known = index->sessions();
    // As many hits as are asked for, and one that tells that there are more.
    const auto found = searchIndex(*index, known, *parseQuery("apple"), { 5, 3 });
    QCOMPARE(found->sessions.size(), size_t(5));
    QVERIFY(found->hasMore && found->sessions.front().hasMore);
    QCOMPARE(found->blocksRead, size_t(5 * 4));
    const auto limited = searchIndex(*index, known, *parseQuery("pie apple"), { 5, 3, 50 });
    QVERIFY2(limited->blocksRead <= 50 + 5 * 4, qPrintable(QString::number(limited->blocksRead)));
}

/// A harness that runs leaves its newest texts in the log beside its database.
void TestSessionIndex::theLogBesideADatabaseIsSearched()
{
    const Home home;
    QDir().mkpath(QString::fromStdString(home.path(u".local/share/crush"_s)));
    const std::string path = home.path(u".local/share/crush/crush.db"_s);
    sqlite3 *opened = nullptr;
    QCOMPARE(sqlite3_open(path.c_str(), &opened), SQLITE_OK);
    const std::unique_ptr<sqlite3, int (*)(sqlite3 *)> database(opened, sqlite3_close_v2);
    const auto run = [&](const std::string &statements) {
        return sqlite3_exec(opened, statements.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
    };
    const auto message = [](const std::string &id, const std::string &role, const std::string &words) {
        return "INSERT INTO messages VALUES('" + id + "','s','" + role + R"(','[{"type":"text","data":{"text":")"
            + words + R"("}}]','',1754898402,'p',0);)";
    };
    QVERIFY(
        run("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;"
            "CREATE TABLE sessions(id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT, summary_message_id TEXT, "
            "updated_at INTEGER, created_at INTEGER);"
            "CREATE TABLE messages(id TEXT PRIMARY KEY, session_id TEXT, role TEXT, parts TEXT, model TEXT, "
            "created_at INTEGER, provider TEXT, is_summary_message INTEGER DEFAULT 0);"
            "INSERT INTO sessions VALUES('s',NULL,'fruit',NULL,1,1);"
            + message("m1", "user", "plant an orchard") + "PRAGMA wal_checkpoint(TRUNCATE);"));
    auto index = home.index();
    QVERIFY(index && index->update(home.places(), prices(), {}) && index->addTexts({}));
    QCOMPARE(filesFound(*index, "orchard"), Names { "crush" });
    QVERIFY(run(message("m2", "assistant", "water the quinces")));
    QFile file(QString::fromStdString(path));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(!file.readAll().contains("quinces")); // only the log has it
    QVERIFY(index->update(home.places(), prices(), {}) && index->addTexts({}));
    QCOMPARE(filesFound(*index, "quinces"), Names { "crush" });
    QCOMPARE(filesFound(*index, "orchard"), Names { "crush" });
    const auto found = searchIndex(*index, index->sessions(), *parseQuery("\"water the quinces\""), {});
    QVERIFY(found->sessions.front().hits.front().snippet.text.contains("water the quinces"));
}

void TestSessionIndex::findingsAreKept()
{
    const Home home;
    testing::ClaudeLog log("/work/gamma");
    log.typed("never remove the stable link");
    log.call("Bash", { { "command", "ls" } });
    log.result("a");
    log.compact("A summary about something else.");
    log.typed("go on");
    log.call("Bash", { { "command", "ls" } });
    log.result("a");
    home.write(u"claude/projects/gamma/third.jsonl"_s, log.text());
    auto index = home.index();
    QVERIFY(index && index->update(home.places(), prices(), {}) && index->addFindings(prices(), {}));
    const IndexedSessions known = index->sessions();
    QCOMPARE(known.withoutFindings, size_t(0));
    for (const SessionEntry &entry : known.entries) {
        const auto session = loadSession(entry.file);
        QVERIFY(session && entry.findings);
        const auto findings = findFindings(*session, countedTokens(**session, 1, nullptr), prices());
        QCOMPARE(*entry.findings, entryFindings(*findings, ThreadIndex(entry.thread)));
    }
    const auto third = std::ranges::find(known.entries, std::string("/work/gamma"), &SessionEntry::folder);
    QVERIFY(third != known.entries.end());
    const std::vector<FindingChip> chips = findingChips(*third);
    QVERIFY(!chips.empty());
    QCOMPARE(chips.front().text, std::string("1 message lost"));
}

/// The prompt of the fourth call falls by about the tokens of the first result; no record says why.
void TestSessionIndex::textsThatMayBeClearedAreUnknown()
{
    const Home home;
    const auto words = [](const std::string &first, int count) {
        std::string text = first;
        for (int i = 0; i < count; ++i)
            text += " tree" + std::to_string(i % 7);
        return text;
    };
    testing::ClaudeLog log("/work/gamma");
    log.typed("count the trees");
    for (const auto &[prompt, text] :
        std::initializer_list<std::pair<uint64_t, std::string>> { { 20'000, words("quince", 2'500) },
            { 27'000, words("medlar", 1'500) }, { 31'500, "rowan" }, { 25'000, "hazel" }, { 25'100, "alder" } }) {
        log.setUsage(0, prompt, 0);
        log.call("Bash", { { "command", "ls" } });
        log.result(text);
    }
    home.write(u"claude/projects/gamma/third.jsonl"_s, log.text());
    auto index = home.index();
    QVERIFY(index && index->update(home.places(), prices(), {}) && index->addTexts({}));
    const auto found = [&](const char *query) {
        return searchIndex(*index, index->sessions(), *parseQuery(query), {})->sessions.front().hits.front();
    };
    QVERIFY(found("quince").life.isAtEnd);
    QCOMPARE(found("quince").life.unknownFrom, BlockLife::kNever);
    QVERIFY(index->addFindings(prices(), {}));
    const auto session = *loadSession(home.path(u"claude/projects/gamma/third.jsonl"_s));
    const BlockLivesPtr lives = blockLives(session, countedTokens(*session, 1, nullptr), 1, nullptr);
    QCOMPARE(found("quince").life.unknownFrom, uint32_t(3));
    for (const char *tree : { "quince", "medlar", "hazel" })
        QCOMPARE(found(tree).life.unknownFrom, lives->of(found(tree).block).unknownFrom);
    QVERIFY(stateText(found("quince").shown, found("quince").life).starts_with("unknown from call 3"));
}

void TestSessionIndex::subagentsStandBelowTheirSession()
{
    const Home home;
    testing::ClaudeLog parent("/work/alpha");
    parent.typed("ask somebody");
    parent.call("Task", { { "prompt", "look" } });
    parent.result("seen");
    testing::ClaudeLog child("/work/alpha");
    child.typed("look");
    child.setUsage(0, 1'000, 10);
    child.call("Bash", { { "command", "ls" } });
    child.result("a");
    // ClaudeLog writes the session id "session".
    home.write(u"claude/projects/alpha/session.jsonl"_s, parent.text());
    home.write(u"claude/projects/alpha/session/subagents/agent-a1.jsonl"_s, child.text());
    home.write(u"claude/projects/alpha/agent-a2.jsonl"_s, child.text()); // as older versions did
    auto index = home.index();
    QVERIFY(index && index->update(home.places(), prices(), {}));
    const IndexedSessions known = index->sessions();
    const auto listed = listedSessions(known.entries);
    const auto owner = std::ranges::find_if(
        listed, [](const ListedSession &session) { return session.entry->title == "ask somebody"; });
    QVERIFY(owner != listed.end());
    QCOMPARE(owner->subagents.size(), size_t(2));
    QCOMPARE(owner->subagentCount(), uint64_t(2));
    QCOMPARE(*owner->cost(), owner->entry->cost.value_or(0) + 2 * *owner->subagents.front()->cost);
    QCOMPARE(owner->entry->id, std::string("session"));
    QVERIFY(std::ranges::none_of(listed, [](const ListedSession &session) { return session.entry->title == "look"; }));
}

/// Codex names the session that started a subagent or was forked by its id, pi by its file.
void TestSessionIndex::originsLinkSessions()
{
    const Home home;
    const auto codex = [&](const QString &id, const std::string &origin) {
        const std::string name = id.toStdString();
        home.write(u".codex/sessions/2026/01/02/rollout-2026-01-02T10-00-00-%1.jsonl"_s.arg(id),
            R"({"timestamp":"2026-01-02T10:00:00.000Z","type":"session_meta","payload":{"id":")" + name
                + R"(","timestamp":"2026-01-02T10:00:00.000Z","cwd":"/work/gamma","originator":"codex_cli_rs","cli_version":"0.146.0")"
                + origin + "}}\n"
                + R"({"timestamp":"2026-01-02T10:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"ask )"
                + name + "\"}]}}\n");
    };
    codex(u"top"_s, R"(,"source":"cli")");
    codex(u"helper"_s, R"(,"source":{"subagent":{"thread_spawn":{"parent_thread_id":"top","depth":1}}})");
    codex(u"below"_s, R"(,"parent_thread_id":"helper")");
    codex(u"fork"_s, R"(,"forked_from_id":"top")");
    codex(u"orphan"_s, R"(,"forked_from_id":"gone")");
    const auto pi = [&](const QString &id, const std::string &parent) {
        home.write(u".pi/agent/sessions/delta/%1.jsonl"_s.arg(id),
            R"({"type":"session","version":3,"id":")" + id.toStdString()
                + R"(","timestamp":"2026-01-03T10:00:00.000Z","cwd":"/work/delta")" + parent + "}\n"
                + R"({"type":"message","id":"0000000a","parentId":null,"timestamp":"2026-01-03T10:00:01.000Z","message":{"role":"user","content":[{"type":"text","text":"plan"}],"timestamp":1767434401000}})"
                + "\n");
    };
    pi(u"plan"_s, {});
    pi(u"copy"_s, R"(,"parentSession":")" + home.path(u".pi/agent/sessions/delta/plan.jsonl"_s) + "\"");
    auto index = home.index();
    QVERIFY(index && index->update(home.places(), prices(), {}));
    const IndexedSessions known = index->sessions();
    const auto listed = listedSessions(known.entries);
    const auto idsOf = [](const std::vector<const SessionEntry *> &entries) {
        std::set<std::string> ids;
        for (const SessionEntry *entry : entries)
            ids.insert(entry->id);
        return ids;
    };
    const auto listedAs = [&](const std::string &id) {
        const auto found = std::ranges::find(listed, id, [](const ListedSession &each) { return each.entry->id; });
        return found == listed.end() ? nullptr : &*found;
    };
    const ListedSession *top = listedAs("top");
    QVERIFY(top != nullptr);
    QCOMPARE(idsOf(top->subagents), (std::set<std::string> { "below", "helper" }));
    QCOMPARE(idsOf(top->forks), std::set<std::string> { "fork" });
    QVERIFY(listedAs("helper") == nullptr && listedAs("below") == nullptr);
    QVERIFY(listedAs("fork") != nullptr && listedAs("fork")->origin == top->entry);
    QVERIFY(listedAs("orphan") != nullptr && listedAs("orphan")->origin == nullptr);
    QVERIFY(listedAs("copy") != nullptr && listedAs("copy")->origin != nullptr);
    QCOMPARE(listedAs("copy")->origin->id, std::string("plan"));
    const auto json = listJson(listed, known);
    const auto row = std::ranges::find(json["sessions"], "top", [](const auto &each) { return each["id"]; });
    QVERIFY(row != json["sessions"].end());
    QCOMPARE((*row)["forks"], (nlohmann::ordered_json { listedAs("fork")->entry->file }));
    // What was written is read again.
    auto again = home.index();
    QVERIFY(again && again->update(home.places(), prices(), {}));
    QCOMPARE(again->sessions().entries, known.entries);
}

void TestSessionIndex::theNewestSessionOfAProjectIsFound()
{
    const Home home;
    auto index = home.index();
    QVERIFY(index);
    const auto nameOf = [&](const std::string &project) {
        const auto found = index->latest(home.places(), project);
        return found ? QFileInfo(QString::fromStdString(*found)).baseName() : QString();
    };
    for (int pass = 0; pass < 2; ++pass) { // without and with the index
        QCOMPARE(nameOf("/work/alpha"), u"first"_s);
        QCOMPARE(nameOf("/work/alpha/src"), u"first"_s);
        QCOMPARE(nameOf("/work/beta"), u"second"_s);
        QVERIFY(!nameOf("/work").isEmpty());
        QVERIFY(nameOf("/other").isEmpty());
        QVERIFY(index->update(home.places(), prices(), {}));
    }
}

void TestSessionIndex::otherPricesGiveOtherCosts()
{
    const Home home;
    auto index = home.index();
    QVERIFY(index && index->update(home.places(), prices(), {}));
    const auto costOf = [&] {
        const IndexedSessions known = index->sessions();
        return std::ranges::find(known.entries, std::string("/work/alpha"), &SessionEntry::folder)->cost;
    };
    QVERIFY(costOf());
    const auto again = index->update(home.places(), Prices(), {});
    QVERIFY(again);
    QCOMPARE(again->read, size_t(3));
    QVERIFY(!costOf());
}

/// A resumed or forked session begins with a copy of the calls before it.
void TestSessionIndex::copiedCallsArePaidOnce()
{
    const Home home;
    testing::ClaudeLog log("/work/gamma");
    log.typed("begin");
    log.setUsage(0, 4'321, 10);
    log.call("Bash", { { "command", "ls" } });
    log.result("a");
    const std::string origin = log.text();
    log.wait(10);
    log.setUsage(4'321, 1'000, 10);
    log.call("Bash", { { "command", "make" } });
    log.result("b");
    home.write(u"claude/projects/gamma/origin.jsonl"_s, origin);
    home.write(u"claude/projects/gamma/fork.jsonl"_s, log.text());
    auto index = home.index();
    QVERIFY(index && index->update(home.places(), prices(), {}));
    const auto named = [&](const IndexedSessions &known, const std::string &name) {
        return *std::ranges::find_if(known.entries, [&](const SessionEntry &each) { return each.file.contains(name); });
    };
    const IndexedSessions known = index->sessions();
    const SessionEntry first = named(known, "origin");
    const SessionEntry fork = named(known, "fork");
    QCOMPARE(first.days.size(), size_t(1));
    QCOMPARE(first.days[0].calls, uint64_t(1));
    QCOMPARE(first.days[0].tokens, uint64_t(4'336));
    QCOMPARE(fork.days.size(), size_t(1));
    QCOMPARE(fork.days[0].calls, uint64_t(1)); // of two
    QCOMPARE(fork.days[0].tokens, uint64_t(5'336));
    QCOMPARE(fork.calls, uint64_t(2));
    // What is left out is known, so that the list can say why its rows sum to more.
    QVERIFY(first.copied.empty());
    QCOMPARE(fork.copied.size(), size_t(1));
    QCOMPARE(fork.copied[0].calls, uint64_t(1));
    QCOMPARE(fork.copied[0].tokens, uint64_t(4'336));
    QVERIFY(std::abs(*fork.copied[0].cost + *fork.days[0].cost - *fork.cost) < 1e-12);
    const std::vector<ListedSession> listed = listedSessions(known.entries);
    const auto forked = std::ranges::find(listed, fork.file, [](const auto &each) { return each.entry->file; });
    QCOMPARE(forked->copiedCalls(), uint64_t(1));
    QCOMPARE(forked->copiedCost(), *fork.copied[0].cost);
    QVERIFY(drawList(listed, known).contains("fork.jsonl · 1 call copied"));
    QCOMPARE(listJson(listed, known)["sessions"][0]["copied"]["calls"], 1);
    // Both begin with the same message: the names of their files tell them apart.
    QCOMPARE(forked->name, std::string("fork.jsonl"));
    QVERIFY(std::abs(*first.days[0].cost + *fork.days[0].cost - *fork.cost) < 1e-12); // its own cost is that of both
    // Without the origin the fork has both calls.
    QVERIFY(QFile::remove(QString::fromStdString(home.path(u"claude/projects/gamma/origin.jsonl"_s))));
    QVERIFY(index->update(home.places(), prices(), {}));
    QCOMPARE(named(index->sessions(), "fork").days[0].calls, uint64_t(2));
}

void TestSessionIndex::filesAndIdsAreFoundByName()
{
    const Home home;
    testing::ClaudeLog log("/work/gamma");
    log.typed("begin with cd-95adddad32");
    log.call("Bash", { { "command", "ls" } });
    log.result("a");
    home.write(u"claude/projects/gamma/mentions.jsonl"_s, log.text());
    testing::ClaudeLog other("/work/gamma");
    other.typed("something else");
    other.call("Bash", { { "command", "make" } });
    other.result("b");
    home.write(u"claude/projects/gamma/cd-95adddad32-0.full.jsonl"_s, other.text());
    auto index = home.index();
    QVERIFY(index && index->update(home.places(), prices(), {}) && index->addTexts({}));
    IndexedSessions known = index->sessions();
    const auto namesOf = [&](const char *line) {
        Names names;
        const auto found = searchIndex(*index, known, *parseQuery(line), {});
        for (const SessionHits &hits : found->sessions)
            names.push_back(hits.entry.file.substr(hits.entry.file.rfind('/') + 1) + "|" + hits.name);
        return names;
    };
    const Names both { "mentions.jsonl|", "cd-95adddad32-0.full.jsonl|cd-95adddad32-0.full.jsonl" };
    QCOMPARE(namesOf("cd-95adddad32"), both); // texts first
    QCOMPARE(namesOf("95ADDDAD"), both);
    QCOMPARE(namesOf("adddad32-0"), Names { both[1] }); // inside a word
    QCOMPARE(namesOf("cd-95adddad32-0.full.jsonl"), Names { both[1] });
    QCOMPARE(namesOf("full 95adddad"), Names { both[1] }); // every text
    QCOMPARE(namesOf("full tool:Bash"), Names {});         // a block has a tool, a name has none
    QCOMPARE(namesOf("full -begin"), Names {});
    QCOMPARE(namesOf("jsonl"), Names {});       // every file ends with it
    QCOMPARE(namesOf("cd"), Names { both[0] }); // too short for a name
    for (SessionEntry &entry : known.entries)
        entry.id = entry.file.contains("mentions") ? "0f3a77c2" : "";
    QCOMPARE(namesOf("f3a77"), Names { "mentions.jsonl|0f3a77c2" });
    const auto found = searchIndex(*index, known, *parseQuery("f3a77"), {});
    QVERIFY(drawSessionSearch(*found).contains("only its name matches: 0f3a77c2"));
    QCOMPARE(searchSessionsJson(*found, "f3a77")["sessions"][0]["name"], "0f3a77c2");
    const auto limited = searchIndex(*index, known, *parseQuery("95adddad"), { 1, 3 });
    QVERIFY(limited->hasMore && limited->sessions.size() == 1);
}

void TestSessionIndex::sessionsWithTheSameTitleHaveNames()
{
    const auto entry = [](const char *file, const char *id, const char *title) {
        SessionEntry made;
        made.file = file;
        made.id = id;
        made.title = title;
        return made;
    };
    const auto namesOf = [](const std::vector<SessionEntry> &entries) {
        Names names;
        for (const ListedSession &session : listedSessions(entries))
            names.push_back(session.name);
        return names;
    };
    QCOMPARE(namesOf({ entry("/a/x.jsonl", "1", "one"), entry("/a/y.jsonl", "2", "two") }), (Names { "", "" }));
    QCOMPARE(namesOf({ entry("/a/x.jsonl", "1", "one"), entry("/a/y.jsonl", "2", "one") }),
        (Names { "x.jsonl", "y.jsonl" }));
    QCOMPARE(namesOf({ entry("/a/x.db", "1", "one"), entry("/a/x.db", "2", "one") }), (Names { "1", "2" }));
    QCOMPARE(
        namesOf({ entry("/a/x.json", "", "one"), entry("/b/x.json", "", "one") }), (Names { "a/x.json", "b/x.json" }));
    // Titles that only differ where no list shows them look the same.
    const std::string longTitle(80, 't');
    QCOMPARE(namesOf({ entry("/a/x.jsonl", "1", (longTitle + "1").c_str()),
                 entry("/a/y.jsonl", "2", (longTitle + "2").c_str()) }),
        (Names { "x.jsonl", "y.jsonl" }));
}

void TestSessionIndex::entriesAgreeWithTheSessions_data() { testing::addCorpusRows(4); }

void TestSessionIndex::entriesAgreeWithTheSessions()
{
    QFETCH(const QString, file);
    if (file.isEmpty())
        QSKIP("The corpus is not beside the repository.");
    const std::filesystem::path path = testing::corpus() / file.toStdString();
    const auto session = loadSession(path);
    if (!session)
        return;
    const std::vector<SessionEntry> entries = entriesOf(*session, path.string(), prices());
    const SessionCost cost = recordedCost(**session, recordedCache(**session, *roughTokens(**session)), prices());
    double sum = 0;
    uint64_t calls = 0;
    for (const SessionEntry &entry : entries) {
        const Thread &thread = (*session)->threads[entry.thread];
        sum += entry.cost.value_or(0);
        QCOMPARE(entry.calls, thread.calls.size());
        double peak = 0;
        for (const Call &call : thread.calls)
            peak = std::max(peak, call.prompt().value_or(0));
        if (peak > 0)
            QCOMPARE(entry.peak, peak);
        QVERIFY(entry.curve.size() == std::min<size_t>(thread.calls.size(), SessionEntry::kCurvePoints));
        calls += entry.calls;
        for (const DayCost &day : entry.days)
            QVERIFY(day.calls > 0);
    }
    QVERIFY(std::abs(sum - cost.recorded) <= 1e-9 * (1 + cost.recorded));
    uint64_t all = 0;
    for (const Thread &thread : (*session)->threads)
        all += thread.kind == ThreadKind::Subagent ? 0 : thread.calls.size();
    QCOMPARE(calls, all);
}

void TestSessionIndex::searchesAgreeWithTheSearchOfAFile_data() { testing::addCorpusRows(6); }

/// What the index finds is what the search of the file finds, but for words that a text of the query cuts in front.
void TestSessionIndex::searchesAgreeWithTheSearchOfAFile()
{
    QFETCH(const QString, file);
    if (file.isEmpty())
        QSKIP("The corpus is not beside the repository.");
    const std::filesystem::path path = testing::corpus() / file.toStdString();
    const auto session = loadSession(path);
    if (!session)
        return;
    const Home home;
    const std::string name = "corpus" + path.extension().string();
    QDir().mkpath(QString::fromStdString(home.path(u"sessions"_s)));
    QVERIFY(
        QFile::copy(QString::fromStdString(path.string()), QString::fromStdString(home.path(u"sessions/"_s) + name)));
    SessionPlaces places;
    places.folders = { home.path(u"sessions"_s) };
    auto index = SessionIndex::inMemory();
    QVERIFY(index && index->update(places, prices(), {}) && index->addTexts({}));
    const IndexedSessions known = index->sessions();
    if (known.entries.empty())
        return; // the name is not one of a session
    SearchGround ground { *session, nullptr, nullptr, {} };
    QVERIFY(ground.complete(1, nullptr));
    for (const char *line : { "role:user", "tool:Bash", "error", "typed", "kind:thinking", "lost", "tokens>1000",
             "call>3", "role:assistant -typed", "the", "\"file_path\"", "file:test", "return error", "\"the user\"" }) {
        const auto query = parseQuery(line);
        std::set<uint32_t> wanted;
        for (const SearchHit &hit : searchAll(ground, *query, 1))
            wanted.insert(hit.block.value());
        std::set<uint32_t> found;
        const auto search = searchIndex(*index, known, *query, { SIZE_MAX, SIZE_MAX });
        QVERIFY(search);
        for (const SessionHits &hits : search->sessions) {
            for (const IndexHit &hit : hits.hits)
                found.insert(hit.block.value());
        }
        QVERIFY2(std::ranges::includes(wanted, found), line);
        if (query->firstText() == nullptr)
            QVERIFY2(found == wanted, line);
    }
}

PALIMPSEST_TEST(TestSessionIndex)
#include "tst_session_index.moc"
