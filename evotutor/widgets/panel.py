"""The tutor's panel: the board, the lesson beside it, refused moves explained, history, food flow, two languages."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from html import escape
from pathlib import Path
from typing import Any, TypeVar, cast

import ipywidgets as w  # type: ignore[import-untyped]

from evotutor.core.model import IllegalMove, NotationError
from evotutor.rulebook import Names, word
from evotutor.teaching.scenario import Scenario, named, read
from evotutor.teaching.session import Answer, Session
from evotutor.widgets import pages
from evotutor.widgets.board import Board
from evotutor.widgets.strings import language, text
from evotutor.widgets.view import view
from evotutor.widgets.words import line_text

F = TypeVar("F", bound=Callable[..., Any])


def guarded(method: F) -> F:
    """Show what goes wrong in the panel: an exception in a callback would vanish otherwise."""

    @wraps(method)
    def call(self: TutorPanel, *args: Any, **kwargs: Any) -> Any:
        try:
            self.error.value = ""
            return method(self, *args, **kwargs)
        except Exception as error:
            self.error.value = pages.trouble(error, self.lang)
            return None

    return cast(F, call)


class TutorPanel(w.VBox):  # type: ignore[misc]
    """A scenario or case to walk through, with every move open to try."""

    def __init__(self, scenario: Scenario | NotationError, lang: str | None = None) -> None:
        self.lang = language(lang)
        self.scenario = scenario
        self.session: Session | None = None
        self.verdict = ""
        self.reply: Answer | None = None
        self.quiet = False
        self._make()
        super().__init__([self.error, self.bar, self.main])
        self.add_class("tutor-panel")
        self._open()

    @classmethod
    def from_scenario(cls, name: str, lang: str | None = None) -> TutorPanel:
        """An annotated scenario of this project, by name."""
        return cls._reading(lambda: read(named(name)), lang)

    @classmethod
    def from_case(cls, source: str | Path, id: str | None = None, lang: str | None = None) -> TutorPanel:
        """A case file (or its text): the first case, or the one with this id."""
        return cls._reading(lambda: read(source, id), lang)

    @classmethod
    def _reading(cls, reader: Callable[[], Scenario], lang: str | None) -> TutorPanel:
        try:
            return cls(reader(), lang)
        except NotationError as error:
            return cls(error, lang)

    # the widgets

    def _make(self) -> None:
        self.error, self.title, self.lesson, self.answer = (w.HTML() for _ in range(4))
        self.answer.add_class("t-answer")
        self.lesson.add_class("t-lesson")
        self.error.add_class("t-error")
        self.events, self.flow, self.history_head = w.HTML(), w.HTML(), w.HTML()
        self.events.add_class("t-events")
        self.history_head.add_class("t-head")
        self.flow.add_class("t-flow")
        for widget in (self.error, self.answer, self.events, self.flow):
            widget.observe(self._hide_empty, names="value")
            widget.add_class("tutor-hidden")
        self.board = Board(self._intent)
        self.undo, self.redo = self._button(self._undo), self._button(self._redo)
        self.languages = {code: self._button(self._speak, code) for code in ("en", "ru")}
        for code, button in self.languages.items():
            button.description = code.upper()
            button.tooltip = word(f"language.{code}", code)
            button.add_class(f"t-lang-{code}")
        self.step, self.back = self._button(self._step), self._button(self._back)
        self.step.add_class("tutor-go")
        self.restart = self._button(self._restart)
        self.choices = w.VBox()
        self.choices.add_class("tutor-choices")
        self.history = w.Select(options=[], rows=5)
        self.history.add_class("tutor-log")
        self.history.observe(self._jump, names="index")
        buttons = self._row("tutor-buttons", self.step, self.back)
        side = w.VBox([self.lesson, self.choices, self.answer, buttons, self.events, self.history_head, self.history])
        side.add_class("tutor-side")
        self.bar = self._row("tutor-bar", self.title, self.undo, self.redo, self.restart, *self.languages.values())
        self.main = self._row("tutor-main", self.board, side, self.flow)

    def _row(self, name: str, *children: w.Widget) -> w.Box:
        row = w.Box(list(children))
        row.add_class(name)
        return row

    def _button(self, action: Callable[..., None], *args: Any) -> w.Button:
        button = w.Button()
        button.on_click(lambda _: action(*args))
        return button

    # opening

    @guarded
    def _open(self) -> None:
        if isinstance(self.scenario, Scenario):
            try:
                self.session = Session(self.scenario)
            except NotationError as error:
                self.scenario = error
        if self.session is None:
            self.main.add_class("tutor-hidden")
        self._draw()

    # what the reader does

    @guarded
    def _intent(self, kind: str, what: str) -> None:
        if kind == "select":
            return
        if kind == "why":
            self._explain(what)
        elif what == "?":
            self._after(self._must().roll)
        else:
            self.play(what)

    def play(self, line: str) -> None:
        """Play a line of notation; a refused one is explained instead."""
        session = self._must()
        ask = session.ask()
        matching = [i for i, c in enumerate(ask.choices) if c.move == line] if ask else []
        if matching:
            self.choose(matching[0])
            return
        self._after(lambda: session.play(line))

    def choose(self, number: int) -> None:
        """Answer the question of this step."""
        session = self._must()
        answer = session.choose(number)
        if answer.reasons:
            self._refuse(answer.choice.move, answer.reasons, answer.choice)
            return
        if answer.choice.move:
            self.reply, self.verdict = answer, ""
            self._draw(moved=True)
        else:
            self.reply, self.verdict = None, ""
            self._draw()

    def _after(self, action: Callable[[], Any]) -> None:
        try:
            action()
        except IllegalMove as refused:
            self._refuse(refused.text, refused.reasons)
            return
        self.reply, self.verdict = None, ""
        self._draw(moved=True)

    def _explain(self, line: str) -> None:
        self._refuse(line, self._must().why_not(line))

    def _refuse(self, line: str, reasons: Any, choice: Any = None) -> None:
        self.refused = (line, tuple(reasons), choice)
        self._draw_refusal()
        self._draw()

    @guarded
    def _step(self) -> None:
        self._after(self._must().step)

    @guarded
    def _choose(self, number: int) -> None:
        self.choose(number)

    @guarded
    def _undo(self) -> None:
        self._must().undo()
        self._moved()

    @guarded
    def _redo(self) -> None:
        self._must().redo()
        self._moved()

    @guarded
    def _back(self) -> None:
        self._must().back()
        self._moved()

    @guarded
    def _restart(self) -> None:
        self._must().restart()
        self._moved()

    @guarded
    def _jump(self, change: Any) -> None:
        if not self.quiet and change["new"] is not None:
            self._must().jump(change["new"])
            self._moved()

    @guarded
    def _speak(self, lang: str) -> None:
        self.lang = lang
        if self.verdict:
            self._draw_refusal()
        self._draw()

    def _moved(self) -> None:
        self.reply, self.verdict = None, ""
        self._draw()

    def _must(self) -> Session:
        if self.session is None:
            raise RuntimeError("nothing is open in this panel")
        return self.session

    # drawing

    def _names(self) -> dict[str, str]:
        scenario = self._must().scenario
        return {letter: said.to(self.lang) for letter, said in scenario.names.items()}

    def _draw(self, moved: bool = False) -> None:
        lang = self.lang
        for code, button in self.languages.items():
            (button.add_class if code == lang else button.remove_class)("tutor-on")
        for button, key in ((self.undo, "undo"), (self.redo, "redo"), (self.restart, "restart"), (self.back, "back")):
            button.description = text(key, lang)
        if self.session is None:
            if isinstance(self.scenario, NotationError):
                self.error.value = pages.trouble(self.scenario, lang)
            return
        session, names = self.session, self._names()
        self.undo.disabled, self.redo.disabled = not session.at, session.at >= len(session.entries)
        self.title.value = f'<h2 lang="{lang}">{escape(session.scenario.title.to(lang))}</h2>'
        told = self._told(names)
        viewer = ord(session.scenario.viewer) - 65 if session.scenario.viewer else None
        picture = view(session.game, session.state, viewer, lang, names, alone=False)
        self.board.draw(
            picture,
            session.events() if moved else (),
            self._say(told, moved),
            self._selection(picture) if moved else None,
            lang,
        )
        self._draw_lesson()
        self._draw_choices()
        self.events.value = pages.happened_html(told, lang)
        self._draw_flow()
        self._draw_log(names)

    def _told(self, names: dict[str, str]) -> list[str]:
        called = Names(players={ord(letter) - 65: name for letter, name in names.items()})
        return pages.happened(self._must().events(), self.lang, called) if self._must().at else []

    def _say(self, told: list[str], moved: bool) -> str:
        return " ".join(told[:4]) if moved else ""

    def _selection(self, picture: dict[str, Any]) -> str:
        """After a move: the animal that must answer, else nothing stays selected."""
        decision = picture["decision"]
        if decision["kind"] == "reaction":
            return next((key for key in picture["actions"] if key in picture["yours"]), "")
        return ""

    def _draw_lesson(self) -> None:
        session, lang = self._must(), self.lang
        scenario, place = session.scenario, session.place
        words: list[str] = []
        if not session.at and scenario.intro:
            words.append(scenario.intro.to(lang))
        if self.reply and self.reply.choice.reply:
            words.append(self.reply.choice.reply.to(lang))
        if place is None:
            words.append(text("off-line", lang))
        else:
            last = place.step - 1
            if last in place.script.notes and session.at:
                words.append(place.script.notes[last].to(lang))
            if session.finished:
                end = place.script.end
                words.append(end.to(lang) if end else text("finished" if scenario.script.notes else "case-over", lang))
            elif not words and not session.ask():
                words.append(text("free", lang))
        main = scenario.script
        done = place.step if place and place.script.name == main.name else None
        progress = None if done is None else (done, len(main.lines))
        ask = session.ask()
        if ask:
            words.append(ask.question.to(lang))
        self.lesson.value = pages.lesson(scenario.title.to(lang), progress, words, lang)
        self.answer.value = self.verdict or self._reply_html()
        line = session.next_line
        self.step.description = (
            text("step", lang) if main.notes else text("step-line", lang, move=line_text(line, lang, self._names()))
        )
        self._show(self.step, bool(line))
        self.step.disabled = ask is not None
        self._show(self.back, session.branch_point() is not None)
        if place is not None and place.script.name != main.name:
            self.back.description = text("again", lang)

    def _reply_html(self) -> str:
        """What was answered to the question before the next line, and what that is worth."""
        answer = self._must().answered()
        if answer is None or answer.choice.move:
            return ""
        reply = answer.choice.reply.to(self.lang) if answer.choice.reply else ""
        right = answer.choice.right
        head = text("right" if right else "wrong", self.lang)
        return pages.box("yes" if right else "no", head, pages.paragraphs(reply))

    def _draw_refusal(self) -> None:
        line, reasons, choice = self.refused
        reply = choice.reply.to(self.lang) if choice is not None and choice.reply else ""
        self.verdict = pages.refusal(line_text(line, self.lang, self._names()), reasons, self.lang, reply)

    def _draw_choices(self) -> None:
        session = self._must()
        ask = session.ask()
        buttons = []
        for number, choice in enumerate(ask.choices if ask else ()):
            button = self._button(self._choose, number)
            button.description = choice.text.to(self.lang)
            buttons.append(button)
        self.choices.children = buttons

    def _hide_empty(self, change: Any) -> None:
        self._show(change["owner"], bool(change["new"]))

    def _show(self, widget: w.DOMWidget, shown: bool) -> None:
        (widget.remove_class if shown else widget.add_class)("tutor-hidden")

    def _draw_flow(self) -> None:
        """The food of the turn that was played last, from its first line on."""
        session = self._must()
        done = session.entries[: session.at]
        turn = done[-1].before.turn if done else 0
        entries = [entry for entry in done if entry.before.turn == turn]
        events: list[tuple[Any, ...]] = []
        rounds: list[int] = []
        for entry in entries:
            kept = _until_extinction(entry.events)
            events += kept
            rounds += [entry.before.round] * len(kept)
        moved = any(event[0] == "transfer" and event[4] != "bank" for event in events)
        self.flow.value = pages.flow(entries[0].before, events, rounds, session.state, self.lang) if moved else ""

    def _draw_log(self, names: dict[str, str]) -> None:
        session = self._must()
        lines = [text("history-start", self.lang)]
        lines += [f"{i}. {line_text(e.line, self.lang, names)}" for i, e in enumerate(session.entries, 1)]
        self.history_head.value = f'<h3 class="tutor-head">{escape(text("history", self.lang))}</h3>'
        self.quiet = True
        try:
            options = [(line, i) for i, line in enumerate(lines)]
            if tuple(options) != tuple(self.history.options):
                self.history.options = options
            self.history.index = session.at
        finally:
            self.quiet = False


def _until_extinction(events: tuple[tuple[Any, ...], ...]) -> list[tuple[Any, ...]]:
    """The events of a line up to the extinction phase, where tokens only leave the table."""
    for index, event in enumerate(events):
        if event[0] == "phase" and event[3] == "extinction":
            return list(events[:index])
    return list(events)


__all__ = ["TutorPanel"]
