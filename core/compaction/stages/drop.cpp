// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/stages/kinds.h"

namespace core::stages {

using Type = ParameterSpec::Type;

StageKind dropImages()
{
    return { "drop-images", "Drop images", "Old images go; a note stands in their place.",
        {
            { "note", Type::Text, "What stands in its place; nothing if empty", std::string("[image removed]") },
            { "documents", Type::Switch, "Documents go too", false },
        },
        [](const StageParameters &stage) -> BlockRule {
            return { BlockRule::Reach::BeforeCutoff,
                [documents = stage.isOn("documents")](const Block &block) {
                    return block.kind == BlockKind::Image || (block.kind == BlockKind::Document && documents);
                },
                [note = stage.text("note")](const BlockPool &pool, BlockId id) -> std::optional<BlockChange> {
                    return pool.textChange(
                        id, note, note.empty() ? Fate::Dropped : Fate::Cleared, "image before the keep window");
                } };
        } };
}

StageKind dropThinking()
{
    return { "drop-thinking", "Drop old thinking", "Thinking of old messages goes.",
        { { "turns", Type::Count, "Thinking of the last turns stays", 1.0, 0, 1e6, "turns" } }, nullptr,
        [](StageRun &run) {
            // The turns of the API: from one text of the user to the next.
            Draft &draft = run.draft();
            uint64_t turns = 0;
            size_t end = 0;
            for (size_t i = draft.messages().size(); i > 0 && end == 0; --i) {
                bool isTyped = false;
                for (const Draft::Element &element : draft.elementsOf(draft.messages()[i - 1]))
                    isTyped = isTyped || draft.block(element.block).is(BlockFlag::Typed);
                turns += isTyped ? 1 : 0;
                if (turns >= run.count("turns") && isTyped)
                    end = draft.messages()[i - 1].first;
            }
            if (run.count("turns") == 0)
                end = draft.elements().size();
            run.forEach([&](size_t element) {
                if (element < end && draft.blockOf(element).kind == BlockKind::Thinking)
                    run.drop(element, "thinking of an old turn");
            });
        } };
}

} // namespace core::stages
