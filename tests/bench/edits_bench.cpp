// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "edits_bench.h"

#include "core/diff/line_diff.h"
#include "measure.h"
#include "tests/claude_log.h"
#include "ui/edits/edits_page.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QImage>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace bench {

namespace {

constexpr size_t kLines = 20'000;
constexpr size_t kEvery = 40; ///< of these lines one is changed
constexpr int kRounds = 40;

void require(bool condition, const char *what)
{
    if (condition)
        return;
    std::fprintf(stderr, "bench: the answer is wrong: %s\n", what);
    std::exit(1);
}

/// The first 20,000 lines of the texts, one behind the other, over and over.
std::vector<std::string> manyLines(const std::vector<std::string> &texts)
{
    std::vector<std::string> lines;
    for (size_t i = 0; lines.size() < kLines; i = (i + 1) % texts.size()) {
        for (size_t at = 0; at < texts[i].size() && lines.size() < kLines;) {
            const size_t end = std::min(texts[i].find('\n', at), texts[i].size());
            lines.push_back(texts[i].substr(at, end - at) + "\n");
            at = end + 1;
        }
    }
    return lines;
}

std::string joined(const std::vector<std::string> &lines)
{
    std::string text;
    for (const std::string &line : lines)
        text += line;
    return text;
}

struct Times {
    std::vector<double> shown;    ///< until the differences are painted
    std::vector<double> coloured; ///< until the lines in sight have their colours
    std::vector<double> window;   ///< of `shown` what the thread of the window worked at most without a pause
};

/// From an edit of a small file to one of the large file, and back, over and over.
Times showEdit(ui::EditsPage &page, size_t edit, size_t differences)
{
    Times times;
    for (int i = -1; i < kRounds; ++i) {
        page.choose(0);
        page.waitForContent();
        page.grab();
        QElapsedTimer timer;
        timer.start();
        page.choose(edit);
        double longest = static_cast<double>(timer.nsecsElapsed()) / 1e9;
        while (!page.diffView()->diff()) {
            QApplication::processEvents(QEventLoop::WaitForMoreEvents);
        }
        QElapsedTimer painting;
        painting.start();
        page.grab();
        longest = std::max(longest, static_cast<double>(painting.nsecsElapsed()) / 1e9);
        const double shown = static_cast<double>(timer.nsecsElapsed()) / 1e9;
        require(page.diffView()->differenceCount() == differences, "as many differences as lines were changed");
        while (page.diffView()->isBusy())
            QApplication::processEvents(QEventLoop::WaitForMoreEvents);
        page.grab();
        if (i < 0)
            continue;
        times.shown.push_back(shown);
        times.coloured.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e9);
        times.window.push_back(longest);
    }
    return times;
}

void reportShown(const std::string &what, const Times &times)
{
    const double worst = *std::ranges::max_element(times.shown) * 1000;
    report("20,000 lines, " + what + ": differences painted", fixed(worst, 1) + " ms", "worst of 40 below 100 ms",
        worst < 100);
    reference("  median", fixed(median(times.shown) * 1000, 1) + " ms");
    reference("  longest stretch of the window's thread", fixed(median(times.window) * 1000, 1) + " ms");
    reference("  with colours, median", fixed(median(times.coloured) * 1000, 1) + " ms");
}

} // namespace

void benchEdits(const std::filesystem::path &folder, const std::vector<std::string> &texts)
{
    std::vector<std::string> lines = manyLines(texts);
    const std::string first = joined(lines);
    const std::string old = lines[kLines / 2];
    lines[kLines / 2] = "changed once\n";
    const std::string second = joined(lines);
    for (size_t i = 0; i < kLines; i += kEvery)
        lines[i].insert(0, "// changed ");
    const std::string third = joined(lines);
    testing::ClaudeLog log("/nowhere");
    log.typed("change it");
    log.write("/nowhere/small.cpp", "int main() {}\n");
    log.write("/nowhere/large.cpp", first);
    log.write("/nowhere/large.cpp", second);
    log.write("/nowhere/large.cpp", third);
    const std::filesystem::path file = folder / "edits.jsonl";
    std::ofstream(file, std::ios::binary) << log.text();

    const double diff = median(secondsOf(5, [&] { (void)core::diffLines(second, third, {}, nullptr); }));
    reference("20,000 lines: the diff alone, 500 differences", fixed(diff * 1000, 1) + " ms");
    ui::Workspace workspace;
    ui::ViewState state(workspace);
    ui::EditsPage page(state);
    require(workspace.openNow(file).has_value(), "the session opens");
    page.resize(1280, 800);
    page.show();
    page.waitForContent();
    require(page.review().found()->count() == 4, "every write is an edit");
    reportShown("1 changed", showEdit(page, 2, 1));
    reportShown("500 changed", showEdit(page, 3, kLines / kEvery));
}

} // namespace bench
