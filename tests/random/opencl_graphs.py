"""Relations as sets of pairs."""


def seq(first, *rest):
    """Sequence: from a to c by way of some b."""
    for relation in rest:
        targets = {}
        for a, b in relation:
            targets.setdefault(a, []).append(b)
        first = {(a, c) for a, b in first for c in targets.get(b, ())}
    return first


def plus(relation):
    """Transitive closure."""
    while True:
        more = relation | seq(relation, relation)
        if more == relation:
            return relation
        relation = more


def maybe(relation, universe):
    return relation | {(a, a) for a in universe}


def inverse(relation):
    return {(b, a) for a, b in relation}


def on(sources, relation, targets):
    """The pairs from the one set to the other."""
    sources, targets = set(sources), set(targets)
    return {(a, b) for a, b in relation if a in sources and b in targets}


def is_irreflexive(relation):
    return all(a != b for a, b in relation)


def is_acyclic(relation):
    return is_irreflexive(plus(relation))
