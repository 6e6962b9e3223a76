"""A model on one complete execution given as JSON, in the form of rspcheck's explanations: events with
their sets, base relations as pairs of events, and the relations derived from them (spec/explain.md).

    {"events": [{"id": "a", "sets": ["R", "A"], …} …], "base": {"po": [["a", "b"] …] …}, "derived": {…}}
"""

import json

import relations as r
from base import SAME
from cat_evaluator import Model, verdicts
from cat_values import Relation, Set


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
                self.names[name] = Set(members | 1 << i, name == "rmw")
        for name, pairs in data["base"].items():
            self.names[SAME.get(name, name)] = self.relation(pairs)

    def relation(self, pairs):
        return Relation(r.make_relation(((self.number[a], self.number[b]) for a, b in pairs), self.n))

    def lookup(self, name):
        """Sets that no event is in are empty; a relation that is not listed is not known."""
        name = SAME.get(name, name)
        if name in self.names:
            return self.names[name], True
        return (Set(0), True) if name in SETS else None


SETS = {"R", "W", "M", "F", "I", "rmw", "brmw", "LK", "LS", "UL", "failed_rmw", "remote", "A", "na",
        "entry_fence", "exit_fence", "divergent_fence", "G", "L", "fga", "atomicloc", "nonatomicloc", "FW",
        *(SAME[name] for name in SAME if SAME[name].startswith("memory_"))}


def check_file(model_path, path, folders, variants=()):
    """Prints what the model says of the execution; 0 if it allows it."""
    with open(path, encoding="utf-8") as file:
        given = Given(json.load(file))
    allowed = [v for v in verdicts(Model(model_path, folders), given, tuple(variants)) if v.allowed]
    flags = sorted(set().union(*(v.flags for v in allowed)))
    print("allowed" if allowed else "forbidden", *(f"flag {name}" for name in flags), sep="\n")
    return 0 if allowed else 1
