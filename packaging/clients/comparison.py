# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
"""Holds the array that Palimpsest shows against the array that a client sent."""

import collections
import dataclasses
import difflib


@dataclasses.dataclass
class Comparison:
    blocks: int  # of the array that Palimpsest shows
    equal: int = 0
    by_rule: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    differences: list = dataclasses.field(default_factory=list)  # sentences

    @property
    def is_equal(self):
        return not self.differences


def compare(shown, sent, rules, session):
    """`shown` and `sent` are lists of items. Every item of either list is equal to one of the other list, at its place
    in the order, or a rule explains it, or it is a difference."""
    comparison = Comparison(len(shown))
    matcher = difflib.SequenceMatcher(None, shown, sent, autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            comparison.equal += b - a
        else:
            explain(shown[a:b], sent[c:d], rules, session, comparison)
    return comparison


def explain(shown, sent, rules, session, comparison):
    """What stands at one place of one array and not of the other."""
    for item in list(sent):
        rule, place, count = rewriting(shown, item, rules)
        if rule:
            comparison.by_rule[rule] += 1
            del shown[place : place + count]
            sent.remove(item)
    for items, kind in ((shown, "missing"), (sent, "added")):
        for item in items:
            rule = next((rule for rule in rules if getattr(rule, kind) and getattr(rule, kind)(item, session)), None)
            if rule:
                comparison.by_rule[rule] += 1
            else:
                comparison.differences.append(f"{kind} in what was sent: {item}")


def rewriting(shown, item, rules):
    """The rule after which `item` was sent instead of some of `shown`, with the place and the number of these."""
    for place in range(len(shown)):
        for rule in rules:
            count = rule.rewritten(shown[place:], item) if rule.rewritten else 0
            if count:
                return rule, place, count
    return None, 0, 0
