#!/usr/bin/env python3
"""The runs that docs/synth.md shows are what the program prints: tests/shown.py PROGRAM.

A block that begins with `$ rspcheck …` is run in the root of the repository; each line that it shows, but for
`...`, must be a line of the output. A backslash joins lines, in the command and in what is shown.
"""

import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
GUIDE = ROOT / "docs" / "synth.md"


def blocks():
    for block in re.findall(r"^```\n(\$ rspcheck .*?)^```$", GUIDE.read_text(), re.S | re.M):
        command, *shown = re.sub(r" \\\n\s*", " ", block).splitlines()
        yield command[2:], [line for line in shown if line.strip(". ")]


def main():
    tool, failed, passed = str(pathlib.Path(sys.argv[1]).resolve()), 0, 0
    for command, shown in blocks():
        run = subprocess.run([tool, *shlex.split(command)[1:]], cwd=ROOT, capture_output=True, text=True)
        lines = set(run.stdout.splitlines())
        missing = [line for line in shown if line not in lines and line.removesuffix(" ...") not in lines
                   and not (line.endswith(" ...") and any(l.startswith(line[:-4]) for l in lines))]
        print("\n".join(f"FAIL {command}: does not print {line!r}" for line in missing), end="\n" if missing else "")
        failed += bool(missing)
        passed += not missing
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0 or passed == 0)


if __name__ == "__main__":
    main()
