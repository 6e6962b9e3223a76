"""What herd7 answers by its definition, for tests of loads and stores of constants: by brute force.

An execution is a choice of a write for each read, of the final write of each observed location, and of what the
model chooses. The models of tests/herd/models are written here a second time, as functions; nothing of rspcheck is
used. `answer` gives the states and the numbers of executions that satisfy and refute the proposition.
"""

import itertools
import re
from collections import namedtuple

Event = namedtuple("Event", "number thread kind place value atomic register")  # kind: R, W, I (initial write)
Test = namedtuple("Test", "events condition filter shown")


# ---- Tests ----

def read_test(text):
    text = re.sub(r"\(\*.*?\*\)", "", text, flags=re.S)
    head, body, rest = re.match(r"C \S+\s*\{(.*?)\}(.*\})(.*)", text, flags=re.S).groups()
    events = [Event(i, None, "I", place, int(value), False, None)
              for i, (place, value) in enumerate(re.findall(r"(\w+) = (\d+);", head))]
    for thread, code in re.findall(r"P(\d+) \([^{]*\) \{(.*?)\}", body, flags=re.S):
        for statement in filter(None, map(str.strip, code.split(";"))):
            events.append(read_event(len(events), int(thread), statement))
    filter_ = re.search(r"filter \((.*)\)", rest)
    shown = re.findall(r"(\w+);", (re.search(r"locations \[(.*?)\]", rest) or ["", ""])[1])
    return Test(events, re.search(r"(?:exists|forall) \((.*)\)", rest)[1], filter_ and filter_[1], shown)


def read_event(number, thread, statement):
    for pattern, kind in ((r"(?:int (?P<r>\w+) = )?\*(?P<x>\w+)(?: = (?P<v>\d+))?$", None),
                          (r"atomic_store_explicit\((?P<x>\w+), (?P<v>\d+), \w+\)(?P<r>$)", "W"),
                          (r"int (?P<r>\w+) = atomic_load_explicit\((?P<x>\w+), \w+\)(?P<v>$)", "R")):
        found = re.match(pattern, statement)
        if found:
            value = found["v"]
            return Event(number, thread, "W" if value else "R", found["x"], value and int(value), kind is not None,
                         found["r"])
    raise ValueError(statement)


def atoms(proposition):
    return [] if proposition is None else re.findall(r"([\w:]+)=(\d+)", proposition)


def holds(proposition, state):
    return all(state[name] == int(value) for name, value in atoms(proposition))


# ---- Relations: sets of pairs of event numbers ----

def acyclic(relation):
    after = {}
    for a, b in relation:
        after.setdefault(a, set()).add(b)
    reached = {a: set(bs) for a, bs in after.items()}
    for middle in list(reached):
        for bs in reached.values():
            if middle in bs:
                bs |= reached[middle]
    return not any(a in bs for a, bs in reached.items())


def linearisations(events, before):
    """The total orders of the events that extend a relation between them."""
    for order in itertools.permutations(sorted(events)):
        total = set(itertools.combinations(order, 2))
        if {(a, b) for a, b in before if a in events and b in events} <= total:
            yield total


def sequence(first, second):
    return {(a, d) for a, b in first for c, d in second if b == c}


class Candidate:
    """A choice of reads-from and of final writes, with what models name."""

    def __init__(self, test, rf, final):
        events = test.events
        self.rf, self.FW = rf, final
        self.IW = {e.number for e in events if e.kind == "I"}
        self.W = self.IW | {e.number for e in events if e.kind == "W"}
        self.A = {e.number for e in events if e.atomic}
        self.M = {e.number for e in events}
        self.po = {(a.number, b.number) for a, b in itertools.combinations(events, 2)
                   if a.thread is not None and a.thread == b.thread}
        self.loc = {(a.number, b.number) for a in events for b in events if a.place == b.place}
        self.co0 = {(a, b) for a, b in self.loc if a in self.W and b in self.W
                    and (a in self.IW and b not in self.IW or a not in final and b in final)}

    def generate_orders(self, writes, before):
        places = {frozenset(b for a, b in self.loc if a == w and b in writes) for w in writes}
        for orders in itertools.product(*(list(linearisations(place, before)) for place in places)):
            yield set().union(*orders)


# ---- Models: how many choices of a model does a candidate allow? ----

def all_orders(c):
    return sum(acyclic(c.po | c.rf | co | sequence({(r, w) for w, r in c.rf}, co))
               for co in c.generate_orders(c.W, c.co0))


def part_of_all(c):
    parts = list(c.generate_orders(c.W & (c.A | c.IW), c.co0))
    return acyclic(c.po | c.rf) * sum(mo <= every for every in c.generate_orders(c.W, c.co0) for mo in parts)


def two_orders(c):
    second = len(list(c.generate_orders(c.W, c.co0)))
    return second * sum(acyclic(c.po | c.rf | one) for one in c.generate_orders(c.W, c.co0))


def total_accesses(c):
    threads = c.M - c.IW
    first = {(a, b) for a in c.IW for b in threads}
    found = 0
    for order in linearisations(threads, c.po | {(a, b) for a, b in c.loc if a in c.W - c.FW and b in c.FW}):
        earlier = c.loc & (first | order)
        before = {(a, b) for a, b in earlier if a in c.W and b not in c.W}
        found += c.rf <= before - sequence({(a, b) for a, b in earlier if a in c.W and b in c.W}, before)
    return found


MODELS = {
    "co0_alone": lambda c: acyclic(c.po | c.co0),
    "rf_alone": lambda c: acyclic(c.po | c.rf),
    "final": lambda c: bool(c.FW - c.IW),
    "final_unread": lambda c: not any(w in c.FW for w, _ in c.rf),
    "all_orders": all_orders,
    "part_order": lambda c: sum(acyclic(c.po | c.rf | mo) for mo in c.generate_orders(c.W & (c.A | c.IW), c.co0)),
    "part_of_all": part_of_all,
    "no_initial": lambda c: sum(acyclic(c.po | c.rf | co) for co in c.generate_orders(c.W - c.IW, set())),
    "two_orders": two_orders,
    "total_writes": lambda c: sum(acyclic(c.po | c.rf | order) for order in linearisations(c.W, c.co0)),
    "total_accesses": total_accesses}


# ---- The answer ----

def candidates(test):
    """Each Candidate, with its state."""
    events = test.events
    reads = [e for e in events if e.kind == "R"]
    named = [name for name, _ in atoms(test.condition) + atoms(test.filter)] + test.shown
    writes = {e.place: [w for w in events if w.place == e.place and w.kind == "W"] or [e]
              for e in events if e.kind == "I" and e.place in named}
    sources = [[w for w in events if w.kind != "R" and w.place == read.place] for read in reads]
    for chosen in itertools.product(*sources):
        for final in itertools.product(*writes.values()):
            state = {f"{r.thread}:{r.register}": w.value for r, w in zip(reads, chosen)}
            state.update({w.place: w.value for w in final})
            rf = {(w.number, r.number) for r, w in zip(reads, chosen)}
            yield Candidate(test, rf, {w.number for w in final}), state


def answer(text, model):
    """(states, executions that satisfy the condition, executions that do not)"""
    test = read_test(text)
    printed = [name for name, _ in atoms(test.condition)] + test.shown
    states, numbers = set(), [0, 0]
    for candidate, state in candidates(test):
        n = int(MODELS[model](candidate)) if holds(test.filter, state) else 0
        numbers[not holds(test.condition, state)] += n
        if n:
            states.add(" ".join(f"{name}={state[name]};" for name in sorted(set(printed), key=lambda s: (":" not in s, s))))
    return sorted(states), *numbers
