"""What tests/peers.sh does: runs the peers and rspcheck, and compares their logs test by test."""

import os
import pathlib
import re
import shlex
import subprocess
import sys

WHAT = ["states", "counts", "flags", "hash"]


def run(command, tests, folder=None):
    """The log of a command on tests, without tests on which it fails."""
    logs = []
    for test in tests:
        done = subprocess.run([*command, str(test)], capture_output=True, text=True, timeout=600, cwd=folder,
                              check=False)
        logs.append(done.stdout)
    return "\n".join(logs)


def state(line):
    """A state as a sorted list of cells, in one spelling: [x]=0x3 and x=3 are one."""
    cells = []
    for cell in filter(None, (part.strip() for part in line.split(";"))):
        place, _, value = cell.partition("=")
        value = value.strip()
        value = str(int(value, 0)) if re.fullmatch(r"-?(0x[0-9a-fA-F]+|\d+)", value) else value
        cells.append((place.strip().strip("[]"), "S" if re.fullmatch(r"S\d+\w*", value) else value))
    return tuple(sorted(cells))


def read(log):
    """Name of a test -> the values in its block, by WHAT."""
    tests = {}
    for block in re.split(r"^(?=Test )", log, flags=re.M):
        lines = block.splitlines()
        if not lines or not lines[0].startswith("Test "):
            continue
        name = lines[0].split()[1]
        number = next((int(line.split()[1]) for line in lines if line.startswith("States ")), 0)
        at = next((i for i, line in enumerate(lines) if line.startswith("States ")), 0)
        observed = next((line.split()[2:] for line in lines if line.startswith("Observation ")), None)
        flags = sorted(line[5:].strip() for line in lines if line.startswith("Flag "))
        digest = next((line[5:] for line in lines if line.startswith("Hash=")), None)
        tests.setdefault(name, {"states": sorted(map(state, lines[at + 1:at + 1 + number])), "counts": observed,
                                "flags": flags, "hash": digest})
    return tests


def compare(peer, ours, theirs):
    """Counts per WHAT, and the lines about tests that differ."""
    agree, lines = dict.fromkeys(WHAT, 0), []
    for name in sorted(theirs):
        if name not in ours:
            lines.append(f"  {name}: only {peer} has a result")
            continue
        bad = [what for what in WHAT if ours[name][what] != theirs[name][what]]
        for what in WHAT:
            agree[what] += what not in bad
        if bad:
            lines.append(f"  {name}: " + ", ".join(f"{what} differ" + ("s" if what == "hash" else "") for what in bad))
    return agree, lines


def main():
    suite, *models = sys.argv[1:]
    program = os.path.abspath(os.environ.get("RSPCHECK", pathlib.Path(__file__).parent.parent / "rspcheck"))
    tests = [path.resolve() for path in sorted(pathlib.Path(suite).rglob("*.litmus"))]
    if not tests:
        sys.exit(f"peers: no test below {suite}")
    differing = 0
    print("{:10} {:24} {:>6} ".format("peer", "model", "tests") + " ".join(f"{what:>8}" for what in WHAT))
    for variable, peer in (("PEER7", "herd7"), ("PEER15", "herd 2015")):
        if not os.environ.get(variable):
            continue
        for model in models or [None]:
            # The herd of 2015 looks for models in the current folder alone.
            folder = os.path.dirname(os.path.abspath(model)) if model and variable == "PEER15" else None
            option = ["-model", os.path.basename(model) if folder else model] if model else []
            theirs = read(run([*shlex.split(os.environ[variable]), *option], tests, folder))
            ours = read(run([program, "-q", *(["-model", model] if model else [])], tests))
            agree, lines = compare(peer, ours, theirs)
            print(f"{peer:10} {model or 'default':24} {len(theirs):6} " + " ".join(f"{agree[w]:8}" for w in WHAT))
            print("\n".join(lines), end="\n" if lines else "")
            differing += bool(lines)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
