"""Cases of tests/lsp.py: words and names of tests, kernels and mappings."""

import pathlib
import tempfile

from cases import equal
from lsp_client import ROOT, Client, case, uri_of


@case
def words(program):
    """what may stand in tests, kernels and mappings; orders and scopes where they fit"""
    def offered(name, text):
        client.open(name, text)
        line = text.count("\n")
        return {item["label"] for item in client.at("completion", name, line, len(text.split("\n")[-1]))}

    with Client(program) as client:
        call = "OpenCL T\n{ x=0; }\nP0 (global atomic_int* x) {\n  atomic_store_explicit (x, "
        found = offered("a.litmus", call)
        equal(({"atomic_int", "memory_order_release", "memory_scope_device", "exists"} - found, {"ld", "get_local_id"} & found), (set(), set()))
        found = offered("b.litmus", call + "f (1, 2), memory_order_r")
        equal(({"memory_order_release", "mo_rel"} <= found, {"memory_scope_device", "atomic_int"} & found), (True, set()))
        found = offered("c.litmus", call + "1, memory_order_release, ")
        equal(("memory_scope_device" in found, {"memory_order_release", "x"} & found), (True, set()))
        found = offered("a.cl", "kernel void f (global int *x) { ")
        equal(({"get_local_id", "atomic_load", "for"} - found, {"exists", "scopeTree"} & found), (set(), set()))
        table = "PTX T\n{ x=0; }\n P0@cta 0, gpu 0 | P1@cta 0, gpu 0 ;\n st.weak x, 1 | "
        equal({"ld", "fence"} <= offered("p.litmus", table), True)
        found = offered("q.litmus", table + "ld.acquire.g")
        equal(({"gpu", "acquire", "weak"} - found, {"release", "sc", "add", "ld"} & found), (set(), set()))
        found = offered("r.litmus", table.replace("PTX", "VULKAN") + "rmw.")
        equal({"add", "dv", "acq_rel"} - found, set())
        equal({"load", "fence", "acq_rel", "remote"} - offered("a.map", 'mapping "a"\n'), set())


@case
def meanings(program):
    """operations in tests and kernels, words of mappings: parameters, hover; names of tests get others"""
    with Client(program) as client:
        test = "OpenCL T\n{ x=0; }\nP0 (global atomic_int* x) {\n  int r0 = atomic_load (x);\n  atomic_store_explicit (x, 1, mo_rel);\n}\nexists (0:r0=1)\n"
        client.open("t.litmus", test)
        found = client.at("signatureHelp", "t.litmus", 4, 30)
        equal((found["activeParameter"], found["signatures"][0]["label"]), (2, "atomic_store_explicit (object, value, order, scope)"))
        edits = client.at("rename", "t.litmus", 3, 7, newName="got")["changes"]["t.litmus"]
        equal([tuple(edit["range"]["start"].values()) for edit in edits], [(3, 6), (6, 10)])
        for at, name, message in (((3, 7), "x", "`x` already means something here"), ((3, 7), "if", "`if` cannot be its name"),
                                  ((3, 7), "a b", "`a b` cannot be its name"), ((3, 13), "y", "there is no name here that the test declares")):
            equal(client.at("rename", "t.litmus", *at, newName=name)["message"], message)
        client.open("k.cl", "kernel void k (global atomic_int *x)\n{\n  atomic_fetch_add (x, 1);\n}\n")
        hover = lambda uri, *at: client.at("hover", uri, *at)["contents"]["value"]
        equal(hover("k.cl", 2, 5), "atomic_fetch_add (object, value)")
        equal(client.at("signatureHelp", "k.cl", 2, 23)["activeParameter"], 1)
        equal(len(client.at("references", "k.cl", 2, 20)), 2)
        equal([(one["startLine"], one["endLine"]) for one in client.ask("textDocument/foldingRange", {"textDocument": {"uri": "k.cl"}})["result"]], [(1, 3)])
        client.open("m.map", 'mapping "m"\nload acq : load; invalidate\n')
        equal(hover("m.map", 1, 6), "memory_order_acquire, and a barrier's exit")
        equal(client.at("hover", "m.map", 1, 20), None)


KERNEL = """#include "types.h"
#define LAST(i) (n - 1 == (i))
enum state { IDLE, BUSY = 3 };
typedef struct node { int next, place; } node;
static int next (int n);
__constant int heads[2] = { 0, 1 }, tails[2];
/* #define next nothing: next */
static int next (int n)
{
  for (int i = 0; i < n; i++)
    if (i == IDLE) n++; else n--;
  return n + heads[0];
}
kernel void walk (global node *all, const index i, local int *n)
{
  node node = all[i], *p = &node;
  {
    index n = next (p->next);
    all[i].next = LAST (n) ? n : node.place;
  }
  *n = tails[BUSY];
}
//@ assert all[0].next == 1
"""


def place(text, words, at=0):
    """Line and character, from 0, of the n-th `words`."""
    for _ in range(at + 1):
        offset = text.index(words, offset + 1 if _ else 0)
    return text.count("\n", 0, offset), offset - text.rfind("\n", 0, offset) - 1


@case
def kernel_names(program):
    """names of kernels: each has its scope; macros, members, tags, and what a header declares"""
    with tempfile.TemporaryDirectory() as folder, Client(program) as client:
        header = pathlib.Path(folder) / "types.h"
        header.write_text("typedef int index;\n")
        uri = uri_of(f"{folder}/k.cl")
        client.open(uri, KERNEL)
        equal([one["message"] for one in client.settle()[uri]], [])

        def lines(method, words, at=0, **more):
            found = client.at(method, uri, *place(KERNEL, words, at), **more)
            found = found["changes"][uri] if method == "rename" else found
            return [one["range"]["start"]["line"] for one in found]
        equal(lines("references", "next (int"), [4, 7, 17])  # the function
        equal(lines("references", "next,"), [3, 17, 18, 22])  # the member; also of the assertion
        equal(lines("references", "node {"), [3])  # the tag
        equal(lines("references", "node;"), [3, 13, 15])  # the type
        equal(lines("references", "node = "), [15, 15, 18])  # the variable
        equal(lines("references", "n)\n{"), [7, 9, 10, 10, 11])
        equal(lines("references", "n)\n{", 1), [13, 20])
        equal(lines("references", "n = next"), [17, 18, 18])
        equal(lines("references", "i = 0"), [9, 9, 9, 10])
        equal(lines("references", "i)"), [1, 1])
        equal(lines("references", "all"), [13, 15, 18, 22])
        equal(lines("rename", "tails", newName="ends"), [5, 20])
        equal(lines("rename", "BUSY", newName="AWAKE"), [2, 20])
        definition = lambda words, at=0: (lambda one: (one["uri"].rsplit("/", 1)[1], one["range"]["start"]["line"]))(client.at("definition", uri, *place(KERNEL, words, at)))
        equal([definition("next (p"), definition("LAST (n"), definition("index n"), definition("types.h")], [("k.cl", 7), ("k.cl", 1), ("types.h", 0), ("types.h", 0)])
        equal(client.at("hover", uri, *place(KERNEL, "heads[0]"))["contents"]["value"].split("\n")[1:],
              ["__constant int heads[2] = { 0, 1 }, tails[2];", "```", "`heads` is a variable, declared in k.cl, line 6"])
        for words, name, message in (("index n", "x", "`index` is declared in types.h"), ("tails", "walk", "`walk` already means something here"), ("tails", "int", "`int` already means something here"),
                                     ("tails", "float", "`float` cannot be its name"), ("tails", "1a", "`1a` cannot be its name"), ("return", "x", "there is no name here that the kernel declares")):
            equal(client.at("rename", uri, *place(KERNEL, words), newName=name)["message"], message)
        symbols = client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})["result"]
        equal([(one["name"], one["range"]["end"]["line"]) for one in symbols],
              [("LAST", 1), ("state", 2), ("IDLE", 2), ("BUSY", 2), ("node", 3), ("node", 3), ("next", 12), ("heads", 5), ("tails", 5), ("walk", 21)])
        offered = {item["label"] for item in client.at("completion", uri, *place(KERNEL, "*n = "))}
        equal(({"all", "p", "next", "index", "get_local_id"} - offered, {"exists", "i"} & offered), (set(), {"i"}))


@case
def broken_kernels(program):
    """names of kernels with errors, and of ones that are nothing but brackets"""
    with Client(program) as client:
        client.open("a.cl", "kernel void f (global int *x)\n{\n  int a = x[0] +;\n  if (a\n  x[1] = a;\n")
        equal([one["range"]["start"]["line"] for one in client.at("references", "a.cl", 2, 6)], [2, 3, 4])
        for text in ("{" * 50000, "(" * 50000, "if (" * 50000, "struct {" * 50000, "for (int i; ; ) " * 5000, "#define f(\n#include \"a.cl\"\n#", "enum { A, ", "\0", "int x, \\", "int x; /* open", "char *x = \"open", "int x = 'o"):
            client.open("a.cl", text)
            equal(client.at("definition", "a.cl", 0, 0), None)


@case
def renamed_kernels(program):
    """a shipped kernel in which each name has another one has no errors"""
    with Client(program) as client:
        for path in sorted((ROOT / "litmus/kernels").glob("[n-p]*.cl")):
            text, done = path.read_text(), 0
            uri = uri_of(path)
            client.open(uri, text)
            for at, one in enumerate(client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})["result"]):
                answer = client.at("rename", uri, *one["selectionRange"]["start"].values(), newName=f"new_{at}")
                done += len(answer["changes"][uri])
            equal((path.name, done > 0), (path.name, True))


@case
def mappings(program):
    """mappings: an included file is found, as the editor has it; rows are symbols; the name can be another one"""
    with tempfile.TemporaryDirectory() as folder, Client(program) as client:
        base, uri = uri_of(f"{folder}/base.map"), uri_of(f"{folder}/m.map")
        text = 'mapping "mine"\ninclude "base.map"\nload acq : LD; INV L1 own\nstore : ST\n'
        client.open(uri, text)
        equal([one["message"] for one in client.settle()[uri]], ["no such mapping: `base.map`"])
        (pathlib.Path(folder) / "base.map").write_text("rmw : RMW\n")
        client.open(base, "rmw : RMV\n")
        equal(len(client.settle()[uri]), 1)
        client.change(base, {"text": "rmw : RMW\n"})
        equal(client.settle()[uri], [])
        equal(client.at("definition", uri, 1, 12)["uri"], base)
        equal(client.at("definition", uri, 2, 1), None)
        equal([one["name"] for one in client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})["result"]], ["load acq", "store"])
        [edit] = client.at("rename", uri, 0, 10, newName="yours")["changes"][uri]
        equal((edit["range"]["start"]["character"], edit["range"]["end"]["character"]), (9, 13))
        equal(client.at("rename", uri, 2, 1, newName="x")["message"], "only the mapping's own name can be another one")
