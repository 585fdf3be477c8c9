"""States as text and as a figure: every object and link is there, and the same states give the same drawing."""

import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

from harness import api
from harness.analysis.drawing import save_figure
from harness.errors import UsageError
from harness.kernel.inputs.state_space import StateSpace
from harness.model.finitization import Finitization
from harness.report.states.figure import draw_into, draw_states, lay_out
from harness.report.states.graph import NumberedState, StateReader, merged
from harness.report.states.text import state_lines, states_text


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MUTASCOPE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def states(subject: str, scope: int, count: int = 1000) -> list[NumberedState]:
    return api.first_states(subject, api.generate(subject, scope=scope), count)


def test_a_tree_is_shown_as_a_tree():
    pictures = {tuple(state_lines(state.graph)) for state in states("search_tree", 3)}
    assert len(pictures) == 15
    assert (
        "SearchTree(size=3)",
        "└─ root: Node0(info=2)",
        "   ├─ left: Node1(info=1)",
        "   └─ right: Node2(info=3)",
    ) in pictures


def test_a_list_goes_from_link_to_link_and_names_what_was_met():
    pictures = [state_lines(state.graph) for state in states("linked_list", 2)]
    assert [
        "LinkedList(size=2, mod_count=0)",
        "└─ header: Entry0(element=None, previous=Entry2)",
        "   └─ next: Entry1(element=None, previous=Entry0)",
        "      └─ next: Entry2(element=object0, next=Entry0, previous=Entry1)",
    ] in pictures


def test_containers_are_shown_as_they_are_written():
    f = Finitization("Library")
    books = f.objects("Book", 1)
    f.set("Library.shelf", f.sets(1, members=["a", "b"]))
    f.set("Library.lent", f.dicts(1, keys=["a", "b"], values=[None, books]))
    f.set("Library.waiting", f.deques(1, lengths=range(3), elements=range(3), maxlen=2))
    f.set("Library.corner", f.tuples(lengths=[2], elements=[1]))
    f.set("Library.names", f.fixed([3, 1]))
    f.set("Library.lock", f.opaque(object))
    f.set("Book.pages", 7)
    f.contents("Book", lengths=range(2), elements=range(2))
    f.method("lend")
    space = StateSpace(f)
    fields = {f"{space.objects[field.owner].domain.class_name}.{field.name}": field.number for field in space.fields}
    vector = [0] * space.width
    assert state_lines(StateReader(space).read(vector)) == [
        "Library(shelf=set(), lent={}, waiting=deque([]), corner=(1, 1), names=[3, 1], lock=<object>)"
    ]
    for name, index in {"set.'b'": 1, "dict.'a'": 1, "deque.length": 2, "deque.1": 2}.items():
        vector[fields[name]] = index
    assert state_lines(StateReader(space).read(vector)) == [
        "Library(shelf={'b'}, lent={'a': None}, waiting=deque([0, 2]), corner=(1, 1), names=[3, 1], lock=<object>)"
    ]
    for name, index in {"dict.'b'": 2, "list.length": 1, "list.0": 1}.items():
        vector[fields[name]] = index
    assert state_lines(StateReader(space).read(vector)) == [
        "Library(shelf={'b'}, waiting=deque([0, 2]), corner=(1, 1), names=[3, 1], lock=<object>)",
        "└─ lent: dict(['a']=None)",
        "   └─ ['b']: Book0(pages=7) [1]",
    ]


def test_without_a_pre_state_there_is_nothing_to_show():
    f = Finitization()
    f.function("gcd", range(3))
    assert state_lines(StateReader(StateSpace(f)).read(())) == ["no pre-state"]


def test_states_that_differ_in_what_arguments_bring_are_shown_once():
    pictures = states("av_tree", 2)
    assert (pictures[0].first, pictures[0].last, pictures[0].title) == (1, 14, "states 1-14")
    assert all(before.last + 1 == after.first for before, after in pairwise(pictures))
    assert all(before.graph != after.graph for before, after in pairwise(pictures))


def test_as_many_states_stand_beside_each_other_as_fit():
    pictures = states("search_tree", 3)
    for width in (40, 100, 200):
        text = states_text(pictures, 15, width)
        assert all(f"state {number}" in text for number in range(1, 16))
        tree = text.partition("\n\n")[2].splitlines()
        assert max(map(len, tree)) <= width
    assert len(states_text(pictures, 15, 200).splitlines()) < len(states_text(pictures, 15, 40).splitlines()) / 3
    assert states_text(pictures[:2], 15, 80).endswith("... and 13 states more")


@pytest.mark.slow
def test_every_object_value_and_link_is_in_the_figure(tmp_path):
    for subject in ("search_tree", "linked_list", "fibonacci_heap", "hash_set"):
        pictures = states(subject, 2, 8)
        drawn = [text.get_text() for text in draw_states(pictures, "the title").axes[0].texts]
        expected = ["the title", *(state.title for state in pictures)]
        for node in (node for state in pictures for node in state.graph.nodes):
            expected += [node.name, *(f"{label} = {value}" for label, value in node.fields)]
            expected += [*([node.contents] if node.contents else []), *(link.label for link in node.links)]
        assert sorted(drawn) == sorted(expected), subject


@pytest.mark.slow
def test_boxes_lie_apart_and_inside_of_their_picture():
    for subject in ("search_tree", "linked_list", "fibonacci_heap", "hash_set"):
        pictures = states(subject, 3, 40)
        for state, picture in zip(pictures, lay_out([state.graph for state in pictures]), strict=True):
            assert picture.boxes.keys() == set(range(len(state.graph.nodes)))
            boxes = list(picture.boxes.values())
            for number, box in enumerate(boxes):
                assert box.width / 2 <= box.x + 1e-9 <= picture.width - box.width / 2 + 2e-9, (subject, state)
                assert box.height / 2 <= box.y + 1e-9 <= picture.height - box.height / 2 + 2e-9, (subject, state)
                for other in boxes[:number]:
                    beside = abs(box.x - other.x) >= (box.width + other.width) / 2
                    assert beside or abs(box.y - other.y) >= (box.height + other.height) / 2, (subject, state)


def test_left_is_left_and_right_is_right():
    pictures = states("search_tree", 3)
    for state, picture in zip(pictures, lay_out([state.graph for state in pictures]), strict=True):
        for number, node in enumerate(state.graph.nodes):
            for link in node.branches:
                side = picture.boxes[link.target].x - picture.boxes[number].x
                assert {"left": side < 0, "right": side > 0, "root": True}[link.label]


@pytest.mark.slow
def test_the_same_states_give_the_same_file(tmp_path):
    suite = api.generate("linked_list", scope=2)
    pictures = api.first_states("linked_list", suite, 4)
    for suffix in ("svg", "png"):
        first, second = (draw_into(pictures, suite.header, tmp_path / f"{n}.{suffix}").read_bytes() for n in "ab")
        assert first == second
    ET.parse(tmp_path / "a.svg")


def test_any_text_can_be_drawn(tmp_path):
    f = Finitization("Note")
    f.set("Note.text", "$\\frac{$", "x" * 500)
    f.method("read")
    pictures = merged(enumerate(map(StateReader(StateSpace(f)).read, [[0], [1]]), 1), 2)
    save_figure(draw_states(pictures, "$_$"), tmp_path / "notes.svg")
    texts = [text.get_text() for text in draw_states(pictures, "$_$").axes[0].texts]
    assert "text = '$\\\\frac{$'" in texts
    assert max(map(len, texts)) == 60


def test_a_picture_that_is_too_large_is_refused():
    pictures = states("search_tree", 3)
    with pytest.raises(UsageError, match="larger than 300 inches; show fewer"):
        draw_states(pictures * 400, "too many")
