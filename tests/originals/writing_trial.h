// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "tests/originals/traced_program.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace testing {

using Words = std::vector<std::string>;

/// A command that writes, and what there must be before it. `@` at the beginning of a word stands for the folder of the
/// trial.
struct WritingJob {
    const char *name;
    std::vector<Words> before;
    Words command;
    Words other; ///< what to run instead if the file of the first run stands; empty to run the command again
};

[[nodiscard]] const std::vector<WritingJob> &writingJobs();

/// Runs one job again and again in a folder with sessions of three harnesses in the home of their user, and says what
/// is wrong with the files after a run that was disturbed.
class WritingTrial final {
public:
    /// Makes everything in `folder`, and runs the job once.
    WritingTrial(const WritingJob &job, std::filesystem::path folder);

    /// Why it cannot be used; empty if all is well.
    [[nodiscard]] const std::string &mistake() const { return m_mistake; }
    /// System calls of the whole run that change files.
    [[nodiscard]] size_t changes() const { return m_reference.changes; }

    /// Runs the job in a fresh copy, disturbed.
    TracedRun run(const Disturbance &disturbance);

    /// What is wrong with the session files, the stores, and the new files. Temporary files are counted.
    [[nodiscard]] std::string problem();
    /// Whether `problem` found a new file, whole and under its own name.
    [[nodiscard]] bool hasNewFile() const { return m_hasNewFile; }
    [[nodiscard]] size_t temporaryFiles() const { return m_temporaryFiles; }
    /// What is wrong with a run that comes after, and with what it leaves.
    [[nodiscard]] std::string problemOfNextRun();

private:
    using Files = std::map<std::string, std::string>; ///< path below the folder to bytes

    void beginAgain() const;
    [[nodiscard]] TracedRun run(const Words &words) const { return m_program.run(absolute(words)); }
    [[nodiscard]] Words absolute(Words words) const;
    [[nodiscard]] Files files() const;
    [[nodiscard]] std::vector<std::filesystem::path> stores() const;
    [[nodiscard]] std::string problemOfNewFile(const std::string &path, const std::string &bytes) const;
    [[nodiscard]] std::string problemOfExport(const std::filesystem::path &exported) const;

    const WritingJob &m_job;
    std::filesystem::path m_folder; ///< where all runs happen, so that all write the same
    std::filesystem::path m_kept;   ///< its copy from before the job
    TracedProgram m_program;
    Files m_before;
    Files m_whole;         ///< after a run that nothing disturbed
    TracedRun m_reference; ///< that run
    std::string m_mistake;
    bool m_hasNewFile = false;
    size_t m_temporaryFiles = 0;
};

} // namespace testing
