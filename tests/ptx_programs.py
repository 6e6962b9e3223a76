"""PTX programs for synth.py: labels, tests and back. An event's `remote` is its proxy."""

import re

# Of PTX: what the choice of sync_fence leaves, whatever labels it is made for; and what partial coherence leaves.
FENCES = """"fences"
empty [M] ; po ; sync_fence as after
empty ((SC * SC) & (F * F) & ext) \\ (sync_fence | sync_fence^-1) as larger
acyclic sync_fence | po as agrees
"""
COHERENT = """"coherent"
empty ((W * W) & loc & (po | sr)) \\ (co | co^-1 | id) as related
acyclic (sr & (rf | co | fr)) | (po & loc) as coherence
"""
SPACES = [
    ("ptx60", "ptx75", dict(events=2, kinds="load,store,fence", orders="weak,proxy,relaxed,acquire,release,acq_rel,sc",
                            scopes="cta,gpu", proxies="generic,texture,surface,alias")),
    ("ptx75", FENCES, dict(events=3, kinds="store,fence", orders="weak,acq_rel,sc", scopes="cta,gpu",
                           proxies="generic", threads=2, locations=1)),
    ("ptx60", COHERENT, dict(events=3, kinds="load,store", orders="weak,relaxed", scopes="gpu,sys",
                             proxies="generic", threads=2, locations=1)),
]

ALLOWED = {"load": ["weak", "relaxed", "acquire"], "store": ["weak", "relaxed", "release"], "fence": ["proxy", "acq_rel", "sc"]}
FORMS = {("load", "generic"): "ld", ("load", "texture"): "tld", ("load", "surface"): "suld", ("load", "constant"): "cold",
         ("store", "generic"): "st", ("store", "surface"): "sust"}


def labels(kind, space):
    proxies = space["proxies"].split(",")
    for order in ALLOWED[kind]:
        if order not in space["orders"].split(","):
            continue
        if order == "proxy":
            yield from ((order, None, proxy) for proxy in proxies if proxy != "generic")
        elif order == "weak":
            yield from ((order, None, proxy) for proxy in proxies if (kind, proxy) in FORMS)
        else:
            yield from ((order, scope, "generic") for scope in space["scopes"].split(","))


def name(event):
    return event.location if event.remote == "generic" else f"{event.location}_{event.remote}"


def instruction(event, value, register):
    if event.order == "proxy":
        return f"fence.proxy.{event.remote}"
    word = FORMS.get((event.kind, event.remote), "fence") + f".{event.order}" + (f".{event.scope}" if event.scope else "")
    if event.kind == "fence":
        return word
    return f"{word} r{register}, {name(event)}" if event.kind == "load" else f"{word} {name(event)}, {value}"


def text(threads, values, title):
    columns, observed = [], []
    for t, ((device, group), row) in enumerate(threads):
        cells, loads = [f"P{t}@cta {group if isinstance(group, int) else group[1]}, gpu {device}"], 0
        for i, event in enumerate(row):
            cells.append(instruction(event, values.get((t, i)), loads))
            if event.kind == "load":
                observed.append(f"{t}:r{loads}")
                loads += 1
        columns.append(cells)
    accesses = [e for _, row in threads for e in row if e.location]
    used = sorted({e.location for e in accesses})
    aliases = sorted({(name(e), e.remote, e.location) for e in accesses if e.remote != "generic"})
    lines = [f"PTX {title}", "{ " + " ".join(f"{x}=0;" for x in used)
             + "".join(f" {a} @ {proxy} aliases {x};" for a, proxy, x in aliases) + " }"]
    for i in range(max(map(len, columns))):
        lines.append(" | ".join(c[i] if i < len(c) else "" for c in columns) + " ;")
    lines.append("locations [" + " ".join(f"{o};" for o in observed + used) + "]")
    return "\n".join(lines + ["exists (0 == 0)"]) + "\n"


def read_cell(cell, event):
    word = cell.split()[0].split(".")
    if word[:2] == ["fence", "proxy"]:
        return event("fence", "", 1, "proxy", "", word[2])
    scope = word[2] if len(word) > 2 else ""
    if word[0] == "fence":
        return event("fence", "", 1, word[1], scope, "generic")
    kind, proxy = {form: key for key, form in FORMS.items()}[word[0]]
    return event(kind, re.search(r"\b([xyzw])(_\w+)?\b", cell.split(" ", 1)[1])[1], 0, word[1], scope, proxy)


def read_program(source, event):
    rows = [[cell.strip() for cell in row.split("|")] for row in re.findall(r"^ (.*) ;$", source, re.M)]
    places = [tuple(map(int, re.search(r"cta (\d+), gpu (\d+)", head).groups()))[::-1] for head in rows[0]]
    return tuple((places[t], tuple(read_cell(row[t], event) for row in rows[1:] if row[t])) for t in range(len(places)))
