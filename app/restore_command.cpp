// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/command_line.h"

#include "core/base/new_file.h"
#include "core/base/source.h"
#include "core/originals/restore.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace app {

namespace {

namespace fs = std::filesystem;

constexpr std::array<Option, 5> kOptions { {
    { "output", "OUT", "a new file for one NAME or the session; for several NAMEs a folder", 'o' },
    { "decoded", "",
        "originals as what they say: JSON strings and base64 decoded, all else as it stood in the session" },
    { "session", "EXPORT", "rebuild the session file out of the one that was exported, byte for byte" },
    { "commit", "WHICH", "another compaction of the store: its number, from 1, or the first digits of its id" },
    { "json", "", "what there is, as a document of schema palimpsest.restore/1" },
} };

/// A new file, or standard output if there is no place for one.
int write(const std::optional<std::string> &place, const std::string &bytes)
{
    if (!place)
        return print(bytes);
    const auto written = core::writeNewFile(*place, bytes);
    return written ? static_cast<int>(Done) : report(written.error());
}

int restoreFile(const core::Store &store, const Arguments &arguments)
{
    const std::string path = *arguments.value("session");
    const auto exported = core::Source::open(path);
    if (!exported)
        return report(exported.error());
    const std::string_view bytes = (*exported)->bytes();
    const auto which = arguments.value("commit");
    const auto commit = which ? store.find(*which) : core::findExport(store, bytes, path);
    if (!commit)
        return report(commit.error());
    const auto session = core::restoreSession(store, *commit, bytes, path);
    return session ? write(arguments.value("output"), *session) : report(session.error());
}

core::Result<std::string> bytesOf(const core::Store &store, const core::CommitInfo &commit, const core::Ledger &ledger,
    const std::string &name, bool isDecoded)
{
    auto bytes = store.read(commit, name);
    const auto original = std::ranges::find_if(
        ledger.originals, [&](const core::LedgerOriginal &each) { return each.name == name || each.path == name; });
    if (bytes && isDecoded && original != ledger.originals.end())
        return core::decodedOriginal(*original, *bytes);
    return bytes;
}

/// Makes the folders on the way from `root` to the file `path` below it. A link on the way may lead out of `root`: it
/// is refused.
core::Result<void> makeFolders(const fs::path &root, const fs::path &path)
{
    std::error_code error;
    fs::create_directory(root, error);
    fs::path folder = root;
    for (const fs::path &part : path.parent_path()) {
        folder /= part;
        if (fs::is_symlink(folder, error))
            return core::failure(core::ErrorKind::NotWritable,
                "There is a link at this place already; nothing was written behind it.", folder.string());
        fs::create_directory(folder, error);
    }
    if (error)
        return core::failure(
            core::ErrorKind::NotWritable, "The folder could not be made: " + error.message() + ".", folder.string());
    return {};
}

/// Writes several originals into a folder, each at its path in the store. parseLedger has checked the paths.
int restoreNames(
    const core::Store &store, const core::CommitInfo &commit, const core::Ledger &ledger, const Arguments &arguments)
{
    const std::span names = std::span(arguments.files).subspan(1);
    const std::optional<std::string> place = arguments.value("output");
    if (names.size() > 1 && !place) {
        return report({ core::ErrorKind::Usage,
            "Several names want a folder: -o OUT. One alone goes to standard output without it.", {} });
    }
    std::error_code error;
    const bool isThere = place && fs::is_directory(*place, error);
    const bool isFolder = place && (names.size() > 1 || isThere);
    if (isFolder && !isThere) {
        // A slip of the pen would be a tree of folders. A path that ends in a slash has no name.
        const fs::path folder(*place);
        const auto free = core::NewFile::check(folder.has_filename() ? folder : folder.parent_path());
        if (!free)
            return report(free.error());
    }
    for (size_t i = 0; i < names.size(); ++i) {
        const std::string &name = names[i];
        if (std::ranges::find(names.first(i), name) != names.first(i).end())
            continue; // named twice
        const auto bytes = bytesOf(store, commit, ledger, name, arguments.has("decoded"));
        if (!bytes)
            return report(bytes.error());
        if (!isFolder)
            return write(place, *bytes);
        const auto wanted = core::restoreJson(commit, ledger, std::span(&name, 1));
        const auto &list = wanted["originals"].empty() ? wanted["artifacts"] : wanted["originals"];
        const fs::path path = list.front()["path"].get<std::string>();
        if (const auto made = makeFolders(*place, path); !made)
            return report(made.error());
        if (const auto written = core::writeNewFile(fs::path(*place) / path, *bytes); !written)
            return report(written.error());
    }
    return Done;
}

int runRestore(const Arguments &arguments)
{
    const std::span names = std::span(arguments.files).subspan(1);
    if (arguments.has("session") && (!names.empty() || arguments.has("json")))
        return report(
            { core::ErrorKind::Usage, "--session rebuilds the whole file: it takes neither names nor --json.", {} });
    if (arguments.has("decoded") && (names.empty() || arguments.has("json")))
        return report({ core::ErrorKind::Usage,
            "--decoded is about originals: name one, or several with -o OUT, and no --json.", {} });
    const auto store = core::Store::open(arguments.files.front());
    if (!store)
        return report(store.error());
    if (arguments.has("session"))
        return restoreFile(*store, arguments);
    const auto commit = store->find(arguments.value("commit").value_or(""));
    if (!commit)
        return report(commit.error());
    const auto ledger = store->ledger(*commit);
    if (!ledger)
        return report(ledger.error());
    for (const std::string &name : names) {
        if (const auto there = store->read(*commit, name); !there)
            return report(there.error());
    }
    if (!names.empty() && !(arguments.has("json") && !arguments.has("output"))) {
        const int code = restoreNames(*store, *commit, *ledger, arguments);
        if (code != Done || !arguments.has("json"))
            return code;
    }
    if (!arguments.has("json"))
        return print(core::drawRestorables(*commit, *ledger));
    const auto document = core::restoreJson(*commit, *ledger, names);
    return printJson(document);
}

} // namespace

const Command kRestore { "restore", "STORE [NAME…]", 1, static_cast<size_t>(-1),
    "list what a store of originals keeps, or bring it back", kOptions, runRestore };

} // namespace app
