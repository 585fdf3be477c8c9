"""Text files are UTF-8, whatever the locale is; ruff does not know all paths, so this test looks for the rest."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
TEXT_METHODS = {"read_text", "write_text", "fdopen"}


def lines_without_encoding(text: str) -> Iterator[int]:
    if not any(f"{name}(" in text for name in TEXT_METHODS):
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in TEXT_METHODS:
            mode = node.args[1] if node.func.attr == "fdopen" and len(node.args) > 1 else None
            is_binary = isinstance(mode, ast.Constant) and "b" in str(mode.value)
            if not is_binary and not any(keyword.arg == "encoding" for keyword in node.keywords):
                yield node.lineno


def test_no_text_file_has_the_encoding_of_the_locale():
    files = [file for folder in ("harness", "benchmarks") for file in (ROOT / folder).rglob("*.py")]
    assert len(files) > 500
    texts = {str(file.relative_to(ROOT)): file.read_text(encoding="utf-8") for file in files}
    undeclared = {name: lines for name, text in texts.items() if (lines := list(lines_without_encoding(text)))}
    assert undeclared == {}


def test_a_call_without_an_encoding_is_found():
    text = "path.read_text()\npath.write_text('', encoding='utf-8')\nos.fdopen(3, 'w')\nos.fdopen(3, 'wb')\n"
    assert list(lines_without_encoding(text)) == [1, 3]
