#!/usr/bin/env python3
"""Times a suite of random tests under several models, and compares -j 1 with -j 4: bench/rate.py [TESTS].

Prints tests per second and core, by processor time (so that other load does not count), and what share
reading, paths, staging, search and printing have. A test counts once a model. Every form of the report must
have the same bytes for any number of threads, apart from the times in -json; else the exit status is 1.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOL = os.path.join(ROOT, "rspcheck")
GENERATOR = os.path.join(ROOT, "build", "differential")
MODELS = ["opencl", "opencl_rem", "opencl_total", "sc"]
FORMS = {"table": [], "diff": ["-diff"], "tsv": ["-tsv"], "json": ["-json"]}
ACCESSES = 6
TIMES = re.compile(rb'"seconds(_\w+)?":[^,}]*')


def measure(options, output):
    """Processor and wall-clock seconds."""
    with open(output, "wb") as out:
        start = time.perf_counter()
        process = subprocess.Popen([TOOL, "-q", *options], stdout=out)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"status {process.returncode}: {' '.join(options)}")
    return usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024


def models():
    return [word for model in MODELS for word in ("-model", f"{model}.cat")]


def contents(path):
    with open(path, "rb") as file:
        return TIMES.sub(b"", file.read())


def compare(folder, suite, n):
    """Each form with one thread and with four; whether all are the same."""
    same = True
    for name, form in FORMS.items():
        outputs = [os.path.join(folder, f"{name}{jobs}") for jobs in (1, 4)]
        times = [measure(["-j", jobs, *form, *models(), suite], output)
                 for jobs, output in zip("14", outputs)]
        equal = contents(outputs[0]) == contents(outputs[1])
        same &= equal
        cpu, wall, memory = times[0]
        print(f"{name:6} -j 1: {cpu:6.2f} s of processor, {wall:6.2f} s, {memory:4.0f} MiB; "
              f"{n * len(MODELS) / cpu:6.0f} tests per second and core; "
              f"-j 4: {times[1][0]:6.2f} s, {times[1][1]:6.2f} s; {'the same bytes' if equal else 'DIFFERENT'}")
    return same


def logs(folder, suite):
    """Logs, one model."""
    outputs = [os.path.join(folder, f"log{jobs}") for jobs in (1, 4)]
    for jobs, output in zip("14", outputs):
        measure(["-j", jobs, "-model", "opencl_rem.cat", suite], output)
    equal = contents(outputs[0]) == contents(outputs[1])
    print(f"{'log':6} {'the same bytes' if equal else 'DIFFERENT'}")
    return equal


def shares(folder, suite):
    """How the time of a table is spent, from the clocks of -json; a run that selects no test shows the time of
    reading alone."""
    records = os.path.join(folder, "json1")
    total, _, _ = measure(["-j", "1", *models(), suite], os.devnull)
    cpu, wall, _ = measure(["-j", "1", "-json", *models(), suite], records)
    nobody = os.path.join(folder, "nobody")
    with open(nobody, "w") as file:
        file.write("nobody\n")
    process, _, _ = measure(["-version"], os.devnull)
    reading, _, _ = measure(["-j", "1", "-names", nobody, *models(), suite], os.devnull)
    phases = {"paths": 0, "stage": 0, "search": 0}
    checking = 0
    with open(records, encoding="utf-8") as file:
        for record in map(json.loads, file):
            checking += record["seconds"]
            for phase in phases:
                phases[phase] += record["statistics"][f"seconds_{phase}"]
    scale = cpu / wall  # the clocks are of the wall
    parts = {"process": process, "reading": reading - process}
    parts |= {phase: seconds * scale for phase, seconds in phases.items()}
    parts["checking, other"] = (checking - sum(phases.values())) * scale
    parts["printing, other"] = total - reading - checking * scale
    print("shares of a table, -j 1: "
          + ", ".join(f"{name} {100 * seconds / total:.1f} %" for name, seconds in parts.items()))


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    with tempfile.TemporaryDirectory() as folder:
        suite = os.path.join(folder, "suite")
        os.mkdir(suite)
        subprocess.run([GENERATOR, "-n", str(n), "-accesses", str(ACCESSES), "-write", suite],
                       check=True, stdout=subprocess.DEVNULL)
        print(f"{n} tests of up to {ACCESSES} accesses, {len(MODELS)} models")
        same = compare(folder, suite, n)
        same &= logs(folder, suite)
        shares(folder, suite)
    return 0 if same else 1


sys.exit(main())
