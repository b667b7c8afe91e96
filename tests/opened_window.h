// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "tests/sourcedir.h"
#include "ui/mainwindow/centre_pages.h"
#include "ui/mainwindow/main_window.h"

#include <QApplication>
#include <QTest>

#include <string>

namespace testing {

/// A shown window of a size, with the session of the manual.
struct OpenedWindow {
    ui::MainWindow window;

    explicit OpenedWindow(QSize size = { 1600, 1000 })
    {
        window.resize(size);
        window.show();
        window.restoreDefaultLayout();
        if (!window.workspace().openNow(PALIMPSEST_SOURCE_DIR + std::string("/resources/manual/session.jsonl")))
            qFatal("the session of the manual cannot be read");
        QApplication::processEvents();
    }
    void choose(ui::CentrePages::Page page)
    {
        window.centre().choose(page);
        QApplication::processEvents();
    }
};

} // namespace testing
