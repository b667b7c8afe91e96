// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/live_stage.h"
#include "core/compaction/stages/kinds.h"

#include <algorithm>

namespace core::stages {

using Type = ParameterSpec::Type;

StageKind dropImages()
{
    return { "drop-images", "Drop images", "Replaces old images with a note, or removes them.",
        {
            { "note", Type::Text, "Replaces each image; empty removes it", std::string("[image removed]") },
            { "documents", Type::Switch, "Also for documents", false },
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

namespace {

/// Turns as in the API: from one user text to the next.
void applyDropThinking(StageRun &run)
{
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
}

class LiveThinking final : public LiveSelection {
public:
    LiveThinking(const StageParameters &parameters, BlockPool &pool)
        : LiveSelection(parameters, pool)
        , m_turns(parameters.count("turns"))
    {
        auto change = std::make_shared<BlockChange>();
        change->fate = Fate::Dropped;
        m_change = std::move(change);
    }

private:
    [[nodiscard]] size_t placeOf(size_t candidate) const override { return m_places[candidate]; }
    void forget() override { m_places.clear(); }
    void push(const LiveArray &in, size_t place) override
    {
        if (in.blockAt(place).kind == BlockKind::Thinking)
            m_places.push_back(place);
    }

    size_t meantCount(const LiveArray &in) override
    {
        if (m_turns == 0)
            return m_places.size();
        uint64_t turns = 0;
        for (size_t i = in.messageCount(); i > 0; --i) {
            turns += in.factsOf(i - 1).isTyped ? 1 : 0;
            if (turns >= m_turns)
                return static_cast<size_t>(std::ranges::lower_bound(m_places, in.placeOf(i - 1)) - m_places.begin());
        }
        return 0;
    }

    std::shared_ptr<const BlockChange> changeOf(const LiveArray &, size_t place) override
    {
        return meantAt(place) ? m_change : nullptr;
    }

    uint64_t m_turns;
    std::vector<size_t> m_places;
    std::shared_ptr<const BlockChange> m_change;
};

} // namespace

StageKind dropThinking()
{
    return { .id = "drop-thinking",
        .title = "Drop old thinking",
        .sentence = "Removes the thinking of old turns.",
        .parameters = { { "turns", Type::Count, "Keeps the thinking of the last turns", 1.0, 0, 1e6, "turns" } },
        .apply = applyDropThinking,
        .live = [](const StageParameters &parameters, BlockPool &pool, bool) -> std::unique_ptr<LiveStage> {
            return std::make_unique<LiveThinking>(parameters, pool);
        },
        .readsKeep = [](const StageParameters &) { return false; } };
}

} // namespace core::stages
