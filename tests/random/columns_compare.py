#!/usr/bin/env python3
"""Random PTX, Vulkan and AMDGPU tests: tests/random/columns_compare.py [-n N] [-seed N] PROGRAM LANGUAGE...

The naive and the bounded engine must agree on everything that a log says, and on what hangs, under the models of the
language, for PTX also under ptx_open.cat, which leaves more of coherence open. Prints a test on which they differ;
one that takes the naive engine more than 20 seconds is skipped."""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))

import permutations  # pylint: disable=wrong-import-position

PERMUTATIONS = ["-speedcheck true", "-speedcheck fast -j 4", "-engine sat", "-engine auto -speedcheck fast"]
# Of each language: its models, what its tests declare, the levels of a thread's place, its instructions, those of tests
# about barriers, and what is drawn for each letter in them; "r" becomes a new register, "E" the label at the thread's end.
LANGUAGES = {
    "PTX": {
        "models": ["ptx90.cat", "ptx60.cat", os.path.join(ROOT, "tests", "random", "ptx_open.cat"),
                   os.path.join(ROOT, "tests", "random", "ptx_final.cat")],
        "declared": "a @ generic aliases x; t @ texture aliases x; s @ surface aliases y; k @ constant aliases y; "
                    "b[2] = {0, 1}; c @ generic aliases b; m @ mbarrier count 2; n @ mbarrier count 1;",
        "levels": ["cta", "cluster", "gpu"],
        "choices": {
            "S": ["cta", "cluster", "gpu", "sys"],
            "x": ["x", "y", "x", "y", "x", "y", "b[1]", "c[1]"],
            "O": ["relaxed", "acquire", "release", "acq_rel"],
            "v": ["1", "2"],
            "G": ["cta", "gl", "sys"],
            "q": ["1", "2", "2", "2", "3"],
            "m": ["m", "m", "n"],
            "K": ["cta", "cluster", "cluster"],
            "R": ["release", "release", "relaxed"],
            "Q": ["acquire", "acquire", "relaxed"],
            "T": ["r0", "r1"],
            "n": ["0", "0", "1"],
            "A": ["global", "shared::cta", "shared::cluster"],
            "[X]": ["[x]", "[y]", "[a]", "[b[1]]"],
        },
        "phases": [*["st.weak x, 1", "ld.weak r, x", "mbarrier.arrive.R.K r, m", "mbarrier.arrive.R.K _, m",
                     "mbarrier.test_wait.parity.Q.K r, m, 0"] * 3, "mbarrier.arrive_drop.R.K _, m",
                   "mbarrier.arrive.expect_tx.R.K _, m, 8", "mbarrier.complete_tx.relaxed.K m, 8", "mbarrier.expect_tx.relaxed.K m, 8",
                   "mbarrier.test_wait.Q.K r, m, T", "mbarrier.try_wait.parity.Q.K r, m, 1", "mbarrier.arrive.R.K _, m, 2",
                   "mbarrier.pending_count r, T", "mbarrier.init m, v", "mbarrier.inval m", "fence.acquire.S", "fence.release.S",
                   "fence.mbarrier_init.release.cluster", "bar.warp.sync 4294967295", "bar.cta.sync 0", "beq r0, 1, E",
                   "barrier.cluster.arrive.R ; barrier.cluster.wait.Q", "barrier.cluster.arrive.R ; barrier.cluster.wait.Q"],
        "meeting": ["st.weak x, 1", "ld.weak r, x", "ld.relaxed.gpu r, y", "st.relaxed.gpu y, 1", "beq r0, 1, E",
                    *["bar.cta.sync 0, 0, q"] * 3, "bar.cta.sync 1, 0, q", "bar.cta.sync 0", "bar.cta.sync 1",
                    "bar.cta.arrive 0, 0, q"],
        "copying": ["st.weak x, v", "ld.weak r, x", "ld.relaxed.gpu r, y", "st.release.gpu y, v", "ld.acquire.gpu r, y",
                    *["cp.async.ca.shared.global [X], [X], 8"] * 2, *["cp.async.bulk.global.shared::cta.bulk_group [X], [X], 16"] * 2,
                    "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u64 [X], [X], 16", "cp.async.commit_group",
                    *["cp.async.bulk.commit_group"] * 2, "cp.async.wait_group n", "cp.async.wait_all", "cp.async.bulk.wait_group n",
                    "cp.async.bulk.wait_group.read n", "fence.proxy.async.A", "fence.proxy.async", "beq r0, 1, E", "bar.cta.sync 0",
                    "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster", "tmld r, x",
                    "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster",
                    "fence.proxy.tensormap::generic.release.S", "fence.proxy.tensormap::generic.acquire.S [X], 128", "atom.O.S.add r, x, v"],
        "instructions": [
            "ld.weak r, x", "ld.relaxed.S r, x", "ld.acquire.S r, x", "ld.relaxed.S r, x",
            "st.weak x, v", "st.relaxed.S x, v", "st.release.S x, v", "st.relaxed.S x, v",
            "atom.O.S.add r, x, v", "atom.O.S.exch r, x, v", "atom.O.S.cas r, x, 0, v", "red.O.S.add x, v",
            "fence.acq_rel.S", "fence.sc.S", "fence.sc.S", "fence.acquire.S", "fence.release.S", "fence.S", "membar.G", "ld.volatile r, x",
            "st.volatile x, v", "ld.mmio.relaxed.sys r, x", "st.relaxed.S.shared::cluster.u32 x, v", "atom.O.S.global.add.s64 r, x, v",
            "tld.weak r, t", "fence.proxy.texture", "ld.weak r, a", "st.weak a, v", "fence.proxy.alias",
            "suld.weak r, s", "sust.weak s, v", "suatom.O.S.add r, s, v", "sured.O.S.or s, v", "fence.proxy.surface",
            "cold.weak r, k", "fence.proxy.constant", "add r0, r0, 1",
            "bar.cta.sync 0", "bar.cta.sync 0, r0", "bar.cta.arrive 0", "bar.cta.sync 0, 1, 2", "bar.cta.arrive 0, 1, 2",
            "bar.cta.sync 1, 2, 2", "bar.cta.sync 1", "bar.cta.arrive 1, 2, 2", "tld.relaxed.S r, t", "sust.release.S s, v",
            "suatom.O.S.cas r, s, 0, v", "fence.proxy.generic",
        ],
    },
    "VULKAN": {
        "models": ["vulkan.cat", "vulkan_nochains.cat"],
        "declared": "a aliases x; b[2] = {0, 1};",
        "levels": ["sg", "wg", "qf"],
        "choices": {
            "S": ["sg", "wg", "qf", "dv", "dv"],
            "x": ["x", "y", "x", "y", "a", "b[1]"],
            "C": ["sc0", "sc0", "sc1", "sc2"],
            "O": ["acq", "rel", "acq_rel"],
            "M": ["semsc0", "semsc0", "semsc1", "semsc0.semsc1", "semsc2.semsc0", "semsc0.semsc1.semsc2.semsc3"],
            "v": ["1", "2"],
            "q": ["1", "2", "2", "2", "3"],
        },
        "meeting": ["st.av.wg.sc0 x, 1", "ld.vis.wg.sc0 r, x", "ld.atom.wg.sc0 r, y", "st.atom.wg.sc0 y, 1",
                    "beq r0, 1, E", *["cbar.acq_rel.wg.semsc0 0, 0, q"] * 3, "cbar.acq_rel.wg.semsc0 1, 0, q",
                    "cbar.acq_rel.wg.semsc0 0", "cbar.wg 1"],
        "instructions": [
            "ld.C r, x", "ld.nonpriv.C r, x", "ld.vis.S.C r, x", "ld.vis.S.C r, x",
            "st.C x, v", "st.nonpriv.C x, v", "st.av.S.C x, v", "st.av.S.C x, v",
            "ld.atom.S.C r, x", "ld.atom.acq.S.C.M r, x", "ld.atom.acq.S.C.M.semvis r, x", "ld.atom.acq.S.C.M.semvis r, x",
            "st.atom.S.C x, v", "st.atom.rel.S.C.M x, v", "st.atom.rel.S.C.M.semav x, v", "st.atom.rel.S.C.M.semav x, v",
            "rmw.atom.S.C.add r, x, v", "rmw.atom.O.S.C.M.semav.semvis.add r, x, v",
            "add r0, r0, 1", "rmw.atom.acq.S.C.M.cas r, x, 0, v", "cbar.S 0, 1, 2",
            "membar.O.S.M", "membar.O.S.M.semav.semvis", "cbar.S 0, r0", "cbar.acq_rel.S.M.semav.semvis 0",
            "cbar.O.S.M.semav.semvis 0", "rmw.atom.rel.S.C.M.semav r, x, v", "avdevice", "visdevice",
        ],
    },
    "AMDGPU": {
        "models": ["amdgpu_av.cat"],
        "declared": "b[2] = {0, 1}; l = 0 @ local wg 0;",
        "levels": ["wv", "wg", "cl", "ag"],
        "choices": {
            "S": ["wavefront", "workgroup", "cluster", "agent", "agent", "system", "singlethread"],
            "x": ["x", "y", "x", "y", "x", "y", "b[1]"],
            "L": ["acquire", "seq_cst", "acquire.noav"],
            "T": ["release", "seq_cst", "release.noav"],
            "O": ["monotonic", "acquire", "release", "acq_rel", "seq_cst", "acq_rel.noav", "release.noav"],
            "F": ["acquire", "release", "acq_rel", "seq_cst", "acquire.noav", "release.noav"],
            "P": ["add", "xchg", "or"],
            "v": ["1", "2"],
        },
        "meeting": ["store x, 1", "load r, x", "load.atomic.S.monotonic r, y", "store.atomic.S.monotonic y, 1",
                    "beq r0, 1, E", *["fence.workgroup.release", "barrier 0", "fence.workgroup.acquire"] * 2, "barrier 1",
                    "fence.S.F", "store.av.S x, v"],
        "instructions": [
            "load r, x", "load r, x", "store x, v", "store x, v", "load.volatile r, x", "store.volatile x, v",
            "load.av.S r, x", "store.av.S x, v", "load.atomic.S.monotonic r, x", "store.atomic.S.monotonic x, v",
            *["load.atomic.S.L r, x", "store.atomic.S.T x, v"] * 3, "rmw.P.S.O r, x, v", "rmw.P.S.O r, x, v",
            "cmpxchg.S.O.acquire r, x, 0, v", "cmpxchg.S.O.monotonic r, x, 1, v", "fence.S.F", "fence.S.F", "fence.S.F",
            "load.atomic.acquire r, x", "store.atomic.release x, v", "add r0, r0, 1", "barrier 0",
            "fence.workgroup.release", "fence.workgroup.acquire",
        ],
        "using": ["store x, v", "store x, v", "load r, x", "load r, x", "load.atomic.S.monotonic r, x", "store.atomic.S.monotonic x, v",
                  "rmw.P.S.O r, x, r0", "add r0, r0, 1", "mul r0, r0, 2", *["store x, r0", "beq r0, v, E", "bne r0, v, E"] * 2],
        "inside": {"wg 0": ["load r, l", "store l, v", "load.atomic.S.L r, l", "store.atomic.S.T l, v", "rmw.P.S.O r, l, v"]},
    },
}


def instruction(rng, language, registers, kind, thread, place):
    """One instruction, and the registers that the thread has afterwards."""
    words = rng.choice(language[kind] + language.get("inside", {}).get(place, [])).replace(",", " ,").replace(".", " . ").split()
    text = ""
    for word in words:
        if word == "r":
            word = "r%d" % registers
            registers += 1
        else:
            word = rng.choice(language["choices"].get(word, [f"E{thread}" if word == "E" else word]))
        text += word if word in ".," or text.endswith(".") or not text else " " + word
    return text, registers


def make(rng, name, number):
    """The text of one test: at most four threads, ten instructions, and three on mbarriers, which come in all orders."""
    language = LANGUAGES[name]
    columns, observed, on_mbarriers, inner = [], [], 0, {}
    kind = rng.choice(["instructions", "instructions", "meeting", "copying", "phases", "using"])
    kind = kind if kind in language else "instructions"
    meets, clusters = kind in ("meeting", "phases"), rng.random() < 0.8
    for thread in range(rng.choice([3, 3, 4] if meets else [1, 2] if kind == "copying" else [2, 2, 2, 3])):
        registers, rows = 0, []
        place = ["%s %d" % (level, 0 if meets and rng.random() < 0.9 else rng.randrange(2)) for level in language["levels"]
                 if level != "cluster" or clusters]
        if place[1] in language.get("inside", {}):  # there is one such place, so that its own memory is one location
            place[2:] = inner.setdefault(place[1], place[2:])
        for _ in range(rng.choice([3, 4, 5] if kind == "copying" else [1, 2, 2, 3] if thread < 2 else [1, 2])):
            text, registers = instruction(rng, language, registers, kind, thread, place[1])
            on_mbarriers += text.startswith("mbarrier")
            if on_mbarriers <= 3 or not text.startswith("mbarrier"):
                rows += text.split(" ; ")
        rows += ["E%d:" % thread] * any(row.endswith(", E%d" % thread) for row in rows)
        columns.append(["P%d@%s" % (thread, ", ".join(place))] + rows)
        text = " ".join(rows)
        observed += ["%d:r%d" % (thread, r) for r in range(registers) if re.search(r"\br%d\b" % r, text)]
    height = max(len(column) for column in columns)
    rows = [" | ".join(column[i] if i < len(column) else "" for column in columns) for i in range(height)]
    question = "exists (P%s == 1)" % rng.choice(observed) if observed else "exists (x == 1)"
    shown = ["P%s;" % name for name in observed] + rng.sample(["x;", "y;"], rng.randrange(3))
    pairs = "{ ssw 0 1; }\n" if name == "VULKAN" and rng.random() < 0.3 else ""
    return "%s R%d\n{ x=0; y=0; %s }\n%s%s\n%s%s\n" % (
        name, number, language["declared"], pairs, "".join(" %s ;\n" % row for row in rows),
        "locations [%s]\n" % " ".join(shown) if shown else "", question)


def run(program, engine, model, folder):
    limit = ["-timeout", "20"] if engine == "naive" else []
    done = subprocess.run([program, "-engine", engine, "-progress", "fair", "-model", model, *limit, folder], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 or "\nTimeout after" in done.stdout else done.stdout + done.stderr


def compare(program, rng, name, numbers):
    """How many logs agree, and how many differ, on tests of these numbers."""
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in numbers:
            with open(os.path.join(folder, "R%d.litmus" % number), "w") as file:
                file.write(make(rng, name, number))
        for model in LANGUAGES[name]["models"]:
            logs = [run(program, engine, model, folder).split("\n\n") for engine in ["naive", "bounded"]]
            differ = [pair for pair in zip(*logs) if pair[0] != pair[1] and "\nTimeout after" not in pair[0]]
            unread = [n for n in numbers if not any(log.lstrip().startswith("Test R%d " % n) for log in logs[0])]
            failed += len(unread)
            for n in unread[:1]:
                print("FAIL %s: no answer for %d tests\n%s" % (name, len(unread), open(os.path.join(folder, "R%d.litmus" % n)).read()))
            wrong = "Test " not in logs[0][0] or len(logs[0]) != len(logs[1])
            passed += len(logs[0]) - 1 - len(differ)
            failed += len(differ) + wrong
            for naive, bounded in differ[:1] or [(logs[0][0], "")] * wrong:
                test = naive.split()[1] if " " in naive else "?"
                path = os.path.join(folder, test + ".litmus")
                text = open(path).read() if os.path.exists(path) else ""
                print("FAIL %s: %s\n%s--- naive\n%s\n--- bounded\n%s" % (name, model, text, naive, bounded))
            files = [os.path.join(folder, "R%d.litmus" % number) for number in numbers]
            agree, differ = permute(program, model, files)
            passed += agree
            failed += differ
    return passed, failed


def permute(program, model, files):
    """The same of answers under the options of PERMUTATIONS."""
    passed, complaints = permutations.compare(program, (model, ["-model", model], files), PERMUTATIONS)
    for complaint in complaints:
        print("FAIL %s" % complaint)
    if complaints:
        print("".join(open(path).read() for path in files if "/%s.litmus" % complaints[0].split(", ")[1] in path))
    return passed, len(complaints)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-n", type=int, default=200)
    parser.add_argument("-seed", type=int, default=1)
    parser.add_argument("program")
    parser.add_argument("languages", nargs="+", choices=list(LANGUAGES))
    args = parser.parse_args()
    rng = random.Random(args.seed)
    passed = failed = 0
    for name in args.languages:
        for first in range(0, args.n, 50):
            agree, differ = compare(args.program, rng, name, range(first, min(first + 50, args.n)))
            passed += agree
            failed += differ
    print("%d passed, %d failed" % (passed, failed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
