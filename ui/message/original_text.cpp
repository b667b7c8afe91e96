// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/message/original_text.h"

#include "core/base/text.h"
#include "ui/look/fate_word.h"
#include "ui/message/message_panel.h"

#include <algorithm>
#include <ranges>

namespace ui {

using namespace Qt::StringLiterals;

OriginalText::OriginalText(ViewState &state, QWidget *parent)
    : ToggleButton(tr("Original"), Kind::Toggle, parent)
    , m_state(state)
{
    setObjectName(u"originalText"_s);
    setToolTip(tr("Shows the recorded text. Otherwise the text that stands in its place after the compaction"));
    hide();
    connect(this, &QAbstractButton::clicked, this, [this](bool isOriginal) { m_state.setShowsChange(!isOriginal); });
}

void OriginalText::refresh()
{
    setVisible(m_state.changeOfCurrent().isValid());
    setChecked(!m_state.shownChange().isValid());
}

namespace {

QString standInWords(const ArrayPicture &picture, core::BlockId block)
{
    const core::CompactionPtr &made = picture.made();
    if (!made || !made->assumedSummary || !picture.after.block(block).is(core::BlockFlag::Summary))
        return {};
    return MessagePanel::tr("a stand-in for the summary that a model would write; %1 tokens are assumed")
        .arg(displayText(core::shortNumber(made->assumedSummary->tokens)));
}

} // namespace

QString changeWords(const ViewState &state, core::BlockId block)
{
    const core::BlockId change = state.shownChange();
    if (!change.isValid())
        return {};
    const ArrayPicture &picture = state.picture();
    const auto isOfChange = [&](const core::Rewrite &each) { return each.block == block && each.made == change; };
    const auto last = std::ranges::find_if(picture.made()->rewrites | std::views::reverse, isOfChange);
    const bool isFound = last != (picture.made()->rewrites | std::views::reverse).end();
    const auto shown = [](const core::Weights &weights, const core::Session &session, core::BlockId id) {
        return displayText(weights.shown(session, std::span(&id, 1)));
    };
    const QString words = MessagePanel::tr("text after the compaction: %1, %2 → %3 %4")
                              .arg(isFound ? fateWord(last->fate) : MessagePanel::tr("changed"),
                                  shown(picture.weights, *state.session(), block),
                                  shown(picture.weightsAfter, *picture.after.session(), change),
                                  displayText(picture.weights.unitName()));
    const QString standIn = standInWords(picture, change);
    return standIn.isEmpty() ? words : words + u" · "_s + standIn;
}

QString addedWords(const ArrayPicture &picture, core::BlockId block)
{
    const bool isRecorded = !picture.observed && block.index() < picture.before.session()->blocks.size();
    if (isRecorded)
        return MessagePanel::tr("recorded, and not in the recorded array of this call");
    QString words = standInWords(picture, block);
    if (words.isEmpty())
        words = MessagePanel::tr("added by the policy or by you, not recorded");
    const std::vector<core::BlockId> back = picture.putBackWith(block);
    if (back.empty())
        return words;
    return MessagePanel::tr("%1; beside it in this slot, put back by the policy: %2, %3 %4")
        .arg(words, counted(back.size(), MessagePanel::tr("text"), MessagePanel::tr("texts")),
            displayText(picture.weightsAfter.shown(*picture.after.session(), back)),
            displayText(picture.weightsAfter.unitName()));
}

} // namespace ui
