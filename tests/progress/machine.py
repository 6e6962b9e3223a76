"""Progress by exploring schedules: programs of a few atomic operations on the sequentially consistent machine.

A thread is a list of instructions, each one step of the machine with the branches that follow it:

  ("read", x)  ("write", x, v)  ("exchange", x, v)  ("add", x, v)  ("swap", x, e, v)  ("barrier",)
  ("meet", id, quorum)  ("come", id, quorum)

"barrier" is that of OpenCL, which all threads of the work-group must execute. "meet" is that of PTX and Vulkan: it waits
until as many threads have come to it (each for the same time) as its quorum says or, if that is 0, until each thread of
the work-group has come, has ended, or cannot come to it any more. "come" does not wait. By the variant "all-threads", a
thread that has not ended must come; by "phases", as many threads as the quorum says complete a phase, and a thread that
comes after them is in the next. An instruction has two more members, what the value that it read is compared with (None: nothing) and the instruction to continue with
if they are equal and if they differ: (operation, constant, equal, other). "swap" is compare-and-swap. A thread ends at
the instruction after its last.

A program hangs under a progress model if it can run for ever although the scheduler keeps its promises: some set R of
threads runs for ever and contains whom the scheduler must run, of those that do not wait at a barrier for ever. For R, the
graph of states in which only R steps has a strongly connected component with a step of each thread of R. R may only be
empty if all threads that have not ended wait at barriers.
"""

import itertools

MODELS = ("fair", "hsa_obe", "lobe", "obe", "hsa", "unfair")


def step(program, groups, state, t, variant):
    """The state after a step of thread t; None if it cannot make one."""
    places, memory, started, arrivals = state
    code = program[t]
    if places[t] >= len(code):
        return None
    operation, constant, equal, other = code[places[t]]
    memory = dict(memory)
    read = None
    if operation[0] == "come":
        arrivals = (join_phase(groups, state, t, *operation[1:]) if variant == "phases" and operation[2]
                    else arrive(program, groups, state, t, operation[1], other))
    elif operation[0] == "meet" and not is_met(program, groups, state, t, *operation[1:], variant):
        return None
    elif operation[0] not in ("arrive", "barrier", "meet"):
        read = memory[operation[1]]
    match operation:
        case ("write", x, v) | ("exchange", x, v):
            memory[x] = v
        case ("add", x, v):
            memory[x] = read + v
        case ("swap", x, e, v):
            if read == e:
                memory[x] = v
    target = equal if constant is not None and read == constant else other
    if operation[0] == "barrier":
        return pass_barrier(program, groups, state, t)
    return places[:t] + (target,) + places[t + 1:], tuple(sorted(memory.items())), started | {t}, arrivals


def at_barrier(program, state, t):
    place = state[0][t]
    return place < len(program[t]) and program[t][place][0][0] in ("barrier", "meet")


def comes(code, place, barrier):
    """May a thread at this place of its code still come to the barrier?"""
    seen, open_places = set(), [place]
    while open_places:
        place = open_places.pop()
        if place in seen or place >= len(code):
            continue
        seen.add(place)
        operation, constant, equal, other = code[place]
        if operation[:2] == ("come", barrier):
            return True
        open_places += [other] if constant is None else [equal, other]
    return False


def arrive(program, groups, state, t, barrier, target):
    """How often each thread has come to the barriers, less what all of the work-group's that may wait there have in
    common (so that loops lead back to a state; less than that is as good as -1)."""
    places, _, _, arrivals = state
    counts = {u: dict(arrivals).get((u, barrier), 0) for u in range(len(program)) if groups[u] == groups[t]}
    counts[t] += 1
    places = places[:t] + (target,) + places[t + 1:]
    waits = [counts[u] for u in counts if comes(program[u], places[u], barrier)
             or (places[u] < len(program[u]) and program[u][places[u]][0][:2] == ("meet", barrier))]
    least = min(waits, default=0)
    rest = [(key, n) for key, n in arrivals if key[1] != barrier or key[0] not in counts]
    return tuple(sorted(rest + [((u, barrier), max(n - least, -1)) for u, n in counts.items()]))


def join_phase(groups, state, t, barrier, quorum):
    """Those who wait for the phase to be complete count 1."""
    counts = dict(state[3])
    waiting = {key for key in counts if key[1] == barrier and groups[key[0]] == groups[t]} | {(t, barrier)}
    if len(waiting) < quorum:
        counts |= {key: 1 for key in waiting}
    else:
        counts = {key: n for key, n in counts.items() if key not in waiting}
    return tuple(sorted(counts.items()))


def is_met(program, groups, state, t, barrier, quorum, variant):
    places, _, _, arrivals = state
    if variant == "phases" and quorum:
        return ((t, barrier), 1) not in arrivals
    counts = {u: dict(arrivals).get((u, barrier), 0) for u in range(len(program)) if groups[u] == groups[t]}
    come = [u for u, n in counts.items() if n >= counts[t]]
    if quorum:
        return len(come) >= quorum
    ended = {u for u in counts if places[u] >= len(program[u])}
    return all(u in come or u in ended or (variant != "all-threads" and not comes(program[u], places[u], barrier))
               for u in counts)


def pass_barrier(program, groups, state, t):
    """The last thread of a work-group to arrive takes everyone on, in one step of thread t."""
    places, memory, started, arrivals = state
    members = [u for u in range(len(program)) if groups[u] == groups[t]]
    if not all(at_barrier(program, state, u) for u in members):
        return None
    return (tuple(program[u][place][3] if u in members else place for u, place in enumerate(places)), memory,
            started.union(members), arrivals)


def explore(program, groups, memory, variant):
    """All reachable states, each with its successors by thread."""
    first = ((0,) * len(program), tuple(sorted(memory.items())), frozenset(), ())
    graph, open_states = {}, [first]
    while open_states:
        state = open_states.pop()
        if state in graph:
            continue
        graph[state] = {}
        for t in range(len(program)):
            after = step(program, groups, state, t, variant)
            if after is not None:
                graph[state][t] = after
                open_states.append(after)
        if len(graph) > 20000:
            return None
    return graph


def components(graph, threads):
    """Strongly connected components (Tarjan) of the steps of these threads."""
    index, low, stack, on_stack, found = {}, {}, [], set(), []
    for root in graph:
        if root in index:
            continue
        work = [(root, iter([s for t, s in graph[root].items() if t in threads]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, successors = work[-1]
            for after in successors:
                if after not in index:
                    index[after] = low[after] = len(index)
                    stack.append(after)
                    on_stack.add(after)
                    work.append((after, iter([s for t, s in graph[after].items() if t in threads])))
                    break
                if after in on_stack:
                    low[node] = min(low[node], index[after])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    component = set()
                    while True:
                        member = stack.pop()
                        on_stack.discard(member)
                        component.add(member)
                        if member == node:
                            break
                    found.append(component)
    return found


def must_run(model, able, started):
    """Whom the scheduler must run for ever, of the threads that are able to make steps."""
    lowest = {min(able)} if able else set()
    match model:
        case "fair":
            return able
        case "hsa":
            return lowest
        case "obe":
            return able & started
        case "hsa_obe":
            return lowest | (able & started)
        case "lobe":
            return {t for t in able if started and t <= max(started)}
        case "unfair":
            return set()


def keeps_promises(model, groups, able, started, kept):
    """May a scheduler run, of the threads that are able to make steps, only those in `kept`? Of "wg=A,wi=B", A is about groups, and
    B about the threads of each group that is run."""
    if "=" not in model:
        return must_run(model, able, started) <= kept
    outer, inner = (part.partition("=")[2] for part in model.split(","))
    nodes = [{groups[t] for t in threads} for threads in (able, started, kept)]
    if not must_run(outer, nodes[0], nodes[1]) <= nodes[2]:
        return False
    members = [{t for t in range(len(groups)) if groups[t] == group} for group in nodes[2]]
    return all(must_run(inner, able & m, started & m) <= kept for m in members)


def split_barriers(code):
    """Arriving at a barrier is a step of its own."""
    place, places = 0, []
    for operation, *_ in code:
        places.append(place)
        place += 1 + (operation[0] in ("barrier", "meet"))
    places.append(place)
    split = []
    for operation, constant, equal, other in code:
        if operation[0] == "barrier":
            split.append((("arrive",), None, len(split) + 1, len(split) + 1))
        if operation[0] == "meet":
            split.append((("come", *operation[1:]), None, len(split) + 1, len(split) + 1))
        split.append((operation, constant, places[equal], places[other]))
    return split


def hangs(program, memory, groups=(), levels=(), variant=""):
    """The progress models, and those of `levels`, under which it hangs; None if there are too many states."""
    program = [split_barriers(code) for code in program]
    graph = explore(program, groups or [0] * len(program), memory, variant)
    if graph is None:
        return None
    everyone = range(len(program))
    found = set()
    for size in range(len(program) + 1):
        for running in map(frozenset, itertools.combinations(everyone, size)):
            for component in components(graph, running) if running else [{s} for s in graph]:
                edges = {t for s in component for t, after in graph[s].items()
                         if t in running and after in component}
                if edges != running:
                    continue
                state = next(iter(component))
                blocked = {t for t in everyone if at_barrier(program, state, t) and not any(t in graph[s] for s in component)}
                able = {t for t in everyone if state[0][t] < len(program[t])} - blocked
                if running or (blocked and not able):
                    found |= {model for model in (*MODELS, *levels)
                              if keeps_promises(model, groups, able, set(state[2]) | running, running)}
    return found
