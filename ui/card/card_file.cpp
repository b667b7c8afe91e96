// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/card/card_file.h"

#include "ui/card/card_painter.h"
#include "ui/card/set_card_painter.h"
#include "ui/files/save_bytes.h"

#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

core::Result<void> writePng(const CardContent &card, const QString &path, double scale)
{
    QImage image((kCardSize * scale).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    QPainter painter(&image);
    card.paint(painter);
    painter.end();
    return savePicture(image, path);
}

bool writeSvg(const CardContent &card, const QString &title, const QString &path)
{
    QSvgGenerator generator;
    generator.setFileName(path);
    generator.setSize(kCardSize.toSize());
    generator.setViewBox(QRectF(QPointF(), kCardSize));
    generator.setTitle(title);
    QPainter painter;
    if (!painter.begin(&generator))
        return false;
    card.paint(painter);
    return painter.end();
}

bool writePdf(const CardContent &card, const QString &title, const QString &path)
{
    constexpr int kDotsPerInch = 96;
    constexpr double kPointsPerDot = 72.0 / kDotsPerInch;
    QPdfWriter writer(path);
    writer.setTitle(title);
    writer.setResolution(kDotsPerInch);
    writer.setPageSize(QPageSize(kCardSize * kPointsPerDot, QPageSize::Point));
    writer.setPageMargins({});
    QPainter painter;
    if (!painter.begin(&writer))
        return false;
    card.paint(painter);
    return painter.end();
}

core::Result<void> write(const CardContent &card, const std::string &sentence, const QString &path, double scale)
{
    const QString title = displayText(sentence);
    const QString ending = QFileInfo(path).suffix().toLower();
    bool isWritten = false;
    if (ending == "png"_L1)
        return writePng(card, path, scale);
    if (ending == "svg"_L1)
        isWritten = writeSvg(card, title, path);
    else if (ending == "pdf"_L1)
        isWritten = writePdf(card, title, path);
    else
        return core::failure(core::ErrorKind::Usage, "A card is written as .png, .svg or .pdf.", path.toStdString());
    if (isWritten)
        return {};
    QFile file(path);
    file.open(QIODevice::WriteOnly | QIODevice::Append); // says why it cannot be written
    return core::failure(core::ErrorKind::NotReadable,
        "The card cannot be written: " + file.errorString().toStdString() + ".", path.toStdString());
}

} // namespace

core::Result<void> writeCard(const core::Card &card, Appearance appearance, const QString &path, double scale)
{
    const Theme theme = Theme::make(appearance);
    return write(CardPainter(card, theme), card.title, path, scale);
}

core::Result<void> writeCard(const core::SetCard &card, Appearance appearance, const QString &path, double scale)
{
    const Theme theme = Theme::make(appearance);
    return write(SetCardPainter(card, theme), card.title, path, scale);
}

} // namespace ui
