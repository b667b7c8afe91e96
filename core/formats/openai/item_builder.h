// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/openai/responses_items.h"
#include "core/formats/openai/responses_raw.h"

namespace core {

/// The blocks of one item of the Responses API, and what kind of item it is; `ResponsesItems` says which blocks an item
/// gives. Changes nothing but the builder's interned names.
[[nodiscard]] ResponsesItem buildItem(SessionBuilder &builder, const responses::RawItem &raw, const ItemPlace &place);

} // namespace core
