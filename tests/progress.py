#!/usr/bin/env python3
"""The progress line, on a terminal made for the purpose; run in a copy of tests/cli/data.

    tests/progress.py PROGRAM

One test is a pipe, as are the values of a kernel's argument: the run stands still until the line that is waited for
has been seen.
"""

import os
import pty
import re
import select
import subprocess
import sys
import threading
import time

PIPE = "waits.litmus"
TESTS = ["-j", "1", "-model", "own.cat", "loop.litmus", PIPE]
VALUES = "values"
KERNEL = ["-kernel", "fill.cl", "-grid", "1x2", "-arg", f"x=@{VALUES}", "-arg", "n=1..3"]
KERNEL_TEXT = "kernel void fill (global int *x, int n) { x[get_global_id (0)] = n; }"


def start(program, options, term):
    """The process, and the master side of the terminal that is its standard error."""
    master, slave = pty.openpty()
    command = [program, *options]
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


def feed_values(process):
    """Lets the values be read, as often as they are."""
    while process.poll() is None:
        try:
            with open(os.open(VALUES, os.O_WRONLY | os.O_NONBLOCK), "w") as pipe:
                pipe.write("1 2\n")
        except OSError:  # nobody reads
            time.sleep(0.001)


def wait_for(wanted, process, master):
    """What is seen up to the line."""
    seen = ""
    while not re.search(wanted, seen):
        more = read_some(master) if select.select([master], [], [], 30)[0] else ""
        if not more:
            process.kill()
            sys.exit(f"no progress line in {seen!r}")
        seen += more
    return seen


def rest_of(seen, process, master):
    """What a terminal shows at the end: every `\\r…\\x1b[K` gave way to what came after it."""
    while more := read_some(master):
        seen += more
    process.wait()
    left = re.sub(r"\r[^\r\n]*\x1b\[K", "\r", seen).replace("\r\n", "\n")
    if "\x1b" in left or seen.rfind(" s\x1b[K") > seen.rfind("\r\x1b[K"):
        sys.exit(f"something is left: {left!r} of {seen!r}")
    return left


def show(program):
    process, master = start(program, TESTS, "xterm")
    seen = wait_for(r"\r1/2 tests, [0-9.]+/s, [^\r]* left, at [0-9.]+ s: waits\.litmus\x1b\[K", process, master)
    feed()
    left = rest_of(seen, process, master)
    if "tests," in left:
        sys.exit(f"something is left: {left!r} of {seen!r}")
    if "loop.litmus" not in left:
        sys.exit(f"the message about the loop is gone: {left!r}")
    print("shown, erased before messages and at the end")


def show_kernel(program):
    process, master = start(program, KERNEL, "xterm")
    seen = wait_for(r"\rfill\.cl, fill: value 1/3, [0-9.]+ s\x1b\[K", process, master)
    feeder = threading.Thread(target=feed_values, args=[process])
    feeder.start()
    left = rest_of(seen, process, master)
    feeder.join()
    if "fill" in left:
        sys.exit(f"something is left: {left!r} of {seen!r}")
    print("shown for a kernel, erased at the end")


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
os.mkfifo(VALUES)
with open("fill.cl", "w") as kernel:
    kernel.write(KERNEL_TEXT)
show(sys.argv[1])
show_kernel(sys.argv[1])
silent("quiet", sys.argv[1], ["-q", *TESTS], "xterm")
silent("dumb terminal", sys.argv[1], TESTS, "dumb")
