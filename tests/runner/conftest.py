"""Benches on which both paths judge mutants."""

import pytest
from support import pile
from support.bench import Bench as Zygote
from support.both_paths import Bench
from support.own_subject import standing_beside
from support.subjects import load_subject

from harness.kernel.program.loader import ModuleText
from harness.kernel.running.job import RunJob
from harness.model.experiment import Trial
from harness.runner.suites import ensure_suite


@pytest.fixture(scope="module")
def benches(tmp_path_factory):
    """Benches by the subject's name: `pile`, or one that ships."""
    home = tmp_path_factory.mktemp("home")
    opened_benches: dict[str, Bench] = {}
    with standing_beside(home, "pile", pile.SOURCE, pile.SPEC):

        def bench(name: str, scope: int = 2) -> Bench:
            if name not in opened_benches:
                subject, _ = load_subject(name)
                suite = ensure_suite(subject, Trial(name, "korat", scope))
                text = ModuleText(subject.module, subject.source, "impl.py", subject.blocked)
                job = home / f"{name}.json"
                RunJob(text, subject.spec_source, "spec.py", scope, str(suite.folder)).write(job)
                zygote = Zygote(job, len(suite)).__enter__()
                opened_benches[name] = Bench(subject, suite.folder, len(suite), scope, zygote, zygote.facts.steps)
            return opened_benches[name]

        yield bench
        for opened in opened_benches.values():
            opened.zygote.__exit__(None, None, None)


@pytest.fixture(scope="module")
def tree(benches):
    return benches("search_tree")


@pytest.fixture(scope="module")
def piles(benches):
    return benches("pile")
