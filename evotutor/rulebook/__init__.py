"""The rules as entries with texts in English and Russian: what reasons, events, cases and lessons cite.

`rule` finds an entry, `reason_text` says why a move is refused, `event_text` what happened, `explain` why it happened;
`ruling` is a disputed point; `word` is everything else a person reads.
"""

from evotutor.rulebook.book import Rule, rule, rule_ids, rules, search
from evotutor.rulebook.disputes import Option, Preset, Ruling, presets, ruling, ruling_ids, rulings
from evotutor.rulebook.store import UnknownId
from evotutor.rulebook.telling import (
    Names,
    card_text,
    cause_text,
    chain,
    event_text,
    explain,
    reason_text,
    trait_text,
)
from evotutor.rulebook.words import has_word, text_of, word, word_keys

__all__ = [
    "Names",
    "Option",
    "Preset",
    "Rule",
    "Ruling",
    "UnknownId",
    "card_text",
    "cause_text",
    "chain",
    "event_text",
    "explain",
    "has_word",
    "presets",
    "reason_text",
    "rule",
    "rule_ids",
    "rules",
    "ruling",
    "ruling_ids",
    "rulings",
    "search",
    "text_of",
    "trait_text",
    "word",
    "word_keys",
]
