"""Pairwise choices (two-alternative forced choice) in six dimensions.

Mieskes, Loza Mencía and Kronsbein, DIP-SumEval (2020), section 3.3.2: seven votes on each pair
of systems for each document.
"""

from __future__ import annotations

from gistmark.judgements.presets.criteria import CRITERIA, PAIRWISE_CRITERIA
from gistmark.judgements.presets.wording import CONSENT
from gistmark.judgements.protocol import Checks, Dimension, Protocol

PAIRWISE = Protocol(
    name="pairwise",
    kind="comparison",
    about="Choose the better of two summaries in six dimensions (DIP-SumEval).",
    dimensions=tuple(
        Dimension(name, f"Which text is better in this respect: {name}?", CRITERIA[name])
        for name in PAIRWISE_CRITERIA
    ),
    judges=7,
    items_per_task=5,
    minimum_seconds=15.0,
    checks=Checks(straight_line="flag", too_fast="flag"),
    consent=CONSENT,
    instructions=(
        "Two summaries of the same text stand side by side. For each question choose the left or "
        "the right one. You have to choose even where both are close; go by your impression then."
    ),
    example=(
        "If the left text says everything once and the right one repeats itself, choose left for "
        "Non-Redundancy, even if the right one tells you more."
    ),
)
