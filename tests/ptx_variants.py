"""All ways to make one or two instructions of a PTX test stronger, or any of them weaker: by brute force.

`python3 tests/edits.py` compares what -repair forbid and -relax find with them. A level is an instruction's word
("ld.acquire.gpu"), or "" for a fence that is removed.
"""

import itertools
import re

import variants

MBARRIER = r"mbarrier\.(?:arrive(?:_drop)?(?:\.expect_tx)?|(?:test|try)_wait(?:\.parity)?)"
WORD = re.compile(rf"(?<![\w.:])((?:ld|st|atom|red)(?=\.[wras])|fence|{MBARRIER})(?:\.(weak|relaxed|acquire|release|acq_rel|sc)\b)?"
                  r"(?:\.(cta|cluster|gpu|sys))?((?:\.\w+)?)(?=[ \n;|])")
SETS = {"weak": "", "relaxed": "s", "acquire": "sa", "release": "sr", "acq_rel": "sar", "sc": "sarc"}
ORDERS = {"ld": ["weak", "relaxed", "acquire"], "st": ["weak", "relaxed", "release"], "fence": ["acq_rel", "sc"]}
RMW = ["relaxed", "acquire", "release", "acq_rel"]
SCOPES = ["cta", "cluster", "gpu", "sys"]
NEWER = r"fence\.(acquire|release)|mbarrier|cluster"
OTHERS = r"filter|proxy|volatile|mmio|shared|membar|mbarrier_init|(?<!m)bar|aliases|goto|cp\.|b[a-z][a-z] "


def parts(word):
    """(form, order, scope): mbarriers and fences need not say them."""
    form, order, scope, _ = WORD.match(word + " ").groups()
    default = "acq_rel" if form == "fence" else "release" if "arrive" in form else "acquire"
    return form, order or default, scope or "cta"


def within(a, b):
    """Is word a no stronger than word b of the same instruction?"""
    if not a or a == b:
        return True
    if not b:
        return False
    (_, order, scope), (_, other, reach) = parts(a), parts(b)
    if not set(SETS[order]) <= set(SETS[other]):
        return False
    return order == "weak" or SCOPES.index(scope) <= SCOPES.index(reach)


def widest(text):
    """Where no cluster is named, each cta is one."""
    places = {(cta, cluster or "of " + cta, gpu) for cta, cluster, gpu in re.findall(r"cta (\d+)(?:, cluster (\d+))?, gpu (\d+)", text)}
    return next(scope for scope, n in zip(SCOPES, (3, 2, 1, 0)) if (scope != "cluster" or "cluster" in text)
                and len({place[3 - n:] for place in places}) == 1 or scope == "sys")


def orders(form, newer):
    if form.startswith("mbarrier"):
        return ["relaxed", "release" if "arrive" in form else "acquire"]
    return ["acquire", "release"] * (newer and form == "fence") + ORDERS.get(form, RMW)


def levels(match, text, stronger, newer):
    """[(word, number of edits)]: its own first."""
    form, given, place, rest = match.groups()
    (_, order, scope), own, top = parts(match[0]), match[0], widest(text)
    scopes = [s for s in SCOPES if (s != "cluster" or "cluster" in text)
              and (s in ("cta", "cluster") or not form.startswith("mbarrier"))]
    found = [(own, 0)] + ([("", 1)] if form == "fence" and not stronger else [])
    for other in orders(form, newer):
        for reach in [None] if other == "weak" else [top] if order == "weak" else scopes:
            said = other != order or given, reach and (order == "weak" or reach != scope or place)
            word = form + f".{other}" * bool(said[0]) + f".{reach}" * bool(said[1]) + rest
            if word == own or not (within(own, word) if stronger else within(word, own)):
                continue
            if stronger and reach != scope and SCOPES.index(reach) > SCOPES.index(top):
                continue
            found.append((word, (other != order) + (order != "weak" and reach is not None and reach != scope)))
    return found


def is_newer(text, model):
    return model == "ptx90" or bool(re.search(NEWER, text))


def suits(text, stronger, most, model):
    """Under ptx90, those with newer words alone."""
    table = text.split("}", 1)[1]
    words = list(WORD.finditer(table))
    fits = not re.search(OTHERS, text) and (model == "ptx90") == bool(re.search(NEWER, text))
    return fits and 1 < len(choices(words, text, stronger, model)) <= most


def choices(words, text, stronger, model):
    rows = itertools.product(*(levels(word, text, stronger, is_newer(text, model)) for word in words))
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
    rows = choices(words, text, stronger, model)
    verdicts = variants.judged(tool, model, [head + "}" + version(table, words, row) for row in rows])
    own = verdicts[0]
    good = [row for row, v in zip(rows, verdicts) if (not v[2] if stronger else v[:2] == own[:2])]
    least = [a for a in good if not any(a != b and all(map(within, b, a)) for b in good)]
    return {head + "}" + version(table, words, row) for row in least} - {text}
