// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/commands.h"
#include "core/json/json.h"
#include "core/report/format_list.h"

#include <array>

namespace app {

namespace {

constexpr auto kOptions = std::to_array<Option>({
    { "json", "", "prints JSON of schema palimpsest.formats/1" },
});

int runFormats(const Arguments &arguments)
{
    return arguments.has("json") ? printJson(core::formatsJson()) : print(core::drawFormats());
}

} // namespace

const Command kFormats { "formats", "", 0, 0,
    "lists the formats that can be read; the content of a file decides its format", kOptions, runFormats };

} // namespace app
