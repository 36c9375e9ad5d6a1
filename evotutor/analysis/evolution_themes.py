"""What a puzzle of Evolution is about: its theme and its key move, read from the main line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from evotutor.analysis.report import Solution, Step
from evotutor.games.evolution.catalog import TRAIT_OF_FACE, TRAITS
from evotutor.games.evolution.state import State

THEMES: Final = (
    "cataclysm", "symbiosis-order", "cooperation-order", "communication-order", "continents", "starve-the-rival",
    "last-token", "feed-them-all", "who-can-be-eaten", "own-prey", "hunting", "hunt-for-food", "decoy", "defence",
    "feed-the-hunter", "food-from-fat", "piracy", "sleep", "waiting", "migration", "metamorphosis", "specialization",
    "shell", "warmth", "recombination", "ambush", "intellect", "who-to-feed",
)  # fmt: skip
BY_VERB: Final = {
    "convert": "food-from-fat", "graze": "starve-the-rival", "pirate": "piracy", "hibernate": "sleep",
    "metamorphose": "metamorphosis", "specialize": "specialization", "settle": "shell", "warm": "warmth",
    "migrate": "migration", "recombine": "recombination", "end": "waiting",
}  # fmt: skip
HUNGER: Final = "extinction.unfed-die"


def verb_of(line: str) -> str:
    """The verb of a line: ``take`` of ``A: take a1``."""
    return line.partition(": ")[2].split()[0]


def theme_of(game: Any, state: State, goal: str, answer: Solution) -> str:
    """The theme, one of `THEMES`: what decides comes first, what is asked last."""
    if game.scenario:
        return "cataclysm"
    verb, wish = verb_of(answer.best), goal.split()[0]
    if verb == "attack":
        return _hunt(state, wish, answer)
    if verb in BY_VERB:
        return BY_VERB[verb]
    return _meal(game, state, wish, answer) if verb == "take" else "who-to-feed"


def _hunt(state: State, wish: str, answer: Solution) -> str:
    words, rules = answer.best.split(), _rules(answer.main[:2])
    if "ignoring" in words or any(rule.startswith("intellect") for rule in rules):
        return "intellect"
    if words[2][0] == words[3][0]:
        return "own-prey"
    if wish == "kill":
        return "who-can-be-eaten"
    if wish == "survive":
        return "defence"
    if wish == "feed-all":
        return "hunt-for-food"
    if any(rule.startswith("mimicry") for rule in rules):
        return "decoy"
    return "hunting"


def _meal(game: Any, state: State, wish: str, answer: Solution) -> str:
    first, seat = answer.main[0], answer.main[0].player
    name = answer.best.split()[2]
    rules = _rules([first])
    hungry = {a.uid for herd in state.herds for a in herd if a.red + a.blue < a.need}
    waiting = [v for trait, u, v, _ in state.links.links if TRAITS[trait].id == "symbiosis" and u == _uid(name)]
    if any(v in hungry for v in waiting):
        return "symbiosis-order"
    if any(rule.startswith("cooperation") for rule in rules):
        return "cooperation-order"
    if any(rule.startswith("communication") for rule in rules):
        return "communication-order"
    if any(rule.startswith("ambush") for rule in _rules(answer.main[:3])):
        return "ambush"
    if game.locations and len({a.loc for herd in state.herds for a in herd if a.uid >> 8 == seat}) > 1:
        return "continents"
    if wish in ("kill", "survive", "feed-all"):
        return {"kill": "who-can-be-eaten", "survive": "defence", "feed-all": "feed-them-all"}[wish]
    if sum(state.bank) == 1:
        return "last-token"
    traits = traits_at(state, name)
    if "carnivorous" in traits:
        return "feed-the-hunter"
    starved = [e[3] >> 8 for step in answer.main for e in step.events if e[0] == "die" and e[1] == HUNGER]
    if any(owner != seat for owner in starved):
        return "starve-the-rival"
    if any(e[0] == "attack" for step in answer.main if step.player != seat for e in step.events):
        return "defence"
    return "who-to-feed"


def _rules(steps: Iterable[Step]) -> set[str]:
    return {event[1] for step in steps for event in step.events if event[0] != "move"}


def _uid(name: str) -> int:
    return ord(name[0]) - 97 << 8 | int(name[1:])


def traits_at(state: State, name: str) -> list[str]:
    """Printed traits of an animal and the pair traits it is in, sorted; a symbiont's pair is written ``symbiont``."""
    uid = _uid(name)
    found = [TRAITS[t].id for herd in state.herds for a in herd if a.uid == uid for t in _own(a.faces)]
    for trait, u, v, _ in state.links.links:
        if uid in (u, v):
            kind = TRAITS[trait].id
            found.append("symbiont" if kind == "symbiosis" and uid == u else kind)
    return sorted(found)


def _own(faces: bytes) -> list[int]:
    return [TRAIT_OF_FACE[face] for face in faces]


def key_move(state: State, line: str) -> str:
    """A line reduced to its verb and the traits of the animals in it: ``attack carnivorous > running+swimming``."""
    names = {f"{chr(97 + (a.uid >> 8))}{a.uid & 255}" for herd in state.herds for a in herd}
    verb, *words = line.partition(": ")[2].split()
    animals = " > ".join("+".join(traits_at(state, word)) or "plain" for word in words if word in names)
    return " ".join([verb, *([animals] if animals else []), *(word for word in words if word not in names)])


def key_of(state: State, best: str, wrong: str) -> str:
    """The key move of a puzzle: the best line, and the tempting one that it has to be preferred to."""
    return f"{key_move(state, best)}, not {key_move(state, wrong)}"
