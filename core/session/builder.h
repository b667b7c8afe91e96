// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/hash_index.h"
#include "core/session/session.h"

#include <span>

namespace core {

/// The title is the first user message, cut to this.
inline constexpr size_t kTitleCodePoints = 80;

/// A message before it is added to the pool. Adding fills in `message` and empty record fields of the blocks.
struct MessageDraft {
    Role role = Role::User;
    std::vector<Block> blocks;
    uint64_t line = 0;
    std::optional<Timestamp> time;
    StringId externalId;
    StringId model;
};

/// Builds a Session for a reader: interns names, makes bodies with their lengths, and keeps the order of the pool.
/// Blocks enter the pool in the order of `addMessage` calls.
class SessionBuilder final {
public:
    SessionBuilder();

    /// The session under construction, for simple fields (format, harness, model, title, window…).
    [[nodiscard]] Session &session() { return m_session; }
    [[nodiscard]] const Session &session() const { return m_session; }

    SourceId addSource(SourcePtr source);
    /// Replaces a source by one that starts with the same bytes; bodies keep their ranges.
    void replaceSource(SourceId id, SourcePtr source);
    [[nodiscard]] std::string_view sourceBytes(SourceId source) const;

    /// Equal texts have equal ids; the empty text has the invalid id.
    StringId intern(std::string_view text);
    [[nodiscard]] std::string_view string(StringId id) const { return m_strings[id]; }

    /// Number of interned texts; their ids are smaller.
    [[nodiscard]] size_t stringCount() const { return m_strings.size(); }

    /// Bodies for ranges of a source; `raw` must be a view into that source's bytes.
    [[nodiscard]] Body plainBody(SourceId source, std::string_view raw) const;
    [[nodiscard]] Body jsonStringBody(SourceId source, std::string_view rawBetweenQuotes) const;
    [[nodiscard]] Body jsonValueBody(SourceId source, std::string_view raw) const;
    /// `raw` is a JSON array with several text parts; what else is in it does not belong to the text.
    [[nodiscard]] Body textPartsBody(SourceId source, std::string_view raw) const;
    [[nodiscard]] Body base64Body(SourceId source, std::string_view rawBetweenQuotes) const;
    /// A body for text that is not in the file (a stub by a harness); creates a separate source for it.
    Body ownedBody(std::string text, std::string_view name);

    /// Makes a block with kind, body, name and lengths. `name` counts into the lengths of tool calls only.
    [[nodiscard]] Block makeBlock(BlockKind kind, const Body &body, StringId name = {}) const;

    /// Hash of kind, name and decoded body, independent of escapes.
    [[nodiscard]] Hash contentHash(const Block &block) const;

    ThreadIndex addThread(ThreadKind kind, std::string id = {}, std::string title = {});
    [[nodiscard]] Thread &thread(ThreadIndex index) { return m_session.threads[index.index()]; }

    /// Reserves room for that many additional messages and blocks.
    void reserve(size_t messages, size_t blocks);
    /// Appends the draft's blocks to the pool and returns the new message.
    MessageId addMessage(ThreadIndex thread, const MessageDraft &draft);
    /// Appends a block of an existing message (`block.message`) to the pool: a stub, or a body that was changed later.
    /// It is not in `rangeOf(message)`.
    BlockId addBlock(const Block &block);
    [[nodiscard]] BlockRange rangeOf(MessageId message) const;

    void note(uint64_t line, std::string reason) { addDiagnostic(Severity::Note, line, std::move(reason)); }
    void warn(uint64_t line, std::string reason) { addDiagnostic(Severity::Warning, line, std::move(reason)); }

    /// Completes a thread without recorded calls: adds one derived call for every assistant message of `messages`, with
    /// the messages before it as input. All of them are the final array.
    void deriveCalls(ThreadIndex thread, std::span<const MessageId> messages);

    /// Returns the session: derives missing fields (main model, title, window of known models) and sorts the
    /// diagnostics by line. The builder is empty afterwards.
    [[nodiscard]] SessionPtr finish();
    /// A copy of the session as `finish` would return it now, with `more` diagnostics. Costs O(blocks).
    [[nodiscard]] SessionPtr snapshot(std::span<const Diagnostic> more = {}) const;

private:
    static void complete(Session &session);
    void addDiagnostic(Severity severity, uint64_t line, std::string reason);

    Session m_session;
    Strings m_strings;
    HashIndex m_stringIds;
};

} // namespace core
