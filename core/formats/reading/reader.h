// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/progress.h"
#include "core/session/session.h"

#include <chrono>
#include <functional>
#include <memory>

namespace core {

using Publish = std::function<void(SessionPtr)>;

struct ReadContext {
    SourcePtr source;             ///< the source to read; a Reader sets it with each append
    Progress *progress = nullptr; ///< may be nullptr
    Publish publish;              ///< may be empty; receives provisional snapshots, at most every 100 ms
    unsigned threads = 1;         ///< maximum number of threads; the result does not depend on it

    [[nodiscard]] bool isCancelled() const { return progress != nullptr && progress->isCancelled(); }
    void setFraction(double fraction) const
    {
        if (progress != nullptr)
            progress->setFraction(fraction);
    }
    [[nodiscard]] std::unexpected<Error> cancelled() const
    {
        return failure(ErrorKind::Cancelled, "Loading was cancelled.", name());
    }
    [[nodiscard]] std::unexpected<Error> noRecords() const
    {
        return failure(ErrorKind::Malformed, "Not one record of this file could be read.", name());
    }
    [[nodiscard]] std::string name() const { return source ? source->name() : std::string(); }
};

/// Reads one session, which may still grow: open, append, end. Loading a file is one `append` and `end`; following it
/// is one `append` and `snapshot` for each `Source::reopen`.
///
/// Readers of line formats resume where they stopped. An append reads only the appended records, with one exception:
/// some Codex records have to be compared with earlier messages (a compaction's new array, a copied session), and each
/// of these messages is read once more. The reader maps the grown file into memory in place of the old one. The
/// ranges of the bodies stay valid. A session that was returned earlier still uses the old mapping.
class Reader {
public:
    explicit Reader(ReadContext context)
        : m_context(std::move(context))
    {
    }
    Reader(const Reader &) = delete;
    Reader &operator=(const Reader &) = delete;
    virtual ~Reader() = default;

    /// Reads the records that are complete now. `source` must start with the bytes of the source before it: the same
    /// file, grown (`Source::reopen`). An incomplete last line waits for the next append. After an error (Cancelled)
    /// the reader cannot be used any more.
    [[nodiscard]] virtual Result<void> append(const SourcePtr &source) = 0;
    /// The session of the records so far, marked as incomplete; otherwise equal to the session of a file that ends
    /// here. Readers of line formats copy their data in O(blocks) and read no record again. Fails if there is nothing
    /// to show yet.
    [[nodiscard]] virtual Result<SessionPtr> snapshot() = 0;
    /// The session of all bytes. Also reads an incomplete last line, and reports damage in it. Call it once; it
    /// consumes the reader.
    [[nodiscard]] virtual Result<SessionPtr> end() = 0;
    /// Whether an append reads only what was appended. Valid after the first append.
    [[nodiscard]] virtual bool resumes() const { return true; }

    /// Later appends report to this job, and publish nothing.
    void reportTo(Progress *progress)
    {
        m_context.progress = progress;
        m_context.publish = {};
    }

protected:
    ReadContext m_context;
};

/// Publishes snapshots of a reader while it reads: at most every 100 ms, using at most a tenth of the time.
class Publisher final {
public:
    void publishIfDue(const Publish &publish, Reader &reader);

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point m_last = Clock::now();
    Clock::duration m_cost {};
};

/// Reads a session from one complete source.
using ReadWhole = Result<SessionPtr> (*)(const ReadContext &context);

/// The reader of formats that are not sequences of lines: `append` stores the source, `end` and `snapshot` read all of
/// it.
class WholeReader final : public Reader {
public:
    WholeReader(ReadContext context, ReadWhole read)
        : Reader(std::move(context))
        , m_read(read)
    {
    }

    Result<void> append(const SourcePtr &source) override;
    Result<SessionPtr> snapshot() override;
    Result<SessionPtr> end() override { return m_read(m_context); }
    [[nodiscard]] bool resumes() const override { return false; }

private:
    ReadWhole m_read;
};

/// `Format::open` for such a format.
template <ReadWhole read>
std::unique_ptr<Reader> openWhole(const ReadContext &context)
{
    return std::make_unique<WholeReader>(context, read);
}

} // namespace core
