// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/commands.h"
#include "core/base/new_file.h"
#include "core/base/source.h"
#include "core/json/json.h"
#include "core/originals/restore.h"
#include "core/report/restorables.h"

#include <array>
#include <filesystem>

namespace app {

namespace {

namespace fs = std::filesystem;

constexpr auto kOptions = std::to_array<Option>({
    { "output", "OUT",
        "the new file, for one NAME or for the session; for several NAMEs a folder. Without it one NAME goes to "
        "standard output",
        'o' },
    { "decoded", "",
        "decodes the JSON strings and the base64 of the removed texts. Without it you get the bytes as the session "
        "holds "
        "them" },
    { "session", "EXPORT", "rebuilds the session file, byte for byte, from the file that was exported" },
    { "commit", "WHICH",
        "which compaction of the store to restore: its number, counted from 1, or the first digits of its id. Default: "
        "the last" },
    { "json", "", "prints the list as JSON of schema palimpsest.restore/1" },
});

/// A new file, or standard output if no path is given.
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

/// One original or artifact goes to standard output or into a file, several go into a folder.
int restoreNames(
    const core::Store &store, const core::CommitInfo &commit, const core::Ledger &ledger, const Arguments &arguments)
{
    const std::span names = std::span(arguments.files).subspan(1);
    const auto form = arguments.has("decoded") ? core::OriginalForm::Decoded : core::OriginalForm::AsStored;
    const std::optional<std::string> place = arguments.value("output");
    if (names.size() > 1 && !place) {
        return report({ core::ErrorKind::Usage,
            "Several names need a folder: -o OUT. Only a single one can go to standard output.", {} });
    }
    std::error_code error;
    const bool isThere = place && fs::is_directory(*place, error);
    if (names.size() == 1 && !isThere) {
        const auto bytes = core::readOriginal(store, commit, ledger, names.front(), form);
        return bytes ? write(place, *bytes) : report(bytes.error());
    }
    if (!isThere) {
        // Does not create parent folders, so a typing error makes no tree of folders. A path that ends in a slash has
        // no name.
        const fs::path folder(*place);
        const auto free = core::NewFile::check(folder.has_filename() ? folder : folder.parent_path());
        if (!free)
            return report(free.error());
    }
    const auto restored = core::restoreInto(store, commit, ledger, names, *place, form);
    return restored ? static_cast<int>(Done) : report(restored.error());
}

int runRestore(const Arguments &arguments)
{
    const std::span names = std::span(arguments.files).subspan(1);
    if (arguments.has("session") && (!names.empty() || arguments.has("json")))
        return report(
            { core::ErrorKind::Usage, "--session rebuilds the whole file; it takes neither names nor --json.", {} });
    if (arguments.has("decoded") && (names.empty() || arguments.has("json")))
        return report({ core::ErrorKind::Usage,
            "--decoded is for originals: name one original, or several originals with -o OUT, without --json.", {} });
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
    "lists what a compaction removed, or brings it back", kOptions, runRestore };

} // namespace app
