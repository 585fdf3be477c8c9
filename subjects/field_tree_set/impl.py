"""A set of integers in order, as a red-black tree without sentinels (Cormen et al., chapter 13)."""

from __future__ import annotations

RED = False
BLACK = True


class Entry:
    """A key with the subtrees of the smaller and of the larger keys; red as long as nobody says otherwise."""

    def __init__(self, key: int, parent: Entry | None) -> None:
        self.key: int = key
        self.left: Entry | None = None
        self.right: Entry | None = None
        self.parent: Entry | None = parent
        self.color: bool = RED


class TreeSet:
    """A set of integers; `size` is the number of its elements."""

    def __init__(self) -> None:
        self.root: Entry | None = None
        self.size: int = 0

    def contains(self, key: int) -> bool:
        """Whether `key` is in the set."""
        return self._find(key) is not None

    def add(self, key: int) -> bool:
        """Adds `key` to the set; returns whether it was absent."""
        parent: Entry | None = None
        current = self.root
        while current is not None:
            if key == current.key:
                return False
            parent = current
            current = current.left if key < current.key else current.right
        entry = Entry(key, parent)
        if parent is None:
            self.root = entry
        elif key < parent.key:
            parent.left = entry
        else:
            parent.right = entry
        self._fix_added(entry)
        self.size += 1
        return True

    def remove(self, key: int) -> bool:
        """Removes `key` from the set; returns whether it was present."""
        entry = self._find(key)
        if entry is None:
            return False
        if entry.left is not None and entry.right is not None:
            successor = entry.right
            while successor.left is not None:
                successor = successor.left
            entry.key = successor.key
            entry = successor
        child = entry.left if entry.left is not None else entry.right
        self._replace(entry, child)
        if entry.color == BLACK:
            self._fix_removed(child, entry.parent)
        self.size -= 1
        return True

    def _find(self, key: int) -> Entry | None:
        """The entry of `key`, if any."""
        current = self.root
        while current is not None:
            if key < current.key:
                current = current.left
            elif key > current.key:
                current = current.right
            else:
                return current
        return None

    def _fix_added(self, entry: Entry) -> None:
        """Separates the red `entry`, whose subtree is sound, from a red parent; blackens the root."""
        while entry is not self.root and entry.parent is not self.root and entry.parent.color == RED:
            parent = entry.parent
            grandparent = parent.parent
            if parent is grandparent.left:
                uncle = grandparent.right
                if is_red(uncle):
                    parent.color = BLACK
                    uncle.color = BLACK
                    grandparent.color = RED
                    entry = grandparent
                else:
                    if entry is parent.right:
                        self._rotate_left(parent)
                        entry = parent
                    entry.parent.color = BLACK
                    grandparent.color = RED
                    self._rotate_right(grandparent)
            else:
                uncle = grandparent.left
                if is_red(uncle):
                    parent.color = BLACK
                    uncle.color = BLACK
                    grandparent.color = RED
                    entry = grandparent
                else:
                    if entry is parent.left:
                        self._rotate_right(parent)
                        entry = parent
                    entry.parent.color = BLACK
                    grandparent.color = RED
                    self._rotate_left(grandparent)
        self.root.color = BLACK

    def _fix_removed(self, entry: Entry | None, parent: Entry | None) -> None:
        """Gives a black node more to the paths through `entry`, a subtree of `parent`, which lack one."""
        while entry is not self.root and not is_red(entry):
            if entry is parent.left:
                sibling = parent.right
                if sibling.color == RED:
                    sibling.color = BLACK
                    parent.color = RED
                    self._rotate_left(parent)
                    sibling = parent.right
                if not is_red(sibling.left) and not is_red(sibling.right):
                    sibling.color = RED
                    entry = parent
                    parent = entry.parent
                else:
                    if not is_red(sibling.right):
                        sibling.left.color = BLACK
                        sibling.color = RED
                        self._rotate_right(sibling)
                        sibling = parent.right
                    sibling.color = parent.color
                    parent.color = BLACK
                    sibling.right.color = BLACK
                    self._rotate_left(parent)
                    entry = self.root
            else:
                sibling = parent.left
                if sibling.color == RED:
                    sibling.color = BLACK
                    parent.color = RED
                    self._rotate_right(parent)
                    sibling = parent.left
                if not is_red(sibling.right) and not is_red(sibling.left):
                    sibling.color = RED
                    entry = parent
                    parent = entry.parent
                else:
                    if not is_red(sibling.left):
                        sibling.right.color = BLACK
                        sibling.color = RED
                        self._rotate_left(sibling)
                        sibling = parent.left
                    sibling.color = parent.color
                    parent.color = BLACK
                    sibling.left.color = BLACK
                    self._rotate_right(parent)
                    entry = self.root
        if entry is not None:
            entry.color = BLACK

    def _rotate_left(self, entry: Entry) -> None:
        """Lifts the right child of `entry` into its place."""
        right = entry.right
        self._replace(entry, right)
        entry.right = right.left
        if right.left is not None:
            right.left.parent = entry
        right.left = entry
        entry.parent = right

    def _rotate_right(self, entry: Entry) -> None:
        """Lifts the left child of `entry` into its place."""
        left = entry.left
        self._replace(entry, left)
        entry.left = left.right
        if left.right is not None:
            left.right.parent = entry
        left.right = entry
        entry.parent = left

    def _replace(self, entry: Entry, other: Entry | None) -> None:
        """Hangs `other` where `entry` hangs."""
        parent = entry.parent
        if parent is None:
            self.root = other
        elif parent.left is entry:
            parent.left = other
        else:
            parent.right = other
        if other is not None:
            other.parent = parent


def is_red(entry: Entry | None) -> bool:
    """Whether `entry` is red; where there is none, it counts as black."""
    return entry is not None and entry.color == RED
