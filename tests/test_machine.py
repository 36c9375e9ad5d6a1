"""The game as a rule machine, base and whole gift box: random play and questions, invariants after every step."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from evotutor.games import load
from evotutor.games.evolution import invariants
from evotutor.games.evolution.catalog import UNKNOWN
from evotutor.games.evolution.dense import dense_table
from evotutor.games.evolution.game import PLAYABLE
from evotutor.games.evolution.notation import read_text
from evotutor.games.evolution.state import PARTNER, PLACE, REVEALED, State
from evotutor.games.evolution.wellformed import every_line

LINES_A_STEP = 12


class BaseGame(RuleBasedStateMachine):
    """Plays, and asks about what could be played."""

    modules = ("base",)

    def __init__(self) -> None:
        super().__init__()
        self.game = load("evolution", modules=self.modules)
        self.state: State = self.game.new(2, 0)
        self.checked: State | None = None

    @initialize(players=st.integers(2, 8), seed=st.integers(0, 10**6), crowded=st.booleans())
    def deal(self, players: int, seed: int, crowded: bool) -> None:
        self.state = dense_table(Random(seed), self.modules) if crowded else self.game.new(players, seed)

    def over(self) -> bool:
        return self.game.decision(self.state).over

    def step(self, move: Any) -> None:
        note(f"{self.game.show(self.state, move)}")
        events: list[Any] = []
        after = self.game.apply(self.state, move, events)
        assert list(invariants.step_complaints(self.state, events, after)) == []
        assert list(invariants.flow_complaints(self.state, events, after)) == []
        assert self.game.apply(self.state, move) == after
        self.state = after

    @precondition(lambda self: self.game.moves(self.state))
    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        """Listed moves apply, and have no reason against them."""
        legal = self.game.moves(self.state)
        assert list(invariants.move_complaints(self.game, self.state, legal)) == []
        move = data.draw(st.sampled_from(legal))
        assert self.game.why_not(self.state, move) == []
        self.step(move)

    @precondition(lambda self: self.game.decision(self.state).chance)
    @rule(data=st.data())
    def roll(self, data: st.DataObject) -> None:
        outcomes = self.game.outcomes(self.state)
        assert abs(sum(chance for _, chance in outcomes) - 1) < 1e-9
        self.step(data.draw(st.sampled_from([move for move, _ in outcomes])))

    @precondition(lambda self: self.game.moves(self.state))
    @rule(data=st.data())
    def ask(self, data: st.DataObject) -> None:
        """A well-formed line is legal exactly when there is no reason against it."""
        legal = {tuple(self.game.line(self.state, line)) for line in self.game.lines(self.state)}
        lines = list(every_line(self.state))
        seat = self.game.decision(self.state).player
        for line in data.draw(st.lists(st.sampled_from(lines), max_size=LINES_A_STEP)):
            reasons = self.game.why_not_line(self.state, line)
            mine = seat is not None and line.startswith(chr(65 + seat))
            listed = mine and tuple(self.game.line(self.state, line)) in legal
            assert listed == (not reasons), (line, reasons)

    @precondition(lambda self: self.game.moves(self.state))
    @rule()
    def listed_lines_are_legal(self) -> None:
        for line in self.game.lines(self.state):
            assert self.game.why_not_line(self.state, line) == [], line

    @precondition(lambda self: len(self.game.moves(self.state)) < 40)
    @rule()
    def ask_everything(self) -> None:
        """Every decision that could be named: a reason against it, or it is listed."""
        found = invariants.reason_complaints(self.game, self.state, self.game.moves(self.state))
        assert list(found) == []

    @rule(seed=st.integers(0, 1000))
    def look(self, seed: int) -> None:
        """What a seat sees hides the others' cards, and other hands could be there without its knowing."""
        for seat in range(len(self.state.hands)):
            seen = self.game.observe(self.state, seat)
            for other, hand in enumerate(seen.hands):
                placed = {frame[1] for frame in self.state.stack if frame[0] in (PLACE, PARTNER)}
                shown = placed if other == self.state.player else set()
                assert other == seat or set(hand) <= {UNKNOWN} | shown
            assert set(seen.deck) <= {UNKNOWN}
            assert not seen.top
            others = [a for k, herd in enumerate(seen.herds) if k != seat for a in herd]
            assert all(a.body == UNKNOWN for a in others if not a.flags & REVEALED)
            assert self.game.observe(seen, seat) == seen
        seat = seed % len(self.state.hands)
        other = self.game.resample(self.state, seat, Random(seed))
        assert self.game.observe(other, seat) == self.game.observe(self.state, seat)

    @invariant()
    def sound(self) -> None:
        if self.state is self.checked:
            return
        self.checked = self.state
        assert list(invariants.state_complaints(self.state)) == []
        assert list(invariants.score_complaints(self.game, self.state)) == []
        assert read_text(self.game.text(self.state), self.game) == self.state


class WholeGiftBox(BaseGame):
    """The same with Time to Fly, Continents and the gift-box cards."""

    modules = PLAYABLE


SETTINGS = settings(
    max_examples=25,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
)
TestBaseGame = BaseGame.TestCase
TestWholeGiftBox = WholeGiftBox.TestCase
TestBaseGame.settings = TestWholeGiftBox.settings = SETTINGS
TestWholeGiftBox.pytestmark = [pytest.mark.slow]
