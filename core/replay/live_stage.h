// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/stage.h"
#include "core/replay/live_array.h"

#include <memory>
#include <unordered_map>

namespace core {

/// A stage of a policy over the calls of a replay: it keeps one array what the stage makes of another, by what changed
/// since the call before. Makes the same as the stage does from scratch.
class LiveStage {
public:
    LiveStage(const StageParameters &parameters, BlockPool &pool)
        : m_parameters(parameters)
        , m_pool(pool)
    {
    }
    LiveStage(const LiveStage &) = delete;
    LiveStage &operator=(const LiveStage &) = delete;
    virtual ~LiveStage() = default;

    [[nodiscard]] const StageParameters &parameters() const { return m_parameters; }

    /// Brings `out` up to date. `touched` are the places of `in` that are new or have changed; where `isOpen` is false
    /// the stage waits for a trigger that is not reached, and leaves all as it is.
    void update(const LiveArray &in, LiveArray &out, std::vector<uint32_t> touched, bool isOpen);
    /// Bytes of texts that it took away since this was last asked, and of which the harness keeps no artifact.
    [[nodiscard]] uint64_t takeLostBytes() { return std::exchange(m_lostBytes, 0); }
    /// Recorded blocks that it changed or took out since this was last asked; some may be told again.
    [[nodiscard]] std::vector<BlockId> takeChanged() { return std::exchange(m_changed, {}); }
    /// Before both arrays lose their places from `size` on.
    virtual void truncate(const LiveArray &in, size_t size) = 0;
    /// Behind an eviction, by which places before the first one are dead.
    virtual void evict(const LiveArray &in) = 0;

protected:
    /// Finds out what the stage is about in this array; puts the places for which that changed behind `touched`.
    virtual void select(const LiveArray &in, bool isOpen, std::vector<uint32_t> &touched) = 0;
    /// Places that `changeOf` found to depend on those it was asked for.
    [[nodiscard]] virtual std::vector<uint32_t> takeMore() { return {}; }
    /// What becomes of a place: nullptr where it stays.
    [[nodiscard]] virtual std::shared_ptr<const BlockChange> changeOf(const LiveArray &in, size_t place) = 0;

    [[nodiscard]] BlockPool &pool() { return m_pool; }

private:
    void apply(const LiveArray &in, LiveArray &out, size_t place);

    StageParameters m_parameters;
    BlockPool &m_pool;
    std::unordered_map<BlockId, BlockId> m_made; ///< what blocks became, so that a change made again is the same block
    uint64_t m_lostBytes = 0;
    std::vector<BlockId> m_changed;
};

/// A stage that has nothing to change in this session.
[[nodiscard]] bool isIdle(const StageParameters &parameters);

/// How many bytes shorter a change makes a block.
[[nodiscard]] uint64_t bytesLess(const Block &block, const BlockChange &change);

/// A body that a text takes the place of.
[[nodiscard]] std::shared_ptr<const BlockChange> clearedChange(std::string text);

/// Whether replays can run this stage by changes; `isFirst`: no other one works on the array before it.
[[nodiscard]] bool hasLiveStage(const StageParameters &parameters, bool isFirst);

/// nullptr for a stage that changes nothing in this session.
[[nodiscard]] std::unique_ptr<LiveStage> liveStage(const StageParameters &parameters, BlockPool &pool);

} // namespace core
