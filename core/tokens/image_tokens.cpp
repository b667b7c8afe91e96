// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/tokens/image_tokens.h"

#include "core/tokens/model_family.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace core {

namespace {

constexpr size_t kHeaderBytes = 32;
constexpr size_t kJpegHeaderBytes = 256U << 10U;

/// Bytes of a header as unsigned numbers; 0 behind its end.
struct Header {
    std::string_view bytes;

    [[nodiscard]] uint32_t at(size_t i) const { return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U; }
    [[nodiscard]] uint32_t big16(size_t i) const { return at(i) << 8U | at(i + 1); }
    [[nodiscard]] uint32_t big32(size_t i) const { return big16(i) << 16U | big16(i + 2); }
    [[nodiscard]] uint32_t little16(size_t i) const { return at(i + 1) << 8U | at(i); }
    [[nodiscard]] uint32_t little24(size_t i) const { return at(i + 2) << 16U | little16(i); }
};

std::optional<ImageSize> sizeOfJpeg(const Header &header)
{
    // Segments: FF, marker, length. The frame header (C0 to CF, except for three other markers) has the size.
    for (size_t i = 2; i + 9 < header.bytes.size();) {
        if (header.at(i) != 0xFF)
            return std::nullopt;
        const uint32_t marker = header.at(i + 1);
        if (marker == 0xFF) { // a padding byte
            ++i;
            continue;
        }
        const bool isFrame = marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
        if (isFrame)
            return ImageSize { header.big16(i + 7), header.big16(i + 5) };
        const bool hasNoLength = marker == 0x01 || (marker >= 0xD0 && marker <= 0xD8);
        const uint32_t length = hasNoLength ? 0 : header.big16(i + 2);
        if (!hasNoLength && length < 2)
            return std::nullopt;
        i += 2 + length;
    }
    return std::nullopt;
}

std::optional<ImageSize> sizeOfWebp(const Header &header)
{
    const std::string_view chunk = header.bytes.substr(12, 4);
    if (chunk == "VP8X")
        return ImageSize { header.little24(24) + 1, header.little24(27) + 1 };
    if (chunk == "VP8L" && header.at(20) == 0x2F) {
        const uint32_t bits = header.little24(21) | header.at(24) << 24U;
        return ImageSize { (bits & 0x3FFFU) + 1, (bits >> 14U & 0x3FFFU) + 1 };
    }
    if (chunk == "VP8 " && header.at(23) == 0x9D)
        return ImageSize { header.little16(26) & 0x3FFFU, header.little16(28) & 0x3FFFU };
    return std::nullopt;
}

/// The value of a base64 digit, or 64.
uint32_t digitValue(char c)
{
    if (c >= 'A' && c <= 'Z')
        return static_cast<uint32_t>(c - 'A');
    if (c >= 'a' && c <= 'z')
        return static_cast<uint32_t>(c - 'a') + 26;
    if (c >= '0' && c <= '9')
        return static_cast<uint32_t>(c - '0') + 52;
    if (c == '+' || c == '-')
        return 62;
    return c == '/' || c == '_' ? 63 : 64;
}

/// The first `count` bytes of decoded base64.
std::string decodeBase64Head(std::string_view base64, size_t count)
{
    std::string bytes;
    bytes.reserve(std::min(count, base64.size()));
    uint32_t bits = 0;
    int bitCount = 0;
    for (size_t i = 0; i < base64.size() && bytes.size() < count; ++i) {
        if (base64[i] == '\\' && i + 1 < base64.size() && base64[i + 1] != '/') {
            ++i; // an escaped line break
            continue;
        }
        const uint32_t value = digitValue(base64[i]);
        if (value == 64)
            continue;
        bits = (bits << 6U | value) & 0xFFFFFFU;
        bitCount += 6;
        if (bitCount >= 8) {
            bitCount -= 8;
            bytes += static_cast<char>(bits >> static_cast<uint32_t>(bitCount) & 0xFFU);
        }
    }
    return bytes;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

uint32_t cellsAcross(double pixels, double cell) { return static_cast<uint32_t>(std::ceil(pixels / cell)); }

double claudeTokens(std::string_view model, ImageSize size)
{
    const bool isHigh = tokenizerFamily(model) == TokenizerFamily::ClaudeNew && !contains(model, "haiku");
    const uint32_t longestEdge = isHigh ? 2576 : 1568;
    const uint32_t mostTokens = isHigh ? 4784 : 1568;
    const auto longSide = std::max(size.width, size.height);
    const double ratio = static_cast<double>(std::min(size.width, size.height)) / longSide;
    // The largest long edge with which the image keeps both limits.
    for (uint32_t edge = std::min(longSide, longestEdge);; --edge) {
        const uint32_t tokens = cellsAcross(edge, 28) * cellsAcross(std::max(1.0, std::round(edge * ratio)), 28);
        if (tokens <= mostTokens || edge <= 1)
            return tokens;
    }
}

/// Patches of 32 × 32 pixels, at most 1,536: a larger image is scaled down until it fits, and then so that its tighter
/// side is a whole number of patches.
double patchesOf(double width, double height)
{
    constexpr double kPatch = 32;
    constexpr double kMost = 1536;
    const auto covering = [](double pixels) { return std::ceil(pixels / kPatch - 1e-6); };
    if (covering(width) * covering(height) > kMost) {
        const double scale = std::sqrt(kPatch * kPatch * kMost / (width * height));
        const auto wholeShare = [](double patches) { return std::max(1.0, std::floor(patches)) / patches; };
        const double tighter = std::min(wholeShare(width * scale / kPatch), wholeShare(height * scale / kPatch));
        width *= scale * tighter;
        height *= scale * tighter;
    }
    return std::min(kMost, covering(width) * covering(height));
}

double openAiTokens(std::string_view model, ImageSize size)
{
    double width = size.width;
    double height = size.height;
    const bool isNano = contains(model, "nano");
    const bool isMini = contains(model, "mini") && !contains(model, "4o-mini") && !contains(model, "o1-mini");
    if (isNano || isMini)
        return std::ceil(patchesOf(width, height) * (isNano ? 2.46 : contains(model, "o4-mini") ? 1.72 : 1.62));
    double scale = std::min(1.0, 2048 / std::max(width, height));
    scale *= std::min(1.0, 768 / (std::min(width, height) * scale));
    const double tiles = static_cast<double>(cellsAcross(std::floor(width * scale), 512))
        * cellsAcross(std::floor(height * scale), 512);
    if (contains(model, "4o-mini"))
        return 2833 + 5667 * tiles;
    if (contains(model, "gpt-4") || contains(model, "chatgpt"))
        return 85 + 170 * tiles;
    const bool isReasoning = contains(model, "o1") || contains(model, "o3");
    return isReasoning ? 75 + 150 * tiles : 70 + 140 * tiles;
}

} // namespace

std::optional<ImageSize> imageSize(std::string_view bytes)
{
    const Header header { bytes };
    std::optional<ImageSize> size;
    if (bytes.starts_with("\x89PNG\r\n\x1A\n") && bytes.size() >= 24)
        size = ImageSize { header.big32(16), header.big32(20) };
    else if (bytes.starts_with("\xFF\xD8"))
        size = sizeOfJpeg(header);
    else if ((bytes.starts_with("GIF87a") || bytes.starts_with("GIF89a")) && bytes.size() >= 10)
        size = ImageSize { header.little16(6), header.little16(8) };
    else if (bytes.starts_with("RIFF") && bytes.size() >= 30 && bytes.substr(8, 4) == "WEBP")
        size = sizeOfWebp(header);
    const bool isUsable = size && size->width > 0 && size->height > 0;
    return isUsable ? size : std::nullopt;
}

std::optional<ImageSize> imageSizeOfBase64(std::string_view base64)
{
    const size_t comma = base64.substr(0, 100).find("base64,");
    if (comma != std::string_view::npos)
        base64.remove_prefix(comma + 7);
    const std::string head = decodeBase64Head(base64, kHeaderBytes);
    const bool isJpeg = head.starts_with("\xFF\xD8");
    return imageSize(isJpeg ? decodeBase64Head(base64, kJpegHeaderBytes) : head);
}

double imageTokens(std::string_view model, std::optional<ImageSize> size)
{
    if (!size)
        return kUnknownImageTokens;
    switch (tokenizerFamily(model)) {
    case TokenizerFamily::ClaudeOld:
    case TokenizerFamily::ClaudeNew:
        return claudeTokens(model, *size);
    case TokenizerFamily::OpenAi:
        return openAiTokens(model, *size);
    case TokenizerFamily::Other:
        break;
    }
    return kUnknownImageTokens;
}

} // namespace core
