"""A model on one complete execution given as JSON, in the form of rspcheck's explanations: events with
their sets, base relations as pairs of events, and the relations derived from them (spec/explain.md).

    {"events": [{"id": "a", "sets": ["R", "A"], …} …], "base": {"po": [["a", "b"] …] …}, "derived": {…}}
"""

import json

import relations as r
from base import SAME
from cat_evaluator import Model, verdicts
from cat_values import Relation, Set


def of_rmw(name, lone):
    return ("lone" if lone else "own") if name == "rmw" else ""


class Given:
    """An execution whose base sets and relations are listed."""

    def __init__(self, data):
        events = data["events"]
        self.n, self.kept = len(events), {}
        self.number = {event["id"]: i for i, event in enumerate(events)}
        self.names = {"id": Relation(r.identity((1 << self.n) - 1, self.n))}
        for i, event in enumerate(events):
            for name in event["sets"]:
                name = SAME.get(name, name)
                members = self.names.get(name, Set(0)).members
                self.names[name] = Set(members | 1 << i, of_rmw(name, "X" in event["sets"]))
        for name, members in data["base"].items():
            self.names[SAME.get(name, name)] = self.value(name, members)

    def value(self, name, members):
        """A set, listed as events or as pairs of an event with itself; or a relation, as pairs."""
        pairs = [(self.number[m], self.number[m]) if isinstance(m, str)
                 else (self.number[m[0]], self.number[m[1]]) for m in members]
        if SAME.get(name, name) in SETS:
            return Set(r.make_set(a for a, _ in pairs), of_rmw(SAME.get(name, name), "X" in self.names))
        return Relation(r.make_relation(pairs, self.n))

    def lookup(self, name):
        """Sets that no event is in are empty; a relation that is not listed is not known."""
        name = SAME.get(name, name)
        if name in self.names:
            return self.names[name], True
        return (Set(0), True) if name in SETS else None


SETS = {"R", "W", "M", "F", "I", "rmw", "X", "brmw", "LK", "LS", "UL", "failed_rmw", "remote", "A", "na",
        "entry_fence", "exit_fence", "divergent_fence", "G", "L", "fga", "atomicloc", "nonatomicloc", "ordinary_read", "NoRet", "FW",
        *(SAME[name] for name in SAME if SAME[name].startswith("memory_"))}


def verdict_of(model, data, variants=(), skip=()):
    """(whether the model allows the execution, its flags)"""
    allowed = [v for v in verdicts(model, Given(data), tuple(variants), skip) if v.allowed]
    return bool(allowed), sorted(set().union(*(v.flags for v in allowed)))


def check_file(model_path, path, folders, variants=(), skip=()):
    """Prints what the model says about the execution; 0 if it allows it."""
    with open(path, encoding="utf-8") as file:
        allowed, flags = verdict_of(Model(model_path, folders), json.load(file), variants, skip)
    print("allowed" if allowed else "forbidden", *(f"flag {name}" for name in flags), sep="\n")
    return 0 if allowed else 1


def faults(model, explanation):
    """Where the model disagrees with the executions of an explanation, in lines."""
    found = []
    if explanation["witness"] and not verdict_of(model, explanation["witness"])[0]:
        found.append("  the witness is not allowed")
    for blame in explanation["blame"] or []:
        checks = blame["checks"]
        if verdict_of(model, blame["execution"])[0]:
            found.append(f"  what {checks} forbid is allowed")
        if not verdict_of(model, blame["execution"], skip=checks)[0]:
            found.append(f"  it is not allowed without {checks} either")
    for flag in explanation["flags"] or []:
        if flag["flag"] not in verdict_of(model, flag["execution"])[1] + ["thin_air"]:
            found.append(f"  no flag {flag['flag']}")
    return found
