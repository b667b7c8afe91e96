// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/findings/compaction_loss.h"

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

namespace core {

/// One line about what a compaction lost.
struct LossRow {
    enum class Mark : uint8_t { None, Kept, Part, Gone, Unknown };
    Mark mark = Mark::None;
    std::string figure; ///< `12 of 58`; may be empty
    std::string text;
    std::string note {};          ///< at the end of the line: `word for word`, `read again at #351`; may be empty
    BlockId block {};             ///< where a click goes; invalid if nowhere
    bool isAfter = false;         ///< the block is in the array after the compaction only
    std::vector<LossRow> rows {}; ///< the parts of a sum
    std::string_view finding {};  ///< `FindingKind::id` of the finding that is about this sum; may be empty
    bool wasThere = false;        ///< the array before the compaction had the words of the block, if not the block
};

/// A titled list of lines.
struct LossList {
    std::string title;  ///< `Messages you typed`
    std::string detail; ///< `15 before the compaction · 2 word for word after it`
    std::vector<LossRow> rows;
};

/// What stayed, the messages that the person typed, and what was needed again: three lists, as the window shows them.
[[nodiscard]] std::array<LossList, 3> lossLists(const Session &session, const CompactionLoss &loss);

/// `✓`, `◐`, `✗`, `?`, or a blank.
[[nodiscard]] std::string_view signOf(LossRow::Mark mark);

/// `Compaction 2`, `Clearing 3`, `Rewind 1`; `Simulated compaction`.
[[nodiscard]] std::string nameOf(const CompactionLoss &loss);
/// `path`, `error line`.
[[nodiscard]] std::string_view nameOf(FactKind kind);
/// A clearing takes single texts out; all others write the array anew.
[[nodiscard]] inline bool isClearing(const CompactionLoss &loss)
{
    return !loss.isSimulated() && loss.kind == CompactionKind::Clearing;
}

/// The document `palimpsest.losses/1`.
[[nodiscard]] nlohmann::ordered_json lossesJson(
    const Session &session, std::span<const CompactionLoss> losses, ThreadIndex thread);
/// One compaction of this document.
[[nodiscard]] nlohmann::ordered_json lossJson(const Session &session, const CompactionLoss &loss);
/// For the terminal: the compactions, and behind them the clearings.
[[nodiscard]] std::string drawLosses(const Session &session, std::span<const CompactionLoss> losses);
[[nodiscard]] std::string drawLoss(const Session &session, const CompactionLoss &loss);

} // namespace core
