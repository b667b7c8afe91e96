// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/follower.h"
#include "ui/hub/session_loader.h"

#include <QElapsedTimer>
#include <QFileSystemWatcher>
#include <QTimer>

#include <memory>
#include <optional>

namespace ui {

/// What a file that is followed holds now.
struct Followed {
    core::SessionPtr session;
    SessionTokens counts;
    /// Records were appended, and the ids of the session before name the same blocks in this one. Else `reread` knows
    /// the blocks of the session before.
    bool isGrown = false;
    Reread reread;
    bool isOther = false; ///< the file holds another session now
};

/// Follows the file of the shown session: reads new records on another thread, one reading at a time. The system tells
/// when the file or its folder changes; where it cannot, the follower looks a few times a second.
class SessionFollower final : public QObject {
    Q_OBJECT

public:
    explicit SessionFollower(QObject *parent = nullptr);

    /// Follows a file that was read and counted; nullptr for none.
    void follow(std::shared_ptr<core::Follower> file, SessionTokens counts);
    [[nodiscard]] bool isOn() const { return m_isOn; }
    void setOn(bool isOn);
    /// Whether there is a file that can be followed.
    [[nodiscard]] bool hasFile() const { return m_file != nullptr; }
    /// Whether the file grew since it was opened.
    [[nodiscard]] bool hasGrown() const { return m_hasGrown; }
    [[nodiscard]] bool isRemoved() const { return m_isRemoved; }
    /// For tests: whether the follower has listed the files that were beside it at first.
    [[nodiscard]] bool knowsFolder() const { return !m_beside.empty(); }
    /// For tests: the system does not tell of changes from here on.
    void stopWatching();

Q_SIGNALS:
    void followed(const ui::Followed &news);
    void rested(); ///< nothing new for a while, or much new
    void stateChanged();
    void changedUnfollowed(); ///< the file has changed while following is off
    /// A new file beside this one continues its session.
    void continuedIn(const QString &path);

private:
    using News = core::Result<std::optional<Followed>>;

    void watch();
    void look();
    void take(News news);
    void lookBeside();

    bool m_isOn = true;
    bool m_hasGrown = false;
    bool m_isRemoved = false;
    bool m_isDue = false; ///< something has changed since the running reading began
    bool m_canWatch = true;
    std::shared_ptr<core::Follower> m_file;
    core::SessionPtr m_session; ///< the one that was handed out last
    core::TokenCount m_count;
    std::vector<std::string> m_beside; ///< files in the folder that were seen
    QFileSystemWatcher m_watcher;
    QTimer m_lookAgain;
    QTimer m_rest;
    QElapsedTimer m_sinceRest;
    QThreadPool m_pool; ///< its own, so that slow work on the session does not delay new records
    Job<News> m_job { &m_pool };
    Job<std::pair<std::vector<std::string>, std::string>> m_lookBeside;
};

} // namespace ui
