// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/empty_page.h"

#include "ui/files/settings.h"
#include "ui/mainwindow/tour.h"

#include <QDateTime>
#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kWidth = 560;
constexpr int kMostFound = 8;
constexpr int kMostLooked = 20000;

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
    , m_tour(new QPushButton(tr("Take the Tour"), this))
    , m_recent(new QVBoxLayout)
    , m_found(new QVBoxLayout)
{
    setObjectName(u"emptyPage"_s);
    auto *title = new QLabel(tr("Drop a session file here"), this);
    title->setFont(Theme::strongFont(20));
    auto *words = new QLabel(tr("Sessions of Claude Code, Codex, pi, Gemini CLI, opencode and many other agents, and "
                                "requests to a model as JSON. Files are only read, never written."),
        this);
    words->setFont(Theme::textFont(13));
    words->setWordWrap(true);
    auto *open = new QPushButton(tr("Open Session…"), this);
    auto *sample = new QPushButton(tr("Open the Sample"), this);
    open->setObjectName(u"openSession"_s);
    sample->setObjectName(u"openSample"_s);
    m_tour->setObjectName(u"takeTour"_s);
    m_tour->setToolTip(tr("Three steps with the sample: a call, a hot slot, a policy"));
    connect(m_tour, &QPushButton::clicked, this, &EmptyPage::tourRequested);
    connect(open, &QPushButton::clicked, this, &EmptyPage::openRequested);
    connect(sample, &QPushButton::clicked, this, &EmptyPage::sampleRequested);
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(open);
    buttons->addWidget(sample);
    buttons->addWidget(m_tour);
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
    column->addLayout(m_found);
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

void EmptyPage::fill(QVBoxLayout *into, const QString &heading, const std::vector<Found> &files)
{
    clear(into);
    if (files.empty())
        return;
    auto *title = new QLabel(heading, this);
    title->setFont(Theme::strongFont(13));
    into->addSpacing(6);
    into->addWidget(title);
    for (const Found &file : files) {
        auto *button = new QPushButton(this);
        button->setFlat(true);
        button->setText(QFontMetrics(Theme::textFont(13)).elidedText(file.label, Qt::ElideMiddle, kWidth - 30));
        button->setToolTip(toolTipText(file.path));
        button->setStyleSheet(
            u"QPushButton { text-align: left; border: none; padding: 2px; color: %1; }"_s.arg(m_theme.accent.name()));
        connect(button, &QPushButton::clicked, this, [this, path = file.path] { Q_EMIT fileChosen(path); });
        into->addWidget(button);
    }
}

void EmptyPage::refresh()
{
    m_tour->setVisible(Tour::isOffered());
    std::vector<Found> recent;
    const QStringList files = recentFiles();
    for (const QString &path : files) {
        if (recent.size() < kMostFound && QFileInfo::exists(path))
            recent.push_back({ path, QDir::toNativeSeparators(path) });
    }
    fill(m_recent, tr("Recent"), recent);
    const QString home = QDir::homePath();
    m_search.start(
        this,
        [home](core::Progress &progress) {
            struct Entry {
                QString path;
                QString harness;
                QDateTime time;
                qint64 size = 0;
            };
            std::vector<Entry> entries;
            int looked = 0;
            const auto look = [&](const QString &folder, const QString &harness) {
                QDirIterator walk(
                    folder, { u"*.jsonl"_s, u"*.jsonl.zst"_s }, QDir::Files, QDirIterator::Subdirectories);
                while (walk.hasNext() && looked++ < kMostLooked && !progress.isCancelled()) {
                    walk.next();
                    const QFileInfo info = walk.fileInfo();
                    entries.push_back({ info.filePath(), harness, info.lastModified(), info.size() });
                }
            };
            look(home + u"/.claude/projects"_s, u"Claude Code"_s);
            look(home + u"/.codex/sessions"_s, u"Codex"_s);
            std::ranges::sort(entries, std::ranges::greater {}, &Entry::time);
            std::vector<Found> found;
            const QLocale locale = QLocale::c();
            for (const Entry &entry : entries) {
                if (found.size() == kMostFound)
                    break;
                const QFileInfo info(entry.path);
                found.push_back({ entry.path,
                    entry.time.toString(u"yyyy-MM-dd hh:mm"_s) + u"   "_s + entry.harness + u"   "_s
                        + info.dir().dirName() + u"   "_s + locale.formattedDataSize(entry.size, 1) });
            }
            return found;
        },
        [this](const std::vector<Found> &found) { fill(m_found, tr("Sessions on this computer"), found); });
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
