// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/live_status.h"

#include "core/replay/forecast.h"
#include "ui/hub/replays.h"
#include "ui/hub/session_follower.h"
#include "ui/widgets/word_button.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

/// By the policy that is shown, else by what was recorded.
std::optional<core::Forecast> forecastOf(const Workspace &workspace)
{
    const core::ThreadIndex thread = workspace.shownThread();
    const core::ArraySumsPtr sums = workspace.sums(thread);
    if (!workspace.session() || !sums)
        return std::nullopt;
    if (!workspace.plan().isSimulated())
        return core::recordedForecast(*workspace.session(), thread, *sums);
    const core::ReplayPtr &replay = workspace.replays().current();
    return replay ? core::policyForecast(*replay) : std::nullopt;
}

} // namespace

LiveStatus::LiveStatus(ViewState &state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
    , m_button(new QToolButton(this))
    , m_forecast(new QLabel(this))
{
    makeWordButton(*m_button, u"live"_s, {}, {});
    m_button->setCheckable(true);
    m_button->setFont(Theme::textFont(12));
    m_forecast->setObjectName(u"liveForecast"_s);
    m_forecast->setFont(Theme::textFont(12));
    m_forecast->setTextFormat(Qt::PlainText);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 8, 0);
    row->setSpacing(6);
    row->addWidget(m_button);
    row->addWidget(m_forecast);
    Workspace &workspace = state.workspace();
    SessionFollower *follower = &workspace.follower();
    connect(m_button, &QToolButton::clicked, follower, &SessionFollower::setOn);
    connect(follower, &SessionFollower::stateChanged, this, &LiveStatus::refresh);
    connect(&workspace, &Workspace::sessionChanged, this, &LiveStatus::refresh);
    connect(&workspace, &Workspace::tokensChanged, this, &LiveStatus::refresh);
    connect(&workspace, &Workspace::planChanged, this, &LiveStatus::refresh);
    connect(&workspace, &Workspace::shownThreadChanged, this, &LiveStatus::refresh);
    connect(&workspace.replays(), &Replays::changed, this, &LiveStatus::refresh);
    connect(&state, &ViewState::themeChanged, this, &LiveStatus::applyTheme);
    applyTheme();
    refresh();
}

void LiveStatus::refresh()
{
    const SessionFollower &follower = m_state.workspace().follower();
    setVisible(follower.hasFile());
    m_button->setChecked(follower.isOn());
    const bool isLive = follower.isOn() && !follower.isRemoved();
    m_button->setText(follower.isRemoved() ? tr("File removed") : isLive ? tr("● Live") : tr("○ Not live"));
    m_button->setToolTip(follower.isRemoved() ? tr("The file was removed. What was read of it is shown.")
            : isLive                          ? tr("New records appear as they are written. Click to stop.")
                                              : tr("New records of the file are not read. Click to follow the file."));
    // A forecast is for a session that runs: one whose file has grown while it was open.
    const auto soon = isLive && follower.hasGrown() ? forecastOf(m_state.workspace()) : std::nullopt;
    m_forecast->setText(soon ? displayText(soon->words()) + tr(" (estimated)") : QString());
    m_forecast->setToolTip(soon ? toolTipText(displayText(soon->reason())) : QString());
    m_forecast->setVisible(soon.has_value());
}

void LiveStatus::applyTheme()
{
    const Theme &theme = m_state.theme();
    m_button->setStyleSheet(u"QToolButton { border: none; padding: 0 2px; background: transparent; color: %1; }"
                            "QToolButton:checked { color: %2; }"
                            "QToolButton:hover, QToolButton:focus { text-decoration: underline; }"_s.arg(
                                theme.secondary.name(), theme.accent.name()));
}

} // namespace ui
