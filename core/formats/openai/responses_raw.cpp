// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/openai/responses_raw.h"

#include "core/formats/reading/json_records.h"

#include <algorithm>
#include <array>

namespace core::responses {

namespace ondemand = simdjson::ondemand;
using ondemand::json_type;

std::string_view stringIn(ondemand::value value)
{
    return value.type() == json_type::string ? rawString(value) : std::string_view();
}

namespace {

RawValue rawValueOf(ondemand::value value)
{
    switch (value.type()) {
    case json_type::string:
        return { RawValue::Form::String, rawString(value) };
    case json_type::array:
        return { RawValue::Form::Array, rawJson(value) };
    case json_type::object:
        return { RawValue::Form::Object, rawJson(value) };
    case json_type::null:
        return {};
    default:
        return { RawValue::Form::Other, rawJson(value) };
    }
}

/// Here `image_url` is a string; in messages for Chat Completions an object with a `url`.
RawValue urlIn(ondemand::value value)
{
    if (value.type() != json_type::object)
        return rawValueOf(value);
    RawValue url;
    for (auto field : value.get_object()) {
        const std::string_view key = field.escaped_key();
        if (key == "url")
            url = rawValueOf(field.value());
    }
    return url;
}

void readAudio(ondemand::value value, RawPart &part)
{
    if (value.type() != json_type::object)
        return;
    for (auto field : value.get_object()) {
        const std::string_view key = field.escaped_key();
        if (key == "data")
            part.data = rawValueOf(field.value());
        else if (key == "format")
            part.format = stringIn(field.value());
    }
}

RawPart readPart(ondemand::object object)
{
    RawPart part;
    for (auto field : object) {
        const std::string_view key = field.escaped_key();
        ondemand::value value = field.value();
        if (key == "type")
            part.type = stringIn(value);
        else if (key == "text" || key == "refusal" || key == "transcript" || key == "content")
            part.text = rawValueOf(value);
        else if (key == "image_url")
            part.mediaUrl = urlIn(value);
        else if (key == "file_url" || key == "file_id")
            part.mediaUrl = part.mediaUrl.isEmpty() ? rawValueOf(value) : part.mediaUrl;
        else if (key == "file_data")
            part.data = rawValueOf(value);
        else if (key == "input_audio")
            readAudio(value, part);
        else if (key == "filename")
            part.fileName = stringIn(value);
        else if (key == "encrypted_content")
            part.encrypted = stringIn(value);
        else if (key == "id")
            part.id = stringIn(value);
        else if (key == "name")
            part.name = stringIn(value);
        else if (key == "input")
            part.input = rawValueOf(value);
        else if (key == "success")
            part.isFailure = value.type() == json_type::boolean && !isTrue(value);
    }
    object.reset();
    part.json = object.raw_json();
    return part;
}

std::vector<RawPart> readParts(ondemand::array array)
{
    std::vector<RawPart> parts;
    for (ondemand::value element : array) {
        if (element.type() == json_type::object) {
            parts.push_back(readPart(element.get_object()));
        } else if (element.type() == json_type::string) {
            RawPart part;
            part.type = "text";
            part.text = rawValueOf(element);
            parts.push_back(part);
        } else {
            RawPart part;
            part.json = rawJson(element);
            parts.push_back(part);
        }
    }
    return parts;
}

/// Whether the key names a text-only member.
bool readTextMember(std::string_view key, ondemand::value value, RawItem &item)
{
    static constexpr std::array<std::pair<std::string_view, std::string_view RawItem::*>, 11> kMembers { {
        { "type", &RawItem::type },
        { "role", &RawItem::role },
        { "id", &RawItem::id },
        { "call_id", &RawItem::callId },
        { "name", &RawItem::name },
        { "status", &RawItem::status },
        { "phase", &RawItem::phase },
        { "encrypted_content", &RawItem::encrypted },
        { "server_label", &RawItem::serverLabel },
        { "output_format", &RawItem::imageFormat },
        { "approval_request_id", &RawItem::callId },
    } };
    const auto *found = std::ranges::find(kMembers, key, &decltype(kMembers)::value_type::first);
    if (found == kMembers.end())
        return false;
    item.*(found->second) = stringIn(value);
    return true;
}

} // namespace

RawValue readPartsValue(ondemand::value value, std::vector<RawPart> &parts)
{
    if (value.type() == json_type::array) {
        ondemand::array array = value.get_array();
        const std::string_view raw = array.raw_json();
        array.reset();
        parts = readParts(array);
        return { RawValue::Form::Array, raw };
    }
    if (value.type() == json_type::object) {
        parts.push_back(readPart(value.get_object()));
        return { RawValue::Form::Object, parts.front().json };
    }
    return rawValueOf(value);
}

RawItem readRawItem(ondemand::object &object)
{
    static constexpr std::array<std::pair<std::string_view, RawValue RawItem::*>, 12> kMembers { {
        { "arguments", &RawItem::arguments },
        { "input", &RawItem::input },
        { "action", &RawItem::action },
        { "operation", &RawItem::operation },
        { "queries", &RawItem::queries },
        { "code", &RawItem::code },
        { "revised_prompt", &RawItem::revisedPrompt },
        { "result", &RawItem::result },
        { "results", &RawItem::results },
        { "outputs", &RawItem::outputs },
        { "tools", &RawItem::tools },
        { "error", &RawItem::error },
    } };
    RawItem item;
    for (auto field : object) {
        const std::string_view key = field.escaped_key();
        ondemand::value value = field.value();
        if (key == "content") {
            item.content = readPartsValue(value, item.contentParts);
        } else if (key == "summary") {
            (void)readPartsValue(value, item.summaryParts);
        } else if (key == "output") {
            item.output = readPartsValue(value, item.outputParts);
        } else if (!readTextMember(key, value, item)) {
            const auto *found = std::ranges::find(kMembers, key, &decltype(kMembers)::value_type::first);
            if (found != kMembers.end())
                item.*(found->second) = rawValueOf(value);
        }
    }
    object.reset();
    item.json = object.raw_json();
    return item;
}

} // namespace core::responses
