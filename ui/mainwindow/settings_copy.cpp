// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/settings_copy.h"

#include "core/compaction/harness_settings.h"
#include "core/compaction/policy_settings.h"
#include "ui/hub/run_figures.h"
#include "ui/hub/thread_facts.h"
#include "ui/timeline/compared_curves.h"

#include <QAction>
#include <QClipboard>
#include <QCursor>
#include <QGuiApplication>
#include <QToolTip>

namespace ui {

SettingsCopy::SettingsCopy(ViewState &state, NoticeBar *bar, QObject *parent)
    : QObject(parent)
    , m_state(state)
    , m_bar(bar)
{
    connect(&state.workspace(), &Workspace::planChanged, this, &SettingsCopy::refresh);
}

void SettingsCopy::attach(QAction *action)
{
    m_action = action;
    refresh();
}

void SettingsCopy::refresh()
{
    if (m_action == nullptr)
        return;
    const core::PolicyPtr &policy = m_state.workspace().plan().policy;
    const core::Harness *harness = policy ? core::harnessOf(*policy) : nullptr;
    m_action->setText(harness == nullptr ? tr("Copy as Harness Settings")
                                         : tr("Copy as %1 Settings").arg(displayText(core::titleOf(*harness))));
    m_action->setVisible(policy != nullptr); // without a harness it says why it copies nothing
}

void SettingsCopy::copy()
{
    const Plan &plan = m_state.workspace().plan();
    if (!plan.policy) {
        m_bar->setNotice({ tr("There is no policy to copy: the session is shown as recorded."), {}, {}, {} });
        return;
    }
    core::SettingsPlace place;
    if (const core::SessionPtr session = m_state.session())
        place.modelWindow = static_cast<double>(session->windowTokens.value_or(0));
    place.overrides = plan.overrides.keep.size() + plan.overrides.drop.size() + plan.overrides.replace.size()
        + plan.overrides.insert.size();
    const core::HarnessSettings settings = core::harnessSettings(*plan.policy, place);
    QStringList notes;
    for (const std::string &note : settings.notes)
        notes << displayText(note);
    if (settings.text.empty()) {
        m_bar->setNotice({ notes.join(u' '), {}, {}, {} });
        return;
    }
    QGuiApplication::clipboard()->setText(QString::fromStdString(settings.text));
    const QString harness = displayText(settings.harness);
    const QString text = displayText(settings.text).replace(u'␊', u'\n').trimmed();
    QString words = text.contains(u'\n') ? tr("Copied the settings of %1").arg(harness)
                                         : tr("Copied for %1: %2").arg(harness, text);
    if (!settings.place.empty())
        words += tr(", for %1").arg(displayText(settings.place));
    words += notes.isEmpty() ? u"."_s : tr(", with %1.").arg(counted(settings.notes.size(), tr("note"), tr("notes")));
    notes << tr("In the clipboard:") + u'\n' + text;
    const QString details = notes.join(u"\n\n"_s);
    QToolTip::showText(QCursor::pos(), toolTipText(words + u"\n\n"_s + details)); // beside the button
    Q_EMIT copied(words, details);
    findFigures(words, details);
}

/// The figures in the window are those of the policy. What cannot be set is otherwise in the harness.
void SettingsCopy::findFigures(const QString &words, const QString &details)
{
    Workspace &workspace = m_state.workspace();
    const core::PolicyPtr &policy = workspace.plan().policy;
    const core::Harness *harness = core::harnessOf(*policy);
    const core::PolicyPtr written = harness != nullptr ? core::writtenPolicy(*policy, *harness) : nullptr;
    const core::RecordedFiguresPtr &recorded = workspace.figures().recorded();
    m_figures.cancel();
    if (!written || !recorded || core::factsOf(*written) == core::factsOf(*policy))
        return;
    core::ReplayOptions options;
    options.memo = workspace.memo();
    m_figures.start(
        this,
        [written, recorded, uses = workspace.facts().uses(), options](core::Progress &progress) {
            return core::replayedFigures(written, *recorded, uses.get(), options, progress);
        },
        [this, words, details](const core::PolicyFiguresPtr &figures) {
            if (!figures)
                return;
            QStringList totals = policyTotals(*figures);
            totals.removeAll(QString());
            Q_EMIT copied(words + u' ' + tr("With what can be set: %1.").arg(totals.join(u", "_s)), details);
        },
        workspace.reporter());
}

} // namespace ui
