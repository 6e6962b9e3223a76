"""Programs of machine.py as tests of the languages whose threads are columns."""

import itertools

OPERATIONS = {
    "VULKAN": {"meet": "cbar.acq_rel.wg.semsc0 {1}", "quorum": "cbar.acq_rel.wg.semsc0 {1}, 0, {2}", "read": "ld.atom.acq.dv.sc0.semsc0 r{}, {}",
               "write": "st.atom.rel.dv.sc0.semsc0 {1}, {2}",
               "exchange": "rmw.atom.acq_rel.dv.sc0.semsc0 r{}, {}, {}",
               "swap": "rmw.atom.acq_rel.dv.sc0.semsc0.cas r{}, {}, {}, {}"},
    "PTX": {"meet": "bar.cta.sync {1}", "quorum": "bar.cta.sync {1}, 0, {2}", "come": "bar.cta.arrive {1}, 0, {2}", "read": "ld.acquire.gpu r{}, {}", "write": "st.release.gpu {1}, {2}",
            "exchange": "atom.acq_rel.gpu.exch r{}, {}, {}", "swap": "atom.acq_rel.gpu.cas r{}, {}, {}, {}"}}
HEADS = {"VULKAN": "P{0}@sg {0}, wg {1}, qf 0", "PTX": "P{0}@cta {1}, gpu 0"}

# Interleavings, for these languages, one of which has partial coherence.
INTERLEAVED = '''"interleavings"
acyclic po | rf | co | fr as sc
empty ((W * W) & loc) \\ (id | co | co^-1) as total
empty rmw & (fr ; co) as atomicity
'''


def write_thread(language, code, number, group):
    cells = []
    for i, (operation, constant, equal, _) in enumerate(code):
        kind = "quorum" if operation[0] == "meet" and operation[2] else operation[0]
        cells.append(f"LC{number}{i}: " + OPERATIONS[language][kind].format(i, *operation[1:]))
        if constant is not None:
            cells.append(f"beq r{i}, {constant}, LC{number}{equal}")
    return [HEADS[language].format(number, group), *cells, f"LC{number}{len(code)}:"]


def write(language, name, program, groups):
    """groups: the work-group of each thread."""
    columns = itertools.zip_longest(*(write_thread(language, code, i, groups[i]) for i, code in enumerate(program)),
                                    fillvalue="")
    return (f"{language} {name}\n{{ x=0; y=0; }}\n" + "".join(" " + " | ".join(row) + " ;\n" for row in columns)
            + "exists (x == 0)\n")
