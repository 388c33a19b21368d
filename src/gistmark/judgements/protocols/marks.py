"""Protocols in which people mark: errors in summaries, or the content units that summaries state.

`error-spans` is after error span annotation of translations (Kocmi and others, "Error Span
Annotation: A Balanced Approach for Human Evaluation of Machine Translation", 2024): annotators mark
what is wrong and how bad it is, and then give the whole a score from 0 to 100, better founded for
having looked. The weights of the severities are those of MQM.

`content-units` and `content-units-presence` are two stages of one study, after Nenkova and
Passonneau, "Evaluating Content Selection in Summarization: The Pyramid Method" (2004), in the
lighter form of Shapira and others' LitePyramid (2019) and Liu and others' ACU (2023). People write
what references say, a manager merges the units of several annotators, and then people mark which of
them each summary states. The score of a summary is the share of its document's units that it
states, by weight.
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

CONTENT_UNITS = Protocol(
    name="content-units",
    kind="units",
    about=(
        "Write down what a reference says, one fact in each content unit; the first of two stages, "
        "before content-units-presence (Pyramid)."
    ),
    shows=("reference",),
    judges=2,
    items_per_task=1,
    minimum_seconds=20.0,
    checks=Checks(too_fast="flag"),
    consent=CONSENT,
    instructions=(
        "Read the reference. Then write down what it says as a list of content units: short, full "
        "sentences of one fact each, which can be understood without the reference and without "
        "each other. Write names instead of “he” or “it”. Split a sentence that says several "
        "things, and leave nothing out that somebody could state or fail to state. Where there are "
        "several references, write a list for each, even if they say the same."
    ),
    example=(
        "“A painter found a crack in the swing bridge at Port Ennick, which was closed at once” "
        "has three units: “There is a crack in the swing bridge at Port Ennick.” – “A painter "
        "found the crack in the bridge.” – “The bridge was closed at once.”"
    ),
)

CONTENT_UNITS_PRESENCE = Protocol(
    name="content-units-presence",
    kind="presence",
    about=(
        "Mark which content units a summary states; the second of two stages, after content-units, "
        "or with a corpus that has units.jsonl (Pyramid)."
    ),
    judges=3,
    items_per_task=1,
    minimum_seconds=10.0,
    checks=Checks(too_fast="flag"),
    consent=CONSENT,
    instructions=(
        "Read the summary. Then go through the list of content units, one fact each, and say "
        "whether the summary states it. Choose Yes if somebody who has read nothing but the "
        "summary knows the fact; other words for the same thing are as good. Choose No if the "
        "summary leaves it out, says something else, or states only a part of it. What you know "
        "from elsewhere does not count."
    ),
    example=(
        "The summary “After a crack was discovered, the bridge at Port Ennick is shut” states “The "
        "bridge was closed.” and “There is a crack in the bridge.”, but not “A painter found the "
        "crack.”"
    ),
)
