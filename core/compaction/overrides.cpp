// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/overrides.h"

#include "core/compaction/text_edits.h"
#include "core/json/json.h"
#include "core/json/json_error.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_set>

namespace core {

namespace {

constexpr std::string_view kSchemaName = "palimpsest.overrides/";
constexpr std::string_view kFirstSchema = "palimpsest.overrides/1";
constexpr std::string_view kOverridesSchema = "palimpsest.overrides/2";
constexpr std::array<std::pair<std::string_view, Role>, 3> kRoles { {
    { "user", Role::User },
    { "assistant", Role::Assistant },
    { "system", Role::System },
} };

/// Reads the lists of a document. Fails if a list has something other than it should: ignoring that would leave blocks
/// unprotected that the user believes are protected.
class ListReader final {
public:
    ListReader(const Json &document, std::string place)
        : m_document(document)
        , m_place(std::move(place))
    {
    }

    Result<std::vector<std::string>> keys(const char *member) const
    {
        const auto list = listOf(member);
        const auto isText = [](const Json &each) { return each.is_string(); };
        if (!list || !std::ranges::all_of(*list, isText))
            return fail("“" + std::string(member) + "” of the overrides should be an array of block keys.");
        return list->get<std::vector<std::string>>();
    }

    Result<std::vector<KeyedOverrides::Edit>> edits() const
    {
        const auto list = listOf("replace");
        if (!list)
            return fail("“replace” of the overrides should be an array.");
        std::vector<KeyedOverrides::Edit> edits;
        for (const Json &each : *list) {
            const auto block = textOf(each, "block");
            const auto text = textOf(each, "text");
            if (!block || !text || each.size() != 2)
                return fail(at("replace", edits.size()) + "should have two members, “block” and “text”, both strings.");
            edits.push_back({ *block, *text });
        }
        return edits;
    }

    Result<std::vector<KeyedOverrides::Insertion>> insertions() const
    {
        const auto list = listOf("insert");
        if (!list)
            return fail("“insert” of the overrides should be an array.");
        std::vector<KeyedOverrides::Insertion> insertions;
        for (const Json &each : *list) {
            const bool isAtStart = each.is_object() && each.contains("after") && each["after"].is_null();
            const auto after = isAtStart ? std::optional<std::string>(std::in_place) : textOf(each, "after");
            const auto role = textOf(each, "role");
            const auto text = textOf(each, "text");
            const std::string here = at("insert", insertions.size());
            if (!after || !role || !text || each.size() != 3)
                return fail(here
                    + "should have three members, “after”, “role” and “text”, all strings; “after” "
                      "may be null.");
            const auto *const known = std::ranges::find(kRoles, *role, &decltype(kRoles)::value_type::first);
            if (known == kRoles.end())
                return fail(here + "has the role “" + *role + "”; a role is user, assistant or system.");
            insertions.push_back({ *after, known->second, *text });
        }
        return insertions;
    }

    [[nodiscard]] std::unexpected<Error> fail(std::string sentence) const
    {
        return failure(ErrorKind::Malformed, std::move(sentence), m_place);
    }

    /// `“replace[3]” of the overrides `.
    static std::string at(const char *member, size_t index)
    {
        return "“" + std::string(member) + "[" + std::to_string(index) + "]” of the overrides ";
    }

private:
    /// Empty if the document has no such list, nullopt if it is none.
    [[nodiscard]] std::optional<Json> listOf(const char *member) const
    {
        const auto list = m_document.find(member);
        if (list == m_document.end())
            return Json::array();
        return list->is_array() ? std::optional(*list) : std::nullopt;
    }

    static std::optional<std::string> textOf(const Json &object, const char *member)
    {
        if (!object.is_object() || !object.contains(member) || !object[member].is_string())
            return std::nullopt;
        return object[member].get<std::string>();
    }

    const Json &m_document;
    std::string m_place;
};

Result<KeyedOverrides> listsOf(const Json &document, bool isFirstVersion, const ListReader &reader)
{
    KeyedOverrides lists;
    auto keep = reader.keys("keep");
    if (!keep)
        return std::unexpected(keep.error());
    auto drop = reader.keys("drop");
    if (!drop)
        return std::unexpected(drop.error());
    lists.keep = std::move(*keep);
    lists.drop = std::move(*drop);
    if (!isFirstVersion) {
        auto edits = reader.edits();
        if (!edits)
            return std::unexpected(edits.error());
        auto insertions = reader.insertions();
        if (!insertions)
            return std::unexpected(insertions.error());
        lists.replace = std::move(*edits);
        lists.insert = std::move(*insertions);
    } else if (document.contains("replace") || document.contains("insert")) {
        return reader.fail("Overrides with “replace” or “insert” are of palimpsest.overrides/2, not /1.");
    }
    const std::unordered_set<std::string_view> dropped(lists.drop.begin(), lists.drop.end());
    for (const std::string &key : lists.keep) {
        if (dropped.contains(key))
            return reader.fail("The block " + key + " is both kept and dropped.");
    }
    std::unordered_set<std::string_view> replaced;
    for (const KeyedOverrides::Edit &each : lists.replace) {
        if (dropped.contains(each.block))
            return reader.fail("The block " + each.block + " is both replaced and dropped.");
        if (!replaced.insert(each.block).second)
            return reader.fail("The block " + each.block + " is replaced twice.");
    }
    return lists;
}

/// The overrides of blocks that `keys` has; the others go to `missing`.
Overrides resolve(const KeyedOverrides &lists, const BlockKeys &keys, MissingOverrides &missing)
{
    Overrides found;
    const auto take
        = [&](const std::vector<std::string> &list, std::vector<BlockId> &blocks, std::vector<std::string> &lost) {
              for (const std::string &key : list) {
                  if (const BlockId id = keys.find(key); id.isValid())
                      blocks.push_back(id);
                  else
                      lost.push_back(key);
              }
              std::ranges::sort(blocks);
              const auto [first, last] = std::ranges::unique(blocks);
              blocks.erase(first, last);
          };
    take(lists.keep, found.keep, missing.keep);
    take(lists.drop, found.drop, missing.drop);
    for (const KeyedOverrides::Edit &each : lists.replace) {
        if (const BlockId id = keys.find(each.block); id.isValid())
            found.replace.push_back({ id, each.text });
        else
            missing.replace.push_back(each);
    }
    std::ranges::stable_sort(found.replace, {}, &TextEdit::block);
    const auto [first, last] = std::ranges::unique(found.replace, {}, &TextEdit::block);
    found.replace.erase(first, last);
    for (const KeyedOverrides::Insertion &each : lists.insert) {
        if (const BlockId id = keys.find(each.after); id.isValid() || each.after.empty())
            found.insert.push_back({ id, each.role, each.text });
        else
            missing.insert.push_back(each);
    }
    return found;
}

/// Whether the file can hold the texts, and a provider would take them.
Result<void> checkTexts(
    const Session &session, const KeyedOverrides &lists, const BlockKeys &keys, const ListReader &reader)
{
    for (size_t i = 0; i < lists.replace.size(); ++i) {
        const BlockId id = keys.find(lists.replace[i].block);
        if (const auto why = id.isValid() ? whyNotText(session, id, lists.replace[i].text) : std::nullopt)
            return reader.fail(ListReader::at("replace", i) + "is refused: " + *why);
    }
    for (size_t i = 0; i < lists.insert.size(); ++i) {
        if (const auto why = whyNotInserted(session, lists.insert[i].role, lists.insert[i].text))
            return reader.fail(ListReader::at("insert", i) + "is refused: " + *why);
    }
    return {};
}

/// Fails if the JSON is no document of overrides; else whether it is of the first version.
Result<bool> isOfFirstVersion(const Json &parsed, std::string_view json, const std::string &place)
{
    if (parsed.is_discarded()) {
        const JsonError error = jsonErrorOf(json).value_or(JsonError());
        return failure(ErrorKind::Malformed, "The overrides are not valid JSON: " + error.reason + ".",
            place.empty() ? std::string() : place + ":" + std::to_string(error.line));
    }
    const auto schema = parsed.is_object() ? parsed.find("schema") : parsed.end();
    const bool hasSchema = parsed.is_object() && schema != parsed.end() && schema->is_string();
    const std::string name = hasSchema ? schema->get<std::string>() : std::string();
    if (name == kFirstSchema || name == kOverridesSchema)
        return name == kFirstSchema;
    if (name.starts_with(kSchemaName))
        return failure(ErrorKind::Malformed,
            "These overrides are of a newer version (" + name + "); this program reads up to version 2.", place);
    return failure(
        ErrorKind::Malformed, "These are not overrides: the schema is not palimpsest.overrides/1 or /2.", place);
}

/// `list` without what is in `removed`, and with what is in `added`, once each.
template <typename T>
std::vector<T> changed(std::vector<T> list, const std::vector<T> &removed, const std::vector<T> &added)
{
    std::erase_if(list,
        [&](const T &each) { return std::ranges::contains(removed, each) && !std::ranges::contains(added, each); });
    for (const T &each : added) {
        if (!std::ranges::contains(list, each))
            list.push_back(each);
    }
    return list;
}

/// What of `from` is not in `those`.
template <typename T>
std::vector<T> without(std::vector<T> from, const std::vector<T> &those)
{
    std::erase_if(from, [&](const T &each) { return std::ranges::contains(those, each); });
    return from;
}

} // namespace

KeyedOverrides keyedOverrides(const Overrides &overrides, const BlockKeys &keys, const MissingOverrides &missing)
{
    KeyedOverrides lists;
    for (const BlockId id : overrides.keep)
        lists.keep.push_back(keys.of(id));
    for (const BlockId id : overrides.drop)
        lists.drop.push_back(keys.of(id));
    for (const TextEdit &each : overrides.replace)
        lists.replace.push_back({ keys.of(each.block), each.text });
    for (const TextInsertion &each : overrides.insert)
        lists.insert.push_back({ each.after.isValid() ? keys.of(each.after) : std::string(), each.role, each.text });
    lists.keep.insert(lists.keep.end(), missing.keep.begin(), missing.keep.end());
    lists.drop.insert(lists.drop.end(), missing.drop.begin(), missing.drop.end());
    lists.replace.insert(lists.replace.end(), missing.replace.begin(), missing.replace.end());
    lists.insert.insert(lists.insert.end(), missing.insert.begin(), missing.insert.end());
    return lists;
}

std::vector<std::string> KeyedOverrides::keys() const
{
    std::vector<std::string> all = keep;
    all.insert(all.end(), drop.begin(), drop.end());
    for (const Edit &each : replace)
        all.push_back(each.block);
    for (const Insertion &each : insert) {
        if (!each.after.empty())
            all.push_back(each.after);
    }
    return all;
}

namespace {

Result<KeyedOverrides> listsIn(const Json &parsed, std::string_view json, const std::string &place)
{
    const auto isFirst = isOfFirstVersion(parsed, json, place);
    if (!isFirst)
        return std::unexpected(isFirst.error());
    return listsOf(parsed, *isFirst, ListReader(parsed, place));
}

} // namespace

Result<KeyedOverrides> parseKeyedOverrides(std::string_view json, std::string_view where)
{
    return listsIn(parseJson(json), json, std::string(where));
}

Result<ReadOverrides> parseOverrides(const Session &session, std::string_view json, std::string_view where)
{
    const std::string place(where);
    const Json parsed = parseJson(json);
    const auto lists = listsIn(parsed, json, place);
    if (!lists)
        return std::unexpected(lists.error());
    const BlockKeys keys(session);
    if (const auto fine = checkTexts(session, *lists, keys, ListReader(parsed, place)); !fine)
        return std::unexpected(fine.error());
    ReadOverrides result;
    result.overrides = resolve(*lists, keys, result.missing);
    constexpr std::array<std::string_view, 5> kMembers { "schema", "keep", "drop", "replace", "insert" };
    for (const auto &[member, value] : parsed.items()) {
        if (!std::ranges::contains(kMembers, std::string_view(member)))
            result.unknownMembers.push_back(member);
    }
    return result;
}

Json overridesJson(const KeyedOverrides &lists)
{
    Json document { { "schema", kOverridesSchema }, { "keep", lists.keep }, { "drop", lists.drop } };
    document["replace"] = Json::array();
    for (const KeyedOverrides::Edit &each : lists.replace)
        document["replace"].push_back({ { "block", each.block }, { "text", each.text } });
    document["insert"] = Json::array();
    for (const KeyedOverrides::Insertion &each : lists.insert) {
        const auto *const role = std::ranges::find(kRoles, each.role, &decltype(kRoles)::value_type::second);
        document["insert"].push_back({ { "after", each.after.empty() ? Json(nullptr) : Json(each.after) },
            { "role", role->first }, { "text", each.text } });
    }
    return document;
}

std::string overridesDocument(const Overrides &overrides, const BlockKeys &keys, const MissingOverrides &missing)
{
    return jsonText(overridesJson(keyedOverrides(overrides, keys, missing))) + "\n";
}

KeyedOverrides merged(const KeyedOverrides &base, const KeyedOverrides &mine, const KeyedOverrides &theirs)
{
    KeyedOverrides result;
    const auto merge = [&](auto list) {
        result.*list = theirs.*list == base.*list
            ? mine.*list
            : changed(theirs.*list, without(base.*list, mine.*list), without(mine.*list, base.*list));
    };
    merge(&KeyedOverrides::keep);
    merge(&KeyedOverrides::drop);
    merge(&KeyedOverrides::replace);
    merge(&KeyedOverrides::insert);
    // One block has one fate: what was changed here counts, else a drop.
    const auto isMine = [](const std::string &key, const auto &list) { return std::ranges::contains(list, key); };
    const std::vector<std::string> kept = without(mine.keep, base.keep);
    std::vector<std::string> written;
    for (const KeyedOverrides::Edit &each : without(mine.replace, base.replace))
        written.push_back(each.block);
    std::vector<std::string> touched = written; // or restored
    for (const KeyedOverrides::Edit &each : without(base.replace, mine.replace))
        touched.push_back(each.block);
    std::erase_if(result.replace, [&](const KeyedOverrides::Edit &each) {
        return isMine(each.block, touched) && !std::ranges::contains(mine.replace, each);
    });
    // Of a message that both rewrote, mine stays.
    const std::vector<KeyedOverrides::Insertion> theirNew = without(theirs.insert, base.insert);
    for (const KeyedOverrides::Insertion &each : without(base.insert, mine.insert)) {
        if (std::ranges::contains(theirs.insert, each))
            continue;
        std::erase_if(result.insert, [&](const KeyedOverrides::Insertion &other) {
            return other.after == each.after && std::ranges::contains(theirNew, other)
                && !std::ranges::contains(mine.insert, other);
        });
    }
    std::erase_if(result.drop, [&](const std::string &key) { return isMine(key, kept) || isMine(key, written); });
    std::erase_if(result.keep, [&](const std::string &key) { return isMine(key, result.drop); });
    std::erase_if(result.replace, [&](const KeyedOverrides::Edit &each) { return isMine(each.block, result.drop); });
    return result;
}

CarriedOverrides carryOver(
    const Overrides &overrides, const MissingOverrides &missing, const BlockKeys &from, const BlockKeys &to)
{
    CarriedOverrides result;
    result.overrides = resolve(keyedOverrides(overrides, from, missing), to, result.missing);
    return result;
}

} // namespace core
