"""The choices of a decision, grouped by the animal or card they are offered at.

Legal ones are the lines of the game.  Beside them stand lines that a reader would look for and that are not legal here;
which those are is asked of the game (`why_not_line`), never decided here.  What a line would bring is found by playing
it.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from evotutor.core.model import NotationError
from evotutor.games.evolution.catalog import CARDS, TRAIT_OF_FACE, TRAITS, UNKNOWN, card_name
from evotutor.games.evolution.locations import CONTINENTS, LOCATIONS
from evotutor.games.evolution.state import State, name_of, shells
from evotutor.widgets.strings import text
from evotutor.widgets.words import line_text, move_text, parse

Actions = dict[str, list[dict[str, Any]]]

AT_TABLE: Final = (
    "pair-order", "scavenger", "place", "partner", "target", "victim", "ambush", "migrate", "follow", "restore",
    "found",
)  # fmt: skip
"""Questions that are about no one animal: their answers are offered at the table too."""
ANSWERS: Final = ("reaction", "ignore", "land", "fetch", "swap", *AT_TABLE)
ORDER: Final = (
    "take", "attack", "convert", "metamorphose", "specialize", "settle", "warm", "pirate", "graze", "hibernate",
    "recombine", "migrate", "done", "end",
)  # fmt: skip
VERB_OF: Final = {
    "carnivorous": "attack",
    "fat-tissue": "convert",
    "piracy": "pirate",
    "grazing": "graze",
    "hibernation": "hibernate",
    "metamorphose": "metamorphose",
    "specialization-a": "specialize",
    "specialization-b": "specialize",
    "homeothermy": "warm",
    "migration": "migrate",
}
"""The verb that a trait gives its animal; which of them are possible now is the game's to say."""
NODES: Final = 60
"""How many positions are looked at to say what an attack can bring."""


class Gain(NamedTuple):
    """What the acting animal gets, and all animals; `sure` when nothing that follows can change it."""

    n: int
    each: tuple[tuple[str, int], ...]
    sure: bool


def actions_of(game: Any, state: State, lang: str) -> Actions:
    """Choices by the key of the thing they are offered at: an animal, ``card:NAME``, or "" for the table as a whole."""
    decision = game.decision(state)
    if decision.chance:
        return {"": _chance(game, state, lang)}
    found: Actions = {}
    lines = game.lines(state)
    for line in _ordered(lines, _likely(game, state, lines)):
        legal = line in lines
        for key in _keys(line, decision.kind, decision.player):
            found.setdefault(key, []).append(_action(game, state, line, key, legal, lang))
    return found


def targets_of(actions: Actions) -> dict[str, list[str]]:
    """By key, the animals that a legal choice there is aimed at."""
    return {
        key: sorted({t for a in offered if a["legal"] for t in a["aims"] if t != key})
        for key, offered in actions.items()
        if key
    }


def _action(game: Any, state: State, line: str, key: str, legal: bool, lang: str) -> dict[str, Any]:
    move = parse(line)
    # at the table or at a target the list has to say whose move it is
    said = line_text(line.partition(": ")[2], lang) if key != move.actor and move.actor else move_text(line, lang)
    gain = _gain(game, state, line, move.actor) if legal and move.actor else None
    return {
        "id": line,
        "text": said,
        "legal": legal,
        "verb": move.verb,
        "actor": move.actor,
        "target": move.targets[0] if move.actor and move.targets else "",
        "aims": list(move.targets),
        "gain": _gain_text(gain, lang),
        "preview": _preview(gain, lang),
    }


def _keys(line: str, kind: str, player: int | None) -> list[str]:
    """Where a line is offered: at its actor, its targets of other players, its card, the table."""
    move = parse(line)
    keys = [move.actor] if move.actor else []
    if move.card and move.verb == "play":
        keys.append(f"card:{move.card.partition(':')[0]}")
    foreign = [t for t in move.targets if player is None or ord(t[0]) - 97 != player]
    keys += foreign if move.actor else list(move.targets)
    if kind in AT_TABLE or not keys:
        keys.append("")
    return list(dict.fromkeys(keys))


def _ordered(legal: list[str], likely: list[str]) -> list[str]:
    def rank(line: str) -> int:
        verb = parse(line).verb
        return ORDER.index(verb) if verb in ORDER else -1

    return sorted(dict.fromkeys([*likely, *legal]), key=rank)


# what a reader would look for


def _likely(game: Any, state: State, legal: list[str]) -> list[str]:
    """Lines of this decision that the game can read, legal or not, in the order in which they are shown."""
    decision = game.decision(state)
    if decision.player is None:
        return []
    who = chr(65 + decision.player)
    if decision.kind == "own-feeding-phase":
        wanted = [line for a in state.herds[decision.player] for line in _feeding(state, a, legal, who)] + [
            f"{who}: end"
        ]
    elif decision.kind == "development":
        wanted = _development(state, decision.player, who)
    else:
        return []
    return [line for line in wanted if line in legal or _readable(game, state, line)]


def _readable(game: Any, state: State, line: str) -> bool:
    try:
        return bool(game.why_not_line(state, line))
    except NotationError:
        return False


def _feeding(state: State, animal: Any, legal: list[str], who: str) -> list[str]:
    name = name_of(animal.uid)
    others = [
        name_of(a.uid) for seat in _from(state, animal.uid >> 8) for a in state.herds[seat] if a.uid != animal.uid
    ]
    lines = [f"{who}: take {name}"]
    for face in animal.faces:
        verb = VERB_OF.get(TRAITS[TRAIT_OF_FACE[face]].id)
        if verb in ("attack", "pirate"):
            lines += [f"{who}: {verb} {name} {other}" for other in others]
        elif verb in ("convert", "metamorphose"):
            most = "1" if verb == "convert" else verb
            lines += [line for line in legal if line.startswith(f"{who}: {verb} {name} ")] or [
                f"{who}: {verb} {name} {most}"
            ]
        elif verb == "migrate":
            lines += [f"{who}: migrate {name} to {place}" for i, place in enumerate(LOCATIONS) if i != animal.loc]
        elif verb:
            lines.append(f"{who}: {verb} {name}")
    if shells(state):
        lines.append(f"{who}: settle {name}")
    return lines


def _from(state: State, seat: int) -> list[int]:
    """Seats in the order in which targets are listed: the left neighbour first, the player's own last."""
    n = len(state.hands)
    return [(seat + 1 + i) % n for i in range(n)]


def _development(state: State, seat: int, who: str) -> list[str]:
    lines = []
    for card in sorted(set(state.hands[seat])):
        if card == UNKNOWN:
            continue
        places = [f" in {LOCATIONS[i]}" for i in CONTINENTS] if len(state.bank) > 1 else [""]
        lines += [f"{who}: play {card_name(card)}{place}" for place in places]
        for trait in CARDS[card].traits:
            if not TRAITS[trait].pair and TRAITS[trait].place != "animal":
                animals = [name_of(a.uid) for herd in state.herds for a in herd]
                lines += [f"{who}: play {card_name(card)}:{TRAITS[trait].id} on {animal}" for animal in animals]
    return [*lines, f"{who}: pass"]


def _chance(game: Any, state: State, lang: str) -> list[dict[str, Any]]:
    shared = {"legal": True, "verb": "roll", "actor": "", "target": "", "aims": [], "gain": "", "preview": ""}
    lines = [game.show(state, move) for move, _ in game.outcomes(state)]
    chance = [{"id": "?", "text": text("do-roll-any", lang), **shared}] if len(lines) > 1 else []
    shown = lines if len(lines) <= 21 else []
    return chance + [{"id": line, "text": move_text(line, lang), **shared} for line in shown]


# what a line brings


def _gain(game: Any, state: State, line: str, actor: str) -> Gain:
    events: list[tuple[Any, ...]] = []
    for move in game.line(state, line):
        state = game.apply(state, move, events)
    ends = _futures(game, state, events)
    best = max(ends, key=lambda end: end.get(actor, 0))
    # an unfinished look at the future proves nothing, so the list of ends is complete or the gain is not sure
    sure = len(ends) < NODES and all(end == best for end in ends)
    return Gain(best.get(actor, 0), tuple(best.items()), sure)


def _futures(game: Any, state: State, events: list[tuple[Any, ...]]) -> list[dict[str, int]]:
    """What every animal gets in each way that the answers and dice of this line can go."""
    open_ends, ends, looked = [(state, events)], [], 0
    while open_ends and looked < NODES:
        now, past = open_ends.pop()
        looked += 1
        decision = game.decision(now)
        answers = decision.kind in ANSWERS or decision.kind == "roll-running"
        moves = [m for m, _ in game.outcomes(now)] if decision.chance else game.moves(now)
        if not answers or not moves:
            ends.append(_received(past))
            continue
        for move in moves:
            more = list(past)
            open_ends.append((game.apply(now, move, more), more))
    return ends + [_received(past) for _, past in open_ends]


def _received(events: list[tuple[Any, ...]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for event in events:
        if event[0] == "transfer":
            sink, n = event[4], event[6]
            uid = sink[1] if isinstance(sink, tuple) else sink
            if isinstance(uid, int):
                found[name_of(uid)] = found.get(name_of(uid), 0) + n
    return found


def _gain_text(gain: Gain | None, lang: str) -> str:
    if gain is None or not gain.n:
        return ""
    return text("gain" if gain.sure else "up-to", lang, n=gain.n)


def _preview(gain: Gain | None, lang: str) -> str:
    if gain is None or not gain.each:
        return ""
    key = "gains" if gain.sure else "gains-up-to"
    return ", ".join(text(key, lang, animal=animal, n=n) for animal, n in gain.each)
