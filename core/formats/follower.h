// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/reading/format.h"

#include <filesystem>

namespace core {

/// Reads one session file, and again whenever it has changed.
///
/// If a file of records has only grown, it reads just the new records. Any other change (the file was replaced or
/// truncated; the format is not one of records; a database) makes it read the whole file again. After an error the
/// session stays what it was, and the next `follow` tries again: the error may be that of a file that is being written.
/// Use it on one thread at a time.
class Follower final {
public:
    explicit Follower(std::filesystem::path path, unsigned threads = 1)
        : m_path(std::move(path))
        , m_threads(threads)
    {
    }

    enum class News : uint8_t {
        None,      ///< no complete record is new
        Records,   ///< records were appended
        WholeFile, ///< the file was read as a whole
    };

    /// Reads the whole file.
    [[nodiscard]] Result<SessionPtr> read(Progress *progress = nullptr, const Publish &publish = {});
    /// Reads what is new. Fails with NotFound while there is no file, and with Changed while it is being written.
    [[nodiscard]] Result<News> follow(Progress *progress = nullptr);

    [[nodiscard]] const std::filesystem::path &path() const { return m_path; }
    /// The newest session; nullptr before the first successful reading.
    [[nodiscard]] const SessionPtr &session() const { return m_session; }
    /// False for a file that is read again as a whole when it changes.
    [[nodiscard]] bool readsOnlyNew() const { return m_reader != nullptr; }
    /// The file beside a database that holds its newest changes.
    [[nodiscard]] static std::filesystem::path logOf(const std::filesystem::path &file);

private:
    /// Size and time of the file beside a database.
    struct LogStamp {
        uint64_t size = 0;
        std::filesystem::file_time_type time;
        friend bool operator==(const LogStamp &, const LogStamp &) = default;
    };

    [[nodiscard]] bool hasChanged() const;
    [[nodiscard]] LogStamp logStamp() const;
    [[nodiscard]] Result<News> readOn(const SourcePtr &grown, Progress *progress);

    std::filesystem::path m_path;
    unsigned m_threads;
    SessionPtr m_session;
    SourcePtr m_source; ///< the file as it was last read
    std::unique_ptr<Reader> m_reader;
    LogStamp m_log;
};

/// Whether another file goes on with this session: its beginning names the session, or holds its first message under
/// the same id. In some formats this is also true for files of subagents.
[[nodiscard]] bool isContinuedIn(const Session &session, const std::filesystem::path &other);

} // namespace core
