# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""The evidence figures D14, D18 and D19 over a corpus folder (count_slots.py --evidence DIR).

The definitions under which the published figures come out, all over the 26 files of claude-code/ (without the SDK stream),
each file on its own (copied records of resumed files count in each), sidechains in (there are none), error lines in:
  8,515 records      user and assistant records whose message is an object (one more has the message "error").
  5,269 slots        maximal runs of these in file order, where users share one key and assistants have their message.id:
                     a response whose records do not stand together counts once per run, and a compaction does not end a run.
                     Merged as the API receives them (a response once) they are 4,985; on the paths, with boundaries: slots_life.
  2,492 ids          distinct message.id of assistant records by file (the one absent id counts as one).
  78 not contiguous  of these, ids with more than one run, other user and assistant records only (93 if any record separates).
  17.7 MB, 6.7 MB    toolUseResult, and the message of the same user records, each as JSON with ", ", ": " and ASCII escapes. Against
                     the messages of all user and assistant records the proportion is 17.7 to 14.3 MB, most of that usage and signatures.
  D14                distinct message.id of assistant records; every one of the smaller file stands in the larger.
  D19, calls         distinct message.id in file order without the model "<synthetic>"; a compaction is named after the last call
                     before it, counted from 0 (49 = 50 calls came before it); context = input + cache creation + cache read.
"""
import collections
import glob
import json
import os

from count_slots import is_boundary, json_objects, read_text

RESUMED = ("04-6bdcb08e27", "be-9f77982406", "6d-9f76bd01e9")


def talk(path):
    return [r for _, r in json_objects(read_text(path))[0] if r.get("type") in ("user", "assistant") and isinstance(r.get("message"), dict)]


def calls(path):
    """calls in file order, their contexts, and the compactions among them"""
    context, compactions = {}, []
    for line, r in json_objects(read_text(path))[0]:
        if is_boundary(r):
            compactions.append((line, len(context), r["compactMetadata"]["preTokens"]))
        elif r.get("type") == "assistant" and r["message"].get("model") != "<synthetic>":
            usage, key = r["message"]["usage"], r["message"]["id"]
            size = sum(usage.get(k) or 0 for k in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"))
            context[key] = max(size, context.get(key, 0))
    return list(context.values()), compactions


def report(corpus):
    total, ids = collections.Counter(), {}
    for path in sorted(glob.glob(os.path.join(glob.escape(corpus), "claude-code", "*", "*.jsonl"))):
        records, runs, last, merged, before = talk(path), collections.Counter(), None, set(), None
        for r in records:
            key = "user" if r["type"] == "user" else ("answer", r["message"].get("id"))
            runs[key] += key != last
            last = key
            if key == "user" or key not in merged:
                total["merged"] += key != before
                before = key
                merged.add(key)
        answers = [k for k in runs if k != "user"]
        ids[os.path.basename(path)[:13]] = set(answers)
        total += collections.Counter(records=len(records), slots=runs.total(), ids=len(answers), torn=sum(runs[k] > 1 for k in answers))
        for r in records:
            if "toolUseResult" in r:
                total["results"] += len(json.dumps(r["toolUseResult"]))
                total["messages"] += len(json.dumps(r["message"]))
            total["all messages"] += len(json.dumps(r["message"]))
    print("D14", " < ".join(RESUMED), "shared:",
          ", ".join(f"{len(ids[a] & ids[b])} of {len(ids[a])}" for a, b in zip(RESUMED, RESUMED[1:])))
    print(f"D18 {total['records']:,} records, {total['slots']:,} runs ({total['merged']:,} merged slots), {total['ids']:,} response ids,"
          f" {total['torn']} not contiguous; toolUseResult {total['results']:,}, their messages {total['messages']:,},"
          f" all messages {total['all messages']:,} characters of JSON")
    (path,) = glob.glob(os.path.join(glob.escape(corpus), "claude-code", "*", "cd-95adddad32-0.*"))
    context, compactions = calls(path)
    print(f"D19 cd-95adddad32-0: {len(context)} calls, peak {max(context):,} at call {context.index(max(context))} (from 0)")
    for line, n, before in compactions:
        print(f"    compaction in line {line} after call {n - 1} (from 0; {n} from 1): context {context[n - 1]:,}"
              f" -> {context[n]:,}, preTokens {before:,}, {len(context) - n} calls follow")
