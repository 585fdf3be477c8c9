"""A map with integer keys in order, as a red-black tree whose nodes change places (the older `java.util.TreeMap`)."""

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

    def put(self, key: int, value: int) -> int | None:
        """Gives `key` a value; returns the one that it had, None where it is new."""
        current = self.root
        if current is None:
            self._increment_size()
            self.root = Entry(key, value, None)
            return None
        while True:
            if key == current.key:
                old = current.value
                current.value = value
                return old
            if key < current.key:
                if current.left is None:
                    self._increment_size()
                    current.left = Entry(key, value, current)
                    self._fix_after_insertion(current.left)
                    return None
                current = current.left
            else:
                if current.right is None:
                    self._increment_size()
                    current.right = Entry(key, value, current)
                    self._fix_after_insertion(current.right)
                    return None
                current = current.right

    def remove(self, key: int) -> int | None:
        """Removes `key`; returns the value that it had, None where it was absent."""
        entry = self._get_entry(key)
        if entry is None:
            return None
        old = entry.value
        self._delete_entry(entry)
        return old

    def _get_entry(self, key: int) -> Entry | None:
        """The entry of `key`, if any."""
        entry = self.root
        while entry is not None:
            if key == entry.key:
                return entry
            entry = entry.left if key < entry.key else entry.right
        return None

    def _increment_size(self) -> None:
        self.size += 1

    def _decrement_size(self) -> None:
        self.size -= 1

    def _successor(self, entry: Entry | None) -> Entry | None:
        """The entry of the next larger key, if any."""
        if entry is None:
            return None
        if entry.right is not None:
            found = entry.right
            while found.left is not None:
                found = found.left
            return found
        above = entry.parent
        below = entry
        while above is not None and below is above.right:
            below = above
            above = above.parent
        return above

    @staticmethod
    def _color_of(entry: Entry | None) -> bool:
        return BLACK if entry is None else entry.color

    @staticmethod
    def _parent_of(entry: Entry | None) -> Entry | None:
        return None if entry is None else entry.parent

    @staticmethod
    def _left_of(entry: Entry | None) -> Entry | None:
        return None if entry is None else entry.left

    @staticmethod
    def _right_of(entry: Entry | None) -> Entry | None:
        return None if entry is None else entry.right

    @staticmethod
    def _set_color(entry: Entry | None, color: bool) -> None:
        if entry is not None:
            entry.color = color

    def _rotate_left(self, entry: Entry) -> None:
        """Lifts the right child of `entry` into its place."""
        right = entry.right
        entry.right = right.left
        if right.left is not None:
            right.left.parent = entry
        right.parent = entry.parent
        if entry.parent is None:
            self.root = right
        elif entry.parent.left is entry:
            entry.parent.left = right
        else:
            entry.parent.right = right
        right.left = entry
        entry.parent = right

    def _rotate_right(self, entry: Entry) -> None:
        """Lifts the left child of `entry` into its place."""
        left = entry.left
        entry.left = left.right
        if left.right is not None:
            left.right.parent = entry
        left.parent = entry.parent
        if entry.parent is None:
            self.root = left
        elif entry.parent.right is entry:
            entry.parent.right = left
        else:
            entry.parent.left = left
        left.right = entry
        entry.parent = left

    def _fix_after_insertion(self, entry: Entry | None) -> None:
        """Restores the colours after `entry` was added as a leaf."""
        color_of, parent_of, set_color = self._color_of, self._parent_of, self._set_color
        entry.color = RED
        while entry is not None and entry is not self.root and entry.parent.color == RED:
            if parent_of(entry) is self._left_of(parent_of(parent_of(entry))):
                uncle = self._right_of(parent_of(parent_of(entry)))
                if color_of(uncle) == RED:
                    set_color(parent_of(entry), BLACK)
                    set_color(uncle, BLACK)
                    set_color(parent_of(parent_of(entry)), RED)
                    entry = parent_of(parent_of(entry))
                else:
                    if entry is self._right_of(parent_of(entry)):
                        entry = parent_of(entry)
                        self._rotate_left(entry)
                    set_color(parent_of(entry), BLACK)
                    set_color(parent_of(parent_of(entry)), RED)
                    if parent_of(parent_of(entry)) is not None:
                        self._rotate_right(parent_of(parent_of(entry)))
            else:
                uncle = self._left_of(parent_of(parent_of(entry)))
                if color_of(uncle) == RED:
                    set_color(parent_of(entry), BLACK)
                    set_color(uncle, BLACK)
                    set_color(parent_of(parent_of(entry)), RED)
                    entry = parent_of(parent_of(entry))
                else:
                    if entry is self._left_of(parent_of(entry)):
                        entry = parent_of(entry)
                        self._rotate_right(entry)
                    set_color(parent_of(entry), BLACK)
                    set_color(parent_of(parent_of(entry)), RED)
                    if parent_of(parent_of(entry)) is not None:
                        self._rotate_left(parent_of(parent_of(entry)))
        self.root.color = BLACK

    def _delete_entry(self, entry: Entry) -> None:
        """Takes `entry` out of the tree; one with two children changes places with its successor first."""
        self._decrement_size()
        if entry.left is not None and entry.right is not None:
            self._swap_position(self._successor(entry), entry)
        replacement = entry.left if entry.left is not None else entry.right
        if replacement is not None:
            replacement.parent = entry.parent
            if entry.parent is None:
                self.root = replacement
            elif entry is entry.parent.left:
                entry.parent.left = replacement
            else:
                entry.parent.right = replacement
            entry.left = entry.right = entry.parent = None
            if entry.color == BLACK:
                self._fix_after_deletion(replacement)
        elif entry.parent is None:
            self.root = None
        else:
            if entry.color == BLACK:
                self._fix_after_deletion(entry)
            if entry.parent is not None:
                if entry is entry.parent.left:
                    entry.parent.left = None
                elif entry is entry.parent.right:
                    entry.parent.right = None
                entry.parent = None

    def _fix_after_deletion(self, entry: Entry | None) -> None:
        """Restores the colours where the paths through `entry` lack one black node."""
        color_of, parent_of, set_color = self._color_of, self._parent_of, self._set_color
        left_of, right_of = self._left_of, self._right_of
        while entry is not self.root and color_of(entry) == BLACK:
            if entry is left_of(parent_of(entry)):
                sibling = right_of(parent_of(entry))
                if color_of(sibling) == RED:
                    set_color(sibling, BLACK)
                    set_color(parent_of(entry), RED)
                    self._rotate_left(parent_of(entry))
                    sibling = right_of(parent_of(entry))
                if color_of(left_of(sibling)) == BLACK and color_of(right_of(sibling)) == BLACK:
                    set_color(sibling, RED)
                    entry = parent_of(entry)
                else:
                    if color_of(right_of(sibling)) == BLACK:
                        set_color(left_of(sibling), BLACK)
                        set_color(sibling, RED)
                        self._rotate_right(sibling)
                        sibling = right_of(parent_of(entry))
                    set_color(sibling, color_of(parent_of(entry)))
                    set_color(parent_of(entry), BLACK)
                    set_color(right_of(sibling), BLACK)
                    self._rotate_left(parent_of(entry))
                    entry = self.root
            else:
                sibling = left_of(parent_of(entry))
                if color_of(sibling) == RED:
                    set_color(sibling, BLACK)
                    set_color(parent_of(entry), RED)
                    self._rotate_right(parent_of(entry))
                    sibling = left_of(parent_of(entry))
                if color_of(right_of(sibling)) == BLACK and color_of(left_of(sibling)) == BLACK:
                    set_color(sibling, RED)
                    entry = parent_of(entry)
                else:
                    if color_of(left_of(sibling)) == BLACK:
                        set_color(right_of(sibling), BLACK)
                        set_color(sibling, RED)
                        self._rotate_left(sibling)
                        sibling = left_of(parent_of(entry))
                    set_color(sibling, color_of(parent_of(entry)))
                    set_color(parent_of(entry), BLACK)
                    set_color(left_of(sibling), BLACK)
                    self._rotate_right(parent_of(entry))
                    entry = self.root
        set_color(entry, BLACK)

    def _swap_position(self, one: Entry, other: Entry) -> None:
        """Lets two entries change places in the tree, and colours; either may be the other's parent."""
        one_parent, one_left, one_right = one.parent, one.left, one.right
        other_parent, other_left, other_right = other.parent, other.left, other.right
        one_was_left = one_parent is not None and one is one_parent.left
        other_was_left = other_parent is not None and other is other_parent.left
        if one is other_parent:
            one.parent = other
            if other_was_left:
                other.left, other.right = one, one_right
            else:
                other.left, other.right = one_left, one
        else:
            one.parent = other_parent
            if other_parent is not None:
                if other_was_left:
                    other_parent.left = one
                else:
                    other_parent.right = one
            other.left, other.right = one_left, one_right
        if other is one_parent:
            other.parent = one
            if one_was_left:
                one.left, one.right = other, other_right
            else:
                one.left, one.right = other_left, other
        else:
            other.parent = one_parent
            if one_parent is not None:
                if one_was_left:
                    one_parent.left = other
                else:
                    one_parent.right = other
            one.left, one.right = other_left, other_right
        if one.left is not None:
            one.left.parent = one
        if one.right is not None:
            one.right.parent = one
        if other.left is not None:
            other.left.parent = other
        if other.right is not None:
            other.right.parent = other
        one.color, other.color = other.color, one.color
        if self.root is one:
            self.root = other
        elif self.root is other:
            self.root = one
