// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "load_reference.h"

#include "core/json/json_probe.h"

#include <cstring>
#include <nlohmann/json.hpp>
#include <simdjson.h>

namespace bench {

namespace {

namespace ondemand = simdjson::ondemand;

template <typename Visitor>
void forEachLine(std::string_view bytes, Visitor &&visit)
{
    size_t begin = 0;
    while (begin < bytes.size()) {
        const auto *hit = static_cast<const char *>(std::memchr(bytes.data() + begin, '\n', bytes.size() - begin));
        const size_t end = hit != nullptr ? static_cast<size_t>(hit - bytes.data()) : bytes.size();
        if (end > begin)
            visit(bytes.substr(begin, end - begin));
        begin = end + 1;
    }
}

uint64_t touchContent(ondemand::value content)
{
    uint64_t bytes = 0;
    if (content.type() == ondemand::json_type::string)
        return std::string_view(content.raw_json_token()).size();
    for (auto element : content.get_array()) {
        for (auto field : element.get_object()) {
            const std::string_view key = field.escaped_key();
            ondemand::value value = field.value();
            if (key == "input")
                bytes += std::string_view(value.raw_json()).size();
            else if (value.type() == ondemand::json_type::string)
                bytes += std::string_view(value.raw_json_token()).size();
        }
    }
    return bytes;
}

} // namespace

Touched touchOnDemand(std::string_view bytes)
{
    Touched touched;
    ondemand::parser parser;
    forEachLine(bytes, [&](std::string_view line) {
        auto document = parser.iterate(line.data(), line.size(), line.size() + simdjson::SIMDJSON_PADDING);
        for (auto field : document.get_object()) {
            const std::string_view key = field.escaped_key();
            ondemand::value value = field.value();
            if (key == "message") {
                for (auto part : value.get_object()) {
                    const std::string_view name = part.escaped_key();
                    ondemand::value inner = part.value();
                    if (name == "content") {
                        touched.bodyBytes += touchContent(inner);
                    } else if (name == "usage") {
                        for (auto count : inner.get_object()) {
                            ondemand::value number = count.value();
                            if (number.type() == ondemand::json_type::number)
                                touched.tokens += number.get_uint64().value();
                        }
                    } else if (inner.type() == ondemand::json_type::string) {
                        touched.bodyBytes += std::string_view(inner.raw_json_token()).size();
                    }
                }
            } else if (key == "type" || key == "uuid" || key == "parentUuid" || key == "timestamp") {
                touched.bodyBytes += std::string_view(value.raw_json_token()).size();
            } else if (key == "toolUseResult") {
                touched.bodyBytes += std::string_view(value.raw_json()).size();
            }
        }
        ++touched.records;
    });
    return touched;
}

Touched touchDom(std::string_view bytes)
{
    Touched touched;
    forEachLine(bytes, [&](std::string_view line) {
        const auto record = nlohmann::json::parse(line);
        ++touched.records;
        const auto message = record.find("message");
        if (message == record.end())
            return;
        const auto &content = (*message)["content"];
        if (content.is_string()) {
            touched.bodyBytes += content.get_ref<const std::string &>().size();
            return;
        }
        for (const auto &block : content) {
            for (const auto &value : block) {
                if (value.is_string())
                    touched.bodyBytes += value.get_ref<const std::string &>().size();
            }
        }
    });
    return touched;
}

uint64_t skipOurs(std::string_view bytes)
{
    uint64_t skipped = 0;
    forEachLine(bytes, [&](std::string_view line) { skipped += core::skipJson(line, 0).value_or(0); });
    return skipped;
}

uint64_t skipOnDemand(std::string_view bytes)
{
    uint64_t skipped = 0;
    ondemand::parser parser;
    forEachLine(bytes, [&](std::string_view line) {
        auto document = parser.iterate(line.data(), line.size(), line.size() + simdjson::SIMDJSON_PADDING);
        skipped += std::string_view(document.get_object().raw_json()).size();
    });
    return skipped;
}

} // namespace bench
