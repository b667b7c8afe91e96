// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// Pictures of the views, without a display.

#include "ui/mainwindow/main_window.h"

#include "ui/edits/edits_page.h"
#include "ui/mainwindow/array_page.h"
#include "ui/mainwindow/centre_pages.h"
#include "ui/mainwindow/panel_docks.h"
#include "ui/message/message_panel.h"
#include "ui/timeline/timeline_view.h"
#include "ui/tuning/folder/folder_page.h"
#include "ui/tuning/tuning_pages.h"

#include <QApplication>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

const QHash<QString, ArrayMode> kArrayPictures { { u"array"_s, ArrayMode::Slots }, { u"bars"_s, ArrayMode::Bars },
    { u"heaviest"_s, ArrayMode::BarsHeaviest } };
const QHash<QString, FolderPage::Below> kTuningPictures { { u"tuning"_s, FolderPage::Below::WorstRuns },
    { u"suggestion"_s, FolderPage::Below::Suggestion }, { u"reach"_s, FolderPage::Below::Reach },
    { u"front"_s, FolderPage::Below::Front } };

} // namespace

QStringList MainWindow::viewNames()
{
    return QStringList { u"window"_s, u"timeline"_s, u"array"_s, u"bars"_s, u"heaviest"_s, u"edits"_s, u"tuning"_s }
    + PanelDocks::pictureNames();
}

QStringList MainWindow::folderViewNames()
{
    return { u"window"_s, u"tuning"_s, u"suggestion"_s, u"reach"_s, u"front"_s };
}

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
    } else if (kArrayPictures.contains(view) || kTuningPictures.contains(view) || view == u"edits"_s) {
        takePagePicture(view, grab);
    } else if (!m_panels->takePicture(view, grab)) {
        m_panels->panel<MessagePanel>().waitForContent();
        if (m_centre->page() == CentrePages::Page::Tuning)
            m_centre->tuningPages()->waitForMap();
        grab(this);
    }
    return image;
}

void MainWindow::takePagePicture(const QString &view, const std::function<void(QWidget *)> &grab)
{
    if (kArrayPictures.contains(view)) {
        const ArrayMode mode = array().mode();
        array().setMode(kArrayPictures.value(view));
        grab(m_centre->arrayPage());
        return array().setMode(mode);
    }
    const CentrePages::Page before = m_centre->page();
    if (view == u"edits"_s) {
        m_centre->setPage(CentrePages::Page::Edits);
        QApplication::sendPostedEvents();
        m_centre->editsPage()->waitForContent();
        grab(m_centre);
    } else {
        TuningPages *pages = m_centre->tuningPages();
        m_centre->setPage(CentrePages::Page::Tuning);
        pages->folderPage()->setBelow(kTuningPictures.value(view));
        QApplication::sendPostedEvents();
        pages->waitForMap();
        QApplication::sendPostedEvents(); // lays out what has arrived
        grab(m_centre);
        pages->folderPage()->setBelow(FolderPage::Below::WorstRuns);
    }
    m_centre->setPage(before);
}

} // namespace ui
