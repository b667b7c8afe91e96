// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/policy/stage_list.h"

#include "core/compaction/policy_run.h"
#include "core/compaction/stage.h"
#include "ui/policy/stage_row.h"

#include <QVBoxLayout>

#include <algorithm>

namespace ui {

StageList::StageList(ViewState &state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
    , m_column(new QVBoxLayout(this))
    , m_place(new QWidget(this))
{
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    m_place->setFixedHeight(2);
    m_place->setAutoFillBackground(true);
    m_place->hide();
}

void StageList::refresh()
{
    rebuild(*policy());
    for (size_t i = 0; i < m_rows.size(); ++i)
        m_rows[i]->setSpec(policy()->stages[i]);
}

void StageList::rebuild(const core::Policy &shown)
{
    std::vector<std::string> kinds;
    for (const core::StageSpec &spec : shown.stages)
        kinds.push_back(spec.stage);
    if (kinds == m_kinds)
        return;
    for (StageRow *row : m_rows) {
        row->hide();
        row->deleteLater();
    }
    m_rows.clear();
    m_kinds = std::move(kinds);
    for (size_t i = 0; i < shown.stages.size(); ++i) {
        auto *row = new StageRow(shown.stages[i], this);
        row->setTheme(m_state.theme());
        m_column->addWidget(row);
        m_rows.push_back(row);
        connectRow(row, i);
    }
}

void StageList::connectRow(StageRow *row, size_t stage)
{
    connect(row, &StageRow::focused, this, [this, stage] { m_current = stage; });
    connect(row, &StageRow::ticked, this, [this, stage](bool isOn) {
        m_current = stage;
        if (policy())
            commit(core::withStageEnabled(*policy(), stage, isOn),
                (isOn ? tr("Tick %1") : tr("Untick %1")).arg(titleOf(stage)));
    });
    connect(row, &StageRow::parameterChanged, this,
        [this, stage](const QString &name, const QString &value) { setParameter(stage, name, value); });
    connect(row, &StageRow::removeRequested, this, [this, stage] {
        if (policy())
            commit(core::withStageRemoved(*policy(), stage), tr("Remove %1").arg(titleOf(stage)));
    });
    connect(row, &StageRow::dragged, this, [this](QPoint global) { showPlace(placeAt(global)); });
    connect(row, &StageRow::dropped, this, [this, stage](QPoint global) {
        showPlace(std::nullopt);
        move(stage, placeAt(global));
    });
}

void StageList::commit(core::Policy policy, const QString &words)
{
    m_state.workspace().commitPlan(m_state.workspace().planWith(std::move(policy)), words);
}

void StageList::setParameter(size_t stage, const QString &name, const QString &value)
{
    if (!policy())
        return;
    auto changed = core::withStageSetting(*policy(), stage, name.toStdString(), value.toStdString());
    if (changed)
        commit(std::move(*changed), tr("Change %1 of %2").arg(name, titleOf(stage)));
    else
        Q_EMIT refused(changed.error());
}

QString StageList::titleOf(size_t stage) const
{
    const core::StageKind *kind = core::stageKind(policy()->stages[stage].stage);
    return kind != nullptr ? displayText(kind->title) : QString();
}

// --- moving ---------------------------------------------------------------------------------------------------------

size_t StageList::placeAt(QPoint global) const
{
    const int y = mapFromGlobal(global).y();
    size_t place = 0;
    while (place < m_rows.size() && y > m_rows[place]->geometry().center().y())
        ++place;
    return place;
}

void StageList::showPlace(std::optional<size_t> place)
{
    m_place->setVisible(place.has_value() && !m_rows.empty());
    if (!m_place->isVisible())
        return;
    const int y = *place < m_rows.size() ? m_rows[*place]->y() : m_rows.back()->geometry().bottom();
    m_place->setGeometry(0, std::clamp(y - 1, 0, std::max(0, height() - 2)), width(), 2);
    m_place->raise();
}

void StageList::move(size_t from, size_t place)
{
    const size_t to = place > from ? place - 1 : place; // the row itself leaves its place
    if (!policy() || to == from || to >= policy()->stages.size())
        return;
    const QString words = tr("Move %1").arg(titleOf(from));
    m_current = to;
    commit(core::withStageMoved(*policy(), from, to), words);
    if (to < m_rows.size())
        m_rows[to]->setFocus();
}

void StageList::moveCurrent(int delta)
{
    if (!policy() || m_current >= policy()->stages.size() || (delta < 0 && m_current == 0))
        return;
    move(m_current, delta < 0 ? m_current - 1 : m_current + 2);
}

void StageList::unfold(size_t stage)
{
    if (stage < m_rows.size())
        m_rows[stage]->setUnfolded(true);
}

// --- showing --------------------------------------------------------------------------------------------------------

void StageList::showFigures(
    const core::Compaction &made, const StageFigures &figures, const std::vector<std::optional<StageFigure>> &wouldBe)
{
    const core::Weights &weights = m_state.picture().weights;
    const double whole = figures.raw.total();
    for (size_t i = 0; i < m_rows.size(); ++i) {
        const bool isOn = made.policy->stages[i].isEnabled;
        const core::StageReport &report = made.stages[i];
        if (isOn)
            m_rows[i]->setFigure(figures.stages[i], whole, weights);
        else if (i < wouldBe.size())
            m_rows[i]->setFigure(wouldBe[i], whole, weights);
        QString words;
        if (isOn && !report.hasRun)
            words = tr("waits: %1").arg(displayText(report.verdict));
        else if (isOn && report.rewrites == 0)
            words = tr("finds nothing to change here");
        if (isOn && !report.note.empty())
            words += (words.isEmpty() ? QString() : u"\n"_s) + displayText(report.note);
        m_rows[i]->setVerdict(words);
    }
}

void StageList::clearFigures()
{
    for (StageRow *row : m_rows)
        row->clearFigure();
}

void StageList::setTheme(const Theme &theme)
{
    QPalette palette = theme.palette();
    palette.setColor(QPalette::Window, theme.accent);
    m_place->setPalette(palette);
    for (StageRow *row : m_rows)
        row->setTheme(theme);
}

} // namespace ui
