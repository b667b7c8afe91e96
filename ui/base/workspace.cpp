// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/base/workspace.h"

#include "core/formats/format.h"
#include "core/tokens/estimate.h"

#include <QFile>
#include <QPointer>
#include <QUndoCommand>

#include <thread>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

class KeepCommand final : public QUndoCommand {
public:
    KeepCommand(Workspace *workspace, const core::Measure &from, const core::Measure &to)
        : QUndoCommand(Workspace::tr("Change Keep to %1").arg(QString::fromStdString(to.text())))
        , m_workspace(workspace)
        , m_from(from)
        , m_to(to)
    {
    }
    void undo() override { m_workspace->previewKeep(m_from); }
    void redo() override { m_workspace->previewKeep(m_to); }

private:
    Workspace *m_workspace;
    core::Measure m_from;
    core::Measure m_to;
};

/// Opens a file, or one of the program's own resources (`:/…`).
core::Result<core::SourcePtr> openSource(const std::filesystem::path &path)
{
    const QString name = QString::fromStdString(path.string());
    if (!name.startsWith(u':'))
        return core::Source::open(path);
    QFile resource(name);
    if (!resource.open(QIODevice::ReadOnly))
        return core::failure(core::ErrorKind::NotFound, "The sample is missing from this build.", path.string());
    return core::Source::own(resource.readAll().toStdString(), path.filename().string());
}

unsigned workerCount() { return std::max(1U, std::thread::hardware_concurrency()); }

core::Result<core::SessionPtr> load(
    const std::filesystem::path &path, core::Progress *progress, const core::Publish &publish)
{
    const auto source = openSource(path);
    if (!source)
        return std::unexpected(source.error());
    return core::loadSession(*source, progress, publish, workerCount());
}

} // namespace

Workspace::Workspace(QObject *parent)
    : QObject(parent)
{
}

Workspace::~Workspace() = default;

void Workspace::open(const std::filesystem::path &path)
{
    m_isReload = m_session && path == m_path;
    m_path = path;
    setError(std::nullopt);
    const uint64_t generation = ++m_generation;
    auto isFirst = std::make_shared<bool>(true);
    // Snapshots come from the worker; they are handed over by the event loop, and dropped when something newer runs.
    const QPointer<Workspace> self(this);
    const auto publish = [self, generation, isFirst](core::SessionPtr snapshot) {
        if (!self)
            return;
        QMetaObject::invokeMethod(
            self.data(),
            [self, generation, isFirst, snapshot = std::move(snapshot)] {
                if (!self || self->m_generation != generation || !self->m_load.isRunning())
                    return;
                self->setSession(snapshot, std::exchange(*isFirst, false));
            },
            Qt::QueuedConnection);
    };
    m_load.start(
        this, [path, publish](core::Progress &progress) { return load(path, &progress, publish); },
        [this, isFirst](core::Result<core::SessionPtr> result) {
            if (result)
                setSession(*result, std::exchange(*isFirst, false));
            else
                setError(result.error());
            Q_EMIT loadingChanged();
            if (result)
                countTokens();
        });
    Q_EMIT loadingChanged();
}

void Workspace::reload()
{
    if (!m_path.empty())
        open(m_path);
}

void Workspace::cancelLoading()
{
    ++m_generation;
    m_load.cancel();
    Q_EMIT loadingChanged();
}

core::Result<void> Workspace::openNow(const std::filesystem::path &path)
{
    m_path = path;
    m_isReload = false;
    ++m_generation;
    auto loaded = load(path, nullptr, {});
    if (!loaded) {
        setError(loaded.error());
        return std::unexpected(loaded.error());
    }
    show(*loaded);
    return {};
}

void Workspace::show(core::SessionPtr session)
{
    m_tokens = core::estimateTokens(*session, workerCount(), nullptr);
    m_session = std::move(session);
    m_undoStack.clear();
    m_keep = core::openingKeep(*m_session);
    Q_EMIT sessionChanged(true);
    Q_EMIT tokensChanged();
    Q_EMIT keepChanged();
}

void Workspace::setSession(core::SessionPtr session, bool isNew)
{
    m_session = std::move(session);
    m_tokens = core::roughTokens(*m_session);
    const bool isOther = isNew && !m_isReload;
    if (isOther) {
        m_undoStack.clear();
        m_keep = core::openingKeep(*m_session);
    }
    Q_EMIT sessionChanged(isNew);
    if (isOther)
        Q_EMIT keepChanged();
}

void Workspace::countTokens()
{
    const core::SessionPtr session = m_session;
    m_count.start(
        this, [session](core::Progress &progress) { return core::estimateTokens(*session, workerCount(), &progress); },
        [this, session](core::BlockTokensPtr tokens) {
            if (tokens && session == m_session) {
                m_tokens = std::move(tokens);
                Q_EMIT tokensChanged();
            }
            if (const auto torn = session->torn())
                setError(*torn);
        });
}

void Workspace::setError(std::optional<core::Error> error)
{
    m_error = std::move(error);
    Q_EMIT errorChanged();
}

void Workspace::previewKeep(const core::Measure &keep)
{
    if (m_keep == keep)
        return;
    m_keep = keep;
    Q_EMIT keepChanged();
}

void Workspace::commitKeep(const core::Measure &from, const core::Measure &to)
{
    if (from == to)
        return;
    m_undoStack.push(new KeepCommand(this, from, to));
}

} // namespace ui
