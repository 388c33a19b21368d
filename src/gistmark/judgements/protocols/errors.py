"""Errors marked in summaries, then one score: `error-spans`.

After error span annotation of translations (Kocmi and others, "Error Span Annotation: A Balanced
Approach for Human Evaluation of Machine Translation", 2024): annotators mark what is wrong and how
bad it is, and then give the whole a score from 0 to 100, better founded for having looked. The
weights of the severities are those of MQM.
"""

from __future__ import annotations

from gistmark.judgements.forms.errors import CATEGORIES
from gistmark.judgements.forms.scales import SliderBlock
from gistmark.judgements.forms.shown import ShowBlock
from gistmark.judgements.forms.spans import SpansBlock
from gistmark.judgements.protocols.highres import CONSENT
from gistmark.judgements.protocols.protocol import Checks, Protocol, Scale

ERROR_SPANS = Protocol(
    name="error-spans",
    kind="form",
    about="Mark errors in a summary beside its document, then score it (ESA, MQM).",
    blocks=(
        ShowBlock(what="document"),
        ShowBlock(what="summary"),
        SpansBlock(
            name="errors",
            question="Which words of the summary are wrong?",
            guidance=(
                "Mark the shortest stretch of words that is wrong, and each error once. Minor: a "
                "reader would hardly mind. Major: a reader would learn something wrong, miss the "
                "point, or stumble. If words are wrong in two respects, mark them twice."
            ),
            categories=CATEGORIES,
        ),
        SliderBlock(
            name="overall",
            question="How good is the summary, all in all?",
            guidance="Think of the errors that you have marked, and of how much they matter.",
            scale=Scale("slider", 0, 100, ("useless", "perfect")),
        ),
    ),
    judges=3,
    items_per_task=2,
    minimum_seconds=20.0,
    checks=Checks(too_fast="flag"),
    consent=CONSENT,
    instructions=(
        "Read the document, then the summary. Select the words of the summary that are wrong, and "
        "say in which respect and how bad it is. If you can, select the words of the document that "
        "show it, too. Say whether something important is missing. If nothing is wrong, say so. "
        "Then score the summary as a whole."
    ),
    example=(
        "The document says that two bridges were closed on Monday. In “Three bridges was closed on "
        "Monday.” you mark “Three” (contradicts the source, major) and “was” (grammar, minor)."
    ),
)
