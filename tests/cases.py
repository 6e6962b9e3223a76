"""Shared by the test drivers: running the program, comparing text, counting."""

import concurrent.futures
import difflib
import os
import signal
import subprocess
import sys

signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup it is ignored, by what the tests start, too
TIME_LIMIT = 600  # seconds for one run; only to end a hanging one, on a machine that others use too


def environment(**more):
    """An environment without user settings that change the output of rspcheck."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("RSPCHECK_") and k != "NO_COLOR"}
    env.update(LC_ALL="C.UTF-8", TERM="xterm", **more)
    return env


def run(command, cwd, env, **options):
    """Returns (status, stdout, stderr); a run that takes too long has status "timeout"."""
    try:
        done = subprocess.run(command, cwd=cwd, env=env, timeout=TIME_LIMIT, capture_output=True,
                              stdin=subprocess.DEVNULL, **options)
    except subprocess.TimeoutExpired:
        return "timeout", "", ""
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def difference(what, expected, found):
    """A unified diff of two texts, or "" when they are the same."""
    lines = difflib.unified_diff(expected.splitlines(), found.splitlines(),
                                 f"{what} expected", f"{what} found", lineterm="")
    text = "\n".join("    " + line for line in lines)
    if not text and expected != found:
        text = f"    {what}: the last line's newline differs"
    return text


def equal(found, expected, what=""):
    if found == expected:
        return
    if isinstance(found, list) and isinstance(expected, list):  # of long lists, what is in one only
        found, expected = ([item for item in one if item not in other] or one
                           for one, other in ((found, expected), (expected, found)))
    raise AssertionError(f"{what}{what and ': '}expected {expected!r}, found {found!r}")


def report(name, cases, check):
    """Runs check (case) -> "" or a complaint on every (title, case), on all cores; prints the
    complaints in order and a count line; returns the exit status."""
    passed = failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (title, _), complaint in zip(cases, pool.map(lambda c: check(c[1]), cases)):
            if complaint:
                failed += 1
                print(f"FAIL {name}: {title}\n{complaint}")
            else:
                passed += 1
    print(f"{name}: {passed} passed, {failed} failed")
    sys.stdout.flush()
    return 1 if failed or not passed else 0
