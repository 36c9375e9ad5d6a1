"""The package says what it needs, and an installed copy has everything that it reads."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]


def name_and_range(requirement: str) -> tuple[str, str]:
    name, versions = re.match(r"([\w.-]+)(.*)", requirement).groups()  # type: ignore[union-attr]
    return name.lower(), versions.strip()


def requirements(*lists: list[str]) -> dict[str, str]:
    found = dict(name_and_range(line) for lines in lists for line in lines)
    found.pop("evotutor", None)
    return found


RUN_TIME = requirements(PROJECT["project"]["dependencies"], *(EXTRAS[x] for x in ("notebook", "drawing", "analysis")))
EVERYTHING = {**RUN_TIME, **requirements(EXTRAS["cluster"], EXTRAS["dev"], PROJECT["build-system"]["requires"])}


def test_every_dependency_has_a_range() -> None:
    assert [name for name, versions in EVERYTHING.items() if ">=" not in versions] == []


def test_every_dependency_is_explained() -> None:
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\* `([\w.-]+)` – \w", page, re.MULTILINE)) == set(EVERYTHING)


def test_binder_installs_the_same_ranges() -> None:
    lines = (ROOT / "binder" / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert requirements([line for line in lines if line and not line.startswith("#")]) == RUN_TIME


def test_constraints_hold_one_version_of_each_dependency() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = [name_and_range(line)[0].replace("_", "-") for line in lines if not line.startswith("#")]
    assert len(pinned) == len(set(pinned))
    assert set(EVERYTHING) - {"hatchling"} <= set(pinned)


def test_go_tells_how_to_use_it() -> None:
    ran = subprocess.run([sys.executable, ROOT / "go", "--help"], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert "./go test" in ran.stdout


def test_go_refuses_words_that_it_does_not_know() -> None:
    ran = subprocess.run([sys.executable, ROOT / "go", "lab", "--prot"], capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert "--prot" in ran.stderr


@pytest.mark.slow
def test_wheel_holds_lessons_data_and_types_and_runs_elsewhere(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", tmp_path, ROOT], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    inside = set(zipfile.ZipFile(wheel).namelist())
    shipped = [p for p in (ROOT / "evotutor").rglob("*") if p.is_file() and "__pycache__" not in p.parts]
    assert {str(path.relative_to(ROOT)) for path in shipped} <= inside
    lessons = [p for p in (ROOT / "lessons").rglob("*.yaml") if p.is_file()]
    assert {f"evotutor/_lessons/{path.relative_to(ROOT / 'lessons')}" for path in lessons} <= inside

    venv.create(tmp_path / "v", with_pip=True)
    python = tmp_path / "v" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "-q", "-c", ROOT / "constraints.txt", wheel], check=True)
    program = "from evotutor.teaching.scenario import lessons_folder, named, read; read(named('worked-feeding-phase'))"
    program += "; assert '_lessons' in str(lessons_folder())"
    subprocess.run([python, "-c", program], check=True, cwd=tmp_path)
    subprocess.run([tmp_path / "v" / "bin" / "evotutor", "--help"], check=True, cwd=tmp_path, stdout=subprocess.DEVNULL)
