"""A set of hashable objects or None, backed by a hash table with chains."""

from __future__ import annotations

from dataclasses import dataclass

PRESENT = True


@dataclass(eq=False)
class Element:
    """An object that brings its own hash code, and is equal to itself only."""

    hash_code: int

    def __hash__(self) -> int:
        return self.hash_code


class Entry:
    """A key with its hash code and value, and the next entry in the same bucket."""

    def __init__(self, hash_code: int, key: Element | None, value: bool, following: Entry | None) -> None:
        self.hash_code: int = hash_code
        self.key: Element | None = key
        self.value: bool = value
        self.next: Entry | None = following


class HashMap:
    """A map; `count` is the number of its keys, and no more than `threshold` of them fit into `table`."""

    def __init__(self, capacity: int = 11) -> None:
        self.table: list[Entry | None] = [None] * capacity
        self.count: int = 0
        self.threshold: int = capacity * 3 // 4

    def contains_key(self, key: Element | None) -> bool:
        """Whether the map has `key`."""
        hash_code = hash_of(key)
        entry = self.table[hash_code % len(self.table)]
        while entry is not None:
            if entry.hash_code == hash_code and entry.key == key:
                return True
            entry = entry.next
        return False

    def put(self, key: Element | None, value: bool) -> bool | None:
        """Gives `key` a value; returns the one that it had, None where it is new."""
        hash_code = hash_of(key)
        index = hash_code % len(self.table)
        entry = self.table[index]
        while entry is not None:
            if entry.hash_code == hash_code and entry.key == key:
                old = entry.value
                entry.value = value
                return old
            entry = entry.next
        if self.count >= self.threshold:
            self.rehash()
            index = hash_code % len(self.table)
        self.table[index] = Entry(hash_code, key, value, self.table[index])
        self.count += 1
        return None

    def remove(self, key: Element | None) -> bool | None:
        """Removes `key`; returns the value that it had, None where it was absent."""
        hash_code = hash_of(key)
        index = hash_code % len(self.table)
        previous: Entry | None = None
        entry = self.table[index]
        while entry is not None:
            if entry.hash_code == hash_code and entry.key == key:
                if previous is None:
                    self.table[index] = entry.next
                else:
                    previous.next = entry.next
                self.count -= 1
                return entry.value
            previous = entry
            entry = entry.next
        return None

    def rehash(self) -> None:
        """Moves all entries to a table of about twice the size."""
        capacity = 2 * len(self.table) + 1
        table: list[Entry | None] = [None] * capacity
        for bucket in self.table:
            entry = bucket
            while entry is not None:
                following = entry.next
                index = entry.hash_code % capacity
                entry.next = table[index]
                table[index] = entry
                entry = following
        self.table = table
        self.threshold = capacity * 3 // 4


class HashSet:
    """A set: the keys of a map in which every value is PRESENT."""

    def __init__(self) -> None:
        self.map: HashMap = HashMap()

    def add(self, element: Element | None) -> bool:
        """Adds `element`; returns whether it was absent."""
        return self.map.put(element, PRESENT) is None

    def remove(self, element: Element | None) -> bool:
        """Removes `element`; returns whether it was present."""
        return self.map.remove(element) is PRESENT

    def contains(self, element: Element | None) -> bool:
        """Whether `element` is in the set."""
        return self.map.contains_key(element)


def hash_of(key: Element | None) -> int:
    """The hash code of `key`; 0 for None."""
    return 0 if key is None else hash(key)
