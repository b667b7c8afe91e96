// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/sessions/day_bars.h"

#include "core/money/cost.h"
#include "core/report/head_line.h"

#include <QDate>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kLabelHeight = 18;
constexpr size_t kListed = 4; ///< models and projects in a tool tip

QDate dateOf(int day) { return QDate(1970, 1, 1).addDays(day); }

/// The largest of some sums, a line each.
QString listOf(const std::map<std::string, double> &sums, bool isModels)
{
    std::vector<std::pair<std::string, double>> sorted(sums.begin(), sums.end());
    std::ranges::stable_sort(sorted, std::ranges::greater {}, &std::pair<std::string, double>::second);
    QString text;
    for (size_t i = 0; i < std::min(sorted.size(), kListed); ++i) {
        const auto &[name, cost] = sorted[i];
        const std::string shown = isModels ? core::shortModel(name) : name.substr(name.rfind('/') + 1);
        text += u"\n%1  %2"_s.arg(displayText(core::dollars(cost)), displayText(shown.empty() ? "–" : shown));
    }
    return text;
}

} // namespace

DayBars::DayBars(QWidget *parent)
    : QWidget(parent)
{
    setObjectName(u"dayBars"_s);
    setAccessibleName(tr("Cost of each day"));
    setFocusPolicy(Qt::TabFocus);
    setMouseTracking(true);
}

void DayBars::setTheme(const Theme &theme)
{
    m_theme = theme;
    update();
}

void DayBars::setContents(const LibraryListPtr &list)
{
    m_days.clear();
    m_hasCosts = false;
    m_copies = 0;
    m_copiedCost = 0;
    m_last = static_cast<int>(core::timeNow() / core::kDayLength);
    if (list) {
        int newest = 0;
        for (const core::SessionEntry &entry : list->known.entries) {
            for (const core::DayCost &each : entry.days)
                newest = std::max(newest, each.day);
        }
        // Of sessions that are all old, the last thirty days that have some.
        if (newest > 0 && newest < m_last - kDays)
            m_last = newest;
        for (const core::SessionEntry &entry : list->known.entries) {
            for (const core::DayCost &each : entry.days) {
                if (each.day <= m_last - kDays || each.day > m_last)
                    continue;
                Day &day = m_days[each.day];
                day.calls += each.calls;
                day.cost += each.cost.value_or(0);
                day.models[each.model] += each.cost.value_or(0);
                day.projects[entry.folder] += each.cost.value_or(0);
                m_hasCosts = m_hasCosts || each.cost.value_or(0) > 0;
            }
        }
        for (const core::ListedSession &session : list->sessions)
            addCopies(session);
    }
    update();
}

void DayBars::addCopies(const core::ListedSession &session)
{
    bool hasCopies = false;
    const auto add = [&](const core::SessionEntry &entry) {
        for (const core::DayCost &each : entry.copied) {
            if (each.day <= m_last - kDays || each.day > m_last)
                continue;
            hasCopies = true;
            m_copiedCost += each.cost.value_or(0);
        }
    };
    add(*session.entry);
    for (const core::SessionEntry *subagent : session.subagents)
        add(*subagent);
    m_copies += hasCopies ? 1 : 0;
}

void DayBars::setChosen(std::optional<std::pair<int, int>> days)
{
    m_chosen = days;
    update();
}

QString DayBars::sumText() const
{
    double sum = 0;
    for (const auto &[number, day] : m_days)
        sum += heightOf(day);
    if (m_hasCosts)
        return tr("%1 in %2 days").arg(displayText(core::dollars(sum))).arg(kDays);
    return counted(static_cast<size_t>(sum), tr("call"), tr("calls"));
}

QString DayBars::copiesText() const
{
    return m_copies == 0 ? QString()
                         : tr("Calls that %1 copied from earlier ones are counted once.")
                               .arg(counted(m_copies, tr("session"), tr("sessions")));
}

QString DayBars::copiesTip() const
{
    return tr("A session that was resumed, forked or copied begins with the calls of an earlier one. The rows of the "
              "list have these calls too, %1 in these days, so they sum to more. Such rows say how many calls are "
              "copied.")
        .arg(displayText(core::dollars(m_copiedCost)));
}

int DayBars::dayAt(double x) const
{
    const int place = static_cast<int>(std::floor(x * kDays / std::max(1, width())));
    return m_last - kDays + 1 + std::clamp(place, 0, kDays - 1);
}

QString DayBars::dayText(int day) const
{
    const QString date = QLocale::c().toString(dateOf(day), u"ddd d MMM yyyy"_s);
    const auto found = m_days.find(day);
    if (found == m_days.end())
        return tr("%1: no calls").arg(date);
    const Day &sums = found->second;
    const QString calls = counted(sums.calls, tr("call"), tr("calls"));
    if (!m_hasCosts)
        return date + u": "_s + calls;
    return date + u": "_s + displayText(core::dollars(sums.cost)) + u", "_s + calls + tr(" (UTC)")
        + listOf(sums.models, true) + (sums.projects.size() > 1 ? u"\n"_s + listOf(sums.projects, false) : QString());
}

void DayBars::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const double bottom = height() - kLabelHeight;
    double most = 0;
    for (const auto &[number, day] : m_days)
        most = std::max(most, heightOf(day));
    const double step = static_cast<double>(width()) / kDays;
    for (int i = 0; i < kDays; ++i) {
        const int day = m_last - kDays + 1 + i;
        const auto found = m_days.find(day);
        const double share = found == m_days.end() || most <= 0 ? 0 : heightOf(found->second) / most;
        const double tall = found == m_days.end() ? 1 : std::max(2.0, share * (bottom - 2));
        const bool isChosen = m_chosen && day >= m_chosen->first && day <= m_chosen->second;
        const QColor fill = found == m_days.end() ? m_theme.hairline
            : isChosen || !m_chosen               ? m_theme.accent
                                                  : blended(m_theme.secondary, m_theme.window, 0.6);
        painter.fillRect(QRectF(std::round(i * step), bottom - tall, std::max(1.0, std::floor(step) - 1), tall), fill);
    }
    painter.setFont(Theme::textFont(11));
    painter.setPen(m_theme.secondary);
    const QRect below(0, height() - kLabelHeight, width(), kLabelHeight);
    const QLocale locale = QLocale::c();
    const auto shortDate = [&](int day) { return locale.toString(dateOf(day), u"d MMM"_s); };
    if (m_chosen) {
        const QString chosen = m_chosen->first == m_chosen->second
            ? shortDate(m_chosen->first)
            : shortDate(m_chosen->first) + u" – "_s + shortDate(m_chosen->second);
        painter.setPen(m_theme.accent);
        painter.drawText(below, Qt::AlignHCenter | Qt::AlignBottom, chosen);
    } else {
        painter.drawText(below, Qt::AlignLeft | Qt::AlignBottom, shortDate(m_last - kDays + 1));
        painter.drawText(below, Qt::AlignRight | Qt::AlignBottom, shortDate(m_last));
    }
    if (hasFocus()) {
        painter.setPen(m_theme.accent);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void DayBars::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const int day = dayAt(event->position().x());
    m_isFreeing = m_chosen && day >= m_chosen->first && day <= m_chosen->second;
    m_pressed = day;
    if (!m_isFreeing)
        setChosen(std::pair(day, day));
}

void DayBars::mouseMoveEvent(QMouseEvent *event)
{
    if (!m_pressed || (m_isFreeing && dayAt(event->position().x()) == *m_pressed))
        return;
    m_isFreeing = false;
    const int day = dayAt(event->position().x());
    setChosen(std::pair(std::min(day, *m_pressed), std::max(day, *m_pressed)));
}

void DayBars::mouseReleaseEvent(QMouseEvent *)
{
    if (!m_pressed)
        return;
    m_pressed.reset();
    if (m_isFreeing)
        setChosen(std::nullopt);
    Q_EMIT chosen(m_chosen);
}

void DayBars::keyPressEvent(QKeyEvent *event)
{
    const int step = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    if (event->key() == Qt::Key_Escape && m_chosen) {
        choose(std::nullopt);
    } else if (step != 0 && event->modifiers().testFlag(Qt::ShiftModifier) && m_chosen) {
        extend(step);
    } else if (step != 0) {
        const int day = m_chosen ? std::clamp(m_chosen->second + step, m_last - kDays + 1, m_last) : m_last;
        m_moved = day;
        choose(std::pair(day, day));
    } else {
        QWidget::keyPressEvent(event);
    }
}

void DayBars::choose(std::optional<std::pair<int, int>> days)
{
    setChosen(days);
    Q_EMIT chosen(m_chosen);
    tellCurrentItem(*this);
}

/// One end of the chosen days moves, the other one stays.
void DayBars::extend(int days)
{
    const auto [first, last] = *m_chosen;
    const int fixed = m_moved == first ? last : first;
    m_moved = std::clamp((m_moved == first ? first : last) + days, m_last - kDays + 1, m_last);
    choose(std::pair(std::min(fixed, m_moved), std::max(fixed, m_moved)));
}

QRect DayBars::itemRect(int item) const
{
    const double step = static_cast<double>(width()) / kDays;
    return QRectF(item * step, 0, step, height() - kLabelHeight).toAlignedRect();
}

int DayBars::itemAt(QPoint position) const { return dayAt(position.x()) - dayOf(0); }

bool DayBars::isItemSelected(int item) const
{
    return m_chosen && dayOf(item) >= m_chosen->first && dayOf(item) <= m_chosen->second;
}

void DayBars::activateItem(int item)
{
    m_moved = dayOf(item);
    choose(std::pair(m_moved, m_moved));
}

int DayBars::currentItem() const
{
    if (!m_chosen)
        return -1;
    const bool isEnd = m_moved == m_chosen->first || m_moved == m_chosen->second;
    return (isEnd ? m_moved : m_chosen->second) - dayOf(0);
}

bool DayBars::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        QToolTip::showText(help->globalPos(), toolTipText(dayText(dayAt(help->pos().x()))), this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace ui
