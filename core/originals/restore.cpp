// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/originals/restore.h"

#include "core/base/base64.h"
#include "core/base/new_file.h"
#include "core/base/source.h"
#include "core/base/text.h"
#include "core/base/visible.h"
#include "core/writing/splice.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <unordered_map>

namespace core {

namespace {

bool isFile(const FileIdentity &file, std::string_view bytes, const std::string &hash)
{
    return file.bytes == bytes.size() && file.hash == hash;
}

std::string describe(const FileIdentity &file)
{
    return "“" + visibleText(file.file) + "”, " + groupedNumber(file.bytes) + " bytes";
}

/// Where the store keeps an original, or else an artifact; the name itself is a path if it is neither's name.
std::string pathInStore(const Ledger &ledger, const std::string &name)
{
    for (const LedgerOriginal &each : ledger.originals) {
        if (each.name == name)
            return each.path;
    }
    for (const LedgerArtifact &each : ledger.artifacts) {
        if (each.name == name)
            return each.path;
    }
    return name;
}

/// Whether an earlier run that was interrupted wrote this file already.
bool isWritten(const std::filesystem::path &path, std::string_view bytes)
{
    std::error_code error;
    if (std::filesystem::is_symlink(path, error) || std::filesystem::file_size(path, error) != bytes.size())
        return false;
    const auto there = Source::open(path);
    return there && (*there)->bytes() == bytes;
}

/// Makes the folders on the way from `root` to the file `path` below it. A link on the way may lead out of `root`: it
/// is refused.
Result<void> makeFolders(const std::filesystem::path &root, const std::filesystem::path &path)
{
    namespace fs = std::filesystem;
    std::error_code error;
    fs::create_directory(root, error);
    fs::path folder = root;
    for (const fs::path &part : path.parent_path()) {
        folder /= part;
        if (fs::is_symlink(folder, error))
            return failure(ErrorKind::NotWritable,
                "There is a link at this place already; nothing was written through it.", folder.string());
        fs::create_directory(folder, error);
    }
    if (error)
        return failure(
            ErrorKind::NotWritable, "The folder could not be made: " + error.message() + ".", folder.string());
    return {};
}

} // namespace

Result<std::string> decodedOriginal(const LedgerOriginal &original, std::string bytes)
{
    if (!original.coding) {
        return failure(ErrorKind::Usage,
            "The store does not say how to decode “" + original.name
                + "”, because it is a range of the session file, or an older version stored it. Leave out --decoded to "
                  "get its bytes.");
    }
    if (*original.coding == Coding::JsonString)
        return decodeJsonString(bytes);
    if (*original.coding == Coding::TextParts)
        return joinedTextParts(bytes);
    if (*original.coding != Coding::Base64)
        return bytes;
    if (auto decoded = decodeQuotedBase64(bytes))
        return std::move(*decoded);
    return failure(ErrorKind::Malformed,
        "“" + original.name + "” is not base64, although the store says so. Without --decoded you get it as stored.");
}

Result<std::string> readOriginal(
    const Store &store, const CommitInfo &commit, const Ledger &ledger, const std::string &name, OriginalForm form)
{
    auto bytes = store.read(commit, name);
    const auto original = std::ranges::find_if(
        ledger.originals, [&](const LedgerOriginal &each) { return each.name == name || each.path == name; });
    if (bytes && form == OriginalForm::Decoded && original != ledger.originals.end())
        return decodedOriginal(*original, std::move(*bytes));
    return bytes;
}

Result<void> restoreInto(const Store &store, const CommitInfo &commit, const Ledger &ledger,
    std::span<const std::string> names, const std::filesystem::path &folder, OriginalForm form)
{
    for (size_t i = 0; i < names.size(); ++i) {
        const std::string &name = names[i];
        if (std::ranges::find(names.first(i), name) != names.first(i).end())
            continue; // named twice
        const auto bytes = readOriginal(store, commit, ledger, name, form);
        if (!bytes)
            return std::unexpected(bytes.error());
        const std::filesystem::path path = pathInStore(ledger, name);
        if (auto made = makeFolders(folder, path); !made)
            return made;
        if (isWritten(folder / path, *bytes))
            continue;
        if (auto written = writeNewFile(folder / path, *bytes); !written)
            return written;
    }
    return {};
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
        "No compaction in the store exported this file (" + groupedNumber(exported.size())
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
            "This is not the file that compaction " + number + " exported (" + describe(*ledger->exported)
                + "). It has " + groupedNumber(exported.size()) + " bytes.",
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
            // Reads by path; a name would parse the ledger again for each original.
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
        "The session file (" + describe(ledger->session)
            + ") cannot be rebuilt from the store and this file: the store is damaged.",
        store.path().string());
}

} // namespace core
