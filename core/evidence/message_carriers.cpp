// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/evidence/message_carriers.h"

#include "core/base/text.h"
#include "core/evidence/kept_words.h"
#include "core/evidence/phrase_finder.h"
#include "core/evidence/shown_text.h"
#include "core/session/user_message.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace core {

namespace {

bool isWordByte(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// Whether `text` contains `phrase` on word boundaries.
bool standsAsWords(std::string_view text, std::string_view phrase)
{
    for (size_t at = text.find(phrase); at != std::string_view::npos; at = text.find(phrase, at + 1)) {
        const size_t end = at + phrase.size();
        const bool beginsWord = at == 0 || !isWordByte(phrase.front()) || !isWordByte(text[at - 1]);
        const bool endsWord = end == text.size() || !isWordByte(phrase.back()) || !isWordByte(text[end]);
        if (beginsWord && endsWord)
            return true;
    }
    return false;
}

/// Whether the rest of a line around a text consists of quotation or list marks only.
bool isOnlyMarks(std::string_view rest)
{
    static constexpr auto kMarks = std::to_array<std::string_view>({ "“", "”", "‘", "’", "«", "»", "•" });
    const auto dropNumber = [&rest] { // `12.` of a list
        const size_t end = rest.find_first_not_of("0123456789");
        const bool isNumber = end != 0 && end != std::string_view::npos && (rest[end] == '.' || rest[end] == ')');
        rest.remove_prefix(isNumber ? end + 1 : 0);
        return isNumber;
    };
    while (!rest.empty()) {
        const auto mark = std::ranges::find_if(kMarks, [&](std::string_view each) { return rest.starts_with(each); });
        if (mark != kMarks.end())
            rest.remove_prefix(mark->size());
        else if (std::string_view(" \t\r>*-\"'`").contains(rest.front()))
            rest.remove_prefix(1);
        else if (!dropNumber())
            return false;
    }
    return true;
}

bool standsInQuotes(std::string_view before, std::string_view behind)
{
    static constexpr auto kPairs = std::to_array<std::pair<std::string_view, std::string_view>>(
        { { "\"", "\"" }, { "'", "'" }, { "`", "`" }, { "“", "”" }, { "‘", "’" }, { "«", "»" } });
    return std::ranges::any_of(
        kPairs, [&](const auto &pair) { return before.ends_with(pair.first) && behind.starts_with(pair.second); });
}

/// Whether `phrase` stands alone in `text`: as the whole text, on its own lines, or between quotation marks.
bool standsAlone(std::string_view text, std::string_view phrase)
{
    constexpr std::string_view kLineEnds("\n\0", 2);
    for (size_t at = text.find(phrase); at != std::string_view::npos; at = text.find(phrase, at + 1)) {
        std::string_view before = text.substr(0, at);
        std::string_view behind = text.substr(at + phrase.size());
        if (standsInQuotes(before, behind))
            return true;
        before.remove_prefix(before.find_last_of(kLineEnds) + 1); // npos + 1 is 0
        behind = behind.substr(0, behind.find_first_of(kLineEnds));
        if (isOnlyMarks(before) && isOnlyMarks(behind))
            return true;
    }
    return false;
}

} // namespace

std::string withSingleBlanks(std::string_view text)
{
    std::string spaced;
    spaced.reserve(text.size());
    for (const char c : withoutBlanks(text)) {
        if (!isBlank(c))
            spaced += c;
        else if (spaced.back() != ' ')
            spaced += ' ';
    }
    return spaced;
}

bool isShortMessage(std::string_view message)
{
    constexpr size_t kFewestCharacters = 12;
    size_t words = 0;
    bool isInWord = false;
    for (const char c : message) {
        words += !isBlank(c) && !isInWord ? 1 : 0;
        isInWord = !isBlank(c);
    }
    return words < KeptWordFinder::kRow || textLengths(message).codePoints < kFewestCharacters;
}

bool holdsMessage(std::string_view text, std::string_view spaced, std::string_view message)
{
    return isShortMessage(message) ? standsAlone(text, message) : standsAsWords(spaced, withSingleBlanks(message));
}

bool mayHoldMessages(const Session &session, const Block &block)
{
    if (block.is(BlockFlag::Summary) || !block.message.isValid())
        return true;
    const Role role = session.message(block.message).role;
    return block.kind == BlockKind::Text && (role == Role::User || role == Role::System);
}

std::vector<std::vector<BlockId>> messageCarriers(
    const Session &session, std::span<const BlockId> messages, std::span<const BlockId> among)
{
    std::vector<std::vector<BlockId>> carriers(messages.size());
    PhraseFinder phrases;
    std::unordered_map<uint32_t, std::vector<size_t>> messagesOf; // by phrase
    std::vector<std::string> texts(messages.size());
    for (size_t i = 0; i < messages.size(); ++i) {
        const Block &block = session.block(messages[i]);
        texts[i] = withoutBlanks(typedText(block, shownText(session, block).text));
        if (!texts[i].empty())
            messagesOf[phrases.add(withSingleBlanks(texts[i]))].push_back(i);
    }
    phrases.prepare();
    for (const BlockId id : among) {
        const Block &block = session.block(id);
        if (messagesOf.empty() || !mayHoldMessages(session, block))
            continue;
        const std::string text = shownText(session, block).text;
        const std::string spaced = withSingleBlanks(text);
        for (const uint32_t phrase : phrases.find(spaced)) {
            for (const size_t i : messagesOf[phrase]) {
                if (messages[i] != id && holdsMessage(text, spaced, texts[i]))
                    carriers[i].push_back(id);
            }
        }
    }
    return carriers;
}

} // namespace core
