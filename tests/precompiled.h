// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

// What most tests include.

#ifdef QT_WIDGETS_LIB
#include "ui/precompiled.h"
#else
#include "core/precompiled.h"
#endif
#include "tests/sourcedir.h"

#include <QTest>
