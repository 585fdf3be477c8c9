"""A set of integers as a red-black tree with a sentinel (Cormen et al., Introduction to Algorithms, ch. 13)."""

from __future__ import annotations

RED = False
BLACK = True


class Nil:
    """The sentinel: black, in the place of every missing child and of the root's parent."""

    def __init__(self) -> None:
        self.color: bool = BLACK
        self.parent: Node | None = None


class Node:
    """A red key between the subtrees of the smaller and of the larger keys."""

    def __init__(self, key: int, parent: Node | Nil, nil: Nil) -> None:
        self.key: int = key
        self.color: bool = RED
        self.parent: Node | Nil = parent
        self.left: Node | Nil = nil
        self.right: Node | Nil = nil


class RedBlackTree:
    """A set of integers."""

    def __init__(self) -> None:
        self.nil: Nil = Nil()
        self.root: Node | Nil = self.nil

    def add(self, key: int) -> bool:
        """Adds `key` to the set; returns whether it was absent."""
        parent = self.nil
        node = self.root
        while node is not self.nil:
            if key == node.key:
                return False
            parent = node
            node = node.left if key < node.key else node.right
        node = Node(key, parent, self.nil)
        if parent is self.nil:
            self.root = node
        elif key < parent.key:
            parent.left = node
        else:
            parent.right = node
        self._fix_after_adding(node)
        return True

    def remove(self, key: int) -> bool:
        """Removes `key` from the set; returns whether it was present."""
        node = self._find(key)
        if node is self.nil:
            return False
        removed = node.color
        if node.left is self.nil:
            moved = node.right
            self._transplant(node, moved)
        elif node.right is self.nil:
            moved = node.left
            self._transplant(node, moved)
        else:
            following = self._least(node.right)
            removed = following.color
            moved = following.right
            if following.parent is node:
                moved.parent = following
            else:
                self._transplant(following, moved)
                following.right = node.right
                following.right.parent = following
            self._transplant(node, following)
            following.left = node.left
            following.left.parent = following
            following.color = node.color
        if removed == BLACK:
            self._fix_after_removing(moved)
        self.nil.parent = None
        return True

    def contains(self, key: int) -> bool:
        """Whether `key` is in the set."""
        return self._find(key) is not self.nil

    def _find(self, key: int) -> Node | Nil:
        node = self.root
        while node is not self.nil and node.key != key:
            node = node.left if key < node.key else node.right
        return node

    def _least(self, node: Node) -> Node:
        while node.left is not self.nil:
            node = node.left
        return node

    def _transplant(self, node: Node, other: Node | Nil) -> None:
        """Puts the subtree `other` in the place of the subtree `node`."""
        if node.parent is self.nil:
            self.root = other
        elif node is node.parent.left:
            node.parent.left = other
        else:
            node.parent.right = other
        other.parent = node.parent

    def _rotate_left(self, node: Node) -> None:
        upper = node.right
        node.right = upper.left
        if upper.left is not self.nil:
            upper.left.parent = node
        self._transplant(node, upper)
        upper.left = node
        node.parent = upper

    def _rotate_right(self, node: Node) -> None:
        upper = node.left
        node.left = upper.right
        if upper.right is not self.nil:
            upper.right.parent = node
        self._transplant(node, upper)
        upper.right = node
        node.parent = upper

    def _fix_after_adding(self, node: Node) -> None:
        """Recolours and rotates until no red node has a red parent."""
        while node.parent.color == RED:
            parent = node.parent
            above = parent.parent
            if parent is above.left:
                uncle = above.right
                if uncle.color == RED:
                    parent.color = BLACK
                    uncle.color = BLACK
                    above.color = RED
                    node = above
                else:
                    if node is parent.right:
                        node = parent
                        self._rotate_left(node)
                    node.parent.color = BLACK
                    above.color = RED
                    self._rotate_right(above)
            else:
                uncle = above.left
                if uncle.color == RED:
                    parent.color = BLACK
                    uncle.color = BLACK
                    above.color = RED
                    node = above
                else:
                    if node is parent.left:
                        node = parent
                        self._rotate_right(node)
                    node.parent.color = BLACK
                    above.color = RED
                    self._rotate_left(above)
        self.root.color = BLACK

    def _fix_after_removing(self, node: Node | Nil) -> None:
        """Recolours and rotates until all paths have as many black nodes, of which those through `node` lack one."""
        while node is not self.root and node.color == BLACK:
            parent = node.parent
            if node is parent.left:
                sibling = parent.right
                if sibling.color == RED:
                    sibling.color = BLACK
                    parent.color = RED
                    self._rotate_left(parent)
                    sibling = parent.right
                if sibling.left.color == BLACK and sibling.right.color == BLACK:
                    sibling.color = RED
                    node = parent
                else:
                    if sibling.right.color == BLACK:
                        sibling.left.color = BLACK
                        sibling.color = RED
                        self._rotate_right(sibling)
                        sibling = parent.right
                    sibling.color = parent.color
                    parent.color = BLACK
                    sibling.right.color = BLACK
                    self._rotate_left(parent)
                    node = self.root
            else:
                sibling = parent.left
                if sibling.color == RED:
                    sibling.color = BLACK
                    parent.color = RED
                    self._rotate_right(parent)
                    sibling = parent.left
                if sibling.left.color == BLACK and sibling.right.color == BLACK:
                    sibling.color = RED
                    node = parent
                else:
                    if sibling.left.color == BLACK:
                        sibling.right.color = BLACK
                        sibling.color = RED
                        self._rotate_left(sibling)
                        sibling = parent.left
                    sibling.color = parent.color
                    parent.color = BLACK
                    sibling.left.color = BLACK
                    self._rotate_right(parent)
                    node = self.root
        node.color = BLACK
