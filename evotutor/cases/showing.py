"""A table in words, for terminals and screen readers."""

from __future__ import annotations

from collections import Counter
from typing import Any

from evotutor.cases.model import text
from evotutor.games.evolution.catalog import TRAIT_OF_FACE, TRAITS, UNKNOWN, card_name
from evotutor.games.evolution.locations import LOCATIONS
from evotutor.games.evolution.position_animals import ANGLERFISH
from evotutor.games.evolution.state import (
    FAT_TISSUE,
    FLAGS,
    PHASES,
    REMAINS,
    RESTING,
    REVEALED,
    SYMBIOSIS,
    Animal,
    State,
    is_fed,
    name_of,
    off_below,
    shells,
)


def table_text(game: Any, state: State, lang: str = "en") -> str:
    """Phase, piles, every player's animals from left to right with traits and tokens, pairs, and what is asked."""
    from evotutor.rulebook import word

    phase, deck = word(f"phase.{PHASES[state.phase]}", lang), pile_text(state.top + state.deck, lang)
    rows = [
        text("heading", lang, turn=state.turn, round=state.round, phase=phase),
        f"{word('player.first', lang)}: {chr(65 + state.first)}",
        f"{word('flow.bank', lang)}: {bank_text(state, lang)} · {word('card.deck', lang)}: {deck}",
    ]
    if shells(state):
        rows.append(text("shells", lang, n=len(shells(state))))
    for seat, herd in enumerate(state.herds):
        hand, discard = pile_text(state.hands[seat], lang), pile_text(state.discards[seat], lang)
        rows += ["", word("player.one", lang, player=chr(65 + seat))]
        rows += [f"  {word('card.hand', lang)}: {hand} · {word('card.discard', lang)}: {discard}"]
        rows += [f"  {name_of(a.uid)}: {animal_text(a, lang, len(state.bank) > 1)}" for a in herd]
    if state.links.links:
        rows += ["", *(f"  {link_text(state, index, lang)}" for index in range(len(state.links.links)))]
    return "\n".join([*rows, "", asked_text(game, state, lang)])


def asked_text(game: Any, state: State, lang: str) -> str:
    """Who is asked what."""
    from evotutor.rulebook import word

    decision = game.decision(state)
    player = "" if decision.player is None else chr(65 + decision.player)
    return word(f"question.{decision.kind}", lang, player=player)


def pile_text(cards: bytes, lang: str) -> str:
    """The number of cards, and which they are where that is known."""
    from evotutor.rulebook import card_text

    known = Counter(card for card in cards if card != UNKNOWN)
    names = [card_text(card_name(card), lang) + (f" ×{n}" if n > 1 else "") for card, n in known.items()]
    return f"{len(cards)} ({', '.join(names)})" if names else str(len(cards))


def bank_text(state: State, lang: str) -> str:
    """The red tokens, of each location where there are locations."""
    from evotutor.rulebook import word

    if len(state.bank) == 1:
        return str(state.bank[0])
    return ", ".join(f"{word(f'place.{name}', lang)} {n}" for name, n in zip(LOCATIONS, state.bank, strict=True))


def animal_text(a: Animal, lang: str, locations: bool = False) -> str:
    """An animal with its traits, tokens and conditions, and with its location where there are `locations`."""
    from evotutor.rulebook import trait_text, word

    traits = [_trait(a, place, lang) for place in range(len(a.faces))] or [word("condition.plain", lang)]
    tokens = [word(f"tokens.{colour}", lang, n=n) for colour, n in (("red", a.red), ("blue", a.blue)) if n]
    fed = f"{word('condition.fed' if is_fed(a) else 'condition.hungry', lang)}, "
    fed += word("condition.of", lang, n=a.red + a.blue, m=a.need)
    if a.flags & REMAINS:
        fed = ""
    flags = [word(f"condition.{flag}", lang) for i, flag in enumerate(FLAGS) if a.flags & ~RESTING & 1 << i]
    flags += [word("condition.hidden", lang)] if a.body == ANGLERFISH and not a.flags & REVEALED else []
    flags += [
        f"{trait_text(TRAITS[trait].id, lang)}: {word('condition.void', lang, animal=name_of(hunter))}"
        for hunter, trait in a.more
    ]
    if locations:
        flags.insert(0, word(f"place.{LOCATIONS[a.loc]}", lang))
    told = " ".join([fed, f"({', '.join(tokens)})"] if tokens else [fed])
    return " · ".join(part for part in (", ".join(traits), told, *flags) if part)


def _trait(a: Animal, place: int, lang: str) -> str:
    """A trait with its marks: the fat on it, used, hibernated last turn."""
    from evotutor.rulebook import trait_text, word

    trait = TRAITS[TRAIT_OF_FACE[a.faces[place]]]
    marks = []
    if trait.index == FAT_TISSUE:
        marks.append(word("condition.fat", lang, n=a.fat >> place & 1, m=1))
    if place < off_below(a.faces):
        marks.append(word("condition.off", lang))
    if a.used >> trait.index & 1:
        marks.append(word("condition.used", lang))
    if trait.id == "hibernation" and a.flags & RESTING:
        marks.append(word("condition.resting", lang))
    return trait_text(trait.id, lang) + (f" ({', '.join(marks)})" if marks else "")


def link_text(state: State, index: int, lang: str) -> str:
    """A pair trait with its two animals."""
    from evotutor.rulebook import trait_text, word

    trait, u, v, _face = state.links.links[index]
    name = trait_text(TRAITS[trait].id, lang)
    if 1 << trait == SYMBIOSIS:
        symbiont, protected = word("condition.symbiont", lang), word("condition.protected", lang)
        return f"{name}: {name_of(u)} ({symbiont}) → {name_of(v)} ({protected})"
    used = f" ({word('condition.used', lang)})" if state.spent >> index & 1 else ""
    return f"{name}: {name_of(u)} – {name_of(v)}{used}"
