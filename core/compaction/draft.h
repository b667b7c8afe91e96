// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/change_memo.h"

#include <span>

namespace core {

/// A string member of a tool call's arguments that gets another text.
struct ArgumentChange {
    std::string text;
    BlockChange::Part part;
};

/// The array while stages work on it, in the shape of the policy's messages: every element is a block, what it was made
/// of, and whether it is still there. New texts go into a pool behind the session's. Costs O(blocks) to make; a change
/// costs what it writes.
class Draft final {
public:
    struct Element {
        BlockId block;  ///< as it is now
        BlockId origin; ///< in the array before; invalid for what a stage put in
        bool isGone = false;
        bool isPinned = false; ///< an override: no stage touches it
    };
    struct Message {
        Role role = Role::User;
        uint32_t first = 0; ///< into elements
        uint32_t count = 0;
        bool isSummary = false;
    };

    /// The memo is of the transcript's session, or none.
    Draft(const Transcript &before, MessageShape shape, const BlockTokens &tokens, ChangeMemo *memo = nullptr);

    [[nodiscard]] const Transcript &before() const { return m_before; }
    [[nodiscard]] const std::vector<Message> &messages() const { return m_messages; }
    [[nodiscard]] const std::vector<Element> &elements() const { return m_elements; }
    [[nodiscard]] std::span<const Element> elementsOf(const Message &message) const
    {
        return std::span(m_elements).subspan(message.first, message.count);
    }
    [[nodiscard]] const Block &block(BlockId id) const;
    [[nodiscard]] const Block &blockOf(size_t element) const { return block(m_elements[element].block); }
    [[nodiscard]] std::string text(BlockId id) const;
    [[nodiscard]] std::string textHead(BlockId id, size_t wanted) const;
    [[nodiscard]] std::string_view rawBody(BlockId id) const;
    [[nodiscard]] double tokens(BlockId id) const;
    /// Of a call's arguments.
    [[nodiscard]] uint64_t pythonLength(BlockId call) const;
    [[nodiscard]] ChangeMemo *memo() const { return m_memo; }
    [[nodiscard]] std::string_view string(StringId id) const { return m_before.session()->string(id); }
    [[nodiscard]] bool isEmpty(const Message &message) const;
    /// Of all that is still there, added up as it changes.
    struct Size {
        double tokens = 0;
        int64_t characters = 0;
    };
    [[nodiscard]] const Size &size() const { return m_size; }
    /// True of a block that stands in the array before as it was recorded.
    [[nodiscard]] bool isRecorded(BlockId id) const { return id.index() < m_baseCount; }

    void pin(size_t element) { m_elements[element].isPinned = true; }

    /// A text in place of the element's body; kind, name and ids stay.
    [[nodiscard]] BlockChange textChange(size_t element, std::string text, Fate fate, std::string why) const;
    /// Other texts for string members of the element's arguments; everything else in them stays as written.
    [[nodiscard]] BlockChange argumentsChange(size_t element, std::vector<ArgumentChange> changes) const;
    /// Makes a change, which was made for the block that the element is.
    void change(size_t element, const BlockChange &change, size_t stage, std::optional<size_t> artifact = {});
    void drop(size_t element, Rewrite rewrite);
    /// Messages `[0, end)` leave; a summary takes their place, and behind it the pinned and the `carried` elements of
    /// theirs. An empty summary leaves none.
    void evict(size_t end, const std::string &summary, std::span<const size_t> carried, const Rewrite &common,
        double summaryTokens = 0);

    [[nodiscard]] std::vector<Rewrite> &rewrites() { return m_rewrites; }
    [[nodiscard]] std::vector<Artifact> &artifacts() { return m_artifacts; }

    /// The after-transcript with its session, and what each of its blocks was made of.
    void finish(Compaction &compaction);

private:
    BlockId addBlock(const Block &block, const BlockChange &body);
    void count(BlockId block, int sign);

    Transcript m_before;
    const BlockTokens &m_tokens;
    ChangeMemo *m_memo;
    size_t m_baseCount;
    SourceId m_arenaId;
    std::vector<Element> m_elements;
    std::vector<Message> m_messages;
    std::vector<Block> m_added;
    std::vector<float> m_addedTokens;
    std::vector<core::Message> m_addedMessages;
    std::string m_arena;
    std::vector<Rewrite> m_rewrites;
    std::vector<Artifact> m_artifacts;
    double m_factor;
    Size m_size;
};

} // namespace core
