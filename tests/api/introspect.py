"""The library from Python, by way of its typelib: tests/api/introspect.py PROGRAM.

What the library says equals what the program's -json says; what is taken from a result outlives it.
"""
import gc
import glob
import json
import os
import subprocess
import sys

import gi
gi.require_version("Rspcheck", "0.1")
from gi.repository import GLib, Rspcheck  # noqa: E402

program = sys.argv[1]
passed = failed = 0


def check(holds, what):
    global passed, failed
    if holds:
        passed += 1
    else:
        failed += 1
        print("FAIL introspection:", what)


def load(path, name):
    messages = GLib.String.new("")
    test = Rspcheck.Test.read(path, False, messages)
    model = Rspcheck.Model.load(name, ["cat"], None, messages)
    return test, model


def same_as_json(path, name):
    """The functions, the library's JSON and the program's JSON agree."""
    test, model = load(path, name)
    options = Rspcheck.Options.new()
    options.evidence = True
    result = Rspcheck.explain(test, model, options, None, None)
    own = json.loads(result.json())
    line = subprocess.run([program, "-q", "-j", "1", "-json", "-explain", "-model", "cat/" + name, path],
                          capture_output=True, text=True, check=False).stdout
    theirs = json.loads(line)
    for record in (own, theirs):
        for key in ("seconds", "statistics", "model", "prunings", "cuts", "checksum"):
            record.pop(key, None)
    check(own == theirs, f"{path} {name}: JSON: "
          + str([key for key in theirs if own.get(key) != theirs[key]]))
    states = [{"state": result.state(i), "satisfies": result.state_satisfies(i),
               "executions": result.state_executions(i), "undefined": result.state_undefined(i)}
              for i in range(result.n_states())]
    check(states == theirs["states"], f"{path} {name}: states")
    for i in range(result.n_states()):
        text = " ".join(f"{n}={v};" for n, v in zip(result.state_names(i), result.state_values(i)))
        check(text == result.state(i), f"{path} {name}: names and values of {result.state(i)}: {text}")
    flags = [{"name": flag, "events": [events_of(result.flag_event(flag, i))
                                      for i in range(result.n_flag_events(flag))]}
             for flag in result.flags()]
    check(flags == theirs["flags"], f"{path} {name}: flags")
    reasons = sum(len(e["flags"]) for e in theirs["explanation"])
    check(result.n_flag_reasons() == reasons, f"{path} {name}: reasons of flags")
    for i, said in enumerate(theirs["explanation"]):
        same_explanation(result.explanation(i), said, f"{path} {name}: explanation {i}")


def events_of(event):
    thread = event.thread()
    return {"thread": None if thread < 0 else thread, "line": event.line(), "column": event.column(),
            "text": event.source()}


def same_explanation(own, said, where):
    answers = {"allowed": Rspcheck.Answer.ALLOWED, "forbidden": Rspcheck.Answer.FORBIDDEN,
               "unreachable": Rspcheck.Answer.UNREACHABLE, "unknown": Rspcheck.Answer.UNKNOWN}
    check(own.answer() == answers[said["answer"]] and own.question() == said["question"], where)
    check(own.reasons() == said["reasons"], where + ": reasons")
    same_execution(own.witness(), said["witness"], where + ": witness")
    check(own.n_blames() == len(said["blame"]), where + ": blames")
    for i, blame in enumerate(said["blame"]):
        check(own.blame(i).axioms() == blame["checks"], where + ": axioms")
        same_execution(own.blame(i).execution(), blame["execution"], where + ": blame")
        for k, violation in enumerate(blame["violations"]):
            mine = own.blame(i).violation(k)
            check(mine.axiom() == violation["check"] and mine.line() == violation["line"], where)
            ids = [e["id"] for e in blame["execution"]["events"]]
            steps = [mine.step(s) for s in range(mine.n_steps())]
            for step, other in zip(steps, violation["steps"]):
                same_step(step, other, ids, where + ": step")


def same_step(own, said, ids, where):
    name = said.get("relation", said.get("not"))
    check((ids[own.start()], ids[own.end()], own.relation()) == (said["from"], said["to"], name), where)
    check(own.is_absent() == ("not" in said), where + ": absent")
    parts = said.get("steps", said.get("why", []))
    check(own.n_steps() == len(parts), where + ": parts")
    for i, part in enumerate(parts):
        same_step(own.step(i), part, ids, where)


def same_execution(own, said, where):
    if not own or not said:
        check(own is None and said is None, where)
        return
    events = [own.event(i) for i in range(own.n_events())]
    ids = [event.id() for event in events]
    check(ids == [e["id"] for e in said["events"]], where + ": ids")
    for event, other in zip(events, said["events"]):
        check((event.text(), event.source(), event.line(), event.sets(), event.location(), event.read(),
               event.written())
              == tuple(other[key] for key in ("text", "source", "line", "sets", "location", "read", "written")),
              where + ": event " + other["id"])
    check(dict(zip(own.state_names(), own.state_values())) == said["state"], where + ": state")
    for name, pairs in said["base"].items():
        relation = own.find_relation(name)
        flat = relation.pairs() if relation else []
        mine = [[ids[a], ids[b]] for a, b in zip(flat[::2], flat[1::2])]
        check(sorted(mine) == sorted(pairs), f"{where}: {name}")


def outlives():
    """Whatever order Python frees things in."""
    test, model = load("litmus/rsp/RSP_Test2.litmus", "opencl_rem.cat")
    result = Rspcheck.explain(test, model, None, None, None)
    step = result.explanation(0).blame(0).violation(0).step(0)
    axiom = model.axiom(0)
    del test, model, result
    gc.collect()
    check(step.relation() and step.step(0).relation(), "a step outlives its result")
    check(axiom.name() and axiom.expression(), "a check outlives its model")


def refuses():
    """Errors are None with messages."""
    messages = GLib.String.new("")
    test = Rspcheck.Test.parse("bad", "OpenCL B\n{ x=0; }\nP0 (int* x) { *x = ; }\nexists (x=1)\n", -1, False,
                               messages)
    check(test is None and messages.str.startswith("bad:3:"), "a wrong test is None, with messages")
    check(Rspcheck.Model.load("nosuch.cat", None, None, None) is None, "a missing model is None")
    check(os.path.isabs(Rspcheck.Model.directory()), "the models' folder")


def counts():
    """A number that is too large is an IndexError, a negative one counts from the end."""
    test, model = load("litmus/rsp/RSP_Test2.litmus", "opencl_rem.cat")
    result = Rspcheck.explain(test, model, None, None, None)
    execution = result.explanation(0).blame(0).execution()
    check(result.state(-1) == result.state(result.n_states() - 1), "the last state")
    for what, call in (("state", lambda: result.state(result.n_states())), ("axiom", lambda: model.axiom(99)),
                       ("before the first", lambda: result.state_values(-1 - result.n_states())),
                       ("event", lambda: execution.event(execution.n_events())),
                       ("flag's event", lambda: result.flag_event("none", 0))):
        try:
            call()
            check(False, what + ": no IndexError")
        except IndexError:
            check(True, what)
        except GLib.Error as error:
            check(False, f"{what}: {error}")


for model in ("opencl_rem.cat", "opencl.cat"):
    for path in sorted(glob.glob("litmus/rsp/RSP_Test*.litmus")) + ["litmus/opencl/MP-plain.litmus"]:
        if os.path.exists(path):
            same_as_json(path, model)
for path in sorted(glob.glob("litmus/c11/*.litmus"))[:6]:
    same_as_json(path, "rc11.cat")
outlives()
refuses()
counts()
print(f"introspection: {passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
