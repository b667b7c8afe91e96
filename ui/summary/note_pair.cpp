// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/summary/note_pair.h"

#include "core/compaction/texts.h"
#include "core/findings/simulated_loss.h"
#include "core/tokens/array_weights.h"
#include "ui/hub/run_figures.h"

#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QTableWidget>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kTypingPause = 400; ///< without a key press, before the coverage is computed

/// Text of several lines.
QString displayLines(std::string_view text)
{
    QStringList lines;
    for (const std::string_view line : core::splitLines(text, core::LineRule::JavaScript))
        lines << displayText(line);
    return lines.join(u'\n');
}

core::Result<core::CompactionLoss> lossOf(
    const core::Compaction &compaction, const SummaryGround &ground, core::Progress &progress)
{
    auto loss = core::simulatedLoss(compaction, ground.options.position, ground.counted, *ground.prices, &progress);
    if (!loss)
        return core::failure(core::ErrorKind::Cancelled, "Cancelled.");
    return std::move(*loss);
}

core::Result<std::vector<core::NoteCoverage>> coverageOf(
    const SummaryGround &ground, const std::string &note, core::Progress &progress)
{
    std::vector<core::NoteCoverage> notes;
    auto current = lossOf(*ground.compaction, ground, progress);
    if (!current)
        return std::unexpected(current.error());
    notes.push_back({ "the summary as it is", std::move(*current) });
    if (note.empty())
        return notes;
    const auto policy = core::withNote(*ground.compaction->policy, note);
    if (!policy)
        return std::unexpected(policy.error());
    const core::Transcript &before = ground.compaction->before;
    const core::BlockTokensPtr tokens
        = core::tokensAt(*before.session(), core::rangesAt(*before.session(), ground.options.position), ground.counted);
    const core::Compaction made
        = core::compact(before, std::make_shared<const core::Policy>(*policy), *tokens, ground.options);
    auto loss = lossOf(made, ground, progress);
    if (!loss)
        return std::unexpected(loss.error());
    notes.push_back({ "the note", std::move(*loss) });
    return notes;
}

} // namespace

SummaryGround SummaryGround::of(const ViewState &state)
{
    const Workspace &workspace = state.workspace();
    const Plan &plan = workspace.plan();
    SummaryGround ground;
    ground.counted = workspace.tokens();
    ground.prices = workspace.figures().prices();
    if (!ground.prices)
        ground.prices = std::make_shared<const core::Prices>(core::Prices::bundled());
    if (plan.policy && !state.isPlanning())
        ground.compaction = state.picture().simulated;
    ground.options.position = state.position();
    ground.options.ignoresTriggers = !plan.honoursTriggers;
    ground.options.overrides = plan.overrides;
    ground.options.memo = workspace.memo();
    ground.options.sums = workspace.sums(state.position().thread);
    return ground;
}

std::string SummaryGround::currentNote() const
{
    if (!compaction)
        return {};
    for (const core::Rewrite &each : compaction->rewrites) {
        if (each.fate == core::Fate::Summarised && each.made.isValid())
            return compaction->after.session()->text(compaction->after.block(each.made).body);
    }
    return {};
}

NotePair::NotePair(QWidget *parent)
    : QWidget(parent)
    , m_current(new QPlainTextEdit(this))
    , m_note(new QPlainTextEdit(this))
    , m_table(new QTableWidget(this))
{
    m_current->setReadOnly(true);
    m_current->setObjectName(u"summaryNow"_s);
    m_note->setObjectName(u"summaryNote"_s);
    m_note->setPlaceholderText(
        tr("The note appears here while the model writes it. It can be edited, or written by hand."));
    m_table->setObjectName(u"summaryCoverage"_s);
    for (QPlainTextEdit *edit : { m_current, m_note }) {
        edit->setFont(Theme::figureFont());
        edit->setTabChangesFocus(true);
    }
    m_table->verticalHeader()->hide();
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionMode(QAbstractItemView::NoSelection);
    m_table->setFocusPolicy(Qt::NoFocus);
    m_table->setShowGrid(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    const auto title = [this](const QString &words) {
        auto *label = new QLabel(words, this);
        label->setFont(Theme::strongFont());
        return label;
    };
    auto *layout = new QGridLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->addWidget(title(tr("Summary as It Is")), 0, 0);
    layout->addWidget(title(tr("Note")), 0, 1);
    layout->addWidget(m_current, 1, 0);
    layout->addWidget(m_note, 1, 1);
    layout->addWidget(m_table, 2, 0, 1, 2);
    layout->setRowStretch(1, 1);
    layout->setColumnStretch(0, 1);
    layout->setColumnStretch(1, 1);
    m_delay.setSingleShot(true);
    m_delay.setInterval(kTypingPause);
    connect(&m_delay, &QTimer::timeout, this, &NotePair::compare);
    connect(m_note, &QPlainTextEdit::textChanged, this, [this] {
        m_delay.start();
        Q_EMIT noteChanged();
    });
    showCoverage({});
}

void NotePair::setGround(const SummaryGround &ground)
{
    m_ground = ground;
    m_current->setPlainText(displayLines(ground.currentNote()));
    compare();
}

void NotePair::clearNote() { m_note->clear(); }

void NotePair::addText(const QString &text)
{
    QTextCursor cursor(m_note->document());
    cursor.movePosition(QTextCursor::End);
    cursor.insertText(text);
}

void NotePair::setEditable(bool isEditable) { m_note->setReadOnly(!isEditable); }
void NotePair::setNote(const QString &text) { m_note->setPlainText(text); }
QString NotePair::note() const { return m_note->toPlainText(); }

void NotePair::compare()
{
    m_delay.stop();
    if (!m_ground.compaction)
        return showCoverage({});
    m_job.start(
        this,
        [ground = m_ground, note = note().trimmed().toStdString()](
            core::Progress &progress) { return coverageOf(ground, note, progress); },
        [this](const core::Result<std::vector<core::NoteCoverage>> &notes) {
            showCoverage(notes.value_or(std::vector<core::NoteCoverage>()));
            Q_EMIT compared();
        });
}

void NotePair::showCoverage(const std::vector<core::NoteCoverage> &notes)
{
    std::vector<std::vector<std::string>> rows = core::coverageRows(notes);
    if (notes.empty())
        rows.resize(1); // the head alone
    m_table->clear();
    m_table->setRowCount(static_cast<int>(rows.size()) - 1);
    m_table->setColumnCount(static_cast<int>(rows.front().size()));
    for (size_t row = 0; row < rows.size(); ++row) {
        for (size_t column = 0; column < rows[row].size(); ++column) {
            auto *item = new QTableWidgetItem(displayText(rows[row][column]));
            item->setTextAlignment((column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
            if (row == 0)
                m_table->setHorizontalHeaderItem(static_cast<int>(column), item);
            else
                m_table->setItem(static_cast<int>(row) - 1, static_cast<int>(column), item);
        }
    }
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->resizeRowsToContents();
    int height = m_table->horizontalHeader()->sizeHint().height() + 2;
    for (int row = 0; row < m_table->rowCount(); ++row)
        height += m_table->rowHeight(row);
    m_table->setFixedHeight(height);
    m_table->setVisible(!notes.empty());
}

} // namespace ui
