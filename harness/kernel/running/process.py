"""The processes that run an original: a zygote, which `harness.runner.zygotes` starts, or an observer of types."""

from __future__ import annotations

from harness.kernel.process.answering import answer

ZYGOTE = "zygote"


def main(arguments: list[str]) -> int:
    """Serve orders as a zygote, given ZYGOTE, JOB, OUTBOX, ORDERS and FACTS; else answer the question.

    See `harness.kernel.running.zygote` and `harness.kernel.process.answering`.
    """
    if arguments[0] == ZYGOTE:
        from harness.kernel.running.zygote import serve_orders

        return serve_orders(*arguments[1:])
    from harness.kernel.running.profiling import observe_types

    return answer(arguments, observe_types)
