// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/context/context_spans.h"
#include "core/tokens/weights.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// Why a finding matters; findings are listed in this order.
enum class FindingRank : uint8_t {
    Lost,  ///< the model no longer has something that it may need
    Costs, ///< tokens that were probably not needed
    Note,
};

/// How a finding is known.
enum class Sureness : uint8_t {
    Recorded,  ///< the file records it
    Computed,  ///< it follows from the log; texts that were not logged may change it
    Estimated, ///< it depends on estimated tokens
};

/// A place that a finding refers to.
struct FindingLink {
    enum class Target : uint8_t { Call, Block, Edit, Compaction };
    Target target = Target::Call;
    uint32_t number = 0; ///< of the call, block or edit, from 0; of the compaction in its thread, from 1
    BlockId block {};    ///< of an edit: its tool call
    friend bool operator==(const FindingLink &, const FindingLink &) = default;
};

/// One answer to "what went wrong in this session".
struct Finding {
    std::string_view kind; ///< FindingKind::id
    FindingRank rank = FindingRank::Note;
    Sureness sureness = Sureness::Computed;
    ThreadIndex thread;
    size_t count = 1;               ///< the number of messages, facts, calls or edits that it is about
    std::string what;               ///< one sentence without a full stop
    std::vector<FindingLink> links; ///< the most important first
    size_t moreLinks = 0;           ///< places that are not in `links`
    std::string where;              ///< a clause after the links; may be empty
    std::string help;               ///< what would have helped; empty if nothing is known
    std::string_view policy;        ///< the id of a preset that does this; empty if there is none
    std::string_view setting;       ///< `STAGE.PARAMETER=value`, changed in that preset; empty if nothing is
    std::optional<TokenFigure> tokens;
    std::optional<double> money; ///< in dollars, at the prices of the recorded calls
    /// The resent blocks that `money` is for. Several findings may name the same block and call. If there are no spans,
    /// `money` is for tokens that no block holds or that no other finding names.
    std::vector<ContextSpan> spans;

    static constexpr size_t kMostLinks = 5;
    /// Adds a link, or counts it if there are enough.
    void link(FindingLink::Target target, uint32_t number, BlockId block = {});
};

struct FindingGround;

/// A kind of finding. `find` appends those of one thread.
struct FindingKind {
    std::string_view id;      ///< `lost-messages`
    std::string_view several; ///< the plural, for findings that are only counted: `files that were read again …`
    std::string_view chip;    ///< for lists of sessions, behind its count; `*` is the s of a plural: `message* lost`
    void (*find)(const FindingGround &ground, std::vector<Finding> &findings);
    size_t most = static_cast<size_t>(
        -1); ///< how many findings of this kind a session lists, those with most tokens; the others are counted
};

} // namespace core
