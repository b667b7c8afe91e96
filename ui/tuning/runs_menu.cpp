// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/runs_menu.h"

#include <QActionGroup>
#include <QDateTime>
#include <QMenu>
#include <QPainter>

#include <array>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kHeight = 24; ///< of the choosers

} // namespace

RunsMenu::RunsMenu(FolderSweeps &sweeps, QWidget *parent)
    : QPushButton(parent)
    , m_sweeps(sweeps)
    , m_menu(new QMenu(this))
{
    setObjectName(u"folderRuns"_s);
    setAccessibleName(tr("Which runs count"));
    auto *ranges = new QActionGroup(this);
    const std::array words { tr("All Dates"), tr("Last 7 Days"), tr("Last 30 Days"), tr("Last 90 Days") };
    constexpr std::array kDays { 0, 7, 30, 90 };
    for (size_t i = 0; i < words.size(); ++i) {
        QAction *action = m_menu->addAction(words[i], this, [this, range = words[i], days = kDays[i]] {
            m_words = range;
            m_days = days;
            apply();
        });
        action->setCheckable(true);
        action->setChecked(i == 0);
        ranges->addAction(action);
    }
    m_menu->addSeparator();
    m_subagents = m_menu->addAction(tr("With Subagents"), this, &RunsMenu::apply);
    m_subagents->setCheckable(true);
    m_menu->addSeparator();
    m_menu->addAction(tr("Read Again"), this, [this] { m_sweeps.restart(); });
    setMenu(m_menu);
    m_words = words.front();
    setText(m_words);
}

void RunsMenu::setTheme(const Theme &theme)
{
    m_arrow = theme.secondary;
    setStyleSheet(
        u"QPushButton { color: %1; background: %2; border: 1px solid %3; border-radius: 6px; padding: 0 24px 0 "
        "10px; } QPushButton:focus { border-color: %4; } QPushButton::menu-indicator { image: none; }"_s.arg(
            theme.text.name(), theme.base.name(), theme.hairline.name(), theme.accent.name()));
}

QSize RunsMenu::sizeHint() const { return { QPushButton::sizeHint().width(), kHeight }; }

/// Its arrow is that of the choosers beside it.
void RunsMenu::paintEvent(QPaintEvent *event)
{
    QPushButton::paintEvent(event);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_arrow, 1.4));
    const QPointF tip(width() - 13, height() / 2.0 + 2);
    painter.drawPolyline(QPolygonF({ tip + QPointF(-4, -4), tip, tip + QPointF(4, -4) }));
}

void RunsMenu::apply()
{
    FolderSweeps::Choice choice = m_sweeps.choice();
    choice.withSubagents = m_subagents->isChecked();
    choice.since = std::nullopt;
    if (m_days > 0)
        choice.since = QDateTime::currentDateTimeUtc().addDays(-m_days).toMSecsSinceEpoch();
    m_sweeps.setChoice(std::move(choice));
    setText(m_subagents->isChecked() ? tr("%1, Subagents").arg(m_words) : m_words);
}

} // namespace ui
