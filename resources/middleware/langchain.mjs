// Applies a policy of Palimpsest before each call of the model: for createAgent of LangChain 1, in JavaScript.
//
//     const agent = createAgent({ model, tools, middleware: [palimpsest] });
//
// The agent's state keeps every message whole; only the model sees the shortened ones. Every message of the user counts
// as typed, except a summary. Where the content of a result is a list, the list must have one text. Licence: MIT.

import { AIMessage, createMiddleware, HumanMessage, SystemMessage, ToolMessage } from "langchain";

const policy = POLICY;

// --- messages as blocks ---------------------------------------------------------------------------------------------

const isOfModel = message => message.getType() === "ai";
const isThinking = part => ["thinking", "redacted_thinking", "reasoning", "reasoning_content"].includes(part?.type);
const isSummary = message => message.additional_kwargs?.lc_source === "summarization"
  || message.text.startsWith("Here is a summary of the conversation to date");

/// `part` is the place of a block in a content that is a list.
function blocksOf(messages) {
  const blocks = [];
  messages.forEach((message, place) => {
    const type = message.getType();
    const add = (kind, more) => blocks.push({ kind, message: place, isGone: false, ...more });
    const parts = Array.isArray(message.content) ? message.content : null;
    if (type === "tool") {
      const texts = (parts ?? []).filter(part => part.type === "text");
      const isOpen = parts === null || texts.length === 1;
      const text = parts === null ? message.content : texts[0]?.text ?? "";
      const part = parts?.indexOf(texts[0]);
      add("result", { text, id: message.tool_call_id, name: message.name ?? "", part, isOpen });
      return;
    }
    const isTyped = type === "human" && !isSummary(message);
    if (parts === null && message.content !== "") add("text", { text: message.content, isTyped });
    if (type === "ai") parts?.forEach((part, at) => isThinking(part) && add("thinking", { part: at }));
    parts?.forEach(({ type: kind, text }, part) => {
      if (kind === "text" && text !== "") add("text", { text, isTyped, part });
    });
    if (type === "ai") message.tool_calls?.forEach(({ id, name, args }) => add("call", { id, name, args }));
  });
  return blocks;
}

function partsOf({ content }) {
  if (Array.isArray(content)) return content;
  return content === "" ? [] : [{ type: "text", text: content }];
}

/// Answers between which a result was removed become one answer, with its thinking first.
function joined(messages) {
  const made = [];
  for (const message of messages) {
    const last = made.at(-1);
    if (last?.getType() !== "ai" || message.getType() !== "ai") {
      made.push(message);
      continue;
    }
    const parts = [...partsOf(last), ...partsOf(message)];
    made[made.length - 1] = new AIMessage({
      content: [...parts.filter(isThinking), ...parts.filter(part => !isThinking(part))], id: message.id,
      name: message.name, response_metadata: message.response_metadata, usage_metadata: message.usage_metadata,
      tool_calls: [...last.tool_calls ?? [], ...message.tool_calls ?? []],
    });
  }
  return made;
}

/// The messages with what the stages changed; those that lost all their blocks are left out.
function messagesOf(messages, blocks) {
  const own = blocksByMessage(messages, blocks);
  const made = messages.flatMap((message, place) => {
    const mine = own[place];
    if (!mine.some(block => block.isGone || block.isChanged)) return [message];
    if (mine.every(block => block.isGone)) return [];
    const type = message.getType();
    const calls = mine.filter(block => block.kind === "call");
    let content = message.content;
    if (Array.isArray(content)) {
      const words = new Map(mine.filter(block => block.part >= 0).map(block => [block.part, block]));
      const uses = new Map(calls.map(block => [block.id, block]));
      content = content.flatMap((part, at) => {
        const block = words.get(at) ?? (part.type === "tool_use" ? uses.get(part.id) : undefined);
        if (block?.isGone) return [];
        if (!block?.isChanged) return [part];
        return [block.kind === "call" ? { ...part, input: block.args } : { ...part, text: block.text }];
      });
    } else {
      const words = mine.find(block => block.kind !== "call");
      content = words === undefined ? content : words.isGone ? "" : words.text;
    }
    const fields = {
      content, id: message.id, name: message.name, response_metadata: message.response_metadata,
      additional_kwargs: message.additional_kwargs,
    };
    if (type === "human") return [new HumanMessage(fields)];
    if (type === "system") return [new SystemMessage(fields)];
    if (type === "tool")
      return [new ToolMessage({ ...fields, tool_call_id: message.tool_call_id, status: message.status,
        artifact: message.artifact })];
    if (type !== "ai") return [message];
    const { tool_calls: copies, ...others } = message.additional_kwargs ?? {}; // they repeat the calls
    const kept = message.tool_calls?.flatMap((call, at) => calls[at].isGone ? [] : [{ ...call, args: calls[at].args }]);
    return [new AIMessage({ ...fields, additional_kwargs: others, tool_calls: kept,
      invalid_tool_calls: message.invalid_tool_calls, usage_metadata: message.usage_metadata })];
  });
  return blocks.some(block => block.isGone && block.kind === "result") ? joined(made) : made;
}

function charactersOf(block) {
  if (block.kind === "text") return block.text.length;
  if (block.kind === "result") return block.text.length + block.id.length;
  if (block.kind !== "call") return 0;
  return 47 + block.name.length + JSON.stringify(block.args).length + block.id.length;
}

/// As countTokensApproximately of LangChain counts: four characters are a token.
const counting = {
  characters(blocks) {
    const sum = blocks.reduce((all, block) => all + charactersOf(block), 0);
    return sum + (blocks.some(block => block.kind === "call") ? 1 : 0);
  },
  tokens: characters => Math.ceil(characters / 4),
  sum: characters => Math.ceil(characters / 4),
};

export const palimpsest = createMiddleware({
  name: "PalimpsestPolicy",
  wrapModelCall: (request, handler) => handler({ ...request, messages: shortened(request.messages) }),
});

