#!/usr/bin/env python3
"""Command-line tests: runs the commands in tests/cli/*.test and compares streams and status.

A case is a block of lines, ended by an empty line:

  -- what is tested                           (`---`: it takes long: in a step of its own, on level all)
  $ rspcheck -model nosuch.cat mp.litmus      a line for bash; `rspcheck` is the program under test, and
                                              `limit_memory KILOBYTES` limits its address space
  ? 1                                         its status (0 without)
  > Test MP Allowed                           its standard output, line by line
  ! error: nosuch.cat: no such model          its standard error, line by line
  >~ States [0-9]+                            a line that the regular expression matches wholly
  >...                                        any number of lines (also !...)

Every case runs in a copy of tests/cli/data as it is there. `# …` is a comment.

  tests/cli.py PROGRAM [WORD]                 all cases but the long ones, or all with WORD in file name or title
  tests/cli.py --long PROGRAM                 the long ones
"""

import os
import pathlib
import re
import shutil
import stat
import sys
import tempfile
import threading

import cases

FOLDER = pathlib.Path(__file__).resolve().parent / "cli"
DATA = FOLDER / "data"
ROOT = FOLDER.parent.parent
LONGEST = 200  # characters of a line of a case
PRELUDE = """rspcheck () { "$PROGRAM" "$@"; }
# Kilobytes; the address sanitizer reserves more address space than any limit leaves.
limit_memory () { case $PROGRAM in */build-sanitize/*) ;; *) ulimit -v "$1" ;; esac; }
"""


def parse(file):
    """Yields (title, case): case maps "$", "?", ">" and "!" to the lines that begin so."""
    case = None
    for number, line in enumerate(file.read_text().splitlines() + [""], 1):
        if len(line) > LONGEST:
            sys.exit(f"{file}:{number}: a line of {len(line)} characters; {LONGEST} are enough: break the "
                     "command, put a script in data/tools, or match with >~")
        if line.startswith(("-- ", "--- ")):
            marks, title = line.split(" ", 1)
            case = {"title": f"{file.stem}: {title}", "long": marks == "---", "$": [], "?": [], ">": [], "!": []}
        elif case and not line:
            yield case["title"], case
            case = None
        elif case and line[0] in case:
            case[line[0]].append(line[1:])
        elif line and not line.startswith("#"):
            sys.exit(f"{file}: not understood: {line}")


def pattern(lines):
    """A regular expression for a stream."""
    parts = []
    for line in lines:
        if line.startswith("..."):
            parts.append(r"(?:[^\n]*\n)*?")
        elif line.startswith("~"):
            parts.append(line[1:].strip() + "\n")
        else:
            parts.append(re.escape(line[1:]) + "\n")
    return "".join(parts)


def expected(lines, found):
    """The expectation as text. A pattern that matches its line of `found` is replaced by that line, so
    that a diff shows only differences."""
    actual = found.splitlines()
    text = []
    for line in lines:
        at = len(text)
        if line.startswith("~") and at < len(actual) and re.fullmatch(line[1:].strip(), actual[at]):
            line = " " + actual[at]
        text.append(line[1:] if line[:1] == " " else line)
    return "".join(line + "\n" for line in text)


def compare(what, lines, found):
    if re.fullmatch(pattern(lines), found):
        return ""
    return cases.difference(what, expected(lines, found), found) or f"    {what} differs"


class Copy(threading.local):
    """A thread's copy of the data, for one case after the other: what a case has left or changed is undone, since
    copying all of it for each case took longer than the cases."""

    def __init__(self):
        super().__init__()
        self.folder = None

    def fresh(self):
        """The folder."""
        if not self.folder or not self.restore():
            if self.folder:
                self.folder.cleanup()
            self.folder = tempfile.TemporaryDirectory()
            self.data = pathlib.Path(self.folder.name) / "data"
            shutil.copytree(DATA, self.data)
            self.states = {path: state(path) for path in self.paths()}
        return self.data

    def paths(self):
        return [pathlib.Path(folder) / name for folder, folders, files in os.walk(self.data) for name in folders + files]

    def restore(self):
        """False if a folder is gone or has other permissions."""
        found = self.paths()
        for path in found:
            if path not in self.states and path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            elif path not in self.states:
                path.unlink(missing_ok=True)
        for path, old in self.states.items():
            if state(path) == old:
                continue
            if not (DATA / path.relative_to(self.data)).is_file() or not path.parent.is_dir() or path.is_dir():
                return False
            path.unlink(missing_ok=True)
            shutil.copy2(DATA / path.relative_to(self.data), path)
            self.states[path] = state(path)
        return set(self.paths()) == set(self.states)


def state(path):
    """What differs once the file has been written to or replaced, or the folder's permissions changed; None: gone."""
    try:
        found = os.lstat(path)
    except OSError:
        return None
    if stat.S_ISDIR(found.st_mode):
        return found.st_mode
    return found.st_mode, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


COPY = Copy()


def check(program, case):
    data = COPY.fresh()
    env = cases.environment(PROGRAM=program, ROOT=str(ROOT))
    command = ["bash", "-c", PRELUDE + "\n".join(case["$"])]
    status, out, err = cases.run(command, data, env)
    wanted = int(case["?"][0]) if case["?"] else 0
    complaint = [compare("stdout", case[">"], out), compare("stderr", case["!"], err)]
    if status != wanted:
        complaint.append(f"    status {status}, expected {wanted}")
    return "\n".join(filter(None, complaint))


def main():
    are_long = sys.argv[1] == "--long"
    program, word = (sys.argv[1 + are_long:] + [""])[:2]
    found = [c for file in sorted(FOLDER.glob("*.test")) for c in parse(file)
             if (word in c[0] if word else c[1]["long"] == are_long)]
    return cases.report("command line", found, lambda case: check(os.path.abspath(program), case))


sys.exit(main())
