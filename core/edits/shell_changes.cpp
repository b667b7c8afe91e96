// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/edits/shell_changes.h"

#include "core/edits/apply_patch.h"
#include "core/edits/shell_file_commands.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

namespace core {

namespace {

using Words = std::span<const ShellWord>;

bool areLiteral(Words words) { return std::ranges::all_of(words, &ShellWord::isLiteral); }

bool tellsFile(const ShellWord &word)
{
    return word.isLiteral && !word.text.empty() && !word.text.starts_with("/dev/") && word.text != "-";
}

const Redirection *hereDocumentOf(const ShellCommand &command)
{
    const auto found = std::ranges::find(command.redirections, RedirectionKind::HereDocument, &Redirection::kind);
    return found == command.redirections.end() ? nullptr : &*found;
}

/// The byte for a backslash escape in a `printf` format.
std::optional<char> escaped(char letter)
{
    constexpr std::string_view kLetters = "nt\\\"'";
    constexpr std::string_view kBytes = "\n\t\\\"'";
    const size_t at = kLetters.find(letter);
    return at == std::string_view::npos ? std::nullopt : std::optional(kBytes[at]);
}

/// The output of `printf` if its format has only text, `%s`, `%%` and plain escapes.
std::optional<std::string> formatted(Words words)
{
    if (words.empty() || isFlag(words.front()) || !areLiteral(words))
        return std::nullopt;
    const std::string &format = words.front().text;
    std::string text;
    size_t next = 1;
    do { // repeats while there are words left
        const size_t before = next;
        for (size_t i = 0; i < format.size(); ++i) {
            const char follows = i + 1 < format.size() ? format[i + 1] : '\0';
            if (format[i] != '%' && format[i] != '\\') {
                text += format[i];
                continue;
            }
            ++i;
            if (format[i - 1] == '\\') {
                const auto byte = escaped(follows);
                if (!byte)
                    return std::nullopt;
                text += *byte;
            } else if (follows == 's') {
                text += next < words.size() ? words[next++].text : std::string();
            } else if (follows == '%') {
                text += '%';
            } else {
                return std::nullopt;
            }
        }
        if (next == before)
            break;
    } while (next < words.size());
    return text;
}

/// The output of a command, if its words determine it.
std::optional<std::string> outputOf(const ShellCommand &command)
{
    const std::string_view name = nameOf(command);
    if (name == "cat" && command.words.size() == 1) {
        const Redirection *text = hereDocumentOf(command);
        return text != nullptr && text->target.isLiteral ? std::optional(text->target.text) : std::nullopt;
    }
    if (name.empty() || name == ":" || name == "true")
        return hereDocumentOf(command) == nullptr ? std::optional<std::string>("") : std::nullopt;
    const Words words = Words(command.words).subspan(1);
    if (name == "printf")
        return formatted(words);
    if (name != "echo" || !areLiteral(words))
        return std::nullopt;
    const bool hasNoEnd = !words.empty() && words.front().text == "-n";
    std::string text;
    for (const ShellWord &word : words.subspan(hasNoEnd ? 1 : 0)) {
        if ((text.empty() && isFlag(word)) || word.text.contains('\\'))
            return std::nullopt; // -e; shells also differ in the meaning of backslashes
        text += (text.empty() ? "" : " ") + word.text;
    }
    return text + (hasNoEnd ? "" : "\n");
}

/// The files after the options of `sed -i` or `perl -i`; empty if the command does not edit in place.
std::vector<ShellWord> filesInPlace(const ShellCommand &command)
{
    std::vector<ShellWord> files;
    const bool isPerl = nameOf(command) == "perl";
    bool isInPlace = false;
    bool hasScript = false;
    for (size_t i = 1; i < command.words.size(); ++i) {
        const ShellWord &word = command.words[i];
        if (!isFlag(word)) {
            files.push_back(word);
            continue;
        }
        const bool isLong = word.text.starts_with("--");
        const bool edits = isLong ? word.text.starts_with("--in-place")
            : isPerl              ? word.text.contains('i')
                     : word.text.starts_with("-i") || word.text == "-Ei" || word.text == "-ri" || word.text == "-ni";
        isInPlace = isInPlace || edits;
        // BSD's `-i ''`: an empty backup suffix as a separate word.
        if (edits && !isPerl && i + 1 < command.words.size() && command.words[i + 1].text.empty())
            ++i;
        const bool takesScript = !isLong && word.text.ends_with('e') && (isPerl || word.text.size() <= 3);
        if (takesScript || word.text == "--expression" || word.text == "-f") {
            hasScript = true;
            ++i;
        }
    }
    if (!isInPlace)
        return {};
    if (!hasScript && !files.empty())
        files.erase(files.begin());
    return files;
}

/// The substitution of `sed -i 's/old/new/g' F` if both texts are plain; first or all occurrences in each line.
std::optional<Replacement> substitution(const ShellCommand &command)
{
    const Words words(command.words);
    const bool isPlain = nameOf(command) == "sed" && words.size() >= 4 && areLiteral(words)
        && (words[1].text == "-i" || words[1].text == "--in-place");
    const size_t at = isPlain && words[2].text == "-e" ? 3 : 2;
    const bool isLastScript
        = isPlain && std::ranges::none_of(words.subspan(at + 1), [](const ShellWord &word) { return isFlag(word); });
    if (!isLastScript || words.size() < at + 2)
        return std::nullopt;
    const std::string_view script = words[at].text;
    constexpr std::string_view kPatterns = ".*[]^$\\&\n";
    if (script.size() < 5 || script[0] != 's' || kPatterns.contains(script[1]))
        return std::nullopt;
    const size_t middle = script.find(script[1], 2);
    const size_t end = middle == std::string_view::npos ? middle : script.find(script[1], middle + 1);
    if (end == std::string_view::npos || middle == 2 || (end + 1 != script.size() && script.substr(end + 1) != "g")
        || script.substr(2, end - 2).find_first_of(kPatterns) != std::string_view::npos)
        return std::nullopt;
    return Replacement { .before = std::string(script.substr(2, middle - 2)),
        .after = std::string(script.substr(middle + 1, end - middle - 1)),
        .isEverywhere = end + 1 != script.size() };
}

RunCertainty certaintyOf(const ShellCommand &command, RunCertainty before)
{
    if (command.joint == Joint::Pipe)
        return before;
    if (command.isWithin || command.joint == Joint::Or)
        return RunCertainty::Perhaps;
    // A command on its own line runs whatever happened before.
    return command.joint == Joint::And ? RunCertainty::AfterSuccess : RunCertainty::Run;
}

class ChangeFinder final {
public:
    explicit ChangeFinder(std::string_view folder)
        : m_folder(folder)
    {
    }

    std::vector<ShellChange> find(const std::vector<ShellCommand> &commands)
    {
        for (const ShellCommand &command : commands) {
            m_certainty = certaintyOf(command, m_certainty);
            look(command, command.joint == Joint::Pipe);
        }
        return std::move(m_changes);
    }

private:
    void add(ChangeKind kind, const ShellWord &file, const ShellCommand &by, std::string text = {})
    {
        const bool isNamed = tellsFile(file);
        if (!isNamed && !(file.isPattern && kind == ChangeKind::Rewrite))
            return;
        FileChange change;
        change.kind = kind;
        change.path = pathBehind(m_folder, file.text);
        change.text = std::move(text);
        change.naming = isNamed ? PathNaming::File : PathNaming::Pattern;
        change.command = nameOf(by);
        m_changes.push_back({ std::move(change), false, m_certainty });
    }
    void look(const ShellCommand &command, bool isFed);
    void patch(const ShellCommand &command);
    void redirected(const ShellCommand &command, bool isFed);
    void tee(const ShellCommand &command);

    std::string m_folder;
    RunCertainty m_certainty = RunCertainty::Run;
    std::vector<ShellChange> m_changes;
};

void ChangeFinder::look(const ShellCommand &command, bool isFed)
{
    const std::string_view name = nameOf(command);
    const Words words = Words(command.words).subspan(command.words.empty() ? 0 : 1);
    if (name == "cd" || name == "pushd") {
        if (words.size() == 1 && words.front().isLiteral)
            m_folder = pathBehind(m_folder, words.front().text);
    } else if (name == "apply_patch" || name == "applypatch") {
        patch(command);
    } else if (name == "sed" || name == "perl") {
        const size_t first = m_changes.size();
        for (const ShellWord &file : filesInPlace(command))
            add(ChangeKind::Rewrite, file, command);
        if (const auto plain = substitution(command)) {
            for (size_t i = first; i < m_changes.size(); ++i)
                m_changes[i].change.replacements.push_back(*plain);
        }
    } else if (name == "tee") {
        tee(command);
    } else if (name == "truncate" && !words.empty() && !isFlag(words.back())) {
        add(ChangeKind::Rewrite, words.back(), command);
    } else {
        FileCommand made = fileCommand(command, m_folder);
        for (FileChange &change : made.changes)
            m_changes.push_back({ std::move(change), false, made.asksFirst ? RunCertainty::Perhaps : m_certainty });
    }
    redirected(command, isFed);
}

void ChangeFinder::patch(const ShellCommand &command)
{
    const Redirection *document = hereDocumentOf(command);
    const std::string text = document != nullptr ? document->target.text
        : command.words.size() > 1               ? command.words[1].text
                                                 : std::string();
    for (FileChange &change : parsePatch(text)) {
        change.path = pathBehind(m_folder, change.path);
        if (!change.movedTo.empty())
            change.movedTo = pathBehind(m_folder, change.movedTo);
        m_changes.push_back({ std::move(change), true, m_certainty });
    }
}

void ChangeFinder::redirected(const ShellCommand &command, bool isFed)
{
    for (const Redirection &redirection : command.redirections) {
        if (redirection.kind != RedirectionKind::Write && redirection.kind != RedirectionKind::Append)
            continue;
        const bool isWrite = redirection.kind == RedirectionKind::Write;
        if (auto text = isFed ? std::nullopt : outputOf(command))
            add(isWrite ? ChangeKind::Write : ChangeKind::Append, redirection.target, command, std::move(*text));
        else
            add(ChangeKind::Rewrite, redirection.target, command);
    }
}

void ChangeFinder::tee(const ShellCommand &command)
{
    const Redirection *document = hereDocumentOf(command);
    bool appends = false;
    for (const ShellWord &word : Words(command.words).subspan(1)) {
        appends = appends || word.text == "-a" || word.text == "--append";
        if (isFlag(word))
            continue;
        if (document != nullptr && document->target.isLiteral)
            add(appends ? ChangeKind::Append : ChangeKind::Write, word, command, document->target.text);
        else
            add(ChangeKind::Rewrite, word, command);
    }
}

std::optional<uint64_t> numberOf(std::string_view text)
{
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// The lines that `sed -n '10,20p'` prints, and the path if there is one.
std::optional<ShellView> sedView(Words words)
{
    if (words.size() < 3 || words[1].text != "-n" || words.size() > 4 || !areLiteral(words))
        return std::nullopt;
    std::string_view range = words[2].text;
    const size_t comma = range.find(',');
    if (!range.ends_with('p') || comma == std::string_view::npos)
        return std::nullopt;
    range.remove_suffix(1);
    const bool isToEnd = range.substr(comma + 1) == "$";
    const uint64_t first = numberOf(range.substr(0, comma)).value_or(0);
    const uint64_t last = numberOf(range.substr(comma + 1)).value_or(0);
    if (first == 0 || (!isToEnd && last < first))
        return std::nullopt;
    ShellView view;
    view.path = words.size() == 4 ? words[3].text : std::string();
    view.firstLine = first - 1;
    if (!isToEnd)
        view.lineCount = last - first + 1;
    return view;
}

/// The number of lines that `head` prints by its options: `-n 5`, `-n5`, `-5`, `--lines=5`. nullopt for other options
/// and for `-n -5`, which prints all but the last five lines.
std::optional<uint64_t> headLines(Words options)
{
    constexpr uint64_t kDefault = 10;
    if (options.empty())
        return kDefault;
    std::string_view number = options.front().text;
    if (options.size() == 2)
        return number == "-n" || number == "--lines" ? numberOf(options[1].text) : std::nullopt;
    for (const std::string_view begin : { "--lines=", "-n", "-" }) {
        if (options.size() == 1 && number.starts_with(begin))
            return numberOf(number.substr(begin.size()));
    }
    return std::nullopt;
}

std::optional<ShellView> viewOf(const ShellCommand &command)
{
    const std::string_view name = nameOf(command);
    const Words words(command.words);
    const bool endsInFile = words.size() > 1 && tellsFile(words.back()) && !isFlag(words.back());
    if (name == "sed")
        return sedView(words);
    if (!endsInFile)
        return std::nullopt;
    ShellView view;
    view.path = words.back().text;
    const Words options = words.subspan(1, words.size() - 2);
    if (name == "head") {
        view.lineCount = headLines(options);
        return view.lineCount ? std::optional(view) : std::nullopt;
    }
    const std::string_view option = options.size() == 1 ? std::string_view(options.front().text) : std::string_view();
    view.isNumbered = (name == "cat" && option == "-n") || (name == "nl" && option == "-ba");
    return view.isNumbered || (name == "cat" && options.empty()) ? std::optional(view) : std::nullopt;
}

} // namespace

std::vector<ShellChange> shellChanges(const std::vector<ShellCommand> &commands, std::string_view folder)
{
    return ChangeFinder(folder).find(commands);
}

std::vector<ShellChange> shellChanges(std::string_view script, std::string_view folder)
{
    return shellChanges(parseShell(script), folder);
}

std::optional<ShellView> shellView(std::string_view script, std::string_view folder)
{
    const std::vector<ShellCommand> commands = parseShell(script);
    std::string inFolder(folder);
    std::optional<ShellView> view;
    for (size_t i = 0; i < commands.size(); ++i) {
        const ShellCommand &command = commands[i];
        if (std::ranges::any_of(command.redirections, [](const Redirection &each) {
                return each.kind == RedirectionKind::Write || each.kind == RedirectionKind::Append;
            }))
            return std::nullopt;
        if (nameOf(command) == "cd" && command.words.size() == 2 && !view) {
            inFolder = pathBehind(inFolder, command.words[1].text);
            continue;
        }
        auto next = command.isWithin ? std::nullopt : viewOf(command); // a loop prints more than once
        const bool isRestOfPipe = view && command.joint == Joint::Pipe && next && next->path.empty()
            && view->firstLine == 0 && !view->lineCount && nameOf(command) == "sed";
        if (!next || (view && !isRestOfPipe) || (!view && next->path.empty()))
            return std::nullopt;
        if (isRestOfPipe) {
            next->path = view->path;
            next->isNumbered = view->isNumbered;
        }
        view = std::move(next);
    }
    if (view)
        view->path = pathBehind(inFolder, view->path);
    return view;
}

} // namespace core
