// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "search_bench.h"

#include "core/base/text.h"
#include "core/formats/reading/format.h"
#include "core/search/search.h"
#include "generate.h"
#include "measure.h"
#include "ui/hub/thread_facts.h"
#include "ui/mainwindow/main_window.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QDockWidget>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace bench {

namespace {

constexpr uint64_t kCalls = 50'000; ///< two slots each
constexpr double kScale = 0.2;      ///< for about 200 MB
constexpr int kRounds = 5;
constexpr double kFirst = 100; ///< milliseconds
constexpr double kAll = 1000;

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point begin)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// Blocks that contain the word, by another way: every text decoded and lowered.
size_t plainCount(const core::Session &session, const std::string &word)
{
    size_t count = 0;
    for (const core::Block &block : session.blocks) {
        const bool isTool = block.kind == core::BlockKind::ToolCall || block.kind == core::BlockKind::ToolResult;
        const auto has = [&](std::string_view text) { return core::lowered(text).contains(word); };
        count += (core::isSearchable(block) && has(session.text(block.body)))
                || (isTool && (has(session.string(block.name)) || has(session.string(block.subject))))
            ? 1
            : 0;
    }
    return count;
}

void benchQuery(const core::SearchGround &ground, unsigned threads, const std::string &line, const std::string &word)
{
    const auto query = core::parseQuery(line);
    const size_t expected = word.empty() ? 0 : plainCount(*ground.session, word);
    std::vector<double> firsts;
    std::vector<double> alls;
    size_t count = 0;
    for (int round = 0; round < kRounds; ++round) {
        count = 0;
        double first = 0;
        const auto begin = Clock::now();
        (void)core::search(ground, *query, threads, nullptr, [&](const std::vector<core::SearchHit> &hits) {
            first = count == 0 ? millisecondsSince(begin) : first;
            count += hits.size();
        });
        alls.push_back(millisecondsSince(begin));
        firsts.push_back(first);
    }
    if (!word.empty() && count != expected) {
        std::fprintf(stderr, "bench: the answer is wrong: %s\n", line.c_str());
        std::exit(1);
    }
    std::printf("    search %s, %zu hits\n", line.c_str(), count);
    if (count > 0)
        report("  the first hits", fixed(median(firsts), 1) + " ms", "< " + fixed(kFirst, 0) + " ms",
            median(firsts) < kFirst);
    report("  all", fixed(median(alls), 0) + " ms", "< " + fixed(kAll, 0) + " ms", median(alls) < kAll);
}

/// The same in the window, from the typed line until the rows are painted, and the longest piece of work of its thread.
void benchWindow(ui::MainWindow &window, const QString &line)
{
    const auto *table = window.findChild<QAbstractItemView *>(QStringLiteral("searchTable"));
    ui::SessionSearch &search = window.state().search();
    std::vector<double> firsts;
    std::vector<double> alls;
    std::vector<double> turns;
    for (int round = -1; round < kRounds; ++round) {
        search.setLine({});
        QApplication::processEvents();
        double first = 0;
        double longest = 0;
        const auto turn = [&](const auto &work) {
            const double began = threadSeconds();
            work();
            longest = std::max(longest, threadSeconds() - began);
        };
        const auto begin = Clock::now();
        turn([&] { search.setLine(line); });
        while (search.isRunning()) {
            turn([] { QApplication::processEvents(QEventLoop::WaitForMoreEvents); });
            if (first == 0 && table->model()->rowCount() > 0) {
                turn([] { QApplication::processEvents(); });
                first = millisecondsSince(begin);
            }
        }
        turn([] { QApplication::processEvents(); });
        if (round < 0)
            continue;
        firsts.push_back(first > 0 ? first : millisecondsSince(begin));
        alls.push_back(millisecondsSince(begin));
        turns.push_back(longest * 1000);
    }
    std::printf("    in the window: %s, %d rows\n", line.toUtf8().constData(), table->model()->rowCount());
    report("  the first rows, painted", fixed(median(firsts), 1) + " ms", "< " + fixed(kFirst, 0) + " ms",
        median(firsts) < kFirst);
    report("  all rows, painted", fixed(median(alls), 0) + " ms", "< " + fixed(kAll, 0) + " ms", median(alls) < kAll);
    report("  longest work of the window's thread", fixed(median(turns), 1) + " ms", "below 16 ms", median(turns) < 16);
}

void benchWindow(const core::SessionPtr &session)
{
    ui::MainWindow window;
    window.workspace().show(session);
    window.resize(1600, 1000);
    window.show();
    window.findChild<QDockWidget *>(QStringLiteral("searchDock"))->raise();
    window.workspace().facts().waitForFacts();
    QApplication::processEvents();
    for (const char *line : { "nowherefound", "transcript", "e", "role:tool tokens>200 lost" })
        benchWindow(window, QString::fromLatin1(line));
}

} // namespace

void benchSearch(const std::filesystem::path &folder, const std::vector<std::string> &texts)
{
    const std::filesystem::path file = folder / "search.jsonl";
    const Generated generated = writeClaudeCalls(file, kCalls, kScale, texts);
    const unsigned threads = std::max(2U, std::thread::hardware_concurrency());
    const auto session = core::loadSession(file);
    if (!session) {
        std::fprintf(stderr, "bench: %s\n", session.error().sentence().c_str());
        std::exit(1);
    }
    reference("searched: " + std::to_string(generated.slots) + " slots",
        fixed(static_cast<double>(generated.bytes) / 1e6, 0) + " MB, of text "
            + fixed(static_cast<double>(generated.textBytes) / 1e6, 0) + " MB");
    core::SearchGround ground { *session, core::roughTokens(**session), nullptr, {} };
    const std::vector<double> lives
        = secondsOf(3, [&] { ground.lives = core::blockLives(*session, nullptr, threads, nullptr); });
    reference("the calls of all blocks, once a session", fixed(median(lives) * 1000, 0) + " ms");
    benchQuery(ground, threads, "nowherefound", "nowherefound");
    benchQuery(ground, threads, "transcript", "transcript");
    benchQuery(ground, threads, "e", "e");
    benchQuery(ground, threads, "Übergang", "");
    benchQuery(ground, threads, "role:tool tokens>200 lost", "");
    benchWindow(*session);
    std::filesystem::remove(file);
}

} // namespace bench
