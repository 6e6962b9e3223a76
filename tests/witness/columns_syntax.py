"""Reads PTX and Vulkan tests, whose threads are columns: their text to a Test (docs/litmus.md, "PTX and Vulkan
tests"). What an instruction's word says is in columns_words.py."""

import re
from collections import namedtuple

from c_syntax import SyntaxProblem
from c_types import LONG
from litmus_syntax import Location, Sections, Test, Thread, closing, read_value, without_comments

Cell = namedtuple("Cell", "labels word operands")   # word: None for a cell without an instruction
WORD = r"[A-Za-z_][\w.]*"
QUESTION = re.compile(r"(locations|filter|exists|forall|not)\b|~")


def is_in_columns(text):
    return text.split(None, 1)[0].upper() in ("PTX", "VULKAN", "AMDGPU")


def read_columns(text):
    head, _, rest = without_comments(re.sub(r'"[^"]*"', "", text)).partition("{")
    language, name = head.split()[:2]
    end = closing("{" + rest, 0, "{", "}")
    initial, rest = rest[:end - 1], rest[end:].lstrip("; \t\r\n")
    pairs = ""
    if rest.startswith("{"):
        pairs, _, rest = rest[1:].partition("}")
    table, question = split_table(rest.lstrip("; \t\r\n"))
    places, rows = table[0], table[1:]
    ssw = [tuple(int(t.lstrip("P")) for t in pair.split()[1:]) for pair in pairs.split(";") if pair.strip()]
    test = Test(language.upper(), name, {}, [], [place_of(place, language.upper()) for place in places], [], None, None, {}, ssw, {})
    starts = read_initial(initial, test, len(places))
    for thread, start in enumerate(starts):
        test.threads.append(Thread({}, start, [read_cell(row[thread]) for row in rows]))
        for name in re.findall(r"[A-Za-z_]\w*", " ".join(o for cell in test.threads[-1].body for o in cell.operands)):
            location(test, name)       # or a register or a label, which nobody takes for a location
    return read_question(question, test)


def split_table(text):
    """(rows of cells, the rest): a row ends with a semicolon."""
    rows = []
    while True:
        text = text.lstrip()
        if QUESTION.match(text) or not text:
            return rows, text
        row, _, text = text.partition(";")
        rows.append([cell.strip() for cell in row.split("|")])


def place_of(cell, language):
    """level -> the node, from `P0@cta 0, cluster 0, gpu 0`, `P0@sg 0, wg 0, qf 0` or `P0@wv 0, wg 0, cl 0, ag 0`."""
    at = {level: int(number) for level, number in re.findall(r"(\w+)\s+(\d+)", cell.partition("@")[2])}
    if language == "AMDGPU":
        nodes = tuple(at.get(level, 0) for level in ("ag", "cl", "wg", "wv"))
        return {"dev": nodes[:1], "kernel": nodes[:2], "wg": nodes[:3], "sg": nodes}
    if "cta" in at:
        cluster = at["gpu"], at.get("cluster", ("of", at["cta"]))
        return {"dev": at["gpu"], "kernel": cluster, "wg": (cluster, at["cta"]), "sg": cell}
    return {"dev": 0, "kernel": at["qf"], "wg": (at["qf"], at["wg"]), "sg": (at["qf"], at["wg"], at["sg"])}


def location(test, name):
    if name not in test.locations and name not in test.aliases:
        test.locations[name] = Location(name)
        test.locations[name].type = LONG


def read_initial(text, test, threads):
    """Fills in locations and aliases; returns the registers' initial values, for each thread."""
    starts = [{} for _ in range(threads)]
    entries = [entry.strip() for entry in text.split(";") if entry.strip()]
    for entry in entries:
        alias = re.fullmatch(r"(\w+)\s*(?:@\s*(\w+)\s*)?\baliases\s+(\w+)", entry)
        if alias:
            name, proxy, target = alias.groups()
            test.aliases[name] = test.aliases.get(target, target)
            location(test, test.aliases[name])
            if proxy not in (None, "generic"):
                test.handles[name] = test.handles.get(target, target)
    for entry in entries:
        entry = re.sub(r"@\s*mbarrier count (\d+)", lambda m: f"= {int(m[1]) * (2 ** 33 + 1) + 2 ** 32}", entry)
        entry, local, _ = entry.partition("@") if "local" in entry else (entry, "", "")
        left, _, right = (part.strip() for part in entry.partition("="))
        register = re.fullmatch(r"P?(\d+)\s*:\s*(\w+)", left)
        if register:
            starts[int(register[1])][register[2]] = read_value(right)
        elif "aliases" not in entry:
            name, element = re.fullmatch(r"\[?\s*(\w+)\s*(?:\[\s*(\d+)\s*\])?\s*\]?", left).groups()
            location(test, name)
            set_initial(test.locations[name], element and int(element), right)
            if local:
                test.locations[name].space = "local"
    return starts


def set_initial(place, element, right):
    """`x = 1`, `x[1] = 5` or `x[2] = {0, 5}`"""
    values = [read_value(value) for value in right.strip("{} ").split(",") if value.strip()]
    length = element if right.startswith("{") and element else (element or 0) + max(len(values), 1)
    place.is_array = element is not None or right.startswith("{")
    place.values += [0] * (length - len(place.values))
    first = 0 if right.startswith("{") else element or 0
    place.values[first:first + len(values)] = values


def read_cell(text):
    labels = []
    while label := re.match(rf"({WORD})\s*:(?!:)", text):
        labels.append(label[1])
        text = text[label.end():].strip()
    word, _, operands = text.partition(" ")
    return Cell(labels, word or None, [operand.strip() for operand in operands.split(",") if operand.strip()])


def read_question(text, test):
    reader, shown, keep, question = Sections(text), [], None, ("exists", ("true",))
    while reader.peek():
        word = reader.take()
        if word == "locations":
            shown = reader.locations()
        elif word == "filter":
            keep = reader.proposition()
        elif word != ";":
            negated = word in ("~", "not")
            quantifier = reader.take() if negated else word
            if quantifier not in ("exists", "forall"):
                raise SyntaxProblem(f"found {word}")
            question = ("~" * negated + quantifier, reader.proposition())
    return test._replace(shown=shown, filter=keep, question=question)
