"""The parts from which texts of tests are built."""

DEV = "memory_scope_device"


def program(name, locations, threads, tree, condition):
    """threads: list of bodies; tree: list of lists of thread numbers (work-groups of one device)."""
    parameters = ", ".join(f"global {kind}* {x}" for x, kind in locations)
    text = f"OpenCL {name}\n{{ " + " ".join(f"[{x}]=0;" for x, _ in locations) + " }\n\n"
    for i, body in enumerate(threads):
        text += f"P{i} ({parameters}) {{\n" + "".join(f"  {line}\n" for line in body) + "}\n\n"
    groups = " ".join("(work_group " + " ".join(f"P{i}" for i in group) + ")" for group in tree)
    return text + f"scopeTree (device {groups})\n{condition}\n"


def load(r, x, order="acquire", scope=DEV, remote=""):
    return f"int {r} = atomic_load_explicit{remote} ({x}, memory_order_{order}, {scope});"


def store(x, value, order="release", scope=DEV, remote=""):
    return f"atomic_store_explicit{remote} ({x}, {value}, memory_order_{order}, {scope});"


def alone(n):
    return [[i] for i in range(n)]


def conjunction(atoms):
    return "exists (" + " /\\ ".join(atoms) + ")"
