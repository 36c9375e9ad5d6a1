"""What a comparison of rulings has to be told about Evolution: a table as labelled facts, and the disputed points."""

from __future__ import annotations

from collections.abc import Mapping

from evotutor.analysis import command
from evotutor.cases.showing import animal_text, asked_text, bank_text, link_text, pile_text
from evotutor.core.model import Event
from evotutor.games.evolution.game import EvolutionGame
from evotutor.games.evolution.rulings import RULINGS
from evotutor.games.evolution.state import PHASES, State, name_of, shells


def facts(game: EvolutionGame, state: State, lang: str = "en") -> dict[str, str]:
    """Everything that people see on the table, in words: label -> text."""
    from evotutor.rulebook import word

    def label(key: str, **params: object) -> str:
        return command.say("compare", key, lang, **params)

    found = {
        label("place"): f"{state.turn}/{state.round}, {word(f'phase.{PHASES[state.phase]}', lang)}",
        word("flow.bank", lang): bank_text(state, lang),
        label("deck"): pile_text(state.top + state.deck, lang),
    }
    if shells(state):
        found[label("shells")] = str(len(shells(state)))
    for seat, herd in enumerate(state.herds):
        found |= {name_of(a.uid): animal_text(a, lang, len(state.bank) > 1) for a in herd}
        player = chr(65 + seat)
        found[label("hand", player=player)] = pile_text(state.hands[seat], lang)
        found[label("discard", player=player)] = pile_text(state.discards[seat], lang)
    if state.links.links:
        found[label("pair")] = "; ".join(link_text(state, index, lang) for index in range(len(state.links.links)))
    for row in game.score(state):
        found[label("points", player=chr(65 + row.player))] = str(row.total)
    found[label("asked")] = asked_text(game, state, lang)
    return found


def alternatives(game: EvolutionGame) -> list[Mapping[str, str]]:
    """Every ruling that differs from this game's in one disputed point."""
    return [{name: option} for name, options in RULINGS.items() for option in options if option != game.rulings[name]]


def changed(game: EvolutionGame, base: EvolutionGame) -> dict[str, str]:
    """The disputed points in which a game differs from another."""
    return {name: option for name, option in game.rulings.items() if base.rulings[name] != option}


def from_defaults(game: EvolutionGame) -> dict[str, str]:
    """The disputed points in which a game differs from the defaults."""
    return {name: option for name, option in game.rulings.items() if RULINGS[name][0] != option}


def explained(name: str, option: str, lang: str) -> str:
    """The answer to a disputed point in words."""
    from evotutor.rulebook import ruling

    return ruling(name).option(option).text.to(lang)


def question(name: str, lang: str) -> str:
    """A disputed point as a question."""
    from evotutor.rulebook import ruling

    return ruling(name).question.to(lang)


def told(event: Event, lang: str) -> str:
    """What happened, with the rule behind it."""
    from evotutor.rulebook import event_text

    return f"{event_text(event, lang)} [{event.rule}]"
