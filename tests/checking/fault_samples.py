"""Copies of subjects with a fault each, as people make them, and what is wrong with them then."""

import resource
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from support.subjects import load_subject

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Fault:
    """In a copy of `subject`, `right` is replaced by `wrong`; exactly these properties are violated by it."""

    name: str
    subject: str
    right: str
    wrong: str
    violated: frozenset[str]
    violation: str
    """Of the first property violated, what the smallest counterexample shows."""
    objects: int
    """Those of the smallest counterexample to that property."""
    scope: int = 3


FAULTS = (
    Fault(
        "two children: the subtree of the predecessor is lost",
        "search_tree",
        "current.left = left.left",
        "current.left = None",
        frozenset({"remove", "remove_implements_deletion_from_a_set"}),
        "the post-state does not satisfy rep_ok",
        objects=5,
        scope=4,
    ),
    Fault(
        "adding forgets to count",
        "search_tree",
        "        self.size += 1\n        return True",
        "        return True",
        frozenset({"add"}),
        "the post-state does not satisfy rep_ok",
        objects=1,
    ),
    Fault(
        "on the way to a smaller key the search begins anew",
        "search_tree",
        "            if info < current.info:\n                parent = current\n                current = current.left",
        "            if info < current.info:\n                parent = current\n                current = self.root",
        frozenset({"remove", "removing_undoes_adding", "remove_implements_deletion_from_a_set"}),
        "it does not end within 100,000 steps",
        objects=2,
    ),
    Fault(
        "the wrong value is returned",
        "heap_array",
        "        maximum = self.array[0]\n",
        "        maximum = self.array[self.size - 1]\n",
        frozenset({"extract_max", "extracting_all_sorts"}),
        "the postcondition does not hold",
        objects=2,
    ),
    Fault(
        "a value equal to that of a key's node is looked for in a subtree that is not there",
        "search_tree",
        "            elif info > current.info:\n                current = current.right\n            else:\n"
        "                return False\n        node",
        "            elif info >= current.info:\n                current = current.right.right\n        node",
        frozenset({"add", "removing_undoes_adding"}),
        "it raised AttributeError: 'NoneType' object has no attribute 'right'",
        objects=2,
    ),
    Fault(
        "merged heaps keep the other's keys",
        "binomial_heap",
        "        other.nodes = None\n        other.size = 0\n",
        "",
        frozenset({"union"}),
        "the postcondition does not hold",
        objects=3,
    ),
    Fault(
        "the first occurrence is unlinked in one direction only",
        "linked_list",
        "        entry.next.previous = entry.previous\n        self.size -= 1",
        "        self.size -= 1",
        frozenset({"remove"}),
        "the post-state does not satisfy rep_ok",
        objects=3,
    ),
    Fault(
        "each element represents itself",
        "disj_set",
        "        return root\n",
        "        return element\n",
        frozenset({"union", "a_set_has_one_representative_of_its_own", "joining_again_changes_nothing"}),
        "the postcondition does not hold",
        objects=3,
    ),
    Fault(
        "not the key asked for is deleted but the smallest one",
        "fibonacci_heap",
        "        self.decrease(node, self.min_node.key - 1)\n",
        "",
        frozenset({"delete"}),
        "the postcondition does not hold",
        objects=3,
    ),
    Fault(
        "of long lists only the ends are exchanged",
        "linked_list",
        "range(self.size // 2)",
        "range(min(self.size // 2, 1))",
        frozenset({"reverse"}),
        "the postcondition does not hold",
        objects=7,
        scope=4,
    ),
    Fault(
        "instead of an absent element the next larger one is removed",
        "sorted_list",
        "if entry is self.header or entry.element != element:",
        "if entry is self.header:",
        frozenset({"remove"}),
        "the postcondition does not hold",
        objects=3,
    ),
    Fault(
        "a key that is there keeps its value",
        "tree_map",
        "                current.value = value\n",
        "",
        frozenset({"put", "what_is_put_can_be_got"}),
        "the postcondition does not hold",
        objects=2,
    ),
    Fault(
        "putting a new value returns it",
        "tree_map_black_root",
        "                return old\n",
        "                return value\n",
        frozenset({"put"}),
        "the postcondition does not hold",
        objects=2,
    ),
    Fault(
        "adding an element that is there is told as a change",
        "hash_set",
        "                return old\n",
        "                return None\n",
        frozenset({"add", "add_implements_insertion_into_a_set"}),
        "the postcondition does not hold",
        objects=4,
    ),
    Fault(
        "of the elements of one hash code any is removed",
        "hash_set",
        "            if entry.hash_code == hash_code and entry.key == key:\n                if previous",
        "            if entry.hash_code == hash_code:\n                if previous",
        frozenset(
            {"remove", "remove_implements_deletion_from_a_set", "contains_finds_what_was_added_until_it_is_removed"}
        ),
        "the postcondition does not hold",
        objects=5,
    ),
    Fault(
        "names that do not say what is asked are not found",
        "av_tree",
        "found &= matched | silent",
        "found &= matched",
        frozenset({"lookup"}),
        "the postcondition does not hold",
        objects=12,
    ),
)


def plant(fault: Fault, folder: Path) -> Path:
    """Write a copy of the subject with the fault, and return its folder."""
    subject, _ = load_subject(str(ROOT / "subjects" / fault.subject))
    assert subject.source.count(fault.right) == 1, fault.name
    for path, text in (
        (subject.source_path, subject.source.replace(fault.right, fault.wrong)),
        (subject.spec_path, subject.spec_source),
    ):
        copied = folder / path.resolve().relative_to(ROOT)
        copied.parent.mkdir(parents=True, exist_ok=True)
        copied.write_text(text)
    return folder / "subjects" / fault.subject


def run_program(text: str, folder: Path, cpu_seconds: int = 2) -> str:
    """Return the last line that the program prints on stderr, or `endless` if it uses up its CPU seconds."""
    path = folder / "counterexample.py"
    path.write_text(text)
    done = subprocess.run(
        [sys.executable, str(path)],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        encoding="utf-8",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds)),
    )
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return "endless"
    return done.stderr.strip().splitlines()[-1] if done.returncode else ""
