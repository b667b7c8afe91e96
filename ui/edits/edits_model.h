// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/edits/edit_groups.h"

#include <QAbstractItemModel>

#include <optional>
#include <set>
#include <utility>

namespace ui {

/// The words of one edit in the list.
struct EditRow {
    bool isOutside = false;
    bool isReviewed = false;
    QString number; ///< `#41`
    QString path;   ///< empty where the group's title says it
    QString words;  ///< its basis, else its change
    bool isAlarm = false;
    QString lost; ///< `lost under Deep Agents`
    QString added;
    QString removed;
    EditFate fate = EditFate::Landed;
};

/// The edits as a tree of two levels: groups, and under them their edits. The words of a row are made when it is shown.
class EditsModel final : public QAbstractItemModel {
    Q_OBJECT

public:
    explicit EditsModel(const EditReview &review, QObject *parent = nullptr);

    [[nodiscard]] EditGrouping grouping() const { return m_grouping; }
    void setGrouping(EditGrouping grouping);
    [[nodiscard]] const QString &filter() const { return m_filter; }
    void setFilter(const QString &filter);
    /// Groups anew.
    void refresh();
    /// The words of the rows changed, not their places.
    void refreshWords();

    /// A folded group shows only its title, which can be current then. It stays folded when the list is filtered or
    /// grouped in another way.
    [[nodiscard]] bool isFolded(const QModelIndex &group) const;
    void setFolded(const QModelIndex &group, bool isFolded);

    [[nodiscard]] bool isGroup(const QModelIndex &index) const { return index.isValid() && index.internalId() == 0; }
    /// For a group, or the group of an edit.
    [[nodiscard]] const EditGroup &groupOf(const QModelIndex &index) const;
    /// Nothing of a group.
    [[nodiscard]] std::optional<size_t> editOf(const QModelIndex &index) const;
    /// Invalid if it is filtered out.
    [[nodiscard]] QModelIndex indexOf(size_t edit) const;
    /// The edit `delta` rows of edits further; nothing beyond the ends.
    [[nodiscard]] std::optional<size_t> neighbourOf(size_t edit, int delta) const;
    [[nodiscard]] EditRow rowOf(size_t edit) const;
    /// States of the edits, each once; changes outside the log have words of their own.
    [[nodiscard]] std::vector<EditFate> fates() const;
    /// As wide as any edit's.
    [[nodiscard]] QString widestNumber() const;
    /// In the order of the list.
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
        size_t rank = 0; ///< in `m_order`
    };
    [[nodiscard]] QString sentenceOf(size_t edit) const;
    /// All, none or some of its edits are ticked; nothing of a group that has none to tick.
    [[nodiscard]] QVariant tickOf(const EditGroup &group) const;

    const EditReview &m_review;
    EditGrouping m_grouping = EditGrouping::File;
    QString m_filter;
    std::set<std::pair<EditGrouping, QString>> m_folded; ///< by title
    std::vector<EditGroup> m_groups;
    std::vector<size_t> m_order;
    std::vector<Place> m_places; ///< by edit
};

} // namespace ui
