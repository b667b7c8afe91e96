// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/folder/suggestion_view.h"

#include "core/report/policy_choice.h"
#include "ui/files/own_policies.h"

#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextEdit>

#include <algorithm>
#include <array>
#include <numeric>

namespace ui {

using namespace Qt::StringLiterals;
using core::SweepMetric;

namespace {

constexpr int kField = 76;
constexpr int kWorst = 190; ///< the widest name of a run
constexpr int kWorstGap = 16;
constexpr int kTextNeeds = 540; ///< a narrower view has the sentences below the limits

/// The text of the field, parsed by `parseLimit`.
QString limitText(SweepMetric metric, const QString &unit, const QString &number)
{
    const std::string_view id = core::infoOf(metric).id;
    return QString::fromUtf8(id.data(), static_cast<qsizetype>(id.size())) + u'=' + number + unit;
}

QString displayLines(const std::string &text)
{
    QStringList lines;
    for (const QString &line : QString::fromStdString(text).trimmed().split(u'\n'))
        lines << displayText(line.toStdString());
    return lines.join(u'\n');
}

/// In place of a number: no limit.
QString anyWord() { return SuggestionView::tr("any"); }

std::optional<core::SweepLimit> usualLimit(SweepMetric metric)
{
    const std::vector<core::SweepLimit> limits = core::usualLimits();
    const auto found = std::ranges::find(limits, metric, &core::SweepLimit::metric);
    return found != limits.end() ? std::optional(*found) : std::nullopt;
}

/// The rows of the table of policies stay on one line each.
bool isRow(const QTextBlock &block)
{
    const QString &text = block.text();
    const bool isFigure = text.startsWith("    "_L1);
    return !isFigure && (text.startsWith("  "_L1) || text.startsWith("* "_L1));
}

} // namespace

SuggestionView::SuggestionView(FolderModel &model, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
    , m_fields { { { SweepMetric::LostUses, u"%"_s, new QLineEdit(this) },
          { SweepMetric::Peak, u"tok"_s, new QLineEdit(this) },
          { SweepMetric::LostMessages, {}, new QLineEdit(this) } } }
    , m_noBytes(new TickBox(tr("no bytes lost for good"), this))
    , m_policies(new QPushButton(this))
    , m_policyMenu(new QMenu(this))
    , m_take(new QPushButton(tr("Take"), this))
    , m_text(new QTextEdit(this))
    , m_statistics(new QPushButton(tr("Details"), this))
    , m_parts(new QBoxLayout(QBoxLayout::LeftToRight))
    , m_worstTitle(new QLabel(tr("worst of the later runs"), this))
{
    setObjectName(u"suggestion"_s);
    setAccessibleName(tr("Suggestion"));
    m_text->setObjectName(u"suggestionText"_s);
    m_text->setAccessibleName(tr("Suggested settings"));
    m_text->setReadOnly(true);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_take->setObjectName(u"takeSuggestion"_s);
    m_statistics->setObjectName(u"suggestionStatistics"_s);
    m_statistics->setCheckable(true);
    m_statistics->setToolTip(
        tr("Shows what the answer rests on: the settings, all policies, the intervals, the limits"));
    m_policies->setObjectName(u"suggestionPolicies"_s);
    m_policies->setToolTip(
        tr("The policies to choose from. Palimpsest tries the policy of the map with the two settings "
           "of the map, and every other policy with keep and trigger."));
    m_policies->setMenu(m_policyMenu);
    for (QPushButton *button : { m_take, m_statistics }) {
        QSizePolicy policy = button->sizePolicy();
        policy.setRetainSizeWhenHidden(true);
        button->setSizePolicy(policy);
    }
    connect(m_policyMenu, &QMenu::aboutToShow, this, &SuggestionView::fillPolicies);
    m_parts->setSpacing(18);
    m_parts->addLayout(makeLimits());
    m_parts->addWidget(m_text, 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(m_parts, 1);
    column->addLayout(makeWorst());
    for (QLabel *name : std::as_const(m_names))
        name->setFont(Theme::textFont(12));
    connect(m_statistics, &QPushButton::toggled, this, &SuggestionView::refresh);
    connect(m_take, &QPushButton::clicked, &model, &FolderModel::takeSuggestion);
    connect(&model, &FolderModel::stateChanged, this, &SuggestionView::refresh);
    connect(&model.state(), &ViewState::themeChanged, this, &SuggestionView::applyTheme);
    applyTheme();
    refresh();
}

QVBoxLayout *SuggestionView::makeLimits()
{
    const std::array titles { tr("lost uses at most"), tr("peak at most"), tr("lost user messages at most") };
    const std::array units { tr("% of all"), tr("tokens"), QString() };
    const std::array names { u"limitLostUses"_s, u"limitPeak"_s, u"limitLostMessages"_s };
    auto *grid = new QGridLayout;
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(4);
    for (size_t i = 0; i < m_fields.size(); ++i) {
        const int line = static_cast<int>(i);
        m_names << new QLabel(titles[i], this) << new QLabel(units[i], this);
        QLineEdit *edit = m_fields[i].edit;
        edit->setObjectName(names[i]);
        edit->setAccessibleName(titles[i] + u' ' + units[i]);
        edit->setFixedWidth(kField);
        edit->setAlignment(Qt::AlignRight);
        grid->addWidget(m_names[2 * line], line, 0);
        grid->addWidget(edit, line, 1);
        grid->addWidget(m_names[2 * line + 1], line, 2);
        connect(edit, &QLineEdit::editingFinished, this, &SuggestionView::applyLimits);
    }
    grid->setColumnStretch(0, 1);
    m_noBytes->setObjectName(u"limitLostBytes"_s);
    connect(m_noBytes, &QCheckBox::toggled, this, &SuggestionView::applyLimits);
    grid->addWidget(m_noBytes, 3, 0);
    grid->addWidget(m_take, 3, 1);
    grid->addWidget(m_policies, 4, 0, 1, 2);
    auto *column = new QVBoxLayout;
    column->addLayout(grid);
    column->addStretch();
    return column;
}

QHBoxLayout *SuggestionView::makeWorst()
{
    auto *row = new QHBoxLayout;
    row->setSpacing(kWorstGap);
    row->addWidget(m_worstTitle);
    m_names << m_worstTitle;
    for (size_t i = 0; i < m_worst.size(); ++i) {
        m_worst[i] = new QPushButton(this);
        m_worst[i]->setObjectName(u"suggestionWorst%1"_s.arg(i));
        m_worst[i]->setFlat(true);
        m_worst[i]->setFont(Theme::textFont(12));
        m_worst[i]->setCursor(Qt::PointingHandCursor);
        row->addWidget(m_worst[i]);
        connect(m_worst[i], &QPushButton::clicked, this, [this, i] {
            const core::SweepSetReport *made = m_model.suggestions().chosen();
            if (made == nullptr || i >= (*made->suggestion)->worst.size())
                return;
            const core::RunSweep &run = made->set.runs[(*made->suggestion)->worst[i]];
            Q_EMIT runRequested(QString::fromStdString(run.file), run.thread);
        });
    }
    row->addStretch();
    row->addWidget(m_statistics);
    return row;
}

void SuggestionView::applyLimits()
{
    std::vector<core::SweepLimit> limits;
    for (const Field &field : m_fields) {
        const QString number = field.edit->text().trimmed();
        if (number.isEmpty() || number == anyWord()) {
            if (const auto usual = number.isEmpty() ? usualLimit(field.metric) : std::nullopt)
                limits.push_back(*usual);
            field.edit->setStyleSheet({});
            continue;
        }
        const auto limit = core::parseLimit(limitText(field.metric, field.unit, number).toStdString());
        field.edit->setStyleSheet(limit ? QString() : u"color: %1;"_s.arg(m_model.state().theme().hot.name()));
        if (!limit) {
            field.edit->setToolTip(toolTipText(displayText(limit.error().message)));
            return; // the last good limits stay
        }
        limits.push_back(*limit);
    }
    if (m_noBytes->isChecked())
        limits.push_back({ SweepMetric::LostBytes, 0, false });
    m_model.suggestions().setLimits(std::move(limits));
    showUsualLimits();
}

void SuggestionView::showUsualLimits()
{
    const core::SweepSet *set = m_model.set();
    std::vector<size_t> runs(set != nullptr ? set->runs.size() : 0);
    std::iota(runs.begin(), runs.end(), size_t { 0 });
    for (const Field &field : m_fields) {
        const auto limit = usualLimit(field.metric);
        if (!limit || runs.empty()) {
            field.edit->setPlaceholderText(anyWord());
            continue;
        }
        const double most = core::mostOver(*set, runs, *limit) * (limit->isShare ? 100 : 1);
        const QString number = QString::number(most, 'f', limit->isShare ? 1 : 0);
        field.edit->setPlaceholderText(number);
        field.edit->setToolTip(toolTipText(tr("Empty: %1. In these runs: %2. Write %3 for no limit.")
                .arg(displayText(limit->text()), number, anyWord())));
    }
}

void SuggestionView::setAnswerElsewhere(bool isElsewhere)
{
    if (std::exchange(m_isAnswerElsewhere, isElsewhere) == isElsewhere)
        return;
    m_shownStatistics = QString(); // the text changes although the sentences do not
    m_answer.clear();
    refresh();
}

QString SuggestionView::stateWords() const
{
    const FolderSweeps &sweeps = m_model.sweeps();
    const Suggestions &suggestions = m_model.suggestions();
    if (sweeps.isStopped())
        return tr("Reading was stopped. A suggestion needs all files of the folder.");
    if (sweeps.isRunning() || !suggestions.map())
        return tr("A policy is suggested when all files are read.");
    if (suggestions.isStopped())
        return tr("The sweep of the other policies was stopped. A suggestion needs all of them.");
    if (suggestions.isSweeping() && suggestions.files().all > 0)
        return tr("Sweeping the other policies in the same runs: %1 of %2 files.")
            .arg(suggestions.files().done)
            .arg(suggestions.files().all);
    if (suggestions.isSweeping())
        return tr("Sweeping the other policies in the same runs.");
    if (!suggestions.current())
        return suggestions.isRunning() ? tr("Comparing the policies on random selections of the runs.")
                                       : tr("None of the chosen policies can be suggested.");
    return {};
}

QString SuggestionView::answerWords(const core::PolicyChoice &made) const
{
    if (!made.chosen)
        return made.policies.size() == 1 ? displayText(made.policies.front().suggestion->error().message)
                                         : tr("None of these policies can be suggested.");
    const core::SweepSetReport &chosen = made.policies[*made.chosen];
    const core::Suggestion &suggested = **chosen.suggestion;
    std::vector<std::string> sentences { core::adviceSentence(chosen.set, suggested) };
    if (std::string excluded = core::excludedSentence(chosen.set, suggested); !excluded.empty())
        sentences.push_back(std::move(excluded));
    if (std::string wider = core::widerSentence(chosen.set, suggested); !wider.empty())
        sentences.push_back(std::move(wider));
    if (suggested.isUseful())
        sentences.push_back(core::givesUpSentence(chosen.set, suggested));
    return displayLines(core::linesOf(sentences));
}

QString SuggestionView::statisticsWords(const core::PolicyChoice &made) const
{
    std::string text;
    if (made.chosen) {
        const core::SweepSetReport &chosen = made.policies[*made.chosen];
        const core::Suggestion &suggested = **chosen.suggestion;
        // What the answer left out comes first.
        if (!suggested.isUseful()) {
            std::vector<std::string> rest { core::alternativeSentence(chosen.set, suggested),
                core::givesUpSentence(chosen.set, suggested) };
            std::erase(rest, std::string());
            text = core::linesOf(rest) + "\n";
        }
        if (made.policies.size() == 1)
            text += core::linesOf(core::suggestionDetails(chosen.set, suggested));
    }
    if (made.policies.size() > 1)
        text += core::policyTable(made);
    return displayLines(text);
}

void SuggestionView::showText(const QString &answer, const QString &statistics)
{
    if (answer == m_answer && statistics == m_shownStatistics)
        return;
    m_answer = answer;
    m_shownStatistics = statistics;
    const bool isAlone = m_isAnswerElsewhere && !statistics.isEmpty();
    m_text->setPlainText(isAlone ? statistics : statistics.isEmpty() ? answer : answer + "\n\n"_L1 + statistics);
    const auto answerLines = isAlone ? 0 : answer.count(u'\n') + 1;
    for (QTextBlock block = m_text->document()->begin(); block.isValid(); block = block.next()) {
        QTextCursor cursor(block);
        if (block.blockNumber() < answerLines) {
            cursor.select(QTextCursor::BlockUnderCursor);
            QFont font = Theme::textFont(block.blockNumber() == 0 ? 13 : 12);
            font.setWeight(block.blockNumber() == 0 ? QFont::DemiBold : QFont::Normal);
            QTextCharFormat format;
            format.setFont(font);
            cursor.mergeCharFormat(format);
        } else if (isRow(block)) {
            QTextBlockFormat format;
            format.setNonBreakableLines(true);
            cursor.mergeBlockFormat(format);
        }
    }
    Q_EMIT answerChanged();
}

void SuggestionView::fillPolicies()
{
    m_policyMenu->clear();
    Suggestions &suggestions = m_model.suggestions();
    const core::PolicyPtr own = suggestions.own();
    const std::vector<core::PolicyPtr> others = suggestions.others();
    const auto offer = [&](const core::PolicyPtr &policy, bool isTicked) {
        QAction *action = m_policyMenu->addAction(displayText(policy->name));
        action->setCheckable(true);
        action->setChecked(isTicked);
        return action;
    };
    if (own)
        connect(offer(own, suggestions.hasOwn()), &QAction::toggled, &suggestions, &Suggestions::setHasOwn);
    m_policyMenu->addSeparator();
    std::vector<core::PolicyPtr> all = core::presets();
    std::ranges::copy(ownPolicies(), std::back_inserter(all));
    for (const core::PolicyPtr &policy : all) {
        if (policy->id == "none" || (own && policy->id == own->id))
            continue;
        const bool isTicked = std::ranges::contains(others, policy->id, [](const auto &each) { return each->id; });
        QAction *action = offer(policy, isTicked);
        action->setEnabled(suggestions.canTakePart(policy));
        connect(action, &QAction::toggled, &suggestions, [&suggestions, policy](bool isNow) {
            if (isNow)
                suggestions.add(policy);
            else
                suggestions.remove(policy->id);
        });
    }
}

QString SuggestionView::policiesWords() const
{
    const Suggestions &suggestions = m_model.suggestions();
    const size_t count = suggestions.others().size() + (suggestions.hasOwn() ? 1 : 0);
    return suggestions.hasOwn() && count == 1 ? tr("This Policy Only") : counted(count, tr("Policy"), tr("Policies"));
}

void SuggestionView::refresh()
{
    const QString state = stateWords();
    const Suggestions::ChoicePtr made = state.isEmpty() ? m_model.suggestions().current() : nullptr;
    const QString statistics = made ? statisticsWords(*made) : QString();
    m_statistics->setVisible(!statistics.isEmpty() && !m_isAnswerElsewhere);
    const bool hasDetails = m_isAnswerElsewhere || m_statistics->isChecked();
    showText(made ? answerWords(*made) : state, hasDetails ? statistics : QString());
    m_policies->setText(policiesWords());
    m_take->setVisible(m_model.isSuggestionUseful()); // it would be wrong beside an answer that nothing is better
    m_take->setToolTip(m_model.suggestedCell() ? tr("Moves the handle to the suggested settings")
                                               : tr("Chooses the suggested policy with its settings"));
    showUsualLimits();
    refreshWorst();
}

void SuggestionView::refreshWorst()
{
    const core::SweepSetReport *chosen = m_model.isSuggestionOfThis() ? m_model.suggestions().chosen() : nullptr;
    const core::Suggestion *made = chosen != nullptr ? &**chosen->suggestion : nullptr;
    m_worstTitle->setVisible(made != nullptr && !made->worst.empty());
    for (size_t i = 0; i < m_worst.size(); ++i) {
        QPushButton *button = m_worst[i];
        const bool isShown = made != nullptr && i < made->worst.size();
        if (!isShown) {
            button->hide();
            continue;
        }
        const core::RunSweep &run = chosen->set.runs[made->worst[i]];
        const QString name = QFileInfo(displayText(run.file)).fileName();
        const QString share = m_model.shown(made->aim, core::scaled(run, made->cell, made->aim));
        const QFontMetrics metrics(Theme::textFont(12));
        const int room = kWorst - metrics.horizontalAdvance(share);
        button->setText(share + u"  "_s + metrics.elidedText(name, Qt::ElideMiddle, room));
        button->setToolTip(toolTipText(displayText(core::runName(run))));
    }
    fitWorst();
}

void SuggestionView::fitWorst()
{
    const core::SweepSetReport *chosen = m_model.isSuggestionOfThis() ? m_model.suggestions().chosen() : nullptr;
    const size_t count = chosen != nullptr ? (*chosen->suggestion)->worst.size() : 0;
    int room = width() - m_worstTitle->sizeHint().width() - m_statistics->sizeHint().width() - kWorstGap;
    for (size_t i = 0; i < m_worst.size(); ++i) {
        room -= m_worst[i]->sizeHint().width() + kWorstGap;
        m_worst[i]->setVisible(i < count && room >= 0);
    }
}

void SuggestionView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    // In a narrow place the sentences stand below the limits, where they have more room.
    m_parts->setDirection(
        width() < kTextNeeds && height() > width() ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    fitWorst();
}

void SuggestionView::applyTheme()
{
    const Theme &theme = m_model.state().theme();
    QPalette quiet = theme.palette();
    quiet.setColor(QPalette::WindowText, theme.secondary);
    for (QLabel *name : std::as_const(m_names))
        name->setPalette(quiet);
    m_noBytes->setTheme(theme);
    m_noBytes->setFont(Theme::textFont(12));
    m_text->setPalette(theme.palette());
    m_text->setFont(Theme::figureFont(11));
    setStyleSheet(
        u"QLineEdit { background: %1; color: %2; border: 1px solid %3; border-radius: 4px; padding: 1px 5px; }"
        "QLineEdit:focus { border-color: %4; } QTextEdit { background: %1; color: %2; border: none; }"
        "QPushButton { padding: 2px 8px; }"
        "QPushButton::menu-indicator { subcontrol-origin: padding; subcontrol-position: right center; right: 6px; }"
        "QPushButton:flat { text-align: left; border: none; padding: 0; color: %4; background: %1; }"_s.arg(
            theme.base.name(), theme.text.name(), theme.hairline.name(), theme.accent.name()));
    applyLimits();
}

} // namespace ui
