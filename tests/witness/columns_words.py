"""What the words of PTX's, Vulkan's and AMDGPU's instructions say (docs/litmus.md, "PTX and Vulkan tests" and after)."""

from collections import namedtuple

from c_types import Unsupported

# kind: load, store, fetch (with a register), reduce, fence, barrier, warp, mbarrier, copy, group, wait (its sign: "all", "read" or None); tags of the event, and of the half of a
# read-modify-write that writes; level: the scope (dev …), "all" or None; sign: of a read-modify-write, or "cas",
# "exchange". failing_tags: of a compare-and-swap that fails and only reads; None: it writes back what it read.
Instruction = namedtuple("Instruction", "kind tags write_tags level sign arrives failing_tags", defaults=(None,))

SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "and": "&", "or": "|", "xor": "^", "exch": "exchange",
         "cas": "cas"}
PTX_FORMS = {"ld": ("load", "GEN"), "tld": ("load", "TEX"), "suld": ("load", "SUR"), "cold": ("load", "CON"), "tmld": ("load", "TENSORMAP"),
             "st": ("store", "GEN"), "sust": ("store", "SUR"), "atom": ("fetch", "GEN"), "suatom": ("fetch", "SUR"),
             "red": ("reduce", "GEN"), "sured": ("reduce", "SUR"), "fence": ("fence", None), "membar": ("fence", None), "bar": ("barrier", None),
             "barrier": ("barrier", None), "mbarrier": ("mbarrier", "GEN")}
PTX_SCOPES = {"cta": ("CTA", "wg"), "cluster": ("CLUSTER", "kernel"), "gpu": ("GPU", "dev"), "gl": ("GPU", "dev"), "sys": ("SYS", "all")}
MBARRIER = "init inval arrive arrive_drop expect_tx complete_tx test_wait try_wait parity pending_count".split()
PTX_FENCES = {"acquire": {"ACQ"}, "release": {"REL"}, "acq_rel": {"ACQ_REL"}, "sc": {"ACQ_REL", "SC"}}
PTX_PROXIES = {"generic": "GEN", "texture": "TEX", "surface": "SUR", "constant": "CON", "alias": "ALIAS"}
PTX_SPACES = {"global": "GLOBALMEM", "shared": "SHAREDMEM", "shared::cta": "SHAREDMEM", "shared::cluster": "SHAREDMEM"}
VULKAN_FORMS = {"ld": "load", "st": "store", "rmw": "fetch", "membar": "fence", "cbar": "barrier",
                "avdevice": "fence", "visdevice": "fence"}
VULKAN_SCOPES = {"sg": ("SG", "sg"), "wg": ("WG", "wg"), "qf": ("QF", "kernel"), "dv": ("DV", "dev")}
TAGS = {"PTX": ("ACQ REL RLX ACQ_REL SC WEAK CTA CLUSTER GPU SYS GEN TEX SUR CON ALIAS ARRIVE "
                "ASYNC TENSORMAP GLOBALMEM SHAREDMEM PROXYACQ PROXYREL COPY GROUP DONE "
                "MBAR MBINIT COMPLETES PASSES UNDEF").split(),
        "VULKAN": ("ACQ REL ATOM NONPRIV AV VIS SEMAV SEMVIS SC0 SC1 SC2 SC3 SEMSC0 SEMSC1 SEMSC2 SEMSC3 CBAR "
                   "AVDEVICE VISDEVICE SG WG QF DV").split(),
        "AMDGPU": "ACQ REL SC ATOM AV VIS SEMAV SEMVIS CBAR WV WG CL AG SYS USED ANYVALUE".split()}
AMDGPU_FORMS = {"load": "load", "store": "store", "rmw": "fetch", "cmpxchg": "fetch", "fence": "fence",
                "barrier": "barrier"}
AMDGPU_SCOPES = {"singlethread": (None, None), "wavefront": ("WV", "sg"), "workgroup": ("WG", "wg"),
                 "cluster": ("CL", "kernel"), "agent": ("AG", "dev"), "system": ("SYS", "all")}
AMDGPU_ORDERS = {"monotonic": "", "acquire": "ACQ", "release": "REL", "acq_rel": "ACQ REL", "seq_cst": "ACQ REL SC"}


def instruction(language, word):
    head, *rest = word.split(".")
    return {"PTX": ptx, "VULKAN": vulkan, "AMDGPU": amdgpu}[language](head, rest)


def sign_of(rest):
    return next((SIGNS[suffix] for suffix in rest if suffix in SIGNS), "exchange")


def scope_of(scopes, rest):
    """(tags, level)"""
    for suffix in rest:
        if suffix in scopes:
            tag, level = scopes[suffix]
            return {tag}, level
    return set(), None


def asynchronous(rest, reduces):
    """cp.async…, cp.reduce.async.bulk…"""
    if any(word.startswith("mbarrier") for word in rest):
        raise Unsupported("a copy that completes at an mbarrier")
    bulk = "bulk" in rest
    proxy, own = ({"ASYNC"}, {"COPY"}) if bulk else ({"GEN"}, {"COPY", "GROUP"})
    if "commit_group" in rest:
        return Instruction("group", proxy | {"GROUP"}, None, None, None, False)
    if {"wait_group", "wait_all"} & set(rest):
        how = "all" if "wait_all" in rest else "read" if "read" in rest else None
        return Instruction("wait", proxy | ({"DONE"} if bulk else set()), None, None, how, False)
    into, source = [{PTX_SPACES[word]} for word in rest if word in PTX_SPACES]
    own |= proxy | ({"GROUP"} if "bulk_group" in rest else set())
    written = {"RLX", "GPU"} if reduces else {"WEAK"}
    return Instruction("copy", own | source | {"WEAK"}, own | into | written, "dev" if reduces else None,
                       sign_of(rest) if reduces else None, False)


def proxy_fence(rest):
    """fence.proxy…: to another proxy and back, or one way."""
    tags, level = scope_of(PTX_SCOPES, rest)
    to, _, one_way = rest[1].partition("::")
    if one_way:
        tags |= {to.upper(), "PROXYACQ" if "acquire" in rest else "PROXYREL"}
    elif to == "async":
        tags |= {"ASYNC"} | ({PTX_SPACES[rest[2]]} if rest[2:] else {"GLOBALMEM", "SHAREDMEM"})
    else:
        tags |= {PTX_PROXIES[to]}
    return Instruction("fence", tags, None, level, None, False)


def ptx(head, rest):
    if head == "cp":
        return asynchronous(rest, rest[0] == "reduce")
    kind, proxy = PTX_FORMS[head]
    tags, level = scope_of(PTX_SCOPES, rest)
    if kind == "fence" and rest[0] == "mbarrier_init":
        return Instruction(kind, {"GEN", "MBINIT", "CLUSTER"}, None, level, None, False)
    if kind == "fence" and rest[0] == "proxy":
        return proxy_fence(rest)
    if kind == "fence":
        order = "sc" if head == "membar" else next((word for word in rest if word in PTX_FENCES), "acq_rel")
        tags, proxy = tags | PTX_FENCES[order], "GEN"
    elif kind == "mbarrier":
        return mbarrier(rest, tags or {"CTA"}, level or "wg")
    if kind == "barrier" and "red" in rest:
        raise Unsupported("a barrier that reduces")
    if kind == "barrier":
        arrives = "arrive" in rest
        if "cluster" in rest:
            order = "RLX" if "relaxed" in rest else "REL" if arrives else "ACQ"
            return Instruction(kind, {"CLUSTER", order} | ({"ARRIVE"} if arrives else set()), None, "kernel", None, arrives)
        if "warp" in rest:
            return Instruction("warp", {"CTA"}, None, "wg", None, False)
        return Instruction(kind, {"CTA"} | ({"ARRIVE"} if arrives else set()), None, "wg", None, arrives)
    both = tags | {proxy}
    acquires, releases = {"acquire", "acq_rel"} & set(rest), {"release", "acq_rel"} & set(rest)
    if kind in ("fetch", "reduce"):
        return Instruction(kind, both | {"ACQ" if acquires else "RLX"}, both | {"REL" if releases else "RLX"}, level,
                           sign_of(rest), False)
    if kind != "fence":
        order = "ACQ" if acquires else "REL" if releases else "RLX" if "relaxed" in rest else "WEAK"
        if "volatile" in rest:
            order, both, level = "RLX", both | {"SYS"}, "all"
        both = both | {order}
    return Instruction(kind, both, None, level, None, False)


def mbarrier(rest, scope, level):
    """sign: all that says what is done; an operation without an order arrives with a release, tests with an acquire."""
    sign = "+".join(word for word in rest if word in MBARRIER)
    both, tests = {"GEN", "MBAR"} | scope, "wait" in sign
    if "in" in sign[:2]:
        return Instruction("mbarrier", {"GEN", "MBAR", "MBINIT", "WEAK"}, None, None, sign, False)
    relaxed = "relaxed" in rest or not (tests or "arrive" in sign)
    read = both | {"ACQ" if tests and not relaxed else "RLX"}
    return Instruction("mbarrier", read, both | {"RLX" if relaxed else "REL"}, level, sign, False, both | {"RLX"})


def vulkan(head, rest):
    kind = VULKAN_FORMS[head]
    reads, writes = {"VIS", "ACQ", "SEMVIS"}, {"AV", "REL", "SEMAV"}
    scope, level = scope_of(VULKAN_SCOPES, rest)
    given = scope | {suffix.upper() for suffix in rest if suffix.upper() in TAGS["VULKAN"]}
    given |= {"ACQ", "REL"} if "acq_rel" in rest else set()
    given |= {"CBAR"} if kind == "barrier" else {head.upper()} if head.endswith("device") else set()
    if "atom" in rest:
        given |= {"ATOM", "VIS", "AV"}
    if {"atom", "vis", "av"} & set(rest):
        given |= {"NONPRIV"}
    if kind == "fetch":
        return Instruction(kind, given - writes, given - reads, level, sign_of(rest), False)
    unwanted = writes if kind == "load" else reads if kind == "store" else set()
    return Instruction(kind, given - unwanted, None, level, None, False)


def amdgpu(head, rest):
    kind = AMDGPU_FORMS[head]
    if kind == "barrier":
        return Instruction(kind, {"CBAR", "WG"}, None, "wg", None, False)
    orders = [set(AMDGPU_ORDERS[word].split()) for word in rest if word in AMDGPU_ORDERS]
    made = {"ACQ": "SEMVIS", "REL": "SEMAV"} if "noav" not in rest else {}
    orders = [order | {made[tag] for tag in order if tag in made} for order in orders]
    plain = kind in ("load", "store") and not {"atomic", "av", "volatile"} & set(rest)
    tag, level = (None, None) if plain else next((AMDGPU_SCOPES[w] for w in rest if w in AMDGPU_SCOPES), ("SYS", "all"))
    both = ({tag} if tag else set()) | ({"ATOM"} if orders and kind != "fence" else set())
    reads, writes = {"ACQ", "SEMVIS", "VIS"}, {"REL", "SEMAV", "AV"}
    if kind == "fence":
        return Instruction(kind, both | orders[0], None, level, None, False)
    read, write = ((both | orders[0] | {"VIS", "AV"}) - without if orders else both | {"VIS", "AV"} - without
                   for without in (writes, reads))
    if kind == "fetch":
        failing = (both | orders[1] | {"VIS"}) - writes if head == "cmpxchg" else None
        if {"min", "max"} & set(rest):
            raise Unsupported("the smaller or larger of two values")
        sign = "cas" if failing else sign_of(rest)
        return Instruction(kind, read, write, level, sign, False, failing)
    return Instruction(kind, set() if plain else read if kind == "load" else write, None, level, None, False)
