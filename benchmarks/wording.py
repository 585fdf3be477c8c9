"""The rules of `benchmarks.prose`: kinds of findings in Python files and pages of Markdown.

| kind | finding |
|---|---|
| fragment | a docstring opens with half a sentence: "Of a trial.", "What a run holds.", "Those that pass." |
| no verb | the docstring of a function only names a thing: "The inputs of a suite."; a property's docstring may |
| whether | the docstring of a function opens with "Whether", without a verb before it |
| name | a function, class, module, parameter or attribute has a name without a noun: `given`, `told_of` |
| local name | a variable of a function has such a name; that of a flag may |
| relative | a clause stands where a noun belongs: "the order of what was called", "all that it has" |
| dialect | a phrase has a better one in the field or in plain English |

The rules know words, not grammar: a finding is a reason to look at a sentence. Lines with `prose: ok` have none.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import NamedTuple

KINDS = ("fragment", "no verb", "whether", "name", "local name", "relative", "dialect")
EXEMPT = "prose: ok"


class Finding(NamedTuple):
    """A finding on a line, with the name or the part of the sentence that it is about."""

    line: int
    kind: str
    excerpt: str


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Names

_PARTICIPLES = _words("asked ended found given heard kept known made meant met put said shown taken told wanted")
_HOLLOW = _PARTICIPLES | _words(
    "alike alone anew apart beside give gives gone it others rest something tell tells them thing things "
    "those together what whatever which who"
)
_SMALL = _words("a after again all and as at before by each for from in not now of on or so the to un with")
_QUESTIONS = _words("are can does has is may must should test was")
_PART_OF_NAME = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def lacks_noun(name: str) -> bool:
    """Return True if a name consists of participles, pronouns and small words only, as `given` and `told_of` do."""
    parts = _parts(name)
    return not _is_exempt(name, parts) and not _SMALL.issuperset(parts) and (_HOLLOW | _SMALL).issuperset(parts)


def has_hollow_end(name: str) -> bool:
    """Return True if a name begins or ends with a participle that says nothing, as `told_trials` does."""
    parts = _parts(name)
    return not _is_exempt(name, parts) and not _PARTICIPLES.isdisjoint((parts[0], parts[-1]))


def _parts(name: str) -> list[str]:
    return [part.lower() for part in _PART_OF_NAME.findall(name)]


def _is_exempt(name: str, parts: list[str]) -> bool:
    return not parts or name.startswith("__") or parts[0] in _QUESTIONS


# Sentences

_ARTICLES = _words("a all an any both each every her his its no one our some the their these this three two")
_ASKING = _words("how what whatever which who whoever whom whose")
_CONJUNCTIONS = _words("because if since so that though unless until when where whether while")
_PREPOSITIONS = _words(
    "after as at before behind beside between by for from in of on through to where with within without"
)
_AUXILIARIES = _words("are can cannot could did do does had has have is may might must should was were will would")
_VERBS = _words(
    "add agree allow answer apply ask become begin belong call carry change check come compare contain "
    "cost count cover decide depend differ do end execute exist expect explain explore fail fall find fit "
    "follow get give go happen have hold keep kill know lead leave lie list look lose make match mean "
    "meet need open pass print promise put raise reach read refuse remain report return run say say see "
    "set show stand start stay stop survive take tell test turn use wait work write"
)
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*|[,;:()]")


def kind_of_opening(sentence: str, may_name_a_thing: bool) -> str | None:
    """Return the kind of finding in the first sentence of a docstring, or None.

    Args:
        sentence: with code and links replaced by a letter, as `sentences` yields it.
        may_name_a_thing: True for classes, modules, properties and fixtures, whose docstrings may be noun phrases.
    """
    words = [word.lower() for word in _WORD.findall(sentence)]
    if len(words) < 2 or sentence.endswith("?") or words[0] in _CONJUNCTIONS - {"whether", "that", "so"}:
        return None
    if words[0] == "whether":
        return None if may_name_a_thing else "whether"
    if words[0] in _ASKING:
        return None if words[:2] == ["how", "to"] else "fragment"
    if words[0] in {"that", "those", "such"} and words[1] in _ASKING | _PREPOSITIONS | {"that"}:
        return "fragment"
    if words[0] in _PREPOSITIONS:
        rest = words[words.index(",") + 1 :] if "," in words else words
        return None if rest and (rest[0].removesuffix("s") in _VERBS or _has_statement(rest)) else "fragment"
    is_verb = words[0].removesuffix("s") in _VERBS
    names_a_thing = words[1] in {"of", "which"} or (words[1] == "that" and words[0].endswith("s"))
    if (names_a_thing and not is_verb) or words[0] in _ARTICLES | {"those"}:
        return None if may_name_a_thing or _has_statement(words) else "no verb"
    return None


def _has_statement(words: list[str]) -> bool:
    """Return True if more verbs stand in a sentence than its subordinate clauses need; each of these needs one."""
    clauses = verbs = 0
    for before, word, after in zip(["", *words], words, [*words[1:], ""], strict=False):
        if word in _ASKING | _CONJUNCTIONS:
            clauses += 1
        elif _is_finite(before, word, after):
            verbs += before not in _AUXILIARIES
            if verbs > clauses:
                return True
        elif word in {",", ";", ":", "("} and verbs < clauses:
            clauses = verbs  # a clause without a verb that is known here ends at the comma
    return False


def _is_finite(before: str, word: str, after: str) -> bool:
    if word in _AUXILIARIES:
        return True
    if word in _VERBS:
        return before in {"they", "you", "we", "it", "to"} or (before.endswith("s") and before not in _ARTICLES)
    if not word.endswith("s") or before in _ARTICLES | _PREPOSITIONS | {"", "and", "or", "other", "same"}:
        return False
    stems = {word[:-1], word[:-2], f"{word[:-3]}y"}
    return not stems.isdisjoint(_VERBS) or after in _ARTICLES | _ASKING | _CONJUNCTIONS | {"it", "them", "x", "to"}


_CLAUSE_FOR_NOUN = re.compile(
    r"(?:^|[;:.] )(?:What(?:ever)?|Who(?:ever)?) (?!to )(?=[^?]*$)[^.;]{,40}"
    r"|\b(?:after|before|beside|by|for|from|in|into|of|on|than|through|to|with) (?:what(?:ever)?|whoever)\b"
    r"(?! (?:kind|order|sort|way|extent|reason|follows|version|versions|direction|name|is left|it is|they are)\b)"
    r"|(?:^|[;:] )[Tt]hose (?:that|who|which|whose)\b|^Those (?:of|with)\b"
    r"|(?<!\bfor )\b[Aa]ll that\b|\bthat which\b"
)
DIALECT = {
    r"hang(?:s|ing)? on": "depend on",
    r"anew": "again",
    r"in the place of": "instead of",
    r"gone (?:on|through)": "continue, go through",
    r"(?:could|may|might|can|would) else": "otherwise",
    r"(?:are|be|is|was|were) told (?:as|at|by|in|of|with)": "report, describe",
    r"t(?:old|ells?) (?:\w+ ){,3}from": "distinguish from",
    r"tells (?:all|each|how|its|of|that|what|which)": "report, say",
    r"beside (?:each other|one another)": "side by side",
    r"one behind the other": "one after the other",
    r"what (?:becomes|became|comes|came) of": "the result of",
    r"at the (?:least|most)(?! \w)": "at least, at most",
}
"""Phrases, with the replacements that `docs/glossary.md` or plain English has for them."""
_DIALECT = re.compile(rf"\b(?:{'|'.join(f'({phrase})' for phrase in DIALECT)})\b", re.IGNORECASE)
_REPLACEMENTS = tuple(DIALECT.values())

_MASKS = (
    (re.compile(r"``.*?``|`[^`]*`", re.DOTALL), "X"),
    (re.compile(r"!?\[([^\]]*)\]\([^)]*\)"), r"\1"),
    (re.compile(r"https?://\S+"), "X"),
    (re.compile(r"\*\*|__"), ""),
)
_END_OF_SENTENCE = re.compile(r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)[\"')\]*]*\s+(?=[\"'(\[*]*[A-Z0-9])")


def sentences(paragraph: str) -> Iterator[tuple[int, str]]:
    """Yield each sentence in one line, with the number of line ends before it; code is replaced by a letter."""
    for pattern, mask in _MASKS:
        paragraph = pattern.sub(lambda match, mask=mask: _masked(match, mask), paragraph)  # type: ignore[misc]
    start = 0
    for end in [*(match.end() for match in _END_OF_SENTENCE.finditer(paragraph)), len(paragraph)]:
        if text := " ".join(paragraph[start:end].split()):
            yield paragraph.count("\n", 0, start), text
        start = end


def _masked(match: re.Match[str], mask: str) -> str:
    """Return the mask with as many line ends as the text that it replaces, so that lines keep their numbers."""
    text = match.expand(mask)
    return text + "\n" * (match[0].count("\n") - text.count("\n"))


def in_paragraph(line: int, paragraph: str, is_opening: bool = False) -> Iterator[Finding]:
    """Yield the findings in a paragraph that begins on a line; `kind_of_opening` judges the opening of a docstring."""
    for lines_before, sentence in sentences(paragraph):
        for match in _CLAUSE_FOR_NOUN.finditer(sentence):
            if not (is_opening and lines_before == 0 and match.start() == 0):
                yield Finding(line + lines_before, "relative", _around(match))
        for match in _DIALECT.finditer(sentence):
            better = _REPLACEMENTS[(match.lastindex or 1) - 1]
            yield Finding(line + lines_before, "dialect", f"{match[0]} (write: {better})")


def _around(match: re.Match[str]) -> str:
    return match.string[max(0, match.start() - 20) : match.end() + 30]


_NO_PROSE = re.compile(r"\s*(?:$|\||>>>|\.\.\. |\$ |#{1,6} |<|!\[|[-=~^]{3}|[A-Z]\w+:$)")
_ENTRY = re.compile(r"\s*(?:[*+-]|\d+\.|[a-z_]\w*:) ")
_FENCE = re.compile(r"\s*(```|~~~)")


def paragraphs(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield the paragraphs and list entries of a text, each with its first line, without code, tables and headings."""
    first, gathered, is_code = 0, list[str](), False
    for number, line in enumerate(lines):
        is_fence = _FENCE.match(line) is not None
        ends = is_fence or is_code or _NO_PROSE.match(line) is not None
        if gathered and (ends or _ENTRY.match(line)):
            yield first, "\n".join(gathered)
            gathered = []
        is_code ^= is_fence
        if not ends:
            first = number if not gathered else first
            entry = None if gathered else _ENTRY.match(line)
            gathered.append(line[entry.end() :] if entry else line)
    if gathered:
        yield first, "\n".join(gathered)


# Python files

_Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


class _Names(ast.NodeVisitor):
    """The findings in the names and docstrings of a module."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.lines_in_strings: set[int] = set()
        """The lines of strings that go beyond one line."""
        self._seen: set[str] = set()
        self._kind = "name"

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._define(node, "name", may_name_a_thing=True)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        decorators = " ".join(map(ast.unparse, node.decorator_list))
        self._define(node, "local name", "property" in decorators or "fixture" in decorators)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.visit_FunctionDef(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self.visit(node.body)  # the parameters of a lambda stand beside their use

    def visit_Assign(self, node: ast.Assign | ast.AnnAssign) -> None:
        is_flag = isinstance(node.value, ast.Compare | ast.UnaryOp) or (
            isinstance(node.value, ast.Constant) and isinstance(node.value.value, bool)
        )
        if not is_flag:
            self.generic_visit(node)
        elif node.value:
            self.visit(node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.visit_Assign(node)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self._name(node.lineno, node.id, self._kind)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.ctx, ast.Store):
            self._name(node.lineno, node.attr, "name")
        self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> None:
        self._name(node.lineno, node.arg, "name")

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for part in (node.iter, *node.ifs):
            self.visit(part)  # a variable of a comprehension stands beside its use

    def visit_Constant(self, node: ast.Constant | ast.JoinedStr) -> None:
        if node.end_lineno and node.end_lineno > node.lineno:
            self.lines_in_strings.update(range(node.lineno, node.end_lineno + 1))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        self.visit_Constant(node)
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        if isinstance(node.exc, ast.Call):
            self._messages(node.exc.args)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        self._messages(word.value for word in node.keywords if word.arg in {"help", "description"})
        self.generic_visit(node)

    def documented(self, node: ast.Module | _Definition, may_name_a_thing: bool) -> None:
        """Add the findings in a docstring."""
        docstring = ast.get_docstring(node, clean=False)
        if not docstring:
            return
        start = node.body[0].lineno
        for number, (line, paragraph) in enumerate(paragraphs(docstring.split("\n"))):
            if number == 0:
                first = next(iter(sentences(paragraph)))[1]
                if kind := kind_of_opening(first, may_name_a_thing):
                    self.findings.append(Finding(start + line, kind, first[:70]))
            self.findings += in_paragraph(start + line, paragraph, is_opening=number == 0)

    def _define(self, node: _Definition, kind: str, may_name_a_thing: bool) -> None:
        if has_hollow_end(node.name) or lacks_noun(node.name):
            self.findings.append(Finding(node.lineno, "name", node.name))
        self.documented(node, may_name_a_thing)
        outside = self._seen, self._kind
        self._seen, self._kind = set(), kind
        self.generic_visit(node)
        self._seen, self._kind = outside

    def _name(self, line: int, name: str, kind: str) -> None:
        if name not in self._seen and lacks_noun(name):
            self._seen.add(name)
            self.findings.append(Finding(line, kind, name))

    def _messages(self, values: Iterable[ast.expr]) -> None:
        for value in values:
            parts = value.values if isinstance(value, ast.JoinedStr) else [value]
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in parts)
            self.findings += in_paragraph(value.lineno, text)


_COMMENT = re.compile(r"(?:|.*\s)#[:!]?\s+(?!noqa|type:|pragma|fmt:)(.*)")


def _comments(text: str, in_strings: set[int]) -> Iterator[tuple[int, str]]:
    """Yield comments, each with its line; those of adjacent lines are one. Lines within strings have none."""
    comments = {
        number: match[1]
        for number, line in enumerate(text.split("\n"), 1)
        if "#" in line and number not in in_strings and (match := _COMMENT.match(line))
    }
    for line in comments:
        if line - 1 not in comments:
            adjacent = itertools.takewhile(comments.__contains__, itertools.count(line))
            yield line, "\n".join(comments[number] for number in adjacent)


def in_python(path: PurePath, text: str) -> Iterator[Finding]:
    """Yield the findings in the names, docstrings, comments and messages of a Python file."""
    if has_hollow_end(path.stem):
        yield Finding(1, "name", path.stem)
    tree = ast.parse(text)
    names = _Names()
    names.documented(tree, may_name_a_thing=True)
    names.visit(tree)
    yield from names.findings
    for line, comment in _comments(text, names.lines_in_strings):
        yield from in_paragraph(line, comment)


def in_markdown(text: str) -> Iterator[Finding]:
    """Yield the findings in a page of Markdown."""
    for line, paragraph in paragraphs(text.split("\n")):
        yield from in_paragraph(line + 1, paragraph)


def in_file(path: PurePath, text: str) -> list[Finding]:
    """Return the findings in a file, in the order of its lines."""
    lines = text.split("\n")
    found = in_python(path, text) if path.suffix == ".py" else in_markdown(text)
    return sorted(finding for finding in found if EXEMPT not in lines[finding.line - 1])
