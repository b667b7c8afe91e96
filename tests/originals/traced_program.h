// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace testing {

/// The variables that a program gets besides those of the test; an empty text removes one.
using Variables = std::map<std::string, std::string>;

/// What happens to a program at one of the system calls that change files, or from there on.
struct Disturbance {
    enum class Kind {
        KillBefore, ///< the call does nothing
        KillWithin, ///< a call that writes bytes writes some of them; others as KillBefore
        KillAfter,
        RefuseSpace, ///< from here on no call gets space on the disk
        RefuseAll,   ///< from here on no call changes anything
    };
    Kind kind = Kind::KillBefore;
    size_t from = 0;    ///< the number of the call, counted from 0
    int error = 0;      ///< what refused calls return
    double share = 0.5; ///< of the bytes, for KillWithin
};

struct TracedRun {
    size_t changes = 0;    ///< system calls that changed files in `folder`
    bool isKilled = false; ///< false also if the program ended before that call
    int exitCode = -1;     ///< -1 for a crash or a kill
    int signal = 0;        ///< of that crash or kill
    std::string output;
    std::string error;
};

/// Runs the built program under ptrace.
class TracedProgram final {
public:
    /// `folder` is where the program runs, and the only place whose changes are counted.
    TracedProgram(std::filesystem::path folder, Variables variables)
        : m_folder(std::move(folder))
        , m_variables(std::move(variables))
    {
    }

    /// Whether this system allows ptrace.
    [[nodiscard]] static bool isPossible();

    [[nodiscard]] TracedRun run(const std::vector<std::string> &words) const { return run(words, nullptr); }
    [[nodiscard]] TracedRun run(const std::vector<std::string> &words, const Disturbance &disturbance) const
    {
        return run(words, &disturbance);
    }

private:
    [[nodiscard]] TracedRun run(const std::vector<std::string> &words, const Disturbance *disturbance) const;

    std::filesystem::path m_folder;
    Variables m_variables;
};

} // namespace testing
