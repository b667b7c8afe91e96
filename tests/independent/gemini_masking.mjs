// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// Asks the published package of Gemini CLI which tool results it masks, and writes expected_gemini_masking.tsv, which
// tst_harness_presets holds the preset against:
//
//     npm install --prefix DIR --ignore-scripts @google/gemini-cli@0.61.0
//     node tests/independent/gemini_masking.mjs DIR > tests/independent/expected_gemini_masking.tsv
//
// The package does not export these functions, so the script takes them out of the bundle and runs them. Each row is a
// history: the characters of its results, each behind a call of tool `run`, and the numbers of the masked results.

import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';

const folder = path.join(path.resolve(process.argv[2]), 'node_modules', '@google', 'gemini-cli', 'bundle');
const isIt = text => text.includes('var ToolOutputMaskingService = class');
const bundle = fs.readdirSync(folder).filter(name => name.endsWith('.js'))
  .map(name => fs.readFileSync(path.join(folder, name), 'utf8')).find(isIt);

/// The statement that begins so, up to the line that closes it.
function taken(begin) {
  const from = bundle.indexOf(`\n${begin}`) + 1;
  if (from === 0) throw new Error(`not in the bundle: ${begin}`);
  const end = /\n\}[;)]*\n/g;
  end.lastIndex = from;
  const found = end.exec(bundle);
  return bundle.slice(from, found.index + found[0].length);
}

const constant = name => bundle.match(new RegExp(`\\nvar ${name} = [^\\n]*;\\n`))[0];
const source = [
  constant('DEFAULT_TOOL_PROTECTION_THRESHOLD'), constant('DEFAULT_MIN_PRUNABLE_TOKENS_THRESHOLD'),
  constant('MASKING_INDICATOR_TAG'), constant('TOOL_OUTPUTS_DIR3'), constant('DEFAULT_CHARS_PER_TOKEN'),
  constant('NON_ASCII_TOKENS_PER_CHAR'), constant('MAX_CHARS_FOR_FULL_HEURISTIC'), constant('MAX_RECURSION_DEPTH'),
  'var EXEMPT_TOOLS = new Set(), SHELL_TOOL_NAME = "run_shell_command";',
  taken('function estimateTokenCountSync('), taken('function estimateTextTokens('),
  taken('function estimateFunctionResponseTokens('),
  taken('var ToolOutputMaskingService = class'),
  'result = { ToolOutputMaskingService, DEFAULT_TOOL_PROTECTION_THRESHOLD, DEFAULT_MIN_PRUNABLE_TOKENS_THRESHOLD };',
].join('\n');
const none = () => {};
const world = {
  result: null, Buffer, path68: path, console, Date, Math,
  fsPromises10: { mkdir: async () => none(), writeFile: async () => none() },
  debugLogger: { debug: none, warn: none }, logToolOutputMasking: none, ToolOutputMaskingEvent: class {},
  sanitizeFilenamePart: text => text,
};
vm.runInNewContext(source, world);
const { ToolOutputMaskingService, ...limits } = world.result;
const config = {
  getToolOutputMaskingConfig: async () => ({
    protectLatestTurn: true,
    protectionThresholdTokens: limits.DEFAULT_TOOL_PROTECTION_THRESHOLD,
    minPrunableThresholdTokens: limits.DEFAULT_MIN_PRUNABLE_TOKENS_THRESHOLD,
  }),
  storage: { getProjectTempDir: () => '/tmp' },
  getSessionId: () => 's',
};

let state = 12345;
const random = below => Math.floor(((state = (state * 48271) % 2147483647) / 2147483647) * below);

console.log('results\tmasked');
for (let i = 0; i < 60; ++i) {
  const sizes = Array.from({ length: 2 + random(7) }, () => 4000 * (1 + random(40)) + 400);
  const history = [{ role: 'user', parts: [{ text: 'task' }] }];
  for (const [k, size] of sizes.entries()) {
    history.push({ role: 'model', parts: [{ functionCall: { name: 'run', id: `${k}`, args: {} } }] });
    const response = { output: 'x'.repeat(size) };
    history.push({ role: 'user', parts: [{ functionResponse: { name: 'run', id: `${k}`, response } }] });
  }
  if (i % 2 === 1) history.push({ role: 'model', parts: [{ text: 'done' }] });
  const made = await new ToolOutputMaskingService().mask(history, config);
  const masked = sizes.flatMap((_, k) => (made.newHistory[2 * k + 2] !== history[2 * k + 2] ? [k] : []));
  console.log(`${i % 2 === 1 ? 'answered ' : ''}${sizes.join(' ')}\t${masked.join(' ')}`);
}
