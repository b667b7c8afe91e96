// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/json_lines.h"

#include "core/json/json.h"

#include <algorithm>

namespace core {

Result<void> eachJsonLine(std::string_view lines, const std::string &file,
    const std::function<Result<void>(const Json &line, const std::string &where)> &take)
{
    for (size_t number = 1; !lines.empty(); ++number) {
        const size_t end = std::min(lines.find('\n'), lines.size());
        const std::string_view line = lines.substr(0, end);
        lines.remove_prefix(std::min(end + 1, lines.size()));
        if (line.empty())
            continue;
        const std::string where = file + ":" + std::to_string(number);
        // The library's messages for missing or mistyped members are not fit for users.
        try {
            if (auto taken = take(parseJson(line), where); !taken)
                return taken;
        } catch (const std::exception &) {
            return failure(ErrorKind::Malformed, "A member of this line is missing or has the wrong type.", where);
        }
    }
    return {};
}

Result<void> checkSchema(const Json &line, std::string_view schema, const std::string &where)
{
    if (line.is_object() && line.value("schema", "") == schema)
        return {};
    return failure(ErrorKind::Malformed, "This is not a line of schema " + std::string(schema) + ".", where);
}

} // namespace core
