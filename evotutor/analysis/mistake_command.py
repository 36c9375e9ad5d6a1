"""`evotutor mistakes`: what each decision of a played phase lost, and where it turned."""

from evotutor.analysis.solving import add_mistake_arguments as add_arguments
from evotutor.analysis.solving import run_mistakes as run

__all__ = ["add_arguments", "run"]
