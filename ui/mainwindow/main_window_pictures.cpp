// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// Pictures of the views, without a display.

#include "ui/mainwindow/main_window.h"

#include "ui/calls/calls_panel.h"
#include "ui/edits/edits_page.h"
#include "ui/mainwindow/array_page.h"
#include "ui/mainwindow/centre_pages.h"
#include "ui/message/message_panel.h"
#include "ui/outline/outline_panel.h"
#include "ui/policy/policy_panel.h"
#include "ui/rewrites/rewrites_panel.h"
#include "ui/timeline/timeline_view.h"
#include "ui/tuning/folder/folder_page.h"
#include "ui/tuning/tuning_pages.h"
#include "ui/weight/weight_panel.h"

#include <QApplication>
#include <QDockWidget>

namespace ui {

using namespace Qt::StringLiterals;
using core::SlotIndex;

QStringList MainWindow::viewNames()
{
    return { u"window"_s, u"timeline"_s, u"array"_s, u"bars"_s, u"heaviest"_s, u"edits"_s, u"tuning"_s, u"outline"_s,
        u"message"_s, u"raw"_s, u"weight"_s, u"calls"_s, u"policy"_s, u"rewrites"_s };
}

QStringList MainWindow::folderViewNames()
{
    return { u"window"_s, u"tuning"_s, u"suggestion"_s, u"reach"_s, u"front"_s };
}

QImage MainWindow::tuningPicture(const QString &view, const std::function<QImage(QWidget *)> &grab)
{
    TuningPages *pages = m_centre->tuningPages();
    const CentrePages::Page before = m_centre->page();
    m_centre->setPage(CentrePages::Page::Tuning);
    static const QHash<QString, FolderPage::Below> kBelow { { u"suggestion"_s, FolderPage::Below::Suggestion },
        { u"reach"_s, FolderPage::Below::Reach }, { u"front"_s, FolderPage::Below::Front } };
    pages->folderPage()->setBelow(kBelow.value(view, FolderPage::Below::WorstRuns));
    QApplication::sendPostedEvents();
    pages->waitForMap();
    QApplication::sendPostedEvents(); // what came has its place
    QImage image = grab(m_centre);
    pages->folderPage()->setBelow(FolderPage::Below::WorstRuns);
    m_centre->setPage(before);
    return image;
}

QImage MainWindow::picture(const QString &view, double pixelRatio)
{
    ArrayView &array = m_arrayPage->array();
    const ArrayMode mode = array.mode();
    const auto grab = [&](QWidget *widget) {
        QImage image(widget->size() * pixelRatio, QImage::Format_RGB32);
        image.setDevicePixelRatio(pixelRatio);
        image.fill(m_state.theme().window);
        widget->render(&image);
        return image;
    };
    QImage image;
    if (view == u"timeline"_s) {
        image = grab(m_timeline);
    } else if (view == u"array"_s || view == u"bars"_s || view == u"heaviest"_s) {
        array.setMode(view == u"array"_s ? ArrayMode::Slots
                : view == u"bars"_s      ? ArrayMode::Bars
                                         : ArrayMode::BarsHeaviest);
        image = grab(m_arrayPage);
        array.setMode(mode);
    } else if (folderViewNames().mid(1).contains(view)) {
        image = tuningPicture(view, grab);
    } else if (view == u"edits"_s) {
        m_centre->setPage(CentrePages::Page::Edits);
        QApplication::sendPostedEvents();
        m_edits->waitForContent();
        image = grab(m_centre);
        m_centre->setPage(CentrePages::Page::Array);
    } else if (view == u"outline"_s) {
        image = grab(m_outline);
    } else if (view == u"message"_s || view == u"raw"_s) {
        m_messageDock->raise();
        m_message->setRaw(view == u"raw"_s);
        m_message->waitForContent();
        image = grab(m_message);
        m_message->setRaw(false);
    } else if (view == u"policy"_s) {
        image = grab(m_policy);
    } else if (view == u"rewrites"_s) {
        m_rewritesDock->raise();
        QApplication::sendPostedEvents();
        m_rewrites->waitForContent();
        image = grab(m_rewrites);
        m_messageDock->raise();
    } else if (view == u"calls"_s) {
        m_callsDock->raise();
        QApplication::sendPostedEvents();
        image = grab(m_calls);
        m_messageDock->raise();
    } else if (view == u"weight"_s) {
        m_weightDock->raise();
        QApplication::sendPostedEvents();
        image = grab(m_weight);
        m_messageDock->raise();
    } else {
        m_message->waitForContent();
        if (m_centre->page() == CentrePages::Page::Tuning)
            m_centre->tuningPages()->waitForMap();
        image = grab(this);
    }
    return image;
}

} // namespace ui
