#!/usr/bin/env python3
"""The cost of explanations: bench/explain.py [PROGRAM] [-n RUNS]

  * per shipped test and model, the processor time with -explain beyond that without (goal: 50 ms);
  * SB 16, SB 16 seq_cst and the queue's largest test (goal: 2 s in all);
  * the suites litmus/opencl, rsp, hrf, c11 and distinguish under two models with -explain -json, and the
    same as a page, in processor time and wall-clock time on all cores (goal for JSON: 20 s on two).

The best of RUNS is taken, where the first is over half of the goal. Other load counts for the clock only.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import families

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUITES = ["opencl", "rsp", "hrf", "c11", "distinguish"]
QUEUE = "steal/WSQ3-push-push-push-pop+steal+steal.litmus"


def measure(program, *options):
    """Processor and wall-clock seconds."""
    start = time.perf_counter()
    process = subprocess.Popen([program, "-q", *options], stdout=subprocess.DEVNULL, cwd=ROOT)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"status {process.returncode}: {' '.join(options)}")
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - start


def best(n, goal, program, *options):
    times = [measure(program, *options)[0]]
    while len(times) < n and times[0] > goal / 2:
        times.append(measure(program, *options)[0])
    return min(times)


def per_test(options):
    costs = []
    for suite in [*SUITES, "device", "machine", "steal"]:
        for path in sorted((ROOT / "litmus" / suite).glob("**/*.litmus")):
            model = "rc11" if suite == "c11" else "opencl_rem"
            common = [options.program, "-j", "1", "-model", f"{model}.cat", str(path)]
            explained = best(options.n, 0.05, *common, "-explain")
            cost = explained if explained < 0.01 else max(0, explained - best(options.n, 0.05, *common))
            costs.append((cost, f"{suite}/{path.name} {model}"))
    costs.sort(reverse=True)
    over = sum(cost > 0.05 for cost, _ in costs)
    print(f"{len(costs)} tests, beyond the check: median {1000 * costs[len(costs) // 2][0]:.1f} ms, {over} over 50 ms; the most:")
    for cost, name in costs[:max(5, min(over, 20))]:
        print(f"  {1000 * cost:8.1f} ms  {name}")


def large(options, folder):
    tests = {"SB16": families.sb(16), "SB16sc": families.sb_sc(16)}
    paths = []
    for name, text in tests.items():
        paths.append(folder / f"{name}.litmus")
        paths[-1].write_text(text, encoding="utf-8")
    for path in [*paths, ROOT / "litmus" / QUEUE]:
        print(f"{path.name}: {best(options.n, 2, options.program, '-explain', '-j', '1', '-model', 'opencl_rem.cat', str(path)):.2f} s")


def suite(options, folder):
    models = ["-model", "opencl.cat", "-model", "opencl_rem.cat"]
    paths = [f"litmus/{name}" for name in SUITES]
    n = sum(len(list((ROOT / path).glob("**/*.litmus"))) for path in paths)
    for form in (["-json"], ["-tsv", "-html", str(folder / "page.html")]):
        processor, wall = measure(options.program, "-explain", *form, *models, *paths)
        print(f"{n} tests x 2 models, {form[-2 % len(form)]}: {processor:.1f} s of processor, {wall:.1f} s on {os.cpu_count()} cores")
    print(f"the page: {(folder / 'page.html').stat().st_size / 1e6:.1f} MB")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", nargs="?", default=str(ROOT / "rspcheck"), type=os.path.abspath)
    parser.add_argument("-n", type=int, default=3, metavar="RUNS")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        suite(options, pathlib.Path(folder))
        large(options, pathlib.Path(folder))
        per_test(options)


if __name__ == "__main__":
    main()
