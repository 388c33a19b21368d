"""What the report looks up in a study: which human score leads, which metrics, at which level."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from gistmark.corpus import Corpus
from gistmark.scoring import Scores
from gistmark.study.measures import DIMENSION, LENGTHS
from gistmark.study.records import Correlation, Difference, Rank
from gistmark.study.results import Study
from gistmark.study.study import headline_score

LEVELS = ("global", "summary", "system", "annotation")
COEFFICIENTS = ("spearman", "pearson", "kendall")
_PARTS = ("f", "value", "per_token", "recall", "precision", "")


@dataclass(frozen=True)
class View:
    """A study with its corpus and scores, and the questions that tables and figures ask of it."""

    study: Study
    corpus: Corpus
    scores: Scores | None
    baseline: str

    @cached_property
    def humans(self) -> tuple[str, ...]:
        """The human scores, those of single dimensions first, as the study names them."""
        scored = (record.human for record in self.study.human_scores)
        correlated = (record.human for record in self.study.correlation)
        return tuple(dict.fromkeys((*scored, *correlated)))

    @cached_property
    def primary(self) -> str | None:
        """The human score that answers "how good is it on the whole"."""
        return leading(self.humans)

    @cached_property
    def metrics(self) -> frozenset[str]:
        """The names of what is a metric and not a dimension or a plain length."""
        signed = {record.metric for record in self.study.signatures}
        scored = set(self.scores.columns) if self.scores else set()
        return frozenset(signed | scored)

    @cached_property
    def plain(self) -> tuple[Correlation, ...]:
        """The correlations over all summaries with nothing held constant."""
        return tuple(r for r in self.study.correlation if not r.given and not r.subset)

    @cached_property
    def coefficients(self) -> tuple[str, ...]:
        """The coefficients, those first by which the study compared metrics."""
        tested = (record.coefficient for record in self.study.differences)
        return tuple(dict.fromkeys((*tested, *COEFFICIENTS)))

    def correlations(self, level: str, coefficient: str) -> list[Correlation]:
        """The plain correlations of metrics and lengths with human scores, at one level."""
        return [
            record
            for record in self.plain
            if (record.level, record.coefficient) == (level, coefficient)
            and not self.is_dimension(record)
        ]

    def dimension_correlations(self, level: str, coefficient: str) -> list[Correlation]:
        """The plain correlations between human scores, at one level."""
        return [
            record
            for record in self.plain
            if (record.level, record.coefficient) == (level, coefficient)
            and self.is_dimension(record)
        ]

    def is_dimension(self, record: Correlation) -> bool:
        """Whether a correlation is between two human scores."""
        return record.part == DIMENSION

    def better(self, metric: str) -> str:
        """Which way a metric points: `higher`, `lower`, or `neither` for plain descriptions."""
        known = self.scores.columns.get(metric) if self.scores else None
        if known is None:
            return "neither" if metric in LENGTHS else "higher"
        return known.better

    def oriented(self, record: Correlation) -> float:
        """A correlation such that more is better, whichever way the metric points."""
        value = record.value or 0.0
        return -value if self.better(record.metric) == "lower" else value

    def main_correlations(self, level: str, coefficient: str) -> list[Correlation]:
        """The same with the main part of each metric only."""
        parts: dict[str, set[str]] = {}
        for record in (found := self.correlations(level, coefficient)):
            parts.setdefault(record.metric, set()).add(record.part)
        main = {metric: self.main_part(metric, there) for metric, there in parts.items()}
        return [record for record in found if record.part == main[record.metric]]

    def main_part(self, metric: str, parts: Iterable[str]) -> str:
        """The part that stands for a metric."""
        there = set(parts)
        if self.scores and metric in self.scores.columns:
            main = self.scores.columns[metric].main_part
            if main in there:
                return str(main)
        return next((part for part in _PARTS if part in there), min(there))

    def strongest(self, human: str) -> list[Correlation]:
        """Metrics of quality by how closely their main part follows a human score."""
        for coefficient in self.coefficients:
            found = [
                record
                for record in self.main_correlations("global", coefficient)
                if record.human == human
                and record.value is not None
                and record.metric in self.metrics
                and self.better(record.metric) != "neither"
            ]
            if found:
                return sorted(found, key=lambda record: -self.oriented(record))
        return []

    def names(self, record: Correlation) -> frozenset[str]:
        """The names under which a difference may mention a metric's part."""
        parts = self._parts.get(record.metric, set())
        full = {f"{record.metric}.{record.part}", label(record.metric, record.part)}
        main = self.main_part(record.metric, parts | {record.part}) == record.part
        return frozenset(full | {record.metric} if main else full)

    def difference(self, one: Correlation, other: Correlation) -> Difference | None:
        """The test between two metrics, turned round where the study has it the other way."""
        first, second = self.names(one), self.names(other)
        for record in self._differences.get((one.human, one.coefficient, one.level), ()):
            if record.metric in first and record.other in second:
                return record
            if record.metric in second and record.other in first:
                return turned(record)
        return None

    @cached_property
    def _parts(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for record in self.plain:
            found.setdefault(record.metric, set()).add(record.part)
        return found

    @cached_property
    def _differences(self) -> dict[tuple[str, str, str], list[Difference]]:
        found: dict[tuple[str, str, str], list[Difference]] = {}
        for record in self.study.differences:
            found.setdefault((record.human, record.coefficient, record.level), []).append(record)
        return found

    def methods(self, by: str, dimension: str) -> list[str]:
        """The methods that rank systems by one kind of evidence, in the order of the study."""
        found = [r for r in self.study.ranking if (r.by, r.dimension) == (by, dimension)]
        return list(dict.fromkeys(record.method for record in found))

    def ranks(self, by: str, dimension: str, method: str | None = None) -> list[Rank]:
        """Systems by one kind of evidence and a method, else the study's first; best first."""
        method = method or next(iter(self.methods(by, dimension)), None)
        found = [r for r in self.study.ranking if (r.by, r.dimension) == (by, dimension)]
        chosen = [record for record in found if record.method == method]
        return sorted(chosen, key=lambda r: (r.rank is None, r.rank or 0.0, r.system))

    def ranked_dimensions(self, by: str) -> tuple[str, ...]:
        """The dimensions that systems are ranked by, in the order of the study."""
        return tuple(dict.fromkeys(r.dimension for r in self.study.ranking if r.by == by))

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """The systems from best to worst by people, else by the first metric, else as they came."""
        for by in ("ratings", "comparisons"):
            dimension = leading(self.ranked_dimensions(by))
            if dimension is not None:
                ranked = [record.system for record in self.ranks(by, dimension)]
                return tuple(dict.fromkeys((*ranked, *self.corpus.systems)))
        if self.scores is not None and len(self.scores):
            return tuple(dict.fromkeys((*self.scores.leaderboard().systems, *self.corpus.systems)))
        return self.corpus.systems


def leading(names: Sequence[str]) -> str | None:
    """The name that gives a verdict on the whole, by the study's own rule, else the first."""
    return headline_score(names) if names else None


def leading_first(names: Sequence[str]) -> list[str]:
    """The same names, the leading one in front."""
    first = leading(names)
    return sorted(names, key=lambda name: name != first)


def label(metric: str, part: str) -> str:
    """A metric's part in words that fit a table: `rouge1.f`, `js`."""
    return metric if part in ("", "value", DIMENSION) else f"{metric}.{part}"


def turned(record: Difference) -> Difference:
    """The same difference seen from the other metric."""

    def negative(value: float | None) -> float | None:
        return None if value is None else -value

    return replace(
        record,
        metric=record.other,
        other=record.metric,
        value=negative(record.value),
        low=negative(record.high),
        high=negative(record.low),
    )
