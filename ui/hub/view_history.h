// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/view_state.h"

#include <vector>

namespace ui {

/// Back and Forward through the places that were shown: call, compaction and block. Steps from one call or slot to the
/// next are one place, so that one Back undoes all of these steps. Apart from undo; another session forgets all places.
class ViewHistory final : public QObject {
    Q_OBJECT

public:
    explicit ViewHistory(ViewState &state, QObject *parent = nullptr);

    [[nodiscard]] bool canGo(int direction) const;
    /// Goes one place back (-1) or forward (1), if there is one.
    void go(int direction);

Q_SIGNALS:
    void changed();

private:
    struct Place {
        core::Position position;
        core::BlockId block;
        friend bool operator==(const Place &, const Place &) = default;
    };

    [[nodiscard]] Place here() const;
    [[nodiscard]] static bool isStep(const Place &from, const Place &to);
    void record();

    static constexpr size_t kMost = 200;

    ViewState &m_state;
    core::SessionPtr m_session;
    std::vector<Place> m_places;
    size_t m_at = 0;
    bool m_isGoing = false;
};

} // namespace ui
