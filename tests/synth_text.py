"""Programs of synthesis as litmus tests: written from events, and read back. For tests/synth.py."""

import re
import typing

import ptx_programs
import vulkan_programs

ORDERS = {"na": None, "rlx": "relaxed", "acq": "acquire", "rel": "release", "ar": "acq_rel", "sc": "seq_cst"}
SCOPES = {"wi": "work_item", "sg": "sub_group", "wg": "work_group", "dev": "device", "all": "all_svm_devices"}
MEMORY = {1: "CLK_GLOBAL_MEM_FENCE", 2: "CLK_LOCAL_MEM_FENCE", 3: "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE"}


class Event(typing.NamedTuple):
    kind: str
    location: str = ""   # of accesses
    memory: int = 0      # of fences and barriers: 1 global, 2 local, 3 both
    order: str = ""
    scope: str = ""
    remote: bool = False
    addr: int = None     # places of loads in the thread
    data: int = None
    guard: int = None
    value: tuple = None  # of the guard: thread and place of the write
    address: int = 0     # of accesses in PTX: by which virtual address, 0 or 1


def is_read(event):
    return event.kind in ("load", "rmw")


def is_write(event):
    return event.kind in ("store", "rmw")


def in_columns(space):
    """The module of programs in columns; None for others."""
    return ptx_programs if "proxies" in space else vulkan_programs if vulkan_programs.is_space(space) else None


# ---- Written ----

def write_values(threads):
    """Per write (thread, place) its value, from 1 in each location."""
    values, last = {}, {}
    for t, (_, row) in enumerate(threads):
        for i, event in enumerate(row):
            if is_write(event):
                last[event.location] = values[t, i] = last.get(event.location, 0) + 1
    return values


def statement(event, value, register, opencl):
    """One event in C; register: of the place of a load."""
    tail = f"memory_order_{ORDERS[event.order]}" if event.order and event.order != "na" else ""
    tail += f", memory_scope_{SCOPES[event.scope]}" if event.scope else ""
    form = "_remote" if event.remote else ""
    if event.kind == "fence":
        return f"atomic_work_item_fence{form}({MEMORY[event.memory]}, {tail});" if opencl \
            else f"atomic_thread_fence({tail});"
    if event.kind == "barrier":
        return f"work_group_barrier({MEMORY[event.memory]}{tail});"
    place = event.location if event.addr is None else f"{event.location} + (r{register[event.addr]} ^ r{register[event.addr]})"
    if event.data is not None:
        value = f"(r{register[event.data]} & 0) + {value}"
    if event.order == "na":
        return f"*({place});" if event.kind == "load" else f"*({place}) = {value};"
    if event.kind == "load":
        return f"atomic_load_explicit{form}({place}, {tail});"
    call = "store" if event.kind == "store" else "exchange"
    return f"atomic_{call}_explicit{form}({place}, {value}, {tail});"


def text_in_columns(language, threads, values, name):
    columns, observed = [], []
    for t, ((level, group), row) in enumerate(threads):
        cells, loads = [language.place(t, level, group if isinstance(group, int) else group[1])], 0
        for i, event in enumerate(row):
            cells.append(language.instruction(event, values.get((t, i)), loads))
            if is_read(event):
                observed.append(f"{t}:r{loads}")
                loads += 1
        columns.append(cells)
    accesses = [e for _, row in threads for e in row if e.location]
    used = sorted({e.location for e in accesses})
    lines = [f"{language.NAME} {name}", "{ " + " ".join(f"{x}=0;" for x in used) + language.declared(accesses) + " }"]
    for i in range(max(map(len, columns))):
        lines.append(" | ".join(c[i] if i < len(c) else "" for c in columns) + " ;")
    lines.append("locations [" + " ".join(f"{o};" for o in observed + used) + "]")
    return "\n".join(lines + ["exists (0 == 0)"]) + "\n"


def text(program, space, name):
    """The litmus test, with all that can be observed in its states."""
    threads, local = program
    if in_columns(space):
        return text_in_columns(in_columns(space), threads, write_values(threads), name)
    opencl, values, observed, rows = "scopes" in space, write_values(threads), [], []
    for t, (_, row) in enumerate(threads):
        lines, register = [], {}
        for i, event in enumerate(row):
            left = ""
            if is_read(event):
                register[i] = len(register)
                observed.append(f"{t}:r{register[i]}")
                lines.append(f"int r{register[i]} = 0;")
                left = f"r{register[i]} = "
            line = left + statement(event, values.get((t, i)), register, opencl)
            if event.guard is not None:
                line = f"if (r{register[event.guard]} == {values[event.value]}) {{ {line} }}"
            lines.append(line)
        rows.append(lines)
    everything = [e for _, row in threads for e in row]
    used = sorted({e.location for e in everything if e.location})
    atomic = {e.location for e in everything if e.location and e.order != "na"}
    memory = {x: "" if not opencl else "local " if x in local else "global " for x in used}
    parameters = ", ".join(f"{memory[x]}{'atomic_int' if x in atomic else 'int'}* {x}" for x in used)
    lines = [f"{'OpenCL' if opencl else 'C'} {name}", "{ " + " ".join(f"[{x}]=0;" for x in used) + " }"]
    for t, row in enumerate(rows):
        lines += [f"P{t} ({parameters}) {{"] + row + ["}"]
    if opencl:
        tree = {}
        for t, ((device, group), _) in enumerate(threads):
            tree.setdefault(device, {}).setdefault(group, []).append(f"P{t}")
        lines.append("scopeTree " + " ".join(
            "(device " + " ".join(f"(work_group {' '.join(ts)})" for ts in groups.values()) + ")"
            for groups in tree.values()))
    lines.append("locations [" + " ".join(f"{o};" for o in observed + used) + "]")
    lines.append("exists (true)")
    return "\n".join(lines) + "\n"


# ---- Read ----

CALL = re.compile(r"atomic_(load|store|exchange|work_item_fence|thread_fence)(?:_explicit)?(_remote)?\((?:(.*?), )?"
                  r"memory_order_(\w+)(?:, memory_scope_(\w+))?\);")
PLAIN = re.compile(r"\*\(?(\w+)(?: \+ 0 \* r(\d+)\))?(?: = \d+(?: \+ 0 \* r(\d+))?)?;")
BARRIER = re.compile(r"barrier\((.*?)(?:, memory_scope_(\w+))?\);")


def memory_of(flags):
    return ("GLOBAL" in flags) + 2 * ("LOCAL" in flags)


def read_event(line, loads):
    """One statement; loads: places of the loads so far, by register."""
    short = {v: k for k, v in ORDERS.items()}, {v: k for k, v in SCOPES.items()}
    line = re.sub(r"^(int )?r\d+ = ", "", line)
    barrier, plain = BARRIER.fullmatch(line), PLAIN.fullmatch(line)
    at = lambda register: None if register is None else loads[int(register)]
    if barrier:
        return Event("barrier", "", memory_of(barrier[1]), "", short[1][barrier[2] or "work_group"])
    if plain:
        return Event("store" if " = " in line else "load", plain[1], 0, "na", "", False, at(plain[2]), at(plain[3]))
    call, remote, arguments, order, scope = CALL.match(line).groups()
    label = short[0][order], short[1].get(scope, ""), remote is not None
    if call.endswith("fence"):
        return Event("fence", "", memory_of(arguments or "GLOBAL"), *label)
    place, *value = arguments.split(", ")
    addr, data = (re.findall(r"r(\d+)", w) for w in (place, "".join(value)))
    return Event({"exchange": "rmw"}.get(call, call), place.split(" ")[0], 0, *label,
                 at(addr[0] if addr else None), at(data[0] if data else None))


def read_body(body):
    """Events; their guards have values instead of writes."""
    row, loads, guard = [], [], None
    for line in map(str.strip, body.strip().splitlines()):
        if re.fullmatch(r"int r\d+ = 0;", line):
            continue
        branch = re.fullmatch(r"if \(r(\d+) == (\d+)\) {", line)
        if branch or line == "}":
            guard = branch and (loads[int(branch[1])], int(branch[2]))
            continue
        event = read_event(line, loads)
        if is_read(event):
            loads.append(len(row))
        row.append(event._replace(guard=guard and guard[0], value=guard and guard[1]))
    return row


def read_program(source):
    if source.startswith(("PTX", "Vulkan")):
        module = ptx_programs if source.startswith("PTX") else vulkan_programs
        return module.read_program(source, Event), frozenset()
    rows = [read_body(body) for body in re.findall(r"^P\d+ \(.*?\) \{\n(.*?)^\}", source, re.S | re.M)]
    place = {t: (0, t) for t in range(len(rows))}
    for d, device in enumerate(re.findall(r"\(device((?: \([^()]*\))+)\)", source)):
        for g, group in enumerate(re.findall(r"\(work_group([^()]*)\)", device)):
            for t in re.findall(r"P(\d+)", group):
                place[int(t)] = (d, (d, g))
    threads = tuple((place[t], tuple(row)) for t, row in enumerate(rows))
    writes = {(rows[t][i].location, value): (t, i) for (t, i), value in write_values(threads).items()}
    threads = tuple((p, tuple(e._replace(value=writes[row[e.guard].location, e.value]) if e.value else e for e in row))
                    for p, row in threads)
    return threads, frozenset(re.findall(r"local \w+\* (\w+)", source))
