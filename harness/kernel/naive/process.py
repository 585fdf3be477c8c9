"""The processes of the naive path: a judge, or a nursery of executors, which never share one.

`harness.runner.witness` converses with both. `main` is called with a role and the pipe ends ORDERS and FACTS.
"""

from __future__ import annotations

JUDGE, NURSERY = "judge", "nursery"


def main(arguments: list[str]) -> None:
    """Serve orders in the role that is named first, until their pipe closes."""
    role, orders_end, facts_end = arguments
    if role == JUDGE:
        from harness.kernel.naive.serving import serve_orders  # an executor must not find the judge's modules
    else:
        from harness.kernel.naive.nursery import serve_orders
    serve_orders(int(orders_end), int(facts_end))
