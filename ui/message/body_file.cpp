// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/message/body_file.h"

#include "ui/files/save_bytes.h"
#include "ui/message/body_form.h"

namespace ui {

std::string bytesToSave(const core::Session &session, core::BlockId id, bool isRaw)
{
    return isRaw ? std::string(session.record(session.block(id))) : bodyBytes(session, id);
}

core::Result<void> saveBody(const core::Session &session, core::BlockId id, bool isRaw, const QString &path)
{
    return saveBytes(session, bytesToSave(session, id, isRaw), path);
}

} // namespace ui
