"""The process that runs an original and its mutants: a zygote, which `harness.runner.zygotes` starts."""

from __future__ import annotations


def main(arguments: list[str]) -> int:
    """Serve orders as a zygote, given JOB, OUTBOX, ORDERS and FACTS; see `harness.kernel.running.zygote`."""
    from harness.kernel.running.zygote import serve_orders

    return serve_orders(*arguments)
