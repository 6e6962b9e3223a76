#!/usr/bin/env python3
"""Names in the sources: tests/names.py fails where

* a function that is used outside its top-level folder does not begin with rsp_; the program's own folder,
  cli/, has the prefix cli_ or none;
* an identifier has one of the words that mean nothing in particular (docs/internals.md has the glossary);
* two scripts that may be joined into one page define the same name;
* docs/internals.md, engine.md or waiting.md names a file or folder that is not there;
* a script that begins with #! is not executable, or another one is;
* a function has more than a screen's 60 lines.
"""

import collections
import os
import re
import subprocess
import sys

os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PRIVATE = {"told", "said", "asked", "asking", "wanted", "wants", "late", "bad", "beside"}
# Words of the language that tests or logs are written in, or of other programs.
EXCEPT = {"LISTED_BAD_EXECUTIONS", "format_bad_executions", "has_bad_count", "read_bad", "n_wanted"}
THING = "(?:row|line|file|test|column|model|state|record|program|thread)"
PHRASES = re.compile(rf"which is no [a-z]+|\b(?:a|one) {THING} a {THING}\b|\b(?:a {THING} each|one a {THING})\b|looks? at the clock|"
                     r"\bin a circle\b|\bcomes? to (?:its|an) end\b|\bat the begin\b|cannot go with|[Ww]arns? of |if need be|"
                     r"stands? between|is told|was told|[Ww]ithout: ")
PROSE = ("*.c", "*.h", "*.inc", "*.def", "*.l", "*.y", "*.py", "*.sh", "*.md", "*.test", "*.cat", "*.js", "Makefile")
DEFINITION = re.compile(r"^(static )?[A-Za-z_][\w \*]*?\s?\b(\w+) \([^;{}]*\)\s*\{", re.M)


def listed(*patterns):
    return subprocess.run(["git", "ls-files", "-co", "--exclude-standard", *patterns], capture_output=True, text=True).stdout.split()


def code(path):
    """The text without comments, strings and what is included."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/", " ", file.read(), flags=re.S)
    return re.sub(r'^#include.*$|"(\\.|[^"\\\n])*"', "", text, flags=re.M)


def lost_paths(page):
    """The files and folders that a page names between backticks and that are not there."""
    with open(page, encoding="utf-8") as file:
        named = set(re.findall(r"`([\w-]+(?:/[\w-]+)*(?:\.(?:c|h|def|cat|inc|l|map|y|py|sh)|/))`", file.read()))
    files = listed()
    known = {"/" + path for path in files} | {"/" + path[:at + 1] for path in files for at in range(len(path)) if path[at] == "/"}
    return sorted(name for name in named if not name.startswith("build") and not any(path.endswith("/" + name) for path in known))


def is_half_script(path):
    if not os.path.exists(path):
        return False
    with open(path, "rb") as file:
        return (file.read(2) == b"#!") != os.access(path, os.X_OK)


def long_functions():
    """Functions of more than a screen's 60 lines."""
    for path in listed("*.c", "*.inc"):
        if not os.path.exists(path) or path.startswith(("extra/hardware/templates/", "litmus/", "docs/")):
            continue
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for match in DEFINITION.finditer(text):
            length = text.count("\n", match.end(), text.find("\n}", match.end()) + 1)
            if length > 60:
                yield f"{path}:{text.count(chr(10), 0, match.end()) + 1}: {match[2]} has {length} lines"


def are_near(a, b):
    """Are they in one top-level folder, or one of extra/?"""
    a, b = a.split("/"), b.split("/")
    return a[:2] == b[:2] if a[0] == "extra" else a[0] == b[0]


def repeated():
    """Names that two scripts of a page define at their outermost level."""
    where = collections.defaultdict(list)
    for path in sorted(set(listed("report/page/*.js", "extra/*/panel.js", "extra/serve/*.js", "extra/web/*.js")) - {"extra/serve/served.js"}):  # in place of extra/web/checker.js
        for name in re.findall(r"^(?:async )?(?:function|const|let|class) (\w+)", code(path), flags=re.M):
            where[name].append(path)
    return [f"{' and '.join(paths)} define {name}" for name, paths in where.items() if len(paths) > 1]


def main():
    paths = [p for p in listed("*.c", "*.h", "*.l", "*.y", "*.inc")
             if os.path.exists(p) and not p.startswith(("tests/", "bench/", "docs/", "extra/hardware/templates/"))]
    text = {path: code(path) for path in paths}
    words = {path: set(re.findall(r"[A-Za-z_]\w*", text[path])) for path in paths}
    defined, static = {}, collections.defaultdict(set)
    for path in paths:
        for is_static, name in DEFINITION.findall(text[path]):
            if is_static or path.endswith(".inc"):
                static[path].add(name)
            else:
                defined[name] = path
    users = collections.defaultdict(set)
    for path in paths:
        for word in words[path] & defined.keys():
            if not path.endswith(".h") and word not in static[path]:
                users[word].add(path)
    wrong, passed = [], 0
    for name, path in sorted(defined.items()):
        far = sorted(user for user in users[name] if not are_near(user, path))
        # extra/web/ defines what GLib has elsewhere, and every grammar uses parser/errors.c.
        if far and not name.startswith(("rsp_", "rspcheck_", "cli_")) and not path.startswith(("cli/", "extra/web/", "parser/errors.c")):
            wrong.append(f"{path}: {name} is used by {far[0]}, so it should begin with rsp_")
        else:
            passed += 1
    for path in paths:
        for word in sorted(words[path] - EXCEPT):
            if PRIVATE & set(word.lower().split("_")):
                wrong.append(f"{path}: {word}: docs/internals.md has better words")
    for page in ("docs/internals.md", "docs/engine.md", "docs/waiting.md"):
        wrong += [f"{page}: there is no {name}" for name in lost_paths(page)]
    wrong += [f"{path}: it begins with #!, or is executable, but not both" for path in listed("*.py", "*.sh") if is_half_script(path)]
    passed += 2
    wrong += [*long_functions(), *repeated()]
    passed += 2
    for path in listed(*PROSE):
        if os.path.exists(path) and path != "tests/names.py":
            with open(path, encoding="utf-8", errors="replace") as file:
                wrong += [f"{path}:{number}: better English for `{match.group(0).strip()}`"
                          for number, line in enumerate(file, 1) if (match := PHRASES.search(line))]
    for line in wrong:
        print("FAIL names:", line)
    print(f"{passed} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
