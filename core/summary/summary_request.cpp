// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/summary/summary_request.h"

#include "core/json/json.h"

#include <algorithm>

namespace core {

namespace {

struct ApiFacts {
    std::string_view name;
    std::string_view url;
    std::string_view variable;
};
constexpr std::array<ApiFacts, kSummaryApis.size()> kFacts { {
    { "anthropic", "https://api.anthropic.com", "ANTHROPIC_API_KEY" },
    { "openai-chat", "https://api.openai.com/v1", "OPENAI_API_KEY" },
    { "openai-responses", "https://api.openai.com/v1", "OPENAI_API_KEY" },
    { "gemini", "https://generativelanguage.googleapis.com", "GEMINI_API_KEY" },
} };

const ApiFacts &factsOf(SummaryApi api) { return kFacts[static_cast<size_t>(api)]; }

struct Address {
    std::string host; ///< without brackets and port
    bool isHttps = false;
};

bool isLoopback(std::string_view host)
{
    if (host == "localhost" || host == "::1")
        return true;
    return host.starts_with("127.") && host.find_first_not_of("0123456789.") == std::string_view::npos;
}

Result<Address> addressOf(const std::string &url)
{
    const auto wrong = [&](const std::string &why) { return failure(ErrorKind::Usage, why, url); };
    Address address;
    size_t at = 0;
    if (url.starts_with("https://")) {
        address.isHttps = true;
        at = 8;
    } else if (url.starts_with("http://")) {
        at = 7;
    } else {
        return wrong("An address begins with https:// or http://.");
    }
    if (std::ranges::any_of(url, [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\\'; }))
        return wrong("The address holds a character that an address cannot have.");
    const size_t end = std::min(url.find_first_of("/?#", at), url.size());
    std::string_view place = std::string_view(url).substr(at, end - at);
    if (place.contains('@'))
        return failure(ErrorKind::Usage, "The address holds a name or a password; give the key another way.");
    if (url.find_first_of("?#", end) != std::string::npos)
        return wrong("The address must not contain ? or #.");
    if (place.starts_with('[')) {
        const size_t close = place.find(']');
        address.host = std::string(place.substr(1, close == std::string_view::npos ? 0 : close - 1));
    } else {
        address.host = lowered(place.substr(0, place.find(':')));
    }
    if (address.host.empty())
        return wrong("The address has no host name.");
    return address;
}

/// A part of a path, percent-encoded; slashes stay.
std::string pathPart(std::string_view text)
{
    static constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string result;
    for (const char c : text) {
        const bool isPlain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
            || std::string_view("-._~/").contains(c);
        if (isPlain) {
            result += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        result += '%';
        result += kDigits[byte >> 4U];
        result += kDigits[byte & 15U];
    }
    return result;
}

Json anthropicBody(const SummaryTarget &target, const SummaryPrompt &prompt)
{
    return { { "model", target.model }, { "max_tokens", target.outputLimit }, { "stream", true },
        { "system", prompt.system },
        { "messages", Json::array({ { { "role", "user" }, { "content", prompt.user } } }) } };
}

/// OpenAI renamed the limit for its newer models; other servers know the old name.
Json chatBody(const SummaryTarget &target, const SummaryPrompt &prompt, bool isOpenAi)
{
    return { { "model", target.model }, { isOpenAi ? "max_completion_tokens" : "max_tokens", target.outputLimit },
        { "stream", true }, { "stream_options", { { "include_usage", true } } },
        { "messages",
            Json::array({ { { "role", "system" }, { "content", prompt.system } },
                { { "role", "user" }, { "content", prompt.user } } }) } };
}

Json responsesBody(const SummaryTarget &target, const SummaryPrompt &prompt)
{
    return { { "model", target.model }, { "max_output_tokens", target.outputLimit }, { "stream", true },
        { "store", false }, { "instructions", prompt.system },
        { "input", Json::array({ { { "role", "user" }, { "content", prompt.user } } }) } };
}

Json geminiBody(const SummaryTarget &target, const SummaryPrompt &prompt)
{
    const auto parts = [](const std::string &text) { return Json::array({ { { "text", text } } }); };
    return { { "contents", Json::array({ { { "role", "user" }, { "parts", parts(prompt.user) } } }) },
        { "systemInstruction", { { "role", "user" }, { "parts", parts(prompt.system) } } },
        { "generationConfig", { { "maxOutputTokens", target.outputLimit } } } };
}

} // namespace

std::string_view nameOf(SummaryApi api) { return factsOf(api).name; }

std::optional<SummaryApi> summaryApiNamed(std::string_view name)
{
    const auto found = std::ranges::find(kFacts, name, &ApiFacts::name);
    return found == kFacts.end() ? std::nullopt
                                 : std::optional(kSummaryApis[static_cast<size_t>(found - kFacts.begin())]);
}

std::string_view defaultUrl(SummaryApi api) { return factsOf(api).url; }
std::string_view defaultKeyVariable(SummaryApi api) { return factsOf(api).variable; }

Result<SummaryRequest> summaryRequest(const SummaryTarget &target, const SummaryPrompt &prompt)
{
    std::string base = target.url.empty() ? std::string(defaultUrl(target.api)) : target.url;
    const auto address = addressOf(base);
    if (!address)
        return std::unexpected(address.error());
    if (target.model.empty())
        return failure(ErrorKind::Usage, "Name the model that writes the summary.");
    SummaryRequest request;
    request.host = address->host;
    request.isLoopback = isLoopback(address->host);
    if (!address->isHttps && !request.isLoopback && !target.allowsPlainHttp) {
        return failure(
            ErrorKind::Usage, "Plain http would send the text to another computer unencrypted. Use https.", base);
    }
    while (base.ends_with('/'))
        base.pop_back();
    request.headers = { { "content-type", "application/json" }, { "accept", "text/event-stream" },
        { "accept-encoding", "identity" }, { "user-agent", "palimpsest" } };
    Json body;
    switch (target.api) {
    case SummaryApi::Anthropic:
        request.url = base + "/v1/messages";
        // Version and key as the provider's package 1.14.0 (2026-11-24) sends them.
        request.headers.emplace_back("anthropic-version", "2026-10-21");
        body = anthropicBody(target, prompt);
        break;
    case SummaryApi::OpenAiChat:
        request.url = base + "/chat/completions";
        body = chatBody(target, prompt, address->host == "api.openai.com");
        break;
    case SummaryApi::OpenAiResponses:
        request.url = base + "/responses";
        body = responsesBody(target, prompt);
        break;
    case SummaryApi::Gemini:
        request.url = base + "/v1beta/models/" + pathPart(target.model) + ":streamGenerateContent?alt=sse";
        request.keyHeader = "x-goog-api-key";
        body = geminiBody(target, prompt);
        break;
    }
    if (request.keyHeader.empty()) {
        request.keyHeader = "authorization";
        request.keyPrefix = "Bearer ";
    }
    request.body = jsonText(body, -1);
    return request;
}

Result<void> checkKey(std::string_view key)
{
    if (std::ranges::all_of(key, [](char c) { return c > ' ' && c < 127; }))
        return {};
    return failure(ErrorKind::Usage, "The API key holds a blank or a character that a key cannot have.");
}

std::string serverWords(std::string_view text, std::string_view key)
{
    std::string words(text);
    for (size_t at = 0; key.size() > 3 && (at = words.find(key, at)) != std::string::npos;)
        words.replace(at, key.size(), "[key]");
    return snippet(words, 300);
}

} // namespace core
