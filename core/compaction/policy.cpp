// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/policy.h"

#include "core/base/format.h"
#include "core/compaction/policy_reader.h"
#include "core/compaction/preset_documents.h"
#include "core/json/json.h"
#include "core/session/format_traits.h"
#include "core/tokens/model_family.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <functional>
#include <ranges>
#include <sstream>

namespace core {

namespace {

Policy edited(const Policy &policy, const std::function<void(Json &)> &change)
{
    Json json = parseJson(policy.document);
    change(json);
    return readPolicy(json).value_or(policy);
}

std::string joined(const Trigger &trigger, std::string (Measure::*textOf)() const)
{
    if (trigger.isAlways())
        return "always";
    std::string text;
    for (const Measure &measure : trigger.measures)
        text += (text.empty() ? "" : trigger.joining == Trigger::Joining::All ? " and " : " or ") + (measure.*textOf)();
    return text;
}

} // namespace

std::string_view Provenance::evidenceWords() const
{
    return evidence == "source"        ? "matches published code"
        : evidence == "documentation"  ? "follows the documentation"
        : evidence == "interpretation" ? "our approximation"
                                       : std::string_view(evidence);
}

std::string Trigger::text() const { return joined(*this, &Measure::text); }

std::string Trigger::fieldText() const { return joined(*this, &Measure::fieldText); }

std::string Trigger::words() const { return joined(*this, &Measure::words); }

double Counter::charactersPerTokenOf(std::string_view model) const
{
    const TokenizerFamily family = tokenizerFamily(model);
    const bool isClaude = family == TokenizerFamily::ClaudeOld || family == TokenizerFamily::ClaudeNew;
    return isClaude ? charactersPerTokenOfClaude.value_or(charactersPerToken) : charactersPerToken;
}

std::string Counter::words() const
{
    if (kind == Kind::Tokens)
        return usage == Usage::Prompt ? "takes the prompt of the previous call"
            : usage == Usage::Call    ? "takes the usage of the previous call: prompt and response"
            : countsPrelude           ? "counts the tokens of the whole prompt"
            : usage == Usage::None    ? "counts the tokens of all messages"
                                      : "counts the tokens of the prompt";
    std::string counted = kind == Kind::GenkitText ? "text parts only"
        : kind == Kind::LangChain                  ? "texts, thinking, calls and results"
        : kind == Kind::LangChainJs                ? "texts, calls and results, not thinking"
        : kind == Kind::Pi                         ? "texts, thinking, calls and results"
                                                   : "all of the messages";
    if (kind == Kind::Characters)
        return "counts the characters of all messages";
    counted += formatted(", {} characters a token", charactersPerToken);
    if (charactersPerTokenOfClaude)
        counted += formatted(" ({} for Claude)", *charactersPerTokenOfClaude);
    switch (usage) {
    case Usage::None:
        return "counts " + counted;
    case Usage::Beside:
        return "takes the larger of two numbers: the usage of the previous call, and its own count of " + counted;
    case Usage::WithLater:
        return "adds two numbers: the usage of the previous call, and its own count of the messages after it ("
            + counted + ")";
    case Usage::WithoutWrites:
        return "takes the usage of the previous call, without its cache writes";
    case Usage::Call:
        return "takes the usage of the previous call: prompt and response";
    case Usage::Prompt:
        return "takes the prompt of the previous call";
    }
    return counted;
}

double Policy::windowOf(const Session &session) const
{
    switch (window) {
    case Window::None:
        return 0;
    case Window::OfModel:
        return static_cast<double>(session.windowTokens.value_or(0));
    case Window::Fixed:
        return windowTokens;
    }
    return 0;
}

const SummaryWorker *workerOf(const Policy &policy)
{
    if (!policy.worker || policy.persistence != Persistence::Persistent)
        return nullptr;
    const bool summarises = std::ranges::any_of(
        policy.stages, [](const StageSpec &spec) { return spec.isEnabled && spec.stage == kSummariseStage; });
    return summarises ? &*policy.worker : nullptr;
}

Policy withStageEnabled(const Policy &policy, size_t stage, bool isEnabled)
{
    return edited(policy, [&](Json &json) { json["stages"][stage]["enabled"] = isEnabled; });
}

Policy withStageMoved(const Policy &policy, size_t from, size_t to)
{
    return edited(policy, [&](Json &json) {
        Json &stages = json["stages"];
        if (from >= stages.size() || to >= stages.size())
            return;
        Json moved = stages[from];
        stages.erase(from);
        stages.insert(stages.begin() + static_cast<std::ptrdiff_t>(to), std::move(moved));
    });
}

Policy withStageAdded(const Policy &policy, std::string_view stage)
{
    return edited(policy, [&](Json &json) { json["stages"].push_back({ { "stage", std::string(stage) } }); });
}

Policy withStageRemoved(const Policy &policy, size_t stage)
{
    return edited(policy, [&](Json &json) {
        if (stage < json["stages"].size())
            json["stages"].erase(stage);
    });
}

Policy withName(const Policy &policy, std::string_view id, std::string_view name)
{
    return edited(policy, [&](Json &json) {
        json["id"] = std::string(id);
        json["name"] = std::string(name);
    });
}

const std::vector<PolicyPtr> &presets()
{
    static const std::vector<PolicyPtr> all = [] {
        std::vector<PolicyPtr> policies;
        for (const std::string_view document : presetDocuments()) {
            auto policy = parsePolicy(document);
            assert(policy.has_value());
            policies.push_back(std::make_shared<const Policy>(std::move(*policy)));
        }
        return policies;
    }();
    return all;
}

PolicyPtr preset(std::string_view id)
{
    const auto found = std::ranges::find_if(presets(), [&](const PolicyPtr &each) { return each->id == id; });
    return found == presets().end() ? nullptr : *found;
}

namespace {

/// `2.1.20` → 2, 1, 20; empty if the text is no version.
std::vector<uint32_t> versionIn(std::string_view text)
{
    std::vector<uint32_t> version;
    for (const auto part : std::views::split(text, '.')) {
        uint32_t number = 0;
        const std::string_view digits(part);
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (error != std::errc() || end != digits.data() + digits.size())
            return {};
        version.push_back(number);
    }
    return version;
}

} // namespace

PolicyPtr editedPreset(const Policy &policy)
{
    const PolicyPtr original = preset(policy.id);
    return original && original->document != policy.document ? original : nullptr;
}

std::string shownName(const Policy &policy) { return policy.name + (editedPreset(policy) ? ", edited" : ""); }

std::vector<PolicyPtr> ownPresets(const Session &session)
{
    std::vector<PolicyPtr> own;
    const std::string_view id = session.traits->preset;
    if (id.empty())
        return own;
    const std::string family = std::string(id) + "-";
    std::ranges::copy_if(presets(), std::back_inserter(own),
        [&](const PolicyPtr &each) { return each->id == id || each->id.starts_with(family); });
    const std::vector<uint32_t> version
        = versionIn(std::string_view(session.harness).substr(session.harness.rfind(' ') + 1));
    const auto isUsual = [&](const PolicyPtr &each) {
        const std::vector<uint32_t> last
            = versionIn(std::string_view(each->id).substr(std::min(family.size(), each->id.size())));
        return !version.empty() && !last.empty() && version <= last;
    };
    std::ranges::stable_partition(own, [&](const PolicyPtr &each) { return each->id == id; });
    std::ranges::stable_partition(own, isUsual);
    return own;
}

std::vector<PolicyPtr> presetsFor(const Session &session)
{
    std::vector<PolicyPtr> all = presets();
    const std::vector<PolicyPtr> own = ownPresets(session);
    std::stable_partition(
        all.begin() + 1, all.end(), [&](const PolicyPtr &each) { return std::ranges::find(own, each) != own.end(); });
    std::ranges::copy(own, all.begin() + 1);
    return all;
}

Result<Policy> policyNamed(const std::string &nameOrFile)
{
    if (const PolicyPtr found = preset(nameOrFile))
        return *found;
    std::error_code error;
    if (std::filesystem::is_directory(nameOrFile, error))
        return failure(ErrorKind::Usage, "This is a folder; a policy is a file.", nameOrFile);
    std::ifstream file(nameOrFile, std::ios::binary);
    if (!file) {
        return failure(ErrorKind::Usage,
            "There is no policy “" + nameOrFile
                + "”, neither as a preset nor as a file; “palimpsest policies” lists the presets.");
    }
    std::ostringstream text;
    text << file.rdbuf();
    return parsePolicy(text.str(), nameOrFile);
}

} // namespace core
