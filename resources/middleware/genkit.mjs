// Applies a policy of Palimpsest before each call of the model: for generate of Genkit 1, in JavaScript.
//
//     const response = await ai.generate({ model, tools, messages, use: [palimpsest] });
//
// The messages of the response stay whole; only the model sees the shortened ones. Every message of the user counts as
// typed, except what Genkit's file system middleware puts in. A result that is not a text is measured and cut as JSON
// with a blank behind each comma and colon. Licence: MIT.

const policy = POLICY;

// --- messages as blocks ---------------------------------------------------------------------------------------------

const isOfModel = message => message.role === "model";
const isPutIn = text =>
  text.startsWith("<read_file path=") || (text.startsWith("Tool \"") && text.slice(0, 400).includes("\" failed: "));

function textOf(output) {
  if (typeof output === "string") return output;
  return JSON.stringify(output, null, 1)?.replace(/,\n */g, ", ").replace(/\n */g, "") ?? "";
}

/// `part` is the place of a block in its message, `inner` its place in the content of a result.
function blocksOf(messages) {
  const blocks = [];
  const open = new Map(); // the ids of calls without a ref, by tool
  let count = 0;
  const idOfCall = ({ ref, name }) => {
    if (ref) return ref;
    const id = `call without ref ${++count}`;
    open.set(name, [...open.get(name) ?? [], id]);
    return id;
  };
  messages.forEach((message, place) => message.content.forEach((part, at) => {
    const add = (kind, more) => blocks.push({ kind, message: place, part: at, isGone: false, ...more });
    const { toolRequest: call, toolResponse: answer, text, reasoning } = part;
    if (call) {
      add("call", { id: idOfCall(call), name: call.name, args: call.input ?? {} });
    } else if (answer) {
      const id = answer.ref || (open.get(answer.name)?.shift() ?? "");
      add("result", { id, name: answer.name, text: textOf(answer.output), isOpen: true });
      const result = blocks.at(-1);
      answer.content?.forEach(({ text: words }, inner) =>
        add(typeof words === "string" ? "text" : "other", { text: words, inner, result }));
    } else if (typeof text === "string") {
      add("text", { text, isTyped: message.role === "user" && !isPutIn(text) });
    } else {
      add(typeof reasoning === "string" ? "thinking" : "other");
    }
  }));
  return blocks;
}

/// A part with what the stages changed. Its blocks are its own one, and those of the content of a result.
function partOf(part, [block, ...inner]) {
  if (block.kind === "call") return { ...part, toolRequest: { ...part.toolRequest, input: block.args } };
  if (block.kind !== "result") return { ...part, text: block.text };
  const answer = { ...part.toolResponse };
  if (block.isChanged) answer.output = block.text;
  for (const each of inner.filter(each => each.isChanged))
    answer.content = answer.content.with(each.inner, { ...answer.content[each.inner], text: each.text });
  return { ...part, toolResponse: answer };
}

function contentOf(message, blocks) {
  return message.content.flatMap((part, at) => {
    const own = blocks.filter(block => block.part === at);
    if (own[0].isGone) return [];
    return [own.some(block => block.isChanged) ? partOf(part, own) : part];
  });
}

/// The messages with what the stages changed. Those that lost all their blocks are left out; the model's or the tools'
/// messages before and behind them become one.
function messagesOf(messages, blocks) {
  const made = [];
  let isBehindGap = false;
  blocksByMessage(messages, blocks).forEach((own, place) => {
    const message = messages[place];
    const isLost = own.length > 0 && own.every(block => block.isGone);
    if (!isLost) {
      const isChanged = own.some(block => block.isGone || block.isChanged);
      const next = isChanged ? { ...message, content: contentOf(message, own) } : message;
      const last = made.at(-1);
      if (isBehindGap && last?.role === next.role && ["model", "tool"].includes(next.role))
        made[made.length - 1] = { ...last, ...next, content: [...last.content, ...next.content] };
      else made.push(next);
    }
    isBehindGap = isLost;
  });
  return made;
}

/// As the recipe for compaction in Genkit counts: four characters of a text are a token.
const counting = {
  characters: blocks => blocks.reduce((all, block) => all + (block.kind === "text" ? lengthOf(block.text) : 0), 0),
  tokens: characters => Math.max(1, Math.floor(characters / 4)),
  sum: characters => Math.floor(characters / 4),
};

export const palimpsest = (request, next) => next({ ...request, messages: shortened(request.messages) });

