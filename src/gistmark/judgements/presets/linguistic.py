"""Fluency and clarity: Hardy, Narayan and Vlachos, "HighRES" (2019), section 3.3.

Each is judged by itself, on summaries alone, several to a task. Three planted ones among them
must come out as bad < mediocre < good.
"""

from __future__ import annotations

from gistmark.judgements.presets.wording import CONSENT
from gistmark.judgements.protocol import Checks, Dimension, Protocol
from gistmark.judgements.scales import Scale

_CHECKS = Checks(planted="reject", untouched="flag", straight_line="flag", too_fast="flag")

FLUENCY = Protocol(
    name="fluency",
    kind="rating",
    about="Rate how natural and grammatical a summary is, by itself (HighRES).",
    dimensions=(
        Dimension(
            "fluency",
            "How fluent is this summary?",
            "Does it sound like something that a careful native speaker would write? Take off for "
            "wrong grammar, for words that are missing, doubled or in the wrong place, and for "
            "sentences that break off. Whether it is true or complete does not count here.",
        ),
    ),
    scale=Scale("slider", 1, 100, ("not fluent at all", "perfectly fluent")),
    judges=3,
    items_per_task=5,
    minimum_seconds=3.0,
    checks=_CHECKS,
    consent=CONSENT,
    instructions=(
        "You will see several summaries, one at a time. Rate each by its language alone. You can "
        "go back and change a rating before you hand in the task."
    ),
    example=(
        "“The bridge was closed after a crack was found” is fluent. “The bridge close after crack "
        "were found” has mistakes, but can be followed. “Crack bridge after the found was a” "
        "deserves the lowest values."
    ),
)

CLARITY = Protocol(
    name="clarity",
    kind="rating",
    about="Rate how easy it is to tell what a summary means, by itself (HighRES).",
    dimensions=(
        Dimension(
            "clarity",
            "How clear is this summary?",
            "Can you tell who and what is meant, without having read the document? Take off for "
            "people, places or events that are mentioned as if you knew them, for “he” or “it” "
            "that could be anybody, and for sentences whose meaning you have to guess.",
        ),
    ),
    scale=Scale("slider", 1, 100, ("not clear at all", "perfectly clear")),
    judges=3,
    items_per_task=5,
    minimum_seconds=3.0,
    checks=_CHECKS,
    consent=CONSENT,
    instructions=(
        "You will see several summaries, one at a time. Rate each by how well it can be "
        "understood. You can go back and change a rating before you hand in the task."
    ),
    example=(
        "“A painter found a crack in the swing bridge at Port Ennick” is clear. “She found it "
        "there on Tuesday” is fluent, but nobody can tell who found what, or where."
    ),
)
