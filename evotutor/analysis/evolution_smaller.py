"""Position data with one thing less: how a puzzle loses what does not matter for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Data = dict[str, Any]


def smaller(data: Mapping[str, Any], keep: set[str]) -> Iterator[Data]:
    """The same table without one animal (none of `keep`), pair, trait, token or unowned Shell, in this order."""
    links = list(data.get("links", ()))
    linked = {name for link in links for names in link.values() for name in _names(names)}
    for seat, row in data["players"].items():
        for name in row.get("animals", {}):
            if name not in keep | linked and len(row["animals"]) > 1:
                yield _with(data, seat, {key: entry for key, entry in row["animals"].items() if key != name})
    for n in range(len(links)):
        yield {**data, "links": links[:n] + links[n + 1 :]}
    for seat, row in data["players"].items():
        for name, animal in row.get("animals", {}).items():
            for less in _less(animal):
                yield _with(data, seat, {**row["animals"], name: less})
    yield from (
        {key: entry for key, entry in data.items() if key != gone} for gone in ("shells", "idle") if gone in data
    )


def _names(names: Any) -> list[str]:
    return list(names.values()) if isinstance(names, Mapping) else list(names)


def _with(data: Mapping[str, Any], seat: str, animals: Data) -> Data:
    row = {key: entry for key, entry in data["players"][seat].items() if key != "next"}
    return {**data, "players": {**data["players"], seat: {**row, "animals": animals}}}


def _less(animal: Any) -> Iterator[Any]:
    """An animal without one of its traits or words, or with a trait unused."""
    if isinstance(animal, str):
        words = animal.split(", ")
        if words[0] == "plain":
            words = words[1:]
        for n, word in enumerate(words):
            if word not in ("laurasia", "gondwana", "ocean"):
                rest = words[:n] + words[n + 1 :]
                named = [word for word in rest if " " not in word and word not in ("laurasia", "gondwana", "ocean")]
                yield ", ".join(rest if named else ["plain", *rest])
        return
    traits = animal.get("traits", [])
    for n, trait in enumerate(traits):
        if trait.endswith("*"):
            yield {**animal, "traits": [*traits[:n], trait[:-1], *traits[n + 1 :]]}
        yield {**animal, "traits": traits[:n] + traits[n + 1 :]}
    for colour in ("red", "blue"):
        if colour in animal:
            yield {key: entry for key, entry in animal.items() if key != colour}
