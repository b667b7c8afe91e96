// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/calibration_trials.h"

#include "app/session_options.h"
#include "core/formats/reading/format.h"
#include "core/formats/session_files.h"
#include "core/json/json.h"
#include "core/report/calibration_report.h"

#include <algorithm>
#include <filesystem>

namespace app {

namespace {

namespace fs = std::filesystem;

class Trials final {
public:
    int add(const std::string &file)
    {
        std::error_code error;
        if (!fs::is_directory(file, error))
            return addFile(file);
        for (const std::string &each : core::filesBelow(file)) {
            if (const auto session = core::loadSession(each, nullptr, {}, m_threads))
                addSession(each, **session);
        }
        return Done;
    }

    [[nodiscard]] std::span<const core::CalibrationReport> reports() const { return m_reports; }

private:
    int addFile(const std::string &file)
    {
        const auto session = core::loadSession(file, nullptr, {}, m_threads);
        if (!session)
            return report(session.error());
        addSession(file, **session);
        return Done;
    }

    void addSession(const std::string &file, const core::Session &session)
    {
        core::CalibrationReport made = core::calibrationReport(file, session, m_ranks, m_threads);
        if (made.calls > 0)
            m_reports.push_back(std::move(made));
    }

    unsigned m_threads = threadCount();
    core::RanksPtr m_ranks = core::ranksOf(core::Encoding::O200kBase);
    std::vector<core::CalibrationReport> m_reports;
};

} // namespace

int runCalibrationTrials(const Arguments &arguments)
{
    for (const std::string_view other : { "encoding", "text", "call", "thread", "slots" }) {
        if (arguments.has(other))
            return report(core::Error {
                core::ErrorKind::Usage, "--calibration cannot be combined with --" + std::string(other) + ".", {} });
    }
    Trials trials;
    int exitCode = Done;
    for (const std::string &file : arguments.files)
        exitCode = std::max(exitCode, trials.add(file));
    const int written = arguments.has("json") ? printJson(core::calibrationJson(trials.reports()))
                                              : print(core::drawCalibration(trials.reports()));
    return std::max(exitCode, written);
}

} // namespace app
