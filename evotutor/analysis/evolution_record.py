"""What a game of Evolution leaves behind for statistics: points by source, food, deaths, and the fate of every card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from evotutor.core.model import Move
from evotutor.games.evolution.catalog import TRAIT_OF_FACE, TRAITS
from evotutor.games.evolution.moves import AND, ON
from evotutor.games.evolution.state import REMAINS, State

ANIMAL: Final = "animal"
"""What the card of the animal itself is called in the table of cards."""
SOURCES: Final = {
    "score.animal": "points_animals", "score.trait": "points_traits", "score.need": "points_need",
    "score.pair-once": "points_pairs",
}  # fmt: skip
"""Rules that give points, and their columns."""
FATES: Final = {
    "carnivorous.attack": "eaten", "extinction.unfed-die": "starved", "poisonous.hunter-dies": "poisoned",
}  # fmt: skip
"""Rules by which animals die, and the words for it; other losses are "dropped", what is left at the end "survived"."""

Key = tuple[Any, ...]


def _cards(state: State) -> Counter[Key]:
    """Cards on the table: (uid, trait id) for unpaired ones and bodies, (uid, trait id, partner) for pair cards."""
    found: Counter[Key] = Counter()
    for herd in state.herds:
        for a in herd:
            if not a.flags & REMAINS:
                found[a.uid, ANIMAL] += 1
            for face in a.faces:
                found[a.uid, TRAITS[TRAIT_OF_FACE[face]].id] += 1
    for trait, u, v, _ in state.links.links:
        found[u, TRAITS[trait].id, v] += 1
    return found


class Recorder:
    """Watches one game (`evotutor.analysis.match.Watcher`)."""

    def __init__(self, players: int) -> None:
        self.rows: list[dict[str, Any]] = []
        self._open: dict[Key, list[dict[str, Any]]] = {}
        self._cards: Counter[Key] = Counter()
        self.counts = [Counter[str]() for _ in range(players)]

    def __call__(self, before: State, move: Move, events: list[tuple[Any, ...]], after: State) -> None:
        """Take note of one decision."""
        fates = self._count(events)
        if before.herds is after.herds and before.links is after.links:
            return
        now = _cards(after)
        if now == self._cards:
            return
        gone, new = self._cards - now, now - self._cards
        for key, n in gone.items():
            died = fates.get(key[0]) or (fates.get(key[2]) if len(key) > 2 else None)
            for _ in range(n):
                self._close(key, died or "dropped", before.turn)
        player = before.player if move[0] in (ON, AND) else -1
        for key, n in new.items():
            for _ in range(n):
                self._begin(key, player, before)
        self._cards = now

    def _count(self, events: list[tuple[Any, ...]]) -> dict[int, str]:
        """Count food and deaths; who died, and of what."""
        fates: dict[int, str] = {}
        hunter = -1
        for kind, rule, _, *data in events:
            if kind == "transfer":
                self._food(*data[:4])
            elif kind == "attack":
                hunter = data[0]
                self.counts[hunter >> 8]["attacks"] += 1
            elif kind == "die":
                fates[data[0]] = fate = FATES.get(rule, "dropped")
                self.counts[data[0] >> 8][fate] += 1
            elif kind == "born":
                self.counts[data[0] >> 8]["born"] += 1
        return fates

    def _food(self, source: Any, sink: Any, colour: str, n: int) -> None:
        if isinstance(sink, int) and colour in ("red", "blue"):
            self.counts[sink >> 8][f"food_{colour}"] += n
        elif sink == "grazed":
            self.counts[0]["grazed"] += n

    def _begin(self, key: Key, player: int, state: State) -> None:
        owner = key[0] >> 8
        row = {
            "seat": owner, "by": player if player >= 0 else owner, "animal": key[0], "card": key[1],
            "turn_played": state.turn, "turn_lost": None, "fate": "survived",
        }  # fmt: skip
        self.rows.append(row)
        self._open.setdefault(key, []).append(row)

    def _close(self, key: Key, fate: str, turn: int) -> None:
        waiting = self._open.get(key)
        if waiting:
            row = waiting.pop(0)
            row["fate"], row["turn_lost"] = fate, turn


def points_by_source(items: Iterator[Any] | tuple[Any, ...]) -> dict[str, int]:
    """The points of one player in the columns of `SOURCES`."""
    found = dict.fromkeys(SOURCES.values(), 0)
    for item in items:
        found[SOURCES[item.rule]] += item.points
    return found


def card_title(card: str, lang: str) -> str:
    """The name of a trait in a language."""
    for trait in TRAITS:
        if trait.id == card:
            return trait.ru if lang == "ru" else trait.en
    return {"en": "Animal", "ru": "Животное"}[lang]


def card_kind(card: str) -> str:
    """The kind of a trait (hunting, defence ...), "" for the animal."""
    return next((trait.kind for trait in TRAITS if trait.id == card), "")
