// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/head_line_bar.h"

#include "core/report/head_line.h"
#include "ui/hub/thread_facts.h"
#include "ui/widgets/word_button.h"

#include <QPainter>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kHeight = 38;

/// Facts without room are left out from the end; only the first one is elided.
QString fittingFacts(const QString &facts, const QFontMetrics &metrics, int room)
{
    QStringList parts = facts.split(u" · "_s);
    while (parts.size() > 1 && metrics.horizontalAdvance(parts.join(u" · "_s)) > room)
        parts.removeLast();
    return metrics.elidedText(parts.join(u" · "_s), Qt::ElideRight, room);
}

} // namespace

HeadLineBar::HeadLineBar(ViewState &state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
    , m_link(new QToolButton(this))
{
    setObjectName(u"headLine"_s);
    setFixedHeight(kHeight);
    makeWordButton(*m_link, u"typedLink"_s, {}, tr("List the messages you typed"));
    m_link->setFont(Theme::textFont(13));
    m_link->setCursor(Qt::PointingHandCursor);
    m_link->hide();
    connect(m_link, &QToolButton::clicked, this, &HeadLineBar::typedMessagesRequested);
    connect(&state, &ViewState::pictureSettled, this, &HeadLineBar::refresh);
    connect(&state.workspace().facts(), &ThreadFacts::traceGroundChanged, this, &HeadLineBar::refresh);
    connect(&state, &ViewState::themeChanged, this, &HeadLineBar::applyTheme);
    applyTheme();
    refresh();
}

void HeadLineBar::refresh()
{
    m_harness.clear();
    m_facts.clear();
    m_link->setText({});
    if (m_state.session()) {
        const core::Position position = m_state.position();
        core::InContext userMessages;
        if (const TraceGroundPtr &ground = m_state.workspace().facts().traceGround()) {
            const uint32_t call = position.isEnd() ? ground->spans.callCount : position.call.value();
            userMessages = core::inContextAt(ground->userMessages, call);
        }
        const Workspace &workspace = m_state.workspace();
        const core::HeadLine line = core::headLine(
            *m_state.session(), position, *workspace.tokens(), *workspace.sums(position.thread), userMessages);
        m_harness = displayText(line.harness);
        m_facts = displayText(line.facts);
        m_link->setText(displayText(core::userMessageFact(userMessages, position.call)));
        setAccessibleName(m_harness + u' ' + m_facts);
    }
    setToolTip(toolTipText(m_facts));
    placeLink();
    update();
}

void HeadLineBar::applyTheme()
{
    const Theme &theme = m_state.theme();
    m_link->setStyleSheet(
        u"QToolButton { border: none; padding: 0; background: transparent; color: %1; }"
        "QToolButton:hover, QToolButton:focus { text-decoration: underline; }"_s.arg(theme.accent.name()));
    update();
}

void HeadLineBar::paintEvent(QPaintEvent *)
{
    const Theme &theme = m_state.theme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.window);
    painter.setPen(theme.hairline);
    painter.drawLine(0, height() - 1, width(), height() - 1);
    painter.setFont(Theme::strongFont(13));
    painter.setPen(theme.text);
    painter.drawText(QRect(kPageMargin, 0, factsRect().left() - kPageMargin, height() - 1),
        Qt::AlignLeft | Qt::AlignVCenter, m_harness);
    painter.setFont(Theme::textFont(13));
    QString facts = shownFacts();
    QRect place = factsRect();
    if (!m_link->isHidden()) {
        painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, facts.left(facts.indexOf(m_link->text())));
        facts = facts.mid(facts.indexOf(m_link->text()) + m_link->text().size());
        place.setLeft(m_link->geometry().right() + 1);
    }
    painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, facts);
}

QRect HeadLineBar::factsRect() const
{
    const int right = width() - kPageMargin;
    const int left = kPageMargin + QFontMetrics(Theme::strongFont(13)).horizontalAdvance(m_harness) + 12;
    return { left, 0, right - left, height() - 1 };
}

QString HeadLineBar::shownFacts() const
{
    return fittingFacts(m_facts, QFontMetrics(Theme::textFont(13)), factsRect().width());
}

void HeadLineBar::placeLink()
{
    const QString facts = shownFacts();
    const qsizetype from = m_link->text().isEmpty() ? -1 : facts.indexOf(m_link->text());
    m_link->setVisible(from >= 0);
    if (from < 0)
        return;
    const QFontMetrics metrics(Theme::textFont(13));
    const int left = factsRect().left() + metrics.horizontalAdvance(facts.left(from));
    m_link->setGeometry(left, 0, metrics.horizontalAdvance(m_link->text()), height() - 1);
}

void HeadLineBar::resizeEvent(QResizeEvent *) { placeLink(); }

} // namespace ui
