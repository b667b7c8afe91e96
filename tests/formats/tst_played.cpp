// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/edits/cumulated_patch.h"
#include "core/formats/reading/format.h"
#include "core/json/json.h"
#include "core/report/show.h"
#include "core/session/slot_label.h"
#include "tests/test_program.h"

#include <QFile>
#include <QTest>

#include <algorithm>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

using Pictures = std::vector<std::string>;

/// What an array holds of one block: its kind, and its text, or the name and the arguments of a call.
std::string pictureOf(std::string_view kind, std::string_view text)
{
    return std::string(kind) + ": " + std::string(text);
}

/// Claude Code adds reminders by itself. The fixture has these words in their place, and no request.
bool isReminder(const std::string &text) { return text == "[words of the client]" || text.starts_with(R"({"type": )"); }

/// The array as `show --call N --json --texts` prints it.
Pictures shownAtCall(const SessionPtr &session, Position position, bool hasReminders)
{
    const Shown shown = shownAt(
        session, position, Weights(roughTokens(*session), WeightUnit::Characters), { 0, Measure::Unit::Messages });
    const auto document = showJson(shown, BlockTexts::Included);
    Pictures pictures;
    for (const auto &slot : document["slots"]) {
        for (const auto &block : slot["blocks"]) {
            const auto kind = block["kind"].get<std::string>();
            const auto text = block["text"].get<std::string>();
            if (!hasReminders || !isReminder(text))
                pictures.push_back(pictureOf(
                    kind, kind == "tool_call" ? block["name"].get<std::string>().append(" ").append(text) : text));
        }
    }
    return pictures;
}

Pictures picturesOf(const Session &session, const BlockRanges &array, bool hasReminders)
{
    Pictures pictures;
    array.forEach([&](BlockId id) {
        const Block &block = session.block(id);
        const std::string text = session.text(block.body);
        const std::string name(session.string(block.name));
        if (!hasReminders || !isReminder(text))
            pictures.push_back(
                pictureOf(nameOf(block.kind), block.kind == BlockKind::ToolCall ? name + " " + text : text));
    });
    return pictures;
}

/// The items that a request held.
Pictures sentIn(const Json &document, const Json &places)
{
    Pictures pictures;
    for (const Json &place : places) {
        const Json &item = document["items"][place.get<size_t>()];
        pictures.push_back(pictureOf(item[0].get<std::string>(), item[1].get<std::string>()));
    }
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
    void compactions_data() { runs(); }
    void compactions();
    void whatWasTyped_data() { runs(); }
    void whatWasTyped();
    void edits_data() { runs(); }
    void edits();

private:
    static void runs();
    /// Reads the run of the current row.
    void read();
    [[nodiscard]] std::vector<size_t> recordedCalls() const;

    SessionPtr m_session;
    ThreadIndex m_thread;
    Json m_sent;
    bool m_hasReminders = false;
};

void PlayedTest::runs()
{
    QTest::addColumn<int>("none");
    for (const char *name :
        { "claude-code", "codex", "pi", "gemini-cli-log", "opencode", "qwen-code", "copilot-cli", "cline" })
        QTest::newRow(name) << 0;
}

void PlayedTest::read()
{
    const QString name = QString::fromUtf8(QTest::currentDataTag());
    const QString path = QString::fromUtf8(PALIMPSEST_SOURCE_DIR) + u"/tests/samples/played/"_s + name;
    QFile file(path + u".calls.json"_s);
    QVERIFY(file.open(QIODevice::ReadOnly));
    m_sent = Json::parse(file.readAll().toStdString());
    // opencode and Copilot CLI keep a subagent in the file of its parent.
    const bool isInside = name == u"opencode-subagent" || name == u"copilot-cli-subagent";
    m_thread = ThreadIndex(isInside ? 1U : 0U);
    const QString ending = name.startsWith(u"cline") ? u".messages.json"_s : u".jsonl"_s;
    const auto session = loadSession(((isInside ? path.chopped(9) : path) + ending).toStdString());
    QVERIFY(session);
    m_session = *session;
    QVERIFY(name.startsWith(QString::fromStdString(m_session->format)));
    m_hasReminders = m_session->format == "claude-code";
}

void PlayedTest::theArrayOfEveryCall_data()
{
    runs();
    for (const char *name : { "claude-code-subagent", "codex-subagent", "gemini-cli-log-subagent", "opencode-subagent",
             "qwen-code-subagent", "copilot-cli-subagent", "cline-subagent" })
        QTest::newRow(name) << 0;
}

void PlayedTest::theArrayOfEveryCall()
{
    read();
    const Thread &thread = m_session->thread(m_thread);
    const std::vector<size_t> recorded = recordedCalls();
    QCOMPARE(thread.calls.size(), recorded.size());
    for (size_t i = 0; i < thread.calls.size(); ++i) {
        QVERIFY(thread.calls[i].usage || m_session->format != "copilot-cli"); // of others, an interrupted one has none
        QCOMPARE(shownAtCall(m_session, { m_thread, CallIndex(i) }, m_hasReminders),
            sentIn(m_sent, m_sent["calls"][recorded[i]]));
    }
}

/// The requests whose calls are in the session file.
std::vector<size_t> PlayedTest::recordedCalls() const
{
    std::vector<size_t> recorded;
    for (size_t i = 0; i < m_sent["calls"].size(); ++i) {
        if (!m_sent.contains("unrecorded") || !std::ranges::contains(m_sent["unrecorded"], Json(i)))
            recorded.push_back(i);
    }
    return recorded;
}

/// A client asks for a summary of what it has: that is the array before. Two changes are no compactions: the client
/// takes back what an interrupted request added, and Gemini CLI sends results twice after a resume.
void PlayedTest::compactions()
{
    read();
    std::vector<RecordedCompaction> compactions = m_session->threads.front().compactions;
    std::erase_if(compactions, [&](const RecordedCompaction &each) {
        const bool isResume = each.kind == CompactionKind::Replacement && m_session->format == "gemini-cli-log";
        return isResume || each.kind == CompactionKind::Rollback;
    });
    QCOMPARE(compactions.size(), m_sent["compactions"].size());
    QVERIFY(!compactions.empty());
    for (size_t i = 0; i < compactions.size(); ++i) {
        const RecordedCompaction &compaction = compactions[i];
        const Json &sent = m_sent["compactions"][i];
        const auto next = sent["call"].get<size_t>();
        QCOMPARE(compaction.call, CallIndex(next - 1));
        if (!sent["before"].is_null())
            QCOMPARE(picturesOf(*m_session, compaction.before, m_hasReminders), sentIn(m_sent, sent["before"]));
        QCOMPARE(picturesOf(*m_session, compaction.after, m_hasReminders), sentIn(m_sent, m_sent["calls"][next]));
    }
}

void PlayedTest::whatWasTyped()
{
    read();
    // Copilot CLI puts the time before the words.
    constexpr std::string_view kTime = "</current_datetime>\n\n";
    Pictures typed;
    for (const Block &block : m_session->blocks) {
        if (!block.is(BlockFlag::Typed))
            continue;
        const std::string text = m_session->text(block.body);
        const size_t time = text.find(kTime);
        typed.push_back(time == std::string::npos ? text : text.substr(time + kTime.size()));
    }
    QCOMPARE(typed, m_sent["typed"].get<Pictures>());
}

/// The only edit is that of one line; the file had that line on disk at the end.
void PlayedTest::edits()
{
    read();
    const auto found = findEdits(m_session);
    QVERIFY(found);
    QCOMPARE(found->edits.size(), 1U);
    QCOMPARE(found->edits.front().path, "calc.py");
    QCOMPARE(int(found->edits.front().outcome), int(EditOutcome::Landed));
    if (m_session->format == "cline")
        return; // what it reads stands inside of JSON: the lines around the edit are not known
    const auto patch = cumulatedPatch(*found);
    QVERIFY(patch);
    Pictures changed;
    for (const QByteArray &line : QByteArray::fromStdString(patch->text).split('\n')) {
        const bool isHead = line.startsWith("---") || line.startsWith("+++");
        if (!isHead && (line.startsWith('-') || line.startsWith('+')))
            changed.push_back(line.toStdString());
    }
    QCOMPARE(changed, (Pictures { "-    return a - b", "+    return a + b" }));
    QVERIFY(m_sent["files"]["calc.py"].get<std::string>().ends_with("\n    return a + b\n"));
}

PALIMPSEST_TEST(PlayedTest)
#include "tst_played.moc"
