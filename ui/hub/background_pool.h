// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <QThreadPool>

#ifdef Q_OS_LINUX
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace ui {

/// A pool with one low-priority thread for work after the picture. Jobs run one after the other and yield to the
/// window's thread.
class BackgroundPool final : public QThreadPool {
public:
    BackgroundPool()
    {
        setMaxThreadCount(1);
#ifdef Q_OS_LINUX
        setExpiryTimeout(-1); // keep the thread, as its priority is already lowered
        start([] { (void)::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kNiceness); });
#endif
    }

private:
    /// If another thread uses the processor fully, the thread of this pool still gets a quarter of it.
    static constexpr int kNiceness = 5;
};

} // namespace ui
