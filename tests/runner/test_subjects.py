"""The orchestrator knows a spec by its description only: nothing that a spec does reaches it."""

import heapq
import os
import sys
from pathlib import Path

import pytest
from support.own_subject import write_subject
from support.subjects import load_subject as load_with_spec

from harness.errors import SourceError, SpecError
from harness.kernel.program.loader import DRIVER
from harness.kernel.specs.described import DescribedBounds, NotHere, preconditions
from harness.kernel.specs.spec import SPEC_MODULE
from harness.model.interface import Called
from harness.model.routines import RoutineKind
from harness.resources import subject_folders
from harness.runner.subjects import (
    finitization_of,
    has_finitization,
    interface_of,
    load_subject,
    load_subjects,
    sequences_of,
)

SPEC = """
from harness.spec import Finitization

def rep_ok(thing):
    return True

def finitization(scope):
    f = Finitization("Thing")
    f.set("Thing.value", range(scope))
    f.method("run")
    return f
"""


def write(folder: Path, spec: str) -> str:
    return write_subject(folder, "class Thing:\n    def run(self):\n        return self.value\n", spec)


@pytest.mark.parametrize("name", subject_folders())
def test_a_described_finitization_says_all_but_the_functions(name):
    subject, spec = load_with_spec(name)
    for scope in (1, 3):
        described_space, own = finitization_of(subject, scope), spec.finitization(scope)
        assert described_space.domains == own.domains
        assert [described_space.fields_of(domain) for domain in described_space.domains] == [
            own.fields_of(d) for d in own.domains
        ]
        described = DescribedBounds.of(own)
        assert DescribedBounds.of(described.bounds()) == DescribedBounds.of(described_space)
        assert [(t.name, t.kind, t.requires is None) for t in described_space.targets] == [
            (t.name, t.kind, t.requires is None) for t in own.targets
        ]


def test_preconditions_are_known_by_name_and_cannot_be_called(tmp_path):
    spec = SPEC.replace(
        'f.method("run")', 'f.method("run", requires=rep_ok)\n    f.method("go", requires=lambda t: True)'
    )
    bounds = finitization_of(load_subject(write(tmp_path, spec)), 1)
    assert preconditions(bounds) == ["rep_ok"]
    assert [target.requires for target in bounds.targets] == [NotHere("rep_ok"), NotHere("")]
    with pytest.raises(SpecError, match="not to be called outside of the sandbox"):
        bounds.targets[0].requires(None)


def test_a_spec_is_executed_in_another_process_once(tmp_path):
    spec = f"import os\nimport sys\nsys.mutascope_was_here = True\ntitle = str(os.getpid())\n{SPEC}"
    subject = load_subject(write(tmp_path / "thing", spec))
    assert subject.title != str(os.getpid())
    assert not hasattr(sys, "mutascope_was_here")
    assert SPEC_MODULE not in sys.modules
    assert load_subject(str(tmp_path / "thing")).title == subject.title, "described once"


def test_one_process_describes_many_specs(tmp_path):
    telling = f"import os\nimport sys\nsys.described = [*getattr(sys, 'described', []), 'T']\n{SPEC}"
    telling += "\ntitle = f'{os.getpid()} {len(sys.described)}'\n"
    names = [write(tmp_path / f"thing{number}", telling) for number in range(4)]
    subjects = load_subjects({name: [1, 2] for name in names})
    processes, numbers = zip(*(subject.title.split() for subject in subjects.values()), strict=True)
    assert (len(set(processes)), numbers) == (1, ("1", "2", "3", "4"))
    assert all(finitization_of(subject, scope).targets for subject in subjects.values() for scope in (1, 2))


@pytest.mark.parametrize(("first_line", "scope"), [("", 1), ("profile_scope = 3", 3)])
def test_the_process_of_a_run_describes_what_is_mutated_too(first_line, scope, tmp_path):
    telling = f"{first_line}\nimport os\n{SPEC}".replace("range(scope)", "[os.getpid()]")
    name = write(tmp_path, telling)
    subject = load_subjects({name: [2]}, mutated=True)[name]
    finitizations = [DescribedBounds.of(finitization_of(subject, one)) for one in (2, scope)]
    assert finitizations[0] == finitizations[1]


OF_PROCESSOR = "0.6 s of processor time"


@pytest.mark.parametrize(
    ("endless", "limit"),
    [
        pytest.param("while True: pass\n", OF_PROCESSOR, marks=pytest.mark.slow),
        pytest.param("sum(1 for _ in iter(int, 1))\n", OF_PROCESSOR, marks=pytest.mark.slow),
        ("import time\ntime.sleep(1e6)\n", "6 s of wall clock, as it sleeps or waits; make it end"),
    ],
)
def test_an_endless_spec_is_ended(endless, limit, tmp_path, monkeypatch):
    monkeypatch.setenv("MUTASCOPE_CANDIDATE_SECONDS", "0.1")
    with pytest.raises(SpecError, match=rf"spec.py: its module did not return within {limit}"):
        load_subject(write(tmp_path, endless + SPEC))


def test_a_spec_that_gets_little_of_the_processor_is_waited_for(tmp_path, monkeypatch):
    """Simulate a busy machine: loading takes longer than its limit, which is one of processor time."""
    monkeypatch.setenv("MUTASCOPE_CANDIDATE_SECONDS", "0.1")
    assert load_subject(write(tmp_path, "import time\ntime.sleep(1.1)\n" + SPEC)).name


@pytest.mark.slow
def test_an_endless_finitization_is_ended(tmp_path, monkeypatch):
    monkeypatch.setenv("MUTASCOPE_CANDIDATE_SECONDS", "1")
    subject = load_subject(write(tmp_path, SPEC.replace("    f = F", "    while scope == 2: pass\n    f = F")))
    assert finitization_of(subject, 1).targets
    with pytest.raises(SpecError, match=r"spec.py: finitization\(2\) did not return within 1 s of processor time"):
        finitization_of(subject, 2)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\xff\xfe", "not UTF-8"),
        (b"# coding: utf-8\n\n\nx = '\xff'\n", "not UTF-8 text (invalid start byte at byte 23)"),
        (b"# coding: rot13\n", "not UTF-8 text ("),
        (b"# coding: nonsense\n", "unknown encoding"),
        (b"x = 1\0\n", "a null character at offset 5"),
    ],
)
def test_a_file_that_python_would_read_otherwise_is_refused(data, says, tmp_path):
    for file in ("impl.py", "spec.py"):
        name = write(tmp_path / file, SPEC)
        (tmp_path / file / file).write_bytes(data)
        with pytest.raises(SourceError) as caught:
            load_subject(name)
        assert says in str(caught.value)
        assert file in str(caught.value)


def test_an_implementation_that_is_no_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe.py")
    with pytest.raises(SourceError, match=r"pipe\.py: not a file"):
        load_subject(write(tmp_path, f"implementation = 'pipe.py'\n{SPEC}"))


def test_an_installed_module_is_found_by_the_sandbox():
    subject = load_subject("heapq")
    assert subject.installed
    assert subject.source_path == Path(heapq.__file__)


def test_byte_order_mark_and_line_ends_are_not_part_of_the_source(tmp_path):
    name = write(tmp_path, SPEC)
    plain = load_subject(name)
    texts = {file: (tmp_path / file).read_bytes() for file in ("impl.py", "spec.py")}
    for mark, line_end in ((b"\xef\xbb\xbf", b"\n"), (b"", b"\r\n"), (b"\xef\xbb\xbf", b"\r")):
        for file, text in texts.items():
            (tmp_path / file).write_bytes(mark + text.replace(b"\n", line_end))
        assert load_subject(name) == plain


SEQUENCES = """
from harness.spec import SequenceScope

def sequences(scope):
    s = SequenceScope("Thing")
    s.constructor()
    s.constructor(range(scope))
    s.method("run", requires=lambda thing: True)
    s.function("helper")
    return s
"""


def test_a_spec_with_sequences_only_is_described_by_what_they_call(tmp_path):
    subject = load_subject(write(tmp_path, SEQUENCES))
    assert not has_finitization(subject)
    interface = interface_of(subject, 2)
    assert (interface.root, interface.has_state) == ("Thing", True)
    assert interface.called == (
        Called("Thing", RoutineKind.CONSTRUCTOR),
        Called("run", RoutineKind.METHOD, restricted=True),
        Called("helper", RoutineKind.FUNCTION),
    )
    assert interface.unrestricted.methods == ()
    with pytest.raises(SpecError, match=r"spec\.py has no function finitization"):
        finitization_of(subject, 2)


def test_a_spec_with_a_finitization_is_described_by_its_targets(tmp_path):
    subject = load_subject(write(tmp_path, SPEC + SEQUENCES))
    assert has_finitization(subject)
    assert interface_of(subject, 1).called == (Called("run", RoutineKind.METHOD),)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "import random; s.method(f'run{random.getrandbits(60)}')",
            "sequences(2) gives other bounds each time it is called",
        ),
        ("while True: pass", "sequences(2) did not return within 1 s"),
        ("1 / 0", "sequences(2) raised ZeroDivisionError"),
        ("s.builders('ran')", "sequences(2): builder 'ran' is no routine; the routines are run"),
        ("return 3", "sequences(2) returned int, not a SequenceScope"),
    ],
)
def test_unusable_sequences_are_told_in_one_line(tmp_path, monkeypatch, body, message):
    monkeypatch.setenv("MUTASCOPE_CANDIDATE_SECONDS", "1")
    method = "" if "method" in body else "s.method('run')"
    spec = (
        "from harness.spec import SequenceScope\n"
        f"def sequences(scope):\n    s = SequenceScope('Thing')\n    {method}\n    {body}\n    return s\n"
    )
    subject = load_subject(write(tmp_path, spec))
    with pytest.raises(SpecError) as caught:
        interface_of(subject, 2)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_one_process_describes_bounds_of_states_and_of_sequences(tmp_path):
    drawing = f"import os\nTOKEN = int.from_bytes(os.urandom(7))\n{SPEC}{SEQUENCES}".replace("range(scope)", "[TOKEN]")
    name = write(tmp_path, drawing)
    subject = load_subjects({name: [2]}, sequences={name: [2]})[name]
    states, sequences = finitization_of(subject, 2), sequences_of(subject, 2)
    (values,) = [parameter.values for routine in sequences.routines for parameter in routine.parameters]
    ((_, held),) = states.fields_of(states.domains[0])
    assert tuple(values) == held


@pytest.mark.parametrize(
    "body",
    [
        "1 / 0",
        "return 3",
        "import os; s.method(os.urandom(8).hex()); return s",
        "import os; os._exit(3)",
        "while True: pass",
        "import os; os.write(int(__import__('sys').argv[-1]), b'{}\\n'); return s",
    ],
)
def test_unusable_sequences_concern_only_what_needs_them(tmp_path, monkeypatch, body):
    monkeypatch.setenv("MUTASCOPE_CANDIDATE_SECONDS", "1")
    names = [write(tmp_path / "a", SPEC + SEQUENCES.replace("return s", body)), write(tmp_path / "b", SPEC + SEQUENCES)]
    subjects = load_subjects({name: [2] for name in names}, sequences={name: [2] for name in names})
    assert [len(finitization_of(subject, 2).targets) for subject in subjects.values()] == [1, 1]
    for _ in range(2):
        with pytest.raises(SpecError, match=r"spec\.py.*sequences\(2\)"):
            sequences_of(subjects[names[0]], 2)
    assert sequences_of(subjects[names[1]], 2).root == "Thing"


def test_a_driver_calls_an_installed_module_whose_helpers_are_named(tmp_path):
    (tmp_path / "caller.py").write_text("import helping\n\nclass Caller:\n    pass\n")
    (tmp_path / "helping.py").write_text("")
    spec = 'implementation = "textwrap"\ndriver = "caller.py"\nhelpers = ["dedent"]\n' + SPEC
    (tmp_path / "spec.py").write_text(spec)
    subject = load_subject(str(tmp_path))
    assert subject.installed
    assert subject.driven == ("dedent",)
    assert [file.module for file in subject.companions] == [DRIVER, "helping"]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ('implementation = "textwrap"\ndriver = "caller.py"\n', "name helpers"),
        ('driver = "caller.py"\nhelpers = []\n', "for an installed module alone"),
    ],
)
def test_a_driver_of_no_use_is_refused(tmp_path, spec, message):
    for name in ("caller.py", "impl.py"):
        (tmp_path / name).write_text("")
    (tmp_path / "spec.py").write_text(spec + SPEC)
    with pytest.raises(SpecError, match=message):
        load_subject(str(tmp_path))
