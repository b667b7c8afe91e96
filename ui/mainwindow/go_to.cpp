// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/go_to.h"

#include <QCoreApplication>
#include <QInputDialog>

namespace ui {

namespace {

void goToMessage(ViewState &state, core::MessageId id)
{
    const core::Session &session = *state.session();
    const core::SlotIndex slot = state.picture().before.slotOf(id);
    if (slot.isValid())
        state.setCurrentSlot(slot);
    else if (id.index() < session.messages.size() && session.message(id).count > 0)
        state.setCurrentBlock(session.message(id).first); // not in this array, but its body can be read
}

void goToPlace(ViewState &state, const QString &answer)
{
    QString text = answer.trimmed();
    const bool isMessage = text.startsWith(u'#');
    const bool isSlot = text.startsWith(u'[');
    text.remove(u'#').remove(u'[').remove(u']');
    bool isNumber = false;
    const uint number = text.toUInt(&isNumber);
    const core::ThreadIndex thread = state.position().thread;
    if (!isNumber)
        return;
    if (isSlot)
        state.setCurrentSlot(core::SlotIndex(number));
    else if (isMessage)
        goToMessage(state, core::MessageId(number));
    else if (number < state.session()->thread(thread).calls.size())
        state.setPosition({ thread, core::CallIndex(number) });
}

} // namespace

void askWhereToGo(ViewState &state, QWidget *parent)
{
    if (!state.session())
        return;
    const auto tr = [](const char *words) { return QCoreApplication::translate("ui::GoTo", words); };
    auto *dialog = new QInputDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Go To"));
    dialog->setLabelText(tr("#n for a message, [n] for a slot, or the number of a call"));
    QObject::connect(dialog, &QInputDialog::textValueSelected, &state,
        [&state](const QString &answer) { goToPlace(state, answer); });
    dialog->open();
}

void goToCompaction(ViewState &state, int direction)
{
    if (!state.session())
        return;
    const core::Position at = state.position();
    std::optional<core::CallIndex> nearest;
    for (const core::RecordedCompaction &each : state.session()->thread(at.thread).compactions) {
        const bool isAhead = direction > 0 ? !at.isEnd() && each.call.isValid() && each.call > at.call
                                           : each.call.isValid() && (at.isEnd() || each.call < at.call);
        if (isAhead && (!nearest || (direction > 0 ? each.call < *nearest : each.call > *nearest)))
            nearest = each.call;
    }
    if (nearest)
        state.setPosition({ at.thread, *nearest });
}

} // namespace ui
