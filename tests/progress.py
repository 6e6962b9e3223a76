#!/usr/bin/env python3
"""The progress line, on a terminal made for the purpose; run in a copy of tests/cli/data.

    tests/progress.py PROGRAM

One test is a pipe: the run stands still until the line that is waited for has been seen.
"""

import os
import pty
import re
import subprocess
import sys

PIPE = "waits.litmus"


def start(program, options, term):
    """The process, and the master side of the terminal that is its standard error."""
    master, slave = pty.openpty()
    command = [program, *options, "-j", "1", "-model", "own.cat", "loop.litmus", PIPE]
    env = dict(os.environ, TERM=term, NO_COLOR="1")
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=slave, env=env)
    os.close(slave)
    return process, master


def read_some(master):
    try:
        return os.read(master, 4096).decode()
    except OSError:  # the other side is closed
        return ""


def feed():
    """Lets the test that is a pipe be read."""
    with open(PIPE, "w") as pipe:
        pipe.write(open("mp.litmus").read())


def show(program):
    process, master = start(program, [], "xterm")
    seen = ""
    wanted = re.compile(r"\r1/2 tests, [0-9.]+/s, [^\r]* left, at [0-9.]+ s: waits\.litmus\x1b\[K")
    while not wanted.search(seen):
        more = read_some(master)
        if not more:
            sys.exit(f"no progress line in {seen!r}")
        seen += more
    feed()
    while more := read_some(master):
        seen += more
    process.wait()
    # What a terminal shows at the end: every `\r…\x1b[K` gave way to what came after it.
    left = re.sub(r"\r[^\r\n]*\x1b\[K", "\r", seen).replace("\r\n", "\n")
    if re.search(r"tests,|\x1b", left) or seen.rfind("tests,") > seen.rfind("\r\x1b[K"):
        sys.exit(f"something is left: {left!r} of {seen!r}")
    if "loop.litmus" not in left:
        sys.exit(f"the message about the loop is gone: {left!r}")
    print("shown, erased before messages and at the end")


def silent(title, program, options, term):
    process, master = start(program, options, term)
    feed()
    seen = ""
    while more := read_some(master):
        seen += more
    process.wait()
    if re.search(r"tests|\x1b", seen):
        sys.exit(f"{title}: {seen!r}")
    print(f"{title}: nothing")


os.mkfifo(PIPE)
show(sys.argv[1])
silent("quiet", sys.argv[1], ["-q"], "xterm")
silent("dumb terminal", sys.argv[1], [], "dumb")
