// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/replay/live_stage.h"

#include "core/compaction/stages/elision.h"
#include "core/compaction/stages/kinds.h"
#include "core/tokens/estimate.h"

#include <algorithm>
#include <optional>

namespace core {

namespace {

/// The first place of the stage's keep window; the first place of all if the window leaves nothing.
size_t windowOf(const StageParameters &parameters, const LiveArray &in)
{
    const size_t cut = cutoffOf(in, parameters.keep(), parameters.context().windowTokens);
    return cut == 0 ? in.first() : in.placeOf(cut);
}

void addRange(std::vector<uint32_t> &places, size_t begin, size_t end)
{
    for (size_t place = begin; place < end; ++place)
        places.push_back(static_cast<uint32_t>(place));
}

/// A stage that changes each block by itself, in the whole array or before the keep window.
class LiveRule final : public LiveStage {
public:
    LiveRule(const StageParameters &parameters, BlockPool &pool)
        : LiveStage(parameters, pool)
        , m_changes(parameters, pool.memo())
    {
    }

    void truncate(const LiveArray &, size_t size) override { m_end = std::min(m_end, size); }
    void evict(const LiveArray &in) override { m_end = std::max(m_end, in.first()); }

private:
    void select(const LiveArray &in, bool isOpen, std::vector<uint32_t> &touched) override
    {
        size_t end = in.first();
        if (isOpen)
            end = m_changes.reach() == BlockRule::Reach::Everywhere ? in.size() : windowOf(parameters(), in);
        const size_t before = std::max(std::min(m_end, in.size()), in.first());
        addRange(touched, std::min(before, end), std::max(before, end));
        m_end = end;
    }

    std::shared_ptr<const BlockChange> changeOf(const LiveArray &in, size_t place) override
    {
        return place < m_end ? m_changes.of(pool(), in.at(place).block) : nullptr;
    }

    RuleChanges m_changes;
    size_t m_end = 0; ///< the first place that it leaves alone
};

/// A stage that means blocks of one kind, from the first one on: candidates, up to some count.
class LiveSelection : public LiveStage {
public:
    using LiveStage::LiveStage;

    void truncate(const LiveArray &in, size_t size) override { follow(in, size); }
    void evict(const LiveArray &in) override { follow(in, in.size()); }

protected:
    [[nodiscard]] virtual size_t placeOf(size_t candidate) const = 0;
    /// How many of the first candidates are meant.
    [[nodiscard]] virtual size_t meantCount(const LiveArray &in) = 0;
    virtual void forget() = 0;
    virtual void push(const LiveArray &in, size_t place) = 0;

    /// The candidate at a place that is meant; nothing if there is none.
    [[nodiscard]] std::optional<size_t> meantAt(size_t place) const
    {
        size_t low = 0;
        size_t high = m_count;
        while (low < high) {
            const size_t middle = (low + high) / 2;
            if (placeOf(middle) < place)
                low = middle + 1;
            else
                high = middle;
        }
        return low < m_count && placeOf(low) == place ? std::optional(low) : std::nullopt;
    }
    /// To be looked at in this update, or in the next one.
    void lookAt(size_t place) { m_pending.push_back(static_cast<uint32_t>(place)); }
    std::vector<uint32_t> takeMore() override { return std::exchange(m_pending, {}); }

private:
    /// Starts anew: the array has lost places.
    void follow(const LiveArray &in, size_t size)
    {
        for (size_t i = 0; i < m_count; ++i)
            lookAt(placeOf(i));
        m_count = 0;
        forget();
        m_followed = in.first();
        followOn(in, size);
    }

    void followOn(const LiveArray &in, size_t size)
    {
        for (; m_followed < size; ++m_followed) {
            if (!in.at(m_followed).isGone)
                push(in, m_followed);
        }
    }

    void select(const LiveArray &in, bool isOpen, std::vector<uint32_t> &touched) override
    {
        m_followed = std::max(m_followed, in.first());
        followOn(in, in.size());
        const size_t count = isOpen ? meantCount(in) : 0;
        for (size_t i = std::min(count, m_count); i < std::max(count, m_count); ++i)
            lookAt(placeOf(i));
        m_count = count;
        touched.insert(touched.end(), m_pending.begin(), m_pending.end());
        m_pending.clear();
    }

    size_t m_count = 0;
    size_t m_followed = 0;
    std::vector<uint32_t> m_pending;
};

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

class LiveClearing final : public LiveSelection {
public:
    LiveClearing(const StageParameters &parameters, BlockPool &pool)
        : LiveSelection(parameters, pool)
        , m_clearsInputs(parameters.isOn("inputs"))
        , m_atLeast(parameters.number("at-least"))
    {
        m_result = clearedChange(parameters.text("placeholder"));
        m_arguments = clearedChange("{}");
    }

private:
    struct Result {
        size_t place = 0;
        std::optional<size_t> call;
    };

    [[nodiscard]] size_t placeOf(size_t candidate) const override { return m_results[candidate].place; }
    void forget() override
    {
        for (const auto &[call, result] : m_resultOf)
            lookAt(call);
        m_results.clear();
        m_calls.clear();
        m_resultOf.clear();
    }

    void push(const LiveArray &in, size_t place) override
    {
        const Block &block = in.blockAt(place);
        if (block.kind == BlockKind::ToolCall)
            m_calls[block.callId] = place;
        if (block.kind != BlockKind::ToolResult)
            return;
        Result result { place, {} };
        if (const auto call = m_calls.find(block.callId); call != m_calls.end()) {
            result.call = call->second;
            m_resultOf[call->second] = place;
        }
        m_results.push_back(result);
    }

    size_t meantCount(const LiveArray &in) override
    {
        const Measure &keep = parameters().keep().measure;
        size_t count = m_results.size();
        if (keep.unit == Measure::Unit::Results)
            count -= std::min(count, static_cast<size_t>(keep.value));
        else
            count = static_cast<size_t>(
                std::ranges::lower_bound(m_results, windowOf(parameters(), in), {}, &Result::place)
                - m_results.begin());
        double cleared = 0;
        for (size_t i = 0; m_atLeast > 0 && i < count; ++i) {
            if (!clears(in, m_results[i]))
                continue;
            const Block &block = in.blockAt(m_results[i].place);
            cleared += pool().tokens(in.at(m_results[i].place).block) - pool().weightOf(block, *m_result);
            if (cleared >= m_atLeast)
                return i + 1;
        }
        return count;
    }

    [[nodiscard]] bool clears(const LiveArray &in, const Result &result) const
    {
        return result.call && !in.blockAt(result.place).is(BlockFlag::Stub) && !in.at(result.place).isPinned
            && !parameters().listsTool("exclude", in.blockAt(*result.call));
    }

    std::shared_ptr<const BlockChange> changeOf(const LiveArray &in, size_t place) override
    {
        if (in.blockAt(place).kind == BlockKind::ToolCall)
            return m_clearsInputs ? changeOfCall(in, place) : nullptr;
        const auto found = std::ranges::lower_bound(m_results, place, {}, &Result::place);
        if (found == m_results.end() || found->place != place)
            return nullptr;
        if (m_clearsInputs && found->call)
            lookAt(*found->call);
        const auto candidate = meantAt(place);
        return candidate && clears(in, *found) ? m_result : nullptr;
    }

    std::shared_ptr<const BlockChange> changeOfCall(const LiveArray &in, size_t place)
    {
        const auto result = m_resultOf.find(place);
        if (result == m_resultOf.end() || in.blockAt(place).is(BlockFlag::Stub)
            || stages::hasNoArguments(in.blockAt(place)))
            return nullptr;
        const auto candidate = meantAt(result->second);
        if (!candidate || !clears(in, m_results[*candidate]))
            return nullptr;
        return m_arguments;
    }

    bool m_clearsInputs;
    double m_atLeast;
    std::shared_ptr<const BlockChange> m_result;    ///< what every cleared one becomes
    std::shared_ptr<const BlockChange> m_arguments; ///< and those of its call
    std::vector<Result> m_results;
    std::unordered_map<StringId, size_t> m_calls;
    std::unordered_map<size_t, size_t> m_resultOf; ///< places, by the place of the call
};

class LiveElision final : public LiveSelection {
public:
    LiveElision(const StageParameters &parameters, BlockPool &pool)
        : LiveSelection(parameters, pool)
        , m_watch(parameters)
        , m_rung(parameters)
    {
        // Nothing but the block decides what it becomes, unless that tells what followed.
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
    size_t meantCount(const LiveArray &in) override { return m_watch.meantCount(windowOf(parameters(), in)); }

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
        auto change = m_rung.of(pool(), in.at(place).block, {}, [&] { return stages::noteOn(pool(), next); });
        return change ? std::make_shared<const BlockChange>(std::move(*change)) : nullptr;
    }

    stages::ElisionWatch m_watch;
    stages::ElisionRung m_rung;
    std::shared_ptr<ChangeMemo::Sheet> m_sheet;
};

/// The largest text of the session, as the policy measures.
uint64_t longestText(const Session &session, LengthUnit unit)
{
    uint64_t longest = 0;
    for (const Block &block : session.blocks) {
        if (block.kind == BlockKind::Text)
            longest = std::max(longest, lengthIn(block.body.lengths, unit));
    }
    return longest;
}

bool hasCallOf(const Session &session, std::string_view tool)
{
    return std::ranges::any_of(session.blocks,
        [&](const Block &block) { return block.kind == BlockKind::ToolCall && session.string(block.name) == tool; });
}

} // namespace

bool isIdle(const StageParameters &parameters)
{
    if (parameters.kind().id == "acknowledge-edits")
        return parameters.text("inline").empty(); // the model sees what it always saw
    if (parameters.kind().id == "summarise-when-asked")
        return !hasCallOf(parameters.session(), parameters.text("tool"));
    return parameters.kind().id == "offload-user-messages"
        && longestText(parameters.session(), parameters.unit()) <= parameters.count("cap");
}

uint64_t bytesLess(const Block &block, const BlockChange &change)
{
    const auto less = [](const TextLengths &before, const TextLengths &after) {
        return before.bytes - std::min(before.bytes, after.bytes);
    };
    if (change.parts.empty())
        return less(block.body.lengths, change.lengths);
    uint64_t sum = 0;
    for (const BlockChange::Part &part : change.parts)
        sum += less(part.before, part.after);
    return sum;
}

void LiveStage::update(const LiveArray &in, LiveArray &out, std::vector<uint32_t> touched, bool isOpen)
{
    select(in, isOpen, touched);
    while (!touched.empty()) {
        for (const uint32_t place : touched) {
            if (place >= in.first() && place < in.size())
                apply(in, out, place);
        }
        touched = takeMore();
    }
}

void LiveStage::apply(const LiveArray &in, LiveArray &out, size_t place)
{
    const LiveArray::Element &element = in.at(place);
    const auto change = element.isGone || element.isPinned ? nullptr : changeOf(in, place);
    if (!change) {
        out.set(place, element.block, element.isGone);
        return;
    }
    // What is cut from a summary is not the session's: what it stands for went elsewhere before.
    const bool isOfSession = element.origin.isValid();
    if (change->fate == Fate::Dropped) {
        if (out.set(place, element.block, true) && isOfSession) {
            m_lostBytes += in.blockAt(place).lengths.bytes;
            m_changed.push_back(element.origin);
        }
        return;
    }
    const auto [made, isNew] = m_made.try_emplace(element.block);
    if (isNew)
        made->second = m_pool.addChanged(element.block, *change);
    if (!out.set(place, made->second, false) || !isOfSession)
        return;
    m_changed.push_back(element.origin);
    if (change->artifact.empty())
        m_lostBytes += bytesLess(in.blockAt(place), *change);
}

std::shared_ptr<const BlockChange> clearedChange(std::string text)
{
    auto change = std::make_shared<BlockChange>();
    change->fate = Fate::Cleared;
    change->lengths = textLengths(text);
    change->thousandthTokens = milliTokens(text);
    change->body = std::move(text);
    return change;
}

bool hasLiveStage(const StageParameters &parameters, bool isFirst)
{
    const std::string_view id = parameters.kind().id;
    if (parameters.kind().rule != nullptr || id == "clear-tool-uses" || id == "drop-thinking" || isIdle(parameters))
        return true;
    if (id != "elide" || !isFirst)
        return false;
    // What a view notes on what followed changes as more follows.
    const stages::ElisionRung rung(parameters);
    return !rung.isRemoval() && !(rung.mayNote() && parameters.policy().persistence == Persistence::View);
}

std::unique_ptr<LiveStage> liveStage(const StageParameters &parameters, BlockPool &pool)
{
    if (isIdle(parameters))
        return nullptr;
    if (parameters.kind().rule != nullptr)
        return std::make_unique<LiveRule>(parameters, pool);
    if (parameters.kind().id == "clear-tool-uses")
        return std::make_unique<LiveClearing>(parameters, pool);
    if (parameters.kind().id == "drop-thinking")
        return std::make_unique<LiveThinking>(parameters, pool);
    return std::make_unique<LiveElision>(parameters, pool);
}

} // namespace core
