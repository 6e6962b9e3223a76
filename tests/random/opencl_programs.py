"""Random programs for opencl_compare.py, and their text as litmus tests."""

from hrf_compare import make_place, scope_tree
from opencl_executions import EXPECTED, Location, Op

# The orders of each kind of operation, in programs of each style.
ORDERS = {
    "any": {
        "Read": ["relaxed", "acquire", "seq_cst"],
        "Write": ["relaxed", "release", "seq_cst"],
        "Fence": ["acquire", "release", "acq_rel", "seq_cst"],
        None: ["relaxed", "acquire", "release", "acq_rel", "seq_cst"],
    },
    "synchronising": {
        "Read": ["acquire"] * 5 + ["relaxed"],
        "Write": ["release", "release", "relaxed"],
        "Fence": ["acq_rel"],
        None: ["relaxed", "relaxed", "acq_rel"],
    },
    "fences": {"Read": ["relaxed"], "Write": ["relaxed"], "Fence": ["acq_rel", "seq_cst"],
               None: ["relaxed"]},
    "seq_cst fences": {"Read": ["relaxed"] * 4 + ["seq_cst"], "Write": ["relaxed"] * 4 + ["seq_cst"],
                       "Fence": ["seq_cst"], None: ["relaxed", "seq_cst"]},
    "seq_cst": {None: ["seq_cst"] * 7 + ["relaxed"], "Fence": ["seq_cst"]},
}
SCOPES = ["work_item", "sub_group", "work_group", "work_group", "device", "device",
          "all_svm_devices"]
KINDS = {
    "R": ["Read"],
    "W": ["Write"],
    "U": ["add", "swap", "cas", "weak"],
    "S": ["Write", "Write", "add", "swap"],  # a store of some kind
    "F": ["Fence"],
    "B": ["Barrier"],
    "*": ["Read", "Read", "Write", "Write", "Fence", "Barrier", "add", "cas", "weak"],
}
# Threads of operations, each with its location: a flag (f, g), data (x, y), or either as chance has
# it (*). With ? an operation is there only sometimes; with - it is relaxed, with = it is not; with p it is plain, with !
# it is remote and reaches its device. The shapes with p and ! are for plain accesses that remote operations reach: about
# a fifth of all programs have other flags under opencl_rem than under its variant plain-races.
SHAPES = [
    "** ** **? | ** ** **? | **? **?",
    "** ** **? | ** **? | ** **?",
    "** ** | ** | ** | **",
    "Wx F? Sf | Rf F? Rx",
    "Wx F? Sf= | Rf F? Rx",
    "Wx Sf | Rf Sg | Rg Rx",
    "Wx Sf= Wf- | Rf= Rx",
    "Wx Sf= Wf- Wf- | Rf= Rx",
    "Wx Wf= | Uf- | Rf= Rx",
    "Wx Wf= Sf- | Sf- | Rf= Rx",
    "Wx Wf= | Sf- Sf- | Rf= Rx",
    "Wx F Wf- | Rf F Rx",
    "Wx F Wf- | Rf- F Rx",
    "Wx F Wf- | Rf- F Wx",
    "Wx Wf | Uf Rx",
    "Wx Wf= Ry | Wy Uf= Rx",
    "Wx F Wf Ry | Wy F Rf Rx",
    "Wx B Ry | Wy B Rx",
    "Wx B | B Rx | B?",
    "Wx B Wf | B Rx | Rf Rx",
    "Wx B Wf- | Rf- B Rx | B",
    "Wx B Wf- | Rf= Rx",
    "Wx Wf= | Rf- B Rx",
    "Wx F Wf- | Rf- B Wx",
    "Sf F? Rg | Sg F? Rf",
    "Sf F Sg | Sg F Sf",
    "Sf F? Sg | Sg F? Rf",
    "Rf F? Sg | Rg F? Sf",
    "Sf | Sg | Rf Rg | Rg Rf",
    "Sf F Rg | Sg | Rg Rf",
    "Sf Sg | Sg Rf",
    "Sf Sf Rf | Sf Rf",
    "Sf Rg | Sg Sf- Rf",
    "Uf | Uf Rf | Sf",
    *2 * [
        "Wfp | Uf!",
        "Rfp | Sf!",
        "Wfp | Rf! Rf!",
        "Wfp Rf? | Uf! Rg?",
        "Rfp Sg | Sf! Rg",
        "Wfp | Uf! | Rf!",
    ],
]
FLAGS = {"G": "CLK_GLOBAL_MEM_FENCE", "L": "CLK_LOCAL_MEM_FENCE"}


# ---- Random programs -----------------------------------------------------------------------------


def make_locations(rng):
    """Two flags and two locations for data, in either region; what compare-exchanges compare with."""
    regions = rng.choice(["G", "G", "L", "GL"])
    svm = rng.random() < 0.4

    def one(atomic):
        region = rng.choice(regions)
        return Location(region, atomic, fga=region == "G" and svm and rng.random() < 0.9,
                        initial=rng.choice([0, 0, 0, 1]))

    return {"f": one(True), "g": one(True), "x": one(rng.random() < 0.2), "y": one(False),
            EXPECTED: Location("G", False, initial=rng.choice([0, 1]))}


def make_op(rng, word, locations, usual):
    """`usual` has the style and the scope of the program, and how often another scope is taken."""
    kind, location = rng.choice(KINDS[word[0]]), word[1:2]
    if location == "*":
        location = rng.choice("ffgxy")
    op = Op(kind, value=rng.choice([1, 1, 2]))
    if kind in ("Fence", "Barrier"):
        op.regions = rng.choice(["G", "L", "GL", "GL"])
    else:
        op.location = location if kind in ("Read", "Write") or locations[location].atomic else "f"
    if kind == "Barrier":
        op.label = rng.choice("BBBC")
        op.scope = rng.choice(["work_group"] * 4 + SCOPES)
        return op
    if kind in ("Read", "Write") and (not locations[location].atomic or "p" in word or rng.random() < 0.1):
        return op
    orders = ORDERS[usual["style"]]
    orders = orders.get(kind, orders[None])
    if "=" in word:
        orders = [order for order in orders if order != "relaxed"] or orders
    op.order = "relaxed" if "-" in word else rng.choice(orders)
    op.scope = rng.choice(SCOPES) if rng.random() < usual["chance"] else usual["scope"]
    op.remote = rng.random() < usual["remote"]
    if "!" in word:
        op.scope, op.remote = rng.choice(["device", "all_svm_devices"]), True
    if op.is_cas():
        op.failure = rng.choice(["relaxed", "acquire", "seq_cst"])
    return op


def make_thread(rng, words, locations, usual):
    ops = []
    for word in words.split():
        if word.endswith("?") and rng.random() < 0.5:
            continue
        op = make_op(rng, word, locations, usual)
        earlier = [i for i, o in enumerate(ops) if o.kind not in ("Write", "Fence", "Barrier")]
        if earlier and rng.random() < 0.3:
            op.guard = rng.choice(earlier), rng.choice([1, 1, 0])
        elif ops and is_term(op) and is_term(ops[-1]) and not ops[-1].guard:
            op.joined = rng.random() < 0.1 and not ops[-1].joined
        ops.append(op)
    return ops


def make_program(rng):
    """(program, locations)"""
    locations = make_locations(rng)
    usual = {"scope": rng.choice(SCOPES[1:]), "remote": rng.choice([0, 0.1, 0.4]),
             "chance": rng.choice([0, 0.3]), "style": rng.choice(["synchronising", *ORDERS])}
    program, place = [], (0, 0, 0)
    for thread, words in enumerate(rng.choice(SHAPES).split("|")):
        place = make_place(rng, thread, place)
        ops = make_thread(rng, words, locations, usual)
        if ops:
            program.append((place, ops))
    return program, locations


def is_term(op):
    """Whether the operation has a value, so that it can be part of an expression."""
    return op.kind not in ("Fence", "Barrier") and not (op.kind == "Write" and op.order != "na")


# ---- As a litmus test ----------------------------------------------------------------------------


def call(op):
    how = "_explicit_remote" if op.remote else "_explicit"
    scope = f"memory_scope_{op.scope}"
    if op.kind == "Fence":
        flags = " | ".join(FLAGS[r] for r in op.regions)
        remote = "_remote" if op.remote else ""
        return f"atomic_work_item_fence{remote} ({flags}, memory_order_{op.order}, {scope})"
    name = {"Read": "load", "Write": "store", "add": "fetch_add", "swap": "exchange",
            "cas": "compare_exchange_strong", "weak": "compare_exchange_weak"}[op.kind]
    arguments = [op.location]
    if op.is_cas():
        arguments.append(EXPECTED)
    if op.kind != "Read":
        arguments.append(str(op.value))
    arguments.append(f"memory_order_{op.order}")
    if op.is_cas():
        arguments.append(f"memory_order_{op.failure}")
    return f"atomic_{name}{how} ({', '.join(arguments + [scope])})"


def term(index, op):
    """The operation as an expression."""
    scope = f"memory_scope_{op.scope}"
    if op.kind == "Barrier":
        flags = " | ".join(FLAGS[r] for r in op.regions)
        return f"barrier ({flags})" if op.scope == "work_group" else f"barrier ({flags}, {scope})"
    if op.order == "na":
        return f"r{index} = *{op.location}" if op.kind == "Read" else f"*{op.location} = {op.value}"
    return call(op) if op.kind in ("Write", "Fence") else f"r{index} = {call(op)}"


def statements(ops):
    for index, op in enumerate(ops):
        if op.joined:
            continue
        text = term(index, op)
        if index + 1 < len(ops) and ops[index + 1].joined:
            text = f"({text}) + ({term(index + 1, ops[index + 1])})"
        if op.label:
            text = f"{op.label}: {text}"
        yield f"if (r{op.guard[0]} == {op.guard[1]}) {{ {text}; }}" if op.guard else text + ";"


def declaration(name, location):
    space = "local" if location.region == "L" else "global_fga" if location.fga else "global"
    return f"{space} {'atomic_int' if location.atomic else 'int'}* {name}"


def registers(program):
    return [(thread, index) for thread, (_, ops) in enumerate(program)
            for index, op in enumerate(ops) if op.kind not in ("Write", "Fence", "Barrier")]


def litmus(program, locations, name, asked):
    """The text of the test; `asked` is a map from a register to its value, for the condition."""
    initial = " ".join(f"{n}={location.initial};" for n, location in locations.items())
    parameters = ", ".join(declaration(n, location) for n, location in locations.items())
    lines = [f"OpenCL {name}", f"{{ {initial} }}"]
    for thread, (_, ops) in enumerate(program):
        lines.append(f"P{thread} ({parameters}) {{")
        lines += [f"  int r{index} = -1;" for t, index in registers(program) if t == thread]
        lines += ["  " + statement for statement in statements(ops)]
        lines.append("}")
    lines.append("scopeTree " + scope_tree(program))
    shown = [f"{t}:r{index};" for t, index in registers(program)] + [f"{n};" for n in locations]
    lines.append(f"locations [{' '.join(shown)}]")
    condition = " /\\ ".join(f"{t}:r{i}={value}" for (t, i), value in asked.items())
    lines.append(f"exists ({condition})")
    return "\n".join(lines) + "\n"
