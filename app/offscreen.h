// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <QApplication>

#include <array>

namespace app {

/// What a command needs that paints: pictures need no display, and do not depend on the one there is. One at a time,
/// as long as it paints.
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
