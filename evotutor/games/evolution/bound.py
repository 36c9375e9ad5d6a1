"""A game of Evolution with its modules and rulings bound: the questions it asks and the hooks that are on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Final

from evotutor.games.evolution import base, continents, gift_box, time_to_fly
from evotutor.games.evolution.catalog import TRAITS, Trait, bit
from evotutor.games.evolution.locations import OCEAN
from evotutor.games.evolution.questions import Ban, Question, Test
from evotutor.games.evolution.rulings import RULINGS, choose
from evotutor.games.evolution.state import ATTACKED, IN_SHELL, PROTECTED, REMAINS, SYMBIOSIS, Animal

if TYPE_CHECKING:
    S = base.S

HOOKS: Final = (
    "running", "mimicry", "tail-loss", "poisonous", "scavenger", "cooperation", "communication", "fat-tissue",
    "hibernation-rests", "one-blue-for-tail", "draw-six", "tokens-leave", "leftovers", "end-when-done", "idle-lap",
    "round-resets-pairs", "grazing-resets", "unfed-die", "deal-one-by-one", "empty-hand-passes", "carnivorous-used",
    "piracy-used", "mimicry-used", "pair-used", "first-player-moves",
)  # fmt: skip
"""Effects that the mutation check switches off one by one."""

EXPANSION_HOOKS: Final[dict[str, tuple[str, ...]]] = {
    "time-to-fly": (
        "viviparous", "viviparous-used", "newborn-fed", "last-card-wakes", "ambush", "token-returns", "intellect",
        "intellect-used", "metamorphose-food", "shell-leaves", "specialization-food", "anglerfish",
        "ink-cloud", "ink-used", "ink-frees",
    ),
    "continents": (
        "ocean-by-swimming", "lose-swimming-lands", "pairs-break", "ten-cards", "found", "followers", "remains",
        "restore", "regeneration-no-draw", "recombination-used", "used-stays-used", "discard-impossible",
        "cnidocytes", "neoplasm", "neoplasm-dies", "aedificator", "migration-used", "location-chosen",
        "paralysis-ends",
    ),
    "gift-box": ("r-strategy-no-draw", "r-strategy-young", "shy", "homeothermy-used"),
}  # fmt: skip
"""The same for the expansions."""

VOIDABLE: Final = {
    "high-body-weight.only-big": base.BIG,
    "camouflage.only-sharp-vision": base.CAMOUFLAGE,
    "swimming.only-swimmers": base.SWIMMING,
    "symbiosis.protected-safe": SYMBIOSIS,
    "burrowing.fed-safe": base.BURROWING,
    "flight.lighter-only": time_to_fly.FLIGHT,
    "shell.hidden-safe": time_to_fly.SHELL,
    "herding.outnumbered-only": continents.HERDING,
    "shy.already-attacked": gift_box.SHY,
}
"""The trait behind each protection that Intellect can ignore."""
_SELECT: Final = {**VOIDABLE, "symbiosis.protected-safe": PROTECTED}
"""Bits of the target without which a ban cannot apply; the bans not named here are asked always."""
_GUARDED: Final = sum(set(_SELECT.values()))
_GUARD_FLAGS: Final = IN_SHELL | ATTACKED | REMAINS

Guard = tuple[Test, int]
"""A protection, and the trait that Intellect would ignore to pass it (-1 where it cannot)."""


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
        self.flying, self.gifts = "time-to-fly" in self.modules, "gift-box" in self.modules
        self.travelling = "continents" in self.modules
        self.locations = self.travelling and not self.cataclysm
        self.expanded = self.flying or self.gifts or self.travelling
        self.disabled = frozenset(disabled)
        self.rulings = choose(rulings, preset)
        for name, option in self.rulings.items():
            if f"ruling:{name}={option}" in self.disabled:
                self.rulings[name] = RULINGS[name][0]
        self._bind_questions()
        if self.expanded:
            self._bind_expansions()
        self._bind_hooks()
        self.can_attack: Callable[..., bool] = self._can_attack_expanded if self.expanded else self._can_attack
        """Does no permanent protection stand between hunter and target?  The bans of `target`, picked by mask.

        In an ambush Burrowing does not count; one protection may be ignored by an unused Intellect (S0).
        """

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
        blocked = base.BLOCKED if self.ruled("blocked-hunter") else ()
        hidden = (time_to_fly.NO_FOOD,) if self.flying else ()
        calm = (continents.NOT_MIGRATING,) if self.locations else ()
        same = (continents.SAME_LOCATION,) if self.locations else ()
        self.receive = Question(base.RECEIVE + hidden, off)
        self.take_now = Question(base.TAKE_NOW + calm, off)
        self.bank_now = Question(() if self.locations else (base.BANK_EMPTY,), off)
        self.take_here = Question((continents.BANK_HERE,) if self.locations else (), off)
        self.here = Question((continents.ONE_LOCATION,) if self.locations else (), off)
        self.hunt_now = Question(base.HUNT_NOW + calm, off)
        self.hunter = Question(base.HUNTER + (blocked + hidden if blocked else ()), off)
        self.target = Question(
            same + base.TARGET + (() if eaten_only else base.QUALIFIED) + (burrow,) + self._protections(), off
        )
        self.eat = Question(base.QUALIFIED if eaten_only else (), off)
        self.convert_now = Question(base.CONVERT_NOW + calm, off)
        self.convert = Question(base.CONVERT + ((continents.STIFF,) if self.travelling else ()), off)
        self.side_now = Question(calm, off)
        self.graze_now = Question(calm or (base.GRAZE_BANK,), off)
        self.graze = Question(base.GRAZE + ((continents.GRAZE_HERE,) if self.locations else ()), off)
        self.pirate = Question(pirate + hidden, off)
        self.victim = Question(base.VICTIM + same, off)
        self.hibernate = Question(base.HIBERNATE + ((continents.USED_UP,) if self.travelling else ()), off)
        self.place = Question(self._placing_bans(), off)
        self.join = Question(
            base.JOIN
            + (continents.JOIN if self.travelling else ())
            + ((continents.JOIN_HERE,) if self.locations else ()),
            off,
        )
        self.passing = Question(base.PASS if self.cataclysm else (), off)
        self.apart = not any(ban.rule == "development.pair-same-owner" for ban in self.join.bans)
        self.own_only = any(ban.rule == "development.own-animals-only" for ban in self.place.bans)
        self._guards: dict[int, tuple[Test, ...]] = {}
        self._shields: dict[int, tuple[tuple[Test, ...], tuple[Guard, ...]]] = {}
        self._placing = tuple(
            tuple(ban.forbids for ban in self.place.bans if _PLACING[ban.rule](trait)) for trait in TRAITS
        )

    def _protections(self) -> tuple[Ban, ...]:
        """Permanent protections that the expansions add."""
        found: tuple[Ban, ...] = ()
        if self.flying:
            light = self.ruled("flight-disabled") or not self.travelling
            found += (time_to_fly.LIGHTER_ONLY if light else time_to_fly.LIGHTER_ONLY_WORKING, time_to_fly.HIDDEN)
        if self.travelling:
            found += (continents.NO_PREY,)
            even = self.ruled("herding-tie")
            found += (continents.OUTNUMBERED if even else continents.OUTNUMBERED_OR_EVEN,)
        return found + ((gift_box.SHY_SAFE,) if self.gifts else ())

    def _placing_bans(self) -> tuple[Ban, ...]:
        bans: tuple[Ban, ...] = base.PLACE
        if self.flying or self.travelling:
            bans = tuple(base.BY_CARDS.get(ban.rule, ban) for ban in bans)
        return bans + (time_to_fly.PLACE if self.flying else ()) + (continents.PLACE if self.travelling else ())

    def _bind_expansions(self) -> None:
        """The questions that only the expansions ask."""
        off = self.disabled
        calm = (continents.NOT_MIGRATING,) if self.locations else ()
        if self.locations and not self.ruled("ocean-newborn"):
            bans = tuple(ban for ban in self.target.bans if ban.rule not in base.SWIMMERS)
            self.target = Question(bans + continents.LAND_ONLY, off)
        once = () if self.ruled("metamorphose") else (time_to_fly.METAMORPHOSE_ONCE,)
        self.metamorphose_now = Question(time_to_fly.METAMORPHOSE_NOW + calm, off)
        self.metamorphose = Question(time_to_fly.METAMORPHOSE_ANIMAL + once, off)
        self.cast_off = Question((time_to_fly.NOT_RAISING,), off)
        once = () if self.ruled("specialization") else (time_to_fly.SPECIALIZE_ONCE,)
        alone = time_to_fly.ALONE_HERE if self.locations else time_to_fly.ALONE
        self.specialize_now = Question(time_to_fly.SPECIALIZE_NOW + calm, off)
        self.specialize = Question((*time_to_fly.SPECIALIZE, alone, *once), off)
        self.settle_now = Question(time_to_fly.SETTLE_NOW + calm, off)
        self.ambusher = Question(time_to_fly.AMBUSH_ONLY, off)
        self.ambush_prey = Question(() if self.ruled("ambush-own") else (time_to_fly.AMBUSH_OTHERS,), off)
        self.ways = continents.Ways(
            self.ruled("migration-land"), self.ruled("flight-ocean"), self.ruled("flight-disabled")
        )
        self.migrate_now = Question(continents.MIGRATE_NOW, off)
        self.migrate = Question(self.ways.migrants(), off)
        self.route = Question(self.ways.bans(), off)
        self.follow = Question(continents.FOLLOW, off)
        self.ashore = Question(continents.ASHORE, off)
        self.founding = Question(continents.FOUNDING, off)
        self.recombine_now = Question(calm, off)
        self.recombine = Question(continents.RECOMBINE, off)
        self.split = Question(continents.SPLIT, off)
        self.warm = Question((*gift_box.WARM, continents.WARM_HERE if self.locations else gift_box.WARM_BANK), off)

    def _bind_hooks(self) -> None:
        def on(name: str) -> bool:
            return f"hook:{name}" not in self.disabled

        def mask(name: str) -> int:
            return bit[name] if on(name) else 0

        names = (*HOOKS, *(name for module in self.modules for name in EXPANSION_HOOKS.get(module, ())))
        self.hooks = names
        self.hook = {name: on(name) for name in names}
        self.RUNNING, self.MIMICRY, self.TAIL_LOSS = mask("running"), mask("mimicry"), mask("tail-loss")
        self.POISONOUS, self.SCAVENGER, self.FAT = mask("poisonous"), mask("scavenger"), mask("fat-tissue")
        self.COOPERATION, self.COMMUNICATION = mask("cooperation"), mask("communication")
        self.at_once = self.ruled("cooperation-timing")
        self.gift_compulsory = self.ruled("pair-gift")
        self.store_arms = self.ruled("stored-fat-receives")
        self.mimicry_compulsory = self.ruled("mimicry")

        def trait(name: str, playing: bool) -> int:
            return bit[name] if playing and self.hook.get(name, True) else 0

        self.SHELL, self.INK_CLOUD = trait("shell", self.flying), trait("ink-cloud", self.flying)
        self.INTELLECT, self.AMBUSH = trait("intellect", self.flying), trait("ambush", self.flying)
        self.VIVIPAROUS = trait("viviparous", self.flying)
        self.CNIDOCYTES = trait("cnidocytes", self.travelling)
        self.REGENERATION = bit["regeneration"] if self.travelling and self.hook["remains"] else 0
        self.SHY = trait("shy", self.gifts)
        self.HOMEOTHERMY = trait("homeothermy", self.gifts)
        self.trematode_drops = "trematode.not-dropped" in self.disabled
        self.shell_in_ambush = "shell.not-in-ambush" in self.disabled
        self.anglers = self.flying and self.hook["anglerfish"]
        self.seas = 1 << OCEAN if self.locations else 0
        self.answers = base.RUNNING | base.MIMICRY | base.TAIL_LOSS | self.SHELL | self.INK_CLOUD
        self.effects = self.POISONOUS | self.CNIDOCYTES | self.SHY
        if not self.ruled("intellect-regeneration"):
            self.effects |= self.REGENERATION

    def _can_attack(self, s: S, h: Animal, t: Animal, ambush: int = 0) -> bool:
        key = (t.mask & _GUARDED) | (h.mask & base.SWIMMING) << 64
        tests = self._guards.get(key)
        if tests is None:
            tests = self._guards[key] = tuple(ban.forbids for ban in self.target.bans if _may_apply(ban, key))
        for forbids in tests:  # noqa: SIM110
            if forbids(s, h, t):
                return False
        return True

    def _can_attack_expanded(self, s: S, h: Animal, t: Animal, ambush: int = 0) -> bool:
        firm, soft = self._shield(h, t)
        for forbids in firm:
            if forbids(s, h, t):
                return False
        left = 1 if h.mask & self.INTELLECT and not h.used & self.INTELLECT else 0
        for forbids, trait in soft:
            if forbids(s, h, t) and not self._passed(s, h, t, trait, ambush):
                if not left or not self._one_card(s, t, trait):
                    return False
                left = 0
        return True

    def _shield(self, h: Animal, t: Animal) -> tuple[tuple[Test, ...], tuple[Guard, ...]]:
        """The protections that can concern this pair: firm ones, and those that Intellect can ignore."""
        key = (t.mask & _GUARDED) | (h.mask & base.SWIMMING) << 64 | (t.flags & _GUARD_FLAGS) << 128
        found = self._shields.get(key)
        if found is None:
            bans = [ban for ban in self.target.bans if _may_apply(ban, key)]
            firm = tuple(ban.forbids for ban in bans if ban.rule not in VOIDABLE)
            soft = tuple((ban.forbids, VOIDABLE[ban.rule].bit_length() - 1) for ban in bans if ban.rule in VOIDABLE)
            found = self._shields[key] = firm, soft
        return found

    @staticmethod
    def _passed(s: S, h: Animal, t: Animal, trait: int, ambush: int) -> bool:
        """Is this protection void: ignored by the hunter in this turn, or Burrowing in an ambush?"""
        if ambush and 1 << trait == base.BURROWING:
            return True
        return bool(t.more) and (h.uid, trait) in t.more

    @staticmethod
    def _one_card(s: S, t: Animal, trait: int) -> bool:
        """Is one card all that protects?  Two symbionts are two cards, and Intellect ignores one."""
        return 1 << trait != SYMBIOSIS or len(s.links.symbionts.get(t.uid, ())) == 1

    def obstacles(self, s: S, h: Animal, t: Animal, ambush: int = 0) -> list[int] | None:
        """Traits that stand between hunter and target and could be ignored; None when something firm does."""
        firm, soft = self._shield(h, t)
        if any(forbids(s, h, t) for forbids in firm):
            return None
        found = [i for forbids, i in soft if forbids(s, h, t) and not self._passed(s, h, t, i, ambush)]
        return found if all(self._one_card(s, t, trait) for trait in found) else None

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
        if self.flying:
            rules |= {"trematode.not-dropped", "anglerfish.must-reveal", "intellect.must-ignore"}
            rules |= {"metamorphose.must-receive", "shell.not-in-ambush"}
        alternatives = [f"ruling:{name}={option}" for name, options in RULINGS.items() for option in options[1:]]
        return [*sorted(rules), *(f"hook:{name}" for name in self.hooks), *alternatives]


def _may_apply(ban: Ban, key: int) -> bool:
    if ban.rule == "swimming.swimmer-only-swimmers":
        return bool(key >> 64 & base.SWIMMING)
    if ban.rule in _FLAGGED:
        return bool(key >> 128 & _FLAGGED[ban.rule])
    return ban.rule not in _SELECT or bool(_SELECT[ban.rule] & key)


_FLAGGED: Final = {
    "shell.hidden-safe": IN_SHELL, "shy.already-attacked": ATTACKED, "regeneration.remains-safe": REMAINS,
}  # fmt: skip
"""Conditions of the target without which a ban cannot apply."""
_PLACING: Final[dict[str, Callable[[Trait], bool]]] = {
    "development.own-animals-only": lambda trait: trait.place in ("own", "pair"),
    "parasite.opponents-only": lambda trait: trait.id == "parasite",
    "trematode.opponents-only": lambda trait: trait.id == "trematode",
    "neoplasm.opponents-only": lambda trait: trait.id == "neoplasm",
    "specialization.not-both": lambda trait: trait.id.startswith("specialization"),
    "anglerfish.only-as-animal": lambda trait: trait.id == "anglerfish",
    "regeneration.limit": lambda trait: True,
    "regeneration.no-body": lambda trait: True,
    "parasite.one": lambda trait: trait.id == "parasite",
    "development.no-duplicate": lambda trait: not trait.pair and trait.id not in ("fat-tissue", "parasite"),
    "scavenger.not-with-carnivorous": lambda trait: trait.id == "scavenger",
    "carnivorous.not-with-scavenger": lambda trait: trait.id == "carnivorous",
}
"""Which traits a ban on placing can concern at all."""
OPPONENTS: Final = tuple(trait.place not in ("own", "pair") for trait in TRAITS)
PAIRS: Final = tuple(trait.pair for trait in TRAITS)
