"""queue.PriorityQueue, by those of its calls that wait for nobody."""

from harness.spec import SequenceScope

title = "PriorityQueue"
implementation = "queue"
helpers = ["Queue.__init__", "PriorityQueue._init", "PriorityQueue._qsize", "PriorityQueue._put", "PriorityQueue._get",
           "Queue.put", "Queue.get"]  # fmt: skip


def sequences(scope: int) -> SequenceScope:
    """Queues of at most 0..scope elements 0..scope-1, after 2 scope + 1 calls at the most."""
    s = SequenceScope("PriorityQueue")
    s.constructor(range(scope + 1))
    s.method("put_nowait", range(scope))
    s.method("get_nowait")
    for name in ("task_done", "qsize", "empty", "full"):
        s.method(name)
    s.elements(scope)
    s.length(2 * scope + 1)  # else tasks could be more and more
    s.omit("mutex", "not_empty", "not_full", "all_tasks_done")
    s.misuse("Empty", "Full", "ValueError")
    return s
