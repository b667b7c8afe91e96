// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/rewrites/rewrite_diff.h"

#include "core/session/slot_label.h"
#include "ui/look/fate_word.h"
#include "ui/rewrites/rewrite_texts.h"
#include "ui/rewrites/rewrites_panel.h"

namespace ui {

using namespace Qt::StringLiterals;

namespace {

core::Result<TextDocumentPtr> documentOf(core::Result<std::string> text)
{
    if (!text)
        return std::unexpected(text.error());
    return std::make_shared<const TextDocument>(std::move(*text));
}

bool isPath(std::string_view subject)
{
    return subject.find_first_of("/.") != std::string_view::npos && subject.find(' ') == std::string_view::npos;
}

/// `[17] #412 content/0`
QString placeOf(const core::Compaction &compaction, const core::Rewrite &rewrite)
{
    const core::SlotIndex slot = compaction.before.slotOf(rewrite.block);
    QString place = slot.isValid() ? u"[%1] "_s.arg(slot.value()) : QString();
    place += u"#%1"_s.arg(compaction.before.block(rewrite.block).message.value());
    return rewrite.pointer.empty() ? place : place + u' ' + displayText(rewrite.pointer).remove(0, 1);
}

} // namespace

DiffInput rewriteDiff(const core::CompactionPtr &made, const core::Rewrite &rewrite)
{
    const bool hasBefore = rewrite.block.isValid();
    const core::Session &session = *(hasBefore ? made->before : made->after).session();
    const core::Block &block = session.block(hasBefore ? rewrite.block : rewrite.made);
    const std::string subject = core::labelOf(session, block).subject;
    DiffInput input;
    input.before.title = hasBefore ? RewritesPanel::tr("before · %1").arg(placeOf(*made, rewrite))
                                   : RewritesPanel::tr("before · nothing");
    input.after.title = rewrite.made.isValid() ? RewritesPanel::tr("after · %1").arg(fateWord(rewrite.fate))
                                               : RewritesPanel::tr("after · nothing, %1").arg(fateWord(rewrite.fate));
    // Each has a copy of the rewrite: the compaction of the panel may be another one by then.
    input.before.read = [made, rewrite] { return documentOf(textBefore(*made, rewrite)); };
    input.after.read = [made, rewrite] { return documentOf(textAfter(*made, rewrite)); };
    if (isPath(subject) && block.kind != core::BlockKind::Text)
        input.language.fileName = subject;
    input.isProse = block.kind == core::BlockKind::Text || block.kind == core::BlockKind::Thinking;
    return input;
}

DiffInput artifactDiff(const core::CompactionPtr &made, const core::Artifact &artifact)
{
    const QString blocks = counted(artifact.blocks.size(), RewritesPanel::tr("block"), RewritesPanel::tr("blocks"));
    DiffInput input;
    input.before.title = RewritesPanel::tr("original · %1").arg(blocks);
    input.after.title = RewritesPanel::tr("artifact · %1").arg(displayText(artifact.name));
    input.before.read = [made, artifact] { return documentOf(originalOf(*made, artifact)); };
    input.after.read = [made, artifact] { return documentOf(made->textOf(artifact)); };
    return input;
}

} // namespace ui
