#!/usr/bin/env python3
"""Writes docs/explain.md: tests explained by rspcheck itself, with a few words around.

    docs/explain-pages.py PROGRAM            compare with the file: status 1 if it is not up to date
    docs/explain-pages.py --write PROGRAM    write the file
"""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "explain.md"
HEAD = """# Why: explained tests

`-explain` says why an outcome is allowed, forbidden or unreachable, and why a flag such as `data_race` is raised;
`-outcome STATE` asks about an outcome other than the condition's.

* **Allowed**: the explanation shows an execution with this outcome: its reads-from, its coherence, and the order
  between its threads, that is, the edges of the model's happens-before (whatever the model calls it), each derived
  down to edges of the execution.
* **Forbidden**: the explanation shows the minimal sets of axioms that forbid the outcome: it is allowed if all
  axioms of a set are left out with `-skipcheck`, and forbidden if only some of them are. `forbidden by a and b together;
  also by c alone` names two such sets: {a, b} and {c} (so do `-distinguish` and the page). For each set the explanation
  shows an execution that fails exactly these axioms, and for each axiom what violates it: a cycle, an event related
  to itself, or a pair in what should be empty. A step with nothing below it is an edge of the execution itself
  (`po`, `rf`, `co`, …); a relation that the model defines is shown above the steps that make it up.
* **Unreachable**: no execution has the outcome, whatever the model says.
* **A flag**: the explanation shows the two events, what holds for them, and what does not. Below
  `a → b not in hb, because` is what comes closest to an edge from `a` to `b`, and what is missing from it.

With `-json` each record has all of this, down to base relations (docs/schema.json). With `-o DIR -format svg` (or
`dot`, `pdf`, `png`, `text`) each execution of an explanation is also drawn to a file, with the violation or the
racing pair in bold; `-show` draws others. With `-html FILE` the page has the candidate executions of each state,
allowed or not: choose a state, step through its candidates or only through those that fail exactly the axioms that
you tick, and click on a failed axiom to see its cycle. `-nshow N` puts N candidates per state into the page; the page
says if there are more.

Pictures respect the model's `show` and `unshow`. There is no `showlevel`: device, work-group and sub-group are
boxes wherever the test has a scope tree.

`make pictures` puts the pictures of the RSP suite into one page.

Explanations are cheap (`bench/explain.py`, processor time beyond the check, on two cores at rest): the median of 509
shipped tests takes 4 ms, and the slowest, a queue of four operations and two thieves, 42 ms; SB with 16 variables takes
0.11 s in all, and 352 tests under two models with `-explain -json` 1.5 s. Programs whose threads have very many paths, such as
locks of many work-items, need `-engine auto -speedcheck fast`, by which a SAT solver answers where a search would give up: why no
addition is lost in a ticket lock of 4 + 4 takes 1.4 s, in a test-and-test-and-set lock of 3 + 3 2 s.

`make docs` writes this page, and `make check-all` compares it.
"""
TESTS = [
    ("Message passing to another work-group", "opencl_rem", "rsp/RSP_Test2",
     "The acquire is remote and promotes the release, so the flag synchronises: `gsw`. The write of `x` then "
     "happens before its read, but the read returns the value of an earlier write. Only coherence forbids this."),
    ("A branch that contradicts the question", "opencl_rem", "rsp/RSP_Test4",
     "The outcome is unreachable: `r3` is set only if `r1` is 0. There is a race nevertheless: "
     "the reader of `y` may not have seen the release, and nothing else orders the accesses to `x`."),
    ("A local flag for global data", "opencl_rem", "rsp/RSP_Test7",
     "The flag is in local memory, so it orders local accesses only: for `ghb` it would have to be in `G`."),
    ("Another device", "opencl_rem", "rsp/RSP_Test12",
     "The scope of the remote acquire is the reader's device, and the writer is on another one."),
    ("The work-stealing queue", "opencl_rem", "rsp/RSP_WSQ2",
     "The owner's store to the tail is plain, and so is the thief's load: neither synchronises."),
    ("HRF: a release and an acquire of different scopes", "hrf_direct", "rsp/RSP_Test2",
     "Under HRF-direct a release synchronises only with an acquire of the same scope. The outcome is forbidden "
     "nevertheless, since all executions must be sequentially consistent; but the program has a race."),
    ("C11: store buffering", "rc11", "c11/SB+sc",
     "All accesses are seq_cst, and `psc` has a cycle."),
]


def explanation(program, model, test):
    command = ["-q", "-explain", "-model", f"{model}.cat", f"litmus/{test}.litmus"]
    done = subprocess.run([program, *command], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0 or "Explanation " not in done.stdout:
        sys.exit(f"{test}: {done.stderr}")
    return done.stdout[done.stdout.index("Explanation "):].rstrip()


def page(program):
    parts = [HEAD]
    for title, model, test, words in TESTS:
        parts.append(f"\n## {title}\n\n{words}\n\n```\n$ rspcheck -explain -model {model}.cat litmus/{test}.litmus\n…\n"
                     f"{explanation(program, model, test)}\n```\n")
    return "".join(parts)


def main(arguments):
    text = page(str(pathlib.Path(arguments[-1]).resolve()))
    if arguments[0] == "--write":
        PAGE.write_text(text, encoding="utf-8")
        return 0
    same = PAGE.exists() and PAGE.read_text(encoding="utf-8") == text
    print(f"{int(same)} passed, {int(not same)} failed")
    if not same:
        print("docs/explain.md is not up to date: run `make docs`", file=sys.stderr)
    return int(not same)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
