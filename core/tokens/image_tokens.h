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

/// The same for base64, as it stands in a JSON string: `data:image/png;base64,` may stand before it, slashes and line
/// breaks may be escaped. Decodes as much as the header takes: 32 bytes, of a JPEG at most 256 KiB.
[[nodiscard]] std::optional<ImageSize> imageSizeOfBase64(std::string_view base64);

/// Tokens of an image whose size or whose rule is unknown.
inline constexpr double kUnknownImageTokens = 1500;

/// What an image of this size costs with a model, or kUnknownImageTokens where size or rule is not known.
///
/// Claude: one token for each 28 × 28 pixels begun, after scaling to a long edge of 1,568 and at most 1,568 tokens;
/// models with high resolution (Opus 4.7 and later, Sonnet 5, Fable, Mythos) 2,576 and 4,784 (the vendor's vision page,
/// 2026; the older rule of that page, width × height / 750 and about 1,600, gives within 7 % the same). OpenAI: scaled
/// to fit 2,048 × 2,048, then to a short side of 768, then by tiles of 512 × 512: 85 + 170 a tile, GPT-5 70 + 140,
/// o-series 75 + 150, GPT-4o mini 2,833 + 5,667; mini and nano models instead by patches of 32 × 32, at most 1,536,
/// × 1.62 (mini), 2.46 (nano), 1.72 (o4-mini). Source: the vendor's guide to images, 2025-11; whether it holds for
/// models after GPT-5 is not verified. Detail is taken as high.
[[nodiscard]] double imageTokens(std::string_view model, std::optional<ImageSize> size);

} // namespace core
