"""JupyterLab and Voila, each started once per session, and a Chromium in front of them."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parents[2]
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
RUN_ALL = """async () => {
    const widget = jupyterapp.shell.currentWidget;
    await widget.context.ready;
    await widget.sessionContext.ready;
    await widget.sessionContext.session.kernel.info;
    return await jupyterapp.commands.execute('notebook:run-all-cells');
}"""


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """The machine's own Chromium; without one the tests are skipped, or fail where the run needs them."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUMS)), None)
    if not found:
        give_up = pytest.fail if os.environ.get("EVOTUTOR_NEEDS_BROWSER") else pytest.skip
        give_up("no Chromium on this machine; ./go test installs it, CHROMIUM=/path names it")
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage"]
    return {**browser_type_launch_args, "executable_path": found, "args": flags}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def answers(url: str) -> bool:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        opener.open(url, timeout=2).close()
    except urllib.error.HTTPError as error:
        error.close()
        return True
    except OSError:
        return False
    return True


def environment(folder: Path) -> dict[str, str]:
    """Nobody's settings: everything Jupyter writes goes to a folder of this session."""
    names = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "IPYTHONDIR": "ipython",
    }
    plain = {key: value for key, value in os.environ.items() if key not in ("JUPYTER_TOKEN", "LC_ALL", "LC_MESSAGES")}
    return {**plain, **{key: str(folder / name) for key, name in names.items()}, "LANG": "C.UTF-8"}


@contextmanager
def server(command: list[str], probe: str, folder: Path) -> Iterator[None]:
    """A server that answers at `probe`; its output is in the message when it does not come up."""
    log = folder / "log"
    with log.open("wb") as out:
        process = subprocess.Popen(command, cwd=ROOT, env=environment(folder), stdout=out, stderr=subprocess.STDOUT)
    try:
        deadline = time.monotonic() + 90
        while not answers(probe):
            if process.poll() is not None or time.monotonic() > deadline:
                pytest.fail(f"{' '.join(command[1:4])} did not start:\n{log.read_text(errors='replace')[-3000:]}")
            time.sleep(0.2)
        yield
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a JupyterLab that serves the project with the settings that Binder gets."""
    folder, port = tmp_path_factory.mktemp("lab"), free_port()
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}"]
    command += ["--ServerApp.port_retries=0", "--IdentityProvider.token=", "--ServerApp.password="]
    command += [f"--ServerApp.root_dir={ROOT}", "--LabApp.expose_app_in_browser=True"]
    command += [f"--LabApp.app_settings_dir={ROOT}/binder/labsettings"]
    base = f"http://127.0.0.1:{port}"
    with server(command, f"{base}/api", folder):
        yield base


@pytest.fixture(scope="session")
def voila(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Voila at the project's folder; notebooks are below /voila/render/notebooks/."""
    folder, port = tmp_path_factory.mktemp("voila"), free_port()
    command = [sys.executable, "-m", "voila", str(ROOT), "--no-browser", f"--port={port}"]
    command += ["--Voila.ip=127.0.0.1", "--Voila.port_retries=0"]
    base = f"http://127.0.0.1:{port}"
    with server(command, f"{base}/voila/static/", folder):
        yield base


@pytest.fixture
def notebook(page: Page, lab: str) -> Callable[[str], Page]:
    """Open a notebook in JupyterLab and run it: `page = notebook("notebooks/welcome.ipynb")`."""

    def run(path: str) -> Page:
        page.goto(f"{lab}/doc/tree/{path}?reset")
        page.wait_for_function(
            "window.jupyterapp?.shell?.currentWidget?.sessionContext?.session?.kernel", timeout=60_000
        )
        assert page.evaluate(RUN_ALL), f"{path} did not run"
        return page

    return run
