"""Pictures: both languages, both themes, with and without matplotlib."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from itertools import pairwise
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from evotutor.analysis.playout import playout
from evotutor.drawing import (
    continents_figure,
    continents_svg,
    continents_text,
    flow_figure,
    flow_svg,
    flow_table,
    has_locations,
    links_figure,
    links_svg,
    links_text,
    sum_line,
)
from evotutor.drawing.continents import continents_graph, continents_scene
from evotutor.drawing.flow import flow_scene
from evotutor.drawing.flow_layout import layout
from evotutor.drawing.links import links_graph, links_scene
from evotutor.drawing.palette import PALETTES, TEXTS, palette
from evotutor.drawing.scene import Arc, Box, Label, Line, width_of
from evotutor.games import load
from evotutor.games.evolution.catalog import TRAITS, UNKNOWN, bit, face_of_trait, trait_of
from evotutor.games.evolution.dense import dense_table
from evotutor.games.evolution.locations import GONDWANA, LAURASIA, LOCATIONS, OCEAN
from evotutor.games.evolution.state import (
    FEEDING,
    PARALYSED,
    PLACED,
    REMAINS,
    SYMBIOSIS,
    TOOK,
    Animal,
    State,
    Topology,
    derive,
    is_fed,
    name_of,
)
from evotutor.games.evolution.tokens import food_flow

BOTH = pytest.mark.parametrize("lang", ["en", "ru"])
THEMES = pytest.mark.parametrize("theme", ["light", "dark"])


def example(seed: int = 3, plies: int = 40) -> tuple[Any, Any]:
    """A crowded table played on, and its food flow."""
    game = load("evolution")
    start = state = dense_table(Random(seed))
    events: list[Any] = []
    for _, step in zip(range(plies), playout(game, start, Random(seed)), strict=False):
        state = game.apply(step.state, step.move, events)
    return food_flow(start, events, state, 1), state


@BOTH
@THEMES
def test_flow_svg_is_well_formed_and_says_what_the_table_says(lang: str, theme: str) -> None:
    graph, _ = example()
    root = ElementTree.fromstring(flow_svg(graph, lang, theme))
    assert root.attrib["role"] == "img"
    assert root.find("{*}desc").text == sum_line(graph, lang)  # type: ignore[union-attr]
    texts = " ".join(node.text or "" for node in root.iter("{http://www.w3.org/2000/svg}text"))
    for data in graph.nodes.values():
        if "have" in data:
            assert f"{data['name']} {data['have']}/{data['need']}" in texts
    assert PALETTES[theme].page in flow_svg(graph, lang, theme)


@BOTH
@THEMES
def test_flow_figure_draws(lang: str, theme: str) -> None:
    pytest.importorskip("matplotlib")
    graph, state = example()
    for picture in (flow_figure(graph, lang, theme), links_figure(state, lang, theme)):
        assert picture._repr_png_().startswith(b"\x89PNG")
        assert picture.alt


@BOTH
def test_flow_table_has_a_row_for_each_move(lang: str) -> None:
    graph, _ = example()
    table = flow_table(graph, lang)
    root = ElementTree.fromstring(table.html)
    assert len(root.findall("./tbody/tr")) == len(str(table).splitlines()) - 3
    assert str(table).splitlines()[-1] == sum_line(graph, lang)


def test_an_empty_flow_says_so() -> None:
    graph = food_flow(load("evolution").new(2, 1), [])
    assert "No food has moved" in flow_svg(graph)
    assert "Еда ещё не двигалась" in flow_svg(graph, "ru")


@pytest.mark.parametrize("seed", range(10))
def test_boxes_of_a_column_do_not_overlap_and_ribbons_stay_inside_them(seed: int) -> None:
    graph, _ = example(seed)
    plan = layout(graph)
    for column in plan.columns:
        ordered = sorted(column, key=lambda s: s.top)
        for upper, lower in pairwise(ordered):
            assert upper.top + upper.height <= lower.top + 1e-6
    for ribbon in plan.ribbons:
        assert ribbon.start.top - 1 <= ribbon.y0 <= ribbon.start.top + ribbon.start.height + 1
        assert ribbon.end.top - 1 <= ribbon.y1 <= ribbon.end.top + ribbon.end.height + 1


def test_hungry_animals_are_framed_in_the_hunting_colour_and_named() -> None:
    graph, _ = example()
    scene = flow_scene(graph, "en", "light")
    hungry = [data["name"] for data in graph.nodes.values() if data.get("hungry")]
    words = [shape for shape in scene.shapes if isinstance(shape, Label) and shape.text == "hungry"]
    assert hungry
    assert len(words) == len(hungry)
    assert {word.colour for word in words} == {PALETTES["light"].hunting}


@BOTH
def test_links_are_drawn_named_and_tell_their_direction(lang: str) -> None:
    _, state = example()
    svg = links_svg(state, lang)
    ElementTree.fromstring(svg)
    graph = links_graph(state)
    assert graph.number_of_edges() == len(state.links.links)
    assert len(links_text(state, lang).splitlines()) == len(state.links.links)
    for _, _, data in graph.edges(data=True):
        assert data["directed"] == (data["trait"] == "symbiosis")


def test_the_arrow_points_at_the_animal_that_symbiosis_protects() -> None:
    _, state = example()
    scene = links_scene(state, "en", "light")
    arrows = {shape.title for shape in scene.shapes if isinstance(shape, Arc) and shape.arrow}
    expected = {
        f"Symbiosis: {name_of(u)} eats first, {name_of(v)} is safe"
        for trait, u, v, _ in state.links.links
        if 1 << trait == SYMBIOSIS
    }
    assert arrows == expected
    assert arrows


def test_every_text_is_in_both_languages() -> None:
    for key, (en, ru) in TEXTS.items():
        assert en, key
        assert ru, key
        assert en.count("{}") == ru.count("{}"), key


def test_colours_have_contrast() -> None:
    for theme in ("light", "dark"):
        colours = palette(theme)
        for role in ("text", "muted", "accent", "focus", "hunting", "defence", "feeding", "burden", "pair"):
            assert contrast(colours(role), colours.page) >= 4.5, (theme, role)
            assert contrast(colours(role), colours.card) >= 4.5, (theme, role)
        for role in ("text", "muted"):
            assert contrast(colours(role), colours.sea) >= 4.5, (theme, role)


def contrast(one: str, other: str) -> float:
    """The WCAG contrast of two colours."""

    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_svg_needs_no_matplotlib() -> None:
    code = (
        "import sys; sys.modules['matplotlib'] = None; sys.modules['numpy'] = None\n"
        "from evotutor.drawing import continents_svg, flow_svg, links_svg\n"
        "from evotutor.games import load\n"
        "from evotutor.games.evolution.tokens import food_flow\n"
        "s = load('evolution').new(2, 1); print(len(flow_svg(food_flow(s, []))) + len(links_svg(s)))\n"
        "print(len(continents_svg(s._replace(bank=(1, 2, 3)))))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("lang", "theme"), [("de", "light"), ("en", "pink")])
def test_unknown_languages_and_themes_are_refused(lang: str, theme: str) -> None:
    graph, _ = example(plies=2)
    with pytest.raises(ValueError, match=r"no (language|theme)"):
        flow_svg(graph, lang, theme)
    with pytest.raises(ValueError, match=r"no (language|theme)"):
        continents_svg(islands(), lang=lang, theme=theme)


# Continents


def uid_of(name: str) -> int:
    """The number of an animal: a1 is 1, b2 is 258."""
    return ord(name[0]) - 97 << 8 | int(name[1:])


def placed(
    herds: Sequence[Sequence[dict[str, Any]]], links: Iterable[tuple[str, ...]] = (), off: str = "", spent: str = ""
) -> State:
    """A table with locations, made by hand; an animal is {traits, loc, red, flags, used}."""
    numbers = ((trait_of[trait].index, uid_of(u), uid_of(v)) for trait, u, v in links)
    topology = Topology([(t, u, v, face_of_trait(t)) for t, u, v in numbers], [uid_of(name) for name in off.split()])

    def animal(uid: int, traits: str = "", loc: int = 0, red: int = 0, flags: int = 0, used: str = "") -> Animal:
        faces = bytes(face_of_trait(trait_of[trait].index) for trait in traits.split())
        mask, need, fatcards = derive(uid, faces, topology, flags, loc)
        spent = sum(bit[trait] for trait in used.split())
        return Animal(uid, UNKNOWN, faces, mask, need, min(red, need), 0, 0, fatcards, spent, flags, loc, ())

    seats = len(herds)
    return State(
        FEEDING, 3, 1, 0, 1, TOOK | 1 + GONDWANA << PLACED, 0, 0, (5, 14, 3), b"", b"", (b"",) * seats, (b"",) * seats,
        tuple(tuple(animal(s << 8 | i + 1, **a) for i, a in enumerate(herd)) for s, herd in enumerate(herds)),
        tuple(len(herd) + 1 for herd in herds), topology,
        sum(1 << i for i, link in enumerate(topology.links) if TRAITS[link[0]].id in spent.split()), (), (),
    )  # fmt: skip


def islands() -> State:
    """Three players with animals everywhere: used and idle pairs, Neoplasm, a paralysed animal, remains."""
    a: list[dict[str, Any]] = [
        {"traits": "carnivorous migration", "red": 1},
        {"traits": "high-body-weight fat-tissue fat-tissue", "red": 2},
        {"traits": "swimming suckerfish", "loc": OCEAN},
        {"traits": "flight", "loc": GONDWANA, "red": 1},
    ]
    b: list[dict[str, Any]] = [
        {"traits": "herding"},
        {"traits": "swimming cnidocytes", "loc": OCEAN, "red": 1},
        {"traits": "swimming carnivorous", "loc": OCEAN, "used": "carnivorous"},
        {"traits": "regeneration camouflage", "loc": GONDWANA, "flags": REMAINS},
        {"traits": "parasite neoplasm running", "loc": GONDWANA, "red": 1},
    ]
    c: list[dict[str, Any]] = [
        {"traits": "carnivorous", "loc": GONDWANA, "flags": PARALYSED},
        {"traits": "burrowing", "loc": GONDWANA},
        {},
    ]
    links = [
        ("cooperation", "a1", "a2"),
        ("symbiosis", "b3", "b2"),
        ("recombination", "b2", "b3"),
        ("trematode", "c1", "c2"),
    ]
    return placed([a, b, c], links, off="c1", spent="cooperation")


def archipelago(seed: int, each: int = 11, seats: int = 8) -> State:
    """About as many animals as eight players ever have, thirty in each location."""
    rng = Random(seed)
    own = [t.id for t in TRAITS if not t.pair and t.id != "anglerfish"]
    herds = [
        [
            {"traits": " ".join(rng.sample(own, rng.choice((0, 1, 2, 3, 7)))), "loc": i % 3, "red": rng.randrange(4)}
            for i in range(each)
        ]
        for _ in range(seats)
    ]
    links = []
    for seat in range(seats):
        for loc in range(3):
            here = [f"{chr(97 + seat)}{i + 1}" for i in range(each) if i % 3 == loc]
            kinds = ("cooperation", "symbiosis", "trematode", "recombination") if len(here) > 1 else ()
            links += [(kind, *sorted(rng.sample(here, 2), key=uid_of)) for kind in kinds if rng.random() < 0.4]
    return placed(herds, links, spent="cooperation")


STEPS = [
    ("attack", "carnivorous.attack", -1, 1, 2),
    ("locate", "migration.move", -1, uid_of("a4"), LAURASIA, GONDWANA),
    ("locate", "suckerfish.follow", -1, uid_of("a3"), "laurasia", "ocean"),
    ("locate", "continents.lose-swimming-lands", -1, uid_of("c1"), OCEAN, GONDWANA),
]


def words_of(svg: str) -> list[str]:
    return [node.text or "" for node in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


@BOTH
@THEMES
@pytest.mark.parametrize("width", [700, 1280])
def test_continents_show_every_animal_every_bank_and_the_crossings(lang: str, theme: str, width: int) -> None:
    state = islands()
    svg = continents_svg(state, lang=lang, theme=theme, width=width)
    root = ElementTree.fromstring(svg)
    assert root.attrib["role"] == "img"
    assert root.find("{*}desc").text == continents_text(state, lang)  # type: ignore[union-attr]
    words = words_of(svg)
    animals = [animal for herd in state.herds for animal in herd]
    assert sorted(word for word in words if word[:1] in "abc" and word[1:].isdigit()) == sorted(
        name_of(animal.uid) for animal in animals
    )
    standing = [animal for animal in animals if not animal.flags & REMAINS]
    assert words.count("fed" if lang == "en" else "накормлено") == sum(map(is_fed, standing))
    assert words.count("hungry" if lang == "en" else "голодное") == sum(not is_fed(animal) for animal in standing)
    assert words.count("remains" if lang == "en" else "останки") == 1
    assert words.count("swimmers" if lang == "en" else "водоплавающие") == 2
    for n in state.bank:
        assert f"{'bank' if lang == 'en' else 'кормовая база'}: {n}" in words
    assert ("player B acts here" if lang == "en" else "здесь ходит игрок B") in words


@pytest.mark.slow
@BOTH
@THEMES
def test_continents_figure_draws(lang: str, theme: str) -> None:
    pytest.importorskip("matplotlib")
    picture = continents_figure(islands(), lang=lang, theme=theme, moves=STEPS)
    assert picture._repr_png_().startswith(b"\x89PNG")
    assert continents_text(islands(), lang, STEPS) in picture.alt


def test_the_graph_of_the_picture_is_the_graph_of_the_rules() -> None:
    graph = continents_graph(islands(), STEPS)
    assert set(graph) == set(LOCATIONS)
    assert graph.edges["laurasia", "gondwana"]["ways"] == {"walk", "fly"}
    assert graph.edges["ocean", "gondwana"]["ways"] == {"swim"}
    assert [len(graph.nodes[name]["animals"]) for name in LOCATIONS] == [4, 5, 3]
    assert sum(len(data["moves"]) for _, _, data in graph.edges(data=True)) == 3


def boxes(scene: Any, state: State) -> tuple[list[Box], list[Box]]:
    """The areas and the cards of a picture."""
    names = tuple(f"{name_of(animal.uid)}: " for herd in state.herds for animal in herd)
    found = [shape for shape in scene.shapes if isinstance(shape, Box)]
    cards = [box for box in found if box.title.startswith(names)]
    return [box for box in found if box.title in ("Laurasia", "Gondwana", "Ocean")], cards


def apart(a: Box, b: Box) -> bool:
    return a.x + a.w <= b.x or b.x + b.w <= a.x or a.y + a.h <= b.y or b.y + b.h <= a.y


@pytest.mark.slow
@pytest.mark.parametrize("width", [640, 700, 960, 1280])
@pytest.mark.parametrize("seed", range(4))
def test_many_animals_stay_in_their_areas_and_apart(width: int, seed: int) -> None:
    state = archipelago(seed, each=(3, 6, 11, 11)[seed], seats=(3, 4, 8, 8)[seed])
    scene = continents_scene(state, "en", "light", (), width)
    areas, cards = boxes(scene, state)
    assert len(areas) == 3
    assert len(cards) == sum(map(len, state.herds))
    assert all(apart(a, b) for i, a in enumerate(cards) for b in cards[:i])
    assert all(apart(a, b) for i, a in enumerate(areas) for b in areas[:i])
    for card in cards:
        assert (
            sum(
                a.x <= card.x and card.x + card.w <= a.x + a.w and a.y <= card.y and card.y + card.h <= a.y + a.h
                for a in areas
            )
            == 1
        )
    for shape in scene.shapes:
        if isinstance(shape, Label) and shape.anchor == "start":
            assert shape.x + 0.95 * width_of(shape.text, shape.size, shape.bold) <= scene.width, shape.text


@pytest.mark.slow
@BOTH
def test_pairs_are_drawn_or_named_at_both_ends(lang: str) -> None:
    state = archipelago(2)
    pairs = links_graph(state)
    told = dict(zip(pairs.edges, links_text(state, lang).splitlines(), strict=True))
    for width in (640, 1280):
        scene = continents_scene(state, lang, "light", (), width)
        drawn = {shape.title for shape in scene.shapes if isinstance(shape, (Arc, Line))}
        words = "\n".join(shape.text.replace("\u00a0", " ") for shape in scene.shapes if isinstance(shape, Label))
        missing = [edge for edge, line in told.items() if line not in drawn]
        assert len(missing) < len(told)
        for edge in missing:
            assert all(re.search(rf"[–→←] {name_of(uid)}\b", words) for uid in edge[:2]), told[edge]


@BOTH
def test_steps_are_arrows_with_names_and_say_where_from(lang: str) -> None:
    scene = continents_scene(islands(), lang, "light", STEPS, 960)
    arrows = [shape.title for shape in scene.shapes if isinstance(shape, Line) and shape.heads == 1 and shape.width > 2]
    assert sorted(arrows) == ["a3", "a4", "c1"]
    words = " ".join(shape.text for shape in scene.shapes if isinstance(shape, Label))
    assert ("came from Laurasia (Migration)" if lang == "en" else "пришло из Лавразии (Миграции)") in words
    assert ("a3: Laurasia → Ocean (Suckerfish)" if lang == "en" else "a3: Лавразия → Океан (Прилипала)") in scene.words


def test_a_table_without_locations_is_refused() -> None:
    state = load("evolution").new(2, 1)
    assert not has_locations(state)
    with pytest.raises(ValueError, match="no locations"):
        continents_svg(state)


@BOTH
def test_links_tell_the_need_of_trematode_used_recombination_and_what_is_off(lang: str) -> None:
    en = lang == "en"
    herd: list[dict[str, Any]] = [{}, {}, {"flags": PARALYSED}, {"traits": "regeneration", "flags": REMAINS}, {}]
    links = [
        ("trematode", "a1", "a2"),
        ("recombination", "a1", "a2"),
        ("cooperation", "a2", "a3"),
        ("symbiosis", "a4", "a5"),
    ]
    state = placed([herd], links, off="a3 a4")
    words = words_of(links_svg(state, lang))
    assert ("Trematode +1" if en else "Трематода +1") in words
    assert ("Cooperation · off" if en else "Сотрудничество · не действует") in words
    assert ("Symbiosis · off" if en else "Симбиоз · не действует") in words
    assert ("paralysed" if en else "парализовано") in words
    assert ("remains" if en else "останки") in words
    told = links_text(state, lang)
    assert ("Trematode: a1 – a2, each needs 1 more" if en else "Трематода: a1 – a2, каждому нужно на 1 больше") in told
    assert ("Symbiosis: a4 – a5, off because of a4" if en else "Симбиоз: a4 – a5, не действует из-за a4") in told
    assert ("not used yet in this turn" if en else "ещё не использовано в этом ходу") in told
    used = placed([herd], links, off="a3 a4", spent="recombination")
    assert ("Recombination ↻" if en else "Рекомбинация ↻") in words_of(links_svg(used, lang))
    scene = links_scene(state, lang, "light")
    dashed = {shape.title.partition(":")[0] for shape in scene.shapes if isinstance(shape, Arc) and shape.dashed}
    assert dashed == ({"Cooperation", "Symbiosis"} if en else {"Сотрудничество", "Симбиоз"})


def test_a_crowd_of_links_stays_as_wide_as_a_page() -> None:
    state = placed([[{} for _ in range(20)]], [("cooperation", "a1", "a7"), ("symbiosis", "a7", "a12")])
    scene = links_scene(state, "ru", "light")
    assert scene.width <= 850
    assert sum(isinstance(shape, Arc) for shape in scene.shapes) == 2


@BOTH
def test_food_flows_from_the_bank_of_each_location(lang: str) -> None:
    before = islands()
    fed = before.herds[0][2]._replace(red=1)
    after = before._replace(bank=(5, 14, 2), herds=((*before.herds[0][:2], fed, before.herds[0][3]), *before.herds[1:]))
    event = ("transfer", "feeding.take", -1, ("bank", OCEAN), fed.uid, "red", 1)
    graph = food_flow(before, [event], after, 1)
    words = words_of(flow_svg(graph, lang))
    assert ("bank of the Ocean 1" if lang == "en" else "база Океана 1") in words
    assert ("in the bank 21" if lang == "en" else "в базе 21") in sum_line(graph, lang)
    assert ("bank of the Ocean" if lang == "en" else "база Океана") in str(flow_table(graph, lang))
