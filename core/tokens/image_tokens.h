// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace core {

struct ImageSize {
    uint32_t width = 0; ///< pixels
    uint32_t height = 0;
    friend bool operator==(const ImageSize &, const ImageSize &) = default;
};

/// Width and height of a PNG, JPEG, GIF or WebP from its header.
[[nodiscard]] std::optional<ImageSize> imageSize(std::string_view bytes);

/// The same for base64 in a JSON string: `data:image/png;base64,` may precede it, slashes and line breaks may be
/// escaped. Decodes only the header: 32 bytes, of a JPEG at most 256 KiB.
[[nodiscard]] std::optional<ImageSize> imageSizeOfBase64(std::string_view base64);

/// Assumed tokens of an image of unknown size or for a model with an unknown rule.
inline constexpr double kUnknownImageTokens = 1500;

/// The tokens of an image with a model, or kUnknownImageTokens if its size or the model's rule is unknown.
///
/// Claude: one token per started 28 × 28 pixels, after scaling to a long edge of 1,568 and at most 1,568 tokens; 2,576
/// and 4,784 for models with high resolution (Opus 4.7 and later, Sonnet 5, Fable, Mythos). Source: the vendor's vision
/// page, 2026; its older rule, width × height / 750 and about 1,600, is within 7 %. OpenAI: scaled to fit 2,048 ×
/// 2,048, then to a short side of 768, then cut into tiles of 512 × 512: 85 + 170 a tile, GPT-5 70 + 140, o-series 75 +
/// 150, GPT-4o mini 2,833 + 5,667. Mini and nano models count patches of 32 × 32 instead, at most 1,536, × 1.62 (mini),
/// 2.46 (nano), 1.72 (o4-mini). Source: the vendor's guide to images, 2025-11; not verified for models after GPT-5.
/// Detail is assumed to be high.
[[nodiscard]] double imageTokens(std::string_view model, std::optional<ImageSize> size);

} // namespace core
