"""The OpenCL models to the letter, on one execution of opencl_executions.py.

Relations are sets of pairs of event numbers, and each rule is its sentence in the definition. It
shares nothing with the cat files or the engine. Sources: the heads of cat/opencl*.cat.
"""

import itertools
from dataclasses import dataclass

from opencl_executions import Event
from opencl_graphs import inverse, is_acyclic, is_irreflexive, maybe, on, plus, seq


@dataclass
class Reading:
    """How to read the model."""

    remote: bool = False
    total: bool = False  # a total order of seq_cst operations
    same_scope: bool = False
    plain_races: bool = False  # plain accesses are not promoted


# ---- Scopes --------------------------------------------------------------------------------------


def together(x, a, b, level):
    """Whether two events are of one instance of a level; an initial write is alone at each."""
    a, b = x.events[a], x.events[b]
    if level == "all_svm_devices":
        return True
    if a.thread is None or b.thread is None:
        return a is b
    if level == "work_item":
        return a.thread == b.thread
    depth = {"device": 1, "work_group": 2, "sub_group": 3}[level]
    return x.places[a.thread][:depth] == x.places[b.thread][:depth]


def inclusion(x, reading):
    """The pairs whose scopes suffice for each other."""
    def reaches(a, b):
        return together(x, a, b, x.events[a].named_scope())

    def promoted(a, b):
        """a is remote and reaches b."""
        plain = "na" in (x.events[a].order, x.events[b].order)
        return (x.events[a].op is not None and x.events[a].op.remote and reaches(a, b)
                and not (reading.plain_races and plain))

    def included(a, b):
        if reading.remote and (promoted(a, b) or promoted(b, a)):
            return True
        same = x.events[a].named_scope() == x.events[b].named_scope()
        return reaches(a, b) and reaches(b, a) and (same or not reading.same_scope)

    return {(a, b) for a in x.all for b in x.all if included(a, b)}


# ---- Synchronisation and happens-before ----------------------------------------------------------


def release_sequence(x, store):
    """The store and those co-later up to the first neither by its work-item nor an RMW."""
    order = x.orders[x.events[store].location]
    sequence = [store]
    for later in order[order.index(store) + 1:]:
        if x.events[later].kind != "U" and x.events[later].thread != x.events[store].thread:
            break
        sequence.append(later)
    return sequence


def release_acquire(x, region, incl):
    """ra_sw: release to acquire, of different work-items, in one region."""
    inside = x.the(lambda e: region in e.regions)
    acquires = inside & x.the(lambda e: e.order in ("acquire", "acq_rel", "seq_cst")
                              and (e.reads() or e.fences()))
    releases = inside & x.the(lambda e: e.order in ("release", "acq_rel", "seq_cst")
                              and (e.writes() or e.fences()))
    fences = x.the(Event.fences)
    stores = inside & x.the(lambda e: e.writes() and e.atomic())
    loads = inside & x.the(lambda e: e.reads() and e.atomic())
    found = set()
    for store, load in itertools.product(stores, loads):
        if x.source[load] not in release_sequence(x, store):
            continue
        heads = {a for a in releases if a == store or (a in fences and (a, store) in x.po)}
        observers = {b for b in acquires if b == load or (b in fences and (load, b) in x.po)}
        found |= {(a, b) for a in heads for b in observers
                  if (a, b) in incl and x.events[a].thread != x.events[b].thread}
    return found


def instance(x, half):
    """The barrier instance: the label, and how many times the thread has reached it."""
    event = x.events[half]
    earlier = [e for e in x.events if e.thread == event.thread and e.kind == event.kind
               and e.op.label == event.op.label and e.index < event.index]
    return event.op.label, len(earlier)


def barrier_order(x, region):
    """bar_sw: from each entry fence to the exits of the others of the work-group."""
    entries = x.the(lambda e: e.kind == "entry" and region in e.regions)
    exits = x.the(lambda e: e.kind == "exit" and region in e.regions)
    return {(a, b) for a in entries for b in exits
            if instance(x, a) == instance(x, b) and together(x, a, b, "work_group")
            and not together(x, a, b, "work_item")}


def happens_before(x, incl):
    """ghb and lhb."""
    sc = x.the(lambda e: e.order == "seq_cst")
    both = x.the(lambda e: e.fences() and set(e.regions) == {"G", "L"})
    own = {r: release_acquire(x, r, incl) | barrier_order(x, r) for r in "GL"}

    def closed(region, other):
        crossing = {(a, b) for a, b in own[other] if {a, b} <= sc or {a, b} <= both}
        inside = x.the(lambda e: region in e.regions)
        initial = x.the(lambda e: e.kind == "I")
        given = x.po | {(a, b) for a in initial for b in set(x.all) - initial}
        return plus({(a, b) for a, b in given if {a, b} <= inside} | own[region] | crossing)

    return closed("G", "L"), closed("L", "G")


# ---- The rules -----------------------------------------------------------------------------------


def read_from_visible(x, order, region):
    """A location that is not atomic is read from the last write before."""
    for read, write in x.source.items():
        name = x.events[read].location
        if x.locations[name].atomic or x.locations[name].region != region:
            continue
        between = [w for w in x.orders[name] if (write, w) in order and (w, read) in order]
        if (write, read) not in order or between:
            return False
    return True


def is_coherent(x, ghb, lhb):
    step = seq(maybe(inverse(x.rf), x.all), x.co, maybe(x.rf, x.all))
    atomic_rf = {(w, r) for w, r in x.rf if x.events[r].atomic()}
    rmw = x.the(lambda e: e.kind == "U")
    return (is_irreflexive(ghb) and is_irreflexive(lhb)
            and is_irreflexive(seq(step, ghb)) and is_irreflexive(seq(step, lhb))
            and is_irreflexive(seq(atomic_rf, ghb | lhb))
            and read_from_visible(x, ghb, "G") and read_from_visible(x, lhb, "L")
            and is_irreflexive(x.rf | seq(x.fr, x.co) | seq(x.co, x.rf))
            and not any((w, m) in x.co and (m, r) in x.co
                        for r in rmw for w in [x.source[r]] for m in x.all))


def sc_orders(x, hb, incl, reading):
    """How many orders of its seq_cst operations the execution may have; a partial one counts once."""
    sc = sorted(x.the(lambda e: e.order == "seq_cst"))
    fences = x.the(Event.fences)
    before = maybe(on(fences, x.po, x.all), x.all)
    after = maybe(on(x.all, x.po, fences), x.all)
    if not reading.total:
        seen = seq(before, x.fr | x.co | hb, after)
        return int(is_acyclic({(a, b) for a, b in on(sc, seen & incl, sc) if a != b}))
    orders = itertools.permutations(sc)
    if not keeps_discipline(x, sc):
        return sum(1 for _ in orders)
    return sum(is_total_order_of_sc(x, hb, set(itertools.combinations(s, 2)), sc) for s in orders)


def keeps_discipline(x, sc):
    """Whether all seq_cst operations have scope all-svm-devices on fine-grained buffers or local
    memory, or all have scope device on one device."""
    def fine(event):
        return event.fences() or event.regions == "L" or x.locations[event.location].fga

    events = [x.events[e] for e in sc]
    return all(e.op.scope == "all_svm_devices" and fine(e) for e in events) or (
        all(e.op.scope == "device" for e in events)
        and len({x.places[e.thread][0] for e in events}) <= 1)


def is_total_order_of_sc(x, hb, s, sc):
    """The seven conditions on the total order."""
    fences, writes = x.the(Event.fences), x.the(Event.writes)
    from_fence, to_fence = on(fences, x.po, x.all), on(x.all, x.po, fences)
    read = inverse(x.rf)
    hb_loc = {(a, b) for a, b in hb
              if x.events[a].location and x.events[a].location == x.events[b].location}
    return all(map(is_irreflexive, [
        seq(s, hb),
        seq(s, maybe(from_fence, x.all), x.co, maybe(to_fence, x.all)),
        seq(s, on(x.all, read, sc), x.co),
        seq(s - seq(x.co, s), read, on(x.all, hb_loc, writes)),
        seq(s, from_fence, x.fr),
        seq(s, x.fr, to_fence),
        seq(s, from_fence, x.fr, to_fence),
    ]))


# ---- Undefined behaviour -------------------------------------------------------------------------


def flags(x, hb, incl):
    found = set()
    for a, b in itertools.combinations(x.all, 2):
        one, two = x.events[a], x.events[b]
        if one.location is None or one.location != two.location:
            continue
        if not (one.writes() or two.writes()):
            continue
        if not {(a, b), (b, a)} & hb and (a, b) not in incl:
            found.add("data_race")
        if together(x, a, b, "work_item") and not {(a, b), (b, a)} & x.po:
            found.add("unsequenced_race")
    entries = x.the(lambda e: e.kind == "entry")
    for a in entries:
        members = {t for t, place in enumerate(x.places)
                   if place[:2] == x.places[x.events[a].thread][:2]}
        if members - {x.events[b].thread for b in entries if instance(x, b) == instance(x, a)}:
            found.add("barrier_divergence")
    return found


def judge(x, reading):
    """The number of the model's executions that it stands for, and the flags that they raise."""
    incl = inclusion(x, reading)
    ghb, lhb = happens_before(x, incl)
    if not is_coherent(x, ghb, lhb):
        return 0, set()
    count = sc_orders(x, ghb | lhb, incl, reading)
    return count, flags(x, ghb | lhb, incl) if count else set()
