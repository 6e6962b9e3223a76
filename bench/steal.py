#!/usr/bin/env python3
"""What promotion saves: the bill of a work-stealing queue whose owner does k local operations per steal.

    bench/steal.py PROGRAM [-k 1,2,3,4,5,6,7] [-owner push-pop|push] [-mapping revised-sc] [-fetch demand|any]
                   [-svg FILE] [-check FOLDER] [-latency orr]

-latency FILE prints another table: the critical path, misses and accesses of L2 of the four configurations of Orr et
al. (ASPLOS 2015), Figures 8 to 10, as a share of the baseline's. *baseline* and *scope-only* have no thief, and
owners at device and at work-group scope.

The program is that of litmus/steal/WSQ2-*: an owner who pushes k tasks (or pushes and pops k times), and one
thief who steals once. *promoted*: the owner's operations have work-group scope, and the thief's are remote.
*device*: all of them have device scope. Both must be sound, on a machine whose caches fetch on demand, as the
bill has it, or with `-fetch any` at any time (3,373,925 states at k = 4). Prints what hardware pays for, the
mean over all interleavings (`rspcheck -cost`), then from which k on promotion pays, for a number of work-groups
whose L1s a flush of the device has to reach. -svg draws that. -check: does the table of docs/machines.md have
the same rows, and does the picture beside it show that table?
"""

import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile

GROUPS = (2, 4, 8, 16, 32, 64)
ITEMS = ("flushes", "device-flushes", "drains", "invalidations", "device-invalidations", "misses", "outer-accesses")


def atomic(call, arguments, order, form):
    """form: (scope, "" or "_remote")"""
    return f"atomic_{call}_explicit{form[1]} ({arguments}, {order}, memory_scope_{form[0]})"


def push(form):
    store = atomic("store", "tail, t", "memory_order_release", form)
    return f"  c[t] = t + 1;\n  t = t + 1;\n  {store};\n"


def pop(form):
    take = atomic("store", "tail, t", "memory_order_seq_cst", form)
    look = atomic("load", "head", "memory_order_seq_cst", form)
    last = atomic("compare_exchange_strong", "head, &h, h + 1", "memory_order_release, memory_order_relaxed", form)
    back = atomic("store", "tail, t", "memory_order_release", form)
    return f"""  t = t - 1;
  {take};
  h = {look};
  if (h < t) {{
    a = c[t];
  }} else {{
    if (h == t) {{
      if ({last}) {{
        a = c[t];
      }}
    }}
    t = t + 1;
    {back};
  }}
"""


def steal(form):
    head = atomic("load", "head", "memory_order_acquire", form)
    tail = atomic("load", "tail", "memory_order_seq_cst", form)
    take = atomic("compare_exchange_strong", "head, &h, h + 1", "memory_order_seq_cst, memory_order_relaxed", form)
    return f"""  int r0 = 0;
  int h = {head};
  int n = {tail};
  if (h < n) {{
    int v = c[h];
    if ({take})
      r0 = v;
  }}
"""


def program(name, k, owner, owner_form, thief_form):
    thief = steal(thief_form) if thief_form else "  int r0 = 0;\n"
    rounds = (push(owner_form) + (pop(owner_form) if owner == "push-pop" else "")) * k
    parameters = "global atomic_int* head, global atomic_int* tail, global int* c"
    return f"""OpenCL {name}
{{ [head]=0; [tail]=0; int c[{k}]={{{",".join("9" * k)}}}; }}
P0 ({parameters}) {{
  int t = 0;
  int h;
  int a = 0;
{rounds}}}
P1 ({parameters}) {{
{thief}}}
scopeTree (device (work_group P0) (work_group P1))
exists (1:r0=9)
"""


LOCAL, DEVICE, REMOTE = ("work_group", ""), ("device", ""), ("device", "_remote")
FORMS = {"promoted": (LOCAL, REMOTE), "device": (DEVICE, DEVICE)}
CONFIGURATIONS = {"baseline": (DEVICE, None), "scope_only": (LOCAL, None), "steal_only": (DEVICE, DEVICE), "promotion": (LOCAL, REMOTE)}
SHARES = ("critical-path", "misses", "outer-accesses")


def bills(arguments, ks, forms):
    """{(form, k): {item: mean}}"""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for form, (owner, thief) in forms.items():
            for k in ks:
                with open(os.path.join(folder, f"{form}-{k}.litmus"), "w", encoding="utf-8") as file:
                    file.write(program(f"{form}-{k}", k, arguments.owner, owner, thief))
        run = subprocess.run([arguments.program, "-q", "-json", "-machine", "rsp", "-mapping", arguments.mapping,
                              "-reading", f"fetch={arguments.fetch}", "-max-states", "100000000", "-cost",
                              *(["-latency", arguments.latency] if arguments.latency else []), "-model", "opencl_rem.cat", folder], capture_output=True, text=True, check=False)
    for record in map(json.loads, run.stdout.splitlines()):
        form, k = record["test"].split("-")
        if record["machine"]["verdict"] not in ("sound", "unsound" if arguments.latency else "sound"):
            sys.exit(f"error: {record['test']} is {record['machine']['verdict']}")
        found[form, int(k)] = {item: cost["mean"] for item, cost in record["machine"]["bill"].items()}
    return found


def price(bill, groups):
    """An access of L2, a flush or an invalidation of one L1 cost 1; of the device's, as many as there are."""
    return bill["outer-accesses"] + bill["flushes"] + bill["invalidations"] \
        + groups * (bill["device-flushes"] + bill["device-invalidations"])


def break_even(found, ks, groups):
    """The least k at which promotion is not more expensive; beyond the last k, extrapolated by the growth of the last
    step."""
    gain = [price(found["device", k], groups) - price(found["promoted", k], groups) for k in ks]
    for k, saved in zip(ks, gain):
        if saved >= 0:
            return f"{k}"
    growth = (gain[-1] - gain[-2]) / (ks[-1] - ks[-2])
    return f"{math.ceil(ks[-1] - gain[-1] / growth)} (extrapolated)" if growth > 0 else "never"


def row(found, form, k):
    return f"{k:>2} {form:<9}" + "".join(f"{found[form, k][item]:16.2f}" for item in ITEMS)


def shares(found, ks):
    """A row for each configuration; columns for each k."""
    def share(form, k, item):
        return found[form, k][item] / found["baseline", k][item] if found["baseline", k][item] else 1
    lines = [f"{'':<10}" + "".join(f"{f'k={k} {item}':>20}" for k in ks for item in SHARES)]
    return lines + [f"{form.replace('_', '-'):<10}" + "".join(f"{share(form, k, item):20.2f}" for k in ks for item in SHARES) for form in CONFIGURATIONS]


def table(found, ks):
    lines = [f"{'k':>2} {'form':<9}" + "".join(f"{item.replace('invalidations', 'invs'):>16}" for item in ITEMS)]
    lines += [row(found, form, k) for k in ks for form in FORMS]
    lines += ["", "work-groups  promotion pays from k ="]
    return lines + [f"{groups:>11}  {break_even(found, ks, groups)}" for groups in GROUPS]


# ---- The plot ----

WIDTH, HEIGHT, LEFT, BOTTOM = 640, 400, 56, 44


def svg(found, ks):
    """Price over k: device scope, and promotion for each number of work-groups."""
    curves = {"device scope": [price(found["device", k], 0) for k in ks]}
    for groups in GROUPS[:4]:
        curves[f"promoted, {groups} work-groups"] = [price(found["promoted", k], groups) for k in ks]
    top = max(map(max, curves.values())) * 1.05

    def at(k, value):
        return (LEFT + (k - ks[0]) * (WIDTH - LEFT - 190) / (ks[-1] - ks[0]),
                HEIGHT - BOTTOM - value * (HEIGHT - BOTTOM - 16) / top)
    colours = ["#b0233f", "#0a7355", "#1f56a8", "#7a3fa0", "#a05a00"]
    parts, labels = [], []
    for (name, values), colour in zip(curves.items(), colours):
        points = [at(k, value) for k, value in zip(ks, values)]
        dash = "" if name == "device scope" else ' stroke-dasharray="6 3"'
        parts.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2"{dash} points="'
                     + " ".join(f"{x:.1f},{y:.1f}" for x, y in points) + '"/>')
        labels.append((points[-1][1] + 4, f'<text x="{points[-1][0] + 8:.1f}" y="%.1f" fill="{colour}">{name}</text>'))
    below = 0
    for y, label in sorted(labels):
        below = max(y, below + 15)
        parts.append(label % below)
    x0, y0 = at(ks[0], 0)
    x1, _ = at(ks[-1], 0)
    parts.append(f'<path d="M{LEFT} 16V{y0:.1f}H{x1:.1f}" fill="none" stroke="#59616e"/>')
    parts += [f'<text x="{at(k, 0)[0]:.1f}" y="{y0 + 18:.1f}" text-anchor="middle">{k}</text>' for k in ks]
    step = 10 if top < 80 else 20
    parts += [f'<text x="{LEFT - 8}" y="{at(ks[0], v)[1] + 4:.1f}" text-anchor="end">{v}</text>'
              for v in range(0, int(top), step)]
    parts.append(f'<text x="{(x0 + x1) / 2:.1f}" y="{HEIGHT - 6}" text-anchor="middle">local operations per steal</text>')
    parts.append(f'<text x="14" y="{HEIGHT / 2:.0f}" text-anchor="middle" transform="rotate(-90 14 {HEIGHT / 2:.0f})">'
                 'price, in L2 accesses</text>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
            f'font-size="13" fill="#59616e">\n<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>\n'
            + "\n".join(parts) + "\n</svg>\n")


# ---- The document ----

def read_table(text):
    """The output of row () in the form of bills (), and the ks."""
    found = {}
    for match in re.finditer(r"^ *(\d+) (promoted|device) ((?: +[\d.]+){7})$", text, re.M):
        found[match[2], int(match[1])] = dict(zip(ITEMS, map(float, match[3].split())))
    return found, sorted({k for _, k in found})


def check(folder, found, ks):
    """Compares FOLDER/machines.md with what was found, and its break-evens and FOLDER/steal.svg with its table."""
    with open(os.path.join(folder, "machines.md"), encoding="utf-8") as file:
        text = file.read()
    with open(os.path.join(folder, "steal.svg"), encoding="utf-8") as file:
        picture = file.read()
    known, known_ks = read_table(text)
    wrong = [f"machines.md has another row for k = {k}, {form}" for k in ks for form in FORMS
             if row(found, form, k) not in text.splitlines()]
    if "\n".join(table(known, known_ks)) not in text:
        wrong.append("the break-evens in machines.md are not those of its table")
    if picture != svg(known, known_ks):
        wrong.append("steal.svg does not show the table in machines.md")
    for complaint in wrong:
        print(f"FAIL steal: {complaint}")
    print(f"{len(ks) * len(FORMS) + 2 - len(wrong)} passed, {len(wrong)} failed")
    sys.exit(1 if wrong else 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("-k", default="1,2,3,4,5,6,7")
    parser.add_argument("-owner", choices=("push", "push-pop"), default="push-pop")
    parser.add_argument("-mapping", default="revised-sc")
    parser.add_argument("-fetch", choices=("demand", "any"), default="demand")
    parser.add_argument("-svg")
    parser.add_argument("-check")
    parser.add_argument("-latency")
    arguments = parser.parse_args()
    ks = [int(k) for k in arguments.k.split(",")]
    found = bills(arguments, ks, CONFIGURATIONS if arguments.latency else FORMS)
    if arguments.latency:
        print("\n".join(shares(found, ks)))
        return
    if arguments.svg:
        with open(arguments.svg, "w", encoding="utf-8") as file:
            file.write(svg(found, ks))
    if arguments.check:
        check(arguments.check, found, ks)
    print("\n".join(table(found, ks)))


if __name__ == "__main__":
    main()
