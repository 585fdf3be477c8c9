"""Table 1's facts come from the subject's source and mutant set."""

import ast

from support.subjects import load_subject

from harness.papers.exhaustive2003.run import subject_facts
from harness.runner.mutant_set import mutant_set


def test_a_benchmark_is_described_by_its_targets_helpers_and_counts():
    [facts] = subject_facts(["search_tree"])
    assert facts.title == "SearchTree"
    assert facts.targets == ("add", "remove")
    assert set(facts.helpers) == {"_remove_node", "Node.__init__"}
    subject, _ = load_subject("search_tree")
    assert facts.mutants == len(mutant_set(subject).mutants)
    named = {"add", "remove", "_remove_node"}
    functions = [n for n in ast.walk(ast.parse(subject.source)) if isinstance(n, ast.FunctionDef) and n.name in named]
    decisions = [n for f in functions for n in ast.walk(f) if isinstance(n, (ast.If, ast.While, ast.For, ast.IfExp))]
    assert facts.branching_points == len(decisions)
    expressions = [n for f in functions for n in ast.walk(f) if isinstance(n, ast.IfExp)]
    assert facts.branching_statements == len(decisions) - len(expressions)


def test_functions_of_a_module_keep_their_names():
    [facts] = subject_facts(["heapq"])
    assert facts.targets == ("heappush", "heappop", "heapreplace", "heappushpop", "heapify")
