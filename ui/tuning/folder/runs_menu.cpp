// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/folder/runs_menu.h"

#include "core/base/time_text.h"

#include <QActionGroup>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QWidgetAction>

#include <array>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kHeight = 24;      ///< of the choosers
constexpr int kFieldIndent = 28; ///< where the words of the menu begin

} // namespace

RunsMenu::RunsMenu(FolderSweeps &sweeps, QWidget *parent)
    : QPushButton(parent)
    , m_sweeps(sweeps)
    , m_menu(new QMenu(this))
    , m_field(new QLineEdit(m_menu))
{
    setObjectName(u"folderRuns"_s);
    setAccessibleName(tr("Which runs count"));
    addRanges();
    addField();
    m_menu->addSeparator();
    m_subagents = m_menu->addAction(tr("With Subagents"), this, &RunsMenu::apply);
    m_subagents->setCheckable(true);
    m_menu->addSeparator();
    m_menu->addAction(tr("Read Again"), this, [this] { m_sweeps.restart(); });
    setMenu(m_menu);
    // Discards typed text that was not entered.
    connect(m_menu, &QMenu::aboutToHide, this, &RunsMenu::refresh);
    refresh();
}

void RunsMenu::addRanges()
{
    const std::array words { tr("All Dates"), tr("Last 7 Days"), tr("Last 30 Days"), tr("Last 90 Days") };
    const std::array typed { QString(), u"7d"_s, u"30d"_s, u"90d"_s };
    auto *ranges = new QActionGroup(this); // none is chosen if a date was typed
    ranges->setExclusionPolicy(QActionGroup::ExclusionPolicy::ExclusiveOptional);
    for (size_t i = 0; i < words.size(); ++i) {
        m_ranges << m_menu->addAction(words[i], this, [this, text = typed[i]] { setSince(text); });
        m_ranges.back()->setCheckable(true);
        ranges->addAction(m_ranges.back());
        m_ranges.back()->setData(typed[i]);
    }
}

void RunsMenu::addField()
{
    m_field->setObjectName(u"folderSince"_s);
    m_field->setAccessibleName(tr("Since: a date like 2026-01-31, or 14d, 12h, 2w before now"));
    m_field->setPlaceholderText(tr("2026-01-31 or 14d"));
    m_field->installEventFilter(this);
    auto *line = new QWidget(m_menu);
    auto *row = new QHBoxLayout(line);
    row->setContentsMargins(kFieldIndent, 3, 10, 3);
    row->setSpacing(8);
    row->addWidget(new QLabel(tr("Since"), line));
    row->addWidget(m_field, 1);
    line->setFocusProxy(m_field);
    line->setFocusPolicy(Qt::StrongFocus);
    auto *action = new QWidgetAction(m_menu);
    action->setDefaultWidget(line);
    m_menu->addAction(action);
}

void RunsMenu::setTheme(const Theme &theme)
{
    m_theme = theme;
    setStyleSheet(
        u"QPushButton { color: %1; background: %2; border: 1px solid %3; border-radius: 6px; padding: 0 24px 0 "
        "10px; } QPushButton:focus { border-color: %4; } QPushButton::menu-indicator { image: none; }"_s.arg(
            theme.text.name(), theme.base.name(), theme.hairline.name(), theme.accent.name()));
}

/// Otherwise the menu would handle the Enter key.
bool RunsMenu::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::KeyPress)
        return QPushButton::eventFilter(watched, event);
    const int key = static_cast<const QKeyEvent *>(event)->key();
    if (key != Qt::Key_Return && key != Qt::Key_Enter)
        return QPushButton::eventFilter(watched, event);
    setSince(m_field->text().trimmed());
    return true;
}

void RunsMenu::setSince(const QString &text)
{
    if (!text.isEmpty() && !core::parseSince(text.toStdString(), core::timeNow())) {
        m_field->setStyleSheet(u"color: %1;"_s.arg(m_theme.hot.name()));
        m_field->setToolTip(tr("Type a date like 2026-01-31, or a time before now like 14d, 12h or 2w."));
        return;
    }
    m_since = text;
    apply();
    m_menu->close();
}

QSize RunsMenu::sizeHint() const { return { QPushButton::sizeHint().width(), kHeight }; }

/// Draws the arrow of the choosers beside it.
void RunsMenu::paintEvent(QPaintEvent *event)
{
    QPushButton::paintEvent(event);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.secondary, 1.4));
    const QPointF tip(width() - 13, height() / 2.0 + 2);
    painter.drawPolyline(QPolygonF({ tip + QPointF(-4, -4), tip, tip + QPointF(4, -4) }));
}

void RunsMenu::apply()
{
    FolderSweeps::Choice choice = m_sweeps.choice();
    choice.withSubagents = m_subagents->isChecked();
    choice.since = core::parseSince(m_since.toStdString(), core::timeNow());
    m_sweeps.setChoice(std::move(choice));
    refresh();
}

void RunsMenu::refresh()
{
    QString words = tr("Since %1").arg(m_since);
    for (QAction *range : std::as_const(m_ranges)) {
        const bool isChosen = range->data().toString() == m_since;
        range->setChecked(isChosen);
        words = isChosen ? range->text() : words;
    }
    m_field->setText(m_since);
    m_field->setStyleSheet({});
    m_field->setToolTip({});
    setText(m_subagents->isChecked() ? tr("%1, Subagents").arg(words) : words);
}

} // namespace ui
