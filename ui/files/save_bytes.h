// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <QImage>
#include <QString>

#include <string>

namespace ui {

/// Writes bytes to `path` atomically. Refuses the files that the session was read from. Any thread.
[[nodiscard]] core::Result<void> saveBytes(const core::Session &session, const std::string &bytes, const QString &path);

/// Writes a picture as PNG to `path`, atomically. Any thread.
[[nodiscard]] core::Result<void> savePicture(const QImage &picture, const QString &path);

} // namespace ui
