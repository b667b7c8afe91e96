// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/reading/reader.h"
#include "core/session/format_traits.h"

#include <filesystem>
#include <span>

namespace core {

/// How certain a format is that it recognises a file. The highest wins; ties go to the format registered first.
enum class Likeness : uint8_t {
    No,
    Maybe,   ///< the shape fits, but nothing names the harness
    Likely,  ///< several names specific to it are there
    Certain, ///< nothing else writes this
};

/// The parts of a file that formats recognise it by: content only, never the name.
struct Sample {
    std::string_view head;      ///< the first 64 KiB, without a byte order mark
    std::string_view all;       ///< the whole file
    bool isSingleValue = false; ///< the first JSON value reaches to the end of the file, or does not end in the head
    std::vector<std::string_view> records; ///< the first JSON values, for line formats: up to 60 in the head and, if
                                           ///< the head ends inside a value, a few behind it; values are truncated at
                                           ///< 64 KiB
};

/// One session format: how to recognise it, how to read it, and what other folders must know of it. One file each,
/// named in `formats.h`.
struct Format {
    std::string_view id;    ///< `claude-code`
    std::string_view title; ///< `Claude Code JSONL`
    std::string_view notes; ///< one line for `palimpsest formats`: where its files are and what is read
    Likeness (*sniff)(const Sample &sample);
    /// Opens a reader for one session. Damage becomes a diagnostic in the session; an error means that nothing was
    /// usable or that the job was cancelled. `openWhole<read>` is for formats that are read as a whole.
    std::unique_ptr<Reader> (*open)(const ReadContext &context);
    FormatTraits traits;
};

/// Sets the format of a session. Readers call this before they add messages.
inline void setFormat(Session &session, const Format &format)
{
    session.format = format.id;
    session.traits = &format.traits;
}

/// All formats, in the order that decides ties.
[[nodiscard]] std::span<const Format *const> formats();

/// Splits the beginning of a file into the parts that formats look at.
[[nodiscard]] Sample sampleOf(std::string_view bytes);

/// The format of these bytes; an error says what they look like instead.
[[nodiscard]] Result<const Format *> recognise(std::string_view bytes, std::string_view name);

/// Opens, recognises and reads a session file. Unpacks compressed files (zstd) first. Uses up to `threads` threads; the
/// result does not depend on the number.
[[nodiscard]] Result<SessionPtr> loadSession(
    const std::filesystem::path &path, Progress *progress = nullptr, const Publish &publish = {}, unsigned threads = 1);

/// The same for an open source.
[[nodiscard]] Result<SessionPtr> loadSession(
    const SourcePtr &source, Progress *progress = nullptr, const Publish &publish = {}, unsigned threads = 1);

/// A file as far as it was read, and the reader that continues when the file grows.
struct OpenedFile {
    SessionPtr session; ///< without an incomplete last line if that may still be written
    SourcePtr source;
    std::unique_ptr<Reader> reader; ///< nullptr: the file has to be read again as a whole
};

/// Opens, recognises and reads a session file that may be growing. The reader keeps a copy of the session's data.
[[nodiscard]] Result<OpenedFile> openGrowing(
    const SourcePtr &source, Progress *progress = nullptr, const Publish &publish = {}, unsigned threads = 1);

} // namespace core
