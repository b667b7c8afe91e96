// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/alignment.h"
#include "core/session/format_traits.h"
#include "core/session/request_log.h"
#include "core/session/transcript.h"
#include "tests/test_program.h"

#include <QTest>

#include <map>
#include <random>
#include <set>
#include <sstream>

#undef slots // Qt's word for what a Transcript has

using namespace core;

namespace {

/// One block of a request as a test writes it down.
struct Spec {
    BlockKind kind = BlockKind::Text;
    std::string text;
    std::string callId;
    uint16_t flags = 0;
    friend bool operator==(const Spec &, const Spec &) = default;
};

struct Said {
    Role role = Role::User;
    std::vector<Spec> blocks;
    friend bool operator==(const Said &, const Said &) = default;
};

using Array = std::vector<Said>;

constexpr auto kMark = static_cast<uint16_t>(BlockFlag::CacheMark);
constexpr auto kInjected = static_cast<uint16_t>(BlockFlag::Injected);
constexpr auto kSummary = static_cast<uint16_t>(BlockFlag::Summary);

/// `u:hello a:hi+call=1 t:1=output`: messages of user, assistant, system and tool role; `+` joins blocks of a message;
/// `call=ID` is a tool call, `ID=TEXT` a tool result; `!` in front injects, `*` summarises, a `^` behind is a cache
/// mark.
Array said(const std::string &line)
{
    Array array;
    std::istringstream words(line);
    for (std::string word; words >> word;) {
        static const std::map<char, Role> kRoles { { 'u', Role::User }, { 'a', Role::Assistant }, { 's', Role::System },
            { 't', Role::Tool } };
        Said message { kRoles.at(word.at(0)), {} };
        std::istringstream parts(word.substr(2));
        for (std::string part; std::getline(parts, part, '+');) {
            Spec spec;
            if (part.ends_with('^')) {
                spec.flags |= kMark;
                part.pop_back();
            }
            if (part.starts_with('!')) {
                spec.flags |= kInjected;
                part.erase(0, 1);
            } else if (part.starts_with('*')) {
                spec.flags |= kSummary;
                part.erase(0, 1);
            }
            const size_t equals = part.find('=');
            if (part.starts_with("call=")) {
                spec.kind = BlockKind::ToolCall;
                spec.callId = part.substr(equals + 1);
            } else if (equals != std::string::npos) {
                spec.kind = BlockKind::ToolResult;
                spec.callId = part.substr(0, equals);
            }
            spec.text = part;
            message.blocks.push_back(spec);
        }
        array.push_back(message);
    }
    return array;
}

constexpr FormatTraits kMergesUsers { .shape = MessageShape::Anthropic };

/// Makes requests out of arrays, each with bodies of its own, as a file of whole requests has them.
class Recording final {
public:
    explicit Recording(const FormatTraits &traits) { m_builder.session().traits = &traits; }

    void send(const Array &array, const std::string &system = "system",
        const std::vector<std::string> &tools = { "tool" }, const Array &response = {}, std::optional<Usage> usage = {})
    {
        RequestDraft request;
        request.line = ++m_line;
        request.messages = drafts(array);
        request.response = drafts(response);
        request.usage = usage;
        if (!system.empty())
            request.prelude.push_back(block({ BlockKind::Text, system, {}, 0 }));
        for (const std::string &tool : tools) {
            request.prelude.push_back(block({ BlockKind::Opaque, tool, {}, static_cast<uint16_t>(BlockFlag::Tools) }));
            request.prelude.back().name = m_builder.intern(tool);
        }
        m_log.add(std::move(request));
    }
    void send(const std::string &array) { send(said(array)); }

    SessionPtr finish()
    {
        m_log.finish();
        return m_builder.finish();
    }

private:
    Block block(const Spec &spec)
    {
        Block result = m_builder.makeBlock(spec.kind, m_builder.ownedBody(spec.text, "test"));
        result.flags = spec.flags;
        result.callId = m_builder.intern(spec.callId);
        return result;
    }
    std::vector<MessageDraft> drafts(const Array &array)
    {
        std::vector<MessageDraft> result;
        for (const Said &each : array) {
            MessageDraft draft;
            draft.role = each.role;
            draft.line = m_line;
            for (const Spec &spec : each.blocks)
                draft.blocks.push_back(block(spec));
            result.push_back(std::move(draft));
        }
        return result;
    }

    SessionBuilder m_builder;
    RequestLog m_log { m_builder };
    uint64_t m_line = 0;
};

SessionPtr recorded(const std::vector<std::string> &arrays, const FormatTraits &traits = kDefaultTraits)
{
    Recording recording(traits);
    for (const std::string &array : arrays)
        recording.send(array);
    return recording.finish();
}

Array merged(const Array &array)
{
    Array result;
    for (const Said &each : array) {
        if (each.role == Role::User && !result.empty() && result.back().role == Role::User)
            result.back().blocks.insert(result.back().blocks.end(), each.blocks.begin(), each.blocks.end());
        else
            result.push_back(each);
    }
    return result;
}

/// What a transcript says, slot by slot, in the words of a test.
std::string shown(const Transcript &transcript)
{
    std::string text;
    for (const Slot &slot : transcript.slots()) {
        text += text.empty() ? "" : " ";
        text += "usat"[slot.role == Role::User ? 0
                : slot.role == Role::System    ? 1
                : slot.role == Role::Assistant ? 2
                                               : 3];
        char separator = ':';
        for (const BlockId id : transcript.blocksOf(slot)) {
            text += separator + transcript.session()->text(transcript.block(id).body);
            separator = '+';
        }
    }
    return text;
}

std::string written(const Array &array)
{
    std::string text;
    for (const Said &each : array) {
        text += text.empty() ? "" : " ";
        text += "usat"[each.role == Role::User ? 0
                : each.role == Role::System    ? 1
                : each.role == Role::Assistant ? 2
                                               : 3];
        char separator = ':';
        for (const Spec &spec : each.blocks) {
            text += separator + spec.text;
            separator = '+';
        }
        if (each.blocks.empty())
            text += ':';
    }
    return text;
}

std::string shown(const SessionPtr &session, size_t thread, size_t call)
{
    return shown(Transcript(session, session->threads.at(thread).calls.at(call).input));
}

std::string textOf(const SessionPtr &session, BlockRange range)
{
    std::string text;
    for (uint32_t i = range.begin; i < range.end; ++i)
        text += (text.empty() ? "" : " ") + session->text(session->blocks[i].body);
    return text;
}

std::string textsOf(const SessionPtr &session, const BlockRanges &ranges)
{
    std::string text;
    ranges.forEach([&](BlockId id) { text += (text.empty() ? "" : " ") + session->text(session->block(id).body); });
    return text;
}

/// Every pool has this: messages cover it exactly once, blocks know their message, arrays and outputs lie inside, no
/// array has a block twice and no message is two slots of one array.
QString poolProblem(const SessionPtr &session)
{
    size_t next = 0;
    for (size_t i = 0; i < session->messages.size(); ++i) {
        const Message &message = session->messages[i];
        if (message.first.index() != next || message.count == 0)
            return QStringLiteral("message %1 does not follow the one before").arg(i);
        for (size_t k = 0; k < message.count; ++k, ++next) {
            if (next >= session->blocks.size() || session->blocks[next].message != MessageId(i))
                return QStringLiteral("block %1 does not belong to message %2").arg(next).arg(i);
        }
    }
    if (next != session->blocks.size())
        return QStringLiteral("blocks without a message");
    for (const Thread &thread : session->threads) {
        for (const Call &call : thread.calls) {
            std::set<BlockId> seen;
            bool isGood = call.output.end <= session->blocks.size();
            call.input.forEach(
                [&](BlockId id) { isGood = isGood && id.index() < session->blocks.size() && seen.insert(id).second; });
            if (!isGood)
                return QStringLiteral("the array of line %1 is wrong").arg(call.line);
            std::set<MessageId> slots;
            const Transcript transcript(session, call.input);
            for (const Slot &slot : transcript.slots()) {
                std::set<MessageId> messages;
                for (const BlockId id : transcript.blocksOf(slot))
                    messages.insert(session->block(id).message);
                for (const MessageId id : messages) {
                    if (!slots.insert(id).second)
                        return QStringLiteral("a message is two slots in line %1").arg(call.line);
                }
            }
        }
    }
    return {};
}

/// Where all texts differ: between a request and the next of its thread a block in a message that stayed as it was is
/// the same block.
QString identityProblem(const SessionPtr &session, const std::vector<Array> &sent)
{
    for (const Thread &thread : session->threads) {
        for (size_t k = 1; k < thread.calls.size(); ++k) {
            std::set<std::string> messages;
            for (const Said &each : sent[thread.calls[k - 1].line - 1])
                messages.insert(written({ each }));
            std::map<std::string, BlockId> ids;
            thread.calls[k - 1].input.forEach([&](BlockId id) { ids[session->text(session->block(id).body)] = id; });
            std::set<std::string> stayed;
            for (const Said &each : sent[thread.calls[k].line - 1]) {
                if (!messages.contains(written({ each })))
                    continue;
                for (const Spec &spec : each.blocks)
                    stayed.insert(spec.text);
            }
            QString problem;
            thread.calls[k].input.forEach([&](BlockId id) {
                const std::string text = session->text(session->block(id).body);
                if (stayed.contains(text) && ids.at(text) != id)
                    problem = QStringLiteral("line %1: %2 became another block")
                                  .arg(thread.calls[k].line)
                                  .arg(QString::fromStdString(text));
            });
            if (!problem.isEmpty())
                return problem;
        }
    }
    return {};
}

class TestRequestLog final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void alignment_data();
    void alignment();
    void aBlockThatComesAgainIsOneBlock();
    void aGrownMessageKeepsItsBlocks();
    void remindersDoNotMakeAMessage();
    void movedCacheMarksChangeNothing();
    void aRemovedMiddleKeepsTheTail();
    void rolesAndRegroupedMessagesAreToldApart();
    void anEmptyMessageIsASlot();
    void compactions_data();
    void compactions();
    void threads_data();
    void threads();
    void whatAHarnessAsksOnTheSideIsNotTyped();
    void outputs();
    void recordedResponses();
    void preludes();
    void appendingStoresOneRangeEach();
    void randomRequests();
};

void TestRequestLog::alignment_data()
{
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after");
    QTest::addColumn<QString>("places"); // one character each: place before, or -
    QTest::addColumn<int>("prefix");
    QTest::newRow("nothing before") << "" << "ab" << "--" << 0;
    QTest::newRow("the same") << "abc" << "abc" << "012" << 3;
    QTest::newRow("grown at the end") << "abc" << "abcde" << "012--" << 3;
    QTest::newRow("cut at the end") << "abc" << "ab" << "01" << 2;
    QTest::newRow("a middle that is gone keeps its tail") << "abcdef" << "aef" << "045" << 1;
    QTest::newRow("a middle that is rewritten keeps its tail") << "abcdef" << "axyef" << "0--45" << 1;
    QTest::newRow("an inserted block that stands at the end, too, does not lose what lies between")
        << "abcdeb" << "abxbcdeb" << "01--2345" << 2;
    QTest::newRow("of equal blocks the last are kept") << "axxx" << "abxx" << "0-23" << 1;
    QTest::newRow("what occurs once says more than what is repeated") << "xxb" << "xabcx" << "0-2--" << 1;
    QTest::newRow("what moves backwards is new") << "abcd" << "adbc" << "0-12" << 1;
    QTest::newRow("nothing in common") << "abc" << "xyz" << "---" << 0;
}

void TestRequestLog::alignment()
{
    const auto hashes = [](const QString &letters) {
        std::vector<Hash> result;
        for (const QChar letter : letters)
            result.push_back({ letter.unicode(), 1 });
        return result;
    };
    QFETCH(QString, before);
    QFETCH(QString, after);
    QFETCH(QString, places);
    QFETCH(int, prefix);
    const Alignment found = align(hashes(before), hashes(after));
    QString text;
    for (const uint32_t place : found.places)
        text += place == Alignment::kNone ? QStringLiteral("-") : QString::number(place);
    QCOMPARE(text, places);
    QCOMPARE(found.prefix, static_cast<size_t>(prefix));
}

void TestRequestLog::aBlockThatComesAgainIsOneBlock()
{
    const SessionPtr session
        = recorded({ "u:one", "u:one a:two+call=1 t:1=three", "u:one a:two+call=1 t:1=three a:four u:five" });
    QCOMPARE(session->threads.size(), size_t(1));
    QCOMPARE(session->threads[0].calls.size(), size_t(3));
    QCOMPARE(session->blocks.size(), size_t(2 + 6)); // prelude of two
    QCOMPARE(session->messages.size(), size_t(1 + 5));
    QVERIFY(session->threads[0].compactions.empty());
    QCOMPARE(shown(session, 0, 2), std::string("u:one a:two+call=1 t:1=three a:four u:five"));
    QCOMPARE(session->messages[0].line, uint64_t(1));
    QCOMPARE(session->messages[2].line, uint64_t(2));
    QCOMPARE(session->blocks[2].recordLine, uint64_t(2));
    QCOMPARE(poolProblem(session), QString());
}

void TestRequestLog::aGrownMessageKeepsItsBlocks()
{
    const SessionPtr session = recorded({ "u:one a:b t:tool", "u:one a:!x+b+y t:tool a:c" });
    QCOMPARE(session->blocks.size(), size_t(2 + 6));
    QCOMPARE(session->messages.size(), size_t(1 + 4));
    QCOMPARE(shown(session, 0, 0), std::string("u:one a:b t:tool"));
    QCOMPARE(shown(session, 0, 1), std::string("u:one a:x+b+y t:tool a:c"));
    QVERIFY(session->threads[0].compactions.empty());
    QCOMPARE(poolProblem(session), QString());
}

void TestRequestLog::remindersDoNotMakeAMessage()
{
    // What stands under the same reminders as the first prompt is not the first prompt.
    const SessionPtr other = recorded({ "u:!rules+one a:two u:three", "u:!rules+*sum u:three" });
    const Transcript before(other, other->threads[0].calls[0].input);
    const Transcript after(other, other->threads[0].calls[1].input);
    QVERIFY(before.slots()[0].id != after.slots()[0].id);
    QCOMPARE(before.slots()[2].id, after.slots()[1].id);
    // The reminders are known as long as something else of their message is, or nothing else stands in it.
    const SessionPtr same = recorded({ "s:!rules u:!note+one a:two", "s:!rules u:!note+one+more a:two a:three" });
    QCOMPARE(same->blocks.size(), size_t(2 + 4 + 2));
}

void TestRequestLog::movedCacheMarksChangeNothing()
{
    const SessionPtr session = recorded({ "u:one^", "u:one a:two u:three^", "u:one a:two u:three a:four u:five^" });
    QCOMPARE(session->blocks.size(), size_t(2 + 5));
    std::string marked;
    for (const Block &block : session->blocks) {
        if (block.is(BlockFlag::CacheMark))
            marked += session->text(block.body) + " ";
    }
    QCOMPARE(marked, std::string("one three five "));
}

void TestRequestLog::aRemovedMiddleKeepsTheTail()
{
    const SessionPtr session
        = recorded({ "u:one a:two u:three a:four u:five a:six u:seven", "u:one a:new a:six u:seven u:eight" });
    QCOMPARE(session->threads.size(), size_t(1));
    QCOMPARE(session->blocks.size(), size_t(2 + 7 + 2));
    QCOMPARE(shown(session, 0, 1), std::string("u:one a:new a:six u:seven u:eight"));
    const Transcript before(session, session->threads[0].calls[0].input);
    const Transcript after(session, session->threads[0].calls[1].input);
    QCOMPARE(before.slots()[6].id, after.slots()[3].id);
    QCOMPARE(poolProblem(session), QString());
}

void TestRequestLog::rolesAndRegroupedMessagesAreToldApart()
{
    // The same text said by another role is another block.
    const SessionPtr roles = recorded({ "u:one a:same", "u:one a:same u:same" });
    QCOMPARE(roles->blocks.size(), size_t(2 + 3));
    // Two messages that become one are one slot; the array must not show two.
    const SessionPtr joined = recorded({ "u:one a:x a:y u:two", "u:one a:x+y u:two" });
    QCOMPARE(shown(joined, 0, 1), std::string("u:one a:x+y u:two"));
    // And one that becomes two is two.
    const SessionPtr split = recorded({ "u:one a:x+y u:two", "u:one a:x a:y u:two" });
    QCOMPARE(shown(split, 0, 1), std::string("u:one a:x a:y u:two"));
    // Where user messages merge, the blocks of several stay what they are.
    const SessionPtr users = recorded({ "u:one a:x u:two a:y u:three", "u:one u:two u:three a:z" }, kMergesUsers);
    QCOMPARE(shown(users, 0, 1), std::string("u:one+two+three a:z"));
    QCOMPARE(users->blocks.size(), size_t(2 + 5 + 1));
    for (const SessionPtr &each : { roles, joined, split, users })
        QCOMPARE(poolProblem(each), QString());
}

void TestRequestLog::anEmptyMessageIsASlot()
{
    Recording recording(kDefaultTraits);
    Array array = said("u:one a:two u:three");
    array[1].blocks.clear();
    recording.send(array);
    array.push_back(said("a:four")[0]);
    recording.send(array);
    const SessionPtr session = recording.finish();
    QCOMPARE(shown(session, 0, 0), std::string("u:one a: u:three"));
    QCOMPARE(shown(session, 0, 1), std::string("u:one a: u:three a:four"));
    QCOMPARE(session->blocks.size(), size_t(2 + 4));
}

void TestRequestLog::compactions_data()
{
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after");
    QTest::addColumn<int>("kind"); // -1: none
    const auto row = [](const char *name, const char *before, const char *after, int kind) {
        QTest::newRow(name) << before << after << kind;
    };
    const auto of = [](CompactionKind kind) { return static_cast<int>(kind); };
    row("a longer array is none", "u:one a:two u:three", "u:one a:two u:three a:four", -1);
    row("the same array again is none", "u:one a:two u:three", "u:one a:two u:three", -1);
    row("an inserted block is none", "u:one a:two u:three", "u:one+more a:two u:three", -1);
    row("a reminder that is not sent again is none", "u:!note+one a:two u:three", "u:one a:two u:three", -1);
    row("text that the last message alone had is none", "u:one a:two u:1=out+sum-it-up", "u:one a:two u:1=out a:x", -1);
    row("a cleared tool result is one", "u:one a:call=1 t:1=long a:call=2 t:2=more",
        "u:one a:call=1 t:1=- a:call=2 t:2=more a:end", of(CompactionKind::Clearing));
    row("a summary in place of a beginning is one", "u:one a:two u:three a:four u:five", "u:*sum a:four u:five",
        of(CompactionKind::Summary));
    row("a summary that shares nothing but reminders is one", "u:!rules+one a:two u:three", "u:!rules+*sum",
        of(CompactionKind::Summary));
    row("turns taken back are one", "u:one a:two u:three a:four u:five", "u:one a:two u:other",
        of(CompactionKind::Rollback));
    row("turns taken back without a word are one", "u:one a:two u:three a:four u:five", "u:one a:two u:three",
        of(CompactionKind::Rollback));
    row("a missing middle is one", "u:one a:two u:three a:four u:five", "u:one a:four u:five a:six",
        of(CompactionKind::Replacement));
    row("a missing beginning is one", "u:one a:two u:three a:four u:five", "u:three a:four u:five a:six",
        of(CompactionKind::Replacement));
    row("a rewritten answer is one", "u:one a:two u:three", "u:one a:other u:three", of(CompactionKind::Replacement));
}

void TestRequestLog::compactions()
{
    QFETCH(QString, before);
    QFETCH(QString, after);
    QFETCH(int, kind);
    const SessionPtr session = recorded({ "u:0", before.toStdString(), after.toStdString() }, kMergesUsers);
    const Thread &thread = session->threads[0];
    QCOMPARE(thread.calls.size(), size_t(2));
    QCOMPARE(shown(session, 0, 1), after.remove(u'!').remove(u'*').toStdString());
    QCOMPARE(thread.compactions.size(), size_t(kind < 0 ? 0 : 1));
    QCOMPARE(poolProblem(session), QString());
    if (kind < 0)
        return;
    const RecordedCompaction &compaction = thread.compactions[0];
    QCOMPARE(static_cast<int>(compaction.kind), kind);
    QCOMPARE(compaction.call, CallIndex(0));
    QCOMPARE(compaction.before, thread.calls[0].input);
    QCOMPARE(compaction.after, thread.calls[1].input);
    QCOMPARE(compaction.line, uint64_t(3));
}

void TestRequestLog::threads_data()
{
    QTest::addColumn<QStringList>("requests"); // system | tools | array
    QTest::addColumn<QString>("lines");        // of each thread's calls, / between threads
    QTest::addColumn<QString>("kinds");        // m, s, r
    const auto row
        = [](const char *name, std::initializer_list<const char *> requests, const char *lines, const char *kinds) {
              QStringList list;
              for (const char *each : requests)
                  list << QString::fromUtf8(each);
              QTest::newRow(name) << list << lines << kinds;
          };
    row("a request for a title is no part of the conversation",
        { "T||u:one", "S|x|u:one", "S|x|u:one a:two u:three", "S|x y|u:one a:two u:three a:four" }, "2 3 4/1", "ms");
    row("a subagent with the same reminders is a thread",
        { "S|x|u:!rules+one", "A|y|u:!rules+task", "S|x|u:!rules+one a:call=1 u:1=out", "A|y|u:!rules+task a:t2",
            "S|x|u:!rules+one a:call=1 u:1=out a:z u:more" },
        "1 3 5/2 4", "ms");
    row("subagents of the same prompt are threads",
        { "S|x|u:one", "A|y|u:!r+t1", "A|y|u:!r+t2", "A|y|u:!r+t1 a:a1 u:b1", "A|y|u:!r+t2 a:a2 u:b2",
            "S|x|u:one a:call=1 u:1=o", "S|x|u:one a:call=1 u:1=o a:e u:f" },
        "1 6 7/2 4/3 5", "mss");
    row("other tools, same prompt: the conversation goes on", { "S|x|u:one", "S|x y z|u:one a:two u:three" }, "1 2",
        "m");
    row("another prompt and other tools in the middle: the conversation goes on",
        { "S|x|u:one", "S|x|u:one a:two u:three", "P|y|u:one a:two u:three a:four u:five" }, "1 2 3", "m");
    row("two tasks one after the other are two runs", { "S|x|u:one", "S|x|u:one a:two u:three", "S|x|u:other" },
        "1 2/3", "mr");
    row("the same task once more is a run of its own",
        { "S|x|u:one", "S|x|u:one a:two u:three", "S|x|u:one", "S|x|u:one a:zwei u:drei" }, "1 2/3 4", "mr");
    row("an attempt repeated is the same thread", { "S|x|u:one", "S|x|u:one", "S|x|u:one a:two u:three" }, "1 2 3",
        "m");
    row("runs of the same task side by side do not mix",
        { "S|x|u:one", "S|x|u:one a:p1 u:q1", "S|x|u:one a:p2 u:q2", "S|x|u:one a:p1 u:q1 a:r1 u:s1",
            "S|x|u:one a:p2 u:q2 a:r2 u:s2", "S|x|u:one a:p1 u:q1 a:r1 u:s1 a:v1 u:w1" },
        "1 2 4 6/3 5", "ms");
    row("a fork that is left behind while the conversation goes on",
        { "S|x|u:one", "S|x|u:one a:two u:three", "S|x|u:one a:aside u:now", "S|x|u:one a:two u:three a:four u:five" },
        "1 2 4/3", "ms");
    row("a conversation that is summarised goes on, beside another under the same prompt",
        { "S|x|u:!r+one", "S|x|u:!r+one a:two u:three", "T||u:title", "S|x|u:!r+*sum a:four u:five" }, "1 2 4/3", "ms");
    row("nothing recorded of prompts: a beginning in common decides",
        { "||u:one", "||u:two", "||u:one a:x u:y", "||u:two a:z u:y" }, "1 3/2 4", "ms");
}

void TestRequestLog::threads()
{
    QFETCH(QStringList, requests);
    QFETCH(QString, lines);
    QFETCH(QString, kinds);
    Recording recording(kMergesUsers);
    for (const QString &request : requests) {
        const QStringList parts = request.split(u'|');
        std::vector<std::string> tools;
        for (const QString &tool : parts[1].split(u' ', Qt::SkipEmptyParts))
            tools.push_back(tool.toStdString());
        recording.send(said(parts[2].toStdString()), parts[0].toStdString(), tools);
    }
    const SessionPtr session = recording.finish();
    QStringList found;
    QString foundKinds;
    for (const Thread &thread : session->threads) {
        QStringList calls;
        for (const Call &call : thread.calls)
            calls << QString::number(call.line);
        found << calls.join(u' ');
        foundKinds += QLatin1Char("msr"[static_cast<size_t>(thread.kind)]);
    }
    QCOMPARE(found.join(u'/'), lines);
    QCOMPARE(foundKinds, kinds);
    QCOMPARE(poolProblem(session), QString());
    for (size_t i = 0; i < session->threads.size(); ++i) {
        for (size_t k = 0; k < session->threads[i].calls.size(); ++k) {
            QString array = requests[static_cast<int>(session->threads[i].calls[k].line) - 1].section(u'|', 2);
            QCOMPARE(shown(session, i, k), array.remove(u'!').remove(u'*').toStdString());
        }
    }
}

void TestRequestLog::whatAHarnessAsksOnTheSideIsNotTyped()
{
    constexpr auto kTyped = static_cast<uint16_t>(BlockFlag::Typed);
    const auto typed = [](const std::string &array) {
        Array made = said(array);
        for (Said &message : made) {
            if (message.role == Role::User)
                message.blocks.front().flags |= kTyped;
        }
        return made;
    };
    Recording recording(kMergesUsers);
    recording.send(typed("u:title"), "T", {});
    recording.send(typed("u:one"), "S", { "x" });
    recording.send(typed("u:task"), "A", { "y" });
    recording.send(typed("u:beside"), "S", { "x" }); // another conversation of the same harness
    recording.send(typed("u:one a:two u:three"), "S", { "x" });
    const SessionPtr session = recording.finish();
    std::string list;
    for (const Block &block : session->blocks) {
        if (block.is(BlockFlag::Typed))
            list += (list.empty() ? "" : " ") + session->text(block.body);
    }
    QCOMPARE(list, std::string("one three beside"));
}

void TestRequestLog::outputs()
{
    const SessionPtr session = recorded(
        { "u:one", "u:one a:t+two a:call=1 t:1=x", "u:one a:t+two a:call=1 t:1=x u:!note a:end", "u:one a:sum" });
    const std::vector<Call> &calls = session->threads[0].calls;
    QCOMPARE(calls.size(), size_t(4));
    QCOMPARE(textOf(session, calls[0].output), std::string("t two call=1"));
    QCOMPARE(textOf(session, calls[1].output), std::string()); // a user message stands first: nothing to tell it by
    QCOMPARE(textOf(session, calls[2].output), std::string()); // what follows was written after a compaction
    QCOMPARE(textOf(session, calls[3].output), std::string());
    QCOMPARE(textsOf(session, session->threads[0].end), std::string("one sum"));
    // What a later request put into it is not part of it.
    const SessionPtr grown = recorded({ "u:one", "u:one a:x+y u:two", "u:one a:x+z+y u:two" });
    QCOMPARE(textOf(grown, grown->threads[0].calls[0].output), std::string("x y"));
    QCOMPARE(shown(grown, 0, 2), std::string("u:one a:x+z+y u:two"));
    QCOMPARE(grown->blocks.size(), size_t(2 + 5));
}

void TestRequestLog::recordedResponses()
{
    Recording recording(kDefaultTraits);
    recording.send(said("u:one"), "S", {}, said("a:think+two+call=1"), Usage { 10, 0, 0, 5 });
    recording.send(
        said("u:one a:two+call=1 t:1=x"), "S", {}, said("a:three"), Usage { 3, 15, 0, 7 }); // thinking is not sent back
    recording.send(said("u:one a:two+call=1 t:1=x a:three u:*sum"), "S", {}, said("a:summary"));
    recording.send(said("u:*summary u:go"), "S", {}, said("a:done"), Usage { 4, 0, 0, 1 });
    const SessionPtr session = recording.finish();
    QCOMPARE(session->threads.size(), size_t(1));
    const Thread &thread = session->threads[0];
    QCOMPARE(textOf(session, thread.calls[0].output), std::string("think two call=1"));
    QCOMPARE(shown(session, 0, 1), std::string("u:one a:two+call=1 t:1=x"));
    QCOMPARE(textOf(session, thread.calls[1].output), std::string("three"));
    QCOMPARE(textsOf(session, thread.end), std::string("summary go done"));
    QCOMPARE(thread.calls[1].usage->prompt(), uint64_t(18));
    QCOMPARE(thread.compactions.size(), size_t(1));
    QCOMPARE(textsOf(session, thread.compactions[0].before), std::string("one two call=1 1=x three sum summary"));
    QVERIFY(!thread.compactions[0].beforeTokens);
    QCOMPARE(*thread.compactions[0].afterTokens, uint64_t(4));
    QCOMPARE(poolProblem(session), QString());
    // The answer and what was sent back of it are one message.
    const Transcript transcript(session, thread.calls[1].input);
    QCOMPARE(transcript.slots()[1].id, session->blocks[thread.calls[0].output.begin].message);
}

void TestRequestLog::preludes()
{
    Recording recording(kDefaultTraits);
    recording.send(said("u:one"), "S", { "a" });
    recording.send(said("u:one a:two"), "S", { "a" });
    recording.send(said("u:one a:two u:three"), "S", { "a", "b" });
    recording.send(said("u:one a:two u:three a:four"), "", {});
    const SessionPtr session = recording.finish();
    const std::vector<Call> &calls = session->threads[0].calls;
    QCOMPARE(calls.size(), size_t(4));
    QCOMPARE(textOf(session, calls[0].prelude.value()), std::string("S a"));
    QCOMPARE(calls[1].prelude.value(), calls[0].prelude.value());
    QCOMPARE(textOf(session, calls[2].prelude.value()), std::string("S a b"));
    QVERIFY(!calls[3].prelude);
    QCOMPARE(session->blocks.size(), size_t(2 + 3 + 4));
    // Preludes stand behind the messages, so that the arrays stay one range.
    QCOMPARE(session->messages[4].role, Role::System);
    QCOMPARE(calls[3].input.rangeCount(), size_t(1));
    QVERIFY(!session->threads[0].prelude);
}

void TestRequestLog::appendingStoresOneRangeEach()
{
    constexpr size_t kRequests = 300;
    Recording recording(kDefaultTraits);
    Array array;
    for (size_t i = 0; i < kRequests; ++i) {
        const std::string number = std::to_string(i);
        array.push_back(said("a:text" + number + "+call=" + number)[0]);
        array.push_back(said("t:" + number + "=out")[0]);
        recording.send(array);
    }
    const SessionPtr session = recording.finish();
    const Thread &thread = session->threads[0];
    QCOMPARE(thread.calls.size(), kRequests);
    QCOMPARE(session->blocks.size(), 2 + 3 * kRequests);
    size_t ranges = thread.end.rangeCount();
    for (const Call &call : thread.calls)
        ranges += call.input.rangeCount();
    QCOMPARE(ranges, kRequests + 1);
    QCOMPARE(thread.calls.back().input.blockCount(), uint64_t(3 * kRequests));
}

/// A conversation that changes in the ways harnesses change theirs.
class Conversation final {
public:
    Conversation(std::mt19937 &random, bool isUnique, int number)
        : m_random(random)
        , m_isUnique(isUnique)
        , m_number(number)
    {
        append();
    }

    [[nodiscard]] const Array &array() const { return m_array; }

    void change()
    {
        switch (below(12)) {
        case 0:
            edit();
            return;
        case 1:
            cutPrefix();
            return;
        case 2:
            insert();
            return;
        case 3:
            moveMarks();
            return;
        case 4:
            grow();
            return;
        case 5:
            shrink();
            return;
        case 6:
            regroup();
            return;
        default:
            append();
            return;
        }
    }

private:
    size_t below(size_t end) { return std::uniform_int_distribution<size_t>(0, end - 1)(m_random); }

    Spec block(Role role)
    {
        // Few words, so that equal blocks are common, or all different ones.
        const std::string word
            = m_isUnique ? std::to_string(m_number) + "-" + std::to_string(++m_count) : std::to_string(below(4));
        Spec spec { BlockKind::Text, word, {}, 0 };
        if (role == Role::Assistant && below(2) == 0)
            spec = { BlockKind::ToolCall, word, "c" + word, 0 };
        else if (role == Role::Tool)
            spec = { BlockKind::ToolResult, word, "c" + word, 0 };
        else if (below(6) == 0)
            spec.flags = kInjected;
        else if (below(20) == 0)
            spec.flags = kSummary;
        return spec;
    }
    Said message()
    {
        static const std::array<Role, 5> kRoles { Role::User, Role::User, Role::Assistant, Role::Assistant,
            Role::Tool };
        Said result { kRoles[below(kRoles.size())], {} };
        for (size_t i = 0, count = below(4); i < count; ++i) // none at all now and then
            result.blocks.push_back(block(result.role));
        return result;
    }
    void append()
    {
        for (size_t i = 0, count = 1 + below(4); i < count; ++i)
            m_array.push_back(message());
    }
    void edit()
    {
        Said &each = m_array[below(m_array.size())];
        if (!each.blocks.empty())
            each.blocks[below(each.blocks.size())] = block(each.role);
    }
    void cutPrefix()
    {
        m_array.erase(m_array.begin(), m_array.begin() + static_cast<ptrdiff_t>(below(m_array.size())));
        if (below(2) == 0)
            m_array.insert(m_array.begin(), message());
    }
    void insert() { m_array.insert(m_array.begin() + static_cast<ptrdiff_t>(below(m_array.size() + 1)), message()); }
    void moveMarks()
    {
        for (Said &each : m_array) {
            for (Spec &spec : each.blocks)
                spec.flags = static_cast<uint16_t>(below(5) == 0 ? spec.flags | kMark : spec.flags & ~kMark);
        }
    }
    void grow()
    {
        Said &each = m_array[below(m_array.size())];
        each.blocks.insert(
            each.blocks.begin() + static_cast<ptrdiff_t>(below(each.blocks.size() + 1)), block(each.role));
    }
    void shrink()
    {
        Said &each = m_array[below(m_array.size())];
        if (!each.blocks.empty())
            each.blocks.erase(each.blocks.begin() + static_cast<ptrdiff_t>(below(each.blocks.size())));
    }
    void regroup()
    {
        const size_t i = below(m_array.size());
        if (i + 1 < m_array.size() && m_array[i].role == m_array[i + 1].role) {
            for (Spec &spec : m_array[i + 1].blocks)
                m_array[i].blocks.push_back(spec);
            m_array.erase(m_array.begin() + static_cast<ptrdiff_t>(i) + 1);
        } else if (m_array[i].blocks.size() > 1) {
            Said tail { m_array[i].role, { m_array[i].blocks.back() } };
            m_array[i].blocks.pop_back();
            m_array.insert(m_array.begin() + static_cast<ptrdiff_t>(i) + 1, tail);
        }
    }

    std::mt19937 &m_random;
    bool m_isUnique;
    int m_number;
    int m_count = 0;
    Array m_array;
};

void TestRequestLog::randomRequests()
{
    bool isGiven = false;
    unsigned seed = qEnvironmentVariable("PALIMPSEST_SEED").toUInt(&isGiven);
    if (!isGiven)
        seed = std::random_device {}();
    qInfo("PALIMPSEST_SEED=%u", seed);
    std::mt19937 random(seed);
    const int cases = qEnvironmentVariableIntValue("PALIMPSEST_ALL_CASES") != 0 ? 3000 : 60;
    for (int i = 0; i < cases; ++i) {
        const auto below = [&](size_t end) { return std::uniform_int_distribution<size_t>(0, end - 1)(random); };
        const FormatTraits &traits = below(2) == 0 ? kDefaultTraits : kMergesUsers;
        const bool isUnique = below(2) == 0;
        const bool hasResponses = below(3) == 0;
        std::vector<Conversation> conversations;
        for (size_t k = 0, count = 1 + below(3); k < count; ++k)
            conversations.emplace_back(random, isUnique, static_cast<int>(k));
        Recording recording(traits);
        std::vector<Array> sent;
        for (size_t k = 0, count = 1 + below(30); k < count; ++k) {
            const size_t which = below(conversations.size());
            Array array = conversations[which].array();
            if (traits.mergesUsers())
                array = merged(array);
            sent.push_back(array);
            const Array response = hasResponses && below(2) == 0 ? said("a:answer" + std::to_string(k)) : Array {};
            recording.send(conversations[which].array(), "system" + std::to_string(which), {}, response);
            conversations[which].change();
        }
        const SessionPtr session = recording.finish();
        QCOMPARE(poolProblem(session), QString());

        size_t calls = 0;
        for (const Thread &thread : session->threads) {
            for (const Call &call : thread.calls) {
                ++calls;
                const Array &array = sent.at(call.line - 1);
                const Transcript transcript(session, call.input);
                QCOMPARE(transcript.slotCount(), array.size());
                QCOMPARE(shown(transcript), written(array));
                QCOMPARE(call.input.blockCount(), uint64_t(transcript.blocks().size()));
            }
        }
        QCOMPARE(calls, sent.size());
        // The main thread is the longest, and no thread's calls go back in time.
        for (const Thread &thread : session->threads) {
            QVERIFY(thread.calls.size() <= session->threads[0].calls.size());
            for (size_t k = 1; k < thread.calls.size(); ++k)
                QVERIFY(thread.calls[k - 1].line < thread.calls[k].line);
            for (const RecordedCompaction &compaction : thread.compactions)
                QCOMPARE(compaction.after, thread.calls[compaction.call.index() + 1].input);
        }
        if (isUnique)
            QCOMPARE(identityProblem(session, sent), QString());
    }
}

} // namespace

PALIMPSEST_TEST(TestRequestLog)
#include "tst_request_log.moc"
