// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/formats/command_ways.h"
#include "tests/test_program.h"

#include <QTest>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

using namespace Qt::StringLiterals;

namespace {

using Json = nlohmann::ordered_json;

/// Clears the screen, sets the title of a terminal, turns the text around; then markup, and a way out of a folder.
const std::string kHostile
    = "\x1b[2J\x1b]0;t\x07\u202Eabc\u2066\u200F\u0085<b onclick=x>&amp;</b>![x](http://x/)\r../../../x";

/// A recorded session with that in every text: of messages and tools, ids, names, folders. Equal texts stay equal.
std::string hostileSession(const std::string &name)
{
    static const std::set<std::string> kStructure { "type", "subtype", "role", "timestamp", "version", "phase",
        "status", "stop_reason", "userType", "level", "originator", "source" };
    const auto change = [&](const auto &self, Json &value) -> void {
        if (value.is_string()) {
            value = value.get<std::string>() + kHostile;
        } else if (value.is_structured()) {
            for (auto each = value.begin(); each != value.end(); ++each) {
                if (!value.is_object() || !kStructure.contains(each.key()))
                    self(self, *each);
            }
        }
    };
    std::ifstream file(std::string(PALIMPSEST_SOURCE_DIR) + "/tests/samples/played/" + name);
    std::string text;
    for (std::string line; std::getline(file, line);) {
        Json record = Json::parse(line);
        change(change, record);
        text += record.dump() + "\n";
    }
    return text;
}

/// What a terminal would obey, or what hides the order of the letters.
bool isObeyed(char32_t c)
{
    const bool isControl = (c < U' ' && c != U'\n' && c != U'\t') || (c >= 0x7F && c <= 0x9F);
    return isControl || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0x200E || c == 0x200F;
}

QString obeyedLine(const std::string &text, bool isJson)
{
    for (const QString &line : QString::fromStdString(text).split(u'\n')) {
        for (const char32_t c : line.toStdU32String()) {
            // JSON holds the text of the session as it is; its controls are escaped.
            if (isObeyed(c) && !(isJson && c > 0x7F))
                return u"%1 in: %2"_s.arg(static_cast<uint>(c), 4, 16).arg(line.left(300));
        }
    }
    return {};
}

} // namespace

/// Sessions whose texts, ids and names try to command the terminal or to leave their folder.
class HostileOutputTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theTerminalObeysNothing_data();
    void theTerminalObeysNothing();
};

void HostileOutputTest::theTerminalObeysNothing_data()
{
    QTest::addColumn<QString>("command");
    for (const auto &[command, ways] : testing::waysOfCommands())
        QTest::newRow(qPrintable(command)) << command;
}

void HostileOutputTest::theTerminalObeysNothing()
{
    QFETCH(QString, command);
    // What an agent or a shell reads holds names and words as they are.
    if (command == u"recall"_s || command == u"continue"_s)
        QSKIP("This command prints words for an agent or a command for a shell.");
    testing::CommandGround ground;
    ground.write(u"FILE"_s, u"a\x1b[2J\u202E<b>x.jsonl"_s, hostileSession("claude-code.jsonl"));
    ground.write(u"OTHER"_s, u"b\x1b[2J\u202E<b>x.jsonl"_s, hostileSession("codex.jsonl"));
    int number = 0;
    for (const QString &way : testing::waysOfCommands().at(command)) {
        const QStringList words = ground.words(command, way, u"out%1"_s.arg(++number));
        const testing::ProgramRun run = testing::runProgram(words);
        QVERIFY2(run.exitCode >= 0, run.error.c_str());
        const bool isJson = way.contains(u"json"_s) || way.contains(u"--as"_s);
        // For programs, as the files hold it.
        const bool isRaw = way.contains(u"--patch"_s) || way.contains(u"csv"_s) || way.contains(u"--costs"_s);
        const QString output = isRaw ? QString() : obeyedLine(run.output, isJson);
        QVERIFY2(output.isEmpty(), qPrintable(way + u": "_s + output));
        const QString error = obeyedLine(run.error, false);
        QVERIFY2(error.isEmpty(), qPrintable(way + u": "_s + error));
    }
}

PALIMPSEST_TEST(HostileOutputTest)

#include "tst_hostile_output.moc"
