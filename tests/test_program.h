// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "tests/sourcedir.h"

#include <QTest>

#include <memory>

namespace testing {

/// A test class of this program, under the name of its file: `tst_store`.
class TestClass final {
public:
    using Maker = std::unique_ptr<QObject> (*)();

    TestClass(const char *file, Maker maker);

    [[nodiscard]] std::unique_ptr<QObject> make() const { return m_make(); }

private:
    Maker m_make;
};

} // namespace testing

/// Adds the test class of this file to its program, one for each folder of tests. `test_formats tst_codex [ARGUMENT…]`
/// runs one class with Qt Test's arguments, `test_formats` all of them.
#define PALIMPSEST_TEST(Class)                                                                                         \
    static const testing::TestClass kTestClass(                                                                        \
        __FILE__, []() -> std::unique_ptr<QObject> { return std::make_unique<Class>(); });
