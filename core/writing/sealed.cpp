// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/writing/sealed.h"

#include "core/base/text.h"
#include "core/json/json_tree.h"

#include <algorithm>
#include <set>
#include <vector>

namespace core {

Sealed sealedIn(const Session &session, MessagesShape shape)
{
    const bool takesAnthropic = shape == MessagesShape::Anthropic || shape == MessagesShape::LangChain;
    const bool isOfAnthropic = session.traits->nearest == MessagesShape::Anthropic;
    const bool isSame = session.traits->readsNearest && session.traits->nearest == shape;
    return isSame || (isOfAnthropic && takesAnthropic) ? Sealed::Stays : Sealed::IsLeftOut;
}

std::optional<std::string> withoutSealed(std::string_view json)
{
    constexpr std::string_view kKey = "encrypted_";
    const auto tree = json.contains(kKey) ? JsonTree::parse(json, 0) : std::nullopt;
    if (!tree)
        return std::nullopt;
    std::string text;
    uint64_t copied = 0;
    for (uint32_t i = 0; i < tree->nodes().size(); ++i) {
        const JsonTree::Node &node = tree->node(i);
        const bool isSealed = node.opening == '"' && node.end - node.begin > 2 && tree->keyOf(i).starts_with(kKey)
            && tree->member(node.parent, "type") != JsonTree::kNone;
        if (!isSealed)
            continue;
        text += std::string(json.substr(copied, node.begin - copied)) + "\"" + std::string(kSealed) + "\"";
        copied = node.end;
    }
    if (copied == 0)
        return std::nullopt;
    return text + std::string(json.substr(copied));
}

std::optional<std::string> withoutSealedIn(const Block &block, std::string_view json, Sealed sealed)
{
    const bool isParts = block.kind == BlockKind::ToolResult || block.kind == BlockKind::Opaque;
    return isParts && block.body.coding == Coding::JsonValue && sealed == Sealed::IsLeftOut ? withoutSealed(json)
                                                                                            : std::nullopt;
}

std::string sealedNote(const Transcript &transcript, Sealed sealed)
{
    constexpr size_t kMostNamed = 8;
    const Session &session = *transcript.session();
    std::vector<std::string> places;
    std::set<std::string_view> kinds;
    size_t count = 0;
    size_t replaced = 0;
    for (size_t i = 0; i < transcript.slotCount(); ++i) {
        const size_t before = count;
        for (const BlockId id : transcript.blocksOf(transcript.slots()[i])) {
            const Block &block = transcript.block(id);
            const bool stands
                = isSealedResult(block) || withoutSealedIn(block, session.rawBody(block.body), sealed).has_value();
            if (!stands && !isLeftOut(block, sealed))
                continue;
            ++count;
            replaced += stands ? 1 : 0;
            kinds.insert(block.kind == BlockKind::ToolResult ? "tool result"
                    : block.kind == BlockKind::Thinking      ? "thinking block"
                    : block.kind == BlockKind::Opaque        ? "block"
                    : block.is(BlockFlag::Summary)           ? "summary"
                                                             : "text");
        }
        if (count > before)
            places.push_back("[" + std::to_string(i) + "]");
    }
    if (count == 0)
        return {};
    std::string where;
    for (size_t i = 0; i < std::min(places.size(), kMostNamed); ++i)
        where += (i == 0 ? "" : ", ") + places[i];
    if (places.size() > kMostNamed)
        where += " and " + groupedNumber(places.size() - kMostNamed) + " more";
    const std::string what = kinds.size() > 1 ? "block" : std::string(*kinds.begin());
    const std::string several = what == "summary" ? "summaries" : what + "s";
    return (count == 1 ? "The encrypted " + what + " at " + where + " was"
                       : groupedNumber(count) + " encrypted " + several + ", at " + where + ", were")
        + " left out: only the provider that wrote " + (count == 1 ? "it" : "them") + " can read "
        + (count == 1 ? "it." : "them.")
        + (replaced == 0 ? ""
                         : " “" + std::string(kSealed) + "” replaces "
                    + (replaced < count     ? groupedNumber(replaced) + " of them."
                            : replaced == 1 ? "it."
                                            : "them."));
}

} // namespace core
