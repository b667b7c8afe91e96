// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/live_array.h"
#include "core/compaction/stage.h"

#include <memory>
#include <unordered_map>

namespace core {

/// A stage over the calls of a replay. Updates its output array from its input array, at the cost of the changes since
/// the previous call. The output equals the result of `StageKind::apply` on the input.
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

    /// Updates `out`. `touched` are the new and changed places of `in`. If `isOpen` is false, the stage's trigger is
    /// not reached and it changes nothing.
    void update(const LiveArray &in, LiveArray &out, std::vector<uint32_t> touched, bool isOpen);
    /// Bytes removed since the last call of this function, without those that the harness keeps in an artifact.
    [[nodiscard]] uint64_t takeLostBytes() { return std::exchange(m_lostBytes, 0); }
    /// Recorded blocks changed or removed since the last call of this function; a block may be listed again.
    [[nodiscard]] std::vector<BlockId> takeChanged() { return std::exchange(m_changed, {}); }
    /// Call before both arrays drop their places from `size` on.
    virtual void truncate(const LiveArray &in, size_t size) = 0;
    /// Call after an eviction, when the places before the first live one are dead.
    virtual void evict(const LiveArray &in) = 0;

protected:
    /// Selects the places that the stage changes in this array. Appends newly selected and deselected places to
    /// `touched`.
    virtual void select(const LiveArray &in, bool isOpen, std::vector<uint32_t> &touched) = 0;
    /// More places to update, because their change depends on a place for which `changeOf` was called.
    [[nodiscard]] virtual std::vector<uint32_t> takeMore() { return {}; }
    /// Whether the place gets its recorded block back, which an earlier call of this stage had changed.
    [[nodiscard]] virtual bool restores(const LiveArray &, size_t) { return false; }
    /// The change of a place; nullptr if it stays.
    [[nodiscard]] virtual std::shared_ptr<const BlockChange> changeOf(const LiveArray &in, size_t place) = 0;

    [[nodiscard]] BlockPool &pool() { return m_pool; }
    /// The first place of the stage's keep window; the first live place if everything is kept.
    [[nodiscard]] size_t windowOf(const LiveArray &in) const;

private:
    void apply(const LiveArray &in, LiveArray &out, size_t place);

    StageParameters m_parameters;
    BlockPool &m_pool;
    std::unordered_map<BlockId, BlockId> m_made; ///< by changed block, so that equal changes give the same block
    uint64_t m_lostBytes = 0;
    std::vector<BlockId> m_changed;
};

/// A stage that changes blocks of one kind (the candidates): the first ones, up to some count.
class LiveSelection : public LiveStage {
public:
    using LiveStage::LiveStage;

    void truncate(const LiveArray &in, size_t size) override { follow(in, size); }
    void evict(const LiveArray &in) override { follow(in, in.size()); }

protected:
    [[nodiscard]] virtual size_t placeOf(size_t candidate) const = 0;
    /// How many candidates are selected, counted from the first.
    [[nodiscard]] virtual size_t meantCount(const LiveArray &in) = 0;
    virtual void forget() = 0;
    virtual void push(const LiveArray &in, size_t place) = 0;

    /// The candidate at a place, if it is selected.
    [[nodiscard]] std::optional<size_t> meantAt(size_t place) const;
    /// Adds a place to this update, or to the next one.
    void lookAt(size_t place) { m_pending.push_back(static_cast<uint32_t>(place)); }
    std::vector<uint32_t> takeMore() override { return std::exchange(m_pending, {}); }

private:
    void select(const LiveArray &in, bool isOpen, std::vector<uint32_t> &touched) override;
    /// Restarts after the array has lost places.
    void follow(const LiveArray &in, size_t size);
    void followOn(const LiveArray &in, size_t size);

    size_t m_count = 0;
    size_t m_followed = 0;
    std::vector<uint32_t> m_pending;
};

/// Whether the stage changes nothing in this session, whatever the array.
[[nodiscard]] bool isIdle(const StageParameters &parameters);

/// The stage for a replay; nullptr if a replay must plan every call from scratch. `isFirst`: no other stage changes the
/// array before it.
[[nodiscard]] std::unique_ptr<LiveStage> liveStage(const StageParameters &parameters, BlockPool &pool, bool isFirst);

} // namespace core
