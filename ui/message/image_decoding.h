// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"

#include <QImage>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ui {

/// A picture of a message in full size and repeatedly halved down to a few hundred pixels, so that drawing it small
/// costs only the pixels drawn.
struct MessagePicture {
    std::vector<QImage> levels;
    QString format;   ///< `png`
    size_t bytes = 0; ///< file size
};

/// Larger pictures are not decoded: a file of a few kilobytes can claim gigabytes of pixels.
constexpr qint64 kMaxPicturePixels = 50'000'000;

/// Decodes PNG, JPEG, GIF, WebP and BMP, recognised by content. Pure; any thread. Errors are sentences for users.
/// Formats that can refer to other files (SVG) are not decoded.
[[nodiscard]] core::Result<MessagePicture> decodePicture(std::string_view rawBase64);

} // namespace ui
