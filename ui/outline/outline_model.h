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

/// One thread as a tree: turns and compactions; in a turn the user messages and a group for the work of model and
/// tools; in the group its slots. Stores no nodes: rows are indices into core::Outline, and labels are computed when
/// shown, so that a collapsed group of 30,000 slots costs nothing.
class OutlineModel final : public QAbstractItemModel {
    Q_OBJECT

public:
    enum class Kind { Opening, Turn, Compaction, Typed, Group, Slot };
    Q_ENUM(Kind)

    enum Role {
        KindRole = Qt::UserRole + 1,
        FigureRole,   ///< figure at the right: weight, or tokens before and after
        MaterialRole, ///< core::Material as int, for slots
        InArrayRole,  ///< false if the array of the chosen call does not contain it
        HotRole,
        HereRole,     ///< true for the compaction after the chosen call
        BookmarkRole, ///< true if a message of the row has a bookmark
    };

    explicit OutlineModel(QObject *parent = nullptr);

    /// Sets another session, thread or snapshot; clears the filter.
    void setContents(core::SessionPtr session, core::ThreadIndex thread);
    void setWeights(const core::Weights &weights);
    /// Sets the chosen call's array, and the number of the compaction after it (0: none).
    void setArray(const core::Transcript &array, size_t compaction);
    /// Sets the messages of that array that are hot. Changes no row if they are the same.
    void setHot(std::vector<core::MessageId> hot);
    /// The messages with a bookmark, ascending.
    void setBookmarks(std::vector<core::MessageId> messages);
    /// Shows only these messages (by index in the outline) and their parents; nullopt shows everything.
    void setFilter(std::optional<std::vector<bool>> matches);

    [[nodiscard]] const core::SessionPtr &session() const { return m_session; }
    [[nodiscard]] core::ThreadIndex thread() const { return m_thread; }
    [[nodiscard]] const std::shared_ptr<const core::Outline> &outline() const { return m_outline; }

    [[nodiscard]] Kind kindOf(const QModelIndex &index) const;
    [[nodiscard]] const core::OutlineEntry &entryOf(const QModelIndex &index) const;
    /// The message of a row; for a turn or group its first message; invalid for a compaction without a summary.
    [[nodiscard]] core::MessageId messageOf(const QModelIndex &index) const;
    /// The row of a message's slot; invalid if it is filtered out or in another thread.
    [[nodiscard]] QModelIndex indexOf(core::MessageId message) const;
    /// Identifies rows across resets: equal for the same row of the same session.
    [[nodiscard]] quint64 keyOf(const QModelIndex &index) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex &child) const override;
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

    /// `Read main.cpp`, `↳ Read main.cpp` for its result, first words for a text.
    [[nodiscard]] static QString slotText(const core::Session &session, core::MessageId message);
    /// First words of a user message.
    [[nodiscard]] static QString typedText(const core::Session &session, core::MessageId id);

private:
    enum Level : quintptr { Top = 0, Child = 1, Leaf = 2 };

    [[nodiscard]] static Level levelOf(const QModelIndex &index) { return static_cast<Level>(index.internalId() & 3U); }
    [[nodiscard]] static size_t entryIndexOf(const QModelIndex &index) { return index.internalId() >> 2U; }
    [[nodiscard]] static quintptr idOf(size_t entry, Level level)
    {
        return (static_cast<quintptr>(entry) << 2U) | level;
    }

    /// Number of rows of each kind that an entry shows under the filter.
    [[nodiscard]] bool showsTyped(size_t index) const;
    /// Whether its slots are in a group rather than directly below it.
    [[nodiscard]] bool isGrouped(size_t index) const;
    [[nodiscard]] size_t slotCount(size_t index) const;
    [[nodiscard]] size_t slotPlace(size_t index, size_t row) const;
    [[nodiscard]] size_t firstSlotPlace(size_t index) const;
    [[nodiscard]] bool isShown(size_t place) const { return !m_matches || (*m_matches)[place]; }
    [[nodiscard]] double weightOf(size_t firstPlace, size_t lastPlace) const;
    /// Whether the array has one of these messages.
    [[nodiscard]] bool hasInArray(size_t firstPlace, size_t lastPlace) const;
    [[nodiscard]] QString entryText(const core::OutlineEntry &entry) const;
    [[nodiscard]] QString compactionFigure(const core::OutlineEntry &entry) const;
    [[nodiscard]] QString accessibleText(const QModelIndex &index) const;
    [[nodiscard]] const core::RecordedCompaction &compactionOf(const core::OutlineEntry &entry) const;
    void sumWeights();
    void findRows();
    void announce();

    core::SessionPtr m_session;
    core::ThreadIndex m_thread;
    std::shared_ptr<const core::Outline> m_outline;
    core::Weights m_weights;
    std::vector<double> m_sums;             ///< prefix sums of message weights
    std::vector<core::MessageId> m_inArray; ///< ascending
    std::vector<core::MessageId> m_hot;     ///< ascending
    std::vector<core::MessageId> m_bookmarks;
    size_t m_compactionHere = 0;
    std::optional<std::vector<bool>> m_matches;
    std::vector<uint32_t> m_rows;   ///< visible entries
    std::vector<uint32_t> m_rowOf;  ///< by entry
    std::vector<uint32_t> m_counts; ///< with a filter: prefix counts of matches, by index in the outline
};

} // namespace ui
