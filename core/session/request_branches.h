// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/request_pool.h"
#include "core/session/request_preludes.h"

#include <unordered_map>

namespace core::requests {

/// A call, as the change from the array of the call before it in its branch.
struct CallNote {
    size_t kept = 0;            ///< how many blocks at the beginning equal those of the previous array
    std::vector<uint32_t> tail; ///< what follows
    std::vector<uint32_t> output;
    uint32_t prelude = Alignment::kNone;
    Call facts; ///< usage, time, model, id, line
};

/// Calls, each of which extends the array of the call before.
struct Branch {
    std::vector<CallNote> calls;
    std::vector<uint32_t> input;  ///< the latest array
    std::vector<uint32_t> latest; ///< the same with the recorded response
    uint32_t prelude = Alignment::kNone;
    uint64_t firstRequest = 0;
    uint64_t lastRequest = 0;

    uint32_t origin = Alignment::kNone;                ///< the branch that it continues with something missing
    size_t originCalls = 0;                            ///< how many calls that branch had then
    CompactionKind kind = CompactionKind::Replacement; ///< the kind of the change there
};

/// Finds the branch that each request continues, and keeps the calls of each branch.
class Branches final {
public:
    Branches(Pool &pool, const Preludes &preludes)
        : m_pool(pool)
        , m_preludes(preludes)
    {
    }

    void add(const RequestDraft &request, uint32_t prelude, bool mergesUsers);
    [[nodiscard]] std::span<const Branch> all() const { return m_branches; }

private:
    static constexpr uint32_t kNone = Alignment::kNone;

    /// What a request continues.
    struct Origin {
        uint32_t branch = kNone;
        Alignment alignment;
        bool isLossless = false;
    };

    [[nodiscard]] Origin originOf(const RequestDraft &request, const Items &items, uint32_t prelude) const;
    [[nodiscard]] uint32_t branchHeldWhole(const Items &items, uint32_t prelude) const;
    [[nodiscard]] uint32_t branchByBeginning(const Items &items, uint32_t prelude) const;
    [[nodiscard]] uint32_t branchByContent(const RequestDraft &request, const Items &items, uint32_t prelude) const;
    [[nodiscard]] bool mayGoOn(const Branch &branch, size_t prefix, uint32_t prelude) const;
    [[nodiscard]] std::vector<uint32_t> missing(const Branch &branch, const Alignment &alignment) const;
    [[nodiscard]] CompactionKind kindOf(
        const Branch &branch, const Items &items, const RequestDraft &request, const Alignment &alignment) const;
    [[nodiscard]] bool beginsAnew(const Items &items, const Origin &origin) const;
    void record(
        uint32_t index, const RequestDraft &request, const Items &items, std::vector<uint32_t> array, uint32_t prelude);

    Pool &m_pool;
    const Preludes &m_preludes;
    std::vector<Branch> m_branches;
    uint64_t m_requestCount = 0;
    std::unordered_map<Hash, uint32_t> m_byArray;              ///< by hash of the whole latest input
    std::unordered_map<Hash, std::vector<uint32_t>> m_byStart; ///< by hash up to the first block of its own
    std::unordered_map<Hash, uint32_t> m_byBlock;              ///< by key of model output
    std::unordered_map<Hash, uint32_t> m_byPrelude;            ///< the latest under this system prompt, or tools
};

} // namespace core::requests
