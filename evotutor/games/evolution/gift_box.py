"""The prohibitions of the gift-box cards: r-Strategy, Shy, Homeothermy (S0)."""

from __future__ import annotations

from typing import Final

from evotutor.games.evolution import base
from evotutor.games.evolution.catalog import bit
from evotutor.games.evolution.questions import Ban
from evotutor.games.evolution.state import ATTACKED, is_fed

R_STRATEGY, SHY, HOMEOTHERMY = bit["r-strategy"], bit["shy"], bit["homeothermy"]

SHY_SAFE: Final = Ban("shy.already-attacked", lambda s, h, t: t.mask & SHY and t.flags & ATTACKED, base.two)
WARM: Final = (
    Ban("homeothermy.needed", lambda s, a: not a.mask & HOMEOTHERMY, base.one),
    Ban("homeothermy.once-per-round", lambda s, a: a.used & HOMEOTHERMY, base.one),
    Ban("homeothermy.not-when-fed", lambda s, a: is_fed(a), base.one),
)
"""May this animal take a token more?  Whether it can receive one at all joins."""
WARM_BANK: Final = Ban("homeothermy.needs-bank", lambda s, a: s.bank[0] <= 0, base.one)
