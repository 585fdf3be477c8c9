"""The result of a candidate is reported to the enumeration of candidates."""

from __future__ import annotations

from all_candidates import AllCandidates
from support.sequence_suites import task_of_text

from harness.generators.influence.protocol import Feedback
from harness.generators.policies.css.options import Options
from harness.generators.policies.css.production import Production
from harness.model.sequence import SequenceScope

TEXT = """
class Box:
    def __init__(self):
        self.held = 0
    def put(self, value):
        self.held = value
    def fail(self):
        raise ValueError
    def ask(self):
        return self.held > 3
"""


def feedback() -> dict[str, Feedback]:
    """Return the feedback on all candidates of up to three calls, by their text."""
    bounds = SequenceScope("Box")
    bounds.method("put", range(9))
    bounds.method("fail")
    bounds.method("ask")
    task = task_of_text(TEXT, bounds, 2)
    candidates = [AllCandidates(bounds, target, 3) for target in range(4)]
    for _ in Production(task, Options(), candidates.__getitem__).paths():
        pass
    return {str(one.candidate): one for made in candidates for one in made.feedback}


def test_paths_and_influences_of_executions_are_told() -> None:
    path_feedback = feedback()["o0 = Box(); o0.put(?); o0.ask()"]
    assert (path_feedback.paths, path_feedback.influences, path_feedback.impassable) == (
        2,
        {(0, 1), (0, 2), (1, 2)},
        None,
    )


def test_a_beginning_that_has_no_path_to_go_on_from_is_told() -> None:
    feedback_of = feedback()
    assert feedback_of["o0 = Box(); o0.fail()"].impassable is None
    assert (
        feedback_of["o0 = Box(); o0.fail(); o0.ask()"].paths,
        feedback_of["o0 = Box(); o0.fail(); o0.ask()"].impassable,
    ) == (0, 2)
    assert feedback_of["o0 = Box(); o0.ask(); o0.ask()"].impassable == 2  # it changes nothing
