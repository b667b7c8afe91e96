// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/format.h"
#include "core/json/json.h"
#include "core/session/slot_label.h"
#include "tests/test_program.h"

#include <QFile>
#include <QTest>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

/// What an array holds of one block: its kind, and its text, or the name and the arguments of a call.
std::string pictureOf(std::string_view kind, std::string_view text)
{
    return std::string(kind) + ": " + std::string(text);
}

/// The array without the texts that the client adds by itself: the fixture has other words there.
std::vector<std::string> picturesOf(const Session &session, const BlockRanges &array, bool hasReminders)
{
    std::vector<std::string> pictures;
    array.forEach([&](BlockId id) {
        const Block &block = session.block(id);
        if (hasReminders && block.is(BlockFlag::Injected))
            return;
        const std::string text = session.text(block.body);
        const std::string name(session.string(block.name));
        pictures.push_back(pictureOf(nameOf(block.kind), block.kind == BlockKind::ToolCall ? name + " " + text : text));
    });
    return pictures;
}

} // namespace

/// Runs that a scripted model played through the real clients: `packaging/dev clients --play tests/samples/played`
/// makes them anew. What a client sent at each call stands beside the session file that it wrote.
class PlayedTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theArrayOfEveryCall_data();
    void theArrayOfEveryCall();
};

void PlayedTest::theArrayOfEveryCall_data()
{
    QTest::addColumn<bool>("hasReminders");
    QTest::addColumn<size_t>("compactions");
    QTest::newRow("claude-code") << true << size_t(0);
    QTest::newRow("codex") << false << size_t(1);
}

void PlayedTest::theArrayOfEveryCall()
{
    QFETCH(bool, hasReminders);
    QFETCH(size_t, compactions);
    const QString path = QString::fromUtf8(PALIMPSEST_SOURCE_DIR) + u"/tests/samples/played/"_s
        + QString::fromUtf8(QTest::currentDataTag());
    QFile file(path + u".calls.json"_s);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const Json sent = Json::parse(file.readAll().toStdString());
    const auto session = loadSession((path + u".jsonl"_s).toStdString());
    QVERIFY(session);
    QCOMPARE((*session)->format, std::string(QTest::currentDataTag()));
    const Thread &thread = (*session)->threads.front();
    QCOMPARE(thread.compactions.size(), compactions);
    QCOMPARE(thread.calls.size(), sent["calls"].size());
    for (size_t i = 0; i < thread.calls.size(); ++i) {
        std::vector<std::string> expected;
        for (const Json &place : sent["calls"][i]) {
            const Json &item = sent["items"][place.get<size_t>()];
            expected.push_back(pictureOf(item[0].get<std::string>(), item[1].get<std::string>()));
        }
        QCOMPARE(picturesOf(**session, thread.calls[i].input, hasReminders), expected);
    }
}

PALIMPSEST_TEST(PlayedTest)
#include "tst_played.moc"
