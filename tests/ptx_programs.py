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
# What the halves of a read-modify-write are, and what a barrier relates.
HALVES = """"halves"
empty rmw & (fr ; co) as atomicity
empty [W & REL] ; rf ; [R & ACQ & RMW] as after
acyclic (po & loc) | (sr & (rf | co | fr)) as coherence
"""
MEETING = """"meeting"
let before = (po ; syncbar ; po)+
irreflexive before ; (rf | fr) as meets
acyclic (po & loc) | rf | fr | (co & syncbar) as order
"""
# Which accesses are by one virtual address, and of which of them proxies are ways.
ADDRESSES = """"addresses"
acyclic (po & vloc) | rf | co | fr as one
acyclic (vloc & (rf | co | fr)) | po as others
"""
SPACES = [
    (ADDRESSES, "ptx75", dict(events=3, kinds="load,store,fence", orders="weak,proxy", scopes="gpu",
                              proxies="generic,surface,alias", threads=2, locations=1)),
    ("ptx60", "ptx75", dict(events=2, kinds="load,store,fence", orders="weak,proxy,relaxed,acquire,release,acq_rel,sc",
                            scopes="cta,gpu", proxies="generic,texture,surface,alias")),
    ("ptx75", FENCES, dict(events=3, kinds="store,fence", orders="weak,acq_rel,sc", scopes="cta,gpu",
                           proxies="generic", threads=2, locations=1)),
    ("ptx60", COHERENT, dict(events=3, kinds="load,store", orders="weak,relaxed", scopes="gpu,sys",
                             proxies="generic", threads=2, locations=1)),
    ("ptx75", HALVES, dict(events=3, kinds="load,store,rmw", orders="weak,relaxed,acquire,acq_rel", scopes="gpu",
                           proxies="generic", threads=2, locations=1)),
    ("ptx60", HALVES, dict(events=4, kinds="rmw", orders="relaxed,release,acq_rel", scopes="cta,gpu",
                           proxies="generic", threads=2, locations=2)),
    ("ptx75", MEETING, dict(events=4, kinds="load,store,barrier", orders="weak", scopes="gpu",
                            proxies="generic", threads=3, locations=1)),
    (MEETING, "ptx75", dict(events=4, kinds="load,rmw,barrier", orders="relaxed,acquire", scopes="gpu",
                            proxies="generic", threads=2, locations=1)),
]

NAME = "PTX"
ALLOWED = {"load": ["weak", "relaxed", "acquire"], "store": ["weak", "relaxed", "release"],
           "rmw": ["relaxed", "acquire", "release", "acq_rel"], "fence": ["proxy", "acq_rel", "sc"]}
FORMS = {("load", "generic"): "ld", ("load", "texture"): "tld", ("load", "surface"): "suld", ("load", "constant"): "cold",
         ("store", "generic"): "st", ("store", "surface"): "sust"}


def labels(kind, space):
    proxies = space["proxies"].split(",")
    if kind == "barrier":
        yield "", None, "generic"
        return
    for order in ALLOWED[kind]:
        if order not in space["orders"].split(","):
            continue
        if order == "proxy":
            yield from ((order, None, proxy) for proxy in proxies if proxy != "generic")
        elif order == "weak":
            yield from ((order, None, proxy) for proxy in proxies if (kind, proxy) in FORMS)
        else:
            yield from ((order, scope, "generic") for scope in space["scopes"].split(","))


def address(event):
    return event.location + "2" * event.address


def name(event):
    return address(event) if event.remote == "generic" else f"{address(event)}_{event.remote}"


def instruction(event, value, register):
    if event.kind == "barrier":
        return "bar.cta.sync 7"
    if event.kind == "rmw":
        return f"atom.{event.order}.{event.scope}.exch r{register}, {name(event)}, {value}"
    if event.order == "proxy":
        return f"fence.proxy.{event.remote}"
    word = FORMS.get((event.kind, event.remote), "fence") + f".{event.order}" + (f".{event.scope}" if event.scope else "")
    if event.kind == "fence":
        return word
    return f"{word} r{register}, {name(event)}" if event.kind == "load" else f"{word} {name(event)}, {value}"


def place(thread, level, group):
    return f"P{thread}@cta {group}, gpu {level}"


def declared(accesses):
    """What follows the initial values: second addresses, and those of other proxies."""
    aliases = sorted({(address(e), "generic", e.location) for e in accesses if e.address})
    aliases += sorted({(name(e), e.remote, address(e)) for e in accesses if e.remote != "generic"})
    return "".join(f" {alias} @ {proxy} aliases {location};" for alias, proxy, location in aliases)


def read_cell(cell, event):
    word = cell.split()[0].split(".")
    if word[0] == "bar":
        return event("barrier", "", 1, "", "", "generic")
    if word[0] == "atom":
        place = re.search(r", ([xyzw])(2?), ", cell)
        return event("rmw", place[1], 0, word[1], word[2], "generic", address=len(place[2]))
    if word[:2] == ["fence", "proxy"]:
        return event("fence", "", 1, "proxy", "", word[2])
    scope = word[2] if len(word) > 2 else ""
    if word[0] == "fence":
        return event("fence", "", 1, word[1], scope, "generic")
    kind, proxy = {form: key for key, form in FORMS.items()}[word[0]]
    place = re.search(r"\b([xyzw])(2?)(_\w+)?\b", cell.split(" ", 1)[1])
    return event(kind, place[1], 0, word[1], scope, proxy, address=len(place[2]))


def read_program(source, event):
    rows = [[cell.strip() for cell in row.split("|")] for row in re.findall(r"^ (.*) ;$", source, re.M)]
    places = [tuple(map(int, re.search(r"cta (\d+), gpu (\d+)", head).groups()))[::-1] for head in rows[0]]
    return tuple((places[t], tuple(read_cell(row[t], event) for row in rows[1:] if row[t])) for t in range(len(places)))
