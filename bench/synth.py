#!/usr/bin/env python3
"""Times the search for programs: bench/synth.py [--batch]. One thread; processor time, so that other load counts little.

Prints per question the size of the space, the seconds, and programs per second and core. With --batch: BATCH alone, some
ten minutes. Its results would take longer to confirm and print than to find, so it is ended at the first.
"""

import os
import re
import subprocess
import sys

import processor

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
    ("distinguish", ["hrf_rsp", "hrf_rsp_all"], ["-events", "3"]),
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
BATCH = ("distinguish", ["opencl", "opencl_rem"], ["-events", "5"])


def command(question, models, options):
    words = [TOOL, "-q", "-j", "1", f"-{question}", *options]
    return words + [word for model in models for word in ("-model", f"{model}.cat")]


def programs_of(out):
    return sum(map(int, re.findall(r"^\d+ events?: (\d+) programs", out, re.M)))


def measure(question, models, options):
    """Programs and processor seconds."""
    before = processor.seconds()
    out = subprocess.run(command(question, models, options), capture_output=True, text=True, check=True).stdout
    return programs_of(out), processor.seconds() - before


def measure_search(question, models, options):
    """The same until the first result is printed."""
    process = subprocess.Popen(command(question, models, options), stdout=subprocess.PIPE, text=True)
    out = "".join(iter(process.stdout.readline, "\n"))
    process.kill()
    return programs_of(out), os.wait4(process.pid, 0)[2].ru_utime


for case in [BATCH] if sys.argv[1:] == ["--batch"] else QUESTIONS:
    programs, seconds = (measure_search if case is BATCH else measure)(*case)
    print(f"{case[0]} {' '.join(case[1])} {' '.join(case[2])}: {programs:,} programs, {seconds:.1f} s, "
          f"{programs / max(seconds, 1e-3):,.0f} programs/s")
