// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/reading/unpack.h"

namespace core {

/// Whether a file is an SQLite database.
[[nodiscard]] bool isDatabase(std::string_view bytes);

/// A copy of a database with the complete transactions of its write-ahead log, in the form that can be opened without
/// the log. Frames with other salts or wrong checksums, and those behind the last commit, are left out, as SQLite does.
[[nodiscard]] std::string databaseImage(std::string_view database, std::string_view log);

/// The tables of a harness as JSON lines: first `{"sqlite":{TABLE:[COLUMN,…],…}}` with all tables, then a line for each
/// row, `{"table":TABLE,COLUMN:VALUE,…}`. A text that is a JSON array or object is not quoted. Rows are in the order of
/// their messages. Reads only the tables of sessions, messages and their parts, if the database has them; never tables
/// with accounts. A damaged database yields the rows before the damage; fails with Malformed if that is nothing.
[[nodiscard]] Result<Unpacked> databaseText(
    std::string_view database, std::string_view log, const std::string &name, uint64_t most = kMostUnpacked);

} // namespace core
