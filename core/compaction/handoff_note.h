// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/draft.h"

#include <map>
#include <span>
#include <string>

namespace core {

/// How a harness writes messages into its archive.
enum class ArchiveFormat : uint8_t {
    Genkit, ///< `[role] text` blocks; tool traffic is left out
    Xml,    ///< LangChain's `get_buffer_string(format="xml")`
};

/// A message to be archived: its role and its blocks, in a session that holds them.
struct ArchivedMessage {
    Role role = Role::User;
    std::vector<BlockId> blocks;
    std::map<BlockId, std::string> references; ///< what stands for blocks that went elsewhere (media)
};

[[nodiscard]] std::string archiveText(
    const Session &session, const std::vector<ArchivedMessage> &messages, ArchiveFormat format);

/// A handoff note made from the structure of messages alone, without a model: goal, files read and modified, commands
/// and outcomes, open items. Deterministic.
[[nodiscard]] std::string structuralNote(const Draft &draft, std::span<const Draft::Message> evicted);

} // namespace core
