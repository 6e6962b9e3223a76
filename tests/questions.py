#!/usr/bin/env python3
"""Compares -minimal, -monotone and -rewrites with a brute-force enumeration.

As in tests/synth.py every program of a small space is written as a litmus test, and so is every program that
the question compares it with: relaxed, strengthened, rewritten. The tool checks them all, one by one; what
the question finds must be what follows from these verdicts. The steps, the rewrites and how outcomes of two
programs compare are written here anew, on lists of events, after docs/synth.md.

  tests/questions.py PROGRAM [NUMBER…]    (of the questions, from 0)
"""

import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import synth
import synth_text

# A model that minds whatever a rewrite does.
CHOOSY = """"choosy"
empty ([R] ; (po & loc) ; [R]) & (rf^-1 ; rf) as read_twice
empty (rf & ext) \\ (unv ; [F] ; unv) as read_elsewhere
empty [R] ; po ; [F] ; po ; [R] as read_around
undefined_unless empty ([W] ; po ; [W]) & loc as written_twice
undefined_unless empty [W] ; (po \\ loc) ; [R] as read_early
undefined_unless empty [memory_order_acquire & R] ; po as read_first
"""
# One thread minds what the other is.
PEER = """"peer"
undefined_unless empty [memory_order_acq_rel] ; (rf & ext) ; [memory_order_relaxed] as strong_to_weak
undefined_unless empty [memory_scope_all_svm_devices] ; (rf & ext) ; [memory_scope_work_group] as wide_to_small
"""
# Which of two orders below another is enough?
RELEASES = """"releases"
let release = memory_order_release | memory_order_acq_rel
empty [release] ; (rf & ext) as seen
acyclic po | rf | co | fr as order
"""
QUESTIONS = [
    ("minimal", "sc", dict(events=4, kinds="load,store", orders="rlx", threads=2)),
    ("minimal", "rc11", dict(events=3, kinds="load,store,rmw", orders="na,rlx,sc", locations=1, threads=2)),
    ("minimal", "opencl_rem", dict(events=2, kinds="load,store,fence", orders="na,rlx,acq,ar", scopes="wg,dev",
                                   remote="true", locations=1, threads=2)),
    ("minimal", RELEASES, dict(events=2, kinds="load,rmw", orders="rlx,acq,rel,ar", locations=1)),
    ("minimal", synth.THIN, dict(events=3, kinds="load,store", orders="rlx", threads=2, dependencies="addr,data")),
    ("monotone", "c11_simp", dict(events=3, kinds="load,store,fence", orders="na,rlx,ar", threads=2)),
    ("monotone", synth.ORDERED, dict(events=3, kinds="load,store", orders="rlx,sc", threads=2)),
    ("monotone", CHOOSY, dict(events=3, kinds="load,rmw,fence", orders="rlx,acq,ar", locations=1, threads=2)),
    ("monotone", PEER, dict(events=2, kinds="rmw", orders="rlx,acq,ar", scopes="wg,all", remote="false", trees="false",
                           locations=1)),
    ("monotone", "opencl_rem", dict(events=2, kinds="load,store,rmw", orders="na,rlx,acq,rel", scopes="wg,dev",
                                    remote="true", locations=1)),
    ("rewrites", "c11_simp", dict(events=3, kinds="load,store,fence", orders="na,rlx,ar", threads=2)),
    ("rewrites", synth.DATA, dict(events=4, kinds="load,store", orders="rlx", locations=1, dependencies="addr,data",
                                  threads=2)),
    ("rewrites", CHOOSY, dict(events=3, kinds="load,store,fence", orders="rlx,acq,ar", threads=2)),
    ("rewrites", "opencl", dict(events=3, kinds="load,store", orders="na,rlx", scopes="wg", remote="false",
                                locations=1)),
]

# ---- Programs: (threads, local), as synth.programs () has them. Events are named by thread and place. ----


def names(program):
    return [(t, i) for t, (_, row) in enumerate(program[0]) for i in range(len(row))]


def event_at(program, name):
    return program[0][name[0]][1][name[1]]


def rebuild(program, rows):
    """The program with other events: rows of (name before, event), whose dependencies name loads before. Threads without
    events are removed. Also returns each event's former name."""
    kept = [t for t, row in enumerate(rows) if row]
    threads, before = [], {}
    for new, t in enumerate(kept):
        place = {name: i for i, (name, _) in enumerate(rows[t])}
        events = []
        for i, (name, event) in enumerate(rows[t]):
            loads = {kind: place.get((name[0], getattr(event, kind))) for kind in ("addr", "data")
                     if getattr(event, kind) is not None}
            before[new, i] = name
            events.append(event._replace(**loads))
        threads.append((program[0][t][0], tuple(events)))
    return (tuple(threads), program[1]), before


def rows_of(program):
    return [[((t, i), event) for i, event in enumerate(row)] for t, (_, row) in enumerate(program[0])]


def relabelled(program, name, event):
    rows = rows_of(program)
    rows[name[0]][name[1]] = (name, event)
    return rebuild(program, rows)


def without(program, name):
    return rebuild(program, [[x for x in row if x[0] != name] for row in rows_of(program)])


# ---- One step weaker ----

BELOW = {"na": "", "rlx": "na", "acq": "na rlx", "rel": "na rlx", "ar": "na rlx acq rel", "sc": "na rlx acq rel ar"}


def weaker_orders(event, space):
    here = [o for o in synth.ALLOWED[event.kind] if o in space["orders"].split(",")]
    below = [o for o in here if o in BELOW[event.order].split()]
    return [o for o in below if not any(o in BELOW[other].split() for other in below)]


def steps_down(event, space):
    """The event with labels one step weaker, and in what."""
    if event.order == "na" or event.kind == "barrier":
        return
    for order in weaker_orders(event, space):
        plain = dict(scope="", remote=False) if order == "na" else {}
        yield "order", event._replace(order=order, **plain)
    scopes = sorted(space["scopes"].split(","), key=list(synth_text.SCOPES).index) if event.scope else []
    if event.scope and scopes.index(event.scope):
        yield "scope", event._replace(scope=scopes[scopes.index(event.scope) - 1])
    if event.remote:
        yield "remote", event._replace(remote=False)


# ---- Outcomes: what each load read and what is left in each location, as names of writes, or None ----


def writes_of(program, location):
    return [n for n in names(program) if synth_text.is_write(event_at(program, n)) and event_at(program, n).location == location]


def locations(program):
    return sorted({event_at(program, n).location for n in names(program) if event_at(program, n).location})


def loads(program):
    return [n for n in names(program) if synth_text.is_read(event_at(program, n))]


def all_outcomes(program):
    """Those that some reads-from and some coherence have."""
    sources = [[w for w in [None, *writes_of(program, event_at(program, n).location)] if w != n] for n in loads(program)]
    finals = [writes_of(program, x) or [None] for x in locations(program)]
    for read in itertools.product(*sources):
        for left in itertools.product(*finals):
            yield {**dict(zip(loads(program), read)), **dict(zip(locations(program), left))}


def registers(program):
    """Per load what it is called in a state."""
    return {n: f"{n[0]}:r{sum(m[0] == n[0] and m[1] < n[1] for m in loads(program))}" for n in loads(program)}


def read_state(program, pairs):
    """Equations of a state, as part of an outcome."""
    value = synth_text.write_values(program[0])
    by_value = {(event_at(program, n).location, v): n for n, v in value.items()}
    called = {text: (n, event_at(program, n).location) for n, text in registers(program).items()}
    called.update({x: (x, x) for x in locations(program)})
    return {called[left][0]: by_value.get((called[left][1], int(right))) for left, right in pairs}


def canonical_outcome(program, outcome):
    """The program and the outcome under the least of all renamings."""
    found = []
    for order in itertools.permutations(range(len(program[0]))):
        renamed = synth.rename(*program, order)
        where = {(t, i): (order.index(t), i) for t, i in names(program)}
        location = {event_at(program, n).location: event_at(renamed, where[n]).location for n in names(program)}
        moved = {(where[k] if isinstance(k, tuple) else location[k]): v and where[v] for k, v in outcome.items()}
        found.append((renamed, tuple(sorted(moved.items(), key=repr))))
    return min(found, key=repr)


# ---- The verdicts of many programs ----


class Judge:
    """Checks programs in batches; a program that touches no location has one outcome and is defined."""

    def __init__(self, tool, models, space):
        self.tool, self.models, self.space, self.known = tool, models, space, {}

    def learn(self, programs):
        new = [p for p in dict.fromkeys(programs) if p not in self.known]
        with tempfile.TemporaryDirectory() as folder:
            for i, program in enumerate(new):
                self.known[program] = False, [{}]
                if locations(program):
                    text = synth_text.text(program, self.space, f"t{i}")
                    (pathlib.Path(folder) / f"t{i:06}.litmus").write_text(text)
            lines = subprocess.run([self.tool, "-json", "-q", *self.models, folder], capture_output=True, text=True,
                                   check=True).stdout.splitlines()
        for record in map(json.loads, lines):
            program = new[int(record["test"][1:])]
            states = [read_state(program, re.findall(r"(\S+)=(\d+);", s["state"])) for s in record["states"]]
            self.known[program] = record["undefined"], states

    def __call__(self, program):
        return self.known[program]


# ---- The questions ----


def weakenings(program, space):
    """Without one dependency, or with one label a step weaker."""
    for name in names(program):
        event = event_at(program, name)
        for kind, nothing in ("addr", {}), ("data", {}), ("guard", dict(value=None)):
            if getattr(event, kind) is not None:
                yield relabelled(program, name, event._replace(**{kind: None, **nothing}))
        for _, weaker in steps_down(event, space):
            yield relabelled(program, name, weaker)


def relaxations(program, space):
    yield from (without(program, name) for name in names(program))
    yield from weakenings(program, space)


def agrees(outcome, state, before):
    """Does a state of the rest agree with an outcome of the whole? The value of a removed load, the readers of a removed
    write, and the final value of a removed location do not count. Locations keep their names."""
    after = {name: new for new, name in before.items()}
    for key, write in outcome.items():
        key = after.get(key) if isinstance(key, tuple) else key
        if key in state and (write is None or write in after) and state[key] != (write and after[write]):
            return False
    return True


def minimal(judge, program, space):
    undefined, states = judge(program)
    if undefined:
        return
    for outcome in all_outcomes(program):
        if outcome in states:
            continue
        relaxed = [(judge(p), before) for p, before in relaxations(program, space) if p[0]]
        if all(v[0] or any(agrees(outcome, s, before) for s in v[1]) for v, before in relaxed):
            yield canonical_outcome(program, outcome)


def strengthenings(program, space):
    """(weaker, stronger): the program with a label a step weaker, or without a fence, and the program. In the
    outcomes of both, loads and writes have the names that the weaker one gives them."""
    for name in names(program):
        event = event_at(program, name)
        for _, weaker in steps_down(event, space):
            yield relabelled(program, name, weaker)[0], program, {n: n for n in names(program)}
        if event.kind == "fence":
            weaker, before = without(program, name)
            if weaker[0]:
                yield weaker, program, {name: new for new, name in before.items()}


def seen_before(state, new_names, copies):
    """A state of the program after, with the names that the program before has; copies: of a load that is gone, what it
    reads: a write, or what another load reads."""
    seen = {new_names.get(k, k): v and new_names[v] for k, v in state.items()}
    for load, by in copies.items():
        seen[load] = seen[by] if by in seen else by
    return seen


def adds(judge, before, after, new_names, copies):
    """Does the step from one program to another let an outcome in, or make it undefined?"""
    (undefined, states), (undefined_after, states_after) = judge(before), judge(after)
    if undefined or undefined_after:
        return False, not undefined
    return any(seen_before(s, new_names, copies) not in states for s in states_after), False


def monotone(judge, program, space):
    for weaker, stronger, new_names in strengthenings(program, space):
        more, undefined = adds(judge, weaker, stronger, new_names, {})
        kind = "the stronger program allows more" if more else "the stronger program is undefined"
        if more or undefined:
            yield synth.canonical(weaker), synth.canonical(stronger), kind


def neighbours(program):
    """Rewrites of two events of one thread: (kind, rows after, copies)."""
    for t, row in enumerate(rows_of(program)):
        for (a, x), (b, y) in zip(row, row[1:]):
            i = a[1]
            depends = i in (y.addr, y.data)
            same = x.location and x.location == y.location
            if not same and not (x.kind == y.kind == "fence") and not depends:
                yield "reorder", t, row[:i] + [(b, y), (a, x)] + row[i + 2:], {}
            alike = same and x.addr == y.addr and (x.order, x.scope, x.remote) == (y.order, y.scope, y.remote)
            if alike and x.kind == y.kind == "load":
                yield "merge loads", t, [(n, redirected(e, i + 1, i)) for n, e in row if n != b], {b: a}
            if alike and x.kind == y.kind == "store":
                yield "drop a dead store", t, [e for e in row if e[0] != a], {}
            if same and x.kind == "store" and y.kind == "load" and y.order in ("na", "rlx"):
                yield "forward a store", t, [e for e in row if e[0] != b], {b: a}


def redirected(event, load, to):
    return event._replace(**{kind: to for kind in ("addr", "data") if getattr(event, kind) == load})


def moved(event, by):
    """A thread's event, after `by` others."""
    return event._replace(**{k: getattr(event, k) + by for k in ("addr", "data") if getattr(event, k) is not None})


def rewrites(judge, program, space):
    for edit in edits(program, space):
        more, undefined = adds(judge, program, *edit[1:])
        if more or undefined:
            yield synth.canonical(program), synth.canonical(edit[1]), edit[0]
    for weaker, stronger, kind in monotone(judge, program, space):
        yield weaker, stronger, "strengthen"


def edits(program, space):
    """(kind, program after, names before of its events, copies)"""
    rows = rows_of(program)
    for kind, t, row, copies in neighbours(program):
        after, before = rebuild(program, rows[:t] + [row] + rows[t + 1:])
        yield kind, after, before, copies
    for s, t in itertools.permutations(range(len(rows)), 2):
        if "scopes" in space and program[0][s][0] != program[0][t][0]:
            continue
        both = [[] if i == t else row for i, row in enumerate(rows)]
        after, before = joined(program, both, s, rows[t])
        yield "sequentialise threads", after, before, {}


def joined(program, rows, s, more):
    """The events of `more` after those of thread s: their loads have other places then."""
    n = len(rows[s])
    threads, before = [], {}
    for t, row in enumerate(rows):
        row = row + [(name, moved(event, n)) for name, event in more] if t == s else row
        if row:
            before.update({(len(threads), i): name for i, (name, _) in enumerate(row)})
            threads.append((program[0][t][0], tuple(event for _, event in row)))
    return (tuple(threads), program[1]), before


ANSWERS = {"minimal": minimal, "monotone": monotone, "rewrites": rewrites}


def compared_with(question, program, space):
    """The programs whose verdicts the question needs."""
    if question == "minimal":
        return [p for p, _ in relaxations(program, space)]
    steps = [p for pair in strengthenings(program, space) for p in pair[:2]]
    return steps if question == "monotone" else steps + [edit[1] for edit in edits(program, space)]


def brute_force(tool, question, models, space):
    judge = Judge(tool, models, space)
    programs = {synth.canonical(p) for p in synth.programs(space)}
    judge.learn(itertools.chain(programs, (q for p in programs for q in compared_with(question, p, space))))
    return {answer for p in programs for answer in ANSWERS[question](judge, p, space)}


# ---- What the tool finds ----


def read(source):
    threads, local = synth_text.read_program(source)
    return tuple(thread for thread in threads if thread[1]), local


def condition(record, program):
    """The outcome that the record names: a condition that exactly one outcome satisfies."""
    part = read_state(program, re.findall(r"(\S+)=(\d+)", record["outcome"]))
    whole = [o for o in all_outcomes(program) if part.items() <= o.items()]
    assert len(whole) == 1, (record["source"], whole)
    return whole[0]


def synthesised(tool, question, models, space):
    command = [tool, f"-{question}", "-all", "-json", "-j", "1", *synth.options(space), *models]
    for record in map(json.loads, subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()):
        program = read(record["source"])
        if question == "minimal":
            yield canonical_outcome(program, condition(record, program))
        else:
            for kind in record["found"].split("; "):
                yield synth.canonical(program), synth.canonical(read(record["other_source"])), kind


def differences(tool, question, models, space):
    results = list(synthesised(tool, question, models, space))
    found, expected = set(results), brute_force(tool, question, models, space)
    if question == "minimal" and len(results) > len(found):
        yield f"{len(results)} results, {len(found)} but for the names of threads, locations and values"
    yield from (f"found, but not by brute force: {x}" for x in found - expected)
    yield from (f"not found: {x}" for x in expected - found)
    if not expected:
        yield "there is nothing to find: the space is too small to test anything"


def main():
    tool = str(pathlib.Path(sys.argv[1]).resolve())
    chosen = [q for i, q in enumerate(QUESTIONS) if not sys.argv[2:] or str(i) in sys.argv[2:]]
    failed = 0
    for question, model, space in chosen:
        with tempfile.TemporaryDirectory() as folder:
            models = list(synth.model_options([model], folder))
            faults = list(differences(tool, question, models, space))
        failed += bool(faults)
        for fault in faults[:5]:
            print(f"FAIL -{question} {model}, {space}: {fault}")
    print(f"{len(chosen) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
