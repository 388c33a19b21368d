"""The protocols of content units: people write what references say, then mark what summaries state.

Nenkova and Passonneau, "Evaluating Content Selection in Summarization: The Pyramid Method" (2004),
in the lighter form of Shapira and others' LitePyramid (2019) and Liu and others' ACU (2023). They
are two stages of one study: `content-units` gives the units, a manager merges those of several
annotators, and `content-units-presence` asks which of them each summary states. The score of a
summary is the share of its document's units that it states, by weight.
"""

from __future__ import annotations

from gistmark.judgements.protocols.highres import CONSENT
from gistmark.judgements.protocols.protocol import Checks, Protocol

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
