// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/transcript.h"
#include "core/tokens/weights.h"
#include "core/weight/unused_zones.h"
#include "ui/hub/workspace.h"
#include "ui/look/theme.h"

#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace ui {

/// By what slots are coloured.
enum class ColourBy { Material, Role, Age };

/// What stands beside the array: what the harness did, what the chosen policy would do, or another file.
enum class Aftermath { Recorded, Simulated, Observed };

/// What the array shows at the chosen call, computed once per change and shared by every view.
struct ArrayPicture {
    core::Position position;
    core::Transcript before;
    core::Transcript after;                               ///< empty unless there is something to show after it
    core::CompactionPtr simulated;                        ///< what the plan makes of the array, if that is shown
    core::CompactionPtr observed;                         ///< what lies between it and the other file, if that is shown
    const core::RecordedCompaction *compaction = nullptr; ///< lives in the session
    size_t compactionNumber = 0;                          ///< 1-based within its thread
    core::Weights weights;
    core::Weights weightsAfter;   ///< of the array after: a simulated one has blocks of its own
    size_t cutoff = 0;            ///< first slot of the keep window
    core::HotZones hot;           ///< by tokens resent unused once they are known, as in the Weight panel
    core::Unlogged unlogged;      ///< of the array at the call
    core::Unlogged unloggedAfter; ///< of the array after the compaction

    [[nodiscard]] bool hasAfter() const { return compaction != nullptr || made() != nullptr; }
    [[nodiscard]] bool isSimulated() const { return simulated != nullptr; }
    /// What is known change by change: simulated or observed; nullptr of a recorded one.
    [[nodiscard]] const core::CompactionPtr &made() const { return simulated ? simulated : observed; }
    /// What a block of the array after was before; the block itself where it was not changed, invalid if it was added.
    [[nodiscard]] core::BlockId originOf(core::BlockId blockAfter) const;
};

/// What is looked at: call, selection, hover, weights, find. The other hub. Views set and follow it; they never talk to
/// each other.
class ViewState final : public QObject {
    Q_OBJECT

public:
    explicit ViewState(Workspace &workspace, QObject *parent = nullptr);

    [[nodiscard]] Workspace &workspace() const { return m_workspace; }
    [[nodiscard]] const core::SessionPtr &session() const { return m_workspace.session(); }
    [[nodiscard]] const ArrayPicture &picture() const { return m_picture; }
    [[nodiscard]] const core::Weights &weights() const { return m_picture.weights; }

    [[nodiscard]] core::Position position() const { return m_position; }
    /// Of several recorded compactions behind the call, the one of that number (from 0) in the thread is shown; without
    /// a number, the last: what the next call was sent.
    void setPosition(core::Position position, std::optional<size_t> compaction = {});
    /// The call with the largest recorded prompt; without usage, the end.
    [[nodiscard]] core::Position heaviestPosition(core::ThreadIndex thread) const;

    /// The block whose body the Message panel shows; invalid if none.
    [[nodiscard]] core::BlockId currentBlock() const { return m_current; }
    /// Slots of the array (before) that are selected, ascending; the current block's slot is one of them.
    [[nodiscard]] const std::vector<core::SlotIndex> &selection() const { return m_selection; }
    void setCurrentBlock(core::BlockId block);
    /// Makes the slot's heaviest block current and selects the slot.
    void setCurrentSlot(core::SlotIndex slot);
    void setSelection(std::vector<core::SlotIndex> slots);
    /// The slot of the current block in the array before; invalid if it is not there.
    [[nodiscard]] core::SlotIndex currentSlot() const { return m_picture.before.slotOf(m_current); }

    [[nodiscard]] core::BlockId hoveredBlock() const { return m_hovered; }
    void setHoveredBlock(core::BlockId block);

    /// Which of those that there are is shown beside the array.
    [[nodiscard]] Aftermath aftermath() const;
    void setAftermath(Aftermath aftermath);
    /// What there is to show: recorded after this call, a plan, another file.
    [[nodiscard]] std::vector<Aftermath> aftermaths() const;
    /// True while the plan for the chosen call, or the observation, is still being made.
    [[nodiscard]] bool isPlanning() const { return m_planning.isRunning(); }
    /// For pictures and tests: returns when the picture is what was asked for.
    void waitForPicture();
    /// Pins, drops or leaves to the policy what is selected.
    void overrideSelection(std::optional<Workspace::Override> what);
    /// The same for the current block alone.
    void overrideCurrentBlock(std::optional<Workspace::Override> what);

    [[nodiscard]] core::WeightUnit unit() const { return m_unit; }
    void setUnit(core::WeightUnit unit);
    [[nodiscard]] ColourBy colourBy() const { return m_colourBy; }
    void setColourBy(ColourBy colourBy);
    [[nodiscard]] QColor colourOf(const core::Transcript &transcript, const core::Slot &slot) const;

    [[nodiscard]] const Theme &theme() const { return m_theme; }
    void setTheme(const Theme &theme);

    /// Find: slots of the array before in which some block holds the text (case-insensitive for ASCII).
    [[nodiscard]] const QString &findText() const { return m_findText; }
    void setFindText(const QString &text);
    [[nodiscard]] const std::vector<core::SlotIndex> &matches() const { return m_matches; }
    void nextMatch(int direction);

    // Moving about, as the keys do.
    void stepSlot(int delta);
    void stepCall(int delta);
    void stepHot(int delta);
    void stepSameKind(int delta);

Q_SIGNALS:
    void pictureChanged(); ///< position, session, weights, keep or hot zones
    /// Behind `pictureChanged`: at once, but of the pictures of a drag only for one that stays a while. For what is
    /// found beside the array.
    void pictureSettled();
    /// Which slots of the picture are hot, or why: reasons come after the picture in large arrays, tokens resent unused
    /// once the uses of the thread are known. Nothing else of the picture changes.
    void hotChanged();
    void currentChanged(); ///< current block or selection
    void hoverChanged();
    void themeChanged();
    void matchesChanged();
    /// A view should bring this slot into sight.
    void revealRequested(core::SlotIndex slot);
    /// Something that stands only in the array after was chosen: a summary, an added message.
    void addedBlockChosen(core::BlockId blockAfter);

private:
    void rebuild();
    void compose();
    [[nodiscard]] const core::RecordedCompaction *shownCompaction() const;
    void makeAftermath();
    void onPlanChanged();
    void onAfterFileChanged();
    void settle();
    /// The hot zones before the keep window: by tokens resent unused, or by tokens resent until the uses are known.
    void findHot();
    /// True if it is found at once; else, if there is something to find, a job does.
    bool findUnused();
    void takeUnused();
    void explainHot();
    void learnReasons(const std::vector<core::BlockId> &blocks, std::vector<std::string> reasons);
    void showReasons();
    void onSessionChanged(bool isNew);
    /// The hottest slot, or the first one.
    void chooseOpeningSlot();
    void search();

    Workspace &m_workspace;
    core::Position m_position;
    std::optional<size_t> m_compaction; ///< that was asked for behind the call
    ArrayPicture m_picture;
    core::BlockId m_current;
    core::BlockId m_hovered;
    std::vector<core::SlotIndex> m_selection;
    core::WeightUnit m_unit = core::WeightUnit::Tokens;
    ColourBy m_colourBy = ColourBy::Material;
    Theme m_theme = Theme::make(Appearance::Light);
    QString m_findText;
    std::vector<core::SlotIndex> m_matches;
    Job<std::vector<core::SlotIndex>> m_search;
    /// A plan's compaction or an observed one, and what it was made for.
    struct Made {
        core::CompactionPtr compaction;
        Aftermath kind = Aftermath::Simulated;
        const void *session = nullptr;
        const void *otherSession = nullptr;
        core::Position position;

        [[nodiscard]] bool isOfTheSame(const Made &other) const
        {
            return kind == other.kind && session == other.session && otherSession == other.otherSession
                && position == other.position;
        }
    };
    Made m_made;
    Made m_beingMade;
    /// What neither a policy nor keep changes of the picture, and what it was found for: a drag leaves it as it is.
    struct Ground {
        core::SessionPtr session;
        core::BlockTokensPtr tokens;
        core::Position position;
        core::WeightUnit unit = core::WeightUnit::Tokens;
        const core::RecordedCompaction *compaction = nullptr;
        core::HotZoneFinder hot;
        std::optional<core::UnusedZoneFinder> unused; ///< nothing until the uses of the thread are known
        core::Unlogged unlogged;
        std::unordered_map<core::BlockId, std::string> reasons; ///< of blocks that were hot
    };
    /// True if it is another than before.
    bool findGround();
    Ground m_ground;
    bool m_isOutdated = false; ///< what is being made is not the newest that was asked for
    QThreadPool m_planPool;    ///< a plan waits for no search, no count
    Job<core::CompactionPtr> m_planning { &m_planPool };
    Aftermath m_aftermath = Aftermath::Simulated;
    bool m_wasSimulated = false;
    QTimer m_settleTimer;
    Job<std::vector<std::string>> m_reasons;
    Job<core::UnusedZoneFinder> m_findUnused;
    bool m_followsHeaviest = true; ///< until the person chooses a call, loading moves to the heaviest one
};

} // namespace ui
