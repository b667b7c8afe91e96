// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/stage.h"

namespace core::stages {

/// The common part of stages that summarise. The parameters in `evictionParameters` define the summary, the archive for
/// the evicted messages and their media, and the replacements in the array.
[[nodiscard]] std::vector<ParameterSpec> evictionParameters();

/// The name of the archive; empty if there is none.
[[nodiscard]] std::string archiveName(const StageParameters &parameters);
/// Whether the archive holds the messages, rather than a summary only.
[[nodiscard]] bool archivesMessages(const StageParameters &parameters);
/// The text of the message that replaces the evicted messages.
[[nodiscard]] std::string summaryMessage(const StageParameters &parameters, const std::string &summary);

/// Which of the typed texts that a summary replaces stay, word for word, within `user-messages` tokens: in the order of
/// `user-messages-first`.
class CarriedTexts final {
public:
    explicit CarriedTexts(const StageParameters &parameters);

    /// False if no older text can stay; then `add` need not be called again.
    [[nodiscard]] bool takesMore() const { return m_isOpen; }
    /// Adds a typed text at a place, from the newest to the oldest. `text` gives its words.
    void add(size_t place, double tokens, const std::function<std::string()> &text);
    /// The places of the texts that stay, ascending.
    [[nodiscard]] std::vector<size_t> take();

private:
    struct Candidate {
        size_t place = 0;
        double tokens = 0;
        bool comesFirst = false;
    };
    double m_budget;
    bool m_prefersConstraints;
    bool m_isOpen;
    double m_used = 0;
    std::vector<Candidate> m_candidates; ///< the newest first
};

/// Moves the messages before `cut` to the archive and replaces them by a summary. With `isStored` it only writes the
/// archive, and does not change the array. False if there is nothing but summaries before `cut`.
bool evictBefore(StageRun &run, size_t cut, bool isStored = false);

} // namespace core::stages
