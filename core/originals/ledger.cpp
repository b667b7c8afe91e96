// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/originals/ledger.h"

#include "core/base/format.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/base/visible.h"
#include "core/git/tree_names.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace core {

namespace {

struct CodingName {
    Coding coding;
    std::string_view name;
};
constexpr std::array kCodingNames { CodingName { Coding::Empty, "empty" }, CodingName { Coding::Plain, "plain" },
    CodingName { Coding::JsonString, "json-string" }, CodingName { Coding::JsonValue, "json-value" },
    CodingName { Coding::TextParts, "text-parts" }, CodingName { Coding::Base64, "base64" } };

constexpr std::string_view kLedgerSchema = "palimpsest.ledger/";
constexpr uint64_t kLedgerVersion = 1;
/// A text with invalid UTF-8 is written with U+FFFD, plus its bytes in a member with this suffix.
constexpr std::string_view kBytesSuffix = "_hex";

/// Converts a document of an older schema to the next. Every released version gets its step here; there is only one so
/// far.
bool migrate(Json & /*document*/, uint64_t /*version*/) { return false; }

std::string toHex(std::string_view bytes)
{
    std::string text;
    for (const char c : bytes)
        text += formatted("{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    return text;
}

std::optional<std::string> fromHex(std::string_view text)
{
    std::string bytes;
    for (size_t i = 0; i + 1 < text.size(); i += 2) {
        unsigned value = 0;
        const auto [end, error] = std::from_chars(text.data() + i, text.data() + i + 2, value, 16);
        if (error != std::errc() || end != text.data() + i + 2)
            return std::nullopt;
        bytes += static_cast<char>(value);
    }
    return text.size() % 2 == 0 ? std::optional(bytes) : std::nullopt;
}

/// `text` with every invalid byte replaced.
std::string readable(std::string_view text)
{
    std::string result;
    for (size_t i = 0; i < text.size();) {
        const CodePoint each = codePointAt(text, i);
        const bool isSurrogate = each.value >= 0xD800 && each.value < 0xE000;
        appendUtf8(result, isSurrogate ? 0xFFFD : each.value);
        i += each.size;
    }
    return result;
}

void put(Json &into, const char *key, const std::string &text)
{
    if (isValidUtf8(text)) {
        into[key] = text;
        return;
    }
    into[key] = readable(text);
    into[std::string(key) + std::string(kBytesSuffix)] = toHex(text);
}

void putName(Json &into, const char *key, const std::string &text)
{
    if (text.empty())
        into[key] = nullptr;
    else
        put(into, key, text);
}

template <typename Tag>
void putId(Json &into, const char *key, Id<Tag> id)
{
    into[key] = id.isValid() ? Json(id.value()) : Json(nullptr);
}

/// Reads the members of one object; members left at the end are unknown. Keeps the first error as a sentence.
class Members final {
public:
    Members(Json object, std::string what, std::string &problem)
        : m_object(std::move(object))
        , m_what(std::move(what))
        , m_problem(problem)
    {
        if (!m_object.is_object()) {
            complain("is not an object");
            m_object = Json::object();
        }
    }

    /// A coding that this version does not know stays among the unknown members.
    [[nodiscard]] std::optional<Coding> coding(const char *key)
    {
        const auto found = m_object.find(key);
        if (found == m_object.end() || !found->is_string())
            return std::nullopt;
        const std::string &word = found->get_ref<const std::string &>();
        const auto *const named = std::ranges::find(kCodingNames, word, &CodingName::name);
        if (named == kCodingNames.end())
            return std::nullopt;
        m_object.erase(found);
        return named->coding;
    }

    [[nodiscard]] std::string text(const char *key)
    {
        const Json value = take(key);
        const Json bytes = take(std::string(key) + std::string(kBytesSuffix));
        if (bytes.is_string()) {
            if (auto decoded = fromHex(bytes.get_ref<const std::string &>()))
                return std::move(*decoded);
        }
        if (value.is_string())
            return value.get<std::string>();
        if (!value.is_null())
            complain(std::string("has no text in the member ") + key);
        return {};
    }
    /// A path in the tree of the commit. Refuses paths that lead elsewhere, as files are written there.
    [[nodiscard]] std::string path(const char *key)
    {
        std::string path = text(key);
        if (!isTreePath(path))
            complain("has an invalid path, “" + visibleText(path) + "”; it is neither read nor written");
        return path;
    }
    [[nodiscard]] uint64_t number(const char *key)
    {
        const Json value = take(key);
        if (value.is_number_unsigned())
            return value.get<uint64_t>();
        complain(std::string("has no whole number in the member ") + key);
        return 0;
    }
    template <typename IdType>
    [[nodiscard]] IdType id(const char *key)
    {
        const Json value = take(key);
        if (value.is_null())
            return {};
        if (value.is_number_unsigned() && value.get<uint64_t>() < IdType::kInvalid)
            return IdType(value.get<size_t>());
        complain(std::string("has no index in the member ") + key);
        return {};
    }
    [[nodiscard]] bool flag(const char *key)
    {
        const Json value = take(key);
        if (!value.is_boolean())
            complain(std::string("has no true or false in the member ") + key);
        return value.is_boolean() && value.get<bool>();
    }
    [[nodiscard]] Json list(const char *key)
    {
        Json value = take(key);
        if (value.is_array())
            return value;
        complain(std::string("has no list in the member ") + key);
        return Json::array();
    }
    [[nodiscard]] bool has(const char *key) const { return m_object.contains(key); }
    [[nodiscard]] Json take(const std::string &key)
    {
        const auto found = m_object.find(key);
        if (found == m_object.end())
            return nullptr;
        Json value = std::move(*found);
        m_object.erase(found);
        return value;
    }
    [[nodiscard]] Json rest() { return m_object.empty() ? Json() : std::move(m_object); }

private:
    void complain(const std::string &clause)
    {
        if (m_problem.empty())
            m_problem = m_what + " " + clause + ".";
    }

    Json m_object;
    std::string m_what;
    std::string &m_problem;
};

void finish(Json &object, const LedgerEntry &entry)
{
    if (!entry.unknown.is_object())
        return;
    for (const auto &[key, value] : entry.unknown.items()) {
        if (!object.contains(key))
            object[key] = value;
    }
}

Json toJson(const FileIdentity &file)
{
    Json object = Json::object();
    put(object, "file", file.file);
    put(object, "format", file.format);
    object["bytes"] = file.bytes;
    put(object, "hash", file.hash);
    finish(object, file);
    return object;
}

FileIdentity fileOf(Json json, const char *what, std::string &problem)
{
    Members members(std::move(json), what, problem);
    FileIdentity file;
    file.file = members.text("file");
    file.format = members.text("format");
    file.bytes = members.number("bytes");
    file.hash = members.text("hash");
    file.unknown = members.rest();
    return file;
}

Json placesJson(const std::vector<std::string> &places)
{
    Json list = Json::array();
    for (const std::string &place : places)
        list.push_back(readable(place));
    return list;
}

std::vector<std::string> placesOf(const Json &list)
{
    std::vector<std::string> places;
    for (const Json &place : list) {
        if (place.is_string())
            places.push_back(place.get<std::string>());
    }
    return places;
}

Json toJson(const LedgerRewrite &rewrite)
{
    Json object = Json::object();
    putId(object, "slot", rewrite.slot);
    putId(object, "message", rewrite.message);
    putId(object, "block", rewrite.block);
    put(object, "pointer", rewrite.pointer);
    put(object, "stage", rewrite.stage);
    put(object, "why", rewrite.why);
    object["before_chars"] = rewrite.beforeCharacters;
    object["after_chars"] = rewrite.afterCharacters;
    putName(object, "original", rewrite.original);
    putName(object, "artifact", rewrite.artifact);
    if (rewrite.recoverableFrom) {
        object["recoverable_from"] = placesJson(*rewrite.recoverableFrom);
        putId(object, "fetched_back_at", rewrite.fetchedBackAt);
    }
    finish(object, rewrite);
    return object;
}

LedgerRewrite rewriteOf(Json json, std::string &problem)
{
    Members members(std::move(json), "A rewrite", problem);
    LedgerRewrite rewrite;
    rewrite.slot = members.id<SlotIndex>("slot");
    rewrite.message = members.id<MessageId>("message");
    rewrite.block = members.id<BlockId>("block");
    rewrite.pointer = members.text("pointer");
    rewrite.stage = members.text("stage");
    rewrite.why = members.text("why");
    rewrite.beforeCharacters = members.number("before_chars");
    rewrite.afterCharacters = members.number("after_chars");
    rewrite.original = members.text("original");
    rewrite.artifact = members.text("artifact");
    if (members.has("recoverable_from")) {
        rewrite.recoverableFrom = placesOf(members.list("recoverable_from"));
        rewrite.fetchedBackAt = members.id<CallIndex>("fetched_back_at");
    }
    rewrite.unknown = members.rest();
    return rewrite;
}

Json toJson(const LedgerOriginal &original)
{
    Json object = Json::object();
    put(object, "name", original.name);
    put(object, "path", original.path);
    put(object, "oid", original.oid);
    object["bytes"] = original.bytes;
    if (original.coding)
        object["coding"] = nameOf(*original.coding);
    finish(object, original);
    return object;
}

LedgerOriginal originalOf(Json json, std::string &problem)
{
    Members members(std::move(json), "An original", problem);
    LedgerOriginal original;
    original.name = members.text("name");
    original.path = members.path("path");
    original.oid = members.text("oid");
    original.bytes = members.number("bytes");
    original.coding = members.coding("coding");
    original.unknown = members.rest();
    return original;
}

Json toJson(const LedgerArtifact &artifact)
{
    Json object = Json::object();
    put(object, "name", artifact.name);
    put(object, "path", artifact.path);
    put(object, "oid", artifact.oid);
    object["bytes"] = artifact.bytes;
    object["same_as_original"] = artifact.isSameAsOriginal;
    putName(object, "difference", artifact.difference);
    object["recoverable_from"] = placesJson(artifact.recoverableFrom);
    putId(object, "fetched_back_at", artifact.fetchedBackAt);
    finish(object, artifact);
    return object;
}

LedgerArtifact artifactOf(Json json, std::string &problem)
{
    Members members(std::move(json), "An artifact", problem);
    LedgerArtifact artifact;
    artifact.name = members.text("name");
    artifact.path = members.path("path");
    artifact.oid = members.text("oid");
    artifact.bytes = members.number("bytes");
    artifact.isSameAsOriginal = members.flag("same_as_original");
    artifact.difference = members.text("difference");
    artifact.recoverableFrom = placesOf(members.list("recoverable_from"));
    artifact.fetchedBackAt = members.id<CallIndex>("fetched_back_at");
    artifact.unknown = members.rest();
    return artifact;
}

Json toJson(const LedgerSplice &splice)
{
    Json object = Json::object();
    object["at"] = splice.at;
    object["length"] = splice.length;
    object["original_offset"] = splice.originalOffset;
    putName(object, "original", splice.original);
    finish(object, splice);
    return object;
}

LedgerSplice spliceOf(Json json, std::string &problem)
{
    Members members(std::move(json), "A stored change", problem);
    LedgerSplice splice;
    splice.at = members.number("at");
    splice.length = members.number("length");
    splice.originalOffset = members.number("original_offset");
    splice.original = members.text("original");
    splice.unknown = members.rest();
    return splice;
}

template <typename Entry>
Json listOf(const std::vector<Entry> &entries)
{
    Json list = Json::array();
    for (const Entry &entry : entries)
        list.push_back(toJson(entry));
    return list;
}

template <typename Entry>
std::vector<Entry> entriesOf(Json list, Entry (*read)(Json, std::string &), std::string &problem)
{
    std::vector<Entry> entries;
    entries.reserve(list.size());
    for (Json &each : list)
        entries.push_back(read(std::move(each), problem));
    return entries;
}

/// The version in `palimpsest.ledger/7`, or nothing.
std::optional<uint64_t> versionOf(const Json &document)
{
    const auto schema = document.is_object() ? document.find("schema") : document.end();
    if (!document.is_object() || schema == document.end() || !schema->is_string())
        return std::nullopt;
    const std::string &text = schema->get_ref<const std::string &>();
    if (!text.starts_with(kLedgerSchema))
        return std::nullopt;
    uint64_t version = 0;
    const auto [end, error] = std::from_chars(text.data() + kLedgerSchema.size(), text.data() + text.size(), version);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(version) : std::nullopt;
}

} // namespace

std::string contentHash(std::string_view bytes)
{
    const Hash hash = hashOf(bytes);
    return formatted("xxh3-128:{:016x}{:016x}", hash.high, hash.low);
}

std::string_view nameOf(Coding coding) { return std::ranges::find(kCodingNames, coding, &CodingName::coding)->name; }

std::string writeLedger(const Ledger &ledger)
{
    Json document = Json::object();
    document["schema"] = std::string(kLedgerSchema) + std::to_string(kLedgerVersion);
    document["session"] = toJson(ledger.session);
    document["export"] = ledger.exported ? toJson(*ledger.exported) : Json(nullptr);
    putId(document, "thread", ledger.thread);
    putId(document, "call", ledger.call);
    put(document, "policy", ledger.policy);
    put(document, "policy_hash", ledger.policyHash);
    document["rewrites"] = listOf(ledger.rewrites);
    document["originals"] = listOf(ledger.originals);
    document["artifacts"] = listOf(ledger.artifacts);
    document["splices"] = listOf(ledger.splices);
    finish(document, ledger);
    return jsonText(document, 1) + "\n";
}

Result<Ledger> parseLedger(std::string_view json, std::string_view where)
{
    const auto malformed
        = [&](std::string sentence) { return failure(ErrorKind::Malformed, std::move(sentence), std::string(where)); };
    Json document = parseJson(json);
    auto version = versionOf(document);
    if (!version)
        return malformed("This is not the list of originals of a Palimpsest store.");
    if (*version > kLedgerVersion) {
        return malformed("The list of originals was written by a newer version of Palimpsest (schema "
            + std::string(kLedgerSchema) + std::to_string(*version) + "); this one reads up to "
            + std::to_string(kLedgerVersion) + ".");
    }
    for (; *version < kLedgerVersion; ++*version) {
        if (!migrate(document, *version))
            return malformed("There is no schema " + std::string(kLedgerSchema) + std::to_string(*version) + ".");
    }
    std::string problem;
    Members members(std::move(document), "The list of originals", problem);
    (void)members.take("schema");
    Ledger ledger;
    ledger.session = fileOf(members.take("session"), "The session", problem);
    if (Json exported = members.take("export"); !exported.is_null())
        ledger.exported = fileOf(std::move(exported), "The export", problem);
    ledger.thread = members.id<ThreadIndex>("thread");
    ledger.call = members.id<CallIndex>("call");
    ledger.policy = members.text("policy");
    ledger.policyHash = members.text("policy_hash");
    ledger.rewrites = entriesOf(members.list("rewrites"), rewriteOf, problem);
    ledger.originals = entriesOf(members.list("originals"), originalOf, problem);
    ledger.artifacts = entriesOf(members.list("artifacts"), artifactOf, problem);
    ledger.splices = entriesOf(members.list("splices"), spliceOf, problem);
    ledger.unknown = members.rest();
    if (!problem.empty())
        return malformed("The list of originals is damaged. " + problem);
    return ledger;
}

} // namespace core
