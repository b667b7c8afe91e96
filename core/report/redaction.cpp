// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/redaction.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/base/visible.h"
#include "core/report/document_parts.h"
#include "core/report/markup.h"
#include "core/summary/secrets.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

namespace core {

namespace {

constexpr std::string_view kMask = "[masked: ";
constexpr size_t kAround = 32;    ///< bytes of context before and after a place
constexpr size_t kLeastLine = 16; ///< of the lines of a key, which are masked by themselves, too

uint64_t headOf(std::string_view text, size_t at)
{
    uint64_t head = 0;
    std::memcpy(&head, text.data() + at, sizeof head);
    return head;
}

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool isWordCharacter(char c)
{
    return isDigit(c) || isLetter(c) || c == '_' || c == '-' || c == '.' || c == '+' || c == '=';
}

/// Bits for each character.
double entropyOf(std::string_view word)
{
    std::map<char, size_t> counts;
    for (const char c : word)
        ++counts[c];
    double bits = 0;
    for (const auto &[c, count] : counts) {
        const double share = static_cast<double>(count) / static_cast<double>(word.size());
        bits -= share * std::log2(share);
    }
    return bits;
}

/// A long word that changes between small letters, capitals and digits so often that it looks random. Hashes and UUIDs
/// have one case, names change seldom.
bool isRandomWord(std::string_view word)
{
    const auto kindOf = [](char c) { return isDigit(c) ? 0 : c >= 'a' && c <= 'z' ? 1 : c >= 'A' && c <= 'Z' ? 2 : 3; };
    if (word.size() < 20 || entropyOf(word) < 3.5 || std::ranges::count_if(word, isDigit) < 2)
        return false;
    size_t changes = 0;
    for (size_t i = 1; i < word.size(); ++i)
        changes += kindOf(word[i]) != kindOf(word[i - 1]) ? 1 : 0;
    return changes >= word.size() / 3 && std::ranges::any_of(word, [](char c) { return c >= 'A' && c <= 'Z'; });
}

/// `name@host.tld`
bool isAddress(std::string_view word)
{
    const size_t sign = word.find('@');
    if (sign == std::string_view::npos || sign == 0 || word.find('@', sign + 1) != std::string_view::npos)
        return false;
    const size_t point = word.rfind('.');
    return point != std::string_view::npos && point > sign + 1 && word.size() - point >= 3
        && std::ranges::all_of(word.substr(point + 1), isLetter);
}

std::string contextOf(std::string_view text, size_t begin, size_t end)
{
    const size_t from = begin < kAround ? 0 : begin - kAround;
    const size_t to = std::min(text.size(), end + kAround);
    // Not from inside a character.
    size_t first = from;
    while (first > 0 && first < begin && (static_cast<unsigned char>(text[first]) & 0xC0U) == 0x80U)
        ++first;
    size_t last = to;
    while (last > end && last < text.size() && (static_cast<unsigned char>(text[last]) & 0xC0U) == 0x80U)
        --last;
    return (first > 0 ? "…" : "") + visibleText(text.substr(first, last - first)) + (last < text.size() ? "…" : "");
}

/// The bytes of a text without those that a rule cannot see through, and where each stood.
struct ReducedText {
    std::string text;
    std::vector<size_t> places;
};

/// Without control characters, invisible characters, their marks, and colours of terminals; nullopt if there are none.
std::optional<ReducedText> withoutUnseen(std::string_view text)
{
    const auto isPlain = [](char c) { return (c >= 0x20 && c < 0x7F) || c == '\n' || c == '\t' || c == '\r'; };
    if (std::ranges::all_of(text, isPlain))
        return std::nullopt;
    ReducedText reduced;
    for (size_t i = 0; i < text.size();) {
        const CodePoint at = codePointAt(text, i);
        const bool isMark = (at.value >= 0x2400 && at.value <= 0x2421) || at.value == 0x27E8;
        const bool isKept
            = at.value == '\n' || at.value == '\t' || at.value == '\r' || (!isMark && visibleMark(at.value).empty());
        if (isKept) {
            for (size_t k = 0; k < at.size; ++k) {
                reduced.text += text[i + k];
                reduced.places.push_back(i + k);
            }
            i += at.size;
            continue;
        }
        size_t end = i + at.size;
        if (at.value == 0x1B || at.value == 0x241B) { // `ESC [ 31 m`
            size_t last = end;
            if (last < text.size() && text[last] == '[') {
                ++last;
                while (last < text.size() && (isDigit(text[last]) || text[last] == ';'))
                    ++last;
                end = last < text.size() && isLetter(text[last]) ? last + 1 : end;
            }
        } else if (at.value == 0x27E8) { // `⟨RLO⟩`
            const size_t close = text.find("⟩", i);
            if (close == std::string_view::npos || close - i > 12) {
                for (size_t k = i; k < end; ++k) {
                    reduced.text += text[k];
                    reduced.places.push_back(k);
                }
            } else {
                end = close + std::string_view("⟩").size();
            }
        }
        i = end;
    }
    return reduced.text.size() == text.size() ? std::nullopt : std::optional(std::move(reduced));
}

/// Of overlapping hits the first stays, and reaches to the end of all.
template <typename Hit>
void settle(std::vector<Hit> &hits)
{
    std::ranges::stable_sort(hits, {}, &Hit::begin);
    std::vector<Hit> spans;
    for (Hit &each : hits) {
        if (!spans.empty() && each.begin < spans.back().end)
            spans.back().end = std::max(spans.back().end, each.end);
        else
            spans.push_back(std::move(each));
    }
    hits = std::move(spans);
}

} // namespace

Redaction::Redaction(std::vector<std::string> own)
    : m_own(std::move(own))
{
    std::erase_if(m_own, [](const std::string &text) { return text.empty(); });
}

void Redaction::addValue(std::string_view value, std::string_view rule)
{
    const bool isLikely
        = value.size() >= kLeastValue && (value.size() >= kLeastLine || std::ranges::any_of(value, isDigit));
    if (!isLikely || !m_known.insert("value " + std::string(value)).second)
        return;
    m_byHead[headOf(value, 0)].push_back(m_values.size());
    m_values.emplace_back(value, rule);
}

void Redaction::learn(std::string_view text)
{
    for (const SecretSpan &each : secretsIn(text)) {
        const std::string_view value = text.substr(each.begin, each.end - each.begin);
        addValue(value, each.kind);
        if (!value.contains('\n'))
            continue;
        for (size_t at = 0; at < value.size();) {
            const size_t end = std::min(value.find('\n', at), value.size());
            const std::string_view line = value.substr(at, end - at);
            if (line.size() >= kLeastLine && !line.starts_with("-----"))
                addValue(line, each.kind);
            at = end + 1;
        }
    }
}

void Redaction::learn(const Session &session)
{
    for (const Block &block : session.blocks) {
        const bool isText = block.kind != BlockKind::Image && block.kind != BlockKind::Document;
        if (isText && !block.is(BlockFlag::Encrypted))
            learn(session.text(block.body));
    }
}

/// The values of the session, also where the text ends or an ellipsis stands before their end.
void Redaction::findValues(std::string_view text, Own own, std::vector<Hit> &hits) const
{
    for (size_t at = 0; !m_byHead.empty() && at + kLeastValue <= text.size(); ++at) {
        const auto found = m_byHead.find(headOf(text, at));
        if (found == m_byHead.end())
            continue;
        for (const size_t number : found->second) {
            const auto &[value, rule] = m_values[number];
            size_t same = kLeastValue;
            while (same < value.size() && at + same < text.size() && value[same] == text[at + same])
                ++same;
            const std::string_view rest = text.substr(at + same);
            if (same == value.size() || rest.empty() || rest.starts_with("…"))
                hits.push_back({ at, at + same, rule });
        }
    }
    if (own == Own::Skipped)
        return;
    for (const std::string &each : m_own) {
        for (size_t at = text.find(each); at != std::string_view::npos; at = text.find(each, at + each.size()))
            hits.push_back({ at, at + each.size(), "yours" });
    }
}

std::vector<Redaction::Hit> Redaction::hitsIn(std::string_view text, Own own) const
{
    std::vector<Hit> hits;
    const auto find = [&](std::string_view searched, std::vector<Hit> &into) {
        for (const SecretSpan &each : secretsIn(searched))
            into.push_back({ each.begin, each.end, std::string(each.kind) });
        findValues(searched, own, into);
    };
    find(text, hits);
    if (const auto reduced = withoutUnseen(text)) {
        std::vector<Hit> found;
        find(reduced->text, found);
        for (Hit &each : found) {
            if (each.end > each.begin)
                hits.push_back(
                    { reduced->places[each.begin], reduced->places[each.end - 1] + 1, std::move(each.rule) });
        }
    }
    settle(hits);
    return hits;
}

void Redaction::note(RedactedPlace place)
{
    const std::string key = place.place + "\n" + place.rule + "\n" + place.context;
    if (m_known.insert(key).second)
        m_places.push_back(std::move(place));
}

std::string Redaction::masked(std::string_view text) const
{
    std::string made(text);
    // A mask can join what stands around it to another match.
    for (int round = 0; round < 4; ++round) {
        const std::vector<Hit> hits = hitsIn(made);
        if (hits.empty())
            break;
        std::string next;
        size_t at = 0;
        for (const Hit &each : hits) {
            next += std::string_view(made).substr(at, each.begin - at);
            next += std::string(kMask) + each.rule + "]";
            at = each.end;
        }
        next += std::string_view(made).substr(at);
        made = std::move(next);
    }
    return made;
}

std::string Redaction::masked(std::string_view text, const std::string &place)
{
    std::string made = masked(text);
    for (size_t at = made.find(kMask); at != std::string::npos; at = made.find(kMask, at + 1)) {
        const size_t rule = at + kMask.size();
        const size_t end = made.find(']', rule);
        if (end != std::string::npos)
            note({ place, made.substr(rule, end - rule), contextOf(made, at, end + 1) });
    }
    noteSuspicious(made, place);
    return made;
}

void Redaction::noteSuspicious(const std::string &masked, const std::string &place)
{
    const auto add = [&](std::string_view rule, size_t begin, size_t end) {
        note({ place, std::string(rule), contextOf(masked, begin, end), true });
    };
    const std::string_view text = masked;
    for (const std::string_view folder :
        { std::string_view("/home/"), std::string_view("/Users/"), std::string_view("C:\\Users\\") }) {
        for (size_t at = text.find(folder); at != std::string_view::npos; at = text.find(folder, at + 1))
            add("home folder", at, std::min(text.size(), at + folder.size() + 1));
    }
    for (size_t at = 0; at < text.size();) {
        if (!isWordCharacter(text[at])) {
            ++at;
            continue;
        }
        size_t end = at;
        while (end < text.size() && (isWordCharacter(text[end]) || text[end] == '@'))
            ++end;
        const std::string_view word = text.substr(at, end - at);
        if (isAddress(word))
            add("e-mail address", at, end);
        else if (isRandomWord(word))
            add("random word", at, end);
        at = end;
    }
}

void Redaction::mask(Json &document, const std::string &place)
{
    if (document.is_string()) {
        document = masked(document.get<std::string>(), place);
    } else if (document.is_array()) {
        for (Json &each : document)
            mask(each, place);
    } else if (document.is_object()) {
        Json made = Json::object();
        for (auto &[name, value] : document.items()) {
            const bool isNamed = value.is_string();
            // A rule may need the name of a member to know its value: `"password": "…"`.
            if (isNamed) {
                const std::string before = name + ": \"";
                std::string both = masked(before + value.get<std::string>() + "\"", place);
                const bool isWhole = both.starts_with(before) && both.ends_with('"');
                value = isWhole ? both.substr(before.size(), both.size() - before.size() - 1)
                                : masked(value.get<std::string>(), place);
            } else {
                mask(value, place);
            }
            made[masked(name, place)] = std::move(value);
        }
        document = std::move(made);
    }
}

std::optional<std::string> Redaction::leakIn(std::string_view written) const
{
    // The user's own strings may be words of the markup: they count in the text only.
    const bool isMarkup = written.starts_with('<');
    const UnmarkedText plain = withoutMarkup(written);
    const UnmarkedText unescaped = withoutJsonEscapes(written);
    const auto leak
        = [&](std::string_view text, const std::vector<size_t> *places, Own own) -> std::optional<std::string> {
        const std::vector<Hit> hits = hitsIn(text, own);
        if (hits.empty())
            return std::nullopt;
        const size_t at = places == nullptr ? hits.front().begin : (*places)[hits.front().begin];
        const std::string_view before = written.substr(0, at);
        const size_t anchor = before.rfind(" id=\"");
        std::string where = "line " + std::to_string(lineOfOffset(written, at));
        if (anchor != std::string_view::npos) {
            const size_t begin = anchor + 5;
            where += ", behind #" + std::string(written.substr(begin, written.find('"', begin) - begin));
        }
        return "The rule “" + hits.front().rule + "” still finds a secret in the report (" + where
            + "), so it is not written. --redact masks the text there; --without-texts leaves all texts out.";
    };
    if (auto found = leak(plain.text, &plain.places, isMarkup ? Own::Found : Own::Skipped))
        return found;
    if (auto found = leak(unescaped.text, &unescaped.places, isMarkup ? Own::Skipped : Own::Found))
        return found;
    return leak(written, nullptr, Own::Skipped);
}

std::string redactionSentence(const std::vector<RedactedPlace> &places)
{
    std::map<std::string, size_t> masked;
    size_t all = 0;
    for (const RedactedPlace &each : places) {
        if (!each.isSuspicious) {
            ++masked[each.rule];
            ++all;
        }
    }
    const size_t suspicious = places.size() - all;
    std::string text = counted(all, "place") + (all == 1 ? " is masked" : " are masked");
    for (const auto &[rule, count] : masked)
        text += (rule == masked.begin()->first ? ": " : ", ") + groupedNumber(count) + " " + rule;
    text += ". " + counted(suspicious, "place") + (suspicious == 1 ? " is" : " are") + " suspicious.";
    return text;
}

std::string drawReview(const std::vector<RedactedPlace> &places)
{
    std::vector<std::vector<std::string>> rows;
    for (const RedactedPlace &each : places)
        rows.push_back({ each.isSuspicious ? "suspicious" : "masked", visibleText(each.place), each.rule,
            visibleText(each.context) });
    return alignedRows(rows) + redactionSentence(places) + "\n";
}

} // namespace core
