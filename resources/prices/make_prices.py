#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Write resources/prices/prices.json from the npm package @pydantic/genai-prices and corrections.json.

    npm pack @pydantic/genai-prices@0.1.8
    make_prices.py pydantic-genai-prices-0.1.8.tgz            write prices.json and LICENSE
    make_prices.py --check pydantic-genai-prices-0.1.8.tgz    change nothing; fail if a committed file differs

The package holds its data as a JavaScript literal, which `node` evaluates; the package is known by its sha256, another is
refused. Taken are the text models of the providers that coding agents call. The package matches many names by how they begin;
here a name is whole, and only a date or `-latest` may follow it (core/money/prices.h). A correction replaces a model, or with
"add_prices" adds rows to one, and says where it is from.
"""

import hashlib
import io
import json
import re
import subprocess
import sys
import tarfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
PACKAGE = "8c9ba41e46719abc54a0ae4756ba5f2b5a768b8117fb29f40c5ca7ed3146eb5b"
SOURCE = "@pydantic/genai-prices 0.1.8 (2026-09-23)"
PROVIDERS = ("anthropic", "openai", "google", "deepseek", "x-ai", "mistral", "moonshotai", "zai", "zhipuai", "minimax")
QWEN = re.compile(r"^qwen/qwen(3-coder|3-max|3\.\d|-max|-plus)")  # sold by no provider of the package but this one
NO_TEXT = re.compile(r"audio|image|tts|realtime|transcribe|live|embed|moderation|voice|whisper|ocr|davinci|babbage|search|vision|"
                     r"gemma|gpt-3\.5|gpt-4-|gpt-4$|gpt-4-32k|claude-(v|1|2)|claude-instant|gemini-(1|pro)|gemini-flash-1|omni|deep-research|"
                     r"voxtral|saba|pixtral|nemo|mathstral|moonshot-v1|glm-4-|m2-her|^ada$|^curie$|^ft:|\.ft-|:extended|computer-use")
MEMBERS = {
    "input_mtok": "input",
    "output_mtok": "output",
    "cache_read_mtok": "cache_read",
    "cache_write_mtok": "cache_write_5m",
    "cache_write_1h_mtok": "cache_write_1h",
}
EVALUATE = """
const fs = require("fs"); const source = fs.readFileSync(0, "utf8");
const name = /const (\\w+)=\\[\\{id:"anthropic"/.exec(source)[1];
const module_ = { exports: {} };
new Function("exports", "module", "require", source + ";exports.data=" + name)(module_.exports, module_, require);
process.stdout.write(JSON.stringify(module_.exports.data));
"""


def names_of(match):
    """The whole names under which a model is meant; what only contains or ends with a text is left out."""
    if "or" in match or "and" in match:
        return [name for part in match.get("or", match.get("and")) for name in names_of(part)]
    name = match.get("equals") or match.get("starts_with")
    if name is None and re.fullmatch(r"\^[\w.\\/-]+?(-\\d\{8\}|-\\d\{4\}-\\d\{2\}-\\d\{2\})\$", match.get("regex", "")):
        name = re.sub(r"(-\\d.*)$", "", match["regex"][1:]).replace("\\", "")
    return [name.lower()] if name and name[-1] not in "-@" else []


def tiers_of(prices):
    """One entry a step of the prompt's length. Above a step the whole request has its prices, as in the package."""
    taken = {MEMBERS[key]: value for key, value in prices.items() if key in MEMBERS}
    steps = {0} | {tier["start"] for value in taken.values() if isinstance(value, dict) for tier in value["tiers"]}

    def at(value, step):
        if not isinstance(value, dict):
            return value
        return ([value["base"]] + [tier["price"] for tier in value["tiers"] if tier["start"] <= step])[-1]

    tiers = []
    for step in sorted(steps):
        tier = {"above": step} if step else {}
        tier.update((name, at(taken[name], step)) for name in MEMBERS.values() if name in taken)
        tiers.append(tier)
    return tiers


def rows_of(prices):
    rows = []
    for entry in prices if isinstance(prices, list) else [{"prices": prices}]:
        row = {}
        constraint = entry.get("constraint", {})
        if "start_date" in constraint:
            row["from"] = constraint["start_date"]
        if "start_time" in constraint:
            row["hours"] = [constraint["start_time"][:5], constraint["end_time"][:5]]
        row["tiers"] = tiers_of(entry["prices"])
        rows.append(row)
    return rows


def is_text(model, prices):
    rows = prices if isinstance(prices, list) else [{"prices": prices}]
    return not NO_TEXT.search(model["id"].lower()) and all({"input_mtok", "output_mtok"} <= row["prices"].keys() for row in rows)


def models_of(data):
    for provider in data:
        for model in provider["models"]:
            is_qwen = provider["id"] == "openrouter" and QWEN.match(model["id"])
            is_ours = provider["id"] in PROVIDERS and not (provider["id"] == "google" and "claude" in model["id"])
            if not (is_qwen or is_ours) or not is_text(model, model["prices"]):
                continue
            names = list(dict.fromkeys([model["id"].lower()] + names_of(model["match"])))
            if any(":free" in name for name in names):
                continue
            yield {"id": model["id"].lower(), "provider": provider["id"], "names": names, "prices": rows_of(model["prices"])}


def corrected(models, corrections):
    by_id = {model["id"]: model for model in models}
    for correction in corrections["models"]:
        added = correction.get("add_prices")
        if added:
            target = by_id[correction["id"]]
            target["prices"] += added
            target["source"] = correction["source"]
        else:
            by_id[correction["id"]] = correction
    taken = {}
    for model in by_id.values():  # a name belongs to one model; that of the maker comes first
        model["names"] = [name for name in model["names"] if taken.setdefault(name, model["id"]) == model["id"]]
    return sorted(by_id.values(), key=lambda model: (model["provider"], model["id"]))


def document(models, corrections):
    lines = ",\n".join("  " + json.dumps(model, separators=(",", ":")) for model in models)
    head = {"schema": "palimpsest.prices/1", "date": corrections["date"], "source": SOURCE, "currency": "USD", "per_tokens": 1_000_000}
    return json.dumps(head, indent=1)[:-2] + ',\n "models": [\n' + lines + "\n ]\n}\n"


def files(package):
    data = package.read_bytes()
    found = hashlib.sha256(data).hexdigest()
    if found != PACKAGE:
        sys.exit(f"{package.name} is not the package that was pinned: its sha256 is {found}, not {PACKAGE}.")
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        source = archive.extractfile("package/dist/index.cjs").read()
        notice = archive.extractfile("package/LICENSE").read().decode()
    evaluated = subprocess.run(["node", "-e", EVALUATE], input=source, stdout=subprocess.PIPE, check=True).stdout
    corrections = json.loads((FOLDER / "corrections.json").read_text())
    yield "prices.json", document(corrected(models_of(json.loads(evaluated)), corrections), corrections)
    yield "LICENSE", notice


def main(arguments):
    is_check = arguments[:1] == ["--check"]
    if len(arguments) != 1 + is_check:
        sys.exit(__doc__)
    different = []
    for name, text in files(Path(arguments[-1])):
        path = FOLDER / name
        if not is_check:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            different.append(name)
    if different:
        sys.exit("Not as make_prices.py writes them: " + ", ".join(different))


main(sys.argv[1:])
