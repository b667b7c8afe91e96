// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/json/json.h"
#include "core/report/edits_report.h"
#include "core/report/show_drawing.h"
#include "core/report/trace_report.h"
#include "core/tokens/counted_tokens.h"
#include "tests/formats/command_ways.h"
#include "tests/formats/mutation.h"
#include "tests/formats/session_faults.h"
#include "tests/session_testing.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <ctime>
#include <limits>
#include <map>
#include <mutex>
#include <ranges>
#include <thread>

using namespace core;
using namespace Qt::StringLiterals;
using testing::ProgramRun;
using testing::runProgram;
using testing::waysOfCommands;

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
        for (const std::string &fault : testing::faultsOfReaders(input.text))
            faults.add(fault, input.name);
        for (const std::string &fault : testing::faultsOfCommands(input.text, random))
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

std::string faultOf(const ProgramRun &run, const QStringList &words)
{
    const std::string command = words.front().toStdString();
    const bool reportsFindings = words.contains(u"--fail-on"_s) || words.contains(u"--review"_s);
    const int most = reportsFindings ? 3 : 2;
    if (run.exitCode < 0 || run.exitCode > most)
        return command + " crashes: " + run.error;
    for (const QString &line : QString::fromStdString(run.error).split(u'\n', Qt::SkipEmptyParts)) {
        if (line.startsWith(u"libpng "_s))
            continue; // of a damaged picture in the session; Qt cannot silence the library
        if (!line.startsWith(u"palimpsest: "_s) || !line.endsWith(u'.'))
            return command + " says no sentence: “" + line.toStdString() + "”";
    }
    if (run.exitCode == 1 || run.exitCode == 2)
        return run.error.empty() ? command + " refuses without a sentence" : std::string();
    if (words.contains(u"--json"_s) && !isJsonOutput(run.output, command == "watch"))
        return command + " prints broken JSON";
    const bool isExplained = words.contains(u"settings"_s) && !run.error.empty(); // some harnesses have no settings
    const bool isHook = command == "recall" || command == "guard";
    const bool canBeEmpty = isHook || isExplained || words.contains(u"--patch"_s) || words.contains(u"-o"_s);
    return run.output.empty() && !canBeEmpty ? command + " prints nothing" : std::string();
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
    testing::CommandGround ground;
    const auto runWay = [&](const QString &way, const QString &out) {
        const QStringList words = ground.words(command, way, out);
        m_watchdog.begin(words.join(u' ').toStdString());
        return std::pair(runProgram(words), words);
    };
    (void)ground.words(command, ways.front(), u"intact"_s); // the store is that of a whole session
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
        ground.write(u"FILE"_s, u"file.jsonl"_s, input.text);
        ground.write(u"OTHER"_s, u"other.jsonl"_s, other.text);
        ground.write(u"POLICY"_s, u"policy.json"_s, policies.make(random(), number, 20'000).text);
        ground.setPlace(u"PRESET"_s, QString::fromStdString(presets()[random() % presets().size()]->id));
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
    auto each = kLine.globalMatch(QString::fromStdString(runProgram({ u"--help"_s }).output));
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
