"""Declares all commands: their options, the functions of `harness.api` that they call, and what they print."""

from __future__ import annotations

from harness.command_line import calls, kinds, options, results
from harness.command_line.cluster_commands import MERGE_COMMAND, SHARD_COMMAND
from harness.command_line.command import Alternatives, Command, CommandForm, Option
from harness.command_line.difference_results import difference
from harness.command_line.run_command import INIT_COMMAND, RUN_COMMAND
from harness.command_line.suite_results import SHOWN_STATES, generated_suite
from harness.model.experiment import DEFAULT_OPERATORS

_ALL = (
    Command(
        "list",
        "List subjects, generators, tools, operators and their sets, experiments and papers.",
        (),
        (CommandForm("available_names"),),
        calls.call,
        results.names,
    ),
    Command(
        "generate",
        "Make a suite: all inputs of a subject within a scope.",
        (
            *options.SUITE,
            options.SUBJECT,
            Option(
                "--show",
                kinds.POSITIVE,
                about="show the first N states, or sequences of calls, as text",
                default_text=str(SHOWN_STATES),
                if_empty=SHOWN_STATES,
            ),
            Option("--figure", kinds.FILE, about="draw the states into FILE.svg, .png or .pdf"),
        ),
        (CommandForm("generate"),),
        calls.generate,
        generated_suite,
    ),
    Command(
        "generate-tests",
        "Have an external tool write pytest files for a module; keep the tests that pass.",
        (
            Option("TOOL", kinds.TEXT, "tool", "hypothesis-write, pynguin, crosshair, or a plug-in", is_required=True),
            Option("--target", kinds.MODULE_NAME, "target", "as it is imported", metavar="MODULE", is_required=True),
            Option("--seconds", kinds.POSITIVE, "seconds", "for its search", default=60),
            options.ONE_SEED,
            Option("--most", kinds.POSITIVE, "most", "keep so many tests", default_text="all that pass"),
            Option("--out", kinds.FOLDER, "out", "a new folder", default_text="tests_TOOL"),
        ),
        (CommandForm("generate_tests"),),
        calls.call,
        results.generated_tests,
    ),
    Command(
        "builders",
        "Find the routines that suffice to make every state by calls.",
        (options.SUBJECT, Option("--scope", kinds.SCOPE, "scope", "bound on input size", default=5)),
        (CommandForm("builders"),),
        calls.call,
        results.builders,
    ),
    Command(
        "mutate",
        "List the mutants of a subject or module; with --pin, derive and pin a sample.",
        (
            Option("SUBJECT", kinds.SUBJECT_NAME, "subject"),
            Option(
                "--target", kinds.MODULE_NAME, "target", "instead of a subject: a module or package that pytest tests"
            ),
            Option(
                "--tests",
                kinds.PATHS,
                "tests",
                "tests of its project",
                default_text=".",
                is_list=True,
                requirement=options.MODULE_OF_MUTANTS,
            ),
            Option(
                "--block",
                kinds.MODULE_NAMES,
                "blocked",
                "modules whose import fails",
                is_list=True,
                requirement=options.MODULE_OF_MUTANTS,
            ),
            Option("--operators", kinds.OPERATOR_SET, "operators", default=DEFAULT_OPERATORS),
            Option("--pin", kinds.FLAG, "pin", "write the set below ./mutants"),
            Option(
                "--size", kinds.POSITIVE, "size", "mutants to pin", default_text="all viable", requirement=options.PIN
            ),
            Option(
                "--seed",
                kinds.SEED,
                "seed",
                "with --pin and --size: seed of the sample",
                default=0,
                default_text="",
                requirement=options.SAMPLE_TO_PIN,
            ),
        ),
        (CommandForm("module_mutants", "--target"), CommandForm("pin", "--pin"), CommandForm("mutants")),
        calls.call,
        results.mutants,
        alternatives=Alternatives(
            ("SUBJECT", "--target"), "give a subject, or --target with a module or package that pytest tests"
        ),
    ),
    Command(
        "profile",
        "Observe types while tests run; runs make the mutants of a module from them.",
        (
            Option("--target", kinds.MODULE_NAME, "target", "a module or package that pytest tests", is_required=True),
            Option("--tests", kinds.PATHS, "tests", "what pytest is called with", is_required=True, is_list=True),
            Option("--block", kinds.MODULE_NAMES, "blocked", "modules whose import fails", is_list=True),
        ),
        (CommandForm("profile"),),
        calls.call,
        results.profiles,
    ),
    INIT_COMMAND,
    RUN_COMMAND,
    SHARD_COMMAND,
    MERGE_COMMAND,
    Command(
        "verify",
        "Judge verdicts of a run again, with a second implementation.",
        (
            Option("DIR", kinds.FOLDER, "folder", is_required=True),
            Option("--sample", kinds.POSITIVE, "sample", "so many verdicts", default_text="all"),
            Option("--seed", kinds.SEED, "seed", "seed of the sample", default=0, default_text=""),
            options.JOBS,
        ),
        (CommandForm("verify"),),
        calls.call,
        results.verification,
        finding="a verdict or a fact disagrees",
    ),
    Command(
        "tables",
        "Print tables of a run, or of a paper beside its printed values.",
        (
            options.POLICY,
            options.ORACLE,
            options.PAPER_OR_RUN,
            options.FROM,
            options.OF_SUBJECTS,
            options.OF_GENERATORS,
            options.TABLE,
            options.FORMAT,
        ),
        (CommandForm("tables"),),
        calls.of_paper_or_run,
        results.tables,
    ),
    Command(
        "figures",
        "Draw figures of a run, or of a paper.",
        (
            options.POLICY,
            options.PAPER_OR_RUN,
            options.FROM,
            options.OF_SUBJECTS,
            options.OF_GENERATORS,
            Option("--figure", kinds.TEXT, "names", "one figure only, or several", is_list=True),
            Option("--out", kinds.FOLDER, "out", default_text="the run's folder; of a frozen run, this one"),
            Option("--pdf", kinds.FLAG, "pdf", "also as PDF, with embedded fonts"),
            Option(
                "--width",
                kinds.WIDTH,
                "width",
                "of each figure, such as 3.3in or 84mm",
                default_text="as its panels need it",
            ),
            Option("--style", kinds.FILE, "style", "a style file of matplotlib"),
        ),
        (CommandForm("figures"),),
        calls.of_paper_or_run,
        results.figures,
    ),
    Command(
        "describe",
        "Describe the set-up of a run in a paragraph for a paper.",
        (
            options.POLICY,
            options.ORACLE,
            options.RUN,
            Option("--format", kinds.choice(["text", "latex"]), "form", default="text", default_text=""),
        ),
        (CommandForm("describe"),),
        calls.call,
        results.description,
    ),
    Command(
        "compare",
        "Compare the generators of a run at equal budgets.",
        (
            options.POLICY,
            options.ORACLE,
            Option("DIR", kinds.FOLDER, "folder", "of a run with kill matrices"),
            Option(
                "--at",
                kinds.choice(["inputs", "calls", "seconds"]),
                "basis",
                "the unit of the budgets",
                default_text="inputs and calls",
            ),
            Option(
                "--sizes", kinds.BUDGETS, "sizes", "the budgets", default_text="100,1000,10000; of seconds 0.01,0.1,1"
            ),
            Option(
                "--take",
                kinds.choice(["drawn", "first"]),
                "take",
                "the inputs of each suite: drawn at random, or its first ones",
                default_text="drawn; of seconds, first",
            ),
            options.TABLE_OF_COMPARISON,
            options.FORMAT,
            options.FIGURES,
        ),
        (CommandForm("compare"),),
        calls.call,
        results.tables_of_run,
    ),
    Command(
        "criteria",
        "Compare test criteria with random selections of inputs.",
        (
            Option("DIR", kinds.FOLDER, "folder", "of a run with kill matrices", is_required=True),
            options.TABLE_OF_COMPARISON,
            options.FORMAT,
            options.FIGURES,
        ),
        (CommandForm("criteria"),),
        calls.call,
        results.tables_of_run,
    ),
    Command(
        "outcomes",
        "List the condition outcomes that the suites of a run reach, and select inputs by them.",
        (options.RUN, options.TABLE, options.FORMAT),
        (CommandForm("outcomes"),),
        calls.call,
        results.tables,
    ),
    Command(
        "check",
        "Check methods against the spec's postconditions and axioms, on all inputs of a scope.",
        (
            options.SUBJECT,
            options.ONE_SCOPE,
            Option("--mode", kinds.choice(["black-box", "white-box"]), "mode", default="black-box"),
        ),
        (CommandForm("check"),),
        calls.call,
        results.check,
        finding="a postcondition or an axiom is violated",
    ),
    Command(
        "faults",
        "Run a suite on a subject whose spec names faults, and count those that it shows.",
        (*options.SUITE, options.SUBJECT),
        (CommandForm("faults"),),
        calls.call,
        results.faults,
        finding="the inputs show a fault",
    ),
    Command(
        "difference",
        "Compare the states that a subject's API makes with those that rep_ok accepts.",
        (
            options.SUBJECT,
            Option("--scope", kinds.SCOPE, "scope", "bound on both, from 1", is_required=True),
            Option("--invariant", kinds.FLAG, about="compare the spec's declarative invariant instead"),
            Option("--figure", kinds.FOLDER, about="draw structures that rep_ok alone has into DIR"),
        ),
        (CommandForm("invariant_difference", "--invariant"), CommandForm("difference")),
        calls.call,
        difference,
        finding="both sides differ where they should not",
    ),
    Command(
        "survivors",
        "List the mutants of a run that no input kills, in the order of the source.",
        (
            options.ORACLE,
            options.RUN,
            options.OF_SUBJECTS,
            options.OF_GENERATORS,
            Option(
                "--function",
                kinds.TEXT,
                "function",
                "only mutants of this function, such as SearchTree.add or add",
                "F",
            ),
        ),
        (CommandForm("survivors"),),
        calls.call,
        results.survivors,
    ),
    Command(
        "show",
        "Show a mutant of a run: its diff, its status, and the tests that reach and kill it.",
        (
            options.ORACLE,
            options.RUN,
            Option("MUTANT", kinds.TEXT, "mutant", "its identifier, or the beginning of it", is_required=True),
            options.OF_SUBJECTS,
            options.OF_GENERATORS,
        ),
        (CommandForm("mutant_of_run"),),
        calls.call,
        results.mutant_of_run,
    ),
    Command(
        "report",
        "Write a run as an HTML page, and as JSON in the mutation-testing report schema.",
        (options.ORACLE, Option("DIR", kinds.FOLDER, "folder", is_required=True)),
        (CommandForm("report"),),
        calls.call,
        results.report_files,
    ),
    Command(
        "suite",
        "Write a suite as a pytest file.",
        (
            *options.SUITE,
            options.SUBJECT,
            Option(
                "--export",
                kinds.choice(["pytest", "code"]),
                about="every input with its outcome, or sequences of calls as one writes tests by hand",
                default="pytest",
            ),
            Option(
                "--select",
                kinds.choice(["outcomes", "branches", "kills", "all"]),
                "select",
                "which sequences",
                default_text="each that reaches a new outcome of a condition",
                requirement=options.AS_CODE,
            ),
            Option(
                "--fewest",
                kinds.FLAG,
                "fewest",
                "with --select: a greedy set cover instead",
                requirement=options.AS_CODE,
            ),
            Option(
                "--from", kinds.FOLDER, "run", "with --select kills: a run's folder", "RUN", requirement=options.AS_CODE
            ),
            Option("--module", kinds.TEXT, "module", "how tests import the subject", requirement=options.AS_CODE),
            Option("--out", kinds.FILE, "path", default_text="test_SUBJECT_scopeN.py, of code test_SUBJECT.py"),
        ),
        (CommandForm("write_tests", "--export code"), CommandForm("export_pytest")),
        calls.call,
        results.exported_suite,
    ),
)

COMMANDS = {command.name: command for command in _ALL}
"""All commands by name."""

GROUPS = {
    "Make": ("generate", "generate-tests", "suite", "mutate", "profile", "builders"),
    "Run": ("init", "run", "shard", "merge", "verify"),
    "Look": ("list", "tables", "figures", "describe", "report", "survivors", "show", "compare", "criteria", "outcomes"),
    "Check": ("check", "faults", "difference"),
}
"""The names of all commands, as the help text groups them."""

EXAMPLES = (
    ("mutascope run --target PACKAGE --tests tests", "judge your own pytest suite"),
    ("mutascope run --subject search_tree --scope 1-4", "evaluate a generator on a subject"),
    ("mutascope survivors results/search_tree-korat", "list the mutants that no input kills"),
)
"""Uses for a beginner, each with its purpose."""

EXAMPLE_OF_COMMAND = {
    "list": ("mutascope list", "subjects: ...\ngenerators: korat, ..."),
    "generate": (
        "mutascope generate search_tree --scope 2 --show 3",
        "search_tree scope 2: 20 inputs (add 10, remove 10) on 5 pre-states of 31 candidates, ... s\n"
        "...\n"
        "state 1               state 2                   state 3\n"
        "SearchTree(size=0)    SearchTree(size=1)        SearchTree(size=1)\n"
        "                      └─ root: Node0(info=1)    └─ root: Node0(info=2)\n"
        "\n... and 2 states more",
    ),
    "generate-tests": ("mutascope generate-tests hypothesis-write --target shop.tills --out tests_written", ""),
    "builders": (
        "mutascope builders search_tree --scope 3",
        "search_tree scope 3: 152 sequences executed\n"
        "1 structures by constructors\n"
        "15 structures by add\n"
        'to pin them in sequences(scope) of the spec: s.builders("add")',
    ),
    "mutate": ("mutascope mutate --target shop.tills --operators extended", "...\n21 mutants of operator set extended"),
    "profile": ("mutascope profile --target shop.tills --tests tests", "mutants/modules/shop.tills/....profile.json"),
    "init": ("mutascope init trees.toml --subject search_tree --generator korat beapi --scope 2", "trees.toml: ..."),
    "run": (
        "mutascope run --subject search_tree --generator korat beapi --scope 2 --matrix --out results/trees",
        "...\nSearchTree  beapi  2  21  81.82  83.33  151  253  59.68  on-mutant\n"
        "SearchTree  korat  2  20  81.82  83.33  151  253  59.68\n"
        "operator_set ferastrau; ...\nresults/trees",
    ),
    "shard": (
        "mutascope shard trees.toml 1/2 --out parts/1",
        "shard 1/2: 2 trials, ... mutants\nparts/1\n...",
    ),
    "merge": (
        "mutascope merge parts/1 --allow-missing --out results/half",
        "shard 2/2 is missing; run it\n"
        "search_tree korat scope 2 seed 0: ... of 253 mutants have no result (... is one); run their shards\n...",
    ),
    "verify": ("mutascope verify results/trees --sample 20", "20 verdicts checked, 0 disagreements"),
    "tables": (
        "mutascope tables results/trees --table operators --format csv",
        "subject,generator,scope,operator,killed,mutants,killed [%]\nSearchTree,beapi,2,ASR,6,6,100.00\n...",
    ),
    "figures": (
        "mutascope figures results/trees --width 3.3in --pdf",
        "results/trees/scopes.png\nresults/trees/scopes.svg\nresults/trees/scopes.pdf\n...",
    ),
    "describe": ("mutascope describe results/trees", "The generators beapi (version 2) and korat (version 1) were ..."),
    "compare": (
        "mutascope compare results/trees --sizes 10 --table sizes --format csv",
        "...\nSearchTree,2,10 inputs,beapi,1,10.00,...",
    ),
    "criteria": (
        "mutascope criteria results/trees --table criteria --format csv",
        "...\nSearchTree,beapi,2,branches,14,14,146,96.69,...",
    ),
    "outcomes": (
        "mutascope outcomes results/trees --table missed --format csv",
        "...\nSearchTree,beapi,2,SearchTree._remove_node,86,right is None: False\n...",
    ),
    "check": (
        "mutascope check search_tree --scope 3",
        "search_tree scope 3, black-box: 0 of 4 properties violated\n  add: holds; 45 calls, 178 candidates\n...",
    ),
    "faults": (
        "mutascope faults refactoring/encapsulate_single --scope 1",
        "refactoring/encapsulate_single scope 1, korat: 8 distinct faults on 160 inputs, ...",
    ),
    "difference": (
        "mutascope difference search_tree --scope 2",
        "search_tree scope 2: the API makes 5 structures (14 sequences), rep_ok has 5 (31 candidates)\n"
        "of the API alone 0, of rep_ok alone 0: equal",
    ),
    "survivors": (
        "mutascope survivors results/trees --function SearchTree.add",
        "SearchTree (beapi) scope 2, oracle differential: 14 survivors\n"
        "  search_tree/impl.py:27  VRR  current -> self.root  (survived 21 inputs)  VRR:27:21:self.root\n...",
    ),
    "show": (
        "mutascope show results/trees VRR:27:21:self.root",
        "SearchTree (beapi) scope 2, oracle differential: SearchTree.add, VRR, search_tree/impl.py:27\n"
        "Survived: survived 21 inputs\n...\n"
        "-            parent = current\n"
        "+            parent = self.root\n...",
    ),
    "report": (
        "mutascope report results/trees",
        "results/trees/report.html\n"
        "results/trees/mutation-report-search_tree-beapi.json\n"
        "results/trees/mutation-report-search_tree-korat.json",
    ),
    "suite": (
        "mutascope suite search_tree --generator beapi --scope 2 --export code",
        "test_search_tree.py: 12 of 21 sequences, which reach 30 of 35 condition outcomes, as all do; ...",
    ),
}
"""A use of each command and its output, `...` standing for anything. Without an output it is not executed by tests:
it needs tools that are downloaded. The reference page has the module `shop.tills`.
"""
