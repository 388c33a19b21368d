"""What a pilot says about a study to come: how far judgements spread, how long they take.

Differences between the pilot's systems are shrunk by how much of them is noise: the variance of the
means (or strengths) less that of their errors, over the variance of the means.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import special

from gistmark.analysis.data.columns import columns_by_dimension, votes_by_dimension
from gistmark.analysis.planning.choices import ChoiceSpread
from gistmark.analysis.planning.power import Deviations
from gistmark.analysis.ranking.bradley_terry import count_wins, disconnected
from gistmark.analysis.ranking.bradley_terry import fit as fit_strengths
from gistmark.analysis.variance.components import observations
from gistmark.analysis.variance.design import RESIDUAL, identifiable
from gistmark.analysis.variance.mixed_model import fit
from gistmark.corpus import Corpus
from gistmark.errors import UsageError, unknown_name
from gistmark.records import Rating

Float64 = NDArray[np.float64]
Spread = Deviations | ChoiceSpread

ROUGH = 20
"""What a pilot with fewer documents than this says is rough."""
_LEAST_CHOICES = 10
_JACKKNIFE = 50
_UPPER = float(special.ndtri(0.95))


class Pilot(ABC):
    """What the judgements of one dimension say."""

    dimension: str
    systems: int
    documents: int
    annotators: int
    seconds: float | None

    @property
    @abstractmethod
    def positions(self) -> Float64:
        """The systems' means or strengths, shrunk by their noise, the highest first."""

    @property
    @abstractmethod
    def spread(self) -> Spread:
        """How far judgements spread, as estimated."""

    @property
    @abstractmethod
    def wider(self) -> Spread:
        """How far they may spread in truth: upper limits, of which 1 in 20 is too low."""

    @property
    @abstractmethod
    def uncertainty(self) -> str:
        """That the estimates are estimates, and how far the upper limits are above them."""

    @property
    def warnings(self) -> list[str]:
        """What the pilot cannot tell, or only roughly."""
        if self.documents >= ROUGH:
            return []
        return [
            f"The pilot has {self.documents} documents: how far judgements spread is known only "
            "roughly."
        ]


class RatingPilot(Pilot):
    """A pilot of ratings, by a mixed model."""

    def __init__(self, corpus: Corpus, dimension: str | None) -> None:
        groups = columns_by_dimension(corpus.ratings)
        if not groups:
            raise UsageError("The pilot has no ratings, so nothing can be planned from it.")
        self.dimension = _dimension(dimension, list(groups))
        columns = groups[self.dimension]
        self.data = observations(columns)
        self.systems = int(self.data.system.max()) + 1
        self.documents = int(self.data.document.max()) + 1
        self.annotators = int(self.data.annotator.max()) + 1
        self.summaries = len(columns.unit_names)
        self.terms = identifiable(self.data)
        parameters = self.systems + len(self.terms) + 1
        if len(columns) <= parameters + 1 or len(np.unique(self.data.value)) < 2:
            raise UsageError(
                f"The pilot's {len(columns)} ratings of {self.dimension!r} are too few or too "
                "equal to say how far ratings spread; give the standard deviations instead."
            )
        self.fit = fit(self.data, self.terms)
        self.seconds = _median_seconds(corpus.ratings)

    @property
    def spread(self) -> Deviations:
        """The parts of the mixed model; what cannot be told apart is special to summaries."""
        parts = self.fit.variances
        strict = parts.get("annotator", 0.0) + parts.get("annotator:document", 0.0)
        alone, rest = parts.get("document:system"), parts[RESIDUAL]
        if alone is None:
            alone, rest = rest, 0.0
        variances = (alone, rest, parts.get("annotator:system", 0.0), strict)
        return Deviations(*(float(np.sqrt(variance)) for variance in variances))

    @property
    def wider(self) -> Deviations:
        spread, more, taste = self.spread, self._more(self.summaries, self.documents), 1.0
        if spread.annotator:
            taste = self._more(self.annotators * self.systems, self.annotators)
        return Deviations(
            more * spread.summary, more * spread.residual, taste * spread.annotator, spread.severity
        )

    @property
    def uncertainty(self) -> str:
        more = self._more(self.summaries, self.documents)
        return (
            f"The pilot’s {self.summaries:,} summaries only estimate the standard deviations, "
            f"which may be {100 * (more - 1):.0f} % larger (the upper limit at 95 %)"
        )

    def _more(self, cells: int, rows: int) -> float:
        """The upper limit of a standard deviation over its estimate, by chi-squared.

        The cells of a table lose a degree of freedom for each row and for each system.
        """
        freedom = max(cells - rows - self.systems + 1, 1)
        return float(np.sqrt(freedom / special.chdtri(freedom, 0.95)))

    @cached_property
    def positions(self) -> Float64:
        return _shrunk(self.fit.means, self.fit.covariance)

    @property
    def warnings(self) -> list[str]:
        warnings = super().warnings
        if "document:system" not in self.terms:
            warnings.append(
                "In the pilot, no summary was rated twice, so what is special to a summary cannot "
                "be told from the rest: all of it is taken as special, and more annotators may "
                "help more than these plans say."
            )
        if self.annotators < 5 and "annotator:system" in self.terms:
            warnings.append(
                f"The pilot has {self.annotators} annotators: whether annotators favour systems is "
                "known only roughly."
            )
        return warnings


class ChoicePilot(Pilot):
    """A pilot of pairwise choices: strengths, and how far choices hang together beyond them."""

    def __init__(self, corpus: Corpus, dimension: str | None) -> None:
        groups = votes_by_dimension(corpus.comparisons)
        if not groups:
            raise UsageError("The pilot has no comparisons, so nothing can be planned from it.")
        self.dimension = _dimension(dimension, list(groups))
        self.votes = groups[self.dimension]
        wins = count_wins([c for c in corpus.comparisons if c.dimension == self.dimension])
        self.systems = len(wins.systems)
        self.documents, self.annotators = len(wins.documents), len(self.votes.annotator_names)
        if len(self.votes) < max(_LEAST_CHOICES, 2 * self.systems):
            raise UsageError(
                f"The pilot's {len(self.votes)} choices about {self.dimension!r} are too few to "
                "say how far they hang together; give the correlations instead."
            )
        if (reason := disconnected(wins.groups)) is not None:
            raise UsageError(f"No study can be planned from this pilot: {reason}.")
        total = wins.tables.sum(axis=0)
        self.strengths: Float64 = fit_strengths(total[None])[0]
        self.games = total + total.T
        self.seconds = None  # comparisons carry no times

    @cached_property
    def spread(self) -> ChoiceSpread:
        """Moments of what is left of each choice when the systems' strengths are known.

        The mean product of two residuals of the same two summaries, or of the same annotator and
        two systems, over the mean square.
        """
        return _possible(*self._correlations(np.ones(len(self.votes), dtype=np.bool_)), self._ties)

    @cached_property
    def wider(self) -> ChoiceSpread:
        """By the jackknife over groups of documents, about normal: 1.64 standard errors more."""
        documents = self.votes.pair_documents[self.votes.pairs]
        groups = np.unique(documents, return_inverse=True)[1] % _JACKKNIFE
        numbers = np.unique(groups)
        if len(numbers) < 2:
            return self.spread
        values = np.array([self._correlations(groups != number) for number in numbers])
        errors = np.sqrt((len(numbers) - 1) * values.var(axis=0))
        spread, (document, annotator) = self.spread, (_UPPER * errors).tolist()
        return _possible(spread.document + document, spread.annotator + annotator, self._ties)

    @property
    def uncertainty(self) -> str:
        spread = self.wider
        return (
            f"The pilot’s {len(self.votes):,} choices only estimate the correlations, which may be "
            f"{spread.document:.2g} and {spread.annotator:.2g} (the upper limits at 95 %)"
        )

    @property
    def _is_single(self) -> bool:
        return len(self.votes.pair_documents) == len(self.votes)

    @property
    def _ties(self) -> float:
        return float(np.mean(self.votes.values == 0.5))

    def _correlations(self, kept: NDArray[np.bool_]) -> tuple[float, float]:
        """Of choices about the same two summaries, and of an annotator's between two systems."""
        votes = self.votes
        first, second = votes.pair_first[votes.pairs], votes.pair_second[votes.pairs]
        rest = votes.values - special.expit(self.strengths[first] - self.strengths[second])
        square = float(np.mean(rest[kept] ** 2))
        if square <= 0:
            return float(self._is_single), 0.0
        low, high = np.minimum(first, second), np.maximum(first, second)
        turned = np.where(first < second, rest, -rest)
        both = (votes.annotators * self.systems + low) * self.systems + high
        document = 1.0 if self._is_single else _alike(rest[kept], votes.pairs[kept]) / square
        return document, _alike(turned[kept], both[kept]) / square

    @cached_property
    def positions(self) -> Float64:
        chances = special.expit(self.strengths[:, None] - self.strengths[None, :])
        bends = self.games * chances * (1 - chances)
        information = np.diag(bends.sum(axis=1)) - bends
        return _shrunk(self.strengths, np.linalg.pinv(information))

    @property
    def warnings(self) -> list[str]:
        warnings = super().warnings
        if self._is_single:
            warnings.append(
                "In the pilot, no two summaries were compared twice, so what annotators see alike "
                "cannot be told from chance: nearly all of it is taken as alike, and more "
                "annotators may help more than these plans say."
            )
        if self.annotators < 5:
            warnings.append(
                f"The pilot has {self.annotators} annotators: whether annotators favour systems is "
                "known only roughly."
            )
        return warnings


def _dimension(name: str | None, dimensions: list[str]) -> str:
    """The named dimension of the pilot, else its first."""
    if name is not None and name not in dimensions:
        raise unknown_name("dimension in the pilot", name, dimensions)
    return name or dimensions[0]


def _shrunk(values: Float64, covariance: Float64) -> Float64:
    """The values, drawn to their mean by the share of their variance that is error."""
    count = len(values)
    if count < 2:
        return np.asarray(values)
    error = float(np.trace(covariance) - covariance.sum() / count) / (count - 1)
    spread = float(values.var(ddof=1))
    factor = np.sqrt(max(1 - error / spread, 0.0)) if spread > 0 else 0.0
    return np.sort(values.mean() + factor * (values - values.mean()))[::-1]


def _possible(document: float, annotator: float, ties: float) -> ChoiceSpread:
    """Correlations within their bounds, and together below 1."""
    document, annotator = (min(max(size, 0.0), 0.9) for size in (document, annotator))
    scale = min(1.0, 0.95 / max(document + annotator, 1e-9))
    return ChoiceSpread(document * scale, annotator * scale, ties)


def _alike(rest: Float64, groups: NDArray[np.int64]) -> float:
    """The mean product of two different residuals of one group."""
    numbers = np.unique(groups, return_inverse=True)[1]
    counts = np.bincount(numbers)
    sums, squares = np.bincount(numbers, rest), np.bincount(numbers, rest**2)
    pairs = float((counts * (counts - 1)).sum())
    return float((sums**2 - squares).sum() / pairs) if pairs else 0.0


def _median_seconds(ratings: Iterable[Rating]) -> float | None:
    """The median time of one annotator for one summary, all dimensions together."""
    times: dict[tuple[str, str, str], float] = {}
    for rating in ratings:
        if rating.seconds is not None:
            key = (rating.document, rating.system, rating.annotator)
            times[key] = times.get(key, 0.0) + rating.seconds
    return float(np.median(list(times.values()))) if times else None
