// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// Runs the module of `policies --as langchain-middleware-js` in an agent of LangChain's own package, and compares the
// messages that its model receives with the array that `compact` writes:
//
//     npm install --prefix DIR --ignore-scripts langchain@1.5.14 @langchain/core@1.2.13
//     node tests/independent/middleware.mjs DIR build/release/bin/palimpsest [SESSION…]
//
// Without a session, it takes three of the repository and one that it makes, with the cases in which a count of
// characters depends on its unit. Each session becomes an array of LangChain first (`compact --policy none --as
// langchain`); both sides begin with that file. It prints a line for each policy and session, and exits with 1 if one
// differs. A policy for which the module leaves out a stage is an error, too.

import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [packages, program, ...given] = process.argv.slice(2);
const folder = path.resolve(packages);
const require = createRequire(path.join(folder, 'x.js'));
const load = async name => import(pathToFileURL(require.resolve(name).replace(/\.cjs$/, '.js')));
const { AIMessage, createAgent, fakeModel, HumanMessage, SystemMessage, ToolMessage } = await load('langchain');

const root = path.resolve(import.meta.dirname, '..', '..');
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'middleware-'));
let failures = 0;

// --- policies -------------------------------------------------------------------------------------------------------

const base = {
  schema: 'palimpsest.policy/1', id: 'mine', name: 'Mine', description: '',
  provenance: { source: 'here', date: '2026', evidence: 'interpretation' },
  view: 'langchain', length_unit: 'code_points', window: 'none', counter: { kind: 'langchain-js' },
  trigger: 'always', keep: '6msg', persistence: 'view',
};
const clip = (stage, more = {}) => ({ stage, cap: 40, preview: 17, ...more });
const clear = (more = {}) => ({ stage: 'clear-tool-uses', ...more });
const policies = {
  'clips arguments': { stages: [clip('clip-arguments')] },
  'clips some arguments of some tools': {
    stages: [clip('clip-arguments', { tools: ['Write'], keys: ['content', 'file_text', 'old_string'], strip: false })],
  },
  'clips results, back to the call': {
    keep: { measure: '7msg', rule: 'within', pairing: 'back' }, stages: [clip('clip-results', { exclude: ['grep'] })],
  },
  'clips results, forward': {
    keep: { measure: '5msg', rule: 'within', pairing: 'forward' }, stages: [clip('clip-results')],
  },
  'clips results, balanced': {
    keep: { measure: '9msg', rule: 'within', pairing: 'balanced' }, stages: [clip('clip-results')],
  },
  'clips texts in UTF-16 units, by turns': {
    length_unit: 'utf16_units', keep: { measure: '1turns', rule: 'within', pairing: 'turn' },
    stages: [clip('clip-texts')],
  },
  'clips texts of the model in bytes': {
    length_unit: 'bytes', keep: '3results', stages: [clip('clip-texts', { typed: false, suffix: '[{n}]' })],
  },
  'truncates results': { stages: [{ stage: 'truncate-results', cap: 60, head: 20, tail: 11 }] },
  'truncates results in bytes': {
    length_unit: 'bytes', stages: [{ stage: 'truncate-results', cap: 60, head: 20, tail: 11, overhead: 7, 'counts-twice': true }],
  },
  'clears old results': { keep: '3results', stages: [clear({ exclude: ['read_file'] })] },
  'clears results and arguments above a trigger': {
    trigger: { at: '12msg', comparator: '>' }, keep: '2results', stages: [clear({ trigger: 'policy', inputs: true })],
  },
  'clears results with a preview': {
    keep: '4msg', stages: [clear({ placeholder: '{tool} {call} {lines}: {preview}', preview: 15 })],
  },
  'clears results by tokens': {
    trigger: { all: ['200tok', '3results'], comparator: '>=' },
    keep: { measure: '150tok', rule: 'within', pairing: 'back' },
    stages: [clear({ trigger: 'policy', protect: 40, 'protect-from': 'keep', worth: 20 })],
  },
  'protects from the end': { keep: '0msg', stages: [clear({ protect: 60, 'protect-from': 'end' })] },
  'keeps by tokens, crossing': {
    keep: { measure: '120tok', rule: 'crossing', pairing: 'none' }, stages: [clip('clip-results')],
  },
  'drops thinking': { stages: [{ stage: 'drop-thinking', turns: 1 }] },
  'elides before the last user': { stages: [{ stage: 'elide', selector: 'before-last-user', rung: 'stub' }] },
  'removes before the last user': { stages: [{ stage: 'elide', selector: 'before-last-user', rung: 'remove' }] },
  'elides every 2 turns': { stages: [{ stage: 'elide', selector: 'every-n-turns', n: 2, rung: 'stub', stub: 'gone' }] },
  'removes all but 2 results': { stages: [{ stage: 'elide', selector: 'older-than-results', n: 2, rung: 'remove' }] },
  'elides by tool': { keep: '4msg', stages: [{ stage: 'elide', selector: 'by-tool', tools: ['bash', 'Read'], rung: 'stub' }] },
  'reminds at the newest message': { stages: [{ stage: 'inject', text: 'Be brief.', place: 'newest-user', n: 2 }] },
  'reminds at each message': { stages: [{ stage: 'inject', text: 'Be brief.', place: 'every-user' }] },
  'reminds at the end': { stages: [{ stage: 'inject', text: 'Be brief.', place: 'last-message' }] },
  'several stages': {
    trigger: '8msg', keep: { measure: '4msg', rule: 'within', pairing: 'back' },
    stages: [clip('clip-arguments'), { stage: 'truncate-results', cap: 80, head: 30, tail: 20 },
      clear({ trigger: 'policy', keep: '3results' }), { stage: 'inject', text: 'Go on.', place: 'first-user' }],
  },
};

// --- sessions -------------------------------------------------------------------------------------------------------

function madeSession() {
  const smiles = '😀'.repeat(25);
  const messages = [];
  let n = 0;
  const human = content => messages.push({ type: 'human', content });
  const use = (name, args, result, content = '') => {
    const id = `call_${++n}`;
    messages.push({ type: 'ai', content, tool_calls: [{ name, args, id, type: 'tool_call' }] });
    messages.push({ type: 'tool', content: result, name, tool_call_id: id, status: 'success' });
  };
  human('Read the notes, please. '.repeat(4));
  use('read_file', { path: 'a.txt', note: `${smiles}  ` }, `eins\r\nzwei\u2028drei ${smiles}`);
  use('write_file', { path: 'b.txt', content: 'x'.repeat(35) + '      y' }, 'done', [
    { type: 'thinking', thinking: 'Should it be longer? '.repeat(3), signature: 'c2ln' }, { type: 'text', text: 'I write it. '.repeat(5) }]);
  messages.push({ type: 'ai', content: 'Both are there. '.repeat(4), tool_calls: [] });
  human(smiles + ' and now the others');
  messages.push({ type: 'ai', content: '', tool_calls: [1, 2, 3].map(i => ({ name: 'grep', args: { pattern: `p${i}` }, id: `many_${i}`, type: 'tool_call' })) });
  for (const i of [1, 2, 3])
    messages.push({ type: 'tool', content: `hit ${i}: ${'ä'.repeat(30)}`, name: 'grep', tool_call_id: `many_${i}`, status: i === 2 ? 'error' : 'success' });
  use('bash', { command: 'ls', much: 'long '.repeat(20) }, '');
  human('Last: run it.');
  use('Read', {}, 'line\n'.repeat(30));
  const file = path.join(work, 'made.json');
  fs.writeFileSync(file, JSON.stringify(messages));
  return file;
}

const palimpsest = (...args) => execFileSync(program, args, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });

function compacted(file, policy) {
  const output = path.join(work, 'out.json');
  fs.rmSync(output, { force: true });
  palimpsest('compact', file, '--policy', policy, '--as', 'langchain', '-o', output);
  return JSON.parse(fs.readFileSync(output, 'utf8'));
}

// --- both sides -----------------------------------------------------------------------------------------------------

function messageOf({ type, ...fields }) {
  const classes = { human: HumanMessage, ai: AIMessage, tool: ToolMessage, system: SystemMessage };
  return new classes[type](fields);
}

/// What a message says, whether it stands as a text or as a list of one.
function plain(message) {
  const type = message.getType ? message.getType() : message.type;
  const parts = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
  return {
    type, content: parts.filter(part => part.type !== 'text' || part.text !== '').map(part => ({ ...part })),
    calls: (message.tool_calls ?? []).map(({ name, args, id }) => ({ name, args, id })),
    result: type === 'tool' ? { name: message.name ?? '', id: message.tool_call_id, status: message.status ?? 'success' } : null,
  };
}

async function received(middleware, messages) {
  const model = fakeModel().respond(new AIMessage('done'));
  await createAgent({ model, tools: [], middleware: [middleware] }).invoke({ messages: messages.map(messageOf) });
  return model.calls[0].messages;
}

/// The module and the policy's file.
async function moduleOf(name, settings, place) {
  const file = path.join(work, `${place}.json`);
  fs.writeFileSync(file, JSON.stringify({ ...base, ...settings }));
  const run = spawnSync(program, ['policies', file, '--as', 'langchain-middleware-js'], { encoding: 'utf8' });
  if (run.status !== 0 || run.stderr !== '') throw new Error(`${name}: ${run.stderr}`);
  const module = path.join(folder, `middleware-${process.pid}-${place}.mjs`); // where it finds the package
  fs.writeFileSync(module, run.stdout);
  const { palimpsest: middleware } = await import(pathToFileURL(module)).finally(() => fs.rmSync(module));
  return { file, middleware };
}

async function compare(name, { file, middleware }, { title, before, messages }) {
  const ours = compacted(before, file).map(plain);
  const theirs = (await received(middleware, messages)).map(plain);
  const at = ours.findIndex((message, i) => JSON.stringify(message) !== JSON.stringify(theirs[i]));
  const isSame = at < 0 && ours.length === theirs.length;
  const isChanged = JSON.stringify(ours) !== JSON.stringify(messages.map(plain));
  failures += isSame ? 0 : 1;
  console.log(`${isSame ? 'same' : 'DIFFERENT'}  ${isChanged ? 'changed  ' : 'unchanged'}  ${name}: ${title}`);
  if (!isSame)
    console.log(`  ${ours.length} and ${theirs.length} messages; at ${at}:\n  ${JSON.stringify(ours[at])}\n  ${JSON.stringify(theirs[at])}`);
}

const samples = path.join(root, 'resources', 'samples');
const files = given.length > 0 ? given : [madeSession(), path.join(samples, 'messages-21.genkit.json'),
  path.join(samples, 'messages-21.claude-code.jsonl'), path.join(root, 'resources', 'manual', 'session.jsonl')];
const sessions = files.map((file, i) => {
  const before = path.join(work, `before-${i}.json`);
  const messages = compacted(file, 'none');
  fs.writeFileSync(before, JSON.stringify(messages));
  return { title: path.basename(file), before, messages };
});
for (const [place, [name, settings]] of Object.entries(policies).entries()) {
  const module = await moduleOf(name, settings, place);
  for (const session of sessions) await compare(name, module, session);
}
fs.rmSync(work, { recursive: true });
process.exit(failures > 0 ? 1 : 0);
