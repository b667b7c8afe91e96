// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/context/context_spans.h"
#include "core/edits/edits.h"
#include "core/evidence/uses.h"

#include <string>
#include <vector>

namespace core {

/// The basis of an edit: where the model had its old text from.
enum class BasisKind : uint8_t {
    NotNeeded,   ///< it has no old text: a whole file, an insertion, a command
    Shown,       ///< a block that a tool or the user showed
    OwnEdit,     ///< the agent's own arguments of an earlier call
    Pieces,      ///< several blocks that each show a part
    SummaryOnly, ///< no block in context shows it, except for a summary
    NotLogged,   ///< nothing in the logged context shows it: unknown rather than wrong, as harnesses put files back
                 ///< without logging it
    Lost,        ///< as NotLogged, in a simulated context: no harness put it back, the policy removed it
};

/// Which context the basis is looked up in.
enum class BasisContext : uint8_t {
    Recorded,
    Simulated, ///< the context under a policy
};

/// The basis of one edit, and the later edits that build on it.
struct EditBasis {
    BasisKind kind = BasisKind::NotNeeded;
    /// The newest block in context that shows the old text. A block that is surely there takes precedence over one that
    /// a silent clearing may have removed; then a block of the edit's own file takes precedence. Pieces: all blocks.
    /// SummaryOnly: the summary. NotLogged and Lost: the block that last showed the text, if any; not the answer
    /// that holds the edit itself.
    std::vector<BlockId> carriers;
    bool mayBeCleared = false; ///< a silent clearing may have removed a carrier: nothing shows that the call had it
    std::string otherFile;     ///< the file of the first carrier, if it is not that of the edit
    uint32_t callsBefore = 0;  ///< calls since the first carrier was requested or written
    std::vector<BlockId>
        quotedBy; ///< later edits whose old text was last shown by this edit's arguments, or that patch its lines
};

/// The basis of every edit of a thread, by the number of the edit; NotNeeded for edits of other threads. `uses` and
/// `spans` belong to the thread. With the spans of a replay, the result is the basis under the policy. The basis of an
/// edit with an old text comes from the quotes in `uses`; that of a patch, which quotes lines, from the blocks that the
/// rebuilt body came from. Failed calls have no uses; their basis is the blocks that show the old text. A call without
/// a landed edit is never a basis. Costs O(edits + uses), plus one reading of all blocks if patches change lines that
/// no read has shown.
[[nodiscard]] std::vector<EditBasis> editBases(const Edits &edits, ThreadIndex thread, const Uses &uses,
    const ContextSpans &spans, BasisContext context = BasisContext::Recorded);

/// True if nothing in context shows the old text, or only a summary does.
[[nodiscard]] bool isWithoutCarrier(const EditBasis &basis);

/// `read #41, 3 calls before, in context` · `read #41, 3 calls before, perhaps cleared` · `pieces of #41 #44` · `only
/// in the summary` · `not in the logged context` · `lost: nothing in context shows it`; empty if NotNeeded.
[[nodiscard]] std::string basisText(const Session &session, const EditBasis &basis);

} // namespace core
