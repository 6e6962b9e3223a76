"""Calls in threads: atomic operations, compare-exchanges, fences (the tables of spec/litmus.md)."""

from c_types import BOOL, INT, Address, Pointer, Unsupported
from terms import Done, Value, convert, operate

ORDERS = {"relaxed": "relaxed", "rlx": "relaxed", "consume": "consume", "con": "consume",
          "acquire": "acquire", "acq": "acquire", "release": "release", "rel": "release",
          "acq_rel": "acq_rel", "acqrel": "acq_rel", "seq_cst": "seq_cst", "sc": "seq_cst"}
SCOPES = {"work_item": "work_item", "wi": "work_item", "sub_group": "sub_group", "sg": "sub_group",
          "work_group": "work_group", "wg": "work_group", "device": "device", "dev": "device",
          "all_svm_devices": "all_svm_devices", "all_devices": "all_svm_devices",
          "all": "all_svm_devices", "cluster": "cluster"}
FLAGS = {"CLK_GLOBAL_MEM_FENCE": {"G"}, "CLK_LOCAL_MEM_FENCE": {"L"}, "CLK_IMAGE_MEM_FENCE": set()}
FENCES = {"work_item_fence": "flags", "thread_fence": "order", "fence": "either"}
FETCHES = {"add": "+", "sub": "-", "or": "|", "xor": "^", "and": "&", "min": "min", "max": "max"}
CAS = {"compare_exchange_strong": False, "compare_exchange_weak": True, "scas": False, "wcas": True,
       "cas": False, "cas_weak": True}
UNLESS = {"add_unless", "__atomic_add_unless"}


class Calls:
    """The part of paths.Walk that makes calls."""

    def e_call(self, after, name, arguments):
        remote = name.endswith("_remote")
        name = name[:-len("_remote")] if remote else name
        name = name[len("atomic_"):] if name.startswith("atomic_") else name
        explicit = name.endswith("_explicit") or name.endswith("_exp")
        name = name.rsplit("_", 1)[0] if explicit else name
        if name in FENCES:
            return self.fence(name, arguments, remote)
        reduces = name.startswith("store_")
        method = self.reduce if reduces else self.fetch if name.startswith("fetch_") else self.compare_exchange if name in CAS \
            else getattr(self, "call_" + name, None)
        if method is None:
            raise Unsupported(f"a call of {name}")
        count = {"load": 1, "flag_test_and_set": 1, "flag_clear": 1}.get(name, 3 if name in CAS or name in UNLESS else 2)
        # The arguments are sequenced before what the function does.
        done = [self.expression(a, after) for a in arguments[:count]]
        before = set(after).union(*(d.events for d in done))
        values = [d.value for d in done]
        first = len(self.events)
        how = self.how(name, arguments[count:], explicit, remote)
        result = method(name, values, before, how)
        new = set(range(first, len(self.events))) | before - after
        return self.finished(result, new)

    def finished(self, value, events):
        return Done(value or Value(INT, 0), events, events)

    def how(self, name, rest, explicit, remote):
        if name == "init":
            return {}
        orders = 2 if name in CAS else 1
        given = [self.order(a) for a in rest[:orders]] if explicit else ["seq_cst"] * orders
        scope = self.scope(rest[orders]) if explicit and len(rest) > orders else "device"
        return {"order": given, "scope": scope, "atomic": True, "remote": remote}

    def order(self, node):
        name = node[1] if node[0] == "name" else ""
        for prefix in ("memory_order_", "mo_"):
            if name.startswith(prefix):
                return ORDERS[name[len(prefix):]]
        raise Unsupported(f"the order {node}")

    def scope(self, node):
        name = node[1] if node[0] == "name" else ""
        for prefix in ("memory_scope_", "s_"):
            if name.startswith(prefix):
                return SCOPES[name[len(prefix):]]
        raise Unsupported(f"the scope {node}")

    def regions(self, node):
        if node[0] == "binary" and node[1] == "|":
            return self.regions(node[2]) | self.regions(node[3])
        if node[0] == "int":
            return frozenset()
        return frozenset(FLAGS[node[1]])

    def fence(self, name, arguments, remote):
        flags = FENCES[name] == "flags" or FENCES[name] == "either" and not (
            arguments[0][0] == "name" and arguments[0][1].startswith(("mo_", "memory_order_")))
        regions = self.regions(arguments[0]) if flags else frozenset("GL")
        rest = arguments[1:] if flags else arguments
        scope = self.scope(rest[1]) if len(rest) > 1 else "device"
        event = self.add(self.all_events(), order=self.order(rest[0]), scope=scope, remote=remote,
                         regions=regions)
        return self.finished(None, {event})

    # ---- Operations on one object ----

    def call_load(self, name, values, before, how):
        return self.load(values[0], before, **{**how, "order": how["order"][0]})[0]

    def call_store(self, name, values, before, how):
        self.store(values[0], values[1], before, **{**how, "order": how["order"][0]})

    def call_init(self, name, values, before, how):
        self.store(values[0], values[1], before)

    def call_flag_clear(self, name, values, before, how):
        self.call_store(name, [values[0], Value(INT, 0)], before, how)

    def modify(self, pointer, before, how, new, reads):
        """A read-modify-write; new(old) is what it stores, computed from `reads` too."""
        if isinstance(pointer.term, Address) and isinstance(pointer.term.name, tuple):
            raise Unsupported("an atomic operation on a register")
        kind = self.pointed_to(pointer)
        index = self.add(before, reads=True, writes=True, address=pointer.term, addr=pointer.reads,
                         type=kind, data=reads, **{**how, "order": how["order"][0]})
        old = Value(kind, self.symbol(index), frozenset([index]))
        self.events[index].value = convert(new(old), kind)
        return old

    def call_exchange(self, name, values, before, how):
        return self.modify(values[0], before, how, lambda old: values[1].term, values[1].reads)

    def fetch(self, name, values, before, how):
        sign, kind = FETCHES[name[len("fetch_"):]], self.pointed_to(values[0])
        if isinstance(kind, Pointer):
            return self.modify(values[0], before, how,
                               lambda old: operate(sign, old.term, values[1].term, kind), values[1].reads)
        return self.modify(values[0], before, how,
                           lambda old: operate(sign, old.term, convert(values[1].term, kind), kind),
                           values[1].reads)

    def reduce(self, name, values, before, how):
        """C++26: as the operation that returns what it read, without the result."""
        self.fetch("fetch_" + name[len("store_"):], values, before, {**how, "no_result": True})

    def call_flag_test_and_set(self, name, values, before, how):
        old = self.modify(values[0], before, how, lambda old: 1, frozenset())
        return self.computed("!=", old, Value(INT, 0))._replace(type=BOOL)

    def compare_exchange(self, name, values, before, how):
        """Reads *expected; then a read-modify-write, or a load that fails (spec/litmus.md)."""
        pointer, expected, desired = values
        wants, event_of_expected = self.load(expected, before)
        before = before | ({event_of_expected} if event_of_expected is not None else set())
        outcome = self.decide_exchange(CAS[name])
        if outcome == "succeeds":
            old = self.modify(pointer, before, how, lambda old: desired.term, desired.reads | wants.reads)
        else:
            old, _ = self.load(pointer, before, failed=True, **{**how, "order": how["order"][1]})
        self.exchange_condition(outcome, old, wants)
        if outcome != "succeeds" and self.writes_back():
            self.store(expected, old, before | {len(self.events) - 1}, no_source=event_of_expected)
        return Value(INT, int(outcome == "succeeds"), old.reads | wants.reads)

    def call_add_unless(self, name, values, before, how):
        """Linux': relaxed, between full fences, unless the value is that of the third argument; then it is only read."""
        pointer, operand, limit = values
        how, does = {**how, "order": ["relaxed"]}, self.decide_exchange(False) != "succeeds"
        if not does:
            old, _ = self.load(pointer, before, failed=True, **{**how, "order": "relaxed"})
        else:
            full = {"order": "seq_cst", "scope": "device", "remote": False, "regions": frozenset("GL")}
            first = self.add(before, **full)
            kind = self.pointed_to(pointer)
            old = self.modify(pointer, before | {first}, how,
                              lambda old: operate("+", old.term, convert(operand.term, kind), kind), operand.reads)
            self.add(before | {first, len(self.events) - 1}, **full)
        self.exchange_condition("fails" if does else "succeeds", old, limit)
        return old if name.startswith("_") else Value(INT, int(does), old.reads | limit.reads)

    call___atomic_add_unless = call_add_unless

    def writes_back(self):
        """Does a failing compare-exchange write what it found to *expected? In C tests, as the standard
        has it; not in OpenCL tests, as in the published ones; a variant switches either."""
        variants = self.options.variants
        return "no-cas-writeback" not in variants and (self.test.language == "C"
                                                       or "cas-writeback" in variants)
