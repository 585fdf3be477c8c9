"""Mutants put together into orders, and what is left of one that is not answered whole."""

from __future__ import annotations

from harness.kernel.running.job import BatchFacts, BatchOrder, HarnessFault, MutantOrder
from harness.runner.mutant_stages import MOST_TOGETHER, batches
from harness.runner.zygotes import left_of, mutants_of


def orders(count: int) -> list[MutantOrder]:
    return [MutantOrder(str(number), "baseline", 0, 8, source="") for number in range(count)]


def test_all_mutants_are_in_batches_in_their_order_and_each_process_has_several() -> None:
    for count, jobs, sizes in [(10, 1, [10]), (100, 4, [6] * 16 + [4]), (MOST_TOGETHER + 1, 1, [MOST_TOGETHER, 1])]:
        all_orders = orders(count)
        made_batches = batches(all_orders, jobs)
        assert all(isinstance(batch, BatchOrder) for batch in made_batches)
        assert [len(batch.orders) for batch in made_batches if isinstance(batch, BatchOrder)] == sizes
        assert [
            order for batch in made_batches if isinstance(batch, BatchOrder) for order in batch.orders
        ] == all_orders


def test_few_mutants_are_ordered_one_by_one() -> None:
    for count, jobs in [(0, 1), (1, 1), (7, 1 << 4)]:
        assert list(batches(orders(count), jobs)) == orders(count)


def test_what_is_left_is_a_batch_and_single_orders_where_nothing_came_of_it() -> None:
    batch = BatchOrder("batch", tuple(orders(4)))
    facts = tuple(HarnessFault(order.id, "") for order in batch.orders)
    assert left_of(batch, BatchFacts("batch", facts)) is None
    assert left_of(batch, BatchFacts("batch", facts[:1])) == BatchOrder("1", batch.orders[1:])
    assert left_of(batch.orders[0], facts[0]) is None
    assert mutants_of(batch) == batch.orders
