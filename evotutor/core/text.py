"""Texts in two languages and the placeholders in them.

A template names its parameters in braces.  `{animal}` is replaced by the parameter; `{n|token|tokens}` is replaced by
the form of the word that agrees with the number `n` (two forms: one, many; three forms, as Russian needs: 1, 2-4, 5+).
"""

from __future__ import annotations

import locale
import os
import re
from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

LANGUAGES: Final = ("en", "ru")

_PLACEHOLDER: Final = re.compile(r"\{([a-z_]+)(?:\|([^{}]*))?\}")


class Text(NamedTuple):
    """The same said in English and in Russian."""

    en: str
    ru: str

    def to(self, lang: str) -> str:
        """The text in this language; ValueError for a language there is none in."""
        if lang not in LANGUAGES:
            raise ValueError(f"no language {lang!r}; languages: {', '.join(LANGUAGES)}")
        return self.ru if lang == "ru" else self.en


def plural(n: int, *forms: str) -> str:
    """The form of a word that agrees with `n`: of two forms (one, many) or of three (1, 2-4, 5 and more).

    >>> [plural(n, "token", "tokens") for n in (0, 1, 2, 21)]
    ['tokens', 'token', 'tokens', 'tokens']
    >>> [plural(n, "фишка", "фишки", "фишек") for n in (1, 2, 5, 11, 21)]
    ['фишка', 'фишки', 'фишек', 'фишек', 'фишка']
    """
    if len(forms) == 2:
        return forms[abs(n) != 1]
    if len(forms) != 3:
        raise ValueError(f"a word has two or three forms of number, not {len(forms)}")
    ones, tens = abs(n) % 10, abs(n) % 100
    if ones == 1 and tens != 11:
        return forms[0]
    return forms[1] if 2 <= ones <= 4 and not 12 <= tens <= 14 else forms[2]


@cache
def fields(template: str) -> frozenset[str]:
    """The names of the parameters that a template needs."""
    return frozenset(name for name, _forms in _PLACEHOLDER.findall(template))


def fill(template: str, params: Mapping[str, object]) -> str:
    """Put the parameters into a template; KeyError for a missing one.

    >>> fill("{animal}: {n} {n|token|tokens}", {"animal": "a1", "n": 2})
    'a1: 2 tokens'
    """

    def put(match: re.Match[str]) -> str:
        value = params[match[1]]
        if match[2] is None:
            return str(value)
        return plural(value if isinstance(value, int) else 5, *match[2].split("|"))

    return _PLACEHOLDER.sub(put, template)


def default_language() -> str:
    """Russian where the environment is Russian, else English."""
    name = os.environ.get("LC_ALL") or os.environ.get("LANG") or (locale.getlocale()[0] or "")
    return "ru" if name.lower().startswith("ru") else "en"
