// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/findings_report.h"

#include "core/base/visible.h"
#include "core/json/json.h"
#include "core/money/cost.h"
#include "core/report/document_parts.h"

namespace core {

namespace {

std::string_view nameOf(Sureness sureness)
{
    switch (sureness) {
    case Sureness::Recorded:
        return "recorded";
    case Sureness::Computed:
        return "computed";
    case Sureness::Estimated:
        return "estimated";
    }
    return "estimated";
}

std::string_view memberOf(FindingLink::Target target)
{
    switch (target) {
    case FindingLink::Target::Call:
        return "call";
    case FindingLink::Target::Block:
        return "slot";
    case FindingLink::Target::Edit:
        return "edit";
    case FindingLink::Target::Compaction:
        return "compaction";
    }
    return "call";
}

/// The number in documents: a block is named by its message.
uint32_t shownNumber(const Session &session, const FindingLink &link)
{
    return link.target == FindingLink::Target::Block ? session.block(BlockId(link.number)).message.value()
                                                     : link.number;
}

/// As views show it: `18`; `#161` for a block, and for an edit, which the Edits view names by the message of its call.
std::string numberText(const Session &session, const FindingLink &link)
{
    if (link.target == FindingLink::Target::Edit && link.block.isValid())
        return "#" + std::to_string(session.block(link.block).message.value());
    return (link.target == FindingLink::Target::Block ? "#" : "") + std::to_string(shownNumber(session, link));
}

Json findingJson(const Session &session, const Finding &finding)
{
    Json json { { "kind", finding.kind }, { "rank", nameOf(finding.rank) }, { "known", nameOf(finding.sureness) },
        { "thread", finding.thread.value() }, { "count", finding.count }, { "what", finding.what } };
    json["links"] = Json::array();
    for (const FindingLink &link : finding.links)
        json["links"].push_back({ { memberOf(link.target), shownNumber(session, link) } });
    json["more_links"] = finding.moreLinks;
    json["where"] = finding.where.empty() ? Json(nullptr) : Json(finding.where);
    json["help"] = finding.help.empty() ? Json(nullptr) : Json(finding.help);
    json["tokens"] = finding.tokens ? figureJson(*finding.tokens) : Json(nullptr);
    json["dollars"] = orNull(finding.money);
    return json;
}

constexpr size_t kRankWidth = 7; ///< columns

/// `costs  The cache broke … · 612,000 tokens · $1.84`
std::string lineOf(const Finding &finding)
{
    std::string line = padded(std::string(nameOf(finding.rank)), kRankWidth) + finding.what;
    if (finding.thread.index() > 0)
        line += " (thread " + std::to_string(finding.thread.value()) + ")";
    if (finding.tokens)
        line += " · " + shown(*finding.tokens) + " tokens";
    if (finding.money)
        line += " · " + dollars(*finding.money);
    return line;
}

/// A line for each, its place and its help below.
std::string drawnList(const Session &session, const std::vector<Finding> &findings)
{
    const std::string indent(kRankWidth, ' ');
    std::string text;
    for (const Finding &finding : findings) {
        text += visibleText(lineOf(finding)) + "\n";
        if (const std::string where = whereText(session, finding); !where.empty())
            text += indent + visibleText(where) + "\n";
        if (!finding.help.empty())
            text += indent + "would have helped: " + visibleText(finding.help) + "\n";
    }
    return text;
}

} // namespace

std::string_view nameOf(FindingRank rank)
{
    switch (rank) {
    case FindingRank::Lost:
        return "lost";
    case FindingRank::Costs:
        return "costs";
    case FindingRank::Note:
        return "note";
    }
    return "note";
}

std::vector<WhereSegment> whereSegments(const Session &session, const Finding &finding)
{
    std::vector<WhereSegment> made;
    const std::vector<FindingLink> &links = finding.links;
    for (size_t i = 0; i < links.size(); ++i) {
        const bool goesOn = i > 0 && links[i].target == links[i - 1].target;
        const bool isMany = i + 1 < links.size() && links[i].target == links[i + 1].target;
        std::string before = i == 0 ? "" : goesOn ? " " : " · ";
        if (links[i].target != FindingLink::Target::Block && !goesOn)
            before += std::string(memberOf(links[i].target)) + (isMany ? "s " : " ");
        if (!before.empty())
            made.push_back({ std::move(before), std::nullopt });
        made.push_back({ numberText(session, links[i]), i });
    }
    std::string after = finding.moreLinks > 0 ? " and " + std::to_string(finding.moreLinks) + " more" : "";
    if (!finding.where.empty())
        after += (made.empty() ? "" : " · ") + finding.where;
    if (!after.empty())
        made.push_back({ std::move(after), std::nullopt });
    return made;
}

std::string whereText(const Session &session, const Finding &finding)
{
    std::string text;
    for (const WhereSegment &segment : whereSegments(session, finding))
        text += segment.text;
    return text;
}

std::string moneySentence(const Findings &findings)
{
    if (!findings.money || !findings.recorded)
        return {};
    return "These findings cost " + dollars(*findings.money) + " of the recorded " + dollars(*findings.recorded);
}

std::string leftOutSentence(const Findings &findings)
{
    std::string text;
    for (const FindingsLeftOut &out : findings.leftOut)
        text += (text.empty() ? "Smaller ones are not listed: " : "; ") + std::string(out.kind->several) + " ("
            + groupedNumber(out.findings) + ", " + shown({ out.tokens, Basis::Estimated, 0 }) + " tokens)";
    return text;
}

Json sessionFindingsJson(const FileFindings &file)
{
    const Findings &findings = file.findings;
    Json json { { "file", file.file }, { "format", findings.session->format },
        { "recorded_dollars", orNull(findings.recorded) }, { "named_dollars", orNull(findings.money) } };
    json["findings"] = Json::array();
    for (const Finding &finding : findings.findings)
        json["findings"].push_back(findingJson(*findings.session, finding));
    json["left_out"] = Json::array();
    for (const FindingsLeftOut &out : findings.leftOut)
        json["left_out"].push_back({ { "kind", out.kind->id }, { "findings", out.findings }, { "count", out.count },
            { "tokens", figureJson(out.tokens, Basis::Estimated) } });
    if (file.hasSmaller) {
        json["smaller"] = Json::array();
        for (const Finding &finding : findings.smaller)
            json["smaller"].push_back(findingJson(*findings.session, finding));
    }
    if (file.better)
        json["better_policy"] = betterPolicyJson(*file.better);
    return json;
}

Json findingsJson(std::vector<Json> sessions)
{
    return { { "schema", "palimpsest.findings/1" }, { "sessions", std::move(sessions) } };
}

std::string drawFindings(const FileFindings &file)
{
    const Session &session = *file.findings.session;
    std::string text = file.findings.findings.empty() ? "No findings.\n" : drawnList(session, file.findings.findings);
    if (file.hasSmaller && !file.findings.smaller.empty())
        text += "Smaller ones:\n" + drawnList(session, file.findings.smaller);
    else if (const std::string out = leftOutSentence(file.findings); !out.empty())
        text += out + ".\n";
    if (const std::string money = moneySentence(file.findings); !money.empty())
        text += money + ".\n";
    if (file.better)
        text += "\n" + linesOf(betterPolicySentences(*file.better));
    return text;
}

} // namespace core
