"""Case files: a position, what is played, what the rules must say.  `docs/cases.md` describes the format."""

from evotutor.cases.model import Case, CaseError, Result
from evotutor.cases.reader import read_case_file, read_cases, read_text
from evotutor.cases.runner import ask, load_game, run_case, table

__all__ = [
    "Case",
    "CaseError",
    "Result",
    "ask",
    "load_game",
    "read_case_file",
    "read_cases",
    "read_text",
    "run_case",
    "table",
]
