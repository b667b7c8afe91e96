// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/text/utf16.h"

#include "core/base/text.h"
#include "ui/text/cells.h"

namespace ui {

namespace {

bool isSurrogate(char32_t codePoint) { return codePoint >= 0xD800 && codePoint <= 0xDFFF; }

void append(char32_t codePoint, QString &result)
{
    if (QChar::requiresSurrogates(codePoint)) {
        result += QChar(QChar::highSurrogate(codePoint));
        result += QChar(QChar::lowSurrogate(codePoint));
    } else {
        result += QChar(static_cast<char16_t>(codePoint));
    }
}

} // namespace

QString toUtf16(std::string_view text)
{
    if (core::isValidUtf8(text))
        return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    QString result;
    result.reserve(static_cast<qsizetype>(text.size()));
    for (size_t i = 0; i < text.size();) {
        const Character character = characterAt(text, i);
        append(character.codePoint, result);
        i += character.size;
    }
    return result;
}

void appendUtf16(std::string_view text, size_t firstByte, QString &result, std::vector<size_t> &offsets)
{
    for (size_t i = 0; i < text.size();) {
        const Character character = characterAt(text, i);
        const qsizetype before = result.size();
        // A highlighter reads pairs of units: half a pair would join with its neighbour.
        append(isSurrogate(character.codePoint) ? U'\uFFFD' : character.codePoint, result);
        offsets.insert(offsets.end(), static_cast<size_t>(result.size() - before), firstByte + i);
        i += character.size;
    }
}

} // namespace ui
