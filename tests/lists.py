#!/usr/bin/env python3
"""Lists from which everything follows: a row that is added alone must not compile, and no list is written twice.

tests/lists.py adds one row to each list, in a copy, and compiles the files that need to know the new row: the
compiler must refuse every one of them. Every token of a grammar must occur in one of its rules. (docs/cat.md and
docs/litmus.md are compared with the lists by scripts/docs.py.)

    tests/lists.py [BUILD]
"""

import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACKAGES = ["glib-2.0", "gio-2.0"]

# what, its list, the text before which the new row goes, the row, the files that must be refused
ROWS = [
    ("a base set", "model/base_names.def", "/* Kinds of event.", 'RSP_BASE_SET (NEW_ONE, "new-set", "x")\n',
     ["enumerator/execution.c"]),
    ("a base relation", "model/base_names.def", "/* Program order and", 'RSP_BASE_RELATION (NEW_ONE, "new-relation", "x")\n',
     ["enumerator/execution.c"]),
    ("a derived relation", "model/base_names.def", "/* Decided by the search",
     'RSP_BASE_DERIVED (NEW_ONE, RELATION, "new-derived", "x")\n', ["model/stage/predefined.c"]),
    ("a function of cat", "model/base_names.def", "/* Decided by the search",
     'RSP_BASE_FUNCTION (new_one, "new-function", "s>r", "x")\n', ["model/stage/predefined.c"]),
    ("a scope", "parser/scopes.def", "RSP_LEVEL (DEVICE",
     'RSP_SCOPE (CLUSTER, WORK_GROUP, "cluster", "cluster", "cl", "CL", "wg")\n', ["extra/hardware/target.c"]),
    ("a level of the scope tree", "parser/scopes.def", "RSP_LEVEL (KERNEL",
     'RSP_LEVEL (CLUSTER, CL, "cluster", "cluster", "cl", APART, SHARED, IF_NEEDED)\n', ["extra/synth/print.c"]),
    ("a language", "parser/languages.def", "RSP_LANGUAGE_LEVEL (PTX, WORK_GROUP",
     'RSP_LANGUAGE (NEW, .word = "New", .default_model = "new.cat")\n', ["extra/synth/space.c"]),
    ("an atomic operation", "parser/litmus/words.def", 'CALL ("atomic_load"',
     'CALL ("atomic_fetch_nand", "fetch_nand", FETCH, NAND, FALSE, "pv", "pvo[s]")\n', ["parser/litmus/words.c"]),
    ("an atomic operation on devices", "parser/litmus/words.def", 'CALL ("atomic_load"',
     'CALL ("atomic_fetch_mul", "fetch_mul", FETCH, MUL, FALSE, "pv", "pvo[s]")\n', ["extra/hardware/target.c"]),
    ("an atomic operation of a new kind", "parser/program.h", "  RSP_CALL_INIT", "  RSP_CALL_NEW,\n",
     ["parser/c/calls.c", "enumerator/paths/call.c", "extra/hardware/emit.c", "extra/edits/sites.c"]),
    ("an operator of the DAG", "model/dag/operators.def", "RSP_OPERATOR (DOMAIN",
     "RSP_OPERATOR (NEW, rsp_matrix_assign (out, a), .arity = 1)\n",
     ["model/bounds/ops_1.c", "model/bounds/propagate.c", "model/warn/possible.c", "extra/synth/code.c", "enumerator/sat/relations.c",
      "enumerator/search/paths.c"]),
    ("an operator", "parser/program.h", "  RSP_OP_MIN", "  RSP_OP_NEW,\n",
     ["parser/program.c", "enumerator/terms/term.c"]),
    ("a kind of axiom", "public/rspcheck-enums.h", "  RSPCHECK_AXIOM_ACYCLIC,", "  RSPCHECK_AXIOM_NEW,\n",
     ["model/model.c"]),
    ("a kind of axiom's word", "public/axiom_kinds.def", "RSP_AXIOM_KIND (EMPTY",
     'RSP_AXIOM_KIND (NEW, "new", FALSE, TRUE, FALSE)\n', ["model/model.c", "lexer/cat_words.c"]),
    ("a role of axioms", "public/rspcheck-enums.h", "  RSPCHECK_ROLE_FLAG,", "  RSPCHECK_ROLE_NEW,\n", ["model/bounds/axioms.c"]),
    ("a value of an option", "public/rspcheck-enums.h", "  RSPCHECK_SHOW_NONE,", "  RSPCHECK_SHOW_NEW,\n", ["enumerator/outcome.c"]),
    ("a reason to stop", "public/rspcheck-enums.h", "  RSPCHECK_STOP_FOUND,", "  RSPCHECK_STOP_NEW,\n",
     ["report/record.c", "explain/explain.c"]),
    ("an answer", "public/rspcheck-enums.h", "  RSPCHECK_ANSWER_ALLOWED,", "  RSPCHECK_ANSWER_NEW,\n", ["report/explain.c"]),
    ("a keyword of cat", "lexer/cat_words.def", 'WORD ("let"', 'WORD ("new", NEW, TRUE, ANYWHERE)\n', ["lexer/cat_words.c"]),
    ("a keyword of litmus tests", "lexer/c_words.def", 'WORD ("if"', 'WORD ("new", NEW, IN_BODY)\n',
     ["generated/lexer/c.c"]),
    ("a kind of member of records", "report/json.c", "  TEXT,", "  NEW,\n", ["report/json.c"]),
    ("a condition for members of records", "report/json.c", "  IF_SET,", "  IF_NEW,\n", ["report/json.c"]),
    ("an option", "cli/option_table.c", '  SWITCH ("q"', '  SWITCH ("new", CLI_OUTPUT, new_option, "x"),\n',
     ["cli/option_table.c"]),
]


# Tokens that stand only in messages: what was found where something else was expected.
IN_MESSAGES = {"END_OF_LINE", "FOREIGN", "SIGN", "YYEOF"}


def flags():
    return subprocess.run(["pkg-config", "--cflags", *PACKAGES], capture_output=True, text=True).stdout.split()


def compiles(folder, path, build):
    """Does a file compile with the copied list in place of the original?"""
    copy = os.path.join(folder, path)
    source = copy if os.path.exists(copy) else os.path.join(build if path.startswith("generated/") else ROOT, path)
    return subprocess.run(
        ["cc", "-std=c11", "-D_GNU_SOURCE", "-DRSP_VERSION=\"0\"", "-DRSP_CAT_DIR=\"\"", "-I", folder, "-I", ROOT, "-I", ROOT + "/api",
         "-I", folder + "/public", "-I", ROOT + "/public", "-I", build, "-I", build + "/generated", "-Wall", "-Wextra", "-Werror",
         "-Wno-missing-field-initializers", "-fsyntax-only", *flags(), source],
        capture_output=True).returncode == 0


def unused_tokens(grammar):
    """The tokens that no rule of a grammar uses."""
    with open(f"{ROOT}/{grammar}/grammar.y", encoding="utf-8") as file:
        declared, rules = file.read().split("\n%%\n")[:2]
    lines = " ".join(re.findall(r"^%token (.*)", declared, flags=re.M))
    tokens = re.findall(r"[A-Z][A-Z_]+", re.sub(r'"[^"]*"|/\*.*?\*/|<\w+>', " ", lines))
    return [token for token in tokens if token not in IN_MESSAGES and not re.search(rf"(?<!_)\b{token}\b", rules)]


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
                for user in users:
                    if compiles(folder, user, build) != with_row:
                        passed += 1
                    else:
                        failed += 1
                        print(f"FAIL lists: {what}: {user} {'compiles with one more row' if with_row else 'does not compile'} in {path}")
    for grammar in ("parser/cat", "parser/c", "parser/map", "extra/dsom"):
        unused = unused_tokens(grammar)
        passed += not unused
        failed += bool(unused)
        if unused:
            print(f"FAIL lists: no rule of {grammar}/grammar.y uses {' '.join(unused)}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
