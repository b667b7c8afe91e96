// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/live_stage.h"
#include "core/compaction/stages/elision.h"
#include "core/compaction/stages/kinds.h"

namespace core::stages {

namespace {

using Type = ParameterSpec::Type;

/// The block behind the element at `at`; advances `at`.
BlockId following(const Draft &draft, size_t &at)
{
    while (++at < draft.elements().size()) {
        if (!draft.elements()[at].isGone)
            return draft.elements()[at].block;
    }
    return {};
}

/// Removes the call and everything that belongs to its result.
void remove(StageRun &run, const ElisionWatch::Result &result, const std::string &why)
{
    Draft &draft = run.draft();
    const StringId id = draft.blockOf(result.place).callId;
    const bool hasCall = result.call != ElisionWatch::kNowhere;
    if (hasCall && draft.elements()[result.call].isPinned)
        return;
    for (size_t i = result.place; i < draft.elements().size(); ++i) {
        const Block &block = draft.blockOf(i);
        if (block.callId != id || (i > result.place && block.kind == BlockKind::ToolResult))
            break;
        if (!draft.elements()[i].isGone && !draft.elements()[i].isPinned)
            run.drop(i, why);
    }
    if (hasCall && !draft.elements()[result.call].isGone)
        run.drop(result.call, why);
}

void applyElide(StageRun &run)
{
    Draft &draft = run.draft();
    ElisionWatch watch(run);
    for (size_t i = 0; i < draft.elements().size(); ++i) {
        if (!draft.elements()[i].isGone)
            watch.push(i, draft.pool(), draft.elements()[i].block);
    }
    const ElisionRung rung(run);
    const std::string why = watch.why();
    const size_t cut = run.cutoff();
    const size_t end = cut < draft.messages().size() ? draft.messages()[cut].first : draft.elements().size();
    const size_t count = watch.meantCount(cut == 0 ? 0 : end);
    for (const ElisionWatch::Result &result : std::span(watch.results()).first(count)) {
        const Draft::Element &element = draft.elements()[result.place];
        if (element.isGone || element.isPinned || draft.block(element.block).is(BlockFlag::Stub)
            || !watch.isMeant(result, draft.pool()))
            continue;
        if (rung.isRemoval()) {
            remove(run, result, why);
            continue;
        }
        size_t at = result.place;
        const auto note = [&] { return noteOn(draft.pool(), [&] { return following(draft, at); }); };
        if (const auto change = rung.of(draft.pool(), element.block, why, note))
            run.change(result.place, *change);
    }
}

class LiveElision final : public LiveSelection {
public:
    LiveElision(const StageParameters &parameters, BlockPool &pool, const ElisionRung &rung)
        : LiveSelection(parameters, pool)
        , m_watch(parameters)
        , m_rung(rung)
    {
        // The change depends on the block only, unless it includes a note on what followed.
        if (!m_rung.mayNote() && pool.memo() != nullptr)
            m_sheet = pool.memo()->sheetOf(parameters.fingerprint());
    }

private:
    [[nodiscard]] size_t placeOf(size_t candidate) const override { return m_watch.results()[candidate].place; }
    void forget() override { m_watch.clear(); }
    void push(const LiveArray &in, size_t place) override
    {
        m_watch.push(place, pool(), in.at(place).block);
        if (const auto superseded = m_watch.takeSuperseded())
            lookAt(*superseded);
    }
    size_t meantCount(const LiveArray &in) override { return m_watch.meantCount(windowOf(in)); }

    std::shared_ptr<const BlockChange> changeOf(const LiveArray &in, size_t place) override
    {
        const auto candidate = meantAt(place);
        if (!candidate || !m_watch.isMeant(m_watch.results()[*candidate], pool()))
            return nullptr;
        const BlockId block = in.at(place).block;
        const bool isShared = m_sheet && pool().isRecorded(block);
        if (isShared) {
            if (auto known = m_sheet->find(block))
                return std::move(*known);
        }
        auto change = elided(in, place);
        if (isShared)
            m_sheet->set(block, change);
        return change;
    }

    [[nodiscard]] std::shared_ptr<const BlockChange> elided(const LiveArray &in, size_t place)
    {
        size_t at = place;
        const auto next = [&]() -> BlockId {
            while (++at < in.size()) {
                if (!in.at(at).isGone)
                    return in.at(at).block;
            }
            return {};
        };
        auto change = m_rung.of(pool(), in.at(place).block, {}, [&] { return noteOn(pool(), next); });
        return change ? std::make_shared<const BlockChange>(std::move(*change)) : nullptr;
    }

    ElisionWatch m_watch;
    ElisionRung m_rung;
    std::shared_ptr<ChangeMemo::Sheet> m_sheet;
};

std::unique_ptr<LiveStage> liveElision(const StageParameters &parameters, BlockPool &pool, bool isFirst)
{
    const ElisionRung rung(parameters);
    // In a view, notes change as more blocks follow.
    const bool changesLater = rung.mayNote() && parameters.policy().persistence == Persistence::View;
    if (!isFirst || rung.isRemoval() || changesLater)
        return nullptr;
    return std::make_unique<LiveElision>(parameters, pool, rung);
}

} // namespace

StageKind elide()
{
    return { .id = "elide",
        .title = "Elide",
        .sentence = "Removes old tool results, or replaces them with a stub, a pointer or a note.",
        .parameters = {
            { "selector", Type::Choice, "Selects the results", std::string("before-last-user"), 0, 0, {},
                { "before-last-user", "every-n-turns", "stale-reads", "older-than-results", "idle", "commit", "topic",
                    "by-tool" } },
            { "rung", Type::Choice, "Chooses what replaces the results", std::string("stub"), 0, 0, {},
                { "remove", "stub", "pointer", "note", "hybrid" } },
            { "n", Type::Count,
                "Selector every-n-turns: acts every n turns. Selector older-than-results: keeps the last n results",
                5.0, 0, 1e6 },
            { "minutes", Type::Number, "Selector idle: acts on the results before a pause of at least this length",
                15.0, 0, 1e6, "minutes" },
            { "distance", Type::Number,
                "Two user messages are on different topics if their words differ at least this much, 0 to 1", 0.95, 0,
                1 },
            { "tools", Type::Names, "Selector by-tool: acts on results of these tools before the keep window",
                std::vector<std::string>() },
            { "short", Type::Count, "Hybrid: shorter results stay", 200.0, 0, 1e7, "characters" },
            { "large", Type::Count,
                "Hybrid: errors and searches become the stub. Other results become a pointer from this length on, else "
                "a note", 4000.0, 0, 1e8, "characters" },
            { "stub", Type::Text, "The stub", std::string("elided") },
            { "pointer", Type::Text, "The pointer; {path} is the file", std::string("elided, read from {path}") },
            { "name", Type::Text, "File for the result; {call} is the call's id", std::string("elided/{call}.txt") },
            { "note", Type::Text, "The note; {note} is the agent's next step", std::string("elided; {note}") },
        },
        .apply = applyElide,
        .live = liveElision,
        .readsKeep = [](const StageParameters &stage) { return stage.text("selector") == "by-tool"; } };
}

} // namespace core::stages
