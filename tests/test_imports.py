"""Imports go one way, and the rules need neither widgets nor arrays nor Jupyter."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import evotutor

PACKAGE = Path(evotutor.__file__).parent
LEVELS = (
    ("core",),
    ("games",),
    ("rulebook", "cases", "analysis"),
    ("teaching", "drawing"),
    ("widgets", "cli"),
)
LEVEL = {name: level for level, names in enumerate(LEVELS) for name in names}
PLAIN = ("core", "games", "rulebook", "cases", "analysis", "teaching")
"""What has to run in a bare interpreter, in a browser and on a cluster."""
HEAVY = {"ipywidgets", "anywidget", "traitlets", "matplotlib", "numpy", "IPython", "ipykernel", "jupyter_server"}


def part(module: str) -> str:
    """The part of the package that a module belongs to: "evotutor.games.evolution" is of "games"."""
    return module.split(".")[1] if module.count(".") else ""


def name_of(file: Path) -> str:
    return ".".join(("evotutor", *file.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")


def imported(file: Path) -> Iterator[str]:
    """The modules of this package that a file imports, anywhere in it."""
    package = name_of(file) if file.name == "__init__.py" else name_of(file).rpartition(".")[0]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "evotutor")
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join((*above, base)).rstrip(".")
            if base == "evotutor":
                yield from (f"evotutor.{alias.name}" for alias in node.names if not alias.name.startswith("__"))
            elif base.startswith("evotutor."):
                yield base


def edges() -> set[tuple[str, str]]:
    """Which part imports which other part."""
    return {
        (part(name_of(file)), part(module))
        for file in PACKAGE.rglob("*.py")
        for module in imported(file)
        if part(name_of(file)) and part(module) and part(name_of(file)) != part(module)
    }


def test_every_part_has_a_level() -> None:
    found = {part(name_of(file)) for file in PACKAGE.rglob("*.py")} - {""}
    assert found <= set(LEVEL), "a new part of the package needs its place in LEVELS"


def test_imports_go_down() -> None:
    upward = sorted(f"{a} imports {b}" for a, b in edges() if LEVEL[a] < LEVEL[b])
    assert upward == []


def test_parts_of_one_level_do_not_import_each_other_in_a_circle() -> None:
    found = edges()
    assert sorted((a, b) for a, b in found if (b, a) in found) == []


@pytest.mark.parametrize("name", PLAIN)
def test_plain_parts_bring_in_nothing_heavy(name: str) -> None:
    modules = sorted(name_of(file) for file in (PACKAGE / name).rglob("*.py") if file.name != "__main__.py")
    program = f"import sys, importlib\nfor name in {modules}: importlib.import_module(name)\nprint(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert HEAVY & {module.split(".")[0] for module in ran.stdout.split()} == set()


def test_widgets_start_without_arrays_and_plots() -> None:
    program = "import sys, evotutor.widgets\nprint(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert {"matplotlib", "numpy"} & {module.split(".")[0] for module in ran.stdout.split()} == set()
