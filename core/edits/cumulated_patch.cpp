// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/edits/cumulated_patch.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/base/text_lines.h"
#include "core/base/visible.h"
#include "core/diff/unified_patch.h"
#include "core/edits/named_files.h"
#include "core/edits/placed_patch.h"
#include "core/git/git_buffers.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <unordered_map>

namespace core {

namespace {

std::optional<std::string> textOf(const FileBody &body)
{
    return body.isAbsent ? std::nullopt : std::optional(body.text.flat());
}

} // namespace

std::vector<FileLife> fileLives(const Edits &edits)
{
    std::vector<FileLife> lives;
    std::unordered_map<std::string, size_t> places;
    const auto lifeOf = [&](const std::string &path, const FileBody &before) -> FileLife & {
        const auto [place, isNew] = places.try_emplace(path, lives.size());
        if (isNew)
            lives.push_back({ path, before, before, {}, {} });
        return lives[place->second];
    };
    for (const Edit &edit : edits.edits) {
        if (edit.outcome != EditOutcome::Landed && edit.outcome != EditOutcome::Untold)
            continue;
        // Files that only others changed are left out.
        if (edit.origin == EditOrigin::Outside && !places.contains(edit.path))
            continue;
        for (const FileLife &each : fileLives(edit)) {
            FileLife &life = lifeOf(each.path, each.before);
            life.after = each.after;
            std::ranges::copy(each.steps, std::back_inserter(life.steps));
            std::ranges::copy(each.movedWith, std::back_inserter(life.movedWith));
        }
    }
    return lives;
}

std::vector<FileLife> fileLives(const Edit &edit)
{
    const auto lifeOf = [&](const std::string &path, const FileBody &before, const FileBody &after) {
        return FileLife { path, before, after, { { before, after, edit.origin == EditOrigin::Outside } }, {} };
    };
    if (edit.movedTo.empty())
        return { lifeOf(edit.path, edit.before, edit.after) };
    const bool hasMoved = edit.outcome != EditOutcome::Untold;
    std::vector<FileLife> halves { lifeOf(edit.path, edit.before, hasMoved ? FileBody::absent() : FileBody()),
        lifeOf(edit.movedTo, edit.movedOver, edit.after) };
    halves[0].movedWith.push_back(edit.movedTo);
    halves[1].movedWith.push_back(edit.path);
    return halves;
}

namespace {

/// The head of a diff of a file that exists before and after.
Result<std::string> headOf(const std::string &path)
{
    auto made = unifiedPatch(path, "a\n", "b\n");
    if (!made)
        return made;
    made->erase(made->find("@@ "));
    if (const size_t index = made->find("index "); index != std::string::npos)
        made->erase(index, made->find('\n', index) + 1 - index); // remove the ids of other bodies
    return made;
}

/// git refuses to patch paths inside `.git`.
bool isInGit(const std::string &path)
{
    return std::ranges::any_of(std::filesystem::path(path), [](const auto &part) { return part == ".git"; });
}

bool isLinked(const std::filesystem::path &folder, const std::string &path)
{
    std::filesystem::path place = folder;
    std::error_code error;
    return std::ranges::any_of(std::filesystem::path(path), [&](const auto &part) {
        place /= part;
        return std::filesystem::is_symlink(place, error);
    });
}

/// How the lines of a file end.
enum class LineEnd : uint8_t { Feed, ReturnAndFeed, Mixed };

/// Feed for a missing file.
LineEnd lineEndOf(const std::filesystem::path &file)
{
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error))
        return LineEnd::Feed;
    std::ifstream stream(file, std::ios::binary);
    bool hasReturn = false;
    bool hasPlain = false;
    for (std::string line; std::getline(stream, line) && !stream.eof();)
        (line.ends_with('\r') ? hasReturn : hasPlain) = true;
    return hasReturn && hasPlain ? LineEnd::Mixed : hasReturn ? LineEnd::ReturnAndFeed : LineEnd::Feed;
}

/// The diff of one file with CR LF line ends, except for a last line without a line end.
std::string withReturns(std::string_view patch)
{
    std::string made;
    bool isInHunk = false;
    while (!patch.empty()) {
        const size_t end = std::min(patch.find('\n'), patch.size());
        const std::string_view line = patch.substr(0, end);
        patch.remove_prefix(std::min(end + 1, patch.size()));
        isInHunk = line.starts_with("@@ ") || (isInHunk && !line.starts_with("diff --git "));
        const bool isOfFile = isInHunk && !line.starts_with("@@ ") && !line.starts_with('\\');
        made += line;
        made += isOfFile && !patch.starts_with('\\') ? "\r\n" : "\n";
    }
    return made;
}

/// Makes the changes from `before` to `after` in `text`. nullopt if `text` has other lines at the place of a change.
std::optional<std::string> madeIn(std::string_view text, std::string_view before, std::string_view after)
{
    const auto others = lineHunks(before, text, Whitespace::Exact);
    const auto changes = lineHunks(before, after, Whitespace::Exact);
    if (!others || !changes)
        return std::nullopt;
    const TextLines lines(text);
    const TextLines afterLines(after);
    std::string made;
    size_t at = 0; // line of `text`
    const auto add = [&](std::string_view piece) {
        const bool isNewLine = made.empty() || made.ends_with('\n') || piece.empty();
        made += piece;
        return isNewLine;
    };
    auto other = others->begin();
    for (const LineHunk &change : *changes) {
        const LineRange &place = change.before;
        // Two insertions at one place have no order.
        const auto isAt = [&](const LineHunk &each) { return each.before == place && place.isEmpty(); };
        while (other != others->end() && other->before.end <= place.first && !isAt(*other))
            ++other;
        if (other != others->end() && (other->before.first < place.end || isAt(*other)))
            return std::nullopt;
        const bool isMoved = other != others->begin();
        const size_t first
            = isMoved ? std::prev(other)->after.end + (place.first - std::prev(other)->before.end) : place.first;
        if (!add(lines.span({ at, first }).of(text)) || !add(afterLines.span(change.after).of(after)))
            return std::nullopt;
        at = first + place.count();
    }
    return add(lines.span({ at, lines.count() }).of(text)) ? std::optional(made) : std::nullopt;
}

/// Writes one file's part of a patch.
class FilePatch final {
public:
    FilePatch(const FileLife &life, const std::filesystem::path &folder)
        : m_life(life)
        , m_folder(folder)
    {
    }

    /// Empty if nothing changed, or if the file is left out.
    Result<std::string> write()
    {
        if (!isBelowFolder(m_life.path))
            m_reason = UnpatchedFile::Reason::Elsewhere;
        else if (isInGit(m_life.path))
            m_reason = UnpatchedFile::Reason::InGit;
        else if (!m_folder.empty() && isLinked(m_folder, m_life.path))
            m_reason = UnpatchedFile::Reason::Linked;
        if (m_reason)
            return std::string();
        auto text = writeLines();
        const LineEnd lineEnd
            = text && !text->empty() && !m_folder.empty() && !m_life.before.isAbsent && !text->contains('\r')
            ? lineEndOf(m_folder / m_life.path)
            : LineEnd::Feed;
        if (lineEnd == LineEnd::Mixed) {
            m_reason = UnpatchedFile::Reason::LineEnds;
            return std::string();
        }
        return lineEnd == LineEnd::ReturnAndFeed ? withReturns(*text) : std::move(text);
    }
    [[nodiscard]] const std::optional<UnpatchedFile::Reason> &reason() const { return m_reason; }

private:
    Result<std::string> writeLines()
    {
        std::span<const FileLife::Step> steps = m_life.steps;
        while (!steps.empty() && steps.back().isOutside)
            steps = steps.first(steps.size() - 1);
        if (steps.empty() || std::ranges::any_of(steps, &FileLife::Step::isOutside))
            return writeWithoutOutside(steps);
        if (m_life.before.isKnown() && steps.back().after.isKnown())
            return unifiedPatch(m_life.path, textOf(m_life.before), textOf(steps.back().after));
        std::string text;
        for (const FileLife::Step &step : steps) {
            auto made = write(step);
            if (!made || m_reason)
                return made ? std::string() : std::move(made);
            text += *made;
        }
        return text;
    }

    /// Makes each edit in the text that lacks the changes outside of the log.
    Result<std::string> writeWithoutOutside(std::span<const FileLife::Step> steps)
    {
        std::optional<std::string> text = textOf(m_life.before);
        bool isTold = !steps.empty();
        for (const FileLife::Step &step : steps) {
            if (step.isOutside)
                continue;
            const auto before = textOf(step.before);
            auto after = textOf(step.after);
            isTold = isTold && step.before.isKnown() && step.after.isKnown();
            if (before != text) {
                after = isTold && before && after && text ? madeIn(*text, *before, *after) : std::nullopt;
                isTold = after.has_value();
            }
            text = std::move(after);
        }
        if (isTold)
            return unifiedPatch(m_life.path, textOf(m_life.before), text);
        m_reason = UnpatchedFile::Reason::Outside;
        return std::string();
    }

    Result<std::string> write(const FileLife::Step &step)
    {
        if (step.before.isKnown() && step.after.isKnown())
            return unifiedPatch(m_life.path, textOf(step.before), textOf(step.after));
        const bool isThere = !step.before.isAbsent && !step.after.isAbsent;
        if (!isThere || step.before.text.knownBytes() == 0 || step.after.text.knownBytes() == 0) {
            m_reason = step.after.isKnown() ? UnpatchedFile::Reason::NoBefore : UnpatchedFile::Reason::NotKnown;
            return std::string();
        }
        const auto hunks = placedHunks(step.before.text, step.after.text);
        if (!hunks) {
            m_reason = UnpatchedFile::Reason::NotPlaced;
            return std::string();
        }
        auto head = hunks->empty() ? Result<std::string>() : headOf(m_life.path);
        return head ? *head + *hunks : std::move(head);
    }

    const FileLife &m_life;
    const std::filesystem::path &m_folder;
    std::optional<UnpatchedFile::Reason> m_reason;
};

/// One file's part of a patch, or the reason why it is left out.
struct PatchPart {
    std::string text;
    std::optional<UnpatchedFile::Reason> reason;
};

/// Leaves out the other halves of moves from or to a left-out file, over several moves too.
void leaveOutHalves(std::span<const FileLife> lives, std::vector<PatchPart> &parts)
{
    std::unordered_map<std::string_view, size_t> places;
    for (size_t i = 0; i < lives.size(); ++i)
        places.emplace(lives[i].path, i);
    std::vector<size_t> open;
    for (size_t i = 0; i < parts.size(); ++i) {
        // A file that moved out of the folder is simply deleted from it.
        if (parts[i].reason && *parts[i].reason != UnpatchedFile::Reason::Elsewhere)
            open.push_back(i);
    }
    std::vector<bool> isReached(parts.size(), false);
    while (!open.empty()) {
        const size_t at = open.back();
        open.pop_back();
        if (isReached[at])
            continue;
        isReached[at] = true;
        if (!parts[at].text.empty())
            parts[at] = { std::string(), UnpatchedFile::Reason::HalfMoved };
        for (const std::string &path : lives[at].movedWith) {
            if (const auto other = places.find(path); other != places.end())
                open.push_back(other->second);
        }
    }
}

/// Text that `git apply` skips: the files without a diff, with reasons.
std::string noteOf(const CumulatedPatch &patch)
{
    std::string note;
    for (const UnpatchedFile &file : patch.leftOut)
        note += formatted("# left out: {} ({}): {}\n", visibleText(file.path), counted(file.changes, "change"),
            sentenceOf(file.reason));
    for (const std::string &path : patch.unchanged)
        note += formatted("# not in the patch: {}: {}\n", visibleText(path), kUnchangedReason);
    return note;
}

} // namespace

Result<CumulatedPatch> patchOf(std::span<const FileLife> lives, const std::filesystem::path &folder)
{
    std::vector<PatchPart> parts;
    for (const FileLife &life : lives) {
        FilePatch file(life, folder);
        auto made = file.write();
        if (!made)
            return std::unexpected(made.error());
        parts.push_back({ std::move(*made), file.reason() });
    }
    leaveOutHalves(lives, parts);
    CumulatedPatch patch;
    for (size_t i = 0; i < lives.size(); ++i) {
        if (parts[i].reason)
            patch.leftOut.push_back({ lives[i].path, *parts[i].reason, lives[i].steps.size() });
        else
            (parts[i].text.empty() ? patch.unchanged : patch.files).push_back(lives[i].path);
        patch.text += parts[i].text;
    }
    if (!patch.text.empty())
        patch.text.insert(0, noteOf(patch));
    return patch;
}

std::string_view sentenceOf(UnpatchedFile::Reason reason)
{
    switch (reason) {
    case UnpatchedFile::Reason::Elsewhere:
        return "outside the working folder";
    case UnpatchedFile::Reason::NotKnown:
        return "the log does not show the result of a change";
    case UnpatchedFile::Reason::Outside:
        return "it changed outside the log, and its edits do not apply without that change";
    case UnpatchedFile::Reason::NotPlaced:
        return "the log does not show the lines of a change";
    case UnpatchedFile::Reason::NoBefore:
        return "the log does not show its earlier content";
    case UnpatchedFile::Reason::InGit:
        return "git refuses to patch files inside .git";
    case UnpatchedFile::Reason::Linked:
        return "git does not patch symbolic links or files behind them";
    case UnpatchedFile::Reason::LineEnds:
        return "its line ends differ, and the log does not show how each line ends";
    case UnpatchedFile::Reason::HalfMoved:
        return "it was moved, and the file at the other path is left out";
    }
    return {};
}

Result<CumulatedPatch> cumulatedPatch(const Edits &edits, const std::filesystem::path &folder)
{
    return patchOf(fileLives(edits), folder);
}

} // namespace core
