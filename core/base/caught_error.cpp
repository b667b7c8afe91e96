// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/caught_error.h"

#include <exception>
#include <new>

namespace core {

Error caughtError()
{
    std::string cause;
    try {
        throw;
    } catch (const std::bad_alloc &) {
        cause = "there is not enough memory";
    } catch (const std::exception &exception) {
        cause = exception.what();
    } catch (...) {
        cause = "an unknown exception";
    }
    return { ErrorKind::Internal, "The computation failed: " + cause + ".", {} };
}

} // namespace core
