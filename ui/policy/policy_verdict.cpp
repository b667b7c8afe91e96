// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/policy/policy_verdict.h"

#include "core/compaction/policy_run.h"
#include "core/compaction/policy_words.h"
#include "core/compaction/validity.h"
#include "core/replay/cost_words.h"
#include "core/replay/worker_figures.h"
#include "ui/hub/run_figures.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr size_t kMostViolations = 4;

struct Verdict {
    Q_DECLARE_TR_FUNCTIONS(ui::PolicyPanel)
};

QStringList invalidLines(const core::Compaction &made)
{
    const std::vector<core::Violation> refusals = core::refusalsOf(made);
    QStringList lines;
    size_t shown = 0;
    for (const core::AlikeViolations &each : core::alikeIn(refusals)) {
        if (static_cast<size_t>(lines.size()) == kMostViolations)
            break;
        const core::SlotIndex slot = each.first->slot;
        const QString place = slot.isValid() ? u"[%1] "_s.arg(slot.value()) : QString();
        lines << Verdict::tr("Not valid: %1%2").arg(place, displayText(each.sentence()));
        shown += each.count;
    }
    if (shown < refusals.size())
        lines << Verdict::tr("and %1 more").arg(refusals.size() - shown);
    return lines;
}

/// What a provider accepts, and what makes little sense.
QStringList doubtfulLines(const core::Compaction &made)
{
    QStringList lines;
    for (const core::Violation &each : made.validity) {
        if (!core::isRefusal(each))
            lines << Verdict::tr("Check the stage: %1").arg(displayText(each.sentence));
    }
    return lines;
}

/// `118.0k → 52.1k tokens · −56 %`: the whole prompt, as the array and the timeline show it.
QString totalText(const ArrayPicture &picture)
{
    const core::CompactionPtr &made = picture.simulated;
    const core::Weights &weights = picture.weights;
    double was = 0;
    double now = 0;
    for (const core::Slot &slot : made->before.slots())
        was += weights.of(made->before, slot);
    for (const core::Slot &slot : made->after.slots())
        now += picture.weightsAfter.of(made->after, slot);
    const bool isTokens = weights.unit() == core::WeightUnit::Tokens;
    // Text that a silent clearing had removed is in the slots and not in the totals.
    const double whole = isTokens ? picture.sum.value() : was;
    const double change = isTokens ? picture.sumAfter.value() - whole : now - was;
    const QString before = displayText(isTokens ? core::shown(picture.sum.total()) : weights.shown(was));
    const QString after = displayText(isTokens ? core::shown(picture.sumAfter.total()) : weights.shown(now));
    if (made->changesNothing())
        return Verdict::tr("%1 %2 · no change").arg(before, displayText(weights.unitName()));
    QString total = Verdict::tr("%1 → %2 %3").arg(before, after, displayText(weights.unitName()));
    if (was > 0) {
        QString share = QLocale::c().toString(change * 100 / whole, 'f', 1);
        total += u" · "_s + share.replace(u'-', QChar(0x2212)) + u" %"_s;
    }
    // A line ends between figures, not within one.
    return total.replace(u" %"_s, QChar::Nbsp + u"%"_s).replace(u" ±"_s, QChar::Nbsp + u"±"_s);
}

bool isReached(const core::Policy &policy, const core::Compaction &made)
{
    return policy.trigger.isAlways() ? made.hasFired : made.isTriggerReached;
}

QStringList policyLines(const core::Policy &policy, const core::Compaction &made, const core::Session *session)
{
    QStringList lines;
    if (core::waitsForTrigger(policy))
        lines << (isReached(policy, made) ? Verdict::tr("Would act here: %1") : Verdict::tr("Would not act here: %1"))
                     .arg(displayText(made.verdict));
    const bool wantsWindow = policy.keep.measure.unit == core::Measure::Unit::WindowFraction;
    if (wantsWindow && session != nullptr && policy.windowOf(*session) <= 0)
        lines << (policy.window == core::Policy::Window::None
                ? Verdict::tr("Keep is %1, but the policy has no window. Write keep in tokens.")
                : Verdict::tr("Keep is %1, but the model's window is unknown. Write keep in tokens."))
                     .arg(displayText(policy.keep.measure.words()));
    return lines;
}

} // namespace

PolicyVerdict policyVerdict(const ViewState &state)
{
    const core::CompactionPtr &made = state.picture().simulated;
    if (!made)
        return { false, state.isPlanning() ? Verdict::tr("planning…") : QString(), {}, {} };
    const Plan &plan = state.workspace().plan();
    PolicyVerdict verdict { false, totalText(state.picture()), invalidLines(*made), {} };
    verdict.isAsIf = plan.policy && core::waitsForTrigger(*plan.policy) && !isReached(*plan.policy, *made);
    if (plan.policy)
        verdict.lines << policyLines(*plan.policy, *made, state.session().get()) << doubtfulLines(*made);
    const core::Overrides &overrides = plan.overrides;
    if (!overrides.keep.empty() || !overrides.drop.empty())
        verdict.lines << counted(overrides.keep.size(), Verdict::tr("block pinned"), Verdict::tr("blocks pinned"))
                + u", "_s + Verdict::tr("%1 dropped").arg(overrides.drop.size());
    if (overrides.writesText())
        verdict.lines << counted(overrides.replace.size(), Verdict::tr("block edited"), Verdict::tr("blocks edited"))
                + u", "_s + Verdict::tr("%1 inserted").arg(overrides.insert.size());
    if (!plan.missing.isEmpty())
        verdict.lines << counted(plan.missing.keys().size(),
            Verdict::tr("block that you changed is no longer in the file"),
            Verdict::tr("blocks that you changed are no longer in the file"));
    return verdict;
}

RunVerdict runVerdict(const Workspace &workspace)
{
    const core::PolicyFiguresPtr &figures = workspace.figures().policy();
    if (!figures)
        return {};
    RunVerdict made;
    const auto addTo = [](QStringList &lines, const std::string &sentence) {
        if (sentence.empty())
            return;
        QString line = displayText(sentence);
        line[0] = line[0].toUpper();
        lines << line;
    };
    const auto add = [&](const std::string &sentence) { addTo(made.lines, sentence); };
    add(core::refusalSentence(core::refusedCalls(*figures->replay)));
    if (const auto worker = core::workerWords(*figures->replay, figures->cost)) {
        add(core::workerSentence(*figures->replay->policy));
        add(worker->head);
    }
    if (figures->regret && figures->regret->of().all() > 0)
        add(core::lossSentence(*figures->regret, *figures->replay->ground->tokens));
    if (figures->regret && figures->regret->typedMessages > 0)
        add(core::messageSentence(*figures->regret));
    if (const core::RecordedFiguresPtr &recorded = workspace.figures().recorded()) {
        for (const std::string &sentence : core::extraCallSentences(*figures, recorded->speed))
            add(sentence);
        const core::CostParagraphs costs = core::costParagraphs(*figures, *recorded);
        for (const std::string &paragraph : costs.answer)
            add(paragraph);
        for (const std::string &paragraph : costs.details)
            addTo(made.costs, paragraph);
    }
    return made;
}

} // namespace ui
