// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/offscreen.h"

#include <cstdio>

namespace app {

using namespace Qt::StringLiterals;

namespace {

/// Prints Qt's messages, without those about windows that have no display.
void printMessage(QtMsgType, const QMessageLogContext &, const QString &message)
{
    if (!message.startsWith("This plugin does not support"_L1))
        std::fprintf(stderr, "%s\n", qPrintable(message));
}

} // namespace

Offscreen::Offscreen()
    : m_application(prepared(m_count), m_words.data())
{
}

int &Offscreen::prepared(int &count)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_LOGGING_RULES", "qt.qpa.*=false");
    qInstallMessageHandler(printMessage);
    return count;
}

} // namespace app
