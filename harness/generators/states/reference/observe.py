"""The objects of a state space as a predicate sees them: fields get their values, and are recorded, when they are read.

By determinism, a predicate repeats its reads below the field that changed, so values read before stay in the objects.
Between two candidates only the changed field is written and the popped ones are taken out. Repeated reads run at the
interpreter's own speed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from types import GetSetDescriptorType, MemberDescriptorType, ModuleType, TracebackType
from typing import Any, Self

from harness.generators.states.layout import Layout
from harness.generators.states.reference.instrument import MISSING, ClassPatches, static
from harness.generators.states.reference.observed_list import LENGTH, UNREAD, ObservedList
from harness.generators.states.reference.stack import AccessStack, Narrowed
from harness.kernel.inputs.state_space import PLAIN, SpaceObject, token
from harness.kernel.objects.reading import allocator, factory_object, filler, reader_of
from harness.kernel.program.loader import resolve
from harness.model.finitization import ABSENT, CONTAINERS, CONTENTS, ClassDomain, DomainKind


class StateObserver:
    """The objects of a state space, as far as an AccessStack has their fields.

    Within `with`, reading a field of `objects[n]` for the first time pushes it on the stack. Lists are ObservedLists:
    `isinstance(x, list)` holds, `type(x) is list` does not. Other containers are unchanged and are read as a whole
    (`eager`). Writes by the predicate are allowed, and `undo` resets them. Writes that bypass the class
    (`object.__setattr__(node, ...)`) and reads that do (`object.__getstate__(node)`) are not noticed.

    Raises:
        SpecError: a class is missing, cannot be observed or allocated, or a field is a property.
    """

    def __init__(self, layout: Layout, stack: AccessStack, module: ModuleType) -> None:
        space = layout.space
        self._layout = layout
        self._stack = stack
        self.hidden: set[int] = set()
        """Fields on the stack whose values `hide` took out of the objects, until they are read or shown."""
        self.narrow: Callable[[int], Narrowed | None] | None = None
        """Asked for the values worth trying, None for all, when a field is about to be pushed."""
        self.on_read: Callable[[int], None] | None = None
        """Called with a field of which something new is read: one just pushed, or a hidden one."""
        self._module = module
        self._patches = ClassPatches()
        self._classes: dict[str, Any] = {
            domain.class_name: resolve(module, domain.class_name)
            for domain in space.finitization.domains
            if domain.kind is DomainKind.OBJECT
        }
        self.objects: list[Any] = [self._allocate(number) for number in range(len(space.objects))]
        self.numbers: dict[int, int] = {id(obj): at for at, obj in enumerate(self.objects) if obj is not None}
        self._cells: dict[int, list[Any]] = {}
        self._instances: dict[int, _Instance] = {}
        self.changed: set[int] = set()
        """The objects that the predicate has written to."""
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
            obj = self.objects[owner.number]
            if isinstance(obj, ObservedList):
                self._places.append((_Length(obj), LENGTH))
                self._places.extend((obj.cells, position) for position in range(len(owner.names) - 1))
            elif owner.domain.kind is DomainKind.OBJECT:
                self._places += self._attributes(owner, obj)
            elif is_eager(owner):
                cells = self._cells[owner.number] = [UNREAD] * len(owner.names)
                self._places.extend((cells, position) for position in range(len(cells)))
        self.eager = EagerContainers(layout, self.objects, self._cells, stack, self._push)
        self.read_field: Callable[[int], bool] = self.eager.read_field if self.eager else self._push

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

    def values(self, field: int) -> tuple[Any, ...]:
        """Return the values that a field may have, by index."""
        return self._values[field]

    # -- called by instrumented classes and lists ----------------------------------------------

    def read_object(self, number: int) -> None:
        """Read every field of an object."""
        for field in self._layout.entry[number]:
            self.read_field(field)

    def write_object(self, number: int) -> None:
        """Note that the predicate changes an object."""
        self.changed.add(number)

    # -- called by the search -------------------------------------------------------------------

    def undo(self) -> None:
        """Undo the writes of the predicate."""
        for number in self.changed:
            obj = self.objects[number]
            if isinstance(obj, ObservedList):
                obj.unsize()
            else:
                self._instances[number].reset()
            owner = self._layout.space.objects[number]
            for field in range(owner.first, owner.first + len(owner.names)):
                if self._stack.on[field]:
                    self._write(field)
        self.changed.clear()

    def _write(self, field: int) -> None:
        place, key = self._places[field]
        place[key] = self._values[field][self._stack.vector[field]]

    def _attributes(self, owner: SpaceObject, unwrapped: Any) -> list[tuple[Place, Any]]:
        """Return the places of an instance's fields."""
        names = tuple(name for name in owner.names if name != CONTENTS)
        instance = self._instances[owner.number] = _Instance(unwrapped, names)
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
            return factory_object(owner.domain, self._module)
        if is_eager(owner):
            return empty_container(owner.domain)
        if owner.domain.kind is DomainKind.LIST:
            return ObservedList.of(self, number, owner.first, len(owner.names) - 1)
        return allocator(self._classes[owner.domain.class_name])()

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

    # -- called by dedicated generators ----------------------------------------------------------

    def field_number(self, owner: Any, name: str | int) -> int | None:
        """Return the number of a field by its owner and name, or list position; None outside of the state space."""
        number = self.numbers.get(id(owner))
        if number is None:
            return None
        space_object = self._layout.space.objects[number]
        if isinstance(name, str):
            return space_object.first + space_object.names.index(name) if name in space_object.names else None
        if name == LENGTH:
            return space_object.first
        # An element's field has a meaning only once the length shows that there is such an element.
        sized = space_object.domain.kind is DomainKind.LIST and self._stack.on[space_object.first] and name < len(owner)
        return space_object.first + 1 + name if sized else None

    def name_of(self, field: int) -> tuple[Any, str | int]:
        """Return the owner and name of a field, or its position in a list: the inverse of `field_number`."""
        space_field = self._layout.space.fields[field]
        owner = self._layout.space.objects[space_field.owner]
        listed = owner.domain.kind is DomainKind.LIST
        return self.objects[space_field.owner], field - owner.first - 1 if listed else space_field.name

    def hide(self, height: int) -> None:
        """Take the values of fields from that height of the stack on out of the objects, so that reads show."""
        for field in reversed(self._stack.fields[height:]):
            if field not in self.hidden:
                self.hidden.add(field)
                self._erase(field)

    def show(self) -> None:
        """Give hidden fields their values back."""
        if self.hidden:
            for field in self._stack.fields:  # a list's length comes before its elements
                if field in self.hidden:
                    self._write(field)
            self.hidden.clear()

    def watch(self) -> set[int]:
        """Return a set that collects the fields read from now on, as if none had been read before."""
        fields: set[int] = set()
        self.hide(0)
        self.on_read = fields.add
        return fields

    def unwatch(self) -> None:
        """Stop the collection that `watch` started."""
        self.on_read = None
        self.show()

    # -- called by the search -------------------------------------------------------------------

    def advance(self) -> bool:
        """Move stack and objects to the next candidate; return False at the end of the search."""
        stack = self._stack
        while stack.fields:
            if stack.step():
                self._write(stack.fields[-1])
                return True
            self.drop()
        return False

    def drop(self) -> None:
        """Take the topmost field off the stack, and its value out of the objects."""
        self._erase(self._stack.pop())

    def _erase(self, field: int) -> None:
        place, key = self._places[field]
        if type(place) is list:
            place[key] = UNREAD
        else:
            del place[key]


class _Length:
    """Sets the length of a list."""

    def __init__(self, wrapped: ObservedList) -> None:
        self._wrapped = wrapped

    def __setitem__(self, key: int, length: int) -> None:
        self._wrapped.size(length)

    def __delitem__(self, key: int) -> None:
        self._wrapped.unsize()


class _Slots:
    """Sets attributes that are not stored in a `__dict__`."""

    def __init__(self, wrapped: Any) -> None:
        self._wrapped = wrapped

    def __setitem__(self, name: str, value: Any) -> None:
        object.__setattr__(self._wrapped, name, value)

    def __delitem__(self, name: str) -> None:
        object.__delattr__(self._wrapped, name)


Place = dict[str, Any] | list[Any] | _Length | _Slots
"""Stores values of fields, by attribute name or position."""


class _Instance:
    """The state of an object apart from its fields, which its class's own `__new__` may have set."""

    def __init__(self, wrapped: Any, fields: tuple[str, ...]) -> None:
        self._wrapped = wrapped
        # Found before the class is instrumented: the instance's own dict, whatever `__dict__` says later.
        self._dict_of = static(type(wrapped), "__dict__")
        self._dict: dict[str, Any] = {} if self._dict_of is MISSING else self._dict_of.__get__(wrapped, type(wrapped))
        self._slots = set(reader_of(type(wrapped)).members)
        self._other_attributes = {name: value for name, value in self._attributes().items() if name not in fields}
        self.reset()

    def place(self, name: str) -> Place:
        """Return where attribute `name` is stored."""
        slotted = isinstance(static(type(self._wrapped), name), MemberDescriptorType)
        return self._dict if isinstance(self._dict_of, GetSetDescriptorType) and not slotted else _Slots(self._wrapped)

    def reset(self) -> None:
        """Remove all fields and attributes that were not there from the start."""
        if self._dict_of is not MISSING:
            self._dict_of.__set__(self._wrapped, self._dict)
        for name in self._attributes():
            object.__delattr__(self._wrapped, name)
        for name, value in self._other_attributes.items():
            object.__setattr__(self._wrapped, name, value)

    def _attributes(self) -> dict[str, Any]:
        attributes = dict(self._dict)
        for name in self._slots:
            try:
                attributes[name] = object.__getattribute__(self._wrapped, name)
            except AttributeError:
                pass
        return attributes


def is_eager(owner: SpaceObject) -> bool:
    """Return whether an object is such a container."""
    return owner.domain.kind in CONTAINERS and (owner.domain.kind is not DomainKind.LIST or owner.domain.own)


def has_contents(owner: SpaceObject) -> bool:
    """Return whether an object is an instance of a list or dict subclass with items of its own."""
    return CONTENTS in owner.names


def empty_container(domain: ClassDomain) -> Any:
    """Return the container, to be filled."""
    if domain.kind is DomainKind.DEQUE:
        return deque(maxlen=domain.maxlen)
    return {DomainKind.LIST: list, DomainKind.SET: set, DomainKind.DICT: dict}[domain.kind]()


class EagerContainers:
    """Reads and fills the containers among `objects`.

    Args:
        cells: the values of each container's fields, by its number; UNREAD if they are not read.
        read: gives an unread field its value.
    """

    def __init__(
        self,
        layout: Layout,
        objects: Sequence[Any],
        cells: dict[int, list[Any]],
        stack: AccessStack,
        read: Callable[[int], bool],
    ) -> None:
        self._layout = layout
        self._objects = objects
        self._cells = cells
        self._stack = stack
        self._read = read
        owners = layout.space.objects
        self._whole = {owner.number for owner in owners if is_eager(owner) or has_contents(owner)}
        self._fillers = {owner.number: filler(type(objects[owner.number])) for owner in owners if has_contents(owner)}
        self._doors = [
            field.number
            for field in layout.space.fields
            if not is_eager(owners[field.owner])
            and field.name != CONTENTS
            and not self._whole.isdisjoint(field.domain.objects)
        ]
        self._is_door = frozenset(self._doors)

    def __bool__(self) -> bool:
        return bool(self._whole)

    def read_field(self, field: int) -> bool:
        """Give a field its value, and read the containers below it, too."""
        is_read = self._read(field)
        if is_read and field in self._is_door:
            self._touch(self._layout.objects[field][self._stack.vector[field]], set())
        return is_read

    def begin(self) -> None:
        """Read and fill the containers below fields that are read, before each execution of the predicate."""
        seen = self.begin_root()
        for field in self._doors:
            if self._stack.on[field]:
                self._touch(self._layout.objects[field][self._stack.vector[field]], seen)

    def begin_root(self) -> set[int]:
        """Read and fill the containers from the root on, if it is one; return the numbers of those read."""
        seen: set[int] = set()
        self._touch(0, seen)
        return seen

    def _touch(self, number: int, visited: set[int]) -> None:
        if number not in self._whole or number in visited:
            return
        visited.add(number)
        owner = self._layout.space.objects[number]
        if has_contents(owner):
            field = owner.first + owner.names.index(CONTENTS)
            self._value(field, self._cells[number], 0, visited)
            self._fillers[number](self._objects[number], self._cells[number][0])
        else:
            self._fill(owner, self._cells[number], visited)

    def _fill(self, owner: SpaceObject, cells: list[Any], visited: set[int]) -> None:
        container = self._objects[owner.number]
        if owner.is_sequence:
            length = self._value(owner.first, cells, 0, visited)
            values = [self._value(owner.first + at, cells, at, visited) for at in range(1, length + 1)]
        else:
            values = [self._value(owner.first + at, cells, at, visited) for at in range(len(cells))]
        container.clear()
        if owner.is_sequence:
            container.extend(values)
        elif owner.domain.kind is DomainKind.SET:
            container.update(key for key, holds in zip(owner.domain.keys, values, strict=True) if holds)
        else:
            items = zip(owner.domain.keys, values, strict=True)
            container.update(item for item in items if item[1] is not ABSENT)

    def _value(self, field: int, cells: list[Any], at: int, visited: set[int]) -> Any:
        if cells[at] is UNREAD:
            self._read(field)
        self._touch(self._layout.objects[field][self._stack.vector[field]], visited)
        return cells[at]
