"""Playing through a scenario: what was played, what comes next, leaving the script and coming back.

No widget is in it.  Every position that was reached is kept, so undo, redo and jumping cost nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from evotutor.core.model import Event, IllegalMove, NotationError, Reason, dress
from evotutor.core.play import play_line, settle
from evotutor.games import load
from evotutor.teaching.scenario import Ask, Choice, Scenario, Script


class Place(NamedTuple):
    """Where in which script: the next line is ``script.lines[step]``."""

    script: Script
    step: int


class Entry(NamedTuple):
    """One line that was played with everything that followed by itself.

    `place` is where the script stands afterwards, None off the script.
    """

    line: str
    before: Any
    events: tuple[tuple[Any, ...], ...]
    after: Any
    place: Place | None


@dataclass(frozen=True)
class Answer:
    """What came of a choice: its reply, and the reasons if its move was refused."""

    choice: Choice
    reasons: tuple[Reason, ...] = ()


class Session:
    """One reader with one scenario.  Raises NotationError when position or script cannot be read."""

    def __init__(self, scenario: Scenario, seed: int = 1) -> None:
        self.scenario = scenario
        options = dict(scenario.options)
        position = scenario.position
        if position.get("modules"):
            options["modules"] = tuple(position["modules"])
        if position.get("scenario"):
            options["scenario"] = position["scenario"]
        try:
            self.game = load(scenario.game, **options)
        except ValueError as error:
            raise NotationError(str(error)) from None
        self.opening: list[tuple[Any, ...]] = []
        record: list[tuple[Any, Any]] = []
        self.start = settle(self.game, self.game.position(position), self.opening, record)
        self.first = self._skip(Place(scenario.script, 0), [self.game.show(state, move) for state, move in record])
        self.random = Random(seed)
        self.entries: list[Entry] = []
        self.at = 0
        self.answers: dict[tuple[str, int], tuple[int, int]] = {}
        """(script, line) -> the choice that was made, and after how many lines it was made."""
        self.turned: dict[int, Place] = {}

    # where we are

    @property
    def state(self) -> Any:
        """The position on the table."""
        return self.entries[self.at - 1].after if self.at else self.start

    @property
    def place(self) -> Place | None:
        """Where the script stands, None when the reader has left it."""
        if self.at in self.turned:
            return self.turned[self.at]
        return self.entries[self.at - 1].place if self.at else self.first

    @property
    def last(self) -> Entry | None:
        """The line played last."""
        return self.entries[self.at - 1] if self.at else None

    @property
    def next_line(self) -> str:
        """The next line of the script, "" at its end or off it."""
        place = self.place
        return place.script.lines[place.step] if place and place.step < len(place.script.lines) else ""

    @property
    def finished(self) -> bool:
        """Has the script been played to its end?"""
        return self.place is not None and not self.next_line

    def ask(self) -> Ask | None:
        """The question that stands before the next line, if it is not answered."""
        place = self.place
        if place is None or (place.script.name, place.step) in self.answers:
            return None
        return place.script.asks.get(place.step)

    def answered(self) -> Answer | None:
        """The answer that was given to the question before the next line."""
        place = self.place
        if place is None:
            return None
        given = self.answers.get((place.script.name, place.step))
        ask = place.script.asks.get(place.step)
        return None if given is None or ask is None else Answer(ask.choices[given[0]])

    def events(self) -> list[Event]:
        """What the last line made happen."""
        raw = self.entries[self.at - 1].events if self.at else self.opening
        return [dress(event) for event in raw]

    def branch_point(self) -> int | None:
        """Where the reader left the main script for another way on, or left scripts at all; None on the main script."""
        main = self.scenario.script.name
        for at in range(self.at + 1):
            place = self.turned.get(at) or (self.entries[at - 1].place if at else self.first)
            if place is None:
                return at - 1
            if place.script.name != main:
                return at
        return None

    # going on

    def why_not(self, line: str) -> list[Reason]:
        """Why this line may not be played now; [] when it may.  NotationError when it cannot be read."""
        return list(self.game.why_not_line(self.state, line))

    def play(self, line: str) -> Entry:
        """Play a line and what follows by itself.  IllegalMove with the reasons when it is not allowed."""
        before, events, record = self.state, list[tuple[Any, ...]](), list[tuple[Any, Any]]()
        after = settle(self.game, play_line(self.game, before, line, events), events, record)
        shown = [self.game.show(state, move) for state, move in record]
        entry = Entry(line, before, tuple(events), after, self._place_after(line, before, after, shown))
        self._put(entry)
        return entry

    def _place_after(self, line: str, before: Any, after: Any, shown: Sequence[str]) -> Place | None:
        """On along the script when the line is the script's, in other words or with the same effect."""
        place, wanted = self.place, self.next_line
        if place is None or not wanted or not (line == wanted or self._same(before, wanted, after)):
            return None
        return self._skip(Place(place.script, place.step + 1), shown)

    def _same(self, before: Any, wanted: str, after: Any) -> bool:
        try:
            return bool(settle(self.game, play_line(self.game, before, wanted)) == after)
        except (IllegalMove, NotationError):
            return False

    def _skip(self, place: Place, shown: Sequence[str]) -> Place:
        """Past the lines that a script writes out although they were taken by themselves."""
        left = list(shown)
        while place.step < len(place.script.lines) and place.script.lines[place.step] in left:
            del left[: left.index(place.script.lines[place.step]) + 1]
            place = Place(place.script, place.step + 1)
        return place

    def _put(self, entry: Entry) -> None:
        del self.entries[self.at :]
        self.entries.append(entry)
        self.at += 1
        self.turned = {at: place for at, place in self.turned.items() if at < self.at}

    def step(self) -> Entry | None:
        """Play the next line of the script; None at its end."""
        line = self.next_line
        return self.play(line) if line else None

    def roll(self) -> Entry:
        """Let chance decide: the script's outcome where there is one, else a random one."""
        if self.next_line and self.game.decision(self.state).chance:
            return self.play(self.next_line)
        return self.play(self.game.show(self.state, self.game.sample(self.state, self.random)))

    def choose(self, number: int) -> Answer:
        """Answer the question; the move of the answer is played, or refused with its reasons."""
        place, ask = self.place, self.ask()
        if place is None or ask is None:
            raise ValueError("nothing is asked now")
        choice = ask.choices[number]
        if choice.move and (reasons := self.why_not(choice.move)):
            return Answer(choice, tuple(reasons))
        self.answers[place.script.name, place.step] = (number, self.at)
        if choice.way is not None:
            self.turned[self.at] = Place(choice.way, 0)
        if choice.move:
            self.play(choice.move)
        return Answer(choice)

    # going back

    def undo(self) -> None:
        """One line back; the question there can be answered again."""
        self.jump(self.at - 1)

    def redo(self) -> None:
        """One line forth again."""
        if self.at < len(self.entries):
            self.at += 1

    def jump(self, at: int) -> None:
        """To the position after `at` lines."""
        back = at <= self.at
        self.at = max(0, min(at, len(self.entries)))
        if back:
            self._reopen()

    def _reopen(self) -> None:
        """Forget the turns and answers from here on, so that questions are asked again."""
        self.turned = {at: place for at, place in self.turned.items() if at < self.at}
        self.answers = {key: given for key, given in self.answers.items() if given[1] < self.at}

    def back(self) -> None:
        """Back to where the reader left the lesson."""
        at = self.branch_point()
        if at is not None:
            self.jump(at)

    def restart(self) -> None:
        """From the beginning, with all questions open."""
        self.entries, self.at, self.answers, self.turned = [], 0, {}, {}


def played(entries: Sequence[Entry]) -> list[str]:
    """The lines of these entries."""
    return [entry.line for entry in entries]
