"""Random models: well-typed, of every construct that an execution's verdict may depend on, in mixtures that
no one would write."""

from collections import namedtuple

# What models of a language name: sets, relations that the program fixes, what `linearisations` orders and extends,
# filters.
Words = namedtuple("Words", "sets fixed members extended filters")

SETS = ["R", "W", "M", "F", "I", "A", "na", "rmw", "SC", "ACQ", "REL", "RLX", "ACQ_REL", "G", "L", "WG", "DV",
        "SG", "WI", "ALL", "remote", "fga", "atomicloc", "NAL", "failed_rmw", "entry_fence", "exit_fence",
        "divergent_fence", "FW", "domain(rf)", "range(co)", "_"]
FIXED = ["po", "po-loc", "loc", "int", "ext", "id", "addr", "data", "ctrl", "wi", "sg", "wg", "dev", "kernel",
         "ext-wg", "ext-dev", "ext-sg", "asw", "co0", "same_B"]
COLUMNS_SETS = ["R", "W", "M", "F", "I", "RMW", "domain(rf)", "range(co)", "_"]
COLUMNS_FIXED = ["po", "po-loc", "loc", "int", "ext", "id", "addr", "data", "ctrl", "wg", "rmw", "vloc", "sr", "syncbar"]
ALL = ["po", "po & ext-wg", "co0", "asw", "po-loc", "0", "po | co", "po-loc | rf", "fr"]
WORDS = {
    "OpenCL": Words(SETS, FIXED, ["W & SC", "F", "R & A", "SC", "W & ~I", "W & REL", "rmw", "R & ~A"], ALL,
                    ["WW", "RW", "RM", "WR", "AA", "MP"]),
    # Without FW and what follows from it: several writes may be last, of which the witness knows one.
    "PTX": Words([*COLUMNS_SETS, "WEAK", "RLX", "ACQ", "REL", "ACQ_REL", "SC", "CTA", "GPU", "GEN", "TEX", "SUR", "ALIAS"],
                 [*COLUMNS_FIXED, "scta", "sync_fence"], ["W & REL", "F", "W & ~I", "R", "SC", "TEX | SUR"],
                 ["po", "0", "po-loc", "po | co", "fr"], ["WW", "RW", "RM", "WR"]),
    "VULKAN": Words([*COLUMNS_SETS, "FW", "ATOM", "NONPRIV", "AV", "VIS", "SC0", "SEMSC0", "ACQ", "REL", "SEMAV", "SEMVIS",
                     "CBAR", "WG", "DV"],
                    [*COLUMNS_FIXED, "ssg", "swg", "sqf", "co0"], ["W & REL", "F", "W & ~I", "R & ATOM", "CBAR"], ALL,
                    ["WW", "RW", "RM", "WR"]),
}
CHOSEN = ["rf", "co", "fr", "rfe", "rfi", "coe", "coi", "fre", "fri", "rf", "co", "fr", "invrf"]


class ModelMaker:
    def __init__(self, rng, language):
        self.rng, self.sets, self.relations = rng, [], []
        self.language, self.words = language, WORDS[language]
        self.functions, self.count = [], 0

    def chance(self, p):
        return self.rng.random() < p

    def fresh(self, letter):
        self.count += 1
        return f"{letter}{self.count}"

    # ---- Expressions ----

    def set(self, depth=2):
        rng = self.rng
        if depth == 0 or self.chance(0.4):
            return rng.choice(self.sets + self.words.sets)
        return rng.choice([
            lambda: f"({self.set(depth - 1)} {rng.choice('|&')} {self.set(depth - 1)})",
            lambda: f"({self.set(depth - 1)} \\ {self.set(depth - 1)})",
            lambda: f"~{self.set(0)}" if self.chance(0.5) else f"~({self.set(depth - 1)})",
            lambda: f"{rng.choice(['domain', 'range'])}({self.relation(depth - 1)})"])()

    def relation(self, depth=3, extra=()):
        rng = self.rng
        if depth == 0 or self.chance(0.25):
            return rng.choice(list(extra) * 3 + self.relations * 2 + self.words.fixed + CHOSEN)
        def inner():
            return self.relation(depth - 1, extra)
        return rng.choice([
            lambda: f"({inner()} {rng.choice('|||&;;')} {inner()})",
            lambda: f"({inner()} {rng.choice('|&;;')} {inner()} {rng.choice('|&;;')} {inner()})",
            lambda: f"({inner()} \\ {inner()})",
            lambda: f"({inner()}){rng.choice(['+', '+', '*', '?', '^-1', '^-1'])}",
            lambda: f"([{self.set(1)}] ; {inner()})",
            lambda: f"({inner()} ; [{self.set(1)}])",
            lambda: f"({inner()} & {rng.choice(self.words.fixed)})",
            lambda: f"({self.set(1)} * {self.set(1)})",
            lambda: f"~({inner()})",
            lambda: f"{rng.choice(self.words.filters)}({inner()})",
            lambda: f"{rng.choice(['ext', 'int', 'noid', 'singlestep'])}({inner()})",
            lambda: f"{rng.choice(self.functions)}({inner()})" if self.functions else inner(),
            lambda: f"(if {self.condition()} then {inner()} else {inner()})",
            lambda: f"(let z = {inner()} in z {rng.choice('|&;')} {rng.choice(['z', 'po', 'rf'])})",
            lambda: f"fold (fun (s, x) -> x | ({self.of_class(extra)})) (classes({rng.choice(['loc', 'wg', 'wi'])}), 0)",
        ])()

    def of_class(self, extra=()):
        body = self.relation(1, extra)
        return self.rng.choice([f"[s] ; {body} ; [s]", f"(s * s) & {body}", f"([s] ; {body})+",
                                f"(s * ~s) & {body}"])

    def condition(self):
        rng = self.rng
        return rng.choice([
            lambda: f"{self.set(1)} subset {self.set(1)}",
            lambda: f"{rng.choice(CHOSEN)} subset {self.relation(1)}",
            lambda: f"{self.relation(1)} = 0",
            lambda: "\"variant\"",
            lambda: f"not ({self.set(0)} = 0)",
            lambda: f"{self.set(0)} = 0 || {rng.choice(CHOSEN)} subset po"])()

    # ---- Statements ----

    def model(self):
        lines = ['"random"']
        if self.language == "OpenCL" and self.chance(0.15):
            lines.append("withsc")
            self.relations += ["S", "S"]
        if self.language == "OpenCL" and self.chance(0.3):
            lines.append("withwidebarriers")
        if self.chance(0.5):
            lines.append(self.rng.choice(["irreflexive po-loc ; (rf | co | fr)",
                                          "acyclic po-loc | rf | co | fr as coherence",
                                          "acyclic po | rf", "irreflexive fr ; co"]))
        for _ in range(self.rng.choice([2, 3, 4, 6])):
            lines.append(self.statement())
        for _ in range(self.rng.choice([1, 2, 3])):
            lines.append(self.check())
        return "\n".join(lines) + "\n"

    def statement(self):
        rng = self.rng
        return rng.choice([self.let_set, self.let_relation, self.let_relation, self.let_function,
                           self.let_recursive, self.choice, self.procedure, self.loop, self.check,
                           self.match_recursion])()

    def let_set(self):
        text = self.set()
        self.sets.append(self.fresh("s"))
        return f"let {self.sets[-1]} = {text}"

    def let_relation(self):
        text = self.relation()
        self.relations.append(self.fresh("r"))
        return f"let {self.relations[-1]} = {text}"

    def let_function(self):
        body = self.relation(2, ["x", "x"])
        self.functions.append(self.fresh("f"))
        return f"let {self.functions[-1]}(x) = {body}"

    def let_recursive(self):
        """Monotone, so that it ends."""
        rng, name, other = self.rng, self.fresh("q"), self.fresh("q")
        def step(x):
            return rng.choice([f"({x} ; {self.relation(1)})", f"({self.relation(1)} ; {x})", f"({x} ; {x})",
                               f"({x} & {self.relation(1)})", f"({x} \\ {self.relation(1)})", f"{x}^-1"])
        if self.chance(0.5):
            text = f"let rec {name} = {self.relation(2)} | {step(name)}"
            self.relations.append(name)
            return text
        text = (f"let rec {name} = {self.relation(1)} | {step(other)} "
                f"and {other} = {self.relation(1)} | {step(name)}")
        self.relations += [name, other]
        return text

    def choice(self):
        rng, name = self.rng, self.fresh("t")
        static, members = rng.choice(self.words.extended), rng.choice(self.words.members)
        text = rng.choice([
            f"with {name} from linearisations({members}, {static})",
            f"with {name} from generate_cos(co0)",
            f"with {name} from generate_orders({members}, {static})",
            f"with {name} from {{{self.relation(1)}, {self.relation(1)}}}",
            f"with {name} from cross(map (fun s -> linearisations(s, co0)) (partition(W)))",
            f"with {name} from map (fun e -> [e]) {{{self.set(1)}, {self.set(1)}}}"])
        self.relations += [name, name]
        return text

    def procedure(self):
        name = self.fresh("p")
        body = self.relation(2, ["x", "x"])
        return (f"procedure {name}(x) =\n  let y = {body}\n  {self.test()} x | y as {name}\nend\n"
                f"call {name}({self.relation(1)})")

    def loop(self):
        over = self.rng.choice(["classes(loc)", "classes(wg)", "partition(W)", f"{{{self.set(0)}, W}}"])
        return f"forall s in {over} do\n  {self.rng.choice(['acyclic', 'irreflexive'])} " \
               f"{self.of_class()} as each\nend"

    def match_recursion(self):
        name = self.fresh("r")
        self.relations.append(name)
        function = self.fresh("g")
        return (f"let rec {function} s = match s with || {{}} -> 0 || e ++ es -> "
                f"({{e}} ; {self.relation(1)}) | {function} es end\n"
                f"let {name} = {function}({self.rng.choice(['rf', 'co', 'po', 'rfe', 'fr', 'co & ext'])})")

    def test(self):
        return self.rng.choice(["acyclic", "irreflexive", "irreflexive", "empty"])

    def check(self):
        rng = self.rng
        name = self.fresh("c")
        role = rng.choice(["", "", "undefined_unless ", "flag ", "flag "])
        negated = "~" if self.chance(0.5 if role == "flag " else 0.1) else ""
        test = self.test()
        body = self.relation()
        if test == "empty" and not role and not negated:
            some = "(A * A)" if self.language == "OpenCL" else "(W * R)"
            body = f"({body}) & {rng.choice(CHOSEN)} & {rng.choice(['ext', 'int', 'po', some])}"
        return f"{role}{negated}{test} {body} as {name}"


def random_model(rng, language="OpenCL"):
    return ModelMaker(rng, language).model()
