"""Everything a case can expect, and how a disagreement is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evotutor.cases.model import Result
from evotutor.core.model import Event, Game, NotationError, dress
from evotutor.games.evolution.catalog import TRAIT_OF_FACE, TRAITS, card_name
from evotutor.games.evolution.state import FLAGS, PHASES, Animal, State, find, is_fed, name_of

SIMPLE = ("phase", "turn", "round", "bank", "deck", "first", "to_move", "decision", "over", "last_turn")


class Checker:
    """Compares states with expectations and writes failures into a result."""

    def __init__(self, game: Game[Any], result: Result, events: list[Any]) -> None:
        self.game, self.result, self.events = game, result, events
        self.line = 0

    def check(self, state: State, expect: Mapping[str, Any], line: int) -> None:
        """Hold a state against one `expect`."""
        self.line = line
        for key in SIMPLE:
            if key in expect:
                self.equal(key, expect[key], self.simple(state, key))
        for key in ("winner", "places", "score", "hand", "discard", "animals", "links", "flow", "legal", "moves", "illegal"):
            if key in expect:
                getattr(self, "_" + key)(state, expect[key])
        for rule in expect.get("fires", ()):
            if not any(event[1] == rule for event in self.events) and rule not in self.result.fired:
                self.fail(f"rule {rule} should have been at work, but was not")

    def fail(self, text: str) -> None:
        """Write a failure."""
        self.result.failures.append(f"line {self.line}: {text}")

    def equal(self, what: str, expected: Any, found: Any) -> None:
        """A failure unless both are equal."""
        if expected != found:
            self.fail(f"{what}: expected {_plain(expected)}, the rules say {_plain(found)}")

    def simple(self, s: State, key: str) -> Any:
        """The value of a simple field."""
        decision = self.game.decision(s)
        values = {
            "phase": PHASES[s.phase],
            "turn": s.turn,
            "round": s.round,
            "bank": s.bank[0],
            "deck": len(s.deck) + len(s.top),
            "first": chr(65 + s.first),
            "to_move": None if decision.player is None else chr(65 + decision.player),
            "decision": decision.kind,
            "over": decision.over,
            "last_turn": not s.deck and not s.top,
        }
        return values[key]

    # score

    def _winner(self, s: State, expected: str | Sequence[str]) -> None:
        winners = [chr(65 + row.player) for row in self.game.score(s) if row.place == 1]
        self.equal("winner", [expected] if isinstance(expected, str) else sorted(expected), winners)

    def _places(self, s: State, expected: Mapping[str, int]) -> None:
        places = {chr(65 + row.player): row.place for row in self.game.score(s)}
        for player, place in expected.items():
            self.equal(f"place of {player}", place, places.get(player))

    def _score(self, s: State, expected: Mapping[str, Any]) -> None:
        rows = {chr(65 + row.player): row for row in self.game.score(s)}
        for player, want in expected.items():
            row = rows.get(player)
            if row is None:
                self.fail(f"score: there is no player {player}")
            elif isinstance(want, int):
                self.equal(f"score of {player}", want, row.total)
            else:
                for item, points in want.items():
                    total = row.total if item == "total" else sum(i.points for i in row.items if i.rule == f"score.{item}")
                    self.equal(f"score of {player}, {item}", points, total)

    # piles

    def _hand(self, s: State, expected: Mapping[str, Any]) -> None:
        self._piles("hand", s.hands, expected)

    def _discard(self, s: State, expected: Mapping[str, Any]) -> None:
        self._piles("discard", s.discards, expected)

    def _piles(self, what: str, piles: Sequence[bytes], expected: Mapping[str, Any]) -> None:
        for player, want in expected.items():
            seat = ord(player) - 65
            pile = piles[seat] if 0 <= seat < len(piles) else b""
            if isinstance(want, int):
                self.equal(f"{what} of {player}", want, len(pile))
            else:
                self.equal(f"{what} of {player}", sorted(want), sorted(card_name(c) for c in pile))

    # animals and links

    def _animals(self, s: State, expected: Mapping[str, Mapping[str, Any]]) -> None:
        for name, want in expected.items():
            a = find(s, (ord(name[0]) - 97) << 8 | int(name[1:])) if name[1:].isdecimal() else None
            if want.get("alive", True) != (a is not None):
                self.fail(f"{name}: expected {'alive' if want.get('alive', True) else 'dead'}, the rules say otherwise")
            if a is not None:
                for key, value in want.items():
                    if key != "alive":
                        self.equal(f"{name}.{key}", value, _animal_value(a, key))

    def _links(self, s: State, expected: Sequence[Mapping[str, Any]]) -> None:
        found = []
        for i, (trait, u, v, _) in enumerate(s.links.links):
            found.append((TRAITS[trait].id + "*" * (s.spent >> i & 1), (name_of(u), name_of(v))))
        wanted = [_link(entry) for entry in expected]
        stars = any(name.endswith("*") for name, _ in wanted)
        if not stars:
            found = [(name.rstrip("*"), ends) for name, ends in found]
        self.equal("links", sorted(wanted), sorted(found))

    # flow

    def _flow(self, s: State, expected: Sequence[Mapping[str, Any]]) -> None:
        moved = [_transfer(dress(event)) for event in self.events if event[0] == "transfer"]
        for want in expected:
            total = sum(t["n"] for t in moved if all(_fits(t, key, want[key]) for key in want))
            amount = next((want[c] for c in ("red", "blue", "yellow", "n") if c in want), None)
            if (amount is None and not total) or (amount is not None and total != amount):
                self.fail(f"flow: expected {dict(want)}, the rules moved {total}")

    # moves

    def _legal(self, s: State, expected: Sequence[str]) -> None:
        for line in expected:
            if reasons := self._reasons(s, line):
                self.fail(f"{line!r} should be legal, but: {', '.join(reasons)}")

    def _moves(self, s: State, expected: Sequence[str]) -> None:
        self.equal("moves", sorted(expected), sorted(self.game.lines(s)))  # type: ignore[attr-defined]

    def _illegal(self, s: State, expected: Mapping[str, Any]) -> None:
        for line, want in expected.items():
            reasons = self._reasons(s, line)
            if not reasons:
                self.fail(f"{line!r} should be refused ({_plain(want)}), but it is legal")
            elif isinstance(want, Mapping):
                self.equal(f"the only reason against {line!r}", [want["only"]], reasons)
            else:
                for rule in [want] if isinstance(want, str) else want:
                    if not any(reason == rule or reason.startswith(rule) for reason in reasons):
                        self.fail(f"{line!r} should be refused by {rule}, the rules say {', '.join(reasons)}")

    def _reasons(self, s: State, line: str) -> list[str]:
        try:
            reasons = [reason.rule for reason in self.game.why_not_line(s, line)]
        except NotationError as error:
            return [f"unreadable: {error}"]
        self.result.fired |= set(reasons)
        return reasons


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return str({str(k): v for k, v in value.items()})
    return str(list(value)) if isinstance(value, Sequence) and not isinstance(value, str) else str(value)


def _animal_value(a: Animal, key: str) -> Any:
    if key == "food":
        return a.red + a.blue
    if key == "fat":
        return a.fat.bit_count()
    if key == "fed":
        return is_fed(a)
    if key == "traits":
        return [TRAITS[TRAIT_OF_FACE[face]].id for face in a.faces]
    if key == "used":
        return [t.id for t in TRAITS if a.used >> t.index & 1]
    if key in FLAGS:
        return bool(a.flags >> FLAGS.index(key) & 1)
    return getattr(a, key)


def _link(entry: Mapping[str, Any]) -> tuple[str, tuple[str, str]]:
    name, ends = next(iter(entry.items()))
    if isinstance(ends, Mapping):
        return str(name), (str(ends["symbiont"]), str(ends["protected"]))
    u, v = map(str, ends)
    return str(name), (u, v) if str(name).startswith("symbiosis") or (u[0], int(u[1:])) < (v[0], int(v[1:])) else (v, u)


def _place(place: Any) -> str:
    if isinstance(place, tuple):
        return f"fat {name_of(place[1])}"
    return name_of(place) if isinstance(place, int) else str(place)


def _transfer(event: Event) -> dict[str, Any]:
    source, sink, colour, n, card = event.data
    by = card or event.rule.split(".")[0]
    return {"from": _place(source), "to": _place(sink), "colour": colour, "n": n, "by": by, "rule": event.rule}


def _fits(moved: Mapping[str, Any], key: str, value: Any) -> bool:
    if key in ("red", "blue", "yellow"):
        return bool(moved["colour"] == key)
    if key == "n":
        return True
    if key == "by":
        return value in (moved["by"], moved["rule"])
    if key in ("from", "to"):
        return bool(moved[key] in (value, f"fat {value}"))
    return False
