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
    SourcePtr source;             ///< what is read; a Reader sets it with each append
    Progress *progress = nullptr; ///< may be null
    Publish publish;              ///< may be empty; gets provisional snapshots, at most every 100 ms
    unsigned threads = 1;         ///< how many may work; the result does not depend on it

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

/// Reads one session, which may still grow: open, append, end. Loading a file is one append and `end`; following it is
/// an append and a snapshot for each `Source::reopen`.
///
/// A reader of lines resumes where it stopped. An append reads what was appended and no former record, but for a record
/// of Codex that compares (a compaction's new array, a copied session): it reads what it is compared with, each message
/// once. The mapping of the grown file takes the place of the former one, so bodies keep their ranges; sessions that
/// were handed out keep the source that they have.
class Reader {
public:
    Reader() = default;
    Reader(const Reader &) = delete;
    Reader &operator=(const Reader &) = delete;
    virtual ~Reader() = default;

    /// Reads the records that are complete now. `source` begins with the bytes of the source before it, whose place it
    /// takes: the same file, grown (`Source::reopen`). An incomplete last line waits for the next append. After an
    /// error (Cancelled) the reader is of no use.
    [[nodiscard]] virtual Result<void> append(const SourcePtr &source) = 0;
    /// The session of the records so far, marked as not complete; otherwise the session of a file that ends behind
    /// them. Readers of lines copy what they know, in O(blocks), and read no record again. An error means that there is
    /// nothing to show yet.
    [[nodiscard]] virtual Result<SessionPtr> snapshot() = 0;
    /// The session of all bytes. Reads an incomplete last line too, and reports it if it is damaged. Call it once; the
    /// reader is used up.
    [[nodiscard]] virtual Result<SessionPtr> end() = 0;
};

/// Publishes snapshots of a reader while it reads: at most every 100 ms, and for at most a tenth of the time.
class Publisher final {
public:
    void publishIfDue(const Publish &publish, Reader &reader);

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point m_last = Clock::now();
    Clock::duration m_cost {};
};

/// Reads a session that lies in one source, whole.
using ReadWhole = Result<SessionPtr> (*)(const ReadContext &context);

/// The reader of a format that is no sequence of lines: append keeps the source, end reads it, and a snapshot reads all
/// of it, too.
class WholeReader final : public Reader {
public:
    WholeReader(ReadContext context, ReadWhole read)
        : m_context(std::move(context))
        , m_read(read)
    {
    }

    Result<void> append(const SourcePtr &source) override;
    Result<SessionPtr> snapshot() override;
    Result<SessionPtr> end() override { return m_read(m_context); }

private:
    ReadContext m_context;
    ReadWhole m_read;
};

/// `Format::open` of such a format.
template <ReadWhole read>
std::unique_ptr<Reader> openWhole(const ReadContext &context)
{
    return std::make_unique<WholeReader>(context, read);
}

} // namespace core
