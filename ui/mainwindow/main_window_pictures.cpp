// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// Pictures of the views, without a display.

#include "ui/mainwindow/main_window.h"

#include "ui/edits/edits_page.h"
#include "ui/mainwindow/array_page.h"
#include "ui/mainwindow/centre_pages.h"
#include "ui/mainwindow/head_line_bar.h"
#include "ui/mainwindow/legend_page.h"
#include "ui/mainwindow/panel_docks.h"
#include "ui/message/message_panel.h"
#include "ui/sessions/sessions_page.h"
#include "ui/timeline/timeline_view.h"
#include "ui/tuning/folder/folder_page.h"
#include "ui/tuning/tuning_pages.h"

#include <QApplication>

#include <algorithm>
#include <array>
#include <optional>
#include <variant>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

/// A picture of the window or its centre. The table of panels gives the pictures of panels.
struct CentrePicture {
    QLatin1StringView name;
    bool isOfSession = false;
    bool isOfFolder = false;
    /// Of the array, below the map, or the page of a whole window.
    std::variant<std::monostate, ArrayMode, FolderPage::Below, CentrePages::Page> form {};
};
const auto kCentrePictures = std::to_array<CentrePicture>({
    { "window"_L1, true, true },
    { "timeline"_L1, true, false },
    { "array"_L1, true, false, ArrayMode::Slots },
    { "bars"_L1, true, false, ArrayMode::Bars },
    { "heaviest"_L1, true, false, ArrayMode::BarsHeaviest },
    { "edits"_L1, true, false },
    { "sessions-layout"_L1, true, false, CentrePages::Page::Sessions },
    { "tune-layout"_L1, true, false, CentrePages::Page::Tuning },
    { "legend"_L1, true, false },
    { "edits-layout"_L1, true, false, CentrePages::Page::Edits },
    { "sessions"_L1, false, true },
    { "tuning"_L1, true, true, FolderPage::Below::WorstRuns },
    { "suggestion"_L1, false, true, FolderPage::Below::Suggestion },
    { "reach"_L1, false, true, FolderPage::Below::Reach },
    { "front"_L1, false, true, FolderPage::Below::Front },
});

QStringList namesOf(bool CentrePicture::*isOfThese)
{
    QStringList names;
    for (const CentrePicture &each : kCentrePictures) {
        if (each.*isOfThese)
            names << each.name;
    }
    return names;
}

/// The mode of the array, or the part below the map; nothing for other pictures.
template <typename Form>
std::optional<Form> formOf(const QString &view)
{
    const auto *found
        = std::ranges::find_if(kCentrePictures, [&](const CentrePicture &each) { return view == each.name; });
    const Form *form = found == kCentrePictures.end() ? nullptr : std::get_if<Form>(&found->form);
    return form == nullptr ? std::nullopt : std::optional(*form);
}

} // namespace

QStringList MainWindow::viewNames() { return namesOf(&CentrePicture::isOfSession) + PanelDocks::pictureNames(); }

QStringList MainWindow::folderViewNames() { return namesOf(&CentrePicture::isOfFolder); }

QImage MainWindow::picture(const QString &view, double pixelRatio)
{
    QImage image;
    const auto grab = [&](QWidget *widget) {
        image = QImage(widget->size() * pixelRatio, QImage::Format_RGB32);
        image.setDevicePixelRatio(pixelRatio);
        image.fill(m_state.theme().window);
        widget->render(&image);
    };
    if (view == u"timeline"_s) {
        grab(m_timeline);
    } else if (view == u"legend"_s) {
        LegendPage legend(m_state.theme(), this);
        legend.adjustSize();
        grab(&legend);
    } else if (view == u"sessions"_s) {
        const CentrePages::Page before = m_centre->page();
        m_centre->setPage(CentrePages::Page::Sessions);
        m_centre->sessionsPage()->library().wait();
        QApplication::sendPostedEvents();
        QApplication::processEvents();
        grab(this);
        m_centre->setPage(before);
    } else if (const auto page = formOf<CentrePages::Page>(view)) {
        const CentrePages::Page before = m_centre->page();
        m_centre->setPage(*page);
        settlePage();
        grab(this);
        m_centre->setPage(before);
    } else if (formOf<ArrayMode>(view) || formOf<FolderPage::Below>(view) || view == u"edits"_s) {
        takePagePicture(view, grab);
    } else if (!m_panels->takePicture(view, grab)) {
        m_panels->panel<MessagePanel>().waitForContent();
        m_head->waitForContent();
        if (m_centre->page() == CentrePages::Page::Tuning)
            m_centre->tuningPages()->waitForMap();
        grab(this);
    }
    return image;
}

/// Waits for the content of the page.
void MainWindow::settlePage()
{
    QApplication::sendPostedEvents();
    if (m_centre->page() == CentrePages::Page::Edits)
        m_centre->editsPage()->waitForContent();
    else if (m_centre->page() == CentrePages::Page::Tuning)
        m_centre->tuningPages()->waitForMap();
    QApplication::sendPostedEvents(); // lays out the results that arrived
}

void MainWindow::takePagePicture(const QString &view, const std::function<void(QWidget *)> &grab)
{
    if (const auto wanted = formOf<ArrayMode>(view)) {
        const ArrayMode mode = array().mode();
        array().setMode(*wanted);
        grab(m_centre->arrayPage());
        return array().setMode(mode);
    }
    const CentrePages::Page before = m_centre->page();
    if (view == u"edits"_s) {
        m_centre->setPage(CentrePages::Page::Edits);
        settlePage();
        grab(m_centre);
    } else {
        TuningPages *pages = m_centre->tuningPages();
        m_centre->setPage(CentrePages::Page::Tuning);
        pages->folderPage()->setBelow(*formOf<FolderPage::Below>(view));
        settlePage();
        grab(m_centre);
        pages->folderPage()->setBelow(FolderPage::Below::WorstRuns);
    }
    m_centre->setPage(before);
}

} // namespace ui
