// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/writing/message_turns.h"
#include "core/writing/sealed.h"
#include "core/writing/shape_notes.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// Writes an array in the shape of one API. Holds what all shapes share: blocks as JSON, and notes of what did not fit.
class ShapeWriter {
public:
    ShapeWriter(const Transcript &transcript, MessagesShape shape);
    ShapeWriter(const ShapeWriter &) = delete;
    ShapeWriter &operator=(const ShapeWriter &) = delete;
    virtual ~ShapeWriter() = default;

    /// The document. `system` holds the texts of the recorded system prompt, each with its quotes.
    [[nodiscard]] virtual std::string write(std::vector<std::string> system) = 0;

    /// The texts of the recorded system prompt.
    std::vector<std::string> systemOf(std::optional<BlockRange> prelude);
    [[nodiscard]] const ShapeNotes &notes() const { return m_notes; }

protected:
    using Kind = ShapeNotes::Kind;

    [[nodiscard]] const Session &session() const { return m_session; }
    [[nodiscard]] const std::vector<MessageTurn> &turns() const { return m_turns; }
    void note(Kind kind) { m_notes.count(kind); }

    [[nodiscard]] const Block &block(BlockId id) const { return m_session.block(id); }
    std::string quoted(std::string_view text);
    std::string textOf(const Block &block);
    std::string nameOf(const Block &block) { return quoted(m_session.string(block.name)); }
    std::string idOf(const Block &block) { return quoted(m_session.string(block.callId)); }
    /// The value as written, if it is complete JSON; without content that another provider could not read.
    [[nodiscard]] std::optional<std::string> rawValue(const Block &block) const;
    /// Arguments as an object.
    std::string argumentsOf(const Block &block);
    /// The content of a result: a text, or a list of texts if it was one.
    std::string resultContent(const Block &block);
    /// The same content as text parts with commas between them.
    std::string textPartsOf(const Block &block);
    /// The member beside a thinking text by which the provider recognises the thinking.
    [[nodiscard]] std::string signatureOf(const Block &block) const;
    std::string sealedThinking(const Block &block);
    [[nodiscard]] static bool isBytes(const Block &block) { return block.body.coding == Coding::Base64; }
    [[nodiscard]] std::string typeOf(const Block &block) const;
    std::string dataUrl(const Block &block);
    /// Whether an image or document has neither bytes nor an address: it is written as JSON or text.
    [[nodiscard]] bool isWords(const Block &block) const;
    /// For a block that the shape has no part for.
    std::string opaqueText(const Block &block);
    [[nodiscard]] static bool isText(const Block &block);
    std::string wordsOf(const Block &block) { return isText(block) ? textOf(block) : opaqueText(block); }
    /// Thinking, then what is said, then calls: the order of the shapes that hold calls beside the content.
    struct Answer {
        std::vector<BlockId> thinking;
        std::vector<BlockId> content;
        std::vector<BlockId> calls;
    };
    Answer answerOf(const MessageTurn &turn);

private:
    /// Whether an encrypted thinking block is only the signature of thinking whose text is not recorded.
    [[nodiscard]] bool isSignature(const Block &block) const;

    const Session &m_session;
    Sealed m_sealed;
    std::vector<MessageTurn> m_turns;
    ShapeNotes m_notes;
};

// One writer a shape, each in a file of its own.
[[nodiscard]] std::unique_ptr<ShapeWriter> anthropicWriter(const Transcript &transcript);
[[nodiscard]] std::unique_ptr<ShapeWriter> openAiWriter(const Transcript &transcript);
[[nodiscard]] std::unique_ptr<ShapeWriter> langChainWriter(const Transcript &transcript);
[[nodiscard]] std::unique_ptr<ShapeWriter> genkitWriter(const Transcript &transcript);

/// `a,b` and `[a,b]`.
[[nodiscard]] std::string joined(const std::vector<std::string> &parts);
[[nodiscard]] std::string listOf(const std::vector<std::string> &parts);

} // namespace core
