// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <QThreadPool>

#ifdef Q_OS_LINUX
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace ui {

/// One thread for long readings that nobody waits for at the moment: one after the other, and where the processors are
/// wanted for what somebody waits for, these have them.
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
    static constexpr int kNiceness = 10; ///< a tenth of a processor where others want it all
};

} // namespace ui
