// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "policy_bench.h"

#include "core/compaction/compaction.h"
#include "measure.h"
#include "session_text.h"
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

constexpr int kSteps = 24;

double since(const QElapsedTimer &timer) { return static_cast<double>(timer.nsecsElapsed()) / 1e9; }

struct Drag {
    std::vector<double> atOnce; ///< what the GUI thread works for one step of the mouse
    std::vector<double> whole;  ///< until the picture shows it, painted
    std::vector<double> plan;   ///< the plan alone
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
    for (int i = 0; i < kSteps; ++i) {
        const core::Measure keep { 20.0 + 7.0 * i, core::Measure::Unit::Messages };
        QElapsedTimer timer;
        timer.start();
        workspace.previewKeep(keep);
        if (!state.isPlanning())
            paint();
        drag.atOnce.push_back(since(timer));
        if (state.isPlanning()) {
            state.waitForPicture();
            paint();
        }
        drag.whole.push_back(since(timer));
        const core::CompactionPtr made = state.picture().simulated;
        if (!made || made->policy != workspace.plan().policy) {
            std::fprintf(stderr, "bench: the answer is wrong: the picture is not that of the drag\n");
            std::exit(1);
        }
        core::CompactOptions options;
        options.ignoresTriggers = true;
        timer.start();
        const core::Compaction again = core::compact(made->before, made->policy, *workspace.tokens(), options);
        drag.plan.push_back(since(timer));
        if (again.rewrites.size() != made->rewrites.size())
            std::exit(1);
        QApplication::processEvents();
    }
    return drag;
}

void reportDrag(const std::string &what, const Drag &drag, double wanted)
{
    const auto milliseconds = [](const std::vector<double> &values) { return p95(values) * 1000; };
    report(what + ": drag keep, planned and painted", fixed(milliseconds(drag.whole), 2) + " ms",
        "p95 below " + fixed(wanted, 0) + " ms", milliseconds(drag.whole) < wanted);
    report("  of that on the thread of the window", fixed(milliseconds(drag.atOnce), 2) + " ms", "p95 below 16 ms",
        milliseconds(drag.atOnce) < 16);
    reference("  the plan alone", fixed(milliseconds(drag.plan), 2) + " ms");
}

} // namespace

void benchPolicy(const std::filesystem::path &file)
{
    const core::PolicyPtr policy = core::preset("genkit-recipe-figure");
    {
        std::string line;
        for (int i = 0; i < 1'000; ++i)
            line += "u:90 a:400 c:900 t:6000 a:120 ";
        ui::MainWindow window;
        window.workspace().show(core::session(line));
        window.resize(1600, 1000);
        window.show();
        reportDrag("5,000 slots", drag(window, policy), 16);
    }
    ui::MainWindow window;
    if (!window.workspace().openNow(file)) {
        std::fprintf(stderr, "bench: the generated file opens\n");
        std::exit(1);
    }
    window.resize(1600, 1000);
    window.show();
    reportDrag("200 MB", drag(window, policy), 150);
    reference("  slots of its array", std::to_string(window.state().picture().before.slotCount()));
}

} // namespace bench
