// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/message/block_facts.h"

#include "core/base/text.h"
#include "core/session/slot_label.h"
#include "ui/message/message_panel.h"
#include "ui/message/original_text.h"

#include <QDateTime>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

/// Why a provider would refuse the current slot in the `after` array; empty without a fault.
QString notValid(const ViewState &state)
{
    const core::CompactionPtr &made = state.picture().made();
    const core::SlotIndex slot = state.currentSlot();
    if (!made || !slot.isValid() || slot.index() >= made->afterOf.size() || !made->afterOf[slot.index()].isValid())
        return {};
    const auto found = std::ranges::find(made->validity, made->afterOf[slot.index()], &core::Violation::slot);
    return found == made->validity.end()
        ? QString()
        : MessagePanel::tr("not valid after the compaction: %1").arg(displayText(found->sentence));
}

} // namespace

std::vector<core::BlockId> blocksBeside(const ViewState &state, core::BlockId id)
{
    const ArrayPicture &picture = state.picture();
    for (const core::Transcript *transcript : { &picture.before, &picture.after }) {
        const bool isBefore = transcript == &picture.before;
        const bool isForeign = isBefore ? state.addedBlock().isValid() : picture.observed != nullptr; // of another file
        const core::SlotIndex slot
            = id.isValid() && transcript->session() && !isForeign ? transcript->slotOf(id) : core::SlotIndex();
        if (!slot.isValid())
            continue;
        const auto blocks = transcript->blocksOf(transcript->slot(slot));
        return { blocks.begin(), blocks.end() };
    }
    return {};
}

std::vector<FactsLine::Part> blockTitle(const ViewState &state, core::BlockId id)
{
    using Voice = FactsLine::Voice;
    const core::Session &session = *state.shownSession();
    const core::Block &shown = session.block(id);
    const ArrayPicture &picture = state.picture();
    std::vector<FactsLine::Part> title;
    const bool isAdded = state.addedBlock().isValid();
    if (const core::SlotIndex slot
        = picture.before.session() && !isAdded ? picture.before.slotOf(id) : core::SlotIndex();
        slot.isValid())
        title.push_back({ u"[%1]"_s.arg(slot.value()), Voice::Figure });
    else if (const core::SlotIndex after
        = picture.hasAfter() && !picture.observed ? picture.after.slotOf(id) : core::SlotIndex();
        after.isValid())
        title.push_back({ MessagePanel::tr("after [%1]").arg(after.value()), Voice::Figure });
    if (shown.message.isValid())
        title.push_back({ u"#%1"_s.arg(shown.message.value()), Voice::Figure });
    const core::SlotLabel label = core::labelOf(session, shown);
    title.push_back({ displayText(label.text()), Voice::Strong });
    if (!label.subject.empty())
        title.push_back({ displayText(label.subject), Voice::Secondary });
    return title;
}

std::vector<FactsLine::Part> blockSizes(const ViewState &state, core::BlockId block)
{
    const core::Session &session = *state.shownSession();
    std::vector<FactsLine::Part> parts;
    const core::WeightUnit chosen = state.unit();
    const auto &tokens
        = state.addedBlock().isValid() ? state.picture().weightsAfter.tokens() : state.workspace().tokens();
    const auto add = [&](core::WeightUnit unit) {
        const core::Weights weights(tokens, unit);
        const QString words = QString::fromStdString(weights.shown(session, std::span(&block, 1))) + u' '
            + QString::fromUtf8(weights.unitName());
        parts.push_back({ words, unit == chosen ? FactsLine::Voice::Strong : FactsLine::Voice::Secondary });
    };
    add(chosen);
    for (const auto unit : { core::WeightUnit::Tokens, core::WeightUnit::Characters, core::WeightUnit::Bytes }) {
        if (unit != chosen)
            add(unit);
    }
    return parts;
}

std::vector<FactsLine::Part> blockFacts(const ViewState &state, core::BlockId id, const BlockCalls::Count &calls,
    const std::vector<FactsLine::Part> &sizeParts)
{
    using Voice = FactsLine::Voice;
    const core::Session &session = *state.shownSession();
    const ArrayPicture &picture = state.picture();
    const core::Block &shown = session.block(id);
    QStringList facts;
    for (size_t i = 1; i < sizeParts.size(); ++i)
        facts << sizeParts[i].text;
    if (shown.recordLine > 0)
        facts << MessagePanel::tr("line %1").arg(groupedText(shown.recordLine));
    if (const auto time = session.timeOf(id))
        facts << QDateTime::fromMSecsSinceEpoch(*time).toString(u"yyyy-MM-dd HH:mm:ss"_s);
    if (calls.sent > 0)
        facts << (calls.sent == 1 ? MessagePanel::tr("sent with 1 call")
                                  : MessagePanel::tr("sent with %1 calls").arg(groupedText(calls.sent)));
    if (calls.unsure > 0)
        facts << MessagePanel::tr("perhaps with %1 more").arg(groupedText(calls.unsure));
    std::vector<FactsLine::Part> parts;
    if (const core::HotBlock *hot = picture.hotBlock(picture.before.slotOf(id), id))
        parts.push_back({ hot->reason.empty() ? MessagePanel::tr("HOT")
                                              : MessagePanel::tr("HOT · %1").arg(displayText(hot->reason)),
            Voice::Hot });
    if (const auto what = state.workspace().overrideOf(id))
        parts.push_back(
            { *what == Workspace::Override::Keep ? MessagePanel::tr("pinned") : MessagePanel::tr("dropped by you"),
                Voice::Strong });
    if (state.workspace().plans().textOf(id) != nullptr)
        parts.push_back({ MessagePanel::tr("edited"), Voice::Strong });
    if (state.addedBlock().isValid())
        parts.push_back({ addedWords(picture, id), Voice::Strong });
    else if (const QString words = changeWords(state, id); !words.isEmpty())
        parts.push_back({ words, Voice::Strong });
    if (const QString sentence = notValid(state); !state.addedBlock().isValid() && !sentence.isEmpty())
        parts.push_back({ sentence, Voice::Hot });
    parts.push_back({ facts.join(u" · "_s), Voice::Secondary });
    return parts;
}

QString bodySentence(
    const BodyForm &form, const core::Session &session, core::BlockId id, bool isRaw, std::string_view file)
{
    const core::Block &block = session.block(id);
    const QString mediaType = displayText(session.string(block.name));
    switch (form.kind) {
    case FormKind::Empty:
        return isRaw ? MessagePanel::tr("This block is not in the file: the harness added it when it sent the request. "
                                        "Body shows its text.")
                     : MessagePanel::tr("This block is empty.");
    case FormKind::Encrypted:
        return MessagePanel::tr("Only the provider can read this block: it is recorded encrypted, %1 bytes of base64.")
            .arg(groupedText(block.body.size));
    case FormKind::Binary:
        return MessagePanel::tr(
            "A document of type %1, %2 bytes of base64. It is not shown here; Save Body As writes it to a file.")
            .arg(mediaType.isEmpty() ? MessagePanel::tr("unknown") : mediaType, groupedText(block.body.size));
    case FormKind::Unreadable:
        return MessagePanel::tr("The file %1 cannot be read.").arg(displayText(file));
    default:
        return {};
    }
}

} // namespace ui
