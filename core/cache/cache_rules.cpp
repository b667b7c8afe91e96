// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/cache/cache_rules.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace core {

namespace {

/// A model's family and version, as far as cache rules depend on them: `claude-opus-4-5-20251101` is opus 4.5.
struct ModelName {
    std::string family;
    int major = -1;
    int minor = 0;

    [[nodiscard]] bool isFrom(int wantedMajor, int wantedMinor) const
    {
        return major > wantedMajor || (major == wantedMajor && minor >= wantedMinor);
    }
};

std::vector<std::string> wordsOf(std::string_view name)
{
    std::vector<std::string> words(1);
    for (const char c : name) {
        if (c == '-' || c == '.' || c == '@' || c == '[' || c == ':')
            words.emplace_back();
        else
            words.back() += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return words;
}

bool isNumber(const std::string &word)
{
    return !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
}

/// Parses the words from `first` on: the first two short numbers are the version, the first other word is the family; a
/// longer number is a date and ends the name.
ModelName nameFrom(const std::vector<std::string> &words, size_t first)
{
    ModelName name;
    int parts = 0;
    for (size_t i = first; i < words.size(); ++i) {
        const std::string &word = words[i];
        if (isNumber(word) && word.size() > 2)
            break;
        if (!isNumber(word)) {
            if (name.family.empty())
                name.family = word;
            continue;
        }
        if (parts < 2)
            (parts == 0 ? name.major : name.minor) = std::stoi(word);
        ++parts;
    }
    return name;
}

/// Anthropic does not keep lifetimes to the second. Of five-minute entries in the corpus, all requests up to 305
/// seconds after the start of the previous response found theirs; from 311 seconds on one did (after 326).
constexpr Timestamp kGrace = 10'000;

/// The smallest prefix that Anthropic caches (anthropics/skills, shared/prompt-caching.md, about September 2026).
double anthropicMinimum(const ModelName &name)
{
    struct Row {
        std::string_view family;
        int major;
        int minor;
        double tokens;
    };
    static constexpr auto kRows = std::to_array<Row>(
        { { "opus", 5, 0, 512 }, { "fable", 5, 1, 512 }, { "mythos", 5, 1, 512 }, { "opus", 4, 8, 1024 },
            { "sonnet", 5, 0, 1024 }, { "sonnet", 4, 6, 1024 }, { "sonnet", 4, 5, 1024 }, { "opus", 4, 1, 1024 },
            { "opus", 4, 0, 1024 }, { "sonnet", 4, 0, 1024 }, { "sonnet", 3, 7, 1024 }, { "opus", 4, 7, 2048 },
            { "haiku", 3, 5, 2048 }, { "opus", 4, 6, 4096 }, { "opus", 4, 5, 4096 }, { "haiku", 4, 5, 4096 } });
    const auto found = std::ranges::find_if(kRows, [&](const Row &row) {
        return row.family == name.family && row.major == name.major && row.minor == name.minor;
    });
    return found == kRows.end() ? 4096 : found->tokens;
}

CacheRules anthropicRules(const ModelName &name)
{
    CacheRules rules;
    rules.kind = CacheKind::Marks;
    rules.minimum = anthropicMinimum(name);
    rules.lookback = 20;
    rules.lifetime = kFiveMinutes;
    rules.grace = kGrace;
    rules.sentence = "Anthropic: a request reads the prefix up to the last cached entry of an earlier request. The "
                     "provider looks for the entry in the 20 blocks before each cache mark. An entry lives for 5 "
                     "minutes or an hour after its last use";
    return rules;
}

CacheRules openAiRules(const ModelName &name)
{
    CacheRules rules;
    rules.minimum = 1024;
    if (name.isFrom(5, 6)) {
        rules.kind = CacheKind::Breakpoints;
        rules.breakpoints = 80;
        rules.lifetime = 30 * kMinute;
        rules.sentence
            = "OpenAI from GPT-5.6 on: a request reads a prefix that ends at one of the latest 80 cache marks. An "
              "entry lives for 30 minutes. Writing costs a quarter more than input";
        return rules;
    }
    // Kept in memory for 5 to 10 minutes, an hour at most. The one Codex session of the corpus found entries after up
    // to 13 minutes and none from 21 minutes on; between 6 and 10 minutes two were gone. Models after 5.4 keep entries
    // for a day unless asked otherwise.
    rules.kind = CacheKind::Steps;
    rules.step = 128;
    rules.lifetime = name.isFrom(5, 5) ? 24 * kOneHour : 15 * kMinute;
    rules.sentence
        = "OpenAI before GPT-5.6: a request reads the common beginning in steps of 128 tokens, if it has at least "
          "1,024. An entry lives for 5 to 10 minutes; with models after GPT-5.4, for a day. Writing costs nothing "
          "extra";
    return rules;
}

} // namespace

std::optional<CacheRules> cacheRules(std::string_view model)
{
    const std::vector<std::string> words = wordsOf(model.substr(model.rfind('/') + 1));
    // `us.anthropic.claude-…` is a Claude sold by another vendor.
    if (const auto claude = std::ranges::find(words, "claude"); claude != words.end())
        return anthropicRules(nameFrom(words, static_cast<size_t>(claude - words.begin()) + 1));
    if (words.front() == "gpt" || words.front() == "codex" || words.front() == "chatgpt")
        return words.size() > 1 && words[1] == "oss" ? std::nullopt : std::optional(openAiRules(nameFrom(words, 1)));
    static constexpr auto kReasoners = std::to_array<std::string_view>({ "o1", "o3", "o4" });
    if (std::ranges::contains(kReasoners, words.front()))
        return openAiRules({});
    return std::nullopt;
}

} // namespace core
