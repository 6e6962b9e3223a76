#!/usr/bin/env python3
"""Compares the weakest findings that the questions print with all findings (-all), by brute force.

Findings that differ only in labels, whatever the names of threads and locations, are one class. Every finding
of a class is compared with every other: the one that the tool prints for it must have no weaker one, and the
numbers that it prints must be those of the class. That -all lists all findings is tested by tests/synth.py and
tests/questions.py.

  tests/weakest.py PROGRAM [NUMBER…]    (of the cases, from 0)
"""

import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import questions
import synth
import synth_text

# What each forbids depends on another label, and both may forbid something at once.
READERS = """"readers"
empty [memory_order_acquire] ; (fr & ext) as early
"""
WRITERS = """"writers"
empty [memory_order_release] ; (rf & ext) as late
"""
CASES = [
    ("distinguish", ["opencl", "opencl_rem"], dict(events=2, kinds="load,store,rmw", orders="rlx,acq,rel,ar,sc",
                                                   scopes="wg,dev,all", remote="true")),
    ("distinguish", ["sc", "c11_simp"], dict(events=3, kinds="load,store", orders="na,rlx")),
    ("distinguish", ["rc11", "c11_simp"], dict(events=4, kinds="load,store", orders="rlx,acq,rel,sc")),
    ("distinguish", ["hrf_rsp", "hrf_rsp_all"], dict(events=3, kinds="load,store", orders="acq,rel", scopes="wg,dev",
                                                     remote="true", threads=2)),
    ("distinguish", [READERS, WRITERS], dict(events=2, kinds="load,store", orders="rlx,acq,rel,sc")),
    ("minimal", ["opencl_rem"], dict(events=3, kinds="store,rmw", orders="na,rlx,ar", scopes="wg,dev", remote="true",
                                     locations=1)),
    ("monotone", ["opencl_rem"], dict(events=2, kinds="load,store,rmw")),
    ("monotone", [questions.CHOOSY], dict(events=3, kinds="load,rmw,fence", orders="rlx,acq,ar", locations=1)),
    ("rewrites", ["c11_simp"], dict(events=4, kinds="load,store", orders="rlx,acq,rel,sc", threads=2)),
]

# ---- Findings ----


def size(program):
    return sum(2 if e.kind == "barrier" else 1 for _, row in program[0] for e in row)


class Finding:
    def __init__(self, question, record):
        sources = [record["source"], record["other_source"]]
        self.programs = [synth_text.read_program(source) for source in sources if source]
        self.kinds = set(record["found"].split("; "))
        self.size = max(map(size, self.programs))
        self.edit = record["edit"]
        self.outcome = ""
        if question == "minimal":
            self.outcome = questions.condition(record, self.programs[0])
        self.record = record
        self.views = list(self.renamed())

    def orders(self):
        """The renamings of threads that leave alone those that the edit names."""
        fixed = set(map(int, re.findall(r"P(\d+)", self.edit or "")))
        for order in itertools.permutations(range(len(self.programs[0][0]))):
            if all(order[t] == t for t in fixed):
                yield order

    def renamed(self):
        """For each renaming all that is not a label, and the events."""
        for order in self.orders():
            programs = [synth.rename(*program, order) for program in self.programs]
            bare = [[(place, [e._replace(order="", scope="", remote=False) for e in row]) for place, row in threads]
                    + [local] for threads, local in programs]
            events = [e for threads, _ in programs for _, row in threads for e in row]
            yield repr((bare, self.edit, self.moved_outcome(order))), events

    def moved_outcome(self, order):
        if not self.outcome:
            return None
        program = self.programs[0]
        renamed = synth.rename(*program, order)
        where = {(t, i): (order.index(t), i) for t, i in questions.names(program)}
        at = questions.event_at
        location = {at(program, n).location: at(renamed, where[n]).location for n in questions.names(program)}
        moved = {(where[k] if isinstance(k, tuple) else location[k]): v and where[v] for k, v in self.outcome.items()}
        return sorted(moved.items(), key=repr)

    def key(self):
        return min(bare for bare, _ in self.views)

    def covers(self, other):
        """Is it the other with labels that are as weak or weaker in all places?"""
        bare, events = other.views[0]
        return any(own == bare and all(map(event_within, mine, events)) for own, mine in self.views)


def event_within(a, b):
    scopes = ["", *synth_text.SCOPES]
    return (a.order == b.order or a.order in questions.BELOW.get(b.order, "").split()) \
        and scopes.index(a.scope or "") <= scopes.index(b.scope or "") and a.remote <= b.remote


def ask(tool, question, models, space, *more):
    command = [tool, f"-{question}", "-json", "-j", "1", *synth.options(space), *models, *more]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return [Finding(question, json.loads(line)) for line in lines]


# ---- Classes ----


def smallest(question, findings):
    """What is left without -all: per kind the smallest size, except for minimal tests."""
    least = {}
    for finding in findings:
        for kind in finding.kinds:
            least[kind] = min(least.get(kind, finding.size), finding.size)
    for finding in findings:
        if question != "minimal":
            finding.kinds = {kind for kind in finding.kinds if least[kind] == finding.size}
    return [finding for finding in findings if finding.kinds]


def expected_classes(findings):
    """Per kind and class: the weakest findings, and how many findings there are."""
    classes = {}
    for finding in findings:
        for kind in finding.kinds:
            classes.setdefault((kind, finding.key()), []).append(finding)
    return {key: ([f for f in all_ if not any(g is not f and g.covers(f) for g in all_)], len(all_))
            for key, all_ in classes.items()}


def differences(tool, question, models, space):
    printed = ask(tool, question, models, space)
    expected = expected_classes(smallest(question, ask(tool, question, models, space, "-all")))
    for finding in printed:
        name, said = finding.record["test"], finding.record["class"]
        named = lambda f: [f.record[field] for field in ("source", "other_source", "outcome")]
        own = [(kind, finding.key()) for kind in finding.record["found"].split("; ")]
        own = [key for key in own if key in expected and named(expected[key][0][0]) == named(finding)]
        if not own:
            yield f"{name} is not the first of the weakest of a class, or printed twice"
            continue
        weakest, n = [expected.pop(key) for key in own][0]
        if (said["weakest"], said["labellings"]) != (len(weakest), n):
            yield f"{name}: {said}, but there are {len(weakest)} weakest of {n} labellings"
    yield from (f"nothing is printed for {weakest[0].record['test']}" for weakest, _ in expected.values())
    if all(f.record["class"]["labellings"] == 1 for f in printed):
        yield "no class has several labellings: the space is too small to test anything"


def main():
    tool = str(pathlib.Path(sys.argv[1]).resolve())
    cases = [case for i, case in enumerate(CASES) if not sys.argv[2:] or str(i) in sys.argv[2:]]
    failed = 0
    for question, models, space in cases:
        with tempfile.TemporaryDirectory() as folder:
            faults = list(differences(tool, question, list(synth.model_options(models, folder)), space))
        failed += bool(faults)
        for fault in faults[:5]:
            print(f"FAIL -{question} {models}, {space}: {fault}")
    print(f"{len(cases) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
