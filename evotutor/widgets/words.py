"""Moves in words.  A line of notation is read as text only: no rule is asked here."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from evotutor.games.evolution.catalog import trait_of
from evotutor.games.evolution.locations import LOCATIONS
from evotutor.rulebook.words import word
from evotutor.widgets.strings import text

_CARD: Final = re.compile(r"(?:(?P<card>[a-z/?-]+):)?(?P<trait>[a-z-]+)(?P<rest>[(#].*)?$")


_ABOUT_A_CARD: Final = ("drop", "metamorphose", "split")
"""Verbs with an animal and one of its cards."""


class Line(NamedTuple):
    """A line taken apart: who, the verb, the animal that acts, the animals that it is done to, its card, what is left.

    `ignoring` is the trait that Intellect ignores, "none" for none.
    """

    player: str
    verb: str
    actor: str = ""
    targets: tuple[str, ...] = ()
    card: str = ""
    rest: tuple[str, ...] = ()
    ignoring: str = ""


def parse(line: str) -> Line:
    """Take a line apart: ``A: attack a1 b1`` is player A, verb attack, actor a1, targets (b1,)."""
    player, colon, tail = line.partition(":")
    if not colon or len(player) > 1:
        player, tail = "", line
    verb, *rest = tail.split() or [""]
    if verb == "play":
        card, *words = rest or [""]
        targets = tuple(w for w in words if _animal(w))
        return Line(player, verb, card=card, targets=targets, rest=tuple(w for w in words if w in LOCATIONS))
    if verb == "mimic":
        return Line(player, verb, rest[0], (rest[-1],))
    if verb in _ABOUT_A_CARD:
        return Line(player, verb, rest[0], card=" ".join(rest[1:]))
    if verb == "recombine":
        return Line(player, verb, rest[0], tuple(rest[2:3]), card=rest[1], rest=tuple(rest[3:]))
    if verb == "restore":
        return Line(player, verb, rest[0], card=rest[-1])
    if verb == "ignore":
        return Line(player, verb, ignoring=rest[0])
    if verb == "trigger":
        return Line(player, verb, targets=tuple(w.strip("[]") for w in rest[1:]), card=rest[0])
    ignoring = rest.pop() if "ignoring" in rest else ""
    animals = tuple(w for w in rest if _animal(w))
    actor = animals[0] if animals else ""
    left = tuple(w for w in rest if not _animal(w) and w not in _LITTLE)
    return Line(player, verb, actor, animals[1:], rest=left, ignoring=ignoring)


_LITTLE: Final = ("to", "in", "after", "from", "with", "ignoring")
"""Words of a line that only join the others."""


def _animal(word: str) -> bool:
    return re.fullmatch(r"[a-h][0-9]+", word) is not None


def trait_name(trait: str, lang: str) -> str:
    """The printed name; the id itself for what the catalog does not know."""
    found = trait_of.get(trait)
    return trait if found is None else found.ru if lang == "ru" else found.en


def card_text(card: str, lang: str) -> str:
    """A card or one of several cards in words: ``high-body-weight/fat-tissue`` -> High Body Weight / Fat Tissue."""
    if card == "?":
        return "?"
    name = card.rpartition(":")[2]
    found = _CARD.fullmatch(name)
    if found is None:
        return " / ".join(trait_name(part, lang) for part in name.split("/"))
    rest = (found["rest"] or "").replace(",", ", ").replace("#", " ")
    return f"{trait_name(found['trait'], lang)}{' ' if rest.startswith('(') else ''}{rest}"


def move_text(line: str, lang: str) -> str:
    """The move in words, without its player and, where it has one, without its acting animal."""
    move = parse(line)
    said = _said(move, lang)
    if said and move.ignoring and move.verb != "ignore":
        key = "ignoring-none" if move.ignoring == "none" else "ignoring"
        return text(key, lang, move=said, trait=trait_name(move.ignoring, lang))
    return said or line


def _said(move: Line, lang: str) -> str:
    """The move in words without what Intellect ignores; "" for a verb that is not known."""
    target = move.targets[0] if move.targets else ""
    words = " ".join(move.rest)
    location = word(f"location.{words}", lang) if words in LOCATIONS else words
    card = card_text(move.card, lang)
    values: dict[str, dict[str, object]] = {
        "take": {}, "attack": {"target": target}, "convert": {"n": int(words) if words.isdigit() else 1}, "graze": {},
        "pirate": {"target": target}, "hibernate": {}, "end": {}, "pass": {}, "begin": {}, "run": {},
        "mimic": {"target": target}, "drop": {"card": card}, "decline": {},
        "trigger": {"trait": trait_name(move.card.partition("(")[0], lang), "target": target},
        "scavenge": {"animal": move.actor}, "roll": {"dice": _dice(move.rest, lang)},
        "draw": {"card": card_text(words, lang)}, "ambush": {}, "hide": {}, "ink": {}, "reveal": {}, "specialize": {},
        "on": {}, "and": {}, "target": {}, "victim": {},
        "settle": {}, "warm": {}, "done": {}, "migrate": {"location": location}, "land": {"location": location},
        "follow": {"target": target}, "fetch": {"name": words}, "metamorphose": {"card": card},
        "split": {"card": card}, "restore": {"card": card}, "recombine": {"card": card},
    }  # fmt: skip
    if move.verb == "play":
        return _play_text(move, lang)
    if move.verb == "ignore":
        if move.ignoring == "none":
            return text("do-ignore-none", lang)
        return text("do-ignore", lang, trait=trait_name(move.ignoring, lang))
    if move.verb == "recombine" and target:
        return text("do-exchange", lang, card=card, other=card_text(words, lang), target=target)
    return text(f"do-{move.verb}", lang, **values[move.verb]) if move.verb in values else ""


def _dice(words: tuple[str, ...], lang: str) -> str:
    """Dice as a list; with Continents those of each continent behind its name."""
    if not any(w in LOCATIONS for w in words):
        return ", ".join(words)
    named = (f"; {word(f'place.{w}', lang)}" if w in LOCATIONS else f" {w}" for w in words)
    return "".join(named).removeprefix("; ")


def _play_text(move: Line, lang: str) -> str:
    if not move.targets and move.rest:
        return text("do-play-in", lang, location=word(f"location.{move.rest[0]}", lang))
    if not move.targets:
        return text("do-play", lang)
    trait = trait_name(move.card.rpartition(":")[2].partition("/")[0], lang)
    key = "do-play-pair" if len(move.targets) > 1 else "do-play-on"
    return text(key, lang, trait=trait, target=move.targets[0], other=move.targets[-1])


def line_text(line: str, lang: str, names: dict[str, str] | None = None) -> str:
    """The whole line in words with player and animal: ``Anna: a1: attack b1``."""
    move = parse(line)
    words = move_text(line, lang)
    if move.verb == "play" and not move.targets:
        words = f"{card_text(move.card, lang)}: {words}"
    if move.actor and move.verb not in ("scavenge",):
        words = text("by", lang, animal=move.actor, move=words)
    return text("who", lang, name=(names or {}).get(move.player, move.player), move=words) if move.player else words
