// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/findings/facts.h"

#include "core/base/text.h"
#include "core/evidence/message_carriers.h"
#include "core/evidence/shown_text.h"
#include "core/session/constraints.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

namespace core {

namespace {

constexpr size_t kSmallestName = 6;
constexpr size_t kLongestFact = 200;
constexpr size_t kFewestDigits = 3;
constexpr size_t kLongestExtension = 5;
constexpr size_t kLongestLine = 300;

bool isSmall(char c) { return c >= 'a' && c <= 'z'; }
bool isCapital(char c) { return c >= 'A' && c <= 'Z'; }
bool isLetter(char c) { return isSmall(c) || isCapital(c); }
bool isWordByte(char c) { return isLetter(c) || isDigit(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80U; }

/// Whether a character can stand inside of a fact.
bool isInside(char c) { return isWordByte(c) || std::string_view("./-:#,$@+~%").contains(c); }

std::string_view trimmed(std::string_view word)
{
    constexpr std::string_view kEnds = ".,:-+~%$@";
    constexpr std::string_view kBegins = ",:-+@$";
    while (!word.empty() && kEnds.contains(word.back()))
        word.remove_suffix(1);
    while (!word.empty() && kBegins.contains(word.front()))
        word.remove_prefix(1);
    return word;
}

/// `a.cpp:12` and `a.cpp:12-40` without the lines.
std::string_view withoutLine(std::string_view word)
{
    const size_t colon = word.rfind(':');
    if (colon == std::string_view::npos || colon + 1 == word.size() || word.substr(0, colon).ends_with("http"))
        return word;
    const bool isLine = std::ranges::all_of(word.substr(colon + 1), [](char c) { return isDigit(c) || c == '-'; });
    return isLine ? withoutLine(word.substr(0, colon)) : word;
}

/// Whether the last part looks like `name.ext`.
bool hasExtension(std::string_view path)
{
    const std::string_view last = path.substr(path.rfind('/') + 1);
    const size_t dot = last.rfind('.');
    const size_t least = path.contains('/') ? 1 : 2; // "e.g" is no file
    if (dot == std::string_view::npos || dot < least || last.size() - dot - 1 > kLongestExtension
        || last.size() - dot - 1 < 1)
        return false;
    const std::string_view extension = last.substr(dot + 1);
    return isSmall(extension.front()) && std::ranges::all_of(extension, [](char c) { return isSmall(c) || isDigit(c); })
        && std::ranges::any_of(last.substr(0, dot), isLetter);
}

/// Whether a name without a folder is that of a file or host: `main.cpp`, `api.example.com`. Code has the same shape
/// (`entry.total`, `self.line`), so only usual endings count.
bool isFileName(std::string_view name)
{
    static constexpr auto kEndings = std::to_array<std::string_view>({ "adoc", "asm", "astro", "avif", "awk", "backup",
        "bak", "bash", "bat", "bib", "bin", "bmp", "bz2", "c", "cc", "cfg", "cjs", "clj", "cmake", "cmd", "com", "conf",
        "cpp", "crt", "cs", "css", "csv", "cts", "cxx", "dart", "db", "dev", "diff", "dll", "doc", "docx", "env", "erl",
        "ex", "exe", "exs", "f90", "fish", "fs", "gif", "go", "gql", "gz", "h", "hbs", "hcl", "hh", "hpp", "hs", "htm",
        "html", "hxx", "ico", "ini", "inl", "io", "ipynb", "jar", "java", "jl", "jpeg", "jpg", "js", "json", "json5",
        "jsonc", "jsonl", "jsx", "kt", "kts", "less", "lock", "log", "lua", "md", "mdx", "mjs", "mk", "ml", "mm", "mod",
        "mp3", "mp4", "mts", "ndjson", "net", "nim", "nix", "nu", "odt", "old", "org", "orig", "patch", "pb", "pdf",
        "pem", "php", "pl", "plist", "png", "proto", "ps1", "pug", "py", "pyc", "pyi", "qml", "qrc", "rb", "rs", "rst",
        "rtf", "ru", "sass", "scala", "scss", "sh", "sol", "sql", "sum", "svg", "swift", "tar", "tcl", "tex", "tf",
        "tgz", "tmp", "toml", "ts", "tsv", "tsx", "ttf", "txt", "vb", "vim", "vue", "wasm", "wav", "webm", "webp",
        "woff", "xls", "xlsx", "xml", "xsd", "xz", "yaml", "yml", "zig", "zip", "zsh", "zst" });
    static_assert(std::ranges::is_sorted(kEndings));
    static constexpr auto kObjects = std::to_array<std::string_view>(
        { "console", "logger", "math", "np", "os", "process", "self", "sys", "system", "this" });
    const size_t dot = name.rfind('.');
    return std::ranges::binary_search(kEndings, name.substr(dot + 1))
        && std::ranges::find(kObjects, lowered(name.substr(0, name.find('.')))) == kObjects.end();
}

bool isPath(std::string_view word)
{
    if (word.contains("://"))
        return word.size() > word.find("://") + 6;
    if (!std::ranges::all_of(word, [](char c) { return isWordByte(c) || std::string_view("./-@+~#").contains(c); }))
        return false;
    if (!word.contains('/'))
        return hasExtension(word) && isFileName(word) && !word.contains('@'); // that is an address
    // Words with a slash between them ("and/or", "read/write") are no paths.
    const auto slashes = std::ranges::count(word, '/');
    return hasExtension(word) || (slashes >= 2 && std::ranges::any_of(word, isLetter) && !word.contains("//"));
}

bool isName(std::string_view word)
{
    if (word.size() < kSmallestName || isDigit(word.front()) || !std::ranges::all_of(word, isWordByte)
        || std::ranges::none_of(word, isLetter))
        return false;
    for (size_t i = 1; i < word.size(); ++i) {
        const bool isHump = isCapital(word[i]) && isSmall(word[i - 1]);
        if (isHump || (word[i] == '_' && i + 1 < word.size()))
            return true;
    }
    return false;
}

/// `v2.1.7`
bool isVersion(std::string_view word)
{
    return word.size() > 1 && lowered(word.substr(0, 1)) == "v" && isDigit(word[1]);
}

bool isNumber(std::string_view word)
{
    const auto digits = static_cast<size_t>(std::ranges::count_if(word, isDigit));
    if (word.starts_with('#') || isVersion(word))
        word.remove_prefix(1);
    const bool isPlain = !word.empty() && isDigit(word.front())
        && std::ranges::all_of(word, [](char c) { return isDigit(c) || c == ',' || c == '.'; });
    return isPlain && digits >= kFewestDigits;
}

std::optional<FactKind> kindOf(std::string_view word)
{
    if (word.size() < 3 || word.size() > kLongestFact)
        return std::nullopt;
    if (isNumber(word))
        return FactKind::Number;
    if (isPath(word))
        return FactKind::Path;
    return isName(word) ? std::optional(FactKind::Name) : std::nullopt;
}

/// `155,023` → `155023`.
std::string withoutSeparators(std::string_view text)
{
    std::string made;
    for (size_t i = 0; i < text.size(); ++i) {
        const bool isSeparator
            = text[i] == ',' && i > 0 && isDigit(text[i - 1]) && i + 1 < text.size() && isDigit(text[i + 1]);
        if (!isSeparator)
            made += text[i];
    }
    return made;
}

bool holdsWord(std::string_view text, std::string_view word)
{
    for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const size_t end = at + word.size();
        const bool begins = at == 0 || !isWordByte(text[at - 1]) || !isWordByte(word.front());
        const bool ends = end == text.size() || !isWordByte(text[end]) || !isWordByte(word.back());
        if (begins && ends)
            return true;
    }
    return false;
}

/// Lines of one kind, each once.
class Lines final {
public:
    explicit Lines(FactKind kind)
        : m_kind(kind)
    {
    }
    void add(std::string_view line)
    {
        Fact fact { m_kind, std::string(line.substr(0, line.size() > kLongestLine ? 0 : line.size())) };
        if (!fact.text.empty() && m_known.insert(keyOf(fact)).second)
            m_facts.push_back(std::move(fact));
    }
    [[nodiscard]] std::vector<Fact> take() { return std::move(m_facts); }

private:
    FactKind m_kind;
    std::vector<Fact> m_facts;
    std::set<std::string> m_known;
};

/// `line` is in lower case.
template <size_t Count>
bool beginsWithOne(std::string_view line, const std::array<std::string_view, Count> &words)
{
    return std::ranges::any_of(words, [&](std::string_view word) { return line.starts_with(word); });
}

bool isError(std::string_view line)
{
    static constexpr auto kBegins
        = std::to_array<std::string_view>({ "error: ", "fatal: ", "fatal error: ", "panic: ", "error[",
            "fail: ", "fail\t", "failed ", "--- fail: ", "npm err! ", "assertion failed" });
    if (line.size() > kLongestLine || line.ends_with(',') || line.ends_with(';') || line.ends_with('{'))
        return false;
    const std::string small = lowered(line);
    const auto hasWords = [](std::string_view text) { return text.find_first_of(" \t") != std::string_view::npos; };
    if (beginsWithOne(small, kBegins))
        return hasWords(line);
    // `src/a.c:12:3: error: …`, `ValueError: …`
    const size_t colon = line.find(": ");
    if (colon == std::string_view::npos)
        return false;
    const std::string_view name = line.substr(0, colon);
    const size_t place = small.find(": error: ");
    if (place != std::string::npos && hasExtension(withoutLine(line.substr(0, place))))
        return true;
    return (name.ends_with("Error") || name.ends_with("Exception")) && name.size() > 5
        && (isCapital(name.front()) || name.contains('.'))
        && std::ranges::all_of(name, [](char c) { return isWordByte(c) || c == '.'; });
}

/// `## Next Steps`, `7. Pending Tasks:`, `**To do**`
bool isHeading(std::string_view line, size_t indent)
{
    return line.starts_with("#") || (indent == 0 && (line.ends_with(':') || line.ends_with("**")));
}

bool isTaskHeading(std::string_view line)
{
    static constexpr auto kWords = std::to_array<std::string_view>({ "pending task", "open task", "remaining task",
        "remaining work", "outstanding task", "next step", "todo", "to do" });
    const std::string small = lowered(line);
    return line.size() < 80
        && std::ranges::any_of(kWords, [&](std::string_view words) { return small.contains(words); });
}

/// Neither ticked nor "none", and more than a path.
bool isOpenTask(std::string_view item)
{
    static constexpr auto kTicks = std::to_array<std::string_view>({ "✅", "✓", "[x]", "[X]", "~~" });
    const std::string small = lowered(item);
    return item.contains(' ') && !small.starts_with("none") && !small.starts_with("**none")
        && std::ranges::none_of(kTicks, [&](std::string_view tick) { return item.contains(tick); });
}

} // namespace

std::vector<Fact> factsOf(std::string_view text)
{
    std::vector<Fact> facts;
    std::set<std::string> known;
    for (size_t at = 0; at < text.size();) {
        if (!isInside(text[at])) {
            ++at;
            continue;
        }
        const size_t begin = at;
        while (at < text.size() && isInside(text[at]))
            ++at;
        const std::string_view word = withoutLine(trimmed(text.substr(begin, at - begin)));
        const auto kind = kindOf(word);
        const bool isCall = kind == FactKind::Path && at < text.size() && text[at] == '(' && !word.contains('/');
        if (!kind || isCall)
            continue;
        Fact made { *kind, *kind == FactKind::Number ? withoutSeparators(word) : std::string(word) };
        if (known.insert(keyOf(made)).second)
            facts.push_back(std::move(made));
    }
    return facts;
}

std::vector<Fact> errorsOf(std::string_view text)
{
    Lines lines(FactKind::Error);
    forEachTrimmedLine(text, [&](std::string_view line) {
        if (isError(line))
            lines.add(line);
    });
    return lines.take();
}

std::vector<Fact> constraintsOf(std::string_view text)
{
    Lines lines(FactKind::Constraint);
    for (const std::string_view sentence : constraintsIn(text))
        lines.add(sentence);
    return lines.take();
}

std::vector<Fact> tasksOf(std::string_view text)
{
    Lines lines(FactKind::Task);
    bool isBelow = false;
    std::optional<size_t> depth; // of the items below the heading
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view whole = text.substr(at, end - at);
        at = end + 1;
        const size_t indent = whole.find_first_not_of(" \t\r");
        if (indent == std::string_view::npos)
            continue;
        const std::string_view line = whole.substr(indent, whole.find_last_not_of(" \t\r") + 1 - indent);
        const std::string_view item = withoutListMark(line);
        if (isHeading(line, indent)) {
            isBelow = isTaskHeading(line);
            depth = std::nullopt;
        } else if (item.size() == line.size()) {
            isBelow = isBelow && (!depth || indent > *depth); // a paragraph ends the list
        } else if (item.starts_with("[ ] ")) {
            lines.add(item.substr(4));
        } else if (isBelow && indent == depth.value_or(indent)) {
            depth = indent;
            if (isOpenTask(item))
                lines.add(item);
        }
    }
    return lines.take();
}

std::string keyOf(const Fact &fact)
{
    if (fact.kind >= FactKind::Error)
        return lowered(withSingleBlanks(fact.text));
    const std::string key = lowered(fact.text);
    const size_t slash = fact.kind == FactKind::Path ? key.rfind('/') : std::string::npos;
    return slash == std::string::npos || slash + 1 == key.size() ? key : key.substr(slash + 1);
}

void FactFinder::read(std::string_view text)
{
    for (const Fact &fact : factsOf(text))
        m_keys.insert(keyOf(fact));
    m_texts.push_back(lowered(withSingleBlanks(withoutSeparators(text))));
}

bool FactFinder::holds(const Fact &fact) const
{
    std::string word = keyOf(fact);
    if (m_keys.contains(word))
        return true;
    if (fact.kind == FactKind::Number && (word.starts_with('#') || isVersion(word)))
        word.erase(0, 1);
    else if (fact.kind >= FactKind::Error)
        word = withoutSeparators(word);
    return std::ranges::any_of(m_texts, [&](const std::string &text) { return holdsWord(text, word); });
}

} // namespace core
