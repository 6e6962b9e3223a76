#!/usr/bin/env python3
"""Mutants: one-line changes that the ordinary tests must notice.

tests/mutants/mutants.py apply               does each mutant still fit the sources? (a step of make check)
tests/mutants/mutants.py run [WORD…]         makes each mutant in a copy of the tree, builds it and runs the steps
                                             of tests/run.sh that it names, until one fails; WORD: only mutants
                                             whose title or file has it

The mutants are in *.mutants beside this file:

    model/matrix.c: a composition goes the wrong way  [unit, suites]
    @ rsp_relation_compose
    - rsp_matrix_row (b, j)
    + rsp_matrix_row (b, i)

After `-` the text that is replaced, after `+` what replaces it. The text is there once, in the file or after
the first place of the text that `@` gives. In brackets the steps, by the names of STEPS, the one that
notices it first, and of unit tests one suite alone with `unit:SUITE`; `equivalent` in place of steps: nothing can notice it, for the reason that the line after
`=` gives, and it is not run. Lines that begin with # are comments.
"""

import argparse
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LISTS = sorted(pathlib.Path(__file__).resolve().parent.glob("*.mutants"))

# name here -> the step of tests/run.sh, what make builds for it
STEPS = {
    "unit": ("unit", "build/unit-tests"),
    "golden": ("golden", "rspcheck"),
    "cli": ("command line", "rspcheck"),
    "library": ("library", "all"),
    "suites": ("suites, bounded", "rspcheck"),
    "naive": ("suites, naive", "rspcheck"),
    "same": ("same, bounded", "rspcheck"),
    "differential": ("differential", "build/differential"),
    "messages": ("messages to loops", "build/differential"),
    "theorems": ("theorems", "build/theorems"),
    "hrf": ("HRF to the letter", "rspcheck"),
    "c": ("C to the letter", "rspcheck"),
    "opencl": ("OpenCL to the letter", "rspcheck"),
    "machines": ("machines", "rspcheck"),
    "needed": ("needed instructions", "rspcheck"),
    "traces": ("machine traces", "rspcheck"),
    "dsom": ("dsom", "rspcheck"),
    "synthesis": ("synthesis", "rspcheck"),
    "distinguish": ("distinguish", "rspcheck"),
    "edits": ("edits", "rspcheck"),
    "explanations": ("explanations", "rspcheck"),
    "witness": ("witness", "rspcheck"),
}

HEAD = re.compile(r"^([\w./+-]+): (.*?)\s+\[([\w, :-]+)\]$")
LIMIT = 900  # seconds that a step may take: a mutant that hangs is noticed
CPU_LIMIT = 60  # seconds of the processor that one process of it may take


class Mutant:
    """One mutant; where it does not fit the sources, `wrong` says why."""

    def __init__(self, place, path, title, steps):
        self.place, self.path, self.title = place, path, title
        self.steps = [step.strip() for step in steps.split(",")]
        self.after = self.old = self.new = None
        self.reason = None
        self.wrong = None

    def is_equivalent(self):
        return self.steps == ["equivalent"]

    def check(self):
        unknown = [step for step in self.steps if step.split(":")[0] not in STEPS and step != "equivalent"]
        if unknown:
            self.wrong = f"no step `{unknown[0]}`"
        elif self.old is None or self.new is None or self.old == self.new:
            self.wrong = "`-` and `+` say what is replaced by what"
        elif self.is_equivalent() != bool(self.reason):
            self.wrong = "`=` gives the reason why a mutant is equivalent"
        else:
            self.find()

    def find(self, root=ROOT):
        """The text of the file with the mutant in it."""
        path = root / self.path
        if not path.exists():
            self.wrong = "there is no such file"
            return None
        text = path.read_text(encoding="utf-8")
        begin = text.find(self.after) if self.after else 0
        if begin < 0:
            self.wrong = f"`{self.after}` is not in it"
            return None
        at = text.find(self.old, begin)
        if at < 0:
            self.wrong = f"`{self.old}` is not in it"
        elif not self.after and text.find(self.old, at + 1) >= 0:
            self.wrong = f"`{self.old}` is in it more than once: say with `@` after what"
        else:
            return text[:at] + self.new + text[at + len(self.old):]
        return None


def read(path):
    mutants = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        place = f"{path.relative_to(ROOT)}:{number}"
        head = HEAD.match(line)
        if not line.strip() or line.startswith("#"):
            continue
        if head:
            mutants.append(Mutant(place, *head.groups()))
        elif mutants and line[:2] in ("@ ", "- ", "+ ", "= "):
            field = {"@": "after", "-": "old", "+": "new", "=": "reason"}[line[0]]
            setattr(mutants[-1], field, line[2:])
        else:
            sys.exit(f"{place}: error: neither a mutant's head nor a line of it: {line}")
    return mutants


def limit_processor():
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_LIMIT, CPU_LIMIT))


# ---- The copy of the tree ------------------------------------------------------------------------


class Tree:
    """A copy of the sources, and its build."""

    def __init__(self, folder):
        self.folder = folder

    def fill(self):
        """Copies what differs, so that what is built already is not built again."""
        names = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-co", "--exclude-standard"],
                               capture_output=True, text=True, check=True).stdout.splitlines()
        names = [name for name in names if (ROOT / name).is_file()]
        for name in names:
            copy = self.folder / name
            if copy.exists() and copy.read_bytes() == (ROOT / name).read_bytes():
                continue
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy)
        for path in [p for p in self.folder.rglob("*") if p.is_file()]:
            name = str(path.relative_to(self.folder))
            if name not in names and not name.startswith("build/") and name not in ("rspcheck", "librspcheck.a"):
                path.unlink()

    def build(self, target):
        compiler = "ccache cc" if shutil.which("ccache") else "cc"
        return subprocess.run(["make", "-s", "-j2", "GI=", f"CC={compiler}", "CFLAGS=-O1", target], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run(self, step, suite):
        """The first line that says what failed; None: the step passed."""
        environment = dict(os.environ, RSP_STEPS=step, RSP_NO_SANITIZE="1", CK_FORK="no")
        if suite:
            environment["CK_RUN_SUITE"] = suite
        process = subprocess.Popen(["tests/run.sh", str(self.folder / "build"), str(self.folder / "rspcheck")],
                                   cwd=self.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True, errors="replace", start_new_session=True, preexec_fn=limit_processor)
        timer = threading.Timer(LIMIT, os.killpg, (process.pid, signal.SIGKILL))
        timer.start()
        failure = last = None
        for line in process.stdout:
            last = line.strip() or last
            if "FAIL" in line:
                failure = line.strip()
                break
        timer.cancel()
        if failure:
            os.killpg(process.pid, signal.SIGKILL)
        process.stdout.close()
        status = process.wait()
        return failure or (f"ended with status {status}: {last}" if status else None)


# ---- The run -------------------------------------------------------------------------------------


def kill(tree, mutant):
    """(the step that notices the mutant, what it says); (None, …) where none does."""
    path = tree.folder / mutant.path
    original = path.read_text(encoding="utf-8")
    path.write_text(mutant.find(tree.folder), encoding="utf-8")
    try:
        for name in mutant.steps:
            kind, _, suite = name.partition(":")
            step, target = STEPS[kind]
            built = tree.build(target)
            if built.returncode:
                return "compiler", built.stdout.strip().splitlines()[:3]
            failure = tree.run(step, suite)
            if failure:
                return name, failure
        return None, ", ".join(mutant.steps)
    finally:
        path.write_text(original, encoding="utf-8")


def all_pass(tree, mutants):
    """Every step that is used passes without a mutant."""
    good = True
    for name in dict.fromkeys(name.split(":")[0] for mutant in mutants for name in mutant.steps):
        step, target = STEPS[name]
        built = tree.build(target)
        failure = built.stdout if built.returncode else tree.run(step, None)
        if failure:
            print(f"FAIL mutants: without a mutant, {step}: {failure}")
            good = False
    return good


def run(mutants, words, folder, baseline, first):
    mutants = [m for m in mutants if not m.is_equivalent() and (not words or any(w in f"{m.path}: {m.title}" for w in words))]
    folder.mkdir(parents=True, exist_ok=True)
    tree = Tree(folder.resolve())
    tree.fill()
    if baseline and not all_pass(tree, mutants):
        return 1
    survived = refused = 0
    for number, mutant in list(enumerate(mutants, 1))[first - 1:]:
        start = time.monotonic()
        step, said = kill(tree, mutant)
        seconds = time.monotonic() - start
        survived += step is None
        refused += step == "compiler"
        verdict = f"killed by {step}" if step else "SURVIVED"
        print(f"[{number} of {len(mutants)}] {verdict}, {seconds:.0f} s: {mutant.path}: {mutant.title}", flush=True)
        if step in (None, "compiler") or step != mutant.steps[0]:
            print(f"    {mutant.place}: {said}", flush=True)
    print(f"{len(mutants) - first + 1 - survived - refused} mutants killed, {survived} survived"
          + (f", {refused} not compiled" if refused else ""))
    return 1 if survived or refused else 0


def apply(mutants):
    wrong = [mutant for mutant in mutants if mutant.wrong]
    for mutant in wrong:
        print(f"FAIL mutants: {mutant.place}: {mutant.path}: {mutant.title}: {mutant.wrong}")
    print(f"{len(mutants) - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description="One-line changes that the ordinary tests must notice.")
    parser.add_argument("what", choices=["apply", "run"])
    parser.add_argument("words", nargs="*", help="only mutants whose file or title has one of these")
    parser.add_argument("-tree", default=str(ROOT / "build" / "mutants"), help="where the copy is")
    parser.add_argument("-now", action="store_true", help="without running the steps on the sources as they are first")
    parser.add_argument("-first", type=int, default=1, help="begin with this one, by the numbers of an earlier run")
    arguments = parser.parse_intermixed_args()
    mutants = [mutant for path in LISTS for mutant in read(path)]
    for mutant in mutants:
        mutant.check()
    if arguments.what == "apply" or any(mutant.wrong for mutant in mutants):
        return apply(mutants)
    return run(mutants, arguments.words, pathlib.Path(arguments.tree), not arguments.now, arguments.first)


if __name__ == "__main__":
    sys.exit(main())
