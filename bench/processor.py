"""The processor's seconds, for benchmarks."""

import resource


def seconds():
    """Of all processes that this one has started and that have ended, start-up included."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
