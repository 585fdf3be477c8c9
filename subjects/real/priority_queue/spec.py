"""queue.PriorityQueue, of the standard library: a heap behind a lock, with a bound and a count of unfinished tasks."""

from threading import Condition, RLock

from harness.spec import Finitization, SequenceScope

title = "PriorityQueue"
implementation = "queue"
blocked = ("_queue",)  # else its exception Empty comes from C
helpers = ["Queue.get", "Queue.put", "PriorityQueue._init", "PriorityQueue._qsize", "PriorityQueue._put",
           "PriorityQueue._get"]  # fmt: skip

_MUTEX = RLock()  # of all queues: the conditions of a queue share its lock


def rep_ok(state) -> bool:
    """A heap of no more elements than the bound, if there is one; tasks may be told done before they are taken."""
    heap = state.queue
    if 0 < state.maxsize < len(heap):
        return False
    if state.unfinished_tasks < 0:
        return False
    return all(heap[(index - 1) // 2] <= heap[index] for index in range(1, len(heap)))


def abstraction(state) -> tuple:
    """The elements in order, the bound and the tasks."""
    return tuple(sorted(state.queue)), state.maxsize, state.unfinished_tasks


def lock():
    """The lock of every queue."""
    return _MUTEX


def condition():
    """A condition on that lock, on which nobody waits."""
    return Condition(_MUTEX)


def finitization(scope: int) -> Finitization:
    """Heaps of at most `scope` elements 1..scope, bounds 0..scope, unfinished tasks 0..scope+1."""
    elements = range(1, scope + 1)
    f = Finitization("PriorityQueue")
    f.set("PriorityQueue.queue", f.lists(1, lengths=range(scope + 1), elements=elements))
    f.set("PriorityQueue.maxsize", range(scope + 1))
    f.set("PriorityQueue.unfinished_tasks", range(scope + 2))
    f.set("PriorityQueue.mutex", f.opaque(lock))
    for name in ("not_empty", "not_full", "all_tasks_done"):
        f.set(f"PriorityQueue.{name}", f.opaque(condition))
    f.method("put_nowait", elements)
    f.method("get_nowait")
    f.method("task_done")
    f.method("qsize")
    f.method("empty")
    f.method("full")
    return f


def sequences(scope: int) -> SequenceScope:
    """The same: what is put into a queue of `scope` + 1 unfinished tasks is left out, else these have no end."""

    def leaves_few_tasks(state, element):
        return state.unfinished_tasks <= scope

    s = SequenceScope("PriorityQueue")
    s.constructor(range(scope + 1))
    s.method("put_nowait", range(1, scope + 1), requires=leaves_few_tasks)
    for name in ("get_nowait", "task_done", "qsize", "empty", "full"):
        s.method(name)
    s.elements(scope)
    s.omit("mutex", "not_empty", "not_full", "all_tasks_done")
    s.misuse("Empty", "Full", "ValueError")
    s.builders("put_nowait", "get_nowait", "task_done")
    return s
