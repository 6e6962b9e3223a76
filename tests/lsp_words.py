"""Cases of tests/lsp.py: words and names of tests, kernels and mappings."""

from lsp_client import Client, case, equal


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
