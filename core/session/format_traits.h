// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/resume_shape.h"
#include "core/session/splice_shape.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace core {

/// The API or framework whose message boundaries a policy uses when it counts messages. Harnesses split the same
/// conversation differently: three results of parallel calls are one user message for Anthropic and Gemini, one tool
/// message for Genkit, three messages for LangChain, and three items for the Responses API.
enum class MessageShape : uint8_t { Anthropic, LangChain, Genkit, Gemini, Responses };

/// The shapes in which an array can be written for another API or framework.
enum class MessagesShape : uint8_t {
    Anthropic, ///< a request body of the Messages API: `system`, `messages`
    OpenAi,    ///< a request body of Chat Completions
    LangChain, ///< a flat dump: `[{"type": "human", …}]`
    Genkit,    ///< `{"messages": […]}`
};
inline constexpr std::array<MessagesShape, 4> kMessagesShapes { MessagesShape::Anthropic, MessagesShape::OpenAi,
    MessagesShape::LangChain, MessagesShape::Genkit };

/// Which options of the requests change, as far as the log shows. Requests with other options read another cache.
enum class RequestOptions : uint8_t {
    Constant,      ///< none that the log shows
    OfClaudeCode,  ///< skills switch thinking off; a response is fetched whole after its stream failed
    ThinkingLevel, ///< records choose the level of thinking for the turns after them
};

/// How sessions of one format differ from others. Each format defines its own beside its reader. Code that treats
/// formats differently asks here, never for the format's id.
struct FormatTraits {
    /// The shape of the recorded messages: the slots of the arrays.
    MessageShape shape = MessageShape::LangChain; // Chat Completions has the same messages
    /// The API shape that keeps most of an array.
    MessagesShape nearest = MessagesShape::OpenAi;
    /// Whether the reader of this format reads what `writeMessages` writes in the shape `nearest`.
    bool readsNearest = false;

    /// Id of the preset that imitates the harness; empty: none does.
    std::string_view preset {};
    /// Number of messages that a new policy keeps; 0: a tenth of the model's window.
    uint32_t openingMessages = 0;

    RequestOptions options = RequestOptions::Constant;
    /// Model whose cache rules apply if the file names none: `gpt-5-codex`. Empty: no rules apply.
    std::string_view usualModel {};
    /// The harness sets cache breakpoints on the last two user messages, but does not record them.
    bool marksLastUsers = false;

    /// Types of records that the harness does not count in its keep window. It keeps such a record if it keeps the next
    /// message.
    std::array<std::string_view, 2> asideTypes {};
    /// Records beside the tool results say what patches changed: `patch_apply_end`.
    bool recordsPatches = false;
    /// The patch tool ends every file with exactly one line feed.
    bool settlesFileEnd = false;

    SpliceShape splice {};
    ResumeShape resume {};

    /// Consecutive user messages are one.
    [[nodiscard]] bool mergesUsers() const { return shape == MessageShape::Anthropic; }
};

} // namespace core
