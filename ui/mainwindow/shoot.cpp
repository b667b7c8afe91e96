// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/shoot.h"

#include "core/base/source.h"
#include "core/compaction/overrides.h"
#include "ui/files/save_bytes.h"
#include "ui/hub/comparisons.h"
#include "ui/hub/replays.h"
#include "ui/hub/run_figures.h"
#include "ui/hub/session_findings.h"
#include "ui/hub/thread_facts.h"
#include "ui/mainwindow/centre_pages.h"
#include "ui/mainwindow/main_window.h"
#include "ui/tuning/folder/folder_page.h"
#include "ui/tuning/tuning_pages.h"

#include <QApplication>
#include <QDir>
#include <QEventLoop>
#include <QImage>
#include <QThreadPool>
#include <QTimer>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

/// Lets the views lay themselves out and waits for jobs.
void settle()
{
    constexpr int kMostMilliseconds = 60'000;
    // Some jobs start only after an idle moment.
    constexpr int kStillness = 250;
    QEventLoop still;
    QTimer::singleShot(kStillness, &still, &QEventLoop::quit);
    still.exec();
    QThreadPool::globalInstance()->waitForDone(kMostMilliseconds);
    QApplication::processEvents();
}

/// Opens the session and goes to the position of the request.
core::Result<void> openSession(MainWindow &window, const ShootRequest &request)
{
    if (const auto opened = window.workspace().openNow(request.file); !opened)
        return std::unexpected(opened.error());
    core::Position position = window.state().position();
    const core::Session &session = *window.workspace().session();
    if (request.thread) {
        if (*request.thread >= session.threads.size())
            return core::failure(core::ErrorKind::Usage,
                "There is no such thread; this session has " + std::to_string(session.threads.size()) + ".",
                request.file.string());
        position = window.state().heaviestPosition(core::ThreadIndex(*request.thread));
    }
    if (request.call) {
        const size_t calls = session.thread(position.thread).calls.size();
        if (*request.call >= calls)
            return core::failure(core::ErrorKind::Usage,
                "There is no call " + std::to_string(*request.call) + "; calls are numbered from 0 to "
                    + std::to_string(calls == 0 ? 0 : calls - 1) + ".",
                request.file.string());
        position.call = core::CallIndex(*request.call);
    }
    window.state().setPosition(position);
    return {};
}

/// Lays the window out at its size and waits for the session's figures.
void layOut(MainWindow &window, const ShootRequest &request)
{
    window.resize(request.size);
    window.show();
    QApplication::sendPostedEvents();
    QApplication::processEvents();
    window.restoreDefaultLayout();
    if (request.slot)
        window.state().setCurrentSlot(core::SlotIndex(*request.slot));
    window.state().waitForPicture();
    window.workspace().replays().waitForReplay();
    window.workspace().facts().waitForFacts();
    window.state().waitForPicture(); // the uses rank its hot slots
    window.workspace().figures().waitForFigures();
    window.workspace().findings().waitForFindings();
    window.workspace().comparisons().waitForComparisons();
    window.state().search().setLine(QString::fromStdString(request.found));
    window.state().search().wait();
    if (!request.traced.empty())
        window.workspace().facts().traces().traceText(request.traced);
}

core::Result<void> takeOverrides(Workspace &workspace, const std::filesystem::path &path)
{
    const auto source = core::Source::open(path);
    if (!source)
        return std::unexpected(source.error());
    auto read = core::parseOverrides(*workspace.session(), (*source)->bytes(), path.string());
    if (!read)
        return std::unexpected(read.error());
    Plan plan = workspace.plan();
    plan.overrides = std::move(read->overrides);
    workspace.previewPlan(plan);
    return {};
}

} // namespace

core::Result<QStringList> shoot(const ShootRequest &request)
{
    const QString folder = QString::fromStdString(request.folder.string());
    if (!QDir().mkpath(folder))
        return core::failure(core::ErrorKind::NotReadable,
            "The folder for the pictures cannot be made: something else has its name, or you may not write there.",
            request.folder.string());
    MainWindow window;
    window.setAttribute(Qt::WA_DontShowOnScreen); // laid out and painted, never put on a display
    window.setLook(request.isDark ? MainWindow::Look::Dark : MainWindow::Look::Light);
    std::error_code error;
    const bool isFolder = std::filesystem::is_directory(request.file, error);
    if (isFolder)
        window.tune({ request.file });
    if (const auto opened = isFolder ? core::Result<void>() : openSession(window, request); !opened)
        return std::unexpected(opened.error());
    if (request.policy) {
        Plan plan = window.workspace().planWith(request.policy);
        plan.honoursTriggers = !request.ignoresTriggers;
        window.workspace().previewPlan(plan);
    }
    if (!request.overrides.empty() && !isFolder) {
        if (const auto taken = takeOverrides(window.workspace(), request.overrides); !taken)
            return std::unexpected(taken.error());
    }
    if (!request.after.empty()) {
        if (const auto opened = window.workspace().compareWithNow(request.after); !opened)
            return std::unexpected(opened.error());
    }
    for (const core::PolicyPtr &policy : request.compared) {
        if (!isFolder) {
            window.workspace().comparisons().toggle(policy);
            continue;
        }
        Suggestions &suggestions = window.centre().tuningPages()->folderPage()->model().suggestions();
        if (!suggestions.canTakePart(policy))
            return core::failure(core::ErrorKind::Usage,
                policy->name + " cannot be compared: there are no values to try for its keep and trigger.");
        suggestions.add(policy);
    }
    layOut(window, request);
    if (isFolder)
        window.centre().setPage(CentrePages::Page::Tuning);
    settle();
    QStringList written;
    const QStringList known = isFolder ? MainWindow::folderViewNames() : MainWindow::viewNames();
    const QStringList views = request.views.isEmpty() ? known : request.views;
    for (const QString &view : views) {
        if (!known.contains(view))
            return core::failure(core::ErrorKind::Usage,
                "There is no view “" + view.toStdString() + "”; the views are " + known.join(u", "_s).toStdString()
                    + ".");
        const QString path = QDir(folder).filePath(view + (request.isDark ? u"-dark.png"_s : u"-light.png"_s));
        if (auto saved = savePicture(window.picture(view, request.scale), path); !saved)
            return std::unexpected(saved.error());
        written.append(path);
    }
    return written;
}

} // namespace ui
