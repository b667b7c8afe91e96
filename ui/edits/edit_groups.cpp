// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/edits/edit_groups.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

struct GroupWords {
    Q_DECLARE_TR_FUNCTIONS(ui::EditGroups)
};

/// The order of groups by basis: the least known first.
enum class BasisPlace : uint8_t {
    LostUnderPlan,
    NotLogged,
    SummaryOnly,
    Pieces,
    OwnEdit,
    Shown,
    NotNeeded,
    Unknown,
    Outside
};

BasisPlace basisPlaceOf(const EditReview &review, size_t edit)
{
    if (review.found()->isOutside(edit))
        return BasisPlace::Outside;
    if (review.isLostUnderPlan(edit))
        return BasisPlace::LostUnderPlan;
    const core::EditBasis *basis = review.basis(edit);
    if (basis == nullptr)
        return BasisPlace::Unknown;
    switch (basis->kind) {
    case core::BasisKind::NotNeeded:
        return BasisPlace::NotNeeded;
    case core::BasisKind::Shown:
        return BasisPlace::Shown;
    case core::BasisKind::OwnEdit:
        return BasisPlace::OwnEdit;
    case core::BasisKind::Pieces:
        return BasisPlace::Pieces;
    case core::BasisKind::SummaryOnly:
        return BasisPlace::SummaryOnly;
    case core::BasisKind::NotLogged:
    case core::BasisKind::Lost:
        return BasisPlace::NotLogged;
    }
    return BasisPlace::Unknown;
}

QString titleOf(BasisPlace place, const QString &plan)
{
    switch (place) {
    case BasisPlace::LostUnderPlan:
        return GroupWords::tr("Lost under %1").arg(plan);
    case BasisPlace::NotLogged:
        return GroupWords::tr("Not in the Logged Context");
    case BasisPlace::SummaryOnly:
        return GroupWords::tr("Only in the Summary");
    case BasisPlace::Pieces:
        return GroupWords::tr("Spread over Several Messages");
    case BasisPlace::OwnEdit:
        return GroupWords::tr("Own Edits");
    case BasisPlace::Shown:
        return GroupWords::tr("Read or Shown");
    case BasisPlace::NotNeeded:
        return GroupWords::tr("No Basis Needed");
    case BasisPlace::Unknown:
        return GroupWords::tr("Edits");
    case BasisPlace::Outside:
        return GroupWords::tr("Outside the Log");
    }
    return {};
}

QString titleOf(EditFate fate)
{
    QString title = wordOf(fate);
    if (!title.isEmpty())
        title[0] = title[0].toUpper();
    return title;
}

class Filter final {
public:
    Filter(const FoundEdits &found, const EditFilter &filter)
        : m_found(found)
        , m_words(filter.words.split(u' ', Qt::SkipEmptyParts))
        , m_edits(filter.edits)
    {
    }

    [[nodiscard]] bool takes(size_t edit) const
    {
        if (m_words.isEmpty() || std::ranges::binary_search(m_edits, edit))
            return true;
        const QString path = displayText(m_found.edit(edit).path);
        const QString number = numberOf(*m_found.edits.session, m_found.blockOf(edit));
        return std::ranges::all_of(
            m_words, [&](const QString &word) { return word == number || path.contains(word, Qt::CaseInsensitive); });
    }

private:
    const FoundEdits &m_found;
    QStringList m_words;
    const std::vector<size_t> &m_edits;
};

/// Adds edits in order of time to groups with a number each.
class Grouper final {
public:
    Grouper(const EditReview &review, EditGrouping grouping)
        : m_review(review)
        , m_found(*review.found())
        , m_grouping(grouping)
    {
    }

    void add(size_t edit)
    {
        EditGroup &group = m_groups[keyOf(edit)];
        if (group.edits.empty()) {
            group.title = titleOf(edit);
            group.isAlarm = isAlarm(edit);
        }
        group.edits.push_back(edit);
        const core::Edit &each = m_found.edit(edit);
        const bool counts = each.outcome == core::EditOutcome::Landed || each.outcome == core::EditOutcome::Untold;
        if (!counts)
            return;
        group.added += each.added;
        group.removed += each.removed;
        group.isCountKnown = group.isCountKnown && each.isCountKnown;
    }

    [[nodiscard]] std::vector<EditGroup> take()
    {
        std::vector<EditGroup> groups;
        for (auto &[key, group] : m_groups)
            groups.push_back(std::move(group));
        return groups;
    }

private:
    size_t keyOf(size_t edit)
    {
        switch (m_grouping) {
        case EditGrouping::File:
            return m_files.try_emplace(m_found.edit(edit).path, m_files.size()).first->second;
        case EditGrouping::Time:
            return m_found.momentOf[edit];
        case EditGrouping::Basis:
            return static_cast<size_t>(basisPlaceOf(m_review, edit));
        case EditGrouping::State:
            return static_cast<size_t>(fateOf(m_review, edit));
        }
        return 0;
    }
    [[nodiscard]] QString titleOf(size_t edit) const
    {
        switch (m_grouping) {
        case EditGrouping::File:
            return displayText(m_found.edit(edit).path);
        case EditGrouping::Time:
            return displayText(m_found.moments[m_found.momentOf[edit]]);
        case EditGrouping::Basis:
            return ui::titleOf(basisPlaceOf(m_review, edit), m_review.planName());
        case EditGrouping::State:
            return ui::titleOf(fateOf(m_review, edit));
        }
        return {};
    }
    [[nodiscard]] bool isAlarm(size_t edit) const
    {
        return m_grouping == EditGrouping::Basis && basisPlaceOf(m_review, edit) <= BasisPlace::SummaryOnly;
    }

    const EditReview &m_review;
    const FoundEdits &m_found;
    EditGrouping m_grouping;
    std::unordered_map<std::string, size_t> m_files;
    std::map<size_t, EditGroup> m_groups;
};

} // namespace

std::vector<EditGroup> editGroups(const EditReview &review, EditGrouping grouping, const EditFilter &filter)
{
    if (!review.found())
        return {};
    const Filter taken(*review.found(), filter);
    Grouper grouper(review, grouping);
    for (size_t i = 0; i < review.found()->count(); ++i) {
        if (taken.takes(i) && (filter.fates & only(fateOf(review, i))) != 0)
            grouper.add(i);
    }
    return grouper.take();
}

} // namespace ui
