"""statistics.NormalDist, of the standard library: a distribution with a mean and a standard deviation."""

from harness.spec import Finitization, SequenceScope, Structures

title = "NormalDist"
implementation = "statistics"
blocked = ("_statistics",)  # else C replaces the function that inverts the distribution


def rep_ok(distribution) -> bool:
    """The standard deviation is not negative."""
    return distribution._sigma >= 0


def abstraction(distribution) -> tuple:
    """Both numbers."""
    return distribution._mu, distribution._sigma


def finitization(scope: int) -> Finitization:
    """Means from -scope to scope, deviations from 0 to scope, in halves; so are the values asked for."""
    halves = [number / 2 for number in range(-2 * scope, 2 * scope + 1)]
    f = _distributions(scope)
    other = Structures(_distributions(scope), rep_ok)
    f.method("pdf", halves)
    f.method("cdf", halves)
    f.method("zscore", halves)
    f.method("inv_cdf", [0.0, 1.0, 1e-12, 0.01, 0.2, 0.5, 0.8, 0.99, 1 - 1e-12])
    f.method("quantiles", range(1, scope + 2))
    f.method("overlap", other)
    f.method("__add__", other)
    f.method("__sub__", halves)
    f.method("__mul__", halves)
    f.method("__truediv__", halves)
    f.method("__eq__", other)
    for name in ("__pos__", "__neg__", "__hash__"):
        f.method(name)
    return f


def sequences(scope: int) -> SequenceScope:
    """The same, from the constructor alone: what calculations give, of which there is no end, is not taken further."""
    halves = [number / 2 for number in range(-2 * scope, 2 * scope + 1)]
    s = SequenceScope("NormalDist")
    s.constructor([float(number) for number in range(-scope, scope + 1)], [n / 2 for n in range(2 * scope + 1)])
    for name in ("pdf", "cdf", "zscore", "__sub__", "__mul__", "__truediv__"):
        s.method(name, halves)
    s.method("inv_cdf", [0.0, 1.0, 1e-12, 0.01, 0.2, 0.5, 0.8, 0.99, 1 - 1e-12])
    s.method("quantiles", range(1, scope + 2))
    for name in ("overlap", "__add__", "__eq__"):
        s.method(name, s.earlier("NormalDist"))
    for name in ("__pos__", "__neg__", "__hash__"):
        s.method(name)
    s.misuse("ZeroDivisionError", "ValueError")
    s.builders()
    return s


def _distributions(scope: int) -> Finitization:
    f = Finitization("NormalDist")
    f.set("NormalDist._mu", [float(number) for number in range(-scope, scope + 1)])
    f.set("NormalDist._sigma", [number / 2 for number in range(2 * scope + 1)])
    return f
