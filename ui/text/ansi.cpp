// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/text/ansi.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace ui {

namespace {

constexpr char kEscape = '\x1b';
/// Longer parameter lists are not colours.
constexpr size_t kMaxSequence = 128;
constexpr size_t kMaxParameters = 32;

/// One parameter of an SGR sequence: the number and its separator.
struct Parameter {
    uint32_t value = 0;
    bool isEmpty = true;
    bool hasSubparameter = false; ///< a `:` follows: the next one belongs to this one
};

struct Sequence {
    size_t size = 0; ///< with `ESC [` and `m`
    std::array<Parameter, kMaxParameters> parameters;
    size_t count = 0;
};

/// The SGR sequence at `offset`, which is an escape character.
std::optional<Sequence> sequenceAt(std::string_view text, size_t offset)
{
    if (offset + 2 >= text.size() || text[offset + 1] != '[')
        return std::nullopt;
    Sequence sequence;
    sequence.count = 1;
    const size_t limit = std::min(text.size(), offset + kMaxSequence);
    for (size_t i = offset + 2; i < limit; ++i) {
        Parameter &current = sequence.parameters[sequence.count - 1];
        const char c = text[i];
        if (c >= '0' && c <= '9') {
            current.value = std::min<uint32_t>(current.value * 10 + static_cast<uint32_t>(c - '0'), 100'000);
            current.isEmpty = false;
        } else if (c == ';' || c == ':') {
            if (sequence.count == kMaxParameters)
                return std::nullopt;
            current.hasSubparameter = c == ':';
            ++sequence.count;
        } else if (c == 'm') {
            sequence.size = i + 1 - offset;
            return sequence;
        } else {
            return std::nullopt;
        }
    }
    return std::nullopt;
}

AnsiColour indexed(uint32_t index)
{
    AnsiColour colour;
    colour.kind = AnsiColour::Kind::Indexed;
    colour.index = static_cast<uint8_t>(std::min<uint32_t>(index, 255));
    return colour;
}

AnsiColour trueColour(uint32_t red, uint32_t green, uint32_t blue)
{
    const auto byte = [](uint32_t value) { return static_cast<uint8_t>(std::min<uint32_t>(value, 255)); };
    return { AnsiColour::Kind::True, 0, byte(red), byte(green), byte(blue) };
}

/// The colour of `38` or `48`, whose parameter is the first of `rest`. Returns how many parameters it took.
size_t readColour(std::span<const Parameter> rest, AnsiColour &colour)
{
    if (rest.size() < 2)
        return rest.size();
    if (rest.front().hasSubparameter) {
        // 38:5:n, 38:2:r:g:b, 38:2:space:r:g:b: all parameters that colons join
        size_t count = 1;
        while (count < rest.size() && rest[count - 1].hasSubparameter)
            ++count;
        if (rest[1].value == 5 && count >= 3)
            colour = indexed(rest[2].value);
        else if (rest[1].value == 2 && count >= 6)
            colour = trueColour(rest[3].value, rest[4].value, rest[5].value);
        else if (rest[1].value == 2 && count == 5)
            colour = trueColour(rest[2].value, rest[3].value, rest[4].value);
        return count;
    }
    if (rest[1].value == 5 && rest.size() >= 3) {
        colour = indexed(rest[2].value);
        return 3;
    }
    if (rest[1].value == 2 && rest.size() >= 5) {
        colour = trueColour(rest[2].value, rest[3].value, rest[4].value);
        return 5;
    }
    return rest.size();
}

/// Applies the parameter at the front of `rest` to the style; returns how many it took.
size_t apply(std::span<const Parameter> rest, TextStyle &style)
{
    const uint32_t code = rest.front().value;
    if (code == 38)
        return readColour(rest, style.foreground);
    if (code == 48)
        return readColour(rest, style.background);
    if (code >= 30 && code <= 37)
        style.foreground = indexed(code - 30);
    else if (code >= 90 && code <= 97)
        style.foreground = indexed(code - 90 + 8);
    else if (code >= 40 && code <= 47)
        style.background = indexed(code - 40);
    else if (code >= 100 && code <= 107)
        style.background = indexed(code - 100 + 8);
    size_t taken = 1;
    while (taken < rest.size() && rest[taken - 1].hasSubparameter)
        ++taken; // 4:3 is a curly underline: an underline
    const bool isSwitchedOff = taken > 1 && rest[1].value == 0;
    switch (code) {
    case 0:
        style = {};
        break;
    case 1:
        style.isBold = true;
        break;
    case 2:
        style.isFaint = true;
        break;
    case 3:
        style.isItalic = true;
        break;
    case 4:
    case 21: // doubly underlined
        style.isUnderlined = !isSwitchedOff;
        break;
    case 7:
        style.isInverse = true;
        break;
    case 9:
        style.isStruck = true;
        break;
    case 22:
        style.isBold = style.isFaint = false;
        break;
    case 23:
        style.isItalic = false;
        break;
    case 24:
        style.isUnderlined = false;
        break;
    case 27:
        style.isInverse = false;
        break;
    case 29:
        style.isStruck = false;
        break;
    case 39:
        style.foreground = {};
        break;
    case 49:
        style.background = {};
        break;
    default:
        break;
    }
    return taken;
}

} // namespace

AnsiText parseAnsi(std::string_view text)
{
    AnsiText result;
    TextStyle style;
    size_t styledFrom = 0;
    const auto flush = [&](size_t upTo) {
        if (upTo > styledFrom && style != TextStyle {})
            result.styles.push_back({ styledFrom, upTo, style });
    };
    for (size_t at = text.find(kEscape); at != std::string_view::npos; at = text.find(kEscape, at)) {
        const auto sequence = sequenceAt(text, at);
        if (!sequence) {
            ++at;
            continue;
        }
        flush(at);
        std::span<const Parameter> rest(sequence->parameters.data(), sequence->count);
        while (!rest.empty())
            rest = rest.subspan(apply(rest, style));
        if (!result.hidden.empty() && result.hidden.back().end == at)
            result.hidden.back().end = at + sequence->size;
        else
            result.hidden.push_back({ at, at + sequence->size });
        at += sequence->size;
        styledFrom = at;
    }
    flush(text.size());
    return result;
}

bool hasAnsiColours(std::string_view text)
{
    for (size_t at = text.find(kEscape); at != std::string_view::npos; at = text.find(kEscape, at + 1)) {
        if (sequenceAt(text, at))
            return true;
    }
    return false;
}

} // namespace ui
