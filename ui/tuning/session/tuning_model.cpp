// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/session/tuning_model.h"

#include "core/compaction/harness_settings.h"
#include "core/session/earlier_messages.h"
#include "core/sweep/suggestion.h"
#include "ui/hub/run_figures.h"
#include "ui/hub/thread_facts.h"

#include <cmath>
#include <utility>

namespace ui {

using namespace Qt::StringLiterals;
using core::SweepMetric;

namespace {

constexpr double kTenths = 1000; ///< of a per cent, in a share
constexpr double kRounding = 1e-9;
constexpr double kDoubtful = 0.5; ///< of a gain: a replay that is as far from the recorded run makes the gain doubtful

std::vector<bool> both(std::vector<bool> a, const std::vector<bool> &b)
{
    for (size_t i = 0; i < a.size(); ++i)
        a[i] = a[i] && b[i];
    return a;
}

} // namespace

TuningModel::TuningModel(ViewState &state, QObject *parent)
    : MapModel(state, parent)
    , m_sweeps(state.workspace())
{
    connect(&m_sweeps, &Sweeps::changed, this, &TuningModel::takeMap);
    connect(&m_sweeps, &Sweeps::stateChanged, this, &TuningModel::stateChanged);
    connect(&state.workspace().figures(), &RunFigures::policyChanged, this, &TuningModel::findExact);
    connect(&state.workspace().facts(), &ThreadFacts::traceGroundChanged, this, &TuningModel::takeMap);
    connect(&state.workspace(), &Workspace::sessionChanged, this, [this](bool isNew) {
        if (!isNew)
            return;
        m_mostMessages.reset();
        m_lostShare.reset();
    });
}

double TuningModel::window() const
{
    const core::SweepPtr &sweep = m_sweeps.current();
    return sweep ? sweep->policy->windowOf(m_sweeps.ground()->sweep->recorded->ground->session()) : 0;
}

std::span<const double> TuningModel::recordedTriggers() const
{
    return m_sweeps.ground() ? std::span<const double>(m_sweeps.ground()->triggers) : std::span<const double>();
}

size_t TuningModel::usesCount() const { return m_sweeps.ground()->sweep->uses->count(core::kHeadlineUses); }

core::CellLimits TuningModel::limits() const
{
    const core::SweepGround &ground = *m_sweeps.ground()->sweep;
    core::CellLimits limits;
    limits.lostUses = std::floor(lostShare() * static_cast<double>(usesCount()) + kRounding);
    limits.lostMessages = mostLostMessages();
    // If a recorded prompt is larger than the window, this window is wrong.
    const double window = static_cast<double>(ground.recorded->ground->session().windowTokens.value_or(0));
    limits.window = ground.recorded->prompts.byUsage.peak.value > window ? 0 : window;
    return limits;
}

SweepMetric TuningModel::aim() const
{
    return m_recorded && !std::isnan((*m_recorded)[SweepMetric::Cost]) ? SweepMetric::Cost : SweepMetric::Tokens;
}

void TuningModel::judgeCells()
{
    m_accepted.clear();
    m_eligible.clear();
    m_settable.clear();
    m_best.reset();
    m_unsteady.reset();
    m_unsettable.reset();
    m_nearest.reset();
    m_recorded.reset();
    const core::SweepPtr &sweep = m_sweeps.current();
    if (!sweep)
        return;
    m_recorded = m_sweeps.ground()->recorded;
    if (const TraceGroundPtr &traces = state().workspace().facts().traceGround()) {
        const core::InContext messages = core::inContextAt(traces->userMessages, traces->spans.callCount);
        (*m_recorded)[SweepMetric::LostMessages] = static_cast<double>(messages.all - messages.standing);
    }
    m_accepted = core::eligibleCells(*sweep, { .window = limits().window });
    m_eligible = core::eligibleCells(*sweep, limits());
    const core::PolicyPtr &chosen = state().workspace().plan().policy;
    m_settable = core::settableCells(chosen ? *chosen : *sweep->policy, sweep->x, sweep->y, window());
    if (isMidway())
        return;
    const std::vector<bool> possible = both(m_eligible, m_settable);
    const auto cheapest = betterCell(possible);
    m_best = betterCell(core::steadyCells(sweep->x, sweep->y, both(m_accepted, m_settable), possible));
    // A steady cell that costs more than the baseline is no answer if another one costs less.
    const auto costs = [&](size_t cell) { return (*sweep->cells[cell])[aim()]; };
    const double before = (*baseline())[aim()];
    m_isSteady = m_best && (costs(*m_best) < before || costs(*cheapest) >= before);
    if (!m_isSteady)
        m_best = cheapest;
    if (m_isSteady && costs(*cheapest) < costs(*m_best) * (1 - SweepMap::kVisible))
        m_unsteady = cheapest;
    const double price = cheapest ? costs(*cheapest) : before;
    if (const auto free = betterCell(m_eligible); free && costs(*free) < price * (1 - SweepMap::kVisible))
        m_unsettable = free;
    if (m_best)
        return;
    core::CellLimits wider = limits();
    wider.lostMessages = core::kUnknownFigure;
    m_nearest = betterCell(both(core::eligibleCells(*sweep, wider), m_settable));
}

QString TuningModel::acceptableWords() const
{
    return std::ranges::contains(m_settable, false) ? tr("possible within the limits") : tr("within the limits");
}

std::optional<size_t> TuningModel::betterCell(const std::vector<bool> &eligible) const
{
    const core::Sweep &sweep = *m_sweeps.current();
    const auto best = core::bestCell(sweep, aim(), eligible);
    // What exceeds the limits itself is no alternative, so nothing has to be better.
    if (!core::isWithin(*baseline(), limits()))
        return best;
    return best && (*sweep.cells[*best])[aim()] < (*baseline())[aim()] * (1 - SweepMap::kVisible) ? best : std::nullopt;
}

bool TuningModel::isMidway() const
{
    const core::ReplayGround &ground = *m_sweeps.ground()->sweep->recorded->ground;
    return core::beginsMidway(ground.session(), ground.log.thread);
}

const core::SweepFigures *TuningModel::baseline() const
{
    const TuningGroundPtr &ground = m_sweeps.ground();
    if (!m_recorded || !ground)
        return nullptr;
    return ground->ownPolicy && !std::isnan(ground->own[aim()]) ? &ground->own : &*m_recorded;
}

QString TuningModel::baselineName() const
{
    return baseline() == &m_sweeps.ground()->own
        ? tr("%1 as it is").arg(displayText(m_sweeps.ground()->ownPolicy->name))
        : tr("the recorded run");
}

void TuningModel::takeMap()
{
    const core::SweepPtr &sweep = m_sweeps.current();
    if (sweep)
        chooseMetrics(*sweep);
    judgeCells();
    setMap(sweep ? SweepMap(sweep, metric(), { m_sweeps.ground()->cliffs, (*baseline())[metric()], m_accepted })
                 : SweepMap());
}

double TuningModel::lostShare() const
{
    if (m_lostShare)
        return *m_lostShare;
    const core::SweepFigures *before = m_recorded ? baseline() : nullptr;
    const auto uses = before != nullptr ? static_cast<double>(usesCount()) : 0;
    const double lost = before != nullptr ? (*before)[SweepMetric::LostUses] : 0;
    // In tenths of a per cent, as it is shown: whoever types the shown limit gets the same one.
    return uses > 0 && lost / uses > core::kUsualLoss ? std::ceil(lost / uses * kTenths - kRounding) / kTenths
                                                      : core::kUsualLoss;
}

void TuningModel::setLostShare(double share)
{
    if (std::exchange(m_lostShare, share) != share)
        takeMap();
}

double TuningModel::mostLostMessages() const
{
    return m_mostMessages       ? *m_mostMessages
        : baseline() != nullptr ? (*baseline())[SweepMetric::LostMessages]
                                : std::nan("");
}

void TuningModel::setMostLostMessages(double most)
{
    if (std::exchange(m_mostMessages, most) != most)
        takeMap();
}

const core::SweepFigures *TuningModel::recorded() const
{
    return map().isEmpty() || !m_recorded ? nullptr : &*m_recorded;
}

QString TuningModel::limitWords() const
{
    QStringList words { tr("at most %1 % of the uses lost").arg(lostShare() * 100, 0, 'f', 1) };
    if (const double messages = mostLostMessages(); !std::isnan(messages))
        words << (m_mostMessages
                ? tr("at most %1 of your messages lost").arg(messages)
                : tr("no more of your messages lost than by %2 (%1)").arg(messages).arg(baselineName()));
    words << tr("no call that a provider would refuse");
    return words.join(u", "_s);
}

QStringList TuningModel::changedSettings(size_t cell) const
{
    const core::Sweep &sweep = *m_sweeps.current();
    QStringList settings = settingsAt(placeOf(cell));
    if (const core::SweepAxis *fixed = core::fixedAxis(*sweep.policy, sweep.x, sweep.y))
        settings.removeAt(fixed == &sweep.x ? 0 : 1);
    return settings;
}

QString TuningModel::settingsOf(size_t cell) const { return changedSettings(cell).join(tr(" and ")); }

QString TuningModel::lossWords(const core::SweepFigures &figures) const
{
    return tr("it loses %1 and %2")
        .arg(counted(static_cast<size_t>(figures[SweepMetric::LostUses]), tr("use"), tr("uses")),
            tr("%1 of your messages").arg(figures[SweepMetric::LostMessages]));
}

QString TuningModel::breachWords(const core::SweepFigures &figures) const
{
    const core::CellLimits most = limits();
    QStringList losses;
    if (const double lost = figures[SweepMetric::LostUses]; lost > most.lostUses)
        losses << tr("%1 % of the uses").arg(lost * 100 / static_cast<double>(usesCount()), 0, 'f', 1);
    if (const double lost = figures[SweepMetric::LostMessages]; lost > most.lostMessages)
        losses << tr("%1 of your messages").arg(lost);
    QStringList words;
    if (!losses.isEmpty())
        words << tr("it loses %1").arg(losses.join(tr(" and ")));
    if (core::isRefused(figures, most.window))
        words << tr("a provider would refuse some of its calls");
    return words.join(u", "_s);
}

QStringList TuningModel::doubts() const
{
    QStringList doubts;
    if (!m_best || map().isEmpty())
        return doubts;
    if (const size_t uses = usesCount(); uses < core::kFewUses)
        doubts << (uses == 0 ? tr("no uses") : tr("only %1").arg(counted(uses, tr("use"), tr("uses"))));
    if (!edgeWords().isEmpty())
        doubts << tr("edge of the map");
    if (!m_isSteady)
        doubts << tr("not steady");
    if (!doubtWords().isEmpty())
        doubts << tr("small gain");
    return doubts;
}

QString TuningModel::summaryWords(const core::SweepFigures &figures) const
{
    if (figures.summaries == 0)
        return {};
    const auto seconds = m_sweeps.ground()->sweep->recorded->speed.secondsFor(figures.summaryTokens);
    constexpr double kShort = 10;
    return tr("It writes %1%2.")
        .arg(counted(figures.summaries, tr("summary"), tr("summaries")),
            seconds ? tr(": ~%1 s of waiting").arg(*seconds, 0, 'f', *seconds < kShort ? 1 : 0) : QString());
}

QString TuningModel::answer() const
{
    if (map().isEmpty() || !m_recorded)
        return {};
    if (isMidway())
        return tr("Settings cannot be judged on this session.");
    const double before = (*baseline())[aim()];
    if (std::isnan(before))
        return tr("The recorded run has no usage to compare with.");
    const QString than = u"%1 (%2)"_s.arg(baselineName(), shown(aim(), before));
    const QString soFar = m_sweeps.isRunning() ? tr("So far: ") : QString();
    const QString breach = breachWords(*baseline());
    if (!m_best) {
        const QString policy = displayText(map().sweep()->policy->name);
        return soFar
            + (breach.isEmpty()
                    ? tr("No setting of %1 within the limits is better than %2. Stay with that.").arg(policy, than)
                    : tr("No setting of %1 keeps the limits, nor does %2: %3.").arg(policy, baselineName(), breach));
    }
    const core::SweepFigures &best = *map().sweep()->cells[*m_best];
    const bool isDearer = best[aim()] >= before;
    const QString head = isSure() ? (isDearer            ? tr("Cheapest within the limits")
                                            : m_unsteady ? tr("Best steady settings within the limits")
                                                         : tr("Best within the limits"))
                                  : tr("Not sure (%1)").arg(doubts().join(u", "_s));
    const double recorded = (*m_recorded)[aim()];
    QStringList parts { head + u": "_s + changedSettings(*m_best).join(u", "_s), shown(aim(), best[aim()]) };
    if (baseline() != &*m_recorded && !std::isnan(recorded))
        parts << changeWords(best[aim()], recorded, tr("recorded (%1)").arg(shown(aim(), recorded)));
    parts << changeWords(best[aim()], before, than)
            + (isDearer ? tr(", which exceeds the limits: %1").arg(breach) : QString());
    return soFar + parts.join(u" · "_s);
}

QString TuningModel::changeWords(double value, double before, const QString &than)
{
    const QString change = tr("%1 %").arg(std::abs(1 - value / before) * 100, 0, 'f', 1);
    return (value > before ? tr("%1 more than %2") : tr("%1 less than %2")).arg(change, than);
}

QString TuningModel::unsteadyWords() const
{
    const core::Sweep &sweep = *map().sweep();
    double uses = 0;
    double messages = 0;
    for (const size_t cell : core::cellsAround(sweep.x, sweep.y, *m_best)) {
        if (!sweep.cells[cell])
            continue;
        if (!m_accepted[cell])
            continue;
        uses = std::max(uses, (*sweep.cells[cell])[SweepMetric::LostUses]);
        messages = std::max(messages, (*sweep.cells[cell])[SweepMetric::LostMessages]);
    }
    return tr("Not steady: settings beside it lose up to %1 and %2.")
        .arg(counted(static_cast<size_t>(uses), tr("use"), tr("uses")), tr("%1 of your messages").arg(messages));
}

QString TuningModel::callWords(const QString &where, const std::vector<uint32_t> &calls)
{
    constexpr size_t kMost = 4;
    QStringList numbers;
    for (size_t i = 0; i < std::min(kMost, calls.size()); ++i)
        numbers << QString::number(calls[i]);
    if (calls.size() > kMost)
        numbers << tr("%1 more").arg(calls.size() - kMost);
    return numbers.isEmpty() ? QString() : u" (%1 %2)"_s.arg(where, numbers.join(u", "_s));
}

const core::SweepFigures *TuningModel::own() const
{
    return map().isEmpty() || !m_sweeps.ground()->ownPolicy ? nullptr : &m_sweeps.ground()->own;
}

QString TuningModel::besideOwnWords() const
{
    const TuningGround &ground = *m_sweeps.ground();
    const core::SweepFigures *figures = m_best ? &*map().sweep()->cells[*m_best] : markerFigures();
    const core::PolicyPtr &chosen = state().workspace().plan().policy;
    const bool isOwn = !m_best && chosen && ground.ownPolicy && chosen->document == ground.ownPolicy->document;
    if (figures == nullptr || own() == nullptr || isOwn)
        return {};
    const QString words = displayText(core::differenceWords(*figures, *own()));
    const double lost = (*m_recorded)[SweepMetric::LostMessages];
    const double spent = (*m_recorded)[aim()];
    const core::ReplayGround &replayed = *ground.sweep->recorded->ground;
    std::vector<uint32_t> calls;
    for (const core::RecordedCompaction &each : replayed.session().thread(replayed.log.thread).compactions) {
        if (each.call.isValid())
            calls.push_back(each.call.value());
    }
    const QString recorded = (std::isnan(spent) ? QString() : shown(aim(), spent) + u", "_s)
        + displayText(core::compactionWords(*ground.sweep->recorded)) + callWords(tr("after call"), calls)
        + (std::isnan(lost) ? QString() : tr(", %1 of your messages lost").arg(lost));
    const QString name = displayText(ground.ownPolicy->name);
    // The two are not measured alike: the text of a simulated summary is not known.
    const QString replay
        = tr("%1 replayed: %2, %3 of your messages lost%4. Recorded: %5.")
              .arg(name, displayText(ground.ownDeeds) + callWords(tr("before call"), ground.ownCalls))
              .arg((*own())[SweepMetric::LostMessages])
              .arg(own()->summaries > 0 ? tr(" (a simulated summary quotes none)") : QString(), recorded);
    return words.isEmpty()
        ? QString()
        : (m_best ? tr("Beside %1 as it is: %2.") : tr("The chosen settings beside %1 as it is: %2.")).arg(name, words)
            + u' ' + replay;
}

QString TuningModel::doubtWords() const
{
    const double before = (*baseline())[aim()];
    const double recorded = (*m_recorded)[aim()];
    if (!m_best || baseline() == &*m_recorded || std::isnan(recorded))
        return {};
    const double error = std::abs(before / recorded - 1);
    const double gain = 1 - (*map().sweep()->cells[*m_best])[aim()] / before;
    const auto counted = m_sweeps.ground()->sweep->recorded->bill.errorShare();
    if (const double miss = aim() == SweepMetric::Cost ? std::abs(counted.value_or(0)) : 0; gain > 0 && miss >= gain)
        return tr("This gain is not sure: Palimpsest computes the recorded calls %1 % %2 their cost by usage.")
            .arg(QString::number(miss * 100, 'f', 1), *counted < 0 ? tr("below") : tr("above"));
    return gain <= 0 || error < kDoubtful * gain
        ? QString()
        : tr("This gain is not sure: the replay of %1 itself is %2 % %3 the recorded %4.")
              .arg(displayText(m_sweeps.ground()->ownPolicy->name), QString::number(error * 100, 'f', 1),
                  before < recorded ? tr("below") : tr("above"), shown(aim(), recorded));
}

QString TuningModel::edgeWords() const
{
    const core::Sweep &sweep = *map().sweep();
    return displayText(core::edgeSentence(*sweep.policy, sweep.x, sweep.y, *m_best));
}

QString TuningModel::unsettableWords() const
{
    const core::Sweep &sweep = *map().sweep();
    const core::Harness *harness = core::harnessOf(*sweep.policy);
    if (harness == nullptr)
        return {};
    const QString title = displayText(core::titleOf(*harness));
    const core::SweepAxis *fixed = core::fixedAxis(*sweep.policy, sweep.x, sweep.y);
    if (fixed == nullptr)
        return !m_best || core::canSet(*harness, sweep.x.setting)
            ? QString()
            : tr("%1 cannot be set to these values; Copy as Harness Settings says what can be set.").arg(title);
    const QString setting = displayText(core::settingWords(fixed->setting));
    if (!m_unsettable)
        return tr("%1 has no setting for %2, so that stays as it is.").arg(title, setting);
    return tr("%1 has no setting for %2. If it had one: %3 takes %4.")
        .arg(title, setting, settingsAt(placeOf(*m_unsettable)).join(tr(" and ")),
            shown(aim(), (*sweep.cells[*m_unsettable])[aim()]));
}

QString TuningModel::besideOwn() const
{
    if (map().isEmpty())
        return {};
    QStringList sentences;
    if (isMidway())
        sentences
            << tr("Reason: %1.").arg(displayText(core::midwaySentence(*m_sweeps.ground()->sweep->recorded->ground)));
    if (m_best)
        sentences << summaryWords(*map().sweep()->cells[*m_best]);
    if (m_best && !m_isSteady)
        sentences << unsteadyWords();
    if (m_unsteady)
        sentences << tr("Cheaper, but not steady, as a small change of it breaks a limit: %1 takes %2.")
                         .arg(settingsOf(*m_unsteady), shown(aim(), (*map().sweep()->cells[*m_unsteady])[aim()]));
    if (m_nearest) {
        const core::SweepFigures &nearest = *map().sweep()->cells[*m_nearest];
        sentences << tr("If more of your messages may be lost: %1 takes %2, but %3.")
                         .arg(settingsOf(*m_nearest), shown(aim(), nearest[aim()]), lossWords(nearest));
    }
    if (const QString beside = besideOwnWords(); !beside.isEmpty())
        sentences << beside;
    if (m_best)
        sentences << doubtWords() << edgeWords();
    sentences << unsettableWords();
    if (const size_t uses = usesCount(); uses < core::kFewUses)
        sentences << (uses == 0 ? tr("This session has no uses of earlier texts, so losses cannot be judged.")
                                : tr("This session has only %1 of earlier texts, so lost uses say little.")
                                      .arg(counted(uses, tr("use"), tr("uses"))));
    sentences.removeAll(QString());
    return sentences.join(u' ');
}

void TuningModel::findExact()
{
    const RunFigures &figures = state().workspace().figures();
    m_exact.reset();
    if (figures.policy() && figures.policy()->regret && figures.recorded())
        m_exact = core::sweepFigures(*figures.policy(), *figures.recorded());
    Q_EMIT markerChanged();
}

const core::SweepFigures *TuningModel::markerFigures() const
{
    const core::SweepFigures *nearest = MapModel::markerFigures();
    return nearest != nullptr && m_exact ? &*m_exact : nearest;
}

} // namespace ui
