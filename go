#!/usr/bin/env python3
"""evotutor with one command, on a machine that has git and Python 3 and nothing else.

  ./go                   set up what is missing and open the tutor in the browser
  ./go lab               the same notebooks in JupyterLab, where the code can be read
  ./go test [--fast]     pass the tests: lint, types, every tier of tests, the notebooks
  ./go setup             only set up
  ./go COMMAND ...       a command of evotutor itself: check, ask, moves, show, rules

  --no-browser           print the address and do not open it
  --port N               serve there; without it any free port of this machine
  --lang en|ru           the language of the tutor's page
  --fast                 test: only the fast tier, under a minute; other words go to pytest

Everything goes to the folder .venv; delete it to start afresh.
"""

import argparse
import hashlib
import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import webbrowser
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
WELCOME = "notebooks/welcome.ipynb"
EXTRAS = {"use": "notebook,drawing,analysis", "dev": "dev"}
OLDEST = (3, 11)
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

TEXTS = {
    "old": (
        "evotutor needs Python {wanted} or newer; this is {found}.",
        "Для evotutor нужен Python {wanted} или новее, а здесь {found}.",
    ),
    "installing": ("Installing {what} ...", "Устанавливаю {what} ..."),
    "by-hand": (
        "Please run once, then ./go again:\n    {line}",
        "Выполните один раз и снова запустите ./go:\n    {line}",
    ),
    "no-venv": (
        "This Python cannot make virtual environments: the module ensurepip is missing.",
        "Этот Python не умеет создавать виртуальные окружения: нет модуля ensurepip.",
    ),
    "first": (
        "Setting up in .venv: a minute or two, this once.",
        "Готовлю окружение в .venv: минута-другая, только в первый раз.",
    ),
    "unpinned": (
        "The versions of constraints.txt cannot be installed here; trying the newest that fit.",
        "Версии из constraints.txt здесь не ставятся; пробую самые новые из подходящих.",
    ),
    "failed": ("This failed: {line}", "Не удалось: {line}"),
    "taken": (
        "Port {port} is taken; leave --port out to get a free one.",
        "Порт {port} занят; без --port найдётся свободный.",
    ),
    "open": ("The tutor: {url}\nCtrl-C ends it.", "Учебник: {url}\nCtrl-C завершает работу."),
    "no-chromium": (
        "The browser tests need Chromium, and there is none (name one by CHROMIUM=/path, or take ./go test --fast).",
        "Тестам в браузере нужен Chromium, а его нет (укажите CHROMIUM=/путь или запустите ./go test --fast).",
    ),
    "no-driver": (
        "Playwright, which drives the browser in the tests, does not start.",
        "Playwright, который управляет браузером в тестах, не запускается.",
    ),
    "passed": ("All tests passed.", "Все тесты пройдены."),
}


class Stop(Exception):
    """What to tell the person before giving up."""


def say(key, **words):
    russian = next((os.environ[v] for v in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(v)), "").startswith("ru")
    return TEXTS[key][russian].format(**words)


def tell(text):
    print(text, flush=True)


def run(*command, **options):
    """Run a command to its end, or stop and name it."""
    try:
        subprocess.run([str(part) for part in command], check=True, cwd=str(ROOT), **options)
    except (subprocess.CalledProcessError, OSError) as error:
        raise Stop(say("failed", line=" ".join(str(part) for part in command))) from error


# setting up


def newer_python():
    """Where this Python is too old: the newest other one on the PATH, or None."""
    names = ("python3.%d" % minor for minor in range(20, OLDEST[1] - 1, -1))
    return next(filter(None, map(shutil.which, names)), None)


def privilege():
    """What to put before apt-get: nothing for root, sudo where it can ask or need not; None when there is no way."""
    if not hasattr(os, "geteuid") or os.geteuid() == 0:
        return []
    if not shutil.which("sudo"):
        return None
    silent = subprocess.call(["sudo", "-n", "true"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0
    return ["sudo"] if silent or sys.stdin.isatty() else None


def apt(package, why):
    """Install a Debian package, or say why it is needed and how to get it."""
    install = ["apt-get", "install", "-y", "--no-install-recommends", package]
    prefix = privilege()
    if not shutil.which("apt-get") or prefix is None:
        raise Stop(why + "\n" + say("by-hand", line="sudo apt-get install " + package))
    tell(say("installing", what=package))
    quiet = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    subprocess.call([*prefix, "apt-get", "update", "-qq"], env=quiet)
    if subprocess.call([*prefix, *install, "-qq"], env=quiet, stdout=subprocess.DEVNULL) != 0:
        raise Stop(why + "\n" + say("by-hand", line="sudo apt-get install " + package))


def make_venv():
    if PYTHON.exists() and subprocess.call([str(PYTHON), "-m", "pip", "--version"], stdout=subprocess.DEVNULL) == 0:
        return
    if importlib.util.find_spec("ensurepip") is None:
        debian = os.path.realpath(sys.executable) == os.path.realpath("/usr/bin/python3")
        apt("python3-venv" if debian else "python3.%d-venv" % sys.version_info[1], say("no-venv"))
    run(sys.executable, "-m", "venv", "--clear", VENV)


def fingerprint(kind):
    """What the contents of .venv depend on."""
    digest = hashlib.sha256((kind + sys.version).encode())
    for name in ("pyproject.toml", "constraints.txt"):
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


def stamp(kind):
    return VENV / ("evotutor-%s.stamp" % kind)


def is_set_up(kind):
    return PYTHON.exists() and stamp(kind).exists() and stamp(kind).read_text() == fingerprint(kind)


def set_up(kind):
    """Make .venv hold evotutor with the extras of this kind; nothing to do when the stamp fits."""
    if is_set_up(kind) or (kind == "use" and is_set_up("dev")):
        return
    tell(say("first"))
    make_venv()
    pip = [PYTHON, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-warn-script-location"]
    run(*pip, "--upgrade", "pip")
    package = [*pip, "--editable", ".[%s]" % EXTRAS[kind]]
    try:
        run(*package, "--constraint", "constraints.txt")
    except Stop:
        tell(say("unpinned"))
        run(*package)
    stamp(kind).write_text(fingerprint(kind))


def browser():
    """The Chromium of the browser tests, installed by apt where it is missing."""
    named = os.environ.get("CHROMIUM")
    found = named or next(filter(None, map(shutil.which, CHROMIUMS)), None)
    if not found:
        apt("chromium", say("no-chromium"))
        found = shutil.which("chromium")
    return found


def driver():
    """Playwright brings a Node that needs libatomic, which a bare Debian has not."""
    version = [str(PYTHON), "-m", "playwright", "--version"]
    if subprocess.call(version, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) != 0:
        apt("libatomic1", say("no-driver"))


# opening


def free_port(wanted):
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", wanted))
        except OSError as error:
            raise Stop(say("taken", port=wanted)) from error
        return probe.getsockname()[1]


def has_display():
    if not sys.platform.startswith("linux"):
        return "SSH_CONNECTION" not in os.environ
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def answers(port):
    with socket.socket() as probe:
        probe.settimeout(2)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def interrupt(*_):
    raise KeyboardInterrupt


def serve(command, port, url, options):
    """Start the server, show its address when it answers, and stay until it ends."""
    signal.signal(signal.SIGTERM, interrupt)
    server = subprocess.Popen([str(part) for part in command], cwd=str(ROOT))
    try:
        while server.poll() is None and not answers(port):
            time.sleep(0.2)
        if server.poll() is None:
            tell("\n" + say("open", url=url) + "\n")
            if has_display() and not options.no_browser:
                webbrowser.open(url)
        return server.wait()
    except KeyboardInterrupt:
        return 0
    finally:
        if server.poll() is None:
            server.terminate()
            server.wait()


def open_tutor(options):
    set_up("use")
    port = free_port(options.port)
    base = "http://127.0.0.1:%d" % port
    command = [PYTHON, "-m", "voila", ROOT / "notebooks", "--no-browser", "--port=%d" % port]
    command += ["--Voila.ip=127.0.0.1", "--Voila.port_retries=0", "--Voila.log_level=WARN"]
    query = "?lang=" + options.lang if options.lang else ""
    return serve(command, port, base + "/voila/render/welcome.ipynb" + query, options)


def open_lab(options):
    set_up("use")
    port = free_port(options.port)
    base = "http://127.0.0.1:%d" % port
    token = os.environ.setdefault("JUPYTER_TOKEN", os.urandom(16).hex())
    command = [PYTHON, "-m", "jupyterlab", "--no-browser", "--ip=127.0.0.1", "--port=%d" % port]
    command += ["--ServerApp.port_retries=0", "--ServerApp.root_dir=%s" % ROOT, "--ServerApp.log_level=WARN"]
    command += ["--LabApp.app_settings_dir=%s" % (ROOT / "binder" / "labsettings")]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command += ["--allow-root"]
    return serve(command, port, base + "/lab/tree/" + WELCOME + "?token=" + token, options)


# testing


def test(options, words):
    set_up("dev")
    pytest = [PYTHON, "-m", "pytest"]
    if options.fast:
        return subprocess.call([str(part) for part in [*pytest, *words]], cwd=str(ROOT))
    driver()
    environment = dict(os.environ, CHROMIUM=browser(), EVOTUTOR_NEEDS_BROWSER="1")
    steps = {
        "ruff": [PYTHON, "-m", "ruff", "check", "."],
        "mypy": [PYTHON, "-m", "mypy"],
        "notebooks": [*pytest, "--nbval-lax", "--nbval-current-env", "--nbval-cell-timeout=120", "-m", "", "notebooks"],
        "pytest": [*pytest, "-m", "", "--durations=10", *words],
    }
    failed = []
    for name, command in steps.items():
        tell("\n== " + name)
        if subprocess.call([str(part) for part in command], cwd=str(ROOT), env=environment) != 0:
            failed.append(name)
    tell("\n" + (say("failed", line=", ".join(failed)) if failed else say("passed")))
    return 1 if failed else 0


def arguments(command, words):
    parser = argparse.ArgumentParser(
        prog="./go", description=__doc__, usage=argparse.SUPPRESS, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--no-browser", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--lang", choices=("en", "ru"), help=argparse.SUPPRESS)
    parser.add_argument("--fast", action="store_true", help=argparse.SUPPRESS)
    options, rest = parser.parse_known_args(words)
    if rest and command != "test":
        parser.error("what is %s? See ./go --help" % " ".join(rest))
    return options, rest


def main(words):
    if sys.version_info < OLDEST:
        other = newer_python()
        if other:
            os.execv(other, [other, str(ROOT / "go"), *words])
        raise Stop(say("old", wanted="%d.%d" % OLDEST, found="%d.%d" % sys.version_info[:2]))
    command = words.pop(0) if words and not words[0].startswith("-") else "open"
    if command not in ("open", "lab", "test", "setup"):
        set_up("use")
        return subprocess.call([str(PYTHON), "-m", "evotutor.cli", command, *words])
    options, rest = arguments(command, words)
    if command == "open":
        return open_tutor(options)
    if command == "lab":
        return open_lab(options)
    if command == "test":
        return test(options, rest)
    return set_up("dev") or 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Stop as stop:
        sys.exit("go: " + str(stop))
    except KeyboardInterrupt:
        sys.exit(130)
