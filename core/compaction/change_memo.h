// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/hash.h"
#include "core/compaction/compaction.h"
#include "core/compaction/memory_folder.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace core {

/// A stage's change of one block: the new body with its weight, and the rewrites to report.
struct BlockChange {
    /// One rewrite: of the whole body, or of a member of a tool call's arguments.
    struct Part {
        std::string pointer; ///< `/content`; empty for the whole body
        TextLengths before;
        TextLengths after;
        std::string why;
    };

    std::string body;
    Coding coding = Coding::Plain;
    TextLengths lengths;           ///< of the body
    uint64_t thousandthTokens = 0; ///< of the body and a call's name, before the model's factor
    Fate fate = Fate::Shortened;
    std::vector<Part> parts; ///< one per rewrite
    std::string artifact;    ///< the harness's artifact with the old text; empty if there is none
};

/// Caches the changes that stages make to single blocks of a session, for later plans: dragging the keep handle makes
/// thirty plans a second, a replay one for every call. Only changes that depend on nothing but the block and the
/// stage's parameters are cached. Thread-safe; the least recently used entries are evicted when it grows too large.
class ChangeMemo final {
public:
    /// The changes of one stage with one set of parameters.
    class Sheet final {
    public:
        explicit Sheet(size_t blocks)
            : m_isKnown(blocks, false)
            , m_changes(blocks)
        {
        }

        /// The cached change: the inner pointer is nullptr if the stage leaves the block alone; nullopt if not cached.
        [[nodiscard]] std::optional<std::shared_ptr<const BlockChange>> find(BlockId block) const;
        void set(BlockId block, std::shared_ptr<const BlockChange> change);
        [[nodiscard]] size_t bytes() const;

    private:
        mutable std::mutex m_mutex;
        std::vector<bool> m_isKnown;
        std::vector<std::shared_ptr<const BlockChange>> m_changes;
        size_t m_bytes = 0;
    };

    static constexpr size_t kMostBytes = 128'000'000;

    explicit ChangeMemo(SessionPtr session, size_t mostBytes = kMostBytes);

    [[nodiscard]] const SessionPtr &session() const { return m_session; }
    /// The cached changes of one stage; `stage` is a hash of everything that these changes depend on.
    [[nodiscard]] std::shared_ptr<Sheet> sheetOf(const Hash &stage);
    /// Length of a call's arguments as Python writes them (`pythonReprLength`), cached because computing it reads them.
    [[nodiscard]] uint64_t pythonLengthOf(BlockId call);
    [[nodiscard]] const std::shared_ptr<MemoryShelf> &memories() const { return m_memories; }

private:
    struct Entry {
        std::shared_ptr<Sheet> sheet;
        uint64_t lastUsed = 0;
    };

    SessionPtr m_session;
    size_t m_mostBytes;
    std::mutex m_mutex;
    std::unordered_map<Hash, Entry> m_sheets;
    uint64_t m_uses = 0;
    std::vector<std::atomic<uint64_t>> m_pythonLengths; ///< by block: length + 1; 0 if unknown
    std::shared_ptr<MemoryShelf> m_memories = std::make_shared<MemoryShelf>();
};

} // namespace core
