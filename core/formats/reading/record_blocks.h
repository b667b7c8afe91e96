// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/reading/json_records.h"

namespace core {

/// Makes blocks from values of one record, with the place of the record.
class RecordBlocks final {
public:
    RecordBlocks(SessionBuilder &builder, const Record &record)
        : m_builder(builder)
        , m_record(record)
    {
    }

    /// A JSON string is the text between its quotes, and a list of text parts is their texts; any other value stays
    /// JSON. A missing value is an empty text.
    [[nodiscard]] Block block(BlockKind kind, std::string_view value, std::string_view name = {}) const;
    /// A call; the arguments are an object, or a string with it. `name` and `id` as they stand between their quotes.
    [[nodiscard]] Block call(std::string_view name, std::string_view id, std::string_view arguments) const;
    [[nodiscard]] Block result(std::string_view id, std::string_view value) const;
    /// An image or a document, as base64, a `data:` URL or a reference; its name is the media type.
    [[nodiscard]] Block media(std::string_view value, std::string_view type) const;

private:
    SessionBuilder &m_builder;
    const Record &m_record;
};

} // namespace core
