// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/overrides.h"

#include "core/base/json.h"

#include <algorithm>

namespace core {

namespace {

constexpr std::string_view kSchema = "palimpsest.overrides/1";

} // namespace

Result<ReadOverrides> parseOverrides(const Session &session, std::string_view json, std::string_view where)
{
    const Json parsed = parseJson(json);
    if (!parsed.is_object() || parsed.value("schema", std::string()) != kSchema)
        return failure(ErrorKind::Malformed,
            "These are no overrides: a JSON object of schema palimpsest.overrides/1 is wanted.", std::string(where));
    ReadOverrides result;
    const BlockKeys keys(session);
    const auto read = [&](const char *member, std::vector<BlockId> &into) {
        const auto list = parsed.find(member);
        if (list == parsed.end() || !list->is_array())
            return;
        for (const Json &each : *list) {
            const std::string key = each.is_string() ? each.get<std::string>() : jsonText(each, -1);
            const BlockId id = keys.find(key);
            if (id.isValid())
                into.push_back(id);
            else
                result.unknown.push_back(key);
        }
    };
    read("keep", result.overrides.keep);
    read("drop", result.overrides.drop);
    return result;
}

std::string writeOverrides(const Session &session, const Overrides &overrides)
{
    const BlockKeys keys(session);
    Json json { { "schema", std::string(kSchema) }, { "keep", Json::array() }, { "drop", Json::array() } };
    for (const BlockId id : overrides.keep)
        json["keep"].push_back(keys.of(id));
    for (const BlockId id : overrides.drop)
        json["drop"].push_back(keys.of(id));
    return jsonText(json) + "\n";
}

CarriedOverrides carryOver(
    const Overrides &overrides, const MissingOverrides &missing, const BlockKeys &from, const BlockKeys &to)
{
    CarriedOverrides result;
    const auto carry = [&](const std::vector<BlockId> &blocks, const std::vector<std::string> &keys,
                           std::vector<BlockId> &found, std::vector<std::string> &lost) {
        const auto take = [&](const std::string &key) {
            if (const BlockId id = to.find(key); id.isValid())
                found.push_back(id);
            else
                lost.push_back(key);
        };
        for (const BlockId id : blocks)
            take(from.of(id));
        for (const std::string &key : keys)
            take(key);
        std::ranges::sort(found);
        const auto [first, last] = std::ranges::unique(found);
        found.erase(first, last);
    };
    carry(overrides.keep, missing.keep, result.overrides.keep, result.missing.keep);
    carry(overrides.drop, missing.drop, result.overrides.drop, result.missing.drop);
    return result;
}

} // namespace core
