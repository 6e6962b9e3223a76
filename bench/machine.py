#!/usr/bin/env python3
"""The search of machines: states per second of processor time and bytes per state, on one core.

    bench/machine.py PROGRAM

RSP_Test8, and families that grow: n work-groups that each pass a message to the next, and n remote RMWs on
one location. `full` is the same without reduction.
"""

import json
import os
import subprocess
import sys
import tempfile

import processor

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def ring(n):
    names = "".join(f"[x{i}]=0; " for i in range(n))
    threads = "".join(f"""P{i} (global atomic_int* x{i}, global atomic_int* x{(i + 1) % n}) {{
  int r = atomic_load_explicit_remote (x{i}, memory_order_acquire, memory_scope_device);
  atomic_store_explicit (x{(i + 1) % n}, 1, memory_order_release, memory_scope_work_group);
}}
""" for i in range(n))
    return f"OpenCL ring-{n}\n{{ {names}}}\n{threads}{tree(n)}exists (0:r=1)\n"


def counter(n):
    threads = "".join(f"""P{i} (global atomic_int* x) {{
  int r = atomic_fetch_add_explicit{"_remote" if i % 2 else ""} (x, 1, memory_order_acq_rel,
      memory_scope_{"device" if i % 2 else "work_group"});
}}
""" for i in range(n))
    return f"OpenCL counter-{n}\n{{ [x]=0; }}\n{threads}{tree(n)}exists (x=0)\n"


def tree(n):
    return f"scopeTree (device {' '.join(f'(work_group P{i})' for i in range(n))})\n"


def run(program, path, *options):
    command = [program, "-q", "-json", "-j", "1", "-machine", "rsp", "-max-states", "3000000", *options, path]
    before = processor.seconds()
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = processor.seconds() - before
    record = json.loads(found.stdout.splitlines()[0])
    machine = record["machine"]
    print(f"{record['test'] + ' ' + ' '.join(options[1:]):<28} {machine['states']:>9} states "
          f"{machine['steps']:>9} steps {seconds:8.3f} s {machine['states'] / seconds:>10.0f} states/s "
          f"{machine['bytes'] / max(machine['states'], 1):>8.0f} bytes/state {record['status']}")


def main():
    program = sys.argv[1]
    test8 = os.path.join(ROOT, "litmus", "rsp", "RSP_Test8.litmus")
    run(program, test8)
    with tempfile.TemporaryDirectory() as folder:
        for family, sizes in ((ring, (3, 4, 5, 6)), (counter, (3, 4, 5, 6, 7))):
            for n in sizes:
                path = os.path.join(folder, f"{family.__name__}-{n}.litmus")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(family(n))
                run(program, path)
                if n == 3:
                    run(program, path, "-reading", "reduction=off")


if __name__ == "__main__":
    main()
