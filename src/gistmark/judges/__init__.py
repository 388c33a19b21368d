"""Judges that are models: behind a server, or on this machine by log-probabilities.

judge, prompts        what a judge is, and what it is asked
chat, limits          requests to a server, and how many there may be
server, local         judges behind a server and on this machine
questions             ratings, choices, and pairs in both orders
metric, options       the metric `judge`
budget, run           what a run will ask, and judging a whole corpus
highlights            highlights by judges, systems and content units
"""

from gistmark.judges.budget import Budget, estimate
from gistmark.judges.judge import Judge, Opinion, Prompt, machine_name
from gistmark.judges.limits import Limits, Meter, limited
from gistmark.judges.opening import open_judge
from gistmark.judges.prompts import Guide, Texts, choice_prompt, comparison_prompt, rating_prompt
from gistmark.judges.questions import Preference, choose, compare, nearest_point, rate

__all__ = [
    "Budget",
    "Guide",
    "Judge",
    "Limits",
    "Meter",
    "Opinion",
    "Preference",
    "Prompt",
    "Texts",
    "choice_prompt",
    "choose",
    "compare",
    "comparison_prompt",
    "estimate",
    "limited",
    "machine_name",
    "nearest_point",
    "open_judge",
    "rate",
    "rating_prompt",
]
