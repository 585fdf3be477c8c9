"""A set of integers as a search tree whose nodes know their parents."""

from __future__ import annotations


class Node:
    """A key below `parent`, with the subtrees of the smaller and of the larger keys."""

    def __init__(self, key: int, parent: Node | None) -> None:
        self.key: int = key
        self.parent: Node | None = parent
        self.left: Node | None = None
        self.right: Node | None = None


class ParentTree:
    """A set of integers."""

    def __init__(self) -> None:
        self.root: Node | None = None

    def add(self, key: int) -> bool:
        """Adds `key` to the set; returns whether it was absent."""
        parent = None
        node = self.root
        while node is not None:
            if key == node.key:
                return False
            parent = node
            node = node.left if key < node.key else node.right
        node = Node(key, parent)
        if parent is None:
            self.root = node
        elif key < parent.key:
            parent.left = node
        else:
            parent.right = node
        return True

    def remove(self, key: int) -> bool:
        """Removes `key` from the set; returns whether it was present."""
        node = self._find(key)
        if node is None:
            return False
        if node.left is not None and node.right is not None:
            following = node.right
            while following.left is not None:
                following = following.left
            node.key = following.key
            node = following
        child = node.right if node.left is None else node.left
        if child is not None:
            child.parent = node.parent
        if node.parent is None:
            self.root = child
        elif node.parent.left is node:
            node.parent.left = child
        else:
            node.parent.right = child
        return True

    def contains(self, key: int) -> bool:
        """Whether `key` is in the set."""
        return self._find(key) is not None

    def _find(self, key: int) -> Node | None:
        node = self.root
        while node is not None and node.key != key:
            node = node.left if key < node.key else node.right
        return node
