// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"
#include "core/json/json.h"

#include <QString>

#include <filesystem>
#include <functional>
#include <string>

namespace ui {

/// A JSON document about one session file, in the user's data folder and apart from the session: review notes,
/// bookmarks, changes by hand. Several windows may change it at the same time: a change is applied to the file as it is
/// then. Any thread.
struct SessionDocument {
    QString path;
    std::string schema; ///< `palimpsest.reviewed/1`
    std::string title;  ///< `list of reviewed edits`, for the sentences of errors

    /// In `$XDG_DATA_HOME/palimpsest/FOLDER/NAME-HASH.json`: name of the session file and hash of its full path.
    [[nodiscard]] static SessionDocument of(
        const std::filesystem::path &session, const QString &folder, std::string schema, std::string title);

    /// An object with the schema alone if there is no file. Fails if the file has a newer schema or is another
    /// document.
    [[nodiscard]] core::Result<core::Json> read() const;
    /// Reads the document, changes it and writes it atomically, while no other window does. Returns what was written.
    /// Writes nothing if `change` fails.
    using Change = std::function<core::Result<void>(core::Json &document)>;
    [[nodiscard]] core::Result<core::Json> change(const Change &change) const;

private:
    [[nodiscard]] core::Result<void> write(const core::Json &document) const;
};

/// Removes from a map of changes each entry that `written` has with the same value. Entries that have changed since
/// stay.
template <typename Map>
void eraseWritten(Map &changes, const Map &written)
{
    std::erase_if(changes, [&](const auto &each) {
        const auto found = written.find(each.first);
        return found != written.end() && found->second == each.second;
    });
}

/// The text of a member; empty if there is none.
[[nodiscard]] std::string textMember(const core::Json &object, const char *member);

} // namespace ui
