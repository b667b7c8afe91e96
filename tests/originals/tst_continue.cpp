// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/continuation.h"
#include "core/compaction/policy_settings.h"
#include "core/originals/restore.h"
#include "core/session/format_traits.h"
#include "core/writing/session_ids.h"
#include "tests/claude_log.h"
#include "tests/file_bytes.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <filesystem>
#include <fstream>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

namespace fs = std::filesystem;

void append(const fs::path &path, const std::string &text) { std::ofstream(path, std::ios::app) << text; }

fs::path played(const char *name) { return fs::path(PALIMPSEST_SOURCE_DIR) / "tests/samples/played" / name; }

/// The array as texts by slot.
std::vector<std::string> slotsOf(const Transcript &transcript)
{
    std::vector<std::string> texts;
    for (const Slot &slot : transcript.slots()) {
        std::string text(1, static_cast<char>('0' + static_cast<int>(slot.role)));
        for (const BlockId id : transcript.blocksOf(slot))
            text += "|" + transcript.session()->text(transcript.block(id).body);
        texts.push_back(text);
    }
    return texts;
}

/// The kinds and texts of its blocks, in order.
std::vector<std::string> blocksOf(const Transcript &transcript)
{
    std::vector<std::string> texts;
    for (const BlockId id : transcript.blocks()) {
        const Block &block = transcript.block(id);
        texts.push_back(std::to_string(static_cast<int>(block.kind)) + "|" + transcript.session()->text(block.body));
    }
    return texts;
}

/// The ids of the session in its records, as its harness writes them.
QStringList idsIn(const std::string &bytes, const QString &format)
{
    QStringList ids;
    const QByteArray whole = QByteArray::fromStdString(bytes);
    for (const QByteArray &line : format == u"gemini-cli" ? QByteArrayList { whole } : whole.split('\n')) {
        const QJsonObject record = QJsonDocument::fromJson(line).object();
        const bool isCodex = format == u"codex";
        if ((isCodex && record[u"type"_s] != u"session_meta"_s)
            || (format == u"pi" && record[u"type"_s] != u"session"_s))
            continue;
        const QJsonValue id
            = isCodex ? record[u"payload"_s].toObject()[u"id"_s] : record[format == u"pi" ? u"id"_s : u"sessionId"_s];
        if (id.isString())
            ids << id.toString();
    }
    return ids;
}

/// The sizes of the prompts that the records of the main thread state, in their order.
std::vector<double> statedPrompts(const std::string &bytes, const QString &format)
{
    std::vector<double> prompts;
    for (const QByteArray &line : QByteArray::fromStdString(bytes).split('\n')) {
        const QJsonObject record = QJsonDocument::fromJson(line).object();
        const bool isCodex = format == u"codex";
        const QJsonObject usage = isCodex
            ? record[u"payload"_s].toObject()[u"info"_s].toObject()[u"last_token_usage"_s].toObject()
            : format == u"qwen-code" ? record[u"usageMetadata"_s].toObject()
                                     : record[u"message"_s].toObject()[u"usage"_s].toObject();
        double prompt = 0;
        for (const QString &name : isCodex ? QStringList { u"input_tokens"_s }
                : format == u"qwen-code"   ? QStringList { u"promptTokenCount"_s }
                : format == u"pi"
                ? QStringList { u"input"_s, u"cacheRead"_s, u"cacheWrite"_s }
                : QStringList { u"input_tokens"_s, u"cache_read_input_tokens"_s, u"cache_creation_input_tokens"_s })
            prompt += usage[name].toDouble();
        if (prompt > 0 && !record[u"isSidechain"_s].toBool())
            prompts.push_back(prompt);
    }
    return prompts;
}

double weightOf(const Transcript &array, const BlockTokens &tokens)
{
    double sum = 0;
    for (const BlockId id : array.blocks())
        sum += tokens.of(id);
    return sum;
}

Surroundings homeIn(const QTemporaryDir &folder, const std::map<std::string, std::string, std::less<>> &variables = {})
{
    return { folder.path().toStdString(), [variables](std::string_view name) -> std::optional<std::string> {
                const auto found = variables.find(name);
                return found == variables.end() ? std::nullopt : std::optional(found->second);
            } };
}

Compaction planned(const SessionPtr &session, const PolicyPtr &policy, Position position = {})
{
    CompactOptions options;
    options.position = position;
    options.ignoresTriggers = true;
    return compact(Transcript(session, rangesAt(*session, position)), policy, *roughTokens(*session), options);
}

Result<Continued> continued(const SessionPtr &session, const Surroundings &surroundings, const PolicyPtr &policy)
{
    ContinueOptions options;
    options.surroundings = surroundings;
    options.time = *parseTime("2026-03-04T05:06:07Z");
    return continueSession(planned(session, policy), options);
}

/// A small session of Claude Code that works in the folder.
std::string claudeLog(const std::string &cwd)
{
    testing::ClaudeLog log(cwd);
    log.typed("one");
    log.call("Bash", { { "command", "ls" } });
    log.result("three");
    return log.text();
}

} // namespace

/// A session that goes on in its harness under a new id.
class ContinueTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void twoEditsAreUndoneAsOne();
    void placesAndCommands_data();
    void placesAndCommands();
    void foldersOfHarnesses();
    void recordedRuns_data();
    void recordedRuns();
    void arraysThatAreTakenIn_data();
    void arraysThatAreTakenIn();
    void oneSessionOfADatabase();
    void corpus_data() { testing::addCorpusRows(4); }
    void corpus();
    void refusals();
    void undoing();
    void privacy();
    void theCommand();

private:
    void check(const fs::path &file, const PolicyPtr &policy, Position position);
    void checkUsage(const Compaction &compaction, const Continued &made, Position position);
    size_t m_written = 0;
    size_t m_refused = 0;
    size_t m_usagesChanged = 0; ///< copies whose last usage says another size
};

/// Random edits of a text, and of what came out.
void ContinueTest::twoEditsAreUndoneAsOne()
{
    std::mt19937_64 random = seededRandom();
    const auto edited = [&](const std::string &text, std::vector<std::string> &removed) {
        Spliced made;
        size_t at = 0;
        while (at <= text.size()) {
            const size_t begin = std::min<size_t>(at + random() % 6, text.size());
            const size_t end = std::min<size_t>(begin + random() % 4, text.size());
            made.bytes += text.substr(at, begin - at);
            const std::string added(random() % 4, static_cast<char>('A' + random() % 26));
            made.inverse.push_back({ made.bytes.size(), added.size(), begin, end - begin });
            removed.push_back(text.substr(begin, end - begin));
            made.bytes += added;
            at = end + 1;
            if (end < text.size())
                made.bytes += text[end];
        }
        return made;
    };
    for (int i = 0; i < caseCount(2000); ++i) {
        std::string oldest;
        for (size_t k = random() % 40; k > 0; --k)
            oldest += static_cast<char>('a' + random() % 26);
        std::vector<std::string> removed;
        const Spliced first = edited(oldest, removed);
        const Spliced second = edited(first.bytes, removed);
        const std::vector<InverseSplice> both = joined(first.inverse, second.inverse);
        std::vector<std::string_view> originals;
        for (const InverseSplice &each : both)
            originals.push_back(std::string_view(oldest).substr(each.originalOffset, each.originalSize));
        const auto back = unsplice(second.bytes, both, originals);
        QVERIFY2(back.has_value(), back ? "" : back.error().message.c_str());
        QCOMPARE(*back, oldest);
    }
}

void ContinueTest::placesAndCommands_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("command");
    QTest::addRow("Claude Code") << u"claude-code.jsonl"_s << u".claude/projects/-home-p-work/{id}.jsonl"_s
                                 << u"cd /home/p/work && claude --resume {id}"_s;
    QTest::addRow("Codex") << u"codex.jsonl"_s << u".codex/sessions/2026/03/04/rollout-2026-03-04T05-06-07-{id}.jsonl"_s
                           << u"codex resume {id}"_s;
    QTest::addRow("pi")
        << u"pi.jsonl"_s << u".pi/agent/sessions/--home-p-work--/2026-03-04T05-06-07-000Z_{id}.jsonl"_s
        << u"pi --session {home}/.pi/agent/sessions/--home-p-work--/2026-03-04T05-06-07-000Z_{id}.jsonl"_s;
    QTest::addRow("Qwen Code") << u"qwen-code.jsonl"_s << u".qwen/projects/-home-p-work/chats/{id}.jsonl"_s
                               << u"cd /home/p/work && qwen --resume {id}"_s;
    const QString taken = u".local/share/palimpsest/continued/opencode/{id}.json"_s;
    for (const QString &file : { u"opencode.jsonl"_s, u"../harnesses/opencode-export.json"_s }) {
        const QString folder = file == u"opencode.jsonl" ? u"/home/p/work"_s : u"/w"_s;
        QTest::addRow("opencode, %s", qPrintable(file))
            << file << taken
            << QString(u"cd "_s + folder + u" && opencode import {home}/"_s + taken + u" && opencode --session {id}"_s);
    }
    for (const QString &file : { u"gemini-cli-log.jsonl"_s, u"../harnesses/gemini-cli.json"_s }) {
        const QString place = u".local/share/palimpsest/continued/gemini-cli/session-2026-03-04T05-06-{short}"_s
            + file.mid(file.lastIndexOf(u'.'));
        QTest::addRow("Gemini CLI, %s", qPrintable(file))
            << file << place << QString(u"gemini --session-file {home}/"_s + place);
    }
}

void ContinueTest::placesAndCommands()
{
    QFETCH(const QString, file);
    QFETCH(const QString, place);
    QFETCH(const QString, command);
    const QTemporaryDir home;
    const auto session = loadSession(played(file.toUtf8()));
    QVERIFY(session.has_value());
    const auto first = continued(*session, homeIn(home), preset("none"));
    QVERIFY2(first.has_value(), first ? "" : first.error().sentence().c_str());
    const QString id = QString::fromStdString(first->id);
    static const QRegularExpression uuid(
        u"^([0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|ses_[0-9a-f]{26})$"_s);
    QVERIFY(uuid.match(id).hasMatch());
    const auto filled = [&](QString text) {
        return text.replace(u"{id}"_s, id).replace(u"{short}"_s, id.left(8)).replace(u"{home}"_s, home.path());
    };
    QCOMPARE(QString::fromStdString(first->file.string()), home.path() + u'/' + filled(place));
    QCOMPARE(QString::fromStdString(first->command), filled(command));
    QVERIFY(Store::open(first->file.string() + ".originals.git").has_value());
    // The same input has the same id, as long as its place is free.
    const auto second = continued(*session, homeIn(home), preset("none"));
    QVERIFY(second.has_value() && second->id != first->id);
    const QTemporaryDir elsewhere;
    QCOMPARE(continued(*session, homeIn(elsewhere), preset("none"))->id, first->id);
}

/// The variables of the harnesses, and sessions that stand in their folders already.
void ContinueTest::foldersOfHarnesses()
{
    const QTemporaryDir home;
    const std::string root = home.path().toStdString();
    const auto codex = loadSession(played("codex.jsonl"));
    const auto moved = continued(*codex, homeIn(home, { { "CODEX_HOME", root + "/c x" } }), preset("none"));
    QVERIFY(moved.has_value());
    QVERIFY(moved->file.string().starts_with(root + "/c x/sessions/2026/03/04/"));
    const auto pi = loadSession(played("pi.jsonl"));
    const auto quoted = continued(*pi, homeIn(home, { { "PI_CODING_AGENT_DIR", root + "/it's" } }), preset("none"));
    QVERIFY(quoted.has_value());
    QVERIFY(quoted->command.starts_with("pi --session '" + root + "/it'\\''s/sessions/--home-p-work--/"));

    // Claude Code moved the session into a folder that its working folder does not name.
    const fs::path projects = fs::path(root) / "claude" / "projects";
    for (const char *project : { "-home-other", "-home-me-a-b-c" }) {
        fs::create_directories(projects / project);
        std::ofstream(projects / project / "old.jsonl") << claudeLog("/home/me/a b.c");
        const auto session = loadSession(projects / project / "old.jsonl");
        const auto beside
            = continued(*session, homeIn(home, { { "CLAUDE_CONFIG_DIR", root + "/claude" } }), preset("none"));
        QVERIFY2(beside.has_value(), beside ? "" : beside.error().sentence().c_str());
        QCOMPARE(beside->file.parent_path(), projects / project);
        const bool isItsOwn = std::string_view(project) == "-home-me-a-b-c";
        QCOMPARE(beside->command, (isItsOwn ? "cd '/home/me/a b.c' && " : "") + ("claude --resume " + beside->id));
        QCOMPARE(std::ranges::any_of(
                     beside->notes, [](const std::string &each) { return each.contains("the folder of another one"); }),
            !isItsOwn);
    }
    // A file in another folder of the harness is none of its sessions.
    fs::create_directories(projects / "-home-me" / "x" / "subagents");
    std::ofstream(projects / "-home-me" / "x" / "subagents" / "old.jsonl") << claudeLog("/home/me/a b.c");
    const auto deep = loadSession(projects / "-home-me" / "x" / "subagents" / "old.jsonl");
    const auto own = continued(*deep, homeIn(home, { { "CLAUDE_CONFIG_DIR", root + "/claude" } }), preset("none"));
    QVERIFY(own.has_value());
    QCOMPARE(own->file.parent_path(), projects / "-home-me-a-b-c");
}

/// The copy ends with the simulated array, under a new id in every record; the old file stays, and comes back.
void ContinueTest::check(const fs::path &file, const PolicyPtr &policy, Position position)
{
    const auto session = loadSession(file);
    QVERIFY(session.has_value());
    const std::string before = testing::bytesOf(file);
    const Compaction compaction = planned(*session, policy, position);
    const QTemporaryDir home;
    ContinueOptions options;
    options.surroundings = homeIn(home);
    options.position = position;
    const auto made = continueSession(compaction, options);
    QVERIFY(testing::bytesOf(file) == before);
    if (!made) {
        ++m_refused;
        qInfo("%s, %s: %s", file.filename().c_str(), policy->id.c_str(), made.error().sentence().c_str());
        for (const auto &each : fs::recursive_directory_iterator(home.path().toStdString()))
            QVERIFY2(each.is_directory(), each.path().c_str());
        return;
    }
    ++m_written;
    const auto again = loadSession(made->file);
    QVERIFY(again.has_value());
    QCOMPARE(slotsOf(Transcript(*again, (*again)->threads.front().end)), slotsOf(compaction.after));
    const std::string bytes = testing::bytesOf(made->file);
    const QStringList ids = idsIn(bytes, QString::fromStdString((*session)->format));
    QVERIFY(!ids.isEmpty());
    for (const QString &id : ids)
        QCOMPARE(id, QString::fromStdString(made->id));
    checkUsage(compaction, *made, position);
    const auto store = Store::open(made->exported.store);
    const auto restored = restoreSession(*store, made->exported.commit, bytes, made->file);
    QVERIFY2(restored.has_value(), restored ? "" : restored.error().sentence().c_str());
    QVERIFY(std::string_view(*restored) == (*session)->sources.front()->bytes());
    QVERIFY(removeContinued(made->file).has_value());
    QVERIFY(!fs::exists(made->file) && !fs::exists(made->exported.store));
}

/// A harness takes the size of its context from the last usage in the file, and compacts at once if that is large. So
/// the last usage changes by what the array changes; those before it stay.
void ContinueTest::checkUsage(const Compaction &compaction, const Continued &made, Position position)
{
    const QTemporaryDir folder;
    ExportOptions plain;
    plain.position = position;
    plain.file = fs::path(folder.path().toStdString()) / "plain.jsonl";
    QVERIFY(exportCompaction(compaction, plain).has_value());
    const QString format = QString::fromStdString(compaction.before.session()->format);
    std::vector<double> expected = statedPrompts(testing::bytesOf(plain.file), format);
    const std::vector<double> stated = statedPrompts(testing::bytesOf(made.file), format);
    const double added
        = weightOf(compaction.after, *compaction.afterTokens) - weightOf(compaction.before, *compaction.afterTokens);
    const auto changed = [&](double last) { return std::round(std::max(1.0, last + added)); };
    if (position.isEnd()) { // the plain file has the change, too
        const std::vector<double> original
            = statedPrompts(std::string(compaction.before.session()->sources.front()->bytes()), format);
        QVERIFY(std::abs(added) < 1 || original.size() != stated.size() || original.empty()
            || stated.back() == changed(original.back()));
    } else if (!expected.empty() && std::abs(added) >= 1) {
        expected.back() = changed(expected.back());
    }
    m_usagesChanged += !expected.empty() && std::abs(added) >= 1 ? 1 : 0;
    QCOMPARE(stated, expected);
}

void ContinueTest::recordedRuns_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("policy");
    for (const char *file : { "claude-code.jsonl", "codex.jsonl", "pi.jsonl", "qwen-code.jsonl", "gemini-cli-log.jsonl",
             "../harnesses/gemini-cli.json" }) {
        for (const char *policy : { "none", "genkit-recipe-figure", "deep-agents", "langchain-clear-tool-uses", "pi" })
            QTest::addRow("%s, %s", file, policy) << QString::fromLatin1(file) << QString::fromLatin1(policy);
    }
}

void ContinueTest::recordedRuns()
{
    QFETCH(const QString, file);
    QFETCH(const QString, policy);
    m_refused = m_usagesChanged = 0;
    const fs::path path = played(file.toUtf8());
    const auto session = loadSession(path);
    check(path, preset(policy.toStdString()), {});
    for (size_t call = 0; call < (*session)->threads.front().calls.size() && !QTest::currentTestFailed(); ++call)
        check(path, preset(policy.toStdString()), { ThreadIndex(0U), CallIndex(call) });
    // Gemini CLI measures the array that it resumes.
    QVERIFY(policy != u"genkit-recipe-figure" || m_usagesChanged > 0 || file.contains(u"gemini"));
    // Codex keeps a compaction that only its provider can read: some changes before it have no place.
    if (file != u"codex.jsonl")
        QCOMPARE(m_refused, size_t(0));
}

void ContinueTest::arraysThatAreTakenIn_data()
{
    QTest::addColumn<QString>("policy");
    for (const char *policy : { "none", "genkit-recipe-figure", "deep-agents", "langchain-clear-tool-uses", "pi" })
        QTest::newRow(policy) << QString::fromLatin1(policy);
}

/// opencode takes in a file that has the array alone: the same texts, calls and results, in their order.
void ContinueTest::arraysThatAreTakenIn()
{
    QFETCH(const QString, policy);
    const auto session = loadSession(played("opencode.jsonl"));
    QVERIFY(session.has_value());
    const size_t calls = (*session)->threads.front().calls.size();
    QVERIFY(calls > 5);
    for (size_t i = 0; i <= calls; ++i) {
        ContinueOptions options;
        if (i < calls)
            options.position = { ThreadIndex(0U), CallIndex(i) };
        const QTemporaryDir home;
        options.surroundings = homeIn(home);
        const Compaction compaction = planned(*session, preset(policy.toStdString()), options.position);
        const auto made = continueSession(compaction, options);
        QVERIFY2(made.has_value(), made ? "" : made.error().sentence().c_str());
        const auto again = loadSession(made->file);
        QVERIFY(again.has_value());
        QCOMPARE((*again)->format, "opencode-export");
        QCOMPARE((*again)->threads.front().id, made->id);
        QCOMPARE(blocksOf(Transcript(*again, (*again)->threads.front().end)), blocksOf(compaction.after));
        QVERIFY(removeContinued(made->file).has_value());
    }
    QVERIFY(whyNotContinued(**session, { ThreadIndex(1U), {} }).contains("subagents"));
}

/// The rows of a database of opencode with two sessions: each has its own folder, title and model.
void ContinueTest::oneSessionOfADatabase()
{
    std::string rows = R"({"sqlite":{"session":["id"],"message":["id"],"part":["id"]}})";
    for (const std::string name : { "a", "b" })
        rows += "\n"
                R"({"table":"session","id":"ses_)"
            + name + R"(","directory":"/)" + name + R"(","title":"title )" + name + R"(","time_updated":)"
            + (name == "a" ? "2}" : "1}");
    for (const std::string name : { "b", "a" })
        rows += "\n"
                R"({"table":"message","id":"m)"
            + name + R"(","session_id":"ses_)" + name
            + R"(","data":{"role":"user","time":{"created":1},"model":{"providerID":"of )" + name
            + R"(","modelID":"model )" + name + R"("}}})";
    for (const std::string name : { "b", "a" })
        rows += "\n"
                R"({"table":"part","id":"p)"
            + name + R"(","message_id":"m)" + name + R"(","session_id":"ses_)" + name
            + R"(","data":{"type":"text","text":"words )" + name + R"("}})";
    const SessionPtr session = testing::sound(rows + "\n");
    QCOMPARE(session->threads.size(), size_t(2));
    for (const std::string name : { "a", "b" }) {
        const QTemporaryDir home;
        ContinueOptions options;
        options.surroundings = homeIn(home);
        options.position.thread = ThreadIndex(name == "a" ? 0U : 1U);
        const auto made = continueSession(planned(session, preset("none"), options.position), options);
        QVERIFY2(made.has_value(), made ? "" : made.error().sentence().c_str());
        QVERIFY2(made->command.starts_with("cd /" + name + " && opencode import "), made->command.c_str());
        const std::string bytes = testing::bytesOf(made->file);
        for (const std::string &each : { "\"words " + name, "\"title " + name, "\"of " + name, "\"model " + name })
            QVERIFY2(bytes.contains(each + "\""), each.c_str());
    }
}

/// Real sessions, at their end and at a random call.
void ContinueTest::corpus()
{
    QFETCH(const QString, file);
    if (file.isEmpty())
        QSKIP("There is no corpus beside the repository.");
    const fs::path path = testing::corpus() / file.toStdString();
    const auto session = loadSession(path);
    if (!session || (*session)->traits->resume.file == nullptr || (*session)->traits->resume.isTakenIn)
        return;
    std::mt19937_64 random = seededRandom();
    m_written = m_refused = 0;
    for (int round = 0; round < (qEnvironmentVariableIsSet("PALIMPSEST_ALL_CASES") ? 6 : 2); ++round) {
        const size_t calls = (*session)->threads.front().calls.size();
        const bool isEnd = calls == 0 || random() % 2 == 0;
        const PolicyPtr policy = round == 0 ? preset("none") : presets()[random() % presets().size()];
        check(path, policy,
            isEnd ? Position() : Position { ThreadIndex(0U), CallIndex(static_cast<uint32_t>(random() % calls)) });
        if (QTest::currentTestFailed()) {
            qWarning("under %s", policy->id.c_str());
            return;
        }
    }
    qInfo("%zu written, %zu refused", m_written, m_refused);
}

void ContinueTest::refusals()
{
    const QTemporaryDir home;
    const auto genkit = loadSession(fs::path(testing::samplePath(u"messages-21.genkit.json"_s).toStdString()));
    const auto refused = continued(*genkit, homeIn(home), preset("none"));
    QVERIFY(!refused.has_value());
    QVERIFY(refused.error().message.contains("that a harness would resume"));
    const auto subagent = loadSession(played("claude-code-subagent.jsonl"));
    QVERIFY(!continued(*subagent, homeIn(home), preset("none")).has_value());
    const auto nowhere = testing::sound(claudeLog(""));
    QVERIFY(continued(nowhere, homeIn(home), preset("none")).error().message.contains("working folder"));
    const auto homeless = continued(testing::sound(claudeLog("/w")), { {}, homeIn(home).variable }, preset("none"));
    QVERIFY(!homeless.has_value());
    QVERIFY(fs::is_empty(home.path().toStdString()));
}

void ContinueTest::undoing()
{
    const QTemporaryDir home;
    const auto session = testing::sound(claudeLog("/w"));
    const auto made = continued(session, homeIn(home), preset("none"));
    QVERIFY(made.has_value());
    const auto sentence = [](const fs::path &path) {
        const auto removed = removeContinued(path);
        return removed ? std::string() : removed.error().message;
    };
    // A file of somebody else.
    const fs::path other = made->file.parent_path() / "other.jsonl";
    append(other, claudeLog("/w"));
    QVERIFY(sentence(other).contains("did not write this file"));
    // Its store under the name of another file's.
    fs::copy(made->exported.store, other.string() + ".originals.git", fs::copy_options::recursive);
    QVERIFY(sentence(other).contains("of another file"));
    QVERIFY(fs::exists(other));
    const std::string before = testing::bytesOf(made->file);
    append(made->file, "{}\n");
    QVERIFY(sentence(made->file).contains("has grown"));
    QVERIFY(fs::exists(made->file) && fs::exists(made->exported.store));
    std::ofstream(made->file) << before;
    QCOMPARE(sentence(made->file), "");
    QVERIFY(!fs::exists(made->file) && !fs::exists(made->exported.store));
    QVERIFY(!sentence(made->file).empty());
}

/// A copy of a file that nobody else may read.
void ContinueTest::privacy()
{
    const QTemporaryDir home;
    const fs::path old = fs::path(home.path().toStdString()) / "old.jsonl";
    append(old, claudeLog("/w"));
    fs::permissions(old, fs::perms::owner_read | fs::perms::owner_write);
    const auto made = continued(*loadSession(old), homeIn(home), preset("none"));
    QVERIFY(made.has_value());
    QCOMPARE(fs::status(made->file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    QCOMPARE(fs::status(made->exported.store).permissions(), fs::perms::owner_all);
}

/// The program prints the command alone, and undoes what it did.
void ContinueTest::theCommand()
{
    const QTemporaryDir home;
    const fs::path old = fs::path(home.path().toStdString()) / "old.jsonl";
    append(old, claudeLog(home.path().toStdString()));
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"HOME"_s, home.path());
    environment.remove(u"CLAUDE_CONFIG_DIR"_s);
    process.setProcessEnvironment(environment);
    const auto run = [&](const QStringList &words) {
        process.start(QCoreApplication::applicationDirPath() + u"/palimpsest"_s, words);
        process.waitForFinished();
        return process.exitCode();
    };
    const QString file = QString::fromStdString(old.string());
    QCOMPARE(run({ u"continue"_s, file, u"--call"_s, u"0"_s }), 0);
    const QString command = QString::fromUtf8(process.readAllStandardOutput());
    static const QRegularExpression words(u"^cd (\\S+) && claude --resume (\\S+)\n$"_s);
    const auto match = words.match(command);
    QVERIFY2(match.hasMatch(), qPrintable(command));
    QCOMPARE(match.captured(1), home.path());
    const fs::path copy = fs::path(home.path().toStdString()) / ".claude/projects"
        / dashedPath(home.path().toStdString()) / (match.captured(2).toStdString() + ".jsonl");
    QVERIFY(fs::exists(copy));
    const auto again = loadSession(copy);
    QCOMPARE(testing::describe(**again), "user{text+typed \"one\"}");
    QCOMPARE(run({ u"continue"_s, u"--undo"_s, QString::fromStdString(copy.string()), u"--force"_s }), 2);
    QCOMPARE(run({ u"continue"_s, u"--undo"_s, QString::fromStdString(copy.string()) }), 0);
    QVERIFY(!fs::exists(copy) && fs::exists(old));
    QCOMPARE(run({ u"continue"_s, u"--undo"_s, file }), 1);
}

PALIMPSEST_TEST(ContinueTest)
#include "tst_continue.moc"
