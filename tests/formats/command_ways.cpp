// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/formats/command_ways.h"

#include "tests/session_testing.h"

#include <QCoreApplication>
#include <QFile>

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace testing {

namespace {

std::string bytesOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

} // namespace

ProgramRun runProgram(const QStringList &words)
{
    const QTemporaryDir folder;
    const std::string output = folder.filePath(u"output"_s).toStdString();
    const std::string error = folder.filePath(u"error"_s).toStdString();
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const auto &[descriptor, path] : { std::pair(STDOUT_FILENO, &output), std::pair(STDERR_FILENO, &error) })
        posix_spawn_file_actions_addopen(&actions, descriptor, path->c_str(), O_WRONLY | O_CREAT, 0600);
    std::vector<std::string> texts { (QCoreApplication::applicationDirPath() + u"/palimpsest"_s).toStdString() };
    for (const QString &word : words)
        texts.push_back(word.toStdString());
    std::vector<char *> arguments;
    for (std::string &text : texts)
        arguments.push_back(text.data());
    arguments.push_back(nullptr);
    ProgramRun run;
    pid_t process = 0;
    int status = 0;
    rusage usage {};
    const bool hasRun = posix_spawn(&process, arguments.front(), &actions, nullptr, arguments.data(), environ) == 0
        && wait4(process, &status, 0, &usage) == process;
    posix_spawn_file_actions_destroy(&actions);
    if (hasRun && WIFEXITED(status))
        run.exitCode = WEXITSTATUS(status);
    run.memory = int64_t { usage.ru_maxrss } << 10U;
    run.output = bytesOf(QString::fromStdString(output));
    run.error = bytesOf(QString::fromStdString(error));
    return run;
}

const std::map<QString, QStringList> &waysOfCommands()
{
    static const std::map<QString, QStringList> kWays {
        { u"show"_s,
            { u"FILE --json --texts"_s, u"FILE --all --policy PRESET"_s, u"FILE --json --policy PRESET"_s,
                u"FILE --policy POLICY"_s } },
        { u"findings"_s,
            { u"FILE"_s, u"FILE --json"_s, u"FILE OTHER --fail-on lost-messages"_s, u"FILE --ndjson"_s,
                u"--merge FILE"_s } },
        { u"compact"_s,
            { u"FILE --policy PRESET --as-if-fired --json"_s, u"FILE --policy PRESET --as-if-fired -o OUT"_s,
                u"FILE --policy PRESET --as-if-fired -o OUT --as anthropic --force"_s,
                u"FILE --policy PRESET --as-if-fired -o OUT --as openai --force"_s,
                u"FILE --policy PRESET --as-if-fired -o OUT --as langchain --force"_s,
                u"FILE --policy PRESET --as-if-fired -o OUT --as genkit"_s } },
        { u"observe"_s,
            { u"FILE --json"_s, u"FILE OTHER --json"_s, u"FILE OTHER"_s,
                u"FILE --policy recorded --policy PRESET --as-if-fired"_s } },
        { u"restore"_s, { u"STORE --session FILE -o OUT"_s, u"STORE --json"_s, u"FILE"_s } },
        { u"trace"_s, { u"FILE --json"_s, u"FILE --text the"_s, u"FILE --block #1 --policy PRESET --json"_s } },
        { u"reach"_s,
            { u"FILE --json"_s, u"FILE --uses repeat --csv"_s, u"FILE --uses name"_s, u"FILE --ndjson"_s,
                u"--merge FILE"_s } },
        { u"replay"_s,
            { u"FILE --policy PRESET --json"_s, u"FILE --policy PRESET --table"_s, u"FILE --csv --policy PRESET"_s,
                u"FILE --json"_s } },
        { u"search"_s, { u"FILE the"_s, u"FILE role:tool --json"_s, u"FILE lost --limit 3"_s } },
        { u"list"_s, { u"FOLDER --json"_s, u"FOLDER"_s, u"FOLDER --findings"_s, u"FOLDER --costs"_s } },
        { u"watch"_s, { u"FILE --once --json"_s, u"FILE --once --last all"_s } },
        { u"continue"_s, { u"FILE --policy PRESET --force --json"_s, u"FILE --call 1"_s } },
        { u"recall"_s, { u"FILE"_s, u"FILE --budget 50"_s } },
        { u"statusline"_s, { u"FILE"_s } },
        { u"guard"_s, { u"FILE --folder OUT"_s } },
        { u"sweep"_s,
            { u"FILE --policy pi --grid 2 --json"_s, u"FILE --policy deep-agents --grid 2"_s,
                u"FILE OTHER --policy pi --grid 2 --json"_s, u"FILE OTHER --policy pi --suggest --grid 2"_s,
                u"--merge FILE"_s } },
        { u"summarise"_s,
            { u"FILE --policy PRESET --as-if-fired --api anthropic --model m"_s,
                u"FILE --policy pi --as-if-fired --api gemini --model m --json"_s,
                u"FILE --policy langchain-summarization --as-if-fired --note OTHER"_s } },
        { u"edits"_s, { u"FILE --json"_s, u"FILE"_s, u"FILE --patch"_s, u"FILE --policy PRESET --json"_s } },
        { u"export"_s,
            { u"FILE --as card --policy PRESET -o OUT.svg"_s,
                u"FILE OTHER --as card --policy pi --grid 2 -o OUT.svg"_s } },
        { u"report"_s,
            { u"FILE -o OUT.html"_s, u"FILE -o OUT.md --without-texts"_s, u"FILE -o OUT.json"_s, u"FILE -o OUT.svg"_s,
                u"FILE --review"_s } },
        { u"tokens"_s,
            { u"FILE --json"_s, u"FILE --slots"_s, u"FILE --calibration"_s, u"FILE --text --encoding cl100k_base"_s } },
        { u"policies"_s, { u"POLICY"_s, u"POLICY --json"_s, u"POLICY --as settings"_s } },
        { u"shoot"_s,
            { u"FILE --view array --policy PRESET --as-if-fired -o OUT"_s, u"FILE --view timeline -o OUT"_s,
                u"FILE --view edits -o OUT"_s, u"FILE --after OTHER --view array,rewrites -o OUT"_s } },
    };
    return kWays;
}

CommandGround::CommandGround()
    : m_home(qgetenv("HOME"))
    , m_places { { u"FILE"_s, samplePath(u"messages-21.claude-code.jsonl"_s) },
        { u"OTHER"_s, samplePath(u"messages-21.claude-code.jsonl"_s) }, { u"PRESET"_s, u"langchain-clear-tool-uses"_s },
        { u"POLICY"_s, u"langchain-clear-tool-uses"_s }, { u"STORE"_s, m_folder.filePath(u"store.git"_s) },
        { u"FOLDER"_s, m_folder.path() } }
{
    // `continue` writes into the folders of harnesses.
    qputenv("HOME", m_folder.filePath(u"home"_s).toUtf8());
}

CommandGround::~CommandGround() { qputenv("HOME", m_home); }

void CommandGround::write(const QString &place, const QString &name, const std::string &bytes)
{
    QFile file(m_folder.filePath(name));
    if (file.open(QIODevice::WriteOnly))
        file.write(bytes.data(), static_cast<qint64>(bytes.size()));
    m_places[place] = file.fileName();
}

QStringList CommandGround::words(const QString &command, const QString &way, const QString &out)
{
    m_places[u"OUT"_s] = m_folder.filePath(out);
    m_places[u"OUT.svg"_s] = m_folder.filePath(out + u".svg"_s);
    m_places[u"OUT.html"_s] = m_folder.filePath(out + u".html"_s);
    m_places[u"OUT.md"_s] = m_folder.filePath(out + u".md"_s);
    m_places[u"OUT.json"_s] = m_folder.filePath(out + u".json"_s);
    const QString store = m_places.at(u"STORE"_s);
    if (command == u"restore"_s && !QFile::exists(store)) {
        (void)runProgram({ u"compact"_s, m_places.at(u"FILE"_s), u"--policy"_s, u"langchain-clear-tool-uses"_s,
            u"--as-if-fired"_s, u"-o"_s, m_folder.filePath(u"export.jsonl"_s), u"--store"_s, store });
    }
    QStringList words { command };
    for (const QString &word : way.split(u' '))
        words.append(m_places.contains(word) ? m_places.at(word) : word);
    return words;
}

} // namespace testing
