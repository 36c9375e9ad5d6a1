"""Everything a case can expect, and how a disagreement is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from evotutor.cases.model import Result, failure
from evotutor.core.model import Event, Game, NotationError, Reason, ScoreLine, dress
from evotutor.core.play import legal_lines, why_not_line
from evotutor.core.text import Text
from evotutor.games.evolution.catalog import TRAIT_OF_FACE, TRAITS, card_name
from evotutor.games.evolution.locations import LOCATIONS
from evotutor.games.evolution.state import FLAGS, PHASES, REMAINS, Animal, State, find, is_fed, name_of, shells

SIMPLE: Final = (
    "phase", "turn", "round", "bank", "deck", "first", "to_move", "decision", "over", "last_turn", "shells",
)  # fmt: skip
LISTED: Final = (
    "winner", "places", "score", "hand", "discard", "animals", "links", "flow", "legal", "moves", "illegal", "fires",
)  # fmt: skip

Path = tuple[str | int, ...]


def told(reasons: Sequence[Reason]) -> Text:
    """Reasons in words, each with the id of its rule."""
    from evotutor.rulebook import UnknownId, reason_text

    def say(reason: Reason, lang: str) -> str:
        try:
            return f"{reason_text(reason, lang)} [{reason.rule}]"
        except UnknownId:
            return f"[{reason.rule}]"

    return Text(*(" ".join(say(reason, lang) for reason in reasons) for lang in ("en", "ru")))


class Checker:
    """Compares states with expectations and writes failures into a result."""

    def __init__(self, game: Game[Any], result: Result, names: set[int]) -> None:
        """`names` are the animals of the position: of others nothing can be expected unless they are born."""
        self.game, self.result, self.names = game, result, names
        self.events: Sequence[Any] = ()
        self.path: Path = ()

    def check(self, state: State, expect: Mapping[str, Any], path: Path, events: Sequence[Any]) -> None:
        """Hold a state, and the events that led to it, against the `expect` that stands at `path`."""
        self.events = events
        for key in SIMPLE:
            if key in expect:
                self.path = (*path, key)
                self.equal(key, expect[key], self.simple(state, key, expect[key]))
        for key in LISTED:
            if key in expect:
                self.path = (*path, key)
                getattr(self, "_" + key)(state, expect[key])

    def fail(self, key: str, /, *inside: str | int, **params: object) -> None:
        """Write a failure; `inside` leads on from the expectation to the line that failed."""
        self.result.failures.append(failure(self.result.case.line_of([*self.path, *inside]), key, **params))

    def equal(self, what: str, wanted: Any, found: Any, *inside: str | int) -> None:
        """A failure unless both are equal."""
        if wanted != found:
            self.fail("differs", *inside, what=what, want=_plain(wanted), have=_plain(found))

    def simple(self, s: State, key: str, wanted: Any = None) -> Any:
        """The value of a simple field; of the banks of locations, those that are `wanted`, or else their sum."""
        decision = self.game.decision(s)
        values = {
            "phase": PHASES[s.phase],
            "turn": s.turn,
            "round": s.round,
            "bank": _bank(s, wanted),
            "deck": len(s.deck) + len(s.top),
            "first": chr(65 + s.first),
            "to_move": None if decision.player is None else chr(65 + decision.player),
            "decision": decision.kind,
            "over": decision.over,
            "last_turn": not s.deck and not s.top,
            "shells": len(shells(s)),
        }
        return values[key]

    def known(self, what: str, player: str, s: State) -> bool:
        """Is there this player?  A failure if not."""
        players = [chr(65 + seat) for seat in range(len(s.hands))]
        if player not in players:
            self.fail("no-player", player, what=what, player=player, have=", ".join(players))
        return player in players

    # score

    def scored(self, s: State) -> dict[str, ScoreLine]:
        """The score by player's letter; the rules it comes from were at work."""
        rows = self.game.score(s)
        self.result.fired |= {item.rule for row in rows for item in row.items}
        if len({row.total for row in rows}) < len({(row.total, row.tie) for row in rows}):
            self.result.fired.add("score.tie-discard")
        return {chr(65 + row.player): row for row in rows}

    def _winner(self, s: State, wanted: str | Sequence[str]) -> None:
        winners = [player for player, row in self.scored(s).items() if row.place == 1]
        self.equal("winner", [wanted] if isinstance(wanted, str) else sorted(wanted), winners)

    def _places(self, s: State, wanted: Mapping[str, int]) -> None:
        places = {player: row.place for player, row in self.scored(s).items()}
        for player, place in wanted.items():
            if self.known("places", player, s):
                self.equal(f"place of {player}", place, places[player], player)

    def _score(self, s: State, wanted: Mapping[str, Any]) -> None:
        rows = self.scored(s)
        for player, want in wanted.items():
            if not self.known("score", player, s):
                continue
            row = rows[player]
            sums = Counter({"total": row.total})
            for item in row.items:
                sums[item.rule.removeprefix("score.")] += item.points
            for name, points in want.items() if isinstance(want, Mapping) else (("total", want),):
                inside = (player, name) if isinstance(want, Mapping) else (player,)
                self.equal(f"score of {player}, {name}", points, sums[name], *inside)

    # piles

    def _hand(self, s: State, wanted: Mapping[str, Any]) -> None:
        self._piles("hand", s.hands, wanted, s)

    def _discard(self, s: State, wanted: Mapping[str, Any]) -> None:
        self._piles("discard", s.discards, wanted, s)

    def _piles(self, what: str, piles: Sequence[bytes], wanted: Mapping[str, Any], s: State) -> None:
        for player, want in wanted.items():
            if not self.known(what, player, s):
                continue
            pile = piles[ord(player) - 65]
            if isinstance(want, int):
                self.equal(f"{what} of {player}", want, len(pile), player)
            else:
                self.equal(f"{what} of {player}", sorted(want), sorted(card_name(c) for c in pile), player)

    # animals and links

    def _animals(self, s: State, wanted: Mapping[str, Mapping[str, Any]]) -> None:
        born = {event[3] for event in self.events if event[0] == "born"}
        for name, want in wanted.items():
            uid = (ord(name[0]) - 97) << 8 | int(name[1:])
            a = find(s, uid)
            if a is None and uid not in self.names | born:
                have = ", ".join(name_of(animal.uid) for herd in s.herds for animal in herd)
                self.fail("no-animal", name, animal=name, have=have)
            elif want.get("alive", not want.get("remains", False)) != (alive := _alive(a)):
                self.fail("dead" if alive else "alive", name, animal=name)
            elif a is not None:
                for key, value in want.items():
                    if key == "void":
                        value = {hunter: [told] if isinstance(told, str) else told for hunter, told in value.items()}
                    if key != "alive":
                        self.equal(f"{name}.{key}", value, _animal_value(a, key), name, key)

    def _links(self, s: State, wanted: Sequence[Mapping[str, Any]]) -> None:
        found = [
            (TRAITS[trait].id + "*" * (s.spent >> i & 1), (name_of(u), name_of(v)))
            for i, (trait, u, v, _) in enumerate(s.links.links)
        ]
        links = [_link(entry) for entry in wanted]
        if not any(name.endswith("*") for name, _ in links):
            found = [(name.rstrip("*"), ends) for name, ends in found]
        self.equal("links", sorted(map(_link_text, links)), sorted(map(_link_text, found)))

    # flow and rules at work

    def _flow(self, s: State, wanted: Sequence[Mapping[str, Any]]) -> None:
        moved = [_transfer(dress(event)) for event in self.events if event[0] == "transfer"]
        for i, want in enumerate(wanted):
            total = sum(t["n"] for t in moved if all(_fits(t, key, want[key]) for key in want))
            amount = next((want[c] for c in ("red", "blue", "yellow", "n") if c in want), None)
            if (amount is None and not total) or (amount is not None and total != amount):
                self.fail("flow", i, want=_plain(want), n=total)

    def _fires(self, s: State, wanted: Sequence[str]) -> None:
        fired = self.result.fired | {event[1] for event in self.events}
        for i, rule in enumerate(wanted):
            if rule not in fired:
                self.fail("silent", i, rule=rule)

    # moves

    def _legal(self, s: State, wanted: Sequence[str]) -> None:
        for i, line in enumerate(wanted):
            if reasons := self._reasons(s, line, i):
                self.fail("illegal", i, line=line, why=told(reasons))

    def _moves(self, s: State, wanted: Sequence[str]) -> None:
        """Lines are compared by what they do, so that every form that may be played may be written."""
        lines = legal_lines(self.game, s)
        have = {tuple(self.game.line(s, line)): line for line in lines}
        for i, line in enumerate(wanted):
            try:
                if have.pop(tuple(self.game.line(s, line)), None) is None:
                    self.fail("missing-move", i, line=line)
            except NotationError as error:
                self.fail("unreadable", i, line=line, why=error)
        for line in have.values():
            self.fail("extra-move", line=line)

    def _illegal(self, s: State, wanted: Mapping[str, Any]) -> None:
        for line, want in wanted.items():
            reasons = self._reasons(s, line, line)
            if reasons is None:
                continue
            rules = [reason.rule for reason in reasons]
            if not reasons:
                self.fail("legal", line, line=line, want=_plain(want))
            elif isinstance(want, Mapping):
                if any(not rule.startswith(want["only"]) for rule in rules):
                    self.fail("only-reason", line, line=line, want=want["only"], why=told(reasons))
            else:
                for name in [want] if isinstance(want, str) else want:
                    if not any(rule.startswith(name) for rule in rules):
                        self.fail("other-reason", line, line=line, want=name, why=told(reasons))

    def _reasons(self, s: State, line: str, inside: str | int) -> list[Reason] | None:
        """Reasons against a line; None, and a failure, when it cannot be read."""
        try:
            reasons = why_not_line(self.game, s, line)
        except NotationError as error:
            self.fail("unreadable", inside, line=line, why=error)
            return None
        self.result.fired |= {reason.rule for reason in reasons}
        return reasons


def _bank(s: State, wanted: Any) -> Any:
    if isinstance(wanted, Mapping):
        return {word: n for word, n in zip(LOCATIONS, s.bank, strict=False) if word in wanted}
    return sum(s.bank)


def _alive(a: Animal | None) -> bool:
    """Remains that wait for Regeneration are no animal."""
    return a is not None and not a.flags & REMAINS


def _plain(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_plain(part)}" for key, part in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(map(_plain, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


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
    if key == "location":
        return LOCATIONS[a.loc]
    if key == "void":
        return {name_of(h): [TRAITS[trait].id for hunter, trait in a.more if hunter == h] for h, _ in a.more}
    if key in FLAGS:
        return bool(a.flags >> FLAGS.index(key) & 1)
    return getattr(a, key)


def _link(entry: Mapping[str, Any]) -> tuple[str, tuple[str, str]]:
    name, ends = next(iter(entry.items()))
    if isinstance(ends, Mapping):
        return str(name), (str(ends["symbiont"]), str(ends["protected"]))
    u, v = map(str, ends)
    return str(name), (u, v) if str(name).startswith("symbiosis") or (u[0], int(u[1:])) < (v[0], int(v[1:])) else (v, u)


def _link_text(link: tuple[str, tuple[str, str]]) -> str:
    return f"{link[0]}({link[1][0]},{link[1][1]})"


def _place(place: Any) -> str:
    if isinstance(place, tuple):
        return f"bank {LOCATIONS[place[1]]}" if place[0] == "bank" else f"fat {name_of(place[1])}"
    return name_of(place) if isinstance(place, int) else str(place)


def _transfer(event: Event) -> dict[str, Any]:
    source, sink, colour, n, *card = event.data
    return {"from": _place(source), "to": _place(sink), "colour": colour, "n": n, "by": card, "rule": event.rule}


def _fits(moved: Mapping[str, Any], key: str, value: Any) -> bool:
    if key in ("red", "blue", "yellow"):
        return bool(moved["colour"] == key)
    if key == "by":
        return value in moved["by"] or moved["rule"] == value or moved["rule"].startswith(f"{value}.")
    if key in ("from", "to"):
        return moved[key] in (value, f"fat {value}") or (value == "bank" and moved[key].startswith("bank "))
    return True
