// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

// What most of ui includes. A source still includes what it uses: clang-tidy reads it without this header.

#include "core/precompiled.h"

#include <QtConcurrent>
#include <QtGui>
#include <QtWidgets>
