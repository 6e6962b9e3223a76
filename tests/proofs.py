#!/usr/bin/env python3
"""Is every "no" of the SAT solver one? The program, built with contracts, writes the clauses and assumptions of each; CaDiCaL in a
process of its own proves them, and each lemma of its DRAT proof is checked here: by drat-trim where it is installed (Debian has no
package of it), otherwise by unit propagation.

  tests/proofs.py PROGRAM
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LARGEST = 60000  # bytes of a problem that is checked by unit propagation here
CHECKS = [["-model", "opencl.cat", "litmus/opencl"], ["-model", "opencl_rem.cat", "litmus/rsp"], ["-model", "rc11.cat", "litmus/c11"]]
MOST = 60  # problems per check


class Clauses:
    """Clauses with two watched literals each."""

    def __init__(self):
        self.watching = {}
        self.units = []
        self.present = {}
        self.has_empty = False

    def add(self, literals):
        clause = list(dict.fromkeys(literals))
        self.present.setdefault(tuple(sorted(clause)), []).append(clause)
        if not clause:
            self.has_empty = True
        elif len(clause) == 1:
            self.units.append(clause)
        else:
            for literal in clause[:2]:
                self.watching.setdefault(literal, []).append(clause)

    def delete(self, literals):
        """Units stay, as in drat-trim: solvers delete those that still hold."""
        same = self.present.get(tuple(sorted(set(literals))))
        if not same or len(same[-1]) < 2:
            return
        clause = same.pop()
        for literal in clause[:2]:
            self.watching[literal] = [c for c in self.watching[literal] if c is not clause]

    def follows(self, literals):
        """Does unit propagation refute the negation?"""
        true = set()
        queue = []
        for literal in [-x for x in literals] + [c[0] for c in self.units]:
            if -literal in true:
                return True
            if literal not in true:
                true.add(literal)
                queue.append(literal)
        return self.has_empty or self.propagate(true, queue)

    def propagate(self, true, queue):
        while queue:
            false = -queue.pop()
            kept = []
            watching = self.watching.get(false, [])
            for i, clause in enumerate(watching):
                if clause[0] == false:
                    clause[0], clause[1] = clause[1], clause[0]
                if clause[0] in true:
                    kept.append(clause)
                    continue
                other = next((k for k in range(2, len(clause)) if -clause[k] not in true), None)
                if other is not None:
                    clause[1], clause[other] = clause[other], clause[1]
                    self.watching.setdefault(clause[1], []).append(clause)
                    continue
                kept.append(clause)
                if -clause[0] in true:
                    self.watching[false] = kept + watching[i + 1:]
                    return True
                true.add(clause[0])
                queue.append(clause[0])
            self.watching[false] = kept
        return False


def lemmas_follow(problem, proof):
    clauses = Clauses()
    for line in problem.splitlines():
        if not line.startswith(("p", "c")):
            clauses.add([int(x) for x in line.split()[:-1]])
    for line in proof.splitlines():
        words = line.split()
        deleted = words[0] == "d"
        literals = [int(x) for x in words[deleted:-1]]
        if deleted:
            clauses.delete(literals)
        elif not clauses.follows(literals):
            return False
        elif not literals:
            return True
        else:
            clauses.add(literals)
    return False


def is_proved(path):
    proof = path.with_suffix(".drat")
    solved = subprocess.run(["cadical", "-q", "--no-binary", str(path), str(proof)], capture_output=True, text=True, check=False)
    if solved.returncode != 20:
        return False
    if shutil.which("drat-trim"):
        checked = subprocess.run(["drat-trim", str(path), str(proof)], capture_output=True, text=True, check=False)
        return "s VERIFIED" in checked.stdout
    return lemmas_follow(path.read_text(), proof.read_text())


def main():
    # The checker itself: a lemma that does not follow, and one that does.
    assert not lemmas_follow("p cnf 2 2\n1 2 0\n-1 2 0\n", "-2 0\n0\n")
    assert lemmas_follow("p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n", "2 0\n0\n")
    if not shutil.which("cadical"):
        print("proofs: 0 passed, 0 failed (no cadical)")
        return 0
    passed = failed = 0
    for arguments in CHECKS:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.argv[1], "-q", "-engine", "sat", "-speedcheck", "fast", *arguments], cwd=ROOT, check=False,
                           env={**os.environ, "RSP_PROOFS": folder}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            problems = sorted(p for p in pathlib.Path(folder).glob("*.cnf")
                              if shutil.which("drat-trim") or p.stat().st_size < LARGEST)
            step = max(1, len(problems) // MOST)
            if not problems:
                print(f"FAIL proofs: no problems by {' '.join(arguments)}")
                failed += 1
            for path in problems[::step]:
                if is_proved(path):
                    passed += 1
                else:
                    print(f"FAIL proofs: {' '.join(arguments)}: {path.name} is not proved")
                    failed += 1
    print(f"proofs: {passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
