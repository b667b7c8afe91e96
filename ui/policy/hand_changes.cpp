// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/policy/hand_changes.h"

#include "ui/widgets/word_button.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace ui {

using namespace Qt::StringLiterals;

HandChanges::HandChanges(ViewState &state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
    , m_words(new QLabel(this))
    , m_apply(new QToolButton(this))
    , m_discard(new QToolButton(this))
{
    setObjectName(u"handChanges"_s);
    m_words->setObjectName(u"handChangesWords"_s);
    m_words->setTextFormat(Qt::PlainText);
    makeWordButton(*m_apply, u"applyChanges"_s, tr("Apply"),
        tr("Shows the array with the pins, drops and texts from the last time you had this session open"));
    makeWordButton(*m_discard, u"discardChanges"_s, tr("Discard"),
        tr("Takes back all pins, drops and texts of yours. Undo brings them back."));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addWidget(m_words, 1);
    row->addWidget(m_apply);
    row->addWidget(m_discard);
    Workspace &workspace = state.workspace();
    connect(m_apply, &QToolButton::clicked, this, [&workspace] { workspace.plans().commitResting(); });
    connect(m_discard, &QToolButton::clicked, this, [&workspace] { workspace.plans().commitDiscard(); });
    connect(&workspace, &Workspace::planChanged, this, &HandChanges::refresh);
    connect(&state, &ViewState::themeChanged, this, &HandChanges::applyTheme);
    applyTheme();
    refresh();
}

QString HandChanges::words(const Plan &plan)
{
    const core::Overrides &made = plan.byHand();
    const size_t count
        = made.keep.size() + made.drop.size() + made.replace.size() + made.insert.size() + plan.missing.keys().size();
    if (count == 0)
        return {};
    const QString words = tr("your changes: %1").arg(count);
    return plan.resting.isEmpty() ? words : words + tr(" · not in effect");
}

void HandChanges::refresh()
{
    const Plan &plan = m_state.workspace().plan();
    const QString words = HandChanges::words(plan);
    m_words->setText(words);
    m_apply->setVisible(!plan.resting.isEmpty());
    setVisible(!words.isEmpty());
}

void HandChanges::applyTheme()
{
    const Theme &theme = m_state.theme();
    setPalette(theme.palette());
    m_words->setFont(Theme::textFont(12));
    const QString style = u"QToolButton { color: %1; border: 1px solid %2; border-radius: 4px; padding: 1px 6px; }"
                          "QToolButton:hover, QToolButton:focus { background: %3; }"_s.arg(
                              theme.text.name(), theme.hairline.name(), theme.accentGround.name());
    for (QToolButton *button : { m_apply, m_discard }) {
        button->setPalette(theme.palette());
        button->setStyleSheet(style);
    }
}

} // namespace ui
