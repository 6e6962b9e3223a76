"""What the words of PTX's and Vulkan's instructions say (docs/litmus.md, "PTX and Vulkan tests")."""

from collections import namedtuple

# kind: load, store, fetch (with a register), reduce, fence, barrier; tags of the event, and of the half of a
# read-modify-write that writes; level: the scope (dev …), "all" or None; sign: of a read-modify-write, or "cas",
# "exchange".
Instruction = namedtuple("Instruction", "kind tags write_tags level sign arrives")

SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "and": "&", "or": "|", "xor": "^", "exch": "exchange",
         "cas": "cas"}
PTX_FORMS = {"ld": ("load", "GEN"), "tld": ("load", "TEX"), "suld": ("load", "SUR"), "cold": ("load", "CON"),
             "st": ("store", "GEN"), "sust": ("store", "SUR"), "atom": ("fetch", "GEN"), "suatom": ("fetch", "SUR"),
             "red": ("reduce", "GEN"), "sured": ("reduce", "SUR"), "fence": ("fence", None), "bar": ("barrier", None),
             "barrier": ("barrier", None)}
PTX_SCOPES = {"cta": ("CTA", "wg"), "gpu": ("GPU", "dev"), "sys": ("SYS", "all")}
PTX_PROXIES = {"generic": "GEN", "texture": "TEX", "surface": "SUR", "constant": "CON", "alias": "ALIAS"}
VULKAN_FORMS = {"ld": "load", "st": "store", "rmw": "fetch", "membar": "fence", "cbar": "barrier",
                "avdevice": "fence", "visdevice": "fence"}
VULKAN_SCOPES = {"sg": ("SG", "sg"), "wg": ("WG", "wg"), "qf": ("QF", "kernel"), "dv": ("DV", "dev")}
TAGS = {"PTX": "ACQ REL RLX ACQ_REL SC WEAK CTA GPU SYS GEN TEX SUR CON ALIAS ARRIVE".split(),
        "VULKAN": ("ACQ REL ATOM NONPRIV AV VIS SEMAV SEMVIS SC0 SC1 SC2 SC3 SEMSC0 SEMSC1 SEMSC2 SEMSC3 CBAR "
                   "AVDEVICE VISDEVICE SG WG QF DV").split()}


def instruction(language, word):
    head, *rest = word.split(".")
    return (ptx if language == "PTX" else vulkan)(head, rest)


def sign_of(rest):
    return next((SIGNS[suffix] for suffix in rest if suffix in SIGNS), "exchange")


def scope_of(scopes, rest):
    """(tags, level)"""
    for suffix in rest:
        if suffix in scopes:
            tag, level = scopes[suffix]
            return {tag}, level
    return set(), None


def ptx(head, rest):
    kind, proxy = PTX_FORMS[head]
    tags, level = scope_of(PTX_SCOPES, rest)
    if kind == "fence" and rest[0] == "proxy":
        tags, proxy = set(), PTX_PROXIES[rest[1]]
    elif kind == "fence":
        tags, proxy = tags | {"ACQ_REL"} | ({"SC"} if rest[0] == "sc" else set()), "GEN"
    if kind == "barrier":
        arrives = "arrive" in rest
        return Instruction(kind, {"CTA"} | ({"ARRIVE"} if arrives else set()), None, "wg", None, arrives)
    both = tags | {proxy}
    acquires, releases = {"acquire", "acq_rel"} & set(rest), {"release", "acq_rel"} & set(rest)
    if kind in ("fetch", "reduce"):
        return Instruction(kind, both | {"ACQ" if acquires else "RLX"}, both | {"REL" if releases else "RLX"}, level,
                           sign_of(rest), False)
    if kind != "fence":
        order = "ACQ" if acquires else "REL" if releases else "RLX" if "relaxed" in rest else "WEAK"
        both = both | {order}
    return Instruction(kind, both, None, level, None, False)


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
