"""The verbs of moves.  A move is a tuple: a verb and its arguments.

(PASS,) (PLAY_ANIMAL, card) (PLAY_TRAIT, card, side) (ON, uid) (AND, uid)
(TAKE, uid) (ATTACK, hunter) (TARGET, prey) (CONVERT, uid, n) (GRAZE, uid) (PIRATE, uid) (VICTIM, uid)
(HIBERNATE, uid) (END,)
(RUN, uid) (MIMIC, prey, new) (DROP, uid, place) (DROP, uid, -1, trait, u, v) (DECLINE,)
(TRIGGER, trait, u, v, receiver) (SCAVENGE, uid) (ROLL, die, ...) (DRAW, card) (BEGIN_STEP,)

Time to Fly: (AMBUSH, uid) (IGNORE, trait), trait -1 for none, (HIDE, uid) (INK, uid) (REVEAL, uid) (SPECIALIZE, uid)
(METAMORPHOSE, uid, place) (METAMORPHOSE, uid, -1, trait, u, v) (SETTLE, uid)
Continents: (PLAY_ANIMAL, card, location) (MIGRATE, uid, location) (DONE,) (FOLLOW, uid, migrant) (LAND, uid, location)
(FETCH, uid, seat) (RECOMBINE, uid, place) (SPLIT, uid, place) (RESTORE, uid, card)
Gift box: (WARM, uid)

An unknown card of a hand can be told to be a trait: (PLAY_TRAIT, UNKNOWN, trait number).
"""

from __future__ import annotations

(
    PASS, PLAY_ANIMAL, PLAY_TRAIT, ON, AND, TAKE, ATTACK, TARGET, CONVERT, GRAZE, PIRATE, VICTIM, HIBERNATE, END, RUN,
    MIMIC, DROP, DECLINE, TRIGGER, SCAVENGE, ROLL, DRAW, BEGIN_STEP, AMBUSH, IGNORE, HIDE, INK, REVEAL, METAMORPHOSE,
    SPECIALIZE, SETTLE, MIGRATE, DONE, FOLLOW, LAND, FETCH, RECOMBINE, SPLIT, RESTORE, WARM,
) = range(40)  # fmt: skip
