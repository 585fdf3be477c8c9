"""Small Python programs as objects, their text, and what the refactoring engine rope makes of them."""

import os
import tempfile

from rope.base.exceptions import RefactoringError
from rope.base.project import Project

START, END = "«", "»"  # stand in texts where a refactoring is asked for, and are in no program


class Expression:
    """An expression: its form, and the expressions that it is made of."""

    def __init__(self, form, left, right):
        self.form = form
        self.left = left
        self.right = right

    def text(self, forms):
        """As code; `forms` has a text with places for the parts for each form."""
        text = forms[self.form]
        for place, part in (("{left}", self.left), ("{right}", self.right)):
            if part is not None:
                text = text.replace(place, part.text(forms))
        return text


class Statement:
    """A statement of a function's body: its form, the expression that it has, and the statement behind it."""

    def __init__(self, form, value, next):
        self.form = form
        self.value = value
        self.next = next

    def text(self, statements, expressions):
        """This statement and those behind it, as lines of code."""
        text = statements[self.form]
        if self.value is not None:
            text = text.replace("{value}", self.value.text(expressions))
        return text if self.next is None else f"{text}\n{self.next.text(statements, expressions)}"


class Program:
    """A program: the shape of its modules, an expression where the shape has one, and the statements of a function.

    A shape is a text with places for both, or several such texts by name of module. Names in statements and expressions
    that shapes differ in stand there as `{name}`.
    """

    def __init__(self, shape, value, first):
        self.shape = shape
        self.value = value
        self.first = first

    def modules(self, tables):
        """The names of its modules with their texts, in which START and END stand where rope is to refactor."""
        shape = tables.shapes[self.shape]
        return tuple((name, self._filled(text, tables)) for name, text in shape.modules.items())

    def _filled(self, text, tables):
        names = tables.shapes[self.shape].names
        text = _with_names(text, names)
        body = "pass" if self.first is None else self.first.text(tables.statements, tables.expressions)
        lines = []
        for line in text.split("\n"):
            before, place, behind = line.partition("{body}")
            if place:
                before, space = before.lstrip(" "), " " * (len(before) - len(before.lstrip(" ")))
                line = f"\n{space}".join((space + before + body + behind).split("\n"))
            lines.append(line)
        text = "\n".join(lines)
        if self.value is not None:
            text = text.replace("{value}", self.value.text(tables.expressions))
        return _with_names(text, names)


def _with_names(text, names):
    for name, meant in names.items():
        text = text.replace(f"{{{name}}}", meant)
    return text


class Shape:
    """Texts of a program's modules, the first of which is refactored, and what names in it mean."""

    def __init__(self, modules, **names):
        self.modules = {"one": modules} if isinstance(modules, str) else modules
        self.names = names


class Tables:
    """Shapes, statements and expressions by the names that specs use."""

    def __init__(self, shapes, statements, expressions):
        self.shapes = shapes
        self.statements = statements
        self.expressions = expressions


class Texts:
    """What rope reads for files: texts in memory, by path."""

    def __init__(self, texts):
        self._texts = texts

    def read(self, path):
        """A file's bytes."""
        return self._texts[os.path.basename(path)].encode()


def _folder(names):
    """A folder with such files, empty ones: rope looks whether they are there, and reads their texts in memory."""
    return os.path.join(tempfile.gettempdir(), "-".join(["mutascope", *names]))


# Made as this module is loaded, so that the first call takes no more steps than those behind it; no call writes a file.
for _names in (("one.py",), ("one.py", "two.py")):
    os.makedirs(_folder(_names), exist_ok=True)
    for _name in _names:
        if not os.path.exists(os.path.join(_folder(_names), _name)):
            open(os.path.join(_folder(_names), _name), "wb").close()


def refactored(marked, request):
    """What rope makes of a program: ("changed" or "refused", the modules before, the modules after or the reason).

    Args:
        marked: names and texts of modules, with the marks.
        request: is given the project, its files, that of the marked module first, and where the marks are; returns
            rope's changes.
    """
    before = tuple((name, text.replace(START, "").replace(END, "")) for name, text in marked)
    at, text = next((at, text) for at, (_, text) in enumerate(marked) if START in text)
    start = text.index(START)
    end = text.index(END) - 1 if END in text else start
    names = [f"{name}.py" for name, _ in before]
    folder = _folder(names)
    texts = Texts({name: text for name, (_, text) in zip(names, before, strict=True)})
    project = Project(folder, fscommands=texts, ropefolder=None)
    try:
        files = [project.get_file(name) for name in (names[at], *names[:at], *names[at + 1 :])]
        new = {change.resource.path: change.new_contents for change in request(project, files, start, end).changes}
    except RefactoringError as refusal:
        return "refused", before, str(refusal).replace(folder, "")
    finally:
        project.close()
    return "changed", before, tuple((name, new.get(f"{name}.py", text)) for name, text in before)
