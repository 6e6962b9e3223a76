#!/usr/bin/env python3
"""Times the search for programs: bench/synth.py. One thread; processor time, so that other load does not count.

Prints per question the size of the space, the seconds, and programs per second and core.
"""

import os
import re
import resource
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOL = os.path.join(ROOT, "rspcheck")
QUESTIONS = [
    ("distinguish", ["opencl", "opencl_rem"], ["-events", "4"]),
    ("distinguish", ["opencl", "opencl_rem"],
     ["-events", "5", "-threads", "2", "-event-kinds", "load,store,fence", "-orders", "rlx,acq,rel",
      "-scopes", "wg,dev"]),
    ("distinguish", ["opencl", "opencl_total"],
     ["-events", "4", "-event-kinds", "load,store,fence", "-orders", "rlx,sc", "-scopes", "dev,all", "-remote", "false",
      "-threads", "2"]),
    ("distinguish", ["rc11", "c11_simp"], ["-events", "5"]),
    ("distinguish", ["rc11", "c11_simp"],
     ["-all", "-events", "6", "-threads", "4", "-event-kinds", "load,store", "-orders", "acq,sc"]),
    ("distinguish", ["hrf_direct", "hrf_indirect"],
     ["-events", "5", "-event-kinds", "load,store", "-orders", "acq,rel", "-scopes", "wg,dev", "-remote", "false",
      "-dependencies", "ctrl"]),
    ("minimal", ["rc11"], ["-events", "4", "-event-kinds", "load,store,fence"]),
    ("monotone", ["opencl_rem"], ["-events", "3"]),
    ("rewrites", ["c11_simp"], ["-events", "4"]),
]


def measure(question, models, options):
    """Programs and processor seconds."""
    command = [TOOL, "-q", "-j", "1", f"-{question}", *options]
    for model in models:
        command += ["-model", f"{model}.cat"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return sum(map(int, re.findall(r"^\d+ events?: (\d+) programs", out, re.M))), seconds


for case in QUESTIONS:
    programs, seconds = measure(*case)
    print(f"{case[0]} {' '.join(case[1])} {' '.join(case[2])}: {programs:,} programs, {seconds:.1f} s, "
          f"{programs / max(seconds, 1e-3):,.0f} programs/s")
