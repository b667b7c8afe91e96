// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "choose_bench.h"
#include "core/formats/reading/format.h"
#include "core/session/transcript.h"
#include "core/tokens/body_parts.h"
#include "core/tokens/estimate.h"
#include "core/tokens/exact_counter.h"
#include "core/tokens/exact_tokens.h"
#include "drag_bench.h"
#include "edits_bench.h"
#include "findings_bench.h"
#include "generate.h"
#include "growth_bench.h"
#include "index_bench.h"
#include "load_reference.h"
#include "marker_bench.h"
#include "measure.h"
#include "replay_bench.h"
#include "search_bench.h"
#include "sweep_bench.h"
#include "tests/session_text.h"
#include "tests/sourcedir.h"
#include "ui/array/array_view.h"
#include "ui/hub/replays.h"
#include "ui/hub/thread_facts.h"
#include "ui/mainwindow/array_page.h"
#include "ui/mainwindow/main_window.h"
#include "ui/timeline/timeline_view.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QElapsedTimer>
#include <QPainter>
#include <QProcess>
#include <QTemporaryDir>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <thread>

using namespace Qt::StringLiterals;
using bench::fixed;

namespace {

constexpr uint64_t kMegabyte = 1'000'000;
constexpr uint64_t kFileSize = 200 * kMegabyte;
constexpr uint64_t kDomSize = 40 * kMegabyte;
constexpr auto kFirstBars = "first-bars"; ///< asks the process to paint one window

unsigned threadCount() { return std::max(1U, std::thread::hardware_concurrency()); }

/// A wrong answer is no figure: the bench ends.
void require(bool condition, const char *what)
{
    if (condition)
        return;
    std::fprintf(stderr, "bench: the answer is wrong: %s\n", what);
    std::exit(1);
}

void benchLoad(const std::filesystem::path &file, const bench::Generated &generated)
{
    const double megabytes = static_cast<double>(generated.bytes) / kMegabyte;
    const auto source = core::Source::open(file);
    require(source.has_value(), "the generated file opens");
    const uint64_t before = bench::anonymousMemory();
    core::SessionPtr session = core::loadSession(*source, nullptr, {}, threadCount()).value();
    const uint64_t memory = bench::anonymousMemory() - before;
    require(session->threads.front().calls.size() == generated.calls, "as many calls as were written");
    const core::Transcript end(session, session->threads.front().end);
    require(end.slotCount() == generated.slots, "as many slots as were written");
    require(session->diagnostics.empty(), "no diagnostics");
    session.reset();

    const double ours = bench::median(bench::secondsOf(5, [&] {
        const auto loaded = core::loadSession(file, nullptr, {}, threadCount());
        require(loaded.has_value(), "the file loads");
    }));
    bench::Touched touched;
    const double onDemand
        = bench::median(bench::secondsOf(5, [&] { touched = bench::touchOnDemand((*source)->bytes()); }));
    require(touched.records == generated.records, "the reference sees every record");
    const std::string_view part = (*source)->bytes().substr(0, (*source)->bytes().rfind('\n', kDomSize) + 1);
    const double dom = bench::median(bench::secondsOf(3, [&] { touched = bench::touchDom(part); }));
    const double ourSpeed = megabytes / ours;
    const double referenceSpeed = megabytes / onDemand;
    const double domSpeed = static_cast<double>(part.size()) / kMegabyte / dom;
    uint64_t skipped = 0;
    const std::string_view all = (*source)->bytes();
    const double scanner = bench::median(bench::processorSecondsOf(5, [&] { skipped = bench::skipOurs(all); }));
    const double skipper = bench::median(
        bench::processorSecondsOf(5, [&] { require(bench::skipOnDemand(all) == skipped, "as many bytes skipped"); }));
    bench::reference("cross every record: On-Demand", fixed(megabytes / skipper, 0) + " MB/s");
    bench::reference("  our scanner", fixed(megabytes / scanner, 0) + " MB/s");
    bench::reference("memchr + On-Demand, same fields", fixed(referenceSpeed, 0) + " MB/s");
    bench::reference("nlohmann DOM, same fields", fixed(domSpeed, 0) + " MB/s");
    bench::report("load 200 MB of Claude Code to complete slots", fixed(ourSpeed, 0) + " MB/s",
        "at least " + fixed(referenceSpeed * 0.4, 0) + " MB/s", ourSpeed >= referenceSpeed * 0.4);
    bench::report(
        "  against On-Demand", fixed(ourSpeed / referenceSpeed, 2), "at least 0.40", ourSpeed >= referenceSpeed * 0.4);
    bench::report(
        "  against the DOM", fixed(ourSpeed / domSpeed, 1) + " times", "at least 5 times", ourSpeed >= domSpeed * 5);
    const double allowed = 0.25 * static_cast<double>(generated.bytes) + 80.0 * kMegabyte;
    bench::report("  anonymous memory", fixed(static_cast<double>(memory) / kMegabyte, 0) + " MB",
        "below " + fixed(allowed / kMegabyte, 0) + " MB", static_cast<double>(memory) < allowed);
}

void benchTokens(const std::filesystem::path &file)
{
    const core::SessionPtr session = core::loadSession(file).value();
    uint64_t bytes = 0;
    for (const core::Block &block : session->blocks)
        bytes += block.body.coding == core::Coding::Base64 ? 0 : block.lengths.bytes;
    const double megabytes = static_cast<double>(bytes) / kMegabyte;
    for (const unsigned threads : { 1U, threadCount() }) {
        const double seconds = bench::median(bench::secondsOf(5, [&] {
            const auto tokens = core::estimateTokens(*session, threads, nullptr);
            require(tokens != nullptr && tokens->isCounted, "tokens are counted");
        }));
        const std::string what = "token estimates of " + fixed(megabytes, 0) + " MB of text, " + std::to_string(threads)
            + (threads == 1 ? " thread" : " threads");
        const double perHundred = seconds * 100 / megabytes;
        bench::report(what, fixed(perHundred, 2) + " s/100 MB", "below 1.50 s/100 MB", perHundred < 1.5);
    }
}

/// Every body read and counted by one counter, equal ones too.
uint64_t countEveryBody(const core::Session &session, const core::RanksPtr &ranks)
{
    core::ExactCounter counter(ranks);
    core::BodyParts parts;
    uint64_t tokens = 0;
    for (const core::Block &block : session.blocks) {
        parts.read(
            session.rawBody(block.body), block.body.coding, nullptr,
            [&](std::string_view text) { tokens += counter.count(text); }, [](std::string_view, bool) {});
    }
    return tokens;
}

void benchExactTokens(const std::filesystem::path &file)
{
    const core::SessionPtr session = core::loadSession(file).value();
    std::string text;
    for (const core::Block &block : session->blocks) {
        if (block.body.coding != core::Coding::Base64 && text.size() < 20 * kMegabyte)
            text += session->text(block.body);
    }
    uint64_t bytes = 0;
    for (const core::Block &block : session->blocks)
        bytes += block.body.coding == core::Coding::Base64 ? 0 : block.lengths.bytes;
    const double megabytes = static_cast<double>(bytes) / kMegabyte;
    for (const core::Encoding encoding : { core::Encoding::O200kBase, core::Encoding::Cl100kBase }) {
        const std::string name(core::nameOf(encoding));
        const double load = bench::median(
            bench::secondsOf(5, [&] { require(core::Ranks(encoding).of("a") != core::Ranks::kNone, "ranks"); }));
        bench::reference(name + ": index of the ranks", fixed(load * 1000, 1) + " ms");
        const core::RanksPtr ranks = core::ranksOf(encoding);

        // The reference: the same pieces, joined each time; its answer must be the same.
        uint64_t expected = 0;
        const double plain = bench::median(bench::processorSecondsOf(3, [&] {
            core::BytePairs pairs(*ranks);
            expected = 0;
            core::forEachPiece(
                text, [&](std::string_view piece) { expected += pairs.tokensOf(piece); }, ranks->pattern());
        }));
        core::ExactCounter counter(ranks);
        require(counter.count(text) == expected, "counting with memory is counting without");
        bench::reference("  pieces and joins, nothing remembered",
            fixed(static_cast<double>(text.size()) / kMegabyte / plain, 0) + " MB/s");

        uint64_t tokens = 0;
        const double one
            = bench::median(bench::processorSecondsOf(5, [&] { tokens = countEveryBody(*session, ranks); }));
        bench::report("  exact tokens of " + fixed(megabytes, 0) + " MB of text, 1 thread",
            fixed(megabytes / one, 0) + " MB/s", "at least 100 MB/s", megabytes / one >= 100);
        const double all = bench::median(bench::secondsOf(5, [&] {
            const auto counts = core::exactTokens(*session, ranks, threadCount());
            uint64_t sum = 0;
            for (size_t i = 0; i < session->blocks.size(); ++i)
                sum += counts->of(core::BlockId(i)).tokens;
            require(sum >= tokens, "as many tokens, and the names of tools");
        }));
        bench::reference("  the same, equal bodies once, " + std::to_string(threadCount()) + " threads",
            fixed(megabytes / all, 0) + " MB/s");
    }
}

void reportPaint(const std::string &what, const std::vector<double> &seconds)
{
    const double milliseconds = bench::p95(seconds) * 1000;
    bench::report("paint 100,000 slots: " + what, fixed(milliseconds, 2) + " ms", "p95 below 8 ms", milliseconds < 8);
}

/// Seconds of each of 60 paintings, with something done between them.
std::vector<double> paints(QWidget *widget, const std::function<void(int)> &between)
{
    QImage image(1600, 1000, QImage::Format_ARGB32_Premultiplied);
    std::vector<double> seconds;
    for (int i = 0; i < 60; ++i) {
        between(i);
        QElapsedTimer timer;
        timer.start();
        QPainter painter(&image);
        widget->render(&painter);
        painter.end();
        seconds.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e9);
    }
    return seconds;
}

void benchPaint()
{
    std::string line;
    for (int i = 0; i < 50'000; ++i)
        line += i % 50 == 0 ? "u:300 a:14000 " : "u:90 a:400 ";
    ui::MainWindow window;
    window.workspace().show(core::session(line));
    window.resize(1600, 1000);
    window.show();
    const auto *weightTable = window.findChild<QAbstractItemView *>(u"weightTable"_s);
    while (weightTable->model()->rowCount() == 0)
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    QApplication::processEvents();
    auto *array = window.findChild<ui::ArrayView *>();
    require(array != nullptr && array->itemCount() >= 100'000, "the array holds the slots");
    const auto walk = [&](int i) { window.state().setCurrentSlot(core::SlotIndex((i * 1663) % 100'000)); };
    reportPaint("array, zoom 1", paints(array, walk));
    array->fit();
    reportPaint("array, whole", paints(array, [](int) { }));
    array->zoomAt(12, 300);
    reportPaint("array, zoomed out", paints(array, walk));
    array->setMode(ui::ArrayMode::Bars);
    reportPaint("bars", paints(array, walk));
    array->setMode(ui::ArrayMode::BarsHeaviest);
    reportPaint("bars, heaviest first", paints(array, walk));
    const auto named = [&](const char *name) { return window.findChild<QWidget *>(QLatin1StringView(name)); };
    array->setMode(ui::ArrayMode::Slots);
    const auto works = [&](const std::string &what, int rounds, const std::function<void(int)> &work) {
        std::vector<double> seconds;
        for (int i = 0; i < rounds; ++i) {
            QElapsedTimer timer;
            timer.start();
            work(i);
            seconds.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e9);
            QApplication::processEvents();
        }
        const double milliseconds = bench::p95(seconds) * 1000;
        bench::report("100,000 slots: " + what, fixed(milliseconds, 2) + " ms", "p95 below 16 ms", milliseconds < 16);
        bench::reference("  median", fixed(bench::median(seconds) * 1000, 2) + " ms");
    };
    works("choose a slot", 60, walk);
    works("hover over a slot", 60, [&](int i) { window.state().setHoveredBlock(core::BlockId(i * 997)); });
    for (const char *name : { "timeline", "outline", "weight", "messagePanel" }) {
        QWidget *widget = named(name);
        require(widget != nullptr, name);
        reportPaint(name, paints(widget, walk));
    }
}

/// The curve of a policy beside the recorded one.
void benchReplay()
{
    constexpr int kCalls = 10'000;
    std::string line;
    for (int i = 0; i < kCalls; ++i)
        line += i % 50 == 0 ? "u:300 a:14000 " : "u:90 a:400 ";
    ui::MainWindow window;
    window.workspace().show(core::session(line));
    window.resize(1600, 1000);
    window.show();
    window.workspace().facts().waitForFacts(); // nothing else is at work
    QWidget *timeline = window.findChild<QWidget *>(u"timeline"_s);
    require(timeline != nullptr, "timeline");
    const auto painted = [&] { return paints(timeline, [](int) { }); }; // a chosen call sets other views to work
    bench::reference("paint 10,000 calls: timeline as recorded", fixed(bench::p95(painted()) * 1000, 2) + " ms");
    QElapsedTimer timer;
    timer.start();
    window.workspace().previewPlan(window.workspace().planWith(core::preset("langchain-summarization")));
    window.workspace().replays().waitForReplay();
    bench::reference("10,000 calls: first replay", fixed(static_cast<double>(timer.nsecsElapsed()) / 1e6, 1) + " ms");
    require(window.workspace().replays().current() != nullptr, "the policy was replayed");
    const std::vector<double> seconds = painted();
    const double milliseconds = bench::p95(seconds) * 1000;
    bench::reference("  median", fixed(bench::median(seconds) * 1000, 2) + " ms");
    bench::report("paint 10,000 calls: timeline with a policy's curve", fixed(milliseconds, 2) + " ms",
        "p95 below 8 ms", milliseconds < 8);
}

void benchStart(const std::filesystem::path &corpus, const QTemporaryDir &folder, const std::vector<std::string> &texts)
{
    std::filesystem::path file = corpus / "claude-code/entireio+cli/cd-95adddad32-0.full.jsonl";
    std::string what = "a real 4 MB session";
    if (!std::filesystem::exists(file)) {
        file = folder.filePath(u"four.jsonl"_s).toStdString();
        bench::writeClaudeSession(file, 4 * kMegabyte, texts);
        what = "a generated 4 MB session";
    }
    // A process of its own each time, which does what main.cpp does and ends with the first picture.
    const QStringList arguments { QString::fromLatin1(kFirstBars), QString::fromStdString(file.string()) };
    const auto run = [&] {
        QProcess process;
        process.start(QCoreApplication::applicationFilePath(), arguments);
        require(process.waitForFinished() && process.exitCode() == 0, "the bars are painted");
        return process.readAllStandardOutput().split(' ');
    };
    std::array<std::vector<double>, 3> parts; // of the process: until there is an application, a window, the bars
    const double whole = bench::median(bench::secondsOf(9, [&] {
        const QList<QByteArray> times = run();
        for (size_t i = 0; i < parts.size(); ++i)
            parts.at(i).push_back(times.value(static_cast<qsizetype>(i)).toDouble());
    }));
    const double milliseconds = whole * 1000;
    bench::report("first bars of " + what + ", from the start of the process", fixed(milliseconds, 0) + " ms",
        "below 200 ms", milliseconds < 200);
    bench::reference("  the application", fixed(bench::median(parts[0]), 0) + " ms");
    bench::reference("  the window", fixed(bench::median(parts[1]), 0) + " ms");
    bench::reference("  the file, to the painted bars", fixed(bench::median(parts[2]), 0) + " ms");
}

/// Opens the file as main.cpp does, and says in milliseconds what application, window, and file to painted bars took.
int paintFirstBars(int argc, char *argv[])
{
    QElapsedTimer timer;
    timer.start();
    const auto lap = [&] { return static_cast<double>(timer.nsecsElapsed()) / 1e6; };
    QApplication application(argc, argv);
    const double started = lap();
    ui::MainWindow *window = ui::MainWindow::showNew();
    window->open(argv[2]);
    const double shown = lap();
    const auto *array = window->findChild<ui::ArrayView *>();
    while (array->itemCount() == 0)
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    window->grab();
    std::printf("%.2f %.2f %.2f", started, shown - started, lap() - shown);
    std::fflush(stdout);
    std::_Exit(0);
}

} // namespace

int main(int argc, char *argv[])
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QTemporaryDir folder;
    for (const char *place : { "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME" })
        qputenv(place, folder.path().toUtf8());
    if (argc == 3 && std::string_view(argv[1]) == kFirstBars)
        return paintFirstBars(argc, argv);
    QApplication application(argc, argv);
    std::printf("%u cores, median of 5 after 1\n\n", std::thread::hardware_concurrency());
    // All parts, or the ones that are named.
    const QStringList asked = QApplication::arguments().mid(1);
    const auto isAsked = [&](const char *part) { return asked.isEmpty() || asked.contains(QLatin1StringView(part)); };
    const std::filesystem::path root = PALIMPSEST_SOURCE_DIR;
    const auto texts = bench::sourceTexts(root / "core");
    if (isAsked("load") || isAsked("tokens") || isAsked("drag")) {
        const std::filesystem::path file = folder.filePath(u"big.jsonl"_s).toStdString();
        const bench::Generated generated = bench::writeClaudeSession(file, kFileSize, texts);
        if (isAsked("load"))
            benchLoad(file, generated);
        if (isAsked("tokens")) {
            benchTokens(file);
            benchExactTokens(file);
        }
        if (isAsked("drag"))
            bench::benchDrag(file);
    }
    if (isAsked("drag") || isAsked("small-drag"))
        bench::benchDrag();
    if (isAsked("marker"))
        bench::benchMarker(folder.path().toStdString(), texts);
    if (isAsked("replay"))
        bench::benchReplay(folder.path().toStdString(), texts);
    if (isAsked("search"))
        bench::benchSearch(folder.path().toStdString(), texts);
    if (isAsked("index"))
        bench::benchIndex(folder.path().toStdString(), texts);
    if (isAsked("sweep"))
        bench::benchSweep(folder.path().toStdString(), texts);
    if (isAsked("growth"))
        bench::benchGrowth();
    if (isAsked("edits"))
        bench::benchEdits(folder.path().toStdString(), texts);
    if (isAsked("paint"))
        benchPaint();
    if (isAsked("choose"))
        bench::benchChoose();
    if (isAsked("replay"))
        benchReplay();
    const char *given = std::getenv("PALIMPSEST_CORPUS");
    const std::filesystem::path corpus = given != nullptr ? std::filesystem::path(given) : root / "../shared/corpus";
    if (isAsked("start"))
        benchStart(corpus, folder, texts);
    if (isAsked("findings"))
        bench::benchFindings(corpus, folder.path().toStdString(), texts);
    return 0;
}
