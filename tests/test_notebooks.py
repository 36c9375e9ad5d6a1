"""Notebooks are thin, committed as written, and every link to Binder opens one that exists."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted(path for path in (ROOT / "notebooks").rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts)
LINK = re.compile(r"https://mybinder\.org/v2/gh/[^/\s]+/[^/\s]+/[^?\s)]+\?urlpath=([^\s)\"'>]+)")
ENDPOINTS = ("voila/render/", "doc/tree/", "lab/tree/")

every = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def read(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


def code_cells(path: Path) -> list[dict[str, Any]]:
    return [cell for cell in read(path)["cells"] if cell["cell_type"] == "code"]


def test_there_is_a_welcome() -> None:
    assert "welcome" in {path.stem for path in NOTEBOOKS}


@every
def test_is_a_valid_notebook(path: Path) -> None:
    nbformat.validate(read(path))


@every
def test_has_no_outputs(path: Path) -> None:
    for cell in code_cells(path):
        assert (cell["outputs"], cell["execution_count"]) == ([], None)
    assert "widgets" not in read(path)["metadata"]


@every
def test_runs_on_any_python_3(path: Path) -> None:
    assert read(path)["metadata"]["kernelspec"]["name"] == "python3"


@every
def test_is_thin(path: Path) -> None:
    cells = code_cells(path)
    assert 1 <= len(cells) <= 4
    assert all(len("".join(cell["source"]).splitlines()) <= 12 for cell in cells), "logic belongs in the package"


@every
def test_hidden_code_begins_with_a_label(path: Path) -> None:
    """JupyterLab still shows the first line of a hidden cell."""
    for cell in code_cells(path):
        if cell["metadata"].get("jupyter", {}).get("source_hidden"):
            assert "".join(cell["source"]).startswith("# ▶")


def test_links_to_binder_open_what_exists() -> None:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    targets = [unquote(target) for page in pages for target in LINK.findall(page.read_text(encoding="utf-8"))]
    assert targets, "README links to Binder"
    for target in targets:
        endpoint = next((known for known in ENDPOINTS if target.startswith(known)), None)
        assert endpoint, target
        assert (ROOT / target.removeprefix(endpoint).partition("?")[0]).is_file(), target
