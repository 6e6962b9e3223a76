"""Families of small programs: locks, barriers and queues as written in practice, and the counting families of
stateless model checkers. In `a × b`, a work-items are in one work-group and b in another.

Each count is known: in closed form, or as another tool states it (KNOWN)."""

from math import comb, factorial

from parts import DEV, alone, load, program, store

WG = "memory_scope_work_group"


def two_groups(n):
    return [list(range(n)), list(range(n, 2 * n))]


def exchange(x, value, order="acquire"):
    return f"atomic_exchange_explicit ({x}, {value}, memory_order_{order}, {DEV})"


def fetch_add(x, order="relaxed"):
    return f"atomic_fetch_add_explicit ({x}, 1, memory_order_{order}, {DEV})"


def cas(x, expected, value, success="relaxed"):
    """A compare-exchange; `expected` is a register."""
    return (f"atomic_compare_exchange_strong_explicit ({x}, &{expected}, {value}, memory_order_{success},"
            f" memory_order_relaxed, {DEV})")


def peek(x, order="relaxed"):
    return f"atomic_load_explicit ({x}, memory_order_{order}, {DEV})"


# ---- Locks and barriers of n + n work-items; each adds one to x inside ----

CRITICAL = ["int t = *x; *x = t + 1;"]


def locked(name, n, locations, take, leave):
    locations = [(x, "atomic_int") for x in locations] + [("x", "int")]
    return program(f"{name}{n}-{n}", locations, [take + CRITICAL + [leave]] * (2 * n), two_groups(n),
                   f"exists (~(x={2 * n}))")


def ttas(n):
    """Test-and-test-and-set."""
    take = [f"do {{ while ({peek('l')} != 0) {{ }} }} while ({exchange('l', 1)} != 0);"]
    return locked("TTAS", n, ["l"], take, store("l", 0))


def ticket(n):
    take = [f"int k = {fetch_add('n')};", f"while ({peek('s', 'acquire')} != k) {{ }}"]
    return locked("TICKET", n, ["n", "s"], take, store("s", "k + 1"))


def cas_lock(n):
    take = ["int e = 0;", f"while (!{cas('l', 'e', 1, 'acquire')}) {{ e = 0; }}"]
    return locked("CASLOCK", n, ["l"], take, store("l", 0))


def spin_count(n):
    """Orders of 2n work-items, and what each has read before: up to two values of k, in order."""
    count = factorial(2 * n)
    for k in range(2 * n):
        count *= 1 + k + comb(k + 1, 2)
    return count


def barrier(n):
    """Between work-groups: each counts itself in, the last one opens."""
    last = 2 * n - 1
    body = [f"int k = {fetch_add('c', 'acq_rel')};", f"if (k == {last}) {{ {store('go', 1)} }}",
            f"while ({peek('go', 'acquire')} != 1) {{ }}"]
    return program(f"BARRIER{n}-{n}", [("c", "atomic_int"), ("go", "atomic_int")], [body] * (2 * n),
                   two_groups(n), "exists (c=0)")


def barrier_count(n):
    """The last one reads what it wrote, every other reads 0 up to twice before."""
    return factorial(2 * n) * 3 ** (2 * n - 1)


def compared(n):
    """Each counts itself in twice and compares: a search soon ends, but the orders are hard for a solver."""
    body = [f"{fetch_add('c')};", f"int k = {fetch_add('c')};", f"if (k == {4 * n - 1}) {{ {store('f', 1)} }}"]
    return program(f"COMPARED{n}-{n}", [("c", "atomic_int"), ("f", "atomic_int")], [body] * (2 * n), two_groups(n),
                   f"exists (~(c={4 * n}))")


# ---- The work-stealing queue ----

def pushes_and_pops(n):
    owner = [f"c[{i}] = {i + 1}; " + store("tail", i + 1, scope=WG) for i in range(n)]
    owner += [f"int t = {n}; int h;"] + [f"int a{i} = 0;" for i in range(n)]
    for i in range(n):
        owner += ["t = t - 1; " + store("tail", "t", "seq_cst", WG),
                  load("h", "head", "seq_cst", WG).removeprefix("int "),
                  f"if (h < t) {{ a{i} = c[t]; }} else {{",
                  "  if (h == t) { if (atomic_compare_exchange_strong_explicit (head, &h, h + 1,"
                  f" memory_order_release, memory_order_relaxed, {WG})) {{ a{i} = c[t]; }} }}",
                  "  t = t + 1; " + store("tail", "t", scope=WG), "}"]
    return owner


LOOK = [load("h", "head", remote="_remote").removeprefix("int "),
        load("m", "tail", "seq_cst", remote="_remote").removeprefix("int ")]
STEAL = ("atomic_compare_exchange_strong_explicit_remote (head, &h, h + 1, memory_order_seq_cst,"
         f" memory_order_relaxed, {DEV})")


def stolen(name, n, thief, thieves, takers):
    twice = [f"{x}={task} /\\ {y}={task}" for task in range(1, n + 1)
             for k, x in enumerate(takers) for y in takers[k + 1:]]
    text = program(name, [("head", "atomic_int"), ("tail", "atomic_int"), ("c", "int")],
                   [pushes_and_pops(n)] + [thief] * thieves, alone(thieves + 1),
                   "exists (" + " \\/ ".join(twice) + ")")
    return text.replace("[c]=0;", f"int c[{n}]={{0}};")


def steals(thieves):
    """Two pushes and two pops; each thief steals twice."""
    thief = ["int h; int m; int r0 = 0; int r1 = 0;"]
    for k in range(2):
        thief += LOOK + [f"if (h < m) {{ int v = c[h]; if ({STEAL}) {{ r{k} = v; }} }}"]
    takers = ["0:a0", "0:a1"] + [f"{i}:r{k}" for i in range(1, thieves + 1) for k in range(2)]
    return stolen(f"STEALS{thieves}", 2, thief, thieves, takers)


def retries(thieves):
    """Each thief tries until it has a task or finds none."""
    thief = (["int r = 0; int h; int m; int go = 1;", "while (go) {"] + LOOK
             + [f"if (h < m) {{ int v = c[h]; if ({STEAL}) {{ r = v; go = 0; }} }} else {{ go = 0; }}", "}"])
    takers = ["0:a0", "0:a1"] + [f"{i}:r" for i in range(1, thieves + 1)]
    return stolen(f"RETRIES{thieves}", 2, thief, thieves, takers)


# ---- Families of stateless model checkers ----

def casrot(n):
    threads = [[f"int e = {i};", f"{cas('x', 'e', i + 1)};"] for i in range(n)]
    return program(f"CASROT{n}", [("x", "atomic_int")], threads, alone(n), "exists (x=0)")


def casw(n):
    threads = [["int e = 0;", f"{cas('x', 'e', 1)};", store("x", i + 3)] for i in range(n)]
    return program(f"CASW{n}", [("x", "atomic_int")], threads, alone(n), "exists (x=0)")


def wcas(n):
    threads = [[store("x", 2)]] + [["int e = 2;", f"{cas('x', 'e', 3)};"]] * n
    return program(f"WCAS{n}", [("x", "atomic_int")], threads, alone(n + 1), "exists (x=0)")


def lastzero(n):
    """A reader walks from the last cell down to the first zero; writer j: cell[j] = cell[j - 1] + 1."""
    reader = [f"int i = {n};"] + [f"while (atomic_load_explicit (&a[i], memory_order_acquire, {DEV}) != 0) "
                                  "{ i = i - 1; }"]
    threads = [reader]
    for j in range(1, n + 1):
        threads.append([f"int r = atomic_load_explicit (&a[{j - 1}], memory_order_acquire, {DEV});",
                        f"atomic_store_explicit (&a[{j}], r + 1, memory_order_release, {DEV});"])
    text = program(f"LASTZERO{n}", [("a", "atomic_int")], threads, alone(n + 1), "exists (0:i=0)")
    return text.replace("[a]=0;", f"int a[{n + 1}]={{0}};")


def counters(n, k):
    body = [f"{fetch_add(x)};" for x in "xyz"[:k]]
    return program(f"COUNTERS{n}-{k}", [(x, "atomic_int") for x in "xyz"[:k]], [body] * n, alone(n),
                   "exists (x=0)")


def fibonacci(n):
    """C: two threads of n rounds of x = x + y and y = x + y, a third reads both."""
    def rounds(a, b):
        return (f"for (int i = 0; i < {n}; i++) {{\n    int u = atomic_load_explicit ({a}, memory_order_acquire);\n"
                f"    int v = atomic_load_explicit ({b}, memory_order_acquire);\n"
                f"    atomic_store_explicit ({a}, u + v, memory_order_release); }}")
    reads = ("int r = atomic_load_explicit (x, memory_order_acquire);\n"
             "  int s = atomic_load_explicit (y, memory_order_acquire);")
    text = f"C FIB{n}\n{{ [x]=1; [y]=1; }}\n\n"
    for i, body in enumerate([rounds("x", "y"), rounds("y", "x"), reads]):
        text += f"P{i} (atomic_int* x, atomic_int* y) {{\n  {body}\n}}\n\n"
    return text + "exists (2:r=0)\n"


# As the papers and tools of stateless model checking state them.
KNOWN = {
    "casrot": {2: 2, 3: 5, 4: 14, 5: 43, 6: 144, 7: 523, 8: 2048, 9: 8597},
    "casw": {2: 6, 3: 66, 4: 1200, 5: 32880},
    "wcas": {2: 5, 3: 13, 4: 33, 5: 81, 6: 193, 7: 449, 8: 1025, 9: 2305},
    "lastzero": {5: 64, 10: 3328, 15: 147456},
    "fib": {5: 525630},
}


def known(name):
    return KNOWN[name].get


OPENCL, REM, C = ["-model", "opencl.cat"], ["-model", "opencl_rem.cat"], ["-model", "rc11.cat"]

# name: (text of n, executions of n, sizes to time, options)
PROGRAMS = {
    "ttas": (ttas, {1: 14, 2: 3010704}.get, [1, 2], OPENCL),
    "ticket": (ticket, spin_count, [2, 3, 4], OPENCL),
    "cas-lock": (cas_lock, spin_count, [2, 3, 4], OPENCL),
    "cas-lock-last": (cas_lock, lambda n: factorial(2 * n), [2, 3], OPENCL + ["-spin", "last"]),
    "barrier": (barrier, barrier_count, [2, 3, 4], OPENCL),
    "steals": (steals, None, [1, 2, 3], REM),
    "retries": (retries, None, [1, 2], REM + ["-unroll", "4"]),
    "casrot": (casrot, known("casrot"), [3, 6, 9], OPENCL),
    "casw": (casw, known("casw"), [3, 4, 5], OPENCL),
    "wcas": (wcas, known("wcas"), [3, 6, 9], OPENCL),
    "lastzero": (lastzero, known("lastzero"), [5, 10, 15], OPENCL + ["-unroll", "16"]),
    "binc": (lambda n: counters(n, 2), lambda n: factorial(n) ** 2, [3, 5, 6], OPENCL),
    "cinc": (lambda n: counters(n, 3), lambda n: factorial(n) ** 3, [3, 4, 5], OPENCL),
    "fib": (fibonacci, known("fib"), [3, 4, 5], C + ["-unroll", "5"]),
}
