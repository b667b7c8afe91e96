// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/edits/shell_file_commands.h"

#include "core/edits/named_files.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>

namespace core {

namespace {

using Words = std::span<const ShellWord>;

/// The words after the name of a program.
struct Operands {
    std::vector<std::string_view> flags;
    std::vector<ShellWord> files;

    /// Finds `-f`, also in groups like `-rf`, or `--force`.
    [[nodiscard]] bool has(char letter, std::string_view name = {}) const
    {
        return std::ranges::any_of(flags, [&](std::string_view flag) {
            return flag.starts_with("--") ? !name.empty() && flag.substr(2, flag.find('=') - 2) == name
                                          : letter != '\0' && flag.contains(letter);
        });
    }
};

/// Options in `valued` take the next word as their value.
Operands operandsOf(Words words, std::string_view valued = {})
{
    Operands operands;
    for (size_t i = 0; i < words.size(); ++i) {
        const ShellWord &word = words[i];
        if (!isFlag(word)) {
            operands.files.push_back(word);
        } else if (word.text == "--") {
            operands.files.insert(
                operands.files.end(), words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
            break;
        } else {
            operands.flags.push_back(word.text);
            i += valued.contains(" " + word.text + " ") ? 1 : 0;
        }
    }
    return operands;
}

/// The changes of the file or files that a word names; empty for words with variables.
std::vector<FileChange> changeOf(
    ChangeKind kind, const ShellWord &word, std::string_view folder, PathNaming naming, std::string_view command)
{
    if ((!word.isLiteral && !word.isPattern) || word.text.empty() || word.text.starts_with("/dev/"))
        return {};
    FileChange change;
    change.kind = kind;
    change.path = pathBehind(folder, word.text);
    change.naming = word.isPattern ? PathNaming::Pattern : naming;
    change.command = command;
    return { std::move(change) };
}

void append(std::vector<FileChange> &changes, std::vector<FileChange> more)
{
    std::ranges::move(more, std::back_inserter(changes));
}

// --- rm, mv, cp ---------------------------------------------------------------------------------------------------

FileCommand removal(const Operands &operands, std::string_view folder, std::string_view command)
{
    FileCommand made;
    if (operands.has('\0', "cached") || operands.has('\0', "dry-run"))
        return made;
    const bool isRecursive = operands.has('r', "recursive") || operands.has('R') || operands.has('d', "dir");
    for (const ShellWord &word : operands.files)
        append(made.changes,
            changeOf(
                ChangeKind::Delete, word, folder, isRecursive ? PathNaming::FileOrFolder : PathNaming::File, command));
    made.asksFirst = operands.has('i', "interactive");
    return made;
}

bool isSurelyFolder(std::string_view path)
{
    return path.ends_with('/') || path == "." || path == ".." || path.ends_with("/.") || path.ends_with("/..");
}

/// Moves or copies all files but the last to the last.
FileCommand transfer(ChangeKind kind, const Operands &operands, std::string_view folder, std::string_view command)
{
    FileCommand made;
    const bool isNamed
        = std::ranges::all_of(operands.files, [](const ShellWord &word) { return word.isLiteral || word.isPattern; });
    if (operands.files.size() < 2 || !isNamed || !operands.files.back().isLiteral
        || operands.has('t', "target-directory"))
        return made;
    const std::string target = pathBehind(folder, operands.files.back().text);
    const bool isRecursive = kind == ChangeKind::Move || operands.has('r', "recursive") || operands.has('R')
        || operands.has('a', "archive");
    for (size_t i = 0; i + 1 < operands.files.size(); ++i) {
        auto changes = changeOf(
            kind, operands.files[i], folder, isRecursive ? PathNaming::FileOrFolder : PathNaming::File, command);
        for (FileChange &change : changes) {
            change.goesIntoFolder = operands.files.size() > 2 || isSurelyFolder(target);
            change.movedTo = target;
            if (kind == ChangeKind::Copy)
                change.from = std::exchange(change.path, std::exchange(change.movedTo, {}));
        }
        append(made.changes, std::move(changes));
    }
    made.asksFirst = operands.has('n', "no-clobber") || operands.has('i', "interactive") || operands.has('u', "update");
    return made;
}

// --- git ----------------------------------------------------------------------------------------------------------

FileCommand putBack(const Operands &operands, PathNaming naming, std::string_view folder, std::string_view command)
{
    FileCommand made;
    for (const ShellWord &word : operands.files)
        append(made.changes, changeOf(ChangeKind::Rewrite, word, folder, naming, command));
    return made;
}

/// Puts aside, brings back or discards all uncommitted changes of tracked files.
FileCommand putBackAll(std::string_view folder, std::string_view command)
{
    return { changeOf(ChangeKind::Rewrite, { ".", true, false }, folder, PathNaming::FileOrFolder, command), false };
}

/// `git stash`, `push`, `pop` and `apply`, possibly limited to named files.
FileCommand stashed(Operands operands, std::string_view folder, std::string_view command)
{
    const std::string what = operands.files.empty() ? "push" : operands.files.front().text;
    if (what == "pop" || what == "apply")
        return putBackAll(folder, std::string(command) + " " + what);
    if (what != "push")
        return {};
    if (!operands.files.empty())
        operands.files.erase(operands.files.begin());
    return operands.files.empty() ? putBackAll(folder, command)
                                  : putBack(operands, PathNaming::FileOrFolder, folder, command);
}

FileCommand gitCommand(Words words, std::string folder)
{
    while (!words.empty() && isFlag(words.front())) {
        const bool isFolder = words.front().text == "-C";
        if (isFolder && words.size() > 1)
            folder = pathBehind(folder, words[1].text);
        words = words.subspan(std::min<size_t>(words.size(), isFolder || words.front().text == "-c" ? 2 : 1));
    }
    if (words.empty())
        return {};
    const std::string name = "git " + words.front().text;
    const Operands operands = operandsOf(words.subspan(1), " -s --source --conflict ");
    if (name == "git rm")
        return removal(operands, folder, name);
    if (name == "git mv")
        return operands.has('n', "dry-run") ? FileCommand() : transfer(ChangeKind::Move, operands, folder, name);
    if (name == "git stash")
        return stashed(operandsOf(words.subspan(1), " -m --message "), folder, name);
    if (name == "git reset"
        && (operands.has('\0', "hard") || operands.has('\0', "keep") || operands.has('\0', "merge")))
        return putBackAll(folder, name);
    const bool makesBranch = operands.has('b') || operands.has('B') || operands.has('\0', "orphan");
    if (name == "git checkout" && !makesBranch) {
        // Without `--` a word may be a branch.
        Operands files = operandsOf(words.subspan(1));
        const auto dashes = std::ranges::find(words, "--", &ShellWord::text);
        if (dashes != words.end())
            files.files.assign(std::next(dashes), words.end());
        return putBack(files, dashes == words.end() ? PathNaming::Known : PathNaming::FileOrFolder, folder, name);
    }
    const bool isOfIndex = operands.has('S', "staged") && !operands.has('W', "worktree");
    return name == "git restore" && !isOfIndex ? putBack(operands, PathNaming::FileOrFolder, folder, name)
                                               : FileCommand();
}

// --- formatters ---------------------------------------------------------------------------------------------------

/// A program that rewrites files.
struct Formatter {
    std::string_view name;
    std::string_view writes;   ///< it only writes with one of these words; empty: unless `without` applies
    std::string_view without;  ///< with one of these words it only checks
    std::string_view suffixes; ///< file suffixes of its languages
    bool takesFolder = true;   ///< without file arguments it processes the whole folder
};
constexpr std::string_view kWeb
    = " .js .jsx .ts .tsx .mjs .cjs .mts .cts .json .css .scss .less .html .vue .svelte .md .mdx .yaml .yml .graphql ";
constexpr std::string_view kChecks = " --check --diff ";
constexpr auto kFormatters = std::to_array<Formatter>({
    { "black", "", kChecks, " .py .pyi .ipynb ", false },
    { "ruff format", "", kChecks, " .py .pyi .ipynb " },
    { "ruff check", " --fix --fix-only ", "", " .py .pyi .ipynb " },
    { "ruff", " --fix ", "", " .py .pyi .ipynb " },
    { "isort", "", " --check --check-only --diff -c ", " .py .pyi ", false },
    { "gofmt", " -w ", "", " .go ", false },
    { "goimports", " -w ", "", " .go ", false },
    { "cargo fmt", "", kChecks, " .rs " },
    { "rustfmt", "", kChecks, " .rs ", false },
    { "clang-format", " -i ", " --dry-run -n ", " .c .cc .cpp .cxx .h .hh .hpp .hxx .m .mm .java .js .ts .proto ",
        false },
    { "prettier", " --write -w ", "", kWeb, false },
    { "eslint", " --fix ", "", " .js .jsx .ts .tsx .mjs .cjs .mts .cts .vue .svelte " },
    { "biome", " --write --apply --fix ", "", kWeb },
});

/// Skips the words of a runner like `npx` before the program.
Words withoutRunner(Words words)
{
    constexpr auto kAlone = std::to_array<std::string_view>({ "npx", "bunx", "uvx", "pnpx", "command" });
    constexpr auto kPairs = std::to_array<std::string_view>({ "uv run", "poetry run", "pipenv run", "hatch run",
        "pnpm exec", "yarn run", "npm exec", "python -m", "python3 -m" });
    for (size_t size = 1; size <= 2 && words.size() > size; ++size) {
        const std::string runner = size == 1 ? words[0].text : words[0].text + " " + words[1].text;
        if (std::ranges::find(kAlone, runner) != kAlone.end() || std::ranges::find(kPairs, runner) != kPairs.end())
            return words.subspan(size);
    }
    return words;
}

FileCommand reformatted(const Formatter &formatter, Words words, std::string_view folder)
{
    const auto hasOne = [&](std::string_view among) {
        return std::ranges::any_of(words, [&](const ShellWord &word) { return among.contains(" " + word.text + " "); });
    };
    FileCommand made;
    if ((!formatter.writes.empty() && !hasOne(formatter.writes)) || hasOne(formatter.without))
        return made;
    Operands operands = operandsOf(words, " -c --config --ignore-path --parser --local --settings-path ");
    if (operands.files.empty() && formatter.takesFolder)
        operands.files.push_back({ ".", true, false });
    for (const ShellWord &word : operands.files) {
        // A word without a suffix of the language is a folder, an option's value, or a pattern of the program's own.
        auto changes = changeOf(ChangeKind::Rewrite, word, folder,
            hasSuffix(word.text, formatter.suffixes) ? PathNaming::File : PathNaming::Known, formatter.name);
        for (FileChange &change : changes) {
            change.naming
                = change.path.find_first_of("*?[{") == std::string::npos ? change.naming : PathNaming::Pattern;
            change.suffixes = formatter.suffixes;
        }
        append(made.changes, std::move(changes));
    }
    return made;
}

FileCommand formatting(Words words, std::string_view folder)
{
    words = withoutRunner(words);
    const std::string name = words.front().text.substr(words.front().text.rfind('/') + 1);
    const std::string both = words.size() > 1 ? name + " " + words[1].text : std::string();
    for (const Formatter &formatter : kFormatters) {
        if (formatter.name == both)
            return reformatted(formatter, words.subspan(2), folder);
        if (formatter.name == name)
            return reformatted(formatter, words.subspan(1), folder);
    }
    return {};
}

} // namespace

FileCommand fileCommand(const ShellCommand &command, std::string_view folder)
{
    const Words words(command.words);
    const std::string_view name = nameOf(command);
    if (words.size() < 2)
        return {};
    if (name == "git")
        return gitCommand(words.subspan(1), std::string(folder));
    if (name == "rm")
        return removal(operandsOf(words.subspan(1)), folder, name);
    if (name == "mv" || name == "cp")
        return transfer(name == "mv" ? ChangeKind::Move : ChangeKind::Copy, operandsOf(words.subspan(1)), folder, name);
    return formatting(words, folder);
}

} // namespace core
