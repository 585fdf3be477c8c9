"""Random small programs with a random test criterion each."""

from textwrap import indent

from hypothesis import strategies as st
from random_programs import Program, Writer, programs


@st.composite
def programs_with_criteria(draw: st.DrawFn) -> Program:
    """Draw a random program with a random eq_class, which reads at least the root's first field."""
    program = draw(programs())
    writer = Writer(draw, program.classes)
    writer.count = 1000
    writer.know("root", "R")
    body = [writer.statement(1) for _ in range(draw(st.integers(0, 2)))]
    body = [line.replace("return False", "return 'no'").replace("return True", "return 'yes'") for line in body]
    first = f"root.{program.classes['R'][0].name} is None"
    text = "\n".join([f"first = {first}", *body, f"return first, {writer.truth()}, {writer.number(0)}"])
    source = "\n".join([program.source, *writer.helpers, f"def eq_class(root):\n{indent(text, '    ')}\n"])
    return Program(source, program.classes, program.counts)
