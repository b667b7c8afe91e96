// --- the policy -----------------------------------------------------------------------------------------------------

// A block is a text, thinking, a call, a result, or something that no stage changes. The part above makes blocks of
// messages (`blocksOf`) and messages of changed blocks (`messagesOf`). It knows the messages of the model (`isOfModel`)
// and counts tokens (`counting`).

export function shortened(messages) {
  const blocks = blocksOf(messages);
  for (const stage of policy.stages) {
    if (isReached(stage.trigger, factsOf(messages, blocks))) stages[stage.stage]({ blocks, messages, stage });
  }
  return messagesOf(messages, blocks);
}

/// The blocks of each message.
function blocksByMessage(messages, blocks) {
  const own = messages.map(() => []);
  for (const block of blocks) own[block.message].push(block);
  return own;
}

// --- texts ----------------------------------------------------------------------------------------------------------

const bytesIn = text => new TextEncoder().encode(text).length;
const unitsOf = { code_points: () => 1, utf16_units: sign => sign.length, bytes: bytesIn }[policy.unit];

function lengthOf(text) {
  if (policy.unit === "utf16_units") return text.length;
  let length = 0;
  for (const sign of text) length += unitsOf(sign);
  return length;
}

function headOf(text, count) {
  if (policy.unit === "utf16_units") return text.slice(0, count);
  let taken = 0;
  let at = 0;
  for (const sign of text) {
    taken += unitsOf(sign);
    if (taken > count) break;
    at += sign.length;
  }
  return text.slice(0, at);
}

function tailOf(text, count) {
  if (policy.unit === "utf16_units") return text.slice(Math.max(0, text.length - count));
  let taken = 0;
  let at = text.length;
  for (const sign of [...text].reverse()) {
    taken += unitsOf(sign);
    if (taken > count) break;
    at -= sign.length;
  }
  return text.slice(at);
}

function lineCountOf(text) {
  if (policy.unit !== "code_points") return text.split("\n").length;
  const lines = text.split(/\r\n|[\n-\r\x1c-\x1e\x85\u2028\u2029]/);
  return lines.length - (lines.at(-1) === "" ? 1 : 0);
}

const withoutBlanksBehind = text =>
  text.replace(/[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/u, "");
const filled = (pattern, values) =>
  pattern.replace(/\{([^{}]*)\}/g, (all, name) => Object.hasOwn(values, name) ? values[name] : all);

function clipped(text, stage) {
  const head = headOf(text, stage.preview);
  const suffix = filled(stage.suffix, { n: lengthOf(text).toLocaleString("en-US") });
  return (stage.strip ? withoutBlanksBehind(head) : head) + suffix;
}

/// What a tool does, by the words of its name: `write_file` and `Write` do the same.
function deedOf(tool) {
  const words = tool.replace(/([^A-Z])(?=[A-Z])/g, "$1 ").toLowerCase().split(/[^a-z]+/);
  const strengths = words.map(word => policy.deeds.findIndex(deed => deed.includes(word))).filter(place => place >= 0);
  return strengths.length > 0 ? Math.min(...strengths) : null;
}

const lists = (names, tool) =>
  names.some(name => name === tool || (deedOf(tool) !== null && deedOf(tool) === deedOf(name)));

// --- triggers and keeps ---------------------------------------------------------------------------------------------

function factsOf(messages, blocks) {
  return blocksByMessage(messages, blocks.filter(block => !block.isGone)).map(own => {
    const idsOf = kind => own.filter(block => block.kind === kind).map(block => block.id);
    const answers = idsOf("result");
    const characters = counting.characters(own);
    return {
      characters, tokens: counting.tokens(characters), results: answers.length,
      isTyped: own.some(block => block.isTyped), calls: idsOf("call"), answers,
    };
  });
}

const sumOf = (facts, member) => facts.reduce((sum, fact) => sum + fact[member], 0);

function isReached(trigger, facts) {
  if (trigger === null) return true;
  const values = {
    tokens: counting.sum(sumOf(facts, "characters")), messages: facts.length, results: sumOf(facts, "results"),
    turns: facts.filter(fact => fact.isTyped).length,
  };
  const reaches = ({ value, unit }) => trigger.isAbove ? values[unit] > value : values[unit] >= value;
  return trigger.isAll ? trigger.measures.every(reaches) : trigger.measures.some(reaches);
}

/// The first message of the keep window; 0: nothing is before it.
function cutoffOf(keep, facts) {
  let cut = uncoupledCutoffOf(keep, facts);
  if (keep.rule === "crossing" && cut >= facts.length) return 0;
  const lastTurn = Math.max(0, facts.findLastIndex(fact => fact.isTyped));
  if (keep.pairing === "turn" || keep.pairing === "turn-or-last") {
    const turn = facts.findIndex((fact, at) => at >= cut && fact.isTyped);
    if (cut > 0 && turn < 0 && keep.pairing === "turn-or-last") return lastTurn;
    return cut === 0 || turn < 0 ? 0 : turn;
  }
  if (keep.pairing === "last-turn" && lastTurn > 0) cut = Math.min(cut, lastTurn);
  if (keep.pairing === "none" || cut === 0 || cut >= facts.length || facts[cut].results === 0) return cut;
  let end = facts.findIndex((fact, at) => at >= cut && fact.results === 0);
  if (end < 0) end = facts.length;
  const answered = facts.slice(cut, end).flatMap(fact => fact.answers);
  const call = facts.slice(0, cut).findLastIndex(fact => fact.calls.some(id => answered.includes(id)));
  const isFar = keep.pairing === "balanced" && cut > 2 && (cut - call) * 2 > cut;
  if (keep.pairing !== "forward" && call >= 0 && !isFar) return call;
  const keepsSomething = keep.pairing === "forward" && keep.rule !== "within-or-nothing";
  return keepsSomething && end === facts.length ? 0 : end;
}

function uncoupledCutoffOf({ value, unit, rule }, facts) {
  if (unit === "messages") return Math.max(0, facts.length - value);
  let sum = 0;
  for (let at = facts.length - 1; at >= 0; --at) {
    sum += unit === "turns" ? (facts[at].isTyped ? 1 : 0) : facts[at][unit];
    if (unit !== "tokens") {
      if (sum >= Math.max(1, value)) return value === 0 ? facts.length : at;
    } else if (rule === "crossing" ? sum >= value : sum > value) {
      if (rule === "crossing") return at;
      return at + 1 === facts.length && rule === "within" ? at : at + 1;
    }
  }
  return 0;
}

// --- stages ---------------------------------------------------------------------------------------------------------

function change(block, text) {
  block.text = text;
  block.isChanged = true;
}

/// Puts a text in the place of a result, which is not cleared or truncated again.
function stub(block, text) {
  change(block, text);
  block.isStub = true;
}

/// The blocks before the keep window.
function blocksBefore({ blocks, messages, stage }) {
  const cut = cutoffOf(stage.keep, factsOf(messages, blocks));
  return blocks.filter(block => !block.isGone && block.message < cut);
}

/// The results with the nearest call before each.
function resultsOf(blocks) {
  const calls = new Map();
  const results = [];
  blocks.forEach((block, place) => {
    if (block.isGone) return;
    if (block.kind === "call") calls.set(block.id, block);
    if (block.kind === "result") results.push({ block, place, call: calls.get(block.id) });
  });
  return results;
}

/// How many of the oldest results may go, by their sizes.
function countByLimits(stage, results, count, isMeant) {
  const tokens = results.map(result => isMeant(result) ? counting.tokens(counting.characters([result.block])) : 0);
  if (stage.protect > 0) {
    const end = count;
    let sum = 0;
    let place = stage["protect-from"] === "end" ? results.length : end;
    for (count = 0; place > 0 && count === 0; --place) {
      sum += tokens[place - 1];
      if (sum > stage.protect) count = Math.min(end, place);
    }
  }
  const worth = tokens.slice(0, count).reduce((all, each) => all + each, 0);
  return stage.worth > 0 && worth < stage.worth ? 0 : count;
}

function placeholderOf(stage, { text, id, name }) {
  if (!stage.placeholder.includes("{")) return stage.placeholder;
  const isShort = lengthOf(text) <= 2 * stage.preview;
  const preview = isShort ? text : headOf(text, stage.preview) + stage["preview-cut"] + tailOf(text, stage.preview);
  const made = filled(stage.placeholder, { lines: String(lineCountOf(text)), preview, call: id, tool: name });
  return stage.placeholder.includes("{preview}") && bytesIn(made) >= bytesIn(text) ? null : made;
}

/// Removes a result with its parts, and its call.
function remove(blocks, { block, call }) {
  for (const each of blocks) each.isGone ||= each === block || each.result === block;
  if (call) call.isGone = true;
}

/// The number of blocks before the place up to which a selector acts.
function boundaryOf({ blocks, messages, stage }) {
  const typed = blocks.flatMap((block, place) => !block.isGone && block.isTyped ? [place] : []);
  if (stage.selector === "by-tool") {
    const cut = cutoffOf(stage.keep, factsOf(messages, blocks));
    return blocks.filter(block => block.message < cut).length;
  }
  if (typed.length === 0) return 0;
  if (stage.selector === "before-last-user") return typed.at(-1);
  const n = Math.max(1, stage.n);
  const passes = Math.floor((typed.length - 1) / n);
  return passes === 0 ? 0 : typed[passes * n];
}

const stages = {
  "clip-arguments"(run) {
    const { stage } = run;
    for (const block of blocksBefore(run)) {
      if (block.kind !== "call" || (stage.tools.length > 0 && !lists(stage.tools, block.name))) continue;
      if (typeof block.args !== "object" || Array.isArray(block.args)) continue;
      for (const [key, value] of Object.entries(block.args)) {
        if (typeof value !== "string" || (stage.keys.length > 0 && !stage.keys.includes(key))) continue;
        if (lengthOf(value) <= stage.cap) continue;
        block.args = { ...block.args, [key]: clipped(value, stage) };
        block.isChanged = true;
      }
    }
  },
  "clip-results"(run) {
    for (const block of blocksBefore(run)) {
      const isMeant = block.kind === "result" && block.isOpen && !lists(run.stage.exclude, block.name);
      if (isMeant && lengthOf(block.text) > run.stage.cap) change(block, clipped(block.text, run.stage));
    }
  },
  "clip-texts"(run) {
    for (const block of blocksBefore(run)) {
      if (block.kind !== "text" || lengthOf(block.text) <= run.stage.cap) continue;
      const isModel = isOfModel(run.messages[block.message]);
      if (isModel ? run.stage.model : run.stage.typed || !block.isTyped) change(block, clipped(block.text, run.stage));
    }
  },
  "truncate-results"({ blocks, stage }) {
    for (const block of blocks) {
      if (block.isGone || block.kind !== "result" || !block.isOpen || block.isStub) continue;
      const length = lengthOf(block.text);
      if (length * (stage["counts-twice"] ? 2 : 1) + stage.overhead <= stage.cap) continue;
      if (stage["exempts-fetch"] && block.name === stage["fetch-tool"]) continue;
      if (length <= stage.head + stage.tail) continue;
      const start = headOf(block.text, stage.head);
      const end = tailOf(block.text, stage.tail);
      const n = String(length - lengthOf(start) - lengthOf(end));
      change(block, start + filled(stage.marker, { n }) + end);
    }
  },
  "clear-tool-uses"({ blocks, messages, stage }) {
    const results = resultsOf(blocks);
    const cut = stage.keep.unit === "results" ? messages.length : cutoffOf(stage.keep, factsOf(messages, blocks));
    const kept = stage.keep.unit === "results" ? stage.keep.value : 0;
    const isMeant = ({ block, call }) => block.isOpen && !block.isStub && call && !lists(stage.exclude, call.name);
    let count = 0;
    while (count + kept < results.length && results[count].block.message < cut) ++count;
    count = countByLimits(stage, results, count, isMeant);
    for (const result of results.slice(0, count)) {
      const text = isMeant(result) ? placeholderOf(stage, result.block) : null;
      if (text === null) continue;
      stub(result.block, text);
      const hasArguments = !result.call.isGone && Object.keys(result.call.args).length > 0;
      if (stage.inputs && hasArguments) Object.assign(result.call, { args: {}, isChanged: true });
    }
  },
  "drop-thinking"({ blocks, messages, stage }) {
    const typed = new Set(blocks.filter(block => block.isTyped).map(block => block.message));
    const turns = [...typed].sort((a, b) => b - a);
    const end = stage.turns === 0 ? messages.length : turns[stage.turns - 1] ?? 0;
    for (const block of blocks) {
      if (block.kind === "thinking" && block.message < end) block.isGone = true;
    }
  },
  "elide"(run) {
    const { blocks, stage } = run;
    const results = resultsOf(blocks);
    const isOlder = stage.selector === "older-than-results";
    const boundary = isOlder ? Infinity : boundaryOf(run);
    const meant = isOlder ? results.slice(0, Math.max(0, results.length - stage.n))
                          : results.filter(result => result.place < boundary);
    for (const result of meant) {
      const { block } = result;
      if (block.isStub || (stage.selector === "by-tool" && !lists(stage.tools, block.name))) continue;
      if (stage.rung === "remove") remove(blocks, result);
      else if (block.isOpen && lengthOf(stage.stub) < lengthOf(block.text)) stub(block, stage.stub);
    }
  },
  "inject"({ blocks, stage }) {
    const heads = blocks.filter(block => block.isTyped);
    const last = blocks.findLast(block => block.isTyped || block.kind === "result");
    const first = Math.floor((heads.length - 1) / Math.max(1, stage.n)) * Math.max(1, stage.n);
    const meant = stage.place === "every-user" ? heads : stage.place === "first-user" ? heads.slice(0, 1)
      : stage.place === "last-message" ? (last ? [last] : []) : heads.slice(Math.max(0, first));
    for (const block of meant) {
      if (!block.isGone && block.isOpen !== false) change(block, `${block.text}\n\n${stage.text}`);
    }
  },
};
