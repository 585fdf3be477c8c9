"""A page with 5,000 mutants and 500 tests as people use it, in headless Chromium; made only where one is installed."""

import pytest
from support.chromium import Chromium
from support.suite_samples import suite_run

from harness.model.experiment import ExecutionMode
from harness.report.pages.page import write_report

MUTANTS, TESTS, FUNCTIONS = 5_000, 500, 700
PROCESSOR_SECONDS = 2.0
"""What the issue grants the page to open; of processor time, so that a busy machine does not decide."""

pytestmark = pytest.mark.slow

CLEAR = "document.getElementById('filters').elements.namedItem('clear').click()"
"""Shows all mutants again."""


def kills(mutant: int) -> list[int]:
    """Each fourth and each tenth mutant lives; each seventh is killed by one test, others by up to 60."""
    if mutant % 10 == 9 or mutant % 4 == 0:
        return []
    many = 1 if mutant % 7 == 1 else 1 + mutant % 60
    return sorted({(mutant * 13 + 17 * step) % TESTS for step in range(many)})


KILLS = [kills(mutant) for mutant in range(MUTANTS)]
NAME = "tests/test_a.py::test_42[<42>]"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("large")
    suite_run(folder, kills, mutants=MUTANTS, tests=TESTS, functions=FUNCTIONS)
    return write_report(folder)[0].as_uri()


@pytest.fixture(scope="module")
def opened(address):
    with Chromium() as chromium:
        chromium.open(address)
        yield chromium


@pytest.fixture
def page(opened):
    opened.evaluate(CLEAR)
    return opened


def visible_rows(page: Chromium) -> int:
    """Return the number of mutants that the page says it shows."""
    return int(page.evaluate("document.getElementById('shown').textContent").split()[0].replace(",", ""))


def choose(page: Chromium, **values: str) -> int:
    """Fill in the form, wait until the page follows it, and return how many mutants are shown."""
    for name, value in values.items():
        page.evaluate(f"document.getElementById('filters').elements.namedItem({name!r}).value = {value!r}")
    page.evaluate(
        "new Promise((done) => { document.getElementById('filters').dispatchEvent(new Event('input'));"
        " new MutationObserver(() => done(1)).observe(document.getElementById('shown'), { childList: true }); })"
    )
    return visible_rows(page)


def test_a_page_of_five_thousand_mutants_opens_in_two_seconds(address):
    with Chromium() as chromium:
        chromium.open(address)
        cost = chromium.metrics()
        assert visible_rows(chromium) == MUTANTS
        assert chromium.evaluate("document.querySelectorAll('#list > details').length") < 300, (
            "only what comes into view"
        )
    assert cost["TaskDuration"] <= PROCESSOR_SECONDS


def test_survivors_come_first_and_more_mutants_as_one_scrolls(page):
    first = "[...document.querySelectorAll('#list > details .tag')].map((tag) => tag.textContent)"
    assert set(page.evaluate(first)) == {"✗ survived"}
    before = page.evaluate(f"{first}.length")
    page.evaluate("document.querySelector('#list > .end').scrollIntoView()")
    grown = (
        "new Promise((done) => { const look = () => document.querySelectorAll('#list > details').length > %d"
        " ? done(1) : requestAnimationFrame(look); look(); })"
    )
    assert page.evaluate(grown % before) == 1


def test_mutants_are_found_by_status_operator_function_and_text(page):
    chips = "[...document.querySelectorAll('.chip')].map((chip) => chip.textContent)"
    living = sum(not killing for killing in KILLS)
    unreached = sum(mutant % 10 == 9 for mutant in range(MUTANTS))
    assert page.evaluate(chips) == [
        f"✗ survived {living - unreached:,}",
        f"∅ not reached {unreached}",
        f"✓ killed {MUTANTS - living:,}",
    ]
    page.evaluate("document.querySelector('.chip').click()")
    assert visible_rows(page) == living - unreached
    assert choose(page, operator="ROR") == sum(
        not KILLS[mutant] and mutant % 10 != 9 and mutant % 4 == 2 for mutant in range(MUTANTS)
    )
    page.evaluate(CLEAR)
    assert choose(page, function="step_7") == len(range(7, MUTANTS, FUNCTIONS))
    assert choose(page, text="value + 4907)") == 1


def test_mutants_are_found_by_the_tests_that_kill_them_alone_or_not_or_reach_them(page):
    assert choose(page, test=NAME, how="kills") == sum(42 in killing for killing in KILLS)
    assert choose(page, how="alone") == sum(killing == [42] for killing in KILLS)
    assert choose(page, how="reached") > sum(42 in killing for killing in KILLS)
    assert choose(page, test="test_b.py", how="kills") == sum(any(test % 2 for test in killing) for killing in KILLS)
    assert choose(page, test="no such test") == 0


def test_a_mutant_opened_names_its_killers_which_lead_to_what_they_kill(page):
    mutant = 1_003
    assert choose(page, text=f"value + {mutant})") == 1
    page.evaluate("document.querySelector('#list > details').open = true")
    page.evaluate("new Promise((done) => setTimeout(done))")
    assert "assertion in phase call: assert 1 == 2" in page.evaluate(
        "document.querySelector('#list .inner').textContent"
    )
    buttons = "[...document.querySelectorAll('#list .inner .tests')[0].querySelectorAll('button')]"
    page.evaluate(f"{buttons}.find((button) => button.textContent.startsWith('all')).click()")
    names = page.evaluate(f"{buttons}.map((button) => button.textContent)")
    assert [int(name.partition("::test_")[2].partition("[")[0]) for name in names] == KILLS[mutant]
    page.evaluate("document.querySelector('#list .inner .tests button').click()")
    assert visible_rows(page) == sum(KILLS[mutant][0] in killing for killing in KILLS)


def test_tests_are_listed_by_what_they_alone_kill(page):
    page.evaluate("document.querySelector('.tests-of').scrollIntoView()")
    cells = (
        "new Promise((done) => { const look = () => { const row = document.querySelector('.tests-of tbody tr'); "
        "row ? done([...row.children].map((cell) => cell.textContent)) : requestAnimationFrame(look); }; look(); })"
    )
    name, did_kill, kills_alone, _ = page.evaluate(cells)
    number = int(name.partition("::test_")[2].partition("[")[0])
    by_test = [sum(killing == [test] for killing in KILLS) for test in range(TESTS)]
    assert int(kills_alone) == max(by_test) == by_test[number]
    assert int(did_kill) == sum(number in killing for killing in KILLS)


def test_a_narrow_page_has_no_scroll_bar_of_its_own(address):
    with Chromium(390, 800, dark=True) as chromium:
        chromium.open(address)
        assert chromium.evaluate("document.documentElement.scrollWidth") <= 390


def test_without_scripts_survivors_and_tests_that_alone_kill_are_there(tmp_path):
    folder = suite_run(tmp_path, lambda mutant: [mutant] if mutant % 2 else [], mutants=8, tests=9)
    with Chromium() as chromium:
        chromium.ask("Emulation.setScriptExecutionDisabled", value=True)
        chromium.load(write_report(folder)[0].as_uri())
        nodes = chromium.ask("DOM.getDocument", depth=1)["root"]["nodeId"]
        root = chromium.ask("DOM.getOuterHTML", nodeId=nodes)["outerHTML"]
    assert "This list needs the page's own script" in root
    assert root.count('<td class="n">1</td></tr>') == 4


def test_a_run_up_to_first_kills_names_the_one_killer_that_it_knows(tmp_path):
    folder = suite_run(tmp_path, lambda mutant: [1, 3], mutants=8, tests=5, mode=ExecutionMode.FIRST_KILL)
    with Chromium() as chromium:
        chromium.open(write_report(folder)[0].as_uri())
        summary = chromium.evaluate("document.querySelector('#list summary').textContent")
        assert summary.endswith("first test_1[<1>]")
        assert choose(chromium, test="test_1", how="kills") == 8
        assert choose(chromium, test="test_3", how="kills") == 0
