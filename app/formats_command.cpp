// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/command_line.h"
#include "core/formats/reading/format.h"
#include "core/json/json.h"

#include <array>

namespace app {

namespace {

constexpr std::array<Option, 1> kOptions { { { "json", "", "as a document of schema palimpsest.formats/1" } } };

int runFormats(const Arguments &arguments)
{
    if (arguments.has("json")) {
        core::Json document { { "schema", "palimpsest.formats/1" } };
        document["formats"] = core::Json::array();
        for (const core::Format *format : core::formats())
            document["formats"].push_back(
                { { "id", format->id }, { "title", format->title }, { "notes", format->notes } });
        return printJson(document);
    }
    size_t width = 0;
    for (const core::Format *format : core::formats())
        width = std::max(width, format->id.size());
    std::string text;
    for (const core::Format *format : core::formats()) {
        text += std::string(format->id) + std::string(width + 2 - format->id.size(), ' ') + std::string(format->title)
            + "\n" + std::string(width + 2, ' ') + std::string(format->notes) + "\n";
    }
    return print(text);
}

} // namespace

const Command kFormats { "formats", "", 0, 0,
    "list the formats that can be read; a file's format is found by its content", kOptions, runFormats };

} // namespace app
