#!/usr/bin/env python3
"""An independent reader of explanations: does each step follow from the explanation itself and the tool's answers?

    tests/explain.py [-random N] [-seed S] [-all] PROGRAM

For every explanation (rspcheck -json -explain):
  * the execution is one of the program: each read has one source with its value, co is total per
    location, fr follows from rf and co, and the final state has the outcome;
  * every step follows from its steps by the operator it names, down to edges of base relations; what is
    said to be absent is not in the relation;
  * the violation violates: a cycle closes, a reflexive pair is one;
  * the blame is exact and minimal: -skipcheck of all its checks allows the outcome, of all but one does
    not; and the execution shown fails just these;
  * a witness's state is one that the naive engine finds, and what is unreachable stays so if all
    checks may fail (-through all).

Shipped suites and random programs, under models of all dialects; -all: every suite under every model.
Prints what is wrong, then "N passed, N failed".
"""

import argparse
import json
import os
import pathlib
import random
import re
import sys
import tempfile

import cases

ROOT = pathlib.Path(__file__).resolve().parent.parent
USUAL = [("opencl_rem", "litmus/rsp"), ("opencl", "litmus/rsp"), ("opencl_total", "litmus/rsp"),
         ("hrf_rsp", "litmus/rsp"), ("hrf_direct", "litmus/hrf"), ("rc11", "litmus/c11"), ("sc", "litmus/rsp"),
         ("tests/models/dialect-2015.cat", "litmus/rsp"), ("c11_simp", "litmus/c11")]


class Wrong(Exception):
    pass


def need(truth, message):
    if not truth:
        raise Wrong(message)


# ---- Executions ----

class Execution:
    """The relations of an execution as sets of pairs."""

    def __init__(self, given):
        self.events = {event["id"]: event for event in given["events"]}
        need(len(self.events) == len(given["events"]), "two events with one id")
        self.base = {name: {tuple(pair) for pair in pairs} for name, pairs in given["base"].items()}
        self.derived = {name: {tuple(pair) for pair in pairs} for name, pairs in given["derived"].items()}
        self.state = given["state"]
        self.failed = given["failed"]
        for relation in (*self.base.values(), *self.derived.values()):
            need(all(a in self.events and b in self.events for a, b in relation), "a pair of unknown events")
        self.check_reads()
        self.check_coherence()

    def check_reads(self):
        sources = {}
        for write, read in self.base["rf"]:
            need(read not in sources, f"{read} reads from two writes")
            sources[read] = write
        for event in self.events.values():
            if event["read"] is None:
                continue
            source = self.events.get(sources.get(event["id"]))
            need(source is not None, f"{event['id']} reads from no write")
            need(source["location"] == event["location"], f"{event['id']} reads from another location")
            need(source["written"] == event["read"] or event["read"][0] in "S?", f"{event['id']} reads another value")

    def check_coherence(self):
        co = self.base["co"]
        writes = [event for event in self.events.values() if event["written"] is not None]
        for a in writes:
            for b in writes:
                if a is b or a["location"] != b["location"]:
                    need((a["id"], b["id"]) not in co, "co relates what it should not")
                    continue
                need(((a["id"], b["id"]) in co) != ((b["id"], a["id"]) in co), "co is not total")
                if a["thread"] is None:
                    need((a["id"], b["id"]) in co, "an initial write is not first in co")
        need(all((a, d) in co for a, b in co for c, d in co if b == c), "co is not transitive")
        inverse = {(r, w) for w, r in self.base["rf"]}
        fr = {(r, b) for r, a in inverse for c, b in co if a == c and r != b}
        need(self.base["fr"] == fr, "fr is not rf^-1;co")

    def find(self, name, how):
        """A model may redefine a name of the execution; an absent edge does not show which one it means."""
        if how is None and name in self.derived and name in self.base:
            return None
        if how in ("base", "chosen") and name in self.base:
            return self.base[name]
        return self.derived[name] if name in self.derived else self.base.get(name) if how is None else None


# ---- Steps ----

def is_chain(steps, start, end):
    at = start
    for step in steps:
        if "not" in step or step["from"] != at:
            return False
        at = step["to"]
    return at == end


def follows(step, below):
    """Does the edge follow from the steps below it, by the operator it names?"""
    a, b = step["from"], step["to"]
    same = [s for s in below if (s["from"], s["to"]) == (a, b)]
    here = [s for s in below if "not" not in s]
    how = step["as"]
    if how in ("base", "chosen", "value"):
        return not below
    if how in ("definition", "union"):
        return len(below) == 1 and same == here == below
    if how == "intersection":
        return len(below) >= 2 and same == here == below
    if how == "difference":
        return len(below) == 2 and same == below and here == below[:1]
    if how == "complement":
        return len(below) == 1 and same == below and not here
    if how == "sequence":
        return len(below) >= 2 and is_chain(below, a, b)
    if how == "inverse":
        return len(below) == 1 and is_chain(below, b, a)
    if how == "closure":
        return below and is_chain(below, a, b) and len({s["relation"] for s in below}) == 1
    if how == "reflexive closure":
        return is_chain(below, a, b) and len({s["relation"] for s in below}) <= 1
    if how == "option":
        return (a == b and not below) or (len(below) == 1 and is_chain(below, a, b))
    if how == "product":
        return len(below) == 2 and is_chain(below[:1], a, a) and is_chain(below[1:], b, b)
    if how == "identity":
        return a == b and len(below) == 1 and is_chain(below, a, a)
    if how == "domain":
        return a == b and len(below) == 1 and below[0]["from"] == a
    if how == "range":
        return a == b and len(below) == 1 and below[0]["to"] == a
    return False


def check_step(execution, step):
    pair = (step["from"], step["to"])
    absent = "not" in step
    name = step["not" if absent else "relation"]
    known = execution.find(name, step.get("as"))
    text = f"{pair[0]}->{pair[1]} {'not ' if absent else ''}{name}"
    if known is not None:
        need((pair in known) != absent, f"{text}: the relation says otherwise")
    if absent:
        for reason in step["why"]:
            check_step(execution, reason)
        return
    if step["as"] in ("base", "chosen"):
        need(known is not None, f"{text}: no such base relation")
    below = step.get("steps", [])
    need(follows(step, below), f"{text}: does not follow by {step['as']}")
    for other in below:
        check_step(execution, other)


def check_violation(execution, violation):
    steps = violation["steps"]
    for step in steps:
        check_step(execution, step)
    if violation["negated"]:
        need(not steps, "a negated check has steps")
        return
    need(steps, f"{violation['check']}: no steps")
    if violation["test"] == "acyclic":
        need(is_chain(steps, steps[0]["from"], steps[0]["from"]), f"{violation['check']}: the cycle is open")
    else:
        need(len(steps) == 1, f"{violation['check']}: more than one edge")
    if violation["test"] == "irreflexive":
        need(steps[0]["from"] == steps[0]["to"], f"{violation['check']}: not reflexive")
    need(len({step["relation"] for step in steps}) == 1, f"{violation['check']}: edges of several relations")


# ---- Outcomes ----

def truth(text, state):
    """Evaluates a proposition as the log prints it on a state."""
    def atom(match):
        left, right = match.group(1), match.group(2)
        return repr(state.get(left, left) == state.get(right, right))
    text = re.sub(r"([^\s()~=/\\]+)=([^\s()~=/\\>]+)", atom, text)
    text = text.replace("true", "True").replace("false", "False")
    text = re.sub(r"~|\bnot\b", " no", text.replace("/\\", " and ").replace("\\/", " or "))
    text = text.replace("=>", "<=")  # of truths: implication, and it binds tighter than `and`
    return eval(text, {"__builtins__": {}, "no": lambda value: not value})  # of the words above alone


def is_undetermined(state):
    """Some value is out of thin air: `S1`."""
    return any(re.fullmatch(r"S\d+(_m?\d+)?", value) for value in state.values())


def check_outcome(execution, question):
    # Of several implications, Python would compare neighbours; of undetermined values, the outcome is only possible.
    if question.count("=>") <= 1 and not is_undetermined(execution.state):
        need(truth(question, execution.state), f"the state has not the outcome {question}")


# ---- Explanations ----

def check_flag(reason):
    execution = Execution(reason["execution"])
    need(not execution.failed, "a flag is raised by an execution that the model forbids")
    need(reason["flag"] in reason["execution"]["raised"], f"the execution does not raise {reason['flag']}")
    for step in reason["steps"] + reason["absent"]:
        check_step(execution, step)
    need(all("not" not in step for step in reason["steps"]), "an absent edge among those that are there")
    need(all("not" in step for step in reason["absent"]), "an edge among those that are absent")


def check_orders(execution, steps):
    """Edges of strict orders, between threads, that do not follow from others."""
    for step in steps:
        check_step(execution, step)
        threads = [execution.events[step[end]]["thread"] for end in ("from", "to")]
        need(None not in threads and threads[0] != threads[1], "an order's edge is within a thread")
        order = execution.find(step["relation"], step["as"])
        if order is None:
            continue
        need(all(a != b for a, b in order), f"{step['relation']} is not irreflexive")
        need(all((a, d) in order for a, b in order for c, d in order if b == c), f"{step['relation']} is not transitive")
        need(not any((step["from"], z) in order and (z, step["to"]) in order for z in execution.events),
             f"{step['relation']}: an edge follows from others")


def check_explanation(explanation, first):
    question = explanation["question"]
    answer = explanation["answer"]
    need(answer in ("allowed", "forbidden", "unreachable"), f"{question}: {answer}")
    need((answer == "allowed") == (explanation["witness"] is not None), f"{question}: witness")
    uncertain = answer == "allowed" and is_undetermined(explanation["witness"]["state"])
    need(uncertain or (answer == "unreachable") == bool(explanation["reasons"]), f"{question}: reasons")
    need((answer == "forbidden") == bool(explanation["blame"]) or explanation["more"], f"{question}: blame")
    if answer == "allowed":
        execution = Execution(explanation["witness"])
        need(not execution.failed, f"{question}: the witness fails {execution.failed}")
        check_outcome(execution, question)
        check_orders(execution, explanation["steps"])
    sets = [frozenset(blame["checks"]) for blame in explanation["blame"]]
    need(len(set(sets)) == len(sets) and not any(a < b for a in sets for b in sets), f"{question}: not minimal")
    for blame in explanation["blame"]:
        execution = Execution(blame["execution"])
        check_outcome(execution, question)
        need(sorted(execution.failed) == sorted(blame["checks"]), f"{question}: fails {execution.failed}")
        need([v["check"] for v in blame["violations"]] == blame["checks"], f"{question}: violations")
        need(blame["candidates"] is None or int(blame["candidates"]) > 0, f"{question}: no candidates")
        for violation in blame["violations"]:
            check_violation(execution, violation)
    for reason in explanation["flags"]:
        check_flag(reason)


# ---- The tool's own answers ----

def records(program, model, tests, *options):
    if not tests:
        return {}
    status, out, err = cases.run([program, "-json", "-q", "-timeout", "20", *options, "-model", model, *tests], ROOT,
                                 cases.environment())
    need(status != "timeout", f"{model} {options}: no end")
    return {record["path"]: record for record in map(json.loads, out.splitlines()) if record["status"] == "ok"}


def holds(record, negated):
    """Does some execution have the outcome?"""
    return int(record["negative" if negated else "positive"]) > 0 or int(record.get("undetermined") or 0) > 0


def minimal_hits(sets):
    """The minimal sets that have an element of each set."""
    hits = {frozenset()}
    for one in sets:
        hits = {hit if hit & one else hit | {element} for hit in hits for element in one}
        hits = {hit for hit in hits if not any(other < hit for other in hits)}
    return hits


def check_model(program, model, tests):
    """Yields (title, complaint or "") for every test."""
    found = records(program, model, tests, "-explain")
    wrong = {path: [] for path in found}
    skips = {}  # set of checks to leave out -> [(path, is the negation asked, is it allowed then)]
    unreachable, witnesses = [], []
    for path, record in found.items():
        if record["positive"] is None:
            continue
        try:
            for i, explanation in enumerate(record["explanation"]):
                negated = i == 1
                answer = explanation["answer"]
                check_explanation(explanation, i == 0)
                need((answer == "allowed") == holds(record, negated), f"{explanation['question']}: {answer}")
                if answer == "unreachable":
                    unreachable.append((path, negated))
                if answer == "allowed":
                    witnesses.append((path, explanation["witness"]["state"]))
                for blame in explanation["blame"]:
                    checks = blame["checks"]
                    skips.setdefault(frozenset(checks), []).append((path, negated, True))
                    for check in checks if len(checks) > 1 else []:
                        skips.setdefault(frozenset(checks) - {check}, []).append((path, negated, False))
                all_checks = frozenset(name for name in record["cuts"] if not name.startswith("("))
                blamed = [frozenset(blame["checks"]) for blame in explanation["blame"]]
                for kept in minimal_hits(blamed) if blamed and not explanation["more"] else []:
                    skips.setdefault(all_checks - kept, []).append((path, negated, False))
        except Wrong as error:
            wrong[path].append(str(error))
    for checks, questions in skips.items():
        options = [word for check in sorted(checks) for word in ("-skipcheck", check)]
        answers = records(program, model, sorted({path for path, _, _ in questions}), *options)
        for path, negated, allowed in questions:
            if path in answers and holds(answers[path], negated) != allowed:
                wrong[path].append(f"without {sorted(checks)} it is {'forbidden' if allowed else 'allowed'}")
    answers = records(program, model, sorted({path for path, _ in unreachable}), "-through", "all", "-timeout", "2")
    for path, negated in unreachable:
        if path in answers and holds(answers[path], negated):
            wrong[path].append("it is reachable if all checks may fail")
    answers = records(program, model, sorted({path for path, _ in witnesses}), "-engine", "naive", "-timeout", "2")
    for path, state in witnesses:
        if path in answers and not any(is_state(s["state"], state) for s in answers[path]["states"]):
            wrong[path].append(f"the naive engine finds no state {state}")
    for path, complaints in wrong.items():
        yield f"{model} {path}", "; ".join(complaints)


def is_state(text, state):
    shown = dict(atom.strip().split("=", 1) for atom in text.split(";") if atom.strip())
    return all(state.get(name) == value or value[0] in "S?" for name, value in shown.items())


def random_tests(folder, n, seed):
    sys.path.insert(0, str(ROOT / "tests" / "random"))
    from opencl_programs import litmus, make_program, registers
    rng = random.Random(seed)
    for i in range(n):
        program, locations = make_program(rng)
        asked = {where: rng.choice([-1, 0, 1, 1]) for where in registers(program)[:2]}
        path = os.path.join(folder, f"random{i}.litmus")
        pathlib.Path(path).write_text(litmus(program, locations, f"random{i}", asked), encoding="utf-8")
        yield path


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-random", type=int, default=60, metavar="N", help="random programs")
    parser.add_argument("-seed", type=int, default=1)
    parser.add_argument("-all", action="store_true", help="every shipped suite under every shipped model")
    parser.add_argument("program", type=os.path.abspath)
    options = parser.parse_args()
    runs = [(model, [tests]) for model, tests in USUAL]
    if options.all:
        shipped = sorted(path.stem for path in (ROOT / "cat").glob("*.cat"))
        runs = [(model, [f"litmus/{suite.name}"]) for model in shipped if is_whole(options.program, model)
                for suite in sorted((ROOT / "litmus").iterdir()) if suite.is_dir()]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        tests = list(random_tests(folder, options.random, options.seed))
        runs += [(model, tests) for model in ("opencl_rem", "opencl_total") if tests]
        for model, paths in runs:
            for title, complaint in check_model(options.program, model, paths):
                failed += bool(complaint)
                passed += not complaint
                if complaint:
                    print(f"FAIL {title}: {complaint}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


def is_whole(program, model):
    """A model by itself, not a part that others include."""
    test = "litmus/rsp/RSP_Test2.litmus"
    return cases.run([program, "-q", "-model", model, test], ROOT, cases.environment())[0] == 0


if __name__ == "__main__":
    sys.exit(main())
