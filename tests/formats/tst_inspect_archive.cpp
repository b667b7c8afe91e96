// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/archive.h"
#include "core/writing/splice.h"
#include "tests/session_testing.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <fstream>
#include <zip.h>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

struct Member {
    std::string name;
    std::string text;
    int method = ZIP_CM_DEFLATE;
};

/// A ZIP archive of these files.
std::string archiveOf(const std::vector<Member> &members)
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath(u"a.eval"_s).toStdString();
    zip_t *archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
    for (const Member &each : members) {
        zip_source_t *source = zip_source_buffer(archive, each.text.data(), each.text.size(), 0);
        const zip_int64_t index = zip_file_add(archive, each.name.c_str(), source, ZIP_FL_ENC_UTF_8);
        if (index < 0 || zip_set_file_compression(archive, static_cast<zip_uint64_t>(index), each.method, 0) != 0)
            qFatal("%s", zip_strerror(archive));
    }
    if (zip_close(archive) != 0)
        qFatal("%s", zip_strerror(archive));
    std::ifstream file(path, std::ios::binary);
    return { std::istreambuf_iterator<char>(file), {} };
}

const std::string kEval = R"("eval":{"task":"t","model":"m","packages":{"inspect_ai":"0.3.150"}})";
const std::string kHeader = "{\n  \"version\": 2,\n  \"status\": \"success\",\n  " + kEval + "\n}\n";

std::string sample(const std::string &id, const std::string &answer, const std::string &more = "")
{
    return R"({"id":")" + id + R"(","epoch":1,"messages":[{"id":"u)" + id
        + R"(","content":"go","source":"input","role":"user"},{"id":"a)" + id + R"(","content":")" + answer
        + R"(","role":"assistant"}],"events":[{"event":"model","input":[],"input_refs":[[0,1]],"output":{"choices":)"
        + R"([{"message":{"id":"a)" + id + R"(","content":")" + answer
        + R"(","role":"assistant"}}]}}],"message_pool":[{"id":"u)" + id
        + R"(","content":"go","source":"input","role":"user"}])" + more + "}";
}

std::vector<Member> log(int method = ZIP_CM_DEFLATE)
{
    return { { "_journal/start.json", "{\"version\":2," + kEval + "}", method },
        { "samples/1_epoch_1.json", sample("1", "one"), method }, { "summaries.json", "[]", method },
        { "samples/2_epoch_1.json", sample("2", "two"), method }, { "header.json", kHeader, method } };
}

} // namespace

/// Logs of Inspect in ZIP archives.
class InspectArchiveTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLogIsRead();
    void everyCompressionIsRead_data();
    void everyCompressionIsRead();
    void aRunThatHasNotEnded();
    void aDamagedSampleIsLeftOut();
    void expansionIsBounded();
    void otherArchivesAreASentence();
    void damagedArchivesAreASentence();
    void itIsWrittenAsJson();
};

void InspectArchiveTest::aLogIsRead()
{
    const SessionPtr session = testing::sound(archiveOf(log()));
    QCOMPARE(session->format, "inspect");
    QCOMPARE(session->harness, "Inspect 0.3.150");
    QCOMPARE(testing::diagnosticsOf(*session), "");
    QCOMPARE(session->threads.size(), 2U);
    QCOMPARE(testing::describe(*session), R"(user{text+typed "go"} assistant{text "one"})");
    QCOMPARE(testing::describe(*session, 1), R"(user{text+typed "go"} assistant{text "two"})");
    for (const Thread &thread : session->threads) {
        QCOMPARE(thread.kind, ThreadKind::Run);
        QCOMPARE(thread.calls.size(), 1U);
        QVERIFY(!thread.calls.front().isDerived);
        QCOMPARE(thread.calls.front().input.blockCount(), 1U); // named by its place in the pool
    }
}

void InspectArchiveTest::everyCompressionIsRead_data()
{
    QTest::addColumn<int>("method");
    QTest::newRow("stored") << int(ZIP_CM_STORE);
    QTest::newRow("deflate") << int(ZIP_CM_DEFLATE);
    QTest::newRow("zstd") << int(ZIP_CM_ZSTD);
}

void InspectArchiveTest::everyCompressionIsRead()
{
    QFETCH(int, method);
    QVERIFY(zip_compression_method_supported(method, 0) != 0);
    const std::string bytes = archiveOf(log(method));
    const auto text = archiveText(bytes, "a.eval");
    QVERIFY2(text, text ? "" : text.error().sentence().c_str());
    QCOMPARE(text->damage, "");
    QCOMPARE(text->text, archiveText(archiveOf(log()), "a.eval")->text);
}

void InspectArchiveTest::aRunThatHasNotEnded()
{
    std::vector<Member> members = log();
    members.pop_back();
    const SessionPtr session = testing::sound(archiveOf(members));
    QCOMPARE(session->threads.size(), 2U);
    QCOMPARE(testing::diagnosticsOf(*session),
        "0: The archive has no header, because it was written before the run ended.\n");
}

void InspectArchiveTest::aDamagedSampleIsLeftOut()
{
    std::string bytes = archiveOf(log());
    const size_t name = bytes.find("samples/1_epoch_1.json");
    bytes[name + 40] = static_cast<char>(bytes[name + 40] ^ 0x55);
    const SessionPtr session = testing::sound(bytes);
    QCOMPARE(session->threads.size(), 1U);
    QCOMPARE(testing::describe(*session), R"(user{text+typed "go"} assistant{text "two"})");
    const std::string said = testing::diagnosticsOf(*session);
    QVERIFY2(said.starts_with("0: 1 sample of the archive could not be read; the first is samples/1_epoch_1.json ("),
        said.c_str());
}

/// Whatever an archive unpacks to, no more than the limit is held.
void InspectArchiveTest::expansionIsBounded()
{
    std::vector<Member> members = log();
    members[1].text = sample("1", std::string(4'000'000, 'x'));
    members[3].text = sample("2", std::string(4'000'000, 'y'), R"(,"x":1)");
    const std::string bytes = archiveOf(members);
    QVERIFY(bytes.size() < 50'000);
    QVERIFY(archiveText(bytes, "a.eval", 20'000'000));
    const auto refused = archiveText(bytes, "a.eval", 10'000'000); // together they are larger
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, ErrorKind::NotReadable);
    QVERIFY2(refused.error().sentence().starts_with("a.eval: The archive contains more than 10,000,000 bytes."),
        refused.error().sentence().c_str());
    // What is no part of the log is not unpacked.
    members = log();
    members.push_back({ "samples/large.bin", std::string(4'000'000, 'x') });
    QVERIFY(archiveText(archiveOf(members), "a.eval", 100'000));
}

void InspectArchiveTest::otherArchivesAreASentence()
{
    const auto other = testing::load(archiveOf({ { "a.txt", "text" } }));
    QVERIFY(!other);
    QCOMPARE(other.error().kind, ErrorKind::UnknownFormat);
    QVERIFY(other.error().message.contains("It is a ZIP archive without the header of an Inspect log."));
    const auto broken = testing::load("PK\x03\x04 and no archive");
    QVERIFY(!broken);
    QVERIFY2(broken.error().message.starts_with("The ZIP archive cannot be read: "), broken.error().message.c_str());
    // A log without a sample has nothing to show.
    QVERIFY(!testing::load(archiveOf({ { "header.json", kHeader } })));
}

/// Cut or changed anywhere, an archive is read or refused with a sentence.
void InspectArchiveTest::damagedArchivesAreASentence()
{
    const std::array<std::string, 2> wholes { archiveOf(log()), archiveOf(log(ZIP_CM_ZSTD)) };
    std::mt19937_64 random = seededRandom();
    size_t read = 0;
    size_t refused = 0;
    for (size_t i = 0; i < 400; ++i) {
        std::string bytes = wholes.at(i % 2);
        if (i % 5 == 0)
            bytes.resize(random() % bytes.size());
        for (size_t k = random() % 6; k > 0 && !bytes.empty(); --k)
            bytes[random() % bytes.size()] = static_cast<char>(random() % 256);
        if (!bytes.starts_with("PK\x03\x04"))
            continue;
        const auto session = testing::load(bytes);
        (session ? read : refused) += 1;
        if (session)
            QCOMPARE(testing::brokenRule(**session), "");
        else
            QVERIFY2(session.error().message.ends_with('.'), session.error().message.c_str());
    }
    QVERIFY(read > 50);
    QVERIFY(refused > 50);
}

void InspectArchiveTest::itIsWrittenAsJson()
{
    const SessionPtr session = testing::sound(archiveOf(log()));
    SpliceEdits edits;
    edits.droppedMessages.push_back(session->block(BlockId(0U)).message);
    const auto spliced = spliceSession(*session, edits);
    QVERIFY2(spliced, spliced ? "" : spliced.error().sentence().c_str());
    QVERIFY(
        std::ranges::contains(spliced->notes, "The session file is a ZIP archive; the new file is the log in JSON."));
    const SessionPtr again = testing::sound(spliced->bytes);
    QCOMPARE(again->format, "inspect");
    QCOMPARE(testing::describe(*again), R"(assistant{text "one"})");
    QCOMPARE(testing::describe(*again, 1), testing::describe(*session, 1));
}

PALIMPSEST_TEST(InspectArchiveTest)
#include "tst_inspect_archive.moc"
