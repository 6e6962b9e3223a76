#!/usr/bin/env python3
"""Fills the generated parts of docs/*.md from the tables that the program itself is built from.

    scripts/docs.py          rewrites the parts between `<!-- generated: NAME -->` and `<!-- end -->`
    scripts/docs.py --check  changes nothing; says which are out of date, and which links of the
                             guides and README.md lead nowhere, and ends with status 1 if there
                             are any; its last line is "N passed, N failed"

Sources: model/base_names.def (cat-*), model/library (cat-included), parser/litmus/words.def
(litmus-*).
"""

import functools
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PART = re.compile(r"(<!-- generated: (\S+) -->\n)(.*?)(<!-- end -->)", re.S)


# ---- Reading a .def file ----

STRING = r'"((?:[^"\\]|\\.)*)"'


MACROS = re.compile(r"^#define (\w+)\(", re.M)


@functools.cache
def entries(path):
    """[(macro, [argument, ...])] for the rows of a list, also of those that it includes, in order.
    The preprocessor expands it, with each of its own macros as a row. Adjacent strings are joined."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        macros = set(MACROS.findall(file.read())) - {"RSP_SCOPE", "RSP_LEVEL"}
    rows = [f"-D{macro}(...)=@{macro} (__VA_ARGS__)@" for macro in sorted(macros)]
    text = subprocess.run(
        [*os.environ.get("CC", "cc").split(), "-E", "-P", "-I", ROOT, "-x", "c", *rows,
         os.path.join(ROOT, path)],
        capture_output=True, text=True, check=True).stdout
    return [row(text) for text in text.split("@")[1::2]]


def row(text):
    text = re.sub(STRING + r"\s+(?=\")", lambda m: '"' + m[1] + "\0", text).replace('\0"', "")
    match = re.fullmatch(r"(\w+) \((.*)\)", text, re.S)
    arguments = re.findall(STRING + r"|([\w.]+)", match[2])
    return match[1], [(a or b).replace("\\\\", "\\") for a, b in arguments]


def of(path, macro):
    return [arguments for kind, arguments in entries(path) if kind == macro]


# ---- Writing tables ----

def code(text):
    return "`" + text.replace("|", "\\|") + "`"


def table(head, rows):
    lines = [head, ["---"] * len(head)] + rows
    return "".join("| " + " | ".join(row) + " |\n" for row in lines)


def plain(text):
    """A meaning as written in a table, where a bar must not end the cell."""
    return text.replace("|", "\\|")


# ---- The language of models ----

BASE = "model/base_names.def"


def aliases():
    """Name -> its other spellings."""
    other = {}
    for alias, name in of(BASE, "RSP_BASE_ALIAS"):
        other.setdefault(name, []).append(alias)
    return other


def names(rows):
    """Rows (name, meaning) with the aliases of each."""
    other = aliases()
    return table(["name", "also", "meaning"],
                 [[code(name), " ".join(code(a) for a in other.get(name, [])), plain(meaning)]
                  for name, meaning in rows])


def cat_sets():
    return names([(n, m) for _, n, m in of(BASE, "RSP_BASE_SET")]
                 + [(n, m) for _, kind, n, m in of(BASE, "RSP_BASE_DERIVED") if kind == "SET"])


def cat_relations():
    return names([(n, m) for _, n, m in of(BASE, "RSP_BASE_RELATION")])


def cat_derived():
    return names([(n, m) for _, kind, n, m in of(BASE, "RSP_BASE_DERIVED") if kind == "RELATION"])


def cat_literals():
    return names([(n, m) for _, n, m in of(BASE, "RSP_BASE_LITERAL")])


def cat_foreign():
    return ", ".join(code(name) for name, in of(BASE, "RSP_BASE_FOREIGN")) + "\n"


def cat_functions():
    return names([(n, m) for _, n, _, m in of(BASE, "RSP_BASE_FUNCTION")])


def cat_included():
    """The built-in files that bind names: one row per statement."""
    rows = []
    for path in sorted(glob.glob(os.path.join(ROOT, "model", "library", "*.cat"))):
        for line in open(path, encoding="utf-8"):
            if line.startswith(("let ", "with ")):
                rows.append([code(os.path.basename(path)), code(line.strip())])
    return table(["file", "binds"], rows)


# ---- The language of tests ----

WORDS = "parser/litmus/words.def"


def litmus_types():
    named = [w for w, kind, *_ in of(WORDS, "TYPE") if kind == "NAMED"]
    atomic = [w for w, kind, *_ in of(WORDS, "TYPE") if kind == "ATOMIC"]
    spaces = [w for w, kind, *_ in of(WORDS, "TYPE") if kind == "SPACE" and not w.startswith("__")]
    return table(["", "words"],
                 [["integers", " ".join(map(code, named))],
                  ["atomics", " ".join(map(code, atomic))],
                  ["address spaces (also with `__` before)", " ".join(map(code, spaces))]])


def litmus_calls():
    rows = []
    for name, short, *_, short_form, explicit in of(WORDS, "CALL"):
        rows.append([code(name), code(short), form(short_form), form(explicit)])
    return table(["operation", "also", "arguments", "of the `_explicit` form"], rows)


def form(letters):
    if letters == "NULL":
        return ""
    return code(re.sub(r"(?<=.)(?=[a-z\[])(?<!\[)", ", ", letters).replace(", [s]", "[, s]")
                .replace("[m], o", "[m, ]o"))


def synonyms(macro):
    """The canonical word of each value, with the others that mean it."""
    words = {}
    for word, value in of(WORDS, macro):
        words.setdefault(value, [])
        if word not in words[value]:
            words[value].append(word)
    return [[code(w[0]), " ".join(map(code, w[1:]))] for w in words.values()]


def litmus_words():
    return "".join(table([what, "also"], synonyms(macro)) + "\n"
                   for what, macro in (("memory order", "ORDER"), ("memory scope", "SCOPE"),
                                       ("fence flag", "FLAG"))).rstrip("\n") + "\n"


def litmus_levels():
    return table(["level", "also"], synonyms("LEVEL"))


PARTS = {name.replace("_", "-"): function
         for name, function in list(globals().items())
         if name.startswith(("cat_", "litmus_"))}


# ---- Files ----

def fill(text):
    return PART.sub(lambda m: m[1] + PARTS[m[2]]() + m[4] if m[2] in PARTS else m[0], text)


LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")


def anchors(path):
    """Those that GitHub and lowdown give to the headings of a page."""
    with open(path, encoding="utf-8") as file:
        headings = re.findall(r"^#+ (.*)$", file.read(), re.M)
    return {re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def lost_links(path):
    """The links of a page to files or headings that are not there."""
    with open(path, encoding="utf-8") as file:
        links = LINK.findall(file.read())
    for name, anchor in links:
        target = os.path.join(os.path.dirname(path), name) if name else path
        if not os.path.exists(target):
            yield name
        elif anchor and target.endswith(".md") and anchor not in anchors(target):
            yield f"{name}#{anchor}"


def check_links():
    """passed, failed: of README.md and the pages of docs/."""
    pages = [os.path.join(ROOT, "README.md"), *sorted(glob.glob(os.path.join(ROOT, "docs", "**", "*.md"), recursive=True))]
    lost = [(os.path.relpath(path, ROOT), link) for path in pages for link in lost_links(path)]
    for page, link in lost:
        print(f"FAIL {page}: a link to {link}, which does not exist")
    return len(pages) - len({page for page, _ in lost}), len({page for page, _ in lost})


def main():
    check = sys.argv[1:] == ["--check"]
    passed, failed = check_links() if check else (0, 0)
    folder = os.path.join(ROOT, "docs")
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if not name.endswith(".md"):
            continue
        with open(path, encoding="utf-8") as file:
            old = file.read()
        if not PART.search(old):
            continue
        new = fill(old)
        if new == old:
            passed += 1
        elif check:
            failed += 1
            print(f"FAIL docs/{name} is out of date: run `make docs`")
        else:
            with open(path, "w", encoding="utf-8") as file:
                file.write(new)
            print(f"docs/{name} rewritten")
    if check:
        print(f"docs: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
