// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/compaction.h"
#include "core/summary/secrets.h"
#include "core/summary/summary_template.h"

namespace core {

/// The messages that a summary replaces, as one text.
struct SummaryInput {
    std::string transcript;          ///< each block behind a line `KEY #12 user`
    std::string key;                 ///< a word that no text of the session contains, so none can imitate such a line
    std::vector<SecretSpan> secrets; ///< in the transcript
    size_t messages = 0;
    size_t blocks = 0;
    size_t leftOut = 0; ///< thinking, images, documents and encrypted blocks: the transcript does not hold their texts
    size_t cut = 0;     ///< tool results that were cut
    std::string replaced; ///< the texts of these blocks, whole: a note must be shorter
};

/// What the compaction's stage `summarise` replaces by a summary. Fails with Empty if the policy summarises nothing
/// here. Reads the texts of these blocks.
[[nodiscard]] Result<SummaryInput> summaryInput(const Compaction &compaction, size_t resultCap);

/// The policy with the note as the text of its summary.
[[nodiscard]] Result<Policy> withNote(const Policy &policy, std::string_view note);

/// The two messages for a model. The text of the session is data in the user's message, between lines with the key. Our
/// instruction follows it.
struct SummaryPrompt {
    std::string system;
    std::string user;
};

enum class Secrets : uint8_t { Masked, Sent };
[[nodiscard]] SummaryPrompt summaryPrompt(
    const SummaryInput &input, std::string_view instruction, Secrets secrets = Secrets::Masked);

/// `3 secrets are masked: 2 passwords, 1 GitHub token`; empty without secrets.
[[nodiscard]] std::string secretsSentence(const SummaryInput &input, Secrets secrets);

} // namespace core
