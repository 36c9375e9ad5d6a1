"""evotutor: learn, dispute and analyse the board games of the Evolution family.

>>> from evotutor.games import load
>>> game = load("evolution")
>>> state = game.new(players=2, seed=1)

`evotutor.games` are the rules, `evotutor.rulebook` their texts, `evotutor.cases` positions and what must come of them,
`evotutor.widgets` the panels for Jupyter, `evotutor.drawing` pictures, `evotutor.analysis` measurements and long tests.
"""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("evotutor")
except PackageNotFoundError:  # used from a folder, not installed
    __version__ = "0"
