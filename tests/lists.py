#!/usr/bin/env python3
"""Lists of which everything follows: a row that is added alone must not compile, and no list is written twice.

tests/lists.py adds one row to each list, in a copy, and compiles the file that needs to know the new row: the
compiler must refuse it. (docs/cat.md and docs/litmus.md are compared with the lists by scripts/docs.py.)
"""

import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACKAGES = ["glib-2.0", "gobject-2.0", "gio-2.0", "json-glib-1.0"]

# list, after this text, the new row, the files of which one must be refused
ROWS = [
    ("a base set", "model/base_names.def", "/* Kinds of event.", 'RSP_BASE_SET (NEW_ONE, "new-set", "x")\n',
     ["enumerator/base_sets.c"]),
    ("a base relation", "model/base_names.def", "/* Program order and", 'RSP_BASE_RELATION (NEW_ONE, "new-relation", "x")\n',
     ["enumerator/base_relations.c"]),
    ("a derived relation", "model/base_names.def", "/* What the search decides",
     'RSP_BASE_DERIVED (NEW_ONE, RELATION, "new-derived", "x")\n', ["model/stage/predefined/names.c"]),
    ("a function of cat", "model/base_names.def", "/* What the search decides",
     'RSP_BASE_FUNCTION (new_one, "new-function", "s>r", "x")\n', ["model/stage/predefined/functions.c"]),
    ("a scope", "parser/scopes.def", "RSP_LEVEL (DEVICE",
     'RSP_SCOPE (CLUSTER, WORK_GROUP, "cluster", "cluster", "cl", "CL", "wg")\n', ["hardware/target.c"]),
    ("a level of the scope tree", "parser/scopes.def", "RSP_LEVEL (KERNEL",
     'RSP_LEVEL (CLUSTER, CL, "cluster", "cluster", "cl", APART, SHARED, IF_NEEDED)\n', ["synth/programs/name.c"]),
    ("an atomic operation", "parser/litmus/words.def", 'CALL ("atomic_load"',
     'CALL ("atomic_fetch_nand", "fetch_nand", FETCH, NAND, FALSE, "pv", "pvo[s]")\n', ["parser/litmus/words.c"]),
    ("a kind of axiom", "public/rspcheck-enums.h", "  RSPCHECK_AXIOM_ACYCLIC,", "  RSPCHECK_AXIOM_NEW,\n",
     ["model/stage/stage.c", "model/names.c"]),
    ("an option", "cli/options/option_table.c", '  SWITCH ("q"', '  SWITCH ("new", CLI_OUTPUT, new_option, "x"),\n',
     ["cli/options/option_table.c"]),
]


def flags():
    return subprocess.run(["pkg-config", "--cflags", *PACKAGES], capture_output=True, text=True).stdout.split()


def compiles(folder, path, build):
    """Does a file compile with the copied list in place of the original?"""
    copy = os.path.join(folder, path)
    source = copy if os.path.exists(copy) else os.path.join(ROOT, path)
    return subprocess.run(
        ["cc", "-std=c11", "-D_GNU_SOURCE", "-DRSP_VERSION=\"0\"", "-DRSP_CAT_DIR=\"\"", "-I", folder, "-I", ROOT, "-I", ROOT + "/api",
         "-I", build, "-I", build + "/generated", "-Wall", "-Wextra", "-Werror", "-Wno-missing-field-initializers", "-fsyntax-only", *flags(), source],
        capture_output=True).returncode == 0


def main():
    build = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else ROOT + "/build"
    passed = failed = 0
    for what, path, before, row, users in ROWS:
        with tempfile.TemporaryDirectory() as folder:
            copy = os.path.join(folder, path)
            os.makedirs(os.path.dirname(copy))
            with open(os.path.join(ROOT, path), encoding="utf-8") as file:
                text = file.read()
            at = text.index(before)
            for with_row in (False, True):
                with open(copy, "w", encoding="utf-8") as file:
                    file.write(text[:at] + (row if with_row else "") + text[at:])
                if all(compiles(folder, user, build) != with_row for user in users):
                    passed += 1
                else:
                    failed += 1
                    print(f"FAIL lists: {what}: {path} {'with a row more compiles' if with_row else 'as it is does not compile'}: {' '.join(users)}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
