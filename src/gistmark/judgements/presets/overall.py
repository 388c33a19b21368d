"""One overall grade from 0 to 4 beside the document.

Vasilyev, Dharnidharka and Bohannon, "Fill in the BLANC" (2020), section 5: ten trained
annotators, one pair of text and summary at a time.
"""

from __future__ import annotations

from gistmark.judgements.presets.wording import CONSENT
from gistmark.judgements.protocol import Checks, Dimension, Protocol
from gistmark.judgements.scales import Scale

OVERALL = Protocol(
    name="overall",
    kind="rating",
    about="Grade a summary as a whole from 0 to 4 beside its document (BLANC).",
    shows=("document",),
    dimensions=(
        Dimension(
            "overall",
            "How good is this summary of the document?",
            "Think of what a reader needs: the main points, nothing wrong, nothing superfluous, "
            "in sentences that can be read.",
        ),
    ),
    scale=Scale("points", 0, 4, ("very bad", "bad", "OK", "good", "very good")),
    judges=10,
    items_per_task=1,
    minimum_seconds=20.0,
    checks=Checks(too_fast="flag"),
    consent=CONSENT,
    instructions=(
        "Read the document, then the summary, and grade the summary as a whole. Judge every "
        "summary by itself, not against others that you have seen."
    ),
    example=(
        "A summary that has the main point but gets a number wrong may be “OK”; one that makes "
        "the document say the opposite is “very bad”, however well it is written."
    ),
)
