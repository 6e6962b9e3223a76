#!/usr/bin/env python3
"""Memory and time of hostile inputs under -max-memory and -timeout: bench/limits.py [PROGRAM] [WORD…]

Each input would take gigabytes or minutes without limits. A row gives the largest resident memory (not less
than this script's own, 14 MB), the seconds on the clock and of the processor, and what the program said. The
limits hold if memory is within twice -max-memory (or 100 MB, if that is more) and the time within half a second of
-timeout; on a machine that does other work, the processor's seconds are what counts. Without limits -compare may take
three times the log's size. WORD: only inputs with it in their title.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
MEMORY, SECONDS = 64, 2  # MiB, s
MOST_MEMORY = max(2 * MEMORY, 100)
LIMITS = ["-j", "1", "-max-memory", f"{MEMORY}M", "-timeout", str(SECONDS)]

FENCE = "atomic_thread_fence(memory_order_seq_cst);"


def loops(variables, rounds):
    return "".join(f"for (int {v}=0;{v}<{rounds};{v}={v}+1) " for v in variables)


def test(threads, initial="", question="true"):
    yield f"C Hostile\n{{ {initial}}}\n"
    for i, (head, body) in enumerate(threads):
        yield f"P{i} ({head}) {{ {body} }}\n"
    yield f"exists ({question})\n"


def arrays(n, size):
    names = [f"a{i}" for i in range(n)]
    body = "int r0 = a0[0]; " + "".join(f"{a}[1] = 1; " for a in names)
    return test([(", ".join(f"int *{a}" for a in names), body)], "".join(f"int {a}[{size}]; " for a in names), "0:r0=0")


def log(n):
    """A log of n results of 180 bytes each."""
    for i in range(n):
        yield (f"Test T{i} Allowed\nStates 2\n0:r0=0;\n0:r0=1;\nOk\nWitnesses\nPositive: 1 Negative: 1\n"
               f"Condition exists (0:r0=1)\nObservation T{i} Sometimes 1 1\nHash={i:032x}\n\n")


def record():
    """A test's record of a share of four billion tests."""
    output = subprocess.run([ROOT / "rspcheck", "-json", "-model", "rc11.cat", "litmus/c11/CoRR+rlx.litmus"], cwd=ROOT,
                            stdout=subprocess.PIPE, check=True).stdout.decode()
    yield re.sub(r'"total":[0-9]+', '"total":4294967295', output)

# title, the file's text (None: none), arguments; FILE stands for the file
INPUTS = [
    ("4 arrays of 4096", lambda: arrays(4, 4096), ["-model", "rc11.cat", *LIMITS, "FILE"]),
    ("16 arrays of 4096", lambda: arrays(16, 4096), ["-model", "rc11.cat", *LIMITS, "FILE"]),
    ("20 threads of ten nested loops", lambda: test([("", loops("abcdefghij", 2) + FENCE)] * 20),
     ["-model", "rc11.cat", *LIMITS, "FILE"]),
    ("20 threads of 1900 fences", lambda: test([("", FENCE * 1900)] * 20), ["-model", "rc11.cat", *LIMITS, "FILE"]),
    ("130 threads of 1024 fences", lambda: test([("", loops("abc", 8) + "{" + FENCE * 2 + "}")] * 130),
     ["-model", "rc11.cat", "-unroll", "10", *LIMITS, "FILE"]),
    ("1000 threads of two loads", lambda: test([("atomic_int *x", "int r0 = *x; int r1 = *x;")] * 1000, "x = 0; "),
     ["-model", "rc11.cat", *LIMITS, "FILE"]),
    ("a thread of 100,000 registers", lambda: test([("", "".join(f"int r{i} = 1; " for i in range(100000)))]),
     ["-model", "rc11.cat", *LIMITS, "FILE"]),
    ("/dev/zero as a test", None, [*LIMITS, "/dev/zero"]),
    ("/dev/zero as a model", None, ["-model", "/dev/zero", *LIMITS, "litmus/rsp/RSP_Test1.litmus"]),
    ("/dev/zero as an index", None, [*LIMITS, "@/dev/zero"]),
    ("/dev/zero as a log", None, ["-compare", "/dev/zero", *LIMITS]),
    ("/dev/zero as records", None, ["-merge", "/dev/zero", *LIMITS]),
    ("/dev/zero as -conf", None, ["-conf", "/dev/zero", *LIMITS]),
    ("/dev/zero as -names", None, ["-names", "/dev/zero", *LIMITS, "litmus/rsp"]),
    ("/dev/zero as -kinds", None, ["-kinds", "/dev/zero", *LIMITS, "litmus/rsp"]),
    ("/dev/zero as -conds", None, ["-conds", "/dev/zero", *LIMITS, "litmus/rsp"]),
    ("-compare of a log of 100 MB", lambda: log(580000), ["-compare", "FILE"]),
    ("the same within limits", lambda: log(580000), ["-compare", "FILE", *LIMITS]),
    ("-compare of 20 MB within limits", lambda: log(110000), ["-compare", "FILE", *LIMITS]),
    ("-merge of 4294967295 shares", record, ["-merge", "FILE", *LIMITS]),
]


def measure(program, text, arguments):
    """(MB, wall-clock seconds, processor seconds, output)"""
    with tempfile.NamedTemporaryFile("w", suffix=".litmus") as file, tempfile.TemporaryFile() as said:
        file.writelines(text() if text else ())
        file.flush()
        arguments = [file.name if argument == "FILE" else argument for argument in arguments]
        start = time.monotonic()
        process = subprocess.Popen([program, *arguments], cwd=ROOT, stdout=said, stderr=said)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        lines = [line for line in said.read().decode(errors="replace").splitlines() if line.strip()]
    words = ("Timeout", "Memory", "error", "Observation")
    telling = next((line for word in words for line in lines if word in line), lines[0] if lines else "nothing")
    return usage.ru_maxrss / 1024, seconds, usage.ru_utime + usage.ru_stime, f"{process.returncode}: {telling[:100]}"


def main():
    program = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else str(ROOT / "rspcheck")
    broken = 0
    print(f"limits: {MEMORY} MiB, {SECONDS} s")
    print(f"{'input':34} {'MB':>6} {'clock':>6} {'CPU':>6}  holds  status and message")
    for title, text, arguments in INPUTS:
        if len(sys.argv) > 2 and not any(word in title for word in sys.argv[2:]):
            continue
        memory, clock, cpu, said = measure(program, text, arguments)
        holds = memory <= MOST_MEMORY and cpu <= SECONDS + 0.5 if LIMITS[-1] in arguments else memory <= 315
        broken += not holds
        print(f"{title:34} {memory:6.0f} {clock:6.2f} {cpu:6.2f}  {'yes' if holds else 'NO':5}  {said}", flush=True)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
