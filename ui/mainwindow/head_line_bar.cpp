// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/head_line_bar.h"

#include "ui/hub/thread_facts.h"
#include "ui/widgets/word_button.h"

#include <QPainter>

#include <utility>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kHeight = 38;
constexpr size_t kAtOnce = 4'000; ///< blocks of the array, or calls, that are read at once

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
    m_job.cancel();
    const core::SessionPtr &session = m_state.session();
    if (std::exchange(m_shownOf, session) != session && !m_state.workspace().isGrown())
        showLine({}, {});
    if (!session)
        return showLine({ m_folder.toStdString(), m_folderPath.toStdString() }, {});
    const core::Position position = m_state.position();
    core::InContext userMessages;
    if (const TraceGroundPtr &ground = m_state.workspace().facts().lastTraceGround()) {
        const uint32_t call = position.isEnd() ? ground->spans.callCount : position.call.value();
        userMessages = core::inContextAt(ground->userMessages, call);
    }
    const auto work = [session, position, tokens = m_state.workspace().tokens(),
                          sums = m_state.workspace().sums(position.thread), userMessages](core::Progress &) {
        return core::headLine(*session, position, *tokens, *sums, userMessages);
    };
    const QString link = displayText(core::userMessageFact(userMessages, position.call));
    const core::Thread &thread = session->thread(position.thread);
    if (core::rangesAt(*session, position).blockCount() <= kAtOnce && thread.calls.size() <= kAtOnce) {
        core::Progress progress;
        return showLine(work(progress), link);
    }
    m_job.start(this, work, [this, link](const core::HeadLine &line) { showLine(line, link); });
}

void HeadLineBar::setFolder(const QString &name, const QString &path)
{
    m_folder = name;
    m_folderPath = path;
    refresh();
}

void HeadLineBar::showLine(const core::HeadLine &line, const QString &link)
{
    m_harness = displayText(line.harness);
    m_facts = displayText(line.facts);
    m_link->setText(link);
    setAccessibleName(m_harness + u' ' + m_facts);
    setToolTip(toolTipText(m_facts));
    placeLink();
    update();
}

void HeadLineBar::applyTheme()
{
    m_link->setStyleSheet(wordLinkStyle(m_state.theme()));
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
