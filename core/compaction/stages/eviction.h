// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/stage.h"

#include <map>
#include <set>

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

/// Whether the stage puts a message in place of the evicted messages; else it only drops them.
[[nodiscard]] bool writesSummary(const StageParameters &parameters);
[[nodiscard]] SummaryPlace summaryPlace(const StageParameters &parameters);
/// Whether the stage changes or adds more than the summary: it cuts the last typed text, or puts files back.
[[nodiscard]] bool makesMore(const StageParameters &parameters);

/// Which blocks of the evicted messages stay: typed texts, word for word, within `user-messages` tokens, in the order
/// of `user-messages-first`. Also finds the files that were read last, which the harness sends again.
class CarriedBlocks final {
public:
    explicit CarriedBlocks(const StageParameters &parameters);

    /// How many of the evicted messages at the beginning stay whole.
    [[nodiscard]] size_t firstMessages(const MessageArray &array, size_t evicted) const;
    void addFirst(size_t place) { m_places.push_back(place); }
    /// False if no older block can stay; then `add` need not be called again.
    [[nodiscard]] bool takesMore() const { return m_takesTexts || m_filesLeft > 0; }
    /// Adds a block at a place, from the newest to the oldest.
    void add(size_t place, const BlockPool &pool, BlockId block);
    /// The places of the blocks that stay, ascending.
    [[nodiscard]] std::vector<size_t> take();
    /// The change of the typed text that fits only in part, by place.
    [[nodiscard]] const std::map<size_t, BlockChange> &changes() const { return m_changes; }
    /// The texts of the files, in the order in which they were read.
    [[nodiscard]] std::vector<std::string> files() const { return { m_files.rbegin(), m_files.rend() }; }

private:
    struct Text {
        size_t place = 0;
        double tokens = 0;
        bool comesFirst = false;
    };
    void addText(size_t place, const BlockPool &pool, BlockId block);
    void addFile(const BlockPool &pool, BlockId id);
    void takeTexts();
    [[nodiscard]] double tokensOf(const BlockPool &pool, BlockId block) const;

    StageParameters m_parameters;
    MessageCounter m_counter;
    double m_budget;
    size_t m_textsLeft;
    bool m_prefersConstraints;
    bool m_takesTexts;
    size_t m_firstMessages;
    size_t m_filesLeft;
    double m_fileBudget;
    double m_used = 0;
    std::vector<Text> m_texts; ///< the newest first
    std::vector<size_t> m_places;
    std::map<size_t, BlockChange> m_changes;
    std::vector<std::string> m_files; ///< the newest first
    std::set<StringId> m_paths;       ///< of the files that were seen
};

/// Whether `evictBefore` would replace something: the messages before `cut` hold more than summaries and what stays.
[[nodiscard]] bool hasNewBefore(const StageRun &run, size_t cut);
/// Moves the messages before `cut` to the archive and replaces them by a summary. With `isStored` it only writes the
/// archive, and does not change the array. False if there is nothing but summaries before `cut`.
bool evictBefore(StageRun &run, size_t cut, bool isStored = false);

} // namespace core::stages
