"""A stack as a row of nodes."""

from __future__ import annotations


class Node:
    """An element above others."""

    def __init__(self, element: object, below: Node | None) -> None:
        self.element: object = element
        self.next: Node | None = below


class LinkedStack:
    """A stack; `top` is the node that was pushed last."""

    def __init__(self) -> None:
        self.top: Node | None = None

    def push(self, element: object) -> None:
        """Puts `element` on top."""
        self.top = Node(element, self.top)

    def pop(self) -> object:
        """Takes the element on top away and returns it.

        Raises:
            IndexError: the stack is empty.
        """
        top = self.top
        if top is None:
            raise IndexError("pop from an empty stack")
        self.top = top.next
        return top.element

    def is_empty(self) -> bool:
        """Whether there is no element."""
        return self.top is None
