// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// The findings of one session (`sessionFindingsJson`) as a line of `palimpsest.findings_session/1`, so that findings
/// can be collected on many machines and combined.
[[nodiscard]] std::string findingsLine(const nlohmann::ordered_json &session);

/// Reads such lines from any number of files, in any order.
class FindingsLines final {
public:
    /// Fails and names the line if it is another document or says of a file something else than an earlier line.
    [[nodiscard]] Result<void> add(const nlohmann::ordered_json &line, const std::string &where);
    /// The sessions in the order of their files.
    [[nodiscard]] std::vector<nlohmann::ordered_json> take();

private:
    std::map<std::string, nlohmann::ordered_json> m_sessions; ///< by file
};

/// What the findings of this kind in a session are about: messages, facts, calls or edits. Those that are too small for
/// the list count too.
[[nodiscard]] size_t countOfKind(const nlohmann::ordered_json &session, std::string_view kind);

/// For the terminal: for each kind how many sessions have it, then the cost of the findings.
[[nodiscard]] std::string drawFindingsTotal(const std::vector<nlohmann::ordered_json> &sessions);

} // namespace core
