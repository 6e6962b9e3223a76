#!/usr/bin/env python3
"""What docs/internals.md ("How to add …") names is what an addition needs: tests/additions.py

Four additions are made to a copy of the sources: an operator of models, a level of the scope tree with its scope, an atomic
operation and a language. Each changes the files that its rows of that table name, and no others, and what is built so is used by
tests, models and a question."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import cases

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Per addition the rows of the table, and what it changes: in a file, the text, and what comes in front of it; or a new file.
OPERATOR = {
    "model/dag/operators.def": [("RSP_OPERATOR (DOMAIN", """RSP_OPERATOR (EITHER_WAY, (rsp_relation_inverse (out, a), rsp_matrix_union (out, out, a)),
              .arity = 1, .of = RSP_RELATION, .gives = RSP_RELATION)
""")],
    "model/base_names.def": [("RSP_BASE_FUNCTION (noid,", """RSP_BASE_FUNCTION (either_way, "either-way", "r>r", "either-way(r): r | r^-1")
""")],
    "model/stage/predefined.c": [("static const StageValue *call_noid", """static const StageValue *
call_either_way (Stage *stage, RspSpan span, StageItems arguments) {
  RspNodeId r;
  return stage_to_relation (stage, arguments[0], span, &r)
             ? stage_node (stage, rsp_dag_unary (stage->dag, RSP_NODE_EITHER_WAY, r))
             : NULL;
}

""")],
    "model/bounds/forward.inc": [("  case RSP_NODE_DOMAIN:\n    row_clear", """  case RSP_NODE_EITHER_WAY:
    row_copy (b, out, a);
    for (guint y = 0; y < b->n; y++)
      if (rsp_row_has (row_of (b, first->bits, y), x))
        row_add (out, y);
    break;
""")],
    "model/bounds/key.inc": [("  case RSP_NODE_INVERSE:\n    for", """  case RSP_NODE_EITHER_WAY:
    demand_row (b, node->a, x, row);
    for (all_in (b, y, row))
      demand_bit (b, node->a, y, x);
    break;
""")],
    "model/bounds/propagate.c": [("  case RSP_NODE_UNION:\n  case RSP_NODE_SEQ:\n  case RSP_NODE_PLUS:\n    return a & b", """  case RSP_NODE_EITHER_WAY:
    return 0;
""")],
    "model/warn/possible.c": [("  case RSP_NODE_PLUS: {\n    Possible value", """  case RSP_NODE_EITHER_WAY:
    return possible_any;
""")],
    "extra/synth/code.c": [("  case RSP_NODE_PLUS:\n    return grid_close", """  case RSP_NODE_EITHER_WAY:
    return a | grid_inverse (a);
""")],
    "enumerator/sat/relations.c": [("  case RSP_NODE_PRODUCT:\n    return circuit_and", """  case RSP_NODE_EITHER_WAY:
    return circuit_or (circuit, rsp_sat_relations_get (r, node->a, a, b),
                       rsp_sat_relations_get (r, node->a, b, a));
""")],
    "enumerator/search/paths.c": [("  case RSP_NODE_IDENTITY:\n  case RSP_NODE_DOMAIN:", """  case RSP_NODE_EITHER_WAY:
""")],
}
LEVEL = {
    "parser/scopes.def": [("RSP_SCOPE (DEVICE", """RSP_SCOPE (RACK, RACK, "rack", "rack", "rk", "RK", "rk")
"""), ("RSP_LEVEL (KERNEL", """RSP_LEVEL (RACK, RK, "rack", "rack", "rk", APART, SHARED, IF_NEEDED)
""")],
    "extra/synth/print.c": [("  case RSP_LEVEL_KERNEL: /*", """  case RSP_LEVEL_RACK:
""")],
    "extra/hardware/target.c": [("#define CUDA_SCOPE_DEVICE", """#define CUDA_SCOPE_RACK       "device"
""")],
}
OPERATION = {
    "parser/litmus/words.def": [('CALL ("atomic_load"', """CALL ("atomic_fetch_clear", "fetch_clear", FETCH, CLEAR, FALSE, "pv", "pvo[s]")
""")],
    "parser/program.h": [("  RSP_OP_MIN", """  RSP_OP_CLEAR,
""")],
    "parser/program.c": [("  case RSP_OP_OR:\n    value", """  case RSP_OP_CLEAR:
    value = x & ~y;
    break;
""")],
    "enumerator/terms/term.c": [("  case RSP_OP_SHL:\n  case RSP_OP_SHR:\n    return is_constant", """  case RSP_OP_CLEAR:
    return term_make (terms, op, a, b);
""")],
    "extra/hardware/operations.def": [('FETCH (OR, ', """FETCH (CLEAR, "fetch_clear")
""")],
}
LANGUAGE = {
    "parser/languages.def": [("RSP_LANGUAGE_LEVEL (PTX, WORK_GROUP", """RSP_LANGUAGE (NEW, .word = "New", .default_model = "new.cat", .scoped = TRUE, .rmw = RSP_RMW_TWO_EVENTS, .tagged = TRUE)
RSP_LANGUAGE_LEVEL (NEW, WORK_GROUP, "team", "team", TEAM)
RSP_LANGUAGE_LEVEL (NEW, SYSTEM, "all", "all", EVERYWHERE)
"""), ("RSP_TAG (WEAK, PTX", """RSP_TAG (TEAM, NEW, "scope team")
RSP_TAG (EVERYWHERE, NEW, "scope all")
""")],
    "parser/columns/new.c": """/* New: its instructions, by forms and suffixes. */
#include "parser/columns/columns.h"

static const ColumnsForm forms[] = {
  { "get", COLUMNS_LOAD, 0, COLUMNS_KIND (SCOPE), COLUMNS_KIND (SCOPE), 0 },
  { "put", COLUMNS_STORE, 0, COLUMNS_KIND (SCOPE), COLUMNS_KIND (SCOPE), 0 },
  { .word = NULL },
};

static const ColumnsSuffix suffixes[] = {
  { "team", COLUMNS_SCOPE, RSP_LEVEL_WORK_GROUP, RSP_TAG_BIT (TEAM) },
  { "all", COLUMNS_SCOPE, RSP_LEVEL_SYSTEM, RSP_TAG_BIT (EVERYWHERE) },
  { .word = NULL },
};

static const char *const kinds[COLUMNS_N_KINDS] = { [COLUMNS_SCOPE] = "a scope: `.team` or `.all`" };

static gboolean finish (const ColumnsWords *words, ColumnsInstruction *out) {
  out->tags = rsp_columns_tags (words, COLUMNS_SCOPE);
  return TRUE;
}

static const ColumnsStrength strengths[] = {
  { COLUMNS_LOAD, "", 0, .scoped = TRUE },
  { COLUMNS_STORE, "", 0, .scoped = TRUE },
  { .words = NULL },
};

static const ColumnsFence fences[] = { { .words = NULL } };

const ColumnsAlphabet rsp_new_alphabet = {
  .place_hint = "a place is written `P0@team 0`",
  .forms = forms,
  .suffixes = suffixes,
  .kinds = kinds,
  .finish = finish,
  .strengths = strengths,
  .fences = fences,
};
""",
    "parser/columns/columns.h": [("/* The longest form with which", "extern const ColumnsAlphabet rsp_new_alphabet;\n\n")],
    "parser/columns/instruction.c": [("[RSP_LANGUAGE_PTX] = &rsp_ptx_alphabet", "[RSP_LANGUAGE_NEW] = &rsp_new_alphabet,\n          ")],
    "extra/synth/space.c": [("  case RSP_LANGUAGE_OPENCL:\n  case RSP_LANGUAGE_C:\n", "  case RSP_LANGUAGE_NEW:\n")],
    "cat/new.cat": """"New"
let heard = rf & (wg | (EVERYWHERE * EVERYWHERE))
acyclic po-loc | rf | co | fr as coherence
irreflexive fr ; po ; heard ; po as order
""",
}

ADDITIONS = {
    "operator": (["an operator of the DAG", "a function of cat"], OPERATOR),
    "level": (["a scope", "a level of the scope tree"], LEVEL),
    "operation": (["an atomic operation"], OPERATION),
    "language": (["a language of tests"], LANGUAGE),
}

# ---- What is built is used ----

MODEL = """"M"
acyclic po-loc | rf | co | fr as coherence
irreflexive po ; %s ; po as way
"""

RACK_MODEL = """"M"
acyclic po-loc | rf | co | fr as coherence
let sw = [REL & RK] ; (rf & rk) ; [ACQ & RK]
irreflexive fr ; po ; sw ; po as order
"""

RACK = """OpenCL Rack
{ x = 0; y = 0; }
P0 (global atomic_int* x, global atomic_int* y) {
  atomic_store_explicit (x, 1, memory_order_relaxed, memory_scope_rack);
  atomic_store_explicit (y, 1, memory_order_release, memory_scope_rack);
}
P1 (global atomic_int* x, global atomic_int* y) {
  int a = atomic_load_explicit (y, memory_order_acquire, s_rk);
  int b = atomic_load_explicit (x, memory_order_relaxed, s_rk);
}
scopeTree (device %s)
exists (1:a=1 /\\ 1:b=0)
"""

CLEAR = """OpenCL Clear
{ x = 7; }
P0 (global atomic_int* x) { int a = atomic_fetch_clear_explicit (x, 2, memory_order_relaxed, memory_scope_device); }
P1 (global atomic_int* x) { int b = atomic_fetch_clear (x, 4); }
scopeTree (device (work_group P0) (work_group P1))
forall (x=1 /\\ (0:a=7 \\/ 0:a=3) /\\ 0:a!=1:b)
"""

NEW = """New MP
{ x = 0; y = 0; }
 P0@team 0  | P1@team %d    ;
 put.all x, 1 | get.team r0, y ;
 put.team y, 1 | get.all r1, x ;
exists (1:r0=1 /\\ 1:r1=0)
"""


def observations(program, *arguments):
    """The verdict of each test by every engine."""
    said = set()
    for engine in ("bounded", "naive", "sat"):
        found = cases.run([program, "-engine", engine, *arguments], ".", cases.environment())
        said.add(" ".join(re.findall(r"^Observation \S+ (\w+)", found[1], re.M)) or found[2])
    return " / ".join(sorted(said))


def uses(program, folder):
    """What is tried, what it finds, what it should."""
    def file(name, text):
        (folder / name).write_text(text)
        return str(folder / name)
    new, old = file("either.cat", MODEL % "either-way (rf | co)"), file("plain.cat", MODEL % "(rf | co | (rf | co)^-1)")
    for arguments in (["-q", str(ROOT / "litmus/rsp"), str(ROOT / "litmus/opencl")], ["-minimal", "-events", "3"]):
        found = [re.sub("either|plain", "", cases.run([program, "-model", model, *arguments], ".", cases.environment())[1]) for model in (new, old)]
        yield f"operator: {arguments[0]}", found[0] or "nothing", found[1]
    yield "operator: engines", observations(program, "-model", new, str(ROOT / "litmus/rsp")), \
        observations(program, "-model", old, str(ROOT / "litmus/rsp"))
    model = file("rack.cat", RACK_MODEL)
    for tree, answer in (("(rack (work_group P0) (work_group P1))", "Never"), ("(rack (work_group P0)) (rack (work_group P1))", "Sometimes")):
        yield f"level: {tree}", observations(program, "-model", model, file("rack.litmus", RACK % tree)), answer
    yield "operation", observations(program, file("clear.litmus", CLEAR)), "Always"
    for team, answer in ((0, "Never"), (1, "Sometimes")):
        yield f"language: team {team}", observations(program, file("new.litmus", NEW % team)), answer


# ---- The table ----

def named(rows):
    """The files and folders that the rows tell to change."""
    text = (ROOT / "docs/internals.md").read_text()
    found = set()
    for row in rows:
        [line] = re.findall(rf"^\| {re.escape(row)} \|(.*)\|.*\|$", text, re.M)
        found |= {word for word in re.findall(r"`([\w./-]+)`", line) if "/" in word}
    return found


def apply(folder, changes):
    for path, change in changes.items():
        file = folder / path
        text = change if isinstance(change, str) else file.read_text()
        for before, new in [] if isinstance(change, str) else change:
            at = text.index(before)
            text = text[:at] + new + text[at:]
        file.write_text(text)


def main():
    complaints, passed = [], 0

    def count(what, found, expected):
        nonlocal passed
        passed += found == expected
        if found != expected:
            complaints.append(f"FAIL additions: {what}: expected {expected}, found {found}")

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        tree = folder / "tree"
        listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
        for path in listed:
            if not path.startswith(("litmus/", "tests/", "docs/")) and (ROOT / path).is_file():
                (tree / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / path, tree / path)
        for what, (rows, changes) in ADDITIONS.items():
            apply(tree, changes)
            told = named(rows)
            count(f"{what}: files that change and are not named", [path for path in changes if not told & {path, os.path.dirname(path) + "/"}], [])
            count(f"{what}: files that are named and do not change",
                  [path for path in sorted(told) if not any(other == path or os.path.dirname(other) + "/" == path for other in changes)], [])
        made = subprocess.run(["make", "-s", "-j2", "CFLAGS=-O0", "rspcheck"], cwd=tree, capture_output=True, text=True, check=False)
        count("build", made.stderr[-2000:] if made.returncode else "", "")
        if not made.returncode:
            for use in uses(str(tree / "rspcheck"), folder):
                count(*use)
    print("\n".join(complaints + [f"additions: {passed} passed, {len(complaints)} failed"]))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
