"""Vulkan programs for synth.py: labels, tests and back."""

import re

# Orders of what scopes relate, and what semantics and domains forbid; sets and relations of every kind of label.
OWN = """"own"
acyclic (po & vloc) | (sr & (NONPRIV * NONPRIV) & (rf | co | fr)) as scoped
empty [SEMAV] ; po ; [AV & ~ATOM] ; (rf & ~sqf) as available
acyclic ((swg | (ACQ * REL)) & (rf | fr)) | ([SC0] ; po ; [SEMSC0]) as semantics
let apart = ((W \\ I) * M) & loc & ext & ~sr & (rf | fr | co)
flag ~empty apart as apart
if "undefined-races"
  undefined_unless empty apart as undefined
end
"""
# What the halves of a read-modify-write are, and which barriers are fences and meet.
HALVES = """"halves"
empty rmw & (fr ; co) as atomicity
empty [W & REL] ; rf ; [R & ACQ & VIS & SEMVIS & RMW] as after
acyclic (po & loc) | (sr & (rf | co | fr)) as coherence
"""
MEETING = """"meeting"
let meets = [CBAR & F & SEMAV] ; (syncbar & sr) ; [CBAR]
irreflexive po ; meets ; po ; (rf | fr) as after
empty [CBAR \\ F] ; po ; [ATOM] ; (rf & swg) as plain
acyclic (po & loc) | rf | fr | co as order
"""
SPACES = [
    ("vulkan", OWN, dict(events=2, kinds="load,store,fence", orders="private,avvis,atom,acq,rel,acq_rel",
                         scopes="wg,dv")),
    ("vulkan", OWN, dict(events=3, kinds="load,store", orders="avvis,atom,rel", scopes="qf",
                         threads=2, locations=1)),
    ("vulkan", HALVES, dict(events=3, kinds="load,store,rmw", orders="private,avvis,atom,acq,acq_rel", scopes="dv",
                            threads=2, locations=1)),
    ("vulkan", HALVES, dict(events=4, kinds="rmw", orders="atom,avvis,rel,acq_rel", scopes="wg,dv", threads=2,
                            locations=2)),
    ("vulkan", MEETING, dict(events=4, kinds="load,store,barrier", orders="avvis,acq_rel", scopes="wg",
                             threads=2, locations=1)),
    (MEETING, "vulkan", dict(events=4, kinds="rmw,load,barrier", orders="avvis,atom,acq", scopes="wg",
                             threads=2, locations=1)),
]

NAME = "VULKAN"
FORMS = {
    "load": {"private": "ld.sc0", "avvis": "ld.vis.S.sc0", "atom": "ld.atom.S.sc0", "acq": "ld.atom.acq.S.sc0.semsc0.semvis"},
    "store": {"private": "st.sc0", "avvis": "st.av.S.sc0", "atom": "st.atom.S.sc0",
              "rel": "st.atom.rel.S.sc0.semsc0.semav"},
    "rmw": {"atom": "rmw.atom.S.sc0", "acq": "rmw.atom.acq.S.sc0.semsc0.semvis", "rel": "rmw.atom.rel.S.sc0.semsc0.semav",
            "acq_rel": "rmw.atom.acq_rel.S.sc0.semsc0.semav.semvis"},
    "fence": {"acq": "membar.acq.S.semsc0.semvis", "rel": "membar.rel.S.semsc0.semav",
              "acq_rel": "membar.acq_rel.S.semsc0.semav.semvis"},
    "barrier": {"": "cbar.S", "acq": "cbar.acq.S.semsc0.semvis", "rel": "cbar.rel.S.semsc0.semav",
                "acq_rel": "cbar.acq_rel.S.semsc0.semav.semvis"}}


def is_space(space):
    return "avvis" in space.get("orders", "")


def labels(kind, space):
    for order, form in FORMS[kind].items():
        if order in ["", *space["orders"].split(",")]:
            yield from ((order, scope, False) for scope in (space["scopes"].split(",") if ".S" in form else [None]))


def instruction(event, value, register):
    word = FORMS[event.kind][event.order].replace("S", event.scope, 1)
    if event.kind == "fence":
        return word
    if event.kind == "barrier":
        return f"{word} 7"
    left = f" r{register}," if event.kind != "store" else ""
    right = f", {value}" if event.kind != "load" else ""
    return f"{word}{left} {event.location}{right}"


def place(thread, level, group):
    return f"P{thread}@sg {thread}, wg {group}, qf {level}"


def declared(_):
    return ""


def read_cell(cell, event):
    word, _, operands = cell.partition(" ")
    for kind, forms in FORMS.items():
        for order, form in forms.items():
            match = re.fullmatch(form.replace(".S", r"\.(sg|wg|qf|dv)"), word)
            if match:
                location = re.search(r"\b([xyzw])\b", operands)
                scope = match[1] if ".S" in form else ""
                return event(kind, location[1] if location else "", 0 if location else 1, order, scope)
    raise ValueError(cell)


def read_program(source, event):
    rows = [[cell.strip() for cell in row.split("|")] for row in re.findall(r"^ (.*) ;$", source, re.M)]
    places = [tuple(map(int, re.search(r"wg (\d+), qf (\d+)", head).groups()))[::-1] for head in rows[0]]
    return tuple((places[t], tuple(read_cell(row[t], event) for row in rows[1:] if row[t])) for t in range(len(places)))
