#!/usr/bin/env python3
"""What each mechanism of the engines is for: bench/ablation.py [-n RUNS] [-j JOBS] [-only MECHANISM,…] [-workloads NAME,…]

Copies the sources, puts a switch before each mechanism (MECHANISMS says where), builds the copy once, and runs each
workload with everything and without one mechanism: the least processor time of up to RUNS alternating runs, until no mechanism
seems to matter that may not. Prints a table of the mechanisms, and the workloads that take at least RATIO times
as long without them (1.3) and LEAST seconds longer, as docs/engine.md has it. The results must be the same. A run ends after five
times what it takes with everything and a second, or LIMIT seconds: `>`.

-prepare FOLDER only leaves there what a measurement needs, the program and the workloads; -use FOLDER measures with them, perhaps
on another machine, where nothing can be built.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from families import FAMILIES  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
GENERATOR = pathlib.Path(os.environ.get("GENERATOR", ROOT / "build" / "differential"))
LIMIT, LEAST = 20, 0.05  # seconds

# Those of features.def, which have a switch.
FEATURES = ["FORCE", "MEMO", "COUNT", "BRANCH", "UPDATES", "VALUES", "SYMMETRY", "FEASIBLE",
            "SHARE", "SCREEN", "DEMAND", "TEMPLATE"]
# The others: name -> the places of its switch (file, text, the same with OFF for "is it switched off?").
SWITCHES = {
    "twins": [("enumerator/bounded/bounded.c", "if (s->search->class)",
      "if (s->search->class && !OFF)")],
    "naming of threads": [("enumerator/bounded/memo.c", "= several\n",
      "= !OFF && several\n")],
    "spin cases": [("enumerator/bounded/count.c", "if (!searcher_open (&trial.searcher))",
      "if (OFF || !searcher_open (&trial.searcher))")],
    "merging of states": [("enumerator/paths/reduce.c", "if (states->first == states->last",
      "if (OFF || states->first == states->last")],
    "paths without values are dropped": [("enumerator/search/paths.c", "if (check_has_conditions (check)) {",
      "if (!OFF && check_has_conditions (check)) {")],
    "values for a whole path": [("enumerator/paths/feasible.c", "if (!assign (&search, 0))",
      "if (!OFF && !assign (&search, 0))")],
    "query cores": [("enumerator/query/query.c", "for (guint i = 0; known && i",
      "for (guint i = 0; !OFF && known && i")],
    "relevance": [("enumerator/bounded/values.c", "if (s->search->exists_only)\n    return TRUE;",
      "if (OFF || s->search->exists_only)\n    return TRUE;")],
    "laws of union and intersection": [("model/dag/dag.c", "terms->n = more->n = 0;",
      "terms->n = more->n = 0;\n  if (OFF)\n    return FALSE;")],
    "shapes: open labels": [("extra/synth/candidates.c", "if (found && found->state == STAGED_STUCK)",
      "if (OFF || (found && found->state == STAGED_STUCK))")],
    "shapes: judges that agree": [("extra/synth/judge.c", "if (a->level != LEVEL_SHAPE",
      "if (OFF || a->level != LEVEL_SHAPE")],
    "sat: directions of gates": [("enumerator/sat/circuit.c", "  return lit & 1 ? -variable : variable;",
      "  if (OFF && gate->kind != GATE_INPUT && gate->demanded != (BACKWARD | FORWARD))\n    demand (circuit, lit ^ 1);\n  return lit & 1 ? -variable : variable;")],
    "sat: equal gates are one": [("enumerator/sat/circuit.c", "if (gate->n == n\n",
      "if (!OFF && gate->n == n\n")],
    "sat: closures that are kept acyclic": [("enumerator/sat/relations.c", "if (axiom->role != RSPCHECK_ROLE_AXIOM || axiom->negated)",
      "if (OFF || axiom->role != RSPCHECK_ROLE_AXIOM || axiom->negated)")],
    "sat: symmetry": [("enumerator/sat/sat.c", "  if (!any)\n    return;",
      "  if (OFF || !any)\n    return;")],
    "sat: what is certain": [("enumerator/sat/lemmas.c", "&& !is_certain (l,",
      "&& (OFF || !is_certain (l,")],
    "sat: lemmas from the operands up": [("enumerator/sat/lemmas.c", "= sat_lemmas_hold (l, node->a",
      "= !OFF && sat_lemmas_hold (l, node->a")],
    "rounds by the solver": [("enumerator/search/spin.c", "(sat_rounds_may_go (spin)",
      "((!OFF && sat_rounds_may_go (spin))")],
    "hangs by the solver": [("enumerator/search/hang.c", "= is_open (hunt, i) && rsp_sat",
      "= is_open (hunt, i) && !OFF && rsp_sat")],
    "questions by the solver": [("enumerator/query/query.c", "if (options->engine != RSPCHECK_ENGINE_SAT && options->engine != RSPCHECK_ENGINE_AUTO)",
      "if (OFF || (options->engine != RSPCHECK_ENGINE_SAT && options->engine != RSPCHECK_ENGINE_AUTO))")],
    "verdicts by the solver": [("enumerator/search/combinations.c", "return !check->collected && (",
      "return !OFF && !check->collected && (")],
    "places that the model cannot tell apart": [("enumerator/search/paths.c", "if (program->language->partial_co ||",
      "if (OFF || program->language->partial_co ||")],
    "rows of one word": [("model/bounds/bounds.c", "b->words == 1 ?",
      "b->words == 1 && !OFF ?")],
}

MECHANISMS = FEATURES + list(SWITCHES)

# Families of `make bench` at a size of 0.1 to 2 s, most of them.
SIZES = {"sb": 16, "sb-sc": 16, "iriw": 8, "iriw-sc": 8, "fetch_add": 20, "writers": 16, "lock": 11, "coherence": 6, "relay": 64,
         "queue": 5, "thieves": 4, "ttas": 2, "ticket": 3, "cas-lock": 4, "cas-lock-last": 5, "barrier": 4, "steals": 2,
         "retries": 2, "casrot": 9, "casw": 6, "wcas": 9, "lastzero": 16, "binc": 8, "cinc": 6, "fib": 5}
SOLVED = ["ttas", "ticket", "cas-lock", "steals"]  # by -engine sat
KERNELS = {"lock-ttas": "3x3", "lock-cas": "3x3", "lock-ticket": "3x3", "lock-weak": "3x3", "xf-barrier": "3x3", "histogram": "2x3"}  # and their grids
WRITTEN = {**{name: (name, n) for name, n in SIZES.items()}, "relay 40": ("relay", 40)}
FILTERED = {"sb with a filter": ("sb", 20, "filter (" + " /\\ ".join(f"{t}:r{t}=0" for t in range(8)) + ")\nexists")}
RANDOM = {"random": ["-accesses", "10"], "wide": ["-kind", "wide"], "messages": ["-kind", "messages"]}
OPENCL_REM = ["-model", "opencl_rem.cat"]


def sources():
    out = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [path for path in out.splitlines() if not re.match("(tests|docs|bench|litmus)/", path)]


def switch(text, old, new, number, path):
    if text.count(old) != 1:
        sys.exit(f"bench/ablation.py: {path} has {text.count(old)} times: {old}")
    return text.replace(old, new.replace("OFF", f"(rsp_ablated == {number})"))


def instrument(folder):
    """Writes the sources with the switches."""
    edits = {}
    for number, name in enumerate(MECHANISMS, 1):
        for path, old, new in SWITCHES.get(name, []):
            edits.setdefault(path, []).append((old, new, number))
    for path in sources():
        data = (ROOT / path).read_bytes()
        if path in edits or (path.startswith("enumerator/") and path.endswith((".c", ".h"))):
            text = data.decode()
            text = re.sub(r"([\w>-]*options->disabled) & ", r"(\1 | rsp_ablated_feature) & ", text)
            for edit in edits.pop(path, []):
                text = switch(text, *edit, path)
            data = text.encode()
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
        (folder / path).chmod((ROOT / path).stat().st_mode)
    (folder / "base" / "ablation.h").write_text("extern unsigned rsp_ablated, rsp_ablated_feature;\n")
    (folder / "base" / "ablation.c").write_text(
        "#include <stdlib.h>\nunsigned rsp_ablated, rsp_ablated_feature;\n"
        "__attribute__ ((constructor)) static void\nstart (void)\n{\n"
        '  const char *number = getenv ("RSP_ABLATED");\n  rsp_ablated = number ? (unsigned) atoi (number) : 0;\n'
        f"  rsp_ablated_feature = rsp_ablated && rsp_ablated <= {len(FEATURES)} ? 1u << (rsp_ablated - 1) : 0;\n}}\n")


def build(folder):
    instrument(folder)
    compiler = f"{os.environ.get('CC', 'cc')} -include {folder}/base/ablation.h"
    subprocess.run(["make", "-s", f"-j{os.cpu_count()}", f"CC={compiler}", "LDFLAGS=-s", "rspcheck"], cwd=folder, check=True)


def path_of(folder, title):
    return folder / f"{title.replace(' ', '')}.litmus"


def write_workloads(folder):
    """Those that are not in the checkout."""
    for title, (family, n) in WRITTEN.items():
        path_of(folder, title).write_text(FAMILIES[family][0](n), encoding="utf-8")
    for title, (family, n, filtered) in FILTERED.items():
        path_of(folder, title).write_text(FAMILIES[family][0](n).replace("exists", filtered), encoding="utf-8")
    for title, options in RANDOM.items():
        (folder / title).mkdir()
        subprocess.run([GENERATOR, "-n", "100", *options, "-write", str(folder / title)], check=True, stdout=subprocess.DEVNULL)


def workloads(folder):
    """title -> arguments"""
    runs = {title: [*FAMILIES[family][3], str(path_of(folder, title))] for title, (family, *_) in {**WRITTEN, **FILTERED}.items()}
    for title in RANDOM:
        runs[title] = [*OPENCL_REM, str(folder / title)]
    for title in SOLVED:
        runs[f"{title} by sat"] = ["-engine", "sat", "-speedcheck", "fast", "-model", "opencl.cat", str(path_of(folder, title))]
    for kernel, grid in KERNELS.items():
        runs[f"{kernel}.cl"] = ["-spin", "last", "-grid", grid, "-kernel", str(ROOT / "litmus/kernels" / f"{kernel}.cl")]
    for suite in ("rsp", "opencl", "c11", "steal", "hrf"):
        model = ["-model", "rc11.cat"] if suite == "c11" else OPENCL_REM
        runs[f"litmus/{suite}"] = [*model, str(ROOT / "litmus" / suite)]
    runs["two models"] = ["-model", "opencl.cat", *OPENCL_REM, "-tsv", str(ROOT / "litmus/rsp")]
    runs["-speedcheck"] = ["-speedcheck", "true", *OPENCL_REM, str(folder / "queue.litmus")]
    runs["-progress"] = ["-progress", "all", "-model", "sc.cat", str(ROOT / "litmus/progress")]
    runs["-explain"] = ["-explain", *OPENCL_REM, str(ROOT / "litmus/steal")]
    runs["distinguish"] = ["-distinguish", "-model", "opencl.cat", *OPENCL_REM, "-events", "3"]
    runs["distinguish 4"] = ["-distinguish", "-model", "opencl.cat", *OPENCL_REM, "-events", "4"]
    runs["distinguish rc11"] = ["-distinguish", "-model", "rc11.cat", "-model", "c11_simp.cat", "-events", "4"]
    runs["distinguish ptx.map"] = [*OPENCL_REM, "-compile", "ptx.map", "-distinguish", "-events", "2"]
    runs["minimal"] = ["-minimal", "-model", "rc11.cat", "-events", "4"]
    runs["monotone"] = ["-monotone", *OPENCL_REM, "-events", "3"]
    return runs


def measure(program, number, arguments, limit):
    """Processor seconds and output; None: more than the limit."""
    process = subprocess.Popen(["timeout", "-s", "XCPU", "1000", "bash", "-c", f'ulimit -t {max(1, round(limit))}; exec "$@"', "-", program,
                                "-q", "-j", "1", *arguments], env={**os.environ, "RSP_ABLATED": str(number)}, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds = usage.ru_utime + usage.ru_stime
    return (None if process.returncode < 0 or process.returncode > 100 else seconds), re.sub(rb"Time .*|.*seconds.*", b"", out)


def matters(seconds, base, ratio):
    return seconds >= ratio * base and seconds >= base + LEAST


def compare(program, title, arguments, mechanisms, n):
    """name -> time without it over the time with it"""
    with_all = [measure(program, 0, arguments, LIMIT)]
    if with_all[0][0] is None:
        print(f"{title} takes more than {LIMIT} s", file=sys.stderr)
        return LIMIT, {}
    without = {name: [] for name in mechanisms}
    for turn in range(n):
        if turn:
            with_all.append(measure(program, 0, arguments, LIMIT))
        base = min(seconds for seconds, _ in with_all)
        for name, times in without.items():
            if None in times or (times and not matters(min(times), base, 1.15)):
                continue
            seconds, out = measure(program, MECHANISMS.index(name) + 1, arguments, min(LIMIT, 1 + 5 * base))
            times.append(seconds)
            if seconds is not None and out != with_all[0][1]:
                print(f"{title}: other results without {name}", file=sys.stderr)
    base = max(min(seconds for seconds, _ in with_all), 0.001)
    return base, {name: (min(1 + 5 * base, LIMIT) / base, ">") if None in times else (min(times) / base, "")
                  for name, times in without.items()}


def prepare(folder):
    """Leaves the program, its models and mappings, and the workloads in a folder that is not there yet."""
    with tempfile.TemporaryDirectory() as scratch:
        source = pathlib.Path(scratch)
        build(source)
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("cat", "machine"):
            shutil.copytree(source / name, folder / name, ignore=shutil.ignore_patterns("*.[ch]", "*.inc"))
        shutil.copy2(source / "rspcheck", folder)
    (folder / "workloads").mkdir()
    write_workloads(folder / "workloads")


def show(title, base, ratios):
    """What one workload needs, in a line."""
    shown = [f"{name} {mark}{ratio:.2f}" for name, (ratio, mark) in ratios.items() if matters(ratio * base, base, 1.15) or ratio < 0.9]
    print(f"{title} {base:.3f} s: {', '.join(shown)}", file=sys.stderr, flush=True)


def measure_all(folder, options, mechanisms):
    """name -> title -> what compare finds, where it matters"""
    found = {name: {} for name in mechanisms}
    program = str(folder / "rspcheck")
    runs = {title: arguments for title, arguments in workloads(folder / "workloads").items()
            if not options.workloads or title in options.workloads.split(",")}
    with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        begun = {pool.submit(compare, program, title, arguments, mechanisms, options.n): title
                 for title, arguments in reversed(runs.items())}  # the last take longest
        for run in concurrent.futures.as_completed(begun):
            title, (base, ratios) = begun[run], run.result()
            for name, ratio in ratios.items():
                if matters(ratio[0] * base, base, options.over):
                    found[name][title] = ratio
            show(title, base, ratios)
    return found


def print_table(found):
    print("| mechanism | time without it, over the time with it |\n|---|---|")
    for name, needs in found.items():
        slower = sorted(((ratio, mark, title) for title, (ratio, mark) in needs.items()), reverse=True)
        text = ", ".join(f"{title} {mark}{ratio:.1f}" for ratio, mark, title in slower[:6])
        more = f", and {len(slower) - 6} more" if len(slower) > 6 else ""
        print(f"| {name} | {text + more or 'none'} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-n", type=int, default=7)
    parser.add_argument("-j", type=int, default=1, help="workloads at a time")
    parser.add_argument("-only", default=",".join(MECHANISMS))
    parser.add_argument("-over", type=float, default=1.3)
    parser.add_argument("-workloads")
    parser.add_argument("-prepare", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("-use", type=pathlib.Path, metavar="FOLDER")
    options = parser.parse_args()
    if options.prepare:
        prepare(options.prepare)
        return
    mechanisms = [name for name in options.only.split(",") if name]
    if unknown := set(mechanisms) - set(MECHANISMS):
        parser.error(f"no mechanisms: {', '.join(sorted(unknown))}; they are: {', '.join(MECHANISMS)}")
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.use or pathlib.Path(scratch) / "prepared"
        if not options.use:
            prepare(folder)
        print_table(measure_all(folder.absolute(), options, mechanisms))


if __name__ == "__main__":
    main()
