"""Pieces of HTML for the panel.  Everything that comes from a file or a player is escaped here."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Sequence
from html import escape
from typing import Any

from evotutor.core.flow import inflow, outflow
from evotutor.core.model import Event, NotationError, Reason
from evotutor.games.evolution.catalog import UNKNOWN
from evotutor.games.evolution.state import State, is_fed
from evotutor.games.evolution.tokens import food_flow
from evotutor.rulebook import Names, event_text, reason_text, rule
from evotutor.widgets.strings import text

QUIET = ("used", "ready", "due")
"""Conditions that the board shows and the log does not repeat."""


def paragraphs(words: str) -> str:
    """Text with blank lines between paragraphs."""
    return "".join(f"<p>{escape(' '.join(part.split()))}</p>" for part in words.split("\n\n") if part.strip())


def box(kind: str, head: str, body: str) -> str:
    """A box with a coloured edge; `kind` is "yes", "no" or ""."""
    return f'<div class="tutor-box tutor-{kind}"><h4>{escape(head)}</h4>{body}</div>'


def lesson(title: str, progress: tuple[int, int] | None, words: Sequence[str], lang: str) -> str:
    """The head of the lesson: kicker, thin progress bar, what is said now."""
    bar = ""
    if progress is not None and progress[1]:
        n, m = progress
        bar = (
            f'<div class="tutor-kicker">{escape(text("progress", lang, n=min(n + 1, m), m=m))}</div>'
            f'<div class="tutor-progress" aria-hidden="true"><span style="width:{100 * n // m}%"></span></div>'
        )
    return f'<div lang="{lang}">{bar}<div class="tutor-note">{"".join(map(paragraphs, words))}</div></div>'


def refusal(line: str, reasons: Sequence[Reason], lang: str, reply: str = "") -> str:
    """Why a move is not possible: every reason with its rule, the rule's text and source one click away."""
    parts = [paragraphs(reply)] if reply else []
    for reason in reasons:
        entry = rule(reason.rule)
        parts.append(
            f"<p><strong>{escape(entry.title.to(lang))}.</strong> {escape(reason_text(reason, lang))}</p>"
            f"<details><summary>{escape(text('rule-full', lang))}</summary><p>{escape(entry.text.to(lang))}</p>"
            f'<p class="tutor-source">{escape(text("source", lang, source=", ".join(entry.source)))} · '
            f"{escape(text('rule-id', lang, rule=entry.id))}</p></details>"
        )
    return box("no", text("refused", lang, move=line), "".join(parts))


def happened(events: Sequence[Event], lang: str, names: Names) -> list[str]:
    """What happened, in sentences: draws and cleared tokens in one each, nothing that only the engine needs."""
    drawn = Counter(e.data[2][1] for e in events if e.kind == "card" and e.data[1][0] == "deck")
    told: list[str] = []
    for event in events:
        said = [] if _unsaid(event) else [_sentence(event, lang, names)]
        if event.kind == "card" and event.data[1][0] == "deck" and drawn:
            said = [text("drew", lang, name=names.player(seat), n=n) for seat, n in drawn.items()]
            drawn.clear()
        told += [words for words in said if words not in told[-1:]]
    return told


def _unsaid(event: Event) -> bool:
    kind, data = event.kind, event.data
    if kind == "state":
        return data[1] in QUIET
    if kind == "card":
        return bool(data[1][0] == "deck" or (data[0] == UNKNOWN and data[1][0] != "link"))
    return kind == "move" and bool(data[0] < 0)


def _sentence(event: Event, lang: str, names: Names) -> str:
    if event.kind == "transfer" and event.data[1] == "cleared":
        return text("cleared", lang)
    return event_text(event, lang, names)


def happened_html(told: Sequence[str], lang: str) -> str:
    """The sentences as a list under their head."""
    if not told:
        return ""
    items = "".join(f"<li>{escape(words)}</li>" for words in told)
    head = escape(text("happened", lang))
    return f'<div lang="{lang}"><h3 class="tutor-head">{head}</h3><ul class="tutor-events">{items}</ul></div>'


# food flow


def flow(before: State, events: Sequence[tuple[Any, ...]], rounds: Sequence[int], after: State, lang: str) -> str:
    """The food flow from a position on: a picture in both themes (the style sheet shows one), the same as a table."""
    from evotutor.drawing import flow_svg, flow_table

    graph = food_flow(before, events, None, rounds)
    for herd in before.herds:
        for animal in herd:
            if animal.uid not in graph:
                graph.add_node(animal.uid, kind="animal", name=f"{chr(97 + (animal.uid >> 8))}{animal.uid & 255}")
    alive = {a.uid: a for herd in after.herds for a in herd}
    start = {a.uid: a for herd in before.herds for a in herd}
    for uid, data in graph.nodes(data=True):
        if data.get("kind") != "animal" or uid not in start:
            continue
        have, animal = inflow(graph, uid) - outflow(graph, uid), alive.get(uid, start[uid])
        hungry = not is_fed(animal._replace(red=max(0, have), blue=0))
        data.update(have=have, need=animal.need, fat=animal.fat.bit_count(), hungry=hungry, seat=uid >> 8)
        if uid not in alive:
            data.update(dead=True, hungry=False)
    pictures = "".join(f'<div class="tutor-for-{t}">{flow_svg(graph, lang, theme=t)}</div>' for t in ("light", "dark"))
    return (
        f'<div class="tutor-flow" lang="{lang}">{pictures}<details><summary>{escape(text("as-table", lang))}</summary>'
        f"{flow_table(graph, lang)._repr_html_()}</details></div>"
    )


# trouble


def trouble(error: BaseException, lang: str) -> str:
    """An error that a reader can understand or pass on."""
    if isinstance(error, NotationError):
        place = " › ".join(map(str, error.path))
        where = f"<p>{escape(place)}</p>" if place else ""
        entry = ""
        if error.rule:
            found = rule(error.rule)
            entry = f"<p><strong>{escape(found.title.to(lang))}.</strong> {escape(found.text.to(lang))}</p>"
        head, said = escape(text("file-error", lang)), escape(str(error))
        return _alert(f"<strong>{head}</strong>{where}<p>{said}</p>{entry}")
    lines = escape("".join(traceback.format_exception(error))[-3000:])
    head, said = escape(text("error", lang)), escape(f"{type(error).__name__}: {error}")
    return _alert(f"<strong>{head}</strong><p>{said}</p><details><summary>…</summary><pre>{lines}</pre></details>")


def _alert(body: str) -> str:
    return f'<div class="tutor-error" role="alert">{body}</div>'
