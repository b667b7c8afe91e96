// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/message/image_decoding.h"

#include "core/base/base64.h"
#include "core/base/text.h"
#include "ui/look/theme.h"

#include <QBuffer>
#include <QByteArray>
#include <QCoreApplication>
#include <QImageReader>

#include <algorithm>
#include <array>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kSmallestLevel = 256;

QString translated(const char *text) { return QCoreApplication::translate("ui::ImageView", text); }

std::unexpected<core::Error> refusal(const QString &sentence)
{
    return core::failure(core::ErrorKind::Malformed, sentence.toStdString());
}

} // namespace

core::Result<MessagePicture> decodePicture(std::string_view rawBase64)
{
    static constexpr std::array kFormats { "png", "jpeg", "jpg", "gif", "webp", "bmp" };
    const std::optional<std::string> bytes = core::decodeQuotedBase64(rawBase64);
    if (!bytes)
        return refusal(translated("The image cannot be shown: its base64 is damaged."));
    QByteArray data = QByteArray::fromRawData(bytes->data(), static_cast<qsizetype>(bytes->size()));
    QBuffer buffer(&data);
    buffer.open(QIODevice::ReadOnly);
    QImageReader reader(&buffer);
    reader.setDecideFormatFromContent(true);
    const QByteArray format = reader.format();
    const bool isKnown = std::ranges::any_of(kFormats, [&](const char *each) { return format == each; });
    if (!isKnown)
        return refusal(translated("The image cannot be shown: it is not a PNG, JPEG, GIF, WebP or BMP file."));
    const QSize size = reader.size();
    if (static_cast<qint64>(size.width()) * size.height() > kMaxPicturePixels) {
        return refusal(translated("The image is not shown: %1 × %2 pixels are too many to decode safely.")
                .arg(groupedText(static_cast<uint64_t>(size.width())),
                    groupedText(static_cast<uint64_t>(size.height()))));
    }
    reader.setAutoTransform(true);
    QImage image = reader.read();
    if (image.isNull())
        return refusal(translated("The image cannot be shown: its data is damaged or cut off."));
    MessagePicture picture;
    picture.format = QString::fromLatin1(format);
    picture.bytes = bytes->size();
    picture.levels.push_back(image.convertToFormat(QImage::Format_ARGB32_Premultiplied));
    while (std::max(image.width(), image.height()) > 2 * kSmallestLevel) {
        const QSize half(std::max(1, image.width() / 2), std::max(1, image.height() / 2));
        image = picture.levels.back().scaled(half, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
        picture.levels.push_back(image);
    }
    return picture;
}

} // namespace ui
