"""The texts of board and panel that are not words of the rulebook, in English and Russian.

Templates as in `evotutor.core.text`.  In Russian a name follows a noun or a colon, so that it needs no case.
"""

from __future__ import annotations

import os
from typing import Final
from urllib.parse import parse_qs

from evotutor.core.text import LANGUAGES, Text, fill

BOARD: Final[dict[str, Text]] = {
    "board": Text("The table", "Стол"),
    "hand": Text("Your hand", "Карты на руке"),
    "no-animals": Text("No animals yet.", "Животных пока нет."),
    "can-do": Text("What {x} can do", "Что может {x}"),
    "nothing": Text("Nothing to decide here now.", "Сейчас здесь нечего решать."),
    "why-not": Text("why not?", "почему?"),
    "impossible": Text("not possible", "нельзя"),
    "target": Text("can be chosen as a target", "можно выбрать целью"),
    "confirm": Text("Press Enter to do it.", "Нажмите Enter, чтобы сделать это."),
    "asleep": Text(
        "No answer from Python: the session is asleep. Run the cell again.",
        "Python не отвечает: сеанс уснул. Запустите ячейку ещё раз.",
    ),
}
"""What board.js looks up; {x} is filled in the browser."""

TEXTS: Final[dict[str, Text]] = {
    # heads of the lanes and the bank
    "you": Text("{name} (you)", "{name} (вы)"),
    "hand-count": Text("hand {n}", "на руке {n}"),
    "discard-count": Text("discard {n}", "снос {n}"),
    "points": Text("{n} {n|point|points} on the table", "{n} {n|очко|очка|очков} на столе"),
    "deck": Text("deck {n}", "колода {n}"),
    "last-turn": Text("deck empty: last turn", "колода пуста: последний ход"),
    "hand-of": Text("Hand of {name}", "Рука: {name}"),
    "bank": Text("Food bank", "Кормовая база"),
    "bank-left": Text("{n} {n|token|tokens}", "{n} {n|фишка|фишки|фишек}"),
    "bank-empty": Text("empty", "пусто"),
    "bank-label": Text(
        "Food bank: {n} red {n|token|tokens}", "Кормовая база: {n} {n|красная фишка|красные фишки|красных фишек}"
    ),
    "stock": Text("additional food", "дополнительная еда"),
    "clock": Text(
        "Turn {turn} · round {round} · first player {name}", "Ход {turn} · раунд {round} · первый игрок {name}"
    ),
    "clock-short": Text("Turn {turn} · first player {name}", "Ход {turn} · первый игрок {name}"),
    "now": Text("to move", "решает"),
    "lane": Text("{name}: {n} {n|animal|animals}", "{name}: {n} {n|животное|животных|животных}"),
    # the four phases, short
    "development": Text("Development", "Развитие"),
    "food": Text("Food bank", "Кормовая база"),
    "feeding": Text("Feeding", "Питание"),
    "extinction": Text("Extinction", "Вымирание"),
    # animals
    "of": Text("{have} of {need}", "{have} из {need}"),
    "needs": Text("needs {n}", "нужно {n}"),
    "label-food": Text("{have} of {need} {need|token|tokens}", "{have} из {need} {need|фишки|фишек|фишек}"),
    "label-fat": Text("fat {have} of {need}", "жировой запас {have} из {need}"),
    "label-link": Text("{trait} with {other}", "{trait} с животным {other}"),
    "label-symbiont": Text("Symbiosis: eats before {other}", "Симбиоз: ест раньше животного {other}"),
    "label-protected": Text(
        "Symbiosis: eats after {other} and is safe", "Симбиоз: ест после животного {other}, его не атаковать"
    ),
    "link-symbiosis": Text(
        "Symbiosis: {first} eats first, {second} is safe", "Симбиоз: {first} ест первым, {second} под защитой"
    ),
    "link-label": Text("{trait} between {first} and {second}", "{trait}: {first} и {second}"),
    "link-label-spent": Text(
        "{trait} between {first} and {second}, already used in this round",
        "{trait}: {first} и {second}, в этом раунде уже сработало",
    ),
    "resting": Text("resting", "отдыхает"),
    "on-it": Text("What can happen to {animal}", "Что может случиться с {animal}"),
    "with-card": Text("What this card can do", "Как сыграть эту карту"),
    # moves
    "do-take": Text("take red food", "взять красную фишку"),
    "do-attack": Text("attack {target}", "атаковать {target}"),
    "do-convert": Text("use {n} fat", "преобразовать жир: {n}"),
    "do-graze": Text("trample 1 red token", "растоптать фишку"),
    "do-pirate": Text("rob {target}", "отобрать фишку у {target}"),
    "do-hibernate": Text("hibernate", "впасть в спячку"),
    "do-end": Text("finish this feeding phase", "закончить свою фазу питания"),
    "do-pass": Text("pass", "пас"),
    "do-begin": Text("begin the phase", "начать фазу"),
    "do-play": Text("put it down as an animal", "выложить как животное"),
    "do-play-on": Text("{trait} on {target}", "{trait} на {target}"),
    "do-play-pair": Text("{trait} on {target} and {other}", "{trait} на {target} и {other}"),
    "do-run": Text("run: roll the die", "убегать: бросить кубик"),
    "do-mimic": Text("redirect to {target}", "перенаправить на {target}"),
    "do-drop": Text("drop {card}", "отбросить: {card}"),
    "do-decline": Text("do nothing", "ничего не делать"),
    "do-trigger": Text("{trait}: food for {target}", "{trait}: фишка для {target}"),
    "do-scavenge": Text("Scavenger: food for {animal}", "Падальщик: фишка для {animal}"),
    "do-roll-any": Text("roll at random", "бросить наугад"),
    "do-roll": Text("roll {dice}", "выпало {dice}"),
    "do-draw": Text("draw {card}", "взять карту: {card}"),
    "do-on": Text("give it this trait", "дать ему это свойство"),
    "do-and": Text("make it the partner", "сделать его партнёром"),
    "do-target": Text("attack it", "атаковать его"),
    "do-victim": Text("take a token from it", "отобрать у него фишку"),
    "do-play-in": Text("put it down as an animal in {location}", "выложить как животное в локации {location}"),
    "do-ambush": Text("attack from ambush", "атаковать из засады"),
    "do-ignore": Text("ignore {trait}", "игнорировать: {trait}"),
    "do-ignore-none": Text("ignore nothing", "ничего не игнорировать"),
    "ignoring": Text("{move}, ignoring {trait}", "{move}, игнорируя «{trait}»"),
    "ignoring-none": Text("{move}, ignoring nothing", "{move}, ничего не игнорируя"),
    "do-hide": Text("hide in the shell", "спрятаться в раковину"),
    "do-ink": Text("throw out ink", "выбросить чернила"),
    "do-reveal": Text("turn up as an Anglerfish", "открыть как удильщика"),
    "do-metamorphose": Text("discard {card} for food", "сбросить ради еды: {card}"),
    "do-specialize": Text("use Specialization", "использовать «Специализацию»"),
    "do-settle": Text("move into an empty shell", "поселить в свободную раковину"),
    "do-migrate": Text("migrate to {location}", "мигрировать в локацию {location}"),
    "do-done": Text("nobody else moves", "больше никого"),
    "do-follow": Text("follow {target}", "последовать за животным {target}"),
    "do-land": Text("come ashore in {location}", "выйти на сушу в локации {location}"),
    "do-fetch": Text("take Swimming from the discard of {name}", "взять «Водоплавающее» из сноса игрока {name}"),
    "do-recombine": Text("give {card}", "отдать: {card}"),
    "do-exchange": Text("give {card} for {other} of {target}", "обменяться с {target}: {card} ↔ {other}"),
    "do-split": Text("give {card} in return", "отдать взамен: {card}"),
    "do-restore": Text("new body: {card}", "новое тело: {card}"),
    "do-warm": Text("take one red token more", "взять ещё одну красную фишку"),
    "by": Text("{animal}: {move}", "{animal}: {move}"),
    "who": Text("{name}: {move}", "{name}: {move}"),
    "up-to": Text("≤{n}", "≤{n}"),
    "gain": Text("+{n}", "+{n}"),
    "gains": Text("{animal} gets {n}", "{animal} получает {n}"),
    "gains-up-to": Text("{animal} gets at most {n}", "{animal} получает не больше {n}"),
    # the panel
    "undo": Text("Undo", "Отменить"),
    "redo": Text("Redo", "Вернуть"),
    "restart": Text("From the start", "Сначала"),
    "step": Text("Next step", "Дальше"),
    "step-line": Text("Next: {move}", "Дальше: {move}"),
    "back": Text("Back to the lesson", "Вернуться к уроку"),
    "again": Text("Try the other choice", "Попробовать другой ответ"),
    "history": Text("What was played", "Что сыграно"),
    "history-start": Text("Start", "Начало"),
    "as-table": Text("The same as a table", "То же таблицей"),
    "happened": Text("What happened", "Что произошло"),
    "drew": Text("{name} draws {n} {n|card|cards}.", "{name}: из колоды {n} {n|карта|карты|карт}."),
    "cleared": Text(
        "Red and blue tokens are cleared from the animals.",
        "Красные и синие фишки убирают с животных.",
    ),
    "progress": Text("Step {n} of {m}", "Шаг {n} из {m}"),
    "off-line": Text(
        "You have left the lesson’s line: go on as you like, or come back.",
        "Вы отошли от урока: играйте дальше, как хотите, или вернитесь.",
    ),
    "finished": Text(
        "The lesson is over. Undo, and try another move anywhere.",
        "Урок окончен. Можно отменить ход и попробовать иначе.",
    ),
    "case-over": Text("The script has been played to its end.", "Сценарий сыгран до конца."),
    "free": Text(
        "Choose an animal, then a move. What is not possible says why.",
        "Выберите животное, затем ход. Если ход невозможен, стол объяснит почему.",
    ),
    "refused": Text("Not possible: {move}", "Так нельзя: {move}"),
    "rule-full": Text("The rule", "Правило"),
    "source": Text("Source: {source}", "Источник: {source}"),
    "rule-id": Text("Rule {rule}", "Правило {rule}"),
    "right": Text("Yes.", "Верно."),
    "wrong": Text("Not quite.", "Не совсем."),
    "error": Text("Something went wrong in the tutor", "В тренажёре произошла ошибка"),
    "file-error": Text("This file cannot be opened", "Этот файл не открывается"),
    "played": Text("Played: {move}.", "Сыграно: {move}."),
}


def text(key: str, lang: str, **params: object) -> str:
    """The text in this language with its parameters put in; KeyError for an unknown key or a missing parameter."""
    return fill(TEXTS[key].to(lang), params)


def board_strings(lang: str) -> dict[str, str]:
    """The strings of the board for its trait `strings`."""
    return {key: value.to(lang) for key, value in BOARD.items()}


def language(wish: str | None = None) -> str:
    """The language to begin with: the wish, else ``?lang=`` of the page (Voila), else the system's, else English."""
    query = parse_qs(os.environ.get("QUERY_STRING", "")).get("lang", [""])[0]
    system = next((os.environ[v] for v in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(v)), "")
    for name in (wish or "", query, system):
        if name[:2].lower() in LANGUAGES:
            return name[:2].lower()
    return "en"
