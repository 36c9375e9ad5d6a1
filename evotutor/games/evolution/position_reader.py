"""Reads a position (`position:` of a case) into a state.

What a position leaves out: phase feeding, turn 1, round 1, first A, to_move = first, at running, bank 0, deck of 20
unknown cards (so that it is not the last turn; in Cataclysm, and with ``last_turn: true``, none), empty hands and
discards, no animals, links or pending decisions; an animal has no tokens, no conditions, and an unknown body card.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NoReturn

from evotutor.games.evolution.catalog import (
    CARD_OF_FACE,
    CARDS,
    MODULES,
    TRAIT_OF_FACE,
    TRAITS,
    UNKNOWN,
    bit,
    card_name,
    face_name,
)
from evotutor.games.evolution.locations import LOCATIONS
from evotutor.games.evolution.position_animals import HIGHEST, NAME, Draft, read_animal, shell_cards
from evotutor.games.evolution.position_pending import PendingReader, begin, seat_number
from evotutor.games.evolution.state import (
    ASIDE,
    ATTACK,
    CONVERTED,
    DEVELOPMENT,
    EXTINCTION,
    FEEDING,
    FOOD_PAIRS,
    HUNTED,
    IGNORE,
    MAIN,
    METAMORPHOSED,
    MIGRATED,
    PHASES,
    PLACED,
    RECOMBINATION,
    REMAINS,
    SCAVENGE,
    SETTLED,
    SIDE,
    SPECIALISED,
    SYMBIOSIS,
    TOOK,
    Animal,
    Link,
    State,
    Topology,
    is_fed,
    name_of,
)
from evotutor.games.evolution.vocabulary import (
    MOST_ANIMALS,
    MOST_CARDS,
    MOST_TRAITS,
    Modules,
    Path,
    card_code,
    check_keys,
    face_code,
    fail,
    location_number,
    mapping,
    near,
    need_locations,
    number,
    scope_of,
    sequence,
    shown,
    text,
    truth,
)

DECK: Final = 20
"""Unknown cards of a deck that is not told."""
KEYS: Final = (
    "modules", "scenario", "phase", "at", "turn", "round", "last_turn", "bank", "deck", "first", "to_move", "acted",
    "idle", "passed", "players", "links", "pending",
)  # fmt: skip
LATER_KEYS: Final[dict[str, Modules]] = {
    "shells": ("time-to-fly",),
    **dict.fromkeys(("flora", "flora_deck", "flora_discard", "marks"), ("grass-and-mushrooms",)),
    **dict.fromkeys(("areas", "epoch", "gene_pool", "discard"), ("new-world",)),
}
VIVIPAROUS: Final = bit["viviparous"]
PLAYER_KEYS: Final = ("hand", "discard", "animals", "next")
ACTED: Final = {
    "took": TOOK, "hunted": HUNTED, "converted": CONVERTED, "side": SIDE, "specialised": SPECIALISED,
    "metamorphosed": METAMORPHOSED, "settled": SETTLED, "migrated": MIGRATED,
}  # fmt: skip
ACTED_MODULES: Final[dict[str, Modules]] = {
    "location": ("continents",), "specialised": ("time-to-fly",), "metamorphosed": ("time-to-fly",),
    "settled": ("time-to-fly",), "migrated": ("continents",),
}  # fmt: skip


class PositionReader:
    """Reads one mapping, from the table as a whole down to the pending decisions."""

    def __init__(self, data: Mapping[str, Any], game: Any) -> None:
        self.data, self.game = mapping(data, (), "a position"), game
        self.scope = scope_of(game)
        self.modules: Modules = self.scope.modules
        self.cataclysm = game.scenario == "cataclysm"
        check_keys(self.data, (*KEYS, "shells") if "time-to-fly" in self.modules else KEYS, LATER_KEYS, ())

    def read(self) -> State:
        """The state; NotationError where the mapping cannot be one."""
        self._check_modules()
        players = self._players()
        count, phase = len(players), self._word("phase", PHASES, FEEDING)
        first = self._seat("first", 0, count)
        player = self._seat("to_move", first, count)
        deck, top = self._deck()
        drafts = [self._drafts(p, seat) for seat, p in enumerate(players)]
        links, spent = self._links({name: draft for herd in drafts for name, draft in herd.items()})
        numbers = tuple(self._next(p, seat, drafts[seat]) for seat, p in enumerate(players))
        herds = tuple(tuple(draft.finish(links) for draft in herd.values()) for herd in drafts)
        self._check_voids(herds)
        state = State(
            phase, self._number("turn", 1, 1), self._number("round", 1, 1), first, player, self._acted(phase),
            self._idle(count), self._passed(phase, player, count), self._bank(), deck, top,
            self._piles(players, "hand"), self._piles(players, "discard"),
            herds, numbers, links, spent, (), self._shells(),
        )  # fmt: skip
        if self.cataclysm and self.modules != ("base",):
            self._check_box(state)
        return self._with_stack(state)

    # the game

    def _check_modules(self) -> None:
        if "modules" in self.data:
            path: Path = ("modules",)
            wanted = {"base"}
            for i, value in enumerate(sequence(self.data["modules"], path, "modules", len(MODULES))):
                word = text(value, (*path, i), "a module").lower()
                if word not in MODULES:
                    fail(f"unknown module {shown(word)}", (*path, i), hint=near(word, MODULES))
                wanted.add(word)
            if wanted != {"base", *self.modules}:
                hint = f"the game has {', '.join(self.modules)}"
                fail("the position is for other modules than the game", path, hint=hint)
        if "scenario" in self.data:
            value = self.data["scenario"]
            if value is not None and text(value, ("scenario",), "a scenario") != "cataclysm":
                fail(f"unknown scenario {shown(value)}", ("scenario",), hint="cataclysm")
            if (value is not None) != self.cataclysm:
                fail("the position is for another scenario than the game", ("scenario",))

    def _players(self) -> list[Mapping[str, Any]]:
        path: Path = ("players",)
        if "players" not in self.data:
            fail("a position needs players", path)
        found = []
        given = mapping(self.data["players"], path, "players")
        if not self.game.players_min <= len(given) <= self.game.players_max:
            fail(f"{len(given)} players", path, hint=f"{self.game.players_min} to {self.game.players_max} players")
        for seat, (key, value) in enumerate(given.items()):
            if key != _letter(seat):
                message = f"player {shown(key)} where {_letter(seat)} is expected"
                fail(message, (*path, key), hint="A, B, C ... in seat order")
            player = {} if value is None else mapping(value, (*path, key), f"player {key}")
            check_keys(player, PLAYER_KEYS, {"gene_pool": ("new-world",)}, (*path, key))
            found.append(player)
        return found

    # small values

    def _word(self, key: str, words: tuple[str, ...], default: int) -> int:
        if key not in self.data:
            return default
        word = text(self.data[key], (key,)).lower()
        if word not in words:
            fail(f"unknown {key} {shown(word)}", (key,), hint=near(word, words))
        return words.index(word)

    def _number(self, key: str, default: int, least: int = 0) -> int:
        return number(self.data[key], (key,), least) if key in self.data else default

    def _seat(self, key: str, default: int, count: int) -> int:
        return seat_number(self.data[key], (key,), count) if key in self.data else default

    def _bank(self) -> tuple[int, ...]:
        if not self.scope.locations:
            if isinstance(self.data.get("bank"), Mapping):
                fail("a bank for each location needs module continents", ("bank",), hint="bank: 5")
            return (self._number("bank", 0),)
        hint = "bank: {laurasia: 5, gondwana: 8, ocean: 5}"
        if not isinstance(self.data.get("bank", {}), Mapping):
            fail("each location has a bank of its own", ("bank",), rule="continents.food-by-location", hint=hint)
        given = mapping(self.data.get("bank", {}), ("bank",), "bank")
        check_keys(given, LOCATIONS, {}, ("bank",))
        return tuple(number(given[word], ("bank", word)) if word in given else 0 for word in LOCATIONS)

    def _shells(self) -> tuple[bytes, ...]:
        cards = shell_cards(number(self.data["shells"], ("shells",), 0, MOST_CARDS)) if self.data.get("shells") else b""
        return (cards,) if cards else ()

    def _acted(self, phase: int) -> int:
        given = mapping(self.data.get("acted", {}), ("acted",), "acted")
        known = [key for key in ACTED if self.scope.has(ACTED_MODULES.get(key, ("base",)))]
        places = ["location"] if "continents" in self.modules else []
        check_keys(given, ("main", *known, *places), ACTED_MODULES, ("acted",))
        acted = 0
        for key, value in given.items():
            if key in known and truth(value, ("acted", key)):
                acted |= ACTED[key]
        if acted & MIGRATED:
            need_locations("migrated", self.scope, ("acted", "migrated"))
        main = truth(given["main"], ("acted", "main")) if "main" in given else bool(acted & MAIN)
        if not main and acted & MAIN:
            fail("taking, hunting and converting are the main action", ("acted", "main"))
        if main and not acted & MAIN:
            acted |= TOOK
        if "location" in given:
            acted |= 1 + location_number(given["location"], ("acted", "location"), self.scope) << PLACED
        if acted and phase != FEEDING:
            fail("nobody has acted outside the feeding phase", ("acted",), rule="phase.wrong")
        if (acted & MAIN).bit_count() > 1:
            fail("only one main action in an own feeding phase", ("acted",), rule="feeding.main-once")
        return acted

    def _idle(self, count: int) -> int:
        idle = self._number("idle", 0)
        if idle >= count:
            fail(f"after {idle} idle own feeding phases the phase is over", ("idle",), rule="feeding.end-when-done")
        return idle

    def _passed(self, phase: int, player: int, count: int) -> int:
        passed = 0
        for i, value in enumerate(sequence(self.data.get("passed", ()), ("passed",), "passed", count)):
            passed |= 1 << seat_number(value, ("passed", i), count)
        if passed and phase != DEVELOPMENT:
            fail("players pass in development only", ("passed",), rule="phase.wrong")
        if passed >> player & 1:
            fail("the player to move has passed", ("passed",), rule="development.pass-final")
        return passed

    # cards

    def _deck(self) -> tuple[bytes, bytes]:
        last = truth(self.data["last_turn"], ("last_turn",)) if "last_turn" in self.data else None
        if "deck" not in self.data:
            return bytes((UNKNOWN,)) * (0 if self.cataclysm or last else DECK), b""
        value, path = self.data["deck"], ("deck",)
        if isinstance(value, Mapping) and ("top" in value or "more" in value):
            check_keys(mapping(value, path, "deck"), ("top", "more"), {}, path)
            top = self._listed(value.get("top", ()), (*path, "top"))
            deck = self._cards(value.get("more", 0), (*path, "more"))
        else:
            deck, top = self._cards(value, path), b""
        if last is not None and last != (not deck and not top):
            fail("a turn is the last exactly when the deck is empty", ("last_turn",), rule="turn.last")
        return deck, top

    def _cards(self, value: object, path: Path) -> bytes:
        """A pile: a number of unknown cards, a list, or a mapping of cards to numbers."""
        if isinstance(value, Mapping):
            pile = b""
            for name, copies in mapping(value, path, "a pile of cards").items():
                pile += bytes((card_code(text(name, (*path, name)), (*path, name), self.modules),)) * number(
                    copies, (*path, name), 0, MOST_CARDS
                )
                if len(pile) > MOST_CARDS:
                    fail(f"more than {MOST_CARDS} cards", path)
            return bytes(sorted(pile))
        if isinstance(value, (list, tuple)):
            return bytes(sorted(self._listed(value, path)))
        if isinstance(value, str):
            fail(f"{shown(value)} is not a pile of cards", path, hint="a number, or a list of cards")
        return bytes((UNKNOWN,)) * number(value, path, 0, MOST_CARDS)

    def _piles(self, players: list[Mapping[str, Any]], key: str) -> tuple[bytes, ...]:
        return tuple(self._cards(p.get(key, 0), ("players", _letter(seat), key)) for seat, p in enumerate(players))

    def _listed(self, value: object, path: Path) -> bytes:
        cards = sequence(value, path, "a pile of cards", MOST_CARDS)
        return bytes(card_code(text(c, (*path, i), "a card"), (*path, i), self.modules) for i, c in enumerate(cards))

    # animals

    def _drafts(self, player: Mapping[str, Any], seat: int) -> dict[str, Draft]:
        """The animals of a player by name, read but not completed."""
        path: Path = ("players", _letter(seat), "animals")
        given = player.get("animals")
        found = {}
        for name, value in mapping({} if given is None else given, path, "animals").items():
            match, mine = NAME.fullmatch(name), _letter(seat).lower()
            if match is None or int(match[2]) > HIGHEST:
                fail(f"{shown(name)} is no name of an animal", (*path, name), hint=f"{mine}1 to {mine}{HIGHEST}")
            if match[1] != mine:
                hint = f"its name begins with {mine}"
                fail(f"{name} cannot be an animal of {_letter(seat)}", (*path, name), hint=hint)
            found[name] = read_animal(value, seat << 8 | int(match[2]), (*path, name), self.scope)
            if len(found) > MOST_ANIMALS:
                fail(f"more than {MOST_ANIMALS} animals", path)
        return found

    def _check_voids(self, herds: tuple[tuple[Animal, ...], ...]) -> None:
        """What is ignored is ignored by a hunter on the table."""
        alive = {a.uid: name_of(a.uid) for herd in herds for a in herd}
        for a in (a for herd in herds for a in herd if a.more):
            for hunter, _ in a.more:
                if hunter not in alive:
                    path = ("players", _letter(a.uid >> 8), "animals", alive[a.uid], "void")
                    fail(
                        f"no animal {name_of(hunter)!r} on the table", path, hint=near(name_of(hunter), alive.values())
                    )

    def _next(self, player: Mapping[str, Any], seat: int, drafts: Mapping[str, Draft]) -> int:
        least = max((draft.uid & 255 for draft in drafts.values()), default=0) + 1
        path = ("players", _letter(seat), "next")
        if "next" not in player:
            return least
        found = number(player["next"], path, 1, HIGHEST + 1)
        if found < least:
            fail("the number of an animal is never used twice", path, hint=f"at least {least}")
        return found

    def _check_box(self, state: State) -> None:
        """A Cataclysm with expansions is played with some of their cards only."""
        box = set(self.game.box(len(state.hands)))
        traits = {trait for card in box for trait in CARDS[card].traits}
        for seat in range(len(state.hands)):
            path: Path = ("players", _letter(seat))
            for key, pile in (("hand", state.hands[seat]), ("discard", state.discards[seat])):
                for card in set(pile) - box - {UNKNOWN}:
                    _not_in_the_box(card_name(card), (*path, key))
            for a in state.herds[seat]:
                for face in a.faces:
                    if TRAIT_OF_FACE[face] not in traits or CARD_OF_FACE[face] not in box | {UNKNOWN}:
                        _not_in_the_box(face_name(face), (*path, "animals", name_of(a.uid)))
        for i, link in enumerate(state.links.links):
            if link[0] not in traits or CARD_OF_FACE[link[3]] not in box | {UNKNOWN}:
                _not_in_the_box(face_name(link[3]), ("links", i))

    # links

    def _links(self, drafts: Mapping[str, Draft]) -> tuple[Topology, int]:
        links: dict[tuple[int, int, int], Link] = {}
        used = set()
        for i, value in enumerate(sequence(self.data.get("links", ()), ("links",), "links", MOST_TRAITS)):
            path: Path = ("links", i)
            entry = mapping(value, path, "a link")
            if len(entry) != 1:
                fail("a link is one pair trait with its two animals", path, hint="cooperation: [a1, a2]")
            key, ends = next(iter(entry.items()))
            link = self._link(key.rstrip("*").strip(), ends, (*path, key), drafts)
            pair, trait = (link[0], min(link[1:3]), max(link[1:3])), TRAITS[link[0]].id
            if pair in links:
                fail(f"{trait} twice between the same animals", path, rule="development.pair-once-per-pair")
            links[pair] = link
            if key.endswith("*"):
                if not 1 << link[0] & (FOOD_PAIRS | RECOMBINATION):
                    fail(f"{trait} is never used up", (*path, key), hint="only cooperation and communication are")
                used.add(link)
        aside = REMAINS if self.scope.rulings.get("cnidocytes-pairs") == "work" else ASIDE
        topology = Topology(links.values(), (draft.uid for draft in drafts.values() if draft.flags & aside))
        return topology, sum(1 << i for i, link in enumerate(topology.links) if link in used)

    def _link(self, word: str, ends: object, path: Path, drafts: Mapping[str, Draft]) -> Link:
        face = face_code(word, path, self.modules)
        trait = TRAIT_OF_FACE[face]
        if not TRAITS[trait].pair:
            fail(f"{TRAITS[trait].id} is not a pair trait", path, hint="write it among the traits of its animal")
        directed = 1 << trait == SYMBIOSIS
        if directed and isinstance(ends, Mapping):
            check_keys(mapping(ends, path, "symbiosis"), ("symbiont", "protected"), {}, path)
            if len(ends) != 2:
                hint = "{symbiont: a1, protected: a2}"
                fail("symbiosis names the symbiont and the protected animal", path, hint=hint)
            u, v = (self._end(ends[key], (*path, key), drafts) for key in ("symbiont", "protected"))
        else:
            pair = sequence(ends, path, "a pair", 2)
            if len(pair) != 2:
                fail("a pair trait lies between two animals", path, rule="development.pair-two-animals")
            u, v = (self._end(value, (*path, i), drafts) for i, value in enumerate(pair))
        if u == v:
            fail("a pair trait needs two different animals", path, rule="development.pair-two-animals")
        if u >> 8 != v >> 8:
            fail("a pair trait joins animals of one player", path, rule="development.pair-same-owner")
        if not self._moving() and drafts[name_of(u)].loc != drafts[name_of(v)].loc:
            fail("a pair trait joins animals in the same location", path, rule="continents.same-location")
        return (trait, u, v, face) if directed or u < v else (trait, v, u, face)

    def _moving(self) -> bool:
        """Is a migration under way?  Pairs break at its end."""
        pending = self.data.get("pending")
        entries = pending if isinstance(pending, (list, tuple)) else ()
        return any(isinstance(entry, Mapping) and "moving" in entry for entry in entries[:MOST_ANIMALS])

    def _end(self, value: object, path: Path, drafts: Mapping[str, Draft]) -> int:
        name = text(value, path, "an animal").lower()
        if name not in drafts:
            fail(f"no animal {shown(name)} on the table", path, hint=near(name, sorted(drafts)))
        return drafts[name].uid

    # what is pending

    def _with_stack(self, state: State) -> State:
        start = self._word("at", ("running", "start"), 0)
        if start:
            if self.data.get("pending"):
                fail("at the start of a phase nothing is pending", ("pending",))
            return state._replace(stack=begin(state.phase))
        if "pending" in self.data:
            state = state._replace(stack=PendingReader(state, self.scope).read(self.data["pending"]))
        if state.phase == EXTINCTION and not state.stack:
            hint = "at: start, or pending: [{deal: {A: 2}, to: A}]"
            fail("what happens in the extinction phase?", ("at",), hint=hint)
        self._check_births(state)
        for i, frame in enumerate(state.stack):
            last = i == len(state.stack) - 1
            if last or frame[0] in (ATTACK, IGNORE, SCAVENGE):
                part = state._replace(stack=state.stack[: i + 1])
                if not self.game.decision(part).chance and not self.game.moves(part):
                    fail("the pending decision has no answer", ("pending", i))
        return state

    def _check_births(self, state: State) -> None:
        """A fed animal with Viviparous gives birth at once."""
        if state.phase != FEEDING or state.stack or not (state.deck or state.top):
            return
        for seat, herd in enumerate(state.herds):
            for a in herd:
                if a.mask & VIVIPAROUS and not a.used & VIVIPAROUS and is_fed(a):
                    path = ("players", _letter(seat), "animals", name_of(a.uid))
                    fail("a fed animal gives birth at once", path, rule="viviparous.birth", hint="viviparous*")


def _not_in_the_box(name: str, path: Path) -> NoReturn:
    fail(f"{name} is not played in this scenario", path, rule="cataclysm.expansions")


def _letter(seat: int) -> str:
    return chr(65 + seat)
