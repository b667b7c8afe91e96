// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"
#include "core/summary/summary_input.h"

#include <array>
#include <optional>

namespace core {

/// The API that writes a note. Local servers mostly speak OpenAiChat.
enum class SummaryApi : uint8_t { Anthropic, OpenAiChat, OpenAiResponses, Gemini };
inline constexpr std::array kSummaryApis { SummaryApi::Anthropic, SummaryApi::OpenAiChat, SummaryApi::OpenAiResponses,
    SummaryApi::Gemini };

/// `anthropic`, `openai-chat`, `openai-responses`, `gemini`.
[[nodiscard]] std::string_view nameOf(SummaryApi api);
[[nodiscard]] std::optional<SummaryApi> summaryApiNamed(std::string_view name);
/// The address that the provider's own SDK uses by default.
[[nodiscard]] std::string_view defaultUrl(SummaryApi api);
/// The environment variable in which the provider's SDK looks for the key.
[[nodiscard]] std::string_view defaultKeyVariable(SummaryApi api);

/// Who is asked.
struct SummaryTarget {
    SummaryApi api = SummaryApi::Anthropic;
    std::string url; ///< as the SDK takes it; empty: `defaultUrl`
    std::string model;
    uint64_t outputLimit = 4096;  ///< tokens of the answer
    bool allowsPlainHttp = false; ///< to other computers
};

/// What is sent, complete but for the key.
struct SummaryRequest {
    std::string url;
    std::string host;
    bool isLoopback = false; ///< stays on this computer
    std::vector<std::pair<std::string, std::string>> headers;
    std::string keyHeader; ///< the key is the value of this header, behind `keyPrefix`
    std::string keyPrefix;
    std::string body; ///< JSON
};

/// Fails with Usage if the address is not http(s), holds a password, or is plain http to another computer.
[[nodiscard]] Result<SummaryRequest> summaryRequest(const SummaryTarget &target, const SummaryPrompt &prompt);

/// Fails with Usage if the key cannot be the value of a header.
[[nodiscard]] Result<void> checkKey(std::string_view key);

/// A text of a server for display: at most 300 characters, and without the key.
[[nodiscard]] std::string serverWords(std::string_view text, std::string_view key);

} // namespace core
