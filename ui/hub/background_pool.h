// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <QThreadPool>

#ifdef Q_OS_LINUX
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace ui {

/// One thread for what comes after the picture: one job after the other, and where the thread of the window wants a
/// processor, it has it first.
class BackgroundPool final : public QThreadPool {
public:
    BackgroundPool()
    {
        setMaxThreadCount(1);
#ifdef Q_OS_LINUX
        setExpiryTimeout(-1); // the thread that has stepped back is the one that stays
        start([] { (void)::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kNiceness); });
#endif
    }

private:
    static constexpr int kNiceness = 5; ///< a quarter of a processor where another thread wants all of it
};

} // namespace ui
