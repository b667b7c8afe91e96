// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT
//
// Writes counts.tsv, the fixture of tst_exact_counter: how many tokens tiktoken makes of texts that the test makes again.
//
//     npm install tiktoken@1.0.22          (in any folder)
//     node make_counts.mjs FOLDER          write counts.tsv, FOLDER being where that was installed
//     node make_counts.mjs FOLDER --check  change nothing; fail if the committed file differs
//
// A row is a list of texts: its name, and for o200k_base and cl100k_base the sum of the counts and an FNV-1a hash of
// them. Texts are those of tests/pieces, or drawn with a generator that the test has too. o200k_harmony is o200k_base
// with other special tokens, which tiktoken's encode_ordinary does not look for.

import { createRequire } from "node:module";
import fs from "node:fs";
import path from "node:path";

const here = import.meta.dirname;
const folder = path.resolve(process.argv[2]);
const require = createRequire(path.join(folder, "package.json"));
const { get_encoding } = require("tiktoken");
if (JSON.parse(fs.readFileSync(path.join(folder, "node_modules/tiktoken/package.json"), "utf8")).version !== "1.0.22")
    throw new Error("This is not tiktoken 1.0.22, which the fixture is of.");
const encodings = ["o200k_base", "cl100k_base"].map((name) => get_encoding(name));

// --- texts, as in tst_exact_counter.cpp -----------------------------------------------------------------------------

class Draw {
    constructor(seed) { this.state = seed >>> 0; }
    below(count) {
        this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
        return Math.floor((this.state / 2 ** 32) * count);
    }
}

const kContexts = ["*'s ", "a*A", "1* ", "!*x\n", " *\n\n", "*'S*b"];
// Of 4,096 code points: planes 0 and 1, the ends of planes 2 and 3, the tags and selectors of plane 14, some of the others.
const kPages = [...Array.from({ length: 32 }, (_, page) => page), 32, 42, 46, 48, 51, 100, 224, 271];
const kRuns = ["a", "A", "1", " ", "\n", "=", "-", "/", "'", "中", "\u0301", "😀", "─", "\u00a0", "ab", "'s", " \n", "\\", "#", "é"];
const kSizes = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 130, 200, 255, 256, 257, 500, 1000];
const kAscii = "aAbBsStTmMdDlLrReEvV'' \n\r\t/.!-_=(){}[]\";,0123456789";
const kWords = ["it's", "I'LL", "fooBar", "HTTPServer", "  ", "\r\n", "😀", "naïve", "中文", "한국어", "हिन्दी", "ſ", "'ſ", "K'S", "12345",
    "e\u0301", "<|endoftext|>", "<|im_start|>", "\u200d", "\ufeff", "\u0085", "\u2028", "ǅ", "ʰ", "ـ", "٣", "Ⅷ", "½", "\0", "~~~~"];
const kBytes = ["ff", "61ff62", "c3", "e282", "e28261", "f09f98", "f09f9841", "eda080", "61edbfbf62", "eda0bdedb880", "c0af", "f4908080",
    "fffefdfcfb", "e0809f", "ed9fbf", "f0808080", "20ff27732020ff", "e4b8ade4b8", "80808080", "f8888080"];

const codePoint = (code) => (code >= 0xd800 && code < 0xe000 ? "" : String.fromCodePoint(code));
const repeated = (count, make) => Array.from({ length: count }, make).join("");

function pages(context, page) {
    return Array.from({ length: 64 }, (_, row) =>
        repeated(64, (_, i) => context.replaceAll("*", codePoint(page * 4096 + row * 64 + i))));
}

// As a reader decodes them; a lone surrogate in three bytes is one U+FFFD.
function decoded(hex) {
    const bytes = Buffer.from(hex, "hex").toString("latin1").replace(/\xed[\xa0-\xbf][\x80-\xbf]/g, "\xef\xbf\xbd");
    return Buffer.from(bytes, "latin1").toString("utf8");
}

function* rows() {
    const pieces = path.join(here, "..", "pieces");
    for (const name of fs.readdirSync(path.join(pieces, "texts")).sort())
        yield [`file ${name}`, [fs.readFileSync(path.join(pieces, "texts", name), "utf8")]];
    const cases = fs.readFileSync(path.join(pieces, "cases.jsonl"), "utf8").trim().split("\n").map((line) => JSON.parse(line).text);
    for (let i = 0; i < cases.length; i += 100)
        yield [`cases ${i}`, cases.slice(i, i + 100)];
    for (let context = 0; context < kContexts.length; ++context)
        for (const page of kPages)
            yield [`page ${context} ${page}`, pages(kContexts[context], page)];
    for (let run = 0; run < kRuns.length; ++run)
        yield [`run ${run}`, kSizes.flatMap((size) => [kRuns[run].repeat(size), "x" + kRuns[run].repeat(size) + "y"])];
    const drawn = function* (kind, count, longest, part) {
        for (let seed = 1; seed <= 15; ++seed) {
            const draw = new Draw(seed);
            yield [`${kind} ${seed}`, Array.from({ length: count }, () => repeated(1 + draw.below(longest), () => part(draw, seed)))];
        }
    };
    yield* drawn("random", 20, 200, (draw) => codePoint(draw.below(0x110000)));
    yield* drawn("basic", 20, 200, (draw) => codePoint(draw.below(0x3000)));
    yield* drawn("ascii", 20, 300, (draw) => kAscii[draw.below(kAscii.length)]);
    yield* drawn("words", 20, 40, (draw) => kWords[draw.below(kWords.length)]);
    yield* drawn("letters", 4, 1500, (draw, seed) => codePoint(97 + draw.below(1 + (seed % 26))));
    yield* drawn("han", 4, 400, (draw, seed) => codePoint(0x4e00 + draw.below(seed * 500)));
    yield ["bytes", kBytes.map(decoded)];
    const draw = new Draw(7);
    const kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    yield ["base64", [repeated(10_000_000, () => kBase64[draw.below(64)])]];
}

function fnv(counts) {
    let value = 0xcbf29ce484222325n;
    for (const count of counts)
        value = ((value ^ BigInt(count)) * 0x100000001b3n) & 0xffffffffffffffffn;
    return value.toString(16).padStart(16, "0");
}

// --- what tiktoken would take days for ------------------------------------------------------------------------------

// Joins the bytes of one piece by definition, with a heap of the pairs; tiktoken's own loop is quadratic.
function joined(name, piece) {
    const ranks = new Map();
    for (const line of require(`tiktoken/encoders/${name}.json`).bpe_ranks.split("\n")) {
        const [, first, ...tokens] = line.split(" ");
        tokens.forEach((token, i) => ranks.set(Buffer.from(token, "base64").toString("latin1"), Number(first) + i));
    }
    const size = piece.length;
    const next = Int32Array.from({ length: size }, (_, i) => i + 1), before = Int32Array.from({ length: size + 1 }, (_, i) => i - 1);
    const isGone = new Uint8Array(size + 1);
    const rankAt = (i) => (next[i] < size ? ranks.get(piece.slice(i, next[next[i]])) : undefined);
    const heap = [];
    const push = (i) => {
        const rank = rankAt(i);
        if (rank === undefined)
            return;
        heap.push(rank * 2 ** 25 + i);
        for (let k = heap.length - 1; k > 0 && heap[k] < heap[(k - 1) >> 1]; k = (k - 1) >> 1)
            [heap[k], heap[(k - 1) >> 1]] = [heap[(k - 1) >> 1], heap[k]];
    };
    const pop = () => {
        const top = heap[0], last = heap.pop();
        if (heap.length > 0) {
            heap[0] = last;
            for (let k = 0, child; (child = 2 * k + 1) < heap.length; k = child) {
                if (child + 1 < heap.length && heap[child + 1] < heap[child])
                    ++child;
                if (heap[k] <= heap[child])
                    break;
                [heap[k], heap[child]] = [heap[child], heap[k]];
            }
        }
        return top;
    };
    for (let i = 0; i + 1 < size; ++i)
        push(i);
    let count = size;
    while (heap.length > 0) {
        const top = pop(), i = top % 2 ** 25;
        if (isGone[i] || rankAt(i) !== Math.floor(top / 2 ** 25))
            continue;
        isGone[next[i]] = 1;
        next[i] = next[next[i]];
        before[next[i]] = i;
        --count;
        push(i);
        if (before[i] >= 0)
            push(before[i]);
    }
    return count;
}

function* longRows() {
    const names = ["o200k_base", "cl100k_base"];
    for (const size of [1, 8, 9, 3000, 3001])
        names.forEach((name, i) => {
            if (size > 9 && joined(name, "a".repeat(size)) !== encodings[i].encode_ordinary("a".repeat(size)).length)
                throw new Error("joined() does not count as tiktoken does");
        });
    const draw = new Draw(11);
    const letters = repeated(1_000_000, () => codePoint(97 + draw.below(26)));
    yield ["one letter", names.map((name) => [joined(name, "a".repeat(10_000_000))])];
    yield ["random letters", names.map((name) => [joined(name, letters)])];
}

const lines = ["# texts\to200k_base: sum, FNV-1a of the counts\tcl100k_base"];
const add = (name, counts) =>
    lines.push([name, ...counts.map((each) => `${each.reduce((sum, count) => sum + count, 0)} ${fnv(each)}`)].join("\t"));
for (const [name, texts] of rows())
    add(name, encodings.map((encoding) => texts.map((text) => encoding.encode_ordinary(text).length)));
for (const [name, counts] of longRows())
    add(name, counts);
const file = path.join(here, "counts.tsv"), content = lines.join("\n") + "\n";
if (process.argv[3] !== "--check") {
    fs.writeFileSync(file, content);
} else if (fs.readFileSync(file, "utf8") !== content) {
    console.error("counts.tsv is not as make_counts.mjs writes it.");
    process.exit(1);
}
