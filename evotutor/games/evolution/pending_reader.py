"""Pending decisions of a position, both ways (the forms are in `docs/state.md`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from evotutor.core.model import NotationError
from evotutor.games.evolution import state as st
from evotutor.games.evolution.catalog import CARDS, TRAITS, UNKNOWN, card_name, card_of, trait_of
from evotutor.games.evolution.move_text import nearest
from evotutor.games.evolution.state import Frame, State, find, name_of

KINDS: Final = ("place", "partner", "target", "victim", "attack", "roll", "pairs", "scavenge", "deal", "killed")
TRIED: Final = ("running",)
Path = tuple[str | int, ...]


def read_pending(value: Any, state: State, modules: Sequence[str]) -> tuple[Frame, ...]:
    """Read the list of pending decisions, innermost last."""
    if isinstance(value, str) or not isinstance(value, Sequence) or len(value) > 30:
        raise NotationError("a list of pending decisions is expected", path=("pending",))
    return tuple(_Frames(state, ("pending", i)).read(entry) for i, entry in enumerate(value))


class _Frames:
    def __init__(self, state: State, path: Path) -> None:
        self.state, self.path = state, path

    def fail(self, message: str, hint: str = "") -> NotationError:
        return NotationError(message, path=self.path, hint=hint)

    def read(self, entry: Any) -> Frame:
        if not isinstance(entry, Mapping):
            raise self.fail("a pending decision is a mapping", "for example {attack: [a1, b1]}")
        kinds = [k for k in KINDS if k in entry]
        if len(kinds) != 1:
            raise self.fail("which decision is pending?", ", ".join(KINDS))
        extra = {"partner": ("animal",), "attack": ("tried",), "pairs": ("armed",), "deal": ("to",)}.get(kinds[0], ())
        for key in entry:
            if key != kinds[0] and key not in extra:
                raise self.fail(f"{str(key)[:40]!r} is not known here", nearest(str(key)[:40], (*kinds, *extra)))
        return tuple(getattr(self, "_" + kinds[0])(entry, entry[kinds[0]]))

    def animal(self, name: Any) -> int:
        names = {name_of(a.uid): a.uid for herd in self.state.herds for a in herd}
        if not isinstance(name, str) or name not in names:
            raise self.fail(f"no animal {str(name)[:20]!r} is on the table", nearest(str(name)[:20], names))
        return names[name]

    def seat(self, name: Any) -> int:
        letters = [chr(65 + i) for i in range(len(self.state.hands))]
        if name not in letters:
            raise self.fail(f"no player {str(name)[:20]!r}", ", ".join(letters))
        return letters.index(name)

    def face(self, text: Any) -> tuple[int, int]:
        card, _, side = str(text)[:80].rpartition(":")
        if side not in trait_of or (card not in card_of and card != "?"):
            raise self.fail(f"{str(text)[:40]!r} is no card and trait", "card:trait, as in camouflage/fat-tissue:camouflage")
        if card == "?":
            return UNKNOWN, trait_of[side].index
        found = card_of[card]
        if trait_of[side].index not in found.traits:
            raise self.fail(f"the card {card} has no {side}")
        return found.index, found.traits.index(trait_of[side].index)

    def _in_hand(self, card: int) -> int:
        if card not in self.state.hands[self.state.player]:
            raise self.fail(f"the card {card_name(card)} is not in the hand of the player to move")
        return card

    def _place(self, entry: Any, value: Any) -> Frame:
        card, side = self.face(value)
        return (st.PLACE, self._in_hand(card), side)

    def _partner(self, entry: Any, value: Any) -> Frame:
        card, side = self.face(value)
        return (st.PARTNER, self._in_hand(card), side, self.animal(entry.get("animal")))

    def _target(self, entry: Any, value: Any) -> Frame:
        return (st.TARGET, self.animal(value))

    def _victim(self, entry: Any, value: Any) -> Frame:
        return (st.VICTIM, self.animal(value))

    def _attack(self, entry: Any, value: Any) -> Frame:
        if isinstance(value, str) or not isinstance(value, Sequence) or len(value) != 2:
            raise self.fail("hunter and prey are expected", "{attack: [a1, b1]}")
        tried = 0
        for name in entry.get("tried", []):
            if name not in TRIED:
                raise self.fail(f"{str(name)[:40]!r} cannot have been tried", ", ".join(TRIED))
            tried |= 1 << trait_of[name].index
        return (st.ATTACK, self.animal(value[0]), self.animal(value[1]), tried)

    def _roll(self, entry: Any, value: Any) -> Frame:
        if value != "running":
            raise self.fail("only {roll: running} can be pending")
        return (st.RUN,)

    def _pairs(self, entry: Any, value: Any) -> Frame:
        armed = []
        for item in entry.get("armed", []):
            if not isinstance(item, Mapping) or len(item) != 2 or "to" not in item:
                raise self.fail("an armed pair is written {cooperation: [a1, a2], to: a2}")
            name = next(k for k in item if k != "to")
            ends = item[name]
            if name not in trait_of or isinstance(ends, str) or not isinstance(ends, Sequence) or len(ends) != 2:
                raise self.fail("an armed pair is written {cooperation: [a1, a2], to: a2}")
            u, v = sorted((self.animal(ends[0]), self.animal(ends[1])))
            if not any(link[:3] == (trait_of[name].index, u, v) for link in self.state.links.links):
                raise self.fail(f"there is no {name} between {ends[0]} and {ends[1]}")
            armed.append((trait_of[name].index, u, v, self.animal(item["to"])))
        return (st.POOL, self.seat(value), tuple(sorted(armed)))

    def _scavenge(self, entry: Any, value: Any) -> Frame:
        return (st.SCAVENGE, self.seat(value))

    def _killed(self, entry: Any, value: Any) -> Frame:
        return (st.KILLED, self.seat(value))

    def _deal(self, entry: Any, value: Any) -> Frame:
        if not isinstance(value, Mapping):
            raise self.fail("cards due to each player are expected", "{deal: {A: 3, B: 2}, to: A}")
        due = [0] * len(self.state.hands)
        for name, n in value.items():
            if isinstance(n, bool) or not isinstance(n, int) or not 0 <= n <= 250:
                raise self.fail("a number of cards is expected")
            due[self.seat(name)] = n
        to = self.seat(entry.get("to", "A"))
        if not due[to]:
            raise self.fail("the player to get a card is due none")
        if not self.state.deck and not self.state.top:
            raise self.fail("there is no card to deal")
        return (st.DEAL, bytes(due), to)


def _face_text(card: int, side: int) -> str:
    trait = side if card == UNKNOWN else CARDS[card].traits[side]
    return f"{card_name(card)}:{TRAITS[trait].id}"


def write_frame(frame: Frame, state: State) -> dict[str, Any]:
    """One pending decision as data; the inverse of `read_pending`."""
    kind = frame[0]
    if kind == st.PLACE:
        return {"place": _face_text(frame[1], frame[2])}
    if kind == st.PARTNER:
        return {"partner": _face_text(frame[1], frame[2]), "animal": name_of(frame[3])}
    if kind in (st.TARGET, st.VICTIM):
        return {"target" if kind == st.TARGET else "victim": name_of(frame[1])}
    if kind == st.ATTACK:
        tried = [name for name in TRIED if frame[3] >> trait_of[name].index & 1]
        return {"attack": [name_of(frame[1]), name_of(frame[2])], **({"tried": tried} if tried else {})}
    if kind == st.RUN:
        return {"roll": "running"}
    if kind == st.POOL:
        armed = [{TRAITS[t].id: [name_of(u), name_of(v)], "to": name_of(to)} for t, u, v, to in frame[2]]
        return {"pairs": chr(65 + frame[1]), "armed": armed}
    if kind == st.DEAL:
        return {"deal": {chr(65 + i): n for i, n in enumerate(frame[1])}, "to": chr(65 + frame[2])}
    return {"scavenge" if kind == st.SCAVENGE else "killed": chr(65 + frame[1])}


__all__ = ["find", "read_pending", "write_frame"]
