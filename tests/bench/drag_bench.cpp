// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "drag_bench.h"

#include "core/compaction/compaction.h"
#include "measure.h"
#include "tests/session_text.h"
#include "ui/array/array_view.h"
#include "ui/mainwindow/main_window.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QImage>
#include <QPainter>

#include <cstdio>
#include <cstdlib>

namespace bench {

using namespace Qt::StringLiterals;

namespace {

constexpr int kSteps = 60;

double since(const QElapsedTimer &timer) { return static_cast<double>(timer.nsecsElapsed()) / 1e9; }

struct Drag {
    std::vector<double> window; ///< what the thread of the window works for one step of the mouse, painting included
    std::vector<double> whole;  ///< until the picture shows it, painted
    std::vector<double> plan;   ///< the plan alone
    std::vector<double> first;  ///< one that remembers nothing
};

Drag drag(ui::MainWindow &window, const core::PolicyPtr &policy)
{
    ui::Workspace &workspace = window.workspace();
    ui::ViewState &state = window.state();
    state.setPosition({});
    workspace.commitPlan(workspace.planWith(policy), u"Choose"_s);
    state.waitForPicture();
    auto *array = window.findChild<ui::ArrayView *>();
    QImage image(array->size(), QImage::Format_ARGB32_Premultiplied);
    const auto paint = [&] {
        QPainter painter(&image);
        array->render(&painter);
    };
    paint();
    Drag drag;
    std::vector<core::CompactionPtr> shown;
    for (int i = 0; i < kSteps; ++i) {
        const core::Measure keep { 20.0 + 3.0 * i, core::Measure::Unit::Messages };
        QElapsedTimer timer;
        timer.start();
        const double began = threadSeconds();
        workspace.previewKeep(keep);
        state.waitForPicture();
        paint();
        drag.whole.push_back(since(timer));
        drag.window.push_back(threadSeconds() - began);
        shown.push_back(state.picture().simulated);
        if (!shown.back() || shown.back()->policy != workspace.plan().policy) {
            std::fprintf(stderr, "bench: the answer is wrong: the picture is not that of the drag\n");
            std::exit(1);
        }
        QApplication::processEvents();
    }
    for (const core::CompactionPtr &made : shown) {
        core::CompactOptions options;
        options.ignoresTriggers = true;
        for (std::vector<double> *seconds : { &drag.first, &drag.plan }) {
            QElapsedTimer timer;
            timer.start();
            const core::Compaction again = core::compact(made->before, made->policy, *workspace.tokens(), options);
            seconds->push_back(since(timer));
            if (again.rewrites.size() != made->rewrites.size())
                std::exit(1);
            options.memo = workspace.memo();
        }
    }
    return drag;
}

void reportDrag(const std::string &what, const Drag &drag, double wanted)
{
    const auto milliseconds = [](const std::vector<double> &values) { return p95(values) * 1000; };
    report(what + ": drag keep, planned and painted", fixed(milliseconds(drag.whole), 2) + " ms",
        "p95 below " + fixed(wanted, 0) + " ms", milliseconds(drag.whole) < wanted);
    report("  of that on the thread of the window", fixed(milliseconds(drag.window), 2) + " ms", "p95 below 16 ms",
        milliseconds(drag.window) < 16);
    reference("  the plan alone", fixed(milliseconds(drag.plan), 2) + " ms");
    reference("  a plan that remembers nothing", fixed(milliseconds(drag.first), 2) + " ms");
}

} // namespace

void benchDrag()
{
    std::string line;
    for (int i = 0; i < 1'000; ++i)
        line += "u:90 a:400 c:900 t:6000 a:120 ";
    ui::MainWindow window;
    window.workspace().show(core::session(line));
    window.resize(1600, 1000);
    window.show();
    reportDrag("5,000 slots", drag(window, core::preset("genkit-recipe-figure")), 16);
}

void benchDrag(const std::filesystem::path &file)
{
    ui::MainWindow window;
    if (!window.workspace().openNow(file)) {
        std::fprintf(stderr, "bench: the generated file opens\n");
        std::exit(1);
    }
    window.resize(1600, 1000);
    window.show();
    reportDrag("200 MB", drag(window, core::preset("genkit-recipe-figure")), 150);
    reference("  slots of its array", std::to_string(window.state().picture().before.slotCount()));
}

} // namespace bench
