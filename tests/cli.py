#!/usr/bin/env python3
"""Command-line tests: runs the commands in tests/cli/*.test and tests/errors/*.test and compares streams and status.

A case is a block of lines, ended by an empty line:

  -- what is tested                           (`---`: it takes long: in a step of its own, on level all)
  < OpenCL MP                                 a line of the file that the case's title names
  = parts/more.cat                            another file of the case; its lines follow
  $ rspcheck -model nosuch.cat mp.litmus      a line for bash; `rspcheck` is the program under test, and
                                              `limit_memory KILOBYTES` limits its address space,
                                              `limit_stack KILOBYTES` the stack of each thread
  ? 1                                         its status (0 without)
  > Test MP Allowed                           its standard output, line by line
  ! error: nosuch.cat: no such model          its standard error, line by line
  >~ States [0-9]+                            a line that the regular expression matches wholly
  >...                                        any number of lines (also !...)

`$ rspcheck ARGUMENTS` and `?` before the first case are for those cases of the file that have none; the word $FILE is the
case's title (also in commands of cases).
Every case runs in a copy of tests/cli/data as it is there, or, in tests/errors, in an empty folder. `# …` is a comment.

  tests/cli.py PROGRAM [WORD]                 the cases of tests/cli but the long ones, or all with WORD in file name or title
  tests/cli.py --long PROGRAM                 the long ones
  tests/cli.py --errors PROGRAM               the cases of tests/errors
  tests/cli.py --promote … PROGRAM [WORD]     show differences and make what was printed the expectation
  tests/cli.py --files FOLDER                 write the files of the cases of tests/errors below FOLDER
"""

import argparse
import os
import pathlib
import re
import shutil
import stat
import sys
import tempfile
import threading

import cases

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = [ROOT / "tests/cli", ROOT / "tests/errors"]
LONGEST = 220  # characters of a line of a case
PRELUDE = """rspcheck () { "$PROGRAM" "$@"; }
# Kilobytes; the address sanitizer reserves more address space, and more of the stack, than any limit leaves.
limit_memory () { case $PROGRAM in */build-sanitize/*) ;; *) ulimit -v "$1" ;; esac; }
limit_stack () { case $PROGRAM in */build-sanitize/*) ;; *) ulimit -s "$1" ;; esac; }
"""


def block(**more):
    return {"$": [], "?": [], ">": [], "!": [], "files": {}, **more}


def parse(file):
    """The cases: each maps "$", "?", ">" and "!" to the lines that begin so, and "files" names to lines."""
    found, case = [], block()  # at first what holds for all cases
    usual = case
    for number, line in enumerate(file.read_text().split("\n"), 1):
        if len(line) > LONGEST:
            sys.exit(f"{file}:{number}: a line of {len(line)} characters; {LONGEST} are enough: break the "
                     "command, put a script in data/tools, or match with >~")
        if line.startswith(("-- ", "--- ")):
            marks, title = line.split(" ", 1)
            kind = "long" if marks == "---" else file.parent.name
            case = block(test=file, name=title, title=f"{file.stem}: {title}", kind=kind, begin=number, usual=usual)
            into = title
            found.append(case)
        elif case and not line:
            case = case if case is usual else None
        elif case and line.startswith("= "):
            into = line[2:]
            case["files"][into] = []
        elif case and (line == "<" or line.startswith("< ")):
            case["files"].setdefault(into, []).append(line[2:])
        elif case and line[0] in ("$?" if case is usual else "$?>!"):
            case[line[0]].append(line[1:])
        elif line and not line.startswith("#"):
            sys.exit(f"{file}:{number}: not understood: {line}")
    for case in found:
        if not case["$"] and len(usual["$"]) != 1:
            sys.exit(f"{file}:{case['begin']}: no command")
    return found


def all_cases():
    return [case for folder in FOLDERS for file in sorted(folder.glob("*.test")) for case in parse(file)]


def has_patterns(lines):
    return any(line.startswith(("~", "...")) for line in lines)


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
    if re.fullmatch(pattern(lines), found) if has_patterns(lines) else expected(lines, found) == found:
        return ""
    return cases.difference(what, expected(lines, found), found) or f"    {what} differs"


class Copy(threading.local):
    """A thread's copy of the data, for one case after the other: what a case has left or changed is undone, since
    copying all of it for each case took longer than the cases."""

    def __init__(self, source):
        super().__init__()
        self.source = source
        self.folder = None

    def fresh(self):
        """The folder."""
        if not self.folder or not self.restore():
            if self.folder:
                self.folder.cleanup()
            self.folder = tempfile.TemporaryDirectory()
            self.data = pathlib.Path(self.folder.name) / "data"
            if self.source.exists():
                shutil.copytree(self.source, self.data)
            else:
                self.data.mkdir()
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
            if not (self.source / path.relative_to(self.data)).is_file() or not path.parent.is_dir() or path.is_dir():
                return False
            path.unlink(missing_ok=True)
            shutil.copy2(self.source / path.relative_to(self.data), path)
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


COPIES = {folder: Copy(folder / "data") for folder in FOLDERS}


def write_files(case, folder):
    """Those that are in the case."""
    for name, lines in case["files"].items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("".join(line + "\n" for line in lines))


def run(program, case, folder):
    """Returns (status, stdout, stderr) of the case's command. The usual one goes without bash, which takes longer than
    most of what is tested so."""
    env = cases.environment(PROGRAM=program, ROOT=str(ROOT), FILE=case["name"])
    if case["$"]:
        command = ["bash", "-c", PRELUDE + "\n".join(case["$"])]
    else:
        words = case["usual"]["$"][0].split()
        command = [program, *(case["name"] if word == "$FILE" else word for word in words[1:])]
    return cases.run(command, folder, env)


def error_files(folder):
    """Writes the files of the cases of tests/errors, each case's to a folder of its own, also those that its command makes
    before it runs rspcheck; yields (case, file that the title names)."""
    for case in all_cases():
        if case["kind"] == "errors":
            own = folder / case["test"].stem / pathlib.Path(case["name"]).stem
            own.mkdir(parents=True, exist_ok=True)
            write_files(case, own)
            if case["$"]:
                run("true", case, own)
            yield case, own / case["name"]


def outcome(program, case):
    folder = COPIES[case["test"].parent].fresh()
    write_files(case, folder)
    return run(program, case, folder)


def usual_status(case):
    return int((case["usual"]["?"] or ["0"])[0])


def check(program, case):
    status, out, err = outcome(program, case)
    wanted = int(case["?"][0]) if case["?"] else usual_status(case)
    complaint = [compare("stdout", case[">"], out), compare("stderr", case["!"], err)]
    if status != wanted:
        complaint.append(f"    status {status}, expected {wanted}")
    return "\n".join(filter(None, complaint))


def promote(program, case):
    """Makes what is printed the expectation of the case, unless it has patterns; returns what is wrong, if anything."""
    status, out, err = outcome(program, case)
    if status == "timeout" or status < 0:
        return f"    status {status}"
    found = {"?": [f" {status}"] if status != usual_status(case) else []}
    for mark, text in (">", out), ("!", err):
        if not compare(mark, case[mark], text):
            found[mark] = case[mark]
        elif has_patterns(case[mark]):
            return "    has patterns: change it by hand"
        else:
            found[mark] = [" " + line if line else "" for line in text.split("\n")[:-1]]
    lines = case["test"].read_text().split("\n")
    begin = case["begin"]
    end = next(i for i in range(begin, len(lines)) if not lines[i])
    kept = [line for line in lines[begin:end] if line[0] not in found]
    lines[begin:end] = kept + [mark + line for mark in found for line in found[mark]]
    case["test"].write_text("\n".join(lines))
    return ""


def promote_all(program, found):
    status = 0
    for title, case in reversed(found):  # the last first: lines move
        if complaint := check(program, case):
            problem = promote(program, case)
            print(f"{title}\n{complaint}{problem and chr(10)}{problem}")
            status |= bool(problem)
    return status


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    for option in "--long", "--errors", "--promote":
        parser.add_argument(option, action="store_true")
    parser.add_argument("--files", type=pathlib.Path)
    parser.add_argument("program", nargs="?", default="rspcheck")
    parser.add_argument("word", nargs="?")
    options = parser.parse_args()
    if options.files:
        return 0 if list(error_files(options.files)) else 1
    program = os.path.abspath(options.program)
    kind = "long" if options.long else "errors" if options.errors else "cli"
    found = [(case["title"], case) for case in all_cases()
             if (options.word in case["title"] if options.word else case["kind"] == kind)]
    if options.promote:
        return promote_all(program, found)
    return cases.report("errors" if options.errors else "command line", found, lambda case: check(program, case))


if __name__ == "__main__":
    sys.exit(main())
