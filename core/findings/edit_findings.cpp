// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/counted.h"
#include "core/findings/finding_ground.h"
#include "core/findings/kinds.h"

#include <algorithm>

namespace core {

namespace {

/// The edits of the thread's model calls for which `isMeant`.
template <typename Predicate>
std::vector<uint32_t> editsOf(const FindingGround &ground, const Predicate &isMeant)
{
    std::vector<uint32_t> found;
    const std::vector<Edit> &edits = ground.whole.edits.edits;
    for (uint32_t i = 0; i < edits.size(); ++i) {
        const bool isIts = edits[i].thread == ground.threadIndex && edits[i].origin != EditOrigin::Outside;
        if (isIts && isMeant(edits[i], ground.bases[i]))
            found.push_back(i);
    }
    return found;
}

/// `a.cpp, b.cpp, …`
std::string filesOf(const FindingGround &ground, const std::vector<uint32_t> &edits)
{
    constexpr size_t kNamed = 3;
    std::vector<std::string> names;
    for (const uint32_t edit : edits) {
        const std::string &path = ground.whole.edits.edits[edit].path;
        std::string name = path.substr(path.find_last_of('/') + 1);
        if (!std::ranges::contains(names, name))
            names.push_back(std::move(name));
    }
    std::string text;
    for (size_t i = 0; i < std::min(kNamed, names.size()); ++i)
        text += (i == 0 ? "" : ", ") + names[i];
    return text + (names.size() > kNamed ? ", …" : "");
}

Finding &add(const FindingGround &ground, const std::vector<uint32_t> &edits, std::vector<Finding> &findings)
{
    Finding &made = findings.emplace_back();
    made.count = edits.size();
    for (const uint32_t edit : edits)
        made.link(FindingLink::Target::Edit, edit, ground.whole.edits.edits[edit].use);
    made.where = filesOf(ground, edits);
    return made;
}

/// The block that last showed the edit's old text has left the context.
bool isLost(const EditBasis &basis)
{
    return basis.kind == BasisKind::SummaryOnly || (basis.kind == BasisKind::NotLogged && !basis.carriers.empty());
}

void findEditsOnLostText(const FindingGround &ground, std::vector<Finding> &findings)
{
    const auto edits = editsOf(ground, [](const Edit &, const EditBasis &basis) { return isLost(basis); });
    if (edits.empty())
        return;
    const auto failed = static_cast<size_t>(std::ranges::count_if(
        edits, [&](uint32_t edit) { return ground.whole.edits.edits[edit].outcome == EditOutcome::Failed; }));
    Finding &made = add(ground, edits, findings);
    made.rank = failed > 0 ? FindingRank::Lost : FindingRank::Note;
    made.what = counted(edits.size(), "edit") + " relied on text that was no longer in the logged context";
    if (failed > 0)
        made.what += edits.size() == 1 ? ", and failed" : ", and " + groupedNumber(failed) + " of them failed";
    made.help = "keep files that are being edited";
}

void findFailedEdits(const FindingGround &ground, std::vector<Finding> &findings)
{
    const auto edits = editsOf(ground,
        [](const Edit &edit, const EditBasis &basis) { return edit.outcome == EditOutcome::Failed && !isLost(basis); });
    if (edits.empty())
        return;
    Finding &made = add(ground, edits, findings);
    made.sureness = Sureness::Recorded;
    made.what = counted(edits.size(), "edit") + " failed";
}

void findStoppedEdits(const FindingGround &ground, std::vector<Finding> &findings)
{
    const auto edits
        = editsOf(ground, [](const Edit &edit, const EditBasis &) { return edit.outcome == EditOutcome::Interrupted; });
    if (edits.empty())
        return;
    Finding &made = add(ground, edits, findings);
    made.sureness = Sureness::Recorded;
    made.what = counted(edits.size(), "edit") + (edits.size() == 1 ? " was" : " were")
        + " refused, stopped, or left without a result";
}

} // namespace

const FindingKind kEditsOnLostText { "edits-on-lost-text", "edits of text that was no longer in context",
    "edit* on lost text", findEditsOnLostText };
const FindingKind kFailedEdits { "failed-edits", "edits that failed", "edit* failed", findFailedEdits };
const FindingKind kStoppedEdits { "stopped-edits", "edits that you refused or stopped, and edits without a result",
    "edit* stopped", findStoppedEdits };

} // namespace core
