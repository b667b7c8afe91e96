// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/about_page.h"

#include "ui/look/theme.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

namespace ui {

using namespace Qt::StringLiterals;

AboutPage::AboutPage(QWidget *parent)
    : QDialog(parent)
{
    constexpr int kIconSize = 64;
    setObjectName(u"aboutPage"_s);
    setWindowTitle(tr("About Palimpsest"));
    resize(760, 640);
    auto *icon = new QLabel(this);
    icon->setObjectName(u"aboutIcon"_s);
    icon->setPixmap(QIcon(u":/icon/palimpsest.svg"_s).pixmap(kIconSize));
    auto *name = new QLabel(tr("Palimpsest %1").arg(QApplication::applicationVersion()), this);
    name->setObjectName(u"aboutName"_s);
    name->setFont(Theme::strongFont(20));
    name->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto *summary = new QLabel(
        tr("Shows what fills the context of a coding agent, call by call, and what a compaction policy would change."),
        this);
    summary->setWordWrap(true);
    auto *words = new QVBoxLayout;
    words->addWidget(name);
    words->addWidget(summary);
    auto *head = new QHBoxLayout;
    head->setContentsMargins(18, 12, 18, 6);
    head->setSpacing(18);
    head->addWidget(icon);
    head->addLayout(words, 1);
    auto *notices = new QTextBrowser(this);
    notices->setObjectName(u"aboutNotices"_s);
    notices->setAccessibleName(tr("Licences"));
    notices->setFont(Theme::textFont(13));
    notices->setOpenLinks(false);
    notices->document()->setDocumentMargin(18);
    notices->setFrameShape(QFrame::NoFrame);
    notices->setSource(QUrl(u"qrc:/about/notices.md"_s));
    auto *column = new QVBoxLayout(this);
    column->addLayout(head);
    column->addWidget(notices);
}

} // namespace ui
