// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/after_array.h"
#include "ui/hub/array_facts.h"
#include "ui/hub/array_picture.h"
#include "ui/hub/session_search.h"
#include "ui/hub/workspace.h"
#include "ui/look/slot_colour.h"
#include "ui/look/theme.h"

#include <QObject>
#include <QTimer>

#include <optional>
#include <vector>

namespace ui {

/// The view state: call, selection, hover, weights, find. One of the two hubs. Views set and follow it, and never talk
/// to each other.
class ViewState final : public QObject {
    Q_OBJECT

public:
    explicit ViewState(Workspace &workspace, QObject *parent = nullptr);

    [[nodiscard]] Workspace &workspace() const { return m_workspace; }
    [[nodiscard]] const core::SessionPtr &session() const { return m_workspace.session(); }
    [[nodiscard]] const ArrayPicture &picture() const { return m_picture; }
    [[nodiscard]] const core::Weights &weights() const { return m_picture.weights; }

    [[nodiscard]] core::Position position() const { return m_position; }
    /// If several recorded compactions follow the call, shows the one with this number (from 0) in the thread; by
    /// default the last, whose array the next call sent.
    void setPosition(core::Position position, std::optional<size_t> compaction = {});
    /// The call with the largest recorded prompt; the end if there is no usage.
    [[nodiscard]] core::Position heaviestPosition(core::ThreadIndex thread) const;

    /// The block shown in the Message panel, or invalid.
    [[nodiscard]] core::BlockId currentBlock() const { return m_current; }
    /// Selected slots of the `before` array, ascending, including the current block's slot.
    [[nodiscard]] const std::vector<core::SlotIndex> &selection() const { return m_selection; }
    void setCurrentBlock(core::BlockId block);
    /// Makes the slot's heaviest block current and selects the slot.
    void setCurrentSlot(core::SlotIndex slot);
    void setSelection(std::vector<core::SlotIndex> slots);
    /// The slot of the current block in the `before` array; invalid if it is not there.
    [[nodiscard]] core::SlotIndex currentSlot() const { return m_picture.before.slotOf(m_current); }

    /// A block of the `after` array alone, such as a summary or an inserted message, that was chosen after the current
    /// block; invalid if none was.
    [[nodiscard]] core::BlockId addedBlock() const { return m_added; }
    void chooseAddedBlock(core::BlockId blockAfter);
    /// The block of the `after` array with which the policy replaced the current block; invalid if it kept the text, or
    /// if nothing stands in its place.
    [[nodiscard]] core::BlockId changeOfCurrent() const;
    /// The same if the Message panel shows the text of this block instead of the current block's; else invalid.
    [[nodiscard]] core::BlockId shownChange() const { return m_showsChange ? changeOfCurrent() : core::BlockId(); }
    void setShowsChange(bool showsChange);
    /// Makes current what a block of the `after` array was before, selects its slot, and shows the change.
    void chooseChange(core::BlockId blockAfter);
    /// The block that the Message panel shows, and its session: a simulated array has blocks of its own.
    [[nodiscard]] core::BlockId shownBlock() const { return m_added.isValid() ? m_added : m_current; }
    [[nodiscard]] const core::SessionPtr &shownSession() const
    {
        return m_added.isValid() ? m_picture.after.session() : session();
    }

    [[nodiscard]] core::BlockId hoveredBlock() const { return m_hovered; }
    void setHoveredBlock(core::BlockId block);

    /// Which `after` array is shown; one of `aftermaths`, if there are any.
    [[nodiscard]] Aftermath aftermath() const;
    void setAftermath(Aftermath aftermath);
    /// The available kinds of `after` array.
    [[nodiscard]] std::vector<Aftermath> aftermaths() const;
    /// True while the `after` array is being computed for the chosen call.
    [[nodiscard]] bool isPlanning() const { return m_after.isRunning(); }
    /// For pictures and tests: waits for the current picture.
    void waitForPicture();
    /// True while a job looks for the hot slots of a large array; `hotChanged` follows.
    [[nodiscard]] bool isFindingHot() const { return m_facts.isFinding(); }
    /// Pins, drops or resets the selected blocks, and the calls and results that belong to them.
    void overrideSelection(std::optional<Workspace::Override> what);
    /// Takes back all overrides of the selected slots, and what was inserted behind them.
    void resetSelection();
    /// The same as `overrideSelection` for the current block only.
    void overrideCurrentBlock(std::optional<Workspace::Override> what);

    [[nodiscard]] core::WeightUnit unit() const { return m_unit; }
    void setUnit(core::WeightUnit unit);
    [[nodiscard]] ColourBy colourBy() const { return m_colourBy; }
    void setColourBy(ColourBy colourBy);
    [[nodiscard]] QColor colourOf(const core::Transcript &transcript, const core::Slot &slot) const;

    [[nodiscard]] const Theme &theme() const { return m_theme; }
    void setTheme(const Theme &theme);

    /// The search over all blocks of the session.
    [[nodiscard]] SessionSearch &search() { return m_search; }
    [[nodiscard]] const SessionSearch &search() const { return m_search; }
    /// The slots of the `before` array with a block that the search found.
    [[nodiscard]] const std::vector<core::SlotIndex> &matches() const { return m_matches; }
    void nextMatch(int direction);
    /// Selects a block in the array of the nearest call that has it, and brings it into sight.
    void goTo(core::BlockId block);

    // Moving, as with keys:
    void stepSlot(int delta);
    void stepCall(int delta);
    void stepHot(int delta);
    void stepSameKind(int delta);

Q_SIGNALS:
    void pictureChanged(); ///< position, session, weights, keep or hot zones
    /// Follows `pictureChanged`: at once, except during a drag, where it is emitted only for a picture that stays a
    /// while. For work that accompanies the array.
    void pictureSettled();
    /// The hot slots of the picture, or their reasons, have changed; nothing else has. For large arrays both are found
    /// after the picture, and tokens resent unused once the uses of the thread are known.
    void hotChanged();
    void currentChanged(); ///< current block or selection
    void hoverChanged();
    void themeChanged();
    void matchesChanged(); ///< the slots, the searched text, or the end of a search
    /// Asks views to scroll to a slot.
    void revealRequested(core::SlotIndex slot);
    /// A block was chosen that is only in the `after` array: a summary, an added message.
    void addedBlockChosen(core::BlockId blockAfter);

private:
    void choose(core::SlotIndex slot, core::BlockId block, bool showsChange);
    [[nodiscard]] std::vector<core::BlockId> selectedBlocks() const;
    /// Computes the `after` array and the picture.
    /// The blocks, and the calls and results that belong to them.
    [[nodiscard]] std::vector<core::BlockId> withPartners(std::vector<core::BlockId> blocks) const;
    void rebuild();
    void makeAfter();
    void compose();
    void readAfter(core::Transcript recorded);
    void readSizes();
    [[nodiscard]] core::ArraySum sumOfOwnRun(double slots) const;
    [[nodiscard]] const core::RecordedCompaction *shownCompaction() const;
    void onPlanChanged();
    void onAfterFileChanged();
    void onSessionChanged(bool isNew);
    /// The picture has stayed a while.
    void onStill();
    void settle();
    void findMatches();
    /// Selects the hottest slot, or the first until that is found.
    void chooseOpeningSlot();
    void onHotChanged();
    /// Goes to the next or previous of `slots` (ascending) from the current slot, with wrap-around.
    void stepAmong(const std::vector<core::SlotIndex> &slots, int direction);

    Workspace &m_workspace;
    core::Position m_position;
    std::optional<size_t> m_compaction; ///< the requested compaction after the call
    ArrayPicture m_picture;
    /// The weights of the array at a position, see `tokensAt`.
    struct TokensThere {
        core::SessionPtr session;
        core::BlockTokensPtr tokens;
        core::Position position;
        core::BlockTokensPtr there;
    };
    TokensThere m_tokensOf;
    core::BlockId m_current;
    core::BlockId m_added; ///< of the picture's `after` array
    bool m_showsChange = false;
    core::BlockId m_hovered;
    std::vector<core::SlotIndex> m_selection;
    core::WeightUnit m_unit = core::WeightUnit::Tokens;
    ColourBy m_colourBy = ColourBy::Material;
    Theme m_theme = Theme::make(Appearance::Light);
    Aftermath m_aftermath = Aftermath::Simulated;
    bool m_wasSimulated = false;
    bool m_awaitsHottest = false;  ///< the opening slot was chosen before the hottest was found
    bool m_followsHeaviest = true; ///< loading moves to the heaviest call until the user chooses one
    size_t m_callCount = 0;        ///< calls of the shown thread before the session changed
    QTimer m_settleTimer;
    bool m_isSettled = true; ///< `pictureSettled` was emitted for the picture
    SessionSearch m_search;
    std::vector<core::SlotIndex> m_matches;
    AfterArray m_after;
    ArrayFacts m_facts;
};

} // namespace ui
