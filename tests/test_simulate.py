"""Simulated games as tables and charts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evotutor.analysis import simulate
from evotutor.cli import main

pd = pytest.importorskip("pandas")
pytest.importorskip("matplotlib")
ALL = ("base", "time-to-fly", "continents", "gift-box")


@pytest.fixture(scope="module")
def found() -> simulate.Tables:
    return simulate.tables(6, 3, bots=("greedy", "random"))


def test_one_row_per_player_and_game(found: simulate.Tables) -> None:
    frame = found.players
    assert list(frame.columns) == list(simulate.PLAYER_COLUMNS)
    assert len(frame) == 18
    assert (frame.groupby("game")["win"].sum().sub(1).abs() < 1e-9).all()
    assert (frame.groupby("game")["order"].apply(sorted).map(tuple) == (1, 2, 3)).all()
    sources = frame[["points_animals", "points_traits", "points_need", "points_pairs"]].sum(axis=1)
    assert (sources == frame["points"]).all()


def test_every_card_has_one_fate(found: simulate.Tables) -> None:
    frame, cards = found
    assert set(cards["fate"]) <= {"survived", "eaten", "starved", "poisoned", "dropped"}
    assert (cards["turn_lost"].isna() == (cards["fate"] == "survived")).all()
    animals = cards[cards["card"] == "animal"]
    alive = animals[animals["fate"] == "survived"].groupby(["game", "seat"]).size()
    told = frame.set_index(["game", "seat"])["animals"]
    assert alive.reindex(told.index, fill_value=0).tolist() == told.tolist()
    for fate in ("eaten", "starved"):
        deaths = animals[animals["fate"] == fate].groupby(["game", "seat"]).size()
        assert deaths.reindex(told.index, fill_value=0).tolist() == frame[fate].tolist()


def test_expansions_are_recorded_too() -> None:
    frame, cards = simulate.tables(4, 2, ALL, bots=("random",))
    traits = cards[(cards["card"] != "animal") & (cards["fate"] == "survived")]
    assert len(traits) <= frame["points"].sum()
    assert (frame["points"] >= 0).all()


def test_the_same_seeds_give_the_same_rows_on_any_number_of_processes(found: simulate.Tables) -> None:
    again = simulate.simulate(6, 3, bots=("greedy", "random"), workers=2)
    columns = [name for name in simulate.PLAYER_COLUMNS if name != "seconds"]
    pd.testing.assert_frame_equal(again[columns], found.players[columns])


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_tables_are_written(ending: str, found: simulate.Tables, tmp_path: Path) -> None:
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    file = tmp_path / f"games.{ending}"
    simulate.write(found.players, file)
    back = pd.read_parquet(file) if ending == "parquet" else pd.read_csv(file)
    assert back["points"].tolist() == found.players["points"].tolist()
    with pytest.raises(ValueError, match=r"\.parquet or \.csv"):
        simulate.write(found.players, tmp_path / "games.xlsx")


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "ru"])
def test_charts_speak_both_languages(lang: str, found: simulate.Tables) -> None:
    from evotutor.analysis.charts import charts

    figures = charts(found.players, found.cards, lang=lang)
    assert set(figures) == {"points", "seats", "survival"}
    told = " ".join(text.get_text() for figure in figures.values() for text in figure.findobj(_is_text))
    assert {"en": "Carnivorous", "ru": "Хищник"}[lang] in told
    assert set(charts(found.players, lang=lang)) == {"points", "seats"}


def _is_text(artist: object) -> bool:
    return hasattr(artist, "get_text")


def test_charts_of_nothing_are_refused(found: simulate.Tables) -> None:
    from evotutor.analysis.charts import charts

    with pytest.raises(ValueError, match="no games"):
        charts(found.players.iloc[:0])
    with pytest.raises(ValueError, match="language"):
        charts(found.players, lang="de")


def test_simulate_writes_tables_and_charts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    args = ["simulate", "--games", "3", "--bots", "random", "--out", str(tmp_path / "g.csv"), "--quiet", "--json"]
    assert main([*args, "--charts", str(tmp_path / "pictures"), "--lang", "ru"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert all(Path(file).exists() for file in told["files"])
    assert len(told["files"]) == 5


@pytest.mark.parametrize("wrong", [["--out", "games.xlsx"], ["--bots", "clever"], ["--players", "1"]])
def test_simulate_refuses_what_it_cannot_do(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--games", "1", "--quiet", *wrong]) == 2
    assert capsys.readouterr().err
