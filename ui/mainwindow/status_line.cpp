// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/status_line.h"

#include "core/base/text.h"
#include "core/session/slot_label.h"
#include "ui/hub/thread_facts.h"
#include "ui/mainwindow/live_status.h"
#include "ui/policy/hand_changes.h"
#include "ui/widgets/elided_label.h"

#include <QLabel>
#include <QStatusBar>

namespace ui {

using namespace Qt::StringLiterals;
using core::SlotIndex;

StatusLine::StatusLine(ViewState &state, QStatusBar &bar)
    : QObject(&bar)
    , m_state(state)
    , m_left(new ElidedLabel(&bar))
    , m_right(new QLabel(&bar))
{
    m_left->setObjectName(u"statusLeft"_s);
    m_left->setTextFormat(Qt::PlainText);
    for (QLabel *label : { m_left, m_right })
        label->setFont(Theme::textFont(12));
    m_left->setMinimumWidth(10);
    bar.addWidget(m_left, 1);
    bar.addPermanentWidget(new LiveStatus(state, &bar));
    bar.addPermanentWidget(m_right);
    bar.setSizeGripEnabled(false);
    connect(&state, &ViewState::currentChanged, this, &StatusLine::refresh);
    connect(&state, &ViewState::pictureChanged, this, &StatusLine::refresh);
    connect(&state, &ViewState::hoverChanged, this, &StatusLine::refresh);
    connect(&state.workspace(), &Workspace::planChanged, this, &StatusLine::refresh);
    connect(&state.workspace().facts().traces(), &Traces::changed, this, &StatusLine::refresh);
}

void StatusLine::say(const QString &sentence, const QString &details)
{
    m_left->setText(sentence);
    m_left->setToolTip(toolTipText(details.isEmpty() ? sentence : sentence + u"\n\n"_s + details));
}

QString StatusLine::leftText() const
{
    if (!m_state.session())
        return {};
    const core::BlockId hovered = m_state.hoveredBlock();
    const Traces &traces = m_state.workspace().facts().traces();
    if (!hovered.isValid() && traces.current()) {
        const Traced &traced = traces.at(*traces.current());
        return traced.name + u": "_s + (traced.life ? traced.verdict : tr("being traced"));
    }
    return blockWords(hovered.isValid() ? hovered : m_state.currentBlock());
}

QString StatusLine::blockWords(core::BlockId shown) const
{
    const core::Session &session = *m_state.session();
    if (!shown.isValid() || shown.index() >= session.blocks.size())
        return {};
    const core::Block &block = session.block(shown);
    const SlotIndex slot = m_state.picture().before.slotOf(shown);
    const core::SlotLabel label = core::labelOf(session, block);
    QString words;
    if (slot.isValid())
        words += u"[%1] "_s.arg(slot.value());
    if (block.message.isValid())
        words += u"#%1 "_s.arg(block.message.value());
    words += displayText(label.text());
    if (!label.subject.empty())
        words += u" · "_s + displayText(core::snippet(label.subject, 60));
    words += u" · "_s + displayText(core::groupedNumber(block.lengths.codePoints)) + tr(" characters");
    const core::Weights weights(m_state.workspace().tokens(), core::WeightUnit::Tokens);
    words += u" · "_s + displayText(weights.shown(session, std::span(&shown, 1))) + tr(" tokens");
    if (!slot.isValid())
        return words;
    const core::Transcript &array = m_state.picture().before;
    const auto blocks = array.blocksOf(array.slot(slot));
    if (blocks.size() > 1) // the array shows the figure of the slot
        words += tr(" of the slot’s %1").arg(displayText(weights.shown(weights.of(array, array.slot(slot)), blocks)));
    return words;
}

QString StatusLine::selectionWords() const
{
    const ArrayPicture &picture = m_state.picture();
    const auto selected = static_cast<qulonglong>(m_state.selection().size());
    QString words = HandChanges::words(m_state.workspace().plan());
    words += (words.isEmpty() ? u""_s : u" · "_s) + counted(picture.before.slotCount(), tr("slot"), tr("slots"));
    if (selected > 0)
        words += u" · "_s + tr("%1 selected").arg(selected);
    if (selected > 1) {
        double sum = 0;
        for (const SlotIndex slot : m_state.selection())
            sum += picture.weights.of(picture.before, picture.before.slot(slot));
        words += u", "_s + displayText(picture.weights.shown(sum)) + u' ' + displayText(picture.weights.unitName());
    }
    return words;
}

void StatusLine::setShowsArray(bool shows)
{
    m_showsArray = shows;
    refresh();
}

void StatusLine::refresh()
{
    if (!m_state.session() || !m_showsArray) {
        m_left->setToolTip({});
        m_left->clear();
        m_right->clear();
        return;
    }
    const QString words = leftText();
    m_left->setText(words);
    m_left->setToolTip(toolTipText(words + u'\n'
        + tr("[n] is a place in this array, #n the number of a message in the session. Both begin at 0.")));
    m_right->setText(selectionWords());
}

} // namespace ui
