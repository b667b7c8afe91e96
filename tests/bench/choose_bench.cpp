// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "choose_bench.h"

#include "measure.h"
#include "tests/session_text.h"
#include "ui/hub/thread_facts.h"
#include "ui/mainwindow/main_window.h"

#include <QApplication>
#include <QEventLoop>
#include <QTimer>

namespace bench {

namespace {

constexpr int kRounds = 20;
constexpr int kStill = 400; ///< milliseconds in which the jobs of a choice end

void rest()
{
    QEventLoop loop;
    QTimer::singleShot(kStill, &loop, &QEventLoop::quit);
    loop.exec();
}

/// Processor time of this thread: until the choice is painted, and what the results of jobs cost after that.
void choose(const std::string &what, const std::function<void(int)> &work)
{
    std::vector<double> painted;
    std::vector<double> later;
    for (int i = -1; i < kRounds; ++i) {
        const double began = threadSeconds();
        work(i);
        QApplication::processEvents();
        const double shown = threadSeconds();
        rest();
        if (i < 0)
            continue;
        painted.push_back(shown - began);
        later.push_back(threadSeconds() - shown);
    }
    const double milliseconds = p95(painted) * 1000;
    report(
        "100,000 slots: " + what + ", painted", fixed(milliseconds, 2) + " ms", "p95 below 16 ms", milliseconds < 16);
    reference("  median", fixed(median(painted) * 1000, 2) + " ms");
    reference("  results of jobs, median and p95",
        fixed(median(later) * 1000, 2) + " and " + fixed(p95(later) * 1000, 2) + " ms");
}

} // namespace

void benchChoose()
{
    std::string line;
    for (int i = 0; i < 50'000; ++i)
        line += i % 50 == 0 ? "u:300 a:14000 " : "u:90 a:400 ";
    ui::MainWindow window;
    window.workspace().show(core::session(line));
    window.resize(1600, 1000);
    window.show();
    window.workspace().facts().waitForFacts();
    rest();
    choose("choose a call",
        [&](int i) { window.state().setPosition({ core::ThreadIndex(0), core::CallIndex(49'000 - i) }); });
    choose("choose a unit",
        [&](int i) { window.state().setUnit(i % 2 == 0 ? core::WeightUnit::Bytes : core::WeightUnit::Tokens); });
    window.state().setUnit(core::WeightUnit::Tokens);
    rest();
    choose("drag the keep line",
        [&](int i) { window.workspace().previewKeep({ 5.0 + i, core::Measure::Unit::Messages }); });
}

} // namespace bench
