"""Three annotators against the other seven, in all 120 ways, as in BLANC's Figure 9.

The ten who scored a summary are its team. CNN_DailyMail_555 has thirteen annotators' ids and four
teams; each team is split by itself, over the summaries that have all its ten scores.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

import numpy as np

from gistmark.analysis.agreement.splits import splits_against_rest
from gistmark.analysis.columns import columns_by_dimension
from gistmark.corpus import Corpus
from gistmark.papers.cells import Cell, cell
from gistmark.records import Rating

_TEAM = 10
_GROUP = 3


def split_cells(table: str, corpus: Corpus, *, why: str) -> Iterator[Cell]:
    """For each team of ten the lowest, median, mean and highest correlation over its splits."""
    for team, ratings in _teams(corpus).items():
        (columns,) = columns_by_dimension(ratings).values()
        splits = splits_against_rest(columns, _GROUP, rng=np.random.default_rng(0))
        values = np.array([split.correlation.value for split in splits], dtype=np.float64)
        row = "team " + " ".join(team)
        yield cell(table, row, "summaries", None, len(columns.unit_names), 0, why=why)
        yield cell(table, row, "splits", None, len(splits), 0, why=why)
        for column, value in _distribution(values).items():
            yield cell(table, row, column, None, value, 3, why=why)


def _distribution(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Mapping[str, float]:
    return {
        "lowest": float(values.min()),
        "median": float(np.median(values)),
        "mean": float(values.mean()),
        "highest": float(values.max()),
    }


def _teams(corpus: Corpus) -> dict[tuple[str, ...], list[Rating]]:
    """The ratings of each team of ten, that with the most summaries first."""
    units: dict[tuple[str, str], list[Rating]] = defaultdict(list)
    for rating in corpus.ratings:
        units[rating.document, rating.system].append(rating)
    teams: dict[tuple[str, ...], list[Rating]] = defaultdict(list)
    for ratings in units.values():
        if len(ratings) == _TEAM:
            names = sorted((r.annotator for r in ratings), key=lambda name: (len(name), name))
            teams[tuple(names)] += ratings
    return dict(sorted(teams.items(), key=lambda team: (-len(team[1]), team[0])))
