"""The rulebook: every rule has two languages that agree, and everything that happens can be told and explained."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from evotutor.core.model import Event, Reason, dress
from evotutor.core.text import Text, fields, fill, plural
from evotutor.games import load
from evotutor.games.evolution import moves as m
from evotutor.games.evolution import rulings as engine_rulings
from evotutor.games.evolution.catalog import TRAITS, card_of, trait_of
from evotutor.games.evolution.locations import GONDWANA, LAURASIA, OCEAN
from evotutor.games.evolution.state import FLAGS
from evotutor.games.evolution.wellformed import every_move
from evotutor.rulebook import (
    Names,
    UnknownId,
    cause_text,
    chain,
    event_text,
    explain,
    presets,
    reason_text,
    rule,
    rule_ids,
    rules,
    ruling,
    ruling_ids,
    rulings,
    search,
    text_of,
    word,
    word_keys,
)

ROOT = Path(__file__).parent.parent
NAMES_IN_RUSSIAN = re.compile(r"\{[^{}]*\}|\b(?:[A-H]|[a-h]\d+|R14|Python)\b|\br(?=-Стратеги)")
"""What may stand in Latin letters in a Russian text: placeholders, names of animals and players, tags of sources."""
REASON_PARAMS = {"animal", "target", "partner", "player", "trait", "card", "location", "n", "m"}
CAUSE_PARAMS = {"animal", "target", "partner", "player", "trait", "card", "location", "n"}


def texts() -> list[tuple[str, Text]]:
    found = [(key, text_of(key)) for key in word_keys()]
    for r in rules():
        found += [(f"{r.id} {name}", getattr(r, name)) for name in ("title", "text", "reason") if getattr(r, name)]
        found += [(f"{r.id} cause", r.cause)] if r.cause else []
    for d in rulings():
        found += [(d.id, d.question), *((f"{d.id} {o.id}", o.text) for o in d.options)]
    for p in presets():
        found += [(p.id, p.title), (p.id, p.text)]
    return found


TEXTS = texts()


# the texts


@pytest.mark.parametrize(("where", "text"), TEXTS, ids=[t[0] for t in TEXTS])
def test_both_languages_say_something_and_name_the_same_things(where: str, text: Text) -> None:
    assert text.en.strip()
    assert text.ru.strip()
    assert fields(text.en) == fields(text.ru)


@pytest.mark.parametrize(("where", "text"), TEXTS, ids=[t[0] for t in TEXTS])
def test_russian_is_russian_and_english_is_english(where: str, text: Text) -> None:
    assert not re.findall(r"[A-Za-z]+", NAMES_IN_RUSSIAN.sub("", text.ru))
    assert not re.search(r"[а-яё]", text.en, re.IGNORECASE)


def test_words_that_agree_with_a_number_have_two_english_and_three_russian_forms() -> None:
    for where, text in TEXTS:
        for template, n in ((text.en, 2), (text.ru, 3)):
            for _name, forms in re.findall(r"\{(\w+)\|([^{}]*)\}", template):
                assert forms.count("|") == n - 1, where


@pytest.mark.parametrize(
    ("n", "en", "ru"),
    [(0, "tokens", "фишек"), (1, "token", "фишка"), (2, "tokens", "фишки"), (5, "tokens", "фишек"),
     (11, "tokens", "фишек"), (12, "tokens", "фишек"), (21, "tokens", "фишка"), (22, "tokens", "фишки"),
     (111, "tokens", "фишек")],
)  # fmt: skip
def test_plural_agrees_with_the_number(n: int, en: str, ru: str) -> None:
    assert plural(n, "token", "tokens") == en
    assert plural(n, "фишка", "фишки", "фишек") == ru
    assert fill("{n} {n|фишка|фишки|фишек}", {"n": n}) == f"{n} {ru}"


# rules


@pytest.mark.parametrize("name", rule_ids())
def test_a_rule_is_complete(name: str) -> None:
    r = rule(name)
    assert r.source
    assert all(re.match(r"R14 p\.\d+|S[024]|C12|EW|RUL", s) for s in r.source)
    assert fields(r.text.en) == fields(r.title.en) == frozenset(), "title and text stand without names"
    assert fields(r.reason.en) <= REASON_PARAMS
    assert r.cause is None or fields(r.cause.en) <= CAUSE_PARAMS
    assert not r.trait or r.trait in trait_of
    assert not r.ruling or r.ruling in ruling_ids()


def test_a_rule_named_after_a_trait_belongs_to_it() -> None:
    for r in rules():
        prefix = r.id.partition(".")[0]
        assert r.trait == (prefix if prefix in trait_of else "")


def test_every_rule_that_the_engine_names_is_in_the_rulebook() -> None:
    known = set(rule_ids("evolution"))
    chapters = {name.partition(".")[0] for name in known}
    for path in (ROOT / "evotutor/games/evolution").glob("*.py"):
        for name in re.findall(r'"([a-z-]+\.[a-z-]+)"', path.read_text(encoding="utf-8")):
            if name.partition(".")[0] in chapters:
                assert name in known, path.name


def test_an_unknown_rule_names_the_nearest() -> None:
    with pytest.raises(UnknownId) as failure:
        rule("carnivorous.once-a-turn")
    assert "carnivorous.once-per-turn" in failure.value.near
    assert "did you mean" in str(failure.value)


def test_rules_are_found_by_trait_phase_and_words() -> None:
    assert {r.trait for r in rules(trait="piracy")} == {"piracy"}
    assert {r.phase for r in rules("evolution", phase="development")} == {"development"}
    assert rules("dominant-species") == []
    assert search("симбионт", "ru")[0].trait == "symbiosis"
    assert "communication.needs-bank" in [r.id for r in search("Communication bank")]
    assert search("  ") == []


# disputed points


def test_disputed_points_are_those_of_the_engine() -> None:
    assert {r.id: {o.id for o in r.options} for r in rulings()} == {
        name: set(options) for name, options in engine_rulings.RULINGS.items()
    }
    assert {r.id: r.default for r in rulings()} == {n: o[0] for n, o in engine_rulings.RULINGS.items()}
    assert {p.id: p.options for p in presets()} == engine_rulings.PRESETS


@pytest.mark.parametrize("name", ruling_ids())
def test_a_disputed_point_gives_its_default_sources_and_rules(name: str) -> None:
    point = ruling(name)
    assert point.option(point.default)
    assert point.conflict
    assert all(option.source for option in point.options)
    assert point.rules
    assert set(point.rules) <= set(rule_ids())


def test_a_rule_under_dispute_is_among_the_rules_of_its_ruling() -> None:
    for r in rules():
        assert not r.ruling or r.id in ruling(r.ruling).rules


def test_an_unknown_ruling_names_the_nearest() -> None:
    with pytest.raises(UnknownId, match="mimicry-limit"):
        ruling("mimicry-limits")


# sentences


def test_a_reason_is_a_sentence_with_printed_names() -> None:
    reason = Reason("development.no-duplicate", (("animal", "a1"), ("trait", "high-body-weight"), ("player", "A")))
    assert reason_text(reason) == "Animal a1 has High Body Weight already."
    assert reason_text(reason, "ru") == "У животного a1 уже есть свойство «Большой»."


def test_a_reason_without_its_names_gets_the_text_of_the_rule() -> None:
    assert reason_text(Reason("grazing.needed")) == rule("grazing.needed").text.en


def test_numbers_in_reasons_agree() -> None:
    reason = Reason("fat-tissue.needs-tokens", (("animal", "b2"), ("n", 3), ("m", 1)))
    assert reason_text(reason) == "Animal b2 has 1 yellow token, not 3."
    assert reason_text(reason, "ru") == "У животного b2 1 жёлтая фишка, а нужно 3."


BOXES = [("base",), ("base", "time-to-fly", "gift-box"), ("base", "time-to-fly", "continents", "gift-box")]


@pytest.mark.parametrize("modules", BOXES, ids=len)
def test_the_engine_gives_every_name_that_a_reason_needs(modules: tuple[str, ...]) -> None:
    game, rng = load("evolution", modules=modules), Random(5)
    state = game.new(players=2, seed=5)
    while not game.decision(state).over:
        chance = game.decision(state).chance
        if not chance and rng.random() < 0.08 / len(modules):
            for move in every_move(state):
                for reason in game.why_not(state, move):
                    assert fields(rule(reason.rule).reason.en) <= dict(reason.params).keys(), reason
        state = game.apply(state, game.sample(state, rng) if chance else rng.choice(game.moves(state)))


A1, A2, B1 = 1, 2, 0x101
COURSE = [
    Event("move", "turn.order", -1, (0, (5, A1))),
    Event("transfer", "feeding.take", 0, ("bank", A1, "red", 1, "")),
    Event("transfer", "cooperation.gift", 1, ("stock", A2, "blue", 1, "")),
    Event("transfer", "fat-tissue.store-when-fed", 2, ("stock", ("fat", A2), "yellow", 1, "")),
]


def test_a_chain_of_causes_starts_with_the_decision() -> None:
    assert chain(COURSE, 3) == [0, 1, 2, 3]
    lines = explain(COURSE, 2)
    assert lines[0] == "Player A takes food for animal a1."
    assert lines[-1] == "Animal a2 gets 1 blue token of additional food. Its partner in Cooperation had got a token."
    assert explain(COURSE, 2, "ru")[0] == "Игрок A берёт еду для животного a1."


def test_players_and_animals_can_have_names_of_their_own() -> None:
    names = Names(animals={A1: "Rex"}, players={0: "Anna"})
    assert explain(COURSE, 1, names=names)[0] == "Player Anna takes food for animal Rex."


def test_a_robbed_token_names_pirate_and_victim() -> None:
    event = Event("transfer", "piracy.take", -1, (B1, A1, "red", 1, ""))
    assert event_text(event) == "Animal a1 takes 1 red token from animal b1."
    assert cause_text(event) == "Animal b1 loses it to the pirate a1."


C1 = 0x201
CAMOUFLAGE, SHELL = trait_of["camouflage"].index, card_of["shell"].index


@pytest.mark.parametrize(
    ("event", "en", "ru"),
    [
        (
            Event("locate", "migration.move", -1, (A1, LAURASIA, OCEAN)),
            "Animal a1 moves from Laurasia to the Ocean.",
            "Животное a1 перемещается из локации Лавразия в локацию Океан.",
        ),
        (
            Event("off", "neoplasm.swap", -1, (A1, CAMOUFLAGE)),
            "The trait Camouflage of animal a1 is switched off.",
            "У животного a1 перестаёт действовать свойство «Камуфляж».",
        ),
        (
            Event("on", "tail-loss.any-trait", -1, (A1, CAMOUFLAGE)),
            "The trait Camouflage of animal a1 works again.",
            "У животного a1 снова действует свойство «Камуфляж».",
        ),
        (
            Event("void", "intellect.void", -1, (A1, B1, CAMOUFLAGE)),
            "Hunter a1 ignores Camouflage of animal b1.",
            "Хищник a1 игнорирует свойство «Камуфляж» животного b1.",
        ),
        (
            Event("reveal", "anglerfish.swap", -1, (B1,)),
            "Animal b1 turns out to be an Anglerfish.",
            "Животное b1 оказывается удильщиком.",
        ),
        (
            Event("transfer", "feeding.take", -1, (("bank", GONDWANA), A1, "red", 1, "")),
            "Animal a1 gets 1 red token from the food bank of Gondwana.",
            "Животное a1 получает 1 красную фишку из кормовой базы локации Гондвана.",
        ),
        (
            Event("transfer", "continents.ocean-food", -1, ("box", ("bank", OCEAN), "red", 5, "")),
            "The food bank of the Ocean gets 5 red tokens.",
            "В кормовую базу локации Океан кладут 5 красных фишек.",
        ),
        (
            Event("card", "shell.to-table", -1, (SHELL, ("animal", A1), ("table",))),
            "The card “Shell” of animal a1 is put in the middle of the table.",
            "Карту «Раковина» животного a1 кладут в центр стола.",
        ),
        (
            Event("card", "shell.settle", -1, (SHELL, ("table",), ("animal", A1))),
            "Animal a1 gets the card “Shell” from the middle of the table.",
            "Животное a1 получает карту «Раковина» из центра стола.",
        ),
        (
            Event("card", "recombination.one-each", -1, (SHELL, ("animal", A1), ("animal", A2))),
            "The card “Shell” goes from animal a1 to animal a2.",
            "Карта «Раковина» переходит к животному a2 от животного a1.",
        ),
        (
            Event("card", "regeneration.restore", -1, (SHELL, ("hand", 0), ("animal", A1))),
            "Player A puts a card down as the new body of animal a1.",
            "Игрок A кладёт карту как новое тело животного a1.",
        ),
        (
            Event("card", "continents.found", -1, (SHELL, ("hand", 0), ("animal", A1))),
            "Player A puts a card on the table as an animal.",
            "Игрок A выкладывает карту как животное.",
        ),
    ],
)
def test_events_of_the_modules_in_sentences(event: Event, en: str, ru: str) -> None:
    assert event_text(event) == en
    assert event_text(event, "ru") == ru


def test_an_attack_from_ambush_says_where_it_comes_from() -> None:
    event = Event("attack", "ambush.on-red", -1, (C1, A1))
    assert explain([event], 0) == [
        "Hunter c1 attacks a1. The prey was taking a red token from the food bank, and the hunter lay in ambush there."
    ]


EXAMPLES: dict[int, tuple[int, ...]] = {
    m.PLAY_ANIMAL: (SHELL, GONDWANA), m.PLAY_TRAIT: (SHELL, 0), m.ON: (A1,), m.AND: (A2,), m.TARGET: (B1,),
    m.VICTIM: (B1,), m.CONVERT: (A1, 2), m.MIMIC: (A1, A2), m.DROP: (A1, 0), m.TRIGGER: (CAMOUFLAGE, A1, A2, A2),
    m.ROLL: (3, 4), m.DRAW: (SHELL,), m.IGNORE: (CAMOUFLAGE,), m.METAMORPHOSE: (A1, 0), m.MIGRATE: (A1, OCEAN),
    m.FOLLOW: (A1, B1), m.LAND: (A1, LAURASIA), m.FETCH: (A1, 1), m.RECOMBINE: (A1, 0), m.SPLIT: (A2, 0),
    m.RESTORE: (A1, SHELL), m.PASS: (), m.END: (), m.DECLINE: (), m.DONE: (), m.BEGIN_STEP: (),
}  # fmt: skip
VERBS = {name: value for name, value in vars(m).items() if name.isupper() and isinstance(value, int)}


@pytest.mark.parametrize("verb", VERBS)
def test_every_decision_can_be_told(verb: str) -> None:
    number = VERBS[verb]
    move = Event("move", "turn.order", -1, (0, (number, *EXAMPLES.get(number, (A1,)))))
    for lang in ("en", "ru"):
        assert event_text(move, lang) != word("did.other", lang)


def test_nothing_ignored_and_no_location_are_told_too() -> None:
    told = [event_text(Event("move", "turn.order", -1, (0, move))) for move in ((m.IGNORE, -1), (m.PLAY_ANIMAL, SHELL))]
    assert told == ["Player A ignores no trait for now.", "Player A plays a card as an animal."]


def test_conditions_locations_and_traits_have_words() -> None:
    for flag in FLAGS:
        for value in (0, 1):
            told = event_text(Event("state", "turn.order", -1, (A1, flag, value)))
            assert told != word("begins.other", animal="a1")
        assert word(f"condition.{flag}")
    assert {trait.kind for trait in TRAITS} <= {key.partition(".")[2] for key in word_keys() if key.startswith("kind.")}


def test_a_reason_names_the_location_in_words() -> None:
    reason = Reason("migration.routes", (("animal", "a1"), ("location", "ocean")))
    assert reason_text(reason) == "There is no way that animal a1 could take to the Ocean."
    assert reason_text(reason, "ru") == "У животного a1 нет пути в локацию Океан."


@pytest.mark.parametrize("modules", BOXES, ids=len)
@pytest.mark.parametrize("seed", range(3))
def test_everything_in_a_game_can_be_asked_why(seed: int, modules: tuple[str, ...]) -> None:
    game, rng = load("evolution", modules=modules), Random(seed)
    state, raw = game.new(players=3, seed=seed), []
    while not game.decision(state).over:
        chance = game.decision(state).chance
        state = game.apply(state, game.sample(state, rng) if chance else rng.choice(game.moves(state)), raw)
    events = [dress(e) for e in raw]
    others = {text.to(lang) for key in word_keys() if key.endswith(".other") for lang in ("en", "ru")
              for text in [text_of(key)] if not fields(text.en)}  # fmt: skip
    for lang in ("en", "ru"):
        for i in range(len(events)):
            lines = explain(events, i, lang)
            assert lines
            assert not any("{" in line for line in lines)
            assert not others & set(lines), events[i]


def test_an_unknown_word_names_the_nearest() -> None:
    with pytest.raises(UnknownId, match=r"phase\.feeding"):
        word("phase.feding")


def test_every_decision_has_a_question() -> None:
    for kind in ("development", "place", "partner", "own-feeding-phase", "target", "victim", "reaction", "pair-order",
                 "scavenger", "roll-food", "roll-running", "draw", "begin", "over", "ambush", "ignore", "migrate",
                 "follow", "land", "fetch", "swap", "restore", "found"):  # fmt: skip
        assert word(f"question.{kind}", "ru", player="A")
