"""A subject whose calls return, raise, change and take objects of its own class, and whose spec has no invariant."""

SHELF = """
from threading import Lock


class Shelf:
    class Full(Exception):
        pass

    def __init__(self, books=()):
        self.books = list(books)
        self.lock = Lock()
        self._changes = 0
        self._asked = 0

    def put(self, book, *, at=0):
        if len(self.books) > 2:
            raise Shelf.Full
        self.books.insert(at, book)
        self._changes += 1
        return self

    def first(self):
        return self.books[0]

    def weight(self):
        return 1.5 * len(self.books)

    def count(self):
        return len(self.books)

    def asked(self):
        self._asked += 1
        return self._asked

    def twice(self):
        return Shelf(self.books * 2)

    def halves(self):
        half = len(self.books) // 2
        return half, Shelf(self.books[:half]), Shelf(self.books[half:]), self

    def holds(self, book):
        return book in self.books

    def take_from(self, other):
        self.books += other.books
        other.books = []


def both(shelf, other):
    return [shelf.books, other.books]
"""
SHELF_SPEC = """
from harness.spec import SequenceScope


def sequences(scope):
    s = SequenceScope("Shelf")
    s.constructor()
    s.constructor([(), (1, "x")])
    s.method("put", s.tokens("Book", 2), at=range(2))
    s.method("first")
    s.method("weight")
    s.method("twice")
    s.method("halves")
    s.method("take_from", s.earlier("Shelf"))
    s.function("both", s.earlier("Shelf"))
    s.elements(4)
    s.omit("lock", "_.*")
    s.misuse("LookupError", "Full")
    return s
"""
