// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/format_list.h"

#include "core/formats/reading/formats.h"
#include "core/report/document_parts.h"

#include <algorithm>

namespace core {

Json formatsJson()
{
    Json document { { "schema", "palimpsest.formats/1" } };
    document["formats"] = Json::array();
    for (const Format *format : formats())
        document["formats"].push_back({ { "id", format->id }, { "title", format->title }, { "notes", format->notes },
            { "verified", isProven(*format) } });
    return document;
}

std::string drawFormats()
{
    size_t width = 0;
    for (const Format *format : formats())
        width = std::max(width, format->id.size());
    std::string text;
    for (const Format *format : formats()) {
        text += padded(std::string(format->id), width + 2) + std::string(format->title)
            + (isProven(*format) ? "\n" : " (tested on fixtures)\n") + std::string(width + 2, ' ')
            + std::string(format->notes) + "\n";
    }
    return text;
}

} // namespace core
