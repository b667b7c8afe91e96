// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// Asks the published packages of Gemini CLI and Cline where the part begins that a compaction keeps, and writes
// expected_kept_spans.tsv, which tst_harness_presets holds the presets against:
//
//     npm install --prefix DIR --ignore-scripts @google/gemini-cli@0.61.0 @cline/core@0.0.86
//     node tests/independent/kept_spans.mjs DIR > tests/independent/expected_kept_spans.tsv
//
// The packages do not export these functions, so the script takes them out of the bundles and runs them. Each row is an
// array as the tests write it (`u` a message of the user, `a` of the model, `t` a result, with its characters), the
// tokens to keep, and the first message that stays; 0: the program does not compact. The last message is the one that
// is about to be sent.

import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';

const packages = path.join(path.resolve(process.argv[2]), 'node_modules');

function textWith(folder, part) {
  return fs.readdirSync(folder).filter(name => name.endsWith('.js'))
    .map(name => fs.readFileSync(path.join(folder, name), 'utf8')).find(text => text.includes(part));
}

function run(source, name) {
  const world = { result: null };
  vm.runInNewContext(`${source}\nresult = ${name};`, world);
  return world.result;
}

const gemini = textWith(path.join(packages, '@google', 'gemini-cli', 'bundle'), 'function findCompressSplitPoint(');
const begin = gemini.indexOf('function findCompressSplitPoint(');
const splitPoint = run(gemini.slice(begin, gemini.indexOf('\n}\n', begin) + 3), 'findCompressSplitPoint');
const share = Number(gemini.match(/\nvar COMPRESSION_PRESERVE_THRESHOLD = ([\d.]+);/)[1]);

// Minified: from the test for a summary to the function that adds up tokens from the end.
const cline = fs.readFileSync(path.join(packages, '@cline', 'core', 'dist', 'index.js'), 'utf8');
const first = cline.match(/function [\w$]+\(\$\)\{return \$\.metadata\?\.kind==="compaction_summary"\}/).index;
const last = cline.match(/function ([\w$]+)\(\$,Z,Q\)\{let J=0,X=\$\.length;for\(let j=\$\.length-1;[^}]*\}/);
const cutIndex = run(cline.slice(first, last.index + last[0].length), last[1]);

let state = 12345;
const random = below => Math.floor(((state = (state * 48271) % 2147483647) / 2147483647) * below);
const drawn = kind => ({ kind, size: 12 * (40 + random(kind === 't' ? 600 : 80)) }); // whole tokens of 3 and 4 characters

/// Turns, the last of which may be under way.
function conversation() {
  const messages = [];
  for (let turns = 1 + random(4); turns > 0; --turns) {
    messages.push(drawn('u'));
    for (let steps = random(6); steps > 0; --steps) messages.push(drawn('a'), drawn('t'));
    messages.push(drawn('a'));
  }
  messages.push(drawn(random(2) === 0 ? 'u' : 't'));
  return messages;
}

const written = messages => messages.map(({ kind, size }) => `${kind}:${size}`).join(' ');
const sizeOf = messages => messages.reduce((sum, { size }) => sum + size, 0);

/// The program measures the JSON of a message: here it is as long as the message.
function geminiContent({ kind, size }, following) {
  const parts = [kind === 't' ? { functionResponse: {} } : { text: 'text' }];
  if (following?.kind === 't') parts.push({ functionCall: {} });
  return { role: kind === 'a' ? 'model' : 'user', parts, toJSON: () => 'x'.repeat(size - 2) };
}

function clineMessage({ kind, size }, following) {
  const content = [kind === 't' ? { type: 'tool_result' } : { type: 'text', text: 'text' }];
  if (following?.kind === 't') content.push({ type: 'tool_use' });
  return { role: kind === 'a' ? 'assistant' : 'user', content, tokens: size / 3 };
}

console.log('preset\tarray\tkeep\tfirst');
for (let i = 0; i < 60; ++i) {
  const messages = conversation();
  const sent = messages.slice(0, -1); // the message that is about to be sent is not in the history yet
  const keep = Math.floor((sizeOf(sent) * share) / 4) + messages.at(-1).size / 4;
  const split = splitPoint(sent.map((each, k) => geminiContent(each, messages[k + 1])), 1 - share);
  console.log(`gemini-cli\t${written(messages)}\t${keep}\t${split}`);
}
for (let i = 0; i < 60; ++i) {
  const messages = conversation();
  const keep = 200 + random(4000);
  const cut = cutIndex(messages.map((each, k) => clineMessage(each, messages[k + 1])), keep, each => each.tokens);
  console.log(`cline-sdk\t${written(messages)}\t${keep}\t${cut}`);
}
