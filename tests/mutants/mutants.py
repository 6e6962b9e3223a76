#!/usr/bin/env python3
"""Mutants: one-line changes that the ordinary tests must notice.

tests/mutants/mutants.py apply               does each mutant still fit the sources, and compile? (a step of make check; after a build)
tests/mutants/mutants.py run [WORD…]         makes each mutant in a copy of the tree, builds it and runs the steps
                                             of tests/run.sh that it names, until one fails, and then the other
                                             ordinary ones; WORD: only mutants whose title or file has it

What was killed is noted in the copy's folder, and is not run again while its file's code and the mutant are the same:
a run that was interrupted goes on. Those with the quickest steps come first.

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
import concurrent.futures
import functools
import hashlib
import os
import pathlib
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LISTS = sorted(pathlib.Path(__file__).resolve().parent.glob("*.mutants"))

# name here -> the step of tests/run.sh, what make builds for it, the seconds of the processor that one process of it
# may take (some five times what it takes): a mutant that hangs is noticed
STEPS = {
    "suites": ("bounded suites", "rspcheck", 15),
    "errors": ("errors", "rspcheck", 15),
    "golden": ("golden", "rspcheck", 15),
    "unit": ("unit", "build/unit-tests", 40),
    "traces": ("machine traces", "rspcheck", 20),
    "naive": ("naive suites", "rspcheck", 120),
    "needed": ("needed instructions", "rspcheck", 30),
    "same": ("same bounded", "rspcheck", 30),
    "library": ("library", "all", 60),
    "explanations": ("explanations", "rspcheck", 60),
    "questions": ("questions", "rspcheck", 30),
    "weakest": ("weakest", "rspcheck", 30),
    "edits": ("edits", "rspcheck", 60),
    "synthesis": ("synthesis", "rspcheck", 60),
    "cli": ("command line,long commands", "rspcheck", 20),
    "kernels": ("kernels", "rspcheck", 30),
    "machines": ("machines", "rspcheck", 60),
    "dsom": ("dsom", "rspcheck", 60),
    "hrf": ("HRF to the letter", "rspcheck", 60),
    "c": ("C to the letter", "rspcheck", 60),
    "opencl": ("OpenCL to the letter", "rspcheck", 60),
    "theorems": ("theorems", "build/theorems", 120),
    "wide": ("wide sets", "build/differential", 120),
    "messages": ("messages to loops", "build/differential", 120),
    "differential": ("differential", "build/differential", 300),
    "distinguish": ("distinguish", "rspcheck", 60),
    "witness": ("witness", "rspcheck", 60),
    "placements": ("placements", "rspcheck", 60),
}
ORDER = list(STEPS)  # the quickest first
ORDINARY = ("suites", "golden", "unit", "cli", "differential")  # what a mutant that its own steps miss is tried on

HEAD = re.compile(r"^([\w./+-]+): (.*?)\s+\[([\w, :-]+)\]$")
LIMIT = 1800  # seconds on the clock that a step may take
SUITE_LIMIT = 10  # seconds of the processor that one suite of unit tests may take


@functools.cache
def unit_suites():
    return {name for path in (ROOT / "tests" / "unit").glob("*.c")
            for name in re.findall(r'suite_create \("([^"]*)"\)', path.read_text(encoding="utf-8"))}


def is_step(name):
    kind, _, suite = name.partition(":")
    return kind in STEPS and (not suite or (kind == "unit" and suite in unit_suites()))


class Mutant:
    """One mutant; if it does not fit the sources, `wrong` has the reason."""

    def __init__(self, place, path, title, steps):
        self.place, self.path, self.title = place, path, title
        self.steps = [step.strip() for step in steps.split(",")]
        self.after = self.old = self.new = None
        self.reason = None
        self.wrong = None

    def is_equivalent(self):
        return self.steps == ["equivalent"]

    def cost(self):
        """Those with less come first: those that may take the slow steps are last."""
        return max(-1 if ":" in step else ORDER.index(step) for step in self.steps)

    @functools.cached_property
    def key(self):
        """Identifies a mutant that has already been run: the file with the mutant in it, but for comments and layout."""
        code = re.sub(r"/\*.*?\*/|\s+", "", self.find(), flags=re.DOTALL)
        return hashlib.sha256(f"{self.path}\n{code}".encode()).hexdigest()[:20]

    def check(self):
        unknown = [step for step in self.steps if not is_step(step) and step != "equivalent"]
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
        text, at = self.place_in(root)
        return None if at is None else text[:at] + self.new + text[at + len(self.old):]

    def place_in(self, root=ROOT):
        """(the file's text, where in it the mutant is); None for the place if it does not fit."""
        path = root / self.path
        if not path.exists():
            self.wrong = "there is no such file"
            return None, None
        text = path.read_text(encoding="utf-8")
        begin = text.find(self.after) if self.after else 0
        if begin < 0:
            self.wrong = f"`{self.after}` is not in it"
            return None, None
        at = text.find(self.old, begin)
        if at < 0:
            self.wrong = f"`{self.old}` is not in it"
        elif not self.after and text.find(self.old, at + 1) >= 0:
            self.wrong = f"`{self.old}` is in it more than once: say with `@` after what"
        else:
            return text, at
        return None, None


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


# ---- The copy of the tree ------------------------------------------------------------------------


class Tree:
    """A copy of the sources, and its build."""

    def __init__(self, folder):
        self.folder = folder

    def fill(self):
        """Copies only files that differ, so that nothing is rebuilt unnecessarily."""
        names = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-co", "--exclude-standard"],
                               capture_output=True, text=True, check=True).stdout.splitlines()
        names = [name for name in names if (ROOT / name).is_file()]
        for name in names:
            copy = self.folder / name
            if copy.exists() and copy.read_bytes() == (ROOT / name).read_bytes():
                continue
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy)
            for made in (self.folder / "build").rglob(copy.stem + ".o"):  # an interrupted run may still have made it
                made.unlink()
        for path in [p for p in self.folder.rglob("*") if p.is_file()]:
            name = str(path.relative_to(self.folder))
            if name not in names and not name.startswith("build/") and name not in ("rspcheck", "librspcheck.a"):
                path.unlink()

    def build(self, target):
        compiler = "ccache cc" if shutil.which("ccache") else "cc"
        return subprocess.run(["make", "-s", "-j2", "GI=", f"CC={compiler}", "CFLAGS=-O1", target], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run(self, name):
        """The first line that reports a failure, or None if the step passed."""
        kind, _, suite = name.partition(":")
        step, _, limit = STEPS[kind]
        limit = SUITE_LIMIT if suite else limit
        environment = dict(os.environ, RSP_STEPS=step, RSP_NO_SANITIZE="1", CK_FORK="no")
        if suite:
            environment["CK_RUN_SUITE"] = suite
        command = f"ulimit -t {limit}; exec tests/run.sh '{self.folder}/build' '{self.folder}/rspcheck'"
        process = subprocess.Popen(["bash", "-c", command],
                                   cwd=self.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True, errors="replace", process_group=0)
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


def kill(tree, mutant, others):
    """(the step that notices the mutant, what it says); (None, …) where none does, nor of the others."""
    path = tree.folder / mutant.path
    original = path.read_text(encoding="utf-8")
    path.write_text(mutant.find(tree.folder), encoding="utf-8")
    try:
        for name in [*mutant.steps, *(step for step in others if step not in mutant.steps)]:
            built = tree.build(STEPS[name.split(":")[0]][1])
            if built.returncode:
                return "compiler", built.stdout.strip().splitlines()[:3]
            failure = tree.run(name)
            if failure:
                return name, failure
        return None, ", ".join(mutant.steps)
    finally:
        path.write_text(original, encoding="utf-8")


def all_pass(tree, mutants):
    """Every step that is used passes without a mutant."""
    good = True
    for name in dict.fromkeys(name.split(":")[0] for mutant in mutants for name in [*mutant.steps, *ORDINARY]):
        built = tree.build(STEPS[name][1])
        failure = built.stdout if built.returncode else tree.run(name)
        if failure:
            print(f"FAIL mutants: without a mutant, {name}: {failure}")
            good = False
    return good


class Notes:
    """The mutants killed in this run and earlier ones, one per line: `KEY STEP`."""

    def __init__(self, path):
        self.path = path
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        self.killed = dict(line.split(" ", 1) for line in lines)
        self.lock = threading.Lock()

    def add(self, mutant, step):
        with self.lock, self.path.open("a", encoding="utf-8") as file:
            file.write(f"{mutant.key} {step}\n")


class Run:
    """Mutants in several trees at a time."""

    def __init__(self, trees, notes, n, others):
        self.trees = queue.SimpleQueue()
        for tree in trees:
            self.trees.put(tree)
        self.notes, self.n, self.others, self.done = notes, n, others, 0
        self.lock = threading.Lock()

    def try_one(self, mutant):
        tree = self.trees.get()
        start = time.monotonic()
        try:
            step, said = kill(tree, mutant, self.others)
        finally:
            self.trees.put(tree)
        seconds = time.monotonic() - start
        with self.lock:
            self.done += 1
            verdict = f"killed by {step}" if step else "SURVIVED"
            print(f"[{self.done} of {self.n}] {verdict}, {seconds:.0f} s: {mutant.path}: {mutant.title}", flush=True)
            if step in (None, "compiler") or step != mutant.steps[0]:
                print(f"    {mutant.place}: {said}", flush=True)
        if step not in (None, "compiler"):
            self.notes.add(mutant, step)
        return step


def run(mutants, arguments):
    words, folder = arguments.words, pathlib.Path(arguments.tree)
    mutants = [m for m in mutants if not m.is_equivalent() and (not words or any(w in f"{m.path}: {m.title}" for w in words))]
    trees = [Tree((folder / str(i + 1)).resolve()) for i in range(arguments.j)]
    for tree in trees:
        tree.folder.mkdir(parents=True, exist_ok=True)
        tree.fill()
    notes = Notes(folder / "killed")
    left = sorted((m for m in mutants if arguments.again or m.key not in notes.killed), key=Mutant.cost)
    print(f"{len(mutants)} mutants, {len(mutants) - len(left)} of them killed by earlier runs", flush=True)
    if not arguments.now and not all_pass(trees[0], left):
        return 1
    for tree in trees:  # one after the other: ccache has for each what the first one compiled
        tree.build("build/unit-tests")
        tree.build("rspcheck")
    work = Run(trees, notes, len(left), ("golden",) if arguments.quick else ORDINARY)
    with concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        steps = list(pool.map(work.try_one, left))
    survived, refused = steps.count(None), steps.count("compiler")
    print(f"{len(mutants) - survived - refused} mutants killed, {survived} survived"
          + (f", {refused} not compiled" if refused else ""))
    return 1 if survived or refused else 0


# ---- Do they compile? ----------------------------------------------------------------------------


def together(mutants):
    """The text of a file with all these mutants in it, but for those that change what another one does."""
    text, end = mutants[0].place_in()[0], None
    for at, mutant in sorted(((m.place_in()[1], m) for m in mutants), key=lambda pair: -pair[0]):
        if end is None or at + len(mutant.old) <= end:
            text, end = text[:at] + mutant.new + text[at + len(mutant.old):], at
    return text


def compiler_says(path, text):
    """The first error in the file, with this text, or in what includes it; "" if there is none."""
    users = [path] if path.endswith(".c") else [
        str(user.relative_to(ROOT)) for user in (ROOT / path).parent.glob("*.c") if f'"{path}"' in user.read_text(encoding="utf-8")]
    flags = [flag for flag in (ROOT / "build" / "flags").read_text(encoding="utf-8").split() if "RSP_VERSION" not in flag]
    with tempfile.TemporaryDirectory() as folder:
        changed = pathlib.Path(folder) / path
        changed.parent.mkdir(parents=True)
        changed.write_text(text, encoding="utf-8")
        for user in users:
            file = changed if user == path else ROOT / user
            done = subprocess.run(["cc", "-fsyntax-only", f"-I{folder}", '-DRSP_VERSION=""', *flags, str(file)], cwd=ROOT, capture_output=True, text=True)
            if done.returncode:
                return next((line for line in done.stderr.splitlines() if "error:" in line), done.stderr)
    return ""


def compile_all(mutants):
    """All of a file at once; each alone if the compiler complains."""
    files = {}
    for mutant in mutants:
        if not mutant.wrong and pathlib.Path(mutant.path).suffix in (".c", ".h", ".inc"):
            files.setdefault(mutant.path, []).append(mutant)
    for path, own in files.items():
        if compiler_says(path, together(own)):
            for mutant in own:
                if said := compiler_says(path, mutant.find()):
                    mutant.wrong = f"does not compile: {said}"


def apply(mutants):
    if (ROOT / "build" / "flags").exists():
        compile_all(mutants)
    wrong = [mutant for mutant in mutants if mutant.wrong]
    for mutant in wrong:
        print(f"FAIL mutants: {mutant.place}: {mutant.path}: {mutant.title}: {mutant.wrong}")
    print(f"{len(mutants) - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


def interrupt(*_):
    """Ends as Ctrl-C does: steps that run are ended, files are as they were."""
    raise KeyboardInterrupt


def main():
    signal.signal(signal.SIGTERM, interrupt)
    parser = argparse.ArgumentParser(description="One-line changes that the ordinary tests must notice.")
    parser.add_argument("what", choices=["apply", "run"])
    parser.add_argument("words", nargs="*", help="only mutants whose file or title has one of these")
    parser.add_argument("-tree", default=str(ROOT / "build" / "mutants"), help="where the copy is")
    parser.add_argument("-now", action="store_true", help="without running the steps on the sources as they are first")
    parser.add_argument("-quick", action="store_true", help="only the steps that mutants name, and the golden tests")
    parser.add_argument("-again", action="store_true", help="also what earlier runs have killed")
    parser.add_argument("-j", type=int, default=1, help="so many at a time, each in a copy of its own")
    arguments = parser.parse_intermixed_args()
    mutants = [mutant for path in LISTS for mutant in read(path)]
    for mutant in mutants:
        mutant.check()
    if arguments.what == "apply" or any(mutant.wrong for mutant in mutants):
        return apply(mutants)
    return run(mutants, arguments)


if __name__ == "__main__":
    sys.exit(main())
