"""Content: Hardy, Narayan and Vlachos, "HighRES" (2019), section 3.2.

Recall and precision of a summary on sliders from 1 to 100, judged against the highlighted
document, the plain document, or the reference.
"""

from __future__ import annotations

from gistmark.judgements.presets.wording import CONSENT, QUESTION_ADVICE
from gistmark.judgements.protocol import Checks, Dimension, Protocol
from gistmark.judgements.scales import Scale

_SCALE = Scale("slider", 1, 100, ("not at all", "entirely"))
_CHECKS = Checks(question="reject", untouched="reject", too_fast="flag")
_DIMENSIONS = (
    Dimension(
        "recall",
        "The summary says everything that matters.",
        "Look for what is important but missing. The more is missing, the lower the value.",
    ),
    Dimension(
        "precision",
        "The summary says nothing but what matters.",
        "Look for what is there but unimportant, or not said in the text at all. The more of it, "
        "the lower the value.",
    ),
)
_EXAMPLE = (
    "A summary that has one of two main points and no side issue deserves about 50 for the first "
    "statement and close to 100 for the second."
)

CONTENT_HIGHLIGHT = Protocol(
    name="content-highlight",
    kind="rating",
    about="Rate what a summary says against a heat map of the document's highlights (HighRES).",
    shows=("heat-map",),
    dimensions=_DIMENSIONS,
    scale=_SCALE,
    judges=3,
    minimum_seconds=20.0,
    checks=_CHECKS,
    consent=CONSENT,
    instructions=(
        "Other readers have marked what they find important in the document: the stronger the "
        "colour of a word, the more of them marked it. The slider beside the document hides the "
        "weaker colours. Read the summary and say how far you agree with the two statements; take "
        f"the coloured words as what matters. {QUESTION_ADVICE}"
    ),
    example=_EXAMPLE,
)

CONTENT_DOCUMENT = Protocol(
    name="content-document",
    kind="rating",
    about="Rate what a summary says against the plain document (HighRES).",
    shows=("document",),
    dimensions=_DIMENSIONS,
    scale=_SCALE,
    judges=3,
    minimum_seconds=20.0,
    checks=_CHECKS,
    consent=CONSENT,
    instructions=(
        "Read the document and decide for yourself what matters in it. Then read the summary and "
        f"say how far you agree with the two statements. {QUESTION_ADVICE}"
    ),
    example=_EXAMPLE,
)

CONTENT_REFERENCE = Protocol(
    name="content-reference",
    kind="rating",
    about="Rate what a summary says against a reference summary (HighRES).",
    shows=("reference",),
    dimensions=_DIMENSIONS,
    scale=_SCALE,
    judges=3,
    minimum_seconds=10.0,
    checks=_CHECKS,
    consent=CONSENT,
    instructions=(
        "The reference was written by somebody who knows the document; take what it says as what "
        "matters. Read the other summary and say how far you agree with the two statements. Other "
        f"words for the same thing are as good. {QUESTION_ADVICE}"
    ),
    example=_EXAMPLE,
)
