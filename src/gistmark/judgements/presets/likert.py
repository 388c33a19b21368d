"""Likert ratings in eleven dimensions, each with confidence and weight.

Mieskes, Loza Mencía and Kronsbein, DIP-SumEval (2020), section 3.3.1: four trained annotators per
summary, five points.
"""

from __future__ import annotations

from gistmark.judgements.presets.criteria import CRITERIA
from gistmark.judgements.presets.wording import CONSENT
from gistmark.judgements.protocol import Checks, Dimension, Protocol
from gistmark.judgements.scales import Scale

LIKERT = Protocol(
    name="likert",
    kind="rating",
    about="Rate a summary in eleven dimensions, each with confidence and weight (DIP-SumEval).",
    dimensions=tuple(
        Dimension(name, f"How good is the text in this respect: {name}?", guidance)
        for name, guidance in CRITERIA.items()
    ),
    scale=Scale("points", 1, 5, ("very poor", "poor", "barely acceptable", "good", "very good")),
    confidence=Scale("points", 1, 5, ("guessed", "unsure", "fairly sure", "sure", "certain")),
    weight=Scale("points", 1, 5, ("irrelevant", "minor", "relevant", "important", "decisive")),
    judges=4,
    items_per_task=1,
    minimum_seconds=45.0,
    checks=Checks(straight_line="flag", too_fast="flag"),
    consent=CONSENT,
    instructions=(
        "Read the summary, then rate it in each dimension by itself: a text may be well spelled "
        "and badly structured. For each rating, say how confident you are, and how much this "
        "dimension weighs in your overall impression of this very text."
    ),
    example=(
        "A text that repeats its first sentence at the end, but is correct and easy to read, may "
        "get “poor” for Non-Redundancy and “very good” for Spelling and Readability."
    ),
)
