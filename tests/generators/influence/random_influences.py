"""Random small classes, written out, so that influence is that of a text."""

from hypothesis import strategies as st

from harness.model.sequence import SequenceScope

_FIELDS = ("x", "y")


@st.composite
def programs(draw: st.DrawFn) -> tuple[str, SequenceScope]:
    """Draw a text of one or two classes with up to three methods, and the scope of its routines."""
    scope = SequenceScope("Thing")
    scope.constructor()
    with_part = draw(st.booleans())
    if with_part:
        scope.constructor(range(2), name="Part")
    lines = ["total = 0", "class Part:", "    def __init__(self, x): self.x = x", "class Thing:"]
    begun = draw(st.lists(st.sampled_from(_FIELDS), unique=True))
    lines += ["    def __init__(self):", *(f"        self.{name} = 0" for name in begun), "        return None"]
    for number in range(draw(st.integers(1, 3))):
        name = f"m{number}"
        parts = draw(st.sampled_from(["", "thing", "part", "part or value"] if with_part else ["", "thing"]))
        lines.append(f"    def {name}(self{', other' if parts else ''}):")
        lines += [f"        {draw(_statements(bool(parts)))}" for _ in range(draw(st.integers(0, 2)))]
        lines.append("        return 1")
        classes = {"thing": [scope.earlier("Thing")], "part": [scope.earlier("Part")]}
        classes["part or value"] = [(0, scope.earlier("Part"))]
        scope.method(name, *classes.get(parts, []))
    return "\n".join(lines), scope


def _statements(has_other: bool) -> st.SearchStrategy[str]:
    statements = [f"self.{name} = 1" for name in _FIELDS] + [f"self.{name}.real" for name in _FIELDS]
    statements += ["self.x = self.y", "global total; total = 1", "print(total)"]
    if has_other:
        statements += ["other.x = 2", "self.y = other.x"]
    return st.sampled_from(statements)
