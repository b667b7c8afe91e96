// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/edits/edit_groups.h"

#include <QAbstractItemModel>

#include <optional>
#include <set>
#include <utility>

namespace ui {

/// The texts of one edit in the list.
struct EditRow {
    bool isOutside = false;
    bool isReviewed = false;
    bool isCommented = false;
    bool isSentBack = false;
    QString number; ///< `#41`
    QString path;   ///< empty if the group's title has it
    QString words;  ///< its basis, else its kind
    bool isAlarm = false;
    QString lost; ///< `lost under Deep Agents`
    QString added;
    QString removed;
    EditFate fate = EditFate::Landed;
};

/// The edits as a tree with two levels: groups and their edits. Texts of a row are computed when it is shown.
class EditsModel final : public QAbstractItemModel {
    Q_OBJECT

public:
    explicit EditsModel(const EditReview &review, QObject *parent = nullptr);

    [[nodiscard]] EditGrouping grouping() const { return m_grouping; }
    void setGrouping(EditGrouping grouping);
    [[nodiscard]] const EditFilter &filter() const { return m_filter; }
    void setFilter(EditFilter filter);
    /// Rebuilds the groups.
    void refresh();
    /// Updates the texts of rows that stay in place.
    void refreshWords();

    /// A folded group shows only its title, which can be the current row. It stays folded when the filter or the
    /// grouping changes.
    [[nodiscard]] bool isFolded(const QModelIndex &group) const;
    void setFolded(const QModelIndex &group, bool isFolded);

    [[nodiscard]] bool isGroup(const QModelIndex &index) const { return index.isValid() && index.internalId() == 0; }
    /// The group of a row, which may be a group or an edit.
    [[nodiscard]] const EditGroup &groupOf(const QModelIndex &index) const;
    /// nullopt for a group.
    [[nodiscard]] std::optional<size_t> editOf(const QModelIndex &index) const;
    /// Invalid if the edit is filtered out.
    [[nodiscard]] QModelIndex indexOf(size_t edit) const;
    /// The edit `delta` edits further down the list; nullopt beyond its ends.
    [[nodiscard]] std::optional<size_t> neighbourOf(size_t edit, int delta) const;
    /// The next edit down the list that is neither reviewed nor sent back; nullopt behind the last.
    [[nodiscard]] std::optional<size_t> nextToReview(size_t edit) const;
    [[nodiscard]] EditRow rowOf(size_t edit) const;
    /// The distinct states of the edits, without changes outside of the log.
    [[nodiscard]] std::vector<EditFate> fates() const;
    /// The names of the files in the list, without their folders; none if the groups' titles have them.
    [[nodiscard]] std::set<QString> fileNames() const;
    /// A number text at least as wide as that of any edit.
    [[nodiscard]] QString widestNumber() const;
    /// The edits in list order.
    [[nodiscard]] const std::vector<size_t> &order() const { return m_order; }

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex &index) const override;
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &) const override { return 1; }
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;

Q_SIGNALS:
    void ticked(const std::vector<size_t> &edits, bool isReviewed);

private:
    struct Place {
        int group = -1;
        int row = 0;
        size_t rank = 0; ///< index in `m_order`
    };
    [[nodiscard]] QString sentenceOf(size_t edit) const;
    /// Check state of a group: all, none or some of its edits; invalid for a group without reviewable edits.
    [[nodiscard]] QVariant tickOf(const EditGroup &group) const;

    const EditReview &m_review;
    EditGrouping m_grouping = EditGrouping::File;
    EditFilter m_filter;
    std::set<std::pair<EditGrouping, QString>> m_folded; ///< by title
    std::vector<EditGroup> m_groups;
    std::vector<size_t> m_order;
    std::vector<Place> m_places; ///< by edit
};

} // namespace ui
