// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/tool_deed.h"

#include "core/session/deed_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace core {

namespace {

struct DeedWord {
    std::string_view word;
    ToolDeed deed;
};
constexpr auto kDeedWords = std::to_array<DeedWord>({ DeedWord { "edit", ToolDeed::Edit },
    { "multiedit", ToolDeed::Edit }, { "editor", ToolDeed::Edit }, { "replace", ToolDeed::Edit },
    { "patch", ToolDeed::Edit }, { "insert", ToolDeed::Edit }, { "write", ToolDeed::Write },
    { "writefile", ToolDeed::Write }, { "create", ToolDeed::Write }, { "save", ToolDeed::Write },
    { "bash", ToolDeed::Run }, { "shell", ToolDeed::Run }, { "exec", ToolDeed::Run }, { "execute", ToolDeed::Run },
    { "run", ToolDeed::Run }, { "terminal", ToolDeed::Run }, { "command", ToolDeed::Run }, { "cmd", ToolDeed::Run },
    { "powershell", ToolDeed::Run }, { "python", ToolDeed::Run }, { "grep", ToolDeed::Search },
    { "glob", ToolDeed::Search }, { "search", ToolDeed::Search }, { "find", ToolDeed::Search },
    { "list", ToolDeed::Search }, { "ls", ToolDeed::Search }, { "rg", ToolDeed::Search }, { "tree", ToolDeed::Search },
    { "read", ToolDeed::Read }, { "readfile", ToolDeed::Read }, { "view", ToolDeed::Read },
    { "viewfile", ToolDeed::Read }, { "cat", ToolDeed::Read }, { "open", ToolDeed::Read },
    { "openfile", ToolDeed::Read } });

constexpr std::array kStrongestFirst { ToolDeed::Edit, ToolDeed::Write, ToolDeed::Run, ToolDeed::Search,
    ToolDeed::Read };

bool isLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool isCapital(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }

/// Calls `visit` with each word of a name in small letters: `readTextFile`, `read_text-file` → read, text, file.
template <typename Visitor>
void forEachWord(std::string_view name, Visitor &&visit)
{
    std::string word;
    for (size_t i = 0; i < name.size(); ++i) {
        const bool startsWord = i > 0 && isCapital(name[i]) && !isCapital(name[i - 1]);
        if ((startsWord || !isLetter(name[i])) && !word.empty()) {
            visit(word);
            word.clear();
        }
        if (isLetter(name[i]))
            word += static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
    }
    if (!word.empty())
        visit(word);
}

} // namespace

std::vector<std::vector<std::string_view>> deedWords()
{
    std::vector<std::vector<std::string_view>> words;
    for (const ToolDeed deed : kStrongestFirst) {
        words.emplace_back();
        for (const DeedWord &each : kDeedWords) {
            if (each.deed == deed)
                words.back().push_back(each.word);
        }
    }
    return words;
}

ToolDeed toolDeed(std::string_view toolName)
{
    auto strongest = kStrongestFirst.size();
    forEachWord(toolName, [&](std::string_view word) {
        const auto *const found = std::ranges::find(kDeedWords, word, &DeedWord::word);
        if (found == kDeedWords.end())
            return;
        const auto *const place = std::ranges::find(kStrongestFirst, found->deed);
        strongest = std::min(strongest, static_cast<size_t>(place - kStrongestFirst.begin()));
    });
    return strongest < kStrongestFirst.size() ? kStrongestFirst[strongest] : ToolDeed::Other;
}

ToolDeed toolDeed(const Session &session, const Block &call)
{
    const ToolDeed deed = toolDeed(session.string(call.name));
    if (deed != ToolDeed::Edit || call.kind != BlockKind::ToolCall)
        return deed;
    const std::string head = session.textHead(call.body, 200);
    const auto says = [&](std::string_view command) {
        return head.find("\"command\": \"" + std::string(command) + '"') != std::string::npos;
    };
    return says("view") ? ToolDeed::Read : says("create") ? ToolDeed::Write : deed;
}

} // namespace core
