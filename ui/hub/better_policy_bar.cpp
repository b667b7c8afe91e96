// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/hub/better_policy_bar.h"

#include "ui/files/settings.h"
#include "ui/hub/better_policy_search.h"
#include "ui/widgets/word_button.h"

#include <QHBoxLayout>
#include <QLabel>

#include <utility>

namespace ui {

using namespace Qt::StringLiterals;

BetterPolicyBar::BetterPolicyBar(ViewState &state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
    , m_search(state.workspace().betterPolicy())
    , m_start(new QToolButton(parent))
    , m_words(new QLabel(this))
    , m_more(new QToolButton(this))
    , m_take(new QToolButton(this))
{
    makeWordButton(*m_start, u"betterPolicy"_s, QString(), QString());
    makeWordButton(*m_take, u"takeBetterPolicy"_s, QString(), tr("Chooses this policy for this session"));
    makeWordButton(*m_more, u"betterPolicyDetails"_s, tr("Details"), tr("Shows what the answer rests on"));
    m_more->setCheckable(true);
    m_words->setObjectName(u"betterPolicyWords"_s);
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    m_words->setMinimumWidth(10);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(14, 2, 14, 4);
    row->addWidget(m_words, 1);
    row->addWidget(m_more, 0, Qt::AlignTop);
    row->addWidget(m_take, 0, Qt::AlignTop);
    connect(m_more, &QToolButton::toggled, this, &BetterPolicyBar::refresh);
    connect(m_start, &QToolButton::clicked, &m_search, &BetterPolicySearch::startOrStop);
    connect(m_take, &QToolButton::clicked, &m_search, &BetterPolicySearch::take);
    connect(&m_search, &BetterPolicySearch::changed, this, &BetterPolicyBar::refresh);
    connect(&state.workspace(), &Workspace::sessionChanged, this, &BetterPolicyBar::refresh);
    connect(&state, &ViewState::themeChanged, this, &BetterPolicyBar::applyTheme);
    applyTheme();
    refresh();
}

QString BetterPolicyBar::priceWords(const core::BetterPolicy &found)
{
    const core::Suggestion &made = **found.choice.policies[*found.choice.chosen].suggestion;
    if (made.aim == core::SweepMetric::Cost && made.withoutPrice == 0)
        return {};
    return u' '
        + (made.aim == core::SweepMetric::Cost
                ? tr("Some models have no price here. Their prices can be given in %1.").arg(ownPricesFile())
                : tr("Most models have no price here, so tokens count. Prices can be given in %1.")
                      .arg(ownPricesFile()));
}

void BetterPolicyBar::setNeedShown(bool isShown)
{
    if (std::exchange(m_isNeedShown, isShown) != isShown)
        refresh();
}

void BetterPolicyBar::refresh()
{
    const QString deed = tr("Replays five policies, each with many values of keep and trigger, on the other sessions "
                            "in this folder. Says whether one of them is better there.");
    const QString &need = m_search.need();
    m_start->setVisible(m_search.isPossible());
    m_start->setEnabled(m_search.hasOthers());
    m_start->setText(m_search.isRunning() ? tr("Stop") : tr("Look for a Better Policy"));
    m_start->setToolTip(need.isEmpty() ? deed : deed + u'\n' + need);
    QString words;
    QStringList details;
    if (m_search.isRunning()) {
        words = tr("Sweeping policies over the other sessions of this folder: %n done", nullptr,
            static_cast<int>(m_search.done()));
    } else if (m_search.found()) {
        for (const std::string &sentence : core::betterPolicySentences(*m_search.found()))
            details << displayText(sentence);
        words = details.takeFirst();
        if (m_search.found()->choice.chosen)
            words = tr("On the other sessions of this folder: %1").arg(words) + priceWords(*m_search.found());
    } else if (m_isNeedShown && !need.isEmpty()) {
        words = tr("Look for a Better Policy: %1 %2").arg(deed, need);
    }
    m_words->setText(m_more->isChecked() && !details.isEmpty() ? words + u'\n' + details.join(u' ') : words);
    m_words->setToolTip(toolTipText(details.join(u' ')));
    m_more->setVisible(!details.isEmpty());
    const bool isChosen = !m_search.isRunning() && m_search.found() && m_search.found()->choice.chosen;
    m_take->setVisible(isChosen);
    if (isChosen)
        m_take->setText(m_search.found()->found() != nullptr ? tr("Use It Here") : tr("Try It Here"));
    setVisible(!words.isEmpty());
}

void BetterPolicyBar::applyTheme()
{
    const Theme &theme = m_state.theme();
    QPalette link = theme.palette();
    link.setColor(QPalette::ButtonText, theme.accent);
    m_start->setPalette(link);
    m_more->setPalette(link);
    m_take->setPalette(link);
    m_words->setPalette(theme.palette());
    m_words->setFont(Theme::textFont(12));
}

} // namespace ui
