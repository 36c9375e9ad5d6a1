"""Reasons and events in sentences: why a move is refused, what happened, and why it happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from evotutor.core.model import Event, Reason
from evotutor.core.text import fields, fill
from evotutor.games.evolution import moves as m
from evotutor.games.evolution.catalog import CARDS, TRAITS, UNKNOWN, Trait, trait_of
from evotutor.games.evolution.locations import LOCATIONS
from evotutor.games.evolution.state import name_of
from evotutor.rulebook.book import rule
from evotutor.rulebook.words import has_word, word

TABLE: Final = -1
"""The uid in an event about the whole table."""

Params = dict[str, object]


@dataclass(frozen=True)
class Names:
    """What animals and players are called; without a name an animal is `a4` and a player is `A`."""

    animals: Mapping[int, str] = field(default_factory=dict)
    players: Mapping[int, str] = field(default_factory=dict)

    def animal(self, uid: int) -> str:
        """Name of an animal."""
        return self.animals.get(uid) or name_of(uid)

    def player(self, seat: int) -> str:
        """Name of a player."""
        return self.players.get(seat) or chr(65 + seat)


PLAIN: Final = Names()


def trait_text(trait: str | int, lang: str = "en") -> str:
    """The printed name of a trait, from its id or number."""
    found: Trait = TRAITS[trait] if isinstance(trait, int) else trait_of[trait]
    return found.ru if lang == "ru" else found.en


def card_text(card: str | int, lang: str = "en") -> str:
    """The printed name of a card, from its code or its name in notation."""
    if isinstance(card, int):
        known = card < len(CARDS)
        return " / ".join(trait_text(t, lang) for t in CARDS[card].traits) if known else word("card.unknown", lang)
    if card in ("?", ""):
        return word("card.unknown", lang)
    return " / ".join(trait_text(part, lang) for part in card.rpartition(":")[2].split("/"))


def location_text(location: str | int, lang: str = "en") -> str:
    """The name of a location in a sentence, from its id or number."""
    return word(f"location.{LOCATIONS[location] if isinstance(location, int) else location}", lang)


def reason_text(reason: Reason, lang: str = "en") -> str:
    """The sentence that says why a move is refused.

    A reason that lacks a name its sentence needs gets the text of the rule, which needs none.
    """
    params: Params = dict(reason.params)
    if "trait" in params:
        params["trait"] = trait_text(str(params["trait"]), lang)
    if "card" in params:
        params["card"] = card_text(str(params["card"]), lang)
    if "location" in params:
        params["location"] = location_text(str(params["location"]), lang)
    entry = rule(reason.rule)
    template = entry.reason.to(lang)
    return fill(template, params) if fields(template) <= params.keys() else entry.text.to(lang)


def event_text(event: Event, lang: str = "en", names: Names = PLAIN) -> str:
    """The sentence that tells what happened (a line of the log)."""
    key = _key(event)
    params = _params(event, names, lang)
    if event.kind == "transfer":
        colour, n = event.data[2:4]
        params |= {"tokens": word(f"gets.{colour}", lang, n=n), "gone": word(f"tokens.{colour}", lang, n=n)}
    if event.kind == "phase":
        params["phase"] = word(f"phase.{event.data[0]}", lang)
    return word(key, lang, **params)


def cause_text(event: Event, lang: str = "en", names: Names = PLAIN, known: Mapping[str, object] | None = None) -> str:
    """The sentence that tells why it happened: the cause that the event's rule gives, else the rule itself.

    `known` are names from the events that led here; they serve where the event has none of its own.
    """
    entry = rule(event.rule)
    if entry.cause is None or _plain_attack(event):
        return entry.text.to(lang)
    template = entry.cause.to(lang)
    params = {**(known or {}), **_params(event, names, lang)}
    return fill(template, params) if fields(template) <= params.keys() else entry.text.to(lang)


def chain(events: Sequence[Event], index: int) -> list[int]:
    """The events that led to this one, from the decision down: indices, the last is `index`."""
    found = [index]
    while (parent := events[found[-1]].parent) >= 0:
        if parent >= found[-1]:
            raise ValueError(f"event {found[-1]} is caused by the later event {parent}")
        found.append(parent)
    return found[::-1]


def explain(events: Sequence[Event], index: int, lang: str = "en", names: Names = PLAIN) -> list[str]:
    """Why did this happen?  One line for each event from the decision down to this one: what happened, and why.

    A cause or a line that would only repeat the one before it is left out.
    """
    lines: list[str] = []
    known: Params = {}
    why = ""
    for i in chain(events, index):
        event = events[i]
        told = event_text(event, lang, names)
        if not _speaks_for_itself(event) and (cause := cause_text(event, lang, names, known)) != why:
            told, why = f"{told} {cause}", cause
        if told not in lines[-1:]:
            lines.append(told)
        known |= _params(event, names, lang)
    return lines


def _speaks_for_itself(event: Event) -> bool:
    """Is the cause of the event simply the decision that stands before it?"""
    if event.kind == "state":
        return event.data[1] in ("used", "ready", "due") and event.rule not in TOLD
    return event.kind == "move" or _plain_attack(event)


TOLD: Final = ("recombination.used-stays-used", "regeneration.no-draw", "r-strategy.no-draw")
"""Rules that say why a trait is used, or no card due, where it is not the decision before."""


def _plain_attack(event: Event) -> bool:
    """Is this the attack of a hunter in its own feeding phase?  The cause of its rule is about who was eaten."""
    return event.kind == "attack" and event.rule == "carnivorous.attack"


# the word that tells an event, and the names in it


def _key(event: Event) -> str:
    kind, data = event.kind, event.data
    if kind == "transfer":
        key = f"transfer.{_place(data[0])}-{_place(data[1])}"
        at = f"{key}-at" if _bank(data) is not None and has_word(f"{key}-at") else key
        return _known(at, "transfer.other")
    if kind == "card":
        source, sink = data[1][0], data[2][0]
        if (source, sink) == ("hand", "animal") and event.rule in NEW_ANIMAL:
            return "move-card.hand-table"
        if sink == "animal" and event.rule == "regeneration.restore":
            return _known(f"move-card.{source}-body", "move-card.other")
        return _known(f"move-card.{source}-{sink}", "move-card.other")
    if kind == "state":
        uid, condition, value = data
        group = "table" if uid == TABLE else "begins" if value else "ends"
        return _known(f"{group}.{condition}", f"{group}.other")
    if kind == "move":
        return f"did.{_did(data[1])}"
    return f"event.{kind}"


NEW_ANIMAL: Final = ("development.animal", "continents.animal-lands", "continents.found")
"""Rules by which a card from the hand becomes an animal."""


def _known(key: str, other: str) -> str:
    return key if has_word(key) else other


def _place(place: Any) -> str:
    if isinstance(place, int):
        return "animal"
    return str(place[0]) if isinstance(place, tuple) else str(place)


def _uid(place: Any) -> int | None:
    """The animal at a place of tokens."""
    if isinstance(place, tuple) and place[0] == "fat":
        place = place[-1]
    return place if isinstance(place, int) else None


def _bank(data: tuple[Any, ...]) -> int | None:
    """The location of the food bank that tokens come from or go to, with Continents."""
    return next((place[1] for place in data[:2] if isinstance(place, tuple) and place[0] == "bank"), None)


def _params(event: Event, names: Names, lang: str) -> Params:
    """The names in an event: `animal` is who acts or gets, `target` who is acted on, `partner` the third."""
    kind, data = event.kind, event.data
    if kind == "transfer":
        return _of_transfer(data, names, lang)
    if kind == "card":
        return _of_card(data, names, lang)
    if kind == "move":
        return _of_move(data, names, lang)
    if kind in ("born", "die", "reveal"):
        return {"animal": names.animal(data[0])}
    if kind in ("attack", "escape"):
        return {"animal": names.animal(data[0]), "target": names.animal(data[1])}
    if kind == "locate":
        uid, origin, location = data
        return {
            "animal": names.animal(uid),
            "origin": location_text(origin, lang),
            "location": location_text(location, lang),
        }
    if kind in ("off", "on"):
        return {"animal": names.animal(data[0]), "trait": trait_text(data[1], lang)}
    if kind == "void":
        hunter, prey, trait = data
        return {"animal": names.animal(hunter), "target": names.animal(prey), "trait": trait_text(trait, lang)}
    if kind == "redirect":
        hunter, old, new = map(names.animal, data)
        return {"animal": hunter, "partner": old, "target": new}
    if kind == "state":
        return _of_state(data, names, lang)
    if kind == "roll":
        return {"n": len(data[0]), "dice": ", ".join(map(str, data[0]))}
    if kind == "turn":
        return {"n": data[0], "player": names.player(data[1])}
    if kind in ("pass", "end"):
        return {"player": names.player(data[0])}
    return {}


def _of_transfer(data: tuple[Any, ...], names: Names, lang: str) -> Params:
    source, sink, _colour, n, *_ = data
    giver, getter = _uid(source), _uid(sink)
    params: Params = {"n": n}
    if getter is not None or giver is not None:
        params["animal"] = names.animal(giver if getter is None else getter)  # type: ignore[arg-type]
    if getter is not None and giver is not None and giver != getter:
        params["target"] = names.animal(giver)
    location = _bank(data)
    if location is not None:
        params["location"] = location_text(location, lang)
    return params


def _of_card(data: tuple[Any, ...], names: Names, lang: str) -> Params:
    card, *places = data
    params: Params = {"card": card_text(card, lang)}
    for place in places:
        if place[0] in ("hand", "discard"):
            params["player"] = names.player(place[1])
        elif place[0] == "animal":
            if "animal" in params:
                params["target"] = params["animal"]
            params["animal"] = names.animal(place[1])
        elif place[0] == "link":
            params |= {"animal": names.animal(place[2]), "partner": names.animal(place[3])}
            if card == UNKNOWN:
                params["card"] = trait_text(place[1], lang)
    return params


def _of_state(data: tuple[Any, ...], names: Names, lang: str) -> Params:
    uid, condition, value = data
    params: Params = {} if uid == TABLE else {"animal": names.animal(uid)}
    if condition in ("used", "ready"):
        params["trait"] = trait_text(value, lang)
    elif isinstance(value, int):
        params["n"] = value
    return params


# decisions in words

DONE: Final = {
    m.PASS: "pass", m.PLAY_ANIMAL: "play-animal", m.PLAY_TRAIT: "play-trait", m.ON: "on", m.AND: "and", m.TAKE: "take",
    m.ATTACK: "attack", m.TARGET: "target", m.CONVERT: "convert", m.GRAZE: "graze", m.PIRATE: "pirate",
    m.VICTIM: "victim", m.HIBERNATE: "hibernate", m.END: "end", m.RUN: "run", m.MIMIC: "mimic", m.DROP: "drop",
    m.DECLINE: "decline", m.TRIGGER: "trigger", m.SCAVENGE: "scavenge", m.ROLL: "roll", m.DRAW: "draw",
    m.BEGIN_STEP: "begin", m.AMBUSH: "ambush", m.IGNORE: "ignore", m.HIDE: "hide", m.INK: "ink", m.REVEAL: "reveal",
    m.METAMORPHOSE: "metamorphose", m.SPECIALIZE: "specialize", m.SETTLE: "settle", m.MIGRATE: "migrate",
    m.DONE: "done", m.FOLLOW: "follow", m.LAND: "land", m.FETCH: "fetch", m.RECOMBINE: "recombine", m.SPLIT: "split",
    m.RESTORE: "restore", m.WARM: "warm",
}  # fmt: skip
"""Verb of a move -> the word under ``did.`` that tells it."""


def _did(move: tuple[int, ...]) -> str:
    verb, *args = move
    if verb == m.IGNORE and args[0] < 0:
        return "ignore-none"
    if verb == m.PLAY_ANIMAL and len(args) > 1:
        return "play-animal-in"
    return DONE.get(verb, "other")


def _of_move(data: tuple[Any, ...], names: Names, lang: str) -> Params:
    seat, (verb, *args) = data
    params: Params = {"player": names.player(seat)} if seat >= 0 else {}
    if verb == m.PLAY_TRAIT:
        trait = args[1] if args[0] == UNKNOWN else CARDS[args[0]].traits[args[1]]
        params["trait"] = trait_text(trait, lang)
    elif verb == m.TRIGGER:
        params |= {"trait": trait_text(args[0], lang), "animal": names.animal(args[3])}
    elif verb == m.ROLL:
        params |= {"n": len(args), "dice": ", ".join(map(str, args))}
    elif verb == m.PLAY_ANIMAL:
        params |= {"location": location_text(args[1], lang)} if len(args) > 1 else {}
    elif verb == m.IGNORE:
        params |= {"trait": trait_text(args[0], lang)} if args[0] >= 0 else {}
    elif verb in (m.MIGRATE, m.LAND):
        params |= {"animal": names.animal(args[0]), "location": location_text(args[1], lang)}
    elif verb == m.FOLLOW:
        params |= {"animal": names.animal(args[0]), "target": names.animal(args[1])}
    elif verb == m.FETCH:
        params |= {"animal": names.animal(args[0]), "partner": names.player(args[1])}
    elif verb == m.MIMIC:
        params |= {"animal": names.animal(args[0]), "target": names.animal(args[1])}
    elif verb == m.CONVERT:
        params |= {"animal": names.animal(args[0]), "n": args[1]}
    elif verb in (m.TARGET, m.VICTIM, m.AND):
        params["target" if verb != m.AND else "partner"] = names.animal(args[0])
    elif verb != m.DRAW and args:
        params["animal"] = names.animal(args[0])
    return params
