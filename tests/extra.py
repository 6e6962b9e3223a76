#!/usr/bin/env python3
"""The program without folders of extra/: tests/extra.py [--long] builds it without all of them, or with --long also without each,
and runs the golden tests and suites that remain; without all of them, the unit tests too. The ordinary build must be there:
only what lists the folders is compiled again, in build-without."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OPTIONS = re.compile(r"(?m)^  -([A-Za-z-]+)")


def rows():
    """Each folder with those that it needs."""
    found = re.findall(r"(?m)^EXTRA \((\w+), *(.*)\)$", (ROOT / "cli/extras.def").read_text())
    return {folder: re.findall(r"\w+", needs) for folder, needs in found}


def left_out(folders, needs):
    """The folders, and those that need them."""
    gone = set(folders)
    while more := {folder for folder in needs if folder not in gone and gone & set(needs[folder])}:
        gone |= more
    return gone


def run(*command):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace")


def own_options(folder):
    """The options in the table of a folder."""
    rows_of = re.compile(r'(?m)^  (?:(?!AFTER)[A-Z]+ \(|\{ )\n?\s*"([A-Za-z][^"]*)", CLI_')
    return {name for path in (ROOT / "extra" / folder).glob("*.c") for name in rows_of.findall(path.read_text())}


def suites(gone, all_of_them):
    """Those that need no folder that is gone; expected.tsv says what a suite is run under."""
    folders = {table.parent for table in (ROOT / "litmus").rglob("expected.tsv")
               if not any(re.search(rf"(?m)^{name}\b", table.read_text()) for name in gone)}
    wanted = folders if all_of_them else {folder for folder in folders if folder.name in ("rsp", "ptx", "vulkan", "dsom")}
    return sorted(str(test.relative_to(ROOT)) for folder in wanted for test in folder.glob("*.litmus"))


def complaints(folders, needs, is_long):
    """What is wrong without these folders."""
    gone = left_out(folders, needs)
    made = run("make", "-s", "-j2", "WITHOUT=" + " ".join(f"extra/{folder}" for folder in folders),
               "build-without/rspcheck", "build-without/unit-tests")
    if made.returncode:
        yield f"it does not build\n{made.stderr}"
        return
    program = "build-without/rspcheck"
    shown = set(OPTIONS.findall(run(program, "-help-all").stdout))
    for folder in needs:
        own = own_options(folder)
        wrong = own & shown if folder in gone else own - shown
        if wrong:
            yield f"extra/{folder}: -help-all {'still has' if folder in gone else 'lacks'} -{' -'.join(sorted(wrong))}"
    tests = ROOT / "build-without/tests.index"
    tests.write_text("".join(f"{ROOT}/{test}\n" for test in suites(gone, is_long and gone == set(needs))))
    commands = [(sys.executable, "tests/golden.py", program), (program, "-q", "-expect", f"@{tests}")]
    if gone == set(needs): # most unit tests are of the core
        commands.append(("build-without/unit-tests",))
    for command in commands:
        done = run(*command)
        if done.returncode:
            yield f"{' '.join(command)}:\n{(done.stdout + done.stderr)[-2000:]}"


def main():
    is_long, needs = "--long" in sys.argv[1:], rows()
    cases = [list(needs)] + [[folder] for folder in needs if is_long]
    passed = 0
    for folders in cases:
        wrong = list(complaints(folders, needs, is_long))
        passed += not wrong
        for what in wrong:
            print(f"FAIL extra: without {' '.join(folders)}: {what}")
    print(f"{passed} passed, {len(cases) - passed} failed")
    return passed != len(cases)


if __name__ == "__main__":
    sys.exit(main())
