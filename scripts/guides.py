#!/usr/bin/env python3
"""Runs the examples of the guides: a page must show what the program prints.

    scripts/guides.py PROGRAM            compares; the last line is "N passed, N failed"
    scripts/guides.py --write PROGRAM    writes what is printed now into the pages

Of each page, from top to bottom in one folder that has only what FOLDERS names of the checkout: a block after `<!-- file: NAME -->` is written to
that file; in a block that begins with `$`, each such line is run by bash, with `rspcheck` and `./rspcheck` as the program,
and what follows it is what it prints to both streams. A line `…` stands for any number of lines.
"""

import os
import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
import cases  # noqa: E402

PAGES = ["README.md", "docs/tutorial.md", "docs/models.md", "docs/models-howto.md", "docs/suites.md", "docs/synth.md",
         "docs/kernels.md", "docs/library.md"]
FOLDERS = ["litmus", "cat", "api", "public", "build"]
BLOCK = re.compile(r"(<!-- file: (\S+) -->\n)?```[a-z]*\n(.*?)^```$", re.S | re.M)


def pattern(lines):
    return "".join(r"(?:[^\n]*\n)*?" if line == "…" else re.escape(line) + "\n" for line in lines)


def commands(text):
    """[(command, [line of output, ...])]; a command continues if its line ends in a backslash."""
    found = []
    for line in text.splitlines():
        if found and found[-1][0].endswith("\\") and not found[-1][1]:
            found[-1] = (found[-1][0] + "\n" + line, [])
        elif line.startswith("$ "):
            found.append((line, []))
        else:
            found[-1][1].append(line)
    return found


def run(program, command, folder):
    # The system's Python has PyGObject, whatever other one is in use.
    env = cases.environment(PROGRAM=program, ROOT=str(ROOT), PATH=f"/usr/bin:{os.environ['PATH']}")
    prelude = 'rspcheck () { "$PROGRAM" "$@"; }\n'
    _, out, _ = cases.run(["bash", "-c", prelude + "exec 2>&1\n" + command[2:]], folder, env)
    return out


class Page:
    """A page that is being run."""

    def __init__(self, path, program, folder):
        self.path, self.program, self.folder = path, program, folder
        self.passed, self.complaints = 0, []

    def block(self, match):
        _, name, text = match.groups()
        if name:
            (self.folder / name).write_text(text, encoding="utf-8")
            return match[0]
        if not text.startswith("$ "):
            return match[0]
        shown = "".join(self.example(command, lines) for command, lines in commands(text))
        return match[0].replace(text, shown)

    def example(self, command, lines):
        """The text that the page should show, with a complaint if it does not."""
        printed = run(self.program, command, self.folder)
        expected = "".join(line + "\n" for line in lines)
        broken = re.search(r"^(bash|environment): .*", printed, re.M)  # the command, not what it runs
        if broken:
            sys.exit(f"{self.path}: {command}\n{broken[0]}")
        if re.fullmatch(pattern(lines), printed):
            self.passed += 1
            return f"{command}\n{expected}"
        self.complaints.append(f"{self.path}: {command}\n" + cases.difference("output", expected, printed))
        return f"{command}\n{printed}"


def main(arguments):
    write = arguments[0] == "--write"
    program = os.path.abspath(arguments[-1])
    passed = failed = 0
    for name in PAGES:
        path = ROOT / name
        text = path.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            for part in FOLDERS:
                os.symlink(ROOT / part, pathlib.Path(folder) / part)
            os.symlink(program, pathlib.Path(folder) / "rspcheck")
            page = Page(name, program, pathlib.Path(folder))
            shown = BLOCK.sub(page.block, text)
        passed, failed = passed + page.passed, failed + len(page.complaints)
        if write:
            path.write_text(shown, encoding="utf-8")
        else:
            print("".join(f"FAIL guides: {complaint}\n" for complaint in page.complaints), end="")
    print(f"guides: {passed} passed, {failed} failed")
    return 1 if failed and not write else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
