// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/live_array.h"
#include "core/compaction/stage.h"

#include <memory>
#include <unordered_map>

namespace core {

/// A stage over the calls of a replay: keeps an output array up to date with an input array, at the cost of what
/// changed since the call before. Its output equals what `StageKind::apply` makes of the input.
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

    /// Brings `out` up to date. `touched` are the places of `in` that are new or have changed. With `isOpen` false the
    /// stage waits for a trigger that is not reached, and changes nothing.
    void update(const LiveArray &in, LiveArray &out, std::vector<uint32_t> touched, bool isOpen);
    /// Bytes removed since the last call of this, without those of which the harness keeps an artifact.
    [[nodiscard]] uint64_t takeLostBytes() { return std::exchange(m_lostBytes, 0); }
    /// Recorded blocks changed or removed since the last call of this; a block may be listed again.
    [[nodiscard]] std::vector<BlockId> takeChanged() { return std::exchange(m_changed, {}); }
    /// Call before both arrays lose their places from `size` on.
    virtual void truncate(const LiveArray &in, size_t size) = 0;
    /// Call behind an eviction, which leaves the places before the first one dead.
    virtual void evict(const LiveArray &in) = 0;

protected:
    /// Finds the places that the stage means in this array; appends those that were not meant before, or no longer are,
    /// to `touched`.
    virtual void select(const LiveArray &in, bool isOpen, std::vector<uint32_t> &touched) = 0;
    /// Places that `changeOf` found to depend on those it was asked for.
    [[nodiscard]] virtual std::vector<uint32_t> takeMore() { return {}; }
    /// The change of a place; nullptr where it stays.
    [[nodiscard]] virtual std::shared_ptr<const BlockChange> changeOf(const LiveArray &in, size_t place) = 0;

    [[nodiscard]] BlockPool &pool() { return m_pool; }
    /// The first place of the stage's keep window; the first place of all where the window leaves nothing before it.
    [[nodiscard]] size_t windowOf(const LiveArray &in) const;

private:
    void apply(const LiveArray &in, LiveArray &out, size_t place);

    StageParameters m_parameters;
    BlockPool &m_pool;
    std::unordered_map<BlockId, BlockId> m_made; ///< by changed block, so that a repeated change is the same block
    uint64_t m_lostBytes = 0;
    std::vector<BlockId> m_changed;
};

/// A stage that means blocks of one kind (the candidates), from the first one on, up to some count.
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

    /// The candidate at a place, if it is meant.
    [[nodiscard]] std::optional<size_t> meantAt(size_t place) const;
    /// Adds a place to those of this update, or of the next one.
    void lookAt(size_t place) { m_pending.push_back(static_cast<uint32_t>(place)); }
    std::vector<uint32_t> takeMore() override { return std::exchange(m_pending, {}); }

private:
    void select(const LiveArray &in, bool isOpen, std::vector<uint32_t> &touched) override;
    /// Starts anew: the array has lost places.
    void follow(const LiveArray &in, size_t size);
    void followOn(const LiveArray &in, size_t size);

    size_t m_count = 0;
    size_t m_followed = 0;
    std::vector<uint32_t> m_pending;
};

/// Whether the stage changes nothing in this session, whatever the array.
[[nodiscard]] bool isIdle(const StageParameters &parameters);

/// The stage for a replay; nullptr where a replay must plan every call from scratch. `isFirst`: no other stage works on
/// the array before it.
[[nodiscard]] std::unique_ptr<LiveStage> liveStage(const StageParameters &parameters, BlockPool &pool, bool isFirst);

} // namespace core
