// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/hash.h"
#include "core/compaction/compaction.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace core {

/// What a stage makes of one block: the body that stands in its place, weighed, and what is told of it.
struct BlockChange {
    /// A rewrite's own part: of the whole body, or of a member of a tool call's arguments.
    struct Part {
        std::string pointer; ///< `/content`; empty for the whole
        TextLengths before;
        TextLengths after;
        std::string why;
    };

    std::string body;
    Coding coding = Coding::Plain;
    TextLengths lengths;           ///< of the body
    uint64_t thousandthTokens = 0; ///< of the body, and of a call's name, before the model's factor
    Fate fate = Fate::Shortened;
    std::vector<Part> parts; ///< one for each rewrite
    std::string artifact;    ///< under which name the harness keeps what it found; empty if it does not
};

/// What stages made of single blocks of a session, kept for the next plan: a drag makes thirty a second, a replay one
/// at every call. Only what depends on nothing but the block and the stage's parameters goes in. Safe to use from many
/// threads; what has not been used longest goes when it grows too large.
class ChangeMemo final {
public:
    /// What one stage with one set of parameters made.
    class Sheet final {
    public:
        explicit Sheet(size_t blocks)
            : m_isKnown(blocks, false)
            , m_changes(blocks)
        {
        }

        /// What became of the block: nullptr inside if the stage leaves it alone; nothing if that is not known yet.
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
    /// The sheet of a stage, known by a hash of all that its changes depend on.
    [[nodiscard]] std::shared_ptr<Sheet> sheetOf(const Hash &stage);
    /// How long a call's arguments are in Python's writing (`pythonReprLength`), which takes reading them.
    [[nodiscard]] uint64_t pythonLengthOf(BlockId call);

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
    std::vector<std::atomic<uint64_t>> m_pythonLengths; ///< by block, and one more; 0 where it is not known
};

} // namespace core
