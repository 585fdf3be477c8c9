"""A map with integer keys in order, as a red-black tree (Cormen et al., chapter 13)."""

from __future__ import annotations

RED = False
BLACK = True


class Entry:
    """A key with its value and the subtrees of the smaller and of the larger keys."""

    def __init__(self, key: int, value: int, parent: Entry | None) -> None:
        self.key: int = key
        self.value: int = value
        self.left: Entry | None = None
        self.right: Entry | None = None
        self.parent: Entry | None = parent
        self.color: bool = BLACK


class TreeMap:
    """A map from integers to integers; `size` is the number of its keys."""

    def __init__(self) -> None:
        self.root: Entry | None = None
        self.size: int = 0

    def get(self, key: int) -> int | None:
        """The value of `key`; None where the map lacks it."""
        entry = self._find(key)
        return None if entry is None else entry.value

    def contains_key(self, key: int) -> bool:
        """Whether the map has `key`."""
        return self._find(key) is not None

    def put(self, key: int, value: int) -> int | None:
        """Gives `key` a value; returns the one that it had, None where it is new."""
        parent: Entry | None = None
        current = self.root
        while current is not None:
            parent = current
            if key < current.key:
                current = current.left
            elif key > current.key:
                current = current.right
            else:
                old = current.value
                current.value = value
                return old
        entry = Entry(key, value, parent)
        if parent is None:
            self.root = entry
        elif key < parent.key:
            parent.left = entry
        else:
            parent.right = entry
        self.size += 1
        self.fix_after_insertion(entry)
        return None

    def remove(self, key: int) -> int | None:
        """Removes `key`; returns the value that it had, None where it was absent."""
        entry = self._find(key)
        if entry is None:
            return None
        old = entry.value
        self._delete_entry(entry)
        return old

    def fix_after_insertion(self, entry: Entry) -> None:
        """Restores the colours after `entry` was added as a leaf."""
        entry.color = RED
        while entry is not self.root and entry.parent is not self.root and entry.parent.color == RED:
            parent = entry.parent
            grandparent = parent.parent
            if parent is grandparent.left:
                uncle = grandparent.right
                if color_of(uncle) == RED:
                    parent.color = BLACK
                    uncle.color = BLACK
                    grandparent.color = RED
                    entry = grandparent
                else:
                    if entry is parent.right:
                        entry = parent
                        self.rotate_left(entry)
                    entry.parent.color = BLACK
                    grandparent.color = RED
                    self.rotate_right(grandparent)
            else:
                uncle = grandparent.left
                if color_of(uncle) == RED:
                    parent.color = BLACK
                    uncle.color = BLACK
                    grandparent.color = RED
                    entry = grandparent
                else:
                    if entry is parent.left:
                        entry = parent
                        self.rotate_right(entry)
                    entry.parent.color = BLACK
                    grandparent.color = RED
                    self.rotate_left(grandparent)
        self.root.color = BLACK

    def fix_after_deletion(self, entry: Entry) -> None:
        """Restores the colours where the paths through `entry` lack one black node."""
        while entry is not self.root and color_of(entry) == BLACK:
            parent = entry.parent
            if entry is parent.left:
                sibling = parent.right
                if color_of(sibling) == RED:
                    sibling.color = BLACK
                    parent.color = RED
                    self.rotate_left(parent)
                    sibling = parent.right
                if color_of(left_of(sibling)) == BLACK and color_of(right_of(sibling)) == BLACK:
                    sibling.color = RED
                    entry = parent
                else:
                    if color_of(right_of(sibling)) == BLACK:
                        sibling.left.color = BLACK
                        sibling.color = RED
                        self.rotate_right(sibling)
                        sibling = parent.right
                    sibling.color = parent.color
                    parent.color = BLACK
                    sibling.right.color = BLACK
                    self.rotate_left(parent)
                    entry = self.root
            else:
                sibling = parent.left
                if color_of(sibling) == RED:
                    sibling.color = BLACK
                    parent.color = RED
                    self.rotate_right(parent)
                    sibling = parent.left
                if color_of(right_of(sibling)) == BLACK and color_of(left_of(sibling)) == BLACK:
                    sibling.color = RED
                    entry = parent
                else:
                    if color_of(left_of(sibling)) == BLACK:
                        sibling.right.color = BLACK
                        sibling.color = RED
                        self.rotate_left(sibling)
                        sibling = parent.left
                    sibling.color = parent.color
                    parent.color = BLACK
                    sibling.left.color = BLACK
                    self.rotate_right(parent)
                    entry = self.root
        entry.color = BLACK

    def rotate_left(self, entry: Entry) -> None:
        """Lifts the right child of `entry` into its place."""
        right = entry.right
        entry.right = right.left
        if right.left is not None:
            right.left.parent = entry
        self._replace(entry, right)
        right.left = entry
        entry.parent = right

    def rotate_right(self, entry: Entry) -> None:
        """Lifts the left child of `entry` into its place."""
        left = entry.left
        entry.left = left.right
        if left.right is not None:
            left.right.parent = entry
        self._replace(entry, left)
        left.right = entry
        entry.parent = left

    def _find(self, key: int) -> Entry | None:
        """The entry of `key`, if any."""
        entry = self.root
        while entry is not None and key != entry.key:
            entry = entry.left if key < entry.key else entry.right
        return entry

    def _delete_entry(self, entry: Entry) -> None:
        """Takes the key of `entry` out of the tree."""
        self.size -= 1
        if entry.left is not None and entry.right is not None:
            successor = entry.right
            while successor.left is not None:
                successor = successor.left
            entry.key = successor.key
            entry.value = successor.value
            entry = successor
        child = entry.left if entry.left is not None else entry.right
        if child is not None:
            self._replace(entry, child)
            if entry.color == BLACK:
                self.fix_after_deletion(child)
        else:
            if entry.color == BLACK:
                self.fix_after_deletion(entry)
            self._replace(entry, None)

    def _replace(self, entry: Entry, other: Entry | None) -> None:
        """Hangs `other` where `entry` hangs."""
        parent = entry.parent
        if other is not None:
            other.parent = parent
        if parent is None:
            self.root = other
        elif parent.left is entry:
            parent.left = other
        else:
            parent.right = other


def color_of(entry: Entry | None) -> bool:
    """The colour of `entry`; black where there is none."""
    return BLACK if entry is None else entry.color


def left_of(entry: Entry | None) -> Entry | None:
    """The left child of `entry`, if there is one."""
    return None if entry is None else entry.left


def right_of(entry: Entry | None) -> Entry | None:
    """The right child of `entry`, if there is one."""
    return None if entry is None else entry.right
