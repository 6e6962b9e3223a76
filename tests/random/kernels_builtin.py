"""OpenCL's built-in integer functions for clang, by their description in the standard, for kernels_compare.py."""

TYPES = {"char": (8, 1), "uchar": (8, 0), "short": (16, 1), "ushort": (16, 0), "int": (32, 1), "uint": (32, 0),
         "long": (64, 1), "ulong": (64, 0)}  # bits; signed?
UNSIGNED = {t: t if t[0] == "u" else "u" + t for t in TYPES}

# T: a type, U: its unsigned one, B: its bits. All are calculated in 128 bits.
FUNCTIONS = """
OVER T min (T a, T b) { return a < b ? a : b; }
OVER T max (T a, T b) { return a < b ? b : a; }
OVER T clamp (T a, T b, T c) { return min (max (a, b), c); }
OVER U abs (T a) { wide w = a; return w < 0 ? -w : w; }
OVER U abs_diff (T a, T b) { wide w = (wide) a - b; return w < 0 ? -w : w; }
OVER T add_sat (T a, T b) { wide w = (wide) a + b; return SATURATE; }
OVER T sub_sat (T a, T b) { wide w = (wide) a - b; return SATURATE; }
OVER T hadd (T a, T b) { return ((wide) a + b) >> 1; }
OVER T rhadd (T a, T b) { return ((wide) a + b + 1) >> 1; }
OVER T mul_hi (T a, T b) { return MULTIPLIED >> B; }
OVER T mad_hi (T a, T b, T c) { return mul_hi (a, b) + c; }
OVER T rotate (T a, T b) { uint n = (U) b % B; return n ? (U) a << n | (U) a >> (B - n) : a; }
OVER T popcount (T a) { T n = 0; for (int i = 0; i < B; i++) n += ((U) a >> i) & 1; return n; }
OVER T clz (T a) { T n = 0; for (int i = B - 1; i >= 0 && !(((U) a >> i) & 1); i--) n++; return n; }
OVER T ctz (T a) { T n = 0; for (int i = 0; i < (B) && !(((U) a >> i) & 1); i++) n++; return n; }
OVER T bitselect (T a, T b, T c) { return (a & ~c) | (b & c); }
OVER T select (T a, T b, T c) { return c ? b : a; }
OVER T select (T a, T b, OTHER c) { return c ? b : a; }
"""
MAD_SAT = "OVER T mad_sat (T a, T b, T c) { wide w = MULTIPLIED + c; return SATURATE; }\n"
MAD_SAT_ULONG = "OVER ulong mad_sat (ulong a, ulong b, ulong c) { __uint128_t w = (__uint128_t) a * b + c; return w >> 64 ? ULONG_MAX : w; }\n"
UPSAMPLE = "OVER TWICE upsample (T a, U b) { return ((wide) a << B) | b; }\n"
ARITY = {"min": 2, "max": 2, "clamp": 3, "abs": 1, "abs_diff": 2, "add_sat": 2, "sub_sat": 2, "hadd": 2, "rhadd": 2,
         "mul_hi": 2, "mad_hi": 3, "rotate": 2, "popcount": 1, "clz": 1, "ctz": 1, "bitselect": 3, "select": 3, "mad_sat": 3}
ON_VECTORS = ["min", "max", "abs", "add_sat", "hadd", "mul_hi", "rotate", "popcount", "clz", "ctz", "rhadd", "sub_sat"]


def functions_of(t):
    bits, signed = TYPES[t]
    low, high = (f"(-((wide) 1 << {bits - 1}))", f"(((wide) 1 << {bits - 1}) - 1)") if signed else ("0", f"(((wide) 1 << {bits}) - 1)")
    text = FUNCTIONS + (MAD_SAT if bits < 64 or signed else MAD_SAT_ULONG) + (UPSAMPLE if bits < 64 else "")
    other = t[1:] if t[0] == "u" else "u" + t
    names = list(TYPES)
    twice = names[names.index(t) + 2] if bits < 64 else t
    for word, value in (("SATURATE", f"w < {low} ? {low} : w > {high} ? {high} : w"), ("TWICE", twice), ("OTHER", other),
                        ("MULTIPLIED", "(wide) a * b" if signed else "(__uint128_t) a * b")):
        text = text.replace(word, value)
    return "\n".join(line.replace("OVER", "@").replace("T ", t + " ").replace("(T", "(" + t).replace("(U)", f"({UNSIGNED[t]})")
                     .replace("U ", UNSIGNED[t] + " ").replace("B)", f"{bits})").replace("B;", f"{bits};").replace("B -", f"{bits} -")
                     .replace("@", "OVER") for line in text.splitlines())


def vectors_of(t, lanes):
    vector, text = f"{t}{lanes}", ""
    for name in ON_VECTORS:
        result = f"{UNSIGNED[t]}{lanes}" if name == "abs" else vector
        parameters = ["a", "b"][:ARITY[name]]
        text += f"OVER {result} {name} ({', '.join(f'{vector} {p}' for p in parameters)}) {{ {result} r; "
        text += "".join(f"r.s{i} = {name} ({', '.join(f'{p}.s{i}' for p in parameters)}); " for i in range(lanes)) + "return r; }\n"
    for u in TYPES:
        text += f"OVER {u}{lanes} convert_{u}{lanes} ({vector} v) {{ {u}{lanes} r; "
        text += "".join(f"r.s{i} = v.s{i}; " for i in range(lanes)) + "return r; }\n"
    return text


def conversions_of(t):
    bits, signed = TYPES[t]
    low, high = (f"(-((wide) 1 << {bits - 1}))", f"(((wide) 1 << {bits - 1}) - 1)") if signed else ("0", f"(((wide) 1 << {bits}) - 1)")
    return "".join(f"OVER {t} convert_{t}_sat ({u} a) {{ wide w = a; return w < {low} ? {low} : w > {high} ? {high} : w; }}\n"
                   f"OVER {t} convert_{t} ({u} a) {{ return a; }}\n" for u in TYPES)


def prelude():
    text = ("#define OVER static __attribute__ ((overloadable))\n#define global_memory\ntypedef __int128_t wide;\n"
            "typedef unsigned char uchar; typedef unsigned short ushort; typedef unsigned int uint; typedef unsigned long ulong;\n"
            "typedef ulong size_t; typedef int atomic_type;\n#define get_global_id(d) 0\n#define memory_order_relaxed 0\n"
            "#define memory_scope_device 0\n#define atomic_load_explicit(p, o, s) (*(p))\n")
    for t in TYPES:
        for lanes in (2, 3, 4):
            text += f"typedef {t} {t}{lanes} __attribute__ ((ext_vector_type ({lanes})));\n"
    text += "".join(functions_of(t) + "\n" + conversions_of(t) for t in TYPES)
    return text + "".join(vectors_of(t, lanes) for t in TYPES for lanes in (2, 3, 4))


