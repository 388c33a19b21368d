"""The flat records that a study consists of; `study.json` holds exactly these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gistmark.metrics.metric import Better

AGAINST_REST = "annotator-vs-rest"
"""The statistic of an annotator's Spearman correlation with the mean of the others."""

SPLIT = "split-k-rest"
"""The statistic of some annotators' mean against the mean of the others."""

RATING = "rating"
"""What the spread of plain ratings is called."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far annotators agree, by one statistic.

    `subject` is `ratings`, `comparisons`, `highlights`, `units`, `spans`, `answers`, `rankings` or
    `best-worst`; `scope` is empty for the whole, else the document, annotator or split that the
    value is about. `low` and `high` bound the value at 95 % over `documents` documents, for these
    annotators; `chance` is what coin flips would give. A value that is not defined is None and has
    a `reason`, and so has one without an interval. `main` marks, for ratings, the alpha of the
    scale that the values suggest.
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
    documents: int = 0
    main: bool = False


@dataclass(frozen=True, slots=True)
class Correlation:
    """How far a metric (or a dimension, or a length) goes with a human score.

    `level` is `annotation`, `summary`, `system` or `global`; `low` and `high` bound the value at
    95 %, and `over` says for what: `documents and systems`, `documents`, `systems`, or
    `documents of these systems`, which says nothing about other systems. `p` is about systems
    at system level (exact for up to nine), and elsewhere about what the interval is over. `given`
    names what was held constant in a partial correlation; `subset` the expression that chose the
    summaries. A value without an interval has a `reason` too.
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
    over: str = ""


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How often a metric orders summaries (acc_eq) or systems (SPA) as people do.

    `statistic` is `acc_eq`, `acc_eq_cross_validated` or `spa`; `threshold` is the difference of the
    metric up to which it counts as a tie. `low` and `high` are bounds at 95 % for that threshold;
    `over` says what they hold for: other `documents`, with these systems, or other `documents and
    systems`. `chance` is what a metric would have that is unrelated to people: its values dealt out
    anew within each document (acc_eq, its threshold fitted again) or among the systems (SPA). `n`
    is the number of documents.
    """

    metric: str
    part: str
    human: str
    statistic: str
    value: float | None
    low: float | None
    high: float | None
    threshold: float | None
    n: int
    reason: str | None = None
    chance: float | None = None
    over: str = ""


@dataclass(frozen=True, slots=True)
class AccuracyDifference:
    """Whether one metric orders pairs more often as people do: the difference of two accuracies.

    `statistic` is `acc_eq`, `acc_eq_cross_validated` or `spa`; above zero `metric` is better than
    `other`. `p_corrected` is corrected among the comparisons of its `family`, which are those of
    one statistic. `over` says what interval and test hold for: other `documents`, with these
    systems, where SPA has no interval; or other `documents and systems`. `n` is the number of
    documents.
    """

    metric: str
    other: str
    human: str
    statistic: str
    value: float | None
    low: float | None
    high: float | None
    test: str
    p: float | None
    p_corrected: float | None
    correction: str
    family: str
    n: int
    reason: str | None = None
    over: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """Whether one metric follows people better than another: the difference of two correlations.

    A metric of which less is better counts negated, so above zero `metric` follows people more
    closely than `other`. `p_corrected` is corrected among the comparisons of its `family`. `over`
    says what interval and p hold for, as in `Correlation`.
    """

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
    family: str
    n: int
    reason: str | None = None
    over: str = ""


@dataclass(frozen=True, slots=True)
class Rank:
    """A system's rank by one kind of evidence.

    `by` is `ratings`, `comparisons`, `units` (marks of content units), `spans` (marked errors) or
    `scores`; `dimension` the dimension, the human score or the metric;
    `method` says what `value` is (a mean, one adjusted for documents and annotators, a normalised
    mean rank, a Bradley-Terry strength); the first of a dimension leads. A system without a rank,
    and a value without an interval, has a `reason`.
    Systems that share a letter in `letters` cannot be told apart; those that share none differ
    significantly. Every system of one `cluster` differs significantly from every system of
    another; systems of the same cluster may differ too.
    """

    by: str
    dimension: str
    method: str
    system: str
    value: float | None
    low: float | None
    high: float | None
    rank: float | None
    letters: str | None
    cluster: int | None
    n: int
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two systems of one ranking: how far apart they are, and whether that may be chance.

    `left` ranks above `right`; `difference` is left's value minus right's, over the `n` documents
    that have both (of adjusted means: that bear on the difference).
    `low` and `high` hold every difference that the test does not reject at 5 %,
    so they exclude zero exactly where `p` is below 0.05; `p_corrected` is corrected by Holm among
    all pairs of the ranking, `p_all` among all pairs of all rankings by the same evidence and
    method. `effect` is the mean difference in standard deviations of the
    documents' differences; `wins` the share of documents (for Bradley-Terry of votes between the
    two) in which left is better, a tie counting one half.
    """

    by: str
    dimension: str
    method: str
    left: str
    right: str
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    p_corrected: float | None
    effect: float | None
    wins: float | None
    test: str
    n: int
    reason: str | None = None
    p_all: float | None = None


@dataclass(frozen=True, slots=True)
class LengthEffect:
    """What a summary's length does to pairwise choices, the systems' strengths held constant.

    `value` is the coefficient, in log odds, of a difference in length of `spread`: the standard
    deviation, over all choices, of the difference of two lengths over their sum. Above zero the
    longer summary is chosen more often. `low` and `high` bound it at 95 % over documents; `n`
    counts choices.
    """

    dimension: str
    value: float | None
    low: float | None
    high: float | None
    p: float | None
    spread: float | None
    n: int
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class ChoiceFit:
    """Who met whom in the choices of one dimension, and whether these fit a line of strengths.

    Between two systems there are from `fewest` to `most` choices; `balanced` says that all pairs
    met about equally often, so that shares of votes may lead the ranking. `g2` compares the votes
    of every pair with those that Bradley-Terry strengths promise, on `df` degrees of freedom; `p`
    is from a bootstrap by document. Where it is below 0.05 the choices do not fit a line: they run
    in circles, say. `n` counts choices.
    """

    by: str
    dimension: str
    fewest: int
    most: int
    balanced: bool
    g2: float | None
    df: int | None
    p: float | None
    n: int
    documents: int
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class HumanScore:
    """A human score of one summary: a dimension's mean, HS1, HS2, HS3, the weighted overall, a
    z-score, a share of content units, weighted errors."""

    document: str
    system: str
    human: str
    value: float
    n: int


@dataclass(frozen=True, slots=True)
class ErrorCount:
    """How many errors of one category and severity annotators marked in a system's summaries.

    `severity` is empty for errors without one. `judgements` counts how often an annotator judged a
    summary of the system, with errors or without; `rate` is `count` over `judgements`.
    """

    system: str
    category: str
    severity: str
    count: int
    judgements: int
    rate: float


@dataclass(frozen=True, slots=True)
class Note:
    """Something about the data that a reader should know."""

    about: str
    text: str


@dataclass(frozen=True, slots=True)
class Headline:
    """What the study puts first, everywhere: which human score, level and coefficient.

    `ratings` and `comparisons` name the dimension that leads the ranking by each; `level` is one
    level, or several with a comma between.
    """

    human: str | None
    ratings: str | None
    comparisons: str | None
    level: str
    coefficient: str

    @property
    def levels(self) -> tuple[str, ...]:
        return tuple(self.level.split(", "))


@dataclass(frozen=True, slots=True)
class Finding:
    """A conclusion of the study in words, with the numbers that it rests on.

    `kind` is `systems`, `metrics`, `helper`, `annotators`, `errors`, `answers`, `agreement` or
    `confidence`; `text` is the conclusion in one sentence, `detail` how surely. `by`, `dimension`
    (a dimension, a human score or empty), `level` and `coefficient` say what was looked at; `name`
    is the system, metric, category or statistic that is spoken of, `value` its number, and
    `compared` how many systems, parts of metrics, categories or annotators it was chosen from.
    """

    kind: str
    text: str
    detail: str
    by: str = ""
    dimension: str = ""
    level: str = ""
    coefficient: str = ""
    name: str = ""
    value: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    compared: int | None = None
    n: int | None = None


@dataclass(frozen=True, slots=True)
class Measure:
    """What was correlated with people: a part of a metric, a length, or metrics taken together.

    `better` is `higher`, `lower`, or `neither` for plain descriptions; `main` says that the part
    stands for its metric, `scored` that it comes from scores and is not a length of the corpus.
    """

    metric: str
    part: str
    better: Better
    main: bool
    scored: bool


@dataclass(frozen=True, slots=True)
class Strength:
    """How closely a measure follows a human score: its correlation, negated where less is better.

    The measures of a human score and level stand together, the closest to people first, over the
    `n` systems, documents or summaries that all of them scored; a measure that scored far fewer is
    left out. `low` and `high` bound the strengths of all parts of metrics at once, at 95 %, so they
    hold for the best of them too; they are there for what the study headlines. `over` says what
    they hold for, as in `Correlation`.
    """

    human: str
    level: str
    coefficient: str
    metric: str
    part: str
    strength: float
    low: float | None = None
    high: float | None = None
    n: int = 0
    over: str = ""


@dataclass(frozen=True, slots=True)
class SystemMean:
    """The mean of a part of a metric over the summaries of a system, bounded by Student's t.

    `missing` counts summaries that could not be scored; `best` marks the best mean of all systems,
    ties included. Systems stand from best to worst by the first metric that ranks them.
    """

    metric: str
    part: str
    system: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    missing: int
    better: Better
    best: bool


@dataclass(frozen=True, slots=True)
class RatingBin:
    """How many ratings of a dimension and campaign are from `low` to `high`, and their share."""

    dimension: str
    campaign: str
    low: float
    high: float
    count: int
    share: float


@dataclass(frozen=True, slots=True)
class Spread:
    """Where the values of a dimension lie: its ratings, or its annotators or splits of them.

    `statistic` is `rating`, or the statistic of agreement whose values are meant.
    """

    statistic: str
    dimension: str
    lowest: float
    median: float
    mean: float
    highest: float
    n: int


@dataclass(frozen=True, slots=True)
class MetricSplit:
    """Spearman of the best metric with the mean of the annotators outside a split's group.

    `scope` names the group, as in the record of agreement of the split.
    """

    dimension: str
    metric: str
    part: str
    scope: str
    value: float
