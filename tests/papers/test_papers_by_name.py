import subprocess
import sys
from importlib import import_module

import pytest

from harness.errors import UsageError
from harness.papers import PAPERS, paper

IMPORTING = """
import sys
from harness import papers
papers.paper_or_run("exhaustive2003", None) if len(sys.argv) > 1 else papers.PAPERS
print("pandas" in sys.modules, "matplotlib" in sys.modules)
"""


@pytest.mark.parametrize("name", PAPERS)
def test_a_paper_is_the_package_of_its_name(name):
    package = import_module(f"harness.papers.{name}")
    loaded = paper(name)
    assert loaded.name == name == package.NAME
    assert (loaded.tables, loaded.figures) == (package.TABLES, package.FIGURES)
    assert name[-4:] in loaded.title


def test_an_unknown_paper_is_refused_with_the_names_of_those_that_there_are():
    with pytest.raises(UsageError, match=f"no paper 'korat2002'; there are {', '.join(sorted(PAPERS))}"):
        paper("korat2002")


@pytest.mark.slow
def test_naming_the_papers_imports_neither_pandas_nor_matplotlib():
    def output(*words: str) -> str:
        return subprocess.run(
            [sys.executable, "-c", IMPORTING, *words], encoding="utf-8", capture_output=True
        ).stdout.strip()

    assert output() == "False False"
    assert output("one of them") == "True True"
