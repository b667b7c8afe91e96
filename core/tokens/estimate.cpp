// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/tokens/estimate.h"

#include "core/base/parallel.h"
#include "core/tokens/image_tokens.h"
#include "core/tokens/model_family.h"
#include "core/tokens/piece_scanner.h"
#include "core/tokens/weights.h"

#include <array>

namespace core {

namespace {

// In thousandths of a token; the header gives the sources.
constexpr uint64_t kPiece = 1110;
constexpr size_t kShortPiece = 15; ///< bytes
constexpr uint64_t kLongLetter = 300;
constexpr uint64_t kLongOther = 30;

/// By the first byte of a non-ASCII character:
constexpr auto kFurtherCharacter = [] {
    std::array<uint16_t, 256> costs {};
    const auto fill = [&](size_t first, size_t last, uint16_t cost) {
        for (size_t i = first; i <= last; ++i)
            costs[i] = cost;
    };
    fill(0xC0, 0xDF, 200);  // Latin with accents, Greek, Cyrillic, Hebrew, Arabic
    fill(0xE0, 0xE2, 350);  // Indic scripts, Thai; arrows, boxes
    fill(0xE3, 0xE9, 700);  // kana, Han
    fill(0xEA, 0xED, 400);  // Hangul
    fill(0xEE, 0xEF, 900);  // full-width forms, variation selectors
    fill(0xF0, 0xFF, 1800); // emoji
    return costs;
}();

/// Tokens of a piece beyond the first 1.11.
uint64_t furtherTokens(std::string_view piece)
{
    uint64_t sum = 0;
    bool isFirst = true;
    for (size_t i = 0; i < piece.size(); ++i) {
        const auto byte = static_cast<unsigned char>(piece[i]);
        if (byte < 0x80) {
            const bool isLetter = static_cast<unsigned>((byte | 0x20U) - 'a') < 26U;
            sum += i < kShortPiece ? 0 : isLetter ? kLongLetter : kLongOther;
        } else if (byte >= 0xC0) {
            sum += isFirst ? 0 : kFurtherCharacter[byte];
            isFirst = false;
        }
    }
    return sum;
}

} // namespace

uint64_t milliTokens(std::string_view text)
{
    PieceScanner<PiecePattern::O200k> scanner(text);
    uint64_t pieces = 0;
    uint64_t further = 0;
    for (size_t begin = 0; begin < text.size(); ++pieces) {
        size_t end = scanner.endOfShortAsciiPiece(begin);
        if (end == 0 || end - begin > kShortPiece) {
            if (end == 0)
                end = scanner.endOfAnyPiece(begin);
            further += furtherTokens(text.substr(begin, end - begin));
        }
        begin = end;
    }
    return pieces * kPiece + further;
}

BlockEstimator::BlockEstimator(const Session &session)
    : m_session(session)
    , m_factor(tokenFactor(tokenizerFamily(session.model)))
{
}

double BlockEstimator::tokensOf(const Block &block, const Progress *progress)
{
    if (block.kind == BlockKind::Image && !block.is(BlockFlag::Encrypted))
        return imageTokensOf(block.body);
    if (const auto assumed = assumedTokens(block, m_factor))
        return *assumed;
    double tokens = textTokens(block.body, progress);
    if (block.kind == BlockKind::ToolCall)
        tokens += static_cast<double>(milliTokens(m_session.string(block.name))) / 1000 * m_factor;
    return tokens;
}

double BlockEstimator::textTokens(const Body &body, const Progress *progress)
{
    uint64_t milli = 0;
    double tokens = 0;
    m_parts.read(
        m_session.rawBody(body), body.coding, progress, [&](std::string_view text) { milli += milliTokens(text); },
        [&](std::string_view encoded, bool isImage) {
            if (isImage) {
                tokens += imageTokens(m_session.model, imageSizeOfBase64(encoded));
                return;
            }
            Block document;
            document.kind = BlockKind::Document;
            document.body.coding = Coding::Base64;
            document.body.size = encoded.size();
            tokens += assumedTokens(document, m_factor).value_or(0);
        });
    return tokens + static_cast<double>(milli) / 1000 * m_factor;
}

double BlockEstimator::imageTokensOf(const Body &body) const
{
    std::string_view raw = m_session.rawBody(body);
    if (body.coding == Coding::JsonValue) {
        const auto media = nextMedia(raw, 0);
        raw = media ? raw.substr(media->begin, media->end - media->begin) : std::string_view();
    }
    return imageTokens(m_session.model, imageSizeOfBase64(raw));
}

BlockTokensPtr estimateTokens(const Session &session, unsigned threads, Progress *progress)
{
    return estimateFurther(session, {}, threads, progress);
}

BlockTokensPtr estimateFurther(const Session &session, const BlockTokens &known, unsigned threads, Progress *progress)
{
    auto table = std::make_shared<BlockTokens>();
    table->isCounted = true;
    table->tokens = known.tokens;
    const size_t first = table->tokens.size();
    table->tokens.resize(session.blocks.size());
    std::vector<BlockEstimator> estimators(std::max(1U, threads), BlockEstimator(session));
    parallelInBatches(
        session.blocks.size() - first, threads, progress, [&](size_t i) { return session.blocks[first + i].body.size; },
        [&](unsigned worker, size_t i) {
            const Block &block = session.blocks[first + i];
            table->tokens[first + i] = static_cast<float>(estimators[worker].tokensOf(block, progress));
        });
    if (progress != nullptr && progress->isCancelled())
        return nullptr;
    return table;
}

} // namespace core
