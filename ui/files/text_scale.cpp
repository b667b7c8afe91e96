// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/files/text_scale.h"

#include "ui/files/settings.h"

#include <QGuiApplication>
#include <QScreen>

#include <algorithm>
#include <cmath>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double kOwnText = 13; ///< pixels of the window's text at 100 %
constexpr double kPointsPerInch = 72;
constexpr double kAlike = 0.16; ///< up to this difference the scale stays 100 %

const QString kSetting = u"window/text-scale"_s;

} // namespace

int chosenTextScale()
{
    const int percent = openSettings().value(kSetting).toInt();
    return std::ranges::contains(kTextScales, percent) ? percent : 0;
}

void setChosenTextScale(int percent) { openSettings().setValue(kSetting, percent); }

int textScaleFor(const QFont &system, double dotsPerInch)
{
    const double pixels
        = system.pixelSize() > 0 ? system.pixelSize() : system.pointSizeF() * dotsPerInch / kPointsPerInch;
    const double ratio = pixels / kOwnText;
    if (!(ratio > 0) || std::abs(ratio - 1) <= kAlike)
        return 100;
    return std::clamp(static_cast<int>(std::lround(ratio * 4)) * 25, kTextScales.front(), kTextScales.back());
}

int wantedTextScale()
{
    if (const int chosen = chosenTextScale(); chosen != 0)
        return chosen;
    const QScreen *screen = QGuiApplication::primaryScreen();
    return screen == nullptr ? 100 : textScaleFor(QGuiApplication::font(), screen->logicalDotsPerInch());
}

void prepareTextScale(int percent)
{
    const double before = qEnvironmentVariable("QT_SCALE_FACTOR").toDouble();
    qputenv("QT_SCALE_FACTOR", QByteArray::number((before > 0 ? before : 1.0) * percent / 100));
}

} // namespace ui
