// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/spilled_output.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace core {

namespace {

constexpr std::string_view kInArtifact = "full text in artifact";
constexpr std::string_view kElided = "elided, read from";
constexpr std::string_view kFetched = "result::fetch";

/// How harnesses say it.
struct Pointer {
    std::string_view words;
    bool namesFile = true;
};
constexpr auto kPointers = std::to_array<Pointer>({
    { "saved in the filesystem at this path" },                       // Deep Agents
    { "was saved to the filesystem at" }, { "Full output saved to" }, // Claude Code, opencode
    { "For full output see" },                                        // Gemini CLI: compression
    { "Full output available at" },                                   // Gemini CLI: masking
    { "Full output:" },                                               // pi
    { kInArtifact, false },                                           // the Genkit recipe
    { kElided, false }, { kFetched, false },                          // iii
});

/// A pointer stands at one of the ends of what was sent.
constexpr size_t kEnd = 4'096;
constexpr size_t kLongestPath = 4'096;
/// No harness sends a longer part of what it saved.
constexpr uint64_t kLongestPart = uint64_t { 256 } << 10U;

/// The path that follows these words: up to the end of the line, a quotation mark or a bracket.
std::string_view pathBehind(std::string_view text)
{
    const size_t begin = text.find_first_not_of(": \t\r\n`\"'");
    if (begin == std::string_view::npos)
        return {};
    text.remove_prefix(begin);
    const std::string_view path = text.substr(0, text.find_first_of("\n\r\"'`<>[])"));
    const bool isAbsolute = path.starts_with('/') || (path.size() > 2 && path[1] == ':');
    const size_t end = path.find_last_not_of(" .");
    return isAbsolute && path.size() <= kLongestPath && end != std::string_view::npos ? path.substr(0, end + 1)
                                                                                      : std::string_view();
}

std::string_view namedFile(std::string_view text)
{
    for (const Pointer &pointer : kPointers) {
        const size_t at = pointer.namesFile ? text.find(pointer.words) : std::string_view::npos;
        if (at == std::string_view::npos)
            continue;
        if (const std::string_view path = pathBehind(text.substr(at + pointer.words.size())); !path.empty())
            return path;
    }
    return {};
}

/// The path that a result names at one of its ends; `head` is its beginning.
std::string fileNamedBy(const Session &session, const Block &block, std::string_view head)
{
    if (const std::string_view named = namedFile(head.substr(0, kEnd)); !named.empty())
        return std::string(named);
    if (block.lengths.bytes <= head.size() || block.lengths.bytes > kLongestPart)
        return {};
    const std::string text = session.text(block.body);
    return std::string(namedFile(std::string_view(text).substr(text.size() - std::min(text.size(), kEnd))));
}

/// What stands between `open`, somewhere behind these words, and one of the characters `close`.
std::string_view wordBehind(
    std::string_view text, std::string_view words, std::string_view open, std::string_view close)
{
    const size_t at = text.find(words);
    const size_t begin = at == std::string_view::npos ? at : text.find(open, at + words.size());
    if (begin == std::string_view::npos)
        return {};
    text.remove_prefix(begin + open.size());
    return text.substr(0, text.find_first_of(close));
}

/// The artifact of the session whose name stands in quotation marks behind these words.
const SavedText *namedArtifact(const Session &session, std::string_view text)
{
    const size_t at = session.savedTexts.empty() ? std::string_view::npos : text.find(kInArtifact);
    const size_t open = at == std::string_view::npos ? at : text.find('`', at);
    const size_t close = open == std::string_view::npos ? open : text.find('`', open + 1);
    if (close == std::string_view::npos)
        return nullptr;
    const auto found = std::ranges::find(session.savedTexts, text.substr(open + 1, close - open - 1), &SavedText::name);
    return found == session.savedTexts.end() ? nullptr : &*found;
}

bool isInside(const std::filesystem::path &file, const std::filesystem::path &folder)
{
    return !folder.empty() && std::ranges::mismatch(folder, file).in1 == folder.end();
}

/// The same file without links and `..`, if it is a file and in one of the folders where a harness would put it.
std::filesystem::path allowed(const std::filesystem::path &file, const std::filesystem::path &sessionFile)
{
    std::error_code error;
    const std::filesystem::path real = std::filesystem::canonical(file, error);
    if (error || !std::filesystem::is_regular_file(real, error))
        return {};
    const std::filesystem::path session = std::filesystem::canonical(sessionFile, error);
    const std::filesystem::path above = error ? std::filesystem::path() : session.parent_path().parent_path();
    const std::filesystem::path temporary
        = std::filesystem::canonical(std::filesystem::temp_directory_path(error), error);
    const bool isBeside = above.has_relative_path() && isInside(real, above);
    return isBeside || (!error && isInside(real, temporary)) ? real : std::filesystem::path();
}

} // namespace

bool pointsElsewhere(std::string_view text)
{
    return std::ranges::any_of(kPointers, [&](const Pointer &each) { return text.contains(each.words); });
}

std::string nameOfWhole(const Session &session, BlockId id)
{
    const Block &block = session.block(id);
    if (block.kind != BlockKind::ToolResult)
        return {};
    const std::string head = session.textHead(block.body, kEnd);
    if (const SavedText *saved = namedArtifact(session, head))
        return saved->name;
    if (const std::string_view call = wordBehind(head, kFetched, "\"call_id\": \"", "\""); !call.empty())
        return std::string(call);
    if (const std::string_view path = wordBehind(head, kElided, " ", " \r\n"); !path.empty())
        return std::string(path);
    return fileNamedBy(session, block, head);
}

std::optional<SpilledOutput> spilledOutput(const Session &session, BlockId id)
{
    const Block &block = session.block(id);
    if (block.kind != BlockKind::ToolResult || session.sources.empty())
        return std::nullopt;
    const std::string head = session.textHead(block.body, kEnd);
    if (const SavedText *saved = namedArtifact(session, std::string_view(head).substr(0, kEnd)))
        return SpilledOutput { saved->name, {}, saved->body.lengths.bytes, saved->body };
    SpilledOutput output { fileNamedBy(session, block, head), {}, 0, {} };
    if (output.path.empty())
        return std::nullopt;
    const std::filesystem::path sessionFile = session.sources.front()->name();
    const std::string name = output.path.substr(output.path.find_last_of("/\\") + 1);
    std::filesystem::path beside = sessionFile;
    beside.replace_extension();
    for (const std::filesystem::path &place : { std::filesystem::path(output.path), beside / "tool-results" / name }) {
        const std::filesystem::path file = allowed(place, sessionFile);
        std::error_code error;
        const uint64_t bytes = file.empty() ? 0 : std::filesystem::file_size(file, error);
        if (file.empty() || error)
            continue;
        output.file = file.string();
        output.bytes = bytes;
        break;
    }
    return output;
}

std::optional<std::string> textOf(const Session &session, const SpilledOutput &output, size_t most)
{
    if (output.saved)
        return most >= output.bytes ? session.text(*output.saved)
                                    : session.textHead(*output.saved, most).substr(0, most);
    const auto source = Source::openMapped(output.file);
    if (!source)
        return std::nullopt;
    std::string text((*source)->bytes().substr(0, most));
    return (*source)->isTorn() ? std::nullopt : std::optional(std::move(text));
}

} // namespace core
