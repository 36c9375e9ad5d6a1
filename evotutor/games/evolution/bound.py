"""A game of Evolution with its modules and rulings bound: the questions it asks and the hooks that are on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Final

from evotutor.games.evolution import base
from evotutor.games.evolution.catalog import TRAITS, Trait, bit
from evotutor.games.evolution.questions import Ban, Question, Test
from evotutor.games.evolution.rulings import RULINGS, choose
from evotutor.games.evolution.state import PROTECTED, Animal

if TYPE_CHECKING:
    S = base.S

HOOKS: Final = (
    "running", "mimicry", "tail-loss", "poisonous", "scavenger", "cooperation", "communication", "fat-tissue",
    "hibernation-rests", "one-blue-for-tail", "draw-six", "tokens-leave", "leftovers", "end-when-done", "idle-lap",
    "round-resets-pairs", "grazing-resets", "unfed-die", "deal-one-by-one", "empty-hand-passes", "carnivorous-used",
    "piracy-used", "mimicry-used", "pair-used", "first-player-moves",
)  # fmt: skip
"""Effects that the mutation check switches off one by one."""

_SELECT: Final = {
    "high-body-weight.only-big": base.BIG,
    "camouflage.only-sharp-vision": base.CAMOUFLAGE,
    "swimming.only-swimmers": base.SWIMMING,
    "symbiosis.protected-safe": PROTECTED,
    "burrowing.fed-safe": base.BURROWING,
}
"""Bits of the target without which a ban cannot apply; the bans not named here are asked always."""
_GUARDED: Final = base.BIG | base.CAMOUFLAGE | base.SWIMMING | PROTECTED | base.BURROWING


class Bound:
    """What all rules of one game share.  Built once by `load`, never changed."""

    name = "evolution"
    players_min, players_max = 2, 8

    def __init__(
        self,
        modules: Iterable[str] = ("base",),
        rulings: Mapping[str, str] | None = None,
        scenario: str | None = None,
        preset: str | None = None,
        disabled: Iterable[str] = (),
    ) -> None:
        self.modules = tuple(modules)
        self.scenario = scenario
        self.cataclysm = scenario == "cataclysm"
        if self.cataclysm:
            self.players_max = 6
        self.disabled = frozenset(disabled)
        self.rulings = choose(rulings, preset)
        for name, option in self.rulings.items():
            if f"ruling:{name}={option}" in self.disabled:
                self.rulings[name] = RULINGS[name][0]
        self._bind_questions()
        self._bind_hooks()

    def ruled(self, name: str) -> bool:
        """Is this ruling at its default?"""
        return self.rulings[name] == RULINGS[name][0]

    def _bind_questions(self) -> None:
        off = self.disabled
        eaten_only = not self.ruled("big-and-camouflage")
        burrow = base.BURROWED if self.ruled("hibernation-burrowing") else base.BURROWED_FED
        pirate = tuple(
            base.HUNGRY_PIRATE if ban.rule == "piracy.unfed-pirate" and not self.ruled("piracy-fat") else ban
            for ban in base.PIRATE
        )
        self.receive = Question(base.RECEIVE, off)
        self.take_now = Question(base.TAKE_NOW, off)
        self.hunt_now = Question(base.HUNT_NOW, off)
        self.hunter = Question(base.HUNTER + (base.BLOCKED if self.ruled("blocked-hunter") else ()), off)
        self.target = Question(base.TARGET + (() if eaten_only else base.QUALIFIED) + (burrow,), off)
        self.eat = Question(base.QUALIFIED if eaten_only else (), off)
        self.convert_now = Question(base.CONVERT_NOW, off)
        self.convert = Question(base.CONVERT, off)
        self.graze_now = Question(base.GRAZE_NOW, off)
        self.graze = Question(base.GRAZE, off)
        self.pirate = Question(pirate, off)
        self.victim = Question(base.VICTIM, off)
        self.hibernate = Question(base.HIBERNATE, off)
        self.place = Question(base.PLACE, off)
        self.join = Question(base.JOIN, off)
        self.passing = Question(base.PASS if self.cataclysm else (), off)
        self.own_only = any(ban.rule == "development.own-animals-only" for ban in self.place.bans)
        self._guards: dict[int, tuple[Test, ...]] = {}
        self._placing = tuple(
            tuple(ban.forbids for ban in self.place.bans if _PLACING[ban.rule](trait)) for trait in TRAITS
        )

    def _bind_hooks(self) -> None:
        def on(name: str) -> bool:
            return f"hook:{name}" not in self.disabled

        def mask(name: str) -> int:
            return bit[name] if on(name) else 0

        self.hook = {name: on(name) for name in HOOKS}
        self.RUNNING, self.MIMICRY, self.TAIL_LOSS = mask("running"), mask("mimicry"), mask("tail-loss")
        self.POISONOUS, self.SCAVENGER, self.FAT = mask("poisonous"), mask("scavenger"), mask("fat-tissue")
        self.COOPERATION, self.COMMUNICATION = mask("cooperation"), mask("communication")
        self.at_once = self.ruled("cooperation-timing")
        self.gift_compulsory = self.ruled("pair-gift")
        self.store_arms = self.ruled("stored-fat-receives")
        self.mimicry_compulsory = self.ruled("mimicry")

    def can_attack(self, s: S, h: Animal, t: Animal) -> bool:
        """Does no permanent protection stand between hunter and target?  The bans of `target`, picked by mask."""
        key = (t.mask & _GUARDED) | (h.mask & base.SWIMMING) << 64
        tests = self._guards.get(key)
        if tests is None:
            tests = self._guards[key] = tuple(ban.forbids for ban in self.target.bans if _may_apply(ban, key))
        for forbids in tests:  # noqa: SIM110
            if forbids(s, h, t):
                return False
        return True

    def can_place(self, s: S, seat: int, trait: int, a: Animal) -> bool:
        """May this seat lay this trait on this animal?  The bans of `place`, picked by trait."""
        for forbids in self._placing[trait]:  # noqa: SIM110
            if forbids(s, seat, trait, a):
                return False
        return True

    def herds_for(self, s: S, seat: int, trait: int) -> tuple[tuple[Animal, ...], ...]:
        """The rows in which a trait of this kind can find its place at all: the own one, or every one."""
        return s.herds if OPPONENTS[trait] or not self.own_only else (s.herds[seat],)

    def mutations(self) -> list[str]:
        """Names for `disabled`: every prohibition, every hook, every alternative of a ruling."""
        rules = {ban.rule for q in vars(self).values() if isinstance(q, Question) for ban in q.bans}
        rules |= {"cataclysm.no-passing", "feeding.own-animal", base.OBLIGED}
        rules |= {"running.compulsory", "mimicry.compulsory"}
        alternatives = [f"ruling:{name}={option}" for name, options in RULINGS.items() for option in options[1:]]
        return [*sorted(rules), *(f"hook:{name}" for name in HOOKS), *alternatives]


def _may_apply(ban: Ban, key: int) -> bool:
    if ban.rule == "swimming.swimmer-only-swimmers":
        return bool(key >> 64 & base.SWIMMING)
    return ban.rule not in _SELECT or bool(_SELECT[ban.rule] & key)


_PLACING: Final[dict[str, Callable[[Trait], bool]]] = {
    "development.own-animals-only": lambda trait: trait.place in ("own", "pair"),
    "parasite.opponents-only": lambda trait: trait.place in ("opponent", "opponent-pair"),
    "parasite.one": lambda trait: trait.id == "parasite",
    "development.no-duplicate": lambda trait: not trait.pair and trait.id not in ("fat-tissue", "parasite"),
    "scavenger.not-with-carnivorous": lambda trait: trait.id == "scavenger",
    "carnivorous.not-with-scavenger": lambda trait: trait.id == "carnivorous",
}
"""Which traits a ban on placing can concern at all."""
OPPONENTS: Final = tuple(trait.place not in ("own", "pair") for trait in TRAITS)
PAIRS: Final = tuple(trait.pair for trait in TRAITS)
