"""Disputed points as named options.  Texts and sources are in the rulebook, here are the ids."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Final

RULINGS: Final[dict[str, tuple[str, ...]]] = {
    "mimicry": ("compulsory", "optional"),
    "mimicry-limit": ("once-per-turn", "unlimited"),
    "mimicry-spent": ("redirected", "first-attack"),
    "tail-loss": ("any-trait", "itself"),
    "piracy-fat": ("allowed", "hungry-only"),
    "big-and-camouflage": ("attack", "eat"),
    "scavenger-choice": ("owner", "leftmost"),
    "hibernation-lost-card": ("wakes", "sleeps-on"),
    "hibernation-burrowing": ("protected", "not-protected"),
    "pair-gift": ("compulsory", "optional"),
    "pair-reset": ("round", "own-phase"),
    "stored-fat-receives": ("yes", "no"),
    "side-trait-instead": ("allowed", "never"),
    "blocked-hunter": ("cannot-attack", "may-attack"),
    "cooperation-timing": ("at-once", "owner-orders"),
    "metamorphose": ("unlimited", "once-per-turn"),
    "metamorphose-blocked": ("blocking-card", "never"),
    "specialization": ("unlimited", "once-per-turn"),
    "ambush-limit": ("each-once", "one-per-player"),
    "ambush-own": ("allowed", "forbidden"),
    "ambush-shell": ("still-ambush", "may-hide"),
    "intellect-after-mimicry": ("new-prey", "first-prey-only"),
    "intellect-regeneration": ("not-ignored", "ignored"),
    "anglerfish-food": ("two-blue", "one-blue"),
    "anglerfish-spent": ("spent", "free"),
    "anglerfish-ocean": ("also-guards", "only-itself"),
    "viviparous-paralysed": ("no-birth", "birth"),
    "flight-disabled": ("count", "do-not-count"),
    "shell-dropped": ("discard", "table"),
    "flight-ocean": ("as-migration", "continents-only"),
    "migration-swimming-card": ("from-discard", "none"),
    "migration-land": ("allowed", "forbidden"),
    "ocean-newborn": ("swims", "does-not"),
    "herding-tie": ("protects", "does-not"),
    "cnidocytes-timing": ("before-feeding", "after-feeding"),
    "cnidocytes-pairs": ("off", "work"),
    "recombination-swimming": ("moves", "stays"),
    "paralysed-return": ("next-turn", "stays"),
    "neoplasm-ocean": ("moves", "stays"),
    "r-strategy-paralysed": ("works", "off"),
    "shy-ignored": ("protects", "does-not"),
    "homeothermy-timing": ("any-moment", "after-shares"),
}
"""Ruling id -> its options, the default first."""

PRESETS: Final[dict[str, dict[str, str]]] = {
    "text-1.4.1": {},
    "evolution-web": {
        "piracy-fat": "hungry-only",
        "scavenger-choice": "leftmost",
        "metamorphose": "once-per-turn",
        "specialization": "once-per-turn",
        "homeothermy-timing": "after-shares",
    },
    "old-cards": {"mimicry": "optional", "mimicry-limit": "unlimited", "big-and-camouflage": "eat"},
}


def choose(rulings: Mapping[str, str] | None, preset: str | None = None) -> dict[str, str]:
    """Complete a choice of rulings with the defaults; ValueError for an unknown ruling, option or preset."""
    if preset is not None and preset not in PRESETS:
        raise ValueError(f"no preset {preset!r}; known: {', '.join(PRESETS)}")
    chosen = {name: options[0] for name, options in RULINGS.items()}
    for name, option in {**PRESETS[preset or "text-1.4.1"], **dict(rulings or {})}.items():
        if name not in RULINGS:
            near = get_close_matches(name, RULINGS, 1)
            raise ValueError(f"no ruling {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
        if option not in RULINGS[name]:
            raise ValueError(f"ruling {name!r} has no option {option!r}; options: {', '.join(RULINGS[name])}")
        chosen[name] = option
    return chosen
