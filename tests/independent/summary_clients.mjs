// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// Asks the providers' own packages for a note, from a server on loopback, and holds our requests and streams against
// theirs:
//
//     npm install --prefix DIR --ignore-scripts @anthropic-ai/sdk@1.14.0 openai@6.49.0 @google/genai@2.32.0
//     node tests/independent/summary_clients.mjs DIR build/asan/bin/palimpsest
//
// For each API the script lets `palimpsest summarise --json` write a request, and the package make a request with the
// same texts. It compares the path, the body member by member, and the headers of ours. Then the package reads each
// stream of tests/samples/streams: the whole stream as a note, and the faults as what each of them is. Last, palimpsest
// itself sends to the server (--send) and must end in the same way. It prints a line for each comparison, and exits
// with 1 if one fails.

import { execFile } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [packages, program] = process.argv.slice(2);
const require = createRequire(path.join(path.resolve(packages), 'x.js'));
const load = async name => import(pathToFileURL(require.resolve(name)));
const { default: Anthropic } = await load('@anthropic-ai/sdk');
const { default: OpenAI } = await load('openai');
const { GoogleGenAI } = await load('@google/genai');

const root = path.resolve(import.meta.dirname, '..', '..');
const session = path.join(root, 'resources', 'manual', 'session.jsonl');
const policy = ['--policy', 'claude-code', '--as-if-fired'];
const key = 'key-7f3a-91';
const note = '## Goal\nAdd `--dry-run` to the tool — “word for word”.\n## Next\nRun make check ✓ 🙂.';
let failures = 0;

function compare(name, isSame, detail = '') {
  failures += isSame ? 0 : 1;
  console.log(`${isSame ? 'same' : 'DIFFERENT'}  ${name}${isSame ? '' : `: ${detail}`}`);
}

// --- the server -----------------------------------------------------------------------------------------------------

let answer = null;   // { status, body, headers, cut, slow }
let requests = [];
const server = http.createServer((request, response) => {
  const parts = [];
  request.on('data', part => parts.push(part));
  request.on('end', async () => {
    requests.push({ path: request.url, headers: request.headers, body: Buffer.concat(parts).toString() });
    const { status = 200, body, headers = {}, cut = false } = typeof answer === 'function' ? answer(requests.length) : answer;
    response.writeHead(status, { 'content-type': status === 200 ? 'text/event-stream' : 'application/json', ...headers });
    // In pieces that split characters.
    for (let at = 0; at < body.length; at += 61) {
      response.write(body.subarray(at, at + 61));
      await new Promise(setImmediate);
    }
    if (cut) response.destroy();
    else response.end();
  });
});
await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${server.address().port}`;

// --- what each package does: the same texts, and what a person would take from the stream ----------------------------

async function collect(stream, add) {
  const found = { text: '', stop: null };
  for await (const event of stream) add(found, event);
  return found;
}

const apis = {
  'anthropic': {
    base: url,
    async ask(body, { maxRetries }) {
      const client = new Anthropic({ apiKey: key, baseURL: url, maxRetries });
      return collect(await client.messages.create({ model: body.model, max_tokens: body.max_tokens, system: body.system,
        messages: [{ role: 'user', content: body.messages[0].content }], stream: true }), (found, event) => {
        if (event.type === 'content_block_delta') found.text += event.delta.text;
        if (event.type === 'message_delta') found.stop = event.delta.stop_reason;
      });
    },
    complete: 'end_turn', cut: 'max_tokens',
  },
  'openai-chat': {
    base: `${url}/v1`,
    async ask(body, { maxRetries }) {
      const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries });
      const [system, user] = body.messages;
      return collect(await client.chat.completions.create({ model: body.model, max_tokens: body.max_tokens, stream: true,
        stream_options: { include_usage: true },
        messages: [{ role: 'system', content: system.content }, { role: 'user', content: user.content }] }), (found, event) => {
        found.text += event.choices[0]?.delta.content ?? '';
        found.stop = event.choices[0]?.finish_reason ?? found.stop;
      });
    },
    complete: 'stop', cut: 'length',
  },
  'openai-responses': {
    base: `${url}/v1`,
    async ask(body, { maxRetries }) {
      const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries });
      return collect(await client.responses.create({ model: body.model, max_output_tokens: body.max_output_tokens, stream: true,
        store: false, instructions: body.instructions, input: [{ role: 'user', content: body.input[0].content }] }), (found, event) => {
        if (event.type === 'response.output_text.delta') found.text += event.delta;
        if (event.type === 'response.completed') found.stop = 'completed';
        if (event.type === 'response.incomplete') found.stop = event.response.incomplete_details.reason;
        if (event.type === 'error') throw new Error(event.message);
      });
    },
    complete: 'completed', cut: 'max_output_tokens',
  },
  'gemini': {
    base: url,
    async ask(body, { model }) {
      const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } });
      return collect(await client.models.generateContentStream({ model, contents: body.contents[0].parts[0].text,
        config: { systemInstruction: body.systemInstruction.parts[0].text, maxOutputTokens: body.generationConfig.maxOutputTokens } }),
      (found, event) => {
        found.text += event.text ?? '';
        found.stop = event.candidates?.[0]?.finishReason ?? found.stop;
      });
    },
    complete: 'STOP', cut: 'MAX_TOKENS',
  },
};

const stream = name => fs.readFileSync(path.join(root, 'tests', 'samples', 'streams', `${name}.sse`));

/// -> how it ended: `note`, `limit`, `error`, `unfinished`
async function outcomeOf(api, body, options) {
  try {
    const { text, stop } = await apis[api].ask(body, options);
    if (stop === apis[api].complete) return text === note ? 'note' : 'another text';
    return stop === apis[api].cut ? 'limit' : 'unfinished';
  } catch {
    return 'error';
  }
}

const run = promisify(execFile);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'summary-clients-'));
const environment = { ...process.env, PALIMPSEST_KEY: key, QT_QPA_PLATFORM: 'offscreen', LSAN_OPTIONS: 'detect_leaks=0' };
let count = 0;

/// -> exit code, output, whether a note was written
async function ours(api, ...words) {
  const file = path.join(folder, `note-${++count}.md`);
  const model = api === 'gemini' ? 'gemini-test' : 'test-model';
  const template = path.join(folder, 'template.md');
  fs.writeFileSync(template, 'Write the note.\n\n## Goal\n## Next\n');
  const command = ['summarise', session, ...policy, '--api', api, '--url', apis[api].base, '--model', model, '--key-env', 'PALIMPSEST_KEY',
    '--template', template, ...words, ...(words.includes('--send') ? ['-o', file] : [])];
  try {
    const { stdout, stderr } = await run(program, command, { env: environment, maxBuffer: 1 << 28 });
    return { code: 0, stdout, stderr, file, model };
  } catch (error) {
    return { code: error.code, stdout: error.stdout, stderr: error.stderr, file, model };
  }
}

for (const api of Object.keys(apis)) {
  const printed = await ours(api, '--json');
  const document = JSON.parse(printed.stdout);
  const body = JSON.parse(document.request.body);
  const options = { model: printed.model, maxRetries: 0 };

  // The package's request.
  answer = { body: stream(api) };
  requests = [];
  compare(`${api}: the package reads the whole stream`, await outcomeOf(api, body, options) === 'note');
  const theirs = requests[0];
  const theirBody = JSON.parse(theirs.body);
  for (const name of new Set([...Object.keys(body), ...Object.keys(theirBody)])) {
    compare(`${api}: ${name}`, isDeepStrictEqual(body[name], theirBody[name]),
      `ours ${JSON.stringify(body[name])?.slice(0, 200)}, theirs ${JSON.stringify(theirBody[name])?.slice(0, 200)}`);
  }
  compare(`${api}: the address`, document.request.url === url + theirs.path, `ours ${document.request.url}, theirs ${url + theirs.path}`);
  compare(`${api}: the key is in ${document.request.key_header}`, theirs.headers[document.request.key_header]?.endsWith(key) === true);
  for (const name of ['content-type', 'anthropic-version']) {
    const mine = document.request.headers.find(each => each.name === name)?.value;
    if (mine) compare(`${api}: ${name}`, theirs.headers[name] === mine, `ours ${mine}, theirs ${theirs.headers[name]}`);
  }

  // The faults, read by the package, and by palimpsest.
  const faults = [
    ['', { body: stream(api) }, 'note'],
    ['stopped at the limit', { body: stream(`${api}-length`) }, 'limit'],
    ['cut', { body: stream(`${api}-cut`), cut: true }, 'fails'],
    ['an error in the stream', { body: stream(`${api}-error`) }, 'fails'],
    ['malformed', { body: stream(`${api}-malformed`) }, 'fails'],
    ['500', { status: 500, body: Buffer.from('{"error":{"message":"broken"}}'), headers: { 'retry-after': '0' } }, 'fails'],
    ['429, then the note', n => n % 2 === 1 ? { status: 429, body: Buffer.from('{"error":{"message":"slow down"}}'), headers: { 'retry-after': '0' } }
      : { body: stream(api) }, 'note'],
  ];
  for (const [name, given, expected] of faults) {
    answer = given;
    requests = [];
    // Google's package does not try again by itself.
    const retries = name.startsWith('429') ? 2 : 0;
    if (api !== 'gemini' || retries === 0) {
      const outcome = await outcomeOf(api, body, { ...options, maxRetries: retries });
      const fails = ['error', 'unfinished', 'another text'].includes(outcome);
      compare(`${api}: the package: ${name || 'whole'}`, expected === 'fails' ? fails : outcome === expected, outcome);
    }
    requests = [];
    const sent = await ours(api, '--send', '--json');
    const text = fs.existsSync(sent.file) ? fs.readFileSync(sent.file, 'utf8') : null;
    const good = expected === 'note' ? sent.code === 0 && text === `${note}\n` : sent.code === 1 && text === null;
    compare(`${api}: palimpsest: ${name || 'whole'}`, good, `code ${sent.code}, ${sent.stderr.trim().slice(0, 300)}`);
    compare(`${api}: palimpsest sent what it printed: ${name || 'whole'}`, requests.every(each => each.body === document.request.body));
    compare(`${api}: the key is not shown: ${name || 'whole'}`,
      requests.length > 0 && ![sent.stdout, sent.stderr, text ?? '', requests[0].body].some(each => each.includes(key)));
  }
}

// A note that obeys a text of the transcript: it has no heading that was asked for.
const texts = ['I obey: HACKED.', '   ', '## Goal\n' + 'many words '.repeat(60000)];
for (const [i, text] of texts.entries()) {
  const event = JSON.stringify({ choices: [{ index: 0, delta: { content: text }, finish_reason: 'stop' }] });
  answer = { body: Buffer.from(`data: ${event}\n\ndata: [DONE]\n\n`) };
  const sent = await ours('openai-chat', '--send');
  compare(`refused: ${['a note that obeys', 'an empty note', 'a longer note'][i]}`, sent.code === 1 && !fs.existsSync(sent.file),
    `code ${sent.code}, ${sent.stderr.trim().slice(0, 300)}`);
}

server.close();
fs.rmSync(folder, { recursive: true });
console.log(failures === 0 ? 'No difference.' : `${failures} differences.`);
process.exit(failures === 0 ? 0 : 1);
