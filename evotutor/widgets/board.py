"""The board: one anywidget.  It gets frames, sends intents and knows no rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from evotutor.core.model import Event
from evotutor.games.evolution.state import name_of
from evotutor.widgets.strings import board_strings
from evotutor.widgets.view import View

STATIC = Path(__file__).parent / "static"

Intent = Callable[[str, str], None]
"""What is called with the kind of an intent ("play", "why", "select") and what it is about."""


class Board(anywidget.AnyWidget):
    """The table with its animals, links, bank and choices.

    `frame` is {seq, view, events, say, select}; a message of the browser that names an older `seq` is answered and
    otherwise ignored, for it is about a table that is no longer there.
    """

    _esm = STATIC / "board.js"
    _css = STATIC / "board.css"
    frame = traitlets.Dict().tag(sync=True)
    strings = traitlets.Dict().tag(sync=True)
    lang = traitlets.Unicode("en").tag(sync=True)

    def __init__(self, intent: Intent | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.intent = intent
        self.add_class("tutor-board")
        self.on_msg(self._received)

    def draw(
        self, view: View, events: Iterable[Event] = (), say: str = "", select: str | None = None, lang: str = "en"
    ) -> None:
        """Show this view; `events` are the token moves that led to it, `say` goes to screen readers."""
        frame = {
            "seq": self.frame.get("seq", 0) + 1,
            "view": view,
            "events": token_events(events),
            "say": say,
        }
        if select is not None:
            frame["select"] = select
        with self.hold_sync():
            self.lang = lang
            self.strings = board_strings(lang)
            self.frame = frame

    def _received(self, _widget: Any, content: Any, _buffers: Any) -> None:
        self.send({"type": "ack"})
        if not isinstance(content, dict) or content.get("seq") != self.frame.get("seq"):
            return
        kind, what = content.get("type"), content.get("id")
        if self.intent is not None and kind in ("play", "why", "select") and isinstance(what, str):
            self.intent(kind, what)


def token_events(events: Iterable[Event]) -> list[dict[str, Any]]:
    """The token moves among events, places named as on the board."""
    found = []
    for event in events:
        if event.kind == "transfer":
            source, sink, colour, n = event.data[:4]
            found.append({"kind": "token", "from": _place(source), "to": _place(sink), "colour": colour, "n": n})
    return found


def _place(place: Any) -> str:
    uid = place[1] if isinstance(place, tuple) else place
    return name_of(uid) if isinstance(uid, int) else str(uid)
