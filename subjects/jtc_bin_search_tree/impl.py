"""A set of integers as an unbalanced binary search tree, with insertion and removal only (jtestcraft2010)."""

from __future__ import annotations


class Node:
    """A key with the subtrees of the smaller and of the larger keys."""

    def __init__(self, info: int) -> None:
        self.left: Node | None = None
        self.right: Node | None = None
        self.info: int = info


class BinSearchTree:
    """A set of integers; `size` is the number of its elements."""

    def __init__(self) -> None:
        self.root: Node | None = None
        self.size: int = 0

    def insert(self, info: int) -> bool:
        """Adds `info` to the set; returns whether it was absent."""
        parent: Node | None = None
        current = self.root
        while current is not None:
            parent = current
            if info < current.info:
                current = current.left
            elif info > current.info:
                current = current.right
            else:
                return False
        node = Node(info)
        if parent is None:
            self.root = node
        elif info < parent.info:
            parent.left = node
        else:
            parent.right = node
        self.size += 1
        return True

    def remove(self, info: int) -> bool:
        """Removes `info` from the set; returns whether it was present."""
        parent: Node | None = None
        current = self.root
        while current is not None:
            if info < current.info:
                parent = current
                current = current.left
            elif info > current.info:
                parent = current
                current = current.right
            else:
                break
        if current is None:
            return False
        change = self._remove_node(current)
        if parent is None:
            self.root = change
        elif parent.left is current:
            parent.left = change
        else:
            parent.right = change
        return True

    def _remove_node(self, current: Node) -> Node | None:
        """Takes the key out of the subtree `current`; returns the subtree's new root."""
        self.size -= 1
        left, right = current.left, current.right
        if left is None:
            return right
        if right is None:
            return left
        if left.right is None:
            current.info = left.info
            current.left = left.left
            return current
        temp = left
        while temp.right.right is not None:
            temp = temp.right
        current.info = temp.right.info
        temp.right = temp.right.left
        return current
