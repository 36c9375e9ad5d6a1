"""Reads the pending decisions of a position (`docs/state.md`), innermost last.

Only stacks that the engine can build are accepted: each frame names its phase and what it may lie on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from evotutor.games.evolution.catalog import CARDS, TRAITS, UNKNOWN, bit, card_name
from evotutor.games.evolution.locations import LOCATIONS, OCEAN
from evotutor.games.evolution.position_animals import NAME, card_place
from evotutor.games.evolution.state import (
    AMBUSH,
    ATTACK,
    BEGIN,
    BIRTH,
    CARNIVOROUS,
    DEAL,
    DEVELOPMENT,
    EXTINCTION,
    FEEDING,
    FETCH,
    FOLLOW,
    FOOD,
    FOOD_PAIRS,
    FOUND,
    IGNORE,
    KILLED,
    LAND,
    MIGRATED,
    MOVING,
    OVER,
    PARALYSED,
    PARTNER,
    PHASES,
    PLACE,
    POOL,
    RECOMBINATION,
    REMAINS,
    RESTORE,
    REVEALED,
    REWARD,
    RUN,
    SCAVENGE,
    SWAP,
    SWIMMING,
    TARGET,
    VICTIM,
    YOUNG,
    Animal,
    Frame,
    State,
    find,
    name_of,
    printed,
)
from evotutor.games.evolution.vocabulary import (
    MOST_ANIMALS,
    MOST_TRAITS,
    Modules,
    Path,
    Scope,
    card_code,
    cards_with,
    check_keys,
    fail,
    location_number,
    mapping,
    near,
    need_locations,
    need_module,
    number,
    sequence,
    shown,
    side_of,
    text,
    trait_number,
)

WORDS: Final = {
    "place": PLACE, "partner": PARTNER, "target": TARGET, "victim": VICTIM, "attack": ATTACK, "roll": RUN,
    "pairs": POOL, "scavenge": SCAVENGE, "deal": DEAL, "killed": KILLED,
    "ambush": AMBUSH, "ignore": IGNORE, "birth": BIRTH, "reward": REWARD, "moving": MOVING, "follow": FOLLOW,
    "land": LAND, "fetch": FETCH, "swap": SWAP, "restore": RESTORE, "young": YOUNG, "found": FOUND,
}  # fmt: skip
MODULES_OF: Final[dict[str, Modules]] = {
    **dict.fromkeys(("ambush", "ignore", "birth"), ("time-to-fly",)),
    "reward": ("time-to-fly", "continents"),
    **dict.fromkeys(("moving", "follow", "land", "fetch", "swap", "restore", "found"), ("continents",)),
    "young": ("gift-box",),
    "reveal": ("time-to-fly",), "split": ("continents",),
    **dict.fromkeys(("spore", "peek", "rage", "calm"), ("grass-and-mushrooms",)),
}  # fmt: skip
BY_LOCATION: Final = ("moving", "follow", "land", "fetch", "found")
"""Decisions that need locations."""
BESIDES: Final = {
    "partner": ("animal",), "attack": ("tried",), "pairs": ("armed",), "deal": ("to",), "killed": ("in",),
    "scavenge": ("in",), "ambush": ("by", "ask"), "reward": ("n", "for"), "follow": ("moving",), "swap": ("card",),
    "young": ("to",), "found": ("n",),
}  # fmt: skip
OPTIONAL: Final = ("tried", "in", "ask")
PHASES_OF: Final[dict[int, tuple[int, ...]]] = {
    PLACE: (DEVELOPMENT,), PARTNER: (DEVELOPMENT,), DEAL: (EXTINCTION,), RESTORE: (EXTINCTION,), FOUND: (EXTINCTION,),
    YOUNG: (EXTINCTION, DEVELOPMENT), LAND: (FOOD, FEEDING),
}  # fmt: skip
LIES_ON: Final[dict[int, tuple[int | None, ...]]] = {
    RUN: (ATTACK,), POOL: (None, KILLED), VICTIM: (None, POOL), IGNORE: (ATTACK,), SWAP: (None, POOL),
    ATTACK: (None, AMBUSH, LAND), FETCH: (None, MOVING, FOLLOW), FOUND: (None, YOUNG, FOUND),
    DEAL: (None, YOUNG, FOUND), RESTORE: (None, DEAL),
}  # fmt: skip
"""What a decision lies on; what is not named here begins the stack."""
BETWEEN: Final = (POOL, SCAVENGE, KILLED, AMBUSH, REWARD, BIRTH, LAND)
"""Decisions that in the expansions lie on whatever was going on, but not on GROUND."""
GROUND: Final = (
    PLACE, PARTNER, TARGET, VICTIM, RUN, SWAP, DEAL, RESTORE, YOUNG, FOUND, MOVING, FOLLOW, FETCH, BIRTH,
)  # fmt: skip
ASKED: Final = (ATTACK, IGNORE, SCAVENGE)
"""Decisions that only a birth interrupts."""
STEPS: Final = (KILLED, REWARD)
"""What waits below a decision and asks nothing itself."""
WAYS: Final = ("take", "communication", "warm")
"""How an animal came to the red token that an ambush waits for, in the order of TAKING, SHARING, WARMING."""
REASONS: Final = ("carnivorous", "tail-loss", "metamorphose")
"""What a reward is for, in the order of FOR_KILL, FOR_TAIL, FOR_CARD."""
MOST_PENDING: Final = 40
TRIED: Final[dict[str, Modules]] = {
    "running": ("base",), "ambush": ("time-to-fly",), "intellect": ("time-to-fly",), "cnidocytes": ("continents",),
    "anglerfish": ("time-to-fly",),
}  # fmt: skip
"""What an attack remembers."""


class PendingReader:
    """Reads the stack of a state whose table is complete."""

    def __init__(self, state: State, scope: Scope) -> None:
        self.state, self.scope, self.modules = state, scope, scope.modules
        self.words = [word for word in WORDS if scope.has(MODULES_OF.get(word, ("base",)))]
        if not scope.locations:
            self.words = [word for word in self.words if word not in BY_LOCATION]
        self.stack: list[Frame] = []
        self.top = True

    def read(self, value: object) -> tuple[Frame, ...]:
        """The stack; every frame in its phase and on a frame that it belongs on."""
        stack = self.stack
        entries = sequence(value, ("pending",), "pending", MOST_PENDING)
        for i, entry in enumerate(entries):
            path: Path = ("pending", i)
            self.top = i == len(entries) - 1
            frame = self._frame(mapping(entry, path, "a pending decision"), path)
            self._check_place(frame, stack[-1] if stack else None, path)
            stack.append(frame)
        if stack and stack[-1][0] == KILLED:
            fail("after a kill a pair must be pending, else nothing is asked", ("pending", len(stack) - 1))
        if stack and stack[-1][0] == REWARD:
            fail("a reward is only given when nothing is asked before it", ("pending", len(stack) - 1))
        return tuple(stack)

    def _frame(self, entry: Mapping[str, Any], path: Path) -> Frame:
        words = [word for word in entry if word in self.words]
        if "follow" in words and "moving" in words:
            words.remove("moving")
        for key in entry:
            if key in MODULES_OF and not words and not self.scope.has(MODULES_OF[key]):
                need_module(key, MODULES_OF[key], (*path, key))
            if key in BY_LOCATION:
                need_locations(key, self.scope, (*path, key))
        if len(words) != 1:
            message = "two pending decisions in one entry" if words else "no pending decision is named"
            fail(message, path, hint=near(next(iter(entry), ""), self.words))
        word = words[0]
        besides = BESIDES.get(word, ()) if self.scope.locations or word not in ("killed", "scavenge") else ()
        for key in entry:
            if key != word and key not in besides:
                fail(f"unknown word {shown(key)}", (*path, key), hint=near(key, (word, *besides)))
        for key in besides:
            if key not in entry and key not in OPTIONAL:
                fail(f"{word} needs {key}", path)
        read = {
            PLACE: self._place, PARTNER: self._partner, TARGET: self._acting, VICTIM: self._acting,
            ATTACK: self._attack, RUN: self._roll, POOL: self._pairs, SCAVENGE: self._of_kill,
            KILLED: self._of_kill, DEAL: self._deal, AMBUSH: self._ambush, IGNORE: self._ignore, BIRTH: self._birth,
            REWARD: self._reward, MOVING: self._moving, FOLLOW: self._follow, LAND: self._land, FETCH: self._fetch,
            SWAP: self._swap, RESTORE: self._restore, YOUNG: self._young, FOUND: self._found,
        }[WORDS[word]]  # fmt: skip
        return read(word, entry, path)

    def _check_place(self, frame: Frame, below: Frame | None, path: Path) -> None:
        kind, phases = frame[0], PHASES_OF.get(frame[0], (FEEDING,))
        if self.state.phase not in phases:
            message = f"this is not asked in the phase {PHASES[self.state.phase]}"
            fail(message, path, rule="phase.wrong", hint=f"phase: {PHASES[phases[0]]}")
        lies_on = below[0] if below else None
        if kind in BETWEEN and self.modules != ("base",):
            possible = lies_on not in GROUND and (kind == BIRTH or lies_on not in ASKED) and {kind, lies_on} != {POOL}
        else:
            possible = lies_on in LIES_ON.get(kind, (None,))
        if not possible:
            fail("this decision cannot follow the one before it", path)
        if kind == RUN and not (below and below[3] & bit["running"]):
            fail("a runner whose die is rolled has tried it", path, hint="tried: [running] in the attack")

    # names

    def _animal(self, value: object, path: Path, mine: bool = False) -> int:
        name = text(value, path, "an animal").lower()
        uid = animal_number(self.state, name, path)
        if mine and uid >> 8 != self.state.player:
            fail(f"{name} is not an animal of the player to move", path, rule="feeding.own-animal")
        return uid

    def _seat(self, value: object, path: Path) -> int:
        return seat_number(value, path, len(self.state.hands))

    # frames

    def _card(self, value: object, path: Path) -> tuple[int, int]:
        word = text(value, path, "a card")
        name, colon, trait_name = word.partition(":")
        if not colon:
            trait = trait_number(word, path, self.modules)
            cards = cards_with(trait, self.modules)
            if len(cards) != 1:
                fail(f"several cards carry {TRAITS[trait].id}", path, hint=_choices(trait, cards))
            card = cards[0]
        else:
            trait = trait_number(trait_name.strip(), path, self.modules)
            card = card_code(name.strip(), path, self.modules)
        if card == UNKNOWN:
            fail("the card that is placed must be known", path, hint=_choices(trait, cards_with(trait, self.modules)))
        if card not in self.state.hands[self.state.player]:
            fail(f"{card_name(card)} is not in the hand of the player to move", path, rule="development.card-in-hand")
        return card, side_of(card, trait, path)

    def _place(self, word: str, entry: Mapping[str, Any], path: Path) -> Frame:
        return (PLACE, *self._card(entry[word], (*path, word)))

    def _partner(self, word: str, entry: Mapping[str, Any], path: Path) -> Frame:
        card, side = self._card(entry[word], (*path, word))
        if not TRAITS[CARDS[card].traits[side]].pair:
            fail(f"{TRAITS[CARDS[card].traits[side]].id} is not a pair trait", (*path, word))
        uid = self._animal(entry["animal"], (*path, "animal"))
        if TRAITS[CARDS[card].traits[side]].place == "pair" and uid >> 8 != self.state.player:
            fail("the animal belongs to another player", (*path, "animal"), rule="development.own-animals-only")
        return PARTNER, card, side, uid

    def _acting(self, word: str, entry: Mapping[str, Any], path: Path) -> Frame:
        path = (*path, word)
        uid = self._animal(entry[word], path, mine=True)
        self._needs(uid, "carnivorous" if word == "target" else "piracy", path)
        return WORDS[word], uid

    def _needs(self, uid: int, trait: str, path: Path) -> None:
        animal = find(self.state, uid)
        if animal is None or not animal.mask & bit[trait]:
            fail(f"the animal has no {trait}", path, rule=f"{trait}.needed")

    def _attack(self, word: str, entry: Mapping[str, Any], path: Path) -> Frame:
        where = (*path, "tried")
        tried, known = 0, [name for name in TRIED if self.scope.has(TRIED[name])]
        for i, value in enumerate(sequence(entry.get("tried", ()), where, "tried", len(TRIED))):
            name = text(value, (*where, i), "a trait").lower()
            if name not in known:
                fail(f"{shown(name)} is no answer that is remembered", (*where, i), hint=near(name, known))
            tried |= bit[name]
        where = (*path, word)
        names = sequence(entry[word], where, "an attack", 2)
        if len(names) != 2:
            fail("an attack names the hunter and its prey", where, hint="attack: [a1, b1]")
        counter = bool(tried & bit["anglerfish"])
        hunter, prey = self._animal(names[0], (*where, 0)), self._animal(names[1], (*where, 1))
        self._check_hunter((hunter, prey)[counter], (prey, hunter)[counter], tried, (*where, int(counter)))
        self._needs(hunter, "carnivorous", (*where, 0))
        if hunter == prey:
            fail("an animal cannot attack itself", where, rule="carnivorous.not-itself")
        if counter and not self._find(hunter).flags & REVEALED:
            fail("only a revealed Anglerfish attacks in answer", (*where, 0), rule="anglerfish.needed")
        return ATTACK, hunter, prey, tried

    def _check_hunter(self, hunter: int, prey: int, tried: int, path: Path) -> None:
        """Whose hunter is it: of the player to move, or in an ambush of the player who was asked."""
        ambush = next((frame for frame in reversed(self.stack) if frame[0] == AMBUSH), None)
        if ambush is None:
            if tried & bit["ambush"]:
                hint = "{ambush: b1, by: take, ask: C} before it"
                fail("an ambush lies on the question for it", path, rule="ambush.on-red", hint=hint)
            if hunter >> 8 != self.state.player:
                name = name_of(hunter)
                fail(f"{name} is not an animal of the player to move", path, rule="feeding.own-animal")
            return
        if not tried & (bit["ambush"] | bit["anglerfish"]) and self.scope.rulings.get("ambush-shell") != "may-hide":
            hint = "tried: [ambush]"
            fail("an attack on an animal that takes food is an ambush", path, rule="ambush.on-red", hint=hint)
        if hunter >> 8 != ambush[3] and self.scope.rulings.get("ambush-limit") != "one-per-player":
            fail("another player was asked for an ambush", path, rule="feeding.own-animal")
        if prey >> 8 != ambush[1] >> 8:
            fail("the ambush is on an animal of another player", path, rule="ambush.on-red")

    def _roll(self, word: str, entry: Mapping[str, Any], path: Path) -> Frame:
        if text(entry[word], (*path, word), "running").lower() != "running":
            fail("only a runner's die is rolled here", (*path, word), hint="roll: running")
        return (RUN,)

    def _of_kill(self, word: str, entry: Mapping[str, Any], path: Path) -> Frame:
        seat, where = self._seat(entry[word], (*path, word)), (*path, "in")
        if not self.scope.locations:
            return WORDS[word], seat, 0
        if "in" not in entry:
            fail("where was the kill?", path, hint=f"{{{word}: A, in: ocean}}")
        return WORDS[word], seat, location_number(entry["in"], where, self.scope)

    def _pairs(self, word: str, entry: Mapping[str, Any], path: Path) -> Frame:
        seat, where = self._seat(entry[word], (*path, word)), (*path, "armed")
        armed = set()
        for i, value in enumerate(sequence(entry["armed"], where, "armed", MOST_TRAITS)):
            found = self._armed(mapping(value, (*where, i), "an armed pair"), (*where, i))
            if found[3] >> 8 != seat:
                fail("this pair belongs to another player", (*where, i))
            if found in armed:
                fail("this pair is named twice", (*where, i))
            armed.add(found)
        if not armed:
            fail("no pair is armed", where)
        return POOL, seat, tuple(sorted(armed))

    def _armed(self, entry: Mapping[str, Any], path: Path) -> tuple[int, int, int, int]:
        kinds = [key for key in entry if key != "to"]
        if len(kinds) != 1 or "to" not in entry:
            message = "an armed pair is one trait with its two ends and who gets the token"
            fail(message, path, hint="{cooperation: [a1, a2], to: a2}")
        where = (*path, kinds[0])
        trait = trait_number(kinds[0], where, self.modules)
        if not 1 << trait & FOOD_PAIRS:
            fail(f"{TRAITS[trait].id} gives no food", where, hint="cooperation or communication")
        if TRAITS[trait].id == "communication" and self._ambushed():
            fail("during an ambush nobody takes from the bank", where, rule="ambush.token-returns")
        names = sequence(entry[kinds[0]], where, "a pair", 2)
        ends = [self._there(value, (*where, i)) for i, value in enumerate(names)]
        to = self._there(entry["to"], (*path, "to"))
        key = (trait, min(ends, default=0), max(ends, default=0))
        if self.top and not any(link[:3] == key for link in self.state.links.links):
            fail(f"there is no such {TRAITS[trait].id}", where)
        if to not in ends:
            fail("the receiver is not an end of the pair", (*path, "to"))
        return (*key, to)

    def _deal(self, word: str, entry: Mapping[str, Any], path: Path) -> Frame:
        where, counts = (*path, word), [0] * len(self.state.hands)
        for key, value in mapping(entry[word], where, "deal").items():
            counts[self._seat(key, (*where, key))] = number(value, (*where, key), 0, 255)
        seat = self._seat(entry["to"], (*path, "to"))
        if not counts[seat]:
            fail("this player is due no card", (*path, "to"))
        if self.top and not self.state.deck and not self.state.top:
            fail("no cards are dealt from an empty deck: the game is over", path, rule="turn.last")
        return DEAL, bytes(counts), seat

    # Time to Fly

    def _ambush(self, word: str, entry: Mapping[str, Any], path: Path) -> Frame:
        """Who takes food, and who is asked.  Below an attack it may be that nobody more is to be asked."""
        uid = self._there(entry[word], (*path, word))
        way = self._choice(entry["by"], (*path, "by"), WAYS)
        if self.top and "ask" not in entry:
            fail("who is asked for an ambush?", path, hint="{ambush: b1, by: take, ask: C}")
        seat = self._seat(entry["ask"], (*path, "ask")) if "ask" in entry else -1
        if uid >> 8 != self.state.player and WAYS[way] != "communication":
            fail("the animal is not of the player to move", (*path, word), rule="feeding.own-animal")
        animal = find(self.state, uid)
        if self._ambushed():
            fail("one ambush at a time", (*path, word), rule="ambush.on-red")
        if animal is not None and self.state.bank[animal.loc] < 1:
            message = "the red token lies in the bank until the ambush is over"
            fail(message, (*path, word), rule="ambush.token-returns")
        if self.top:
            self._check_ambush(self._find(uid), way, seat, path)
        return AMBUSH, uid, way, seat

    def _ambushed(self) -> bool:
        return any(frame[0] == AMBUSH for frame in self.stack)

    def _check_ambush(self, animal: Animal, way: int, seat: int, path: Path) -> None:
        if not any(a.mask & bit["ambush"] and a.mask & CARNIVOROUS for a in self.state.herds[seat]):
            fail("this player has no hunter with ambush", (*path, "ask"), rule="ambush.needed")
        if WAYS[way] == "warm" and not animal.mask & bit["homeothermy"]:
            fail("the animal has no homeothermy", (*path, "by"), rule="homeothermy.needed")

    def _ignore(self, word: str, entry: Mapping[str, Any], path: Path) -> Frame:
        if text(entry[word], (*path, word)).lower() != "trait":
            fail("what is ignored is a trait", (*path, word), hint="ignore: trait")
        below = self.stack[-1] if self.stack else None
        if below and below[0] == ATTACK and not below[3] & bit["anglerfish"]:
            self._needs(below[1], "intellect", path)
        return (IGNORE,)

    def _birth(self, word: str, entry: Mapping[str, Any], path: Path) -> Frame:
        uid = self._animal(entry[word], (*path, word))
        animal, viviparous = self._find(uid), bit["viviparous"]
        stiff = animal.flags & PARALYSED and self.scope.rulings.get("viviparous-paralysed") == "birth"
        if not (printed(animal.faces) if stiff else animal.mask) & viviparous:
            fail("the animal is not viviparous", (*path, word), rule="viviparous.birth")
        self._needs_deck(path, "viviparous.last-card")
        return BIRTH, uid

    def _reward(self, word: str, entry: Mapping[str, Any], path: Path) -> Frame:
        uid = self._there(entry[word], (*path, word))
        return REWARD, uid, number(entry["n"], (*path, "n"), 1, 9), self._choice(entry["for"], (*path, "for"), REASONS)

    # Continents

    def _moves(self, value: object, path: Path) -> tuple[tuple[int, int, int], ...]:
        moves: list[tuple[int, int, int]] = []
        for i, item in enumerate(sequence(value, path, "moving", MOST_ANIMALS)):
            where = (*path, i)
            entry = mapping(item, where, "a migrant")
            check_keys(entry, ("animal", "from", "to"), {}, where)
            if len(entry) != 3:
                fail(
                    "a migrant moves from one location to another",
                    where,
                    hint="{animal: a1, from: ocean, to: laurasia}",
                )
            uid = self._animal(entry["animal"], (*where, "animal"))
            old, new = (location_number(entry[key], (*where, key), self.scope) for key in ("from", "to"))
            if old == new:
                fail("it is there already", (*where, "to"), rule="migration.elsewhere")
            if any(uid == other[0] for other in moves):
                fail("this animal is named twice", where)
            self._migrant(uid, new, where)
            moves.append((uid, old, new))
        if not moves:
            fail("nobody moves", path)
        if not self.state.acted & MIGRATED:
            fail(
                "a migration is declared before", path, rule="migration.declared-first", hint="acted: {migrated: true}"
            )
        return tuple(moves)

    def _migrant(self, uid: int, loc: int, path: Path) -> None:
        animal = self._find(uid)
        if animal.loc != loc:
            hint = f"{LOCATIONS[loc]} for {name_of(uid)}"
            fail(f"{name_of(uid)} is not there yet", path, rule="migration.move", hint=hint)
        if not animal.used & (bit["migration"] | bit["flight"]):
            fail(f"{name_of(uid)} has used nothing to migrate", path, rule="migration.needed", hint="migration*")

    def _moving(self, word: str, entry: Mapping[str, Any], path: Path) -> Frame:
        moves = self._moves(entry[word], (*path, word))
        for i, (uid, _, _) in enumerate(moves):
            if uid >> 8 != self.state.player:
                fail("an animal of another player", (*path, word, i, "animal"), rule="feeding.own-animal")
        return MOVING, moves

    def _follow(self, word: str, entry: Mapping[str, Any], path: Path) -> Frame:
        return FOLLOW, self._seat(entry[word], (*path, word)), self._moves(entry["moving"], (*path, "moving"))

    def _land(self, word: str, entry: Mapping[str, Any], path: Path) -> Frame:
        uid = self._there(entry[word], (*path, word))
        animal = find(self.state, uid)
        if animal is not None and animal.loc != OCEAN:
            fail("the animal is not in the Ocean", (*path, word), rule="continents.lose-swimming-lands")
        if (LAND, uid) in self.stack:
            fail("the animal comes ashore already", (*path, word))
        return LAND, uid

    def _fetch(self, word: str, entry: Mapping[str, Any], path: Path) -> Frame:
        uid = self._animal(entry[word], (*path, word))
        animal = self._find(uid)
        if animal.loc == OCEAN:
            fail("the animal is still in the Ocean", (*path, word), rule="migration.swimming-card")
        if printed(animal.faces) & SWIMMING:
            fail("the animal has a Swimming card", (*path, word), rule="migration.swimming-card")
        if not animal.used & (bit["migration"] | bit["flight"] | bit["suckerfish"]):
            message, hint = "the animal has not migrated", "migration* or suckerfish*"
            fail(message, (*path, word), rule="migration.swimming-card", hint=hint)
        return FETCH, uid

    def _swap(self, word: str, entry: Mapping[str, Any], path: Path) -> Frame:
        uid = self._animal(entry[word], (*path, word), mine=True)
        where = (*path, "card")
        name, _, copy = text(entry["card"], where, "a card").partition("#")
        if not copy.isdecimal() and copy:
            fail(f"cannot read the card {shown(entry['card'])}", where, hint="camouflage, fat-tissue#2")
        trait = trait_number(name.strip(), where, self.modules)
        place = card_place(self._find(uid), trait, int(copy[:3]) if copy else 0, where)
        if not any(1 << link[0] & RECOMBINATION and uid in link[1:3] for link in self.state.links.links):
            fail("the animal has no recombination", (*path, word), rule="recombination.needed")
        return SWAP, uid, place

    def _restore(self, word: str, entry: Mapping[str, Any], path: Path) -> Frame:
        uid = self._animal(entry[word], (*path, word))
        if not self._find(uid).flags & REMAINS:
            fail("these are no remains", (*path, word), rule="regeneration.restore")
        if not self.state.hands[uid >> 8]:
            self._needs_deck(path, "regeneration.restore")
        return RESTORE, uid

    def _found(self, word: str, entry: Mapping[str, Any], path: Path) -> Frame:
        return FOUND, self._seat(entry[word], (*path, word)), number(entry["n"], (*path, "n"), 1, 2)

    # the gift box

    def _young(self, word: str, entry: Mapping[str, Any], path: Path) -> Frame:
        """Young come at the beginning of the next turn; until then they wait below all else."""
        where, due = (*path, word), [b""] * len(self.state.hands)
        for key, value in mapping(entry[word], where, "young").items():
            due[self._seat(key, (*where, key))] = self._litter(value, (*where, key))
        seat = self._seat(entry["to"], (*path, "to"))
        if self.top != (self.state.phase == DEVELOPMENT):
            hint = "phase: development" if self.top else "a deal behind it"
            fail("young come at the beginning of the next turn", path, rule="r-strategy.two-young", hint=hint)
        if not any(due) or (self.top and not due[seat]):
            fail("this player is due no young", (*path, "to"))
        if self.top:
            self._needs_deck(path, "r-strategy.two-young")
        return YOUNG, tuple(due), seat

    def _litter(self, value: object, path: Path) -> bytes:
        """How many young are due, or with locations where."""
        if not self.scope.locations:
            return bytes(number(value, path, 0, 2 * MOST_ANIMALS))
        places = sequence(value, path, "young", 2 * MOST_ANIMALS)
        return bytes(location_number(place, (*path, i), self.scope) for i, place in enumerate(places))

    # shared

    def _there(self, value: object, path: Path) -> int:
        """An animal of a decision that others lie on: it may have died since."""
        name = text(value, path, "an animal").lower()
        match = NAME.fullmatch(name)
        if match is None or self.top:
            return self._animal(value, path)
        seat, n = ord(match[1]) - 97, int(match[2])
        if seat >= len(self.state.numbers) or n >= self.state.numbers[seat]:
            return self._animal(value, path)
        return seat << 8 | n

    def _find(self, uid: int) -> Animal:
        animal = find(self.state, uid)
        assert animal is not None
        return animal

    def _choice(self, value: object, path: Path, words: tuple[str, ...]) -> int:
        word = text(value, path).lower()
        if word not in words:
            fail(f"unknown word {shown(word)}", path, hint=near(word, words))
        return words.index(word)

    def _needs_deck(self, path: Path, rule: str) -> None:
        if not self.state.deck and not self.state.top:
            fail("there is no card to draw: the deck is empty", path, rule=rule)


def _choices(trait: int, cards: list[int]) -> str:
    return "one of: " + ", ".join(f"{CARDS[card].name}:{TRAITS[trait].id}" for card in cards)


def seat_number(value: object, path: Path, players: int) -> int:
    """Seat of a player's letter."""
    letters = [chr(65 + i) for i in range(players)]
    word = text(value, path, "a player").upper()
    if word not in letters:
        fail(f"no player {shown(value)}", path, hint=f"one of: {', '.join(letters)}")
    return letters.index(word)


def animal_number(state: State, name: str, path: Path = ()) -> int:
    """Number of an animal on the table by its name."""
    names = {f"{chr(97 + seat)}{a.uid & 255}": a.uid for seat, herd in enumerate(state.herds) for a in herd}
    found = names.get(name.lower())
    if found is None:
        fail(f"no animal {shown(name)} on the table", path, hint=near(name, names))
    return found


def begin(phase: int) -> tuple[Frame, ...]:
    """The stack of ``at: start``."""
    if phase == OVER:
        fail("the game is over, nothing starts", ("at",), rule="phase.wrong")
    return ((BEGIN,),)
