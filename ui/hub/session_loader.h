// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/follower.h"
#include "core/session/block_key.h"
#include "core/tokens/array_sums.h"
#include "core/tokens/counted_tokens.h"
#include "ui/hub/job.h"

#include <QObject>

#include <filesystem>
#include <functional>

namespace ui {

/// The tokens of a session, and what its arrays add up to. Made together, so that no view adds them up again.
struct SessionTokens {
    core::BlockTokensPtr tokens;
    core::SessionSumsPtr sums;
    core::TokenCount count; ///< what `tokens` was made from, if it was counted

    /// From lengths alone: no text is read.
    [[nodiscard]] static SessionTokens rough(const core::Session &session);
    /// Reads all texts but those that `before` has counted, which are the first of the session. Both pointers are
    /// nullptr if cancelled.
    [[nodiscard]] static SessionTokens counted(
        const core::Session &session, core::Progress *progress, const core::TokenCount &before = {});
};

/// Another file whose array is shown as the `after` array, or a named array without a file.
struct AfterFile {
    std::filesystem::path path;
    core::SessionPtr session;
    SessionTokens counts;
    core::ThreadIndex thread { 0U }; ///< whose final array is shown
};

/// The block keys of a session, and of the same file read again.
struct Reread {
    core::SessionPtr before;
    std::shared_ptr<const core::BlockKeys> from;
    std::shared_ptr<const core::BlockKeys> to;

    [[nodiscard]] static Reread of(const core::SessionPtr &before, const core::SessionPtr &now);
    /// The block with the same key as `block` had; invalid if there is none.
    [[nodiscard]] core::BlockId carried(core::BlockId block) const
    {
        return block.isValid() && to ? to->find(from->of(block)) : core::BlockId();
    }
};

struct LoadedSession {
    core::SessionPtr session;
    SessionTokens rough;
    Reread reread;                        ///< empty unless the file had been read before
    std::shared_ptr<core::Follower> file; ///< reads on when the file grows; nullptr for a sample of the program
};

/// Reads sessions in the background: the session of a window, and the file it is compared with.
class SessionLoader final : public QObject {
    Q_OBJECT

public:
    /// `isFirst` is true for the first session of a start, and false for later snapshots of it.
    using Snapshot = std::function<void(core::SessionPtr session, SessionTokens rough, bool isFirst)>;
    using Loaded = std::function<void(core::Result<LoadedSession> loaded, bool isFirst)>;

    /// The latest start wins. `before` is an earlier reading of the same file, if any. Then no snapshots are published,
    /// so that the view stays in place until the file has been read.
    void start(const std::filesystem::path &path, const core::SessionPtr &before, const Snapshot &snapshot,
        const Loaded &loaded);
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_job.isRunning(); }
    [[nodiscard]] double fraction() const { return m_job.fraction(); }

    /// Reads the file to compare with and counts its tokens.
    void startAfter(const std::filesystem::path &path, const std::function<void(core::Result<AfterFile>)> &loaded);
    void cancelAfter() { m_afterJob.cancel(); }
    /// The same on the calling thread. `tokens` is nullptr if cancelled.
    [[nodiscard]] static core::Result<AfterFile> readAfter(
        const std::filesystem::path &path, core::Progress *progress = nullptr);

private:
    uint64_t m_generation = 0; ///< of the newest start
    Job<core::Result<LoadedSession>> m_job;
    Job<core::Result<AfterFile>> m_afterJob;
};

} // namespace ui
