// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/tokens/estimate.h"

#include "core/base/parallel.h"
#include "core/base/text.h"
#include "core/tokens/image_tokens.h"
#include "core/tokens/model_family.h"
#include "core/tokens/piece_scanner.h"
#include "core/tokens/pieces.h"
#include "core/tokens/weights.h"

#include <array>
#include <cstring>

namespace core {

namespace {

// Thousandths of a token; see the header for where they come from.
constexpr uint64_t kPiece = 1110;
constexpr size_t kShortPiece = 15; ///< bytes
constexpr uint64_t kLongLetter = 300;
constexpr uint64_t kLongOther = 30;

/// By the first byte of a character beyond ASCII.
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

/// What a piece costs beyond the first 1.11 tokens.
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

/// How much text is decoded at once; it stays in the processor's cache.
constexpr size_t kPart = 64U << 10U;

/// A string of a JSON value that is an image or document in base64, between its quotes.
struct Media {
    size_t begin = 0;
    size_t end = 0;
    bool isImage = false;
};

/// Shorter strings are read as text whatever they are.
constexpr size_t kSmallestMedia = 1024;

/// The next such string that opens at or behind `from`, known by how base64 of those formats begins.
std::optional<Media> nextMedia(std::string_view json, size_t from)
{
    static constexpr std::array<std::string_view, 7> kBeginnings { "iVBORw0KGgo", "/9j/", "\\/9j\\/", "R0lGODlh",
        "R0lGODdh", "UklGR", "data:image/" };
    while (from + kSmallestMedia < json.size()) {
        const auto *hit = static_cast<const char *>(std::memchr(json.data() + from, '"', json.size() - from));
        if (hit == nullptr)
            return std::nullopt;
        const size_t begin = static_cast<size_t>(hit - json.data()) + 1;
        from = begin;
        const std::string_view rest = json.substr(begin);
        const bool isDocument = rest.starts_with("JVBERi0");
        const bool isImage = !isDocument
            && std::ranges::any_of(kBeginnings, [&](std::string_view each) { return rest.starts_with(each); });
        if (!isDocument && !isImage)
            continue;
        const auto *close = static_cast<const char *>(std::memchr(rest.data(), '"', rest.size()));
        const size_t size = close == nullptr ? rest.size() : static_cast<size_t>(close - rest.data());
        const bool isEncoded = rest.substr(0, size).find(' ') == std::string_view::npos;
        if (size >= kSmallestMedia && isEncoded)
            return Media { begin, begin + size, isImage };
    }
    return std::nullopt;
}

} // namespace

uint64_t milliTokens(std::string_view text)
{
    const PieceScanner scanner(text);
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

/// `append(buffer, rest of raw, wanted)` decodes the next part into the buffer and returns how much of raw it took.
template <typename Append>
uint64_t BlockEstimator::milliTokensInParts(std::string_view raw, const Append &append, const Progress *progress)
{
    m_buffer.clear();
    uint64_t sum = 0;
    for (size_t i = 0; i < raw.size();) {
        const size_t known = m_buffer.size();
        i += append(m_buffer, raw.substr(i), kPart);
        if (i >= raw.size() || (progress != nullptr && progress->isCancelled()))
            break;
        // What was there before has no cut in it, or it would have been cut there.
        const size_t from = known > 0 ? known - 1 : 0;
        const size_t cut = lastSafeCut(std::string_view(m_buffer).substr(from));
        if (cut == 0)
            continue;
        sum += milliTokens(std::string_view(m_buffer).substr(0, from + cut));
        m_buffer.erase(0, from + cut);
    }
    return sum + milliTokens(m_buffer);
}

double BlockEstimator::textTokens(const Body &body, const Progress *progress)
{
    std::string_view raw = m_session.rawBody(body);
    const auto tokensOfMilli = [&](uint64_t milli) { return static_cast<double>(milli) / 1000 * m_factor; };
    const auto asItStands = [](std::string &out, std::string_view rest, size_t wanted) {
        out.append(rest.substr(0, wanted));
        return std::min(rest.size(), wanted);
    };
    switch (body.coding) {
    case Coding::Empty:
    case Coding::Base64:
        return 0;
    case Coding::Plain:
        return tokensOfMilli(milliTokensInParts(raw, asItStands, progress));
    case Coding::JsonString:
        return tokensOfMilli(milliTokensInParts(raw, appendJsonString, progress));
    case Coding::JsonValue:
        break;
    }
    double tokens = 0;
    bool isInString = false;
    const auto inValue = [&](std::string &out, std::string_view rest, size_t wanted) {
        return appendCanonicalJson(out, rest, wanted, isInString);
    };
    while (const auto media = nextMedia(raw, 0)) {
        tokens += tokensOfMilli(milliTokensInParts(raw.substr(0, media->begin), inValue, progress));
        const std::string_view encoded = raw.substr(media->begin, media->end - media->begin);
        if (media->isImage) {
            tokens += imageTokens(m_session.model, imageSizeOfBase64(encoded));
        } else {
            Block document;
            document.kind = BlockKind::Document;
            document.body.coding = Coding::Base64;
            document.body.size = encoded.size();
            tokens += assumedTokens(document, m_factor).value_or(0);
        }
        raw.remove_prefix(media->end);
        isInString = true; // the string that held it is still to be closed
    }
    return tokens + tokensOfMilli(milliTokensInParts(raw, inValue, progress));
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
    // Batches of blocks that stand together, so that a thread reads on where it is.
    constexpr uint64_t kBatchBytes = 256U << 10U;
    std::vector<size_t> ends;
    uint64_t batch = 0;
    uint64_t total = 0;
    for (size_t i = 0; i < session.blocks.size(); ++i) {
        batch += session.blocks[i].body.size + 64;
        total += session.blocks[i].body.size + 64;
        if (batch >= kBatchBytes || i + 1 == session.blocks.size()) {
            ends.push_back(i + 1);
            batch = 0;
        }
    }

    auto table = std::make_shared<BlockTokens>();
    table->isCounted = true;
    table->tokens.resize(session.blocks.size());
    std::vector<BlockEstimator> estimators(std::max(1U, threads), BlockEstimator(session));
    std::atomic<uint64_t> done { 0 };
    parallelFor(ends.size(), threads, [&](unsigned worker, size_t index) {
        for (size_t i = index == 0 ? 0 : ends[index - 1]; i < ends[index]; ++i) {
            if (progress != nullptr && progress->isCancelled())
                return;
            const Block &block = session.blocks[i];
            table->tokens[i] = static_cast<float>(estimators[worker].tokensOf(block, progress));
            const uint64_t sum = done.fetch_add(block.body.size + 64) + block.body.size + 64;
            if (worker == 0 && progress != nullptr) // one thread, so that it never goes back
                progress->setFraction(static_cast<double>(sum) / static_cast<double>(total));
        }
    });
    if (progress != nullptr && progress->isCancelled())
        return nullptr;
    return table;
}

} // namespace core
