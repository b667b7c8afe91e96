// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "findings_bench.h"

#include "generate.h"
#include "measure.h"
#include "ui/array/array_view.h"
#include "ui/hub/session_findings.h"
#include "ui/mainwindow/main_window.h"

#include <QApplication>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace bench {

namespace {

using Clock = std::chrono::steady_clock;

constexpr uint64_t kSmall = 4'000'000;
constexpr uint64_t kLarge = 200'000'000;

struct Opened {
    double picture = 0;  ///< milliseconds from the order to open the file to the painted slots of the whole file
    double findings = 0; ///< milliseconds from then on
    double longest = 0;  ///< milliseconds of the longest work of the window's thread from then on
    size_t count = 0;
};

Opened open(const std::filesystem::path &file)
{
    Opened opened;
    ui::MainWindow window;
    window.resize(1600, 1000);
    window.show();
    const auto since = [](Clock::time_point begin) {
        return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    };
    const auto begin = Clock::now();
    window.workspace().open(file);
    const auto *array = window.findChild<ui::ArrayView *>();
    while (window.workspace().isLoading() || array->itemCount() == 0)
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    window.grab();
    opened.picture = since(begin);
    const auto painted = Clock::now();
    while (!window.workspace().findings().get()) {
        const double before = threadSeconds();
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
        opened.longest = std::max(opened.longest, (threadSeconds() - before) * 1000);
    }
    opened.findings = since(painted);
    opened.count = window.workspace().findings().get()->findings.size();
    return opened;
}

void measure(const std::string &what, const std::filesystem::path &file, int rounds, double limit)
{
    std::vector<double> pictures;
    std::vector<double> findings;
    std::vector<double> longest;
    size_t count = 0;
    for (int round = -1; round < rounds; ++round) {
        const Opened opened = open(file);
        if (opened.count == 0 || (count != 0 && opened.count != count)) {
            std::fprintf(stderr, "bench: the answer is wrong: %zu findings\n", opened.count);
            std::exit(1);
        }
        count = opened.count;
        if (round < 0)
            continue;
        pictures.push_back(opened.picture);
        findings.push_back(opened.findings);
        longest.push_back(opened.longest);
    }
    reference(what + ", in an open window: the picture", fixed(median(pictures), 0) + " ms");
    report("  its " + std::to_string(count) + " findings, from the picture on", fixed(median(findings), 0) + " ms",
        "below " + fixed(limit, 0) + " ms", median(findings) < limit);
    report("  longest work of the window's thread", fixed(median(longest), 1) + " ms", "below 16 ms",
        median(longest) < 16);
}

} // namespace

void benchFindings(
    const std::filesystem::path &corpus, const std::filesystem::path &folder, const std::vector<std::string> &texts)
{
    const std::filesystem::path real = corpus / "claude-code/entireio+cli/cd-95adddad32-0.full.jsonl";
    const std::filesystem::path file = folder / "findings.jsonl";
    const bool hasReal = std::filesystem::exists(real);
    if (!hasReal)
        writeClaudeSession(file, kSmall, texts);
    measure(hasReal ? "a real 4 MB session" : "a generated 4 MB session", hasReal ? real : file, 5, 300);
    writeClaudeSession(file, kLarge, texts);
    measure("a generated 200 MB session", file, 3, 3000);
    std::filesystem::remove(file);
}

} // namespace bench
