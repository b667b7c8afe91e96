// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/tokens/model_family.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace core {

namespace {

struct Version {
    int major = 0;
    int minor = 0;
    friend auto operator<=>(const Version &, const Version &) = default;
};

/// Parses one or two digits at `i` and moves `i` behind them; longer numbers are dates, not versions.
std::optional<int> versionNumber(std::string_view text, size_t &i)
{
    size_t end = i;
    while (end < text.size() && isDigit(text[end]))
        ++end;
    if (end == i || end - i > 2)
        return std::nullopt;
    int number = 0;
    for (; i < end; ++i)
        number = number * 10 + (text[i] - '0');
    return number;
}

/// The version that follows a family's name: `-4-5-20251101`, `-4.7`, ` 5`.
std::optional<Version> versionAfter(std::string_view text)
{
    size_t i = 0;
    const auto skipSeparator = [&] {
        if (i < text.size() && (text[i] == '-' || text[i] == '.' || text[i] == '_' || text[i] == ' '))
            ++i;
    };
    skipSeparator();
    const auto major = versionNumber(text, i);
    if (!major)
        return std::nullopt;
    skipSeparator();
    return Version { *major, versionNumber(text, i).value_or(0) };
}

/// `gpt-5` of `openai/gpt-5`, `o3-mini` of `azure/o3-mini`.
std::string_view behindLastSlash(std::string_view name) { return name.substr(name.rfind('/') + 1); }

bool isReasoningModel(std::string_view name) { return name.size() >= 2 && name[0] == 'o' && isDigit(name[1]); }

} // namespace

TokenizerFamily tokenizerFamily(std::string_view model)
{
    const std::string name = lowered(model);

    struct Line {
        std::string_view name;
        Version firstNew; ///< first version with the new tokenizer
    };
    // The vendor: "Opus 4.7 and later Opus, Fable 5, Mythos 5/Preview, Sonnet 5 use a newer tokenizer"; Haiku 5.5 does,
    // too.
    static constexpr auto kLines = std::to_array<Line>({ Line { "opus", { 4, 7 } }, { "sonnet", { 5, 0 } },
        { "haiku", { 5, 0 } }, { "fable", { 0, 0 } }, { "mythos", { 0, 0 } } });
    for (const Line &line : kLines) {
        const size_t at = name.find(line.name);
        if (at == std::string::npos)
            continue;
        if (line.firstNew == Version {})
            return TokenizerFamily::ClaudeNew;
        const auto version = versionAfter(std::string_view(name).substr(at + line.name.size()));
        return version && *version >= line.firstNew ? TokenizerFamily::ClaudeNew : TokenizerFamily::ClaudeOld;
    }
    if (name.find("claude") != std::string::npos)
        return TokenizerFamily::ClaudeOld;

    const std::string_view last = behindLastSlash(name);
    const bool isOpenAi = last.starts_with("gpt") || last.starts_with("chatgpt") || last.starts_with("codex")
        || last.starts_with("computer-use") || isReasoningModel(last);
    return isOpenAi ? TokenizerFamily::OpenAi : TokenizerFamily::Other;
}

double tokenFactor(TokenizerFamily family)
{
    switch (family) {
    case TokenizerFamily::ClaudeOld:
        return 1.18;
    case TokenizerFamily::ClaudeNew:
        return 1.53;
    case TokenizerFamily::OpenAi:
    case TokenizerFamily::Other:
        break;
    }
    return 1.0;
}

std::string_view nameOf(Encoding encoding)
{
    switch (encoding) {
    case Encoding::O200kBase:
        return "o200k_base";
    case Encoding::O200kHarmony:
        return "o200k_harmony";
    case Encoding::Cl100kBase:
        return "cl100k_base";
    }
    return {};
}

std::optional<Encoding> encodingNamed(std::string_view name)
{
    const auto *found = std::ranges::find(kEncodings, name, [](Encoding each) { return nameOf(each); });
    return found == kEncodings.end() ? std::nullopt : std::optional(*found);
}

std::optional<Encoding> encodingOf(std::string_view model)
{
    struct Line {
        std::string_view begin;
        Encoding encoding;
    };
    // The first match counts. Names of fine-tuned models are `ft:` and the base model's name.
    static constexpr auto kLines = std::to_array<Line>({ Line { "gpt-oss", Encoding::O200kHarmony },
        { "gpt-4o", Encoding::O200kBase }, { "gpt-4.1", Encoding::O200kBase }, { "gpt-4.5", Encoding::O200kBase },
        { "gpt-5", Encoding::O200kBase }, { "chatgpt-4o", Encoding::O200kBase }, { "gpt-4", Encoding::Cl100kBase },
        { "gpt-3.5", Encoding::Cl100kBase }, { "gpt-35", Encoding::Cl100kBase },
        { "text-embedding-", Encoding::Cl100kBase } });
    const std::string name = lowered(model);
    std::string_view last = behindLastSlash(name);
    if (last.starts_with("ft:"))
        last.remove_prefix(3);
    if (isReasoningModel(last))
        return Encoding::O200kBase;
    const auto *line = std::ranges::find_if(kLines, [&](const Line &each) { return last.starts_with(each.begin); });
    return line == kLines.end() ? std::nullopt : std::optional(line->encoding);
}

} // namespace core
