// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/after_array.h"
#include "ui/hub/array_facts.h"
#include "ui/hub/array_picture.h"
#include "ui/hub/array_search.h"
#include "ui/hub/workspace.h"
#include "ui/look/slot_colour.h"
#include "ui/look/theme.h"

#include <QObject>
#include <QTimer>

#include <optional>
#include <vector>

namespace ui {

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

    /// Which array after is shown; one of `aftermaths`, if there are any.
    [[nodiscard]] Aftermath aftermath() const;
    void setAftermath(Aftermath aftermath);
    /// The arrays after that there are: recorded after this call, by the plan, of another file.
    [[nodiscard]] std::vector<Aftermath> aftermaths() const;
    /// True while the plan for the chosen call, or the observation, is still being made.
    [[nodiscard]] bool isPlanning() const { return m_after.isRunning(); }
    /// For pictures and tests: returns when the picture is what was asked for.
    void waitForPicture() { m_after.wait(); }
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
    [[nodiscard]] const QString &findText() const { return m_search.text(); }
    void setFindText(const QString &text);
    [[nodiscard]] const std::vector<core::SlotIndex> &matches() const { return m_search.matches(); }
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
    /// Makes the array after, and the picture with it.
    void rebuild();
    void makeAfter();
    void compose();
    void readAfter();
    void readSizes();
    [[nodiscard]] const core::RecordedCompaction *shownCompaction() const;
    void onPlanChanged();
    void onAfterFileChanged();
    void onSessionChanged(bool isNew);
    void settle();
    /// The hottest slot, or the first one.
    void chooseOpeningSlot();
    /// The next or previous of these slots, which ascend, from the current one; around the ends.
    void stepAmong(const std::vector<core::SlotIndex> &slots, int direction);

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
    Aftermath m_aftermath = Aftermath::Simulated;
    bool m_wasSimulated = false;
    bool m_followsHeaviest = true; ///< until the person chooses a call, loading moves to the heaviest one
    QTimer m_settleTimer;
    ArraySearch m_search;
    AfterArray m_after;
    ArrayFacts m_facts;
};

} // namespace ui
