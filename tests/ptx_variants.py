"""All ways to make one or two instructions of a PTX test stronger, or any of them weaker: by brute force.

`python3 tests/edits.py` compares what -repair forbid and -relax find with them. A level is an instruction's word
("ld.acquire.gpu"), or "" for a fence that is removed.
"""

import itertools
import re

import variants

WORD = re.compile(r"\b(ld|st|atom|red|fence)\.(weak|relaxed|acquire|release|acq_rel|sc)(?:\.(cta|gpu|sys))?((?:\.\w+)?)(?=[ \n;|])")
SETS = {"weak": "", "relaxed": "s", "acquire": "sa", "release": "sr", "acq_rel": "sar", "sc": "sarc"}
ORDERS = {"ld": ["weak", "relaxed", "acquire"], "st": ["weak", "relaxed", "release"], "fence": ["acq_rel", "sc"]}
RMW = ["relaxed", "acquire", "release", "acq_rel"]
SCOPES = ["cta", "gpu", "sys"]


def parts(word):
    return WORD.match(word + " ").groups()


def within(a, b):
    """Is word a no stronger than word b of the same instruction?"""
    if not a or a == b:
        return True
    if not b:
        return False
    (_, order, scope, _), (_, other, reach, _) = parts(a), parts(b)
    if not set(SETS[order]) <= set(SETS[other]):
        return False
    return order == "weak" or SCOPES.index(scope) <= SCOPES.index(reach)


def widest(text):
    places = set(re.findall(r"cta (\d+), gpu (\d+)", text))
    return "cta" if len(places) == 1 else "gpu" if len({gpu for _, gpu in places}) == 1 else "sys"


def levels(match, text, stronger):
    """[(word, number of edits)]: its own first."""
    form, order, scope, rest = match.groups()
    own, top = match[0], widest(text)
    found = [(own, 0)] + ([("", 1)] if form == "fence" and not stronger else [])
    for other in ORDERS.get(form, RMW):
        for reach in [None] if other == "weak" else [top] if order == "weak" else SCOPES:
            word = f"{form}.{other}" + (f".{reach}" if reach else "") + rest
            if word == own or not (within(own, word) if stronger else within(word, own)):
                continue
            if stronger and reach != scope and SCOPES.index(reach) > SCOPES.index(top):
                continue
            found.append((word, (other != order) + (order != "weak" and reach is not None and reach != scope)))
    return found


def suits(text, stronger, most):
    table = text.split("}", 1)[1]
    words = list(WORD.finditer(table))
    return not re.search(r"filter|proxy|cluster|volatile|mmio|shared|membar|fence\.(?!acq_rel|sc)|bar\.|aliases|goto|b[a-z][a-z] ", text) and 1 < len(choices(words, text, stronger)) <= most


def choices(words, text, stronger):
    rows = itertools.product(*(levels(word, text, stronger) for word in words))
    return [tuple(w for w, _ in row) for row in rows if not stronger or sum(n for _, n in row) <= 2]


def version(table, words, row):
    for match, word in sorted(zip(words, row), key=lambda x: -x[0].start()):
        table = table[: match.start()] + word + table[match.end():]
    return table


def expected(tool, question, model, text):
    """The sources that -repair forbid -all -edits 2, or -relax, should find without new fences."""
    stronger = question != "-relax"
    head, table = text.split("}", 1)
    words = list(WORD.finditer(table))
    rows = choices(words, text, stronger)
    verdicts = variants.judged(tool, model, [head + "}" + version(table, words, row) for row in rows])
    own = verdicts[0]
    good = [row for row, v in zip(rows, verdicts) if (not v[2] if stronger else v[:2] == own[:2])]
    least = [a for a in good if not any(a != b and all(map(within, b, a)) for b in good)]
    return {head + "}" + version(table, words, row) for row in least} - {text}
