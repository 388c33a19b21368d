"""Six measures on five points, beside the title and a reference summary.

After the thesis on evaluation metrics for summarisation whose data are EMFoS, chapter 4 and
appendix B; two reviewers rate each summary and may correct themselves later.
"""

from __future__ import annotations

from gistmark.judgements.presets.wording import CONSENT
from gistmark.judgements.protocol import Checks, Dimension, Protocol
from gistmark.judgements.scales import Scale

_BESIDE = "Read the title and the reference first."

QUALITY = Protocol(
    name="quality",
    kind="rating",
    about="Rate six measures of a summary beside the title and a reference (EMFoS).",
    shows=("title", "reference"),
    dimensions=(
        Dimension(
            "grammatical correctness",
            "Is the language correct?",
            "Look for mistakes in spelling, in punctuation and in how sentences are built. Do not "
            "mind quotation marks in odd places: they come from the conversion of the text.",
        ),
        Dimension(
            "arrangement",
            "Are the sentences in an order that makes sense?",
            f"{_BESIDE} A summary is a very short story: does this one tell it from a beginning "
            "to an end?",
        ),
        Dimension(
            "text quality",
            "Is it pleasant to read?",
            "Sentences should not be too long, and the style should suit readers of news: direct, "
            "factual, and without slang unless somebody is quoted.",
        ),
        Dimension(
            "conciseness",
            "Does it keep to the one main point?",
            f"{_BESIDE} A little background at the start is fine; jumping between side topics is "
            "not.",
        ),
        Dimension(
            "exhaustiveness",
            "Does it have the details that a reader needs?",
            f"{_BESIDE} If it says that something happened, does it also say how much, why, or "
            "with what result, so that no obvious question stays open?",
        ),
        Dimension(
            "overall",
            "How good is it, all in all?",
            f"{_BESIDE} Then rate the summary as a whole, by your own judgement.",
        ),
    ),
    scale=Scale("points", 1, 5, ("very bad", "bad", "acceptable", "good", "very good")),
    judges=2,
    items_per_task=1,
    minimum_seconds=15.0,
    checks=Checks(straight_line="flag", too_fast="flag"),
    consent=CONSENT,
    instructions=(
        "You see the title of a news article, a reference summary that a person wrote, and the "
        "summary to rate. Compare with the reference for conciseness, exhaustiveness and the "
        "overall rating; judge the language by itself. Five is best, one is worst."
    ),
    example=(
        "A correct and readable summary that reports a rise in a share price but neither its size "
        "nor its cause may get 5 for grammatical correctness and 2 for exhaustiveness."
    ),
    editable=True,
)
