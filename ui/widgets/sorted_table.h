// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

class QTreeView;

namespace ui {

/// Lets clicks on the titles of columns sort a table. The arrow beside the title points up for an ascending order;
/// styles differ in this. A new order shows its first rows. The model says with Qt::InitialSortOrderRole which order
/// the first click on a column makes.
void makeSortable(QTreeView &table);

} // namespace ui
