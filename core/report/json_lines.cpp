// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/json_lines.h"

#include "core/json/json.h"

#include <algorithm>

namespace core {

namespace {

/// The library's messages are not fit for users: `[json.exception.out_of_range.403] key 'calls' not found`.
std::string sentenceOf(const std::exception &thrown)
{
    constexpr int kNoMember = 403;
    constexpr int kOtherType = 302;
    const std::string_view words = thrown.what();
    const auto *error = dynamic_cast<const Json::exception *>(&thrown);
    if (error != nullptr && error->id == kNoMember && words.contains('\'')) {
        const size_t first = words.find('\'') + 1;
        return "The member “" + std::string(words.substr(first, words.rfind('\'') - first))
            + "” of this line is missing.";
    }
    if (const size_t at = words.find("must be ");
        error != nullptr && error->id == kOtherType && at != std::string_view::npos)
        return "A member of this line has the wrong type: it " + std::string(words.substr(at)) + ".";
    return "A member of this line is missing or has the wrong type.";
}

} // namespace

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
        try {
            if (auto taken = take(parseJson(line), where); !taken)
                return taken;
        } catch (const std::exception &thrown) {
            return failure(ErrorKind::Malformed, sentenceOf(thrown), where);
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

std::unexpected<Error> differentFigures(const std::string &file, const std::string &where)
{
    return failure(ErrorKind::Malformed,
        "Two lines give different figures for " + file
            + ": it changed in between. Measure it again and use only the new line.",
        where);
}

} // namespace core
