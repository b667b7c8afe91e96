// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/empty_page.h"

#include "ui/files/settings.h"

#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kWidth = 560;
constexpr int kMostRecent = 8;

void clear(QVBoxLayout *layout)
{
    while (QLayoutItem *item = layout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

} // namespace

EmptyPage::EmptyPage(QWidget *parent)
    : QWidget(parent)
    , m_recent(new QVBoxLayout)
{
    setObjectName(u"emptyPage"_s);
    auto *title = new QLabel(tr("Drop a session file here"), this);
    title->setFont(Theme::strongFont(20));
    auto *words = new QLabel(
        tr("See what a coding agent sent to the model at every call, what each compaction removed, what other settings "
           "would cost, and every edit as a diff.\n\nPalimpsest found no sessions in the folders where it looked. Open "
           "session files of Claude Code, Codex, Gemini CLI, opencode, Cline, pi and many others from any folder. "
           "Palimpsest never changes them."),
        this);
    words->setFont(Theme::textFont(13));
    words->setWordWrap(true);
    auto *open = new QPushButton(tr("Open Session…"), this);
    auto *folder = new QPushButton(tr("Open Folder…"), this);
    auto *sample = new QPushButton(tr("Open the Sample"), this);
    open->setObjectName(u"openSession"_s);
    folder->setObjectName(u"openFolder"_s);
    folder->setToolTip(
        toolTipText(tr("Lists the sessions in a folder, and tries settings of a policy on all of them")));
    sample->setObjectName(u"openSample"_s);
    auto *tour = new QPushButton(tr("Take the Tour"), this);
    tour->setObjectName(u"takeTour"_s);
    tour->setToolTip(tr("Three steps with the sample: a compaction, what it lost, a policy"));
    connect(tour, &QPushButton::clicked, this, &EmptyPage::tourRequested);
    connect(folder, &QPushButton::clicked, this, &EmptyPage::folderRequested);
    connect(open, &QPushButton::clicked, this, &EmptyPage::openRequested);
    connect(sample, &QPushButton::clicked, this, &EmptyPage::sampleRequested);
    auto *buttons = new QHBoxLayout;
    for (QPushButton *button : { open, folder, sample, tour })
        buttons->addWidget(button);
    buttons->addStretch();
    auto *body = new QWidget(this);
    body->setFixedWidth(kWidth);
    auto *column = new QVBoxLayout(body);
    column->setSpacing(10);
    column->addWidget(title);
    column->addWidget(words);
    column->addLayout(buttons);
    column->addSpacing(12);
    column->addLayout(m_recent);
    auto *across = new QHBoxLayout;
    across->addStretch();
    across->addWidget(body);
    across->addStretch();
    auto *down = new QVBoxLayout(this);
    down->addStretch(2);
    down->addLayout(across);
    down->addStretch(3);
    setAutoFillBackground(true);
}

void EmptyPage::setTheme(const Theme &theme)
{
    m_theme = theme;
    setPalette(theme.palette());
    refresh();
}

void EmptyPage::refresh()
{
    clear(m_recent);
    int count = 0;
    const QStringList files = recentFiles();
    for (const QString &path : files) {
        if (count == kMostRecent || !QFileInfo::exists(path))
            continue;
        if (count++ == 0) {
            auto *title = new QLabel(tr("Recent"), this);
            title->setFont(Theme::strongFont(13));
            m_recent->addSpacing(6);
            m_recent->addWidget(title);
        }
        auto *button = new QPushButton(this);
        button->setFlat(true);
        const QFileInfo file(path);
        const QString words = tr("%1   in %2").arg(file.fileName(), QDir::toNativeSeparators(file.path()));
        button->setText(QFontMetrics(Theme::textFont(13)).elidedText(words, Qt::ElideMiddle, kWidth - 30));
        button->setToolTip(toolTipText(path));
        button->setStyleSheet(
            u"QPushButton { text-align: left; border: none; padding: 2px; color: %1; }"_s.arg(m_theme.accent.name()));
        connect(button, &QPushButton::clicked, this, [this, path] { Q_EMIT fileChosen(path); });
        m_recent->addWidget(button);
    }
}

void EmptyPage::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.base);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.hairline, 2, Qt::DashLine));
    painter.drawRoundedRect(QRectF(rect()).adjusted(16, 16, -16, -16), 10, 10);
}

} // namespace ui
