// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/edits/cumulated_patch.h"
#include "core/formats/reading/format.h"
#include "core/json/json.h"
#include "core/report/edits_report.h"
#include "core/report/show_drawing.h"
#include "core/report/trace_report.h"
#include "core/tokens/counted_tokens.h"
#include "tests/formats/mutation.h"
#include "tests/session_testing.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <ctime>
#include <fcntl.h>
#include <limits>
#include <map>
#include <mutex>
#include <ranges>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace core;
using namespace Qt::StringLiterals;

#ifdef __SANITIZE_ADDRESS__
extern "C" int __sanitizer_install_malloc_and_free_hooks( // NOLINT(bugprone-reserved-identifier)
    void (*allocated)(const volatile void *, size_t), void (*freed)(const volatile void *));
extern "C" size_t __sanitizer_get_allocated_size(const volatile void *); // NOLINT(bugprone-reserved-identifier)
#endif

namespace {

/// Bytes that are allocated in this process, and the most there were since `reset`. Only the address sanitizer counts
/// them; without it all figures are 0.
class Memory final {
public:
    Memory()
    {
#ifdef __SANITIZE_ADDRESS__
        [[maybe_unused]] static const int kInstalled = __sanitizer_install_malloc_and_free_hooks(
            [](const volatile void *, size_t size) {
                const int64_t now = allocated.fetch_add(static_cast<int64_t>(size)) + static_cast<int64_t>(size);
                if (now > mostAllocated)
                    mostAllocated = now;
            },
            [](const volatile void *address) {
                if (address != nullptr)
                    allocated -= static_cast<int64_t>(__sanitizer_get_allocated_size(address));
            });
#endif
    }
    void reset()
    {
        m_before = allocated;
        mostAllocated = m_before;
    }
    [[nodiscard]] int64_t most() const { return mostAllocated - m_before; }

private:
    static inline std::atomic<int64_t> allocated = 0;
    static inline std::atomic<int64_t> mostAllocated = 0;
    int64_t m_before = 0;
};

/// Ends the process when one input takes minutes. That is a loop without an end: the inputs take milliseconds.
class Watchdog final {
public:
    Watchdog()
        : m_thread([this](const std::stop_token &stop) { watch(stop); })
    {
    }
    /// The input that is read now.
    void begin(const std::string &input)
    {
        const std::scoped_lock lock(m_mutex);
        m_input = input;
        m_ticks = 0;
    }

private:
    void watch(const std::stop_token &stop)
    {
        constexpr int kMostTicks = 300;
        std::unique_lock lock(m_mutex);
        while (!m_wake.wait_for(lock, stop, std::chrono::seconds(1), [] { return false; })) {
            if (stop.stop_requested())
                return;
            if (++m_ticks > kMostTicks)
                qFatal("No end in sight: %s", m_input.c_str());
        }
    }

    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::string m_input;
    int m_ticks = 0;
    std::jthread m_thread; ///< the last member: it uses the others
};

/// Faults by their sentence, with figures taken out, so that the most frequent come first.
class Faults final {
public:
    void add(const std::string &sentence, const std::string &input)
    {
        if (sentence.empty())
            return;
        QString form = QString::fromStdString(sentence);
        form.replace(QRegularExpression(u"\\d+"_s), u"N"_s);
        auto &[count, first] = m_faults[form];
        if (++count == 1)
            first = sentence + " (" + input + ")";
    }
    /// A line for each kind of fault.
    [[nodiscard]] std::string text() const
    {
        std::vector<std::pair<size_t, std::string>> all;
        for (const auto &[form, found] : m_faults)
            all.push_back(found);
        std::ranges::sort(all, std::greater());
        std::string text;
        for (const auto &[count, first] : all)
            text += std::to_string(count) + " times: " + first + "\n";
        return text;
    }

private:
    std::map<QString, std::pair<size_t, std::string>> m_faults;
};

bool isSentence(const std::string &text)
{
    return text.size() > 10 && text.ends_with('.') && QString::fromStdString(text).front().isUpper();
}

std::string faultOf(const Error &error)
{
    return isSentence(error.message) ? std::string() : "The refusal is no sentence: “" + error.message + "”";
}

std::string faultOfJson(const char *name, const Json &document)
{
    return isJson(jsonText(document)) ? std::string() : std::string("The document of ") + name + " is broken";
}

std::string faultOfDrawing(const char *name, const std::string &text)
{
    return text.size() > 1 && text.ends_with('\n') ? std::string() : std::string(name) + " draws nothing";
}

/// What `show`, `trace` and `edits` make of a session.
class Commands final {
public:
    Commands(SessionPtr session, std::mt19937_64 &random)
        : m_session(std::move(session))
        , m_random(random)
        , m_tokens(countedTokens(*m_session, 1, nullptr))
    {
    }

    /// The first fault of each.
    [[nodiscard]] std::vector<std::string> faults()
    {
        m_position.thread = ThreadIndex(below(m_session->threads.size()));
        const size_t calls = m_session->thread(m_position.thread).calls.size();
        if (calls > 0 && below(2) == 0)
            m_position.call = CallIndex(below(calls));
        return { showFault(), traceFault(), editsFault() };
    }

private:
    size_t below(size_t limit) { return static_cast<size_t>(m_random() % limit); }

    std::string showFault()
    {
        const Shown shown
            = shownAt(m_session, m_position, Weights(m_tokens, WeightUnit::Tokens), openingKeep(*m_session));
        const std::string fault = faultOfJson("show", showJson(shown, BlockTexts::Included));
        return fault.empty() ? faultOfDrawing("show", drawShow(shown, {})) : fault;
    }

    std::string traceFault()
    {
        TraceReport report = traceReport(m_session, m_position.thread, m_tokens);
        std::string fault = faultOfJson("trace", traceJson(report));
        if (fault.empty())
            fault = faultOfDrawing("trace", drawTrace(report));
        if (!fault.empty() || m_session->blocks.empty())
            return fault;
        const BlockId block(below(m_session->blocks.size()));
        const std::string text = m_session->text(m_session->block(block).body);
        const std::string phrase = text.empty() ? text : text.substr(below(text.size()), 1 + below(60));
        report.trace = phrase.find_first_not_of(" \t\r\n") == std::string::npos || below(2) == 0
            ? traceBlock(report.spans, block, report.unlogged)
            : traceText(report.spans, phrase, report.unlogged);
        fault = faultOfJson("trace of a block", traceJson(report));
        return fault.empty() ? faultOfDrawing("trace of a block", drawTrace(report)) : fault;
    }

    std::string editsFault() const
    {
        const EditsReport report = editsReport(m_session);
        std::string fault = faultOfJson("edits", editsJson(report));
        if (fault.empty())
            fault = faultOfDrawing("edits", drawEdits(report));
        const auto patch = cumulatedPatch(report.edits);
        return fault.empty() && !patch ? faultOf(patch.error()) : fault;
    }

    SessionPtr m_session;
    std::mt19937_64 &m_random;
    BlockTokensPtr m_tokens;
    Position m_position;
};

/// Calls `work` and makes a fault of an exception. Those of libraries must end in core.
template <typename Work>
std::vector<std::string> withoutExceptions(const std::string &name, Work &&work)
{
    try {
        return work();
    } catch (const std::exception &error) {
        return { name + " throws: " + error.what() };
    }
}

std::string readingFault(const Result<SessionPtr> &session)
{
    return session ? testing::brokenRule(**session) : faultOf(session.error());
}

/// Has every reader read the input, whatever it looks like.
std::vector<std::string> faultsOfReaders(const std::string &text)
{
    std::vector<std::string> faults;
    for (const Format *format : formats()) {
        const auto found = withoutExceptions(std::string(format->id), [&]() -> std::vector<std::string> {
            const auto reader = format->open({});
            const auto appended = reader->append(Source::own(text, "document"));
            const std::string fault = appended ? readingFault(reader->end()) : faultOf(appended.error());
            return { fault.empty() ? fault : std::string(format->id) + ": " + fault };
        });
        faults.insert(faults.end(), found.begin(), found.end());
    }
    return faults;
}

/// Recognises and reads the input as a file, and runs the commands on the session.
std::vector<std::string> faultsOfCommands(const std::string &text, std::mt19937_64 &random)
{
    return withoutExceptions("A command", [&]() -> std::vector<std::string> {
        const auto session = testing::load(text);
        std::string fault = readingFault(session);
        if (!session || !fault.empty())
            return { fault };
        return Commands(*session, random).faults();
    });
}

bool isLong() { return qEnvironmentVariableIsSet("PALIMPSEST_ALL_CASES"); }

/// Mutators of small and large seeds. Small ones find as much and cost less.
class Inputs final {
public:
    Inputs()
        : m_seed(seededRandom()())
    {
        for (const size_t size : std::span(kSizes).first(isLong() ? kSizes.size() : 2))
            m_mutators.emplace_back(testing::mutationSeeds(size));
    }
    [[nodiscard]] testing::Mutator::Input make(size_t number) const
    {
        constexpr size_t kMost = size_t { 64 } << 10U;
        const size_t place = !isLong() ? number % 2 : number % 50 == 0 ? 3 : number % 10 == 0 ? 2 : number % 3 == 0;
        return m_mutators[place].make(m_seed, number, isLong() ? kMost : 4 * kSizes[place]);
    }
    [[nodiscard]] std::mt19937_64 random(size_t number) const { return std::mt19937_64(m_seed + number); }

private:
    static constexpr std::array<size_t, 4> kSizes { 1500, 6000, 20'000, 60'000 };
    uint64_t m_seed;
    std::vector<testing::Mutator> m_mutators;
};

double processorSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

} // namespace

/// Damaged session files: no crash, no loop, no broken output, no refusal without a sentence.
///
/// PALIMPSEST_MUTATION=N[..M] runs some inputs only.
class MutationTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void damagedFilesAreRead();
    void commandsTakeDamagedFiles_data();
    void commandsTakeDamagedFiles();
    void everyCommandIsRun();
    void resultsWithoutACallAreNoted_data();
    void resultsWithoutACallAreNoted();
    void countsBeyondAllBoundsAreNone();
    void figuresBeyondAllNumbersAreWritten();
    void reportsOfNothingAreSentences();

private:
    /// Keeps the input where it is found after a crash.
    void keep(const std::string &text) const;

    std::unique_ptr<Inputs> m_inputs;
    Watchdog m_watchdog;
};

void MutationTest::initTestCase()
{
    qInfo() << "PALIMPSEST_SEED" << qEnvironmentVariable("PALIMPSEST_SEED", u"(the fixed one)"_s);
    m_inputs = std::make_unique<Inputs>();
    // Memory that is freed would count as held by the programs that are run.
    qputenv("ASAN_OPTIONS", qgetenv("ASAN_OPTIONS") + ":quarantine_size_mb=1");
}

void MutationTest::keep(const std::string &text) const
{
    QFile file(QDir::temp().filePath(u"palimpsest-mutation.input"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text.data(), static_cast<qint64>(text.size()));
}

void MutationTest::damagedFilesAreRead()
{
    const QStringList only = qEnvironmentVariable("PALIMPSEST_MUTATION").split(u".."_s);
    const bool isPart = !only.front().isEmpty();
    const size_t first = only.front().toULongLong();
    const size_t end = isPart ? only.back().toULongLong() + 1 : isLong() ? 100'000 : 300;
    Memory memory;
    Faults faults;
    std::vector<std::pair<double, std::string>> slowest;
    for (size_t number = first; number < end; ++number) {
        const auto input = m_inputs->make(number);
        m_watchdog.begin(input.name);
        keep(input.text);
        std::mt19937_64 random = m_inputs->random(number);
        const double started = processorSeconds();
        memory.reset();
        for (const std::string &fault : faultsOfReaders(input.text))
            faults.add(fault, input.name);
        for (const std::string &fault : faultsOfCommands(input.text, random))
            faults.add(fault, input.name);
        constexpr int64_t kAlways = int64_t { 64 } << 20U;
        if (memory.most() > kAlways + 10 * static_cast<int64_t>(input.text.size()))
            faults.add("Much memory: " + std::to_string(memory.most()) + " bytes", input.name);
        slowest.emplace_back(processorSeconds() - started, input.name);
    }
    const auto last = slowest.begin() + std::min<ptrdiff_t>(5, std::ssize(slowest));
    std::ranges::partial_sort(slowest, last, std::greater());
    for (auto each = slowest.begin(); each != last; ++each)
        qInfo("%.3f s: %s", each->first, each->second.c_str());
    const std::string text = faults.text();
    QVERIFY2(text.empty(), text.c_str());
}

namespace {

struct Run {
    int exitCode = -1; ///< -1 for a crash
    std::string output;
    std::string error;
    int64_t memory = 0; ///< the most that the program held, in bytes
};

std::string bytesOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

/// Runs the program. Not a QProcess, which cannot say how much memory one program used.
Run run(const QStringList &words)
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
    Run run;
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

std::vector<testing::MutationSeed> policySeeds()
{
    std::vector<testing::MutationSeed> seeds;
    for (const PolicyPtr &preset : presets())
        seeds.push_back({ preset->id, preset->document });
    return seeds;
}

/// `watch` prints a document a line, the others print one.
bool isJsonOutput(const std::string &output, bool isLines)
{
    if (!isLines)
        return isJson(output);
    return std::ranges::all_of(std::views::split(output.substr(0, output.find_last_not_of('\n') + 1), '\n'),
        [](const auto &line) { return isJson(std::string_view(line)); });
}

std::string faultOf(const Run &run, const QStringList &words)
{
    const std::string command = words.front().toStdString();
    const int most = words.contains(u"--fail-on"_s) ? 3 : 2;
    if (run.exitCode < 0 || run.exitCode > most)
        return command + " crashes: " + run.error;
    for (const QString &line : QString::fromStdString(run.error).split(u'\n', Qt::SkipEmptyParts)) {
        if (!line.startsWith(u"palimpsest: "_s) || !line.endsWith(u'.'))
            return command + " says no sentence: “" + line.toStdString() + "”";
    }
    if (run.exitCode != 0)
        return run.error.empty() ? command + " refuses without a sentence" : std::string();
    if (words.contains(u"--json"_s) && !isJsonOutput(run.output, command == "watch"))
        return command + " prints broken JSON";
    const bool isExplained = words.contains(u"settings"_s) && !run.error.empty(); // some harnesses have no settings
    const bool isHook = command == "recall" || command == "guard";
    const bool canBeEmpty = isHook || isExplained || words.contains(u"--patch"_s) || words.contains(u"-o"_s);
    return run.output.empty() && !canBeEmpty ? command + " prints nothing" : std::string();
}

/// The commands and how they are run. FILE and OTHER are sessions, POLICY is a policy, PRESET the name of one, STORE
/// the store of an export, OUT a new name, FOLDER the folder of all these.
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
                u"FILE --view edits -o OUT"_s, u"FILE --after OTHER --view difference -o OUT"_s } },
    };
    return kWays;
}

} // namespace

void MutationTest::commandsTakeDamagedFiles_data()
{
    QTest::addColumn<QString>("command");
    for (const auto &[command, ways] : waysOfCommands())
        QTest::newRow(qPrintable(command)) << command;
}

void MutationTest::commandsTakeDamagedFiles()
{
    QFETCH(QString, command);
    const QStringList &ways = waysOfCommands().at(command);
    const QTemporaryDir folder;
    const auto file = [&](const QString &name, const std::string &text) {
        QFile written(folder.filePath(name));
        if (written.open(QIODevice::WriteOnly))
            written.write(text.data(), static_cast<qint64>(text.size()));
        return written.fileName();
    };
    const QString sample = testing::samplePath(u"messages-21.claude-code.jsonl"_s);
    const QString preset = u"langchain-clear-tool-uses"_s;
    std::map<QString, QString> places { { u"FILE"_s, sample }, { u"OTHER"_s, sample }, { u"PRESET"_s, preset },
        { u"POLICY"_s, preset }, { u"STORE"_s, folder.filePath(u"store.git"_s) }, { u"FOLDER"_s, folder.path() } };
    // `continue` writes into the folders of harnesses.
    const QByteArray home = qgetenv("HOME");
    qputenv("HOME", folder.filePath(u"home"_s).toUtf8());
    const auto restored = qScopeGuard([&] { qputenv("HOME", home); });
    const auto runWay = [&](const QString &way, const QString &out) {
        places[u"OUT"_s] = folder.filePath(out);
        places[u"OUT.svg"_s] = folder.filePath(out + u".svg"_s);
        QStringList words { command };
        for (const QString &word : way.split(u' '))
            words.append(places.contains(word) ? places.at(word) : word);
        m_watchdog.begin(words.join(u' ').toStdString());
        return std::pair(run(words), words);
    };
    if (command == u"restore"_s) {
        const Run exported = run({ u"compact"_s, sample, u"--policy"_s, preset, u"--as-if-fired"_s, u"-o"_s,
            folder.filePath(u"export.jsonl"_s), u"--store"_s, places.at(u"STORE"_s) });
        QCOMPARE(exported.exitCode, 0);
    }
    // What the command needs for a whole file is no concern of this test.
    int64_t most = std::numeric_limits<int64_t>::max() / 2;
    if (isLong()) {
        most = 0;
        for (const QString &way : ways)
            most = std::max(most, runWay(way, u"intact"_s).first.memory + (int64_t { 64 } << 20U));
    }
    const testing::Mutator policies(policySeeds());
    Faults faults;
    for (size_t number = 0; number < (isLong() ? 500U : 1U); ++number) {
        std::mt19937_64 random = m_inputs->random(number);
        const auto input = m_inputs->make(random() % 100'000);
        const auto other = m_inputs->make(random() % 100'000);
        keep(input.text);
        places[u"FILE"_s] = file(u"file.jsonl"_s, input.text);
        places[u"OTHER"_s] = file(u"other.jsonl"_s, other.text);
        places[u"POLICY"_s] = file(u"policy.json"_s, policies.make(random(), number, 20'000).text);
        places[u"PRESET"_s] = QString::fromStdString(presets()[random() % presets().size()]->id);
        const QString way = ways[static_cast<qsizetype>(random() % static_cast<size_t>(ways.size()))];
        const auto [result, words] = runWay(way, u"out%1"_s.arg(number));
        const std::string name = input.name + ", " + other.name + ": " + words.join(u' ').toStdString();
        faults.add(faultOf(result, words), name);
        if (result.memory > most + 10 * static_cast<int64_t>(input.text.size() + other.text.size()))
            faults.add("Much memory: " + std::to_string(result.memory) + " bytes", name);
    }
    const std::string text = faults.text();
    QVERIFY2(text.empty(), text.c_str());
}

/// A new command is run on damaged files, too.
void MutationTest::everyCommandIsRun()
{
    QStringList commands { u"completions"_s, u"formats"_s, u"hooks"_s, u"man"_s }; // the only ones that read no file
    for (const auto &[command, ways] : waysOfCommands())
        commands.append(command);
    commands.sort();
    QStringList known;
    static const QRegularExpression kLine(u"^  ([a-z]+)\\b"_s, QRegularExpression::MultilineOption);
    auto each = kLine.globalMatch(QString::fromStdString(run({ u"--help"_s }).output));
    while (each.hasNext())
        known.append(each.next().captured(1));
    known.sort();
    QCOMPARE(commands, known);
}

// --- what was found, made small ---

void MutationTest::resultsWithoutACallAreNoted_data()
{
    QTest::addColumn<QByteArray>("document");
    QTest::addColumn<QByteArray>("note");
    const QByteArray named = "The result of t9 has no call before it.";
    QTest::newRow("claude-code") << QByteArray(
        R"({"type":"user","uuid":"u","parentUuid":null,"isSidechain":false,"message":{"role":"user",)"
        R"("content":[{"type":"tool_result","tool_use_id":"t9","content":"a.txt"}]}})")
                                 << named;
    QTest::newRow("claude-code, a call that comes later")
        << QByteArray(R"({"type":"user","uuid":"u","parentUuid":null,"isSidechain":false,"message":{"role":"user",)"
                      R"("content":[{"type":"tool_result","tool_use_id":"t9","content":"a.txt"}]}})"
                      "\n"
                      R"({"type":"assistant","uuid":"a","parentUuid":"u","isSidechain":false,"message":{"id":"m",)"
                      R"("role":"assistant","content":[{"type":"tool_use","id":"t9","name":"Bash","input":{}}]}})")
        << named;
    QTest::newRow("openai-responses") << QByteArray(
        R"({"model":"gpt-5","input":[{"role":"user","content":"Hi"},)"
        R"({"type":"function_call_output","call_id":"t9","output":"a.txt"}]})")
                                      << named;
    QTest::newRow("pi, a result without an id")
        << QByteArray(R"({"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00Z","cwd":"/w"})"
                      "\n"
                      R"({"type":"message","id":"r","parentId":null,"message":{"role":"toolResult","toolName":"bash",)"
                      R"("content":[{"type":"text","text":"a.txt"}]}})")
        << QByteArray("A tool result names no call.");
    QTest::newRow("openai-chat, a result without an id")
        << QByteArray(R"({"messages":[{"role":"user","content":"Hi"},{"role":"tool","content":"a.txt"}]})")
        << QByteArray("A tool result answers no earlier call.");
}

void MutationTest::resultsWithoutACallAreNoted()
{
    QFETCH(QByteArray, document);
    QFETCH(QByteArray, note);
    const auto session = testing::load(document.toStdString());
    QVERIFY(session);
    QCOMPARE((*session)->format, QByteArray(QTest::currentDataTag()).split(',').front().toStdString());
    const QByteArray diagnostics = QByteArray::fromStdString(testing::diagnosticsOf(**session));
    QVERIFY2(diagnostics.contains(note), diagnostics.constData());
}

namespace {

/// A response of Claude Code that read `tokens` from the cache.
std::string responseOf(const std::string &tokens)
{
    return R"({"type":"assistant","uuid":"a","parentUuid":null,"isSidechain":false,"message":{"id":"m","role":)"
           R"("assistant","usage":{"input_tokens":7,"cache_read_input_tokens":)"
        + tokens + R"(,"output_tokens":1},"content":[{"type":"text","text":"Hi"}]}})";
}

} // namespace

void MutationTest::countsBeyondAllBoundsAreNone()
{
    for (const char *count : { "9223372036854775808", "18446744073709551615", "1e16", "1e999", "-1", "1.5.2" }) {
        const auto session = testing::load(responseOf(count));
        QVERIFY(session);
        const std::optional<Usage> usage = (*session)->threads.front().calls.front().usage;
        QVERIFY(usage);
        QCOMPARE(usage->prompt(), 7U);
    }
    const auto session = testing::load(responseOf("123456"));
    QCOMPARE((*session)->threads.front().calls.front().usage->prompt(), 123'463U);
}

/// A sum of such figures once called itself without end.
void MutationTest::figuresBeyondAllNumbersAreWritten()
{
    for (const Basis basis : { Basis::Exact, Basis::Calibrated, Basis::Estimated }) {
        const std::string most = shown(TokenFigure { 1.9e19, basis });
        QVERIFY(!most.starts_with("\u2212"));
        QCOMPARE(shown(TokenFigure { -1.9e19, basis }).size(),
            most.size() + std::string(most.starts_with('~') ? "\u2212\u00A0" : "\u2212").size());
    }
}

void MutationTest::reportsOfNothingAreSentences()
{
    const auto session = testing::load(responseOf("1"));
    QVERIFY(session);
    QCOMPARE(drawEdits(editsReport(*session)), "The session has no changes to files.\n");
    const TraceReport trace = traceReport(*session, ThreadIndex(0U), countedTokens(**session, 1, nullptr));
    QCOMPARE(drawTrace(trace), "The thread has no user messages.\n");
}

PALIMPSEST_TEST(MutationTest)

#include "tst_mutation.moc"
