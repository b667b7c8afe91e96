// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/originals/restore.h"

#include "core/base/base64.h"
#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/base/visible.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <unordered_map>

namespace core {

namespace {

FileIdentity identityOf(std::string_view name, std::string_view format, std::string_view bytes)
{
    FileIdentity file;
    file.file = std::filesystem::path(name).filename().string();
    file.format = format;
    file.bytes = bytes.size();
    file.hash = contentHash(bytes);
    return file;
}

bool isFile(const FileIdentity &file, std::string_view bytes, const std::string &hash)
{
    return file.bytes == bytes.size() && file.hash == hash;
}

std::string describe(const FileIdentity &file)
{
    return "“" + visibleText(file.file) + "”, " + groupedNumber(file.bytes) + " bytes";
}

template <typename Tag>
Json idJson(Id<Tag> id)
{
    return id.isValid() ? Json(id.value()) : Json(nullptr);
}

/// `artifact, later slot`
std::string placesText(const std::vector<std::string> &places)
{
    std::string text;
    for (const std::string &place : places)
        text += (text.empty() ? "" : ", ") + place;
    return text.empty() ? "nowhere" : text;
}

std::string cell(std::string_view text, size_t columns, bool isRight = false)
{
    std::string shown = fitted(visibleText(text), columns);
    const std::string blanks(columns - columnsOf(shown), ' ');
    return isRight ? blanks + shown : shown + blanks;
}

} // namespace

void addSplices(StoredCompaction &into, const Session &session, const Spliced &spliced, std::string_view exportName)
{
    const SourcePtr &source = session.sources.front();
    into.ledger.session = identityOf(source->name(), session.format, source->bytes());
    into.ledger.exported = identityOf(exportName, session.format, spliced.bytes);
    into.ledger.splices.clear();
    for (const InverseSplice &each : spliced.inverse) {
        LedgerSplice splice;
        splice.at = each.at;
        splice.length = each.length;
        splice.originalOffset = each.originalOffset;
        if (each.originalSize > 0) {
            splice.original = "session/" + std::to_string(each.originalOffset);
            into.originals.push_back(
                { splice.original, source->bytes().substr(each.originalOffset, each.originalSize) });
        }
        into.ledger.splices.push_back(std::move(splice));
    }
}

Result<std::string> decodedOriginal(const LedgerOriginal &original, std::string bytes)
{
    if (!original.coding) {
        return failure(ErrorKind::Usage,
            "The store does not say how “" + original.name
                + "” is to be decoded: it is a range of the session file, or an older version made it. Without "
                  "--decoded it comes as it stood.");
    }
    if (*original.coding == Coding::JsonString)
        return decodeJsonString(bytes);
    if (*original.coding != Coding::Base64)
        return bytes;
    if (auto decoded = decodeQuotedBase64(bytes))
        return std::move(*decoded);
    return failure(ErrorKind::Malformed,
        "“" + original.name + "” should be base64, but is none. Without --decoded it comes as it stood.");
}

std::vector<ListedOriginal> listOriginals(const Ledger &ledger)
{
    std::map<std::string_view, const LedgerRewrite *> rewrites;
    for (const LedgerRewrite &each : ledger.rewrites)
        rewrites.try_emplace(each.original, &each);
    std::map<std::string_view, bool> splices;
    for (const LedgerSplice &each : ledger.splices)
        splices[each.original] = true;
    std::vector<ListedOriginal> list;
    for (const LedgerOriginal &each : ledger.originals) {
        ListedOriginal listed { each, {}, {}, {}, {}, splices.contains(each.name) };
        if (const auto rewrite = rewrites.find(each.name); rewrite != rewrites.end()) {
            listed.slot = rewrite->second->slot;
            listed.message = rewrite->second->message;
            listed.block = rewrite->second->block;
            listed.recoverableFrom = rewrite->second->recoverableFrom;
            listed.isSplice = false;
        }
        list.push_back(std::move(listed));
    }
    return list;
}

Result<CommitInfo> findExport(const Store &store, std::string_view exported, const std::filesystem::path &path)
{
    const auto commits = store.commits();
    if (!commits)
        return std::unexpected(commits.error());
    const std::string hash = contentHash(exported);
    std::string known;
    for (auto commit = commits->rbegin(); commit != commits->rend(); ++commit) {
        const auto ledger = store.ledger(*commit);
        if (!ledger)
            return std::unexpected(ledger.error());
        if (!ledger->exported)
            continue;
        if (isFile(*ledger->exported, exported, hash))
            return *commit;
        if (known.empty())
            known = " The last one was " + describe(*ledger->exported) + ".";
    }
    return failure(ErrorKind::NotFound,
        "The store holds no compaction that exported this file (" + groupedNumber(exported.size())
            + " bytes); it may have been changed since." + known,
        path.string());
}

Result<std::string> restoreSession(
    const Store &store, const CommitInfo &commit, std::string_view exported, const std::filesystem::path &path)
{
    const auto ledger = store.ledger(commit);
    if (!ledger)
        return std::unexpected(ledger.error());
    const std::string number = std::to_string(commit.number);
    if (!ledger->exported) {
        return failure(
            ErrorKind::NotFound, "Compaction " + number + " of the store exported no file.", store.path().string());
    }
    if (!isFile(*ledger->exported, exported, contentHash(exported))) {
        return failure(ErrorKind::Changed,
            "This is not the file that compaction " + number + " exported (" + describe(*ledger->exported) + "), but "
                + groupedNumber(exported.size()) + " other bytes.",
            path.string());
    }
    std::unordered_map<std::string_view, const std::string *> paths;
    for (const LedgerOriginal &each : ledger->originals)
        paths.try_emplace(each.name, &each.path);
    std::vector<std::string> bytes;
    std::vector<InverseSplice> inverse;
    for (const LedgerSplice &each : ledger->splices) {
        bytes.emplace_back();
        if (!each.original.empty()) {
            const auto known = paths.find(each.original);
            // Read by its path: by its name the ledger would be read anew for each.
            auto original
                = known == paths.end() ? store.read(commit, each.original) : store.readPath(commit, *known->second);
            if (!original)
                return std::unexpected(original.error());
            bytes.back() = std::move(*original);
        }
        inverse.push_back({ each.at, each.length, each.originalOffset, bytes.back().size() });
    }
    const std::vector<std::string_view> originals(bytes.begin(), bytes.end());
    auto result = unsplice(exported, inverse, originals);
    if (result && isFile(ledger->session, *result, contentHash(*result)))
        return result;
    return failure(ErrorKind::Malformed,
        "What the store and the file make together is not the session file that it was made from ("
            + describe(ledger->session) + "): the store is damaged.",
        store.path().string());
}

Json restoreJson(const CommitInfo &commit, const Ledger &ledger, std::span<const std::string> names)
{
    const auto isWanted = [&](const auto &entry) {
        return names.empty() || std::ranges::any_of(names, [&](const std::string &name) {
            return entry.name == name || entry.path == name;
        });
    };
    Json document { { "schema", "palimpsest.restore/1" } };
    document["commit"] = { { "number", commit.number }, { "oid", commit.oid }, { "subject", commit.subject },
        { "seconds", commit.seconds } };
    document["session"] = { { "file", ledger.session.file }, { "format", ledger.session.format },
        { "bytes", ledger.session.bytes }, { "hash", ledger.session.hash } };
    document["originals"] = Json::array();
    for (const ListedOriginal &each : listOriginals(ledger)) {
        if (!isWanted(each.entry))
            continue;
        document["originals"].push_back({ { "name", each.entry.name }, { "path", each.entry.path },
            { "bytes", each.entry.bytes }, { "oid", each.entry.oid }, { "slot", idJson(each.slot) },
            { "message", idJson(each.message) }, { "block", idJson(each.block) }, { "splice", each.isSplice } });
        if (each.entry.coding)
            document["originals"].back()["coding"] = nameOf(*each.entry.coding);
        if (each.recoverableFrom)
            document["originals"].back()["recoverable_from"] = *each.recoverableFrom;
    }
    document["artifacts"] = Json::array();
    for (const LedgerArtifact &each : ledger.artifacts) {
        if (!isWanted(each))
            continue;
        document["artifacts"].push_back(
            { { "name", each.name }, { "path", each.path }, { "bytes", each.bytes }, { "oid", each.oid },
                { "same_as_original", each.isSameAsOriginal }, { "recoverable_from", each.recoverableFrom } });
    }
    return document;
}

std::string drawRestorables(const CommitInfo &commit, const Ledger &ledger)
{
    constexpr size_t kName = 44;
    constexpr size_t kBytes = 13;
    const auto line = [](std::string_view name, uint64_t bytes, const std::string &oid, const std::string &what) {
        const std::string whole = visibleText(name); // it is there to be given back
        return "  " + whole + std::string(columnsOf(whole) < kName ? kName - columnsOf(whole) : 1, ' ')
            + cell(groupedNumber(bytes), kBytes, true) + "  " + oid.substr(0, 10)
            + (what.empty() ? "" : "  " + visibleText(what)) + "\n";
    };
    std::string text = visibleText(commit.subject) + " · " + minuteText(commit.seconds * 1000) + " · "
        + commit.oid.substr(0, 10) + " · no. " + std::to_string(commit.number) + "\n";
    std::string originals;
    size_t spliceCount = 0;
    for (const ListedOriginal &each : listOriginals(ledger)) {
        spliceCount += each.isSplice ? 1 : 0;
        if (each.isSplice)
            continue;
        std::string what = each.slot.isValid() ? "slot [" + std::to_string(each.slot.value()) + "]" : std::string();
        if (each.message.isValid())
            what += (what.empty() ? "#" : " #") + std::to_string(each.message.value());
        if (each.recoverableFrom)
            what += "  harness: " + placesText(*each.recoverableFrom);
        originals += line(each.entry.name, each.entry.bytes, each.entry.oid, what);
    }
    text += originals.empty() ? "\nNo originals.\n" : "\nOriginals\n" + originals;
    std::string artifacts;
    for (const LedgerArtifact &each : ledger.artifacts)
        artifacts += line(
            each.name, each.bytes, each.oid, each.isSameAsOriginal ? "the same as the original" : each.difference);
    if (!artifacts.empty())
        text += "\nArtifacts, as the harness would keep them\n" + artifacts;
    if (ledger.exported) {
        text += "\n" + counted(spliceCount, "range") + " of the session file, to bring it back from the exported one ("
            + describe(*ledger.exported) + "): --session EXPORT\n";
    }
    return text;
}

} // namespace core
