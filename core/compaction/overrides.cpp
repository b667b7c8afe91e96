// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/overrides.h"

#include "core/json/json.h"
#include "core/json/json_error.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace core {

namespace {

constexpr std::string_view kSchemaName = "palimpsest.overrides/";
constexpr std::string_view kOverridesSchema = "palimpsest.overrides/1";

/// Reads one of the two lists. Fails if it is not a list, or has something other than keys: ignoring that would leave
/// blocks unprotected that the user believes are protected.
Result<std::vector<std::string>> keysIn(const Json &document, const char *member, const std::string &where)
{
    std::vector<std::string> keys;
    const auto list = document.find(member);
    if (list == document.end())
        return keys;
    const auto isText = [](const Json &each) { return each.is_string(); };
    if (!list->is_array() || !std::ranges::all_of(*list, isText))
        return failure(ErrorKind::Malformed,
            "“" + std::string(member) + "” of the overrides should be an array of block keys.", where);
    for (const Json &each : *list)
        keys.push_back(each.get<std::string>());
    return keys;
}

} // namespace

Result<ReadOverrides> parseOverrides(const Session &session, std::string_view json, std::string_view where)
{
    const std::string place(where);
    const Json parsed = parseJson(json);
    if (parsed.is_discarded()) {
        const JsonError error = jsonErrorOf(json).value_or(JsonError());
        return failure(ErrorKind::Malformed, "The overrides are not valid JSON: " + error.reason + ".",
            place.empty() ? std::string() : place + ":" + std::to_string(error.line));
    }
    const auto schema = parsed.is_object() ? parsed.find("schema") : parsed.end();
    const bool isOurs = parsed.is_object() && schema != parsed.end() && schema->is_string();
    if (isOurs && *schema != kOverridesSchema && schema->get_ref<const std::string &>().starts_with(kSchemaName))
        return failure(ErrorKind::Malformed,
            "These overrides are of a newer version (" + schema->get<std::string>()
                + "); this program reads up to version 1.",
            place);
    if (!isOurs || *schema != kOverridesSchema)
        return failure(
            ErrorKind::Malformed, "These are not overrides: the schema is not palimpsest.overrides/1.", place);
    const auto keep = keysIn(parsed, "keep", place);
    if (!keep)
        return std::unexpected(keep.error());
    const auto drop = keysIn(parsed, "drop", place);
    if (!drop)
        return std::unexpected(drop.error());
    const std::unordered_set<std::string_view> dropped(drop->begin(), drop->end());
    for (const std::string &key : *keep) {
        if (dropped.contains(key))
            return failure(ErrorKind::Malformed, "The block " + key + " is both kept and dropped.", place);
    }
    ReadOverrides result;
    const BlockKeys keys(session);
    for (const auto &[list, into] :
        { std::pair { &*keep, &result.overrides.keep }, std::pair { &*drop, &result.overrides.drop } }) {
        for (const std::string &key : *list) {
            if (const BlockId id = keys.find(key); id.isValid())
                into->push_back(id);
            else
                result.unknown.push_back(key);
        }
    }
    for (const auto &[member, value] : parsed.items()) {
        if (member != "schema" && member != "keep" && member != "drop")
            result.unknownMembers.push_back(member);
    }
    return result;
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
