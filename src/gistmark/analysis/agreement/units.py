"""Agreement on content units: do annotators say alike whether a summary states a unit?"""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from gistmark.analysis.agreement.coefficients.alpha import RESAMPLES, grouped_alpha
from gistmark.analysis.agreement.coefficients.kappa import cohen_kappa, fleiss_kappa
from gistmark.analysis.agreement.coefficients.statistic import Statistic, undefined
from gistmark.analysis.agreement.ratings import agreement
from gistmark.analysis.data.columns import Float64, Int64
from gistmark.analysis.human.units import UNITS
from gistmark.analysis.studies.records import Agreement
from gistmark.corpus.corpus import Corpus
from gistmark.records import Presence
from gistmark.runtime.seeds import generator

_ALONE = "No mark of theirs has a majority of others to compare it with."
Marks = tuple[Int64, Float64]
"""What was marked (a unit of a summary, by number) and how, 1.0 or 0.0."""


def presence_agreement(
    corpus: Corpus, *, rng: np.random.Generator | None = None, resamples: int = RESAMPLES
) -> list[Agreement]:
    """How far annotators agree on which summary states which content unit.

    What is marked is a unit of a summary. `alpha-nominal` has an interval by bootstrap over
    documents; `fleiss-kappa`; `cohen-kappa` for exactly two annotators.

    `rng` draws the resamples; without it the seed is 0.
    """
    if not corpus.presence:
        return []
    rng = rng or generator(0)
    documents: dict[str, list[Presence]] = {}
    for mark in corpus.presence:
        documents.setdefault(mark.document, []).append(mark)
    groups = [_columns(marks) for marks in documents.values()]
    statistics = {
        "alpha-nominal": grouped_alpha(groups, rng=rng, resamples=resamples),
        "fleiss-kappa": fleiss_kappa(*_columns(corpus.presence)),
        "cohen-kappa": _of_two(corpus.presence),
    }
    return [agreement("units", UNITS, name, "", value) for name, value in statistics.items()]


def annotators_on_units(corpus: Corpus) -> dict[str, Statistic]:
    """For each annotator, the share of marks that the majority of the others shares.

    Marks on which the others are tied, or where there are no others, do not count.
    """
    votes: dict[tuple[str, str, str], int] = defaultdict(int)
    for mark in corpus.presence:
        votes[mark.document, mark.system, mark.unit] += 1 if mark.present else -1
    same: dict[str, list[bool]] = {}
    for mark in corpus.presence:
        own = same.setdefault(mark.annotator, [])
        lead = votes[mark.document, mark.system, mark.unit] - (1 if mark.present else -1)
        if lead:
            own.append((lead > 0) == mark.present)
    return {
        name: Statistic(sum(own) / len(own), len(own)) if own else undefined(_ALONE)
        for name, own in same.items()
    }


def _columns(marks: list[Presence] | tuple[Presence, ...]) -> Marks:
    cells: dict[tuple[str, str, str], int] = {}
    numbers = [cells.setdefault((m.document, m.system, m.unit), len(cells)) for m in marks]
    return np.array(numbers, dtype=np.int64), np.array([float(m.present) for m in marks])


def _of_two(marks: tuple[Presence, ...]) -> Statistic:
    names = list(dict.fromkeys(mark.annotator for mark in marks))
    if len(names) != 2:
        return undefined(f"It is for exactly two annotators, not for {len(names)}.")
    numbers, values = _columns(marks)
    table = np.full((int(numbers.max()) + 1, 2), np.nan)
    table[numbers, [names.index(mark.annotator) for mark in marks]] = values
    return cohen_kappa(table[:, 0], table[:, 1], None)
