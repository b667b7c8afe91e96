// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/edits/shell_script.h"

#include <algorithm>
#include <array>
#include <utility>

namespace core {

namespace {

constexpr auto kKeywords = std::to_array<std::string_view>(
    { "if", "then", "else", "elif", "do", "while", "until", "{", "}", "!", "time", "sudo" });

/// Words that begin and end statements whose commands may not run.
constexpr auto kOpening = std::to_array<std::string_view>({ "if", "while", "until", "for", "case", "select" });
constexpr auto kClosing = std::to_array<std::string_view>({ "fi", "done", "esac" });

bool isShellBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool endsWord(char c) { return isShellBlank(c) || std::string_view("\n;&|<>()").contains(c); }

bool isAssignment(std::string_view word)
{
    const size_t equals = word.find('=');
    return equals != std::string_view::npos && equals > 0 && std::ranges::all_of(word.substr(0, equals), [](char c) {
        return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    });
}

class ShellParser final {
public:
    explicit ShellParser(std::string_view script)
        : m_script(script)
    {
    }

    std::vector<ShellCommand> parse()
    {
        while (m_at < m_script.size())
            step();
        finishCommand(Joint::Sequence);
        return std::move(m_commands);
    }

private:
    /// A here-document whose text starts behind the current line.
    struct Pending {
        std::string delimiter;
        bool isQuoted = false;
        bool stripsTabs = false;
        size_t command = 0; ///< its future index in m_commands
        size_t redirection = 0;
    };

    [[nodiscard]] char peek(size_t ahead = 0) const
    {
        return m_at + ahead < m_script.size() ? m_script[m_at + ahead] : '\0';
    }
    [[nodiscard]] bool takes(std::string_view text)
    {
        if (!m_script.substr(m_at).starts_with(text))
            return false;
        m_at += text.size();
        return true;
    }
    void finishCommand(Joint next)
    {
        if (!m_command.words.empty() || !m_command.redirections.empty())
            m_commands.push_back(std::exchange(m_command, {}));
        m_command.joint = next;
        m_command.isWithin = m_depth > 0;
    }
    void addWord(ShellWord word);

    void step();
    /// Parses a redirection of the output, or of another descriptor, which is ignored.
    void redirect(bool isOutput = true);
    void hereDocument();
    void readHereDocuments();
    void skipBlanks()
    {
        while (m_at < m_script.size() && (isShellBlank(peek()) || (peek() == '\\' && peek(1) == '\n')))
            m_at += peek() == '\\' ? 2 : 1;
    }
    [[nodiscard]] ShellWord word();
    void doubleQuoted(ShellWord &word);
    void expansion(ShellWord &word);

    std::string_view m_script;
    size_t m_at = 0;
    ShellCommand m_command;
    std::vector<ShellCommand> m_commands;
    std::vector<Pending> m_pending;
    int m_depth = 0; ///< number of open statements
};

void ShellParser::step()
{
    const char c = peek();
    if (isShellBlank(c) || (c == '\\' && peek(1) == '\n')) {
        skipBlanks();
    } else if (c == '#') {
        m_at = std::min(m_script.find('\n', m_at), m_script.size());
    } else if (c == '\n') {
        ++m_at;
        finishCommand(Joint::Sequence);
        readHereDocuments();
    } else if (takes("&&")) {
        finishCommand(Joint::And);
    } else if (takes("||")) {
        finishCommand(Joint::Or);
    } else if (takes("&>")) {
        --m_at;
        redirect();
    } else if (takes("|&") || takes("|")) {
        finishCommand(Joint::Pipe);
    } else if (c == ';' || c == '&' || c == '(' || c == ')') {
        ++m_at;
        finishCommand(Joint::Sequence);
    } else if (c == '<' || c == '>') {
        redirect();
    } else {
        ShellWord next = word();
        const bool isDescriptor = (peek() == '<' || peek() == '>') && !next.text.empty()
            && std::ranges::all_of(next.text, [](char digit) { return digit >= '0' && digit <= '9'; });
        if (isDescriptor) {
            redirect(next.text == "1");
            return;
        }
        addWord(std::move(next));
    }
}

void ShellParser::addWord(ShellWord word)
{
    if (m_command.words.empty()) {
        const auto isAmong = [&](const auto &words) { return std::ranges::find(words, word.text) != words.end(); };
        m_depth += isAmong(kOpening) ? 1 : 0;
        m_depth -= isAmong(kClosing) && m_depth > 0 ? 1 : 0;
        m_command.isWithin = m_depth > 0;
        if (isAssignment(word.text) || isAmong(kKeywords))
            return;
    }
    m_command.words.push_back(std::move(word));
}

void ShellParser::redirect(bool isOutput)
{
    if (takes("<<<")) {
        skipBlanks();
        Redirection text { RedirectionKind::HereDocument, word() };
        text.target.text += '\n';
        m_command.redirections.push_back(std::move(text));
        return;
    }
    if (takes("<<")) {
        hereDocument();
        return;
    }
    RedirectionKind kind = RedirectionKind::Other;
    if (takes(">>"))
        kind = RedirectionKind::Append;
    else if (takes(">|") || takes(">"))
        kind = RedirectionKind::Write;
    else
        ++m_at;
    const bool isDescriptor = takes("&");
    skipBlanks();
    m_command.redirections.push_back({ isDescriptor || !isOutput ? RedirectionKind::Other : kind, word() });
}

void ShellParser::hereDocument()
{
    Pending pending;
    pending.stripsTabs = takes("-");
    skipBlanks();
    pending.isQuoted = peek() == '\'' || peek() == '"' || peek() == '\\';
    pending.delimiter = word().text;
    pending.command = m_commands.size();
    pending.redirection = m_command.redirections.size();
    m_command.redirections.push_back({ RedirectionKind::HereDocument, {} });
    m_pending.push_back(std::move(pending));
}

void ShellParser::readHereDocuments()
{
    for (const Pending &pending : std::exchange(m_pending, {})) {
        std::string text;
        while (m_at < m_script.size()) {
            const size_t end = std::min(m_script.find('\n', m_at), m_script.size());
            std::string_view line = m_script.substr(m_at, end - m_at);
            m_at = std::min(end + 1, m_script.size());
            while (pending.stripsTabs && line.starts_with('\t'))
                line.remove_prefix(1);
            if (line == pending.delimiter)
                break;
            text += line;
            text += '\n';
        }
        const bool isLiteral = pending.isQuoted || text.find_first_of("$`\\") == std::string::npos;
        if (pending.command < m_commands.size()
            && pending.redirection < m_commands[pending.command].redirections.size())
            m_commands[pending.command].redirections[pending.redirection].target = { std::move(text), isLiteral };
    }
}

ShellWord ShellParser::word()
{
    ShellWord word;
    bool hasWildcards = false;
    bool isExpanded = false; // in a way other than wildcards
    while (m_at < m_script.size() && !endsWord(peek())) {
        const char c = m_script[m_at++];
        if (c == '\'') {
            const size_t end = std::min(m_script.find('\'', m_at), m_script.size());
            word.text += m_script.substr(m_at, end - m_at);
            m_at = std::min(end + 1, m_script.size());
        } else if (c == '"') {
            doubleQuoted(word);
        } else if (c == '\\') {
            if (m_at < m_script.size() && m_script[m_at] != '\n')
                word.text += m_script[m_at];
            m_at = std::min(m_at + 1, m_script.size());
        } else if (c == '$' || c == '`') {
            --m_at;
            expansion(word);
        } else {
            hasWildcards = hasWildcards || std::string_view("*?[").contains(c);
            // `~/` counts as literal; `~somebody/` and a lone `~` are expanded by the shell.
            isExpanded = isExpanded || (c == '~' && word.text.empty() && peek() != '/') || c == '{';
            word.text += c;
        }
    }
    word.isPattern = hasWildcards && !isExpanded && word.isLiteral;
    word.isLiteral = word.isLiteral && !hasWildcards && !isExpanded;
    return word;
}

void ShellParser::doubleQuoted(ShellWord &word)
{
    while (m_at < m_script.size() && peek() != '"') {
        if (peek() == '$' || peek() == '`') {
            expansion(word);
        } else if (peek() == '\\' && std::string_view("\"\\$`\n").contains(peek(1))) {
            if (peek(1) != '\n')
                word.text += peek(1);
            m_at += 2;
        } else {
            word.text += m_script[m_at++];
        }
    }
    m_at = std::min(m_at + 1, m_script.size());
}

/// Copies `$name`, `${…}`, `$(…)` and backquotes into the word as written.
void ShellParser::expansion(ShellWord &word)
{
    const size_t begin = m_at;
    const char first = m_script[m_at++];
    if (first == '`') {
        m_at = std::min(std::min(m_script.find('`', m_at), m_script.size()) + 1, m_script.size());
    } else if (peek() == '(' || peek() == '{') {
        const char open = peek();
        const char close = open == '(' ? ')' : '}';
        for (int depth = 0; m_at < m_script.size(); ++m_at) {
            depth += peek() == open ? 1 : 0;
            depth -= peek() == close ? 1 : 0;
            if (depth == 0)
                break;
        }
        m_at = std::min(m_at + 1, m_script.size());
    }
    word.isLiteral = false;
    word.text += m_script.substr(begin, m_at - begin);
}

} // namespace

std::string_view nameOf(const ShellCommand &command)
{
    if (command.words.empty())
        return {};
    const std::string_view name = command.words.front().text;
    return name.substr(name.rfind('/') + 1);
}

std::string pathBehind(std::string_view folder, std::string_view path)
{
    while (path.starts_with("./"))
        path.remove_prefix(2);
    if (folder.empty() || path.starts_with('/') || path.starts_with('~'))
        return std::string(path);
    return std::string(folder) + (folder.ends_with('/') ? "" : "/") + std::string(path);
}

std::vector<ShellCommand> parseShell(std::string_view script) { return ShellParser(script).parse(); }

} // namespace core
