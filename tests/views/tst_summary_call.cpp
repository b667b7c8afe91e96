// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/loopback.h"
#include "tests/test_program.h"
#include "ui/summary/summary_call.h"
#include "ui/summary/summary_key.h"

#include <QFile>
#include <QSignalSpy>

using namespace Qt::StringLiterals;
using testing::Loopback;

namespace {

const std::string kKey = "key-7f3a-91";

QByteArray stream(const QByteArray &name)
{
    QFile file(
        QString::fromUtf8(PALIMPSEST_SOURCE_DIR) + u"/tests/samples/streams/"_s + QString::fromUtf8(name) + u".sse"_s);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

core::SummaryRequest requestTo(const Loopback &server, core::SummaryApi api)
{
    core::SummaryTarget target;
    target.api = api;
    target.url = server.url().toStdString();
    target.model = "m";
    return core::summaryRequest(target, { "system", "user" }).value();
}

ui::SummaryLimits quick()
{
    using std::chrono::milliseconds;
    return { milliseconds(20'000), milliseconds(40'000), milliseconds(5'000), milliseconds(1), 2 };
}

} // namespace

/// The network side of a summary by a model, against a server on loopback.
class TestSummaryCall final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyApiIsReadAsItComes_data();
    void everyApiIsReadAsItComes();
    void faultsEndWithASentence_data();
    void faultsEndWithASentence();
    void aBusyServerIsAskedAgain();
    void aServerThatAsksToWaitLongIsGivenUp();
    void silenceEndsTheCall();
    void theWholeTimeIsBounded();
    void cancellingEndsTheCall();
    void redirectsAreNotFollowed();
    void noServerIsAnError();
    void keysComeFromTheEnvironmentOrACommand();
};

void TestSummaryCall::everyApiIsReadAsItComes_data()
{
    QTest::addColumn<int>("api");
    for (const core::SummaryApi api : core::kSummaryApis)
        QTest::newRow(std::string(core::nameOf(api)).c_str()) << static_cast<int>(api);
}

void TestSummaryCall::everyApiIsReadAsItComes()
{
    QFETCH(int, api);
    const auto which = static_cast<core::SummaryApi>(api);
    Loopback server;
    server.plan({ .body = stream(QByteArray::fromStdString(std::string(core::nameOf(which)))) });
    const core::SummaryRequest request = requestTo(server, which);
    ui::SummaryCall call;
    QString text;
    connect(&call, &ui::SummaryCall::textAdded, &call, [&](const QString &added) { text += added; });
    QSignalSpy finished(&call, &ui::SummaryCall::finished);
    call.start(request, which, kKey, quick());
    QVERIFY(finished.wait(30'000));
    QVERIFY2(call.result().has_value(), call.result() ? "" : call.result().error().message.c_str());
    QCOMPARE(QString::fromStdString(*call.result()), text);
    QVERIFY(text.endsWith(u"Run make check ✓ 🙂."_s));
    QCOMPARE(call.usage()->output, 96);
    // What arrives is what the request says, and the key only in its header.
    const QByteArray sent = server.requests().at(0);
    QCOMPARE(Loopback::bodyOf(sent).toStdString(), request.body);
    QCOMPARE(sent.count(QByteArray::fromStdString(kKey)), 1);
    const QByteArray header = QByteArray::fromStdString(request.keyHeader + ": " + request.keyPrefix + kKey + "\r\n");
    QVERIFY2(sent.toLower().contains(header.toLower()), sent.constData());
    for (const auto &[name, value] : request.headers)
        QVERIFY2(sent.toLower().contains(QByteArray::fromStdString(name + ": " + value + "\r\n")), name.c_str());
    QVERIFY(!sent.toLower().contains("cookie"));
}

void TestSummaryCall::faultsEndWithASentence_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<bool>("isCut");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("malformed") << 200 << stream("anthropic-malformed") << false << u"malformed"_s;
    QTest::newRow("cut between events") << 200 << stream("anthropic-cut") << false << u"The connection ended"_s;
    QTest::newRow("cut by the network") << 200 << stream("anthropic-cut").chopped(20) << true
                                        << u"The connection ended"_s;
    QTest::newRow("stopped by length") << 200 << stream("anthropic-length") << false << u"the note is cut off"_s;
    QTest::newRow("an error in the stream") << 200 << stream("anthropic-error") << false << u"Overloaded"_s;
    QTest::newRow("no stream") << 200 << QByteArray("<html></html>") << false << u"holds no event"_s;
    QTest::newRow("a wrong key") << 401 << QByteArray("{\"error\": {\"message\": \"bad key " + kKey + "\"}}") << false
                                 << u"The server answers 401: bad key [key]"_s;
    QTest::newRow("a list of errors") << 400 << QByteArray("[{\"error\": {\"message\": \"no such model\"}}]") << false
                                      << u"The server answers 400: no such model"_s;
}

void TestSummaryCall::faultsEndWithASentence()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(bool, isCut);
    QFETCH(QString, sentence);
    Loopback server;
    server.plan({ .status = status, .body = body, .isCut = isCut });
    ui::SummaryCall call;
    QSignalSpy finished(&call, &ui::SummaryCall::finished);
    call.start(requestTo(server, core::SummaryApi::Anthropic), core::SummaryApi::Anthropic, kKey, quick());
    QVERIFY(finished.wait(30'000));
    QCOMPARE(finished.size(), 1);
    QVERIFY(!call.result());
    const QString message = QString::fromStdString(call.result().error().message);
    QVERIFY2(message.contains(sentence), qPrintable(message));
    QVERIFY(!message.contains(QString::fromStdString(kKey)));
    QCOMPARE(server.requests().size(), 1);
}

void TestSummaryCall::aBusyServerIsAskedAgain()
{
    Loopback server;
    server.plan(
        { .status = 429, .body = "{\"error\": {\"message\": \"slow down\"}}", .headers = "retry-after: 0\r\n" });
    server.plan({ .status = 500, .body = "broken" });
    server.plan({ .body = stream("gemini") });
    ui::SummaryCall call;
    QSignalSpy waits(&call, &ui::SummaryCall::waits);
    QSignalSpy finished(&call, &ui::SummaryCall::finished);
    call.start(requestTo(server, core::SummaryApi::Gemini), core::SummaryApi::Gemini, kKey, quick());
    QVERIFY(finished.wait(30'000));
    QVERIFY(call.result().has_value());
    QCOMPARE(waits.size(), 2);
    QCOMPARE(waits.at(0).at(0).value<std::chrono::milliseconds>().count(), 0);
    QCOMPARE(server.requests().size(), 3);
    QCOMPARE(Loopback::bodyOf(server.requests()[2]), Loopback::bodyOf(server.requests()[0]));

    // Three failures are enough.
    for (int i = 0; i < 3; ++i)
        server.plan({ .status = 503, .body = "busy" });
    QSignalSpy again(&call, &ui::SummaryCall::finished);
    call.start(requestTo(server, core::SummaryApi::Gemini), core::SummaryApi::Gemini, kKey, quick());
    QVERIFY(again.wait(30'000));
    QCOMPARE(call.result().error().message, "The server answers 503: busy (after 2 more attempts)");
    QCOMPARE(server.requests().size(), 6);
}

void TestSummaryCall::aServerThatAsksToWaitLongIsGivenUp()
{
    Loopback server;
    server.plan({ .status = 429, .body = "no", .headers = "retry-after: 3600\r\n" });
    ui::SummaryCall call;
    QSignalSpy finished(&call, &ui::SummaryCall::finished);
    call.start(requestTo(server, core::SummaryApi::OpenAiChat), core::SummaryApi::OpenAiChat, {}, quick());
    QVERIFY(finished.wait(30'000));
    QCOMPARE(call.result().error().message, "The server answers 429: no (it asks to wait 3,600 seconds)");
    QVERIFY(!server.requests().at(0).toLower().contains("authorization"));
}

void TestSummaryCall::silenceEndsTheCall()
{
    Loopback server;
    server.plan({ .body = stream("anthropic-cut"), .isSilent = true });
    ui::SummaryCall call;
    QSignalSpy finished(&call, &ui::SummaryCall::finished);
    ui::SummaryLimits limits = quick();
    limits.silence = std::chrono::milliseconds(200);
    call.start(requestTo(server, core::SummaryApi::Anthropic), core::SummaryApi::Anthropic, kKey, limits);
    QVERIFY(finished.wait(30'000));
    QCOMPARE(call.result().error().message, "The server sent nothing for 1 second.");
}

void TestSummaryCall::theWholeTimeIsBounded()
{
    Loopback server;
    server.plan({ .status = 503, .body = "busy", .headers = "retry-after: 4\r\n" });
    ui::SummaryCall call;
    QSignalSpy finished(&call, &ui::SummaryCall::finished);
    ui::SummaryLimits limits = quick();
    limits.total = std::chrono::milliseconds(300);
    call.start(requestTo(server, core::SummaryApi::Anthropic), core::SummaryApi::Anthropic, kKey, limits);
    QVERIFY(finished.wait(30'000));
    QCOMPARE(call.result().error().message, "The answer was not complete after 1 second.");
    QCOMPARE(server.requests().size(), 1);
}

void TestSummaryCall::cancellingEndsTheCall()
{
    Loopback server;
    server.plan({ .body = stream("anthropic-cut"), .isSilent = true });
    ui::SummaryCall call;
    QSignalSpy text(&call, &ui::SummaryCall::textAdded);
    QSignalSpy finished(&call, &ui::SummaryCall::finished);
    call.start(requestTo(server, core::SummaryApi::Anthropic), core::SummaryApi::Anthropic, kKey, quick());
    QVERIFY(text.wait(30'000));
    call.cancel();
    QCOMPARE(finished.size(), 1);
    QCOMPARE(call.result().error().kind, core::ErrorKind::Cancelled);
    QVERIFY(!call.isRunning());
    call.cancel();
    QCOMPARE(finished.size(), 1);
}

void TestSummaryCall::redirectsAreNotFollowed()
{
    Loopback server;
    Loopback other;
    server.plan({ .status = 307, .headers = "location: " + other.url() + "/x\r\n" });
    ui::SummaryCall call;
    QSignalSpy finished(&call, &ui::SummaryCall::finished);
    call.start(requestTo(server, core::SummaryApi::OpenAiResponses), core::SummaryApi::OpenAiResponses, kKey, quick());
    QVERIFY(finished.wait(30'000));
    QVERIFY(call.result().error().message.contains("Redirects are not followed"));
    QVERIFY(other.requests().empty());
}

void TestSummaryCall::noServerIsAnError()
{
    core::SummaryRequest request;
    {
        const Loopback server;
        request = requestTo(server, core::SummaryApi::Anthropic);
    }
    ui::SummaryCall call;
    QSignalSpy finished(&call, &ui::SummaryCall::finished);
    call.start(request, core::SummaryApi::Anthropic, kKey, quick());
    QVERIFY(finished.wait(30'000));
    QVERIFY(call.result().error().message.starts_with("The server at 127.0.0.1 cannot be reached: "));
}

void TestSummaryCall::keysComeFromTheEnvironmentOrACommand()
{
    qputenv("PALIMPSEST_TEST_KEY", "from-the-environment");
    QCOMPARE(ui::readSummaryKey({ "PALIMPSEST_TEST_KEY", "" }, false).value(), "from-the-environment");
    QCOMPARE(ui::readSummaryKey({ "PALIMPSEST_TEST_KEY", "printf 'a-key\\nmore\\n'" }, false).value(), "a-key");
    QCOMPARE(ui::readSummaryKey({ "PALIMPSEST_NO_KEY", "" }, true).value(), "");
    QVERIFY(!ui::readSummaryKey({ "PALIMPSEST_NO_KEY", "" }, false));
    const auto failed = ui::readSummaryKey({ "", "echo secret-output; echo secret-error >&2; exit 3" }, false);
    QCOMPARE(failed.error().message, "The command for the key failed with code 3.");
    QVERIFY(!ui::readSummaryKey({ "", "true" }, false));
    QVERIFY(!ui::readSummaryKey({ "", "printf 'two words'" }, false));
}

PALIMPSEST_TEST(TestSummaryCall)
#include "tst_summary_call.moc"
