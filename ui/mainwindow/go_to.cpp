// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/go_to.h"

#include "core/edits/tool_changes.h"
#include "ui/hub/bookmarks.h"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QInputDialog>
#include <QPushButton>
#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

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

QString translated(const char *words) { return QCoreApplication::translate("ui::GoTo", words); }

/// A place as the window writes it: `call 18` or `18`, `slot 3` or `[3]`, `message 7` or `#7`.
struct Place {
    enum class Kind : uint8_t { Call, Slot, Message };
    Kind kind = Kind::Call;
    uint32_t number = 0;
};

std::optional<Place> parsePlace(const QString &answer)
{
    static const QRegularExpression form(uR"(^\s*(?:(call)|(slot)|(message))?\s*(#|\[)?\s*(\d+)\s*\]?\s*$)"_s,
        QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch match = form.match(answer);
    bool isNumber = false;
    Place place;
    place.number = match.captured(5).toUInt(&isNumber);
    if (!isNumber)
        return std::nullopt;
    if (match.hasCaptured(3) || match.captured(4) == u"#"_s)
        place.kind = Place::Kind::Message;
    else if (match.hasCaptured(2) || match.captured(4) == u"["_s)
        place.kind = Place::Kind::Slot;
    return place;
}

} // namespace

QString problemOfPlace(const ViewState &state, const QString &answer)
{
    const auto place = parsePlace(answer);
    if (!place)
        return answer.trimmed().isEmpty() ? QString() : translated("“%1” is not a place").arg(answer.trimmed());
    const core::Session &session = *state.session();
    const size_t calls = session.thread(state.position().thread).calls.size();
    const size_t slotCount = state.picture().before.slotCount();
    if (place->kind == Place::Kind::Call && place->number >= calls)
        return translated("There is no call %1; the last one is %2").arg(place->number).arg(qsizetype(calls) - 1);
    if (place->kind == Place::Kind::Slot && place->number >= slotCount)
        return translated("There is no slot %1; the last one is %2").arg(place->number).arg(qsizetype(slotCount) - 1);
    if (place->kind == Place::Kind::Message && place->number >= session.messages.size())
        return translated("There is no message #%1").arg(place->number);
    if (place->kind == Place::Kind::Message && session.message(core::MessageId(place->number)).count == 0)
        return translated("Message #%1 is empty: nothing of it was recorded").arg(place->number);
    return {};
}

void goToPlace(ViewState &state, const QString &answer)
{
    const auto place = parsePlace(answer);
    if (!place || !problemOfPlace(state, answer).isEmpty())
        return;
    switch (place->kind) {
    case Place::Kind::Call:
        return state.setPosition({ state.position().thread, core::CallIndex(place->number) });
    case Place::Kind::Slot:
        return state.setCurrentSlot(core::SlotIndex(place->number));
    case Place::Kind::Message:
        return goToMessage(state, core::MessageId(place->number));
    }
}

void askWhereToGo(ViewState &state, QWidget *parent)
{
    if (!state.session())
        return;
    auto *dialog = new QInputDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(translated("Go To"));
    const QString words = translated("A call (18), a slot ([3]) or a message (#7)");
    dialog->setLabelText(words);
    QObject::connect(dialog, &QInputDialog::textValueChanged, dialog, [dialog, &state, words](const QString &answer) {
        const QString problem = problemOfPlace(state, answer);
        dialog->setLabelText(problem.isEmpty() ? words : problem);
        dialog->findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok)->setEnabled(problem.isEmpty());
    });
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

void goToBookmark(ViewState &state, int direction)
{
    const std::vector<core::BlockId> &places = state.workspace().bookmarks().places();
    if (places.empty())
        return;
    const core::BlockId current = state.currentBlock();
    if (!current.isValid())
        return state.goTo(direction > 0 ? places.front() : places.back());
    const core::Session &session = *state.session();
    const core::MessageId message = session.block(current).message;
    const core::BlockId here = message.isValid() ? session.message(message).first : current;
    const auto next = direction > 0 ? std::ranges::upper_bound(places, here) : std::ranges::lower_bound(places, here);
    if (direction > 0)
        return state.goTo(next == places.end() ? places.front() : *next);
    state.goTo(next == places.begin() ? places.back() : *std::prev(next));
}

bool mayShowEdit(const ViewState &state)
{
    const core::BlockId current = state.currentBlock();
    if (!state.session() || !current.isValid() || current.index() >= state.session()->blocks.size())
        return false;
    const core::Session &session = *state.session();
    const auto asks = [&session](const core::Block &block) {
        return block.kind == core::BlockKind::ToolCall && !core::changesOf(session, block).empty();
    };
    const core::Block &block = session.block(current);
    if (block.kind == core::BlockKind::ToolResult) {
        // Its call is in a message before.
        for (size_t i = current.index(); block.callId.isValid() && i-- > 0;) {
            if (session.blocks[i].kind == core::BlockKind::ToolCall && session.blocks[i].callId == block.callId)
                return asks(session.blocks[i]);
        }
        return false;
    }
    if (!block.message.isValid())
        return asks(block);
    const core::Message &message = session.message(block.message);
    const auto first = session.blocks.begin() + static_cast<std::ptrdiff_t>(message.first.index());
    return std::any_of(first, first + message.count, asks);
}

std::optional<core::ThreadIndex> subagentOf(const ViewState &state)
{
    const core::BlockId current = state.currentBlock();
    if (!state.session() || !current.isValid() || current.index() >= state.session()->blocks.size())
        return std::nullopt;
    const core::Session &session = *state.session();
    const core::StringId callId = session.block(current).callId;
    for (size_t i = 0; i < session.threads.size(); ++i) {
        const core::BlockId parent = session.threads[i].parentCall;
        if (parent.isValid() && (parent == current || (callId.isValid() && session.block(parent).callId == callId)))
            return core::ThreadIndex(i);
    }
    return std::nullopt;
}

void openSubagent(ViewState &state)
{
    if (const auto thread = subagentOf(state))
        state.setPosition(state.heaviestPosition(*thread));
}

} // namespace ui
