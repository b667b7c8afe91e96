// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/context/context_spans.h"
#include "core/edits/edit_states.h"
#include "core/edits/edits.h"
#include "core/evidence/uses.h"

#include <string>
#include <vector>

namespace core {

/// What the old text of an edit rested on when the model wrote it.
enum class BasisKind : uint8_t {
    NotNeeded,   ///< it has no old text: a whole file, an insertion, a command
    Shown,       ///< a block that a tool or the person showed
    OwnEdit,     ///< the agent's own arguments of an earlier call
    Pieces,      ///< several blocks, each of which shows a part
    SummaryOnly, ///< no block in context shows it, but a summary there does
    NotLogged,   ///< nothing in the logged context shows it: unknown, not wrong, as harnesses put files back unlogged
    Lost,        ///< the same where a policy had taken away what showed it: there is no harness that put it back
};

/// Whose context a basis is looked for in.
enum class BasisContext : uint8_t {
    Recorded,
    Simulated, ///< as a policy would have it
};

/// The basis of one edit, and what came to rest on it.
struct EditBasis {
    BasisKind kind = BasisKind::NotNeeded;
    /// The newest block in context that shows the old text; of Pieces all of them; of SummaryOnly the summary; of
    /// NotLogged and Lost the block that last showed it, where one did.
    std::vector<BlockId> carriers;
    uint32_t callsBefore = 0; ///< so many calls before the first carrier was asked for or written
    std::vector<BlockId>
        quotedBy; ///< later edits whose old text this one's arguments were the newest to show, or which patch its lines
};

/// The basis of every edit of a thread, by the number of the edit; of other threads' NotNeeded. `uses` and `spans` are
/// of that thread; with the spans of a replay it is what the edit would have rested on under the policy. Where an edit
/// quotes an old text the quotes of `uses` tell; of patches, which quote in lines, the blocks that the rebuilt body
/// came from. Of calls that failed, which have no uses, the blocks that show the old text; no basis is a call none of
/// whose edits landed. Costs O(edits + uses), and one reading of all blocks where patches change what no read has
/// shown.
[[nodiscard]] std::vector<EditBasis> editBases(const Edits &edits, ThreadIndex thread, const Uses &uses,
    const ContextSpans &spans, BasisContext context = BasisContext::Recorded);

/// Nothing in context shows the old text but a summary, if that.
[[nodiscard]] bool isWithoutCarrier(const EditBasis &basis);

/// `read #41, 3 calls before, in context` · `own edit #57, 1 call before` · `pieces of #41 #44` · `only in the
/// summary` · `not in the logged context` · `nothing in context, a lost use`; empty where none is needed.
[[nodiscard]] std::string basisText(const Session &session, const EditBasis &basis);

/// `landed · quoted again by #71, #75` or `landed · never quoted again`; the outcome alone where it did not land. What
/// the log calls landed and the disk does not (`standing`, if there is one) is `said to have landed`.
[[nodiscard]] std::string outcomeText(
    const Session &session, const Edit &edit, const EditBasis &basis, const EditStanding *standing = nullptr);

} // namespace core
