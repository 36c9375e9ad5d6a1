"""The table as the board draws it: a JSON-able dict of a state, in one language, as one player sees it.

Nothing here judges a move: what is legal is what `game.lines` says, and why not is asked of `game.why_not_line` when
the reader wants to know.  `docs/board-view.md` lists the keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from evotutor.games.evolution.catalog import CARDS, TRAIT_OF_FACE, TRAITS, UNKNOWN, Trait, card_name
from evotutor.games.evolution.locations import LOCATIONS
from evotutor.games.evolution.state import (
    DEVELOPMENT,
    FLAGS,
    HIBERNATING,
    OVER,
    PHASES,
    RESTING,
    Animal,
    Link,
    State,
    is_fed,
    name_of,
    off_below,
)
from evotutor.rulebook.words import word
from evotutor.widgets.choices import actions_of, targets_of
from evotutor.widgets.strings import text
from evotutor.widgets.words import card_text, trait_name

View = dict[str, Any]
Names = Mapping[str, str]
"""Player letter -> name; a player without a name is called by the rulebook's word."""

HIBERNATION: Final = next(t.index for t in TRAITS if t.id == "hibernation")
SYMBIOSIS: Final = "symbiosis"


def view(
    game: Any,
    state: State,
    viewer: int | None = None,
    lang: str = "en",
    names: Names | None = None,
    *,
    alone: bool = True,
) -> View:
    """Everything the board draws.

    `viewer` is the seat that looks on (other hands stay hidden), or None for an open table.  Choices are offered when
    the decision is the viewer's or chance's, at an open table always; not `alone` the viewer decides for everybody.
    """
    called = player_names(state, lang, names)
    seen = state if viewer is None else game.observe(state, viewer)
    decision = game.decision(state)
    mine = not decision.over and (viewer is None or not alone or decision.player in (None, viewer))
    actions = actions_of(game, state, lang) if mine else {}
    seats = _seats(len(state.hands), viewer)
    return {
        "lang": lang,
        "viewer": None if viewer is None else _letter(viewer),
        "phases": phases(state, lang),
        "clock": _clock(state, lang, called),
        "lanes": [_lane(game, seen, seat, decision.player, viewer, lang, called) for seat in seats],
        "bank": _bank(state, lang),
        "deck": {"n": len(state.deck) + len(state.top), "text": _deck(state, lang)},
        "decision": {
            "kind": decision.kind,
            "player": None if decision.player is None else _letter(decision.player),
            "text": word(f"question.{decision.kind}", lang, player=called.get(_letter(decision.player or 0), "")),
            "chance": decision.chance,
            "over": decision.over,
        },
        "actions": actions,
        "titles": titles(actions, state, decision.player, lang),
        "targets": targets_of(actions),
        "yours": [name_of(a.uid) for a in state.herds[decision.player]] if decision.player is not None else [],
    }


def player_names(state: State, lang: str, names: Names | None = None) -> dict[str, str]:
    """What the players are called: by the given names, else by their letters."""
    letters = [_letter(seat) for seat in range(len(state.hands))]
    return {letter: (names or {}).get(letter, letter) for letter in letters}


def phases(state: State, lang: str) -> list[dict[str, Any]]:
    """The four phases of a turn, the current one marked."""
    return [
        {"id": name, "text": text(name, lang), "current": index == state.phase}
        for index, name in enumerate(PHASES[:OVER])
    ]


def titles(actions: Mapping[str, Any], state: State, player: int | None, lang: str) -> dict[str, str]:
    """Headings of the lists of choices that are not about what an animal of the player can do."""
    found = {}
    for key in actions:
        if key.startswith("card:"):
            found[key] = text("with-card", lang)
        elif key and (player is None or ord(key[0]) - 97 != player):
            found[key] = text("on-it", lang, animal=key)
    for seat, herd in enumerate(state.herds):
        if seat != player:
            found.update({name_of(a.uid): text("on-it", lang, animal=name_of(a.uid)) for a in herd})
    return found


def _letter(seat: int) -> str:
    return chr(65 + seat)


def _seats(players: int, viewer: int | None) -> list[int]:
    """The order of the lanes: the left neighbour first, the viewer last."""
    last = viewer or 0
    return [(last + 1 + i) % players for i in range(players)]


def _clock(s: State, lang: str, called: Names) -> str:
    name = called[_letter(s.first)]
    if PHASES[s.phase] in ("development", "feeding"):
        return text("clock", lang, turn=s.turn, round=s.round, name=name)
    return text("clock-short", lang, turn=s.turn, name=name)


def _deck(s: State, lang: str) -> str:
    n = len(s.deck) + len(s.top)
    return text("deck", lang, n=n) if n else text("last-turn", lang)


def _bank(s: State, lang: str) -> View:
    n = sum(s.bank)
    note = text("bank-left", lang, n=n) if n else text("bank-empty", lang)
    if len(s.bank) > 1:
        note = ", ".join(
            f"{word(f'place.{place}', lang)} {left}" for place, left in zip(LOCATIONS, s.bank, strict=True)
        )
    return {
        "red": n,
        "name": text("bank", lang),
        "note": note,
        "stock": text("stock", lang),
        "label": text("bank-label", lang, n=n),
    }


# players


def _lane(game: Any, s: State, seat: int, deciding: int | None, viewer: int | None, lang: str, called: Names) -> View:
    name, letter = called[_letter(seat)], _letter(seat)
    shown = name if len(name) > 1 else word("player.one", lang, player=name)
    points = next((line.total for line in game.score(s) if line.player == seat), 0)
    herd = s.herds[seat]
    info = [
        text("hand-count", lang, n=len(s.hands[seat])),
        text("discard-count", lang, n=len(s.discards[seat])),
        text("points", lang, n=points),
    ]
    return {
        "player": letter,
        "name": text("you", lang, name=shown) if viewer == seat else shown,
        "label": text("lane", lang, name=shown, n=len(herd)),
        "active": seat == deciding,
        "turn": text("now", lang),
        "info": " · ".join(info),
        "hand": _hand(s, seat, lang) if s.phase == DEVELOPMENT and viewer in (None, seat) else [],
        "handLabel": text("hand-of", lang, name=shown),
        "animals": [_animal(s, a, lang) for a in herd],
        "links": [_link(s, i, link, lang) for i, link in enumerate(s.links.links) if link[1] >> 8 == seat],
    }


def _hand(s: State, seat: int, lang: str) -> list[View]:
    return [_hand_card(card, lang) for card in sorted(set(s.hands[seat])) if card != UNKNOWN]


def _hand_card(card: int, lang: str) -> View:
    parts = [_named(TRAITS[t], lang) for t in CARDS[card].traits]
    return {"key": f"card:{card_name(card)}", "parts": parts, "name": card_text(card_name(card), lang)}


def _named(trait: Trait, lang: str) -> View:
    return {"trait": trait.id, "name": trait_name(trait.id, lang), "kind": trait.kind}


# animals


def _animal(s: State, a: Animal, lang: str) -> View:
    have = a.red + a.blue
    state = _state_of(s, a, lang)
    traits = [_trait(a, place, lang) for place in range(len(a.faces))]
    fat = ["yellow" if a.fat >> place & 1 else "empty" for place in range(len(a.faces)) if a.fatcards >> place & 1]
    words = [name_of(a.uid), state["text"], text("label-food", lang, have=have, need=a.need)]
    if fat:
        words.append(text("label-fat", lang, have=fat.count("yellow"), need=len(fat)))
    words += [t["label"] for t in traits] or [word("condition.plain", lang)]
    words += _conditions(s, a, lang)
    ends = [_end_label(link, a.uid, lang) for link in s.links.links if a.uid in link[1:3]]
    return {
        "id": name_of(a.uid),
        "name": name_of(a.uid),
        "owner": _letter(a.uid >> 8),
        "state": state,
        "need": a.need,
        "have": have,
        "sockets": ["red"] * a.red + ["blue"] * a.blue + ["empty"] * max(0, a.need - have),
        "fat": fat,
        "traits": traits,
        "conditions": [{"text": words} for words in _conditions(s, a, lang)],
        "ends": ends,
        "label": ", ".join(words + ends),
    }


def _state_of(s: State, a: Animal, lang: str) -> View:
    """The state in a word; before the feeding phase nobody is hungry yet, an animal only has a need."""
    have = a.red + a.blue
    if not have and PHASES[s.phase] not in ("feeding", "extinction") and not a.flags:
        return {"id": "idle", "text": text("needs", lang, n=a.need)}
    if a.flags & HIBERNATING:
        return {"id": "hibernating", "text": word("condition.hibernating", lang)}
    if is_fed(a):
        return {"id": "fed", "text": word("condition.fed", lang)}
    if have:
        return {"id": "part", "text": text("of", lang, have=have, need=a.need)}
    return {"id": "hungry", "text": word("condition.hungry", lang)}


def _conditions(s: State, a: Animal, lang: str) -> list[str]:
    """Conditions in words, with Continents the location first."""
    where = [word(f"place.{LOCATIONS[a.loc]}", lang)] if len(s.bank) > 1 else []
    named = [f for i, f in enumerate(FLAGS) if a.flags >> i & 1 and 1 << i not in (HIBERNATING, RESTING)]
    return [*where, *(word(f"condition.{flag}", lang) for flag in named)]


def _trait(a: Animal, place: int, lang: str) -> View:
    index = TRAIT_OF_FACE[a.faces[place]]
    trait = TRAITS[index]
    sleeping = index == HIBERNATION and a.flags & (HIBERNATING | RESTING)
    used = bool(a.used >> index & 1 or sleeping)
    note = text("resting", lang) if index == HIBERNATION and a.flags & RESTING else ""
    name = trait_name(trait.id, lang)
    marks = [note or (word("condition.used", lang) if used else "")]
    marks += [word("condition.off", lang)] if place < off_below(a.faces) else []
    mark = ", ".join(filter(None, marks))
    return {
        **_named(trait, lang),
        "used": used,
        "note": note,
        "label": f"{name} ({mark})" if mark else name,
        "hint": f"{name}: {word(f'kind.{trait.kind}', lang)}{f', {mark}' if mark else ''}",
    }


# links


def _link(s: State, index: int, link: Link, lang: str) -> View:
    number, u, v, _face = link
    trait, ends = TRAITS[number].id, [name_of(u), name_of(v)]
    name, used = trait_name(trait, lang), bool(s.spent >> index & 1)
    values = {"trait": name, "first": ends[0], "second": ends[1]}
    if trait == SYMBIOSIS:
        said = label = text("link-symbiosis", lang, first=ends[0], second=ends[1])
    else:
        said = name
        label = text("link-label-spent" if used else "link-label", lang, **values)
    directed = trait == SYMBIOSIS
    return {"trait": trait, "ends": ends, "text": said, "label": label, "used": used, "directed": directed}


def _end_label(link: Link, uid: int, lang: str) -> str:
    trait, other = TRAITS[link[0]].id, name_of(link[2] if link[1] == uid else link[1])
    if trait == SYMBIOSIS:
        return text("label-symbiont" if link[1] == uid else "label-protected", lang, other=other)
    return text("label-link", lang, trait=trait_name(trait, lang), other=other)


__all__ = ["View", "phases", "player_names", "titles", "view"]
