// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/summary/secrets.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace core {

namespace {

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool isWord(char c) { return isDigit(c) || isLetter(c) || c == '_'; }
bool isTokenCharacter(char c) { return isWord(c) || c == '-'; }
bool isBase64(char c) { return isTokenCharacter(c) || c == '+' || c == '/' || c == '='; }

/// The end of the run of such characters from `begin` on.
size_t endOfRun(std::string_view text, size_t begin, bool (*isIn)(char))
{
    while (begin < text.size() && isIn(text[begin]))
        ++begin;
    return begin;
}

/// Keys that begin with a fixed prefix, followed by at least so many characters of `isTokenCharacter` or points.
struct PrefixRule {
    std::string_view prefix;
    std::string_view kind;
    size_t least = 0;
};
constexpr auto kPrefixes = std::to_array<PrefixRule>({
    { "sk-", "API key", 20 },
    { "sk_live_", "API key", 16 },
    { "sk_test_", "API key", 16 },
    { "rk_live_", "API key", 16 },
    { "AIza", "Google key", 30 },
    { "ya29.", "Google token", 20 },
    { "AKIA", "AWS key", 16 },
    { "ASIA", "AWS key", 16 },
    { "ghp_", "GitHub token", 30 },
    { "gho_", "GitHub token", 30 },
    { "ghu_", "GitHub token", 30 },
    { "ghs_", "GitHub token", 30 },
    { "ghr_", "GitHub token", 30 },
    { "github_pat_", "GitHub token", 22 },
    { "glpat-", "GitLab token", 20 },
    { "xoxb-", "Slack token", 10 },
    { "xoxp-", "Slack token", 10 },
    { "xoxa-", "Slack token", 10 },
    { "xoxr-", "Slack token", 10 },
    { "xoxs-", "Slack token", 10 },
    { "npm_", "npm token", 30 },
    { "pypi-", "PyPI token", 40 },
    { "hf_", "Hugging Face token", 30 },
    { "gsk_", "API key", 30 },
    { "xai-", "API key", 30 },
});

void findPrefixes(std::string_view text, std::vector<SecretSpan> &found)
{
    for (const PrefixRule &rule : kPrefixes) {
        for (size_t at = text.find(rule.prefix); at != std::string_view::npos; at = text.find(rule.prefix, at + 1)) {
            if (at > 0 && isWord(text[at - 1]))
                continue;
            const size_t body = at + rule.prefix.size();
            const size_t end = endOfRun(text, body, [](char c) { return isTokenCharacter(c) || c == '.'; });
            const std::string_view key = text.substr(body, end - body);
            // `sk-learn-something-long` is a name: a key has a digit.
            if (key.size() >= rule.least && std::ranges::any_of(key, isDigit))
                found.push_back({ rule.kind, at, end });
        }
    }
}

/// From the first marker to the end marker; without an end marker as far as the text is base64, blanks, or `\n`.
void findPrivateKeys(std::string_view text, std::vector<SecretSpan> &found)
{
    static constexpr std::string_view kBegin = "-----BEGIN ";
    static constexpr std::string_view kEnd = "-----END ";
    for (size_t at = text.find(kBegin); at != std::string_view::npos; at = text.find(kBegin, at + 1)) {
        const size_t marker = text.find("-----", at + kBegin.size());
        if (marker == std::string_view::npos)
            return;
        if (!text.substr(at, marker - at).ends_with("PRIVATE KEY") || marker - at > 60)
            continue;
        size_t end = text.find(kEnd, marker);
        if (end != std::string_view::npos)
            end = text.find("-----", end + kEnd.size());
        if (end == std::string_view::npos) {
            const auto isKey = [](char c) { return isBase64(c) || c == '\\' || c == '\n' || c == '\r' || c == ' '; };
            end = endOfRun(text, marker + 5, isKey);
        } else {
            end += 5;
        }
        found.push_back({ "private key", at, end });
        at = end - 1;
    }
}

void findWebTokens(std::string_view text, std::vector<SecretSpan> &found)
{
    for (size_t at = text.find("eyJ"); at != std::string_view::npos; at = text.find("eyJ", at + 1)) {
        if (at > 0 && isBase64(text[at - 1]))
            continue;
        size_t end = endOfRun(text, at, isTokenCharacter);
        size_t parts = 1;
        while (parts < 3 && end + 1 < text.size() && text[end] == '.' && isTokenCharacter(text[end + 1])) {
            end = endOfRun(text, end + 1, isTokenCharacter);
            ++parts;
        }
        if (parts == 3 && end - at >= 40) {
            found.push_back({ "JSON web token", at, end });
            at = end - 1;
        }
    }
}

/// The password of `scheme://user:password@host`.
void findUrlPasswords(std::string_view text, std::vector<SecretSpan> &found)
{
    for (size_t at = text.find("://"); at != std::string_view::npos; at = text.find("://", at + 3)) {
        const size_t end = std::min(text.find_first_of("/?# \t\r\n\"'`<>\\", at + 3), text.size());
        const std::string_view place = text.substr(at + 3, end - at - 3);
        const size_t sign = place.rfind('@');
        const size_t colon = place.find(':');
        if (sign == std::string_view::npos || colon >= sign || sign - colon < 2)
            continue;
        const std::string_view value = place.substr(colon + 1, sign - colon - 1);
        if (value.find_first_of("${") == std::string_view::npos)
            found.push_back({ "password", at + 3 + colon + 1, at + 3 + sign });
    }
}

/// `Authorization: Bearer …` and `Basic …`.
void findAuthorizations(std::string_view text, std::string_view lower, std::vector<SecretSpan> &found)
{
    for (const std::string_view word : { std::string_view("bearer "), std::string_view("basic ") }) {
        for (size_t at = lower.find(word); at != std::string_view::npos; at = lower.find(word, at + 1)) {
            const size_t begin = at + word.size();
            const size_t end = endOfRun(text, begin, [](char c) { return isBase64(c) || c == '.' || c == '~'; });
            const std::string_view before = lower.substr(at < 30 ? 0 : at - 30, std::min<size_t>(at, 30));
            const bool isHeader = word != "basic " || before.contains("authorization");
            const std::string_view value = text.substr(begin, end - begin);
            if (isHeader && value.size() >= 16 && std::ranges::any_of(value, isDigit))
                found.push_back({ "authorization", begin, end });
        }
    }
}

/// Bits for each character, from the frequencies of its characters.
double entropyOf(std::string_view value)
{
    std::array<size_t, 256> counts {};
    for (const char c : value)
        ++counts[static_cast<unsigned char>(c)];
    double bits = 0;
    for (const size_t count : counts) {
        if (count == 0)
            continue;
        const double share = static_cast<double>(count) / static_cast<double>(value.size());
        bits -= share * std::log2(share);
    }
    return bits;
}

struct NameRule {
    std::string_view name;
    std::string_view kind;
    bool wantsEntropy = false; ///< common names in code: only a random value is a secret
};
constexpr auto kNames = std::to_array<NameRule>({
    { "password", "password" },
    { "passwd", "password" },
    { "passphrase", "password" },
    { "pwd", "password", true },
    { "secret", "secret", true },
    { "token", "token", true },
    { "api_key", "API key", true },
    { "api-key", "API key", true },
    { "apikey", "API key", true },
    { "access_key", "access key", true },
    { "access-key", "access key", true },
    { "accesskey", "access key", true },
    { "private_key", "private key", true },
    { "credential", "credential", true },
    { "auth_key", "API key", true },
});

/// The value behind `NAME=`, `NAME: `, `"NAME": "`, also with the quotes escaped as in JSON.
struct Assigned {
    std::string_view value;
    bool isQuoted = false;
    bool isEqualSign = false;
};
std::optional<Assigned> assignedAfter(std::string_view text, size_t at)
{
    const auto skip = [&](std::string_view characters) {
        const size_t next = text.find_first_not_of(characters, at);
        at = next == std::string_view::npos ? text.size() : next;
    };
    at = endOfRun(text, at, isTokenCharacter); // the rest of the name: `password_file`
    skip("\\\"'` \t");
    if (at >= text.size() || (text[at] != '=' && text[at] != ':'))
        return std::nullopt;
    Assigned assigned;
    assigned.isEqualSign = text[at] == '=';
    if (text.substr(at).starts_with(":="))
        ++at;
    ++at;
    if (at < text.size() && (text[at] == '=' || text[at] == ':'))
        return std::nullopt; // a comparison, `std::`
    skip(" \t\\");
    if (at < text.size() && (text[at] == '"' || text[at] == '\'' || text[at] == '`')) {
        const char quote = text[at];
        assigned.isQuoted = true;
        const size_t end = std::min(text.find('\n', at + 1), text.find(quote, at + 1));
        if (end == std::string_view::npos || text[end] != quote)
            return std::nullopt;
        assigned.value = text.substr(at + 1, end - at - 1);
        if (assigned.value.ends_with('\\'))
            assigned.value.remove_suffix(1);
        return assigned;
    }
    const size_t end = std::min(text.find_first_of(" \t\r\n\"'`,;)}]>&\\", at), text.size());
    assigned.value = text.substr(at, end - at);
    return assigned;
}

/// A variable, a call, a type or a placeholder, or too short.
bool isNoSecret(const Assigned &assigned)
{
    const std::string_view value = assigned.value;
    if (value.size() < 4 || value.find_first_of("(${<[") != std::string_view::npos || value.contains("..")
        || value.contains("***") || value.starts_with("masked"))
        return true;
    for (const std::string_view word : { "null", "None", "true", "false", "undefined", "process.env", "os.environ" }) {
        if (value.starts_with(word))
            return true;
    }
    if (std::ranges::all_of(value, [&](char c) { return c == value.front(); }))
        return true;
    // `password: string`, `password = input`
    const bool isWordAlone
        = value.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.") == std::string_view::npos;
    return isWordAlone && !assigned.isQuoted && !assigned.isEqualSign;
}

bool isRandom(std::string_view value)
{
    return value.size() >= 16 && std::ranges::any_of(value, isDigit) && std::ranges::any_of(value, isLetter)
        && value.find_first_of(" /") == std::string_view::npos && entropyOf(value) >= 3;
}

void findAssignments(std::string_view text, std::string_view lower, std::vector<SecretSpan> &found)
{
    for (const NameRule &rule : kNames) {
        for (size_t at = lower.find(rule.name); at != std::string_view::npos; at = lower.find(rule.name, at + 1)) {
            // `max_tokens: 4096`: a number of tokens
            const auto assigned = assignedAfter(text, at + rule.name.size());
            if (!assigned || isNoSecret(*assigned) || (rule.wantsEntropy && !isRandom(assigned->value)))
                continue;
            const auto begin = static_cast<size_t>(assigned->value.data() - text.data());
            found.push_back({ rule.kind, begin, begin + assigned->value.size() });
        }
    }
}

} // namespace

std::vector<SecretSpan> secretsIn(std::string_view text)
{
    std::vector<SecretSpan> found;
    const std::string lower = lowered(text);
    findPrivateKeys(text, found);
    findPrefixes(text, found);
    findWebTokens(text, found);
    findUrlPasswords(text, found);
    findAuthorizations(text, lower, found);
    findAssignments(text, lower, found);
    // Of overlapping spans the one that begins first stays, and reaches to the end of all.
    std::ranges::stable_sort(found, {}, &SecretSpan::begin);
    std::vector<SecretSpan> spans;
    for (const SecretSpan &each : found) {
        if (!spans.empty() && each.begin < spans.back().end)
            spans.back().end = std::max(spans.back().end, each.end);
        else
            spans.push_back(each);
    }
    return spans;
}

std::map<std::string_view, size_t> secretCounts(std::span<const SecretSpan> secrets)
{
    std::map<std::string_view, size_t> counts;
    for (const SecretSpan &each : secrets)
        ++counts[each.kind];
    return counts;
}

std::string maskedText(std::string_view text, std::span<const SecretSpan> secrets)
{
    std::string result;
    size_t at = 0;
    for (const SecretSpan &each : secrets) {
        result += text.substr(at, each.begin - at);
        result += "[masked: " + std::string(each.kind) + "]";
        at = each.end;
    }
    return result += text.substr(at);
}

} // namespace core
