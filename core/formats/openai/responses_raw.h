// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <simdjson.h>
#include <string_view>
#include <vector>

/// Raw items of the Responses API: nothing is decoded; all members are views into the source.
namespace core::responses {

/// The raw text of one value.
struct RawValue {
    enum class Form : uint8_t { None, String, Array, Object, Other };
    Form form = Form::None;
    std::string_view raw; ///< between the quotes of a string, else the JSON

    [[nodiscard]] bool isString() const { return form == Form::String; }
    [[nodiscard]] bool isEmpty() const { return form == Form::None || raw.empty(); }
};

/// One element of `content`, `summary` or `output`.
struct RawPart {
    std::string_view type;
    std::string_view json;
    RawValue text;
    RawValue mediaUrl; ///< `image_url`, `file_url`, `file_id`
    RawValue data;     ///< `file_data`, `input_audio.data`
    std::string_view format;
    std::string_view fileName;
    std::string_view encrypted;
    std::string_view id;
    std::string_view name;
    RawValue input;
    bool isFailure = false;
};

/// The members of an item. Their meaning depends on `type`, which may come last.
struct RawItem {
    std::string_view json;
    std::string_view type;
    std::string_view role;
    std::string_view id;
    std::string_view callId;
    std::string_view name;
    std::string_view status;
    std::string_view phase;
    std::string_view encrypted;
    std::string_view serverLabel;
    std::string_view imageFormat;
    RawValue arguments;
    RawValue input;
    RawValue action;
    RawValue operation;
    RawValue queries;
    RawValue code;
    RawValue revisedPrompt;
    RawValue result;
    RawValue results;
    RawValue outputs;
    RawValue tools;
    RawValue error;
    RawValue content;
    RawValue output;
    std::vector<RawPart> contentParts;
    std::vector<RawPart> summaryParts;
    std::vector<RawPart> outputParts;
};

/// Reads and consumes an item's members, in any order. Throws `simdjson::simdjson_error` on damage.
[[nodiscard]] RawItem readRawItem(simdjson::ondemand::object &object);

/// Reads a string, a list of parts, or a single part without a list.
[[nodiscard]] RawValue readPartsValue(simdjson::ondemand::value value, std::vector<RawPart> &parts);

/// The text between the quotes of a string; empty for other values.
[[nodiscard]] std::string_view stringIn(simdjson::ondemand::value value);

} // namespace core::responses
