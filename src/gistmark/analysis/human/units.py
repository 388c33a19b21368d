"""The share of its document's content units that a summary states, by weight.

Nenkova and Passonneau, "Evaluating Content Selection in Summarization: The Pyramid Method" (2004);
without a length limit, as Shapira and others' LitePyramid (2019) and Liu and others' ACU (2023):

    score = sum over units u of w_u p_u / sum over units u of w_u

where w_u is the weight of a unit and p_u the share of annotators who find it in the summary.
"""

from __future__ import annotations

import numpy as np

from gistmark.analysis.data.arithmetic import exact_ties
from gistmark.analysis.data.columns import Unit
from gistmark.analysis.human.scores import HumanScores
from gistmark.corpus import Corpus

UNITS = "content units"
"""The name of the score."""


def unit_shares(corpus: Corpus) -> HumanScores:
    """The weighted share of content units that each summary states: from 0 to 1.

    A unit that nobody marked is not absent but unknown: a summary without a mark for every unit of
    its document has no score, and a reason counts such summaries. The counts are of marks.
    """
    weights: dict[str, dict[str, float]] = {}
    for unit in corpus.units:
        weights.setdefault(unit.document, {})[unit.id] = unit.weight
    marks: dict[Unit, dict[str, list[bool]]] = {}
    for mark in corpus.presence:
        units = marks.setdefault((mark.document, mark.system), {})
        units.setdefault(mark.unit, []).append(mark.present)
    whole = {
        at: units for at, units in marks.items() if units.keys() == weights.get(at[0], {}).keys()
    }
    names = (UNITS,) if whole else ()
    shape = (len(names), len(whole))
    values = [_share(weights[document], units) for (document, _), units in whole.items()]
    counts = [sum(map(len, units.values())) for units in whole.values()]
    return HumanScores(
        units=tuple(whole),
        names=names,
        values=exact_ties(np.array(values, dtype=np.float64).reshape(shape)),
        counts=np.array(counts, dtype=np.int64).reshape(shape),
        reasons=_reasons(len(marks), len(marks) - len(whole)),
    )


def _share(weights: dict[str, float], marks: dict[str, list[bool]]) -> float:
    stated = sum(weights[unit] * (sum(given) / len(given)) for unit, given in marks.items())
    return stated / sum(weights.values())


def _reasons(judged: int, partial: int) -> dict[str, str]:
    if not partial:
        return {}
    some = f"{partial:,} of {judged:,} summaries"
    return {UNITS: f"{some} left out, because not every unit of their document is marked"}
