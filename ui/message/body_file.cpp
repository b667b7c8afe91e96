// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/message/body_file.h"

#include "ui/look/theme.h"
#include "ui/message/body_form.h"

#include <QFileInfo>

namespace ui {

using namespace Qt::StringLiterals;

std::string bytesToSave(
    const core::Session &session, core::BlockId id, bool isRaw, const std::optional<core::SpilledOutput> &whole)
{
    if (whole)
        return core::textOf(session, *whole).value_or(std::string());
    return isRaw ? std::string(session.record(session.block(id))) : bodyBytes(session, id);
}

QString suggestedFileName(const core::Session &session, core::BlockId id, bool isRaw)
{
    const core::Block &shown = session.block(id);
    if (isRaw)
        return u"record-%1.json"_s.arg(shown.recordLine);
    const QString subject = QFileInfo(displayText(session.string(shown.subject))).fileName();
    const bool isName = !subject.isEmpty() && subject.size() < 80 && subject.contains(u'.') && !subject.contains(u' ');
    const QString stem = shown.message.isValid() ? u"message-%1"_s.arg(shown.message.value()) : u"prelude"_s;
    if (shown.kind == core::BlockKind::Image)
        return stem + u'.' + displayText(session.string(shown.name)).section(u'/', 1).section(u';', 0, 0);
    return isName ? subject : stem + u".txt"_s;
}

} // namespace ui
