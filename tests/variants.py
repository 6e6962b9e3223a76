"""All ways to make one or two operations of a small test stronger, or any of them weaker: by brute force.

`python3 tests/edits.py` compares what -repair and -relax find with them. Of tests whose only atomic
operations are loads, stores and read-modify-writes with all their arguments: see `suits`.
"""

import itertools
import json
import pathlib
import re
import subprocess
import tempfile

CALL = re.compile(r"\batomic_(\w+?)_explicit(_remote)?\s*\(([^()]*)\)")
OTHER = re.compile(r"compare_exchange|fence|barrier|atomic_flag|atomic_(load|store|exchange|fetch_\w+)\s*\(|filter")
LOADS = ["relaxed", "acquire", "seq_cst"]
STORES = ["relaxed", "release", "seq_cst"]
BOTH = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"]
SCOPES = ["work_item", "sub_group", "work_group", "device", "all_svm_devices"]
RANKS = {"relaxed": 0, "acquire": 1, "release": 1, "acq_rel": 2, "seq_cst": 3}


def order_within(a, b):
    return a == b or RANKS[a] < RANKS[b]


def within(kind, a, b):
    """Is level a of a site no stronger than level b?"""
    if kind == "order":
        return order_within(a, b)
    return a == b or (SCOPES.index(a) < SCOPES.index(b) if kind == "scope" else a < b)


def sites(text, stronger):
    """[(kind, begin, end, own level, other levels)], with levels as written in the text."""
    found = []
    widest = "all_svm_devices" if text.count("(device") > 1 else "device"
    for call in CALL.finditer(text):
        orders = {"load": LOADS, "store": STORES}.get(call[1], BOTH)
        for kind, levels in ("order", orders), ("scope", SCOPES):
            word = re.search(rf"memory_{kind}_(\w+)", call[3])
            if not word:
                continue
            others = [n for n in levels if n != word[1] and within(kind, *((word[1], n) if stronger else (n, word[1])))]
            if stronger and kind == "scope":
                others = [n for n in others if within(kind, n, widest)]
            found.append((kind, call.start(3) + word.start(1), call.start(3) + word.end(1), word[1], others))
        if "memory_scope" in call[3] and bool(call[2]) != stronger:
            at = call.start(1) + len(call[1]) + len("_explicit")
            found.append(("remote", at, at + len(call[2] or ""), call[2] or "", ["_remote" if stronger else ""]))
    return found


def version(text, places, levels):
    for (_, begin, end, _, _), level in sorted(zip(places, levels), key=lambda x: -x[0][1]):
        text = text[:begin] + level + text[end:]
    return text


def suits(text, stronger, most):
    """Are there few enough versions, and nothing that this script does not know?"""
    code = re.sub(r"\(\*.*?\*\)", "", text, flags=re.S)
    return code.count("P0") and not OTHER.search(code) and 1 < len(choices(text, stronger)) <= most


def choices(text, stronger):
    """Levels per site of every version: stronger at one or two sites, or weaker at any."""
    places = sites(text, stronger)
    own = [place[3] for place in places]
    if not stronger:
        n = 1
        for place in places:
            n *= 1 + len(place[4])
        return [None] * n if n > 1000 else list(itertools.product(*([p[3], *p[4]] for p in places)))
    found = [tuple(own)]
    for count in 1, 2:
        for chosen in itertools.combinations(range(len(places)), count):
            for levels in itertools.product(*(places[i][4] for i in chosen)):
                row = list(own)
                for i, level in zip(chosen, levels):
                    row[i] = level
                found.append(tuple(row))
    return found


def least(places, rows):
    """Those of which none is weaker everywhere."""
    kinds = [place[0] for place in places]
    return [a for a in rows if not any(a != b and all(map(within, kinds, b, a)) for b in rows)]


def judged(tool, model, sources):
    """Per version: undefined, states, whether the condition holds in one."""
    with tempfile.TemporaryDirectory() as folder:
        for i, source in enumerate(sources):
            (pathlib.Path(folder) / f"v{i:05}.litmus").write_text(source)
        lines = subprocess.run([tool, "-json", "-q", "-model", f"{model}.cat", folder], capture_output=True,
                               text=True).stdout.splitlines()
    return [(r["undefined"], sorted(s["state"] for s in r["states"]), int(r["positive"]) > 0) for r in map(json.loads, lines)]


def expected(tool, question, model, text):
    """The sources that -repair -all -edits 2, or -relax, should find by orders, scopes and remote forms."""
    stronger = question != "-relax"
    places, rows = sites(text, stronger), choices(text, stronger)
    verdicts = judged(tool, model, [version(text, places, row) for row in rows])
    own = verdicts[rows.index(tuple(place[3] for place in places))]
    if stronger:
        good = [row for row, v in zip(rows, verdicts) if not v[0] and not (question == "forbid" and v[2])]
    else:
        good = [row for row, v in zip(rows, verdicts) if v[:2] == own[:2]]
    return {version(text, places, row) for row in least(places, good)} - {text}
