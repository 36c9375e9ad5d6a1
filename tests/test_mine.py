"""Mined puzzles: what makes one, how the work is resumed, and the files that the lessons hold."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from evotutor.analysis import batch, puzzle_files
from evotutor.analysis.command import say
from evotutor.analysis.evolution_smaller import smaller
from evotutor.analysis.evolution_tables import SETUPS, candidate, game_of, rules_version, shows
from evotutor.analysis.evolution_themes import THEMES, key_move, key_of
from evotutor.analysis.mine import at_most, jobs_of, work
from evotutor.analysis.puzzles import GAP, HALF, mine, puzzle, without_look_alikes
from evotutor.cli import main
from evotutor.core.play import legal_lines, settle
from evotutor.core.text import LANGUAGES
from evotutor.games import load

ROOT = Path(__file__).resolve().parents[1]
MINED = ROOT / "lessons" / "puzzles" / "mined"
FILES = sorted(MINED.glob("*.yaml"))
GAME = load("evolution")
HUNT = {
    "bank": 3,
    "last_turn": True,
    "players": {
        "A": {"animals": {"a1": "plain", "a2": "carnivorous", "a3": "burrowing, high-body-weight"}},
        "B": {"animals": {"b1": "carnivorous", "b2": "running"}},
    },
    "links": [{"communication": ["a2", "a3"]}],
}


@pytest.fixture(scope="module")
def hunt():
    found = puzzle(GAME, settle(GAME, GAME.position(HUNT)), "score")
    assert found is not None
    return {"id": "hunt", **found}


# what a puzzle is


def test_a_puzzle_has_one_best_line_and_a_tempting_wrong_one(hunt):
    assert hunt["best"] == "A: attack a2 b1"
    assert hunt["certificate"]["only"] is True
    assert hunt["theme"] == "hunting"
    assert hunt["key"].startswith("attack carnivorous")
    assert 1 <= hunt["difficulty"] <= 5
    tempting = [line for line in hunt["wrong"] if line["tempting"]]
    assert tempting
    assert all(line["value"] <= hunt["certificate"]["value"] - 1 for line in hunt["wrong"])
    assert hunt["main"][0] == hunt["best"]


def test_what_does_not_matter_is_taken_away(hunt):
    words = json.dumps(hunt["position"])
    assert "carnivorous" in words
    assert "high-body-weight" not in words


def test_equal_first_lines_are_no_puzzle():
    two = {"A": {"animals": {"a1": "plain", "a2": "plain"}}, "B": {"animals": {"b1": "plain"}}}
    state = settle(GAME, GAME.position({"bank": 1, "last_turn": True, "players": two}))
    assert puzzle(GAME, state, "score") is None


def test_smaller_tables_lack_one_thing_and_keep_what_is_asked_about():
    found = list(smaller(HUNT, {"a2", "b1"}))
    assert any("b2" not in data["players"]["B"]["animals"] for data in found)
    assert all("b1" in data["players"]["B"]["animals"] for data in found)
    assert any(not data["links"] for data in found)
    assert any(data["players"]["A"]["animals"]["a3"] == "burrowing" for data in found)
    assert any(data["players"]["B"]["animals"]["b1"] == "plain" for data in found)


@pytest.mark.slow
def test_a_seed_gives_the_same_puzzle_again():
    seed = next(seed for seed in range(50) if mine("base-three", seed))
    assert mine("base-three", seed) == mine("base-three", seed)


@pytest.mark.parametrize("name", SETUPS)
def test_every_setup_gives_positions_with_nothing_hidden(name):
    from random import Random

    found = [made for seed in range(40) if (made := candidate(SETUPS[name], Random(seed)))]
    assert found
    for game, state in found:
        assert game.decision(state).kind == "own-feeding-phase"
        assert not any(state.hands)
        assert not state.stack


def test_an_expansion_has_to_be_seen():
    setup = SETUPS["gift-box"]
    rows = {"A": {"animals": {"a1": "plain"}}, "B": {"animals": {"b1": "shy"}}}
    state = game_of(setup).position({"modules": list(setup.modules), "players": rows})
    assert shows(setup, state)
    rows["B"] = {"animals": {"b1": "plain"}}
    assert not shows(setup, game_of(setup).position({"modules": list(setup.modules), "players": rows}))


def test_a_key_move_names_traits_and_pairs():
    state = GAME.position(HUNT)
    assert key_move(state, "A: attack a2 b2") == "attack carnivorous+communication > running"
    assert key_move(state, "A: take a1") == "take plain"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_theme_has_a_name(lang):
    names = {say("mine", f"theme-{theme}", lang) for theme in THEMES}
    assert len(names) == len(THEMES)


def test_look_alikes_go():
    one = {"id": "a", "theme": "t", "key": "k", "place": "p", "states": 5, "difficulty": 2, "modules": ["base"]}
    same_place = {**one, "id": "b", "key": "other", "states": 9}
    same_key = {**one, "id": "c", "place": "q", "states": 7}
    other = {**one, "id": "d", "place": "r", "key": "l", "states": 8}
    assert [found["id"] for found in without_look_alikes([same_key, other, same_place, one])] == ["a", "d"]
    assert [found["id"] for found in at_most([one, other], 1)] == ["a"]


# the work


def square(n):
    return {"square": n * n}


JOBS = {f"job {n}": (n,) for n in range(20)}


def test_finished_work_is_not_done_again(tmp_path):
    out = tmp_path / "deep" / "out.jsonl"
    with ThreadPoolExecutor(2) as pool:
        some = batch.run(square, JOBS, out, pool, 2)
        first = [next(some) for _ in range(5)]
        some.close()
        with out.open("a") as file:
            file.write('{"key": "job 19", "squ')  # cut in two
        rest = list(batch.run(square, JOBS, out, pool, 2))
    assert len(first) == 5
    records = batch.finished(out)
    assert Counter(record["key"] for record in records) == Counter([*JOBS])
    assert records[5:] == rest
    assert all(record["square"] == int(record["key"][4:]) ** 2 for record in records)


def test_a_file_that_is_none_of_ours_is_refused(tmp_path):
    out = tmp_path / "out.jsonl"
    out.write_text("hello\n")
    with pytest.raises(batch.BatchError, match=r"out\.jsonl:1"):
        batch.finished(out)
    assert main(["mine", str(out), "--seeds", "1", "--quiet"]) == 2


class Losing(Executor):
    """Loses the first runs of every task."""

    def __init__(self, times):
        self.times, self.seen = times, Counter()

    def submit(self, task, /, *args, **kwargs):
        future = Future()
        self.seen[args] += 1
        if self.seen[args] <= self.times:
            future.set_exception(ConnectionError("the worker is gone"))
        else:
            future.set_result(task(*args, **kwargs))
        return future


def test_a_lost_task_is_sent_again(tmp_path):
    assert len(list(batch.run(square, JOBS, tmp_path / "out", Losing(2), 2))) == 20
    with pytest.raises(batch.BatchError, match="the worker is gone"):
        list(batch.run(square, JOBS, tmp_path / "other", Losing(9), 2))


def test_other_rules_are_refused_and_an_error_is_a_result():
    with pytest.raises(RuntimeError, match="the run is about"):
        work("others", "base", 0, 1.0)
    assert "no-such" in work(rules_version(), "no-such", 0, 1.0)["error"]


def test_jobs_are_keyed_by_rules_setup_and_seed():
    jobs = jobs_of(["base", "gift-box"], 4, 2, 1.0)
    assert len(jobs) == 2 * (SETUPS["base"].often + SETUPS["gift-box"].often)
    key = f"{rules_version()}/base/{4 * SETUPS['base'].often}"
    assert jobs[key] == (rules_version(), "base", 4 * SETUPS["base"].often, 1.0)


# files


def test_a_puzzle_file_is_read_back_and_proven(tmp_path, hunt, capsys):
    whole = puzzle_files.to_file(hunt, "some-rules")
    (path,) = puzzle_files.write(tmp_path, [whole])
    assert puzzle_files.read(path) == json.loads(json.dumps(whole))
    assert puzzle_files.certificate_of(whole) == hunt["certificate"]
    assert puzzle_files.prove(path) == []
    assert main(["mine", "--verify", str(tmp_path), "--lang", "ru"]) == 0
    assert "Доказано заново: 1 задача" in capsys.readouterr().out
    false = puzzle_files.read(path)
    false["certificate"]["value"] = 99
    path.write_text(puzzle_files.text(false), encoding="utf-8")
    assert main(["mine", "--verify", str(tmp_path), "--json"]) == 1
    assert "99" in json.dumps(json.loads(capsys.readouterr().out)["wrong"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("{", "broken"),
        ("- 1\n", "no puzzle"),
        ("id: x\n", "missing"),
        ("!!python/object/apply:os.getcwd []\n", "broken"),
    ],
)
def test_a_wrong_file_is_refused_in_one_line(tmp_path, capsys, change, message):
    path = tmp_path / "x.yaml"
    path.write_text(change)
    assert main(["mine", "--verify", str(path)]) == 2
    shown = capsys.readouterr().err
    assert str(path) in shown
    assert shown.count("\n") == 1
    assert message == "broken" or message in shown


def test_arguments_that_cannot_be_are_told(tmp_path, capsys):
    assert main(["mine", "--lang", "en"]) == 2
    assert "OUT" in capsys.readouterr().err
    assert main(["mine", str(tmp_path / "out"), "--setups", "bases"]) == 2
    assert "bases" in capsys.readouterr().err
    assert main(["mine", "--verify", str(tmp_path)]) == 2


def test_a_run_writes_its_puzzles_and_is_then_complete(tmp_path, capsys):
    line = ["mine", str(tmp_path / "out"), "--setups", "base-three", "--seeds", "6", "--quiet", "--lang", "en"]
    assert main([*line, "--folder", str(tmp_path / "found")]) == 0
    assert "6 seeds looked at, 0 before" in capsys.readouterr().out
    assert main([*line, "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert (summary["looked"], summary["before"]) == (0, 6)
    assert summary["kept"] == len(list((tmp_path / "found").glob("*.yaml")))


# the puzzles of the lessons


@pytest.mark.parametrize("path", FILES[:: max(1, len(FILES) // 8)], ids=lambda path: path.stem)
def test_some_mined_puzzles_are_proven_again(path):
    assert puzzle_files.prove(path) == []


@pytest.mark.slow
def test_all_mined_puzzles_are_proven_again():
    wrong = {path.name: problems for path in FILES if (problems := puzzle_files.prove(path))}
    assert wrong == {}


@pytest.mark.slow
def test_mined_puzzles_are_many_small_and_different():
    assert len(FILES) >= 100
    assert sum(path.stat().st_size for path in FILES) < 1_500_000
    found = [puzzle_files.read(path) for path in FILES]
    assert [one["id"] for one in found] == [path.stem for path in FILES]
    keys, places = Counter(), Counter()
    for one in found:
        game = load("evolution", modules=tuple(one["modules"]), scenario=one.get("scenario"))
        state = game.position(one["position"])
        places[one["modules"] and (tuple(one["modules"]), one.get("scenario"), game.search_key(state))] += 1
        keys[one["theme"], one["key"]] += 1
        assert one["theme"] in THEMES
        assert one["key"] == key_of(state, one["best"], one["wrong"][0]["line"])
        lines = legal_lines(game, state)
        assert {one["best"], *(line["line"] for line in one["wrong"])} <= set(lines)
        assert any(line["tempting"] for line in one["wrong"])
        gap = GAP.get(one["goal"], HALF)
        assert all(line["value"] <= one["certificate"]["value"] - gap + 1e-4 for line in one["wrong"])
    assert max(keys.values()) == max(places.values()) == 1
    assert {"base", "time-to-fly", "continents", "gift-box"} <= {name for one in found for name in one["modules"]}
    assert any(one.get("scenario") == "cataclysm" for one in found)


# killed


LINE = ["--setups", "base-three", "--quiet", "--json"]


def command(*words):
    return [sys.executable, "-m", "evotutor.cli", "mine", *map(str, words), *LINE]


def environment():
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"}


def lines_of(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0


def wait_until(true, seconds=30.0):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "nothing happens"
        time.sleep(0.05)


def same_as_here(out, seeds):
    records = batch.finished(out)
    assert Counter(record["key"] for record in records) == Counter([*jobs_of(["base-three"], 0, seeds, 1.0)])
    for record in records[:: max(1, seeds // 4)]:
        assert record["puzzle"] == json.loads(json.dumps(mine("base-three", int(record["key"].rpartition("/")[2]))))


def children(pid):
    return [int(n) for n in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks for processes in /proc")
def test_a_killed_run_goes_on_where_it_was(tmp_path):
    out, seeds = tmp_path / "out.jsonl", 40
    first = subprocess.Popen(command(out, "--seeds", seeds), cwd=ROOT, env=environment(), stdout=subprocess.DEVNULL)
    try:
        wait_until(lambda: lines_of(out) >= 4)
        workers = children(first.pid)
    finally:
        first.kill()
        first.wait()
    assert len(workers) == 2
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers), 10)
    done = out.read_bytes()
    assert 4 <= lines_of(out) < seeds
    ran = subprocess.run(
        command(out, "--seeds", seeds), cwd=ROOT, env=environment(), capture_output=True, text=True, check=True
    )
    whole = done[: done.rfind(b"\n") + 1]
    assert out.read_bytes().startswith(whole)
    assert json.loads(ran.stdout)["before"] == whole.count(b"\n")
    same_as_here(out, seeds)


@pytest.mark.slow
def test_a_lost_worker_of_a_cluster_loses_no_result(tmp_path):
    pytest.importorskip("distributed")
    out, seeds, address = tmp_path / "out.jsonl", 40, tmp_path / "scheduler.json"
    dask = [sys.executable, "-m", "dask"]
    started = []

    def start(*words):
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        started.append(subprocess.Popen([*map(str, words)], cwd=tmp_path, env=environment(), **quiet))
        return started[-1]

    try:
        start(*dask, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", address)
        wait_until(lambda: address.exists() and address.stat().st_size > 0)
        one, _ = (
            start(*dask, "worker", "--scheduler-file", address, "--nthreads", 1, "--no-nanny", "--no-dashboard")
            for _ in range(2)
        )
        where = json.loads(address.read_text())["address"]
        run = start(*command(out, "--seeds", seeds, "--scheduler", where))
        wait_until(lambda: lines_of(out) >= 4)
        one.send_signal(signal.SIGKILL)
        assert one.wait(10) == -signal.SIGKILL
        assert lines_of(out) < seeds
        assert run.wait(50) == 0
    finally:
        for process in started:
            process.kill()
            process.wait()
    same_as_here(out, seeds)
