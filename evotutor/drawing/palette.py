"""The colours of the pictures, light and dark, and the short texts in them."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

Theme = Literal["light", "dark"]
Lang = Literal["en", "ru"]


class Palette(NamedTuple):
    """Colours by role; every text colour has a contrast of at least 4.5 on `page`, every shape at least 3."""

    page: str
    lane: str
    card: str
    text: str
    muted: str
    line: str
    accent: str
    focus: str
    hunting: str
    defence: str
    feeding: str
    burden: str
    pair: str
    red: str
    blue: str
    yellow: str
    sea: str

    def __call__(self, role: str) -> str:
        """The colour of a role; an unknown role is drawn muted."""
        return str(getattr(self, role, self.muted))


PALETTES: Final[dict[str, Palette]] = {
    "light": Palette(
        "#FAF7F0", "#F1ECDF", "#FFFDF8", "#22292F", "#5C6670", "#D9D2C3", "#B4531A", "#1F5FBF",
        "#B3261E", "#2E6B3F", "#1F5FA8", "#6B4E9B", "#8A5A00", "#C62828", "#1565C0", "#E0A100", "#E3EDF0",
    ),
    "dark": Palette(
        "#15191D", "#1A1F24", "#232A31", "#ECEFF1", "#A7B0B8", "#39424B", "#F0A36B", "#8AB8FF",
        "#FF8A80", "#8FD3A0", "#90C2FF", "#C9B1F2", "#F0C36B", "#FF6B62", "#6FB1FF", "#FFD54A", "#17242E",
    ),
}  # fmt: skip


def palette(theme: str) -> Palette:
    """The palette of a theme; ValueError for anything but "light" and "dark"."""
    if theme not in PALETTES:
        raise ValueError(f"no theme {theme!r}; themes: {', '.join(PALETTES)}")
    return PALETTES[theme]


TEXTS: Final[dict[str, tuple[str, str]]] = {
    "title": ("Food flow", "Куда пошла еда"),
    "links-title": ("Pair traits", "Парные свойства"),
    "nothing": ("No food has moved.", "Еда ещё не двигалась."),
    "no-links": ("No pair traits on the table.", "Парных свойств на столе нет."),
    "bank": ("bank", "кормовая база"),
    "bank-laurasia": ("bank of Laurasia", "база Лавразии"),
    "bank-gondwana": ("bank of Gondwana", "база Гондваны"),
    "bank-ocean": ("bank of the Ocean", "база Океана"),
    "stock": ("stock", "запас"),
    "box": ("box", "коробка"),
    "before": ("already there", "уже лежало"),
    "fat-of": ("fat of {}", "жир {}"),
    "survivors": ("survivors", "выжившие"),
    "the-dead": ("the dead", "погибшие"),
    "grazed": ("trampled", "вытоптано"),
    "wasted": ("wasted", "пропало"),
    "lost": ("lost with the dead", "погибло с животными"),
    "leftover": ("left over", "остаток базы"),
    "cleared": ("cleared at the end", "убрано в конце хода"),
    "hungry": ("hungry", "голодное"),
    "fed": ("fed", "накормлено"),
    "dead": ("dead", "погибло"),
    "fat": ("fat {}", "жир {}"),
    "red": ("red", "красная"),
    "blue": ("blue", "синяя"),
    "yellow": ("yellow", "жёлтая"),
    "sum-red": ("red {}", "красных {}"),
    "sum-blue": ("blue {}", "синих {}"),
    "sum-hungry": ("hungry {}", "голодны: {}"),
    "sum-none-hungry": ("nobody is hungry", "все накормлены"),
    "sum-wasted": ("wasted {}", "пропало {}"),
    "sum-grazed": ("trampled {}", "вытоптано {}"),
    "sum-lost": ("lost {}", "погибло с животными {}"),
    "sum-leftover": ("left over {}", "остаток базы {}"),
    "sum-cleared": ("cleared {}", "убрано {}"),
    "sum-bank": ("in the bank {}", "в базе {}"),
    "by-feeding": ("Taken", "Взято"),
    "by-food": ("Food roll", "Бросок кубиков"),
    "by-continents": ("Food roll", "Бросок кубиков"),
    "by-cataclysm": ("Food roll", "Бросок кубиков"),
    "by-extinction": ("Extinction", "Вымирание"),
    "by-leftover": ("End of feeding", "Конец питания"),
    "by-": ("Start", "Начало"),
    "col-from": ("From", "Откуда"),
    "col-to": ("To", "Куда"),
    "col-colour": ("Colour", "Цвет"),
    "col-n": ("Tokens", "Фишек"),
    "col-by": ("By", "Благодаря"),
    "col-round": ("Round", "Круг"),
    "eats-first": ("eats first", "ест первым"),
    "safe": ("safe", "под защитой"),
    "spent": ("used in this round", "сработало в этом круге"),
    "ready": ("ready", "ещё не сработало"),
    "protects": ("{}: {} eats first, {} is safe", "{}: {} ест первым, {} под защитой"),
    "spent-turn": ("used in this turn", "уже использовано в этом ходу"),
    "ready-turn": ("not used yet in this turn", "ещё не использовано в этом ходу"),
    "each-needs": ("each needs {} more", "каждому нужно на {} больше"),
    "off-by": ("off because of {}", "не действует из-за {}"),
    "remains": ("remains", "останки"),
    "traits-off": ("off under Neoplasm: {}", "под Неоплазией не действует: {}"),
    "more-traits": ("{} more", "и ещё {}"),
    "traits": ("traits: {}", "свойств: {}"),
    "continents-title": ("Continents", "Континенты"),
    "from-laurasia": ("came from Laurasia", "пришло из Лавразии"),
    "from-gondwana": ("came from Gondwana", "пришло из Гондваны"),
    "from-ocean": ("came from the Ocean", "пришло из Океана"),
    "to-laurasia": ("goes to Laurasia", "идёт в Лавразию"),
    "to-gondwana": ("goes to Gondwana", "идёт в Гондвану"),
    "to-ocean": ("goes to the Ocean", "идёт в Океан"),
    "bank-of": ("bank: {}", "кормовая база: {}"),
    "animals": ("animals: {}", "животных: {}"),
    "nobody": ("no animals here", "животных здесь нет"),
    "acts-here": ("player {} acts here", "здесь ходит игрок {}"),
    "way-walk": ("land animals", "сухопутные животные"),
    "way-swim": ("swimmers", "водоплавающие"),
    "way-fly": ("light flyers", "лёгкие летающие"),
    "skip-ocean": (
        "light flyers that swim skip the Ocean here",
        "лёгкие летающие, которые плавают, минуют здесь Океан",
    ),
    "who-crosses": (
        "The lines show who may cross: an animal with Migration, or a light flyer (Flight, one or two traits in all). "
        "Suckerfish may follow.",
        "Линии показывают, кто может перейти: животное со свойством «Миграции» или лёгкое летающее («Полёт», "
        "всего одно-два свойства). «Прилипала» может следовать за ними.",
    ),
}


def text(key: str, lang: str, *args: object) -> str:
    """A short text of the pictures in English or Russian."""
    if lang not in ("en", "ru"):
        raise ValueError(f"no language {lang!r}; languages: en, ru")
    return TEXTS[key][lang == "ru"].format(*args)


def name_of_cause(by: str, lang: str) -> str:
    """What moved the food, as printed: a trait's name, or the word for taking, rolling, extinction."""
    from evotutor.games.evolution.catalog import trait_of

    if by in trait_of:
        trait = trait_of[by]
        return trait.ru if lang == "ru" else trait.en
    return text(f"by-{by}", lang) if f"by-{by}" in TEXTS else by
