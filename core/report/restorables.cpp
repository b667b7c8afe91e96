// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/restorables.h"

#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/base/visible.h"
#include "core/originals/restore.h"
#include "core/report/document_parts.h"

#include <algorithm>

namespace core {

namespace {

/// `artifact, later slot`
std::string placesText(const std::vector<std::string> &places)
{
    std::string text;
    for (const std::string &place : places)
        text += (text.empty() ? "" : ", ") + place;
    return text.empty() ? "nowhere" : text;
}

} // namespace

Json restoreJson(const CommitInfo &commit, const Ledger &ledger, std::span<const std::string> names)
{
    const auto isWanted = [&](const auto &entry) {
        return names.empty() || std::ranges::any_of(names, [&](const std::string &name) {
            return entry.name == name || entry.path == name;
        });
    };
    Json document { { "schema", "palimpsest.restore/1" } };
    document["commit"] = { { "number", commit.number }, { "oid", commit.oid }, { "subject", commit.subject },
        { "seconds", commit.seconds } };
    document["session"] = { { "file", ledger.session.file }, { "format", ledger.session.format },
        { "bytes", ledger.session.bytes }, { "hash", ledger.session.hash } };
    document["originals"] = Json::array();
    for (const ListedOriginal &each : listOriginals(ledger)) {
        if (!isWanted(each.entry))
            continue;
        document["originals"].push_back({ { "name", each.entry.name }, { "path", each.entry.path },
            { "bytes", each.entry.bytes }, { "oid", each.entry.oid }, { "slot", orNull(each.slot) },
            { "message", orNull(each.message) }, { "block", orNull(each.block) }, { "splice", each.isSplice } });
        if (each.entry.coding)
            document["originals"].back()["coding"] = nameOf(*each.entry.coding);
        if (each.recoverableFrom)
            document["originals"].back()["recoverable_from"] = *each.recoverableFrom;
    }
    document["artifacts"] = Json::array();
    for (const LedgerArtifact &each : ledger.artifacts) {
        if (!isWanted(each))
            continue;
        document["artifacts"].push_back(
            { { "name", each.name }, { "path", each.path }, { "bytes", each.bytes }, { "oid", each.oid },
                { "same_as_original", each.isSameAsOriginal }, { "recoverable_from", each.recoverableFrom } });
    }
    return document;
}

std::string drawRestorables(const CommitInfo &commit, const Ledger &ledger)
{
    constexpr size_t kName = 44;
    constexpr size_t kBytes = 13;
    const auto line = [](std::string_view name, uint64_t bytes, const std::string &oid, const std::string &what) {
        const std::string whole = visibleText(name); // it is there to be given back
        return "  " + padded(whole, kName - 1) + " " + paddedLeft(groupedNumber(bytes), kBytes) + "  "
            + oid.substr(0, 10) + (what.empty() ? "" : "  " + visibleText(what)) + "\n";
    };
    std::string text = visibleText(commit.subject) + " · " + minuteText(commit.seconds * 1000) + " · "
        + commit.oid.substr(0, 10) + " · commit " + std::to_string(commit.number) + " of the store\n";
    std::string originals;
    size_t spliceCount = 0;
    for (const ListedOriginal &each : listOriginals(ledger)) {
        spliceCount += each.isSplice ? 1 : 0;
        if (each.isSplice)
            continue;
        std::string what = each.slot.isValid() ? "slot [" + std::to_string(each.slot.value()) + "]" : std::string();
        if (each.message.isValid())
            what += (what.empty() ? "#" : " #") + std::to_string(each.message.value());
        if (each.recoverableFrom)
            what += "  harness: " + placesText(*each.recoverableFrom);
        originals += line(each.entry.name, each.entry.bytes, each.entry.oid, what);
    }
    text += originals.empty()
        ? "\nNo originals.\n"
        : "\nOriginals: size in bytes, object, slot, and from where the harness itself could restore the text\n"
            + originals;
    std::string artifacts;
    for (const LedgerArtifact &each : ledger.artifacts)
        artifacts += line(
            each.name, each.bytes, each.oid, each.isSameAsOriginal ? "the same as the original" : each.difference);
    if (!artifacts.empty())
        text += "\nArtifacts, as the harness would keep them\n" + artifacts;
    if (ledger.exported) {
        text += "\nThe store also keeps " + counted(spliceCount, "range")
            + " of the old session file. --session EXPORT uses " + (spliceCount == 1 ? "it" : "them")
            + " to rebuild that file from the exported file (“" + visibleText(ledger.exported->file) + "”, "
            + groupedNumber(ledger.exported->bytes) + " bytes)\n";
    }
    return text;
}

} // namespace core
