"""A set of integers as an AVL tree: a search tree in which the heights of siblings differ by at most one."""

from __future__ import annotations


class Node:
    """A key with the subtrees of the smaller and of the larger keys; a leaf has height 0."""

    def __init__(self, key: int) -> None:
        self.key: int = key
        self.height: int = 0
        self.left: Node | None = None
        self.right: Node | None = None


class AVLTree:
    """A set of integers."""

    def __init__(self) -> None:
        self.root: Node | None = None

    def add(self, key: int) -> bool:
        """Adds `key` to the set; returns whether it was absent."""
        if self.contains(key):
            return False
        self.root = self._with(self.root, key)
        return True

    def remove(self, key: int) -> bool:
        """Removes `key` from the set; returns whether it was present."""
        if not self.contains(key):
            return False
        self.root = self._without(self.root, key)
        return True

    def contains(self, key: int) -> bool:
        """Whether `key` is in the set."""
        node = self.root
        while node is not None and node.key != key:
            node = node.left if key < node.key else node.right
        return node is not None

    def _with(self, node: Node | None, key: int) -> Node:
        """The subtree `node` with a key that it lacks."""
        if node is None:
            return Node(key)
        if key < node.key:
            node.left = self._with(node.left, key)
        else:
            node.right = self._with(node.right, key)
        return self._balanced(node)

    def _without(self, node: Node, key: int) -> Node | None:
        """The subtree `node` without a key that it has."""
        if key < node.key:
            node.left = self._without(node.left, key)
        elif key > node.key:
            node.right = self._without(node.right, key)
        elif node.left is None:
            return node.right
        elif node.right is None:
            return node.left
        else:
            following = node.right
            while following.left is not None:
                following = following.left
            node.key = following.key
            node.right = self._without(node.right, following.key)
        return self._balanced(node)

    def _balanced(self, node: Node) -> Node:
        """The subtree `node`, whose siblings' heights may differ by two, in balance again."""
        if height_of(node.left) > height_of(node.right) + 1:
            if height_of(node.left.left) < height_of(node.left.right):
                node.left = self._rotated_left(node.left)
            return self._rotated_right(node)
        if height_of(node.right) > height_of(node.left) + 1:
            if height_of(node.right.right) < height_of(node.right.left):
                node.right = self._rotated_right(node.right)
            return self._rotated_left(node)
        self._measure(node)
        return node

    def _rotated_left(self, node: Node) -> Node:
        upper = node.right
        node.right = upper.left
        upper.left = node
        self._measure(node)
        self._measure(upper)
        return upper

    def _rotated_right(self, node: Node) -> Node:
        upper = node.left
        node.left = upper.right
        upper.right = node
        self._measure(node)
        self._measure(upper)
        return upper

    def _measure(self, node: Node) -> None:
        """Sets the height of `node` by those of its children."""
        left = height_of(node.left)
        right = height_of(node.right)
        node.height = 1 + (left if left > right else right)


def height_of(node: Node | None) -> int:
    """The height of a subtree; that of an empty one is -1."""
    return -1 if node is None else node.height
