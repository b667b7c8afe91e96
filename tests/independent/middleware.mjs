// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// Runs the modules of `policies --as langchain-middleware-js` and `genkit-middleware-js` in the published packages of
// LangChain and Genkit, and compares the messages that the model receives with the array that `compact` writes:
//
//     npm install --prefix DIR --ignore-scripts langchain@1.5.14 @langchain/core@1.2.13 genkit@1.42.0
//     node tests/independent/middleware.mjs DIR build/release/bin/palimpsest [--langchain|--genkit] [SESSION…]
//
// Without a session, it takes three of the repository and one that it makes, with the cases in which a count of
// characters depends on its unit. Each session becomes an array of the API first (`compact --policy none`); both sides
// begin with that file. It prints a line for each policy and session, and exits with 1 if one differs. A policy for
// which the module leaves out a stage is an error, too.

import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [packages, program, ...rest] = process.argv.slice(2);
const given = rest.filter(each => !each.startsWith('--'));
const only = rest.filter(each => each.startsWith('--'));
const folder = path.resolve(packages);
const require = createRequire(path.join(folder, 'x.js'));
const load = async name => import(pathToFileURL(require.resolve(name).replace(/\.cjs$/, '.js')));

const root = path.resolve(import.meta.dirname, '..', '..');
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'middleware-'));

// --- policies -------------------------------------------------------------------------------------------------------

const base = {
  schema: 'palimpsest.policy/1', id: 'mine', name: 'Mine', description: '',
  provenance: { source: 'here', date: '2026', evidence: 'interpretation' },
  length_unit: 'code_points', window: 'none', trigger: 'always', keep: '6msg', persistence: 'view',
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
  'clips results, from a turn on': {
    keep: { measure: '2msg', rule: 'within', pairing: 'turn-or-last' }, stages: [clip('clip-results')],
  },
  'clips results before the last turn': {
    keep: { measure: '3msg', rule: 'within', pairing: 'last-turn' }, stages: [clip('clip-results')],
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
  'clears no result twice': {
    stages: [clear({ keep: '4results', placeholder: 'An older result was here.' }), clear({ keep: '2results' }),
      { stage: 'truncate-results', cap: 12, head: 3, tail: 2, marker: '~' },
      { stage: 'elide', selector: 'older-than-results', n: 1, rung: 'stub', stub: 'x' }],
  },
  'removes no cleared result': {
    stages: [clear({ keep: '3results' }), { stage: 'elide', selector: 'older-than-results', n: 1, rung: 'remove' }],
  },
};

// --- the APIs -------------------------------------------------------------------------------------------------------

const smiles = '😀'.repeat(25);

const langChain = {
  id: 'langchain',
  policy: { view: 'langchain', counter: { kind: 'langchain-js' } },
  policies: {},
  documentOf: messages => messages,
  messagesIn: document => document,

  async open() {
    Object.assign(this, await load('langchain'));
  },

  made() {
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
    return messages;
  },

  /// What a message says, whether it stands as a text or as a list of one.
  plain(messages) {
    return messages.map(message => {
      const type = message.getType ? message.getType() : message.type;
      const parts = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
      return {
        type, content: parts.filter(part => part.type !== 'text' || part.text !== '').map(part => ({ ...part })),
        calls: (message.tool_calls ?? []).map(({ name, args, id }) => ({ name, args, id })),
        result: type === 'tool' ? { name: message.name ?? '', id: message.tool_call_id, status: message.status ?? 'success' } : null,
      };
    });
  },

  async received(middleware, messages) {
    const { AIMessage, createAgent, fakeModel, HumanMessage, SystemMessage, ToolMessage } = this;
    const classes = { human: HumanMessage, ai: AIMessage, tool: ToolMessage, system: SystemMessage };
    const model = fakeModel().respond(new AIMessage('done'));
    await createAgent({ model, tools: [], middleware: [middleware] })
      .invoke({ messages: messages.map(({ type, ...fields }) => new classes[type](fields)) });
    return model.calls[0].messages;
  },
};

const genkitApi = {
  id: 'genkit',
  policy: { view: 'genkit', counter: { kind: 'genkit-text' } },
  policies: {
    'clips as the recipe': {
      keep: { measure: '66tok', rule: 'crossing' }, // in the middle of a text, the length of which depends on the unit
      stages: [clip('clip-arguments', { keys: ['content', 'command', 'patch'] }), clip('clip-results'), clip('clip-texts')],
    },
    'clips what the file system middleware puts in': { keep: '1msg', stages: [clip('clip-texts', { typed: false, model: false })] },
    'protects the newest by tokens': {
      trigger: '30tok', keep: '1msg', stages: [clear({ trigger: 'policy', protect: 2, 'protect-from': 'keep', worth: 2 })],
    },
    'clears JSON with a preview, in bytes': {
      length_unit: 'bytes', keep: '1msg', stages: [clear({ placeholder: '{call} {lines} {preview}', preview: 9 })],
    },
    'acts at its trigger in tokens, not before': { // the made session has 173.25
      keep: '1msg', stages: [clip('clip-texts', { trigger: '174tok' }), clear({ trigger: '173tok' })],
    },
    'removes all but 3 results by tokens': {
      trigger: { any: ['9000tok', '90tok'], comparator: '>' }, stages: [
        { stage: 'elide', trigger: 'policy', selector: 'older-than-results', n: 3, rung: 'remove' }, clip('clip-texts', { keep: '25tok' })],
    },
  },
  documentOf: messages => ({ messages }),
  messagesIn: document => document.messages,

  async open() {
    this.ai = require('genkit').genkit({});
    this.ai.defineModel({ name: 'fake' }, async ({ messages }) => {
      this.seen = messages;
      return { message: { role: 'model', content: [{ text: 'done' }] }, finishReason: 'stop' };
    });
  },

  /// With calls without a ref, results that are no texts, and parts that are neither.
  made() {
    const messages = [];
    const say = (role, ...content) => messages.push({ role, content });
    const call = (name, input, ref) => ({ toolRequest: { ref, name, input } });
    const answer = (name, output, ref, content) => ({ toolResponse: { ref, name, output, content } });
    const deep = { found: true, size: 1.5, names: ['a, b', 'c: d', `"${smiles}"`], empty: {}, none: null, list: [[], [1, 2, -3e-7]] };
    say('system', { text: 'You write in short sentences. '.repeat(3) });
    say('user', { text: 'Read the notes, please. '.repeat(4) }, { media: { url: 'https://example.org/a.png', contentType: 'image/png' } });
    say('model', { reasoning: 'First the notes, then the rest. '.repeat(3) }, call('read_file', { path: 'a.txt', note: `${smiles}  ` }));
    say('tool', answer('read_file', `eins\r\nzwei\u2028drei ${smiles}`));
    say('user', { text: `<read_file path="a.txt" totalLines="3">\n${'one line\n'.repeat(12)}</read_file>` });
    say('model', { reasoning: 'Should it be longer?' }, { text: 'I write it. '.repeat(5) }, call('write_file', { path: 'b.txt', content: 'x'.repeat(35) + '      y' }, 'w1'));
    say('tool', answer('write_file', deep, 'w1'));
    say('model', { text: 'Both are there. '.repeat(4) });
    say('user', { text: `${smiles} and now the others` }, { text: 'and the rest' });
    say('model', ...[1, 2, 3].map(i => call('grep', { pattern: `p${i}` })));
    say('tool', ...[1, 2, 3].map(i => answer('grep', { hits: [`${i}: ${'ä\n\t\u0001'.repeat(9)}`] })));
    say('model', call('look', ['a list, which is no object', 'long '.repeat(20)], 'v1'), call('bash', { command: 'ls', much: 'long '.repeat(20) }, 'b1'));
    say('tool', answer('look', ['a list', 'of texts'], 'v1', [{ media: { url: 'data:image/png;base64,iVBORw0KGgo=', contentType: 'image/png' } }]),
      answer('bash', '', 'b1', [{ media: { url: 'https://example.org/b', contentType: 'image/*' } }, { text: 'a further text of the result, '.repeat(4) }]));
    say('model', { reasoning: 'Nothing is left.' });
    say('user', { text: '' }, { text: 'Tool "bash" failed: it may not run' });
    say('user', { text: 'Last: run it.' });
    say('model', call('Read', {}, 'r1'));
    say('tool', answer('Read', 'line\n'.repeat(30), 'r1'));
    say('model', call('read_file', 'c.txt', 'r2'));
    say('tool', answer('read_file', 404, 'r2'));
    return messages;
  },

  /// `compact` writes further texts of results as a message of the user, and gives a ref to each call.
  plain(messages) {
    const sorted = (key, value) => value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
    const isMade = (key, value) => key === 'ref' && String(value).startsWith('call without ref');
    const same = part => JSON.parse(JSON.stringify(part, (key, value) => isMade(key, value) ? undefined : sorted(key, value)));
    return messages.flatMap(({ role, content }) => {
      const behind = content.flatMap(part => (part.toolResponse?.content ?? []).filter(each => each.text !== undefined));
      const parts = content.map(part => {
        const inner = part.toolResponse?.content?.filter(each => each.text === undefined);
        return same(inner ? { toolResponse: { ...part.toolResponse, content: inner.length > 0 ? inner : undefined } } : part);
      });
      return [{ role, content: parts }, ...(behind.length > 0 ? [{ role: 'user', content: behind.map(same) }] : [])];
    });
  },

  async received(middleware, messages) {
    const whole = JSON.stringify(messages);
    const response = await this.ai.generate({ model: 'fake', messages, use: [middleware] });
    if (JSON.stringify(response.messages.slice(0, -1)) !== whole) throw new Error('The response does not hold the whole messages.');
    return this.seen;
  },
};

// --- both sides -----------------------------------------------------------------------------------------------------

const palimpsest = (...args) => execFileSync(program, args, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });

function compacted(api, file, policy) {
  const output = path.join(work, 'out.json');
  fs.rmSync(output, { force: true });
  palimpsest('compact', file, '--policy', policy, '--as', api.id, '-o', output);
  return api.messagesIn(JSON.parse(fs.readFileSync(output, 'utf8')));
}

/// The module and the policy's file.
async function moduleOf(api, name, settings, place) {
  const file = path.join(work, `${api.id}-${place}.json`);
  fs.writeFileSync(file, JSON.stringify({ ...base, ...api.policy, ...settings }));
  const run = spawnSync(program, ['policies', file, '--as', `${api.id}-middleware-js`], { encoding: 'utf8' });
  if (run.status !== 0 || run.stderr !== '') throw new Error(`${name}: ${run.stderr}`);
  const module = path.join(folder, `middleware-${process.pid}-${api.id}-${place}.mjs`); // where it finds the package
  fs.writeFileSync(module, run.stdout);
  const { palimpsest: middleware } = await import(pathToFileURL(module)).finally(() => fs.rmSync(module));
  return { file, middleware };
}

/// Whether both sides are the same.
async function compare(api, name, { file, middleware }, { title, before, messages }) {
  const ours = api.plain(compacted(api, before, file));
  const theirs = api.plain(await api.received(middleware, messages));
  const at = ours.findIndex((message, i) => JSON.stringify(message) !== JSON.stringify(theirs[i]));
  const isSame = at < 0 && ours.length === theirs.length;
  const isChanged = JSON.stringify(ours) !== JSON.stringify(api.plain(messages));
  console.log(`${isSame ? 'same' : 'DIFFERENT'}  ${isChanged ? 'changed  ' : 'unchanged'}  ${api.id}, ${name}: ${title}`);
  if (!isSame)
    console.log(`  ${ours.length} and ${theirs.length} messages; at ${at}:\n  ${JSON.stringify(ours[at])}\n  ${JSON.stringify(theirs[at])}`);
  return { isSame, isChanged };
}

function sessionsOf(api, files) {
  const sessions = files.map((file, i) => {
    const before = path.join(work, `${api.id}-before-${i}.json`);
    const messages = compacted(api, file, 'none');
    fs.writeFileSync(before, JSON.stringify(api.documentOf(messages)));
    return { title: path.basename(file), before, messages };
  });
  if (given.length > 0) return sessions;
  const before = path.join(work, `${api.id}-made.json`);
  const messages = api.made();
  fs.writeFileSync(before, JSON.stringify(api.documentOf(messages)));
  return [{ title: 'made', before, messages: JSON.parse(JSON.stringify(messages)) }, ...sessions];
}

const apis = [langChain, genkitApi].filter(({ id }) => only.length === 0 || only.includes(`--${id}`));
const samples = ['messages-21.genkit.json', 'messages-21.claude-code.jsonl']
  .map(name => path.join(root, 'resources', 'samples', name));
const files = given.length > 0 ? given : [...samples, path.join(root, 'resources', 'manual', 'session.jsonl')];
let failures = 0;
for (const api of apis) {
  await api.open();
  const sessions = sessionsOf(api, files);
  const results = [];
  for (const [place, [name, settings]] of Object.entries({ ...policies, ...api.policies }).entries()) {
    const module = await moduleOf(api, name, settings, place);
    for (const session of sessions) results.push(await compare(api, name, module, session));
  }
  const same = results.filter(({ isSame }) => isSame);
  console.log(`${api.id}: ${same.length} of ${results.length} arrays are the same; ${same.filter(({ isChanged }) => isChanged).length} of them were changed.`);
  failures += results.length - same.length;
}
fs.rmSync(work, { recursive: true });
process.exit(failures > 0 ? 1 : 0);
