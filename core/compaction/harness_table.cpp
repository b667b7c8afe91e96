// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/harness_table.h"

namespace core {

namespace {

constexpr SettingsSyntax kPython { "python", "=", ",", "", "True", "False", "None", "(\"{0}\", {1})", "\"{0}\": {1}" };
constexpr SettingsSyntax kPythonKeys { "python", ": ", ",", "\"", "True", "False", "None", "(\"{0}\", {1})",
    "\"{0}\": {1}" };
constexpr SettingsSyntax kTypeScript { "typescript", ": ", ",", "", "true", "false", "null",
    "{{ type: \"{0}\", value: {1} }}", "" };
constexpr SettingsSyntax kTypeScriptSizes { "typescript", ": ", ",", "", "true", "false", "null", "{{ {0}: {1} }}",
    "{0}: {1}" };
constexpr SettingsSyntax kJson { "json", ": ", ",", "\"", "true", "false", "null", "", "" };
constexpr SettingsSyntax kToml { "toml", " = ", "", "", "true", "false", "", "", "" };
constexpr SettingsSyntax kEnvironment { "shell", "=", "", "", "1", "0", "", "", "" };

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
    return { "iii-hq", "iii-hq workers", { "iii-hq/workers PR #140" }, "iii-pr140-as-coded", &kEnvironment,
        { { .indent = "",
            .arguments
            = { { "HARNESS_RESULT_TRUNCATE_BYTES", { "truncate-results.cap", "truncate-results" }, write::cap },
                { "COMPACT_TRIGGER_TOKENS", { "trigger", "window" }, write::triggerTokens },
                { "COMPACT_KEEP_RECENT_TURNS", { "keep" }, write::keepMessages },
                { "", { "worker", "worker.failing_saves" } } } } }, // these happen; nobody sets them
        { "COMPACT_KEEP_RECENT_TURNS counts messages, not turns." } };
}

/// The block `compaction` of settings.json.
Harness pi()
{
    return { "pi", "pi", { "badlogic/pi-mono " }, "pi", &kJson,
        { { .open = "{\n  \"compaction\": {\n",
            .indent = "    ",
            .arguments = { { "enabled", { "summarise" }, write::isOn },
                { "reserveTokens", { "trigger", "window" }, write::reserveTokens },
                { "keepRecentTokens", { "keep" }, write::keepTokens } },
            .close = "  }\n}\n" } } };
}

/// A key of config.toml.
Harness codex()
{
    return { "codex", "Codex", { "openai/codex " }, "codex", &kToml,
        { { .indent = "",
            .arguments = { { "model_auto_compact_token_limit", { "trigger", "window" }, write::triggerTokens } } } },
        { "Codex compacts at 90 % of the model's window at the latest: the setting can only lower this limit." } };
}

/// One environment variable, whose base is not documented.
Harness claudeCode()
{
    return { "claude-code", "Claude Code", { "Claude Code:" }, "", nullptr, {},
        { "Claude Code has one such setting, the environment variable CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: a percentage "
          "that can only lower the trigger. Its documentation does not say of what, so Palimpsest writes no value. "
          "Keep cannot be set." } };
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
        langchainSummarizationJavaScript(), langchainClearToolUses(), langchainClearToolUsesJavaScript(), pi(),
        claudeCode(), codex(), iiiWorkers(), openSwe(), claw() };
    return all;
}

} // namespace core
