// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/findings/better_policy_bar.h"

#include "core/compaction/policy.h"
#include "ui/hub/run_figures.h"
#include "ui/widgets/word_button.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QThread>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

/// The policy with the suggested settings.
core::PolicyPtr policyOf(const core::SweepSetReport &report)
{
    const core::SweepPlan &plan = report.set.plan;
    const size_t cell = (**report.suggestion).cell;
    const size_t columns = plan.x.values.size();
    core::Policy policy = *plan.policy;
    for (const auto &[axis, at] : { std::pair(&plan.x, cell % columns), std::pair(&plan.y, cell / columns) }) {
        if (auto changed = core::withSetting(policy, axis->setting, axis->textOf(axis->values[at])))
            policy = std::move(*changed);
    }
    return std::make_shared<const core::Policy>(std::move(policy));
}

} // namespace

BetterPolicyBar::BetterPolicyBar(ViewState &state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
    , m_start(new QToolButton(parent))
    , m_words(new QLabel(this))
    , m_more(new QToolButton(this))
    , m_take(new QToolButton(this))
{
    makeWordButton(*m_start, u"betterPolicy"_s, QString(),
        tr("Replays five policies, each with many values of keep and trigger, on the other sessions in this folder. "
           "Says whether one of them is better there"));
    makeWordButton(*m_take, u"takeBetterPolicy"_s, tr("Use It Here"), tr("Chooses this policy for this session"));
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
    connect(m_start, &QToolButton::clicked, this, &BetterPolicyBar::startOrStop);
    connect(m_take, &QToolButton::clicked, this, &BetterPolicyBar::take);
    connect(&state.workspace(), &Workspace::sessionChanged, this, [this](bool isNew) {
        if (isNew)
            forget();
        else
            refresh();
    });
    connect(&state, &ViewState::themeChanged, this, &BetterPolicyBar::applyTheme);
    applyTheme();
    refresh();
}

BetterPolicyBar::~BetterPolicyBar() = default;

void BetterPolicyBar::forget()
{
    m_find.cancel();
    setFound(nullptr);
}

void BetterPolicyBar::startOrStop()
{
    if (m_find.isRunning())
        m_find.cancel();
    else
        start();
    refresh();
}

void BetterPolicyBar::start()
{
    m_found = nullptr;
    m_done = 0;
    const auto tell = [this, run = ++m_run](size_t done) {
        QMetaObject::invokeMethod(
            this,
            [this, run, done] {
                if (run != m_run)
                    return;
                m_done = done;
                refresh();
            },
            Qt::QueuedConnection);
    };
    const Workspace &workspace = m_state.workspace();
    m_find.start(
        this,
        [file = workspace.path().string(), session = workspace.session(), prices = workspace.figures().prices(), tell](
            core::Progress &progress) -> BetterPolicyPtr {
            core::RunSweepOptions options;
            options.threads = static_cast<unsigned>(std::max(1, QThread::idealThreadCount()));
            options.progress = &progress;
            auto found = core::findBetterPolicy(file, session, core::filesBeside(file), *prices, options, tell);
            return found ? std::make_shared<const core::BetterPolicy>(std::move(*found)) : nullptr;
        },
        [this](BetterPolicyPtr found) { setFound(std::move(found)); }, m_state.workspace().reporter());
}

void BetterPolicyBar::setFound(BetterPolicyPtr found)
{
    m_found = std::move(found);
    refresh();
}

void BetterPolicyBar::refresh()
{
    m_start->setVisible(m_state.session() && !m_state.workspace().path().empty());
    m_start->setText(m_find.isRunning() ? tr("Stop") : tr("Look for a Better Policy"));
    QString words;
    QStringList details;
    if (m_find.isRunning())
        words = tr(
            "Sweeping policies over the other sessions of this folder: %n done", nullptr, static_cast<int>(m_done));
    else if (m_found) {
        for (const std::string &sentence : core::betterPolicySentences(*m_found))
            details << displayText(sentence);
        words = details.takeFirst();
    }
    m_words->setText(m_more->isChecked() && !details.isEmpty() ? words + u'\n' + details.join(u' ') : words);
    m_words->setToolTip(toolTipText(details.join(u' ')));
    m_more->setVisible(!details.isEmpty());
    m_take->setVisible(!m_find.isRunning() && m_found && m_found->found() != nullptr);
    setVisible(!words.isEmpty());
}

void BetterPolicyBar::take()
{
    const core::PolicyPtr policy = policyOf(m_found->choice.policies[*m_found->choice.chosen]);
    Workspace &workspace = m_state.workspace();
    workspace.commitPlan(workspace.planWith(policy), tr("Choose %1").arg(displayText(policy->name)));
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
