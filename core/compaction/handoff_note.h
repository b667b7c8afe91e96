// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/draft.h"

#include <map>
#include <span>
#include <string>

namespace core {

/// The format of messages in a harness's archive.
enum class ArchiveFormat : uint8_t {
    Genkit, ///< `[role] text` blocks without tool calls and results
    Xml,    ///< LangChain's `get_buffer_string(format="xml")`
};

/// A message to archive: its role and its blocks.
struct ArchivedMessage {
    Role role = Role::User;
    std::vector<BlockId> blocks;
    std::map<BlockId, std::string> references; ///< replacement texts for blocks stored elsewhere (media)
};

[[nodiscard]] std::string archiveText(
    const Session &session, const std::vector<ArchivedMessage> &messages, ArchiveFormat format);

/// A handoff note derived from the structure of messages, without a model: goal, files read and modified, commands and
/// outcomes, open items. Deterministic.
[[nodiscard]] std::string structuralNote(const Draft &draft, std::span<const Draft::Message> evicted);

} // namespace core
