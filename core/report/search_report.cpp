// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/search_report.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/base/visible.h"
#include "core/json/json.h"
#include "core/report/document_parts.h"
#include "core/session/block_key.h"
#include "core/session/slot_label.h"
#include "core/session/user_message.h"

#include <algorithm>
#include <set>

namespace core {

namespace {

constexpr size_t kSnippetColumns = 90;

Json hitJson(const SearchReport &report, const BlockKeys &keys, const SearchHit &hit)
{
    const Session &session = *report.ground.session;
    const Block &block = session.block(hit.block);
    const BlockLife &life = report.ground.lives->of(hit.block);
    Json json { { "block", keys.of(hit.block) } };
    json["message"] = orNull(block.message);
    json["thread"] = orNull(life.thread);
    json["label"] = labelOf(session, block).text();
    json["typed"] = isUserMessage(block);
    json["line"] = block.recordLine;
    const bool hasMatch = hit.match.end > hit.match.begin;
    json["offset"] = hasMatch ? Json(hit.match.begin) : Json(nullptr);
    json["bytes"] = hasMatch ? Json(hit.match.end - hit.match.begin) : Json(nullptr);
    json["snippet"] = hit.snippet.text;
    json["first_call"] = life.wasSent ? Json(life.first) : Json(nullptr);
    json["last_call"] = life.wasSent ? Json(life.last) : Json(nullptr);
    json["at_end"] = life.isAtEnd;
    json["has_gaps"] = life.hasGaps;
    json["unknown_from"] = life.unknownFrom != BlockLife::kNever ? Json(life.unknownFrom) : Json(nullptr);
    json["state"] = stateText(block, life);
    return json;
}

std::string hotSentence(Position position)
{
    return position.isEnd()
        ? std::string("The term hot finds the hot blocks of the array at the end.")
        : formatted("The term hot finds the hot blocks of the array of call {}.", position.call.value());
}

} // namespace

Json searchJson(const SearchReport &report, size_t limit)
{
    const Session &session = *report.ground.session;
    const BlockKeys keys(session);
    Json document { { "schema", "palimpsest.search/1" } };
    document["file"] = session.sources.empty() ? std::string() : session.sources.front()->name();
    document["query"] = report.line;
    document["hot_at"] = nullptr;
    if (report.hotAt)
        document["hot_at"] = { { "thread", report.hotAt->thread.value() }, { "call", orNull(report.hotAt->call) } };
    document["count"] = report.hits.size();
    document["hits"] = Json::array();
    for (size_t i = 0; i < std::min(limit, report.hits.size()); ++i)
        document["hits"].push_back(hitJson(report, keys, report.hits[i]));
    return document;
}

std::string drawSearch(const SearchReport &report, size_t limit)
{
    const Session &session = *report.ground.session;
    std::vector<std::vector<std::string>> rows;
    for (size_t i = 0; i < std::min(limit, report.hits.size()); ++i) {
        const SearchHit &hit = report.hits[i];
        const Block &block = session.block(hit.block);
        const std::string number = block.message.isValid() ? "#" + std::to_string(block.message.value()) : "-";
        rows.push_back({ number, visibleText(labelOf(session, block).text()),
            stateText(block, report.ground.lives->of(hit.block)), fitted(hit.snippet.text, kSnippetColumns) });
    }
    std::string text = rows.empty() ? "" : alignedRows(rows) + "\n";
    if (report.hits.size() > limit)
        text += formatted("The first {} of them are listed.\n", groupedNumber(limit));
    std::string head = countSentence(report);
    if (report.hotAt)
        head += " " + hotSentence(*report.hotAt);
    return head + "\n" + (text.empty() ? "" : "\n" + text);
}

std::string countSentence(const SearchReport &report)
{
    if (report.hits.empty())
        return "No block matches.";
    std::set<MessageId> messages;
    for (const SearchHit &hit : report.hits)
        messages.insert(report.ground.session->block(hit.block).message);
    return formatted("{} of {} {}.", counted(report.hits.size(), "block"), counted(messages.size(), "message"),
        report.hits.size() == 1 ? "matches" : "match");
}

} // namespace core
