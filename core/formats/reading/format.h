// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/reading/reader.h"

#include <filesystem>
#include <span>

namespace core {

/// How sure a format is that a file is its own. The surest one reads it; ties go to the one registered first.
enum class Likeness : uint8_t {
    No,
    Maybe,   ///< the shape fits, nothing names the harness
    Likely,  ///< several of its own names are there
    Certain, ///< nothing else writes this
};

/// What a format looks at to recognise a file: content only, never the name.
struct Sample {
    std::string_view head;      ///< the first 64 KiB, without a byte order mark
    std::string_view all;       ///< the whole file
    bool isSingleValue = false; ///< the first JSON value reaches to the end of the file, or does not end in the head
    std::vector<std::string_view> records; ///< the first JSON values: up to 60 of the head and, where it ends inside
                                           ///< one, a few behind it; for line formats. A long one is cut at 64 KiB.
};

/// One session format: how to recognise it and how to read it. One file each in this folder.
struct Format {
    std::string_view id;    ///< `claude-code`
    std::string_view title; ///< `Claude Code JSONL`
    std::string_view notes; ///< one line for `palimpsest formats`: where its files are found, what is read of them
    Likeness (*sniff)(const Sample &sample);
    /// A reader of one session in this format. Damage is a diagnostic in its session; an error means that nothing was
    /// usable or that the job was cancelled. `openWhole<read>` for a format that is read in one piece.
    std::unique_ptr<Reader> (*open)(const ReadContext &context);
};

/// All formats, in the order in which ties are decided.
[[nodiscard]] std::span<const Format *const> formats();

/// Splits the beginning of a file into what formats look at.
[[nodiscard]] Sample sampleOf(std::string_view bytes);

/// The format of these bytes; an error names what was seen instead.
[[nodiscard]] Result<const Format *> recognise(std::string_view bytes, std::string_view name);

/// Opens, recognises and reads a session file. Compressed files (zstd) are unpacked first. It uses as many threads as
/// it is given; what comes out does not depend on that.
[[nodiscard]] Result<SessionPtr> loadSession(
    const std::filesystem::path &path, Progress *progress = nullptr, const Publish &publish = {}, unsigned threads = 1);

/// The same for a source that is open already.
[[nodiscard]] Result<SessionPtr> loadSession(
    const SourcePtr &source, Progress *progress = nullptr, const Publish &publish = {}, unsigned threads = 1);

// One descriptor for each format, defined in the format's own file.
extern const Format kClaudeCode;
extern const Format kClaudeSdkStream;
extern const Format kCodex;
extern const Format kPi;
extern const Format kAnthropicMessages;
extern const Format kOpenAiChat;
extern const Format kOpenAiResponses;
extern const Format kLangChain;
extern const Format kGenkit;

} // namespace core
