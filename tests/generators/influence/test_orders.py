"""Orders of routines: the numbers of Table 4.3, and all orders of small programs by definition."""

from candidate_classes import TEMPERATURE_MONITOR, temperature_monitor
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_candidates import naive_orders
from random_influences import influences

from harness.generators.influence.enumeration import Order, Orders
from harness.generators.influence.influence import influence_of

WARNING = 4


def grouped(orders: Orders, length: int, begun: Order = ()) -> list[Order]:
    if len(begun) == length:
        return [begun]
    return [whole for routine in orders.forward(begun, length) for whole in grouped(orders, length, (*begun, routine))]


def test_the_temperature_monitor_has_the_orders_of_table_4_3():
    monitor = influence_of([("monitor", TEMPERATURE_MONITOR)], temperature_monitor())
    orders, printed = Orders(monitor, WARNING), Orders(monitor, WARNING, printed_rule=True)
    by_length = [list(orders.backward(length)) for length in range(1, 7)]
    assert [len(some) for some in by_length] == [1, 2, 5, 14, 41, 122]
    assert [sum(order[0] == 0 for order in some) for some in by_length] == [0, 1, 2, 5, 14, 41], "can be executed"
    assert [len(list(printed.backward(length))) for length in range(1, 7)] == [1, 2, 4, 7, 11, 16]


@settings(max_examples=40, deadline=None)
@given(influences(), st.integers(0, 3), st.integers(1, 5), st.booleans())
def test_both_ways_find_exactly_the_orders_that_the_definition_allows(influence, target, length, printed_rule):
    target = target % len(influence.facts)
    orders = Orders(influence, target, printed_rule)
    backward, forward = list(orders.backward(length)), grouped(orders, length)
    expected = naive_orders(influence, target, length, printed_rule)
    assert set(backward) == set(forward) == expected
    assert len(backward) == len(forward) == len(expected)
    assert forward == sorted(forward)
    assert orders.has_any(length) == bool(expected)
