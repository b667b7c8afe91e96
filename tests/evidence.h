// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/reading/format.h"
#include "core/tokens/weights.h"
#include "tests/session_testing.h"

#include <string>
#include <vector>

namespace core {

/// Claude Code: the 18 sessions of the evidence, three small ones; then its Codex and its LangChain session, and its
/// three of pi.
inline const std::vector<std::string> &evidenceFiles()
{
    static const std::vector<std::string> files = [] {
        std::vector<std::string> found;
        for (const char *name : { "04-6bdcb08e27-0", "13-db96e5c261-0", "26-dcd5518fea-0", "33-b1e1e1b51d-0",
                 "38-346dbfe2e0-0", "51-a265047d72-3", "54-bb2ec87cc8-2", "63-095cc2fdae-0", "6d-9f76bd01e9-0",
                 "90-ed5b9b296e-1", "9f-d2fc39aa5f-0", "b0-2936744f3b-0", "b6-f735fbac66-0", "be-9f77982406-0",
                 "cd-95adddad32-0", "ec-6d3a8b5152-0", "f0-c3dbdad0d8-0", "f4-49058a5889-0", "8a-e9468023c2-0",
                 "8c-fa910f8ef9-2", "c9-883595c929-0" })
            found.push_back("claude-code/entireio+cli/" + std::string(name) + ".full.jsonl");
        found.emplace_back(
            "codex/Monotoba+OpenPrintKit/rollout-2025-10-31T19-02-58-c61729d4-da6d-46a4-9a29-ec2c614e5e23.jsonl");
        found.emplace_back("langchain/langchain-ai+open-swe/langgraph_pr_example_trace.json");
        for (const char *name : { "before-compaction", "compact.v1", "large-session" })
            found.push_back("pi/badlogic+pi-mono/" + std::string(name) + ".jsonl");
        return found;
    }();
    return files;
}
/// How many of them come first that are of Claude Code.
constexpr size_t kEvidenceOfClaude = 21;

/// The sessions in the order of the files; an error names the first that cannot be read.
inline Result<std::vector<SessionPtr>> evidenceSessions()
{
    std::vector<SessionPtr> sessions;
    for (const std::string &file : evidenceFiles()) {
        auto session = loadSession(testing::corpus() / file);
        if (!session)
            return std::unexpected(session.error());
        sessions.push_back(*session);
    }
    return sessions;
}

/// The tokens of the evidence: characters / 3.3.
inline BlockTokensPtr charactersBy33(const Session &session)
{
    auto table = std::make_shared<BlockTokens>();
    for (const Block &block : session.blocks)
        table->tokens.push_back(static_cast<float>(static_cast<double>(block.lengths.codePoints) / 3.3));
    return table;
}

} // namespace core
