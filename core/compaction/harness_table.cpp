// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/harness_table.h"

#include "core/compaction/middleware.h"

#include <utility>

namespace core {

namespace {

/// A harness whose settings do not belong into the code that sets it up.
Harness withPlace(std::string_view place, Harness harness)
{
    harness.place = place;
    return harness;
}

constexpr SettingsSyntax kPython { "python", "=", ",", "", "True", "False", "None", "(\"{0}\", {1})", "\"{0}\": {1}" };
constexpr SettingsSyntax kPythonKeys { "python", ": ", ",", "\"", "True", "False", "None", "(\"{0}\", {1})",
    "\"{0}\": {1}" };
constexpr SettingsSyntax kTypeScript { "typescript", ": ", ",", "", "true", "false", "null",
    "{{ type: \"{0}\", value: {1} }}", "" };
constexpr SettingsSyntax kTypeScriptSizes { "typescript", ": ", ",", "", "true", "false", "null", "{{ {0}: {1} }}",
    "{0}: {1}" };
constexpr SettingsSyntax kJson { "json", ": ", ",", "\"", "true", "false", "null", "", "" };
constexpr SettingsSyntax kToml { "toml", " = ", "", "", "true", "false", "", "", "" };
constexpr SettingsSyntax kYaml { "yaml", ": ", "", "", "true", "false", "null", "", "" };
constexpr SettingsSyntax kEnvironment { "shell", "=", "", "", "1", "0", "", "", "" };

constexpr double kAnyNumber = 1e12;
constexpr SettingsRange kAtLeastOne { 1, kAnyNumber, "1 or more" };
/// Between 0 and 1; above 0 means as close as a share of a window comes to it.
constexpr SettingsRange kShare { 1e-9, 1, "a number above 0, up to 1" };
constexpr SettingsRange kShareBelowOne { 1e-9, 1 - 1e-9, "a number above 0 and below 1" };

/// The recipe's CompactionConfig @392ffadf9a; its fields are constructor arguments.
Harness genkit()
{
    return { "genkit", "Genkit Compaction", { "jeffdh5/" }, "genkit-recipe", &kPython,
        { { .open = "Compaction(\n",
            .arguments = { { "max_context_tokens", { "window" }, write::window },
                { "trigger_fraction", { "trigger" }, write::triggerFraction },
                { "keep_fraction", { "keep" }, write::keepFraction },
                { "keep_recent_messages", { "keep" }, write::keepMessagesWithoutWindow },
                { "max_tool_input_chars", { "clip-arguments.cap", "clip-arguments" }, write::cap },
                { "max_tool_output_chars", { "clip-results.cap", "clip-texts.cap", "clip-results", "clip-texts" },
                    write::cap },
                { "preview_chars", { "clip-results.preview", "clip-texts.preview", "clip-arguments.preview" },
                    write::value },
                { "truncation_suffix", { "clip-results.suffix", "clip-texts.suffix", "clip-arguments.suffix" },
                    write::recipeSuffix },
                { "bulk_input_keys", { "clip-arguments.keys" }, write::names },
                { "offload_large_outputs", { "offload-results.has-session" }, write::value },
                { "offload_tool_threshold_chars", { "offload-results.cap", "offload-results" }, write::cap },
                { "preview_head_lines", { "offload-results.head-lines" }, write::value },
                { "preview_tail_lines", { "offload-results.tail-lines" }, write::value },
                { "enable_summarization", { "summarise" }, write::isOn },
                { "trim_summary_input_tokens", { "summarise.summary.trim" }, write::value },
                { "conversation_log_prefix", { "summarise.archive" }, write::recipeLogPrefix } },
            .close = ")\n" } },
        { "The version of Genkit decides whether the changes last until the next call; there is no setting for it. "
          "Since July 2026 they do; before, they did not." } };
}

/// langchain.agents.middleware.SummarizationMiddleware: model, trigger, keep. A list of triggers means any, a
/// dictionary all.
Harness langchainSummarization()
{
    return { "langchain-summarization", "LangChain SummarizationMiddleware",
        { "langchain-ai/langchain libs/langchain_v1 agents/middleware/summarization.py" }, "langchain-summarization",
        &kPython,
        { { .open = "from langchain.agents.middleware import SummarizationMiddleware\n\n" },
            { .stage = "summarise",
                .absent = "# No summarising: the middleware is left out.\n",
                .open = "SummarizationMiddleware(\n    model=model,\n",
                .arguments = { { "trigger", { "trigger", "summarise", "window" }, write::triggerSizes },
                    { "keep", { "keep" }, write::keepSize } },
                .close = ")\n" } } };
}

/// ContextEditingMiddleware with ClearToolUsesEdit: a trigger in tokens, a number of results.
Harness langchainClearToolUses()
{
    return { "langchain-clear-tool-uses", "LangChain ClearToolUsesEdit",
        { "langchain-ai/langchain libs/langchain_v1 agents/middleware/context_editing.py" },
        "langchain-clear-tool-uses", &kPython,
        { { .open = "from langchain.agents.middleware import ClearToolUsesEdit, ContextEditingMiddleware\n\n" },
            { .stage = "clear-tool-uses",
                .absent = "# No clearing: the middleware is left out.\n",
                .open = "ContextEditingMiddleware(\n    edits=[\n        ClearToolUsesEdit(\n",
                .indent = "            ",
                .arguments = { { "trigger", { "trigger", "clear-tool-uses", "window" }, write::triggerTokens },
                    { "clear_at_least", { "clear-tool-uses.at-least" }, write::value },
                    { "keep", { "keep" }, write::keepResults },
                    { "clear_tool_inputs", { "clear-tool-uses.inputs" }, write::value },
                    { "exclude_tools", { "clear-tool-uses.exclude" }, write::value },
                    { "placeholder", { "clear-tool-uses.placeholder" }, write::value } },
                .close = "        ),\n    ],\n)\n" } } };
}

/// summarizationMiddleware of langchain's JavaScript: a size is an object, with several members all of them.
Harness langchainSummarizationJavaScript()
{
    return { "langchain-summarization-js", "LangChain summarizationMiddleware",
        { "langchain-ai/langchainjs libs/langchain/src/agents/middleware/summarization.ts" },
        "langchain-summarization-js", &kTypeScriptSizes,
        { { .open = "import { summarizationMiddleware } from \"langchain\";\n\n" },
            { .stage = "summarise",
                .absent = "// No summarising: the middleware is left out.\n",
                .open = "summarizationMiddleware({\n  model,\n",
                .indent = "  ",
                .arguments = { { "trigger", { "trigger", "summarise", "window" }, write::triggerSizes },
                    { "keep", { "keep" }, write::keepSize } },
                .close = "});\n" } } };
}

/// contextEditingMiddleware of langchain's JavaScript. Its `clearAtLeast` is deprecated, and means something else.
Harness langchainClearToolUsesJavaScript()
{
    return { "langchain-clear-tool-uses-js", "LangChain ClearToolUsesEdit, JavaScript",
        { "langchain-ai/langchainjs libs/langchain/src/agents/middleware/contextEditing.ts" },
        "langchain-clear-tool-uses-js", &kTypeScriptSizes,
        { { .open = "import { ClearToolUsesEdit, contextEditingMiddleware } from \"langchain\";\n\n" },
            { .stage = "clear-tool-uses",
                .absent = "// No clearing: the middleware is left out.\n",
                .open = "contextEditingMiddleware({\n  edits: [\n    new ClearToolUsesEdit({\n",
                .indent = "      ",
                .arguments = { { "trigger", { "trigger", "clear-tool-uses", "window" }, write::triggerSizes },
                    { "keep", { "keep" }, write::keepResultsSize },
                    { "clearToolInputs", { "clear-tool-uses.inputs" }, write::value },
                    { "excludeTools", { "clear-tool-uses.exclude" }, write::value },
                    { "placeholder", { "clear-tool-uses.placeholder" }, write::value } },
                .close = "    }),\n  ],\n});\n" } } };
}

/// The file system middleware has limits in tokens of four characters; None disables them. The arguments of old calls
/// are settings of the summarisation.
Harness deepAgents()
{
    return { "deep-agents", "Deep Agents", { "langchain-ai/deepagents " }, "deep-agents", &kPython,
        { { .open = "from deepagents.middleware.filesystem import FilesystemMiddleware\n"
                    "from deepagents.middleware.summarization import (\n"
                    "    SummarizationMiddleware,\n    SummarizationToolMiddleware,\n)\n\n"
                    "filesystem = FilesystemMiddleware(\n    backend=backend,\n",
              .arguments
              = { { "tool_token_limit_before_evict", { "offload-results.cap", "offload-results" }, write::capInTokens },
                  { "human_message_token_limit_before_evict", { "offload-user-messages.cap", "offload-user-messages" },
                      write::capInTokens } },
              .close = ")\n" },
            { .open = "summarization = SummarizationMiddleware(\n    model=model,\n    backend=backend,\n" },
            { .stage = "summarise",
                .absent = "    trigger=None,\n",
                .arguments = { { "trigger", { "trigger", "summarise", "window" }, write::triggerSizes } } },
            { .arguments = { { "keep", { "keep" }, write::keepSize } },
                .close = "    trim_tokens_to_summarize=None,\n" },
            { .stage = "clip-arguments",
                .absent = "    truncate_args_settings=None,\n",
                .open = "    truncate_args_settings={\n",
                .indent = "        ",
                .arguments
                = { { "trigger", { "clip-arguments.trigger", "clip-arguments" }, write::triggerSizes, &kPythonKeys },
                    { "keep", { "clip-arguments.keep" }, write::keepSize, &kPythonKeys },
                    { "max_length", { "clip-arguments.cap" }, write::value, &kPythonKeys },
                    { "truncation_text", { "clip-arguments.suffix" }, write::value, &kPythonKeys } },
                .close = "    },\n" },
            { .open = ")\n" },
            { .stage = "summarise-when-asked",
                .absent = "# Without the tool compact_conversation: SummarizationToolMiddleware is left out.\n",
                .open = "compact_tool = SummarizationToolMiddleware(summarization)\n",
                .arguments = { { "", { "summarise-when-asked" } } } } },
        { "Deep Agents cuts the tail only after the provider refuses a call as too long; there is no setting for "
          "it." } };
}

/// The port: options in objects, measures as { type, value }.
Harness deepAgentsJavaScript()
{
    return { "deep-agents-js", "Deep Agents, JavaScript", { "langchain-ai/deepagentsjs" }, "deep-agents-js",
        &kTypeScript,
        { { .open = "import { createFilesystemMiddleware, createSummarizationMiddleware } from \"deepagents\";\n\n"
                    "const filesystem = createFilesystemMiddleware({\n  backend,\n",
              .indent = "  ",
              .arguments
              = { { "toolTokenLimitBeforeEvict", { "offload-results.cap", "offload-results" }, write::capInTokens },
                  { "humanMessageTokenLimitBeforeEvict", { "offload-user-messages.cap", "offload-user-messages" },
                      write::capInTokens } },
              .close = "});\n" },
            { .open = "const summarization = createSummarizationMiddleware({\n  model,\n  backend,\n" },
            { .stage = "summarise",
                .absent = "  trigger: [],\n",
                .indent = "  ",
                .arguments = { { "trigger", { "trigger", "summarise", "window" }, write::triggerSizes } } },
            { .indent = "  ", .arguments = { { "keep", { "keep" }, write::keepSize } } },
            { .stage = "clip-arguments",
                .absent = "  // Without truncateArgsSettings arguments stay whole.\n",
                .open = "  truncateArgsSettings: {\n",
                .indent = "    ",
                .arguments = { { "trigger", { "clip-arguments.trigger", "clip-arguments" }, write::triggerSizes },
                    { "keep", { "clip-arguments.keep" }, write::keepSize },
                    { "maxLength", { "clip-arguments.cap" }, write::value },
                    { "truncationText", { "clip-arguments.suffix" }, write::value } },
                .close = "  },\n" },
            { .open = "});\n" } } };
}

/// Environment variables of the turn orchestrator and of the compaction worker.
Harness iiiWorkers()
{
    return withPlace("the environment of the workers",
        { "iii-hq", "iii-hq workers", { "iii-hq/workers PR #140" }, "iii-pr140-as-coded", &kEnvironment,
            { { .indent = "",
                .arguments
                = { { "HARNESS_RESULT_TRUNCATE_BYTES", { "truncate-results.cap", "truncate-results" }, write::cap },
                    { "COMPACT_TRIGGER_TOKENS", { "trigger", "window" }, write::triggerTokens },
                    { "COMPACT_KEEP_RECENT_TURNS", { "keep" }, write::keepMessages },
                    { "", { "worker", "worker.failing_saves" } } } } }, // these happen; nobody sets them
            { "COMPACT_KEEP_RECENT_TURNS counts messages, not turns." } });
}

/// The block `compaction` of settings.json.
Harness pi()
{
    return withPlace("~/.pi/agent/settings.json",
        { "pi", "pi", { "badlogic/pi-mono " }, "pi", &kJson,
            { { .open = "{\n  \"compaction\": {\n",
                .indent = "    ",
                .arguments = { { "enabled", { "summarise" }, write::isOn },
                    { "reserveTokens", { "trigger", "window" }, write::reserveTokens },
                    { "keepRecentTokens", { "keep" }, write::keepTokens } },
                .close = "  }\n}\n" } } });
}

/// A key of config.toml.
Harness codex()
{
    return withPlace("~/.codex/config.toml",
        { "codex", "Codex", { "openai/codex " }, "codex", &kToml,
            { { .indent = "",
                .arguments
                = { { "model_auto_compact_token_limit", { "trigger", "window" }, write::triggerTokens } } } },
            { "Codex compacts at 90 % of the model's window at the latest: the setting can only lower this limit." },
            nullptr, true });
}

/// Environment variables, measured with Claude Code 2.1.330 by packaging/clients/thresholds.py: it compacts at the
/// percentage of the window less 20,000 tokens, at the latest at the window less 33,000. The window is the variable's,
/// or the model's if that is smaller. Without the variable it compacted at no threshold.
Harness claudeCode()
{
    static constexpr SettingsRange kWindow { 100'000, 1'000'000, "100,000 to 1,000,000 tokens" };
    static constexpr SettingsRange kPercent { 1, 100, "1 to 100 percent" };
    return withPlace("the environment of Claude Code, or the member env of ~/.claude/settings.json",
        { "claude-code", "Claude Code", { "Claude Code:" }, "claude-code", &kEnvironment,
            { { .stage = "summarise",
                .absent = "DISABLE_AUTO_COMPACT=1\n",
                .indent = "",
                .arguments = { { .name = "CLAUDE_CODE_AUTO_COMPACT_WINDOW",
                                   .paths = { "window" },
                                   .write = write::claudeWindow,
                                   .range = &kWindow },
                    { .name = "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE",
                        .paths = { "trigger", "summarise" },
                        .write = write::claudePercent,
                        .range = &kPercent } } } },
            { "Measured with Claude Code 2.1.330: it takes the percentage of the window less 20,000 tokens, and "
              "compacts at the window less 33,000 tokens at the latest.",
                "Keep both variables: without CLAUDE_CODE_AUTO_COMPACT_WINDOW, Claude Code 2.1.330 did not act at the "
                "percentage." },
            nullptr, true });
}

constexpr std::string_view kInputTokens = R"({{"type": "input_tokens", "value": {0}}})";
constexpr std::string_view kToolUses = R"({{"type": "tool_uses", "value": {0}}})";
constexpr std::string_view kThinkingTurns = R"({{"type": "thinking_turns", "value": {0}}})";
constexpr std::string_view kEditsOpen = "{\n  \"context_management\": {\n    \"edits\": [\n";
constexpr std::string_view kEditsClose = "    ]\n  }\n}\n";

/// Members of a request of the Messages API, by the types of @anthropic-ai/sdk 1.14.0
/// (resources/beta/messages/messages.d.ts: BetaClearThinking20251015Edit, BetaClearToolUses20250919Edit). The order
/// and the two conditions follow the documentation and what the API answers (anthropics/claude-code #11971).
Harness anthropicContextEditing()
{
    return withPlace("the body of each request",
        { "anthropic-context-editing", "Anthropic context editing", { "Anthropic API: clear_tool_uses_20250919" },
            "anthropic-context-editing", &kJson,
            { { .open = kEditsOpen },
                { .stage = "drop-thinking",
                    .absent
                    = "      {\n        \"type\": \"clear_thinking_20251015\",\n        \"keep\": \"all\"\n      },\n",
                    .open = "      {\n        \"type\": \"clear_thinking_20251015\",\n",
                    .indent = "        ",
                    .arguments = { { .name = "keep",
                        .paths = { "drop-thinking.turns", "drop-thinking" },
                        .write = write::value,
                        .range = &kAtLeastOne,
                        .around = kThinkingTurns } },
                    .close = "      },\n" },
                { .stage = "clear-tool-uses",
                    .open = "      {\n        \"type\": \"clear_tool_uses_20250919\",\n",
                    .indent = "        ",
                    .arguments = { { "trigger", { "trigger", "clear-tool-uses", "window" }, write::anthropicTrigger },
                        { .name = "keep", .paths = { "keep" }, .write = write::keepResults, .around = kToolUses },
                        { .name = "clear_at_least",
                            .paths = { "clear-tool-uses.at-least" },
                            .write = write::valueIfAny,
                            .around = kInputTokens },
                        { "exclude_tools", { "clear-tool-uses.exclude" }, write::value },
                        { "clear_tool_inputs", { "clear-tool-uses.inputs" }, write::value } },
                    .close = "      },\n" },
                { .open = kEditsClose } },
            { "The request needs the beta header context-management-2025-06-27.",
                "The API refuses clear_thinking_20251015 in a request without extended thinking: leave that edit out "
                "there." } });
}

/// The same for BetaCompact20260112Edit. The documentation (platform.claude.com, build-with-claude/compaction) gives
/// the smallest trigger.
Harness anthropicCompaction()
{
    static constexpr SettingsRange kTrigger { 50'000, kAnyNumber, "50,000 tokens or more" };
    return withPlace("the body of each request",
        { "anthropic-compaction", "Anthropic server-side compaction", { "Anthropic API: compact_20260112" },
            "anthropic-compaction", &kJson,
            { { .open = kEditsOpen },
                { .stage = "summarise",
                    .open = "      {\n        \"type\": \"compact_20260112\",\n",
                    .indent = "        ",
                    .arguments = { { .name = "trigger",
                        .paths = { "trigger", "summarise", "window" },
                        .write = write::triggerTokens,
                        .range = &kTrigger,
                        .around = kInputTokens } },
                    .close = "      },\n" },
                { .open = kEditsClose } },
            { "The request needs the beta header compact-2026-01-12." } });
}

/// Members of settings.json, by docs/reference/configuration.md in the package @google/gemini-cli 0.61.0. Masking reads
/// its settings whether `experimental.contextManagement` is on or off (Config.getToolOutputMaskingConfig there).
Harness geminiCli()
{
    return withPlace("~/.gemini/settings.json",
        { "gemini-cli", "Gemini CLI", { "google-gemini/gemini-cli " }, "gemini-cli", &kJson,
            { { .open = "{\n  \"model\": {\n",
                  .arguments = { { .name = "compressionThreshold",
                      .paths = { "trigger", "window" },
                      .write = write::triggerModelShare,
                      .range = &kShare } },
                  .close = "  },\n" },
                { .open = "  \"contextManagement\": {\n    \"tools\": {\n      \"outputMasking\": {\n",
                    .indent = "        ",
                    .arguments = { { "protectionThresholdTokens", { "clear-tool-uses.protect" }, write::value },
                        { "minPrunableThresholdTokens", { "clear-tool-uses.worth", "clear-tool-uses" }, write::cap },
                        { "protectLatestTurn", { "clear-tool-uses.keep" }, write::keepLastMessage } },
                    .close = "      }\n    }\n  }\n}\n" } },
            { "Gemini CLI reads these settings when it starts." } });
}

/// The member `compaction` of opencode.json: Config in @opencode-ai/sdk 1.18.33 (dist/v2/gen/types.gen.d.ts). What
/// `reserved` means: packages/opencode/src/session/overflow.ts in opencode-ai 1.18.33.
Harness opencode()
{
    return withPlace("opencode.json of the project, or ~/.config/opencode/opencode.json",
        { "opencode", "opencode", { "sst/opencode " }, "opencode", &kJson,
            { { .open = "{\n  \"compaction\": {\n",
                .arguments
                = { { "auto", { "summarise" }, write::isOn }, { "prune", { "clear-tool-uses" }, write::isOn },
                    { "reserved", { "trigger", "window" }, write::reserveTokens },
                    { "preserve_recent_tokens", { "keep" }, write::keepTokens } },
                .close = "  }\n}\n" } },
            { "opencode reads reserved only if the model has a limit of its own for the prompt (limit.input). "
              "Otherwise it "
              "leaves room for the answer of the model, at most 32,000 tokens." } });
}

/// Members of settings.json, by docs/configuration/settings.md in the package @qwen-code/qwen-code 0.24.4, and
/// computeThresholds there: the smaller of the share and the window less 33,000 tokens.
Harness qwenCode()
{
    return withPlace("~/.qwen/settings.json",
        { "qwen-code", "Qwen Code", { "QwenLM/qwen-code " }, "qwen-code", &kJson,
            { { .open = "{\n  \"context\": {\n",
                  .arguments = { { .name = "autoCompactThreshold",
                      .paths = { "trigger", "window" },
                      .write = write::qwenThreshold,
                      .range = &kShare } },
                  .close = "  },\n" },
                { .open = "  \"model\": {\n    \"chatCompression\": {\n",
                    .indent = "      ",
                    .arguments = { { "maxRecentFilesToRetain", { "summarise.files" }, write::value } },
                    .close = "    }\n  }\n}\n" } },
            { "Qwen Code also acts when 33,000 tokens of the window are left: the setting can only lower this limit." },
            nullptr, true });
}

/// Environment variables: block/goose crates/goose/src/context_mgmt/mod.rs @0036b819 and config/base.rs @010623ce
/// (the same names may stand in config.yaml); GOOSE_CONTEXT_LIMIT by its documentation of environment variables.
Harness goose()
{
    return withPlace("the environment of goose, or ~/.config/goose/config.yaml",
        { "goose", "goose", { "block/goose " }, "goose", &kEnvironment,
            { { .stage = "summarise",
                  .absent = "GOOSE_AUTO_COMPACT_THRESHOLD=0\n",
                  .indent = "",
                  .arguments = { { .name = "GOOSE_AUTO_COMPACT_THRESHOLD",
                      .paths = { "trigger", "summarise" },
                      .write = write::triggerFraction,
                      .range = &kShareBelowOne } } },
                { .indent = "", .arguments = { { "GOOSE_CONTEXT_LIMIT", { "window" }, write::windowOfItsOwn } } } },
            { "The same names can stand in goose's config.yaml; an environment variable overrides the file." } });
}

/// A switch in crush.json: charmbracelet/crush schema.json and internal/agent/agent.go @37f36e93.
Harness crush()
{
    return withPlace("crush.json of the project",
        { "crush", "Crush", { "charmbracelet/crush " }, "crush", &kJson,
            { { .open = "{\n  \"options\": {\n",
                .arguments = { { "disable_auto_summarize", { "summarise" }, write::isOff },
                    { "", { "trigger" }, write::crushTrigger } },
                .close = "  }\n}\n" } } });
}

/// Arguments of the condenser: OpenHands/software-agent-sdk 1.43.1, openhands-sdk/openhands/sdk/context/condenser/
/// llm_summarizing_condenser.py @611629e6, which also says how many events it keeps.
Harness openHands()
{
    return { "openhands", "OpenHands LLMSummarizingCondenser", { "OpenHands/software-agent-sdk " }, "openhands",
        &kPython,
        { { .open = "from openhands.sdk.context.condenser import LLMSummarizingCondenser\n\n" },
            { .stage = "summarise",
                .absent = "# No summarising: the agent gets no condenser.\n",
                .open = "LLMSummarizingCondenser(\n    llm=llm,\n",
                .arguments = { { .name = "max_size",
                                   .paths = { "trigger", "summarise", "window" },
                                   .write = write::openHandsSize,
                                   .range = &kAtLeastOne },
                    { .name = "max_tokens",
                        .paths = { "trigger" },
                        .write = write::openHandsTokens,
                        .range = &kAtLeastOne },
                    { "keep_first", { "summarise.first-messages" }, write::value },
                    { "", { "keep" }, write::openHandsKeep } },
                .close = ")\n" } } };
}

/// A history processor in the configuration file: SWE-agent/SWE-agent sweagent/agent/history_processors.py
/// (LastNObservations) and config/sweagent_0_7/07.yaml @3ea751c0.
Harness sweAgent()
{
    return withPlace("the YAML file of its configuration",
        { "swe-agent", "SWE-agent", { "SWE-agent/SWE-agent " }, "swe-agent", &kYaml,
            { { .open = "agent:\n" },
                { .stage = "clear-tool-uses",
                    .absent = "  history_processors: []\n",
                    .open = "  history_processors:\n    - type: last_n_observations\n",
                    .indent = "      ",
                    .arguments = { { .name = "n",
                        .paths = { "keep", "clear-tool-uses" },
                        .write = write::keepResults,
                        .range = &kAtLeastOne } } } } });
}

/// Members of the file that Roo Code exports and imports: RooCodeInc/Roo-Code 3.52.1,
/// packages/types/src/global-settings.ts, src/core/context-management/index.ts, src/core/config/importExport.ts
/// @cb836567; the range is that of src/core/condense/index.ts.
Harness roo()
{
    static constexpr SettingsRange kPercent { 5, 100, "5 to 100 percent" };
    return withPlace("the file that Roo Code exports and imports",
        { "roo", "Roo Code", { "RooCodeInc/Roo-Code " }, "roo", &kJson,
            { { .open = "{\n  \"globalSettings\": {\n",
                .arguments = { { "autoCondenseContext", { "summarise" }, write::isOn },
                    { .name = "autoCondenseContextPercent",
                        .paths = { "trigger", "window" },
                        .write = write::rooPercent,
                        .range = &kPercent } },
                .close = "  }\n}\n" } },
            { "Roo Code also acts when the context exceeds 90 % of the window less the room for the answer: the "
              "setting "
              "can only lower this limit.",
                "Roo Code imports only whole files: export its settings, change these members, and import the file." },
            nullptr, true });
}

/// cline/cline docs/features/auto-compact.mdx: a switch, no number.
Harness cline()
{
    return { "cline", "Cline", { "cline/cline src/" }, "", nullptr, {},
        { "Cline has one such setting, the switch Auto Compact. Trigger and keep cannot be set." } };
}

/// CoreCompactionConfig of @cline/core 0.0.86 (dist/types/config.d.ts): the member `compaction` of a session.
Harness clineSdk()
{
    return { "cline-sdk", "Cline SDK", { "cline/cline sdk " }, "cline-sdk", &kTypeScript,
        { { .open = "import type { CoreCompactionConfig } from \"@cline/core\";\n\n"
                    "const compaction: CoreCompactionConfig = {\n",
            .indent = "  ",
            .arguments = { { "enabled", { "summarise" }, write::isOn },
                { "preserveRecentTokens", { "keep" }, write::keepTokens } },
            .close = "  strategy: \"agentic\",\n};\n" } },
        { "Pass it as the member compaction of the session's configuration." } };
}

/// Arguments of a function: langchain-ai/langchain libs/core/langchain_core/messages/utils.py @0026dff2, and
/// count_tokens_approximately there, which counts as the preset does.
Harness langgraphTrim()
{
    return { "langgraph-trim", "LangGraph trim_messages",
        { "langchain-ai/langchain libs/core/langchain_core/messages/utils.py trim_messages" }, "langgraph-trim",
        &kPython,
        { { .open = "from langchain_core.messages.utils import count_tokens_approximately, trim_messages\n\n" },
            { .stage = "summarise",
                .absent = "# No trimming: the messages are sent as they are.\n",
                .open = "trim_messages(\n    messages,\n    strategy=\"last\",\n    start_on=\"human\",\n"
                        "    token_counter=count_tokens_approximately,\n",
                .arguments = { { "max_tokens", { "keep", "summarise", "window" }, write::keepTokens },
                    { "", { "trigger" }, write::triggerIsKeep } },
                .close = ")\n" } },
        { "If the system prompt is one of the messages, add include_system=True: without it, trim_messages drops the "
          "system prompt, too." } };
}

/// A module instead of settings, for stages that LangChain's own middleware does not have.
Harness langchainMiddlewareJavaScript()
{
    return { .id = "langchain-middleware-js",
        .title = "LangChain middleware, JavaScript",
        .sources = {},
        .preset = "",
        .parts = {},
        .write = langChainMiddleware };
}

/// The same for Genkit, where a middleware is a function.
Harness genkitMiddlewareJavaScript()
{
    return { .id = "genkit-middleware-js",
        .title = "Genkit middleware, JavaScript",
        .sources = {},
        .preset = "",
        .parts = {},
        .write = genkitMiddleware };
}

/// Its middleware took no arguments.
Harness openSwe()
{
    return { "open-swe", "Open SWE ToolArtifactMiddleware", { "langchain-ai/open-swe " }, "open-swe-artifacts",
        &kPython, { { .open = "ToolArtifactMiddleware()\n" } },
        { "The middleware took no argument, and was removed from Open SWE on 6 August 2026." } };
}

/// Described in an article; no source was published.
Harness claw()
{
    return { "claw", "BenchClaw and TeachClaw", { "Harness Design 1" }, "", nullptr, {},
        { "BenchClaw and TeachClaw published no source, so there are no settings to copy. “palimpsest policies NAME "
          "--json” prints all that is known." } };
}

} // namespace

const std::vector<Harness> &harnessTable()
{
    static const std::vector<Harness> all { genkit(), deepAgents(), deepAgentsJavaScript(), langchainSummarization(),
        langchainSummarizationJavaScript(), langchainClearToolUses(), langchainClearToolUsesJavaScript(),
        langchainMiddlewareJavaScript(), genkitMiddlewareJavaScript(), langgraphTrim(), anthropicContextEditing(),
        anthropicCompaction(), pi(), claudeCode(), codex(), geminiCli(), opencode(), qwenCode(), cline(), clineSdk(),
        goose(), crush(), roo(), openHands(), sweAgent(), iiiWorkers(), openSwe(), claw() };
    return all;
}

} // namespace core
