"""Fill the last column of the tables in `rules-map.md` with cases whose `rules:` name a rule of the row.

python docs/rules_map.py
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs/rules-map.md"
MOST = 4
"""Cases shown in a row; a rule may have many more."""


def cells(line: str) -> list[str]:
    """The cells of a row that has all four of them, else nothing; a header or a line of dashes is no row."""
    found = [cell.strip() for cell in line.strip()[1:-1].split("|")] if line.startswith("| ") else []
    return found if len(found) == 4 and found[2] != "Rules" else []


def rules_of(row: Sequence[str]) -> list[str]:
    """The rule ids in the third cell."""
    return re.findall(r"`([a-z-]+\.[a-z-]+)`", row[2])


def cases_of_rules() -> dict[str, list[str]]:
    """Rule id -> ids of the cases that name it, those with the fewest rules first."""
    named: list[tuple[str, list[str]]] = []
    for file in sorted((ROOT / "lessons/cases").rglob("*.yaml")):
        for case in file.read_text(encoding="utf-8").split("\n---"):
            name = re.search(r"^id: ([\w-]+)", case, re.MULTILINE)
            rules = re.search(r"^rules:.*(?:\n[ -].*)*", case, re.MULTILINE)
            if name and rules:
                named.append((name[1], re.findall(r"[a-z-]+\.[a-z-]+", rules[0])))
    found: dict[str, list[str]] = {}
    for case, ids in sorted(named, key=lambda entry: len(entry[1])):
        for rule in ids:
            found.setdefault(rule, []).append(case)
    return found


def fill(line: str, cases: Mapping[str, Sequence[str]]) -> str:
    """The row with its cases: one for each of its rules first, then more up to `MOST`; other lines as they are.

    Cases that name several of the rules come before others.
    """
    row = cells(line)
    if not row or not rules_of(row):
        return line
    named = [cases.get(rule, ()) for rule in rules_of(row)]
    shared = Counter(name for names in named for name in names)
    lists = [sorted(names, key=lambda name: -shared[name]) for names in named]
    ordered = [names[i] for i in range(max(map(len, lists))) for names in lists if i < len(names)]
    shown = list(dict.fromkeys(ordered))[: max(MOST, len(lists))]
    return "| " + " | ".join((*row[:3], " ".join(f"`{name}`" for name in shown))).strip() + " |"


def main() -> None:
    """Rewrite the tables in place."""
    cases = cases_of_rules()
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    PAGE.write_text("\n".join(fill(line, cases) for line in lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
