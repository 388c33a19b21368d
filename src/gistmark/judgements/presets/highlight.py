"""Highlight annotation: Hardy, Narayan and Vlachos, "HighRES" (2019), section 3.1.

Ten annotators mark at most K = 30 words of each document, and a True/False question at the end
tells who has not read it.
"""

from __future__ import annotations

from gistmark.judgements.presets.wording import CONSENT, QUESTION_ADVICE
from gistmark.judgements.protocol import Checks, Protocol

HIGHLIGHT = Protocol(
    name="highlight",
    kind="highlight",
    about="Mark the words of a document that a good summary has to say (HighRES).",
    shows=("document",),
    budget=30,
    judges=10,
    items_per_task=1,
    minimum_seconds=30.0,
    checks=Checks(question="reject", no_highlights="reject", too_fast="flag"),
    consent=CONSENT,
    instructions=(
        "Read the whole document. Then mark the words and phrases that carry its main points: "
        "what you would tell somebody who has no time to read it. You may mark single words, "
        "phrases or sentences anywhere in the text, until your words are used up; a word counts "
        "once, however often you mark it. It helps to ask who did what, when, where, why and "
        f"how, but you are free to choose otherwise. {QUESTION_ADVICE}"
    ),
    example=(
        "In “The swing bridge at Port Ennick was closed on Tuesday night after a painter found a "
        "crack in one of its arms”, good marks are “swing bridge at Port Ennick was closed” "
        "(what, where) and “painter found a crack” (who, why)."
    ),
)
