// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// Asks pi's published package where it cuts sessions, and writes expected_pi_cuts.tsv, which tst_pi_cuts holds ours
// against:
//
//     npm install --prefix DIR --ignore-scripts @mariozechner/pi-coding-agent@0.73.1
//     node tests/independent/pi_cuts.mjs DIR CORPUS > tests/independent/expected_pi_cuts.tsv
//
// A session is cut at its end and before every 40th answer. Left out are cuts that keep calls of a response that was
// stopped: pi counts them, and sends them to nobody, so that they stand in no array of ours. The columns: the file, in the corpus or in tests/samples;
// the line of the answer before which is asked, 0 for the end; the tokens to keep; the line of the first entry that
// is kept; and what pi compares with its window, 0 where it has no usage since the last compaction.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [packages, corpus] = process.argv.slice(2);
const folder = path.join(path.resolve(packages), 'node_modules', '@mariozechner', 'pi-coding-agent', 'dist');
const { SessionManager } = await import(pathToFileURL(path.join(folder, 'index.js')));
const { prepareCompaction } = await import(pathToFileURL(path.join(folder, 'core', 'compaction', 'compaction.js')));

const samples = path.join(import.meta.dirname, '..', 'samples');
const copies = fs.mkdtempSync(path.join(os.tmpdir(), 'pi-cuts-')); // pi rewrites files of older versions
const keeps = { corpus: [4000, 8000, 20000], samples: [100, 400, 1500] };

/// Line numbers of the entries, the header aside; lines that are no JSON are left out, as pi does.
function linesOf(file) {
  const lines = [];
  fs.readFileSync(file, 'utf8').split('\n').forEach((line, i) => {
    try {
      if (JSON.parse(line).type !== 'session') lines.push(i + 1);
    } catch {
      // not an entry
    }
  });
  return lines;
}

function hasUsage(entry) {
  const message = entry.message;
  return message?.role === 'assistant' && message.usage && !isStopped(entry);
}

function isStopped(entry) {
  return entry.message?.role === 'assistant' && ['aborted', 'error'].includes(entry.message.stopReason);
}

function* rowsOf(name, file, measures) {
  const copy = path.join(copies, path.basename(file));
  fs.copyFileSync(file, copy);
  const lines = linesOf(file);
  const manager = SessionManager.open(copy);
  const entries = manager.getEntries();
  if (entries.length !== lines.length) throw new Error(`${name}: ${entries.length} entries in ${lines.length} lines`);
  const lineOf = new Map(entries.map((entry, i) => [entry.id, lines[i]]));
  const branch = manager.getBranch();
  const answered = new Set(branch.map(entry => entry.message?.toolCallId));
  const isWhole = lines.at(-1) === fs.readFileSync(file, 'utf8').trimEnd().split('\n').length;
  const answers = branch.flatMap((entry, i) => (hasUsage(entry) && entry.message.content.length > 0 ? [i] : []));
  const ends = answers.filter((_, i) => i > 0 && (i % 40 === 0 || answers.length < 40 || i + 1 === answers.length));
  for (const end of isWhole ? [...ends, branch.length] : ends) {
    const asked = branch.slice(0, end);
    const usage = asked.findLastIndex(hasUsage);
    const isFresh = usage > asked.findLastIndex(entry => entry.type === 'compaction');
    for (const keep of measures) {
      const made = prepareCompaction(asked, { enabled: true, reserveTokens: 16384, keepRecentTokens: keep });
      if (!made) continue;
      const kept = asked.slice(asked.findIndex(entry => entry.id === made.firstKeptEntryId));
      const unsent = part => part.type === 'toolCall' && !answered.has(part.id);
      if (kept.some(entry => isStopped(entry) && entry.message.content.some(unsent))) continue;
      const before = end < branch.length ? lineOf.get(branch[end].id) : 0;
      yield [name, before, keep, lineOf.get(made.firstKeptEntryId), isFresh ? made.tokensBefore : 0];
    }
  }
}

function* filesIn(root, under) {
  for (const entry of fs.readdirSync(path.join(root, under), { recursive: true }).sort())
    if (entry.endsWith('.jsonl')) yield path.join(under, entry);
}

const print = row => console.log(row.join('\t'));
print(['file', 'before', 'keep', 'first', 'tokens']);
for (const row of rowsOf('samples/pi-cuts.jsonl', path.join(samples, 'pi-cuts.jsonl'), keeps.samples)) print(row);
for (const file of filesIn(corpus, 'pi'))
  for (const row of rowsOf(file, path.join(corpus, file), keeps.corpus)) print(row);
fs.rmSync(copies, { recursive: true });
