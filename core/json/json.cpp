// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/json/json.h"

namespace core {

Json parseJson(std::string_view text, bool allowsComments) { return Json::parse(text, nullptr, false, allowsComments); }

bool isJson(std::string_view text) { return Json::accept(text); }

std::string jsonText(const Json &json, int indent)
{
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

} // namespace core
