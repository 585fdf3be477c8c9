"""fractions.Fraction, of the standard library: numbers as a numerator over a denominator, in lowest terms."""

from math import gcd

from harness.spec import Finitization, SequenceScope, Structures

title = "Fraction"
implementation = "fractions"


def rep_ok(number) -> bool:
    """In lowest terms, and the denominator is positive."""
    return number._denominator > 0 and gcd(number._numerator, number._denominator) == 1


def abstraction(number) -> tuple:
    """Numerator and denominator."""
    return number._numerator, number._denominator


def finitization(scope: int) -> Finitization:
    """Numerators -scope..scope, denominators 1..scope, of the number and of what it is combined with."""
    f = _numbers(scope)
    other = Structures(_numbers(scope), rep_ok)
    for name in ("_add", "_sub", "_mul", "_div", "_floordiv", "_divmod", "_mod", "__eq__", "__lt__"):
        f.method(name, other)
    f.method("__pow__", range(-2, 3))
    f.method("limit_denominator", range(scope + 1))
    f.method("__round__", (None, -1, 0, 1))
    for name in ("__abs__", "__neg__", "__floor__", "__ceil__", "__trunc__", "__hash__", "__bool__"):
        f.method(name)
    return f


def sequences(scope: int) -> SequenceScope:
    """The same, from the constructor alone: what calculations give, of which there is no end, is not taken further."""
    s = SequenceScope("Fraction")
    s.constructor(range(-scope, scope + 1), range(1, scope + 1))
    for name in ("_add", "_sub", "_mul", "_div", "_floordiv", "_divmod", "_mod", "__eq__", "__lt__"):
        s.method(name, s.earlier("Fraction"))
    s.method("__pow__", range(-2, 3))
    s.method("limit_denominator", range(scope + 1))
    s.method("__round__", (None, -1, 0, 1))
    for name in ("__abs__", "__neg__", "__floor__", "__ceil__", "__trunc__", "__hash__", "__bool__"):
        s.method(name)
    s.misuse("ZeroDivisionError", "ValueError")
    s.builders()
    return s


def _numbers(scope: int) -> Finitization:
    f = Finitization("Fraction")
    f.set("Fraction._numerator", range(-scope, scope + 1))
    f.set("Fraction._denominator", range(1, scope + 1))
    return f
