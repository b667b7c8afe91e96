// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/hash_index.h"
#include "core/session/session.h"

#include <span>

namespace core {

/// The first typed message is the title, cut to this.
inline constexpr size_t kTitleCodePoints = 80;

/// A message before it is in the pool. The blocks' `message` and record fields that are left empty are filled in when
/// it is added.
struct MessageDraft {
    Role role = Role::User;
    std::vector<Block> blocks;
    uint64_t line = 0;
    std::optional<Timestamp> time;
    StringId externalId;
    StringId model;
};

/// What readers build a Session with: it interns names, makes bodies with their lengths, and keeps the pool's order.
/// Blocks enter the pool in the order of the calls to `addMessage`.
class SessionBuilder final {
public:
    SessionBuilder();

    /// The session under construction, for fields that need no care (format, harness, model, title, window…).
    [[nodiscard]] Session &session() { return m_session; }
    [[nodiscard]] const Session &session() const { return m_session; }

    SourceId addSource(SourcePtr source);
    /// Puts a source that begins with the same bytes in the place of another; bodies keep their ranges.
    void replaceSource(SourceId id, SourcePtr source);
    [[nodiscard]] std::string_view sourceBytes(SourceId source) const;

    /// The same text gives the same id; the empty text gives the invalid one.
    StringId intern(std::string_view text);
    [[nodiscard]] std::string_view string(StringId id) const { return m_strings[id]; }

    /// How many texts were interned: their ids are below that.
    [[nodiscard]] size_t stringCount() const { return m_strings.size(); }

    /// Bodies over ranges of a source; `raw` must be a view into that source's bytes.
    [[nodiscard]] Body plainBody(SourceId source, std::string_view raw) const;
    [[nodiscard]] Body jsonStringBody(SourceId source, std::string_view rawBetweenQuotes) const;
    [[nodiscard]] Body jsonValueBody(SourceId source, std::string_view raw) const;
    [[nodiscard]] Body base64Body(SourceId source, std::string_view rawBetweenQuotes) const;
    /// A body for text that stands nowhere in the file (a stub a harness put in); makes a source of its own.
    Body ownedBody(std::string text, std::string_view name);

    /// Sets kind, body, name and lengths of a block in one go. `name` counts into the lengths of a tool call only.
    [[nodiscard]] Block makeBlock(BlockKind kind, const Body &body, StringId name = {}) const;

    /// Hash of kind, name and decoded body: equal for blocks that hold the same, however they are escaped.
    [[nodiscard]] Hash contentHash(const Block &block) const;

    ThreadIndex addThread(ThreadKind kind, std::string id = {}, std::string title = {});
    [[nodiscard]] Thread &thread(ThreadIndex index) { return m_session.threads[index.index()]; }

    /// Makes room for as many messages and blocks more.
    void reserve(size_t messages, size_t blocks);
    /// Appends the draft's blocks to the pool and returns the new message.
    MessageId addMessage(ThreadIndex thread, const MessageDraft &draft);
    /// Appends one block to the pool that belongs to a message that is there already (`block.message`): a stub, or a
    /// body that was changed later. It is not in `rangeOf(message)`.
    BlockId addBlock(const Block &block);
    [[nodiscard]] BlockRange rangeOf(MessageId message) const;

    void note(uint64_t line, std::string reason) { addDiagnostic(Severity::Note, line, std::move(reason)); }
    void warn(uint64_t line, std::string reason) { addDiagnostic(Severity::Warning, line, std::move(reason)); }

    /// Completes a thread that recorded no calls: one derived call for every assistant message of `messages`, sent
    /// what stands before it; the array at the end is all of them.
    void deriveCalls(ThreadIndex thread, std::span<const MessageId> messages);

    /// Hands the session over: fills what can be derived (main model, title, window of known models), orders the
    /// diagnostics by line. The builder is empty afterwards.
    [[nodiscard]] SessionPtr finish();
    /// A copy of the session as `finish` would make it now, with these diagnostics besides. Costs O(blocks).
    [[nodiscard]] SessionPtr snapshot(std::span<const Diagnostic> more = {}) const;

private:
    static void complete(Session &session);
    void addDiagnostic(Severity severity, uint64_t line, std::string reason);

    Session m_session;
    Strings m_strings;
    HashIndex m_stringIds;
};

/// Context window of a model by its name, where the vendor publishes one; nothing for unknown names.
/// Source: vendors' model pages as of 2026-11 (facts: 200k for Claude models before the 1M variants, 272k input and
/// 400k in all for GPT-5 models).
[[nodiscard]] std::optional<uint64_t> knownWindow(std::string_view model);

/// True for user texts that a harness wrote (reminders, environment, command echoes), judged by how they begin.
[[nodiscard]] bool looksInjected(std::string_view text);

/// Whether tool arguments name what the call is about, and under which key: `file_path`, `path`, `command`, …
/// `raw` is a JSON object; the result is the decoded value of the first such key, at most 300 bytes.
[[nodiscard]] std::string subjectOfArguments(std::string_view raw);

} // namespace core
