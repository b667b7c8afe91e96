// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/request_branches.h"

namespace core::requests {

/// Joins branches into threads and puts them into the builder, in the order that RequestLog::finish describes.
void writeThreads(std::span<const Branch> branches, Pool &pool, Preludes &preludes, SessionBuilder &builder);

} // namespace core::requests
