// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/overrides.h"
#include "ui/files/session_document.h"
#include "ui/hub/job.h"

#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <memory>

namespace ui {

class SessionKeys;
class Workspace;

/// Keeps what the user changes by hand beside the session, as a document that `compact --overrides` reads. A session
/// that is opened again gets its changes back; they rest until they are applied. If several windows show one session,
/// the changes of all of them are kept.
class KeptOverrides final : public QObject {
    Q_OBJECT

public:
    KeptOverrides(Workspace &workspace, SessionKeys &keys);
    ~KeptOverrides() override;

    [[nodiscard]] static SessionDocument document(const std::filesystem::path &session);
    /// Reads the changes of the session that was opened, and keeps them from now on. Does nothing after a reload,
    /// unless they could not be read before it.
    void restore();
    /// Call it before another session is shown: writes what is not written yet, and keeps no further changes of this
    /// session.
    void leave();
    /// For tests: waits until all is read and written.
    void wait();

private:
    void read();
    void keep();
    void take(const core::Result<core::ReadOverrides> &read);

    static constexpr int kStillness = 150; ///< ms to wait after the last change

    /// What was last read or written. Only the pool's one thread uses it.
    using Base = std::shared_ptr<core::KeyedOverrides>;

    Workspace &m_workspace;
    SessionKeys &m_keys;
    SessionDocument m_document;
    bool m_wants = false;   ///< the session's changes are still to be read
    bool m_canKeep = false; ///< they were read
    Base m_base;
    QTimer m_stillness;
    QThreadPool m_pool; ///< one thread, so that writes keep their order
    Job<core::Result<core::ReadOverrides>> m_read { &m_pool };
    Job<core::Result<void>> m_write { &m_pool };
};

} // namespace ui
