"""Fill the last column of `rules-map.md` with the cases whose `rules:` name a rule of the row.

python docs/rules_map.py
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
MOST = 4
"""Cases shown in a row; a rule may have many more."""


def cases_of_rules() -> dict[str, list[str]]:
    """Rule id -> ids of the cases that name it, in the order of the files."""
    found: dict[str, list[str]] = {}
    for file in sorted((ROOT / "lessons/cases").rglob("*.yaml")):
        for case in file.read_text(encoding="utf-8").split("\n---"):
            name = re.search(r"^id: ([\w-]+)", case, re.MULTILINE)
            rules = re.search(r"^rules:((?:.*?\])|(?:\n\s+- .*)+)", case, re.MULTILINE | re.DOTALL)
            for rule in re.findall(r"[a-z-]+\.[a-z-]+", rules[1]) if name and rules else ():
                found.setdefault(rule, []).append(name[1])  # type: ignore[index]
    return found


def fill(line: str, cases: dict[str, list[str]]) -> str:
    """The row with its cases: one for each of its rules first, then more up to `MOST`."""
    cells = line.strip().strip("|").split("|")
    lists = [cases.get(rule, []) for rule in re.findall(r"`([a-z.-]+)`", cells[2])]
    ordered = [names[i] for i in range(max(map(len, lists), default=0)) for names in lists if i < len(names)]
    shown = list(dict.fromkeys(ordered))[: max(MOST, len(lists))]
    return "|" + "|".join((*cells[:3], " " + " ".join(f"`{name}`" for name in shown) + " " if shown else " ")) + "|"


def main() -> None:
    """Rewrite the table in place."""
    path, cases = ROOT / "docs/rules-map.md", cases_of_rules()
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(fill(x, cases) if re.match(r"\| \d", x) else x for x in lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
