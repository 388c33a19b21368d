"""How many judgements a study needs, before it is run."""

from gistmark.analysis.planning.choices import ChoiceSpread
from gistmark.analysis.planning.plans import Plan, Planning, plan
from gistmark.analysis.planning.power import Deviations

__all__ = ["ChoiceSpread", "Deviations", "Plan", "Planning", "plan"]
