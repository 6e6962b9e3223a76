"""Parametric families of litmus tests, and closed forms of their counts where known."""

from math import comb, factorial

from parts import DEV, alone, conjunction, load, program, store
from programs import PROGRAMS


def sb(n, read="acquire", write="release"):
    """Store-buffering ring: 2^n executions, each with a different state."""
    threads = [[store(f"x{i}", 1, write), load(f"r{i}", f"x{(i + 1) % n}", read)] for i in range(n)]
    return program(f"SB{n}", [(f"x{i}", "atomic_int") for i in range(n)], threads, alone(n),
                   conjunction(f"{i}:r{i}=0" for i in range(n)))


def sb_sc(n):
    return sb(n, "seq_cst", "seq_cst")


def iriw(n, read="acquire", write="release"):
    """Two writers and n readers, which read in alternate orders: 4^n executions."""
    threads = [[store("x", 1, write)], [store("y", 1, write)]]
    atoms = []
    for i in range(n):
        first, second = ("x", "y") if i % 2 == 0 else ("y", "x")
        threads.append([load("r0", first, read), load("r1", second, read)])
        atoms += [f"{i + 2}:r0=1", f"{i + 2}:r1=0"]
    return program(f"IRIW{n}", [("x", "atomic_int"), ("y", "atomic_int")], threads, alone(n + 2),
                   conjunction(atoms))


def iriw_sc(n):
    return iriw(n, "seq_cst", "seq_cst")


def fetch_add(n):
    """n threads add one: n! executions, one state."""
    line = f"atomic_fetch_add_explicit (x, 1, memory_order_acq_rel, {DEV});"
    return program(f"FADD{n}", [("x", "atomic_int")], [[line]] * n, alone(n), f"exists (~(x={n}))")


def lock(n):
    """n threads try a compare-exchange lock once: sum over k of C(n,k) k! k^(n-k) executions."""
    body = ["int e = 0;",
            f"int r = atomic_compare_exchange_strong_explicit (l, &e, 1, memory_order_acquire, "
            f"memory_order_acquire, {DEV});",
            "if (r) { int t = *x; *x = t + 1; " + store("l", 0) + " }"]
    return program(f"LOCK{n}", [("l", "atomic_int"), ("x", "int")], [body] * n, alone(n),
                   conjunction(f"{i}:r=1" for i in range(n)))


def writers(n):
    """n threads write to one location that none of them reads: n! executions, one state."""
    return program(f"WRITERS{n}", [("x", "atomic_int")], [[store("x", i + 1, "relaxed")] for i in range(n)], alone(n),
                   "exists (true)")


def coherence(n):
    """n writers, two readers of n reads: n! C(2n,n)^2 executions."""
    threads = [[store("x", i + 1, "relaxed")] for i in range(n)]
    threads += [[load(f"r{j}", "x", "relaxed") for j in range(n)]] * 2
    return program(f"COH{n}", [("x", "atomic_int")], threads, alone(n + 2),
                   conjunction([f"{n}:r0=1", f"{n}:r{n - 1}=2", f"{n + 1}:r0=2",
                                f"{n + 1}:r{n - 1}=1"]))


def relay(n):
    """A message through n work-groups with remote acquires: n executions."""
    wg = "memory_scope_work_group"
    threads = [["*x = 53;", store("f0", 1, "release", wg)]]
    for i in range(1, n):
        last = i == n - 1
        then = "r1 = *x;" if last else store(f"f{i}", 1, "release", wg)
        threads.append((["int r1 = -1;"] if last else [])
                       + [load("r0", f"f{i - 1}", "acquire", DEV, "_remote"),
                          "if (r0 == 1) { " + then + " }"])
    locations = [("x", "atomic_int")] + [(f"f{i}", "atomic_int") for i in range(n - 1)]
    return program(f"RELAY{n}", locations, threads, alone(n),
                   f"exists ({n - 1}:r0=1 /\\ ~({n - 1}:r1=53))")


def queue(n, thieves=2):
    """The work-stealing queue of litmus/steal/ (repaired): the owner pushes n tasks, then pops as
    often; each thief tries once. The condition asks whether a task is ever taken twice."""
    wg, scas = "memory_scope_work_group", "atomic_compare_exchange_strong_explicit"
    owner = [f"c[{i}] = {i + 1}; " + store("tail", i + 1, scope=wg) for i in range(n)]
    owner += [f"int t = {n}; int h;"] + [f"int a{i} = 0;" for i in range(n)]
    for i in range(n):
        owner += ["t = t - 1; " + store("tail", "t", "seq_cst", wg),
                  load("h", "head", "seq_cst", wg).removeprefix("int "),
                  f"if (h < t) {{ a{i} = c[t]; }} else {{",
                  f"  if (h == t) {{ if ({scas} (head, &h, h + 1, memory_order_release,"
                  f" memory_order_relaxed, {wg})) {{ a{i} = c[t]; }} }}",
                  "  t = t + 1; " + store("tail", "t", scope=wg), "}"]
    thief = ["int r = 0;", load("h", "head", remote="_remote"),
             load("m", "tail", "seq_cst", remote="_remote"),
             f"if (h < m) {{ int v = c[h]; if ({scas}_remote (head, &h, h + 1,"
             f" memory_order_seq_cst, memory_order_relaxed, {DEV})) {{ r = v; }} }}"]
    takers = [f"0:a{i}" for i in range(n)] + [f"{i + 1}:r" for i in range(thieves)]
    twice = [f"{x}={task} /\\ {y}={task}" for task in range(1, n + 1)
             for k, x in enumerate(takers) for y in takers[k + 1:]]
    text = program(f"QUEUE{n}-{thieves}", [("head", "atomic_int"), ("tail", "atomic_int"), ("c", "int")],
                   [owner] + [thief] * thieves, alone(thieves + 1),
                   "exists (" + " \\/ ".join(twice) + ")")
    return text.replace("[c]=0;", f"int c[{n}]={{0}};")


def queue_thieves(n):
    """Two pushes, two pops and n thieves."""
    return queue(2, n)


def lock_count(n):
    return sum(comb(n, k) * factorial(k) * k ** (n - k) for k in range(n + 1))


# "random": RANDOM_TESTS tests at a time by the generator of tests/random, n accesses each at most.
RANDOM_TESTS = 100

# name: (text of n, executions of n, sizes to time, options)
REM = ["-model", "opencl_rem.cat"]
FAMILIES = {
    "sb": (sb, lambda n: 2 ** n, [8, 12, 16], REM),
    "sb-sc": (sb_sc, lambda n: 2 ** n - 1, [8, 12, 16], REM),
    "iriw": (iriw, lambda n: 4 ** n, [4, 6, 8], REM),
    "iriw-sc": (iriw_sc, None, [4, 6, 8], REM),
    "fetch_add": (fetch_add, factorial, [4, 5, 9, 12], REM),
    "writers": (writers, factorial, [8, 12, 16], REM),
    "lock": (lock, lock_count, [2, 3, 5, 7], REM),
    "coherence": (coherence, lambda n: factorial(n) * comb(2 * n, n) ** 2, [3, 5, 6], REM),
    "relay": (relay, lambda n: n, [8, 20, 64], REM),
    "queue": (queue, None, [2, 4, 6], REM),
    "thieves": (queue_thieves, None, [2, 3, 4], REM),
    "random": (None, None, [4, 7, 10, 13], REM),
    **PROGRAMS,
}
