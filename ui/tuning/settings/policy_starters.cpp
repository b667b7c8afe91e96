// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/settings/policy_starters.h"

#include "ui/look/theme.h"

#include <QEvent>
#include <QPushButton>
#include <QVBoxLayout>

#include <array>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kBelowMiddle = 44; ///< the sentence of the page stands in its middle

struct Starter {
    std::string_view policy;
    QString words;
};

std::array<Starter, 3> starters()
{
    return { { { "langchain-clear-tool-uses", PolicyStarters::tr("Clear old tool results") },
        { "deep-agents", PolicyStarters::tr("Offload long results, then summarise") },
        { "pi", PolicyStarters::tr("Summarise near the end of the window") } } };
}

} // namespace

PolicyStarters::PolicyStarters(Workspace &workspace, QWidget *page)
    : QWidget(page)
    , m_workspace(workspace)
{
    setObjectName(u"policyStarters"_s);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    m_own = add({});
    m_own->setObjectName(u"ownPolicy"_s);
    connect(m_own, &QPushButton::clicked, this, [this] { choose(m_ownPolicy); });
    for (const Starter &each : starters()) {
        const core::PolicyPtr policy = core::preset(each.policy);
        QPushButton *button = add(u"%1 (%2)"_s.arg(each.words, displayText(policy->name)));
        button->setToolTip(toolTipText(displayText(policy->description)));
        connect(button, &QPushButton::clicked, this, [this, policy] { choose(policy); });
        m_others.emplace_back(policy, button);
    }
    page->installEventFilter(this);
    connect(&workspace, &Workspace::planChanged, this, &PolicyStarters::place);
    connect(&workspace, &Workspace::sessionChanged, this, &PolicyStarters::offerOwn);
    offerOwn();
}

void PolicyStarters::choose(const core::PolicyPtr &policy)
{
    m_workspace.commitPlan(m_workspace.planWith(policy), tr("Choose %1").arg(displayText(policy->name)));
}

void PolicyStarters::offerOwn()
{
    if (!m_isOfSession)
        return;
    const core::SessionPtr &session = m_workspace.session();
    const std::vector<core::PolicyPtr> own = session ? core::ownPresets(*session) : std::vector<core::PolicyPtr>();
    showOwn(own.empty() ? nullptr : own.front(), tr("What the session's harness does (%1)"));
}

void PolicyStarters::setOwn(const core::PolicyPtr &policy, const QString &words)
{
    m_isOfSession = false;
    showOwn(policy, words);
}

void PolicyStarters::showOwn(const core::PolicyPtr &policy, const QString &words)
{
    m_ownPolicy = policy;
    m_own->setVisible(policy != nullptr);
    for (const auto &[other, button] : m_others)
        button->setVisible(other != policy);
    if (policy) {
        m_own->setText(words.arg(displayText(policy->name)));
        m_own->setToolTip(toolTipText(displayText(policy->description)));
    }
    place();
}

QPushButton *PolicyStarters::add(const QString &words)
{
    auto *button = new QPushButton(words, this);
    button->setFont(Theme::textFont(12));
    layout()->addWidget(button);
    place();
    return button;
}

bool PolicyStarters::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Resize || event->type() == QEvent::Show)
        place();
    return QWidget::eventFilter(watched, event);
}

void PolicyStarters::place()
{
    const QWidget &page = *parentWidget();
    const QSize size = sizeHint();
    const int top = page.height() / 2 + kBelowMiddle;
    setGeometry((page.width() - size.width()) / 2, top, size.width(), size.height());
    setVisible(!m_workspace.plan().policy && top + size.height() <= page.height());
    raise();
}

} // namespace ui
