"""The objects of a state space as a predicate sees them: fields are given values, and recorded, as they are read.

By determinism, a predicate repeats its reads below the field that changed, so what was read before
stays in the objects: between two candidates only the changed field is written and the popped ones
are taken out, and repeated reads run at the interpreter's own speed.
"""

from __future__ import annotations

from collections.abc import Callable
from types import GetSetDescriptorType, MemberDescriptorType, ModuleType, TracebackType
from typing import Any, Self

from harness.generators.states.layout import Layout
from harness.generators.states.reference.eager import EagerContainers, Present, empty_container, has_contents, is_eager
from harness.generators.states.reference.instrument import ABSENT, ClassPatches, static
from harness.generators.states.reference.observed_list import LENGTH, UNREAD, ObservedList
from harness.generators.states.reference.stack import AccessStack, Narrowed
from harness.kernel.inputs.decode import token
from harness.kernel.inputs.making import allocator, made_by
from harness.kernel.inputs.state_space import PLAIN, SpaceObject
from harness.kernel.program.loader import resolve
from harness.model.finitization import CONTENTS, DomainKind


class Observed:
    """The objects of a state space; within `with`, instances of their classes tell when a field is read first.

    Lists are ObservedLists: `isinstance(x, list)` holds, `type(x) is list` does not. Other containers are what
    they are, and are read as a whole (`eager`). Writes by the predicate
    are allowed and taken back by `undo`. Not noticed are writes that go around the class
    (`object.__setattr__(node, ...)`) and reads that do (`object.__getstate__(node)`).

    Args:
        read_field: told of a field that is absent from its object; gives it its value (`place`, `values`) and
            returns True, or returns False where it has one, so that the predicate must have deleted it.

    Raises:
        SpecError: a class is missing, cannot be observed or allocated, or a field is a property.
    """

    def __init__(self, layout: Layout, present: Present, module: ModuleType, read_field: Callable[[int], bool]) -> None:
        space = layout.space
        self._layout = layout
        self._present = present
        self._module = module
        self._patches = ClassPatches()
        self._classes: dict[str, Any] = {
            domain.class_name: resolve(module, domain.class_name)
            for domain in space.finitization.domains
            if domain.kind is DomainKind.OBJECT
        }
        self.objects: list[Any] = [self._allocate(number) for number in range(len(space.objects))]
        self.numbers: dict[int, int] = {id(made): at for at, made in enumerate(self.objects) if made is not None}
        self._cells: dict[int, list[Any]] = {}
        self._instances: dict[int, _Instance] = {}
        self.changed: set[int] = set()
        """Objects that the predicate has written to."""
        self._values: list[tuple[Any, ...]] = []
        self._places: list[tuple[Place, Any]] = []
        values: dict[int, tuple[Any, ...]] = {}
        for field in space.fields:
            domain = field.domain
            if id(domain) not in values:
                values[id(domain)] = tuple(
                    plain if other == PLAIN else self.objects[other]
                    for plain, other in zip(domain.plain, domain.objects, strict=True)
                )
            self._values.append(values[id(domain)])
        for owner in space.objects:
            made = self.objects[owner.number]
            if isinstance(made, ObservedList):
                self._places.append((_Length(made), LENGTH))
                self._places.extend((made.cells, position) for position in range(len(owner.names) - 1))
            elif owner.domain.kind is DomainKind.OBJECT:
                self._places += self._attributes(owner, made)
            elif is_eager(owner):
                cells = self._cells[owner.number] = [UNREAD] * len(owner.names)
                self._places.extend((cells, position) for position in range(len(cells)))
        self.eager = EagerContainers(layout, self.objects, self._cells, present, read_field)
        self.read_field: Callable[[int], bool] = self.eager.read_field if self.eager else read_field

    def __enter__(self) -> Self:
        fields: dict[str, dict[str, dict[int, int]]] = {name: {} for name in self._classes}
        for field in self._layout.space.fields:
            owner = self._layout.space.objects[field.owner]
            if owner.domain.kind is DomainKind.OBJECT and field.name != CONTENTS:
                by_name = fields[owner.domain.class_name].setdefault(field.name, {})
                by_name[id(self.objects[field.owner])] = field.number
        try:
            for name, cls in self._classes.items():
                self._patches.observe(cls, name, fields[name], self)
        except BaseException:
            self._patches.undo()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._patches.undo()

    def place(self, field: int) -> tuple[Place, Any]:
        """Where the value of a field is stored, once it is read: `place[key] = value`."""
        return self._places[field]

    def values(self, field: int) -> tuple[Any, ...]:
        """What a field may hold, by index."""
        return self._values[field]

    # -- told by instrumented classes and lists ------------------------------------------------

    def read_object(self, number: int) -> None:
        """Reads every field of an object."""
        for field in self._layout.entry[number]:
            self.read_field(field)

    def write_object(self, number: int) -> None:
        """Remembers that the predicate changes an object."""
        self.changed.add(number)

    write_list = write_object

    # -- told by the search --------------------------------------------------------------------

    def undo(self) -> None:
        """Takes back what the predicate wrote."""
        for number in self.changed:
            made = self.objects[number]
            if isinstance(made, ObservedList):
                made.unsize()
            else:
                self._instances[number].reset()
            owner = self._layout.space.objects[number]
            for field in range(owner.first, owner.first + len(owner.names)):
                if self._present.on[field]:
                    self._write(field)
        self.changed.clear()

    def _write(self, field: int) -> None:
        place, key = self._places[field]
        place[key] = self._values[field][self._present.vector[field]]

    def _attributes(self, owner: SpaceObject, made: Any) -> list[tuple[Place, Any]]:
        """The places of an instance's fields."""
        names = tuple(name for name in owner.names if name != CONTENTS)
        instance = self._instances[owner.number] = _Instance(made, names)
        if has_contents(owner):
            self._cells[owner.number] = [UNREAD]
        return [
            (self._cells[owner.number], 0) if name == CONTENTS else (instance.place(name), name) for name in owner.names
        ]

    def _allocate(self, number: int) -> Any:
        owner = self._layout.space.objects[number]
        if owner.domain.kind is DomainKind.TOKEN:
            return token(owner.domain, owner.index)
        if owner.domain.kind is DomainKind.NOTHING:
            return None
        if owner.domain.kind is DomainKind.MADE:
            return made_by(owner.domain, self._module)
        if is_eager(owner):
            return empty_container(owner.domain)
        if owner.domain.kind is DomainKind.LIST:
            return ObservedList.of(self, number, owner.first, len(owner.names) - 1)
        return allocator(self._classes[owner.domain.class_name])()


class Observer(Observed):
    """Materialises the state of an AccessStack: reading a field of `objects[n]` pushes it on the stack."""

    def __init__(self, layout: Layout, stack: AccessStack, module: ModuleType) -> None:
        self._stack = stack
        self.hidden: set[int] = set()
        """Fields on the stack whose values `hide` took out of the objects, until they are read or shown."""
        self.narrow: Callable[[int], Narrowed | None] | None = None
        """Asked for the values worth trying, None for all, when a field is about to be pushed."""
        self.on_read: Callable[[int], None] | None = None
        """Called with a field of which something new is read: one just pushed, or a hidden one."""
        super().__init__(layout, stack, module, self._push)

    def _push(self, field: int) -> bool:
        if not self._stack.on[field]:
            narrowed = None if self.narrow is None else self.narrow(field)
            if narrowed is None:
                self._stack.push(field)
            else:
                self._stack.push_narrowed(field, narrowed)
        elif field in self.hidden:
            self.hidden.remove(field)
        else:
            return False
        self._write(field)
        if self.on_read is not None:
            self.on_read(field)
        return True

    # -- told by dedicated generators ------------------------------------------------------------

    def field_number(self, owner: Any, name: str | int) -> int | None:
        """The number of a field by its owner and name, or position in a list; None: not of the state space."""
        number = self.numbers.get(id(owner))
        if number is None:
            return None
        found = self._layout.space.objects[number]
        if isinstance(name, str):
            return found.first + found.names.index(name) if name in found.names else None
        if name == LENGTH:
            return found.first
        # An element's field has a meaning once the length says that there is such an element.
        sized = found.domain.kind is DomainKind.LIST and self._stack.on[found.first] and name < len(owner)
        return found.first + 1 + name if sized else None

    def name_of(self, field: int) -> tuple[Any, str | int]:
        """The owner and name of a field, or its position in a list: the inverse of `field_number`."""
        found = self._layout.space.fields[field]
        owner = self._layout.space.objects[found.owner]
        listed = owner.domain.kind is DomainKind.LIST
        return self.objects[found.owner], field - owner.first - 1 if listed else found.name

    def hide(self, height: int) -> None:
        """Takes the values of the fields from that height of the stack on out of the objects, so that reads show."""
        for field in reversed(self._stack.fields[height:]):
            if field not in self.hidden:
                self.hidden.add(field)
                self._erase(field)

    def show(self) -> None:
        """Gives hidden fields their values back."""
        if self.hidden:
            for field in self._stack.fields:  # a list's length comes before its elements
                if field in self.hidden:
                    self._write(field)
            self.hidden.clear()

    def watch(self) -> set[int]:
        """Begins to collect the fields that are read, as if none of them had been read before, in what is returned."""
        fields: set[int] = set()
        self.hide(0)
        self.on_read = fields.add
        return fields

    def unwatch(self) -> None:
        """Ends what `watch` has begun."""
        self.on_read = None
        self.show()

    # -- told by the search --------------------------------------------------------------------

    def rewrite(self, field: int) -> None:
        """Gives a field on the stack its present value."""
        self._write(field)

    def advance(self) -> bool:
        """Moves stack and objects to the next candidate; False at the end of the search."""
        stack = self._stack
        while stack.fields:
            if stack.step():
                self._write(stack.fields[-1])
                return True
            self.drop()
        return False

    def drop(self) -> None:
        """Takes the topmost field off the stack, and its value out of the objects."""
        self._erase(self._stack.pop())

    def _erase(self, field: int) -> None:
        place, key = self.place(field)
        if type(place) is list:
            place[key] = UNREAD
        else:
            del place[key]


class _Length:
    """Sets the length of a list."""

    def __init__(self, made: ObservedList) -> None:
        self._made = made

    def __setitem__(self, key: int, length: int) -> None:
        self._made.size(length)

    def __delitem__(self, key: int) -> None:
        self._made.unsize()


class _Slots:
    """Sets attributes that are not stored in a `__dict__`."""

    def __init__(self, made: Any) -> None:
        self._made = made

    def __setitem__(self, name: str, value: Any) -> None:
        object.__setattr__(self._made, name, value)

    def __delitem__(self, name: str) -> None:
        object.__delattr__(self._made, name)


Place = dict[str, Any] | list[Any] | _Length | _Slots
"""Stores values of fields, by attribute name or position."""


class _Instance:
    """What an object holds apart from its fields: what its class's own `__new__` may have put there."""

    def __init__(self, made: Any, fields: tuple[str, ...]) -> None:
        self._made = made
        # Found before the class is instrumented: the instance's own dict, whatever `__dict__` says later.
        self._dict_of = static(type(made), "__dict__")
        self._dict: dict[str, Any] = {} if self._dict_of is ABSENT else self._dict_of.__get__(made, type(made))
        self._slots = {
            name
            for base in type(made).__mro__
            for name, member in vars(base).items()
            if isinstance(member, MemberDescriptorType)
        }
        self._kept = {name: value for name, value in self._attributes().items() if name not in fields}
        self.reset()

    def place(self, name: str) -> Place:
        """Where attribute `name` is stored."""
        slotted = isinstance(static(type(self._made), name), MemberDescriptorType)
        return self._dict if isinstance(self._dict_of, GetSetDescriptorType) and not slotted else _Slots(self._made)

    def reset(self) -> None:
        """Leaves no field and no attribute that was not there from the start."""
        if self._dict_of is not ABSENT:
            self._dict_of.__set__(self._made, self._dict)
        for name in self._attributes():
            object.__delattr__(self._made, name)
        for name, value in self._kept.items():
            object.__setattr__(self._made, name, value)

    def _attributes(self) -> dict[str, Any]:
        found = dict(self._dict)
        for name in self._slots:
            try:
                found[name] = object.__getattribute__(self._made, name)
            except AttributeError:
                pass
        return found
