// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/block_key.h"
#include "ui/hub/background_pool.h"
#include "ui/hub/job.h"

#include <QObject>

#include <memory>

namespace ui {

class Workspace;

using BlockKeysPtr = std::shared_ptr<const core::BlockKeys>;

/// The block keys of the open session, by which notes beside it name its blocks. Found in the background once the
/// session is complete.
class SessionKeys final : public QObject {
    Q_OBJECT

public:
    explicit SessionKeys(Workspace &workspace);

    /// nullptr until found.
    [[nodiscard]] const BlockKeysPtr &get() const { return m_keys; }
    /// For pictures and tests.
    void waitForKeys() { m_find.wait(); }

Q_SIGNALS:
    void found();

private:
    void refresh();

    Workspace &m_workspace;
    core::SessionPtr m_session; ///< of `m_keys`, or of the job that runs
    BlockKeysPtr m_keys;
    BackgroundPool m_pool;
    Job<BlockKeysPtr> m_find { &m_pool };
};

} // namespace ui
