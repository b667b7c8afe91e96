// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/hub/job.h"

#include <exception>

namespace ui {

core::Error caughtError()
{
    std::string cause = "an unknown exception";
    try {
        throw;
    } catch (const std::bad_alloc &) {
        cause = "there is not enough memory";
    } catch (const std::exception &exception) {
        cause = exception.what();
    } catch (...) { // what is thrown has no words
    }
    return { core::ErrorKind::Internal, "The computation failed: " + cause + ".", {} };
}

void logFailure(const core::Error &error) { qCritical("%s", error.sentence().c_str()); }

} // namespace ui
