// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/reading/format.h"
#include "core/session/session.h"

#include <QString>

#include <filesystem>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

/// What tests of session formats share.
namespace testing {

/// Recognises and reads a document as if it were a file.
core::Result<core::SessionPtr> load(std::string text);

/// The same; ends the test program if the document cannot be read or the session breaks a rule.
core::SessionPtr sound(const std::string &text);

/// Reads a log in two steps, cut at many places, and compares with reading it at once. The first difference, or "".
std::string problemOfGrowing(const core::Format &format, const std::string &whole);

/// The format that claims a document, or "" if none does.
std::string formatOf(const std::string &text);

/// The array at the end of a thread in words: `user{text+typed "Hi"} assistant{call ls#t1 "{}"} tool{result ls#t1
/// "a"}`. Kinds: text, thinking, call, result, image, document, opaque; `+` flags; name, `#` call id, the decoded body.
std::string describe(const core::Session &session, size_t thread = 0);

/// The diagnostics as `line: reason`, one a line.
std::string diagnosticsOf(const core::Session &session);

/// Where two sessions differ first, as a sentence; empty if they hold the same. Not compared: `isComplete`, and what
/// stands in the first source beside the bodies.
std::string differenceOf(const core::Session &a, const core::Session &b);

/// The first rule that a session breaks, as a sentence; empty if it keeps them all: every body and record range lies in
/// its source; the decoded texts are as long as stored; messages cover the pool once, in order; calls, ends and
/// preludes lie in the pool; tool results name a call that stands before them in their thread, unless a diagnostic says
/// so; the side bytes of blocks are in the session's.
std::string brokenRule(const core::Session &session);

/// Slots that ever stood in an array of a thread.
size_t slotsInLife(const core::SessionPtr &session, size_t thread = 0);
size_t slotsAtEnd(const core::SessionPtr &session, size_t thread = 0);

/// The corpus of real files, or an empty path where there is none: $PALIMPSEST_CORPUS, else beside the repository.
std::filesystem::path corpus();
/// Its files in these folders (all if none is named), relative, sorted.
std::vector<std::string> corpusFiles(const std::vector<std::string> &folders = {});
/// The column `file` with one file of the corpus in `oneIn`, drawn by the seed, or all with PALIMPSEST_ALL_CASES; where
/// there is no corpus one row with an empty name.
void addCorpusRows(uint64_t oneIn);

/// A file of resources/samples.
QString samplePath(const QString &name);

/// A row of tests/independent/expected.tsv: what another reader, written apart, counts. Numbers by column name; files
/// of several sessions have a row each, in order.
struct Expected {
    std::string format;
    std::map<std::string, size_t> numbers;
};
std::vector<Expected> expectedOf(const std::string &file);
/// A table of tests/independent, behind its head.
std::ifstream independentTable(const char *name);

} // namespace testing
