"""`View`: what tables and figures look up in a study, such as the leading human score."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from gistmark.analysis.correlation import DEFAULT_COEFFICIENT, shown_coefficients
from gistmark.analysis.data.measures import DIMENSION, MeasureName, main_part
from gistmark.analysis.findings import words
from gistmark.analysis.findings.headline import headline_score
from gistmark.analysis.ranking.ranking import PEOPLE
from gistmark.analysis.studies.displays import closeness, closest
from gistmark.analysis.studies.records import (
    Agreement,
    Correlation,
    Headline,
    Pair,
    Rank,
    Spread,
    Strength,
)
from gistmark.analysis.studies.results import Study
from gistmark.corpus import Corpus
from gistmark.metrics.metric import Better
from gistmark.records import Document
from gistmark.report.table import Label
from gistmark.scoring import Scores
from gistmark.signature import labelled

LEVELS = ("global", "summary", "system", "annotation")


@dataclass(frozen=True)
class View:
    """A study with its corpus and scores, and the queries that tables and figures need."""

    study: Study
    corpus: Corpus
    scores: Scores | None
    baseline: str

    def document(self, id: str) -> Document | None:
        """A document by its id; summaries may have none."""
        return self._documents.get(id)

    @cached_property
    def _documents(self) -> dict[str, Document]:
        return {document.id: document for document in self.corpus.documents}

    @cached_property
    def humans(self) -> tuple[str, ...]:
        """The human scores, those of single dimensions first, as the study names them."""
        scored = (record.human for record in self.study.human_scores)
        correlated = (record.human for record in self.study.correlation)
        return tuple(dict.fromkeys((*scored, *correlated)))

    @cached_property
    def headline(self) -> Headline:
        """What the study puts first."""
        empty = Headline(None, None, None, "global", DEFAULT_COEFFICIENT)
        return self.study.headline[0] if self.study.headline else empty

    @property
    def headlined(self) -> str:
        """What the headline correlates with, in words: `Spearman with Overall Quality`."""
        coefficient = words.coefficient(self.headline.coefficient)
        return coefficient if self.primary is None else f"{coefficient} with {self.primary}"

    @property
    def primary(self) -> str | None:
        """The human score that the study puts first."""
        return self.headline.human

    def leading(self, by: str) -> str | None:
        """The dimension that leads the ranking by one kind of evidence."""
        if by in ("ratings", "comparisons"):
            return self.headline.ratings if by == "ratings" else self.headline.comparisons
        return next(iter(self.ranked_dimensions(by)), None)

    @cached_property
    def metrics(self) -> frozenset[str]:
        """The names of metrics, without dimensions and plain lengths."""
        signed = {record.metric for record in self.study.signatures}
        scored = set(self.scores.columns) if self.scores else set()
        return frozenset(signed | scored)

    def label(self, metric: str, part: str = "value") -> str:
        """A metric, or a part of one, as tables and figures name it: `rouge1.f`, `js`."""
        return str(MeasureName(metric, part or "value"))

    def named(self, metric: str, part: str, suffix: str = "") -> Label:
        """A part of a metric as a cell, in which people also see the model and a suffix."""
        name = self.label(metric, part)
        text = labelled(metric, self._signatures.get(metric), name)
        return Label(name, f"{text}{suffix}")

    @cached_property
    def _signatures(self) -> dict[str, str]:
        return {record.metric: record.signature for record in self.study.signatures}

    @cached_property
    def levels(self) -> tuple[str, ...]:
        """The levels of correlation, those of the headline first."""
        return tuple(dict.fromkeys((*self.headline.levels, *LEVELS)))

    @cached_property
    def plain(self) -> tuple[Correlation, ...]:
        """The correlations over all summaries with nothing held constant."""
        return tuple(r for r in self.study.correlation if not r.given and not r.subset)

    @cached_property
    def coefficients(self) -> tuple[str, ...]:
        """The coefficients, the one of the headline first."""
        return shown_coefficients(self.headline.coefficient)

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

    def main_correlations(self, level: str, coefficient: str) -> list[Correlation]:
        """The records of `correlations`, with the main part of each metric only."""
        parts: dict[str, set[str]] = {}
        for record in (records := self.correlations(level, coefficient)):
            parts.setdefault(record.metric, set()).add(record.part)
        main = {
            metric: self.main_part(metric, metric_parts) for metric, metric_parts in parts.items()
        }
        return [record for record in records if record.part == main[record.metric]]

    def main_part(self, metric: str, parts: Collection[str]) -> str:
        """The part that stands for a metric, as the study says, among these."""
        return main_part(parts, self._main_parts.get(metric))

    @cached_property
    def _main_parts(self) -> dict[str, str]:
        return {record.metric: record.part for record in self.study.measures if record.main}

    def strongest(self, human: str, level: str = "global") -> list[Strength]:
        """Metrics of quality by how closely their main part follows a human score at a level."""
        return closest(self.study.strengths, self.study.measures, human, level)

    @cached_property
    def strengths(self) -> dict[tuple[str, str], float]:
        """How closely each part follows the leading human score at the headline's first level."""
        kind = (self.primary, self.headline.levels[0], self.headline.coefficient)
        return {
            (record.metric, record.part): record.strength
            for record in self.study.strengths
            if (record.human, record.level, record.coefficient) == kind
        }

    def closeness(self, record: Correlation | None) -> tuple[int, float]:
        """Sorts records of one kind by how closely the measure follows people, closest first."""
        if record is None:
            return closeness(None, "neither")
        better = self._better.get((record.metric, record.part), "higher")
        return closeness(record.value, better)

    @cached_property
    def _better(self) -> dict[tuple[str, str], Better]:
        return {(record.metric, record.part): record.better for record in self.study.measures}

    def raters(self, statistic: str) -> dict[str, list[Agreement]]:
        """The values of each rater, or of each split of them, by dimension, weakest first."""
        groups: dict[str, list[Agreement]] = {}
        for record in self.study.agreement:
            if record.statistic == statistic and record.scope and record.value is not None:
                groups.setdefault(record.dimension, []).append(record)
        return {
            dimension: sorted(group, key=lambda record: record.value or 0.0)
            for dimension, group in groups.items()
        }

    def spread(self, statistic: str, dimension: str) -> Spread | None:
        """Where the values of a statistic lie in a dimension."""
        kind = (statistic, dimension)
        return next((s for s in self.study.spreads if (s.statistic, s.dimension) == kind), None)

    def methods(self, by: str, dimension: str) -> list[str]:
        """The methods that rank systems by one kind of evidence, in the order of the study."""
        rows = [r for r in self.study.ranking if (r.by, r.dimension) == (by, dimension)]
        return list(dict.fromkeys(record.method for record in rows))

    def ranks(self, by: str, dimension: str, method: str | None = None) -> list[Rank]:
        """Systems by one kind of evidence and a method, else the study's first; best first."""
        method = method or next(iter(self.methods(by, dimension)), None)
        records = [r for r in self.study.ranking if (r.by, r.dimension) == (by, dimension)]
        method_records = [record for record in records if record.method == method]
        return sorted(method_records, key=lambda r: (r.rank is None, r.rank or 0.0, r.system))

    def pairs(self, by: str, dimension: str) -> list[Pair]:
        """The pairs of systems in the ranking that `ranks` shows by default."""
        method = next(iter(self.methods(by, dimension)), None)
        kind = (by, dimension, method)
        return [p for p in self.study.pairs if (p.by, p.dimension, p.method) == kind]

    def ranked_dimensions(self, by: str) -> tuple[str, ...]:
        """The dimensions, or metrics, that rank systems by one kind of evidence, in its order."""
        result = (r.dimension for r in self.study.ranking if r.by == by and r.rank is not None)
        return tuple(dict.fromkeys(result))

    @cached_property
    def rankings(self) -> tuple[tuple[str, str], ...]:
        """The rankings that come first, each as `by` and dimension: by people, else by a metric."""
        leading_dimensions = [(by, self.leading(by)) for by in PEOPLE]
        people = [(by, dimension) for by, dimension in leading_dimensions if dimension is not None]
        metrics = [("scores", metric) for metric in self.ranked_dimensions("scores")]
        return tuple(people or metrics[:1])

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """The systems from best to worst by people, or by the first metric, or in file order."""
        for by in PEOPLE:
            dimension = self.leading(by)
            if dimension is not None:
                ranked = [record.system for record in self.ranks(by, dimension)]
                return tuple(dict.fromkeys((*ranked, *self.corpus.systems)))
        scored = (record.system for record in self.study.system_means)
        return tuple(dict.fromkeys((*scored, *self.corpus.systems)))


def leading(names: Sequence[str]) -> str | None:
    """The name that gives a verdict on the whole, by the study's own rule, else the first."""
    return headline_score(names)


def leading_first(names: Sequence[str]) -> list[str]:
    """The names with the leading one in front."""
    first = leading(names)
    return sorted(names, key=lambda name: name != first)
