// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/constraints.h"

#include "core/base/text.h"
#include "core/session/user_message.h"

#include <algorithm>
#include <array>
#include <string>

namespace core {

namespace {

constexpr size_t kLongestSentence = 300;

/// List marks, quotation marks and emphasis in front of a sentence.
std::string_view withoutMarks(std::string_view line)
{
    for (size_t size = 0; size != line.size();) {
        size = line.size();
        line = withoutListMark(line);
        line.remove_prefix(std::min(line.find_first_not_of(" \"'*_`"), line.size()));
    }
    return line;
}

/// Whether a clause, in lower case, forbids something, or asks for something at all times: `never rename it`, `please
/// don't rename it`, `no new columns`. "Don't know" and "no index is needed" do not.
bool isOrder(std::string_view clause)
{
    static constexpr auto kFillers
        = std::to_array<std::string_view>({ "please ", "and ", "but ", "so ", "then ", "just ", "also ", "ok " });
    static constexpr auto kBegins
        = std::to_array<std::string_view>({ "never ", "always ", "do not ", "don't ", "dont ", "avoid ", "no " });
    static constexpr auto kAbsent = std::to_array<std::string_view>({ " is ", " are ", " was ", " were ", " has ",
        " exist", " need", " such ", " longer ", " idea", " problem", " worries", " thanks" });
    static constexpr auto kUnknowing
        = std::to_array<std::string_view>({ "need ", "have to ", "know ", "think ", "see ", "worry ", "mind " });
    constexpr size_t kMostWords = 7; // of an order with "no": longer clauses say what there is not
    clause = withoutMarks(clause);
    for (const std::string_view filler : kFillers) {
        if (clause.starts_with(filler))
            return isOrder(clause.substr(filler.size()));
    }
    if (clause.starts_with("stop "))
        return clause.substr(0, clause.find(' ', 5)).ends_with("ing");
    const auto begin = std::ranges::find_if(kBegins, [&](std::string_view words) { return clause.starts_with(words); });
    if (begin == kBegins.end())
        return false;
    if (*begin != "no ")
        return std::ranges::none_of(
            kUnknowing, [&](std::string_view words) { return clause.substr(begin->size()).starts_with(words); });
    return std::ranges::count(clause, ' ') < static_cast<std::ptrdiff_t>(kMostWords)
        && std::ranges::none_of(kAbsent, [&](std::string_view words) { return clause.contains(words); });
}

/// Where the clause of a sentence ends that begins at `begin`: at a sign, or before "and don't".
size_t endOfClause(std::string_view sentence, size_t begin)
{
    size_t end = std::min(sentence.find_first_of(",;:(", begin), sentence.size());
    for (const std::string_view words : { " and don't ", " and do not ", " but don't ", " but do not ", " - " })
        end = std::min(end, sentence.find(words, begin));
    return end;
}

/// A sentence with a clause that is an order, or with the word for a duty.
bool isConstraint(std::string_view sentence)
{
    static constexpr auto kDuties = std::to_array<std::string_view>(
        { " must ", " mustn't ", " should not ", " shouldn't ", " should never ", " should only ", " may only " });
    if (sentence.size() > kLongestSentence)
        return false;
    std::string small = " " + lowered(sentence) + " ";
    std::erase(small, '*'); // `you **must** do it`
    for (size_t at = small.find("’"); at != std::string::npos; at = small.find("’", at))
        small.replace(at, std::string_view("’").size(), "'");
    const auto hasWords = [&](std::string_view words) { return small.contains(words); };
    // Guesses: `there must be a way`, `it must have been the cache`.
    const bool isGuess = std::ranges::any_of(
        std::to_array<std::string_view>({ " there must ", " i must ", " must have been " }), hasWords);
    if (!isGuess && std::ranges::any_of(kDuties, hasWords))
        return true;
    for (size_t at = 0; at < small.size(); at = endOfClause(small, at) + 1) {
        if (isOrder(std::string_view(small).substr(at, endOfClause(small, at) - at)))
            return true;
    }
    return false;
}

/// A line of a program that somebody pasted.
bool isCode(std::string_view line)
{
    const std::string_view behindNumber = line.substr(std::min(line.find_first_not_of("0123456789 "), line.size()));
    return line.starts_with("//") || line.starts_with("/*")
        || ((line.front() >= '0' && line.front() <= '9') && behindNumber.starts_with('|')) || line.ends_with('{')
        || line.ends_with('}') || line.ends_with(");");
}

} // namespace

std::string_view withoutListMark(std::string_view line)
{
    const size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
    const bool isNumbered = digits > 0 && digits + 1 < line.size() && std::string_view(".)").contains(line[digits])
        && line[digits + 1] == ' ';
    const bool isMarked = line.size() > 1 && std::string_view("-*+>").contains(line.front()) && line[1] == ' ';
    if (!isNumbered && !isMarked)
        return line;
    line.remove_prefix(isNumbered ? digits + 1 : 1);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    return line;
}

std::vector<std::string_view> constraintsIn(std::string_view text)
{
    std::vector<std::string_view> found;
    while (!text.empty()) {
        const size_t feed = std::min(text.find('\n'), text.size());
        std::string_view line = withoutBlanks(text.substr(0, feed));
        text.remove_prefix(std::min(feed + 1, text.size()));
        while (!line.empty() && !isCode(line)) {
            line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
            size_t end = line.find_first_of(".!?");
            while (end != std::string_view::npos && end + 1 < line.size() && line[end + 1] != ' ')
                end = line.find_first_of(".!?", end + 1);
            const std::string_view sentence = line.substr(0, end);
            const bool isQuestion = end != std::string_view::npos && line[end] == '?';
            if (!isQuestion && isConstraint(sentence))
                found.push_back(sentence);
            line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
        }
    }
    return found;
}

} // namespace core
