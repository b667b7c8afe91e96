// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/keep_window.h"
#include "core/session/session.h"
#include "core/tokens/weights.h"
#include "ui/base/job.h"

#include <QObject>
#include <QUndoStack>

#include <filesystem>
#include <optional>

namespace ui {

/// One window's documents: the session and what is computed from it, and the undo stack. One of the two hubs.
/// Sessions come in as snapshots while they load; the picture fills as they grow.
class Workspace final : public QObject {
    Q_OBJECT

public:
    explicit Workspace(QObject *parent = nullptr);
    ~Workspace() override;

    /// Starts loading; the session at hand stays until the first snapshot of the new one.
    void open(const std::filesystem::path &path);
    /// The same file again: keep and undo steps stay.
    void reload();
    /// The session at hand is the one before, read anew.
    [[nodiscard]] bool isReloaded() const { return m_isReload; }
    void cancelLoading();
    /// For pictures and tests: loads, counts tokens and returns when all is there.
    [[nodiscard]] core::Result<void> openNow(const std::filesystem::path &path);
    /// Shows a session that is there already; counts its tokens before it returns.
    void show(core::SessionPtr session);

    [[nodiscard]] const std::filesystem::path &path() const { return m_path; }
    [[nodiscard]] const core::SessionPtr &session() const { return m_session; }
    [[nodiscard]] const core::BlockTokensPtr &tokens() const { return m_tokens; }
    [[nodiscard]] bool isLoading() const { return m_load.isRunning(); }
    [[nodiscard]] double loadingFraction() const { return m_load.fraction(); }
    [[nodiscard]] const std::optional<core::Error> &error() const { return m_error; }

    /// The trailing part that a policy would leave alone; a property of the picture, undoable.
    [[nodiscard]] const core::Measure &keep() const { return m_keep; }
    /// Sets keep without an undo step, as while dragging.
    void previewKeep(const core::Measure &keep);
    /// Sets keep as one undo step from the value before the drag.
    void commitKeep(const core::Measure &from, const core::Measure &to);

    [[nodiscard]] QUndoStack &undoStack() { return m_undoStack; }

Q_SIGNALS:
    /// A new snapshot or a new session. `isNew` is true for another file or a reload, false for more of the same.
    void sessionChanged(bool isNew);
    void tokensChanged();
    void keepChanged();
    void loadingChanged(); ///< started, finished, failed or cancelled
    void errorChanged();

private:
    void setSession(core::SessionPtr session, bool isNew);
    void countTokens();
    void setError(std::optional<core::Error> error);

    std::filesystem::path m_path;
    core::SessionPtr m_session;
    core::BlockTokensPtr m_tokens;
    core::Measure m_keep { 0.1, core::Measure::Unit::WindowFraction };
    std::optional<core::Error> m_error;
    QUndoStack m_undoStack;
    uint64_t m_generation = 0;
    bool m_isReload = false;
    Job<core::Result<core::SessionPtr>> m_load;
    Job<core::BlockTokensPtr> m_count;
};

} // namespace ui
