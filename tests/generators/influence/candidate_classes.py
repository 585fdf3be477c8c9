"""Hand-made programs of which is known what influences what, and how many candidates there are."""

from harness.model.sequence import SequenceScope

TEMPERATURE_MONITOR = '''
class TemperatureMonitor:
    """Written after Listing 4.3 of jtestcraft2010."""

    def __init__(self):
        self.enabled = False
        self.temperature = 0

    def set_enabled(self, enabled):
        self.enabled = enabled

    def update_temperature(self, temperature):
        if self.enabled:
            self.temperature = temperature

    def get_temperature(self):
        return self.temperature

    def warning(self):
        return self.get_temperature() > 80
'''

FLAGS = '''
class Flags:
    """Written after the example of section 4.3.4 of jtestcraft2010."""

    def __init__(self):
        self.a = self.b = self.c = False

    def set_a(self, a):
        self.a = a

    def set_b(self, b):
        self.b = b

    def set_c(self, c):
        self.c = c

    def calculate(self):
        if self.a and self.b and self.c:
            return 1
        return 0
'''

HEAPS = """
class Heap:
    def __init__(self):
        self.keys = []

    def insert(self, key):
        self.keys.append(key)

    def union(self, other):
        self.keys.extend(other.keys)

    def smallest(self) -> int:
        return min(self.keys)
"""


def temperature_monitor() -> SequenceScope:
    scope = SequenceScope("TemperatureMonitor")
    scope.method("set_enabled", (False, True))
    scope.method("update_temperature", range(100))
    scope.method("get_temperature")
    scope.method("warning")
    return scope


def flags() -> SequenceScope:
    scope = SequenceScope("Flags")
    for name in ("set_a", "set_b", "set_c"):
        scope.method(name, (False, True))
    scope.method("calculate")
    return scope


def heaps() -> SequenceScope:
    scope = SequenceScope("Heap")
    scope.method("insert", range(3))
    scope.method("union", scope.earlier("Heap"))
    scope.method("smallest")
    return scope
