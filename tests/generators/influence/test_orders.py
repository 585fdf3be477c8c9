"""Orders of routines: the numbers of Table 4.3, and all orders of small programs by definition."""

import pytest
from candidate_classes import TEMPERATURE_MONITOR, temperature_monitor
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_candidates import naive_orders
from random_influences import influences

from harness.generators.influence.influence import influence_of
from harness.generators.influence.orders import Order, Orders

WARNING = 4


@pytest.fixture(scope="module")
def monitor():
    return influence_of([("monitor", TEMPERATURE_MONITOR)], temperature_monitor())


def grouped(orders: Orders, length: int, begun: Order = ()) -> list[Order]:
    if len(begun) == length:
        return [begun]
    return [whole for routine in orders.forward(begun, length) for whole in grouped(orders, length, (*begun, routine))]


def test_the_temperature_monitor_has_the_candidates_of_table_4_3(monitor):
    orders = Orders(monitor, WARNING)
    assert [len(list(orders.backward(length))) for length in range(1, 7)] == [1, 2, 5, 14, 41, 122]


def test_the_printed_partial_order_reduction_leaves_those_of_table_4_3(monitor):
    orders = Orders(monitor, WARNING, printed_rule=True)
    assert [len(list(orders.backward(length))) for length in range(1, 7)] == [1, 2, 4, 7, 11, 16]


def test_as_many_of_them_can_be_executed_as_table_4_3_says(monitor):
    orders = Orders(monitor, WARNING)
    begun_with_a_constructor = [sum(order[0] == 0 for order in orders.backward(length)) for length in range(1, 7)]
    assert begun_with_a_constructor == [0, 1, 2, 5, 14, 41]


def test_where_no_routine_influences_the_target_it_is_alone(monitor):
    orders = Orders(monitor, target=0)
    assert [list(orders.backward(length)) for length in (1, 2)] == [[(0,)], []]
    assert orders.has_any(1)
    assert not orders.has_any(2)


def test_forward_begins_with_nothing_that_cannot_be_ended(monitor):
    assert grouped(Orders(monitor, WARNING), 2) == [(0, WARNING), (2, WARNING)]
    assert list(Orders(monitor, WARNING).forward((1,), 2)) == []


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
