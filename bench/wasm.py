#!/usr/bin/env python3
"""How much slower the checker is in WebAssembly than natively: bench/wasm.py [FOLDER [RUNS]]

FOLDER holds rspcheck.js and rspcheck.wasm (default: build/web, as `make workbench` makes them). Five long tests are checked by both in
turn, RUNS times (default: 3); node runs the WebAssembly. Prints the least seconds of each, and their ratio. The seconds are those
that the thread which checks has a processor, so that a busy machine changes them little."""

import json
import os
import pathlib
import subprocess
import sys

import processor
from families import FAMILIES

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHIPPED = lambda name: (ROOT / "litmus" / f"{name}.litmus").read_text()
TESTS = (  # what it is, options, text
    ("coherence, 7 writers", ["-model", "opencl_rem.cat"], FAMILIES["coherence"][0](7)),
    ("a queue, 6 thieves", ["-model", "opencl_rem.cat"], FAMILIES["thieves"][0](6)),
    ("IRIW, 10 readers, SC", ["-model", "opencl_rem.cat"], FAMILIES["iriw-sc"][0](10)),
    ("WSQ2-wi, naive", ["-engine", "naive", "-model", "opencl.cat"], SHIPPED("steal/WSQ2-wi")),
    ("PUB2, naive", ["-engine", "naive", "-model", "opencl.cat"], SHIPPED("steal/PUB2-push-push-pop+steal+steal")))


def native(options, text):
    """Seconds, and the log."""
    before = processor.seconds()
    log = subprocess.run([ROOT / "rspcheck", "-j", "1", *options, "-"], input=text, capture_output=True, text=True, check=False).stdout
    return processor.seconds() - before, log


class Node:
    """The program in WebAssembly, in one process for all runs."""

    def __init__(self, folder):
        self.process = subprocess.Popen(["node", ROOT / "extra/web/node.js", folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def seconds(self):
        """Of the thread that runs it."""
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/stat", encoding="utf-8") as file:
            user, system = file.read().rsplit(") ", 1)[1].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def check(self, options, text):
        before = self.seconds()
        self.process.stdin.write(json.dumps({"args": [*options, "t.litmus"], "files": {"t.litmus": text}}) + "\n")
        self.process.stdin.flush()
        log = json.loads(self.process.stdout.readline())["out"]
        return self.seconds() - before, log


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/web"
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    node = Node(folder)
    for what, options, text in TESTS:
        own, other = [], []
        for _ in range(runs):
            seconds, log = native(options, text)
            own.append(seconds)
            seconds, same = node.check(options, text)
            other.append(seconds)
            if log != same:
                sys.exit(f"{what}: the logs differ")
        print(f"{what:<24} native {min(own):6.2f} s   WebAssembly {min(other):6.2f} s   ratio {min(other) / min(own):4.1f}", flush=True)
    node.process.stdin.close()


if __name__ == "__main__":
    main()
