# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""What the clients change by design. A rule explains a difference; where the arrays are equal it does nothing."""

import dataclasses
import typing

import claude_code
import client
import codex
import gemini_cli
import opencode
import pi
import qwen_code


@dataclasses.dataclass(frozen=True)
class Rule:
    """Exactly one of the three functions is there."""

    client: str  # its NAME
    reason: str  # what the client does; the version is that of which it is known
    missing: typing.Callable | None = None  # (item, session): Palimpsest shows the item, the client does not send it
    added: typing.Callable | None = None  # (item, session): the client sends the item, Palimpsest does not show it
    rewritten: typing.Callable | None = None  # (items, item): how many of the shown the client sends as that one item


def is_text(item):
    return item.kind == "text"


def is_prompt(item, session):
    return is_text(item) and item.text.rstrip("\n") == client.PROMPT


def is_environment(item):
    return is_text(item) and item.text.startswith("<session_context>")


def with_line_feed(shown, sent):
    return is_text(sent) and shown[0].kind == "text" and sent.text == shown[0].text + "\n"


def as_agent(shown, sent):
    return sent.kind == "tool_call" and sent.text == shown[0].text.replace("Task ", "Agent ", 1)


def with_cleared_result(shown, sent):
    return sent.kind == shown[0].kind == "tool_result" and shown[0].text == "[Old tool result content cleared]"


PI_SUMMARY = ("The conversation history before this point was compacted into the following summary:\n\n<summary>\n"
              "{}\n</summary>")


def in_summary_frame(shown, sent):
    return sent.text == PI_SUMMARY.format(shown[0].text)


def in_command_frame(shown, sent):
    return 2 * (len(shown) > 1 and sent.text.startswith(f"Ran `{shown[0].text}`\n```\n{shown[1].text}\n```"))


RULES = [
    Rule(claude_code.NAME, "adds the prompt with which the check starts it", added=is_prompt),
    Rule(claude_code.NAME, "adds reminders of today's environment to the last message",
         added=lambda item, _: is_text(item) and item.is_last and item.text.startswith("<system-reminder>")),
    Rule(claude_code.NAME, "2.1.88 and later end a text of the user that another one follows with a line feed; "
         "2.1.76 did not",
         rewritten=with_line_feed),
    Rule(claude_code.NAME, "2.1.63 and later call the tool Agent that was named Task when the sessions were written",
         rewritten=as_agent),
    Rule(claude_code.NAME, "2.1.330 leaves out texts of blanks alone; 2.1.29 sent them",
         missing=lambda item, _: is_text(item) and not item.text.strip()),
    Rule(claude_code.NAME, "2.1.63 and later send their own commands, and what these printed, from `system` records, "
         "too; 2.1.62 did not", added=claude_code.is_command_record),
    Rule(claude_code.NAME, "2.1.33 and later leave out answers that are thinking alone; 2.1.32 left them out only "
         "after it had been resumed",
         missing=lambda item, session: item.kind == "thinking" and claude_code.is_thinking_alone(item, session)),
    Rule(claude_code.NAME, "2.1.330 says of a call without a result that it was interrupted",
         added=lambda item, _: item.kind == "tool_result" and item.text.startswith("[Tool call interrupted: ")),
    Rule(claude_code.NAME, "2.1.330 does not clear the results that a microcompaction of 2.1.22 cleared",
         rewritten=with_cleared_result),
    Rule(claude_code.NAME, "puts an answer behind messages of the user that none followed",
         added=lambda item, _: is_text(item) and item.text == "No response requested."),
    Rule(claude_code.NAME, "resumes without the messages that were typed while the agent worked and sent in the turn",
         missing=lambda item, session: session.record(item.line).get("type") == "queue-operation"),
    Rule(claude_code.NAME, "finds no message before a record that is not in the file; Palimpsest goes on with the "
         "record before it", missing=lambda item, session: item.line < claude_code.first_reached_line(session)),

    Rule(codex.NAME, "adds the prompt with which the check starts it", added=is_prompt),
    Rule(codex.NAME, "0.169.0 sends its instructions as messages of the developer",
         added=lambda item, _: item.role == "developer"),
    Rule(codex.NAME, "adds today's environment and AGENTS.md in front of the prompt",
         added=lambda item, _: is_text(item) and item.text.startswith(("<environment_context>", "# AGENTS.md "))),
    Rule(codex.NAME, "0.169.0 asks for a compaction, in the place of the prompt, if the session is near its limit",
         added=lambda item, _: item.kind == "opaque" and item.text == '{"type": "compaction_trigger"}'),

    Rule(qwen_code.NAME, "adds the prompt with which the check starts it", added=is_prompt),

    Rule(opencode.NAME, "adds the prompt with which the check starts it, in quotation marks",
         added=lambda item, _: is_text(item) and item.text == f'"{client.PROMPT}"'),

    Rule(gemini_cli.NAME, "adds the prompt with which the check starts it", added=is_prompt),
    Rule(gemini_cli.NAME, "begins with today's environment, in the place of the recorded one",
         rewritten=lambda shown, sent: is_environment(shown[0]) and is_environment(sent)),
    Rule(gemini_cli.NAME, "begins with today's environment", added=lambda item, _: is_environment(item)),
    Rule(gemini_cli.NAME, "0.61.0 puts an answer between two messages of the user",
         added=lambda item, _: item.text == "[The previous response was interrupted before it completed.]"),
    Rule(gemini_cli.NAME, "0.61.0 sends a result twice if the record of the call holds it, too",
         added=lambda item, session: item.kind == "tool_result" and gemini_cli.is_in_call(item, session)),

    Rule(pi.NAME, "adds the prompt with which the check starts it", added=is_prompt),
    Rule(pi.NAME, "0.49.2 and later leave out responses that were aborted or failed; the sessions are older",
         missing=pi.is_stopped),
    Rule(pi.NAME, "0.73.1 says of a call without a result that there is none",
         added=lambda item, _: item.kind == "tool_result" and item.text == "No result provided"),
    Rule(pi.NAME, "puts a summary between fixed words that the file does not hold", rewritten=in_summary_frame),
    Rule(pi.NAME, "puts a command of the user and its output between fixed words that the file does not hold",
         rewritten=in_command_frame),
]

# Sessions that no client wrote, or that a client reads in another way because they are damaged: client, part of the
# session's path, reason.
SET_ASIDE = [
    (qwen_code.NAME, "other-qwen", "made by hand: its call has no result, and text stands behind the call"),
    (codex.NAME, "codex_real_world_sanitized", "a converter wrote it; Codex reads none of its items"),
    (pi.NAME, "compact.v1", "its last line is a cut record with a compaction behind it: pi skips the line, Palimpsest "
                            "reads the compaction"),
]


def rules_of(name):
    return [rule for rule in RULES if rule.client == name]


def set_aside(name, session):
    """Why a session is not compared; None for most."""
    return next((reason for client_name, part, reason in SET_ASIDE if client_name == name and part in session), None)
