"""`StudyOptions`: what a study does beyond the usual."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from gistmark.analysis.agreement.machines import EPSILON
from gistmark.analysis.correlation import COEFFICIENTS, DEFAULT_COEFFICIENT
from gistmark.analysis.correlation.levels import Level
from gistmark.analysis.prediction_powered.means import Population
from gistmark.analysis.resampling.bootstrap import RESAMPLES, Over
from gistmark.analysis.resampling.significance import Correction, Test
from gistmark.errors import UsageError, unknown_name

HeadlineLevel = Literal["system", "summary", "global"]
PairsOver = Literal["documents", "both"]
By = Literal["campaign"]
Scale = tuple[float, float]

LEVELS: tuple[Level, ...] = ("system", "summary", "global")


@dataclass(frozen=True)
class StudyOptions:
    """What a study does beyond the usual.

    `overall` names the overall dimension where it cannot be guessed; `scales` the lowest and
    highest rating of dimensions; `subsets` are expressions such as `chars < 350`; `combinations`
    metrics taken together, such as `rouge1+js` (`gistmark.analysis.data.measures`); `baseline` is
    the metric that others are compared with; `over` what is resampled (documents, systems, both, or
    as fits the data). `resamples` is how many bootstrap samples and permutations there are; fewer
    than 40 have no interval. `level` and `coefficient` choose what is headlined: without a level,
    system and summary level beside each other. `test` compares metrics. `pairs_over` says what
    differences between systems should hold for: other documents, or both other documents and other
    annotators.
    `severities` are the weights of errors by severity, beyond or instead of the usual ones
    (`gistmark.analysis.human.marks`). `helper` is a metric such as `bertscore.f`, several such as
    `rouge1+js`, or `all`, that helps to estimate the means of systems where people judged only a
    random sample of the documents; `population` says what the means should hold for: documents
    `beyond` the corpus, or those of the `corpus` alone. `judges` are annotators that are not
    people, such as language models, beside those that the corpus calls machines: they are tested as
    alternative annotators with `epsilon`, compared with people, and count nowhere else.
    `with_machines` lets the machines of the corpus count as people. With `grade_weights`, such as
    3, 3, 1, 1, 2 for the grades 0 to 4, there is also a human score of ratings that weigh as much
    as their grade. `by` campaign studies a dimension that several campaigns judged for each
    campaign by itself, and says where campaigns differ.
    """

    overall: str | None = None
    scales: Mapping[str, Scale] | None = None
    subsets: Sequence[str] = ()
    combinations: Sequence[str] = ()
    baseline: str = "rouge1"
    over: Over | None = None
    resamples: int = RESAMPLES
    correction: Correction = "holm"
    seed: int = 0
    level: HeadlineLevel | None = None
    coefficient: str = DEFAULT_COEFFICIENT
    test: Test = "bootstrap"
    pairs_over: PairsOver = "documents"
    severities: Mapping[str, float] | None = None
    helper: str | None = None
    population: Population = "beyond"
    judges: Sequence[str] = ()
    epsilon: float = EPSILON
    with_machines: bool = False
    grade_weights: Mapping[float, float] | None = None
    by: By | None = None

    def __post_init__(self) -> None:
        if self.resamples < 1:
            raise UsageError(f"A study needs at least one bootstrap sample, not {self.resamples}.")
        for noun, value, allowed in (
            ("level", self.level, (None, *LEVELS)),
            ("coefficient", self.coefficient, COEFFICIENTS.names()),
            ("test", self.test, get_args(Test)),
            ("pairs_over", self.pairs_over, get_args(PairsOver)),
            ("population", self.population, get_args(Population)),
            ("by", self.by, (None, *get_args(By))),
        ):
            if value not in allowed:
                raise unknown_name(noun, str(value), [name for name in allowed if name])
