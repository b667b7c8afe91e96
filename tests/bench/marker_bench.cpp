// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "marker_bench.h"

#include "generate.h"
#include "measure.h"
#include "ui/hub/replays.h"
#include "ui/hub/run_figures.h"
#include "ui/hub/thread_facts.h"
#include "ui/mainwindow/centre_pages.h"
#include "ui/mainwindow/main_window.h"
#include "ui/tuning/map/map_view.h"
#include "ui/tuning/session/tuning_page.h"
#include "ui/tuning/tuning_pages.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTest>
#include <QWindow>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <thread>

namespace bench {

using namespace Qt::StringLiterals;

namespace {

constexpr uint64_t kFileSize = 25'000'000; ///< about 2,000 calls
constexpr int kSteps = 200;
constexpr int kRound = 200;                           ///< steps of once around, some pixels each
constexpr auto kPause = std::chrono::milliseconds(8); ///< a mouse that reports 125 times a second
constexpr double kWanted = 16;                        ///< milliseconds

void require(bool condition, const char *what)
{
    if (condition)
        return;
    std::fprintf(stderr, "bench: the answer is wrong: %s\n", what);
    std::exit(1);
}

/// Counts how often a widget is painted.
class PaintCount final : public QObject {
public:
    explicit PaintCount(QWidget &widget)
        : QObject(&widget)
    {
        widget.installEventFilter(this);
    }
    [[nodiscard]] int count() const { return m_count; }

protected:
    bool eventFilter(QObject *, QEvent *event) override
    {
        m_count += event->type() == QEvent::Paint ? 1 : 0;
        return false;
    }

private:
    int m_count = 0;
};

/// A replay's policy has a summary of assumed size, so it is not the very same.
bool isAlike(const core::Policy &a, const core::Policy &b)
{
    return a.keep.measure == b.keep.measure && a.trigger.text() == b.trigger.text();
}

/// Seconds from each mouse event on: those that pass, and those that the thread of the window works.
struct Dragged {
    struct Until {
        std::vector<double> passed;
        std::vector<double> worked;
    };
    Until answered; ///< until the window is painted with the marker where the pointer is
    Until followed; ///< until the curve, the array and the figures are those of the policy there, painted
};

/// The marker on a walk in a circle over the map.
class MarkerDrag {
public:
    explicit MarkerDrag(ui::MainWindow &window)
        : m_window(window)
        , m_map(window.centre().tuningPages()->sessionPage()->map())
        , m_model(window.centre().tuningPages()->sessionPage()->model())
        , m_paints(new PaintCount(m_map))
    {
        m_timer.start();
        const QPoint from = m_map.mapTo(&m_window, m_map.markerPoint()->toPoint());
        QTest::mousePress(m_window.windowHandle(), Qt::LeftButton, {}, from);
        require(m_model.isMoving(), "the marker is taken");
    }
    void release() { QTest::mouseRelease(m_window.windowHandle(), Qt::LeftButton, {}, pointOf(kSteps)); }

    /// The next event comes once all has followed the last.
    [[nodiscard]] Dragged dragStepByStep()
    {
        Dragged dragged;
        for (int i = 1; i <= kSteps; ++i) {
            const double begin = now();
            const double worked = threadSeconds();
            const auto note = [&](Dragged::Until &until) {
                until.passed.push_back(now() - begin);
                until.worked.push_back(threadSeconds() - worked);
            };
            if (!moveTo(i))
                continue;
            note(dragged.answered);
            while (!hasFollowed())
                QApplication::processEvents(QEventLoop::WaitForMoreEvents);
            QApplication::processEvents();
            note(dragged.followed);
        }
        require(dragged.answered.passed.size() > kSteps / 2, "the marker goes along");
        return dragged;
    }

    /// The mouse goes on as it does: a move waits behind whatever the window is at when it comes. Of the moves that
    /// come meanwhile the last one counts, as platforms have it.
    [[nodiscard]] std::vector<double> dragOn()
    {
        std::vector<double> answered;
        const double start = now();
        const double pause = std::chrono::duration<double>(kPause).count();
        for (int last = 0; last < kSteps;) {
            QApplication::processEvents();
            const int step = static_cast<int>((now() - start) / pause);
            if (step == last) {
                std::this_thread::sleep_for(std::chrono::microseconds(100));
                continue;
            }
            if (moveTo(step))
                answered.push_back(now() - start - step * pause);
            last = step;
        }
        return answered;
    }

private:
    [[nodiscard]] double now() const { return static_cast<double>(m_timer.nsecsElapsed()) / 1e9; }

    [[nodiscard]] QPoint pointOf(int step) const
    {
        const ui::MapLayout::Box &plot = m_map.mapLayout().plot();
        const double angle = 2 * std::numbers::pi * step / kRound;
        const QPointF middle(plot.left + plot.width / 2.0, plot.top + plot.height / 2.0);
        const QPointF by(0.4 * plot.width * std::cos(angle), 0.4 * plot.height * std::sin(angle));
        return m_map.mapTo(&m_window, (middle + by).toPoint());
    }

    /// Returns when the window is painted with the marker there; false if it stands there already, as where a pixel is
    /// no other value.
    [[nodiscard]] bool moveTo(int step)
    {
        const int painted = m_paints->count();
        const auto before = m_model.marker();
        QTest::mouseMove(m_window.windowHandle(), pointOf(step));
        if (m_model.marker() == before)
            return false;
        require(QTest::qWaitFor([&] { return m_paints->count() > painted; }), "the map is painted");
        return true;
    }

    /// The curve, the array and the figures are those of the policy at the marker.
    [[nodiscard]] bool hasFollowed() const
    {
        const core::PolicyPtr &policy = m_window.workspace().plan().policy;
        const core::ReplayPtr &replay = m_window.workspace().replays().current();
        const core::PolicyFiguresPtr &figures = m_window.workspace().figures().policy();
        const core::CompactionPtr &made = m_window.state().picture().simulated;
        return replay && isAlike(*replay->policy, *policy) && figures && figures->replay == replay
            && !m_window.state().isPlanning() && made && made->policy == policy;
    }

    ui::MainWindow &m_window;
    ui::MapView &m_map;
    ui::TuningModel &m_model;
    PaintCount *m_paints; ///< of the map
    QElapsedTimer m_timer;
};

void reportMarker(const std::string &what, const std::vector<double> &passed, const std::vector<double> &worked = {})
{
    const double milliseconds = p95(passed) * 1000;
    report(what, fixed(milliseconds, 2) + " ms", "p95 below " + fixed(kWanted, 0) + " ms", milliseconds < kWanted);
    std::string rest = "median " + fixed(median(passed) * 1000, 2) + " ms";
    if (!worked.empty())
        rest += "; of that worked by the window's thread " + fixed(median(worked) * 1000, 2) + " ms, p95 "
            + fixed(p95(worked) * 1000, 2);
    std::printf("    %s\n", rest.c_str());
}

/// The window with the map of the policy, whole.
void showMap(ui::MainWindow &window, const std::filesystem::path &file, const core::PolicyPtr &policy)
{
    require(window.workspace().openNow(file).has_value(), "the generated file opens");
    window.resize(1600, 1000);
    window.show();
    window.centre().choose(ui::CentrePages::Page::Tuning);
    window.workspace().commitPlan(window.workspace().planWith(policy), u"Choose"_s);
    window.workspace().facts().waitForFacts();
    window.workspace().figures().waitForFigures();
    window.centre().tuningPages()->sessionPage()->waitForMap();
    require(QTest::qWaitForWindowExposed(&window), "the window is there");
    QTest::qWait(500); // what is found beside the picture
    require(
        window.centre().tuningPages()->sessionPage()->map().markerPoint().has_value(), "the policy stands on its map");
}

} // namespace

void benchMarker(const std::filesystem::path &folder, const std::vector<std::string> &texts)
{
    const std::filesystem::path file = folder / "calls.jsonl";
    (void)writeClaudeSession(file, kFileSize, texts);
    for (const char *id : { "deep-agents", "langchain-summarization" }) {
        ui::MainWindow window;
        showMap(window, file, core::preset(id));
        const std::string calls = std::to_string(window.workspace().session()->threads.front().calls.size()) + " calls";
        MarkerDrag drag(window);
        const Dragged dragged = drag.dragStepByStep();
        reportMarker(
            calls + ", " + id + ": drag the marker, painted", dragged.answered.passed, dragged.answered.worked);
        reportMarker("  the marker again and again, every 8 ms", drag.dragOn());
        reportMarker(
            "  until curve, array and figures have followed", dragged.followed.passed, dragged.followed.worked);
        drag.release();
    }
}

} // namespace bench
