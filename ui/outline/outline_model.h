// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/outline.h"
#include "core/session/slot_label.h"
#include "core/tokens/weights.h"

#include <QAbstractItemModel>

#include <memory>
#include <optional>
#include <vector>

namespace ui {

/// One thread as a tree: turns and compactions; in a turn, the person's messages and a group for the work of model and
/// tools; in the group, its slots. Holds no nodes: rows are places in core::Outline, and labels are made when they are
/// shown, so that a folded group of 30,000 slots costs nothing.
class OutlineModel final : public QAbstractItemModel {
    Q_OBJECT

public:
    enum class Kind { Opening, Turn, Compaction, Typed, Group, Slot };
    Q_ENUM(Kind)

    enum Role {
        KindRole = Qt::UserRole + 1,
        FigureRole,   ///< the right side: weight, or tokens before and after
        MaterialRole, ///< core::Material as int, of slots
        InArrayRole,  ///< false for what the array of the chosen call does not hold
        HotRole,
        HereRole, ///< of the compaction that follows the chosen call
    };

    explicit OutlineModel(QObject *parent = nullptr);

    /// Another session, thread or snapshot; clears the filter.
    void setContents(core::SessionPtr session, core::ThreadIndex thread);
    void setWeights(const core::Weights &weights);
    /// What the chosen call holds, which of it is hot, and the number of the compaction that follows it (0: none).
    void setArray(const core::Transcript &array, const std::vector<core::MessageId> &hot, size_t compaction);
    /// Shows only these messages (by place in the outline) and what they stand under; without a value, everything.
    void setFilter(std::optional<std::vector<bool>> matches);

    [[nodiscard]] const core::SessionPtr &session() const { return m_session; }
    [[nodiscard]] core::ThreadIndex thread() const { return m_thread; }
    [[nodiscard]] const std::shared_ptr<const core::Outline> &outline() const { return m_outline; }

    [[nodiscard]] Kind kindOf(const QModelIndex &index) const;
    [[nodiscard]] const core::OutlineEntry &entryOf(const QModelIndex &index) const;
    /// The message that a row stands for: of a turn or group its first one; invalid for a compaction without a summary.
    [[nodiscard]] core::MessageId messageOf(const QModelIndex &index) const;
    /// The row of a message's slot; invalid if it is filtered out or of another thread.
    [[nodiscard]] QModelIndex indexOf(core::MessageId message) const;
    /// Tells rows apart across resets: equal for the same row of the same session.
    [[nodiscard]] quint64 keyOf(const QModelIndex &index) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex &child) const override;
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

    /// `Read main.cpp`, `↳ Read main.cpp` for its result, first words for a text.
    [[nodiscard]] static QString slotText(const core::Session &session, core::MessageId message);
    /// First words of what the person typed.
    [[nodiscard]] static QString typedText(const core::Session &session, core::MessageId id);

private:
    enum Level : quintptr { Top = 0, Child = 1, Leaf = 2 };

    [[nodiscard]] static Level levelOf(const QModelIndex &index) { return static_cast<Level>(index.internalId() & 3U); }
    [[nodiscard]] static size_t entryIndexOf(const QModelIndex &index) { return index.internalId() >> 2U; }
    [[nodiscard]] static quintptr idOf(size_t entry, Level level)
    {
        return (static_cast<quintptr>(entry) << 2U) | level;
    }

    /// How many rows an entry has of each sort, with the filter.
    [[nodiscard]] bool showsTyped(size_t index) const;
    /// Its slots stand in a group of their own, not directly under it.
    [[nodiscard]] bool isGrouped(size_t index) const;
    [[nodiscard]] size_t slotCount(size_t index) const;
    [[nodiscard]] size_t slotPlace(size_t index, size_t row) const;
    [[nodiscard]] size_t firstSlotPlace(size_t index) const;
    [[nodiscard]] bool isShown(size_t place) const { return !m_matches || (*m_matches)[place]; }
    [[nodiscard]] double weightOf(size_t firstPlace, size_t lastPlace) const;
    [[nodiscard]] QString entryText(const core::OutlineEntry &entry) const;
    [[nodiscard]] QString compactionFigure(const core::OutlineEntry &entry) const;
    [[nodiscard]] QString accessibleText(const QModelIndex &index) const;
    [[nodiscard]] const core::RecordedCompaction &compactionOf(const core::OutlineEntry &entry) const;
    void sumWeights();
    void countInArray();
    void findRows();
    void announce();

    core::SessionPtr m_session;
    core::ThreadIndex m_thread;
    std::shared_ptr<const core::Outline> m_outline;
    core::Weights m_weights;
    std::vector<double> m_sums;            ///< prefix sums of message weights
    std::vector<bool> m_inArray;           ///< by place
    std::vector<uint32_t> m_inArrayBefore; ///< how many of the places before are
    std::vector<bool> m_isHot;             ///< by place
    size_t m_compactionHere = 0;
    std::optional<std::vector<bool>> m_matches;
    std::vector<uint32_t> m_rows;   ///< entries that are shown
    std::vector<uint32_t> m_rowOf;  ///< by entry
    std::vector<uint32_t> m_counts; ///< with a filter: prefix counts of matches, by place
};

} // namespace ui
