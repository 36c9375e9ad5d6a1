"""What `docs/odds.md` shows is so."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from evotutor.cli import main

TEXT = (Path(__file__).parent.parent / "docs" / "odds.md").read_text(encoding="utf-8")
FILE = re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)[0]
SHOWN = re.findall(r"```console\n\$ evotutor (.*?)\n(.*?)```", TEXT, re.DOTALL)
PROGRAM = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)[0]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    (tmp_path / "hunt.yaml").write_text(FILE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(("command", "output"), SHOWN)
def test_a_command_prints_what_is_shown(command, output, capsys):
    assert main([*shlex.split(command), "--lang", "en"]) == 0
    found = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    wanted = output.splitlines()
    # the columns are as wide as the longest line, which may stand below what is shown
    assert [line.split() for line in found[: len(wanted)]] == [line.split() for line in wanted]


def test_the_program_runs(capsys):
    exec(compile(PROGRAM, "odds.md", "exec"), {})
    out = capsys.readouterr().out
    assert "Fraction(1, 2)" in out
    assert "7/12" in out
