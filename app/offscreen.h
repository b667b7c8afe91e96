// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <QApplication>

#include <array>

namespace app {

/// Sets up painting without a display for a command, independent of an existing display. Create one at a time and keep
/// it while painting.
class Offscreen final {
public:
    Offscreen();

private:
    [[nodiscard]] static int &prepared(int &count);

    int m_count = 1;
    std::array<char, 11> m_name { "palimpsest" };
    std::array<char *, 2> m_words { m_name.data(), nullptr };
    QApplication m_application;
};

} // namespace app
