"""The flat records that a study consists of; `study.json` holds exactly these."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far annotators agree, by one statistic.

    `subject` is `ratings`, `comparisons` or `highlights`; `scope` is empty for the whole, else
    the document, annotator or split that the value is about. `chance` is what coin flips would
    give. A value that is not defined is None and has a `reason`.
    """

    subject: str
    dimension: str
    statistic: str
    scope: str
    value: float | None
    low: float | None
    high: float | None
    chance: float | None
    n: int
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Correlation:
    """How far a metric (or a dimension, or a length) goes with a human score.

    `level` is `annotation`, `summary`, `system` or `global`; `low` and `high` bound the value at
    95 % by bootstrap; `given` names what was held constant in a partial correlation; `subset`
    the expression that chose the summaries.
    """

    metric: str
    part: str
    human: str
    level: str
    coefficient: str
    value: float | None
    low: float | None
    high: float | None
    p: float | None
    n: int
    given: str = ""
    subset: str = ""
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """Whether one metric follows people better than another: the difference of two correlations."""

    metric: str
    other: str
    human: str
    level: str
    coefficient: str
    value: float | None
    low: float | None
    high: float | None
    test: str
    p: float | None
    p_corrected: float | None
    correction: str
    n: int
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Rank:
    """A system's place by one kind of evidence.

    `by` is `ratings`, `comparisons` or `scores`; `dimension` the dimension or the metric;
    `method` says what `value` is (a mean, a normalised mean rank, a Bradley-Terry strength).
    Systems of one `cluster` cannot be told apart.
    """

    by: str
    dimension: str
    method: str
    system: str
    value: float | None
    low: float | None
    high: float | None
    rank: float | None
    cluster: int | None
    n: int
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class HumanScore:
    """A human score of one summary: a dimension's mean, HS1, HS2, HS3, a z-score."""

    document: str
    system: str
    human: str
    value: float
    n: int


@dataclass(frozen=True, slots=True)
class Note:
    """Something about the data that a reader should know."""

    about: str
    text: str
