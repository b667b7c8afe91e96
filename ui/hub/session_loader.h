// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/block_key.h"
#include "core/tokens/weights.h"
#include "ui/hub/job.h"

#include <QObject>

#include <filesystem>
#include <functional>

namespace ui {

/// Another file, whose array is the array after; or an array that has a name instead of a file.
struct AfterFile {
    std::filesystem::path path;
    core::SessionPtr session;
    core::BlockTokensPtr tokens;
    core::ThreadIndex thread { 0U }; ///< the array is the one at its end
};

/// The keys of the blocks of a session, and of the same file read again.
struct Reread {
    core::SessionPtr before;
    std::shared_ptr<const core::BlockKeys> from;
    std::shared_ptr<const core::BlockKeys> to;

    /// The block that has the key which `block` had; invalid if there is none.
    [[nodiscard]] core::BlockId carried(core::BlockId block) const
    {
        return block.isValid() && to ? to->find(from->of(block)) : core::BlockId();
    }
};

struct LoadedSession {
    core::SessionPtr session;
    Reread reread; ///< empty unless the file was read before
};

/// Reads sessions in the background: the one that a window shows, and the file that it is compared with.
class SessionLoader final : public QObject {
    Q_OBJECT

public:
    /// `isFirst` is true for the first session that a start hands out, and false for more of the same.
    using Snapshot = std::function<void(core::SessionPtr session, bool isFirst)>;
    using Loaded = std::function<void(core::Result<LoadedSession> loaded, bool isFirst)>;

    /// The latest start wins. `before` is the session of an earlier reading of the same file, if there is one: then no
    /// snapshots are handed out, so that what is looked at stays in its place until all is read.
    void start(const std::filesystem::path &path, const core::SessionPtr &before, const Snapshot &snapshot,
        const Loaded &loaded);
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_job.isRunning(); }
    [[nodiscard]] double fraction() const { return m_job.fraction(); }

    /// Reads the file that the session is compared with, and counts its tokens.
    void startAfter(const std::filesystem::path &path, const std::function<void(core::Result<AfterFile>)> &loaded);
    void cancelAfter() { m_afterJob.cancel(); }
    /// The same on the calling thread. `tokens` is nullptr if it was cancelled.
    [[nodiscard]] static core::Result<AfterFile> readAfter(
        const std::filesystem::path &path, core::Progress *progress = nullptr);

private:
    uint64_t m_generation = 0; ///< of the newest start
    Job<core::Result<LoadedSession>> m_job;
    Job<core::Result<AfterFile>> m_afterJob;
};

} // namespace ui
