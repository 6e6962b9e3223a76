#!/usr/bin/env python3
"""What promotion saves: the bill of a queue's owner who works k times for each steal.

    bench/steal.py PROGRAM [-k 1,2,3,4,5,6] [-mapping revised] [-tsv]

The owner writes a task and publishes it by storing the tail, k times; one thief reads the tail and takes a
task. Once with the owner at work-group scope and a remote thief, once with device scope everywhere. Per
k: the events that hardware pays for, the mean over all interleavings (`rspcheck -cost`).
"""

import argparse
import json
import os
import subprocess
import tempfile


def program(name, k, owner, remote):
    pushes = "".join(f"""  c[{i}] = {i + 1};
  atomic_store_explicit (tail, {i + 1}, memory_order_release, memory_scope_{owner});
""" for i in range(k))
    return f"""OpenCL {name}
{{ [tail]=0; int c[{k}]={{{",".join("0" for _ in range(k))}}}; }}
P0 (global atomic_int* tail, global int* c) {{
{pushes}}}
P1 (global atomic_int* tail, global int* c) {{
  int r = -1;
  int t = atomic_load_explicit{remote} (tail, memory_order_acquire, memory_scope_device);
  if (t > 0)
    r = c[t - 1];
}}
scopeTree (device (work_group P0) (work_group P1))
exists (1:t>0)
""".replace("exists (1:t>0)", "exists (1:r=0)")


FORMS = (("promoted", "work_group", "_remote"), ("device", "device", ""))


def bills(rspcheck, mapping, ks):
    """{(form, k): {item: mean}}"""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for form, owner, remote in FORMS:
            for k in ks:
                with open(os.path.join(folder, f"{form}-{k}.litmus"), "w", encoding="utf-8") as file:
                    file.write(program(f"{form}-{k}", k, owner, remote))
        run = subprocess.run([rspcheck, "-q", "-json", "-machine", "rsp", "-mapping", mapping, "-cost",
                              "-model", "opencl_rem.cat", folder], capture_output=True, text=True, check=True)
    for record in map(json.loads, run.stdout.splitlines()):
        form, k = record["test"].split("-")
        assert record["machine"]["verdict"] == "sound", record["test"]
        found[form, int(k)] = {item: cost["mean"] for item, cost in record["machine"]["bill"].items()}
    return found


def total(bill, flush, walk):
    """Accesses of L2, `flush` for each own flush, `walk` for each flush or invalidation of every L1."""
    return bill["outer-accesses"] + flush * (bill["flushes"] + bill["invalidations"]) \
        + walk * (bill["device-flushes"] + bill["device-invalidations"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("-k", default="1,2,3,4,5,6")
    parser.add_argument("-mapping", default="revised")
    arguments = parser.parse_args()
    ks = [int(k) for k in arguments.k.split(",")]
    found = bills(arguments.program, arguments.mapping, ks)
    items = ["flushes", "device-flushes", "drains", "invalidations", "misses", "outer-accesses"]
    print(f"{'k':>2} {'form':<9}" + "".join(f"{item:>16}" for item in items))
    for k in ks:
        for form, _, _ in FORMS:
            print(f"{k:>2} {form:<9}" + "".join(f"{found[form, k][item]:16.2f}" for item in items))
    print("\nA flush of every L1 may cost so many own ones before promotion stops to pay:")
    for k in ks:
        promoted, device = found["promoted", k], found["device", k]
        saved = total(device, 1, 0) - total(promoted, 1, 0)
        walks = promoted["device-flushes"] + promoted["device-invalidations"]
        print(f"{k:>2} {saved / walks:8.2f}")


if __name__ == "__main__":
    main()
