"""What Binder makes of this repository: its Dockerfile, and the same steps without Docker."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.slow
def test_repo2docker_understands_the_folder() -> None:
    program = Path(sys.executable).with_name("jupyter-repo2docker")
    if not program.exists():
        pytest.skip("jupyter-repo2docker is not installed")
    ran = subprocess.run(
        [program, "--no-build", "--debug", ROOT], capture_output=True, text=True, check=False, timeout=120
    )
    told = ran.stdout + ran.stderr
    assert ran.returncode == 0, told[-2000:]
    assert "python=3.12" in told
    assert "RUN ./binder/postBuild" in told
    # Requirements are a layer of their own, before the repository: a commit does not install everything anew.
    requirements = told.find('pip install --no-cache-dir -r "binder/requirements.txt"')
    assert 0 <= requirements < told.find(" src/ ${REPO_DIR}/")


@pytest.mark.slow
@pytest.mark.e2e
def test_its_doors_open() -> None:
    pytest.importorskip("playwright.sync_api")
    if not (shutil.which("chromium") or shutil.which("google-chrome")):
        give_up = pytest.fail if os.environ.get("EVOTUTOR_NEEDS_BROWSER") else pytest.skip
        give_up("no Chromium on this machine")
    ran = subprocess.run(
        [sys.executable, ROOT / "binder" / "check"], capture_output=True, text=True, check=False, timeout=600
    )
    assert ran.returncode == 0, (ran.stdout + ran.stderr)[-3000:]
