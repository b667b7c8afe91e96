// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/record_blocks.h"

#include "core/base/text.h"
#include "core/formats/reading/block_places.h"
#include "core/formats/reading/harness_words.h"
#include "core/json/json_probe.h"
#include "core/json/text_parts.h"

#include <algorithm>

namespace core {

Block RecordBlocks::block(BlockKind kind, std::string_view value, std::string_view name) const
{
    const std::vector<std::string_view> parts = isJsonArray(value) ? jsonElements(value).items : std::vector { value };
    const auto text = parts.size() == 1 && isJsonArray(value) ? jsonTextPart(parts.front()) : std::nullopt;
    const Body body = value.empty() ? Body()
        : isJsonString(value)       ? m_builder.jsonStringBody(m_record.source, jsonString(value))
        : text                      ? m_builder.jsonStringBody(m_record.source, *text)
        : isListOfTexts(value)      ? m_builder.textPartsBody(m_record.source, value)
                                    : m_builder.jsonValueBody(m_record.source, value);
    Block result = m_builder.makeBlock(kind, body, m_builder.intern(name));
    result.recordLine = m_record.line;
    result.recordOffset = m_record.offset;
    result.recordSize = m_record.bytes.size();
    growToBody(result);
    return result;
}

Block RecordBlocks::call(std::string_view name, std::string_view id, std::string_view arguments) const
{
    Block result = block(BlockKind::ToolCall, arguments, decodeJsonString(name));
    result.callId = m_builder.intern(decodeJsonString(id));
    const std::string decoded = isJsonString(arguments) ? decodeJsonString(jsonString(arguments)) : std::string();
    const std::string_view object = isJsonObject(arguments) ? arguments : std::string_view(decoded);
    if (isJsonObject(object))
        result.subject = m_builder.intern(subjectOfArguments(object));
    return result;
}

Block RecordBlocks::result(std::string_view id, std::string_view value) const
{
    Block result = block(BlockKind::ToolResult, value);
    result.callId = m_builder.intern(decodeJsonString(id));
    return result;
}

Block RecordBlocks::media(std::string_view value, std::string_view type) const
{
    std::string name = decodeJsonString(type);
    std::string_view data = jsonString(value);
    bool isBase64 = !data.contains(':'); // not in base64, but in every URL
    if (data.starts_with("data:")) {
        const size_t comma = data.find(',');
        isBase64 = comma != std::string_view::npos && data.substr(0, comma).ends_with(";base64");
        if (name.empty())
            name = data.substr(5, std::min(data.find(';'), comma) - 5);
        data = isBase64 ? data.substr(comma + 1) : data;
    }
    Block result = block(name.starts_with("image") ? BlockKind::Image : BlockKind::Document, {}, name);
    const Body body
        = isBase64 ? m_builder.base64Body(m_record.source, data) : m_builder.jsonStringBody(m_record.source, data);
    const Block filled = m_builder.makeBlock(result.kind, body, result.name);
    result.body = filled.body;
    result.lengths = filled.lengths;
    return result;
}

} // namespace core
