// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/search/query.h"

#include "core/base/enum_names.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/json/blank.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace core {

namespace {

using Key = QueryTerm::Key;

constexpr auto kWords = std::to_array<QueryWord>({
    { "role:", "messages of this role: user, assistant, tool or system" },
    { "tool:", "calls of this tool and their results; Read* matches every name that begins with Read" },
    { "kind:", "text, thinking, call, result, image, document, summary or injected" },
    { "text:", "blocks that contain the text (case does not matter); quotes keep blanks" },
    { "file:", "blocks about a file, command or URL that contains this" },
    { "tokens>", "blocks with more tokens; also < and =, and k for thousands" },
    { "call>", "blocks that entered the context after this call; also < and =" },
    { "error", "failed tool results" },
    { "typed", "messages that you typed" },
    { "lost", "blocks that are not in the array at the end; a summary there may quote them" },
    { "hot", "the few heavy blocks of the shown array that a policy could remove" },
});

constexpr std::array<std::string_view, 4> kRoles { "system", "user", "assistant", "tool" }; // as enum Role
constexpr std::array<std::string_view, 8> kKinds { "text", "thinking", "call", "result", "image", "document", "summary",
    "injected" };

/// A term as written.
struct Piece {
    size_t begin = 0;       ///< of the word in the line, behind a minus
    bool isNegated = false; ///< a minus stands before it
    std::string key;        ///< lowered; empty for a text
    std::string sign;       ///< `:`, `>`, `<=`…
    std::string value;
    size_t valueBegin = 0;
};

size_t positionOf(std::string_view line, size_t offset) { return textLengths(line.substr(0, offset)).codePoints + 1; }

std::unexpected<Error> mistake(std::string_view line, size_t offset, const std::string &sentence)
{
    return failure(ErrorKind::Usage, formatted("{} (position {})", sentence, positionOf(line, offset)));
}

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Reads the value at `at`: up to the next blank, or between quotes.
Result<std::string> readValue(std::string_view line, size_t &at)
{
    const size_t begin = at;
    if (at < line.size() && line[at] == '"') {
        const size_t end = line.find('"', at + 1);
        if (end == std::string_view::npos)
            return mistake(line, begin, "The closing quotation mark is missing.");
        at = end + 1;
        return std::string(line.substr(begin + 1, end - begin - 1));
    }
    while (at < line.size() && !isBlank(line[at]))
        ++at;
    return std::string(line.substr(begin, at - begin));
}

bool isKey(std::string_view key)
{
    return std::ranges::any_of(kWords, [&](const QueryWord &each) {
        const std::string_view word = each.word;
        return word == key || (word.size() == key.size() + 1 && word.starts_with(key) && !isLetter(word.back()));
    });
}

/// Reads a key and its sign, if the word at `at` begins with them: `role:`. A text such as `std::sort`, `https://` or
/// `Makefile:` has none.
bool readKey(std::string_view line, size_t &at, Piece &piece)
{
    size_t end = at;
    while (end < line.size() && isLetter(line[end]))
        ++end;
    if (end == at || end == line.size())
        return false;
    const std::string key = lowered(line.substr(at, end - at));
    const char sign = line[end];
    const char next = end + 1 < line.size() ? line[end + 1] : ' ';
    const bool isOther = sign == ':' && !isKey(key) && (next == ':' || next == '/' || next == '\\' || isBlank(next));
    if (isOther || (sign != ':' && (!isKey(key) || (sign != '>' && sign != '<' && sign != '='))))
        return false;
    piece.key = key;
    piece.sign = sign;
    if (sign != ':' && next == '=' && sign != '=')
        piece.sign += '=';
    at = end + piece.sign.size();
    return true;
}

Result<Piece> readPiece(std::string_view line, size_t &at)
{
    Piece piece;
    const bool hasMinus = line[at] == '-' && at + 1 < line.size() && !isBlank(line[at + 1]) && line[at + 1] != '-';
    if (hasMinus) {
        piece.isNegated = true;
        ++at;
    }
    piece.begin = at;
    readKey(line, at, piece);
    piece.valueBegin = at;
    const bool isQuoted = at < line.size() && line[at] == '"';
    auto value = readValue(line, at);
    if (!value)
        return std::unexpected(value.error());
    piece.value = *std::move(value);
    if (isQuoted && piece.key.empty())
        piece.key = "text";
    if (piece.value.empty() && !piece.key.empty())
        return mistake(line, piece.valueBegin,
            isQuoted ? "The quotation is empty." : "\"" + piece.key + piece.sign + "\" needs a value.");
    return piece;
}

Result<double> numberOf(std::string_view line, const Piece &piece)
{
    double number = 0;
    const char *const end = piece.value.data() + piece.value.size();
    const auto read = std::from_chars(piece.value.data(), end, number, std::chars_format::fixed);
    std::string_view rest(read.ptr, static_cast<size_t>(end - read.ptr));
    if (rest == "k" || rest == "K" || rest == "m" || rest == "M") {
        number *= lowered(rest) == "k" ? 1e3 : 1e6;
        rest = {};
    }
    if (read.ec != std::errc() || !rest.empty() || number < 0)
        return mistake(line, piece.valueBegin, "\"" + piece.value + "\" is no number; write 2000 or 2k.");
    return number;
}

QueryTerm::Compare compareOf(std::string_view sign)
{
    using enum QueryTerm::Compare;
    return sign == ">" ? Greater
        : sign == ">=" ? GreaterOrEqual
        : sign == "<"  ? Less
        : sign == "<=" ? LessOrEqual
                       : Equal;
}

Result<QueryTerm> numberTerm(std::string_view line, const Piece &piece)
{
    if (piece.sign == ":")
        return mistake(line, piece.begin + piece.key.size(),
            formatted("Compare {0} with a number: {0}>{1}.", piece.key, piece.value));
    const auto number = numberOf(line, piece);
    if (!number)
        return std::unexpected(number.error());
    QueryTerm term;
    term.key = piece.key == "tokens" ? Key::Tokens : Key::Call;
    term.compare = compareOf(piece.sign);
    term.number = *number;
    return term;
}

Result<QueryTerm> choiceTerm(
    std::string_view line, const Piece &piece, Key key, std::span<const std::string_view> names)
{
    const std::string wanted = key == Key::Role && lowered(piece.value) == "model" ? "assistant" : lowered(piece.value);
    const auto found = std::ranges::find(names, wanted);
    if (found == names.end())
        return mistake(line, piece.valueBegin,
            formatted("There is no {} \"{}\"; write {}.", piece.key, piece.value, alternatives(names)));
    QueryTerm term;
    term.key = key;
    term.choice = static_cast<uint8_t>(found - names.begin());
    return term;
}

QueryTerm textTerm(Key key, const std::string &value)
{
    QueryTerm term;
    term.key = key;
    if (key != Key::Tool)
        term.needle = std::make_shared<const Needle>(value);
    return term;
}

/// The words that ask for a property.
std::optional<Key> propertyOf(std::string_view word)
{
    constexpr auto kProperties = std::to_array<std::pair<std::string_view, Key>>(
        { { "error", Key::Error }, { "typed", Key::Typed }, { "lost", Key::Lost }, { "hot", Key::Hot } });
    const auto found = std::ranges::find(kProperties, word, &std::pair<std::string_view, Key>::first);
    return found == kProperties.end() ? std::nullopt : std::optional(found->second);
}

/// A word without key: a property, `#12`, or a text.
QueryTerm wordTerm(const std::string &word)
{
    QueryTerm term;
    const std::string low = lowered(word);
    if (const auto property = propertyOf(low)) {
        term.key = *property;
        return term;
    }
    if (word.size() > 1 && word.size() < 10 && word.front() == '#'
        && word.find_first_not_of("0123456789", 1) == std::string::npos) {
        term.key = Key::Number;
        term.number = std::stod(word.substr(1));
        return term;
    }
    return textTerm(Key::Text, word);
}

Result<QueryTerm> termOf(std::string_view line, const Piece &piece)
{
    const std::string &key = piece.key;
    if (key.empty())
        return wordTerm(piece.value);
    if (key == "tokens" || key == "call")
        return numberTerm(line, piece);
    if (propertyOf(key))
        return mistake(line, piece.begin, formatted("{} takes no value.", key));
    if (!isKey(key))
        return mistake(line, piece.begin,
            formatted("There is no key \"{0}:\"; to find the text, quote it: \"{0}:{1}\".", key, piece.value));
    if (!piece.sign.empty() && piece.sign != ":")
        return mistake(
            line, piece.begin + key.size(), formatted("Write a colon after {0}: {0}:{1}.", key, piece.value));
    if (key == "role")
        return choiceTerm(line, piece, Key::Role, kRoles);
    if (key == "kind")
        return choiceTerm(line, piece, Key::Kind, kKinds);
    return textTerm(key == "tool" ? Key::Tool : key == "file" ? Key::File : Key::Text, piece.value);
}

} // namespace

const Needle *Query::firstText() const
{
    const auto found
        = std::ranges::find_if(terms, [](const QueryTerm &term) { return term.key == Key::Text && !term.isNegated; });
    return found == terms.end() ? nullptr : found->needle.get();
}

bool Query::reads(QueryTerm::Key key) const { return std::ranges::contains(terms, key, &QueryTerm::key); }

Result<Query> parseQuery(std::string_view line)
{
    Query query;
    for (size_t at = 0; at < line.size();) {
        if (isBlank(line[at])) {
            ++at;
            continue;
        }
        const auto piece = readPiece(line, at);
        if (!piece)
            return std::unexpected(piece.error());
        auto term = termOf(line, *piece);
        if (!term)
            return std::unexpected(term.error());
        term->isNegated = piece->isNegated;
        term->value = piece->value;
        query.terms.push_back(*std::move(term));
    }
    return query;
}

std::string withTerm(std::string_view line, std::string_view term, bool isNegated)
{
    std::string result;
    for (size_t at = 0; at < line.size();) {
        if (isBlank(line[at])) {
            ++at;
            continue;
        }
        const size_t begin = at;
        if (!readPiece(line, at))
            at = line.size(); // what follows cannot be read, and stays
        const std::string_view written = line.substr(begin, at - begin);
        if (written.substr(written.starts_with('-') ? 1 : 0) != term)
            result.append(written).append(" ");
    }
    return result.append(isNegated ? "-" : "").append(term);
}

std::string withPhrase(std::string_view line)
{
    std::vector<std::string> words;
    std::optional<size_t> place; // of the phrase, in `words`
    std::string phrase;
    size_t texts = 0;
    for (size_t at = 0; at < line.size();) {
        if (isBlank(line[at])) {
            ++at;
            continue;
        }
        const size_t begin = at;
        const auto piece = readPiece(line, at);
        if (!piece)
            return std::string(line);
        const auto term = termOf(line, *piece);
        if (!term)
            return std::string(line);
        if (term->key != Key::Text || piece->isNegated) {
            words.emplace_back(line.substr(begin, at - begin));
            continue;
        }
        if (!place) {
            place = words.size();
            words.emplace_back();
        }
        phrase.append(texts++ == 0 ? "" : " ").append(piece->value);
    }
    if (texts < 2 || phrase.contains('"'))
        return std::string(line);
    words[*place] = '"' + phrase + '"';
    std::string result;
    for (const std::string &word : words)
        result.append(result.empty() ? "" : " ").append(word);
    return result;
}

std::span<const QueryWord> queryWords() { return kWords; }

std::span<const std::string_view> queryValues(std::string_view word)
{
    if (word == "role:")
        return kRoles;
    if (word == "kind:")
        return kKinds;
    return {};
}

} // namespace core
