"""Packages of plug-ins, installed where Python finds them."""

from collections.abc import Iterable
from pathlib import Path


def install_plug_in(folder: Path, module: str, text: str, group: str, names: Iterable[str]) -> None:
    """Put a package of one module into a folder; its entry points of a group are the names that it defines."""
    (folder / f"{module}.py").write_text(text, encoding="utf-8")
    about = folder / f"{module}-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Name: {module}\nVersion: 1\n", encoding="utf-8")
    points = [f"[{group}]", *(f"{name} = {module}:{name}" for name in names)]
    (about / "entry_points.txt").write_text("\n".join(points) + "\n", encoding="utf-8")
