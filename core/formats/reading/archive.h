// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/reading/unpack.h"

namespace core {

/// Whether a file is a ZIP archive.
[[nodiscard]] bool isArchive(std::string_view bytes);

/// A log of Inspect in a ZIP archive (`.eval`) as one document, as Inspect writes logs in JSON: the members of
/// `header.json` (of `_journal/start.json` while the run goes on), then the files of `samples/` in the order of the
/// archive. No other file is unpacked. A sample that cannot be read is left out, and `Unpacked::damage` names it. Fails
/// with UnknownFormat for other archives, with Malformed for one whose list of files is damaged, and with NotReadable
/// if the log unpacks to more than `most` bytes, whatever sizes the archive claims.
[[nodiscard]] Result<Unpacked> archiveText(
    std::string_view bytes, const std::string &name, uint64_t most = kMostUnpacked);

} // namespace core
