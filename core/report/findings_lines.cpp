// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/findings_lines.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/findings/kinds.h"
#include "core/json/json.h"
#include "core/money/cost.h"
#include "core/report/document_parts.h"
#include "core/report/json_lines.h"

#include <algorithm>

namespace core {

namespace {

constexpr std::string_view kSessionSchema = "palimpsest.findings_session/1";

/// The cost of the sessions that have one.
struct Total {
    double named = 0;
    double recorded = 0;
    size_t sessions = 0;
};

Total totalOf(const std::vector<Json> &sessions)
{
    Total total;
    for (const Json &session : sessions) {
        if (session.at("named_dollars").is_null() || session.at("recorded_dollars").is_null())
            continue;
        total.named += session.at("named_dollars").get<double>();
        total.recorded += session.at("recorded_dollars").get<double>();
        ++total.sessions;
    }
    return total;
}

/// Reads each member that the functions below read, so that a missing one is an error of its line.
void check(const Json &session)
{
    for (const FindingKind *kind : findingKinds())
        (void)countOfKind(session, kind->id);
    (void)totalOf(std::vector<Json> { session });
}

} // namespace

std::string findingsLine(const Json &session)
{
    Json line { { "schema", kSessionSchema } };
    line.update(session);
    return jsonText(line, -1) + "\n";
}

Result<void> FindingsLines::add(const Json &line, const std::string &where)
{
    if (auto checked = checkSchema(line, kSessionSchema, where); !checked)
        return checked;
    Json session = line;
    session.erase("schema");
    check(session);
    auto file = session.at("file").get<std::string>();
    const auto [known, isNew] = m_sessions.try_emplace(std::move(file), session);
    if (!isNew && known->second != session)
        return differentFigures(known->first, where);
    return {};
}

std::vector<Json> FindingsLines::take()
{
    std::vector<Json> sessions;
    for (auto &[file, session] : m_sessions)
        sessions.push_back(std::move(session));
    m_sessions.clear();
    return sessions;
}

size_t countOfKind(const Json &session, std::string_view kind)
{
    size_t count = 0;
    for (const char *list : { "findings", "left_out" }) {
        for (const Json &each : session.at(list)) {
            if (each.at("kind").get_ref<const std::string &>() == kind)
                count += wholeNumber<size_t>(each.at("count"));
        }
    }
    return count;
}

std::string drawFindingsTotal(const std::vector<Json> &sessions)
{
    std::string text
        = counted(sessions.size(), "session") + "\n" + formatted("  {:>8}  {:>8}  kind\n", "sessions", "count");
    for (const FindingKind *kind : findingKinds()) {
        size_t count = 0;
        size_t having = 0;
        for (const Json &session : sessions) {
            const size_t here = countOfKind(session, kind->id);
            count += here;
            having += here > 0 ? 1 : 0;
        }
        text += formatted("  {:>8}  {:>8}  {}\n", groupedNumber(having), groupedNumber(count), kind->id);
    }
    const Total total = totalOf(sessions);
    if (total.sessions > 0)
        text += "The findings cost " + dollars(total.named) + " of the recorded " + dollars(total.recorded) + " in "
            + counted(total.sessions, "session") + " with a price.\n";
    return text;
}

} // namespace core
