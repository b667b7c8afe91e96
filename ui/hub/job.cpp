// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/hub/job.h"

namespace ui {

void logFailure(const core::Error &error) { qCritical("%s", error.sentence().c_str()); }

} // namespace ui
